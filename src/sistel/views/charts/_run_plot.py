"""A run as an SVG picture: coordinates, velocities and energies over time, structures as bands, events as marks.

One file without scripts or fonts of its own; light or dark as its reader's screen is.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

from sistel.errors import Language
from sistel.look import STRUCTURES
from sistel.views.charts._curves import Curves, Sampler, sample
from sistel.views.charts._panels import INNER, LANE, LEFT, TALL, WIDTH, Line, Panel, TimeChart
from sistel.views.charts.chart import cut, tip, width_of
from sistel.views.text._numbers import clean, short, unit
from sistel.views.text._runs import coordinate_kinds, push_of, run_heading, strikes, structure_said

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation import Event, Run

MOST_MARKS, MOST_BANDS = 400, 600
FEW_MARKS = 60
"""Marks that may have a line through all panels."""


def plot_run(run: Run, quantities: Sequence[str], lang: Language) -> str:
    """As `views.draw_run`, which is apart from this because reading a description needs no numerics."""
    return RunChart(run, tuple(quantities), lang).svg()


class RunChart(TimeChart):
    """The panels of a run."""

    def __init__(self, run: Run, quantities: tuple[str, ...], lang: Language) -> None:
        """Sample the run as finely as the picture shows it."""
        super().__init__(run.model.name, run.begin, run.end, lang)
        self.run = run
        curves = sample(Sampler(run, quantities), INNER, 3 * TALL)
        self.t = curves.t
        self.panels = self.all_panels(curves, quantities)
        self.colours = {name: i % len(STRUCTURES) for i, name in enumerate(self.structures())}

    def named(self, structure: str) -> str:
        return structure_said(self.run, structure, self.lang)

    def structures(self) -> list[str]:
        """Names in the order in which they appear; none where there is but one."""
        names = list(dict.fromkeys((*(segment.structure for segment in self.run.segments), self.run.final_structure)))
        return names if len(names) > 1 or self.run.events else []

    def all_panels(self, curves: Curves, quantities: Sequence[str]) -> list[Panel]:
        model = self.run.model
        nq, nv = model.nq, model.nv
        made: list[Panel] = []
        for column, text in enumerate(quantities):
            made.append(Panel(clean(text), [Line("", curves.y[:, nq + nv + 2 + column])]))
        groups = (
            (self.say("Coordinates", "Координаты"), model.coordinate_names, coordinate_kinds(model), 0, ""),
            (self.say("Velocities", "Скорости"), model.rate_names, model.rate_kinds, nq, f"/{unit('s', self.lang)}"),
        )
        for title, names, kinds, first, per in groups:
            for kind in dict.fromkeys(kinds):
                chosen = [i for i, each in enumerate(kinds) if each == kind]
                for together in self.together([curves.y[:, first + i] for i in chosen]):
                    columns = [first + chosen[i] for i in together]
                    size, word = self.scale(kind, curves.y[:, columns])
                    lines = [Line(clean(names[i - first]), size * curves.y[:, i]) for i in columns]
                    made.append(Panel(f"{title}, {word}{per}" if word else title, lines))
        made.append(self.energies(curves.y[:, nq + nv : nq + nv + 2]))
        return made

    def energies(self, values: Array) -> Panel:
        """The potential counts from its lowest value: its zero means nothing, and would flatten the others."""
        kinetic, potential = values[:, 0], values[:, 1] - values[:, 1].min()
        names = (
            self.say("kinetic", "кинетическая"),
            self.say("potential", "потенциальная"),
            self.say("total", "полная"),
        )
        title = self.say("Energy, J (potential from its lowest value)", "Энергия, Дж (потенциальная — от наименьшей)")
        return Panel(title, [Line(n, v) for n, v in zip(names, (kinetic, potential, kinetic + potential), strict=True)])

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
            words.append((f'<path class="mark hit" d="{tip(6.0, -9.0)}"/>', self.say("impact", "удар")))
        if any(not strikes(event) for event in self.run.events):
            words.append((f'<path class="mark" d="{tip(6.0, -9.0)}"/>', self.say("without impact", "без удара")))
        for shape, word in words:
            word = cut(word, 44)
            wide = 18 + 1.08 * width_of(word, 12.0) + 16  # names are long here: what fonts differ by adds up
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
            if name is not None and width_of(said, 12.0) + 8 <= high - low:
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
                f'<g><title>{escape(self.told(events))}</title>{lines}<path class="{style}" d="{tip(x, y)}"/></g>'
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
