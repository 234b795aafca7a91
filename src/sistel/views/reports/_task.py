"""A solved task on paper: answers, pictures, curves, tables, and how everything was checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Language, Text
from sistel.tasks import heading, in_unit, told, unit_word
from sistel.units import Dimension
from sistel.views._proofs import number
from sistel.views.charts import print_curves
from sistel.views.reports._build import Builder
from sistel.views.reports._document import Report, ReportColumn
from sistel.views.tasks import answer_table, pictured, result_tables
from sistel.views.text import clean

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.tasks import Curve, Result, Sheet, Solved, Variant

ROOM = 60.0
"""For a number that is written by hand [mm]."""
TALL = 10.0
"""For handwriting, which is taller than print [mm]."""
MOST_PICTURES = 6
"""Postures that are drawn for one problem."""


def task_report(result: Result, lang: Language) -> Report:
    """The document of a solved task."""
    builder = Builder(lang)
    for problem in result.problems:
        _problem(problem, builder)
    say = builder.say
    facts = [
        (say("system", "система"), clean(result.system)),
        (say("model", "модель"), clean(PurePath(result.model).name)),
        (say("checked", "проверено"), say("yes", "да") if result.good else say("no", "нет")),
    ]
    return builder.report(Text("Task", "Задача"), result.name, result.about, facts)


def sheet_report(sheet: Sheet, lang: Language, key: bool = False) -> Report:
    """A task sheet, a page for every variant with room for answers; with `key`, the answers and their checks."""
    builder = Builder(lang)
    for place, variant in enumerate(sheet.variants):
        builder.part(Text(f"Variant {variant.number}", f"Вариант {variant.number}"), apart=place > 0 and not key)
        _variant(variant, sheet, builder, key)
    count = len(sheet.variants)
    facts = [(builder.say("variants", "вариантов"), str(count)), (builder.say("seed", "зерно"), str(sheet.seed))]
    return builder.report(Text("Key", "Ключ") if key else Text("Task sheet", "Лист задач"), sheet.name, "", facts)


def _variant(variant: Variant, sheet: Sheet, builder: Builder, key: bool) -> None:
    from sistel.views.schemes import draw_scheme

    say, lang = builder.say, builder.lang
    builder.paragraph(variant.question)
    values = ((vary.name, told(variant.values[vary.name], vary.dimension, 10).say(lang)) for vary in sheet.varied)
    builder.facts([(clean(name), value) for name, value in values])
    answers = variant.result.answers
    if key:
        builder.table(answer_table(answers, lang))
        for problem in variant.result.problems:
            _checks(problem, builder)
        return
    model, q = pictured(variant, key)
    svg = str(draw_scheme(model, tuple(q), theme="light", medium="print"))
    builder.figure(svg, Text("Scheme", "Схема"), 80.0, numbered=False)
    columns = [
        ReportColumn(title=say("Wanted", "Искомое")),
        ReportColumn(title=say("Answer", "Ответ"), room=ROOM),
        ReportColumn(title=say("Unit", "Единица")),
    ]
    rows = [(heading(each).say(lang), "", unit_word(each.dimension, lang)) for each in answers]
    builder.rows(say("Answers", "Ответы"), columns, rows, names=0, numbered=False, tall=TALL)


def _problem(problem: Solved, builder: Builder) -> None:
    builder.heading(problem.title)
    if problem.failed is not None:
        builder.paragraph(Text(f"✗ {problem.failed.en}", f"✗ {problem.failed.ru}"), "bad")
        return
    tables = result_tables(problem, builder.lang)
    answers, grids = (tables[:1], tables[1:]) if problem.answers else ([], tables)
    for table in answers:
        builder.table(table)
    _pictures(problem, builder)
    for svg in curve_sheets(problem.curves, builder.lang):
        builder.figure(svg, Text("Quantities over time", "Величины во времени"), 200.0)
    for grid in grids:
        builder.table(grid)
    _checks(problem, builder)
    for note in problem.notes:
        builder.paragraph(note, "dim")


def _pictures(problem: Solved, builder: Builder) -> None:
    """The system in the postures of the answers."""
    if problem.drawn is None:
        return
    from sistel.views.schemes import draw_scheme

    branches = problem.kind == "kinematics" and len(problem.postures) > 1
    for place, q in enumerate(problem.postures[:MOST_PICTURES], 1):
        svg = str(draw_scheme(problem.drawn, tuple(q), theme="light", medium="print"))
        number = f" {place}" if len(problem.postures) > 1 else ""
        branch = Text(f"Scheme, branch{number}", f"Схема, ветвь{number}")
        posture = Text(f"Scheme in the posture{number}", f"Схема в положении{number}")
        builder.figure(svg, branch if branches else posture, 75.0)
    hidden = len(problem.postures) - MOST_PICTURES
    if hidden > 0:
        builder.paragraph(Text(f"… and {hidden} more postures", f"… и ещё положений: {hidden}"), "dim")


def _checks(problem: Solved, builder: Builder) -> None:
    say = builder.say
    columns = [
        ReportColumn(title="", keep=True),
        ReportColumn(title=say("What was computed in a second way", "Что вычислено вторым способом")),
        ReportColumn(title=say("Difference", "Расхождение"), kind="numbers"),
        ReportColumn(title=say("Bound", "Предел"), kind="numbers"),
    ]
    rows = [
        ("✓" if check.good else "✗", check.what.say(builder.lang), number(check.error), number(check.bound))
        for check in problem.checks
    ]
    builder.rows(say("Checks", "Проверки"), columns, rows, keys=2)


def curve_sheets(curves: tuple[Curve, ...], lang: Language) -> Iterator[str]:
    """Pictures of curves: those of one dimension share a panel, those of the same times a sheet."""
    groups: dict[bytes, dict[Dimension, list[tuple[str, Array]]]] = {}
    times: dict[bytes, Array] = {}
    for each in curves:
        fine = np.isfinite(each.values)
        if fine.sum() < 2:
            continue
        t = each.t[fine]
        times[t.tobytes()] = t
        group = groups.setdefault(t.tobytes(), {}).setdefault(each.dimension, [])
        group.append((clean(each.label.say(lang)), in_unit(1.0, each.dimension) * each.values[fine]))
    for key, panels in groups.items():
        named = [(unit_word(dimension, lang), lines) for dimension, lines in panels.items()]
        yield from print_curves(times[key], named, lang, 900.0)
