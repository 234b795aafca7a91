"""A coordinate along a run as short polynomials of low degree, with what that leaves out."""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import entry

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation import Run


DEGREE = 5
SPLITS = 12
"""How often a step may be halved; what is left out then is counted all the same."""
_BERNSTEIN = np.array(
    [[comb(j, k) / comb(DEGREE, k) if k <= j else 0.0 for k in range(DEGREE + 1)] for j in range(DEGREE + 1)]
)
"""From the coefficients of a polynomial on [0, 1] to those of Bernstein, between which all its values lie."""


Times = tuple[float, ...]
"""[s]"""


@entry
class Pieces:
    """A function of time: in every piece a polynomial of the time since its beginning."""

    begin: Array
    """When every piece begins, shape (n,) [s]."""
    length: Array
    c: Array
    """Shape (n, DEGREE + 1)."""
    tail: Array
    """How far the function is from its polynomial at most, shape (n,)."""
    edges: Times
    """When something happens."""
    jumps: Times
    """Those of them at which the function itself jumps."""

    @property
    def end(self) -> float:
        """When the last piece ends [s]."""
        return float(self.begin[-1] + self.length[-1])

    def at(self, t: float, side: int = 1) -> float:
        """The value at a time; where it jumps, that after it, or with side = -1 that before it."""
        place = int(np.searchsorted(self.begin, t, side="right" if side > 0 else "left")) - 1
        place = min(max(place, 0), len(self.begin) - 1)
        total, h = 0.0, t - float(self.begin[place])
        for k in range(DEGREE, -1, -1):
            total = total * h + float(self.c[place, k])
        return total

    def distance(self, a: float, b: float, cubic: tuple[float, float, float, float]) -> float:
        """A bound of |f(t) − p((t − a) / (b − a))| over a < t < b; p by its coefficients, from the constant on.

        On every piece the difference is a polynomial; in Bernstein's form it lies between its coefficients.
        """
        first = max(int(np.searchsorted(self.begin, a, side="right")) - 1, 0)
        last = max(int(np.searchsorted(self.begin, b, side="left")), first + 1)
        begin, c = self.begin[first:last], self.c[first:last].copy()
        low = np.maximum(a - begin, 0.0)
        high = np.minimum(b - begin, self.length[first:last])
        if last == len(self.begin):
            high[-1] = b - begin[-1]
        if low[0] > 0.0:
            shift(c[:1], low[:1])
        # The cubic, of the time since the beginning of every piece.
        whole = b - a
        s = (begin + low - a) / whole
        p0, p1, p2, p3 = cubic
        c[:, 0] -= p0 + s * (p1 + s * (p2 + s * p3))
        c[:, 1] -= (p1 + s * (2 * p2 + s * 3 * p3)) / whole
        c[:, 2] -= (p2 + s * 3 * p3) / whole**2
        c[:, 3] -= p3 / whole**3
        size = np.maximum(high - low, 0.0)
        power = np.ones_like(size)
        for k in range(DEGREE + 1):
            c[:, k] *= power
            power = power * size
        return float((np.abs(c @ _BERNSTEIN.T).max(axis=1) + self.tail[first:last]).max())

    def turns(self, least: float) -> list[float]:
        """Times at which the function turns back by more than `least` on both sides [s]."""
        k = np.arange(1, DEGREE + 1)
        slopes = self.c[:, 1:] * k

        def slope(h: Array) -> Array:
            total = slopes[:, -1]
            for i in range(DEGREE - 2, -1, -1):
                total = total * h + slopes[:, i]
            return total

        low, high = np.zeros(len(self.begin)), self.length.copy()
        one, two = slope(low), slope(high)
        inner = one * two < 0.0
        for _ in range(40):
            middle = (low + high) / 2
            same = one * slope(middle) > 0.0
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        inside = [float(t) for t in (self.begin + low)[inner]]
        # Where pieces meet, slopes may change their sign too.
        between = [float(t) for t in self.begin[1:][two[:-1] * one[1:] <= 0.0]]
        found = sorted({*inside, *between, *self.edges})
        kept: list[float] = []
        before = self.at(float(self.begin[0]))
        for place, t in enumerate(found):
            here = self.at(t)
            after = self.at(found[place + 1]) if place + 1 < len(found) else self.at(self.end, -1)
            if abs(here - before) > least and abs(after - here) > least and (here - before) * (after - here) < 0.0:
                kept.append(t)
                before = here
        return kept


def shift(c: Array, by: Array) -> None:
    """Expand polynomials about another point, in place."""
    n = c.shape[1]
    for i in range(n - 1):
        for k in range(n - 2, i - 1, -1):
            c[:, k] += by * c[:, k + 1]


def along(run: Run, gains: Mapping[int, float], constant: float, fine: float) -> Pieces:
    """A combination of coordinates along a run.

    Args:
        run: A run with steps.
        gains: By the places of the coordinates.
        constant: What is added.
        fine: How much of the function its polynomials may leave out.
    """
    from sistel.simulation import joined

    whole = joined(run.segments)
    sizes = np.array([len(segment.times) for segment in run.segments])
    begin, length = whole.times[:, 0].copy(), whole.times[:, 1].copy()
    last = np.cumsum(sizes) - 1
    # Steps of a stay follow each other without a gap, whatever rounding says.
    inner = np.ones(len(begin), dtype=bool)
    inner[last] = False
    length[inner] = begin[1:][inner[:-1]] - begin[inner]
    c = np.zeros((len(begin), max(whole.coefficients.shape[2], DEGREE + 1)))
    for place, gain in gains.items():
        c[:, : whole.coefficients.shape[2]] += gain * whole.coefficients[:, place]
    c[:, 0] += constant
    edges, jumps = [], []
    for place in last[:-1].tolist():
        t = float(begin[place + 1])
        h, before = float(length[place]), 0.0
        for k in range(c.shape[1] - 1, -1, -1):
            before = before * h + float(c[place, k])
        edges.append(t)
        if abs(before - float(c[place + 1, 0])) > fine:
            jumps.append(t)
    begin, length, c, tail = _lowered(begin, length, c, fine)
    return Pieces(begin, length, c, tail, tuple(edges), tuple(jumps))


def _lowered(begin: Array, length: Array, c: Array, fine: float) -> tuple[Array, Array, Array, Array]:
    """Steps divided until their higher powers do not count."""
    done: list[tuple[Array, Array, Array, Array]] = []
    for round_ in range(SPLITS + 1):
        tail = np.zeros(len(begin))
        for k in range(c.shape[1] - 1, DEGREE, -1):
            tail = (tail + np.abs(c[:, k])) * length
        tail *= length**DEGREE
        good = (tail <= fine) | (round_ == SPLITS)
        done.append((begin[good], length[good], c[good, : DEGREE + 1], tail[good]))
        if good.all():
            break
        begin, length, c = begin[~good], length[~good] / 2, c[~good]
        other = c.copy()
        shift(other, length)
        begin, length, c = np.append(begin, begin + length), np.append(length, length), np.concatenate([c, other])
    begin, length, c, tail = (np.concatenate(parts) for parts in zip(*done, strict=True))
    order = np.argsort(begin, kind="stable")
    return begin[order], length[order], c[order], tail[order]
