"""The 24 axial orientations and their two-digit codes.

A gripper has its fingers along its axis x and its thumb along y. In an axial orientation both point along the axes of
the scene, whose x goes to the right, y up and z towards the viewer. The code ``ij`` says where: the first digit is the
direction of the fingers, the second that of the thumb; 1 right, 2 left, 3 up, 4 down, 5 towards the viewer, 6 away.
Code 13 is the orientation of the scene itself: fingers right, thumb up.

The product of two codes is the turn from 13 to the first and then, about the axes that have turned along, the turn of
the second. With it the codes are a group, that of the rotations of a cube.
"""

from __future__ import annotations

from functools import cache
from typing import NoReturn

from sistel.errors import Text, refuse
from sistel.pose._group import Group
from sistel.pose._rotation import Rotation, Vector3, compose, cross, transpose

DIRECTIONS: dict[int, tuple[int, int, int]] = {
    1: (1, 0, 0),
    2: (-1, 0, 0),
    3: (0, 1, 0),
    4: (0, -1, 0),
    5: (0, 0, 1),
    6: (0, 0, -1),
}
"""What the digits of a code mean, along the axes of the scene."""

UNIT = 13
"""Fingers right, thumb up."""

CODES = tuple(
    10 * i + j
    for i, fingers in DIRECTIONS.items()
    for j, thumb in DIRECTIONS.items()
    if not any(a * b for a, b in zip(fingers, thumb, strict=True))
)
"""All 24 of them, in growing order."""

OCTANTS = (
    (13, 16, 36, 53, 54, 14, 42, 45),
    (35, 63, 62, 32, 41, 46, 26, 52),
    (51, 31, 23, 25, 15, 61, 64, 24),
)
"""The table of octants: a column holds the three orientations whose axes lie along the edges of one octant
(A. I. Telegin and others, 2025, Table 1)."""


def checked_code(code: int) -> int:
    """A code, if it is one.

    Raises:
        SistelError: It is none, and why.
    """
    if code not in _PLACES:
        _no_code(code)
    return code


def _no_code(code: int) -> NoReturn:
    i, j = divmod(code, 10)
    if i in DIRECTIONS and j in DIRECTIONS:
        message = Text(
            f"{code} is no orientation: fingers and thumb would lie along one line",
            f"{code} — не ориентация: пальцы и большой палец оказались бы на одной прямой",
        )
    else:
        message = Text(f"{code} is no code of an orientation", f"{code} — не код ориентации")
    refuse(
        "no-code",
        message,
        expected=Text(
            "two digits from 1 to 6: where the fingers and where the thumb point (1 right, 2 left, 3 up, 4 down, "
            "5 towards the viewer, 6 away)",
            "две цифры от 1 до 6: куда направлены пальцы и куда большой (1 вправо, 2 влево, 3 вверх, 4 вниз, "
            "5 на нас, 6 от нас)",
        ),
    )


def axial_rotation(code: int) -> Rotation:
    """The rotation from code 13; its columns are the directions of fingers, thumb and of the third axis."""
    i, j = divmod(checked_code(code), 10)
    x: Vector3 = _floats(DIRECTIONS[i])
    y: Vector3 = _floats(DIRECTIONS[j])
    return transpose((x, y, cross(x, y)))


def axial_code(R: Rotation) -> int:
    """The code of a rotation whose columns lie along the axes, exactly."""
    columns = transpose(R)
    ways = {_floats(direction): digit for digit, direction in DIRECTIONS.items()}
    i, j = (ways.get((x + 0.0, y + 0.0, z + 0.0)) for x, y, z in columns[:2])
    if i is None or j is None:
        raise ValueError("the axes of this rotation do not lie along those of the scene")
    return 10 * i + j


def _floats(direction: tuple[int, int, int]) -> Vector3:
    return (float(direction[0]), float(direction[1]), float(direction[2]))


def multiply_codes(first: int, second: int) -> int:
    """The orientation after the turn of one code and then, about the turned axes, that of another."""
    return axial_group().multiply(checked_code(first), checked_code(second))


def turn_between(start: int, end: int) -> int:
    """The code of the turn that leads from one orientation to another: start · turn = end."""
    group = axial_group()
    return group.multiply(group.inverse(checked_code(start)), checked_code(end))


def euler_parameters(code: int) -> tuple[int, int, int, int]:
    """Axis, not of length 1, and angle [deg] of the turn from 13 to a code, as the table of octants has them.

    Of the two ways round, the angle is that of the smaller turn; a quarter turn the other way is written as 270°.
    """
    return _EULER[checked_code(code)]


def euler_between(start: int, end: int) -> tuple[int, int, int, int]:
    """Axis, in the axes of the start orientation, and angle [deg] of the turn from one code to another."""
    return euler_parameters(turn_between(start, end))


@cache
def axial_group() -> Group[int]:
    """The group of the 24 codes."""
    rotations = {code: axial_rotation(code) for code in CODES}
    return Group.of(CODES, UNIT, lambda a, b: axial_code(compose(rotations[a], rotations[b])))


def class_of_axis(axis: str) -> tuple[int, ...]:
    """The orientations that keep one axis of the scene where it is, in the order of the angle: Gx, Gy or Gz."""
    quarter = {"x": 15, "y": 63, "z": 32}[axis]
    group = axial_group()
    return group.powers(quarter)


def quarter_turns(start: int, end: int) -> tuple[str, ...]:
    """The shortest sequence of quarter turns from one code to another, about axes of the gripper that turn along.

    Returns:
        Names such as "x+" and "z-", at most three; of equally short ones the first in the order x+, x-, y+, y-, z+, z-.
    """
    group = axial_group()
    turns = {"x+": 15, "x-": 16, "y+": 63, "y-": 53, "z+": 32, "z-": 41}
    ways: dict[int, tuple[str, ...]] = {checked_code(start): ()}
    reached = [start]
    while checked_code(end) not in ways:
        ahead: list[int] = []
        for code in reached:
            for name, turn in turns.items():
                new = group.multiply(code, turn)
                if new not in ways:
                    ways[new] = (*ways[code], name)
                    ahead.append(new)
        reached = ahead
    return ways[end]


_PLACES = frozenset(CODES)

_EULER: dict[int, tuple[int, int, int, int]] = {
    13: (1, 0, 0, 0), 16: (1, 0, 0, 270), 36: (-1, -1, 1, 120), 53: (0, 1, 0, 270),
    54: (1, 0, 1, 180), 14: (1, 0, 0, 180), 42: (1, -1, 0, 180), 45: (1, -1, -1, 120),
    35: (1, 1, 1, 120), 63: (0, 1, 0, 90), 62: (1, -1, -1, 240), 32: (0, 0, 1, 90),
    41: (0, 0, 1, 270), 46: (-1, 1, -1, 120), 26: (0, 1, -1, 180), 52: (1, -1, 1, 120),
    51: (-1, -1, -1, 120), 31: (-1, -1, 0, 180), 23: (0, 1, 0, 180), 25: (0, 1, 1, 180),
    15: (1, 0, 0, 90), 61: (1, 1, -1, 120), 64: (1, 0, -1, 180), 24: (0, 0, 1, 180),
}  # fmt: skip
"""Spelt as in Table 1 of that paper, where one turn can be spelt in several ways; code 46 is printed there with the
angle of code 52, 240°."""
