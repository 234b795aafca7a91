"""The operations of a graph, and what each of them does to numbers.

A truth value is a number: comparisons and logic give 1.0 or 0.0, and whatever is not zero counts as true.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import IntEnum
from typing import Final

from sistel.errors import Diagnostic, SistelError, Text


class Op(IntEnum):
    """What a node does with its operands. Emitters and caches rely on these numbers: only append."""

    CONSTANT = 0
    INPUT = 1
    ADD = 2
    SUBTRACT = 3
    MULTIPLY = 4
    DIVIDE = 5
    NEGATE = 6
    SQRT = 7
    SIN = 8
    COS = 9
    ATAN2 = 10
    MINIMUM = 11
    MAXIMUM = 12
    ABSOLUTE = 13
    LESS = 14
    LESS_EQUAL = 15
    EQUAL = 16
    AND = 17
    OR = 18
    NOT = 19
    SELECT = 20
    EXP = 21
    LOG = 22
    FLOOR = 23
    LIST = 24
    CALL = 25


ARITY: Final[tuple[int, ...]] = (0, 0, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 1, 2, 2, 2, 2, 2, 1, 3, 1, 1, 1, 2, 3)
"""Number of operands of every operation, by its number; an input has none (its two integers are not nodes).

A LIST is no number: see `_routine`.
"""

TRUTHS: Final[frozenset[int]] = frozenset({Op.LESS, Op.LESS_EQUAL, Op.EQUAL, Op.AND, Op.OR, Op.NOT})
"""Operations whose value is 0.0 or 1.0 and nothing else."""

UNARY: Final[dict[int, Callable[[float], float]]] = {
    Op.NEGATE: lambda a: -a,
    Op.SQRT: math.sqrt,
    Op.SIN: math.sin,
    Op.COS: math.cos,
    Op.ABSOLUTE: abs,
    Op.NOT: lambda a: 0.0 if a else 1.0,
    Op.EXP: math.exp,
    Op.LOG: math.log,
    Op.FLOOR: lambda a: float(math.floor(a)),
}

BINARY: Final[dict[int, Callable[[float, float], float]]] = {
    Op.ADD: lambda a, b: a + b,
    Op.SUBTRACT: lambda a, b: a - b,
    Op.MULTIPLY: lambda a, b: a * b,
    Op.DIVIDE: lambda a, b: a / b,
    Op.ATAN2: math.atan2,
    Op.MINIMUM: lambda a, b: b if b < a else a,
    Op.MAXIMUM: lambda a, b: b if b > a else a,
    Op.LESS: lambda a, b: 1.0 if a < b else 0.0,
    Op.LESS_EQUAL: lambda a, b: 1.0 if a <= b else 0.0,
    Op.EQUAL: lambda a, b: 1.0 if a == b else 0.0,
    Op.AND: lambda a, b: 1.0 if a and b else 0.0,
    Op.OR: lambda a, b: 1.0 if a or b else 0.0,
}


class NotFiniteError(SistelError, ValueError):
    """Constants from which no finite number follows; as a diagnostic, for they come from a user's file."""

    def __init__(self, what: str) -> None:
        """With the operation that has no value."""
        message = Text(
            f"the numbers of the model are too large, too small or too far apart to compute with: {what}",
            f"числа модели слишком велики, малы или далеки друг от друга, чтобы вычислять: {what}",
        )
        super().__init__([Diagnostic("not-finite", "error", message)])


def fold_unary(op: int, a: float) -> float:
    """The value of an operation on a constant.

    Raises:
        ValueError: There is no finite value.
    """
    try:
        value = UNARY[op](a)
    except (ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise NotFiniteError(f"{Op(op).name.lower()}({a!r}) has no finite value")
    return value


def fold_binary(op: int, a: float, b: float) -> float:
    """The value of an operation on two constants.

    Raises:
        ValueError: There is no finite value.
        ZeroDivisionError: A division by zero.
    """
    value = BINARY[op](a, b)
    if not math.isfinite(value):
        raise NotFiniteError(f"{Op(op).name.lower()}({a!r}, {b!r}) has no finite value")
    return value
