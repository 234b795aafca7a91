"""Motion through structures without a word of Python: steps, zeros, modes, conditions, passages.

Written in the compiled subset of Python, on the tables of `_places`.

Where a motion comes to the border of a comparison and neither side leads away from it, it would have to slide along it
(Filippov): the journey ends there and says so.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Ints, poll, shift
from sistel.simulation.taylor import _stepping, _switching, _watching
from sistel.simulation.taylor import _transition_step as _passing
from sistel.simulation.taylor import steps as _advance
from sistel.simulation.taylor._roots import polynomial
from sistel.simulation.taylor._stepping import next_event, plan_step
from sistel.simulation.taylor._switching import settle, switch_modes, switches_here
from sistel.simulation.taylor._transition_step import close_up, pass_on
from sistel.simulation.taylor._watching import crowds, falls_again, fired, look_again, look_ahead
from sistel.simulation.taylor.tables import (
    ANCHOR,
    ANCHOR_ARGUMENTS,
    AT_ONCE,
    CHATTERS,
    CHOOSE,
    CHOOSE_ARGUMENTS,
    CORRECT,
    CORRECT_ARGUMENTS,
    CORRECTED,
    END,
    ENTERING,
    EVENT_ROOM,
    EVENTS,
    EVENTS_FULL,
    EXIT,
    FIRST_LEAF,
    FIRST_SWITCH,
    FLOW,
    LEAVING,
    LENGTH,
    LOST,
    MOST_AT_ONCE,
    MOST_LEAVES,
    NEW_PASSAGE,
    NO_PASSAGE,
    ORDER,
    PARAMETERS,
    PASSAGE,
    PLAN,
    RECORD,
    RETURNED,
    ROOM,
    SIZE,
    SLIDES,
    STEPS,
    STEPS_FULL,
    STOP,
    STOPPED,
    STRIDE,
    STRUCTURE,
    SWITCH,
    SWITCHES,
    UNKNOWN,
    WATCHED,
    FlowAt,
    KernelAt,
)


def all_finite(values: Floats, count: int) -> bool:
    """Whether the first values are numbers."""
    found = True
    for i in range(count):
        found = found and math.isfinite(values[i])
    return found


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
            if plan[CORRECT] != 0 and not close_up(kernel_at, plan, counts, y, results):
                return NO_PASSAGE
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
            answer = plan_step(plan, counts, numbers, weights, table, now)
            if answer != END:
                return answer
            h = numbers[LENGTH]
            # Events that crowd together end where rounding hides the next: nothing may go through a floor then.
            crowded = counts[RETURNED] != 0 or crowds(plan, counts, log, marks, now)
            counts[RETURNED] = 0
            own_kinds = shift(kinds, plan[FIRST_LEAF])
            if crowded:
                own_directions = shift(directions, plan[FIRST_LEAF])
                if falls_again(table, size, order, stride, leaves, own_directions, own_kinds, zeros):
                    return CHATTERS
            h = next_event(
                plan, exits, words, kinds, directions, counts, numbers, table, zeros, signs, work, now, h, crowded
            )
            if h < 0.0:
                return CHATTERS
            leaf = int(work[0])
            exit = int(work[1])
            last = h >= until - now and leaf < 0
            step = counts[STEPS]
            counts[STEPS] = step + 1
            for i in range(size - 1):
                y[i] = polynomial(shift(table, i * stride), order, h)
            y[size - 1] = until if last else now + h
            if counts[RECORD] != 0:
                times[2 * step] = now
                times[2 * step + 1] = h
                which[step] = counts[STRUCTURE]
            if plan[CORRECT] != 0:
                kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
                for i in range(size - 1):
                    y[i] = results[plan[CORRECTED] + i]
            if not all_finite(y, size - 1):
                # The step leads nowhere, or there is no way back to the constraints from its end: it was not taken.
                counts[STEPS] = step
                for i in range(size):
                    y[i] = table[i * stride]
                return LOST
            if counts[RECORD] != 0:
                table = shift(table, size * stride)
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
        if not pass_on(kernel_at, row_of, exit, counts, numbers, y, results, log, marks):
            return NO_PASSAGE
        if counts[AT_ONCE] > MOST_AT_ONCE:
            return CHATTERS


FUNCTIONS: Final = (
    *_watching.FUNCTIONS,
    *_switching.FUNCTIONS,
    *_passing.FUNCTIONS,
    *_stepping.FUNCTIONS,
    all_finite,
    travel,
)
