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
    from sistel.solve.ik._rows import SLACK, read_target
    from sistel.solve.ik._single import Room, Single, Some, search_single, within
    from sistel.solve.ik._solution import Solution
    from sistel.solve.ik._solver import POLISH, Options, Solver
    from sistel.solve.ik._step import derive_step
    from sistel.solve.ik._threads import Job, cores, parts, run_jobs

_HOMES = {
    "POLISH": "sistel.solve.ik._solver",
    "SLACK": "sistel.solve.ik._rows",
    "Job": "sistel.solve.ik._threads",
    "Options": "sistel.solve.ik._solver",
    "Recall": "sistel.solve.ik._recall",
    "Room": "sistel.solve.ik._single",
    "Single": "sistel.solve.ik._single",
    "Solution": "sistel.solve.ik._solution",
    "Solver": "sistel.solve.ik._solver",
    "Some": "sistel.solve.ik._single",
    "cores": "sistel.solve.ik._threads",
    "derive_look": "sistel.solve.ik._ccd",
    "derive_step": "sistel.solve.ik._step",
    "inverse_kinematics": "sistel.solve.ik._inverse_kinematics",
    "moving_joints": "sistel.solve.ik._inverse_kinematics",
    "networks_solution": "sistel.solve.ik._nets",
    "parts": "sistel.solve.ik._threads",
    "read_networks": "sistel.solve.ik._nets",
    "read_target": "sistel.solve.ik._rows",
    "read_targets": "sistel.solve.ik._inverse_kinematics",
    "read_task": "sistel.solve.ik._inverse_kinematics",
    "residuals": "sistel.solve.ik._inverse_kinematics",
    "run_jobs": "sistel.solve.ik._threads",
    "search_single": "sistel.solve.ik._single",
    "within": "sistel.solve.ik._single",
}
"""Names that bring NumPy and machine code with them: imported when they are asked for."""

__all__ = [
    "POLISH",
    "SLACK",
    "Equilibrium",
    "Job",
    "Options",
    "Recall",
    "Room",
    "Single",
    "Solution",
    "Solver",
    "Some",
    "cores",
    "derive_look",
    "derive_step",
    "equilibrium",
    "inverse_kinematics",
    "moving_joints",
    "networks_solution",
    "parts",
    "read_networks",
    "read_target",
    "read_targets",
    "read_task",
    "residuals",
    "run_jobs",
    "search_single",
    "static_forces",
    "within",
]

__getattr__ = names_at_home(__name__, _HOMES)
