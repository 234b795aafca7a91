"""A run as a figure of matplotlib: the panels, bands and marks of the SVG picture, for articles and further work."""

from __future__ import annotations

import math
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sistel.errors import Diagnostic, Language, SistelError, Text
from sistel.look import COORDINATES, STRUCTURES, colour
from sistel.views.charts._panels import INNER, LEFT
from sistel.views.charts._run_plot import FEW_MARKS, RunChart
from sistel.views.charts.chart import cut
from sistel.views.text._numbers import clean, unit
from sistel.views.text._runs import strikes

if TYPE_CHECKING:
    from types import ModuleType

    from sistel.simulation import Run

Drawn = Any
"""A figure of matplotlib, or axes in it: nothing here depends on the package being there."""

WIDTH, TALL, LANE = 8.8, 1.5, 0.2
"""Of the figure, of a panel and of the lane of structures [in]."""
LEFT_EDGE, RIGHT_EDGE, HEAD, FOOT, GAP = 0.85, 1.6, 0.5, 0.55, 0.36
"""Room beside the panels, above, below and between them [in]."""
LETTERS = 104
"""Of names of structures in a line."""
INK, DIM, GRID, HIT, MANY = map(colour, ("ink", "dim", "line", "bad", "edge"))
MOST_NAMES = 8
"""Structures in the legend."""


def figure_of(run: Run, quantities: Sequence[str], lang: Language) -> Drawn:
    """As `views.figure_run`."""
    try:
        figures, patches = import_module("matplotlib.figure"), import_module("matplotlib.patches")
    except ImportError:
        message = Text("this backend needs the package matplotlib", "для этого нужен пакет matplotlib")
        hint = Text("pip install 'sistel[plots]'", "pip install 'sistel[plots]'")
        raise SistelError([Diagnostic("no-matplotlib", "error", message, hint=hint)]) from None
    plot = RunChart(run, tuple(quantities), lang)
    return _Figure(plot, figures, patches).made()


