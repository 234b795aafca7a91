"""The first zero of a polynomial on a step, found with a guarantee: in Bernstein's form signs tell how many there are.

Written in the compiled subset of Python: the same functions run under CPython as their reference.

The number of sign changes of Bernstein's coefficients is at least the number of zeros in the interval, and differs from
it by an even number: none means no zero, one means exactly one. Where there are more, the interval is halved. So no
pair of zeros is stepped over, unless the polynomial between them stays within rounding of zero: that is a touch, and
touching is no crossing.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, shift

NONE: Final = 2.0
"""The answer where there is no zero: beyond the end of the step."""
ROUNDING: Final = 4.0e-16
"""Part of the sum of the coefficients' sizes that rounding may make of nothing."""
DEPTH: Final = 50
"""Times an interval is halved."""
RISING: Final = 1
FALLING: Final = -1


def bernstein(power: Floats, degree: int, out: Floats) -> None:
    """Coefficients on [0, 1] in Bernstein's form, from those of the powers."""
    # b[j] = Σ C(j, k) a[k] / C(degree, k): quotients first, then sums as in Pascal's triangle, which never exceed the
    # sum of the sizes of the coefficients.
    ratio = 1.0
    out[0] = power[0]
    for k in range(1, degree + 1):
        ratio = ratio * (float(k) / float(degree - k + 1))
        out[k] = ratio * power[k]
    for level in range(1, degree + 1):
        for j in range(degree, level - 1, -1):
            out[j] = out[j] + out[j - 1]


def stays_apart(power: Floats, rest: float) -> bool:
    """Whether a polynomial surely has no zero on [0, 1]; not, where it may have one or not.

    Args:
        power: Its coefficients, four at least.
        rest: The sum of the sizes of those after the fourth.
    """
    a = power[0]
    b = a + power[1] / 3.0
    c = a + (2.0 * power[1] + power[2]) / 3.0
    d = a + power[1] + power[2] + power[3]
    # A cubic lies between the smallest and the largest of its coefficients in Bernstein's form.
    return min(a, b, c, d) > rest or max(a, b, c, d) < -rest


def sign_changes(c: Floats, degree: int, noise: float) -> int:
    """How often the sign changes along the coefficients; those that rounding could have made are passed over."""
    count = 0
    last = 0
    for j in range(degree + 1):
        now = 1 if c[j] > noise else (-1 if c[j] < -noise else 0)
        if now != 0:
            if last + now == 0:
                count += 1
            last = now
    return count


def first_sign(c: Floats, degree: int, noise: float) -> int:
    """Sign of the first coefficient that rounding could not have made."""
    for j in range(degree + 1):
        if c[j] > noise:
            return 1
        if c[j] < -noise:
            return -1
    return 0


def halve(c: Floats, degree: int, left: Floats, right: Floats) -> None:
    """The coefficients of both halves of an interval, by de Casteljau's scheme."""
    for j in range(degree + 1):
        right[j] = c[j]
    for level in range(degree + 1):
        left[level] = right[0]
        for j in range(degree - level):
            right[j] = 0.5 * (right[j] + right[j + 1])


def polynomial(power: Floats, degree: int, s: float) -> float:
    """The value by Horner's rule."""
    total = power[degree]
    for k in range(degree - 1, -1, -1):
        total = total * s + power[k]
    return total


def slope(power: Floats, degree: int, s: float) -> float:
    """The derivative by Horner's rule."""
    total = float(degree) * power[degree]
    for k in range(degree - 1, 0, -1):
        total = total * s + float(k) * power[k]
    return total


def leading(row: Floats, first: int, order: int, least: float) -> float:
    """The first coefficient from a place on that is larger than something; 0 where none is."""
    for k in range(first, order + 1):
        if abs(row[k]) > least:
            return row[k]
    return 0.0


def polish(power: Floats, degree: int, low: float, high: float, direction: int) -> float:
    """The only zero between two bounds, to the last digit: Newton's steps, halving where they lead outside."""
    s = 0.5 * (low + high)
    for _ in range(200):
        value = polynomial(power, degree, s)
        if value == 0.0:
            return s
        if (value > 0.0) == (direction > 0):
            high = s
        else:
            low = s
        steep = slope(power, degree, s)
        guess = 0.5 * (low + high)
        if steep != 0.0:
            newton = s - value / steep
            if low < newton < high:
                guess = newton
        if guess == s or not low < guess < high:
            return guess
        if abs(guess - s) <= 1e-17 or high - low <= 2.3e-16 * high:
            return guess
        s = guess
    return s


def first_root(power: Floats, degree: int, direction: int, work: Floats) -> float:
    """The first place in (0, 1] at which a polynomial changes its sign in a direction; 2 where there is none.

    Args:
        power: Coefficients of the powers on the step, scaled to [0, 1].
        degree: Of the polynomial.
        direction: 1 for passing zero upward, -1 for downward, 0 for either.
        work: Room for (DEPTH + 2) · (degree + 3) numbers.
    """
    bent = 0.0
    for k in range(2, degree + 1):
        bent += abs(power[k])
    rest = abs(power[1]) + bent
    if bent == 0.0:
        degree = 1  # a straight line, as clocks have
    if abs(power[0]) > rest or rest == 0.0:  # a function that stays zero does not pass it
        return NONE
    noise = ROUNDING * (abs(power[0]) + rest)
    width = degree + 3  # coefficients, then both ends of the interval
    bernstein(power, degree, work)
    work[degree + 1] = 0.0
    work[degree + 2] = 1.0
    before = 0  # sign at the end of the pieces that have been looked at
    top = 1
    while top > 0:
        top -= 1
        piece = shift(work, top * width)
        changes = sign_changes(piece, degree, noise)
        low = piece[degree + 1]
        high = piece[degree + 2]
        sign = first_sign(piece, degree, noise)
        if before * sign < 0 and (direction == 0 or direction == sign):
            return low  # a zero between two pieces belongs to neither
        if changes == 0:
            before = sign if sign != 0 else before
            continue
        way = -sign
        narrow = high - low <= 1.0e-15
        if changes == 1 or (narrow and changes % 2 == 1):
            if direction == 0 or direction == way:
                return high if narrow else polish(power, degree, low, high, way)
            before = way
            continue
        if narrow or top >= DEPTH:
            before = sign if changes % 2 == 0 else way
            continue
        middle = 0.5 * (low + high)
        # The right half takes the place of the whole, the left one comes on top: it is looked at first.
        left = shift(work, (top + 1) * width)
        spare = shift(work, (top + 2) * width)
        halve(piece, degree, left, spare)
        for j in range(degree + 1):
            piece[j] = spare[j]
        left[degree + 1] = low
        left[degree + 2] = middle
        piece[degree + 1] = middle
        piece[degree + 2] = high
        top += 2
    # A zero at the very end has no coefficient behind it; a flat one, of order three, may hide within rounding.
    end = polynomial(power, degree, 1.0)
    if (end > noise and power[0] < -noise and direction >= 0) or (end < -noise and power[0] > noise and direction <= 0):
        return polish(power, degree, 0.0, 1.0, RISING if end > 0.0 else FALLING)
    if end == 0.0:
        last = power[0] if before == 0 else float(before)  # it may have passed zero before, the other way
        way = FALLING if last > 0.0 else RISING
        if direction == 0 or direction == way:
            return 1.0
    return NONE


FUNCTIONS: Final = (
    bernstein,
    stays_apart,
    sign_changes,
    first_sign,
    halve,
    polynomial,
    slope,
    leading,
    polish,
    first_root,
)
