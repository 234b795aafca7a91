"""Tables of motion: one column is the time, the others are coordinates with their units; every cell keeps its place."""

from __future__ import annotations

import re
from fractions import Fraction

from sistel.errors import CellSpan, Diagnostics, Source, Span, Text, one_of, word_hint
from sistel.markup.tables._grid import Cell, Grid
from sistel.markup.tables._read import Tables
from sistel.records import entry, record
from sistel.units import PLAIN, TIME, Unit, dimension_name, unit_of

TIME_WORDS = ("time", "t", "время", "момент")
ASIDE = (
    "№",
    "#",
    "no.",
    "№ п/п",
    "note",
    "notes",
    "comment",
    "comments",
    "примечание",
    "примечания",
    "прим.",
    "комментарий",
)
"""Heads of columns for people alone."""
LONGEST_NUMBER = 100
SHORT = 17
"""Digits of numbers that are converted as those of models are; longer ones exactly, so that every number has a text."""
_NUMBER = re.compile(r"(?P<sign>[+-]?)(?P<digits>[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?P<power>[eE][+-]?[0-9]{1,4})?")
_HEAD = re.compile(r"(?P<name>[^\[\](),]+?)\s*(?:\[(?P<a>[^\]]*)\]|\((?P<b>[^)]*)\)|,\s*(?P<c>.+))?", re.DOTALL)
_BRACKETS = re.compile(r"[\[(](.*)[\])]")
_RADIANS = unit_of("rad")
_PLAIN_UNIT = Unit("", ("",), ("",), PLAIN)

_KIND_TEXTS = {
    "date": Text("a date or a time of day", "дата или время суток"),
    "percent": Text("a percentage", "процент"),
    "truth": Text("true or false", "истина или ложь"),
    "error": Text("an error of a formula", "ошибка формулы"),
    "uncomputed": Text("a formula without its result", "формула без результата"),
}
_KIND_HINTS = {
    "date": Text(
        "give the cell the format of a number: where decimals have a comma, 1.5 becomes a date",
        "дайте ячейке числовой формат: 1.5 вместо 1,5 становится датой",
    ),
    "percent": Text("give the cell the format of a number", "дайте ячейке числовой формат"),
    "uncomputed": Text(
        "open and save the file in a spreadsheet program, which computes it",
        "откройте и сохраните файл в табличном редакторе: он её вычислит",
    ),
}


@entry
class Column:
    """A coordinate of a table of motion."""

    name: str
    unit: Unit
    word: str
    """Of the unit, as it is written."""
    span: Span


@record
class MotionRows:
    """A table of motion, with its places."""

    source: Source
    """Of the sheet, or of the whole file."""
    sheet: str
    """Its name, or nothing."""
    columns: tuple[Column, ...]
    times: tuple[float, ...]
    """Growing [s]."""
    values: tuple[tuple[float, ...], ...]
    """Of the columns, a tuple for every time [m or rad, or as the unit has it]."""
    places: tuple[tuple[Span, ...], ...]
    """Of the cells: those of the first row, then of every time; the time is first."""


def find_motion(tables: Tables, diagnostics: Diagnostics, wanted: str | None = None) -> MotionRows | None:
    """The table of motion of a file: the first, or that of a sheet; None after an error.

    Args:
        tables: Of the file.
        diagnostics: Takes what is wrong with it, and what was chosen.
        wanted: Name of the sheet; of a table in HTML its caption or id.
    """
    found = [(grid, head) for grid in tables.grids if (head := _head_row(grid)) is not None]
    if wanted is not None:
        named = [each for each in found if each[0].name == wanted]
        if not named:
            names = [each[0].name for each in found if each[0].name]
            diagnostics.error(
                "no-table",
                Span(tables.source, 0, 0),
                Text(f'no table of motion is called "{wanted}"', f"нет таблицы движения «{wanted}»"),
                expected=one_of(names) if names else None,
                hint=word_hint(wanted, names),
            )
            return None
        found = named
    if not found:
        diagnostics.error(
            "no-table",
            Span(tables.source, 0, 0),
            Text("no table of motion is here", "здесь нет таблицы движения"),
            expected=Text(
                "a table whose first row is time and coordinates: time [s], hip [deg]",
                "таблица, первая строка которой — время и координаты: время [с], бедро [град]",
            ),
        )
        return None
    grid, head = found[0]
    if len(found) > 1 and not tables.one:
        others = ", ".join(f'"{each[0].name}"' for each in found[1:6])
        diagnostics.warning(
            "many-tables",
            _first(grid, head).span,
            Text(
                f"the file has {len(found)} tables of motion; this one is read, not {others}",
                f"в файле таблиц движения: {len(found)}; прочитана эта, а не {others}",
            ),
            hint=Text("the name of a sheet chooses another", "другую выбирает имя листа"),
        )
    return _Reader(grid, head, diagnostics).read()


