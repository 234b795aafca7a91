"""What contacts carry where statics does not say it, as of the four legs of a table: least-norm shares.

Rows of contacts that follow from others have multipliers that no equation determines. Of all that give the same motion
those are taken whose squares have the least sum: the load is shared as evenly as balance allows, as by equal springs
under rigid feet. With C the parts of all rows of contacts in the independent ones (J = C J_K) and y the multipliers
that the independent ones alone would have, λ = C (Cᵀ C)⁻¹ y. Contacts do not pull: what would, is left out one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sistel.expr import Scalar, Scalars, Vector, absolute, is_number, is_zero, less, minimum, select
from sistel.mechanics._constrained import Solution
from sistel.mechanics._linear import Factor, inner, places_of
from sistel.mechanics._rows import Row

DUST = 1e-13
"""Part of a row below which it is none, in numbers; part of a load below which it does not pull."""
SOUND = 1e-9
"""Part of a diagonal entry that elimination must leave for contacts that still hold a body without the others."""

Normal = Callable[[str, Vector], Scalar]
"""Of a contact and the force that it carries: the part along its normal."""


class Shares:
    """Multipliers of all rows of a structure, from those of the independent ones."""

    def __init__(self, every: Sequence[Row], kept: Sequence[Row], redundant: frozenset[int], links: frozenset[str]):
        """Nothing is computed where no row of a contact is redundant.

        Args:
            every: All rows.
            kept: The independent ones of them, in their order.
            redundant: Indices of the others.
            links: Names of the contacts.
        """
        self.every, self.redundant = every, redundant
        self.gone = [i for i in sorted(redundant) if every[i].link in links]
        self.kept = [i for i in range(len(every)) if i not in redundant]
        self.rows = list(kept)
        """The independent rows: their friction is that of all that they carry a part for."""
        self.masks: dict[str, Scalar] = {}
        if not self.gone:
            return
        self.parts = self._parts()
        self.own = [i for i in self.kept if every[i].link in links and any(i in part for part in self.parts.values())]
        """Independent rows that share with redundant ones."""
        self.links = tuple(dict.fromkeys(every[i].link for i in sorted((*self.own, *self.gone))))
        self._weigh({})

    @property
    def rubs(self) -> bool:
        """Whether what slides shares its load: then friction depends on the shares."""
        return bool(self.gone) and any(self.every[i].drag is not None for i in (*self.own, *self.gone))

    def _parts(self) -> dict[int, dict[int, Scalar]]:
        """Of every redundant row: its part in each of the independent ones."""
        moved = {i: frozenset(places_of(self.every[i].J)) for i in (*self.kept, *self.gone)}
        reached = frozenset[int]().union(*(moved[i] for i in self.gone))
        near: list[int] = []
        while True:
            more = [i for i in self.kept if i not in near and moved[i] & reached]
            if not more:
                break
            near += more
            reached = reached.union(*(moved[i] for i in more))
        near.sort()
        J = {i: self.every[i].J for i in (*near, *self.gone)}
        factor = Factor([[inner(J[i], J[j]) for j in near[: n + 1]] for n, i in enumerate(near)])
        made = {}
        for gone in self.gone:
            parts = factor.solve([inner(J[gone], J[i]) for i in near])
            made[gone] = {i: x for i, x in zip(near, parts, strict=True) if not (is_number(x) and abs(x) < DUST)}
        return made

    def _row(self, index: int) -> list[Scalar]:
        """A row of C."""
        if index in self.parts:
            return [self.parts[index].get(k, 0.0) for k in self.own]
        return [float(k == index) for k in self.own]

    def _weigh(self, masks: Mapping[str, Scalar]) -> None:
        """Share anew among contacts, a mask of 0 for those that carry nothing."""
        self.masks = dict(masks)
        among = [(i, self._row(i)) for i in (*self.own, *self.gone)]
        size = range(len(self.own))
        square: list[list[Scalar]] = [[0.0] * (n + 1) for n in size]
        for index, row in among:
            mask = masks.get(self.every[index].link, 1.0)
            for n in places_of(row):
                part = mask * row[n]
                for m in range(n + 1):
                    if not is_zero(row[m]):
                        square[n][m] = square[n][m] + part * row[m]
        self.factor = Factor(square)
        self.margin: Scalar = 1.0
        for n in size:
            if self.factor.pivots[n] != square[n][n]:
                self.margin = minimum(self.margin, self.factor.pivots[n] / square[n][n])
        if self.rubs:
            self._rub(among)

    def _rub(self, among: Sequence[tuple[int, Scalars]]) -> None:
        """Give the independent rows the friction of all that they carry a part for."""
        drags: dict[int, list[Scalar]] = {k: [0.0] * len(self.every[k].J) for k in self.own}
        for index, row in among:
            drag = self.every[index].drag
            if drag is None:
                continue
            mask = self.masks.get(self.every[index].link, 1.0)
            for k, share in zip(self.own, self.factor.solve(row), strict=True):
                part = mask * share
                drags[k] = [x + part * y for x, y in zip(drags[k], drag, strict=True)]
        self.rows = [
            replace(row, drag=drags[k]) if k in drags else row for k, row in zip(self.kept, self.rows, strict=True)
        ]

    def spread(self, multipliers: Scalars) -> list[Scalar]:
        """Multipliers of all rows, from those of the independent ones; none for what is redundant and no contact."""
        made: list[Scalar] = [0.0] * len(self.every)
        for i, value in zip(self.kept, multipliers, strict=True):
            made[i] = value
        if not self.gone:
            return made
        found = self.factor.solve([made[k] for k in self.own])
        for index in (*self.own, *self.gone):
            made[index] = self.masks.get(self.every[index].link, 1.0) * inner(self._row(index), found)
        own = set(self.own)
        for gone, parts in self.parts.items():
            for i, part in parts.items():
                if i not in own:
                    made[i] = made[i] - part * made[gone]
        return made

    def weigh_by(self, strengths: Mapping[str, Scalar]) -> None:
        """Let some links share by their strengths: what all carry together along one way is the same part of each."""
        if self.gone and not self.rubs and any(link in strengths for link in self.links):
            self._weigh({link: strengths[link] for link in self.links if link in strengths})

    def without_pulling(
        self, solve: Callable[[], Solution], normal: Normal, links: Sequence[str], fewest: int
    ) -> tuple[Solution, list[Scalar]]:
        """What is left where no contact pulls: the one that would pull most is left out, then the next.

        Args:
            solve: Finds the motion and the multipliers of `rows`.
            normal: Measures a force along a normal.
            links: Contacts that cannot pull.
            fewest: How many of them it takes to hold a body.

        Returns:
            The motion, and the multipliers of all rows.
        """
        found = solve()
        made = self.spread(found.multipliers[: len(self.rows)])
        free = [name for name in self.links if name in links]
        for _ in range(len(free) - fewest):
            loads = {name: normal(name, self._force(name, made)) for name in free}
            total: Scalar = 0.0
            least: Scalar = 0.0
            for load in loads.values():
                total, least = total + absolute(load), minimum(least, load)
            pulls = less(least, -DUST * total)
            masks = dict(self.masks)
            for name, load in loads.items():
                # What was left out has no load, and is not the least.
                masks[name] = select(pulls, select(less(least, load), masks.get(name, 1.0), 0.0), masks.get(name, 1.0))
            self._weigh(masks)
            again = solve() if self.rubs else found
            sound = less(SOUND, self.margin)
            made = _chosen(sound, self.spread(again.multipliers[: len(self.rows)]), made)
            found = Solution(
                _chosen(sound, again.x, found.x),
                _chosen(sound, again.multipliers, found.multipliers),
                select(sound, again.margin, found.margin),
            )
        return found, made

    def _force(self, name: str, multipliers: Scalars) -> Vector:
        total = Vector(0.0, 0.0, 0.0)
        for row, value in zip(self.every, multipliers, strict=True):
            if row.link == name:
                total = total + value * (row.wrenches[0].force if row.shown is None else row.shown[1])
        return total


def _chosen(condition: Scalar, a: Scalars, b: Scalars) -> list[Scalar]:
    return [select(condition, x, y) for x, y in zip(a, b, strict=True)]
