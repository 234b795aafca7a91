"""Surfaces with fewer triangles: edges collapse where that changes least, many at once.

The measure is the quadric of Garland and Heckbert (Surface simplification using quadric error metrics, SIGGRAPH 1997):
the sum of squared distances to the planes of the triangles that a point stands for. All meshes of a scene are made
simpler together, so that triangles stay where they show most. How far both surfaces are apart afterwards is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.meshes._meshes import Mesh
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import AnyArray, Array

BORDER = 3.0
"""Weight of the planes that hold open edges and edges between colours in place."""
LEAST_TURN = 0.2
"""Cosine by which a triangle may turn in a collapse, at least."""
MOST_ROUNDS = 200
LEVELS = 4095
"""Steps of a mesh along its longest side, to which its points are rounded."""
MOST_EXACT = 2_000
"""Points whose distance is found among all triangles."""
CHUNK = 100_000
"""Points whose distances are found at once."""


@record
class Simplified:
    """Meshes with fewer triangles."""

    meshes: tuple[Mesh, ...]
    before: int
    """Triangles that there were."""
    after: int
    deviation: float
    """No point of the meshes that were is farther than this from the new ones, in the unit of the scales [m]."""


def simplify(meshes: Sequence[Mesh], scales: Sequence[float], most: int) -> Simplified:
    """Meshes that together have no more than `most` triangles, if their forms allow that; fewer are left as they are.

    Args:
        meshes: Each with its own points.
        scales: Factors from their units to a common one.
        most: Triangles of all.
    """
    welded = [_welded(mesh) for mesh in meshes]
    count = sum(len(mesh.triangles) for mesh in meshes)
    starts = np.cumsum([0, *(len(points) for points, _ in welded)])
    points = np.concatenate([scale * points for (points, _), scale in zip(welded, scales, strict=True)])
    triangles = np.concatenate([where + start for (_, where), start in zip(welded, starts, strict=False)])
    number = np.repeat(np.arange(len(meshes)), [len(mesh.triangles) for mesh in meshes])
    paint = np.concatenate([np.zeros(len(m.triangles), int) if m.paint is None else m.paint for m in meshes])
    kept, moved, stands = _collapse(points, triangles, paint, most)
    made, shown = [], moved.copy()
    for i, mesh in enumerate(meshes):
        mine = number[kept[0]] == i
        corners = kept[1][mine]
        used, again = np.unique(corners, return_inverse=True)
        rounded, step = _rounded(moved[used])
        shown[used] = rounded
        made.append(
            Mesh(
                points=rounded / scales[i],
                triangles=again.reshape(-1, 3).astype(np.int32),
                paint=None if mesh.paint is None else mesh.paint[kept[0][mine] - _first(number, i)],
                paints=mesh.paints,
                notes=mesh.notes,
                grid=step / scales[i],
            )
        )
    deviation = _deviation(points, shown, kept[1], stands, starts)
    return Simplified(meshes=tuple(made), before=count, after=len(kept[1]), deviation=deviation)


def _first(number: AnyArray, i: int) -> int:
    return int(np.searchsorted(number, i))


def _welded(mesh: Mesh) -> tuple[Array, AnyArray]:
    """Points that are equal but for their normals as one, and the triangles between them."""
    points, inverse = np.unique(mesh.points, axis=0, return_inverse=True)
    return points, inverse.reshape(-1)[mesh.triangles].astype(np.int64)


def _rounded(points: Array) -> tuple[Array, float]:
    """Points on a grid that has a few thousand steps along the longest side, which packs well; and its step."""
    if not len(points):
        return points, 1.0
    low = points.min(axis=0)
    step = float(np.ptp(points, axis=0).max()) / LEVELS or 1.0
    return np.asarray(low + np.round((points - low) / step) * step), step


def _collapse(
    points: Array, triangles: AnyArray, paint: AnyArray, most: int
) -> tuple[tuple[AnyArray, AnyArray], Array, AnyArray]:
    """Rounds of collapses that do not touch one another.

    Returns:
        Numbers and corners of the triangles that are left, all points where they are then, and for every point the
        number of the one that stands for it.
    """
    points = points.copy()
    stands = np.arange(len(points))
    alive = np.arange(len(triangles))
    corners = triangles.copy()
    real = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 2] != corners[:, 0])
    corners, alive = corners[real], alive[real]
    quadrics = _quadrics(points, corners, paint[alive])
    refused = np.zeros(0, dtype=np.int64)
    for _ in range(MOST_ROUNDS):
        if len(corners) <= most:
            break
        edges = _edges(corners, len(points))[0]
        # What has turned a triangle over lets others go before; it is tried again when nothing else is left.
        keys = edges @ np.array([len(points), 1])
        free = ~np.isin(keys, refused)
        edges, keys = edges[free], keys[free]
        cost, target = _costs(points, quadrics, edges)
        asked = _apart(edges, cost, len(points))[: max(1, (len(corners) - most + 1) // 2)]
        chosen = _sound(points, corners, edges, target, asked)
        if not len(chosen) and not len(refused):
            break
        refused = np.concatenate([refused, np.setdiff1d(keys[asked], keys[chosen])]) if len(chosen) else refused[:0]
        if not len(chosen):
            continue
        u, v = edges[chosen].T
        points[u] = target[chosen]
        quadrics[u] += quadrics[v]
        to = np.arange(len(points))
        to[v] = u
        stands, corners = to[stands], to[corners]
        a, b, c = corners.T
        real = (a != b) & (b != c) & (c != a)
        corners, alive = corners[real], alive[real]
    return (alive, corners), points, stands


def _quadrics(points: Array, corners: AnyArray, paint: AnyArray) -> Array:
    """Of every point, shape (n, 10): the upper half of a symmetric matrix by rows."""
    a, b, c = (points[corners[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    double = np.linalg.norm(normal, axis=1)
    unit = normal / np.where(double > 0, double, 1.0)[:, None]
    found = _planes(len(points), corners, unit, a, np.where(double > 0, 1.0, 0.0))
    edges, faces = _edges(corners, len(points))
    open_ones = _borders(edges, faces, paint)
    if len(open_ones):
        face, first, second = open_ones.T
        way = points[second] - points[first]
        aside = np.cross(way, unit[face])
        size = np.linalg.norm(aside, axis=1, keepdims=True)
        aside = aside / np.where(size > 0, size, 1.0)
        found += _planes(
            len(points), np.stack([first, second], axis=1), aside, points[first], np.full(len(face), BORDER)
        )
    return found


def _planes(count: int, corners: AnyArray, unit: Array, at: Array, weight: Array) -> Array:
    d = -np.einsum("ij,ij->i", unit, at)
    rows = np.column_stack([unit, d])
    found = np.empty((count, 10))
    for k, (i, j) in enumerate(zip(*np.triu_indices(4), strict=True)):
        part = weight * rows[:, i] * rows[:, j]
        found[:, k] = sum(np.bincount(corners[:, side], part, count) for side in range(corners.shape[1]))
    return found


def _edges(corners: AnyArray, count: int) -> tuple[AnyArray, tuple[AnyArray, AnyArray, AnyArray]]:
    """All edges once, the smaller number first; and for every side of a triangle: its edge, its triangle, its order."""
    sides = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    low, high = sides.min(axis=1), sides.max(axis=1)
    keys, inverse = np.unique(low * count + high, return_inverse=True)
    edges = np.stack([keys // count, keys % count], axis=1)
    return edges, (inverse, np.tile(np.arange(len(corners)), 3), sides)


def _borders(edges: AnyArray, faces: tuple[AnyArray, AnyArray, AnyArray], paint: AnyArray) -> AnyArray:
    """Sides of triangles that lie at an open edge or at one between colours: triangle, first and second point."""
    edge, face, sides = faces
    uses = np.bincount(edge, minlength=len(edges))
    low = np.full(len(edges), np.iinfo(np.int64).max)
    high = np.full(len(edges), -1)
    np.minimum.at(low, edge, paint[face])
    np.maximum.at(high, edge, paint[face])
    at = np.flatnonzero((uses[edge] == 1) | (low[edge] != high[edge]))
    return np.column_stack([face[at], sides[at]])


def _costs(points: Array, quadrics: Array, edges: AnyArray) -> tuple[Array, Array]:
    """What the collapse of every edge costs, and where it goes: where it costs least, its middle, or an end."""
    u, v = edges.T
    Q = quadrics[u] + quadrics[v]
    a, b = points[u], points[v]
    best = np.full(len(edges), np.inf)
    target = np.empty((len(edges), 3))
    for place in (_lowest(Q, a, b), 0.5 * (a + b), a, b):
        x, y, z = place.T
        cost = (
            Q[:, 0] * x * x
            + Q[:, 4] * y * y
            + Q[:, 7] * z * z
            + Q[:, 9]
            + 2 * (Q[:, 1] * x * y + Q[:, 2] * x * z + Q[:, 3] * x + Q[:, 5] * y * z + Q[:, 6] * y + Q[:, 8] * z)
        )
        better = cost < best
        best[better], target[better] = cost[better], place[better]
    # Among equal ones, as on flat faces, short edges first.
    return best + 1e-9 * np.einsum("ij,ij->i", b - a, b - a), target


def _lowest(Q: Array, a: Array, b: Array) -> Array:
    """Where quadrics are lowest, near the edges from a to b: the middle where that is not one place (Cramer's rule)."""
    rows = [Q[:, [0, 1, 2]], Q[:, [1, 4, 5]], Q[:, [2, 5, 7]]]
    right = -Q[:, [3, 6, 8]]
    minors = [np.cross(rows[1], rows[2]), np.cross(rows[2], rows[0]), np.cross(rows[0], rows[1])]
    whole = np.einsum("ij,ij->i", rows[0], minors[0])
    clear = np.abs(whole) > 1e-4 * np.maximum(Q[:, 0] + Q[:, 4] + Q[:, 7], 1e-300) ** 3
    found = sum(right[:, [k]] * minors[k] for k in range(3)) / np.where(clear, whole, 1.0)[:, None]
    middle = 0.5 * (a + b)
    near = clear & (np.linalg.norm(found - middle, axis=1) < np.linalg.norm(b - a, axis=1))
    return np.asarray(np.where(near[:, None], found, middle))


def _apart(edges: AnyArray, cost: Array, count: int) -> AnyArray:
    """Edges that cost less than all others at their ends, the cheapest first; of the dearer half none."""
    order = np.argsort(cost, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    least = np.full(count, len(order))
    for side in (0, 1):
        np.minimum.at(least, edges[:, side], rank)
    mine = (least[edges[:, 0]] == rank) & (least[edges[:, 1]] == rank) & (rank <= len(order) // 2)
    chosen = np.flatnonzero(mine)
    return chosen[np.argsort(rank[chosen], kind="stable")]


def _sound(points: Array, corners: AnyArray, edges: AnyArray, target: Array, chosen: AnyArray) -> AnyArray:
    """The collapses that turn no triangle over."""
    u, v = edges[chosen].T
    after = points.copy()
    after[u] = after[v] = target[chosen]
    owner = np.full(len(points), -1)
    owner[u] = owner[v] = np.arange(len(chosen))
    mine = owner[corners]
    touched = np.flatnonzero((mine >= 0).any(axis=1))
    some, of = corners[touched], mine[touched]
    gone = np.zeros(len(some), dtype=bool)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        gone |= (of[:, i] >= 0) & (of[:, i] == of[:, j])

    def normals(at: Array) -> Array:
        a, b, c = (at[some[:, k]] for k in range(3))
        return np.cross(b - a, c - a)

    old, new = normals(points), normals(after)
    sizes = np.linalg.norm(old, axis=1) * np.linalg.norm(new, axis=1)
    turned = ~gone & (np.einsum("ij,ij->i", old, new) < LEAST_TURN * sizes)
    bad = np.unique(of[turned])
    good = np.ones(len(chosen), dtype=bool)
    good[bad[bad >= 0]] = False
    return chosen[good]


def _deviation(points: Array, shown: Array, corners: AnyArray, stands: AnyArray, starts: AnyArray) -> float:
    """The largest distance of a point that was to the surface that is.

    Distances to the triangles about the point that stands for it now are no smaller; the largest of them are found anew
    among all triangles of their mesh, whose points begin at `starts`, until the largest of all is such a one.
    """
    far = _bounds(points, shown, corners, stands)
    triangles = shown[corners]
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    exact = np.zeros(len(far), dtype=bool)
    for _ in range(MOST_EXACT):
        at = int(np.argmax(far))
        if exact[at] or not len(triangles):
            break
        # A nearer triangle reaches into the cube about the point.
        mesh = int(np.searchsorted(starts, at, side="right")) - 1
        mine = (corners[:, 0] >= starts[mesh]) & (corners[:, 0] < starts[mesh + 1])
        near = mine & ((low <= points[at] + far[at]) & (high >= points[at] - far[at])).all(axis=1)
        some = triangles[near]
        if len(some):
            far[at] = min(far[at], float(_distance(np.broadcast_to(points[at], (len(some), 3)), some).min()))
        exact[at] = True
    return float(far.max(initial=0.0))


def _bounds(points: Array, shown: Array, corners: AnyArray, stands: AnyArray) -> Array:
    """Of every point the distance to the triangles about the one that stands for it now."""
    order = np.argsort(corners.ravel(), kind="stable")
    faces = order // 3
    starts = np.searchsorted(corners.ravel()[order], np.arange(len(points) + 1))
    found = np.zeros(len(points))
    for begin in range(0, len(points), CHUNK):
        some = np.arange(begin, min(begin + CHUNK, len(points)))
        to = stands[some]
        counts = starts[to + 1] - starts[to]
        alone = counts == 0
        # What has vanished with all its triangles is as far as its last point at first.
        found[some[alone]] = np.linalg.norm(points[some[alone]] - shown[to[alone]], axis=1)
        some, to, counts = some[~alone], to[~alone], counts[~alone]
        if not len(some):
            continue
        ends = np.cumsum(counts)
        within = np.arange(ends[-1]) - np.repeat(ends - counts, counts)
        face = faces[np.repeat(starts[to], counts) + within]
        triangle = shown[corners[face]]
        far = _distance(np.repeat(points[some], counts, axis=0), triangle)
        found[some] = np.minimum.reduceat(far, ends - counts)
    return found


def _distance(p: Array, triangle: NDArray[np.float64]) -> Array:
    """From points to triangles, one each: to the plane where the foot is inside, else to the nearest side."""
    a, b, c = triangle[:, 0], triangle[:, 1], triangle[:, 2]

    def dot(u: Array, v: Array) -> Array:
        return np.asarray(np.einsum("ij,ij->i", u, v))

    def side(q: Array, r: Array) -> Array:
        way = r - q
        share = np.clip(dot(p - q, way) / np.maximum(dot(way, way), 1e-300), 0.0, 1.0)
        return np.asarray(np.linalg.norm(p - q - share[:, None] * way, axis=1))

    least = np.minimum(np.minimum(side(a, b), side(b, c)), side(c, a))
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    unit = normal / np.maximum(size, 1e-300)[:, None]
    inside = size > 0
    for q, r in ((a, b), (b, c), (c, a)):
        inside &= dot(np.cross(r - q, p - q), unit) >= 0
    return np.where(inside, np.minimum(np.abs(dot(p - a, unit)), least), least)
