"""Colours of meshes, and the material files of OBJ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST = 4 * 2**20
"""Of a file of materials [bytes]."""


@dataclass(frozen=True, slots=True)
class Paint:
    """A colour, red, green and blue from 0 to 1; None for the colour of the body."""

    colour: tuple[float, float, float] | None = None
    transparency: float = 0.0


OWN = Paint()
"""The colour that the body has in the description."""


def paint_of(parts: Sequence[float], opacity: float = 1.0) -> Paint:
    """A paint of three parts and how much of it is there; each is brought between 0 and 1."""
    red, green, blue = (_part(part) for part in parts[:3])
    return Paint((red, green, blue), round(1.0 - _part(opacity), 4))


def from_linear(part: float) -> float:
    """A part of light as a part of a colour, as screens have it (IEC 61966-2-1)."""
    part = _part(part)
    return 12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055


def _part(part: float) -> float:
    return round(min(max(float(part), 0.0), 1.0), 4) if math.isfinite(part) else 0.0


def library(text: str) -> dict[str, Paint]:
    """Paints of a material file (.mtl), by name."""
    found: dict[str, Paint] = {}
    at = ""
    for line in text.splitlines():
        words = line.split()
        try:
            if words[:1] == ["newmtl"]:
                at = line.split(maxsplit=1)[1].strip()
                found[at] = OWN
            elif words[:1] == ["Kd"] and at:
                found[at] = paint_of([float(word) for word in words[1:4]], 1.0 - found[at].transparency)
            elif words[:1] in (["d"], ["Tr"]) and at:
                part = float(words[-1])
                opacity = part if words[0] == "d" else 1.0 - part
                found[at] = Paint(found[at].colour, paint_of((0, 0, 0), opacity).transparency)
        except (ValueError, IndexError):
            continue
    return found
