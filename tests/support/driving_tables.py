"""Random tables of motion, and a judge of sequence programs: closed forms over the text alone, beside the emulator.

Tests judge a few hundred tables, `benchmarks/bench_drives.py` ten thousand.
"""

from __future__ import annotations

import math
import re
from random import Random

import numpy as np

import sistel
from sistel.drives import FAMILIES, DriveSet, emulate, parse_drives, plan_drives, write_program
from sistel.drives._profile import move_time
from sistel.errors import Source
from sistel.motion.trajectories import MotionTable, motion_table

MODEL = sistel.parse(
    '<system><body name="a" joint="revolute" mass="1" inertia="0.1">'
    '<body name="b" joint="prismatic" axis="x" place="300, 0" mass="1" inertia="0.1"/></body></system>'
).model
NAMES = ["a", "b"]
BASIC = re.compile(
    r":[A-Z][a-z]+|SETOBJ \$[0-9A-F]{4}\.\$[0-9A-F]{2} = ([a-z]|-?[0-9]+|\$[0-9A-F]+)|[a-z] = -?[0-9]+"
    r"|[a-z] = GETOBJ \$[0-9A-F]{4}\.\$[0-9A-F]{2}|DO|LOOP UNTIL \(s & \$[0-9A-F]+\) = \$[0-9A-F]+"
    r"|GOSUB [A-Z][a-z]+|DELAY [0-9]+|RETURN|END"
)
"""A line of a script for FAULHABER V3.0."""


def random_drives(rng: Random) -> DriveSet:
    """A turn and a slide with gears of all sizes."""
    text = "<drives>"
    for node, name in enumerate(NAMES, start=1):
        lead = f' lead="{rng.choice((2, 5, 10))}"' if name == "b" else ""
        text += (
            f'<drive joint="{name}" node="{node}" ratio="{rng.uniform(1.0, 200.0):.4g}"{lead}'
            f' resolution="{rng.choice((512, 2048, 3000, 4096, 40000))}" speed="{rng.randint(300, 12000)}"'
            f' acceleration="{rng.randint(20, 5000)}" direction="{rng.choice(("forward", "reverse"))}"'
            f' home="{rng.choice((0, 0, rng.uniform(-20, 20))):.3g}"/>'
        )
    return parse_drives(Source("drives.xml", text + "</drives>"), MODEL)


def random_table(rng: Random, drives: DriveSet) -> MotionTable:
    """Rows that the drives can follow, most of them with ease, some of them hardly."""
    count = rng.randint(2, 6)
    times, rows = [round(rng.uniform(0.0, 0.3), 3)], [[0.0, 0.0]]
    for drive, column in zip(drives.drives, range(2), strict=True):
        rows[0][column] = drive.home + rng.choice((0.0, 0.2)) / abs(drive.turns)
    for _ in range(count):
        time = rng.choice((rng.uniform(0.02, 0.6), rng.randint(3, 60) / 100.0))
        times.append(times[-1] + time)
        row = []
        for drive, before in zip(drives.drives, rows[-1], strict=True):
            # The farthest that a trapezoid with these limits gets.
            a, v = drive.acceleration, drive.speed
            far = a * time * time / 4.0 if a * time / 2.0 < v else v * (time - v / a)
            share = rng.choice((0.0, rng.uniform(-0.7, 0.7), rng.uniform(-0.01, 0.01)))
            row.append(before + share * far / (2.0 * math.pi * abs(drive.turns)))
        rows.append(row)
    return motion_table(times, rows, names=NAMES, units=["rad", "m"])


