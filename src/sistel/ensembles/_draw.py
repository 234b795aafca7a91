"""A map laid out once, and drawn twice: as SVG, and in pixels."""

from __future__ import annotations

import base64
import math
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from sistel.ensembles import _lettering as letters
from sistel.look import SANS, painted, parts
from sistel.records import entry, mutable
from sistel.views.charts.chart import axis, sheet, text
from sistel.views.charts.palette import Colour
from sistel.views.charts.png import png

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.ensembles._maps import MapAxis, StructureMap

SIDE = 640
"""Length of the sides of a map of few runs, about [px]."""
RED, GREEN, BLUE = (round(255 * part) for part in parts("ink"))
INK: Colour = (RED, GREEN, BLUE)
GREYS = 16
# Pictures of maps have light colours alone, and so has what stands about them.
_STYLE = painted(
    f".sistel-map{{font-family:{SANS};fill:var(--ink)}}"
    """
.sistel-map .paper{fill:var(--paper)}
.sistel-map line{stroke:var(--ink)}
.sistel-map .middle{text-anchor:middle}
.sistel-map .end{text-anchor:end}
""",
    "light",
)


@entry
class Words:
    """A line of text; y is its base line [px]."""

    x: float
    y: float
    text: str
    size: float
    """Height of capitals."""
    anchor: str = "start"
    turned: bool = False


@entry
class Box:
    """A filled rectangle [px], in a colour of the map."""

    x: float
    y: float
    width: float
    height: float
    colour: int


@entry
class Stroke:
    """A line along an axis [px]."""

    x: float
    y: float
    to_x: float
    to_y: float


@mutable
class Page:
    """Everything of a picture but the runs."""

    width: int = 0
    height: int = 0
    left: int = 0
    top: int = 0
    zoom_x: int = 1
    zoom_y: int = 1
    items: list[Words | Box | Stroke] = field(default_factory=list)


def ticks(low: float, high: float) -> list[tuple[float, str]]:
    """Round numbers within limits, and how they are written; the limit itself where both are the same."""
    found = axis(low, high, 6, widen=False)
    near = 1e-9 * (high - low)
    pairs = zip(found.ticks, found.words(), strict=True)
    return [(tick, word) for tick, word in pairs if low - near <= tick <= high + near] or [(low, _short(low))]


def lay_out(map_: StructureMap) -> Page:
    """Where everything is."""
    high, wide = map_.cells.shape
    page = Page(zoom_x=max(1, round(SIDE / wide)), zoom_y=max(1, round(SIDE / high)))
    w, h = wide * page.zoom_x, high * page.zoom_y
    size = max(9.0, 0.014 * max(w, h))  # of letters
    y_marks = ticks(float(map_.y.values[0]), float(map_.y.values[-1]))
    page.left = int(3.4 * size + max(letters.width(word, size) for _, word in y_marks) + 1.2 * size)
    page.top = int(4.2 * size)
    bottom = page.top + h
    _frame(page, w, h)
    page.items.append(Words(page.left, page.top - 1.7 * size, map_.title, 1.25 * size))
    for value, word in y_marks:
        y = bottom - (_place(map_.y, value) + 0.5) * page.zoom_y
        page.items.append(Stroke(page.left - 0.6 * size, y, page.left - 1, y))
        page.items.append(Words(page.left - 1.1 * size, y + 0.5 * size, word, size, "end"))
    for value, word in ticks(float(map_.x.values[0]), float(map_.x.values[-1])):
        x = page.left + (_place(map_.x, value) + 0.5) * page.zoom_x
        page.items.append(Stroke(x, bottom, x, bottom + 0.6 * size))
        page.items.append(Words(x, bottom + 2.2 * size, word, size, "middle"))
    page.items.append(Words(page.left + w / 2, bottom + 4.6 * size, map_.x.label, 1.1 * size, "middle"))
    page.items.append(Words(1.8 * size, page.top + h / 2, map_.y.label, 1.1 * size, "middle", turned=True))
    right = _legend(page, map_, page.left + w + 2.2 * size, page.top, h, size)
    page.width, page.height = int(right + 1.5 * size), int(max(bottom + 6.2 * size, _lowest(page) + size))
    return page


def _frame(page: Page, w: int, h: int) -> None:
    left, top, right, bottom = page.left - 1, page.top - 1, page.left + w, page.top + h
    page.items += [
        Stroke(left, top, right, top),
        Stroke(left, bottom, right, bottom),
        Stroke(left, top, left, bottom),
        Stroke(right, top, right, bottom),
    ]


def _lowest(page: Page) -> float:
    return max(item.y for item in page.items)


def _legend(page: Page, map_: StructureMap, x: float, y: float, h: int, size: float) -> float:
    """What colours mean, to the right; where it ends."""
    right = x + 10 * size
    y += size
    for key in map_.keys:
        share = _percent(key.share)
        page.items.append(Words(x, y + 0.2 * size, f"{key.label}   {share}", size))
        right = max(right, x + letters.width(f"{key.label}   {share}", size))
        y += size
        wide = 3.4 * size if key.marks else 5.0 * size
        for k, colour in enumerate(key.colours):
            page.items.append(Box(x + k * wide, y, wide, 1.5 * size, colour))
            if key.marks:
                page.items.append(Words(x + (k + 0.5) * wide, y + 3.0 * size, key.marks[k], 0.85 * size, "middle"))
        right = max(right, x + len(key.colours) * wide)
        y += (5.6 if key.marks else 4.2) * size
    if map_.scale is not None:
        right = max(right, _bar(page, map_, x, y, min(h - 4.0 * size, 30 * size), size))
    return right


