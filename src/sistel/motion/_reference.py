"""Where a programmed motion wants a coordinate to be: value, rate and acceleration at any time, over any scalar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from sistel.errors import Text, refuse
from sistel.expr import Expr, Graph, floor, gradient, less, replay, select
from sistel.markup import Call, Member, walk_expression
from sistel.mechanics import (
    FUNCTIONS,
    Quantities,
    Scalar,
    formula_value,
    live_parameters,
    remembered,
    stand_ins,
)
from sistel.model import Formula, Model, Motion
from sistel.records import entry

Piece = tuple[float, ...]
"""Coefficients of a polynomial of the time since its beginning, the constant first."""


@entry
class Reference:
    """Value, rate and acceleration that a motion asks of a coordinate [m or rad, per s, per s²]."""

    value: Scalar
    rate: Scalar
    gain: Scalar


def reference(state: Quantities, motion: Motion, index: int) -> Reference:
    """What a motion asks of its coordinate number `index`.

    A formula of time alone has its exact rates. One that depends on the state is followed as it is: its rates count as
    zero.
    """
    if motion.formulas:
        formula = motion.formulas[index]
        if depends_on_state(formula):
            if motion.kp is None:
                _refuse(motion)
            return Reference(formula_value(formula, state.names, state), 0.0, 0.0)
        return _of_time(state.model, formula, state.t)
    t = remembered(state.model, "elapsed", (), state.t) if motion.since_entry else state.t
    return _of_table(motion, index, t)


def depends_on_state(formula: Formula) -> bool:
    """Whether a formula asks for quantities of the system that change between transitions, the time apart."""
    return any(
        isinstance(node, Member)
        or (isinstance(node, Call) and node.function not in FUNCTIONS and node.function not in ("elapsed", "counter"))
        for node in walk_expression(formula.expression)
    )


def _of_time(model: Model, formula: Formula, t: Scalar) -> Reference:
    graph = Graph()
    (time,) = graph.inputs("t", 1)
    names = stand_ins(graph, model) | {"t": time}

    memory = graph.inputs("memory", len(model.memory))
    within = replace(model, remembered=tuple(memory))

    def constant(function: str, targets: tuple[str, ...], component: str) -> Scalar:
        return remembered(within, function, targets, time)

    value = formula_value(formula, names, constant)
    if not isinstance(value, Expr):
        return Reference(value, 0.0, 0.0)
    (rate,) = gradient(graph, value, [time])
    (gain,) = gradient(graph, rate, [time])
    line = graph.program({"value": [value], "rate": [rate], "gain": [gain]})
    known = [each.start for each in model.memory] if model.remembered is None else list(model.remembered)
    (value_,), (rate_,), (gain_,) = replay(line, [t], live_parameters(model), known)
    return Reference(value_, rate_, gain_)


def _of_table(motion: Motion, index: int, t: Scalar) -> Reference:
    begin, end = motion.times[0], motion.times[-1]
    if motion.repeat:
        period = end - begin
        t = t - period * floor((t - begin) / period)
    values = [row[index] for row in motion.rows]
    pieces = pieces_of(motion.interpolation, motion.times, values)
    knots = list(motion.times[:-1])
    if not motion.repeat:
        # Before the first row and after the last one the coordinate stays.
        pieces = [(values[0],), *pieces, (values[-1],)]
        knots = [begin, *motion.times]
    # Of pieces that are not the present one nothing is computed: a chosen coefficient does not move with the time, and
    # the series of a flow carry one polynomial a coordinate, however many rows there are.
    degree = max(len(each) for each in pieces)
    even = [(*each, *[0.0] * (degree - len(each))) for each in pieces]
    before = [less(t, knot) for knot in knots]
    present = [_choose([each[power] for each in even], before) for power in range(degree)]
    value, rate, gain = _derivatives(present, t - _choose(knots, before))
    return Reference(value, rate, gain)


def pieces_of(kind: str, knots: Sequence[float], values: Sequence[float]) -> list[Piece]:
    """The polynomials from every row of a table to the next."""
    steps = [b - a for a, b in pairwise(knots)]
    slopes = _spline_slopes(steps, values) if kind == "spline" else [0.0] * len(values)
    made: list[Piece] = []
    rate = 0.0
    for i, h in enumerate(steps):
        a, d = values[i], values[i + 1] - values[i]
        if kind == "parabolic":
            made.append((a, rate, (d / h - rate) / h))
            rate = 2 * d / h - rate
        elif kind == "linear":
            made.append((a, d / h))
        elif kind == "quintic":
            made.append((a, 0.0, 0.0, 10 * d / h**3, -15 * d / h**4, 6 * d / h**5))
        else:
            u, w = slopes[i], slopes[i + 1]
            made.append((a, u, (3 * d / h - 2 * u - w) / h, (u + w - 2 * d / h) / h**2))
    return made


def _spline_slopes(steps: Sequence[float], values: Sequence[float]) -> list[float]:
    """Slopes at the rows that make the second derivative continuous, zero at both ends."""
    count = len(values)
    # Tridiagonal: slopes[i-1]/h[i-1] + 2 (1/h[i-1] + 1/h[i]) slopes[i] + slopes[i+1]/h[i] = 3 (d[i-1]/h² + d[i]/h²).
    upper, right = [0.0] * count, [0.0] * count
    for i in range(1, count - 1):
        p, n = 1 / steps[i - 1], 1 / steps[i]
        load = 3 * ((values[i] - values[i - 1]) * p * p + (values[i + 1] - values[i]) * n * n)
        pivot = 2 * (p + n) - p * upper[i - 1]
        upper[i], right[i] = n / pivot, (load - p * right[i - 1]) / pivot
    slopes = [0.0] * count
    for i in range(count - 2, 0, -1):
        slopes[i] = right[i] - upper[i] * slopes[i + 1]
    return slopes


def _derivatives(coefficients: Sequence[Scalar], s: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    value: Scalar = 0.0
    rate: Scalar = 0.0
    gain: Scalar = 0.0
    for coefficient in reversed(coefficients):
        gain = gain * s + 2.0 * rate
        rate = rate * s + value
        value = value * s + coefficient
    return value, rate, gain


def _choose(values: Sequence[float], before: Sequence[Scalar]) -> Scalar:
    """The number of the piece that the time is in: as many comparisons in a row as halvings.

    Args:
        values: One for every piece.
        before: Whether the time is before a piece.
    """
    if all(value == values[0] for value in values):
        return values[0]
    middle = len(values) // 2
    return select(before[middle], _choose(values[:middle], before[:middle]), _choose(values[middle:], before[middle:]))


def _refuse(motion: Motion) -> None:
    refuse(
        "bad-motion",
        Text(
            "a forced motion must be a formula of the time alone", "принудительное движение — формула только от времени"
        ),
        span=motion.span,
        hint=Text("give kp and kd: then it is followed, not forced", "задайте kp и kd: тогда за ним следуют"),
    )
