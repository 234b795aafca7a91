"""Shapes that touch, as lines of spatial schemes: rims, spokes of which one tells the turn, edges. All in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sistel.model import Model, Shape
from sistel.pose import Vector3, rotate
from sistel.records import entry
from sistel.views._profiles import profile_lines

CORNERS = 48
"""Of a circle."""
SPOKES = 6
NET = 33
"""Points of a line of curved ground."""
EDGE = 0.1
"""Width of an edge, in sizes of a hinge."""


@entry
class RoundLine:
    """A line of a round shape, in the axes of its body.

    Rims are wider than spokes, which show how far it has turned.
    """

    points: tuple[Vector3, ...]
    width: float
    """In sizes of a hinge."""


def touching_balls(model: Model, number: int) -> Iterator[tuple[Vector3, float]]:
    """Centres and radii of the balls of a body that may touch."""
    for shape in model.shapes:
        if shape.body == number and shape.kind == "sphere" and _touches(shape):
            yield _out(shape, (0.0, 0.0, 0.0)), 1e3 * shape.sizes[0]


def round_lines(model: Model, number: int) -> Iterator[RoundLine]:
    """Rims and spokes of the wheels of a body, and edges and circles of its other shapes that may touch."""
    for shape in model.shapes:
        if shape.body != number:
            continue
        if shape.surface is not None:
            for points in profile_lines(model, shape, NET):
                yield RoundLine(tuple((1e3 * x, 1e3 * y, 1e3 * z) for x, y, z in points), EDGE)
        elif shape.kind == "wheel":
            yield RoundLine(_circle(shape, 0, 1), 0.3)
            for i in range(SPOKES):
                angle = 2 * math.pi * i / SPOKES
                tip = (shape.sizes[0] * math.cos(angle), shape.sizes[0] * math.sin(angle), 0.0)
                yield RoundLine((_out(shape, (0.0, 0.0, 0.0)), _out(shape, tip)), 0.1 if i else 0.32)
        elif shape.kind == "sphere" and _touches(shape):
            yield RoundLine(_circle(shape, 0, 1), 0.1)
            yield RoundLine(_circle(shape, 1, 2), 0.1)
        elif shape.kind == "box" and _touches(shape) and len(shape.sizes) == 3:
            for line in _edges(shape):
                yield RoundLine(line, EDGE)
        elif shape.kind in ("capsule", "cylinder") and _touches(shape):
            for line in _barrel(shape):
                yield RoundLine(line, EDGE)


def _touches(shape: Shape) -> bool:
    return bool(shape.name) or shape.obstacle


def _edges(shape: Shape) -> Iterator[tuple[Vector3, ...]]:
    """The edges of a box: two faces, and what joins them."""
    a, b, c = (size / 2 for size in shape.sizes)
    around = ((-a, -b), (a, -b), (a, b), (-a, b), (-a, -b))
    for z in (-c, c):
        yield tuple(_out(shape, (x, y, z)) for x, y in around)
    for x, y in around[:4]:
        yield (_out(shape, (x, y, -c)), _out(shape, (x, y, c)))


def _barrel(shape: Shape) -> Iterator[tuple[Vector3, ...]]:
    """Two circles and the lines between them; a capsule has half circles beyond."""
    radius, half = shape.sizes[0], shape.sizes[1] / 2
    for z in (-half, half):
        yield _circle(shape, 0, 1, z)
    if shape.kind == "capsule":
        yield _circle(shape, 2, 0, half)
        yield _circle(shape, 2, 1, half)
        return
    for x, y in ((radius, 0.0), (0.0, radius), (-radius, 0.0), (0.0, -radius)):
        yield (_out(shape, (x, y, -half)), _out(shape, (x, y, half)))


def _circle(shape: Shape, first: int, second: int, along: float = 0.0) -> tuple[Vector3, ...]:
    """A circle in two axes of a shape; where one is z, its halves are apart by twice a length along it."""
    made = []
    for i in range(CORNERS + 1):
        angle = 2 * math.pi * i / CORNERS
        p = [0.0, 0.0, 0.0]
        p[first], p[second] = shape.sizes[0] * math.cos(angle), shape.sizes[0] * math.sin(angle)
        if along:
            p[2] += math.copysign(along, math.cos(angle)) if first == 2 else along
        made.append(_out(shape, (p[0], p[1], p[2])))
    return (*made, made[0]) if first == 2 else tuple(made)


def _out(shape: Shape, p: Vector3) -> Vector3:
    """A point of a shape in the axes of its body [mm]."""
    x, y, z = rotate(shape.R_BS, p)
    return (1e3 * (shape.p_BS[0] + x), 1e3 * (shape.p_BS[1] + y), 1e3 * (shape.p_BS[2] + z))
