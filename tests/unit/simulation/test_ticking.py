"""From tick to tick: few orders, all orders or stages, whichever is enough; the motion is the same."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import sistel
from sistel.simulation._compiled_structure import low_order

HELD = """<system name="held"><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/></body>
  <scheme name="drive" period="1 ms" latency="0.4 ms">
    <block name="u" kind="pd" in="goal - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="0.8 N*m*s/rad"/>
    <output motor="arm" from="u"/>
  </scheme>
  <scheme name="guide" period="3 ms" offset="1 ms">
    <block name="count" kind="integrator" in="100 rad/s" gain="0.01"/>
    <signal name="goal" value="count"/>
  </scheme></system>"""


def by_hand(until: float) -> Any:
    """The same law, tick by tick, with SciPy between."""
    y, u, pending, goal, count = np.zeros(2), 0.0, [], 0.0, 0.0
    instants = sorted(
        {*(k * 1000 for k in range(1000)), *(k * 1000 + 400 for k in range(1000)), *range(1000, 10**6, 3000)}
    )
    now = 0
    for at in [each for each in instants if each <= until * 1e6]:
        if at > now:
            moved = solve_ivp(
                lambda _, y, u=u: [y[1], (u - 9.81 * 0.5 * math.sin(y[0])) / 0.25],
                (0, (at - now) * 1e-6), y, "DOP853", rtol=1e-13, atol=1e-15,
            )  # fmt: skip
            y, now = moved.y[:, -1], at
        if at % 1000 == 400:
            u = pending.pop(0)
        if at % 1000 == 0:  # the quicker clock first: it reads what the other holds
            pending.append(20.0 * (goal - y[0]) - 0.8 * y[1])
        if at % 3000 == 1000:
            goal = count
            count += 0.003
    return y


def test_several_clocks_and_latency_against_scipy() -> None:
    system = sistel.parse(HELD)
    assert low_order(system.model, 20) is not None
    for keep in ("steps", "events"):
        run = system.simulate(0.2, keep=keep)
        assert run.last[:2] == pytest.approx(by_hand(0.2), abs=2e-13)


def test_motion_too_quick_for_few_orders_is_as_exact() -> None:
    """An oscillator that turns by 2 rad between ticks: 7 orders have an error of a thousandth."""
    system = sistel.parse(
        '<system name="quick"><gravity value="0"/><body name="m" joint="prismatic" axis="x" mass="1 kg" '
        'stiffness="4000000 N/m"><motor name="m"/></body><scheme name="s" period="1 ms">'
        '<output motor="m" from="0 N"/></scheme></system>'
    )
    run = system.simulate(0.05, q=[1e-3])
    instants = np.linspace(0.0, 0.05, 997)
    # The phase, 100 rad, is known to its last digits.
    assert run.quantity("x(m)", instants) == pytest.approx(1e-3 * np.cos(2000.0 * instants), abs=1e-15)


@pytest.fixture(scope="module")
def arm(models_dir: Path) -> sistel.System:
    plain = sistel.load(models_dir / "panda_like.xml").to_xml()
    plain = re.sub(r' damping="[^"]*"| (?:min|max|speed)="[^"]*"', "", plain)
    motors = [motor.name for motor in sistel.parse(plain).model.motors]
    blocks = "".join(
        f'<block name="u{i}" kind="pd" in="0.3 rad - angle({name})" rate="-rate({name})" kp="60 N*m/rad" '
        f'kd="8 N*m*s/rad"/><output motor="{name}" from="u{i}"/>'
        for i, name in enumerate(motors)
    )
    return sistel.parse(plain.replace("</system>", f'<scheme name="drive" period="1 ms">{blocks}</scheme></system>'))


@pytest.mark.slow
def test_stages_are_exact_enough_and_keep_what_is_between(arm: sistel.System) -> None:
    """An arm of seven joints under PD control, with few digits and with all."""
    exact, rough = arm.simulate(0.2), arm.simulate(0.2, tolerance=1e-5)
    instants = np.linspace(0.0, 0.2, 1234)
    size = arm.model.nq + arm.model.nv
    assert 0.0 < np.abs(rough.last[:size] - exact.last[:size]).max() < 1e-9
    names = [body.name for body in arm.model.bodies if body.joint.type.nq]
    for name in names:
        assert rough.quantity(f"rate({name})", instants) == pytest.approx(
            exact.quantity(f"rate({name})", instants), abs=1e-6
        )
    assert np.array_equal(arm.simulate(0.2, tolerance=1e-5, keep="events").last, rough.last)
    half = arm.simulate(0.1, tolerance=1e-5)
    assert np.array_equal(half.resume(0.2).last, rough.last)
