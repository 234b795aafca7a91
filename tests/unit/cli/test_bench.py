"""`sistel bench`: what is compared is the same motion, and the yardstick is honest."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sistel
from sistel.cli._bench import Judge, horizon
from sistel.simulation import _baseline as _fixed
from sistel.simulation._baseline import CheckedSimulation

MODELS = Path(__file__).resolve().parents[3] / "models"


def checked(name: str, times: list[float], h: float):
    system = sistel.load(MODELS / f"{name}.xml")
    simulation = system.simulation()
    structure = system.structure()
    return system, CheckedSimulation(simulation).run(simulation.start(structure)[0], structure.name, times, h)


def test_smooth_motion_is_of_fourth_order():
    """Halving the step of a motion without events divides its error by sixteen."""
    exact = sistel.load(MODELS / "cart_pole.xml").simulate(1.0)(1.0)
    errors = []
    for h in (0.01, 0.005, 0.0025):
        _, found = checked("cart_pole", [1.0], h)
        assert found.done and found.steps == round(1.0 / h) and not found.events
        errors.append(np.abs(found.states[-1, :-1] - np.concatenate(exact)).max())
    assert 12 < errors[0] / errors[1] < 20 and 12 < errors[1] / errors[2] < 20


def test_events_are_late_by_a_part_of_a_step():
    system, found = checked("compass_walker", [3.0], 1e-3)
    own = system.simulate(3.0).events
    assert [event[1:] for event in found.events] == [(event.before, event.after) for event in own]
    # The first strikes in the step after it; each strike then begins the next step of the walk a little late.
    assert 0.0 <= found.events[0][0] - own[0].time <= 1e-3
    assert max(abs(a[0] - b.time) for a, b in zip(found.events, own, strict=True)) < 20e-3


def test_bounces_are_counted_until_they_are_shorter_than_a_step():
    system, found = checked("bouncing_ball", [3.0], 1e-5)
    own = system.simulate(3.0).events
    assert len(found.events) == len(own) > 5
    assert found.states[-1, 0] == pytest.approx(system.simulate(3.0).q[-1, 0], abs=1e-3)


def test_marching_in_python_is_the_same():
    """The compiled loop against the same function run by CPython."""
    march: Any = _fixed.march
    size, h = 3, 0.01

    def oscillator(flow: int, begin: int, end: int, arguments: int) -> None:
        dy[:] = y[1], -y[0], 1.0
        g[:] = y[0] - 0.5

    y, dy, g = np.array([1.0, 0.0, 0.0]), np.zeros(size), np.zeros(1)
    before, signs, below = np.zeros(1), np.array([1]), np.array([0])
    counts = np.array([size, 1, 10_000, 0])
    oscillator(0, 0, 1, 0)
    answer = march(oscillator, 0, 0, counts, y, dy, g, before, signs, below, np.zeros(size), np.zeros(size), 10.0, h)
    assert answer == _fixed.CHANGED and signs[0] == 2
    # cos t = 1/2 at π/3, found at the end of the step.
    assert y[2] == pytest.approx(math.ceil(math.pi / 3 / h) * h, rel=1e-12)
    assert y[0] == pytest.approx(math.cos(y[2]), abs=1e-9)


def test_races_end_before_crowds():
    ball = sistel.load(MODELS / "bouncing_ball.xml").simulate(10.0)
    until, crowd = horizon(ball)
    assert crowd and 3.0 < until < 4.0637
    assert horizon(sistel.load(MODELS / "cart_pole.xml").simulate(1.0)) == (1.0, False)


def test_judges_look_between_events():
    run = sistel.load(MODELS / "compass_walker.xml").simulate(5.0)
    judge = Judge(run)
    assert min(abs(t - event.time) for t in judge.times for event in run.events) > 0.1
    q, v = run(np.array(judge.times))
    assert judge.error(np.hstack([q, v])) == 0.0
    assert judge.error(np.hstack([q, v])[:-1]) == math.inf
    events = [(event.time + 1e-3, event.before, event.after) for event in run.events]
    assert judge.delay(events) == pytest.approx(1e-3) and judge.delay(events[:-1]) is None


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_page(run, lang: str):
    page = run(
        "bench", MODELS / "compass_walker.xml", "--until", "2", "--error", "1e-2", "--budget", "5s", "--lang", lang
    )
    assert page.status == 0 and "Traceback" not in page.err
    words = (
        ["declared structures", "checks after every step"]
        if lang == "en"
        else ["объявленные структуры", "проверки на шагах"]
    )
    assert all(word in page.out for word in words)


def test_data(run):
    data = run(
        "bench", MODELS / "compass_walker.xml", "--until", "2", "--error", "1e-3", "--budget", "10s", "--json"
    ).data
    assert data["reached"] and data["declared"]["error"] <= 1e-3 >= data["checked"][-1]["error"]
    steps = [row["steps"] for row in data["checked"]]
    assert steps == sorted(steps) and steps[-1] > 100 * data["declared"]["steps"]
    assert data["ratio"] == data["checked"][-1]["time"] / data["declared"]["time"]
    # An event at the end of its step: the error falls with the step, not with its fourth power.
    halvings = len(data["checked"]) - 1
    assert data["checked"][0]["step"] == data["checked"][-1]["step"] * 2**halvings
    assert data["mujoco"] == [] and any("MuJoCo" in text for text in data["verdict"])


@pytest.mark.peer
def test_mujoco_takes_part_where_nothing_changes(run):
    data = run(
        "bench", MODELS / "cart_pendulum.xml", "--until", "2", "--error", "1e-5", "--budget", "10s", "--json"
    ).data
    assert data["mujoco"][-1]["error"] <= 1e-5 and data["checked"][-1]["error"] <= 1e-5


@pytest.mark.parametrize(
    ("words", "said"),
    [(["--error", "0"], "--error"), (["--budget", "soon"], "soon"), (["--until", "0"], "--until cannot be")],
)
def test_bad_calls(run, words: list[str], said: str):
    result = run("bench", MODELS / "cart_pole.xml", *words)
    assert result.status == 2 and said in result.err and "Traceback" not in result.err
