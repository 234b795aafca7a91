"""Tables of HTML. Only tables, rows and cells are looked at.

Scripts, styles, links and entities of a document's own do nothing here: the text is taken apart, never run or fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser

from sistel.errors import Source, Span
from sistel.markup.tables._grid import MOST_CELLS, Cell, Grid, Joined, plain_text, too_many

_WIDEST = 1000
"""Columns that one cell may take, as in the HTML standard, section 4.9.11."""


def read_html(source: Source) -> list[Grid]:
    """All tables of a document, in the order in which they begin."""
    reader = _Tables(source)
    reader.feed(source.text)
    reader.close()
    reader.close_cell()
    for grid in reader.tables:
        grid.unjoin()
    return reader.tables


class _Open:
    """A table that is being read."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.row, self.column = -1, 0
        self.taken: dict[int, int] = {}
        """Rows that cells from above still take, by column."""

    def next_row(self) -> None:
        self.row, self.column = self.row + 1, 0
        self.taken = {column: left - 1 for column, left in self.taken.items() if left > 1}


class _Tables(HTMLParser):
    def __init__(self, source: Source) -> None:
        super().__init__(convert_charrefs=True)
        self.source = source
        self.tables: list[Grid] = []
        self.open: list[_Open] = []
        self.words: list[str] | None = None
        self.what = ""
        """Which element they stand in: td or caption."""
        self.start, self.count = 0, 0
        self.size = (1, 1)
        self.starts = source._lines()

    def place(self) -> int:
        line, column = self.getpos()
        return min(self.starts[min(line, len(self.starts)) - 1] + column, len(self.source.text))

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.close_cell()
            named = next((value or "" for name, value in attrs if name == "id"), "")
            self.open.append(_Open(Grid(self.source, named)))
            self.tables.append(self.open[-1].grid)
        elif not self.open:
            return
        elif tag == "tr":
            self.close_cell()
            self.open[-1].next_row()
        elif tag in ("td", "th"):
            self.close_cell()
            if self.open[-1].row < 0:
                self.open[-1].next_row()
            self._begin("td")
            self.size = (_span(attrs, "rowspan"), _span(attrs, "colspan"))
            self.count += 1
            if self.count > MOST_CELLS:
                too_many(self.source)
        elif tag == "caption":
            self.close_cell()
            self._begin("caption")
        elif tag == "br" and self.words is not None:
            self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table", "caption"):
            self.close_cell()
        if tag == "table" and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.words is not None:
            self.words.append(data)

    def _begin(self, what: str) -> None:
        self.words, self.what = [], what
        self.start = self.place() + len(self.get_starttag_text() or "")

    def close_cell(self) -> None:
        if self.words is None:
            return
        text, now = plain_text(self.words), self.open[-1]
        span = Span(self.source, self.start, max(self.place(), self.start))
        self.words = None
        if self.what == "caption":
            now.grid.name = text or now.grid.name
            return
        while now.column in now.taken:
            now.column += 1
        height, width = self.size
        if text:
            now.grid.put(now.row, now.column, Cell(text, span))
            if height > 1 or width > 1:
                now.grid.joined.append(Joined(now.row, now.column, height, width))
        if height > 1:
            now.taken.update(dict.fromkeys(range(now.column, now.column + width), height))
        now.column += width


def _span(attrs: Sequence[tuple[str, str | None]], key: str) -> int:
    """How many rows or columns a cell takes; 0 stands for all rows that follow."""
    text = next(((value or "").strip() for name, value in attrs if name == key), "1")
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 1
    return min(max(number, 1), _WIDEST) if key == "colspan" else min(number, 65_534) or 65_534
