"""Cycles under forces that repeat with the time: closed forms, harmonic balance, impacts."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.simulation import follow_cycles

LINEAR = """
<system name="forced" class="planar open chain">
  <parameter name="w" value="1.3 rad/s"/>
  <gravity value="0 m/s^2"/>
  <body name="a" joint="prismatic" axis="x" mass="2" stiffness="8 N/m" damping="0.6 N*s/m">
    <force value="3 N*cos(w*t), 0"/>
  </body>
</system>"""

DUFFING = """
<system name="duffing" class="planar open chain">
  <parameter name="w" value="1.2 rad/s"/>
  <gravity value="0 m/s^2"/>
  <body name="a" joint="prismatic" axis="x" mass="1" damping="0.2 N*s/m">
    <force value="0.3 N*cos(w*t) - 1 N/m*x(a) - 1 N/m^3*x(a)^3, 0"/>
  </body>
  <start a="1 m"/>
</system>"""

# A mass on a spring that hits a stop in the middle.
IMPACTS = """
<system name="impacts" class="planar open chain">
  <parameter name="w" value="2.2 rad/s"/>
  <parameter name="r" value="0.8"/>
  <gravity value="0 m/s^2"/>
  <body name="a" joint="prismatic" axis="x" mass="1" stiffness="1 N/m"><force value="1 N*cos(w*t), 0"/></body>
  <links>
    <structure name="free"/>
    <transition name="hit" from="free" to="free" when="x(a) rises through 0"><set of="a" rate="-r*v(a)"/></transition>
  </links>
  <start a="-2 m"/>
</system>"""

# The place of a slider is forced, and a pendulum hangs on it.
SHAKEN = """
<system name="shaken" class="planar open chain">
  <body name="slider" joint="prismatic" axis="x" mass="1">
    <body name="rod" joint="revolute" mass="1" com="0, 1 m" damping="0.5 N*m*s/rad"/>
  </body>
  <motion of="slider" value="0.02 m*sin(5 rad/s*t)"/>
