"""Vectors and matrices of three dimensions over any scalar, written as in a textbook.

>>> w = Vector(0.0, 0.0, 2.0)
>>> R = Matrix((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
>>> R.T @ cross(w, Vector(1.0, 0.0, 0.0)) + 3.0 * w
Vector(2.0, 0.0, 6.0)

No operation here tests a value, so the same code computes with numbers and derives equations. An operand of a sum or
of a product may be any three numbers in a row where the other one is a `Vector` or a `Matrix`. `is_zero` asks for what
vanishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeGuard, overload

from sistel.expr._graph import Expr, Scalar
from sistel.expr._rows import CONSTANT
from sistel.expr._traced import Traced

Triple = Sequence[Scalar]
"""Three scalars in a row."""
Rows = Sequence[Sequence[Scalar]]
"""Three rows of a matrix."""


class Vector(tuple[Scalar, Scalar, Scalar]):
    """Three scalars, added and scaled as a whole."""

    __slots__ = ()
    __array_ufunc__ = None  # a NumPy number on the left leaves the operation to this class

    def __new__(cls, x: Scalar, y: Scalar, z: Scalar) -> Vector:
        """The vector of three components."""
        return tuple.__new__(cls, (x, y, z))

    def __add__(self, other: Triple) -> Vector:  # type: ignore[override]
        return tuple.__new__(Vector, (self[0] + other[0], self[1] + other[1], self[2] + other[2]))

    def __radd__(self, other: tuple[Scalar, Scalar, Scalar]) -> Vector:
        if not isinstance(other, tuple):
            return NotImplemented  # numbers += vector appends to a list
        return tuple.__new__(Vector, (other[0] + self[0], other[1] + self[1], other[2] + self[2]))

    def __sub__(self, other: Triple) -> Vector:
        return tuple.__new__(Vector, (self[0] - other[0], self[1] - other[1], self[2] - other[2]))

    def __rmul__(self, factor: Scalar) -> Vector:  # type: ignore[override]
        return tuple.__new__(Vector, (factor * self[0], factor * self[1], factor * self[2]))

    def __neg__(self) -> Vector:
        return tuple.__new__(Vector, (-self[0], -self[1], -self[2]))

    def __getnewargs__(self) -> tuple[Scalar, Scalar, Scalar]:
        return (self[0], self[1], self[2])

    def __repr__(self) -> str:
        return f"Vector({', '.join(map(repr, self))})"


class Matrix(tuple[Vector, Vector, Vector]):
    """Three rows."""

    __slots__ = ()

    def __new__(cls, x: Triple, y: Triple, z: Triple) -> Matrix:
        """The matrix of three rows."""
        return tuple.__new__(cls, (Vector(*x), Vector(*y), Vector(*z)))

    @property
    def T(self) -> Matrix:
        """The transpose, the inverse of a rotation."""
        (a, b, c), (d, e, f), (g, h, i) = self
        return Matrix((a, d, g), (b, e, h), (c, f, i))

    def __add__(self, other: Matrix) -> Matrix:  # type: ignore[override]
        return tuple.__new__(Matrix, (self[0] + other[0], self[1] + other[1], self[2] + other[2]))

    def __sub__(self, other: Matrix) -> Matrix:
        return tuple.__new__(Matrix, (self[0] - other[0], self[1] - other[1], self[2] - other[2]))

    @overload
    def __matmul__(self, other: Matrix) -> Matrix: ...
    @overload
    def __matmul__(self, other: Triple) -> Vector: ...
    def __matmul__(self, other: Any) -> Matrix | Vector:
        """The matrix times a vector, or times a matrix."""
        a, b, c = self
        if type(other) is Matrix:
            x, y, z = other.T
            return tuple.__new__(
                Matrix,
                (
                    Vector(dot(a, x), dot(a, y), dot(a, z)),
                    Vector(dot(b, x), dot(b, y), dot(b, z)),
                    Vector(dot(c, x), dot(c, y), dot(c, z)),
                ),
            )
        return tuple.__new__(Vector, (dot(a, other), dot(b, other), dot(c, other)))

    def __getnewargs__(self) -> tuple[Vector, Vector, Vector]:
        return (self[0], self[1], self[2])


ZERO: Final = Vector(0.0, 0.0, 0.0)
IDENTITY: Final = Matrix((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def dot(a: Triple, b: Triple) -> Scalar:
    """Inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Triple, b: Triple) -> Vector:
    """Vector product."""
    return tuple.__new__(Vector, (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


def cross_matrix(a: Triple) -> Matrix:
    """[a]×, the matrix with [a]× b = a × b."""
    x, y, z = a
    return Matrix((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))


def outer(a: Triple, b: Vector) -> Matrix:
    """A bᵀ."""
    return Matrix(a[0] * b, a[1] * b, a[2] * b)


def symmetric(S: Sequence[Scalar]) -> Matrix:
    """The matrix of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = S
    return Matrix((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


def turn_z(c: Scalar, s: Scalar, v: Triple) -> Vector:
    """Rz · v for the cosine and sine of an angle."""
    return Vector(c * v[0] - s * v[1], s * v[0] + c * v[1], v[2])


def turn_z_back(c: Scalar, s: Scalar, v: Triple) -> Vector:
    """Rzᵀ · v for the cosine and sine of an angle."""
    return Vector(c * v[0] + s * v[1], c * v[1] - s * v[0], v[2])


def is_number(x: Scalar) -> TypeGuard[float]:
    """Whether the value is known and stays what it is: no expression, and no number that follows parameters."""
    return isinstance(x, (int, float)) and not isinstance(x, Traced)


def is_zero(x: Scalar) -> bool:
    """Whether the value is known now and is zero."""
    if isinstance(x, Expr):
        return x.graph.operation[x.index] == CONSTANT and x.graph.number[x.index] == 0.0
    return x == 0.0
