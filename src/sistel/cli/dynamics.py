"""`sistel dynamics`: driving forces, powers and reactions of an arm that moves, with a load or without."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._motion import EXCLUSIVE, MOTION, asks_motion, read_every
from sistel.cli._motion_tables import (
    OUTPUT,
    SHEET,
    TABLE,
    asked_table,
    check_outputs,
    common_data,
    force_units,
    over_time,
    read_motion_table,
    say_crossings,
    say_tables,
    some_rows,
    table,
    write_files,
)
from sistel.cli._postures import DEGREES, FRAME, POSTURE_HELP, number_of, read_posture, read_rates, usual_frame
from sistel.cli._reading import of_system, read_system
from sistel.cli._training import TRAINING, only_training, train
from sistel.cli._transition import OTHERS, TRANSITION, pass_over
from sistel.cli._values import read_number, read_whole
from sistel.cli.trajectory import motion_data, travel_of
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from sistel.arms import Travel
    from sistel.cli.trajectory import Carried
    from sistel.errors import Language
    from sistel.plain import JsonObject
    from sistel.solve.anfis import DynamicsNets
    from sistel.system import System
    from sistel.views.text import Table

_OF_MOTIONS = ("--from", "--via", "--kind", "--time", "--speed", "--acceleration", "--jerk", "--task")
"""Options that say how to move, which neither one state nor a table asks for."""

USAGE = of_system(
    about=Text(
        "Computes, by Newton and Euler, what drives an arm in one state (--q, --v, --a), along a motion (--to and the "
        "other options of `sistel trajectory`), or along a table of motion: forces, powers, work and reactions.",
        "Вычисляет по Ньютону — Эйлеру, что движет рукой в одном состоянии (--q, --v, --a), вдоль движения (--to и "
        "другие ключи команды `sistel trajectory`) или по таблице движения: силы, мощности, работу и реакции.",
    ),
    options=(
        *options(
            f"""
            --q POSTURE | ПОЗА
                one state: {POSTURE_HELP.en}
                одно состояние: {POSTURE_HELP.ru}
            --v V[,V2,…]
                velocities there, in rad/s and m/s or with units; 0
                скорости в нём, в рад/с и м/с или с единицами; 0
            --a A[,A2,…]
                accelerations there, in the same way; 0
                ускорения в нём, так же; 0
            --payload M[,X,Y,Z]
                a load: kg, and its centre in the tool's frame in m, or with units
                груз: кг и место его центра в репере инструмента в м, или с единицами
            --friction
                springs, dampers and friction of the file act too
                действуют и пружины, вязкость и трение из файла
            """
        ),
        FRAME,
        *MOTION,
        TRANSITION,
        TABLE,
        SHEET,
        *options(
            """
            --networks FILE | ФАЙЛ
                networks that --train wrote: their forces are compared
                сети, которые записал --train: их силы сравниваются
            """
        ),
        *TRAINING,
        DEGREES,
        OUTPUT,
    ),
    examples=examples(
        """
        sistel dynamics puma560.xml --q ready
            the weight
            вес
        sistel dynamics puma560.xml --q nominal --v 1 --friction
            one state
            одно состояние
        sistel dynamics arm5.xml --to нуль --payload 0.5
            a motion with a load
            движение с грузом
        sistel dynamics puma560.xml --transition=14,36 --at=0.35,0.25,0.35 --payload=2
            a load turned between axial orientations
            поворот груза между осевыми ориентациями
        sistel dynamics arm5.xml --train forces.json
            teach networks
            обучить сети
        sistel dynamics arm5.xml --to нуль --networks forces.json
            ask them
            спросить их
        """
    ),
    exclusive=(
        *EXCLUSIVE,
        ("--q", "--to"),
        ("--q", "--table"),
        *(("--transition", other) for other in OTHERS),
        ("--table", "--to"),
        ("--table", "--at"),
        ("--table", "--code"),
        ("--q", "--at"),
        ("--q", "--code"),
        *(("--q", other) for other in (*_OF_MOTIONS, "--every")),
        *(("--table", other) for other in _OF_MOTIONS),
        *((one, state) for one in ("--to", "--at", "--code", "--table") for state in ("--v", "--a")),
        *(
            ("--train", other)
            for other in (
                "--q",
                "--to",
                "--at",
                "--code",
                "--table",
                "--networks",
                "--payload",
                "--friction",
            )
        ),
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, make the motion, and say what drives it."""
    outputs = check_outputs(call)
    load = _load(call)
    system = read_system(call)
    if call.given("train"):
        return _teach(call, console, system)
    only_training(call)
    networks = _networks(call)
    more: Carried = {"payload": load, "applied": call.given("friction"), "networks": networks}
    passage = pass_over(call, system, usual_frame(call, system), {**more}) if call.given("transition") else None
    travel = _travel(call, system, more, console) if passage is None else passage.travel
    one = call.given("q")
    if one and outputs:
        wrong_call(
            "bad-call", Text("one state is no motion to write", "одно состояние — не движение: записывать нечего")
        )
    write_files(system, travel, outputs, console, () if networks is None else (networks,))
    if console.json:
        said = {} if passage is None else {"transition": [passage.start, passage.end], "quaternions": passage.apart}
        console.document({**_data(system, travel), **said, "outputs": outputs, **common_data(system, console)})
        return 0
    lang = console.lang
    tables = [_joints(system, travel, one, lang), _reactions(travel, one, lang)]
    if not one:
        words = [f"{n}, {u}" for n, u in zip(travel.names, force_units(system, lang), strict=True)]
        title = Text("Driving forces", "Движущие силы").say(lang)
        rows = some_rows(travel, read_every(call))
        tables.insert(0, over_time(travel, rows, title, words, travel.torques, lang))
        if travel.torques_anfis is not None:
            title = Text("Driving forces by networks", "Движущие силы по сетям").say(lang)
            tables.insert(1, over_time(travel, rows, title, words, travel.torques_anfis, lang))
    if travel.anfis_errors is not None:
        tables.append(_missed(system, travel, lang))
    say_tables(system, _heading(travel, one, lang), tables, console)
    if passage is not None:
        console.write(passage.say().say(lang) + "\n")
        console.flush()
    if not one:
        say_crossings(travel, console)
    for target in outputs:
        console.written(target)
    console.diagnostics(system.diagnostics)
    return 0


