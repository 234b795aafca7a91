"""Cycles in which something goes on: counters, turns of a crank, a belt, a slanted floor, stairs; or must not."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import Cycle

MODELS = Path(__file__).resolve().parents[3] / "models"

# A spoke that turns about its foot: what the strike leaves of the rate, and what it counts, is filled in.
SPOKE = """
<system name="wheel" class="planar open chain">
  <parameter name="slope" value="0.08 rad"/>
  <parameter name="a" value="22.5 deg"/>
  <gravity value="9.81 m/s^2" along="sin(slope), cos(slope)"/>
  <body name="spoke" joint="revolute" mass="1" com="0, -1 m"/>
  <links>
    {counter}
    <structure name="rolls"/>
    <transition from="rolls" to="rolls" when="{when}" {counts}>
      <set of="spoke" value="angle(spoke) - 2*a" rate="{rate}"/>{sets}
    </transition>
    {more}
  </links>
  <start spoke="-a" spoke.rate="1.3 rad/s"/>
</system>"""
PERIOD = 1.03454981142327932895669283115
"""Of the wheel of point mass (McGeer 1990) [s]."""
LEFT = math.cos(math.radians(45.0))
"""Part of the rate that a strike leaves."""


def wheel(**parts: str) -> sistel.System:
    usual = {
        "counter": "",
        "when": "angle(spoke) rises through a",
        "counts": "",
        "rate": "rate(spoke)*cos(2*a)",
        "sets": "",
        "more": "",
    }
    return sistel.parse(SPOKE.format(**(usual | parts)))


def comes_back(system: sistel.System, cycle: Cycle, but: tuple[str, ...] = ()) -> None:
    """A plain run over one period ends where it began, what goes on apart."""
    run = system.simulate(cycle.period, q=cycle.q, v=cycle.v, structure=cycle.structure)
    names = system.model.coordinate_names
    for name, here, there in zip(names, cycle.q, run.q[-1], strict=True):
        assert there - here == pytest.approx(cycle.shift.get(name, 0.0), abs=1e-9), name
    assert run.v[-1] == pytest.approx(cycle.v, abs=1e-9)
    assert set(but) <= set(cycle.shift)


def test_a_counter_that_nothing_reads() -> None:
    found = wheel(counter='<counter name="n"/>', counts='counts="n"').cycle()
    assert found.success and found.stable
    assert found.period == pytest.approx(PERIOD, rel=1e-14) and found.multipliers == pytest.approx([0.5], rel=1e-13)
    assert found.shift == {"counter(n)": 1.0} and found.memory.tolist() == [1.0]


def test_a_counter_that_is_read_and_comes_back() -> None:
    """Every third strike leaves a little more: three strikes are a period, with the map in closed form."""
    system = wheel(
        counter='<counter name="n"/>',
        rate="rate(spoke)*cos(2*a)*if(counter(n) gt 1.5, 1.04, 1)",
        sets='<set of="n" value="if(counter(n) gt 1.5, 0, counter(n) + 1)"/>',
    )
    found = system.cycle()
    assert found.success and len(found.events) == 3 and found.shift == {}
    (u,) = found.v
    gain = 4 * 9.81 * math.sin(math.radians(22.5)) * math.sin(0.08)  # of the square of the rate, from strike to strike
    first = int(found.memory[0])
    square = u * u
    for strike in range(first, first + 3):
        square = (square + gain) * (LEFT * (1.04 if strike % 3 == 2 else 1.0)) ** 2
    assert square == pytest.approx(u * u, rel=1e-13)
    assert found.multipliers == pytest.approx([LEFT**6 * 1.04**2], rel=1e-12)


@pytest.mark.parametrize(
    ("parts", "what", "line"),
    [
        (
            {
                "counter": '<counter name="n"/>',
                "counts": 'counts="n"',
                "more": '<structure name="end"/><transition from="rolls" to="end" when="counter(n) gt 1000"/>',
            },
            'counter "n"',
            13,
        ),
        ({"rate": "rate(spoke)*cos(2*a)*(1 + 0.001*counter(rolls))"}, 'entries into "rolls"', 11),
    ],
)
def test_a_count_that_is_read_and_goes_on_is_named(parts: dict[str, str], what: str, line: int) -> None:
    with pytest.raises(sistel.SistelError, match="no state comes back") as caught:
        wheel(**parts).cycle(until=10.0)
    (problem,) = caught.value.diagnostics
    assert what in problem.message.en and problem.message.ru
    assert problem.span is not None and problem.span.line == line
    assert problem.hint is not None and problem.hint.ru


def test_a_place_that_a_transition_only_compares_is_no_free_one() -> None:
    """Beyond 2 m a kick is another one: a motion before is no cycle, though no derivative shows it."""
    text = """<system name="kicks"><gravity value="0 m/s^2"/>
      <body name="a" joint="prismatic" axis="x" mass="1" damping="0.4 N*s/m"/>
      <links><structure name="runs"/>
        <transition name="kick" from="runs" to="runs" when="v(a) falls through 1 m/s">
          <set of="a" rate="{}"/></transition></links>
      <start a="0 m" a.rate="2 m/s"/></system>"""
    free = sistel.parse(text.format("2 m/s")).cycle()
    assert free.success and free.shift["a"] == pytest.approx(1.0 / 0.4, rel=1e-12)
    assert free.period == pytest.approx(math.log(2.0) / 0.4, rel=1e-13)
    bound = sistel.parse(text.format("if(x(a) gt 2 m, 3 m/s, 2 m/s)"))
    assert not bound.cycle(until=4.0).success


def test_the_time_since_an_entry() -> None:
    """What the strike leaves depends on how long the step took; the derivative is that of differences of the map."""
    system = wheel(rate="rate(spoke)*cos(2*a)*(1 + 0.01*elapsed/(1 s))")
    found = system.cycle()
    assert found.success and found.shift == {}
    comes_back(system, found)

    def image(v: float) -> float:
        run = system.simulate(1.5, q=found.q, v=[v])
        return float(run(run.events[0].time)[1][0])

    h = 1e-4
    slope = (
        8 * (image(found.v[0] + h) - image(found.v[0] - h)) - image(found.v[0] + 2 * h) + image(found.v[0] - 2 * h)
    ) / (12 * h)
    assert found.multipliers == pytest.approx([slope], abs=1e-10)
    other = wheel(when="angle(spoke) rises through a or elapsed gt 5 s").cycle()
    assert other.success and other.period == pytest.approx(PERIOD, rel=1e-14)


CRANK = """
<system name="crank" class="planar closed chain">
  <gravity value="0 m/s^2"/>
  <body name="crank" joint="revolute" mass="1.5" com="20, 0" inertia="0.004">
    <body name="rod" joint="revolute" place="100, 0" mass="0.6" com="120, 0" inertia="0.006"/>
  </body>
  <body name="piston" joint="prismatic" axis="x" mass="0.8">
    <body name="bob" joint="revolute" mass="0.2" com="0, 100" damping="0.001 N*m*s" stiffness="0.1"/>
  </body>
  <motion of="crank" value="{} deg/s*t"/>
  <links><closure name="pin" joint="revolute" body="rod" at="300, 0" to="piston"/></links>
  <start crank="0" rod="0" piston="400 mm"/>
