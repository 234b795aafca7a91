"""Colours and letters of plots, for light and for dark screens."""

from __future__ import annotations

from sistel.look import COORDINATES, SANS, STRUCTURES, painted

_RULES = f"""
.sistel-plot{{font-family:{SANS}}}
.sistel-plot .paper{{fill:var(--paper)}}
.sistel-plot text{{fill:var(--ink);font-size:12px}}
.sistel-plot .name{{font-size:19px;font-weight:600}}
.sistel-plot .title{{font-size:13px;font-weight:600}}
.sistel-plot .dim,.sistel-plot .tick{{fill:var(--dim)}}
.sistel-plot .tick{{font-size:11.5px;font-variant-numeric:tabular-nums}}
.sistel-plot .middle{{text-anchor:middle}}
.sistel-plot .end{{text-anchor:end}}
.sistel-plot .grid{{fill:none;stroke:var(--line);stroke-width:1}}
.sistel-plot .frame{{fill:none;stroke:var(--line);stroke-width:1}}
.sistel-plot .line{{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}}
.sistel-plot .lead{{fill:none;stroke-width:1.2;stroke-opacity:.75}}
.sistel-plot .band{{fill-opacity:.08}}
.sistel-plot .lane{{fill-opacity:.38}}
.sistel-plot .chip{{fill-opacity:.55}}
.sistel-plot .many{{fill:var(--edge)}}
.sistel-plot .when{{fill:none;stroke:var(--edge);stroke-width:.8;stroke-dasharray:2 3}}
.sistel-plot .mark{{fill:var(--paper);stroke:var(--ink);stroke-width:1.1;stroke-linejoin:round}}
.sistel-plot .hit{{fill:var(--bad);stroke:var(--bad)}}
""" + "\n".join(
    [
        *(f".sistel-plot path.c{i}{{stroke:var(--{name})}}" for i, name in enumerate(COORDINATES)),
        *(f".sistel-plot text.c{i}{{fill:var(--{name})}}" for i, name in enumerate(COORDINATES)),
        *(f".sistel-plot .s{i}{{fill:var(--{name})}}" for i, name in enumerate(STRUCTURES)),
        "",
    ]
)

STYLE = painted(_RULES)
"""On a screen, as that of its reader is."""
PRINTED = (
    painted(_RULES, "light")
    + """.sistel-plot text{font-size:14px}
.sistel-plot .title{font-size:14.5px}
.sistel-plot .tick{font-size:13px}
"""
)
"""On paper: letters that can be read where a picture is as wide as a page."""
