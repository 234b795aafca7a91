"""Programs: what is kept, in which order, and how operations are counted."""

from __future__ import annotations

import math

import pytest

from sistel.expr import (
    Count,
    Expr,
    Graph,
    Op,
    Program,
    cos,
    evaluate,
    exp,
    floor,
    forward_derivative,
    less,
    log,
    select,
    sin,
    sqrt,
)


def two_bars() -> tuple[Graph, dict[str, list[Expr]]]:
    """Joint moments of a double pendulum: the formulas of a textbook, with numbers."""
    graph = Graph()
    q, v, a = (graph.inputs(name, 2) for name in "qva")
    m1, m2, l1, l2, g = 2.0, 3.0, 0.5, 0.7, 9.81
    c2, s2 = cos(q[1]), sin(q[1])
    h = m2 * l1 * l2
    m12 = m2 * l2 * l2 + h * c2
    gravity = m2 * l2 * g * sin(q[0] + q[1])
    tau2 = m12 * a[0] + m2 * l2 * l2 * a[1] + h * s2 * v[0] ** 2 + gravity
    tau1 = (
        ((m1 + m2) * l1 * l1 + m2 * l2 * l2 + 2 * h * c2) * a[0]
        + m12 * a[1]
        - h * s2 * (2 * v[0] * v[1] + v[1] ** 2)
        + (m1 + m2) * l1 * g * sin(q[0])
        + gravity
    )
    return graph, {"tau": [tau1, tau2]}


def test_dead_nodes_are_dropped_and_the_order_is_kept() -> None:
    graph = Graph()
    a, b, c = graph.inputs("q", 3)
    unused = sin(a * b) + c
    x = a + c
    y = x * x
    p = graph.program({"y": [y, 1.5], "x": [x, a]})
    assert [Op(o) for o in p.operation] == [Op.INPUT, Op.INPUT, Op.ADD, Op.MULTIPLY, Op.CONSTANT]
    assert p.first == (0, 0, 0, 2, -1)
    assert p.second == (0, 2, 1, 2, -1)
    assert p.third == (-1,) * 5
    assert p.number == (0.0, 0.0, 0.0, 0.0, 1.5)
    assert p.results == (3, 4, 2, 0)
    assert p.inputs == (("q", 3),)
    assert p.outputs == (("y", 2), ("x", 2))
    assert evaluate(p, [1.0, 2.0, 3.0]) == [[16.0, 1.5], [4.0, 1.0]]
    assert unused.index not in range(len(p))


def test_a_sign_goes_into_an_operand_that_nothing_else_needs() -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    p = graph.program({"x": [b - a, -3 * a, 1 - b, -2 / a, a / -7]})
    assert Op.NEGATE not in p.operation
    assert evaluate(p, [2.0, 5.0]) == [[3.0, -6.0, -4.0, -1.0, 2.0 / -7.0]]
    assert sorted(n for o, n in zip(p.operation, p.number, strict=True) if o == Op.CONSTANT) == [-7.0, -3.0, -2.0, 1.0]

    both = graph.program({"x": [a - b, b - a, -(a * b)]})
    assert both.operation.count(Op.NEGATE) == 2
    assert both.count() == Count(multiplications=1, additions=1)
    assert evaluate(both, [2.0, 5.0]) == [[-3.0, 3.0, -10.0]]


def test_operations_are_counted_as_by_hand() -> None:
    graph, outputs = two_bars()
    # × : h c2, h s2 (shared), v0², its product, gravity, m22 a1, m12 a0, 2h c2, M11 a0, m12 a1, 2 v0, v0 v1, v1², its
    # product, gravity of the first; + : m12, M11, the sum of angles, 3 in tau2, 1 in the brackets and 4 in tau1.
    assert graph.program(outputs).count() == Count(multiplications=15, additions=11, sincos=3)


def test_counts_of_every_kind() -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    outputs = [sin(a), cos(a), cos(-b), sqrt(a), a / b, a * b, -(a - b), select(less(a, b), exp(a), log(b)), floor(a)]
    count = graph.program({"x": outputs}).count()
    assert count == Count(multiplications=2, divisions=1, additions=1, sincos=2, roots=1, other=5)
    assert count.weighted == 2 + 7 + 1 + 40 + 8 + 10
    assert count + Count(additions=1) == Count(multiplications=2, divisions=1, additions=2, sincos=2, roots=1, other=5)
    assert str(count) == "2 ×, 1 +, 2 sincos, 1 √, 5 other"
    assert str(Count(304, 291, 6)) == "304 ×, 291 +, 6 sincos"


