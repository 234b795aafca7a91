"""What an operator did, in a file: a small table of times, inputs and values, as CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Sequence

from sistel.errors import Diagnostics, Source, Span, Text

HEADER = ("time", "input", "value")
_WORDS = {"время": "time", "ввод": "input", "значение": "value"}

Record = dict[str, list[tuple[float, float]]]
"""Pairs (time [s], value [SI]) by the names of inputs."""


def read_record(source: Source) -> Record:
    """Read a record of inputs.

    Raises:
        SistelError: It is no such table; every row that is wrong is named.
    """
    diagnostics = Diagnostics()
    rows = _json_rows(source, diagnostics) if source.text.lstrip()[:1] in "{[" else _csv_rows(source, diagnostics)
    made: Record = {}
    for name, time, value, span in rows:
        numbers = []
        for given, what in ((time, Text("time", "время")), (value, Text("value", "значение"))):
            number = _number(given)
            if number is None:
                wrong = Text(f"{what.en}: {given!r} is no number", f"{what.ru}: {given!r} — не число")
                diagnostics.error("bad-input", span, wrong)
            else:
                numbers.append(number)
        if len(numbers) == 2:
            made.setdefault(name, []).append((numbers[0], numbers[1]))
    diagnostics.raise_if_failed()
    for pairs in made.values():
        pairs.sort(key=lambda pair: pair[0])
    return made


def _number(given: object) -> float | None:
    try:
        value = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


Rows = list[tuple[str, object, object, Span]]


def _csv_rows(source: Source, diagnostics: Diagnostics) -> Rows:
    lines = source.text.splitlines(keepends=True)
    starts, place = [], 0
    for line in lines:
        starts.append(place)
        place += len(line)
    found: Rows = []
    order: list[int] | None = None
    reader = csv.reader(io.StringIO(source.text.lstrip("\ufeff")))
    for row in reader:
        number = reader.line_num - 1
        span = Span(source, starts[number], starts[number] + len(lines[number].rstrip("\r\n")))
        if not any(cell.strip() for cell in row):
            continue
        if order is None:
            order = _order(row, span, diagnostics)
            if order is None:
                return []
            continue
        if len(row) < 3:
            wrong = Text(f"{len(row)} cells where 3 are needed", f"ячеек: {len(row)}, а нужно: 3")
            diagnostics.error("bad-input", span, wrong, expected=Text("time, input, value", "время, ввод, значение"))
            continue
        time, name, value = (row[i].strip() for i in order)
        found.append((name, time, value, span))
    return found


def _order(row: Sequence[str], span: Span, diagnostics: Diagnostics) -> list[int] | None:
    """In which columns time, input and value stand."""
    words = [_WORDS.get(cell.strip().casefold(), cell.strip().casefold()) for cell in row]
    if all(word in words for word in HEADER):
        return [words.index(word) for word in HEADER]
    wrong = Text("this is no record of inputs", "это не запись вводов")
    expected = Text("a first line time,input,value", "первая строка время,ввод,значение")
    diagnostics.error("bad-input", span, wrong, expected=expected)
    return None


def _json_rows(source: Source, diagnostics: Diagnostics) -> Rows:
    whole = Span(source, 0, min(1, len(source.text)))
    expected = Text('{"inputs": {"task": [[0, 0], [1.5, 1]]}}', '{"inputs": {"задание": [[0, 0], [1.5, 1]]}}')
    try:
        data = json.loads(source.text)
    except ValueError as problem:
        wrong = Text(f"this is no JSON: {problem}", f"это не JSON: {problem}")
        diagnostics.error("bad-input", whole, wrong, expected=expected)
        return []
    inputs = data.get("inputs") if isinstance(data, dict) else None
    found: Rows = []
    fine = isinstance(inputs, dict)
    for name, pairs in inputs.items() if isinstance(inputs, dict) else ():
        for pair in pairs if isinstance(pairs, list) else [None]:
            if isinstance(pair, list) and len(pair) == 2:
                found.append((str(name), pair[0], pair[1], whole))
            else:
                fine = False
    if not fine:
        wrong = Text("this is no record of inputs", "это не запись вводов")
        diagnostics.error("bad-input", whole, wrong, expected=expected)
    return found
