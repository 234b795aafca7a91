"""Conditions: their truth at a state and at an instant, and when what they compare first passes zero.

Written in the compiled subset of Python.
"""

from __future__ import annotations

from typing import Final

from sistel.automaton import AND, CROSSES, FALLS, HOLDS, NOT, OR, RISES
from sistel.kernels.subset import Floats, Ints, shift
from sistel.simulation.taylor import _roots
from sistel.simulation.taylor import steps as _steps
from sistel.simulation.taylor._roots import first_root, leading, polynomial, slope, stays_apart
from sistel.simulation.taylor.steps import scaled
from sistel.simulation.taylor.tables import (
    EVENTS,
    EXIT,
    EXITS,
    FIRST_EXIT,
    FIRST_LEAF,
    LEAF_SHIFT,
    LOG,
    NEAR,
    TICK,
    WORD,
    WORD_LENGTH,
    Stay,
    Tables,
)

CROWD: Final = 1.0e-9
"""Time in which two instants of events crowd together, in parts of the time and of 1 s."""


def holds(word: Ints, length: int, kinds: Ints, truths: Ints, instants: Ints, stack: Ints) -> bool:
    """Whether a condition holds, for signs of its leaves and the instants at which they pass zero."""
    top = 0
    for i in range(length):
        w = word[i]
        if w == NOT:
            stack[top - 1] = 1 - stack[top - 1]
        elif w == AND:
            stack[top - 2] = stack[top - 2] * stack[top - 1]
            top -= 1
        elif w == OR:
            stack[top - 2] = max(stack[top - 2], stack[top - 1])
            top -= 1
        else:
            value = 0
            if kinds[w] == HOLDS:
                value = truths[w]
            elif kinds[w] == RISES:
                value = 1 if instants[w] > 0 else 0
            elif kinds[w] == FALLS:
                value = 1 if instants[w] < 0 else 0
            elif kinds[w] == CROSSES:
                value = 1 if instants[w] != 0 else 0
            stack[top] = value
            top += 1
    return stack[0] != 0


def fired(tables: Tables, stay: Stay) -> int:
    """The first exit of a structure whose condition holds; -1 where none does."""
    plan = stay.plan
    for i in range(plan[EXITS]):
        number = plan[FIRST_EXIT] + i
        row = shift(tables.exits, number * EXIT)
        first = row[LEAF_SHIFT]
        own = shift(tables.kinds, plan[FIRST_LEAF] + first)
        word = shift(tables.words, row[WORD])
        if holds(word, row[WORD_LENGTH], own, shift(stay.truths, first), shift(stay.instants, first), stay.stack):
            return number
    return -1


def look_ahead(tables: Tables, stay: Stay, table: Floats) -> None:
    """Signs of the functions of conditions from a state on; those that start at zero have the sign of what comes."""
    for i in range(stay.leaves):
        row = shift(table, (stay.size + i) * stay.stride)
        value = row[0]
        tables.zeros[i] = 0
        if abs(value) <= NEAR:
            tables.zeros[i] = 1
            value = leading(row, 1, stay.order, NEAR)
        stay.truths[i] = 1 if value > 0.0 else 0


def look_over(tables: Tables, stay: Stay, table: Floats) -> None:
    """As `look_ahead`, after a tick: functions that have jumped over zero with it pass it at this instant.

    Those that passed it at the very instant of the tick, and still do, are not forgotten. One that was to rise from
    zero and now falls from it, as the speed of what a brake catches where it stands, passes it too.
    """
    for i in range(stay.leaves):
        row = shift(table, (stay.size + i) * stay.stride)
        value = row[0]
        before = stay.truths[i]
        passing = stay.instants[i]
        stay.instants[i] = 0
        apart = tables.zeros[i] == 0 and abs(value) > NEAR
        turns = tables.zeros[i] != 0 and before == 1
        tables.zeros[i] = 0
        if abs(value) <= NEAR:
            tables.zeros[i] = 1
            value = leading(row, 1, stay.order, NEAR)
        stay.truths[i] = 1 if value > 0.0 else 0
        if apart and stay.truths[i] != before:
            stay.instants[i] = 1 if before == 0 else -1
        elif passing != 0 and tables.zeros[i] != 0 and stay.truths[i] == (1 if passing > 0 else 0):
            stay.instants[i] = passing
        elif turns and tables.zeros[i] != 0 and stay.truths[i] == 0:
            stay.instants[i] = -1


