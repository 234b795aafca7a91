"""Transforms and outlines of SVG: as much of them as schemes need."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from sistel.errors import Diagnostics, Fragment, Text

Point = tuple[float, float]
Affine = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f of ``matrix(a b c d e f)``: x' = a x + c y + e, y' = b x + d y + f."""

STILL: Affine = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
RIGID = 1e-6
"""How far the numbers of a matrix may be from those of a turn: they are printed."""

_STEP = re.compile(r"[\s,]*([A-Za-z]+)\s*\(([^()]*)\)")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_TOKEN = re.compile(rf"([A-Za-z])|({_NUMBER.pattern})")
_COUNTS = {"translate": (1, 2), "rotate": (1, 3), "matrix": (6,)}
_FORM = Text("translate(x, y), rotate(angle) or both", "translate(x, y), rotate(угол) или оба")
_ARGUMENTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}


class Placed:
    """A transform that moves and turns."""

    def __init__(self, matrix: Affine = STILL, angle: float = 0.0, turns: bool = False) -> None:
        """With the matrix, the angle [deg], and whether it says one."""
        self.matrix = matrix
        self.angle = angle
        self.turns = turns

    @property
    def place(self) -> Point:
        """Where the origin goes."""
        return self.matrix[4], self.matrix[5]


def compose(outer: Affine, inner: Affine) -> Affine:
    """The inner transform, then the outer one."""
    a, b, c, d, e, f = outer
    p, q, r, s, t, u = inner
    return (a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s, a * t + c * u + e, b * t + d * u + f)


def apply(matrix: Affine, point: Point) -> Point:
    """Where a point goes."""
    a, b, c, d, e, f = matrix
    return a * point[0] + c * point[1] + e, b * point[0] + d * point[1] + f


def inverse(matrix: Affine) -> Affine:
    """Of a transform that moves and turns."""
    a, b, c, d, e, f = matrix
    return (a, c, b, d, -(a * e + b * f), -(c * e + d * f))


def turned(angle: float) -> Affine:
    """A turn [deg]."""
    s, c = math.sin(math.radians(angle)), math.cos(math.radians(angle))
    return (c, s, -s, c, 0.0, 0.0)


def read_transform(value: Fragment, diagnostics: Diagnostics) -> Placed:
    """What a transform says; one that stretches is an error."""
    text, at, made = value.text, 0, Placed()
    while text[at:].strip(" ,\t\n\r"):
        found = _STEP.match(text, at)
        if found is None:
            diagnostics.error(
                "bad-transform",
                value.span(at, len(text)),
                Text("this is no transform", "это не преобразование"),
                expected=_FORM,
            )
            return made
        name, words = found[1], _NUMBER.findall(found[2])
        numbers = [float(word) for word in words]
        if len(numbers) not in _COUNTS.get(name, ()) or not all(abs(each) <= 1e12 for each in numbers):
            message = Text(
                f'a body is moved and turned; it cannot have "{found[0].strip()[:60]}"',
                f"тело перемещают и поворачивают; «{found[0].strip()[:60]}» у него быть не может",
            )
            diagnostics.error("bad-transform", value.span(*found.span()), message, expected=_FORM)
            return made
        step = _step(name, numbers)
        if step is None:
            message = Text("this matrix stretches the body", "эта матрица растягивает тело")
            diagnostics.error("bad-transform", value.span(*found.span()), message, expected=_FORM)
            return made
        turns = name != "translate" and (name == "rotate" or abs(step.angle) > 0.0)
        made = Placed(compose(made.matrix, step.matrix), made.angle + step.angle, made.turns or turns)
        at = found.end()
    return made


def _step(name: str, numbers: list[float]) -> Placed | None:
    if name == "translate":
        return Placed((1.0, 0.0, 0.0, 1.0, numbers[0], numbers[1] if len(numbers) > 1 else 0.0))
    if name == "rotate":
        angle, *about = numbers
        centre = (about[0], about[1]) if about else (0.0, 0.0)
        there: Affine = (1.0, 0.0, 0.0, 1.0, *centre)
        back: Affine = (1.0, 0.0, 0.0, 1.0, -centre[0], -centre[1])
        return Placed(compose(compose(there, turned(angle)), back), angle)
    a, b, c, d, e, f = numbers
    if max(abs(a - d), abs(b + c), abs(a * a + b * b - 1.0)) > RIGID:
        return None
    angle = math.degrees(math.atan2(b, a))
    p, q, r, s, _, _ = turned(angle)
    return Placed((p, q, r, s, e, f), angle)


def vertices(d: str) -> list[Point]:
    """Where the strokes of a path begin and end; as far as it can be read."""
    return list(_walk(d))


def _walk(d: str) -> Iterator[Point]:
    command, numbers = "", [0.0] * 0
    x = y = 0.0
    start = (0.0, 0.0)
    for letter, word in _TOKEN.findall(d):
        if letter:
            command, numbers = letter, []
            if letter in "zZ":
                x, y = start
            continue
        if command.lower() not in _ARGUMENTS or not command:
            return
        numbers.append(float(word))
        if len(numbers) < _ARGUMENTS[command.lower()]:
            continue
        own = command.islower()
        if command in "hH":
            x = numbers[0] + (x if own else 0.0)
        elif command in "vV":
            y = numbers[0] + (y if own else 0.0)
        else:
            x, y = numbers[-2] + (x if own else 0.0), numbers[-1] + (y if own else 0.0)
        if command in "mM":
            start = (x, y)
            command = "l" if own else "L"
        numbers = []
        yield x, y
