"""What rays see: the shapes of bodies as a table of leaves and boxes, see `_rays`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from sistel.expr import Routine
from sistel.mechanics import _rays as r
from sistel.model import Model, Sensor, Shape
from sistel.pose import Vector3, rotate, transpose
from sistel.records import entry

SEEN_FLAT = ("box", "circle", "sphere", "polygon", "polyline")
SEEN = ("box", "sphere", "cylinder", "capsule", "mesh")
"""Kinds of shapes that rays meet, in the plane and in space."""


@entry
class Leaf:
    """A shape, or a side of one, in the frame of its body."""

    kind: int
    low: tuple[float, ...]
    high: tuple[float, ...]
    numbers: tuple[float, ...]


def ray_table(model: Model, sensor: Sensor) -> tuple[Routine, int, tuple[int, ...]]:
    """The routine of a sensor with rays, its body, and the bodies whose shapes it may meet."""
    own, rays = rays_of(model, sensor)
    leaves: dict[int, list[Leaf]] = {}
    for shape in seen_shapes(model, sensor, own):
        leaves.setdefault(shape.body, []).extend(leaves_of(shape, model.planar))
    bodies = tuple(sorted(leaves))
    size = 2 if model.planar else 3
    start = r.HEAD
    table = start + 2 * size * len(rays)
    data = [float(len(rays)), float(start), float(len(bodies)), float(table)]
    data += [number for place, way in rays for number in (*place[:size], *way[:size])]
    ends: list[float] = []
    blocks: list[float] = []
    first = table + 2 * len(bodies)
    for body in bodies:
        nodes = _nodes(leaves[body], first + len(blocks), size)
        ends += [float(first + len(blocks)), float(first + len(blocks) + len(nodes[0]))]
        blocks += [*nodes[0], *nodes[1]]
    stride = 4 if model.planar else 12
    functions = r.FLAT_RAYS if model.planar else r.RAYS
    made = Routine("rays", functions, stride * (1 + len(bodies)), len(rays), [*data, *ends, *blocks])
    return made, own, bodies


def rays_of(model: Model, sensor: Sensor) -> tuple[int, list[tuple[Vector3, Vector3]]]:
    """The body of a sensor, and origins and directions of its rays there."""
    if sensor.kind == "lidar":
        body, place, axes = model.place_of(sensor.of)
        first, last = sensor.angles
        # A full turn has its first ray once.
        steps = sensor.count if math.isclose(last - first, 2 * math.pi) else sensor.count - 1
        rays = []
        for i in range(sensor.count):
            angle = first + (last - first) * i / max(1, steps)
            rays.append((place, rotate(axes, (math.cos(angle), math.sin(angle), 0.0))))
    else:
        placed = [model.place_of(name) for name in sensor.rays]
        body = placed[0][0]
        rays = [(place, rotate(axes, (1.0, 0.0, 0.0))) for _, place, axes in placed]
    plain = [(_plain(place), _plain(way)) for place, way in rays]
    return body, [(place, way) for place, way in plain]


def _plain(v: Vector3) -> Vector3:
    return float(v[0]), float(v[1]), float(v[2])


def seen_shapes(model: Model, sensor: Sensor, own: int) -> list[Shape]:
    """What the rays of a sensor may meet: what is named for it, else obstacles and named shapes of other bodies."""
    kinds = SEEN_FLAT if model.planar else SEEN
    if sensor.against:
        return [shape for shape in model.shapes if shape.name in sensor.against]
    return [
        shape for shape in model.shapes if shape.kind in kinds and shape.body != own and (shape.obstacle or shape.name)
    ]


def leaves_of(shape: Shape, planar: bool) -> list[Leaf]:
    """A shape as leaves, in the frame of its body."""
    return _flat_leaves(shape) if planar else _leaves(shape)


def _flat_leaves(shape: Shape) -> list[Leaf]:
    x, y = float(shape.p_BS[0]), float(shape.p_BS[1])
    c, s = float(shape.R_BS[0][0]), float(shape.R_BS[1][0])
    sizes = [float(size) for size in shape.sizes]
    if shape.kind in ("circle", "sphere"):
        radius = sizes[0]
        return [Leaf(r.BALL, (x - radius, y - radius), (x + radius, y + radius), (x, y, radius))]
    if shape.kind == "box":
        a, b = sizes[0] / 2, sizes[1] / 2
        reach = abs(c) * a + abs(s) * b, abs(s) * a + abs(c) * b
        low, high = (x - reach[0], y - reach[1]), (x + reach[0], y + reach[1])
        return [Leaf(r.BOX, low, high, (x, y, c, s, a, b))]
    points = [(x + c * float(u) - s * float(v), y + s * float(u) + c * float(v)) for u, v in shape.corners]
    made = []
    for a2, b2 in pairwise([*points, points[0]] if shape.kind == "polygon" else points):
        low, high = (min(a2[0], b2[0]), min(a2[1], b2[1])), (max(a2[0], b2[0]), max(a2[1], b2[1]))
        made.append(Leaf(r.SEGMENT, low, high, (*a2, *b2)))
    return made


def _leaves(shape: Shape) -> list[Leaf]:
    p = _plain(shape.p_BS)
    columns = [_plain(column) for column in transpose(shape.R_BS)]
    sizes = [float(size) for size in shape.sizes]
    if shape.kind == "sphere":
        radius = sizes[0]
        low, high = tuple(k - radius for k in p), tuple(k + radius for k in p)
        return [Leaf(r.BALL, low, high, (*p, radius))]
    axes = tuple(number for column in columns for number in column)
    if shape.kind == "box":
        half = [size / 2 for size in sizes[:3]]
        reach = [sum(abs(columns[k][i]) * half[k] for k in range(3)) for i in range(3)]
        kind, numbers = r.BOX, (*half,)
    else:
        radius, length = sizes[0], sizes[1] / 2
        kind, numbers = (r.CYLINDER if shape.kind == "cylinder" else r.CAPSULE), (radius, length, 0.0)
        z = columns[2]
        # Of a disc across z, along an axis: radius · √(1 − z²).
        across = [
            radius if shape.kind == "capsule" else radius * math.sqrt(max(0.0, 1.0 - z[i] * z[i])) for i in range(3)
        ]
        reach = [abs(z[i]) * length + across[i] for i in range(3)]
    low, high = tuple(p[i] - reach[i] for i in range(3)), tuple(p[i] + reach[i] for i in range(3))
    return [Leaf(kind, low, high, (*p, *axes, *numbers))]


def _nodes(leaves: Sequence[Leaf], first: int, size: int) -> tuple[list[float], list[float]]:
    """The nodes of the tree of some leaves, whose table begins at `first`, and the numbers of the leaves behind it."""
    stride = 2 * size + 3
    count = 2 * len(leaves) - 1
    shapes: list[float] = []
    rows: list[list[float]] = []

    def build(members: list[Leaf]) -> None:
        low = [min(leaf.low[i] for leaf in members) for i in range(size)]
        high = [max(leaf.high[i] for leaf in members) for i in range(size)]
        row = [*low, *high, 0.0, -1.0, 0.0]
        rows.append(row)
        if len(members) == 1:
            row[-2], row[-1] = float(members[0].kind), float(first + count * stride + len(shapes))
            shapes.extend(members[0].numbers)
        else:
            axis = max(range(size), key=lambda i: high[i] - low[i])
            ordered = sorted(members, key=lambda leaf: leaf.low[axis] + leaf.high[axis])
            half = len(ordered) // 2
            build(ordered[:half])
            build(ordered[half:])
        row[-3] = float(first + len(rows) * stride)

    build(list(leaves))
    # Rounding may have put a leaf a little outside of its box.
    for row in rows:
        for i in range(size):
            slack = 1e-9 * (1.0 + abs(row[i]) + abs(row[size + i]))
            row[i], row[size + i] = row[i] - slack, row[size + i] + slack
    return [number for row in rows for number in row], shapes
