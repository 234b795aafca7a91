"""From an initial state to a run: motion within structures, and passages between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.automaton import Exit
from sistel.engine import LiveEngine
from sistel.errors import SistelError, Text
from sistel.expr import series_order
from sistel.mechanics import assemble
from sistel.model import MEETING, Contact, Structure
from sistel.simulation._compiled_structure import Machine
from sistel.simulation._diagnosis import why_no_dynamics
from sistel.simulation._failures import fail, lost, no_state_after, too_long, without_end
from sistel.simulation._plain import distances_at, plain_transition
from sistel.simulation._start import initial_state, note_moved_start
from sistel.simulation._tolerance import Given, read_tolerance
from sistel.simulation._turns import Turns, one_at_a_time
from sistel.simulation.contact import _contacts
from sistel.simulation.implicit._driver import Leg
from sistel.simulation.implicit._scheme import Scheme, looks_stiff
from sistel.simulation.run._bookmark import Book, Bookmark
from sistel.simulation.run._chunks import Chunk, Events
from sistel.simulation.run._run import Event, Run, RunError, Segment
from sistel.simulation.run._warnings import RunWarning, Warnings
from sistel.simulation.taylor import _singular_jump as _jump
from sistel.simulation.taylor import _steps as a
from sistel.simulation.taylor import _tables as t
from sistel.simulation.taylor._driver import Journey

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.engine import Engine
    from sistel.simulation.run._bookmark import Inside, Past

    Array = NDArray[np.float64]

AT_ONCE = 100
"""Transitions at one instant that count as chattering."""
MEMORY = 2.0**31
"""What a run may keep of itself, if nothing else is said [bytes]."""
EVENT_BYTES = 1024
"""What an event takes that Python has made."""


class Simulation:
    """Compiled structures of a system, and the state of one simulation."""

    def __init__(self, engine: Engine, tolerance: Given, scheme: Scheme | None = None, watchful: bool = False) -> None:
        """Nothing is compiled before it is entered.

        Args:
            engine: Of the model.
            tolerance: Relative error of a step, or errors of quantities by name, see `read_tolerance`.
            scheme: An implicit method instead of Taylor's.
            watchful: Whether that method is taken only where the motion turns out to be stiff.
        """
        self.scheme, self.watchful = scheme, watchful
        self._stiff: set[str] = set()
        self.engine = engine
        found = read_tolerance(engine.plain.model, tolerance)
        self.order = max(4, series_order(found.finest))
        self.tolerance, self.weights = found.given, found.weights
        self.machines: dict[str, Machine] = {}
        self._known: tuple[int, Journey] | None = None
        self._starts: dict[tuple[str, tuple[float, ...]], tuple[Array, Warnings]] = {}
        """By the name of the structure and the values of live parameters."""
        self._long: dict[str, _jump.Long] = {}
        """Structures in series of high order, for jumps over singular postures."""
        self.variations: dict[str, Any] = {}
        self.surfaces: dict[str, Any] = {}
        """Derivatives by the state, which searches for limit cycles have compiled."""
        self.warnings = Warnings()
        """What a user must know of the run under way."""
        self._contacts = _contacts.of(engine, self.order)
        self.turns = Turns(self._twin)
        """Whose turn it is: one run at a time overwrites the tables of a simulation."""

    def _twin(self) -> Simulation:
        """Another for a run at the same time, on the same compiled structures; its tables are its own."""
        made = Simulation(self.engine, self.tolerance, self.scheme, self.watchful)
        made.machines = self.machines
        return made

    def machine(self, name: str) -> Machine:
        """The equations of a structure, compiled when it is first entered."""
        if self._contacts is not None:
            return self._contacts.named(name)
        if name not in self.machines:
            structure: Structure = self.engine.model.structure(name)
            if structure.why_not:
                found = why_no_dynamics(self.engine.plain.model, structure)
                fail("no-dynamics", found.reason, found.span)
            # Of threads that come here at once, all go on with the machine of the first.
            self.machines.setdefault(name, Machine(self.engine, structure, self.order))
        return self.machines[name]

    def start(self, structure: Structure) -> tuple[Array, Sequence[RunWarning]]:
        """The state that the file gives, made to meet the constraints of a structure, and what to know of it."""
        key = structure.name, self.engine.values
        found = self._starts.get(key)
        if found is None:
            plain, noted = self.engine.plain, Warnings()
            own = plain.model.structure(structure.name)
            y = initial_state(plain, own, None, None, None)
            note_moved_start(plain.model, own, None, None, y, noted)
            found = self._starts[key] = y, noted
        return found

    @property
    def method(self) -> tuple[str, float | None]:
        """The method as `System.simulate` names it, and the length of its steps [s]."""
        if self.scheme is None:
            return "taylor", None
        if self.watchful:
            return "auto", None
        return self.scheme.kind, self.scheme.step or None

    @property
    def decides_contacts(self) -> bool:
        """Whether structures come from contacts rather than from the file."""
        return self._contacts is not None

    def follow(self, values: Sequence[float]) -> None:
        """Give live parameters other values; see `LiveEngine`. Nothing is derived or compiled again."""
        assert isinstance(self.engine, LiveEngine)
        self.engine.follow(values)
        self._starts.clear()

    @one_at_a_time
    def run(
        self,
        y: Array,
        structure: str,
        until: float,
        longest: float = math.inf,
        progress: Callable[[float, str], None] | None = None,
        keep: bool = True,
        memory: float = MEMORY,
        past: Past | None = None,
        noted: Sequence[RunWarning] = (),
    ) -> Run:
        """Simulate from a state to a time.

        Args:
            y: The state (q, v, t).
            structure: Name of the structure.
            until: When to end [s].
            longest: Longest step [s].
            progress: Called now and then with the time reached and the structure.
            keep: Whether steps are kept; without, events alone.
            memory: What may be kept [bytes].
            past: A run that goes on, in the place of the state and the structure.
            noted: What a user must know of the start.

        Raises:
            RunError: The motion cannot go on, or takes more memory; the part until then is in its `run`.
        """
        self._keep, self._memory, self._kept = keep, memory, 0
        self.warnings = Warnings(noted if past is None else past.warnings)
        if self._contacts is not None:
            self._contacts.warnings = self.warnings
        segments: list[Segment | Chunk] = []
        events = Events()
        stopped: Text | None = None
        name, y = structure, y.copy()
        self._stiff.clear()  # a run does not depend on those before it
        self._moment, self._at_once, self._walked = math.nan, 0, 0
        self._left = "", math.nan
        self._marks, self._marked, self._inside = list[Bookmark](), (0, 0), None
        self._marking = self._contacts is None  # what contacts know of their past is not in a bookmark
        if past is not None:
            segments, events = [*past.segments], Events(past.events)
            self._marks, self._marked = [*past.marks], (len(segments), past.mark.steps)
            name, y, self._inside, self._walked = (
                past.mark.structure,
                past.mark.y.copy(),
                past.mark.inside,
                past.mark.walked,
            )
            self._moment, self._at_once = past.mark.moment, past.mark.at_once
            self._stiff.update(past.mark.stiff)
        book = Book(self._marks, keep)
        self._first = y.copy()
        if self._contacts is not None:
            longest = min(longest, _contacts.LONGEST)
        try:
            if self._contacts is not None:
                name, y, first = self._contacts.enter(y, until, structure)
                events = Events(first)
                self._begin_slips(segments)
            while y[-1] < until:
                if self.scheme is None or (self.watchful and name not in self._stiff):
                    name, y = self._travel(name, y, until, longest, segments, events, progress)
                else:
                    name, y = self._stay(name, y, until, longest, segments, events, progress)
        except KeyboardInterrupt:
            stopped = Text(f"interrupted at {y[-1]:g} s", f"прервано в момент {y[-1]:g} с")
        except SistelError as problem:
            failed = Text("failed", "отказ")
            part = Run(self.engine.plain.model, segments, events, y, failed, book=book, warnings=self.warnings)
            raise RunError(problem.diagnostics, part.kept_by(self, longest)) from None
        return Run(self.engine.plain.model, segments, events, y, stopped, book=book, warnings=self.warnings)

    def _mark(
        self,
        name: str,
        y: Array,
        inside: Inside | None,
        segments: Sequence[Segment | Chunk],
        events: Events,
        more: int = 0,
    ) -> None:
        """Keep where the run is: from here it can go on. There may be more steps than those of the segments."""
        pieces, steps = self._marked
        steps += sum(len(piece.times) for piece in segments[pieces:])
        self._marked = len(segments), steps
        mark = Bookmark(
            structure=name,
            y=y.copy(),
            steps=steps + more,
            events=len(events),
            walked=self._walked,
            stiff=tuple(sorted(self._stiff)),
            moment=self._moment,
            at_once=self._at_once,
            inside=inside,
        )
        self._marks.append(mark)
        self._kept += mark.nbytes

    def _travel(
        self,
        name: str,
        y: Array,
        until: float,
        longest: float,
        segments: list[Segment | Chunk],
        events: Events,
        progress: Callable[[float, str], None] | None,
    ) -> tuple[str, Array]:
        """Go as far as machine code goes without asking; where that ends, and in which state."""
        journey = self._journey(self.machine(name))
        if self.engine.hoisted is not None:
            journey.set_live(self.engine.hoisted)
        journey.begin(y, name, until, longest)
        if self._inside is not None:
            journey.go_back(self._inside)
            self._inside = None
        journey.counts[t.RECORD] = self._keep
        journey.counts[t.RETURNED] = self._left == (name, float(y[-1]))
        while True:
            if self._marking:
                self._mark(journey.structure, journey.y, journey.inside(), segments, events)
            journey.grow_sharp()
            answer, chunk = journey.go(self._walked)
            self._walked += int(journey.counts[t.STEPS])
            if len(chunk.times):
                segments.append(chunk)
            events.add(chunk)
            name, y = journey.structure, journey.y.copy()
            self._count(chunk.nbytes, y, name, segments, events)
            if self._contacts is not None:
                self._contacts.guard(y)
            if progress is not None:
                progress(float(y[-1]), name)
            length = min(float(journey.numbers[t.LAST]), longest)
            if answer == t.STEPS_FULL and self._turns_stiff(self.machine(name), y, length):
                return name, y
            if answer in (t.END, t.UNKNOWN):
                return name, y
            if answer == t.NEW_PASSAGE or (answer == t.NO_PASSAGE and self._contacts is not None):
                machine, fired = journey.leaving
                name, y = self._pass(machine, fired, y, segments, events)
                self._left = machine.structure.name, float(y[-1])
                if self._contacts is None and machine.native_passage(fired.transition) is not None:
                    self._known = None
                return name, y
            if answer == t.NARROWING:
                self._leap(journey, segments)
            elif answer in (t.LOST, t.SMALL) and self._contacts is not None:
                stopped = self._contacts.slowest_slip(self.machine(name), y)
                if stopped is None:
                    lost(self.machine(name), answer, journey, y, self._first)
                return self._pass(self.machine(name), stopped, y, segments, events)
            elif answer not in (t.STEPS_FULL, t.EVENTS_FULL):
                lost(self.machine(name), answer, journey, y, self._first)

    def _leap(self, journey: Journey, segments: list[Segment | Chunk]) -> None:
        """Jump over a singular posture, if there is one ahead and the jump is good; else the steps go on."""
        before, last = journey.numbers[t.LAST_BUT_ONE], journey.numbers[t.LAST]
        journey.numbers[[t.LAST, t.LAST_BUT_ONE]] = 0.0
        if not self._keep:
            return
        if isinstance(segments[-1], Chunk):
            segments[-1:] = segments[-1].segments()
        segment = segments[-1]
        assert isinstance(segment, Segment)
        if len(segment.times) < 3 or segment.structure != journey.structure or self._contacts is not None:
            return
        if segment.structure not in self._long:
            structure = self.machine(segment.structure).structure
            self._long[segment.structure] = _jump.Long(self.engine, structure, _jump.ORDER)
        over = _jump.jump(self._long[segment.structure], segment, float(journey.y[-1]), last, before)
        if over is None and last < _jump.COLLAPSED * float(np.median(segment.times[:, 1])):
            lost(self.machine(journey.structure), t.SMALL, journey, journey.y, self._first)
        if over is None or over[1][-1] >= journey.numbers[a.UNTIL]:
            self._marking = self._marking and over is None  # a longer run would jump
            return
        kept = len(segment.times) - over[2]
        segments[-1] = replace(segment, times=segment.times[:kept], coefficients=segment.coefficients[:kept])
        segments.append(over[0])
        journey.y[:] = over[1]
        journey.zeros[:] = 0

    def _stay(
        self,
        name: str,
        y: Array,
        until: float,
        longest: float,
        segments: list[Segment | Chunk],
        events: Events,
        progress: Callable[[float, str], None] | None,
    ) -> tuple[str, Array]:
        """Stay in a structure with an implicit method; where that ends, and in which state."""
        assert self.scheme is not None
        machine = self.machine(name)
        leg = Leg(machine, y, until, longest, self.scheme, self.weights)
        try:
            fired = None
            again = self._inside is not None
            if self._inside is not None:
                leg.go_back(self._inside)
                self._inside = None
            else:
                if self._marking:
                    self._mark(name, y, None, segments, events)
                fired = leg.entered()
            while fired is None and y[-1] < until:
                if self._marking and (leg.walked or again):
                    self._mark(name, y, leg.inside(), segments, events, leg.walked if self._keep else 0)
                fired = leg.go()
                if self._contacts is not None:
                    self._contacts.guard(y)
                self._marking = self._marking and not leg.cut
                self._count(leg.forget() if not self._keep else leg.nbytes, y, name, segments, events)
                if progress is not None:
                    progress(float(y[-1]), name)
        finally:
            segments += leg.segments()
        if fired is None:
            return name, y
        return self._pass(machine, fired, y, segments, events)

    def _count(self, more: int, y: Array, name: str, segments: Sequence[Segment | Chunk], events: Events) -> None:
        """Count what is kept, and end the run where that is too much."""
        self._kept += more
        if self._kept <= self._memory:
            return
        too_long(self._memory, sum(len(piece.times) for piece in segments), len(events), float(y[-1]), name)

    def _turns_stiff(self, machine: Machine, y: Array, length: float) -> bool:
        """Whether a structure is to be left to the stiff method from now on; asked after many steps of some length."""
        if not self.watchful:
            return False
        if not looks_stiff(machine, y, machine.parameters(y), length):
            return False
        self._stiff.add(machine.structure.name)
        return True

    def _journey(self, machine: Machine) -> Journey:
        """The tables of all structures that machine code can pass through by itself, this one among them."""
        if self._contacts is not None:
            # What follows is decided by a complementarity problem: every stay is a journey.
            journey = self._contacts.journey(machine)
            journey.weigh(self.weights)
            return journey
        known = list(self.machines.values())
        if self._known is None or self._known[0] != len(known):
            names = [structure.name for structure in self.engine.model.structures]
            room = None if self._known is None else self._known[1].room
            self._known = len(known), Journey(known, names, self.order, self.weights, room)
        return self._known[1]

    def _begin_slips(self, segments: list[Segment | Chunk]) -> None:
        """Keep the first moments of slips in space, which contacts have taken by themselves."""
        assert self._contacts is not None
        begun = self._contacts.begun
        if self._keep:
            segments += begun
            self._kept += sum(piece.coefficients.nbytes for piece in begun)
        begun.clear()

    def _pass(
        self, machine: Machine, fired: Exit, y: Array, segments: list[Segment | Chunk], events: Events
    ) -> tuple[str, Array]:
        """Do what a transition does; the structure and the state after it."""
        event, y = self.passed(machine, fired, y)
        if self._contacts is not None:
            self._begin_slips(segments)
        if event.transition:  # contacts may look anew at what they do and go on with it
            events.append(event)
        self._kept += EVENT_BYTES
        self._at_once = self._at_once + 1 if event.time == self._moment else 0
        self._moment = event.time
        if self._at_once > AT_ONCE:
            without_end(event, fired)
        return event.after, y

    def passed(self, machine: Machine, fired: Exit, y: Array, late: bool = False) -> tuple[Event, Array]:
        """What a transition makes of a state: the event, and the state after it.

        Args:
            machine: The structure that is left.
            fired: The transition.
            y: The state.
            late: Whether it is noticed after its time, so that links that begin to hold need not meet.
        """
        if self._contacts is not None:
            return self._contacts.successor(machine, fired, y)
        results, names = machine.passed(fired.transition, y)
        after, loss = np.array(results[0]), float(results[1][0])
        impulses = results[2] if names else np.zeros(0)
        loss = 0.0 if late and math.isnan(loss) else loss
        if not (np.isfinite(after).all() and math.isfinite(loss)):
            no_state_after(machine, fired, y)
        if fired.transition.within:
            after = self._pulled(machine, fired, y, after)
        event = Event(
            time=float(y[-1]),
            transition=fired.transition.name,
            before=machine.structure.name,
            after=fired.transition.target,
            energy_loss=loss,
            impulses={name: np.array(impulses[6 * i : 6 * i + 6]) for i, name in enumerate(names)},
        )
        return event, after

    def _pulled(self, machine: Machine, fired: Exit, y: Array, after: Array) -> Array:
        """The state in which links that begin to hold a little apart have met; a warning tells of every such link."""
        transition, model = plain_transition(machine.engine, fired.transition), machine.engine.plain.model
        lifted = False
        for found in distances_at(machine.engine, fired.transition, machine.structure, y.tolist()):
            if float(found.square) <= MEETING[found.turns] ** 2:  # type: ignore[arg-type]
                continue
            lifted |= isinstance(found.link, Contact)
            size = found.text()
            self.warnings.add(
                "pulled-together",
                float(y[-1]),
                Text(
                    f'"{found.link.name}" begins to hold {size.en} apart and is pulled together',
                    f"«{found.link.name}» начинает держать при расхождении {size.ru} и стягивается",
                ),
                transition.span,
                same=found.link.name,
            )
        if lifted:
            # Closures and couplings meet when the structure is entered; a point that sticks would stick where it is.
            target = model.structure(transition.target)
            contacts = tuple(contact.name for contact in model.contacts if contact.name in target.holds)
            sliding = replace(target, slides=contacts)
            found_q = assemble(model, sliding, after[: model.nq].tolist(), tree=machine.engine.plain.tree)
            if not found_q.success:
                no_state_after(machine, fired, y)
            after[: model.nq] = found_q.q
        return after


def simulation_of(engine: Engine, tolerance: Given, method: str = "auto", step: float | None = None) -> Simulation:
    """What simulates a system with a method, named as for `System.simulate`."""
    scheme = None
    if method != "taylor":
        finest = read_tolerance(engine.plain.model, tolerance).finest
        scheme = Scheme("gauss" if method == "gauss" else "radau", tolerance=finest, step=step or 0.0)
    return Simulation(engine, tolerance, scheme, method == "auto")
