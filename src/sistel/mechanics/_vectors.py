"""Small vectors and matrices over any scalar: floats, or nodes of an expression graph in which zeros vanish.

A vector is a tuple of three scalars, a rotation a tuple of three rows. Nothing here tests a value, so the same code
computes with numbers and derives equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from sistel.expr import Expr, Traced
from sistel.expr import is_zero as is_zero

Scalar = float | Expr
Vector = tuple[Scalar, Scalar, Scalar]
Matrix = tuple[Vector, Vector, Vector]

ZERO: Vector = (0.0, 0.0, 0.0)
IDENTITY: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def is_number(x: Scalar) -> TypeGuard[float]:
    """Whether the value is known and stays what it is: no expression, and no number that follows parameters."""
    return isinstance(x, (int, float)) and not isinstance(x, Traced)


def plus(a: Scalar, b: Scalar) -> Scalar:
    """A + b, without an operation where one of them is 0."""
    if is_zero(a):
        return b
    return a if is_zero(b) else a + b


def times(a: Scalar, b: Scalar) -> Scalar:
    """A · b, without an operation where one of them is 0 or 1."""
    if is_zero(a) or is_zero(b):
        return 0.0
    return a * b


def add(*vectors: Sequence[Scalar]) -> Vector:
    """Sum of vectors."""
    x, y, z = vectors[0]
    for v in vectors[1:]:
        x, y, z = plus(x, v[0]), plus(y, v[1]), plus(z, v[2])
    return (x, y, z)


def subtract(a: Sequence[Scalar], b: Sequence[Scalar]) -> Vector:
    """A - b."""
    return (minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2]))


def minus(a: Scalar, b: Scalar) -> Scalar:
    """A - b, without an operation where b is 0."""
    if is_zero(b):
        return a
    return -b if is_zero(a) else a - b


def scale(factor: Scalar, v: Sequence[Scalar]) -> Vector:
    """A multiple of a vector."""
    return (times(factor, v[0]), times(factor, v[1]), times(factor, v[2]))


def dot(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalar:
    """Inner product."""
    return plus(plus(times(a[0], b[0]), times(a[1], b[1])), times(a[2], b[2]))


def cross(a: Sequence[Scalar], b: Sequence[Scalar]) -> Vector:
    """Vector product."""
    return (
        minus(times(a[1], b[2]), times(a[2], b[1])),
        minus(times(a[2], b[0]), times(a[0], b[2])),
        minus(times(a[0], b[1]), times(a[1], b[0])),
    )


def apply(R: Sequence[Sequence[Scalar]], v: Sequence[Scalar]) -> Vector:
    """R · v."""
    return (dot(R[0], v), dot(R[1], v), dot(R[2], v))


def transposed(R: Sequence[Sequence[Scalar]]) -> Matrix:
    """The transpose, the inverse of a rotation."""
    return (
        (R[0][0], R[1][0], R[2][0]),
        (R[0][1], R[1][1], R[2][1]),
        (R[0][2], R[1][2], R[2][2]),
    )


def product(A: Sequence[Sequence[Scalar]], B: Sequence[Sequence[Scalar]]) -> Matrix:
    """A · B."""
    columns = transposed(B)
    a, b, c = (tuple(dot(row, column) for column in columns) for row in A)
    return (a, b, c)  # type: ignore[return-value]


def turn_z(c: Scalar, s: Scalar, v: Sequence[Scalar]) -> Vector:
    """Rz · v for the cosine and sine of an angle."""
    return (minus(times(c, v[0]), times(s, v[1])), plus(times(s, v[0]), times(c, v[1])), v[2])


def turn_z_back(c: Scalar, s: Scalar, v: Sequence[Scalar]) -> Vector:
    """Rzᵀ · v for the cosine and sine of an angle."""
    return (plus(times(c, v[0]), times(s, v[1])), minus(times(c, v[1]), times(s, v[0])), v[2])