def _bar(page: Page, map_: StructureMap, x: float, y: float, height: float, size: float) -> float:
    """A row of colours with numbers beside it."""
    scale = map_.scale
    assert scale is not None
    page.items.append(Words(x, y + 0.2 * size, scale.label, size))
    right, top = x + letters.width(scale.label, size), y + 1.6 * size
    part = height / scale.count
    for k in range(scale.count):
        page.items.append(Box(x, top + height - (k + 1) * part, 2.0 * size, part + 0.5, scale.first + k))
    span = scale.high - scale.low or 1.0
    for value, word in ticks(scale.low, scale.high):
        at = top + height - (value - scale.low) / span * height
        page.items += [
            Stroke(x + 2.0 * size, at, x + 2.6 * size, at),
            Words(x + 3.0 * size, at + 0.5 * size, word, size),
        ]
        right = max(right, x + 3.0 * size + letters.width(word, size))
    return right


def _place(axis: MapAxis, value: float) -> float:
    """Where a value lies among those of the runs."""
    return float(np.interp(value, axis.values, np.arange(len(axis.values))))


def _short(value: float) -> str:
    text = f"{value:.6g}"
    return "0" if text in ("-0", "0") else text.replace("-", "−")


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


def svg_of(map_: StructureMap) -> str:
    """The text of an SVG picture."""
    page = lay_out(map_)
    high, wide = map_.cells.shape
    inner = base64.b64encode(png(np.flipud(map_.cells), map_.colours)).decode()
    lines = [
        f'<image x="{page.left}" y="{page.top}" width="{wide * page.zoom_x}" height="{high * page.zoom_y}" '
        f'preserveAspectRatio="none" style="image-rendering:pixelated" href="data:image/png;base64,{inner}"/>',
    ]
    for item in page.items:
        if isinstance(item, Box):
            r, g, b = map_.colours[item.colour]
            lines.append(
                f'<rect x="{item.x:.2f}" y="{item.y:.2f}" width="{item.width:.2f}" height="{item.height:.2f}" '
                f'fill="#{r:02x}{g:02x}{b:02x}"/>'
            )
        elif isinstance(item, Stroke):
            lines.append(
                f'<line x1="{item.x + 0.5:.2f}" y1="{item.y + 0.5:.2f}" x2="{item.to_x + 0.5:.2f}" '
                f'y2="{item.to_y + 0.5:.2f}"/>'
            )
        else:
            # Capitals are about seven tenths of the size of a font.
            turn = f' transform="rotate(-90 {item.x:.1f} {item.y:.1f})"' if item.turned else ""
            more = f' font-size="{item.size / 0.72:.1f}"{turn}'
            lines.append(text(item.anchor, item.x, item.y, item.text, more))
    return sheet(
        lines, kind="sistel-map", width=page.width, height=page.height, name=map_.title, style=_STYLE, lang=map_.lang
    )


def png_of(map_: StructureMap) -> bytes:
    """The bytes of a PNG picture."""
    page = lay_out(map_)
    white = len(map_.colours)
    canvas = np.full((page.height, page.width), white, dtype=np.uint8)
    runs = np.repeat(np.repeat(np.flipud(map_.cells), page.zoom_y, axis=0), page.zoom_x, axis=1)
    canvas[page.top : page.top + runs.shape[0], page.left : page.left + runs.shape[1]] = runs
    for item in page.items:
        if isinstance(item, Box):
            canvas[_cut(item.y, item.y + item.height), _cut(item.x, item.x + item.width)] = item.colour
        elif isinstance(item, Stroke):
            canvas[_cut(item.y, item.to_y + 1), _cut(item.x, item.to_x + 1)] = white + GREYS - 1
        else:
            _write(canvas, item, white)
    at = np.linspace(0.0, 1.0, GREYS)[:, np.newaxis]
    greys = np.round(255.0 + (np.array(INK) - 255.0) * at).astype(np.uint8)
    return png(canvas, np.concatenate([map_.colours, greys]))


def _cut(begin: float, end: float) -> slice:
    first = max(0, math.floor(begin + 1e-6))
    return slice(first, max(first + 1, math.floor(end + 1e-6)))


def _write(canvas: NDArray[np.uint8], item: Words, white: int) -> None:
    """A text on what is white so far."""
    ink = letters.written(item.text, item.size)
    below = letters.BELOW * item.size / letters.CAPITAL + 1.5
    shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[item.anchor] * ink.shape[1]
    if item.turned:
        ink = np.rot90(ink)
        top, left = int(item.y + shift - ink.shape[0]), int(item.x - ink.shape[1] + below)
        if item.anchor == "middle":
            top = int(item.y - ink.shape[0] / 2)
    else:
        top, left = int(item.y + below - ink.shape[0]), int(item.x - shift)
    y0, x0 = max(0, top), max(0, left)
    y1, x1 = min(canvas.shape[0], top + ink.shape[0]), min(canvas.shape[1], left + ink.shape[1])
    if y1 <= y0 or x1 <= x0:
        return
    part = canvas[y0:y1, x0:x1]
    level = np.round(ink[y0 - top : y1 - top, x0 - left : x1 - left] * (GREYS - 1)).astype(np.uint8)
    part[...] = np.where((part >= white) & (level > 0), np.maximum(part, white + level), part)
