"""Emulated drives that carry a system: against a joint computed by hand, against the simulation, and with faults."""

from __future__ import annotations

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cli._drive_files import again, carry
from sistel.drives import FAMILIES, DriveSet, Plan, emulate, plan_drives, read_drives, write_program
from sistel.drives._load import TICK, Load, PositionLoop, load_of
from sistel.errors import SistelError
from sistel.motion.trajectories import load_table, motion_table

MODELS = Path(__file__).parents[3] / "models" / "drives"
ARM = sistel.load(MODELS / "arm.xml")
DRIVES = read_drives(MODELS / "drives.xml", ARM.model)
TABLE = load_table(MODELS / "move.html")


def planned(family: str, drives: DriveSet = DRIVES) -> Plan:
    return plan_drives(TABLE, drives, FAMILIES[family])


class Turntable:
    """A joint with an inertia and nothing else, whose motion under a held moment is a parabola."""

    def __init__(self, inertia: float) -> None:
        self.inertia = inertia
        self.q, self.v = np.zeros(1), np.zeros(1)

    def step(self, forces: dict[str, float]) -> None:
        (force,) = forces.values()
        a = force / self.inertia
        self.q = self.q + self.v * TICK + 0.5 * a * TICK * TICK
        self.v = self.v + a * TICK


TURNTABLE = """<system name="turntable"><gravity value="0"/>
<body name="table" joint="revolute" mass="1" inertia="0.02"/></system>"""


def test_a_turntable_is_where_parabolas_take_it(tmp_path: Path) -> None:
    table = sistel.parse(TURNTABLE)
    file = tmp_path / "drives.xml"
    file.write_text(
        '<drives><drive joint="table" node="1" ratio="20" rotor="1e-5" speed="6000" acceleration="900"/></drives>'
    )
    drives = read_drives(file, table.model)
    way = motion_table([0.0, 0.5, 1.0], [[0.0], [1.2], [0.4]], names=["table"], units=["rad"])
    plan = plan_drives(way, drives, FAMILIES["faulhaber-v2"])
    carried = carry(table, plan)
    assert carried.load.loops[0].inertia == pytest.approx(0.02 + 400 * 1e-5, rel=1e-14)
    found = emulate(plan, write_program(plan), carried.load)
    by_hand = load_of(plan, Turntable(0.024), [0.024], [0.0])
    wanted = emulate(plan, write_program(plan), by_hand)
    assert not found.problems
    assert found.arrivals == wanted.arrivals
    assert np.abs(found.positions - wanted.positions).max() < 1e-12


@pytest.mark.parametrize("family", ["faulhaber-v2", "faulhaber-v3", "dynamixel"])
def test_the_simulation_goes_where_the_counters_say(family: str) -> None:
    plan = planned(family)
    carried = carry(ARM, plan)
    made = emulate(plan, write_program(plan), carried.load)
    assert not made.problems
    assert not carried.load.problems
    count = len(carried.load.forces)
    run = carried.system.simulate(TICK * count, q=carried.start, control=again(carried), period=TICK)
    ticks = np.arange(0, count, 50)
    reached = np.stack([run.quantity(f"q({joint})", TICK * ticks) for joint in ("shoulder", "elbow")], axis=1)
    assert np.abs(reached - made.positions[ticks]).max() < 1e-12
    # A loop of 15 Hz is some hundredths of a degree from where a shaft without load would be.
    bare = emulate(plan, write_program(plan))
    least = min(len(bare.counts), len(made.counts))
    late = np.degrees(np.abs(made.positions[:least] - bare.positions[:least]).max(axis=0))
    assert (late > 1e-3).all()
    assert (late < 0.1).all()


def test_a_loop_waits_at_its_limit() -> None:
    loop = PositionLoop(inertia=1.0, bandwidth=10.0, most=5.0)
    assert loop.force(1.0, 0.0) == 5.0
    assert loop.sum == 0.0
    assert loop.force(1e-3, 0.0) == pytest.approx(0.3 + 1000 * 1e-6)
    assert loop.sum == 1e-6


