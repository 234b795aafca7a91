"""Arms: tables and screws, closed forms, motions along trajectories, what is reached, and how much is carried."""

from sistel.arms._capacity import Capacity, Carrier, States, carry, hold, read_limits
from sistel.arms._chains import axes_at_zero, chain_to
from sistel.arms._closed import closed_solution
from sistel.arms._dh import DHRow, DHTable, dh_xml, read_dh, write_dh
from sistel.arms._dh_of import dh_of
from sistel.arms._exponentials import Exponentials, exponentials, exponentials_of, exponentials_xml
from sistel.arms._lengths import link_lengths
from sistel.arms._limits import force_limits
from sistel.arms._pieper import ClosedForm, closed_form
from sistel.arms._travel import Travel, travel
from sistel.arms._travel_crossing import Crossing
from sistel.arms._travel_follow import through
from sistel.arms._travel_payload import Payload, read_payload, with_payload
from sistel.arms._workspace import Workspace, workspace
from sistel.arms._workspace_chain import Chain
from sistel.arms._workspace_maps import SectionMap
from sistel.arms._workspace_measures import manipulability
from sistel.arms._workspace_plane import Plane, read_plane
from sistel.arms._workspace_rank import Singularity, singularities
from sistel.arms._workspace_singular import SingularCurve
from sistel.arms._written import save_chain, write_chain

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
