"""Measured data: CSV tables with the time and with columns headed by expressions of the language."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import TYPE_CHECKING, Literal

from sistel.errors import Diagnostics, Fragment, Source, Span, Text
from sistel.files import unguarded
from sistel.markup import Call, Expression, dotted_name, parse_expression, print_expression
from sistel.model import Model, checker_of
from sistel.records import record
from sistel.tasks._mechanism import rate_place, simple_joints
from sistel.tasks._reports import by_names
from sistel.units import PLAIN, TIME, Dimension, Unit, dimension_name, unit_of

if TYPE_CHECKING:
    from sistel.arrays import Array

MOST_ROWS = 200_000
MOST_COLUMNS = 64
_TIMES = ("t", "time", "время")
_HEAD = re.compile(r"(?P<name>.*?)\s*(?:\[(?P<unit>[^\]]*)\])?\s*")


Heading = tuple[Text, str, Dimension, tuple[Literal["q", "v"], int] | None]
"""Label, expression, dimension, and the place in the state."""


@record
class Column:
    """A measured quantity."""

    label: Text
    text: str
    """The expression, as runs take it."""
    dimension: Dimension
    values: Array
    """[SI]; not a number where nothing was measured."""
    coordinate: tuple[Literal["q", "v"], int] | None = None
    """Where it stands in the state, if it is a coordinate or its rate."""


@record
class Measured:
    """A table of measurements."""

    t: Array
    """[s], growing."""
    columns: tuple[Column, ...]


def read_measured(source: Source, model: Model) -> Measured:
    """The table of a text.

    Raises:
        SistelError: Everything that is wrong with it, with its places.
    """
    import numpy as np

    diagnostics = Diagnostics()
    text = source.text
    first = text.partition("\n")[0]
    sign = max((",", ";", "\t"), key=lambda each: _outside(first, each))
    rows = list(csv.reader(io.StringIO(text), delimiter=sign))
    places = Places(source, sign)
    if len(rows) < 2 or len(rows) > MOST_ROWS or len(rows[0]) > MOST_COLUMNS:
        diagnostics.error(
            "no-table",
            places.of(0, 0),
            Text("this is no table of measurements", "это не таблица измерений"),
            expected=Text(
                f"a heading and up to {MOST_ROWS} rows: t [s], angle(rod) [deg]",
                f"заголовок и до {MOST_ROWS} строк: t [с], угол(стержень) [град]",
            ),
        )
        diagnostics.raise_if_failed()
    heads = [_head(unguarded(cell), places.of(0, i), model, diagnostics) for i, cell in enumerate(rows[0])]
    times = [i for i, head in enumerate(heads) if head is not None and head[0] is None]
    if len(times) != 1 and all(head is not None for head in heads):
        diagnostics.error(
            "no-time",
            places.of(0, 0),
            Text("one column has to be the time", "один столбец должен быть временем"),
            expected=Text("t [s]", "t [с]"),
        )
    diagnostics.raise_if_failed()
    numbers = np.full((len(rows) - 1, len(heads)), np.nan)
    for i, row in enumerate(rows[1:]):
        if not any(cell.strip() for cell in row):
            continue
        for j in range(len(heads)):
            cell = row[j].strip() if j < len(row) else ""
            if cell:
                numbers[i, j] = _number(cell, places, i + 1, j, diagnostics)
        if any(cell.strip() for cell in row[len(heads) :]):
            message = Text("no name stands above this cell", "над этой ячейкой нет имени")
            diagnostics.error("wrong-shape", places.of(i + 1, len(heads)), message)
    diagnostics.raise_if_failed()
    numbers = numbers[np.isfinite(numbers).any(axis=1)]
    return _table(numbers, heads, times[0], places, diagnostics)


def _table(
    numbers: Array,
    heads: list[tuple[Heading | None, Unit | None] | None],
    time: int,
    places: Places,
    diagnostics: Diagnostics,
) -> Measured:
    import numpy as np

    units = [None if head is None else head[1] for head in heads]
    factors = [1.0 if unit is None else unit.to_si(1.0) for unit in units]
    t = numbers[:, time] * factors[time]
    if not np.isfinite(t).all() or (np.diff(t) <= 0).any():
        row = int(np.argmax(~np.isfinite(t) | np.concatenate([[False], np.diff(t) <= 0])))
        diagnostics.error(
            "bad-time",
            places.of(row + 1, time),
            Text("times have to be there, and to grow", "моменты времени должны быть и возрастать"),
        )
        diagnostics.raise_if_failed()
    columns = []
    for j, head in enumerate(heads):
        if head is None or head[0] is None:
            continue
        label, text, dimension, coordinate = head[0]
        values = numbers[:, j] * factors[j]
        columns.append(Column(label=label, text=text, dimension=dimension, values=values, coordinate=coordinate))
    if not columns:
        diagnostics.error(
            "no-table", places.of(0, 0), Text("nothing is measured but the time", "измерено только время")
        )
        diagnostics.raise_if_failed()
    return Measured(t=t, columns=tuple(columns))


def _head(cell: str, span: Span, model: Model, diagnostics: Diagnostics) -> tuple[Heading | None, Unit | None] | None:
    """What a column holds (None for the time) and the unit of its numbers; None after an error."""
    found = _HEAD.fullmatch(cell.strip())
    assert found is not None
    name, word = found["name"].strip(), found["unit"]
    unit = unit_of(word.strip()) if word and word.strip() else None
    if word and word.strip() and unit is None:
        diagnostics.error("unknown-unit", span, Text(f'there is no unit "{word}"', f"нет единицы «{word}»"))
        return None
    if name.casefold() in _TIMES:
        return (None, unit) if _fits(unit, TIME, span, diagnostics) else None
    fragment = Fragment(span.text, span.source, span.start)
    at = span.text.find(name)
    expression = parse_expression(fragment.part(at, at + len(name)) if at >= 0 else fragment, diagnostics)
    if expression is None:
        return None
    typed = checker_of(model, diagnostics).number(by_names(expression, model))
    if typed is None or typed.dimension is None:
        return None
    if not _fits(unit, typed.dimension, span, diagnostics):
        return None
    label = Text(print_expression(expression, "en"), print_expression(expression, "ru"))
    text = print_expression(typed.expression, "en")
    return (label, text, typed.dimension, _coordinate(typed.expression, model)), unit


def _coordinate(expression: Expression, model: Model) -> tuple[Literal["q", "v"], int] | None:
    """Where a quantity stands in the state; None where it has to be worked out."""
    if not (isinstance(expression, Call) and expression.function in ("q", "angle", "v", "rate")) or not simple_joints(
        model
    ):
        return None
    name = dotted_name(expression.arguments[0])
    if name not in model.rate_names:
        return None
    rate = model.rate_names.index(name)
    return ("q", rate_place(model, rate)) if expression.function in ("q", "angle") else ("v", rate)


def _fits(unit: Unit | None, dimension: Dimension, span: Span, diagnostics: Diagnostics) -> bool:
    if (PLAIN if unit is None else unit.dimension).fits(dimension) and not (unit is None and dimension != PLAIN):
        return True
    message = (
        Text("the unit is missing", "нет единицы")
        if unit is None
        else Text(
            f"the unit is of {dimension_name(unit.dimension)}", f"единица: {dimension_name(unit.dimension, 'ru')}"
        )
    )
    diagnostics.error(
        "wrong-unit",
        span,
        message,
        expected=Text(
            f"one of {dimension_name(dimension)}, in square brackets",
            f"{dimension_name(dimension, 'ru')}, в квадратных скобках",
        ),
    )
    return False


def _number(cell: str, places: Places, row: int, column: int, diagnostics: Diagnostics) -> float:
    try:
        value = float(cell.replace(",", ".") if places.sign != "," else cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        shown = cell[:40]
        diagnostics.error(
            "not-a-number", places.of(row, column), Text(f'"{shown}" is not a number', f"«{shown}» — не число")
        )
    return value


def _outside(line: str, sign: str) -> int:
    """How often a sign stands outside brackets and quotes."""
    depth, quoted, count = 0, False, 0
    for letter in line:
        if letter == '"':
            quoted = not quoted
        depth += (letter in "([") - (letter in ")]")
        count += letter == sign and not quoted and depth == 0
    return count


class Places:
    """Where the cells of a table stand in its text; a cell over several lines counts as its first."""

    def __init__(self, source: Source, sign: str) -> None:
        self.source, self.sign = source, sign
        self.starts = [0, *(found.end() for found in re.finditer("\n", source.text))]

    def of(self, row: int, column: int) -> Span:
        """The place of a cell."""
        text = self.source.text
        start = self.starts[min(row, len(self.starts) - 1)]
        end = text.find("\n", start)
        line = text[start : len(text) if end < 0 else end].rstrip("\r")
        at, quoted = 0, False
        bounds = []
        for i, letter in enumerate([*line, self.sign]):
            if letter == '"':
                quoted = not quoted
            if letter == self.sign and not quoted:
                bounds.append((at, i))
                at = i + 1
        first, last = bounds[min(column, len(bounds) - 1)]
        piece = line[first:last]
        left = len(piece) - len(piece.lstrip(' "'))
        right = len(piece.rstrip(' "'))
        return Span(self.source, start + first + min(left, len(piece)), start + first + max(left, right))
