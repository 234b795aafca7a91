"""Sheets of OpenDocument: part 3 of its standard, chapters 9 (tables) and 19.385 (values)."""

from __future__ import annotations

from sistel.markup.tables._grid import (
    LAST_COLUMN,
    LAST_ROW,
    MOST_CELLS,
    CellKind,
    Grid,
    Joined,
    plain_text,
    sheet_of,
    too_many,
)
from sistel.markup.tables._zipped import Book

_KINDS: dict[str, CellKind] = {"date": "date", "time": "date", "percentage": "percent", "boolean": "truth"}
_ASIDE = ("annotation", "tracked-changes", "shapes", "dde-links")
"""What stands inside of tables and is none of their cells."""


def read_ods(book: Book) -> list[Grid]:
    """All sheets."""
    reader = _Sheets(book)
    for what, name, attributes in book.steps("content.xml"):
        if what == "text":
            reader.text(name)
        elif what == "begin":
            reader.begin(name, attributes)
        else:
            reader.end(name)
    for grid in reader.sheets:
        grid.unjoin()
    return reader.sheets


class _Sheets:
    def __init__(self, book: Book) -> None:
        self.book = book
        self.sheets: list[Grid] = []
        self.cells: dict[int, dict[int, tuple[str, CellKind]]] = {}
        self.joined: list[Joined] = []
        self.name = ""
        self.row = self.column = self.inside = self.aside = self.count = 0
        self.rows = 1
        """How often the row that is being read stands there."""
        self.cell: dict[str, str] | None = None
        self.words: list[str] = []

    def text(self, text: str) -> None:
        if self.cell is not None and not self.aside:
            self.words.append(text)

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        if self.aside or name in _ASIDE:
            self.aside += 1
        elif name == "table":
            self.inside += 1
            if self.inside == 1:
                self.cells, self.joined, self.row = {}, [], 0
                self.name = attributes.get("name", "")
        elif self.inside != 1:
            return
        elif name == "table-row":
            self.column, self.rows = 0, _times(attributes.get("number-rows-repeated"))
        elif name in ("table-cell", "covered-table-cell"):
            self.cell, self.words = attributes, []
        elif name in ("p", "s", "tab", "line-break"):
            self.words.append(" ")

    def end(self, name: str) -> None:
        if self.aside:
            self.aside -= 1
        elif name == "table":
            self.inside -= 1
            if self.inside == 0:
                self.sheets.append(sheet_of(self.name, self.book.source.path, self.cells, self.joined))
        elif self.inside != 1:
            return
        elif name == "table-row":
            self._close_row()
        elif name in ("table-cell", "covered-table-cell") and self.cell is not None:
            self._close_cell(self.cell, covered=name != "table-cell")
            self.cell = None

    def _close_cell(self, cell: dict[str, str], covered: bool) -> None:
        times = _times(cell.get("number-columns-repeated"))
        shown, kind = plain_text(self.words), _KINDS.get(cell.get("value-type", ""), "plain")
        text = cell.get("value", shown) if cell.get("value-type") in ("float", "percentage", "currency") else shown
        if not covered and cell.get("formula") and not text:
            text, kind = cell["formula"], "uncomputed"
        elif shown.startswith(("#", "Err:", "Ошибка:")) and cell.get("formula"):
            text, kind = shown, "error"
        if text and not covered:
            self.count += times
            if self.count > MOST_CELLS or self.column + times > LAST_COLUMN or self.row >= LAST_ROW:
                too_many(self.book.source)
            row = self.cells.setdefault(self.row, {})
            row.update(dict.fromkeys(range(self.column, self.column + times), (text, kind)))
            height, width = _times(cell.get("number-rows-spanned")), _times(cell.get("number-columns-spanned"))
            if height > 1 or width > 1:
                self.joined.append(Joined(self.row, self.column, height, width))
        self.column += times

    def _close_row(self) -> None:
        filled = self.cells.get(self.row)
        if filled is not None and self.rows > 1:
            self.count += len(filled) * (self.rows - 1)
            if self.count > MOST_CELLS or self.row + self.rows > LAST_ROW:
                too_many(self.book.source)
            for row in range(self.row + 1, self.row + self.rows):
                self.cells[row] = dict(filled)
        self.row += self.rows


def _times(text: str | None) -> int:
    """How often something stands there."""
    if text is None or not (text.isascii() and text.isdecimal() and len(text) < 9):
        return 1
    return max(1, int(text))
