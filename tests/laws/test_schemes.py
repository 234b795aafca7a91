"""Functional schemes against closed forms and published digits.

The digits come from arithmetic of 30 and more digits, two ways each: exponentials or logarithms, and extrapolation.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import sistel

PENDULUM = """<system>
  <body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/></body>
  <scheme name="drive" period="10 ms" {clock}>
    <block name="u" kind="pd" in="1 rad - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="0.8 N*m*s/rad"/>
    <output motor="arm" from="u"/>
  </scheme>
</system>"""


@pytest.mark.parametrize(
    ("clock", "angle", "rate"),
    [
        ("", 0.772848871517726776, 0.186546292968822343),
        ('latency="10 ms"', 0.726552096840060335, 0.636416283431859451),
    ],
)
def test_a_sampled_pendulum(clock: str, angle: float, rate: float) -> None:
    """Tick k at k/100 s reads the left limit, and what it computes is held; or acts one period later."""
    run = sistel.parse(PENDULUM.format(clock=clock)).simulate(2.0)
    assert run.last[:2] == pytest.approx([angle, rate], abs=2e-14)
    assert not run.events  # ticks are no events


def test_ticks_do_not_drift() -> None:
    """A hundred thousand ticks of a third of a millisecond are where whole numbers put them."""
    text = """<system><gravity value="0"/><body name="p" joint="prismatic" mass="1" com="0,0"/>
      <scheme name="clock" period="1/3000" offset="1 ms">
        <block name="n" kind="counter" in="true"/><signal name="now" value="t"/>
        <signal name="true" value="1 gt 0"/>
      </scheme></system>"""
    run = sistel.parse(text).simulate(33.0)
    names = [each.name for each in run.model.memory]
    ticks = run.last[2 + names.index("tick(clock)")]
    assert ticks == sum(1 for k in range(99_001) if Fraction(1, 1000) + Fraction(k, 3000) <= 33)
    last = float(Fraction(1, 1000) + Fraction(int(ticks) - 1, 3000))
    assert run.last[2 + names.index("now")] == pytest.approx(last, abs=2 * np.spacing(last))


MOTOR = """<system><gravity value="0"/>
  <body name="rotor" joint="revolute" mass="1" com="0,0" inertia="2e-4" damping="1e-5 N*m*s/rad">
    <motor name="M" voltage="24 V" resistance="1.2" inductance="0.003" constant="0.05" {limit}/>
    <moment value="-0.02"/>
  </body>
  <scheme name="supply"><signal name="U" value="24 V"/><output motor="M" from="U"/></scheme>
</system>"""


@pytest.mark.parametrize(
    ("limit", "until", "angle", "speed", "current"),
    [
        ("", 0.1, 17.3385109673714264, 303.817252449154083, 7.53013241443998084),
        ('current="6"', 0.5, 149.944207522146366, 459.912847881188609, 0.846450653019097333),
    ],
)
def test_a_motor_on_a_voltage(limit: str, until: float, angle: float, speed: float, current: float) -> None:
    """Exponentials; with a limit the current is 6 A until the voltage no longer suffices."""
    run = sistel.parse(MOTOR.format(limit=limit)).simulate(until)
    assert run.last[:3] == pytest.approx([angle, speed, current], rel=3e-13)


def test_a_relay_in_a_loop() -> None:
    """2 x'' = -0.8 x' + u, u = -3 once x rises to 0.05, +3 once it falls to -0.05."""
    text = """<system><gravity value="0"/>
      <body name="p" joint="prismatic" mass="2" damping="0.8 N*s/m" com="0,0"><motor name="p"/></body>
      <scheme name="c"><block name="u" kind="relay" in="q(p)" low="-50 mm" high="50 mm" on="-3 N" off="3 N" start="1"/>
        <output motor="p" from="u"/></scheme>
      <start p="300"/></system>"""
    run = sistel.parse(text).simulate(10.0)
    assert run.last[0] == pytest.approx(0.278060279473241390, abs=1e-13)
    switches = [0.715710458678268894, 1.98698280594610154, 3.25801721298112712]
    assert [event.time for event in run.events][:3] == pytest.approx(switches, abs=2e-14)


def test_a_thermostat() -> None:
    """20 x' = -(x - 15) + 40 u; off at 23, on at 21: the 17 switches of logarithms."""
    text = """<system><gravity value="0"/><body name="p" joint="prismatic" mass="1" com="0,0"/>
      <scheme name="c">
        <block name="on" kind="hysteresis" in="-x" low="-23" high="-21" start="1"/>
        <block name="x" kind="lag" in="15 + select(on, 40, 0)" time="20 s" start="18"/>
      </scheme></system>"""
    run = sistel.parse(text).simulate(60.0)
    assert len(run.events) == 17
    assert run.events[0].time == pytest.approx(2.90364019688995795, abs=1e-14)
    assert run.quantity("x")[-1] == pytest.approx(22.4713604596147723, abs=1e-12)
    up, down = 1.21249243632869685, 5.75364144903561855
    gaps = np.diff([event.time for event in run.events])
    assert gaps[::2] == pytest.approx([down] * 8, abs=1e-13)
    assert gaps[1::2] == pytest.approx([up] * 8, abs=1e-13)


