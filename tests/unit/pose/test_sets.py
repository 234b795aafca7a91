"""Parameter sets of rotations and positions: each against matrices of elementary turns, and against each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sistel.errors import SistelError
from sistel.pose import ORDERS, Articulated, Column, Parameters, angle_between

SETS = Parameters.standard()
EXACT = 1e-14  # a few roundings of numbers of size 1


def elementary(axis: str, angle: float) -> Any:
    c, s = math.cos(angle), math.sin(angle)
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    R = np.eye(3)
    R[j, j] = R[k, k] = c
    R[j, k], R[k, j] = -s, s
    return R


def matrix(values: Any, name: str) -> Any:
    found = SETS.convert_rotation(values, name, "matrix")
    return found.reshape(*found.shape[:-1], 3, 3)


def random_rotations(count: int, seed: int) -> Any:
    q = np.random.default_rng(seed).normal(size=(count, 4))
    return q / np.linalg.norm(q, axis=1, keepdims=True)


ANGLES = st.tuples(*[st.floats(-math.pi, math.pi)] * 3)
NAMED = {"euler": "zxz", "bryant": "xyz", "aircraft": "yzx", "ship": "zxy"}


@pytest.mark.parametrize("name", [*ORDERS, *NAMED])
def test_angles_turn_about_axes_that_turn_along(name: str) -> None:
    """The product of three elementary turns, first one leftmost."""
    order = NAMED.get(name, name)
    angles = np.random.default_rng(5).uniform(-math.pi, math.pi, size=(50, 3))
    expected = [
        elementary(order[0], a) @ elementary(order[1], b) @ elementary(order[2], c) for a, b, c in angles.tolist()
    ]
    assert np.abs(matrix(angles, name) - expected).max() < EXACT


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("off", [0.0, 1e-300, 1e-17, 1e-15, 1e-9, 1e-4])
def test_angles_are_stable_at_gimbal_lock(order: str, off: float) -> None:
    """Whatever the angles are there, they are those of the same rotation."""
    rng = np.random.default_rng(7)
    for middle in (0.0, math.pi) if order[0] == order[2] else (math.pi / 2, -math.pi / 2):
        angles = rng.uniform(-math.pi, math.pi, size=(200, 3))
        angles[:, 1] = middle + np.where(rng.random(200) < 0.5, off, -off)
        q = SETS.convert_rotation(angles, order, "quaternion")
        again = SETS.convert_rotation(SETS.convert_rotation(q, "quaternion", order), order, "quaternion")
        assert angle_between(q, again).max() < EXACT


@pytest.mark.parametrize("order", ORDERS)
def test_the_third_angle_is_zero_in_a_singular_orientation(order: str) -> None:
    middle = 0.0 if order[0] == order[2] else math.pi / 2
    q = SETS.convert_rotation([0.4, middle, 0.3], order, "quaternion")
    found = SETS.convert_rotation(q, "quaternion", order)
    assert found[2] == 0.0 and found[1] == pytest.approx(middle, abs=1e-15)
    assert abs(found[0]) == pytest.approx(0.7 if order[0] == order[2] else abs(found[0]), abs=1e-14)


@given(ANGLES)
def test_angles_come_back(angles: tuple[float, float, float]) -> None:
    """Within the ranges that the documentation names."""
    for order in ("zxz", "xyz"):
        proper = order[0] == order[2]
        low, high = (0.01, math.pi - 0.01) if proper else (-math.pi / 2 + 0.01, math.pi / 2 - 0.01)
        given_angles = [angles[0], min(max(angles[1], low), high), angles[2]]
        q = SETS.convert_rotation(given_angles, order, "quaternion")
        found = SETS.convert_rotation(q, "quaternion", order)
        turns = (found - given_angles) / (2 * math.pi)
        assert np.abs(turns - np.round(turns)).max() < 1e-13  # 0.01 rad from where they are not determined
        assert (np.abs(found[[0, 2]]) <= math.pi + 1e-15).all()


@pytest.mark.parametrize("one", [each.name for each in SETS.rotations if each.name != "axial"])
def test_every_pair_of_sets_converts(one: str) -> None:
    """The way from one set to another and back gives the same rotation, to a few roundings."""
    q = random_rotations(300, 11)
    first = SETS.convert_rotation(q, "quaternion", one)
    for other in (each.name for each in SETS.rotations if each.name != "axial"):
        there = SETS.convert_rotation(first, one, other)
        back = SETS.convert_rotation(there, other, one)
        # Where the set is not one-to-one the numbers may differ, the rotation may not.
        assert angle_between(q, SETS.convert_rotation(back, one, "quaternion")).max() < EXACT


def test_euler_parameters_take_axes_of_any_length() -> None:
    short = SETS.convert_rotation([1.0, 0.0, -1.0, math.pi], "euler-parameters", "matrix")
    assert short == pytest.approx(SETS.convert_rotation([1e-200, 0.0, -1e-200, math.pi], "euler-parameters", "matrix"))
    expected = [0, 0, -1, 0, -1, 0, -1, 0, 0]  # code 64: fingers away, thumb down
    assert short == pytest.approx(expected, abs=1e-15)


def test_small_turns_keep_their_digits() -> None:
    vector = np.array([3e-12, -4e-12, 0.0])
    found = SETS.convert_rotation(vector, "rotation-vector", "euler-parameters")
    assert found[3] == pytest.approx(5e-12, rel=1e-14)
    assert SETS.convert_rotation(found, "euler-parameters", "rotation-vector") == pytest.approx(vector, rel=1e-14)


def test_cayley_klein_is_the_matrix_of_a_spinor() -> None:
    """σ(R v) = Q σ(v) Q⁺ with the Pauli matrices: the definition, without quaternions."""
    pauli = [np.array([[0, 1], [1, 0]]), np.array([[0, -1j], [1j, 0]]), np.array([[1, 0], [0, -1]])]
    for q in random_rotations(20, 3):
        re_a, im_a, re_b, im_b = SETS.convert_rotation(q, "quaternion", "cayley-klein")
        a, b = complex(re_a, im_a), complex(re_b, im_b)
        Q = np.array([[a, b], [-b.conjugate(), a.conjugate()]])
        R = matrix(q, "quaternion")
        for column in range(3):
            v = R[:, column]
            turned = sum(x * s for x, s in zip(v, pauli, strict=True))
            # Goldstein's matrix turns the axes, so it is the inverse that turns vectors.
            assert np.abs(Q.conj().T @ pauli[column] @ Q - turned).max() < EXACT


def test_two_points_are_where_the_matrix_puts_them() -> None:
    q = random_rotations(20, 4)
    found = SETS.convert_rotation(q, "quaternion", "two-points")
    R = matrix(q, "quaternion")
    assert np.abs(found[:, :3] - R[:, :, 0]).max() < EXACT and np.abs(found[:, 3:] - R[:, :, 1]).max() < EXACT


def test_rodrigues_by_their_tangents() -> None:
    axis, angle = np.array([2.0, -1.0, 2.0]) / 3.0, 1.1
    given_values = [*axis, angle]
    assert SETS.convert_rotation(given_values, "euler-parameters", "rodrigues") == pytest.approx(
        math.tan(angle / 2) * axis, rel=1e-15
    )
    assert SETS.convert_rotation(given_values, "euler-parameters", "modified-rodrigues") == pytest.approx(
        math.tan(angle / 4) * axis, rel=1e-15
    )


@pytest.mark.parametrize(
    ("values", "name", "code"),
    [
        ([0, 0, 0, 0], "quaternion", "no-quaternion"),
        ([0, 0, 0, 1], "euler-parameters", "no-axis"),
        ([1, 0, 0, 0, 1, 0, 0, 0, 2], "matrix", "no-rotation"),
        ([1, 0, 0, 0, 1, 0, 0, 0, -1], "matrix", "left-handed"),
        ([1, 0, 0, 1, 1, 0], "two-points", "points-apart"),
        ([11], "axial", "no-code"),
        ([13.5], "axial", "no-code"),
        ([1, 2], "quaternion", "wrong-count"),
        ([1, 2, math.nan, 0], "quaternion", "not-finite"),
        (["a", 2, 3, 4], "quaternion", "no-numbers"),
    ],
)
def test_what_is_no_rotation_is_told(values: Any, name: str, code: str) -> None:
    with pytest.raises(SistelError) as caught:
        SETS.convert_rotation(values, name, "quaternion")
    (problem,) = caught.value.diagnostics
    assert problem.code == code and problem.message.en != problem.message.ru


def test_what_a_set_cannot_hold_is_told() -> None:
    for name, code in (("rodrigues", "half-turn"), ("axial", "not-axial")):
        values = [1, 0, 0, math.pi] if name == "rodrigues" else [1, 0, 0, 0.1]
        with pytest.raises(SistelError) as caught:
            SETS.convert_rotation(values, "euler-parameters", name)
        assert caught.value.diagnostics[0].code == code
    with pytest.raises(SistelError, match="cartesian"):
        SETS.convert_position([0, 0, 0], "carthesian", "polar")


def test_one_bad_rotation_of_many_is_named() -> None:
    batch = np.tile([1.0, 0.0, 0.0, 0.0], (5, 1))
    batch[3] = 0.0
    with pytest.raises(SistelError, match="number 3"):
        SETS.convert_rotation(batch, "quaternion", "matrix")


def test_batches_of_any_shape() -> None:
    q = random_rotations(12, 8).reshape(3, 1, 4, 4)
    assert SETS.convert_rotation(q, "quaternion", "euler").shape == (3, 1, 4, 3)
    assert SETS.convert_rotation(q[:0], "quaternion", "euler").shape == (0, 1, 4, 3)


# --- positions -------------------------------------------------------------------------------------------------------


def test_positions_by_their_definitions() -> None:
    p = np.array([0.3, -0.4, 1.2])
    rho, phi, z = SETS.convert_position(p, "cartesian", "cylindrical")
    assert (rho, math.tan(phi), z) == pytest.approx((0.5, -4 / 3, 1.2), rel=1e-15)
    r, theta, phi = SETS.convert_position(p, "cartesian", "spherical")
    assert (r, math.cos(theta), math.tan(phi)) == pytest.approx((1.3, 1.2 / 1.3, -4 / 3), rel=1e-15)


@given(st.tuples(*[st.floats(-1.0, 1.0)] * 3))
def test_positions_come_back(p: tuple[float, float, float]) -> None:
    for name in ("cylindrical", "spherical", "angular", "generalised"):
        back = SETS.convert_position(SETS.convert_position(p, "cartesian", name), name, "cartesian")
        assert np.abs(back - p).max() < 4e-15


def test_an_arm_reaches_what_its_links_say() -> None:
    """Against the chain of three elementary turns."""
    arm = Articulated(column=0.5, upper=0.4, fore=0.3)
    sets = Parameters.standard(arm)
    angles = np.random.default_rng(2).uniform(-math.pi, math.pi, size=(40, 3))
    for one in angles:
        turned = elementary("z", one[0])
        upper = turned @ elementary("y", -one[1]) @ [0.4, 0.0, 0.0]
        fore = turned @ elementary("y", -one[1] - one[2]) @ [0.3, 0.0, 0.0]
        expected = np.array([0.0, 0.0, 0.5]) + upper + fore
        assert sets.convert_position(one, "angular", "cartesian") == pytest.approx(expected, abs=1e-15)
    # Stretched out and folded the elbow has a corner; digits are not lost there.
    for distance in (0.7, 0.1, 0.7 - 1e-15, 0.1 + 1e-16):
        p = [distance, 0.0, 0.5]
        back = sets.convert_position(sets.convert_position(p, "cartesian", "angular"), "angular", "cartesian")
        assert np.abs(back - p).max() < 1e-15
    with pytest.raises(SistelError, match=r"reaches from 0\.1 m to 0\.7 m"):
        sets.convert_position([0.8, 0.0, 0.5], "cartesian", "angular")


def test_generalised_coordinates_are_those_of_the_given_arm() -> None:
    sets = Parameters.standard(column=Column(height=0.2, reach=0.3))
    assert sets.convert_position([0.0, 0.1, 0.2], "generalised", "cartesian") == pytest.approx([0.5, 0.0, 0.3])
    slides = SETS.with_generalised(lambda q: q[..., ::-1], lambda p: p[..., ::-1], numbers=("a", "b", "c"))
    assert slides.convert_position([1, 2, 3], 4, 0).tolist() == [3, 2, 1]


def test_sets_of_ones_own_get_the_next_numbers() -> None:
    """Without touching what is there: the old collection does not know them."""
    own = SETS.with_rotation("mine", lambda a: np.stack([np.cos(a[..., 0]), np.sin(a[..., 0]), 0 * a[..., 0], 0 * a[..., 0]], -1), lambda q: np.arctan2(q[..., 1:2], q[..., :1]), numbers=("half",), angles=(0,))  # fmt: skip
    own = own.with_position("mirror", lambda p: -p, lambda p: -p, numbers=("a", "b", "c"))
    assert own.rotation("mine").code == 6 and own.position("mirror").code == 5
    assert own.convert_rotation([math.pi / 4], 6, "axial") == [15]
    assert own.convert_position([1, 2, 3], 5, 0).tolist() == [-1, -2, -3]
    with pytest.raises(SistelError):
        SETS.rotation(6)
    with pytest.raises(SistelError, match="already"):
        own.with_rotation("mine", lambda a: a, lambda q: q, numbers=("x",))
    wrong = SETS.with_rotation("wrong", lambda a: a, lambda q: q, numbers=("x", "y"))
    with pytest.raises(SistelError, match="gives no quaternions"):
        wrong.convert_rotation([1, 2], "wrong", "matrix")
