"""The command linearize."""

from __future__ import annotations

from pathlib import Path

import pytest

MODELS = Path(__file__).resolve().parents[3] / "models"
CART = MODELS / "cart_pole.xml"


def test_an_inverted_pendulum_in_two_languages(run):
    result = run("linearize", CART, "--at", "zero", "--show", "x(tip)")
    assert result.status == 0 and result.err == ""
    lines = result.out.splitlines()
    assert lines[1] == 'linear system in structure "only", t = 0 s; an equilibrium'
    assert "(pole')'     0    15.7917      0      0  -1.46341" in lines
    assert "Poles: not stable" in lines and "0 (2×)              0        0" in lines
    assert lines[-2:] == ["controllability: rank 4 of 4", "observability: rank 4 of 4"]
    russian = run("linearize", CART, "--at", "zero", "--lang", "ru").out
    assert "управляемость: ранг 4 из 4" in russian and "неустойчиво" in russian and "рад/с" in russian


def test_a_mechanism_as_data(run):
    data = run("linearize", MODELS / "four_bar.xml", "--equilibrium", "--json").data
    assert [state["name"] for state in data["states"]] == ["crank", "crank'"] and data["equilibrium"]
    assert data["poles"][1][0] == pytest.approx(data["A"][1][0] ** 0.5, rel=1e-12)
    assert data["controllability"] == {"rank": 2, "of": 2, "missing": [], "states": []}


def test_a_state_of_a_run_that_has_come_to_another_structure(run):
    data = run("linearize", MODELS / "walker.xml", "--time", "0.15", "--json").data
    assert data["structure"] == "на левой" and len(data["states"]) == 14 and len(data["inputs"]) == 6


def test_too_wide_matrices_are_sums(run):
    bicycle = (MODELS / "bicycle.xml", "--parameter", "speed=5", "--parameter", "push=0")
    out = run("linearize", *bicycle).out
    assert "(frame.y)' = 5·frame.rz - 0.3·frame.wx'" in out.splitlines()
    assert "There are no inputs" in out


def test_what_cannot_be_is_refused(run):
    result = run("linearize", CART, "--at", "nowhere")
    assert result.status == 2 and 'no posture "nowhere"' in result.err
    assert run("linearize", CART, "--time", "1", "--at", "zero").status == 2
    assert run("linearize", CART, "--voltage").status == 1
