"""A stay in a structure with a method of stages: its steps are machine code, what happens between them is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NoReturn

import numpy as np

from sistel.records import record
from sistel.simulation._failures import fail_outcome
from sistel.simulation._outcome import Outcome
from sistel.simulation.implicit import _collocation as c
from sistel.simulation.run._segments import Segment
from sistel.simulation.taylor import steps as a
from sistel.simulation.taylor.tables import NEAR

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.automaton import Exit
    from sistel.simulation._compiled_structure import CompiledStructure
    from sistel.simulation.implicit._scheme import Scheme
    from sistel.simulation.run._bookmark import Inside


CHUNK: Final = 512
"""Steps between two looks at the keyboard."""


@record
class Instant:
    """What was known of the functions of conditions where a tick ended a stay: what jumps with it passes zero there."""

    structure: str
    """The structure."""
    truths: tuple[bool, ...]
    """Whether they were above zero, or about to be."""
    ways: tuple[int, ...]
    """1 where one rose through zero, -1 where one fell."""
    zeros: tuple[bool, ...]
    """Whether they were zero."""


class ImplicitDriver:
    """One stay in a structure, by the steps of an implicit method or of Runge and Kutta's."""

    def __init__(
        self,
        compiled: CompiledStructure,
        y: Array,
        until: float,
        longest: float,
        scheme: Scheme,
        weights: Array | None = None,
    ) -> None:
        """Nothing moves yet.

        Args:
            compiled: The structure.
            y: The state, the time last; it is changed in its place.
            until: When to end [s].
            longest: Longest step [s].
            scheme: The method.
            weights: Of the components in the measure of errors, see `Tolerance`.
        """
        self.compiled, self.y, self.first = compiled, y, y.copy()
        self.kept: list[tuple[Array, Array]] = []
        self._walked = 0
        self.p = compiled.parameters(y)
        correct = None
        if compiled.corrects:
            self.anchor = compiled.anchors(y)
            corrected = np.zeros(compiled.taylor.size)
            self.off = np.zeros(1)
            self.blocks = compiled.blocks(compiled.projection_program, y=y, p=self.anchor)
            arguments = np.zeros(2 * len(self.blocks) + 4, dtype=np.int64)
            arguments[0::2] = [block.ctypes.data for block in (*self.blocks, corrected, self.off)]
            correct = compiled.projection, arguments, corrected
        self.steps = scheme.steps(
            compiled, y, self.p, until=until, room=CHUNK, longest=longest, weights=weights, correct=correct
        )
        self.order, self.table = self.steps.order, self.steps.table
        self.zeros, self.counts = self.steps.zeros, self.steps.counts
        self.instant: Instant | None = None
        """What was known where a transition fired."""
        self.beside: Exit | None = None
        """What contacts, stops or friction do at the same instant."""
        self._slides = not self._settle()

    def inside(self) -> Inside:
        """What there is to know of where it is, besides the state."""
        known = {"p": self.p, "zeros": self.zeros, "numbers": self.steps.numbers[[c.STEP]], "low": self.steps.low}
        if self.steps.x is not self.y:
            known["momenta"] = self.steps.x
        if self.compiled.corrects:
            known["anchors"] = self.anchor
        return {name: array.copy() for name, array in known.items()}

    def go_back(self, inside: Inside) -> None:
        """Stand where it was once."""
        self.p[:], self.zeros[:], self.steps.low[:] = inside["p"], inside["zeros"], inside["low"]
        self.steps.numbers[c.STEP] = inside["numbers"][0]
        if "momenta" in inside:
            self.steps.x[:] = inside["momenta"]
        if "anchors" in inside:
            self.anchor[:] = inside["anchors"]

    @staticmethod
    def knows(inside: Inside) -> bool:
        """Whether it can stand there: a driver of the same kind has been."""
        return "low" in inside

    @property
    def full(self) -> bool:
        """Whether it has just taken as many steps as there is room for."""
        return int(self.counts[a.STEPS]) >= CHUNK

    @property
    def next_step(self) -> float:
        """The length of the next step [s]."""
        return float(self.steps.numbers[c.STEP])

    @property
    def cut(self) -> bool:
        """Whether the end of the time has cut a step, and what came after it depends on that."""
        return bool(self.counts[a.CUT])

    def _settle(self) -> bool:
        """Which side of every comparison holds from now on: where it is undecided, the motion decides, if it can."""
        modes, first = self.compiled.modes, self.compiled.leaves
        if not modes.count:
            return True
        heavy = False
        for _ in range(2 * modes.count + 2):
            rows = self.compiled.taylor(self.y, self.p[: self.compiled.taylor.parameters])[1]
            changed = False
            for i, switch in enumerate(modes.switches):
                row = rows[first + i]
                if (not self.zeros[first + i] and abs(row[0]) > NEAR) or switch.kind not in ("less", "less_equal"):
                    continue
                self.zeros[first + i] = 1
                ahead = next((c for c in row[1:] if c != 0.0), 0.0)
                holds = float(ahead < 0.0)
                if ahead != 0.0 and self.p[modes.first + switch.mode] != holds:
                    self.p[modes.first + switch.mode] = holds
                    changed, heavy = True, abs(ahead) > NEAR
                    break
            if not changed:
                return True
        return not heavy

    def entered(self, before: Instant | None = None) -> Exit | None:
        """The transition that leaves the structure at once, if one does.

        Args:
            before: What was known where a tick ended the stay before this one, in the same structure.
        """
        fired = self._entered(before) if self.compiled.leaves else None
        if fired is None and self._slides:
            self._fail(Outcome.SLIDES)
        return fired

    def _entered(self, before: Instant | None) -> Exit | None:
        rows = self.compiled.taylor(self.y, self.p[: self.compiled.taylor.parameters])[1][: self.compiled.leaves]
        truths, instants = [], set[int]()
        for i, row in enumerate(rows):
            if abs(row[0]) <= NEAR:
                self.zeros[i] = 1
            value = row[0] if abs(row[0]) > NEAR else next((c for c in row[1:] if abs(c) > NEAR), 0.0)
            truths.append(value > 0.0)
            way = 0 if before is None else self._jumped(i, truths[i], before)
            if way:
                instants.add(i if way > 0 else -1 - i)
        return self._fired(truths, instants)

    def _jumped(self, i: int, now: bool, before: Instant) -> int:
        """Which way a function passes zero with a tick: see `look_over` of the series, which does the same."""
        passing = before.ways[i]
        if not before.zeros[i] and not self.zeros[i]:
            return 0 if now is before.truths[i] else 1 if now else -1
        if passing and self.zeros[i] and now is (passing > 0):
            return passing
        return -1 if before.zeros[i] and before.truths[i] and self.zeros[i] and not now else 0

    def go(self) -> Exit | None:
        """Move on; the transition that fires, if one does."""
        compiled = self.compiled
        answer = self.steps.advance()
        self._keep()
        if answer in (Outcome.LONG, Outcome.LOST, Outcome.SMALL):
            self._fail(answer)
        if answer is not Outcome.EVENT:
            return None
        leaf, way = int(self.counts[a.LEAF]), int(self.counts[a.WAY])
        if leaf >= compiled.leaves:
            self._switch_all(leaf - compiled.leaves, way)
            return None
        return self._fired(*self._truths(leaf, way))

    def _truths(self, leaf: int, way: int) -> tuple[list[bool], set[int]]:
        """Signs of all leaves just after the zero of one, and the leaves that pass zero there."""
        taylor, compiled = self.compiled.taylor, self.compiled
        h = self.kept[-1][0][-1, 1]
        truths, instants = [], set[int]()
        for i in range(compiled.leaves):
            row = self.table[(taylor.size + i) * int(self.counts[a.STRIDE]) :][: self.order + 1]
            value, rate = _horner(row, h), _horner(row[1:] * np.arange(1, self.order + 1), h)
            if i == leaf or abs(value) <= NEAR:
                rising = way > 0 if i == leaf else rate > 0.0
                truths.append(rising)
                instants.add(i if rising else -1 - i)
                self.zeros[i] = 1
            else:
                truths.append(value > 0.0)
        return truths, instants

    def _fired(self, truths: list[bool], instants: set[int]) -> Exit | None:
        ways = [int(i in instants) - int(-1 - i in instants) for i in range(len(truths))]
        open_now = [
            each
            for each in self.compiled.equations.exits
            if each.condition.holds(truths[each.first_leaf :], ways[each.first_leaf :])
        ]
        if not open_now:
            return None
        zeros = tuple(bool(zero) for zero in self.zeros[: len(truths)])
        name = self.compiled.structure.name
        self.instant = Instant(structure=name, truths=tuple(truths), ways=tuple(ways), zeros=zeros)
        self.beside = next((each for each in open_now if not each.transition.tick and not each.transition.target), None)
        return open_now[0]

    def _switch_all(self, number: int, way: int) -> None:
        """A comparison changes, and with it all that compare the same: sign(x) asks twice where x is."""
        first, stride = self.compiled.leaves, int(self.counts[a.STRIDE])
        h = self.kept[-1][0][-1, 1]
        for i in range(len(self.compiled.modes.switches)):
            row = self.table[(self.compiled.taylor.size + first + i) * stride :][: self.order + 1]
            if i == number:
                self._switch(i, way)
            elif abs(_horner(row, h)) <= NEAR:
                rate = _horner(row[1:] * np.arange(1, self.order + 1), h)
                self.zeros[first + i] = 1
                self._switch(i, 1 if rate > 0.0 else -1)
        if not self._settle():
            self._fail(Outcome.SLIDES)

    def _switch(self, number: int, way: int) -> None:
        """A comparison changes."""
        modes = self.compiled.modes
        switch = modes.switches[number]
        place = modes.first + switch.mode
        if switch.kind in ("less", "less_equal"):
            self.p[place] = float(way < 0)
        elif switch.kind == "floor":
            self.p[place] += -1.0 if way < 0 else 0.0
        elif switch.kind == "floor_above":
            self.p[place] += 1.0

    def _keep(self) -> None:
        if self.counts[a.STEPS]:
            self._walked += int(self.counts[a.STEPS])
            self.kept.append(self.steps.taken())

    @property
    def walked(self) -> int:
        """Steps so far."""
        return self._walked

    @property
    def nbytes(self) -> int:
        """What the last steps take [bytes]."""
        return sum(array.nbytes for array in self.kept[-1]) if self.counts[a.STEPS] else 0

    def forget(self) -> int:
        """Keep none of the steps; what the rest takes [bytes]."""
        self.kept.clear()
        return 0

    def segments(self) -> list[Segment]:
        """What was recorded."""
        if not self.kept:
            return []
        times, coefficients = (np.concatenate([each[i] for each in self.kept]) for i in range(2))
        return [Segment(structure=self.compiled.structure.name, times=times, coefficients=coefficients)]

    def _fail(self, outcome: Outcome) -> NoReturn:
        fail_outcome(self.compiled, outcome, self.y, self.first)


def _horner(row: Array, h: float) -> float:
    total = 0.0
    for coefficient in row[::-1]:
        total = total * h + float(coefficient)
    return total
