"""Rows A24, A33, B28 and B33 of the mission, through the command line alone; each test is named after its row."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from sistel.cli import main

TASKS = Path(__file__).parents[2] / "models" / "tasks"
FOUR = {"reach.xml": "kinematics", "hold.xml": "statics", "move.xml": "dynamics", "servo.xml": "control"}


def solved(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    """What `sistel solve` says to programs; everything is solved, and every check agrees."""
    status = main(["solve", *words, "--json", "--lang", "en"])
    out = capsys.readouterr()
    assert status == 0, out.err
    found = json.loads(out.out)
    assert found["good"]
    return dict(found)


def answers(found: dict[str, object], place: int = 0) -> dict[str, float]:
    """The answers of one problem, the first branch where there are several [SI]."""
    problems = found["problems"]
    assert isinstance(problems, list)
    made: dict[str, float] = {}
    for answer in problems[place]["answers"]:
        made.setdefault(answer["wanted"], answer["value"])
    return made


@pytest.mark.slow
def test_A24(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Each sample task yields a table; a wrong node reports line and column."""
    for name in FOUR:
        assert main(["solve", str(TASKS / name), "--lang", "en"]) == 0
        shown = capsys.readouterr().out
        assert "Answers" in shown and "✓" in shown and "✗" not in shown
    text = (TASKS / "reach.xml").read_text(encoding="utf-8")
    (tmp_path / "arm.xml").write_text((TASKS / "arm.xml").read_text(encoding="utf-8"), encoding="utf-8")
    wrong = tmp_path / "wrong.xml"
    wrong.write_text(
        text.replace('<kinematics name="direct"', '<kinematic name="direct"')
        .replace('frame="hand" place', 'frame="hnad" place')
        .replace("velocity=", "velocty="),
        encoding="utf-8",
    )
    assert main(["solve", str(wrong), "--lang", "en"]) == 1
    told = capsys.readouterr().err
    # All three at once, each with its place and what was meant.
    assert f"{wrong}:4:4: error: unknown element" in told and 'did you mean "kinematics"?' in told
    assert f"{wrong}:6:37: error: the model has no body, point or frame" in told and 'did you mean "hand"?' in told
    assert f"{wrong}:6:60: error: element" in told and 'did you mean "velocity"?' in told


@pytest.mark.slow
def test_A33(capsys: pytest.CaptureFixture[str]) -> None:
    """Four task files, one unchanged model file: direct and inverse kinematics, statics, dynamics, control."""
    model = (TASKS / "arm.xml").read_bytes()
    found = {name: solved(capsys, str(TASKS / name)) for name in FOUR}
    assert (TASKS / "arm.xml").read_bytes() == model
    assert all(str(each["model"]).endswith("arm.xml") for each in found.values())
    for name, kind in FOUR.items():
        problems = found[name]["problems"]
        assert isinstance(problems, list)
        assert {problem["kind"] for problem in problems} == {kind}
        assert all(problem["checks"] for problem in problems)

    l1, l2, m1, m2, g = 0.4, 0.3, 3.0, 2.0, 9.81
    a, b = math.radians(30), math.radians(45)
    hand = answers(found["reach.xml"])
    assert hand["x(hand)"] == pytest.approx(l1 * math.cos(a) + l2 * math.cos(a + b), abs=1e-15)
    assert hand["y(hand)"] == pytest.approx(l1 * math.sin(a) + l2 * math.sin(a + b), abs=1e-15)
    # The law of cosines, both signs of the elbow.
    joints = found["reach.xml"]["problems"][1]["answers"]  # type: ignore[index]
    x, y = 0.45, 0.25
    elbow = math.acos((x * x + y * y - l1 * l1 - l2 * l2) / (2 * l1 * l2))
    assert sorted(each["value"] for each in joints if each["wanted"] == "forearm") == pytest.approx(
        [-elbow, elbow], abs=1e-8
    )
    held = answers(found["hold.xml"])
    M = 1.5
    moment2 = -(m2 / 2 + M) * g * l2 * math.cos(a + b)
    moment1 = moment2 - (m1 / 2 + m2 + M) * g * l1 * math.cos(a)
    assert held["torque(elbow)"] == pytest.approx(moment2, rel=1e-13)
    assert held["torque(shoulder)"] == pytest.approx(moment1, rel=1e-13)
    assert held["reaction(upper arm).y"] == pytest.approx(-(m1 + m2 + M) * g, rel=1e-13)
    # Stretched: 60 N·m of the shoulder hold the weights of both links and of the load.
    largest = (60.0 / g - m1 * l1 / 2 - m2 * (l1 + l2 / 2)) / (l1 + l2)
    assert answers(found["hold.xml"], 3)["largest load"] == pytest.approx(largest, rel=1e-12)
    # At an instant: Lagrange's equations of the two links.
    instant = answers(found["move.xml"], 2)
    h = m2 * l1 * l2 / 2
    acceleration, rate = math.radians(100), math.radians(60)
    M11 = m1 * l1**2 / 3 + m2 * (l1**2 + l2**2 / 3) + 2 * h * math.cos(math.pi / 2)
    M12 = m2 * l2**2 / 3 + h * math.cos(math.pi / 2)
    weight = -(m1 / 2 + m2) * g * l1
    assert instant["force on upper arm"] == pytest.approx(M11 * acceleration - h * rate**2 + weight, rel=1e-12)
    assert instant["force on forearm"] == pytest.approx(M12 * acceleration, rel=1e-12)
    servo = answers(found["servo.xml"])
    assert 0.0 < servo["overshoot(angle(upper arm), 30 deg)"] < 0.05
    assert servo["reached(angle(forearm), 45 deg, 0.5 deg)"] == 1.0
    assert servo["settling(angle(upper arm), 30 deg, 2 %)"] < 0.5


@pytest.mark.slow
def test_B33(capsys: pytest.CaptureFixture[str]) -> None:
    """Reach, payload and cycle time in, link lengths and motors out; verified by workspace, capacity and a run."""
    found = solved(capsys, str(TASKS / "design.xml"))
    got = answers(found)
    # The longest reach of two links is their sum, and equal links leave the smallest hole.
    assert got["l1"] + got["l2"] == pytest.approx(0.9, abs=1e-9)
    assert got["l1"] == pytest.approx(0.45, abs=1e-9)
    assert got["reach"] >= 0.9 - 1e-9
    assert got["largest load along the cycle"] >= 2.0
    problem = found["problems"][0]  # type: ignore[index]
    assert [check["good"] for check in problem["checks"]] == [True, True, True]
    assert {answer["remark"] for answer in problem["answers"]} >= {"L", "M"}


@pytest.mark.slow
def test_B28_lengths(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Link lengths found for a required reach; one that cannot be had is refused with the reason."""
    for name in ("arm.xml", "motors.xml"):
        (tmp_path / name).write_text((TASKS / name).read_text(encoding="utf-8"), encoding="utf-8")
    text = (TASKS / "design.xml").read_text(encoding="utf-8").replace('parameters="l1, l2"', 'parameters="l2"')
    task = tmp_path / "one.xml"
    task.write_text(text.replace("0.9 m", "0.75 m"), encoding="utf-8")
    got = answers(solved(capsys, str(task)))
    assert got["l2"] == pytest.approx(0.35, abs=1e-9)  # the upper arm has 0.4 m
    task.write_text(text.replace("0.9 m", "1.9 m"), encoding="utf-8")
    assert main(["solve", str(task), "--lang", "en"]) == 1
    assert "the longest links reach 1 m, not 1.9 m" in capsys.readouterr().out
