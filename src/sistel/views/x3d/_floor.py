"""The floor of a scene: a disk with a grid that fade away from the bodies; seen from below there is the grid alone."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import record
from sistel.views.x3d._nodes import Node, node, transform
from sistel.views.x3d._primitives import SHINE, shape
from sistel.views.x3d._rounded import short_rows

if TYPE_CHECKING:
    from sistel.arrays import Array

PAPER = (0.925, 0.935, 0.95)
LINES = (0.7, 0.73, 0.77)
WIDE = 1.9
"""Radius of the disk, over the size of the bodies."""
FULL = 0.3
"""Part of the radius within which nothing fades."""
RINGS = (0.0, FULL, 0.45, 0.6, 0.75, 0.9, 1.0)
SECTORS = 48
ABOVE = 8e-4
"""How far the grid is above the disk, over the size of the bodies: nearer, pictures of both would mix."""
MOST_LINES = 70


@record
class Floor:
    """The floor of a scene, and how far its lines are apart [m]."""

    nodes: list[Node]
    step: float


def floor(low: Array, high: Array, height: float, size: float) -> Floor:
    """A floor under everything, in the axes of X3D.

    Args:
        low: Least coordinates of what moves [m].
        high: The largest.
        height: Of the floor [m].
        size: Of the bodies [m].
    """
    middle = (low + high) / 2
    radius = float(np.hypot(*(high - low)[[0, 2]])) / 2 + (WIDE - 0.5) * max(size, float(high[1] - low[1]))
    step = _round_step(max(size, float(high[1] - low[1])))
    # A long way has a coarser grid.
    while 2 * radius / step > MOST_LINES:
        step *= 2
    disk = transform([shape(_disk(), _material(), cast=False)], scale=(radius, 1.0, radius))
    grid = transform(
        [shape(_grid(middle[0], middle[2], radius, step), _unlit(), cast=False)],
        translation=(0.0, ABOVE * size, 0.0),
    )
    place = (float(middle[0]), height, float(middle[2]))
    return Floor(nodes=[transform([disk, grid], name="Floor", translation=place)], step=step)


def _fade(part: float) -> float:
    """How much is seen at a part of the radius."""
    s = min(max((1.0 - part) / (1.0 - FULL), 0.0), 1.0)
    return round(s * s * (3 - 2 * s), 3)


def _disk() -> Node:
    """Rings about y, facing up alone."""
    points, faces = [(0.0, 0.0, 0.0)], []
    for ring in RINGS[1:]:
        points += [
            (ring * math.cos(a), 0.0, -ring * math.sin(a)) for a in (2 * math.pi * i / SECTORS for i in range(SECTORS))
        ]
    for k in range(len(RINGS) - 1):
        for i in range(SECTORS):
            j = (i + 1) % SECTORS
            outer = (1 + k * SECTORS + i, 1 + k * SECTORS + j)
            if k == 0:
                faces += [0, *outer]
            else:
                inner = (outer[0] - SECTORS, outer[1] - SECTORS)
                faces += [inner[0], *outer, inner[0], outer[1], inner[1]]
    shares = [1.0, *(_fade(ring) for ring in RINGS[1:] for _ in range(SECTORS))]
    inner_nodes = [
        node("ColorRGBA", {"color": short_rows((*PAPER, share) for share in shares)}),
        node("Normal", {"vector": short_rows((0.0, 1.0, 0.0) for _ in points)}),
        node("Coordinate", {"point": short_rows(points)}),
    ]
    return node("IndexedTriangleSet", {"index": " ".join(map(str, faces)), "solid": "true"}, inner_nodes)


def _grid(x: float, z: float, radius: float, step: float) -> Node:
    """Lines at whole steps of the world that end at the rim of the disk, in its frame."""
    points: list[tuple[float, float, float]] = []
    counts: list[int] = []
    for across in (0, 2):
        middle = x if across == 0 else z
        first, last = math.ceil((middle - radius) / step), math.floor((middle + radius) / step)
        for number in range(first, last + 1):
            away = number * step - middle
            half = math.sqrt(max(radius**2 - away**2, 0.0))
            pieces = max(2, 2 * math.ceil(5 * half / radius))
            for i in range(pieces + 1):
                way = half * (2 * i / pieces - 1)
                points.append((away, 0.0, way) if across == 0 else (way, 0.0, away))
            counts.append(pieces + 1)
    shares = (_fade(math.hypot(p[0], p[2]) / radius) for p in points)
    return node(
        "LineSet",
        {"vertexCount": " ".join(map(str, counts))},
        [
            node("ColorRGBA", {"color": short_rows((*LINES, share) for share in shares)}),
            node("Coordinate", {"point": short_rows(points)}),
        ],
    )


def _material() -> Node:
    fields = {**SHINE, "specularColor": "0 0 0", "diffuseColor": short_rows([PAPER])}
    return node("Appearance", children=[node("Material", fields)])


def _unlit() -> Node:
    return node("Appearance", children=[node("UnlitMaterial", {"emissiveColor": short_rows([LINES])})])


def _round_step(size: float) -> float:
    """1, 2 or 5 times a power of ten, about an eighth of the size [m]."""
    power = 10.0 ** math.floor(math.log10(size / 8))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= size / 8)
