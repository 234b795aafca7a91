"""Derivatives against complex steps, finite differences and SymPy; forward against reverse."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sistel.expr import (
    Expr,
    Graph,
    Op,
    Program,
    absolute,
    atan2,
    cos,
    derivative,
    evaluate,
    exp,
    floor,
    forward_derivative,
    gradient,
    is_zero,
    less,
    log,
    logical_and,
    maximum,
    minimum,
    reverse_derivative,
    select,
    sin,
    sqrt,
)

STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / (2 + sin(b)),
    "reciprocal": lambda a, b: 3 / (1 + b * b),
    "negate": lambda a, b: -a,
    "scale": lambda a, b: a * 0.3 - 1,
    "sqrt": lambda a, b: sqrt(1 + a * a),
    "sin": lambda a, b: sin(a),
    "cos": lambda a, b: cos(a),
    "exp": lambda a, b: exp(cos(a)),
    "log": lambda a, b: log(2 + a * a),
}
COMPLEX: dict[int, Callable[..., complex]] = {
    Op.ADD: lambda a, b, c: a + b,
    Op.SUBTRACT: lambda a, b, c: a - b,
    Op.MULTIPLY: lambda a, b, c: a * b,
    Op.DIVIDE: lambda a, b, c: a / b,
    Op.NEGATE: lambda a, b, c: -a,
    Op.SQRT: lambda a, b, c: cmath.sqrt(a),
    Op.SIN: lambda a, b, c: cmath.sin(a),
    Op.COS: lambda a, b, c: cmath.cos(a),
    Op.EXP: lambda a, b, c: cmath.exp(a),
    Op.LOG: lambda a, b, c: cmath.log(a),
}


def interpret(p: Program, q: Sequence[Any], actions: dict[int, Callable[..., Any]]) -> list[Any]:
    """A program of one block of inputs, run with other operations than those of floats."""
    values: list[Any] = []
    for op, a, b, c, number in zip(p.operation, p.first, p.second, p.third, p.number, strict=True):
        if op == Op.CONSTANT:
            values.append(number)
        elif op == Op.INPUT:
            values.append(q[b])
        else:
            values.append(actions[op](values[a], values[b], values[c]))
    return [values[i] for i in p.results]


place = st.integers(0, 20)
recipes = st.lists(st.tuples(st.sampled_from(list(STEPS)), place, place), min_size=1, max_size=16)
points = st.lists(st.floats(-2, 2, allow_subnormal=False), min_size=3, max_size=3)


def follow(steps: list[tuple[str, int, int]], q: list[Expr]) -> list[Expr]:
    values = list(q)
    for name, a, b in steps:
        values.append(STEPS[name](values[-1 - a % len(values)], values[-1 - b % len(values)]))
    return values[-3:]


@settings(max_examples=300)
@given(recipes, points)
def test_derivatives_are_those_of_a_complex_step(steps: list[tuple[str, int, int]], point: list[float]) -> None:
    graph = Graph()
    q = graph.inputs("q", 3)
    outputs = follow(steps, q)
    p = graph.program({"y": outputs})
    forward = forward_derivative(graph, outputs, q)
    reverse = reverse_derivative(graph, outputs, q)
    both = graph.program(
        {"forward": [x for row in forward for x in row], "reverse": [x for row in reverse for x in row]}
    )
    by_forward, by_reverse = evaluate(both, point)
    size = max(map(abs, [1.0, *evaluate(p, point)[0], *by_forward]))
    assume(size < 1e6)
    expected = []
    for j in range(3):
        shifted = [complex(x, 1e-40 if i == j else 0.0) for i, x in enumerate(point)]
        expected.append([complex(y).imag * 1e40 for y in interpret(p, shifted, COMPLEX)])
    for i in range(3):
        for j in range(3):
            assert by_forward[3 * i + j] == pytest.approx(expected[j][i], rel=1e-11, abs=1e-11 * size)
            assert by_reverse[3 * i + j] == pytest.approx(expected[j][i], rel=1e-11, abs=1e-11 * size)


KINKED: list[Callable[[Any, Any, Any], Any]] = [
    lambda a, b, c: atan2(a, b) * c,
    lambda a, b, c: atan2(a * b - c, 1.0) + atan2(2.0, a),
    lambda a, b, c: minimum(a * b, c * c),
    lambda a, b, c: maximum(sin(a), b) * minimum(c, 0.1),
    lambda a, b, c: absolute(a - b) * absolute(c),
    lambda a, b, c: select(less(a, b), a * a * c, sin(b)),
    lambda a, b, c: select(logical_and(less(0.0, a), less(b, c)), a / b, b * c),
    lambda a, b, c: select(a, b * b, c),
    lambda a, b, c: select(less(b, a), 1.0, c * c) + select(less(a, b), a, 2.0),
    lambda a, b, c: floor(3 * a) * b + less(b, c) * a,
    lambda a, b, c: (a * b + c) ** 3 / (a - 5) ** 2,
    lambda a, b, c: log(absolute(a) + 1) * sqrt(absolute(b)) - exp(c / 3),
]


@pytest.mark.parametrize("formula", KINKED)
@pytest.mark.parametrize("point", [(0.3, -0.7, 1.1), (-1.2, 0.4, -0.9), (0.8, 0.5, 0.2), (-0.6, -1.4, 0.05)])
def test_derivatives_are_those_of_central_differences(
    formula: Callable[[Any, Any, Any], Any], point: tuple[float, float, float]
) -> None:
    graph = Graph()
    q = graph.inputs("q", 3)
    y = formula(*q)
    (forward,), backward = forward_derivative(graph, [y], q), gradient(graph, y, q)
    by_forward, by_reverse = evaluate(graph.program({"f": forward, "r": backward}), point)
    for j, (f, r) in enumerate(zip(by_forward, by_reverse, strict=True)):
        high, low = list(point), list(point)
        high[j] += 1e-5
        low[j] -= 1e-5
        expected = (formula(*high) - formula(*low)) / 2e-5
        assert f == pytest.approx(expected, rel=1e-8, abs=1e-8)
        assert r == pytest.approx(f, rel=1e-13, abs=1e-13)


def test_a_derivative_with_time_is_one_pass() -> None:
    graph = Graph()
    q, v = graph.inputs("q", 2), graph.inputs("v", 2)
    x = cos(q[0]) + cos(q[0] + q[1])
    (rate,) = derivative(graph, [x], dict(zip(q, v, strict=True)))
    assert rate == -(sin(q[0]) * v[0]) - sin(q[0] + q[1]) * (v[0] + v[1])
    (again,) = derivative(graph, [rate], dict(zip(v, (1.0, 0.0), strict=True)))
    assert again == -sin(q[0]) - sin(q[0] + q[1])


def test_derivatives_of_simple_formulas_are_as_short_as_by_hand() -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    assert gradient(graph, 3 * a * b, [a, b]) == [3 * b, 3 * a]
    assert gradient(graph, a * a, [a]) == [2 * a]
    assert gradient(graph, sin(a), [a, b]) == [cos(a), graph.constant(0.0)]
    assert gradient(graph, a - b, [a, b]) == [graph.constant(1.0), graph.constant(-1.0)]
    assert forward_derivative(graph, [a / b, a / 3], [a]) == [[1 / b], [graph.constant(1 / 3)]]
    nodes = len(graph)
    assert gradient(graph, a, [a]) == [graph.constant(1.0)]
    assert len(graph) == nodes
    assert all(is_zero(x) for x in gradient(graph, floor(a) + less(a, b), [a, b]))
    assert derivative(graph, [2.0, a], {b: 1.0}) == [graph.constant(0.0)] * 2


def test_only_inputs_are_variables() -> None:
    graph = Graph()
    (a,) = graph.inputs("q", 1)
    for wrong in (2 * a, -a, graph.constant(2.0)):
        with pytest.raises(ValueError, match="not an input"):
            gradient(graph, a * a, [wrong])
    with pytest.raises(ValueError, match="another graph"):
        derivative(graph, [a], {Graph().inputs("q", 1)[0]: 1.0})


@pytest.mark.peer
@pytest.mark.parametrize(
    "formula",
    [
        lambda a, b, c: sin(a * b) * cos(c - a) / (2 + sin(b)),
        lambda a, b, c: sqrt(1 + a * a + b**4) * exp(-c * c),
        lambda a, b, c: atan2(a - b, c) * log(3 + a) - (b - c) ** 5,
        lambda a, b, c: (cos(a) * cos(a + b) - sin(a) * sin(a + b)) ** 3 + a / c - c / -b,
        lambda a, b, c: 1 / (a - b) - (b - a) / (c * 7) * 3 + (a + 2) - 5,
    ],
)
def test_derivatives_of_the_second_order_are_those_of_sympy(formula: Callable[[Any, Any, Any], Any]) -> None:
    import sympy

    actions: dict[int, Callable[..., Any]] = {
        **COMPLEX,
        Op.SQRT: lambda a, b, c: sympy.sqrt(a),
        Op.SIN: lambda a, b, c: sympy.sin(a),
        Op.COS: lambda a, b, c: sympy.cos(a),
        Op.EXP: lambda a, b, c: sympy.exp(a),
        Op.LOG: lambda a, b, c: sympy.log(a),
        Op.ATAN2: lambda a, b, c: sympy.atan2(a, b),
    }
    graph = Graph()
    q = graph.inputs("q", 3)
    y = formula(*q)
    symbols = sympy.symbols("a b c", real=True)
    (text,) = interpret(graph.program({"y": [y]}), symbols, actions)
    slopes = gradient(graph, y, q)
    hessian = forward_derivative(graph, slopes, q)
    point = (0.37, -0.61, 1.13)
    values = dict(zip(symbols, map(sympy.Float, map(repr, point)), strict=True))
    first, second = evaluate(graph.program({"g": slopes, "h": [x for row in hessian for x in row]}), point)
    for i, x in enumerate(symbols):
        assert first[i] == pytest.approx(float(text.diff(x).subs(values)), rel=1e-12, abs=1e-12)
        for j, z in enumerate(symbols):
            assert second[3 * i + j] == pytest.approx(float(text.diff(x, z).subs(values)), rel=1e-11, abs=1e-11)
            assert math.isclose(second[3 * i + j], second[3 * j + i], rel_tol=1e-11, abs_tol=1e-11)
