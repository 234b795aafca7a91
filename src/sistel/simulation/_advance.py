"""Motion within a structure: Taylor steps until the end, or until a watched function passes zero.

Written in the compiled subset of Python: it is compiled once for all models, and takes the flow of a structure as the
address of a native function.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Function, Ints, poll, shift
from sistel.simulation import _roots
from sistel.simulation._roots import first_root, polynomial

Flow = Function[[Floats, Floats, Floats, Floats], None]
"""(y, p, table, scratch): coefficients of the state and of the watched functions."""
Back = Function[[int, int, Ints], None]
"""One step back to the constraints: a kernel, called with rows 0 to 1 and its table of arguments."""

END, EVENT, FULL, LOST, STOPPED, SMALL = range(6)
"""Why an advance ended: the time is up, a zero was found, no room for more steps, the numbers are not finite, somebody
asked to stop, or the step has become too small to go on."""

# Places in the table of integers.
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
COUNTS: Final = 10

# Places in the table of numbers.
UNTIL: Final = 0
RADIUS: Final = 1
"""Part of the estimated radius of convergence that a step takes."""
LONGEST: Final = 2
FLOOR: Final = 3
"""Size of a component under which its error counts as that of one of this size."""
NUMBERS: Final = 4


def step_length(table: Floats, size: int, order: int, stride: int, floor: float) -> float:
    """The radius of convergence as the last quarter of the coefficients tells it, in the measure of every component.

    Two coefficients are the rule of Jorba and Zou; a pendulum that starts at rest has only every fourth.
    """
    radius = math.inf
    for back in range(max(2, (order + 1) // 4)):
        k = order - back
        worst = 0.0
        for i in range(size - 1):  # the time itself is a straight line
            size_here = abs(table[i * stride + k]) / max(abs(table[i * stride]), floor)
            if not math.isfinite(size_here):
                return math.nan
            worst = max(worst, size_here)
        if worst > 0.0:
            radius = min(radius, math.exp(-math.log(worst) / float(k)))
    return radius


def watched_step(
    table: Floats, size: int, watched: int, order: int, stride: int, floor: float, part: float, h: float
) -> float:
    """A step on which the series of the watched functions are as good as those of the state.

    A thrown body has a parabola, good for any step; the gap to a bent surface has no such thing.
    """
    power = 1.0
    for _ in range(order):
        power = power * (h / part)
    for i in range(watched):
        row = shift(table, (size + i) * stride)
        scale = max(abs(row[0]), floor)
        here = power
        for back in range(max(2, (order + 1) // 4)):
            k = order - back
            term = abs(row[k])
            if term > 0.0 and math.isfinite(term) and term * here > scale:
                h = part * math.exp(math.log(scale / term) / float(k))
                power = 1.0
                for _ in range(order):
                    power = power * (h / part)
                here = power
                for _ in range(back):
                    here = here / (h / part)
            here = here / (h / part)
    return h


def scaled(row: Floats, order: int, h: float, zero: int, out: Floats) -> int:
    """Coefficients on a step of length h as a polynomial on [0, 1]; its degree. A zero at the start is divided out."""
    power = 1.0
    if zero != 0:
        for k in range(order):
            power = power * h
            out[k] = row[k + 1] * power
        return order - 1
    for k in range(order + 1):
        out[k] = row[k] * power
        power = power * h
    return order


def advance(
    flow: Flow,
    correct: Back,
    arguments: Ints,
    corrected: Floats,
    y: Floats,
    p: Floats,
    table: Floats,
    scratch: Floats,
    directions: Ints,
    zeros: Ints,
    counts: Ints,
    numbers: Floats,
    times: Floats,
    coefficients: Floats,
    work: Floats,
) -> int:
    """Take steps; see END, EVENT … for the answer.

    Args:
        flow: Coefficients at a state.
        correct: Back to the constraints; reads y and p and writes `corrected`.
        arguments: Of `correct`.
        corrected: Where it puts the state.
        y: The state, the time last; in and out.
        p: Parameters and modes.
        table: Room for the coefficients.
        scratch: Room for the flow.
        directions: Of every watched function: in which direction its zeros count, 0 for both.
        zeros: Whether a function is zero at the start, because it has just been an event; in and out.
        counts: See the places of the table of integers.
        numbers: See the places of the table of numbers.
        times: Beginning and length of every step, two numbers each.
        coefficients: Those of the state, for every step.
        work: Room for the search of zeros, and for one polynomial before it.
    """
    size = counts[SIZE]
    order = counts[ORDER]
    stride = counts[STRIDE]
    watched = counts[WATCHED]
    until = numbers[UNTIL]
    steps = counts[STEPS]
    one = work
    room = shift(work, order + 2)
    while True:
        now = y[size - 1]
        left = until - now
        if left <= 0.0:
            counts[STEPS] = steps
            return END
        if steps >= counts[ROOM]:
            counts[STEPS] = steps
            return FULL
        if poll(counts, STOP) != 0:
            counts[STEPS] = steps
            return STOPPED
        flow(y, p, table, scratch)
        h = numbers[RADIUS] * step_length(table, size, order, stride, numbers[FLOOR])
        if math.isnan(h):
            counts[STEPS] = steps
            return LOST
        h = min(h, numbers[LONGEST], left)
        h = watched_step(table, size, watched, order, stride, numbers[FLOOR], numbers[RADIUS], h)
        last = h >= left
        if last:
            h = left
        if now + h <= now:
            counts[STEPS] = steps
            return SMALL
        first = _roots.NONE
        leaf = -1
        for i in range(watched):
            row = shift(table, (size + i) * stride)
            # A row that has passed zero a moment ago starts there again.
            nil = 1 if zeros[i] != 0 or row[0] == 0.0 else 0
            degree = scaled(row, order, h, nil, one)
            root = first_root(one, degree, directions[i], room)
            if root < first:
                first = root
                leaf = i
        if leaf >= 0:
            last = False
            row = shift(table, (size + leaf) * stride)
            rate = 0.0
            s = first * h
            for k in range(order, 0, -1):
                rate = rate * s + float(k) * row[k]
            counts[LEAF] = leaf
            counts[WAY] = 1 if rate > 0.0 else -1
            h = s
        times[2 * steps] = now
        times[2 * steps + 1] = h
        place = steps * size * (order + 1)
        for i in range(size):
            for k in range(order + 1):
                coefficients[place + i * (order + 1) + k] = table[i * stride + k]
        for i in range(size - 1):
            y[i] = polynomial(shift(table, i * stride), order, h)
        y[size - 1] = until if last else now + h
        steps += 1
        for i in range(watched):
            zeros[i] = 0
        if counts[CORRECTS] != 0:
            correct(0, 1, arguments)
            for i in range(size - 1):
                y[i] = corrected[i]
        if leaf >= 0:
            zeros[leaf] = 1
            counts[STEPS] = steps
            return EVENT


FUNCTIONS: Final = (*_roots.FUNCTIONS, step_length, watched_step, scaled, advance)
