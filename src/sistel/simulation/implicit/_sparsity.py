"""Derivatives of large flows: which of them there are, how few directions find them, and what falls apart.

A derivative along a direction is a program three times as long as the flow, whatever the size of the state. Inputs that
no rate shares are moved in one direction together (Curtis, Powell and Reid, 1974). Parts of a system that do not act on
each other are solved apart, each with a matrix of its own. A coordinate whose rate is a velocity follows from it:

    γ x - v = b  gives  x = (b + v) / γ,

so that the matrices are those of the velocities alone, γ - K - F / γ with the derivatives K by velocities and F by
coordinates: half as wide, an eighth of the work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array

    Integers = NDArray[np.int64]


@record
class Sparsity:
    """How derivatives are found and where they are put."""

    seeds: Array
    """Directions, a row each."""
    order: Integers
    """Components of the state that are solved for, part by part."""
    followers: Integers
    """Of each of these, the component whose rate it is, -1 for none: followers are found from their leaders."""
    blocks: Integers
    """For every part: its first place in `order`, its size, the first place of its matrix, whether it has followers."""
    entries: Integers
    """For every derivative: its place among those along the directions, and its place in the matrices. Those by
    components that are solved for come first, those by their followers after all of them."""
    area: int
    """Numbers of all matrices of one kind."""


def sparsity(masks: Sequence[int], leaders: Sequence[int | None]) -> Sparsity:
    """How the derivatives of a flow are found.

    Args:
        masks: The inputs that every rate depends on, as bits of a number.
        leaders: For every rate, the component that it is, if it is one: the velocity of a coordinate.
    """
    size = len(masks)
    columns: list[list[int]] = [[] for _ in range(size)]
    for row, mask in enumerate(masks):
        for column in _bits(mask):
            columns[column].append(row)
    colours = _colours(columns)
    seeds = np.zeros((max(colours, default=0) + 1, size))
    seeds[colours, range(size)] = 1.0
    leader_of = _followers(leaders)
    order: list[int] = []
    blocks, places, area = [], {}, 0
    for part in _parts(columns):
        kept = [member for member in part if member not in leader_of]
        blocks.append((len(order), len(kept), area, int(len(kept) < len(part))))
        places.update({member: (area, place, len(kept)) for place, member in enumerate(kept)})
        order += kept
        area += len(kept) ** 2
    entries = []
    for column, rows in enumerate(columns):
        start, across, wide = places[leader_of.get(column, column)]
        start += area if column in leader_of else 0
        entries += [
            (colours[column] * size + row, start + places[row][1] * wide + across)
            for row in rows
            if row not in leader_of
        ]
    follower_of = {leader: follower for follower, leader in leader_of.items()}
    return Sparsity(
        seeds=seeds,
        order=np.array(order, dtype=np.int64),
        followers=np.array([follower_of.get(member, -1) for member in order], dtype=np.int64),
        blocks=np.array(blocks, dtype=np.int64).reshape(-1),
        entries=np.array(entries, dtype=np.int64).reshape(-1),
        area=area,
    )


def whole(size: int) -> Sparsity:
    """One part without followers, whose derivatives are written to its matrix at once."""
    return Sparsity(
        seeds=np.zeros((1, size)),
        order=np.arange(size, dtype=np.int64),
        followers=np.full(size, -1, dtype=np.int64),
        blocks=np.array([0, size, 0, 0], dtype=np.int64),
        entries=np.zeros(0, dtype=np.int64),
        area=size * size,
    )


def _followers(leaders: Sequence[int | None]) -> dict[int, int]:
    """Components that follow others, and which: no two follow one, and none follows a follower."""
    found: dict[int, int] = {}
    taken: set[int] = set()
    for follower, leader in enumerate(leaders):
        if leader is None or leader == follower or leader in found or leader in taken or follower in taken:
            continue
        found[follower] = leader
        taken.add(leader)
    return found


def _bits(mask: int) -> list[int]:
    text = bin(mask)[:1:-1]
    return [place for place, digit in enumerate(text) if digit == "1"]


def _colours(columns: Sequence[Sequence[int]]) -> list[int]:
    """For every column a direction in which no other column meets one of its rows; the longest columns choose first."""
    found = [0] * len(columns)
    taken: list[int] = []
    for column in sorted(range(len(columns)), key=lambda each: -len(columns[each])):
        mask = sum(1 << row for row in columns[column])
        colour = next((place for place, others in enumerate(taken) if not others & mask), len(taken))
        if colour == len(taken):
            taken.append(0)
        taken[colour] |= mask
        found[column] = colour
    return found


def _parts(columns: Sequence[Sequence[int]]) -> list[list[int]]:
    """Components that act on each other, in ascending order."""
    leader = list(range(len(columns)))

    def find(one: int) -> int:
        while leader[one] != one:
            leader[one] = leader[leader[one]]
            one = leader[one]
        return one

    for column, rows in enumerate(columns):
        for row in rows:
            a, b = find(row), find(column)
            leader[max(a, b)] = min(a, b)
    parts: dict[int, list[int]] = {}
    for member in range(len(columns)):
        parts.setdefault(find(member), []).append(member)
    return list(parts.values())
