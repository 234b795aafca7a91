"""One run under way: where it is, what it has kept, and how it goes on from structure to structure."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.errors import SistelError, Text
from sistel.records import entry
from sistel.simulation._failures import fail_outcome, too_long, without_end
from sistel.simulation._inputs import Change, input_places, overdue
from sistel.simulation._outcome import Outcome
from sistel.simulation.contact import _contacts
from sistel.simulation.contact._driver import ContactDriver
from sistel.simulation.implicit._driver import ImplicitDriver, Instant
from sistel.simulation.implicit._scheme import looks_stiff
from sistel.simulation.run._bookmark import Book, Bookmark
from sistel.simulation.run._chunks import Chunk, Events
from sistel.simulation.run._run import Event, Run, RunError, Segment
from sistel.simulation.run._warnings import Warnings
from sistel.simulation.taylor import _singular_jump as _jump
from sistel.simulation.taylor import steps as a
from sistel.simulation.taylor import tables as t

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.automaton import Exit
    from sistel.simulation._asked_law import AskedLaw
    from sistel.simulation._compiled_structure import CompiledStructure
    from sistel.simulation._simulate import Simulation
    from sistel.simulation.implicit._scheme import Scheme
    from sistel.simulation.run._bookmark import Inside, Past
    from sistel.simulation.run._warnings import RunWarning
    from sistel.simulation.taylor._driver import TaylorDriver

AT_ONCE = 100
"""Transitions at one instant that count as chattering."""
EVENT_BYTES = 1024
"""What an event takes that Python has made."""


@entry
class Order:
    """What is asked of a run."""

    until: float
    """When to end [s]."""
    longest: float
    """Longest step [s]."""
    progress: Callable[[float, str], None] | None
    """Called now and then with the time reached and the structure."""
    keep: bool
    """Whether steps are kept; without, events alone."""
    memory: float
    """What may be kept [bytes]."""
    law: AskedLaw | None = None
    """The program that is asked at ticks."""
    changes: Sequence[Change] = ()
    """Instants at which inputs of schemes take other values, in order."""


class Course:
    """A run under way. It is made for one run, and whatever changes in the course of that is here."""

    __slots__ = (
        "asked",
        "at_once",
        "before",
        "calm",
        "contacts",
        "driver",
        "events",
        "first",
        "inside",
        "jumped",
        "kept",
        "left",
        "longest",
        "marked",
        "marking",
        "marks",
        "moment",
        "name",
        "order",
        "segments",
        "simulation",
        "stiff",
        "waiting",
        "walked",
        "warnings",
        "y",
    )

    def __init__(
        self,
        simulation: Simulation,
        order: Order,
        y: Array,
        structure: str,
        past: Past | None,
        noted: Sequence[RunWarning],
    ) -> None:
        """At a state in a structure, or where another run ended."""
        self.simulation, self.order = simulation, order
        self.contacts = simulation.contacts
        self.name, self.y = structure, y.copy()
        self.longest = order.longest if self.contacts is None else min(order.longest, _contacts.LONGEST)
        self.segments: list[Segment | Chunk] = []
        self.events = Events()
        self.warnings = Warnings(noted if past is None else past.warnings)
        """What a user must know of it."""
        self.stiff: set[str] = set()
        """Structures that turned out to be stiff."""
        self.calm = False
        """Whether nothing has happened for a while in the structure of contacts that it is in."""
        self.waiting: Exit | None = None
        """What ended a calm stay: machine code may decide what follows."""
        self.kept = 0
        """What it takes so far [bytes]."""
        self.moment, self.at_once = math.nan, 0
        """Time of the last event [s], and how many there were at that instant."""
        self.walked = 0
        """Steps of machine code."""
        self.left = "", math.nan
        """The structure that was left last, and when [s]."""
        self.marks: list[Bookmark] = []
        self.marked = 0, 0
        """Pieces and steps before the last bookmark."""
        self.marking = self.contacts is None  # what contacts know of their past is not in a bookmark
        self.inside: Inside | None = None
        """What a run that goes on knows of the structure that it begins in."""
        self.jumped = False
        """Whether an input has just changed: what jumps over zero with it passes zero."""
        self.before: Instant | None = None
        """What was known at the tick that has just ended a stay by stages."""
        self.driver: TaylorDriver | None = None
        """What went by series last."""
        self.asked: tuple[CompiledStructure, Exit] | None = None
        """The structure and the tick at which a program is being asked, where steps do not go by series."""
        if past is not None:
            mark = past.mark
            self.segments, self.events = [*past.segments], Events(past.events)
            self.marks, self.marked = [*past.marks], (len(past.segments), mark.steps)
            self.name, self.y, self.inside, self.walked = mark.structure, mark.y.copy(), mark.inside, mark.walked
            self.moment, self.at_once = mark.moment, mark.at_once
            self.stiff.update(mark.stiff)
        self.first = self.y.copy()

    def run(self) -> Run:
        """Go to the end.

        Raises:
            RunError: The motion cannot go on, or takes more memory; the part until then is in its `run`.
        """
        simulation, order = self.simulation, self.order
        stopped: Text | None = None
        book = Book(self.marks, order.keep)
        changes = list(order.changes)
        try:
            self._give(changes, silent=True)
            self.enter()
            while self._goes_on(order.until):
                until = min(order.until, changes[0].time) if changes else order.until
                self.order = order if until == order.until else replace(order, until=until)
                while self._goes_on(until):
                    self.go_on()
                if until < order.until:
                    self._settle()
                    self._give(changes)
        except KeyboardInterrupt:
            stopped = Text(f"interrupted at {self.y[-1]:g} s", f"прервано в момент {self.y[-1]:g} с")
        except SistelError as problem:
            part = self._so_far(book, Text("failed", "отказ"))
            raise RunError(problem.diagnostics, part.kept_by(simulation, self.longest)) from None
        return self._so_far(book, stopped)

    def enter(self) -> None:
        """Begin: contacts decide what they do."""
        if self.contacts is not None:
            self.contacts.warnings = self.warnings
            self.name, self.y, first = self.contacts.enter(self.y, self.order.until, self.name)
            self.events = Events(first)
            self._begin_slips()

    def go_on(self) -> None:
        """Stay in the structure, or go through several, as far as one method goes by itself."""
        scheme = self._scheme()
        if scheme is None:
            self.name, self.y = self._propagate(self.name, self.y)
        else:
            self.name, self.y = self._stay(self.name, self.y, scheme)

    def _goes_on(self, until: float) -> bool:
        """Whether there is something to do before a time; a run that goes on may stand inside an exit at it."""
        return self.y[-1] < until or (self.inside is not None and "leaving" in self.inside)

    def _settle(self) -> None:
        """Let ticks happen that are due now and that rounding has left for later: they read inputs before a change."""
        model = self.simulation.engine.model
        while late := overdue(model, self.y):
            compiled = self.simulation.compiled(self.name)
            ticks = [each for each in compiled.equations.exits if each.transition.name in late]
            self.name, self.y = self._pass(compiled, ticks[0], self.y)

    def _give(self, changes: list[Change], *, silent: bool = False) -> None:
        """Give inputs the values that are due, and take these off the list.

        Args:
            changes: Those to come.
            silent: Whether they belong to the beginning, and are no events.
        """
        places = input_places(self.simulation.engine.model) if changes else {}
        y, happened = self.y.copy(), False
        while changes and changes[0].time <= self.y[-1]:
            change = changes.pop(0)
            if y[places[change.name]] == change.value:
                continue
            y[places[change.name]] = change.value
            happened = True
            if not silent:
                event = Event(
                    time=float(y[-1]),
                    transition=change.event,
                    before=self.name,
                    after=self.name,
                    energy_loss=0.0,
                    impulses={},
                )
                self.events.append(event)
                self.kept += EVENT_BYTES
        if not happened or silent:
            self.y = y
            return
        if self.contacts is not None:
            # Forces may have jumped: contacts decide anew.
            self.name, self.y, first = self.contacts.enter(y, self.order.until, self.name)
            for event in first:
                self.events.append(event)
            self._begin_slips()
            return
        self.y, self.jumped = y, True

    def _scheme(self) -> Scheme | None:
        """The method for the structure that it is in; None for Taylor's."""
        simulation = self.simulation
        if simulation.scheme is not None and (not simulation.watchful or self._is_stiff()):
            return simulation.scheme
        if self.calm:
            return simulation.scheme
        if simulation.explicit is not None and simulation.goes_explicitly(simulation.compiled(self.name)):
            return simulation.explicit
        return None

    def _is_stiff(self) -> bool:
        """Whether the structure is for implicit steps; hops that these would not see are taken by series first."""
        if self.name not in self.stiff:
            return False
        return self.contacts is None or not self.contacts.hops(self.simulation.compiled(self.name), self.y)

    def _so_far(self, book: Book, stopped: Text | None) -> Run:
        model = self.simulation.engine.plain.model
        return Run(model, self.segments, self.events, self.y, stopped, book=book, warnings=self.warnings)

    def _mark(self, name: str, y: Array, inside: Inside | None, more: int = 0) -> None:
        """Keep where the run is: from here it can go on. There may be more steps than those of the segments."""
        pieces, steps = self.marked
        steps += sum(len(piece.times) for piece in self.segments[pieces:])
        self.marked = len(self.segments), steps
        mark = Bookmark(
            structure=name,
            y=y.copy(),
            steps=steps + more,
            events=len(self.events),
            walked=self.walked,
            stiff=tuple(sorted(self.stiff)) if self.stiff else (),
            moment=self.moment,
            at_once=self.at_once,
            inside=inside,
        )
        self.marks.append(mark)
        self.kept += mark.nbytes

    def _propagate(self, name: str, y: Array) -> tuple[str, Array]:
        """Go by Taylor steps as far as compiled code goes by itself; the structure where that ends, and the state."""
        driver = self.simulation.taylor_driver(self.simulation.compiled(name))
        self._ready(driver, name, y)
        jumped, self.jumped = self.jumped, False
        driver.counts[t.TICKED] = jumped
        if self.inside is not None:
            driver.go_back(self.inside)
            self.inside = None
        driver.counts[t.RECORD] = self.order.keep
        if isinstance(driver, ContactDriver):
            driver.counts[t.PATIENCE] = self.simulation.patience(self.simulation.compiled(name))
            if self.waiting is not None:
                driver.wait_for(self.waiting)
                self.waiting = None
        driver.counts[t.RETURNED] = self.left == (name, float(y[-1]))
        self.driver = driver
        return self.travel(driver, jumped)

    def _ready(self, driver: TaylorDriver, name: str, y: Array) -> None:
        """Let a driver stand at the beginning of a stay in a structure."""
        if self.simulation.engine.hoisted is not None:
            driver.set_live(self.simulation.engine.hoisted)
        driver.begin(y, name, self.order.until, self.longest)

    def travel(self, driver: TaylorDriver, jumped: bool = False) -> tuple[str, Array]:
        """Go on with a driver as far as it goes; the structure where that ends, and the state."""
        while True:
            if self.marking and not (jumped and driver.counts[t.ENTERING]):
                self._mark(driver.structure, driver.y, driver.inside())
            driver.optimise()
            if isinstance(driver, ContactDriver):
                driver.prepare((self.moment, self.at_once), passes=not self.stiff)
            outcome, chunk = driver.go(self.walked)
            found = self.arrive(driver, outcome, chunk)
            if found is not None:
                return found

    def arrive(self, driver: TaylorDriver, outcome: Outcome, chunk: Chunk) -> tuple[str, Array] | None:
        """Take what machine code has done; the structure and the state to go on with, None where the driver goes on."""
        if isinstance(driver, ContactDriver):
            self.moment, self.at_once = driver.instant
        self.walked += int(driver.counts[t.STEPS])
        if len(chunk.times):
            self.segments.append(chunk)
        self.events.add(chunk)
        name, y = driver.structure, driver.y.copy()
        self._count(chunk.nbytes, y, name)
        if self.contacts is not None:
            self.contacts.guard(y)
        if self.order.progress is not None:
            self.order.progress(float(y[-1]), name)
        return self._react(driver, outcome, name, y)

    def _react(self, driver: TaylorDriver, outcome: Outcome, name: str, y: Array) -> tuple[str, Array] | None:
        """Do what the end of the loop asks for; the structure and the state to go on with, None where it goes on."""
        if outcome in (Outcome.END, Outcome.UNKNOWN):
            return name, y
        if outcome is Outcome.EVENTS_FULL:
            return None
        if outcome is Outcome.ASKED:
            assert self.order.law is not None
            self.name, self.y = name, y
            driver.tell(self.order.law.told(y, self.simulation.compiled(name).structure))
            return None
        if outcome is Outcome.STEPS_FULL:
            length = min(float(driver.numbers[t.LAST]), self.longest)
            return (name, y) if self._turns_stiff(self.simulation.compiled(name), y, length) else None
        if outcome is Outcome.CALM:
            assert self.contacts is not None
            self.calm = self.contacts.rests(self.simulation.compiled(name), y)
            driver.counts[t.STAYED] = -(2**40)  # where it does not rest, series go on to the next structure
            return (name, y) if self.calm else None
        if outcome is Outcome.NARROWING:
            self._leap(driver)
            return None
        if outcome is Outcome.NEW_PASSAGE or (outcome is Outcome.NO_PASSAGE and self.contacts is not None):
            compiled, fired = driver.leaving
            if self.contacts is None and fired.transition.tick and compiled.native_passage(fired.transition):
                # Machine code alone knows what jumps with a tick: that of a driver that knows this one.
                self.inside, self.simulation.known = driver.await_exit(), None
                return name, y
            name, y = self._pass(compiled, fired, y)
            self.left = "" if fired.transition.tick else compiled.structure.name, float(y[-1])
            if self.contacts is None and compiled.native_passage(fired.transition) is not None:
                self.simulation.known = None
            return name, y
        stopped = None
        if outcome in (Outcome.LOST, Outcome.SMALL) and self.contacts is not None:
            stopped = self.contacts.slowest_slip(self.simulation.compiled(name), y)
        if stopped is None:
            self._fail(driver, outcome, y)
        return self._pass(self.simulation.compiled(name), stopped, y)

    def _fail(self, driver: TaylorDriver, outcome: Outcome, y: Array) -> NoReturn:
        transition = driver.leaving[1].transition if driver.exits else None
        fail_outcome(self.simulation.compiled(driver.structure), outcome, y, self.first, transition)

    def _leap(self, driver: TaylorDriver) -> None:
        """Jump over a singular posture, if there is one ahead and the jump is good; else the steps go on."""
        before, last = driver.numbers[t.LAST_BUT_ONE], driver.numbers[t.LAST]
        driver.numbers[[t.LAST, t.LAST_BUT_ONE]] = 0.0
        if not self.order.keep:
            return
        if isinstance(self.segments[-1], Chunk):
            self.segments[-1:] = self.segments[-1].segments()
        segment = self.segments[-1]
        assert isinstance(segment, Segment)
        if len(segment.times) < 3 or segment.structure != driver.structure or self.contacts is not None:
            return
        if segment.structure not in self.simulation.long:
            structure = self.simulation.compiled(segment.structure).structure
            self.simulation.long[segment.structure] = _jump.Long(self.simulation.engine, structure, _jump.ORDER)
        over = _jump.jump(self.simulation.long[segment.structure], segment, float(driver.y[-1]), last, before)
        if over is None and last < _jump.COLLAPSED * float(np.median(segment.times[:, 1])):
            self._fail(driver, Outcome.SMALL, driver.y)
        if over is None or over[1][-1] >= driver.numbers[a.UNTIL]:
            self.marking = self.marking and over is None  # a longer run would jump
            return
        kept = len(segment.times) - over[2]
        self.segments[-1] = replace(segment, times=segment.times[:kept], coefficients=segment.coefficients[:kept])
        self.segments.append(over[0])
        driver.y[:] = over[1]
        driver.zeros[:] = 0

    def _stay(self, name: str, y: Array, scheme: Scheme) -> tuple[str, Array]:
        """Stay in a structure with a method of stages; where that ends, and in which state."""
        compiled = self.simulation.compiled(name)
        goes_on, self.calm = self.calm, False
        before, self.before = self.before, None
        falling = None if self.contacts is None or goes_on else self.contacts.falling(compiled, y)
        if falling is not None:
            return self._pass(compiled, falling, y)
        driver = ImplicitDriver(compiled, y, self.order.until, self.longest, scheme, self.simulation.weights)
        if self.inside is not None and not driver.knows(self.inside):
            self.inside = None  # a file of an earlier version, which went by series here
        try:
            fired = None
            again = self.inside is not None
            if self.inside is not None:
                driver.go_back(self.inside)
                self.inside = None
            else:
                if self.marking:
                    self._mark(name, y, None)
                known = before if before is not None and before.structure == name else None
                fired = None if goes_on else driver.entered(known)
            while fired is None and y[-1] < self.order.until:
                if self.marking and (driver.walked or again):
                    self._mark(name, y, driver.inside(), driver.walked if self.order.keep else 0)
                fired = driver.go()
                if self.contacts is not None:
                    self.contacts.guard(y)
                self.marking = self.marking and not driver.cut
                self._count(driver.forget() if not self.order.keep else driver.nbytes, y, name)
                if self.order.progress is not None:
                    self.order.progress(float(y[-1]), name)
                if fired is None and scheme is self.simulation.explicit and driver.full:
                    length = min(driver.next_step, self.longest)
                    if self._turns_stiff(compiled, y, length, driver.steps.rates_at):
                        break
        finally:
            self.segments += driver.segments()
        if fired is None:
            return name, y
        if goes_on and y[-1] < self.order.until and not self.stiff:
            self.waiting = fired
            return name, y
        self.before = driver.instant if fired.transition.tick else None
        return self._pass(compiled, fired, y, driver.beside if fired.transition.tick else None)

    def _count(self, more: int, y: Array, name: str) -> None:
        """Count what is kept, and end the run where that is too much."""
        self.kept += more
        if self.kept <= self.order.memory:
            return
        steps = sum(len(piece.times) for piece in self.segments)
        too_long(self.order.memory, steps, len(self.events), float(y[-1]), name)

    def _turns_stiff(
        self, compiled: CompiledStructure, y: Array, length: float, rates: Callable[[Array], Array] | None = None
    ) -> bool:
        """Whether a structure is to be left to the stiff method from now on; asked after many steps of some length."""
        if not self.simulation.watchful or length <= 0.0:
            return False
        if self.contacts is not None and self.contacts.rubs(compiled):
            return False
        if not looks_stiff(compiled, y, compiled.parameters(y), length, rates):
            return False
        self.stiff.add(compiled.structure.name)
        return True

    def take_tick(self, compiled: CompiledStructure, fired: Exit) -> tuple[str, Array]:
        """Pass the tick at which a program is being asked, with its answer; the structure and the state after it."""
        return self._pass(compiled, fired, self.y)

    def stand_with(self, other: Course) -> None:
        """Stand where another course of the same system stands, at a tick at which a program is being asked."""
        self.name, self.y, self.asked = other.name, other.y.copy(), other.asked
        self.stiff, self.calm, self.waiting, self.left = set(other.stiff), other.calm, other.waiting, other.left
        self.moment, self.at_once, self.walked = other.moment, other.at_once, other.walked
        self.warnings = Warnings(other.warnings)
        theirs = other.driver
        if other.asked is not None or theirs is None:
            return
        driver = self.driver = self.simulation.taylor_driver(self.simulation.compiled(theirs.structure))
        self._ready(driver, theirs.structure, theirs.y)
        driver.go_back(theirs.await_exit())
        driver.counts[[t.RECORD, t.ROOM, t.STEPS]] = theirs.counts[[t.RECORD, t.ROOM, t.STEPS]]

    def _begin_slips(self) -> None:
        """Keep the first moments of slips in space, which contacts have taken by themselves."""
        assert self.contacts is not None
        begun = self.contacts.begun
        if self.order.keep:
            self.segments += begun
            self.kept += sum(piece.coefficients.nbytes for piece in begun)
        begun.clear()

    def _pass(
        self, compiled: CompiledStructure, fired: Exit, y: Array, beside: Exit | None = None
    ) -> tuple[str, Array]:
        """Do what a transition does; the structure and the state after it.

        Args:
            compiled: The structure until now.
            fired: What ends it.
            y: The state.
            beside: What contacts do at the very instant of a tick, which they see to together with it.
        """
        if fired.transition.asks and self.order.law is not None:
            self.name, self.y, self.asked = compiled.structure.name, y, (compiled, fired)
            y, self.asked = self.order.law.told(y, compiled.structure), None
        event, y = self.simulation.passed(compiled, fired, y, self.warnings)
        if self.contacts is not None:
            self._begin_slips()
        if beside is not None and (event.impulses or event.after != event.before):
            self.events.append(replace(event, after=event.before, energy_loss=0.0, impulses={}))
            event = replace(event, transition=beside.transition.name)
        if event.transition:  # contacts may look anew at what they do and go on with it
            self.events.append(event)
        self.kept += EVENT_BYTES
        self.at_once = self.at_once + 1 if event.time == self.moment else 0
        self.moment = event.time
        if self.at_once > AT_ONCE:
            without_end(compiled, event, fired, y)
        return event.after, y
