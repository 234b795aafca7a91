"""`sistel demo`: examples that simulate, draw and tell what to look at."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from sistel.cli._arguments import Call, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._demos import DEMOS, Demo
from sistel.cli._described import arguments, examples, options
from sistel.cli._documents import event_data
from sistel.errors import Diagnostic, SistelError, Text, did_you_mean
from sistel.files import reason_of

if TYPE_CHECKING:
    from sistel.simulation import Run
    from sistel.system import System

ROWS = 1000
"""About how many rows the tables have: enough to draw from, few enough to read."""

USAGE = Usage(
    about=Text(
        "Simulates an example of the gallery, writes its motion as a picture (SVG) and as a table (CSV) into a folder, "
        "a mission also as a floor plan and a page (HTML), and tells what to look at. Without a name it lists the "
        "examples; names exist in English and in Russian.",
        "Моделирует пример из галереи, записывает движение рисунком (SVG) и таблицей (CSV) в папку, задание робота "
        "ещё планом и страницей (HTML), и говорит, на что смотреть. Без имени перечисляет примеры; имена есть "
        "по-русски и по-английски.",
    ),
    arguments=arguments(
        """
        name: [NAME | ИМЯ]
            the example
            пример
        """
    ),
    options=options(
        """
        --list
            list the examples
            перечислить примеры
        --output -o FOLDER | ПАПКА
            where to write; demo-NAME by default
            куда писать; по умолчанию demo-ИМЯ
        """
    ),
    examples=examples(
        """
        sistel demo
            which examples there are
            какие есть примеры
        sistel demo wrench
            an arm that tightens a nut
            рука, которая затягивает гайку
        sistel demo compass -o /tmp/walk
            into a folder of one's choice
            в выбранную папку
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Show an example, or list them."""
    name = call.value("name")
    if name is None or call.given("list"):
        return _list(console)
    demo = _find(name)
    system = _system(demo)
    folder = Path(call.value("output") or f"demo-{name.casefold()}")
    from sistel.cli._main import DONE, INTERRUPTED
    from sistel.cli.run import progress_of

    with progress_of(system.model, demo.until, console) as progress:
        found = system.simulate(demo.until, progress=progress, inputs=demo.inputs or None)
    files = _write(demo, found, folder, console)
    if console.json:
        console.document(_data(demo, system, found, files, console))
    else:
        _say(demo, system, found, files, console)
    return DONE if found.stopped is None else INTERRUPTED


def _list(console: Console) -> int:
    if console.json:
        console.document(
            {
                "demos": [
                    {
                        "name": demo.name.en,
                        "russian": demo.name.ru,
                        "file": f"{demo.model}.xml",
                        "about": demo.about.say(console.lang),
                    }
                    for demo in DEMOS
                ]
            }
        )
        return 0
    width = max(len(demo.name.say(console.lang)) for demo in DEMOS)
    lines = [f"{demo.name.say(console.lang):{width}}  {demo.about.say(console.lang)}\n" for demo in DEMOS]
    console.write("".join(lines))
    console.message(Text("show one: sistel demo NAME", "показать пример: sistel demo ИМЯ"))
    return 0


def _find(name: str) -> Demo:
    """The example of a name: hyphens, blanks and underscores are alike, and so are names of files."""
    known = {_plain(word): demo for demo in DEMOS for word in (*demo.names, demo.model)}
    if _plain(name) not in known:
        _unknown(name)
    return known[_plain(name)]


def _unknown(name: str) -> NoReturn:
    words = [word for demo in DEMOS for word in demo.names]
    wrong_call(
        "unknown-demo",
        Text(f'there is no example "{name}"', f"нет примера «{name}»"),
        expected=Text(
            f"one of {', '.join(demo.name.en for demo in DEMOS)}",
            f"один из: {', '.join(demo.name.ru for demo in DEMOS)}",
        ),
        hint=did_you_mean(name, words),
    )


def _plain(word: str) -> str:
    return word.casefold().replace("ё", "е").replace("_", "-").replace(" ", "-").removesuffix(".xml")


def _system(demo: Demo) -> System:
    from sistel.cli._gallery import entries

    for entry in entries():
        if entry.name == demo.model:
            from sistel.system import load

            return load(entry.path)
    message = Text("the gallery is not installed", "галерея не установлена")
    raise SistelError([Diagnostic("no-gallery", "error", message)])


def _write(demo: Demo, found: Run, folder: Path, console: Console) -> tuple[Path, ...]:
    """The picture and the table; of a mission also its floor plan and its page."""
    from sistel.markup import write_text

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        reason = reason_of(problem)
        message = Text(f"{folder} cannot be made: {reason.en}", f"не удаётся создать {folder}: {reason.ru}")
        raise SistelError([Diagnostic("cannot-write", "error", message)]) from None
    picture, table = folder / f"{demo.model}.svg", folder / f"{demo.model}.csv"
    write_text(str(picture), found.plot(demo.quantities, console.lang))
    found.save(
        table, quantities=demo.quantities, every=(found.end - found.begin) / ROWS if found.end > found.begin else None
    )
    more = []
    if demo.ways:
        from sistel.views.schemes import floor_plan

        more.append(folder / f"{demo.model}_plan.svg")
        write_text(str(more[-1]), floor_plan(found, demo.ways, console.lang))
    if demo.button:
        more.append(folder / f"{demo.model}.html")
        found.save(more[-1], quantities=demo.quantities, lang=console.lang)
    return picture, table, *more


def classes(system: System, found: Run) -> list[tuple[float, str, str]]:
    """Times, names and classes of the structures that a run enters, where the file declares them."""
    known = {structure.name: structure.structure_class for structure in system.structures}
    first = found.segments[0].structure if found.segments else found.final_structure
    entered = [(found.begin, first), *((event.time, event.after) for event in found.events)]
    return [(time, name, known[name]) for time, name in entered if name in known]


def _say(demo: Demo, system: System, found: Run, files: tuple[Path, ...], console: Console) -> None:
    from sistel.views.text import Paper, clean, run_heading, run_tables, short, unit

    lang, ru = console.lang, console.lang == "ru"
    paper = Paper(console.width, console.colour)
    paper.write((clean(system.name), "bold"))
    paper.write(demo.about.say(lang))
    paper.write(run_heading(found, lang))
    paper.blank()
    paper.write((("На что смотреть: " if ru else "What to look at: "), "title"), demo.look.say(lang))
    passed = classes(system, found)
    if len({kind for _, _, kind in passed}) > 1:
        paper.blank()
        paper.write((("Класс структуры" if ru else "Class of the structure"), "title"))
        for (_, before, old), (time, after, new) in pairwise(passed[:13]):
            if old != new:
                paper.write(
                    f"{short(time, 9)} {unit('s', lang)}  {clean(before)} {old} → {clean(after)} {new}", indent=2
                )
    for table in run_tables(found, lang, 12):
        paper.titled(table, lang)
    console.write(paper.text())
    console.flush()
    console.warnings(found.warnings)
    for file in files:
        console.written(file)


def _data(demo: Demo, system: System, found: Run, files: tuple[Path, ...], console: Console) -> dict[str, object]:
    return {
        "demo": demo.name.en,
        "file": f"{demo.model}.xml",
        "about": demo.about.say(console.lang),
        "look": demo.look.say(console.lang),
        "time": found.end,
        "steps": found.steps,
        "structures": [
            {"time": time, "name": name, "class": structure_class}
            for time, name, structure_class in classes(system, found)
        ],
        "events": [event_data(event) for event in found.events],
        "warnings": [warning.to_json(console.lang) for warning in found.warnings],
        "outputs": [str(file) for file in files],
        "stopped": None if found.stopped is None else found.stopped.say(console.lang),
    }
