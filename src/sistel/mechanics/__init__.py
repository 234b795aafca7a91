"""Mechanics: models become equations, one formulation a file, written once over any scalar."""

from sistel.mechanics._articulated import articulated_dynamics
from sistel.mechanics._bodies import Load, body_motions, centre_of_mass, energies, joint_loads
from sistel.mechanics._derive import (
    QUANTITIES,
    Variant,
    derive,
    derive_energies,
    derive_frame,
    derive_reactions,
    recur,
    recur_frame,
    variants,
)
from sistel.mechanics._forward_dynamics import forward_dynamics, solve
from sistel.mechanics._inverse_dynamics import inverse_dynamics
from sistel.mechanics._kinematics import Kinematics
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._tree import Inertia, Link, Tree, build_tree

__all__ = [
    "QUANTITIES",
    "Inertia",
    "Kinematics",
    "Link",
    "Load",
    "Tree",
    "Variant",
    "articulated_dynamics",
    "body_motions",
    "build_tree",
    "centre_of_mass",
    "derive",
    "derive_energies",
    "derive_frame",
    "derive_reactions",
    "energies",
    "forward_dynamics",
    "inverse_dynamics",
    "joint_loads",
    "mass_matrix",
    "recur",
    "recur_frame",
    "solve",
    "variants",
]
