"""Random tables: programs for FAULHABER V2.5 do on emulated drives what their report says, row by row.

Two hundred of them; ten thousand where `SISTEL_THOROUGH=1` asks for them, as `benchmarks/bench_drives.py` does.
"""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from support.driving_tables import MODEL, NAMES, judge_family, judge_one
from support.thorough import cases

from sistel.drives import FAMILIES, emulate, parse_drives, plan_drives, write_program
from sistel.errors import SistelError, Source
from sistel.motion.trajectories import motion_table

COUNT = cases(200, 10_000)


@pytest.mark.slow
def test_every_row_is_reached_within_one_count_and_one_tick() -> None:
    refused = 0
    for seed in range(COUNT):
        try:
            far, late = judge_one(seed)
        except SistelError as problem:
            # A limit that is below a unit of the drive, or hardly above: the only reasons here.
            assert {each.code for each in problem.diagnostics} <= {"too-weak", "too-quick"}
            refused += 1
            continue
        # Two computations of the same trapezoid, one of them in ticks.
        assert far < 1e-3, seed
        assert late <= 1, seed
    assert refused < COUNT / 4


@pytest.mark.parametrize(
    ("family", "count"),
    [("faulhaber-v3", cases(20, 10_000)), ("dynamixel", cases(40, 10_000)), ("cia402", cases(2, 200))],
)
def test_other_families_reach_every_row_when_they_say(family: str, count: int) -> None:
    """Scripts, telegrams, packets and objects, executed by emulated drives; those of CiA 402 led by a master."""
    if family == "cia402":
        pytest.importorskip("canopen")
    for seed in range(count):
        assert judge_family(seed, family) <= 1, seed


def test_steps_that_g_code_cannot_tell_are_refused() -> None:
    """A number has eight digits: a drive with finer steps would stop beside its rows, and gets no program."""
    table = motion_table([0.0, 10.0], [[0.0, 0.0], [0.1, 0.0006]], names=NAMES, units=["rad", "m"])
    text = (
        '<drives><drive joint="a" node="1" ratio="2" speed="6000" acceleration="900"/>'
        '<drive joint="b" node="2" ratio="{}" lead="2" resolution="40000" speed="6000" acceleration="900"/></drives>'
    )
    fine, good = (parse_drives(Source("drives.xml", text.format(ratio)), MODEL) for ratio in (2000, 50))
    with pytest.raises(SistelError, match="finer than numbers of 8 digits") as caught:
        write_program(plan_drives(table, fine, FAMILIES["grbl"]))
    assert [str(each.span) for each in caught.value.diagnostics] == [
        f"drives.xml:1:{text.format(2000).index('40000') + 1}"
    ]
    plan = plan_drives(table, good, FAMILIES["grbl"])
    program = write_program(plan)
    assert any("steps a second" in each.en and "шагов в секунду" in each.ru for each in program.warnings)
    made = emulate(plan, program)
    assert made.counts[-1].tolist() == [axis.moves[-1].target for axis in plan.axes] == [102, 600_000]


@pytest.mark.parametrize(("resolution", "late"), [(200, math.inf), (4000, 30.0), (100_000, 2.0)])
def test_g_code_of_coarse_steps_arrives_when_its_plan_says(resolution: int, late: float) -> None:
    """Whole steps make rows early or late: the plan says by how much, and one row does not put off all others."""
    rng = Random(1)
    times, rows = [0.0], [[0.0, 0.0]]
    for _ in range(6):
        times.append(times[-1] + rng.uniform(0.3, 1.5))
        rows.append([rng.uniform(-1.0, 1.0), rng.uniform(-0.05, 0.05)])
    drives = parse_drives(
        Source(
            "drives.xml",
            f'<drives><drive joint="a" node="1" ratio="1" resolution="{resolution}" speed="6000" acceleration="900"/>'
            f'<drive joint="b" node="2" ratio="1" lead="5" resolution="{resolution}" speed="6000" acceleration="900"/>'
            "</drives>",
        ),
        MODEL,
    )
    program = write_program(
        plan_drives(motion_table(times, rows, names=NAMES, units=["rad", "m"]), drives, FAMILIES["grbl"])
    )
    plan = program.plan
    made = emulate(plan, program)
    assert not made.problems
    for i, axis in enumerate(plan.axes):
        moves = [move for move in axis.moves if move.way]
        assert [time for time, _ in made.arrivals[i]] == [move.arrival for move in moves]
        for move in moves:
            # It has made all its steps then, and stands for the pause; without one, it may speed up for a part of a tick.
            off = np.abs(made.counts[move.arrival : move.arrival + move.pause + 1, i] - move.target)
            assert off[:-1].max(initial=0.0) == 0.0
            assert off[-1] <= math.ceil(0.5 * axis.drive.acceleration / math.tau * axis.resolution * 1e-6)
            assert move.shift <= late
    worst = max(move.shift for axis in plan.axes for move in axis.moves)
    told = [each for each in program.warnings if "late by" in each.en and "опаздывает" in each.ru]
    assert len(told) == (worst > 2.0) and (not told or f"{worst:.3g} ms" in told[0].en)
    assert resolution > 200 or worst > 10.0
