"""Functions over the scalar: numbers give a number at once, an expression gives a node.

A truth value is 1.0 or 0.0 (see `Op`); with `select` a formula is written once for both kinds of scalar.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol, cast, overload

from sistel.expr._graph import Expr, Graph, Scalar, index_in
from sistel.expr._operation import BINARY, UNARY, Op
from sistel.expr._routine import Routine
from sistel.expr._traced import Traced, made


def _unary(op: Op, x: Scalar) -> Scalar:
    if isinstance(x, Expr):
        return Expr(x.graph, x.graph.unary(op, x.index))
    if isinstance(x, Traced):
        return made(UNARY[op](float(x)), _unary(op, x.node))
    return UNARY[op](x)


def _binary(op: Op, a: Scalar, b: Scalar) -> Scalar:
    graph = a.graph if isinstance(a, Expr) else b.graph if isinstance(b, Expr) else None
    if graph is None:
        assert not isinstance(a, Expr) and not isinstance(b, Expr)
        if isinstance(a, Traced) or isinstance(b, Traced):
            return made(BINARY[op](float(a), float(b)), _binary(op, _node(a), _node(b)))
        return BINARY[op](a, b)
    return Expr(graph, graph.binary(op, index_in(graph, a), index_in(graph, b)))


def _node(x: float) -> Scalar:
    return x.node if isinstance(x, Traced) else x


class OfOne(Protocol):
    """A function of one scalar: of a number a number, of an expression an expression."""

    @overload
    def __call__(self, x: float, /) -> float: ...
    @overload
    def __call__(self, x: Expr, /) -> Expr: ...


class OfTwo(Protocol):
    """A function of two scalars: of numbers a number, an expression where one of them is one."""

    @overload
    def __call__(self, a: float, b: float, /) -> float: ...
    @overload
    def __call__(self, a: Expr, b: Scalar, /) -> Expr: ...
    @overload
    def __call__(self, a: Scalar, b: Expr, /) -> Expr: ...


def _of_one(function: Callable[[Scalar], Scalar]) -> OfOne:
    return cast("OfOne", function)


def _of_two(function: Callable[[Scalar, Scalar], Scalar]) -> OfTwo:
    return cast("OfTwo", function)


@overload
def select(condition: float, a: float, b: float) -> float: ...
@overload
def select(condition: Expr, a: Scalar, b: Scalar) -> Expr: ...
@overload
def select(condition: Scalar, a: Expr, b: Scalar) -> Expr: ...
@overload
def select(condition: Scalar, a: Scalar, b: Expr) -> Expr: ...
def select(condition: Scalar, a: Scalar, b: Scalar) -> Scalar:
    """The value `a` where the condition is true (not zero), else `b`."""
    for x in (condition, a, b):
        if isinstance(x, Expr):
            graph: Graph = x.graph
            return Expr(graph, graph.select(index_in(graph, condition), index_in(graph, a), index_in(graph, b)))
    assert not isinstance(condition, Expr) and not isinstance(a, Expr) and not isinstance(b, Expr)
    if isinstance(condition, Traced):
        chosen: Scalar = select(condition.node, _node(a), _node(b))
        return made(float(a) if float(condition) else float(b), chosen)
    return a if condition else b


@_of_one
def sin(x: Scalar, /) -> Scalar:
    """The sine of an angle [rad]."""
    return _unary(Op.SIN, x)


@_of_one
def cos(x: Scalar, /) -> Scalar:
    """The cosine of an angle [rad]."""
    return _unary(Op.COS, x)


@_of_one
def sqrt(x: Scalar, /) -> Scalar:
    """The square root."""
    return _unary(Op.SQRT, x)


@_of_one
def absolute(x: Scalar, /) -> Scalar:
    """The absolute value."""
    return _unary(Op.ABSOLUTE, x)


@_of_one
def exp(x: Scalar, /) -> Scalar:
    """The exponential."""
    return _unary(Op.EXP, x)


@_of_one
def log(x: Scalar, /) -> Scalar:
    """The natural logarithm."""
    return _unary(Op.LOG, x)


@_of_one
def floor(x: Scalar, /) -> Scalar:
    """The greatest whole number that is not above x."""
    return _unary(Op.FLOOR, x)


@_of_one
def logical_not(x: Scalar, /) -> Scalar:
    """1 where x is zero, else 0."""
    return _unary(Op.NOT, x)


@_of_two
def atan2(y: Scalar, x: Scalar, /) -> Scalar:
    """The angle [rad] of the point (x, y)."""
    return _binary(Op.ATAN2, y, x)


@_of_two
def minimum(a: Scalar, b: Scalar, /) -> Scalar:
    """The lesser of two."""
    return _binary(Op.MINIMUM, a, b)


@_of_two
def maximum(a: Scalar, b: Scalar, /) -> Scalar:
    """The greater of two."""
    return _binary(Op.MAXIMUM, a, b)


@_of_two
def less(a: Scalar, b: Scalar, /) -> Scalar:
    """1 where a < b, else 0."""
    return _binary(Op.LESS, a, b)


@_of_two
def less_equal(a: Scalar, b: Scalar, /) -> Scalar:
    """1 where a <= b, else 0."""
    return _binary(Op.LESS_EQUAL, a, b)


@_of_two
def equal(a: Scalar, b: Scalar, /) -> Scalar:
    """1 where the two values are equal, else 0."""
    return _binary(Op.EQUAL, a, b)


@_of_two
def logical_and(a: Scalar, b: Scalar, /) -> Scalar:
    """1 where both are true, else 0."""
    return _binary(Op.AND, a, b)


@_of_two
def logical_or(a: Scalar, b: Scalar, /) -> Scalar:
    """1 where one is true or both, else 0."""
    return _binary(Op.OR, a, b)


COMPARISONS: Final[Mapping[str, OfTwo]] = {
    "<": less,
    "<=": less_equal,
    ">": _of_two(lambda a, b: less(b, a)),
    ">=": _of_two(lambda a, b: less_equal(b, a)),
    "=": equal,
    "!=": _of_two(lambda a, b: logical_not(equal(a, b))),
}
"""Comparisons by the signs that formulas are written with; a truth is 1 or 0."""


def call(called: Routine, given: Sequence[Scalar]) -> list[Scalar]:
    """What a routine makes of some scalars: numbers of numbers, expressions of expressions."""
    if len(given) != called.takes:
        raise ValueError(f"{called.name} takes {called.takes} numbers, {len(given)} were given")
    graph: Graph | None = next((x.graph for x in given if isinstance(x, Expr)), None)
    if graph is not None:
        return [*_results(called, graph, given)]
    numbers = called.compute([float(x) for x in given if not isinstance(x, Expr)])
    traced = next((x for x in given if isinstance(x, Traced)), None)
    if traced is None:
        return [*numbers]
    nodes = _results(called, traced.node.graph, given)
    return [made(value, node) for value, node in zip(numbers, nodes, strict=True)]


def _results(called: Routine, graph: Graph, given: Sequence[Scalar]) -> list[Expr]:
    chain = graph.value(0.0)
    for x in given:
        chain = graph.row(int(Op.LIST), chain, index_in(graph, x))
    key = graph.value(called.key)
    return [Expr(graph, graph.call(chain, key, graph.value(float(place)))) for place in range(called.gives)]
