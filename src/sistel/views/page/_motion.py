"""A run inside a page: few keys, between which cubics keep every body within a bound of where the run has it.

Within a stay in a structure the coordinates between two keys are Hermite's cubics of the values and rates at both, and
so are the velocities. An interval that is too long is divided; neighbours that need not be apart become one. Only some
of the steps are looked at: a run of a million steps takes no longer than its motion is complicated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.model import Model
from sistel.records import record
from sistel.simulation import joined, values
from sistel.views._joining import join
from sistel.views._page_data import RunKeys
from sistel.views.x3d._motion import shifts, world_poses

if TYPE_CHECKING:
    from sistel.arrays import Array, Flags, Indices
    from sistel.simulation import Run, Segment


BOUND = 0.5e-4
"""How far a body may be from where the run has it, over the size of the system; rounding takes as much again."""
FINE, COARSE = 1e-6, (5e-5, 3e-4)
"""Steps of stored coordinates, over the size of the system; of velocities and of their rates, over their greatest."""
RATE_BOUND = 1e-3
"""The same for velocities, over the greatest of their coordinate in the run: what a plot shows."""
BETWEEN = np.array([0.21, 0.5, 0.81])
"""Where an interval is looked at; uneven, so that no number of whole turns looks like none."""
FIRST = 20_000
"""Intervals to begin with; steps beyond are taken several together."""
AT_A_TIME = 4096
"""Intervals that are looked at together."""
MOST_PARTS = 16
"""Into which an interval is divided at once."""
SHORTEST = 1e-7
"""Of the whole time."""
TOGETHER = 64
"""States that are computed at once: coefficients of more leave the caches of a processor."""
BATCH = 2000
"""Intervals that are made into keys together."""
ROOM = 3_000_000
"""For all keys [bytes]; a run that needs more is shown up to where they end."""
MOST_STAYS = 4000
"""More stays are joined, the shortest with their neighbours."""

SAMPLES = 600
"""States of a run by which windows and sizes are chosen."""


def sampled(run: Run) -> Array:
    """Coordinates at times all over the run, shape (n, nq); the ends of stays are among them."""
    if not run.segments:
        return run.last[np.newaxis, : run.model.nq]
    stays = run.segments[:: max(1, len(run.segments) // SAMPLES)]
    times = np.concatenate([np.linspace(run.begin, run.end, SAMPLES), [stay.begin for stay in stays]])
    return run(np.sort(np.clip(times, run.begin, run.end)))[0]


def structures_in(run: Run) -> list[str]:
    """Names of the structures that a run was in, or passed."""
    stays = [*(segment.structure for segment in run.segments), run.final_structure]
    return stays + [name for event in run.events for name in (event.before, event.after)]


@record
class Keys:
    """The keys of a run, stay after stay."""

    times: Array
    """Shape (k,) [s]."""
    q: Array
    """Coordinates, shape (k, nq)."""
    v: Array
    """Velocities, shape (k, nv)."""
    a: Array
    """Their rates, shape (k, nv)."""
    counts: tuple[int, ...]
    """Keys of every stay; at least two."""
    stays: tuple[tuple[str, float, float], ...]
    """Structure, beginning and end [s]."""
    joined: int
    """How many stays of the run are not shown on their own."""
    end: float
    """Up to where the motion is shown [s]."""

    def to_bytes(self, size: float, partner: Sequence[int]) -> tuple[bytes, list[list[float]]]:
        """The keys as a page stores them, and what it needs to read them.

        Every column (times, rates of the velocities, velocities, coordinates) becomes whole numbers with steps that
        cannot be seen. Stored is by how much they differ from what the columns before let expect, all lowest bytes
        first: mostly zeros, which pack well.

        Args:
            size: Of the system [m].
            partner: Of every coordinate, the velocity that is its rate, or -1.

        Returns:
            The bytes; and for every column how many bytes a number has, its least value, and what one step is worth.
        """
        parts: list[bytes] = []
        rows: list[list[float]] = []

        def put(column: Array, step: float, expected: Array | None = None) -> Array:
            part, row, shown = _coded(column, step, expected)
            parts.append(part)
            rows.append(row)
            return shown

        t = put(self.times, 1e-9 * (1.0 + abs(self.end)))
        h = np.diff(t)
        a = [put(column, COARSE[1] * _largest(column)) for column in self.a.T]
        v = [
            put(column, COARSE[0] * _largest(column), h * (rate[:-1] + rate[1:]) / 2)
            for column, rate in zip(self.v.T, a, strict=True)
        ]
        for column, k in zip(self.q.T, partner, strict=True):
            expected = None if k < 0 else h * (v[k][:-1] + v[k][1:]) / 2 + h * h * (a[k][:-1] - a[k][1:]) / 12
            put(column, FINE * min(1.0, size), expected)
        return b"".join(parts), rows


def _largest(column: Array) -> float:
    return float(np.abs(column).max(initial=1e-12))


def _coded(column: Array, step: float, expected: Array | None) -> tuple[bytes, list[float], Array]:
    """Numbers as bytes of how far their differences are from expected ones; how to read them; what is read then."""
    low = float(column.min())
    whole = np.floor((column - low) / step + 0.5).astype(np.int64)
    change = np.diff(whole, prepend=0)
    if expected is not None:
        change[1:] -= np.floor(expected / step + 0.5).astype(np.int64)
    # Signs to the lowest bit, so that small numbers of either sign have zeros above.
    folded = np.where(change < 0, -2 * change - 1, 2 * change).astype("<i8")
    count = (int(folded.max(initial=0)).bit_length() + 7) // 8
    planes = folded.view(np.uint8).reshape(-1, 8)[:, :count]
    return planes.T.tobytes(), [count, low, step], np.asarray(low + whole * step, dtype=np.float64)


def key_motion(run: Run, size: float, reach: tuple[float, ...]) -> Keys:
    """The keys of a run.

    Args:
        run: A run that kept its steps.
        size: Of the system [m].
        reach: How far from its pole the points of every body are, by number, the ground first [m].
    """
    model = run.model
    parts = _parts(run)
    stays = [_Stay.of(part) for part in parts]
    if not stays:
        row = run.last[np.newaxis]
        q, v = row[:, : model.nq], row[:, model.nq : model.nq + model.nv]
        last = run.end
        return Keys(
            times=np.array([last, last]),
            q=np.repeat(q, 2, axis=0),
            v=np.repeat(v, 2, axis=0),
            a=np.zeros((2, model.nv)),
            counts=(2,),
            stays=((run.final_structure, last, last),),
            joined=0,
            end=last,
        )
    motion = _Motion(model, stays, size, reach)
    happened = {event.time for event in run.events}
    most = ROOM // (8 + 4 * (model.nq + 2 * model.nv))
    begin, end, owner = motion.found(SHORTEST * (run.end - run.begin), most)
    shown = int(owner[-1]) + 1
    closing = np.append(owner[1:] != owner[:-1], True)
    times = np.concatenate([begin, end[closing]])
    who = np.concatenate([owner, owner[closing]])
    order = np.lexsort([times, who])
    times, who = times[order], who[order]
    states, rates = motion.states(times, who)
    nq, nv = model.nq, model.nv
    # Each stay may carry its quaternion with either sign; between keys of one it never changes.
    return Keys(
        times=times,
        q=states[:, :nq],
        v=states[:, nq : nq + nv],
        a=rates[:, nq : nq + nv],
        counts=tuple(np.bincount(who, minlength=shown).tolist()),
        stays=tuple(
            (stay.segment.structure, stay.segment.begin, min(stay.segment.end, float(end[-1])))
            for stay in stays[:shown]
        ),
        # Ticks of clocks divide segments, and no stay.
        joined=sum(segment.begin in happened for part in parts[:shown] for segment in part[1:]),
        # The end of a run is known better than the sum of its steps.
        end=run.end if shown == len(stays) and end[-1] >= stays[-1].segment.end else float(end[-1]),
    )


def _parts(run: Run) -> list[list[Segment]]:
    """The stays of a run that are shown, each of one or of several of its own."""
    segments = [segment for segment in run.segments if len(segment.times)]
    if len(segments) <= MOST_STAYS:
        return [[segment] for segment in segments]
    shortest = 2 * (run.end - run.begin) / MOST_STAYS
    parts: list[list[Segment]] = []
    for segment in segments:
        if parts and parts[-1][-1].end - parts[-1][0].begin < shortest and segment.end - segment.begin < shortest:
            parts[-1].append(segment)
        else:
            parts.append([segment])
    return parts


@record
class _Stay:
    """A time in one structure, or in several that are too short to be told apart."""

    segment: Segment
    joined: bool
    """Whether it is several: then nothing between its ends is shown."""

    @classmethod
    def of(cls, segments: list[Segment]) -> _Stay:
        if len(segments) == 1:
            return cls(segment=segments[0], joined=False)
        longest = max(segments, key=lambda segment: segment.end - segment.begin)
        return cls(segment=replace(joined(segments), structure=longest.structure), joined=True)

    def cuts(self, stride: int) -> Array:
        """Times to begin with: every `stride`-th step, and the end [s]."""
        begin, end = self.segment.begin, self.segment.end
        starts = self.segment.times[:: len(self.segment.times) if self.joined else stride, 0]
        return np.append(starts[starts < end], end) if end > begin else np.array([end, end])


class _Motion:
    """A run as something that keys are chosen for."""

    def __init__(self, model: Model, stays: list[_Stay], size: float, reach: tuple[float, ...]) -> None:
        self.model, self.stays, self.size, self.reach = model, stays, size, reach
        self.fastest = np.full(model.nv, 1e-12)

    def states(self, t: Array, owner: Indices) -> tuple[Array, Array]:
        """States and their rates at times within stays; `owner` is in order."""
        size = self.model.state_size
        found, rates = np.empty((len(t), size)), np.empty((len(t), size))
        cuts = np.flatnonzero(np.append(True, owner[1:] != owner[:-1])) if len(t) else np.zeros(0, dtype=np.intp)
        for first, last in zip(cuts, np.append(cuts[1:], len(t)), strict=True):
            some = slice(first, last)
            found[some], rates[some] = _at(self.stays[owner[first]].segment, t[some])
        return found, rates

    def found(self, shortest: float, most: int) -> tuple[Array, Array, Indices]:
        """Intervals between keys, about `most` of them: beginnings, ends [s], and stays."""
        steps = sum(len(stay.segment.times) for stay in self.stays)
        stride = max(1, math.ceil(steps / FIRST))
        cuts = [stay.cuts(stride) for stay in self.stays]
        begin = np.concatenate([times[:-1] for times in cuts])
        end = np.concatenate([times[1:] for times in cuts])
        owner = np.repeat(np.arange(len(cuts)), [len(times) - 1 for times in cuts])
        # Within steps too: a table leads from rest to rest in a single one; and dust beside what moves is no speed.
        shares = (0.0, *BETWEEN, 1.0)
        v = np.concatenate([self.states(begin + (end - begin) * share, owner)[0] for share in shares])
        fastest = np.abs(v[:, self.model.nq : self.model.nq + self.model.nv]).max(axis=0, initial=0.0)
        self.fastest = np.maximum(fastest, max(1e-12, 1e-9 * fastest.max(initial=0.0)))
        made: list[tuple[Array, Array, Indices]] = []
        for first in range(0, len(begin), BATCH):
            some = slice(first, first + BATCH)
            made.append(self._keys(begin[some], end[some], owner[some], shortest))
            if sum(len(batch[0]) for batch in made) >= most:
                break
        begin, end, owner = (np.concatenate(each)[:most] for each in zip(*made, strict=True))
        return begin, end, owner

    def _keys(self, begin: Array, end: Array, owner: Indices, shortest: float) -> tuple[Array, Array, Indices]:
        joined = self._joined(begin, end, owner, self.excess(begin, end, owner) <= 1.0)
        return self._divided(*joined, shortest)

    def _joined(self, begin: Array, end: Array, owner: Indices, fits: Flags) -> tuple[Array, Array, Indices]:
        """Neighbours become one as long as the bound holds; what could not be joined once is not tried again."""
        fixed = np.append(owner[1:] != owner[:-1], True)  # whether the end of an interval must stay a key
        fixed[~fits] = True
        fixed[:-1] |= ~fits[1:]
        return join(begin, end, owner, fixed, self.excess)

    def _divided(self, begin: Array, end: Array, owner: Indices, shortest: float) -> tuple[Array, Array, Indices]:
        """Intervals that are too long are divided, by as much as their error says."""
        kept: list[tuple[Array, Array, Indices]] = []
        whole = np.array([stay.joined for stay in self.stays])
        while len(begin):
            excess = self.excess(begin, end, owner)
            done = (excess <= 1.0) | (end - begin <= shortest) | whole[owner]
            kept.append((begin[done], end[done], owner[done]))
            begin, end, owner, excess = begin[~done], end[~done], owner[~done], excess[~done]
            # The error of a cubic goes with the fourth power of its length.
            parts = np.clip(np.ceil(excess**0.25), 2, MOST_PARTS).astype(int)
            whose = np.repeat(np.arange(len(parts)), parts)
            place = np.arange(len(whose)) - np.repeat(np.cumsum(parts) - parts, parts)
            low, high, count = begin[whose], end[whose], parts[whose]
            begin = low + (high - low) * (place / count)
            end = np.where(place + 1 == count, high, low + (high - low) * ((place + 1) / count))
            owner = owner[whose]
        begin, end, owner = (np.concatenate(each) for each in zip(*kept, strict=True))
        order = np.lexsort([begin, owner])
        return begin[order], end[order], owner[order]

    def excess(self, begin: Array, end: Array, owner: Indices) -> Array:
        """The worst error of every interval over what is allowed."""
        parts = [slice(i, i + AT_A_TIME) for i in range(0, len(begin), AT_A_TIME)]
        return np.concatenate([np.zeros(0), *(self._excess(begin[p], end[p], owner[p]) for p in parts)])

    def _excess(self, begin: Array, end: Array, owner: Indices) -> Array:
        n, m = len(begin), len(BETWEEN)
        nq, nv = self.model.nq, self.model.nv
        inner = begin[:, None] + (end - begin)[:, None] * BETWEEN
        # In order of time, so that the steps are read in order too.
        times = np.concatenate([begin[:, None], inner, end[:, None]], axis=1)
        states, rates = (each.reshape(n, m + 2, -1) for each in self.states(times.ravel(), owner.repeat(m + 2)))
        first, last = (states[:, 0], rates[:, 0]), (states[:, -1], rates[:, -1])
        length = (end - begin)[:, None]
        guess = np.stack([hermite(first, last, length, share) for share in BETWEEN], axis=1)
        true = states[:, 1:-1]
        speeds = np.abs(guess[..., nq : nq + nv] - true[..., nq : nq + nv]) / (RATE_BOUND * self.fastest)
        worst = speeds.max(axis=(1, 2), initial=0.0)
        where = world_poses(self.model, shifts(self.model, true[..., :nq].reshape(n * m, nq)))
        drawn = world_poses(self.model, shifts(self.model, guess[..., :nq].reshape(n * m, nq)))
        for reach, (R, p), (S, r) in zip(self.reach, where, drawn, strict=True):
            # |R − S| in the norm of Frobenius is 2√2 sin(angle / 2).
            angle = np.linalg.norm(R - S, axis=(1, 2)) / math.sqrt(2)
            error = np.linalg.norm(p - r, axis=1) + max(reach, 0.1 * self.size) * angle
            worst = np.maximum(worst, (error / (BOUND * self.size)).reshape(n, m).max(axis=1))
        return np.asarray(worst)


def hermite(first: tuple[Array, Array], last: tuple[Array, Array], length: Array, share: float) -> Array:
    """The cubic through two values with two rates, at a share of the way."""
    (a, da), (b, db) = first, last
    s = share
    return np.asarray(
        (1 + 2 * s) * (1 - s) ** 2 * a
        + s * s * (3 - 2 * s) * b
        + length * (s * (1 - s) ** 2 * da - s * s * (1 - s) * db)
    )


def _at(segment: Segment, t: Array) -> tuple[Array, Array]:
    """States and their rates at times of a stay."""
    size = segment.coefficients.shape[1]
    which = np.clip(np.searchsorted(segment.times[:, 0], t, side="right") - 1, 0, len(segment.times) - 1)
    h = np.minimum(t - segment.times[which, 0], segment.times[which, 1])
    powers = np.arange(1, segment.coefficients.shape[2])
    states, rates = np.empty((len(t), size)), np.empty((len(t), size))
    for low in range(0, len(t), TOGETHER):
        some = slice(low, low + TOGETHER)
        coefficients = segment.coefficients[which[some]]
        states[some], rates[some] = values(coefficients, h[some]), values(coefficients[:, :, 1:] * powers, h[some])
    return states, rates


def run_data(run: Run, keys: Keys, number: dict[str, int], block: str, columns: list[list[float]]) -> RunKeys:
    """What the payload says of a run, besides its events.

    Args:
        run: The run.
        keys: Its keys.
        number: Of the structures, by name.
        block: The id of the packed block.
        columns: How to read it.
    """
    return {
        "begin": run.begin,
        "end": keys.end,
        "whole": run.end,
        "id": block,
        "columns": columns,
        "keys": len(keys.times),
        "counts": list(keys.counts),
        "stays": [{"structure": number[name], "begin": begin, "end": end} for name, begin, end in keys.stays],
        "joined": keys.joined,
        "steps": run.steps,
        "stopped": None if run.stopped is None else {"en": run.stopped.en, "ru": run.stopped.ru},
    }
