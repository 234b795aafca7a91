"""A program run again over another scalar: numbers give numbers, nodes give the same formulas."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sistel.expr import (
    Expr,
    Graph,
    Program,
    absolute,
    atan2,
    cos,
    equal,
    evaluate,
    exp,
    floor,
    is_zero,
    less,
    less_equal,
    log,
    logical_and,
    logical_not,
    logical_or,
    maximum,
    minimum,
    replay,
    select,
    sin,
    sqrt,
)


def everything() -> Program:
    """Every operation there is, on two blocks."""
    graph = Graph()
    (x, y), (z,) = graph.inputs("a", 2), graph.inputs("b", 1)
    parts: list[Expr] = [
        x + y,
        x - z,
        x * y,
        x / (2.0 + y * y),
        -z,
        sqrt(absolute(x)),
        sin(x),
        cos(x),
        atan2(x, y),
        minimum(x, y),
        maximum(y, z),
        less(x, y),
        less_equal(y, x),
        equal(x, x + 0.0 * y),
        logical_and(less(x, y), less(y, z)),
        logical_or(less(x, y), less(y, z)),
        logical_not(less(x, y)),
        select(less(x, z), x, y),
        exp(-absolute(z)),
        log(1.0 + x * x),
        floor(y),
    ]
    return graph.program({"first": parts[:5], "rest": parts[5:], "constant": [graph.constant(3.5)]})


numbers = st.floats(-50, 50)


@given(numbers, numbers, numbers)
def test_numbers(x: float, y: float, z: float) -> None:
    line = everything()
    assert replay(line, [x, y], [z]) == evaluate(line, [x, y], [z])


@given(numbers, numbers)
def test_nodes_of_another_graph(x: float, y: float) -> None:
    """With expressions and numbers as inputs, and evaluated afterwards."""
    line = everything()
    graph = Graph()
    p, q = graph.inputs("s", 2)
    blocks = replay(line, [p * q, q - 1.0], [0.25])
    made = {f"b{i}": [e if isinstance(e, Expr) else graph.constant(e) for e in block] for i, block in enumerate(blocks)}
    assert evaluate(graph.program(made), [x, y]) == evaluate(line, [x * y, y - 1.0], [0.25])


def test_shape_and_zeros() -> None:
    """Blocks keep their sizes; numbers that make zero make a zero, so that formulas become shorter, not longer."""
    graph = Graph()
    a, b = graph.inputs("a", 2)
    line = graph.program({"one": [a * b, a + b], "two": [sin(a)]})
    assert [len(block) for block in replay(line, [1.0, 2.0])] == [2, 1]
    other = Graph()
    (x,) = other.inputs("x", 1)
    (product, total), (wave,) = replay(line, [0.0, x])
    assert is_zero(product) and is_zero(wave)
    assert isinstance(total, Expr) and total.index == x.index


def test_numbers_out_of_range_are_not_hidden() -> None:
    graph = Graph()
    (x,) = graph.inputs("x", 1)
    line = graph.program({"f": [1.0 / x, sqrt(x)]})
    with pytest.raises(ZeroDivisionError):
        replay(line, [0.0])
    with pytest.raises(ValueError, match=r"domain|nonneg"):
        replay(line, [-1.0])
    assert math.isnan(replay(line, [math.nan])[0][0])  # type: ignore[arg-type]
