"""`sistel fk`."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel

MODELS = Path(__file__).resolve().parents[3] / "models"
PUMA = MODELS / "puma560.xml"


def test_a_posture(run) -> None:
    data = run("fk", PUMA, "--q", "10°,40°,-90°,0,30°,0", "--json").data
    arm = sistel.load(PUMA)
    q = np.radians([10, 40, -90, 0, 30, 0])
    assert list(data["q"].values()) == pytest.approx(q.tolist(), abs=1e-15)
    assert np.array_equal(data["pose"], arm.pose(list(data["q"].values()), "tool")) and data["frame"] == "tool"
    assert data["position"] == [row[3] for row in data["pose"][:3]] and data["axial_code"] is None
    # Turned back by its angles and by its quaternion.
    roll, pitch, yaw = data["roll_pitch_yaw"]
    assert (math.degrees(pitch), math.degrees(yaw)) == pytest.approx((20.0, 10.0), abs=1e-12) and abs(roll) < 1e-12
    y, z = data["quaternion"][2:]
    assert data["pose"][0][0] == pytest.approx(1 - 2 * (y * y + z * z), abs=1e-15)
    J = np.array(data["jacobian"])
    assert data["manipulability"]["pose"] == pytest.approx(abs(np.linalg.det(J)), rel=1e-9)
    place = J[3:]
    assert data["manipulability"]["position"] == pytest.approx(math.sqrt(np.linalg.det(place @ place.T)), rel=1e-9)


def test_words_of_postures(run) -> None:
    expected = run("fk", PUMA, "--q", "ready", "--json").data
    assert expected["axial_code"] == 13 and expected["singular_values"][-1] < 1e-12
    for words in (
        ("--q", "0,90,-90,0,0,0", "--degrees"),
        ("--q", f"0,{math.pi / 2!r},{-math.pi / 2!r},0,0,0"),
        ("--q", "shoulder=90°,elbow=-90°,wrist_bend=0"),
        ("--q", "upper_arm=90 deg,forearm=-pi/2,hand=0"),
    ):
        assert run("fk", PUMA, *words, "--json").data["position"] == pytest.approx(expected["position"], abs=1e-15)
    start = run("fk", PUMA, "--json").data
    assert start["q"]["hand"] == pytest.approx(math.pi / 4)


def test_what_people_see(run) -> None:
    english = run("fk", PUMA, "--q", "ready")
    assert english.status == 0 and "1535.430000" in english.out and "axial code" in english.out
    assert "-0.000000" not in english.out
    russian = run("fk", PUMA, "--q", "ready", "--lang", "ru").out
    assert "осевой код" in russian and "Матрица Якоби" in russian and "мм" in russian
    scara = run("fk", MODELS / "scara.xml").out
    assert "mm" in scara and "°" in scara


def test_open_loops_are_said(run) -> None:
    four = MODELS / "four_bar.xml"
    assert run("fk", four).err == "" and run("fk", four, "--json").data["open"] < 1e-9
    opened = run("fk", four, "--q", "1,1,1")
    data = run("fk", four, "--q", "1,1,1", "--json").data
    assert opened.status == 0 and "do not close the loops" in opened.err and data["open"] > 0.1
    assert "не замкнуты" in run("fk", four, "--q", "1,1,1", "--lang", "ru").err
    assert run("fk", PUMA, "--json").data["open"] == 0.0


def test_files(run, tmp_path: Path) -> None:
    result = run("fk", PUMA, "--q", "ready", "-o", tmp_path / "arm.svg", "-o", tmp_path / "arm.html")
    assert result.status == 0 and result.err.count("written") == 2
    assert (tmp_path / "arm.svg").read_text(encoding="utf-8").endswith("</svg>\n")
    assert "<html" in (tmp_path / "arm.html").read_text(encoding="utf-8")


def test_wrong_calls(run) -> None:
    for words, said in (
        (("--q", "1,2"), "6 coordinates"),
        (("--q", "rest"), "rest"),
        (("--q", "1,2,x,0,0,0"), "x"),
        (("--q", "elbo=1"), "elbo"),
        (("--q", "forearm=1,elbow=2"), '"elbow" twice'),
        (("--q", ""), "stretched, nominal, start\n"),
        (("--q", "1,2,3 mm,0,0,0"), "length"),
        (("--q", "1e999,0,0,0,0,0"), "--q"),
        (("--frame", "toool"), "toool"),
        (("-o", "arm.csv"), ".html"),
    ):
        result = run("fk", PUMA, *words)
        assert result.status == 2 and said in result.err and result.out == "", (words, result.err)
