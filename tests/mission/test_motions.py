"""Rows A23 and A32 of the mission; each test is named after its row."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel

TABLE = """<html><body><h1>Программное движение</h1>
<table>
<tr><th>время, с</th><th>голень, град</th></tr>
<tr><td>0</td><td>0</td></tr>
<tr><td>0,5</td><td>30</td></tr>
<tr><td>1</td><td>0</td></tr>
</table></body></html>"""

MODEL = '<системаТел><тело имя="голень" КП="ВКП" масса="1" инерция="0.1">{}</тело></системаТел>'


def peak_angle(html: str) -> float:
    """The largest angle of the joint in a run of the model that the table of a page moves [deg]."""
    from sistel.motion.trajectories import read_table

    system = sistel.parse(MODEL.format(read_table(html).motion(lang="ru")))
    run = system.simulate(until=1.0)
    q, _ = run(np.linspace(0.0, 1.0, 401))
    return math.degrees(np.abs(q[:, 0]).max())


def test_A23() -> None:
    """Change 30 to 45 in a cell: the peak joint angle becomes 45°."""
    # A forced motion is followed to the tolerance of the run.
    assert peak_angle(TABLE) == pytest.approx(30.0, abs=1e-6)
    assert peak_angle(TABLE.replace("<td>30<", "<td>45<")) == pytest.approx(45.0, abs=1e-6)


def test_A32() -> None:
    """Two poses in, table out; end velocities 0."""
    from sistel.motion.trajectories import Limits, motion_between, read_table

    first, last = [0.0, math.radians(90.0)], [math.radians(60.0), math.radians(-15.0)]
    for ways in ({"duration": 1.5}, {"kind": "fastest", "limits": Limits(2.0, 8.0, 80.0)}):
        table = motion_between(first, last, every=0.01, names=["shoulder", "elbow"], units="deg", **ways)
        page = table.html(lang="en")
        assert "shoulder [deg]" in page and read_table(page).values.tolist() == table.values.tolist()
        assert table.values[0].tolist() == first and table.values[-1].tolist() == last
        # A model that the table moves begins and ends at rest, in the two poses.
        element = table.motion(interpolation="spline")
        text = (
            '<system><body name="shoulder" joint="revolute" mass="1" inertia="0.1">'
            f'<body name="elbow" joint="revolute" mass="1" inertia="0.1" place="300, 0"/></body>{element}</system>'
        )
        end = float(table.times[-1])
        run = sistel.parse(text).simulate(q=first, until=end)
        q, v = run([0.0, end / 2, end])
        assert np.abs(q[[0, 2]] - [first, last]).max() < 1e-6
        assert np.abs(v[[0, 2]]).max() < 1e-5 and np.abs(v[1]).max() > 0.5
        # The table itself: its first and last steps are those of a motion that starts from rest.
        steps = np.abs(np.diff(table.values, axis=0)).max(axis=1)
        assert steps[0] < 0.01 * steps.max() and steps[-1] < 0.01 * steps.max()
