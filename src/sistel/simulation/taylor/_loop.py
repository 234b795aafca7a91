"""The loop of Taylor steps: through structures, from event to event, in compiled code alone.

Steps, zeros, modes, conditions and transitions, on the tables of `tables`. Written in the compiled subset of Python.

Where a motion comes to the border of a comparison and neither side leads away from it, it would have to slide along it
(Filippov): the loop ends there and says so.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, poll, shift
from sistel.simulation.taylor import _stepping, _switching, _ticking, _transition_step, _watching
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor._expansion import expand
from sistel.simulation.taylor._roots import polynomial
from sistel.simulation.taylor._stepping import next_event, plan_step
from sistel.simulation.taylor._switching import settle, switch_modes, switches_here
from sistel.simulation.taylor._ticking import tick_on
from sistel.simulation.taylor._transition_step import close_up, leave
from sistel.simulation.taylor._watching import crowds, falls_again, fired, look_again, look_ahead, look_over
from sistel.simulation.taylor.outcomes import (
    CALM,
    CHATTERS,
    END,
    EVENTS_FULL,
    LOST,
    NO_PASSAGE,
    SLIDES,
    STEPS_FULL,
    STOPPED,
    UNKNOWN,
)
from sistel.simulation.taylor.tables import (
    ANCHOR,
    ANCHOR_ARGUMENTS,
    ANSWERED,
    CHOOSE,
    CHOOSE_ARGUMENTS,
    CLOCKS,
    CORRECT,
    CORRECT_ARGUMENTS,
    CORRECTED,
    ENTERING,
    EVENT_ROOM,
    EVENTS,
    FIRST_SWITCH,
    FLOW,
    FORESEEN,
    GO_ON,
    HELD,
    KNOWN,
    LOW,
    MOST_LEAVES,
    MOVING,
    OPEN,
    ORDER,
    PARAMETERS,
    PATIENCE,
    PLAN,
    RECORD,
    RETURNED,
    ROOM,
    ROWS,
    SIZE,
    STAYED,
    STEPS,
    STOP,
    STRIDE,
    STRUCTURE,
    SWITCH,
    SWITCHES,
    TICKED,
    WATCHED,
    Stay,
    Tables,
)


def all_finite(values: Floats, count: int) -> bool:
    """Whether the first values are numbers."""
    found = True
    for i in range(count):
        found = found and math.isfinite(values[i])
    return found


def enter(tables: Tables, stay: Stay, table: Floats) -> int:
    """Begin a stay in a structure: bring its links together, choose modes, and see whether a condition holds already.

    The exit that is open at once goes to OPEN.
    """
    counts = tables.counts
    plan = stay.plan
    counts[ENTERING] = 0
    counts[STAYED] = 0
    if plan[ANCHOR] != 0:
        tables.kernel_at(plan[ANCHOR], 0, 1, plan[ANCHOR_ARGUMENTS])
    if plan[CORRECT] != 0 and not close_up(tables, stay):
        return NO_PASSAGE
    ticked = counts[TICKED] != 0
    counts[TICKED] = 0
    for i in range(stay.watched):
        tables.zeros[i] = tables.zeros[i] if ticked else 0
        stay.instants[i] = stay.instants[i] if ticked and i < stay.leaves else 0
    settled = True
    if stay.modes > 0:
        tables.kernel_at(plan[CHOOSE], 0, 1, plan[CHOOSE_ARGUMENTS])
        settled = settle(tables, stay, table)
    elif stay.leaves > 0 and counts[KNOWN] != FORESEEN:
        expand(tables, stay, table)
    counts[KNOWN] = 1 if settled and stay.watched > 0 else 0
    if stay.leaves > 0:
        if ticked:
            look_over(tables, stay, table)
        else:
            look_ahead(tables, stay, table)
        counts[OPEN] = fired(tables, stay)
    return GO_ON if settled or counts[OPEN] >= 0 else SLIDES


def switch_over(tables: Tables, stay: Stay, table: Floats) -> int:
    """Change the modes whose functions pass zero at this instant; the exit that opens with that goes to OPEN."""
    switch_modes(tables, stay)
    settled = settle(tables, stay, table)
    tables.counts[KNOWN] = 1 if settled else 0
    look_again(tables, stay, table)
    tables.counts[OPEN] = fired(tables, stay)
    return GO_ON if settled or tables.counts[OPEN] >= 0 else SLIDES


def move(tables: Tables, stay: Stay, table: Floats, h: float, last: bool) -> bool:
    """Put the state at the end of a step and write the step down; whether there is such a state.

    Where there is none, or no way back to the constraints from it, the step was not taken.
    """
    counts = tables.counts
    y = tables.y
    plan = stay.plan
    size = stay.size
    now = y[size - 1]
    step = counts[STEPS]
    for i in range(counts[MOVING]):
        y[i] = polynomial(shift(table, i * stay.stride), stay.order, h)
    y[size - 1] = tables.numbers[_steps.UNTIL] if last else now + h
    if counts[RECORD] != 0:
        tables.times[2 * step] = now
        tables.times[2 * step + 1] = h
        tables.which[step] = counts[STRUCTURE]
        if counts[HELD] != 0:
            count = size - 1 - counts[MOVING]
            held = shift(tables.coefficients, counts[HELD] + step * count)
            for i in range(count):
                held[i] = table[(counts[MOVING] + i) * stay.stride]
        elif plan[LOW] != 0:
            # Such flows do not write zeros for what is held.
            for i in range(counts[MOVING], size - 1):
                for k in range(1, stay.order + 1):
                    table[i * stay.stride + k] = 0.0
    if plan[CORRECT] != 0:
        tables.kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
        for i in range(size - 1):
            y[i] = tables.results[plan[CORRECTED] + i]
    if all_finite(y, size - 1):
        counts[STEPS] = step + 1
        counts[STAYED] = counts[STAYED] + 1
        return True
    for i in range(size):
        y[i] = table[i * stay.stride]
    return False


def take_step(tables: Tables, stay: Stay, table: Floats) -> int:
    """One step, up to the first event on it: GO_ON, or why there is none. The exit that opens there goes to OPEN."""
    counts = tables.counts
    now = tables.y[stay.size - 1]
    until = tables.numbers[_steps.UNTIL]
    if until - now <= 0.0:
        return END
    if counts[STEPS] >= counts[ROOM]:
        return STEPS_FULL
    if poll(counts, STOP) != 0:
        return STOPPED
    if counts[PATIENCE] != 0 and counts[STAYED] >= counts[PATIENCE]:
        return CALM
    if counts[KNOWN] == 0:
        expand(tables, stay, table)
    counts[KNOWN] = 0
    answer = plan_step(tables, stay, table, now)
    if answer != GO_ON:
        return answer
    # Events that crowd together end where rounding hides the next: nothing may go through a floor then.
    crowded = counts[RETURNED] != 0 or crowds(tables, stay, now)
    counts[RETURNED] = 0
    if crowded and falls_again(tables, stay, table):
        return CHATTERS
    h = next_event(tables, stay, table, now, crowded)
    if h < 0.0:
        return CHATTERS
    event = tables.work[0] >= 0.0
    return GO_ON if move(tables, stay, table, h, h >= until - now and not event) else LOST


def stay_within(tables: Tables, stay: Stay) -> int:
    """Steps in one structure until an exit opens, which goes to OPEN: GO_ON, or why there are no more."""
    counts = tables.counts
    width = counts[ROWS] * stay.stride if counts[RECORD] != 0 else 0
    # The flow writes where its coefficients are kept.
    table = shift(tables.coefficients, counts[STEPS] * width)
    counts[KNOWN] = counts[KNOWN] if counts[KNOWN] == FORESEEN else 0
    counts[OPEN] = -1
    answer = enter(tables, stay, table) if counts[ENTERING] != 0 else GO_ON
    while answer == GO_ON and counts[OPEN] < 0:
        answer = take_step(tables, stay, table)
        if answer == GO_ON:
            table = shift(table, width)
            if tables.work[0] >= 0.0 and counts[OPEN] < 0 and switches_here(tables, stay):
                answer = switch_over(tables, stay, table)
    return answer


def propagate(tables: Tables) -> int:
    """Move on through structures; see END, STEPS_FULL … for the answer."""
    counts = tables.counts
    most = counts[MOST_LEAVES]
    answer = leave(tables) if counts[ANSWERED] != 0 else GO_ON
    while answer == GO_ON:
        plan = shift(tables.plans, counts[STRUCTURE] * PLAN)
        if plan[FLOW] == 0:
            return UNKNOWN
        stay = Stay(
            plan=plan,
            size=counts[SIZE],
            order=counts[ORDER],
            stride=counts[STRIDE],
            watched=plan[WATCHED],
            leaves=plan[WATCHED] - plan[SWITCHES],
            modes=plan[SWITCHES],
            p=shift(tables.parameters, plan[PARAMETERS]),
            switches=shift(tables.switches, plan[FIRST_SWITCH] * SWITCH),
            truths=tables.signs,
            instants=shift(tables.signs, most),
            stack=shift(tables.signs, 2 * most),
        )
        if plan[CLOCKS] != 0:
            answer = tick_on(tables, stay)
        if answer == GO_ON and counts[EVENTS] >= counts[EVENT_ROOM]:
            answer = EVENTS_FULL
        if answer == GO_ON:
            answer = stay_within(tables, stay)
        if answer == GO_ON:
            answer = leave(tables)
    return answer


FUNCTIONS: Final = (
    *_watching.FUNCTIONS,
    *_switching.FUNCTIONS,
    *_transition_step.FUNCTIONS,
    *_stepping.FUNCTIONS,
    *_ticking.FUNCTIONS,
    all_finite,
    enter,
    switch_over,
    move,
    take_step,
    stay_within,
    propagate,
)