def _head_row(grid: Grid) -> int | None:
    """The first row that names the time and something else, with rows below it."""
    rows = list(grid.rows)
    for place, row in enumerate(rows[:-1]):
        cells = grid.rows[row]
        if len(cells) >= 2 and any(_is_time(cell) for cell in cells.values()):
            return row if any(grid.rows[below] for below in rows[place + 1 :]) else None
    return None


def _is_time(cell: Cell) -> bool:
    return split_head(cell.text)[0].casefold() in TIME_WORDS


def _first(grid: Grid, row: int) -> Cell:
    return grid.rows[row][min(grid.rows[row])]


def split_head(text: str) -> tuple[str, str | None]:
    """The name and the unit of a column: ``hip [deg]``, ``hip, deg`` or ``hip (deg)``; None where no unit is said."""
    found = _HEAD.fullmatch(text.strip()) if len(text) < 1000 else None
    if found is None:
        return text.strip(), None
    unit = next((found[key] for key in "abc" if found[key] is not None), None)
    return found["name"].strip(), unit.strip() if unit is not None else None


class _Reader:
    """One table."""

    def __init__(self, grid: Grid, head: int, diagnostics: Diagnostics) -> None:
        self.grid, self.head, self.diagnostics = grid, head, diagnostics
        self.columns: dict[int, Column] = {}
        self.aside: set[int] = set()
        """Columns that are for people alone."""
        self.time = -1

    def read(self) -> MotionRows | None:
        failed = self.diagnostics.failed
        self.diagnostics.failed = False
        below = [row for row in self.grid.rows if row > self.head and self.grid.rows[row]]
        units = self._units_below(below)
        self._heads(units)
        times: list[float | None] = []
        values: list[list[float | None]] = []
        places = [self._places(self.head)]
        for row in below[1:] if units else below:
            if self.grid.rows[row].keys() <= self.aside:
                continue
            numbers = self._row(row)
            time = numbers.pop(0)
            if times and time is not None and times[-1] is not None and time <= times[-1]:
                self._error("wrong-time", self._at(row, self.time), Text("times do not grow", "времена не возрастают"))
            times.append(time)
            values.append(numbers)
            places.append(self._places(row))
        wrong, self.diagnostics.failed = self.diagnostics.failed, failed or self.diagnostics.failed
        if wrong:
            return None
        return MotionRows(
            source=self.grid.source,
            sheet=self.grid.name,
            columns=tuple(each for place, each in self.columns.items() if place != self.time),
            times=tuple(time for time in times if time is not None),
            values=tuple(tuple(number for number in row if number is not None) for row in values),
            places=tuple(places),
        )

    def _error(
        self, code: str, span: Span, message: Text, expected: Text | None = None, hint: Text | None = None
    ) -> None:
        self.diagnostics.error(code, span, message, expected=expected, hint=hint)

    def _at(self, row: int, column: int) -> Span:
        cell = self.grid.rows[row].get(column)
        return self.grid.at(row, column) if cell is None else cell.span

    def _places(self, row: int) -> tuple[Span, ...]:
        return tuple(self._at(row, column) for column in (self.time, *(c for c in self.columns if c != self.time)))

    def _units_below(self, below: list[int]) -> dict[int, tuple[str, Span]]:
        """Units that stand in a row of their own below the names."""
        if not below:
            return {}
        made = {}
        for column, cell in self.grid.rows[below[0]].items():
            if self.grid.rows[self.head].get(column) is cell:
                continue  # a head that takes both rows
            found = _BRACKETS.fullmatch(cell.text)
            word = cell.text if found is None else found[1].strip()
            if unit_of(word) is None or _NUMBER.match(cell.text) is not None:
                return {}
            made[column] = (word, cell.span)
        return made

    def _heads(self, units: dict[int, tuple[str, Span]]) -> None:
        names: dict[str, Span] = {}
        for column, cell in sorted(self.grid.rows[self.head].items()):
            name, word = split_head(cell.text)
            span = cell.span
            if cell.text.casefold() in ASIDE:
                self.aside.add(column)
                said = Text(f'the column "{cell.text}" is not read', f"столбец «{cell.text}» не читается")
                self.diagnostics.note("not-read", span, said)
                continue
            if cell.wide:
                self._error(
                    "joined-cells",
                    span,
                    Text("heads of several columns are not joined", "заголовки нескольких столбцов не объединяют"),
                    expected=Text("a name above every column", "имя над каждым столбцом"),
                )
            if column in units:
                below, span_below = units[column]
                if word is not None and unit_of(word) != unit_of(below):
                    self._error(
                        "unknown-unit",
                        span_below,
                        Text(f'the head says "{word}", and this "{below}"', f"в заголовке «{word}», а здесь «{below}»"),
                    )
                word = below
            is_time = self.time < 0 and name.casefold() in TIME_WORDS
            if is_time:
                self.time = column
            elif not name or name in names:
                related = [(names[name], Text("the first is here", "первый здесь"))] if name in names else []
                self.diagnostics.error(
                    "wrong-names",
                    span,
                    Text("every column needs a name of its own", "каждому столбцу нужно своё имя"),
                    related=related,
                )
            names.setdefault(name, span)
            self.columns[column] = Column(name, self._unit(word, span, is_time), word or "rad", span)
        for column, (word, span) in units.items():
            if column not in self.columns:
                self._error("wrong-shape", span, Text(f'no name stands above "{word}"', f"над «{word}» нет имени"))

    def _unit(self, word: str | None, span: Span, is_time: bool) -> Unit:
        """The unit of a column; the time is in seconds unless told otherwise."""
        assert _RADIANS is not None
        if word is None:
            if is_time:
                return Unit("s", ("s",), ("с",), TIME)
            self.diagnostics.warning(
                "no-unit",
                span,
                Text("no unit is said: these are radians", "единица не названа: это радианы"),
                hint=Text("hip [deg], slide [mm]", "бедро [град], ход [мм]"),
            )
            return _RADIANS
        unit = unit_of(word) if word else _PLAIN_UNIT
        if unit is None or (is_time and unit.dimension != TIME):
            expected = Text("s, ms …", "с, мс …") if is_time else Text("mm, m, deg, rad …", "мм, м, град, рад …")
            self._error("unknown-unit", span, Text(f'wrong unit "{word}"', f"неверная единица «{word}»"), expected)
            return _PLAIN_UNIT
        return unit

    def _row(self, row: int) -> list[float | None]:
        cells = self.grid.rows[row]
        for column in sorted(cells):
            if column not in self.columns and column not in self.aside:
                self._error(
                    "wrong-shape",
                    cells[column].span,
                    Text("no name stands above this cell", "над этой ячейкой нет имени"),
                    hint=Text(
                        "where commas part cells, decimals have points: 0.5",
                        "где ячейки разделяет запятая, дроби пишут с точкой: 0.5",
                    )
                    if not isinstance(cells[column].span, CellSpan)
                    else None,
                )
        order = (self.time, *(column for column in self.columns if column != self.time))
        return [self._number(row, column, cells.get(column)) for column in order]

    def _number(self, row: int, column: int, cell: Cell | None) -> float | None:
        """A cell in SI."""
        unit = self.columns[column].unit
        name = self.columns[column].name
        if cell is None:
            self._error(
                "empty-cell",
                self._at(row, column),
                Text(f'the cell of "{name}" is empty', f"ячейка столбца «{name}» пуста"),
                expected=Text("a number in every row", "число в каждой строке"),
            )
            return None
        if cell.wide:
            self._error(
                "joined-cells", cell.span, Text("cells of a motion are not joined", "ячейки движения не объединяют")
            )
            return None
        if cell.kind != "plain":
            what = _KIND_TEXTS[cell.kind]
            self._error(
                "bad-numbers",
                cell.span,
                Text(f"this is {what.en}, no number", f"это {what.ru}, а не число"),
                hint=_KIND_HINTS.get(cell.kind),
            )
            return None
        value, own = number_of(cell.text, unit)
        if value is not None:
            return value
        shown = cell.text if len(cell.text) <= 40 else cell.text[:40] + "…"
        message = Text(f'"{shown}" is not a number in this column', f"«{shown}» — не число этого столбца")
        expected = None
        if own is not None and own.dimension != unit.dimension:
            en, ru = dimension_name(unit.dimension), dimension_name(unit.dimension, "ru")
            expected = Text(f"{en}, as the head says", f"{ru}, как в заголовке")
        self._error("bad-numbers", cell.span, message, expected)
        return None


