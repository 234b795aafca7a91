"""Statics: the driving forces that hold a posture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import StructureEngine


HELD = 1e-9
"""Part of the forces that may remain unbalanced; rounding leaves some 1e-16 times the condition of the posture."""


def loads_at_rest(equations: StructureEngine, q: Array, t: float) -> Array:
    """Generalized forces of weight, and of what the file lets act where that is wanted, at rest [N or N·m]."""
    import numpy as np

    engine = equations.engine
    force: Array = -np.asarray(engine.call("gravity_forces")(q))
    if equations.applied:
        force = force + engine.call("applied_forces")(q, np.zeros(engine.model.nv), np.array([t]))
    return force


def constraint_matrix(equations: StructureEngine, q: Array, t: float) -> Array:
    """The Jacobian of the constraints, rows × nv."""
    import numpy as np

    nv = equations.engine.model.nv
    if equations.is_tree:
        return np.zeros((0, nv))
    from sistel.mechanics import constraint_rows

    engine = equations.engine
    if engine.large:
        rows = constraint_rows(engine.model, engine.tree, equations.structure, q.tolist(), [0.0] * nv, t=t)
        return np.array([row.J for row in rows], dtype=float)
    time = (np.array([t]),) if equations.timed else ()
    J = equations.constraints(q, np.zeros(nv), *time)[1]
    return np.asarray(J).reshape(-1, nv)


def static_forces(equations: StructureEngine, q: Array, driven: Sequence[int], t: float = 0.0) -> Array:
    """Driving forces that hold a posture, the smallest where there are several.

    Args:
        equations: The structure.
        q: Coordinates, shape (nq,).
        driven: Velocities at which forces can act.
        t: Time [s].

    Returns:
        Shape (nv,) [N or N·m], zero at all other velocities.

    Raises:
        SistelError: These forces cannot hold the posture; it names the coordinates that would move.
    """
    import numpy as np

    model = equations.engine.model
    load = loads_at_rest(equations, q, t)
    J = constraint_matrix(equations, q, t)
    found = np.zeros(model.nv)
    chosen = list(driven)
    # What the constraints leave: forces on the motions that are possible.
    Z = null_space(J, model.nv)
    found[chosen] = np.linalg.lstsq(Z.T[:, chosen], -Z.T @ load, rcond=1e-12)[0]
    lack = Z @ (Z.T @ (load + found))
    if np.abs(lack).max(initial=0.0) > HELD * max(1e-300, float(np.abs(load).max(initial=0.0))):
        _cannot_hold(model.rate_names, lack)
    return found


def null_space(J: Array, size: int) -> Array:
    """Orthonormal motions that the constraints allow, as columns."""
    import numpy as np

    if not len(J):
        return np.eye(size)
    _, sizes, rows = np.linalg.svd(J)
    rank = int((sizes > 1e-9 * sizes[0]).sum()) if len(sizes) and sizes[0] > 0 else 0
    return np.asarray(rows[rank:].T)


def _cannot_hold(names: Sequence[str], lack: Array) -> None:
    worst = float(abs(lack).max())
    moving = [name for name, force in zip(names, lack, strict=True) if abs(force) > 1e-6 * worst]
    refuse(
        "no-balance",
        Text(
            f"the posture cannot be held: nothing balances {', '.join(moving[:8])}",
            f"позу нельзя удержать: нечем уравновесить {', '.join(moving[:8])}",
        ),
        hint=Text("name more driven coordinates", "назовите больше управляемых координат"),
    )
