"""A square and a hexagon tumble down ten stairs, event by event against a reference that is all here.

Contacts give back a part of the speed, so there is nothing but flight and impacts: flights are exact parabolas with an
even turn, and each impulse is one of two formulas.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests.laws.test_shapes import G, regular, stairs, system

COUNT, WIDE, HIGH = 10, 0.22, 0.12
"""How many stairs, and how wide and high they are [m]."""

Vector = np.ndarray[Any, np.dtype[np.float64]]

NOSES = np.array([(WIDE * (k + 1), -HIGH * k) for k in range(COUNT)] + [(1e3, -HIGH * COUNT)])
"""Edges of the stairs; that of the floor below is far away. What is left of and below one of them is solid."""


@dataclass(frozen=True)
class Tumbling:
    """A regular polygon of mass 1 that hops down stairs by Newton's rule with Coulomb's friction; y is up.

    A state is x, y, turn and their rates.
    """

    corners: int
    radius: float
    inertia: float
    friction: float
    back: float

    def at(self, state: Vector, t: float) -> Vector:
        x, y, turn, vx, vy, spin = state
        return np.array([x + vx * t, y + vy * t - G * t * t / 2, turn + spin * t, vx, vy - G * t, spin])

    def touches(self, state: Vector) -> tuple[Vector, Vector, Vector]:
        """Gaps of all pairs, edges with sides first and then corners with stairs, with places and normals."""
        centre = state[:2]
        half = math.pi / self.corners
        angles = state[2] + 2 * half * np.arange(self.corners)
        sides = np.stack([np.cos(angles + half), np.sin(angles + half)], axis=1)
        offs = (NOSES - centre) @ sides.T - self.radius * math.cos(half)
        nearest = np.argmax(offs, axis=1)
        points = centre + self.radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        across = (points[:, None] - NOSES).reshape(-1, 2)
        gaps = np.concatenate([offs.max(axis=1), across.max(axis=1)])
        normals = np.concatenate([-sides[nearest], np.eye(2)[np.argmax(across, axis=1)]])
        return gaps, np.concatenate([NOSES, np.repeat(points, len(NOSES), axis=0)]), normals

    def gap(self, state: Vector) -> float:
        return float(self.touches(state)[0].min())

    def flight(self, state: Vector) -> float:
        """Time to the next touch: no point comes near faster than the body goes and turns, so no step can miss one."""
        low, high, most = 0.0, 1e-6, 0.02
        while (gap := self.gap(now := self.at(state, high))) > 0:
            fastest = math.hypot(now[3], now[4]) + G * most + abs(now[5]) * self.radius
            low, high = high, high + min(most, max(gap / fastest, 1e-7))
            assert high < 2.0, "it must come down"
        assert low > 0, "it must leave what it struck"
        while low < (middle := (low + high) / 2) < high:
            low, high = (middle, high) if self.gap(self.at(state, middle)) > 0 else (low, middle)
        return high

    def next(self, state: Vector) -> tuple[float, Vector]:
        """Time to the next impact and the state after it."""
        passed = self.flight(state)
        now = self.at(state, passed)
        gaps, places, normals = self.touches(now)
        first = int(np.argmin(gaps))
        assert np.partition(gaps, 1)[1] > 1e-4, "one impact at a time"
        n, arm = normals[first], places[first] - now[:2]
        J = np.array([[d[0], d[1], arm[0] * d[1] - arm[1] * d[0]] for d in (n, np.array([-n[1], n[0]]))])
        weights = np.diag([1.0, 1.0, 1.0 / self.inertia])
        response, u = J @ weights @ J.T, J @ now[3:]
        impulse = np.linalg.solve(response, -np.array([(1 + self.back) * u[0], u[1]]))
        if abs(impulse[1]) > self.friction * impulse[0]:
            pull = np.array([1.0, -self.friction * math.copysign(1.0, u[1])])
            impulse = pull * (-(1 + self.back) * u[0] / (response[0] @ pull))
            assert (u[1] + response[1] @ impulse) * u[1] > 0, "it goes on sliding as it came"
        now[3:] += weights @ J.T @ impulse
        return passed, now


CASES = {
    # how many impacts, the polygon, and where it starts: x, height [mm], turn [deg], rates of x and the turn [m/s, rad/s]
    "square": (20, Tumbling(4, 0.1 * math.sqrt(2), 0.04 / 6, 0.3, 0.6), (50, 300, -17, 0.6, -4)),
    "hexagon": (20, Tumbling(6, 0.11, 0.006, 0.5, 0.5), (100, 500, 6, 1.0, 2)),
    "fast hexagon": (5, Tumbling(6, 0.11, 0.006, 0.3, 0.6), (100, 300, 10, 1.2, 3)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_polygon_tumbles_down_ten_stairs(name: str) -> None:
    """A hop makes a difference up to ten times as large: the starts are those that lead to short hops in the end."""
    count, shape, (x, height, turn, speed, spin) = CASES[name]
    made = system(
        f'<polyline name="stairs" points="{stairs(COUNT, WIDE, HIGH)}"/>',
        f'<body name="b" joint="free" mass="1" inertia="{shape.inertia!r}">'
        f'<polygon name="sides" points="{regular(shape.corners, shape.radius)}"/></body>',
        f'<contact name="c" of="sides" to="stairs" friction="{shape.friction}" restitution="{shape.back}"/>',
        f'b="{x}, {-height}, {turn}" b.rate="{1e3 * speed}, 0, {spin} rad/s"',
    )
    run = made.simulate(1.5)
    assert len(run.events) >= count
    time, state = 0.0, np.array([x / 1e3, height / 1e3, -math.radians(turn), speed, 0.0, -spin])
    for number, event in enumerate(run.events[:count]):
        passed, after = shape.next(state)
        time += passed
        error = 1e-10 if number < 4 else 1e-9
        assert event.after == "open"
        assert event.time == pytest.approx(time, abs=error / 100)
        q, v = run(event.time)
        np.testing.assert_allclose([q[0], -q[1], -q[2], v[0], -v[1], -v[2]], after, rtol=0, atol=error)
        energies = [(s[3:5] @ s[3:5] + shape.inertia * s[5] ** 2) / 2 for s in (shape.at(state, passed), after)]
        assert event.energy_loss == pytest.approx(energies[0] - energies[1], abs=error)
        state = after
