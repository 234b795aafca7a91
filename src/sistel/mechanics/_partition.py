"""Which velocities to express by the others: entries that stay large, in an order that fills in little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.mechanics._constrained import Partition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LARGE = 0.3
"""Part of the largest entry that another may have and still be chosen for the zeros around it."""
NOTHING = 1e-12


def choose_partition(jacobians: Sequence[NDArray[np.float64]]) -> Partition | None:
    """Rows and velocities in the order of elimination; None where some row cannot be solved for anything.

    Of every remaining row and velocity, the entry is looked at that elimination has left in each of the postures, the
    smallest of which counts; among those that are large, the one goes first whose elimination touches fewest others
    (Markowitz).

    Args:
        jacobians: The independent rows in several postures.
    """
    import numpy as np

    left = [J.copy() for J in jacobians]
    scales = np.max([np.abs(J).max(axis=1) for J in left], axis=0)
    rows = list(range(len(left[0])))
    used: list[int] = []
    made: list[tuple[int, int, float]] = []
    while rows:
        sizes = np.min([np.abs(J[rows]) / scales[rows, None] for J in left], axis=0)
        sizes[:, used] = 0.0
        best = sizes.max()
        if best < NOTHING:
            return None
        pattern = np.max([np.abs(J[rows]) / scales[rows, None] for J in left], axis=0) > NOTHING
        pattern[:, used] = False
        price = np.outer(pattern.sum(axis=1) - 1, np.ones(pattern.shape[1])) * (pattern.sum(axis=0) - 1)
        # A row is solved for its own best entry at least: a threshold for each keeps poor rows from waiting for ever.
        enough = sizes >= LARGE * np.maximum(sizes.max(axis=1, keepdims=True), NOTHING)
        price = np.where(enough & (sizes >= 0.05 * best), price, np.inf)
        ties = np.argwhere(price == price.min())
        at, column = max(ties.tolist(), key=lambda place: sizes[place[0], place[1]])
        index = rows[at]
        typical = float(np.median([abs(J[index, column]) for J in left]))
        made.append((index, column, typical * typical))
        for J in left:
            for other in rows:
                if other != index:
                    J[other] -= J[other, column] / J[index, column] * J[index]
                    J[other, column] = 0.0
        rows.remove(index)
        used.append(column)
    return tuple(made)
