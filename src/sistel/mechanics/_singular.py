"""Motion in singular postures: constraints that depend on each other for a moment, solved by singular values.

Gauss' principle picks the accelerations nearest to those of the free system in the metric of M; of all multipliers that
give them, the shortest are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sistel.mechanics._constrained import Solution
from sistel.mechanics._rows import Row
from sistel.mechanics._vectors import Scalar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RANK = 1e-9
"""Singular values below this part of the largest count as zero. Elimination works with their squares, and is left where
the margin of `Solution` falls below 1e-8: between the two methods nothing is lost but digits."""


def solve_singular(
    M: Sequence[Sequence[Scalar]], force: Sequence[Scalar], rows: Sequence[Row], demands: Sequence[Scalar]
) -> Solution:
    """As `solve_constrained`, on numbers, whatever the rank of the rows."""
    import numpy as np

    mass = _array(M)
    mass = np.tril(mass) + np.tril(mass, -1).T
    L = np.linalg.cholesky(mass)
    free = np.linalg.solve(mass, _array(force))
    if not rows:
        return Solution(free.tolist(), [], 1.0)
    J = _array([row.J for row in rows])
    pushing = J + _array([[0.0] * len(row.J) if row.drag is None else row.drag for row in rows])
    half = np.linalg.solve(L, J.T).T  # J L⁻ᵀ, whose inner products are those of J in the metric of M
    applied = np.linalg.solve(L, pushing.T).T
    lack = _array(demands) - J @ free
    if np.array_equal(pushing, J):
        # Half as many digits are lost as with the product J M⁻¹ Jᵀ.
        change, _, _, sizes = np.linalg.lstsq(half, lack, rcond=RANK)
        multipliers = np.linalg.lstsq(half.T, change, rcond=RANK)[0]
        x = free + np.linalg.solve(L.T, change)
    else:
        sizes = np.linalg.svd(half, compute_uv=False)
        multipliers = np.linalg.lstsq(half @ applied.T, lack, rcond=RANK)[0]
        x = free + np.linalg.solve(L.T, applied.T @ multipliers)
    margin = float((sizes[-1] / sizes[0]) ** 2) if len(sizes) and sizes[0] > 0 else 1.0
    return Solution(x.tolist(), multipliers.tolist(), margin)


def _array(values: Any) -> NDArray[np.float64]:
    import numpy as np

    return np.array(values, dtype=float)
