"""From an initial state to a run: motion within structures, and passages between them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.errors import Diagnostics, SistelError, Text
from sistel.expr import series_order
from sistel.kernels import user_cache
from sistel.kernels.subset import compile_functions
from sistel.model import Structure
from sistel.simulation import _advance as a
from sistel.simulation import _contacts, _jump
from sistel.simulation import _travel as t
from sistel.simulation._conditions import AND, HOLDS, NOT, OR, RISES
from sistel.simulation._gauss import LONG
from sistel.simulation._journey import Journey
from sistel.simulation._machine import CHUNK, Machine
from sistel.simulation._run import Event, Run, RunError, Segment
from sistel.simulation._scheme import Scheme, looks_stiff
from sistel.simulation._stage import Exit
from sistel.simulation._start import initial_state

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.engine import Engine

    Array = NDArray[np.float64]

AT_ONCE = 100
"""Transitions at one instant that count as chattering."""
NEAR = 1e-12
"""Size of a watched function that counts as zero after an event [its own unit]."""


@lru_cache(maxsize=1)
def _code() -> Any:
    """The compiled integrator: one for all models."""
    return compile_functions(list(a.FUNCTIONS), exports=["advance"], cache=user_cache())


class Simulation:
    """Compiled structures of a system, and the state of one simulation."""

    def __init__(self, engine: Engine, tolerance: float, scheme: Scheme | None = None, watchful: bool = False) -> None:
        """Nothing is compiled before it is entered.

        Args:
            engine: Of the model.
            tolerance: Relative error of a step.
            scheme: An implicit method instead of Taylor's.
            watchful: Whether that method is taken only where the motion turns out to be stiff.
        """
        self.scheme, self.watchful = scheme, watchful
        self._stiff: set[str] = set()
        self.engine = engine
        self.order = max(4, series_order(tolerance))
        self.tolerance = tolerance
        self.machines: dict[str, Machine] = {}
        self._known: tuple[int, Journey] | None = None
        self._starts: dict[str, Array] = {}
        self._long: dict[str, Machine] = {}
        """Structures in series of high order, for jumps over singular postures."""
        self._contacts = _contacts.of(engine, self.order)

    def machine(self, name: str) -> Machine:
        """The equations of a structure, compiled when it is first entered."""
        if self._contacts is not None:
            return self._contacts.named(name)
        if name not in self.machines:
            structure: Structure = self.engine.model.structure(name)
            if structure.why_not:
                _fail("no-dynamics", structure.why_not[0])
            self.machines[name] = Machine(self.engine, structure, self.order)
        return self.machines[name]

    def start(self, structure: Structure) -> Array:
        """The state that the file gives, made to meet the constraints of a structure."""
        if structure.name not in self._starts:
            self._starts[structure.name] = initial_state(self.engine, structure, None, None, None)
        return self._starts[structure.name]

    def run(
        self,
        y: Array,
        structure: str,
        until: float,
        longest: float = math.inf,
        progress: Callable[[float, str], None] | None = None,
    ) -> Run:
        """Simulate from a state to a time."""
        segments: list[Segment] = []
        events: list[Event] = []
        stopped: Text | None = None
        name, y = structure, y.copy()
        moment, at_once = math.nan, 0
        self._stiff.clear()  # a run does not depend on those before it
        if self._contacts is not None:
            longest = min(longest, _contacts.LONGEST)
            name, y, events = self._contacts.enter(y, until)
        try:
            while y[-1] < until:
                machine = self.machine(name)
                scheme = None if self.watchful and name not in self._stiff else self.scheme
                if machine.travels and scheme is None:
                    name, y = self._travel(name, y, until, longest, segments, events, progress)
                    continue
                leg = _Leg(machine, y, until, self.order, longest, scheme)
                try:
                    fired = leg.entered()
                    while fired is None and y[-1] < until:
                        fired = leg.go()
                        if progress is not None:
                            progress(float(y[-1]), name)
                        going = fired is None and y[-1] < until
                        if going and scheme is None and self._turns_stiff(machine, y, leg.kept):
                            break
                finally:
                    segments += leg.segments()
                if fired is None and y[-1] < until:
                    continue  # with another method
                if fired is None:
                    break
                event, y = self._pass(machine, fired, y)
                events.append(event)
                name = event.after
                at_once = at_once + 1 if event.time == moment else 0
                moment = event.time
                if at_once > AT_ONCE:
                    _fail(
                        "chattering",
                        Text(
                            f'transitions follow each other without end at {moment:g} s, now in structure "{name}"',
                            f"переходы сменяют друг друга без конца в момент {moment:g} с, сейчас структура «{name}»",
                        ),
                        fired.transition.span,
                    )
        except KeyboardInterrupt:
            stopped = Text(f"interrupted at {y[-1]:g} s", f"прервано в момент {y[-1]:g} с")
        except SistelError as problem:
            part = Run(self.engine.model, segments, events, y, Text("failed", "отказ"))
            raise RunError(problem.diagnostics, part.kept_by(self, longest)) from None
        return Run(self.engine.model, segments, events, y, stopped)

    def _travel(
        self,
        name: str,
        y: Array,
        until: float,
        longest: float,
        segments: list[Segment],
        events: list[Event],
        progress: Callable[[float, str], None] | None,
    ) -> tuple[str, Array]:
        """Go as far as machine code goes without asking; where that ends, and in which state."""
        journey = self._journey()
        journey.begin(y, name, until, longest)
        while True:
            answer, steps, passed = journey.go()
            segments += steps
            events += passed
            name, y = journey.structure, journey.y.copy()
            if progress is not None:
                progress(float(y[-1]), name)
            if answer == t.STEPS_FULL and self._turns_stiff(self.machine(name), y, [(s.times, y) for s in steps]):
                return name, y
            if answer in (t.END, t.UNKNOWN):
                return name, y
            if answer == t.NEW_PASSAGE:
                machine, fired = journey.leaving
                event, y = self._pass(machine, fired, y)
                events.append(event)
                machine.native_passage(fired.transition)
                self._known = None
                return event.after, y
            if answer == t.NARROWING:
                self._leap(journey, segments)
            elif answer not in (t.STEPS_FULL, t.EVENTS_FULL):
                self._lost(answer, journey, y)

    def _leap(self, journey: Journey, segments: list[Segment]) -> None:
        """Jump over a singular posture, if there is one ahead and the jump is good; else the steps go on."""
        before, last = journey.numbers[t.LAST_BUT_ONE], journey.numbers[t.LAST]
        journey.numbers[[t.LAST, t.LAST_BUT_ONE]] = 0.0
        segment = segments[-1]
        if len(segment.times) < 3 or segment.structure != journey.structure:
            return
        if segment.structure not in self._long:
            self._long[segment.structure] = Machine(self.engine, self.machine(segment.structure).structure, _jump.ORDER)
        over = _jump.jump(self._long[segment.structure], segment, float(journey.y[-1]), last, before)
        if over is None or over[1][-1] >= journey.numbers[a.UNTIL]:
            return
        segments[-1] = replace(segment, times=segment.times[:-2], coefficients=segment.coefficients[:-2])
        segments.append(over[0])
        journey.y[:] = over[1]
        journey.zeros[:] = 0

    def _turns_stiff(self, machine: Machine, y: Array, kept: list[tuple[Array, Array]]) -> bool:
        """Whether a structure is to be left to the stiff method from now on; asked after many steps."""
        if not self.watchful or not kept or len(kept[-1][0]) < CHUNK // 2:
            return False
        modes = machine.modes
        p = np.zeros(max(1, machine.taylor.parameters))
        if modes.count:
            p[modes.first : modes.first + modes.count] = np.asarray(machine.first_modes(y))
        if not looks_stiff(machine, y, p, float(np.mean(kept[-1][0][-20:, 1]))):
            return False
        self._stiff.add(machine.structure.name)
        return True

    def _journey(self) -> Journey:
        """The tables of all structures that machine code can pass through by itself."""
        known = [machine for machine in self.machines.values() if machine.travels]
        if self._known is None or self._known[0] != len(known):
            names = [structure.name for structure in self.engine.model.structures]
            self._known = len(known), Journey(known, names, self.order)
        return self._known[1]

    def _lost(self, answer: int, journey: Journey, y: Array) -> None:
        """Say why there is no way on."""
        name = journey.structure
        reasons = {
            t.LOST: Text("the motion has no finite values", "движение не имеет конечных значений"),
            t.SMALL: Text("the step has become too small", "шаг стал слишком малым"),
            t.CHATTERS: Text("transitions follow each other without end", "переходы сменяют друг друга без конца"),
            t.NO_PASSAGE: Text("the passage has no solution", "переход не имеет решения"),
        }
        reason = reasons[answer]
        at_exit = answer in (t.CHATTERS, t.NO_PASSAGE)
        span = journey.leaving[1].transition.span if at_exit else self.engine.model.structure(name).span
        _fail(
            "chattering" if answer == t.CHATTERS else "no-passage" if answer == t.NO_PASSAGE else "lost",
            Text(
                f'{reason.en} at {y[-1]:.9g} s, structure "{name}"',
                f"{reason.ru} в момент {y[-1]:.9g} с, структура «{name}»",
            ),
            span,
        )

    def _pass(self, machine: Machine, fired: Exit, y: Array) -> tuple[Event, Array]:
        """Do what a transition does."""
        if self._contacts is not None:
            return self._contacts.successor(machine, fired, y)
        kernel, names = machine.passage(fired.transition)
        results: Any = kernel(y)
        after, loss = np.array(results[0]), float(results[1][0])
        impulses = results[2] if names else np.zeros(0)
        if not np.isfinite(after).all():
            _fail(
                "no-passage",
                Text(
                    f'the passage to structure "{fired.transition.target}" has no solution at {y[-1]:g} s',
                    f"переход в структуру «{fired.transition.target}» не имеет решения в момент {y[-1]:g} с",
                ),
                fired.transition.span,
            )
        event = Event(
            time=float(y[-1]),
            transition=fired.transition.name,
            before=machine.structure.name,
            after=fired.transition.target,
            energy_loss=loss,
            impulses={name: np.array(impulses[6 * i : 6 * i + 6]) for i, name in enumerate(names)},
        )
        return event, after


class _Leg:
    """One stay in a structure."""

    def __init__(
        self, machine: Machine, y: Array, until: float, order: int, longest: float, scheme: Scheme | None = None
    ) -> None:
        self.machine, self.y, self.order = machine, y, order
        taylor = machine.taylor
        room = machine.room
        self.watched = taylor.rows - taylor.size
        self.table, self.scratch, self.work = room.table, room.scratch, room.work
        self.times, self.coefficients = room.times, room.coefficients
        self.zeros = np.zeros(self.watched + 1, dtype=np.int64)
        self.counts = np.zeros(a.COUNTS, dtype=np.int64)
        self.counts[[a.SIZE, a.WATCHED, a.ORDER, a.STRIDE]] = taylor.size, self.watched, order, taylor.stride
        self.counts[a.ROOM] = CHUNK
        self.counts[a.CORRECTS] = machine.corrects
        self.numbers = np.zeros(a.NUMBERS)
        self.numbers[[a.UNTIL, a.LONGEST, a.FLOOR]] = until, longest, 1.0
        self.numbers[a.RADIUS] = math.exp(-2.0 - 0.7 / (order - 1))
        self.kept: list[tuple[Array, Array]] = []
        self.p = np.zeros(max(1, taylor.parameters))
        self.anchor = machine.anchors(y)
        self.corrected = np.zeros(taylor.size)
        self.off = np.zeros(1)
        self.arguments = np.zeros(8, dtype=np.int64)
        self.correct = taylor.address  # not called where nothing is corrected
        if machine.corrects:
            self.correct = machine.projection[1]
            blocks = (y, self.anchor, self.corrected, self.off)
            self.arguments[0::2] = [block.ctypes.data for block in blocks]
        self.steps = None
        if scheme is not None:
            correct = (self.correct, self.arguments, self.corrected) if machine.corrects else None
            self.steps = scheme.steps(machine, y, self.p, until=until, room=CHUNK, longest=longest, correct=correct)
            self.order, self.table = self.steps.order, self.steps.table
            self.zeros, self.counts = self.steps.zeros, self.steps.counts
        self._choose_modes()

    def _choose_modes(self) -> None:
        """Which side of every comparison holds from now on; where it is undecided, the motion decides."""
        modes = self.machine.modes
        if not modes.count:
            return
        self.p[modes.first : modes.first + modes.count] = np.asarray(self.machine.first_modes(self.y))
        first = self.machine.leaves
        for _ in range(2 * modes.count + 1):
            rows = self.machine.taylor(self.y, self.p[: self.machine.taylor.parameters])[1]
            changed = False
            for i, switch in enumerate(modes.switches):
                row = rows[first + i]
                if abs(row[0]) > NEAR or switch.kind not in ("less", "less_equal"):
                    continue
                self.zeros[first + i] = 1
                ahead = next((c for c in row[1:] if c != 0.0), 0.0)
                holds = float(ahead < 0.0)
                if ahead != 0.0 and self.p[modes.first + switch.mode] != holds:
                    self.p[modes.first + switch.mode] = holds
                    changed = True
                    break
            if not changed:
                return

    def entered(self) -> Exit | None:
        """The transition that leaves the structure at once, if one does."""
        if not self.machine.leaves:
            return None
        rows = self.machine.taylor(self.y, self.p[: self.machine.taylor.parameters])[1][: self.machine.leaves]
        truths = []
        for i, row in enumerate(rows):
            if abs(row[0]) <= NEAR:
                self.zeros[i] = 1
            value = row[0] if abs(row[0]) > NEAR else next((c for c in row[1:] if abs(c) > NEAR), 0.0)
            truths.append(value > 0.0)
        return self._fired(truths, set())

    def go(self) -> Exit | None:
        """Move on; the transition that fires, if one does."""
        machine = self.machine
        answer = self._explicit() if self.steps is None else self.steps.advance()
        self._keep()
        if answer == LONG:
            self._lost(Text("the step is too long for this method", "шаг слишком велик для этого метода"))
        if answer == a.LOST:
            self._lost(Text("the motion has no finite values", "движение не имеет конечных значений"))
        if answer == a.SMALL:
            self._lost(Text("the step has become too small", "шаг стал слишком малым"))
        if answer != a.EVENT:
            return None
        leaf, way = int(self.counts[a.LEAF]), int(self.counts[a.WAY])
        if leaf >= machine.leaves:
            self._switch_all(leaf - machine.leaves, way)
            return None
        return self._fired(*self._truths(leaf, way))

    def _explicit(self) -> int:
        machine, taylor = self.machine, self.machine.taylor
        self.counts[a.STEPS] = 0
        answer: int = _code().advance(
            taylor.address,
            self.correct,
            self.arguments,
            self.corrected,
            self.y,
            self.p,
            self.table,
            self.scratch,
            machine.directions,
            self.zeros,
            self.counts,
            self.numbers,
            self.times,
            self.coefficients,
            self.work,
        )
        return answer

    def _truths(self, leaf: int, way: int) -> tuple[list[bool], set[int]]:
        """Signs of all leaves just after the zero of one, and the leaves that pass zero there."""
        taylor, machine = self.machine.taylor, self.machine
        h = self.kept[-1][0][-1, 1]
        truths, instants = [], set[int]()
        for i in range(machine.leaves):
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
        for each in self.machine.stage.exits:
            stack: list[bool] = []
            for word in each.condition.word:
                if word == NOT:
                    stack.append(not stack.pop())
                elif word in (AND, OR):
                    right, left = stack.pop(), stack.pop()
                    stack.append(left and right if word == AND else left or right)
                else:
                    index, kind = each.first_leaf + word, each.condition.leaves[word].kind
                    if kind == HOLDS:
                        stack.append(truths[index])
                    else:
                        up, down = index in instants, -1 - index in instants
                        stack.append(up if kind == RISES else down if kind == RISES + 1 else up or down)
            if stack.pop():
                return each
        return None

    def _switch_all(self, number: int, way: int) -> None:
        """A comparison changes, and with it all that compare the same: sign(x) asks twice where x is."""
        first, stride = self.machine.leaves, int(self.counts[a.STRIDE])
        h = self.kept[-1][0][-1, 1]
        for i in range(len(self.machine.modes.switches)):
            row = self.table[(self.machine.taylor.size + first + i) * stride :][: self.order + 1]
            if i == number:
                self._switch(i, way)
            elif abs(_horner(row, h)) <= NEAR:
                rate = _horner(row[1:] * np.arange(1, self.order + 1), h)
                self.zeros[first + i] = 1
                self._switch(i, 1 if rate > 0.0 else -1)

    def _switch(self, number: int, way: int) -> None:
        """A comparison changes."""
        modes = self.machine.modes
        switch = modes.switches[number]
        place = modes.first + switch.mode
        if switch.kind in ("less", "less_equal"):
            self.p[place] = float(way < 0)
        elif switch.kind == "floor":
            self.p[place] += -1.0 if way < 0 else 0.0
        elif switch.kind == "floor_above":
            self.p[place] += 1.0

    def _keep(self) -> None:
        steps, size = int(self.counts[a.STEPS]), self.machine.taylor.size
        if steps and self.steps is not None:
            self.kept.append(self.steps.taken())
        elif steps:
            used = steps * size * (self.order + 1)
            coefficients = self.coefficients[:used].reshape(steps, size, self.order + 1).copy()
            self.kept.append((self.times[: 2 * steps].reshape(steps, 2).copy(), coefficients))

    def segments(self) -> list[Segment]:
        """What was recorded."""
        if not self.kept:
            return []
        times, coefficients = (np.concatenate([each[i] for each in self.kept]) for i in range(2))
        return [Segment(structure=self.machine.structure.name, times=times, coefficients=coefficients)]

    def _lost(self, reason: Text) -> None:
        name = self.machine.structure.name
        _fail(
            "lost",
            Text(
                f'{reason.en}: {self.y[-1]:.9g} s, structure "{name}"',
                f"{reason.ru}: {self.y[-1]:.9g} с, структура «{name}»",
            ),
            self.machine.structure.span,
        )


def _horner(row: Array, h: float) -> float:
    total = 0.0
    for coefficient in row[::-1]:
        total = total * h + float(coefficient)
    return total


def _fail(code: str, message: Text, span: Any = None) -> None:
    diagnostics = Diagnostics()
    diagnostics.error(code, span, message)
    raise SistelError(diagnostics.sorted())
