"""Linear equations of contacts, whether or not they depend on each other: the shortest of their solutions.

By Householder's reflections with exchanges of columns, and where columns depend on others once more from the right.
Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from typing import Final

from sistel.kernels.subset import Floats, Ints, shift

UNSEEN: Final = 1e-15
"""Velocity or acceleration that counts as none where equations depend on each other [m/s, m/s²]."""


def clear(x: Floats, count: int) -> None:
    """Let numbers be zero."""
    for i in range(count):
        x[i] = 0.0


def swap(x: Floats, i: int, j: int) -> None:
    """Let two numbers change places."""
    kept = x[i]
    x[i] = x[j]
    x[j] = kept


def reflect(A: Floats, rows: int, width: int, j: int, first: int) -> float:
    """Make a column zero below a row, as `A[first]`; the vector of the reflection stays there, its factor is given.

    Args:
        A: A matrix, `width` numbers from row to row; the numbers of the column below `first` become the vector, whose
            first number is 1 and not written.
        rows: Of the matrix.
        width: Of the matrix.
        j: The column.
        first: The row.
    """
    rest = 0.0
    for i in range(first + 1, rows):
        rest += A[i * width + j] * A[i * width + j]
    head = A[first * width + j]
    if rest == 0.0:
        return 0.0
    size = math.sqrt(head * head + rest)
    made = -size if head > 0.0 else size
    low = head - made
    for i in range(first + 1, rows):
        A[i * width + j] = A[i * width + j] / low
    A[first * width + j] = made
    return -low / made


def reflected(A: Floats, rows: int, width: int, j: int, first: int, factor: float, b: Floats, wide: int) -> None:
    """Apply a reflection to numbers `wide` apart: a column of the same matrix, or a vector."""
    if factor == 0.0:
        return
    total = b[first * wide]
    for i in range(first + 1, rows):
        total += A[i * width + j] * b[i * wide]
    total = total * factor
    b[first * wide] = b[first * wide] - total
    for i in range(first + 1, rows):
        b[i * wide] = b[i * wide] - total * A[i * width + j]


def bring_longest(A: Floats, rows: int, n: int, j: int, order: Ints) -> float:
    """Bring the longest of the columns from one on to the place of that one; its length."""
    best = -1.0
    which = j
    for c in range(j, n):
        total = 0.0
        for i in range(j, rows):
            total += A[i * n + c] * A[i * n + c]
        if total > best:
            best = total
            which = c
    if which != j:
        for i in range(rows):
            swap(A, i * n + j, i * n + which)
        place = order[j]
        order[j] = order[which]
        order[which] = place
    return math.sqrt(best)


def triangular(A: Floats, rows: int, n: int, b: Floats, least: float, factors: Floats, order: Ints) -> int:
    """Make the equations of `shortest` triangular, with the longest columns first; the rank of A."""
    largest = 0.0
    rank = 0
    for j in range(n):
        order[j] = j
    for j in range(n):
        size = bring_longest(A, rows, n, j, order)
        if j == 0:
            largest = size
        if not size > least * largest:
            break
        rank = j + 1
        factors[j] = reflect(A, rows, n, j, j)
        for c in range(j + 1, n):
            reflected(A, rows, n, j, j, factors[j], shift(A, c), n)
        reflected(A, rows, n, j, j, factors[j], b, 1)
    return rank


def put_only(A: Floats, n: int, b: Floats, x: Floats, order: Ints) -> None:
    """The only solution of triangular equations, from the last unknown back to the first; b is overwritten."""
    for back in range(n):
        j = n - 1 - back
        total = b[j]
        for c in range(j + 1, n):
            total -= A[j * n + c] * b[c]
        b[j] = total / A[j * n + j]
    for j in range(n):
        x[order[j]] = b[j]


def put_shortest(A: Floats, n: int, rank: int, b: Floats, x: Floats, room: Floats, order: Ints) -> None:
    """The shortest of the many solutions of triangular equations; A and b are overwritten."""
    again = shift(room, n * n + n)
    # Of the first rows, turned: n × rank.
    for i in range(rank):
        for c in range(n):
            room[c * rank + i] = A[i * n + c] if c >= i else 0.0
    for j in range(rank):
        again[j] = reflect(room, n, rank, j, j)
        for c in range(j + 1, rank):
            reflected(room, n, rank, j, j, again[j], shift(room, c), rank)
    for j in range(rank):
        total = b[j]
        for c in range(j):
            total -= room[c * rank + j] * b[c]
        b[j] = total / room[j * rank + j]
    # The solution is made in A, which is not needed any more.
    for j in range(n):
        A[j] = b[j] if j < rank else 0.0
    for back in range(rank):
        j = rank - 1 - back
        reflected(room, n, rank, j, j, again[j], A, 1)
    for j in range(n):
        x[order[j]] = A[j]


def shortest(A: Floats, rows: int, n: int, b: Floats, least: float, x: Floats, room: Floats, order: Ints) -> int:
    """The shortest x for which A x is nearest to b, as `numpy.linalg.lstsq`; the rank of A.

    Args:
        A: The matrix, shape (rows, n), rows ≥ n; it is overwritten.
        rows: Equations.
        n: Unknowns.
        b: Right-hand sides; overwritten.
        least: Part of the largest column that counts as none.
        x: The solution.
        room: For n² + 2 n numbers.
        order: For n numbers.
    """
    rank = triangular(A, rows, n, b, least, shift(room, n * n), order)
    clear(x, n)
    if rank == n:
        put_only(A, n, b, x, order)
    elif rank > 0:
        put_shortest(A, n, rank, b, x, room, order)
    return rank


def shortest_again(A: Floats, n: int, b: Floats, x: Floats, room: Floats, order: Ints) -> None:
    """The same with another b, right after `shortest` has found that the rank of A is n; b is overwritten."""
    factors = shift(room, n * n)
    for j in range(n):
        reflected(A, n, n, j, j, factors[j], b, 1)
    put_only(A, n, b, x, order)


def eliminate(A: Floats, n: int, b: Floats, x: Floats) -> None:
    """The only solution of equations, by elimination: what is exactly zero stays so. The matrix is overwritten."""
    for i in range(n):
        x[i] = b[i]
    for j in range(n):
        which = j
        for i in range(j + 1, n):
            if abs(A[i * n + j]) > abs(A[which * n + j]):
                which = i
        if which != j:
            for c in range(n):
                swap(A, j * n + c, which * n + c)
            swap(x, j, which)
        for i in range(j + 1, n):
            if A[i * n + j] != 0.0:
                part = A[i * n + j] / A[j * n + j]
                for c in range(j + 1, n):
                    A[i * n + c] = A[i * n + c] - part * A[j * n + c]
                x[i] = x[i] - part * x[j]
    for back in range(n):
        j = n - 1 - back
        x[j] = x[j] / A[j * n + j]
        for i in range(j):
            x[i] = x[i] - x[j] * A[i * n + j]


def solve(A: Floats, n: int, b: Floats, near: bool, x: Floats, room: Floats, order: Ints) -> bool:
    """The solution of equations: of several the shortest, or that nearest to what x is; whether there is one.

    Args:
        A: The matrix, shape (n, n).
        n: Equations.
        b: Right-hand sides.
        near: Whether x has numbers to stay near to.
        x: In, where `near`, and out.
        room: For 2 n² + 6 n numbers.
        order: For n numbers.
    """
    own = shift(room, n * n + 2 * n)
    right = shift(own, n * n)
    base = shift(right, n)
    step = shift(base, n)
    for i in range(n):
        base[i] = x[i] if near else 0.0
    for i in range(n):
        total = b[i]
        for j in range(n):
            own[i * n + j] = A[i * n + j]
            if near:
                total -= A[i * n + j] * base[j]
        right[i] = total
    rank = shortest(own, n, n, right, 1e-11, step, room, order)
    if rank == n:
        for i in range(n * n):
            own[i] = A[i]
        eliminate(own, n, b, x)
        return True
    most = 0.0
    for i in range(n):
        x[i] = base[i] + step[i]
        terms = abs(b[i])
        for j in range(n):
            terms += abs(A[i * n + j]) * abs(base[j] + step[j])
        most = max(most, terms)
    # Equations that say no more than others do so but for the rounding of what they were made of.
    for i in range(n):
        lack = -b[i]
        terms = abs(b[i])
        for j in range(n):
            lack += A[i * n + j] * x[j]
            terms += abs(A[i * n + j]) * abs(x[j])
        if not abs(lack) <= 1e-9 * terms + 1e-12 * most + UNSEEN:
            return False
    return True


FUNCTIONS: Final = (
    clear,
    swap,
    reflect,
    reflected,
    bring_longest,
    triangular,
    put_only,
    put_shortest,
    shortest,
    shortest_again,
    eliminate,
    solve,
)
