"""Tables of text, as RFC 4180 has them: with commas, semicolons or tabs between the cells, which may be in quotes."""

from __future__ import annotations

import re

from sistel.errors import Source, Span
from sistel.files import unguarded
from sistel.markup.tables._grid import MOST_CELLS, Cell, Grid, plain_text, too_many

SIGNS = (";", "\t", ",")
"""A comma may be a part of numbers, so it comes last."""
_SAYS = re.compile(r"sep=[;,\t]\r?\n", re.IGNORECASE)
"""The first line of some files, for one spreadsheet program alone."""


def read_separated(source: Source, sign: str) -> Grid:
    """The table of a text, its cells separated by a sign."""
    found = re.compile(rf'[ ]*"((?:[^"]++|"")*+)"[^{sign}\r\n]*|[^{sign}\r\n]*')
    text, grid = source.text, Grid(source)
    said = _SAYS.match(text)
    at = said.end() if said is not None else 0
    row = column = count = 0
    while at < len(text):
        match = found.match(text, at)
        assert match is not None, "anything is a cell, if only an empty one"
        quoted = match[1] is not None
        start, end = match.span(1) if quoted else match.span()
        shown = plain_text([unguarded(match[1].replace('""', '"') if quoted else match[0])])
        if shown:
            blank = 0 if quoted else len(match[0]) - len(match[0].lstrip())
            trail = 0 if quoted else len(match[0]) - len(match[0].rstrip())
            grid.put(row, column, Cell(shown, Span(source, start + blank, end - trail)))
            count += 1
            if count > MOST_CELLS:
                too_many(source)
        at = match.end()
        if text[at : at + 1] == sign:
            at, column = at + 1, column + 1
        else:
            at += 2 if text[at : at + 2] == "\r\n" else 1
            row, column = row + 1, 0
    return grid
