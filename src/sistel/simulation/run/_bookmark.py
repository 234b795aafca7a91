"""Where a run can be taken up again, to the bit as if it had never ended.

Steps depend on more than the state: on functions that start at zero, on the sides of comparisons, on the steps before.
All of it is kept wherever machine code was asked to go on: at the beginning of a run, and after some thousand steps at
most. From there the steps up to the end of the run, which has cut the last one, are taken anew.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import entry, record
from sistel.simulation.run._segments import Event, Segment, part
from sistel.simulation.run._warnings import RunWarning, Warnings

if TYPE_CHECKING:
    from sistel.arrays import AnyArray, Array

    Inside = Mapping[str, AnyArray]
    """What a method knows within a structure besides the state, by names of its own."""

WHOLE = ("zeros", "at once", "signs", "leaving")
"""What of it are integers."""


@record
class Bookmark:
    """A place in a run."""

    structure: str
    y: Array
    """The state, the time last."""
    steps: int
    """Steps of the run before, those that are kept."""
    events: int
    """Events before."""
    walked: int
    """Steps that machine code has taken."""
    stiff: tuple[str, ...]
    """Structures that have turned out to be stiff."""
    moment: float
    """When the last event was, of those that Python has made [s]."""
    at_once: int
    """Such events at that instant."""
    inside: Inside | None
    """None where the structure is about to be entered."""

    @property
    def time(self) -> float:
        """When it is [s]."""
        return float(self.y[-1])

    @property
    def nbytes(self) -> int:
        """What it takes [bytes]."""
        own = int(self.y.nbytes) + 256
        return own if self.inside is None else own + sum(128 + array.nbytes for array in self.inside.values())


@entry
class Book:
    """The bookmarks of a run, in order."""

    marks: Sequence[Bookmark] = ()
    keep: bool = True
    """Whether steps are kept."""

    def before(self, t: float) -> int | None:
        """The number of the last bookmark that is not later than a time; None where there is none."""
        place = bisect_right(self.marks, t, key=lambda mark: mark.time)
        return place - 1 if place else None


@record
class Past:
    """What a run goes on with: everything before a bookmark."""

    mark: Bookmark
    marks: Sequence[Bookmark]
    """Those before it."""
    segments: Sequence[Segment]
    events: Sequence[Event]
    warnings: Sequence[RunWarning] = ()


def past_of(
    book: Book, number: int, segments: Sequence[Segment], events: Sequence[Event], warnings: Warnings | None = None
) -> Past:
    """What is before a bookmark of a run."""
    mark = book.marks[number]
    left, kept = mark.steps, list[Segment]()
    for segment in segments:
        if left <= 0:
            break
        kept.append(segment if len(segment.times) <= left else part(segment, slice(None, left)))
        left -= len(segment.times)
    seen = () if warnings is None else warnings.until(float(mark.y[-1]))
    return Past(mark=mark, marks=book.marks[:number], segments=kept, events=events[: mark.events], warnings=seen)


def to_arrays(book: Book) -> dict[str, AnyArray]:
    """Bookmarks as arrays, for a file: numbers that all of them have, and what is inside, end to end."""
    marks = book.marks
    made: dict[str, AnyArray] = {
        "marks_y": np.array([mark.y for mark in marks]),
        "marks_counts": np.array([[m.steps, m.events, m.walked, m.at_once] for m in marks], dtype=np.int64),
        "marks_moment": np.array([mark.moment for mark in marks]),
        "marks_structure": np.array([mark.structure for mark in marks]),
        "marks_stiff": np.array(["\n".join(mark.stiff) for mark in marks]),
    }
    insides = [{} if mark.inside is None else mark.inside for mark in marks]
    for name in sorted({name for inside in insides for name in inside}):
        pieces = [inside.get(name, np.zeros(0)) for inside in insides]
        kind = np.int64 if name in WHOLE else np.float64
        made[f"marks_in_{name}"] = np.concatenate(pieces).astype(kind)
        made[f"marks_size_{name}"] = np.array(
            [len(inside.get(name, ())) if name in inside else -1 for inside in insides]
        )
    return made


def from_arrays(archive: Mapping[str, AnyArray], keep: bool) -> Book:
    """Bookmarks of a file."""
    if "marks_y" not in archive:
        return Book(keep=keep)
    states, counts, moments = archive["marks_y"], archive["marks_counts"], archive["marks_moment"]
    structures, stiff = archive["marks_structure"].tolist(), archive["marks_stiff"].tolist()
    insides: list[dict[str, AnyArray]] = [{} for _ in structures]
    for key in archive:
        if not key.startswith("marks_size_"):
            continue
        name, sizes = key.removeprefix("marks_size_"), archive[key]
        whole, edges = archive[f"marks_in_{name}"], np.concatenate([[0], np.cumsum(np.maximum(sizes, 0))])
        for inside, size, (i, j) in zip(insides, sizes, pairwise(edges.tolist()), strict=True):
            if size >= 0:
                inside[name] = whole[i:j]
    marks = [
        Bookmark(
            structure=structures[i],
            y=states[i],
            steps=int(counts[i, 0]),
            events=int(counts[i, 1]),
            walked=int(counts[i, 2]),
            at_once=int(counts[i, 3]),
            moment=float(moments[i]),
            stiff=tuple(stiff[i].split("\n")) if stiff[i] else (),
            inside=insides[i] or None,
        )
        for i in range(len(structures))
    ]
    return Book(marks, keep)
