"""`sistel ik`: coordinates that bring a frame to a pose."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._motion_tables import check_outputs, common_data, say_tables
from sistel.cli._postures import (
    DEGREES,
    FRAME,
    POSTURE_HELP,
    Task,
    coded_pose,
    read_numbers,
    read_place,
    read_posture,
    read_task,
    usual_frame,
)
from sistel.cli._reading import of_system, read_system
from sistel.cli._training import TRAINING, draw_nets, only_training, train
from sistel.cli._values import read_whole
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.errors import Language
    from sistel.solve import Solution
    from sistel.system import System

ORIENTATIONS = {3: "none", 6: "angles", 9: "axes"}
"""What networks are told of a pose, by the number of their inputs."""

USAGE = of_system(
    about=Text(
        "Finds coordinates that bring a body, frame or point to where it is wanted, within the limits of the joints, "
        "and verifies them by forward kinematics. Where there are none, says what remains, which limits bind, and "
        "gives the nearest.",
        "Находит координаты, при которых тело, репер или точка окажется там, где нужно, в пределах сочленений, и "
        "проверяет их прямой задачей кинематики. Если таких нет, говорит, чего не хватает, какие пределы мешают, и "
        "даёт ближайшие.",
    ),
    options=(
        FRAME,
        *options(
            f"""
            --at X,Y,Z
                a place in metres or with units, in any orientation
                место в метрах или с единицами, с любой ориентацией
            --code NUMBERS | ЧИСЛА
                a pose by its digital code: kinds of coordinates and of orientation, then the numbers of both
                поза цифровым кодом: типы координат и ориентации, потом числа того и другого
            --pose-of POSTURE | ПОЗА
                the pose that another posture gives: {POSTURE_HELP.en}
                поза, которую дают другие координаты: {POSTURE_HELP.ru}
            --start POSTURE | ПОЗА
                where to begin, said likewise; by default at the start of the file
                откуда начать, в той же записи; по умолчанию с начального положения из файла
            """
        ),
        DEGREES,
        *options(
            """
            --task WHAT | ЧТО = pose|position|pointing
                pose, position alone, or pointing: position and the direction of z
                pose — поза, position — только место, pointing — место и направление z
            --method HOW | КАК = lm|ccd|analytic|anfis|all
                lm, Levenberg and Marquardt (the default); ccd, cyclic coordinate descent; analytic, a closed form
                    where the arm has one; anfis, what networks answer; all, side by side from the same start
                lm — Левенберг и Марквардт (по умолчанию); ccd — циклический покоординатный спуск; analytic — замкнутое
                    решение, если у руки оно есть; anfis — ответ сетей; all — все рядом, из одного начала
            --several
                all solutions that are found
                все найденные решения
            --networks FILE | ФАЙЛ
                networks that --train wrote: what anfis answers with and where other methods begin
                сети, которые записал --train: ими отвечает anfis, с их ответа начинают другие методы
            """
        ),
        *TRAINING,
        *options(
            """
            --output -o FILE | ФАЙЛ *
                a page that solves this and other poses by itself, .html; the networks as a picture, .svg. May be
                    repeated
                страница, которая сама решает эту и другие позы, .html; сети рисунком, .svg. Можно повторять
            """
        ),
    ),
    examples=examples(
        """
        sistel ik puma560.xml --at 0.4,0.2,0.3
            a place
            место
        sistel ik puma560.xml --code 0,5,0.4,0.2,0.3,61 --several
            a place with an axial orientation
            место с осевой ориентацией
        sistel ik arm5.xml --pose-of 0.3,0.7,0.5,0.9,0.2 --task pointing
            back to coordinates
            обратно к координатам
        sistel ik puma560.xml --pose-of 0.3,0.9,-1,0.4,0.6,0 --method analytic --several
            all branches
            все ветви
        sistel ik puma560.xml --pose-of 0.3,0.9,-1,0.4,0.6,0 --method all
            every method from the same start
            все методы из одного начала
        sistel ik puma560.xml --at 0.4,0.2,0.3 -o puma.html
            a page
            страница
        sistel ik arm5.xml --train arm5.json
            teach networks this arm
            обучить сети этой руке
        sistel ik arm5.xml --train=arm5.json --functions=23,21,25,26,31 -o nets.svg
            with so many functions, drawn
            со столькими функциями, и рисунок
        sistel ik arm5.xml --pose-of 0.3,0.7,0.5,0.9,0.2 --networks arm5.json
            begin at their answer
            начать с их ответа
        """
    ),
    exclusive=(
        ("--at", "--code"),
        ("--at", "--pose-of"),
        ("--code", "--pose-of"),
        ("--at", "--task"),
        *(("--train", other) for other in ("--at", "--code", "--pose-of", "--networks", "--method", "--several")),
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, find the coordinates, and say them."""
    words = {"at": read_place(call, "at"), "code": read_numbers(call, "code")}
    outputs = check_outputs(call, (".html", ".svg"))
    if call.given("train"):
        system = read_system(call)
        return _teach(call, console, system, usual_frame(call, system))
    only_training(call)
    drawings = [each for each in outputs if each.casefold().endswith(".svg")]
    if drawings and not call.given("networks"):
        wrong_call(
            "no-networks",
            Text(".svg shows networks, and there are none", ".svg показывает сети, а их нет"),
            expected=Text("--train or --networks", "--train или --networks"),
        )
    if words["at"] is None and words["code"] is None and not call.given("pose-of"):
        wrong_call(
            "no-target",
            Text("there is no target", "не сказано, куда двигать"),
            expected=Text("--at, --code or --pose-of; or --train", "--at, --code или --pose-of; или --train"),
        )
    if call.given("networks") and call.given("start") and call.value("method") != "all":
        wrong_call(
            "bad-call", Text("--networks and --start exclude each other", "--networks и --start — либо то, либо другое")
        )
    system = read_system(call)
    frame = usual_frame(call, system)
    words["pose-of"], start = (read_posture(call, key, system) for key in ("pose-of", "start"))
    method = cast("Any", call.value("method") or "lm")
    task: Task = "position" if words["at"] is not None else read_task(call)
    networks = call.value("networks")
    if method == "all":
        return _compare(call, console, system, frame, words, start, task)
    try:
        target = _target(system, frame, words)
        solution = system.inverse_kinematics(
            target, frame, method, q=start, task=task, several=call.given("several"), networks=networks
        )
    except SistelError as problem:
        # Names, numbers and poses all come from the command line.
        raise CallError(problem.diagnostics) from None
    for path in outputs:
        if path in drawings:
            continue
        _write_page(system, path, frame, target, start, task, method, networks, console.lang)
    if drawings:
        from sistel.solve import anfis

        draw_nets(cast("Any", anfis.load(str(networks))), drawings, console)
    if console.json:
        data = {"name": system.name, "frame": frame, **_data(system, solution, console.lang)}
        console.document({**data, "outputs": outputs, **common_data(system, console)})
    else:
        tool = Text(f'tool "{frame}"', f"инструмент «{frame}»")
        console.write(f"{tool.say(console.lang)}\n{_table(system, solution, console.lang)}")
        console.flush()
        if solution.reason is not None:
            console.message(solution.reason)
        for path in outputs:
            console.written(path)
        console.diagnostics(system.diagnostics)
    return 0 if solution.success else 1


