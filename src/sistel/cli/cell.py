"""`sistel cell`: what a robotic cell does, and when."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import arguments, examples, options
from sistel.cli._reading import ALLOW, allowed, tell_outside
from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.cells import Plan
    from sistel.model import Model

FORMATS = (".svg", ".csv", ".xml", ".html")

USAGE = Usage(
    about=Text(
        "Plans a robotic cell: robots, machines, racks and belts from a file, and a process list. Every row begins as "
        "early as its robot, its part and its station allow; rows that cannot be done are refused with their reasons.\n"
        "The plan becomes a system of bodies (-o system.xml), in which taking a part is a transition of structure; "
        "a page (-o page.html) simulates it and plays the whole cycle.",
        "Планирует роботизированную ячейку: роботы, станки, накопители и конвейеры из файла и список операций. Каждая "
        "строка начинается, как только свободны её робот, деталь и место; невыполнимые строки отвергаются с причиной.\n"
        "План становится системой тел (-o system.xml), где взять деталь — значит сменить структуру; страница "
        "(-o page.html) моделирует её и проигрывает весь цикл.",
    ),
    arguments=arguments(
        """
        file: FILE | ФАЙЛ @file
            a cell: models/cells/turning.xml is one
            ячейка: например, models/cells/turning.xml
        """
    ),
    options=(
        *options(
            """
            --list TABLE | ТАБЛИЦА
                a process list as a CSV table, in the place of the file's own
                список операций таблицей CSV вместо записанного в файле
            """
        ),
        ALLOW,
        *options(
            """
            --output -o FILE | ФАЙЛ *
                a file: .svg, the chart; .csv, its table; .xml, the system of bodies; .html, a page. May be repeated
                файл: .svg — циклограмма; .csv — её таблица; .xml — система тел; .html — страница. Можно повторять
            """
        ),
    ),
    examples=examples(
        """
        sistel cell models/cells/turning.xml --allow models
            what is done when
            что и когда делается
        sistel cell models/cells/turning.xml --allow models -o chart.svg
            the chart
            циклограмма
        sistel cell models/cells/flexible.xml --allow models -o cycle.html
            the cycle as a page
            цикл страницей
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the cell, plan it, and show or write what was planned."""
    outputs = call.all("output")
    for target in outputs:
        if PurePath(target).suffix.casefold() not in FORMATS:
            wrong_call(
                "unknown-format",
                Text(f'no plan is written to "{target}"', f"в «{target}» план не записать"),
                expected=Text(".svg, .csv, .xml or .html", ".svg, .csv, .xml или .html"),
            )
    from sistel.cells import plan_cell, read_cell
    from sistel.views.cells import plan_data

    path, allow = call.required("file"), allowed(call)
    # An arm may read what its cell may.
    roots = (os.path.abspath(os.path.dirname(path) or "."), *allow)
    plan = plan_cell(read_cell(path, partial(_model, allow=roots), call.value("list"), allow))
    for target in outputs:
        _write(plan, path, target, console, allow)
    if console.json:
        console.document({**plan_data(plan, console.lang), "outputs": list(outputs)})
        return 0
    for target in outputs:
        console.written(target)
    if not outputs:
        _show(plan, console)
    for clash in plan.clashes:
        from sistel.views.cells import clash_said

        console.message(Text(clash_said(clash, "en"), clash_said(clash, "ru")))
    return 0


def _model(path: str, allow: Sequence[str]) -> Model:
    from sistel.system import load

    return load(path, allow=allow).model


def _show(plan: Plan, console: Console) -> None:
    from sistel.views.cells import plan_heading, plan_tables
    from sistel.views.text import show_table

    console.write(f"{plan_heading(plan, console.lang)}\n\n")
    for table in plan_tables(plan, console.lang):
        console.write(show_table(table, width=console.width, colour=console.colour) + "\n")


def _write(plan: Plan, source: str, target: str, console: Console, allow: Sequence[str]) -> None:
    from sistel.markup import write_text

    suffix = PurePath(target).suffix.casefold()
    if suffix == ".svg":
        from sistel.views.cells import draw_chart

        write_text(target, draw_chart(plan, console.lang))
    elif suffix == ".csv":
        from sistel.views.cells import plan_csv

        write_text(target, plan_csv(plan, console.lang))
    elif suffix == ".xml":
        from sistel.cells import cell_xml

        folder = os.path.relpath(os.path.dirname(source) or ".", os.path.dirname(target) or ".")
        write_text(target, cell_xml(plan, folder, console.lang))
        for robot in plan.cell.robots:
            tell_outside(target, os.path.join(os.path.dirname(source), robot.file), console)
    else:
        write_text(target, _page(plan, source, console, allow))


def _page(plan: Plan, source: str, console: Console, allow: Sequence[str]) -> str:
    """The cycle, simulated."""
    from sistel.cells import cell_xml
    from sistel.cli.run import progress_of
    from sistel.system import parse
    from sistel.views.cells import draw_chart
    from sistel.views.page import draw_page

    folder = os.path.abspath(os.path.dirname(source) or ".")
    system = parse(cell_xml(plan, ".", console.lang), os.path.join(folder, "cell.xml"), allow=allow)
    with progress_of(system.model, plan.end, console) as progress:
        run = system.simulate(plan.end, progress=progress)
    console.warnings(run.warnings)
    chart = {lang: str(draw_chart(plan, lang)) for lang in ("en", "ru")}
    return draw_page(system.model, run, lang=console.lang, live=False, equations=False, chart=chart)
