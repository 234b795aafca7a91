"""Light bodies in closed loops: rows that are given a weight, so that no digits are lost with their masses.

Multipliers come from A = J M⁻¹ Jᵀ. A body that is light and that only its links hold makes A nearly singular: every row
that moves it is dominated by the same 1/m. On the constraints nothing changes where each row pulls with a mass w of its
own, (M + Jᵀ w J) x = f + Jᵀ w d + Jᵀ λ with J x = d, and then no direction that a row sees is light.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from sistel.expr import Graph
from sistel.mechanics._constrained import kept_rows
from sistel.mechanics._derive import symbols
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._rows import Row
from sistel.mechanics._structure import Setting

if TYPE_CHECKING:
    from sistel.arrays import Array


POOR: Final = 1e4
"""Condition of A, its rows scaled, from which on rows are given weights: four digits of sixteen are lost there."""
MANY: Final = 64
"""Rows from which on the condition may grow with the square of their number: loops that hang on one another do that,
however heavy their bodies are."""
BETTER: Final = 1e-2
"""The part of it that weights have to leave: they are of no use in a posture in which the mechanism itself is stuck."""
SEEN: Final = 1e-6
"""Part of the largest squared entry of a row below which an entry tells nothing of the masses that it moves."""


def row_weights(setting: Setting) -> tuple[float, ...]:
    """Weights of the independent rows of a structure [kg, kg·m² or kg·m]; none where no body is too light for them.

    What is decided is decided at the start of the file, in plain numbers.
    """
    import numpy as np

    q = [float(number) for number in setting.model.start.q]
    rows = setting.rows(q, [0.0] * setting.tree.nv, setting.model.start_time)
    if len(rows) < 2:
        return ()
    M = _symmetric(mass_matrix(setting.tree, q))
    J = np.array([row.J for row in rows], dtype=float)
    poor = POOR * max(1.0, len(rows) / MANY) ** 2
    if not np.isfinite(J).all() or _condition(M, J) < poor:
        return ()
    # Rows with constant factors are solved for velocities, and lose nothing: the others are looked at beside them.
    kept = kept_rows(_symbolic(setting))
    if len(kept) < 2:
        return ()
    free = _null_space(np.delete(J, kept, axis=0))
    M, J = free.T @ M @ free, J[kept] @ free
    weights = _weights(M, J)
    before, after = _condition(M, J), _condition(M + J.T @ (weights[:, None] * J), J)
    if not before >= poor or not after <= BETTER * before:
        return ()
    made = dict(zip(kept, weights.tolist(), strict=True))
    return tuple(made.get(index, 0.0) for index in range(len(rows)))


def _symbolic(setting: Setting) -> list[Row]:
    """The independent rows as equations have them: what is constant there is a number."""
    x = symbols(Graph(), setting.tree, ("q", "v"))
    return setting.rows(x["q"], x["v"], 0.0)


def _symmetric(M: Sequence[Sequence[object]]) -> Array:
    import numpy as np

    lower = np.tril(np.array(M, dtype=float))
    return np.asarray(lower + np.tril(lower, -1).T)


def _null_space(J: Array) -> Array:
    import numpy as np

    if not len(J):
        return np.eye(J.shape[1])
    _, sizes, right = np.linalg.svd(J)
    rank = int(np.sum(sizes > 1e-9 * sizes.max(initial=0.0)))
    return np.asarray(right[rank:].T)


def _condition(M: Array, J: Array) -> float:
    """Condition of J M⁻¹ Jᵀ with a diagonal of ones; infinite where there is none."""
    import numpy as np

    try:
        A = J @ np.linalg.solve(M, J.T)
        size = np.sqrt(np.diag(A))
        with np.errstate(all="ignore"):
            scaled = A / np.outer(size, size)
        return float(np.linalg.cond(scaled)) if np.isfinite(scaled).all() else float("inf")
    except np.linalg.LinAlgError:
        return float("inf")


def _weights(M: Array, J: Array) -> Array:
    """Of every row the largest mass that it moves."""
    import numpy as np

    masses, squares = np.diag(M), J * J
    seen = squares > SEEN * squares.max(axis=1, keepdims=True)
    found = np.where(seen, masses / np.where(seen, squares, 1.0), 0.0)
    return np.asarray(found.max(axis=1))