</system>"""


@pytest.mark.parametrize("turns", [1, -2])
def test_a_crank_that_is_given_its_turns(turns: int) -> None:
    """The bob is all that is free: 0.002 kg·m² with 0.001 N·m·s, by Liouville's formula."""
    system = sistel.parse(CRANK.format(360 * turns))
    found = system.cycle(period=1.0)
    assert found.success and found.stable
    assert found.shift == pytest.approx({"crank": turns * math.tau, "rod": -turns * math.tau}, rel=1e-13)
    assert len(found.multipliers) == 2
    assert np.prod(found.multipliers) == pytest.approx(math.exp(-0.001 / 0.002), rel=1e-10)
    comes_back(system, found)


def test_a_belt_that_is_given_its_speed() -> None:
    """Its place goes on from period to period, and is no part of the state."""
    system = sistel.parse(
        """<system name="belt" class="planar open chain">
      <body name="belt" joint="prismatic" axis="x" mass="1">
        <body name="rod" joint="revolute" mass="1" com="0, 1 m" damping="0.5 N*m*s/rad">
          <moment value="0.3 N*m*sin(2 rad/s*t)"/></body>
      </body>
      <motion of="belt" value="0.2 m/s*t + 10 mm*sin(2 rad/s*t)"/>
    </system>"""
    )
    found = system.cycle(period="2*pi/(2 rad/s)")
    assert found.success and found.shift == pytest.approx({"belt": 0.2 * math.pi}, rel=1e-13)
    assert np.prod(found.multipliers) == pytest.approx(math.exp(-0.5 * math.pi), rel=1e-11)
    comes_back(system, found)


