"""Key times of an animation: as few as keep every body within a bound between them."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import record
from sistel.views._joining import join
from sistel.views.x3d._motion import shifts, world_poses
from sistel.views.x3d._springs import End, stretch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.simulation import Run
    from sistel.views._joining import Intervals


BETWEEN = np.array([0.13, 0.29, 0.5, 0.68, 0.87])
"""Where an interval between two keys is looked at; uneven, so that no number of whole turns looks like none."""
MOST_PARTS = 32
"""Into which an interval is divided at once."""
AT_A_TIME = 2048
"""Intervals that are looked at together."""
SHORTEST = 1e-7
"""Of the whole time: the fraction of a viewer has single precision."""


@record
class Bound:
    """How far a body may be from where it is, between keys."""

    place: float
    """Of any of its points [m]."""
    turn: float
    """[rad]"""
    reach: tuple[float, ...]
    """How far from its pole the points of every body are, by its number, the ground first [m]."""
    springs: tuple[tuple[End, End], ...] = ()
    """Ends of springs, which must stay on their bodies as far as those stay where they are."""


def key_states(run: Run, bound: Bound) -> tuple[Array, Array]:
    """Times [s], shape (k,), and coordinates, shape (k, nq), of the keys; where a coordinate jumps, a time is twice."""
    times, states = run.last[-1:], run.last[np.newaxis, : run.model.nq]
    if run.segments:
        steps = _Steps(run)
        shortest = SHORTEST * (run.end - run.begin)
        begin, end, stay = _refined(steps, bound, shortest)
        fixed = np.append(stay[1:] != stay[:-1], True)  # whether the end of an interval must stay a key
        begin, end, stay = join(begin, end, stay, fixed, partial(_excess, steps, bound))
        # Keys where intervals begin, and where stays end.
        closing = np.append(stay[1:] != stay[:-1], True)
        t, owner = np.concatenate([begin, end[closing]]), np.concatenate([stay, stay[closing]])
        order = np.lexsort([t, owner])
        t, owner = t[order], owner[order]
        times, states = np.concatenate([t, times]), np.concatenate([steps.states(t, owner), states])
    # The end of a stay and the beginning of the next are one key unless something jumps.
    same = np.zeros(len(times), dtype=bool)
    same[1:] = (times[1:] <= times[:-1]) & (np.abs(states[1:] - states[:-1]).max(axis=1, initial=0.0) <= 1e-12)
    return times[~same], states[~same]


class _Steps:
    """All steps of a run together, and which of them belong to every stay in a structure."""

    def __init__(self, run: Run) -> None:
        from sistel.simulation import joined

        whole, sizes = joined(run.segments), np.array([len(segment.times) for segment in run.segments])
        self.model = run.model
        self.begins = whole.times[:, 0]
        self.ends = np.append(self.begins[1:], run.segments[-1].end)
        self.last = np.cumsum(sizes) - 1
        self.first = self.last - sizes + 1
        self.stay = np.repeat(np.arange(len(sizes)), sizes)
        self.ends[self.last] = [segment.end for segment in run.segments]
        self._coefficients = whole.coefficients[:, : run.model.nq]

    def states(self, t: Array, stay: NDArray[np.int_]) -> Array:
        """Coordinates at times within stays, both of their ends included."""
        from sistel.simulation import values

        which = np.searchsorted(self.begins, t, side="right") - 1
        which = np.clip(which, self.first[stay], self.last[stay])
        return values(self._coefficients[which], t - self.begins[which])


def _refined(steps: _Steps, bound: Bound, shortest: float) -> Intervals:
    """Steps that are too long are divided, by as much as their error says."""
    begin, end, stay = steps.begins, steps.ends, steps.stay
    kept: list[Intervals] = []
    while len(begin):
        excess = _excess(steps, bound, begin, end, stay)
        done = (excess <= 1.0) | (end - begin <= shortest)
        kept.append((begin[done], end[done], stay[done]))
        # The error of a chord goes with the square of its length.
        count = np.clip(np.ceil(np.sqrt(excess[~done])), 2, MOST_PARTS).astype(int)
        begin, end = _divided(begin[~done], end[~done], count)
        stay = np.repeat(stay[~done], count)
    begin, end, stay = (np.concatenate(parts) for parts in zip(*kept, strict=True))
    order = np.lexsort([begin, stay])
    return begin[order], end[order], stay[order]


def _divided(begin: Array, end: Array, count: NDArray[np.int_]) -> tuple[Array, Array]:
    """Every interval in equal parts, as many as told."""
    owner = np.repeat(np.arange(len(count)), count)
    place = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    begin, end, parts = begin[owner], end[owner], count[owner]
    low = begin + (end - begin) * (place / parts)
    high = np.where(place + 1 == parts, end, begin + (end - begin) * ((place + 1) / parts))
    return low, high


def _excess(steps: _Steps, bound: Bound, begin: Array, end: Array, stay: NDArray[np.int_]) -> Array:
    """The worst error of every interval over what is allowed."""
    found = [np.zeros(0)]
    for i in range(0, len(begin), AT_A_TIME):
        some = slice(i, i + AT_A_TIME)
        found.append(_errors(steps, bound, begin[some], end[some], stay[some]))
    return np.concatenate(found)


def _errors(steps: _Steps, bound: Bound, begin: Array, end: Array, stay: NDArray[np.int_]) -> Array:
    n, m, model = len(begin), len(BETWEEN), steps.model
    inner = (begin[:, None] + (end - begin)[:, None] * BETWEEN).ravel()
    at = steps.states(np.concatenate([begin, end, inner]), np.concatenate([stay, stay, stay.repeat(m)]))
    joints = shifts(model, at)
    share = np.tile(BETWEEN, n)
    guessed = [
        (
            _line(place[:n].repeat(m, axis=0), place[n : 2 * n].repeat(m, axis=0), share),
            slerp(turn[:n].repeat(m, axis=0), turn[n : 2 * n].repeat(m, axis=0), share),
        )
        for place, turn in joints
    ]
    true = world_poses(model, [(place[2 * n :], turn[2 * n :]) for place, turn in joints])
    worst = np.zeros(n * m)
    for reach, (R, p), (S, r) in zip(bound.reach, true, world_poses(model, guessed), strict=True):
        # |R − S| in the norm of Frobenius is 2√2 sin(angle / 2).
        sine = np.minimum(np.linalg.norm(R - S, axis=(1, 2)) / (2 * math.sqrt(2)), 1.0)
        angle = 2 * np.arcsin(sine)
        place_error = np.linalg.norm(p - r, axis=1) + reach * angle
        worst = np.maximum(worst, np.maximum(angle / bound.turn, place_error / bound.place))
    if bound.springs:
        ends = world_poses(model, [(place[: 2 * n], turn[: 2 * n]) for place, turn in joints])
        for first, second in bound.springs:
            held = stretch(first, second, ends)
            a, size = (
                _line(each[:n].repeat(m, axis=0), each[n:].repeat(m, axis=0), share)
                for each in (held.place, held.length[:, None])
            )
            b = great_circle(held.direction[:n].repeat(m, axis=0), held.direction[n:].repeat(m, axis=0), share)
            there = stretch(first, second, true)
            for guess, real in (
                (a, there.place),
                (a + b * size, there.place + there.direction * there.length[:, None]),
            ):
                worst = np.maximum(worst, np.linalg.norm(guess - real, axis=1) / bound.place)
    return np.asarray(worst.reshape(n, m).max(axis=1))


def great_circle(a: Array, b: Array, share: Array) -> Array:
    """Unit vectors between two, by equal angles for equal shares; straight back there is no way."""
    # From the chord, which is exact for small angles, where the cosine is not.
    angle = 2 * np.arcsin(np.minimum(np.linalg.norm(b - a, axis=1) / 2, 1.0))
    sine = np.sin(angle)
    small = sine < 1e-9
    divisor = np.where(small, 1.0, sine)
    first = np.where(small, 1 - share, np.sin((1 - share) * angle) / divisor)
    second = np.where(small, share, np.sin(share * angle) / divisor)
    return np.asarray(first[:, None] * a + second[:, None] * b)


def _line(a: Array, b: Array, share: Array) -> Array:
    return a + (b - a) * share[:, None]


def slerp(a: Array, b: Array, share: Array) -> Array:
    """Turns between two, the short way round, as an OrientationInterpolator goes."""
    dot = np.einsum("ni,ni->n", a, b)
    b = np.where(dot[:, None] < 0.0, -b, b)
    found = great_circle(a, b, share)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True))


def continuous(turn: Array) -> Array:
    """The same turns with signs such that neighbours are near: interpolation never goes the long way round."""
    if len(turn) < 2:
        return turn
    signs = np.where(np.einsum("ni,ni->n", turn[1:], turn[:-1]) < 0.0, -1.0, 1.0)
    return np.asarray(turn * np.concatenate([[1.0], np.cumprod(signs)])[:, None])
