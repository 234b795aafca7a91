"""Singular postures on the way of an arm: where its Jacobian loses rank, found between the samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.arms.travels._crossing import NEAR, Crossing, least, looked_at
from sistel.arms.travels._task import Arm, Task, carrying, rows_of

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model
    from sistel.motion.trajectories import Trajectory


DUST = 1e-12
"""Part of the largest singular value that is rounding."""
SHARE = 0.1
"""Share of a joint in a motion that does not move the tool, over the largest, to be named."""


def singular_task(model: Model, task: Task, joints: int) -> Task:
    """What of the tool's motion is asked of the Jacobian: of few joints the place alone."""
    return "position" if task == "pose" and joints <= (2 if model.planar else 3) else task


def singular_values(arm: Arm, frame: str, task: Task, q: Array) -> Array:
    """Singular values of the Jacobian, the greatest first, shape (n, the smaller of rows and joints).

    Joints that do not carry the tool do not count; neither do turns and moves out of a plane.
    """
    return np.asarray(np.linalg.svd(_matrix(arm, frame, task, q), compute_uv=False), dtype=float)


def _matrix(arm: Arm, frame: str, task: Task, q: Array) -> Array:
    columns = carrying(arm.model, frame)
    J = arm.jacobian(q, frame)
    A = rows_of(task, J, arm.pose(q, frame))[:, :, columns]
    if arm.model.planar and task != "pointing":
        A = A[:, [2, 3, 4]] if task == "pose" else A[:, :2]
    return A


def singular_postures(arm: Arm, frame: str, task: Task, motion: Trajectory, t: Array) -> list[Crossing]:
    columns = carrying(arm.model, frame)
    if not columns:
        return []

    def share(at: Array) -> Array:
        values = singular_values(arm, frame, task, motion(at)[0])
        return np.asarray(values[:, -1] / np.maximum(values[:, 0], 1e-300))

    looks = looked_at(motion, t)
    seen = share(looks)
    made, last = [], -math.inf
    for low, high in _valleys(seen):
        i = low + int(seen[low:high].argmin())
        at = float(looks[i])
        if (seen[low:high] <= DUST).sum() > 2:
            # A whole stretch of singular postures is told where it begins.
            at = float(looks[low + int(np.argmax(seen[low:high] <= DUST))])
        elif seen[i] > DUST and len(looks) > 1:
            left, right = float(looks[max(0, i - 1)]), float(looks[min(len(looks) - 1, i + 1)])
            ends = np.array([left, least(lambda x: float(share(np.array([x]))[0]), left, right), at, right])
            at = float(ends[int(share(ends).argmin())])
        value = float(share(np.array([at]))[0])
        if value > NEAR or at <= last:
            continue
        last = at
        made.append(_told(arm, frame, task, motion, at, value, columns))
    return made


def _valleys(seen: Array) -> list[tuple[int, int]]:
    """Stretches of values that are near zero, or may be between the looks: first and last + 1 of each."""
    near = seen <= NEAR
    steps = np.abs(np.diff(seen))
    steep = np.maximum(np.append(steps, 0.0), np.append(0.0, steps))
    # A value that falls to zero between two looks falls about as quickly as it did before.
    falls = seen - 2.0 * steep <= NEAR
    lower = (seen <= np.append(math.inf, seen[:-1])) & (seen <= np.append(seen[1:], math.inf))
    found = []
    i = 0
    while i < len(seen):
        j = i + 1
        while j < len(seen) and near[i] and near[j]:
            j += 1
        if near[i] or (lower[i] and falls[i]):
            found.append((i, j))
        i = j
    return found


def _told(
    arm: Arm, frame: str, task: Task, motion: Trajectory, at: float, value: float, columns: Sequence[int]
) -> Crossing:
    q = motion(np.array([at]))[0]
    u, _, vt = np.linalg.svd(_matrix(arm, frame, task, q)[0])
    joints = np.abs(vt[min(u.shape[0], vt.shape[0]) - 1])
    names = tuple(
        arm.model.rate_names[column]
        for column, part in zip(columns, joints, strict=True)
        if part > SHARE * joints.max()
    )
    direction = np.zeros(6)
    lost = u[:, min(u.shape[0], vt.shape[0]) - 1]
    X = arm.pose(q, frame)[0]
    if arm.model.planar and task != "pointing":
        direction[[2, 3, 4] if task == "pose" else [3, 4]] = lost
    elif task == "pointing":
        direction[:3], direction[3:] = X[:3, :2] @ lost[:2], lost[2:]
    else:
        direction[6 - len(lost) :] = lost
    direction.setflags(write=False)
    return Crossing(
        quantity="singularity",
        names=names,
        time=at,
        worst=value,
        worst_at=at,
        limit=NEAR,
        direction=direction,
    )
