"""Numbers that remember how they were computed from parameters.

A `Traced` is a float: whatever computes with plain numbers computes with it, and its value is today's. Beside the value
it carries the node of a graph, so a description that is read with traced parameters gives masses and lengths that are
still formulas, and equations derived from those have the parameters as inputs.

>>> trace = Trace()
>>> m, l = trace.symbol("m", 2.0), trace.symbol("l", 0.5)
>>> inertia = m * l**2 / 12
>>> float(inertia), inertia.node
(0.041666666666666664, Expr(p[0]*p[1]*p[1]/12))
>>> l * 0.0, bool(l * 1.0), l == 0.5
(0.0, True, False)

What only looks at the value (a comparison, a function of `math`) forgets the formula. Equality is of formulas: a traced
number equals no plain one and is never "zero", so that no term is dropped because a parameter happens to be 0 today.

While a description is read it is the other way round: what is built must be right for today's values. There numbers are
`Watched`: they compare by value, and their trace remembers what was compared, and so for which other values the same
would have been built.

>>> trace = Trace(watched=True)
>>> l = trace.symbol("l", 0.5)
>>> 2 * l > 0.7, trace.holds([0.4]), trace.holds([0.3])
(True, True, False)
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Final

from sistel.expr._evaluate import evaluate
from sistel.expr._graph import Expr, Graph, index_in
from sistel.expr._operation import Op
from sistel.expr._print import operands
from sistel.expr._rows import CONSTANT

LIVE: Final = "live"
"""The block of inputs of parameters that equations follow."""

_GREATEST_POWER: Final = 64
"""Whole exponents beyond this become exponentials."""


class Traced(float):
    """A number and the expression of parameters that it is the value of."""

    __slots__ = ("node",)

    node: Expr

    def __new__(cls, value: float, node: Expr) -> Traced:
        """A number known to be the value of an expression."""
        made = super().__new__(cls, value)
        made.node = node
        return made

    def __add__(self, other: float) -> float:
        return (
            made(float(self) + float(other), self.node + _operand(other))
            if _fits(other)
            else _plain(self, other, "add")
        )

    def __radd__(self, other: float) -> float:
        return (
            made(float(other) + float(self), _operand(other) + self.node)
            if _fits(other)
            else _plain(self, other, "radd")
        )

    def __sub__(self, other: float) -> float:
        return (
            made(float(self) - float(other), self.node - _operand(other))
            if _fits(other)
            else _plain(self, other, "sub")
        )

    def __rsub__(self, other: float) -> float:
        return (
            made(float(other) - float(self), _operand(other) - self.node)
            if _fits(other)
            else _plain(self, other, "rsub")
        )

    def __mul__(self, other: float) -> float:
        return (
            made(float(self) * float(other), self.node * _operand(other))
            if _fits(other)
            else _plain(self, other, "mul")
        )

    def __rmul__(self, other: float) -> float:
        return (
            made(float(other) * float(self), _operand(other) * self.node)
            if _fits(other)
            else _plain(self, other, "rmul")
        )

    def __truediv__(self, other: float) -> float:
        return (
            made(float(self) / float(other), self.node / _operand(other))
            if _fits(other)
            else _plain(self, other, "truediv")
        )

    def __rtruediv__(self, other: float) -> float:
        return (
            made(float(other) / float(self), _operand(other) / self.node)
            if _fits(other)
            else _plain(self, other, "rtruediv")
        )

    def __neg__(self) -> float:
        return made(-float(self), -self.node)

    def __pos__(self) -> Traced:
        return self

    def __abs__(self) -> float:
        return made(abs(float(self)), abs(self.node))

    def __pow__(self, exponent: float, modulus: None = None) -> float:
        """A power: whole ones as products, halves with a root, others with an exponential."""
        if not _number(exponent):
            return NotImplemented
        value, graph = float(self) ** float(exponent), self.node.graph
        if not isinstance(exponent, Traced):
            halves = 2 * float(exponent)
            if halves == int(halves) and abs(halves) <= _GREATEST_POWER:
                whole, rest = divmod(int(halves), 2)
                root = Expr(graph, graph.unary(Op.SQRT, self.node.index)) if rest else 1.0
                return made(value, self.node**whole * root)
        logarithm = Expr(graph, graph.unary(Op.LOG, self.node.index))
        return made(value, Expr(graph, graph.unary(Op.EXP, index_in(graph, _operand(exponent) * logarithm))))

    def __rpow__(self, base: float, modulus: None = None) -> float:
        if not _number(base):
            return NotImplemented
        graph = self.node.graph
        logarithm = Expr(graph, graph.unary(Op.LOG, graph.value(float(base))))
        return made(
            float(base) ** float(self), Expr(graph, graph.unary(Op.EXP, index_in(graph, self.node * logarithm)))
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Traced) and self.node == other.node

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.node)

    def __bool__(self) -> bool:
        return True


Comparison = tuple[Expr, "Expr | float", Callable[[float, float], bool], bool]
"""Two sides, how they were compared, and what came out."""


class _WatchedGraph(Graph):
    """A graph of parameters that remembers what was compared while its formulas were made."""

    __slots__ = ("comparisons",)

    def __init__(self) -> None:
        super().__init__()
        self.comparisons: dict[Comparison, None] = {}


class Watched(Traced):
    """A traced number that compares by its value; its trace remembers every comparison."""

    __slots__ = ()

    def compare(self, other: object, how: Callable[[float, float], bool]) -> bool:
        """Compare by value, and remember it."""
        if not isinstance(other, (float, int)):
            return how is operator.ne
        truth = how(float(self), float(other))
        graph = self.node.graph
        assert type(graph) is _WatchedGraph
        right = other.node if isinstance(other, Traced) else float(other)
        graph.comparisons[self.node, right, how, truth] = None
        return truth

    def __eq__(self, other: object) -> bool:
        return self.compare(other, operator.eq)

    def __ne__(self, other: object) -> bool:
        return self.compare(other, operator.ne)

    def __lt__(self, other: float) -> bool:
        return self.compare(other, operator.lt)

    def __le__(self, other: float) -> bool:
        return self.compare(other, operator.le)

    def __gt__(self, other: float) -> bool:
        return self.compare(other, operator.gt)

    def __ge__(self, other: float) -> bool:
        return self.compare(other, operator.ge)

    def __hash__(self) -> int:
        return hash(float(self))

    def __bool__(self) -> bool:
        return self.compare(0.0, operator.ne)


def made(value: float, node: Expr | float) -> float:
    """The value of an expression: traced, or plain where no parameter is left in it."""
    if not isinstance(node, Expr):
        return float(value)
    graph = node.graph
    if graph.operation[node.index] == CONSTANT:
        return float(value)
    return (Watched if type(graph) is _WatchedGraph else Traced)(float(value), node)


def with_value(value: float, formula: float) -> float:
    """A number that was computed in one way, with a formula that is written in another: they differ by roundings."""
    return made(float(value), formula.node) if isinstance(formula, Traced) else float(value)


def settled(x: float) -> float:
    """The plain value of a number that has decided something, for which no formula is needed any more."""
    if isinstance(x, Watched):
        graph = x.node.graph
        assert type(graph) is _WatchedGraph
        return float(x) if (x.node, float(x), operator.eq, True) in graph.comparisons else x
    return x


def decide(x: float) -> float:
    """The plain value, for a choice that depends on it and is not a comparison: with any other value it may differ."""
    if isinstance(x, Watched):
        x.compare(float(x), operator.eq)
    return float(x)


def _number(x: object) -> bool:
    return isinstance(x, (float, int))


def _fits(x: object) -> bool:
    """Whether a graph can hold the number; limits that do not exist are infinite."""
    return isinstance(x, (float, int)) and math.isfinite(x)


def _plain(x: float, other: object, operation: str) -> float:
    """The operation on values alone."""
    result: float = getattr(float, f"__{operation}__")(float(x), other)
    return result


def _operand(x: float) -> Expr | float:
    return x.node if isinstance(x, Traced) else float(x)


class Trace:
    """The parameters that are followed, one block of inputs of a graph of its own."""

    __slots__ = ("graph", "names", "values")

    def __init__(self, name: str = "p", *, watched: bool = False) -> None:
        """No parameters yet.

        Args:
            name: Of the block of inputs.
            watched: Whether numbers compare by value, and what is compared is remembered.
        """
        self.graph = _WatchedGraph() if watched else Graph()
        self.graph.inputs(name, 0)
        self.names: list[str] = []
        self.values: list[float] = []

    def symbol(self, name: str, value: float) -> Traced:
        """A new parameter with today's value."""
        place = len(self.names)
        self.names.append(name)
        self.values.append(float(value))
        self.graph.blocks[0] = (self.graph.blocks[0][0], place + 1)
        number = made(value, Expr(self.graph, self.graph.row(Op.INPUT, 0, place)))
        assert isinstance(number, Traced)
        return number

    def decided(self) -> frozenset[int]:
        """Places of the parameters without freedom: what was built needs that something equals what it does today."""
        if not isinstance(self.graph, _WatchedGraph):
            return frozenset()
        graph, found = self.graph, set[int]()
        waiting = [
            side.index
            for left, right, how, truth in graph.comparisons
            if truth is (how is operator.eq) and how in (operator.eq, operator.ne)
            for side in (left, right)
            if isinstance(side, Expr)
        ]
        seen = set(waiting)
        while waiting:
            index = waiting.pop()
            if graph.operation[index] == Op.INPUT:
                found.add(graph.second[index])
                continue
            for operand in operands(graph, index):
                if operand not in seen:
                    seen.add(operand)
                    waiting.append(operand)
        return frozenset(found)

    def holds(self, values: Sequence[float]) -> bool:
        """Whether all comparisons would have come out as they did, for other values of the parameters.

        Raises:
            ArithmeticError: A formula has no value there.
            ValueError: The same.
        """
        if not isinstance(self.graph, _WatchedGraph) or not self.graph.comparisons:
            return True
        compared = self.graph.comparisons
        nodes = list(dict.fromkeys(side for row in compared for side in row[:2] if isinstance(side, Expr)))
        (computed,) = evaluate(self.graph.program({"sides": nodes}), list(values))
        found = dict(zip(nodes, computed, strict=True))
        return all(
            how(found[left], found[right] if isinstance(right, Expr) else right) is truth
            for left, right, how, truth in compared
        )
