"""`sistel models`: the gallery."""

from __future__ import annotations

from sistel.cli._arguments import Call, Usage
from sistel.cli._console import Console
from sistel.errors import Text

USAGE = Usage(
    about=Text(
        "Lists the models that come along, with their classes and degrees of freedom. sistel new NAME makes a copy to "
        "work on.",
        "Перечисляет модели, которые входят в поставку, их классы и степени свободы. sistel new ИМЯ делает копию для "
        "работы.",
    ),
)


def run(call: Call, console: Console) -> int:
    """List the gallery."""
    from sistel.cli._gallery import entries

    rows: list[dict[str, object]] = []
    for entry in entries():
        system = entry.system()
        dofs = [] if system is None else sorted({structure.dof for structure in system.structures})
        rows.append(
            {
                "name": entry.name,
                "class": None if system is None else system.structure_class,
                "dof": dofs,
                "about": entry.about(),
                "file": str(entry.path),
            }
        )
    if console.json:
        console.document({"models": rows})
        return 0
    if not rows:
        console.message(Text("no gallery is installed", "галерея не установлена"))
        return 0
    console.write(_table(rows, console))
    return 0


def _table(rows: list[dict[str, object]], console: Console) -> str:
    from sistel.views.text import Column, Table, show_table

    titles = (
        Text("Name", "Имя"),
        Text("Class", "Класс"),
        Text("DoF", "СС"),
        Text("What it is", "Что это"),
    )
    cells = [
        (str(row["name"]), str(row["class"] or "—"), " … ".join(_ends(row["dof"])), str(row["about"])) for row in rows
    ]
    # One line a model: what it is gets the room that the other columns leave.
    room = max(20, console.width - sum(max(len(cell[index]) for cell in cells) + 2 for index in range(3)))
    return show_table(
        Table(
            title="",
            columns=tuple(Column(title=title.say(console.lang), keep=True) for title in titles),
            rows=tuple((*cell[:3], _cut(cell[3], room)) for cell in cells),
            total=len(rows),
        ),
        width=console.width,
        colour=console.colour,
    )


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1].rstrip(" ,;:(") + "…"


def _ends(numbers: object) -> list[str]:
    assert isinstance(numbers, list)
    return [str(number) for number in dict.fromkeys((*numbers[:1], *numbers[-1:]))]
