"""From one structure to another: what a transition makes of a state, and how the next structure takes it.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import shift
from sistel.simulation.taylor.outcomes import ASKED, CHATTERS, NEW_PASSAGE, NO_PASSAGE
from sistel.simulation.taylor.tables import (
    ANSWERED,
    ASKS,
    AT_ONCE,
    CORRECT,
    CORRECT_ARGUMENTS,
    CORRECTED,
    ENTERING,
    EVENTS,
    EXIT,
    GO_ON,
    IMPULSES,
    KNOWN,
    LAST,
    LAST_BUT_ONE,
    LEAVING,
    LOG,
    MOST_AT_ONCE,
    OPEN,
    PASSAGE,
    PASSAGE_ARGUMENTS,
    PLACES,
    RESULT,
    SIZE,
    STEPS,
    STRUCTURE,
    TARGET,
    TICK,
    TICK_CODE,
    TICKED,
    TOLD,
    Stay,
    Tables,
)

APART: Final = 1.0e-10
"""How far links that begin to hold may be apart before they are brought together [m or rad]."""
MOST_TURNS: Final = 20


def close_up(tables: Tables, stay: Stay) -> bool:
    """Bring together what begins to hold; whether that can be."""
    size = stay.size
    plan = stay.plan
    y = tables.y
    results = tables.results
    # A loop that closes a little apart is closed before the motion goes on, or not at all. The velocities
    # wait until it is, and are then the nearest that it lets pass.
    tables.kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
    turn = 0
    while results[plan[CORRECTED] + size] > APART * APART:
        if turn == MOST_TURNS:
            return False
        for i in range(tables.counts[PLACES]):
            y[i] = results[plan[CORRECTED] + i]
        tables.kernel_at(plan[CORRECT], 0, 1, plan[CORRECT_ARGUMENTS])
        turn += 1
    if turn > 0:
        tables.counts[KNOWN] = 0
        for i in range(size - 1):
            y[i] = results[plan[CORRECTED] + i]
    return True


def pass_on(tables: Tables, exit: int) -> bool:
    """Take an exit and write it down; whether there is a state after it."""
    counts = tables.counts
    y = tables.y
    results = tables.results
    log = tables.log
    size = counts[SIZE]
    row_of = shift(tables.exits, exit * EXIT)
    tables.kernel_at(row_of[PASSAGE], 0, 1, row_of[PASSAGE_ARGUMENTS])
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
    if row_of[TICK] != 0:  # no impulses, where some may have been before
        for i in range(2, counts[LOG]):
            note[i] = 0.0
    tables.marks[2 * event] = exit + (counts[TICK_CODE] if row_of[TICK] != 0 else 0)
    tables.marks[2 * event + 1] = counts[STEPS]
    counts[EVENTS] = event + 1
    for i in range(size - 1):
        y[i] = results[found + i]
    counts[STRUCTURE] = row_of[TARGET]
    counts[ENTERING] = 1
    counts[TICKED] = row_of[TICK]
    tables.numbers[LAST] = 0.0  # as where a run begins
    tables.numbers[LAST_BUT_ONE] = 0.0
    return True


def leave(tables: Tables) -> int:
    """Take the exit that is open: GO_ON, or why that cannot be."""
    counts = tables.counts
    exit = counts[OPEN]
    counts[LEAVING] = exit
    if tables.exits[exit * EXIT + PASSAGE] == 0:
        return NEW_PASSAGE
    if tables.exits[exit * EXIT + ASKS] != 0 and counts[ANSWERED] != TOLD:
        return ASKED
    counts[ANSWERED] = 0
    if not pass_on(tables, exit):
        return NO_PASSAGE
    return CHATTERS if counts[AT_ONCE] > MOST_AT_ONCE else GO_ON


FUNCTIONS: Final = (close_up, pass_on, leave)
