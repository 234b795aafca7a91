"""`sistel ik --method all`: every method from the same start, each with its error against forward kinematics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from sistel.cli._motion_tables import table
from sistel.errors import SistelError, Text
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.cli._postures import Task
    from sistel.errors import Language
    from sistel.plain import JsonObject
    from sistel.solve import Solution
    from sistel.system import System
    from sistel.views.text import Table

METHODS: dict[str, Text] = {
    "lm": Text("Levenberg and Marquardt", "Левенберг — Марквардт"),
    "ccd": Text("coordinate descent", "покоординатный спуск"),
    "analytic": Text("closed form", "замкнутое решение"),
    "anfis": Text("networks", "сети"),
    "anfis, lm": Text("the first after networks", "первый после сетей"),
}


@record
class Tried:
    """What a method has found."""

    method: str
    solution: Solution | None
    turn: float
    """Angle between the tool and its target, by forward kinematics [rad]."""
    place: float
    """Distance between them [m]."""
    why_not: Text | None
    """Where it does not apply, or has not reached the target."""

    @property
    def success(self) -> bool:
        """Whether the tool is there."""
        return self.solution is not None and bool(self.solution.success)


def try_all(
    system: System, frame: str, target: Array, start: list[float] | None, task: Task, networks: str | None
) -> list[Tried]:
    """Solve one pose by every method, each from the same start; networks have none."""
    tried = []
    for key in METHODS:
        method, taught = key.split(", ")[-1], networks if "anfis" in key else None
        if "anfis" in key and networks is None:
            why = Text("no networks: --networks FILE", "нет сетей: --networks ФАЙЛ")
            tried += [_none(key, why)] if key == "anfis" else []
            continue
        begin = None if taught is not None else start
        try:
            found = system.inverse_kinematics(target, frame, cast("Any", method), q=begin, task=task, networks=taught)
        except SistelError as problem:
            if key != "analytic":
                raise
            first = problem.diagnostics[0]
            tried.append(_none(key, first.message if first.hint is None else first.hint))
            continue
        turn, place = _errors(system, frame, target, found, task)
        why_not = None if found.success else found.reason
        tried.append(Tried(method=key, solution=found, turn=turn, place=place, why_not=why_not))
    return tried


def _none(method: str, why: Text) -> Tried:
    return Tried(method=method, solution=None, turn=math.nan, place=math.nan, why_not=why)


def _errors(system: System, frame: str, target: Array, found: Solution, task: Task) -> tuple[float, float]:
    """How far the tool is from its target, by forward kinematics of the answer: as much of it as is asked for."""
    import numpy as np

    X = system.pose(found.q, frame)
    place = float(np.linalg.norm(X[:3, 3] - target[:3, 3]))
    if task == "position":
        return 0.0, place
    a, b = (X[:3, 2], target[:3, 2]) if task == "pointing" else (None, None)
    if a is not None and b is not None:
        return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b)), place
    R = X[:3, :3].T @ target[:3, :3]
    sine = 0.5 * float(np.linalg.norm([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]))
    return math.atan2(sine, 0.5 * (float(np.trace(R)) - 1.0)), place


def methods_table(tried: list[Tried], lang: Language) -> Table:
    """A row for every method."""
    ru = lang == "ru"
    heads = (
        ("метод", "погрешность, рад", "мм", "итераций", "попыток", "решение")
        if ru
        else ("method", "error, rad", "mm", "iterations", "attempts", "answer")
    )
    rows = []
    for each in tried:
        found = each.solution
        word = Text("found", "найдено") if each.success else Text("not found", "не найдено")
        word = Text("none", "нет") if found is None else word
        numbers = (
            ["–"] * 4
            if found is None
            else [f"{each.turn:.2g}", f"{1e3 * each.place:.2g}", f"{found.iterations}", f"{int(found.attempt) + 1}"]
        )
        rows.append([METHODS[each.method].say(lang), *numbers, word.say(lang)])
    return table("Методы из одного начала" if ru else "Methods from the same start", heads, rows, left=1)


def methods_data(system: System, tried: list[Tried], lang: Language) -> JsonObject:
    """The same as plain data."""
    names = system.model.coordinate_names
    return {
        each.method: {
            "success": each.success,
            "reason": None if each.why_not is None else each.why_not.say(lang),
            "turn": None if each.solution is None else each.turn,
            "place": None if each.solution is None else each.place,
            "q": None if each.solution is None else dict(zip(names, each.solution.q.tolist(), strict=True)),
            "iterations": None if each.solution is None else int(each.solution.iterations),
            "attempts": None if each.solution is None else int(each.solution.attempt) + 1,
        }
        for each in tried
    }
