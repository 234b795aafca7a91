"""Motion through structures without a word of Python: steps, zeros, conditions, passages.

Written in the compiled subset of Python. Every structure is a row of a table of integers: addresses of its native
functions, and where its conditions are. Structures whose equations contain comparisons are left to `_simulate`.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Function, Ints, poll, shift
from sistel.simulation import _advance, _roots
from sistel.simulation._advance import scaled, step_length, watched_step
from sistel.simulation._conditions import AND, CROSSES, FALLS, HOLDS, NOT, OR, RISES
from sistel.simulation._roots import first_root, polynomial

FlowAt = Function[[int, Floats, Floats, Floats, Floats], None]
"""Calls the flow at an address."""
KernelAt = Function[[int, int, int, int], None]
"""Calls the kernel at an address with rows begin to end and the address of its table of arguments."""

END, STEPS_FULL, EVENTS_FULL, LOST, STOPPED, SMALL, UNKNOWN, CHATTERS, NO_PASSAGE, NEW_PASSAGE, NARROWING = range(11)
"""Why a journey ended: the time is up, no room for steps or events, numbers that are not finite, somebody asked to
stop, steps too small to go on, a structure that is not compiled yet, transitions without end, no state after one, a
transition that is not compiled yet, steps that shrink towards a singular posture."""

# A row of the table of structures.
FLOW: Final = 0
WATCHED: Final = 1
CORRECT: Final = 2
CORRECT_ARGUMENTS: Final = 3
CORRECTED: Final = 4
"""Where in the room of results the corrected state is."""
ANCHOR: Final = 5
ANCHOR_ARGUMENTS: Final = 6
FIRST_EXIT: Final = 7
EXITS: Final = 8
FIRST_LEAF: Final = 9
PLAN: Final = 10

# A row of the table of exits.
WORD: Final = 0
WORD_LENGTH: Final = 1
PASSAGE: Final = 2
PASSAGE_ARGUMENTS: Final = 3
RESULT: Final = 4
"""Where in the room of results the state after it is; its loss and its impulses follow."""
IMPULSES: Final = 5
TARGET: Final = 6
LEAF_SHIFT: Final = 7
"""Its first leaf among those of its structure."""
EXIT: Final = 8

# Places in the table of counts.
SIZE: Final = 0
ORDER: Final = 1
STRIDE: Final = 2
ROOM: Final = 3
EVENT_ROOM: Final = 4
STEPS: Final = 5
EVENTS: Final = 6
STRUCTURE: Final = 7
ENTERING: Final = 8
STOP: Final = 9
LOG: Final = 10
"""Numbers of one event in the log: time, loss, impulses."""
AT_ONCE: Final = 11
MOST_LEAVES: Final = 12
"""Leaves of the structure that has most."""
LEAVING: Final = 13
"""The exit that is being taken."""
RECORD: Final = 14
"""Whether steps are kept; without, only their number is counted."""
COUNTS: Final = 15

# Places in the table of numbers, after those of `_advance`.
LAST: Final = _advance.NUMBERS
"""Length of the last step, as the series alone would have it."""
LAST_BUT_ONE: Final = _advance.NUMBERS + 1
NUMBERS: Final = _advance.NUMBERS + 2

MOST_AT_ONCE: Final = 100
NEAR: Final = 1.0e-12
"""Size of a watched function that counts as zero after an event."""


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


def fired(plan: Ints, exits: Ints, words: Ints, kinds: Ints, truths: Ints, instants: Ints, stack: Ints) -> int:
    """The first exit of a structure whose condition holds; -1 where none does."""
    for i in range(plan[EXITS]):
        number = plan[FIRST_EXIT] + i
        row = shift(exits, number * EXIT)
        first = row[LEAF_SHIFT]
        own = shift(kinds, plan[FIRST_LEAF] + first)
        word = shift(words, row[WORD])
        if holds(word, row[WORD_LENGTH], own, shift(truths, first), shift(instants, first), stack):
            return number
    return -1


def look_ahead(table: Floats, size: int, order: int, stride: int, watched: int, zeros: Ints, truths: Ints) -> None:
    """Signs of the watched functions from a state on; those that start at zero have the sign of what comes."""
    for i in range(watched):
        row = shift(table, (size + i) * stride)
        value = row[0]
        zeros[i] = 0
        if abs(value) <= NEAR:
            zeros[i] = 1
            value = 0.0
            k = 1
            while k <= order and value == 0.0:
                if abs(row[k]) > NEAR:
                    value = row[k]
                k += 1
        truths[i] = 1 if value > 0.0 else 0


def look_here(
    table: Floats,
    size: int,
    order: int,
    stride: int,
    watched: int,
    h: float,
    leaf: int,
    way: int,
    zeros: Ints,
    truths: Ints,
    instants: Ints,
) -> None:
    """Signs of the watched functions just after the zero of one of them."""
    for i in range(watched):
        row = shift(table, (size + i) * stride)
        value = polynomial(row, order, h)
        zeros[i] = 0
        instants[i] = 0
        if i == leaf or abs(value) <= NEAR:
            rate = 0.0
            for k in range(order, 0, -1):
                rate = rate * h + float(k) * row[k]
            up = way > 0 if i == leaf else rate > 0.0
            truths[i] = 1 if up else 0
            instants[i] = 1 if up else -1
            zeros[i] = 1
        else:
            truths[i] = 1 if value > 0.0 else 0


def travel(
    flow_at: FlowAt,
    kernel_at: KernelAt,
    plans: Ints,
    exits: Ints,
    words: Ints,
    kinds: Ints,
    directions: Ints,
    counts: Ints,
    numbers: Floats,
    y: Floats,
    table: Floats,
    scratch: Floats,
    results: Floats,
    times: Floats,
    coefficients: Floats,
    which: Ints,
    log: Floats,
    marks: Ints,
    zeros: Ints,
    signs: Ints,
    work: Floats,
) -> int:
    """Move on through structures; see END, STEPS_FULL … for the answer.

    Args:
        flow_at: Calls a flow.
        kernel_at: Calls a kernel.
        plans: The table of structures.
        exits: The table of their exits.
        words: Conditions in postfix.
        kinds: Of all leaves.
        directions: In which direction the zeros of leaves count.
        counts: See the places.
        numbers: Those of `_advance`.
        y: The state; in and out.
        table: Room for coefficients.
        scratch: Room for flows.
        results: What kernels write.
        times: Beginning and length of every step.
        coefficients: Of the state, for every step.
        which: The structure of every step.
        log: Of events: time, loss of energy, impulses.
        marks: Of events: the exit, and how many steps came before.
        zeros: Leaves that start at zero; in and out.
        signs: Room for three numbers a leaf: truths, instants, a stack.
        work: Room for the search of zeros, and for one polynomial before it.
    """
    size = counts[SIZE]
    order = counts[ORDER]
    stride = counts[STRIDE]
    until = numbers[_advance.UNTIL]
    one = work
    room = shift(work, order + 2)
    most = counts[MOST_LEAVES]
    truths = signs
    instants = shift(signs, most)
    stack = shift(signs, 2 * most)
    while True:
        plan = shift(plans, counts[STRUCTURE] * PLAN)
        if plan[FLOW] == 0:
            return UNKNOWN
        if counts[EVENTS] >= counts[EVENT_ROOM]:
            return EVENTS_FULL
        watched = plan[WATCHED]
        exit = -1
        if counts[ENTERING] != 0:
            counts[ENTERING] = 0
            if plan[ANCHOR] != 0:
                kernel_at(plan[ANCHOR], 0, 1, plan[ANCHOR_ARGUMENTS])
            if watched > 0:
                flow_at(plan[FLOW], y, results, table, scratch)
                look_ahead(table, size, order, stride, watched, zeros, truths)
                for i in range(watched):
                    instants[i] = 0
                exit = fired(plan, exits, words, kinds, truths, instants, stack)
        if exit < 0:
            now = y[size - 1]
            left = until - now
            if left <= 0.0:
                return END
            if counts[STEPS] >= counts[ROOM]:
                return STEPS_FULL
            if poll(counts, STOP) != 0:
                return STOPPED
            flow_at(plan[FLOW], y, results, table, scratch)
            h = numbers[_advance.RADIUS] * step_length(table, size, order, stride, numbers[_advance.FLOOR])
            if math.isnan(h):
                return LOST
            # Steps that halve one after another lead to a posture in which the constraints depend on each other.
            shrinking = h < 0.62 * numbers[LAST] and numbers[LAST] < 0.75 * numbers[LAST_BUT_ONE]
            numbers[LAST_BUT_ONE] = numbers[LAST]
            numbers[LAST] = h
            if shrinking and plan[CORRECT] != 0 and counts[STEPS] >= 2:
                return NARROWING
            h = min(h, numbers[_advance.LONGEST], left)
            h = watched_step(table, size, watched, order, stride, numbers[_advance.FLOOR], numbers[_advance.RADIUS], h)
            last = h >= left
            if last:
                h = left
            if now + h <= now:
                return SMALL
            first = _roots.NONE
            leaf = -1
            for i in range(watched):
                row = shift(table, (size + i) * stride)
                nil = 1 if zeros[i] != 0 or row[0] == 0.0 else 0
                degree = scaled(row, order, h, nil, one)
                root = first_root(one, degree, directions[plan[FIRST_LEAF] + i], room)
                if root < first:
                    first = root
                    leaf = i
            if leaf >= 0:
                last = False
                h = first * h
            step = counts[STEPS]
            if counts[RECORD] != 0:
                times[2 * step] = now
                times[2 * step + 1] = h
                which[step] = counts[STRUCTURE]
                place = step * size * (order + 1)
                for i in range(size):
                    for k in range(order + 1):
                        coefficients[place + i * (order + 1) + k] = table[i * stride + k]
            counts[STEPS] = step + 1
            if leaf >= 0:
                row = shift(table, (size + leaf) * stride)
                rate = 0.0
                for k in range(order, 0, -1):
                    rate = rate * h + float(k) * row[k]
                way = 1 if rate > 0.0 else -1
                look_here(table, size, order, stride, watched, h, leaf, way, zeros, truths, instants)
            else:
                for i in range(watched):
                    zeros[i] = 0
            for i in range(size - 1):
                y[i] = polynomial(shift(table, i * stride), order, h)
            y[size - 1] = until if last else now + h
            if plan[CORRECT] != 0:
                kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
                for i in range(size - 1):
                    y[i] = results[plan[CORRECTED] + i]
            if leaf >= 0:
                exit = fired(plan, exits, words, kinds, truths, instants, stack)
        if exit >= 0:
            row_of = shift(exits, exit * EXIT)
            counts[LEAVING] = exit
            if row_of[PASSAGE] == 0:
                return NEW_PASSAGE
            kernel_at(row_of[PASSAGE], 0, 1, row_of[PASSAGE_ARGUMENTS])
            found = row_of[RESULT]
            for i in range(size - 1):
                if not math.isfinite(results[found + i]):
                    return NO_PASSAGE
            event = counts[EVENTS]
            note = shift(log, event * counts[LOG])
            if event > 0 and y[size - 1] == log[(event - 1) * counts[LOG]]:
                counts[AT_ONCE] = counts[AT_ONCE] + 1
            else:
                counts[AT_ONCE] = 0
            note[0] = y[size - 1]
            for i in range(1 + row_of[IMPULSES]):
                note[1 + i] = results[found + size + i]
            marks[2 * event] = exit
            marks[2 * event + 1] = counts[STEPS]
            counts[EVENTS] = event + 1
            for i in range(size - 1):
                y[i] = results[found + i]
            counts[STRUCTURE] = row_of[TARGET]
            counts[ENTERING] = 1
            if counts[AT_ONCE] > MOST_AT_ONCE:
                return CHATTERS


FUNCTIONS: Final = (*_advance.FUNCTIONS, holds, fired, look_ahead, look_here, travel)
