"""A motion that goes on from tick to tick, with what a program says at each: for learning and for laws that are loops.

Between two ticks it is the motion of `System.simulate` with a law of Python, to the bit: the same machine code is
asked to go on. Where that goes by series from tick to tick, a step is one call of it; what has to be compiled first,
other methods of steps and contacts take the way of runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np

from sistel.engine import LiveEngine
from sistel.errors import SistelError, Text
from sistel.records import entry
from sistel.simulation._asked_law import AskedLaw, StateView
from sistel.simulation._course import Course, Order
from sistel.simulation._outcome import Outcome
from sistel.simulation.run._chunks import Events
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor._single_step import BLOCK, single_step

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.model import Structure
    from sistel.simulation._simulate import Simulation
    from sistel.simulation.run._segments import Event
    from sistel.simulation.run._warnings import RunWarning
    from sistel.simulation.taylor._driver import TaylorDriver

_ASKED: Final = int(Outcome.ASKED)
_ARRAY, _REALS, _ONE = np.ndarray, np.dtype(np.float64), (1,)


NEVER: Final = 1e9
"""When steps end for good, after the start [s]: methods of stages need to know."""


class _Paused(Exception):
    """A tick has come, and the program has not said yet what to do."""


class _Held(AskedLaw):
    """What the program says, from outside: where it has said nothing, the run pauses."""

    GAVE = Text("step was given", "step получил")

    def __init__(self, simulation: Simulation) -> None:
        """Nothing is said yet."""
        super().__init__(simulation.engine, lambda time, reading: None)
        self.said = np.zeros(len(self.places))
        self.rows = np.array([*self.places.values()], dtype=np.int64)
        self.answered = False

    def told(self, y: Array, structure: Structure) -> Array:
        """A state with what the program says; pauses where that is not known."""
        if not self.answered:
            raise _Paused
        self.answered = False
        made = y.copy()
        made[self.rows] = self.said
        return made


@entry
class Beginning:
    """Where a stepper begins."""

    simulation: Simulation
    """With tables that nobody else uses."""
    values: tuple[float, ...] | None
    """Of its live parameters, where it has some."""
    y: Array
    structure: str
    noted: Sequence[RunWarning]
    """What to know of the start."""


Begin = Callable[..., Beginning]
"""Makes a beginning of what `Stepper.reset` takes."""


class Stepper(StateView):
    """A motion that goes on from tick to tick: `.reset()`, `.step(u)`, `.copy()`, and what it reads there.

    It is made by `System.stepper`, and stands just before a tick: `.t`, `.q`, `.v`, `.structure` and
    `stepper["angle(arm)"]` are what a law of control would be shown there. One thread at a time may use it.
    """

    __slots__ = (
        "_begin",
        "_beginning",
        "_course",
        "_events",
        "_history",
        "_longest",
        "_native",
        "_said",
        "_shape",
        "_tied",
    )

    def __init__(self, begin: Begin, longest: float = math.inf) -> None:
        """It stands nowhere before `reset`.

        Args:
            begin: Makes a beginning of what `reset` takes.
            longest: Longest step of the method [s].
        """
        self._begin, self._longest = begin, longest
        self._beginning: Beginning | None = None
        self._law: _Held
        self._said: Array
        """What was said last, in the order of `names`."""
        self._native: Callable[[], int] | None = None
        """What goes to the next tick; None where Python goes the way of runs."""
        self._tied: tuple[TaylorDriver, Callable[[], int]] | None = None
        """A driver, and what goes on with it."""
        self._events: Events | None = None
        """What happened on the last step; None where machine code knows."""

    # --- going -------------------------------------------------------------------------------------------------------

    def reset(
        self,
        *,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        structure: str | None = None,
        t: float | None = None,
        parameters: Mapping[str, float | str] | None = None,
        inputs: Mapping[str, float | str] | None = None,
    ) -> Stepper:
        """Go to the start, and on to the first tick, where that is later.

        Args:
            q: Coordinates to begin with, shape (nq,); without, those of the file.
            v: Velocities, shape (nv,); without, those of the file, made to fit the constraints.
            structure: The structure to begin with; without, that of the file.
            t: Time to begin at [s]; without, that of the file.
            parameters: Other values of some parameters, for this start alone. Equations are compiled once for all
                values of the same parameters, where they can follow them.
            inputs: Values of inputs of schemes, until `step` gives others: numbers in SI, or texts with units.

        Returns:
            Itself.
        """
        self._start(self._begin(q=q, v=v, structure=structure, t=t, parameters=parameters, inputs=inputs))
        return self

    def _start(self, beginning: Beginning) -> None:
        self._prepare(beginning)
        self._go(self._course.enter)

    def _prepare(self, beginning: Beginning) -> None:
        simulation = beginning.simulation
        if self._beginning is None or self._beginning.simulation is not simulation:
            self._law, self._tied = _Held(simulation), None
            self._said, self._shape = self._law.said, self._law.said.shape
        self._beginning = beginning
        self._follow()
        self._said[:] = beginning.y[self._law.rows]
        self._history: list[Array] | None = None if simulation.contacts is None else []
        order = Order(float(beginning.y[-1]) + NEVER, self._longest, None, False, math.inf, self._law)
        self._course = Course(simulation, order, beginning.y, beginning.structure, None, beginning.noted)
        self._native = None
        self._events = Events()

    def step(self, u: ArrayLike | Mapping[str, float] | None = None) -> Stepper:
        """Let motors and inputs do something from this tick to the next, and go there.

        Args:
            u: Forces or moments of motors [N or N·m] and values of inputs [SI], in the order of `names`, or by name;
                one number where there is one. Without, and for what is not named, what was said last.

        Returns:
            Itself, at the next tick.

        Raises:
            SistelError: What is given is no finite number, or is for nothing that there is: nothing has happened
                then. Or the motion cannot go on: it stands where that was noticed, and takes no more steps.
        """
        if u is not None:
            if type(u) is _ARRAY and u.dtype is _REALS and u.shape == self._shape:
                self._said[:] = u
            elif type(u) is float and self._shape == _ONE:
                self._said[0] = u
            else:
                self._take(u)
        if self._native is None:
            self._check()
            self._go(self._answer)
            return self
        self._events = None
        outcome = self._native()
        if outcome != _ASKED:
            self._look_up(Outcome(outcome))
        return self

    def _take(self, u: Any) -> None:
        """What is given in other forms than an array of all numbers."""
        told = self._law.read(u, self.t)
        for place, name in enumerate(self._law.places):
            self._said[place] = told.get(name, self._said[place])

    def _check(self) -> None:
        """Refuse what is no number, and leave everything as it was."""
        if not np.isfinite(self._said).all():
            given, self._said[:] = self._said.copy(), self._y[self._law.rows]
            self._law.read(given, self.t)

    def prepare(self, *expressions: str) -> Stepper:
        """Compile now what later steps may need, in every structure: none of them waits for it then.

        For steps that have to keep pace with a clock. Structures of contacts that no file has written down are still
        compiled when they are entered.

        Args:
            expressions: What is asked for together at a step, as `stepper["angle(arm)", "rate(arm)"]`.

        Returns:
            Itself, where it stood.
        """
        self._follow()
        simulation = self._course.simulation
        simulation.prepare()
        if expressions and simulation.contacts is None:
            for structure in simulation.engine.model.structures:
                if not structure.why_not:
                    self._law.compiled(expressions, structure)
        return self

    # --- the way of runs ---------------------------------------------------------------------------------------------

    def _go(self, begin: Callable[[], None]) -> None:
        """Begin in some way, and go on to the next tick."""
        course = self._course
        self._follow()
        course.events, course.kept = Events(), 0
        course.segments.clear()
        try:
            begin()
            while True:
                course.go_on()
        except _Paused:
            pass
        except SistelError:
            self._native, self._events = self._ended, course.events
            self._y = course.y if course.driver is None else course.driver.y.copy()
            raise
        self._events = course.events
        self._tie()

    def _ended(self) -> NoReturn:
        """A motion that could not go on does not."""
        self._law.answered = False
        ended = Text("the motion ended here; reset begins anew", "движение здесь закончилось; reset начинает заново")
        from sistel.simulation._failures import fail

        fail("ended", ended)

    def _answer(self) -> None:
        """Say what was said, and go on as a run would."""
        course, law = self._course, self._law
        if self._history is not None:
            self._history.append(self._said.copy())
        law.answered = True
        if course.asked is not None:
            course.name, course.y = course.take_tick(*course.asked)
        else:
            assert course.driver is not None
            course.driver.tell(law.told(course.y, course.simulation.compiled(course.name).structure))
            course.name, course.y = course.travel(course.driver)

    def _look_up(self, outcome: Outcome) -> None:
        """Machine code has not come to the next tick: do what a run does then."""
        course = self._course
        driver = course.driver
        assert driver is not None
        if outcome is Outcome.NO_NUMBER:
            self._check()
        counts = driver.counts
        course.walked = (BLOCK - int(counts[t.ROOM])) % BLOCK
        chunk = driver.gone()

        def arrive() -> None:
            found = course.arrive(driver, outcome, chunk)
            course.name, course.y = course.travel(driver) if found is None else found

        self._go(arrive)

    def _tie(self) -> None:
        """Let machine code take the next steps, where the motion goes by series without contacts."""
        course = self._course
        driver = course.driver
        if course.asked is not None or course.contacts is not None or driver is None:
            self._native, self._y = None, course.y
            return
        if self._tied is None or self._tied[0] is not driver:
            self._tied = driver, single_step(driver, self._said, self._law.rows)
        self._native, self._y = self._tied[1], driver.y

    def _follow(self) -> None:
        """Live parameters have their values by thread."""
        beginning = self._beginning
        assert beginning is not None
        if beginning.values is not None:
            assert isinstance(beginning.simulation.engine, LiveEngine)
            beginning.simulation.engine.follow(beginning.values)

    # --- what it reads -----------------------------------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """What `step` is given numbers for: motors that nothing in the file commands, then inputs of its schemes."""
        return tuple(self._law.places)

    @property
    def structure(self) -> str:
        """The structure that the system is in."""
        driver = self._course.driver
        return self._course.name if self._native is None or driver is None else driver.structure

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened on the last step, ticks apart."""
        if self._events is None:
            assert self._course.driver is not None
            self._events = Events()
            self._events.add(self._course.driver.gone())
        return self._events.without({each.name for each in self._law.engine.model.ticks if each.tick or each.quiet})

    @property
    def warnings(self) -> tuple[RunWarning, ...]:
        """What to know of the motion so far."""
        return tuple(self._course.warnings)

    def __getitem__(self, expression: str | tuple[str, ...]) -> Any:
        """The value of an expression of the language [SI]; of several, an array."""
        self._follow()
        structure = self._course.simulation.compiled(self.structure).structure
        if isinstance(expression, str):
            return self._law.value(expression, structure, self._y)
        if not expression:
            return np.zeros(0)
        return self._law.values(tuple(expression), structure, self._y)

    def __repr__(self) -> str:
        return f"<Stepper at {self.t:g} s>"

    def copy(self) -> Stepper:
        """Another that stands here and goes on by itself, to the bit as this one does.

        Where contacts have no written structures, it takes the same steps from the start again.
        """
        made = Stepper(self._begin, self._longest)
        own = self._beginning
        assert own is not None
        beginning = Beginning(
            simulation=own.simulation.twin(),
            values=own.values,
            y=own.y,
            structure=own.structure,
            noted=own.noted,
        )
        if self._history is not None:
            made._start(beginning)
            for u in self._history:
                made.step(u)
            return made
        made._prepare(beginning)
        made._said[:] = self._said
        made._course.stand_with(self._course)
        made._tie()
        return made
