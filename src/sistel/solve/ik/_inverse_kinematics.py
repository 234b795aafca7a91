"""Inverse kinematics: coordinates that bring a frame to where it is asked to be, verified, or why there are none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import SistelError, Text, refuse
from sistel.kernels import as_reals
from sistel.pose import apart, homogeneous
from sistel.solve.ik._single import exact_rows, left_over, unwound, within
from sistel.solve.ik._solution import Solution
from sistel.solve.ik._solver import POLISH, Options, Solver
from sistel.solve.ik._step import Joints, Task
from sistel.solve.ik._words import explain

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.model import Model


TASKS = {
    "pose": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
    "position": (0.0, 0.0, 0.0, 1.0, 1.0, 1.0),
    "pointing": (1.0, 1.0, 0.0, 1.0, 1.0, 1.0),
}
NEARLY_HALF = math.pi - 1e-6
"""Angles from which the axis of a turn is told by the matrix itself [rad]."""
SAME = 1e-4
"""Solutions nearer to each other than this in every coordinate are one [m or rad]."""


def moving_joints(model: Model, body: int) -> Joints:
    """The coordinates that move a body, from the base to the tip; those of quaternions stay as they are."""
    places, rates, low, high, names, turns = [], [], [], [], [], []
    chain = []
    while body:
        chain.append(model.bodies[body - 1])
        body = model.bodies[body - 1].base
    for link in reversed(chain):
        kind = link.joint.type
        if kind.has_quaternion:
            continue
        for i, (_, sort) in enumerate(kind.coordinates):
            places.append(link.first_q + i)
            rates.append(link.first_v + i)
            low.append(link.joint.minimum[i])
            high.append(link.joint.maximum[i])
            names.append(model.coordinate_names[link.first_q + i])
            turns.append(sort == "turn")
    return Joints(
        places=tuple(places),
        rates=tuple(rates),
        low=tuple(low),
        high=tuple(high),
        names=tuple(names),
        turns=tuple(turns),
    )


def read_task(task: str | Sequence[float], method: str) -> Task:
    """The six weights of a task.

    Raises:
        SistelError: There is no such task, or a weight is negative or not finite, or none is left.
    """
    if isinstance(task, str):
        if task not in TASKS:
            names = ", ".join(f'"{name}"' for name in TASKS)
            refuse("bad-task", Text(f"task is one of {names}, or six weights", f"task — {names} или шесть весов"))
        return Task(weights=TASKS[task])
    try:
        given = [float(weight) for weight in task]
    except (TypeError, ValueError):
        given = []
    if len(given) != 6 or not all(0.0 <= weight < math.inf for weight in given) or not any(given):
        refuse(
            "bad-task",
            Text(
                "task has six weights, none negative, not all 0: of turns about x, y, z of the target, then along them",
                "task — шесть весов, не меньше 0 и не все 0: поворотов вокруг x, y, z цели, потом смещений по ним",
            ),
        )
    made = Task(weights=tuple(given))  # type: ignore[arg-type]
    alike = len(set(given[:3])) == 1 or made.free_axis is not None
    if method == "ccd" and not (alike and len(set(given[3:])) == 1):
        refuse(
            "bad-task",
            Text(
                '"ccd" takes the whole place or none, and of the orientation all, none, or all but one turn',
                "«ccd» берёт положение целиком или никак, ориентацию целиком, никак или без поворота вокруг одной оси",
            ),
        )
    return made


def read_targets(target: ArrayLike) -> Array:
    """Poses, checked, their axes made exact, shape (..., 4, 4).

    Raises:
        SistelError: A matrix is of another shape, not finite, or not the pose of anything.
    """
    try:
        told = np.asarray(target)
    except (TypeError, ValueError):
        told = np.zeros(())
    if told.ndim < 2 or told.shape[-2:] != (4, 4):
        refuse(
            "bad-target",
            Text("a target is a 4×4 matrix, or an array (..., 4, 4)", "цель — матрица 4×4 или массив (..., 4, 4)"),
        )
    given = np.array(as_reals("target", target))
    exact = exact_rows(given.reshape(-1, 4, 4)).reshape(given.shape[:-2])
    if exact.all():
        return given
    wrong = ~np.isfinite(given).all(axis=(-2, -1))
    if wrong.any():
        where = "" if given.ndim == 2 else f" {tuple(int(i) for i in np.argwhere(wrong)[0])}"
        refuse(
            "bad-target",
            Text(f"target{where} has numbers that are not finite", f"в цели{where} есть числа, которые не конечны"),
        )
    try:
        given[~exact] = homogeneous(*apart(given[~exact]))
    except SistelError:
        apart(given)  # says which one it is by its number among all
        raise
    return given


def inverse_kinematics(solver: Solver, target: Array, seed: Array, options: Options) -> Solution:
    """Coordinates for targets that were checked.

    Args:
        solver: The frame and the task.
        target: Shape (..., 4, 4) [m].
        seed: Where to begin, shape (nq,) or (..., nq), within the limits.
        options: How to search.
    """
    batch = np.broadcast_shapes(target.shape[:-2], seed.shape[:-1])
    targets = np.ascontiguousarray(np.broadcast_to(target, (*batch, 4, 4))).reshape(-1, 4, 4)
    one = seed.ndim == 1
    seeds = seed[None] if one else np.ascontiguousarray(np.broadcast_to(seed, (*batch, seed.shape[-1])))
    seeds = seeds.reshape(-1, seed.shape[-1])
    found = solver.run(targets, seeds, options)
    q = unwound(solver, found.q, seeds)
    pose = solver.pose(q)
    left = residuals(solver.task, targets, pose)
    good = within(left, options)
    iterations = found.iterations
    if options.method == "lm" and not good.all():
        bad = np.flatnonzero(~good)
        finish = replace(options, restarts=0, iterations=max(POLISH, options.iterations), several=False)
        more = solver.run(targets[bad], q[bad], finish)
        iterations[bad] += more.iterations
        q[bad] = unwound(solver, more.q, seeds if one else seeds[bad])
        pose[bad] = solver.pose(q[bad])
        left[bad] = residuals(solver.task, targets[bad], pose[bad])
        good[bad] = within(left[bad], options)
    several = None
    if found.every is not None:
        several = [
            _distinct(solver, targets[i], found.every[i], seeds[0 if one else i], options) for i in range(len(q))
        ]
        for row, each in enumerate(several):
            if len(each):
                q[row], good[row] = each[0], True
        pose = solver.pose(q)
        left = residuals(solver.task, targets, pose)
    reasons: list[Text | None] = [None] * len(q)
    for i in np.flatnonzero(~good):
        reasons[i] = explain(solver, targets[i], q[i], left[i], options)
    single = not batch
    return Solution(
        q=q.reshape(*batch, q.shape[-1]),
        success=bool(good[0]) if single else good.reshape(batch),
        residual=left.reshape(*batch, 6),
        nearest=pose.reshape(*batch, 4, 4),
        iterations=int(iterations[0]) if single else iterations.reshape(batch),
        attempt=int(found.attempt[0]) if single else found.attempt.reshape(batch),
        reason=reasons[0] if single else tuple(reasons),
        solutions=None if several is None else several[0] if single else tuple(several),
    )


def residuals(task: Task, targets: Array, poses: Array) -> Array:
    """What is left from poses to targets, in the axes of the targets, shape (rows, 6) [rad and m]."""
    asked = np.array([float(weight != 0.0) for weight in task.weights])
    left, angles = left_over(task.free_axis, asked, poses, targets)
    half = angles > NEARLY_HALF
    if half.any():
        E = np.swapaxes(targets[half, :3, :3], 1, 2) @ poses[half, :3, :3]
        left[half, :3] = _half_turns(E, task.free_axis, left[half, :3]) * asked[:3]
    return left


def _half_turns(E: Array, axis: int | None, left: Array) -> Array:
    """Rotation vectors of what is nearly a half turn, where sines tell too little of the axis."""
    if axis is not None:
        square = np.eye(3)[(axis + 1) % 3]
        lost = (np.abs(left).max(axis=1) < 1.0)[:, None]
        return np.where(lost, math.pi * square, left)
    outer = 0.5 * (0.5 * (E + np.swapaxes(E, 1, 2)) + np.eye(3))
    column = np.argmax(np.einsum("nii->ni", outer), axis=1)
    picked = outer[np.arange(len(E)), :, column]
    picked = picked / np.sqrt((picked**2).sum(axis=1))[:, None]
    side = np.where((picked * left).sum(axis=1) < 0.0, -1.0, 1.0)
    return np.asarray(math.pi * side[:, None] * picked)


def _distinct(solver: Solver, target: Array, every: Array, seed: Array, options: Options) -> Array:
    """Distinct solutions among the ends of all attempts, nearest to the seed first; whole turns do not make others."""
    q = unwound(solver, every, seed[None])
    q = q[within(residuals(solver.task, np.repeat(target[None], len(q), axis=0), solver.pose(q)), options)]
    q = q[np.argsort(np.abs(q - seed).sum(axis=1), kind="stable")]
    turns = np.zeros(q.shape[1], dtype=bool)
    turns[list(solver.joints.places)] = solver.joints.turns
    kept: list[Array] = []
    for each in q:
        # Half a turn from the seed there are two ways to say the same.
        apart_by = (np.abs(each - other) for other in kept)
        wrapped = (np.where(turns, np.abs((by + math.pi) % (2.0 * math.pi) - math.pi), by) for by in apart_by)
        if not any(by.max() < SAME for by in wrapped):
            kept.append(each)
    return np.array(kept).reshape(-1, q.shape[1])
