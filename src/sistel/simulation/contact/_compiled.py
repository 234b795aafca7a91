"""A structure of the file with statuses of its elements, compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import OPEN, STRIKES, ModeEquations, Statuses
from sistel.expr import LIVE, Modes, Program
from sistel.model import Transition
from sistel.simulation._compiled_structure import CompiledStructure
from sistel.simulation.contact._equations import Overlay

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.kernels import Kernel, Native, Taylor
    from sistel.simulation.contact._searched_impacts import DecidedPassage


@dataclass(eq=False)
class CompiledContacts(CompiledStructure):
    """The compiled equations of a structure of the file with statuses of its elements."""

    overlay: Overlay | None = None
    statuses: Statuses = ()

    @property
    def own(self) -> Overlay:
        """What it shares with all other statuses."""
        assert self.overlay is not None
        return self.overlay

    @property
    def travels(self) -> bool:
        """Never: what follows its events is decided by a complementarity problem."""
        return False

    @property
    def equations(self) -> ModeEquations:
        """Its equations."""
        return self.own.mode.equations(self.structure, self.statuses)

    @property
    def modes(self) -> Modes:
        """Its equations with comparisons frozen."""
        return self.own.mode.modes

    @property
    def taylor(self) -> Taylor:
        """Its flow as series."""
        return self.own.taylor

    @property
    def walked(self) -> int:
        """Steps that were taken with its series, whatever the statuses were."""
        return self.own.steps_taken

    def walk(self, steps: int) -> None:
        """Count steps that were taken with its series."""
        self.own.steps_taken += steps

    def optimise(self) -> bool:
        """Compile the flow with all optimisation, for all statuses, if that was left out so far."""
        return self.own.optimise()

    @property
    def first_modes(self) -> Kernel:
        """What the comparisons are at a state."""
        return self.own.first_modes

    @property
    def native_modes(self) -> Native:
        """The same as a native function."""
        return self.own.native_modes

    @property
    def corrects(self) -> bool:
        """Whether steps end with a correction: always, what does not hold is not corrected."""
        return True

    @property
    def projection(self) -> Native:
        """One step back to the constraints, as a native function."""
        return self.own.projection

    @property
    def projection_program(self) -> Program:
        """One step back to the constraints."""
        return self.own.mode.projection

    def anchors(self, y: Array) -> Array:
        """Which rows hold, and the places that they hold from now on."""
        assert self.given is not None
        parts = [self.given[: self.own.mode.layout.holding]]
        if self.own.mode.anchor_count:
            parts.append(np.atleast_1d(np.asarray(self.own.base_anchored(y))))
        if self.own.mode.found_count:
            parts.append(np.atleast_1d(np.asarray(self.own.anchored(y))))
        return np.concatenate(parts)

    def blocks(self, program: Program, **known: Array) -> list[Array]:
        """The arguments of a kernel; what statuses say stands in the place of live parameters."""
        if self.given is None or self.engine.hoisted is not None:
            return super().blocks(program, **known)
        head = {LIVE: self.given[: dict(program.inputs).get(LIVE, 0)], **known}
        return [head[name] for name, _ in program.inputs]

    def known_passage(self, transition: Transition) -> tuple[Native, tuple[str, ...]] | None:
        """What an element does that strikes alone, where that is compiled, or a tick; whatever the statuses are now."""
        if transition.tick:
            return self.own.tick(transition).native, ()
        index = self.own.mode.index_of(transition)
        strike = None if index is None else self.own.strikes.get(index)
        return None if strike is None else (strike.native, (self.own.mode.layout.elements[index or 0].label,))

    def passage_program(self, transition: Transition) -> Program:
        """Of a known passage."""
        if transition.tick or transition.chart:
            return self.own.tick(transition).program
        index = self.own.mode.index_of(transition)
        return super().passage_program(transition) if index is None else self.own.strikes[index].program

    def passage(self, transition: Transition) -> tuple[Kernel | DecidedPassage, tuple[str, ...]]:
        """What a transition does; a tick, or a step of a behaviour, does the same whatever the statuses are."""
        own = transition.tick or transition.chart
        return (self.own.tick(transition).kernel, ()) if own else super().passage(transition)

    def takes(self, transition: Transition) -> bool:
        """Whether an exit is a tick, or a strike of an element alone, with all elements open."""
        if transition.tick:
            return True
        strikes = self.own.mode.index_of(transition) is not None and transition.name.endswith(f" {STRIKES}")
        return strikes and all(status == OPEN for status in self.statuses)
