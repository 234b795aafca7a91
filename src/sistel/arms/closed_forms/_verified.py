"""Branches of closed forms made exact, brought within the limits, verified and put in order.

Written in the compiled subset of Python. Poses are computed by the kernel of forward kinematics, `LANES` branches at a
time, which knows nothing of the formulas.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.arms.closed_forms._layout import (
    ARGUMENTS,
    ASKED,
    AXIS,
    BOUNDS,
    CHAIN,
    COUNT,
    FREE_AXIS,
    HINGE,
    JOINT,
    LANES,
    NQ,
    PLACES,
    POINT,
    ROWS,
    SEEDS,
    SEVERAL,
    STOP,
    TOLERANCES,
    TURNING,
    TURNS,
)
from sistel.arms.closed_forms._roots import turned
from sistel.arms.closed_forms._wrists import FORM_ROOM, ahead, back, branches
from sistel.kernels.subset import Floats, Function, Ints, poll, shift
from sistel.solve import SLACK, read_target

Kernel = Function[[int, int, int], None]

POLISHED: Final = 1e-14
"""Errors from which Newton's steps are worth while, in parts of the size of what there is."""
NEWTON: Final = 8
"""Steps at most: formulas are exact but for rounding and for axes that nearly meet."""
CLOSE: Final = 2e-3
"""Errors up to which a candidate is near a solution [rad, and parts of the distance]."""
EDGE: Final = 1e-7
"""How far beyond its limit a coordinate is still taken to stand at it [m or rad]: where branches meet, formulas know it
to half of the digits. The other joints make up for it."""
SAME: Final = 1e-4
"""Branches nearer to each other than this in every coordinate are one [m or rad]."""
DECIDES: Final = 1e-9
"""Part of the longest column of a Jacobian from which others decide something."""

FREE_TO_MOVE, HELD = range(2)
"""Of a joint: whether it stands at a limit."""
WOUND, PUT, OUTSIDE = 1, 2, 4
"""Of a lane, added: that angles were turned by whole turns, that joints were put at limits, that some are beyond."""
NO_SOLUTION, BEYOND, SOLUTION = range(3)
"""Of a branch: that it leads elsewhere, that it leads there beyond the limits, that it is a solution."""
REACHED, UNUSUAL = range(2)
"""Answers to a single target: found, or left to the general way."""

TARGET, SEED, EVERY, LEFT, JACOBIAN, STEP, AWAY, BEST, WORK = 0, 12, 18, 114, 210, 246, 252, 268, 290
"""Places in the room: the target, the seed, candidates, what is left of them, the Jacobian, a step, how far candidates
are from the seed, the pose of the nearest one and what is left there, room for the rest."""
ROOM: Final = WORK + FORM_ROOM
"""Numbers of the room."""
KINDS, ORDER, HOLD, MARKS = 0, 16, 32, 38
"""Places of marks: what candidates are, their order, which joints are held; how many there are."""


def remainder(plan: Ints, numbers: Floats, room: Floats, pose: Floats, lane: int, left: Floats) -> float:
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
        best = 0
        most = -1.0
        for j in range(count):
            square = 0.0
            for r in range(rows):
                square += A[r * count + j] ** 2
            if square > most:
                most = square
                best = j
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
            before = shift(Z, i * count)
            share = 0.0
            for j in range(count):
                share += own[j] * before[j]
            for j in range(count):
                own[j] = own[j] - share * before[j]
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
) -> None:
    """Newton's steps of a lane where they help; without limits, but for joints that are held where they are."""
    count = plan[COUNT]
    left = shift(room, LEFT + 6 * lane)
    step = shift(room, STEP)
    trial = shift(room, WORK)
    error = remainder(plan, numbers, room, pose, lane, left)
    for _ in range(NEWTON):
        if not POLISHED < error < CLOSE:
            return
        rows = write_jacobian(plan, numbers, marks, room, q, pose, lane)
        row = 0
        for i in range(6):
            if plan[ASKED + i] != 0:
                trial[row] = left[i]
                row += 1
        # A step that goes far is one along which nothing is decided.
        if not least_step(rows, count, shift(room, JACOBIAN), trial, shift(trial, 6), step) < 0.3:
            return
        for k in range(count):
            at = plan[PLACES + k] * LANES + lane
            trial[6 + k] = q[at]
            q[at] = q[at] + step[k]
        pose_at(0, 1, plan[ARGUMENTS])
        worth = remainder(plan, numbers, room, pose, lane, trial)
        if not worth < error:
            for k in range(count):
                q[plan[PLACES + k] * LANES + lane] = trial[6 + k]
            pose_at(0, 1, plan[ARGUMENTS])
            return
        error = worth
        for i in range(6):
            left[i] = trial[i]


def wound(value: float, seed: float, low: float, high: float) -> float:
    """An angle as near to the seed as whole turns within the limits allow."""
    if abs(seed - value) < math.pi and low - EDGE <= value <= high + EDGE:
        return value
    away = (seed - value) / (2.0 * math.pi)
    count = math.floor(away + 0.5)
    if float(count) - away == 0.5 and count % 2 != 0:
        count -= 1
    least = math.ceil((low - EDGE - value) / (2.0 * math.pi))
    most = math.floor((high + EDGE - value) / (2.0 * math.pi))
    count = min(max(count, least), max(most, least))
    return value if count == 0 else value + 2.0 * math.pi * float(count)


