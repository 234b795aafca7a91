"""Arms by the screws of their joints, as JSON in SI: a product of exponentials.

`{"home": 4 rows of 4 numbers, "frame": "tool", "joints": [{"name": "elbow", "screw": [wx, wy, wz, vx, vy, vz]}, …]}`:
the pose of the tool at zero, and for every joint its angular velocity and the velocity at the origin per unit of its
coordinate; `min` and `max` may follow, and `system` may name the arm.
"""

from __future__ import annotations

import json
import math
import re
from typing import cast

from sistel.errors import Diagnostics, Source, Span, Text
from sistel.markup._document import Document, make_node, si
from sistel.markup._losses import Losses
from sistel.markup.formats._foreign import Reading, put, put_numbers
from sistel.pose import Rotation, Vector3, cross, determinant, exact_rotation, norm, roll_pitch_yaw
from sistel.units import ANGLE, LENGTH, PLAIN

UNIT = 1e-9
"""How far axes may be from length 1, and a hinge from having no pitch."""


LONGEST_WHOLE = 300
"""Of a number [digits]; no float has more."""


def is_screws(text: str) -> bool:
    """Whether a text that is no XML is such an arm."""
    return text.lstrip(" \t\r\n\ufeff").startswith("{") and '"screw"' in text


def read_screws(source: Source, diagnostics: Diagnostics) -> tuple[Document | None, Losses]:
    """The document of an arm: at zero the frames of all bodies are along the ground's."""
    losses = Losses()
    reading = Reading(losses, diagnostics)
    try:
        data = json.loads(source.text.lstrip("\ufeff"), parse_int=_whole)
    except json.JSONDecodeError as problem:
        at = min(problem.pos, max(0, len(source.text) - 1))
        message = Text("this is no JSON", "это не JSON")
        diagnostics.error("no-json", Span(source, at, at + 1), message)
        return None, losses
    except RecursionError:
        diagnostics.error(
            "no-json", Span(source, 0, 1), Text("this is nested too deeply", "слишком большая вложенность")
        )
        return None, losses
    joints = data.get("joints") if isinstance(data, dict) else None
    home = _home(data, source, diagnostics)
    if not isinstance(joints, list) or not joints:
        message = Text('"joints" has to be a list', "«joints» должно быть списком")
        diagnostics.error("no-arm", _nth(source, "joints", 0), message)
        return None, losses
    whole = Span(source, 0, min(1, len(source.text)))
    system = make_node("system", whole, space="spatial", name=_word(data.get("system")))
    carrier, before = system, (0.0, 0.0, 0.0)
    for number, each in enumerate(joints):
        span = _nth(source, "screw", number)
        screw = _numbers(each.get("screw") if isinstance(each, dict) else None, 6)
        found = None if screw is None else _line(screw)
        if found is None:
            diagnostics.error(
                "no-arm",
                span,
                Text(
                    f"joint {number + 1} is neither a hinge (unit axis, no pitch) nor a slide (unit direction)",
                    f"сочленение {number + 1} — не шарнир (единичная ось без шага) и не ход (единичное направление)",
                ),
                expected=Text("wx, wy, wz, vx, vy, vz", "wx, wy, wz, vx, vy, vz"),
            )
            continue
        hinge, axis, point = found
        point = point if hinge else before
        body = make_node("body", span, joint="revolute" if hinge else "prismatic", axis=si(axis, PLAIN, span))
        put(body, "name", reading.fresh(_word(each.get("name")) or f"link {number + 1}", span), span)
        place = tuple(a - b for a, b in zip(point, before, strict=True))
        if any(place):
            put_numbers(body, "place", place, LENGTH, span)
        limits = {}
        for key in ("min", "max"):
            limit = _numbers([each.get(key, 0)], 1)
            if limit is None:
                message = Text(
                    f'joint {number + 1}: "{key}" is no number', f"сочленение {number + 1}: «{key}» — не число"
                )
                diagnostics.error("no-number", span, message)
            elif key in each:
                limits[key] = limit[0]
                put_numbers(body, key, limit[0], ANGLE if hinge else LENGTH, span)
        if len(limits) == 2 and limits["min"] > limits["max"]:
            message = Text(f"joint {number + 1}: min is above max", f"сочленение {number + 1}: min больше max")
            diagnostics.error("wrong-limits", span, message)
        carrier.children.append(body)
        carrier, before = body, point
    if diagnostics.failed or home is None:
        return None, losses
    frame = make_node("frame", whole, name=reading.fresh(_word(data.get("frame")) or "tool", whole))
    place = tuple(row[3] - part for row, part in zip(home, before, strict=True))
    if any(place):
        put_numbers(frame, "place", place, LENGTH, whole)
    turn = cast("Rotation", tuple(tuple(row[:3]) for row in home))
    angles = roll_pitch_yaw(turn)
    if any(angles):
        put_numbers(frame, "turn", angles, ANGLE, whole)
    carrier.children.append(frame)
    return Document(system, source, "en"), losses


