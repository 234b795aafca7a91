"""A program run over any scalar: numbers give numbers, nodes of a graph give the same formulas of these nodes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from sistel.expr import _functions as f
from sistel.expr._graph import Scalar
from sistel.expr._operation import Op
from sistel.expr._program import Program
from sistel.expr._routine import arguments, routine

_APPLY: Final[dict[int, Callable[..., Any]]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUBTRACT: lambda a, b: a - b,
    Op.MULTIPLY: lambda a, b: a * b,
    Op.DIVIDE: lambda a, b: a / b,
    Op.NEGATE: lambda a: -a,
    Op.SQRT: f.sqrt,
    Op.SIN: f.sin,
    Op.COS: f.cos,
    Op.ATAN2: f.atan2,
    Op.MINIMUM: f.minimum,
    Op.MAXIMUM: f.maximum,
    Op.ABSOLUTE: f.absolute,
    Op.LESS: f.less,
    Op.LESS_EQUAL: f.less_equal,
    Op.EQUAL: f.equal,
    Op.AND: f.logical_and,
    Op.OR: f.logical_or,
    Op.NOT: f.logical_not,
    Op.SELECT: f.select,
    Op.EXP: f.exp,
    Op.LOG: f.log,
    Op.FLOOR: f.floor,
}


def replay(program: Program, *blocks: Sequence[Scalar]) -> list[list[Scalar]]:
    """The outputs of a program, block by block, for inputs that are numbers or expressions of another graph."""
    values: list[Scalar] = []
    for line, (op, a, b, c, number) in enumerate(program.lines()):
        if op == Op.CONSTANT:
            values.append(number)
        elif op == Op.INPUT:
            values.append(blocks[a][b])
        elif op == Op.LIST:
            values.append(0.0)  # no number: calls follow its chain
        elif op == Op.CALL:
            given = [values[x] for x in arguments(program, line)]
            values.append(f.call(routine(program.number[b]), given)[int(program.number[c])])
        else:
            values.append(_APPLY[op](*(values[i] for i in (a, b, c) if i >= 0)))
    return program.output_blocks(values)
