"""Trajectories as motions of all joints: names put in their places, poses passed one after another, times of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.arms.travels._task import Arm, Task, Tool, rates, settle, tool_of
from sistel.arms.travels._tool_paths import MET, along_way
from sistel.errors import Text, one_of, refuse, word_hint
from sistel.motion.trajectories import MotionTable, PoseTrajectory, Trajectory, spline, unit_named
from sistel.records import entry
from sistel.units import ANGLE, LENGTH, dimension_name

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.model import Model
    from sistel.motion.trajectories import Limits


@entry
class Followed:
    """A motion of all joints."""

    motion: Trajectory
    """Of all coordinates of the model, in its order."""
    way: PoseTrajectory | None = None
    """What the tool is to follow, where that was given."""
    tool: Tool | None = None

    def rows(self, t: Array) -> tuple[Array, Array, Array]:
        """Coordinates, velocities and accelerations at times, shape (n, nq); exact also along a way of the tool."""
        q, v, a = self.motion(t)
        if self.way is None or self.tool is None:
            return q, v, a
        asked = self.way(t)
        q = settle(self.tool, q, asked[0])[0]
        v, a, _ = rates(self.tool, q, asked)
        return q, v, a


def follow(
    arm: Arm,
    trajectory: Trajectory | PoseTrajectory | MotionTable,
    frame: str,
    task: Task,
    start: Array,
) -> Followed:
    """The motion of all joints that a trajectory asks for.

    Args:
        arm: Hinges and slides.
        trajectory: Of some coordinates by name, or of all in order; of the tool; or rows of a table.
        frame: The tool.
        task: What of a way of the tool is asked for.
        start: Coordinates that others stay at, and near which a way is begun, shape (nq,).

    Raises:
        SistelError: A name is unknown, or the tool cannot follow its way: when, and why.
    """
    units = None
    if isinstance(trajectory, MotionTable):
        units, trajectory = trajectory.units, trajectory.trajectory("spline")
    given: object = trajectory  # whatever its type was promised to be
    if not isinstance(given, Trajectory | PoseTrajectory):
        refuse(
            "bad-trajectory",
            Text("this is no trajectory", "это не траектория"),
            expected=Text("Trajectory, PoseTrajectory or MotionTable", "Trajectory, PoseTrajectory, MotionTable"),
            hint=Text("system.through(poses, …) makes one of poses", "из поз её делает system.through(poses, …)"),
        )
    if isinstance(given, PoseTrajectory):
        tool = tool_of(arm, frame, task)
        return Followed(along_way(tool, given, start), given, tool)
    return Followed(_of_all(arm.model, given, start, units))


def _of_all(model: Model, some: Trajectory, start: Array, units: Sequence[str] | None) -> Trajectory:
    """A trajectory of some coordinates as one of all; the others stay. Columns of a table have units."""
    names = list(model.coordinate_names)
    places = []
    plain = all(name == f"q{i + 1}" for i, name in enumerate(some.names))
    if plain and len(some.names) != len(names) and not set(some.names) & set(names):
        refuse(
            "wrong-size",
            Text(
                f"the trajectory has {len(some.names)} coordinates, the system {len(names)}",
                f"у траектории координат {len(some.names)}, у системы {len(names)}",
            ),
            expected=one_of(names),
            hint=Text("names=… says which ones move", "names=… говорит, какие из них движутся"),
        )
    by_joint = {body.joint.name: body.first_q for body in model.bodies if body.joint.type.nq == 1}
    for i, name in enumerate(some.names):
        if name in names:
            places.append(names.index(name))
        elif name in by_joint:
            places.append(by_joint[name])
        elif plain:
            places.append(i)
        else:
            refuse(
                "unknown-name",
                Text(f'there is no coordinate "{name}"', f"нет координаты «{name}»"),
                expected=one_of(names),
                hint=word_hint(name, names),
            )
    if len(set(places)) != len(places):
        refuse("wrong-names", Text("a coordinate is named twice", "координата названа дважды"))
    for name, place, word in zip(some.names, places, units or (), strict=False):
        _check_unit(name, word, model.rate_kinds[place])
    m, degree, _ = some.coefficients.shape
    coefficients = np.zeros((m, degree, len(names)))
    coefficients[:, 0] = start
    coefficients[:, :, places] = some.coefficients
    origins = np.repeat(some.knots[:-1, None], len(names), axis=1)
    origins[:, places] = some.origins
    return Trajectory(knots=some.knots, origins=origins, coefficients=coefficients, names=tuple(names))


def _check_unit(name: str, word: str, kind: str) -> None:
    """Refuse a column of lengths for a hinge, or of angles for a slide."""
    wanted = ANGLE if kind == "turn" else LENGTH
    if unit_named(word).dimension != wanted:
        refuse(
            "wrong-unit",
            Text(f'column "{name}" is in "{word}"', f"столбец «{name}» в «{word}»"),
            expected=Text(dimension_name(wanted), dimension_name(wanted, "ru")),
            hint=Text(f"its head: {name} [mm]", f"его заголовок: {name} [мм]") if kind == "slide" else None,
        )


def through(
    arm: Arm,
    poses: ArrayLike,
    frame: str,
    task: Task,
    start: Array,
    *,
    times: ArrayLike | None,
    limits: Limits | None,
    kind: str,
) -> Trajectory:
    """A motion of the joints that passes poses of the tool one after another; see `System.through`."""
    try:
        wanted = np.array(poses, dtype=float)
    except (TypeError, ValueError):
        wanted = np.zeros(0)
    if wanted.ndim != 3 or wanted.shape[1:] != (4, 4) or len(wanted) < 2:
        shape = " × ".join(map(str, wanted.shape))
        refuse(
            "wrong-shape",
            Text(f"poses: wrong shape {shape}", f"позы: размер {shape}"),
            expected=Text("at least two matrices 4 × 4", "хотя бы две матрицы 4 × 4"),
        )
    first = arm.inverse_kinematics(wanted[0], frame, q=start, task=task, several=True)
    branches = first.solutions[:8] if first.success else [start]
    best: list[Array] = []
    stopped: Text | None = first.reason
    for begin in branches if first.success else ():
        q = [begin]
        for pose in wanted[1:]:
            found = arm.inverse_kinematics(pose, frame, q=q[-1], task=task, restarts=0)
            if not found.success:
                found = arm.inverse_kinematics(pose, frame, q=q[-1], task=task)
            if not found.success:
                break
            q.append(found.q)
        if len(q) > len(best):
            best = q
            stopped = None if len(q) == len(wanted) else found.reason
        if len(q) == len(wanted):
            break
    if len(best) < len(wanted):
        assert stopped is not None
        number = len(best) + 1
        refuse(
            "no-way",
            Text(f"pose {number} of {len(wanted)}: {stopped.en}", f"поза {number} из {len(wanted)}: {stopped.ru}"),
        )
    rows, left = settle(tool_of(arm, frame, task), np.array(best), wanted)
    rows = np.where((left <= MET)[:, None], rows, np.array(best))
    return spline(rows, times, kind=kind, limits=limits, names=arm.model.coordinate_names)  # type: ignore[arg-type]


def sample_times(motion: Trajectory, every: float | None, times: ArrayLike | Sequence[float] | None) -> Array:
    """The times of the rows [s]."""
    if times is not None:
        if every is not None:
            refuse("bad-call", Text("every and times exclude each other", "every и times исключают друг друга"))
        try:
            given = np.atleast_1d(np.array(times, dtype=float))
        except (TypeError, ValueError):
            given = np.zeros(0)
        if given.ndim != 1 or not given.size or not np.isfinite(given).all() or (np.diff(given) < 0.0).any():
            refuse(
                "wrong-time", Text("times are finite numbers that do not fall", "times — конечные неубывающие числа")
            )
        return given
    if every is None:
        return np.linspace(motion.t0, motion.t1, 201) if motion.duration > 0.0 else np.array([motion.t0])
    return np.asarray(motion.table(every).times)
