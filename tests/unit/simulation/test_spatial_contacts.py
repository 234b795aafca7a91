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


@pytest.mark.slow
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


def _slip_of_a_turning_pull(mu: float, m: float, rate: float, turns: float, until: float, n: int = 24) -> np.ndarray:
    """Way and velocity of a point that rests until a pull of rate · t that turns gets the better of friction.

    From its onset at t₀ the slip is (t − t₀)² p(t) with a smooth p: collocation at Chebyshev's points, where the
    singular direction is that of p.
    """
    onset = mu * m * G / rate
    z = 0.5 - 0.5 * np.cos(np.pi * np.arange(n) / (n - 1))
    t, e = onset + (until - onset) * z, (until - onset) * z
    c = np.r_[2.0, np.ones(n - 2), 2.0] * (-1.0) ** np.arange(n)
    D = np.outer(c, 1 / c) / (z[:, None] - z[None, :] + np.eye(n))
    D = (D - np.diag(D.sum(1))) / (until - onset)
    pull = rate * t * np.exp(1j * turns * t)

    def lack(p: np.ndarray) -> np.ndarray:
        way = p / abs(p)
        left = m * (2 * e * p + e * e * (D @ p)) - (pull - mu * m * G * way)
        left[0] = 2 * m * p[0] - (D @ (pull - mu * m * G * way))[0]  # the same, divided by t − t₀
        return np.r_[left.real, left.imag]

    p = rate / (2 * m) * np.exp(1j * turns * t)
    for _ in range(40):
        now, J = lack(p), np.zeros((2 * n, 2 * n))
        for j in range(2 * n):
            moved = p.copy()
            moved[j % n] += 1e-7 * (1 if j < n else 1j)
            J[:, j] = (lack(moved) - now) / 1e-7
        step = np.linalg.solve(J, -now)
        p = p + step[:n] + 1j * step[n:]
        if abs(step).max() < 1e-13:
            break
    v = e * e * p
    first = D.copy()
    first[0] = np.eye(n)[0]
    way = np.linalg.solve(first, v * (np.arange(n) > 0))
    return np.array([way[-1].real, way[-1].imag, v[-1].real, v[-1].imag])


def test_a_turning_pull_begins_a_slip() -> None:
    force = '<force value="8 N/s*t*cos(3 rad/s*t), 8 N/s*t*sin(3 rad/s*t), 0"/>'
    found = sistel.parse(POINT.format(force, 0.3, "plastic", 0, 0)).simulate(1.2)
    assert [event.transition for event in found.events] == ["floor slips"]
    assert found.events[0].time == pytest.approx(0.3 * 2 * G / 8, rel=1e-14)
    expected = _slip_of_a_turning_pull(0.3, 2.0, 8.0, 3.0, 1.2)
    # The start from rest neglects 1e-12 of a slip of 1e-8 m/s; the rest is rounding of some thousand steps.
    assert np.r_[found.q[-1][4:6], found.v[-1][3:5]] == pytest.approx(expected, abs=2e-13)


