"""From an initial state to a run: motion within structures, and passages between them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.automaton import Exit, elements_of
from sistel.engine import LiveEngine
from sistel.errors import Text
from sistel.expr import series_order
from sistel.mechanics import assemble
from sistel.model import MEETING, Contact, Model, Structure
from sistel.simulation._compiled_structure import CompiledStructure
from sistel.simulation._course import Course, Order
from sistel.simulation._diagnosis import why_no_dynamics
from sistel.simulation._failures import fail, no_state_after
from sistel.simulation._plain import distances_at, plain_transition
from sistel.simulation._start import initial_state, note_moved_start
from sistel.simulation._tolerance import Given, read_tolerance
from sistel.simulation._turns import Turns, one_at_a_time
from sistel.simulation.contact import _contacts
from sistel.simulation.implicit._kernels import LONG_FLOW, LONG_RATES, Kind
from sistel.simulation.implicit._scheme import Scheme
from sistel.simulation.run._run import Event, Run
from sistel.simulation.run._warnings import RunWarning, Warnings
from sistel.simulation.taylor import _singular_jump as _jump
from sistel.simulation.taylor._driver import TaylorDriver

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import Engine
    from sistel.simulation._asked_law import AskedLaw
    from sistel.simulation._inputs import Change
    from sistel.simulation.cycle._variation import Surface, Variation
    from sistel.simulation.plane import Crowd
    from sistel.simulation.run._bookmark import Past


LOOSE = 1e-9
"""The tolerance from which on long equations are left to the explicit method. From 600 lines on it is quicker by 3 to
10 times at this one and looser ones, and by 2 to 5 at 1e-12, where runs keep their digits."""
PATIENCE = 4
"""Steps by series in a structure without an event, after which it counts as calm."""
MEMORY = 2.0**31
"""What a run may keep of itself, if nothing else is said [bytes]."""


class Simulation:
    """Compiled structures of a system, which runs share; a run under way is a `Course`."""

    def __init__(
        self,
        engine: Engine,
        tolerance: Given,
        scheme: Scheme | None = None,
        watchful: bool = False,
        explicit: Scheme | None = None,
    ) -> None:
        """Nothing is compiled before it is entered.

        Args:
            engine: Of the model.
            tolerance: Relative error of a step, or errors of quantities by name, see `read_tolerance`.
            scheme: Another method instead of Taylor's.
            watchful: Whether that method is taken only where the motion turns out to be stiff.
            explicit: A method for structures that it suits better than Taylor's, see `goes_explicitly`.
        """
        self.scheme, self.watchful, self.explicit = scheme, watchful, explicit
        self.engine = engine
        found = read_tolerance(engine.plain.model, tolerance)
        self.order = max(4, series_order(found.finest))
        self.tolerance, self.weights = found.given, found.weights
        self.compiled_structures: dict[str, CompiledStructure] = {}
        self.known: tuple[int, TaylorDriver] | None = None
        """The tables of all structures that are compiled, and how many these are."""
        self._starts: dict[tuple[str, tuple[float, ...]], tuple[Array, Warnings]] = {}
        """By the name of the structure and the values of live parameters."""
        self.long: dict[str, _jump.Long] = {}
        """Structures in series of high order, for jumps over singular postures."""
        self.variations: dict[str, Variation] = {}
        self.surfaces: dict[str, Surface] = {}
        """Derivatives by the state, which searches for limit cycles have compiled."""
        self.contacts = _contacts.of(engine, self.order)
        self._watched = scheme if watchful else None
        """The scheme that is taken only where the motion is stiff: free bodies are not."""
        self._crowds: tuple[Model, Crowd | None] | None = None
        self.turns = Turns(self.twin)
        """Whose turn it is: one run at a time overwrites the tables of a simulation."""

    def twin(self) -> Simulation:
        """Another for a run at the same time, on the same compiled structures; its tables are its own."""
        made = Simulation(self.engine, self.tolerance, self.scheme, self.watchful, self.explicit)
        made.compiled_structures = self.compiled_structures
        return made

    def compiled(self, name: str) -> CompiledStructure:
        """The equations of a structure, compiled when it is first entered."""
        if self.contacts is not None:
            return self.contacts.named(name)
        if name not in self.compiled_structures:
            structure: Structure = self.engine.model.structure(name)
            if structure.why_not:
                found = why_no_dynamics(self.engine.plain.model, structure)
                fail("no-dynamics", found.reason, found.span)
            # Of threads that come here at once, all go on with the machine of the first.
            self.compiled_structures.setdefault(name, CompiledStructure(self.engine, structure, self.order))
        return self.compiled_structures[name]

    def prepare(self) -> None:
        """Compile every structure and every transition now, which otherwise waits until a motion comes there.

        Contacts have more structures than can be counted: theirs are still compiled when they are entered.
        """
        if self.contacts is not None:
            return
        for structure in self.engine.model.structures:
            if structure.why_not:
                continue
            compiled = self.compiled(structure.name)
            for each in compiled.equations.exits:
                compiled.native_passage(each.transition)
            if not self.goes_explicitly(compiled):
                self.known = None
                self.taylor_driver(compiled)

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

    def patience(self, compiled: CompiledStructure) -> int:
        """Steps by series in a structure of contacts after which stages go on, while nothing happens; 0 for never.

        Where equations are long and few digits are asked for, a step by stages takes a part of the time of one by
        series, and is longer: what stands on the ground or swings there is stiff. Passages are for the loop of series,
        which decides them in machine code.
        """
        if not self.watchful or self.scheme is None or self.scheme.tolerance < LOOSE:
            return 0
        return PATIENCE if len(compiled.modes.program) >= LONG_FLOW else 0

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
        return self.contacts is not None

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
        law: AskedLaw | None = None,
        changes: Sequence[Change] = (),
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
            law: The program that is asked at ticks, where the system has a clock for it.
            changes: Of inputs of schemes, in the order of time.

        Raises:
            RunError: The motion cannot go on, or takes more memory; the part until then is in its `run`.
        """
        if law is None and any(scheme.asks for scheme in self.engine.model.schemes):
            fail("no-law", Text("a law is asked at ticks, and none is given", "на тактах спрашивают закон, а его нет"))
        if past is None and not self.engine.model.schemes and (crowd := self._crowd()) is not None:
            return crowd.run(y, until, longest, progress, keep, memory, Warnings(noted))
        self._refuse_boxes()
        course = Course(self, Order(until, longest, progress, keep, memory, law, changes), y, structure, past, noted)
        return course.run()

    def _refuse_boxes(self) -> None:
        """Refuse boxes that touch boxes where the loop for many bodies is not asked: others have no rows for them."""
        model = self.engine.plain.model
        boxes = [each for each in model.contacts if each.outline is not None and each.outline.of_boxes]
        if boxes:
            fail(
                "boxes-not-alone",
                Text(
                    "boxes that touch boxes are simulated by series, from a state, and without schemes",
                    "коробки, которые касаются коробок, считаются рядами, из состояния и без схем",
                ),
                boxes[0].span,
            )

    def _crowd(self) -> Crowd | None:
        """What simulates many contacts of free bodies, with the parameters as they are, or None."""
        if self.contacts is None or self.scheme not in (None, self._watched):
            return None
        from sistel.simulation.plane import FEW, crowd_of, is_many
        from sistel.simulation.space import FEW_IN_SPACE, crowd_in_space

        if not is_many(self.contacts.elements, min(FEW, FEW_IN_SPACE)):
            return None
        model = self.engine.plain.model
        if self._crowds is None or self._crowds[0] is not model:
            made = crowd_of if model.planar else crowd_in_space
            finest = read_tolerance(model, self.tolerance).finest
            self._crowds = model, made(model, elements_of(model), self.order, finest)
        return self._crowds[1]

    def goes_explicitly(self, compiled: CompiledStructure) -> bool:
        """Whether a structure is left to the explicit method; the answer depends on its equations alone.

        Its step is 15 values of the rates, whose machine code is quick however long it is; a series of long equations
        is not. Where loops close, series see singular postures ahead; and equations may be too long for machine code.
        """
        if self.explicit is None or self.contacts is not None or not compiled.is_long_tree:
            return False
        return len(compiled.modes.program) < LONG_RATES

    def taylor_driver(self, compiled: CompiledStructure) -> TaylorDriver:
        """The tables of all structures that machine code can pass through by itself, this one among them."""
        if self.contacts is not None:
            # What follows is decided by a complementarity problem: every stay is a run of the loop of its own.
            driver = self.contacts.taylor_driver(compiled)
            driver.weigh(self.weights)
            return driver
        # Structures that go otherwise are entered from outside, whether or not they are compiled.
        known = [each for each in self.compiled_structures.values() if not self.goes_explicitly(each)]
        if self.known is None or self.known[0] != len(known):
            names = [structure.name for structure in self.engine.model.structures]
            room = None if self.known is None else self.known[1].room
            self.known = len(known), TaylorDriver(known, names, self.order, self.weights, room)
        return self.known[1]

    def passed(
        self, compiled: CompiledStructure, fired: Exit, y: Array, warnings: Warnings, late: bool = False
    ) -> tuple[Event, Array]:
        """What a transition makes of a state: the event, and the state after it.

        Args:
            compiled: The structure that is left.
            fired: The transition.
            y: The state.
            warnings: Take what a user must know of it.
            late: Whether it is noticed after its time, so that links that begin to hold need not meet.
        """
        if self.contacts is not None:
            return self.contacts.successor(compiled, fired, y)
        results, names = compiled.passed(fired.transition, y)
        after, loss = np.array(results[0]), float(results[1][0])
        impulses = results[2] if names else np.zeros(0)
        loss = 0.0 if late and math.isnan(loss) else loss
        if not (np.isfinite(after).all() and math.isfinite(loss)):
            no_state_after(compiled, fired, y)
        if fired.transition.within:
            after = _pulled(compiled, fired, y, after, warnings)
        event = Event(
            time=float(y[-1]),
            transition=fired.transition.name,
            before=compiled.structure.name,
            after=fired.transition.target or compiled.structure.name,
            energy_loss=loss,
            impulses={name: np.array(impulses[6 * i : 6 * i + 6]) for i, name in enumerate(names)},
        )
        return event, after


