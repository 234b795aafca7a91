"""Colours of moving schemes: of a page, or light and dark of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from sistel.look import SANS, inside, painted

Look = Literal["page", "auto", "light", "dark"]

_RULES = {
    ".paper": "fill:var(--paper)",
    "path,circle": "fill:none;stroke:var(--ink);stroke-linejoin:round;stroke-linecap:round",
    ".solid": "fill:var(--solid)",
    ".earth": "stroke:var(--edge)",
    ".earth.solid": "fill:var(--soil)",
    ".hatch": "stroke:var(--edge);stroke-linecap:butt",
    ".hollow,.end": "fill:var(--paper)",
    ".full": "fill:var(--ink)",
    ".spring,.drive": "stroke:var(--warn)",
    ".arrow": "stroke:var(--accent)",
    ".arrow.full": "fill:var(--accent)",
    ".touch": "fill:var(--bad);stroke:none",
    ".mark": "stroke:none",
    "text": f"font-family:{SANS};fill:var(--ink);stroke:var(--paper);paint-order:stroke;stroke-linejoin:round",
    ".plate": "fill:var(--solid);fill-opacity:0.75",
    ".floor": "fill:var(--soil);stroke:var(--edge)",
    ".net": "stroke:var(--line)",
    ".axis": "fill:var(--edge)",
}


def style_rules(look: Look, scope: str) -> str:
    """The rules of a scheme; none of them reaches beyond the class `scope`."""
    return coloured(_RULES, look, scope)


def coloured(rules: Mapping[str, str], look: Look, scope: str) -> str:
    """Rules by their selectors inside a class, with the colours of a page or colours of their own."""
    made = []
    for names, rule in rules.items():
        selector = ",".join(f".{scope} {name}" for name in names.split(","))
        made.append(f"{selector}{{{rule}}}\n")
    return inside("".join(made)) if look == "page" else painted("".join(made), look)
