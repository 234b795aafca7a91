"""A travel of an arm as an SVG picture: joints, driving forces, power and tool over time, crossings as marks."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language
from sistel.views.charts._panels import INNER, LEFT, MOST_LINES, Line, Panel, TimeChart
from sistel.views.charts.chart import tip
from sistel.views.text._numbers import clean, short, unit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.arms import Travel
    from sistel.arrays import Array


LOOKS = 400
"""Times at equal distances that are drawn."""


def plot_travel(travel: Travel, lang: Language) -> str:
    """As `views.draw_travel`, which is apart from this because reading a description needs no numerics."""
    return _TravelChart(travel, lang).svg()


class _TravelChart(TimeChart):
    """The panels of a travel on the paper of runs."""

    def __init__(self, travel: Travel, lang: Language) -> None:
        begin, end = float(travel.t[0]), float(travel.t[-1])
        super().__init__(travel.run.model.name, begin, end, lang)
        self.travel, motion = travel, travel.motion
        looks = np.unique(np.concatenate([np.linspace(begin, end, LOOKS + 1), motion.knots]))
        looks = looks[(looks >= begin) & (looks <= end)]
        # Both sides of every time: accelerations and forces may jump.
        self.t = np.repeat(looks, 2)
        sides = np.maximum(np.nextafter(looks, -np.inf), begin)
        at = np.stack([sides, looks], axis=1).ravel()
        self.q, self.v, self.a = motion(at)
        self.forces = np.stack([travel.forces(looks, before=True), travel.forces(looks)], axis=1).reshape(len(at), -1)
        self.panels = self.travel_panels()

    def heading(self) -> str:
        """Rows, tool and load in a line."""
        travel = self.travel
        words = [
            f"{short(float(travel.t[-1] - travel.t[0]), 9)} {unit('s', self.lang)}",
            self.say(f"tool: {clean(travel.frame)}", f"инструмент: {clean(travel.frame)}"),
        ]
        if travel.payload is not None:
            words.append(f"{self.say('load', 'груз')}: {short(travel.payload.mass)} {unit('kg', self.lang)}")
        if travel.applied:
            words.append(self.say("with friction and springs", "с трением и пружинами"))
        return " · ".join(words)

    def travel_panels(self) -> list[Panel]:
        travel, kinds = self.travel, self.travel.model.rate_kinds
        second = unit("s", self.lang)
        made: list[Panel] = []
        groups = (
            (self.say("Positions", "Положения"), self.q, ""),
            (self.say("Velocities", "Скорости"), self.v, f"/{second}"),
            (self.say("Accelerations", "Ускорения"), self.a, f"/{second}²"),
        )
        for title, values, per in groups:
            for kind in dict.fromkeys(kinds):
                chosen = [i for i, each in enumerate(kinds) if each == kind]
                size, word = self.scale(kind, values[:, chosen])
                made += self.joints(title, f"{word}{per}", size * values, chosen)
        forces = self.say("Driving forces", "Движущие силы")
        for kind, word in (("turn", self.say("N·m", "Н·м")), ("slide", self.say("N", "Н"))):
            chosen = [i for i, each in enumerate(kinds) if each == kind]
            if chosen:
                made += self.joints(forces, word, self.forces, chosen)
        made.append(
            Panel(
                f"{self.say('Power', 'Мощность')}, {self.say('W', 'Вт')}",
                [Line("", (self.forces * self.v).sum(axis=1))],
            )
        )
        places = travel.arm.pose(self.q, travel.frame)[:, :3, 3]
        size, word = (1e3, "mm") if np.abs(places).max() < 1.0 else (1.0, "m")
        lines = [Line(axis, size * places[:, i]) for i, axis in enumerate("xyz")]
        made.append(Panel(f"{self.say('Tool', 'Инструмент')}, {unit(word, self.lang)}", lines))
        return made

    def joints(self, title: str, word: str, values: Array, chosen: list[int]) -> list[Panel]:
        names = self.travel.model.rate_names
        # A joint has its colour in every panel, unless there are more joints than colours.
        few = len(names) <= MOST_LINES
        return [
            Panel(
                f"{title}, {word}",
                [Line(clean(names[chosen[i]]), values[:, chosen[i]], chosen[i] if few else None) for i in together],
            )
            for together in self.together([values[:, i] for i in chosen])
        ]

    def marks(self, lane: float, tops: Sequence[float]) -> list[str]:
        """Limits and singular postures: a tip, and a thin line through the panels."""
        made = []
        for each in self.travel.crossings[:60]:
            x = self.place(each.time)
            if not (math.isfinite(x) and LEFT - 1.0 <= x <= LEFT + INNER + 1.0):
                continue
            path = "".join(f"M{x:.2f} {top:.0f}v{p.height:.0f}" for p, top in zip(self.panels, tops, strict=True))
            style = "mark" if each.quantity == "singularity" else "mark hit"
            told = escape(clean(each.say(self.lang)))
            made.append(
                f'<g><title>{told}</title><path class="when" d="{path}"/>'
                f'<path class="{style}" d="{tip(x, tops[0] - 28.0)}"/></g>'
            )
        return made
