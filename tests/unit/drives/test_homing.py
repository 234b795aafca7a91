"""Zeros of all families: at switches, at index pulses, by absolute encoders; and switches that are not there."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from pathlib import Path

import pytest

import sistel
from sistel.drives import FAMILIES, Drive, DriveSet, Emulation, Plan, emulate, plan_drives, read_drives, write_program
from sistel.drives import _objects402 as objects
from sistel.drives._axis402 import INDEX, SWITCH, Axis402
from sistel.drives._dynamixel import Servo, emulate_dynamixel
from sistel.drives._emulator3 import emulate_faulhaber3, emulated_drives
from sistel.drives._grbl import factor
from sistel.drives._grbl_machine import emulate_grbl, emulated_machine
from sistel.drives._run2 import emulate_faulhaber2, emulated_bus
from sistel.errors import SistelError
from sistel.motion.trajectories import load_table

MODELS = Path(__file__).parents[3] / "models" / "drives"
ARM = sistel.load(MODELS / "arm.xml")
DRIVES = read_drives(MODELS / "drives.xml", ARM.model)
TABLE = load_table(MODELS / "move.html")


def planned(family: str, homing: str, speeds: tuple[float, float] = (-20.0, 30.0), **more: object) -> Plan:
    drives = tuple(
        dataclasses.replace(drive, homing=homing, homing_speed=speed, **more)  # type: ignore[arg-type]
        for drive, speed in zip(DRIVES.drives, speeds, strict=True)
    )
    return plan_drives(TABLE, dataclasses.replace(DRIVES, drives=drives), FAMILIES[family])


def arrived(plan: Plan, made: Emulation) -> None:
    """Nothing went wrong, and the program was executed to the count."""
    assert [problem.en for problem in made.problems] == []
    assert made.counts[0].tolist() == [0.0, 0.0]
    for axis, times in zip(plan.axes, made.arrivals, strict=True):
        assert [target for _, target in times] == [move.target for move in axis.moves if move.way]


@pytest.mark.parametrize("speeds", [(-20.0, 30.0), (25.0, -10.0)])
def test_the_next_index_is_zero(speeds: tuple[float, float]) -> None:
    plan = planned("faulhaber-v3", "index", speeds)
    program = write_program(plan)
    drives = emulated_drives(plan)
    made = emulate_faulhaber3(plan, program, drives=drives)
    arrived(plan, made)
    for drive, axis, speed in zip(drives, plan.axes, speeds, strict=True):
        method = objects.INDEX_FORWARD if speed > 0 else objects.INDEX_BACKWARD
        assert drive.axis.values[0x6098, 0] == method
        # One pulse is at 0.3 turns, the one before it at -0.7: that which was found is the zero now.
        assert drive.axis.index in (0.0, axis.resolution)
        assert (drive.axis.index == 0.0) == (speed > 0)
    assert INDEX == 0.3


def test_cia402_finds_an_index_too() -> None:
    pytest.importorskip("canopen")
    plan = planned("cia402", "index")
    arrived(plan, emulate(plan, write_program(plan)))


@pytest.mark.parametrize("speeds", [(-20.0, 30.0), (25.0, -10.0)])
def test_grbl_stands_at_its_switches(speeds: tuple[float, float]) -> None:
    plan = planned("grbl", "switch", speeds)
    program = write_program(plan)
    assert "$H" in program.setup and [str(stage[0]) for stage in program.serial.stages][1]  # type: ignore[union-attr]
    machine = emulated_machine(plan)
    made = emulate_grbl(plan, program, machine=machine)
    arrived(plan, made)
    for axis, speed in zip(plan.axes, speeds, strict=True):
        number = "XYZ".index(axis.drive.axis)
        side = 1 if speed * axis.drive.sign > 0 else -1
        # Where the zero of the program really is: at the switch, to half a step of the motor.
        per = abs(axis.scale) / factor(axis)
        assert machine.zero[number] + machine.shift[number] == pytest.approx(
            side * SWITCH * axis.resolution / per, abs=0.51 / per
        )


def test_grbl_can_begin_where_it_stands() -> None:
    plan = planned("grbl", "here")
    program = write_program(plan)
    assert "G92 X0.000 Y0.000" in program.setup and not any("$H" in line for line in program.setup)
    arrived(plan, emulate(plan, program))


def test_absolute_encoders_get_an_offset() -> None:
    plan = planned("dynamixel", "none", encoder_zero=1234)
    program = write_program(plan)
    told = [line for line in program.lines if "homing offset" in line]
    # Address 20, four bytes: -1234.
    assert len(told) == 2 and all("14 00 2E FB FF FF" in line for line in told)
    servos = [Servo(node=axis.drive.node) for axis in plan.axes]
    for servo in servos:
        servo.actual = servo.point.position = 1234.0
    made = emulate_dynamixel(plan, program, servos=servos)
    arrived(plan, made)


def no_switch2(plan: Plan) -> Emulation:
    bus = emulated_bus(plan)
    bus.drives[0].switches.clear()
    made = emulate_faulhaber2(plan, write_program(plan), bus=bus)
    assert not any(drive.enabled for drive in bus.drives)
    return made


def no_switch3(plan: Plan) -> Emulation:
    drives = emulated_drives(plan)
    drives[0].axis.switches.clear()
    made = emulate_faulhaber3(plan, write_program(plan), drives=drives)
    assert all(drive.axis.point.velocity == 0.0 and drive.script is None for drive in drives)
    return made


def no_switch402(plan: Plan) -> Emulation:
    pytest.importorskip("canopen")
    from sistel.drives._canopen import Line, lead, quiet
    from sistel.drives._cia402 import steps_of

    with quiet(), Line(plan) as line:
        line.axes[0].switches.clear()
        made = lead(line, steps_of(plan))
        assert all(axis.point.velocity == 0.0 and not axis.seeking for axis in line.axes)
    return made


def no_switch_grbl(plan: Plan) -> Emulation:
    machine = emulated_machine(plan)
    machine.switches = dict.fromkeys(machine.switches, 1000000.0)
    made = emulate_grbl(plan, write_program(plan), machine=machine)
    assert machine.alarm and machine.send("G1 X5 F60") == "error:9"
    return made


@pytest.mark.parametrize(
    ("family", "run"),
    [("faulhaber-v2", no_switch2), ("faulhaber-v3", no_switch3), ("cia402", no_switch402), ("grbl", no_switch_grbl)],
)
def test_without_its_switch_nothing_begins(family: str, run: Callable[[Plan], Emulation]) -> None:
    made = run(planned(family, "switch"))
    said = " / ".join(problem.en for problem in made.problems)
    assert "not found" in said or "no switch was found" in said
    assert all(problem.en != problem.ru for problem in made.problems)
    assert not any(made.arrivals)


def test_a_held_shaft_ends_in_a_fault_before_its_zero() -> None:
    plan = planned("faulhaber-v3", "switch")
    drives = emulated_drives(plan)
    drives[1].axis.blocked = True
    made = emulate_faulhaber3(plan, write_program(plan), drives=drives)
    assert any("drive 2 has stopped before its zero: following error" in each.en for each in made.problems)
    assert drives[1].axis.state == "fault" and not any(made.arrivals)


def test_a_mode_cannot_change_on_the_way_to_the_switch() -> None:
    axis = Axis402(switches={-1: -1e6})
    for index, value in ((0x6098, 17), (0x6060, 6), (0x6040, 6), (0x6040, 7), (0x6040, 15), (0x6040, 31)):
        axis.write(index, 0, value)
    assert axis.seeking == -1
    with pytest.raises(Exception, match="08000022"):
        axis.write(0x6060, 0, 1)
    # A method that this drive has not is a homing error: bit 13.
    other = Axis402()
    for index, value in ((0x6098, 3), (0x6060, 6), (0x6040, 6), (0x6040, 7), (0x6040, 15), (0x6040, 31)):
        other.write(index, 0, value)
    assert other.status & objects.FOLLOWING and not other.status & objects.ACKNOWLEDGED


@pytest.mark.parametrize(
    ("family", "homing", "said"),
    [("faulhaber-v2", "index", 'does not find zeros by "index"'), ("grbl", "index", 'does not find zeros by "index"')],
)
def test_what_a_family_cannot_do_is_refused(family: str, homing: str, said: str) -> None:
    with pytest.raises(SistelError, match=said):
        planned(family, homing)


def test_grbl_has_switches_at_all_axes_or_at_none() -> None:
    def change(drive: Drive) -> Drive:
        return dataclasses.replace(drive, homing="switch") if drive.node == 1 else drive

    mixed: DriveSet = dataclasses.replace(DRIVES, drives=tuple(change(drive) for drive in DRIVES.drives))
    with pytest.raises(SistelError, match="looks for all switches at once"):
        plan_drives(TABLE, mixed, FAMILIES["grbl"])
