"""The outline of what is reached on a grid: crossings of its edges, joined, and made finer where it is not straight."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.arms.workspaces._section import Nodes, cut

if TYPE_CHECKING:
    from sistel.arms.workspaces._chain import Chain
    from sistel.arrays import Array, Flags


LEVELS: Final = 7
"""How many times a chord is halved at most."""


def outline(chain: Chain, nodes: Nodes, tolerance: float, tick: Callable[[float], None]) -> tuple[list[Array], float]:
    """Closed lines around what is reached, the reached on the left; and about how much area is missed [m²].

    Args:
        chain: The frame.
        nodes: A grid of two axes, up and to the right.
        tolerance: How near points of the lines are to where they should be [m].
        tick: Called now and then with the part that is done.

    Returns:
        Lines without their first point again, shape (k, 2), to the right and up [m].
    """
    crossing = _crossings(chain, nodes, tolerance)
    tick(0.85)
    loops = _joined(nodes.inside)
    lines, missed = [], 0.0
    finer = _Finer(chain, nodes, tolerance)
    for made, error in finer.refine(loops, crossing):
        lines.append(made)
        missed += error
    tick(1.0)
    return lines, missed


class _Crossing:
    """A point where the outline crosses an edge of the grid."""

    __slots__ = ("point", "q")

    def __init__(self, point: Array, q: Array) -> None:
        self.point, self.q = point, q


def _crossings(chain: Chain, nodes: Nodes, tolerance: float) -> dict[tuple[int, int, int], _Crossing]:
    """By row, column and axis of the edge."""
    inside = nodes.inside
    keys, begins, ends, seeds = [], [], [], []
    for axis in (0, 1):
        a = (slice(None, -1), slice(None)) if axis == 0 else (slice(None), slice(None, -1))
        b = (slice(1, None), slice(None)) if axis == 0 else (slice(None), slice(1, None))
        for i, j in np.argwhere(inside[a] != inside[b]):
            here, there = (i, j), (i + (axis == 0), j + (axis == 1))
            if not inside[here]:
                here, there = there, here
            keys.append((int(i), int(j), axis))
            begins.append(here)
            ends.append(there)
            seeds.append(nodes.q[here])
    if not keys:
        return {}
    begin, end = (nodes.points(np.array(index)) for index in (begins, ends))
    points, q = cut(chain, begin, end, np.array(seeds), nodes.places, tolerance)
    return {key: _Crossing(points[k], q[k]) for k, key in enumerate(keys)}


def _joined(inside: Flags) -> list[list[tuple[int, int, int]]]:
    """Closed chains of edges, the inside on the left of the way (x to the right, y up)."""
    after: dict[tuple[int, int, int], tuple[int, int, int]] = {}
    corners = (
        inside[:-1, :-1]
        + 2 * inside[:-1, 1:].astype(int)
        + 4 * inside[1:, 1:].astype(int)
        + 8 * inside[1:, :-1].astype(int)
    )
    for i, j in np.argwhere((corners > 0) & (corners < 15)):
        i, j = int(i), int(j)
        bottom, right, top, left = (i, j, 1), (i, j + 1, 0), (i + 1, j, 1), (i, j, 0)
        # Around the cell, corners at lower left, lower right, upper right, upper left; where two opposite ones are in,
        # they are taken for separate.
        for enter, leave in _PAIRS[int(corners[i, j])]:
            sides = (bottom, right, top, left)
            after[sides[enter]] = sides[leave]
    loops = []
    while after:
        begin, here = next(iter(after.items()))
        loop = [begin]
        del after[begin]
        while here != begin and here in after:
            loop.append(here)
            here = after.pop(here)
        loops.append(loop)
    return loops


_B, _R, _T, _L = 0, 1, 2, 3
_PAIRS: Final = {
    1: ((_B, _L),), 2: ((_R, _B),), 4: ((_T, _R),), 8: ((_L, _T),),
    3: ((_R, _L),), 6: ((_T, _B),), 12: ((_L, _R),), 9: ((_B, _T),),
    14: ((_L, _B),), 13: ((_B, _R),), 11: ((_R, _T),), 7: ((_T, _L),),
    5: ((_B, _L), (_T, _R)), 10: ((_R, _B), (_L, _T)),
}  # fmt: skip
"""By the corners that are in: the sides where the outline comes in and where it leaves."""


class _Finer:
    """Puts points between those of outlines, where chords are not straight enough."""

    def __init__(self, chain: Chain, nodes: Nodes, tolerance: float) -> None:
        self.chain, self.nodes, self.tolerance = chain, nodes, tolerance
        self.good = max(20.0 * tolerance, 1e-3 * nodes.step)

    def refine(
        self, loops: list[list[tuple[int, int, int]]], crossing: dict[tuple[int, int, int], _Crossing]
    ) -> list[tuple[Array, float]]:
        lines = [[crossing[key] for key in loop] for loop in loops]
        errors = [0.0] * len(lines)
        pending = [(k, a, b) for k, line in enumerate(lines) for a, b in zip(line, line[1:] + line[:1], strict=True)]
        between: dict[int, _Crossing] = {}
        for level in range(LEVELS):
            if not pending:
                break
            A, B = np.array([a.point for _, a, _ in pending]), np.array([b.point for _, _, b in pending])
            middle, bulge, q = self.bulges([a for _, a, _ in pending], A, B)
            following = []
            for row, (k, a, b) in enumerate(pending):
                if not np.isfinite(bulge[row]):
                    errors[k] += float(np.linalg.norm(B[row] - A[row])) * self.nodes.step * 0.5 ** (level + 1)
                    continue
                made = _Crossing(middle[row], q[row])
                between[id(a)] = made
                if abs(bulge[row]) > self.good:
                    following += [(k, a, made), (k, made, b)]
                # Of an arc whose chords are halved, a quarter of the height is left on each; a corner leaves a half.
                else:
                    errors[k] += (
                        2.0 / 3.0 * float(np.linalg.norm(B[row] - A[row])) * (0.5 * abs(bulge[row]) + self.tolerance)
                    )
            if level == LEVELS - 1:
                for k, a, b in following:
                    errors[k] += 0.25 * float(np.linalg.norm(b.point - a.point)) ** 2
            pending = following
            lines = [self.threaded(line, between) for line in lines]
            between = {}
        return [(np.array([c.point for c in line])[:, ::-1], error) for line, error in zip(lines, errors, strict=True)]

    @staticmethod
    def threaded(line: list[_Crossing], between: dict[int, _Crossing]) -> list[_Crossing]:
        made = []
        for each in line:
            made.append(each)
            if id(each) in between:
                made.append(between[id(each)])
        return made

    def bulges(self, a: list[_Crossing], A: Array, B: Array) -> tuple[Array, Array, Array]:
        """Points of the outline across the middles of chords, how far they are from them, and postures."""
        chain, places = self.chain, self.nodes.places
        chord = B - A
        length = np.linalg.norm(chord, axis=1)
        # Points are (up, right); the inside is on the left of the way.
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.stack([chord[:, 1], -chord[:, 0]], axis=1) / length[:, None]
        middle = 0.5 * (A + B)
        reach = 0.75 * length
        q = np.array([each.q for each in a])
        short = length > 4.0 * self.tolerance
        found = np.full(len(A), np.nan)
        points, posture = middle.copy(), q.copy()
        rows = np.flatnonzero(short)
        at, reached = chain.solve(places(middle[rows]), q[rows], tolerance=0.2 * self.tolerance, restarts=40)
        q[rows] = np.where(reached[:, None], at, q[rows])
        # Out from a middle that is reached; in, by and by, from one that is not.
        for outward in (True, False):
            some = rows[reached] if outward else rows[~reached]
            if not len(some):
                continue
            sign = -1.0 if outward else 1.0
            far = middle[some] + sign * reach[some, None] * left[some]
            begin, end, seeds = (middle[some], far, q[some]) if outward else (far, middle[some], q[some])
            target, seeds = (end, seeds) if outward else (begin, seeds)
            other, ok = chain.solve(places(target), seeds, tolerance=0.2 * self.tolerance, restarts=40)
            good = ~ok if outward else ok
            some, begin, end = some[good], begin[good], end[good]
            point, last = cut(chain, begin, end, seeds[good] if outward else other[good], places, self.tolerance)
            points[some], posture[some] = point, last
            found[some] = np.einsum("rk,rk->r", point - middle[some], left[some])
        found[~short] = np.nan
        return points, found, posture


def area_of(lines: list[Array]) -> float:
    """Area within closed lines, holes taken off [m²]."""
    total = 0.0
    for line in lines:
        x, y = line[:, 0], line[:, 1]
        total += 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
    return total


def moment_of(lines: list[Array], axis_at: float) -> float:
    """The integral of the distance from a line x = axis_at, over what is within closed lines [m³]."""
    total = 0.0
    for line in lines:
        r, z = line[:, 0] - axis_at, line[:, 1]
        after, rise = np.roll(r, -1), np.roll(z, -1) - z
        step = after - r
        with np.errstate(divide="ignore", invalid="ignore"):
            mean = np.where(np.abs(step) > 1e-9, (np.abs(after) ** 3 - np.abs(r) ** 3) / (3.0 * step), r * np.abs(r))
        # Green: ½ r|r| has |r| for its derivative.
        total += 0.5 * float(np.sum(mean * rise))
    return total
