"""What of a system can be taken hold of in its picture, and which numbers of the text say where it is."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from sistel.errors import Language, Span, Text
from sistel.markup import Document, Node
from sistel.markup.xml import Element
from sistel.model import Closure, Model, Shape, Spring
from sistel.pose import Vector3
from sistel.records import entry
from sistel.studio.service._corners import Corner, corners_of_path
from sistel.studio.service._slots import Lacking, Slot, lacking, slots_of

NEAR = 1e-9
"""What is nearer than this is one place [m]."""
ORIGIN: Vector3 = (0.0, 0.0, 0.0)
HIDDEN = ("repeat", "include", "scheme", "drawing", "motion", "track")
"""Elements in which nothing is taken hold of: what stands there is made more often than it is written, or elsewhere."""
FIRST = ("pole", "closure", "point", "frame", "spring", "force", "place", "corner", "com")
"""Of things in one place, the first is shown."""

Where = Callable[[Model], Vector3]
Asked = Callable[[Model, Vector3], tuple[float, ...]]


class Spanned(Protocol):
    """What has a place in a text."""

    @property
    def span(self) -> Span:
        """Its start tag."""


@entry
class Grip:
    """A place that can be dragged."""

    id: str
    kind: str
    body: int
    """In whose frame it is given."""
    owner: int
    """The body that it is of, for who looks at one body; 0 for the ground."""
    label: Text
    where: Where
    """Its place on the body [m], in a model of the same text with other values."""
    asked: Asked
    """What its numbers have to be [SI] for a place on the body [m]."""
    slots: tuple[Slot, ...] | Lacking
    start: int
    """What of the text is chosen with it."""
    end: int
    counter: tuple[tuple[Slot, ...], ...] = ()
    """Per number, those that go back by what it goes forth."""
    minor: bool = False
    """Whether it is shown for the chosen body alone."""


class Finder:
    """Finds what a model gives hold of."""

    def __init__(self, model: Model, document: Document, elements: Mapping[int, Element], lang: Language) -> None:
        """Know who stands where in the text.

        Args:
            model: The system.
            document: Its text, as data.
            elements: The elements of the text, by where they begin.
            lang: The language of new words.
        """
        self.model, self.document, self.elements, self.lang = model, document, elements, lang
        self.found: list[Grip] = []
        source = self.document.source
        self.bodies = {each.span.start: each for each in self.model.bodies if each.span.source is source}
        self.count = 2 if self.model.planar else 3
        self.places: dict[tuple[int, str], list[int]] = {}
        for kind, things in self._tables().items():
            for number, each in enumerate(things):
                if each.span.source is source:
                    self.places.setdefault((each.span.start, kind), []).append(number)

    def _tables(self) -> dict[str, Sequence[Spanned]]:
        model = self.model
        return {
            "point": model.points,
            "frame": model.frames,
            "closure": model.closures,
            "spring": model.springs,
            "force": model.forces,
            "shape": model.shapes,
        }

    def number(self, node: Node, kind: str) -> int | None:
        """Which of the things of a kind an element is; None where it is none of them, or several."""
        found = self.places.get((node.span.start, kind), [])
        return found[0] if len(found) == 1 else None

    def find(self) -> list[Grip]:
        """Everything, in the order of the text."""
        stack: list[tuple[Node, int]] = [(self.document.root, 0)]
        while stack:
            node, body = stack.pop()
            if node.key in HIDDEN:
                continue
            if node.key == "body":
                own = self.bodies.get(node.span.start)
                if own is None:
                    continue
                body = own.number
            self._of(node, body)
            stack += [(child, body) for child in reversed(node.children)]
        return self.found

    def _of(self, node: Node, body: int) -> None:
        key = node.key
        if key == "body":
            self._body(node, body)
        elif key == "point":
            self._simple(node, "point", lambda i: lambda model: model.points[i].p_BP, "place", body)
        elif key == "frame":
            self._simple(node, "frame", lambda i: lambda model: model.frames[i].p_BF, "place", body)
        elif key == "force":
            self._simple(node, "force", lambda i: lambda model: model.forces[i].p_BP, "at", body, minor=True)
        elif key in ("closure", "spring"):
            self._link(node, key)
        else:
            number = self.number(node, "shape")
            if number is not None:
                self._shape(node, number)

    def _put(
        self,
        node: Node,
        kind: str,
        id: str,
        body: int,
        owner: int,
        where: Where,
        key: str,
        *,
        name: str = "",
        minor: bool = False,
    ) -> None:
        """A place that an attribute gives in the frame of a body."""
        found = self._written(node, key, where(self.model))
        if found is None:
            return
        slots, start, end = found
        count = self.count
        label = label_with(kind, name or node.text("name") or "", slots)
        asked: Asked = lambda _, p: p[:count]  # noqa: E731
        self.found.append(Grip(id, kind, body, owner, label, where, asked, slots, start, end, minor=minor))

    def _written(
        self, node: Node, key: str, now: Sequence[float]
    ) -> tuple[tuple[Slot, ...] | Lacking, int, int] | None:
        """The numbers of an attribute, if they are those that the model has."""
        attribute = node.attributes.get(key)
        if attribute is None:
            if any(abs(each) > NEAR for each in now):
                return None
            lack = lacking(node, key, self.elements.get(node.span.start), self.lang)
            return None if lack is None else (lack, node.span.start, node.span.end)
        slots = slots_of(attribute, self.count)
        if not slots or any(
            slot.value is not None and abs(slot.value - value) > NEAR for slot, value in zip(slots, now, strict=False)
        ):
            return None
        return slots, attribute.span.start, attribute.span.end

    def _body(self, node: Node, number: int) -> None:
        body = self.model.bodies[number - 1]
        free = body.joint.type.key == "free"
        # Where a free body is at the start is said there; joints that are written among the links say so there.
        if not free and ("place" in node.attributes or "joint" in node.attributes):
            self._put(
                node,
                "pole",
                f"pole:{number}",
                body.base,
                number,
                lambda model: model.bodies[number - 1].p_PB,
                "place",
                name=body.name,
            )
        if "com" in node.attributes:
            self._put(
                node,
                "com",
                f"com:{number}",
                number,
                number,
                lambda model: model.bodies[number - 1].p_BoBcm_B,
                "com",
                minor=True,
                name=body.name,
            )

    def _simple(
        self, node: Node, kind: str, place: Callable[[int], Where], key: str, body: int, minor: bool = False
    ) -> None:
        number = self.number(node, kind)
        if number is not None:
            self._put(node, kind, f"{kind}:{number}", body, body, place(number), key, minor=minor)

    def _link(self, node: Node, kind: str) -> None:
        number = self.number(node, kind)
        if number is None:
            return

        def links(model: Model) -> Sequence[Closure | Spring]:
            return model.closures if kind == "closure" else model.springs

        link = links(self.model)[number]
        sides = (("at", "point", link.first.body), ("at-to", "point-to", link.second.body))
        for side, (key, other, body) in enumerate(sides):
            if other in node.attributes or key not in node.attributes:
                continue

            def where(model: Model, side: int = side) -> Vector3:
                link = links(model)[number]
                return (link.first if side == 0 else link.second).p_BS

            self._put(node, kind, f"{kind}:{number}:{side}", body, body, where, key, name=link.name)

    def _shape(self, node: Node, number: int) -> None:
        shape = self.model.shapes[number]
        body = shape.body
        if "place" in node.attributes:
            self._put(
                node,
                "place",
                f"place:{number}",
                body,
                body,
                lambda model: model.shapes[number].p_BS,
                "place",
                minor=True,
                name=_name_of(self.model, body),
            )
        if shape.kind == "shape":
            self._path(node, number, shape)
        elif shape.kind in ("polygon", "polyline"):
            self._polygon(node, number, shape)
        elif shape.kind in ("circle", "wheel", "sphere"):
            self._round(node, number, shape)

    def _corner(
        self,
        number: int,
        place: int,
        slots: tuple[Slot, ...],
        where: Where,
        counter: tuple[tuple[Slot, ...], ...] = (),
    ) -> None:
        body = self.model.shapes[number].body
        self.found.append(
            Grip(
                f"corner:{number}:{place}",
                "corner",
                body,
                body,
                label_with("corner", _name_of(self.model, body), slots),
                where,
                lambda model, p: _into(model.shapes[number], p)[:2],
                slots,
                min(each.start for each in slots),
                max(each.end for each in slots),
                counter=counter,
                minor=True,
            )
        )

    def _path(self, node: Node, number: int, shape: Shape) -> None:
        attribute = node.attributes.get("d")
        if attribute is None:
            return

        @lru_cache(maxsize=2)
        def corners(gaps: tuple[float, ...]) -> list[Corner]:
            return corners_of_path(attribute, gaps)

        for place, corner in enumerate(corners(tuple(shape.gaps))):

            def where(model: Model, place: int = place) -> Vector3:
                own = model.shapes[number]
                there = corners(tuple(own.gaps))[place]
                return _out(own, (there.x, there.y, 0.0))

            self._corner(number, place, corner.slots, where, corner.counter)

    def _polygon(self, node: Node, number: int, shape: Shape) -> None:
        attribute = node.attributes.get("points")
        slots = () if attribute is None else slots_of(attribute, 2 * len(shape.corners))
        for place in range(len(slots) // 2):

            def where(model: Model, place: int = place) -> Vector3:
                own = model.shapes[number]
                return _out(own, (*own.corners[place], 0.0))

            self._corner(number, place, slots[2 * place : 2 * place + 2], where)

    def _round(self, node: Node, number: int, shape: Shape) -> None:
        attribute = node.attributes.get("radius")
        slots = () if attribute is None else slots_of(attribute, 1)
        if not slots or attribute is None:
            return
        self.found.append(
            Grip(
                f"radius:{number}",
                "radius",
                shape.body,
                shape.body,
                label_with("radius", _name_of(self.model, shape.body), slots),
                lambda model: _out(model.shapes[number], (model.shapes[number].sizes[0], 0.0, 0.0)),
                lambda model, p: (max(math.dist(p, model.shapes[number].p_BS), 1e-6),),
                slots,
                attribute.span.start,
                attribute.span.end,
                minor=True,
            )
        )


def _name_of(model: Model, body: int) -> str:
    return model.bodies[body - 1].name if body else ""


def _out(shape: Shape, p: Vector3) -> Vector3:
    """A place given in the axes of a shape, in those of its body [m]."""
    x, y, z = (float(shape.p_BS[i]) + sum(float(shape.R_BS[i][k]) * float(p[k]) for k in range(3)) for i in range(3))
    return (x, y, z)


def _into(shape: Shape, p: Vector3) -> Vector3:
    """The other way round."""
    d = [float(p[i]) - float(shape.p_BS[i]) for i in range(3)]
    x, y, z = (sum(float(shape.R_BS[i][k]) * d[i] for i in range(3)) for k in range(3))
    return (x, y, z)


KINDS: Mapping[str, Text] = {
    "pole": Text("pole", "полюс"),
    "point": Text("point", "точка"),
    "frame": Text("frame", "репер"),
    "closure": Text("closure", "замыкание"),
    "spring": Text("end of the spring", "конец пружины"),
    "force": Text("where the force acts", "точка приложения силы"),
    "place": Text("place of the shape", "место фигуры"),
    "corner": Text("corner", "угол"),
    "com": Text("centre of mass", "центр масс"),
    "radius": Text("radius", "радиус"),
    "low": Text("lower limit", "нижний предел"),
    "high": Text("upper limit", "верхний предел"),
    "turn": Text("turn at the start", "поворот в начале"),
    "slide": Text("shift at the start", "сдвиг в начале"),
    "free": Text("place at the start", "место в начале"),
}


def label_with(kind: str, name: str, slots: tuple[Slot, ...] | Lacking) -> Text:
    """What a grip is called: what it is, of whom, and which parameters say where."""
    word = KINDS[kind]
    names = [] if isinstance(slots, Lacking) else [each for slot in slots for each in slot.parameters]
    tail = f" ({', '.join(dict.fromkeys(names))})" if names else ""
    between = ": " if name else ""
    return Text(f"{word.en}{between}{name}{tail}", f"{word.ru}{between}{name}{tail}")


def label_of(kind: str, name: str) -> Text:
    """What a grip without numbers of its own is called."""
    return label_with(kind, name, ())


@entry
class Group:
    """Grips that are in one place and go together; the first is shown."""

    grips: tuple[Grip, ...]

    @property
    def first(self) -> Grip:
        """The one that is shown."""
        return self.grips[0]


def grouped(model: Model, grips: Sequence[Grip]) -> list[Group]:
    """What goes together: what is in one place of one body, and both sides of a joint that closes a loop."""
    root = list(range(len(grips)))

    def top(i: int) -> int:
        while root[i] != i:
            i = root[i]
        return i

    where = [grip.where(model) for grip in grips]
    joins = [i for i, grip in enumerate(grips) if grip.kind not in ("com", "radius") and _has_numbers(grip)]
    for spots in (*_coincident(joins, grips, where), *_closed(model, joins, grips, where)):
        for other in spots[1:]:
            root[top(other)] = top(spots[0])
    members: dict[int, list[int]] = {}
    for i in range(len(grips)):
        members.setdefault(top(i), []).append(i)
    order = {kind: place for place, kind in enumerate(FIRST)}
    made = []
    for spots in members.values():
        spots.sort(key=lambda i: (order.get(grips[i].kind, 99), i))
        made.append((min(spots), Group(tuple(grips[i] for i in spots))))
    return [group for _, group in sorted(made, key=lambda each: each[0])]


def _has_numbers(grip: Grip) -> bool:
    return not isinstance(grip.slots, Lacking)


def _coincident(joins: Sequence[int], grips: Sequence[Grip], where: Sequence[Vector3]) -> Iterator[list[int]]:
    spots: dict[tuple[int, ...], list[int]] = {}
    for i in joins:
        key = (grips[i].body, *(round(float(x) / NEAR) for x in where[i]))
        spots.setdefault(key, []).append(i)
    yield from spots.values()


def _closed(model: Model, joins: Sequence[int], grips: Sequence[Grip], where: Sequence[Vector3]) -> Iterator[list[int]]:
    holds = model.structure().holds
    for closure in model.closures:
        if closure.name in holds and closure.type.key in ("revolute", "fixed", "spherical", "universal"):
            sides = ((side.body, side.p_BS) for side in (closure.first, closure.second))
            spots = [i for body, p in sides for i in joins if grips[i].body == body and math.dist(where[i], p) < NEAR]
            if spots:
                yield spots
