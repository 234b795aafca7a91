"""Systems that follow a table of motion."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from sistel.errors import Diagnostics, Source, Span
from sistel.markup import Attribute, Node, motion_node

if TYPE_CHECKING:
    from sistel.face._system import System
    from sistel.motion.trajectories import MotionTable

Interpolation = Literal["linear", "cubic", "quintic", "spline"]


def with_motion(
    self: System,
    table: MotionTable | str | os.PathLike[str],
    *,
    sheet: str | None = None,
    interpolation: Interpolation = "cubic",
) -> System:
    """The same system whose joints move as a table says; its own motions of the same coordinates give way.

    Args:
        table: A table, or a file with one: HTML, CSV, ODS or XLSX. Its columns are named as coordinates are.
        sheet: The sheet of the file; of a table in HTML its caption or id.
        interpolation: "cubic" and "quintic" rest at every row, so that no coordinate goes beyond its cells; "spline"
            passes the rows smoothly; "linear".

    Raises:
        SistelError: The file cannot be read, cells are wrong, or a column is no coordinate: all with their places.
    """
    from sistel.motion.trajectories import check_interpolation

    check_interpolation(interpolation)
    recipe = self._recipe
    diagnostics = Diagnostics()
    for each in recipe.noted:
        diagnostics.add(each)
    node = _node(table, sheet, diagnostics)
    if node is None:
        diagnostics.raise_if_failed()
        raise AssertionError("nothing moves, and nothing was said about it")
    spec = node.spec.by_key["interpolation"]
    node.attributes["interpolation"] = Attribute(spec, interpolation, node.span, node.span)
    moved = set(node.names("of"))
    others = tuple(each for each in recipe.moves if moved.isdisjoint(each.names("of")))
    model = replace(recipe, moves=(*others, node)).build(diagnostics=diagnostics)
    return type(self)(model, self._source, self._losses)


def _node(table: MotionTable | str | os.PathLike[str], sheet: str | None, diagnostics: Diagnostics) -> Node | None:
    from sistel.markup.tables import Column, MotionRows
    from sistel.motion.trajectories import MotionTable, open_rows, unit_named

    if not isinstance(table, MotionTable):
        rows = open_rows(table, diagnostics, sheet)
        return None if rows is None else motion_node(rows, diagnostics)
    for each in table.remarks:
        diagnostics.add(each)
    span = Span(Source("<table>", ""), 0, 0)
    columns = tuple(
        Column(name, unit_named(word), word, span) for name, word in zip(table.names, table.units, strict=True)
    )
    rows = MotionRows(
        source=span.source,
        sheet="",
        columns=columns,
        times=tuple(table.times.tolist()),
        values=tuple(map(tuple, table.values.tolist())),
        places=((span,) * (len(columns) + 1),) * (len(table.times) + 1),
    )
    return motion_node(rows, diagnostics)
