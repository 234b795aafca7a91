"""Which method of stages a simulation takes, and the flows that it has compiled for it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from sistel.automaton import derive_momenta
from sistel.kernels import USER
from sistel.simulation.explicit._tableau import dormand_prince
from sistel.simulation.implicit._kernels import FINEST, LONG, LONG_RATES, ImplicitFlow, ImplicitSteps, Kind
from sistel.simulation.implicit._tableaus import Method, gauss, radau_for

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.expr import Modes
    from sistel.kernels import Native
    from sistel.simulation._compiled_structure import CompiledStructure
    from sistel.simulation.implicit._sparsity import Sparsity


Rates = Callable[["Array"], "Array"]
"""The rates of some states, shape (states, size)."""

DIFFERENCE = 1e-6
"""Of states, for derivatives that need few digits."""
STIFF = 2.0
"""Steps of a Taylor method times the fastest decay, from which on the decay rules the steps: motions that do not decay
quickly stay below 0.1, those that do come to some 5."""


@dataclass(eq=False)
class Scheme:
    """A method of stages for the structures of a system.

    Attributes:
        kind: "radau" for stiff systems, "gauss" for long runs that keep their energy, "runge-kutta", which is
            explicit, for loose tolerances.
        tolerance: Relative error of a step, but of Gauss's method; no smaller than the arithmetic allows.
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
            long = LONG_RATES if self.kind == "runge-kutta" else LONG
            flow = ImplicitFlow(whole if momenta is None else momenta.whole, cache, momenta, long)
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


def fastest_decay(compiled: CompiledStructure, y: Array, p: Array, rates: Rates | None = None) -> float:
    """The largest rate at which a small disturbance of a state dies away [1/s]; 0 where none does.

    The derivatives are differences of rates, without others of those that the Taylor series begin with: nothing is
    compiled for a question that most motions answer with no.
    """
    found = rates or _series_rates(compiled, p)
    parts = compiled.parts
    if len(parts.entries):
        return max(_decay(block) for block in _derivatives_of_parts(parts, y, found))
    size = len(y) - 1  # the time does not decay
    states = np.repeat(y[None], 2 * size, axis=0)
    for i in range(size):
        states[2 * i, i] += DIFFERENCE * max(1.0, abs(y[i]))
        states[2 * i + 1, i] -= DIFFERENCE * max(1.0, abs(y[i]))
    values = found(states)[:, :size]
    matrix = np.zeros((size, size))
    for i in range(size):
        matrix[:, i] = (values[2 * i] - values[2 * i + 1]) / (states[2 * i, i] - states[2 * i + 1, i])
    return _decay(matrix)


def _decay(matrix: Array) -> float:
    """How fast what decays most quickly does, by the derivatives of its rates [1/s]."""
    if not np.isfinite(matrix).all():
        return 0.0
    return max(0.0, -float(np.linalg.eigvals(matrix).real.min()))


def _derivatives_of_parts(parts: Sparsity, y: Array, rates: Rates) -> Iterator[Array]:
    """The derivatives of the rates of every part of a system by its own components: velocities, then coordinates."""
    steps = DIFFERENCE * np.maximum(1.0, np.abs(y))
    moved = parts.seeds * steps
    values = rates(np.concatenate([y + moved, y - moved]))
    count = len(parts.seeds)
    # Of a column that is alone in its direction every number is its own; of others, those in its rows are.
    along = (values[:count] - values[count:]).reshape(-1)
    sizes = np.zeros(2 * parts.area)
    columns = _columns_of(parts)
    sizes[parts.entries[1::2]] = along[parts.entries[::2]] / (2.0 * steps[columns])
    for first, size, place, follows in parts.blocks.reshape(-1, 4):
        K = sizes[place : place + size * size].reshape(size, size)
        if not follows:
            yield K
            continue
        F = sizes[parts.area + place : parts.area + place + size * size].reshape(size, size)
        whole = np.zeros((2 * size, 2 * size))
        whole[:size, :size], whole[:size, size:] = K, F
        whole[size:, :size] = np.diag(parts.followers[first : first + size] >= 0)
        yield whole


def _columns_of(parts: Sparsity) -> Array:
    """The component by which each of the derivatives is taken."""
    wide = np.zeros(2 * parts.area, dtype=np.int64)
    for first, size, place, _ in parts.blocks.reshape(-1, 4):
        members = slice(first, first + size)
        wide[place : place + size * size] = np.tile(parts.order[members], size)
        wide[parts.area + place : parts.area + place + size * size] = np.tile(parts.followers[members], size)
    return np.asarray(wide[parts.entries[1::2]])


def _series_rates(compiled: CompiledStructure, p: Array) -> Rates:
    """The rates that the Taylor series of a structure begin with."""
    taylor = compiled.taylor
    given = p[: taylor.parameters]
    return lambda states: np.array([np.asarray(taylor(state, given)[0])[:, 1] for state in states])


def looks_stiff(compiled: CompiledStructure, y: Array, p: Array, step: float, rates: Rates | None = None) -> bool:
    """Whether the steps of an explicit method are ruled by what dies away quickly.

    Args:
        compiled: The structure.
        y: A state well after the start, the time last.
        p: Parameters and modes.
        step: Length of the last steps [s].
        rates: Those of states, shape (states, size); without, from the Taylor series.
    """
    return step * fastest_decay(compiled, y, p, rates) > STIFF
