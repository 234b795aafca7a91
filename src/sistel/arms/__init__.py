"""Arms: tables and screws, closed forms, motions along trajectories, what is reached, and how much is carried."""

from sistel.arms._capacity import Capacity, Carrier, States, carry, hold, read_limits
from sistel.arms._chains import axes_at_zero, chain_to
from sistel.arms._lengths import link_lengths
from sistel.arms._limits import force_limits
from sistel.arms.closed_forms import ClosedForm, closed_form, closed_solution
from sistel.arms.tables import (
    DHRow,
    DHTable,
    Exponentials,
    dh_of,
    dh_xml,
    exponentials,
    exponentials_of,
    exponentials_xml,
    read_dh,
    save_chain,
    write_chain,
    write_dh,
)
from sistel.arms.travels import Crossing, Payload, Travel, read_payload, through, travel, with_payload
from sistel.arms.workspaces import (
    Chain,
    Plane,
    SectionMap,
    SingularCurve,
    Singularity,
    Workspace,
    manipulability,
    read_plane,
    singularities,
    workspace,
)

__all__ = [
    "Capacity",
    "Carrier",
    "Chain",
    "ClosedForm",
    "Crossing",
    "DHRow",
    "DHTable",
    "Exponentials",
    "Payload",
    "Plane",
    "SectionMap",
    "SingularCurve",
    "Singularity",
    "States",
    "Travel",
    "Workspace",
    "axes_at_zero",
    "carry",
    "chain_to",
    "closed_form",
    "closed_solution",
    "dh_of",
    "dh_xml",
    "exponentials",
    "exponentials_of",
    "exponentials_xml",
    "force_limits",
    "hold",
    "link_lengths",
    "manipulability",
    "read_dh",
    "read_limits",
    "read_payload",
    "read_plane",
    "save_chain",
    "singularities",
    "through",
    "travel",
    "with_payload",
    "workspace",
    "write_chain",
    "write_dh",
]
