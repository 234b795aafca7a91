"""Motion through structures without a word of Python: steps, zeros, modes, conditions, passages.

Written in the compiled subset of Python. Every structure is a row of a table of integers: addresses of its native
functions, and where its conditions and its comparisons are.

Comparisons in the equations of a structure (signs, limits, roundings) are *modes*: numbers of the block p that stay as
they are during a step. What is compared is watched like the functions of conditions; where it passes zero the step ends
and the mode changes. Where a motion comes to such a border and neither side leads away from it, it would have to slide
along it (Filippov): the journey ends there and says so.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Function, Ints, poll, shift
from sistel.simulation import _advance, _roots
from sistel.simulation._advance import scaled, step_length, watched_step
from sistel.simulation._conditions import AND, CROSSES, FALLS, HOLDS, NOT, OR, RISES
from sistel.simulation._roots import first_root, polynomial, slope, stays_apart

FlowAt = Function[[int, Floats, Floats, Floats, Floats], None]
"""Calls the flow at an address."""
KernelAt = Function[[int, int, int, int], None]
"""Calls the kernel at an address with rows begin to end and the address of its table of arguments."""

END, STEPS_FULL, EVENTS_FULL, LOST, STOPPED, SMALL, UNKNOWN, CHATTERS, NO_PASSAGE, NEW_PASSAGE, NARROWING, SLIDES = (
    range(12)
)
"""Why a journey ended: the time is up, no room for steps or events, numbers that are not finite, somebody asked to
stop, steps too small to go on, a structure that is not compiled yet, transitions without end, no state after one, a
transition that is not compiled yet, steps that shrink towards a singular posture, a comparison that no side decides."""

# A row of the table of structures.
FLOW: Final = 0
WATCHED: Final = 1
"""Functions of conditions, then those of comparisons."""
CORRECT: Final = 2
CORRECT_ARGUMENTS: Final = 3
CORRECTED: Final = 4
"""Where in the room of results the corrected state is."""
ANCHOR: Final = 5
ANCHOR_ARGUMENTS: Final = 6
FIRST_EXIT: Final = 7
EXITS: Final = 8
FIRST_LEAF: Final = 9
PARAMETERS: Final = 10
"""Where its block p begins: parameters, then modes."""
CHOOSE: Final = 11
"""The kernel that puts modes there."""
CHOOSE_ARGUMENTS: Final = 12
FIRST_SWITCH: Final = 13
SWITCHES: Final = 14
PLAN: Final = 15

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

# A row of the table of comparisons: the place of its mode in the block p, and its kind.
LESS, EQUAL, NOT_ZERO, FLOOR, FLOOR_ABOVE = range(5)
"""The mode holds where the function is below zero, zero, or not zero; a rounded number lies between two."""
SWITCH: Final = 2

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
"""Watched functions of the structure that has most."""
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
APART: Final = 1.0e-10
"""How far links that begin to hold may be apart before they are brought together [m or rad]."""
MOST_TURNS: Final = 20
CROWD: Final = 1.0e-9
"""Time in which two events crowd together, in parts of the time and of 1 s."""
BLIND: Final = 1.0e-3
"""Longest step while a condition cannot be followed, as distances that are zero cannot, in parts of the time."""
MOST_PASSED: Final = 8
"""Zeros that change nothing within one step."""
NEAR: Final = 1.0e-12
"""Size of a watched function that counts as zero after an event."""
STALE: Final = 1.0e-6
"""Size of a compared function that is no zero any more after another comparison has changed."""


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


def look_ahead(table: Floats, size: int, order: int, stride: int, leaves: int, zeros: Ints, truths: Ints) -> None:
    """Signs of the functions of conditions from a state on; those that start at zero have the sign of what comes."""
    for i in range(leaves):
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
            rate = slope(row, order, h)
            truths[i] = 1 if rate > 0.0 else 0
            zeros[i] = 1
            if i == leaf or rate != 0.0:  # what stays zero does not pass it
                instants[i] = 1 if rate > 0.0 else -1
        else:
            truths[i] = 1 if value > 0.0 else 0


def look_again(
    table: Floats, size: int, order: int, stride: int, leaves: int, zeros: Ints, truths: Ints, instants: Ints
) -> None:
    """After modes have changed: functions of conditions that jump over zero with them pass it at this instant."""
    for i in range(leaves):
        value = table[(size + i) * stride]
        if zeros[i] != 0 or abs(value) <= NEAR:
            continue
        now = 1 if value > 0.0 else 0
        if now != truths[i]:
            instants[i] = 1 if now == 1 else -1
            truths[i] = now


def first_zero(
    table: Floats,
    size: int,
    order: int,
    stride: int,
    watched: int,
    low: float,
    high: float,
    directions: Ints,
    zeros: Ints,
    work: Floats,
) -> float:
    """When a watched function first passes zero between two times of a step; which one goes to `work`, -1 for none.

    Args:
        table: Coefficients of the state and of the watched functions.
        size: Of the state.
        order: Of the series.
        stride: Of the table.
        watched: Number of functions.
        low: From when on, since the beginning of the step [s].
        high: Until when [s].
        directions: In which direction zeros count.
        zeros: Functions that are zero at `low`.
        work: Room: the answer, two polynomials, and what the search needs.
    """
    moved = shift(work, 1)
    one = shift(moved, order + 1)
    room = shift(one, order + 1)
    best = _roots.NONE
    leaf = -1
    for i in range(watched):
        row = shift(table, (size + i) * stride)
        if low > 0.0:
            for k in range(order + 1):
                moved[k] = row[k]
            # Expanded where the rest begins.
            for j in range(order):
                for k in range(order - 1, j - 1, -1):
                    moved[k] = moved[k] + low * moved[k + 1]
            row = moved
        nil = 1 if zeros[i] != 0 or row[0] == 0.0 else 0
        rest = scaled(row, order, high - low, nil, one)
        if not stays_apart(one, rest):
            root = first_root(one, order - nil, directions[i], room)
            if root < best:
                best = root
                leaf = i
    work[0] = float(leaf)
    return low + best * (high - low)


def switches_here(zeros: Ints, instants: Ints, count: int) -> bool:
    """Whether a compared function passes zero."""
    here = False
    for i in range(count):
        here = here or (zeros[i] != 0 and instants[i] != 0)
    return here


def switch_modes(switches: Ints, count: int, p: Floats, zeros: Ints, instants: Ints) -> None:
    """Change the modes whose functions pass zero."""
    for i in range(count):
        if zeros[i] != 0 and instants[i] != 0:
            place = switches[SWITCH * i]
            kind = switches[SWITCH * i + 1]
            if kind == LESS:
                p[place] = 1.0 if instants[i] < 0 else 0.0
            elif kind == FLOOR and instants[i] < 0:
                p[place] = p[place] - 1.0
                zeros[i] = 0
                zeros[i + 1] = 1
            elif kind == FLOOR_ABOVE and instants[i] > 0:
                p[place] = p[place] + 1.0
                zeros[i] = 0
                zeros[i - 1] = 1


def settle(
    flow_at: FlowAt,
    flow: int,
    y: Floats,
    p: Floats,
    table: Floats,
    scratch: Floats,
    size: int,
    order: int,
    stride: int,
    leaves: int,
    switches: Ints,
    count: int,
    every_zero: Ints,
) -> bool:
    """Make modes agree with what is compared from now on, and compute the flow; whether they can.

    A function that starts at zero is on the side to which the motion takes it, if it is there that it goes to.
    """
    zeros = shift(every_zero, leaves)
    heavy = False
    turns = 2 * count + 2
    for turn in range(2 * turns):
        flow_at(flow, y, p, table, scratch)
        # What rounding alone moves is left as it is: it stays at zero on either side. Where more does, a second round
        # leaves rounding out: what begins to slide at the edge of its cone has no acceleration yet.
        if turn == turns and not heavy:
            return True
        least = 0.0 if turn < turns else NEAR
        changed = False
        i = 0
        while i < count and not changed:
            row = shift(table, (size + leaves + i) * stride)
            value = row[0]
            if turn > 0 and abs(value) > STALE:
                zeros[i] = 0
            undecided = zeros[i] != 0 or abs(value) <= NEAR
            if undecided:
                zeros[i] = 1
                value = 0.0
                k = 1
                while k <= order and value == 0.0:
                    if abs(row[k]) > least:
                        value = row[k]
                    k += 1
            place = switches[SWITCH * i]
            kind = switches[SWITCH * i + 1]
            mode = p[place]
            wanted = mode
            if kind == LESS:
                if value != 0.0:
                    wanted = 1.0 if value < 0.0 else 0.0
            elif kind == EQUAL:
                if value != 0.0:
                    wanted = 0.0
            elif kind == NOT_ZERO:
                if value != 0.0:
                    wanted = 1.0
            elif kind == FLOOR:
                if value < 0.0:
                    wanted = mode - 1.0 if undecided else mode + float(math.floor(value))
                    zeros[i] = 0
                    zeros[i + 1] = 1 if undecided else 0
            elif value > 0.0:
                wanted = mode + 1.0 if undecided else mode + 1.0 + float(math.floor(value))
                zeros[i] = 0
                zeros[i - 1] = 1 if undecided else 0
            if wanted != mode:
                p[place] = wanted
                changed = True
                heavy = abs(value) > NEAR
            i += 1
        if not changed:
            return True
    return False


def travel(
    flow_at: FlowAt,
    kernel_at: KernelAt,
    plans: Ints,
    exits: Ints,
    words: Ints,
    kinds: Ints,
    directions: Ints,
    switches: Ints,
    counts: Ints,
    numbers: Floats,
    weights: Floats,
    y: Floats,
    parameters: Floats,
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
        switches: The table of comparisons.
        counts: See the places.
        numbers: Those of `_advance`.
        weights: Of the components in the measure of errors, see `step_length`.
        y: The state; in and out.
        parameters: The blocks p of all structures: parameters, then modes; in and out.
        scratch: Room for flows.
        results: What kernels write.
        times: Beginning and length of every step.
        coefficients: Of the state, for every step: rows of STRIDE numbers, and room for one whole table after them.
        which: The structure of every step.
        log: Of events: time, loss of energy, impulses.
        marks: Of events: the exit, and how many steps came before.
        zeros: Leaves that start at zero; in and out.
        signs: Room for three numbers a leaf: truths, instants, a stack.
        work: Room for the search of zeros, see `first_zero`.
    """
    size = counts[SIZE]
    order = counts[ORDER]
    stride = counts[STRIDE]
    until = numbers[_advance.UNTIL]
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
        modes = plan[SWITCHES]
        leaves = watched - modes
        comparisons = shift(switches, plan[FIRST_SWITCH] * SWITCH)
        own_zeros = shift(zeros, leaves)
        own_instants = shift(instants, leaves)
        p = shift(parameters, plan[PARAMETERS])
        # The flow writes where its coefficients are kept.
        table = shift(coefficients, counts[STEPS] * size * stride) if counts[RECORD] != 0 else coefficients
        known = False  # whether the table belongs to this state
        exit = -1
        if counts[ENTERING] != 0:
            counts[ENTERING] = 0
            if plan[ANCHOR] != 0:
                kernel_at(plan[ANCHOR], 0, 1, plan[ANCHOR_ARGUMENTS])
            if plan[CORRECT] != 0:
                # A loop that closes a little apart is closed before the motion goes on, or not at all.
                kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
                turn = 0
                while results[plan[CORRECTED] + size] > APART * APART:
                    if turn == MOST_TURNS:
                        return NO_PASSAGE
                    for i in range(size - 1):
                        y[i] = results[plan[CORRECTED] + i]
                    kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
                    turn += 1
            for i in range(watched):
                zeros[i] = 0
                instants[i] = 0
            if modes > 0:
                kernel_at(plan[CHOOSE], 0, 1, plan[CHOOSE_ARGUMENTS])
                known = settle(
                    flow_at, plan[FLOW], y, p, table, scratch, size, order, stride, leaves, comparisons, modes, zeros
                )
                if not known and leaves == 0:
                    return SLIDES
            elif leaves > 0:
                flow_at(plan[FLOW], y, p, table, scratch)
                known = True
            if leaves > 0:
                look_ahead(table, size, order, stride, leaves, zeros, truths)
                exit = fired(plan, exits, words, kinds, truths, instants, stack)
                if not known and exit < 0:
                    return SLIDES
        while exit < 0:
            now = y[size - 1]
            left = until - now
            if left <= 0.0:
                return END
            if counts[STEPS] >= counts[ROOM]:
                return STEPS_FULL
            if poll(counts, STOP) != 0:
                return STOPPED
            if not known:
                flow_at(plan[FLOW], y, p, table, scratch)
            known = False
            h = numbers[_advance.RADIUS] * step_length(table, size, order, stride, weights)
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
            if shrinking and plan[CORRECT] != 0 and counts[STEPS] >= 2 and modes == 0:
                return NARROWING
            h = min(h, numbers[_advance.LONGEST], left)
            if blind:
                h = min(h, BLIND * max(abs(until), abs(now)))
            h = watched_step(table, size, watched, order, stride, numbers[_advance.FLOOR], numbers[_advance.RADIUS], h)
            last = h >= left
            if last:
                h = left
            if now + h <= now:
                return SMALL
            leaf = -1
            low = 0.0  # zeros up to here have changed nothing
            turn = 0
            while low < h:
                directed = shift(directions, plan[FIRST_LEAF])
                first = first_zero(table, size, order, stride, watched, low, h, directed, zeros, work)
                leaf = int(work[0])
                if leaf < 0:
                    break
                look_here(table, size, order, stride, watched, first, leaf, zeros, truths, instants)
                exit = fired(plan, exits, words, kinds, truths, instants, stack)
                turn += 1
                if exit >= 0 or switches_here(own_zeros, own_instants, modes) or turn > MOST_PASSED:
                    h = first
                    last = False
                    break
                leaf = -1
                low = first
            # Events that crowd together end where rounding hides the next: nothing may go through a floor then.
            since = now - log[max(0, counts[EVENTS] - 2) * counts[LOG]]
            if leaf < 0 and turn == 0 and counts[EVENTS] >= 2 and since <= CROWD * max(1.0, abs(now)):
                for i in range(leaves):
                    row = shift(table, (size + i) * stride)
                    ends = polynomial(row, order, h)
                    counted = directions[plan[FIRST_LEAF] + i]
                    if zeros[i] != 0 and row[1] * ends < 0.0 and (counted == 0 or float(counted) * ends > 0.0):
                        return CHATTERS
            if leaf < 0 and low < h:
                for i in range(watched):
                    zeros[i] = 0
            step = counts[STEPS]
            counts[STEPS] = step + 1
            for i in range(size - 1):
                y[i] = polynomial(shift(table, i * stride), order, h)
            y[size - 1] = until if last else now + h
            if counts[RECORD] != 0:
                times[2 * step] = now
                times[2 * step + 1] = h
                which[step] = counts[STRUCTURE]
                table = shift(table, size * stride)
            if plan[CORRECT] != 0:
                kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
                for i in range(size - 1):
                    y[i] = results[plan[CORRECTED] + i]
            if leaf >= 0 and exit < 0 and switches_here(own_zeros, own_instants, modes):
                switch_modes(comparisons, modes, p, own_zeros, own_instants)
                known = settle(
                    flow_at, plan[FLOW], y, p, table, scratch, size, order, stride, leaves, comparisons, modes, zeros
                )
                look_again(table, size, order, stride, leaves, zeros, truths, instants)
                exit = fired(plan, exits, words, kinds, truths, instants, stack)
                if not known and exit < 0:
                    return SLIDES
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


FUNCTIONS: Final = (
    *_advance.FUNCTIONS,
    holds,
    fired,
    look_ahead,
    look_here,
    look_again,
    first_zero,
    switches_here,
    switch_modes,
    settle,
    travel,
)
