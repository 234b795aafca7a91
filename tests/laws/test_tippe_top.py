"""The tippe top of the gallery: it turns over, and sliding friction leaves Jellett's integral as it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from support.structures import turned

import sistel

MODEL = Path(__file__).resolve().parents[2] / "models" / "tippe_top.xml"


def test_it_turns_over_and_keeps_jelletts_integral() -> None:
    mass, radius, low = 0.02, 0.02, 0.006
    run = sistel.load(MODEL).simulate(8.0)
    found, lean = [], []
    for q, v in zip(*run(np.linspace(0.0, 8.0, 41)), strict=True):
        R = turned(q[:4])
        momentum = R @ (np.array([131 / 350, 131 / 350, 2 / 5]) * mass * radius**2 * v[:3])
        found.append(momentum @ (low * R[:, 2] - [0.0, 0.0, radius]))  # from the centre of mass to where it touches
        lean.append(R[2, 2])
    assert np.ptp(found) < 1e-12 * abs(found[0])
    assert lean[0] > 0.9
    assert lean[-1] < -0.98
    # Its centre of mass rises, and what that takes comes of the spin: the energy only falls.
    energy = run.quantity("energy()", np.linspace(0.0, 8.0, 41))
    assert np.diff(energy).max() < 1e-12
    assert run.quantity("potential()", [0.0, 8.0])[1] > run.quantity("potential()", [0.0, 8.0])[0]
