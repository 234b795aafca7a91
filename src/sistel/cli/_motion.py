"""Motions of arms on a command line: from where to where, by which kind of move, in what time."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, cast

from sistel.cli._arguments import Call, Option, wrong_call
from sistel.cli._described import options
from sistel.cli._postures import (
    POSTURE_HELP,
    coded_pose,
    number_of,
    posture_of,
    read_numbers,
    read_place,
    read_posture,
    read_rates,
    read_task,
)
from sistel.cli._values import read_number
from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.motion.trajectories import Limits, PoseTrajectory, Trajectory
    from sistel.system import System


POLYNOMIALS = ("cubic", "quintic", "septic")
IN_SPACE = ("line", "arc", "screw")
KINDS = (*POLYNOMIALS, "trapezoid", "s-curve", "spline", *IN_SPACE)
USUAL = 2.0
"""Of a motion for which nothing is said [s]."""

MOTION: tuple[Option, ...] = options(
    f"""
    --from POSTURE | ПОЗА
        where it begins; by default the start of the file
        откуда; по умолчанию из начального положения в файле
    --to POSTURE | ПОЗА
        where it ends: {POSTURE_HELP.en}
        куда: {POSTURE_HELP.ru}
    --at X,Y,Z
        where the tool goes in space, instead of --to, in metres or with units; it does not turn
        куда идёт инструмент в пространстве, вместо --to, в метрах или с единицами; он не поворачивается
    --code NUMBERS | ЧИСЛА
        the pose of the tool by its digital code, instead of --to
        поза инструмента цифровым кодом, вместо --to
    --via POSTURE|X,Y,Z | ПОЗА|X,Y,Z *
        on the way: a posture, passed by a spline and a stop of other moves; of an arc a place in metres. May be
            repeated
        по пути: поза, которую сплайн проходит, а другие движения в ней останавливаются; у дуги — место в метрах. Можно
            повторять
    --kind KIND | ВИД = {"|".join(KINDS)}
        of the joints: cubic, quintic (the default), septic, trapezoid, s-curve, spline; of the tool: line, arc, screw
        сочленений: cubic, quintic (по умолчанию), septic, trapezoid, s-curve, spline; инструмента: line — прямая, arc
            — дуга, screw — винт
    --time TIME | ВРЕМЯ
        how long it takes; 2 s
        сколько длится; 2 с
    --speed V[,V2,…]
        greatest speed, of all joints or of each, in rad/s and m/s or with units; of the tool in m/s
        наибольшая скорость всех сочленений или каждого, в рад/с и м/с или с единицами; инструмента — в м/с
    --acceleration A[,A2,…]
        greatest acceleration, in the same way; with --speed it chooses the time
        наибольшее ускорение, так же; вместе с --speed задаёт время
    --jerk J[,J2,…]
        greatest jerk, in the same way
        наибольший рывок, так же
    --task WHAT | ЧТО = pose|position|pointing
        of ways in space: the whole pose, its position alone, or pointing: position and direction of z
        пути в пространстве: pose — поза целиком, position — только место, pointing — место и направление z
    --every TIME | ВРЕМЯ
        time between two rows
        время между строками
    """
)
EXCLUSIVE = (("--to", "--at"), ("--to", "--code"), ("--at", "--code"))


def asks_motion(call: Call) -> bool:
    """Whether a call says where to go."""
    return any(call.given(key) for key in ("to", "at", "code"))


def read_every(call: Call) -> float | None:
    """Time between two rows [s]."""
    from sistel.units import TIME

    text = call.value("every")
    value = None if text is None else read_number("--every", text, TIME)
    if value is not None and not 0.0 < value < 1e9:
        wrong_call("bad-number", Text(f'--every cannot be "{text}"', f"--every не может быть «{text}»"))
    return value


def read_motion(call: Call, system: System, frame: str) -> Trajectory | PoseTrajectory:
    """The trajectory that a call asks for.

    Raises:
        CallError: Words are wrong, or do not go together.
        SistelError: There is no such motion.
    """
    kind = call.value("kind") or ("line" if call.given("at") or call.given("code") else "quintic")
    if not asks_motion(call):
        wrong_call(
            "no-target",
            Text("there is no target", "не сказано, куда двигать"),
            expected=Text("--to, --at or --code", "--to, --at или --code"),
        )
    start = read_posture(call, "from", system) or [float(x) for x in system.model.start.q]
    if kind in IN_SPACE:
        return _in_space(call, system, frame, kind, start)
    places = [start, *(posture_of(call, "via", text, system) for text in call.all("via"))]
    end = read_posture(call, "to", system)
    if end is None:
        found = system.inverse_kinematics(_pose(call, system, frame, start), frame, q=places[-1], task=read_task(call))
        if not found.success:
            wrong_call("no-target", found.reason)
        end = found.q.tolist()
    return _of_joints(call, system, kind, [*places, end])


def _limits(call: Call, system: System, in_space: bool) -> Limits | None:
    """What `--speed`, `--acceleration` and `--jerk` say."""
    from sistel.motion.trajectories import Limits

    rows: list[float | list[float] | None] = []
    for per, key in enumerate(("speed", "acceleration", "jerk"), start=1):
        text = call.value(key)
        if in_space:
            rows.append(None if text is None else number_of(call, key, text, "slide", per))
        else:
            rows.append(read_rates(call, key, system, per))
    if all(row is None for row in rows):
        return None
    if rows[0] is None or rows[1] is None:
        wrong_call(
            "no-limits", Text("--speed and --acceleration go together", "--speed и --acceleration задаются вместе")
        )
    return Limits(rows[0], rows[1], rows[2])


def _time(call: Call) -> float | None:
    from sistel.units import TIME

    text = call.value("time")
    value = None if text is None else read_number("--time", text, TIME)
    if value is not None and not 1e-9 <= value < 1e9:
        wrong_call("bad-number", Text(f'--time cannot be "{text}"', f"--time не может быть «{text}»"))
    return value


# --- in space --------------------------------------------------------------------------------------------------------


def _in_space(call: Call, system: System, frame: str, kind: str, start: list[float]) -> PoseTrajectory:
    from sistel.motion.trajectories import along, arc_path, line_path, polynomial_move, screw_path

    begin, end = system.pose(start, frame), _pose(call, system, frame, start)
    via = call.all("via")
    if kind == "arc":
        if len(via) != 1:
            wrong_call(
                "bad-via", Text("an arc goes via one place: --via X,Y,Z", "дуга идёт через одно место: --via X,Y,Z")
            )
        middle = read_place(call, "via")
        assert middle is not None, "there is one --via"
        path = arc_path(begin, middle, end)
    elif via:
        wrong_call("bad-via", Text(f"a {kind} has no --via", f"у {kind} не бывает --via"))
    else:
        path = line_path(begin, end) if kind == "line" else screw_path(begin, end)
    limits, time = _limits(call, system, True), _time(call)
    if limits is not None and time is None:
        return along(path, limits=limits, turn_limits=None if path.length > 0.0 else limits)
    return along(path, polynomial_move([0.0], [1.0], time or USUAL, kind="quintic"))


def _pose(call: Call, system: System, frame: str, start: list[float]) -> Array:
    """The pose that the tool is to take, shape (4, 4)."""
    import numpy as np

    place = read_place(call, "at")
    if place is not None:
        made = np.array(system.pose(start, frame))
        made[:3, 3] = place
        return made
    code = read_numbers(call, "code")
    if code is not None:
        return coded_pose(code)
    posture = read_posture(call, "to", system)
    assert posture is not None, "one of --to, --at and --code is given"
    return np.asarray(system.pose(posture, frame))


# --- of joints -------------------------------------------------------------------------------------------------------


def _of_joints(call: Call, system: System, kind: str, places: list[list[float]]) -> Trajectory:
    import numpy as np

    from sistel.motion.trajectories import spline

    limits, time = _limits(call, system, False), _time(call)
    names = system.model.coordinate_names
    rows = np.array(places)
    ways = np.abs(np.diff(rows, axis=0)).max(axis=1)
    if kind == "spline":
        if limits is not None and time is None:
            return spline(rows, limits=limits, names=names)
        parts = ways / ways.sum() if (ways > 0.0).all() else np.full(len(ways), 1.0 / len(ways))
        return spline(rows, (time or USUAL) * np.append(0.0, np.cumsum(parts)), limits=limits, names=names)
    # At rest in every place; the time is shared as the ways are.
    shares = ways / ways.sum() if ways.sum() > 0.0 else np.full(len(ways), 1.0 / len(ways))
    made: list[Trajectory] = []
    begin = 0.0
    for share, (a, b) in zip(shares.tolist(), pairwise(rows), strict=True):
        if share == 0.0 and len(ways) > 1:
            continue
        lasts = None if time is None else time * share
        one = _move(kind, a, b, lasts, limits, begin, tuple(names), USUAL * share)
        made.append(one)
        begin = one.t1
    return made[0] if len(made) == 1 else _joined(made)


def _move(
    kind: str,
    a: Array,
    b: Array,
    time: float | None,
    limits: Limits | None,
    begin: float,
    names: tuple[str, ...],
    usual: float,
) -> Trajectory:
    """One move from rest to rest."""
    from sistel.motion.trajectories import fastest_move, polynomial_move

    if kind in POLYNOMIALS:
        lasts = time if time is not None else usual if limits is None else None
        return polynomial_move(a, b, lasts, kind=cast("Any", kind), limits=limits, t0=begin, names=names)
    if limits is None:
        return fastest_move(a, b, _even(kind, a, b, time or usual), t0=begin, names=names)
    if kind == "trapezoid" and limits.jerk is not None:
        wrong_call("bad-call", Text("a trapezoid has no --jerk", "у trapezoid не бывает --jerk"))
    if kind == "s-curve" and limits.jerk is None:
        wrong_call("no-limits", Text("an s-curve needs --jerk", "для s-curve нужен --jerk"))
    return fastest_move(a, b, limits, duration=time, t0=begin, names=names)


def _even(kind: str, a: Array, b: Array, time: float) -> Limits:
    """Limits that a move just meets in a time: a trapezoid in thirds, an S-curve in sevenths of it."""
    import numpy as np

    from sistel.motion.trajectories import Limits

    way = np.maximum(np.abs(b - a), 1e-12)
    if kind == "trapezoid":
        return Limits(1.5 * way / time, 4.5 * way / time**2)
    part = time / 7.0
    jerk = way / (8.0 * part**3)
    return Limits(2.0 * jerk * part**2, jerk * part, jerk)


def _joined(moves: list[Trajectory]) -> Trajectory:
    """Moves one after another."""
    import numpy as np

    from sistel.motion.trajectories import Trajectory

    degree = max(each.coefficients.shape[1] for each in moves)
    padded = [np.pad(each.coefficients, [(0, 0), (0, degree - each.coefficients.shape[1]), (0, 0)]) for each in moves]
    return Trajectory(
        knots=np.concatenate([moves[0].knots[:1], *(each.knots[1:] for each in moves)]),
        origins=np.concatenate([each.origins for each in moves]),
        coefficients=np.concatenate(padded),
        names=moves[0].names,
        limits=moves[0].limits,
    )
