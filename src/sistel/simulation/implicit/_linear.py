"""Linear equations by elimination with row exchanges, real and complex, in the compiled subset of Python.

Matrices lie row by row. A complex matrix is two real ones: its real and its imaginary parts.
"""

from __future__ import annotations

from typing import Final

from sistel.kernels.subset import Floats, Ints

REGULAR: Final = 0
SINGULAR: Final = 1


def swap_rows(a: Floats, n: int, one: int, other: int) -> None:
    """Let two rows of a matrix change places."""
    for j in range(n):
        kept = a[one * n + j]
        a[one * n + j] = a[other * n + j]
        a[other * n + j] = kept


def factor(a: Floats, n: int, pivots: Ints) -> int:
    """Factors of a matrix in its own place: L below the diagonal, U on and above it; SINGULAR where a pivot is zero."""
    for k in range(n):
        best = abs(a[k * n + k])
        row = k
        for i in range(k + 1, n):
            size = abs(a[i * n + k])
            if size > best:
                best = size
                row = i
        pivots[k] = row
        if not best > 0.0:  # true for NaN too
            return SINGULAR
        if row != k:
            swap_rows(a, n, row, k)
        inverse = 1.0 / a[k * n + k]
        for i in range(k + 1, n):
            part = a[i * n + k] * inverse
            a[i * n + k] = part
            if part != 0.0:  # half of the matrix of a mechanical system is nothing
                for j in range(k + 1, n):
                    a[i * n + j] = a[i * n + j] - part * a[k * n + j]
    return REGULAR


def put_in_order(b: Floats, n: int, pivots: Ints) -> None:
    """Let the numbers of a right-hand side change places as the rows of the matrix have."""
    for k in range(n):
        row = pivots[k]
        if row != k:
            kept = b[row]
            b[row] = b[k]
            b[k] = kept


def solve(a: Floats, n: int, pivots: Ints, b: Floats) -> None:
    """The solution in the place of the right-hand side, from the factors."""
    put_in_order(b, n, pivots)
    for i in range(1, n):
        total = b[i]
        for j in range(i):
            total = total - a[i * n + j] * b[j]
        b[i] = total
    for i in range(n - 1, -1, -1):
        total = b[i]
        for j in range(i + 1, n):
            total = total - a[i * n + j] * b[j]
        b[i] = total / a[i * n + i]


def factor_complex(ar: Floats, ai: Floats, n: int, pivots: Ints) -> int:
    """The same for a complex matrix."""
    for k in range(n):
        best = abs(ar[k * n + k]) + abs(ai[k * n + k])
        row = k
        for i in range(k + 1, n):
            size = abs(ar[i * n + k]) + abs(ai[i * n + k])
            if size > best:
                best = size
                row = i
        pivots[k] = row
        if not best > 0.0:
            return SINGULAR
        if row != k:
            swap_rows(ar, n, row, k)
            swap_rows(ai, n, row, k)
        x = ar[k * n + k]
        y = ai[k * n + k]
        square = x * x + y * y
        x = x / square
        y = -y / square
        for i in range(k + 1, n):
            u = ar[i * n + k]
            v = ai[i * n + k]
            p = u * x - v * y
            q = u * y + v * x
            ar[i * n + k] = p
            ai[i * n + k] = q
            if p != 0.0 or q != 0.0:
                for j in range(k + 1, n):
                    u = ar[k * n + j]
                    v = ai[k * n + j]
                    ar[i * n + j] = ar[i * n + j] - (p * u - q * v)
                    ai[i * n + j] = ai[i * n + j] - (p * v + q * u)
    return REGULAR


def solve_complex(ar: Floats, ai: Floats, n: int, pivots: Ints, br: Floats, bi: Floats) -> None:
    """The solution in the place of the right-hand side, from the complex factors."""
    put_in_order(br, n, pivots)
    put_in_order(bi, n, pivots)
    for i in range(1, n):
        x = br[i]
        y = bi[i]
        for j in range(i):
            p = ar[i * n + j]
            q = ai[i * n + j]
            x = x - (p * br[j] - q * bi[j])
            y = y - (p * bi[j] + q * br[j])
        br[i] = x
        bi[i] = y
    for i in range(n - 1, -1, -1):
        x = br[i]
        y = bi[i]
        for j in range(i + 1, n):
            p = ar[i * n + j]
            q = ai[i * n + j]
            x = x - (p * br[j] - q * bi[j])
            y = y - (p * bi[j] + q * br[j])
        p = ar[i * n + i]
        q = ai[i * n + i]
        square = p * p + q * q
        br[i] = (x * p + y * q) / square
        bi[i] = (y * p - x * q) / square


FUNCTIONS: Final = (swap_rows, put_in_order, factor, solve, factor_complex, solve_complex)
