"""Digits of references that other tests only imply: matrices of the bicycle, speeds at which it turns unstable, switches.

All of them were computed in more than thirty digits, in two ways that share nothing with the package.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.structures import MODELS

import sistel
from tests.laws.test_schemes import MOTOR

M = np.array([[80.81722, 2.31941332208709135], [2.31941332208709135, 0.297841881996855530]])
C1 = np.array([[0.0, 33.8664139149249439], [-0.850356414569784370, 1.68540397397559674]])
K0 = np.array([[-80.95, -2.59951685249871641], [-2.59951685249871641, -0.803294884586176881]])
K2 = np.array([[0.0, 76.5973458957322215], [0.0, 2.65431523794604025]])
WEAVE, CAPSIZE = 4.29238253634110396, 6.02426201538835889
"""Speeds between which the bicycle rights itself [m/s]."""


@pytest.mark.parametrize("speed", [3.0, WEAVE, CAPSIZE])
def test_matrices_and_critical_speeds_of_the_bicycle(speed: float) -> None:
    """Meijaard, Papadopoulos, Ruina, Schwab 2007: M q'' + v C1 q' + (g K0 + v² K2) q = 0; steer turns the other way."""
    lean = sistel.load(MODELS / "bicycle.xml").with_parameters(speed=speed, push=0.0).linearize().only()
    A = np.block([
        [np.zeros((2, 2)), np.eye(2)],
        [-np.linalg.solve(M, 9.81 * K0 + speed**2 * K2), -speed * np.linalg.solve(M, C1)],
    ])  # fmt: skip
    turned = np.diag([1.0, -1.0, 1.0, -1.0])
    np.testing.assert_allclose(turned @ lean.A @ turned, A, rtol=0, atol=2e-13)
    least = min(lean.poles, key=lambda pole: abs(pole.real))
    if speed == WEAVE:
        assert least.real == pytest.approx(0.0, abs=1e-13) and abs(least.imag) > 3.0
    if speed == CAPSIZE:
        assert least == pytest.approx(0.0, abs=1e-13)


def test_the_limit_of_a_current_is_met_and_left() -> None:
    """The current stays at 6 A from one instant to the other, at which the speed is 336 rad/s."""
    run = sistel.parse(MOTOR.format(limit='current="6"')).simulate(0.5)
    on, off = 0.000892173057961649083, 0.241901083297547476
    found = run.quantity("current(M)", [on, 0.1, off])
    np.testing.assert_allclose(found, 6.0, rtol=0, atol=1e-12)
    assert (run.quantity("current(M)", [on - 1e-6, off + 1e-6]) < 6.0 - 1e-9).all()
    assert run(off)[1][0] == pytest.approx(336.0, rel=1e-12)


def test_poles_and_peak_of_a_motor() -> None:
    """Of the current from rest: a sum of two exponentials with these exponents."""
    run = sistel.parse(MOTOR.format(limit="")).simulate(0.1)
    slow, fast = -10.7544688591662103, -389.29553114083379
    t = np.linspace(0.0, 0.1, 41)
    found = run.quantity("current(M)", t)
    rest = np.stack([np.ones_like(t), np.exp(slow * t), np.exp(fast * t)], axis=1)
    parts = np.linalg.lstsq(rest, found, rcond=None)[0]
    np.testing.assert_allclose(rest @ parts, found, rtol=0, atol=2e-12)
    peak = 0.00954366164979731919
    assert run.quantity("current(M)", [peak])[0] == pytest.approx(18.5935375988626342, rel=1e-13)
    assert np.max(run.quantity("current(M)", np.linspace(0.0095, 0.0096, 11))) <= 18.5935375988626342 * (1 + 1e-13)


RELAY = """<system><gravity value="0"/>
  <body name="p" joint="prismatic" mass="2" damping="0.8 N*s/m" com="0,0"><motor name="p"/></body>
  <scheme name="c"><block name="u" kind="relay" in="q(p)" low="-50 mm" high="50 mm" on="-3 N" off="3 N" start="1"/>
    <output motor="p" from="u"/></scheme><start p="300"/></system>"""


def test_the_limit_cycle_of_a_relay() -> None:
    """After some turns period, amplitude and speed at the switches are those of the limit cycle."""
    period, amplitude, speed = 2.54135040950097736, 0.299536718679618565, 0.933006403562866509
    run = sistel.parse(RELAY).simulate(80.0)
    times = [event.time for event in run.events]
    assert times[-1] - times[-3] == pytest.approx(period, abs=1e-12)
    assert abs(run(times[-1])[1][0]) == pytest.approx(speed, abs=1e-12)
    # The farthest place, where the velocity is none: half of a turn lies between two of them.
    t = np.linspace(times[-3], times[-1], 2001)
    far = np.abs(run(t)[0][:, 0]).max()
    assert amplitude - 1e-5 < far <= amplitude + 1e-12


@pytest.mark.parametrize(
    ("wind", "times"),
    [
        ("", [0.167008278988310196, 0.779425057647767766, 1.48103575844466032, 1.61669712368345363]),
        ('back="5 1/s"', [0.160581494445248401, 0.769350386925971592, 1.48607613410743179, 1.61864362028130641]),
    ],
)
def test_when_a_regulator_saturates(wind: str, times: list[float]) -> None:
    """An inverted pendulum whose PID is cut at 3 N·m: instants at which it leaves its limits, and meets the low one."""
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
    for time in times:
        before, now, after = np.abs(run.quantity("u", [time - 1e-5, time, time + 1e-5]))
        # The moment is at its limit now and on one side, on the other it is within.
        assert now == pytest.approx(3.0, abs=2e-11)
        assert sorted([before < 3.0 - 1e-7, after < 3.0 - 1e-7]) == [False, True]
