"""A structure compiled for simulation: its flow as Taylor series, its modes, and the way back to its constraints."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.automaton import (
    CROSSES,
    FALLS,
    HOLDS,
    RISES,
    ModeEquations,
)
from sistel.errors import placed
from sistel.expr import LIVE, Graph, Modes, Program, Switch, replay, split_modes
from sistel.kernels import USER, Native, compile_taylor
from sistel.kernels.taylor import is_large, is_long
from sistel.model import Model, Structure, Transition
from sistel.once import COMPILING, once_property
from sistel.simulation._programs import EVERY_STEP, SELDOM, Derived, kernel, native
from sistel.simulation.contact._searched_impacts import DecidedPassage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.automaton import Mode
    from sistel.engine import Engine
    from sistel.kernels import Kernel, Taylor
    from sistel.simulation.implicit._sparsity import Sparsity


_DIRECTIONS = {HOLDS: 0, RISES: 1, FALLS: -1, CROSSES: 0}


def most_lines(transition: Transition) -> int:
    """Lines of the program of a transition from which it is not worth compiling: ticks come as often as steps."""
    return EVERY_STEP if transition.tick else SELDOM


USUAL_RADIUS = 0.5
"""Radius of convergence of usual motions [s], by which the orders for short times are chosen; where there is a smaller
one, all orders are computed."""
LEAST_ORDER, LEAST_SAVED = 3, 4
"""The fewest orders for short times; up to how many, or up to MOST_SAVED of all orders, they are worth while."""
MOST_SAVED = 0.65
STAGES_ORDER = 9
"""The highest order of series that are asked for few digits, so that stages have as many."""
LONG_RATES = 20000
"""Lines of rates from which machine code takes too long to make."""
SHORT_PART = 0.01
"""What the error of such a step may be, in parts of that of a step of all orders: there are more of them."""


def radius_part(order: int) -> float:
    """The part of the radius of convergence that a step takes whose series has so many orders (Jorba and Zou)."""
    return math.exp(-2.0 - 0.7 / (order - 1))


def short_error(order: int) -> float:
    """The last term of a series of the first orders alone that is small enough, where all have so many."""
    return float(SHORT_PART * radius_part(order) ** order)


def low_order(model: Model, order: int) -> int | None:
    """The orders that are enough from tick to tick for usual motions; None where those are hardly fewer than all."""
    periods = [float(scheme.clock.period) for scheme in model.schemes if scheme.clock is not None]
    if not periods:
        return None
    short = min(1.0, min(periods) / USUAL_RADIUS)
    if short == 1.0:
        return None
    found = max(LEAST_ORDER, math.ceil(math.log(short_error(order)) / math.log(short)))
    return found if found <= max(LEAST_SAVED, int(MOST_SAVED * order)) and found < order else None


def moving_numbers(model: Model) -> int:
    """How many numbers of a state may change within a step: the first ones."""
    flowing = {each.name for scheme in model.schemes if scheme.clock is None for each in scheme.stores}
    moves = [each.kind in ("current", "shear") or each.name in flowing for each in model.memory]
    return model.nq + model.nv + max((i + 1 for i, each in enumerate(moves) if each), default=0)


def flow_series(program: Program, order: int, most: int = 0) -> Taylor:
    """The series of a flow, as rows or a table where the program is long; their bits depend on the program alone.

    Args:
        program: The flow.
        order: The highest order.
        most: Lines up to which machine code is made at once, though the program may count as long.
    """
    large = is_large(program)
    table = is_long(program) and len(program) >= most and not large
    return compile_taylor(program, order=order, cache=USER, quick=table, rows=large)


@dataclass(eq=False)
class CompiledStructure:
    """The compiled equations of one structure."""

    engine: Engine
    structure: Structure
    order: int
    given: Array | None = None
    """The numbers of the block p of its flow that come before the modes; None for zeros."""
    pushed: bool = False
    """Whether its flow has the forces of hands among its inputs: see `automaton.Hands`."""
    passages: dict[str, tuple[Kernel | DecidedPassage, tuple[str, ...]]] = field(default_factory=dict)
    natives: dict[str, tuple[Native, tuple[str, ...]]] = field(default_factory=dict)
    steps_taken: int = 0
    """Steps that were taken in it."""
    derived: dict[str, tuple[Program, tuple[str, ...]]] = field(default_factory=dict)

    @property
    def mode(self) -> Mode:
        """Its equations as graphs."""
        return self.engine.automaton.mode(self.structure)

    @once_property
    def equations(self) -> ModeEquations:
        """Its equations."""
        flow, _ = self._recalled("flow" + self._by_hand, lambda: (self.mode.flow(self.pushed), ()))
        return ModeEquations(structure=self.structure, exits=self.mode.exits, flow=flow)

    @property
    def _by_hand(self) -> str:
        return " under hands" if self.pushed else ""

    def _recalled(self, what: str, derive: Callable[[], Derived]) -> Derived:
        """What is derived of this structure, kept on disk where it is written in a file of plain numbers."""
        engine, model = self.engine, self.engine.model
        with placed(model.span):
            if engine.plain is not engine or all(each is not self.structure for each in model.structures):
                return derive()
            key = "simulation", [(each.kind, each.name) for each in model.memory], self.structure.name, what
            return engine.recalled(*key) or engine.keep(derive(), *key)

    @once_property
    def modes(self) -> Modes:
        """Its equations with comparisons frozen."""
        made: list[Modes] = []

        def split() -> Modes:
            if not made:
                made.append(split_modes(self.equations.flow))
            return made[0]

        def frozen() -> Derived:
            modes = split()
            return modes.program, (str(modes.first), *(f"{each.mode} {each.kind}" for each in modes.switches))

        program, (first, *switches) = self._recalled("modes" + self._by_hand, frozen)
        initial, _ = self._recalled("first modes" + self._by_hand, lambda: (split().initial, ()))
        kinds: list[Any] = [text.split() for text in switches]
        return Modes(
            program=program,
            initial=initial,
            first=int(first),
            count=initial.outputs[0][1],
            switches=tuple(Switch(mode=int(mode), kind=kind) for mode, kind in kinds),
        )

    @once_property
    def parts(self) -> Sparsity:
        """Which derivatives its flow has, and what in it falls apart."""
        from sistel.simulation.implicit._kernels import ImplicitFlow

        return ImplicitFlow(self.modes.program).sparsity

    @once_property
    def is_long_tree(self) -> bool:
        """Whether its equations are long, and nothing holds beside the joints of the tree."""
        return self.mode.is_tree and not self.mode.forced and is_long(self.modes.program)

    @once_property
    def taylor(self) -> Taylor:
        """Its flow as series."""
        return self._series(quick=is_long(self.modes.program))

    def _series(self, *, quick: bool) -> Taylor:
        """Its flow as series, with a function of the first orders where clocks tick so quickly that they are enough."""
        program, model = self.modes.program, self.engine.model
        if is_large(program):
            return flow_series(program, self.order)
        low = low_order(model, self.order)
        moving = None if low is None else moving_numbers(model)
        return compile_taylor(program, order=self.order, cache=USER, quick=quick, low=low, moving=moving)

    @property
    def goes_by_stages(self) -> bool:
        """Whether a few values of its rates take less time from tick to tick than series of few orders do."""
        return self.order <= STAGES_ORDER and self.is_long_tree and not is_large(self.modes.program)

    @once_property
    def rates(self) -> tuple[Program, Native]:
        """The rates of what moves, alone."""
        program, graph = self.modes.program, Graph()
        found = replay(program, *(graph.inputs(name, size) for name, size in program.inputs))
        made = graph.program({"dy": found[0][: moving_numbers(self.engine.model)]})
        return made, native(made, LONG_RATES)

    @property
    def walked(self) -> int:
        """Steps that were taken with its series."""
        return self.steps_taken

    def walk(self, steps: int) -> None:
        """Count steps that were taken with its series."""
        self.steps_taken += steps

    def optimise(self) -> bool:
        """Compile its flow with all optimisation, if that was left out so far; the same bits in less time."""
        with COMPILING:
            if not self.taylor.quick:
                return False
            self.__dict__["taylor"] = self._series(quick=False)
            return True

    @once_property
    def first_modes(self) -> Kernel:
        """What the comparisons are at a state."""
        return kernel(self.modes.initial, "modes")

    @once_property
    def native_modes(self) -> Native:
        """The same as a native function."""
        return native(self.modes.initial)

    def parameters(self, y: Array) -> Array:
        """The block p of the flow at a state: what is given, then the modes that hold there."""
        modes = self.modes
        p = np.zeros(max(1, self.taylor.parameters))
        head = self.engine.hoisted if self.given is None else self.given
        if head is not None:
            p[: modes.first] = head[: modes.first]
        if modes.count:
            blocks = {"y": y, "p": p[: modes.first]}
            found: Any = self.first_modes(*(blocks[name] for name, _ in modes.initial.inputs))
            p[modes.first : modes.first + modes.count] = np.asarray(found)
        return p

    def blocks(self, program: Program, **known: Array) -> list[Array]:
        """The arguments of a kernel: what is known by name, and what live parameters determine."""
        hoisted = self.engine.hoisted
        return [
            hoisted[:size] if name == LIVE and hoisted is not None else known[name] for name, size in program.inputs
        ]

    @property
    def leaves(self) -> int:
        """Watched functions of conditions; those of modes come after them."""
        return sum(len(each.condition.leaves) for each in self.equations.exits)

    @once_property
    def directions(self) -> NDArray[np.int64]:
        """In which direction the zeros of every watched function count."""
        kinds = [leaf.kind for each in self.equations.exits for leaf in each.condition.leaves]
        every = [_DIRECTIONS[kind] for kind in kinds] + [0] * len(self.modes.switches)
        return np.array([*every, 0], dtype=np.int64)

    @once_property
    def corrects(self) -> bool:
        """Whether steps end with a correction: of constraints, or of the length of quaternions."""
        return self.mode.corrects

    @once_property
    def projection(self) -> Native:
        """One step back to the constraints, as a native function."""
        return native(self.projection_program, EVERY_STEP)

    @once_property
    def _back(self) -> Kernel:
        return kernel(self.projection_program, "projection", EVERY_STEP)

    @once_property
    def projection_program(self) -> Program:
        """One step back to the constraints."""
        return self._recalled("projection", lambda: (self.mode.projection(), ()))[0]

    def corrected(self, y: Array, anchor: Array) -> tuple[Array, float]:
        """A state one step nearer to the constraints, and how far off it was [m or rad]."""
        back: Any = self._back(*self.blocks(self.projection_program, y=y, p=anchor))
        return np.array(back[0]), float(back[1][0]) ** 0.5

    @once_property
    def native_anchors(self) -> Native | None:
        """What links that hold a place find there, as a native function."""
        return native(self.anchor_program) if self.anchor_count else None

    @once_property
    def anchor_program(self) -> Program:
        """What links that hold a place find there."""
        return self._recalled("anchors", lambda: (self.mode.anchors(), ()))[0]

    @once_property
    def anchor_count(self) -> int:
        """How many numbers its links keep of the places they hold."""
        return self.mode.anchor_count

    @property
    def travels(self) -> bool:
        """Whether machine code takes its exits, and finds the places that its links hold."""
        return True

    def takes(self, transition: Transition) -> bool:
        """Whether machine code takes an exit of it, where that is compiled."""
        return True

    def passage_program(self, transition: Transition) -> Program:
        """What a transition that leaves this structure does."""
        return self._derived_passage(self.key(transition), transition)[0]

    def key(self, transition: Transition) -> str:
        """What tells a transition from all others: two of them may have one name and one target."""
        places = (place for place, each in enumerate(self.engine.model.transitions) if each is transition)
        return f"{next(places, '')}\0{transition.name}\0{transition.target}"

    def _derived_passage(self, key: str, transition: Transition) -> tuple[Program, tuple[str, ...]]:
        """What a transition does, derived once for both ways of calling it."""
        with COMPILING:
            if key not in self.derived:
                edge = self.engine.automaton.edge(transition)
                self.derived[key] = self._recalled(f"passage {key}", lambda: edge.map(self.mode))
            return self.derived[key]

    def known_passage(self, transition: Transition) -> tuple[Native, tuple[str, ...]] | None:
        """As `native_passage`, where that is compiled."""
        return self.natives.get(self.key(transition))

    def native_passage(self, transition: Transition) -> tuple[Native, tuple[str, ...]] | None:
        """As `passage`, as a native function; None where its impact is searched for, or links are pulled together."""
        if self.engine.automaton.edge(transition).searched or transition.within:
            return None
        key = self.key(transition)
        with COMPILING:
            if key not in self.natives:
                program, names = self._derived_passage(key, transition)
                self.natives[key] = native(program, most_lines(transition)), names
            return self.natives[key]

    @once_property
    def anchored(self) -> Kernel | None:
        """What links that hold a place find there."""
        if not self.anchor_count:
            return None
        return kernel(self.anchor_program, "anchors")

    def anchors(self, y: Array) -> Array:
        """The places that links hold from now on."""
        found: Any = np.zeros(1) if self.anchored is None else self.anchored(*self.blocks(self.anchor_program, y=y))
        return np.asarray(found)

    def passed(self, transition: Transition, y: Array) -> tuple[Any, tuple[str, ...]]:
        """What a transition makes of a state: as the blocks of `passage`, with the names of the links."""
        kernel, names = self.passage(transition)
        if isinstance(kernel, DecidedPassage):
            return kernel(y), names
        return kernel(*self.blocks(self.passage_program(transition), y=y)), names

    def passage(self, transition: Transition) -> tuple[Kernel | DecidedPassage, tuple[str, ...]]:
        """What a transition that leaves this structure does, and the links whose impulses it gives."""
        key = self.key(transition)
        with COMPILING:
            if key not in self.passages and self.engine.automaton.edge(transition).searched:
                target = self.engine.model.structure(transition.target)
                decided = DecidedPassage(self.engine, transition, self.structure, target)
                self.passages[key] = decided, decided.names
            elif key not in self.passages:
                program, names = self._derived_passage(key, transition)
                self.passages[key] = kernel(program, "passage", most_lines(transition)), names
            return self.passages[key]
