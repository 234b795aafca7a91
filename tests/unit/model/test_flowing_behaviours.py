"""Behaviours in schemes without a clock: steps at the very instants, and the same steps as those of ticks."""

from __future__ import annotations

import math
import random
import re

import numpy as np
import pytest
from support.state_charts import EVENTS, RandomChart, Ticking, loaded
from support.thorough import cases

import sistel
from sistel.markup import write_document
from sistel.model import to_document

PATROL = """<system name="patrol"><gravity value="0"/>
  <body name="car" joint="prismatic" axis="x" mass="1"><motor name="car"/></body>
  <scheme name="drive">
    <behaviour name="go" start="right" f="0 N">
      <data name="laps" start="0"/>
      <state name="right" f="1 N"><go to="left" when="q(car) gt 1 m"><assign data="laps" value="laps + 1"/></go></state>
      <state name="left" f="-1 N"><go to="rest" when="laps ge 2"/><go to="right" when="q(car) lt 0 m"/></state>
      <state name="rest"><go to="right" after="0.5 s"/></state>
    </behaviour>
    <output motor="car" from="go.f"/>
  </scheme></system>"""


def scheme(states: str, start: str, more: str = "") -> sistel.System:
    return sistel.parse(
        '<system><gravity value="0"/><body name="a" joint="prismatic" axis="x" mass="1"><motor name="a"/></body>'
        f'<scheme name="s"><input name="e"/>{more}<behaviour name="b" start="{start}">{states}</behaviour></scheme>'
        '<start a.rate="1 m/s"/></system>'
    )


def test_passages_happen_at_the_very_instant() -> None:
    """A car that is pushed to and fro by 1 N: the instants by hand, and a chain of passages at one of them."""
    run = sistel.parse(PATROL).simulate(10.0)
    turn, home = math.sqrt(2.0), 2.0 + 2.0 * math.sqrt(2.0)
    second = home + 2.0 + math.sqrt(6.0)
    wanted = [
        (0.0, "go: start"),
        (turn, "go: right → left"),
        (home, "go: left → right"),
        (second, "go: right → left"),
        (second, "go: left → rest"),
        *((second + 0.5, f"go: {way}") for way in ("rest → right", "right → left", "left → rest")),
    ]
    assert [event.transition for event in run.events] == [name for _, name in wanted]
    assert [event.time for event in run.events] == pytest.approx([time for time, _ in wanted], abs=4e-15)
    assert run.quantity("go.laps", [1.0, 2.0, 5.0, 9.5, 10.0]).tolist() == [0.0, 1.0, 1.0, 2.0, 3.0]
    assert run.quantity("go.left", [1.0, 2.0, 5.0]).tolist() == [0.0, 1.0, 0.0]
    # 0.5 s without a force at the last velocity
    assert run.v[-1][0] == pytest.approx(math.sqrt(6.0), abs=1e-14)


def test_it_goes_on_where_it_ended_and_comes_back_from_its_text() -> None:
    system = sistel.parse(PATROL)
    whole, first = system.simulate(10.0), system.simulate(5.0)
    rest = system.simulate(10.0, resume=first)
    assert np.array_equal(rest.last, whole.last)
    for lang in ("en", "ru"):
        again = sistel.parse(write_document(to_document(system.model), lang))
        assert again.fingerprint == system.fingerprint


def test_conditions_may_depend_on_what_the_behaviour_gives() -> None:
    """States, data and outputs are known at once: what they are is remembered."""
    run = scheme(
        '<data name="n"/><state name="p" goal="1 m"><go to="q" when="there"><assign data="n" value="n + 1"/></go></state>'
        '<state name="q" goal="3 m"><go to="p" when="there and b.n lt 2"/></state>',
        "p",
        '<signal name="there" value="q(a) gt b.goal"/>',
    ).simulate(4.0)
    assert [(event.transition, event.time) for event in run.events[1:]] == [
        ("b: p → q", pytest.approx(1.0, abs=1e-14)),
        ("b: q → p", pytest.approx(3.0, abs=1e-14)),
        ("b: p → q", pytest.approx(3.0, abs=1e-14)),
    ]


def test_passing_a_value_is_an_instant() -> None:
    run = scheme(
        '<state name="p"><go to="q" when="sin(3*t*1 rad/s) falls through 0.5"/></state>'
        '<state name="q"><go to="p" when="sin(3*t*1 rad/s) rises through 0.5"/></state>',
        "p",
    ).simulate(3.0)
    angles = [5 / 6, 13 / 6, 17 / 6]
    assert [event.time for event in run.events[1:]] == pytest.approx([math.pi * x / 3 for x in angles], abs=1e-14)


def test_events_are_truths_that_begin_to_hold_and_what_is_raised() -> None:
    system = scheme(
        '<data name="n"/><state name="p"><go event="e"><assign data="n" value="n + 1"/><raise event="x.y"/></go>'
        '<go event="x"><assign data="n" value="n + 10"/></go><go event="far"><assign data="n" value="n + 100"/></go></state>',
        "p",
        '<signal name="far" value="q(a) gt 0.75 m"/>',
    )
    run = system.simulate(2.0, inputs={"e": [(0.0, 0.0), (0.5, 1.0), (0.6, 0.0), (1.5, 1.0)]})
    assert run.quantity("b.n", [0.4, 0.55, 0.7, 0.8, 1.4, 2.0]).tolist() == [0.0, 11.0, 11.0, 111.0, 111.0, 122.0]
    assert [event.time for event in run.events if event.transition == "b: far"] == pytest.approx([0.75], abs=1e-14)