def test_stick_and_slip_on_a_running_belt() -> None:
    """The belt is where its speed times the time has it: with it the time goes on unnoticed. Closed forms."""
    system = sistel.load(MODELS / "stick_slip.xml")
    found = system.cycle()
    assert found.success and found.stable
    rest, slide, u, w = 0.4 * 9.81 / 100, 0.25 * 9.81 / 100, 0.2, 10.0
    slips = (math.tau - 2 * math.atan((rest - slide) * w / u)) / w
    sticks = 2 * (rest - slide) / u
    assert found.period == pytest.approx(slips + sticks, rel=1e-13)
    assert found.shift == pytest.approx({"belt": u * found.period, "block": -u * found.period}, rel=1e-12)
    comes_back(system, found)


def test_a_floor_that_is_a_slanted_line() -> None:
    """The wheel of the gallery with its weight downward: neither x nor y is free, but the way along the floor is."""
    text = (MODELS / "rimless_wheel.xml").read_text()
    text = text.replace('along="sin(slope), cos(slope)"', 'along="0, 1"')
    text = text.replace('surface="y = 0"', 'surface="y = x*tan(slope)"').replace(' class="planar open chain"', "")
    begin = text.index("<start")
    text = text[:begin] + (
        '<start wheel="-l*sin(a - slope), -l*cos(a - slope), -a + slope" '
        'wheel.rate="l*cos(a - slope)*w, -l*sin(a - slope)*w, 1.1*w"/></system>'
    )
    found = sistel.parse(text).cycle()
    assert found.success
    assert found.period == pytest.approx(0.8138721971472062830325845, rel=1e-13)
    assert found.multipliers == pytest.approx([0.5862741699796952078082702], rel=1e-12)
    step = 2 * math.sin(math.radians(22.5))
    assert found.shift["wheel.x"] == pytest.approx(step * math.cos(0.08), rel=1e-13)
    assert found.shift["wheel.y"] == pytest.approx(step * math.sin(0.08), rel=1e-12)


def test_stairs_are_counted() -> None:
    """A kick at every edge: the edges are at half metres, and place and counter go on together."""
    found = sistel.parse(
        """<system name="stairs"><gravity value="0 m/s^2"/>
      <body name="a" joint="prismatic" axis="x" mass="1" damping="0.4 N*s/m"/>
      <links><counter name="n"/><structure name="runs"/>
        <transition name="kick" from="runs" to="runs" when="x(a) rises through (counter(n) + 1)*0.5 m" counts="n">
          <set of="a" rate="v(a)*0.5 + 1 m/s"/></transition></links>
      <start a="0 m" a.rate="2 m/s"/></system>"""
    ).cycle()
    # Over half a metre the speed falls by 0.4/s · 0.5 m = 0.2 m/s: u = (u - 0.2)/2 + 1.
    assert found.success and found.v == pytest.approx([1.8], rel=1e-13)
    assert found.multipliers == pytest.approx([0.5], rel=1e-12)
    assert found.shift == pytest.approx({"a": 0.5, "counter(n)": 1.0}, rel=1e-13)
    assert found.period == pytest.approx(math.log(1.8 / 1.6) / 0.4, rel=1e-12)


def test_a_condition_that_reads_a_place_in_space_is_named() -> None:
    text = (MODELS / "rimless_wheel.xml").read_text()
    text = text.replace('when="gap(next) falls through 0"', 'when="gap(next) falls through 0 and x(wheel) lt 1 km"')
    with pytest.raises(sistel.SistelError, match=r"goes on by 0\.765") as caught:
        sistel.parse(text).cycle(until=15.0)
    (problem,) = caught.value.diagnostics
    assert "wheel.x" in problem.message.en and "wheel.x" in problem.message.ru
    assert problem.span is not None and "x(wheel) lt 1 km" in text.splitlines()[problem.span.line - 1]