def test_a_rotation_matrix_times_a_vector() -> None:
    graph = Graph()
    (q,) = graph.inputs("q", 1)
    p = graph.inputs("p", 3)
    c, s = cos(q), sin(q)
    matrix: list[list[Expr | float]] = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
    result: list[Expr | float] = []
    for row in matrix:
        total: Expr | float = 0.0
        for entry, x in zip(row, p, strict=True):
            total = total + entry * x
        result.append(total)
    line = graph.program({"x": result})
    assert line.count() == Count(multiplications=4, additions=2, sincos=1)
    assert Op.NEGATE not in line.operation


def derived() -> Program:
    graph, outputs = two_bars()
    q = [Expr(graph, 0), Expr(graph, 1)]
    jacobian = forward_derivative(graph, outputs["tau"], q)
    return graph.program({**outputs, "by q": [x for row in jacobian for x in row]})


def test_the_same_derivation_gives_the_same_program() -> None:
    assert derived().fingerprint() == derived().fingerprint()
    assert len(derived().fingerprint()) == 64


def test_the_fingerprint_sees_every_part() -> None:
    prints = set()
    for name, output, number in (("q", "x", 1.0), ("p", "x", 1.0), ("q", "y", 1.0), ("q", "x", 1.0 + 2**-52)):
        graph = Graph()
        a, b = graph.inputs(name, 2)
        prints.add(graph.program({output: [a + number]}).fingerprint())
        prints.add(graph.program({output: [b + number]}).fingerprint())
        prints.add(graph.program({output: [a * (3 * number)]}).fingerprint())
        prints.add(graph.program({output: [a, b + number]}).fingerprint())
        prints.add(graph.program({output: [b + number, a]}).fingerprint())
        prints.add(graph.program({output: [a], "z": [b + number]}).fingerprint())
    assert len(prints) == 24


def test_a_program_is_plain_data() -> None:
    p = derived()
    for column in (p.operation, p.first, p.second, p.third, p.results):
        assert isinstance(column, tuple)
        assert all(type(entry) is int for entry in column)
    assert all(type(number) is float for number in p.number)
    assert all(a < i and b < i and c < i for i, (a, b, c, o) in enumerate(zip(p.first, p.second, p.third, p.operation, strict=True)) if o != Op.INPUT)  # fmt: skip
    assert repr(p).startswith("<Program(q[2], v[2], a[2]) -> (tau[2], by q[4]): ")
    assert len(p) == len(p.operation)


def test_a_deep_graph_needs_no_recursion() -> None:
    graph = Graph()
    (x,) = graph.inputs("q", 1)
    y = x
    for _ in range(5_000):
        y = sin(y) + x
    (slope,) = forward_derivative(graph, [y], [x])[0]
    (values,) = evaluate(graph.program({"y": [y, slope]}), [0.1])
    assert all(map(math.isfinite, values))


def test_an_empty_program() -> None:
    graph = Graph()
    graph.inputs("q", 2)
    assert evaluate(graph.program({}), [1.0, 2.0]) == []
    assert evaluate(graph.program({"x": [], "y": [3]}), [1.0, 2.0]) == [[], [3.0]]


def test_wrong_blocks_are_named() -> None:
    graph = Graph()
    graph.inputs("q", 2)
    p = graph.program({"x": [1.0]})
    with pytest.raises(ValueError, match="takes 1 blocks"):
        evaluate(p)
    with pytest.raises(ValueError, match="'q' has 2 components, 3 were given"):
        evaluate(p, [1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match="another graph"):
        Graph().program({"x": graph.inputs("p", 1)})


def test_the_side_not_taken_may_be_without_a_value() -> None:
    graph = Graph()
    (x,) = graph.inputs("q", 1)
    p = graph.program({"x": [select(less(0.0, x), sin(x) / x, 1.0), 1 / x, -1 / x, x / x, sqrt(x - 1), log(x), exp(x)]})
    (values,) = evaluate(p, [0.0])
    assert values[:3] == [1.0, math.inf, -math.inf]
    assert math.isnan(values[3])
    assert math.isnan(values[4])
    assert values[5:] == [-math.inf, 1.0]
    assert evaluate(p, [1e3])[0][6] == math.inf
    assert evaluate(graph.program({"y": [floor(x)]}), [math.inf]) == [[math.inf]]
