"""The code nearest to an orientation that a call writes in numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.cli._orient import Row, lines, matrix_lines, shown
from sistel.errors import Language, Text, did_you_mean, one_of, refuse
from sistel.pose import (
    CODES,
    ORDERS,
    Parameters,
    angle_between,
    axial_rotation,
    compose,
    from_quaternion,
    nearest_axial,
    quaternion,
    say_code,
    transpose,
)
from sistel.pose import axis_angle as axis_and_angle

if TYPE_CHECKING:
    from sistel.plain import JsonObject

NAMES = ("euler", "bryant", "aircraft", "ship")
_AWAY = 1e-9
"""How far apart orientations may be and still be called the same, and equally near [rad]."""


def quaternion_of(given: str, order: str, numbers: Sequence[float]) -> list[float]:
    """The unit quaternion of numbers in degrees.

    Args:
        given: quaternion, matrix, angles or axis.
        order: Of angles.
        numbers: As they were written.

    Raises:
        SistelError: They describe no rotation.
    """
    name = {"angles": order, "axis": "euler-parameters"}.get(given, given)
    if given == "angles" and order not in (*ORDERS, *NAMES):
        refuse(
            "no-set",
            Text(f'there is no order of axes "{order[:40]}"', f"нет порядка осей «{order[:40]}»"),
            expected=one_of([*NAMES, *ORDERS]),
            hint=did_you_mean(order, [*NAMES, *ORDERS]),
        )
    parameters = Parameters.standard()
    chosen = parameters.rotation(name)
    values = [math.radians(value) if i in chosen.angles else value for i, value in enumerate(numbers)]
    # Whatever leaves the range of numbers on the way is refused in the end, and not warned of before.
    with np.errstate(all="ignore"):
        q = parameters.convert_rotation(values, name, "quaternion")
    return [float(part) for part in q]


def nearest_data(q: Sequence[float], lang: Language) -> JsonObject:
    """The nearest code, how far it is, and which turn leads from it to the orientation."""
    codes, off = nearest_axial(np.array(q))
    code, angle = int(codes), float(off)
    R = from_quaternion(q)
    axis, rest = axis_and_angle(compose(transpose(axial_rotation(code)), R))
    table = np.array([quaternion(axial_rotation(each)) for each in CODES])
    apart = angle_between(table, np.array(q))
    same = [each for each, far in zip(CODES, apart, strict=True) if float(far) <= angle + _AWAY and each != code]
    return {
        "quaternion": [part + 0.0 for part in q],
        "matrix": [[entry + 0.0 for entry in row] for row in R],
        "code": code,
        "phrase": say_code(code, lang),
        "away": angle,
        "degrees": math.degrees(angle),
        "axial": angle <= _AWAY,
        "rest": {"axis": [part + 0.0 for part in axis], "degrees": math.degrees(rest)},
        "equally_near": same,
    }


def nearest_text(data: JsonObject, lang: Language) -> str:
    """The same for people."""
    away = (
        Text("0°: exactly that one", "0°: это он и есть").say(lang) if data["axial"] else f"{shown(data['degrees'])}°"
    )
    rows: list[Row] = [
        (Text("nearest code", "ближайший код"), f"{data['code']} — {data['phrase']}"),
        (Text("away", "отстоит на"), away),
    ]
    if not data["axial"]:
        axis = ", ".join(shown(part) for part in data["rest"]["axis"])
        about = Text("about its axis", "вокруг своей оси").say(lang)
        turn = f"{shown(data['rest']['degrees'])}° {about} ({axis})"
        rows.append((Text("from it by", "от него поворотом на"), turn))
    if data["equally_near"]:
        rows.append((Text("equally near", "столь же близки"), ", ".join(map(str, data["equally_near"]))))
    rows += [
        (Text("quaternion", "кватернион"), ", ".join(map(shown, data["quaternion"]))),
        (Text("matrix", "матрица"), matrix_lines(data["matrix"])),
    ]
    return lines(rows, lang)
