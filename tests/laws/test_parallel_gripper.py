"""Parallel jaws on one electric motor, with a scheme: the force at stall, when the load counts as grasped, what lifts it."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel

K, R, L = 2000.0 * 0.012, 3.0, 6e-3
"""Force of the jaws together for a current [N/A], resistance [Ω] and inductance [H]."""
U, F, WEIGHT = 6.0, 20.0, 1.5 * 9.81
TICKS = 500.0


@pytest.fixture(scope="module")
def gripper() -> sistel.System:
    return sistel.load(Path(__file__).parents[2] / "models" / "parallel_gripper.xml")


@pytest.mark.slow
def test_the_load_is_grasped_where_the_force_is_enough_and_lifted(gripper: sistel.System) -> None:
    """Both pads share the force of the motor, K i / 2 each; from the touch on the current settles with L/R."""
    assert gripper.diagnostics == ()
    run = gripper.simulate(2.5)
    touch = next(event.time for event in run.events if event.transition == "left grip strikes")
    (after,) = run.quantity("current(jaws)", [touch + 1e-12])
    t = np.linspace(touch + 1e-6, touch + 0.02, 41)
    force = 0.5 * K * (U / R + (after - U / R) * np.exp(-(t - touch) * R / L))
    for pad in ("left grip", "right grip"):
        np.testing.assert_allclose(run.quantity(f"normal({pad})", t), force, rtol=1e-8)  # of the instant of the touch
        assert run.quantity(f"normal({pad})", [2.4])[0] == pytest.approx(K * U / R / 2.0, rel=1e-12)  # 24 N at stall
        # A half of the weight each, at rest.
        assert run.quantity(f"tangent({pad})", [2.4])[0] == pytest.approx(WEIGHT / 2.0, rel=1e-9)
    # The force passes F between two ticks; the later one sees it.
    passes = touch - L / R * math.log((F / (0.5 * K) - U / R) / (after - U / R))
    tick = math.ceil(passes * TICKS) / TICKS
    seen = run.quantity("select(grasped, 1, 0)", [tick - 1e-6, tick + 1e-6])
    assert list(seen) == [0.0, 1.0]
    # Friction holds: from the grasp to the end the load moves with the palm.
    (before, *_), (end, *_) = (run(time)[0] for time in (tick, 2.5))
    assert end - before > 0.09
    assert -(run(2.5)[0][4] - run(tick)[0][4]) == pytest.approx(end - before, abs=1e-12)
    # On its brake the hoist stands still, to the bit of rounding.
    assert abs(run(2.5)[0][0] - run(2.0)[0][0]) < 1e-15


@pytest.mark.slow
def test_too_little_voltage_grasps_nothing(gripper: sistel.System) -> None:
    """4 V make 16 N at stall: the scheme waits, and the hoist stands on its brake."""
    run = gripper.with_parameters(U="4 V").simulate(1.0)
    assert run.quantity("normal(left grip)", [1.0])[0] == pytest.approx(K * 4.0 / R / 2.0, rel=1e-12)
    assert abs(run.q[-1, 0]) < 1e-15 and abs(run.q[-1, 4]) < 1e-15
