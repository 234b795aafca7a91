"""The command cycle with forces that repeat with the time."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

FORCED = """
<system name="forced" class="planar open chain">
  <parameter name="w" value="1.3 rad/s"/>
  <gravity value="0 m/s^2"/>
  <body name="a" joint="prismatic" axis="x" mass="2" stiffness="8 N/m" damping="0.6 N*s/m">
    <force value="3 N*cos(w*t), 0"/>
  </body>
</system>"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "forced.xml"
    path.write_text(FORCED)
    return path


def test_a_forced_oscillator(run, file: Path) -> None:
    lines = run("cycle", file, "--period", "2*pi/w").out.splitlines()
    assert lines[0] == "forced: a stable cycle" and not any("begins after" in line for line in lines)
    data = run("cycle", file, "--period", "2*pi/w", "--json").data
    z = 3.0 / (8.0 - 2.0 * 1.3**2 + 0.6j * 1.3)
    assert data["q"]["a"] == pytest.approx(z.real, rel=1e-13)
    assert data["period"] == pytest.approx(math.tau / 1.3, rel=1e-15)
    words = ("cycle", file, "--period", "2*pi/w", "--along", "w=1:2:3", "--json")
    assert [row["period"] for row in run(*words).data["cycles"]] == pytest.approx(
        [math.tau / w for w in (1.0, 1.5, 2.0)], rel=1e-15
    )


@pytest.mark.parametrize(("period", "status"), [("2*pi/u", 2), ("-1", 2), ("1 kg", 2), ("1", 1)])
def test_wrong_periods(run, file: Path, period: str, status: int) -> None:
    result = run("cycle", file, "--period", period)
    assert result.status == status and "error: " in result.err and "Traceback" not in result.err
