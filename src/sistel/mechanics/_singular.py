"""Motion in singular postures: constraints that depend on each other for a moment, solved by singular values.

Gauss' principle picks the accelerations nearest to those of the free system in the metric of M; of all multipliers that
give them, the shortest are taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.expr import Scalars
from sistel.mechanics._constrained import Solution
from sistel.mechanics._rows import Row, row_sum

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RANK = 1e-9
"""Singular values below this part of the largest count as zero. Elimination works with their squares, and is left where
the margin of `Solution` falls below 1e-8: between the two methods nothing is lost but digits."""


def solve_singular(M: Sequence[Scalars], force: Scalars, rows: Sequence[Row], demands: Scalars) -> Solution:
    """As `solve_constrained`, on numbers, whatever the rank of the rows."""
    import numpy as np

    mass = _array(M)
    mass = np.tril(mass) + np.tril(mass, -1).T
    if not np.all(np.diag(mass) > 0):
        raise np.linalg.LinAlgError("a coordinate moves no mass")
    size = 1.0 / np.sqrt(np.diag(mass))  # bodies of very different weight are brought to one
    mass, given = size * mass * size[:, np.newaxis], size * _array(force)
    L = np.linalg.cholesky(mass)
    J = _array([row.J for row in rows]).reshape(len(rows), len(size)) * size
    drags = [[0.0] * len(size) if row.drag is None else row.drag for row in rows]
    pushing = J + _array(drags).reshape(J.shape) * size
    demand = _array(demands)
    half = np.linalg.solve(L, J.T).T  # J L⁻ᵀ, whose inner products are those of J in the metric of M
    applied = np.linalg.solve(L, pushing.T).T
    sizes = np.linalg.svd(half, compute_uv=False) if rows else np.ones(1)
    x, multipliers = np.zeros(len(size)), np.zeros(len(rows))
    for _ in range(3):  # once, and twice for the digits that were lost
        free = np.linalg.solve(L, given + pushing.T @ multipliers - mass @ x)
        lack = demand - J @ x - half @ free
        if np.array_equal(pushing, J):
            # Half as many digits are lost as with the product J M⁻¹ Jᵀ.
            change = np.linalg.lstsq(half, lack, rcond=RANK)[0]
            found = np.linalg.lstsq(half.T, change, rcond=RANK)[0]
        else:
            found = np.linalg.lstsq(half @ applied.T, lack, rcond=RANK)[0]
            change = applied.T @ found
        x, multipliers = x + np.linalg.solve(L.T, free + change), multipliers + found
    margin = float((sizes[-1] / sizes[0]) ** 2) if sizes[0] > 0 else 1.0
    return Solution([*(size * x).tolist()], [*multipliers.tolist()], margin)


def _array(values: Sequence[object]) -> NDArray[np.float64]:
    import numpy as np

    return np.array(values, dtype=float)


def solve_sharing(
    M: Sequence[Scalars], force: Scalars, rows: Sequence[Row], demands: Scalars, links: frozenset[str]
) -> Solution:
    """As `solve_singular`; of all multipliers those with which some links carry the least, and their normals push.

    Args:
        M: The mass matrix.
        force: Generalized forces, nv of them.
        rows: Constraints.
        demands: What J x has to be, one per row.
        links: Names of the contacts.
    """
    import numpy as np

    found = solve_singular(M, force, rows, demands)
    own = [i for i, row in enumerate(rows) if row.link in links]
    if not own:
        return found
    size = 1.0 / np.sqrt(np.diag(_array(M)))
    pushing = _array([row.J if row.drag is None else row_sum(row.J, row.drag) for row in rows]) * size
    left, sizes, _ = np.linalg.svd(pushing)
    rank = int((sizes > RANK * sizes[0]).sum())
    if rank == len(rows):
        return found
    given, same = _array(found.multipliers), left[:, rank:]
    normals = [i for i in own if rows[i].part == "normal"]
    none: list[int] = []
    made = _shortest(given, same, own, none)
    while made is not None:
        best, pulls = made, [i for i in normals if i not in none and made[i] < -RANK * np.abs(made[own]).max()]
        if not pulls:
            break
        worst = min(pulls, key=lambda i: best[i])
        none += [i for i in own if rows[i].link == rows[worst].link]
        made = _shortest(given, same, own, none)
    return Solution(found.x, [*best.tolist()], found.margin)


def _shortest(
    given: NDArray[np.float64], same: NDArray[np.float64], own: list[int], none: list[int]
) -> NDArray[np.float64] | None:
    """Of all `given + same · s` the one that is shortest in some places and 0 in others; None where there is none."""
    import numpy as np

    if none:
        given = given + same @ np.linalg.lstsq(same[none], -given[none], rcond=RANK)[0]
        if np.abs(given[none]).max() > RANK * np.abs(given).max():
            return None
        _, sizes, right = np.linalg.svd(same[none])
        same = same @ right[int((sizes > RANK).sum()) :].T
    return np.asarray(given - same @ np.linalg.lstsq(same[own], given[own], rcond=RANK)[0])
