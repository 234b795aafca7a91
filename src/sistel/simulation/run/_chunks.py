"""What compiled steps wrote down of a motion: pieces of motion and events are made of it when they are asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol, overload

import numpy as np

from sistel import shown
from sistel.records import record
from sistel.simulation.run._held_steps import HeldSteps
from sistel.simulation.run._segments import Event, Segment

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole


@dataclass(frozen=True, slots=True)
class NamedTransition:
    """A transition between two structures, as events name it."""

    transition: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Passage(NamedTransition):
    """A transition that runs write down."""

    links: tuple[str, ...]
    """Those whose impulses are written down."""


@record
class Chunk:
    """Steps and events, one after another."""

    names: Sequence[str]
    """Of all structures."""
    passages: Sequence[Passage]
    times: Array
    """Beginning and length of every step, shape (steps, 2) [s]; none where steps are not kept."""
    coefficients: Array
    """Shape (steps, nq + nv + 1, order + 1)."""
    which: Whole
    """The structure of every step."""
    marks: Whole
    """Of every event: its passage, and how many steps came before, shape (events, 2)."""
    log: Array
    """Of every event: its time, its loss of energy, its impulses, shape (events, width)."""

    @property
    def nbytes(self) -> int:
        """What it takes [bytes]."""
        own = self.coefficients.nbytes
        if not isinstance(self.coefficients, HeldSteps):
            steps, rows, _ = self.coefficients.shape
            own = steps * rows * self.coefficients.strides[1]  # rows are longer than what is used of them
        return int(own) + self.times.nbytes + self.which.nbytes + self.marks.nbytes + self.log.nbytes

    def segments(self) -> list[Segment]:
        """The steps, a segment for every stay."""
        steps = len(self.times)
        if not steps:
            return []
        cuts = sorted({0, steps, *self.marks[:, 1].tolist()})
        return [
            Segment(
                structure=self.names[int(self.which[i])], times=self.times[i:j], coefficients=self.coefficients[i:j]
            )
            for i, j in pairwise(cuts)
        ]

    def event(self, index: int) -> Event:
        """One of the events."""
        passage, note = self.passages[int(self.marks[index, 0])], self.log[index]
        return Event(
            time=float(note[0]),
            transition=passage.transition,
            before=passage.before,
            after=passage.after,
            energy_loss=float(note[1]),
            impulses={name: note[2 + 6 * i : 8 + 6 * i] for i, name in enumerate(passage.links)},
        )


class Stretch(Protocol):
    """Steps and events that machine code wrote down: a `Chunk`, or what the loop for many bodies has."""

    @property
    def times(self) -> Array:
        """Beginning and length of every step, shape (steps, 2) [s]."""

    @property
    def marks(self) -> Whole:
        """Of every event: its passage, and how many steps came before, shape (events, 2)."""

    @property
    def log(self) -> Array:
        """Of every event: its time, and more."""

    @property
    def passages(self) -> Sequence[Passage | Event]:
        """What events may pass through."""

    def segments(self) -> list[Segment]:
        """The steps, a segment for every stay."""

    def event(self, index: int) -> Event:
        """One of the events."""


class Events(Sequence[Event]):
    """Events in order: those that machine code wrote down, and those that were made one by one."""

    def __init__(self, events: Sequence[Event] = ()) -> None:
        """Those of the beginning."""
        self._parts: list[Stretch | list[Event]] = [list(events)] if events else []
        self._firsts: list[int] = [0] if events else []
        self._count = len(events)

    def add(self, chunk: Stretch) -> None:
        """Those of a chunk come next."""
        if len(chunk.marks):
            self._parts.append(chunk)
            self._firsts.append(self._count)
            self._count += len(chunk.marks)

    def append(self, event: Event) -> None:
        """One more."""
        if not self._parts or not isinstance(self._parts[-1], list):
            self._parts.append([])
            self._firsts.append(self._count)
        part = self._parts[-1]
        assert isinstance(part, list)
        part.append(event)
        self._count += 1

    def times(self) -> Array:
        """When they happen [s]."""
        return np.concatenate(
            [
                np.array([event.time for event in part]) if isinstance(part, list) else part.log[:, 0]
                for part in self._parts
            ]
            or [np.zeros(0)]
        )

    def without(self, transitions: Container[str]) -> tuple[Event, ...]:
        """Those of other transitions than some."""
        made: list[Event] = []
        for part in self._parts:
            if isinstance(part, list):
                made += [event for event in part if event.transition not in transitions]
                continue
            numbers, places = np.unique(part.marks[:, 0], return_inverse=True)
            told = np.array([part.passages[int(number)].transition not in transitions for number in numbers])
            made += [part.event(int(i)) for i in np.flatnonzero(told[places])]
        return tuple(made)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Event: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Event, ...]: ...

    def __getitem__(self, index: int | slice) -> Event | tuple[Event, ...]:
        if isinstance(index, slice):
            return tuple(self[i] for i in range(*index.indices(self._count)))
        place = index + self._count if index < 0 else index
        if not 0 <= place < self._count:
            raise IndexError(f"event {index} of {self._count}")
        number = bisect_right(self._firsts, place) - 1
        part, own = self._parts[number], place - self._firsts[number]
        return part[own] if isinstance(part, list) else part.event(own)

    def __iter__(self) -> Iterator[Event]:
        for part in self._parts:
            yield from part if isinstance(part, list) else (part.event(i) for i in range(len(part.marks)))

    def __repr__(self) -> str:
        return f"<{self._count} events>"

    def _repr_html_(self) -> str:
        return shown.html(self)
