"""What a text about equations consists of: headings, and relations between formulas."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.errors import Text
from sistel.formulas._equations import Equations
from sistel.formulas._formula import ZERO, Formula, Sum, Sym, negated, size, total
from sistel.formulas._relations import Relation, Section
from sistel.formulas._sections_held import HeldSections
from sistel.formulas._symbols import Symbol, printable

__all__ = ["Relation", "Section", "sections"]


SHORT = 16
"""Numbers and symbols of an applied force that is written within an equation."""


def _minus(formula: Formula) -> tuple[Formula, ...]:
    """Minus a formula, as the terms of a sum."""
    if formula == ZERO:
        return ()
    return tuple(map(negated, formula.terms)) if isinstance(formula, Sum) else (negated(formula),)


def sections(equations: Equations) -> tuple[list[Section], dict[Sym, Symbol]]:
    """The sections of a text, and the symbols that only they use."""
    writer = _Writer(equations)
    return [section for section in writer.all() if section.relations], writer.labels


class _Writer:
    """Makes the sections one after another; the symbols that they need are noted on the way."""

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.labels: dict[Sym, Symbol] = {}

    def all(self) -> list[Section]:
        equations = self.equations
        held = HeldSections(equations, self.label)
        # What is applied stands beside the driving force where it is short, and under a name of its own where not.
        acting = [
            applied if size(applied) <= SHORT else self.label("Q", "Q", str(i + 1), place=i)
            for i, applied in enumerate(equations.applied)
        ]
        return [
            self.definitions(),
            self.lines(),
            self.motion(acting, held),
            self.applied(acting),
            *held.equations(),
            *self.mass(),
            self.bias(),
            self.driving(acting, held),
            self.energy(),
            *held.loads(),
            self.reactions(),
        ]

    def label(self, block: str, base: str, *subscript: str, place: int = 0) -> Sym:
        """A new symbol."""
        key = Sym(block, place)
        self.labels[key] = Symbol(key=key, base=base, subscript=tuple(subscript))
        return key

    def definitions(self) -> Section:
        rows = tuple(Relation(key, formula) for key, formula in self.equations.definitions)
        return Section("definitions", Text("Given by other parameters", "Выражаются через другие"), rows)

    def lines(self) -> Section:
        return Section(
            "lines",
            Text("Intermediate variables", "Промежуточные переменные"),
            tuple(Relation(key, formula) for key, formula in self.equations.lines),
            Text("In the order in which they are computed.", "В том порядке, в котором вычисляются."),
        )

    def motion(self, acting: Sequence[Formula], held: HeldSections) -> Section:
        free = Text(
            "One for every velocity; τ are the driving forces.", "По одному на каждую скорость; τ — движущие силы."
        )
        constrained = Text(
            "One for every velocity; τ are the driving forces, λ the forces of the links.",
            "По одному на каждую скорость; τ — движущие силы, λ — силы связей.",
        )
        return Section(
            "motion",
            Text("Equations of motion", "Уравнения движения"),
            tuple(
                Relation(left, total((Sym("tau", i), acting[i], held.forces[i])))
                for i, left in enumerate(self.equations.motion)
            ),
            constrained if self.equations.constraints else free,
        )

    def applied(self, acting: Sequence[Formula]) -> Section:
        named = [
            Relation(key, self.equations.applied[i])
            for i, key in enumerate(acting)
            if isinstance(key, Sym) and key.block == "Q"
        ]
        return Section(
            "applied",
            Text("Applied forces", "Приложенные силы"),
            tuple(named),
            Text(
                "Generalized forces of springs, friction and everything else that the description lets act.",
                "Обобщённые силы пружин, трения и всего прочего, что действует по описанию.",
            ),
        )

    def mass(self) -> list[Section]:
        """None where nothing moves."""
        if not self.equations.motion:
            return []
        matrix = Relation(self.label("M", "𝐌"), matrix=self.equations.mass)
        return [Section("mass", Text("Mass matrix", "Матрица масс"), (matrix,))]

    def bias(self) -> Section:
        equations, count = self.equations, range(len(self.equations.motion))
        driving = "τ" if all(formula == ZERO for formula in equations.applied) else "τ + Q"
        driving += " + 𝐉ᵀλ" if equations.constraints else ""
        return Section(
            "bias",
            Text("Forces at zero acceleration", "Силы при нулевых ускорениях"),
            (
                *(Relation(self.label("C", "C", str(i + 1), place=i), equations.coriolis[i]) for i in count),
                *(Relation(self.label("G", "G", str(i + 1), place=i), equations.gravity[i]) for i in count),
            ),
            Text(
                f"C from products of velocities, G against weight: 𝐌 q̈ + C + G = {driving}.",
                f"C — от произведений скоростей, G — против тяжести: 𝐌 q̈ + C + G = {driving}.",
            ),
        )

    def driving(self, acting: Sequence[Formula], held: HeldSections) -> Section:
        return Section(
            "driving",
            Text("Generalized driving forces", "Обобщённые движущие силы"),
            tuple(
                Relation(Sym("tau", i), total((left, *_minus(acting[i]), *_minus(held.forces[i]))))
                for i, left in enumerate(self.equations.motion)
            ),
        )

    def energy(self) -> Section:
        kinetic, potential = self.label("T", "T"), self.label("V", "Π")
        return Section(
            "energy",
            Text("Energies", "Энергии"),
            (Relation(kinetic, self.equations.kinetic), Relation(potential, self.equations.potential)),
            Text("Kinetic T, and potential Π of weight.", "Кинетическая T и потенциальная Π силы тяжести."),
        )

    def reactions(self) -> Section:
        relations: list[Relation] = []
        heads: dict[int, Text] = {}
        for load in self.equations.loads:
            name = printable(load.name)
            heads[len(relations)] = Text(f"{load.body}. {name}", f"{load.body}. {name}")
            for letters, formula in load.components:
                key = self.label("R", letters[0], f"{load.body}{letters[1]}", place=len(relations))
                relations.append(Relation(key, formula))
        return Section(
            "reactions",
            Text("Loads of the joints", "Реакции сочленений"),
            tuple(relations),
            Text(
                "Force F and moment M on a body from its base, in the axes of the ground, about the pole of the body; "
                "driving forces are a part of them.",
                "Сила F и момент M, действующие на тело со стороны базы, в осях земли, относительно полюса тела; "
                "движущие силы входят в них.",
            ),
            heads,
        )
