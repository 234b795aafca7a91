"""Linear equations in blocks: the libraries behind NumPy start threads for a hundred unknowns, and wait for them.

On a busy computer that takes a hundred times as long as the equations themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import Array

BLOCK: Final = 56
"""Unknowns that are solved for at once."""
TRUSTED: Final = 1e-13
"""What may be left of the equations, beside their terms; more is left where a block alone is nearly singular."""


def solve_blocks(A: Array, right: Array) -> Array:
    """X of A x = right, with one turn for the digits that blocks without exchanges lose.

    Raises:
        LinAlgError: A is singular.
    """
    if len(A) <= BLOCK:
        return np.asarray(np.linalg.solve(A, right))
    try:
        x = _eliminated(A, right[:, None])[:, 0]
        x = x + _eliminated(A, (right - A @ x)[:, None])[:, 0]
        terms = np.abs(A) @ np.abs(x) + np.abs(right)
        if (np.abs(A @ x - right) <= TRUSTED * terms).all():
            return np.asarray(x)
    except np.linalg.LinAlgError:
        pass  # a block is singular: the whole may not be
    return np.asarray(np.linalg.solve(A, right))


def _eliminated(A: Array, right: Array) -> Array:
    if len(A) <= BLOCK:
        return np.asarray(np.linalg.solve(A, right))
    # Columns of a block at a time: products stay small, too.
    n = BLOCK
    after = np.hstack([A[:n, n:], right[:n]])
    ahead = np.hstack([np.linalg.solve(A[:n, :n], after[:, i : i + n]) for i in range(0, after.shape[1], n)])
    below = np.vstack(
        [
            np.hstack([A[i : i + n, :n] @ ahead[:, j : j + n] for j in range(0, ahead.shape[1], n)])
            for i in range(n, len(A), n)
        ]
    )
    size = len(A) - n
    low = _eliminated(A[n:, n:] - below[:, :size], right[n:] - below[:, size:])
    high = ahead[:, size:] - sum(
        (ahead[:, i : min(i + n, size)] @ low[i : i + n] for i in range(0, size, n)), np.zeros_like(right[:n])
    )
    return np.vstack([high, low])
