"""All orders written out, one after the other: for programs with few inner sums.

Coefficients stay in registers as far as there are any, and nothing waits for memory. The text grows with the square of
the order times the number of inner sums.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sistel.kernels.taylor._linear import linear_lines
from sistel.kernels.taylor._plan import Inner
from sistel.kernels.taylor._recurrence import Recurrence

if TYPE_CHECKING:
    from sistel.kernels._writer import Writer
    from sistel.kernels.taylor._emit import Table
    from sistel.kernels.taylor._plan import Plan
    from sistel.kernels.taylor._start import Start


class _Known:
    """Coefficients of all orders so far; see `Before`."""

    def __init__(self, w: Writer, plan: Plan, start: Start) -> None:
        self.w = w
        self.start = start
        self.k = 0
        self.order = self.inverse = ""
        self.plain: dict[int, list[str | None]] = {}
        """Coefficients of a series that inner sums need, from order 1; None for zeros."""
        self.weighted: dict[int, list[str | None]] = {}
        """The same, each times its order."""
        self.zeros: dict[tuple[str, int], str] = {}
        self.pairs = plan.pairs
        """The sine and the cosine of an angle, whose inner sums are computed side by side in vectors."""
        self.vectors: dict[int, list[str]] = {angle: [] for angle in plan.pairs}
        """Coefficients of the sine and the cosine of an angle, from order 1."""
        self.both: dict[int, list[str]] = {angle: [] for angle in plan.pairs}
        """Weighted coefficients of an angle, twice."""
        self.early: dict[int, tuple[str, str]] = {}
        """The older part of the inner sums of an angle at this order."""
        for each in plan.inner:
            (self.weighted if each.weighted else self.plain)[each.first] = []
            self.plain[each.second] = []

    def go(self, k: int) -> None:
        """Go on to order k."""
        self.k = k
        self.early.clear()
        self.order, self.inverse = self.w.constant(float(k)), self.w.constant(1.0 / k)

    def keep(self, series: int, value: str | None) -> None:
        """Keep a coefficient of order k."""
        if series in self.plain:
            self.plain[series].append(value)
        if series in self.weighted:
            product = value if value is None or self.k == 1 else self.w.multiply(value, self.order)
            self.weighted[series].append(product)

    def zero(self, what: str, series: int) -> str:
        key = what, series
        if key not in self.zeros:
            self.zeros[key] = self.start.derived(what, series)
        return self.zeros[key]

    def inner(self, which: Inner) -> str | None:
        # From the middle outward: the products that were known first come first.
        places = sorted(range(1, self.k), key=lambda j: max(j, self.k - j))
        if which.weighted:
            return self._weighted(which, places)
        if not which.square:
            return self._sum(self._factors(which, places))
        w, k = self.w, self.k
        total = self._sum(self._factors(which, [j for j in places if 2 * j < k]))
        total = None if total is None else w.add(total, total)
        middle = self.plain[which.first][k // 2 - 1] if k % 2 == 0 else None
        return total if middle is None else self._sum([(middle, middle)], total)

    def _weighted(self, which: Inner, places: list[int]) -> str | None:
        """The products with the newest coefficients are divided before they are added: nothing waits for that."""
        w = self.w
        early: str | None
        if which.first in self.vectors and len(places) > 2:
            early = self._turn(which.first, places[:-2])[self.pairs[which.first].index(which.second)]
        else:
            early = self._sum(self._factors(which, places[:-2]))
            early = None if early is None else w.multiply(early, self.inverse)
        late = [(w.multiply(a, self.inverse), b) for a, b in self._factors(which, places[-2:])]
        return self._sum(late, early)

    def _turn(self, angle: int, places: list[int]) -> tuple[str, str]:
        """The older part for the sine and for the cosine, which go with each other in one vector."""
        if angle not in self.early:
            v = self.w.of_width(2)
            total = ""
            for j in places:
                a, b = self._twice(angle, j), self._together(angle, self.k - j)
                total = v.fused(a, b, total) if total else v.multiply(a, b)
            total = v.multiply(total, v.constant(1.0 / self.k))
            self.early[angle] = v.extract(total, 0), v.extract(total, 1)
        return self.early[angle]

    def _twice(self, angle: int, j: int) -> str:
        made = self.both[angle]
        while len(made) < j:
            made.append(self.w.of_width(2).broadcast(self.weighted[angle][len(made)] or self.w.constant(0.0)))
        return made[j - 1]

    def _together(self, angle: int, j: int) -> str:
        made, zero = self.vectors[angle], self.w.constant(0.0)
        while len(made) < j:
            made.append(self.w.of_width(2).gather([self.plain[x][len(made)] or zero for x in self.pairs[angle]]))
        return made[j - 1]

    def _factors(self, which: Inner, places: list[int]) -> list[tuple[str, str]]:
        """The products that are not zero."""
        first = (self.weighted if which.weighted else self.plain)[which.first]
        second = self.plain[which.second]
        pairs = [(first[j - 1], second[self.k - j - 1]) for j in places]
        return [(a, b) for a, b in pairs if a is not None and b is not None]

    def _sum(self, factors: list[tuple[str, str]], total: str | None = None) -> str | None:
        for a, b in factors:
            total = self.w.multiply(a, b) if total is None else self.w.fused(a, b, total)
        return total


def write_unrolled(w: Writer, plan: Plan, start: Start, table: Table, order: int) -> None:
    """Write all orders from 1; the values of order 0 are there."""
    known = _Known(w, plan, start)
    states: list[str | None] = [start.value[i] for i in plan.rates]
    zero = w.constant(0.0)
    every = linear_lines(plan, list(plan.carried))
    for k in range(1, order + 1):
        for row, value in enumerate(states):
            table.put(row, k, value or zero)
        if k == order and not plan.functions:
            return
        known.go(k)
        recurrence = Recurrence(w, plan, known, lambda series, now=states: now[plan.program.second[series]])  # type: ignore[misc]
        lines = every if k < order else linear_lines(plan, [i for i in plan.carried if i in plan.last])
        new: Mapping[int, str | None] = recurrence.new
        recurrence.run(lines, lambda series, new=new: known.keep(series, new[series]))  # type: ignore[misc]
        for row, line in enumerate(plan.functions, plan.size):
            table.put(row, k, new.get(line) or zero)
        if k < order:
            factor = w.constant(1.0 / (k + 1))
            rates = [new.get(line) for line in plan.rates]
            states = [None if rate is None else w.multiply(rate, factor) for rate in rates]
    return
