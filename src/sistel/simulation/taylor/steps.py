"""What all explicit steps share: their length, and polynomials of watched functions on them.

Written in the compiled subset of Python: it is compiled once for all models.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.simulation.taylor import _roots

# Places in the table of integers of implicit methods.
SIZE: Final = 0
WATCHED: Final = 1
ORDER: Final = 2
STRIDE: Final = 3
ROOM: Final = 4
"""Steps for which there is room."""
STEPS: Final = 5
"""Steps taken, in and out."""
LEAF: Final = 6
"""Which function passed zero."""
WAY: Final = 7
"""1 upward, -1 downward."""
STOP: Final = 8
CORRECTS: Final = 9
"""Whether steps end with a correction."""
CUT: Final = 10
"""Whether the end of the time has cut a step, so that what comes after it would be otherwise without that end; out."""
COUNTS: Final = 11

# Places in the table of numbers.
UNTIL: Final = 0
RADIUS: Final = 1
"""Part of the estimated radius of convergence that a step takes."""
LONGEST: Final = 2
FLOOR: Final = 3
"""Size of a component under which its error counts as that of one of this size."""
NUMBERS: Final = 4

WEIGHTS: Final = 3
"""Numbers of a component in the table of weights: what its size and 1 count in the measure of its errors, and room."""

SPARSE: Final = 2.0
"""How much longer than by the radius that earlier coefficients tell a step may be."""


def step_length(table: Floats, size: int, order: int, stride: int, weights: Floats) -> float:
    """The radius of convergence as the last quarter of the coefficients tells it, in the measure of every component.

    Two coefficients are the rule of Jorba and Zou; a pendulum that starts at rest has only every fourth. Where a
    quarter is fewer than four, those before them count too, though less: they tell of a smaller radius than there is.
    """
    for i in range(size - 1):
        own = shift(weights, WEIGHTS * i)
        own[2] = 1.0 / max(own[0] * abs(table[i * stride]), own[1])
    radius = math.inf
    inverse = 0.0
    power = 0.0  # of the radius; roots are taken only where a coefficient says more than those before it
    for back in range(max(2, (order + 1) // 4)):
        k = order - back
        worst = 0.0
        total = 0.0
        for i in range(size - 1):  # the time itself is a straight line
            here = abs(table[i * stride + k]) * weights[WEIGHTS * i + 2]
            total += here
            worst = max(worst, here)
        if not math.isfinite(total):
            return math.nan
        power = power * inverse
        if worst > 0.0 and (radius == math.inf or worst * power > 1.0):
            radius = math.exp(-math.log(worst) / float(k))
            inverse = 1.0 / radius
            power = 1.0 / worst
    return min(radius, SPARSE * earlier_radius(table, size, order, stride, weights, radius / SPARSE))


def earlier_radius(table: Floats, size: int, order: int, stride: int, weights: Floats, radius: float) -> float:
    """A radius of convergence, or the smaller one that coefficients before the last quarter tell, up to the fourth."""
    for back in range(max(2, (order + 1) // 4), min(4, order - 1)):
        k = order - back
        worst = 0.0
        for i in range(size - 1):
            worst = max(worst, abs(table[i * stride + k]) * weights[WEIGHTS * i + 2])
        power = 1.0
        for _ in range(k):
            power = power * radius
        if worst > 0.0 and worst * power > 1.0 and math.isfinite(worst):
            radius = math.exp(-math.log(worst) / float(k))
    return radius


def watched_step(
    table: Floats, size: int, watched: int, order: int, stride: int, floor: float, part: float, h: float
) -> float:
    """A step on which the series of the watched functions are as good as those of the state.

    A thrown body has a parabola, good for any step; the gap to a bent surface has no such thing.
    """
    if watched == 0:
        return h
    ratio = h / part
    power = 1.0
    for _ in range(order):
        power = power * ratio
    inverse = 1.0 / ratio
    for back in range(max(2, (order + 1) // 4)):
        k = order - back
        for i in range(watched):
            row = shift(table, (size + i) * stride)
            scale = max(abs(row[0]), floor)
            term = abs(row[k])
            # What higher orders have allowed, a shorter step keeps.
            if term * power > scale and math.isfinite(term):
                ratio = math.exp(math.log(scale / term) / float(k))
                h = part * ratio
                inverse = 1.0 / ratio
                power = scale / term
        power = power * inverse
    return h


def scaled(row: Floats, order: int, h: float, zero: int, out: Floats) -> float:
    """Coefficients on a step of length h as a polynomial on [0, 1]; the sum of the sizes of those after the fourth.

    A zero at the start is divided out, and the degree is one less.
    """
    own = shift(row, 1) if zero != 0 else row
    power = h if zero != 0 else 1.0
    for k in range(4):
        out[k] = own[k] * power
        power = power * h
    rest = 0.0
    for k in range(4, order + 1 - zero):
        here = own[k] * power
        power = power * h
        out[k] = here
        rest += abs(here)
    return rest


FUNCTIONS: Final = (*_roots.FUNCTIONS, step_length, earlier_radius, watched_step, scaled)
