"""Keys of an animation: cubic curves between as few times as keep within a bound, proved for what is written.

A browser goes from one key to the next along a cubic curve whose inner control points are at thirds of the time (an
"easing" of SMIL and of CSS alike); so every interval has two free numbers, and four points of the motion fix them.
"""

from __future__ import annotations

import math
from bisect import bisect_right

from sistel.errors import Diagnostic, SistelError, Text
from sistel.records import entry
from sistel.views.animation._clock import EXACT, Clock
from sistel.views.animation._pieces import Pieces

INNER = (0.29289321881345254, 0.7071067811865476)
"""Where the curve of an interval is met besides its ends: zeros of a polynomial of Chebyshev, stretched to the ends."""
MOST = 20_000
"""Keys of one motion; more would be megabytes."""
DECIMALS = 3
"""Of the numbers of easings."""
THIRDS = 2e-5
"""Thirds are written as .3333 and .6667: times are off by that share of an interval at most."""


@entry
class Key:
    """A key, and the way from it to the next."""

    share: float
    """Of the cycle, as it is written."""
    exact: bool
    """Whether it is written with all decimals."""
    value: float
    """As it is written."""
    ease: tuple[float, float] | None
    """Heights of the two inner control points, as they are written; None where a jump follows, and at the end."""


def too_many() -> SistelError:
    """A picture that would be too large."""
    message = Text(
        f"this run would need more than {MOST} keys as a moving picture",
        f"подвижному рисунку этого расчёта нужно больше {MOST} ключей",
    )
    hint = Text(
        "simulate a shorter time, or keep the run as .html, .x3d or .npz",
        "моделируйте меньшее время или сохраните расчёт как .html, .x3d или .npz",
    )
    return SistelError([Diagnostic("too-long", "error", message, hint=hint)])


def fit(pieces: Pieces, clock: Clock, bound: float, decimals: int) -> list[Key]:
    """Keys of a function such that no time is further off than `bound`.

    Args:
        pieces: The function.
        clock: The cycle.
        bound: In the units of the function.
        decimals: With which values are written; half a unit of the last one is far below the bound.
    """
    keys: list[Key] = []
    start, end = float(pieces.begin[0]), pieces.end
    # Stops are times as they will be written; only where the function jumps, they are those of the run.
    stops = {clock.rounded(t, EXACT) for t in (*pieces.turns(0.25 * bound), *pieces.edges)}
    jumps = [*pieces.jumps, end]
    apart = 2 * 10.0**-EXACT * clock.cycle * clock.speed
    for jump in jumps:
        if jump > start or not keys:
            _stretch(
                keys,
                pieces,
                clock,
                bound,
                decimals,
                start,
                jump,
                sorted({s for s in stops if start + apart < s < jump - apart} | {jump}),
            )
        start = jump
    return keys


def _stretch(
    keys: list[Key],
    pieces: Pieces,
    clock: Clock,
    bound: float,
    decimals: int,
    start: float,
    end: float,
    stops: list[float],
) -> None:
    """Keys from one jump to the next."""
    stretch = _Stretch(pieces, clock, bound, decimals, end, stops)
    a, exact_a, va, guess = start, True, round(pieces.at(start), decimals), clock.cycle * clock.speed / 50
    while a < end:
        found = stretch.attempt(a, va, min(a + guess, stretch.stop_after(a)))
        b, exact, vb, ease = stretch.shorter(a, va, guess) if found is None else stretch.longer(a, va, found)
        guess = max(b - a, 1e-9)
        keys.append(Key(clock.share(a), exact_a, va, ease))
        if len(keys) > MOST:
            raise too_many()
        a, exact_a, va = b, exact, vb
    keys.append(Key(clock.share(end), True, va, None))


Found = tuple[float, bool, float, tuple[float, float]]
"""A key that is near enough: its time, whether that is written in full, its value, and the curve towards it."""


