"""Methods of stages put together: kernels of a flow, its derivatives and its watched functions, arrays, and steps."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np

from sistel.automaton import Momenta
from sistel.expr import Expr, Graph, Program, Scalar, dependence, derivative, forward_derivative, replay
from sistel.kernels import USER, Native, compile_program
from sistel.kernels.subset import CompiledFunction, compile_functions
from sistel.once import once, once_property
from sistel.simulation._outcome import Outcome
from sistel.simulation.explicit import _runge_kutta
from sistel.simulation.implicit import _collocation as c
from sistel.simulation.implicit import _gauss, _radau
from sistel.simulation.implicit._sparsity import Sparsity, sparsity, whole
from sistel.simulation.implicit._tableaus import Method
from sistel.simulation.taylor import steps as a

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.kernels import ExactRows, Kernel


Kind = Literal["radau", "gauss", "runge-kutta"]

FINEST = 1e-13
"""The smallest tolerance of Radau's method: below it the estimate of the error is rounding."""

ROOM = 3
"""Rows that kernels may compute beyond those that they are asked for."""

LONG = 10000
"""Lines of a program from which on it is read as a table: machine code would be quicker, after half a minute."""
LONG_FLOW = 2000
"""Lines of a flow from which on Radau's method takes differences of rates for their derivatives, and rates and watched
functions as one program, unless few directions are enough. Derivatives are twenty times as many lines; differences are
that many values of the rates at most, four at a time, and nothing is derived or compiled for them."""
WIDE = 100
"""Numbers of a state up to which that is so: the matrices of larger ones are better of velocities alone."""
SMALL = 25
"""Numbers of a state below which all derivatives are derived, whatever they are."""
FEW = 4
"""Part of the numbers of a state that directions must be at most to be few."""
WHOLE = 400_000
"""Lines of a flow, times the numbers of its state, from which on its derivatives are not derived one by one: the
program of all of them would take seconds to derive, and longer to compile."""
LONG_RATES = 20000
"""The same for the rates of an explicit method, which are all that it takes: three seconds for six times the speed."""


