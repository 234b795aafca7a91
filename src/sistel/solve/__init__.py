"""Problems whose answer has to be searched for: statics, equilibrium, inverse kinematics."""

from typing import TYPE_CHECKING

from sistel.solve._equilibrium import Equilibrium, equilibrium
from sistel.solve._statics import static_forces

if TYPE_CHECKING:
    from sistel.solve._ik import POLISH, inverse_kinematics, moving_joints, read_targets, read_task, residuals
    from sistel.solve._ik_ccd import derive_look
    from sistel.solve._ik_nets import networks_solution, read_networks
    from sistel.solve._ik_recall import Recall
    from sistel.solve._ik_single import Single, within
    from sistel.solve._ik_solution import Solution
    from sistel.solve._ik_solver import Options, Solver
    from sistel.solve._ik_step import derive_step

_HOMES = {
    "POLISH": "sistel.solve._ik",
    "Options": "sistel.solve._ik_solver",
    "Recall": "sistel.solve._ik_recall",
    "Single": "sistel.solve._ik_single",
    "Solution": "sistel.solve._ik_solution",
    "Solver": "sistel.solve._ik_solver",
    "derive_look": "sistel.solve._ik_ccd",
    "derive_step": "sistel.solve._ik_step",
    "inverse_kinematics": "sistel.solve._ik",
    "moving_joints": "sistel.solve._ik",
    "networks_solution": "sistel.solve._ik_nets",
    "read_networks": "sistel.solve._ik_nets",
    "read_targets": "sistel.solve._ik",
    "read_task": "sistel.solve._ik",
    "residuals": "sistel.solve._ik",
    "within": "sistel.solve._ik_single",
}
"""Names that bring NumPy and machine code with them: imported when they are asked for."""

__all__ = [
    "POLISH",
    "Equilibrium",
    "Options",
    "Recall",
    "Single",
    "Solution",
    "Solver",
    "derive_look",
    "derive_step",
    "equilibrium",
    "inverse_kinematics",
    "moving_joints",
    "networks_solution",
    "read_networks",
    "read_targets",
    "read_task",
    "residuals",
    "static_forces",
    "within",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sistel.solve' has no attribute {name!r}")
