"""Motion by an explicit method of Runge and Kutta's kind, of order 8 with dense output of order 7.

Written in the compiled subset of Python, as rules for the frame in `sistel.simulation.implicit._stepping`: each stage
is one call of the rates, and between two steps nothing is left to the interpreter. The table of the method is in
`_tableau`.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, functions_of, shift
from sistel.simulation.implicit import _stepping
from sistel.simulation.implicit._collocation import (
    EVALUATIONS,
    FRESH,
    GROWTH,
    LAST_ERROR,
    NEXT,
    REPEATED,
    STEP,
    TOLERANCE,
    Problem,
    Workspace,
    method_end,
)
from sistel.simulation.implicit._stepping import TAKEN, Rules, advance, measure, put_scale, refuse
from sistel.simulation.taylor.steps import CORRECTS, LONGEST, UNTIL

OWN: Final = 12
"""Stages of the method itself; the next one is the end of the step."""
POWERS: Final = 7
"""Degree of the dense output."""
DAMPING: Final = 0.04
"""Power of the last error in the length of the next step, which keeps it from swinging (Gustafsson)."""
POWER: Final = 0.125 - 0.2 * DAMPING
"""Power of the error itself."""
SHARE: Final = 0.1
"""Part of the tolerance that the error of one step may take: errors add up, and so a run is about as exact as one by
Taylor series, whose steps are shorter than their tolerance asks for."""
LEAST_ERROR: Final = 1.0e-4
"""A smaller one does not count as the last error."""


def add_rates(problem: Problem, work: Workspace, weights: Floats, stages: int, out: Floats) -> None:
    """The sum of the rates of the first stages, each with its weight."""
    size = work.size
    for i in range(size):
        out[i] = 0.0
    for j in range(stages):
        weight = weights[j]
        if weight != 0.0:
            rates = shift(problem.slopes, j * size)
            for i in range(size):
                out[i] = out[i] + weight * rates[i]


def find_stage(problem: Problem, work: Workspace, stage: int, h: float) -> None:
    """The state of a stage, from the rates of those before it, and the rates there."""
    size = work.size
    state = shift(problem.points, stage * size)
    add_rates(problem, work, shift(problem.method, (2 + stage) * work.s), stage, state)
    for i in range(size):
        state[i] = problem.y[i] + h * state[i]
    problem.rates(stage, stage + 1, problem.rates_table)
    problem.counts[EVALUATIONS] = problem.counts[EVALUATIONS] + 1


def find_stages(problem: Problem, work: Workspace, h: float) -> None:
    """All stages of the method itself; the rates at the beginning are known."""
    for i in range(work.size):
        problem.slopes[i] = work.start[i]
    for stage in range(1, OWN):
        find_stage(problem, work, stage, h)


def find_end(problem: Problem, work: Workspace, h: float) -> None:
    """The state at the end of a step, in the first row of `z`, and the rates there."""
    find_stage(problem, work, OWN, h)
    for i in range(work.size):
        work.z[i] = problem.points[OWN * work.size + i]


def estimate_error_rk(problem: Problem, work: Workspace, h: float) -> float:
    """The error of a step: that of order 5, made less by that of order 3, which grows faster with the step."""
    own = shift(problem.method, method_end(work.s, work.d))
    add_rates(problem, work, own, OWN, work.error)
    fifth = h * measure(work.error, work.scale, work.size)
    add_rates(problem, work, shift(own, work.s), OWN, work.error)
    third = h * measure(work.error, work.scale, work.size)
    if fifth == 0.0:
        return 0.0
    return fifth * fifth / math.sqrt(fifth * fifth + 0.01 * third * third)


def first_step(problem: Problem, work: Workspace, left: float) -> float:
    """The length of a step without one before it, from the rates and how they change over a very short one."""
    size = work.size
    quick = measure(work.start, work.scale, size)
    if not quick > 0.0:
        return left
    short = min(0.01 / (quick * SHARE * problem.numbers[TOLERANCE]), left)
    for i in range(size):
        problem.points[i] = problem.y[i] + short * work.start[i]
    problem.rates(0, 1, problem.rates_table)
    problem.counts[EVALUATIONS] = problem.counts[EVALUATIONS] + 1
    for i in range(size):
        work.error[i] = problem.slopes[i] - work.start[i]
    bend = measure(work.error, work.scale, size) / short
    if not math.isfinite(bend):
        return short
    return min(100.0 * short, math.pow(0.01 / max(bend, quick), 0.125))


def propose_rk(problem: Problem, work: Workspace, left: float) -> float:
    """The length that the last step allows; without one, a guess."""
    size = work.size
    put_scale(problem, work, SHARE * problem.numbers[TOLERANCE])
    if problem.counts[FRESH] == 0:
        for i in range(size):
            problem.points[i] = problem.y[i]
        problem.rates(0, 1, problem.rates_table)
        problem.counts[EVALUATIONS] = problem.counts[EVALUATIONS] + 1
        for i in range(size):
            work.start[i] = problem.slopes[i]
        problem.counts[FRESH] = 1
        if not math.isfinite(measure(work.start, work.scale, size)):
            return math.nan
    h = problem.numbers[NEXT]
    if h <= 0.0:
        h = first_step(problem, work, left)
    problem.numbers[NEXT] = min(h, problem.numbers[LONGEST])
    return problem.numbers[NEXT]


def attempt_rk(problem: Problem, work: Workspace, h: float) -> int:
    """Find the stages of a step, and judge its error; how much longer the next may be goes to GROWTH."""
    counts = problem.counts
    numbers = problem.numbers
    find_stages(problem, work, h)
    error = estimate_error_rk(problem, work, h)
    if not math.isfinite(error):
        return refuse(problem, 0.25 * h)
    small = max(error, 1.0e-10)
    if not error < 1.0:
        return refuse(problem, h * max(0.2, 0.9 * math.pow(small, -0.125)))
    find_end(problem, work, h)
    if not math.isfinite(measure(shift(problem.slopes, OWN * work.size), work.scale, work.size)):
        return refuse(problem, 0.25 * h)
    growth = 0.9 * math.pow(small, -POWER) * math.pow(numbers[LAST_ERROR], DAMPING)
    growth = min(2.0, max(0.333, growth))
    numbers[LAST_ERROR] = max(error, LEAST_ERROR)
    numbers[GROWTH] = min(growth, 1.0) if counts[REPEATED] != 0 else growth
    counts[REPEATED] = 0
    return TAKEN


def approach_rk(problem: Problem, work: Workspace, h: float, before: float, whole: float) -> int:
    """Find the stages of a step up to an event."""
    find_stages(problem, work, h)
    find_end(problem, work, h)
    for i in range(work.size):
        problem.points[i] = work.z[i]
    return TAKEN


def expand_rk(problem: Problem, work: Workspace, h: float) -> None:
    """Coefficients of every component on [0, 1]: the dense output, whose last stages are found here."""
    size = work.size
    for stage in range(OWN + 1, work.s):
        find_stage(problem, work, stage, h)
    weights = shift(problem.method, method_end(work.s, work.d) + 2 * work.s)
    for i in range(size):
        row = shift(work.unit, i * (work.d + 1))
        row[0] = problem.y[i]
        for k in range(POWERS + 1, work.d + 1):
            row[k] = 0.0
    for k in range(POWERS):
        add_rates(problem, work, shift(weights, k * work.s), work.s, work.lack)
        for i in range(size):
            work.unit[i * (work.d + 1) + k + 1] = h * work.lack[i]
    clock = shift(work.unit, (size - 1) * (work.d + 1))
    for k in range(1, work.d + 1):
        clock[k] = h if k == 1 else 0.0


def move_rk(problem: Problem, work: Workspace, h: float, last: bool, event: bool) -> None:
    """Put the state at the end of a step, and keep the rates there: the next one begins with them."""
    clock = work.size - 1
    for i in range(clock):
        problem.y[i] = work.z[i]
        work.start[i] = problem.slopes[OWN * work.size + i]
    problem.y[clock] = problem.numbers[UNTIL] if last else problem.y[clock] + h


def plan_rk(problem: Problem, work: Workspace, h: float, last: bool, event: bool) -> None:
    """How long the next step is, and whether the rates at its beginning are known."""
    numbers = problem.numbers
    if problem.counts[CORRECTS] != 0:
        problem.counts[FRESH] = 0  # the state is another one
    if event:
        numbers[STEP] = numbers[NEXT]  # as if nothing had happened
        return
    numbers[NEXT] = h * numbers[GROWTH]
    if not last:
        numbers[STEP] = numbers[NEXT]


def advance_rk(problem: Problem) -> int:
    """Take steps whose errors are small enough; the first is of length STEP. The answer is that of `advance`."""
    problem.numbers[NEXT] = problem.numbers[STEP]
    problem.numbers[LAST_ERROR] = LEAST_ERROR
    problem.counts[FRESH] = 0
    problem.counts[REPEATED] = 0
    return advance(problem, Rules(propose_rk, attempt_rk, approach_rk, expand_rk, move_rk, plan_rk))


FUNCTIONS: Final = (*_stepping.FUNCTIONS, *functions_of(globals()))
