"""Laws of batches of rotations and displacements, whatever their numbers, and conversions block by block."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sistel.errors import SistelError
from sistel.pose import (
    Parameters,
    angle_between,
    conjugate,
    from_dual,
    from_screw,
    homogeneous,
    multiply,
    multiply_dual,
    to_dual,
    to_screw,
    turn,
)

SETS = Parameters.standard()
NAMES = [each.name for each in SETS.rotations if each.name != "axial"]
EXACT = 4e-15  # some ten roundings of numbers of size 1
SEVERAL = 3 * 6000 + 17  # rows: more than one block, and a part of one

components = st.floats(-1.0, 1.0)
# Components that are exactly zero, alike or tiny are where signs, quarter turns and singular angles are decided.
special = st.sampled_from([0.0, -0.0, 1.0, -1.0, math.sqrt(0.5), 0.5, 1e-9, 1e-17, 1e-200])
quaternions = (
    st.tuples(*[components | special] * 4)
    .filter(lambda q: max(map(abs, q)) > 1e-3)
    .map(lambda q: np.array(q) / math.hypot(*q))
)
places = st.tuples(components, components, components).map(np.array)
displacements = st.tuples(quaternions, places).map(lambda pair: homogeneous(*pair))


def matrix(q: Any) -> Any:
    return SETS.convert_rotation(q, "quaternion", "matrix").reshape(*np.shape(q)[:-1], 3, 3)


@given(quaternions, st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_any_two_sets_write_the_same_rotation(q: Any, one: str, other: str) -> None:
    """From set to set and back; a half turn has no Rodrigues parameters, and near it they lose what they are large by."""
    if "rodrigues" in (one, other) and abs(q[0]) < 1e-3:
        q = np.array([0.6, *(0.8 * q[1:] / np.linalg.norm(q[1:]))])
    written = SETS.convert_rotation(q, "quaternion", one)
    there = SETS.convert_rotation(written, one, other)
    back = SETS.convert_rotation(SETS.convert_rotation(there, other, one), one, "quaternion")
    assert angle_between(q, back) < 2 * EXACT  # four conversions


@given(quaternions, quaternions, places)
def test_products_of_quaternions_are_those_of_matrices(a: Any, b: Any, v: Any) -> None:
    assert np.abs(matrix(multiply(a, b)) - matrix(a) @ matrix(b)).max() < EXACT
    assert np.abs(turn(multiply(a, b), v) - matrix(a) @ (matrix(b) @ v)).max() < EXACT
    assert np.abs(matrix(conjugate(a)) - matrix(a).T).max() < EXACT


@given(displacements, displacements)
def test_products_of_dual_quaternions_are_those_of_matrices(A: Any, B: Any) -> None:
    assert np.abs(from_dual(multiply_dual(to_dual(A), to_dual(B))) - A @ B).max() < EXACT


@given(displacements)
def test_the_screw_of_the_inverse_is_the_inverse_of_the_screw(X: Any) -> None:
    """The same line and the same turn and move, the other way round."""
    R, p = X[:3, :3], X[:3, 3]
    inverse = np.eye(4)
    inverse[:3, :3], inverse[:3, 3] = R.T, -R.T @ p
    one, other = to_screw(X), to_screw(inverse)
    assert np.abs(from_screw(other) @ X - np.eye(4)).max() < EXACT
    assert other.angle == pytest.approx(float(one.angle), abs=EXACT)
    if one.angle > 1e-3:
        same = 1.0 if one.axis @ other.axis > 0.0 else -1.0
        # Turns by less than half a turn are about opposite axes; a half turn may be about either.
        assert same < 0.0 or one.angle > math.pi - 1e-9
        # A line is as far away as the turn is small, and known as much worse.
        size = EXACT * (1.0 + 1.0 / float(one.angle)) ** 2
        assert np.abs(other.axis - same * one.axis).max() < size
        assert np.abs(other.point - one.point).max() < size
        assert float(other.distance) == pytest.approx(-same * float(one.distance), abs=size)


@pytest.mark.parametrize("name", NAMES)
def test_a_row_does_not_depend_on_its_batch(name: str) -> None:
    """Blocks begin and end anywhere, and special rows take other ways: numbers stay what they are alone."""
    q = np.random.default_rng(5).normal(size=(SEVERAL, 4))
    q[7], q[-3] = (1.0, 0.0, 0.0, 0.0), (1.0, 1e-170, 0.0, 0.0)
    if name != "rodrigues":
        q[6000] = (0.0, 0.0, -3.0, 4.0)
    whole = SETS.convert_rotation(q, "quaternion", name)
    back = SETS.convert_rotation(whole, name, "quaternion")
    assert angle_between(back, SETS.convert_rotation(q, "quaternion", "quaternion")).max() < EXACT
    for i in (0, 7, 5999, 6000, SEVERAL - 3, SEVERAL - 1):
        # Scaled for the sake of another row, or not: one rounding of difference. Angles grow it near their singularity.
        alone = SETS.convert_rotation(q[i], "quaternion", name)
        assert angle_between(SETS.convert_rotation(alone, name, "quaternion"), back[i]) < EXACT
        assert SETS.convert_rotation(whole[i], name, "quaternion") == pytest.approx(back[i], abs=1e-15)


def test_matrices_are_exact_to_a_few_roundings() -> None:
    """Beside rational numbers: of quaternions of any length, and the two points, which are columns of the matrix."""

    def rational(four: list[float]) -> list[float]:
        w, x, y, z = map(Fraction, four)
        size = w * w + x * x + y * y + z * z
        nine = (
            *(size - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (z * x + w * y)),
            *(2 * (x * y + w * z), size - 2 * (z * z + x * x), 2 * (y * z - w * x)),
            *(2 * (z * x - w * y), 2 * (y * z + w * x), size - 2 * (x * x + y * y)),
        )
        return [float(entry / size) for entry in nine]

    q = np.random.default_rng(8).normal(size=(500, 4)) * 10.0 ** np.random.default_rng(9).integers(-200, 200, (500, 1))
    exact = np.array([rational(four) for four in q.tolist()])
    assert np.abs(SETS.convert_rotation(q, "quaternion", "matrix") - exact).max() < 1e-15
    two = SETS.convert_rotation(q, "quaternion", "two-points")
    assert np.abs(two - exact[:, [0, 3, 6, 1, 4, 7]]).max() < 1e-15
    unit = SETS.convert_rotation(q, "quaternion", "quaternion")
    assert np.abs(SETS.rotation("matrix").write(unit) - exact).max() < 1e-15


def test_what_is_given_stays_as_it_was() -> None:
    """Conversions write over their own copies alone, also where rows and columns are the same in memory."""
    for name in NAMES:
        for rows in (1, 5):
            q = np.random.default_rng(6).normal(size=(rows, 4))
            kept, values = q.copy(), SETS.convert_rotation(q, "quaternion", name)
            copy = values.copy()
            SETS.convert_rotation(values, name, "quaternion")
            assert (q == kept).all() and (values == copy).all() and values.flags.c_contiguous
            q.setflags(write=False)
            SETS.convert_rotation(q, "quaternion", name)


def test_places_of_what_is_wrong_are_those_in_the_batch() -> None:
    q = np.random.default_rng(7).normal(size=(5, 4000, 4))
    q[3, 17], q[4, 2] = 0.0, 0.0
    with pytest.raises(SistelError, match=r"number 3, 17, 2 in all"):
        SETS.convert_rotation(q, "quaternion", "euler")
    q[4, 3, 1] = math.inf
    with pytest.raises(SistelError, match=r"number 4, 3, 1 in all"):
        SETS.convert_rotation(q, "quaternion", "matrix")
    p = np.zeros((SEVERAL, 3))
    p[-1] = math.nan
    with pytest.raises(SistelError, match=rf"number {SEVERAL - 1}, 1 in all"):
        SETS.convert_position(p, "cartesian", "spherical")


@pytest.mark.parametrize("size", [5e-324, 1e-200, 1e-150, 1e150, 1e200, 1.7e308])
def test_numbers_of_any_size_are_rotations(size: float) -> None:
    """Their squares vanish or overflow; directions do not."""
    for name in ("quaternion", "cayley-klein"):
        same = SETS.convert_rotation([size, 0.0, size, 0.0], name, "matrix")
        assert same == pytest.approx(SETS.convert_rotation([1.0, 0.0, 1.0, 0.0], name, "matrix"), abs=1e-15)
    axis = SETS.convert_rotation([size, -size, size, 1.0], "euler-parameters", "rotation-vector")
    assert axis == pytest.approx(np.array([1.0, -1.0, 1.0]) / math.sqrt(3.0), abs=1e-15)
    for name in ("rodrigues", "modified-rodrigues", "rotation-vector"):
        q = SETS.convert_rotation([size, size, 0.0], name, "quaternion")
        assert np.linalg.norm(q) == pytest.approx(1.0, abs=1e-15) and q[1] == q[2]
    large = SETS.convert_rotation([1e200, 0.0, 0.0], "modified-rodrigues", "quaternion")
    assert large == pytest.approx([1.0, 0.0, 0.0, 0.0], abs=1e-15)  # nearly a whole turn
