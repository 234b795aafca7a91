"""Rows A28 and A37 of the mission, through the command line; each test is named after its row."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path

import pytest

import sistel
from sistel.cli import main
from sistel.motion.trajectories import load_table

DRIVES = Path(__file__).resolve().parents[2] / "models" / "drives"
ARM, TABLE = DRIVES / "arm.xml", DRIVES / "move.html"
RATIO, RESOLUTION, SIGN = {1: 159, 2: 66}, 3000, {1: 1, 2: -1}
"""As drives.xml says."""


def drive(*words: str | Path) -> int:
    return main(["drive", str(ARM), "--table", str(TABLE), "--lang", "en", *map(str, words)])


def counts(node: int, degrees: float) -> int:
    return round(SIGN[node] * RATIO[node] * RESOLUTION * degrees / 360.0)


def test_A28(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every line matches ``[node]CMD[arg]``, framed PROGSEQ … END; positions equal table × ratio; the flash warns."""
    program = tmp_path / "move.txt"
    assert drive("-o", program) == 0
    assert "10,000 writes" in capsys.readouterr().err
    lines = program.read_text().splitlines()
    form = re.compile(r"(?P<node>[12])(?P<command>[A-Z]+)(?P<argument>-?[0-9]+)?")
    found = [form.fullmatch(line) for line in lines]
    assert all(found)
    blocks: dict[str, list[tuple[str, int | None]]] = {}
    for each in found:
        assert each is not None
        argument = each["argument"]
        blocks.setdefault(each["node"], []).append((each["command"], None if argument is None else int(argument)))
    table = load_table(TABLE)
    for node, block in blocks.items():
        assert [command for command, _ in block].count("PROGSEQ") == 1
        assert block[0] == ("PROGSEQ", None) and block[-1] == ("END", None)
        inside = {command for command, _ in block[1:-1]}
        assert inside <= {"EN", "SP", "AC", "DEC", "LA", "NP", "M", "DELAY"}
        asked = [counts(int(node), math.degrees(x)) for x in table.values[:, int(node) - 1]]
        moved = [now for before, now in zip([0, *asked], asked, strict=False) if now != before]
        assert [argument for command, argument in block if command == "LA"] == moved
        # A target is armed and started; with the pauses a program takes as long as its table.
        words = [command for command, _ in block]
        assert words.count("LA") == words.count("NP") == words.count("M") == len(moved)
    # Change a cell: its position changes, and nothing else does.
    other = tmp_path / "other.html"
    other.write_text(TABLE.read_text().replace("<td>-30<", "<td>-36<"))
    changed = tmp_path / "changed.txt"
    assert main(["drive", str(ARM), "--table", str(other), "-o", str(changed)]) == 0
    targets = [line for line in changed.read_text().splitlines() if line.startswith("1LA")]
    assert targets[0] == f"1LA{counts(1, -36.0)}"
    assert targets[1:] == [line for line in lines if line.startswith("1LA")][1:]


@pytest.mark.slow
def test_A37(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A CiA 402 master moves an emulated drive along the same table; a G-code file simulates."""
    pytest.importorskip("canopen")
    table = load_table(TABLE)
    asked = {
        name: [counts(node, math.degrees(x)) for x in table.values[:, node - 1]]
        for node, name in ((1, "shoulder"), (2, "elbow"))
    }
    for family in ("cia402", "grbl", "faulhaber-v2", "faulhaber-v3", "dynamixel"):
        capsys.readouterr()
        assert drive("--for", family, "--emulate", "--json") == 0
        found = json.loads(capsys.readouterr().out)
        assert found["emulation"]["problems"] == []
        for axis, emulated in zip(found["drives"], found["emulation"]["drives"], strict=True):
            reached = [each["counts"] for each in emulated["arrivals"]]
            wanted = asked[axis["joint"]]
            assert reached == [now for before, now in zip([0, *wanted], wanted, strict=False) if now != before]
            times = [each["time_ms"] for each in emulated["arrivals"]]
            said = [row["arrival_ms"] for row, change in zip(axis["rows"], _ways(wanted), strict=True) if change]
            assert max(abs(a - b) for a, b in zip(times, said, strict=True)) <= 1
            # At the rows the joint is where the table wants it: within one count of the drive.
            count = 1.0 / abs(axis["counts_per_unit"])
            assert emulated["at_rows"] <= count
            # Between them a trapezoid is within 1/64 of the way of the cubic; 1 ms of the top speed for times in ms.
            assert emulated["worst"] <= math.radians(75.0) / 64.0 + 1e-3 * 1.5 * math.radians(75.0) / 0.6
    # The G-code itself: every position of the table stands in it, and every line has its time.
    file = tmp_path / "move.nc"
    assert drive("--for", "grbl", "-o", file) == 0
    lines = file.read_text().splitlines()
    assert lines[:3] == ["G21", "G90", "G93"] and all("F" in line for line in lines if line.startswith("G1"))
    for row in table.values[1:]:
        assert any(f"Y{math.degrees(row[1]):.5f}" in line for line in lines)


def test_A37_drives_are_parts_of_the_system(tmp_path: Path) -> None:
    """The same file of drives, as blocks of a scheme: the simulation is at every row of the table in its time."""
    driven = tmp_path / "driven.xml"
    assert drive("-o", driven) == 0
    table = load_table(TABLE)
    run = sistel.load(driven).simulate(2.5)
    for column, (node, joint) in enumerate(((1, "shoulder"), (2, "elbow"))):
        step = math.radians(360.0) / (RATIO[node] * RESOLUTION)
        wanted = [SIGN[node] * step * counts(node, math.degrees(x)) for x in table.values[:, column]]
        told = run.quantity(f"drive {node}.position", table.times)
        assert max(abs(a - b) for a, b in zip(told, wanted, strict=True)) < 1e-6 * step
        # The loop leaves a joint within a twentieth of a degree when it arrives, and at rest within its window.
        there = run.quantity(f"angle({joint})", table.times)
        assert max(abs(a - b) for a, b in zip(there, wanted, strict=True)) < math.radians(0.05)
        assert run.quantity(f"drive {node}.reached", [2.5]) == 1.0


def _ways(wanted: list[int]) -> list[bool]:
    return [now != before for before, now in zip([0, *wanted], wanted, strict=False)]