def settle(plan: Ints, numbers: Floats, marks: Ints, room: Floats, q: Floats, lane: int) -> int:
    """Bring a lane within the limits, joints that are a little beyond one put at it and marked; what became of it."""
    wound_up = 0
    put = 0
    outside = 0
    for k in range(plan[COUNT]):
        at = plan[PLACES + k] * LANES + lane
        low = numbers[BOUNDS + 2 * k]
        high = numbers[BOUNDS + 2 * k + 1]
        value = q[at]
        marks[HOLD + k] = FREE_TO_MOVE
        if plan[TURNS + k] != 0:
            value = wound(value, room[SEED + k], low, high)
            if value != q[at]:
                wound_up = WOUND
        if not low <= value <= high:
            if low - EDGE <= value <= high + EDGE:
                value = min(max(value, low), high)
                marks[HOLD + k] = HELD
                put = PUT
            else:
                outside = OUTSIDE
        q[at] = value
    return wound_up + put + outside


def judge(
    pose_at: Kernel, plan: Ints, numbers: Floats, marks: Ints, room: Floats, q: Floats, pose: Floats, lane: int
) -> int:
    """What a lane is, once it is made exact and brought within the limits."""
    left = shift(room, LEFT + 6 * lane)
    for k in range(plan[COUNT]):
        marks[HOLD + k] = FREE_TO_MOVE
    polish(pose_at, plan, numbers, marks, room, q, pose, lane)
    became = settle(plan, numbers, marks, room, q, lane)
    outside = became >= OUTSIDE
    if became % OUTSIDE >= PUT:
        pose_at(0, 1, plan[ARGUMENTS])
        polish(pose_at, plan, numbers, marks, room, q, pose, lane)
        became = settle(plan, numbers, marks, room, q, lane)
        outside = outside or became >= OUTSIDE
    if became % OUTSIDE != 0:
        pose_at(0, 1, plan[ARGUMENTS])
        remainder(plan, numbers, room, pose, lane, left)
    turn = math.sqrt(left[0] ** 2 + left[1] ** 2 + left[2] ** 2)
    slide = math.sqrt(left[3] ** 2 + left[4] ** 2 + left[5] ** 2)
    if not (turn <= numbers[TOLERANCES] * SLACK and slide <= numbers[TOLERANCES + 1] * SLACK):
        return NO_SOLUTION
    return BEYOND if outside else SOLUTION


def alike(plan: Ints, a: Floats, b: Floats) -> bool:
    """Whether two branches are the same, whole turns aside."""
    for k in range(plan[COUNT]):
        by = abs(a[k] - b[k])
        if by > math.pi and plan[TURNS + k] != 0:
            by = abs(by - 2.0 * math.pi * math.floor(by / (2.0 * math.pi) + 0.5))
        if not by < SAME:
            return False
    return True


def distinct(plan: Ints, marks: Ints, room: Floats, count: int) -> int:
    """Strike from the order what is the same as something before; how many are left."""
    every = shift(room, EVERY)
    kept = 0
    for i in range(count):
        own = marks[ORDER + i]
        new = True
        for j in range(kept):
            if alike(plan, shift(every, marks[ORDER + j] * plan[COUNT]), shift(every, own * plan[COUNT])):
                new = False
                break
        if new:
            marks[ORDER + kept] = own
            kept += 1
    return kept


def solve_target(
    pose_at: Kernel, plan: Ints, numbers: Floats, marks: Ints, room: Floats, q: Floats, pose: Floats
) -> int:
    """All solutions for the target and the seed in the room, nearest first in the order; how many.

    Where there is none, minus the number of those beyond the limits.
    """
    count = plan[COUNT]
    every = shift(room, EVERY)
    away = shift(room, AWAY)
    best = shift(room, BEST)
    found = branches(plan, numbers, shift(room, TARGET), shift(room, SEED), shift(room, WORK), every)
    real = 0
    for b in range(found):
        finite = True
        for k in range(count):
            every[real * count + k] = every[b * count + k]
            finite = finite and math.isfinite(every[b * count + k])
        if finite:
            real += 1
    solutions = 0
    first = 0
    while first < real:
        lanes = min(LANES, real - first)
        for lane in range(LANES):
            own = shift(every, (first + (lane if lane < lanes else 0)) * count)
            for k in range(count):
                value = own[k]
                if plan[TURNS + k] != 0:
                    value = wound(value, room[SEED + k], numbers[BOUNDS + 2 * k], numbers[BOUNDS + 2 * k + 1])
                q[plan[PLACES + k] * LANES + lane] = value
        pose_at(0, 1, plan[ARGUMENTS])
        for lane in range(lanes):
            b = first + lane
            marks[KINDS + b] = judge(pose_at, plan, numbers, marks, room, q, pose, lane)
            distance = 0.0
            for k in range(count):
                value = q[plan[PLACES + k] * LANES + lane]
                every[b * count + k] = value
                distance += abs(value - room[SEED + k])
            if marks[KINDS + b] == SOLUTION:
                # In order: those as far stay as they came.
                at = solutions
                while at > 0 and away[at - 1] > distance:
                    away[at] = away[at - 1]
                    marks[ORDER + at] = marks[ORDER + at - 1]
                    at -= 1
                away[at] = distance
                marks[ORDER + at] = b
                solutions += 1
                if at == 0:
                    for i in range(16):
                        best[i] = pose[i * LANES + lane]
                    for i in range(6):
                        best[16 + i] = room[LEFT + 6 * lane + i]
        first += LANES
    if solutions > 0:
        return distinct(plan, marks, room, solutions) if plan[SEVERAL] != 0 else 1
    beyond = 0
    for b in range(real):
        if marks[KINDS + b] == BEYOND:
            marks[ORDER + beyond] = b
            beyond += 1
    return -distinct(plan, marks, room, beyond)


