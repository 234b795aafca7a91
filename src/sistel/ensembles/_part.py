"""Results of some runs in a row: arrays with one entry a run, which join into those of more runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from sistel.ensembles import _batch_loop as m
from sistel.errors import Text
from sistel.records import entry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array, Whole

NOWHERE: Final = -1
"""Number of no structure and of no passage."""

OUTCOMES: Final = {
    m.NOT_RUN: Text("not run", "не выполнен"),
    m.TIME: Text("reached its time", "дошёл до конца"),
    m.EVENTS: Text("had all its events", "прошёл все события"),
    m.STRUCTURE: Text("entered a structure that ends runs", "вошёл в конечную структуру"),
    m.LOST: Text("no finite values", "нет конечных значений"),
    m.SMALL: Text("the step became too small", "шаг стал слишком малым"),
    m.CHATTERS: Text("transitions without end", "переходы без конца"),
    m.NO_PASSAGE: Text("a passage without a solution", "переход без решения"),
    m.STEPS: Text("too many steps", "слишком много шагов"),
    m.NO_START: Text("no state to begin with", "нет начального состояния"),
    m.SLIDES: Text("no side of a comparison leads on", "ни одна сторона сравнения не ведёт дальше"),
    m.FAILED: Text("failed", "отказ"),
}
"""How runs end, in words."""

GOOD: Final = (m.TIME, m.EVENTS, m.STRUCTURE)
"""Outcomes that are no failures."""


class Passage(NamedTuple):
    """What an event is: which transition led from which structure to which."""

    transition: str
    before: str
    after: str


@entry
class Part:
    """Results of runs in a row.

    Attributes:
        outcome: How every run ended, shape (n,); see `OUTCOMES`.
        structure: Number of its last structure among `structures`; -1 for none.
        state: Its last state q, v, t, shape (n, size) [SI].
        events: How many events it had.
        steps: How many steps it took.
        loss: Energy that went in its events [J].
        sequence: The first of its events as numbers of `passages`, shape (n, kept); -1 behind the last.
        times: Their times [s]; NaN behind the last.
        pattern: A digest of the whole sequence: equal for runs whose events are the same in the same order.
        structures: Names of structures.
        passages: What the numbers of `sequence` mean.
        messages: What went wrong in runs that failed, by number of the run in this part.
    """

    outcome: NDArray[np.uint8]
    structure: NDArray[np.int16]
    state: Array
    events: NDArray[np.int32]
    steps: NDArray[np.int32]
    loss: Array
    sequence: NDArray[np.int16]
    times: Array
    pattern: Whole
    structures: tuple[str, ...]
    passages: tuple[Passage, ...]
    messages: tuple[tuple[int, str, str], ...] = ()

    def __len__(self) -> int:
        return len(self.outcome)


COLUMNS: Final = tuple(field.name for field in fields(Part))[:9]
"""Names of the arrays of a part."""

MOST_MESSAGES: Final = 100
"""Messages that a part keeps: those of the first runs that failed."""


def empty(count: int, size: int, kept: int, structures: Sequence[str], passages: Sequence[Passage]) -> Part:
    """A part of runs that have not been done."""
    return Part(
        outcome=np.zeros(count, dtype=np.uint8),
        structure=np.full(count, NOWHERE, dtype=np.int16),
        state=np.full((count, size), np.nan),
        events=np.zeros(count, dtype=np.int32),
        steps=np.zeros(count, dtype=np.int32),
        loss=np.zeros(count),
        sequence=np.full((count, kept), NOWHERE, dtype=np.int16),
        times=np.full((count, kept), np.nan),
        pattern=np.zeros(count, dtype=np.int64),
        structures=tuple(structures),
        passages=tuple(passages),
    )


def join(parts: Sequence[Part]) -> Part:
    """The results of all runs of some parts, in their order.

    Joining is associative: parts may be joined in groups and the groups later, with the same result.
    """
    if len(parts) == 1:
        return parts[0]
    structures = tuple(dict.fromkeys(name for part in parts for name in part.structures))
    passages = tuple(dict.fromkeys(passage for part in parts for passage in part.passages))
    same = [_renumbered(part, structures, passages) for part in parts]
    messages: list[tuple[int, str, str]] = []
    first = 0
    for part in same:
        messages += [(first + i, en, ru) for i, en, ru in part.messages]
        first += len(part)
    columns = {name: np.concatenate([getattr(part, name) for part in same]) for name in COLUMNS}
    return Part(**columns, structures=structures, passages=passages, messages=tuple(messages[:MOST_MESSAGES]))


def _renumbered(part: Part, structures: tuple[str, ...], passages: tuple[Passage, ...]) -> Part:
    """A part in the numbers of longer tables."""
    if part.structures == structures[: len(part.structures)] and part.passages == passages[: len(part.passages)]:
        return part
    # The last entry is that of -1, which stays.
    named = np.array([*map(structures.index, part.structures), NOWHERE], dtype=np.int16)
    passed = np.array([*map(passages.index, part.passages), NOWHERE], dtype=np.int16)
    return replace(part, structure=named[part.structure], sequence=passed[part.sequence])
