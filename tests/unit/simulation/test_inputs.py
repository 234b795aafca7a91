"""Inputs as functions of time: where they act, what is refused, and how they are kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import sistel
from sistel.errors import Source
from sistel.simulation import Run, read_record

# An input that acts at once: a force on a mass with a spring, of which closed forms are known.
PUSHED = """<system><gravity value="0"/>
  <body name="p" joint="prismatic" axis="x" mass="2 kg" stiffness="18 N/m"><motor name="push"/></body>
  <scheme name="s"><input name="F" value="0 N" min="-9 N" max="9 N"/><output motor="push" from="F"/></scheme></system>"""
SAMPLED = """<system><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/></body>
  <scheme name="drive" period="10 ms"><input name="task" value="0 rad"/>
    <input name="go" kind="button"/><input name="gear" kind="rotary" positions="1, 2.5"/>
    <block name="u" kind="pd" in="task - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="0.8 N*m*s/rad"/>
    <output motor="arm" from="u"/></scheme></system>"""


def test_steps_of_a_force_act_at_their_instants() -> None:
    """m x'' = F - k x with w = 3: by superposition of (F/k)(1 - cos w(t - t0)), to the last digits."""
    system = sistel.parse(PUSHED)
    steps = [(0.1234567, 4.0), (0.9, -2.0), (2.0000001, 0.0)]
    run = system.simulate(4.0, inputs={"F": steps})
    t = np.linspace(0.0, 4.0, 81)
    expected, before = np.zeros_like(t), 0.0
    for t0, force in steps:
        expected += np.where(t > t0, (force - before) / 18.0 * (1.0 - np.cos(3.0 * (t - t0))), 0.0)
        before = force
    assert run(t)[0][:, 0] == pytest.approx(expected, abs=2e-14)
    assert [event.time for event in run.events] == [t0 for t0, _ in steps]
    assert [event.transition for event in run.events] == [f"input: F = {force!r}" for _, force in steps]
    for method in ("radau", "runge-kutta"):
        other = system.simulate(4.0, inputs={"F": steps}, method=method)  # type: ignore[arg-type]
        assert other.last[:2] == pytest.approx(run.last[:2], abs=1e-11)


def test_a_clock_reads_them_at_its_next_tick() -> None:
    """Against DOP853 from tick to tick, which holds the moment that each tick computes."""
    steps = [(0.2034, 1.0), (0.5, -0.5)]
    run = sistel.parse(SAMPLED).simulate(1.0, inputs={"task": [(0.0, 0.0), *steps]})
    y = np.zeros(2)
    for k in range(100):
        t = k / 100
        task = [value for when, value in [(-1.0, 0.0), *steps] if when < t][-1]  # a tick reads what was before it
        u = 20.0 * (task - y[0]) - 0.8 * y[1]

        def rates(_: float, state: np.ndarray, u: float = u) -> list[float]:
            return [state[1], (u - 9.81 * 0.5 * np.sin(state[0])) / 0.25]

        y = solve_ivp(rates, (t, t + 0.01), y, method="DOP853", rtol=1e-13, atol=1e-15).y[:, -1]
    assert run.last[:2] == pytest.approx(y, abs=1e-11)


def test_runs_go_on_as_if_they_had_never_ended(tmp_path: Path) -> None:
    """Whether the record is known, comes with the call, or stands in a file of the part before."""
    system = sistel.parse(SAMPLED)
    record = {"task": [(0.1, 0.5), (0.35, -0.2), (0.703, 1.0)], "go": [(0.2, 1), (0.21, 0)]}
    whole = system.simulate(1.0, inputs=record)
    part = system.simulate(0.4, inputs=record)
    assert part.resume(1.0).last.tolist() == whole.last.tolist()
    assert part.resume(1.0, since=0.2).last.tolist() == whole.last.tolist()
    part.save(tmp_path / "part.npz")
    read = Run.load(tmp_path / "part.npz", system)
    later = system.simulate(1.0, resume=read, inputs={"task": [(0.703, 1.0)]})
    assert later.last.tolist() == whole.last.tolist()
    assert [event.transition for event in later.events] == [event.transition for event in whole.events]
    assert read.resume(1.0).quantity("task", [0.9]).tolist() == [-0.2]


@pytest.mark.parametrize(
    ("inputs", "words"),
    [
        ({"tusk": 1.0}, 'did you mean "task"'),
        ({"go": 0.5}, "one of 0, 1"),
        ({"gear": 2.0}, "one of 1, 2.5"),
        ({"task": [(0.5, 0.0), (0.2, 1.0)]}, "do not rise"),
        ({"task": [(0.5, 0.0, 1.0)]}, "no list of pairs"),
        ({"task": [("x", 0.0)]}, "x"),
        ({"task": [(0.1, float("nan"))]}, "no number"),
        ({"task": "3 kg"}, "mass"),
    ],
)
def test_what_is_no_record_is_refused(inputs: dict[str, object], words: str) -> None:
    with pytest.raises(sistel.SistelError, match=words):
        sistel.parse(SAMPLED).simulate(1.0, inputs=inputs)  # type: ignore[arg-type]


def test_records_are_read_and_refused_by_their_lines() -> None:
    csv = Source("r.csv", 'time,input,value\n0.5,"a, b",1\n0.25,task,2e-1\n\n0.1,task,0\n')
    assert read_record(csv) == {"a, b": [(0.5, 1.0)], "task": [(0.1, 0.0), (0.25, 0.2)]}
    assert read_record(Source("r.csv", "\ufeffвремя,ввод,значение\n1,задание,2\n")) == {"задание": [(1.0, 2.0)]}
    assert read_record(Source("r.json", '{"inputs": {"task": [[0, 1]]}}')) == {"task": [(0.0, 1.0)]}
    for text, words in (
        ("t,u\n0,1\n", "no record of inputs"),
        ("time,input,value\n0,task\n1,task,x\n", "2 cells"),
        ("time,input,value\n0,task\n1,task,x\n", "3:1"),
        ("time,input,value\ninf,task,1\n", "no number"),
        ('{"inputs": [1]}', "no record"),
        ('{"inputs"', "no JSON"),
    ):
        with pytest.raises(sistel.SistelError, match=words):
            read_record(Source("r", text))


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ('<input name="a" kind="slider" min="0"/>', 'needs "max"'),
        ('<input name="a" kind="slider" min="1" max="0"/>', "min below max"),
        ('<input name="a" kind="slider" min="1" max="2"/>', "cannot be given"),
        ('<input name="a" kind="button" max="2"/>', 'has no "max"'),
        ('<input name="a" kind="toggle" value="2"/>', "one of 0, 1"),
        ('<input name="a" kind="rotary"/>', 'needs "positions"'),
        ('<input name="a" kind="rotary" positions="1, 1"/>', "all different"),
        ('<input name="a" kind="rotary" positions="1 V, 2 kg"/>', "mass"),
        ('<input name="a" kind="joystick" min="-1" max="1"/><signal name="s" value="a"/>', 'no parameter "a"'),
        ('<lamp name="a" from="t"/>', "a condition"),
        ('<indicator name="a" from="t gt 1 s"/>', "a number"),
        ('<dial name="a" from="t" min="2 s" max="1 s"/>', "min below max"),
        ('<input name="u" kind="button"/><lamp name="u" from="t gt 1 s"/>', "is taken"),
    ],
)
def test_wrong_consoles_are_refused(row: str, words: str) -> None:
    with pytest.raises(sistel.SistelError, match=words):
        sistel.parse(f'<system><body joint="revolute" mass="1"/><scheme name="s" period="1 s">{row}</scheme></system>')


def test_contacts_decide_anew_where_a_force_jumps() -> None:
    """A box with dry friction of 6 N: 5 N do not move it, 10 N do at that instant; then it slides to rest, as v²/2a."""
    system = sistel.parse("""<system><body name="box" joint="prismatic" axis="x" mass="2" friction="6 N"><motor name="push"/></body>
      <scheme name="s"><input name="F" value="0 N"/><output motor="push" from="F"/></scheme></system>""")
    steps = [(0.5, 5.0), (1.0, 10.0), (1.5, 0.0)]
    run = system.simulate(3.0, inputs={"F": steps})
    assert run(1.0)[0][0] == 0.0
    assert run.last[0] == pytest.approx(0.25 + 1.0 / 6.0, abs=1e-14)
    assert [event.time for event in run.events] == pytest.approx([0.5, 1.0, 1.5, 1.5 + 1.0 / 3.0], abs=1e-14)
    assert system.simulate(1.2, inputs={"F": steps}).resume(3.0).last == pytest.approx(run.last, abs=1e-14)
