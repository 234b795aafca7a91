"""Arms: tables of Denavit and Hartenberg, screws of joints, lengths for a reach."""

from sistel.arms._capacity import Capacity
from sistel.arms._chains import axes_at_zero, chain_to
from sistel.arms._closed import closed_solution
from sistel.arms._dh import DHRow, DHTable, dh_xml, read_dh, write_dh
from sistel.arms._dh_of import dh_of
from sistel.arms._exponentials import Exponentials, exponentials, exponentials_of, exponentials_xml
from sistel.arms._lengths import link_lengths
from sistel.arms._pieper import ClosedForm, closed_form
from sistel.arms._travel import Travel
from sistel.arms._travel_crossing import Crossing
from sistel.arms._travel_payload import Payload
from sistel.arms._workspace import Workspace
from sistel.arms._workspace_maps import SectionMap
from sistel.arms._workspace_plane import Plane
from sistel.arms._workspace_rank import Singularity
from sistel.arms._workspace_singular import SingularCurve
from sistel.arms._written import save_chain, write_chain

__all__ = [
    "Capacity",
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
    "Travel",
    "Workspace",
    "axes_at_zero",
    "chain_to",
    "closed_form",
    "closed_solution",
    "dh_of",
    "dh_xml",
    "exponentials",
    "exponentials_of",
    "exponentials_xml",
    "link_lengths",
    "read_dh",
    "save_chain",
    "write_chain",
    "write_dh",
]
