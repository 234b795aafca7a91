"""What is measured in a scheme: links, supports, wheels; the most important first. All in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal

from sistel.model import Body, Model
from sistel.records import entry
from sistel.views.schemes._paths import Polyline
from sistel.views.schemes._posture import Point
from sistel.views.schemes._scene import NEAR, Scene, flat, short_number, sides

PARALLEL = math.sin(math.radians(0.5))
"""Lines that differ less in direction are parallel."""
WHEEL = 1.5
"""Circles of a smaller radius are not measured, in sizes of a hinge."""
TWICE = 2
"""How many times a picture says the same length at most."""
TRIED = 40
"""Lengths of which a place is sought at most: a long chain is not measured as a whole."""


@entry
class Measure:
    """A length between two points, along a direction of the paper."""

    first: Point
    """Of a radius, the centre."""
    last: Point
    along: Point
    """Unit vector: from the first to the last, or one along which they are measured."""
    value: float
    """What is written [mm]."""
    kind: Literal["length", "radius"] = "length"
    spare: bool = False
    """Whether it repeats a length in another direction."""

    @property
    def text(self) -> str:
        """What is written."""
        return ("R" if self.kind == "radius" else "") + number_text(self.value)

    @property
    def drawn(self) -> float:
        """Length on paper [mm]."""
        return abs(_dot(_minus(self.last, self.first), self.along))


def settled(p: Point) -> Point:
    """A point without the dust of its arithmetic: what is drawn from a text that was read back is the same."""
    return (round(p[0], 6) + 0.0, round(p[1], 6) + 0.0)


def number_text(x: float) -> str:
    """A length [mm] as drawings write it."""
    return short_number(x, 1 if x >= 100.0 else 2)


def between(a: Point, b: Point, value: float | None = None, along: Point | None = None) -> Measure | None:
    """The distance of two points, or its part along a direction; None where there is none."""
    a, b = settled(a), settled(b)
    d = _minus(b, a)
    length = math.hypot(*d)
    if length < NEAR:
        return None
    u = along or (d[0] / length, d[1] / length)
    u = (round(u[0], 12), round(u[1], 12))
    across = abs(_dot(d, u))
    # What would be written as nothing is no length.
    return None if across < 5e-3 else Measure(a, b, u, across if value is None else value)


def planar_measures(scene: Scene) -> list[Measure]:
    """Lengths of a planar system in the order of their importance, each once where they are equal and parallel."""
    bodies = scene.model.bodies
    main = [m for body in bodies for m in _link(scene, body) if m.drawn > scene.size]
    plates = [m for body in bodies for m in _plate(scene, body) if m.drawn > scene.size]
    return ordered(main, [*_supports(scene), *_wheels(scene)], plates)


def ordered(main: Sequence[Measure], own: Sequence[Measure] = (), others: Sequence[Measure] = ()) -> list[Measure]:
    """Measures in the order of their importance, without those that are equal and parallel.

    Args:
        main: Lengths of links; those that repeat one in another direction go to the end.
        own: What no link can say, each for itself.
        others: As the first, but less important.
    """
    made: list[Measure] = []
    again: list[Measure] = []
    for measures, counted in ((main, True), (own, False), (others, True)):
        for measure in measures:
            if any(_repeats(measure, other) for other in (*made, *again)):
                continue
            known = sum(measure.text == other.text for other in (*made, *again)) if counted else 0
            if known == 0:
                made.append(measure)
            elif known < TWICE:
                again.append(replace(measure, spare=True))
    return [*made, *again][:TRIED]


def _repeats(one: Measure, other: Measure) -> bool:
    if one.text != other.text:
        return False
    parallel = abs(one.along[0] * other.along[1] - one.along[1] * other.along[0]) < PARALLEL
    return parallel or one.kind == "radius"


def _link(scene: Scene, body: Body) -> Iterator[Measure]:
    """From the pole of a body to what sits on it."""
    pose = scene.poses[body.number]
    pole = (pose.x, pose.y)
    for p in joints_of(scene, body.number):
        at = pose.out(p)
        if body.joint.type.key == "prismatic":
            # No hinge at the pole, so nobody would look for the slanting distance from it.
            c, s = math.cos(pose.angle), math.sin(pose.angle)
            found = [between(pole, at, along=(c, s)), between(pole, at, along=(-s, c))]
        else:
            found = [between(pole, at)]
        yield from (m for m in found if m is not None)
    yield from _guides(scene, body.number, pole)


def joints_of(scene: Scene, number: int) -> list[Point]:
    """Joints, ends of closures and springs, points and frames of a body, in its frame, the pole left out."""
    model, pose = scene.model, scene.poses[number]
    found: list[Point] = []
    for child in model.adjacent(number):
        body = model.bodies[child - 1]
        place, now = flat(body.p_PB), scene.poses[child]
        # A sliding body is away from its place, and so is one that is free of its base.
        if body.joint.type.key == "revolute" or math.dist(pose.out(place), (now.x, now.y)) < NEAR:
            found.append(place)
    found += [flat(side.p_BS) for side in sides(model) if side.body == number]
    found += [flat(point.p_BP) for point in model.points if point.body == number]
    points = [contact for contact in model.contacts if contact.round is None and contact.outline is None]
    found += [flat(contact.p_BP) for contact in points if contact.body == number]
    found += [flat(frame.p_BF) for frame in model.frames if frame.body == number]
    made: list[Point] = [] if number == 0 else [(0.0, 0.0)]
    for p in found:
        if all(math.dist(p, other) > NEAR for other in made):
            made.append(p)
    return made if number == 0 else made[1:]


def _guides(scene: Scene, number: int, pole: Point) -> Iterator[Measure]:
    """How far the ways of sliding bodies pass from a point of their base."""
    for child in scene.model.adjacent(number):
        body, now = scene.model.bodies[child - 1], scene.poses[child]
        if body.joint.type.key == "prismatic":
            angle = now.angle + math.atan2(body.joint.axis[1], body.joint.axis[0])
            found = between(pole, (now.x, now.y), along=(-math.sin(angle), math.cos(angle)))
            if found is not None:
                yield found


def _supports(scene: Scene) -> Iterator[Measure]:
    """Between neighbouring hinges on the ground, along x and along y; and from the first to the rails."""
    points = _ground_hinges(scene.model)
    for axis, along in ((0, (1.0, 0.0)), (1, (0.0, 1.0))):
        for a, b in pairwise(sorted(points, key=lambda p: (round(p[axis], 6), p[1 - axis]))):
            found = between(a, b, along=along)
            if found is not None:
                yield found
    if points:
        yield from _guides(scene, 0, points[0])


def _ground_hinges(model: Model) -> list[Point]:
    found = [flat(body.p_PB) for body in model.bodies if body.base == 0 and body.joint.type.key == "revolute"]
    found += [flat(side.p_BS) for side in sides(model) if side.body == 0]
    made: list[Point] = []
    for p in found:
        if all(math.dist(p, other) > NEAR for other in made):
            made.append(p)
    return made


def _plate(scene: Scene, body: Body) -> Iterator[Measure]:
    """Between neighbours on a body that is no straight bar: its pole alone does not say its shape."""
    pose, points = scene.poses[body.number], joints_of(scene, body.number)
    if body.joint.type.key == "prismatic":
        return
    for a, b in pairwise(points):
        bent = abs(a[0] * b[1] - a[1] * b[0])
        if bent > 1e-3 * math.hypot(*a) * math.hypot(*b):
            found = between(pose.out(a), pose.out(b))
            if found is not None:
                yield found


def _wheels(scene: Scene) -> Iterator[Measure]:
    """Radii of the round things of bodies."""
    for number, lines in scene.polylines.items():
        for line in lines if number else ():
            found = circle(line)
            if found is not None and found[1] > WHEEL * scene.size:
                x, y = settled(found[0])
                r = round(found[1], 6)
                yield Measure((x, y), (x + r, y), (1.0, 0.0), r, "radius")


def circle(line: Polyline) -> tuple[Point, float] | None:
    """Centre and radius of a polyline whose corners lie all around on a circle."""
    count = len(line)
    if count < 13 or math.dist(line[0], line[-1]) > NEAR:
        return None
    a, b, c = line[0], line[count // 3], line[2 * count // 3]
    p, q = _minus(b, a), _minus(c, a)
    twice = 2 * (p[0] * q[1] - p[1] * q[0])
    if abs(twice) < 1e-9 * (_dot(p, p) + _dot(q, q)):
        return None
    x = a[0] + (q[1] * _dot(p, p) - p[1] * _dot(q, q)) / twice
    y = a[1] + (p[0] * _dot(q, q) - q[0] * _dot(p, p)) / twice
    r = math.dist(a, (x, y))
    if any(abs(math.dist(corner, (x, y)) - r) > 1e-6 * r for corner in line):
        return None
    # All around: no chord is as long as that of a hexagon.
    return ((x, y), r) if all(math.dist(*chord) < r for chord in pairwise(line)) else None


def _minus(a: Point, b: Point) -> Point:
    return (a[0] - b[0], a[1] - b[1])


def _dot(a: Point, b: Point) -> float:
    return a[0] * b[0] + a[1] * b[1]
