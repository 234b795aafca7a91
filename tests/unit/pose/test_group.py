"""Finite groups by their tables: axioms on all products, orders, classes, subgroups and how they contain each other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sistel.pose import Group, axial_group, icosahedral_group

GROUPS = {"axial": axial_group, "icosahedral": icosahedral_group}


def cyclic(n: int) -> Group[int]:
    return Group.of(range(n), 0, lambda a, b: (a + b) % n)


def symmetric(n: int) -> Group[tuple[int, ...]]:
    elements = list(permutations(range(n)))
    return Group.of(elements, elements[0], lambda a, b: tuple(a[i] for i in b))


@pytest.mark.parametrize("name", GROUPS)
def test_axioms(name: str) -> None:
    group = GROUPS[name]()
    table, n = group.table, len(group)
    places = list(range(n))
    unit = group.elements.index(group.unit)
    assert all(sorted(row) == places for row in table)
    assert all(sorted(column) == places for column in map(list, zip(*table, strict=True)))
    assert list(table[unit]) == places == [row[unit] for row in table]
    # Associative for all triples.
    assert all(table[table[a][b]][c] == table[a][table[b][c]] for a, b, c in product(places, places, places))
    for a in group.elements:
        assert group.multiply(a, group.inverse(a)) == group.unit == group.multiply(group.inverse(a), a)


def test_orders_of_the_axial_group() -> None:
    group = axial_group()
    assert Counter(map(group.order, group.elements)) == {1: 1, 2: 9, 3: 8, 4: 6}
    assert sorted(map(len, group.classes())) == [1, 3, 6, 6, 8]
    assert not group.is_abelian()


@pytest.mark.parametrize(("code", "powers"), [(15, (13, 15, 14, 16)), (16, (13, 16, 14, 15)), (14, (13, 14)),
                                              (63, (13, 63, 23, 53)), (41, (13, 41, 24, 32)), (13, (13,))])  # fmt: skip
def test_cyclic_subgroups(code: int, powers: tuple[int, ...]) -> None:
    """H(15), H(16), H(14) and their fellows: tables 3 to 5 of the paper of 2025 and what it says of Gy and Gz."""
    group = axial_group()
    assert group.powers(code) == powers
    assert group.order(code) == len(powers)
    assert group.is_abelian(powers)
    for i, j in product(range(len(powers)), repeat=2):
        assert group.multiply(powers[i], powers[j]) == powers[(i + j) % len(powers)]


@pytest.mark.parametrize("name", GROUPS)
def test_classes_are_orbits(name: str) -> None:
    group = GROUPS[name]()
    classes = group.classes()
    assert sorted(each for members in classes for each in members) == sorted(group.elements)
    for members in classes:
        # Kept by conjugation, and of one order; its size divides that of the group.
        for x in group.elements:
            assert group.multiply(group.multiply(x, members[0]), group.inverse(x)) in members
        assert len({group.order(each) for each in members}) == 1
        centraliser = [x for x in group.elements if group.multiply(x, members[0]) == group.multiply(members[0], x)]
        assert len(centraliser) * len(members) == len(group)


def test_all_subgroups_of_the_axial_group() -> None:
    group = axial_group()
    found = group.subgroups()
    # Every subgroup of this group is made by at most two elements: a second, slower way to all of them.
    pairs = {group.generated(pair) for pair in combinations(group.elements, 2)}
    pairs |= {group.generated([each]) for each in group.elements}
    assert set(found) == pairs
    assert len(found) == 30
    assert Counter(map(len, found)) == {1: 1, 2: 9, 3: 4, 4: 7, 6: 4, 8: 3, 12: 1, 24: 1}
    for members in found:
        assert group.unit in members
        assert all(group.multiply(a, b) in members for a in members for b in members)


def test_the_lattice_of_the_axial_group() -> None:
    group = axial_group()
    found, lattice = group.subgroups(), group.lattice()
    assert len(lattice) == 66
    for low, high in lattice:
        assert found[low] < found[high]
        assert not any(found[low] < other < found[high] for other in found)
    # Going up the lines leads from any subgroup to all that contain it, and to no other.
    above = {i: {i} for i in range(30)}
    for low, high in sorted(lattice, reverse=True):
        above[low] |= above[high]
    for i, j in product(range(30), repeat=2):
        assert (j in above[i]) == (found[i] <= found[j])


@pytest.mark.parametrize(("n", "count"), [(1, 1), (7, 2), (12, 6), (36, 9), (60, 12)])
def test_a_cyclic_group_has_a_subgroup_for_every_divisor(n: int, count: int) -> None:
    assert len(cyclic(n).subgroups()) == count
    assert cyclic(n).is_abelian()
    assert all(len(members) == 1 for members in cyclic(n).classes())


@pytest.mark.parametrize(("n", "subgroups", "classes"), [(2, 2, 2), (3, 6, 3), (4, 30, 5)])
def test_permutations(n: int, subgroups: int, classes: int) -> None:
    group = symmetric(n)
    assert len(group.subgroups()) == subgroups
    assert len(group.classes()) == classes


@settings(max_examples=50)
@given(st.sets(st.sampled_from(axial_group().elements), max_size=4))
def test_what_is_generated_is_the_smallest_subgroup(generators: set[int]) -> None:
    group = axial_group()
    made = group.generated(generators)
    assert made == min((each for each in group.subgroups() if generators <= each), key=len)
    assert len(group) % len(made) == 0
