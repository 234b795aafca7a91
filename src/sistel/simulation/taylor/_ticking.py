"""From tick to tick where nothing but clocks is watched: no zero has to be searched for, for every tick has its time.

What the general loop would do, at the cost of the motion and of the tick. Whatever is not as usual is left to it.
Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, poll, shift
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor._expansion import is_enough
from sistel.simulation.taylor._roots import polynomial
from sistel.simulation.taylor._transition_step import leave
from sistel.simulation.taylor.tables import (
    ENTERING,
    EVENT_ROOM,
    EVENTS,
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
    """Move the state to the next tick and write the step down; whether there is such a state."""
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
    tables.y[stay.size - 1] = now + h
    counts[STEPS] = counts[STEPS] + 1
    return True


def due(tables: Tables, stay: Stay, table: Floats, h: float) -> int:
    """The first clock whose tick is due after a time, -1 for none; every clock is told whether its is."""
    found = -1
    for i in range(stay.leaves):
        late = table[(stay.size + i) * stay.stride] + h
        at = abs(late) <= NEAR
        tables.zeros[i] = 1 if at else 0
        stay.truths[i] = 1 if late > 0.0 or at else 0
        stay.instants[i] = 1 if at and h > 0.0 else 0
        if stay.truths[i] == 1 and found < 0:
            found = i
    return found


def time_left(tables: Tables, stay: Stay, table: Floats) -> float:
    """The time until the next tick [s]; NaN where there is none such."""
    found = math.inf
    for i in range(stay.leaves):
        found = min(found, -table[(stay.size + i) * stay.stride])
    return found


def tick_on(tables: Tables, stay: Stay) -> int:
    """Go on from a tick to the next as long as nothing else happens.

    GO_ON leaves the structure, which has been entered by a tick, to the general loop; else why the loop ends.
    """
    counts = tables.counts
    numbers = tables.numbers
    width = counts[ROWS] * stay.stride if counts[RECORD] != 0 else 0
    structure = counts[STRUCTURE]
    counts[SHORT] = 0
    while counts[ENTERING] != 0 and counts[TICKED] != 0 and counts[STRUCTURE] == structure:
        if counts[EVENTS] >= counts[EVENT_ROOM] or counts[STEPS] >= counts[ROOM] or poll(counts, STOP) != 0:
            return GO_ON
        table = shift(tables.coefficients, counts[STEPS] * width)
        tables.flow_at(stay.plan[LOW], tables.y, stay.p, table, tables.scratch)
        now = tables.y[stay.size - 1]
        h = time_left(tables, stay, table)
        if h > NEAR:
            if now + h > numbers[_steps.UNTIL] or h > numbers[_steps.LONGEST]:
                return GO_ON
            if not is_enough(tables, stay, table, h):
                tables.flow_at(stay.plan[REST], tables.y, stay.p, table, tables.scratch)
                counts[KNOWN] = FORESEEN
                return GO_ON
            if not advance(tables, stay, table, now, h):
                return GO_ON
        clock = due(tables, stay, table, h if h > NEAR else 0.0)
        if clock < 0:
            return GO_ON
        counts[OPEN] = stay.plan[FIRST_EXIT] + clock
        counts[ENTERING] = 0
        counts[TICKED] = 0
        answer = leave(tables)
        if answer != GO_ON:
            return answer
    return GO_ON


FUNCTIONS: Final = (write_down, advance, due, time_left, tick_on)
