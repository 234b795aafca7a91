"""SVG paths as lines of points: what planar bodies are drawn with, in space."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import pairwise

from sistel.records import record

Point2 = tuple[float, float]

_TOKEN = re.compile(r"([MmLlHhVvZzCcSsQqTtAa])|([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
_SIZES = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
CURVE = 16
"""Pieces of a curve."""
CIRCLE = 48
"""Pieces of a whole circle."""


@record
class Line:
    """A part of a path: points one after another, in millimetres as in the path."""

    points: tuple[Point2, ...]
    closed: bool


def read_path(path: str) -> list[Line]:
    """The parts of an SVG path; where it is not one, what comes before the mistake, as SVG demands."""
    lines: list[Line] = []
    points: list[Point2] = []
    start = here = (0.0, 0.0)
    control: Point2 | None = None
    before = ""

    def close(closed: bool) -> None:
        whole = points[:-1] if closed and len(points) > 1 and points[0] == points[-1] else list(points)
        if whole:
            lines.append(Line(points=tuple(whole), closed=closed and len(whole) > 2))
        points.clear()

    for letter, values in _commands(path):
        key = letter.upper()
        x0, y0 = here if letter.islower() else (0.0, 0.0)
        if key == "Z":
            close(True)
            here, before, control = start, key, None
            points.append(here)
            continue
        if key == "M":
            if len(points) > 1 or (points and before != "Z"):
                close(False)
            points.clear()
            start = here = (x0 + values[0], y0 + values[1])
            points.append(here)
            before, control = key, None
            continue
        if not points:
            points.append(here)
        if key in "HV":
            target = (x0 + values[0], here[1]) if key == "H" else (here[0], y0 + values[0])
            points.append(target)
        elif key == "A":
            target = (x0 + values[5], y0 + values[6])
            points.extend(_arc(here, values, target))
        else:
            pairs = [(x0 + values[i], y0 + values[i + 1]) for i in range(0, len(values), 2)]
            target = pairs[-1]
            if key == "L":
                points.append(target)
            else:
                smooth = control if control is not None and before in ("CS" if key == "S" else "QT") else here
                if key in "ST":
                    pairs.insert(0, (2 * here[0] - smooth[0], 2 * here[1] - smooth[1]))
                points.extend(_bezier([here, *pairs]))
                control = pairs[-2]
        here, before = target, key
        if key not in "CSQT":
            control = None
    if len(points) > 1 or (points and before != "Z"):
        close(False)
    return lines


def _commands(path: str) -> Iterator[tuple[str, list[float]]]:
    """Letters with their numbers; numbers that go on repeat the letter, and after M they mean L."""
    letter, values = "", list[float]()
    for match in _TOKEN.finditer(path):
        if match[1]:
            if values:
                return
            letter = match[1]
            if letter in "Zz":
                yield letter, []
            continue
        if not letter or letter in "Zz":
            return
        values.append(float(match[2]))
        if len(values) == _SIZES[letter.upper()]:
            yield letter, values
            values = []
            letter = {"M": "L", "m": "l"}.get(letter, letter)


def _bezier(points: list[Point2]) -> list[Point2]:
    """Points of a curve after its first (de Casteljau)."""
    found = []
    for step in range(1, CURVE + 1):
        s, level = step / CURVE, points
        while len(level) > 1:
            level = [(a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])) for a, b in pairwise(level)]
        found.append(level[0])
    return found


def _arc(begin: Point2, values: list[float], end: Point2) -> list[Point2]:
    """Points of an elliptic arc after its first, from its two ends (SVG 1.1, appendix F.6)."""
    rx, ry, turn, large, sweep = abs(values[0]), abs(values[1]), math.radians(values[2]), values[3], values[4]
    if begin == end:
        return []
    if rx == 0 or ry == 0:
        return [end]
    c, s = math.cos(turn), math.sin(turn)
    dx, dy = (begin[0] - end[0]) / 2, (begin[1] - end[1]) / 2
    x, y = c * dx + s * dy, c * dy - s * dx
    excess = (x / rx) ** 2 + (y / ry) ** 2
    if excess > 1:
        rx, ry = rx * math.sqrt(excess), ry * math.sqrt(excess)
    divisor = (rx * y) ** 2 + (ry * x) ** 2
    root = math.sqrt(max((rx * ry) ** 2 / divisor - 1.0, 0.0)) * (-1.0 if bool(large) == bool(sweep) else 1.0)
    cx, cy = root * rx * y / ry, -root * ry * x / rx
    middle = ((begin[0] + end[0]) / 2 + c * cx - s * cy, (begin[1] + end[1]) / 2 + s * cx + c * cy)
    first = math.atan2((y - cy) / ry, (x - cx) / rx)
    span = math.atan2((-y - cy) / ry, (-x - cx) / rx) - first
    if sweep and span < 0:
        span += 2 * math.pi
    elif not sweep and span > 0:
        span -= 2 * math.pi
    count = max(2, math.ceil(CIRCLE * abs(span) / (2 * math.pi)))
    found = []
    for step in range(1, count):
        angle = first + span * step / count
        u, v = rx * math.cos(angle), ry * math.sin(angle)
        found.append((middle[0] + c * u - s * v, middle[1] + s * u + c * v))
    return [*found, end]
