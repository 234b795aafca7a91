"""The Taylor loop in turns of one step each, for those who move many states side by side.

`propagate` goes on from event to event by itself. Here a caller takes it through its turns: `before_flow`, then the
coefficients of the flow where they are not known, then `after_flow`. So all threads of a warp of a device compute their
coefficients at the same time, whatever happens to each of them. Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.simulation.taylor._loop import FUNCTIONS as LOOP
from sistel.simulation.taylor._loop import switch_over, take_step
from sistel.simulation.taylor._switching import settle, switches_here
from sistel.simulation.taylor._transition_step import close_up, leave
from sistel.simulation.taylor._watching import fired, look_ahead
from sistel.simulation.taylor.outcomes import NO_PASSAGE, SLIDES
from sistel.simulation.taylor.tables import (
    ANCHOR,
    ANCHOR_ARGUMENTS,
    CHOOSE,
    CHOOSE_ARGUMENTS,
    CORRECT,
    ENTERING,
    FIRST_SWITCH,
    GO_ON,
    KNOWN,
    MOST_LEAVES,
    OPEN,
    ORDER,
    PARAMETERS,
    PLAN,
    SIZE,
    STRIDE,
    STRUCTURE,
    SWITCH,
    SWITCHES,
    WATCHED,
    Stay,
    Tables,
)

SETTLED: Final = 2
"""In ENTERING: a structure is entered, but for a look at its conditions."""
UNSETTLED: Final = 3
"""The same, where no modes hold: only a condition can lead on."""


def arrive(tables: Tables, stay: Stay, table: Floats) -> int:
    """Begin a stay in a structure, as far as that needs no coefficients: GO_ON, or why it cannot be."""
    counts = tables.counts
    plan = stay.plan
    counts[KNOWN] = 0
    counts[OPEN] = -1
    if counts[ENTERING] != 1:
        return GO_ON
    counts[ENTERING] = SETTLED
    if plan[ANCHOR] != 0:
        tables.kernel_at(plan[ANCHOR], 0, 1, plan[ANCHOR_ARGUMENTS])
    if plan[CORRECT] != 0 and not close_up(tables, stay):
        return NO_PASSAGE
    for i in range(stay.watched):
        tables.zeros[i] = 0
        stay.instants[i] = 0
    if stay.modes > 0:
        tables.kernel_at(plan[CHOOSE], 0, 1, plan[CHOOSE_ARGUMENTS])
        counts[ENTERING] = SETTLED if settle(tables, stay, table) else UNSETTLED
    return GO_ON


def go_on(tables: Tables, stay: Stay, table: Floats) -> int:
    """A step and the event at its end, from coefficients that are known: GO_ON, or why there is none."""
    counts = tables.counts
    counts[KNOWN] = 1
    entering = counts[ENTERING]
    counts[ENTERING] = 0
    if entering != 0:
        if stay.leaves > 0:
            look_ahead(tables, stay, table)
            counts[OPEN] = fired(tables, stay)
        if entering == UNSETTLED and counts[OPEN] < 0:
            return SLIDES
    answer = GO_ON
    if counts[OPEN] < 0:
        answer = take_step(tables, stay, table)
        if answer == GO_ON and tables.work[0] >= 0.0 and counts[OPEN] < 0 and switches_here(tables, stay):
            answer = switch_over(tables, stay, table)
    if answer == GO_ON and counts[OPEN] >= 0:
        answer = leave(tables)
    return answer


def turn(tables: Tables, second: int) -> int:
    """What comes before the coefficients of a turn, or after them: GO_ON, or why there is no other."""
    counts = tables.counts
    most = counts[MOST_LEAVES]
    plan = shift(tables.plans, counts[STRUCTURE] * PLAN)
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
    if second != 0:
        return go_on(tables, stay, tables.coefficients)
    return arrive(tables, stay, tables.coefficients)


def before_flow(tables: Tables) -> int:
    """What comes before the coefficients of a turn: GO_ON, or why there is no other."""
    return turn(tables, 0)


def after_flow(tables: Tables) -> int:
    """What comes after the coefficients of a turn: GO_ON, or why there is no other."""
    return turn(tables, 1)


FUNCTIONS: Final = (*LOOP, arrive, go_on, turn, before_flow, after_flow)
