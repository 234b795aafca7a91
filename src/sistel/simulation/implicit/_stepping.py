"""The frame of all methods of stages: a step is tried, taken up to the first event on it, and written down.

Written in the compiled subset of Python. What differs from method to method is a record of functions, `Rules`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from sistel.kernels.subset import Floats, Function, poll, shift
from sistel.simulation.implicit import _collocation
from sistel.simulation.implicit._collocation import (
    BEFORE,
    LENGTH,
    NEXT,
    REFUSED,
    REPEATED,
    STAGES,
    Problem,
    Workspace,
    find_event,
    find_watched,
    sample,
    write_down,
)
from sistel.simulation.taylor.outcomes import END, EVENT, LOST, SMALL, STEPS_FULL, STOPPED
from sistel.simulation.taylor.steps import (
    CORRECTS,
    CUT,
    LEAF,
    ORDER,
    ROOM,
    SIZE,
    STEPS,
    STOP,
    UNTIL,
    WATCHED,
    WAY,
    WEIGHTS,
)

TAKEN: Final = -1
"""A step is good; one more may follow. Seen in this package only."""
REPEAT: Final = -2
"""A step is refused and is to be tried in another length. Seen in this package only."""
MOST_APPROACHES: Final = 6
"""Steps up to an event, each ending nearer to it."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a method does in its own way. Functions of a step answer TAKEN, REPEAT, or why there is no way on."""

    propose: Function[[Problem, Workspace, float], float]
    """The length of the next step, for the time that is left; NaN where the state has no rates."""
    attempt: Function[[Problem, Workspace, float], int]
    """Find the stages of a step of some length, and judge its error."""
    approach: Function[[Problem, Workspace, float, float, float], int]
    """Find the stages of a step up to an event, and put its end in the first row of `points`: the length of the step,
    that of the one before it on the way to the event, and that of the step on which the event was found."""
    expand: Function[[Problem, Workspace, float], None]
    """The polynomials of the state on a step of some length, from its stages, in `unit`."""
    move: Function[[Problem, Workspace, float, bool, bool], None]
    """Put the state at the end of a step: its length, whether the time is up there, whether an event is there."""
    plan: Function[[Problem, Workspace, float, bool, bool], None]
    """See to the next step, after one that was taken; the same arguments."""


def measure(x: Floats, scale: Floats, size: int) -> float:
    """The largest component but the time, each in its own scale; infinite where one is not a number."""
    worst = 0.0
    for i in range(size - 1):
        here = abs(x[i]) / scale[i]
        if not math.isfinite(here):
            return math.inf
        worst = max(worst, here)
    return worst


def put_scale(problem: Problem, work: Workspace, tolerance: float) -> None:
    """The error that every component may have, in `scale`."""
    weights = problem.weights
    for i in range(work.size):
        work.scale[i] = tolerance * max(weights[WEIGHTS * i] * abs(problem.y[i]), weights[WEIGHTS * i + 1])


def refuse(problem: Problem, h: float) -> int:
    """Try the step again, in another length."""
    problem.numbers[NEXT] = h
    problem.counts[REPEATED] = 1
    problem.counts[REFUSED] = problem.counts[REFUSED] + 1
    return REPEAT


def locate(problem: Problem, work: Workspace, rules: Rules, leaf: int, whole: float) -> int:
    """Take a step again up to the event on it, until its end is where the function is zero.

    How long it is then goes to LENGTH.
    """
    now = problem.y[work.size - 1]
    place = work.found[0] * whole
    rise = work.found[1] / whole
    problem.counts[LEAF] = leaf
    problem.counts[WAY] = 1 if rise > 0.0 else -1
    change = math.inf
    length = place
    for _ in range(MOST_APPROACHES):
        answer = rules.approach(problem, work, place, length, whole)
        if answer != TAKEN:
            return answer
        length = place
        find_watched(problem, 1)
        if rise == 0.0:
            break
        better = problem.values[leaf] / rise
        if not abs(better) < 0.5 * change or abs(better) <= 1.0e-16 * max(abs(now), place):
            break
        if not 0.0 < place - better <= whole * 1.001:
            break
        change = abs(better)
        place = place - better
    problem.numbers[LENGTH] = length
    rules.expand(problem, work, length)
    sample(problem, work, 0.0, 1.0)
    return TAKEN


