"""Outlines of shapes of the plane: polygons, boxes, polylines and circles as chains of sides, and which touch at once.

All of it is in the frame of the body that carries the shape. A picture has y down; "left" is meant as it shows it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from sistel.errors import Diagnostics, Text
from sistel.expr import sqrt
from sistel.model._contact_elements import Chain, Outline, Straight
from sistel.model._elements import Shape, Vector2
from sistel.pose import rotate
from sistel.records import entry

FLAT = 1e-9
"""Sine of the turn at a corner that is none."""
EXTENDED = 1e-3
"""Part of its length by which a side goes on into the solid where another one stands on it."""

CLOSE = 1e-9
"""Sides that are no farther apart may be touched by one point at once [m]."""

MANY_CELLS = 16
"""Cells of a grid in which a chain is not listed one by one."""

CONVEX = ("box", "polygon")
TOUCHING = (*CONVEX, "polyline", "circle")
"""Kinds of shapes that touch others in the plane."""


@entry
class Figure:
    """A shape of the plane as its contacts see it.

    Chains are what others touch with their corners, corners what touches the chains of others.
    """

    shape: Shape
    chains: tuple[Chain, ...]
    corners: tuple[Vector2, ...]
    """Those that point out of the solid, without the ends of a polyline, in the order of the file."""
    numbers: tuple[int, ...]
    """Their numbers in the file, from 1."""


def figure(shape: Shape, gravity: Vector2, diagnostics: Diagnostics) -> Figure | None:
    """What a shape is for those that touch it; None, with what is wrong said, where it is no shape that touches."""
    if shape.kind == "circle":
        if not shape.sizes or not float(shape.sizes[0]) > 0.0:
            if not shape.sizes or float(shape.sizes[0]) == 0.0:
                no_size(shape, diagnostics)
            return None
        return Figure(shape, (Chain(centre=_out(shape, (0.0, 0.0)), radius=shape.sizes[0]),), (), ())
    given = corners_of(shape)
    if given is None:
        no_size(shape, diagnostics)
    if not given:
        return None  # that has been said
    kept = _without_straight_corners([_out(shape, p) for p in given], shape.kind != "polyline")
    if not _sound(shape, kept, diagnostics):
        return None
    if shape.kind == "polyline":
        return _polyline(shape, kept, gravity, diagnostics)
    return _polygon(shape, kept, diagnostics)


def corners_of(shape: Shape) -> list[Vector2] | None:
    """The corners of a polygon, a box or a polyline in the frame of the shape [m]; None of a box without a size."""
    if shape.kind != "box":
        return list(shape.corners)
    if len(shape.sizes) < 2 or not all(float(size) > 0.0 for size in shape.sizes[:2]):
        return None
    a, b = shape.sizes[0] / 2, shape.sizes[1] / 2
    return [(-a, -b), (a, -b), (a, b), (-a, b)]


def no_size(shape: Shape, diagnostics: Diagnostics) -> None:
    """Say that a shape that touches has no size, unless what is written of it could not be read: that has been said."""
    own = shape.span
    for said in diagnostics.items:
        at = said.span
        if at is not None and at.source is own.source and own.start <= at.start < own.end:
            return
    message = Text("a shape that touches has a size", "у фигуры, которая касается, есть размер")
    expected = Text("positive lengths; a point touches without one", "положительные длины; без них касается точка")
    diagnostics.error("no-size", shape.span, message, expected=expected)


def _out(shape: Shape, p: Vector2) -> Vector2:
    x, y, _ = rotate(shape.R_BS, (p[0], p[1], 0.0))
    return (shape.p_BS[0] + x, shape.p_BS[1] + y)


Numbered = list[tuple[int, Vector2]]


def _without_straight_corners(points: Sequence[Vector2], closed: bool) -> Numbered:
    """Corners with their numbers, without those at which the line goes straight on."""
    kept: Numbered = list(enumerate(points, 1))
    i = 0 if closed else 1
    while len(kept) > (3 if closed else 2) and i < len(kept) - (0 if closed else 1):
        a, b, c = (kept[j % len(kept)][1] for j in (i - 1, i, i + 1))
        u, v = _minus(b, a), _minus(c, b)
        straight = abs(_cross(u, v)) <= FLAT * math.hypot(*u) * math.hypot(*v) and u[0] * v[0] + u[1] * v[1] > 0
        if straight and math.hypot(*u) > 0:
            kept.pop(i)
        else:
            i += 1
    return kept


def _sound(shape: Shape, kept: Numbered, diagnostics: Diagnostics) -> bool:
    """Say what is wrong with the corners of a shape; whether there is nothing."""
    least, closed = (2, False) if shape.kind == "polyline" else (3, True)
    if len(kept) < least:
        said = Text(f"{len(kept)} corners make no such shape", f"углов {len(kept)}: такой фигуры не бывает")
        expected = Text(f"at least {least} points", f"не меньше {least} точек")
        diagnostics.error("few-corners", shape.span, said, expected=expected)
        return False
    size = max(math.hypot(*_minus(p, kept[0][1])) for _, p in kept)
    for (i, a), (j, b) in pairwise([*kept, kept[0]] if closed else kept):
        if math.hypot(*_minus(b, a)) <= 1e-9 * size:
            diagnostics.error(
                "same-corner",
                shape.span,
                Text(f"points {i} and {j} are one and the same", f"точки {i} и {j} совпадают"),
                hint=Text(
                    "a polygon closes itself: its first point is not repeated",
                    "многоугольник замыкается сам: первая точка не повторяется",
                )
                if closed and j == kept[0][0]
                else None,
            )
            return False
    return True


def _polygon(shape: Shape, kept: Numbered, diagnostics: Diagnostics) -> Figure | None:
    points = [p for _, p in kept]
    size = max(math.hypot(*_minus(p, points[0])) for p in points)
    area = sum(float(_cross(a, b)) for a, b in pairwise([*points, points[0]]))
    if abs(area) <= 1e-9 * size * size and not _on_one_line(points, size):
        _crossed(shape, diagnostics)
        return None
    if abs(area) <= 1e-9 * size * size:
        diagnostics.error(
            "no-area",
            shape.span,
            Text(
                "the polygon has no area: its corners lie on one line", "у многоугольника нет площади: углы на прямой"
            ),
            hint=Text("a line is a polyline", "линия — это ломаная"),
        )
        return None
    if area < 0.0:
        kept, points = [kept[0], *reversed(kept[1:])], [points[0], *reversed(points[1:])]
    turned = 0.0
    for i, (number, b) in enumerate(kept):
        (before, a), (after, c) = kept[i - 1], kept[(i + 1) % len(kept)]
        u, v = _minus(b, a), _minus(c, b)
        turned += math.atan2(_cross(u, v), u[0] * v[0] + u[1] * v[1])
        if not float(_cross(u, v)) > 0.0:
            diagnostics.error(
                "not-convex",
                shape.span,
                Text(
                    f"the polygon is not convex: at point {number} it turns inwards, between the edges "
                    f"{before}–{number} and {number}–{after}",
                    f"многоугольник не выпуклый: в точке {number}, между рёбрами {before}–{number} и {number}–{after}, "
                    "он поворачивает внутрь",
                ),
                hint=Text(
                    "make it of several convex polygons, each with its contact",
                    "составьте его из нескольких выпуклых, у каждого свой контакт",
                ),
            )
            return None
    if turned > 7.0:
        _crossed(shape, diagnostics)
        return None
    sides = [_side(a, b) for a, b in pairwise([*points, points[0]])]
    sides = [replace(side, depth=_thickness(side, points)) for side in _beside(sides, True)]
    ordered = sorted(kept)
    chains = (Chain(sides=tuple(sides), closed=True),)
    return Figure(shape, chains, tuple(p for _, p in ordered), tuple(n for n, _ in ordered))


def _on_one_line(points: Sequence[Vector2], size: float) -> bool:
    """Whether corners are on one line, but for rounding."""
    far = max(points, key=lambda p: math.hypot(*_minus(p, points[0])))
    way = _minus(far, points[0])
    return all(abs(float(_cross(way, _minus(p, points[0])))) <= 1e-9 * size * size for p in points)


def _crossed(shape: Shape, diagnostics: Diagnostics) -> None:
    """Say that the edges of a polygon cross each other."""
    message = Text("the edges of the polygon cross each other", "рёбра многоугольника пересекаются")
    expected = Text("points in the order around it", "точки в порядке обхода")
    diagnostics.error("not-convex", shape.span, message, expected=expected)


def _polyline(shape: Shape, kept: Numbered, gravity: Vector2, diagnostics: Diagnostics) -> Figure | None:
    free = shape.free
    if not free:
        (x, y), (gx, gy) = _minus(kept[-1][1], kept[0][1]), gravity
        up = -(y * gx - x * gy)
        if abs(float(up)) <= FLAT * math.hypot(x, y) * math.hypot(gx, gy):
            diagnostics.error(
                "no-free-side",
                shape.span,
                Text(
                    "gravity does not tell which side of this polyline is free",
                    "тяжесть не говорит, с какой стороны ломаной свободно",
                ),
                hint=Text(
                    'write free="left" or free="right", as seen on the way along it',
                    'напишите свободно="слева" или свободно="справа", если идти вдоль неё',
                ),
            )
            return None
        free = "left" if up > 0 else "right"
    if free == "right":
        kept = kept[::-1]
    points = [p for _, p in kept]
    ways = [_minus(b, a) for a, b in pairwise(points)]
    for (number, _), u, v in zip(kept[1:], ways, ways[1:], strict=False):
        if abs(_cross(u, v)) <= FLAT * math.hypot(*u) * math.hypot(*v):
            diagnostics.error(
                "turns-back",
                shape.span,
                Text(f"the polyline turns back at point {number}", f"в точке {number} ломаная поворачивает назад"),
            )
            return None
    crossing = _crossing([_side(a, b) for a, b in pairwise(points)])
    if crossing is not None:
        names = [f"{min(kept[i][0], kept[i + 1][0])}–{max(kept[i][0], kept[i + 1][0])}" for i in sorted(crossing)]
        diagnostics.error(
            "crosses-itself",
            shape.span,
            Text(
                f"the polyline crosses itself, with the sides {names[0]} and {names[1]}",
                f"ломаная пересекает сама себя, звеньями {names[0]} и {names[1]}",
            ),
            hint=Text(
                "behind a side all is solid: make it of several polylines",
                "за каждым звеном сплошное тело: составьте её из нескольких ломаных",
            ),
        )
        return None
    convex = [bool(_cross(u, v) > 0.0) for u, v in pairwise(ways)]
    chains, first = [], 0
    for last in range(len(ways)):
        if last < len(convex) and convex[last]:
            continue
        sides = [_side(points[i], points[i + 1]) for i in range(first, last + 1)]
        ends = (first == 0, last == len(ways) - 1)
        if not ends[0]:
            more = EXTENDED * sides[0].length
            (x, y), (ux, uy) = sides[0].place, sides[0].along
            sides[0] = replace(sides[0], place=(x - more * ux, y - more * uy), length=sides[0].length + more)
        if not ends[1]:
            sides[-1] = replace(sides[-1], length=(1.0 + EXTENDED) * sides[-1].length)
        chains.append(Chain(sides=tuple(_with_depth(side, points) for side in _beside(sides, False)), ends=ends))
        first = last + 1
    out = sorted(kept[i + 1] for i in range(len(convex)) if convex[i])
    return Figure(shape, tuple(chains), tuple(p for _, p in out), tuple(n for n, _ in out))


def _crossing(sides: Sequence[Straight]) -> tuple[int, int] | None:
    """Two sides of a polyline that cross each other, by their numbers from 0; None where there are none."""
    ends = [[float(x) for x, _ in _ends(side)] for side in sides]
    beside: list[tuple[float, int]] = []
    for low, i in sorted((min(each), i) for i, each in enumerate(ends)):
        beside = [each for each in beside if each[0] >= low]
        for _, j in beside:
            if abs(i - j) > 1 and _cross_each_other(sides[i], sides[j]):
                return i, j
        beside.append((max(ends[i]), i))
    return None


def _thickness(side: Straight, points: Sequence[Vector2]) -> float:
    """How far behind a side of a convex polygon it is surely solid, within its ends and those beside it."""
    return 0.25 * _most([-_along_and_off(side, p)[1] for p in points])


def wedge_of(own: Figure, corner: Vector2) -> tuple[Vector2, ...]:
    """The directions of the two sides that leave a corner of a figure, in the frame of its body."""
    sides = [side for chain in own.chains for side in chain.sides]

    def far(p: Vector2) -> float:
        return math.hypot(*(float(each) for each in _minus(p, corner)))

    (leaves_x, leaves_y), (x, y) = (
        min(sides, key=lambda side: far(_ends(side)[0])).along,
        min(sides, key=lambda side: far(_ends(side)[1])).along,
    )
    return (leaves_x, leaves_y), (0.0 - x, 0.0 - y)


def _most(numbers: Sequence[float]) -> float:
    """The greatest of some numbers, which may follow parameters: of those that are as great the first.

    Where rounding decides which of two is greater, it is not asked: with other values it would decide otherwise.
    """
    best = numbers[0]
    for number in numbers[1:]:
        if number - best > CLOSE * (abs(float(best)) + abs(float(number))):
            best = number
    return best


def _beside(sides: Sequence[Straight], closed: bool) -> list[Straight]:
    """Sides of a convex chain that know their neighbours."""
    made, count = [], len(sides)
    for i, side in enumerate(sides):
        near = [sides[j % count] for j in (i - 1, i + 1) if closed or 0 <= j < count]
        made.append(replace(side, beside=tuple((each.place, each.along) for each in near)))
    return made


def _with_depth(side: Straight, points: Sequence[Vector2]) -> Straight:
    """A side that knows how far behind it the same polyline comes back, which may follow parameters as points do."""
    behind: list[float] = []
    for a, b in pairwise(points):
        (s0, d0), (s1, d1) = (_along_and_off(side, p) for p in (a, b))
        step, low, high = s1 - s0, 0.0, 1.0
        if abs(step) <= CLOSE * side.length:
            if not CLOSE * side.length < s0 < (1.0 - CLOSE) * side.length:
                continue
        else:
            first, second = -s0 / step, (side.length - s0) / step
            if step < 0.0:
                first, second = second, first
            low, high = _most([low, first]), -_most([-high, -second])
        if high - low > CLOSE:
            nearest = _most([d0 + (d1 - d0) * low, d0 + (d1 - d0) * high])
            if nearest < -1e-6 * side.length:
                behind.append(nearest)
    if not behind:
        return side
    return replace(side, depth=-0.5 * _most(behind))


def _along_and_off(side: Straight, p: Vector2) -> Vector2:
    (x, y), (ux, uy) = _minus(p, side.place), side.along
    return (x * ux + y * uy, x * uy - y * ux)


def _side(a: Vector2, b: Vector2) -> Straight:
    x, y = _minus(b, a)
    length = sqrt(x * x + y * y)
    return Straight(place=a, along=(x / length, y / length), length=length)


def _minus(a: Vector2, b: Vector2) -> Vector2:
    return (a[0] - b[0], a[1] - b[1])


def _cross(u: Vector2, v: Vector2) -> float:
    return u[0] * v[1] - u[1] * v[0]


def outlines(figures: Sequence[Figure], radius: float = 0.0) -> list[Outline]:
    """All chains of some shapes of one body, in a few outlines that have none which may be touched at once.

    Args:
        figures: The shapes.
        radius: Of what touches them, 0 for a point [m].
    """
    reach = CLOSE + 2.0 * radius * (1.0 + CLOSE)
    chains = [chain for each in figures for chain in each.chains]
    if not radius:
        chains = [one for chain in chains for one in _apart(chain)]
    boxes = [_box(chain) for chain in chains]
    sizes = sorted(max(box[2] - box[0], box[3] - box[1]) for box in boxes)
    cell = max(2.0 * sizes[len(sizes) // 2], reach) if sizes else reach
    groups: list[_Group] = []
    for chain, box in zip(chains, boxes, strict=True):
        group = next((each for each in groups if each.takes(chain, box)), None)
        if group is None:
            group = _Group(cell, reach)
            groups.append(group)
        group.add(chain, box)
    return [Outline(chains=tuple(group.chains)) for group in groups]


class _Group:
    """Chains that are far from each other, in a grid, which shows of most others that they are far away."""

    def __init__(self, cell: float, reach: float) -> None:
        self.chains: list[Chain] = []
        self._cell, self._reach = cell, reach
        self._cells: dict[tuple[int, int], list[tuple[Chain, Box]]] = {}
        self._wide: list[tuple[Chain, Box]] = []
        """Those in many cells."""
        self._all: list[tuple[Chain, Box]] = []

    def _covered(self, box: Box, more: float) -> list[tuple[int, int]] | None:
        """The cells of a box and of what is as near to it; None of too many."""
        sides = [math.floor((box[i] + (more if i > 1 else -more)) / self._cell) for i in range(4)]
        if (sides[2] - sides[0] + 1) * (sides[3] - sides[1] + 1) > MANY_CELLS:
            return None
        return [(x, y) for x in range(sides[0], sides[2] + 1) for y in range(sides[1], sides[3] + 1)]

    def add(self, chain: Chain, box: Box) -> None:
        """Let a chain belong to it."""
        self.chains.append(chain)
        self._all.append((chain, box))
        cells = self._covered(box, 0.0)
        if cells is None:
            self._wide.append((chain, box))
        for cell in cells or ():
            self._cells.setdefault(cell, []).append((chain, box))

    def takes(self, chain: Chain, box: Box) -> bool:
        """Whether a chain is far from all of it."""
        cells = self._covered(box, 2.0 * self._reach)
        near = self._all
        if cells is not None:
            near = [*self._wide, *(each for cell in cells for each in self._cells.get(cell, ()))]
        return all(_between(box, own) > self._reach or _distance(chain, other) > self._reach for other, own in near)


Box = tuple[float, float, float, float]
"""Least x and y, greatest x and y [m]."""


def _box(chain: Chain) -> Box:
    """Around a chain."""
    if not chain.sides:
        (x, y), radius = map(float, chain.centre), float(chain.radius)
        return x - radius, y - radius, x + radius, y + radius
    ends = [(float(x), float(y)) for side in chain.sides for x, y in _ends(side)]
    xs, ys = [x for x, _ in ends], [y for _, y in ends]
    return min(xs), min(ys), max(xs), max(ys)


def _between(one: Box, two: Box) -> float:
    """A distance that what is in two boxes has at least [m]."""
    return max(one[0] - two[2], two[0] - one[2], one[1] - two[3], two[1] - one[3])


def _apart(chain: Chain) -> list[Chain]:
    """The sides of a chain, each for itself."""
    return [Chain(sides=(side,)) for side in chain.sides] or [chain]


def _distance(one: Chain, two: Chain) -> float:
    """Least distance of two chains, not more than it is [m]."""
    if not one.sides and not two.sides:
        return math.hypot(*_minus(one.centre, two.centre)) - float(one.radius) - float(two.radius)
    if not one.sides:
        one, two = two, one
    if not two.sides:
        return min(_from_point(side, two.centre) for side in one.sides) - float(two.radius)
    found = math.inf
    for a in one.sides:
        for b in two.sides:
            ends = [min(_from_point(x, p) for p in _ends(y)) for x, y in ((a, b), (b, a))]
            found = 0.0 if _cross_each_other(a, b) else min(found, *ends)
    return found


def _ends(side: Straight) -> tuple[Vector2, Vector2]:
    (x, y), (ux, uy), length = side.place, side.along, side.length
    return (x, y), (x + length * ux, y + length * uy)


def _from_point(side: Straight, p: Vector2) -> float:
    s, d = map(float, _along_and_off(side, p))
    return math.hypot(s - min(max(s, 0.0), float(side.length)), d)


def _cross_each_other(a: Straight, b: Straight) -> bool:
    (_, d0), (_, d1) = (_along_and_off(a, p) for p in _ends(b))
    (_, e0), (_, e1) = (_along_and_off(b, p) for p in _ends(a))
    return float(d0) * float(d1) < 0.0 and float(e0) * float(e1) < 0.0
