"""Mechanics: models become equations, one formulation a file, written once over any scalar."""

from sistel.expr import ZERO, Matrix, Scalar, Vector, cross, dot, is_zero
from sistel.mechanics._articulated import articulated_dynamics
from sistel.mechanics._beds import Bed, Stand, bed_of, bed_shares, rubbing
from sistel.mechanics._bodies import Load, body_motions, centre_of_mass, energies, joint_loads, momentum
from sistel.mechanics._constrained import Solution, solve_constrained
from sistel.mechanics._constraints import (
    DirectedStructure,
    RowDeriver,
    anchors,
    constraint_rows,
    contact_rows,
    fair_axes,
    root_of_squares,
)
from sistel.mechanics._crossings import Crossed
from sistel.mechanics._derive import (
    QUANTITIES,
    derive,
    derive_elastic,
    derive_energies,
    derive_frame,
    derive_mass_triangle,
    expressions,
    mass_pattern,
    recur,
    recur_frame,
    variants,
)
from sistel.mechanics._derive_structure import (
    clearly_cheaper,
    depends_on_time,
    derive_applied,
    derive_constraints,
    derive_impact,
    derive_jacobian_rate,
    derive_momentum,
    derive_structure,
    derive_structure_reactions,
    looped_axes,
    structure_variants,
    undriven_loads,
)
from sistel.mechanics._elastic import elastic_energy, stores
from sistel.mechanics._forces import Applied, acts, applied_forces, clutch_limit
from sistel.mechanics._formula import (
    FUNCTIONS,
    belt_speed,
    expression_value,
    formula_value,
    gap_gradient,
    gap_values,
    live_parameters,
    stand_ins,
)
from sistel.mechanics._forward_dynamics import forward_dynamics
from sistel.mechanics._inverse_dynamics import inverse_dynamics
from sistel.mechanics._kinematics import Kinematics, posture
from sistel.mechanics._light import row_weights
from sistel.mechanics._linear import Factor, inner
from sistel.mechanics._looped import least_changes, solve_looped
from sistel.mechanics._mass_matrix import mass_matrix
from sistel.mechanics._meshes import Mesh, flank_row
from sistel.mechanics._mobility import Assembly, Mobility, assemble, mobility
from sistel.mechanics._outlines import AHEAD, AWAY, BEYOND, LEANS, STRIKES, WITHIN, Within, nearest, over
from sistel.mechanics._profiles import around, ground_normal, narrow_place, narrow_words
from sistel.mechanics._quantities import CONE_SIDES, Drives, Quantities, Winding, remembered
from sistel.mechanics._rates import Rates
from sistel.mechanics._reroot import Reroot, reroots
from sistel.mechanics._resistance import Turning, resisting_rows
from sistel.mechanics._rows import Row, Spot, place_row, pushes
from sistel.mechanics._search import Variant, cheapest
from sistel.mechanics._sensors import DYNAMIC, measured
from sistel.mechanics._singular import solve_sharing, solve_singular
from sistel.mechanics._solids import nearest_solid
from sistel.mechanics._step import coordinate_rates, moved, nudged
from sistel.mechanics._structure import (
    Impact,
    Motion,
    Setting,
    Solver,
    articulated_motion,
    impact,
    link_loads,
    pushed,
    reactions,
    structure_dynamics,
)
from sistel.mechanics._touching import Touch, arm_of
from sistel.mechanics._tracks import patch_loads, patch_slip, shear_rates, unit_pull
from sistel.mechanics._tree import Inertia, Link, Tree, build_tree, joint_steps, rotor_inertias, tree_of

__all__ = [
    "AHEAD",
    "AWAY",
    "BEYOND",
    "CONE_SIDES",
    "DYNAMIC",
    "FUNCTIONS",
    "LEANS",
    "QUANTITIES",
    "STRIKES",
    "WITHIN",
    "ZERO",
    "Applied",
    "Assembly",
    "Bed",
    "Crossed",
    "DirectedStructure",
    "Drives",
    "Factor",
    "Impact",
    "Inertia",
    "Kinematics",
    "Link",
    "Load",
    "Matrix",
    "Mesh",
    "Mobility",
    "Motion",
    "Quantities",
    "Rates",
    "Reroot",
    "Row",
    "RowDeriver",
    "Scalar",
    "Setting",
    "Solution",
    "Solver",
    "Spot",
    "Stand",
    "Touch",
    "Tree",
    "Turning",
    "Variant",
    "Vector",
    "Winding",
    "Within",
    "acts",
    "anchors",
    "applied_forces",
    "arm_of",
    "around",
    "articulated_dynamics",
    "articulated_motion",
    "assemble",
    "bed_of",
    "bed_shares",
    "belt_speed",
    "body_motions",
    "build_tree",
    "centre_of_mass",
    "cheapest",
    "clearly_cheaper",
    "clutch_limit",
    "constraint_rows",
    "contact_rows",
    "coordinate_rates",
    "cross",
    "depends_on_time",
    "derive",
    "derive_applied",
    "derive_constraints",
    "derive_elastic",
    "derive_energies",
    "derive_frame",
    "derive_impact",
    "derive_jacobian_rate",
    "derive_mass_triangle",
    "derive_momentum",
    "derive_structure",
    "derive_structure_reactions",
    "dot",
    "elastic_energy",
    "energies",
    "expression_value",
    "expressions",
    "fair_axes",
    "flank_row",
    "formula_value",
    "forward_dynamics",
    "gap_gradient",
    "gap_values",
    "ground_normal",
    "impact",
    "inner",
    "inverse_dynamics",
    "is_zero",
    "joint_loads",
    "joint_steps",
    "least_changes",
    "link_loads",
    "live_parameters",
    "looped_axes",
    "mass_matrix",
    "mass_pattern",
    "measured",
    "mobility",
    "momentum",
    "moved",
    "narrow_place",
    "narrow_words",
    "nearest",
    "nearest_solid",
    "nudged",
    "over",
    "patch_loads",
    "patch_slip",
    "place_row",
    "posture",
    "pushed",
    "pushes",
    "reactions",
    "recur",
    "recur_frame",
    "remembered",
    "reroots",
    "resisting_rows",
    "root_of_squares",
    "rotor_inertias",
    "row_weights",
    "rubbing",
    "shear_rates",
    "solve_constrained",
    "solve_looped",
    "solve_sharing",
    "solve_singular",
    "stand_ins",
    "stores",
    "structure_dynamics",
    "structure_variants",
    "tree_of",
    "undriven_loads",
    "unit_pull",
    "variants",
]
