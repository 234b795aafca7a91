"""`sistel show`: what a system consists of."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._progress import saying_report
from sistel.cli._reading import of_system, read_system, tell_picture
from sistel.cli._values import check_reports
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from sistel.system import System

USAGE = of_system(
    about=Text(
        "Shows the class, the tree of bodies, the tables of bodies, links, structures, motors and parameters, and the "
        "transitions between the structures. Lengths are in millimetres, angles in degrees; with --json everything is "
        "in SI.",
        "Показывает класс, дерево тел, таблицы тел, связей, структур, приводов и параметров и переходы между "
        "структурами. Длины — в миллиметрах, углы — в градусах; с ключом --json всё в СИ.",
    ),
    options=options(
        """
        --structure NAME | ИМЯ
            only this structure: what holds in it and where it leads
            только эта структура: что в ней держит и куда она ведёт
        --graph
            only structures and transitions
            только структуры и переходы
        --automaton
            the hybrid automaton: state, parameters, modes with their operations, edges, outputs
            гибридный автомат: состояние, параметры, режимы с числом операций, рёбра, выходы
        --output -o FILE | ФАЙЛ
            a report: .pdf, .fo (XSL-FO) or .print.html; with --graph or --automaton the graph as a picture .svg, or
                - for standard output
            отчёт: .pdf, .fo (XSL-FO) или .print.html; вместе с --graph или --automaton — рисунок графа .svg или,
                при знаке -, в стандартный вывод
        --all
            all rows of long tables
            все строки длинных таблиц
        """
    ),
    examples=examples(
        """
        sistel show walker.xml
            the whole page
            вся страница
        sistel show walker.xml --graph
            how the structure changes
            как меняется структура
        sistel show walker.xml --automaton
            what everything else reads
            что читает всё остальное
        sistel show walker.xml --graph -o graph.svg
            the same as a picture
            то же рисунком
        sistel show walker.xml -o walker.pdf
            a report to print
            отчёт для печати
        sistel show panda.urdf --lock finger1 --lock finger2
            an arm with a stiff hand
            рука с неподвижным схватом
        """
    ),
    exclusive=(("--structure", "--output"), ("--structure", "--automaton"), ("--graph", "--automaton")),
)


def run(call: Call, console: Console) -> int:
    """Read the file and show it."""
    picture = call.value("output")
    if picture is not None:
        _check_picture(call, picture)
    system = read_system(call)
    if picture is not None:
        return _draw(call, system, picture, console)
    if call.given("automaton"):
        return _automaton(call, system, console)
    from sistel.views import show_text, summarize

    structure = call.value("structure")
    if structure is not None:
        try:
            system.structure(structure)
        except SistelError as problem:
            raise CallError(problem.diagnostics) from None
    summary = summarize(system.model, console.lang)
    if console.json:
        data = summary.to_json()
        if call.given("graph"):
            data = {key: data[key] for key in ("name", "structure_class", "structures", "transitions")}
        if structure is not None:
            data = _only(data, structure)
        data["diagnostics"] = [diagnostic.to_json(console.lang) for diagnostic in system.diagnostics]
        data["losses"] = [loss.to_json(console.lang) for loss in system.losses]
        console.document(data)
        return 0
    page = show_text(
        summary,
        console.lang,
        width=console.width,
        colour=console.colour,
        everything=call.given("all"),
        structure=structure,
        only_graph=call.given("graph"),
    )
    if not page:
        console.message(Text("the file names no structures", "файл не называет структур"))
    console.write(page)
    console.flush()
    console.diagnostics(system.diagnostics)
    if system.losses:
        count = len(system.losses)
        console.message(
            Text(
                f"{count} things of the file have no place in a system of bodies; sistel convert lists them",
                f"в системе тел нет места для части файла (таких мест {count}); их перечислит sistel convert",
            )
        )
    return 0


def _automaton(call: Call, system: System, console: Console) -> int:
    from sistel.views import automaton_data, automaton_text

    if console.json:
        console.document(automaton_data(system.automaton, console.lang))
        return 0
    console.write(
        automaton_text(
            system.automaton, console.lang, width=console.width, colour=console.colour, everything=call.given("all")
        )
    )
    console.flush()
    return 0


def _check_picture(call: Call, target: str) -> None:
    if not (call.given("graph") or call.given("automaton")):
        from sistel.views.reports import SUFFIXES, report_suffix

        if report_suffix(target) is not None:
            check_reports([target])
            return
        *others, last = SUFFIXES
        wrong_call(
            "missing-option",
            Text(
                "--output without --graph or --automaton writes a report",
                "--output без --graph или --automaton записывает отчёт",
            ),
            expected=Text(f"{', '.join(others)} or {last}", f"{', '.join(others)} или {last}"),
        )
    if target != "-" and PurePath(target).suffix.casefold() != ".svg":
        wrong_call(
            "unknown-format",
            Text(
                f'the picture is an SVG, and "{target}" is not named so',
                f"рисунок — это SVG, а «{target}» назван иначе",
            ),
            expected=Text("a file .svg, or -", "файл .svg или -"),
        )


def _draw(call: Call, system: System, target: str, console: Console) -> int:
    if not (call.given("graph") or call.given("automaton")):
        with saying_report(console, target):
            system.save(target, console.lang)
        return tell_picture(system, "", target, console)
    from sistel.markup import write_text

    text = system.structure_graph(console.lang)
    if target != "-":
        write_text(target, text)
    return tell_picture(system, str(text), target, console)


def _only(data: dict[str, object], structure: str) -> dict[str, object]:
    """The data with nothing but one structure and its transitions."""
    structures, transitions = data["structures"], data["transitions"]
    assert isinstance(structures, list) and isinstance(transitions, list)
    data["structures"] = [row for row in structures if row["name"] == structure]
    data["transitions"] = [
        row for row in transitions if structure in (row["target"], *row["sources"]) or not row["sources"]
    ]
    return data
