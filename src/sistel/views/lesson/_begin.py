"""What a lesson opens with: values that were given, checked."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from sistel.errors import Text, refuse
from sistel.records import record
from sistel.views._lesson_data import LessonBegin

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.model import Model
    from sistel.motion.trajectories import Trajectory

Mode = Literal["forward", "inverse", "trajectory"]
Task = Literal["pose", "position", "pointing"]
Method = Literal["lm", "ccd", "anfis"]
Kind = Literal["cubic", "quintic", "septic", "trapezoid", "scurve"]

MOST_PIECES = 20_000
"""Pieces of a trajectory that a page takes."""


@record
class Opening:
    """What a lesson is asked to open with."""

    mode: Mode = "forward"
    q: ArrayLike | None = None
    """Coordinates to begin with, shape (nq,) [m or rad]; those of the start unless told otherwise."""
    target: ArrayLike | None = None
    """Pose of the tool to solve for, shape (4, 4) [m]; the page then opens with the answer."""
    task: Task = "pose"
    """Which part of the pose counts."""
    method: Method = "lm"
    """How it is solved for."""
    to: ArrayLike | None = None
    """Coordinates to go to, shape (nq,) [m or rad]; the page then opens with the trajectory from `q`."""
    kind: Kind = "quintic"
    """Of the trajectory."""
    duration: float | None = None
    """Of the trajectory [s]; 2 s, or the shortest within the limits, unless told otherwise."""
    trajectory: Trajectory | None = None
    """Of all coordinates: shown as it is, instead of `to`, `kind` and `duration`."""
    payload: float = 0.0
    """Mass at the place of the tool [kg]."""


def begin_of(model: Model, opening: Opening) -> LessonBegin:
    """The values as plain data.

    Raises:
        SistelError: A value does not fit.
    """
    mode, task, method, kind = opening.mode, opening.task, opening.method, opening.kind
    duration, payload = opening.duration, opening.payload
    given = (("mode", mode, Mode), ("task", task, Task), ("method", method, Method), ("kind", kind, Kind))
    for what, value, known in given:
        if value not in get_args(known):
            names = ", ".join(get_args(known))
            refuse("bad-call", Text(f"{what} is one of {names}", f"{what} — одно из {names}"))
    if duration is not None and not (_is_number(duration) and 0.0 < duration < 1e6):
        refuse("bad-call", Text("duration is a positive number of seconds", "duration — секунды, больше 0"))
    if not (_is_number(payload) and 0.0 <= payload < 1e9):
        refuse(
            "bad-call", Text("payload is a mass in kilograms, 0 or more", "payload — масса в килограммах, не меньше 0")
        )
    begin: LessonBegin = {
        "mode": mode,
        "q": _vector(opening.q, "q", model.nq),
        "target": None,
        "task": task,
        "method": method,
        "to": _vector(opening.to, "to", model.nq),
        "kind": kind,
        "duration": duration,
        "trajectory": None,
        "payload": float(payload),
    }
    if opening.target is not None:
        from sistel.solve import read_targets

        pose = read_targets(opening.target)
        if pose.shape != (4, 4):
            refuse("bad-call", Text("target is one 4×4 matrix", "target — одна матрица 4×4"))
        begin["target"] = [*pose[:3, :3].ravel().tolist(), *pose[:3, 3].tolist()]
    trajectory = opening.trajectory
    if trajectory is not None:
        if len(trajectory.names) != model.nq:
            count = len(trajectory.names)
            refuse(
                "bad-call",
                Text(
                    f"the trajectory has {count} coordinates, the system {model.nq}",
                    f"в траектории координат {count}, в системе {model.nq}",
                ),
            )
        if len(trajectory.knots) > MOST_PIECES:
            refuse(
                "bad-call",
                Text(f"the trajectory has more than {MOST_PIECES} pieces", f"в траектории больше {MOST_PIECES} кусков"),
            )
        begin["trajectory"] = {
            "knots": trajectory.knots.tolist(),
            "origins": trajectory.origins.tolist(),
            "coefficients": trajectory.coefficients.tolist(),
        }
        ends = trajectory([trajectory.t0, trajectory.t1])[0]
        begin["q"], begin["to"] = (list(map(float, row)) for row in ends)
    return begin


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.floating)) and not isinstance(value, bool) and math.isfinite(value)


def _vector(values: ArrayLike | None, name: str, size: int) -> list[float] | None:
    if values is None:
        return None
    try:
        numbers = np.array(values, dtype=float)
    except (TypeError, ValueError):
        numbers = np.zeros(())
    if numbers.shape != (size,) or not np.isfinite(numbers).all():
        refuse("bad-call", Text(f"{name} is {size} finite numbers", f"{name} — конечные числа, {size}"))
    return [float(number) for number in numbers]