def _load(call: Call) -> list[float] | None:
    """A mass, its centre, and moments and products of inertia, as many of them as are given [kg, m and kg·m²]."""
    from sistel.units import INERTIA, MASS

    text = call.value("payload")
    parts = [] if text is None else [part.strip() for part in text.split(",")]
    if text is not None and len(parts) not in (1, 4, 7, 10):
        wrong_call(
            "bad-number",
            Text(f'--payload cannot be "{text}"', f"--payload не может быть «{text}»"),
            expected=Text("numbers with commas between them: 1 / 4 / 7 / 10", "числа через запятую: 1 / 4 / 7 / 10"),
        )
    mass = [read_number("--payload", part, MASS) for part in parts[:1]]
    centre = [number_of(call, "payload", part, "slide") for part in parts[1:4]]
    return [*mass, *centre, *(read_number("--payload", part, INERTIA) for part in parts[4:])] or None


def _networks(call: Call) -> DynamicsNets | None:
    path = call.value("networks")
    if path is None:
        return None
    from sistel.solve import anfis

    try:
        found = anfis.load(path)
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None
    if not isinstance(found, anfis.DynamicsNets):
        wrong_call(
            "wrong-networks", Text("these are no networks of inverse dynamics", "это не сети обратной задачи динамики")
        )
    return found


def _teach(call: Call, console: Console, system: System) -> int:
    from functools import partial

    from sistel.solve import anfis

    told = read_whole(call, "inputs", 1, 3 * system.model.nq)
    speed, acceleration = (read_rates(call, key, system, per) for per, key in ((1, "speed"), (2, "acceleration")))
    teach = partial(
        anfis.train_dynamics,
        system,
        speed=1.0 if speed is None else speed,
        acceleration=1.0 if acceleration is None else acceleration,
        inputs=told,
    )
    return train(call, console, system, teach, {})


def _missed(system: System, travel: Travel, lang: Language) -> Table:
    """How far networks are from the equations."""
    assert travel.anfis_errors is not None
    ru = lang == "ru"
    rows = [
        [name, f"{each.rmse:.6g}", f"{each.worst:.6g}", unit]
        for name, each, unit in zip(
            system.model.rate_names, travel.anfis_errors, force_units(system, lang), strict=True
        )
    ]
    heads = ("", "среднеквадратичная", "наибольшая", "") if ru else ("", "rms", "greatest", "")
    return table("Ошибка сетей" if ru else "Error of the networks", heads, rows, left=1)


def _travel(call: Call, system: System, more: Carried, console: Console) -> Travel:
    path = asked_table(call)
    if not call.given("q") and path is None:
        if not asks_motion(call):
            wrong_call(
                "no-target",
                Text("there is no motion", "не сказано, как двигаться"),
                expected=Text("--q, --to, --at, --code or --table", "--q, --to, --at, --code или --table"),
            )
        return travel_of(call, system, **more)
    frame = usual_frame(call, system)
    try:
        if path is not None:
            return system.along(read_motion_table(call, path, console), frame, every=read_every(call), **more)
        return _state(call, system, frame, more)
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None


