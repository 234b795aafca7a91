"""Arithmetic of scalars and vectors as functions: what operators do, for code that is not written with them yet."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.expr import Matrix, Scalar, Vector, is_zero


def plus(a: Scalar, b: Scalar) -> Scalar:
    """A + b, without an operation where one of them is 0."""
    if is_zero(a):
        return b
    return a if is_zero(b) else a + b


def minus(a: Scalar, b: Scalar) -> Scalar:
    """A - b, without an operation where b is 0."""
    if is_zero(b):
        return a
    return -b if is_zero(a) else a - b


def times(a: Scalar, b: Scalar) -> Scalar:
    """A · b, without an operation where one of them is 0 or 1."""
    if is_zero(a) or is_zero(b):
        return 0.0
    return a * b


def subtract(a: Sequence[Scalar], b: Sequence[Scalar]) -> Vector:
    """A - b."""
    return Vector(*a) - b


def scale(factor: Scalar, v: Sequence[Scalar]) -> Vector:
    """A multiple of a vector."""
    return factor * Vector(*v)


def apply(R: Sequence[Sequence[Scalar]], v: Sequence[Scalar]) -> Vector:
    """R · v."""
    product: Vector = Matrix(*R) @ v
    return product


def transposed(R: Sequence[Sequence[Scalar]]) -> Matrix:
    """The transpose, the inverse of a rotation."""
    return Matrix(*R).T
