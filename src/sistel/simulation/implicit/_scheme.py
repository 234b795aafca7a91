"""Which implicit method a simulation takes, and the flows that it has compiled for it."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import derive_momenta
from sistel.kernels import USER
from sistel.simulation.explicit._tableau import dormand_prince
from sistel.simulation.implicit._kernels import FINEST, ImplicitFlow, ImplicitSteps, Kind
from sistel.simulation.implicit._tableaus import Method, gauss, radau_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.expr import Modes
    from sistel.kernels import Native
    from sistel.simulation._compiled_structure import CompiledStructure

    Array = NDArray[np.float64]

DIFFERENCE = 1e-6
"""Of states, for derivatives that need few digits."""
STIFF = 2.0
"""Steps of a Taylor method times the fastest decay, from which on the decay rules the steps: motions that do not decay
quickly stay below 0.1, those that do come to some 5."""


@dataclass(eq=False)
class Scheme:
    """An implicit method for the structures of a system.

    Attributes:
        kind: "radau" for stiff systems, "gauss" for long runs that keep their energy.
        tolerance: Relative error of a step of Radau's method; no smaller than its arithmetic allows.
        step: Length of a step of Gauss's method [s].
        stages: Of Gauss's method, whose order is twice their number.
    """

    kind: Kind
    tolerance: float = FINEST
    step: float = 0.0
    stages: int = 4
    _flows: dict[int, tuple[Modes, ImplicitFlow]] = field(default_factory=dict)
    """By what they were made of, which structures that contacts make share; kept with it, so that no other has its
    number."""

    @property
    def method(self) -> Method:
        """The table of the method."""
        if self.kind == "runge-kutta":
            return dormand_prince()
        return gauss(self.stages) if self.kind == "gauss" else radau_for(self.tolerance)

    def flow(self, compiled: CompiledStructure) -> ImplicitFlow:
        """The equations of a structure, compiled when they are first asked for."""
        modes = compiled.modes
        if id(modes) not in self._flows:
            whole, cache = modes.program, USER
            momenta = None
            if self.kind == "gauss" and not compiled.corrects:
                momenta = derive_momenta(compiled.engine.automaton, whole)
            flow = ImplicitFlow(whole if momenta is None else momenta.whole, cache, momenta)
            self._flows[id(modes)] = modes, flow
        return self._flows[id(modes)][1]

    def steps(
        self,
        compiled: CompiledStructure,
        y: Array,
        p: Array,
        *,
        until: float,
        room: int,
        longest: float = math.inf,
        weights: Array | None = None,
        correct: tuple[Native, NDArray[np.int64], Array] | None = None,
    ) -> ImplicitSteps:
        """The steps of a stay in a structure; see `ImplicitSteps` for the arguments."""
        return ImplicitSteps(
            self.flow(compiled),
            self.kind,
            self.method,
            y,
            p,
            until=until,
            room=room,
            directions=compiled.directions,
            step=self.step,
            tolerance=self.tolerance,
            longest=longest,
            weights=weights,
            correct=correct,
        )


def fastest_decay(compiled: CompiledStructure, y: Array, p: Array) -> float:
    """The largest rate at which a small disturbance of a state dies away [1/s]; 0 where none does.

    The derivatives are differences of the rates that the Taylor series begin with: nothing is compiled for a question
    that most motions answer with no.
    """
    taylor = compiled.taylor
    given = p[: taylor.parameters]
    size = taylor.size - 1  # the time does not decay
    matrix = np.zeros((size, size))
    for i in range(size):
        ahead, behind = y.copy(), y.copy()
        ahead[i] += DIFFERENCE * max(1.0, abs(y[i]))
        behind[i] -= DIFFERENCE * max(1.0, abs(y[i]))
        rates = [np.asarray(taylor(state, given)[0])[:size, 1] for state in (ahead, behind)]
        matrix[:, i] = (rates[0] - rates[1]) / (ahead[i] - behind[i])
    if not np.isfinite(matrix).all():
        return 0.0
    return max(0.0, -float(np.linalg.eigvals(matrix).real.min()))


def looks_stiff(compiled: CompiledStructure, y: Array, p: Array, step: float) -> bool:
    """Whether the steps of the Taylor method are ruled by what dies away quickly.

    Args:
        compiled: The structure.
        y: A state well after the start, the time last.
        p: Parameters and modes.
        step: Length of the last steps [s].
    """
    return step * fastest_decay(compiled, y, p) > STIFF
