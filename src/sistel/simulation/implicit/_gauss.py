"""Motion at a fixed step by Gauss's method, which is symplectic: energy does not drift, however long the run.

Written in the compiled subset of Python, as `simulation.taylor.steps`, with the same answers and tables. The stages
are found by plain iteration to the last digit, and sums are compensated, since whatever is left over in every step is a
force that the mechanism does not have.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Ints, poll, shift
from sistel.simulation.implicit import _collocation
from sistel.simulation.implicit._collocation import (
    EVALUATIONS,
    STAGES,
    STEP,
    Rows,
    expand,
    find_event,
    foresee,
    record,
    sample,
)
from sistel.simulation.taylor.steps import (
    CORRECTS,
    CUT,
    END,
    EVENT,
    FLOOR,
    FULL,
    LEAF,
    LOST,
    ORDER,
    ROOM,
    SIZE,
    SMALL,
    STEPS,
    STOP,
    STOPPED,
    UNTIL,
    WATCHED,
    WAY,
)

LONG: Final = 16
"""One more reason to end: the iteration does not converge, the step is too long."""
MOST: Final = 60
"""Iterations of a step."""


def iterate(
    rates: Rows,
    rates_table: Ints,
    y: Floats,
    size: int,
    s: int,
    h: float,
    floor: float,
    method: Floats,
    points: Floats,
    slopes: Floats,
    z: Floats,
    counts: Ints,
) -> int:
    """What the stages add to the state, from what z has; 0 where that has no end, -1 where it is not finite."""
    A = shift(method, 2 * s)
    before = math.inf
    for _ in range(MOST):
        for j in range(s):
            for i in range(size):
                points[j * size + i] = y[i] + z[j * size + i]
        rates(0, s, rates_table)
        counts[EVALUATIONS] = counts[EVALUATIONS] + s
        change = 0.0
        for j in range(s):
            for i in range(size):
                total = 0.0
                for k in range(s):
                    total += A[j * s + k] * slopes[k * size + i]
                total = h * total
                if i < size - 1:
                    here = abs(total - z[j * size + i]) / max(abs(y[i]), floor)
                    if not math.isfinite(here):
                        return -1
                    change = max(change, here)
                z[j * size + i] = total
        # To where rounding alone is left: no change at all, or one that becomes no smaller.
        if change == 0.0 or (change < 1.0e-14 and change >= before):
            return 1
        before = change
    return 1 if before < 1.0e-13 else 0


def add_up(y: Floats, low: Floats, i: int, more: float) -> None:
    """A sum whose lost digits are kept."""
    part = low[i] + more
    total = y[i] + part
    low[i] = part - (total - y[i])
    y[i] = total


def advance_gauss(
    rates: Rows,
    rates_table: Ints,
    watch: Rows,
    watch_table: Ints,
    correct: Rows,
    arguments: Ints,
    corrected: Floats,
    y: Floats,
    low: Floats,
    table: Floats,
    directions: Ints,
    zeros: Ints,
    counts: Ints,
    numbers: Floats,
    times: Floats,
    coefficients: Floats,
    method: Floats,
    points: Floats,
    slopes: Floats,
    values: Floats,
    work: Floats,
) -> int:
    """Take steps of one length; see END, EVENT … of `_advance` for the answer, and LONG.

    Args:
        rates: The flow, from `points` to `slopes`.
        rates_table: Its arguments.
        watch: The watched functions, from `points` to `values`.
        watch_table: Its arguments.
        correct: Back to the constraints; reads y and writes `corrected`.
        arguments: Of `correct`.
        corrected: Where it puts the state.
        y: The state, the time last; in and out.
        low: What y has no digits for; in and out, zeros for a new state.
        table: Coefficients of the last step: of the state, then of the watched functions.
        directions: Of every watched function: in which direction its zeros count, 0 for both.
        zeros: Whether a function is zero at the start, because it has just been an event; in and out.
        counts: See the places of the table of integers.
        numbers: See the places of the table of numbers; STEP is the length of a step.
        times: Beginning and length of every step, two numbers each.
        coefficients: Those of the state, for every step.
        method: The table of the method.
        points: Room for states, a row a stage or a node.
        slopes: Room for rates.
        values: Room for watched functions.
        work: Room, see `sistel.simulation.implicit._kernels`.
    """
    size = counts[SIZE]
    watched = counts[WATCHED]
    s = counts[STAGES]
    d = counts[ORDER]
    until = numbers[UNTIL]
    steps = counts[STEPS]
    floor = numbers[FLOOR]
    found = work
    z = shift(found, 2)
    unit = shift(z, s * size)
    powers = shift(unit, size * (d + 1))
    one = shift(powers, (watched + 1) * (d + 1))
    room = shift(one, d + 2)
    before = 0.0
    while True:
        now = y[size - 1]
        left = until - now
        counts[STEPS] = steps
        if left <= 0.0:
            return END
        if steps >= counts[ROOM]:
            return FULL
        if poll(counts, STOP) != 0:
            return STOPPED
        h = numbers[STEP]
        last = h >= left * (1.0 - 1.0e-9)
        if last:
            h = left
            counts[CUT] = 1
        if now + h <= now:
            return SMALL
        if before > 0.0:
            foresee(unit, y, size, s, d, h / before, method, z)
        else:
            for i in range(s * size):
                z[i] = 0.0
        good = iterate(rates, rates_table, y, size, s, h, floor, method, points, slopes, z, counts)
        if good <= 0 and before > 0.0:
            # The last polynomial may lead astray.
            for i in range(s * size):
                z[i] = 0.0
            good = iterate(rates, rates_table, y, size, s, h, floor, method, points, slopes, z, counts)
        if good <= 0:
            # Numbers that grow beyond all bounds while the state itself has rates: that is the step's doing.
            for i in range(size):
                points[i] = y[i]
            rates(0, 1, rates_table)
            for i in range(size):
                if not math.isfinite(slopes[i]):
                    return LOST
            return LONG
        expand(z, y, size, s, d, h, method, unit)
        leaf = find_event(
            watch,
            watch_table,
            unit,
            size,
            watched,
            s,
            d,
            method,
            points,
            values,
            powers,
            directions,
            zeros,
            one,
            room,
            found,
        )
        if leaf >= 0:
            last = False
            whole = h
            h = found[0] * whole
            rise = found[1] / whole
            counts[LEAF] = leaf
            counts[WAY] = 1 if rise > 0.0 else -1
            change = math.inf
            place = h
            for _ in range(6):
                for i in range(s * size):
                    z[i] = z[i] * place / h
                if iterate(rates, rates_table, y, size, s, place, floor, method, points, slopes, z, counts) <= 0:
                    return LONG
                h = place
                for i in range(size):
                    total = 0.0
                    for j in range(s):
                        total += method[s + j] * slopes[j * size + i]
                    points[i] = y[i] + h * total
                watch(0, 1, watch_table)
                if rise == 0.0:
                    break
                better = values[leaf] / rise
                if not abs(better) < 0.5 * change or abs(better) <= 1.0e-16 * max(abs(now), place):
                    break
                if not 0.0 < place - better <= whole * 1.001:
                    break
                change = abs(better)
                place = place - better
            expand(z, y, size, s, d, h, method, unit)
            sample(watch, watch_table, unit, size, watched, s, d, 0.0, 1.0, method, points, values, powers)
            # The rates at the stages once more: the watched functions have used their room.
            iterate(rates, rates_table, y, size, s, h, floor, method, points, slopes, z, counts)
        record(unit, powers, size, watched, d, now, h, steps, table, times, coefficients)
        for i in range(size - 1):
            total = 0.0
            for j in range(s):
                total += method[s + j] * slopes[j * size + i]
            add_up(y, low, i, h * total)
        if last:
            y[size - 1] = until
            low[size - 1] = 0.0
        else:
            add_up(y, low, size - 1, h)
        steps += 1
        for i in range(watched):
            zeros[i] = 0
        if counts[CORRECTS] != 0:
            correct(0, 1, arguments)
            for i in range(size - 1):
                if not math.isfinite(corrected[i]):
                    # The step is good, and from its end no way leads back to the constraints.
                    counts[STEPS] = steps
                    return LOST
            for i in range(size - 1):
                y[i] = corrected[i]
                low[i] = 0.0
        if leaf >= 0:
            zeros[leaf] = 1
            counts[STEPS] = steps
            return EVENT
        before = h


FUNCTIONS: Final = (*_collocation.FUNCTIONS, iterate, add_up, advance_gauss)
