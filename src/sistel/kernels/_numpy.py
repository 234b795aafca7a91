"""The reference backend: a program interpreted node by node, each node one NumPy operation over all rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.expr import Op, arguments, routine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import AnyArray, Array
    from sistel.expr import Program, Routine


ROWS_AT_ONCE = 4096
"""Every node keeps its column until the rows are done, so memory has to be bounded."""


def _truth(value: NDArray[np.bool_]) -> Array:
    return value.astype(np.float64)


def _minimum(a: Array, b: Array) -> Array:
    # Not np.minimum: of +0 and -0 this takes the first, as the other backends do. NaN passes through.
    return np.where(np.isnan(b) | (b < a), b, a)


def _maximum(a: Array, b: Array) -> Array:
    return np.where(np.isnan(b) | (b > a), b, a)


_FUNCTIONS: dict[int, Callable[..., Any]] = {
    Op.ADD: np.add,
    Op.SUBTRACT: np.subtract,
    Op.MULTIPLY: np.multiply,
    Op.DIVIDE: np.divide,
    Op.NEGATE: np.negative,
    Op.SQRT: np.sqrt,
    Op.SIN: np.sin,
    Op.COS: np.cos,
    Op.ATAN2: np.arctan2,
    Op.MINIMUM: _minimum,
    Op.MAXIMUM: _maximum,
    Op.ABSOLUTE: np.abs,
    Op.LESS: lambda a, b: _truth(a < b),
    Op.LESS_EQUAL: lambda a, b: _truth(a <= b),
    Op.EQUAL: lambda a, b: _truth(a == b),
    Op.AND: lambda a, b: _truth((a != 0.0) & (b != 0.0)),
    Op.OR: lambda a, b: _truth((a != 0.0) | (b != 0.0)),
    Op.NOT: lambda a: _truth(a == 0.0),
    Op.SELECT: lambda c, a, b: np.where(c != 0.0, a, b),
    Op.EXP: np.exp,
    Op.LOG: np.log,
    Op.FLOOR: np.floor,
}


def interpret(program: Program, inputs: Sequence[Array], outputs: Sequence[Array], begin: int, end: int) -> None:
    """Compute the rows from `begin` to `end`.

    Args:
        program: What to compute.
        inputs: One array a block, shape (rows, size), or (1, size) when all rows share it.
        outputs: One array a block, shape (rows, size), written into.
        begin: First row.
        end: Row after the last.
    """
    with np.errstate(all="ignore"):
        for start in range(begin, end, ROWS_AT_ONCE):
            stop = min(start + ROWS_AT_ONCE, end)
            _interpret_rows(
                program,
                [block if len(block) == 1 else block[start:stop] for block in inputs],
                [block[start:stop] for block in outputs],
            )


def _interpret_rows(program: Program, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    values: list[AnyArray | np.float64] = []
    made: dict[tuple[int, int], AnyArray] = {}
    for line, (op, *operands, number) in enumerate(program.lines()):
        if op == Op.CONSTANT:
            values.append(np.float64(number))
        elif op == Op.INPUT:
            values.append(inputs[operands[0]][:, operands[1]])
        elif op == Op.LIST:
            values.append(np.float64(np.nan))  # no number: calls follow its chain
        elif op == Op.CALL:
            key = operands[0], operands[1]
            if key not in made:
                called = routine(program.number[operands[1]])
                made[key] = _called(called, [values[x] for x in arguments(program, line)])
            values.append(made[key][:, int(program.number[operands[2]])])
        else:
            values.append(_FUNCTIONS[op](*(values[index] for index in operands if index >= 0)))
    place = 0
    for block in outputs:
        for column in range(block.shape[1]):
            block[:, column] = values[program.results[place]]
            place += 1


def _called(called: Routine, given: Sequence[AnyArray | np.float64]) -> AnyArray:
    """What a routine makes of every row, shape (rows, results)."""
    columns = np.broadcast_arrays(*given, np.zeros(1))
    rows = np.stack(columns[:-1], axis=1) if given else np.zeros((1, 0))
    return np.array([called.compute(row.tolist()) for row in rows])
