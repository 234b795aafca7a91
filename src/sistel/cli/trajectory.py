"""`sistel trajectory`: a motion of an arm, its joints and its tool over time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, Unpack

from sistel.cli._arguments import Call, CallError
from sistel.cli._console import Console
from sistel.cli._described import examples
from sistel.cli._motion import EXCLUSIVE, MOTION, read_every, read_motion
from sistel.cli._motion_tables import (
    OUTPUT,
    check_outputs,
    common_data,
    crossing_data,
    motion_tables,
    say_crossings,
    say_tables,
    write_files,
)
from sistel.cli._postures import DEGREES, FRAME, read_posture, read_task, usual_frame
from sistel.cli._reading import of_system, read_system
from sistel.errors import SistelError, Text

if TYPE_CHECKING:
    from sistel.arms import Travel
    from sistel.solve.anfis import DynamicsNets
    from sistel.system import System

USAGE = of_system(
    about=Text(
        "Moves an arm from posture to posture, or its tool along a line, an arc or a screw in space: positions, "
        "velocities and accelerations of the joints and the way of the tool. Limits of the joints and motors that are "
        "passed, and singular postures, are said with their times.",
        "Ведёт руку из позы в позу или её инструмент по прямой, дуге или винту в пространстве: положения, скорости и "
        "ускорения сочленений и путь инструмента. Превышенные пределы сочленений и приводов и особые положения "
        "называются с их временами.",
    ),
    options=(
        FRAME,
        *MOTION,
        DEGREES,
        OUTPUT,
    ),
    examples=examples(
        """
        sistel trajectory puma560.xml --to ready --time 2
            by a polynomial
            полиномом
        sistel trajectory arm5.xml --to нуль -o arm.html
            as a page
            страницей
        sistel trajectory puma560.xml --at 0.5,-0.3,0.7
            the tool along a line
            инструмент по прямой
        sistel trajectory puma560.xml --to ready --speed=1 --acceleration=4
            as fast as limits allow
            как можно быстрее в пределах
        """
    ),
    exclusive=EXCLUSIVE,
)


def run(call: Call, console: Console) -> int:
    """Read the file, make the motion, and show or write it."""
    outputs = check_outputs(call)
    system = read_system(call)
    travel = travel_of(call, system)
    write_files(system, travel, outputs, console)
    if console.json:
        console.document(
            {**motion_data(system, travel), "kept": travel.kept, "outputs": outputs, **common_data(system, console)}
        )
        return 0
    lang = console.lang
    length = f"{travel.motion.duration:.6g}"
    heading = Text(f'{length} s, tool "{travel.frame}"', f"{length} с, инструмент «{travel.frame}»").say(lang)
    say_tables(system, heading, motion_tables(system, travel, read_every(call), lang), console)
    say_crossings(travel, console)
    for target in outputs:
        console.written(target)
    console.diagnostics(system.diagnostics)
    return 0


class Carried(TypedDict, total=False):
    """What is told of a motion beside its way: arguments of `System.along`."""

    payload: list[float] | None
    applied: bool
    networks: DynamicsNets | None


def travel_of(call: Call, system: System, **more: Unpack[Carried]) -> Travel:
    """Everything along the trajectory that a call asks for."""
    frame = usual_frame(call, system)
    try:
        start = read_posture(call, "from", system) or [float(x) for x in system.model.start.q]
        return system.along(
            read_motion(call, system, frame),
            frame,
            every=read_every(call),
            task=read_task(call),
            q=start,
            **more,
        )
    except SistelError as problem:
        if isinstance(problem, CallError) or any(each.code == "no-way" for each in problem.diagnostics):
            raise
        # Names, numbers and places all come from the command line.
        raise CallError(problem.diagnostics) from None


def motion_data(system: System, travel: Travel) -> dict[str, object]:
    """A motion as plain data [SI]."""
    return {
        "name": system.name,
        "frame": travel.frame,
        "joints": list(travel.names),
        "duration": travel.motion.duration,
        "t": travel.t.tolist(),
        "q": travel.q.tolist(),
        "v": travel.v.tolist(),
        "a": travel.a.tolist(),
        "position": travel.positions.tolist(),
        "crossings": crossing_data(travel),
    }
