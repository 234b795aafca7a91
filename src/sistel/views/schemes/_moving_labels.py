"""Labels of moving bodies: they keep their place beside the body and stay upright. All in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sistel.records import entry
from sistel.views.schemes._labels import FONT, LETTER, LONGEST, REACH, place_labels
from sistel.views.schemes._posture import Place, Point
from sistel.views.schemes._scene import Scene

Segment = tuple[Point, Point]
CLEAR = 0.2
"""Between a label and the lines of its own body, in sizes of a hinge."""
LOOKED_AT = 5
"""Postures in which labels are kept off other bodies."""


@entry
class MovingLabel:
    """The label of a body: it stands at a point of the body and a constant shift of the picture from there."""

    body: int
    text: str
    at: Point
    """In the axes of the body [mm]."""
    shift: Point
    """In the picture [mm]."""
    side: str
    """start, middle or end."""
    box: tuple[float, float, float, float]
    """What it covers, from the point of the body on: left, top, right, bottom [mm]."""


def moving_labels(scene: Scene, postures: Sequence[Sequence[Place]], names: bool) -> list[MovingLabel]:
    """Labels for all bodies.

    Args:
        scene: What is drawn.
        postures: Poses of the bodies, the ground first, in some postures.
        names: Whether names are shown, or numbers.
    """
    font = FONT * scene.size
    if names:
        made = []
        for number, label in place_labels(scene, names=True).items():
            name = scene.model.bodies[number - 1].name
            text = name if len(name) <= LONGEST else name[:LONGEST] + "…"
            (x, y), (ax, ay) = label.at, label.anchor
            left, top, right, bottom = label.box
            box = (left - ax, top - ay, right - ax, bottom - ay)
            made.append(
                MovingLabel(number, text, scene.poses[number].into(label.anchor), (x - ax, y - ay), label.side, box)
            )
        return made
    own = {
        number: [
            (scene.poses[number].into(a), scene.poses[number].into(b)) for line in lines for a, b in pairwise(line)
        ]
        for number, lines in scene.polylines.items()
    }
    chosen = list(postures[:: max(1, len(postures) // LOOKED_AT)])[:LOOKED_AT] if len(scene.model.bodies) <= 40 else []
    placed: list[tuple[int, Point, float]] = []
    labels = []
    for body in scene.model.bodies:
        text = str(body.number)
        half = len(text) * LETTER * font / 2
        radius = math.hypot(half, 0.36 * font)
        best: tuple[float, Point] | None = None
        for order, point in enumerate(_candidates(own.get(body.number, []), radius + CLEAR * scene.size, scene.size)):
            cost = 0.02 * order + _own_cost(scene, body.number, point, own.get(body.number, []), radius)
            if best is not None and cost >= best[0]:
                continue
            cost += _others_cost(scene, body.number, point, own, placed, chosen, radius)
            if best is None or cost < best[0]:
                best = (cost, point)
        assert best is not None
        placed.append((body.number, best[1], radius))
        box = (-half, -0.55 * font, half, 0.55 * font)
        labels.append(MovingLabel(body.number, text, best[1], (0.0, 0.36 * font), "middle", box))
    return labels


def _candidates(lines: Sequence[Segment], clear: float, size: float) -> Iterator[Point]:
    """Places beside the longest line of a body, then around its pole."""
    if lines:
        (ax, ay), (bx, by) = max(lines, key=lambda s: math.dist(*s))
        length = math.dist((ax, ay), (bx, by))
        if length > 1e-9:
            nx, ny = -(by - ay) / length, (bx - ax) / length
            for extra in (0.0, 0.6 * size, 1.4 * size):
                for share in (0.5, 0.35, 0.65, 0.2, 0.8):
                    for way in (-1.0, 1.0):
                        d = way * (clear + 0.2 * size + extra)
                        yield (ax + share * (bx - ax) + d * nx, ay + share * (by - ay) + d * ny)
    for distance in (1.0, 1.6, 2.4):
        for eighth in (-1, 1, -3, 3, 0, 4, -2, 2):
            a = math.pi / 4 * eighth
            yield ((clear + distance * size) * math.cos(a), (clear + distance * size) * math.sin(a))


def _own_cost(scene: Scene, body: int, point: Point, lines: Sequence[Segment], radius: float) -> float:
    cost = 20.0 * sum(1 for a, b in lines if distance_to(point, a, b) < radius + 0.1 * scene.size)
    for mark in scene.marks:
        if mark.body == body and math.dist(mark.at, point) < REACH.get(mark.kind, 0.9) * scene.size + 0.7 * radius:
            cost += 10.0
    return cost


def _others_cost(
    scene: Scene,
    body: int,
    point: Point,
    own: dict[int, list[Segment]],
    placed: Sequence[tuple[int, Point, float]],
    postures: Sequence[Sequence[Place]],
    radius: float,
) -> float:
    cost = 0.0
    for poses in postures:
        world = poses[body].out(point)
        for other, at, reach in placed:
            cost += 5.0 * (math.dist(poses[other].out(at), world) < radius + reach)
        for other, lines in own.items():
            if other == body:
                continue
            seen = poses[other].into(world)
            cost += min(2.0, sum(1.0 for a, b in lines if distance_to(seen, a, b) < radius))
        for mark in scene.marks:
            if mark.body != body:
                reach = REACH.get(mark.kind, 0.9) * scene.size
                cost += 2.0 * (math.dist(poses[mark.body].out(mark.at), world) < reach + 0.7 * radius)
    return cost / max(1, len(postures))


def distance_to(p: Point, a: Point, b: Point) -> float:
    """From a point to a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    share = 0.0 if length == 0.0 else min(1.0, max(0.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length))
    return math.hypot(p[0] - a[0] - share * dx, p[1] - a[1] - share * dy)