def _compare(
    call: Call,
    console: Console,
    system: System,
    frame: str,
    words: dict[str, list[float] | None],
    start: list[float] | None,
    task: Task,
) -> int:
    """One pose by every method."""
    from sistel.cli._methods import METHODS, methods_data, methods_table, try_all

    if call.all("output") or call.given("several"):
        wrong_call(
            "bad-call",
            Text("--method all has no --output and no --several", "у --method all нет ни --output, ни --several"),
        )
    try:
        target = _target(system, frame, words)
        tried = try_all(system, frame, target, start, task, call.value("networks"))
    except SistelError as problem:
        raise CallError(problem.diagnostics) from None
    if console.json:
        data = {"name": system.name, "frame": frame, "methods": methods_data(system, tried, console.lang)}
        console.document({**data, **common_data(system, console)})
    else:
        tool = Text(f'tool "{frame}"', f"инструмент «{frame}»").say(console.lang)
        say_tables(system, tool, [methods_table(tried, console.lang)], console)
        for each in tried:
            if each.why_not is not None:
                name = METHODS[each.method]
                console.message(Text(f"{name.en}: {each.why_not.en}", f"{name.ru}: {each.why_not.ru}"))
        console.diagnostics(system.diagnostics)
    return 0 if any(each.success for each in tried) else 1


