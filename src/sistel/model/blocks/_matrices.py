"""Small matrices of constants, when a model is built: exact holds of linear systems, and steady covariances.

Plain Python, for reading a description needs no numerics. Exponentials are computed in whole numbers of 2⁻³²⁰ and
rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

Rows = list[list[float]]

_BITS = 320
_ONE = 1 << _BITS
_MOST_DOUBLINGS = 60


def rows_of(values: Sequence[float], width: int) -> Rows:
    """Numbers that are written row by row."""
    return [list(values[i : i + width]) for i in range(0, len(values), width)] if width else []


def product(a: Rows, b: Rows) -> Rows:
    """A · B."""
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in columns] for row in a]


def transposed(a: Rows) -> Rows:
    """Aᵀ."""
    return [list(column) for column in zip(*a, strict=True)]


def held(a: Rows, b: Rows, period: float) -> tuple[Rows, Rows]:
    """The matrices of x' = A x + B u from tick to tick, u held in between: exp(A T), and its integral times B."""
    order, inputs = len(a), len(b[0]) if b else 0
    size = order + inputs
    # d/dt (x, u) = ((A, B), (0, 0)) (x, u).
    whole = [[*a[i], *b[i]] if i < order else [0.0] * size for i in range(size)]
    made = _exponential([[Fraction(each) * Fraction(period) for each in row] for row in whole])
    return [row[:order] for row in made[:order]], [row[order:] for row in made[:order]]


def _exponential(a: Sequence[Sequence[Fraction]]) -> Rows:
    """Taylor's series of a part of the matrix that is small, squared as often as it was halved."""
    size = len(a)
    norm = max((sum(abs(each) for each in row) for row in a), default=Fraction(0))
    halvings = max(int(norm).bit_length() + 2, 0)
    small = [[int(each * _ONE / (1 << halvings)) for each in row] for row in a]
    total = [[_ONE if i == j else 0 for j in range(size)] for i in range(size)]
    term, k = total, 0
    while any(each for row in term for each in row):
        k += 1
        term = [[each // k for each in row] for row in _fixed_product(term, small)]
        total = [[x + y for x, y in zip(one, other, strict=True)] for one, other in zip(total, term, strict=True)]
        term = [[each if each > 1 or each < -1 else 0 for each in row] for row in term]
    for _ in range(halvings):
        total = _fixed_product(total, total)
    return [[float(Fraction(each, _ONE)) for each in row] for row in total]


def _fixed_product(a: Sequence[Sequence[int]], b: Sequence[Sequence[int]]) -> list[list[int]]:
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(row, column, strict=True)) >> _BITS for column in columns] for row in a]


def solved(a: Rows, b: Rows) -> Rows | None:
    """A⁻¹ · B by elimination with pivots; None where A is singular."""
    size = len(a)
    work = [[*row, *right] for row, right in zip(a, b, strict=True)]
    scale = max((abs(each) for row in a for each in row), default=0.0)
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(work[k][i]))
        if abs(work[pivot][i]) <= 1e-14 * scale:
            return None
        work[i], work[pivot] = work[pivot], work[i]
        for k in range(size):
            if k != i and work[k][i] != 0.0:
                factor = work[k][i] / work[i][i]
                work[k] = [x - factor * y for x, y in zip(work[k], work[i], strict=True)]
    return [[each / work[i][i] for each in work[i][size:]] for i in range(size)]


def steady_covariance(a: Rows, c: Rows, q: Rows, r: Rows) -> Rows | None:
    """P = A (P − P Cᵀ (C P Cᵀ + R)⁻¹ C P) Aᵀ + Q, by doubling; None where it does not settle.

    Structure-preserving doubling: with every step twice as many ticks have passed.
    """
    size = len(a)
    weighted = solved(r, c)
    if weighted is None:
        return None
    identity = [[float(i == j) for j in range(size)] for i in range(size)]
    # The dual problem of regulation: A and C transposed.
    f, g, p = transposed(a), product(transposed(c), weighted), [list(row) for row in q]
    for _ in range(_MOST_DOUBLINGS):
        inner = solved(_sum(identity, product(g, p)), [[*x, *y] for x, y in zip(f, g, strict=True)])
        if inner is None:
            return None
        w_f, w_g = [row[:size] for row in inner], [row[size:] for row in inner]
        grown = _sum(p, product(transposed(f), product(p, w_f)))
        g = _sum(g, product(f, product(w_g, transposed(f))))
        f = product(f, w_f)
        change = max(abs(x - y) for one, other in zip(grown, p, strict=True) for x, y in zip(one, other, strict=True))
        p = [[(grown[i][j] + grown[j][i]) / 2.0 for j in range(size)] for i in range(size)]
        largest = max(abs(each) for row in p for each in row)
        if not largest < 1e150:
            return None
        if change <= 1e-15 * largest:
            return p
    return None


def root(r: Rows) -> Rows | None:
    """The lower triangle L of R = L Lᵀ; None where R is not positive."""
    size = len(r)
    made = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = r[i][j] - sum(made[i][k] * made[j][k] for k in range(j))
            if i == j:
                if not rest > 0.0:
                    return None
                made[i][i] = float(rest) ** 0.5
            else:
                made[i][j] = rest / made[j][j]
    return made


def _sum(a: Rows, b: Rows) -> Rows:
    return [[x + y for x, y in zip(one, other, strict=True)] for one, other in zip(a, b, strict=True)]
