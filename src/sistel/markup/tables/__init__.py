"""Tables in files: HTML, texts with commas, semicolons or tabs, and the sheets of ODS and XLSX.

What is read here comes from people and from strangers: sizes are bounded, nothing is run or fetched, and every cell
keeps its place, by line and column or by the name of its sheet and its own.
"""

from sistel.markup.tables._grid import MOST_BYTES, Cell, Grid
from sistel.markup.tables._motion import SHORT, Column, MotionRows, exactly, find_motion, is_long
from sistel.markup.tables._read import Tables, read_tables
from sistel.markup.tables._write import WRITERS, Sheet, fragment

__all__ = [
    "MOST_BYTES",
    "SHORT",
    "WRITERS",
    "Cell",
    "Column",
    "Grid",
    "MotionRows",
    "Sheet",
    "Tables",
    "exactly",
    "find_motion",
    "fragment",
    "is_long",
    "read_tables",
]
