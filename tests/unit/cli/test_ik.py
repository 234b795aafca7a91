"""`sistel ik`."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.solve import anfis

MODELS = Path(__file__).resolve().parents[3] / "models"
PUMA = MODELS / "puma560.xml"


def test_a_pose_by_its_code(run) -> None:
    data = run("ik", PUMA, "--code", "0,5,0.4,0.2,0.3,61", "--json").data
    arm = sistel.load(PUMA)
    X = arm.pose(list(data["q"].values()), "tool")
    assert data["success"] and data["reason"] is None and data["frame"] == "tool"
    assert np.abs(X[:3, 3] - [0.4, 0.2, 0.3]).max() < 2e-8
    assert np.abs(X[:3, :3] - np.round(X[:3, :3])).max() < 2e-8  # an axial orientation
    several = run("ik", PUMA, "--code", "0,5,0.4,0.2,0.3,61", "--json", "--several").data["solutions"]
    assert len(several) > 1
    for each in several:
        assert np.abs(arm.pose(list(each.values()), "tool") - X).max() < 4e-8


@pytest.mark.parametrize("method", ["lm", "ccd"])
def test_a_posture_and_back(run, method: str) -> None:
    q = "0.3,0.7,0.5,0.9,0.2"
    words = ("ik", MODELS / "arm5.xml", "--pose-of", q, "--method", method, "--task", "pointing")
    result = run(*words, "--start", "0.2,0.6,0.6,0.8,0.1", "--lang", "ru")
    assert result.status == 0 and "погрешность" in result.out and result.out.count("°") == 5
    assert run(*words).out.endswith("\n") and "error" in run(*words).out


def test_out_of_reach(run) -> None:
    result = run("ik", PUMA, "--at", "5,0,0")
    assert result.status == 1 and "not reached" in result.err and "out of reach" in result.err
    data = run("ik", PUMA, "--at", "5,0,0", "--json").data
    assert not data["success"] and data["pose"][0][3] > 0.5


def test_fewer_joints_than_a_place_has_components(run) -> None:
    result = run("ik", MODELS / "pendulum.xml", "--frame", "rod", "--at", "0,0,-1")
    # Nothing can be left free where the place is all that is asked for.
    assert result.status == 1 and "only 1 coordinates" in result.err and "leave a component" not in result.err


def test_places_have_units(run) -> None:
    expected = run("ik", PUMA, "--at", "0.5,0.1,0.6", "--json").data
    assert expected["success"] and [row[3] for row in expected["pose"][:3]] == pytest.approx([0.5, 0.1, 0.6], abs=1e-8)
    for words in (("500 mm,10cm,0.6",), ("500,100,600", "--degrees"), ("0.5m,100,600mm", "--degrees")):
        assert run("ik", PUMA, "--at", *words, "--json").data["q"] == pytest.approx(expected["q"], abs=1e-9)


def test_wrong_calls(run) -> None:
    for words, said in (
        ((), "no target"),
        (("--at", "1,2"), "three numbers"),
        (("--at", "1,2,x"), 'cannot be "x"'),
        (("--at", "1,2,3 kg"), "a mass"),
        (("--at", "1e200,0,0"), "cannot be"),
        (("--pose-of", "column=1,column=2"), "twice"),
        (("--at", "1,2,3", "--code", "0,5,1,2,3,13"), "--code"),
        (("--code", "0,5,1,2,3,99"), "99"),
        (("--at", "0.4,0.2,0.3", "--frame", "toool"), "toool"),
        (("--pose-of", "1,2"), "--pose-of has 2 numbers"),
        (("--at", "0.4,0.2,0.3", "--start", "1"), "--start has 1 numbers"),
    ):
        result = run("ik", PUMA, *words)
        assert result.status == 2 and said in result.err and result.out == "", (words, result.err)


def test_all_branches(run) -> None:
    words = ("ik", PUMA, "--pose-of", "0.3,0.9,-1,0.4,0.6,0", "--method", "analytic", "--several")
    data = run(*words, "--json").data
    arm = sistel.load(PUMA)
    X = arm.pose([0.3, 0.9, -1.0, 0.4, 0.6, 0.0], "tool")
    assert data["success"] and len(data["solutions"]) >= 2 and data["iterations"] == 0
    for each in data["solutions"]:
        assert np.abs(arm.pose(list(each.values()), "tool") - X).max() < 1e-12
    result = run("ik", MODELS / "panda_like.xml", "--at", "0.4,0.2,0.3", "--method", "analytic", "--lang", "ru")
    assert result.status == 2 and "двигают 7" in result.err and "lm" in result.err


def test_networks(run, tmp_path: Path) -> None:
    arm5, file = MODELS / "arm5.xml", tmp_path / "arm5.json"
    ranges = ("--low", "-0.8,0.9,-2.2,0.4,-0.8", "--high=0.8,2.1rad,-0.9,97.4028deg,0.8")
    said = run("ik", arm5, "--train", file, "--samples", "100", *ranges, "--lang", "ru")
    assert said.status == 0 and "хуже численного решения" in said.out and "сохранено" in said.out
    report = anfis.load(file).report
    assert report.samples == 100 and not report.cut and report.say("ru") in said.out
    assert 0.0 < report.place.mean < 0.1 and report.solver.p95 < 1e-7
    words = ("ik", arm5, "--pose-of", "0.3,1.5,-1.5,1,0.2", "--networks", file)
    asked = run(*words, "--method", "anfis", "--json")
    assert asked.status == 1 and "networks miss" in asked.data["reason"]
    assert run(*words, "--json").data["success"]
    assert run(*words, "--method", "analytic", "--json").data["success"]
    for more, word in (
        (("--train", file, "--at", "1,2,3"), "--at"),
        (("--train", file, "--samples", "many"), "many"),
        (("--train", tmp_path / "no" / "file"), "no folder"),
        (("--at", "0.1,0.2,0.3", "--low", "0"), "--train"),
        (("--at", "0.1,0.2,0.3", "--method", "anfis"), "needs networks"),
        (("--at", "0.1,0.2,0.3", "--networks", tmp_path / "none"), "none"),
    ):
        result = run("ik", arm5, *more)
        assert result.status == 2 and word in result.err, (more, result.err)


def test_learning_is_ended_by_an_interrupt(run, tmp_path: Path, monkeypatch) -> None:
    import signal

    from sistel.cli import check

    monkeypatch.setattr(check.Progress, "__call__", lambda *_: signal.raise_signal(signal.SIGINT))
    before = signal.getsignal(signal.SIGINT)
    data = run("ik", MODELS / "arm5.xml", "--train", tmp_path / "cut.json", "--samples", "100", "--json").data
    assert data["cut"] and (tmp_path / "cut.json").exists() and len(data["joints"]) == 5
    assert data["tool"]["mean"] <= data["tool"]["worst"] and data["verdict"] and data["samples"] == 100
    assert signal.getsignal(signal.SIGINT) is before


def test_a_page_and_postures_with_units(run, tmp_path: Path) -> None:
    words = ("ik", MODELS / "arm5.xml", "--start", "вертикаль")
    plain = run(*words, "--pose-of", "0.3,0.7,0.5,0.9,0.2")
    page = tmp_path / "arm.html"
    degrees = ",".join(f"{math.degrees(x):.17g}" for x in (0.3, 0.7, 0.5, 0.9, 0.2))
    result = run(*words, "--pose-of", degrees, "--degrees", "-o", page)
    assert result.status == plain.status == 0
    # The last line has the error, which is rounding.
    assert result.out.splitlines()[:-1] == plain.out.splitlines()[:-1]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>") and str(page) in result.err
    wrong = run(*words, "--pose-of", "вертикаль", "-o", tmp_path / "arm.txt")
    assert wrong.status == 2 and not (tmp_path / "arm.txt").exists()


def test_all_methods_from_one_start_tell_their_errors(run):
    posture = [0.3, 0.9, -1.0, 0.4, 0.6, 0.0]
    call = ("ik", MODELS / "puma560.xml", "--pose-of", ",".join(map(str, posture)), "--method", "all")
    methods = run(*call, "--json").data["methods"]
    assert [key for key, each in methods.items() if each["success"]] == ["lm", "ccd", "analytic"]
    assert methods["anfis"]["q"] is None and "--networks" in methods["anfis"]["reason"]
    # Each error again, from the coordinates alone.
    arm = sistel.load(MODELS / "puma560.xml")
    wanted = arm.pose(posture, "tool")
    for key in ("lm", "ccd", "analytic"):
        X = arm.pose(list(methods[key]["q"].values()), "tool")
        assert np.linalg.norm(X[:3, 3] - wanted[:3, 3]) == pytest.approx(methods[key]["place"], rel=1e-6, abs=1e-15)
        turned = 2.0 * np.arcsin(np.linalg.norm(X[:3, :3] - wanted[:3, :3]) / 2**1.5)
        assert turned == pytest.approx(methods[key]["turn"], rel=1e-4, abs=1e-8)
    said = run(*call, "--lang", "ru")
    assert said.status == 0 and "Методы из одного начала" in said.out and "сети: нет сетей" in said.err
    assert run(*call, "-o", "x.html").status == 2


def test_the_tool_is_that_of_the_last_body_and_is_said(run, tmp_path):
    point, frame = '<point name="tip" place="200,0"/>', '<frame name="grip" place="100,0"/>'
    for marks, tool in ((point, "tip"), (point + frame, "grip"), ("", "b"), (point + '<point name="hand"/>', "hand")):
        model = tmp_path / "two.xml"
        body = f'<body name="b" place="300,0" joint="revolute">{marks}</body>'
        model.write_text(
            f'<system><body name="a" joint="revolute"><point name="elbow" place="9,0"/>{body}</body></system>'
        )
        assert run("ik", model, "--pose-of", "0.1,0.2", "--task", "position").out.startswith(f'tool "{tool}"\n')
    assert run("ik", MODELS / "arm5.urdf", "--at", "0.2,0.2,0.1").out.startswith('tool "tool"\n')
