"""The sections about what a structure holds: positions, Jacobian, accelerations, friction, loads of the links."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from sistel.errors import Text
from sistel.formulas._equations import Constraint, Equations
from sistel.formulas._formula import ZERO, Formula, Sym, pushed, size, total
from sistel.formulas._relations import Relation, Section
from sistel.formulas._symbols import printable, split_name

WIDEST = 34
"""Numbers and symbols that the columns of a matrix have together; wider ones are written entry by entry."""
SHORT = 12
"""Numbers and symbols of an entry of the Jacobian that is written within an equation of motion."""


class Label(Protocol):
    """Makes a symbol that only the text uses."""

    def __call__(self, block: str, base: str, *subscript: str, place: int = 0) -> Sym: ...


class HeldSections:
    """Writes what the constraints add to a text.

    Attributes:
        forces: What they add to the right side of every equation of motion.
    """

    def __init__(self, equations: Equations, label: Label) -> None:
        self.all = equations
        self.label = label
        self.rows = equations.constraints
        self.count = len(equations.motion)
        self.tabular = self._fits()
        self.forces: list[Formula] = [
            total(tuple(self._pushed(k, i) for k in range(len(self.rows)))) for i in range(self.count)
        ]

    def _fits(self) -> bool:
        """Whether the Jacobian is written as a matrix; else entry by entry, and entries have names."""
        widths = [max((size(one.jacobian[i]) for one in self.rows), default=0) for i in range(self.count)]
        longest = max((size(self.all.share(k, i)) for k in range(len(self.rows)) for i in range(self.count)), default=0)
        return sum(widths) <= WIDEST and longest <= SHORT and len(self.rows) <= 12

    def _pushed(self, k: int, i: int) -> Formula:
        share = self.all.share(k, i)
        if share == ZERO:
            return ZERO
        multiplier = Sym("lambda", k)
        one = self.rows[k]
        if self.tabular or size(share) <= 3:
            return pushed(share, multiplier)
        named = [self.entry("J", k, i)] if one.jacobian[i] != ZERO else []
        named += [self.entry("D", k, i)] if one.drag is not None and one.drag[i] != ZERO else []
        return pushed(total(tuple(named)), multiplier)

    def entry(self, letter: str, k: int, i: int) -> Sym:
        """The name of an entry of a matrix."""
        comma = "," if max(len(self.rows), self.count) > 9 else ""
        return self.label(f"entry {letter}", letter, f"{k + 1}{comma}{i + 1}", place=k * self.count + i)

    def equations(self) -> Iterator[Section]:
        """Positions, Jacobian, accelerations and friction."""
        if not self.rows:
            return
        held = [(k, one) for k, one in enumerate(self.rows) if one.position is not None]
        yield Section(
            "constraints",
            Text("Constraints", "Уравнения связей"),
            tuple(Relation(self.label("Phi", "Φ", str(k + 1), place=k), one.position, zero=True) for k, one in held),
            self._about_positions(),
            self._heads([one for _, one in held]),
        )
        yield self._matrix(
            "jacobian",
            Text("Jacobian of the constraints", "Матрица Якоби связей"),
            "J",
            [one.jacobian for one in self.rows],
            Text(
                "Velocities that the constraints allow: 𝐉 q̇ = 0." if not self._drifts() else "𝐉 q̇ + δ = 0.",
                "Скорости, допускаемые связями: 𝐉 q̇ = 0." if not self._drifts() else "𝐉 q̇ + δ = 0.",
            ),
        )
        if self._drifts():
            yield Section(
                "drift",
                Text("Moving surfaces", "Движущиеся поверхности"),
                tuple(
                    Relation(self.label("delta", "δ", str(k + 1), place=k), one.drift)
                    for k, one in enumerate(self.rows)
                    if one.drift != ZERO
                ),
                Text("Rates of the constraints with time alone.", "Скорости связей от одного лишь времени."),
            )
        yield Section(
            "gamma",
            Text("Constraints for accelerations", "Уравнения связей для ускорений"),
            tuple(Relation(self.label("gamma", "γ", str(k + 1), place=k), one.bias) for k, one in enumerate(self.rows)),
            Text(
                "𝐉 q̈ + γ = 0, where γ is the derivative of 𝐉 times q̇.",
                "𝐉 q̈ + γ = 0, где γ — производная 𝐉, умноженная на q̇.",
            ),
        )
        if any(one.drag is not None for one in self.rows):
            yield self._matrix(
                "friction",
                Text("Sliding friction", "Трение скольжения"),
                "D",
                [one.drag or (ZERO,) * self.count for one in self.rows],
                Text(
                    "Friction against the slip for a unit normal force; it adds 𝐃ᵀλ to 𝐉ᵀλ.",
                    "Трение против скольжения при единичной нормальной силе; добавляет 𝐃ᵀλ к 𝐉ᵀλ.",
                ),
            )

    def _about_positions(self) -> Text:
        dof, nv, rank = self.all.dof, self.count, self.count - self.all.dof
        text = Text(
            f"Independent equations: {rank}; degrees of freedom: {nv} − {rank} = {dof}.",
            f"Независимых уравнений: {rank}; степеней свободы: {nv} − {rank} = {dof}.",
        )
        places = [str(k + 1) for k, one in enumerate(self.rows) if one.position is not None and not one.exact]
        if places:
            which = ", ".join(places)
            text = Text(
                f"{text.en} Derivatives of Φ are those below where Φ = 0 (numbers {which}).",
                f"{text.ru} Производные Φ совпадают с приведёнными ниже там, где Φ = 0 (номера {which}).",
            )
        return text

    def _heads(self, rows: Sequence[Constraint]) -> dict[int, Text]:
        """The name of every link before its first equation, where there are several."""
        made: dict[int, Text] = {}
        if len({one.link for one in self.rows}) > 1:
            for index, one in enumerate(rows):
                if index == 0 or rows[index - 1].link != one.link:
                    made[index] = Text(printable(one.link), printable(one.link))
        return made

    def _drifts(self) -> bool:
        return any(one.drift != ZERO for one in self.rows)

    def _matrix(self, key: str, title: Text, letter: str, entries: Sequence[Sequence[Formula]], about: Text) -> Section:
        """A matrix, or its entries one by one where it is wide."""
        if self.tabular:
            name = self.label(letter, {"J": "𝐉", "D": "𝐃"}[letter])
            return Section(key, title, (Relation(name, matrix=tuple(map(tuple, entries))),), about)
        relations: list[Relation] = []
        known: dict[Formula, Sym] = {}
        for k, row in enumerate(entries):
            for i, entry in enumerate(row):
                if entry != ZERO:
                    name = self.entry(letter, k, i)
                    # What was written before is not written again.
                    relations.append(Relation(name, known.get(entry, entry)))
                    if size(entry) > 3:
                        known.setdefault(entry, name)
        tail = Text(
            " Rows are constraints, columns velocities; all other entries are 0.",
            " Строки — связи, столбцы — скорости; остальные элементы равны 0.",
        )
        return Section(key, title, tuple(relations), Text(about.en + tail.en, about.ru + tail.ru))

    def loads(self) -> Iterator[Section]:
        """What the links do to bodies."""
        relations: list[Relation] = []
        heads: dict[int, Text] = {}
        for link in self.all.links:
            name = printable(link.name)
            heads[len(relations)] = Text(f"{name}: {link.about.en}", f"{name}: {link.about.ru}")
            base, subscript = split_name(name)
            for part, formula in link.components:
                if formula != ZERO:
                    place = len(relations)
                    left = self.label("L", part[0], base, *subscript, part[1], place=place)
                    relations.append(Relation(left, formula))
        yield Section(
            "links",
            Text("Reactions of the links", "Реакции связей"),
            tuple(relations),
            Text(
                "Force F and moment M on the body that is named, at the point of the link, in the axes of the ground; "
                "components that are not written are 0.",
                "Сила F и момент M, действующие на названное тело в точке связи, в осях земли; "
                "невыписанные составляющие равны 0.",
            ),
            heads,
        )
