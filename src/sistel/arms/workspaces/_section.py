"""Which points of a grid a frame reaches: postures spread over the limits, brought into the plane, then searches."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.records import mutable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arms.workspaces._chain import Chain
    from sistel.arms.workspaces._plane import Plane
    from sistel.arrays import Array, Flags, Whole

    Tick = Callable[[float], None]

RESTARTS: Final = 60
"""Attempts, after the first, to reach a point next to one that is reached."""
FEW: Final = 3
"""As many while a segment is halved; what comes out is put to the test."""


@mutable
class Nodes:
    """Points of a grid, those that are reached with a posture each."""

    axes: tuple[Array, ...]
    """Coordinates along each axis of the grid, the first axis of arrays first [m]."""
    places: Callable[[Array], Array]
    """Points of the grid, shape (..., axes), to places in the world [m]."""
    inside: Flags
    q: Array
    """Postures, shape (..., nq), not a number where there is none."""

    @property
    def step(self) -> float:
        """Between neighbours [m]."""
        return float(self.axes[0][1] - self.axes[0][0])

    def points(self, index: Whole) -> Array:
        """Coordinates of nodes by their numbers, shape (rows, axes), in the order of the axes of arrays."""
        return np.stack([axis[index[:, k]] for k, axis in enumerate(self.axes)], axis=-1)


def into_plane(chain: Chain, plane: Plane, q: Array) -> tuple[Array, Array]:
    """Postures brought into a plane, each by one of its coordinates, and their places.

    The distance of a frame from a plane is A cos θ + B sin θ + C in an angle and linear in a slide, so this takes no
    search. The coordinates take turns; both angles are kept.

    Returns:
        Postures, shape (rows, nq), and places in the plane, shape (rows, 2) [m].
    """
    found = chain.columns(q)
    n = plane.normal
    gap = (found.p - plane.point) @ n
    if chain.dimension < 3 and np.abs(gap).max() < 1e-9 * chain.size:
        return q, plane.into(found.p)
    movable = np.flatnonzero(np.abs(np.einsum("k,rkj->rj", n, found.v)).max(axis=0) > 1e-9 * chain.size)
    if not len(movable):
        return q[:0], np.zeros((0, 2))
    j = movable[np.arange(len(q)) % len(movable)]
    rows = np.arange(len(q))
    w, v, turns = found.w[rows, :, j], found.v[rows, :, j], chain.turns[j]
    # p(δ) = p + sin δ · v + (1 − cos δ) · w × v for a turn by δ, as w is of length 1.
    side = np.cross(w, v)
    B, A = v @ n, -(side @ n)
    with np.errstate(divide="ignore", invalid="ignore"):
        size, middle = np.hypot(A, B), np.arctan2(B, A)
        spread = np.arccos((A - gap) / size)
        moves = np.stack([np.where(turns, middle + sign * spread, -gap / B) for sign in (1.0, -1.0)])
    made, points = [], []
    for k, delta in enumerate(moves):
        good = np.isfinite(delta) & (turns | (k == 0))
        x = q[good][:, chain.places]
        x[np.arange(len(x)), j[good]] += delta[good]
        x, fits = chain.into_limits(x)
        d, turn = delta[good], turns[good]
        moved = np.where(
            turn[:, None], np.sin(d)[:, None] * v[good] + (1.0 - np.cos(d))[:, None] * side[good], d[:, None] * v[good]
        )
        full = q[good].copy()
        full[:, chain.places] = x
        made.append(full[fits])
        points.append(plane.into((found.p[good] + moved)[fits]))
    return np.concatenate(made), np.concatenate(points)


def mark(nodes: Nodes, q: Array, points: Array, best: Array, costs: Array | None = None) -> None:
    """Keep, for every node, the posture whose place is nearest, if it is within half a step of it in each axis.

    Args:
        nodes: The grid; postures are put in, `inside` stays.
        q: Postures, shape (rows, nq).
        points: Their places on the grid, shape (rows, axes), in the order of the axes of arrays [m].
        best: Squares of distances so far, of the shape of the grid.
        costs: What is kept the least of instead, shape (rows,).
    """
    first = np.array([axis[0] for axis in nodes.axes])
    index = np.rint((points - first) / nodes.step).astype(int)
    fits = np.all((index >= 0) & (index < best.shape), axis=1)
    index, points, q = index[fits], points[fits], q[fits]
    far = ((points - nodes.points(index)) ** 2).sum(axis=1) if costs is None else costs[fits]
    flat = np.ravel_multi_index(tuple(index.T), best.shape)
    order = np.lexsort((far, flat))
    flat, far, q = flat[order], far[order], q[order]
    keep = np.r_[True, flat[1:] != flat[:-1]] if len(flat) else np.zeros(0, dtype=bool)
    flat, far, q = flat[keep], far[keep], q[keep]
    better = far < best.ravel()[flat]
    best.ravel()[flat[better]] = far[better]
    nodes.q.reshape(-1, nodes.q.shape[-1])[flat[better]] = q[better]


def settle(chain: Chain, nodes: Nodes, tolerance: float, tick: Tick, care: int = RESTARTS) -> None:
    """Decide which nodes are reached: those near a known posture, then neighbours of what is reached, until none is.

    Args:
        chain: The frame.
        nodes: The grid with postures near its nodes; both are changed.
        tolerance: Greatest distance that is none [m].
        tick: Called now and then with the part that is done.
        care: Attempts after the first, for nodes beside reached ones.
    """
    known = np.argwhere(np.isfinite(nodes.q[..., 0]))
    _reach(chain, nodes, known, nodes.q[tuple(known.T)], tolerance, 0)
    tick(0.3)
    tried = np.zeros(nodes.inside.shape, dtype=np.int8)
    for wave in range(max(nodes.inside.shape)):
        front, seeds = _front(nodes, tried)
        if not len(front):
            break
        tried[tuple(front.T)] += 1
        _reach(chain, nodes, front, seeds, tolerance, care)
        tick(0.3 + 0.4 * (1.0 - 0.5 ** (wave + 1)))


def _reach(chain: Chain, nodes: Nodes, index: Whole, seeds: Array, tolerance: float, restarts: int) -> None:
    q, good = chain.solve(nodes.places(nodes.points(index)), seeds, tolerance=tolerance, restarts=restarts)
    where = tuple(index.T)
    nodes.inside[where] |= good
    nodes.q[where] = np.where(good[:, None], q, np.where(nodes.inside[where][:, None], nodes.q[where], np.nan))


def _front(nodes: Nodes, tried: NDArray[np.int8]) -> tuple[Whole, Array]:
    """Nodes beside those that are reached, with the posture of such a neighbour; each is tried twice at most."""
    dimensions = nodes.inside.ndim
    seen = np.zeros(nodes.inside.shape, dtype=bool)
    seeds = np.full(nodes.q.shape, np.nan)
    for axis in range(dimensions):
        for side in (1, -1):
            here, there = [slice(None)] * dimensions, [slice(None)] * dimensions
            here[axis], there[axis] = (slice(1, None), slice(None, -1))[:: 1 if side > 0 else -1]
            a, b = tuple(here), tuple(there)
            # From one side first, from another if that was in vain.
            fresh = nodes.inside[b] & ~nodes.inside[a] & (~seen[a] | (tried[a] > 0)) & (tried[a] < 2)
            seen[a] |= fresh
            seeds[a][fresh] = nodes.q[b][fresh]
    index = np.argwhere(seen)
    return index, seeds[tuple(index.T)]


def cut(
    chain: Chain,
    begin: Array,
    end: Array,
    q: Array,
    places: Callable[[Array], Array],
    tolerance: float,
    care: int = RESTARTS,
) -> tuple[Array, Array]:
    """Where segments from reached points to others leave the reached, by halving.

    What is found is put to the test: a point a little beyond, tried from many more postures. Where that is reached
    after all, the rest of the segment is halved again with as much care.

    Args:
        chain: The frame.
        begin: Reached points, shape (rows, axes) [m].
        end: Points that are not reached.
        q: Postures that reach the first, shape (rows, nq).
        places: Points to places in the world.
        tolerance: How near the last reached point is wanted [m].
        care: Attempts of the test, after the first.

    Returns:
        Points, shape (rows, axes), and the postures of the last that was reached.
    """
    a, last = _halved(chain, begin, end, q, places, tolerance, FEW)
    length = np.linalg.norm(end - a, axis=1)
    beyond = a + (end - a) * np.minimum(1.0, 3.0 * tolerance / np.maximum(length, tolerance))[:, None]
    tried, good = chain.solve(places(beyond), last, tolerance=0.2 * tolerance, restarts=care)
    good &= length > 6.0 * tolerance
    if good.any():
        a[good], last[good] = _halved(chain, beyond[good], end[good], tried[good], places, tolerance, care)
    return a, last


def _halved(
    chain: Chain, a: Array, b: Array, q: Array, places: Callable[[Array], Array], tolerance: float, restarts: int
) -> tuple[Array, Array]:
    a, b, q = a.copy(), b.copy(), q.copy()
    longest = float(np.linalg.norm(b - a, axis=1).max(initial=0.0))
    for _ in range(max(1, math.ceil(math.log2(max(longest / tolerance, 2.0))))):
        middle = 0.5 * (a + b)
        tried, good = chain.solve(places(middle), q, tolerance=0.2 * tolerance, restarts=restarts)
        a[good], q[good] = middle[good], tried[good]
        b[~good] = middle[~good]
    return 0.5 * (a + b), q
