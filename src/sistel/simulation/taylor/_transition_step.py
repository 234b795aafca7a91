"""From one structure to another: what a transition makes of a state, and how the next structure takes it.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Ints, shift
from sistel.simulation.taylor.tables import (
    AT_ONCE,
    CORRECT,
    CORRECT_ARGUMENTS,
    CORRECTED,
    ENTERING,
    EVENTS,
    IMPULSES,
    LAST,
    LAST_BUT_ONE,
    LOG,
    PASSAGE,
    PASSAGE_ARGUMENTS,
    PLACES,
    RESULT,
    SIZE,
    STEPS,
    STRUCTURE,
    TARGET,
    KernelAt,
)

APART: Final = 1.0e-10
"""How far links that begin to hold may be apart before they are brought together [m or rad]."""
MOST_TURNS: Final = 20


def close_up(kernel_at: KernelAt, plan: Ints, counts: Ints, y: Floats, results: Floats) -> bool:
    """Bring together what begins to hold; whether that can be."""
    size = counts[SIZE]
    # A loop that closes a little apart is closed before the motion goes on, or not at all. The velocities
    # wait until it is, and are then the nearest that it lets pass.
    kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
    turn = 0
    while results[plan[CORRECTED] + size] > APART * APART:
        if turn == MOST_TURNS:
            return False
        for i in range(counts[PLACES]):
            y[i] = results[plan[CORRECTED] + i]
        kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
        turn += 1
    if turn > 0:
        for i in range(size - 1):
            y[i] = results[plan[CORRECTED] + i]
    return True


def pass_on(
    kernel_at: KernelAt,
    row_of: Ints,
    exit: int,
    counts: Ints,
    numbers: Floats,
    y: Floats,
    results: Floats,
    log: Floats,
    marks: Ints,
) -> bool:
    """Take an exit and write it down; whether there is a state after it."""
    size = counts[SIZE]
    kernel_at(row_of[PASSAGE], 0, 1, row_of[PASSAGE_ARGUMENTS])
    found = row_of[RESULT]
    for i in range(size - 1):
        if not math.isfinite(results[found + i]):
            return False
    if not math.isfinite(results[found + size]):  # links that begin to hold are apart
        return False
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
    numbers[LAST] = 0.0  # as where a journey begins
    numbers[LAST_BUT_ONE] = 0.0
    return True


FUNCTIONS: Final = (close_up, pass_on)
