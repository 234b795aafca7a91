"""From tick to tick where nothing but clocks is watched: no zero has to be searched for, for every tick has its time.

What the general loop would do, at the cost of the motion and of the tick. Whatever is not as usual is left to it.
Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, poll, shift
from sistel.simulation.taylor import _stages
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor._expansion import is_enough
from sistel.simulation.taylor._roots import polynomial
from sistel.simulation.taylor._stages import draw, take_stages
from sistel.simulation.taylor._transition_step import leave
from sistel.simulation.taylor.tables import (
    CLOCK,
    CLOCK_FIRST,
    CLOCK_PARTS,
    CLOCK_STEP,
    ENTERING,
    EVENT_ROOM,
    EVENTS,
    EXIT,
    FIRST_EXIT,
    FORESEEN,
    GO_ON,
    HELD,
    KNOWN,
    LOW,
    LOW_ORDER,
    MOVING,
    NEAR,
    OPEN,
    RATES,
    RECORD,
    REST,
    ROOM,
    ROWS,
    SHORT,
    STEPS,
    STOP,
    STRUCTURE,
    TICKED,
    Stay,
    Tables,
)


def write_down(tables: Tables, stay: Stay, table: Floats, order: int, now: float, h: float) -> None:
    """Keep a step, whose series has so many orders."""
    counts = tables.counts
    step = counts[STEPS]
    moving = counts[MOVING]
    tables.times[2 * step] = now
    tables.times[2 * step + 1] = h
    tables.which[step] = counts[STRUCTURE]
    for i in range(moving):
        row = shift(table, i * stay.stride)
        for k in range(order + 1, stay.order + 1):
            row[k] = 0.0
    count = stay.size - 1 - moving
    if counts[HELD] != 0:
        held = shift(tables.coefficients, counts[HELD] + step * count)
        for i in range(count):
            held[i] = tables.y[moving + i]
        return
    for i in range(moving, stay.size):
        row = shift(table, i * stay.stride)
        row[0] = tables.y[i]
        for k in range(1, stay.order + 1):
            row[k] = 0.0
    table[(stay.size - 1) * stay.stride] = now
    table[(stay.size - 1) * stay.stride + 1] = 1.0


def advance(tables: Tables, stay: Stay, table: Floats, now: float, h: float) -> bool:
    """Move the state to the next tick by its series, and write the step down; whether there is such a state."""
    counts = tables.counts
    order = stay.plan[LOW_ORDER]
    finite = True
    for i in range(counts[MOVING]):
        found = polynomial(shift(table, i * stay.stride), order, h)
        finite = finite and math.isfinite(found)
        tables.y[i] = found
    if not finite:
        for i in range(counts[MOVING]):
            tables.y[i] = table[i * stay.stride]
        return False
    if counts[RECORD] != 0:
        write_down(tables, stay, table, order, now, h)
    return True


def advance_by_stages(tables: Tables, stay: Stay, table: Floats, now: float, h: float) -> bool:
    """Move the state to the next tick by stages, and write the step down; whether that is exact enough."""
    if not take_stages(tables, stay, now, h):
        return False
    if tables.counts[RECORD] != 0:
        draw(tables, stay, table, now, h)
        write_down(tables, stay, table, _stages.POWERS, now, h)
    return True


def time_left(tables: Tables, stay: Stay, clock: int, now: float) -> float:
    """The time until a tick of a clock [s]."""
    row = shift(tables.exits, (stay.plan[FIRST_EXIT] + clock) * EXIT)
    number = tables.y[row[CLOCK]]
    return (float(row[CLOCK_FIRST]) + number * float(row[CLOCK_STEP])) / float(row[CLOCK_PARTS]) - now


def due(tables: Tables, stay: Stay, now: float, h: float) -> int:
    """The first clock whose tick is due after a time, -1 for none; of every clock it is kept whether its is."""
    found = -1
    for i in range(stay.leaves):
        late = h - time_left(tables, stay, i, now)
        at = abs(late) <= NEAR
        tables.zeros[i] = 1 if at else 0
        stay.truths[i] = 1 if late > 0.0 or at else 0
        stay.instants[i] = 1 if at and h > 0.0 else 0
        if stay.truths[i] == 1 and found < 0:
            found = i
    return found


def step_to_tick(tables: Tables, stay: Stay, now: float, h: float) -> bool:
    """Take the step to the next tick; where that is not exact enough, all orders are computed for the general loop."""
    counts = tables.counts
    width = counts[ROWS] * stay.stride if counts[RECORD] != 0 else 0
    table = shift(tables.coefficients, counts[STEPS] * width)
    taken = stay.plan[RATES] != 0 and advance_by_stages(tables, stay, table, now, h)
    if not taken:
        tables.flow_at(stay.plan[LOW], tables.y, stay.p, table, tables.scratch)
        if is_enough(tables, stay, table, h):
            taken = advance(tables, stay, table, now, h)
        else:
            tables.flow_at(stay.plan[REST], tables.y, stay.p, table, tables.scratch)
            counts[KNOWN] = FORESEEN
    if taken:
        tables.y[stay.size - 1] = now + h
        counts[STEPS] = counts[STEPS] + 1
    return taken


def tick_on(tables: Tables, stay: Stay) -> int:
    """Go on from a tick to the next as long as nothing else happens.

    GO_ON leaves the structure, which has been entered by a tick, to the general loop; else why the loop ends.
    """
    counts = tables.counts
    numbers = tables.numbers
    structure = counts[STRUCTURE]
    counts[SHORT] = 0
    while counts[ENTERING] != 0 and counts[TICKED] != 0 and counts[STRUCTURE] == structure:
        if counts[EVENTS] >= counts[EVENT_ROOM] or counts[STEPS] >= counts[ROOM] or poll(counts, STOP) != 0:
            return GO_ON
        now = tables.y[stay.size - 1]
        h = math.inf
        for i in range(stay.leaves):
            h = min(h, time_left(tables, stay, i, now))
        if h > NEAR:
            if now + h > numbers[_steps.UNTIL] or h > numbers[_steps.LONGEST]:
                return GO_ON
            if not step_to_tick(tables, stay, now, h):
                return GO_ON
        clock = due(tables, stay, now, h if h > NEAR else 0.0)
        if clock < 0:
            return GO_ON
        counts[OPEN] = stay.plan[FIRST_EXIT] + clock
        counts[ENTERING] = 0
        counts[TICKED] = 0
        answer = leave(tables)
        if answer != GO_ON:
            return answer
    return GO_ON


FUNCTIONS: Final = (
    *_stages.FUNCTIONS,
    write_down,
    advance,
    advance_by_stages,
    time_left,
    due,
    step_to_tick,
    tick_on,
)
