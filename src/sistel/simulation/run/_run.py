"""What a simulation gives: the motion as piecewise polynomials, and the events between them."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NoReturn, Protocol, Unpack, overload

import numpy as np

from sistel import shown
from sistel.automaton import reads_dynamics
from sistel.errors import Diagnostic, Language, SistelError, Text, refuse
from sistel.kept import cached_property
from sistel.kernels import as_reals
from sistel.model import Model
from sistel.simulation._tolerance import FINEST, Given
from sistel.simulation.run._bookmark import Book
from sistel.simulation.run._chunks import Events, Stretch
from sistel.simulation.run._many_structures import refuse_many
from sistel.simulation.run._segments import Event, Segment, values, whole_stays
from sistel.simulation.run._stays import Stays, stays_of
from sistel.simulation.run._warnings import RunWarning, Warnings

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sistel.arrays import AnyArray, Array
    from sistel.engine import Engine
    from sistel.linear import Linear, Options
    from sistel.motion.trajectories import MotionTable
    from sistel.simulation._asked_law import AskedLaw, Reading
    from sistel.simulation._inputs import Change, InputCourse
    from sistel.simulation._simulate import Simulation
    from sistel.simulation.run._response import StepResponse


__all__ = ["Event", "Run", "RunError", "Segment"]

Forces = Callable[["Array", "Array | None"], tuple["Array", dict[str, "Array"]]]
"""Of states (q, v, memory, t) and accelerations, or those of the motion: driving forces, and reactions by joint."""


class Simulated(Protocol):
    """A system that was simulated, as a run knows it."""

    @property
    def model(self) -> Model:
        """What the file says."""

    @property
    def simulation(self) -> Callable[..., Simulation]:
        """Makes what simulates it, with a tolerance, a method and a step."""


class RunError(SistelError):
    """A simulation that could not go on; `run` is the part of it that is valid."""

    def __init__(self, diagnostics: Iterable[Diagnostic], run: Run) -> None:
        """As `SistelError`."""
        super().__init__(diagnostics)
        self.run = run


class Run:
    """A finished simulation. Frozen; called with times it gives the state there."""

    def __init__(
        self,
        model: Model,
        segments: Sequence[Segment | Stretch],
        events: Sequence[Event],
        last: Array,
        stopped: Text | None,
        *,
        simulation: Simulation | None = None,
        longest: float = math.inf,
        book: Book | None = None,
        programmed: bool = False,
        forces: Forces | None = None,
        warnings: Sequence[RunWarning] = (),
    ) -> None:
        """Made by `System.simulate`.

        Args:
            model: The system.
            segments: The motion, in order.
            events: The passages between structures, in order.
            last: The state (q, v, t) at the end.
            stopped: Why it ended before its time.
            simulation: What made it and can go on.
            longest: Longest step [s].
            book: Where it can be taken up again.
            programmed: Whether it is a given motion, whatever drives it: then its forces are not known.
            forces: What tells them nevertheless, where they follow from the motion.
            warnings: What a user must know of it.
        """
        self.model = model
        self._pieces = tuple(segments)
        self.passages: Sequence[Event] = events if isinstance(events, Events) else tuple(events)
        """What the simulation passed through: transitions and impacts, in order; see `events`."""
        self.last = last
        self.stopped = stopped
        """Why it ended before its time; None where it did not."""
        self.longest = longest
        self.book = Book() if book is None else book
        self.programmed = programmed
        """Whether it is a given motion and not that of the equations."""
        self.forces = forces
        """Of a given motion, where they are known: driving forces and reactions at states with their accelerations."""
        self.noted = warnings if isinstance(warnings, Warnings) else Warnings(warnings)
        """What was seen while it was simulated, see `warnings`."""
        self._simulation = simulation
        self.law: AskedLaw | None = None
        """The law of Python that was asked at ticks."""
        self.scheduled: Sequence[Change] = ()
        """What inputs of schemes were given, those after its end among it."""

    @classmethod
    def load(cls, path: str | os.PathLike[str], system: Simulated | None = None, *, memory: float = 2.0**32) -> Run:
        """Read back a run that `save` has written to an .npz file.

        Args:
            path: The file.
            system: The system that was simulated; without, the one that the file itself describes.
            memory: What its arrays may take [bytes].

        Raises:
            SistelError: The file is no run, or a damaged one, or one of another system, or takes more memory.
        """
        from sistel.simulation.run._files import load_run

        return load_run(path, system, memory)

    def kept_by(
        self,
        simulation: Simulation,
        longest: float = math.inf,
        law: AskedLaw | None = None,
        changes: Sequence[Change] = (),
    ) -> Run:
        """The same run, which knows what made it and can go on; one that was stopped ends with its last whole step."""
        if self.stopped is None:
            kept = Run.__new__(Run)
            kept.__dict__ |= self.__dict__
        else:
            kept = self._whole_steps(self.stopped)
        kept._simulation, kept.longest, kept.law, kept.scheduled = simulation, longest, law, tuple(changes)
        return kept

    def _whole_steps(self, stopped: Text) -> Run:
        """The same run as far as it has whole steps."""
        events, last = self.passages, self.last
        if self._pieces and not (self.ends_with_event and last[-1] == events[-1].time):
            final = self._last_part
            kept = len(events)
            while kept and events[kept - 1].time > final.begin:
                kept -= 1
            events = events if kept == len(events) else events[:kept]
            last = values(final.coefficients[-1:], final.times[-1:, 1])[0]
        return Run(
            self.model,
            self._pieces,
            events,
            last,
            _at(stopped, float(last[-1])),
            book=self.book,
            programmed=self.programmed,
            forces=self.forces,
            warnings=self.noted,
        )

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The motion, a piece for every stay in a structure; joined when first asked, for that copies all of it."""
        parts = [[piece] if isinstance(piece, Segment) else piece.segments() for piece in self._pieces]
        return whole_stays([segment for part in parts for segment in part], self.passages)

    @cached_property
    def events(self) -> Sequence[Event]:
        """Transitions and impacts, and joints that pass limits where no stop acts ("limit: name"), in order."""
        from sistel.simulation.run._violations import passed_limits

        passed = passed_limits(self, Warnings())
        found = self.passages
        if self.model.ticks:
            ticks = {each.name for each in self.model.ticks if each.tick or each.quiet}
            events = found if isinstance(found, Events) else Events(found)
            found = events.without(ticks)
        return tuple(sorted([*found, *passed], key=lambda event: event.time)) if passed else found

    @cached_property
    def warnings(self) -> Sequence[RunWarning]:
        """What a user must know of it, each once and in the order of time: time, sentence, place in the file.

        Looked for when first asked: limits and surfaces that were passed, contacts that pull.
        """
        from sistel.simulation.run._violations import note_contacts, passed_limits

        noted = Warnings(self.noted)
        passed_limits(self, noted)
        note_contacts(self, noted)
        return tuple(sorted(noted, key=lambda warning: warning.time))

    @property
    def simulation(self) -> Simulation:
        """What made it, or could have."""
        from sistel.simulation._simulate import Simulation

        return self._simulation or Simulation(self.engine, FINEST)

    @property
    def tolerance(self) -> Given | None:
        """Relative error of a step, or errors by the names of quantities, where they are known."""
        return None if self._simulation is None else self._simulation.tolerance

    @property
    def method(self) -> tuple[str, float | None]:
        """The method as `System.simulate` names it, and the length of its steps where that is fixed [s]."""
        return ("auto", None) if self._simulation is None else self._simulation.method

    def made_by(self, simulation: Callable[..., Simulation]) -> Simulation:
        """What makes a run such as this one, of a system with `simulation`."""
        return simulation(self.tolerance or FINEST, *self.method)

    @cached_property
    def engine(self) -> Engine:
        """What computes the quantities of the system."""
        from sistel.engine import Engine

        return Engine.of(self.model) if self._simulation is None else self._simulation.engine.plain

    @cached_property
    def _stays(self) -> Stays:
        return stays_of(self._pieces, self.passages)

    @cached_property
    def _samples(self) -> tuple[Array, Array, NDArray[np.intp]]:
        return self._stays.samples(self.last)

    @property
    def t(self) -> Array:
        """Times of the steps [s]; those of events appear twice, before and after."""
        return self._samples[0]

    @property
    def q(self) -> Array:
        """Coordinates at these times, shape (nt, nq)."""
        return self._samples[1][:, : self.model.nq]

    @property
    def v(self) -> Array:
        """Velocities at these times, shape (nt, nv)."""
        return self._samples[1][:, self.model.nq : self.model.nq + self.model.nv]

    @property
    def memory(self) -> Array:
        """Counters and clocks of the file at these times, shape (nt, number of `model.memory_names`)."""
        return self._samples[1][:, self.model.nq + self.model.nv : -1]

    @cached_property
    def structure(self) -> tuple[str, ...]:
        """Name of the structure at these times."""
        return tuple(self.names[self.states()[1]])

    @property
    def begin(self) -> float:
        """When it begins [s]."""
        starts = self._stays.starts
        return float(starts[0] if len(starts) else self.last[-1])

    @property
    def end(self) -> float:
        """When it ends [s]."""
        return float(self.last[-1])

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return sum(len(piece.times) for piece in self._pieces)

    @property
    def keeps_motion(self) -> bool:
        """Whether it has kept what happened between its events, which can be drawn then."""
        return bool(self.segments) or not self.events or self.events[0].time >= self.end

    @property
    def final_structure(self) -> str:
        """Name of the structure in which it ends."""
        if self.ends_with_event:
            return self.passages[-1].after
        return self._last_part.structure if self.steps else self.model.start_structure

    def __call__(self, t: ArrayLike) -> tuple[Array, Array]:
        """Coordinates and velocities at any times, as exact as the steps are; at an event, those after it.

        Args:
            t: Times within the run [s], any shape.

        Returns:
            q, shape (..., nq), and v, shape (..., nv).

        Raises:
            SistelError: A time lies outside the run.
        """
        states = self._states(t)[0]
        nq, nv = self.model.nq, self.model.nv
        return states[..., :nq], states[..., nq : nq + nv]

    def structure_at(self, t: ArrayLike) -> NDArray[np.str_]:
        """Names of the structures at any times [s], of their shape; at an event, that after it."""
        return np.asarray(self.names[self._states(t)[1]], dtype=np.str_)[()]

    def energies(self, t: ArrayLike | None = None) -> tuple[Array, Array]:
        """Kinetic and potential energy of the system, springs included [J].

        Rotors of motors, springs of joints, elastic stops and springs between bodies are counted; forces of the file,
        dampers, friction and motors have no potential.

        Args:
            t: Times [s]; without, those of the steps.

        Returns:
            Two arrays of the shape of the times.
        """
        states = self._chosen(t)[0]
        nq, nv = self.model.nq, self.model.nv
        return self.engine.energies(states[..., :nq], states[..., nq : nq + nv])

    def reactions(self, t: ArrayLike | None = None) -> dict[str, Array]:
        """What every joint and link carries in the motion, driving forces included.

        Args:
            t: Times [s]; without, those of the steps.

        Returns:
            By name, shape (..., 6): moment, then force, as `System.reactions` gives them [N·m and N]. A link that does
            not hold at a time carries nothing then.

        Raises:
            SistelError: The motion is a program, whose forces are not known.
        """
        from sistel.simulation.run._expressions import carried

        if self.forces is not None:
            return self.forces(self._chosen(t)[0], None)[1]
        if self.programmed:
            refuse(
                "programmed",
                Text(
                    "this motion is a program: what drives it, and so what its joints carry, is not known",
                    "это движение задано программой: чем оно вызвано и что несут сочленения, неизвестно",
                ),
            )
        states, places = self._chosen(t)
        refuse_many(self.names[places])
        rates = self.rates(t)
        found: dict[str, Array] = {}
        for name, rows in self._by_structure(places):
            loads = carried(self.engine, self.engine.automaton.structure(name), states[rows], rates[rows])
            for carrier, load in loads.items():
                found.setdefault(carrier, np.zeros((*places.shape, 6)))[rows] = load
        return found

    def quantity(self, expression: str, t: ArrayLike | None = None) -> Array:
        """Values of an expression of the language, such as ``x(hand)`` or ``reaction(L).n / (m*g)``, along the run.

        Args:
            expression: What is asked; a condition gives 1 and 0.
            t: Times [s]; without, those of the steps.

        Returns:
            Of the shape of the times [SI].

        Raises:
            SistelError: The expression is wrong; the message shows where.
        """
        from sistel.simulation.run._expressions import along, read_expression, recalled, remembered

        checked = read_expression(self.engine, expression)
        states, places = self._chosen(t)
        column = remembered(self.model, checked)
        if column is not None:
            return np.array(states[..., column])
        states = recalled(self, checked, states, places)
        rates = None
        if reads_dynamics(self.model, [checked]):
            refuse_many(self.names[places])
            rates = self.rates(t)
        found = np.zeros(places.shape)
        for name, rows in self._by_structure(places):
            known = None if rates is None else rates[rows]
            found[rows] = along(self.engine, self.engine.automaton.structure(name), checked, states[rows], known)
        return found

    def step_response(
        self, quantity: str, target: float | str, *, t: float | None = None, band: float = 0.02
    ) -> StepResponse:
        """How a quantity answers to a step of its task: overshoot, and the time after which it stays near.

        Args:
            quantity: An expression of the language, such as ``angle(arm)``.
            target: Where it should go, in the SI unit of the quantity, or as a text: ``"30 deg"``.
            t: When the step is [s]; without, at the beginning of the run.
            band: What counts as near, as a part of the step.

        Raises:
            SistelError: An expression is wrong, or there is no step.
        """
        from sistel.simulation.run._response import step_response

        goal = float(self.quantity(target, [self.end])[0]) if isinstance(target, str) else float(target)
        begin = self.begin if t is None else float(t)
        return step_response(lambda times: self.quantity(quantity, times), begin, self.end, goal, band)

    def linearize(self, t: float | None = None, **options: Unpack[Options]) -> Linear:
        """The linear system for small deviations from the motion at a time, in the structure that holds there.

        Args:
            t: When [s]; at an event, the state after it; without, the end of the run.
            options: `tau`, `inputs`, `outputs`, `motions`, `applied` and `coordinates` as for `System.linearize`;
                without `tau`, the driving forces are those of the run at that time.

        Raises:
            SistelError: The time lies outside the run, or as for `System.linearize`.
        """
        from sistel.simulation.run._linearize import linearize_run

        states, places = self._states([self.end if t is None else t])
        return linearize_run(self, states[0], str(self.names[places[0]]), **options)

    def resume(
        self,
        until: float,
        *,
        since: float | None = None,
        progress: Callable[[float, str], None] | None = None,
        memory: float = math.inf,
        control: Callable[[float, Reading], object] | None = None,
        inputs: Mapping[str, InputCourse] | None = None,
    ) -> Run:
        """The same run until a later time, from where it ended or was interrupted.

        The last steps, of which the end has cut one short, are taken anew from a place where everything they depend on
        is known. So the result is to the bit what one run would have been. Contacts that make their structures by
        themselves decide anew what they do, and forget the bounces before.

        Args:
            until: When to end [s].
            since: A time from which on all steps are taken anew [s]; without, the end of the run.
            progress: As for `System.simulate`.
            memory: As for `System.simulate`, for what is new.
            control: The law that is asked at ticks; without, the one of the run, where it is not from a file.
            inputs: What inputs of schemes are given from the end of the run on, as for `System.simulate`; without,
                what the run was to be given, where it is not from a file.

        Raises:
            RunError: The motion cannot go on; the part until then is in its `run`.
            SistelError: The time lies before the end of the run.
        """
        from sistel.simulation.run._resume import resume_run

        law = self.law
        if control is not None:
            from sistel.simulation._asked_law import AskedLaw

            law = AskedLaw(self.simulation.engine, control)
        from sistel.simulation._inputs import Change, changed_until, read_inputs

        # What has happened is in the events, of runs from files too.
        later = self.scheduled
        if inputs is not None:
            given = read_inputs(self.model, inputs)
            later = [Change(max(each.time, self.end), each.name, each.value) for each in given]
        changes = [*changed_until(self.passages, self.end), *(each for each in later if each.time >= self.end)]
        return resume_run(self, until, since, progress, memory, law, changes)

    @property
    def _last_part(self) -> Segment:
        """The end of the motion, for which the rest need not be looked at."""
        piece = next(piece for piece in reversed(self._pieces) if len(piece.times))
        return piece if isinstance(piece, Segment) else piece.segments()[-1]

    @property
    def ends_with_event(self) -> bool:
        """Whether a passage was the last that happened."""
        return bool(self.passages) and (not self.steps or self.passages[-1].time > self._last_part.begin)

    # --- states at times ---------------------------------------------------------------------------------------------

    @cached_property
    def names(self) -> AnyArray:
        """Names of structures by the number of the segment; the last one is that of the end."""
        return np.array([*self._stays.structures, self.final_structure], dtype=object)

    def _states(self, t: ArrayLike) -> tuple[Array, NDArray[np.intp]]:
        """States (q, v, t) at any times, and the segments that they belong to."""
        given = as_reals("t", t)
        begin, end = self.begin, self.end
        if given.size and not ((given >= begin) & (given <= end)).all():
            self.refuse_time()
        flat = given.ravel()
        rows = np.empty((flat.size, len(self.last)))
        rows[flat >= end] = self.last
        stays = self._stays
        places = np.full(flat.size, len(stays.structures), dtype=np.intp)
        inside = np.flatnonzero(flat < end)
        steps = np.searchsorted(stays.starts, flat[inside], side="right") - 1
        places[inside] = stays.stays[steps]
        found = np.empty((len(steps), len(self.last)))
        stays.at(steps, flat[inside] - stays.starts[steps], found)
        rows[inside] = found
        return rows.reshape(*given.shape, len(self.last)), places.reshape(given.shape)

    def rates(self, t: ArrayLike | None = None) -> Array:
        """Accelerations of the motion at times within the run, shape (..., nv); NaN where it has ended.

        Args:
            t: Times [s]; without, those of the steps.
        """
        stays, nq, nv = self._stays, self.model.nq, self.model.nv
        if t is None:
            steps, h = stays.sampled()
            found = stays.rates(steps, h, slice(nq, nq + nv))
            return np.concatenate([found, np.full((1, nv), np.nan)])
        given = as_reals("t", t)
        flat = given.ravel()
        found = np.full((flat.size, nv), np.nan)
        inside = np.flatnonzero(flat < self.end)
        steps = np.searchsorted(stays.starts, flat[inside], side="right") - 1
        found[inside] = stays.rates(steps, flat[inside] - stays.starts[steps], slice(nq, nq + nv))
        return found.reshape(*given.shape, nv)

    def refuse_time(self) -> NoReturn:
        """Say that a time lies outside the run."""
        begin, end = self.begin, self.end
        refuse(
            "no-time",
            Text(f"the run lasts from {begin:g} s to {end:g} s", f"расчёт длится от {begin:g} с до {end:g} с"),
        )

    def _chosen(self, t: ArrayLike | None) -> tuple[Array, NDArray[np.intp]]:
        """As `_states`; without times, those of the steps."""
        if t is not None:
            return self._states(t)
        return self.states()

    def states(self) -> tuple[Array, NDArray[np.intp]]:
        """States (q, v, t) of the steps, as `t`, `q` and `v` have them, and where their structures are in `names`."""
        _, states, stays = self._samples
        return states, stays

    def _by_structure(self, places: NDArray[np.intp]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        """The structures at some times, each with where it is."""
        names, codes = np.unique(self.names[places], return_inverse=True)
        codes = codes.reshape(places.shape)
        for number, name in enumerate(names.tolist()):
            yield name, codes == number

    def _repr_html_(self) -> str:
        return shown.html(self)

    @overload
    def plot(
        self, quantities: Sequence[str] = (), lang: Language | None = None, *, backend: Literal["svg"] = "svg"
    ) -> str: ...

    @overload
    def plot(
        self, quantities: Sequence[str] = (), lang: Language | None = None, *, backend: Literal["matplotlib"]
    ) -> Any: ...

    def plot(
        self,
        quantities: Sequence[str] = (),
        lang: Language | None = None,
        *,
        backend: Literal["svg", "matplotlib"] = "svg",
    ) -> Any:
        """The run as the text of an SVG picture, which notebooks show as such, or as a figure of matplotlib.

        Args:
            quantities: Expressions of the language to be drawn too, besides coordinates, velocities and energies.
            lang: Language of the words; the user's unless told otherwise.
            backend: "svg", or "matplotlib" for a `matplotlib.figure.Figure` with the same panels.

        Raises:
            SistelError: An expression is wrong, the run has kept no steps, or matplotlib is asked for and missing.
        """
        if backend not in ("svg", "matplotlib"):
            refuse("bad-backend", Text('backend is "svg" or "matplotlib"', "backend — svg или matplotlib"))
        return shown.ask("run plot" if backend == "svg" else "run figure", self, quantities, lang)

    def widget(self, *, lang: Language | None = None, height: int = 560, quantities: Sequence[str] = ()) -> Any:
        """The page of the run as a widget of a notebook: Jupyter, VS Code, marimo.

        It needs the extra "notebook". Its `time` [s] and `playing` follow the page and move it, so other cells can
        watch them; `show(other_run)` puts another motion in its place.

        Args:
            lang: Language of the words; the user's unless told otherwise.
            height: Of the page [px].
            quantities: Expressions of the language that are plotted too.

        Raises:
            SistelError: The package anywidget is not installed, the run has kept no steps, or an expression is wrong.
        """
        return shown.ask("run widget", self, lang, height, quantities)

    def save(
        self,
        path: str | os.PathLike[str],
        *,
        quantities: Sequence[str] = (),
        every: float | None = None,
        lang: Language | None = None,
        compare: Sequence[Run] | Mapping[str, Run] = (),
    ) -> None:
        """Write the run to a file, by its suffix.

        A table is .csv or .parquet, everything .npz, a moving scheme .svg, a moving scene in space .x3d, a page with
        all of it .html, a film .mp4, .webm or .gif, see `film`; a report
        is .pdf, .fo (XSL-FO) or .print.html; .table.html, .table.csv, .table.ods and .table.xlsx are tables of motion,
        see `table`.

        Args:
            path: The file; it is replaced whole or not at all.
            quantities: Expressions of the language: more columns of the table, or more curves.
            every: Time between two rows of a table [s]; without, a row a step, in reports some twenty rows.
            lang: Language of the words in a picture or in a report.
            compare: Runs that a page shows over this one, at most three; as a mapping, by the names that they are to
                have.

        Raises:
            SistelError: The suffix means nothing, an expression is wrong, what makes a .pdf or a film is not installed,
                or the file cannot be written.
        """
        from sistel.simulation.run._files import save_run

        save_run(self, path, quantities=quantities, every=every, lang=lang, compare=compare)

    def film(
        self,
        path: str | os.PathLike[str],
        *,
        rate: float = 25.0,
        speed: float | None = None,
        width: int = 800,
        theme: Literal["light", "dark"] = "light",
        lang: Language | None = None,
    ) -> None:
        """Write the run as a film of its moving scheme: .mp4, .webm or .gif.

        It needs the extra "video", or the library resvg-py and an ffmpeg that is installed. Picture n shows the state
        at `begin` + n · speed / rate, the last one that at `end`.

        Args:
            path: The file; it is replaced whole or not at all.
            rate: Pictures of a second, up to 60; of a GIF up to 50.
            speed: How much faster than the run it goes; as it goes unless told otherwise, and what is over within a
                second so slowly that one can look at it.
            width: Of the pictures [px], an even number.
            theme: "light" or "dark".
            lang: Language of the words; the user's unless told otherwise.

        Raises:
            SistelError: A number is not possible, what makes films is not installed, or the file cannot be written.
        """
        from sistel.simulation.run._files import save_film

        save_film(self, path, rate=rate, speed=speed, width=width, theme=theme, lang=lang)

    def table(self, every: float | None = None) -> MotionTable:
        """The motion of hinges and slides as a table, which people change and `System.with_motion` follows.

        Args:
            every: Time between two rows [s]; without, the rows of the tables that the system follows, or a row a step.

        Raises:
            SistelError: No joint can follow a table, or there are too many rows.
        """
        from sistel.simulation.run._tables import table_of

        return table_of(self, every)

    def __iter__(self) -> Iterator[tuple[float, Array, Array, str]]:
        """Time, coordinates, velocities and structure of every sample."""
        yield from zip(self.t, self.q, self.v, self.structure, strict=True)

    def __repr__(self) -> str:
        said = f", {len(self.warnings)} warnings" if self.warnings else ""
        return f"<Run of {self.model.name!r}: {self.end:g} s, {self.steps} steps, {len(self.events)} events{said}>"


def _at(stopped: Text, time: float) -> Text:
    """Why a run ended, with the time at which it did."""
    en, ru = stopped.en.partition(" at ")[0], stopped.ru.partition(" в момент ")[0]
    return Text(f"{en} at {time:g} s", f"{ru} в момент {time:g} с")
