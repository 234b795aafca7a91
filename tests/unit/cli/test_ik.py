"""`sistel ik`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel

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


def test_wrong_calls(run) -> None:
    for words, said in (
        ((), "no target"),
        (("--at", "1,2"), "three numbers"),
        (("--at", "1,2,x"), "cannot be"),
        (("--at", "1,2,3", "--code", "0,5,1,2,3,13"), "--code"),
        (("--code", "0,5,1,2,3,99"), "99"),
        (("--at", "0.4,0.2,0.3", "--frame", "toool"), "toool"),
        (("--pose-of", "1,2"), "q"),
        (("--at", "0.4,0.2,0.3", "--start", "1"), "q"),
    ):
        result = run("ik", PUMA, *words)
        assert result.status == 2 and said in result.err and result.out == "", (words, result.err)
