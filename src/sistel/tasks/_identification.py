"""Identification: parameters with which a run comes nearest to measurements, and how sure they are.

Least squares by Levenberg and Marquardt; sensitivities by central differences of runs, which are exact to the last
digits, so that differences keep ten of them. Quantities of several columns are weighed by what is left of each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Diagnostics, SistelError, Text, refuse
from sistel.model import Parameter
from sistel.tasks._measured import Measured, read_measured
from sistel.tasks._mechanism import Mechanism, simulated
from sistel.tasks._numbers import told
from sistel.tasks._problems import Problem, tell_unknown
from sistel.tasks._results import Answer, Check, Curve, Grid, Head, Solved
from sistel.tasks._student import student_quantile

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.errors import Source

STEP = 6e-6
"""Of differences, as a part of the parameter: the cube root of the rounding."""
ITERATIONS = 60
WEIGHINGS = 4
EXACT = 1e-9
"""Parts of a column that are left: below, there is no noise to weigh by."""
SAME = 1e-7
"""Up to which searches from two places agree, besides a thousandth of the uncertainty."""


def solve_identification(problem: Problem, system: Mechanism, source: Source) -> Solved:
    """The parameters that a problem wants."""
    parameters = _parameters(problem, system)
    measured = read_measured(source, system.model)
    confidence = _confidence(problem)
    fit = _Fit(system, parameters, measured)
    start = np.array([float(parameter.value) for parameter in parameters])
    found = fit.search(start)
    if isinstance(found, Text):
        return problem.unsolved(found)
    value, residuals, J = found
    n, p = len(residuals), len(value)
    spread = float(residuals @ residuals) / max(n - p, 1)
    covariance: Array = np.asarray(spread * np.linalg.inv(J.T @ J), dtype=float)
    deviation = np.sqrt(np.diag(covariance))
    wide = student_quantile(confidence, max(n - p, 1)) * deviation
    again = fit.search(_elsewhere(start, value, parameters))
    checks = [_gradient(residuals, J)]
    if not isinstance(again, Text):
        # Two searches end where rounding of the runs lets them: a small part of the uncertainty.
        error = float(np.max(np.abs(again[0] - value) / (np.abs(value) + deviation)))
        checks.append(
            Check(
                what=Text(
                    "a search from another place ends at the same values",
                    "поиск из другого места кончается теми же значениями",
                ),
                error=error,
                bound=SAME + 1e-3 * float(np.max(deviation / np.abs(value))),
            )
        )
    answers = [
        Answer(
            label=Text(parameter.name, parameter.name),
            value=float(value[i]),
            dimension=parameter.dimension,
            remark=_interval(float(wide[i]), parameter, confidence),
        )
        for i, parameter in enumerate(parameters)
    ]
    grids = [
        _table(parameters, start, value, deviation, wide),
        *_correlations(parameters, covariance),
        fit.left(value),
    ]
    shown = fit.curves(value)
    note = Text(
        f"{n} measurements, {fit.runs} runs; intervals of {100 * confidence:g} % by Student",
        f"измерений: {n}, запусков: {fit.runs}; интервалы {100 * confidence:g} % по Стьюденту",
    )
    return problem.solved(answers, grids, checks, curves=shown, notes=[note])


class _Fit:
    """Runs with other values of parameters, beside measurements."""

    def __init__(self, system: Mechanism, parameters: Sequence[Parameter], measured: Measured) -> None:
        self.system, self.parameters, self.measured = system, parameters, measured
        self.names = [parameter.name for parameter in parameters]
        self.known = [np.isfinite(column.values) for column in measured.columns]
        self.scales = np.array(
            [
                max(float(np.std(column.values[known])), 1e-3 * float(np.abs(column.values[known]).max()), 1e-300)
                for column, known in zip(measured.columns, self.known, strict=True)
            ]
        )
        self.weights = 1.0 / self.scales
        self.runs = 0

    def columns(self, value: Array) -> list[Array]:
        """What a run gives at the measured times."""
        self.runs += 1
        changes = {name: float(each) for name, each in zip(self.names, value, strict=True)}
        until = float(self.measured.t[-1])
        run = simulated(self.system, until, parameters=changes)
        q, v = (np.asarray(each) for each in run(self.measured.t))
        found = []
        for column in self.measured.columns:
            # A coordinate is in the state already: no expression has to be worked out anew for every value.
            which, place = column.coordinate or ("", 0)
            found.append((q if which == "q" else v)[:, place] if which else run.quantity(column.text, self.measured.t))
        return found

    def residuals(self, value: Array) -> Array:
        """Weighed differences, without the measurements that are not there."""
        found = self.columns(value)
        return np.concatenate(
            [
                weight * (given - column.values)[known]
                for given, column, known, weight in zip(
                    found, self.measured.columns, self.known, self.weights, strict=True
                )
            ]
        )

    def sensitivities(self, value: Array) -> Array:
        """Derivatives of the residuals by the parameters, each in parts of its own size."""
        columns = []
        for i, parameter in enumerate(self.parameters):
            h = STEP * _size(value[i], parameter)
            up, down = value.copy(), value.copy()
            up[i] += h
            down[i] -= h
            columns.append((self.residuals(up) - self.residuals(down)) / (2 * h))
        return np.stack(columns, axis=1)

    def search(self, start: Array) -> tuple[Array, Array, Array] | Text:
        """The best values, what is left, and the sensitivities; or why there are none."""
        self.weights = 1.0 / self.scales
        value = start.copy()
        for _ in range(WEIGHINGS):
            found = self._descend(value)
            if isinstance(found, Text):
                return found
            value = found[0]
            left = self._left(value)
            if (left < EXACT * self.scales).all() or len(left) == 1:
                break
            weights = 1.0 / np.maximum(left, EXACT * self.scales)
            if np.abs(weights / self.weights * self.weights[0] / weights[0] - 1.0).max() < 1e-6:
                break
            self.weights = weights
        return found

    def _descend(self, start: Array) -> tuple[Array, Array, Array] | Text:
        value = start.copy()
        rest = self.residuals(value)
        damping = 1e-3
        for _ in range(ITERATIONS):
            J = self.sensitivities(value)
            sizes = np.linalg.norm(J, axis=0)
            weak = [self.names[i] for i in range(len(value)) if sizes[i] * _size(value[i], self.parameters[i]) < 1e-9]
            if weak:
                listed = ", ".join(weak)
                return Text(
                    f"the measurements do not depend on: {listed}", f"измерения не зависят от параметров: {listed}"
                )
            if _dependent(J / sizes):
                return Text(
                    "these parameters cannot be told apart by these measurements",
                    "по этим измерениям эти параметры не различить",
                )
            step, rest_after, damping = self._step(value, rest, J / sizes, sizes, damping)
            if step is None:
                return value, rest, J
            value, gone = value + step, float(rest @ rest)
            rest = rest_after
            quiet = np.abs(step) <= 1e-13 * np.abs(value)
            if quiet.all() or (gone - float(rest @ rest)) <= 1e-15 * gone:
                return value, rest, self.sensitivities(value)
        return Text(f"no end after {ITERATIONS} steps", f"нет конца после {ITERATIONS} шагов")

    def _step(
        self, value: Array, rest: Array, J: Array, sizes: Array, damping: float
    ) -> tuple[Array | None, Array, float]:
        """A step that makes the sum of squares smaller, within the limits of the parameters; None where none does."""
        here = float(rest @ rest)
        for _ in range(16):
            whole = np.vstack([J, math.sqrt(damping) * np.eye(len(value))])
            right = np.concatenate([-rest, np.zeros(len(value))])
            wanted = np.linalg.lstsq(whole, right, rcond=None)[0] / sizes
            moved = self._within(value + wanted)
            try:
                after = self.residuals(moved)
            except SistelError:
                after = None  # no run with such values
            if after is not None and np.isfinite(after).all() and float(after @ after) < here:
                return moved - value, after, max(damping / 10, 1e-15)
            damping = max(10 * damping, 1e-12)
        return None, rest, damping

    def _within(self, value: Array) -> Array:
        low = [-math.inf if each.minimum is None else each.minimum for each in self.parameters]
        high = [math.inf if each.maximum is None else each.maximum for each in self.parameters]
        return np.clip(value, low, high)

    def _left(self, value: Array) -> Array:
        """The root mean square of what is left of every column [SI]."""
        found = self.columns(value)
        return np.array(
            [
                float(np.sqrt(np.mean((given - column.values)[known] ** 2)))
                for given, column, known in zip(found, self.measured.columns, self.known, strict=True)
            ]
        )

    def left(self, value: Array) -> Grid:
        """What is left of every column."""
        rows = tuple(
            (column.label, told(float(left), column.dimension, 4))
            for column, left in zip(self.measured.columns, self._left(value), strict=True)
        )
        heads = (
            Head(label=Text("quantity", "величина")),
            Head(label=Text("rms of what is left", "остаток, действующий")),
        )
        return Grid(title=Text("what is left", "остаток"), heads=heads, rows=rows)

    def curves(self, value: Array) -> tuple[Curve, ...]:
        """Measured and computed."""
        made = []
        for given, column, known in zip(self.columns(value), self.measured.columns, self.known, strict=True):
            measured = Text(f"{column.label.en}, measured", f"{column.label.ru}, измерено")
            t = self.measured.t
            made.append(
                Curve(label=measured, dimension=column.dimension, t=t, values=np.where(known, column.values, np.nan))
            )
            made.append(Curve(label=column.label, dimension=column.dimension, t=t, values=given))
        return tuple(made)


def _size(value: float, parameter: Parameter) -> float:
    """What counts as the size of a parameter."""
    span = 0.0
    if parameter.minimum is not None and parameter.maximum is not None:
        span = 1e-3 * (parameter.maximum - parameter.minimum)
    return max(abs(float(value)), span, 1e-12)


def _dependent(J: Array) -> bool:
    least = np.linalg.svd(J, compute_uv=False)
    return bool(least[-1] < 1e-7 * least[0])


def _elsewhere(start: Array, value: Array, parameters: Sequence[Parameter]) -> Array:
    """Another place to begin: on the other side of what was found, kept within the limits."""
    moved = value + 0.3 * (value - start) + 0.03 * np.abs(value)
    for i, parameter in enumerate(parameters):
        low = -math.inf if parameter.minimum is None else parameter.minimum
        high = math.inf if parameter.maximum is None else parameter.maximum
        moved[i] = min(max(moved[i], low), high)
    return moved


def _gradient(residuals: Array, J: Array) -> Check:
    """Where the sum of squares is least, what is left is at right angles to every sensitivity."""
    sizes = np.linalg.norm(J, axis=0)
    whole = float(np.linalg.norm(residuals))
    # Weighed columns are of size 1: what is left below the rounding of runs has no direction.
    cosine = float(np.abs(J.T @ residuals / sizes).max()) / max(whole, 1e-7 * math.sqrt(len(residuals)))
    return Check(
        what=Text("what is left is at right angles to every sensitivity", "остаток ортогонален всем чувствительностям"),
        error=cosine,
        bound=1e-4,
    )


def _parameters(problem: Problem, system: Mechanism) -> list[Parameter]:
    known = {parameter.name: parameter for parameter in system.model.parameters}
    return [known[name] for name in problem.node.names("parameters")]


def _confidence(problem: Problem) -> float:
    from sistel.markup import Number

    value = problem.node.get("confidence")
    if isinstance(value, tuple) and value and isinstance(value[0], Number):
        found = value[0].value
        if 0.0 < found < 1.0:
            return found
        refuse(
            "out-of-range",
            Text(f"{found:g} is not between 0 and 1", f"{found:g} не лежит между 0 и 1"),
            span=problem.node.at("confidence"),
        )
    return 0.95


def check_parameters(problem: Problem, model_parameters: Sequence[Parameter], diagnostics: Diagnostics) -> None:
    """Say which names are no parameters of the model."""
    known = [parameter.name for parameter in model_parameters]
    attribute = problem.node.attributes.get("parameters")
    if attribute is None:
        return
    for name, span in zip(problem.node.names("parameters"), attribute.parts, strict=True):
        if name not in known:
            tell_unknown(name, span, known, Text("parameter", "параметра"), diagnostics)


def _interval(wide: float, parameter: Parameter, confidence: float) -> Text:
    said = told(wide, parameter.dimension, 3)
    return Text(f"± {said.en} ({100 * confidence:g} %)", f"± {said.ru} ({100 * confidence:g} %)")


def _table(parameters: Sequence[Parameter], start: Array, value: Array, deviation: Array, wide: Array) -> Grid:
    rows = tuple(
        (
            Text(parameter.name, parameter.name),
            told(float(start[i]), parameter.dimension),
            told(float(value[i]), parameter.dimension, 10),
            told(float(deviation[i]), parameter.dimension, 3),
            told(float(wide[i]), parameter.dimension, 3),
        )
        for i, parameter in enumerate(parameters)
    )
    heads = (
        Text("parameter", "параметр"),
        Text("of the model", "в модели"),
        Text("found", "найдено"),
        Text("deviation", "отклонение"),
        Text("interval ±", "интервал ±"),
    )
    return Grid(title=Text("parameters", "параметры"), heads=tuple(Head(label=head) for head in heads), rows=rows)


def _correlations(parameters: Sequence[Parameter], covariance: Array) -> tuple[Grid, ...]:
    if len(parameters) < 2:
        return ()
    deviation = np.sqrt(np.diag(covariance))
    with np.errstate(all="ignore"):
        matrix = covariance / np.outer(deviation, deviation)
    names = [Text(parameter.name, parameter.name) for parameter in parameters]
    rows = tuple(
        (name, *(Text(f"{x:.4f}", f"{x:.4f}") for x in row)) for name, row in zip(names, matrix.tolist(), strict=True)
    )
    heads = (Head(label=Text("correlation", "корреляция")), *(Head(label=name) for name in names))
    return (Grid(title=Text("correlations", "корреляции"), heads=heads, rows=rows),)
