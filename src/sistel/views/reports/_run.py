"""What happened in a run: structures, events, results, curves, values at round times, warnings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError, Text
from sistel.simulation import run_columns, structure_text
from sistel.views.charts import print_run
from sistel.views.reports._build import Builder
from sistel.views.reports._document import ReportColumn
from sistel.views.reports._layout import SIZES, text_width
from sistel.views.reports._typography import numerals
from sistel.views.text import asked_tables, clean, run_tables, short, unit

if TYPE_CHECKING:
    from sistel.simulation import Run

MOST_EVENTS: Final = 200
"""Events that are listed."""
WIDEST_NAME: Final = 48.0
"""Room for names of structures in the table of values, where they are long [mm]."""
FIRST_ROWS: Final = 20
"""Rows of the table of values, about, where nothing is said of them."""
MOST_CELLS: Final = 20_000
"""Numbers of a table of values that still is one to look at: about sixty pages."""
DIGITS: Final = 7
"""Of the values."""
TALLEST: Final = 1150.0
"""Height of a sheet of curves [px]: with its title it fills a page."""


def add_run(run: Run, builder: Builder, quantities: Sequence[str], every: float | None) -> None:
    """The sections of a run."""
    builder.heading(Text("The motion", "Движение"))
    builder.facts(_facts(run, builder))
    if run.stopped is not None:
        builder.paragraph(_sentence(run.stopped), "note")
    if run.warnings:
        _warnings(run, builder)
    for table in run_tables(run, builder.lang, MOST_EVENTS):
        builder.table(table)
    try:
        _results(run, builder, quantities)
        _curves(run, builder, quantities)
        _values(run, builder, quantities, every)
    except SistelError as problem:
        if problem.diagnostics[0].code != "no-steps":
            raise
        builder.paragraph(_sentence(problem.diagnostics[0].message), "note")


def _warnings(run: Run, builder: Builder) -> None:
    """What a user must know; places name files without their folders, which are nobody else's business."""
    say, lang = builder.say, builder.lang
    columns = [
        ReportColumn(title=say("time, s", "время, с"), kind="numbers"),
        ReportColumn(title=say("what", "что")),
        ReportColumn(title=say("times", "раз"), kind="numbers"),
        ReportColumn(title=say("where", "где"), keep=True),
    ]
    rows = []
    for warning in run.warnings:
        said = warning.message.say(lang) + ("" if warning.hint is None else f"; {warning.hint.say(lang)}")
        rows.append((short(warning.time), said, str(warning.count), PurePath(warning.place).name))
    builder.rows(say("Warnings", "Предупреждения"), columns, rows, names=3)


def _sentence(text: Text) -> Text:
    return Text(*(f"{said[:1].upper()}{said[1:]}." for said in (text.en, text.ru)))


def _facts(run: Run, builder: Builder) -> list[tuple[str, str]]:
    """How it was computed."""
    say, second = builder.say, unit("s", builder.lang)
    method, step = run.method
    made = [
        (say("time", "время"), f"{short(run.begin, 9)} … {short(run.end, 9)} {second}"),
        (say("steps", "шагов"), str(run.steps)),
        (say("events", "событий"), str(len(run.events))),
        (say("method", "метод"), method if step is None else f"{method}, {short(step)} {second}"),
    ]
    given = run.tolerance
    if given is not None:
        several = say("each coordinate its own", "у каждой координаты своя")
        told = short(given) if isinstance(given, int | float) else several
        made.append((say("tolerance", "погрешность"), told))
    return made


def _results(run: Run, builder: Builder, quantities: Sequence[str]) -> None:
    """First, last, least and largest values: of energies, and of what was asked."""
    asked = {text: run.quantity(text) for text in dict.fromkeys(("energy()", *quantities))}
    for table in asked_tables(asked, builder.lang):
        builder.table(table)


def _curves(run: Run, builder: Builder, quantities: Sequence[str]) -> None:
    builder.heading(Text("Curves", "Графики"), 2)
    sheets = print_run(run, quantities, builder.lang, TALLEST)
    # Writers may move tall figures on: what stands below this heading then is not what it announces.
    builder.paragraph(builder.figures_ahead(len(sheets)), "dim")
    for number, svg in enumerate(sheets, 1):
        part = f" ({number}/{len(sheets)})" if len(sheets) > 1 else ""
        caption = Text(f"The motion over time{part}", f"Движение во времени{part}")
        builder.figure(svg, caption, 222.0)


def _values(run: Run, builder: Builder, quantities: Sequence[str], every: float | None) -> None:
    """The table that .csv files hold, at round times."""
    step = every if every is not None else round_step(run.begin, run.end)
    builder.heading(Text("Values", "Значения"), 2)
    times, structures, columns = run_columns(run, quantities, step)
    if len(times) * (len(columns) + 1) > MOST_CELLS:
        builder.paragraph(
            Text(
                f"The table of {len(times)} rows and {len(columns) + 1} columns is too long for a report; "
                "a file .csv holds it.",
                f"Таблица из {len(times)} строк и {len(columns) + 1} столбцов слишком длинна для отчёта; "
                "её вместит файл .csv.",
            ),
            "note",
        )
        return
    names = {name: clean(structure_text(run.model, str(name)).say(builder.lang)) for name in dict.fromkeys(structures)}
    several = len(names) > 1
    heads = [ReportColumn(title=f"t, {unit('s', builder.lang)}", kind="numbers")]
    if several:
        longest = max(text_width(name, SIZES[-1]) for name in names.values())
        heads.append(
            ReportColumn(title=builder.say("structure", "структура"), keep=True, room=min(longest, WIDEST_NAME))
        )
    heads += [ReportColumn(title=clean(name), kind="numbers") for name in columns]
    rows = []
    for i, time in enumerate(times.tolist()):
        row = [number(time, builder, 9), *([names[structures[i]]] if several else [])]
        rows.append((*row, *(number(float(column[i]), builder, DIGITS) for column in columns.values())))
    title = builder.say(
        f"Values every {short(step, 9)} s, in SI units: m, rad, and per second with a prime",
        f"Значения через каждые {numerals(short(step, 9), 'ru')} с, в СИ: м, рад, со штрихом — в секунду",
    )
    builder.rows(title, heads, rows, names=1 if several else -1)


def number(value: float, builder: Builder, digits: int) -> str:
    """A number as the language prints it."""
    return numerals(short(value, digits), builder.lang)


def round_step(begin: float, end: float) -> float:
    """A round time between rows, for some twenty rows [s]."""
    whole = end - begin
    if not whole > 0.0:
        return 1.0
    rough = whole / FIRST_ROWS
    power = 10.0 ** math.floor(math.log10(rough))
    return next(float(f"{part * power:.12g}") for part in (1.0, 2.0, 5.0, 10.0) if rough <= part * power * (1 + 1e-9))
