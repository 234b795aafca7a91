"""A linear system with names: what `System.linearize` gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel import shown
from sistel.errors import Text
from sistel.linear._analysis import Reach, poles, reach, without_noise
from sistel.linear._directions import displacement
from sistel.records import record

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.linear._analysis import Complex
    from sistel.linear._design import Feedback
    from sistel.model import Model

Kind = Literal["place", "rate", "flow", "input", "output"]
STILL = 1e-9
"""Rate of a state, relative to the largest number of A and to 1, under which the point counts as an equilibrium."""


@record
class Variable:
    """A state, an input or an output."""

    name: str
    unit: str
    """SI; empty for plain numbers."""
    value: float
    """At the point; of a small turn, 0."""
    kind: Kind
    index: int = 0
    """Of a place or a rate: which of the velocities of the model."""


@record
class Linear:
    """A linear system: ẋ = A x + B u, y = C x + D u, for small deviations from a point; frozen."""

    A: Array
    """Rates of the states by the states, shape (states, states).

    Of a discrete system, the states after a step by those before it.
    """
    B: Array
    """Rates of the states by the inputs, shape (states, inputs)."""
    C: Array
    """Outputs by the states, shape (outputs, states): the unit matrix where no outputs were asked for."""
    D: Array
    """Outputs by the inputs, shape (outputs, inputs).

    Reactions and forces depend on inputs at once, places and velocities do not.
    """
    states: tuple[Variable, ...]
    """Independent coordinates, then velocities (with an apostrophe), then currents and stores of schemes."""
    inputs: tuple[Variable, ...]
    """Forces of motors, or voltages.

    Names of coordinates stand for forces there.
    """
    outputs: tuple[Variable, ...]
    """Expressions of the language, or the states."""
    model: Model
    """The system."""
    structure: str
    """Name of the structure."""
    q: Array
    """Coordinates of the point, shape (nq,)."""
    v: Array
    """Velocities of the point, shape (nv,)."""
    t: float
    """Time of the point [s]."""
    rates: Array
    """Rates of the states at the point itself: zero in an equilibrium, shape (states,)."""
    warnings: tuple[Text, ...] = ()
    """What a user must know of it."""
    period: float | None = None
    """Of a discrete system, the time of a step [s]: x(k + 1) = A x(k) + B u(k); None where time is continuous."""

    # --- what it tells -----------------------------------------------------------------------------------------------

    @property
    def state_names(self) -> tuple[str, ...]:
        """Names of the states."""
        return tuple(each.name for each in self.states)

    @property
    def input_names(self) -> tuple[str, ...]:
        """Names of the inputs."""
        return tuple(each.name for each in self.inputs)

    @property
    def output_names(self) -> tuple[str, ...]:
        """Names of the outputs."""
        return tuple(each.name for each in self.outputs)

    @property
    def equilibrium(self) -> bool:
        """Whether the point stays what it is; coordinates on which nothing depends, as a vehicle's place, may go on."""
        A = without_noise(self.A)
        matter = [i for i, each in enumerate(self.states) if each.kind != "place" or A[:, i].any()]
        most = float(np.abs(self.rates[matter]).max(initial=0.0))
        return most <= STILL * max(1.0, float(np.abs(A).max(initial=0.0)))

    @property
    def poles(self) -> Complex:
        """Eigenvalues of A [1/s], or of a step; by their real parts, ascending."""
        return poles(self.A)

    @property
    def _roots(self) -> Complex:
        """Poles of the continuous system that a discrete one is of."""
        if self.period is None:
            return self.poles
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.poles) / self.period)

    @property
    def frequencies(self) -> Array:
        """Natural angular frequency of every pole, |λ| [rad/s]."""
        return np.abs(self._roots)

    @property
    def damping(self) -> Array:
        """Damping ratio of every pole, -Re λ / |λ|: 1 dies away without swinging, below 0 grows; 0 of a pole at 0."""
        roots = self._roots
        sizes = np.abs(roots)
        return np.divide(-roots.real, sizes, out=np.zeros(len(roots)), where=sizes > 0.0)

    @property
    def stable(self) -> bool:
        """Whether every deviation dies away."""
        found = self.poles
        return bool((found.real < 0.0).all() if self.period is None else (np.abs(found) < 1.0).all())

    @property
    def controllability(self) -> Reach:
        """Which modes the inputs can move."""
        return reach(self.A, self.B, self.state_names, self.period)

    @property
    def observability(self) -> Reach:
        """Which modes the outputs show."""
        return reach(self.A.T, self.C.T, self.state_names, self.period)

    def deviation(self, q: ArrayLike, v: ArrayLike) -> Array:
        """The states of another point as deviations from this one: what a feedback multiplies.

        Args:
            q: Coordinates, shape (nq,).
            v: Velocities, shape (nv,).

        Returns:
            Shape (states,); currents and stores, which q and v do not tell, are 0.
        """
        shift = displacement(self.model, self.q, np.asarray(q, dtype=float))
        change = {"place": shift, "rate": np.asarray(v, dtype=float) - self.v}
        return np.array([change[each.kind][each.index] if each.kind in change else 0.0 for each in self.states])

    # --- other systems -----------------------------------------------------------------------------------------------

    def only(self, names: Sequence[str] | None = None) -> Linear:
        """The same without some states.

        Args:
            names: States that are kept, in this order; without, all but those on which neither a rate nor a named
                output depends, as the place of a vehicle and the angles of its wheels.

        Raises:
            SistelError: A rate of a state that is kept depends on one that is not.
        """
        from sistel.linear._parts import only

        return only(self, names)

    def closed(self, K: ArrayLike) -> Linear:
        """The system with the feedback u = -K x, K of shape (inputs, states)."""
        from sistel.linear._parts import closed

        return closed(self, np.asarray(K, dtype=float))

    def discrete(self, period: float) -> Linear:
        """The system from step to step where inputs are held in between (zero-order hold), exactly.

        Args:
            period: Time of a step [s].

        Raises:
            SistelError: The period is not positive, the system is discrete already, or SciPy is not installed.
        """
        from sistel.linear._design import discrete

        return discrete(self, period)

    def lqr(self, Q: ArrayLike | Mapping[str, float], R: ArrayLike | Mapping[str, float] = 1.0) -> Feedback:
        """The feedback u = -K x for which ∫ (xᵀQx + uᵀRu) dt, or its sum over steps, is smallest.

        Args:
            Q: Weights of the states: a matrix, the numbers of its diagonal, or numbers by the names of the states (0
                for those that are not named).
            R: Weights of the inputs, likewise, or one number for all.

        Returns:
            `.K`, `.cost` and `.poles` of the closed system.

        Raises:
            SistelError: A mode that does not die away is out of reach of the inputs, weights are of a wrong shape or
                sign, or SciPy is not installed.
        """
        from sistel.linear._design import lqr

        return lqr(self, Q, R)

    def to_control(self) -> object:
        """The same as a `StateSpace` of the package python-control, with names, in which "_" stands for points."""
        from sistel.linear._design import to_control

        return to_control(self)

    def to_scipy(self) -> object:
        """The same as `scipy.signal.StateSpace`."""
        from sistel.linear._design import to_scipy

        return to_scipy(self)

    def __str__(self) -> str:
        return str(shown.ask("linear", self))

    def __repr__(self) -> str:
        kind = "" if self.period is None else f", step {self.period:g} s"
        sizes = f"{len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
        return f"<Linear of {self.structure!r}: {sizes}{kind}>"

    def _repr_html_(self) -> str:
        return shown.html(self)