class _Stretch:
    """The search for the longest intervals that one curve shows, from one jump to the next."""

    def __init__(
        self, pieces: Pieces, clock: Clock, bound: float, decimals: int, end: float, stops: list[float]
    ) -> None:
        self.pieces, self.clock, self.bound, self.decimals = pieces, clock, bound, decimals
        self.end, self.stops, self.known = end, stops, set(stops)

    def value(self, t: float) -> float:
        return round(self.pieces.at(t, -1 if t >= self.end else 1), self.decimals)

    def meant(self, t: float, low: float) -> tuple[float, bool]:
        """A time as it will be written, and whether with all decimals."""
        if t >= self.end:
            return self.end, True
        short = self.clock.rounded(t)
        if low < short < self.end and t not in self.known:
            return short, False
        return self.clock.rounded(t, EXACT), True

    def stop_after(self, a: float) -> float:
        """The next time that a curve may not pass without a look."""
        place = bisect_right(self.stops, a)
        return self.stops[place] if place < len(self.stops) else self.end

    def attempt(self, a: float, va: float, t: float) -> Found | None:
        """A curve from a to about t; None where it would be too far off."""
        b, exact = self.meant(t, a)
        if b <= a:
            return None
        vb = self.value(b)
        ease = easing(self.pieces, a, b, va, vb)
        whole = vb - va
        one, two = (3 * height * whole for height in ease)
        cubic = (va, one, two - 2 * one, whole + one - two)
        off = self.pieces.distance(a, b, cubic) + 3 * THIRDS * abs(whole)
        return (b, exact, vb, ease) if off <= self.bound else None

    def shorter(self, a: float, va: float, guess: float) -> Found:
        """Where the guess was too long."""
        clock, stop = self.clock, self.stop_after(a)
        length = min(guess, stop - a)
        while length > 2e-9 * clock.cycle * clock.speed:
            length *= 0.6
            found = self.attempt(a, va, a + length)
            if found is not None:
                return found
        # A motion so wild that nothing shorter can be written.
        b = min(stop, max(clock.rounded(a + 1e-6 * clock.cycle * clock.speed, EXACT), math.nextafter(a, self.end)))
        return b, True, self.value(b), (1 / 3, 2 / 3)

    def longer(self, a: float, va: float, found: Found) -> Found:
        """Where the guess was good."""
        stop, grow = self.stop_after(a), 1.6
        while found[0] < stop:
            longer = self.attempt(a, va, min(a + grow * (found[0] - a), stop))
            if longer is None or longer[0] <= found[0]:
                finer = self.attempt(a, va, min(a + (1 + 0.5 * (grow - 1)) * (found[0] - a), stop))
                return finer if finer is not None and finer[0] > found[0] else found
            found = longer
        return self.beyond(a, va, found)

    def beyond(self, a: float, va: float, found: Found) -> Found:
        """Past stops that do not matter for this function, further and further."""
        place, last, leap = bisect_right(self.stops, a), len(self.stops) - 1, 1
        stop = self.stop_after(a)
        while found[0] >= stop and place + leap <= last:
            further = self.attempt(a, va, self.stops[min(place + leap, last)])
            if further is None:
                break
            found, stop = further, self.stops[min(place + leap, last)]
            if stop >= self.end:
                break
            leap = 2 * leap
        return found


def easing(pieces: Pieces, a: float, b: float, va: float, vb: float) -> tuple[float, float]:
    """Heights of the inner control points for which the curve meets the function at two times between, as written."""
    whole = vb - va
    if whole == 0.0:
        return (1 / 3, 2 / 3)
    s, r = INNER
    f = (pieces.at(a + s * (b - a)) - va) / whole - s**3
    g = (pieces.at(a + r * (b - a)) - va) / whole - r**3
    a11, a12 = 3 * s * (1 - s) ** 2, 3 * s * s * (1 - s)
    a21, a22 = 3 * r * (1 - r) ** 2, 3 * r * r * (1 - r)
    det = a11 * a22 - a12 * a21
    one, two = (f * a22 - g * a12) / det, (g * a11 - f * a21) / det
    return round(min(max(one, 0.0), 1.0), DECIMALS), round(min(max(two, 0.0), 1.0), DECIMALS)