def test_a_turn_that_a_condition_reads_is_none() -> None:
    """angle(a) = 90° comes once in a life, sin(angle(a)) = 1/2 every turn."""
    text = """<system name="rotor"><gravity value="0 m/s^2"/>
      <body name="a" joint="revolute" inertia="1" mass="1" damping="0.1 N*m*s"><moment value="0.2 N*m"/></body>
      <links><structure name="runs"/>
        <transition name="mark" from="runs" to="runs" when="{} rises through {}"/></links>
      <start a.rate="2.5 rad/s"/></system>"""
    found = sistel.parse(text.format("sin(angle(a))", "0.5")).cycle()
    assert found.success and found.v == pytest.approx([2.0], rel=1e-12)
    assert found.shift == pytest.approx({"a": math.tau}, rel=1e-13)
    assert found.multipliers == pytest.approx([math.exp(-0.1 * math.pi)], rel=1e-11)
    once = sistel.parse(text.format("angle(a)", "90 deg")).cycle(until=30.0)
    assert not once.success and "repeats" in once.reason.en


def test_transitions_that_hold_already_when_a_structure_is_entered() -> None:
    """Three at one instant, the first of them where the file begins."""
    chain = (
        SPOKE.format(
            counter='<structure name="first"/>',
            when="angle(spoke) rises through a",
            counts="",
            rate="rate(spoke)",
            sets="",
            more="""<structure name="struck"/><structure name="slowed"/>
          <transition from="first" to="rolls" when="angle(spoke) lt 10 rad"/>
          <transition from="struck" to="slowed" when="rate(spoke) gt -100 rad/s">
            <set of="spoke" rate="rate(spoke)*cos(2*a)"/></transition>
          <transition from="slowed" to="rolls" when="angle(spoke) lt 10 rad"/>""",
        )
        .replace('from="rolls" to="rolls"', 'from="rolls" to="struck"')
        .replace("<start ", '<start structure="first" ')
    )
    found = sistel.parse(chain).cycle()
    assert found.success and len(found.events) == 3
    assert found.period == pytest.approx(PERIOD, rel=1e-14) and found.multipliers == pytest.approx([0.5], rel=1e-13)


def test_transitions_of_one_name_are_told_apart() -> None:
    """Up and down through the middle lead from the same structure to the same: each does what it says."""
    system = sistel.parse(
        """<system name="two"><gravity value="0 m/s^2"/>
      <body name="a" joint="prismatic" axis="x" mass="1" stiffness="4 N/m"/>
      <links><structure name="s"/>
        <transition from="s" to="s" when="x(a) rises through 0"><set of="a" rate="0.8*v(a) + 0.3 m/s"/></transition>
        <transition from="s" to="s" when="x(a) falls through 0"><set of="a" rate="0.9*v(a)"/></transition></links>
      <start a="-400 mm"/></system>"""
    )
    run = system.simulate(3.0)
    first, second = (run(event.time)[1][0] for event in run.events)
    assert first == pytest.approx(0.8 * 0.8 + 0.3, rel=1e-13) and second == pytest.approx(-0.9 * first, rel=1e-13)
    found = system.cycle()
    # Without damping a half swing keeps the speed: u = 0.8 · 0.9 u + 0.3 after the first of them.
    assert found.success and found.period == pytest.approx(math.pi, rel=1e-13)
    assert abs(found.v[0]) == pytest.approx(0.3 / 0.28 * (1.0 if found.v[0] > 0 else 0.9), rel=1e-12)
    assert found.multipliers == pytest.approx([0.72], rel=1e-12)


def test_two_strikes_at_one_instant_are_no_cycle() -> None:
    """There and back again at once, twice: only what takes time is a period."""
    found = sistel.parse(
        """<system name="blink"><gravity value="0 m/s^2"/>
      <body name="a" joint="prismatic" axis="x" mass="1" stiffness="4 N/m"/>
      <links><counter name="n"/><structure name="s"/><structure name="b"/>
        <transition name="up" from="s" to="b" when="x(a) rises through 0"><set of="n" value="0"/></transition>
        <transition name="blink" from="b" to="b" when="counter(n) lt 2" counts="n"/>
        <transition name="on" from="b" to="s" when="counter(n) ge 2"><set of="a" rate="0.8*v(a) + 0.3 m/s"/></transition>
      </links>
      <start a="-400 mm"/></system>"""
    ).cycle()
    assert found.success and found.period == pytest.approx(math.pi, rel=1e-13) and len(found.events) == 4
    assert found.v == pytest.approx([1.5], rel=1e-12) or found.structure == "b"
    assert found.multipliers == pytest.approx([0.8], rel=1e-12)


def test_angles_are_no_measure_of_differences() -> None:
    """Legs turned by millions of turns made any state look like any other: the hopper has no such cycle."""
    assert not sistel.load(MODELS / "hopper.xml").cycle(until=5.0).success
