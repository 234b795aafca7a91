"""Motions of arms as tables for terminals, and as plain data."""

from __future__ import annotations

import math
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import options
from sistel.errors import Text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.arms import Travel
    from sistel.arrays import Array
    from sistel.errors import Language
    from sistel.motion.trajectories import MotionTable
    from sistel.solve.anfis import DynamicsNets
    from sistel.system import System
    from sistel.views.text import Table


SUFFIXES = (".csv", ".npz", ".svg", ".html", ".table.ods", ".table.xlsx")
MOST_PIECES = 1500
"""Of a motion in a lesson."""
ROWS = 11
"""Of a table on a terminal, where nothing else is asked for."""

(OUTPUT,) = options(
    """
    --output -o FILE | ФАЙЛ *
        a file: .csv, .npz, .svg (plots), .html (a page on which the arm moves); .table.html, .table.csv, .table.ods,
            .table.xlsx: the motion of the joints, as --table reads it. May be repeated
        файл: .csv, .npz, .svg (графики), .html (страница, где рука движется); .table.html, .table.csv, .table.ods,
            .table.xlsx — движение сочленений, какое читает --table. Можно повторять
    """
)

TABLE, SHEET = options(
    """
    --table FILE | ФАЙЛ
        a table of motion: .html, .csv, .ods, .xlsx; columns are named as coordinates, and the time
        таблица движения: .html, .csv, .ods, .xlsx; столбцы названы как координаты, и время
    --sheet NAME | ИМЯ
        with --table: a sheet of the file; of a table in HTML its caption or id
        с --table: лист файла; у таблицы в HTML — её подпись или id
    """
)


def asked_table(call: Call) -> str | None:
    """The file with a table of motion."""
    if call.given("sheet") and not call.given("table"):
        wrong_call("no-table", Text("--sheet goes with --table", "--sheet бывает только с --table"))
    return call.value("table")


def read_motion_table(call: Call, path: str, console: Console) -> MotionTable:
    """The table of motion of a file; what reading it has guessed is told beside the results."""
    from sistel.motion.trajectories import load_table

    found = load_table(path, sheet=call.value("sheet"))
    console.diagnostics(found.remarks)
    return found


def check_outputs(call: Call, suffixes: Sequence[str] = SUFFIXES) -> list[str]:
    """The files that are asked for."""
    found = list(call.all("output"))
    for target in found:
        wide = tuple(each for each in suffixes if each.count(".") > 1)
        if PurePath(target).suffix.casefold() not in suffixes and not target.casefold().endswith(wide):
            wrong_call(
                "unknown-format",
                Text(f'nothing of this is written to "{target}"', f"в «{target}» это не записать"),
                expected=Text(", ".join(suffixes), ", ".join(suffixes)),
            )
    return found


def units_of(system: System, lang: Language, per: str = "") -> tuple[list[float], list[str]]:
    """Factors from SI and the words of units of the coordinates, for people: degrees and millimetres."""
    from sistel.views.text import unit

    kinds = system.model.rate_kinds
    words = {"turn": "°", "slide": unit("mm", lang)}
    return [180.0 / math.pi if kind == "turn" else 1e3 for kind in kinds], [words[kind] + per for kind in kinds]


def force_units(system: System, lang: Language) -> list[str]:
    """Words of the units of driving forces."""
    turn, slide = ("Н·м", "Н") if lang == "ru" else ("N·m", "N")
    return [turn if kind == "turn" else slide for kind in system.model.rate_kinds]


def some_rows(travel: Travel, every: float | None) -> list[int]:
    """The rows of a travel that a terminal shows."""
    import numpy as np

    count = len(travel.t)
    return list(range(count)) if every is not None else np.unique(np.linspace(0, count - 1, ROWS).astype(int)).tolist()


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], left: int = 0) -> Table:
    """A table, its numbers on the right."""
    from sistel.views.text import Column, Table, clean

    columns = tuple(
        Column(title=clean(head), align="left" if i < left else "right", keep=True) for i, head in enumerate(heads)
    )
    cells = tuple(tuple(map(clean, row)) for row in rows)
    return Table(title=title, columns=columns, rows=cells, total=len(cells))