TRIPOD = (
    '<system name="tripod" space="spatial"><body name="b" joint="free" mass="2" inertia="0.05, 0.06, 0.08">'
    '<point name="p1" place="0.3 m, 0.2 m, -0.1 m"/><point name="p2" place="-0.3 m, 0.2 m, -0.1 m"/>'
    '<point name="p3" place="0 m, -0.25 m, -0.1 m"/></body><links>'
    + "".join(f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="0.3"/>' for i in (1, 2, 3))
    + '</links><start b.z="0.1 m"/></system>'
)


def test_a_tripod_slides_and_spins() -> None:
    """Against Newton's and Euler's equations of a body on three feet, by Runge and Kutta's method."""
    mu, m, height, spin = 0.3, 2.0, 0.1, 0.08
    feet = np.array([[0.3, 0.2], [-0.3, 0.2], [0.0, -0.25]])

    def rates(state: np.ndarray) -> np.ndarray:
        angle, v, w = state[2], state[3:5], state[5]
        turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
        r = feet @ turn.T
        slip = v + w * np.column_stack([-r[:, 1], r[:, 0]])
        way = slip / np.linalg.norm(slip, axis=1)[:, None]
        # Weight; moments about both horizontal axes: friction acts below the centre of mass.
        balance = np.array([np.ones(3), r[:, 1] - mu * height * way[:, 1], r[:, 0] - mu * height * way[:, 0]])
        push = -mu * np.linalg.solve(balance, [m * G, 0.0, 0.0])[:, None] * way
        torque = float((r[:, 0] * push[:, 1] - r[:, 1] * push[:, 0]).sum())
        return np.array([*v, w, *(push.sum(0) / m), torque / spin])

    state, steps = np.array([0.0, 0.0, 0.0, 0.5, 0.2, 4.0]), 2000
    for _ in range(steps):
        h = 0.2 / steps
        a = rates(state)
        b = rates(state + h / 2 * a)
        c = rates(state + h / 2 * b)
        d = rates(state + h * c)
        state = state + h / 6 * (a + 2 * b + 2 * c + d)
    system = sistel.parse(TRIPOD)
    found = system.simulate(3.0, v=[0, 0, 4.0, 0.5, 0.2, 0])
    q, v = (each[0] for each in found([0.2]))
    angle = 2 * math.atan2(q[3], q[0])
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    # What the method compared with leaves over.
    assert [*q[4:6], angle, *(turn @ v[3:5]), v[2]] == pytest.approx(state, abs=1e-10)
    assert found.events[-1].after == "c1 sticks, c2 sticks, c3 sticks"
    assert np.abs(found.v[-1]).max() < 1e-12


@pytest.mark.parametrize("spin", [-5.0, 0.5, 5.0])
def test_a_sliding_box_spins_to_rest(spin: float) -> None:
    """Four corners, of which three would do: friction acts on what each of them carries."""
    system = sistel.parse(BOX)
    found = system.simulate(3.0, q=[1, 0, 0, 0, 0, 0, 0.1], v=[0, 0, spin, 0.6, 0.2, 0])
    assert found.events[-1].after == "c1 sticks, c2 sticks, c3 sticks, c4 sticks"
    assert np.abs(found.v[-1]).max() < 1e-12 and len(found.t) < 500
    energies = [sum(np.array(system.energies(q, v))) for q, v in zip(found.q, found.v, strict=True)]
    assert all(b - a < 1e-12 for a, b in pairwise(energies))


@pytest.mark.parametrize("friction", ["none", "0.3", "0.8"])
@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.5])
@pytest.mark.parametrize("v", [(0, 0, 0, 0, 0, 0), (0.5, 0.3, 0, 0, 0, 0), (0, 0.3, 1, 0.5, 0, 0)])
def test_nothing_goes_through_the_floor(friction: str, restitution: float, v: tuple[float, ...]) -> None:
    """A plate on three of its corners, the centre exactly above an edge of the support: hops, slips, crowds of both."""
    corners = enumerate(((-100, -100), (100, -100), (-100, 100)))
    points = "".join(f'<point name="p{i}" place="{x}, {y}, -50"/>' for i, (x, y) in corners)
    contacts = "".join(
        f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="{friction}" restitution="{restitution}"/>'
        for i in range(3)
    )
    system = sistel.parse(
        f'<system name="b" space="spatial"><body name="b" joint="free" mass="2" inertia="0.01, 0.01, 0.02">{points}'
        f'</body><links>{contacts}</links><start b.z="300"/></system>'
    )
    found = system.simulate(1.5, v=v)
    times = np.linspace(0.0, 1.5, 200)
    assert min(found.quantity(f"gap(c{i})", times).min() for i in range(3)) > -1e-12
    energies = np.sum(found.energies(found.t), axis=0)
    assert np.diff(energies).max() < 2e-12  # of 6 J, through hundreds of events


def test_what_has_gone_through_is_told() -> None:
    system = sistel.parse(POINT.format("", 0.3, "newton", 0.5, 1))
    simulation = system.simulation()
    simulation.run(simulation.start(system.structure())[0], "only", 0.1)
    contacts = simulation.contacts
    assert contacts is not None
    contacts.guard(np.array([1.0, 0, 0, 0, 0, 0, -1e-7, *[0.0] * 6, 0.2]))
    with pytest.raises(sistel.SistelError, match=r"has gone through, by 0\.01") as problem:
        contacts.guard(np.array([1.0, 0, 0, 0, 0, 0, -0.01, *[0.0] * 6, 0.2]))
    assert problem.value.diagnostics[0].span is not None