def _whole(word: str) -> float:
    """A whole number; one of very many digits, which Python does not read, is infinite and so refused further on."""
    return int(word) if len(word) <= LONGEST_WHOLE else float(word)


def _home(data: object, source: Source, diagnostics: Diagnostics) -> list[list[float]] | None:
    """The first three rows of the pose at zero."""
    rows = data.get("home") if isinstance(data, dict) else None
    made = [_numbers(row, 4) for row in rows] if isinstance(rows, list) and len(rows) == 4 else []
    found = [row for row in made if row is not None]
    if len(found) == 4:
        R = cast("Rotation", tuple(tuple(row[:3]) for row in found[:3]))
        lengths = all(abs(norm(row) - 1.0) < UNIT for row in R)
        square = max(abs(sum(a * b for a, b in zip(R[i], R[j], strict=True))) for i, j in ((0, 1), (1, 2), (2, 0)))
        if lengths and square < UNIT and determinant(R) > 0.0 and found[3] == [0.0, 0.0, 0.0, 1.0]:
            exact = exact_rotation(R)
            return [[*turned, row[3]] for turned, row in zip(exact, found, strict=False)]
    message = Text('"home" is no pose', "«home» — не положение")
    expected = Text("4 rows of 4 numbers, the last 0, 0, 0, 1", "4 строки по 4 числа, последняя 0, 0, 0, 1")
    diagnostics.error("no-arm", _nth(source, "home", 0), message, expected=expected)
    return None


def _line(screw: list[float]) -> tuple[bool, Vector3, Vector3] | None:
    """Whether a screw is that of a hinge, its axis and a point on it; None where it is neither hinge nor slide."""
    w: Vector3 = (screw[0], screw[1], screw[2])
    v: Vector3 = (screw[3], screw[4], screw[5])
    pitch = sum(a * b for a, b in zip(w, v, strict=True))
    if abs(norm(w) - 1.0) < UNIT and abs(pitch) < UNIT:
        return True, w, cross(w, v)
    if norm(w) < 1e-12 and abs(norm(v) - 1.0) < UNIT:
        return False, v, (0.0, 0.0, 0.0)
    return None


def _numbers(values: object, count: int) -> list[float] | None:
    if not isinstance(values, list) or len(values) != count:
        return None
    if not all(isinstance(each, (int, float)) and not isinstance(each, bool) for each in values):
        return None
    try:
        made = [float(each) for each in values]
    except OverflowError:
        return None
    return made if all(map(math.isfinite, made)) else None


def _word(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def _nth(source: Source, word: str, number: int) -> Span:
    """Where a word stands for the n-th time; the beginning where it does not."""
    for count, found in enumerate(re.finditer(rf'"{word}"', source.text)):
        if count == number:
            return Span(source, found.start(), found.end())
    return Span(source, 0, min(1, len(source.text)))
