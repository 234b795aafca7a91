"""Where dimension lines go: beside what they measure, off lines, symbols, labels and each other. All in mm."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from sistel.records import entry
from sistel.views.schemes._dimensions import FONT, LETTER, TIP, Dimension, Segment
from sistel.views.schemes._labels import REACH, Box, Label, crosses
from sistel.views.schemes._measures import Measure, settled
from sistel.views.schemes._paths import path_polylines
from sistel.views.schemes._posture import Place, Point
from sistel.views.schemes._scene import Scene, flat

MOST = 12
"""Dimensions in one picture."""
OFFSETS = (1.9, 2.5, 3.2, 4.0, 5.0, 6.2, 7.6, 9.2, 11.0, 13.0, 15.5, 18.5, 22.0)
"""How far dimension lines may lie from what they measure, in sizes of a hinge."""
ANGLES = (-45, -30, -60, 30, 45, 60, -15, 15, -75, 75, 0)
"""Directions of radii [deg]."""
WORST = 10.0
"""Cost of a place that is not worth it."""
SPARE = 6.0
"""The same for a length that is known already."""
EARTH = 0.3
"""What an extension line pays to cross a line of the ground."""


def place_dimensions(scene: Scene, measures: Iterable[Measure], labels: Iterable[Label]) -> list[Dimension]:
    """Dimensions for as many measures as find room, the first of them first."""
    room = _Room(scene, labels)
    made: list[tuple[_Search, _Parts]] = []
    left: list[_Search] = []
    for search in (_Search(measure, room) for measure in measures):
        found = search.best([parts for _, parts in made])
        if found is None:
            left.append(search)
        else:
            made.append((search, found))
        if len(made) == MOST:
            break
    for search in left:
        if len(made) < MOST and search.best(()) is not None:
            made = _rearranged(search, made)
    return [parts.made for _, parts in made]


def _rearranged(search: _Search, made: list[tuple[_Search, _Parts]]) -> list[tuple[_Search, _Parts]]:
    """The same dimensions and one more, if one of them can make room for it."""
    for i, (other, _) in enumerate(made):
        rest = [*made[:i], *made[i + 1 :]]
        others = [parts for _, parts in rest]
        found = search.best(others)
        if found is not None:
            moved = other.best([*others, found])
            if moved is not None:
                return [*rest, (other, moved), (search, found)]
    return made


class _Search:
    """The places of one dimension, tried from the cheapest on; what each costs by itself is found once."""

    def __init__(self, measure: Measure, room: _Room) -> None:
        self.near = room.near(measure)
        self.worst = SPARE if measure.spare else WORST
        self.candidates = sorted(_candidates(measure, room), key=lambda pair: pair[1])
        self.known: dict[int, tuple[float, _Parts]] = {}

    def best(self, others: Sequence[_Parts]) -> _Parts | None:
        best, least = None, self.worst
        for i, (candidate, cost) in enumerate(self.candidates):
            if cost >= least:
                break
            if i not in self.known:
                parts = _Parts(candidate)
                self.known[i] = (cost + self.near.cost(parts, self.worst - cost), parts)
            cost, parts = self.known[i]
            for other in others:
                if cost >= least:
                    break
                cost += parts.over(other)
            if cost < least:
                best, least = parts, cost
        return best


def _candidates(measure: Measure, room: _Room) -> Iterator[tuple[Dimension, float]]:
    """Dimensions of a measure, each with what its place costs by itself."""
    s = room.scene.size
    if measure.kind == "radius":
        for i, degrees in enumerate(ANGLES):
            place = Place(*measure.first, math.radians(degrees))
            for side in ("end", "start"):
                yield Dimension("radius", place, measure.value, 0.0, 0.0, side, measure.text, s), 0.2 * i
        return
    ux, uy = measure.along
    # To the right, or up: what is written along such a line can be read.
    if ux < -1e-9 or (abs(ux) <= 1e-9 and uy > 0):
        ux, uy = -ux, -uy
    a, b = measure.first, measure.last
    if (b[0] - a[0]) * ux + (b[1] - a[1]) * uy < 0:
        a, b = b, a
    place = Place(*a, math.atan2(uy, ux))
    length, rise = place.into(b)
    middle = place.into(room.middle)[1]
    for beyond in OFFSETS:
        for way in (-1.0, 1.0):
            offset = (min(0.0, rise) if way < 0 else max(0.0, rise)) + way * beyond * s
            # Outside, away from the middle of the picture, there is more room for the eye.
            inwards = way * (middle - rise / 2) > 1e-3 * s
            cost = 0.6 * min(beyond, 7.0) + 0.3 * max(0.0, beyond - 7.0) + 1.0 * inwards
            for side in ("middle", "end", "start"):
                made = Dimension("length", place, length, offset, rise, side, measure.text, s)
                fits = length > max(made.width, 3 * TIP * s)
                if side != "middle":
                    yield made, cost + (4.0 if fits else 1.5)
                elif fits:
                    yield made, cost


class _Room:
    """What stands in the way of dimensions."""

    def __init__(self, scene: Scene, labels: Iterable[Label]) -> None:
        self.scene = scene
        s = scene.size
        drawn = [(n, line) for n, polylines in scene.polylines.items() for line in polylines if len(line) > 1]
        lines = [(n, [settled(p) for p in line]) for n, line in drawn]
        self.segments = [(n, segment) for n, line in lines for segment in pairwise(line)]
        self.segments += [
            (0, segment) for line in scene.lines if line.body == 0 for segment in _hatching(line.kind, line.d, s)
        ]
        # Springs are drawn with the ground, but they are none.
        self.segments += [
            (-1, segment)
            for line in scene.lines
            if line.kind == "spring"
            for polyline in path_polylines(line.d)
            for segment in pairwise(polyline)
        ]
        self.solids = [line for _, line in lines if len(line) > 3 and math.dist(line[0], line[-1]) < 1e-6]
        self.texts = [_corners(label.box) for label in labels]
        self.feet: list[list[Point]] = []
        self.marks: list[tuple[Point, float]] = []
        for mark in scene.marks:
            at = settled(scene.poses[mark.body].out(mark.at))
            if mark.kind == "support":
                self.feet.append(_corners((at[0] - 1.5 * s, at[1], at[0] + 1.5 * s, at[1] + 2.0 * s)))
                self.marks.append((at, 0.8 * s))
            else:
                self.marks.append((at, REACH.get(mark.kind, 0.8) * s))
        if scene.model.planar:
            self.marks += [
                (settled(scene.poses[body.number].out(flat(body.p_BoBcm_B))), 0.7 * s)
                for body in scene.model.bodies
                if body.mass
            ]
        points = [p for n, line in lines for p in line if n] or [(pose.x, pose.y) for pose in scene.poses]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        self.middle = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)

    def near(self, measure: Measure) -> _Near:
        """What lies in reach of the dimensions of a measure."""
        reach = (OFFSETS[-1] + 3.0) * self.scene.size + LETTER * FONT * self.scene.size * len(measure.text)
        ends = [measure.first, measure.last]
        if measure.kind == "radius":
            r, (x, y) = measure.value, measure.first
            ends = [(x - r, y - r), (x + r, y + r)]
        (ax, ay), (bx, by) = ends
        box = (min(ax, bx) - reach, min(ay, by) - reach, max(ax, bx) + reach, max(ay, by) + reach)
        return _Near(
            self,
            ends,
            [
                (self._price(n, segment, ends), segment, _box(segment))
                for n, segment in self.segments
                if crosses(*segment, box)
            ],
        )

    def _price(self, body: int, segment: Segment, ends: Sequence[Point]) -> float:
        """What an extension line pays to cross a line of a body."""
        around, pose = 1.6 * self.scene.size, self.scene.poses[max(body, 0)]
        if any(all(math.dist(p, end) < around for p in segment) for end in ends):
            # The symbol of the joint at which the extension line begins.
            return 0.0
        if body == 0:
            return EARTH
        # What belongs to the joint itself is no stranger there.
        return 0.4 if body > 0 and any(math.dist((pose.x, pose.y), end) < 1e-3 for end in ends) else 3.0


@entry
class _Near:
    """What lies in reach of the dimensions of one measure."""

    room: _Room
    ends: list[Point]
    segments: list[tuple[float, Segment, Box]]
    """What an extension line pays to cross it, the line, and its box."""

    def cost(self, parts: _Parts, worst: float) -> float:
        """What is wrong with a place; infinite where something would be covered, or where it is not below `worst`."""
        cost = self._texts(parts) + self._marks(parts)
        if cost >= worst:
            return math.inf
        left, top, right, bottom = parts.bounds
        ground = 0.0
        for price, (p, q), box in self.segments:
            if box[0] > right or box[2] < left or box[1] > bottom or box[3] < top:
                continue
            a, b = parts.into(p), parts.into(q)
            if crosses(a, b, parts.number):
                return math.inf
            if parts.made.kind != "radius" and crosses(a, b, parts.main):
                cost += 8.0 if price != EARTH else 3.0
            met = sum(crosses(a, b, strip) for strip in parts.strips)
            if price == EARTH:
                # A line along the hatching of the ground meets every stroke of it.
                ground = min(ground + price * met, 1.5)
            else:
                cost += price * met
            if cost + ground >= worst:
                return math.inf
        veiled = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in parts.lines[1:]]
        cost += sum(1.5 for p in veiled if any(_inside(p, line) for line in self.room.solids))
        hidden = any(_inside(p, line) for p in parts.shown() for line in self.room.solids)
        return math.inf if hidden else cost + ground

    def _texts(self, parts: _Parts) -> float:
        if any(parts.meets(corners) for corners in self.room.texts):
            return math.inf
        cost = 0.0
        for corners in self.room.feet:
            if parts.apart(corners):
                continue
            local = [parts.into(p) for p in corners]
            if _covers(local, parts.number) or _covers(local, parts.main):
                return math.inf
            cost += sum(0.8 for strip in parts.strips if _covers(local, strip))
        return cost

    def _marks(self, parts: _Parts) -> float:
        cost = 0.0
        left, top, right, bottom = parts.bounds
        for at, reach in self.room.marks:
            if not (left - reach < at[0] < right + reach and top - reach < at[1] < bottom + reach):
                continue
            x, y = parts.into(at)
            if _distance(x, y, parts.number) < reach:
                return math.inf
            if parts.made.kind != "radius" and _distance(x, y, parts.thin) < reach:
                return math.inf
            if all(math.dist(at, end) > 1e-3 for end in self.ends):
                cost += sum(2.0 for strip in parts.strips if _distance(x, y, strip) < 0.6 * reach)
        return cost


class _Parts:
    """The boxes of a dimension in its own axes, and the way there."""

    def __init__(self, made: Dimension) -> None:
        s = made.size
        left, top, right, bottom = made.box
        first, last = made.main
        self.made = made
        self.number = (left - 0.3 * s, top - 0.3 * s, right + 0.3 * s, bottom + 0.1 * s)
        # Its ends may touch what is measured.
        touch = min(0.3 * s, 0.2 * (last - first))
        self.main = (first + touch, made.offset - 0.45 * s, last - touch, made.offset + 0.45 * s)
        self.thin = (first, made.offset - 0.05 * s, last, made.offset + 0.05 * s)
        self.strips = [(a[0] - 0.05 * s, min(a[1], b[1]), a[0] + 0.05 * s, max(a[1], b[1])) for a, b in made.extensions]
        self._cos, self._sin = math.cos(made.place.angle), math.sin(made.place.angle)
        own = [((first, made.offset), (last, made.offset)), *made.extensions]
        self.lines = [(self.out(a), self.out(b)) for a, b in own]
        """The dimension line and its extension lines on paper."""
        self.corners = [self.out(p) for p in ((left, top), (right, top), (right, bottom), (left, bottom))]
        """Corners of the number on paper."""
        points = [*self.corners, *(p for line in self.lines for p in line)]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        self.bounds = (min(xs) - 0.5 * s, min(ys) - 0.5 * s, max(xs) + 0.5 * s, max(ys) + 0.5 * s)

    def out(self, p: Point) -> Point:
        x, y = self.made.place.x, self.made.place.y
        return (x + self._cos * p[0] - self._sin * p[1], y + self._sin * p[0] + self._cos * p[1])

    def into(self, p: Point) -> Point:
        dx, dy = p[0] - self.made.place.x, p[1] - self.made.place.y
        return (self._cos * dx + self._sin * dy, self._cos * dy - self._sin * dx)

    def apart(self, corners: Sequence[Point]) -> bool:
        """Whether a polygon is out of reach."""
        left, top, right, bottom = self.bounds
        return (
            all(p[0] > right for p in corners)
            or all(p[0] < left for p in corners)
            or all(p[1] > bottom for p in corners)
            or all(p[1] < top for p in corners)
        )

    def meets(self, corners: Sequence[Point]) -> bool:
        """Whether anything of the dimension touches a text."""
        if self.apart(corners):
            return False
        local = [self.into(p) for p in corners]
        return any(_covers(local, part) for part in (self.number, self.main, *self.strips))

    def over(self, other: _Parts) -> float:
        """What another dimension costs."""
        (left, top, right, bottom), (a, b, c, d) = self.bounds, other.bounds
        if a > right or c < left or b > bottom or d < top:
            return 0.0
        if self.meets(other.corners):
            return math.inf
        cost = 0.0
        for i, (p, q) in enumerate(other.lines):
            u, w = self.into(p), self.into(q)
            if crosses(u, w, self.number) or (i == 0 and crosses(u, w, self.main)):
                return math.inf
            cost += 2.5 * crosses(u, w, self.thin)
            cost += sum(2.5 if i == 0 else 0.7 for strip in self.strips if crosses(u, w, strip))
        return cost

    def shown(self) -> list[Point]:
        """Points of the number and of the dimension line on paper that nothing may hide."""
        left, top, right, bottom = self.made.box
        first, last = self.made.main
        seen = [((left + right) / 2, (top + bottom) / 2), ((first + last) / 2, self.made.offset)]
        if self.made.kind != "radius":
            seen += [(first, self.made.offset), (last, self.made.offset)]
        return [self.out(p) for p in seen]


def _hatching(kind: str, d: str, size: float) -> list[Segment]:
    """The lower edge of the hatching that a stylesheet puts along a line."""
    if kind not in ("ground", "rail"):
        return []
    made = []
    for line in path_polylines(d):
        for a, b in pairwise(line):
            length = math.dist(a, b)
            if length > 0.0:
                nx, ny = -0.6 * size * (b[1] - a[1]) / length, 0.6 * size * (b[0] - a[0]) / length
                made.append(((a[0] + nx, a[1] + ny), (b[0] + nx, b[1] + ny)))
    return made


def _box(segment: Segment) -> Box:
    (ax, ay), (bx, by) = segment
    return (min(ax, bx), min(ay, by), max(ax, bx), max(ay, by))


def _corners(box: Box) -> list[Point]:
    left, top, right, bottom = box
    return [settled(p) for p in ((left, top), (right, top), (right, bottom), (left, bottom))]


def _covers(polygon: Sequence[Point], box: Box) -> bool:
    """Whether a polygon and a box have anything in common."""
    if any(crosses(a, b, box) for a, b in pairwise([*polygon, polygon[0]])):
        return True
    return _inside(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), [*polygon, polygon[0]])


def _inside(p: Point, line: Sequence[Point]) -> bool:
    """Whether a point is inside a closed polyline: a ray from it crosses the line an odd number of times."""
    found = False
    for (ax, ay), (bx, by) in pairwise(line):
        if (ay > p[1]) != (by > p[1]) and p[0] < ax + (p[1] - ay) * (bx - ax) / (by - ay):
            found = not found
    return found


def _distance(x: float, y: float, box: Box) -> float:
    return math.hypot(max(box[0] - x, 0.0, x - box[2]), max(box[1] - y, 0.0, y - box[3]))
