"""What can be said of many runs in few numbers, gathered while they are done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import TypeVar

import numpy as np

from sistel import shown
from sistel.ensembles._part import GOOD, OUTCOMES, Part
from sistel.errors import Text
from sistel.records import entry


@entry
class Summary:
    """Counts of runs; those of two groups merge into those of both, in any order.

    Attributes:
        runs: How many.
        outcomes: By how they ended, see `OUTCOMES`.
        structures: By the structure in which they ended.
        events: By the number of their events.
        steps: Of all runs together.
    """

    runs: int = 0
    outcomes: Mapping[int, int] = field(default_factory=dict)
    structures: Mapping[str, int] = field(default_factory=dict)
    events: Mapping[int, int] = field(default_factory=dict)
    steps: int = 0

    @staticmethod
    def of(part: Part) -> Summary:
        """That of some runs."""
        done = part.outcome != 0
        numbers, counts = np.unique(part.structure[part.structure >= 0], return_counts=True)
        return Summary(
            runs=int(done.sum()),
            outcomes=_counts(part.outcome[done].tolist()),
            structures={part.structures[i]: int(n) for i, n in zip(numbers, counts, strict=True)},
            events=_counts(part.events[done].tolist()),
            steps=int(part.steps.sum(dtype=np.int64)),
        )

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            runs=self.runs + other.runs,
            outcomes=_added(self.outcomes, other.outcomes),
            structures=_added(self.structures, other.structures),
            events=_added(self.events, other.events),
            steps=self.steps + other.steps,
        )

    @property
    def failed(self) -> int:
        """How many ended by what is no end."""
        return sum(count for outcome, count in self.outcomes.items() if outcome not in GOOD)

    def words(self) -> list[tuple[Text, int]]:
        """How runs ended, in words, the most frequent first."""
        rows = sorted(self.outcomes.items(), key=lambda row: (-row[1], row[0]))
        return [(OUTCOMES[outcome], count) for outcome, count in rows]

    def _repr_html_(self) -> str:
        return shown.html(self)


def _counts(values: Iterable[int]) -> dict[int, int]:
    numbers, counts = np.unique(np.fromiter(values, dtype=np.int64), return_counts=True)
    return {int(number): int(count) for number, count in zip(numbers, counts, strict=True)}


_K = TypeVar("_K", bound="int | str")


def _added(first: Mapping[_K, int], second: Mapping[_K, int]) -> dict[_K, int]:
    keys = sorted({*first, *second}, key=lambda key: (isinstance(key, str), key))
    return {key: first.get(key, 0) + second.get(key, 0) for key in keys}
