"""Wheels and balls that touch, as lines of spatial schemes: rims, and spokes of which one tells the turn. All in mm."""

from __future__ import annotations

import math
from collections.abc import Iterator

from sistel.model import Model, Shape
from sistel.pose import Vector3, rotate
from sistel.records import entry

CORNERS = 48
"""Of a circle."""
SPOKES = 6


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
        if shape.body == number and shape.kind == "sphere" and shape.name:
            yield _out(shape, (0.0, 0.0, 0.0)), 1e3 * shape.sizes[0]


def round_lines(model: Model, number: int) -> Iterator[RoundLine]:
    """Rims and spokes of the wheels of a body, and two circles around each of its balls that may touch."""
    for shape in model.shapes:
        if shape.body != number:
            continue
        if shape.kind == "wheel":
            yield RoundLine(_circle(shape, 0, 1), 0.3)
            for i in range(SPOKES):
                angle = 2 * math.pi * i / SPOKES
                tip = (shape.sizes[0] * math.cos(angle), shape.sizes[0] * math.sin(angle), 0.0)
                yield RoundLine((_out(shape, (0.0, 0.0, 0.0)), _out(shape, tip)), 0.1 if i else 0.32)
        elif shape.kind == "sphere" and shape.name:
            yield RoundLine(_circle(shape, 0, 1), 0.1)
            yield RoundLine(_circle(shape, 1, 2), 0.1)


def _circle(shape: Shape, first: int, second: int) -> tuple[Vector3, ...]:
    made = []
    for i in range(CORNERS + 1):
        angle = 2 * math.pi * i / CORNERS
        p = [0.0, 0.0, 0.0]
        p[first], p[second] = shape.sizes[0] * math.cos(angle), shape.sizes[0] * math.sin(angle)
        made.append(_out(shape, (p[0], p[1], p[2])))
    return tuple(made)


def _out(shape: Shape, p: Vector3) -> Vector3:
    """A point of a shape in the axes of its body [mm]."""
    x, y, z = rotate(shape.R_BS, p)
    return (1e3 * (shape.p_BS[0] + x), 1e3 * (shape.p_BS[1] + y), 1e3 * (shape.p_BS[2] + z))
