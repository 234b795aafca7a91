"""What stands around a moving scheme: name, time, structure, and a timeline with a cursor. All in px."""

from __future__ import annotations

import math
import operator
from functools import partial
from typing import TYPE_CHECKING

from sistel.errors import Language
from sistel.look import STRUCTURES
from sistel.records import entry
from sistel.views.animation._clock import EXACT, Clock, number
from sistel.views.animation._film import Film, Track, element
from sistel.views.charts._ticks import axis
from sistel.views.schemes._style import Look, coloured
from sistel.views.text._numbers import clean, short, unit
from sistel.views.text._runs import strikes, structure_said

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element as Element

    from sistel.simulation import Run

HEAD, PAD = 36.0, 16.0
BAR = 7.0
"""Height of the timeline."""
CHANGES = 150
"""How often the last digit of the time may change, at most."""
LETTER = 7.0
"""Width of a letter, rather too wide."""
DIGIT = 8.2
NOTHING = 10
"""Stands for a digit that is not seen."""


@entry
class Stay:
    """A time in one structure."""

    name: str
    begin: float
    """[s]"""
    end: float


def stays_of(run: Run) -> list[Stay]:
    """The structures in the order in which they come."""
    made: list[Stay] = []
    for segment in run.segments:
        if made and made[-1].name == segment.structure:
            made[-1] = Stay(segment.structure, made[-1].begin, segment.end)
        else:
            made.append(Stay(segment.structure, segment.begin, segment.end))
    if made and made[-1].name != run.final_structure:
        made.append(Stay(run.final_structure, run.end, run.end))
    return made


def discrete(stays: list[Stay], shown: Callable[[str], bool], clock: Clock) -> Track:
    """When something is seen: in the stays whose name `shown` accepts."""
    shares: list[str] = []
    values: list[str] = []
    for stay in stays:
        value = "visible" if shown(stay.name) else "hidden"
        share = number(clock.share(stay.begin), EXACT) if shares else "0"
        if not values or values[-1] != value:
            if shares and shares[-1] == share:
                shares.pop()
                values.pop()
            shares.append(share)
            values.append(value)
    return Track(kind="visibility", shares=(*shares, "1"), values=(*values, values[-1]), eases="discrete")


_RULES = {
    ".name": "font-size:15px;font-weight:600;fill:var(--ink);stroke:none",
    ".time,.time text": "font-size:13px;fill:var(--ink);stroke:none",
    ".said": "font-size:13px;fill:var(--ink);stroke:none",
    ".tick": "font-size:10px;fill:var(--dim);stroke:none",
    ".bar": "stroke:var(--line);stroke-linecap:butt",
    ".band": "stroke-linecap:butt",
    ".scale": "stroke:var(--edge);stroke-linecap:butt",
    ".struck": "stroke:var(--bad);stroke-linecap:butt",
    ".cursor": "fill:var(--ink);stroke:var(--paper);stroke-width:1px",
    ".flash": "fill:none;stroke:var(--bad)",
    ".soft": "fill:none;stroke:var(--accent)",
    ".trail": "fill:none;stroke:var(--line);stroke-linecap:butt",
    ".drawn": "fill:none;stroke:var(--accent);stroke-linecap:butt",
    ".dot": "fill:var(--accent);stroke:var(--paper)",
    **{f".s{place}": f"stroke:var(--{name})" for place, name in enumerate(STRUCTURES)},
}


def frame_rules(look: Look, scope: str) -> str:
    """Colours and fonts of the frame."""
    return coloured(_RULES, look, scope)


