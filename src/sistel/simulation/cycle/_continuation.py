"""A limit cycle followed along a parameter: each one begins where those before it point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np

from sistel.errors import SistelError, Text
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.simulation.cycle._cycle import Cycle

FINEST = 1e-6
"""Part of the way between two values, and of the first of them, below which a step is not halved any more."""
LONGER = 1.5
"""How much longer the next step may be after one that has succeeded."""
FOLD = 0.2
"""How near to 1 a multiplier is where a branch turns back."""


class Changeable(Protocol):
    """A system whose parameters can be changed."""

    @property
    def cycle(self) -> Callable[..., Cycle]:
        """Finds its limit cycle."""


@entry
class _Point:
    value: float
    cycle: Cycle


class Branch:
    """The cycles of a system that belong together, from one value of a parameter to the next."""

    def __init__(self, find: Callable[[float, Cycle | None], Cycle], parameter: str) -> None:
        """Nothing is followed yet.

        Args:
            find: Finds the cycle at a value, near another one or, without, from the start of the system.
            parameter: Its name.
        """
        self.find, self.parameter = find, parameter
        self.points: list[_Point] = []
        self.failed: Text | None = None
        """What the last value failed with."""

    def begin(self, value: float) -> Cycle:
        """The first cycle."""
        found = self.find(value, None)
        self.points = [_Point(value, found)]
        return found

    def reach(self, value: float) -> Cycle | None:
        """The cycle of the branch at a value; None where it ends before."""
        way = value - self.points[-1].value
        if way == 0.0:
            return self.points[-1].cycle
        step = way
        while True:
            here = self.points[-1].value
            aim = value if abs(value - here) <= abs(step) else here + step
            found = self._tried(aim)
            if found is not None:
                self.points = [*self.points[-2:], _Point(aim, found)]
                if aim == value:
                    return found
                step *= LONGER
                continue
            step = 0.5 * (aim - here)
            if abs(step) <= FINEST * min(abs(way), max(abs(here), abs(way) * FINEST)) or here + step == here:
                return None

    def _tried(self, value: float) -> Cycle | None:
        try:
            found = self.find(value, self._predicted(value))
        except SistelError as problem:
            self.failed = problem.diagnostics[0].message
            return None
        self.failed = found.reason
        return found if found.success else None

    def _predicted(self, value: float) -> Cycle:
        """Along the line through the last two cycles, or the parabola through three."""
        points = [point for point in self.points if len(point.cycle.q) == len(self.points[-1].cycle.q)]
        weights = [
            float(np.prod([(value - b.value) / (a.value - b.value) for b in points if b is not a])) for a in points
        ]
        last = points[-1].cycle
        pairs = list(zip(weights, points, strict=True))
        q = np.sum([weight * point.cycle.q for weight, point in pairs], axis=0)
        v = np.sum([weight * point.cycle.v for weight, point in pairs], axis=0)
        period = sum(weight * point.cycle.period for weight, point in pairs)
        return replace(last, q=q, v=v, period=period if period > 0.0 else last.period)

    def ended(self, value: float) -> Cycle:
        """What there is to say of a value that the branch does not reach."""
        last = self.points[-1]
        sizes = last.cycle.multipliers
        said = self.failed or Text("no cycle is near", "рядом нет цикла")
        why = Text(f"beyond it {said.en}", f"дальше {said.ru}")
        if sizes.size and float(np.abs(sizes - 1.0).min()) < FOLD:
            why = Text(
                "a multiplier comes to 1, as where it meets another branch and both turn back (a fold)",
                "мультипликатор подходит к 1, как там, где ветвь сходится с другой и обе кончаются (складка)",
            )
        reason = Text(
            f"the branch of cycles ends near {self.parameter} = {last.value:.9g}: {why.en}",
            f"ветвь циклов кончается около {self.parameter} = {last.value:.9g}: {why.ru}",
        )
        return replace(last.cycle, success=False, reason=reason, reached=last.value)


def follow_cycles(
    system: Changeable,
    parameter: str,
    values: Sequence[float],
    *,
    section: str | None = None,
    mirror: Mapping[str, str] | None = None,
    until: float = 100.0,
    tolerance: float = 1e-10,
    period: float | str | None = None,
    progress: Callable[[float, Cycle | None, float], None] | None = None,
) -> tuple[Cycle, ...]:
    """The cycles of a system at several values of a parameter, in their order.

    Between two values it goes in steps that Newton's method converges for, halved where it does not, so that all belong
    to one branch.

    Args:
        system: The system; its own start leads to the first cycle.
        parameter: Name of the parameter.
        values: Its values [SI].
        section: As for `System.cycle`.
        mirror: As for `System.cycle`.
        until: As for `System.cycle`.
        tolerance: As for `System.cycle`.
        period: As for `System.cycle`; a text such as ``2*pi/w`` follows its parameters.
        progress: Called with a value and None after every round that was simulated for it, and with the residual; then
            with the value, its cycle, and the residual of that.

    Returns:
        One for every value. Where the branch ends before a value, what stands for that is not successful: it says why,
        and `.reached` is the last value that belongs to the branch, with the cycle there. After it there are no more.
    """
    made: list[Cycle] = []

    def find(value: float, near: Cycle | None) -> Cycle:
        return system.cycle(
            section,
            parameters={parameter: value},
            mirror=mirror,
            until=until,
            tolerance=tolerance,
            period=period,
            near=near,
            progress=None if progress is None else lambda count, residual: progress(value, None, residual),
        )

    branch = Branch(find, parameter)
    for value in values:
        found = branch.reach(value) if made else branch.begin(value)
        made.append(branch.ended(value) if found is None else found)
        if progress is not None:
            progress(value, made[-1], made[-1].residual)
        if not made[-1].success:
            break
    return tuple(made)
