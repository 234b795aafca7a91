"""Runs sorted into colours: by how or where they ended, by their sequence of structures, or by a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.ensembles import _batch_loop as m
from sistel.ensembles._part import GOOD, OUTCOMES, Part
from sistel.errors import Language, Text
from sistel.records import entry
from sistel.views.charts.palette import FAILED, GOAL, KINDS, MISSING, OTHER, Colour, ramp, shades, table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array, Flags


BINS = (1, 2, 3, 4, 6, 10)
"""Numbers of events from which on a shade is darker."""
STEPS = 200
"""Colours of numbers."""
WORDS = 4
"""Parts of a sequence that are spelt out."""
FEW = 12
"""Whole numbers up to which each has a colour of its own."""


@entry
class Key:
    """What some colours mean."""

    label: str
    marks: tuple[str, ...]
    """What each of the colours means, where they are several."""
    share: float
    """Part of all runs."""
    colours: tuple[int, ...]
    """Their numbers, from light to dark."""


@entry
class Scale:
    """What a row of colours means."""

    label: str
    first: int
    """Number of the first colour."""
    count: int
    low: float
    high: float


@entry
class Sorted:
    """Every run in a colour."""

    cells: NDArray[np.uint8]
    colours: NDArray[np.uint8]
    keys: tuple[Key, ...]
    scale: Scale | None = None


class _Book:
    """Collects colours and what they mean."""

    def __init__(self, count: int) -> None:
        self.cells = np.zeros(count, dtype=np.uint8)
        self.colours: list[Colour] = []
        self.keys: list[Key] = []

    def add(self, label: str, where: Flags, colour: Colour) -> None:
        """One colour for some runs."""
        if where.any():
            self.cells[where] = len(self.colours)
            self.keys.append(Key(label, (), float(where.mean()), (len(self.colours),)))
            self.colours.append(colour)

    def shaded(self, label: str, where: Flags, events: NDArray[np.int32], colour: Colour) -> None:
        """Shades of a colour for some runs, darker for more events."""
        if not where.any():
            return
        places = np.digitize(events, BINS[1:])
        used = np.unique(places[where])
        first, made = len(self.colours), shades(colour, len(used))
        for k, place in enumerate(used):
            self.cells[where & (places == place)] = first + k
        self.colours += made
        marks = tuple(_bin(int(place)) for place in used) if len(used) > 1 else ()
        self.keys.append(Key(label, marks, float(where.mean()), tuple(range(first, first + len(used)))))

    def failures(self, part: Part, lang: Language) -> None:
        """Runs that failed or were not done."""
        bad = [int(outcome) for outcome in np.unique(part.outcome) if outcome not in (*GOOD, m.NOT_RUN)]
        for k, outcome in enumerate(bad):
            self.add(OUTCOMES[outcome].say(lang), part.outcome == outcome, FAILED[k % len(FAILED)])
        self.add(OUTCOMES[m.NOT_RUN].say(lang), part.outcome == m.NOT_RUN, MISSING)

    def sorted(self, scale: Scale | None = None) -> Sorted:
        return Sorted(self.cells, table(self.colours), tuple(self.keys), scale)


def _bin(place: int) -> str:
    low = BINS[place]
    if place + 1 == len(BINS):
        return f"{low}+"
    high = BINS[place + 1] - 1
    return str(low) if high == low else f"{low}–{high}"


def by_end(part: Part, most: int, lang: Language) -> Sorted:
    """By the structure in which runs ended, the darker the more events they had; those with all events apart."""
    book = _Book(len(part))
    full = part.outcome == m.EVENTS
    ended = np.isin(part.outcome, (m.TIME, m.STRUCTURE))
    used = [int(i) for i in np.unique(part.structure[ended])]
    for k, number in enumerate(used):
        name = part.structures[number] if number >= 0 else "?"
        where = ended & (part.structure == number)
        book.shaded(name, where, np.maximum(part.events, 1), KINDS[k % len(KINDS)])
    book.add(Text(f"{most} events", f"событий: {most}").say(lang), full, GOAL)
    book.failures(part, lang)
    return book.sorted()


def by_structure(part: Part, lang: Language) -> Sorted:
    """By the structure in which runs ended."""
    book = _Book(len(part))
    good = np.isin(part.outcome, GOOD)
    for k, number in enumerate(np.unique(part.structure[good])):
        book.add(part.structures[number], good & (part.structure == number), KINDS[k % len(KINDS)])
    book.failures(part, lang)
    return book.sorted()


def by_outcome(part: Part, lang: Language) -> Sorted:
    """By how runs ended."""
    book = _Book(len(part))
    for k, outcome in enumerate(GOOD):
        book.add(OUTCOMES[outcome].say(lang), part.outcome == outcome, KINDS[k])
    book.failures(part, lang)
    return book.sorted()


def by_sequence(part: Part, begin: str, lang: Language) -> Sorted:
    """By the sequence of structures: the most frequent ones have colours of their own."""
    book = _Book(len(part))
    good = np.isin(part.outcome, GOOD)
    patterns, first, counts = np.unique(part.pattern[good], return_index=True, return_counts=True)
    order = np.lexsort((patterns, -counts))
    shown = order if len(order) <= len(KINDS) else order[: len(KINDS) - 1]
    rows = np.flatnonzero(good)
    rest = good.copy()
    for k, place in enumerate(shown):
        where = good & (part.pattern == patterns[place])
        rest &= ~where
        book.add(_spelt(part, int(rows[first[place]]), begin), where, KINDS[k])
    others = len(order) - len(shown)
    book.add(Text(f"{others} other sequences", f"другие последовательности: {others}").say(lang), rest, OTHER)
    book.failures(part, lang)
    return book.sorted()


def _spelt(part: Part, run: int, begin: str) -> str:
    """The structures of a run, with repetitions counted."""
    names = [begin, *(part.passages[i].after for i in part.sequence[run] if i >= 0)]
    left = int(part.events[run]) + 1 - len(names)
    words: list[str] = []
    while names and len(words) < WORDS:
        period, times = max(((p, _repeats(names, p)) for p in (1, 2)), key=lambda found: found[0] * found[1] - found[0])
        group = " → ".join(names[:period])
        words.append(group if times == 1 else f"{group} ×{times}" if period == 1 else f"({group}) ×{times}")
        names = names[period * times :]
    left += len(names)
    return " → ".join([*words, f"… ({left})"] if left > 0 else words)


def _repeats(names: list[str], period: int) -> int:
    """How often the first names follow each other."""
    times = 1
    while names[period * times : period * (times + 1)] == names[:period]:
        times += 1
    return times


def by_number(values: Array, label: str, lang: Language) -> Sorted:
    """By a number: a row of colours from dark to light."""
    book = _Book(len(values))
    finite = np.isfinite(values)
    low, high = (float(values[finite].min()), float(values[finite].max())) if finite.any() else (0.0, 0.0)
    whole = bool((values[finite] == np.floor(values[finite])).all()) and high - low < FEW
    if whole and finite.any():
        numbers = np.unique(values[finite])
        for number, colour in zip(numbers, ramp(max(2, len(numbers))), strict=False):
            book.add(f"{label} {number:g}".strip(), finite & (values == number), colour)
        scale = None
    else:
        span = high - low or 1.0
        places = np.zeros(len(values))
        np.divide(values - low, span, out=places, where=finite)
        book.cells[:] = np.minimum(places * STEPS, STEPS - 1).astype(np.uint8)
        book.colours += ramp(STEPS)
        scale = Scale(label, 0, STEPS, low, high if math.isfinite(high) else low)
    book.add(Text("no value", "нет значения").say(lang), ~finite, MISSING)
    return book.sorted(scale)
