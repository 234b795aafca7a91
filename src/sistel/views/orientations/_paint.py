"""Colours, letters and the frame of pictures of orientations; the same palette as that of kinematic schemes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from sistel.errors import Language
from sistel.look import AXES as COLOURS
from sistel.look import SANS, Theme, mixed, painted
from sistel.views._drawing import Drawing
from sistel.views.orientations._solids import LEVELS

GROUNDS = ("c7", "c1", "c5", "c2", "c4", "c6", "c0", "c3")
"""Tokens of what belongs together."""
_SURFACES: dict[str, tuple[str, tuple[float, float], tuple[float, float]]] = {
    # What a surface is made of: a token, and how much of the paper is in it where it is darkest and brightest, by day
    # and by night.
    "plate": ("edge", (0.3, 0.97), (0.8, 0.15)),
    "cold": (COLOURS["x"], (0.35, 0.85), (0.65, 0.1)),
    "warm": (COLOURS["y"], (0.35, 0.85), (0.65, 0.1)),
}
CLASSES = len(GROUNDS)
"""Grounds of table cells and boxes that belong together, and lines that lead to the same."""
GROUND = 0.14
"""Part of a token in a ground."""


def style(theme: Theme, more: str = "") -> str:
    """The rules of a picture.

    Args:
        theme: Light, dark, or as the reader's screen.
        more: Rules without colours.
    """
    rules = _plain() + more + painted(_RULES, theme)
    shades = [_shades(dark=theme == "dark")]
    if theme == "auto":
        shades.append(f"@media (prefers-color-scheme:dark){{{_shades(dark=True)}}}")
    return f"<style>{rules}{''.join(shades)}</style>"


def _plain() -> str:
    return _scoped(
        {
            "text": f"font-family:{SANS};font-size:12px",
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


def _shades(*, dark: bool) -> str:
    """Mixtures of tokens: shaded surfaces, and grounds that let letters be read."""
    rules = {}
    for kind, (token, *ends) in _SURFACES.items():
        darkest, brightest = ends[dark]
        for level in range(LEVELS):
            part = darkest + (brightest - darkest) * level / (LEVELS - 1)
            shade = mixed(token, "paper", part, dark=dark)
            # A hair of the same colour closes the seams between neighbouring faces.
            rules[f".{kind}{level}"] = f"fill:{shade};stroke:{shade};stroke-width:0.6"
    for number, token in enumerate(GROUNDS):
        rules[f".class{number}"] = f"fill:{mixed('paper', token, GROUND, dark=dark)}"
    return _scoped(rules)


def _scoped(rules: Mapping[str, str]) -> str:
    made = []
    for names, rule in rules.items():
        made.append(f"{','.join(f'.sistel-pose {name}' for name in names.split(','))}{{{rule}}}")
    return "\n".join(made) + "\n"


_RULES = _scoped(
    {
        ".paper": "fill:var(--paper)",
        ".cell": "fill:var(--paper);stroke:var(--line)",
        ".head": "fill:var(--plate);stroke:var(--line)",
        "text": "fill:var(--ink)",
        ".dim": "fill:var(--dim)",
        ".edge": "stroke:var(--ink)",
        ".globe": "stroke:var(--line)",
        ".arc": "stroke:var(--edge)",
        ".patch": "fill:var(--soft);fill-opacity:0.85",
        ".old": "stroke:var(--dim)",
        ".old-tip,.old-letter": "fill:var(--dim);stroke:none",
        ".letter": "stroke:var(--paper)",
        ".sweep": "stroke:var(--ink)",
        ".sweep-tip": "fill:var(--ink);stroke:none",
        ".sector": "fill:var(--accent);fill-opacity:0.12;stroke:none",
        ".link": "fill:none;stroke-width:1.5",
        ".node": "stroke:var(--dim)",
        **{f".axis-{name}": f"stroke:var(--{token})" for name, token in COLOURS.items()},
        **{f".tip-{name},.letter-{name}": f"fill:var(--{token})" for name, token in COLOURS.items()},
        **{f".link{number}": f"stroke:var(--{token})" for number, token in enumerate(GROUNDS)},
    }
)


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
