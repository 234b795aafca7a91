"""The recursions by the names of their quantities."""

from __future__ import annotations

from typing import Final

from sistel.mechanics.steps._articulated import FORWARD_DYNAMICS, REACTIONS
from sistel.mechanics.steps._bodies import ENERGIES, JACOBIAN, JACOBIAN_RATE, MASS_MATRIX, MOMENTUM, POSE
from sistel.mechanics.steps._forces import BIAS_FORCES, GRAVITY_FORCES, INVERSE_DYNAMICS
from sistel.mechanics.steps._step import Recursion

RECURSIONS: Final[dict[str, Recursion]] = {
    "inverse_dynamics": INVERSE_DYNAMICS,
    "bias_forces": BIAS_FORCES,
    "gravity_forces": GRAVITY_FORCES,
    "mass_matrix": MASS_MATRIX,
    "forward_dynamics": FORWARD_DYNAMICS,
    "reactions": REACTIONS,
    "energies": ENERGIES,
    "momentum": MOMENTUM,
    "pose": POSE,
    "jacobian": JACOBIAN,
    "jacobian_rate": JACOBIAN_RATE,
}
