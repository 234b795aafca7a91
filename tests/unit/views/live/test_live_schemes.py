"""Schemes in the page's machine: ticks, what jumps with them, and what an operator does, as in runs."""

from __future__ import annotations

import pytest
from support.live import Drive, job

import sistel

JUMPS = """<system><body name="p" joint="revolute" mass="1" com="0,300" inertia="0"/>
  <links><structure name="A"/><structure name="B"/>
    <transition from="A" to="B" when="u {way} through 0"/>
    <transition from="B" to="A" when="u crosses 0 and t gt 1 s"/></links>
  <scheme name="s" period="1/8"><signal name="u" value="{u}"/></scheme><start p="40 deg"/></system>"""

ARM = """<system name="arm"><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/></body>
  <scheme name="drive" {clock}>
    <input name="task" kind="slider" value="0 rad" min="-2 rad" max="2 rad"/>
    <input name="hold" kind="button"/>
    <signal name="aim" value="select(hold, 0 rad, task)"/>
    <block name="u" kind="pd" in="aim - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="0.8 N*m*s/rad"/>
    <lamp name="near" from="abs(aim - angle(arm)) lt 2 deg"/>
    <output motor="arm" from="u"/>
  </scheme>
  {more}
</system>"""

RECORD = {"task": [(0.0, 0.0), (0.2, 1.0), (0.7031, -0.5)], "hold": [(0.0, 0.0), (0.41, 1.0), (0.5, 0.0)]}


@pytest.mark.parametrize(("way", "u"), [("falls", "cos(3*t)"), ("rises", "-cos(3*t)"), ("crosses", "cos(7*t) - 0.2")])
def test_conditions_see_held_signals_jump(drive: Drive, way: str, u: str) -> None:
    """What jumps over zero at a tick passes zero at that instant, in the page as in runs."""
    if way == "crosses":
        text = JUMPS.replace("u {way} through 0", "u crosses 0").replace("{u}", u)
    else:
        text = JUMPS.format(way=way, u=u)
    system = sistel.parse(text)
    run = system.simulate(1.99)
    assert run.events
    _, states, events = drive([job(system, [["start"], ["advance", [1.99]], ["events"]])])[0]
    assert [(event["time"], event["after"]) for event in events] == [
        (pytest.approx(event.time, abs=1e-12), ["A", "B"].index(event.after)) for event in run.events
    ]
    assert [*states[-1]["q"], *states[-1]["v"]] == pytest.approx(run.last[:2].tolist(), abs=1e-9)


def instants() -> list[tuple[float, dict[str, float]]]:
    """The record as an operator does it: at every instant, what changes."""
    times = sorted({t for rows in RECORD.values() for t, _ in rows})
    return [(t, {name: v for name, rows in RECORD.items() for at, v in rows if at == t}) for t in times]


@pytest.mark.parametrize("clock", ['period="10 ms"', 'period="10 ms" latency="3 ms"', ""])
def test_what_an_operator_does_is_replayed(drive: Drive, clock: str) -> None:
    """A record of the page gives the same motion in a run, to 1e-9, whether a clock reads it or it acts at once."""
    system = sistel.parse(ARM.format(clock=clock, more=""))
    steps: list[list[object]] = [["start"]]
    for t, values in instants():
        steps += [["advance", [t]], ["setInputs", values]]
    steps += [["advance", [0.9, 1.5]], ["events"]]
    found = drive([job(system, steps)])[0]
    events, states = found[-1], found[-2]
    run = system.simulate(1.5, inputs=RECORD)
    for state in states:
        q, v = run(state["t"])
        assert [*state["q"], *state["v"]] == pytest.approx([*q, *v], abs=1e-9)
    assert [(event["time"], event["transition"].split(" = ")[0]) for event in events] == [
        (event.time, event.transition.split(" = ")[0]) for event in run.events
    ]


