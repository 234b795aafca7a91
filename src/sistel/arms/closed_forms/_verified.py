"""Branches of closed forms brought within the limits, verified and put in order.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.arms.closed_forms._layout import (
    ARGUMENTS,
    AWAY,
    BEST,
    BOUNDS,
    CALM,
    COUNT,
    EVERY,
    FREE_TO_MOVE,
    HELD,
    HOLD,
    KINDS,
    LANES,
    LEFT,
    NQ,
    ORDER,
    PLACES,
    ROWS,
    SEED,
    SEEDS,
    SEVERAL,
    STOP,
    TARGET,
    TOLERANCES,
    TURNS,
    WORK,
)
from sistel.arms.closed_forms._newton import Kernel, polish, remainder
from sistel.arms.closed_forms._wrists import branches
from sistel.kernels.subset import Floats, Ints, poll, shift
from sistel.solve import SLACK, read_target

EDGE: Final = 1e-7
"""How far beyond its limit a coordinate is still taken to stand at it [m or rad]: where branches meet, formulas know it
to half of the digits. The other joints make up for it."""
SAME: Final = 1e-4
"""Branches nearer to each other than this in every coordinate are one [m or rad]."""
WOUND, PUT, OUTSIDE = 1, 2, 4
"""Of a lane, added: that angles were turned by whole turns, that joints were put at limits, that some are beyond."""
NO_SOLUTION, BEYOND, SOLUTION = range(3)
"""Of a branch: that it leads elsewhere, that it leads there beyond the limits, that it is a solution."""
REACHED, UNUSUAL = range(2)
"""Answers to a single target: found, or left to the general way."""


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
    steps = polish(pose_at, plan, numbers, marks, room, q, pose, lane)
    outside = False
    if steps != 0 or marks[CALM + lane] == 0:
        became = settle(plan, numbers, marks, room, q, lane)
        outside = became >= OUTSIDE
        if became % OUTSIDE >= PUT:
            pose_at(0, 1, plan[ARGUMENTS])
            polish(pose_at, plan, numbers, marks, room, q, pose, lane)
            became = settle(plan, numbers, marks, room, q, lane)
            outside = outside or became >= OUTSIDE
            for k in range(plan[COUNT]):
                marks[HOLD + k] = FREE_TO_MOVE
        if became % OUTSIDE != 0:
            pose_at(0, 1, plan[ARGUMENTS])
            remainder(plan, room, pose, lane, left)
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


def keep_finite(every: Floats, found: int, count: int) -> int:
    """Leave out the branches that are no numbers; how many are left."""
    real = 0
    for b in range(found):
        finite = True
        for k in range(count):
            every[real * count + k] = every[b * count + k]
            finite = finite and math.isfinite(every[b * count + k])
        if finite:
            real += 1
    return real


def put_branch(plan: Ints, numbers: Floats, room: Floats, own: Floats, q: Floats, lane: int) -> int:
    """Put a branch into its lane, turns wound towards the seed and the limits; 1 where it is within them, else 0."""
    within = 1
    for k in range(plan[COUNT]):
        low = numbers[BOUNDS + 2 * k]
        high = numbers[BOUNDS + 2 * k + 1]
        value = own[k]
        if plan[TURNS + k] != 0 and not (abs(value - room[SEED + k]) < math.pi and low <= value <= high):
            value = wound(value, room[SEED + k], low, high)
        if not low <= value <= high:
            within = 0
        q[plan[PLACES + k] * LANES + lane] = value
    return within


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
    real = keep_finite(every, found, count)
    solutions = 0
    first = 0
    while first < real:
        lanes = min(LANES, real - first)
        for lane in range(LANES):
            own = shift(every, (first + (lane if lane < lanes else 0)) * count)
            marks[CALM + lane] = put_branch(plan, numbers, room, own, q, lane)
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
    wound, settle, judge, alike, distinct, keep_finite, put_branch, solve_target, write_found,
    solve_rows, answer,
)  # fmt: skip
