"""Derivatives, as new nodes of the same graph: along a direction (forward), or of one output (reverse).

Both are one loop over the rows that matter. Variables are inputs of the graph and nothing else: another node may have
been absorbed by a rule, and a derivative by it would silently be zero. Kinks have the derivative of the side that is
chosen there: `|x|` at 0 that of x, `minimum(a, b)` at a tie that of the operand stored first; comparisons, logic and
floor have none and count as constant.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NoReturn

from sistel.errors import Text, refuse
from sistel.expr._graph import Expr, Graph, Scalar, index_in
from sistel.expr._operation import Op
from sistel.expr._print import formula, operands
from sistel.expr._routine import Routine, routine

_FLAT: Final = frozenset({Op.LESS, Op.LESS_EQUAL, Op.EQUAL, Op.AND, Op.OR, Op.NOT, Op.FLOOR})


def derivative(graph: Graph, outputs: Sequence[Scalar], seeds: Mapping[Expr, Scalar]) -> list[Expr]:
    """The rate of every output when inputs change at given rates (the derivative along a direction).

    Args:
        graph: The graph of all expressions.
        outputs: What to differentiate.
        seeds: The rate of every input that changes; with {q: v} this is the derivative with time.
    """
    results = [index_in(graph, x) for x in outputs]
    rates = {index_in(graph, x): index_in(graph, rate) for x, rate in seeds.items()}
    rows, _ = _between(graph, results, rates)
    return _push(graph, rows, results, rates)


def forward_derivative(graph: Graph, outputs: Sequence[Scalar], inputs: Sequence[Expr]) -> list[list[Expr]]:
    """The Jacobian matrix, one row an output, computed column by column: good for few inputs."""
    results = [index_in(graph, x) for x in outputs]
    variables = [index_in(graph, x) for x in inputs]
    rows, _ = _between(graph, results, variables)
    one = graph.value(1.0)
    columns = [_push(graph, rows, results, {variable: one}) for variable in variables]
    return [[column[i] for column in columns] for i in range(len(results))]


def reverse_derivative(graph: Graph, outputs: Sequence[Scalar], inputs: Sequence[Expr]) -> list[list[Expr]]:
    """The Jacobian matrix, one row an output, computed row by row: good for few outputs."""
    return [gradient(graph, output, inputs) for output in outputs]


def gradient(graph: Graph, output: Scalar, inputs: Sequence[Expr]) -> list[Expr]:
    """The derivatives of one output by every input, in one pass backward."""
    result = index_in(graph, output)
    variables = [index_in(graph, x) for x in inputs]
    rows, moving = _between(graph, [result], variables)
    adjoint = {result: graph.value(1.0)}
    for i in reversed(rows):
        above = adjoint.get(i)
        if above is not None:
            for j, share in _shares(graph, i, above, moving):
                adjoint[j] = graph.add(adjoint[j], share) if j in adjoint else share
    zero = graph.value(0.0)
    return [Expr(graph, adjoint.get(i, zero)) for i in variables]


def dependence(graph: Graph, outputs: Sequence[Scalar], inputs: Sequence[Expr]) -> list[int]:
    """By which inputs every output has a derivative, as bits of a number: the first input is the lowest bit.

    One pass over the rows, however many inputs there are.
    """
    results = [index_in(graph, x) for x in outputs]
    variables = [index_in(graph, x) for x in inputs]
    rows, _ = _between(graph, results, variables)
    known = {variable: 1 << place for place, variable in enumerate(variables)}
    for i in rows:
        found = 0
        # What a choice compares has no derivative, though its sides have.
        for j in operands(graph, i)[graph.operation[i] == Op.SELECT :]:
            found |= known.get(j, 0)
        known[i] = found
    return [known.get(i, 0) for i in results]


def _between(graph: Graph, results: Iterable[int], variables: Iterable[int]) -> tuple[list[int], set[int]]:
    """The rows that depend on a variable and that a result needs, in order; then these and the variables as a set."""
    moving = set(variables)
    for i in moving:
        if graph.operation[i] != Op.INPUT:
            raise ValueError(f"a derivative by {formula(graph, i)}, which is not an input")
    needed: set[int] = set()
    stack = list(results)
    while stack:
        i = stack.pop()
        if i not in needed:
            needed.add(i)
            stack.extend(operands(graph, i))
    rows: list[int] = []
    for i in sorted(needed):
        if graph.operation[i] not in _FLAT and any(j in moving for j in operands(graph, i)):
            if graph.operation[i] == Op.CALL:
                _no_derivative(routine(graph.number[graph.second[i]]))
            moving.add(i)
            rows.append(i)
    return rows, moving


def _no_derivative(called: Routine) -> NoReturn:
    refuse(
        "no-derivative",
        Text(
            f"{called.name} has no derivative: it is computed at ticks by a program",
            f"у {called.name} нет производной: программа вычисляет это на тактах",
        ),
        hint=Text("leave the sensor or block out, or simulate", "уберите датчик или блок либо моделируйте"),
    )


def _push(graph: Graph, rows: list[int], results: list[int], rates: Mapping[int, int]) -> list[Expr]:
    zero = graph.value(0.0)
    rate = {i: r for i, r in rates.items() if r != zero}
    for i in rows:
        a, b, c = graph.first[i], graph.second[i], graph.third[i]
        if a in rate or b in rate or c in rate:
            r = _rate(graph, i, rate.get(a, zero), rate.get(b, zero), rate.get(c, zero))
            if r != zero:
                rate[i] = r
    return [Expr(graph, rate.get(i, zero)) for i in results]


def _rate(g: Graph, i: int, da: int, db: int, dc: int) -> int:
    """The rate of a node from the rates of its operands."""
    a, b = g.first[i], g.second[i]
    match g.operation[i]:
        case Op.ADD:
            return g.add(da, db)
        case Op.SUBTRACT:
            return g.subtract(da, db)
        case Op.MULTIPLY:
            if a == b:
                return g.multiply(g.multiply(g.value(2.0), a), da)
            return g.add(g.multiply(da, b), g.multiply(a, db))
        case Op.DIVIDE:
            return g.divide(g.subtract(da, g.multiply(i, db)), b)
        case Op.ATAN2:
            square = g.add(g.multiply(a, a), g.multiply(b, b))
            return g.divide(g.subtract(g.multiply(b, da), g.multiply(a, db)), square)
        case Op.MINIMUM:
            return g.select(g.binary(Op.LESS, b, a), db, da)
        case Op.MAXIMUM:
            return g.select(g.binary(Op.LESS, a, b), db, da)
        case Op.SELECT:
            return g.select(a, db, dc)
        case _:
            return _chain(g, i, da)


def _chain(g: Graph, i: int, da: int) -> int:
    """The derivative of a function of one operand, times a factor."""
    a = g.first[i]
    match g.operation[i]:
        case Op.NEGATE:
            return g.negate(da)
        case Op.SQRT:
            return g.divide(g.multiply(g.value(0.5), da), i)
        case Op.SIN:
            return g.multiply(g.unary(Op.COS, a), da)
        case Op.COS:
            return g.negate(g.multiply(g.unary(Op.SIN, a), da))
        case Op.ABSOLUTE:
            return g.select(g.binary(Op.LESS, a, g.value(0.0)), g.negate(da), da)
        case Op.EXP:
            return g.multiply(i, da)
        case Op.LOG:
            return g.divide(da, a)
        case op:
            raise AssertionError(f"no derivative of {Op(op).name}")


def _shares(g: Graph, i: int, above: int, moving: set[int]) -> Iterator[tuple[int, int]]:
    """What a node passes down to those of its operands that move; `above` is the derivative of the result by it."""
    a, b, c = g.first[i], g.second[i], g.third[i]
    op = g.operation[i]
    if op == Op.SELECT:
        if b in moving:
            yield b, g.select(a, above, g.value(0.0))
        if c in moving:
            yield c, g.select(a, g.value(0.0), above)
    elif b < 0:
        yield a, _chain(g, i, above)
    else:
        yield from _shares_of_two(g, i, above, moving)


def _shares_of_two(g: Graph, i: int, above: int, moving: set[int]) -> Iterator[tuple[int, int]]:
    """The same for an operation on two operands."""
    a, b, op = g.first[i], g.second[i], g.operation[i]
    if op in (Op.MINIMUM, Op.MAXIMUM):
        takes_b = g.binary(Op.LESS, b, a) if op == Op.MINIMUM else g.binary(Op.LESS, a, b)
    elif op == Op.ATAN2:
        above = g.divide(above, g.add(g.multiply(a, a), g.multiply(b, b)))
    elif op == Op.DIVIDE:
        above = g.divide(above, b)
    if a in moving:
        match op:
            case Op.ADD | Op.SUBTRACT | Op.DIVIDE:
                yield a, above
            case Op.MULTIPLY | Op.ATAN2:
                yield a, g.multiply(above, b)
            case _:
                yield a, g.select(takes_b, g.value(0.0), above)
    if b in moving:
        match op:
            case Op.ADD:
                yield b, above
            case Op.SUBTRACT:
                yield b, g.negate(above)
            case Op.MULTIPLY:
                yield b, g.multiply(above, a)
            case Op.DIVIDE:
                yield b, g.negate(g.multiply(above, i))
            case Op.ATAN2:
                yield b, g.negate(g.multiply(above, a))
            case _:
                yield b, g.select(takes_b, above, g.value(0.0))
