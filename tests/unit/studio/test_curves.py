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
        if seen["values"]["u"] > 0.0 and seen["refused"]:
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


def test_what_is_wrong_in_a_line_has_its_place_in_the_line(window: Window, run: str) -> None:
    ask: dict[str, Any] = {"path": "a.xml", "text": HELD}
    for line, wrong, more in (
        ("1 + angle(elbow)", "elbow", {}),
        ("angle(arm) + goal at 0.5 kg", "0.5 kg", {"run": run}),
        ("near при foo", "foo", {"run": run}),
        ("angle(arm", "(", {"run": run}),
    ):
        (first,) = window.fails("console.run", line=line, **more, **ask)["diagnostics"]
        assert line[first["from"] : first["to"]] == wrong and first["file"] == "<console>", line


def test_a_line_is_completed_with_what_it_may_ask(window: Window) -> None:
    def labels(line: str, lang: str = "en") -> list[str]:
        found = window.call("text.complete-line", path="a.xml", text=HELD, line=line, at=len(line), lang=lang)
        assert line[found["from"] : found["to"]] in ("", line[found["from"] :])
        return [each["label"] for each in found["items"]]

    every = labels("")
    assert {"goal", "u", "near", "angle", "sin", "energy", "pi"} <= set(every)
    assert {"угол", "синус", "goal"} <= set(labels("", "ru")) or {"угол", "sin", "goal"} <= set(labels("", "ru"))
    assert labels("2*angle(") == ["arm"] and labels("угол(a") == ["arm"]
    assert labels("angle(arm) ")[0] == "at" and labels("angle(arm) ", "ru")[0] == "при"
    assert labels("u at 1 ")[0] == "s" and labels("u при 1 ", "ru")[0] == "с"
    # Whatever is offered where a value belongs can be asked.
    for name in ("goal", "u", "near"):
        assert window.call("console.run", path="a.xml", text=HELD, line=name)["text"]


GIVEN = """<system name="given"><gravity value="0"/><parameter name="big" value="2"/>
  <body name="arm" joint="revolute" mass="1" inertia="0.5"><motor name="arm"/></body>
  <scheme name="drive" period="10 ms"><input name="push" value="0 N*m" min="-5 N*m" max="5 N*m"/><input name="on" kind="toggle"/>
    <signal name="u" value="if(on, push, 0)"/><output motor="arm" from="u"/></scheme></system>"""


def test_inputs_of_a_run_are_given_in_the_window(window: Window) -> None:
    """Values, times with values, formulas of parameters, tables; what cannot be is refused in words."""
    ask: dict[str, Any] = {"path": "g.xml", "text": GIVEN, "until": 1.0}
    own = sistel.parse(GIVEN)

    def turned(**inputs: Any) -> float:
        job = window.call("run.start", **ask, **inputs)["job"]
        run = window.wait_told("job.ended", 90.0, job=job)["run"]["id"]
        return float(window.call("runs.values", id=run, names=["angle(arm)"], t=1.0)["angle(arm)"])

    courses = {"push": [(0.0, 2.0), (0.5, -1.0)], "on": [(0.2, 1.0), (0.8, 0.0)]}
    wanted = float(own.simulate(1.0, inputs=courses).quantity("angle(arm)", [1.0])[0])
    lines = {"push": "0: big*1 N*m; 0.5 s: -1", "on": "0.2 s: 1\n800 ms: 0"}
    assert turned(inputs=lines) == pytest.approx(wanted, abs=1e-12) and wanted != 0.0
    rows = "\n".join(f"{t},{name},{value}" for name, each in courses.items() for t, value in each)
    window.call("files.create", path="touches.csv", text=f"time,input,value\n{rows}\n")
    assert turned(table="touches.csv") == pytest.approx(wanted, abs=1e-12)
    assert turned(inputs={"push": " ", "on": ""}) == turned() == 0.0

    wrong = window.call(
        "scheme.inputs",
        path="g.xml",
        text=GIVEN,
        inputs={"push": "9", "on": "0.5", "u": "1"},
    )["wrong"]
    assert {name: each["code"] for name, each in wrong.items()} == {
        "push": "beyond-limits",
        "on": "beyond-limits",
        "u": "unknown-name",
    }
    for line, code in (("0 s: 1; 2", "bad-input"), ("1 s: 1; 0 s: 2", "bad-input"), ("3 kg", "wrong-dimension")):
        found = window.call("scheme.inputs", path="g.xml", text=GIVEN, inputs={"push": line})["wrong"]["push"]
        assert found["code"] == code, found
    assert window.fails("run.start", live=True, inputs={"push": "1"}, **ask)["code"] == "bad-parameter"
    job = window.call("run.start", inputs={"push": "1"}, table="touches.csv", **ask)["job"]
    assert window.wait_told("job.ended", 90.0, job=job)["failed"]["code"] == "bad-input"
    assert window.fails("run.start", table="../x.csv", **ask)["code"]
