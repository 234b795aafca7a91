"""What a run tells of itself: limits and surfaces passed, contacts that pull or grip, starts that were moved."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from scipy.special import ellipk, ellipkinc

import sistel
from sistel.cli import main
from sistel.simulation import Run

PENDULUM = """<system name="pendulum">
  <body name="arm" joint="revolute" mass="1" com="0, 500" inertia="0" min="-60" max="30">{inside}</body>
  <start arm="-45"/>
</system>"""
DROP = """<system name="drop">
  <body name="ball" joint="prismatic" axis="y" mass="1"><point name="p"/></body>
  <links>
    <contact name="floor" point="p" surface="y = 0"/>
    <structure name="flight"/><structure name="rests" holds="floor"/>
    <transition from="flight" to="rests" when="gap(floor) falls through 0 and t gt {late} s"/>
  </links>
  <start ball="-200"/>
</system>"""


def test_a_limit_where_no_stop_acts_is_passed_with_an_event() -> None:
    """The pendulum swings from −45° to 45° and back; the time at 30° in elliptic integrals."""
    run = sistel.parse(PENDULUM.format(inside=""), "arm.xml").simulate(2.0)
    (warning,) = run.warnings
    assert warning.code == "passed-limit" and warning.place == "arm.xml:2:3"
    assert warning.message.en == '"arm" passes its upper limit, 30 deg, where no stop acts'
    assert warning.hint is not None and "stops act" in warning.hint.en
    events = [event for event in run.events if event.transition == "limit: arm"]
    assert warning.count == len(events) == 1 and events[0].time == warning.time
    assert math.degrees(run([warning.time])[0][0, 0]) == pytest.approx(30.0, abs=1e-12)
    # sin(θ/2) = k sin φ with k = sin(45°/2): a quarter of a period, and the time from the lowest point to 30°
    k = math.sin(math.radians(22.5))
    time = math.sqrt(0.5 / 9.81) * (ellipk(k * k) + ellipkinc(math.asin(math.sin(math.radians(15)) / k), k * k))
    assert warning.time == pytest.approx(time, rel=1e-13)
    assert len(run.passages) == 0


def test_a_stop_acts_and_nothing_is_said() -> None:
    run = sistel.parse(PENDULUM.format(inside='<stop restitution="0.5"/>')).simulate(2.0)
    assert run.warnings == () and len(run.events) > 0
    assert all("limit" not in event.transition for event in run.events)


def test_a_start_beyond_a_limit_is_said_at_once() -> None:
    text = PENDULUM.format(inside="").replace('arm="-45"', 'arm="-80"')
    run = sistel.parse(text).simulate(0.1)
    assert run.warnings[0].time == 0.0 and "lower limit" in run.warnings[0].message.en


def test_a_floor_that_is_passed_is_said_with_its_time() -> None:
    run = sistel.parse(DROP.format(late=5), "drop.xml").simulate(1.0)
    (warning,) = run.warnings
    assert warning.code == "passed-contact" and warning.place == "drop.xml:4:5"
    assert warning.time == pytest.approx(math.sqrt(2 * 0.2 / 9.81), rel=1e-13)
    assert 'structure "flight" does not hold' in warning.message.en
    assert sistel.parse(DROP.format(late=0)).simulate(1.0).warnings == ()


HELD = """<system name="held">
  <body name="block" joint="prismatic2" mass="1"><point name="p"/>
    <force in="world" value="{push}*t/1 s, {pull}*t/1 s"/></body>
  <links>
    <contact name="floor" point="p" surface="y = 0" friction="0.5"/>
    <structure name="rests" holds="floor"/><structure name="never"/>
    <transition from="rests" to="never" when="t gt 100 s"/>
  </links>
</system>"""


def test_a_contact_that_pulls_or_grips_is_said() -> None:
    """Weight 9.81 N: lifted by 10 N/s it pulls from 0.981 s on; pushed by 10 N/s it grips from 0.4905 s on."""
    run = sistel.parse(HELD.format(push="0 N", pull="-10 N")).simulate(2.0)
    codes = {warning.code: warning for warning in run.warnings}
    assert codes["contact-pulls"].time == pytest.approx(0.981, rel=1e-12)
    run = sistel.parse(HELD.format(push="10 N", pull="0 N")).simulate(2.0)
    (warning,) = run.warnings
    assert warning.code == "contact-grips" and warning.time == pytest.approx(0.4905, rel=1e-12)


def test_a_start_that_was_moved_is_said(models_dir: Path) -> None:
    system = sistel.load(models_dir / "four_bar.xml")
    q = system.simulate(0.0).last[: system.nq]
    assert system.simulate(0.1, q=q).warnings == ()
    run = system.simulate(0.1, q=q + 0.05)
    assert [warning.code for warning in run.warnings] == ["moved-start"]
    assert run.warnings[0].time == 0.0


def test_warnings_go_on_with_a_run_and_into_files(tmp_path: Path) -> None:
    """A run that is taken up again tells what one run would have told; so does one that comes from a file."""
    text = PENDULUM.format(inside="")
    system = sistel.parse(text, "arm.xml")
    whole = system.simulate(6.0)
    halves = system.simulate(2.5).resume(6.0)
    told = [(warning.code, warning.time, warning.count) for warning in whole.warnings]
    assert told == [(warning.code, warning.time, warning.count) for warning in halves.warnings]
    whole.save(tmp_path / "run.npz")
    again = Run.load(tmp_path / "run.npz", system)
    assert told == [(warning.code, warning.time, warning.count) for warning in again.warnings]
    assert len(again.events) == len(whole.events) and len(again.passages) == 0


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_the_terminal_and_json_tell(tmp_path: Path, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "arm.xml"
    path.write_text(PENDULUM.format(inside=""), encoding="utf-8")
    assert main(["run", str(path), "--until", "2", "--lang", lang]) == 0
    said = [line for line in capsys.readouterr().err.splitlines() if "arm.xml:2:3" in line]
    assert len(said) == 1 and ("предел" if lang == "ru" else "limit") in said[0]
    assert main(["run", str(path), "--until", "2", "--json", "--lang", lang]) == 0
    data = json.loads(capsys.readouterr().out)
    (warning,) = data["warnings"]
    assert warning["code"] == "passed-limit" and (warning["line"], warning["column"]) == (2, 3)
    assert [event["transition"] for event in data["events"]] == ["limit: arm"]


def test_a_notebook_tells() -> None:
    html = sistel.parse(PENDULUM.format(inside="")).simulate(2.0)._repr_html_()
    assert "where no stop acts" in html or "где нет упора" in html
