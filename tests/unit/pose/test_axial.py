"""The 24 axial orientations: every number against whole-number arithmetic of its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sistel.errors import SistelError
from sistel.pose import (
    CODES,
    OCTANTS,
    angle_between,
    axial_code,
    axial_group,
    axial_rotation,
    class_of_axis,
    compose,
    euler_between,
    euler_parameters,
    from_quaternion,
    multiply,
    multiply_codes,
    nearest_axial,
    quarter_turns,
    quaternion,
    transpose,
    turn_between,
)

AXES = {1: (1, 0, 0), 2: (-1, 0, 0), 3: (0, 1, 0), 4: (0, -1, 0), 5: (0, 0, 1), 6: (0, 0, -1)}
Matrix = tuple[tuple[int, ...], ...]
codes = st.sampled_from(CODES)

PRINTED = {
    13: (1, 0, 0, 0), 16: (1, 0, 0, 270), 36: (-1, -1, 1, 120), 53: (0, 1, 0, 270), 54: (1, 0, 1, 180),
    14: (1, 0, 0, 180), 42: (1, -1, 0, 180), 45: (1, -1, -1, 120), 35: (1, 1, 1, 120), 63: (0, 1, 0, 90),
    62: (1, -1, -1, 240), 32: (0, 0, 1, 90), 41: (0, 0, 1, 270), 46: (-1, 1, -1, 240), 26: (0, 1, -1, 180),
    52: (1, -1, 1, 120), 51: (-1, -1, -1, 120), 31: (-1, -1, 0, 180), 23: (0, 1, 0, 180), 25: (0, 1, 1, 180),
    15: (1, 0, 0, 90), 61: (1, 1, -1, 120), 64: (1, 0, -1, 180), 24: (0, 0, 1, 180),
}  # fmt: skip
"""Table 1 of A. I. Telegin, G. I. Volovich, E. V. Gusev and S. G. Pudovkina, Bulletin of the South Ural State
University, Ser. Computer Technologies, Automatic Control, Radio Electronics, 2025, 25(4), 43-58, as it is printed."""


def matrix(code: int) -> Matrix:
    """Columns along fingers, thumb and their vector product."""
    x, y = (AXES[int(digit)] for digit in str(code))
    z = (x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0])
    return tuple(zip(x, y, z, strict=True))


def times(a: Matrix, b: Matrix) -> Matrix:
    return tuple(tuple(sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def rodrigues(parameters: tuple[int, ...]) -> Matrix:
    """Axis and angle → rotation, in fractions: sine over length is rational for every turn of a cube."""
    *n, angle = parameters
    square = sum(c * c for c in n)
    cosine = {0: Fraction(1), 90: Fraction(0), 120: Fraction(-1, 2), 180: Fraction(-1), 240: Fraction(-1, 2),
              270: Fraction(0)}[angle]  # fmt: skip
    sine = {(1, 0): 0, (1, 90): 1, (1, 180): 0, (1, 270): -1, (2, 180): 0, (3, 120): Fraction(1, 2),
            (3, 240): Fraction(-1, 2)}[square, angle]  # fmt: skip
    skew = ((0, -n[2], n[1]), (n[2], 0, -n[0]), (-n[1], n[0], 0))
    made = [
        [(i == j) * cosine + (1 - cosine) * Fraction(n[i] * n[j], square) + sine * skew[i][j] for j in range(3)]
        for i in range(3)
    ]
    assert all(entry.denominator == 1 for row in made for entry in row)
    return tuple(tuple(int(entry) for entry in row) for row in made)


MATRICES = {code: matrix(code) for code in CODES}
NAMES = {made: code for code, made in MATRICES.items()}


def test_codes_are_all_pairs_of_directions_at_right_angles() -> None:
    expected = [10 * i + j for i, j in product(AXES, AXES) if (i - 1) // 2 != (j - 1) // 2]
    assert list(CODES) == expected
    assert len(CODES) == 24


@pytest.mark.parametrize("code", [11, 12, 21, 34, 65, 66, 0, 7, 17, 71, 130, -13, 10**30])
def test_other_numbers_are_refused(code: int) -> None:
    for function in (axial_rotation, euler_parameters, lambda c: multiply_codes(13, c), lambda c: quarter_turns(c, 13)):
        with pytest.raises(SistelError) as problem:
            function(code)
        assert problem.value.diagnostics[0].code == "no-code"


@pytest.mark.parametrize("code", CODES)
def test_rotation_and_code_are_inverse(code: int) -> None:
    R = axial_rotation(code)
    assert MATRICES[code] == R
    assert axial_code(R) == code
    # A zero may carry a sign.
    signed: Any = tuple(tuple(entry or -0.0 for entry in row) for row in R)
    assert axial_code(signed) == code


def test_a_rotation_between_codes_has_none() -> None:
    with pytest.raises(ValueError):
        axial_code(from_quaternion((0.9, 0.1, 0.2, 0.3)))


def test_table_of_octants_holds_every_code_once_and_a_column_is_an_octant() -> None:
    assert sorted(code for row in OCTANTS for code in row) == sorted(CODES)
    octants = set()
    for column in zip(*OCTANTS, strict=True):
        frames = [frozenset(zip(*MATRICES[code], strict=True)) for code in column]
        assert len(set(frames)) == 1  # three directions, the same in all three cells
        octants.add(frames[0])
        # Going down, the names of the axes change in a ring: the columns of the matrices are shifted.
        axes = [list(zip(*MATRICES[code], strict=True)) for code in column]
        shifts = [next(k for k in range(3) if axes[0] == each[k:] + each[:k]) for each in axes]
        assert sorted(shifts) == [0, 1, 2]
    assert len(octants) == 8
    # From cell to cell of the first row one axis keeps its direction.
    first = [set(zip(*MATRICES[code], strict=True)) for code in OCTANTS[0]]
    assert all(a & b for a, b in pairwise(first))


@pytest.mark.parametrize("code", CODES)
def test_euler_parameters_turn_13_into_the_code(code: int) -> None:
    assert rodrigues(euler_parameters(code)) == MATRICES[code]


def test_the_printed_table_is_right_but_for_one_cell() -> None:
    wrong = [code for code, printed in PRINTED.items() if rodrigues(printed) != MATRICES[code]]
    assert wrong == [46]
    assert NAMES[rodrigues(PRINTED[46])] == 52
    assert {code: euler_parameters(code) for code in CODES if code != 46} == {
        code: printed for code, printed in PRINTED.items() if code != 46
    }
    assert euler_parameters(46) == (-1, 1, -1, 120)


@pytest.mark.parametrize(("first", "second"), list(product(CODES, CODES)))
def test_products(first: int, second: int) -> None:
    found = multiply_codes(first, second)
    assert MATRICES[found] == times(MATRICES[first], MATRICES[second])
    assert multiply_codes(first, turn_between(first, second)) == second


def test_the_worked_examples_fix_the_order_of_factors() -> None:
    """36 is 16 and then a turn by 270° about the thumb; 54 is 53 and then 180° about the fingers (section 3 there)."""
    assert euler_between(16, 36) == (0, 1, 0, 270)
    assert multiply_codes(16, 53) == 36 and multiply_codes(53, 16) == 51
    assert euler_between(53, 54) == (1, 0, 0, 180)
    assert multiply_codes(53, 14) == 54 and multiply_codes(14, 53) == 64
    dependent = sum(multiply_codes(a, b) != multiply_codes(b, a) for a, b in product(CODES, CODES))
    assert dependent == 456


@pytest.mark.parametrize(("start", "end"), list(product(CODES[::5], CODES)))
def test_euler_parameters_of_transitions(start: int, end: int) -> None:
    assert times(MATRICES[start], rodrigues(euler_between(start, end))) == MATRICES[end]


@pytest.mark.parametrize(("axis", "order"), [("x", (13, 15, 14, 16)), ("y", (13, 63, 23, 53)), ("z", (13, 32, 24, 41))])
def test_groups_of_the_axes_have_the_printed_tables(axis: str, order: tuple[int, ...]) -> None:
    """Tables 2, 6 and 7 there: the product of two has the sum of their angles."""
    assert class_of_axis(axis) == order
    for i, j in product(range(4), range(4)):
        assert multiply_codes(order[i], order[j]) == order[(i + j) % 4]
    place = "xyz".index(axis)
    kept = [code for code in CODES if [row[place] for row in MATRICES[code]] == [int(i == place) for i in range(3)]]
    assert sorted(order) == kept


def reachable(start: int) -> dict[int, int]:
    """How many quarter turns every code takes: a flood over matrices."""
    quarters = [matrix(code) for code in (15, 16, 63, 53, 32, 41)]
    steps, edge, count = {MATRICES[start]: 0}, [MATRICES[start]], 0
    while edge:
        count += 1
        edge = [new for each in edge for quarter in quarters if (new := times(each, quarter)) not in steps
                and steps.setdefault(new, count) == count]  # fmt: skip
    return {NAMES[made]: number for made, number in steps.items()}


@pytest.mark.parametrize("start", CODES[::7])
def test_quarter_turns_are_shortest_and_lead_there(start: int) -> None:
    turns = {"x+": 15, "x-": 16, "y+": 63, "y-": 53, "z+": 32, "z-": 41}
    lengths = reachable(start)
    for end in CODES:
        way = quarter_turns(start, end)
        code = start
        for name in way:
            code = multiply_codes(code, turns[name])
        assert code == end
        assert len(way) == lengths[end] <= 3


def diagonals(made: Matrix) -> tuple[int, ...]:
    """How a rotation of a cube permutes its four diagonals."""
    corners = [(1, 1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, -1)]
    places = {corner: i for i, corner in enumerate(corners)}
    places |= {tuple(-c for c in corner): i for i, corner in enumerate(corners)}
    return tuple(places[tuple(sum(row[k] * corner[k] for k in range(3)) for row in made)] for corner in corners)


def test_the_group_is_that_of_all_permutations_of_four_diagonals() -> None:
    images = {code: diagonals(MATRICES[code]) for code in CODES}
    assert set(images.values()) == set(permutations(range(4)))
    for a, b in product(CODES, CODES):
        expected = tuple(images[a][images[b][i]] for i in range(4))
        assert images[multiply_codes(a, b)] == expected


@given(codes, codes)
def test_codes_quaternions_and_matrices_multiply_alike(a: int, b: int) -> None:
    p, q = (np.array(quaternion(axial_rotation(code))) for code in (a, b))
    both = axial_rotation(multiply_codes(a, b))
    # The quaternion of a code has components 0, ±1, ±1/2, ±√½: products of two carry one rounding each.
    assert np.abs(np.array(from_quaternion(tuple(multiply(p, q)))) - np.array(both)).max() < 4e-16
    assert compose(axial_rotation(a), axial_rotation(b)) == both
    assert compose(axial_rotation(a), transpose(axial_rotation(a))) == axial_rotation(13)


@given(codes, st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: max(map(abs, v)) > 1e-3), st.floats(0, 0.75))
def test_the_nearest_code_is_found_from_anywhere_near(
    code: int, axis: tuple[float, float, float], angle: float
) -> None:
    """Within 45° of a code no other is nearer: two codes are at least 90° apart."""
    n = np.array(axis) / np.linalg.norm(axis)
    turned = multiply(quaternion(axial_rotation(code)), [np.cos(angle / 2), *(np.sin(angle / 2) * n)])
    found, off = nearest_axial(turned)
    assert int(found) == code
    assert float(off) == pytest.approx(angle, abs=2e-15)


@given(st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda v: max(map(abs, v)) > 1e-3))
def test_no_code_is_nearer_than_the_nearest(four: tuple[float, float, float, float]) -> None:
    q = np.array(four) / np.linalg.norm(four)
    found, off = nearest_axial(q)
    distances = {code: float(angle_between(quaternion(axial_rotation(code)), q)) for code in CODES}
    assert float(off) <= min(distances.values()) + 1e-14
    assert distances[int(found)] == pytest.approx(float(off), abs=1e-15)
    # The farthest orientation from all codes: 62.8° (the deep hole of the 24 rotations of a cube).
    assert float(off) <= np.radians(62.7995) and axial_group().unit == 13
