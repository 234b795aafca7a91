"""`sistel walk`: a statically stable gait of a walking machine, by program."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Argument, Call, Option, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._values import read_number
from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.cells import Walk
    from sistel.system import System

FORMATS = (".html", ".x3d", ".svg", ".csv", ".npz", ".xml")
GAITS = ("crawl", "tripod", "wave")

USAGE = Usage(
    about=Text(
        "Composes a gait for a machine with a free trunk and four or six legs of three hinges: the trunk goes straight "
        "on and level, standing feet do not move, and the centre of mass stays above the polygon of the standing feet. "
        "A gait in which the machine would tip over, or a foot is out of reach, is refused: when, and by how much.",
        "Составляет походку машины со свободным корпусом и четырьмя или шестью ногами из трёх шарниров: корпус идёт "
        "прямо и ровно, опорные стопы неподвижны, центр масс остаётся над опорным многоугольником. Походка, при "
        "которой машина опрокинулась бы или нога не достаёт, отвергается: когда и на сколько.",
    ),
    arguments=(
        Argument(
            key="file",
            name=Text("FILE", "ФАЙЛ"),
            help=Text("a machine: models/shm_quadruped.xml is one", "машина: например, models/shm_quadruped.xml"),
            completes="file",
        ),
    ),
    options=(
        Option(
            name="--gait",
            value=Text("crawl|tripod|wave", "crawl|tripod|wave"),
            choices=GAITS,
            help=Text(
                "crawl (four legs), tripod (six) or wave (both); the first that fits unless told otherwise",
                "crawl — ползком (четыре ноги), tripod — треножник (шесть), wave — волна (и те и те); без ключа — "
                "первая, что подходит",
            ),
        ),
        Option(
            name="--stride",
            value=Text("LENGTH", "ДЛИНА"),
            help=Text("way of the trunk in a cycle; 150 mm", "путь корпуса за цикл; 150 мм"),
        ),
        Option(name="--cycle", value=Text("TIME", "ВРЕМЯ"), help=Text("time of a cycle; 2 s", "время цикла; 2 с")),
        Option(name="--cycles", value=Text("N", "N"), help=Text("how many; 3", "сколько циклов; 3")),
        Option(
            name="--lift", value=Text("LENGTH", "ДЛИНА"), help=Text("of a swinging foot; 50 mm", "подъём стопы; 50 мм")
        ),
        Option(
            name="--sway",
            value=Text("LENGTH", "ДЛИНА"),
            help=Text("of the trunk to the standing side", "отклонение корпуса в сторону опоры"),
        ),
        Option(
            name="--output",
            short="-o",
            value=Text("FILE", "ФАЙЛ"),
            many=True,
            help=Text(
                "a file: .html, .x3d, .svg, .csv, .npz, or .xml, the machine with its structures. May be repeated",
                "файл: .html, .x3d, .svg, .csv, .npz или .xml — машина со структурами. Можно повторять",
            ),
        ),
    ),
    examples=(
        ("sistel walk models/shm_quadruped.xml", Text("whether it walks, and how safely", "идёт ли и с каким запасом")),
        ("sistel walk models/shm_hexapod.xml --gait wave -o wave.x3d", Text("a moving scene", "подвижная сцена")),
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the machine, compose the gait, and show or write it."""
    outputs = call.all("output")
    for target in outputs:
        if PurePath(target).suffix.casefold() not in FORMATS:
            wrong_call(
                "unknown-format",
                Text(f'no walk is written to "{target}"', f"в «{target}» походку не записать"),
                expected=Text(", ".join(FORMATS), ", ".join(FORMATS)),
            )
    given = _given(call)
    from sistel.cells import GAITS as KNOWN
    from sistel.cells import machine_of, plan_walk
    from sistel.system import load

    path = call.required("file")
    system = load(path)
    gait = call.value("gait")
    if gait is None:
        count = len(machine_of(system.model).legs)
        gait = next((name for name, legs in KNOWN.items() if count in legs), "crawl")
    walk = plan_walk(system.model, gait, **given)  # type: ignore[arg-type]
    for target in outputs:
        _write(walk, path, target, console)
    if console.json:
        console.document(_data(walk, gait, outputs))
        return 0
    for target in outputs:
        console.message(Text(f"written: {target}", f"записано: {target}"))
    if not outputs:
        console.write(_said(system, walk, gait, console) + "\n")
    return 0


def _given(call: Call) -> dict[str, float | int]:
    from sistel.units import LENGTH, PLAIN, TIME

    usual: dict[str, float | int] = {"stride": 0.15, "cycle": 2.0, "cycles": 3, "lift": 0.05}
    for name, dimension in (("stride", LENGTH), ("cycle", TIME), ("cycles", PLAIN), ("lift", LENGTH), ("sway", LENGTH)):
        text = call.value(name)
        if text is None:
            continue
        number = read_number(f"--{name}", text, dimension)
        whole = name != "cycles" or (number == int(number) and 1 <= number <= 100)
        if not whole or (name != "sway" and not 0.0 < number < 1e3):
            wrong_call(
                "bad-number",
                Text(f"--{name} {text}: not possible here", f"--{name} {text}: здесь так нельзя"),
                expected=Text(
                    "a number above 0; for --cycles a whole one up to 100", "число больше 0; для --cycles целое до 100"
                ),
            )
        usual[name] = int(number) if name == "cycles" else number
    return usual


def _said(system: System, walk: Walk, gait: str, console: Console) -> str:
    from sistel.views._numbers import clean, short

    words = {"crawl": "ползком", "tripod": "треножник", "wave": "волна"}
    course = walk.course
    least = 1e3 * float(walk.margin.min())
    when = float(walk.times[int(walk.margin.argmin())])
    speed = course.stride / course.cycle
    if console.lang == "ru":
        return (
            f"{clean(system.name)}: походка «{words[gait]}», ног {len(walk.machine.legs)}\n"
            f"путь {short(course.stride * course.cycles)} м за {short(course.length)} с, скорость {short(speed)} м/с\n"
            f"наименьший запас устойчивости {short(least, 3)} мм, в {short(when, 3)} с"
        )
    return (
        f'{clean(system.name)}: gait "{gait}", {len(walk.machine.legs)} legs\n'
        f"{short(course.stride * course.cycles)} m in {short(course.length)} s, speed {short(speed)} m/s\n"
        f"least margin of stability {short(least, 3)} mm, at {short(when, 3)} s"
    )


def _data(walk: Walk, gait: str, outputs: tuple[str, ...] | list[str]) -> dict[str, object]:
    course = walk.course
    return {
        "name": walk.machine.model.name,
        "gait": gait,
        "legs": [leg.name for leg in walk.machine.legs],
        "way": course.stride * course.cycles,
        "time": course.length,
        "margin": float(walk.margin.min()),
        "switches": [{"time": time, "stands": list(stands)} for time, stands in walk.switches],
        "outputs": list(outputs),
    }


def _write(walk: Walk, source: str, target: str, console: Console) -> None:
    from sistel.cells import walk_run, walk_xml
    from sistel.markup import write_text
    from sistel.system import parse

    folder = os.path.dirname(os.path.abspath(source))
    if PurePath(target).suffix.casefold() == ".xml":
        seen = os.path.relpath(source, os.path.dirname(target) or ".")
        write_text(target, walk_xml(walk, seen.replace(os.sep, "/")))
        return
    system = parse(walk_xml(walk, os.path.basename(source)), os.path.join(folder, "walk.xml"))
    walk_run(walk, system.model).save(target, lang=console.lang)