def simulation_of(engine: Engine, tolerance: Given, method: str = "auto", step: float | None = None) -> Simulation:
    """What simulates a system with a method, named as for `System.simulate`."""
    scheme = explicit = None
    if method != "taylor":
        finest = read_tolerance(engine.plain.model, tolerance).finest
        scheme = Scheme(_KINDS.get(method, "radau"), tolerance=finest, step=step or 0.0)
        # Walkers and the like pass between structures in the compiled loop of series, which costs next to nothing.
        trees = not any(each.holds or each.changes for each in engine.model.structures)
        # So does what has a clock: every tick would end a stay of another method.
        clocked = any(each.clock is not None for each in engine.model.schemes)
        if method == "auto" and finest >= LOOSE and trees and not clocked:
            explicit = Scheme("runge-kutta", tolerance=finest)
    return Simulation(engine, tolerance, scheme, method == "auto", explicit)


_KINDS: Final[dict[str, Kind]] = {"gauss": "gauss", "runge-kutta": "runge-kutta"}


def _pulled(compiled: CompiledStructure, fired: Exit, y: Array, after: Array, warnings: Warnings) -> Array:
    """The state in which links that begin to hold a little apart have met; a warning tells of every such link."""
    transition, model = plain_transition(compiled.engine, fired.transition), compiled.engine.plain.model
    lifted = False
    for found in distances_at(compiled.engine, fired.transition, compiled.structure, y.tolist()):
        if float(found.square) <= MEETING[found.turns] ** 2:  # type: ignore[arg-type]
            continue
        lifted |= isinstance(found.link, Contact)
        size = found.text()
        warnings.add(
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
        found_q = assemble(model, sliding, after[: model.nq].tolist(), tree=compiled.engine.plain.tree)
        if not found_q.success:
            no_state_after(compiled, fired, y)
        after[: model.nq] = found_q.q
    return after
