"""Rows of a graph, and the rules by which a new row is simplified before it is stored.

Everything here works with row numbers (indices). The rules keep every expression in one shape, so that equal
expressions become one row:

- operations on constants are carried out, 0 and 1 vanish, `x * 0` is 0 and `0 / x` is 0 (inputs are assumed finite,
  divisors not zero), and zero has no sign;
- signs travel outward: no operand of a sum, product, quotient, sine or cosine is a NEGATE, a sum or difference with
  a constant is stored as ADD(constant, x), a factor is stored positive, and of `a - b` and `b - a` only one is
  stored, the other is its NEGATE;
- operands of commutative operations are ordered: a constant first, then by index;
- a constant term or factor joins the one that its operand already has.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.expr._operation import TRUTHS, NotFiniteError, fold_binary, fold_unary

_TINY: Final = 1e-290
_HUGE: Final = 1e290

# Plain integers: looking up and comparing members of an enumeration costs more than the rule it serves.
CONSTANT: Final = 0
INPUT: Final = 1
ADD: Final = 2
SUBTRACT: Final = 3
MULTIPLY: Final = 4
DIVIDE: Final = 5
NEGATE: Final = 6
SQRT: Final = 7
SIN: Final = 8
COS: Final = 9
ATAN2: Final = 10
MINIMUM: Final = 11
MAXIMUM: Final = 12
ABSOLUTE: Final = 13
LESS: Final = 14
LESS_EQUAL: Final = 15
EQUAL: Final = 16
AND: Final = 17
OR: Final = 18
NOT: Final = 19
SELECT: Final = 20
LIST: Final = 24
CALL: Final = 25


def _safe(factor: float) -> bool:
    """Whether a product of constant factors has kept its precision: it neither left the range nor came near its end."""
    return _TINY < factor < _HUGE


class Rows:
    """The table of nodes: parallel lists, one entry a node; operands come before the nodes that use them."""

    __slots__ = ("_constants", "_keys", "blocks", "first", "number", "operation", "second", "third")

    def __init__(self) -> None:
        self.operation: list[int] = []
        self.first: list[int] = []
        self.second: list[int] = []
        self.third: list[int] = []
        self.number: list[float] = []
        self.blocks: list[tuple[str, int]] = []
        self._keys: dict[tuple[int, int, int] | tuple[int, int, int, int], int] = {}
        self._constants: dict[float, int] = {}

    def __len__(self) -> int:
        return len(self.operation)

    # --- storing -----------------------------------------------------------------------------------------------

    def value(self, number: float) -> int:
        """The row of a constant, which must be a float (an integer beyond 2**53 would be stored twice)."""
        index = self._constants.get(number)
        if index is None:
            number += 0.0  # zero has no sign here
            if not math.isfinite(number):
                raise NotFiniteError(f"constant({number!r})")
            index = len(self.operation)
            self._constants[number] = index
            self.operation.append(CONSTANT)
            self.first.append(-1)
            self.second.append(-1)
            self.third.append(-1)
            self.number.append(number)
        return index

    def row(self, op: int, a: int, b: int = -1) -> int:
        """The row of an operation as it stands, no rule applied."""
        key = (op, a, b)
        index = self._keys.get(key)
        if index is None:
            operation = self.operation
            self._keys[key] = index = len(operation)
            operation.append(op)
            self.first.append(a)
            self.second.append(b)
            self.third.append(-1)
            self.number.append(0.0)
        return index

    # --- arithmetic --------------------------------------------------------------------------------------------

    def negate(self, a: int) -> int:
        op = self.operation[a]
        if op == NEGATE:
            return self.first[a]
        if op == CONSTANT:
            return self.value(-self.number[a])
        return self.row(NEGATE, a)

    def add(self, a: int, b: int) -> int:
        operation = self.operation
        op_a = operation[a]
        op_b = operation[b]
        if op_a == CONSTANT:
            if op_b == CONSTANT:
                return self.value(fold_binary(ADD, self.number[a], self.number[b]))
            return self._add_constant(self.number[a], b)
        if op_b == CONSTANT:
            return self._add_constant(self.number[b], a)
        if op_a == NEGATE:
            if op_b == NEGATE:
                return self.row(NEGATE, self.add(self.first[a], self.first[b]))
            return self.subtract(b, self.first[a])
        if op_b == NEGATE:
            return self.subtract(a, self.first[b])
        if a == b:
            return self.multiply(self.value(2.0), a)
        return self.row(ADD, a, b) if a < b else self.row(ADD, b, a)

    def subtract(self, a: int, b: int) -> int:
        operation = self.operation
        op_a = operation[a]
        op_b = operation[b]
        if op_b == CONSTANT:
            if op_a == CONSTANT:
                return self.value(fold_binary(SUBTRACT, self.number[a], self.number[b]))
            return self._add_constant(-self.number[b], a)
        if op_a == CONSTANT:
            return self.negate(self._add_constant(-self.number[a], b))
        if op_a == NEGATE:
            if op_b == NEGATE:
                return self.subtract(self.first[b], self.first[a])
            return self.negate(self.add(self.first[a], b))
        if op_b == NEGATE:
            return self.add(a, self.first[b])
        if a == b:
            return self.value(0.0)
        return self.row(SUBTRACT, a, b) if a < b else self.row(NEGATE, self.row(SUBTRACT, b, a))

    def _add_constant(self, c: float, a: int) -> int:
        if c == 0.0:
            return a
        op = self.operation[a]
        if op == NEGATE:
            return self.negate(self._add_constant(-c, self.first[a]))
        if op == ADD:
            inner = self.first[a]
            if self.operation[inner] == CONSTANT and math.isfinite(c + self.number[inner]):
                c += self.number[inner]
                a = self.second[a]
                if c == 0.0:
                    return a
        return self.row(ADD, self.value(c), a)

    def multiply(self, a: int, b: int) -> int:
        operation = self.operation
        op_a = operation[a]
        op_b = operation[b]
        if op_a == CONSTANT:
            if op_b == CONSTANT:
                return self.value(fold_binary(MULTIPLY, self.number[a], self.number[b]))
            return self._multiply_constant(self.number[a], b)
        if op_b == CONSTANT:
            return self._multiply_constant(self.number[b], a)
        if op_a == NEGATE:
            if op_b == NEGATE:
                return self.multiply(self.first[a], self.first[b])
            return self.negate(self.multiply(self.first[a], b))
        if op_b == NEGATE:
            return self.negate(self.multiply(a, self.first[b]))
        return self.row(MULTIPLY, a, b) if a <= b else self.row(MULTIPLY, b, a)

    def _multiply_constant(self, c: float, a: int) -> int:
        if c == 0.0:
            return self.value(0.0)
        op = self.operation[a]
        if op == NEGATE:
            return self._multiply_constant(-c, self.first[a])
        if c < 0.0:
            return self.negate(self._multiply_constant(-c, a))
        if op == MULTIPLY:
            inner = self.first[a]
            if self.operation[inner] == CONSTANT and _safe(c * self.number[inner]):
                c *= self.number[inner]
                a = self.second[a]
        elif op == DIVIDE:
            above, below = self.first[a], self.second[a]
            if self.operation[above] == CONSTANT and _safe(c * self.number[above]):
                return self.row(DIVIDE, self.value(c * self.number[above]), below)
            if self.operation[below] == CONSTANT and _safe(c / self.number[below]):
                c /= self.number[below]
                a = above
        if c == 1.0:
            return a
        return self.row(MULTIPLY, self.value(c), a)

    def divide(self, a: int, b: int) -> int:
        operation = self.operation
        op_a = operation[a]
        op_b = operation[b]
        if op_b == CONSTANT:
            if op_a == CONSTANT:
                return self.value(fold_binary(DIVIDE, self.number[a], self.number[b]))
            return self._divide_constant(a, self.number[b])
        if op_b == NEGATE:
            return self.negate(self.divide(a, self.first[b]))
        if op_a == CONSTANT:
            number = self.number[a]
            if number == 0.0:
                return a
            if number < 0.0:
                return self.negate(self.row(DIVIDE, self.value(-number), b))
        elif op_a == NEGATE:
            return self.negate(self.divide(self.first[a], b))
        return self.row(DIVIDE, a, b)

    def _divide_constant(self, a: int, c: float) -> int:
        op = self.operation[a]
        if op == NEGATE:
            return self.negate(self._divide_constant(self.first[a], c))
        if c == 0.0:
            raise ZeroDivisionError("an expression divided by the constant zero")
        if c < 0.0:
            return self.negate(self._divide_constant(a, -c))
        if math.frexp(c)[0] == 0.5 and _safe(c):  # a power of two: its reciprocal is exact
            return self._multiply_constant(1.0 / c, a)
        if op == MULTIPLY:
            inner = self.first[a]
            if self.operation[inner] == CONSTANT and _safe(self.number[inner] / c):
                return self._multiply_constant(self.number[inner] / c, self.second[a])
        elif op == DIVIDE:
            above, below = self.first[a], self.second[a]
            if self.operation[above] == CONSTANT and _safe(self.number[above] / c):
                return self.row(DIVIDE, self.value(self.number[above] / c), below)
            if self.operation[below] == CONSTANT and _safe(self.number[below] * c):
                return self._divide_constant(above, self.number[below] * c)
        return self.row(DIVIDE, a, self.value(c))

    def rebuild(self, op: int, a: int, b: int, c: int) -> int:
        """The row of any operation on rows of this table, by its rules."""
        if op in (ADD, SUBTRACT, MULTIPLY, DIVIDE):
            return (self.add, self.subtract, self.multiply, self.divide)[op - ADD](a, b)
        if op == NEGATE:
            return self.negate(a)
        if op == SELECT:
            return self.select(a, b, c)
        if op == CALL:
            return self.call(a, b, c)
        if op == LIST:
            return self.row(LIST, a, b)
        return self.unary(op, a) if b < 0 else self.binary(op, a, b)

    # --- functions ---------------------------------------------------------------------------------------------

    def unary(self, op: int, a: int) -> int:
        """SQRT, SIN, COS, ABSOLUTE, NOT, EXP, LOG, FLOOR; `sqrt(x * x)` stays as it is."""
        op = int(op)  # not a member of the enumeration: rows are plain data
        op_a = self.operation[a]
        if op_a == CONSTANT:
            return self.value(fold_unary(op, self.number[a]))
        if op_a == NEGATE:
            if op == SIN:
                return self.negate(self.row(SIN, self.first[a]))
            if op in (COS, ABSOLUTE):
                return self.row(op, self.first[a])
        elif op == op_a == ABSOLUTE:
            return a
        elif op == op_a == NOT and self.operation[self.first[a]] in TRUTHS:
            return self.first[a]
        return self.row(op, a)

    def binary(self, op: int, a: int, b: int) -> int:
        """ATAN2, MINIMUM, MAXIMUM, the comparisons, AND, OR; arithmetic has methods of its own."""
        op = int(op)
        if op in (AND, OR):
            return self._logic(op, a, b)
        op_a = self.operation[a]
        op_b = self.operation[b]
        if op_a == CONSTANT and op_b == CONSTANT:
            return self.value(fold_binary(op, self.number[a], self.number[b]))
        if op == ATAN2:
            if op_a == NEGATE:
                return self.negate(self.row(ATAN2, self.first[a], b))
            return self.row(ATAN2, a, b)
        if a == b:
            return a if op in (MINIMUM, MAXIMUM) else self.value(0.0 if op == LESS else 1.0)
        if op not in (LESS, LESS_EQUAL) and (op_b == CONSTANT or (op_a != CONSTANT and b < a)):
            a, b = b, a
        return self.row(op, a, b)

    def _logic(self, op: int, a: int, b: int) -> int:
        absorbing = op == OR
        if self.operation[b] == CONSTANT or (self.operation[a] != CONSTANT and b < a):
            a, b = b, a
        if self.operation[a] == CONSTANT:
            if self.operation[b] == CONSTANT:
                return self.value(fold_binary(op, self.number[a], self.number[b]))
            if (self.number[a] != 0.0) == absorbing:
                return self.value(float(absorbing))
            a = b  # the constant does not matter
        if a == b and self.operation[a] in TRUTHS:
            return a
        return self.row(op, a, b)

    def select(self, condition: int, a: int, b: int) -> int:
        """The value `a` where the condition holds, else `b`."""
        while self.operation[condition] == NOT:
            condition, a, b = self.first[condition], b, a
        if self.operation[condition] == CONSTANT:
            return a if self.number[condition] else b
        if a == b:
            return a
        if self.operation[a] == NEGATE and self.operation[b] == NEGATE:
            return self.negate(self.select(condition, self.first[a], self.first[b]))
        return self._row_of_three(SELECT, condition, a, b)

    def call(self, chain: int, key: int, place: int) -> int:
        """One of the results of a routine: see `_routine`."""
        return self._row_of_three(CALL, chain, key, place)

    def _row_of_three(self, op: int, a: int, b: int, c: int) -> int:
        key = (op, a, b, c)
        index = self._keys.get(key)
        if index is None:
            self._keys[key] = index = len(self.operation)
            self.operation.append(op)
            self.first.append(a)
            self.second.append(b)
            self.third.append(c)
            self.number.append(0.0)
        return index
