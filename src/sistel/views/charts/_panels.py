"""Panels of curves over time, one below the other, on one sheet: what pictures of runs and of travels share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from copy import copy
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language
from sistel.model.joints import CoordinateKind
from sistel.records import entry
from sistel.views.charts._curves import thin
from sistel.views.charts._style import PRINTED, STYLE
from sistel.views.charts.chart import Axis, Frame, axis, curve, cut, sheet, text, width_of
from sistel.views.text._numbers import clean, unit

if TYPE_CHECKING:
    from sistel.arrays import Array

WIDTH, LEFT, RIGHT = 960.0, 78.0, 176.0
"""Of the picture, and of what stands beside the curves [px]."""
INNER = WIDTH - LEFT - RIGHT
"""Width of the curves [px]."""
TALL, GAP = 148.0, 40.0
"""Height of a panel, and room between two [px]."""
LANE = 24.0
"""Height of the lane of structures [px]."""
MOST_LINES = 6
"""Curves in one panel."""
UNLIKE = 7.0
"""How many times wider than a curve alone a panel may become by curves that it joins."""
LABEL = 15.0
"""Distance of the names of curves [px]."""
LONGEST, LONGEST_PRINTED = 22, 17
"""Letters of the name of a curve, on screens and on paper, where letters are larger."""


@entry
class Line:
    """A curve: its name, and its values [unit of the panel]."""

    name: str
    values: Array
    colour: int | None = None
    """Its place among the colours; that in its panel unless told otherwise."""


@entry
class Panel:
    """Curves that share an axis."""

    title: str
    lines: list[Line]

    @property
    def height(self) -> float:
        """Room for the curves and for their names [px]."""
        return max(TALL, LABEL * len(self.lines) + 16)


class TimeChart(ABC):
    """A sheet of panels; what is in them, and what stands above and behind them, is said elsewhere."""

    def __init__(self, name: str, begin: float, end: float, lang: Language) -> None:
        """Nothing is drawn yet.

        Args:
            name: Of the system.
            begin: The first time [s].
            end: The last time [s].
            lang: Language of the words.
        """
        self.name, self.lang = name, lang
        self.time: Axis = axis(begin, end if end > begin else begin + 1.0, 10, widen=False)
        self.t: Array = np.zeros(0)
        """Times of the points of all curves [s]."""
        self.panels: list[Panel] = []
        self.colours: dict[str, int] = {}
        """Of the structures that the chart tells apart."""
        self.longest = LONGEST
        """Letters of the name of a curve."""
        self.tick = 0.0
        """Of the letters of numbers beside the curves, where they may become smaller [px]."""

    @abstractmethod
    def heading(self) -> str:
        """What stands below the name."""

    def chips(self, y: float) -> tuple[list[str], float]:
        """What colours and marks mean, from a height on; and how much room it takes [px]."""
        return [], 0.0

    def bands(self, lane: float, tops: Sequence[float]) -> list[str]:
        """What lies behind the curves."""
        return []

    def marks(self, lane: float, tops: Sequence[float]) -> list[str]:
        """What happened at some times."""
        return []

    def say(self, en: str, ru: str) -> str:
        """Words in the language of the chart."""
        return ru if self.lang == "ru" else en

    def place(self, t: float) -> float:
        """Where a time is [px]."""
        return LEFT + (t - self.time.low) / (self.time.high - self.time.low) * INNER

    def together(self, values: list[Array]) -> list[list[int]]:
        """Which curves share a panel: not too many, and none that would be flattened by others."""
        panels: list[list[int]] = []
        ranges: list[tuple[float, float]] = []
        spans = [float(np.ptp(value)) for value in values]
        for i, value in enumerate(values):
            low, high = float(value.min()), float(value.max())
            for panel, (least, most) in enumerate(ranges):
                wide = max(most, high) - min(least, low)
                small = [spans[j] for j in (*panels[panel], i) if spans[j] > 1e-9 * wide]
                if wide <= UNLIKE * min(small, default=wide):
                    panels[panel].append(i)
                    ranges[panel] = min(least, low), max(most, high)
                    break
            else:
                panels.append([i])
                ranges.append((low, high))
        made = []
        for chosen in panels:
            parts = math.ceil(len(chosen) / MOST_LINES)
            each = math.ceil(len(chosen) / parts)
            made += [chosen[k : k + each] for k in range(0, len(chosen), each)]
        return made

    def scale(self, kind: CoordinateKind, values: Array) -> tuple[float, str]:
        """The unit that suits values of a kind, as a factor and a word."""
        if kind == "turn":
            return 180.0 / math.pi, "°"
        if kind != "slide":
            return 1.0, ""
        if np.abs(values).max(initial=0.0) < 1.0:
            return 1000.0, unit("mm", self.lang)
        return 1.0, unit("m", self.lang)

    def svg(self) -> str:
        """The text of the picture."""
        name = (text("name", LEFT, 32, cut(clean(self.name), 70)), text("dim", LEFT, 52, self.heading()))
        return self._drawn(66.0, name, STYLE)

    def printed(self, tallest: float) -> Iterator[str]:
        """The same on sheets of paper, without its name: as many panels on each as a height [px] has room for."""
        group: list[Panel] = []
        height = 0.0
        for panel in (*self.panels, None):
            if panel is None or (group and height + panel.height + GAP > tallest):
                made = copy(self)
                made.panels, made.longest, made.tick = group, LONGEST_PRINTED, 13.0
                if group:
                    yield made._drawn(8.0, (), PRINTED)
                group, height = [], 0.0
            if panel is not None:
                group.append(panel)
                height += panel.height + GAP

    def _drawn(self, top: float, above: Sequence[str], style: str) -> str:
        """A picture of the panels, from a height on, below what stands above."""
        chips, chips_height = self.chips(top)
        lane = top + chips_height
        tops, y = [], lane + (LANE + 40.0 if self.colours else 26.0)
        for panel in self.panels:
            tops.append(y)
            y += panel.height + GAP
        bottom = y - GAP
        return sheet(
            (
                *above,
                *chips,
                *self.bands(lane, tops),
                *self.marks(lane, tops),
                *(part for panel, top in zip(self.panels, tops, strict=True) for part in self.panel(panel, top)),
                *self.times(bottom),
            ),
            kind="sistel-plot",
            width=WIDTH,
            height=bottom + 46.0,
            name=f"{self.say('Run', 'Расчёт')}: {clean(self.name)}",
            style=style,
            lang=self.lang,
        )

    def panel(self, panel: Panel, top: float) -> list[str]:
        """The curves of a panel, with its axes and names."""
        low = min(float(line.values.min()) for line in panel.lines)
        high = max(float(line.values.max()) for line in panel.lines)
        frame = self.frame(axis(low, high, int(panel.height // 24)), top, panel.height)
        size = panel.height / (frame.y.high - frame.y.low)
        x = LEFT + (self.t - self.time.low) / (self.time.high - self.time.low) * INNER
        made = [text("title", LEFT, top - 8, cut(panel.title, 100)), *frame.grid(), *frame.numbers_beside(self.tick)]
        ends: list[float] = []
        for i, line in enumerate(panel.lines):
            y = top + panel.height - (line.values - frame.y.low) * size
            kept = thin(x, y)
            ends.append(float(y[-1]))
            told = f"<title>{escape(line.name)}</title>" if line.name else ""
            hue = i if line.colour is None else line.colour
            made.append(f'<path class="line c{hue}" d="{curve(x[kept], y[kept])}">{told}</path>')
        return [*made, *self.names(panel, top, ends)]

    def frame(self, across: Axis, top: float, height: float) -> Frame:
        """Time to the right, the values of a panel upward."""
        return Frame(left=LEFT, top=top, width=INNER, height=height, x=self.time, y=across)

    def names(self, panel: Panel, top: float, ends: Sequence[float]) -> list[str]:
        """Names beside the ends of their curves, moved apart where they would overlap."""
        made = []
        x = WIDTH - RIGHT
        for (i, line), y in zip(enumerate(panel.lines), apart(ends, top + 4, top + panel.height - 2), strict=True):
            if not line.name:
                continue
            said, hue = self.label(line.name), i if line.colour is None else line.colour
            lead = f"M{x:.0f} {ends[i]:.1f}L{x + 12:.0f} {y:.1f}h8"
            made.append(
                f'<g><title>{escape(line.name)}</title><path class="lead c{hue}" d="{lead}"/>'
                f'<text class="small c{hue}" x="{x + 24:.0f}" y="{y + 4:.1f}">{escape(said)}</text></g>'
            )
        return made

    def label(self, name: str) -> str:
        """The name of a curve, as far as there is room: on paper letters are larger, and wide ones count more."""
        said = cut(name, self.longest)
        while self.longest == LONGEST_PRINTED and len(said) > 4 and width_of(said, 14.0) > RIGHT - 26.0:
            said = cut(name, len(said) - 1)
        return said

    def times(self, bottom: float) -> list[str]:
        """Round times below the last panel."""
        word = f"{self.say('time', 'время')}, {unit('s', self.lang)}"
        below = self.frame(self.time, bottom, 0.0).numbers_below()
        return [*below, text("title middle", LEFT + INNER / 2, bottom + 37, word)]


def apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Places [px] near those wanted, at least `LABEL` apart where there is room, in the same order."""
    order = sorted(range(len(wanted)), key=lambda i: (wanted[i], i))
    step = min(LABEL, (high - low) / max(1, len(order) - 1)) if len(order) > 1 else LABEL
    places = [min(max(wanted[i], low), high) for i in order]
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + step)
    if places and places[-1] > high:
        places[-1] = high
        for k in range(len(places) - 2, -1, -1):
            places[k] = min(places[k], places[k + 1] - step)
    found = [0.0] * len(order)
    for place, i in zip(places, order, strict=True):
        found[i] = place
    return found
