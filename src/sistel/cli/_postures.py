"""Postures of arms on a command line: numbers with units, names of postures, coordinates by name; and the tool."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._described import options
from sistel.cli._values import read_number
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.arrays import Array
    from sistel.system import System
    from sistel.units import Dimension

Task = Literal["pose", "position", "pointing"]
FRAME, DEGREES = options(
    """
    --frame NAME | ИМЯ
        the tool: a body, frame or point; by default the frame or the point of the last body, or that body
        инструмент: тело, репер или точка; по умолчанию репер или точка последнего тела или само это тело
    --degrees
        numbers without units are degrees and millimetres, not radians and metres
        числа без единиц — градусы и миллиметры, а не радианы и метры
    """
)
LARGEST = 1e15
"""Of numbers that mean something [SI]."""
POSTURE = Text("POSTURE", "ПОЗА")
POSTURE_HELP = Text(
    "Q1,Q2,… (rad and m, or with units: 30°, 200mm), name=value,… or the name of a posture",
    "Q1,Q2,… (рад и м или с единицами: 30°, 200мм), имя=значение,… или имя позы",
)


HAND = "hand"
"""What the tool of an arm is called where several things could be meant."""


def usual_frame(call: Call, system: System) -> str:
    """The tool that is asked for; else the frame or the point of the last body, or that body; commands say which."""
    given = call.value("frame")
    model = system.model
    if given is not None or not model.bodies:
        return given or HAND
    last = model.bodies[-1]
    frames, points = (
        [each.name for each in things if each.body == last.number] for things in (model.frames, model.points)
    )
    for names in ([each for each in (*frames, *points) if each == HAND], frames, points):
        if len(names) == 1:
            return names[0]
    # A file with frames elsewhere means one of them, and of several the last.
    others = frames or ([] if points else [each.name for each in model.frames])
    return HAND if HAND in others else others[-1] if others else last.name


def read_task(call: Call) -> Task:
    """What of a pose is asked for."""
    word = call.value("task")
    return "position" if word == "position" else "pointing" if word == "pointing" else "pose"


def coded_pose(code: Sequence[float]) -> Array:
    """The pose that `--code` says, shape (4, 4)."""
    import numpy as np

    from sistel.pose import read_position

    poses = read_position(code)
    if len(poses) != 1:
        wrong_call("bad-code", Text("--code is the code of one pose", "--code — код одной позы"))
    return np.asarray(poses[0].matrix)


def read_posture(call: Call, key: str, system: System) -> list[float] | None:
    """Coordinates that an option says, shape (nq,) [m or rad]; None where it is not given."""
    text = call.value(key)
    return None if text is None else posture_of(call, key, text, system)


def posture_of(call: Call, key: str, text: str, system: System) -> list[float]:
    """Coordinates of a posture by its words."""
    from sistel.views.schemes import coordinates_at

    model = system.model
    try:
        if "=" in text:
            return list(coordinates_at(model, _named(call, key, text, system)))
        parts = [part.strip() for part in text.split(",")]
        if len(parts) == 1 and not _is_number(parts[0]) and not parts[0][:1].isdigit():
            return list(coordinates_at(model, parts[0]))
        return _in_order(call, key, parts, system)
    except CallError:
        raise
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None


def read_ends(call: Call, key: str, system: System) -> list[float] | dict[str, float] | None:
    """Ends of ranges that an option says: of all coordinates, one number for all, or of those that are named [SI]."""
    text = call.value(key)
    if text is None:
        return None
    if "=" in text:
        try:
            return _named(call, key, text, system)
        except CallError:
            raise
        except SistelError as problem:
            raise CallError(problem.diagnostics) from None
    parts = [part.strip() for part in text.split(",")]
    return _in_order(call, key, parts * system.model.nq if len(parts) == 1 else parts, system)


def _kinds(system: System) -> list[str]:
    return [kind for body in system.model.bodies for _, kind in body.joint.type.coordinates]


def _named(call: Call, key: str, text: str, system: System) -> dict[str, float]:
    """Coordinates that are said by name."""
    from sistel.views.schemes import coordinates_at

    model, kinds = system.model, _kinds(system)
    names = [*model.coordinate_names]
    places = {name: i for i, name in enumerate(names)}
    joints = {body.joint.name: body.first_q for body in model.bodies if body.joint.type.nq == 1}
    found: dict[str, float] = {}
    for piece in text.split(","):
        name, _, value = (part.strip() for part in piece.partition("="))
        i = places.get(name, joints.get(name))
        if i is None:
            coordinates_at(model, {name: 0.0})  # which refuses the name
            raise AssertionError(name)
        if names[i] in found:
            wrong_call("bad-state", Text(f'--{key} says "{name}" twice', f"в --{key} «{name}» сказано дважды"))
        found[names[i]] = number_of(call, key, value, kinds[i])
    return found


def _in_order(call: Call, key: str, parts: list[str], system: System) -> list[float]:
    """All coordinates, one after another."""
    model = system.model
    if len(parts) != model.nq:
        names = ", ".join(model.coordinate_names)
        wrong_call(
            "bad-number",
            Text(
                f"--{key} has {len(parts)} numbers, and the arm {model.nq} coordinates",
                f"в --{key} чисел {len(parts)}, а координат {model.nq}",
            ),
            expected=Text(names, names),
        )
    return [number_of(call, key, part, kind) for part, kind in zip(parts, _kinds(system), strict=True)]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def number_of(call: Call, key: str, text: str, kind: str, per: int = 0) -> float:
    """A coordinate, or its rate by the given power of seconds, in SI; with `--degrees`, plain ones are ° and mm."""
    from sistel.units import ANGLE, LENGTH, PLAIN, TIME, UNIT_BY_WORD

    by: dict[str, Dimension] = {"turn": ANGLE, "slide": LENGTH}
    dimension = by.get(kind, PLAIN)
    for _ in range(per):
        dimension = dimension.over(TIME)
    # As typed by hand: seconds as the language of models has them.
    value = read_number(f"--{key}", text.replace("с²", "с^2").replace("s²", "s^2"), dimension)
    if call.given("degrees") and _is_number(text):
        value = UNIT_BY_WORD["deg" if kind == "turn" else "mm"].to_si(value) if kind in by else value
    if not abs(value) < LARGEST:
        wrong_call("bad-number", Text(f'--{key} cannot be "{text}"', f"--{key} не может быть «{text}»"))
    return value


def read_rates(call: Call, key: str, system: System, per: int) -> list[float] | None:
    """Rates of all coordinates that an option says, one number for all or one for each [SI]."""
    text = call.value(key)
    if text is None:
        return None
    kinds = [*system.model.rate_kinds]
    parts = [part.strip() for part in text.split(",")]
    if len(parts) not in (1, len(kinds)):
        wrong_call(
            "bad-number",
            Text(
                f"--{key} has {len(parts)} numbers, and the arm {len(kinds)} coordinates",
                f"в --{key} чисел {len(parts)}, а координат {len(kinds)}",
            ),
        )
    if len(parts) == 1:
        parts = parts * len(kinds)
    return [number_of(call, key, part, kind, per) for part, kind in zip(parts, kinds, strict=True)]


def read_place(call: Call, key: str) -> list[float] | None:
    """A place that an option says, shape (3,) [m]; with `--degrees`, numbers without units are millimetres."""
    text = call.value(key)
    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 3:
        wrong_call(
            "bad-place",
            Text(f'--{key} cannot be "{text}"', f"--{key} не может быть «{text}»"),
            expected=Text("three numbers with commas between them", "три числа через запятую"),
        )
    return [number_of(call, key, part, "slide") for part in parts]


def read_numbers(call: Call, key: str, counts: Sequence[int] = ()) -> list[float] | None:
    """Finite plain numbers with commas between them, as many as are allowed; any number of them without `counts`."""
    text = call.value(key)
    if text is None:
        return None
    try:
        found = [float(part) for part in text.split(",")]
    except ValueError:
        found = []
    if (counts and len(found) not in counts) or not found or not all(map(math.isfinite, found)):
        many = f": {' / '.join(map(str, counts))}" if counts else ""
        wrong_call(
            "bad-number",
            Text(f'--{key} cannot be "{text}"', f"--{key} не может быть «{text}»"),
            expected=Text(f"numbers with commas between them{many}", f"числа через запятую{many}"),
        )
    return found