def judged(lines: list[str], resolution: int, ticks: int) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Positions at all ticks and arrivals of one drive, from the lines of its program without their nodes.

    Every move begins at rest, so each is a trapezoid or a triangle in closed form; a program goes on at the first tick
    at which a move is over.
    """
    made = np.zeros(ticks + 1)
    registers = {"SP": 0, "AC": 0, "DEC": 0, "LA": 0}
    clock, now = 0, 0
    arrivals: list[tuple[int, int]] = []
    for line in lines:
        found = re.fullmatch(r"([A-Z]+)(-?[0-9]+)?", line)
        assert found is not None
        name, argument = found[1], None if found[2] is None else int(found[2])
        if name in registers:
            assert argument is not None
            registers[name] = argument
        elif name == "DELAY":
            assert argument is not None
            clock += 10 * argument
        elif name == "M":
            way, v = registers["LA"] - now, registers["SP"] * resolution / 60.0
            a, d = registers["AC"] * resolution, registers["DEC"] * resolution
            top = min(v, math.sqrt(2.0 * abs(way) / (1.0 / a + 1.0 / d)))
            up, down = top / a, top / d
            cruise = (abs(way) - 0.5 * top * (up + down)) / top
            whole = up + cruise + down
            end = clock + math.ceil(1e3 * whole - 1e-6)
            t = 1e-3 * (np.arange(clock, min(end, ticks) + 1) - clock)
            left = np.maximum(whole - t, 0.0)
            share = np.where(
                t < up,
                0.5 * a * t * t,
                np.where(left < down, abs(way) - 0.5 * d * left * left, top * (t - 0.5 * up)),
            )
            made[clock : clock + len(t)] = now + math.copysign(1.0, way) * share
            now = registers["LA"]
            made[min(end, ticks) :] = now
            clock = end
            arrivals.append((end, now))
    return made, arrivals


def judge_one(seed: int) -> tuple[float, int]:
    """Compare one table three ways; the greatest distance of positions [increments] and of arrivals [ms]."""
    rng = Random(seed)
    drives = random_drives(rng)
    plan = plan_drives(random_table(rng, drives), drives, FAMILIES["faulhaber-v2"])
    program = write_program(plan)
    made = emulate(plan, program)
    assert not made.problems
    far, late = 0.0, 0
    for i, axis in enumerate(plan.axes):
        node = str(axis.drive.node)
        lines = [line.removeprefix(node) for line in program.lines if line.startswith(node)][1:-1]
        positions, arrivals = judged(lines, axis.resolution, len(made.counts) - 1)
        said = [(move.arrival, move.target) for move in axis.moves if move.way]
        # The report, the closed form over the text, and the ticks of the emulated drive.
        assert [target for _, target in arrivals] == [target for _, target in said]
        assert [target for _, target in made.arrivals[i]] == [target for _, target in said]
        times = [[time for time, _ in each] for each in (said, arrivals, made.arrivals[i])]
        late = max(late, *(abs(a - b) for k in (1, 2) for a, b in zip(times[0], times[k], strict=True)), 0)
        # Where an arrival falls on a tick but for rounding, one of the two may be a tick later from there on.
        if times[1] == times[2]:
            far = max(far, float(np.abs(positions - made.counts[:, i]).max()))
        for move in axis.moves:
            assert abs(move.error) * abs(axis.scale) <= 0.5 + 1e-9
            assert move.shift <= 0.5
            # Rounding has made nothing quicker than it must: with one unit of speed less the drive would be late.
            if move.way and move.speed > 1:
                slower = move_time(
                    move.way, (move.speed - 1) * axis.speed_unit, move.acceleration * axis.acceleration_unit
                )
                assert slower > 1e-3 * (round(move.deadline) - move.start) * (1.0 - 1e-9)
    return far, late


def judge_family(seed: int, family: str) -> int:
    """One table for drives of a family: every row is reached, at its count; how far from the tick it is told [ms]."""
    rng = Random(seed)
    drives = random_drives(rng)
    plan = plan_drives(random_table(rng, drives), drives, FAMILIES[family])  # type: ignore[arg-type]
    program = write_program(plan)
    if family == "faulhaber-v3":
        scripts = [line for text in program.each[".bas"].values() for line in text.splitlines()]
        assert [line for line in scripts if BASIC.fullmatch(line) is None] == []
    made = emulate(plan, program)
    assert not made.problems, (seed, made.problems)
    late = 0
    for axis, arrivals in zip(plan.axes, made.arrivals, strict=True):
        said = [(move.arrival, move.target) for move in axis.moves if move.way]
        assert [target for _, target in arrivals] == [target for _, target in said], seed
        late = max([late, *(abs(a - b) for (a, _), (b, _) in zip(arrivals, said, strict=True))])
    return late