@pytest.mark.parametrize(
    ("wind", "angle", "rate", "integral"),
    [
        ("", 0.455814401818167378, 0.474093539648746885, 0.128789892307216462),
        ('back="5 1/s"', 0.475588608284071965, 0.565464011866101759, 3.48043822254897414),
    ],
)
def test_a_regulator_that_saturates(wind: str, angle: float, rate: float, integral: float) -> None:
    """An inverted pendulum whose PID is cut at 3 N·m: clamping, and back-calculation."""
    text = f"""<system><gravity value="0"/>
      <body name="a" joint="revolute" mass="1" com="0,0" inertia="0.25" damping="0.05 N*m*s/rad">
        <motor name="a"/><moment value="4.905*sin(angle(a)) + 0.8"/></body>
      <scheme name="c">
        <signal name="ref" value="select(t lt 0.6 s, 0 rad, select(t lt 1.4 s, -0.12 rad, 0.1 rad))"/>
        <block name="u" kind="pid" in="ref - angle(a)" rate="-rate(a)"
               kp="30 N*m/rad" ki="40 N*m/rad/s" kd="1 N*m*s/rad" limit="3 N*m" {wind}/>
        <output motor="a" from="u"/>
      </scheme><start a="0.2 rad"/></system>"""
    run = sistel.parse(text).simulate(2.0)
    assert run.last[:3] == pytest.approx([angle, rate, integral], abs=2e-13)


SLED = """<system><gravity value="10 m/s^2"/>
  <body name="b" joint="prismatic2" mass="1" com="0,0"><point name="p"/><motor name="across" of="b.x"/>
    <motor name="up" of="b.y"/></body>
  <links><contact name="c" point="p" surface="y &lt; 0" friction="0.5"/></links>
  <scheme name="s" period="100 ms">
    <block name="k" kind="delay" in="k + 1" start="0"/>
    <output motor="{motor}" from="{force}*k"/>
  </scheme></system>"""


def test_a_tick_makes_a_contact_slip() -> None:
    """A pull that grows by 2 N a tick passes the 5 N of friction at the fourth, and the sled starts at that instant."""
    run = sistel.parse(SLED.format(motor="across", force="2 N")).simulate(0.5)
    (slip,) = (event for event in run.events if "c" in event.transition and event.time > 0)
    assert slip.time == pytest.approx(0.3, abs=1e-15)
    assert run.last[0] == pytest.approx(0.03, abs=1e-15)
    assert run.last[2] == pytest.approx(0.4, abs=1e-14)


def test_a_tick_lifts_a_contact() -> None:
    """A pull upwards that grows by 4 N a tick passes the weight of 10 N at the fourth."""
    run = sistel.parse(SLED.format(motor="up", force="-4 N")).simulate(0.5)
    (free,) = (event for event in run.events if event.time > 0)
    assert free.time == pytest.approx(0.3, abs=1e-15)
    assert run.last[1] == pytest.approx(-(0.01 + 0.02 + 0.03), abs=1e-15)


def test_a_clock_does_not_disturb_impacts() -> None:
    """A ball that hops strikes when it would without a clock that only looks at it."""
    text = """<system><body name="b" joint="prismatic2" mass="1" com="0,0"><point name="p"/></body>
      <links><contact name="c" point="p" surface="y &lt; 1 m" restitution="0.8" friction="0.3"/></links>{scheme}
      <start><coordinate of="b" value="0, 0" rate="500, 0"/></start></system>"""
    scheme = '<scheme name="k" period="10 ms"><signal name="h" value="y(p)"/></scheme>'
    alone, watched = (sistel.parse(text.format(scheme=one)).simulate(2.0) for one in ("", scheme))
    assert len(alone.events) == len(watched.events) > 2
    for one, other in zip(alone.events, watched.events, strict=True):
        assert (one.transition, one.after) == (other.transition, other.after)
        assert one.time == pytest.approx(other.time, abs=1e-14)
    assert alone.last[:4] == pytest.approx(watched.last[:4], abs=1e-13)


@pytest.mark.parametrize("how", [{}, {"method": "radau"}, {"method": "runge-kutta"}, {"method": "gauss", "step": 0.01}])
def test_conditions_see_signals_jump(how: dict[str, Any]) -> None:
    """A transition at the instant at which a held signal falls below zero, and one that asks whether it is."""
    text = """<system><gravity value="0"/><body name="p" joint="prismatic" mass="1" com="0,0"/>
      <links><structure name="A"/><structure name="B"/>
        <transition from="A" to="B" when="{when}"/></links>
      <scheme name="s" period="1/8"><signal name="u" value="cos(3*t)"/></scheme></system>"""
    for when in ("u falls through 0", "u lt 0"):
        run = sistel.parse(text.format(when=when)).simulate(2.0, **how)
        assert [(event.time, event.after) for event in run.events] == [
            (pytest.approx(0.625, rel=1e-14), "B")
        ]  # after pi/6


