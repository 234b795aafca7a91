"""Many runs one after another in compiled code; each leaves a row of results.

Written in the compiled subset of Python: a call takes the runs begin to end of a chunk, lets `propagate` move each of
them and comes back only when all are done or one of them needs something that is not compiled.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, Function, Ints, shift
from sistel.records import record
from sistel.simulation.taylor import outcomes as o
from sistel.simulation.taylor import tables as t

GoAt = Function[[int, int], int]
"""Calls a function at an address with the numbers of a table as arguments."""

NOT_RUN, TIME, EVENTS, STRUCTURE, LOST, SMALL, CHATTERS, NO_PASSAGE, STEPS, NO_START, SLIDES, FAILED = range(12)
"""How a run ended: not at all yet; its time was up; it had all its events; it entered a structure that ends runs; its
numbers are not finite; its steps became too small; its transitions follow each other without end; a transition had no
state after it; it took too many steps; there was no state to begin with; no side of
a comparison leads on; something else, which its message tells."""

# What a chunk asks for.
BEGIN_IN: Final = 0
"""Number of the structure to begin with."""
MOST_EVENTS: Final = 1
MOST_STEPS: Final = 2
KEPT: Final = 3
"""Events of a run that are kept, the first ones."""
BLOCK: Final = 4
"""Events that `propagate` passes before it comes back: one where structures end runs."""
STEP_BLOCK: Final = 5
GOING_ON: Final = 6
"""Whether the first run is in its middle."""
LIVE: Final = 7
"""How many numbers of every run its live parameters determine."""
HEADS: Final = 8
"""Into how many places they go, beside the one that all kernels read."""
ASKS: Final = 9

OUTCOME, FINAL, PASSED, TAKEN, PATTERN, PATTERN_2, AT_ONCE, ROW = range(8)
"""A row of whole numbers for each run: how it ended; number of the structure in which it did; how many events and steps
it took; a digest of the sequence of all events, in two halves of 31 bits; events at one instant; its length."""


@record
class Loop:
    """The Taylor loop of one thread, see `taylor.tables`: how it is called, and the tables that runs read and write."""

    go_at: GoAt
    """Calls `propagate` with the arguments in a table."""
    address: int
    """Of `propagate`."""
    arguments: int
    """The address of that table."""
    counts: Ints
    numbers: Floats
    y: Floats
    """The state."""
    log: Floats
    """Of events."""
    marks: Ints
    """Of events."""
    shared: Floats
    """What live parameters determine, as kernels read it."""
    parameters: Floats
    """Those of the flows of all structures."""
    heads: Ints
    """Where in them the shared ones begin, and how many of them: two numbers a structure."""
    passages: Ints
    """Number of the passage that every exit of the tables is."""


@record
class Batch:
    """The runs of a chunk."""

    starts: Floats
    """State to begin with, of every run."""
    lives: Floats
    """What the live parameters of every run determine."""
    stops: Ints
    """Whether entering a structure ends a run."""
    asks: Ints
    """See BEGIN_IN …"""
    answers: Ints
    """Why the loop ended where Python has to look."""
    rows: Ints
    """See OUTCOME …"""
    finals: Floats
    """State at the end, of every run."""
    sequences: Ints
    """The first passages of every run."""
    moments: Floats
    """Their times, and that of the last one behind them."""
    losses: Floats
    """Energy that went in all events, of every run."""


PRIME: Final = 2147483647
FACTOR: Final = 48271
FACTOR_2: Final = 69621
"""Of the digests of sequences, see `mixed`."""


def mixed(digest: int, word: int, factor: int) -> int:
    """The digest of a sequence that is longer by a word."""
    return (digest * factor + word + 1) % PRIME


def begin_run(loop: Loop, batch: Batch, i: int) -> None:
    """Put a run at its start."""
    asks = batch.asks
    size = loop.counts[t.SIZE]
    for k in range(size):
        loop.y[k] = batch.starts[i * size + k]
    for k in range(ROW):
        batch.rows[i * ROW + k] = 0
    batch.losses[i] = 0.0
    for k in range(asks[LIVE]):
        loop.shared[k] = batch.lives[i * asks[LIVE] + k]
    for h in range(asks[HEADS]):
        for k in range(loop.heads[2 * h + 1]):
            loop.parameters[loop.heads[2 * h] + k] = loop.shared[k]
    loop.counts[t.STRUCTURE] = asks[BEGIN_IN]
    loop.counts[t.ENTERING] = 1
    loop.counts[t.AT_ONCE] = 0
    loop.numbers[t.LAST] = 0.0
    loop.numbers[t.LAST_BUT_ONE] = 0.0


def note_events(loop: Loop, batch: Batch, i: int) -> float:
    """Keep what the last call of `propagate` has passed; the energy that went on the way."""
    counts = loop.counts
    kept = batch.asks[KEPT]
    row = shift(batch.rows, i * ROW)
    moments = shift(batch.moments, i * (kept + 1))
    lost = 0.0
    for k in range(counts[t.EVENTS]):
        event = row[PASSED]
        word = loop.passages[loop.marks[2 * k]]
        if word < 0:
            continue  # a tick of a clock is no event
        time = loop.log[k * counts[t.LOG]]
        if event < kept:
            batch.sequences[i * kept + event] = word
            moments[event] = time
        # The time of the last event lies behind those that are kept.
        row[AT_ONCE] = row[AT_ONCE] + 1 if event > 0 and time == moments[kept] else 0
        moments[kept] = time
        lost += loop.log[k * counts[t.LOG] + 1]
        row[PATTERN] = mixed(row[PATTERN], word, FACTOR)
        row[PATTERN_2] = mixed(row[PATTERN_2], word, FACTOR_2)
        row[PASSED] = event + 1
    row[TAKEN] = row[TAKEN] + counts[t.STEPS]
    return lost


def outcome_of(answer: int, structure: int, batch: Batch, row: Ints) -> int:
    """How a run has ended; NOT_RUN where it goes on, FAILED where Python has to decide."""
    if batch.stops[structure] != 0 and row[PASSED] > 0:
        return STRUCTURE
    if answer == o.END:
        return TIME
    if row[AT_ONCE] > t.MOST_AT_ONCE or answer == o.CHATTERS:
        return CHATTERS
    if answer == o.EVENTS_FULL:
        return EVENTS if row[PASSED] >= batch.asks[MOST_EVENTS] else NOT_RUN
    if answer == o.LOST:
        return LOST
    if answer == o.SMALL:
        return SMALL
    if answer == o.NO_PASSAGE:
        return NO_PASSAGE
    if answer == o.SLIDES:
        return SLIDES
    if answer == o.STEPS_FULL and row[TAKEN] >= batch.asks[MOST_STEPS]:
        return STEPS
    return FAILED


def run_batch(loop: Loop, batch: Batch, begin: int, end: int) -> int:
    """Do the runs begin to end that have no outcome yet; the one that Python has to look at, or end."""
    counts = loop.counts
    asks = batch.asks
    size = counts[t.SIZE]
    for i in range(begin, end):
        row = shift(batch.rows, i * ROW)
        if row[OUTCOME] != NOT_RUN:
            continue
        if i == begin and asks[GOING_ON] != 0:
            asks[GOING_ON] = 0
        else:
            begin_run(loop, batch, i)
        outcome = NOT_RUN
        while outcome == NOT_RUN:
            counts[t.STEPS] = 0
            counts[t.EVENTS] = 0
            counts[t.ROOM] = min(asks[STEP_BLOCK], asks[MOST_STEPS] - row[TAKEN])
            counts[t.EVENT_ROOM] = min(asks[BLOCK], asks[MOST_EVENTS] - row[PASSED])
            answer = loop.go_at(loop.address, loop.arguments)
            batch.losses[i] = batch.losses[i] + note_events(loop, batch, i)
            outcome = outcome_of(answer, counts[t.STRUCTURE], batch, row)
            if outcome == FAILED:
                batch.answers[0] = answer
                return i
        row[OUTCOME] = outcome
        row[FINAL] = counts[t.STRUCTURE]
        for k in range(size):
            batch.finals[i * size + k] = loop.y[k]
    return end


FUNCTIONS: Final = (mixed, begin_run, note_events, outcome_of, run_batch)
