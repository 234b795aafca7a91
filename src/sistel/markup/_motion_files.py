"""Tables of motion that a file names, as elements of the language whose places are cells of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.errors import Diagnostics, SistelError, Source, Span, Text
from sistel.markup._access import AccessError, find_named, read_named, roots_of
from sistel.markup._document import Document, Node, make_node
from sistel.markup.expressions._syntax import Number
from sistel.markup.xml._element import LIMITS
from sistel.units import TIME, Dimension

if TYPE_CHECKING:
    from sistel.markup.tables import MotionRows

MOST_NUMBERS = 500_000
"""Of a motion in a model: they take more memory there than in a table."""


def include_motion(path: str, sheet: str | None, span: Span, diagnostics: Diagnostics) -> Document | None:
    """A system with the motion of a file, whose path is relative to the file of `span`, and nothing else.

    Its name is the sheet that was asked for.
    """
    # Archives and pages are unpacked only where a file names one.
    from sistel.markup.tables import find_motion, read_tables

    roots = roots_of(span.source)
    try:
        place = find_named(path, span.source)
        data = read_named(place, LIMITS.size, roots)
    except AccessError as problem:
        message = Text(f'"{path}": {problem.reason.en}', f"«{path}»: {problem.reason.ru}")
        diagnostics.error(problem.code, span, message, hint=problem.hint)
        return None
    if len(data) > LIMITS.size:
        most = LIMITS.size // 2**20
        message = Text(f'"{path}" is larger than {most} MiB', f"«{path}» больше {most} МиБ")
        diagnostics.error("file-too-large", span, message)
        return None
    try:
        rows = find_motion(read_tables(data, place, diagnostics), diagnostics, sheet)
    except SistelError as problem:
        for each in problem.diagnostics:
            diagnostics.add(each)
        return None
    motion = None if rows is None else motion_node(rows, diagnostics)
    if motion is None:
        return None
    root = make_node("system", motion.span, motion, name=sheet)
    return Document(root, Source(place, "", roots=roots), "en")


def motion_node(rows: MotionRows, diagnostics: Diagnostics) -> Node | None:
    """A motion with the rows of a table; None where they are too many."""
    heads = tuple(column.span for column in rows.columns)
    whole = heads[0].to(heads[-1]) if heads else Span(rows.source, 0, 0)
    if len(rows.times) * len(rows.columns) > MOST_NUMBERS:
        message = Text(f"more than {MOST_NUMBERS} numbers in a motion", f"в движении больше {MOST_NUMBERS} чисел")
        diagnostics.error("too-many-rows", whole, message)
        return None
    dimensions = [column.unit.dimension for column in rows.columns]
    made = make_node("motion", whole, of=tuple(column.name for column in rows.columns))
    made.attributes["of"] = replace(made.attributes["of"], parts=heads)
    for time, values, places in zip(rows.times, rows.values, rows.places[1:], strict=True):
        numbers = tuple(
            _number(value, dimension, place)
            for value, dimension, place in zip(values, dimensions, places[1:], strict=True)
        )
        made.children.append(make_node("row", places[0], time=(_number(time, TIME, places[0]),), values=numbers))
    return made


def _number(value: float, dimension: Dimension, span: Span) -> Number:
    # The unit keeps SI numbers apart from plain ones, which wait for that of their attribute.
    return Number(value=value, dimension=dimension, unit="SI", literal="", span=span)