@pytest.mark.parametrize("how", [{}, {"method": "radau"}, {"method": "runge-kutta"}, {"method": "gauss", "step": 0.01}])
@pytest.mark.parametrize("clock", [10, 8, 7])
def test_a_stop_at_the_instant_of_a_tick(clock: int, how: dict[str, Any]) -> None:
    """1.5 m/s strike a stop at 1.5 s, which is a tick of two of the clocks; the tick still reads what was before."""
    text = f"""<system><gravity value="0"/><body name="c" joint="prismatic" mass="2" max="2.25 m"><stop restitution="0.5"/></body>
      <scheme name="s" period="1/{clock}"><signal name="u" value="v(c)"/></scheme><start c.rate="1.5 m/s"/></system>"""
    run = sistel.parse(text).simulate(3.95, **how)
    (strike,) = run.events
    assert (strike.transition, strike.time) == ("c at max strikes", pytest.approx(1.5, rel=1e-14))
    ticks = [event.time for event in run.passages if event.transition == "tick(s)"]
    assert ticks == pytest.approx([i / clock for i in range(int(3.95 * clock) + 1)], rel=1e-14)
    assert run.last[:3] == pytest.approx([2.25 - 0.75 * 2.45, -0.75, -0.75], rel=1e-13)
    assert run.quantity("u", [1.49, 1.51 + 1.0 / clock]) == pytest.approx([1.5, -0.75], rel=1e-13)


def test_laws_of_python_are_asked_at_ticks() -> None:
    """The same pendulum with a function: the same digits; and what a law may not do is said, the run before it kept."""
    plain = PENDULUM[: PENDULUM.index("<scheme")] + "</system>"
    system = sistel.parse(plain)
    law = lambda t, x: {"arm": 20 * (1 - x["angle(arm)"]) - 0.8 * x.v[0]}  # noqa: E731
    run = system.simulate(2.0, control=law, period=0.01)
    assert run.last[:2] == pytest.approx([0.772848871517726776, 0.186546292968822343], abs=2e-14)
    for wrong, words in (
        (lambda t, x: {"arn": 1.0}, 'did you mean "arm"'),
        (lambda t, x: float("nan"), "gave nan"),
        (lambda t, x: [1.0, 2.0], "2 numbers for 1"),
        (lambda t, x: 1.0 / (0.0 if t > 0.5 else 1.0), "ZeroDivisionError"),
        (lambda t, x: x["angle(nobody)"], 'no body or joint "nobody"'),
    ):
        with pytest.raises(sistel.SistelError, match=words) as caught:
            system.simulate(1.0, control=wrong, period=0.01)
        assert caught.value.run.end in (0.0, pytest.approx(0.51))


def test_ensembles_are_runs() -> None:
    """Runs of an ensemble are those of single calls to the bit, and ticks are no events of theirs."""
    system = sistel.parse(PENDULUM.format(clock=""))
    angles = [0.0, 0.3, 1.0]
    together = system.ensemble(1.0, initial={"arm": angles})
    for i, angle in enumerate(angles):
        assert (together.state[i] == system.simulate(1.0, q=[angle]).last).all()
    assert list(together.events) == [0, 0, 0]


def test_a_run_goes_on_from_a_tick_with_which_a_signal_jumped() -> None:
    """Machine code makes room for events after 1024 of them, here ticks: what jumped with the last one is not forgotten."""
    text = """<system><gravity value="0"/><body name="p" joint="prismatic" mass="1" com="0,0"/>
      <links><structure name="A"/><structure name="B"/><transition from="A" to="B" when="u falls through 0"/></links>
      <scheme name="s" period="1 ms"><signal name="u" value="1.0225 s - t"/></scheme></system>"""
    system = sistel.parse(text)
    for whole in (system.simulate(1.1), system.simulate(1.0231).resume(1.1)):
        (event,) = whole.events
        assert (event.after, event.time) == ("B", pytest.approx(1.023, abs=1e-15))


def test_a_start_between_ticks() -> None:
    """Ticks before it are none of the run, however many there would have been."""
    times: list[float] = []
    system = sistel.parse(PENDULUM[: PENDULUM.index("<scheme")] + "</system>")
    system.simulate(1000.05, t=1000.025, control=lambda t, x: times.append(t) or 0.0, period=0.01)
    assert times == pytest.approx([1000.03, 1000.04, 1000.05], abs=1e-12)
    late = sistel.parse(PENDULUM.format(clock='offset="3 ms" latency="4 ms"')).simulate(2.0, t=1.0051)
    ticks = [(event.time, event.transition) for event in late.passages]
    assert ticks[0] == (pytest.approx(1.013), "tick(drive)") and ticks[1] == (
        pytest.approx(1.017),
        "tick(release drive)",
    )
