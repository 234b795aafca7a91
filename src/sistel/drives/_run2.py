"""A program for FAULHABER V2.5 on emulated drives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.drives._axis402 import LONGEST_HOMING, SWITCH, not_homed
from sistel.drives._emulation import AFTER, Emulation, check_length, emulation
from sistel.drives._emulator2 import Bus2, Faulhaber2
from sistel.drives._load import AFTER_LOAD, Load
from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.drives._plan import Plan
    from sistel.drives._program import Program


def emulated_bus(plan: Plan) -> Bus2:
    """Drives of a plan after power-on."""
    drives = []
    for axis in plan.axes:
        drive = Faulhaber2(node=axis.drive.node)
        if axis.drive.homing == "switch":
            side = 1 if axis.drive.homing_speed > 0.0 else -1
            drive.switches[0], drive.sides[0] = side * SWITCH * axis.resolution, side
        drives.append(drive)
    return Bus2(drives)


def emulate_faulhaber2(plan: Plan, program: Program, load: Load | None = None, *, bus: Bus2 | None = None) -> Emulation:
    """Send a program to emulated drives, start it, and watch until it ends."""
    check_length(plan)
    line = emulated_bus(plan) if bus is None else bus
    problems: list[Text] = []
    for text in program.setup:
        _send(line, text, problems)
    for _ in range(LONGEST_HOMING):
        if all(drive.mode != "homing" for drive in line.drives):
            break
        line.tick()
    seeking = [drive.node for drive in line.drives if drive.mode == "homing"]
    if seeking:
        line.command("DI")
        counts = [[drive.actual for drive in line.drives]] * (plan.end + 1)
        return emulation(plan, counts, [()] * len(line.drives), (*problems, not_homed(seeking)))
    for text in (*program.lines, *program.start):
        _send(line, text, problems)
    for drive in line.drives:
        drive.time = 0
        drive.arrivals.clear()
    if load is not None:
        load.attach(line.drives)
    counts = [[drive.actual for drive in line.drives]]
    for _ in range(plan.end + (AFTER if load is None else AFTER_LOAD)):
        if load is not None:
            load.move(line.drives)
        line.tick()
        counts.append([drive.actual for drive in line.drives])
    problems += [
        Text(
            f"drive {drive.node} has not ended its program: status {drive.status:017b}",
            f"привод {drive.node} не закончил программу: состояние {drive.status:017b}",
        )
        for drive in line.drives
        if drive.running or drive.deviation or not drive.enabled
    ]
    problems += [
        Text(f'a drive says "{said}"', f"привод сообщает «{said}»") for said in line.messages() if len(said) > 1
    ]
    return emulation(plan, counts, [drive.arrivals for drive in line.drives], problems)


def _send(line: Bus2, text: str, problems: list[Text]) -> None:
    said = line.command(text)
    if said not in ("", "OK"):
        problems.append(Text(f'{text}: the drive says "{said}"', f"{text}: привод отвечает «{said}»"))
