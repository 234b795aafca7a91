"""Where along a run something falls below zero that should not: located on the polynomials of its steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import record
from sistel.simulation.run._segments import Segment, joined, values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array, Indices


Margins = Callable[["Array"], "Array"]
"""States, shape (n, size), to what should not be negative, shape (n, k)."""

BATCH = 4096
"""Steps that are looked at together."""
FINEST = 12
"""Parts of a step at whose ends it is looked at, in runs that are not long."""
MOST = 2_000_000
"""States that are looked at where a run has many steps: then fewer in each of them."""
HALVINGS = 60
SHORT = 1.0 - 1e-9
"""Part of the last step of a stay that is looked at."""


@record
class Crossing:
    """A margin that falls below zero, or is below it when a stay in a structure begins."""

    item: int
    """Which of the margins."""
    time: float
    """[s]"""
    stay: int
    """Number of the segment."""
    least: float
    """The least value that was seen in the steps that were looked at together; below zero."""


def crossings(
    segments: Sequence[Segment],
    chosen: Callable[[str], bool],
    margins: Margins,
    slack: float,
    suspect: Callable[[Array, Array], NDArray[np.bool_]] | None = None,
) -> list[Crossing]:
    """All passages of margins below zero, in the order of time.

    A margin counts as negative where it is below −slack; the time is that of the zero itself.

    Args:
        segments: The motion.
        chosen: Whether a structure is to be looked at, by its name.
        margins: What should not be negative.
        slack: What rounding may make of a zero.
        suspect: Coefficients (n, size, order + 1) and lengths (n,) of steps to those that may be concerned at all.
    """
    total = sum(len(segment.times) for segment in segments if chosen(segment.structure))
    parts = int(min(FINEST, max(2, MOST // max(1, total))))
    made: list[Crossing] = []
    was_below: dict[int, NDArray[np.bool_]] = {}
    for numbers, steps in _batches(segments, chosen):
        batch = joined(steps) if len(steps) > 1 else steps[0]
        owners = np.repeat(numbers, [len(one.times) for one in steps])
        made += _of_batch(batch, owners, margins, slack, parts, suspect, was_below)
    return sorted(made, key=lambda one: one.time)


def _batches(segments: Sequence[Segment], chosen: Callable[[str], bool]) -> Iterator[tuple[list[int], list[Segment]]]:
    """Stays, or parts of long ones, that are looked at together."""
    numbers: list[int] = []
    steps: list[Segment] = []
    count = 0
    for number, segment in enumerate(segments):
        if not chosen(segment.structure):
            continue
        for first in range(0, len(segment.times), BATCH):
            part = segment
            if len(segment.times) > BATCH:
                rows = slice(first, first + BATCH)
                part = Segment(
                    structure=segment.structure, times=segment.times[rows], coefficients=segment.coefficients[rows]
                )
            numbers.append(number)
            steps.append(part)
            count += len(part.times)
            if count >= BATCH:
                yield numbers, steps
                numbers, steps, count = [], [], 0
    if steps:
        yield numbers, steps


def _of_batch(
    batch: Segment,
    owners: Indices,
    margins: Margins,
    slack: float,
    parts: int,
    suspect: Callable[[Array, Array], NDArray[np.bool_]] | None,
    was_below: dict[int, NDArray[np.bool_]],
) -> list[Crossing]:
    begins, lengths = batch.times[:, 0], batch.times[:, 1]
    rows = np.arange(len(begins))
    if suspect is not None:
        rows = np.flatnonzero(suspect(batch.coefficients, lengths))
        if not len(rows):
            return []
    places = np.linspace(0.0, 1.0, parts + 1)
    h = lengths[rows, np.newaxis] * places
    # What jumps at the end of a stay, as a force does where a stop begins to act, belongs to the next one.
    ends = np.append(owners[1:] != owners[:-1], True)[rows]
    h[ends, -1] *= SHORT
    taken = np.repeat(rows, parts + 1)
    found = margins(values(batch.coefficients[taken], h.ravel()))
    g = found.reshape(len(rows), parts + 1, -1)
    below = g < -slack
    if not below.any():
        return []
    least = g.min(axis=(0, 1))
    made: list[Crossing] = []
    # Between two moments of a step: the zero is searched for.
    step, at, item = np.nonzero(below[:, 1:] & ~below[:, :-1])
    if len(step):
        low, high = h[step, at].copy(), h[step, at + 1].copy()
        coefficients = batch.coefficients[rows[step]]
        for _ in range(HALVINGS):
            middle = 0.5 * (low + high)
            value = margins(values(coefficients, middle))[np.arange(len(step)), item]
            falls = value < 0.0
            high, low = np.where(falls, middle, high), np.where(falls, low, middle)
        made += [
            Crossing(item=int(which), time=float(time), stay=int(owners[one]), least=float(least[which]))
            for one, time, which in zip(rows[step], begins[rows[step]] + high, item, strict=True)
        ]
    # At the beginning of a stay: what was below zero already when the stay before it ended is not told again.
    own = owners[rows]
    first = np.flatnonzero((rows == 0) | (owners[rows - 1] != own))
    last = dict(zip(own.tolist(), range(len(rows)), strict=True))
    for place in first[below[first, 0].any(axis=1)].tolist():
        stay, time = int(own[place]), float(begins[rows[place]])
        if stay in was_below:
            continue  # a part of a long stay
        before = below[last[stay - 1], -1] if stay - 1 in last else was_below.get(stay - 1)
        fresh = below[place, 0] if before is None else below[place, 0] & ~before
        made += [
            Crossing(item=int(which), time=time, stay=stay, least=float(least[which]))
            for which in np.flatnonzero(fresh)
        ]
    was_below |= {stay: below[place, -1] for stay, place in last.items()}
    return made
