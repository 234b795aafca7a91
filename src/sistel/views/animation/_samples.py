"""Motion that is no polynomial of time, such as that of a spring's ends: looked at closely, and told by few keys."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import entry
from sistel.views.animation._clock import EXACT, Clock, number
from sistel.views.animation._film import Property, Track
from sistel.views.animation._keys import MOST, too_many

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array, Flags
    from sistel.simulation import Run, Segment


LOOKED_AT = 12
"""Places within an interval at which its curve is fitted."""
RATE = 240.0
"""So many postures of a second of the picture are looked at, at least."""
WITHIN_STEP = 4
"""So many of a step of the run, at least."""
MOST_POSTURES = 20_000
EACH = 0.6
"""Of the bound of a point, that of each of its two numbers: what is left is for the digits that are written."""
DENSE = 12
"""Postures within a step that are looked at for windows and trails, at most."""


def times_of(run: Run, most: int) -> Array:
    """Times of a run, dense enough to see everything [s]; both sides of an event are there."""
    t = run.t
    if len(t) < 2:
        return t
    inner = int(np.clip(most // len(t), 1, DENSE))
    parts = [t[:-1] + np.diff(t) * (k / inner) for k in range(inner)]
    return np.append(np.stack(parts, axis=1).ravel(), t[-1])


@entry
class Dense:
    """Postures along a run, close to each other: every stay from its beginning to its end."""

    times: tuple[Array, ...]
    """Of every stay [s]."""
    q: Array
    """Coordinates at all of them, one stay after another, shape (n, nq)."""


def dense_of(run: Run, clock: Clock) -> Dense:
    """Postures so close to each other that what is between them can be seen from them."""
    every = max(clock.speed / RATE, (run.end - run.begin) / MOST_POSTURES)
    times: list[Array] = []
    states: list[Array] = []
    for segment in run.segments:
        end = min(segment.end, run.end)
        count = max(math.ceil((end - segment.begin) / every), 2, min(WITHIN_STEP * len(segment.times), MOST_POSTURES))
        t = np.linspace(segment.begin, end, count + 1)
        times.append(t)
        states.append(states_within(segment, t, run.model.nq))
    return Dense(tuple(times), np.concatenate(states))


def _longest(rows: Array, i: int, last: int, bound: float, guess: int) -> tuple[int, tuple[float, float]]:
    """The furthest row that a curve from row i reaches within the bound of all rows between, and its easing."""
    ease: tuple[float, float] = (1 / 3, 2 / 3)
    good, bad, j = i + 1, last + 1, min(max(i + guess, i + 2), last)
    if j <= good:
        return last, ease
    while bad - good > 1:
        found = _ease(rows[i : j + 1], bound)
        if found is None:
            bad = j
        else:
            good, ease = j, found
        if good == last:
            break
        j = min(i + 2 * (good - i), last, bad - 1) if bad > last else (good + bad) // 2
        if j <= good:
            break
    return good, ease


def _ease(rows: Array, bound: float) -> tuple[float, float] | None:
    """One easing for all numbers of rows at even times; None where the bound is not kept."""
    n = len(rows) - 1
    if n < 2:
        return (1 / 3, 2 / 3)
    s = (np.arange(1, n) / n)[:, None]
    one, two, three = 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s), s**3
    whole = rows[-1] - rows[0]
    rest = rows[1:-1] - rows[0] - three * whole
    # Least squares over all numbers at once: rest = (a · one + b · two) · whole.
    w = float(whole @ whole)
    a, b = 1 / 3, 2 / 3
    if w > 0.0:
        some = slice(None, None, max(1, n // LOOKED_AT))
        p, r, g = one[some, 0], two[some, 0], rest[some] @ whole / w
        det = float((p @ p) * (r @ r) - (p @ r) ** 2)
        if det > 1e-12:
            a = float(((p @ g) * (r @ r) - (r @ g) * (p @ r)) / det)
            b = float(((r @ g) * (p @ p) - (p @ g) * (p @ r)) / det)
        a, b = (round(min(max(x, 0.0), 1.0), 3) for x in (a, b))
    return (a, b) if np.abs(rest - (a * one + b * two) * whole).max() <= bound else None


def thinned(points: Array, bound: float) -> NDArray[np.int_]:
    """Which points of a polyline must stay so that no other is further off than a bound; after Douglas and Peucker."""
    keep = np.zeros(len(points), dtype=bool)
    keep[[0, -1]] = True
    stack = [(0, len(points) - 1)]
    while stack:
        low, high = stack.pop()
        if high - low < 2:
            continue
        a, b, inner = points[low], points[high], points[low + 1 : high]
        along = b - a
        length = float(along @ along)
        share = np.clip((inner - a) @ along / length, 0.0, 1.0) if length > 0.0 else np.zeros(len(inner))
        off = np.linalg.norm(inner - a - share[:, None] * along, axis=1)
        worst = int(off.argmax())
        if off[worst] > bound:
            middle = low + 1 + worst
            keep[middle] = True
            stack += [(low, middle), (middle, high)]
    return np.flatnonzero(keep)


def sampled(
    dense: Dense,
    clock: Clock,
    rows: Array,
    bound: float,
    text: Callable[[Array], str],
    kind: Property,
    cuts: Flags | None = None,
) -> Track | None:
    """The track of something that depends on the coordinates; None where it never changes.

    Args:
        dense: The postures.
        clock: The cycle.
        rows: Numbers in all of them, shape (n, size).
        bound: Largest error of any number.
        text: How a row of numbers is written.
        kind: The property.
        cuts: Whether the numbers jump between a posture and the next one, shape (n - 1,).
    """
    keys: list[tuple[str, str, tuple[float, float]]] = []
    begin = 0
    for t in dense.times:
        end = begin + len(t) - 1
        stops = [] if cuts is None else (begin + np.flatnonzero(cuts[begin:end])).tolist()
        low = begin
        for high in (*stops, end):
            i, guess = low, 8
            while i < high:
                j, ease = _longest(rows, i, high, bound, guess)
                keys.append((_share(clock, t, i - begin), text(rows[i]), ease))
                guess, i = j - i, j
            keys.append((_share(clock, t, high - begin), text(rows[high]), (0.5, 0.5)))
            if high < end:
                # It stays, and jumps.
                keys.append((_share(clock, t, high + 1 - begin), text(rows[high]), (0.5, 0.5)))
                low = high + 1
        begin = end + 1
        if len(keys) > MOST:
            raise too_many()
    if len({value for _, value, _ in keys}) < 2:
        return None
    # The end of a stay and the beginning of the next are one key unless something jumps.
    kept = [key for key, after in zip(keys, [*keys[1:], ("", "", (0.0, 0.0))], strict=True) if key[:2] != after[:2]]
    if kept[-1][0] != "1":
        kept.append(("1", kept[-1][1], (0.5, 0.5)))
    shares = ("0", *(key[0] for key in kept[1:]))
    return Track(
        kind=kind, shares=shares, values=tuple(key[1] for key in kept), eases=tuple(key[2] for key in kept[:-1])
    )


def _share(clock: Clock, t: Array, place: int) -> str:
    return number(clock.share(float(t[place])), EXACT if place in (0, len(t) - 1) else 6)


def states_within(segment: Segment, t: Array, nq: int) -> Array:
    """Coordinates at times within one stay, both of its ends included."""
    from sistel.simulation import values

    which = np.clip(np.searchsorted(segment.times[:, 0], t, side="right") - 1, 0, len(segment.times) - 1)
    return np.asarray(values(segment.coefficients[which], t - segment.times[which, 0])[:, :nq])


def polyline(row: Array, decimals: int) -> str:
    """A path through points, one after another in a row of numbers."""
    points = np.asarray(row).reshape(-1, 2)
    return "M" + "L".join(f"{number(x, decimals)},{number(y, decimals)}" for x, y in points)
