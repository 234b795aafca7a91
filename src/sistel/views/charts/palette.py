"""Colours that people with any colour vision tell apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Colour = tuple[int, int, int]


def _read(text: str) -> tuple[Colour, ...]:
    return tuple((int(c[0:2], 16), int(c[2:4], 16), int(c[4:6], 16)) for c in text.split())


KINDS: Final = _read("0072B2 E69F00 CC79A7 56B4E9 D55E00 F0E442 8C6BB1 A6761D 66A61E 1B9E77")
"""Of categories: those of Okabe and Ito (Color Universal Design, 2008) but for their green and black, then others."""
GOAL: Final = (0, 94, 69)
"""Of runs that reached their end: the green of Okabe and Ito, darker."""
FAILED: Final = _read("000000 5A5A5A 9A2A2A 7A4A9A 4A6A4A 8A8A5A 2A2A5A")
MISSING: Final = (235, 235, 235)
OTHER: Final = (200, 200, 200)

_RAMP: Final = _read("440154 482878 3E4989 31688E 26828E 1F9E89 35B779 6DCD59 B4DE2C FDE725")
"""The colour map viridis of van der Walt and Smith (2015, CC0), at ten places."""


def ramp(count: int) -> list[Colour]:
    """So many colours from dark to light, evenly to the eye."""
    at = np.linspace(0, len(_RAMP) - 1, count)
    channels = [np.interp(at, np.arange(len(_RAMP)), [c[i] for c in _RAMP]) for i in range(3)]
    return [(round(r), round(g), round(b)) for r, g, b in zip(*channels, strict=True)]


def shades(colour: Colour, count: int) -> list[Colour]:
    """So many shades of a colour, from light to dark; one is the colour itself."""
    if count == 1:
        return [colour]
    found = []
    for s in np.linspace(-0.62, 0.5, count):
        other = 255.0 if s < 0 else 0.0
        found.append(_mixed(colour, other, abs(float(s))))
    return found


def _mixed(colour: Colour, other: float, part: float) -> Colour:
    r, g, b = (round(c + (other - c) * part) for c in colour)
    return r, g, b


def table(colours: list[Colour]) -> NDArray[np.uint8]:
    """Colours as an array."""
    return np.array(colours, dtype=np.uint8).reshape(-1, 3)
