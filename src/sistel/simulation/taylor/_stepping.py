"""Steps: how long the next one is, and what happens on it first.

Nothing of it depends on when the motion is to end, but for the last step, which is cut there. Written in the compiled
subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.automaton import HOLDS
from sistel.kernels.subset import Floats, shift
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor._roots import polynomial
from sistel.simulation.taylor._switching import switches_here
from sistel.simulation.taylor._watching import fired, first_zero, look_here
from sistel.simulation.taylor.outcomes import LOST, NARROWING, SMALL
from sistel.simulation.taylor.steps import step_length, watched_step
from sistel.simulation.taylor.tables import (
    CORRECT,
    FIRST_LEAF,
    GO_ON,
    LAST,
    LAST_BUT_ONE,
    LENGTH,
    MOVING,
    OPEN,
    SHORT,
    STEPS,
    TICK_AWAY,
    Stay,
    Tables,
)

BLIND: Final = 1.0e-3
"""Longest step while a condition cannot be followed, as distances that are zero cannot, in parts of the time and of
1 s."""
WINDOW: Final = 0.7548776662466927
"""The part of a step that is searched for zeros at first; the next ones double [s]. No round number: zeros rather lie
at those, and at the edge of two parts rounding may hide one."""
BEYOND: Final = 1.25
"""How far the search for zeros goes beyond the next tick, in parts of the time until then."""
MOST_PASSED: Final = 8
"""Zeros that change nothing within one step."""
NOWHERE: Final = 1.0e-24
"""How far a watched function that starts at zero must come for its next zero to be another one."""


def plan_step(tables: Tables, stay: Stay, table: Floats, now: float) -> int:
    """How long the next step is, whatever happens on it, in LENGTH; GO_ON, or why there is none."""
    plan = stay.plan
    numbers = tables.numbers
    size = stay.size
    order = stay.order
    stride = stay.stride
    watched = stay.watched
    left = numbers[_steps.UNTIL] - now
    moving = tables.counts[MOVING]
    if tables.counts[SHORT] != 0:
        # Behind the tick nobody looks; a zero at the very end of a step could hide in rounding.
        numbers[LAST] = 0.0
        numbers[LAST_BUT_ONE] = 0.0
        h = min(BEYOND * numbers[TICK_AWAY], numbers[_steps.LONGEST])
        numbers[LENGTH] = h
        return GO_ON if now + h > now else SMALL
    h = numbers[_steps.RADIUS] * step_length(table, moving + 1, order, stride, tables.weights)
    if math.isnan(h):
        return LOST
    blind = False
    for i in range(watched):
        # A condition that has no value decides nothing; one without derivatives may have none a moment later.
        if not math.isfinite(table[(size + i) * stride]):
            return LOST
        if not math.isfinite(table[(size + i) * stride + order]):
            blind = True
    # Steps that halve one after another lead to a posture in which the constraints depend on each other.
    shrinking = h < 0.62 * numbers[LAST] and numbers[LAST] < 0.75 * numbers[LAST_BUT_ONE]
    numbers[LAST_BUT_ONE] = numbers[LAST]
    numbers[LAST] = h
    if shrinking and plan[CORRECT] != 0 and tables.counts[STEPS] >= 2 and stay.modes == 0:
        return NARROWING
    h = min(h, numbers[_steps.LONGEST])
    if blind:
        h = min(h, BLIND * max(1.0, abs(now)))
    # The end of the run cuts the step when all else is known: what happens before does not depend on it.
    if h > WINDOW:
        h = min(h, max(WINDOW, 2.0 * left))
    h = watched_step(table, size, watched, order, stride, numbers[_steps.FLOOR], numbers[_steps.RADIUS], h)
    if now + h <= now:
        return SMALL
    numbers[LENGTH] = h
    return GO_ON


def next_event(tables: Tables, stay: Stay, table: Floats, now: float, crowded: bool) -> float:
    """The step up to the first zero that changes something, or to its end, or to that of the time.

    The function that passes zero there goes to `work`, -1 for none, and the exit that it opens to OPEN. Where events
    crowd and the next one hides in rounding there is no step: -1.
    """
    zeros = tables.zeros
    work = tables.work
    until = tables.numbers[_steps.UNTIL]
    left = until - now
    h = tables.numbers[LENGTH]
    exit = -1
    leaf = -1
    low = 0.0  # zeros up to here have changed nothing
    high = min(h, WINDOW)
    turn = 0
    skipped = 0
    while low < h and low < left:
        first = first_zero(tables, stay, table, low, high)
        leaf = int(work[0])
        if leaf >= 0 and zeros[leaf] != 0:
            # What starts at zero with the rate that rounding gives it passes zero at once: no other instant.
            row = shift(table, (stay.size + leaf) * stay.stride)
            went = abs(polynomial(row, stay.order, 0.5 * (low + first)) - row[0])
            if now + first <= now or (went <= NOWHERE and not crowded):
                if crowded and leaf < stay.leaves and tables.kinds[stay.plan[FIRST_LEAF] + leaf] != HOLDS:
                    return -1.0
                leaf = -1
                if first > low and skipped < MOST_PASSED:
                    low = first
                    skipped += 1
                    continue
        if leaf < 0:
            for i in range(stay.watched):
                zeros[i] = 0
            low = high
            high = min(h, 2.0 * high)
            continue
        look_here(tables, stay, table, first, leaf)
        exit = fired(tables, stay)
        turn += 1
        if exit >= 0 or switches_here(tables, stay) or turn > MOST_PASSED:
            h = first
            break
        leaf = -1
        low = first
        if low == high:
            high = min(h, 2.0 * high)
    if leaf >= 0 and now + h > until:
        leaf = -1
        exit = -1
        h = left
    work[0] = float(leaf)
    tables.counts[OPEN] = exit
    return h if leaf >= 0 else min(h, left)


FUNCTIONS: Final = (plan_step, next_event)
