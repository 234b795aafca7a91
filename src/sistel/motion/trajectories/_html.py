"""Tables of motion in HTML: the first row says the time and the coordinates with their units, the others are numbers.

Only tables, rows and cells are looked at. Scripts, styles, links and entities of a document's own do nothing here: the
text is taken apart, never run or fetched.
"""

from __future__ import annotations

import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from sistel.errors import Diagnostics, Language, Source, Span, Text, refuse
from sistel.motion.trajectories._table import MotionTable, motion_table, spell, unit_named
from sistel.units import PLAIN, TIME, Unit, si_symbol, unit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_CHARACTERS = 64_000_000
MOST_CELLS = 4_000_000
TIME_WORDS = ("time", "t", "время", "момент")
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]{1,4})?")
HEAD = re.compile(r"(?P<name>[^\[\](),]+?)\s*(?:\[(?P<a>[^\]]*)\]|\((?P<b>[^)]*)\)|,\s*(?P<c>.+))?", re.DOTALL)


class _Cells(HTMLParser):
    """Collects the tables of a document as rows of cells with their places."""

    def __init__(self, source: Source) -> None:
        super().__init__(convert_charrefs=True)
        self.source = source
        self.tables: list[list[list[tuple[str, Span]]]] = []
        self.open: list[list[list[tuple[str, Span]]]] = []
        self.cell: list[str] | None = None
        self.start = 0
        self.count = 0
        self.starts = source._lines()

    def place(self) -> int:
        line, column = self.getpos()
        return min(self.starts[min(line, len(self.starts)) - 1] + column, len(self.source.text))

    def handle_starttag(self, tag: str, attrs: Sequence[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.close_cell()
            self.open.append([])
            self.tables.append(self.open[-1])
        elif tag == "tr" and self.open:
            self.close_cell()
            self.open[-1].append([])
        elif tag in ("td", "th") and self.open:
            self.close_cell()
            if not self.open[-1]:
                self.open[-1].append([])
            for name, value in attrs:
                if name in ("colspan", "rowspan") and (value or "1").strip() != "1":
                    fail(
                        self.source, self.place(), self.place() + 1, "joined-cells",
                        Text("cells of a motion are not joined", "ячейки движения не объединяют"),
                    )  # fmt: skip
            self.cell, self.start = [], self.place() + len(self.get_starttag_text() or "")
            self.count += 1
            if self.count > MOST_CELLS:
                message = Text(f"more than {MOST_CELLS} cells", f"больше {MOST_CELLS} ячеек")
                fail(self.source, self.place(), self.place() + 1, "too-many-rows", message)
        elif tag == "br" and self.cell is not None:
            self.cell.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self.close_cell()
        if tag == "table" and self.open:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.cell is not None:
            self.cell.append(data)

    def close_cell(self) -> None:
        if self.cell is None:
            return
        text = " ".join("".join(self.cell).split())
        self.open[-1][-1].append((text, Span(self.source, self.start, max(self.place(), self.start))))
        self.cell = None


def fail(source: Source, start: int, end: int, code: str, message: Text, expected: Text | None = None) -> NoReturn:
    """Say what is wrong, and where in the document."""
    refuse(code, message, span=Span(source, start, end), expected=expected)


def read_table(text: str, *, path: str = "<html>") -> MotionTable:
    """The first table of motion in an HTML document: its first column is the time.

    A head such as ``hip [deg]``, ``hip, deg`` or ``hip (deg)`` names a coordinate and its unit, radians without one;
    a cell may have a unit of its own (``0.5 rad``). Numbers have a point or a comma.

    Args:
        text: The document.
        path: How messages call it.

    Raises:
        SistelError: There is no such table, or a cell is wrong: the message tells its line and column.
    """
    return locate_table(text, path=path)[0]


def locate_table(text: str, *, path: str = "<html>") -> tuple[MotionTable, tuple[tuple[Span, ...], ...]]:
    """The same table, and the places of its cells in the document: those of the first row, then of every time.

    Raises:
        SistelError: See `read_table`.
    """
    source = Source(path, text)
    if len(text) > MOST_CHARACTERS:
        fail(source, 0, 1, "too-long", Text("the document is too long", "документ слишком велик"))
    cells = _Cells(source)
    cells.feed(text)
    cells.close()
    cells.close_cell()
    for rows in cells.tables:
        filled = [row for row in rows if any(cell for cell, _ in row)]
        if len(filled) >= 2 and len(filled[0]) >= 2 and _head(filled[0][0][0])[0].casefold() in TIME_WORDS:
            return _table(source, filled), tuple(tuple(span for _, span in row) for row in filled)
    message = Text("no table of motion is here", "здесь нет таблицы движения")
    expected = Text(
        "a table whose first row is time and coordinates", "таблица, первая строка которой — время и координаты"
    )
    fail(source, 0, 0, "no-table", message, expected)


def load_table(file: str | Path) -> MotionTable:
    """The first table of motion of an HTML file; see `read_table`.

    Raises:
        SistelError: The file cannot be read, or its table is wrong.
    """
    return read_table(read_html(file), path=str(file))


def read_html(file: str | Path) -> str:
    """The text of an HTML file.

    Raises:
        SistelError: The file cannot be read.
    """
    try:
        with Path(file).open("rb") as opened:
            # A character takes up to four bytes; what is longer is refused as too long.
            data = opened.read(4 * MOST_CHARACTERS + 4)
        text = data.decode("utf-8-sig")
    except OSError as error:
        said = error.strerror or str(error)
        refuse("unreadable", Text(f"{file} cannot be read: {said}", f"{file} не читается: {said}"))
    except UnicodeDecodeError:
        refuse("unreadable", Text(f"{file} is not in UTF-8", f"{file} не в кодировке UTF-8"))
    return text


def _head(text: str) -> tuple[str, str | None]:
    found = HEAD.fullmatch(text.strip())
    if found is None:
        return text.strip(), None
    unit = next((found[key] for key in "abc" if found[key] is not None), None)
    return found["name"].strip(), unit.strip() if unit is not None else None


def _table(source: Source, rows: list[list[tuple[str, Span]]]) -> MotionTable:
    diagnostics = Diagnostics()
    names: list[str] = []
    words: list[str] = []
    units: list[Unit] = []
    for i, (text, span) in enumerate(rows[0]):
        name, word = _head(text)
        word = ("s" if i == 0 else "rad") if word is None else word
        unit = unit_named("") if not word else unit_of(word)
        if unit is None or (i == 0 and unit.dimension != TIME):
            diagnostics.error("unknown-unit", span, Text(f'wrong unit "{word}"', f"неверная единица «{word}»"))
            unit = unit_named("")
        if i > 0 and (not name or name in names):
            message = Text("every column needs a name of its own", "каждому столбцу нужно своё имя")
            diagnostics.error("wrong-names", span, message)
        if i > 0:
            names.append(name)
            words.append(word)
        units.append(unit)
    values: list[list[float]] = []
    for row in rows[1:]:
        if len(row) != len(units):
            message = Text(
                f"{len(row)} cells in a row of {len(units)}", f"в строке ячеек {len(row)}, а столбцов {len(units)}"
            )
            diagnostics.error("wrong-shape", row[0][1].to(row[-1][1]), message)
            continue
        numbers = [_number(text, span, unit, diagnostics) for (text, span), unit in zip(row, units, strict=True)]
        if values and numbers[0] <= values[-1][0]:
            message = Text("times do not grow", "времена не возрастают")
            diagnostics.error("wrong-time", row[0][1], message)
        values.append(numbers)
    diagnostics.raise_if_failed()
    return motion_table([row[0] for row in values], [row[1:] for row in values], names=names, units=words)


def _number(text: str, span: Span, unit: Unit, diagnostics: Diagnostics) -> float:
    """A cell in SI."""
    plain = text.replace("\N{MINUS SIGN}", "-").strip()
    found = NUMBER.match(plain) if len(plain) < 100 else None
    if found is not None:
        own = plain[found.end() :].strip()
        used = unit if not own else unit_of(own)
        if used is not None and (used.dimension == unit.dimension or unit.dimension == PLAIN):
            value = used.to_si(float(found[0].replace(",", ".")))
            if abs(value) < float("inf"):
                return value
    shown = text if len(text) <= 40 else text[:40] + "…"
    message = Text(f'"{shown}" is not a number in this column', f"«{shown}» — не число этого столбца")
    diagnostics.error("bad-numbers", span, message)
    return float("inf")


def write_table(table: MotionTable, lang: Language, caption: str | None) -> str:
    """A table of motion in HTML, every number as short as it reads back the same."""
    ru = lang == "ru"
    units = [unit_named(word) for word in table.units]
    heads = ["время [с]" if ru else "time [s]"]
    for name, unit in zip(table.names, units, strict=True):
        word = (unit.ru if ru else unit.en)[0]
        heads.append(f"{name} [{word}]")
    lines = ['<table class="motion">']
    if caption is not None:
        lines.append(f"<caption>{escape(caption)}</caption>")
    lines.append("<thead><tr>" + "".join(f'<th scope="col">{escape(head)}</th>' for head in heads) + "</tr></thead>")
    lines.append("<tbody>")
    for time, row in zip(table.times.tolist(), table.values.tolist(), strict=True):
        cells = [repr(time)]
        for value, unit in zip(row, units, strict=True):
            text = spell(value, unit)
            # A number that no decimal of this unit gives is written in SI: nothing is lost.
            cells.append(text if text is not None else f"{value!r} {si_symbol(unit.dimension, lang)}")
        lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return "\n".join([*lines, "</tbody>", "</table>"]) + "\n"
