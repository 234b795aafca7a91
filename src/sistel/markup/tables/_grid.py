"""Cells of tables with their places, whatever the file is that they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Literal, NoReturn

from sistel.errors import CellSpan, Source, Span, Text, refuse
from sistel.records import entry, mutable

MOST_BYTES = 64 * 2**20
"""Of a file, and of each part of a spreadsheet when it is unpacked."""
MOST_CELLS = 1_000_000
"""Filled cells of a file; empty ones cost nothing."""
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
"""Of spreadsheets."""

CellKind = Literal["plain", "date", "percent", "truth", "error", "uncomputed"]


@entry
class Cell:
    """A cell that is not empty."""

    text: str
    """What people see, or the number that stands behind it; blanks are single."""
    span: Span
    kind: CellKind = "plain"
    wide: bool = False
    """Whether it is joined with its neighbours to the right."""


@entry
class Joined:
    """Cells that are shown as one."""

    row: int
    column: int
    height: int
    width: int


@mutable
class Grid:
    """A table of a file, or a sheet."""

    source: Source
    name: str = ""
    """Of the sheet; of a table in HTML its caption or id."""
    rows: dict[int, dict[int, Cell]] = field(default_factory=dict)
    """Filled cells by row and column, both from 0; rows in their order."""
    joined: list[Joined] = field(default_factory=list)
    sheet: bool = False
    """Whether cells have names such as B7."""

    def put(self, row: int, column: int, cell: Cell) -> None:
        """Fill a cell."""
        self.rows.setdefault(row, {})[column] = cell

    def at(self, row: int, column: int) -> Span:
        """The place of a cell that is empty."""
        cells = self.rows.get(row, {})
        before = [place for place in cells if place < column]
        near = cells[max(before)].span if before else cells[min(cells)].span if cells else Span(self.source, 0, 0)
        if not self.sheet:
            return Span(self.source, near.end, near.end) if before else Span(self.source, near.start, near.start)
        return CellSpan(self.source, near.end, near.end, self.name, row + 1, column + 1)

    def unjoin(self) -> None:
        """Cells that are joined downwards hold their value in each of the rows; those joined sideways are marked.

        Raises:
            SistelError: More is joined than anyone would.
        """
        spent = 0
        for each in self.joined:
            first = self.rows.get(each.row, {}).get(each.column)
            if first is None:
                continue
            if each.width > 1:
                first = replace(first, wide=True)
                self.put(each.row, each.column, first)
            below = range(each.row + 1, each.row + each.height) if each.height < len(self.rows) else tuple(self.rows)
            for row in below:
                if each.row < row < each.row + each.height and row in self.rows:
                    self.put(row, each.column, first)
            spent += min(each.height, len(self.rows))
            if spent > MOST_CELLS:
                too_many(self.source)


@mutable
class Filling:
    """The filled cells of a sheet of a file that is being read; those of the sheets before it are counted, too."""

    source: Source
    cells: dict[int, dict[int, tuple[str, CellKind]]] = field(default_factory=dict)
    joined: list[Joined] = field(default_factory=list)
    count: int = 0

    def fill(self, row: int, column: int, text: str, kind: CellKind, times: int = 1) -> None:
        """Fill a cell, and those to its right that repeat it."""
        self.spend(times)
        self.check(row, column + times - 1)
        self.cells.setdefault(row, {}).update(dict.fromkeys(range(column, column + times), (text, kind)))

    def repeat(self, row: int, times: int) -> None:
        """Let the rows below a row be the same."""
        filled = self.cells.get(row)
        if filled is None or times < 2:
            return
        self.spend(len(filled) * (times - 1))
        self.check(row + times - 1, 0)
        for other in range(row + 1, row + times):
            self.cells[other] = dict(filled)

    def join(self, each: Joined) -> None:
        """Show some cells as one."""
        if len(self.joined) < MOST_CELLS:
            self.joined.append(each)

    def spend(self, cells: int) -> None:
        """Count cells.

        Raises:
            SistelError: There are more than anyone writes.
        """
        self.count += cells
        if self.count > MOST_CELLS:
            too_many(self.source)

    def check(self, row: int, column: int) -> None:
        """Refuse places that no spreadsheet has."""
        if not 0 <= row < LAST_ROW or column >= LAST_COLUMN:
            too_many(self.source)

    def sheet(self, name: str) -> Grid:
        """The sheet, as far as it is read; what comes next fills another."""
        made = sheet_of(name, self.source.path, self.cells, self.joined)
        made.unjoin()
        self.cells, self.joined = {}, []
        return made


def sheet_of(name: str, path: str, cells: dict[int, dict[int, tuple[str, CellKind]]], joined: list[Joined]) -> Grid:
    """A sheet whose text has a line for every row, so that messages can show it."""
    source = Source(path, "")
    grid = Grid(source, name, joined=joined, sheet=True)
    pieces: list[str] = []
    at, row = 0, 0
    for number in sorted(cells):
        pieces.append("\n" * (number - row))
        at, row = at + number - row, number
        made: dict[int, Cell] = {}
        for column in sorted(cells[number]):
            text, kind = cells[number][column]
            gap = "   " if made else ""
            start = at + len(gap)
            at = start + len(text)
            pieces += [gap, text]
            made[column] = Cell(text, CellSpan(source, start, at, name, number + 1, column + 1), kind)
        grid.rows[number] = made
    source.text = "".join(pieces)
    return grid


def plain_text(pieces: Sequence[str]) -> str:
    """The text of a cell on one line."""
    return " ".join("".join(pieces).split())


def too_many(source: Source) -> NoReturn:
    """Refuse a file that holds more than anyone writes."""
    message = Text(f"more than {MOST_CELLS} cells", f"больше {MOST_CELLS} ячеек")
    refuse("too-many-rows", message, span=Span(source, 0, 0))


def no_table(source: Source, message: Text, hint: Text | None = None) -> NoReturn:
    """Refuse a file that is none of those that are read."""
    expected = Text("HTML, CSV, ODS or XLSX", "HTML, CSV, ODS или XLSX")
    refuse("no-table", message, span=Span(source, 0, 0), expected=expected, hint=hint)
