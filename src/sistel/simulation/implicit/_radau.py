"""Motion within a stiff structure: Radau's method IIA, its stages found by Newton's iteration.

Written in the compiled subset of Python, as rules for the frame in `_stepping`: a step is a polynomial of the time, and
watched functions are polynomials beside it. The equations of the s stages fall apart, by the eigenvectors of the
method, into one real system and (s - 1) / 2 complex ones of the size of the state.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, functions_of, shift
from sistel.simulation.implicit import _linear as _linear_subset
from sistel.simulation.implicit import _stepping
from sistel.simulation.implicit._collocation import (
    AREA,
    BEFORE,
    BLOCKS,
    DIFFERENCES,
    DIRECTIONS,
    ENTRIES,
    FACTORED,
    FACTORISATIONS,
    FRESH,
    GROWTH,
    ITERATIONS,
    LAST_ERROR,
    LAST_STEP,
    NEXT,
    RATE,
    REPEATED,
    STEP,
    TOLERANCE,
    Problem,
    Workspace,
    expand,
    find_rates,
    guess_stages,
    method_end,
    put_stages,
)
from sistel.simulation.implicit._linear import factor, factor_complex, solve, solve_complex
from sistel.simulation.implicit._stepping import TAKEN, Rules, advance, measure, put_scale, refuse
from sistel.simulation.taylor.steps import LONGEST, UNTIL

ENOUGH: Final = 1.0e-3
"""Part of the tolerance to which the stages are found."""
DIFFERENCE: Final = 2.0**-26
"""Of states, for derivatives: half of the digits of a number are left of them."""
LEAST: Final = 4.0e-15
"""Relative size of a change of the stages that rounding may make."""


def most_iterations(s: int) -> int:
    """Newton's steps for the stages of one step."""
    return 7 + 2 * (s - 3)


def differentiate(problem: Problem) -> None:
    """The derivatives of the flow where the step begins, in `matrix`."""
    counts = problem.counts
    problem.jacobian(0, counts[DIRECTIONS], problem.jacobian_table)
    for k in range(counts[ENTRIES]):
        problem.matrix[problem.entries[2 * k + 1]] = problem.along[problem.entries[2 * k]]


