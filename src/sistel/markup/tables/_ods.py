"""Sheets of OpenDocument: part 3 of its standard, chapters 9 (tables) and 19.385 (values)."""

from __future__ import annotations

from sistel.markup.tables._grid import CellKind, Filling, Grid, Joined, plain_text
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
    return reader.sheets


class _Sheets:
    def __init__(self, book: Book) -> None:
        self.filling = Filling(book.source)
        self.sheets: list[Grid] = []
        self.name = ""
        self.row = self.column = self.inside = self.aside = 0
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
                self.row, self.name = 0, attributes.get("name", "")
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
                self.sheets.append(self.filling.sheet(self.name))
        elif self.inside != 1:
            return
        elif name == "table-row":
            self.filling.repeat(self.row, self.rows)
            self.row += self.rows
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
            self.filling.fill(self.row, self.column, text, kind, times)
            height, width = _times(cell.get("number-rows-spanned")), _times(cell.get("number-columns-spanned"))
            if height > 1 or width > 1:
                self.filling.join(Joined(self.row, self.column, height, width))
        self.column += times


def _times(text: str | None) -> int:
    """How often something stands there."""
    if text is None or not (text.isascii() and text.isdecimal() and len(text) < 9):
        return 1
    return max(1, int(text))
