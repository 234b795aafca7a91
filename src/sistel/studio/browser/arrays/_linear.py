"""Linear algebra of small matrices: as NumPy's `linalg` has it, by orthogonal rotations and elimination."""

from __future__ import annotations

import math

from sistel.studio.browser.arrays._array import Axis, Value, array, ndarray

SWEEPS = 60
"""Of rotations, at most: their effect is squared with each."""
TINY = 2.0**-52


class LinAlgError(ValueError):
    """A matrix that cannot be solved with."""


def norm(a: Value, axis: Axis = None, keepdims: bool = False) -> Value:
    """Lengths of vectors; of a matrix, the root of the sum of all squares."""
    return array(a).over(lambda row: math.sqrt(math.fsum(x * x for x in row)), axis, keepdims, "d")


def solve(a: Value, b: Value) -> ndarray:
    """The x of a x = b."""
    M, right = array(a).tolist(), array(b)
    columns = [[x] for x in right.tolist()] if right.ndim == 1 else right.tolist()
    n = len(M)
    rows = [[*map(float, row), *map(float, more)] for row, more in zip(M, columns, strict=True)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda k: abs(rows[k][i]))
        if rows[pivot][i] == 0.0:
            raise LinAlgError("Singular matrix")
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, n):
            share = rows[k][i] / rows[i][i]
            if share:
                rows[k] = [x - share * y for x, y in zip(rows[k], rows[i], strict=True)]
    for i in reversed(range(n)):
        for k in range(i + 1, n):
            share = rows[i][k]
            rows[i][n:] = [x - share * y for x, y in zip(rows[i][n:], rows[k][n:], strict=True)]
        rows[i][n:] = [x / rows[i][i] for x in rows[i][n:]]
    made = [x for row in rows for x in row[n:]]
    return ndarray(made, right.shape, "d")


def inv(a: Value) -> ndarray:
    """The inverse of a matrix."""
    n = len(array(a))
    return solve(a, [[float(i == j) for j in range(n)] for i in range(n)])


def det(a: Value) -> float:
    """The determinant of a matrix, by elimination."""
    rows, made = [list(map(float, row)) for row in array(a).tolist()], 1.0
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        if rows[pivot][i] == 0.0:
            return 0.0
        if pivot != i:
            rows[i], rows[pivot], made = rows[pivot], rows[i], -made
        made *= rows[i][i]
        for k in range(i + 1, len(rows)):
            share = rows[k][i] / rows[i][i]
            rows[k] = [x - share * y for x, y in zip(rows[k], rows[i], strict=True)]
    return made


def _rotated(A: list[list[float]]) -> tuple[list[list[float]], list[float], list[list[float]]]:
    """Columns of U, singular values and columns of V of a matrix that is given by its columns (one-sided Jacobi)."""
    n = len(A)
    U = [list(column) for column in A]
    V = [[float(i == j) for j in range(n)] for i in range(n)]
    whole = math.sqrt(sum(x * x for column in U for x in column))
    for _ in range(SWEEPS):
        turned = False
        for i in range(n):
            for j in range(i + 1, n):
                p, q = U[i], U[j]
                a, b = sum(x * x for x in p), sum(x * x for x in q)
                c = sum(x * y for x, y in zip(p, q, strict=True))
                # Columns that are nothing against the rest have no direction left to turn.
                if abs(c) <= TINY * math.sqrt(a * b) or math.sqrt(min(a, b)) <= 1e-3 * TINY * whole:
                    continue
                turned = True
                zeta = (b - a) / (2.0 * c)
                t = math.copysign(1.0, zeta) / (abs(zeta) + math.hypot(1.0, zeta))
                cos = 1.0 / math.hypot(1.0, t)
                sin = cos * t
                for pair in (U, V):
                    p, q = pair[i], pair[j]
                    pair[i] = [cos * x - sin * y for x, y in zip(p, q, strict=True)]
                    pair[j] = [sin * x + cos * y for x, y in zip(p, q, strict=True)]
        if not turned:
            break
    sizes = [math.sqrt(sum(x * x for x in column)) for column in U]
    order = sorted(range(n), key=lambda i: -sizes[i])
    lengths = [sizes[i] for i in order]
    # What is nothing against the rest points anywhere: whoever needs its direction completes the others.
    left = [[x / sizes[i] for x in U[i]] if sizes[i] > TINY * whole else [0.0] * len(U[i]) for i in order]
    return left, lengths, [V[i] for i in order]


def _completed(columns: list[list[float]], size: int) -> list[list[float]]:
    """Columns of length one with others at right angles to them, `size` in all; none of them is nothing."""
    made: list[list[float]] = [column for column in columns if any(column)]
    for i in range(size):
        if len(made) >= size:
            break
        rest = [float(i == k) for k in range(size)]
        for _ in range(2):
            for known in made:
                share = sum(x * y for x, y in zip(rest, known, strict=True))
                rest = [x - share * y for x, y in zip(rest, known, strict=True)]
        length = math.sqrt(sum(x * x for x in rest))
        if length > 1e-8:
            made.append([x / length for x in rest])
    return made


