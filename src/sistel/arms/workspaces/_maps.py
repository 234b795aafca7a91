"""A measure over a section: the best of the postures that reach each of its points."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.arms.workspaces._section import Nodes, into_plane, mark
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arms.workspaces._chain import Chain
    from sistel.arms.workspaces._plane import Plane
    from sistel.arrays import Array, Indices
    from sistel.errors import Text

    Measure = Callable[[Array], Array]

DRAWS: Final = 4
"""How many times postures are drawn; of each draw, the best near every point is kept."""
SAMPLES: Final = 60_000
"""Postures of each draw."""
FAR: Final = (16, 4, 1)
"""From how far points take the postures of others, each way: far ones first, so that what is good spreads at once."""
NUDGES: Final = 36
"""How many times postures of arms that have more coordinates than they need are moved a little without leaving."""
REACH: Final = 0.4
"""By how much at first [rad or m]."""


@record
class SectionMap:
    """A measure at the points of a section."""

    what: str
    """"reach", "manipulability" or "capacity"."""
    label: Text
    """What it is, without its unit."""
    unit: str
    """In letters of English: "m³", "kg"; empty for plain numbers."""
    values: Array
    """Shape (rows, columns), not a number where the frame does not reach."""
    q: Array
    """Postures with those values, shape (rows, columns, nq)."""

    @property
    def best(self) -> float:
        """The greatest value."""
        return float(np.nanmax(self.values)) if np.isfinite(self.values).any() else math.nan


def best_over(
    chain: Chain,
    plane: Plane,
    nodes: Nodes,
    measure: Measure,
    tolerance: float,
    spare: bool,
    tick: Callable[[float], None],
) -> tuple[Array, Array]:
    """The greatest value of a measure at every point that is reached, over postures that reach it, and the postures.

    Postures are drawn all over the limits and brought to the points; then points try what is best at their
    neighbours, which carries a branch over all that it reaches; then postures with coordinates to spare climb. What is
    found can only be below the truth.

    Args:
        chain: The frame.
        plane: Of the section.
        nodes: What is reached.
        measure: Of postures, shape (rows, nq), not a number where there is none.
        tolerance: Greatest distance that is none [m].
        spare: Whether the measure depends on coordinates that a point leaves free.
        tick: Called now and then with the part that is done.
    """
    index = np.argwhere(nodes.inside)
    number = np.full(nodes.inside.shape, -1)
    number[tuple(index.T)] = np.arange(len(index))
    places = nodes.places(nodes.points(index))
    q = nodes.q[tuple(index.T)].copy()
    score = _plain(measure(q)) if len(q) else np.zeros(0)

    def try_(rows: Indices, seeds: Array) -> None:
        if not len(rows):
            return
        found, good = chain.solve(places[rows], seeds, tolerance=tolerance)
        rows, found = rows[good], found[good]
        if len(rows):
            value = _plain(measure(found))
            better = value > score[rows]
            score[rows[better]], q[rows[better]] = value[better], found[better]

    for draw in range(DRAWS):
        drawn, points = into_plane(chain, plane, chain.spread(SAMPLES, seed=draw + 1, edge=0.02))
        near = Nodes(nodes.axes, nodes.places, nodes.inside, np.full(nodes.q.shape, np.nan))
        if len(drawn):
            mark(near, drawn, points[:, ::-1], np.full(nodes.inside.shape, math.inf), -_plain(measure(drawn)))
        rows = np.flatnonzero(np.isfinite(near.q[tuple(index.T)][:, 0]))
        try_(rows, near.q[tuple(index[rows].T)])
        tick(0.5 * (draw + 1) / DRAWS)
    ways = ((0, 1), (1, 0), (0, -1), (-1, 0))

    def beside(way: tuple[int, int], far: int) -> None:
        there = index + np.array(way) * far
        rows = np.flatnonzero(np.all((there >= 0) & (there < nodes.inside.shape), axis=1))
        other = number[tuple(there[rows].T)]
        rows, other = rows[other >= 0], other[other >= 0]
        hopeful = score[other] > score[rows]
        try_(rows[hopeful], q[other[hopeful]])

    for far in (*FAR, *FAR):
        for way in ways:
            beside(way, far)
    tick(0.6)
    if spare:
        rng = np.random.default_rng(1)
        for k in range(NUDGES):
            moved = q.copy()
            moved[:, chain.places] += rng.normal(0.0, REACH * 0.93**k, (len(q), chain.n))
            moved[:, chain.places] = np.clip(moved[:, chain.places], chain.low, chain.high)
            try_(np.arange(len(q)), moved)
            beside(ways[k % 4], FAR[k // 4 % len(FAR)])
            tick(0.6 + 0.4 * (k + 1) / NUDGES)
    values, postures = np.full(nodes.inside.shape, np.nan), np.full(nodes.q.shape, np.nan)
    values[tuple(index.T)] = np.where(np.isfinite(score), score, np.nan)
    postures[tuple(index.T)] = q
    return values, postures


def _plain(values: Array) -> Array:
    """What is no number is below everything."""
    return np.where(np.isfinite(values), values, -math.inf)
