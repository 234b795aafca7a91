"""Angles of rotations: no digits lost anywhere, least of all near a pitch of 90°."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sistel.pose import (
    IDENTITY,
    Rotation,
    exact_angle,
    exact_angles,
    exact_axis,
    exact_rotation,
    from_axis_angle,
    from_quaternion,
    from_roll_pitch_yaw,
    norm,
    roll_pitch_yaw,
)

angles = st.floats(-math.pi, math.pi)
near_zero = st.one_of(
    st.just(0.0), st.floats(-12, 0).map(lambda e: 10.0**e), st.floats(-18, -12).map(lambda e: 10.0**e)
)


def difference(a: Rotation, b: Rotation) -> float:
    return max(abs(x - y) for row, other in zip(a, b, strict=True) for x, y in zip(row, other, strict=True))


@given(angles, angles, angles)
def test_angles_give_the_rotation_back(roll: float, pitch: float, yaw: float) -> None:
    R = from_roll_pitch_yaw(roll, pitch, yaw)
    assert difference(from_roll_pitch_yaw(*roll_pitch_yaw(R)), R) <= 1e-15


@given(angles, st.sampled_from([1, -1]), near_zero, st.sampled_from([1, -1]), angles)
@example(2.0, 1, 1e-8, -1, -1.0)
@example(2.0, -1, 1e-16, 1, -1.0)
def test_angles_near_gimbal_lock(roll: float, side: int, off: float, way: int, yaw: float) -> None:
    R = from_roll_pitch_yaw(roll, side * (math.pi / 2 + way * off), yaw)
    assert difference(from_roll_pitch_yaw(*roll_pitch_yaw(R)), R) <= 1e-15


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4).filter(lambda q: sum(c * c for c in q) > 0.01))
def test_angles_of_quaternions(q: list[float]) -> None:
    R = from_quaternion(q)
    assert difference(from_roll_pitch_yaw(*roll_pitch_yaw(R)), R) <= 2e-15


def test_angles_of_all_right_angled_rotations_are_exact() -> None:
    quarter = math.pi / 2
    for i in range(4):
        for j in range(-1, 2):
            for k in range(4):
                R = from_roll_pitch_yaw(i * quarter, j * quarter, k * quarter)
                found = roll_pitch_yaw(R)
                assert from_roll_pitch_yaw(*found) == R
                assert all(angle == round(angle / quarter) * quarter for angle in found)


def test_truncated_quarter_turns_become_exact() -> None:
    assert exact_angle(1.57079632679) == math.pi / 2
    assert exact_angle(-3.14159265359) == -math.pi
    assert exact_angle(1.5708) == 1.5708
    assert exact_angle(9e-9) == 0
    assert exact_angle(1.57079632679, 0.0) == 1.57079632679


def test_roll_and_yaw_add_up_at_a_pitch_of_90_degrees() -> None:
    assert exact_angles((0.3, 1.57079632679, 0.3)) == (0.0, math.pi / 2, 0.0)
    assert exact_angles((0.3, -1.57079632679, 0.3)) == (0.3, -math.pi / 2, 0.3)
    roll, pitch, yaw = exact_angles((0.3, -1.57079632679, -0.3 - math.pi))
    assert (roll, pitch, yaw) == (-math.pi, -math.pi / 2, 0.0)


def test_a_small_turn_is_not_torn_apart() -> None:
    # cos(1e-5) is within 1e-10 of 1, but a matrix with 1 in its place is no rotation.
    R = from_axis_angle((0.0, 0.0, 1.0), 1e-5)
    assert exact_rotation(R) == R
    assert exact_rotation(from_axis_angle((0.0, 0.0, 1.0), 1e-9)) == IDENTITY


def test_axes() -> None:
    assert exact_axis((0.0, 0.0, -3.0)) == (0.0, 0.0, -1.0)
    assert exact_axis((1.0, 1e-9, 0.0)) == (1.0, 0.0, 0.0)
    for size in (5e-324, 1e-200, 1e200, 1.7e308):
        assert exact_axis((0.0, size, 0.0)) == (0.0, 1.0, 0.0)
    x, y, z = exact_axis((1.0, 4e-8, 0.0))
    assert (y > 3.9e-8, z) == (True, 0.0) and abs(math.hypot(x, y) - 1) < 1e-15


@pytest.mark.parametrize("size", [5e-324, 1e-300, 1e-170, 1e170, 1e300])
def test_axes_and_quaternions_of_any_size(size: float) -> None:
    assert norm((0.0, 0.0, -size)) == size and norm((0.0, 0.0, 0.0)) == 0.0
    assert from_axis_angle((0.0, size, 0.0), 0.5) == from_axis_angle((0.0, 1.0, 0.0), 0.5)
    assert from_quaternion((size, 0.0, -size, 0.0)) == from_quaternion((1.0, 0.0, -1.0, 0.0))
