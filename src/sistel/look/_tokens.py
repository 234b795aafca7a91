"""Every colour that people see, by the name of what it means: by day and by night.

Nothing else in the package writes a colour down: style sheets say `var(--name)`, pictures are given their colours by
`painted`, scenes by `parts`. Tests compute the contrasts of these pairs, and how far apart the coordinates are for eyes
that tell all colours, and for those that lack one of the three kinds of cones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TOKENS: Final[Mapping[str, tuple[str, str]]] = {
    # Grounds: of everything, of bars and heads, of rails and tracks.
    "paper": ("#ffffff", "#11161b"),
    "plate": ("#f5f7f9", "#181f26"),
    "sunk": ("#eaeef2", "#0b0f13"),
    # Lines that only part, and those that mean something.
    "line": ("#d8dfe6", "#2a343e"),
    "edge": ("#7d8a96", "#6d7b88"),
    # Letters, second letters.
    "ink": ("#1a222b", "#e4eaf0"),
    "dim": ("#52606d", "#a0aebb"),
    # What can be pressed, what is chosen, and what stands on the first.
    "accent": ("#1c6797", "#7cbce4"),
    "soft": ("#e2edf5", "#1b3242"),
    "on-accent": ("#ffffff", "#11161b"),
    # What is said of something; errors, forces and contacts share one.
    "warn": ("#8a5200", "#f0c060"),
    "warn-bg": ("#fff3dc", "#33290f"),
    "bad": ("#b3261e", "#ff8f85"),
    "bad-bg": ("#fdecea", "#3a1a18"),
    "good": ("#1b6e45", "#74cf9c"),
    "good-bg": ("#e6f4ec", "#14301f"),
    # Coordinates, in this order: slider, curve, readout and mark in the picture have the same one.
    "c0": ("#2b269b", "#5467e3"),
    "c1": ("#c42f09", "#ff720f"),
    "c2": ("#147762", "#0bb67e"),
    "c3": ("#790653", "#ab5078"),
    "c4": ("#ca8115", "#f3e395"),
    "c5": ("#2696f1", "#8af4fe"),
    "c6": ("#8552b1", "#9687c6"),
    "c7": ("#978e9f", "#abb7d8"),
    # Of pictures: what bodies are filled with, the ground, and what lies over a page behind a window.
    "solid": ("#e4ebf1", "#26323d"),
    "soil": ("#eceff2", "#1c242b"),
    "veil": ("#141e2859", "#00000080"),
}
COORDINATES: Final = tuple(name for name in TOKENS if name[0] == "c" and name[1:].isdecimal())
"""Tokens of coordinates and curves."""
STRUCTURES: Final = ("c6", "c4", "c7", "c5", "c3", "c2", "c1", "c0")
"""Tokens of structures, from the other end: as tints with a foot, and always with a name."""
AXES: Final[Mapping[str, str]] = {"x": "c1", "y": "c2", "z": "c0"}
"""Tokens of the axes of frames."""


def colour(name: str, *, dark: bool = False) -> str:
    """A token as a colour of CSS."""
    return TOKENS[name][dark]


def parts(name: str, *, dark: bool = False) -> tuple[float, float, float]:
    """Red, green and blue of a token, from 0 to 1, as scenes want them."""
    text = colour(name, dark=dark)
    red, green, blue = (int(text[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def triple(*names: str, dark: bool = False) -> str:
    """Tokens as X3D writes colours."""
    return ", ".join(" ".join(f"{part:.3g}" for part in parts(name, dark=dark)) for name in names)


def mixed(first: str, second: str, part: float, *, dark: bool = False) -> str:
    """A token with a part of another one in it, from 0 to 1."""
    pairs = zip(parts(first, dark=dark), parts(second, dark=dark), strict=True)
    return "#" + "".join(f"{round(255 * (a + (b - a) * part)):02x}" for a, b in pairs)