@dataclass(eq=False)
class ImplicitFlow:
    """A flow as methods of stages need it, compiled: rates, their derivatives and watched functions, apart.

    Attributes:
        whole: (y, p) → rates of y, then watched functions, in as many blocks as one likes; p may be missing.
        cache: Where machine code is kept.
        momenta: The change of the state with which `whole` was made, if there is one: steps are taken in momenta, and
            written down in velocities.
        long: Lines of a program from which on it is read as a table.
    """

    whole: Program
    cache: Path | None = None
    momenta: Momenta | None = None
    long: int = LONG

    @property
    def size(self) -> int:
        """Numbers of the state, the time included."""
        return self.whole.outputs[0][1]

    @property
    def watched(self) -> int:
        """Number of watched functions."""
        return len(self.whole.results) - self.size

    @property
    def parameters(self) -> int:
        """Numbers that do not change along the motion, modes included."""
        return sum(size for _, size in self.whole.inputs[1:])

    @once_property
    def together(self) -> ExactRows:
        """(y, p) → dy, watched functions."""
        from sistel.kernels import ExactRows

        return ExactRows(self._program("together"), self.cache)

    @once_property
    def changes(self) -> tuple[Kernel, Kernel] | None:
        """From velocities to momenta, and back."""
        if self.momenta is None:
            return None
        there, back = self.momenta.there, self.momenta.back
        there_code = compile_program(there, name="momenta", cache=self.cache)
        return there_code, compile_program(back, name="velocities", cache=self.cache)

    @property
    def along(self) -> bool:
        """Whether derivatives are found along directions."""
        return len(self.sparsity.entries) > 0

    @property
    def differs(self) -> bool:
        """Whether derivatives are differences of rates."""
        return len(self.whole) >= LONG_FLOW and not self.along

    @once_property
    def sparsity(self) -> Sparsity:
        """Which derivatives there are, and how they are found.

        Along directions, where to derive each of them would take long, or where few directions are enough; not along
        directions where they are differences of rates.
        """
        if self.size < SMALL:
            return whole(self.size)
        graph, y, rates, _ = self._replayed()
        places = {each.index: place for place, each in enumerate(y)}
        leaders = [places.get(rate.index) if isinstance(rate, Expr) else None for rate in rates]
        found = sparsity(dependence(graph, rates, y), leaders)
        few = FEW * len(found.seeds) <= self.size
        long = len(self.whole) >= LONG_FLOW and self.size <= WIDE
        return found if few or (not long and self.size * len(self.whole) > WHOLE) else whole(self.size)

    def _program(self, name: str) -> Program:
        graph, y, rates, watched = self._replayed()
        if name == "jacobian" and self.along:
            direction = graph.inputs("direction", self.size)
            return graph.program({"J": derivative(graph, rates, dict(zip(y, direction, strict=True)))})
        if name == "jacobian":
            rows = forward_derivative(graph, rates, y)
            return graph.program({"J": [entry for row in rows for entry in row]})
        if name == "together":
            return graph.program({"rates": rates, "watched": watched or [0.0]})
        return graph.program({"out": rates if name == "rates" else watched or [0.0]})

    def _replayed(self) -> tuple[Graph, list[Expr], list[Scalar], list[Scalar]]:
        """The flow in a new graph: the state, its rates, the watched functions."""
        graph = Graph()
        y = list(graph.inputs("y", self.size))
        p = list(graph.inputs("p", max(1, self.parameters)))
        blocks: list[list[Expr]] = [y]
        first = 0
        for _, size in self.whole.inputs[1:]:
            blocks.append(p[first : first + size])
            first += size
        outputs: list[Scalar] = [number for block in replay(self.whole, *blocks) for number in block]
        return graph, y, outputs[: self.size], outputs[self.size :]

    def _native(self, name: str) -> Native:
        from sistel.kernels import LlvmRunner, TableRunner

        made = self._program(name)
        if len(made) >= self.long:
            return TableRunner(made, cache=self.cache).native
        return LlvmRunner(made, width=None, threads=None, cache=self.cache).native

    @once_property
    def rates(self) -> Native:
        """(y, p) → dy."""
        return self._native("rates")

    @once_property
    def jacobian(self) -> Native:
        """(y, p) → the derivatives of dy by y, row by row; (y, p, direction) → those along it, where `along`."""
        return self._native("jacobian")

    @once_property
    def watch(self) -> Native:
        """(y, p) → the watched functions."""
        return self._native("watched")


