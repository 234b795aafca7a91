"""`sistel solve`: tasks about a model, solved and checked."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, Usage
from sistel.cli._console import Console
from sistel.cli._described import arguments, examples, options
from sistel.cli._reading import ALLOW, allowed
from sistel.cli._values import PARAMETER, check_formats, read_parameters
from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.system import System
    from sistel.tasks import Result, Task

FORMATS = (".html", ".csv", ".json")

USAGE = Usage(
    about=Text(
        "Solves a task: a file that names a model and says what is wanted of it — kinematics, statics, dynamics, "
        "control. The file of the model stays as it is. Every answer is computed in a second way where there is one, "
        "and how far both are apart is said.",
        "Решает задачу: файл, который называет модель и говорит, что о ней нужно узнать, — кинематика, статика, "
        "динамика, управление. Файл модели остаётся прежним. Каждый ответ вычисляется и вторым способом, если он есть, "
        "и говорится, насколько они расходятся.",
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
                a file: .html, a page; .csv, the answers; .json, everything. May be repeated
                файл: .html — страница; .csv — ответы; .json — всё. Можно повторять
            """
        ),
    ),
    examples=examples(
        """
        sistel solve models/tasks/reach.xml
            the answers
            ответы
        sistel solve models/tasks/reach.xml -p l=400mm -o reach.html
            a page, with another length
            страница, с другой длиной
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the task, solve it, and show or write what was found."""
    outputs = call.all("output")
    check_formats(outputs, FORMATS, Text("answers", "ответов"))
    task = read(call)
    from sistel.tasks import solve_task
    from sistel.views.tasks import result_data, result_text

    result = solve_task(task)
    for target in outputs:
        _write(result, target, console)
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


def _write(result: Result, target: str, console: Console) -> None:
    from sistel.markup import write_text
    from sistel.views.tasks import answers_csv, result_data

    suffix = PurePath(target).suffix.casefold()
    if suffix == ".csv":
        write_text(target, answers_csv(result, console.lang))
    elif suffix == ".json":
        import json

        text = json.dumps(result_data(result, console.lang), ensure_ascii=False, indent=2, allow_nan=False)
        write_text(target, text + "\n")
    else:
        from sistel.views.tasks import result_page

        write_text(target, result_page(result, console.lang))
