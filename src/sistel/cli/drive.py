"""`sistel drive`: programs for drives that move the joints of a system along a table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._motion_tables import SHEET, TABLE, asked_table
from sistel.cli._reading import allowed, of_system, read_system
from sistel.errors import Text, one_of, refuse

if TYPE_CHECKING:
    from sistel.cli._drive_files import Driven
    from sistel.drives import Emulation, Plan, Program
    from sistel.system import System

NAMES = ("faulhaber-v2", "faulhaber-v3", "cia402", "grbl", "dynamixel")

USAGE = of_system(
    about=Text(
        "Writes the program with which drives move the joints of a system along a table of motion: FAULHABER V2.5 "
        "sequences, FAULHABER V3.0 scripts and telegrams, CiA 402 objects, G-code for GRBL, packets for DYNAMIXEL. "
        "Limits of the drives are checked before anything is written, and what rounding does is told row by row.\n"
        "With --emulate emulated drives execute the program, and their motion moves the system.",
        "Пишет программу, по которой приводы ведут сочленения системы по таблице движения: последовательности "
        "FAULHABER V2.5, скрипты и телеграммы FAULHABER V3.0, объекты CiA 402, G-код для GRBL, пакеты DYNAMIXEL. "
        "Пределы приводов проверяются до записи, а что сделало округление, говорится построчно.\n"
        "С --emulate программу выполняют эмулируемые приводы, и их движение ведёт систему.",
    ),
    options=(
        TABLE,
        SHEET,
        *options(
            f"""
            --for FAMILY | СЕМЕЙСТВО = {"|".join(NAMES)}
                the family of the drives; faulhaber-v2 unless told otherwise
                семейство приводов; без ключа faulhaber-v2
            --drives FILE | ФАЙЛ
                gears, limits and nodes of the drives; without it drives.xml or приводы.xml beside FILE
                передачи, пределы и узлы приводов; без ключа — drives.xml или приводы.xml рядом с ФАЙЛОМ
            --emulate
                emulated drives execute the program
                программу выполняют эмулируемые приводы
            --load
                emulated drives carry the system: their motors move it, against inertia and weight, through position
                    loops, and their counters say where it is
                эмулируемые приводы несут систему: их двигатели ведут её через контуры положения, преодолевая инерцию и
                    вес, а счётчики говорят, где она
            --serve
                emulated drives behind a pseudo-terminal, for other programs, until interrupted
                эмулируемые приводы за псевдотерминалом, для других программ, пока не прервут
            --output -o FILE | ФАЙЛ *
                a file: the program (.txt, .bas, .hex, .json, .csv, .nc, by the family); .setup.txt, sent before;
                    .report.csv, what rounding has done; .html, a page that sends the program; .xml, the system with
                    its drives as blocks of a scheme, without --table with sliders. With --emulate: .html, a page on
                    which the system moves; .svg; .table.html. May be repeated
                файл: программа (.txt, .bas, .hex, .json, .csv, .nc — по семейству); .setup.txt — посылается до неё;
                    .report.csv — что сделало округление; .html — страница, которая отправляет программу; .xml —
                    система, приводы которой — блоки схемы, без --table с ползунками. С --emulate: .html — страница,
                    где система движется; .svg; .table.html. Можно повторять
            """
        ),
    ),
    examples=examples(
        """
        sistel drive models/drives/arm.xml --table models/drives/move.html
            what drives are told
            что задано приводам
        sistel drive models/drives/arm.xml --table models/drives/move.html -o move.txt
            the program
            программа
        sistel drive models/drives/arm.xml --table models/drives/move.html --emulate -o arm.html
            emulated drives move the arm
            эмулируемые приводы двигают руку
        sistel drive models/drives/arm.xml --table models/drives/move.html --load -o arm.html
            emulated drives carry the arm
            эмулируемые приводы несут руку
        sistel drive models/drives/arm.xml -o driven.xml
            the arm with its drives as blocks, and sliders
            рука с приводами-блоками и ползунками
        sistel drive models/drives/arm.xml --table models/drives/move.html --for=grbl -o move.nc
            G-code
            G-код
        """
    ),
)

EMULATED = (".table.html", ".html", ".svg")


def run(call: Call, console: Console) -> int:
    """Read, plan, check, emulate; then write all files, or none."""
    from sistel.cli._drive_files import Driven, carry
    from sistel.drives import FAMILIES, emulate, plan_drives, read_drives, refuse_weak, write_program
    from sistel.motion.trajectories import open_table

    outputs = list(call.all("output"))
    file = asked_table(call)
    if file is None and outputs and all(target.casefold().endswith(".xml") for target in outputs):
        return _free_drives(call, outputs, console)
    if file is None:
        wrong_call(
            "missing-option",
            Text("--table is missing: the motion of the joints", "нет --table: движения сочленений"),
            hint=Text(
                "sistel trajectory … -o move.table.html writes one", "её пишет sistel trajectory … -o move.table.html"
            ),
        )
    system = read_system(call)
    drives = read_drives(_drives_file(call), system.model, allowed(call))
    table, places = open_table(file, sheet=call.value("sheet"))
    console.diagnostics(table.remarks)
    plan = plan_drives(table, drives, FAMILIES[call.value("for") or NAMES[0]], places)
    refuse_weak(system, plan)
    program = write_program(plan)
    plan = program.plan
    made = call.given("emulate") or call.given("load")
    kinds = {target: _kind(target, program, made) for target in outputs}
    carried = carry(system, plan) if call.given("load") else None
    emulated = emulate(plan, program, None if carried is None else carried.load) if made else None
    written = _write_all(Driven(system, program, emulated, carried), kinds, console)
    _tell(system, program, emulated, written, console)
    if carried is not None:
        for note in carried.load.problems:
            word = Text("warning", "предупреждение").say(console.lang)
            console.message(Text(f"{word}: {note.en}", f"{word}: {note.ru}"))
    if call.given("serve"):
        _serve(plan, console)
    return 1 if emulated is not None and emulated.problems else 0


def _free_drives(call: Call, outputs: list[str], console: Console) -> int:
    """Without a table: the system with drives whose goals are sliders."""
    from sistel.cli._drive_files import scheme_of
    from sistel.drives import FAMILIES, plan_at_rest, read_drives
    from sistel.markup import write_texts

    for key in ("emulate", "load", "serve"):
        if call.given(key):
            wrong_call("missing-option", Text(f"--{key} needs --table", f"для --{key} нужна --table"))
    system = read_system(call)
    drives = read_drives(_drives_file(call), system.model, allowed(call))
    plan = plan_at_rest(drives, FAMILIES[call.value("for") or NAMES[0]])
    text = scheme_of(system, plan, False, console.lang)
    write_texts([(target, text) for target in outputs])
    for target in outputs:
        console.written(target)
    console.diagnostics(system.diagnostics)
    return 0


def _drives_file(call: Call) -> str:
    given = call.value("drives")
    if given is not None:
        return given
    path = call.required("file")
    folder = os.path.dirname(path) if path != "-" else "."
    names = [os.path.join(folder, name) for name in ("drives.xml", "приводы.xml")]
    found = next((name for name in names if os.path.exists(name)), None)
    if found is None:
        refuse(
            "no-file",
            Text(f'there is no file "{names[0]}" with the drives', f"нет файла «{names[1]}» с приводами"),
            expected=Text(
                '<drives><drive joint="…" node="1" ratio="…" speed="…" acceleration="…"/></drives>',
                "<приводы><привод сочленение=«…» узел=«1» передача=«…» скорость=«…» ускорение=«…»/></приводы>",
            ),
            hint=Text("--drives names another file", "другой файл называет --drives"),
        )
    return found


def _kind(target: str, program: Program, emulated: bool) -> str:
    """What a file is to hold, by its suffix; nothing is written before all of them are known."""
    known = [
        *program.files,
        *program.each,
        ".report.csv",
        ".html",
        ".xml",
        *((".table.html", ".svg") if emulated else ()),
    ]
    found = max((suffix for suffix in known if target.casefold().endswith(suffix)), key=len, default="")
    if not found:
        wrong_call(
            "unknown-format",
            Text(f'nothing of this is written to "{target}"', f"в «{target}» это не записать"),
            expected=one_of(known),
        )
    return found


def _write_all(driven: Driven, kinds: dict[str, str], console: Console) -> list[str]:
    """Make every text first: a failure leaves all files as they were."""
    from sistel.cli._drive_files import texts_of
    from sistel.markup import write_texts

    made = [(path, text) for target, kind in kinds.items() for path, text in texts_of(target, kind, driven, console)]
    write_texts(made)
    return [path for path, _ in made]


def _serve(plan: Plan, console: Console) -> None:
    from sistel.drives import serve

    with serve(plan) as line:
        console.message(
            Text(f"the drives listen at {line.path}; Ctrl-C ends", f"приводы слушают {line.path}; Ctrl-C завершает")
        )
        line.wait()


def _tell(system: System, program: Program, emulated: Emulation | None, outputs: list[str], console: Console) -> None:
    from sistel.views.drives import plan_data, plan_heading, plan_tables, tracking_data, tracking_table
    from sistel.views.text import show_table

    plan, lang = program.plan, console.lang
    if console.json:
        console.document(
            {
                "name": system.name,
                **plan_data(plan, lang),
                "warnings": [warning.say(lang) for warning in program.warnings],
                "setup": list(program.setup),
                "program": list(program.lines),
                "start": list(program.start),
                **({} if emulated is None else {"emulation": tracking_data(emulated, lang)}),
                "outputs": outputs,
                "diagnostics": [diagnostic.to_json(lang) for diagnostic in system.diagnostics],
            }
        )
        return
    console.write(plan_heading(plan, lang) + "\n\n")
    for table in plan_tables(plan, lang):
        console.write(show_table(table, width=console.width, colour=console.colour))
    if emulated is not None:
        table = tracking_table(emulated, lang)
        console.write(f"\n{table.title}\n{show_table(table, width=console.width, colour=console.colour)}")
        for problem in emulated.problems:
            console.message(problem)
    console.flush()
    for note in (*plan.notes, *program.warnings):
        word = Text("warning", "предупреждение").say(lang)
        console.message(Text(f"{word}: {note.en}", f"{word}: {note.ru}"))
    for target in outputs:
        console.written(target)
    console.diagnostics(system.diagnostics)
