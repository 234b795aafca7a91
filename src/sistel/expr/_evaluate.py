"""The reference interpreter: a program run line by line with Python's own numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sistel.expr._operation import ARITY, BINARY, UNARY, Op
from sistel.expr._program import Program
from sistel.expr._routine import arguments, routine


def evaluate(program: Program, *blocks: Sequence[float]) -> list[list[float]]:
    """The outputs of a program, block by block, for one value of every block of inputs.

    Where Python would raise (a root of -1, a division by zero) the value is that of IEEE arithmetic, as in compiled
    code: both sides of a `select` are computed, and only the one that is not taken may be without a value.
    """
    if len(blocks) != len(program.inputs):
        raise ValueError(f"the program takes {len(program.inputs)} blocks of inputs, {len(blocks)} were given")
    for (name, size), block in zip(program.inputs, blocks, strict=True):
        if len(block) != size:
            raise ValueError(f"the block {name!r} has {size} components, {len(block)} were given")
    values: list[float] = []
    made: dict[tuple[int, float], list[float]] = {}
    for line, (op, a, b, c, number) in enumerate(program.lines()):
        if op == Op.CONSTANT:
            values.append(number)
        elif op == Op.INPUT:
            values.append(float(blocks[a][b]))
        elif op == Op.SELECT:
            values.append(values[b] if values[a] else values[c])
        elif op == Op.LIST:
            values.append(math.nan)
        elif op == Op.CALL:
            if (a, values[b]) not in made:
                given = [values[x] for x in arguments(program, line)]
                made[a, values[b]] = routine(values[b]).compute(given)
            values.append(made[a, values[b]][int(values[c])])
        elif ARITY[op] == 1:
            values.append(_unary(op, values[a]))
        else:
            values.append(_binary(op, values[a], values[b]))
    return program.output_blocks(values)


def _unary(op: int, a: float) -> float:
    try:
        return UNARY[op](a)
    except OverflowError:
        return math.inf if op == Op.EXP else a  # the floor of an infinity is itself
    except ValueError:
        return -math.inf if op == Op.LOG and a == 0.0 else math.nan


def _binary(op: int, a: float, b: float) -> float:
    try:
        return BINARY[op](a, b)
    except ZeroDivisionError:
        if a == 0.0 or math.isnan(a):
            return math.nan
        return math.copysign(math.inf, a) * math.copysign(1.0, b)
