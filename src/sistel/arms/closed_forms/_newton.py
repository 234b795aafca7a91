"""Candidates made exact: what is left of them by forward kinematics, Newton's steps where they help.

Written in the compiled subset of Python. Poses are computed by a kernel of the frame, `LANES` at a time, which knows
nothing of the formulas.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.arms.closed_forms._layout import (
    ARGUMENTS,
    ASKED,
    AXIS,
    CHAIN,
    COUNT,
    FREE_AXIS,
    FREE_TO_MOVE,
    HINGE,
    HOLD,
    JACOBIAN,
    JOINT,
    LANES,
    LEFT,
    PLACES,
    POINT,
    STEP,
    TARGET,
    TURNING,
    WORK,
)
from sistel.arms.closed_forms._roots import turned
from sistel.arms.closed_forms._wrists import ahead, back
from sistel.kernels.subset import Floats, Function, Ints, shift

Kernel = Function[[int, int, int], None]
"""Of poses: first and last block, address of its table of arguments."""

POLISHED: Final = 1e-14
"""Errors from which Newton's steps are worth while, in parts of the size of what there is."""
NEWTON: Final = 8
"""Steps at most: formulas are exact but for rounding and for axes that nearly meet."""
CLOSE: Final = 2e-3
"""Errors up to which a candidate is near a solution [rad, and parts of the distance]."""
DECIDES: Final = 1e-9
"""Part of the longest column of a Jacobian from which others decide something."""


def remainder(plan: Ints, room: Floats, pose: Floats, lane: int, left: Floats) -> float:
    """What is left from the pose of a lane to the target, six numbers in the axes of the target; the largest."""
    target = shift(room, TARGET)
    free = plan[FREE_AXIS]
    if plan[TURNING] != 0:
        x = 0.0
        y = 0.0
        z = 0.0
        c = 0.0
        for j in range(3):
            if free < 0 or free == j:
                ux = pose[j * LANES + lane]
                uy = pose[(4 + j) * LANES + lane]
                uz = pose[(8 + j) * LANES + lane]
                x += uy * target[6 + j] - uz * target[3 + j]
                y += uz * target[j] - ux * target[6 + j]
                z += ux * target[3 + j] - uy * target[j]
                c += ux * target[j] + uy * target[3 + j] + uz * target[6 + j]
        scale = 1.0
        if free < 0:
            scale = 0.5
            c = 0.5 * (c - 1.0)
        s = scale * math.sqrt(x * x + y * y + z * z)
        if s > 1e-9:
            scale *= math.atan2(s, c) / s
        for i in range(3):
            left[i] = scale * (x * target[i] + y * target[3 + i] + z * target[6 + i])
            if s <= 1e-9 and c < 0.0:
                left[i] = math.pi  # half a turn, about whatever axis
    x = target[9] - pose[3 * LANES + lane]
    y = target[10] - pose[7 * LANES + lane]
    z = target[11] - pose[11 * LANES + lane]
    most = 0.0
    for i in range(3):
        left[3 + i] = x * target[i] + y * target[3 + i] + z * target[6 + i]
    for i in range(6):
        if plan[ASKED + i] == 0:
            left[i] = 0.0
        most = max(most, abs(left[i]))
    return most / (1.0 + max(abs(target[9]), abs(target[10]), abs(target[11])))


def write_jacobian(plan: Ints, numbers: Floats, marks: Ints, room: Floats, q: Floats, pose: Floats, lane: int) -> int:
    """The Jacobian of a lane in the axes of the target, rows that are asked for, 0 for joints that are held; rows."""
    count = plan[COUNT]
    target = shift(room, TARGET)
    J = shift(room, JACOBIAN)
    R = shift(room, WORK)
    p = shift(R, 9)
    axis = shift(R, 12)
    arm = shift(R, 15)
    screw = shift(R, 18)
    for i in range(9):
        R[i] = 1.0 if i % 4 == 0 else 0.0
    for i in range(3):
        p[i] = 0.0
    row = 0
    for k in range(count):
        joint = shift(numbers, CHAIN + k * JOINT)
        hinge = joint[HINGE] != 0.0
        value = q[plan[PLACES + k] * LANES + lane]
        ahead(R, shift(joint, AXIS), axis)
        ahead(R, shift(joint, POINT), arm)
        for i in range(3):
            arm[i] = pose[(4 * i + 3) * LANES + lane] - arm[i] - p[i]
        if hinge:
            back(target, axis, screw)
            screw[3] = axis[1] * arm[2] - axis[2] * arm[1]
            screw[4] = axis[2] * arm[0] - axis[0] * arm[2]
            screw[5] = axis[0] * arm[1] - axis[1] * arm[0]
            back(target, shift(screw, 3), arm)
        else:
            back(target, axis, arm)
        row = 0
        for i in range(6):
            if plan[ASKED + i] != 0:
                entry = arm[i - 3] if i >= 3 else screw[i] if hinge else 0.0
                J[row * count + k] = entry if marks[HOLD + k] == FREE_TO_MOVE else 0.0
                row += 1
        # The motion of what follows: R, p times that of this joint.
        if hinge:
            ahead(R, shift(joint, POINT), arm)
            c = math.cos(value)
            s = math.sin(value)
            for j in range(3):
                for i in range(3):
                    screw[i] = R[3 * i + j]
                turned(axis, c, s, screw, screw)
                for i in range(3):
                    R[3 * i + j] = screw[i]
            ahead(R, shift(joint, POINT), screw)
            for i in range(3):
                p[i] = p[i] + arm[i] - screw[i]
        else:
            for i in range(3):
                p[i] = p[i] + value * axis[i]
    return row


