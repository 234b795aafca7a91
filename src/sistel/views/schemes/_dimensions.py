"""Dimension lines of a scheme and their numbers. All in mm.

A dimension has axes of its own: x along what is measured, to the right or up the paper, so that its number is never
upside down. `scheme.xsl` draws it by the same few numbers.
"""

from __future__ import annotations

import math
from typing import Literal

from sistel.records import entry
from sistel.views.schemes._labels import Box
from sistel.views.schemes._posture import Place, Point
from sistel.views.schemes._scene import path, short_number

Segment = tuple[Point, Point]
FONT, LETTER = 1.05, 0.66
"""Size of the font in sizes of a hinge, and width of a figure in sizes of the font."""
OVER, GAP, PAST = 0.28, 0.8, 0.5
"""Of a number over its line, of an extension line from its point, and beyond the other line, in sizes of a hinge."""
TIP, HALF = 0.85, 0.19
"""Length and half the width of an arrow, in sizes of a hinge."""
TAIL, BESIDE = 1.7, 0.9
"""Of the line beyond an arrow from outside, and of the number beside it, in sizes of a hinge."""


@entry
class Dimension:
    """A dimension line with its number."""

    kind: Literal["length", "radius"]
    place: Place
    """Its axes: their origin is the first point, or the centre of a circle."""
    length: float
    offset: float
    """Of the dimension line, along y."""
    rise: float
    """Of the second point, along y."""
    side: str
    """Where the number stands: over the middle, or beside the start or the end."""
    text: str
    size: float
    """Diameter of a hinge."""

    @property
    def width(self) -> float:
        """Width of the number."""
        return LETTER * FONT * self.size * len(self.text)

    @property
    def _middle(self) -> float:
        """Where the middle of the number is, along x."""
        beyond = BESIDE * self.size + self.width / 2
        if self.kind == "radius" and self.side == "start":
            return -self.length - beyond
        return {"middle": self.length / 2, "end": self.length + beyond, "start": -beyond}[self.side]

    @property
    def box(self) -> Box:
        """What the number covers, in the axes of the dimension."""
        font, middle = FONT * self.size, self._middle
        base = self.offset - OVER * self.size
        return (middle - self.width / 2, base - 0.78 * font, middle + self.width / 2, base + 0.04 * font)

    @property
    def main(self) -> tuple[float, float]:
        """From and to which x the dimension line goes."""
        beside = self.width + BESIDE * self.size
        if self.kind == "radius":
            r = self.length
            return {"middle": (0.0, r), "end": (r, r + beside), "start": (-r - beside, -r)}[self.side]
        tail = TAIL * self.size
        ends = {"middle": (0.0, 0.0), "end": (-tail, beside), "start": (-beside, tail)}[self.side]
        return (ends[0], self.length + ends[1])

    @property
    def extensions(self) -> list[Segment]:
        """Extension lines, in the axes of the dimension."""
        if self.kind == "radius":
            return []
        made = []
        for x, y in ((0.0, 0.0), (self.length, self.rise)):
            way = math.copysign(self.size, self.offset - y)
            made.append(((x, y + GAP * way), (x, self.offset + PAST * way)))
        return made

    def corners(self) -> list[Point]:
        """Corners of the number on paper."""
        left, top, right, bottom = self.box
        return [self.place.out(p) for p in ((left, top), (right, top), (right, bottom), (left, bottom))]

    def lines(self) -> list[Segment]:
        """The dimension line and its extension lines on paper."""
        first, last = self.main
        own = [((first, self.offset), (last, self.offset)), *self.extensions]
        return [(self.place.out(a), self.place.out(b)) for a, b in own]

    def bounds(self) -> Box:
        """What it covers on paper."""
        points = [*self.corners(), *(p for line in self.lines() for p in line)]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        return (min(xs), min(ys), max(xs), max(ys))

    def svg(self) -> str:
        """Its element, as the stylesheet of planar schemes makes it."""
        s, y = self.size, self.offset
        first, last = self.main
        thin = "".join(path(list(line)).replace("m", "M") for line in [((first, y), (last, y)), *self.extensions])
        inside = 1.0 if self.side == "middle" else -1.0
        tips = []
        for x, way in ((0.0, inside), (self.length, -inside)):
            back = x + way * TIP * s
            tips.append(path([(x, y), (back, y - HALF * s), (back, y + HALF * s)], closed=True).replace("m", "M"))
        place = f"translate({short_number(self.place.x, 3)},{short_number(self.place.y, 3)})"
        turn = f"rotate({short_number(math.degrees(self.place.angle), 4)})"
        at = f'x="{short_number(self._middle, 3)}" y="{short_number(y - OVER * s, 3)}"'
        return (
            f'<g class="dimension" transform="{place} {turn}" stroke-width="{0.08 * s:.4g}"><path d="{thin}"/>'
            f'<path class="tip" d="{"".join(tips)}"/><text {at} font-size="{FONT * s:.4g}" '
            f'text-anchor="middle">{self.text}</text></g>'
        )
