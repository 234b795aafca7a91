"""The command cycle."""

from __future__ import annotations

from pathlib import Path

import pytest

MODELS = Path(__file__).resolve().parents[3] / "models"
WHEEL = MODELS / "rimless_wheel.xml"
WALKER = MODELS / "compass_walker.xml"
LEGS = ("--mirror", "left_leg=right_leg")


def test_a_wheel(run):
    result = run("cycle", WHEEL)
    assert result.status == 0 and result.err == ""
    lines = result.out.splitlines()
    assert lines[0] == "rimless wheel: a stable cycle"
    # McGeer's wheel has closed forms: the period, and the square of what a strike leaves of the rate.
    (period,) = (float(line.split()[1]) for line in lines if line.split()[:1] == ["period"])
    # From the state found, the time to the next strike is right to the last bit; the state is where the rounding of
    # the map, about two units of the last place of the rate, is magnified by 1/(1 − 0.586), and by 1.1 and 3.2 in what
    # the rate and the angle make of the period.
    assert period == pytest.approx(0.8138721971472062830, rel=4e-15)
    assert any(line.split()[:3] == ["multiplier", "1", "0.58627417"] for line in lines)
    assert run("cycle", WHEEL, "--lang", "ru").out.startswith("rimless wheel: устойчивый цикл\n")


def test_a_step_as_data(run):
    data = run("cycle", WALKER, *LEGS, "--json").data
    assert data["success"] is True and data["stable"] is True and data["diagnostics"] == []
    assert data["period"] == pytest.approx(0.73446062133643889, rel=1e-13)
    assert data["q"]["left_leg"] == pytest.approx(0.27127461798032137, rel=1e-12)
    assert [abs(complex(*pair)) for pair in data["multipliers"]] == pytest.approx(
        [0.5798199567537208, 0.5798199567537208, 0.1313867071906404], abs=1e-10
    )
    assert [event["transition"] for event in data["events"]] == ["on the right → on the left"]
    assert list(data["shift"]) == ["hip.x"]


def test_a_section_and_a_parameter(run):
    words = ("cycle", WALKER, "--section", "on the right → on the left", "-p", "slope=0.05", "--json")
    data = run(*words).data
    assert data["success"] is True and data["structure"] == "on the left" and len(data["events"]) == 2
    assert 1.46 < data["period"] < 2 * 0.73446


def test_along_a_parameter(run):
    words = ("cycle", WALKER, *LEGS, "--along", "slope=0.05:0.0525:2")
    lines = run(*words).out.splitlines()
    assert len(lines) == 3 and lines[0].split() == ["slope", "period", "|λ|"]
    assert lines[2].split()[:2] == ["0.0525", "0.734460621336"]
    data = run(*words, "--json").data
    assert [row["value"] for row in data["cycles"]] == [0.05, 0.0525]
    assert data["parameter"] == "slope" and data["cycles"][0]["period"] < data["cycles"][1]["period"]


def test_nothing_found(run):
    result = run("cycle", MODELS / "geneva.xml", "--until", "500 ms")
    assert (result.status, result.out) == (1, "Geneva drive: no transition repeats within 0.5 s\n")
    data = run("cycle", MODELS / "geneva.xml", "--until", "0.5", "--json", "--lang", "ru").data
    assert data["success"] is False and data["period"] is None and "не повторяется" in data["reason"]


def test_a_system_without_transitions(run):
    result = run("cycle", MODELS / "pendulum.xml")
    assert result.status == 1 and "no transitions" in result.err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--section", "rolls"), "no transition"),
        (("--mirror", "wheel"), "no pair"),
        (("--mirror", "wheel=whel"), "wheel"),
        (("-p", "slop=1"), "slope"),
        (("-p", "slope=9 rad"), "slope"),
        (("--until", "0"), "--until"),
        (("--until", "soon"), "soon"),
        (("--tolerance", "-1"), "--tolerance"),
        (("--along", "slope"), "from:to:count"),
        (("--along", "slope=0:1:1"), "from:to:count"),
        (("--along", "slope=0:1:many"), "from:to:count"),
        (("--along", "tilt=0.05:0.08:3"), "slope"),
    ],
)
def test_wrong_calls(run, words, message: str):
    result = run("cycle", WHEEL, *words)
    assert result.status == 2
    assert message in result.err and "Traceback" not in result.err
    russian = run("cycle", WHEEL, *words, "--lang", "ru")
    assert russian.status == 2 and "ошибка: " in russian.err
