"""Curves of a run: its polynomials as broken lines that differ from them by less than the eye can see."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import entry

if TYPE_CHECKING:
    from sistel.arrays import Array, Flags, Indices
    from sistel.simulation import Run


SAGS = 0.03
"""How far the middle of a chord may lie from the curve [px]."""
THIN = 0.05
"""How far the points that are left out may lie from the line that is drawn [px]; with `SAGS` less than 0.1."""
LONG = 0.5
"""Steps shorter than this are drawn as straight lines [px]."""
DEPTH = 14
"""Times a chord is halved."""
STAYS, MOSTLY, STRIKES = 0.6, 1.3, 2
"""Halving leaves more than this part of what chords are off, in so many times as many chords, so many times in
succession: then it is rounding."""
CROWDED = 16
"""Points in a column of pixels of which only the extremes are kept."""


@entry
class Curves:
    """Samples of several curves at the same times; the instant of an event is there twice."""

    t: Array
    """Shape (n,) [s]."""
    y: Array
    """Shape (n, curves)."""


class Sampler:
    """Values along a run of what the states give, energies and expressions."""

    def __init__(self, run: Run, quantities: Sequence[str] = ()) -> None:
        """Nothing is computed yet.

        Args:
            run: The run.
            quantities: Expressions of the language.

        Raises:
            SistelError: An expression is wrong.
        """
        from sistel.simulation import read_expression

        self.run = run
        self.expressions = [read_expression(run.engine, text) for text in quantities]

    def at(self, states: Array, structures: Indices, rates: Array) -> Array:
        """Coordinates, velocities, both energies and the expressions, for states in structures by number.

        Args:
            states: Shape (n, size).
            structures: Their numbers among `Run.names`.
            rates: Accelerations there.
        """
        from sistel.simulation import along, recalled

        run, model = self.run, self.run.model
        nq, nv = model.nq, model.nv
        energies = np.stack(run.engine.energies(states[:, :nq], states[:, nq : nq + nv]), axis=1)
        more = np.zeros((len(states), len(self.expressions)))
        if self.expressions:
            names = run.names[structures]
            for name in np.unique(names):
                here, structure = names == name, run.engine.automaton.structure(str(name))
                for i, expression in enumerate(self.expressions):
                    full = recalled(run, expression, states[here], structures[here])
                    more[here, i] = along(run.engine, structure, expression, full, rates[here])
        return np.hstack([states[:, : nq + nv], energies, more])

    def columns(self) -> int:
        """How many curves there are."""
        return self.run.model.nq + self.run.model.nv + 2 + len(self.expressions)


def sample(sampler: Sampler, width: float, height: float) -> Curves:
    """Curves whose chords follow the run, on a plot of a size [px] that holds every curve's whole range.

    The chords of every step that is long enough to be seen are halved until their middles lie on the curves.
    """
    from sistel.simulation import values

    run = sampler.run
    states, places = run.states()
    t, y = states[:, -1], sampler.at(states, places, run.rates())
    owner, begins, lengths, coefficients = _long_steps(run, LONG * (run.end - run.begin) / width)
    if not owner.size:
        return Curves(t, y)
    spans = np.ptp(y, axis=0)
    new_key, new_part, new_t, new_y = [], [], [], []
    # Quarters first: a wave may pass zero in the middle of a step.
    which = np.repeat(np.arange(len(owner)), 4)
    low, high = np.tile([0.0, 0.25, 0.5, 0.75], len(owner)), np.tile([0.25, 0.5, 0.75, 1.0], len(owner))
    inner = np.flatnonzero(low > 0.0)

    def at(which: Indices, part: Array) -> Array:
        now = values(coefficients[which], part * lengths[which])
        return sampler.at(now, places[owner[which]], run.rates(now[:, -1]))

    def keep(which: Indices, part: Array, found: Array) -> None:
        new_key.append(owner[which])
        new_part.append(part)
        new_t.append(begins[which] + part * lengths[which])
        new_y.append(found)

    found = at(which[inner], low[inner])
    keep(which[inner], low[inner], found)
    spans = np.maximum(
        spans, np.maximum(y.max(axis=0), found.max(axis=0)) - np.minimum(y.min(axis=0), found.min(axis=0))
    )
    scale = np.where(spans > 0.0, height / np.where(spans > 0.0, spans, 1.0), 0.0)
    left, right = y[owner[which]], y[owner[which] + 1]
    left[inner] = found
    right[np.flatnonzero(high < 1.0)] = found
    noise = _Noise(sampler.columns())
    for _ in range(DEPTH):
        middle = 0.5 * (low + high)
        found = at(which, middle)
        sag = np.abs(found - 0.5 * (left + right)) * scale
        sag[:, noise.seen(sag)] = 0.0
        far = np.flatnonzero(sag.max(axis=1) > SAGS)
        if not far.size:
            break
        which, low, high, middle = which[far], low[far], high[far], middle[far]
        left, right, found = left[far], right[far], found[far]
        keep(which, middle, found)
        which = np.concatenate([which, which])
        low, high = np.concatenate([low, middle]), np.concatenate([middle, high])
        left, right = np.concatenate([left, found]), np.concatenate([found, right])
    key = np.concatenate([np.arange(len(t)), *new_key])
    order = np.lexsort((np.concatenate([np.zeros(len(t)), *new_part]), key))
    return Curves(np.concatenate([t, *new_t])[order], np.concatenate([y, *new_y])[order])


class _Noise:
    """Which curves are the rounding of larger numbers: halving their chords brings the middles no nearer.

    Within a step everything is smooth, so that halving leaves a quarter of what a chord is off. A jump stays as large
    as it is, but in one chord of two; rounding in most of them.
    """

    def __init__(self, columns: int) -> None:
        self._before = np.full(columns, np.inf)
        self._far = np.zeros(columns, dtype=np.intp)
        self._strikes = np.zeros(columns, dtype=np.intp)

    def seen(self, sag: Array) -> Flags:
        """The curves that are found to be rounding by now, from how far off all chords are [px]."""
        off = sag > SAGS
        far = off.sum(axis=0)
        mean = np.where(off, sag, 0.0).sum(axis=0) / np.maximum(far, 1)
        stays = (mean > STAYS * self._before) & (far > MOSTLY * self._far) & (self._far > 0)
        self._strikes = np.where(stays, self._strikes + 1, np.where(self._strikes >= STRIKES, self._strikes, 0))
        self._before, self._far = mean, far
        return self._strikes >= STRIKES


def _long_steps(run: Run, least: float) -> tuple[Indices, Array, Array, Array]:
    """Steps longer than a time [s]: the sample that each begins with, its time, its length and its polynomials."""
    owner: list[Indices] = []
    begins, lengths, rows = [], [], []
    first = 0
    for segment in run.segments:
        long = np.flatnonzero(segment.times[:, 1] > least)
        if long.size:
            owner.append(first + long)
            begins.append(segment.times[long, 0])
            lengths.append(segment.times[long, 1])
            rows.append(segment.coefficients[long])
        first += len(segment.times) + 1
    if not rows:
        return np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros(0), np.zeros((0, 0, 0))
    most = max(row.shape[2] for row in rows)
    padded = [np.pad(row, [(0, 0), (0, 0), (0, most - row.shape[2])]) for row in rows]
    return np.concatenate(owner), np.concatenate(begins), np.concatenate(lengths), np.concatenate(padded)


def thin(x: Array, y: Array, most: float = THIN) -> Indices:
    """Indices of the points of a broken line that are enough of it: the rest lies within `most` above or below.

    From the last point that was kept, the directions are followed from which all points since are near enough; where
    none is left, the point before is kept. Points above each other, at an event, are all kept.

    Args:
        x: Not decreasing, shape (n,) [px].
        y: Shape (n,) [px].
        most: How far a point may lie from the line [px].
    """
    chosen = _extremes(x, y)
    if len(chosen) < 3:
        return chosen
    xs, ys = x[chosen].tolist(), y[chosen].tolist()
    kept = [0]
    x0, y0, low, high = xs[0], ys[0], -np.inf, np.inf
    i = 1
    while i < len(xs):
        run = xs[i] - x0
        if run <= 1e-9:
            # Above or below the point before: a jump. What does not move either is nothing.
            if abs(ys[i] - y0) > 1e-9:
                if kept[-1] != i - 1:
                    kept.append(i - 1)
                kept.append(i)
                y0, low, high = ys[i], -np.inf, np.inf
            i += 1
            continue
        way = (ys[i] - y0) / run
        if low <= way <= high:
            low, high = max(low, (ys[i] - most - y0) / run), min(high, (ys[i] + most - y0) / run)
            i += 1
            continue
        kept.append(i - 1)
        x0, y0, low, high = xs[i - 1], ys[i - 1], -np.inf, np.inf
    if kept[-1] != len(xs) - 1:
        kept.append(len(xs) - 1)
    return chosen[kept]


def _extremes(x: Array, y: Array) -> Indices:
    """Indices without the points that crowd within a column of pixels between its extremes."""
    if len(x) < 3:
        return np.arange(len(x))
    column = np.floor(x).astype(np.int64)
    starts = np.flatnonzero(np.diff(column, prepend=column[0] - 1))
    ends = np.append(starts[1:], len(x))
    if (ends - starts).max() <= CROWDED:
        return np.arange(len(x))
    kept: list[int] = []
    for begin, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if end - begin <= CROWDED:
            kept += range(begin, end)
        else:
            part = y[begin:end]
            kept += sorted({begin, begin + int(part.argmin()), begin + int(part.argmax()), end - 1})
    return np.array(kept)
