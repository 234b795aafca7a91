"""A structure compiled for simulation: its flow as Taylor series, its modes, and the way back to its constraints."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.expr import LIVE, Modes, Program, split_modes
from sistel.kernels import compile_program, compile_taylor, user_cache
from sistel.model import Structure, Transition
from sistel.simulation._conditions import CROSSES, FALLS, HOLDS, RISES
from sistel.simulation._decided import DecidedPassage
from sistel.simulation._impacts import decides
from sistel.simulation._maps import anchor_sizes, derive_anchors, derive_passage, derive_projection
from sistel.simulation._stage import Stage, derive_stage, has_forced

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.engine import Engine
    from sistel.kernels import Kernel, Taylor

    Array = NDArray[np.float64]

_DIRECTIONS = {HOLDS: 0, RISES: 1, FALLS: -1, CROSSES: 0}


Native = tuple[object, int]
"""What keeps the code of a kernel alive, and its address."""


def native(program: Program) -> Native:
    """A program as a native function of rows, see `kernels`."""
    from sistel.kernels._llvm import FUNCTION, LlvmRunner

    runner = LlvmRunner(program, width=None, threads=None, cache=user_cache())
    return runner, runner.scalar_code.address(FUNCTION)


@dataclass(eq=False)
class Machine:
    """The compiled equations of one structure."""

    engine: Engine
    structure: Structure
    order: int
    given: Array | None = None
    """The numbers of the block p of its flow that come before the modes; None for zeros."""
    passages: dict[str, tuple[Kernel | DecidedPassage, tuple[str, ...]]] = field(default_factory=dict)
    natives: dict[str, tuple[Native, tuple[str, ...]]] = field(default_factory=dict)
    derived: dict[str, tuple[Program, tuple[str, ...]]] = field(default_factory=dict)

    @cached_property
    def stage(self) -> Stage:
        """Its equations."""
        return derive_stage(self.engine, self.structure)

    @cached_property
    def modes(self) -> Modes:
        """Its equations with comparisons frozen."""
        return split_modes(self.stage.flow)

    @cached_property
    def taylor(self) -> Taylor:
        """Its flow as machine code."""
        return compile_taylor(self.modes.program, order=self.order, cache=user_cache())

    @cached_property
    def first_modes(self) -> Kernel:
        """What the comparisons are at a state."""
        return compile_program(self.modes.initial, name="modes", cache=user_cache())

    @cached_property
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
        return sum(len(each.condition.leaves) for each in self.stage.exits)

    @cached_property
    def directions(self) -> NDArray[np.int64]:
        """In which direction the zeros of every watched function count."""
        kinds = [leaf.kind for each in self.stage.exits for leaf in each.condition.leaves]
        every = [_DIRECTIONS[kind] for kind in kinds] + [0] * len(self.modes.switches)
        return np.array([*every, 0], dtype=np.int64)

    @cached_property
    def corrects(self) -> bool:
        """Whether steps end with a correction: of constraints, or of the length of quaternions."""
        held = self.structure.holds or self.structure.changes or has_forced(self.engine.model, self.structure)
        return bool(held) or any(body.joint.type.has_quaternion for body in self.engine.model.bodies)

    @cached_property
    def projection(self) -> Native:
        """One step back to the constraints, as a native function."""
        return native(self.projection_program)

    @cached_property
    def _back(self) -> Kernel:
        return compile_program(self.projection_program, name="projection", cache=user_cache())

    @cached_property
    def projection_program(self) -> Program:
        """One step back to the constraints."""
        return self.engine.hoist(derive_projection(self.engine, self.structure))

    def corrected(self, y: Array, anchor: Array) -> tuple[Array, float]:
        """A state one step nearer to the constraints, and how far off it was [m or rad]."""
        back: Any = self._back(*self.blocks(self.projection_program, y=y, p=anchor))
        return np.array(back[0]), float(back[1][0]) ** 0.5

    @cached_property
    def native_anchors(self) -> Native | None:
        """What links that hold a place find there, as a native function."""
        return native(self.anchor_program) if self.anchor_count else None

    @cached_property
    def anchor_program(self) -> Program:
        """What links that hold a place find there."""
        return self.engine.hoist(derive_anchors(self.engine, self.structure))

    @cached_property
    def anchor_count(self) -> int:
        """How many numbers its links keep of the places they hold."""
        return sum(anchor_sizes(self.engine, self.structure).values())

    @property
    def travels(self) -> bool:
        """Whether machine code takes its exits, and finds the places that its links hold."""
        return True

    def passage_program(self, transition: Transition) -> Program:
        """What a transition that leaves this structure does."""
        return self._derived_passage(transition.name + "\0" + transition.target, transition)[0]

    def _derived_passage(self, key: str, transition: Transition) -> tuple[Program, tuple[str, ...]]:
        """What a transition does, derived once for both ways of calling it."""
        if key not in self.derived:
            target = self.engine.model.structure(transition.target)
            program, names = derive_passage(self.engine, transition, target)
            self.derived[key] = self.engine.hoist(program), names
        return self.derived[key]

    def known_passage(self, transition: Transition) -> tuple[Native, tuple[str, ...]] | None:
        """As `native_passage`, where that is compiled."""
        return self.natives.get(transition.name + "\0" + transition.target)

    def native_passage(self, transition: Transition) -> tuple[Native, tuple[str, ...]] | None:
        """As `passage`, as a native function; None where its impact has to be searched for."""
        if decides(self.engine, transition):
            return None
        key = transition.name + "\0" + transition.target
        if key not in self.natives:
            program, names = self._derived_passage(key, transition)
            self.natives[key] = native(program), names
        return self.natives[key]

    @cached_property
    def anchored(self) -> Kernel | None:
        """What links that hold a place find there."""
        if not self.anchor_count:
            return None
        return compile_program(self.anchor_program, name="anchors", cache=user_cache())

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
        key = transition.name + "\0" + transition.target
        if key not in self.passages and decides(self.engine, transition):
            decided = DecidedPassage(self.engine, transition, self.engine.model.structure(transition.target))
            self.passages[key] = decided, decided.names
        elif key not in self.passages:
            program, names = self._derived_passage(key, transition)
            self.passages[key] = compile_program(program, name="passage", cache=user_cache()), names
        return self.passages[key]