def test_a_jump_of_an_input_passes_zero(drive: Drive) -> None:
    """Without a clock the input acts at once, and a condition sees it jump."""
    more = """<links><structure name="free"/><structure name="told"/>
      <transition from="free" to="told" when="task rises through 0.8 rad"/></links>"""
    system = sistel.parse(ARM.format(clock="", more=more))
    run = system.simulate(1.0, inputs={"task": [(0.2, 0.5), (0.33, 1.0)]})
    assert [(event.time, event.after) for event in run.events][-1] == (0.33, "told")
    steps = [
        ["start"],
        ["advance", [0.2]],
        ["setInputs", {"task": 0.5}],
        ["advance", [0.33]],
        ["setInputs", {"task": 1.0}],
    ]
    found = drive([job(system, [*steps, ["advance", [1.0]], ["events"]])])[0]
    assert [(event["time"], event["after"]) for event in found[-1]][-1] == (0.33, 1)
    assert found[-2][-1]["q"] == pytest.approx(run.last[:1].tolist(), abs=1e-9)


def test_a_tick_reads_what_was_before_it(drive: Drive) -> None:
    """A change at the instant of a tick is read at the next one; one at the start belongs to the start."""
    system = sistel.parse(ARM.format(clock='period="10 ms"', more=""))
    for t in (0.29, 0.5, 0.07):
        run = system.simulate(t + 0.025, inputs={"task": [(t, 1.0)]}, method="taylor")
        other = system.simulate(t + 0.025, inputs={"task": [(t, 1.0)]}, method="runge-kutta")
        assert run.quantity("aim", [t, t + 0.0099, t + 0.01]).tolist() == [0.0, 0.0, 1.0]
        assert other.last == pytest.approx(run.last, abs=1e-12)
        steps = [["start"], ["advance", [t]], ["setInputs", {"task": 1.0}], ["advance", [t + 0.025]]]
        found = drive([job(system, steps)])[0]
        assert [*found[-1][0]["q"], *found[-1][0]["v"]] == pytest.approx(run.last[:2].tolist(), abs=1e-9)
    at_once = system.simulate(0.005, inputs={"task": [(0.0, 1.0)]})
    assert at_once.quantity("u", [0.001])[0] == 20.0
    found = drive([job(system, [["start"], ["setInputs", {"task": 1.0}], ["advance", [0.005]], ["events"]])])[0]
    assert found[-2][0]["v"] == pytest.approx(at_once.v[-1].tolist(), abs=1e-12)
    assert found[-1] == []


def test_behaviours_without_a_clock_go_on_at_the_same_instants(drive: Drive) -> None:
    """Conditions, times in states, events from outside and raised ones: the page makes the steps of runs."""
    system = sistel.parse(
        """<system><body name="rod" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="M"/></body>
        <scheme name="s"><signal name="near" value="abs(angle(rod)) lt 0.2 rad"/>
        <behaviour name="go" start="free" f="0 N*m"><data name="n"/>
          <state name="free"><go event="near"><assign data="n" value="n + 1"/><raise event="x"/></go>
            <go event="x"><assign data="n" value="n + 10"/></go><go to="fast" when="rate(rod) gt 2 rad/s"/></state>
          <state name="fast" f="1 N*m"><go to="free" when="angle(rod) gt 0.5 rad" after="0.1 s"/></state></behaviour>
        <output motor="M" from="go.f*(1 + 0.1*go.n)"/></scheme><start rod="40 deg"/></system>"""
    )
    run = system.simulate(4.0)
    assert {"go: near", "go: free → fast", "go: fast → free"} <= {event.transition for event in run.events}
    _, states, events = drive([job(system, [["start"], ["advance", [4.0]], ["events"]])])[0]
    assert [event["transition"] for event in events] == [event.transition for event in run.events]
    assert [event["time"] for event in events] == pytest.approx([event.time for event in run.events], abs=1e-9)
    assert [*states[-1]["q"], *states[-1]["v"]] == pytest.approx([*run.q[-1], *run.v[-1]], abs=1e-8)
