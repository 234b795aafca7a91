"""One run of a chunk in turns, for a thread of a device: how it begins, and how it ends.

Written in the compiled subset of Python; see `simulation.taylor._turns` for what a turn is.
"""

from __future__ import annotations

from typing import Final

from sistel.ensembles import _batch_loop as m
from sistel.ensembles._batch_loop import (
    FAILED,
    FINAL,
    MOST_STEPS,
    NOT_RUN,
    OUTCOME,
    ROW,
    TAKEN,
    Batch,
    Loop,
    begin_run,
    note_events,
    outcome_of,
)
from sistel.kernels.subset import shift
from sistel.simulation.taylor import outcomes as o
from sistel.simulation.taylor import tables as t


def first_turn(loop: Loop, batch: Batch, i: int) -> None:
    """Put a run at its start."""
    counts = loop.counts
    begin_run(loop, batch, i)
    counts[t.STEPS] = 0
    counts[t.EVENTS] = 0
    counts[t.EVENT_ROOM] = 1
    counts[t.ROOM] = batch.asks[MOST_STEPS]


def end_turn(loop: Loop, batch: Batch, i: int, answer: int) -> int:
    """Note what a turn has brought; whether the run is over. One that Python has to look at keeps no outcome."""
    counts = loop.counts
    if answer == t.GO_ON:
        if counts[t.EVENTS] == 0:
            return 0
        answer = o.EVENTS_FULL
    row = shift(batch.rows, i * ROW)
    batch.losses[i] = batch.losses[i] + note_events(loop, batch, i)
    counts[t.STEPS] = 0
    counts[t.EVENTS] = 0
    counts[t.ROOM] = batch.asks[MOST_STEPS] - row[TAKEN]
    outcome = outcome_of(answer, counts[t.STRUCTURE], batch, row)
    if outcome == NOT_RUN:
        return 0
    if outcome == FAILED:
        batch.answers[i] = answer
        return 1
    row[OUTCOME] = outcome
    row[FINAL] = counts[t.STRUCTURE]
    size = counts[t.SIZE]
    for k in range(size):
        batch.finals[i * size + k] = loop.y[k]
    return 1


FUNCTIONS: Final = (*m.FUNCTIONS, first_turn, end_turn)
