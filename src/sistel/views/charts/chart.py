"""Parts that charts are made of, as texts of SVG: the sheet, axes with grid and numbers, scales of colours, marks.

All of them have classes (`paper`, `grid`, `frame`, `tick`, `label`, …); the style of a chart says how they look.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import record
from sistel.views.charts._lettering import cut, width_of
from sistel.views.charts._ticks import MINUS, Axis, axis

if TYPE_CHECKING:
    from sistel.arrays import Array

__all__ = ["MINUS", "Axis", "Frame", "axis", "colour_bar", "curve", "cut", "sheet", "text", "tip", "width_of"]


def sheet(
    parts: Iterable[str],
    *,
    kind: str,
    width: float,
    height: float,
    name: str,
    style: str,
    lang: str = "",
    more: str = "",
) -> str:
    """A whole picture: its parts on paper.

    Args:
        parts: What is drawn, in that order.
        kind: Class of the picture, by which the style names it.
        width: [px]
        height: [px]
        name: What readers of the screen are told.
        style: Rules of CSS.
        lang: Language of its words.
        more: Further attributes.
    """
    said, language = escape(name), f' lang="{lang}"' if lang else ""
    return "\n".join(
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="{kind}" role="img" aria-label="{said}"'
            f"{language} "
            f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}"{more}>',
            f"<title>{said}</title>",
            f"<style>{style}</style>",
            f'<rect class="paper" width="{width:.0f}" height="{height:.0f}"/>',
            *parts,
            "</svg>\n",
        )
    )


def text(kind: str, x: float, y: float, words: str, more: str = "") -> str:
    """Words, by their base line."""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{more}>{escape(words)}</text>'


@record
class Frame:
    """The rectangle that curves lie in [px], with an axis along two of its sides."""

    left: float
    top: float
    width: float
    height: float
    x: Axis
    y: Axis
    down: bool = False
    """Whether y grows downward."""

    def across(self, value: float) -> float:
        """Where a value of the horizontal axis is [px]."""
        return self.left + (value - self.x.low) / (self.x.high - self.x.low) * self.width

    def level(self, value: float) -> float:
        """Where a value of the vertical axis is [px]."""
        part = (value - self.y.low) / (self.y.high - self.y.low) * self.height
        return self.top + part if self.down else self.top + self.height - part

    def grid(self) -> list[str]:
        """Lines at the round numbers, and the frame itself."""
        lines = "".join(f"M{self.left:.0f} {self.level(tick):.1f}h{self.width:.1f}" for tick in self.y.ticks)
        lines += "".join(f"M{self.across(tick):.1f} {self.top:.1f}v{self.height:.1f}" for tick in self.x.ticks)
        box = f'x="{self.left:.0f}" y="{self.top:.1f}" width="{self.width:.1f}" height="{self.height:.1f}"'
        return [f'<path class="grid" d="{lines}"/>', f'<rect class="frame" {box}/>']

    def numbers_beside(self, size: float = 0.0) -> list[str]:
        """The round numbers of the vertical axis, to the left.

        Args:
            size: Of their letters, if they may be smaller where there is no room for so many digits [px].
        """
        words = self.y.words()
        wide = max((width_of(word, size) for word in words), default=0.0)
        small = f' style="font-size:{size * (self.left - 12) / wide:.3g}px"' if wide > self.left - 12 else ""
        pairs = zip(self.y.ticks, words, strict=True)
        return [text("tick end", self.left - 8, self.level(tick) + 4, word, small) for tick, word in pairs]

    def numbers_below(self) -> list[str]:
        """The round numbers of the horizontal axis."""
        below = self.top + self.height + 18
        pairs = zip(self.x.ticks, self.x.words(), strict=True)
        return [text("tick middle", self.across(tick), below, word) for tick, word in pairs]


def colour_bar(
    x: float, top: float, height: float, *, low: float, high: float, colours: Sequence[str], label: str
) -> list[str]:
    """A scale of colours with numbers beside it.

    Args:
        x: Its left edge [px].
        top: Its upper edge [px].
        height: [px]
        low: The value of the first colour.
        high: The value of the last.
        colours: From low to high; those between are mixed.
        label: What the values are.
    """
    last = len(colours) - 1
    stops = "".join(f'<stop offset="{k / last:.4f}" stop-color="{colour}"/>' for k, colour in enumerate(colours))
    made = [
        f'<linearGradient id="sistel-scale" x1="0" y1="1" x2="0" y2="0">{stops}</linearGradient>',
        f'<rect class="bar" x="{x:.1f}" y="{top:.1f}" width="18" height="{height:.1f}" fill="url(#sistel-scale)"/>',
        text("label", x, top - 12, label),
    ]
    ticks = axis(low, high, max(3, int(height / 70.0)), widen=False)
    for tick, word in zip(ticks.ticks, ticks.words(), strict=True):
        at = top + height * (high - tick) / (high - low)
        made += [f'<path class="frame" d="M{x + 18:.1f} {at:.1f}h5"/>', text("tick", x + 27, at + 4, word)]
    return made


def curve(x: Array, y: Array) -> str:
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


def tip(x: float, y: float) -> str:
    """A triangle that points down, its middle above at (x, y)."""
    return f"M{x - 4:.2f} {y:.1f}h8l-4 7z"
