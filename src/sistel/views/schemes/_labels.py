"""Where the numbers or names of bodies stand: beside their links, off lines, symbols and each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from sistel.records import entry
from sistel.views.schemes._paths import Polyline
from sistel.views.schemes._posture import Point
from sistel.views.schemes._scene import Scene, flat

Box = tuple[float, float, float, float]
_Mark = tuple[float, float, float]
"""Of a symbol: where it is, and how far it reaches."""
LETTER = 0.62
"""Width of a letter in sizes of the font, rather too wide."""
FONT = 1.3
"""Size of the font in sizes of a hinge."""
LONGEST = 24
DISTANCES = (0.9, 1.5, 2.3, 3.4, 5.0)
"""How far labels may stand from what they name, in sizes of a hinge."""
MANY, MOST = 40, 150
"""Bodies from which on fewer places are tried, and from which on only the first."""
_DIRECTIONS = tuple((math.cos(math.pi / 4 * k), math.sin(math.pi / 4 * k)) for k in (-1, 1, -3, 3, 0, 4, -2, 2))
"""Where a label may stand, seen from the point that it stands beside: the best first."""
REACH = {"carriage": 1.7, "guide": 1.6, "support": 1.6, "gripper": 1.8, "coil": 1.3, "motor": 1.1}
"""How far symbols reach from their place, in sizes of a hinge."""


@entry
class Label:
    """A label: where it stands, and with which end."""

    at: Point
    side: str
    box: Box
    """What it covers [mm]."""
    anchor: Point
    """The point of the body beside which it stands."""


def place_labels(scene: Scene, names: bool) -> dict[int, Label]:
    """A place for the number, or the name, of every body, by number."""
    segments = [segment for lines in scene.polylines.values() for line in lines for segment in _segments(line)]
    marks = [(scene.poses[mark.body].out(mark.at), REACH.get(mark.kind, 0.9) * scene.size) for mark in scene.marks]
    marks += [
        (scene.poses[body.number].out(flat(body.p_BoBcm_B)), 0.8 * scene.size)
        for body in scene.model.bodies
        if body.mass and scene.model.planar
    ]
    made: dict[int, Label] = {}
    for body in scene.model.bodies:
        letters = min(len(body.name), LONGEST) if names else len(str(body.number))
        width = letters * LETTER * FONT * scene.size
        anchors = _anchors(scene, body.number)
        # Where there are very many, labels are small beside the whole, and a first good place has to do.
        distances: Sequence[float] = DISTANCES
        if len(scene.model.bodies) > MANY:
            distances, anchors = DISTANCES[:2], anchors[:1]
        if len(scene.model.bodies) > MOST:
            # Whatever it would cost: comparing all with all would take longer than all the rest.
            made[body.number] = next(iter(_candidates(anchors, distances, width, scene.size)))
            continue
        reach = DISTANCES[-1] * scene.size + width + FONT * scene.size
        near = [_Piece(*segment) for segment in segments if _close(segment, anchors, reach)]
        near_marks = [(*at, far) for at, far in marks if _close((at, at), anchors, reach + far)]
        # Beside each other, labels keep half a hinge apart.
        others = [
            (each.box[0], each.box[1], each.box[2] + 0.5 * scene.size, each.box[3])
            for each in made.values()
            if _close(_ends(each.box), anchors, reach + scene.size)
        ]
        best: tuple[float, Label] | None = None
        for candidate in _candidates(anchors, distances, width, scene.size):
            enough = math.inf if best is None else best[0] - 1e-9
            cost = _cost(candidate, near, near_marks, others, scene.size, enough)
            if cost < enough:
                best = (cost, candidate)
            if best is not None and best[0] == 0.0:
                break
        if best is not None:
            made[body.number] = best[1]
    return made


class _Piece:
    """A segment and its box: most pieces are not near most labels, which their boxes tell quickly."""

    __slots__ = ("a", "b", "bottom", "left", "right", "top")

    def __init__(self, a: Point, b: Point) -> None:
        self.a, self.b = a, b
        self.left, self.right = sorted((a[0], b[0]))
        self.top, self.bottom = sorted((a[1], b[1]))


def _close(segment: tuple[Point, Point], points: Sequence[Point], reach: float) -> bool:
    """Whether the box of a segment comes near one of some points."""
    (ax, ay), (bx, by) = segment
    left, right = (ax - reach, bx + reach) if ax < bx else (bx - reach, ax + reach)
    top, bottom = (ay - reach, by + reach) if ay < by else (by - reach, ay + reach)
    for x, y in points:  # noqa: SIM110 — a generator for every piece and body takes twice the time
        if left <= x <= right and top <= y <= bottom:
            return True
    return False


def _ends(box: Box) -> tuple[Point, Point]:
    """A diagonal of a box."""
    return (box[0], box[1]), (box[2], box[3])


def _candidates(anchors: Sequence[Point], distances: Sequence[float], width: float, size: float) -> Iterable[Label]:
    font = FONT * size
    for distance in distances:
        for x, y in anchors:
            for cosine, sine in _DIRECTIONS:
                px, py = x + distance * size * cosine, y + distance * size * sine
                if abs(cosine) < 0.3:
                    side, left = "middle", px - width / 2
                elif cosine > 0:
                    side, left = "start", px
                else:
                    side, left = "end", px - width
                base = py + 0.36 * font
                yield Label((px, base), side, (left, base - 0.85 * font, left + width, base + 0.25 * font), (x, y))


def _anchors(scene: Scene, number: int) -> list[Point]:
    """Points of a body beside which its label may stand: the middle of its lines first, then its corners."""
    lines = [line for line in scene.polylines.get(number, []) if len(line) > 1]
    pose = scene.poses[number]
    if not lines:
        return [(pose.x, pose.y)]
    longest = max((segment for line in lines for segment in _segments(line)), key=lambda s: math.dist(*s))
    middle = [
        ((1 - t) * longest[0][0] + t * longest[1][0], (1 - t) * longest[0][1] + t * longest[1][1])
        for t in (0.5, 0.35, 0.65, 0.2, 0.8)
    ]
    corners = lines[0][:: max(1, len(lines[0]) // 8)]
    return [*middle, *corners]


def _segments(line: Polyline) -> list[tuple[Point, Point]]:
    return list(pairwise(line))


def _cost(
    label: Label,
    pieces: Sequence[_Piece],
    marks: Sequence[_Mark],
    others: Sequence[Box],
    size: float,
    enough: float,
) -> float:
    """What a label covers, weighed; not to the end where it is `enough` and more."""
    left, top, right, bottom = label.box
    cost = 0.0
    wide = right + 0.5 * size
    for a, b, c, d in others:
        if left < c and a < wide and top < d and b < bottom:
            cost += 100.0
            if cost >= enough:
                return cost
    # Every mark is looked at for every place: plain comparisons take a third of the time of calls.
    for x, y, reach in marks:
        dx = left - x if x < left else x - right if x > right else 0.0
        if dx >= reach:
            continue
        dy = top - y if y < top else y - bottom if y > bottom else 0.0
        if dy < reach and math.hypot(dx, dy) < reach:
            cost += 10.0
            if cost >= enough:
                return cost
    left, top, right, bottom = grown = (
        *(left - 0.15 * size, top - 0.05 * size),
        *(right + 0.15 * size, bottom + 0.05 * size),
    )
    for piece in pieces:
        if piece.left > right or piece.right < left or piece.top > bottom or piece.bottom < top:
            continue
        if crosses(piece.a, piece.b, grown):
            cost += 3.0
            if cost >= enough:
                return cost
    return cost


def crosses(a: Point, b: Point, box: Box) -> bool:
    """Whether a segment meets a box: by clipping it side by side."""
    low, high = 0.0, 1.0
    for from_, to, least, most in ((a[0], b[0], box[0], box[2]), (a[1], b[1], box[1], box[3])):
        d = to - from_
        if abs(d) < 1e-12:
            if not least <= from_ <= most:
                return False
            continue
        first, second = sorted(((least - from_) / d, (most - from_) / d))
        low, high = max(low, first), min(high, second)
        if low > high:
            return False
    return True
