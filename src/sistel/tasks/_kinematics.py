"""Kinematics: where a frame is and how it moves, and which joints bring it to a place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import SistelError, Text
from sistel.markup import Call, Expression, Name, walk_expression
from sistel.model import Model
from sistel.pose import roll_pitch_yaw
from sistel.tasks._mechanism import Mechanism, rate_place, simple_joints, solved_pose, values_at
from sistel.tasks._problems import Problem
from sistel.tasks._results import Answer, Check, Grid, Head, Solved, difference
from sistel.units import ACCELERATION, ANGLE, ANGULAR_ACCELERATION, ANGULAR_SPEED, LENGTH, SPEED, Dimension

if TYPE_CHECKING:
    from sistel.arrays import Array

EXACT = 1e-12
"""Up to which two ways of the same arithmetic agree."""
BY_DIFFERENCES = 1e-6
"""Up to which derivatives agree with differences, whose own error is about 1e-9 of the size of the arm."""
MOST_BRANCHES = 64


def solve_kinematics(problem: Problem, system: Mechanism) -> Solved:
    """Direct or inverse, as the problem asks."""
    return _inverse(problem, system) if problem.place is not None else _direct(problem, system)


def _direct(problem: Problem, system: Mechanism) -> Solved:
    model, state = system.model, problem.state
    q = assembled(problem, system)
    v, a = np.array(state.v), np.array(state.a)
    answers = problem.answers_in(model, q, v)
    grids = [coordinates(model, q, v, a)]
    checks: list[Check] = []
    checks += _place_check(problem, system, q)
    if problem.frame is not None:
        frame = problem.frame
        pose = np.asarray(system.pose(q, frame), dtype=float)
        grids.append(_frame(model, frame, pose))
        if not problem.report:
            answers += _places(frame, pose, model.planar)
        if simple_joints(model) and (np.any(v) or np.any(a)):
            motion, check = _motion(system, frame, q, v, a)
            grids.append(motion)
            checks.append(check)
    return problem.solved(answers, grids, checks, postures=[q.tolist()], drawn=model)


def _place_check(problem: Problem, system: Mechanism, q: Array) -> list[Check]:
    """Places of everything that the problem names, in two ways."""
    model = system.model
    places = {*(b.name for b in model.bodies), *(p.name for p in model.points), *(f.name for f in model.frames)}
    named = {
        argument.name
        for wanted in problem.report
        for node in walk_expression(wanted.expression)
        if isinstance(node, Call)
        for argument in node.arguments
        if isinstance(argument, Name) and argument.name in places
    }
    axes = "xy" if model.planar else "xyz"
    errors = []
    for name in sorted({*named, *(() if problem.frame is None else (problem.frame,))}):
        words: list[Expression] = [Call(axis, (Name(name, problem.span),), problem.span, problem.span) for axis in axes]
        again = values_at(model, model.structure(problem.structure), q.tolist(), [0.0] * model.nv, words)
        errors.append(difference(np.asarray(system.pose(q, name))[: len(axes), 3], np.array(again)))
    what = Text("places: machine code of poses, and the words x, y, z", "места: машинный код поз и слова x, y, z")
    return [Check(what=what, error=max(errors), bound=EXACT)] if errors else []


def assembled(problem: Problem, system: Mechanism) -> Array:
    """Coordinates that are given, or those near them that meet the links of the structure."""
    structure = system.model.structure(problem.structure)
    q = np.array(problem.state.q, dtype=float)
    return np.asarray(system.assemble(q, structure=structure.name)) if structure.holds else q


def _places(frame: str, pose: Array, planar: bool) -> list[Answer]:
    """What is wanted of a frame where no quantities are named."""
    made = [
        Answer(label=Text(f"{axis}({frame})", f"{axis}({frame})"), value=float(pose[i, 3]), dimension=LENGTH)
        for i, axis in enumerate("xy" if planar else "xyz")
    ]
    if planar:
        turn = float(np.arctan2(pose[1, 0], pose[0, 0]))
        made.append(Answer(label=Text(f"turn of {frame}", f"поворот {frame}"), value=turn, dimension=ANGLE))
    return made


def _frame(model: Model, frame: str, pose: Array) -> Grid:
    if model.planar:
        heads = (Head(label=Text("x", "x"), dimension=LENGTH), Head(label=Text("y", "y"), dimension=LENGTH))
        turn = (float(np.arctan2(pose[1, 0], pose[0, 0])),)
        turned = (Head(label=Text("turn", "поворот"), dimension=ANGLE),)
        place: tuple[float, ...] = (float(pose[0, 3]), float(pose[1, 3]))
    else:
        heads = tuple(Head(label=Text(axis, axis), dimension=LENGTH) for axis in "xyz")  # type: ignore[assignment]
        rows = tuple(tuple(float(x) for x in row[:3]) for row in pose[:3])
        turn = roll_pitch_yaw(rows)  # type: ignore[arg-type, assignment]
        turned = tuple(  # type: ignore[assignment]
            Head(label=label, dimension=ANGLE)
            for label in (Text("roll", "крен"), Text("pitch", "тангаж"), Text("yaw", "рыскание"))
        )
        place = tuple(float(x) for x in pose[:3, 3])
    return Grid(
        title=Text(f'pose of "{frame}"', f"положение «{frame}»"), heads=(*heads, *turned), rows=((*place, *turn),)
    )


def coordinates(model: Model, q: Array, v: Array, a: Array, title: Text | None = None) -> Grid:
    """Coordinates with their rates, a row each; cells are told in the units of their coordinates."""
    from sistel.tasks._numbers import told

    rows = []
    for rate, name in enumerate(model.rate_names):
        turns = model.rate_kinds[rate] == "turn"
        cells = [Text(name, name)]
        if simple_joints(model):
            cells.append(told(float(q[rate_place(model, rate)]), ANGLE if turns else LENGTH))
        cells.append(told(float(v[rate]), ANGULAR_SPEED if turns else SPEED))
        cells.append(told(float(a[rate]), ANGULAR_ACCELERATION if turns else ACCELERATION))
        rows.append(tuple(cells))
    heads = [Text("coordinate", "координата"), Text("value", "значение"), Text("rate", "скорость")]
    heads.append(Text("acceleration", "ускорение"))
    if not simple_joints(model):
        del heads[1]
    kept = 4 if np.any(a) else 3 if np.any(v) else 2
    return Grid(
        title=title or Text("coordinates", "координаты"),
        heads=tuple(Head(label=head) for head in heads[:kept]),
        rows=tuple(row[:kept] for row in rows),
    )


def _motion(system: Mechanism, frame: str, q: Array, v: Array, a: Array) -> tuple[Grid, Check]:
    """Velocity and acceleration of a frame; checked by differences of its pose along the motion q + v t + a t²/2."""
    planar = system.model.planar
    J = np.asarray(system.jacobian(q, frame))
    Jdot = np.asarray(system.jacobian_rate(q, v, frame))
    velocity, acceleration = J @ v, J @ a + Jdot @ v
    order = [_places_of(system.model, rate) for rate in range(system.model.nv)]
    h = 1e-3 / max(1.0, float(np.abs(v).max()), float(np.sqrt(np.abs(a).max())))

    def place(t: float) -> Array:
        moved = np.array(q)
        moved[order] += v * t + a * t * t / 2
        return np.asarray(system.pose(moved, frame))[:3, 3]

    # Central differences of the sixth order: their error is of the order of h⁶.
    p = {k: place(k * h) for k in range(-3, 4)}
    first = (45 * (p[1] - p[-1]) - 9 * (p[2] - p[-2]) + (p[3] - p[-3])) / (60 * h)
    second = (2 * (p[3] + p[-3]) - 27 * (p[2] + p[-2]) + 270 * (p[1] + p[-1]) - 490 * p[0]) / (180 * h * h)
    size = max(1.0, float(np.abs(velocity[3:]).max()), float(np.abs(acceleration[3:]).max()))
    error = max(float(np.abs(first - velocity[3:]).max()), float(np.abs(second - acceleration[3:]).max())) / size
    check = Check(
        what=Text("velocity and acceleration by differences of the place", "скорость и ускорение по разностям места"),
        error=error,
        bound=BY_DIFFERENCES,
    )
    axes = "xy" if planar else "xyz"
    spins = (2,) if planar else (0, 1, 2)
    names = [*(f"v{axis}" for axis in axes), *(("ω",) if planar else ("ωx", "ωy", "ωz"))]
    heads = [Head(label=Text(name, name), dimension=SPEED if name[0] == "v" else ANGULAR_SPEED) for name in names]
    more = [*(f"a{axis}" for axis in axes), *(("ε",) if planar else ("εx", "εy", "εz"))]
    heads += [
        Head(label=Text(name, name), dimension=ACCELERATION if name[0] == "a" else ANGULAR_ACCELERATION)
        for name in more
    ]
    row = [
        *(float(velocity[3 + i]) for i in range(len(axes))),
        *(float(velocity[i]) for i in spins),
        *(float(acceleration[3 + i]) for i in range(len(axes))),
        *(float(acceleration[i]) for i in spins),
    ]
    return Grid(
        title=Text(f'motion of "{frame}"', f"движение «{frame}»"), heads=tuple(heads), rows=(tuple(row),)
    ), check


def _places_of(model: Model, rate: int) -> int:
    return rate_place(model, rate)


# --- inverse ---------------------------------------------------------------------------------------------------------


def _inverse(problem: Problem, system: Mechanism) -> Solved:
    model = system.model
    assert problem.place is not None and problem.frame is not None
    target = np.eye(4)
    target[:3, 3] = problem.place
    task = "position"
    if problem.turn is not None:
        target[:3, :3], task = problem.turn, "pose"
    branches, method, reason = _branches(problem, system, target, task)
    if reason is not None:
        return problem.unsolved(reason)
    rates = model.rate_names
    checks = [_reached(system, problem.frame, branches, target, task)]
    answers: list[Answer] = []
    rows = []
    moving = [_rates(problem, system, q) for q in branches]
    for number, q in enumerate(branches, 1):
        from sistel.tasks._numbers import told

        joints = (told(float(q[rate_place(model, rate)]), measure(model, rate)) for rate in range(len(rates)))
        rows.append((Text(str(number), str(number)), *joints))
        remark = Text(f"branch {number}", f"ветвь {number}") if len(branches) > 1 else None
        if problem.report:
            answers += problem.answers_in(model, q, moving[number - 1], remark)
        else:
            answers += joint_answers(model, q, remark)
    heads = (Head(label=Text("branch", "ветвь")), *(Head(label=Text(name, name)) for name in rates))
    grids = [Grid(title=Text("joints", "сочленения"), heads=heads, rows=tuple(rows))]
    if problem.velocity is not None:
        grids.append(_rate_grid(model, moving))
        checks.append(_rates_check(problem, system, branches, moving))
    postures = [q.tolist() for q in branches[:4]]
    return problem.solved(answers, grids, checks, notes=[method], postures=postures, drawn=model)


def _branches(problem: Problem, system: Mechanism, target: Array, task: str) -> tuple[list[Array], Text, Text | None]:
    """All solutions, the nearest to the start first, how they were found, and why there are none."""
    assert problem.frame is not None
    start = np.array(problem.state.q)
    try:
        found = solved_pose(system, target, problem.frame, "analytic", q=start, task=task, several=True)
        method = Text("closed form: these are all branches", "замкнутое решение: это все ветви")
    except SistelError:
        found = solved_pose(system, target, problem.frame, "lm", q=start, task=task, several=True)
        redundant = _redundant(system, problem.frame, start, task)
        method = (
            Text(
                "more joints than the place asks for: these are some of endlessly many",
                "сочленений больше, чем нужно для места: это некоторые из бесконечно многих",
            )
            if redundant
            else Text(
                "search from 101 places within the limits: these are the branches that it met",
                "поиск из 101 места в пределах сочленений: это встреченные ветви",
            )
        )
    if not bool(np.all(found.success)):
        return [], method, found.reason or Text("it cannot be reached", "туда не достать")
    several = found.solutions if found.solutions is not None else found.q[None]
    rows = [np.array(q, dtype=float) for q in np.atleast_2d(np.asarray(several, dtype=float)) if np.isfinite(q).all()]
    rows.sort(key=lambda q: (round(float(np.linalg.norm(q - start)), 9), q.tolist()))
    if _redundant(system, problem.frame, start, task):
        rows = rows[:4]
    return rows[:MOST_BRANCHES], method, None


def _redundant(system: Mechanism, frame: str, q: Array, task: str) -> bool:
    planar = system.model.planar
    wanted = (2 if planar else 3) if task == "position" else (3 if planar else 6)
    J = np.asarray(system.jacobian(q, frame))
    moving = int(np.any(np.abs(J) > 1e-12, axis=0).sum())
    return moving > wanted


def _reached(system: Mechanism, frame: str, branches: list[Array], target: Array, task: str) -> Check:
    poses = np.asarray(system.pose(np.array(branches), frame))
    error = float(np.abs(poses[:, :3, 3] - target[:3, 3]).max())
    if task == "pose":
        error = max(error, float(np.abs(poses[:, :3, :3] - target[:3, :3]).max()))
    # The search ends within 1e-8 m and rad of its target.
    return Check(
        what=Text("inverse by direct: the frame is there", "обратная задача прямой: репер на месте"),
        error=error,
        bound=2e-8,
    )


def _rates(problem: Problem, system: Mechanism, q: Array) -> Array:
    """Rates of the joints that give the frame its velocity; the least where there are several."""
    nv = system.model.nv
    if problem.velocity is None or problem.frame is None:
        return np.zeros(nv)
    J = np.asarray(system.jacobian(q, problem.frame))[3 : 3 + len(problem.velocity)]
    return np.asarray(np.linalg.lstsq(J, np.array(problem.velocity), rcond=1e-10)[0])


def _rates_check(problem: Problem, system: Mechanism, branches: list[Array], moving: list[Array]) -> Check:
    assert problem.frame is not None and problem.velocity is not None
    size = len(problem.velocity)
    errors = [
        difference(np.array(problem.velocity), np.asarray(system.jacobian(q, problem.frame))[3 : 3 + size] @ v)
        for q, v in zip(branches, moving, strict=True)
    ]
    return Check(
        what=Text(
            "rates: the frame has the wanted velocity (it has not where the arm is singular)",
            "скорости: у репера нужная скорость (в особом положении её нет)",
        ),
        error=max(errors),
        bound=1e-9,
    )


def _rate_grid(model: Model, moving: list[Array]) -> Grid:
    from sistel.tasks._numbers import told

    rows = tuple(
        (
            Text(str(number), str(number)),
            *(
                told(float(v[rate]), ANGULAR_SPEED if model.rate_kinds[rate] == "turn" else SPEED)
                for rate in range(model.nv)
            ),
        )
        for number, v in enumerate(moving, 1)
    )
    heads = (Head(label=Text("branch", "ветвь")), *(Head(label=Text(name, name)) for name in model.rate_names))
    return Grid(title=Text("rates of the joints", "скорости сочленений"), heads=heads, rows=rows)


def joint_answers(model: Model, q: Array, remark: Text | None = None) -> list[Answer]:
    """The coordinates of a posture as answers, where each is that of a hinge or a slide."""
    return [
        Answer(
            label=Text(name, name),
            value=float(q[rate_place(model, rate)]),
            dimension=measure(model, rate),
            remark=remark,
        )
        for rate, name in enumerate(model.rate_names)
    ]


def measure(model: Model, rate: int) -> Dimension:
    return ANGLE if model.rate_kinds[rate] == "turn" else LENGTH
