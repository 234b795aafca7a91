"""Curves of any quantities over the same times, as panels of one picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.errors import Language
from sistel.views.charts._panels import MOST_LINES, Line, Panel, TimeChart
from sistel.views.text._numbers import clean

if TYPE_CHECKING:
    from sistel.arrays import Array


class CurveSheet(TimeChart):
    """Panels of curves with their units."""

    def __init__(self, t: Array, groups: Sequence[tuple[str, Sequence[tuple[str, Array]]]], lang: Language) -> None:
        """Nothing is drawn yet.

        Args:
            t: Times of all curves [s].
            groups: The unit of a panel, and its curves by name [that unit].
            lang: Language of the words.
        """
        super().__init__("", float(t[0]), float(t[-1]), lang)
        self.t = t
        for unit, lines in groups:
            for k in range(0, len(lines), MOST_LINES):
                self.panels.append(panel_of(unit, lines[k : k + MOST_LINES]))

    def heading(self) -> str:
        """Nothing: what the curves are stands beside them."""
        return ""


def panel_of(unit: str, lines: Sequence[tuple[str, Array]]) -> Panel:
    """A panel that is called as its only curve, or as the unit of several."""
    if len(lines) == 1:
        name = clean(lines[0][0])
        return Panel(f"{name}, {unit}" if unit else name, [Line("", lines[0][1])])
    return Panel(unit, [Line(clean(name), values) for name, values in lines])
