"""The law of the graph: whatever rules were applied, a program computes what plain numbers compute.

A recipe is a list of steps over a growing list of values, so that values are shared at random. It is followed three
times: with floats, with expressions, and with floats that carry a bound of their rounding error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sistel.expr import (
    Graph,
    Op,
    absolute,
    atan2,
    cos,
    equal,
    evaluate,
    exp,
    floor,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    select,
    sin,
    sqrt,
)

Step = tuple[str, int, int, int]
EPSILON = 2.0**-52

ARITHMETIC: dict[str, Callable[..., Any]] = {
    "add": lambda a, b, c: a + b,
    "subtract": lambda a, b, c: a - b,
    "multiply": lambda a, b, c: a * b,
    "divide": lambda a, b, c: a / b,
    "negate": lambda a, b, c: -a,
    "square": lambda a, b, c: a**2,
}
FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": lambda a, b, c: sqrt(absolute(a)),
    "sin": lambda a, b, c: sin(a),
    "cos": lambda a, b, c: cos(a),
    "exp": lambda a, b, c: exp(sin(a)),
    "atan2": lambda a, b, c: atan2(a, b),
    "minimum": lambda a, b, c: minimum(a, b),
    "maximum": lambda a, b, c: maximum(a, b),
    "absolute": lambda a, b, c: absolute(a),
    "floor": lambda a, b, c: floor(a),
    "select": lambda a, b, c: select(a, b, c),
    "less": lambda a, b, c: less(a, b),
    "less_equal": lambda a, b, c: less_equal(a, b),
    "equal": lambda a, b, c: equal(a, b),
    "and": lambda a, b, c: logical_and(a, b),
    "or": lambda a, b, c: logical_or(a, b),
    "not": lambda a, b, c: logical_not(a),
}
ALL = ARITHMETIC | FUNCTIONS

inputs = st.lists(st.floats(-4, 4, allow_subnormal=False), min_size=3, max_size=3)
constants = st.lists(st.sampled_from([0.0, 1.0, -1.0, 2.0, 0.5, -0.25, 3.0, -0.1, 7.3, -9.81]), max_size=4)


def recipes(names: list[str]) -> st.SearchStrategy[list[Step]]:
    place = st.integers(0, 30)
    return st.lists(st.tuples(st.sampled_from(names), place, place, place), min_size=1, max_size=25)


def follow(steps: list[Step], start: list[Any]) -> list[Any]:
    values = list(start)
    for name, a, b, c in steps:
        n = len(values)  # places count from the newest: long recipes go deep
        values.append(ALL[name](values[-1 - a % n], values[-1 - b % n], values[-1 - c % n]))
    return values


def follow_floats(steps: list[Step], start: list[float]) -> list[float]:
    """With floats; recipes that leave the range where rules promise anything are rejected."""
    values = list(start)
    for name, a, b, c in steps:
        n = len(values)
        x, y, z = (values[-1 - place % n] for place in (a, b, c))
        assume(name != "divide" or abs(y) > 1e-6)
        assume(name != "atan2" or abs(x) > 1e-6)  # the sign of a zero decides between π and -π
        values.append(float(ALL[name](x, y, z)))
        assume(values[-1] == 0.0 or 1e-12 < abs(values[-1]) < 1e12)
    return values


@settings(max_examples=400)
@given(recipes(list(ALL)), inputs)
def test_without_constants_nothing_is_rounded_differently(steps: list[Step], start: list[float]) -> None:
    floats = follow_floats(steps, start)
    graph = Graph()
    p = graph.program({"x": follow(steps, list(graph.inputs("q", 3)))})
    joined = [
        o in (Op.ADD, Op.SUBTRACT)
        and Op.CONSTANT in (graph.operation[graph.first[i]], graph.operation[graph.second[i]])
        for i, o in enumerate(graph.operation)
    ]
    # Constants come up as x - x, cos(0) …; where they are summed or are not powers of two, rules do round differently.
    assume(not any(joined))
    assume(
        all(
            o != Op.CONSTANT or n == 0 or math.frexp(n)[0] == 0.5
            for o, n in zip(graph.operation, graph.number, strict=True)
        )
    )
    assert evaluate(p, start)[0] == floats


class Rough:
    """A float with a bound of the error that rounding may have left in it, whatever the order of operations."""

    def __init__(self, value: float, error: float = 0.0) -> None:
        self.value = value
        self.error = error + 4 * EPSILON * abs(value)

    def __add__(self, other: Rough) -> Rough:
        size = abs(self.value) + abs(other.value)
        return Rough(self.value + other.value, self.error + other.error + 4 * EPSILON * size)

    def __sub__(self, other: Rough) -> Rough:
        return self + -other

    def __neg__(self) -> Rough:
        return Rough(-self.value, self.error)

    def __mul__(self, other: Rough) -> Rough:
        error = self.error * (abs(other.value) + other.error) + other.error * abs(self.value)
        return Rough(self.value * other.value, error)

    def __truediv__(self, other: Rough) -> Rough:
        assume(other.error < 0.1 * abs(other.value))
        quotient = self.value / other.value
        return Rough(quotient, 2 * (self.error + abs(quotient) * other.error) / abs(other.value))

    def __pow__(self, exponent: int) -> Rough:
        assert exponent == 2
        return self * self


SMOOTH: dict[str, Callable[[float, float], float]] = {"sin": lambda a, b: math.sin(a), "cos": lambda a, b: math.cos(a)}


@settings(max_examples=500)
@given(recipes([*ARITHMETIC, *SMOOTH]), inputs, constants)
def test_with_constants_only_rounding_differs(steps: list[Step], start: list[float], fixed: list[float]) -> None:
    floats = follow_floats(steps, start + fixed)
    graph = Graph()
    q = graph.inputs("q", 3)
    results = evaluate(graph.program({"x": follow(steps, [*q, *fixed])}), start)[0]

    rough = [Rough(x) for x in start + fixed]
    for name, a, b, _ in steps:
        x, y = rough[-1 - a % len(rough)], rough[-1 - b % len(rough)]
        if name in SMOOTH:
            rough.append(Rough(SMOOTH[name](x.value, y.value), x.error))
        else:
            rough.append(ARITHMETIC[name](x, y, y))
    for result, value, bound in zip(results, floats, rough, strict=True):
        assert abs(result - value) <= bound.error + 1e-13 * abs(value)


CHAIN: dict[str, Callable[[Any, float], Any]] = {
    "x * c": lambda x, c: x * c,
    "x / c": lambda x, c: x / c,
    "c / x": lambda x, c: c / x,
    "x + c": lambda x, c: x + c,
    "c - x": lambda x, c: c - x,
    "x - c": lambda x, c: x - c,
}


@settings(max_examples=400)
@given(
    st.lists(st.tuples(st.sampled_from(list(CHAIN)), st.floats(0.1, 10), st.booleans()), max_size=8), st.floats(0.1, 10)
)
def test_a_chain_of_constants_joins_without_harm(steps: list[tuple[str, float, bool]], start: float) -> None:
    graph = Graph()
    (x,) = graph.inputs("q", 1)
    value, rough, expression = start, Rough(start), x
    for name, size, negative in steps:
        c = -size if negative else size
        value = CHAIN[name](value, c)
        assume(1e-3 < abs(value) < 1e6)
        rough = CHAIN[name](rough, Rough(c))  # type: ignore[arg-type]
        expression = CHAIN[name](expression, c)
    p = graph.program({"x": [expression]})
    assert abs(evaluate(p, [start])[0][0] - value) <= rough.error
    products = [op for op in p.operation if op in (Op.MULTIPLY, Op.DIVIDE)]
    if all(name in ("x * c", "x / c", "c / x") for name, _, _ in steps):
        assert len(products) <= 1 + sum(name == "c / x" for name, _, _ in steps)
    if all(name in ("x + c", "x - c", "c - x") for name, _, _ in steps):
        assert p.count().additions <= 1


@given(recipes(list(ALL)), inputs, constants)
def test_a_recipe_followed_twice_adds_no_nodes_and_gives_one_fingerprint(
    steps: list[Step], start: list[float], fixed: list[float]
) -> None:
    follow_floats(steps, start + fixed)
    prints = []
    for _ in range(2):
        graph = Graph()
        q = graph.inputs("q", 3)
        first = follow(steps, [*q, *fixed])
        nodes = len(graph)
        assert follow(steps, [*q, *fixed]) == first
        assert len(graph) == nodes
        prints.append(graph.program({"x": first}).fingerprint())
    assert prints[0] == prints[1]


@given(recipes(list(ALL)), inputs, constants)
def test_rows_are_in_the_one_shape_that_the_rules_promise(
    steps: list[Step], start: list[float], fixed: list[float]
) -> None:
    follow_floats(steps, start + fixed)
    graph = Graph()
    follow(steps, [*graph.inputs("q", 3), *fixed])
    rows = list(zip(graph.operation, graph.first, graph.second, graph.third, strict=True))
    assert len(set(zip(rows, graph.number, strict=True))) == len(rows)
    for o, a, b, c in rows:
        if o not in (Op.CONSTANT, Op.INPUT):
            kinds = [graph.operation[i] for i in (a, b, c) if i >= 0]
            assert set(kinds) != {Op.CONSTANT}
            if o in (Op.ADD, Op.SUBTRACT, Op.MULTIPLY, Op.DIVIDE, Op.NEGATE, Op.SIN, Op.COS, Op.ABSOLUTE):
                assert Op.NEGATE not in kinds
            if o in (Op.ADD, Op.MULTIPLY, Op.MINIMUM, Op.MAXIMUM, Op.EQUAL):
                assert kinds[0] == Op.CONSTANT or (kinds[1] != Op.CONSTANT and a <= b)
            if o == Op.SUBTRACT:
                assert a < b
                assert Op.CONSTANT not in kinds
