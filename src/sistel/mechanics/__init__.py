"""Mechanics: models become equations, one formulation a file, written once over any scalar."""

from sistel.mechanics._derive import QUANTITIES, Variant, derive, derive_frame, variants
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
    "Tree",
    "Variant",
    "build_tree",
    "derive",
    "derive_frame",
    "forward_dynamics",
    "inverse_dynamics",
    "mass_matrix",
    "solve",
    "variants",
]
