"""Networks beside a numerical solver: which is nearer, and what networks are worth as its seed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.solve.anfis._errors import Errors
from sistel.solve.anfis._poses import Orientation, place_errors
from sistel.solve.anfis._reports import Seeding

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.solve.anfis._arms import Arm


def compare(
    system: Arm, frame: str, orientation: Orientation, targets: Array, seeds: Array
) -> tuple[Errors | None, Seeding | None]:
    """Errors of Levenberg and Marquardt's method, and how it fares from its usual start and from networks' seeds.

    Args:
        system: The arm.
        frame: Body, frame or point of the tool.
        orientation: "none" where only places are wanted.
        targets: Poses that can be reached, shape (count, 4, 4) [m].
        seeds: Coordinates that networks give for them, shape (count, nq) [m or rad].

    Returns:
        Distances from the targets [m], by forward kinematics; None twice where the system has no such solver.
    """
    solve: Any = getattr(system, "inverse_kinematics", None)
    if solve is None:
        return None, None
    task = "position" if orientation == "none" else "pose"
    whole = solve(targets, frame, task=task)
    errors = Errors.of(place_errors(np.asarray(system.pose(whole.q, frame)), targets))
    # One attempt each: with restarts every reachable target is found from anywhere, only later.
    usual = solve(targets, frame, task=task, restarts=0)
    seeded = solve(targets, frame, task=task, restarts=0, q=seeds)
    return errors, Seeding(
        usual_success=float(np.mean(usual.success)),
        usual_iterations=float(np.mean(usual.iterations)),
        success=float(np.mean(seeded.success)),
        iterations=float(np.mean(seeded.iterations)),
    )
