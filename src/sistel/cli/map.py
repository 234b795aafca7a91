"""`sistel map`: which structures a system goes through, over a grid of states and parameters."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._progress import ProgressLine
from sistel.cli._reading import of_system, read_system
from sistel.cli._values import (
    STRUCTURE,
    TOLERANCE,
    check_formats,
    read_number,
    read_parameters,
    read_tolerance,
    read_whole,
)
from sistel.errors import Diagnostic, SistelError, Text, did_you_mean, one_of

if TYPE_CHECKING:
    from sistel.ensembles import Ensemble
    from sistel.system import System
    from sistel.units import Dimension

UNTIL, UNTIL_EVENTS = 10.0, 1000.0
"""How long runs last unless told otherwise, without and with a number of events that ends them [s]."""
FORMATS = (".png", ".svg", ".npz")
MOST = 100_000
"""Values along an axis."""
SHOWN = 3
"""Messages of runs that failed; the others are in files."""
NOT_THE_CALL = ("cluster-lost", "no-dask", "other-version")
"""What goes wrong although the call is right."""
WAYS = ("ends", "structure", "sequence", "outcome", "events", "time")

USAGE = of_system(
    about=Text(
        "Simulates the system from every point of a grid of initial values and parameters, and shows what became of "
        "the runs: in which structures they ended, through which sequences, after how many events. With --keep the "
        "same call goes on where it was interrupted, even killed. Numbers are in SI or carry their units.",
        "Моделирует систему из каждой точки сетки начальных значений и параметров и показывает, что стало с запусками: "
        "в каких структурах они закончились, через какие последовательности прошли, сколько событий было. С ключом "
        "--keep та же команда продолжает с того места, где её прервали, даже убили. Числа — в СИ или с единицами.",
    ),
    options=(
        *options(
            f"""
            --x NAME=FROM:TO:COUNT | ИМЯ=ОТ:ДО:СКОЛЬКО
                what changes along x: a parameter, a coordinate (arm) or a velocity (arm.rate)
                что меняется вдоль x: параметр, координата (рука) или скорость (рука.rate)
            --y NAME=FROM:TO:COUNT | ИМЯ=ОТ:ДО:СКОЛЬКО
                what changes along y
                что меняется вдоль y
            --until TIME | ВРЕМЯ
                when runs end; 10 s by default, 1000 s with --events
                когда заканчиваются запуски; по умолчанию 10 с, с --events 1000 с
            --events NUMBER | ЧИСЛО
                after how many events they end
                после скольких событий они заканчиваются
            --stop STRUCTURE | СТРУКТУРА *
                a structure that ends a run when it is entered; may be repeated
                структура, вход в которую заканчивает запуск; можно повторять
            --of WHAT | ЧТО = {"|".join(WAYS)}
                what colours mean: how runs ended (the default), their last structure, sequence …
                что значат цвета: чем закончились запуски (по умолчанию), последняя структура, последовательность …
            --output -o FILE | ФАЙЛ *
                where to put the map: .png or .svg; .npz, all results; may be repeated
                куда записать карту: .png или .svg; .npz — все результаты; можно повторять
            --keep FOLDER | ПАПКА
                a folder for what is finished, to go on after an interruption
                папка для готового, чтобы продолжить после прерывания
            --parameter -p NAME=VALUE | ИМЯ=ЗНАЧЕНИЕ *
                another value of a parameter for all runs; may be repeated
                другое значение параметра для всех запусков; можно повторять
            """
        ),
        STRUCTURE,
        TOLERANCE,
        *options(
            """
            --threads NUMBER | ЧИСЛО
                how many; by default as many as there are processors
                сколько; по умолчанию — по числу процессоров
            --cluster ADDRESS | АДРЕС
                do the runs on the machines of a cluster, whose address `sistel cluster` prints
                выполнить запуски на машинах кластера, адрес которого печатает `sistel cluster`
            --title TEXT | ТЕКСТ
                what to write over the map
                заголовок карты
            """
        ),
    ),
    examples=examples(
        """
        sistel map bouncing_ball.xml --x h=0.2:2:40 --y e=0:0.9:30
            what becomes of balls dropped from a height h
            что станет с мячами, отпущенными с высоты h
        sistel map walker.xml --x=F=-90:90:50 --y=u=0:0.3:50 --keep=work
            one that may be interrupted
            такая, которую можно прервать
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, do the runs, and say what became of them."""
    from sistel.units import TIME

    outputs = call.all("output")
    check_formats(outputs, FORMATS, Text("maps", "карт"))
    events = read_whole(call, "events", 1, 2**31 - 1)
    text = call.value("until")
    until = (UNTIL if events is None else UNTIL_EVENTS) if text is None else read_number("--until", text, TIME)
    tolerance, threads, given = read_tolerance(call), read_whole(call, "threads", 1, 2**31 - 1), read_parameters(call)
    words = {side: call.value(side) for side in ("x", "y")}
    for side, word in words.items():
        if word is None:
            wrong_call(
                "missing-option",
                Text(f"--{side} is missing: what changes along {side}", f"нет --{side}: что меняется вдоль {side}"),
                expected=Text(f"--{side} name=from:to:count", f"--{side} имя=от:до:сколько"),
            )
    system = read_system(call)
    from sistel.cli._main import DONE, INTERRUPTED

    line = ProgressLine(console)

    def progress(done: int, of: int) -> None:
        if line.due:
            line.show(f"{100 * done // of:3d} %  {done:,} / {of:,}")

    try:
        if given:
            system = system.with_parameters(given)
        sides = {side: _axis(system, side, str(word)) for side, word in words.items()}
        kinds = {
            kind: {name: values for side, (own, name, values) in sides.items() if own == kind} for kind in ("p", "i")
        }
        if sides["x"][1] == sides["y"][1]:
            wrong_call("twice", Text("x and y are the same", "x и y совпадают"))
        found = system.ensemble(
            until,
            initial=kinds["i"],
            parameters=kinds["p"],
            grid=True,
            events=events,
            stop=call.all("stop"),
            structure=call.value("structure"),
            tolerance=tolerance,
            threads=threads,
            cluster=call.value("cluster"),
            keep=call.value("keep"),
            progress=progress,
        )
    except SistelError as problem:
        if problem.diagnostics[0].code in NOT_THE_CALL:
            raise
        raise CallError(problem.diagnostics) from None
    finally:
        line.wipe()
    drawn = found.map(
        call.value("of") or "ends",
        x=sides["x"][1],
        y=sides["y"][1],
        title=call.value("title"),
        lang=console.lang,
    )
    for output in outputs:
        (found.save if PurePath(output).suffix == ".npz" else drawn.save)(output)
    _say(system, found, [(key.label, key.share) for key in drawn.keys], outputs, system.diagnostics, console)
    return DONE if found.stopped is None else INTERRUPTED


def _axis(system: System, side: str, word: str) -> tuple[str, str, list[float]]:
    """Whether a name is a parameter or an initial value, the name, and its values."""
    model = system.model
    name, _, rest = word.partition("=")
    name, parts = name.strip(), rest.split(":")
    parameter = next((p for p in model.parameters if p.name == name), None)
    initial = [*model.coordinate_names, *(f"{word}.rate" for word in model.rate_names), "t"]
    if parameter is None and name not in initial:
        known = [*(p.name for p in model.parameters), *initial]
        wrong_call(
            "unknown-name",
            Text(
                f'there is no parameter, coordinate or velocity "{name}"',
                f"нет параметра, координаты, скорости «{name}»",
            ),
            expected=one_of(known),
            hint=did_you_mean(name, known),
        )
    dimension = parameter.dimension if parameter is not None else _dimension(system, name)
    count = parts[2].strip() if len(parts) == 3 else ""
    if not count.isdecimal() or not 2 <= int(count) <= MOST or not name:
        wrong_call(
            "bad-values",
            Text(f'--{side} cannot be "{word}"', f"--{side} не может быть «{word}»"),
            expected=Text("name=from:to:count, such as theta=0:0.5:200", "имя=от:до:сколько: theta=0:0.5:200"),
        )
    begin, end = (read_number(f"--{side}", part, dimension) for part in parts[:2])
    number = int(count)
    values = [begin + (end - begin) * i / (number - 1) for i in range(number)]
    return ("p" if parameter is not None else "i"), name, values


def _dimension(system: System, name: str) -> Dimension:
    """Of a coordinate or velocity; plain for names that are none, which are refused later."""
    from sistel.units import ANGLE, LENGTH, PLAIN, TIME

    model = system.model
    bases = {"turn": ANGLE, "slide": LENGTH}
    joints = [body.joint.type for body in model.bodies]
    kinds = [kind for joint in joints for _, kind in joint.coordinates]
    if name in model.coordinate_names:
        return bases.get(kinds[model.coordinate_names.index(name)], PLAIN)
    if name.removesuffix(".rate") in model.rate_names:
        return bases.get(model.rate_kinds[model.rate_names.index(name.removesuffix(".rate"))], PLAIN).over(TIME)
    return TIME if name == "t" else PLAIN


def _say(
    system: System,
    found: Ensemble,
    keys: Sequence[tuple[str, float]],
    outputs: Sequence[str],
    problems: Sequence[Diagnostic],
    console: Console,
) -> None:
    lang, summary = console.lang, found.summary
    if console.json:
        console.document(
            {
                "name": system.name,
                "file": system.source.path,
                "runs": summary.runs,
                "of": len(found),
                "failed": summary.failed,
                "steps": summary.steps,
                "outcomes": {text.say(lang): count for text, count in summary.words()},
                "structures": dict(summary.structures),
                "events": {str(number): count for number, count in summary.events.items()},
                "map": [{"label": label, "share": share} for label, share in keys],
                "stopped": None if found.stopped is None else found.stopped.say(lang),
                "output": list(outputs),
                "diagnostics": [diagnostic.to_json(lang) for diagnostic in (*problems, *found.warnings)],
                "losses": [loss.to_json(lang) for loss in system.losses],
            }
        )
        return
    from sistel.views.text import clean

    runs = Text(f"{summary.runs:,} runs", f"запусков: {summary.runs}").say(lang)
    lines = [f"{clean(system.name)}: {runs}"]
    width = max((len(clean(label)) for label, _ in keys), default=0)
    lines += [f"  {clean(label):<{width}}  {100 * share:8.4g} %" for label, share in keys]
    console.write("\n".join(lines) + "\n")
    console.flush()
    console.diagnostics((*problems, *found.warnings))
    for index, en, ru in found.messages[:SHOWN]:
        console.message(Text(f"run {index}: {en}", f"запуск {index}: {ru}"))
    if found.stopped is not None:
        console.message(found.stopped)
    for output in outputs:
        console.written(output)
