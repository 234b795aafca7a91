"""Functions over the scalar: numbers give a number at once, an expression gives a node.

A truth value is 1.0 or 0.0 (see `Op`); with `select` a formula is written once for both kinds of scalar.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, overload

from sistel.expr._graph import Expr, Graph, Scalar, index_in
from sistel.expr._operation import BINARY, UNARY, Op
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


@overload
def sin(x: float) -> float: ...
@overload
def sin(x: Expr) -> Expr: ...
def sin(x: Scalar) -> Scalar:
    """The sine of an angle [rad]."""
    return _unary(Op.SIN, x)


@overload
def cos(x: float) -> float: ...
@overload
def cos(x: Expr) -> Expr: ...
def cos(x: Scalar) -> Scalar:
    """The cosine of an angle [rad]."""
    return _unary(Op.COS, x)


@overload
def sqrt(x: float) -> float: ...
@overload
def sqrt(x: Expr) -> Expr: ...
def sqrt(x: Scalar) -> Scalar:
    """The square root."""
    return _unary(Op.SQRT, x)


@overload
def absolute(x: float) -> float: ...
@overload
def absolute(x: Expr) -> Expr: ...
def absolute(x: Scalar) -> Scalar:
    """The absolute value."""
    return _unary(Op.ABSOLUTE, x)


@overload
def exp(x: float) -> float: ...
@overload
def exp(x: Expr) -> Expr: ...
def exp(x: Scalar) -> Scalar:
    """The exponential."""
    return _unary(Op.EXP, x)


@overload
def log(x: float) -> float: ...
@overload
def log(x: Expr) -> Expr: ...
def log(x: Scalar) -> Scalar:
    """The natural logarithm."""
    return _unary(Op.LOG, x)


@overload
def floor(x: float) -> float: ...
@overload
def floor(x: Expr) -> Expr: ...
def floor(x: Scalar) -> Scalar:
    """The greatest whole number that is not above x."""
    return _unary(Op.FLOOR, x)


@overload
def logical_not(x: float) -> float: ...
@overload
def logical_not(x: Expr) -> Expr: ...
def logical_not(x: Scalar) -> Scalar:
    """1 where x is zero, else 0."""
    return _unary(Op.NOT, x)


@overload
def atan2(y: float, x: float) -> float: ...
@overload
def atan2(y: Expr, x: Scalar) -> Expr: ...
@overload
def atan2(y: Scalar, x: Expr) -> Expr: ...
def atan2(y: Scalar, x: Scalar) -> Scalar:
    """The angle [rad] of the point (x, y)."""
    return _binary(Op.ATAN2, y, x)


@overload
def minimum(a: float, b: float) -> float: ...
@overload
def minimum(a: Expr, b: Scalar) -> Expr: ...
@overload
def minimum(a: Scalar, b: Expr) -> Expr: ...
def minimum(a: Scalar, b: Scalar) -> Scalar:
    """The lesser of two."""
    return _binary(Op.MINIMUM, a, b)


@overload
def maximum(a: float, b: float) -> float: ...
@overload
def maximum(a: Expr, b: Scalar) -> Expr: ...
@overload
def maximum(a: Scalar, b: Expr) -> Expr: ...
def maximum(a: Scalar, b: Scalar) -> Scalar:
    """The greater of two."""
    return _binary(Op.MAXIMUM, a, b)


@overload
def less(a: float, b: float) -> float: ...
@overload
def less(a: Expr, b: Scalar) -> Expr: ...
@overload
def less(a: Scalar, b: Expr) -> Expr: ...
def less(a: Scalar, b: Scalar) -> Scalar:
    """1 where a < b, else 0."""
    return _binary(Op.LESS, a, b)


@overload
def less_equal(a: float, b: float) -> float: ...
@overload
def less_equal(a: Expr, b: Scalar) -> Expr: ...
@overload
def less_equal(a: Scalar, b: Expr) -> Expr: ...
def less_equal(a: Scalar, b: Scalar) -> Scalar:
    """1 where a <= b, else 0."""
    return _binary(Op.LESS_EQUAL, a, b)


@overload
def equal(a: float, b: float) -> float: ...
@overload
def equal(a: Expr, b: Scalar) -> Expr: ...
@overload
def equal(a: Scalar, b: Expr) -> Expr: ...
def equal(a: Scalar, b: Scalar) -> Scalar:
    """1 where the two values are equal, else 0."""
    return _binary(Op.EQUAL, a, b)


@overload
def logical_and(a: float, b: float) -> float: ...
@overload
def logical_and(a: Expr, b: Scalar) -> Expr: ...
@overload
def logical_and(a: Scalar, b: Expr) -> Expr: ...
def logical_and(a: Scalar, b: Scalar) -> Scalar:
    """1 where both are true, else 0."""
    return _binary(Op.AND, a, b)


@overload
def logical_or(a: float, b: float) -> float: ...
@overload
def logical_or(a: Expr, b: Scalar) -> Expr: ...
@overload
def logical_or(a: Scalar, b: Expr) -> Expr: ...
def logical_or(a: Scalar, b: Scalar) -> Scalar:
    """1 where one is true or both, else 0."""
    return _binary(Op.OR, a, b)


COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "<": less,
    "<=": less_equal,
    ">": lambda a, b: less(b, a),
    ">=": lambda a, b: less_equal(b, a),
    "=": equal,
    "!=": lambda a, b: logical_not(equal(a, b)),
}
"""Comparisons by the signs that formulas are written with; a truth is 1 or 0."""