class Frame:
    """The frame of one picture."""

    def __init__(self, run: Run, film: Film, width: float, lang: Language) -> None:
        self.run, self.film, self.clock, self.lang = run, film, film.clock, lang
        self.width = width
        self.stays = stays_of(run)
        self.names = list(dict.fromkeys(stay.name for stay in self.stays))
        # One structure without events has nothing to say.
        self.speaks = len(self.names) > 1 or len(run.model.structures) > 1

    @property
    def foot(self) -> float:
        """Height of what stands below the scheme."""
        return 66.0 if self.speaks else 44.0

    def head(self) -> list[Element]:
        """Name and time."""
        room = int((self.width - 2 * PAD - 110) / (1.15 * LETTER))
        title = clean(self.run.model.name)
        title = title if len(title) <= room else title[: max(room - 1, 1)] + "…"
        name = element("text", {"class": "name", "x": number(PAD, 1), "y": "23"}, title)
        return [name, *self.time()]

    def time(self) -> list[Element]:
        """The time, as digits on strips that go by behind windows."""
        length = self.run.end - self.run.begin
        places = 2
        while places > 0 and length * 10**places > CHANGES:
            places -= 1
        step = 10.0**-places
        first, last = math.floor(self.run.begin / step + 1e-9), math.floor(self.run.end / step + 1e-9)
        back = f"{unit('s', self.lang)}" + (
            f" ×{short(self.film.clock.speed, 3)}" if self.film.clock.speed != 1 else ""
        )
        right = self.width - PAD
        clip = element("clipPath", {"id": "цифра"})
        clip.append(element("rect", {"width": number(DIGIT, 1), "height": "18"}))
        made = [clip, element("text", {"class": "time", "x": number(right, 1), "y": "23", "text-anchor": "end"}, back)]
        x = right - LETTER * len(back) - 4
        digits = max(len(str(abs(last))), len(str(abs(first))), places + 1)
        for place in range(digits):
            x -= DIGIT
            made.append(self._strip(place, places, first, last, x))
            if place + 1 == places:
                x -= 0.5 * DIGIT
                attributes = {"class": "time", "x": number(x + 0.25 * DIGIT, 1), "y": "23", "text-anchor": "middle"}
                made.append(element("text", attributes, "." if self.lang == "en" else ","))
        if first < 0 <= last or last < 0:
            made.append(element("text", {"class": "time", "x": number(x - 8, 1), "y": "23"}, "−" if last < 0 else ""))
        made.append(element("text", {"class": "time", "x": number(x - 8, 1), "y": "23", "text-anchor": "end"}, "t ="))
        return made

    def _strip(self, place: int, places: int, first: int, last: int, x: float) -> Element:
        """One digit: the strip of the digits that it takes, moved by steps; zeros in front are not seen."""
        shares: list[str] = []
        values: list[str] = []
        strip: list[int] = []
        step = 10.0**-places
        for count in range(first, last + 1):
            digit = abs(count) // 10**place % 10
            if place > places and abs(count) < 10**place:
                digit = NOTHING
            if not strip or strip[-1] != digit:
                strip.append(digit)
                # Never late, for then a digit would be wrong at round times.
                shares.append(
                    number(math.floor(1e6 * self.clock.share(count * step) - 0.5) / 1e6 if count > first else 0.0, 6)
                )
                values.append(f"0,{-20 * digit}")
        window = element("g", {"transform": f"translate({number(x, 1)},9)", "clip-path": "url(#цифра)"})
        inside = element("g", {"class": "time", "transform": f"translate({values[0]})", "text-anchor": "middle"})
        for digit in sorted(set(strip) - {NOTHING}):
            inside.append(element("text", {"x": number(DIGIT / 2, 1), "y": number(14 + 20 * digit, 1)}, str(digit)))
        if len(shares) > 1:
            track = Track(kind="translate", shares=(*shares, "1"), values=(*values, values[-1]), eases="discrete")
            self.film.play(inside, track)
        window.append(inside)
        return window

    def bottom(self, top: float) -> list[Element]:
        """The name of the structure and the timeline.

        Args:
            top: Where there is room.
        """
        made: list[Element] = []
        y = top + 16.0
        if self.speaks:
            made += self._structures(top + 17.0)
            y = top + 37.0
        return [*made, *self._timeline(y)]

    def _structures(self, y: float) -> list[Element]:
        made = []
        room = int((self.width - 2 * PAD - 18) / LETTER)
        for place, name in enumerate(self.names):
            said = structure_said(self.run, name, self.lang)
            said = said if len(said) <= room else said[: max(room - 1, 1)] + "…"
            group = element("g", {"visibility": "visible" if place == 0 else "hidden"})
            spot = f"M{number(PAD, 1)},{number(y - 5, 1)}h11"
            group.append(
                element("path", {"class": f"band s{place % len(STRUCTURES)}", "d": spot, "stroke-width": "11"})
            )
            group.append(element("text", {"class": "said", "x": number(PAD + 18, 1), "y": number(y, 1)}, said))
            if len(self.names) > 1:
                self.film.play(group, discrete(self.stays, partial(operator.eq, name), self.clock))
            made.append(group)
        return made

    def _timeline(self, y: float) -> list[Element]:
        run, left, long = self.run, PAD, self.width - 2 * PAD
        length = run.end - run.begin

        def at(t: float) -> float:
            return left + long * ((t - run.begin) / length if length > 0 else 0.0)

        wide = number(BAR, 1)
        made = [element("path", {"class": "bar", "d": f"M{number(left, 1)},{number(y, 1)}h{number(long, 1)}"})]
        made[0].set("stroke-width", wide)
        for place, name in enumerate(self.names if self.speaks else []):
            parts = [
                f"M{number(at(stay.begin), 2)},{number(y, 1)}h{number(max(at(stay.end) - at(stay.begin), 0.4), 2)}"
                for stay in self.stays
                if stay.name == name
            ]
            attributes = {"class": f"band s{place % len(STRUCTURES)}", "d": "".join(parts), "stroke-width": wide}
            made.append(element("path", attributes))
        marks = dict.fromkeys(number(at(event.time), 1) for event in run.events if strikes(event))
        if marks:
            d = "".join(f"M{x},{number(y - 8, 1)}v4" for x in marks)
            made.append(element("path", {"class": "struck", "d": d, "stroke-width": "1.2"}))
        scale = axis(run.begin, run.end, max(4, int(long / 55)), widen=False)
        made.append(
            element(
                "path",
                {
                    "class": "scale",
                    "d": "".join(f"M{number(at(t), 1)},{number(y + 5, 1)}v4" for t in scale.ticks),
                    "stroke-width": "1",
                },
            )
        )
        words = scale.words()
        for place, (t, word) in enumerate(zip(scale.ticks, words, strict=True)):
            last = place + 1 == len(words)
            text = f"{word} {unit('s', self.lang)}" if last else word
            anchor = "end" if at(t) > left + long - 18 else "start" if at(t) < left + 4 else "middle"
            attributes = {"class": "tick", "x": number(at(t), 1), "y": number(y + 19, 1), "text-anchor": anchor}
            made.append(element("text", attributes, text))
        cursor = element("g", {"transform": f"translate({number(left, 1)},0)"})
        d = f"M-1.2,{number(y - 8, 1)}h2.4v{number(13, 1)}l3.4,5h-9.2l3.4,-5z"
        cursor.append(element("path", {"class": "cursor", "d": d}))
        if length > 0:
            ends = (f"{number(left, 1)},0", f"{number(left + long, 1)},0")
            shares = ("0", number(self.clock.share(run.end), EXACT), "1")
            self.film.play(cursor, Track(kind="translate", shares=shares, values=(*ends, ends[1]), eases="linear"))
        made.append(cursor)
        return made
