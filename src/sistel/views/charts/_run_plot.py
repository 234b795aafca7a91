"""A run as an SVG picture: coordinates, velocities and energies over time, structures as bands, events as marks.

One file without scripts or fonts of its own; light or dark as its reader's screen is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language
from sistel.model.joints import CoordinateKind
from sistel.views.charts._curves import Curves, Sampler, sample, thin
from sistel.views.charts._style import COLOURS, STYLE
from sistel.views.charts._ticks import Axis, axis
from sistel.views.graph._svg import _width
from sistel.views.text._numbers import clean, short, unit
from sistel.views.text._runs import push_of, run_heading, strikes, structure_said

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation import Event, Run


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
MOST_MARKS, MOST_BANDS = 400, 600
FEW_MARKS = 60
"""Marks that may have a line through all panels."""
LABEL = 15.0
"""Distance of the names of curves [px]."""


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A curve: its name, and its values [unit of the panel]."""

    name: str
    values: Array
    colour: int | None = None
    """Its place among the colours; that in its panel unless told otherwise."""


@dataclass(frozen=True, slots=True, eq=False)
class _Panel:
    """Curves that share an axis."""

    title: str
    lines: list[_Line]

    @property
    def height(self) -> float:
        return max(TALL, LABEL * len(self.lines) + 16)


def plot_run(run: Run, quantities: Sequence[str], lang: Language) -> str:
    """As `views.draw_run`, which is apart from this because reading a description needs no numerics."""
    return _Plot(run, tuple(quantities), lang).svg()


