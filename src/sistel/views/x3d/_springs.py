"""Springs and dampers between bodies: figures of unit size, whose scale and turn follow both ends."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.model import Model, Spring
from sistel.pose import Vector3
from sistel.records import record
from sistel.views.x3d._nodes import Names, Node, name_note, node, rows, transform
from sistel.views.x3d._primitives import Colour, looks, shape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sistel.arrays import Array

    Poses = list[tuple[Array, Array]]

STEEL: Colour = (0.66, 0.33, 0.15)
TURNS, SIDES, AROUND = 8, 6, 14
"""Of a coil, of the section of its wire, and pieces of a turn."""
STRAIGHT = 0.07
"""Of the length, at either end of a coil."""
SLENDER = 0.22
"""Radius of a coil over its length, at most."""
End = tuple[int, Vector3]
"""A body by its number, and a point in its frame [m]."""


@record
class Coil:
    """A spring of a scene."""

    name: str
    """Of its node."""
    spring: Spring
    first: End
    second: End
    radius: float
    """[m]"""
    length: float
    """At which its wire is round [m]."""


def coils(model: Model, names: Names, size: float, layer: Callable[[int], float], start: Poses) -> tuple[Coil, ...]:
    """The springs of a model.

    Args:
        model: The system.
        names: Names of nodes that are taken.
        size: Of the system [m].
        layer: How far before the plane a planar body lies, by its number [m].
        start: Poses of the bodies at first.
    """
    found = []
    for spring in model.springs:
        ends = []
        for side in (spring.first, spring.second):
            x, y, z = side.p_BS
            ends.append((side.body, (x, y, z + layer(side.body))))
        length = max(spring.length, float(stretch(ends[0], ends[1], start).length[0]))
        if not 1e-6 * size < length < 1e6 * size:
            length = 0.3 * size
        found.append(
            Coil(
                name=names.give(spring.name or "Spring"),
                spring=spring,
                first=ends[0],
                second=ends[1],
                radius=min(0.03 * size, SLENDER * length),
                length=length,
            )
        )
    return tuple(found)


@record
class Stretch:
    """Where a spring is: from a place along a direction."""

    place: Array
    """Of its first end, shape (n, 3) [m]."""
    direction: Array
    """To the second, shape (n, 3); the one before where the ends coincide."""
    length: Array
    """Shape (n,) [m]."""


def stretch(first: End, second: End, poses: Poses) -> Stretch:
    """A spring in some states, in the axes of the system.

    Args:
        first: One end.
        second: The other.
        poses: Of all bodies, the ground first.
    """
    a, b = (poses[body][1] + poses[body][0] @ np.array(point) for body, point in (first, second))
    way = b - a
    length = np.linalg.norm(way, axis=1)
    direction = way / np.where(length > 0.0, length, 1.0)[:, None]
    for i in np.flatnonzero(length == 0.0):
        direction[i] = direction[i - 1] if i else (0.0, 1.0, 0.0)
    return Stretch(place=a, direction=direction, length=length)


def turns(direction: Array) -> Array:
    """Quaternions that turn y to directions one after another, each from the last by the shortest way.

    Interpolators then go from direction to direction along great circles, and no direction is special.
    """
    found = np.empty((len(direction), 4))
    at, turn = np.array((0.0, 1.0, 0.0)), np.array((1.0, 0.0, 0.0, 0.0))
    for i, to in enumerate(direction):
        turn = _product(_shortest(at, to), turn)
        turn /= np.linalg.norm(turn)
        found[i], at = turn, to
    return found


def _shortest(a: Array, b: Array) -> Array:
    """The quaternion of the shortest turn from one unit vector to another."""
    whole = 1.0 + float(a @ b)
    if whole < 1e-12:
        # Straight back: about any axis across.
        across = np.cross(a, (1.0, 0.0, 0.0) if abs(a[0]) < 0.9 else (0.0, 1.0, 0.0))
        return np.concatenate([[0.0], across / np.linalg.norm(across)])
    turn = np.concatenate([[whole], np.cross(a, b)])
    return np.asarray(turn / np.linalg.norm(turn))


def _product(a: Array, b: Array) -> Array:
    w = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate([[w], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def scales(coil: Coil, length: Array) -> Array:
    """Of the figure, shape (n, 3); never zero, which no viewer can invert [m]."""
    least = 1e-4 * coil.radius
    return np.stack(
        [np.full(len(length), coil.radius), np.maximum(length, least), np.full(len(length), coil.radius)], 1
    )


def coil_node(coil: Coil, at: Stretch, turn: tuple[float, float, float, float]) -> Node:
    """A spring where it is at first, in the axes of the system."""
    spring = coil.spring
    figure = _damper() if spring.stiffness == 0.0 and spring.damping != 0.0 else _coil(coil)
    made = transform(
        figure,
        name=coil.name,
        translation=at.place[0].tolist(),
        rotation=turn,
        scale=scales(coil, at.length)[0].tolist(),
    )
    if spring.name and coil.name != spring.name:
        made.children.insert(0, name_note(spring.name))
    return made


def _coil(coil: Coil) -> list[Node]:
    """From 0 to 1 along y, of radius 1; the wire is round where the spring has the length of the coil."""
    count = TURNS * AROUND
    spine = []
    for i in range(count + 1):
        angle = 2 * math.pi * i / AROUND
        # The first and the last half of a turn lead to the axis.
        radius = 1.0 - 0.12 - 0.88 * max(0.0, 1 - 2 * min(i, count - i) / AROUND)
        y = STRAIGHT + (1 - 2 * STRAIGHT) * i / count
        spine.append((radius * math.cos(angle), y, radius * math.sin(angle)))
    wire = min(0.12, 0.3 * (1 - 2 * STRAIGHT) * coil.length / (TURNS * coil.radius))
    along = wire * coil.radius / coil.length
    # Across a spine that goes round y, x points out or in, and z along y.
    section = [
        (wire * math.cos(2 * math.pi * k / SIDES), along * math.sin(2 * math.pi * k / SIDES)) for k in range(SIDES + 1)
    ]
    fields = {
        "crossSection": _points(section),
        "spine": _points(spine),
        "solid": "false",
        "creaseAngle": "2",
        "convex": "true",
    }
    appearance = looks(STEEL)
    return [shape(node("Extrusion", fields), appearance), _rod(0.0, STRAIGHT, wire), _rod(1 - STRAIGHT, 1.0, wire)]


def _points(points: Iterable[Iterable[float]]) -> str:
    """Five digits are more than a coil needs."""
    return rows([float(f"{x:.5g}") if abs(x) > 1e-9 else 0.0 for x in point] for point in points)


def _damper() -> list[Node]:
    """A cylinder with its rod, from 0 to 1 along y."""
    return [_rod(0.0, 1.0, 0.18), _rod(0.25, 0.7, 0.7)]


def _rod(low: float, high: float, radius: float) -> Node:
    cylinder = shape(node("Cylinder", {"height": "1"}), looks(STEEL))
    return transform([cylinder], translation=(0.0, (low + high) / 2, 0.0), scale=(radius, high - low, radius))
