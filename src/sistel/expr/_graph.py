"""Expressions: the face of a graph that formulas are written with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from sistel.expr._operation import Op
from sistel.expr._print import formula, operands
from sistel.expr._rows import CONSTANT, INPUT, Rows

if TYPE_CHECKING:
    from sistel.expr._program import Program


class Graph(Rows):
    """An expression graph owned by one derivation: equal expressions are one node.

    Nodes are rows of the parallel lists `operation`, `first`, `second`, `third` (operand indices, -1 when unused) and
    `number` (the value of a constant). An input has its block in `first` and its place in the block in `second`;
    `blocks` lists name and size of the blocks.
    """

    __slots__ = ("_planted",)

    def __init__(self) -> None:
        super().__init__()
        self._planted: dict[Expr, int] = {}

    def constant(self, value: float) -> Expr:
        """A number as an expression; a traced number as the expression that it remembers."""
        return Expr(self, index_in(self, value))

    def plant(self, node: Expr) -> int:
        """The row of an expression of another graph, copied; its blocks of inputs are found by name, or added."""
        if node.graph is self:
            return node.index
        index = self._planted.get(node)
        if index is None:
            index = self._planted[node] = plant(self, node)
        return index

    def inputs(self, name: str, count: int) -> list[Expr]:
        """A new block of inputs: a named vector, such as "q"."""
        if any(name == other for other, _ in self.blocks):
            raise ValueError(f"the graph already has a block of inputs {name!r}")
        if count < 0:
            raise ValueError(f"a block of inputs has {count} components")
        block = len(self.blocks)
        self.blocks.append((name, count))
        return [Expr(self, self.row(INPUT, block, offset)) for offset in range(count)]

    def program(self, outputs: Mapping[str, Sequence[Scalar]]) -> Program:
        """The program that computes named blocks of outputs.

        Nodes that no output needs are dropped, and a sign change whose operand nothing else needs goes into that
        operand: `-(a - b)` becomes `b - a`, `-(2 * a)` becomes `-2 * a`.
        """
        from sistel.expr._program import program

        return program(self, outputs)

    def __repr__(self) -> str:
        blocks = ", ".join(f"{name}[{count}]" for name, count in self.blocks)
        return f"<Graph({blocks}): {len(self)} nodes>"


class Expr:
    """A node of a graph, with the arithmetic of numbers.

    Operators apply the rules of the graph and mix with plain numbers. A sum or product that is always 0 is the plain
    number 0, which vanishes from others without a trace in the graph: a formula of vectors full of zeros costs no more
    than one that leaves them out. Equality is identity: the same node of the same graph; there is no truth value, since
    what a formula does must not depend on the numbers it is later given.
    """

    __slots__ = ("graph", "index")
    __array_ufunc__ = None  # a NumPy number on the left leaves the operation to this class

    def __init__(self, graph: Graph, index: int) -> None:
        self.graph = graph
        self.index = index

    def __add__(self, other: Scalar) -> Scalar:
        if type(other) is Expr and other.graph is self.graph:
            return _scalar(self.graph, self.graph.add(self.index, other.index))
        return self if other == 0.0 else _scalar(self.graph, self.graph.add(self.index, index_in(self.graph, other)))

    def __radd__(self, other: float) -> Scalar:
        return self if other == 0.0 else _scalar(self.graph, self.graph.add(index_in(self.graph, other), self.index))

    def __sub__(self, other: Scalar) -> Scalar:
        if type(other) is Expr and other.graph is self.graph:
            return _scalar(self.graph, self.graph.subtract(self.index, other.index))
        if other == 0.0:
            return self
        return _scalar(self.graph, self.graph.subtract(self.index, index_in(self.graph, other)))

    def __rsub__(self, other: float) -> Scalar:
        if other == 0.0:
            return -self
        return _scalar(self.graph, self.graph.subtract(index_in(self.graph, other), self.index))

    def __mul__(self, other: Scalar) -> Scalar:
        if type(other) is Expr and other.graph is self.graph:
            return _scalar(self.graph, self.graph.multiply(self.index, other.index))
        if isinstance(other, tuple):
            return NotImplemented  # a vector: it scales itself
        if other == 0.0:
            return 0.0
        return _scalar(self.graph, self.graph.multiply(self.index, index_in(self.graph, other)))

    def __rmul__(self, other: float) -> Scalar:
        if other == 0.0:
            return 0.0
        return _scalar(self.graph, self.graph.multiply(index_in(self.graph, other), self.index))

    def __truediv__(self, other: Scalar) -> Expr:
        graph = self.graph
        index = other.index if type(other) is Expr and other.graph is graph else index_in(graph, other)
        return Expr(graph, graph.divide(self.index, index))

    def __rtruediv__(self, other: float) -> Expr:
        graph = self.graph
        return Expr(graph, graph.divide(index_in(graph, other), self.index))

    def __neg__(self) -> Expr:
        return Expr(self.graph, self.graph.negate(self.index))

    def __pos__(self) -> Expr:
        return self

    def __abs__(self) -> Expr:
        return Expr(self.graph, self.graph.unary(Op.ABSOLUTE, self.index))

    def __pow__(self, exponent: int) -> Expr:
        """A power with a whole exponent, by repeated squaring."""
        if not isinstance(exponent, int):
            raise TypeError(f"only whole powers of an expression, not {exponent!r}")
        graph = self.graph
        square, rest, result = self.index, abs(exponent), -1
        while rest:
            if rest & 1:
                result = square if result < 0 else graph.multiply(result, square)
            rest >>= 1
            if rest:
                square = graph.multiply(square, square)
        if exponent <= 0:
            one = graph.value(1.0)
            result = one if exponent == 0 else graph.divide(one, result)
        return Expr(graph, result)

    def __eq__(self, other: object) -> bool:
        return type(other) is Expr and self.index == other.index and self.graph is other.graph

    def __hash__(self) -> int:
        return hash((id(self.graph), self.index))

    def __bool__(self) -> NoReturn:
        raise TypeError(
            "an expression has no truth value, its number is not known yet: "
            "use select(condition, a, b) in formulas, is_zero(x) or is_constant(x) to look at their shape"
        )

    def __repr__(self) -> str:
        return f"Expr({formula(self.graph, self.index)})"


Scalar: TypeAlias = Expr | float
"""What formulas are generic over: a plain number, or a node of a graph."""
Scalars: TypeAlias = Sequence[Scalar]
"""Such as coordinates, velocities or forces."""


def _scalar(graph: Graph, index: int) -> Scalar:
    """The expression of a row; where it is always 0, the plain number."""
    return Expr(graph, index) if graph.operation[index] or graph.number[index] else 0.0


def index_in(graph: Graph, x: Scalar) -> int:
    """The row of an operand, a plain number made a constant."""
    if type(x) is float:
        return graph.value(x)
    if type(x) is Expr:
        if x.graph is graph:
            return x.index
        raise ValueError("an expression of another graph: a formula mixes two derivations")
    node = getattr(x, "node", None)  # a traced number
    if type(node) is Expr:
        return graph.plant(node)
    if isinstance(x, float | int | Real):  # Real: NumPy's numbers; asking for it alone is slow
        return graph.value(float(x))
    raise TypeError(f"neither a number nor an expression: {x!r}")


def plant(graph: Graph, node: Expr) -> int:
    """Copy an expression of another graph, with what it needs; equal expressions become one node as always."""
    source = node.graph
    needed: set[int] = set()
    stack = [node.index]
    while stack:
        i = stack.pop()
        if i not in needed:
            needed.add(i)
            stack.extend(operands(source, i))
    blocks = {name: block for block, (name, _) in enumerate(graph.blocks)}
    row = {-1: -1}
    for i in sorted(needed):
        op, a, b, c = source.operation[i], source.first[i], source.second[i], source.third[i]
        if op == CONSTANT:
            row[i] = graph.value(source.number[i])
        elif op == INPUT:
            name, size = source.blocks[a]
            if name not in blocks:
                blocks[name] = len(graph.blocks)
                graph.blocks.append((name, size))
            if b >= graph.blocks[blocks[name]][1]:
                raise ValueError(f"the graph has a smaller block of inputs {name!r}")
            row[i] = graph.row(INPUT, blocks[name], b)
        else:
            row[i] = graph.rebuild(op, row[a], row[b], row[c])
    return row[node.index]


def is_constant(x: Scalar) -> bool:
    """Whether the value is known now: a number, or a constant of a graph."""
    return not isinstance(x, Expr) or x.graph.operation[x.index] == CONSTANT