def look_here(tables: Tables, stay: Stay, table: Floats, h: float, leaf: int) -> None:
    """Signs of the watched functions just after the zero of one of them."""
    truths = stay.truths
    instants = stay.instants
    for i in range(stay.watched):
        row = shift(table, (stay.size + i) * stay.stride)
        value = polynomial(row, stay.order, h)
        tables.zeros[i] = 0
        instants[i] = 0
        if i == leaf or abs(value) <= NEAR:
            rate = slope(row, stay.order, h)
            truths[i] = 1 if rate > 0.0 else 0
            tables.zeros[i] = 1
            if i == leaf or rate != 0.0:  # what stays zero does not pass it
                instants[i] = 1 if rate > 0.0 else -1
        else:
            truths[i] = 1 if value > 0.0 else 0


def look_again(tables: Tables, stay: Stay, table: Floats) -> None:
    """After modes have changed: functions of conditions that jump over zero with them pass it at this instant."""
    for i in range(stay.leaves):
        value = table[(stay.size + i) * stay.stride]
        if tables.zeros[i] != 0 or abs(value) <= NEAR:
            continue
        now = 1 if value > 0.0 else 0
        if now != stay.truths[i]:
            stay.instants[i] = 1 if now == 1 else -1
            stay.truths[i] = now


def first_zero(tables: Tables, stay: Stay, table: Floats, low: float, high: float) -> float:
    """When a watched function first passes zero between two times of a step; which one goes to `work`, -1 for none.

    Args:
        tables: Those of the loop; `zeros` tells which functions are zero at `low`, `work` has room for the answer, two
            polynomials, and what the search needs.
        stay: The structure.
        table: Coefficients of the state and of the watched functions.
        low: From when on, since the beginning of the step [s].
        high: Until when [s].
    """
    order = stay.order
    work = tables.work
    directions = shift(tables.directions, stay.plan[FIRST_LEAF])
    moved = shift(work, 1)
    one = shift(moved, order + 1)
    room = shift(one, order + 1)
    best = _roots.NONE
    leaf = -1
    for i in range(stay.watched):
        row = shift(table, (stay.size + i) * stay.stride)
        if low > 0.0:
            for k in range(order + 1):
                moved[k] = row[k]
            # Expanded where the rest begins.
            for j in range(order):
                for k in range(order - 1, j - 1, -1):
                    moved[k] = moved[k] + low * moved[k + 1]
            row = moved
        nil = 1 if tables.zeros[i] != 0 or row[0] == 0.0 else 0
        rest = scaled(row, order, high - low, nil, one)
        if not stays_apart(one, rest):
            root = first_root(one, order - nil, directions[i], room)
            if root < best:
                best = root
                leaf = i
    work[0] = float(leaf)
    return low + best * (high - low)


def falls_again(tables: Tables, stay: Stay, table: Floats) -> bool:
    """Whether a function that starts at zero, without a rate of its own, goes where it counts as passing zero."""
    directions = shift(tables.directions, stay.plan[FIRST_LEAF])
    kinds = shift(tables.kinds, stay.plan[FIRST_LEAF])
    for i in range(stay.leaves):
        row = shift(table, (stay.size + i) * stay.stride)
        if kinds[i] != HOLDS and tables.zeros[i] != 0 and abs(row[1]) <= NEAR:
            ahead = leading(row, 2, stay.order, NEAR)
            # One that goes the other way first has a zero of its own, unless that is too near to be found.
            hidden = 2.0e-15 * abs(ahead) * max(1.0, abs(table[(stay.size - 1) * stay.stride]))
            near = ahead * row[1] >= 0.0 or abs(row[1]) <= hidden
            if near and ahead != 0.0 and (directions[i] == 0 or float(directions[i]) * ahead > 0.0):
                return True
    return False


def crowds(tables: Tables, stay: Stay, now: float) -> bool:
    """Whether the last event led from a structure to itself just now, or hardly later than another instant."""
    log = tables.log
    width = tables.counts[LOG]
    first = stay.plan[FIRST_EXIT]
    k = tables.counts[EVENTS] - 1
    if k < 0 or log[k * width] != now:
        return False
    mark = tables.marks[2 * k]
    if first <= mark < first + stay.plan[EXITS]:
        return tables.exits[mark * EXIT + TICK] == 0
    while k >= 0 and log[k * width] == now:
        k -= 1
    return k >= 0 and now - log[k * width] <= CROWD * max(1.0, abs(now))


FUNCTIONS: Final = (
    *_steps.FUNCTIONS,
    holds,
    fired,
    look_ahead,
    look_over,
    look_here,
    look_again,
    first_zero,
    falls_again,
    crowds,
)
