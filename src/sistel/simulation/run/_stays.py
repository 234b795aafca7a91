"""All steps of a run as a few arrays: questions at many times, to runs with many ticks, loop over neither."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import entry
from sistel.simulation.run._chunks import Chunk, Events, Stretch
from sistel.simulation.run._segments import Event, Segment, joined, values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array

AT_A_TIME = 4096
"""Times whose polynomials are gathered at once."""
SMALL = 2**16
"""Segments of up to so many bytes are put together, for steps of many are found at once [bytes]."""
ROOM = 2**22
"""Bytes of segments that are put together at most."""


@entry
class Block:
    """Steps that are kept together, and where stays may begin among them."""

    times: Array
    """Beginning and length of every step, shape (steps, 2) [s]."""
    coefficients: Array
    """Shape (steps, size, order + 1)."""
    cuts: list[int]
    """First steps of segments; the number of steps where a segment has none."""
    structures: list[str]
    """Of these segments."""


@entry
class Stays:
    """The steps of a run, in order, and the stays in structures that they belong to, as `Run.segments` has them."""

    blocks: list[Block]
    starts: Array
    """When steps begin [s], shape (steps,)."""
    lengths: Array
    owners: NDArray[np.intp]
    """Their blocks."""
    numbers: NDArray[np.intp]
    """Which they are there."""
    stays: NDArray[np.intp]
    structures: tuple[str, ...]
    """Of all stays."""

    def at(self, steps: NDArray[np.intp], h: Array, rows: Array) -> None:
        """Put states some time after the beginnings of steps into `rows`, shape (n, size)."""
        for first in range(0, len(steps), AT_A_TIME):
            here = slice(first, first + AT_A_TIME)
            chosen, length, made = steps[here], h[here], rows[here]
            owners = self.owners[chosen]
            for owner in np.unique(owners):
                mine = owners == owner
                which = self.numbers[chosen[mine]]
                made[mine] = values(self.blocks[owner].coefficients[which], length[mine])

    def rates(self, steps: NDArray[np.intp], h: Array, chosen: slice) -> Array:
        """Rates of some numbers of states a time after the beginnings of steps, shape (n, numbers)."""
        made = np.empty((len(steps), chosen.stop - chosen.start))
        for first in range(0, len(steps), AT_A_TIME):
            some = slice(first, first + AT_A_TIME)
            owners = self.owners[steps[some]]
            for owner in np.unique(owners):
                mine = np.flatnonzero(owners == owner) + first
                every = np.asarray(self.blocks[owner].coefficients[self.numbers[steps[mine]]])[:, chosen]
                powers = np.arange(every.shape[2])
                made[mine] = values(every[:, :, 1:] * powers[1:], h[mine])
        return made

    def sampled(self) -> tuple[NDArray[np.intp], Array]:
        """Of the states of `samples`, but for the last: the steps that they belong to, and the times since then."""
        count = len(self.starts)
        ends = np.flatnonzero(np.diff(self.stays)) if count else np.zeros(0, dtype=np.intp)
        steps = np.sort(np.concatenate([np.arange(count), ends]))
        twice = np.flatnonzero(np.diff(steps) == 0) + 1
        h = np.zeros(len(steps))
        h[twice] = self.lengths[steps[twice]]
        return steps, h

    def samples(self, last: Array) -> tuple[Array, Array, NDArray[np.intp]]:
        """Times, states and stays of all steps; the end of a stay comes too, before what happens there, and `last`."""
        count = len(self.starts)
        ends = np.flatnonzero(np.diff(self.stays)) if count else np.zeros(0, dtype=np.intp)
        # where a step comes among them: after the ends of all stays before its own
        places = np.arange(count) + np.searchsorted(ends, np.arange(count), side="left")
        after = places[ends] + 1
        total = count + len(ends) + 1
        times, states = np.empty(total), np.empty((total, len(last)))
        stays = np.full(total, len(self.structures), dtype=np.intp)
        times[places], times[after] = self.starts, self.starts[ends] + self.lengths[ends]
        stays[places], stays[after] = self.stays, self.stays[ends]
        first = 0
        for block in self.blocks:
            steps = len(block.times)
            states[places[first : first + steps]] = block.coefficients[:, :, 0]
            first += steps
        finals = np.empty((len(ends), len(last)))
        self.at(ends, self.lengths[ends], finals)
        states[after] = finals
        times[-1], states[-1] = last[-1], last
        return times, states, stays


def _blocks(pieces: Sequence[Segment | Stretch]) -> Iterator[Block]:
    waiting: list[Segment] = []
    room = 0
    for piece in pieces:
        if isinstance(piece, Chunk):
            yield from _together(waiting)
            waiting, room = [], 0
            steps = len(piece.times)
            cuts = sorted({0, *piece.marks[:, 1].tolist()} - {steps}) if steps else []
            yield Block(piece.times, piece.coefficients, cuts, [piece.names[int(piece.which[i])] for i in cuts])
            continue
        for segment in [piece] if isinstance(piece, Segment) else piece.segments():
            size = segment.coefficients.nbytes
            if size > SMALL or room + size > ROOM or not len(segment.times):
                yield from _together(waiting)
                waiting, room = [], 0
            if size > SMALL or not len(segment.times):
                yield Block(segment.times, segment.coefficients, [0], [segment.structure])
            else:
                waiting.append(segment)
                room += size
    yield from _together(waiting)


def _together(segments: Sequence[Segment]) -> Iterator[Block]:
    if segments:
        whole = segments[0] if len(segments) == 1 else joined(segments)
        cuts = np.cumsum([0, *(len(each.times) for each in segments[:-1])])
        yield Block(whole.times, whole.coefficients, cuts.tolist(), [each.structure for each in segments])


def stays_of(pieces: Sequence[Segment | Stretch], passages: Sequence[Event]) -> Stays:
    """The steps of a run.

    Args:
        pieces: What was written down of it, in order.
        passages: The events; a stay ends where the structure changes, or where one of them happens.
    """
    blocks = list(_blocks(pieces))
    sizes = np.array([len(block.times) for block in blocks], dtype=np.intp)
    firsts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.intp)
    times = np.concatenate([np.zeros((0, 2)), *(block.times for block in blocks)])
    cuts = np.concatenate(
        [
            np.zeros(0, dtype=np.intp),
            *(first + np.array(each.cuts, dtype=np.intp) for first, each in zip(firsts, blocks, strict=False)),
        ]
    )
    structures = [name for block in blocks for name in block.structures]
    numbers: dict[str, int] = {}
    codes = np.array([numbers.setdefault(name, len(numbers)) for name in structures], dtype=np.intp)
    passed = passages.times() if isinstance(passages, Events) else np.array([event.time for event in passages])
    begins = np.append(times[:, 0], np.nan)[cuts]
    divides = np.isin(begins, passed) | (np.diff(codes, prepend=-1) != 0)
    chosen = np.flatnonzero(divides)
    of_cuts = np.cumsum(divides) - 1
    ends = np.append(cuts[1:], len(times))
    return Stays(
        blocks=blocks,
        starts=times[:, 0],
        lengths=times[:, 1],
        owners=np.repeat(np.arange(len(blocks)), sizes),
        numbers=np.arange(len(times)) - np.repeat(firsts[:-1], sizes),
        stays=np.repeat(of_cuts, ends - cuts),
        structures=tuple(structures[i] for i in chosen),
    )
