"""Colours and lines of sections, for light and for dark screens."""

from __future__ import annotations

from typing import Final, Literal

from sistel.look import SANS, Theme, inside, painted

_SHARED: Final = (
    f".sistel-space{{font-family:{SANS}}}"
    + """
.sistel-space text{font-size:12.5px}
.sistel-space .name{font-size:19px;font-weight:600}
.sistel-space .tick{font-size:11.5px;font-variant-numeric:tabular-nums}
.sistel-space .middle{text-anchor:middle}
.sistel-space .end{text-anchor:end}
.sistel-space path,.sistel-space .frame{fill:none}
.sistel-space .grid{stroke-width:1}
.sistel-space .frame{stroke-width:1}
.sistel-space .reached{stroke-width:1.6;stroke-linejoin:round;fill-opacity:.2}
.sistel-space .outline{stroke-width:1.3;stroke-linejoin:round}
.sistel-space .singular{stroke-width:1.5;stroke-linecap:round;stroke-linejoin:round}
.sistel-space .case{stroke:var(--ink);stroke-opacity:.5;stroke-width:2.8;stroke-linejoin:round}
.sistel-space .none{stroke:none}
.sistel-space .k0{stroke-dasharray:9 5}
.sistel-space .k1{stroke-dasharray:2 4.5}
.sistel-space .k2{stroke-dasharray:12 4 2 4}
.sistel-space .k3{stroke-dasharray:5 4}
.sistel-space .k4{stroke-dasharray:1 6}
.sistel-space .halo{stroke-width:11;stroke-linejoin:round;stroke-linecap:round;stroke-opacity:.85}
.sistel-space .link{stroke-width:5.5;stroke-linejoin:round;stroke-linecap:round}
.sistel-space .joint{stroke-width:2}
.sistel-space .axis{stroke-width:1.3}
.sistel-space .earth{stroke-width:1.6;stroke-linecap:round}
.sistel-space .tip{stroke-width:2}
.sistel-space .over{stroke:var(--paper)}
"""
)
_COLOURS: Final = """
.sistel-space .paper{fill:var(--paper)}
.sistel-space text{fill:var(--ink)}
.sistel-space .dim,.sistel-space .tick{fill:var(--dim)}
.sistel-space .grid{stroke:var(--line)}
.sistel-space .frame{stroke:var(--edge)}
.sistel-space .reached{fill:var(--accent);stroke:var(--accent)}
.sistel-space .outline{stroke:var(--ink);stroke-opacity:.75}
.sistel-space .singular{stroke:var(--c1)}
.sistel-space .singular.over{stroke:var(--paper)}
.sistel-space .halo{stroke:var(--paper)}
.sistel-space .link,.sistel-space .axis,.sistel-space .earth{stroke:var(--ink)}
.sistel-space .joint{fill:var(--paper);stroke:var(--ink)}
.sistel-space .pin{fill:var(--ink)}
.sistel-space .tip{fill:var(--c1);stroke:var(--paper)}
"""


def style(theme: Theme | Literal["page"]) -> str:
    """The rules of a theme: "light", "dark", "auto", as the reader's screen is, or those of a page that it is on."""
    return inside(_SHARED + _COLOURS) if theme == "page" else painted(_SHARED + _COLOURS, theme)
