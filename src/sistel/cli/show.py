"""`sistel show`: what a system consists of."""

from __future__ import annotations

from sistel.cli._arguments import Call, CallError, Option, Usage
from sistel.cli._console import Console
from sistel.cli._reading import BASE, FILE, LOCK, RENUMBER, SRDF, read_system
from sistel.errors import SistelError, Text

USAGE = Usage(
    about=Text(
        "Shows the class, the tree of bodies, the tables of bodies, links, structures, motors and parameters, and the "
        "transitions between the structures. Lengths are in millimetres, angles in degrees; with --json everything is "
        "in SI.",
        "Показывает класс, дерево тел, таблицы тел, связей, структур, приводов и параметров и переходы между "
        "структурами. Длины — в миллиметрах, углы — в градусах; с ключом --json всё в СИ.",
    ),
    arguments=(FILE,),
    options=(
        Option(
            name="--structure",
            value=Text("NAME", "ИМЯ"),
            help=Text(
                "only this structure: what holds in it and where it leads",
                "только эта структура: что в ней держит и куда она ведёт",
            ),
        ),
        Option(name="--graph", help=Text("only structures and transitions", "только структуры и переходы")),
        Option(name="--all", help=Text("all rows of long tables", "все строки длинных таблиц")),
        BASE,
        LOCK,
        SRDF,
        RENUMBER,
    ),
    examples=(
        ("sistel show walker.xml", Text("the whole page", "вся страница")),
        ("sistel show walker.xml --graph", Text("how the structure changes", "как меняется структура")),
        (
            "sistel show panda.urdf --lock finger1 --lock finger2",
            Text("an arm with a stiff hand", "рука с неподвижным схватом"),
        ),
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file and show it."""
    system = read_system(call)
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


def _only(data: dict[str, object], structure: str) -> dict[str, object]:
    """The data with nothing but one structure and its transitions."""
    structures, transitions = data["structures"], data["transitions"]
    assert isinstance(structures, list) and isinstance(transitions, list)
    data["structures"] = [row for row in structures if row["name"] == structure]
    data["transitions"] = [
        row for row in transitions if structure in (row["target"], *row["sources"]) or not row["sources"]
    ]
    return data