def _teach(call: Call, console: Console, system: System, frame: str) -> int:
    from functools import partial

    from sistel.solve import anfis

    count = read_whole(call, "inputs", 3, 9)
    if count is not None and (count not in ORIENTATIONS or call.given("task")):
        wrong_call(
            "bad-number",
            Text(f'--inputs cannot be "{count}"', f"--inputs не может быть «{count}»")
            if count not in ORIENTATIONS
            else Text("--inputs and --task say the same", "--inputs и --task говорят об одном"),
            expected=Text("3, 6 or 9", "3, 6 или 9"),
        )
    orientation = ORIENTATIONS[count or (3 if call.value("task") == "position" else 6)]
    teach = partial(anfis.train_ik, system, frame, orientation=cast("Any", orientation))
    return train(call, console, system, teach, {"frame": frame})


def _write_page(
    system: System,
    path: str,
    frame: str,
    target: Array,
    start: list[float] | None,
    task: Task,
    method: str,
    networks: str | None,
    lang: Language,
) -> None:
    """The page of the arm, open where this pose is solved."""
    from sistel.solve import anfis

    taught = () if networks is None else (cast("Any", anfis.load(networks)),)
    system.lesson(
        path,
        frame,
        mode="inverse",
        q=start,
        target=target,
        task=task,
        # The page has no closed forms: it searches.
        method=cast("Any", "lm" if method == "analytic" else method),
        networks=taught,
        lang=lang,
    )


def _target(system: System, frame: str, words: dict[str, list[float] | None]) -> Array:
    """The pose that is asked for, shape (4, 4)."""
    import numpy as np

    place, code, posture = words["at"], words["code"], words["pose-of"]
    if place is not None:
        target = np.eye(4)
        target[:3, 3] = place
        return target
    if code is not None:
        return coded_pose(code)
    assert posture is not None, "one of --at, --code and --pose-of is given"
    return np.asarray(system.pose(posture, frame))


def _data(system: System, solution: Solution, lang: Language) -> dict[str, object]:
    names = system.model.coordinate_names
    data: dict[str, object] = {
        "success": solution.success,
        "reason": None if solution.reason is None else solution.reason.say(lang),
        "q": dict(zip(names, solution.q.tolist(), strict=True)),
        "residual": solution.residual.tolist(),
        "pose": solution.nearest.tolist(),
        "iterations": solution.iterations,
    }
    if solution.solutions is not None:
        data["solutions"] = [dict(zip(names, row, strict=True)) for row in solution.solutions.tolist()]
    return data


def _table(system: System, solution: Solution, lang: Language) -> str:
    """Coordinates by rows, solutions by columns; angles in degrees too."""
    several = solution.solutions is not None and len(solution.solutions) > 0
    rows = solution.solutions.tolist() if several else [solution.q.tolist()]
    kinds = [kind for body in system.bodies for _, kind in body.joint.type.coordinates]
    names = list(system.model.coordinate_names)
    units = {"turn": Text("°", "°"), "slide": Text("mm", "мм"), "quaternion": Text("", "")}
    width = max(len(name) for name in names)
    lines = []
    for i, (name, kind) in enumerate(zip(names, kinds, strict=True)):
        scale = {"turn": 180.0 / math.pi, "slide": 1e3, "quaternion": 1.0}[kind]
        cells = "  ".join(f"{row[i] * scale:12.6f}" for row in rows)
        lines.append(f"{name:<{width}}  {cells} {units[kind].say(lang)}".rstrip())
    turn, slide = (math.hypot(*part.tolist()) for part in (solution.residual[:3], solution.residual[3:]))
    said = Text(
        f"error: {turn:.2g} rad, {slide:.2g} m; iterations: {solution.iterations}",
        f"погрешность: {turn:.2g} рад, {slide:.2g} м; итераций: {solution.iterations}",
    )
    return "\n".join([*lines, said.say(lang)]) + "\n"
