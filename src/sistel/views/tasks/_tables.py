"""A solved task as tables for terminals, as CSV, and as plain data."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.files import guarded
from sistel.tasks import digits, in_unit, unit_word
from sistel.units import si_symbol
from sistel.views.text._numbers import clean
from sistel.views.text._paper import Paper
from sistel.views.text._tables import Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.tasks import Answer, Check, Grid, Result, Solved


def result_text(result: Result, lang: Language, width: int, colour: bool) -> str:
    """Everything, as a terminal shows it."""
    paper = Paper(width, colour)
    paper.write((clean(result.name), "bold"))
    paper.write(clean(f"{result.system} · {result.model}"))
    if result.about:
        paper.write(clean(result.about))
    for problem in result.problems:
        paper.blank()
        paper.write((clean(problem.title.say(lang)), "bold"))
        if problem.failed is not None:
            paper.write(f"✗ {clean(problem.failed.say(lang))}")
            continue
        for table in result_tables(problem, lang):
            paper.titled(table, lang)
        if problem.checks:
            paper.blank()
        for check in problem.checks:
            paper.write(check_line(check, lang))
        for note in problem.notes:
            paper.write(clean(f"· {note.say(lang)}"))
    return paper.text()


def check_line(check: Check, lang: Language) -> str:
    """What was compared, and how far apart both ways are."""
    mark = "✓" if check.good else "✗"
    apart = Text("apart by", "расходятся на").say(lang)
    return f"{mark} {clean(check.what.say(lang))}: {apart} {check.error:.1e} (≤ {check.bound:.0e})"


def result_tables(problem: Solved, lang: Language) -> list[Table]:
    """Answers first, then what belongs to them."""
    made = [answer_table(problem.answers, lang)] if problem.answers else []
    return [*made, *(_grid(grid, lang) for grid in problem.grids)]


def answer_table(answers: Sequence[Answer], lang: Language) -> Table:
    """What was wanted."""
    rows = tuple(
        (
            clean(answer.label.say(lang)),
            digits(in_unit(answer.value, answer.dimension)),
            unit_word(answer.dimension, lang),
            clean(answer.remark.say(lang)) if answer.remark is not None else "",
        )
        for answer in answers
    )
    titles = (Text("wanted", "искомое"), Text("value", "значение"), Text("unit", "единица"), Text("", ""))
    columns = [
        Column(title=title.say(lang), align="right" if i == 1 else "left", keep=True) for i, title in enumerate(titles)
    ]
    kept = [i for i in range(4) if i < 2 or any(row[i] for row in rows)]
    return Table(
        title=Text("Answers", "Ответы").say(lang),
        columns=tuple(columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in rows),
        total=len(rows),
    )


def _grid(grid: Grid, lang: Language) -> Table:
    columns = []
    for i, head in enumerate(grid.heads):
        unit = unit_word(head.dimension, lang)
        title = clean(head.label.say(lang)) + (f", {unit}" if unit else "")
        columns.append(Column(title=title, align="left" if i == 0 else "right", keep=True))
    rows = tuple(
        tuple(
            clean(cell.say(lang)) if isinstance(cell, Text) else digits(in_unit(cell, head.dimension))
            for cell, head in zip(row, grid.heads, strict=True)
        )
        for row in grid.rows
    )
    title = grid.title.say(lang)
    return Table(title=title[:1].upper() + title[1:], columns=tuple(columns), rows=rows, total=len(rows))


def answers_csv(result: Result, lang: Language) -> str:
    """The answers as a table with commas: a row each, in the units that people expect."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    heads = ("problem", "wanted", "value", "unit", "remark", "checked")
    heads_ru = ("задача", "искомое", "значение", "единица", "примечание", "проверено")
    writer.writerow(heads_ru if lang == "ru" else heads)
    for problem in result.problems:
        checked = ("да" if problem.good else "нет") if lang == "ru" else ("yes" if problem.good else "no")
        for answer in problem.answers:
            remark = "" if answer.remark is None else answer.remark.say(lang)
            writer.writerow(
                [
                    guarded(problem.title.say(lang)),
                    guarded(answer.label.say(lang)),
                    repr(in_unit(answer.value, answer.dimension)),
                    unit_word(answer.dimension, lang),
                    guarded(remark),
                    checked,
                ]
            )
    return out.getvalue()


def result_data(result: Result, lang: Language) -> dict[str, object]:
    """Everything for programs; numbers are in SI."""
    return {
        "name": result.name,
        "model": result.model,
        "system": result.system,
        "good": result.good,
        "problems": [_problem_data(problem, lang) for problem in result.problems],
    }


def _problem_data(problem: Solved, lang: Language) -> dict[str, object]:
    return {
        "kind": problem.kind,
        "title": problem.title.say(lang),
        "good": problem.good,
        "failed": None if problem.failed is None else problem.failed.say(lang),
        "answers": [
            {
                "wanted": answer.label.say(lang),
                "value": number(answer.value),
                "unit": "" if answer.dimension.plain else si_symbol(answer.dimension, lang),
                "remark": None if answer.remark is None else answer.remark.say(lang),
            }
            for answer in problem.answers
        ],
        "tables": [
            {
                "title": grid.title.say(lang),
                "columns": [
                    {
                        "label": head.label.say(lang),
                        "unit": "" if head.dimension.plain else si_symbol(head.dimension, lang),
                    }
                    for head in grid.heads
                ],
                "rows": [
                    [cell.say(lang) if isinstance(cell, Text) else number(cell) for cell in row] for row in grid.rows
                ],
            }
            for grid in problem.grids
        ],
        "checks": [
            {
                "what": check.what.say(lang),
                "error": number(check.error),
                "bound": check.bound,
                "good": check.good,
            }
            for check in problem.checks
        ],
        "notes": [note.say(lang) for note in problem.notes],
    }


def number(value: float) -> float | None:
    """JSON has no infinity and no numbers that are none."""
    return float(value) if math.isfinite(value) else None
