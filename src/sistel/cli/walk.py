"""`sistel walk`: a statically stable gait of a walking machine, by program."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import arguments, examples, options
from sistel.cli._motion_tables import check_outputs
from sistel.cli._reading import ALLOW, allowed, tell_outside
from sistel.cli._values import read_number
from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.cells import Drive, Walk, Walked
    from sistel.simulation import Run
    from sistel.system import System

FORMATS = (".html", ".x3d", ".svg", ".csv", ".npz", ".xml")
GAITS = ("step", "crawl", "tripod", "wave")

USAGE = Usage(
    about=Text(
        "Composes a gait for a machine with a free trunk and four or six legs of three hinges, or two with flat feet: "
        "the trunk goes straight on and level, standing feet do not move, and the centre of mass stays above the "
        "polygon of the standing feet. A gait in which the machine would tip over, or a foot is out of reach, is "
        "refused: when, and by how much. With --simulate servo motors walk it: what feet carry and joints need.",
        "Составляет походку машины со свободным корпусом и четырьмя или шестью ногами из трёх шарниров либо двумя с "
        "плоскими стопами: корпус идёт прямо и ровно, опорные стопы неподвижны, центр масс остаётся над опорным "
        "многоугольником. Походка, при которой машина опрокинулась бы или нога не достаёт, отвергается: когда и на "
        "сколько. С --simulate её проходят следящие приводы: что несут стопы и что нужно шарнирам.",
    ),
    arguments=arguments(
        """
        file: FILE | ФАЙЛ @file
            a machine: models/shm_quadruped.xml is one
            машина: например, models/shm_quadruped.xml
        """
    ),
    options=(
        *options(
            f"""
            --gait step|crawl|tripod|wave = {"|".join(GAITS)}
                step (two legs), crawl (four), tripod (six) or wave (four, six); the first that fits unless told
                    otherwise
                step — шагом (две ноги), crawl — ползком (четыре), tripod — треножник (шесть), wave — волна (четыре,
                    шесть); без ключа — первая, что подходит
            --stride LENGTH | ДЛИНА
                way of the trunk in a cycle; 150 mm
                путь корпуса за цикл; 150 мм
            --cycle TIME | ВРЕМЯ
                time of a cycle; 2 s
                время цикла; 2 с
            --cycles N
                how many; 3
                сколько циклов; 3
            --lift LENGTH | ДЛИНА
                of a swinging foot; 50 mm
                подъём стопы; 50 мм
            --sway LENGTH | ДЛИНА
                of the trunk to the standing side
                отклонение корпуса в сторону опоры
            --simulate
                motors follow the program, and the ground carries the feet
                приводы следуют программе, стопы опираются на землю
            """
        ),
        ALLOW,
        *options(
            """
            --output -o FILE | ФАЙЛ *
                a file: .html, .x3d, .svg, .csv, .npz, or .xml, the machine with its structures. May be repeated
                файл: .html, .x3d, .svg, .csv, .npz или .xml — машина со структурами. Можно повторять
            """
        ),
    ),
    examples=examples(
        """
        sistel walk models/shm_quadruped.xml
            whether it walks, and how safely
            идёт ли и с каким запасом
        sistel walk models/shm_hexapod.xml --gait wave -o wave.x3d
            a moving scene
            подвижная сцена
        sistel walk models/shm_quadruped.xml --simulate -o crawl.html
            motors walk it: a page with all loads
            идут приводы: страница со всеми нагрузками
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the machine, compose the gait, and show or write it."""
    outputs = check_outputs(call, FORMATS)
    given = _given(call)
    from sistel.cells import GAITS as KNOWN
    from sistel.cells import machine_of, plan_walk
    from sistel.system import load

    path = call.required("file")
    system = load(path, allow=allowed(call))
    gait = call.value("gait")
    if gait is None:
        count = len(machine_of(system.model).legs)
        gait = next((name for name, legs in KNOWN.items() if count in legs), "crawl")
    walk = plan_walk(system.model, gait, **given)  # type: ignore[arg-type]
    drive = _motors(walk) if call.given("simulate") else None
    wanted = drive is not None and (console.json or not outputs)
    needed = [target for target in outputs if PurePath(target).suffix.casefold() != ".xml"]
    made = _run(walk, path, drive, console, allowed(call)) if needed or wanted else None
    for target in outputs:
        _write(walk, path, target, drive, made, console)
    seen = None
    if wanted and made is not None:
        from sistel.cells import watch_walk

        seen = watch_walk(walk, made)
    if console.json:
        console.document({**_data(walk, gait, outputs), **({} if seen is None else _loads(walk, seen))})
        return 0
    for target in outputs:
        console.written(target)
    if not outputs:
        console.write(_said(system, walk, gait, console) + "\n")
        if seen is not None:
            console.write(_borne(walk, seen, console) + "\n")
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
    from sistel.views.text import clean, short

    words = {"step": "шагом", "crawl": "ползком", "tripod": "треножник", "wave": "волна"}
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


def _motors(walk: Walk) -> Drive:
    """Motors for a machine; those of one with soles are not known here."""
    from sistel.cells import drive_for

    if any(len(leg.soles) > 1 for leg in walk.machine.legs):
        wrong_call(
            "no-motors",
            Text("--simulate walks on feet that are points", "--simulate — для ног с точечными стопами"),
            expected=Text("a machine with four or six legs", "машина с четырьмя или шестью ногами"),
        )
    return drive_for(walk.machine)


def _loads(walk: Walk, seen: Walked) -> dict[str, object]:
    feet = [leg.name for leg in walk.machine.legs]
    joints = [body.name for leg in walk.machine.legs for body in leg.bodies]
    return {
        "weight": seen.weight,
        "load": seen.load,
        "normals": {
            name: [float(low), float(each.max())]
            for name, low, each in zip(feet, seen.least, seen.normals.T, strict=True)
        },
        "torques": {name: float(abs(each).max()) for name, each in zip(joints, seen.torques.T, strict=True)},
        "error": float((seen.errors**2).sum(axis=1).max() ** 0.5),
        "simulated_margin": float(seen.margin.min()),
    }


def _borne(walk: Walk, seen: Walked, console: Console) -> str:
    from sistel.views.text import short

    error = 1e3 * float((seen.errors**2).sum(axis=1).max() ** 0.5)
    least, weight, load = 1e3 * float(seen.margin.min()), short(seen.weight, 5), short(seen.load, 5)
    joints = [body.name for leg in walk.machine.legs for body in leg.bodies]
    hardest = int(abs(seen.torques).max(axis=0).argmax())
    most = short(float(abs(seen.torques).max()), 3)
    rows = [
        f"  {leg.name}: {short(float(low), 3)} … {short(float(each.max()), 3)}"
        for leg, low, each in zip(walk.machine.legs, seen.least, seen.normals.T, strict=True)
    ]
    if console.lang == "ru":
        head = f"с приводами: корпус в {short(error, 3)} мм от программы, запас устойчивости {short(least, 3)} мм"
        torque = f"наибольший момент {most} Н·м, {joints[hardest]}"
        return "\n".join(
            [head, torque, f"вес {weight} Н, стопы несут в среднем {load} Н; каждая, пока стоит, Н:", *rows]
        )
    head = f"with motors: the trunk is within {short(error, 3)} mm of the program, margin {short(least, 3)} mm"
    torque = f"greatest torque {most} N·m, {joints[hardest]}"
    return "\n".join([head, torque, f"weight {weight} N, feet carry {load} N on average; each, standing, N:", *rows])


def _run(walk: Walk, source: str, drive: Drive | None, console: Console, allow: Sequence[str]) -> Run:
    """The walk as a run: the program itself, or what motors make of it."""
    from sistel.cells import walk_run, walk_xml
    from sistel.system import parse

    folder = os.path.dirname(os.path.abspath(source))
    text = walk_xml(walk, os.path.basename(source), drive, console.lang)
    system = parse(text, os.path.join(folder, "walk.xml"), allow=allow)
    if drive is None:
        return walk_run(walk, system.model, console.lang)
    # Motors decay quickly, but the steps of the feet are short too: a stiff method saves nothing here.
    return system.simulate(walk.course.length, method="taylor")


def _write(walk: Walk, source: str, target: str, drive: Drive | None, made: Run | None, console: Console) -> None:
    from sistel.cells import walk_xml
    from sistel.markup import write_text

    if PurePath(target).suffix.casefold() == ".xml":
        seen = os.path.relpath(source, os.path.dirname(target) or ".")
        write_text(target, walk_xml(walk, seen.replace(os.sep, "/"), drive, console.lang))
        tell_outside(target, source, console)
    elif made is not None:
        made.save(target, lang=console.lang)
