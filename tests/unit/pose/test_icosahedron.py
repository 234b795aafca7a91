"""The 60 rotations of an icosahedron: they close, they keep the corners, their group is that of even permutations."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest

from sistel.errors import SistelError
from sistel.pose import (
    CODES,
    axial_code,
    axial_rotation,
    compose,
    determinant,
    icosahedral_codes,
    icosahedral_group,
    icosahedral_rotation,
)

GOLDEN = (1 + math.sqrt(5)) / 2
CORNERS = np.array(
    [each for a, b in product((1, -1), (GOLDEN, -GOLDEN)) for each in ((a, 0, b), (b, a, 0), (0, b, a))], dtype=float
)
ROUNDING = 4e-16
"""Entries are sums of a few products of numbers below 1."""


def rotations() -> dict[int, Any]:
    return {code: np.array(icosahedral_rotation(code)) for code in icosahedral_codes()}


def test_codes() -> None:
    found = icosahedral_codes()
    assert found == tuple(100 * corner + neighbour for corner in range(1, 13) for neighbour in range(1, 6))
    assert icosahedral_group().unit == 101
    assert icosahedral_rotation(101) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@pytest.mark.parametrize("code", [0, 100, 106, 1301, 13, -101])
def test_other_numbers_are_refused(code: int) -> None:
    with pytest.raises(SistelError) as problem:
        icosahedral_rotation(code)
    assert problem.value.diagnostics[0].code == "no-code"


def test_every_rotation_keeps_the_corners() -> None:
    for R in rotations().values():
        assert np.abs(R.T @ R - np.eye(3)).max() < ROUNDING
        assert determinant(tuple(map(tuple, R))) == pytest.approx(1, abs=ROUNDING)
        moved = CORNERS @ R.T
        near = np.abs(moved[:, None] - CORNERS[None]).max(axis=-1)
        assert sorted(near.argmin(axis=1)) == list(range(12))
        assert near.min(axis=1).max() < 8e-16


def test_the_code_says_where_a_corner_and_its_neighbour_come() -> None:
    """Corner 1 is (1, 0, φ); neighbours of a corner are counted counterclockwise, seen from outside."""
    turned = rotations()
    first = np.array([1.0, 0.0, GOLDEN])
    beside = next(c for c in CORNERS if abs(np.linalg.norm(c - first) - 2) < 1e-9)
    by_corner: dict[int, list[int]] = {}
    for code in turned:
        by_corner.setdefault(code // 100, []).append(code)
    for same in by_corner.values():
        places = np.array([turned[code] @ first for code in same])
        assert np.abs(places - places[0]).max() < 4 * ROUNDING
        axis = places[0] / np.linalg.norm(places[0])
        ring = [turned[code] @ beside for code in same]
        for a, b in pairwise(ring):
            flat = [p - axis * (axis @ p) for p in (a, b)]
            angle = math.atan2(axis @ np.cross(*flat), flat[0] @ flat[1])
            assert math.degrees(angle) == pytest.approx(72)
    assert len({tuple(np.round(turned[same[0]] @ first, 9)) for same in by_corner.values()}) == 12


def test_all_3600_products_close() -> None:
    group, turned = icosahedral_group(), rotations()
    stack = np.array([turned[code] for code in group.elements])
    for place, code in enumerate(group.elements):
        made = turned[code] @ stack
        expected = stack[list(group.table[place])]
        assert np.abs(made - expected).max() < 2 * ROUNDING


def test_orders_classes_subgroups() -> None:
    group = icosahedral_group()
    assert Counter(map(group.order, group.elements)) == {1: 1, 2: 15, 3: 20, 5: 24}
    assert sorted(map(len, group.classes())) == [1, 12, 12, 15, 20]
    found = group.subgroups()
    assert len(found) == 59
    assert Counter(map(len, found)) == {1: 1, 2: 15, 3: 10, 4: 5, 5: 6, 6: 10, 10: 6, 12: 5, 60: 1}
    # Traces tell the angle: 1 + 2 cos. Fifths of a turn and two fifths are the two classes of order 5.
    for members in group.classes():
        traces = [np.trace(np.array(icosahedral_rotation(code))) for code in members]
        assert np.ptp(traces) < 1e-15


def test_it_is_the_group_of_even_permutations_of_five() -> None:
    """A rotation permutes the five tetrahedra of edges at right angles: the five subgroups of order 4."""
    group = icosahedral_group()
    fours = [members for members in group.subgroups() if len(members) == 4]
    images = {}
    for x in group.elements:
        moved = [frozenset(group.multiply(group.multiply(x, m), group.inverse(x)) for m in each) for each in fours]
        images[x] = tuple(map(fours.index, moved))

    def even(p: tuple[int, ...]) -> bool:
        return sum(p[i] > p[j] for i in range(5) for j in range(i + 1, 5)) % 2 == 0

    assert set(images.values()) == {p for p in permutations(range(5)) if even(p)}
    for a, b in product(group.elements, group.elements):
        assert images[group.multiply(a, b)] == tuple(images[a][i] for i in images[b])


def test_twelve_of_them_are_axial() -> None:
    shared = []
    for code in icosahedral_codes():
        try:
            shared.append(axial_code(icosahedral_rotation(code)))
        except ValueError:
            continue
    assert len(shared) == 12 and set(shared) <= set(CODES)
    # Half turns about the axes and thirds about the diagonals: rotations of a tetrahedron.
    closed = {axial_code(compose(axial_rotation(a), axial_rotation(b))) for a in shared for b in shared}
    assert closed == set(shared)
