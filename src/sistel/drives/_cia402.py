"""CiA 402: a plan as a list of objects to write, each with its time, for any master."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sistel.drives import _objects402 as objects
from sistel.drives._program import Program, left_to_user
from sistel.errors import Text
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.drives._plan import Axis, Move, Plan


@entry
class Step:
    """An object that a master writes to a node."""

    time: int
    """On the clock of the program [ms]; everything before the first move is at 0."""
    node: int
    index: int
    sub: int
    value: int
    meaning: str
    stage: str
    """setup, home, enable, move or end."""


def steps_of(plan: Plan) -> tuple[Step, ...]:
    """What a master writes: settings, the way to "operation enabled", and the moves in the order of their times."""
    made = [step for axis in plan.axes for step in _setup(axis)]
    made += [step for axis in plan.axes for step in _home(axis)]
    made += [step for axis in plan.axes for step in _enable(axis)]
    moves = [step for axis in plan.axes for move in axis.moves if move.way for step in _move(axis, move)]
    made += sorted(moves, key=lambda step: step.time)
    end = plan.end
    made += [Step(end, axis.drive.node, 0x6040, 0, objects.SHUTDOWN, "off: shutdown", "end") for axis in plan.axes]
    return tuple(made)


def _setup(axis: Axis) -> Iterator[Step]:
    drive, node = axis.drive, axis.drive.node
    ends = sorted(axis.increments(each) for each in (drive.minimum, drive.maximum) if math.isfinite(each))
    if ends:
        # Where one end is open, the counter itself ends.
        least, greatest = sorted(
            axis.increments(each) if math.isfinite(each) else round(math.copysign(objects.WIDEST, each * axis.scale))
            for each in (drive.minimum, drive.maximum)
        )
        for sub, end in ((1, least), (2, greatest)):
            yield Step(0, node, 0x607D, sub, end, objects.OBJECTS[0x607D, sub].name, "setup")
    quick = math.ceil(drive.acceleration * axis.resolution / (2.0 * math.pi) / axis.acceleration_unit)
    yield Step(0, node, 0x6085, 0, quick, objects.OBJECTS[0x6085, 0].name, "setup")
    # Between two rows nobody speaks to the drive for so long; after twice that it stops by itself.
    yield Step(0, node, 0x6007, 0, 3, "quick stop where the master falls silent", "setup")
    yield Step(0, node, 0x6086, 0, 0, "trapezoidal profile", "setup")


def _home(axis: Axis) -> Iterator[Step]:
    """The counter becomes right: here, at a switch or at an index; the last step waits for bit 12 of the statusword."""
    drive, node = axis.drive, axis.drive.node
    if drive.homing == "none":
        return
    method = objects.HERE
    if drive.homing in METHODS:
        method = METHODS[drive.homing][drive.homing_speed > 0.0]
        counts = abs(drive.homing_speed) * axis.resolution / (2.0 * math.pi)
        speed = max(1, round(counts / axis.speed_unit))
        ramp = math.ceil(drive.acceleration * axis.resolution / (2.0 * math.pi) / axis.acceleration_unit)
        for index, sub, value in ((0x6099, 1, speed), (0x6099, 2, speed), (0x609A, 0, ramp)):
            yield Step(0, node, index, sub, value, objects.OBJECTS[index, sub].name, "home")
    yield Step(0, node, 0x607C, 0, 0, objects.OBJECTS[0x607C, 0].name, "home")
    yield Step(0, node, 0x6098, 0, method, objects.OBJECTS[0x6098, 0].name, "home")
    yield from _on(node, objects.HOMING, "mode: homing", "home")
    yield Step(0, node, 0x6040, 0, objects.START, HOMED, "home")


METHODS = {
    "switch": (objects.BACKWARD, objects.FORWARD),
    "index": (objects.INDEX_BACKWARD, objects.INDEX_FORWARD),
}
"""Backwards, and forwards."""
HOMED = "find the zero; wait for bit 12 of the statusword"


def _on(node: int, mode: int, meaning: str, stage: str) -> Iterator[Step]:
    """A mode, and the way to "operation enabled"."""
    yield Step(0, node, 0x6060, 0, mode, meaning, stage)
    for word, named in (
        (objects.SHUTDOWN, "ready to switch on"),
        (objects.SWITCH_ON, "switched on"),
        (objects.ENABLE, "operation enabled"),
    ):
        yield Step(0, node, 0x6040, 0, word, named, stage)


def _enable(axis: Axis) -> Iterator[Step]:
    yield from _on(axis.drive.node, objects.PROFILE_POSITION, "mode: profile position", "enable")


def _move(axis: Axis, move: Move) -> Iterator[Step]:
    node = axis.drive.node
    for index, value in ((0x6083, move.acceleration), (0x6084, move.acceleration), (0x6081, move.speed)):
        yield Step(move.start, node, index, 0, value, objects.OBJECTS[index, 0].name, "move")
    yield Step(move.start, node, 0x607A, 0, move.target, f"target of row {move.row}", "move")
    yield Step(move.start, node, 0x6040, 0, objects.ENABLE, "drop the start bit", "move")
    yield Step(move.start, node, 0x6040, 0, objects.START_NOW, "start", "move")


def write_cia402(plan: Plan) -> Program:
    """The program of a plan as JSON and as a table with commas."""
    steps = steps_of(plan)
    lines = tuple(f"{s.time} {s.node} {s.index:04X}.{s.sub:02X} = {s.value}" for s in steps)
    return Program(
        plan=plan,
        files={".json": _json(plan, steps), ".csv": _csv(steps)},
        lines=lines,
        warnings=(
            Text(
                "positions are counts, speeds counts/s and accelerations counts/s²: set the factors of the drive so",
                "положения — отсчёты, скорости — отсч./с, ускорения — отсч./с²: настройте так множители привода",
            ),
            *left_to_user(plan, "current"),
        ),
    )


def _json(plan: Plan, steps: tuple[Step, ...]) -> str:
    rows = [
        {
            "time_ms": step.time,
            "node": step.node,
            "object": f"0x{step.index:04X}.{step.sub:02X}",
            "value": step.value,
            "bits": objects.OBJECTS[step.index, step.sub].bits,
            "meaning": step.meaning,
            "stage": step.stage,
        }
        for step in steps
    ]
    body = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in rows)
    head = f'  "profile": "CiA 402",\n  "end_ms": {plan.end},\n  "lead_ms": {plan.lead},\n'
    return f'{{\n{head}  "steps": [\n{body}\n  ]\n}}\n'


def _csv(steps: tuple[Step, ...]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["time_ms", "node", "object", "value", "bits", "meaning", "stage"])
    for step in steps:
        bits = objects.OBJECTS[step.index, step.sub].bits
        name = f"0x{step.index:04X}.{step.sub:02X}"
        writer.writerow([step.time, step.node, name, step.value, bits, step.meaning, step.stage])
    return out.getvalue()
