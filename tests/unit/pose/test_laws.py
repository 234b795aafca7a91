"""Laws of rotations: what every form has to satisfy, whatever its numbers."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sistel.pose import (
    IDENTITY,
    Rotation,
    Vector3,
    axis_angle,
    compose,
    cross,
    determinant,
    from_axis_angle,
    from_quaternion,
    norm,
    quaternion,
    rotate,
    rotate_inertia,
    transpose,
)

components = st.floats(-10, 10)
vectors = st.tuples(components, components, components)
axes = vectors.filter(lambda v: norm(v) > 1e-3)
angles = st.floats(-7, 7)


def distance(a: Rotation, b: Rotation) -> float:
    return max(abs(x - y) for row, other in zip(a, b, strict=True) for x, y in zip(row, other, strict=True))


@given(axes, angles)
def test_a_rotation_is_orthogonal_and_keeps_its_axis(axis: Vector3, angle: float) -> None:
    R = from_axis_angle(axis, angle)
    assert distance(compose(transpose(R), R), IDENTITY) < 2e-15
    assert math.isclose(determinant(R), 1, abs_tol=2e-15)
    assert all(math.isclose(a, b, abs_tol=1e-14 * norm(axis)) for a, b in zip(rotate(R, axis), axis, strict=True))


@given(axes, angles, axes, angles)
def test_quaternions_and_axes_give_the_rotation_back(a: Vector3, alpha: float, b: Vector3, beta: float) -> None:
    R = compose(from_axis_angle(a, alpha), from_axis_angle(b, beta))
    assert distance(from_quaternion(quaternion(R)), R) < 4e-15
    assert distance(from_axis_angle(*axis_angle(R)), R) < 4e-15
    assert math.isclose(norm(quaternion(R)), 1, abs_tol=4e-16)


@given(axes, angles, vectors, vectors)
def test_rotations_keep_the_cross_product(axis: Vector3, angle: float, v: Vector3, w: Vector3) -> None:
    R = from_axis_angle(axis, angle)
    left, right = cross(rotate(R, v), rotate(R, w)), rotate(R, cross(v, w))
    assert all(math.isclose(x, y, abs_tol=1e-12) for x, y in zip(left, right, strict=True))


@given(axes, angles, vectors)
def test_inertia_turns_like_its_quadratic_form(axis: Vector3, angle: float, w: Vector3) -> None:
    R = from_axis_angle(axis, angle)
    I_B = (3.0, 4.0, 5.0, 0.3, -0.2, 0.1)

    def energy(inertia: tuple[float, ...], v: Vector3) -> float:
        xx, yy, zz, xy, xz, yz = inertia
        x, y, z = v
        return xx * x * x + yy * y * y + zz * z * z + 2 * (xy * x * y + xz * x * z + yz * y * z)

    assert math.isclose(energy(rotate_inertia(R, I_B), rotate(R, w)), energy(I_B, w), rel_tol=1e-13, abs_tol=1e-12)
    assert rotate_inertia(IDENTITY, I_B) == I_B


@pytest.mark.parametrize("quarter", range(-8, 9))
def test_quarter_turns_are_exact(quarter: int) -> None:
    R = from_axis_angle((0, 0, 1), math.radians(90 * quarter))
    assert all(entry in (-1.0, 0.0, 1.0) for row in R for entry in row)


def test_degenerate_rotations() -> None:
    assert from_axis_angle((0, 0, 0), 1.0) == IDENTITY
    assert axis_angle(IDENTITY) == ((0.0, 0.0, 1.0), 0.0)
    for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
        assert axis_angle(from_axis_angle(axis, math.pi)) == (axis, math.pi)