def write_found(
    plan: Ints, marks: Ints, room: Floats, count: int, seed: Floats, q: Floats, pose: Floats, left: Floats,
    several: Floats,
) -> None:  # fmt: skip
    """Write what was found for a target: the nearest, its pose, what is left, and all solutions if they are kept."""
    nq = plan[NQ]
    for s in range(count):
        own = shift(room, EVERY + marks[ORDER + s] * plan[COUNT])
        if s == 0:
            for i in range(nq):
                q[i] = seed[i]
            for k in range(plan[COUNT]):
                q[plan[PLACES + k]] = own[k]
        if plan[SEVERAL] != 0:
            row = shift(several, s * nq)
            for i in range(nq):
                row[i] = seed[i]
            for k in range(plan[COUNT]):
                row[plan[PLACES + k]] = own[k]
    for i in range(16):
        pose[i] = room[BEST + i]
    for i in range(6):
        left[i] = room[BEST + 16 + i]


def solve_rows(
    pose_at: Kernel, plan: Ints, numbers: Floats, marks: Ints, room: Floats, lanes_q: Floats, lanes_pose: Floats,
    targets: Floats, seeds: Floats, counts: Ints, q: Floats, poses: Floats, left: Floats, several: Floats,
) -> int:  # fmt: skip
    """Solve for many targets; 0 when done, 1 when stopped.

    Args:
        pose_at: The kernel of the pose, `LANES` at a time.
        plan: Of the arm.
        numbers: Of the arm.
        marks: Room.
        room: Room.
        lanes_q: What the kernel takes.
        lanes_pose: What the kernel gives.
        targets: Sixteen numbers each.
        seeds: One row of nq, or one a target.
        counts: How many solutions each has; where there is none, minus the number of those beyond the limits.
        q: Rows of nq, where there is a solution.
        poses: Sixteen numbers each, where there is a solution.
        left: Six numbers each, where there is a solution.
        several: All solutions, rows of nq one after the other, if they are kept.
    """
    nq = plan[NQ]
    kept = 0
    for row in range(plan[ROWS]):
        if poll(plan, STOP) != 0:
            return 1
        seed = shift(seeds, row * nq if plan[SEEDS] != 0 else 0)
        read_target(shift(targets, 16 * row), shift(room, TARGET))
        for k in range(plan[COUNT]):
            room[SEED + k] = seed[plan[PLACES + k]]
        counts[row] = solve_target(pose_at, plan, numbers, marks, room, lanes_q, lanes_pose)
        if counts[row] > 0:
            write_found(
                plan, marks, room, counts[row], seed, shift(q, row * nq), shift(poses, 16 * row), shift(left, 6 * row),
                shift(several, kept * nq),
            )  # fmt: skip
            if plan[SEVERAL] != 0:
                kept += counts[row]
    return 0


def answer(
    pose_at: Kernel, plan: Ints, numbers: Floats, marks: Ints, room: Floats, lanes_q: Floats, lanes_pose: Floats,
    given: Floats, seed: Floats, counts: Ints, q: Floats, pose: Floats, left: Floats, several: Floats,
) -> int:  # fmt: skip
    """Solve for one target that is not checked yet: `REACHED`, or `UNUSUAL` for the general way."""
    if not read_target(given, shift(room, TARGET)):
        return UNUSUAL
    for i in range(plan[NQ]):
        if not math.isfinite(seed[i]):
            return UNUSUAL
    for k in range(plan[COUNT]):
        at = plan[PLACES + k]
        seed[at] = min(max(seed[at], numbers[BOUNDS + 2 * k]), numbers[BOUNDS + 2 * k + 1])
        room[SEED + k] = seed[at]
    counts[0] = solve_target(pose_at, plan, numbers, marks, room, lanes_q, lanes_pose)
    if counts[0] <= 0:
        return UNUSUAL
    write_found(plan, marks, room, counts[0], seed, q, pose, left, several)
    return REACHED


FUNCTIONS: Final = (
    remainder, write_jacobian, least_step, polish, wound, settle, judge, alike, distinct, solve_target, write_found,
    solve_rows, answer,
)  # fmt: skip
