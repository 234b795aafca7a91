"""Contacts with friction in space: the circular cone, in motion and in impacts."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import sistel

G = 9.81
POINT = (
    '<system name="p" space="spatial"><body name="b" joint="free" mass="2" inertia="1, 1, 1"><point name="p"/>{0}</body>'
    '<links><contact name="floor" point="p" surface="z = 0" friction="{1}" impact="{2}" restitution="{3}"/></links>'
    '<start b.z="{4} m"/></system>'
)


def test_a_block_stops_on_a_straight_line() -> None:
    mu, speed = 0.3, 5.0
    system = sistel.parse(POINT.format("", mu, "plastic", 0, 0))
    found = system.simulate(3.0, v=[0, 0, 0, 3, 4, 0])
    assert [(event.transition, event.after) for event in found.events] == [("floor stops sliding", "floor sticks")]
    assert found.events[0].time == pytest.approx(speed / (mu * G), rel=1e-14)
    way = speed**2 / (2 * mu * G)
    assert found.q[-1][4:] == pytest.approx([0.6 * way, 0.8 * way, 0.0], abs=1e-14)
    assert np.abs(found.v[-1]).max() < 1e-15


def test_a_side_force_bends_the_way() -> None:
    """Against the equations of a point, integrated by Runge and Kutta's method with steps that shrink to the stop."""
    mu, push = 0.3, 2.0
    system = sistel.parse(POINT.format('<force value="2 N, 0, 0"/>', mu, "plastic", 0, 0))
    found = system.simulate(2.0, v=[0, 0, 0, 0, 4, 0])

    def rates(state: np.ndarray) -> np.ndarray:
        v = state[2:]
        return np.array([*v, *(np.array([push / 2.0, 0.0]) - mu * G * v / np.hypot(*v))])

    state, time = np.array([0.0, 0.0, 0.0, 4.0]), 0.0
    while np.hypot(*state[2:]) > 1e-9:
        h = 1e-3 * np.hypot(*state[2:]) / (mu * G)
        a = rates(state)
        b = rates(state + h / 2 * a)
        c = rates(state + h / 2 * b)
        d = rates(state + h * c)
        state, time = state + h / 6 * (a + 2 * b + 2 * c + d), time + h
    time += np.hypot(*state[2:]) / (mu * G - push / 2.0)
    assert found.events[0].after == "floor sticks"
    assert found.events[0].time == pytest.approx(time, rel=1e-10)  # of the method compared with
    assert found.q[-1][4:6] == pytest.approx(state[:2], rel=1e-10)


def test_friction_is_used_up_in_any_direction() -> None:
    """A force of 3 t along (0.6, 0.8) moves 2 kg when it reaches mu m g."""
    mu = 0.25
    system = sistel.parse(POINT.format('<force value="1.8 N/s*t, 2.4 N/s*t, 0"/>', mu, "plastic", 0, 0))
    found = system.simulate(3.0)
    start = mu * 2 * G / 3
    assert [event.transition for event in found.events] == ["floor slips"]
    assert found.events[0].time == pytest.approx(start, rel=1e-13)
    way = 1.5 * (3.0 - start) ** 3 / 6
    assert found.q[-1][4:6] == pytest.approx([0.6 * way, 0.8 * way], rel=1e-11)


@pytest.mark.parametrize("rule", ["newton", "poisson"])
def test_impacts_slide_or_stick(rule: str) -> None:
    """An impulse on the cone takes mu (1 + e) u of the slip, along it; a smaller slip ends at once."""
    mu, e, fall = 0.2, 0.5, 1.0
    u = math.sqrt(2 * G * fall)
    system = sistel.parse(POINT.format("", mu, rule, e, fall))
    for speed in (5.0, 0.5):
        found = system.simulate(0.6, v=[0, 0, 0, -0.6 * speed, 0.8 * speed, 0])
        left = max(0.0, speed - mu * (1 + e) * u)
        _, v = found(found.events[0].time)
        assert v[3:] == pytest.approx([-0.6 * left, 0.8 * left, e * u], abs=1e-13)
        loss = u**2 - (e * u) ** 2 + speed**2 - left**2  # times m / 2, of 2 kg
        assert found.events[0].energy_loss == pytest.approx(loss, rel=1e-13)


BOX = (
    '<system name="box" space="spatial"><body name="b" joint="free" mass="2" inertia="0.05, 0.06, 0.08">'
    '<point name="p1" place="0.3 m, 0.2 m, -0.1 m"/><point name="p2" place="-0.3 m, 0.2 m, -0.1 m"/>'
    '<point name="p3" place="-0.3 m, -0.2 m, -0.1 m"/><point name="p4" place="0.3 m, -0.2 m, -0.1 m"/></body><links>'
    + "".join(
        f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="0.4" impact="newton" restitution="0.4"/>'
        for i in (1, 2, 3, 4)
    )
    + '</links><start b.z="0.5 m"/></system>'
)


def test_a_box_falls_flat() -> None:
    """Four corners at once: equal impulses, and the times of a ball."""
    found = sistel.parse(BOX).simulate(2.0)
    first = math.sqrt(2 * 0.4 / G)
    assert found.events[0].time == pytest.approx(first, rel=1e-14)
    assert found.events[-1].time == pytest.approx(first * 1.4 / 0.6, abs=1e-12)
    assert found.events[-1].after == "c1 sticks, c2 sticks, c3 sticks, c4 sticks"
    for load in found.events[0].impulses.values():
        assert load[3:] == pytest.approx([0, 0, 1.4 * 2 * G * first / 4], abs=1e-13)
    assert found.q[-1] == pytest.approx([1, 0, 0, 0, 0, 0, 0.1], abs=1e-12)


def test_a_tilted_box_clatters_to_rest() -> None:
    system = sistel.parse(BOX)
    q = [math.cos(0.1), 0.6 * math.sin(0.1), 0.8 * math.sin(0.1), 0.0, 0.0, 0.0, 0.6]
    found = system.simulate(3.0, q=q, v=[0.2, 0.3, 1.0, 1.0, 0.5, 0.0])
    assert found.events[-1].after == "c1 sticks, c2 sticks, c3 sticks, c4 sticks"
    assert found.q[-1][6] == pytest.approx(0.1, abs=1e-10) and np.abs(found.v[-1]).max() < 1e-12
    energies = [sum(np.array(system.energies(q, v))) for q, v in zip(found.q, found.v, strict=True)]
    assert all(b - a < 1e-12 for a, b in pairwise(energies))
    assert all(event.energy_loss >= -1e-15 for event in found.events)
