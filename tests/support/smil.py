"""SVG pictures that move, evaluated at a time: SMIL and transforms as their specifications have them.

Written apart from the package: it reads the text of a picture alone.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def product(m: Matrix, n: Matrix) -> Matrix:
    a, b, c, d, e, f = m
    p, q, r, s, t, u = n
    return (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f)


def command(kind: str, numbers: list[float]) -> Matrix:
    if kind == "translate":
        return (1.0, 0.0, 0.0, 1.0, numbers[0], numbers[1] if len(numbers) > 1 else 0.0)
    if kind == "rotate":
        c, s = math.cos(math.radians(numbers[0])), math.sin(math.radians(numbers[0]))
        return (c, s, -s, c, 0.0, 0.0)
    if kind == "scale":
        return (numbers[0], 0.0, 0.0, numbers[-1], 0.0, 0.0)
    assert kind == "matrix"
    a, b, c, d, e, f = numbers
    return (a, b, c, d, e, f)


def numbers_of(text: str) -> list[float]:
    return [float(word) for word in re.findall(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", text)]


def transform(text: str) -> Matrix:
    found = IDENTITY
    for kind, inside in re.findall(r"(\w+)\(([^)]*)\)", text):
        found = product(found, command(kind, numbers_of(inside)))
    return found


def eased(x1: float, y1: float, x2: float, y2: float, x: float) -> float:
    """The height of a cubic curve of Bézier from (0, 0) to (1, 1) where its abscissa is x, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(60):
        s = (low + high) / 2
        at = 3 * s * (1 - s) ** 2 * x1 + 3 * s * s * (1 - s) * x2 + s**3
        low, high = (s, high) if at < x else (low, s)
    s = (low + high) / 2
    return 3 * s * (1 - s) ** 2 * y1 + 3 * s * s * (1 - s) * y2 + s**3


def value_at(animation: ElementTree.Element, t: float) -> list[float] | str:
    """The value of an animation at a time [s]; numbers, or a word where it jumps between words."""
    length = float(animation.get("dur", "").removesuffix("s"))
    assert animation.get("repeatCount") == "indefinite"
    share = (t % length) / length
    shares = [float(word) for word in animation.get("keyTimes", "").split(";")]
    values = animation.get("values", "").split(";")
    assert len(shares) == len(values) and shares[0] == 0.0 and all(0 <= x <= 1 for x in shares)
    assert all(b >= a for a, b in pairwise(shares))
    place = max(i for i, at in enumerate(shares) if at <= share)
    mode = animation.get("calcMode", "linear")
    if mode == "discrete":
        word = values[place]
        return numbers_of(word) if re.match(r"[-+.\d]", word) else word
    assert shares[-1] == 1.0
    if place + 1 == len(shares):
        return numbers_of(values[-1])
    part = (share - shares[place]) / (shares[place + 1] - shares[place])
    if mode == "spline":
        splines = animation.get("keySplines", "").split(";")
        assert len(splines) == len(shares) - 1
        spline = numbers_of(splines[place])
        assert len(spline) == 4 and all(0 <= x <= 1 for x in spline)
        part = eased(*spline, part)
    a, b = numbers_of(values[place]), numbers_of(values[place + 1])
    assert len(a) == len(b)
    return [x + part * (y - x) for x, y in zip(a, b, strict=True)]


def matrices(root: ElementTree.Element, t: float) -> dict[str, Matrix]:
    """Of every element with an id: its matrix to the picture at a time [s]."""
    found: dict[str, Matrix] = {}

    def walk(element: ElementTree.Element, outer: Matrix) -> None:
        own = transform(element.get("transform", ""))
        for animation in element.findall(f"{SVG}animateTransform"):
            value = value_at(animation, t)
            assert not isinstance(value, str)
            own = command(animation.get("type", ""), value)
        here = product(outer, own)
        if element.get("id"):
            found[element.get("id", "")] = here
        for child in element:
            walk(child, here)

    walk(root, IDENTITY)
    return found


def attribute_at(element: ElementTree.Element, name: str, t: float) -> list[float] | str:
    """An attribute that an animation may change, at a time [s]."""
    for animation in element.findall(f"{SVG}animate"):
        if animation.get("attributeName") == name:
            return value_at(animation, t)
    text = element.get(name, "")
    return numbers_of(text) if re.match(r"[-+.\dMm]", text) else text
