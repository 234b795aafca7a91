"""How emulated drives follow a table, as an SVG picture: positions over those of the table, and the difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language
from sistel.views.charts._panels import Line, Panel, TimeChart
from sistel.views.text._numbers import clean, unit

if TYPE_CHECKING:
    from sistel.drives import Emulation

LOOKS = 1200
"""Times at equal distances that are drawn."""


def draw_tracking(emulated: Emulation, name: str, lang: Language) -> str:
    """Panels of positions and differences, one pair for turns and one for slides."""
    return _TrackingChart(emulated, name, lang).svg()


class _TrackingChart(TimeChart):
    """Panels of drives on the paper of runs."""

    def __init__(self, emulated: Emulation, name: str, lang: Language) -> None:
        t = emulated.times
        super().__init__(name, float(t[0]), float(t[-1]), lang)
        self.emulated = emulated
        chosen = np.unique(np.linspace(0, len(t) - 1, min(LOOKS, len(t))).astype(int))
        self.t = t[chosen]
        made, wanted = emulated.positions[chosen], emulated.wanted[chosen]
        self.panels = []
        for i, axis in enumerate(emulated.plan.axes):
            size, word = (1e3, unit("mm", lang)) if axis.drive.slides else (180.0 / np.pi, "°")
            joint = clean(axis.drive.joint)
            self.panels += [
                Panel(
                    f"{joint}, {word}",
                    [
                        Line(self.say("table", "таблица"), size * wanted[:, i]),
                        Line(self.say("drive", "привод"), size * made[:, i]),
                    ],
                ),
                Panel(
                    f"{joint}: {self.say('drive − table', 'привод − таблица')}, {word}",
                    [Line("", size * (made - wanted)[:, i])],
                ),
            ]

    def heading(self) -> str:
        """Family, drives and rows in a line."""
        plan = self.emulated.plan
        rows = len(plan.table.times)
        return " · ".join(
            (
                plan.family.title.say(self.lang),
                self.say(f"{len(plan.axes)} drives", f"приводов: {len(plan.axes)}"),
                self.say(f"{rows} rows", f"строк: {rows}"),
            )
        )
