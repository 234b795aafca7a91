"""Colours and letters of plots, for light and for dark screens."""

from __future__ import annotations

COLOURS = (
    ("#2563c9", "#78aeff"),
    ("#d4550c", "#ff9d63"),
    ("#23863b", "#66d17f"),
    ("#9636b0", "#d898f0"),
    ("#c21f4e", "#ff8aa6"),
    ("#08788a", "#4dcfe0"),
    ("#8a6d00", "#e0c14a"),
    ("#5b6470", "#aab4c2"),
)
"""Pairs: on light paper, on dark."""


def _curves(which: int) -> str:
    rules = []
    for i, pair in enumerate(COLOURS):
        rules.append(f".sistel-plot path.c{i}{{stroke:{pair[which]}}}.sistel-plot text.c{i}{{fill:{pair[which]}}}")
        rules.append(f".sistel-plot .s{i}{{fill:{pair[which]}}}")
    return "\n".join(rules)


_LIGHT = f"""
.sistel-plot{{font-family:system-ui,"Segoe UI","DejaVu Sans",Roboto,sans-serif}}
.sistel-plot .paper{{fill:#ffffff}}
.sistel-plot text{{fill:#1b2430;font-size:12px}}
.sistel-plot .name{{font-size:19px;font-weight:600}}
.sistel-plot .title{{font-size:13px;font-weight:600}}
.sistel-plot .dim,.sistel-plot .tick{{fill:#5b6778}}
.sistel-plot .tick{{font-size:11.5px;font-variant-numeric:tabular-nums}}
.sistel-plot .middle{{text-anchor:middle}}
.sistel-plot .end{{text-anchor:end}}
.sistel-plot .grid{{fill:none;stroke:#1b2430;stroke-opacity:.09;stroke-width:1}}
.sistel-plot .frame{{fill:none;stroke:#1b2430;stroke-opacity:.28;stroke-width:1}}
.sistel-plot .line{{fill:none;stroke-width:1.7;stroke-linejoin:round;stroke-linecap:round}}
.sistel-plot .lead{{fill:none;stroke-width:1.2;stroke-opacity:.75}}
.sistel-plot .band{{fill-opacity:.10}}
.sistel-plot .lane{{fill-opacity:.38}}
.sistel-plot .chip{{fill-opacity:.55}}
.sistel-plot .many{{fill:#808890}}
.sistel-plot .when{{fill:none;stroke:#1b2430;stroke-opacity:.30;stroke-width:.8;stroke-dasharray:3 3}}
.sistel-plot .mark{{fill:#ffffff;stroke:#1b2430;stroke-width:1.1;stroke-linejoin:round}}
.sistel-plot .hit{{fill:#c2410c;stroke:#c2410c}}
{_curves(0)}
"""
_DARK = f"""@media (prefers-color-scheme:dark){{
.sistel-plot .paper{{fill:#12161c}}
.sistel-plot text{{fill:#e6ebf2}}
.sistel-plot .dim,.sistel-plot .tick{{fill:#9aa7b8}}
.sistel-plot .grid{{stroke:#e6ebf2;stroke-opacity:.10}}
.sistel-plot .frame{{stroke:#e6ebf2;stroke-opacity:.30}}
.sistel-plot .band{{fill-opacity:.13}}
.sistel-plot .lane{{fill-opacity:.42}}
.sistel-plot .when{{stroke:#e6ebf2;stroke-opacity:.35}}
.sistel-plot .mark{{fill:#12161c;stroke:#e6ebf2}}
.sistel-plot .hit{{fill:#ff8a52;stroke:#ff8a52}}
{_curves(1)}
}}
"""

STYLE = _LIGHT + _DARK
"""On a screen, as that of its reader is."""
PRINTED = (
    _LIGHT
    + """.sistel-plot text{font-size:14px}
.sistel-plot .title{font-size:14.5px}
.sistel-plot .tick{font-size:13px}
"""
)
"""On paper: letters that can be read where a picture is as wide as a page."""
