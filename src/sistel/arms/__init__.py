"""Arms: tables of Denavit and Hartenberg, screws of joints, lengths for a reach."""

from sistel.arms._chains import axes_at_zero, chain_to
from sistel.arms._dh import DHRow, DHTable, dh_of, dh_xml, read_dh
from sistel.arms._exponentials import Exponentials, exponentials, exponentials_of, exponentials_xml
from sistel.arms._lengths import link_lengths

__all__ = [
    "DHRow",
    "DHTable",
    "Exponentials",
    "axes_at_zero",
    "chain_to",
    "dh_of",
    "dh_xml",
    "exponentials",
    "exponentials_of",
    "exponentials_xml",
    "link_lengths",
    "read_dh",
]