def number_of(text: str, unit: Unit) -> tuple[float | None, Unit | None]:
    """A number in SI, in the unit of its column or in one of its own; None where it is none; and its own unit."""
    plain = text.replace("\N{MINUS SIGN}", "-").strip()
    found = _NUMBER.match(plain) if len(plain) < LONGEST_NUMBER else None
    if found is None:
        return None, None
    word = plain[found.end() :].strip()
    own = unit_of(word) if word else None
    used = own if word else unit
    if used is None or (used.dimension != unit.dimension and unit.dimension != PLAIN):
        return None, own
    literal = found[0].replace(",", ".")
    value = exactly(literal, used) if is_long(literal) else used.to_si(float(literal))
    return (value if abs(value) < float("inf") else None), own


def is_long(literal: str) -> bool:
    """Whether a decimal has more digits than numbers keep."""
    return sum(letter.isdigit() for letter in literal.casefold().partition("e")[0].lstrip("+-0.")) > SHORT


def exactly(literal: str, unit: Unit) -> float:
    """The nearest number to a decimal in a unit, in SI."""
    if float(literal) == 0.0 or abs(float(literal)) == float("inf"):
        return float(literal)
    try:
        return float(Fraction(literal) * Fraction(unit.numerator) / Fraction(unit.denominator))
    except OverflowError:
        return float("inf")