class ImplicitSteps:
    """The arrays of one motion, and its steps."""

    def __init__(
        self,
        flow: ImplicitFlow,
        kind: Kind,
        method: Method,
        y: Array,
        p: Array,
        *,
        until: float,
        room: int,
        directions: NDArray[np.int64],
        step: float = 0.0,
        tolerance: float = FINEST,
        floor: float = 1.0,
        longest: float = math.inf,
        weights: Array | None = None,
        correct: tuple[Native, NDArray[np.int64], Array] | None = None,
    ) -> None:
        """Nothing moves yet.

        Args:
            flow: What moves.
            kind: The method.
            method: Its table.
            y: The state, the time last; it is changed in its place.
            p: Parameters and modes; read at every step.
            until: When to stop [s].
            room: Steps for which there is room in one call.
            directions: Of every watched function: in which direction its zeros count, 0 for both.
            step: Length of a step, for Gauss's method; of the first one for Radau's, 0 for a guess [s].
            tolerance: Relative error of a step of Radau's method.
            floor: Size of a component under which its error counts as that of one of this size.
            longest: The longest step [s].
            weights: Of the components in the measure of errors of Radau's method, see `Tolerance`; None where all
                count alike.
            correct: The way back to the constraints, its table of arguments, and where it puts the state.
        """
        n, s, d, watched = flow.size, method.stages, method.degree, flow.watched
        self.flow, self.kind, self.method, self.y = flow, kind, method, y
        self.x = y
        """The state in which steps are taken: that of the caller, or another with momenta."""
        if flow.changes is not None:
            if correct is not None:
                raise ValueError("the way back to constraints takes velocities, this flow has momenta")
            there: Any = flow.changes[0](y)
            self.x = np.array(there)
        self.p = p if len(p) else np.zeros(1)
        self.order = d
        self.counts = counts = np.zeros(c.COUNTS, dtype=np.int64)
        counts[a.SIZE], counts[a.WATCHED], counts[a.ORDER], counts[a.STRIDE] = n, watched, d, d + 1
        counts[a.ROOM], counts[c.STAGES], counts[a.CORRECTS] = room, s, correct is not None
        self.numbers = numbers = np.zeros(c.NUMBERS)
        numbers[a.UNTIL], numbers[a.LONGEST], numbers[a.FLOOR] = until, longest, floor
        numbers[c.STEP], numbers[c.TOLERANCE] = step, max(tolerance, FINEST)
        self.weights = np.full(a.WEIGHTS * n, floor)
        self.weights[:: a.WEIGHTS] = 1.0
        if weights is not None:
            self.weights.reshape(n, a.WEIGHTS)[: len(weights), :2] = weights
        self.directions = directions if len(directions) else np.zeros(1, dtype=np.int64)
        self.zeros = np.zeros(watched + 1, dtype=np.int64)
        self.table = np.zeros((n + watched) * (d + 1))
        self.times = np.zeros(2 * room)
        self.coefficients = np.zeros(room * n * (d + 1))
        self.low = np.zeros(n)
        newton = kind == "radau"
        self.sparsity = found = flow.sparsity if newton else whole(1)
        self.together = flow.together if newton and flow.differs else None
        """Rates and watched functions in one, where the flow is long."""
        most = max(s, d + 1 + c.CHECKS)
        if self.together is not None:
            most = max(most, n) + ROOM
            counts[c.DIFFERENCES] = 1
        counts[c.WIDTH] = 1
        self.points, self.slopes = np.zeros(most * n), np.zeros((s if self.together is None else most) * n)
        self.values = np.zeros(most * max(1, watched))
        ways = len(found.seeds)
        area = found.area if newton else 0
        counts[c.BLOCKS], counts[c.DIRECTIONS] = len(found.blocks) // 4, ways
        counts[c.ENTRIES], counts[c.AREA] = len(found.entries) // 2, area
        self.matrix = np.zeros(max(1, (2 if len(found.entries) else 1) * area))
        self.along = np.zeros(ways * n if len(found.entries) else 1)
        self.spare = np.zeros(2 * n)
        self.entries = found.entries if len(found.entries) else np.zeros(1, dtype=np.int64)
        self.pivots = np.zeros((s + 1) // 2 * n, dtype=np.int64)
        self.work = np.zeros(c.workspace_size(n, watched, s, d, area))
        self.rates_table, self.watch_table, self.jacobian_table = self._tables()
        self.correct: Native | None = None
        self.correct_table, self.corrected = self.rates_table, self.low
        if correct is not None:
            self.correct, self.correct_table, self.corrected = correct
        self._call: Callable[[], int] | None = None
        """The machine code on these arrays, when it has been asked for."""

    def _tables(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Arguments of the rates, of the watched functions, which may be the same code, and of the Jacobian."""
        byte, n, found = 8, self.flow.size, self.sparsity
        points, rates = (self.points, n * byte), (self.slopes, n * byte)
        values = self.values, max(1, self.flow.watched) * byte
        jacobian = self._arguments((self.x, 0), (self.matrix, 0))
        if len(found.entries):
            jacobian = _table((self.x, 0), (self.p, 0), (found.seeds, n * byte), (self.along, n * byte))
        if self.together is None:
            return self._arguments(points, rates), self._arguments(points, values), jacobian
        both = self._arguments(points, rates, values)
        return both, both, jacobian

    def _arguments(self, source: tuple[Array, int], *targets: tuple[Array, int]) -> NDArray[np.int64]:
        return _table(source, (self.p, 0), *targets)

    def advance(self) -> Outcome:
        """Move on until something has to be decided; why."""
        changes = self.flow.changes
        self.counts[a.STEPS] = 0
        if self._call is None:
            self._call = code(self.kind).bind(self._problem())
        before = int(self.counts[c.EVALUATIONS])
        answer = self._call()
        if self.together is not None:
            watched = (self.order + 1 + c.CHECKS) * int(self.counts[a.STEPS])
            self.together.count(int(self.counts[c.EVALUATIONS]) - before + watched)
        if changes is not None:
            self.y[:] = changes[1](self.x)
        return Outcome(answer)

    def rates_at(self, states: Array) -> Array:
        """The rates of some states, shape (states, size), with the parameters as they are."""
        given = np.ascontiguousarray(states)
        found = np.zeros_like(given)
        stride = given.shape[1] * 8
        table = self._arguments((given, stride), (found, stride))
        kernel = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)(self.flow.rates.address)
        kernel(0, len(given), table.ctypes.data)
        return found

    def _problem(self) -> c.Problem:
        """The kernels and arrays as machine code takes them."""
        flow = self.flow
        rates: Any
        watch: Any
        jacobian: Any
        if self.together is not None:
            rates = watch = jacobian = self.together.native
            self.counts[c.WIDTH] = self.together.width
        else:
            rates = flow.rates
            watch = flow.watch if flow.watched else rates
            jacobian = flow.jacobian if self.kind == "radau" else rates
        correct: Any = self.correct or rates
        return c.Problem(
            rates=rates,
            jacobian=jacobian,
            watch=watch,
            correct=correct,
            rates_table=self.rates_table,
            jacobian_table=self.jacobian_table,
            blocks=self.sparsity.blocks,
            order=self.sparsity.order,
            followers=self.sparsity.followers,
            entries=self.entries,
            along=self.along,
            spare=self.spare,
            watch_table=self.watch_table,
            correct_table=self.correct_table,
            corrected=self.corrected,
            y=self.x,
            low=self.low,
            table=self.table,
            directions=self.directions,
            zeros=self.zeros,
            counts=self.counts,
            numbers=self.numbers,
            weights=self.weights,
            times=self.times,
            coefficients=self.coefficients,
            points=self.points,
            slopes=self.slopes,
            matrix=self.matrix,
            values=self.values,
            pivots=self.pivots,
            work=self.work,
            method=self.method.table,
        )

    def taken(self) -> tuple[Array, Array]:
        """Times and coefficients of the steps of the last call, as `Segment` has them."""
        steps = int(self.counts[a.STEPS])
        shape = steps, self.flow.size, self.order + 1
        used = steps * shape[1] * shape[2]
        times, coefficients = self.times[: 2 * steps].reshape(steps, 2).copy(), self.coefficients[:used].reshape(shape)
        if self.flow.changes is None or not steps:
            return times, coefficients.copy()
        # Velocities are no polynomials where momenta are: through their values at the nodes, both ends among them.
        s, d, half = self.method.stages, self.order, self.flow.size // 2
        first = 2 * s + s * s
        nodes = self.method.table[first : first + d + 1]
        states = np.stack([_horner(coefficients, times[:, 1] * node) for node in nodes], axis=1)
        found: Any = self.flow.changes[1](states)
        made = np.moveaxis(np.array(found), 1, 2)
        # As `_collocation.through`, for all steps at once.
        for k in range(1, d + 1):
            made[..., k:] = (made[..., k:] - made[..., k - 1 : -1]) / (nodes[k:] - nodes[: d + 1 - k])
        for k in range(d - 1, -1, -1):
            for j in range(k, d):
                made[..., j] -= nodes[k] * made[..., j + 1]
        made /= times[:, 1, None, None] ** np.arange(d + 1)
        made[:, [*range(half), -1]] = coefficients[:, [*range(half), -1]]
        return times, made


def _table(*blocks: tuple[Array, int]) -> NDArray[np.int64]:
    """The arguments of a kernel: where the blocks are, and from row to row of each [bytes]."""
    return np.array([number for array, stride in blocks for number in (array.ctypes.data, stride)], dtype=np.int64)


def _horner(coefficients: Array, h: Array) -> Array:
    """Values of the polynomials of all steps, each at its own time."""
    total = coefficients[..., -1].copy()
    for k in range(coefficients.shape[-1] - 2, -1, -1):
        total = total * h[:, None] + coefficients[..., k]
    return np.asarray(total)


_CODES: Final[dict[Kind, tuple[tuple[object, ...], str]]] = {
    "radau": (_radau.FUNCTIONS, "advance_radau"),
    "gauss": (_gauss.FUNCTIONS, "advance_gauss"),
    "runge-kutta": (_runge_kutta.FUNCTIONS, "advance_rk"),
}
"""The functions of every method, and the one that is called."""


@once
def code(kind: Kind) -> CompiledFunction:
    """The compiled integrator: one for all models."""
    functions, name = _CODES[kind]
    return compile_functions(list(functions), exports=[name], cache=USER)[name]
