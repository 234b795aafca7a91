"""Arms as tables: rows of Denavit and Hartenberg in CSV or XML, screws of joints in JSON; read into documents."""

from sistel.markup.chains._document import table_document
from sistel.markup.chains._rows import Convention, Placed, Row, Table, Unit, from_si, to_si
from sistel.markup.chains._screws import is_screws, read_screws
from sistel.markup.chains._text import columns_shown, is_table, read_table, table_of, write_table
from sistel.markup.chains._xml import ROOTS, table_from_tree

__all__ = [
    "ROOTS",
    "Convention",
    "Placed",
    "Row",
    "Table",
    "Unit",
    "columns_shown",
    "from_si",
    "is_screws",
    "is_table",
    "read_screws",
    "read_table",
    "table_document",
    "table_from_tree",
    "table_of",
    "to_si",
    "write_table",
]
