"""Motion at a fixed step by Gauss's method, which is symplectic: energy does not drift, however long the run.

Written in the compiled subset of Python, as rules for the frame in `_stepping`. The stages are found by plain iteration
to the last digit, and sums are compensated, since whatever is left over in every step is a force that the mechanism
does not have.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, functions_of, shift
from sistel.simulation.implicit import _stepping
from sistel.simulation.implicit._collocation import (
    BEFORE,
    STEP,
    Problem,
    Workspace,
    clear_stages,
    expand,
    guess_stages,
    put_stages,
)
from sistel.simulation.implicit._stepping import TAKEN, Rules, advance
from sistel.simulation.taylor.outcomes import LONG, LOST
from sistel.simulation.taylor.steps import FLOOR, UNTIL

MOST: Final = 60
"""Iterations of a step."""


def iterate(problem: Problem, work: Workspace, h: float) -> int:
    """What the stages add to the state, from what z has; 0 where that has no end, -1 where it is not finite."""
    size = work.size
    s = work.s
    floor = problem.numbers[FLOOR]
    y = problem.y
    z = work.z
    A = shift(problem.method, 2 * s)
    before = math.inf
    for _ in range(MOST):
        put_stages(problem, work)
        change = 0.0
        for j in range(s):
            for i in range(size):
                total = 0.0
                for k in range(s):
                    total += A[j * s + k] * problem.slopes[k * size + i]
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


def mean_rate(problem: Problem, work: Workspace, i: int) -> float:
    """The rate of a component over a whole step: those at the stages, by the weights of the method."""
    total = 0.0
    for j in range(work.s):
        total += problem.method[work.s + j] * problem.slopes[j * work.size + i]
    return total


def propose_gauss(problem: Problem, work: Workspace, left: float) -> float:
    """All steps are of one length."""
    return problem.numbers[STEP]


def attempt_gauss(problem: Problem, work: Workspace, h: float) -> int:
    """Find the stages of a step."""
    guess_stages(problem, work, h)
    good = iterate(problem, work, h)
    if good <= 0 and problem.numbers[BEFORE] > 0.0:
        # The last polynomial may lead astray.
        clear_stages(work)
        good = iterate(problem, work, h)
    if good > 0:
        return TAKEN
    # Numbers that grow beyond all bounds while the state itself has rates: that is the step's doing.
    for i in range(work.size):
        problem.points[i] = problem.y[i]
    problem.rates(0, 1, problem.rates_table)
    for i in range(work.size):
        if not math.isfinite(problem.slopes[i]):
            return LOST
    return LONG


def approach_gauss(problem: Problem, work: Workspace, h: float, before: float, whole: float) -> int:
    """Find the stages of a step up to an event, from those of the one before it."""
    for i in range(work.s * work.size):
        work.z[i] = work.z[i] * h / before
    if iterate(problem, work, h) <= 0:
        return LONG
    for i in range(work.size):
        problem.points[i] = problem.y[i] + h * mean_rate(problem, work, i)
    return TAKEN


def move_gauss(problem: Problem, work: Workspace, h: float, last: bool, event: bool) -> None:
    """Put the state at the end of a step, with the digits that sums lose."""
    clock = work.size - 1
    if event:
        # The rates at the stages once more: the watched functions have used their room.
        iterate(problem, work, h)
    for i in range(clock):
        add_up(problem.y, problem.low, i, h * mean_rate(problem, work, i))
    if last:
        problem.y[clock] = problem.numbers[UNTIL]
        problem.low[clock] = 0.0
    else:
        add_up(problem.y, problem.low, clock, h)


def plan_gauss(problem: Problem, work: Workspace, h: float, last: bool, event: bool) -> None:
    """Nothing is to be seen to: all steps are of one length."""


def advance_gauss(problem: Problem) -> int:
    """Take steps of one length, STEP; the answer is that of `advance`, or LONG."""
    return advance(problem, Rules(propose_gauss, attempt_gauss, approach_gauss, expand, move_gauss, plan_gauss))


FUNCTIONS: Final = (*_stepping.FUNCTIONS, *functions_of(globals()))