def restore_constraints(problem: Problem, size: int) -> bool:
    """Bring the state back to the constraints; whether a way leads there."""
    problem.correct(0, 1, problem.correct_table)
    for i in range(size - 1):
        if not math.isfinite(problem.corrected[i]):
            return False
    for i in range(size - 1):
        problem.y[i] = problem.corrected[i]
        problem.low[i] = 0.0
    return True


def take_step(problem: Problem, work: Workspace, rules: Rules, left: float) -> int:
    """Try a step, and take it if it is good: TAKEN, REPEAT, EVENT, or why there is none."""
    counts = problem.counts
    now = problem.y[work.size - 1]
    h = rules.propose(problem, work, left)
    if math.isnan(h):
        return LOST
    last = h >= left * (1.0 - 1.0e-9)
    length = left if last else h
    if last:
        counts[CUT] = 1
    if now + length <= now:
        return SMALL
    answer = rules.attempt(problem, work, length)
    if answer != TAKEN:
        return answer
    rules.expand(problem, work, length)
    leaf = find_event(problem, work, now, length)
    if leaf >= 0:
        last = False
        answer = locate(problem, work, rules, leaf, length)
        if answer != TAKEN:
            return answer
        length = problem.numbers[LENGTH]
    write_down(problem, work, now, length)
    rules.move(problem, work, length, last, leaf >= 0)
    counts[STEPS] = counts[STEPS] + 1
    for i in range(work.watched):
        problem.zeros[i] = 0
    if counts[CORRECTS] != 0 and not restore_constraints(problem, work.size):
        return LOST  # the step is good, and from its end no way leads back
    problem.numbers[BEFORE] = length
    rules.plan(problem, work, length, last, leaf >= 0)
    if leaf >= 0:
        problem.zeros[leaf] = 1
        return EVENT
    return TAKEN


def advance(problem: Problem, rules: Rules) -> int:
    """Take steps until the time is up, an event happens or there is no way on; see END, EVENT … for the answer."""
    counts = problem.counts
    size = counts[SIZE]
    watched = counts[WATCHED]
    s = counts[STAGES]
    d = counts[ORDER]
    error = shift(problem.work, size)
    start = shift(error, size)
    found = shift(start, size)
    z = shift(found, 2)
    lack = shift(z, s * size)
    unit = shift(lack, 2 * s * size)
    powers = shift(unit, size * (d + 1))
    one = shift(powers, (watched + 1) * (d + 1))
    roots = shift(one, d + 2)
    work = Workspace(
        size=size,
        watched=watched,
        s=s,
        d=d,
        scale=problem.work,
        error=error,
        start=start,
        found=found,
        z=z,
        lack=lack,
        unit=unit,
        powers=powers,
        one=one,
        roots=roots,
        factors=shift(roots, 53 * (d + 4)),
    )
    problem.numbers[BEFORE] = 0.0
    while True:
        left = problem.numbers[UNTIL] - problem.y[size - 1]
        if left <= 0.0:
            return END
        if counts[STEPS] >= counts[ROOM]:
            return STEPS_FULL
        if poll(counts, STOP) != 0:
            return STOPPED
        answer = take_step(problem, work, rules, left)
        if answer != TAKEN and answer != REPEAT:
            return answer


FUNCTIONS: Final = (
    *_collocation.FUNCTIONS,
    measure,
    put_scale,
    refuse,
    locate,
    restore_constraints,
    take_step,
    advance,
)
