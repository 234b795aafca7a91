"""`sistel trajectory`."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.motion import trajectories as tr

MODELS = Path(__file__).resolve().parents[3] / "models"
PUMA, ARM5 = MODELS / "puma560.xml", MODELS / "arm5.xml"
TO = ("--from", "nominal", "--to", "20,30,-150,10,40,5", "--degrees")


def ends(data: dict) -> tuple[np.ndarray, np.ndarray, float]:
    return np.array(data["q"][0]), np.array(data["q"][-1]), data["duration"]


@pytest.mark.parametrize("kind", ["cubic", "quintic", "septic", "trapezoid", "s-curve", "spline"])
def test_kinds_of_joints(run, kind: str) -> None:
    data = run("trajectory", PUMA, *TO, "--kind", kind, "--time", "1.5", "--json").data
    begin, end, duration = ends(data)
    assert duration == pytest.approx(1.5, rel=1e-12) and len(data["t"]) == 201
    assert np.degrees(begin) == pytest.approx([0, 45, -180, 0, 45, 0], abs=1e-12)
    assert np.degrees(end) == pytest.approx([20, 30, -150, 10, 40, 5], abs=1e-12)
    v, t = np.array(data["v"]), np.array(data["t"])
    assert np.abs(v[[0, -1]]).max() < 1e-12
    # The speed is the slope of the positions; where accelerations jump, to their size times the step.
    slope = np.gradient(np.array(data["q"]), t, axis=0)[2:-2]
    assert np.abs(slope - v[2:-2]).max() < np.abs(np.array(data["a"])).max() * (t[1] - t[0]) / 2
    peak = np.abs(v[:, 0]).max() / (math.radians(20) / 1.5)
    expected = {"cubic": 1.5, "quintic": 1.875, "septic": 2.1875, "trapezoid": 1.5, "s-curve": 1.75, "spline": 1.5}
    assert peak == pytest.approx(expected[kind], rel=1e-3)


def test_limits_choose_the_time(run) -> None:
    words = ("--speed", "60", "--acceleration", "200", "--jerk", "1000")
    data = run("trajectory", PUMA, *TO, "--kind", "s-curve", *words, "--json").data
    move = tr.fastest_move(*ends(data)[:2], tr.Limits(math.radians(60), math.radians(200), math.radians(1000)))
    assert data["duration"] == pytest.approx(move.duration, rel=1e-12)
    same = run("trajectory", PUMA, *TO, "--kind", "s-curve", "--speed", "60°/s", "--acceleration", "200°/s^2", "--jerk",
               "1000 deg/s^3", "--json").data  # fmt: skip
    assert same["duration"] == data["duration"]
    assert np.abs(data["v"]).max() <= math.radians(60) * (1 + 1e-12)


def test_stops_on_the_way(run) -> None:
    via = ("--via", "10,40,-160,0,45,0", "--via", "15,30,-150,0,45,0")
    data = run("trajectory", PUMA, *TO, *via, "--time", "3", "--json").data
    q, v = np.degrees(data["q"]), np.array(data["v"])
    near = np.abs(q - [10, 40, -160, 0, 45, 0]).max(axis=1).argmin()
    assert np.abs(v[near]).max() < 0.05 and data["duration"] == pytest.approx(3.0)
    smooth = run("trajectory", PUMA, *TO, *via, "--time", "3", "--kind", "spline", "--json").data
    q, v = np.degrees(smooth["q"]), np.array(smooth["v"])
    near = np.abs(q - [10, 40, -160, 0, 45, 0]).max(axis=1).argmin()
    assert np.abs(q[near] - [10, 40, -160, 0, 45, 0]).max() < 0.3 and np.abs(v[near]).max() > 0.1


def test_ways_in_space(run) -> None:
    arm = sistel.load(PUMA)
    begin = arm.pose(arm.model.start.q, "tool")
    line = run("trajectory", PUMA, "--at", "0.5,-0.3,0.7", "--speed", "0.25", "--acceleration", "1", "--json").data
    place = np.array(line["position"])
    assert place[0] == pytest.approx(begin[:3, 3], abs=1e-14) and place[-1] == pytest.approx(
        [0.5, -0.3, 0.7], abs=1e-14
    )
    way = place[-1] - place[0]
    assert np.abs(np.cross(place - place[0], way)).max() < 1e-14
    arc = run("trajectory", PUMA, "--at", "0.5,-0.3,0.7", "--kind", "arc", "--via", "0.52,-0.15,0.75", "--json").data
    place = np.array(arc["position"])
    assert np.linalg.norm(place - [0.52, -0.15, 0.75], axis=1).min() < 5e-3
    words = ("trajectory", PUMA, "--at", "500,-300,700", "--degrees", "--kind", "arc", "--via", "52cm,-150,0.75 m")
    assert run(*words, "--json").data["position"] == pytest.approx(place, abs=1e-12)
    screw = run("trajectory", PUMA, "--to", "0.3,0.6,-3,0.2,0.7,0", "--kind", "screw", "--time", "1", "--json").data
    assert screw["q"][-1] == pytest.approx([0.3, 0.6, -3, 0.2, 0.7, 0], abs=1e-7)
    joint = run("trajectory", PUMA, "--at", "0.5,-0.3,0.7", "--kind", "cubic", "--json").data
    assert joint["position"][-1] == pytest.approx([0.5, -0.3, 0.7], abs=1e-7)
    code = run("trajectory", PUMA, "--code", "0,5,0.4,0.2,0.3,61", "--kind", "quintic", "--json").data
    assert code["position"][-1] == pytest.approx([0.4, 0.2, 0.3], abs=1e-7)


def test_crossings_are_said(run) -> None:
    words = ("trajectory", ARM5, "--from", "0,30,0,60,0", "--to", "0,30,-170,60,0", "--degrees", "--time", "1")
    result = run(*words)
    assert result.status == 0 and "предплечье: position goes beyond" in result.err
    assert "положение выходит за предел" in run(*words, "--lang", "ru").err
    data = run(*words, "--json").data
    position = next(each for each in data["crossings"] if each["quantity"] == "position")
    assert (
        not data["kept"] and position["joints"] == ["предплечье"] and position["limit"] == pytest.approx(-2.617993878)
    )
    assert any(each["quantity"] == "singularity" and each["time"] == 0.0 for each in data["crossings"])


def test_tables_and_files(run, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("a.csv", "a.npz", "a.svg", "a.table.html", "a.html")]
    result = run("trajectory", ARM5, "--to", "30,60,20,90,0", "--degrees", "--every", "0.5",
                 *(word for file in files for word in ("-o", file)))  # fmt: skip
    assert result.status == 0 and all(file.stat().st_size > 500 for file in files)
    assert result.out.count("\n   2 ") + result.out.count("\n  2 ") >= 3 and "Accelerations" in result.out
    assert tr.load_table(files[3]).times.tolist() == [0.0, 0.5, 1.0, 1.5, 2.0]
    russian = run("trajectory", ARM5, "--to", "нуль", "--lang", "ru")
    assert "Ускорения" in russian.out and "инструмент" in russian.out


def test_wrong_calls(run) -> None:
    for words, said in (
        ((), "no target"),
        (("--to", "ready", "--at", "1,2,3"), "exclude"),
        (("--to", "1,2"), "6 coordinates"),
        (("--to", "ready", "--kind", "cubik"), "cubic"),
        (("--to", "ready", "--time", "-1"), "--time"),
        (("--to", "ready", "--speed", "1"), "--acceleration"),
        (("--to", "ready", "--speed", "1,2", "--acceleration", "1"), "6 coordinates"),
        (("--to", "ready", "--kind", "s-curve", "--speed", "1", "--acceleration", "1"), "--jerk"),
        (("--to", "ready", "--kind", "trapezoid", "--speed", "1", "--acceleration", "1", "--time", "0.1"), "shorter"),
        (("--to", "ready", "--kind", "trapezoid", "--speed", "1", "--acceleration", "1", "--jerk", "9"), "--jerk"),
        (("--to", "ready", "--kind", "arc"), "--via"),
        (("--to", "ready", "--time", "nan"), '--time cannot be "nan"'),
        (("--to", "ready", "--kind", "line", "--via", "ready"), "--via"),
        (("--at", "1,2"), "--at"),
        (("--at", "0.5,0.1,5", "--kind", "cubic"), "not reached"),
        (("--code", "0,5,0.4,0.2,0.3,99"), "99"),
        (("--to", "ready", "--every", "0"), "--every"),
        (("--to", "ready", "--frame", "toool"), "toool"),
        (("--to", "ready", "-o", "arm.doc"), ".csv"),
    ):
        result = run("trajectory", PUMA, *words)
        assert result.status == 2 and said in result.err and result.out == "", (words, result.err)
    # The arm cannot do it: the call was right.
    result = run("trajectory", PUMA, "--at", "0.5,0.1,5")
    assert result.status == 1 and "cannot follow" in result.err and "t = " in result.err
