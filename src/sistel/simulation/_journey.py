"""Tables for journeys through structures in machine code, and what comes back from them."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.kernels import user_cache
from sistel.kernels._machine import Code, assemble
from sistel.kernels.subset import compile_functions
from sistel.simulation import _advance as a
from sistel.simulation import _travel as t
from sistel.simulation._machine import Machine
from sistel.simulation._run import Event, Segment
from sistel.simulation._stage import Exit

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Whole = NDArray[np.int64]

STEPS = 1024
EVENTS = 256
_DIRECTIONS = {0: 0, 1: 1, 2: -1, 3: 0}

_TRAMPOLINES = """
define void @flow_at(i64 %f, ptr %y, ptr %p, ptr %t, ptr %s) {
  %g = inttoptr i64 %f to ptr
  call void %g(ptr %y, ptr %p, ptr %t, ptr %s)
  ret void
}
define void @kernel_at(i64 %f, i64 %b, i64 %e, i64 %a) {
  %g = inttoptr i64 %f to ptr
  %h = inttoptr i64 %a to ptr
  call void %g(i64 %b, i64 %e, ptr %h)
  ret void
}
"""


@lru_cache(maxsize=1)
def _code() -> Any:
    """The compiled traveller: one for all models; with the two functions that call others by address."""
    travel = compile_functions(list(t.FUNCTIONS), exports=["travel"], cache=user_cache())
    helpers = Code(assemble(_TRAMPOLINES))
    return travel, helpers, helpers.address("flow_at"), helpers.address("kernel_at")


class Journey:
    """Compiled structures that lead to each other, as tables."""

    def __init__(self, machines: list[Machine], names: list[str], order: int) -> None:
        """Make the tables.

        Args:
            machines: The structures that can be travelled: compiled, and without comparisons in their equations.
            names: All structures of the system: their places are their numbers.
            order: Of the Taylor series.
        """
        self.names, self.order = names, order
        size = machines[0].taylor.size
        self.size, self.stride = size, machines[0].taylor.stride
        self.exits = [(machine, each) for machine in machines for each in machine.stage.exits]
        self.plans = np.zeros((len(names), t.PLAN), dtype=np.int64)
        self.exit_rows = np.zeros((max(1, len(self.exits)), t.EXIT), dtype=np.int64)
        self.y = np.zeros(size)
        self._alive: list[Any] = []
        words: list[int] = []
        kinds: list[int] = []
        widest = 0
        # Where every kernel puts its results.
        places: list[int] = []
        total = 1
        for machine in machines:
            places.append(total)
            total += (
                size
                + 1
                + len(
                    machine.anchors(
                        np.array([*machine.engine.model.start.q, *[0.0] * (size - machine.engine.model.nq)])
                    )
                )
            )
        passages: list[tuple[tuple[object, int], tuple[str, ...], int]] = []
        for machine, each in self.exits:
            known = machine.known_passage(each.transition)
            if known is None:
                passages.append(((None, 0), (), 0))
                continue
            kernel, links = known
            passages.append((kernel, links, total))
            total += size + 1 + 6 * len(links)
            widest = max(widest, 6 * len(links))
        self.results = np.zeros(total)
        base, state = self.results.ctypes.data, self.y.ctypes.data
        number = 0
        for machine, place in zip(machines, places, strict=True):
            row = self.plans[names.index(machine.structure.name)]
            leaves = [leaf for each in machine.stage.exits for leaf in each.condition.leaves]
            row[t.FLOW], row[t.WATCHED] = machine.taylor.address, len(leaves)
            row[t.FIRST_EXIT], row[t.EXITS] = number, len(machine.stage.exits)
            row[t.FIRST_LEAF] = len(kinds)
            anchor = place + size + 1
            if machine.corrects:
                row[t.CORRECT] = machine.projection[1]
                row[t.CORRECT_ARGUMENTS] = self._arguments(
                    state, base + 8 * anchor, base + 8 * place, base + 8 * (place + size)
                )
                row[t.CORRECTED] = place
            if machine.native_anchors is not None:
                row[t.ANCHOR] = machine.native_anchors[1]
                row[t.ANCHOR_ARGUMENTS] = self._arguments(state, base + 8 * anchor)
            shift = 0
            for each in machine.stage.exits:
                kernel, links, result = passages[number]
                entry = self.exit_rows[number]
                entry[t.WORD], entry[t.WORD_LENGTH] = len(words), len(each.condition.word)
                entry[t.PASSAGE] = kernel[1]
                blocks = [base + 8 * result, base + 8 * (result + size)]
                blocks += [base + 8 * (result + size + 1)] if links else []
                entry[t.PASSAGE_ARGUMENTS] = self._arguments(state, *blocks)
                entry[t.RESULT], entry[t.IMPULSES] = result, 6 * len(links)
                entry[t.TARGET], entry[t.LEAF_SHIFT] = names.index(each.transition.target), shift
                words += each.condition.word
                shift += len(each.condition.leaves)
                number += 1
            kinds += [leaf.kind for leaf in leaves]
        self.links = [links for _, links, _ in passages]
        self.words = np.array([*words, 0], dtype=np.int64)
        self.kinds = np.array([*kinds, 0], dtype=np.int64)
        self.directions = np.array([*(_DIRECTIONS[kind] for kind in kinds), 0], dtype=np.int64)
        most = max(1, int(self.plans[:, t.WATCHED].max()))
        self.log_width = 2 + widest
        self.table = np.zeros(max(machine.taylor.rows for machine in machines) * self.stride)
        self.scratch = np.zeros(max(1, *(machine.taylor.scratch_size for machine in machines)))
        self.times, self.which = np.zeros(2 * STEPS), np.zeros(STEPS, dtype=np.int64)
        self.coefficients = np.zeros(STEPS * size * (order + 1))
        self.log, self.marks = np.zeros(EVENTS * self.log_width), np.zeros(2 * EVENTS, dtype=np.int64)
        self.zeros, self.signs = np.zeros(most, dtype=np.int64), np.zeros(4 * most + 8, dtype=np.int64)
        self.work = np.zeros(order + 2 + 53 * (order + 4))
        self.counts = np.zeros(t.COUNTS, dtype=np.int64)
        self.counts[[t.SIZE, t.ORDER, t.STRIDE, t.ROOM, t.EVENT_ROOM]] = size, order, self.stride, STEPS, EVENTS
        self.counts[[t.LOG, t.MOST_LEAVES, t.RECORD]] = self.log_width, most, 1
        self.numbers = np.zeros(t.NUMBERS)
        self.numbers[[a.FLOOR, a.RADIUS]] = 1.0, math.exp(-2.0 - 0.7 / (order - 1))

    def _arguments(self, *addresses: int) -> int:
        table = np.zeros(2 * len(addresses), dtype=np.int64)
        table[::2] = addresses
        self._alive.append(table)
        return int(table.ctypes.data)

    def begin(self, y: Array, name: str, until: float, longest: float) -> None:
        """Stand at the beginning of a stay in a structure."""
        self.y[:] = y
        self.counts[[t.STRUCTURE, t.ENTERING, t.AT_ONCE]] = self.names.index(name), 1, 0
        self.numbers[[a.UNTIL, a.LONGEST]] = until, longest
        self.numbers[[t.LAST, t.LAST_BUT_ONE]] = 0.0

    def go(self) -> tuple[int, list[Segment], list[Event]]:
        """Travel until something has to be decided; the reason, and what happened on the way."""
        travel, _, flow_at, kernel_at = _code()
        self.counts[[t.STEPS, t.EVENTS]] = 0
        answer = travel.travel(
            flow_at,
            kernel_at,
            self.plans.ravel(),
            self.exit_rows.ravel(),
            self.words,
            self.kinds,
            self.directions,
            self.counts,
            self.numbers,
            self.y,
            self.table,
            self.scratch,
            self.results,
            self.times,
            self.coefficients,
            self.which,
            self.log,
            self.marks,
            self.zeros,
            self.signs,
            self.work,
        )
        events = int(self.counts[t.EVENTS])
        return int(answer), self._segments(events), [self._event(i) for i in range(events)]

    @property
    def structure(self) -> str:
        """Where the journey is."""
        return self.names[int(self.counts[t.STRUCTURE])]

    @property
    def leaving(self) -> tuple[Machine, Exit]:
        """The exit that is being taken."""
        return self.exits[int(self.counts[t.LEAVING])]

    def _segments(self, events: int) -> list[Segment]:
        steps = int(self.counts[t.STEPS])
        if not steps:
            return []
        times = self.times[: 2 * steps].reshape(steps, 2).copy()
        used = steps * self.size * (self.order + 1)
        coefficients = self.coefficients[:used].reshape(steps, self.size, self.order + 1).copy()
        cuts = sorted({0, steps, *(int(mark) for mark in self.marks[1 : 2 * events : 2])})
        return [
            Segment(structure=self.names[int(self.which[i])], times=times[i:j], coefficients=coefficients[i:j])
            for i, j in pairwise(cuts)
        ]

    def _event(self, index: int) -> Event:
        number = int(self.marks[2 * index])
        note = self.log[index * self.log_width : (index + 1) * self.log_width].copy()
        machine, each = self.exits[number]
        return Event(
            time=float(note[0]),
            transition=each.transition.name,
            before=machine.structure.name,
            after=each.transition.target,
            energy_loss=float(note[1]),
            impulses={name: note[2 + 6 * i : 8 + 6 * i] for i, name in enumerate(self.links[number])},
        )
