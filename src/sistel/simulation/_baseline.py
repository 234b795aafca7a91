"""The same equations the way of engines that look for collisions first: equal steps, conditions asked after each.

A yardstick for what declared structures save, not a method to be used: an event counts from the end of the step in
which its condition came true. The steps are the classical method of fourth order, in machine code; the equations, the
conditions and the passages are those that `Simulation` uses. Constraints are not projected and steps not kept: both
would cost this method time.

`march` is written in the compiled subset of Python.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.errors import SistelError
from sistel.kernels import USER
from sistel.kernels.subset import CompiledFunction, Floats, Function, Ints, compile_functions
from sistel.once import once
from sistel.records import record
from sistel.simulation._programs import native
from sistel.simulation.run._warnings import Warnings
from sistel.simulation.taylor._driver import callers

if TYPE_CHECKING:
    from collections.abc import Callable

    from sistel.arrays import Array
    from sistel.automaton import Exit
    from sistel.kernels import Native
    from sistel.simulation._compiled_structure import CompiledStructure
    from sistel.simulation._simulate import Simulation


KernelAt = Function[[int, int, int, int], None]
"""Calls the kernel at an address with rows begin to end and the address of its table of arguments."""

END, CHANGED, FULL = range(3)
"""Why a march ended: the time is up, a watched function has changed its sign, no steps are left."""

SIZE: Final = 0
WATCHED: Final = 1
LEFT: Final = 2
"""Steps that may be taken."""
STEPS: Final = 3
"""Steps taken in all."""

AT_ONCE: Final = 50
"""Passages at one instant that may follow from each other."""
CHUNK: Final = 200_000
"""Steps between two looks at the clock."""


def march(
    kernel_at: KernelAt,
    flow: int,
    arguments: int,
    counts: Ints,
    y: Floats,
    dy: Floats,
    g: Floats,
    before: Floats,
    signs: Ints,
    below: Ints,
    begin: Floats,
    total: Floats,
    until: float,
    h: float,
) -> int:
    """Take equal steps until a time, or until a watched function changes its sign.

    Args:
        kernel_at: Calls a kernel.
        flow: Rates and watched functions: reads y, writes dy and g.
        arguments: Of the flow.
        counts: See the places.
        y: The state, the time last; in and out.
        dy: Its rates there; in and out.
        g: The watched functions there; in and out.
        before: What they were a step before.
        signs: Of the watched functions before; afterwards 2 is added where they have passed zero.
        below: Functions that begin beyond zero: moving on in that direction counts as passing it, once.
        begin: Room for a state.
        total: Room for a state.
        until: When to end [s].
        h: Length of the steps [s].
    """
    size = counts[SIZE]
    watched = counts[WATCHED]
    while True:
        left = until - y[size - 1]
        if left <= 0.0:
            return END
        if counts[LEFT] <= 0:
            return FULL
        counts[LEFT] = counts[LEFT] - 1
        counts[STEPS] = counts[STEPS] + 1
        step = h
        if h >= left * (1.0 - 1e-9):
            step = left
        for i in range(size):
            begin[i] = y[i]
            total[i] = dy[i]
            y[i] = begin[i] + 0.5 * step * dy[i]
        kernel_at(flow, 0, 1, arguments)
        for i in range(size):
            total[i] = total[i] + 2.0 * dy[i]
            y[i] = begin[i] + 0.5 * step * dy[i]
        kernel_at(flow, 0, 1, arguments)
        for i in range(size):
            total[i] = total[i] + 2.0 * dy[i]
            y[i] = begin[i] + step * dy[i]
        kernel_at(flow, 0, 1, arguments)
        for i in range(size):
            y[i] = begin[i] + step / 6.0 * (total[i] + dy[i])
        if step == left:
            y[size - 1] = until
        for i in range(watched):
            before[i] = g[i]
        # Of the last state: the conditions, and the first rates of the next step.
        kernel_at(flow, 0, 1, arguments)
        changed = 0
        for i in range(watched):
            now = 1 if g[i] > 0.0 else 0
            if now != signs[i] or (below[i] != 0 and g[i] < before[i]):
                signs[i] = now + 2
                below[i] = 0
                changed = 1
        if changed != 0:
            return CHANGED


@once
def _code() -> CompiledFunction:
    """The compiled march: one for all models."""
    return compile_functions([march], exports=["march"], cache=USER).march


class _Place:
    """A structure with the memory of its marches."""

    def __init__(self, compiled: CompiledStructure, size: int) -> None:
        flow = compiled.equations.flow
        self.compiled = compiled
        self.code = native(flow)
        self.watched = dict(flow.outputs).get("g", 0)
        self.dy, self.g = np.zeros(size), np.zeros(max(1, self.watched))
        self.before = np.zeros(max(1, self.watched))
        self.y, self.begin, self.total = np.zeros(size), np.zeros(size), np.zeros(size)
        self.signs, self.below = (np.zeros(max(1, self.watched), dtype=np.int64) for _ in range(2))
        self.counts = np.zeros(4, dtype=np.int64)
        self.counts[[SIZE, WATCHED]] = size, self.watched
        blocks = {"y": self.y, "dy": self.dy, "g": self.g}
        for name, length in flow.inputs:
            if name not in blocks:
                blocks[name] = np.zeros(length)
                if compiled.given is not None:
                    blocks[name][: len(compiled.given)] = compiled.given
        self.blocks = [blocks[name] for name, _ in (*flow.inputs, *flow.outputs)]
        self.arguments = np.zeros(2 * len(self.blocks), dtype=np.int64)
        self.arguments[::2] = [block.ctypes.data for block in self.blocks]

    def enter(self, y: Array, kernel: Callable[[int, int, int, int], None], again: bool) -> None:
        """Stand at the beginning of a stay; of the same structure again after a bounce."""
        self.y[:] = y
        kernel(self.code.address, 0, 1, int(self.arguments.ctypes.data))
        self.signs[:] = self.g > 0.0
        # A bounce leaves its gap a little beyond zero: deeper is a bounce again.
        self.below[:] = (self.g <= 0.0) & again

    def march(self, code: CompiledFunction, kernel_at: Native, until: float, h: float) -> int:
        """Take steps until a time, or until something changes; which of the two."""
        answer = code(
            kernel_at,
            self.code.address,
            int(self.arguments.ctypes.data),
            self.counts,
            self.y,
            self.dy,
            self.g,
            self.before,
            self.signs,
            self.below,
            self.begin,
            self.total,
            until,
            h,
        )
        return int(answer)


@record
class Checked:
    """What such a simulation gives."""

    h: float
    """Length of the steps [s]."""
    steps: int
    events: tuple[tuple[float, str, str], ...]
    """Times, and the structures before and after."""
    states: Array
    """States (q, v, t) at the times that were asked for; fewer rows where it did not come so far."""
    wall: float
    """How long it took [s]."""
    done: bool
    """Whether it came to the end in the time it was given."""


class CheckedSimulation:
    """Compiled structures of a simulation, to be followed with equal steps."""

    def __init__(self, simulation: Simulation) -> None:
        """Nothing is compiled before it is entered."""
        self.simulation = simulation
        self.places: dict[str, _Place] = {}

    def run(self, y: Array, structure: str, times: Sequence[float], h: float, budget: float = math.inf) -> Checked:
        """Simulate with steps of a length.

        Args:
            y: The state to begin with.
            structure: The structure.
            times: When to keep the state; the last is the end [s].
            h: Length of the steps [s].
            budget: How long it may take, by the clock [s].
        """
        code, (_, kernel_at) = _code(), callers()
        until, y, name = times[-1], y.copy(), structure
        # Structures that contacts make are compiled when they first happen; that is no part of the race.
        clock, compiled = time.perf_counter, 0.0
        start = clock()
        events: list[tuple[float, str, str]] = []
        states: list[Array] = []
        contacts = self.simulation.contacts
        if contacts is not None:
            name, y, _ = contacts.enter(y, until, structure)
        steps, at_once, moment = 0, 0, math.nan
        place: _Place | None = None
        done, again = True, False
        while len(states) < len(times):
            if place is None:
                before = clock()
                place = self._place(name, len(y))
                compiled += clock() - before
                place.enter(y, _caller(), again)
                place.counts[STEPS] = 0
                fired = _fired(place, {})
            else:
                fired = None
            if fired is None:
                place.counts[LEFT] = CHUNK
                answer = place.march(code, kernel_at, times[len(states)], h)
                while len(states) < len(times) and place.y[-1] >= times[len(states)]:
                    states.append(place.y.copy())
                if not np.isfinite(place.y).all() or clock() - start - compiled > budget:
                    done = False
                    break
                if answer != CHANGED:
                    continue
                passed = {i: 1 if place.signs[i] == 3 else -1 for i in np.flatnonzero(place.signs > 1).tolist()}
                place.signs[place.signs > 1] -= 2
                fired = _fired(place, passed)
                if fired is None:
                    continue
            before = clock()
            try:
                event, y = self.simulation.passed(place.compiled, fired, place.y.copy(), Warnings(), late=True)
            except SistelError:  # so late that no passage is left
                done = False
                break
            if len(events) < 4:
                compiled += clock() - before  # the first passages are compiled too
            if event.transition:
                events.append((float(event.time), event.before, event.after))
            steps += int(place.counts[STEPS])
            at_once = at_once + 1 if event.time == moment else 0
            moment = event.time
            again = event.before == event.after
            name, place = event.after, None
            if at_once > AT_ONCE:
                done = False
                break
        if place is not None:
            steps += int(place.counts[STEPS])
        return Checked(
            h=h,
            steps=steps,
            events=tuple(events),
            states=np.array(states).reshape(len(states), len(y)),
            wall=clock() - start - compiled,
            done=done and len(states) == len(times),
        )

    def _place(self, name: str, size: int) -> _Place:
        if name not in self.places:
            self.places[name] = _Place(self.simulation.compiled(name), size)
        return self.places[name]


@once
def _caller() -> Callable[[int, int, int, int], None]:
    """`kernel_at` for Python; `callers` keeps its code."""
    from ctypes import CFUNCTYPE, c_int64

    return CFUNCTYPE(None, c_int64, c_int64, c_int64, c_int64)(callers()[1].address)


def _fired(place: _Place, passed: dict[int, int]) -> Exit | None:
    """The first exit whose condition holds, for functions that have passed zero upward (1) or downward (-1)."""
    truths = [bool(value > 0.0) for value in place.g]
    ways = [passed.get(i, 0) for i in range(len(truths))]
    for each in place.compiled.equations.exits:
        if each.condition.holds(truths[each.first_leaf :], ways[each.first_leaf :]):
            return each
    return None
