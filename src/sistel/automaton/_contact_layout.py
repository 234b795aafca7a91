"""Where everything of contacts, stops and dry friction has its place: rows, watched functions, numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton._elements import CONTACT, GRIP, PATCH, Element
from sistel.automaton._statuses import STICK, WAYS, Status
from sistel.kept import cached_property
from sistel.mechanics import bed_shares
from sistel.model import Track

if TYPE_CHECKING:
    from sistel.arrays import Array


STRIKES, RELEASES, SLIPS, STOPS = "strikes", "lets go", "slips", "stops sliding"
"""What ends a structure: a gap closes, a normal force ends, friction is used up, a slip ends."""
SLOWEST: Final = 1e-9
"""Slip in space at which a point counts as about to stop [m/s]."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Where everything has its place: the rows of elements, their leaves, and the numbers of the block "p"."""

    elements: tuple[Element, ...]
    planar: bool
    seats: int = 0
    """Where most of many rows are off: how many may hold at a time, each in one of these seats; 0 for no seats.

    Equations then have an unknown for every seat instead of one for every row."""

    @cached_property
    def normals(self) -> tuple[int, ...]:
        """Index of the row of the normal of every element, -1 where it has none."""
        return self._rows[0]

    @cached_property
    def tangents(self) -> tuple[tuple[int, ...], ...]:
        """Indices of the rows of the tangents of every element."""
        return self._rows[1]

    @cached_property
    def count(self) -> int:
        """How many rows."""
        return sum((element.kind != GRIP) + element.tangents for element in self.elements)

    @cached_property
    def _rows(self) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
        normals: list[int] = []
        tangents: list[tuple[int, ...]] = []
        at = 0
        for element in self.elements:
            normals.append(-1 if element.kind == GRIP else at)
            at += element.kind != GRIP
            tangents.append(tuple(range(at, at + element.tangents)))
            at += element.tangents
        return tuple(normals), tuple(tangents)

    def slides(self, index: int) -> bool:
        """Whether an element may both stick and slide."""
        element = self.elements[index]
        return bool(element.tangents) and element.friction is not None

    @cached_property
    def partners(self) -> tuple[tuple[int, ...], ...]:
        """For every contact in the plane that may slide: those between the same two bodies, itself among them."""
        made: list[tuple[int, ...]] = []
        for i, one in enumerate(self.elements):
            same = [
                j
                for j, other in enumerate(self.elements)
                if one.contact is not None and other.contact is not None and self.slides(j)
                if one.contact.between == other.contact.between
            ]
            made.append(tuple(same) if self.planar and self.slides(i) and one.kind == CONTACT else ())
        return tuple(made)

    @cached_property
    def rigid(self) -> tuple[tuple[int, ...], ...]:
        """Elements that may follow from each other: contacts that two bodies decide on; others are alone."""
        made: dict[tuple[int, int], list[int]] = {}
        for i, element in enumerate(self.elements):
            made.setdefault((-1, i) if element.contact is None else element.pair, []).append(i)
        return tuple(tuple(group) for group in made.values())

    @cached_property
    def leaves(self) -> tuple[tuple[int, str], ...]:
        """Watched functions: the element, and which one of it: "normal", "low", "high"."""
        made: list[tuple[int, str]] = []
        for i, element in enumerate(self.elements):
            if element.kind != GRIP:
                made.append((i, "normal"))
            if self.slides(i):
                made.append((i, "low"))
                if element.tangents == 1:
                    made.append((i, "high"))
        return tuple(made)

    @cached_property
    def places(self) -> dict[tuple[str, int, int], int]:
        """Places in the block "p" by the name of a number and one or two indices."""
        keys: list[tuple[str, int, int]] = [("mask", row, 0) for row in range(self.count)]
        keys += [("seat", seat, row) for seat in range(self.seats) for row in range(self.count)]
        for i, element in enumerate(self.elements):
            if self.slides(i):
                keys.append(("pull", i, 0))
                if element.tangents == 2:
                    keys += [("rests", i, 0), ("way", i, 0), ("way", i, 1)]
            keys += [("group", i, j) for j in self.partners[i]] if len(self.partners[i]) > 1 else []
            keys += [("bed", i, part) for part in range(4)] if element.kind == PATCH else []
        for leaf in range(len(self.leaves)):
            keys += [("leaf", leaf, part) for part in range(3)]
        if self.seats:
            keys += [("rubs", seat, i) for seat in range(self.seats) for i in range(len(self.elements))]
            keys += [("load", row, seat) for row in range(self.count) for seat in range(self.seats)]
            keys += [("share", row, alone) for row in range(self.count) for alone in self.alone]
        elif self.count > 1:
            keys += [("share", i, j) for i in range(self.count) for j in range(self.count)]
        return {key: place for place, key in enumerate(keys)}

    @cached_property
    def alone(self) -> tuple[int, ...]:
        """Rows of single elements: they hold a velocity, and need no seat."""
        return tuple(
            row
            for i, element in enumerate(self.elements)
            if element.single
            for row in (self.normals[i], *self.tangents[i])
            if row >= 0
        )

    @property
    def holding(self) -> int:
        """How many numbers at the beginning of the block "p" say which rows hold."""
        return self.count * (1 + self.seats)

    @property
    def size(self) -> int:
        """How many numbers."""
        return len(self.places)

    def active(self, statuses: Sequence[Status]) -> list[int]:
        """Rows that hold: normals of what is closed, tangents of what sticks; what patches carry follows from all."""
        found = []
        for i, (closed, grip) in enumerate(statuses):
            if closed and self.normals[i] >= 0 and self.elements[i].kind != PATCH:
                found.append(self.normals[i])
            if grip == STICK and (closed or self.elements[i].kind == GRIP):
                found += self.tangents[i]
        return found

    def numbers(self, statuses: Sequence[Status], kept: Sequence[int], share: Array, ways: Array) -> Array:
        """The block "p".

        Args:
            statuses: Of all elements.
            kept: Rows that hold and do not follow from others.
            share: What every row carries for a unit multiplier of every other one, shape (count, count).
            ways: In space, directions of the slips, shape (elements, 2).
        """
        p = np.zeros(self.size)
        places = self.places
        for row in kept:
            p[places["mask", row, 0]] = 1.0
        for i, status in enumerate(statuses):
            if self.slides(i):
                self._write_slip(p, i, status, ways)
        leaders: dict[int, int] = {}
        for leaf, (i, which) in enumerate(self.leaves):
            closed, grip = statuses[i]
            row = self.normals[i]
            numbers = (1.0, 0.0, 0.0)
            sticks = grip == STICK and (closed or self.elements[i].kind == GRIP)
            if which == "normal" and not closed:
                # Where a gear has no play, one flank cannot strike while the other pushes.
                tight = self.elements[i].tight and statuses[i + self.elements[i].twin][0]
                numbers = (1.0, 0.0, 0.0) if tight else (0.0, 1.0, 0.0)
            elif which == "normal" and (row in kept or share[row].any()):
                numbers = (0.0, 0.0, 1.0)
            elif which == "low" and grip in WAYS and (closed or self.elements[i].kind == GRIP):
                first = -SLOWEST if self.elements[i].tangents == 2 else 0.0
                numbers = (first, 1.0 if self.elements[i].tangents == 2 else WAYS[grip], 0.0)
            elif which != "normal" and sticks:
                group = [j for j in self.partners[i] if statuses[j] == (True, STICK)] or [i]
                leader = leaders.setdefault(group[0], i)
                if leader == i:
                    numbers = (0.0, 0.0, 1.0)
                    if len(self.partners[i]) > 1:
                        for j in group:
                            p[places["group", i, j]] = 1.0
            for part in range(3):
                p[places["leaf", leaf, part]] = numbers[part]
        self._write_beds(p, statuses)
        if self.seats:
            self._write_seats(p, kept, share)
        elif self.count > 1:
            start = places["share", 0, 0]
            p[start : start + self.count**2] = share.ravel()
        return p

    def _write_seats(self, p: Array, kept: Sequence[int], share: Array) -> None:
        """Give every row that holds a seat, and say what all others do for a unit multiplier of it."""
        places, alone = self.places, set(self.alone)
        seated = [row for row in kept if row not in alone]
        if len(seated) > self.seats:
            raise ValueError(f"{len(seated)} independent rows, but {self.seats} velocities")
        group_of = {i: group for group in self.rigid for i in group}
        owner = {row: i for i, row in enumerate(self.normals) if row >= 0}
        for seat, row in enumerate(seated):
            p[places["seat", seat, row]] = 1.0
            group = group_of[owner[row]] if row in owner else ()
            for j in group:
                p[places["rubs", seat, j]] = share[self.normals[j], row] if len(group) > 1 else 1.0
            for other in range(self.count):
                p[places["load", other, seat]] = share[other, row]
        for row in self.alone:
            for other in range(self.count):
                p[places["share", other, row]] = share[other, row]

    def _write_beds(self, p: Array, statuses: Sequence[Status]) -> None:
        """Put what patches carry of the whole load of their hulls into the block "p", and which of them press."""
        for tracks in self.hulls:
            own = [i for i, element in enumerate(self.elements) if element.track in tracks]
            lifted = frozenset(self.elements[i].name for i in own if not statuses[i][0])
            shares = bed_shares(tracks, lifted)
            for i in own if shares is not None else ():
                assert shares is not None
                for part, share in enumerate(shares[self.elements[i].name]):
                    p[self.places["bed", i, part]] = share
                p[self.places["bed", i, 3]] = float(statuses[i][0])

    @cached_property
    def hulls(self) -> tuple[tuple[Track, ...], ...]:
        """The tracks with patches, hull by hull."""
        made: dict[int, dict[str, Track]] = {}
        for element in self.elements:
            if element.track is not None:
                made.setdefault(element.track.body, {})[element.track.name] = element.track
        return tuple(tuple(tracks.values()) for tracks in made.values())

    def _write_slip(self, p: Array, i: int, status: Status, ways: Array) -> None:
        """Put the friction of an element that may slide into the block "p", and in space where it slides to."""
        element, places = self.elements[i], self.places
        closed, grip = status
        if element.tangents == 2:
            sliding = (closed or element.kind == GRIP) and grip in WAYS
            p[places["pull", i, 0]] = (element.friction or 0.0) if sliding else 0.0
            p[places["rests", i, 0]] = 0.0 if sliding else 1.0
            p[places["way", i, 0]], p[places["way", i, 1]] = ways[i]
        elif grip in WAYS:
            p[places["pull", i, 0]] = (
                -WAYS[grip] * element.pull(WAYS[grip]) * (element.bound if element.single else 1.0)
            )

    def word(self, leaf: int, statuses: Sequence[Status]) -> str:
        """What happens where a watched function ends."""
        i, which = self.leaves[leaf]
        closed, grip = statuses[i]
        if which == "normal":
            return RELEASES if closed else STRIKES
        return STOPS if grip in WAYS else SLIPS
