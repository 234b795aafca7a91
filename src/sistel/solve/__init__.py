"""Problems whose answer has to be searched for: statics, equilibrium, inverse kinematics."""

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home
from sistel.solve._equilibrium import Equilibrium, equilibrium
from sistel.solve._statics import static_forces

if TYPE_CHECKING:
    from sistel.solve.ik._ccd import derive_look
    from sistel.solve.ik._inverse_kinematics import (
        inverse_kinematics,
        moving_joints,
        read_targets,
        read_task,
        residuals,
    )
    from sistel.solve.ik._nets import networks_solution, read_networks
    from sistel.solve.ik._recall import Recall
    from sistel.solve.ik._single import Single, within
    from sistel.solve.ik._solution import Solution
    from sistel.solve.ik._solver import POLISH, Options, Solver
    from sistel.solve.ik._step import derive_step

_HOMES = {
    "POLISH": "sistel.solve.ik._solver",
    "Options": "sistel.solve.ik._solver",
    "Recall": "sistel.solve.ik._recall",
    "Single": "sistel.solve.ik._single",
    "Solution": "sistel.solve.ik._solution",
    "Solver": "sistel.solve.ik._solver",
    "derive_look": "sistel.solve.ik._ccd",
    "derive_step": "sistel.solve.ik._step",
    "inverse_kinematics": "sistel.solve.ik._inverse_kinematics",
    "moving_joints": "sistel.solve.ik._inverse_kinematics",
    "networks_solution": "sistel.solve.ik._nets",
    "read_networks": "sistel.solve.ik._nets",
    "read_targets": "sistel.solve.ik._inverse_kinematics",
    "read_task": "sistel.solve.ik._inverse_kinematics",
    "residuals": "sistel.solve.ik._inverse_kinematics",
    "within": "sistel.solve.ik._single",
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

__getattr__ = names_at_home(__name__, _HOMES)
