"""Colours and lines of sections, for light and for dark screens."""

from __future__ import annotations

from typing import Final

_SHARED: Final = """
.sistel-space{font-family:system-ui,"Segoe UI","DejaVu Sans",Roboto,sans-serif}
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
.sistel-space .case{stroke:#101820;stroke-opacity:.5;stroke-width:2.8;stroke-linejoin:round}
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
.sistel-space .over{stroke:#ffffff}
"""
_LIGHT: Final = """
.sistel-space .paper{fill:#ffffff}
.sistel-space text{fill:#1b2430}
.sistel-space .dim,.sistel-space .tick{fill:#5b6778}
.sistel-space .grid{stroke:#1b2430;stroke-opacity:.08}
.sistel-space .frame{stroke:#1b2430;stroke-opacity:.3}
.sistel-space .reached{fill:#2563c9;stroke:#2563c9}
.sistel-space .outline{stroke:#1b2430;stroke-opacity:.75}
.sistel-space .singular{stroke:#c2410c}
.sistel-space .singular.over{stroke:#ffffff}
.sistel-space .halo{stroke:#ffffff}
.sistel-space .link,.sistel-space .axis,.sistel-space .earth{stroke:#1d2731}
.sistel-space .joint{fill:#ffffff;stroke:#1d2731}
.sistel-space .pin{fill:#1d2731}
.sistel-space .tip{fill:#d4550c;stroke:#ffffff}
"""
_DARK: Final = """
.sistel-space .paper{fill:#12161c}
.sistel-space text{fill:#e6ebf2}
.sistel-space .dim,.sistel-space .tick{fill:#9aa7b8}
.sistel-space .grid{stroke:#e6ebf2;stroke-opacity:.09}
.sistel-space .frame{stroke:#e6ebf2;stroke-opacity:.32}
.sistel-space .reached{fill:#78aeff;stroke:#78aeff}
.sistel-space .outline{stroke:#e6ebf2;stroke-opacity:.8}
.sistel-space .singular{stroke:#ff9d63}
.sistel-space .singular.over{stroke:#ffffff}
.sistel-space .halo{stroke:#12161c}
.sistel-space .link,.sistel-space .axis,.sistel-space .earth{stroke:#e6ebf2}
.sistel-space .joint{fill:#12161c;stroke:#e6ebf2}
.sistel-space .pin{fill:#e6ebf2}
.sistel-space .tip{fill:#ff9d63;stroke:#12161c}
"""


def style(theme: str) -> str:
    """The rules of a theme: "light", "dark", or "auto", as the reader's screen is."""
    if theme == "dark":
        return _SHARED + _DARK
    return _SHARED + _LIGHT + ("" if theme == "light" else f"@media (prefers-color-scheme:dark){{{_DARK}}}")
