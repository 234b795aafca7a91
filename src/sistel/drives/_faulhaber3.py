"""FAULHABER V3.0: a BASIC script for every drive, and the same moves as telegrams with their times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sistel.drives import _objects402 as objects
from sistel.drives._cia402 import Step, steps_of
from sistel.drives._program import (
    ENABLE,
    HOME,
    LONGEST_HOMING,
    MOVE,
    PREPARE,
    Item,
    Program,
    Serial,
    flash_warning,
    left_to_user,
)
from sistel.drives._telegram3 import Telegram, control_word, read_object, write_object
from sistel.errors import Diagnostics, Text

if TYPE_CHECKING:
    from sistel.drives._plan import Axis, Plan

MOVE_SCRIPT = """:Move
SETOBJ $6083.$00 = a
SETOBJ $6084.$00 = a
SETOBJ $6081.$00 = v
SETOBJ $607A.$00 = p
SETOBJ $6040.$00 = $0F
SETOBJ $6040.$00 = $3F
DO
s = GETOBJ $6041.$00
LOOP UNTIL (s & $400) = $400
RETURN
"""
"""Speed, acceleration and target are in v, a and p; it waits until the target is reached."""
CONTROL = 0x3001
"""Object of the scripts: .01 command, .02 slot, .04 state, .09 error."""
LOAD, RUN = 1, 2


def script(axis: Axis, plan: Plan) -> Iterator[str]:
    """Lines of the script of one drive; variables that stay are not written again."""
    yield ":Start"
    yield f"SETOBJ $6060.$00 = {objects.PROFILE_POSITION}"
    for word in (objects.SHUTDOWN, objects.SWITCH_ON, objects.ENABLE):
        yield f"SETOBJ $6040.$00 = ${word:02X}"
    for move, speed, acceleration in axis.changes():
        if acceleration:
            yield f"a = {move.acceleration}"
        if speed:
            yield f"v = {move.speed}"
        if move.way:
            yield f"p = {move.target}"
            yield "GOSUB Move"
        for part in plan.family.pauses(move.pause):
            yield f"DELAY {part}"
    yield "END"
    yield from MOVE_SCRIPT.splitlines()


def telegram_of(step: Step) -> Telegram:
    """The telegram of a step."""
    if step.index == 0x6040:
        return control_word(step.node, step.value)
    return write_object(step.node, step.index, step.sub, objects.OBJECTS[step.index, step.sub].encode(step.value))


def _item(step: Step, time: int | None) -> Item:
    return Item(data=telegram_of(step).encode(), time=time, shown=f"{step.node}: {step.meaning}")


def _homing(steps: tuple[Step, ...]) -> Iterator[Item]:
    """The way to the zeros; bit 12 of the statusword says that one is found."""
    home = [step for step in steps if step.stage == "home"]
    yield from (_item(step, None) for step in home)
    for node in dict.fromkeys(step.node for step in home):
        asked = read_object(node, 0x6041, 0).encode()
        found = (objects.ACKNOWLEDGED, objects.ACKNOWLEDGED)
        yield Item(data=asked, until=found, patience=LONGEST_HOMING, shown=f"{node}: zero found?")


def _told(step: Step) -> str:
    return f"{step.time:>8} {telegram_of(step).encode().hex(' ').upper()} ; {step.meaning}"


def write_faulhaber3(plan: Plan) -> Program:
    """Scripts and telegrams of a plan.

    Raises:
        SistelError: A script does not fit into its slot.
    """
    diagnostics = Diagnostics()
    memory = plan.family.memory
    assert memory is not None
    scripts: dict[int, str] = {}
    for axis in plan.axes:
        text = "".join(line + "\n" for line in script(axis, plan))
        if len(text) > memory:
            diagnostics.error(
                "too-long",
                axis.drive.span,
                Text(
                    f'the script of "{axis.drive.joint}" has {len(text)} bytes, and a slot holds {memory}',
                    f"в скрипте «{axis.drive.joint}» {len(text)} байт, а в ячейку помещается {memory}",
                ),
                hint=Text("a table with fewer rows", "таблица с меньшим числом строк"),
            )
        scripts[axis.drive.node] = text
    diagnostics.raise_if_failed()
    steps = steps_of(plan)
    told = [_told(step) for step in steps if step.stage != "home"]
    before = [_told(step) for step in steps if step.stage == "home"]
    return Program(
        plan=plan,
        files={
            ".hex": "".join(line + "\n" for line in told),
            **({".setup.hex": "".join(line + "\n" for line in before)} if before else {}),
        },
        each={".bas": scripts},
        setup=tuple(before),
        lines=tuple(told),
        serial=Serial(
            baud=115200,
            frame="telegram",
            good="",
            stages=(
                (PREPARE, tuple(_item(step, None) for step in steps if step.stage == "setup")),
                *(((HOME, tuple(_homing(steps))),) if before else ()),
                (ENABLE, tuple(_item(step, None) for step in steps if step.stage == "enable")),
                (MOVE, tuple(_item(step, step.time) for step in steps if step.stage in ("move", "end"))),
            ),
            stop=tuple(
                Item(data=control_word(axis.drive.node, 0x02).encode(), answer=False, shown="quick stop")
                for axis in plan.axes
            ),
        ),
        warnings=(flash_warning(plan), *left_to_user(plan, "current", "limits")),
    )
