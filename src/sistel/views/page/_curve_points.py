"""Times at which the curves of a run are told: many to look at, of which few are kept.

Curves are looked at where steps begin and in the middle of them, at equal distances and at both sides of every event.
Of these times those are kept between which cubics follow every curve: always the one that lies farthest from what is
drawn without it comes next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.records import entry
from sistel.simulation import values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array, Indices
    from sistel.simulation import Run


EVEN, STEPS = 2000, 2000
"""Times at equal distances, and steps, that are looked at."""
BATCH = 64
"""States that are computed at once: coefficients of more leave the caches of a processor."""
MOST_STAYS = 1500
"""Stays in a structure that are looked at one by one."""
CORNER = 400
"""Parts of a run over which a corner must show to count as one."""
URGENT = 0.3
"""Points that are so far from what is drawn, over the farthest, are taken together."""
WITHIN = np.array([0.07, 0.21, 0.35, 0.5, 0.65, 0.79, 0.93])
"""Where every stay is looked at, as parts of it."""


@entry
class Points:
    """States along a run in the order of time; the instant of an event is there twice."""

    t: Array
    """Shape (n,) [s]."""
    states: Array
    """(q, v, memory, t), shape (n, size)."""
    gains: Array
    """Rates of the velocities, shape (n, nv) [m/s² or rad/s²]; not known after an event that ends the run."""
    names: NDArray[np.str_]
    """Structures, shape (n,)."""
    places: Indices
    """Their segments, as `Run.states` gives them, shape (n,)."""


def look(run: Run) -> Points:
    """The states at the times that are looked at."""
    model = run.model
    whole = np.array([number for number, segment in enumerate(run.segments) if len(segment.times)], dtype=np.intp)
    segments = [run.segments[number] for number in whole]
    after = np.array([len(run.segments)], dtype=np.intp)
    if not segments:
        still = run.last[np.newaxis]
        return Points(run.last[-1:], still, np.full((1, model.nv), np.nan), run.names[after], after)
    sizes = np.array([len(segment.times) for segment in segments])
    firsts = np.concatenate([[0], np.cumsum(sizes)])
    begins, lengths = np.concatenate([segment.times for segment in segments]).T
    step, h = _wanted(begins, lengths, firsts)
    owner = np.searchsorted(firsts, step, side="right") - 1
    states, gains = np.empty((len(step), model.state_size)), np.empty((len(step), model.nv))
    rates = slice(model.nq, model.nq + model.nv)
    cuts = np.flatnonzero(np.diff(owner, prepend=-1, append=len(segments)))
    for begin, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        number = int(owner[begin])
        whole_stay = segments[number].coefficients
        powers = np.arange(1, whole_stay.shape[2])
        for low in range(begin, end, BATCH):
            some = slice(low, min(end, low + BATCH))
            coefficients = whole_stay[step[some] - firsts[number]]
            states[some] = values(coefficients, h[some])
            gains[some] = values(coefficients[:, rates, 1:] * powers, h[some])
    places = whole[owner]
    t = begins[step] + h
    if run.ends_with_event:
        t, states = np.append(t, run.end), np.vstack([states, run.last])
        gains = np.vstack([gains, np.full(model.nv, np.nan)])
        places = np.concatenate([places, after])
    return Points(np.maximum.accumulate(t), states, gains, run.names[places], places)


def _wanted(begins: Array, lengths: Array, firsts: Indices) -> tuple[Indices, Array]:
    """Steps and times since their beginnings that are looked at, in order [s]."""
    count = len(begins)
    end = begins[-1] + lengths[-1]
    # Steps say where a motion is quick: their beginnings, and times between while they are few.
    chosen = np.unique(np.linspace(0, count - 1, min(count, STEPS)).astype(np.intp))
    parts = np.arange(max(1, STEPS // count)) / max(1, STEPS // count)
    parts = parts if len(parts) < 12 else np.arange(12) / 12.0
    step = [np.repeat(chosen, len(parts))]
    h = [(lengths[chosen][:, np.newaxis] * parts).ravel()]
    even = np.linspace(begins[0], end, EVEN, endpoint=False)
    stays = np.arange(len(firsts) - 1)
    if len(stays) > MOST_STAYS:
        stays = np.unique(np.linspace(0, len(stays) - 1, MOST_STAYS).astype(np.intp))
    opened, closed = begins[firsts[stays]], (begins + lengths)[firsts[stays + 1] - 1]
    within = (opened[:, np.newaxis] + (closed - opened)[:, np.newaxis] * WITHIN).ravel()
    for times in (even, within):
        found = np.maximum(np.searchsorted(begins, times, side="right") - 1, 0)
        step.append(found)
        h.append(np.minimum(times - begins[found], lengths[found]))
    # Both ends of the stays; the first time and the last are there in any case.
    last = firsts[np.unique(np.append(stays, len(firsts) - 2)) + 1] - 1
    step += [firsts[stays], last]
    h += [np.zeros(len(stays)), lengths[last]]
    steps, parts_h = np.concatenate(step), np.concatenate(h)
    order = np.lexsort((parts_h, steps))
    steps, parts_h = steps[order], parts_h[order]
    new = np.append(True, (np.diff(steps) != 0) | (np.diff(parts_h) > 1e-12 * (end - begins[0])))
    return steps[new], parts_h[new]


def scaled_curves(y: Array, spans: Array) -> Array:
    """Values over their spans, without the curves that do not vary; where there is no value, between neighbours."""
    scaled = y[:, spans > 0.0] / spans[spans > 0.0]
    for column in np.flatnonzero(~np.isfinite(scaled).all(axis=0)):
        known = np.isfinite(scaled[:, column])
        scaled[:, column] = np.interp(np.arange(len(y)), np.flatnonzero(known), scaled[known, column])
    # From zero on, so that singles, which are quicker, have digits enough.
    return np.asarray(scaled - scaled.min(axis=0), dtype=np.float32)


def choose(t: Array, scaled: Array, near: float, most: int) -> Indices:
    """Which points of curves are enough of them: between those `between` gives the others.

    Args:
        t: Times, not decreasing, shape (n,) [s].
        scaled: Values of all curves over their spans, shape (n, curves).
        near: How far a curve may be from what is drawn.
        most: Points that may be kept; beyond, the drawing is as near as can be had.

    Returns:
        Indices in order.
    """
    count = len(t)
    if count < 3 or not scaled.shape[1]:
        return np.unique([0, count - 1])
    jumps = np.where(np.diff(t) <= 0.0, np.maximum(np.abs(np.diff(scaled, axis=0)).max(axis=1), _bends(t, scaled)), 0.0)
    forced = np.flatnonzero(jumps > near)
    if len(forced) > most // 3:
        forced = np.sort(np.argsort(-jumps, kind="stable")[: most // 3])
    kept = np.unique(np.concatenate([[0, count - 1], forced, forced + 1]))
    everything = looked = np.arange(count)
    ends = scaled.min(axis=0), scaled.max(axis=0)
    while len(kept) < most:
        place, distance = _distances(t, scaled, ends, kept, looked)
        cuts = np.flatnonzero(np.diff(place, prepend=-1))
        worst = np.maximum.reduceat(distance, cuts)
        far = worst > near
        if not far.any():
            if looked is everything:
                break
            # A point that is added moves what is drawn beside it, too.
            looked = everything
            continue
        # The farthest point of every interval: the first that is as far as the farthest.
        sizes = np.diff(np.append(cuts, len(looked)))
        first = np.flatnonzero(distance == np.repeat(worst, sizes))
        first = first[np.unique(np.searchsorted(cuts, first, side="right"), return_index=True)[1]]
        # Large distances come before small ones, for there may be no room for all.
        chosen = np.flatnonzero(worst > max(near, URGENT * float(worst.max())))
        room = most - len(kept)
        if len(chosen) > room:
            chosen = np.argsort(-worst, kind="stable")[:room]
        kept = np.union1d(kept, looked[first[chosen]])
        looked = looked[np.repeat(far, sizes)]
    return kept


def _bends(t: Array, scaled: Array) -> Array:
    """How much the slopes change from each point to the next, over a part of the run: no cubic passes a corner."""
    slope = np.zeros((len(t) + 1, scaled.shape[1]))
    width = np.diff(t)
    slope[1:-1] = np.diff(scaled, axis=0) / np.where(width > 0.0, width, np.inf)[:, np.newaxis]
    reach = (t[-1] - t[0]) / CORNER
    # Of points i and i + 1: the slope before the first, and the one after the second.
    return np.asarray(np.abs(slope[2:] - slope[:-2]).max(axis=1) * reach)


def farthest(t: Array, scaled: Array, kept: Indices) -> float:
    """How far any point is from what is drawn by those that are kept."""
    if len(kept) < 2 or not scaled.shape[1]:
        return 0.0
    return float(_distances(t, scaled, (scaled.min(axis=0), scaled.max(axis=0)), kept, np.arange(len(t)))[1].max())


def _distances(
    t: Array, scaled: Array, ends: tuple[Array, Array], kept: Indices, looked: Indices
) -> tuple[Indices, Array]:
    """Of some points: the interval between kept ones that each is in, and its distance from what is drawn there."""
    place = np.minimum(np.searchsorted(kept, looked, side="right") - 1, len(kept) - 2)
    line = between(t[kept], scaled[kept], place, t[looked])
    # What is drawn never leaves the range of its curve.
    np.clip(line, *ends, out=line)
    distance = np.abs(scaled[looked] - line).max(axis=1)
    distance[(looked == kept[place]) | (looked == kept[place + 1])] = 0.0
    return place, distance


def between(t: Array, y: Array, place: Indices, times: Array) -> Array:
    """Curves through points, at times between them: cubics with the slopes of parabolas through three points.

    Points at the same time are the two sides of a jump, which nothing passes.

    Args:
        t: Times of the points, shape (k,) [s].
        y: Their values, shape (k, curves).
        place: The interval of each time: from point `place` to the next, shape (n,).
        times: Shape (n,) [s].
    """
    slope = _slopes(t, y).astype(y.dtype)
    width = t[place + 1] - t[place]
    s = (times - t[place]) / np.where(width > 0.0, width, 1.0)
    r = 1.0 - s
    shares = np.stack([(1 + 2 * s) * r * r, s * s * (3 - 2 * s), width * s * r * r, -width * s * s * r])
    a, b, c, d = shares.astype(y.dtype)[:, :, np.newaxis]
    return np.asarray(a * y[place] + b * y[place + 1] + c * slope[place] + d * slope[place + 1])


def _slopes(t: Array, y: Array) -> Array:
    """Of the parabola through a point and its neighbours, or through the three at an end; two give a line."""
    width = np.diff(t)
    ways = np.diff(y, axis=0) / np.where(width > 0.0, width, 1.0)[:, np.newaxis]
    # An interval more at both ends, of no width: everything that begins or ends looks alike.
    h = np.concatenate([[0.0], width, [0.0]])[:, np.newaxis]
    d = np.concatenate([np.zeros((1, y.shape[1])), ways, np.zeros((1, y.shape[1]))])
    before, after = h[:-1], h[1:]
    whole = np.where(before + after > 0.0, before + after, 1.0)
    inner = (before * d[1:] + after * d[:-1]) / whole
    # Beyond the neighbour, for points that have one on one side only.
    next_h, next_d = np.concatenate([h[2:], [[0.0]]]), np.concatenate([d[2:], np.zeros((1, y.shape[1]))])
    last_h, last_d = np.concatenate([[[0.0]], h[:-2]]), np.concatenate([np.zeros((1, y.shape[1])), d[:-2]])
    first = _end_slope(after, d[1:], next_h, next_d)
    last = _end_slope(before, d[:-1], last_h, last_d)
    return np.where(before <= 0.0, first, np.where(after <= 0.0, last, inner))


def _end_slope(h: Array, d: Array, beyond: Array, other: Array) -> Array:
    whole = np.where(h + beyond > 0.0, h + beyond, 1.0)
    return np.where(beyond > 0.0, ((2 * h + beyond) * d - h * other) / whole, d)
