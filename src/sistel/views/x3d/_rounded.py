"""Round parts without sharp edges, out of little text: every one is an Extrusion along y, scaled by a Transform.

An Extrusion has the corners of its section and the rings along its spine alone, some hundred bytes; viewers make the
surface and its normals. As with unit figures, sizes are scales: what is made larger later keeps its form.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from sistel.pose import Vector3, norm
from sistel.views.x3d._nodes import Node, node, numbers, rows, transform
from sistel.views.x3d._primitives import ALONG_Z, shape, solid_scale, turn_from_y

SIDES = 40
"""Corners of what is round."""
CREASE = 0.5
"""Neighbouring faces that differ by less are one smooth surface [rad]."""
CHAMFER = 0.1
"""Of the edges of round parts, over their radius."""
ROUND = 0.16
"""Radius of the edges of boxes, over their smallest side."""
CORNER = 5
"""Pieces of such an edge."""
DOME = 7
"""Rings of a half ball."""

_CIRCLE = [(math.cos(a), -math.sin(a)) for a in (2 * math.pi * i / SIDES for i in range(SIDES))]

Profile = Sequence[tuple[float, float]]
"""Radius and height of rings, from below."""


def lathe(profile: Profile, appearance: Node, *, cast: bool = True) -> Node:
    """A round part about y; equal heights make a shoulder."""
    low, high = profile[0][1], profile[-1][1]
    least = 1e-4 * max(high - low, 1e-9)
    rings: list[tuple[float, float]] = []
    for radius, height in profile:
        above = rings[-1][1] + least if rings else height
        rings.append((radius, max(height, above)))
    return shape(_extrusion(_CIRCLE, rings, [(r, r) for r, _ in rings]), appearance, cast=cast)


def drum(radius: float, length: float, appearance: Node, tight: float = 1.0) -> Node:
    """A cylinder along z with chamfered edges, its centre at the origin [m].

    Args:
        radius: Of the cylinder [m].
        length: Along z [m].
        appearance: How it looks.
        tight: What its figure has of the radius: bodies of one radius that overlap would flicker.
    """
    cut = min(CHAMFER * radius, 0.25 * length)
    inner, edge = tight - cut / radius, 0.5 - cut / length
    figure = lathe([(inner, -0.5), (tight, -edge), (tight, edge), (inner, 0.5)], appearance)
    return transform([figure], rotation=ALONG_Z, scale=solid_scale((radius, length, radius)))


def block(size: Sequence[float], appearance: Node) -> Node:
    """A box with its edges along x, y, z: round along the longest one, chamfered at its ends [m]."""
    size = solid_scale(size)
    long = max(range(3), key=lambda k: size[k])
    # The longest side becomes y of the Extrusion, whose section has x and z.
    wide, deep = (size[k] for k in ((1, 2) if long == 0 else (0, 2) if long == 1 else (0, 1)))
    length = size[long]
    least = min(wide, deep, length)
    edge, cut = ROUND * least, 0.07 * least
    section = []
    for side, (x, z) in enumerate(((1, 1), (1, -1), (-1, -1), (-1, 1))):
        for i in range(CORNER + 1):
            a = math.pi / 2 * (1 - side - i / CORNER)
            section.append(
                (
                    x * (0.5 - edge / wide) + edge / wide * math.cos(a),
                    z * (0.5 - edge / deep) + edge / deep * math.sin(a),
                )
            )
    small = (1 - 2 * cut / wide, 1 - 2 * cut / deep)
    rings = [-0.5, -0.5 + cut / length, 0.5 - cut / length, 0.5]
    figure = _extrusion(section, [(0.0, y) for y in rings], [small, (1.0, 1.0), (1.0, 1.0), small])
    half = math.pi / 2
    turn = {0: (0.0, 0.0, 1.0, -half), 1: (0.0, 0.0, 1.0, 0.0), 2: (1.0, 0.0, 0.0, half)}[long]
    return transform([shape(figure, appearance)], rotation=turn, scale=(wide, length, deep))


def capsule(radius: float, length: float, appearance: Node) -> Node:
    """A cylinder along z with half balls at its ends, its centre at the origin; its length without them [m]."""
    dome = [math.pi / 2 * i / DOME for i in range(DOME + 1)]
    top = [(max(math.cos(a), 0.02), length / (2 * radius) + math.sin(a)) for a in dome]
    profile = [*((r, -y) for r, y in reversed(top)), *top]
    return transform([lathe(profile, appearance)], rotation=ALONG_Z, scale=(radius, radius, radius))


def taper(a: Vector3, b: Vector3, first: float, last: float, appearance: Node) -> Node:
    """A round rod between two points, whose radius goes from the first to the last [m]."""
    way = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    ratio = last / first
    figure = lathe([(1.0, 0.0), (ratio, 1.0)], appearance)
    return transform([figure], translation=a, rotation=turn_from_y(way), scale=solid_scale((first, norm(way), first)))


def along(axis: Vector3, children: Sequence[Node], at: Vector3 = (0.0, 0.0, 0.0), size: float = 1.0) -> Node:
    """What is about y, about an axis through a point instead, as large as told [m]."""
    return transform(children, translation=at, rotation=turn_from_y(axis), scale=(size, size, size))


def torus(radius: float, wire: float, appearance: Node) -> Node:
    """A rim about z: the radius to the middle of its wire, and that of the wire [m]."""
    count, sides = SIDES + 8, 12
    spine = [(math.cos(a), 0.0, math.sin(a)) for a in (2 * math.pi * i / count for i in range(count + 1))]
    part = wire / radius
    section = [(part * math.cos(a), part * math.sin(a)) for a in (2 * math.pi * i / sides for i in range(sides + 1))]
    fields = {"crossSection": short_rows(section), "spine": short_rows(spine), "creaseAngle": "2"}
    figure = node("Extrusion", {**fields, "beginCap": "false", "endCap": "false", "solid": "false"})
    return transform([shape(figure, appearance)], rotation=ALONG_Z, scale=(radius, radius, radius))


def ring(radius: float, half: float, appearance: Node, at: float = 0.0) -> Node:
    """A narrow band about y."""
    return lathe(
        [(radius, at - half), (1.03 * radius, at - 0.8 * half), (1.03 * radius, at + 0.8 * half), (radius, at + half)],
        appearance,
    )


def _extrusion(section: Sequence[tuple[float, float]], rings: Profile, scales: Sequence[tuple[float, float]]) -> Node:
    fields = {
        "crossSection": short_rows((*section, section[0])),
        "spine": short_rows((0.0, y, 0.0) for _, y in rings),
        "scale": short_rows(scales),
        "creaseAngle": numbers([CREASE]),
    }
    return node("Extrusion", fields)


def short_rows(points: Iterable[Iterable[float]]) -> str:
    """Five digits are more than a figure of a screen needs."""
    return rows([float(f"{x:.5g}") if abs(x) > 1e-9 else 0.0 for x in point] for point in points)


def paddle(length: float, first: float, last: float, thick: float, appearance: Node) -> Node:
    """A flat plate with two round ends, at the origin and at (length, 0, 0), thick along y [m]."""
    lean = math.acos(max(-0.95, min(0.95, (first - last) / length)))
    count = SIDES // 2
    points = [
        (first * math.cos(a), -first * math.sin(a))
        for a in (lean + 2 * (math.pi - lean) * i / count for i in range(count + 1))
    ]
    points += [
        (length + last * math.cos(a), -last * math.sin(a))
        for a in (2 * lean * i / count - lean for i in range(count + 1))
    ]
    middle, wide, deep = (length + last - first) / 2, length + first + last, 2 * max(first, last)
    cut = 0.12 * thick
    small = (1 - 2 * cut / wide, 1 - 2 * cut / deep)
    rings = [(0.0, y) for y in (-thick / 2, cut - thick / 2, thick / 2 - cut, thick / 2)]
    figure = _extrusion([(x - middle, z) for x, z in points], rings, [small, (1.0, 1.0), (1.0, 1.0), small])
    return transform([shape(figure, appearance)], translation=(middle, 0.0, 0.0))
