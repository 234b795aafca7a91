"""A plan as tables for terminals, and as plain data."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from sistel.errors import Language
from sistel.files import guarded
from sistel.views.cells._gantt import clash_said
from sistel.views.cells._words import doing_said
from sistel.views.text._numbers import clean, short
from sistel.views.text._tables import Column, Table

if TYPE_CHECKING:
    from sistel.cells import Plan

_TITLES = ("row", "who", "what", "part", "begin, s", "end, s")
_TITLES_RU = ("строка", "кто", "что", "деталь", "начало, с", "конец, с")


def plan_tables(plan: Plan, lang: Language) -> list[Table]:
    """What is done when, and where the parts are at the end."""
    ru = lang == "ru"
    rows = [
        (
            str(bar.row),
            clean(bar.who),
            doing_said(bar.what, lang),
            clean(bar.part),
            short(bar.begin, 5),
            short(bar.end, 5),
        )
        for bar in plan.bars
    ]
    titles = _TITLES_RU if ru else _TITLES
    columns = tuple(
        Column(title=title, align="right" if i in (0, 4, 5) else "left", keep=True) for i, title in enumerate(titles)
    )
    made = [Table(title="Циклограмма" if ru else "Chart", columns=columns, rows=tuple(rows), total=len(rows))]
    places = tuple((clean(part), clean(place)) for part, place in sorted(plan.places.items()))
    two = ("деталь", "где") if ru else ("part", "where")
    made.append(
        Table(
            title="В конце" if ru else "At the end",
            columns=tuple(Column(title=title, align="left", keep=True) for title in two),
            rows=places,
            total=len(places),
        )
    )
    return made


def plan_heading(plan: Plan, lang: Language) -> str:
    """What a plan comes to, in a line."""
    from sistel.views.cells._gantt import plan_facts

    return f"{clean(plan.cell.name)}: {plan_facts(plan, lang)}"


def plan_csv(plan: Plan, lang: Language) -> str:
    """The bars of the chart as a table with commas."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    titles = _TITLES_RU if lang == "ru" else _TITLES
    writer.writerow(titles)
    for bar in plan.bars:
        words = [guarded(word) for word in (bar.who, doing_said(bar.what, lang), bar.part)]
        writer.writerow([bar.row, *words, f"{bar.begin:.6f}", f"{bar.end:.6f}"])
    return out.getvalue()


def plan_data(plan: Plan, lang: Language) -> dict[str, object]:
    """A plan for programs [s]."""
    return {
        "name": plan.cell.name,
        "cycle": plan.end,
        "finished": plan.finished,
        "bars": [
            {"row": bar.row, "who": bar.who, "what": bar.what, "part": bar.part, "begin": bar.begin, "end": bar.end}
            for bar in plan.bars
        ],
        "places": dict(sorted(plan.places.items())),
        "busy": {robot.name: plan.busy(robot.name) for robot in plan.cell.robots},
        "clashes": [
            {
                "row": each.row.number,
                "asked": each.asked,
                "begins": each.begins,
                "busy": each.busy,
                "said": clash_said(each, lang),
            }
            for each in plan.clashes
        ],
    }
