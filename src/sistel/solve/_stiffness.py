"""How forces on the possible motions of a structure change when it is displaced at rest, from exact derivatives.

With F the generalized forces at rest, J the constraints and λ what these carry, J^T λ = F as nearly as that goes,
the force on a motion z that stays possible changes along another one as z · (dF − dJ^T λ).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.expr import Graph, Scalar, derivative
from sistel.mechanics import (
    Quantities,
    applied_forces,
    constraint_rows,
    coordinate_rates,
    expressions,
    inverse_dynamics,
)

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.engine import StructureEngine
    from sistel.expr import Program


def stiffness(equations: StructureEngine, q: Array, t: float, motions: Array, multipliers: Array) -> Array:
    """Forces against possible motions by displacements along them, shape (motions, motions) [N/m, N·m/rad …].

    Args:
        equations: The structure; with `applied`, springs and forces of the file act.
        q: Coordinates, shape (nq,).
        t: Time [s].
        motions: Possible motions, a column each.
        multipliers: What every constraint carries.
    """
    import numpy as np

    engine, nv = equations.engine, equations.engine.model.nv
    if not motions.shape[1]:
        return np.zeros((0, 0))
    what = ("stiffness", equations.structure.name, equations.applied)
    kernel, _ = engine.compile_seldom(what, lambda: (_derive(equations), ()))
    units = [coordinate_rates(engine.model, q.tolist(), [float(i == j) for j in range(nv)]) for i in range(nv)]
    directions = motions.T @ np.array(units, dtype=float)
    change = kernel(q[None], np.array([[*multipliers, t]]), directions)
    return np.asarray(-(motions.T @ np.asarray(change).T))


def _derive(equations: StructureEngine) -> Program:
    engine, graph = equations.engine, Graph()
    model, tree = engine.model, engine.tree
    q = list(graph.inputs("q", model.nq))
    still: list[Scalar] = [0.0] * model.nv
    count = len(equations.mobility.rows) if not equations.is_tree else 0
    *multipliers, t = graph.inputs("k", count + 1)
    force: list[Scalar] = [-weight for weight in inverse_dynamics(tree, q, still, still)]
    if equations.applied:
        acting = applied_forces(Quantities(model, tree, q, still, t)).generalized
        force = [x + y for x, y in zip(force, acting, strict=True)]
    if count:
        rows = constraint_rows(model, tree, equations.structure, q, still, t=t)
        for row, multiplier in zip(rows, multipliers, strict=True):
            force = [x - multiplier * entry for x, entry in zip(force, row.J, strict=True)]
    moving = expressions(graph, force)
    changes = derivative(graph, moving, dict(zip(q, graph.inputs("dq", model.nq), strict=True)))
    return graph.program({"stiffness": changes})