def test_a_heavy_load_ends_in_a_following_error() -> None:
    weak = tuple(dataclasses.replace(drive, current=0.3 if drive.node == 1 else 2.0) for drive in DRIVES.drives)
    plan = planned("cia402", dataclasses.replace(DRIVES, drives=weak))
    pytest.importorskip("canopen")
    load = carry(ARM, plan).load
    made = emulate(plan, write_program(plan), load)
    said = " ".join(problem.en for problem in made.problems)
    assert "drive 1 has stopped: following error" in said
    assert "all drives stand" in said
    assert any('the motor of "shoulder" is at its limit' in problem.en for problem in load.problems)


def test_grbl_has_no_loop() -> None:
    plan = planned("grbl")
    with pytest.raises(SistelError, match="never learns where the shafts are"):
        emulate(plan, write_program(plan), carry(ARM, plan).load)


def test_joints_that_a_scheme_moves_are_refused() -> None:
    text = (MODELS / "arm.xml").read_text()
    text = text.replace('<point name="hand"', '<motor name="M"/><point name="hand"')
    scheme = '<scheme name="s" period="1 ms"><output motor="M" from="1 N*m"/></scheme></system>'
    moved = sistel.parse(text.replace("</system>", scheme))
    with pytest.raises(SistelError, match="the file moves these joints itself: elbow"):
        carry(moved, planned("faulhaber-v2"))


@pytest.mark.parametrize("family", ["faulhaber-v2", "faulhaber-v3", "cia402"])
@pytest.mark.parametrize("speeds", [(-20.0, 30.0), (25.0, -10.0)])
def test_zeros_are_found_at_switches_on_both_sides(family: str, speeds: tuple[float, float]) -> None:
    if family == "cia402":
        pytest.importorskip("canopen")
    seeking = tuple(
        dataclasses.replace(drive, homing="switch", homing_speed=speed)
        for drive, speed in zip(DRIVES.drives, speeds, strict=True)
    )
    plan = planned(family, dataclasses.replace(DRIVES, drives=seeking))
    program = write_program(plan)
    made = emulate(plan, program)
    assert not made.problems
    assert made.counts[0].tolist() == [0.0, 0.0]
    assert [times[-1] for times in made.arrivals] == [(axis.moves[-1].arrival, 0) for axis in plan.axes]
    if family == "faulhaber-v3":
        side = [line for line in program.setup if "homing method" in line]
        # S, length, node, write, 6098.00, one byte: method 17 looks backwards, 18 forwards.
        assert [bytes.fromhex(line.split(maxsplit=1)[1].partition(";")[0])[7] for line in side] == [
            18 if speed > 0 else 17 for speed in speeds
        ]


def test_a_switch_that_is_not_there_is_told() -> None:
    from sistel.drives._emulator3 import emulate_faulhaber3, emulated_drives

    seeking = tuple(dataclasses.replace(drive, homing="switch", homing_speed=-20.0) for drive in DRIVES.drives)
    plan = planned("faulhaber-v3", dataclasses.replace(DRIVES, drives=seeking))
    drives = emulated_drives(plan)
    drives[0].axis.switches.clear()
    made = emulate_faulhaber3(plan, write_program(plan), drives=drives)
    assert any("no switch was found" in problem.en for problem in made.problems)


def test_what_carries_nothing_is_refused() -> None:
    with pytest.raises(SistelError, match="nothing is to be moved"):
        load_of(planned("faulhaber-v2"), Turntable(1.0), [0.0, math.nan], [0.0, 0.0])


def test_loads_are_made_anew() -> None:
    plan = planned("faulhaber-v2")
    first, second = (carry(ARM, plan).load for _ in range(2))
    assert isinstance(first, Load)
    one = emulate(plan, write_program(plan), first)
    two = emulate(plan, write_program(plan), second)
    assert np.array_equal(one.counts, two.counts)
