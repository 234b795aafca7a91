"""Motion within a stiff structure: Radau's method IIA, its stages found by Newton's iteration.

Written in the compiled subset of Python, as `simulation.taylor.steps`, with the same answers and tables: a step is a
polynomial of the time, and watched functions are polynomials beside it. The equations of the s stages fall apart, by
the eigenvectors of the method, into one real system and (s - 1) / 2 complex ones of the size of the state.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Ints, poll, shift
from sistel.simulation.implicit import _collocation
from sistel.simulation.implicit import _linear as _linear_subset
from sistel.simulation.implicit._collocation import (
    EVALUATIONS,
    FACTORISATIONS,
    RATE,
    REFUSED,
    STAGES,
    STEP,
    TOLERANCE,
    Rows,
    expand,
    find_event,
    foresee,
    method_end,
    record,
    sample,
)
from sistel.simulation.implicit._linear import factor, factor_complex, solve, solve_complex
from sistel.simulation.taylor.steps import (
    CORRECTS,
    CUT,
    END,
    EVENT,
    FULL,
    LEAF,
    LONGEST,
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
    WEIGHTS,
)

ENOUGH: Final = 1.0e-3
"""Part of the tolerance to which the stages are found."""
LEAST: Final = 4.0e-15
"""Relative size of a change of the stages that rounding may make."""


def measure(x: Floats, scale: Floats, size: int) -> float:
    """The largest component but the time, each in its own scale; infinite where one is not a number."""
    worst = 0.0
    for i in range(size - 1):
        here = abs(x[i]) / scale[i]
        if not math.isfinite(here):
            return math.inf
        worst = max(worst, here)
    return worst


def prepare(
    jacobian: Floats, size: int, s: int, d: int, h: float, method: Floats, factors: Floats, pivots: Ints
) -> int:
    """Factors of λ / h - J for the real eigenvalue and for every pair."""
    own = shift(method, method_end(s, d))
    square = size * size
    for i in range(square):
        factors[i] = -jacobian[i]
    for i in range(size):
        factors[i * size + i] = factors[i * size + i] + own[0] / h
    if factor(factors, size, pivots) != 0:
        return 1
    for pair in range((s - 1) // 2):
        re = shift(factors, (1 + 2 * pair) * square)
        im = shift(factors, (2 + 2 * pair) * square)
        for i in range(square):
            re[i] = -jacobian[i]
            im[i] = 0.0
        for i in range(size):
            re[i * size + i] = re[i * size + i] + own[1 + 2 * pair] / h
            im[i * size + i] = -own[2 + 2 * pair] / h
        if factor_complex(re, im, size, shift(pivots, (1 + pair) * size)) != 0:
            return 1
    return 0


def stages(
    rates: Rows,
    rates_table: Ints,
    y: Floats,
    size: int,
    s: int,
    d: int,
    h: float,
    method: Floats,
    factors: Floats,
    pivots: Ints,
    scale: Floats,
    points: Floats,
    slopes: Floats,
    z: Floats,
    work: Floats,
    counts: Ints,
    numbers: Floats,
) -> int:
    """What the stages add to the state, by Newton's iteration from what z has; how many steps it took, 0 if in vain."""
    A = shift(method, 2 * s)
    own = method_end(s, d)
    T = shift(method, own + s)
    inverse = shift(T, s * s)
    lack = work
    turned = shift(work, s * size)
    square = size * size
    most = 7 + 2 * (s - 3)
    enough = max(ENOUGH, LEAST / numbers[TOLERANCE])
    before = 0.0
    rate = 0.0
    for iteration in range(1, most + 1):
        for j in range(s):
            for i in range(size):
                points[j * size + i] = y[i] + z[j * size + i]
        rates(0, s, rates_table)
        counts[EVALUATIONS] = counts[EVALUATIONS] + s
        for j in range(s):
            for i in range(size):
                total = 0.0
                for k in range(s):
                    total += A[j * s + k] * slopes[k * size + i]
                lack[j * size + i] = (h * total - z[j * size + i]) / h
        for j in range(s):
            for i in range(size):
                total = 0.0
                for k in range(s):
                    total += inverse[j * s + k] * lack[k * size + i]
                turned[j * size + i] = total
        solve(factors, size, pivots, turned)
        for pair in range((s - 1) // 2):
            solve_complex(
                shift(factors, (1 + 2 * pair) * square),
                shift(factors, (2 + 2 * pair) * square),
                size,
                shift(pivots, (1 + pair) * size),
                shift(turned, (1 + 2 * pair) * size),
                shift(turned, (2 + 2 * pair) * size),
            )
        change = 0.0
        for j in range(s):
            for i in range(size):
                total = 0.0
                for k in range(s):
                    total += T[j * s + k] * turned[k * size + i]
                lack[j * size + i] = total
            change = max(change, measure(shift(lack, j * size), scale, size))
        if not math.isfinite(change):
            return 0
        if iteration > 1:
            rate = change / before if before > 0.0 else 0.0
            if rate >= 0.99:
                if change > 10.0 * enough:
                    return 0
                rate = 0.5  # what is left is rounding
        for j in range(s * size):
            z[j] = z[j] + lack[j]
        numbers[RATE] = rate
        if change == 0.0 or (iteration > 1 and rate / (1.0 - rate) * change <= enough):
            return iteration
        if iteration > 2 and change * math.pow(rate, float(most - iteration)) / (1.0 - rate) > 10.0 * enough:
            return 0
        before = change
    return 0


def advance_stiff(
    rates: Rows,
    rates_table: Ints,
    jacobian: Rows,
    jacobian_table: Ints,
    watch: Rows,
    watch_table: Ints,
    correct: Rows,
    arguments: Ints,
    corrected: Floats,
    y: Floats,
    table: Floats,
    directions: Ints,
    zeros: Ints,
    counts: Ints,
    numbers: Floats,
    weights: Floats,
    times: Floats,
    coefficients: Floats,
    method: Floats,
    points: Floats,
    slopes: Floats,
    matrix: Floats,
    values: Floats,
    pivots: Ints,
    work: Floats,
) -> int:
    """Take steps; see END, EVENT … of `_advance` for the answer.

    Args:
        rates: The flow, from `points` to `slopes`.
        rates_table: Its arguments.
        jacobian: Its derivatives, from `y` to `matrix`.
        jacobian_table: Its arguments.
        watch: The watched functions, from `points` to `values`.
        watch_table: Its arguments.
        correct: Back to the constraints; reads y and writes `corrected`.
        arguments: Of `correct`.
        corrected: Where it puts the state.
        y: The state, the time last; in and out.
        table: Coefficients of the last step: of the state, then of the watched functions.
        directions: Of every watched function: in which direction its zeros count, 0 for both.
        zeros: Whether a function is zero at the start, because it has just been an event; in and out.
        counts: See the places of the table of integers.
        numbers: See the places of the table of numbers.
        weights: Of the components in the measure of errors, see `_advance.step_length`.
        times: Beginning and length of every step, two numbers each.
        coefficients: Those of the state, for every step.
        method: The table of the method.
        points: Room for states, a row a stage or a node.
        slopes: Room for rates.
        matrix: Room for the derivatives of the flow.
        values: Room for watched functions.
        pivots: Room for the order of rows, (s + 1) / 2 · n.
        work: Room, see `sistel.simulation.implicit._kernels`.
    """
    size = counts[SIZE]
    watched = counts[WATCHED]
    s = counts[STAGES]
    d = counts[ORDER]
    until = numbers[UNTIL]
    tolerance = numbers[TOLERANCE]
    steps = counts[STEPS]
    own = method_end(s, d)
    estimate = shift(method, own + s + 2 * s * s)
    gamma = method[own]
    # The room, cut into pieces.
    scale = work
    error = shift(scale, size)
    start = shift(error, size)
    found = shift(start, size)
    z = shift(found, 2)
    rest = shift(z, s * size)
    unit = shift(rest, 2 * s * size)
    powers = shift(unit, size * (d + 1))
    one = shift(powers, (watched + 1) * (d + 1))
    room = shift(one, d + 2)
    factors = shift(room, 53 * (d + 4))
    fresh = False  # whether the matrix belongs to this state
    factored = 0.0  # the step for which there are factors
    before = 0.0  # length of the last step, whose polynomial foresees the next
    last_error = 1.0
    last_step = 0.0
    refused = False
    h = numbers[STEP]
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
        for i in range(size):
            scale[i] = tolerance * max(weights[WEIGHTS * i] * abs(y[i]), weights[WEIGHTS * i + 1])
            points[i] = y[i]
        if not refused:
            rates(0, 1, rates_table)
            counts[EVALUATIONS] = counts[EVALUATIONS] + 1
            for i in range(size):
                start[i] = slopes[i]
        quick = measure(start, scale, size)
        if not math.isfinite(quick):
            return LOST
        if h <= 0.0:
            quick = quick * tolerance
            h = 0.01 / quick if quick > 0.0 else left
        h = min(h, numbers[LONGEST])
        last = h >= left * (1.0 - 1.0e-9)
        length = left if last else h
        if last:
            counts[CUT] = 1
        if now + length <= now:
            return SMALL
        if not fresh and factored == 0.0:
            jacobian(0, 1, jacobian_table)
            fresh = True
        if factored != length:
            counts[FACTORISATIONS] = counts[FACTORISATIONS] + 1
            factored = length
            if prepare(matrix, size, s, d, length, method, factors, pivots) != 0:
                factored = -1.0
                h = 0.5 * length
                refused = True
                counts[REFUSED] = counts[REFUSED] + 1
                continue
        if before > 0.0:
            foresee(unit, y, size, s, d, length / before, method, z)
        else:
            for i in range(s * size):
                z[i] = 0.0
        taken = stages(
            rates,
            rates_table,
            y,
            size,
            s,
            d,
            length,
            method,
            factors,
            pivots,
            scale,
            points,
            slopes,
            z,
            rest,
            counts,
            numbers,
        )
        if taken == 0:
            # Old derivatives first, then a shorter step.
            if fresh:
                h = 0.5 * length
            else:
                h = length
            if before > 0.0 and fresh:
                before = 0.0  # nor was the guess of use
            factored = 0.0
            refused = True
            counts[REFUSED] = counts[REFUSED] + 1
            if fresh:
                factored = -1.0
            continue
        for i in range(size):
            total = start[i] * length / gamma
            for j in range(s):
                total += estimate[j] * z[j * size + i]
            error[i] = total * gamma / length
        solve(factors, size, pivots, error)
        size_of_error = measure(error, scale, size)
        if size_of_error >= 1.0 and (refused or before == 0.0):
            # Where the start is off the slow motion, one more filter: the rates there are of the fast one.
            for i in range(size):
                points[i] = y[i] + error[i]
            rates(0, 1, rates_table)
            counts[EVALUATIONS] = counts[EVALUATIONS] + 1
            for i in range(size):
                total = slopes[i] * length / gamma
                for j in range(s):
                    total += estimate[j] * z[j * size + i]
                error[i] = total * gamma / length
            solve(factors, size, pivots, error)
            size_of_error = measure(error, scale, size)
        most = float(7 + 2 * (s - 3))
        safety = 0.9 * (2.0 * most + 1.0) / (2.0 * most + float(taken))
        small = max(size_of_error, 1.0e-10)
        growth = min(8.0, max(0.125, safety * math.pow(small, -1.0 / float(s + 1))))
        if not size_of_error < 1.0:
            h = length * min(growth, 0.9) if math.isfinite(size_of_error) else 0.25 * length
            if not fresh:
                factored = 0.0
            refused = True
            counts[REFUSED] = counts[REFUSED] + 1
            continue
        if last_step > 0.0:
            # How the error has changed foretells how it will.
            ahead = safety * length / last_step * math.pow(last_error / (small * small), 1.0 / float(s + 1))
            growth = min(growth, max(0.125, ahead))
        last_error = max(0.01, small)
        last_step = length
        if refused:
            growth = min(growth, 1.0)
        refused = False
        expand(z, y, size, s, d, length, method, unit)
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
            # The step is taken again up to the event, until its end is where the function is zero.
            whole = length
            place = found[0] * whole
            rise = found[1] / whole
            counts[LEAF] = leaf
            counts[WAY] = 1 if rise > 0.0 else -1
            change = math.inf
            failed = False
            for _ in range(6):
                for j in range(s):
                    x = method[j] * place / whole
                    for i in range(size):
                        row = shift(unit, i * (d + 1))
                        total = 0.0
                        for k in range(s, 0, -1):
                            total = (total + row[k]) * x
                        z[j * size + i] = total
                # A little off, old factors are good enough.
                if not abs(factored - place) < 1.0e-3 * place:
                    counts[FACTORISATIONS] = counts[FACTORISATIONS] + 1
                    factored = place
                    failed = prepare(matrix, size, s, d, place, method, factors, pivots) != 0
                if not failed:
                    taken = stages(
                        rates,
                        rates_table,
                        y,
                        size,
                        s,
                        d,
                        place,
                        method,
                        factors,
                        pivots,
                        scale,
                        points,
                        slopes,
                        z,
                        rest,
                        counts,
                        numbers,
                    )
                    failed = taken == 0
                if failed:
                    break
                length = place
                for i in range(size):
                    points[i] = y[i] + z[(s - 1) * size + i]
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
            if failed:
                # Half the way, whether or not the event is there.
                h = 0.5 * whole
                factored = 0.0
                before = 0.0
                refused = True
                counts[REFUSED] = counts[REFUSED] + 1
                continue
            expand(z, y, size, s, d, length, method, unit)
            sample(watch, watch_table, unit, size, watched, s, d, 0.0, 1.0, method, points, values, powers)
        record(unit, powers, size, watched, d, now, length, steps, table, times, coefficients)
        for i in range(size - 1):
            y[i] = y[i] + z[(s - 1) * size + i]
        y[size - 1] = until if last else now + length
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
        if leaf >= 0:
            zeros[leaf] = 1
            counts[STEPS] = steps
            numbers[STEP] = h  # as if nothing had happened: the next step is the guess of the last one
            return EVENT
        before = length
        # Factors are kept for a step that would hardly be longer, and derivatives as long as the iteration is quick.
        keeps = numbers[RATE] < 1.0e-3 and taken <= 3
        fresh = False
        if 1.0 <= growth <= 1.2 and keeps:
            h = length
        else:
            h = length * growth
            factored = factored if keeps and h == factored else (-1.0 if keeps else 0.0)
        if not last:
            numbers[STEP] = h


FUNCTIONS: Final = (
    *_collocation.FUNCTIONS,
    *_linear_subset.FUNCTIONS,
    measure,
    prepare,
    stages,
    advance_stiff,
)
