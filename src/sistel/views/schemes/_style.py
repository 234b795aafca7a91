"""Colours of moving schemes: of a page, or light and dark of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Look = Literal["page", "auto", "light", "dark"]

LIGHT = {
    "paper": "#ffffff", "ink": "#1d2731", "plate": "#dbe5ee", "earth": "#5d6b78", "soil": "#e9ecef",
    "warm": "#a8501f", "cold": "#1f5a86", "faint": "#8795a1", "line": "#d5dbe1",
}  # fmt: skip
DARK = {
    "paper": "#12161c", "ink": "#dfe6ee", "plate": "#2b3a49", "earth": "#8a98a6", "soil": "#222a33",
    "warm": "#e39a6b", "cold": "#8cc4ec", "faint": "#7b8894", "line": "#2d3742",
}  # fmt: skip
_PAGE = {
    "paper": "--paper", "ink": "--ink", "plate": "--plate", "earth": "--faint", "soil": "--line",
    "warm": "--accent2", "cold": "--accent", "faint": "--faint", "line": "--line",
}  # fmt: skip
"""Custom properties of a page; where it has none, the light colours."""
STRUCTURES = (
    ("#4e79a7", "#6f9fd0"), ("#d98032", "#e59a55"), ("#59a14f", "#79bf6f"), ("#b07aa1", "#cc9abf"),
    ("#c9a227", "#dcbc55"), ("#499894", "#6bb8b4"), ("#9c755f", "#bb967f"), ("#d37295", "#e596b3"),
)  # fmt: skip
"""Of the bands of structures, light and dark."""


def style_rules(look: Look, scope: str) -> str:
    """The rules of a scheme; none of them reaches beyond the class `scope`."""
    if look == "page":
        return _rules({name: f"var({_PAGE[name]},{colour})" for name, colour in LIGHT.items()}, scope)
    if look != "auto":
        return _rules(DARK if look == "dark" else LIGHT, scope)
    return f"{_rules(LIGHT, scope)}@media (prefers-color-scheme:dark){{\n{_rules(DARK, scope)}}}\n"


def _rules(c: Mapping[str, str], scope: str) -> str:
    rules = {
        ".paper": f"fill:{c['paper']}",
        "path,circle": f"fill:none;stroke:{c['ink']};stroke-linejoin:round;stroke-linecap:round",
        ".solid": f"fill:{c['plate']}",
        ".earth": f"stroke:{c['earth']}",
        ".earth.solid": f"fill:{c['soil']}",
        ".hatch": f"stroke:{c['earth']};stroke-linecap:butt",
        ".hollow,.end": f"fill:{c['paper']}",
        ".full": f"fill:{c['ink']}",
        ".spring,.drive": f"stroke:{c['warm']}",
        ".arrow": f"stroke:{c['cold']}",
        ".arrow.full": f"fill:{c['cold']}",
        ".touch": f"fill:{c['warm']};stroke:none",
        ".mark": "stroke:none",
        "text": 'font-family:"DejaVu Sans","Segoe UI",Roboto,system-ui,sans-serif;'
        f"fill:{c['cold']};stroke:{c['paper']};paint-order:stroke;stroke-linejoin:round",
        ".plate": f"fill:{c['plate']};fill-opacity:0.75",
        ".floor": f"fill:{c['soil']};stroke:{c['earth']}",
        ".net": f"stroke:{c['line']}",
        ".axis": f"fill:{c['earth']}",
    }
    made = []
    for names, rule in rules.items():
        selector = ",".join(f".{scope} {name}" for name in names.split(","))
        made.append(f"{selector}{{{rule}}}\n")
    return "".join(made)
