"""Parts of joints as machines have them: housings, forks, crosses, cups, flanges. All are about y, of radius 1."""

from __future__ import annotations

import math

from sistel.pose import Vector3
from sistel.views.x3d._nodes import Node, transform
from sistel.views.x3d._primitives import Colour, looks
from sistel.views.x3d._rounded import Profile, block, lathe, paddle, ring

SHELL: Colour = (0.86, 0.875, 0.89)
DARK: Colour = (0.3, 0.33, 0.365)
STEEL: Colour = (0.76, 0.785, 0.81)
GROUND: Colour = (0.55, 0.59, 0.63)
HALF = 0.55
"""Half the width of a housing."""
FORK = 1.9
"""From the axis of a fork to its foot."""
QUARTER = math.pi / 2
DISK: Profile = ((0.9, 0.0), (1.0, 0.08), (1.0, 0.24), (0.88, 0.36), (0.5, 0.36), (0.42, 0.3))
FLANGE: Profile = ((1.18, 0.0), (1.25, 0.06), (1.25, 0.2), (1.18, 0.26))
CUP: Profile = (
    *((0.5, -1.7), (0.62, -1.6), (0.62, -1.2), (0.95, -0.85), (1.16, -0.35)),
    *((1.2, 0.1), (1.1, 0.18), (0.98, 0.1)),
)


def housing(band: Node, shell: Node) -> list[Node]:
    """What turns: a drum with a band in the colour of its coordinate."""
    profile = [(0.9, -HALF), (1.0, 0.1 - HALF), (1.0, HALF - 0.1), (0.9, HALF)]
    return [lathe(profile, shell), ring(1.005, 0.1, band)]


def covers() -> list[Node]:
    """The ends of the axle on both sides of a housing."""
    look = looks(DARK)
    made = []
    for side, turn in ((HALF, 0.0), (-HALF, math.pi)):
        made.append(transform([lathe(DISK, look)], translation=(0.0, side, 0.0), rotation=(1.0, 0.0, 0.0, turn)))
    return made


def fork(length: float = FORK) -> list[Node]:
    """Two cheeks beside a housing, and the bridge between them at a distance along x."""
    look, steel = looks(DARK), looks(STEEL)
    made = []
    for side in (-1.0, 1.0):
        y = side * (HALF + 0.2)
        made.append(transform([paddle(length - 0.3, 0.72, 0.62, 0.3, look)], translation=(0.0, y, 0.0)))
        bolt = [(0.34, 0.0), (0.34, 0.1), (0.28, 0.15)]
        turn = (1.0, 0.0, 0.0, 0.0 if side > 0 else math.pi)
        made.append(transform([lathe(bolt, steel)], translation=(0.0, side * (HALF + 0.34), 0.0), rotation=turn))
    bridge = block((0.5, 2 * HALF + 0.7, 1.24), look)
    return [*made, transform([bridge], translation=(length - 0.25, 0.0, 0.0))]


def flange() -> list[Node]:
    """The foot of what is fastened to the ground, its face up."""
    steel = looks(STEEL)
    bolts = []
    for i in range(6):
        a = 2 * math.pi * (i + 0.5) / 6
        place = (1.02 * math.cos(a), 0.25, 1.02 * math.sin(a))
        bolts.append(transform([lathe([(0.09, 0.0), (0.09, 0.05), (0.07, 0.07)], steel)], translation=place))
    return [lathe(FLANGE, looks(DARK)), *bolts]


def pin(radius: float, half: float, look: Node) -> Node:
    """An axle."""
    cut = 0.2 * radius
    return lathe([(radius - cut, -half), (radius, cut - half), (radius, half - cut), (radius - cut, half)], look)


def cup() -> list[Node]:
    """What holds a ball, open towards y."""
    return [lathe(CUP, looks(DARK))]


def carriage(band: Node, shell: Node) -> list[Node]:
    """What slides along y."""
    return [
        block((1.7, 1.9, 1.7), shell),
        transform([block((1.74, 0.2, 1.74), band)]),
    ]


def towards(axis: Vector3, way: Vector3) -> tuple[Vector3, Vector3]:
    """Two unit vectors at right angles: an axis, and a direction as near to a way as can be."""
    length = math.sqrt(sum(x * x for x in axis)) or 1.0
    y = (axis[0] / length, axis[1] / length, axis[2] / length)
    share = sum(a * b for a, b in zip(way, y, strict=True))
    x = tuple(a - share * b for a, b in zip(way, y, strict=True))
    size = math.sqrt(sum(a * a for a in x))
    if size < 1e-9:
        least = min(range(3), key=lambda k: abs(y[k]))
        x = tuple((1.0 if k == least else 0.0) - y[least] * y[k] for k in range(3))
        size = math.sqrt(sum(a * a for a in x))
    return y, (x[0] / size, x[1] / size, x[2] / size)