def factorise(problem: Problem, work: Workspace, h: float) -> bool:
    """Factors of γ - J, γ = λ / h, for the real eigenvalue and for every pair; whether there are such.

    Of a part with followers they are those of γ - K - F / γ.
    """
    own = shift(problem.method, method_end(work.s, work.d))
    area = problem.counts[AREA]
    problem.counts[FACTORISATIONS] = problem.counts[FACTORISATIONS] + 1
    problem.numbers[FACTORED] = h
    for block in range(problem.counts[BLOCKS]):
        first = problem.blocks[4 * block]
        size = problem.blocks[4 * block + 1]
        place = problem.blocks[4 * block + 2]
        follows = problem.blocks[4 * block + 3] != 0
        square = size * size
        K = shift(problem.matrix, place)
        F = shift(K, area) if follows else K
        factors = shift(work.factors, place)
        for i in range(square):
            factors[i] = -K[i]
        if follows:
            inverse = h / own[0]
            for i in range(square):
                factors[i] = factors[i] - inverse * F[i]
        for i in range(size):
            factors[i * size + i] = factors[i * size + i] + own[0] / h
        if factor(factors, size, shift(problem.pivots, first)) != 0:
            return False
        for pair in range((work.s - 1) // 2):
            re = shift(factors, (1 + 2 * pair) * area)
            im = shift(factors, (2 + 2 * pair) * area)
            x = own[1 + 2 * pair] / h
            y = -own[2 + 2 * pair] / h
            for i in range(square):
                re[i] = -K[i]
                im[i] = 0.0
            if follows:
                length = x * x + y * y
                for i in range(square):
                    re[i] = re[i] - x / length * F[i]
                    im[i] = y / length * F[i]
            for i in range(size):
                re[i * size + i] = re[i * size + i] + x
                im[i * size + i] = im[i * size + i] + y
            if factor_complex(re, im, size, shift(problem.pivots, (1 + pair) * work.size + first)) != 0:
                return False
    return True


def solve_real(problem: Problem, work: Workspace, h: float, b: Floats) -> None:
    """The solution for the real eigenvalue in the place of the right-hand side."""
    spare = problem.spare
    gamma = problem.method[method_end(work.s, work.d)] / h
    for block in range(problem.counts[BLOCKS]):
        first = problem.blocks[4 * block]
        order = shift(problem.order, first)
        followers = shift(problem.followers, first)
        size = problem.blocks[4 * block + 1]
        place = problem.blocks[4 * block + 2]
        follows = problem.blocks[4 * block + 3] != 0
        for i in range(size):
            spare[i] = b[order[i]]
        if follows:
            F = shift(problem.matrix, problem.counts[AREA] + place)
            for j in range(size):
                if followers[j] >= 0:
                    x = b[followers[j]] / gamma
                    for i in range(size):
                        spare[i] = spare[i] + F[i * size + j] * x
        solve(shift(work.factors, place), size, shift(problem.pivots, first), spare)
        for i in range(size):
            b[order[i]] = spare[i]
            if follows and followers[i] >= 0:
                b[followers[i]] = (b[followers[i]] + spare[i]) / gamma


def solve_pair(problem: Problem, work: Workspace, h: float, pair: int, re: Floats, im: Floats) -> None:
    """The solution for a pair of eigenvalues in the place of the right-hand side."""
    area = problem.counts[AREA]
    own = shift(problem.method, method_end(work.s, work.d))
    x = own[1 + 2 * pair] / h
    y = -own[2 + 2 * pair] / h
    # 1 / γ
    length = x * x + y * y
    u = x / length
    v = -y / length
    for block in range(problem.counts[BLOCKS]):
        part = shift(problem.blocks, 4 * block)
        first = part[0]
        size = part[1]
        factors = shift(work.factors, part[2])
        follows = part[3] != 0
        order = shift(problem.order, first)
        followers = shift(problem.followers, first)
        one = problem.spare
        other = shift(problem.spare, size)
        for i in range(size):
            one[i] = re[order[i]]
            other[i] = im[order[i]]
        if follows:
            F = shift(problem.matrix, area + part[2])
            for j in range(size):
                if followers[j] >= 0:
                    p = re[followers[j]] * u - im[followers[j]] * v
                    q = re[followers[j]] * v + im[followers[j]] * u
                    for i in range(size):
                        one[i] = one[i] + F[i * size + j] * p
                        other[i] = other[i] + F[i * size + j] * q
        solve_complex(
            shift(factors, (1 + 2 * pair) * area),
            shift(factors, (2 + 2 * pair) * area),
            size,
            shift(problem.pivots, (1 + pair) * work.size + first),
            one,
            other,
        )
        for i in range(size):
            re[order[i]] = one[i]
            im[order[i]] = other[i]
            if follows and followers[i] >= 0:
                p = re[followers[i]] + one[i]
                q = im[followers[i]] + other[i]
                re[followers[i]] = p * u - q * v
                im[followers[i]] = p * v + q * u


def combine(matrix: Floats, s: int, size: int, rows: Floats, out: Floats) -> None:
    """The product of a matrix of the method with rows of stages."""
    for j in range(s):
        for i in range(size):
            total = 0.0
            for k in range(s):
                total += matrix[j * s + k] * rows[k * size + i]
            out[j * size + i] = total


def newton_step(problem: Problem, work: Workspace, h: float) -> float:
    """What one step of Newton's iteration adds to the stages, in `lack`; its size."""
    size = work.size
    s = work.s
    A = shift(problem.method, 2 * s)
    T = shift(problem.method, method_end(s, work.d) + s)
    lack = work.lack
    turned = shift(lack, s * size)
    put_stages(problem, work)
    for j in range(s):
        for i in range(size):
            total = 0.0
            for k in range(s):
                total += A[j * s + k] * problem.slopes[k * size + i]
            lack[j * size + i] = (h * total - work.z[j * size + i]) / h
    combine(shift(T, s * s), s, size, lack, turned)
    solve_real(problem, work, problem.numbers[FACTORED], turned)
    for pair in range((s - 1) // 2):
        solve_pair(
            problem,
            work,
            problem.numbers[FACTORED],
            pair,
            shift(turned, (1 + 2 * pair) * size),
            shift(turned, (2 + 2 * pair) * size),
        )
    combine(T, s, size, turned, lack)
    change = 0.0
    for j in range(s):
        change = max(change, measure(shift(lack, j * size), work.scale, size))
    return change


def solve_stages(problem: Problem, work: Workspace, h: float) -> int:
    """What the stages add to the state, by Newton's iteration from what z has; how many steps it took, 0 if in vain."""
    most = most_iterations(work.s)
    enough = max(ENOUGH, LEAST / problem.numbers[TOLERANCE])
    before = 0.0
    rate = 0.0
    for iteration in range(1, most + 1):
        change = newton_step(problem, work, h)
        if not math.isfinite(change):
            return 0
        if iteration > 1:
            rate = change / before if before > 0.0 else 0.0
            if rate >= 0.99:
                if change > 10.0 * enough:
                    return 0
                rate = 0.5  # what is left is rounding
        for j in range(work.s * work.size):
            work.z[j] = work.z[j] + work.lack[j]
        problem.numbers[RATE] = rate
        if change == 0.0 or (iteration > 1 and rate / (1.0 - rate) * change <= enough):
            return iteration
        if iteration > 2 and change * math.pow(rate, float(most - iteration)) / (1.0 - rate) > 10.0 * enough:
            return 0
        before = change
    return 0


def estimate_error(problem: Problem, work: Workspace, h: float, rates: Floats) -> float:
    """The error of a step, in `error`, and its size: the difference to a formula that uses rates at the start."""
    size = work.size
    s = work.s
    own = method_end(s, work.d)
    weights = shift(problem.method, own + s + 2 * s * s)
    gamma = problem.method[own]
    for i in range(size):
        total = rates[i] * h / gamma
        for j in range(s):
            total += weights[j] * work.z[j * size + i]
        work.error[i] = total * gamma / h
    solve_real(problem, work, problem.numbers[FACTORED], work.error)
    return measure(work.error, work.scale, size)


def judge(problem: Problem, work: Workspace, h: float) -> int:
    """Whether the error of a step is small enough; how much longer the next may be goes to GROWTH."""
    counts = problem.counts
    numbers = problem.numbers
    error = estimate_error(problem, work, h, work.start)
    if error >= 1.0 and (counts[REPEATED] != 0 or numbers[BEFORE] == 0.0):
        # Where the start is off the slow motion, one more filter: the rates there are of the fast one.
        for i in range(work.size):
            problem.points[i] = problem.y[i] + work.error[i]
        find_rates(problem, 1)
        error = estimate_error(problem, work, h, problem.slopes)
    most = float(most_iterations(work.s))
    power = float(work.s + 1)
    safety = 0.9 * (2.0 * most + 1.0) / (2.0 * most + float(counts[ITERATIONS]))
    small = max(error, 1.0e-10)
    growth = min(8.0, max(0.125, safety * math.pow(small, -1.0 / power)))
    if not error < 1.0:
        if counts[FRESH] == 0:
            numbers[FACTORED] = 0.0
        return refuse(problem, h * min(growth, 0.9) if math.isfinite(error) else 0.25 * h)
    if numbers[LAST_STEP] > 0.0:
        # How the error has changed foretells how it will.
        ahead = safety * h / numbers[LAST_STEP] * math.pow(numbers[LAST_ERROR] / (small * small), 1.0 / power)
        growth = min(growth, max(0.125, ahead))
    numbers[LAST_ERROR] = max(0.01, small)
    numbers[LAST_STEP] = h
    numbers[GROWTH] = min(growth, 1.0) if counts[REPEATED] != 0 else growth
    counts[REPEATED] = 0
    return TAKEN


def propose_radau(problem: Problem, work: Workspace, left: float) -> float:
    """The length that the last step allows; without one, a guess from the rates."""
    size = work.size
    tolerance = problem.numbers[TOLERANCE]
    put_scale(problem, work, tolerance)
    for i in range(size):
        problem.points[i] = problem.y[i]
    if problem.counts[REPEATED] == 0:
        find_rates(problem, 1)
        for i in range(size):
            work.start[i] = problem.slopes[i]
    quick = measure(work.start, work.scale, size)
    if not math.isfinite(quick):
        return math.nan
    h = problem.numbers[NEXT]
    if h <= 0.0:
        quick = quick * tolerance
        h = 0.01 / quick if quick > 0.0 else left
    problem.numbers[NEXT] = min(h, problem.numbers[LONGEST])
    return problem.numbers[NEXT]


def find_differences(problem: Problem, work: Workspace) -> None:
    """The derivatives of the rates, as differences from those at the state: the iteration needs few of their digits."""
    size = work.size
    y = problem.y
    for i in range(size):
        row = shift(problem.points, i * size)
        for j in range(size):
            row[j] = y[j]
        row[i] = y[i] + DIFFERENCE * max(1.0, abs(y[i]))
    find_rates(problem, size)
    for i in range(size):
        row = shift(problem.slopes, i * size)
        change = problem.points[i * size + i] - y[i]
        for j in range(size):
            problem.matrix[j * size + i] = (row[j] - work.start[j]) / change


def attempt_radau(problem: Problem, work: Workspace, h: float) -> int:
    """Find the stages of a step, with factors and derivatives as old as possible, and judge its error."""
    counts = problem.counts
    numbers = problem.numbers
    if counts[FRESH] == 0 and numbers[FACTORED] == 0.0:
        if counts[DIFFERENCES] != 0:
            find_differences(problem, work)
        else:
            differentiate(problem)
        counts[FRESH] = 1
    if numbers[FACTORED] != h and not factorise(problem, work, h):
        numbers[FACTORED] = -1.0
        return refuse(problem, 0.5 * h)
    guess_stages(problem, work, h)
    counts[ITERATIONS] = solve_stages(problem, work, h)
    if counts[ITERATIONS] > 0:
        return judge(problem, work, h)
    # Old derivatives first, then a shorter step.
    if counts[FRESH] == 0:
        numbers[FACTORED] = 0.0
        return refuse(problem, h)
    numbers[FACTORED] = -1.0
    numbers[BEFORE] = 0.0  # nor was the guess of use
    return refuse(problem, 0.5 * h)


def approach_radau(problem: Problem, work: Workspace, h: float, before: float, whole: float) -> int:
    """Find the stages of a step up to an event, from the polynomial of the whole step."""
    size = work.size
    s = work.s
    numbers = problem.numbers
    for j in range(s):
        x = problem.method[j] * h / whole
        for i in range(size):
            row = shift(work.unit, i * (work.d + 1))
            total = 0.0
            for k in range(s, 0, -1):
                total = (total + row[k]) * x
            work.z[j * size + i] = total
    # A little off, old factors are good enough.
    good = abs(numbers[FACTORED] - h) < 1.0e-3 * h or factorise(problem, work, h)
    if not good or solve_stages(problem, work, h) == 0:
        # Half the way, whether or not the event is there.
        numbers[FACTORED] = 0.0
        numbers[BEFORE] = 0.0
        return refuse(problem, 0.5 * whole)
    for i in range(size):
        problem.points[i] = problem.y[i] + work.z[(s - 1) * size + i]
    return TAKEN


def move_radau(problem: Problem, work: Workspace, h: float, last: bool, event: bool) -> None:
    """Put the state at the end of a step, which is its last stage."""
    clock = work.size - 1
    for i in range(clock):
        problem.y[i] = problem.y[i] + work.z[(work.s - 1) * work.size + i]
    problem.y[clock] = problem.numbers[UNTIL] if last else problem.y[clock] + h


def plan_radau(problem: Problem, work: Workspace, h: float, last: bool, event: bool) -> None:
    """How long the next step is, and which factors and derivatives it may use."""
    numbers = problem.numbers
    if event:
        numbers[STEP] = numbers[NEXT]  # as if nothing had happened: the next step is the guess of the last one
        return
    # Factors are kept for a step that would hardly be longer, and derivatives as long as the iteration is quick.
    keeps = numbers[RATE] < 1.0e-3 and problem.counts[ITERATIONS] <= 3
    problem.counts[FRESH] = 0
    following = h
    if not (keeps and 1.0 <= numbers[GROWTH] <= 1.2):
        following = h * numbers[GROWTH]
        if not keeps:
            numbers[FACTORED] = 0.0
        elif following != numbers[FACTORED]:
            numbers[FACTORED] = -1.0
    numbers[NEXT] = following
    if not last:
        numbers[STEP] = following


def advance_radau(problem: Problem) -> int:
    """Take steps whose errors are small enough; the first is of length STEP. The answer is that of `advance`."""
    numbers = problem.numbers
    numbers[NEXT] = numbers[STEP]
    numbers[FACTORED] = 0.0
    numbers[LAST_ERROR] = 1.0
    numbers[LAST_STEP] = 0.0
    problem.counts[FRESH] = 0
    problem.counts[REPEATED] = 0
    return advance(problem, Rules(propose_radau, attempt_radau, approach_radau, expand, move_radau, plan_radau))


FUNCTIONS: Final = (*_stepping.FUNCTIONS, *_linear_subset.FUNCTIONS, *functions_of(globals()))
