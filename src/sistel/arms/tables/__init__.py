"""Arms written as tables of Denavit and Hartenberg or as products of exponentials."""

from sistel.arms.tables._dh import DHRow, DHTable, dh_xml, read_dh, write_dh
from sistel.arms.tables._dh_of import dh_of
from sistel.arms.tables._exponentials import Exponentials, exponentials, exponentials_of, exponentials_xml
from sistel.arms.tables._written import save_chain, write_chain

__all__ = [
    "DHRow",
    "DHTable",
    "Exponentials",
    "dh_of",
    "dh_xml",
    "exponentials",
    "exponentials_of",
    "exponentials_xml",
    "read_dh",
    "save_chain",
    "write_chain",
    "write_dh",
]
