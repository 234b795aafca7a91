"""Signals of runs over the socket: curves at any fineness, values, answers to steps, the console."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from support.studio import Window, studio

import sistel

HELD = """<system name="held"><gravity value="0"/>
  <parameter name="goal" value="30 deg"/>
  <body name="arm" joint="revolute" mass="1" inertia="0.5"><motor name="arm"/></body>
  <scheme name="drive" period="1 ms">
    <block name="u" kind="pd" in="goal - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="2 N*m*s/rad"/>
    <signal name="near" value="abs(goal - angle(arm)) lt 1 deg"/>
    <output motor="arm" from="u"/>
  </scheme></system>"""


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    with studio(tmp_path_factory.mktemp("runs")) as server, server.window() as own:
        yield own


def ended(window: Window, **asked: Any) -> dict[str, Any]:
    job = window.call("run.start", path="a.xml", text=HELD, **asked)["job"]
    return window.wait_told("job.ended", 90.0, job=job)


@pytest.fixture(scope="module")
def run(window: Window) -> str:
    return str(ended(window, until=6.0)["run"]["id"])


def test_curves_are_those_of_the_run(window: Window, run: str) -> None:
    own = sistel.parse(HELD).simulate(6.0)
    names = ["u", "near", "angle(arm)", "nobody"]
    found = window.call("runs.curves", id=run, names=names, most=50)
    assert set(found["failed"]) == {"nobody"} and (found["begin"], found["end"]) == (0.0, 6.0)
    curves = {each["name"]: each for each in found["curves"]}
    assert curves["u"]["unit"] == "N·m" and curves["u"]["held"] and not curves["angle(arm)"]["held"]
    times = np.array(found["times"])
    assert len(times) <= 51
    for name in ("u", "near", "angle(arm)"):
        assert np.abs(np.array(curves[name]["values"]) - own.quantity(name, times)).max() <= 1e-12
        every = own.quantity(name)
        assert min(curves[name]["low"]) == pytest.approx(every.min(), abs=1e-12)
        assert max(curves[name]["high"]) == pytest.approx(every.max(), abs=1e-12)
    close = window.call("runs.curves", id=run, names=["u"], most=200, **{"from": 0.1, "to": 0.15})
    times = np.array(close["times"])
    assert times[0] == 0.1 and times[-1] == 0.15 and len(times) >= 200
    assert np.abs(np.array(close["curves"][0]["values"]) - own.quantity("u", times)).max() <= 1e-12
    at = window.call("runs.values", id=run, names=["u", "nobody"], t=0.1234)
    assert at == {"u": pytest.approx(float(own.quantity("u", [0.1234])[0]), abs=1e-12)}


def test_the_answer_to_a_step_is_that_of_a_second_order_system(window: Window, run: str) -> None:
    """kp = 20, kd = 2, J = 1/2: ω² = 40, ζ = 2/√40; 1 ms of sampling moves it by about half a tick."""
    found = window.call("runs.response", id=run, signal="angle(arm)", target="30 deg")
    zeta = 2.0 / math.sqrt(40.0)
    overshoot = math.exp(-math.pi * zeta / math.sqrt(1.0 - zeta**2))
    assert found["overshoot"] == pytest.approx(overshoot, rel=5e-3)
    assert found["peak"] == pytest.approx(math.pi / 6.0, rel=5e-3)
    assert found["settling"] < 4.5 / 2.0


def test_the_console_answers_about_runs_and_models(window: Window, run: str) -> None:
    ask = {"path": "a.xml", "text": HELD}
    assert window.call("console.run", line="goal", **ask)["value"] == pytest.approx(math.pi / 6.0)
    assert window.call("console.run", line="angle(arm) + 1 rad", **ask)["text"]["en"].startswith("1 rad")
    at = window.call("console.run", line="angle(arm) at 1.5 s", run=run, **ask)
    own = sistel.parse(HELD).simulate(6.0)
    assert at["value"] == pytest.approx(float(own.quantity("angle(arm)", [1.5])[0]), abs=1e-12)
    assert "рад" in at["text"]["ru"] and "°" in at["text"]["en"]
    assert window.call("console.run", line="near при 6", run=run, **ask)["text"] == {"en": "yes", "ru": "да"}
    failed = window.fails("console.run", line="angle(elbow) at 1", run=run, **ask)
    assert failed["diagnostics"][0]["from"] == 6
    assert window.fails("console.run", line="u at 9", run=run, **ask)["code"] == "beyond-run"
    assert window.fails("console.run", line="u at 1", **ask)["code"] == "no-run"
    assert window.fails("console.run", line="import os", **ask)["code"]


def test_of_calls_that_take_each_others_place_each_is_answered(window: Window) -> None:
    """However close they follow each other, even before the first of them has begun."""
    numbers = [window.send("text.check", "check", path="a.xml", text=HELD + " " * k) for k in range(100)]
    answers = [window.reply(number) for number in numbers]
    assert "done" in answers[-1]
    assert all("done" in each or each["failed"]["code"] == "left-out" for each in answers)


def test_a_run_stops_exactly_where_a_condition_begins_to_hold(window: Window) -> None:
    """A body that falls from rest has come 1 m at √(2/9.81) s; a held signal begins to hold at a tick."""
    falls = '<system><body name="b" joint="prismatic" axis="0, -1" mass="1"/></system>'
    job = window.call("run.start", path="f.xml", text=falls, until=3.0, stop="abs(q(b)) gt 1 m")["job"]
    found = window.wait_told("job.ended", 90.0, job=job)["run"]
    assert found["stop"]["time"] == found["until"] == pytest.approx(math.sqrt(2.0 / 9.81), abs=1e-14)
    ticked = ended(window, until=6.0, stop="u lt 0 N*m")["run"]
    own = sistel.parse(HELD).simulate(6.0)
    ticks = np.arange(6000) / 1000
    assert ticked["stop"]["time"] == ticks[np.argmax(own.quantity("u", ticks) < 0.0)]
    never = ended(window, until=0.5, stop="t gt 1 s")["run"]
    assert never["until"] == 0.5 and never["stop"] == {"condition": "t gt 1 s", "time": None}
    for wrong in ("u", "u gt", "nobody gt 1"):
        assert ended(window, until=0.5, stop=wrong)["failed"]["diagnostics"]


def test_an_operator_touches_a_motion_that_keeps_pace_with_the_clock(window: Window) -> None:
    text = """<system><gravity value="0"/><body name="arm" joint="revolute" mass="1" inertia="0.5"><motor name="arm"/></body>
      <scheme name="drive" period="10 ms"><input name="go" kind="button"/><input name="size" min="0" max="2" value="1"/>
        <signal name="u" value="select(go, size*1 N*m, 0 N*m)"/><output motor="arm" from="u"/></scheme></system>"""
    job = window.call("run.start", path="o.xml", text=text, live=True, watched=["u", "angle(arm)", "nobody"])["job"]
    assert window.wait_told("run.live", 60.0, job=job)["values"] == {"u": 0.0, "angle(arm)": 0.0}
    assert window.call("run.touch", job=job, input="go", value=True) == {"done": True}
    window.call("run.touch", job=job, input="size", value=7.0)
    for _ in range(200):
        seen = window.wait_told("run.live", 20.0, job=job)
        if seen["values"]["u"] > 0.0:
            break
    assert seen["values"]["u"] == 1.0 and seen["refused"] == ["size"]
    pressed = seen["touches"][0]["t"]
    window.call("run.touch", job=job, input="go", value=False)
    window.wait_told("run.live", 20.0, job=job)
    window.call("run.interrupt", job=job)
    found = window.wait_told("job.ended", 60.0, job=job)["run"]
    assert found["events"] == 2
    curves = window.call("runs.curves", id=found["id"], names=["u"], most=100)["curves"][0]["values"]
    assert max(curves) == 1.0 and curves[0] == 0.0
    at = window.call("runs.values", id=found["id"], names=["u"], t=pressed + 0.005)["u"]
    assert at == 0.0 or pressed % 0.01 < 1e-9  # the scheme reads it at its next tick