def over_time(
    travel: Travel, chosen: Sequence[int], title: str, heads: Sequence[str], values: Array, lang: Language
) -> Table:
    """Values at some of the times, a column each."""
    second = "с" if lang == "ru" else "s"
    rows = [[f"{travel.t[i]:.4g}", *(f"{round(float(x), 3) + 0.0:.3f}" for x in values[i])] for i in chosen]
    return table(title, [f"t, {second}", *heads], rows)


def motion_tables(system: System, travel: Travel, every: float | None, lang: Language) -> list[Table]:
    """Positions with the place of the tool, velocities and accelerations."""
    import numpy as np

    ru = lang == "ru"
    chosen = some_rows(travel, every)
    second = "с" if ru else "s"
    made = []
    titles = (
        ("Положения и место инструмента", "Скорости", "Ускорения")
        if ru
        else ("Positions and place of the tool", "Velocities", "Accelerations")
    )
    for title, values, per in zip(
        titles, (travel.q, travel.v, travel.a), ("", f"/{second}", f"/{second}²"), strict=True
    ):
        factors, words = units_of(system, lang, per)
        heads = [f"{name}, {word}" for name, word in zip(travel.names, words, strict=True)]
        columns = values * np.array(factors)
        if not per:
            heads += [f"{axis}, {'мм' if ru else 'mm'}" for axis in "xyz"]
            columns = np.concatenate([columns, 1e3 * travel.positions], axis=1)
        made.append(over_time(travel, chosen, title, heads, columns, lang))
    return made


def say_tables(system: System, heading: str, tables: Sequence[Table], console: Console) -> None:
    """Write tables under the name of the system."""
    from sistel.views.text import Paper, clean

    paper = Paper(console.width, console.colour)
    paper.name(system.name)
    paper.write(clean(heading))
    for each in tables:
        if each.rows:
            paper.titled(each, console.lang)
    console.write(paper.text())
    console.flush()


def say_crossings(travel: Travel, console: Console) -> None:
    """Limits and singular postures, one line each."""
    for each in travel.crossings:
        console.message(Text(each.say("en"), each.say("ru")))


def crossing_data(travel: Travel) -> list[dict[str, object]]:
    """Limits and singular postures as plain data [SI]."""
    return [
        {
            "quantity": each.quantity,
            "joints": list(each.names),
            "time": each.time,
            "worst": each.worst,
            "worst_at": each.worst_at,
            "limit": each.limit,
            "direction": None if each.direction is None else each.direction.tolist(),
        }
        for each in travel.crossings
    ]


def write_files(
    system: System, travel: Travel, outputs: Sequence[str], console: Console, networks: Sequence[DynamicsNets] = ()
) -> None:
    """Write the files that are asked for."""
    for target in outputs:
        name = PurePath(target).name.casefold()
        if name.endswith(".html") and not name.endswith(".table.html") and _teachable(travel):
            system.lesson(
                target,
                travel.frame,
                mode="trajectory",
                q=travel.motion(travel.motion.t0)[0],
                trajectory=travel.motion,
                payload=0.0 if travel.payload is None else travel.payload.mass,
                networks=networks,
                lang=console.lang,
            )
        else:
            travel.save(target, lang=console.lang)


def _teachable(travel: Travel) -> bool:
    """Whether a lesson can show it: friction and loads beside the tool are shown by the page of a run."""
    load = travel.payload
    plain = load is None or not any((*load.centre, *load.inertia))
    return plain and not travel.applied and len(travel.motion.knots) <= MOST_PIECES


def common_data(system: System, console: Console) -> dict[str, object]:
    """What every document of these commands ends with."""
    return {
        "diagnostics": [diagnostic.to_json(console.lang) for diagnostic in system.diagnostics],
        "losses": [loss.to_json(console.lang) for loss in system.losses],
    }
