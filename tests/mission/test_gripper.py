"""Rows B30 and on of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

import math
from typing import Any

import pytest
from support.structures import gallery, integrated, rotation, turned

np = pytest.importorskip("numpy")


def test_B30() -> None:
    """A top in quaternions equals the same top in Euler angles (precession, nutation, spin) after 10 s."""
    system = gallery("spinning_top")
    m, l, r, g = 0.08, 0.035, 0.03, 9.81  # noqa: E741
    across, along = m * r * r / 4 + m * l * l, m * r * r / 2  # about the tip
    lean, spin, turns = math.radians(20), 100.0, 4.0

    def in_quaternions(t: Any, y: Any) -> Any:
        q, v = y[:, :4], y[:, 4:]
        w, x, b, c = q.T
        p, s, u = v.T
        rates = 0.5 * np.stack(
            [-x * p - b * s - c * u, w * p + b * u - c * s, w * s + c * p - x * u, w * u + x * s - b * p]
        )
        return np.concatenate([rates.T, system.forward_dynamics(q, v, np.zeros(3))], axis=1)

    def in_angles(t: Any, y: Any) -> Any:
        """Lagrange's equations of the symmetric top, as every textbook has them."""
        _, theta, _, rate, nod, own = y.T
        third = own + rate * np.cos(theta)  # angular velocity about the axis
        bend = np.sin(theta) * (across * rate**2 * np.cos(theta) - along * third * rate + m * g * l) / across
        swing = nod * (along * third - 2 * across * rate * np.cos(theta)) / (across * np.sin(theta))
        spun = -swing * np.cos(theta) + rate * np.sin(theta) * nod
        return np.stack([rate, nod, own, swing, bend, spun], axis=-1)

    # Both begin leaning about y, with some precession; angular velocities of the quaternion are along the body.
    start = [math.cos(lean / 2), 0.0, math.sin(lean / 2), 0.0]
    body = [-turns * math.sin(lean), 0.0, spin + turns * math.cos(lean)]
    quaternion = integrated(in_quaternions, [*start, *body], 10.0, 1000)
    angles = integrated(in_angles, [0.0, lean, 0.0, turns, 0.0, spin], 10.0, 1000)
    precession, nutation, own = angles[:3]
    expected = rotation((0, 0, 1), precession) @ rotation((0, 1, 0), nutation) @ rotation((0, 0, 1), own)
    found = turned(quaternion[:4] / np.linalg.norm(quaternion[:4]))
    assert np.abs(found - expected).max() < 1e-9
    assert abs(np.linalg.norm(quaternion[:4]) - 1) < 1e-11
    # It really nodded and went round, and energy and vertical angular momentum stayed.
    assert precession > 2 * math.pi and abs(own) > 900
    energies = [sum(float(e) for e in system.energies(y[:4], y[4:])) for y in (np.array([*start, *body]), quaternion)]
    assert energies[1] == pytest.approx(energies[0], rel=1e-11)
    heights = [system.momentum(y[:4], y[4:])[2] for y in (np.array([*start, *body]), quaternion)]
    assert heights[1] == pytest.approx(heights[0], rel=1e-11)
