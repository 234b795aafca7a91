"""Targets, what is left of them, whole turns and tolerances, row by row, in the compiled subset of Python."""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Ints, shift

EXACT: Final = 1e-13
"""How exact axes are that are taken as they are."""
SLACK: Final = 1.0 + 1e-6
"""What verification grants the tolerances: it rounds otherwise than the search."""


def read_target(given: Floats, target: Floats) -> bool:
    """Take a target apart into its axes by rows and its place; whether it is an exact pose."""
    for i in range(3):
        for j in range(3):
            target[3 * i + j] = given[4 * i + j]
        target[9 + i] = given[4 * i + 3]
        if not math.isfinite(given[4 * i + 3]):
            return False
    for j in range(3):
        for k in range(j + 1):
            product = target[j] * target[k] + target[3 + j] * target[3 + k] + target[6 + j] * target[6 + k]
            if not abs(product - (1.0 if j == k else 0.0)) < EXACT:  # true for NaN too
                return False
    x = target[3] * target[7] - target[6] * target[4]
    y = target[6] * target[1] - target[0] * target[7]
    z = target[0] * target[4] - target[3] * target[1]
    handed = x * target[2] + y * target[5] + z * target[8]
    return handed > 0.0 and given[12] == 0.0 and given[13] == 0.0 and given[14] == 0.0 and given[15] == 1.0


def turn_left(pose: Floats, target: Floats, free: int, left: Floats) -> float:
    """The rotation vector that is left, in the axes of the target [rad]; its length. Of a half turn, half a turn."""
    c = 0.0
    for j in range(3):
        left[j] = 0.0
    for j in range(3):
        if free < 0 or free == j:
            ux = pose[j]
            uy = pose[4 + j]
            uz = pose[8 + j]
            wx = target[j]
            wy = target[3 + j]
            wz = target[6 + j]
            x = uy * wz - uz * wy
            y = uz * wx - ux * wz
            z = ux * wy - uy * wx
            c += ux * wx + uy * wy + uz * wz
            for i in range(3):
                left[i] = left[i] + x * target[i] + y * target[3 + i] + z * target[6 + i]
    if free < 0:
        c = 0.5 * (c - 1.0)
        for i in range(3):
            left[i] = 0.5 * left[i]
    s = math.sqrt(left[0] ** 2 + left[1] ** 2 + left[2] ** 2)
    angle = math.atan2(s, c)
    if s > 1e-9:
        for i in range(3):
            left[i] = left[i] * (angle / s)
    return angle


def read_rows(count: int, given: Floats, target: Floats, exact: Ints) -> int:
    """Whether each of many targets, sixteen numbers each, is an exact pose; how many are not."""
    wrong = 0
    for row in range(count):
        exact[row] = 1 if read_target(shift(given, 16 * row), target) else 0
        wrong += 1 - exact[row]
    return wrong


def rows_left(
    count: int, free: int, asked: Floats, poses: Floats, given: Floats, target: Floats, left: Floats, angles: Floats
) -> None:
    """What is left from many poses to targets, six numbers each; and the angles, those of no interest included."""
    for row in range(count):
        pose = shift(poses, 16 * row)
        own = shift(left, 6 * row)
        read_target(shift(given, 16 * row), target)
        angles[row] = turn_left(pose, target, free, own)
        for j in range(3):
            way = 0.0
            for i in range(3):
                way += target[3 * i + j] * (target[9 + i] - pose[4 * i + 3])
            own[3 + j] = way
        for i in range(6):
            own[i] = own[i] * asked[i]


def unwind(
    count: int,
    nq: int,
    joints: int,
    places: Ints,
    turns: Ints,
    bounds: Floats,
    limits: int,
    own: int,
    seeds: Floats,
    q: Floats,
) -> None:
    """Angles of many postures, in place, as near to their seeds as whole turns within the limits bring them."""
    for row in range(count):
        posture = shift(q, row * nq)
        seed = shift(seeds, row * nq if own != 0 else 0)
        for k in range(joints):
            if turns[k] != 0:
                at = places[k]
                away = (seed[at] - posture[at]) / (2.0 * math.pi)
                if abs(away) > 0.5:
                    there = posture[at] + 2.0 * math.pi * math.floor(away + 0.5)
                    if limits == 0 or bounds[2 * k] <= there <= bounds[2 * k + 1]:
                        posture[at] = there


def rows_within(count: int, left: Floats, turn: float, slide: float, good: Ints) -> None:
    """Whether what is left of many poses is within the tolerances."""
    for row in range(count):
        own = shift(left, 6 * row)
        turned = math.sqrt(own[0] ** 2 + own[1] ** 2 + own[2] ** 2)
        moved = math.sqrt(own[3] ** 2 + own[4] ** 2 + own[5] ** 2)
        good[row] = 1 if turned <= turn * SLACK and moved <= slide * SLACK else 0


FUNCTIONS: Final = (read_target, turn_left, read_rows, rows_left, unwind, rows_within)
