"""Motion of a structure under what the file drives it with: forces of motors, motions that are forced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.automaton._feedback import settled
from sistel.mechanics import Quantities, solve_constrained, structure_dynamics
from sistel.motion import forced_rows, motion_forces

if TYPE_CHECKING:
    from sistel.automaton._hands import Hands
    from sistel.expr import Scalar, Scalars
    from sistel.mechanics import Drives, Motion, Row, Setting, Solver, Tree
    from sistel.model import Model, Structure


def forced_at(model: Model, tree: Tree, structure: Structure, q: Scalars, v: Scalars, t: Scalar) -> list[Row]:
    """As `forced_by`, of a structure as it is in a state."""
    return forced_rows(Quantities(model, tree, q, v, t), structure)


def forced_by(setting: Setting, q: Scalars, v: Scalars, t: Scalar) -> list[Row]:
    """Constraints of the motions of a structure that are forced."""
    return forced_rows(Quantities(setting.model, setting.tree, q, v, t, shared=setting.shared), setting.structure)


def driven_by(setting: Setting, q: Scalars, v: Scalars, t: Scalar) -> Drives | None:
    """Forces with which motors follow the motions of a structure; None where nothing drives it."""
    return motion_forces(Quantities(setting.model, setting.tree, q, v, t, shared=setting.shared), setting.structure)


def driven_motion(
    setting: Setting,
    q: Scalars,
    v: Scalars,
    t: Scalar,
    signed: bool = False,
    solve: Solver = solve_constrained,
    hands: Hands | None = None,
) -> tuple[Motion, Drives | None]:
    """Motion of a structure as the file drives it, by multipliers; and what drives it. See `structure_dynamics`."""
    setting = settled(setting, q, v, t)
    drives = driven_by(setting, q, v, t)
    tau: Scalars = [0.0] * setting.tree.nv if drives is None else drives
    if hands is not None:
        tau = hands.beside(drives)
    return structure_dynamics(setting, q, v, tau, t, solve, forced=forced_by(setting, q, v, t), signed=signed), drives
