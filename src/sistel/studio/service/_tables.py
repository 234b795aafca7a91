"""Tables of words and numbers as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sistel.views.text import Table


def told_table(table: Table) -> dict[str, object]:
    """A table as the window shows it."""
    return {
        "title": table.title,
        "columns": [{"title": each.title, "right": each.align == "right"} for each in table.columns],
        "rows": [list(row) for row in table.rows],
        "hidden": table.hidden,
    }