def longest_column(rows: int, count: int, A: Floats) -> int:
    """The first of the longest columns of a matrix."""
    best = 0
    most = -1.0
    for j in range(count):
        square = 0.0
        for r in range(rows):
            square += A[r * count + j] ** 2
        if square > most:
            most = square
            best = j
    return best


def take_away(count: int, own: Floats, unit: Floats) -> None:
    """Take away from a vector what it has along another one, of length 1."""
    share = 0.0
    for j in range(count):
        share += own[j] * unit[j]
    for j in range(count):
        own[j] = own[j] - share * unit[j]


def least_step(rows: int, count: int, A: Floats, b: Floats, Z: Floats, step: Floats) -> float:
    """The shortest of the steps x for which Ax is nearest to b, directions that decide nothing left out; its largest.

    A = QR by columns, the longest of those that are left first, then R = LZ by rows.

    Args:
        rows: Of A, at most 6.
        count: Of its columns, at most 6.
        A: By rows; nothing is left of it.
        b: Nothing is left of it.
        Z: Room for as many numbers as A has, or more.
        step: What is found.
    """
    first = 0.0
    largest = 0.0
    for j in range(count):
        step[j] = 0.0
    for k in range(min(rows, count)):
        best = longest_column(rows, count, A)
        most = 0.0
        for r in range(rows):
            most += A[r * count + best] ** 2
        first = max(first, most)
        if not most > DECIDES**2 * first:
            break
        # The direction of that column: what it is of b and of the others is taken away from them.
        own = shift(Z, k * count)
        part = 0.0
        for r in range(rows):
            part += A[r * count + best] * b[r]
        for j in range(count):
            own[j] = 0.0
            for r in range(rows):
                own[j] = own[j] + A[r * count + best] * A[r * count + j]
        for r in range(rows):
            along = A[r * count + best]
            b[r] = b[r] - along * (part / most)
            for j in range(count):
                A[r * count + j] = A[r * count + j] - along * (own[j] / most)
        # The row without what rows before have told; a step along it makes up for what they leave of its part.
        for j in range(count):
            part -= own[j] * step[j]
        for i in range(k):
            take_away(count, own, shift(Z, i * count))
        square = 0.0
        for j in range(count):
            square += own[j] ** 2
        for j in range(count):
            step[j] = step[j] + own[j] * (part / square)
            own[j] = own[j] / math.sqrt(square)
    for j in range(count):
        largest = max(largest, abs(step[j]))
    return largest


def polish(
    pose_at: Kernel, plan: Ints, numbers: Floats, marks: Ints, room: Floats, q: Floats, pose: Floats, lane: int
) -> int:
    """Newton's steps of a lane where they help, and how many; without limits, but for joints that are held."""
    count = plan[COUNT]
    left = shift(room, LEFT + 6 * lane)
    step = shift(room, STEP)
    trial = shift(room, WORK)
    error = remainder(plan, room, pose, lane, left)
    for steps in range(NEWTON):
        if not POLISHED < error < CLOSE:
            return steps
        rows = write_jacobian(plan, numbers, marks, room, q, pose, lane)
        row = 0
        for i in range(6):
            if plan[ASKED + i] != 0:
                trial[row] = left[i]
                row += 1
        # A step that goes far is one along which nothing is decided.
        if not least_step(rows, count, shift(room, JACOBIAN), trial, shift(trial, 6), step) < 0.3:
            return steps
        for k in range(count):
            at = plan[PLACES + k] * LANES + lane
            trial[6 + k] = q[at]
            q[at] = q[at] + step[k]
        pose_at(0, 1, plan[ARGUMENTS])
        worth = remainder(plan, room, pose, lane, trial)
        if not worth < error:
            for k in range(count):
                q[plan[PLACES + k] * LANES + lane] = trial[6 + k]
            pose_at(0, 1, plan[ARGUMENTS])
            return steps
        error = worth
        for i in range(6):
            left[i] = trial[i]
    return NEWTON


FUNCTIONS: Final = (remainder, write_jacobian, longest_column, take_away, least_step, polish)
