"""The recurrences at one order, as instructions: the same for loops over orders and for orders written out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from sistel.kernels._writer import Writer
    from sistel.kernels.taylor._linear import Factor, Linear
    from sistel.kernels.taylor._plan import Inner, Plan

CHAIN: Final = 8
"""Longest chain of fused steps; longer sums are computed in parts, since each step waits for the one before."""


class Before(Protocol):
    """What is known when the coefficients of order k are computed; everything is the name of a double."""

    def zero(self, what: str, series: int) -> str:
        """A value made of coefficients of order 0, see `Start.derived`."""

    def inner(self, which: Inner) -> str | None:
        """An inner sum at order k, over k where it is weighted; None where it is zero."""


class Recurrence:
    """Writes the coefficients of order k > 0 of all series; `new` has them by series, None for those that are zero.

    Args:
        w: Where instructions go.
        plan: What to compute.
        before: What is known.
        absent: Finds coefficients of order k that are not written here: those of the state, for one.
    """

    def __init__(self, w: Writer, plan: Plan, before: Before, absent: Callable[[int], str | None]) -> None:
        self.w = w
        self.plan = plan
        self.before = before
        self.absent = absent
        self.new: dict[int, str | None] = {}

    def run(self, lines: Iterable[Linear], done: Callable[[int], None]) -> None:
        """Write these lines; `done` is told every series as soon as it is there."""
        for line in lines:
            if line.choice is not None:
                self.new[line.series] = self._chosen(line)
            elif line.terms:
                self.new[line.series] = self._sum(line)
            else:
                self.new[line.series] = self.absent(line.series)
            done(line.series)

    def value(self, series: int) -> str | None:
        """The new coefficient of a series."""
        if series not in self.new:
            self.new[series] = self.absent(series)
        return self.new[series]

    def _sum(self, line: Linear) -> str | None:
        steps: list[tuple[int, str, str]] = []
        for part in line.parts:
            inner = self.before.inner(part.inner)
            if inner is not None:
                steps.append((part.sign, inner, self._factor(part.factor)))
        for term in line.terms:
            value = self.value(term.series)
            if value is not None:
                steps.append((term.sign, value, self._factor(term.factor)))
        if not steps:
            return None
        chains = -(-len(steps) // CHAIN)
        sums = [self._chain(steps[i::chains]) for i in range(chains)]
        while len(sums) > 1:
            sums = [self.w.add(*sums[i : i + 2]) if i + 1 < len(sums) else sums[i] for i in range(0, len(sums), 2)]
        return sums[0]

    def _factor(self, factor: Factor | None) -> str:
        return "" if factor is None else self.before.zero(*factor)

    def _chain(self, steps: list[tuple[int, str, str]]) -> str:
        w = self.w
        total = ""
        for sign, value, factor in steps:
            if not total:
                total = w.multiply(value, factor) if factor else value
                total = total if sign > 0 else w.negate(total)
            elif factor:
                # The code generator knows fused steps with either sign.
                total = w.fused(value if sign > 0 else w.negate(value), factor, total)
            else:
                total = w.add(total, value) if sign > 0 else w.subtract(total, value)
        return total

    def _chosen(self, line: Linear) -> str | None:
        w, zero = self.w, self.w.constant(0.0)
        sides = []
        for term in line.terms:
            value = self.value(term.series) if term.sign else None
            sides.append(w.negate(value) if value is not None and term.sign < 0 else value)
        if sides[0] is None and sides[1] is None:
            return None
        assert line.choice is not None
        condition = w.compare("une", self.before.zero(*line.choice), zero)
        return w.select(condition, sides[0] or zero, sides[1] or zero)