class _Figure:
    """Texts are given without signs that matplotlib would take for formulas."""

    def __init__(self, plot: RunChart, figures: ModuleType, patches: ModuleType) -> None:
        self.plot, self.patches = plot, patches
        heights = [TALL * panel.height / 148.0 for panel in plot.panels]
        names = [cut(plot.named(name), 40) for name in list(plot.colours)[:MOST_NAMES]]
        longest = max((len(name) for name in names), default=1)
        self.columns = max(1, min(4, len(names), int(LETTERS // (longest + 5))))
        rows = math.ceil((len(names) + (len(plot.colours) > MOST_NAMES)) / self.columns)
        top = HEAD + (0.17 * rows + LANE + 0.24 if plot.colours else 0.06)
        tall = top + sum(heights) + GAP * len(heights) + FOOT
        # Not by pyplot, which keeps every figure and may open windows; and laid out here, so that the panels of all
        # figures have the same width, however long the names beside them are.
        self.figure = figures.Figure(figsize=(WIDTH, tall))
        box = (LEFT_EDGE / WIDTH, (WIDTH - LEFT_EDGE - RIGHT_EDGE) / WIDTH)
        self.lane: Drawn = None
        self.panels: list[Drawn] = []
        y = tall - top + 0.06
        if plot.colours:
            self.lane = self.figure.add_axes((box[0], y / tall, box[1], LANE / tall))
        y = tall - top
        for height in heights:
            y -= GAP + height
            shared = self.panels[0] if self.panels else self.lane
            self.panels.append(self.figure.add_axes((box[0], y / tall, box[1], height / tall), sharex=shared))
        self.tall = tall

    def made(self) -> Drawn:
        plot, run = self.plot, self.plot.run
        for axes, panel in zip(self.panels, plot.panels, strict=True):
            axes.set_title(_plain(cut(panel.title, 100)), loc="left", fontsize=9.5, fontweight="bold", color=INK)
            for i, line in enumerate(panel.lines):
                label = _plain(cut(line.name, 22)) if line.name else "_nolegend_"
                axes.plot(
                    plot.t, line.values, color=colour(COORDINATES[i % len(COORDINATES)]), linewidth=1.3, label=label
                )
            if any(line.name for line in panel.lines):
                axes.legend(loc="center left", bbox_to_anchor=(1.005, 0.5), fontsize=8, frameon=False)
            self.dress(axes)
        self.bands()
        self.marks()
        last = self.panels[-1]
        for axes in self.panels[:-1]:
            axes.tick_params(labelbottom=False)
        last.set_xlim(plot.time.low, plot.time.high)
        last.set_xlabel(f"{plot.say('time', 'время')}, {unit('s', plot.lang)}", fontsize=9, color=INK)
        title = f"{_plain(cut(clean(run.model.name), 70))}\n{_plain(plot.heading())}"
        self.figure.suptitle(
            title, x=LEFT_EDGE / WIDTH, y=1 - 0.1 / self.tall, ha="left", va="top", fontsize=10.5, color=INK
        )
        return self.figure

    def dress(self, axes: Drawn) -> None:
        axes.grid(True, color=GRID, linewidth=0.7)
        axes.set_axisbelow(True)
        axes.tick_params(labelsize=8, colors=DIM)
        for spine in axes.spines.values():
            spine.set_color(GRID)
            spine.set_linewidth(0.8)

    def time(self, x: float) -> float:
        """The time at a place of the SVG picture [s]."""
        axis = self.plot.time
        return axis.low + (x - LEFT) / INNER * (axis.high - axis.low)

    def bands(self) -> None:
        """Structures as colours behind the curves, and with their names in a lane."""
        plot = self.plot
        if self.lane is None:
            return
        self.lane.set_yticks([])
        self.lane.tick_params(labelbottom=False, bottom=False)
        for spine in self.lane.spines.values():
            spine.set_visible(False)
        for low, high, name in plot.stays():
            tint = MANY if name is None else colour(STRUCTURES[plot.colours[name]])
            begin, end = self.time(low), self.time(high)
            self.lane.axvspan(begin, end, color=tint, alpha=0.38, linewidth=0)
            for axes in self.panels:
                axes.axvspan(begin, end, color=tint, alpha=0.10, linewidth=0, zorder=0)
        names = list(plot.colours.items())
        handles = [
            self.patches.Patch(
                facecolor=colour(STRUCTURES[number]), alpha=0.55, label=_plain(cut(plot.named(name), 40))
            )
            for name, number in names[:MOST_NAMES]
        ]
        if len(names) > MOST_NAMES:
            more = len(names) - MOST_NAMES
            word = plot.say(f"… and {more} more", f"… и ещё {more}")
            handles.append(self.patches.Patch(facecolor="none", label=word))
        self.lane.legend(
            handles=handles,
            loc="lower left",
            bbox_to_anchor=(-0.01, 1.0),
            ncols=self.columns,
            fontsize=8,
            frameon=False,
            borderaxespad=0.1,
        )

    def marks(self) -> None:
        """Events: lines through the panels, and tips above them, full where something strikes."""
        groups = self.plot.grouped()
        top = self.lane if self.lane is not None else self.panels[0]
        for x, events in groups:
            time, hit = self.time(x), any(map(strikes, events))
            if len(groups) <= FEW_MARKS:
                for axes in self.panels:
                    axes.axvline(time, color=INK, alpha=0.3, linewidth=0.7, linestyle=(0, (3, 3)))
            top.plot(
                [time],
                [0.0],
                transform=top.get_xaxis_transform(),
                marker="v",
                markersize=5,
                color=HIT if hit else INK,
                markerfacecolor=HIT if hit else "white",
                clip_on=False,
                linestyle="none",
            )


def _plain(text: str) -> str:
    """A text that is no formula, and that the layout of figures does not hide."""
    return text.replace("\\", "\\\\").replace("$", r"\$").lstrip("_") or " "
