"""Functional schemes against closed forms and published digits.

The digits come from arithmetic of 30 and more digits, two ways each: exponentials or logarithms, and extrapolation.
"""

from __future__ import annotations

from fractions import Fraction

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