def test_time_in_a_state_is_a_signal_and_after_is_exact() -> None:
    run = scheme(
        '<state name="p"><go to="q" after="1/3*1 s"/></state><state name="q"><go to="p" after="0.1 s"/></state>',
        "p",
        '<signal name="held" value="b.p.time"/>',
    ).simulate(1.0)
    wanted = [1 / 3, 1 / 3 + 0.1, 2 / 3 + 0.1, 2 / 3 + 0.2]
    assert [event.time for event in run.events[1:]] == pytest.approx(wanted, abs=1e-15)
    assert run.quantity("held", [0.25, 0.4, 0.5]) == pytest.approx([0.25, 0.0, 0.5 - wanted[1]], abs=1e-15)


def test_one_that_never_settles_is_named() -> None:
    made = scheme('<state name="p"><go to="q" when="t gt 0.5 s"/></state><state name="q"><go to="p"/></state>', "p")
    with pytest.raises(sistel.SistelError, match=r'behaviour "b" does not settle at 0\.5 s') as caught:
        made.simulate(1.0)
    assert caught.value.diagnostics[0].code == "endless"


def test_an_instant_is_refused_where_it_is_none() -> None:
    with pytest.raises(sistel.SistelError) as caught:
        scheme('<state name="p"><go to="p" event="e" when="q(a) rises through 1 m"/></state>', "p")
    (told,) = caught.value.diagnostics
    assert told.code == "no-clock" and told.span is not None and told.span.text.startswith("q(a)")


def test_contacts_and_reactions_lead_on() -> None:
    """A ball that comes to rest: what it presses with begins when the last bounce is over."""
    run = sistel.parse(
        '<system><body name="ball" joint="prismatic" axis="y" mass="1"><point name="p"/></body>'
        '<links><contact name="floor" point="p" surface="y = 1 m" restitution="0.5"/></links>'
        '<scheme name="s"><behaviour name="b" start="up"><state name="up"><go to="low" when="y(p) gt 0.5 m"/></state>'
        '<state name="low"><go to="rest" when="reaction(floor).n gt 1 N"/></state><final name="rest"/></behaviour>'
        "</scheme></system>"
    ).simulate(3.0)
    times = {event.transition: event.time for event in run.events if event.transition.startswith("b")}
    fall = math.sqrt(2 / 9.81)
    assert times["b: up → low"] == pytest.approx(math.sqrt(1 / 9.81), abs=1e-14)
    # bounces of half the speed each: fall + 2·fall·(1/2 + 1/4 + …)
    assert times["b: low → rest"] == pytest.approx(3 * fall, abs=1e-9)


def flowing(system: sistel.System) -> sistel.System:
    """The same behaviour in a scheme without a clock."""
    text = write_document(to_document(system.model))
    return sistel.parse(re.sub(r' period="[^"]*"', "", text, count=1))


def compare(seed: int, count: int = 20) -> int:
    """Send random events to a random chart, with and without a clock; how many configurations were compared."""
    system, rng = loaded(RandomChart(seed).text), random.Random(seed)
    own, other = Ticking(system), flowing(system)
    inputs = [name for name in EVENTS if name in own.places]
    given = {name: [(0.0, 0.0)] for name in inputs}
    wanted: list[tuple[set[str], float, float]] = []
    ends = own.go()
    for k in range(count + 1 if ends and inputs else int(ends)):
        if k:
            event = rng.choice(inputs)
            given[event] += [(float(k), 1.0), (k + 0.5, 0.0)]
            ends = own.go(**{event: 1.0})
            if not ends:
                break
        wanted.append((own.active(), own.value("m.x"), own.value("m.z")))
    if not ends:
        with pytest.raises(sistel.SistelError, match="does not settle"):
            other.simulate(count + 1.0, inputs=given)
        return 0
    run = other.simulate(len(wanted) + 0.0, inputs=given)
    at = [k + 0.75 for k in range(len(wanted))]
    (chart,) = other.model.schemes[0].behaviours
    states = {
        state.name: run.quantity(chart.full(index), at) > 0.5
        for index, state in enumerate(chart.states)
        if index and state.key != "history"
    }
    data = [run.quantity(name, at) for name in ("m.x", "m.z")]
    for k, (active, x, z) in enumerate(wanted):
        assert {name for name, held in states.items() if held[k]} == active, (seed, k)
        assert [float(each[k]) for each in data] == [x, z], (seed, k)
    return len(wanted)


def test_random_charts_do_what_they_do_at_ticks() -> None:
    assert sum(compare(seed, 12) for seed in (1, 2, 4)) >= 30


@pytest.mark.slow
@pytest.mark.no_cover
def test_many_random_charts_do_what_they_do_at_ticks() -> None:
    """A dozen of them; sixty where `SISTEL_THOROUGH=1` asks for them."""
    count = cases(12, 60)
    assert sum(compare(seed) for seed in range(5, 5 + count)) > 10 * count