def _state(call: Call, system: System, frame: str, more: Carried) -> Travel:
    """One state, as the beginning of a motion that has it."""
    import numpy as np

    from sistel.motion.trajectories import Trajectory

    q = read_posture(call, "q", system)
    v, a = (read_rates(call, key, system, per) or [0.0] * system.nv for per, key in ((1, "v"), (2, "a")))
    if len(v) != system.nq:
        wrong_call("no-arm", Text("only hinges and slides", "только шарниры и ходы"))
    coefficients = np.array([[q, v, 0.5 * np.array(a)]], dtype=float)
    names = tuple(system.model.coordinate_names)
    moment = Trajectory(
        knots=np.array([0.0, 1e-9]), origins=np.zeros((1, system.nq)), coefficients=coefficients, names=names
    )
    return system.along(moment, frame, times=[0.0], **more)


def _heading(travel: Travel, one: bool, lang: Language) -> str:
    words = [Text(f'tool "{travel.frame}"', f"инструмент «{travel.frame}»").say(lang)]
    if not one:
        words.insert(0, f"{travel.motion.duration:.6g} {'с' if lang == 'ru' else 's'}")
    if travel.payload is not None:
        words.append(Text(f"load {travel.payload.mass:g} kg", f"груз {travel.payload.mass:g} кг").say(lang))
    if travel.applied:
        words.append(Text("with friction and springs", "с трением и пружинами").say(lang))
    return ", ".join(words)


def _joints(system: System, travel: Travel, one: bool, lang: Language) -> Table:
    """Of every drive: the force, or its greatest and root mean square, the limit, the power and the work."""
    import numpy as np

    from sistel.arms import force_limits

    ru = lang == "ru"
    limits = force_limits(system.model)
    rows = []
    for i, (name, unit) in enumerate(zip(system.model.rate_names, force_units(system, lang), strict=True)):
        force, power = travel.torques[:, i], travel.power[:, i]
        limit = f"{limits[i]:.6g}" if np.isfinite(limits[i]) else ""
        if one:
            rows.append([name, f"{force[0] + 0.0:.9g}", unit, limit, f"{power[0] + 0.0:.6g}"])
            continue
        peak = float(force[int(np.abs(force).argmax())])
        mean = float(np.sqrt((force**2).mean()))
        most = float(power[int(np.abs(power).argmax())])
        work = float(travel.energy[-1, i])
        rows.append([name, f"{peak + 0.0:.6g}", f"{mean:.6g}", unit, limit, f"{most + 0.0:.6g}", f"{work + 0.0:.6g}"])
    heads: tuple[str, ...]
    if one:
        heads = ("", "сила", "", "предел", "мощность, Вт") if ru else ("", "force", "", "limit", "power, W")
    else:
        heads = (
            ("", "наибольшая", "среднеквадратичная", "", "предел", "мощность, Вт", "работа, Дж")
            if ru
            else ("", "greatest", "rms", "", "limit", "power, W", "work, J")
        )
    return table("Приводы" if ru else "Drives", heads, rows, left=1)


def _reactions(travel: Travel, one: bool, lang: Language) -> Table:
    """What joints carry: the greatest moment and force."""
    import numpy as np

    ru = lang == "ru"
    rows = []
    for name, load in travel.reactions.items():
        if one:
            rows.append([name, *(f"{x + 0.0:.6g}" for x in load[0])])
        else:
            moment, force = np.linalg.norm(load[:, :3], axis=1), np.linalg.norm(load[:, 3:], axis=1)
            rows.append([name, f"{moment.max():.6g}", f"{force.max():.6g}"])
    if one:
        unit_m, unit_f = ("Н·м", "Н") if ru else ("N·m", "N")
        heads = ("", *(f"M{axis}, {unit_m}" for axis in "xyz"), *(f"F{axis}, {unit_f}" for axis in "xyz"))
        return table("Реакции" if ru else "Reactions", heads, rows, left=1)
    heads_two = ("", "момент, Н·м", "сила, Н") if ru else ("", "moment, N·m", "force, N")
    return table("Наибольшие реакции" if ru else "Greatest reactions", heads_two, rows, left=1)


def _data(system: System, travel: Travel) -> JsonObject:
    return {
        **motion_data(system, travel),
        "payload": None if travel.payload is None else travel.payload.mass,
        "friction": travel.applied,
        "torques": travel.torques.tolist(),
        "torques_anfis": None if travel.torques_anfis is None else travel.torques_anfis.tolist(),
        "power": travel.power.tolist(),
        "energy": travel.energy.tolist(),
        "reactions": {name: load.tolist() for name, load in travel.reactions.items()},
    }
