"""Figures of SVG as paths."""

from __future__ import annotations

import re

from sistel.errors import Diagnostics, Text
from sistel.markup.xml._element import Element

FIGURES = ("path", "line", "rect", "circle", "ellipse", "polygon", "polyline")
_PLAIN = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)(?:px)?\s*")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def path_of(element: Element, name: str, diagnostics: Diagnostics) -> str | None:
    """The path of a figure; None where there is none to be seen."""
    if name == "path":
        d = element.attributes.get("d")
        return None if d is None else d.text.strip() or None
    numbers = {
        key: _number(element, key, diagnostics)
        for key in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height")
    }
    if name == "line":
        return "M{x1:.12g},{y1:.12g}L{x2:.12g},{y2:.12g}".format(**numbers)
    if name == "rect":
        wide, high = numbers["width"], numbers["height"]
        return (
            f"M{numbers['x']:.12g},{numbers['y']:.12g}h{wide:.12g}v{high:.12g}h{-wide:.12g}z"
            if wide > 0 < high
            else None
        )
    if name in ("circle", "ellipse"):
        a, b = (numbers["r"],) * 2 if name == "circle" else (numbers["rx"], numbers["ry"])
        if not (a > 0 < b):
            return None
        arcs = f"a{a:.12g},{b:.12g},0,1,1,{2 * a:.12g},0a{a:.12g},{b:.12g},0,1,1,{-2 * a:.12g},0z"
        return f"M{numbers['cx'] - a:.12g},{numbers['cy']:.12g}{arcs}"
    points = element.attributes.get("points")
    found = [] if points is None else _NUMBER.findall(points.text)
    if len(found) < 4 or len(found) % 2:
        return None
    pairs = " ".join(f"{x},{y}" for x, y in zip(found[::2], found[1::2], strict=True))
    return f"M{pairs}" + ("z" if name == "polygon" else "")


def _number(element: Element, key: str, diagnostics: Diagnostics) -> float:
    attribute = element.attributes.get(key)
    if attribute is None:
        return 0.0
    found = _PLAIN.fullmatch(attribute.text)
    if found is None or not abs(float(found[1])) <= 1e12:
        message = Text(f'"{attribute.text[:40]}" is no length', f"«{attribute.text[:40]}» — не длина")
        expected = Text("a number, in units of the drawing", "число в единицах рисунка")
        diagnostics.error("not-a-number", attribute.value.span(), message, expected=expected)
        return 0.0
    return float(found[1])
