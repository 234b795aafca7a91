"""The series of a flow at a state: as many orders as the time until the next tick asks for.

A step that a tick cuts short is a small part of the radius of convergence, and few orders are exact to the last digit
there. So the first orders are computed alone; where their last coefficients are too large for that time, the others
follow. What is done depends on the state and on the clocks of the file, on nothing that was before: a run that goes on
does the same. Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, shift
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor.tables import (
    EXIT,
    EXITS,
    FIRST_EXIT,
    FLOW,
    LEAF_SHIFT,
    LOW,
    LOW_ORDER,
    LOW_RADIUS,
    MOVING,
    NEAR,
    REST,
    SHORT,
    TICK,
    TICK_AWAY,
    Stay,
    Tables,
)

FEW: Final = 4
"""Orders of which the first ones do not tell how the others go on."""


def next_tick(tables: Tables, stay: Stay, table: Floats) -> float:
    """The time until the next tick that is not due now [s]; without clocks, an infinity."""
    found = math.inf
    for i in range(stay.plan[EXITS]):
        row = shift(tables.exits, (stay.plan[FIRST_EXIT] + i) * EXIT)
        if row[TICK] != 0:
            left = -table[(stay.size + row[LEAF_SHIFT]) * stay.stride]
            if left > NEAR:
                found = min(found, left)
    return found


def is_enough(tables: Tables, stay: Stay, table: Floats, h: float) -> bool:
    """Whether the first orders are as good for a time as all of them are for a step of their own.

    The measure is that of `step_length` and of `watched_step`, in powers of the time: the last two coefficients, and
    the two before them, which count less, for a symmetry may leave only every fourth.
    """
    order = stay.plan[LOW_ORDER]
    stride = stay.stride
    ratio = h / tables.numbers[LOW_RADIUS]
    before = ratio / _steps.SPARSE
    fourth = 1.0 if order > FEW else 0.0
    plain = 1.0
    for _ in range(order - 3):
        fourth = fourth * before
        plain = plain * ratio
    third = fourth * before
    plain = plain * ratio * ratio
    last = plain * ratio
    good = True
    for i in range(tables.counts[MOVING]):
        row = shift(table, i * stride)
        own = shift(tables.weights, _steps.WEIGHTS * i)
        late = max(abs(row[order]) * last, abs(row[order - 1]) * plain)
        early = max(abs(row[order - 2]) * third, abs(row[order - 3]) * fourth)
        # In this direction, numbers that are none say no.
        good = good and max(late, early) <= max(own[0] * abs(row[0]), own[1]) and abs(row[order]) < math.inf
    for i in range(stay.watched):
        row = shift(table, (stay.size + i) * stride)
        late = max(abs(row[order]) * last, abs(row[order - 1]) * plain)
        early = max(abs(row[order - 2]) * third, abs(row[order - 3]) * fourth)
        good = (
            good and max(late, early) <= max(abs(row[0]), tables.numbers[_steps.FLOOR]) and abs(row[order]) < math.inf
        )
    return good


def pad(tables: Tables, stay: Stay, table: Floats) -> None:
    """Let the orders that are not computed be zero."""
    for i in range(tables.counts[MOVING]):
        row = shift(table, i * stay.stride)
        for k in range(stay.plan[LOW_ORDER] + 1, stay.order + 1):
            row[k] = 0.0
    for i in range(stay.watched):
        row = shift(table, (stay.size + i) * stay.stride)
        for k in range(stay.plan[LOW_ORDER] + 1, stay.order + 1):
            row[k] = 0.0


def expand(tables: Tables, stay: Stay, table: Floats) -> None:
    """Compute the series at the state; SHORT tells whether those are good until the next tick alone."""
    plan = stay.plan
    tables.counts[SHORT] = 0
    if plan[LOW] == 0:
        tables.flow_at(plan[FLOW], tables.y, stay.p, table, tables.scratch)
        return
    tables.flow_at(plan[LOW], tables.y, stay.p, table, tables.scratch)
    h = next_tick(tables, stay, table)
    if is_enough(tables, stay, table, h):
        tables.counts[SHORT] = 1
        tables.numbers[TICK_AWAY] = h
        pad(tables, stay, table)
    else:
        tables.flow_at(plan[REST], tables.y, stay.p, table, tables.scratch)


FUNCTIONS: Final = (next_tick, is_enough, pad, expand)
