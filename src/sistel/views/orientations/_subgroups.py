"""Subgroups of a group of rotations: what they are called, which are turned copies of each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import combinations

from sistel.pose import Group
from sistel.records import entry

NAMED = {
    # By the number of elements and how many of them have order 2: enough for all groups of rotations of solids.
    (1, 0): "1",
    (4, 1): "C4",
    (4, 3): "V4",
    (6, 1): "C6",
    (6, 3): "S3",
    (8, 5): "D4",
    (10, 5): "D5",
    (12, 3): "A4",
    (24, 9): "S4",
    (60, 15): "A5",
}


@entry
class Subgroup:
    """One subgroup of a group of codes."""

    members: tuple[int, ...]
    """In the order of the group."""
    name: str
    """Of the abstract group: C2, V4, S3, D4, A4."""
    kind: int
    """Number of its class of conjugate subgroups, from 0."""
    normal: bool
    """Whether it is conjugate to no other."""
    generators: tuple[int, ...]
    """As few elements as make it, the first ones that do."""

    @property
    def order(self) -> int:
        """How many elements it has."""
        return len(self.members)


def describe_subgroups(group: Group[int]) -> tuple[Subgroup, ...]:
    """All subgroups of a group of rotations, in the order of `Group.subgroups`."""
    found = group.subgroups()
    kinds: dict[frozenset[int], int] = {}
    for members in found:
        if members not in kinds:
            number = len(set(kinds.values()))
            kinds |= dict.fromkeys(_copies(group, members), number)
    sizes = Counter(kinds.values())
    return tuple(
        Subgroup(
            tuple(code for code in group.elements if code in members),
            name_of(group, members),
            kinds[members],
            sizes[kinds[members]] == 1,
            _generators(group, members),
        )
        for members in found
    )


def _copies(group: Group[int], members: frozenset[int]) -> set[frozenset[int]]:
    """The subgroup seen from all orientations: x g x⁻¹."""
    return {
        frozenset(group.multiply(group.multiply(x, member), group.inverse(x)) for member in members)
        for x in group.elements
    }


def name_of(group: Group[int], members: Collection[int]) -> str:
    """What an abstract group is called."""
    orders = Counter(group.order(member) for member in members)
    size = len(members)
    if orders[size] and size not in (1,):
        return f"C{size}"
    return NAMED.get((size, orders[2]), f"G{size}")


def _generators(group: Group[int], members: frozenset[int]) -> tuple[int, ...]:
    ordered = [code for code in group.elements if code in members and code != group.unit]
    for count in range(3):
        for chosen in combinations(ordered, count):
            if group.generated(chosen) == members:
                return chosen
    return tuple(ordered)
