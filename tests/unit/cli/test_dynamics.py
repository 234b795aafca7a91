"""`sistel dynamics`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sistel

MODELS = Path(__file__).resolve().parents[3] / "models"
PUMA, ARM5 = MODELS / "puma560.xml", MODELS / "arm5.xml"
MOVE = ("--from", "10,60,-40,50,0", "--to", "60,90,20,90,40", "--degrees")


def test_one_state(run) -> None:
    """Corke and Armstrong-Helouvry's Puma 560 (ICRA 1994): see `arms/test_travel.py`."""
    data = run("dynamics", PUMA, "--q", "ready", "--json").data
    assert data["torques"][0] == pytest.approx([0, -0.77523525, 0.24892875, 0, 0, 0], abs=1e-12)
    words = ("dynamics", PUMA, "--q", "0,45,180,0,45,0", "--degrees", "--friction")
    moving = run(*words, "--v", "1 rad/s", "--a", "1 rad/s^2", "--json").data
    assert moving["torques"][0] == pytest.approx(
        [32.4952427549307, 60.8669884751363, 17.7435949127643, 1.45451902607971, 1.29911041053789, 0.713780887483695],
        rel=1e-13,
    )
    assert moving["power"][0] == moving["torques"][0] and moving["friction"]
    text = run(*words, "--v", "1 rad/s", "--a", "1 rad/s^2")
    assert "60.8669885" in text.out and "Reactions" in text.out and "186.4" in text.out
    assert "Реакции" in run(*words, "--lang", "ru").out


def test_a_motion_with_a_load(run, tmp_path: Path) -> None:
    words = ("dynamics", ARM5, *MOVE, "--time", "1")
    data = run(*words, "--payload", "500g,0,0,20", "--json").data
    arm = sistel.load(ARM5)
    q, v, a = (np.array(data[key]) for key in "qva")
    plain = arm.inverse_dynamics(q, v, a)
    assert np.abs(np.array(run(*words, "--json").data["torques"]) - plain).max() < 1e-13
    assert run(*words, "--payload", "0.5,0m,0,2 cm", "--json").data["torques"] == data["torques"]
    torques = np.array(data["torques"])
    assert np.abs(torques - plain).max() > 0.5 and data["payload"] == 0.5
    # At rest the load is its weight at its lever.
    X = arm.pose(q[0], "инструмент")
    centre = X[:3, 3] + 0.02 * X[:3, 2]
    lever = centre - arm.pose(q[0], "плечо")[:3, 3]
    axis = arm.pose(q[0], "плечо")[:3, 2]
    assert torques[0, 1] - plain[0, 1] == pytest.approx(-axis @ np.cross(lever, [0, 0, -0.5 * 9.81]), abs=1e-13)
    # The rule of trapezoids on 200 stretches.
    assert np.sum(data["energy"][-1]) == pytest.approx(np.trapezoid(np.sum(data["power"], axis=1), data["t"]), rel=1e-3)
    result = run(*words, "--payload", "0.5", "-o", tmp_path / "arm.csv", "--lang", "ru")
    assert "груз 0.5 кг" in result.out and "работа" in result.out and (tmp_path / "arm.csv").stat().st_size > 1000


def test_a_table_of_motion(run, tmp_path: Path) -> None:
    assert run("trajectory", ARM5, *MOVE, "--time", "1", "--every", "0.05", "-o", tmp_path / "m.table.html").status == 0
    data = run("dynamics", ARM5, "--table", tmp_path / "m.table.html", "--json").data
    expected = run("dynamics", ARM5, *MOVE, "--time", "1", "--json").data
    assert np.array(data["q"])[-1] == pytest.approx(np.array(expected["q"])[-1], abs=1e-14)
    # A spline through 21 rows of a quintic.
    assert np.abs(np.array(data["torques"]) - np.array(expected["torques"]))[5:-5].max() < 0.05


def test_wrong_calls(run, tmp_path: Path) -> None:
    for words, said in (
        ((), "no motion"),
        (("--q", "ready", "--to", "ready"), "exclude"),
        (("--q", "ready", "-o", "a.csv"), "one state"),
        (("--q", "ready", "--v", "1,2"), "6 coordinates"),
        (("--q", "ready", "--v", "1 m"), "length"),
        (("--q", "ready", "--time", "3"), "exclude"),
        (("--q", "ready", "--every", "0.1"), "exclude"),
        (("--q", "ready", "--code", "0,5,0.4,0.2,0.3,61"), "exclude"),
        (("--to", "ready", "--v", "1"), "exclude"),
        (("--table", "none.html", "--kind", "cubic"), "exclude"),
        (("--q", "ready", "--payload", "x"), "--payload"),
        (("--q", "ready", "--payload", "1,2"), "--payload"),
        (("--q", "ready", "--payload", "-1"), "mass"),
        (("--table", str(tmp_path / "none.html")), "none.html"),
        (("--to", "ready", "--frame", "x"), "x"),
    ):
        result = run("dynamics", PUMA, *words)
        assert result.status == 2 and said in result.err and result.out == "", (words, result.err)


def test_networks_learn_and_are_compared(run, tmp_path: Path) -> None:
    arm, file = MODELS / "arm5.xml", tmp_path / "forces.json"
    ranges = ("--low=-0.5,1,-2,0.5,-0.5", "--high", "0.5,1.5,-1.5,1,0.5")
    taught = run("dynamics", arm, "--train", file, "--samples", "200", "--speed", "0.5", *ranges, "--json").data
    assert taught["samples"] == 200 and len(taught["joints"]) == 5 and taught["verdict"]
    words = ("dynamics", arm, "--from", "0,1.2,-1.8,0.7,0", "--to", "0.2,1.3,-1.7,0.8,0.1", "--time", "2")
    told = run(*words, "--networks", file, "--json").data
    exact, guessed = np.array(told["torques"]), np.array(told["torques_anfis"])
    errors = np.sqrt(((exact - guessed) ** 2).mean(axis=0))
    # Networks are near the equations within what they learnt, and never on them.
    assert (errors > 0.0).all() and (errors < 5.0 * np.array(list(taught["joints"].values())) + 1e-3).all()
    shown = run(*words, "--networks", file, "--lang", "ru")
    assert shown.status == 0 and "Ошибка сетей" in shown.out and "по сетям" in shown.out
    assert run("dynamics", arm, "--q", "нуль", "--samples", "300").status == 2
    assert run("dynamics", arm, "--q", "нуль", "--networks", arm).status == 2
