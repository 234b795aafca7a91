"""Linear systems over any scalar, with the zeros that are known while the equations are derived left out."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.errors import Diagnostic, SistelError, Text
from sistel.expr import Expr, Scalar, Scalars, is_zero


class NoInertiaError(SistelError, ZeroDivisionError):
    """A pivot of a mass matrix is 0: some motion moves no inertia."""

    def __init__(self) -> None:
        """In words of mechanics: which motion it is depends on the posture."""
        message = Text(
            "a coordinate moves no inertia, or so little that it is lost in rounding: it has no equation of motion",
            "координата не движет никакой инерции, или она теряется в округлении: уравнения движения для неё нет",
        )
        hint = Text(
            "give the bodies masses and moments of inertia of sizes that can be compared",
            "задайте телам массы и моменты инерции сравнимых размеров",
        )
        super().__init__([Diagnostic("no-inertia", "error", message, hint=hint)])


class Factor:
    """M = LᵀDL with L unit lower triangular, for a symmetric positive definite M.

    Eliminating from the last coordinate to the first fills in no zeros of a tree, because the coordinates that a
    coordinate is coupled with all lie on its way to the ground, or beyond it. Other matrices are solved just as well.
    """

    def __init__(self, M: Sequence[Scalars]) -> None:
        """Factorise; of every row what lies below the diagonal is enough."""
        L = [list(row) for row in M]
        size = len(L)
        self.pivots: list[Scalar] = [0.0] * size
        """D."""
        self.inverse: list[Scalar] = [0.0] * size
        """1 / D."""
        self._below: list[list[tuple[int, Scalar]]] = [[] for _ in range(size)]
        for k in range(size - 1, -1, -1):
            self.pivots[k] = L[k][k]
            self.inverse[k] = inverse_of(L[k][k])
            columns = [i for i in range(k) if not is_zero(L[k][i])]
            factors = {i: L[k][i] * self.inverse[k] for i in columns}
            for i in columns:
                for j in columns:
                    if j <= i:
                        L[i][j] = L[i][j] - factors[i] * L[k][j]
            self._below[k] = list(factors.items())

    def down(self, x: Scalars) -> list[Scalar]:
        """L⁻ᵀ x."""
        y = list(x)
        for k in range(len(y) - 1, -1, -1):
            if not is_zero(y[k]):
                for i, factor in self._below[k]:
                    y[i] = y[i] - factor * y[k]
        return y

    def up(self, x: Scalars) -> list[Scalar]:
        """L⁻¹ x."""
        y = list(x)
        for k in range(len(y)):
            for i, factor in self._below[k]:
                y[k] = y[k] - factor * y[i]
        return y

    def solve(self, right: Scalars) -> list[Scalar]:
        """X of M x = right."""
        return self.up(self.scaled(self.down(right)))

    def scaled(self, x: Scalars) -> list[Scalar]:
        """D⁻¹ x."""
        return [a * b for a, b in zip(x, self.inverse, strict=True)]


def solve_general(A: Sequence[Scalars], right: Scalars) -> tuple[list[Scalar], list[Scalar]]:
    """X of A x = right by plain elimination, for a matrix whose leading minors are not 0; then the pivots."""
    rows, x = [list(row) for row in A], list(right)
    size = len(rows)
    inverse: list[Scalar] = [0.0] * size
    for k in range(size):
        inverse[k] = inverse_of(rows[k][k])
        for i in range(k + 1, size):
            if is_zero(rows[i][k]):
                continue
            factor = rows[i][k] * inverse[k]
            for j in range(k + 1, size):
                rows[i][j] = rows[i][j] - factor * rows[k][j]
            x[i] = x[i] - factor * x[k]
    for k in range(size - 1, -1, -1):
        for j in range(k + 1, size):
            x[k] = x[k] - rows[k][j] * x[j]
        x[k] = x[k] * inverse[k]
    return x, [rows[k][k] for k in range(size)]


def inverse_of(pivot: Scalar) -> Scalar:
    """1 / pivot of a matrix of inertias.

    Raises:
        SistelError: It is 0.
    """
    try:
        return 1.0 / pivot
    except ZeroDivisionError:
        raise NoInertiaError from None


def places_of(x: Scalars) -> list[int]:
    """Where a vector is not known to be 0."""
    return [i for i, value in enumerate(x) if isinstance(value, Expr) or value != 0.0]


def inner(a: Scalars, b: Scalars) -> Scalar:
    """Sum of products."""
    total: Scalar = 0.0
    for x, y in zip(a, b, strict=True):
        total = total + x * y
    return total
