"""SVG paths as polylines, for boxes and for keeping labels off lines."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

Point = tuple[float, float]
Polyline = list[Point]

_TOKEN = re.compile(r"([A-Za-z])|([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|\{\})")
_FLAG = re.compile(r"[\s,]*([01])")
_ARGUMENTS = {"m": 2, "l": 2, "h": 1, "v": 1, "c": 6, "s": 4, "q": 4, "t": 2, "a": 7, "z": 0}
PIECES = 16
"""Chords of one curve: a quarter of a circle is off by 0.1 % of its radius at most."""


def path_polylines(d: str, gaps: Sequence[float] = ()) -> list[Polyline]:
    """The lines of a path that was checked before, curves as chords [units of the path].

    Args:
        d: The path; {} stands for the next of `gaps`.
        gaps: Numbers that know their formulas keep them in straight lines, and in arcs that keep their proportions.
    """
    made: list[Polyline] = []
    here, start, control = (0.0, 0.0), (0.0, 0.0), None
    last = ""
    for command, numbers in _commands(d, gaps):
        kind, relative = command.lower(), command.islower()
        ox, oy = here if relative else (0.0, 0.0)
        if kind == "m":
            here = start = (ox + numbers[0], oy + numbers[1])
            made.append([here])
            control, last = None, kind
            continue
        if not made:
            made.append([here])
        if last == "z":
            made.append([here])
        if kind == "z":
            made[-1].append(start)
            here, control, last = start, None, kind
            continue
        if kind in "hv":
            end = (ox + numbers[0], here[1]) if kind == "h" else (here[0], oy + numbers[0])
            points, control = [end], None
        elif kind == "a":
            end = (ox + numbers[5], oy + numbers[6])
            points, control = _arc(here, numbers, end), None
        else:
            given = [(ox + numbers[i], oy + numbers[i + 1]) for i in range(0, len(numbers), 2)]
            if kind in "st":
                same = last in ("cs" if kind == "s" else "qt") and control is not None
                first = (2 * here[0] - control[0], 2 * here[1] - control[1]) if same and control else here
                given.insert(0, first)
            control = given[-2] if len(given) > 1 else None
            points = _bezier([here, *given]) if kind != "l" else given
        made[-1] += points
        here, last = points[-1], kind
    return [line for line in made if line]


def _commands(d: str, gaps: Sequence[float]) -> Iterator[tuple[str, list[float]]]:
    at, command, numbers, given = 0, "", list[float](), iter(gaps)
    while at < len(d):
        flag = command.lower() == "a" and len(numbers) in (3, 4)
        found = (_FLAG.match if flag else _TOKEN.search)(d, at)
        if found is None:
            return
        at = found.end()
        if not flag and found.group(1):
            command, numbers = found.group(1), []
            if command in "zZ":
                yield command, []
            continue
        word = found.group(1) if flag else found.group(2)
        numbers.append(next(given) if word == "{}" else float(word))
        if len(numbers) == _ARGUMENTS[command.lower()]:
            yield command, numbers
            numbers = []
            # Further pairs after a move are lines.
            command = {"m": "l", "M": "L"}.get(command, command)


def _bezier(points: list[Point]) -> Polyline:
    made = []
    for i in range(1, PIECES + 1):
        level, t = points, i / PIECES
        while len(level) > 1:
            level = [(a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])) for a, b in pairwise(level)]
        made.append(level[0])
    return made


def _arc(begin: Point, numbers: list[float], end: Point) -> Polyline:
    """An arc by its centre: SVG 1.1, appendix F.6.5."""
    rx, ry, phi = abs(numbers[0]), abs(numbers[1]), math.radians(numbers[2])
    if not (rx and ry) or begin == end:
        return [end]
    c, s = math.cos(phi), math.sin(phi)
    dx, dy = (begin[0] - end[0]) / 2, (begin[1] - end[1]) / 2
    x, y = c * dx + s * dy, -s * dx + c * dy
    grow = math.sqrt(max(1.0, (x / rx) ** 2 + (y / ry) ** 2))
    rx, ry = rx * grow, ry * grow
    below = (rx * y) ** 2 + (ry * x) ** 2
    root = math.sqrt(max(0.0, (rx * ry) ** 2 - below) / below)
    root = -root if bool(numbers[3]) == bool(numbers[4]) else root
    cx, cy = root * rx * y / ry, -root * ry * x / rx
    first = math.atan2((y - cy) / ry, (x - cx) / rx)
    sweep = math.atan2((-y - cy) / ry, (-x - cx) / rx) - first
    if numbers[4] and sweep < 0:
        sweep += 2 * math.pi
    if not numbers[4] and sweep > 0:
        sweep -= 2 * math.pi
    mx, my = (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
    made = []
    for i in range(1, 2 * PIECES + 1):
        a = first + sweep * i / (2 * PIECES)
        u, w = cx + rx * math.cos(a), cy + ry * math.sin(a)
        made.append((c * u - s * w + mx, s * u + c * w + my))
    made[-1] = end
    return made
