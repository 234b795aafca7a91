"""What rays see: the shapes of bodies as a table of leaves and boxes, see `_rays`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sistel.errors import Diagnostics, Text, one_of
from sistel.expr import Routine, decide
from sistel.model import _rays as r
from sistel.model._control import Rays, Scheme, Sensor
from sistel.model._elements import Shape
from sistel.model._triangles import Triangle, triangles
from sistel.pose import Rotation, Vector3, rotate, transpose
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


Placed = tuple[int, Vector3, Rotation]
"""A body, and place and axes of a frame there."""


def with_rays(
    schemes: Sequence[Scheme],
    shapes: Sequence[Shape],
    places: Mapping[str, Placed],
    planar: bool,
    diagnostics: Diagnostics,
) -> tuple[Scheme, ...]:
    """Schemes whose sensors know what their rays may meet."""
    made = []
    meshes: dict[int, list[Leaf]] = {}
    for scheme in schemes:
        for sensor in scheme.sensors:
            _check(sensor, shapes, places, planar, diagnostics)
        sensors = tuple(
            replace(sensor, meets=ray_table(sensor, shapes, places, planar, meshes, diagnostics))
            if sensor.kind in ("rangefinder", "lidar")
            else sensor
            for sensor in scheme.sensors
        )
        made.append(replace(scheme, sensors=sensors))
    if planar and any(sensor.meets is not None for scheme in made for sensor in scheme.sensors):
        _tell_flat(shapes, diagnostics)
    return tuple(made)


def _tell_flat(shapes: Sequence[Shape], diagnostics: Diagnostics) -> None:
    """Say that rays in the plane do not see meshes."""
    for shape in shapes:
        if shape.kind == "mesh" and (shape.obstacle or shape.name):
            said = Text(f'rays do not see the mesh "{shape.path}"', f"лучи не видят сетку «{shape.path}»")
            expected = Text("a system in space", "пространственная система")
            hint = Text("in the plane, a polygon in its place", "на плоскости — многоугольник на её месте")
            diagnostics.warning("unseen-mesh", shape.span, said, expected=expected, hint=hint)


def _check(
    sensor: Sensor, shapes: Sequence[Shape], places: Mapping[str, Placed], planar: bool, diagnostics: Diagnostics
) -> None:
    """Say what is wrong with rays."""
    kinds = SEEN_FLAT if planar else SEEN
    owners = {places[name][0] for name in sensor.rays}
    if sensor.rays and sensor.of:
        owners.add(places[sensor.of][0])
    if sensor.carrier:
        owners = {places[sensor.carrier][0], places[sensor.of][0]}
    if len(owners) > 1:
        diagnostics.error(
            "several-bodies",
            sensor.span,
            Text(
                f'what "{sensor.name}" names does not sit on one body',
                f"то, что назвал датчик «{sensor.name}», не на одном теле",
            ),
            hint=Text("give each body its own sensor", "дайте каждому телу свой датчик"),
        )
    for shape in shapes:
        if shape.name in sensor.against and shape.kind not in kinds:
            diagnostics.error(
                "wrong-shape",
                sensor.span,
                Text(f'rays do not see the shape "{shape.name}"', f"лучи не видят фигуру «{shape.name}»"),
                expected=one_of(kinds),
                related=[(shape.span, Text("it is here", "она здесь"))],
            )


def ray_table(
    sensor: Sensor,
    shapes: Sequence[Shape],
    places: Mapping[str, Placed],
    planar: bool,
    meshes: dict[int, list[Leaf]],
    diagnostics: Diagnostics,
) -> Rays:
    """The rays of a sensor, and the routine that finds what they meet.

    What they are told is plain numbers: with other values of parameters they would be told anew.
    """
    own, rays = rays_of(sensor, places)
    leaves: dict[int, list[Leaf]] = {}
    for shape in seen_shapes(sensor, shapes, own, planar):
        if shape.kind == "mesh":
            # Read once for all sensors, and so is what cannot be read said once.
            if id(shape) not in meshes:
                meshes[id(shape)] = [_triangle(corners) for corners in triangles(shape, diagnostics)]
            found = meshes[id(shape)]
        else:
            found = leaves_of(shape, planar)
        leaves.setdefault(shape.body, []).extend(found)
    bodies = tuple(sorted(body for body in leaves if leaves[body]))
    size = 2 if planar else 3
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
    stride = 4 if planar else 12
    functions = r.FLAT_RAYS if planar else r.RAYS
    # -0.0 becomes 0.0: a file that was written and read again has the same rays.
    told = [number + 0.0 for number in (*data, *ends, *blocks)]
    made = Routine("rays", functions, stride * (1 + len(bodies)), len(rays), told)
    return Rays(routine=made, body=own, ways=tuple(rays), bodies=bodies)


def rays_of(sensor: Sensor, places: Mapping[str, Placed]) -> tuple[int, list[tuple[Vector3, Vector3]]]:
    """The body of a sensor, and origins and directions of its rays there."""
    if sensor.kind == "lidar":
        body, place, axes = places[sensor.of]
        first, last = sensor.angles
        # A full turn has its first ray once.
        steps = sensor.count if math.isclose(last - first, 2 * math.pi) else sensor.count - 1
        rays = []
        for i in range(sensor.count):
            angle = first + (last - first) * i / max(1, steps)
            rays.append((place, rotate(axes, (math.cos(angle), math.sin(angle), 0.0))))
    else:
        placed = [places[name] for name in sensor.rays]
        body = placed[0][0] if placed else 0
        rays = [(place, rotate(axes, (1.0, 0.0, 0.0))) for _, place, axes in placed]
    plain = [(_plain(place), _plain(way)) for place, way in rays]
    return body, [(place, way) for place, way in plain]


def _plain(v: Vector3) -> Vector3:
    return decide(v[0]), decide(v[1]), decide(v[2])


def seen_shapes(sensor: Sensor, shapes: Sequence[Shape], own: int, planar: bool) -> list[Shape]:
    """What the rays of a sensor may meet: what is named for it, else obstacles and named shapes of other bodies."""
    kinds = SEEN_FLAT if planar else SEEN
    if sensor.against:
        return [shape for shape in shapes if shape.name in sensor.against]
    return [shape for shape in shapes if shape.kind in kinds and shape.body != own and (shape.obstacle or shape.name)]


def leaves_of(shape: Shape, planar: bool) -> list[Leaf]:
    """A shape as leaves, in the frame of its body; none where it has no size, which is said elsewhere."""
    least = {"box": 2 if planar else 3, "cylinder": 2, "capsule": 2, "circle": 1, "sphere": 1}
    if len(shape.sizes) < least.get(shape.kind, 0) or (shape.kind in ("polygon", "polyline") and not shape.corners):
        return []
    return _flat_leaves(shape) if planar else _leaves(shape)


def _flat_leaves(shape: Shape) -> list[Leaf]:
    x, y = decide(shape.p_BS[0]), decide(shape.p_BS[1])
    c, s = decide(shape.R_BS[0][0]), decide(shape.R_BS[1][0])
    sizes = [decide(size) for size in shape.sizes]
    if shape.kind in ("circle", "sphere"):
        radius = sizes[0]
        return [Leaf(r.BALL, (x - radius, y - radius), (x + radius, y + radius), (x, y, radius))]
    if shape.kind == "box":
        a, b = sizes[0] / 2, sizes[1] / 2
        reach = abs(c) * a + abs(s) * b, abs(s) * a + abs(c) * b
        low, high = (x - reach[0], y - reach[1]), (x + reach[0], y + reach[1])
        return [Leaf(r.BOX, low, high, (x, y, c, s, a, b))]
    corners = [(decide(u), decide(v)) for u, v in shape.corners]
    points = [(x + c * u - s * v, y + s * u + c * v) for u, v in corners]
    made = []
    for a2, b2 in pairwise([*points, points[0]] if shape.kind == "polygon" else points):
        low, high = (min(a2[0], b2[0]), min(a2[1], b2[1])), (max(a2[0], b2[0]), max(a2[1], b2[1]))
        made.append(Leaf(r.SEGMENT, low, high, (*a2, *b2)))
    return made


def _leaves(shape: Shape) -> list[Leaf]:
    p = _plain(shape.p_BS)
    columns = [_plain(column) for column in transpose(shape.R_BS)]
    sizes = [decide(size) for size in shape.sizes]
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


def _triangle(corners: Triangle) -> Leaf:
    a, b, c = corners
    edges = [tuple(end[k] - a[k] for k in range(3)) for end in (b, c)]
    low, high = (tuple(most(p[k] for p in corners) for k in range(3)) for most in (min, max))
    return Leaf(r.TRIANGLE, low, high, (*a, *edges[0], *edges[1]))


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