</system>"""


def response(w: float) -> complex:
    """Of the linear oscillator: its place is the real part of this times exp(i w t)."""
    return 3.0 / (8.0 - 2.0 * w * w + 0.6j * w)


def test_a_linear_oscillator() -> None:
    found = sistel.parse(LINEAR).cycle(period="2*pi/w")
    z = response(1.3)
    assert found.success and found.stable and (found.transition, found.events) == ("", ())
    assert found.period == pytest.approx(math.tau / 1.3, rel=1e-15)
    assert found.q == pytest.approx([z.real], rel=1e-14) and found.v == pytest.approx([(1.3j * z).real], rel=1e-14)
    wanted = np.exp(np.roots([2.0, 0.6, 8.0]) * found.period)
    assert sorted(found.multipliers, key=np.imag) == pytest.approx(sorted(wanted, key=np.imag), abs=1e-14)
    twice = sistel.parse(LINEAR).cycle(period=2 * math.tau / 1.3)
    assert twice.q == pytest.approx(found.q, rel=1e-13)
    assert np.prod(twice.multipliers) == pytest.approx(np.prod(found.multipliers) ** 2, rel=1e-12)


def test_along_the_frequency() -> None:
    values = [1.3, 1.6, 2.0, 2.3]
    made = follow_cycles(sistel.parse(LINEAR), "w", values, period="2*pi/w")
    assert [cycle.q[0] for cycle in made] == pytest.approx([response(w).real for w in values], rel=1e-12)
    assert [cycle.period for cycle in made] == pytest.approx([math.tau / w for w in values], rel=1e-15)


def balance(w: float) -> tuple[float, float]:
    """The orbit of Duffing's oscillator at t = 0 by collocation at 128 instants: Newton's method, no time steps."""
    count = 128
    t = np.arange(count) * math.tau / count
    apart = np.arange(count)[:, None] - np.arange(count)
    with np.errstate(divide="ignore"):
        D = np.where(apart == 0, 0.0, 0.5 * w * (-1.0) ** apart / np.tan(apart * math.pi / count))
    x = -np.cos(t)
    for _ in range(20):
        lack = D @ D @ x + 0.2 * D @ x + x + x**3 - 0.3 * np.cos(t)
        x = x - np.linalg.solve(D @ D + 0.2 * D + np.eye(count) + np.diag(3 * x * x), lack)
    return float(x[0]), float((D @ x)[0])


def test_duffings_oscillator() -> None:
    found = sistel.parse(DUFFING).cycle(period="2*pi/w")
    assert found.success
    assert found.state == pytest.approx(balance(1.2), rel=1e-12)
    # What an area becomes: Liouville's formula.
    assert np.prod(found.multipliers) == pytest.approx(math.exp(-0.2 * found.period), rel=1e-12)


@pytest.mark.parametrize(("w", "r"), [(2.2, 0.8), (2.1, 0.6), (1.9, 0.8)])
def test_an_impact_a_period(w: float, r: float) -> None:
    """Between impacts the motion is known: A cos + B sin + g cos(w t); the phase of the impact follows, in closed form."""
    T, g = math.tau / w, 1.0 / (1.0 - w * w)
    c, s = math.cos(T), math.sin(T)
    phase = math.atan(-((1 - c) / s * (1 + r * c) - r * s) / (w * (1 + r)))
    orbits = []
    for phi in (phase, phase + math.pi):
        A = -g * math.cos(phi)
        B = A * (1 - c) / s
        speed = -A * s + B * c - g * w * math.sin(phi)
        if speed > 0:
            orbits.append((phi % math.tau, A, B, speed))
    ((phi, A, B, speed),) = orbits
    instant = phi / w
    left = T - instant  # since the impact before t = 0
    begin = A * math.cos(left) + B * math.sin(left) + g, -A * math.sin(left) + B * math.cos(left)
    system = sistel.parse(IMPACTS).with_parameters({"w": w, "r": r})
    found = system.cycle(period="2*pi/w", q=[begin[0] - 1e-3], v=[begin[1] + 1e-3])
    assert found.success
    assert found.state == pytest.approx(begin, rel=1e-12)
    assert [event.time for event in found.events] == pytest.approx([instant], rel=1e-12)

    def turn(h: float) -> np.ndarray:
        return np.array([[math.cos(h), math.sin(h)], [-math.sin(h), math.cos(h)]])

    strike = np.array([[-r, 0.0], [(1 + r) * math.cos(phi) / speed, -r]])
    wanted = np.linalg.eigvals(turn(left) @ strike @ turn(instant))
    by_size = sorted(found.multipliers, key=lambda x: (x.imag, x.real))
    assert by_size == pytest.approx(sorted(wanted, key=lambda x: (x.imag, x.real)), rel=1e-10)
    assert found.stable == bool((np.abs(wanted) < 1).all())


def test_a_pendulum_on_a_shaken_slider() -> None:
    """The forced place belongs to the section's constraints, which move with the time: one pendulum is left."""
    found = sistel.parse(SHAKEN).cycle(period="2*pi/(5 rad/s)")
    assert found.success and len(found.multipliers) == 2
    assert found.q[0] == pytest.approx(0.0, abs=1e-15) and found.v[0] == pytest.approx(0.1, rel=1e-13)
    # Liouville's formula once more: the rod has the inertia 1 kg·m² about its joint.
    assert np.prod(found.multipliers) == pytest.approx(math.exp(-0.5 * found.period), rel=1e-11)
    run = sistel.parse(SHAKEN).simulate(8 * found.period, q=found.q, v=found.v)
    assert run.q[-1] == pytest.approx(found.q, abs=1e-12) and run.v[-1] == pytest.approx(found.v, abs=1e-12)


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (LINEAR, {}, "no transitions"),
        (LINEAR, {"period": 1.0}, "not their period"),
        (LINEAR, {"period": -1.0}, "positive"),
        (LINEAR, {"period": "1 kg"}, "mass"),
        (LINEAR, {"period": "2*pi/u"}, "u"),
        (IMPACTS, {}, "contain the time"),
        (IMPACTS, {"period": "2*pi/w", "section": "hit"}, "without section"),
    ],
)
def test_wrong_calls(text: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(sistel.SistelError, match=words):
        sistel.parse(text).cycle(**options)