class _Plot:
    def __init__(self, run: Run, quantities: tuple[str, ...], lang: Language) -> None:
        self.run, self.lang = run, lang
        self.time = axis(run.begin, run.end if run.end > run.begin else run.begin + 1.0, 10, widen=False)
        curves = sample(Sampler(run, quantities), INNER, 3 * TALL)
        self.t = curves.t
        self.x = LEFT + (curves.t - self.time.low) / (self.time.high - self.time.low) * INNER
        self.panels = self.all_panels(curves, quantities)
        self.colours = {name: i % len(COLOURS) for i, name in enumerate(self.structures())}

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def named(self, structure: str) -> str:
        return structure_said(self.run, structure, self.lang)

    def place(self, t: float) -> float:
        """Where a time is [px]."""
        return LEFT + (t - self.time.low) / (self.time.high - self.time.low) * INNER

    # --- what is shown -----------------------------------------------------------------------------------------------

    def structures(self) -> list[str]:
        """Names in the order in which they appear; none where there is but one."""
        names = list(dict.fromkeys((*(segment.structure for segment in self.run.segments), self.run.final_structure)))
        return names if len(names) > 1 or self.run.events else []

    def all_panels(self, curves: Curves, quantities: Sequence[str]) -> list[_Panel]:
        from sistel.views.text._runs import _kinds

        model = self.run.model
        nq, nv = model.nq, model.nv
        made: list[_Panel] = []
        for column, text in enumerate(quantities):
            made.append(_Panel(clean(text), [_Line("", curves.y[:, nq + nv + 2 + column])]))
        groups = (
            (self.say("Coordinates", "Координаты"), model.coordinate_names, _kinds(model), 0, ""),
            (self.say("Velocities", "Скорости"), model.rate_names, model.rate_kinds, nq, f"/{unit('s', self.lang)}"),
        )
        for title, names, kinds, first, per in groups:
            for kind in dict.fromkeys(kinds):
                chosen = [i for i, each in enumerate(kinds) if each == kind]
                for together in self.together([curves.y[:, first + i] for i in chosen]):
                    columns = [first + chosen[i] for i in together]
                    size, word = self.scale(kind, curves.y[:, columns])
                    lines = [_Line(clean(names[i - first]), size * curves.y[:, i]) for i in columns]
                    made.append(_Panel(f"{title}, {word}{per}" if word else title, lines))
        made.append(self.energies(curves.y[:, nq + nv : nq + nv + 2]))
        return made

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

    def energies(self, values: Array) -> _Panel:
        """The potential counts from its lowest value: its zero means nothing, and would flatten the others."""
        kinetic, potential = values[:, 0], values[:, 1] - values[:, 1].min()
        names = (
            self.say("kinetic", "кинетическая"),
            self.say("potential", "потенциальная"),
            self.say("total", "полная"),
        )
        title = self.say("Energy, J (potential from its lowest value)", "Энергия, Дж (потенциальная — от наименьшей)")
        return _Panel(
            title, [_Line(n, v) for n, v in zip(names, (kinetic, potential, kinetic + potential), strict=True)]
        )

    # --- the picture -------------------------------------------------------------------------------------------------

    def svg(self) -> str:
        chips, chips_height = self.chips(66.0)
        lane = 66.0 + chips_height
        first = lane + (LANE + 40.0 if self.colours else 26.0)
        tops, y = [], first
        for panel in self.panels:
            tops.append(y)
            y += panel.height + GAP
        bottom = y - GAP
        height = bottom + 46.0
        name = escape(f"{self.say('Run', 'Расчёт')}: {clean(self.run.model.name)}")
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" class="sistel-plot" role="img" aria-label="{name}" '
                f'lang="{self.lang}" width="{WIDTH:.0f}" height="{height:.0f}" viewBox="0 0 {WIDTH:.0f} {height:.0f}">',
                f"<title>{name}</title>",
                f"<style>{STYLE}</style>",
                f'<rect class="paper" width="{WIDTH:.0f}" height="{height:.0f}"/>',
                f'<text class="name" x="{LEFT:.0f}" y="32">{escape(_cut(clean(self.run.model.name), 70))}</text>',
                f'<text class="dim" x="{LEFT:.0f}" y="52">{escape(self.heading())}</text>',
                *chips,
                *self.bands(lane, tops),
                *self.marks(lane, tops),
                *(part for panel, top in zip(self.panels, tops, strict=True) for part in self.panel(panel, top)),
                *self.times(tops[-1] + self.panels[-1].height),
                "</svg>\n",
            )
        )

    def heading(self) -> str:
        stopped = self.run.stopped
        more = "" if stopped is None else f" · {stopped.say(self.lang)}"
        return run_heading(self.run, self.lang) + more

    def chips(self, y: float) -> tuple[list[str], float]:
        """Names of the structures with their colours, and what the marks mean, in lines."""
        if not self.colours:
            return [], 0.0
        made: list[str] = []
        x, top = LEFT, y + 14
        words = [(f'<rect class="s{colour} chip" y="-10" width="12" height="12" rx="3"/>', self.named(name))
                 for name, colour in list(self.colours.items())[:24]]  # fmt: skip
        hidden = len(self.colours) - len(words)
        if hidden:
            words.append(("", self.say(f"… and {hidden} more", f"… и ещё {hidden}")))
        if any(strikes(event) for event in self.run.events):
            words.append((f'<path class="mark hit" d="{_tip(6.0, -9.0)}"/>', self.say("impact", "удар")))
        if any(not strikes(event) for event in self.run.events):
            words.append((f'<path class="mark" d="{_tip(6.0, -9.0)}"/>', self.say("without impact", "без удара")))
        for shape, word in words:
            word = _cut(word, 44)
            wide = 18 + _width(word, 12.0) + 16
            if x + wide > WIDTH - 20 and x > LEFT:
                x, top = LEFT, top + 20
            label = f'<text class="small" x="18">{escape(word)}</text>'
            made.append(f'<g transform="translate({x:.1f} {top:.1f})">{shape}{label}</g>')
            x += wide
        return made, top + 14 - y

    def stays(self) -> list[tuple[float, float, str | None]]:
        """Bands [px] of the structures; where they are too narrow to be seen, of many at once."""
        ends = [*(segment.begin for segment in self.run.segments[1:]), self.run.end]
        bands: list[tuple[float, float, str | None]] = []
        for segment, end in zip(self.run.segments, ends, strict=False):
            low, high = self.place(segment.begin), self.place(end)
            name: str | None = segment.structure
            if bands and bands[-1][2] == name:
                bands[-1] = (bands[-1][0], high, name)
            elif bands and (high - low < 0.4 or bands[-1][1] - bands[-1][0] < 0.4):
                joined = high - bands[-1][0] < 0.4 or (high - low < 0.4 and bands[-1][2] is None)
                if joined:
                    bands[-1] = (bands[-1][0], high, None)
                else:
                    bands.append((low, high, name if high - low >= 0.4 else None))
            else:
                bands.append((low, high, name))
        return bands[:MOST_BANDS]

    def bands(self, lane: float, tops: Sequence[float]) -> list[str]:
        if not self.colours:
            return []
        made = []
        for low, high, name in self.stays():
            style = "many" if name is None else f"s{self.colours[name]}"
            said = self.say("several structures", "несколько структур") if name is None else self.named(name)
            across = f'x="{low:.2f}" width="{high - low:.2f}"'
            shapes = [f'<rect class="{style} lane" {across} y="{lane:.1f}" height="{LANE:.0f}"/>']
            for panel, top in zip(self.panels, tops, strict=True):
                shapes.append(f'<rect class="{style} band" {across} y="{top:.1f}" height="{panel.height:.0f}"/>')
            if name is not None and _width(said, 12.0) + 8 <= high - low:
                shapes.append(
                    f'<text class="small middle" x="{(low + high) / 2:.1f}" y="{lane + 16:.1f}">{escape(said)}</text>'
                )
            made.append(f"<g><title>{escape(said)}</title>{''.join(shapes)}</g>")
        return made

    def grouped(self) -> list[tuple[float, list[Event]]]:
        """Events by the places of their marks [px], those together that could not be told apart."""
        groups: list[tuple[float, list[Event]]] = []
        for event in self.run.events:
            x = self.place(event.time)
            if groups and x - groups[-1][0] < 1.5:
                groups[-1][1].append(event)
            elif len(groups) < MOST_MARKS:
                groups.append((x, [event]))
        return groups

    def marks(self, lane: float, tops: Sequence[float]) -> list[str]:
        """Events: a tip under the lane, and a thin line through the panels where there are few."""
        groups = self.grouped()
        made = []
        for x, events in groups:
            style = "mark hit" if any(map(strikes, events)) else "mark"
            lines = ""
            if len(groups) <= FEW_MARKS:
                path = "".join(f"M{x:.2f} {top:.0f}v{p.height:.0f}" for p, top in zip(self.panels, tops, strict=True))
                lines = f'<path class="when" d="{path}"/>'
            y = lane + LANE + 3
            made.append(
                f'<g><title>{escape(self.told(events))}</title>{lines}<path class="{style}" d="{_tip(x, y)}"/></g>'
            )
        return made

    def told(self, events: Sequence[Event]) -> str:
        """What the tooltip of a mark says."""
        lines = []
        for event in events[:4]:
            way = f"{self.named(event.before)} → {self.named(event.after)}"
            line = f"{short(event.time, 9)} {unit('s', self.lang)}: {way}"
            name, size = push_of(event)
            if strikes(event):
                loss = self.say("loss", "потеря")
                line += f" · {clean(name)} {short(size)} {self.say('N·s', 'Н·с')}"
                line += f" · {loss} {short(event.energy_loss)} {self.say('J', 'Дж')}"
            lines.append(line)
        if len(events) > 4:
            lines.append(self.say(f"… and {len(events) - 4} more", f"… и ещё {len(events) - 4}"))
        return "\n".join(lines)

    def panel(self, panel: _Panel, top: float) -> list[str]:
        low = min(float(line.values.min()) for line in panel.lines)
        high = max(float(line.values.max()) for line in panel.lines)
        across = axis(low, high, int(panel.height // 24))
        size = panel.height / (across.high - across.low)
        made = [f'<text class="title" x="{LEFT:.0f}" y="{top - 8:.1f}">{escape(_cut(panel.title, 100))}</text>']
        made += self.grid(across, top, panel.height, size)
        ends: list[float] = []
        for i, line in enumerate(panel.lines):
            y = top + panel.height - (line.values - across.low) * size
            kept = thin(self.x, y)
            ends.append(float(y[-1]))
            told = f"<title>{escape(line.name)}</title>" if line.name else ""
            hue = i if line.colour is None else line.colour
            made.append(f'<path class="line c{hue}" d="{_path(self.x[kept], y[kept])}">{told}</path>')
        return [*made, *self.names(panel, top, ends)]

    def grid(self, across: Axis, top: float, height: float, size: float) -> list[str]:
        level = [top + height - (tick - across.low) * size for tick in across.ticks]
        lines = "".join(f"M{LEFT:.0f} {y:.1f}h{INNER:.0f}" for y in level)
        lines += "".join(f"M{self.place(tick):.1f} {top:.1f}v{height:.0f}" for tick in self.time.ticks)
        made = [
            f'<path class="grid" d="{lines}"/>',
            f'<rect class="frame" x="{LEFT:.0f}" y="{top:.1f}" width="{INNER:.0f}" height="{height:.0f}"/>',
        ]
        made += [
            f'<text class="tick right" x="{LEFT - 8:.0f}" y="{y + 4:.1f}">{escape(word)}</text>'
            for y, word in zip(level, across.words(), strict=True)
        ]
        return made

    def names(self, panel: _Panel, top: float, ends: Sequence[float]) -> list[str]:
        """Names beside the ends of their curves, moved apart where they would overlap."""
        made = []
        x = WIDTH - RIGHT
        for (i, line), y in zip(enumerate(panel.lines), _apart(ends, top + 4, top + panel.height - 2), strict=True):
            if not line.name:
                continue
            said, hue = _cut(line.name, 22), i if line.colour is None else line.colour
            lead = f"M{x:.0f} {ends[i]:.1f}L{x + 12:.0f} {y:.1f}h8"
            made.append(
                f'<g><title>{escape(line.name)}</title><path class="lead c{hue}" d="{lead}"/>'
                f'<text class="small c{hue}" x="{x + 24:.0f}" y="{y + 4:.1f}">{escape(said)}</text></g>'
            )
        return made

    def times(self, y: float) -> list[str]:
        made = [
            f'<text class="tick middle" x="{self.place(tick):.1f}" y="{y + 18:.1f}">{escape(word)}</text>'
            for tick, word in zip(self.time.ticks, self.time.words(), strict=True)
        ]
        word = f"{self.say('time', 'время')}, {unit('s', self.lang)}"
        made.append(f'<text class="title middle" x="{LEFT + INNER / 2:.1f}" y="{y + 37:.1f}">{word}</text>')
        return made


def _apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
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


def _path(x: Array, y: Array) -> str:
    """A broken line from place to place; to a hundredth of a pixel, without letting the rounding add up."""
    places = np.rint(100.0 * np.stack([x, y], axis=1)).astype(np.int64)
    first, moves = places[0].tolist(), np.diff(places, axis=0)
    moves = moves[np.any(moves != 0, axis=1)]
    words = [f"M{_hundredths(first[0])} {_hundredths(first[1])}"]
    if len(moves):
        words.append("l" + " ".join(f"{_hundredths(a)} {_hundredths(b)}" for a, b in moves.tolist()))
    return "".join(words).replace(" -", "-")


def _hundredths(whole: int) -> str:
    """A whole number of hundredths, in as few signs as there can be."""
    sign, size = ("-" if whole < 0 else ""), abs(whole)
    digits = f"{size % 100:02d}".rstrip("0")
    before = str(size // 100) if size >= 100 or not digits else ""
    return f"{sign}{before}.{digits}" if digits else (f"{sign}{before}" if size else "0")


def _tip(x: float, y: float) -> str:
    """A triangle that points down, its middle above at (x, y)."""
    return f"M{x - 4:.2f} {y:.1f}h8l-4 7z"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
