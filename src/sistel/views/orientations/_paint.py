"""Colours, letters and the frame of pictures of orientations; the same palette as that of kinematic schemes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Literal

from sistel.errors import Language
from sistel.views._drawing import Drawing
from sistel.views.orientations._solids import LEVELS

Theme = Literal["auto", "light", "dark"]

_LIGHT = {
    "paper": "#ffffff", "ink": "#1d2731", "dim": "#5d6b78", "faint": "#c3ccd5", "line": "#d9e0e6", "tint": "#e8f0f7",
    "cold": "#1f5a86", "warm": "#a8501f", "green": "#3c7a4b", "head": "#f3f6f9",
}  # fmt: skip
_DARK = {
    "paper": "#12161c", "ink": "#dfe6ee", "dim": "#9aa7b3", "faint": "#46535f", "line": "#2b3540", "tint": "#1c2733",
    "cold": "#8cc4ec", "warm": "#e39a6b", "green": "#86c795", "head": "#1a2028",
}  # fmt: skip
_SURFACES: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    # What a surface is made of: darkest and brightest, in light and in dark pictures.
    "plate": (("#9fb1c1", "#fbfdfe"), ("#1c2732", "#56697c")),
    "cold": (("#5d90b5", "#d6eaf8"), ("#1d4868", "#5d9cca")),
    "warm": (("#bd6c33", "#fcdcc2"), ("#7d4222", "#e6a377")),
}
CLASSES = (
    ("#eef1f4", "#242c35"), ("#f9dfce", "#4a3122"), ("#d3e7f6", "#1f3a50"), ("#d9eed9", "#223f2b"),
    ("#f3e6c2", "#463a1b"), ("#eadcf0", "#3b2b45"), ("#d4eeea", "#1d4140"), ("#f7d9e2", "#4a2735"),
)  # fmt: skip
"""Grounds of table cells and boxes that belong together, light and dark."""
_LINKS = (
    ("#7d8b98", "#8795a3"), ("#c9763b", "#e0975f"), ("#3f83b5", "#6aaede"), ("#56925f", "#79bd84"),
    ("#ae8a22", "#cdb154"), ("#94659f", "#bf92cb"), ("#3a928a", "#63bbb2"), ("#c25f80", "#e28ba8"),
)  # fmt: skip
"""Lines that lead to the same."""
AXES = {"x": "cold", "y": "warm", "z": "green"}
"""Colours of axes: fingers, thumb, and the third one."""

LETTERS = '"DejaVu Sans","Segoe UI",Roboto,system-ui,sans-serif'


def style(theme: Theme, more: str = "") -> str:
    """The rules of a picture.

    Args:
        theme: Light, dark, or as the reader's screen.
        more: Rules without colours.
    """
    rules = _plain() + more
    if theme == "auto":
        return f"<style>{rules}{_colours(_LIGHT, 0)}@media (prefers-color-scheme:dark){{{_colours(_DARK, 1)}}}</style>"
    dark = theme == "dark"
    return f"<style>{rules}{_colours(_DARK if dark else _LIGHT, int(dark))}</style>"


def _plain() -> str:
    return _scoped(
        {
            "text": f"font-family:{LETTERS};font-size:12px",
            ".edge": "fill:none;stroke-width:1;stroke-linejoin:round;stroke-linecap:round",
            ".axis": "fill:none;stroke-width:1.6;stroke-linecap:round",
            ".arc,.globe": "fill:none;stroke-width:1",
            ".away": "stroke-dasharray:2.5 2.5",
            ".old": "fill:none;stroke-width:1.1;stroke-dasharray:4 3;stroke-linecap:round",
            ".sweep": "fill:none;stroke-width:2;stroke-linecap:round",
            ".letter": "font-style:italic;font-weight:600;stroke-width:3;paint-order:stroke;stroke-linejoin:round",
            ".code": "font-size:15px;font-weight:700",
            ".mono": "font-variant-numeric:tabular-nums",
            ".title": "font-size:17px;font-weight:700",
            ".middle": "text-anchor:middle",
            ".end": "text-anchor:end",
        }
    )


def _colours(c: Mapping[str, str], dark: int) -> str:
    rules = {
        ".paper": f"fill:{c['paper']}",
        ".cell": f"fill:{c['paper']};stroke:{c['line']}",
        ".head": f"fill:{c['head']};stroke:{c['line']}",
        "text": f"fill:{c['ink']}",
        ".dim": f"fill:{c['dim']}",
        ".edge": f"stroke:{c['ink']}",
        ".globe": f"stroke:{c['line']}",
        ".arc": f"stroke:{c['faint']}",
        ".patch": f"fill:{c['tint']};fill-opacity:0.85",
        ".old": f"stroke:{c['dim']}",
        ".old-tip,.old-letter": f"fill:{c['dim']};stroke:none",
        ".letter": f"stroke:{c['paper']}",
        ".sweep": f"stroke:{c['ink']}",
        ".sweep-tip": f"fill:{c['ink']};stroke:none",
        ".sector": f"fill:{c['cold']};fill-opacity:0.12;stroke:none",
        ".link": "fill:none;stroke-width:1.5",
        ".node": f"stroke:{c['dim']}",
    }
    for name, key in AXES.items():
        rules[f".axis-{name}"] = f"stroke:{c[key]}"
        rules[f".tip-{name},.letter-{name}"] = f"fill:{c[key]}"
    for kind, pairs in _SURFACES.items():
        for level in range(LEVELS):
            shade = _mixed(*pairs[dark], level / (LEVELS - 1))
            # A hair of the same colour closes the seams between neighbouring faces.
            rules[f".{kind}{level}"] = f"fill:{shade};stroke:{shade};stroke-width:0.6"
    for number, both in enumerate(CLASSES):
        rules[f".class{number}"] = f"fill:{both[dark]}"
        rules[f".link{number}"] = f"stroke:{_LINKS[number][dark]}"
    return _scoped(rules)


def _scoped(rules: Mapping[str, str]) -> str:
    made = []
    for names, rule in rules.items():
        made.append(f"{','.join(f'.sistel-pose {name}' for name in names.split(','))}{{{rule}}}")
    return "\n".join(made) + "\n"


def _mixed(dark: str, bright: str, part: float) -> str:
    pairs = [(int(dark[i : i + 2], 16), int(bright[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


def document(
    title: str, size: tuple[float, float], parts: Sequence[str], *, lang: Language, theme: Theme, more: str = ""
) -> Drawing:
    """A whole picture of some elements."""
    wide, high = size
    name = escape(title)
    return Drawing(
        "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" class="sistel-pose" role="img" '
                f'aria-label="{name}" lang="{lang}" width="{wide:g}" height="{high:g}" '
                f'viewBox="0 0 {wide:g} {high:g}">',
                f"<title>{name}</title>",
                style(theme, more),
                '<rect class="paper" width="100%" height="100%"/>',
                *parts,
                "</svg>\n",
            )
        )
    )


def text(words: str, x: float, y: float, classes: str = "") -> str:
    """One line of text."""
    style = f' class="{classes}"' if classes else ""
    return f'<text x="{x:.1f}" y="{y:.1f}"{style}>{escape(words)}</text>'


def signed(number: float) -> str:
    """A number with the sign that print has for minus."""
    return f"{number:g}".replace("-", "−")