def svd(a: Value, full_matrices: bool = True, compute_uv: bool = True) -> Value:
    """Singular values, largest first, with their directions on both sides: `U, s, V.T`."""
    A = array(a)
    if A.ndim != 2:
        raise NotImplementedError("stacks of matrices")
    wide = A.shape[0] < A.shape[1]
    tall = (A if wide else A.T).tolist()
    left, sizes, right = _rotated([[float(x) for x in column] for column in tall])
    if not compute_uv:
        return array(sizes, float)
    if any(not any(column) for column in left) or full_matrices:
        whole = _completed(left, len(tall[0]) if tall else max(A.shape))
        left = whole if full_matrices else whole[: len(left)]
    if wide:
        left, right = right, left
    U = array(left, float).T if left else array([], float).reshape(A.shape[0], 0)
    return U, array(sizes, float), array(right, float)


def cond(a: Value) -> float:
    """The largest singular value over the smallest."""
    sizes = svd(a, compute_uv=False).tolist()
    return (sizes[0] / sizes[-1] if sizes[-1] else math.inf) if sizes else 0.0


def matrix_rank(a: Value, tol: float | None = None) -> int:
    """How many singular values count."""
    A = array(a)
    sizes = svd(A, compute_uv=False).tolist()
    least = tol if tol is not None else (max(sizes, default=0.0) * max(A.shape) * TINY)
    return sum(size > least for size in sizes)


def pinv(a: Value, rcond: float = 1e-15) -> ndarray:
    """The inverse of what can be inverted."""
    A = array(a)
    U, s, Vt = svd(A, full_matrices=False)
    least = rcond * max(s.tolist(), default=0.0)
    shares = array([1.0 / x if x > least else 0.0 for x in s.tolist()], float)
    made: ndarray = (Vt.T * shares) @ U.T
    return made


def lstsq(a: Value, b: Value, rcond: float | None = None) -> tuple[ndarray, ndarray, int, ndarray]:
    """The smallest x that brings a x nearest to b, with the rank that was found and the singular values."""
    A, right = array(a), array(b)
    U, s, Vt = svd(A, full_matrices=False)
    sizes = s.tolist()
    least = (TINY * max(A.shape) if rcond is None else rcond) * max(sizes, default=0.0)
    shares = array([1.0 / x if x > least else 0.0 for x in sizes], float)
    demand = U.T @ right
    x = Vt.T @ (shares * demand if right.ndim == 1 else shares[:, None] * demand)
    return x, array([], float), sum(size > least for size in sizes), s


def qr(a: Value) -> tuple[ndarray, ndarray]:
    """Directions at right angles and a triangle, whose product is the matrix."""
    A = array(a)
    columns = [[float(x) for x in column] for column in A.T.tolist()]
    count = min(A.shape)
    made: list[list[float]] = []
    R = [[0.0] * len(columns) for _ in range(count)]
    for j, column in enumerate(columns):
        rest = column
        for _ in range(2):
            for i, known in enumerate(made):
                share = sum(x * y for x, y in zip(rest, known, strict=True))
                R[i][j] += share
                rest = [x - share * y for x, y in zip(rest, known, strict=True)]
        if len(made) < count:
            length = math.sqrt(sum(x * x for x in rest))
            R[len(made)][j] = length
            made.append([x / length for x in rest] if length else [0.0] * len(rest))
    return array(made, float).T, array(R, float)


def eigh(a: Value) -> tuple[ndarray, ndarray]:
    """Eigenvalues of a symmetric matrix, smallest first, and their directions as columns."""
    rows = [[float(x) for x in row] for row in array(a).tolist()]
    n = len(rows)
    V = [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(SWEEPS):
        off = math.sqrt(sum(rows[i][j] ** 2 for i in range(n) for j in range(n) if i != j))
        if off <= TINY * math.sqrt(sum(x * x for row in rows for x in row)):
            break
        for i in range(n):
            for j in range(i + 1, n):
                if rows[i][j] == 0.0:
                    continue
                zeta = (rows[j][j] - rows[i][i]) / (2.0 * rows[i][j])
                t = math.copysign(1.0, zeta) / (abs(zeta) + math.hypot(1.0, zeta))
                cos = 1.0 / math.hypot(1.0, t)
                sin = cos * t
                for k in range(n):
                    p, q = rows[k][i], rows[k][j]
                    rows[k][i], rows[k][j] = cos * p - sin * q, sin * p + cos * q
                for k in range(n):
                    p, q = rows[i][k], rows[j][k]
                    rows[i][k], rows[j][k] = cos * p - sin * q, sin * p + cos * q
                for k in range(n):
                    p, q = V[k][i], V[k][j]
                    V[k][i], V[k][j] = cos * p - sin * q, sin * p + cos * q
    order = sorted(range(n), key=lambda i: rows[i][i])
    return array([rows[i][i] for i in order], float), array([[V[k][i] for i in order] for k in range(n)], float)


def eigvalsh(a: Value) -> ndarray:
    """Eigenvalues of a symmetric matrix."""
    return eigh(a)[0]
