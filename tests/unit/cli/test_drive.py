"""`sistel drive`: files whole or not at all, exit statuses, both languages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.cli import main
from sistel.drives import FAMILIES, driven_text, emulate, plan_drives, read_drives, write_program
from sistel.motion.trajectories import load_table

DRIVES = Path(__file__).resolve().parents[3] / "models" / "drives"
ARM, TABLE = str(DRIVES / "arm.xml"), str(DRIVES / "move.html")


def test_nothing_is_written_where_anything_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weak = tmp_path / "drives.xml"
    weak.write_text((DRIVES / "drives.xml").read_text().replace('speed="8000"', 'speed="80"'))
    good, bad = tmp_path / "a.txt", tmp_path / "a.nc"
    assert main(["drive", ARM, "--table", TABLE, "--drives", str(weak), "-o", str(good)]) == 1
    said = capsys.readouterr().err
    assert "move.html:10:" in said and "needs" in said and said.count("error:") == 7
    assert main(["drive", ARM, "--table", TABLE, "-o", str(good), "-o", str(bad)]) == 2
    assert main(["drive", ARM, "-o", str(good)]) == 2
    assert main(["drive", ARM, "--table", TABLE, "--for", "cia402", "-o", str(tmp_path / "a.html")]) == 1
    assert main(["drive", ARM, "--table", str(tmp_path / "none.html"), "-o", str(good)]) == 1
    # The second file cannot be written: the first one is not, either.
    lost = tmp_path / "nowhere" / "b.report.csv"
    assert main(["drive", ARM, "--table", TABLE, "-o", str(good), "-o", str(lost)]) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["drives.xml"]


def test_a_drive_with_too_little_current_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weak = tmp_path / "drives.xml"
    weak.write_text((DRIVES / "drives.xml").read_text().replace('current="3"', 'current="0.5"'))
    assert main(["drive", ARM, "--table", TABLE, "--drives", str(weak), "--lang", "ru"]) == 1
    said = capsys.readouterr().err
    assert "«shoulder» требует" in said and "Н·м" in said and "drives.xml" in said


def test_all_files_of_a_family(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["drive", ARM, "--table", TABLE, "--for", "faulhaber-v3", "--json"]
    names = [tmp_path / name for name in ("move.bas", "move.hex", "move.report.csv")]
    assert main([*words, *(word for name in names for word in ("-o", str(name)))]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [Path(path).name for path in found["outputs"]] == ["move.1.bas", "move.2.bas", "move.hex", "move.report.csv"]
    assert all(Path(path).stat().st_size for path in found["outputs"])
    report = (tmp_path / "move.report.csv").read_text().splitlines()
    assert len(report) == 1 + 2 * 5 and report[3].startswith("2,1,shoulder,-29.9")


@pytest.mark.slow
def test_emulated_drives_move_the_model(tmp_path: Path) -> None:
    """The joints of a simulation go as the drives went: at every tick within one count of them."""
    system = sistel.load(ARM)
    plan = plan_drives(load_table(TABLE), read_drives(DRIVES / "drives.xml", system.model), FAMILIES["faulhaber-v2"])
    made = emulate(plan, write_program(plan))
    moved = sistel.parse(driven_text(system.model, made))
    until = float(made.times[-1])
    run = moved.simulate(until, q=made.positions[plan.lead])
    q, _ = run(made.times[plan.lead :])
    count = 1.0 / min(abs(axis.scale) for axis in plan.axes)
    # Rows of 10 ms joined by a spline: at the corners of the acceleration it differs by a few millionths of a radian.
    assert np.abs(q - made.positions[plan.lead :]).max() < count + 5e-5
    page = tmp_path / "arm.html"
    assert main(["drive", ARM, "--table", TABLE, "--emulate", "-o", str(page), "-o", str(tmp_path / "arm.svg")]) == 0
    text = (tmp_path / "arm.svg").read_text()
    assert text.startswith("<svg") and "shoulder" in text and page.stat().st_size > 100_000


def test_a_model_that_moves_by_itself_is_refused(tmp_path: Path) -> None:
    own = tmp_path / "arm.xml"
    text = Path(ARM).read_text()
    own.write_text(text.replace("</system>", '<motion of="elbow" formula="0.1*t"/></system>'))
    words = ["drive", str(own), "--table", TABLE, "--drives", str(DRIVES / "drives.xml"), "--emulate"]
    assert main([*words, "-o", str(tmp_path / "a.html")]) == 1
    assert not (tmp_path / "a.html").exists()
