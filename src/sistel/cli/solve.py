"""`sistel solve`: tasks about a model, solved and checked."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import arguments, examples, options
from sistel.cli._reading import ALLOW, allowed
from sistel.cli._values import PARAMETER, check_formats, check_reports, read_parameters, read_whole
from sistel.errors import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sistel.system import System
    from sistel.tasks import Result, Sheet, Task

REPORTS = (".pdf", ".fo", ".print.html")
FORMATS = (".html", ".csv", ".json", ".xml", *REPORTS)

USAGE = Usage(
    about=Text(
        "Solves a task: a file that names a model and says what is wanted of it — kinematics, statics, dynamics, "
        "control. The file of the model stays as it is. Every answer is computed in a second way where there is one, "
        "and how far both are apart is said.\n"
        "With --variants it makes a task sheet: variants with other values of the parameters that the task varies, and "
        "--key writes their answers; --mark marks the answers of students.",
        "Решает задачу: файл, который называет модель и говорит, что о ней нужно узнать, — кинематика, статика, "
        "динамика, управление. Файл модели остаётся прежним. Каждый ответ вычисляется и вторым способом, если он есть, "
        "и говорится, насколько они расходятся.\n"
        "С --variants делает лист задач: варианты с другими значениями параметров, которые задача варьирует; --key "
        "записывает ответы к ним, --mark проверяет ответы студентов.",
    ),
    arguments=arguments(
        """
        file: TASK | ЗАДАЧА @file
            a task: models/tasks/reach.xml is one
            задача: например, models/tasks/reach.xml
        """
    ),
    options=(
        PARAMETER,
        ALLOW,
        *options(
            """
            --output -o FILE | ФАЙЛ *
                a file: .html, a page; .csv, the answers; .json, everything; .xml, the task itself in the words of
                    --lang; a report: .pdf, .fo (XSL-FO) or .print.html. May be repeated
                файл: .html — страница; .csv — ответы; .json — всё; .xml — сама задача словами языка --lang; отчёт:
                    .pdf, .fo (XSL-FO) или .print.html. Можно повторять
            --variants NUMBER | ЧИСЛО
                a task sheet with so many variants; -o writes the sheet
                лист задач из стольких вариантов; -o записывает лист
            --seed NUMBER | ЧИСЛО
                of the draw of the variants; 1 by default. The same seed gives the same sheet
                зерно выбора вариантов; по умолчанию 1. Одно и то же зерно даёт один и тот же лист
            --key FILE | ФАЙЛ *
                the answers of the sheet: .csv, .html or a report: .pdf, .fo, .print.html
                ответы к листу: .csv, .html или отчёт: .pdf, .fo, .print.html
            --mark ANSWERS | ОТВЕТЫ
                mark a CSV table of answers to this sheet; -o writes the marks
                проверить таблицу CSV с ответами к этому листу; -o записывает проверку
            --within PERCENT | ПРОЦЕНТ
                the largest error of a right answer; 2 % by default
                наибольшая ошибка верного ответа; по умолчанию 2 %
            """
        ),
    ),
    examples=examples(
        """
        sistel solve models/tasks/reach.xml
            the answers
            ответы
        sistel solve reach.xml -p l1=500mm -o reach.html
            a page, with another length
            страница, с другой длиной
        sistel solve sheet.xml --variants 30 --key key.csv
            the key of a sheet of 30 variants
            ключ к листу из 30 вариантов
        sistel solve sheet.xml --variants 30 --mark answers.csv
            mark what students answered
            проверить ответы студентов
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the task, solve it, and show or write what was found."""
    outputs = call.all("output")
    check_formats(outputs, FORMATS, Text("answers", "ответов"))
    check_reports(outputs)
    task = read(call)
    if call.given("variants"):
        return _sheet(call, console, task, outputs)
    for other in ("seed", "key", "mark", "within"):
        if call.given(other):
            wrong_call(
                "bad-call",
                Text(f"--{other} goes with --variants", f"--{other} — вместе с --variants"),
            )
    from sistel.tasks import solve_task
    from sistel.views.tasks import result_data, result_text

    result = solve_task(task)
    for target in outputs:
        _write(task, result, target, console)
    if console.json:
        diagnostics = [each.to_json(console.lang) for each in task.diagnostics]
        console.document({**result_data(result, console.lang), "outputs": list(outputs), "diagnostics": diagnostics})
    else:
        if not outputs:
            console.write(result_text(result, console.lang, console.width, console.colour))
            console.flush()
        for target in outputs:
            console.written(target)
        console.diagnostics(task.diagnostics)
    return 0 if result.good else 1


def read(call: Call) -> Task:
    """The task of a call."""
    from sistel.tasks import read_task

    path, allow = call.required("file"), allowed(call)
    # A model may read what its task may.
    roots = (os.path.abspath(os.path.dirname(path) or "."), *allow)

    def load(file: str) -> System:
        from sistel.system import load as read_file

        return read_file(file, allow=roots)

    return read_task(path, load, parameters=read_parameters(call), allow=allow)


def _write(task: Task, result: Result, target: str, console: Console) -> None:
    from sistel.tasks import in_words
    from sistel.views.reports import report_suffix, save_report, task_report
    from sistel.views.tasks import answers_csv, result_data, result_page

    lang = console.lang
    if report_suffix(target) is not None:
        save_report(task_report(result, lang), target)
        return
    _write_as(
        target,
        {
            ".csv": lambda: answers_csv(result, lang),
            ".json": lambda: _json(result_data(result, lang)),
            ".xml": lambda: in_words(task, lang),
            ".html": lambda: result_page(result, lang),
        },
    )


def _write_as(target: str, formats: Mapping[str, Callable[[], str]]) -> None:
    """Write a file in the format of its suffix."""
    from sistel.markup import write_text

    write_text(target, formats[PurePath(target).suffix]())


def _json(data: Mapping[str, object]) -> str:
    import json

    return json.dumps(data, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


# --- sheets and marks ------------------------------------------------------------------------------------------------


def _within(call: Call) -> float:
    text = (call.value("within") or "2").removesuffix("%").strip()
    try:
        found = float(text) / 100
    except ValueError:
        found = -1.0
    if not 0.0 < found < 1.0:
        wrong_call(
            "bad-number",
            Text(f'--within cannot be "{text}"', f"--within не может быть «{text}»"),
            expected=Text("more than 0, less than 100 %", "больше 0, меньше 100 %"),
        )
    return found


def _sheet(call: Call, console: Console, task: Task, outputs: Sequence[str]) -> int:
    """Make the variants; write the sheet and its key, or mark answers."""
    from sistel.tasks import MOST_VARIANTS, make_sheet

    count = read_whole(call, "variants", 1, MOST_VARIANTS) or 1
    written = (".html", ".csv", ".json")
    if call.given("mark"):
        check_formats(outputs, written, Text("marks", "проверки"))
    else:
        check_formats(outputs, (*written, *REPORTS), Text("sheets", "листов"))
    keys = call.all("key")
    check_formats(keys, (".csv", ".html", *REPORTS), Text("keys", "ключей"))
    check_reports(keys)
    for target in keys:
        if any(os.path.abspath(target) == os.path.abspath(other) for other in outputs):
            wrong_call(
                "same-name",
                Text(
                    f'"{target}" would hold the sheet and its answers',
                    f"в «{target}» попали бы и лист, и ответы к нему",
                ),
                hint=Text("give the key a file of its own", "дайте ключу свой файл"),
            )
    within = _within(call)
    seed = read_whole(call, "seed", 0, 10**9)
    sheet = make_sheet(task, count, 1 if seed is None else seed)
    if call.given("mark"):
        return _mark(call, console, sheet, outputs, within)
    from sistel.views.tasks import sheet_data, sheet_table
    from sistel.views.text import show_table

    for target in outputs:
        _write_sheet(sheet, target, console, key=False)
    for target in keys:
        _write_sheet(sheet, target, console, key=True)
    if console.json:
        console.document({**sheet_data(sheet, console.lang), "outputs": [*outputs, *keys]})
        return 0
    if not outputs and not keys:
        console.write(show_table(sheet_table(sheet, console.lang), width=console.width, colour=console.colour))
    for target in (*outputs, *keys):
        console.written(target)
    if sheet.refused:
        console.message(
            Text(
                f"left out, as they have no solution: {sheet.refused}",
                f"пропущено, так как решения нет: {sheet.refused}",
            )
        )
    console.diagnostics(task.diagnostics)
    return 0


def _write_sheet(sheet: Sheet, target: str, console: Console, key: bool) -> None:
    from sistel.views.reports import report_suffix, save_report, sheet_report
    from sistel.views.tasks import key_csv, sheet_data, sheet_page

    lang = console.lang
    if report_suffix(target) is not None:
        save_report(sheet_report(sheet, lang, key), target)
        return
    formats = {
        ".csv": lambda: key_csv(sheet, lang),
        ".json": lambda: _json(sheet_data(sheet, lang)),
        ".html": lambda: sheet_page(sheet, lang, key),
    }
    _write_as(target, formats)


def _mark(call: Call, console: Console, sheet: Sheet, outputs: Sequence[str], within: float) -> int:
    """Mark the answers of students."""
    from sistel.errors import Diagnostics
    from sistel.markup import open_source
    from sistel.tasks import mark_answers
    from sistel.views.tasks import marks_csv, marks_data, marks_page, marks_tables
    from sistel.views.text import show_table

    lang = console.lang
    source = open_source(call.required("mark"), Diagnostics())
    marks = mark_answers(sheet, source.text, source.path, within)
    formats = {
        ".csv": lambda: marks_csv(marks, lang),
        ".json": lambda: _json(marks_data(marks, lang)),
        ".html": lambda: marks_page(sheet, marks, lang),
    }
    for target in outputs:
        _write_as(target, formats)
    if console.json:
        console.document({**marks_data(marks, lang), "outputs": list(outputs)})
        return 0
    if not outputs:
        for table in marks_tables(marks, lang):
            console.write(show_table(table, width=console.width, colour=console.colour) + "\n")
    for target in outputs:
        console.written(target)
    return 0
