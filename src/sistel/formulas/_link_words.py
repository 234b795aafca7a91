"""Multipliers and anchors as symbols: whose force, on which body, along which direction."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sistel.errors import Text
from sistel.expr import Expr
from sistel.formulas._formula import Sym
from sistel.formulas._holding import Anchor, HeldRow, Holding
from sistel.formulas._symbols import Symbol, printable, split_name
from sistel.mechanics import Tree, build_tree
from sistel.model import Blade, Closure, Contact, Coupling, Lock, Model, Structure

_FORCE = (Text("force", "сила"), Text("N", "Н"))
_MOMENT = (Text("moment", "момент"), Text("N·m", "Н·м"))


def held_symbols(model: Model, structure: Structure, holding: Holding, coordinates: Sequence[Symbol]) -> list[Symbol]:
    """Symbols of the multipliers, and of what the links found.

    Args:
        model: The system.
        structure: What holds.
        holding: Its rows and anchors.
        coordinates: Symbols of the coordinates.
    """
    words = _Words(model, structure)
    made = []
    for index, held in enumerate(holding.rows):
        about, unit = words.multiplier(held)
        key = Sym("lambda", index)
        made.append(Symbol(key=key, base="λ", subscript=(str(index + 1),), about=about, unit=unit))
    made += words.anchors(holding.anchors, coordinates)
    return made


def acts_on(model: Model, structure: Structure, held: HeldRow) -> Text:
    """The body that the load of a link is reported for."""
    row = held.row
    if row.wrenches:
        to, source = (_body(model, row.wrenches[i].body) for i in (0, 1))
        return Text(f"on {to.en} from {source.en}", f"на {_accusative(to)} со стороны {_genitive(source)}")
    assert row.rate is not None
    owner = _owner(model, row.rate)
    return Text(f"in the joint of {owner}", f"в сочленении тела «{owner}»")


def _body(model: Model, number: int) -> Text:
    if number == 0:
        return Text("the ground", "земля")
    name = printable(model.bodies[number - 1].name)
    return Text(name, f"«{name}»")


def _owner(model: Model, rate: int) -> str:
    body = next(body for body in model.bodies if body.first_v <= rate < body.first_v + body.joint.type.nv)
    return printable(body.name)


class _Words:
    def __init__(self, model: Model, structure: Structure) -> None:
        self.model, self.structure = model, structure
        links: tuple[Closure | Contact | Blade | Lock | Coupling, ...] = (
            *model.closures,
            *model.contacts,
            *model.blades,
            *model.locks,
            *model.couplings,
        )
        self.things = {link.name: link for link in links}
        self.tree: Tree = build_tree(model)

    def multiplier(self, held: HeldRow) -> tuple[Text, Text]:
        """What a multiplier is, and its unit."""
        row = held.row
        name = printable(row.link)
        if not row.wrenches:
            return self._along_joint(held, name)
        turning = row.part == "turn"
        word, unit = _MOMENT if turning else _FORCE
        thing = self.things.get(row.link)
        # A positive multiplier pushes the second body of a closure, and the first one of everything else.
        on, by = (1, 0) if isinstance(thing, Closure) else (0, 1)
        to, source = (_body(self.model, row.wrenches[i].body) for i in (on, by))
        way = self._direction(held, turning)
        friction = Text(" (with friction)", " (с трением)") if row.drag is not None else Text("", "")
        about = Text(
            f"{name}: {word.en} on {to.en} from {source.en}{way.en}{friction.en}",
            f"{name}: {word.ru} на {_accusative(to)} со стороны {_genitive(source)}{way.ru}{friction.ru}",
        )
        return about, unit

    def _along_joint(self, held: HeldRow, name: str) -> tuple[Text, Text]:
        rate = held.row.rate
        assert rate is not None
        owner = _owner(self.model, rate)
        body = next(b for b in self.model.bodies if b.first_v <= rate < b.first_v + b.joint.type.nv)
        part, sort = body.joint.type.rates[rate - body.first_v]
        word, unit = _MOMENT if sort == "turn" else _FORCE
        tail = f" {part}" if part not in ("", "angle", "slide") else ""
        return (
            Text(f"{name}: {word.en} in the joint of {owner}{tail}", f"{name}: {word.ru} в сочленении «{owner}»{tail}"),
            unit,
        )

    def _direction(self, held: HeldRow, turning: bool) -> Text:
        row = held.row
        if row.part == "normal":
            return Text(" along the normal", " вдоль нормали")
        if row.part == "rolls":
            return Text(" along the surface", " вдоль поверхности")
        if isinstance(self.things.get(row.link), Blade):
            return Text(" across the blade", " поперёк полоза")
        vector = row.wrenches[0].moment if turning else row.wrenches[0].force
        fixed = not any(isinstance(x, Expr) for x in vector)
        if turning:
            if self.model.planar:
                return Text("", "")
            along = next((axis for axis, x in zip("xyz", vector, strict=True) if fixed and abs(x) == 1), None)
            return Text(f" about {along}", f" вокруг {along}") if along else Text("", "")
        if row.part in "xyz":
            axes = None if fixed else self._axes_of(held)
            tail = Text("", "") if axes is None else Text(f" of {axes}", f" тела «{axes}»")
            return Text(f" along {row.part}{tail.en}", f" вдоль {row.part}{tail.ru}")
        return Text(" across the axis", " поперёк оси")

    def _axes_of(self, held: HeldRow) -> str | None:
        """The body whose axes the directions of a link are, where its name says it."""
        bodies = [wrench.body for wrench in held.row.wrenches]
        if isinstance(self.things.get(held.row.link), Closure):
            ways = [list(self._way(body)) for body in bodies]
            common = [body for body in ways[0] if body in ways[1]]
            number = common[0] if common else 0
        else:
            number = bodies[1] if bodies[1] else self._root(bodies[0])
        return printable(self.model.bodies[number - 1].name) if number else None

    def _way(self, body: int) -> Iterator[int]:
        while body:
            yield body
            body = self.model.bodies[body - 1].base

    def _root(self, body: int) -> int:
        return list(self._way(body))[-1] if body else 0

    def anchors(self, found: Sequence[Anchor], coordinates: Sequence[Symbol]) -> list[Symbol]:
        """Symbols of what links found when they began to hold."""
        several = len({anchor.link for anchor in found}) > 1
        made = []
        for place, anchor in enumerate(found):
            key, name = Sym("h", place), printable(anchor.link)
            head = Text(f"{name}: where it took hold, ", f"{name}: место, с которого держит, ")
            if isinstance(anchor.part, int):
                symbol = self._coordinate(anchor.part, coordinates)
                made.append(
                    Symbol(
                        key=key,
                        base=symbol.base,
                        subscript=(*symbol.subscript, "0"),
                        about=Text(f"{name}: held value", f"{name}: удерживаемое значение"),
                        unit=symbol.unit,
                    )
                )
                continue
            if anchor.part == "offset":
                driven = next(coupling.driven for coupling in self.model.couplings if coupling.name == anchor.link)
                unit = next(x.unit for x in coordinates if x.key == Sym("q", driven))
                about = Text(f"{name}: the offset at which it took hold", f"{name}: сдвиг, с которого держит")
                subscript = _short_name(name) if several else ("0",)
                made.append(Symbol(key=key, base="h", subscript=subscript, about=about, unit=unit))
                continue
            turn = anchor.part not in "xyz"
            entry = anchor.part[1:] if anchor.part.startswith("r") else ""
            base = anchor.part if not turn else "r" if entry else "ψ"
            subscript = ((entry,) if entry else ()) + (_short_name(name) if several else ("0",))
            word = Text("turn", "поворот") if turn else Text(anchor.part, anchor.part)
            unit = Text("", "") if entry else Text("rad", "рад") if turn else Text("m", "м")
            about = Text(head.en + word.en, head.ru + word.ru)
            made.append(Symbol(key=key, base=base, subscript=subscript, about=about, unit=unit))
        return made

    def _coordinate(self, rate: int, coordinates: Sequence[Symbol]) -> Symbol:
        for body in self.model.bodies:
            if body.first_v <= rate < body.first_v + body.joint.type.nv and not body.joint.type.has_quaternion:
                return next(x for x in coordinates if x.key == Sym("q", body.first_q + rate - body.first_v))
        return coordinates[0]


def _short_name(name: str) -> tuple[str, ...]:
    base, subscript = split_name(name)
    return (base, *subscript)


def _accusative(body: Text) -> str:
    return "землю" if body.ru == "земля" else body.ru


def _genitive(body: Text) -> str:
    return "земли" if body.ru == "земля" else body.ru
