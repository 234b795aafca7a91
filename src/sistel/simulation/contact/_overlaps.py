"""Shapes that lie in each other at the beginning of a run: contacts of corners and sides would not see all of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from sistel.errors import Diagnostics, SistelError, Text, refuse
from sistel.mechanics import Kinematics, narrow_place, narrow_words, posture, tree_of
from sistel.model import Chain, Contact, Figure, Model, Pair, Shape, Solid, figure, solid_of
from sistel.pose import IDENTITY
from sistel.simulation.contact._solid_overlaps import PlacedSolid, solids_depth

Point = tuple[float, float]
SLIGHT = 1e-9
"""What shapes that touch may lie in each other by rounding [m]."""
ROUNDING = 1e-12
"""How much distances of a metre may differ that are equal [m]; of far places, as many times more."""


def refuse_overlaps(model: Model, q: Sequence[float], shapes: PlanarShapes | None = None) -> None:
    """Refuse to begin where the two shapes of a pair overlap; `shapes` are those of a model in the plane."""
    pairs = {contact.pair.name: contact for contact in model.contacts if contact.pair is not None}
    if not pairs:
        return
    _refuse_narrow(model)
    if model.planar:
        for contact, a, b, first, second in (shapes or PlanarShapes(model)).near(q):
            _judge(contact, a, b, _depth(first, second))
        return
    kinematics = posture(model, q)
    for contact in pairs.values():
        for a, b, depth in _solids(model, contact, kinematics):
            _judge(contact, a, b, depth)


def note_overlaps(model: Model, diagnostics: Diagnostics) -> None:
    """Warn where a run from the start of the file would be refused; loops have to be closed before this can be told."""
    if model.closures:
        return
    try:
        refuse_overlaps(model, [float(x) for x in model.start.q])
    except SistelError as found:
        for each in found.diagnostics:
            hint = Text(
                "a run from here is refused: begin where they are apart, or touch",
                "расчёт отсюда не начнётся: начните там, где они порознь или касаются",
            )
            diagnostics.warning(each.code, each.span, each.message, hint=each.hint or hint, related=each.related)


def _refuse_narrow(model: Model) -> None:
    """Refuse a round shape that does not fit into a profile, as far as that is shown."""
    for contact in model.contacts:
        ground = next((shape for shape in model.shapes if shape.surface == contact.gap), None)
        if contact.height is not None and ground is not None:
            narrow = narrow_place(model, contact, list(zip(ground.shown[::2], ground.shown[1::2], strict=True)))
            if narrow is not None:
                related = [(ground.span, Text("the profile is here", "профиль здесь"))]
                refuse("narrow-ground", narrow_words(contact, narrow), span=contact.span, related=related)


def _judge(contact: Contact, a: str, b: str, depth: float) -> None:
    if depth > SLIGHT:
        refuse(
            "overlap",
            Text(
                f'"{a}" and "{b}" overlap at the start, by {depth:.3g} m or more',
                f"«{a}» и «{b}» в начале перекрываются, на {depth:.3g} м или больше",
            ),
            span=contact.span,
        )


def _solids(model: Model, contact: Contact, kinematics: Kinematics) -> Iterator[tuple[str, str, float]]:
    """The solids of a pair in space, two by two, and how far they lie in each other; of surfaces gaps tell."""
    pair = contact.pair
    assert pair is not None

    def placed(body: int, solid: Solid) -> PlacedSolid:
        place = np.array(kinematics.place(body, (0.0, 0.0, 0.0)), dtype=float)
        return PlacedSolid(solid, place, np.array(kinematics.axes(body, IDENTITY), dtype=float))

    if pair.is_point:
        own = placed(contact.body, Solid(centre=contact.p_BP, axes=IDENTITY, half=(0.0, 0.0, 0.0)))
    else:
        shape = next(shape for shape in model.shapes if shape.name == pair.of)
        solid = solid_of(shape, Diagnostics())
        assert solid is not None
        own = placed(shape.body, solid)
    for shape in _others(model, pair):
        solid = solid_of(shape, Diagnostics())
        assert solid is not None
        yield pair.of, shape.name or pair.to, solids_depth(own, placed(shape.body, solid))


def overlap(
    model: Model, q: Sequence[float], least: float, lines: bool = True
) -> tuple[float, str, str, Contact] | None:
    """Two shapes of a pair that lie in each other by more than some depth [m]: the depth, their names, the contact.

    Polylines are solid behind themselves as far as that has a meaning; beyond their ends it has none (`lines`).
    """
    if not model.planar:
        return None
    for contact, a, b, first, second in PlanarShapes(model).near(q):
        if not lines and len(second.corners) > 1 and not second.closed:
            continue
        depth = _depth(first, second)
        if depth > least:
            return depth, a, b, contact
    return None


class PlanarShapes:
    """The shapes of all pairs of a model in the plane, in the frames of their bodies: found once, then placed."""

    def __init__(self, model: Model) -> None:
        """Find them."""
        self._tree = tree_of(model)
        self._figures: dict[int, _Placed] = {}
        pairs = {contact.pair.name: contact for contact in model.contacts if contact.pair is not None}
        self._pairs = [
            (contact, self._known(one, contact), self._known(two, contact))
            for contact in pairs.values()
            for one, two in _shapes(model, contact)
        ]

    def _known(self, each: Figure | Contact, contact: Contact) -> tuple[str, int, _Placed]:
        """The name of a shape, its body, and where it is in the frame of that."""
        return _name(each, contact), each.body if isinstance(each, Contact) else each.shape.body, self._drawn(each)

    def _drawn(self, each: Figure | Contact) -> _Placed:
        """A shape in the frame of its body."""
        if isinstance(each, Contact):
            return _Placed([(float(each.p_BP[0]), float(each.p_BP[1]))], 0.0, False)
        if id(each.shape) not in self._figures:
            self._figures[id(each.shape)] = _drawn(each)
        return self._figures[id(each.shape)]

    def near(self, q: Sequence[float]) -> Iterator[tuple[Contact, str, str, _Placed, _Placed]]:
        """Shapes of pairs whose boxes meet, with their contact and their names; in W."""
        kinematics = Kinematics(self._tree, list(q))
        frames: dict[int, tuple[float, float, float, float]] = {}
        known: dict[int, _Placed] = {}

        def put(body: int, shape: _Placed) -> _Placed:
            if body == 0:
                return shape
            if id(shape) not in known:
                if body not in frames:
                    (x, y, _), ((c, _, _), (s, _, _), _) = (
                        kinematics.place(body, (0.0, 0.0, 0.0)),
                        kinematics.axes(body, IDENTITY),
                    )
                    frames[body] = float(x), float(y), float(c), float(s)  # type: ignore[arg-type]
                known[id(shape)] = _turned(shape, *frames[body])
            return known[id(shape)]

        for contact, (a, one, first), (b, two, second) in self._pairs:
            placed = put(one, first), put(two, second)
            if _near(*placed):
                yield contact, a, b, *placed


def _turned(shape: _Placed, x: float, y: float, c: float, s: float) -> _Placed:
    """A shape in W, from the place of its body and the cosine and sine of its turn."""
    return _Placed(
        [(x + c * p[0] - s * p[1], y + s * p[0] + c * p[1]) for p in shape.corners], shape.radius, shape.closed
    )


def _near(one: _Placed, two: _Placed) -> bool:
    """Whether the boxes around two shapes meet; a polyline is solid far behind itself."""
    if not all(len(each.corners) == 1 or each.closed for each in (one, two)):
        return True
    return all(one.low[i] <= two.high[i] and two.low[i] <= one.high[i] for i in range(2))


def _name(each: Figure | Contact, contact: Contact) -> str:
    assert contact.pair is not None
    return contact.pair.of if isinstance(each, Contact) else each.shape.name or contact.pair.to


def _shapes(model: Model, contact: Contact) -> list[tuple[Figure | Contact, Figure]]:
    """The shapes of a pair, two by two; a point is its contact."""
    pair = contact.pair
    assert pair is not None
    down = (model.gravity[0], model.gravity[1])
    targets = [figure(shape, down, Diagnostics()) for shape in _others(model, pair)]
    own: Figure | Contact | None = contact
    if not pair.is_point:
        own = figure(next(shape for shape in model.shapes if shape.name == pair.of), down, Diagnostics())
    return [(own, target) for target in targets if own is not None and target is not None]


def _others(model: Model, pair: Pair) -> list[Shape]:
    """The shapes that a pair names last; none of a surface."""
    world = pair.to == "world" and all(shape.name != "world" for shape in model.shapes)
    named = [shape for shape in model.shapes if (shape.obstacle if world else pair.to and shape.name == pair.to)]
    return [shape for shape in named if shape.surface is None]  # of ground, gaps tell


class _Placed:
    """A shape in W, or in the frame of its body: a point, a disk, or a line of corners."""

    def __init__(self, corners: list[Point], radius: float, closed: bool) -> None:
        self.corners, self.radius, self.closed = corners, radius, closed
        self.low = tuple(min(p[i] for p in corners) - radius for i in range(2))
        self.high = tuple(max(p[i] for p in corners) + radius for i in range(2))

    def sides(self) -> list[tuple[Point, Point]]:
        return list(pairwise([*self.corners, self.corners[0]] if self.closed else self.corners))


def _drawn(each: Figure) -> _Placed:
    """A figure in the frame of its body."""
    first = each.chains[0]
    if not first.sides:
        return _Placed([_pair(first.centre)], first.radius, False)
    if not first.closed:
        return _Placed([_pair(p) for p in _line(each.chains)], 0.0, False)
    return _Placed([_pair(side.place) for chain in each.chains for side in chain.sides], 0.0, True)


def _pair(p: Sequence[float]) -> Point:
    return float(p[0]), float(p[1])


def _line(chains: Sequence[Chain]) -> list[Point]:
    """The corners of a polyline; sides that go on into the solid do so by a thousandth, which is behind others."""
    sides = [side for chain in chains for side in chain.sides]
    last = sides[-1]
    (x, y), (ux, uy) = last.place, last.along
    return [*(side.place for side in sides), (x + last.length * ux, y + last.length * uy)]


def _depth(first: _Placed, second: _Placed) -> float:
    """How far two shapes lie in each other, or less; at most 0 where they do not [m]."""
    if len(second.corners) == 1:
        first, second = second, first
    if first.closed and second.closed:
        # Of convex shapes that do not meet, one has a side that all of the other is before.
        return -max(
            min(_off(p, side) for p in other.corners)
            for one, other in ((first, second), (second, first))
            for side in one.sides()
        )
    if len(first.corners) > 1:
        crossing = max(_crossing(a, b) for a in first.sides() for b in second.sides())
        if crossing > SLIGHT:
            return crossing
        inside = [-_before(p, second) for p in first.corners]
        if first.closed:
            inside += [-_before(p, first) for p in second.corners]
        return max(inside)
    (centre,) = first.corners
    if len(second.corners) == 1:
        return first.radius + second.radius - math.dist(centre, second.corners[0])
    return first.radius - _before(centre, second)


def _before(p: Point, line: _Placed) -> float:
    """Distance of a point from a line of corners, negative behind it [m]."""
    found, nearest, steepest = math.inf, math.inf, 0.0
    for a, b in line.sides():
        length = math.dist(a, b)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        s, d = (p[0] - a[0]) * ux + (p[1] - a[1]) * uy, (p[0] - a[0]) * uy - (p[1] - a[1]) * ux
        far = math.hypot(d, s - min(max(s, 0.0), length))
        rounding = ROUNDING * (1.0 + far)
        # Of two sides that are equally near at their corner, the one that the point is farther from tells the side.
        if far < nearest - rounding or (far <= nearest + rounding and abs(d) > steepest):
            nearest, steepest, found = far, abs(d), math.copysign(far, d)
    return found


def _off(p: Point, side: tuple[Point, Point]) -> float:
    """Distance of a point from the line of a side, negative behind it [m]."""
    a, b = side
    return ((p[0] - a[0]) * (b[1] - a[1]) - (p[1] - a[1]) * (b[0] - a[0])) / math.dist(a, b)


def _crossing(one: tuple[Point, Point], two: tuple[Point, Point]) -> float:
    """How far two sides go through each other; 0 where they do not [m]."""
    offs = []
    for (a, b), (c, d) in ((one, two), (two, one)):
        length = math.dist(a, b)
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        left, right = ((p[0] - a[0]) * uy - (p[1] - a[1]) * ux for p in (c, d))
        if not left * right < 0.0:
            return 0.0
        offs.append(min(abs(left), abs(right)))
    return min(offs)
