"""Numbers that remember how they were computed, and programs cut in two at their parameters."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sistel.expr import (
    Expr,
    Graph,
    Trace,
    Traced,
    absolute,
    atan2,
    cos,
    equal,
    evaluate,
    exp,
    floor,
    less,
    log,
    logical_not,
    maximum,
    minimum,
    select,
    sin,
    split_prologue,
    sqrt,
)


def value_at(x: float, *parameters: float) -> float:
    """What the formula of a number gives for other parameters."""
    assert isinstance(x, Traced)
    return evaluate(x.node.graph.program({"x": [x.node]}), parameters)[0][0]


def formulas(a: float, b: float) -> list[float]:
    """Every operation, over whatever computes like a number."""
    return [
        a + b,
        3.0 + a,
        a - b,
        3.0 - a,
        a * b,
        2 * a,
        a / b,
        1 / a,
        -a,
        +a,
        abs(-a),
        a**2,
        a**-3,
        a**0.5,
        a**1.5,
        a**0.3,
        2.0**a,
        a**b,
        sin(a),
        cos(b),
        sqrt(a),
        atan2(a, b),
        exp(a),
        log(a),
        floor(a),
        absolute(-b),
        minimum(a, b),
        maximum(a, 1.25),
        less(a, b),
        equal(a, a + b),
        logical_not(less(a, b)),
        select(less(a, b), a, 3 * b),
    ]


@given(st.floats(0.1, 4), st.floats(0.1, 4), st.floats(0.1, 4), st.floats(0.1, 4))
def test_values_and_formulas_agree(a: float, b: float, c: float, d: float) -> None:
    trace = Trace()
    traced = formulas(trace.symbol("a", a), trace.symbol("b", b))
    for mine, now, later in zip(traced, formulas(a, b), formulas(c, d), strict=True):
        assert float(mine) == now
        # Powers that are no whole ones go through a logarithm, which loses a few digits.
        found = value_at(mine, c, d) if isinstance(mine, Traced) else mine
        assert found == pytest.approx(later, rel=1e-14, abs=1e-14)


def test_nothing_vanishes_because_it_is_zero_today() -> None:
    trace = Trace()
    x = trace.symbol("x", 0.0)
    assert x != 0.0 and x != 0 and bool(x)
    one = trace.symbol("y", 1.0)
    assert one != 1.0 and (1.0 * one) is not one and 1.0 * one == one
    assert value_at(x + 2.0, 5.0, 0.0) == 7.0
    assert x < 1.0 and not x < 0.0  # comparisons look at the value


def test_what_depends_on_nothing_is_plain() -> None:
    trace = Trace()
    x = trace.symbol("x", 2.0)
    for number in (x * 0.0, x - x, x**0, 0.0 / x):
        assert type(number) is float
    assert type(x + math.inf) is float and x - math.inf == -math.inf and math.inf - x == math.inf


def test_equality_is_of_formulas() -> None:
    trace = Trace()
    x, y = trace.symbol("x", 2.0), trace.symbol("y", 2.0)
    assert x != y and x + y == y + x and hash(x + y) == hash(y + x)
    assert (x, 0.0) == (x, 0.0) != (2.0, 0.0)


def test_expressions_take_the_formula() -> None:
    trace = Trace()
    m, r = trace.symbol("m", 2.0), trace.symbol("r", 0.5)
    graph = Graph()
    (q,) = graph.inputs("q", 1)
    results = [m * r * sin(q), sin(q) * (m * r), q + r, r - q, q / m, m / q, graph.constant(m * r)]
    assert all(isinstance(result, Expr) and result.graph is graph for result in results)
    assert results[0] == results[1]
    line = graph.program({"x": results})
    assert line.inputs == (("q", 1), ("p", 2))
    assert evaluate(line, [0.3], [4.0, 3.0])[0] == pytest.approx(
        [12 * math.sin(0.3), 12 * math.sin(0.3), 3.3, 2.7, 0.075, 4 / 0.3, 12.0], rel=1e-15
    )


def test_a_block_that_is_too_small_is_refused() -> None:
    trace = Trace()
    trace.symbol("a", 1.0)
    b = trace.symbol("b", 1.0)
    graph = Graph()
    (q,) = graph.inputs("q", 1)
    graph.inputs("p", 1)
    with pytest.raises(ValueError, match="smaller block"):
        q * b


def test_other_things_are_refused() -> None:
    x = Trace().symbol("x", 1.0)
    for operation in (lambda: x + "1", lambda: [] * x, lambda: x / None, lambda: x ** "2"):
        with pytest.raises(TypeError):
            operation()


def pendulum() -> tuple[Graph, dict[str, list[Expr]]]:
    """Moments of a pendulum with parameters m, l, g."""
    graph = Graph()
    (q,), (a,) = graph.inputs("q", 1), graph.inputs("a", 1)
    m, r, g = graph.inputs("p", 3)
    inertia = m * r * r / 3
    return graph, {"tau": [inertia * a + m * g * (r / 2) * sin(q)], "rest": [inertia, m, a, graph.constant(2.0)]}


def test_prologue_takes_what_parameters_determine() -> None:
    graph, outputs = pendulum()
    whole = graph.program(outputs)
    prologue, main = split_prologue(whole, ["p"])
    assert prologue.inputs == (("p", 3),)
    assert prologue.outputs == main.inputs[-1:] == (("hoisted", 3),)
    assert main.inputs[:-1] == (("q", 1), ("a", 1)) and main.outputs == whole.outputs
    assert main.count().multiplications == 2  # J · a and (m g l / 2) · sin q
    assert prologue.count() + main.count() == whole.count()
    q, a, p = [0.7], [1.3], [2.0, 0.4, 9.81]
    (hoisted,) = evaluate(prologue, p)
    assert evaluate(main, q, a, hoisted) == evaluate(whole, q, a, p)


@pytest.mark.parametrize("names", [(), ("p",), ("q", "p"), ("q", "a", "p")])
def test_any_blocks_can_be_hoisted(names: tuple[str, ...]) -> None:
    graph, outputs = pendulum()
    whole = graph.program(outputs)
    blocks = {"q": [0.7], "a": [1.3], "p": [2.0, 0.4, 9.81]}
    prologue, main = split_prologue(whole, names, hoisted="early")
    (early,) = evaluate(prologue, *(blocks[name] for name, _ in prologue.inputs))
    late = [blocks[name] for name, _ in main.inputs[:-1]]
    assert evaluate(main, *late, early) == evaluate(whole, *blocks.values())
    assert {name for name, _ in prologue.inputs} == set(names)
