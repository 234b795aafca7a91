"""Dry friction of joints: it stops what slides, holds what rests, and lets go of what is pushed too hard."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import sistel

G = 9.81


def bisected(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function passes zero, to rounding."""
    rises = function(high) > 0.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if (function(middle) > 0.0) == rises else (middle, high)
    return 0.5 * (low + high)


def cart(friction: str, inner: str = "", start: str = "", axis: str = "x") -> sistel.System:
    return sistel.parse(
        f'<system name="s" class="planar open chain"><body name="b" joint="prismatic" axis="{axis}" mass="2" '
        f'friction="{friction}">{inner}</body><start {start}/></system>'
    )


def test_a_cart_stops_and_stays() -> None:
    """Friction of 3 N stops 2 kg at 2 m/s after v m / F = 4/3 s and v² m / (2 F) = 4/3 m."""
    found = cart("3 N", start='b.rate="2 m/s"').simulate(100.0)
    (event,) = found.events
    assert (event.transition, event.before, event.after) == ("b stops sliding", "only", "only: b sticks")
    assert event.time == pytest.approx(4 / 3, abs=1e-15)
    assert found.q[-1] == pytest.approx([4 / 3], abs=1e-15) and found.v[-1] == [0.0]


def test_a_growing_force_breaks_it_loose() -> None:
    """2 t N against 3 N: loose at 1.5 s, then m a = 2 (t − 1.5)."""
    found = cart("3 N", '<force value="2 N/s*t, 0"/>').simulate(5.0)
    (event,) = found.events
    assert (event.transition, event.before, event.after) == ("b slips", "only: b sticks", "only")
    assert event.time == pytest.approx(1.5, abs=1e-15)
    assert found.q[-1] == pytest.approx([3.5**3 / 6], rel=1e-14)


def test_stick_and_slip_under_a_periodic_force() -> None:
    """5 sin(t) N against 3 N: it starts where the force reaches the friction, and stops where the areas are equal."""
    found = cart("3 N", '<force value="5 N*sin(1 rad/s*t), 0"/>').simulate(8.0)
    start = math.asin(0.6)
    stop = bisected(lambda t: 5 * (math.cos(start) - math.cos(t)) - 3 * (t - start), 1.0, 4.0)
    times = [event.time for event in found.events]
    assert times[:4] == pytest.approx([start, stop, math.pi + start, math.pi + stop], abs=1e-13)
    assert [event.transition for event in found.events[:4]] == ["b slips", "b stops sliding"] * 2
    way = 5 * (math.sin(start) - math.sin(stop) + math.cos(start) * (stop - start)) - 1.5 * (stop - start) ** 2
    assert found(times[1])[0] == pytest.approx([way / 2], rel=1e-12)
    assert found(times[3])[0] == pytest.approx([0.0], abs=1e-14)


def test_a_weight_on_a_rough_guide_stays() -> None:
    """Friction above the weight holds it for ever, friction below does not."""
    assert cart("20 N", axis="y").simulate(1000.0).q[-1] == [0.0]
    found = cart("19 N", axis="y").simulate(1.0)
    assert found.q[-1] == pytest.approx([0.5 * (G - 9.5)], rel=1e-14) and not found.events


def test_a_pendulum_loses_the_same_work_every_swing() -> None:
    """Between two turning points m g l (cos b − cos a) = M (a + b); it stays where m g l |sin| is below M."""
    m, arm, friction, angle = 2.0, 0.5, 0.3, math.radians(60)
    system = sistel.parse(
        f'<system name="p" class="planar open chain"><body name="b" joint="revolute" mass="{m}" com="0, {1000 * arm}" '
        f'inertia="0.1" friction="{friction} N*m"/><start b="60"/></system>'
    )
    found = system.simulate(40.0)
    side = 1.0
    while m * G * arm * math.sin(angle) > friction:
        last = angle

        def lack(b: float, a: float = last) -> float:
            return m * G * arm * (math.cos(b) - math.cos(a)) - friction * (a + b)

        angle, side = bisected(lack, -last, last - 1e-9), -side
    assert found.events[-1].after == "only: b sticks" and len(found.events) == 1
    assert found.q[-1] == pytest.approx([side * angle], abs=1e-12)
    assert np.abs(found.v[-1]).max() < 1e-15
    assert found.reactions()["b"][-1][2] == pytest.approx(m * G * arm * math.sin(side * angle), abs=1e-11)


def test_two_joints_stop_one_after_the_other() -> None:
    """Carts in a row: the second one stops on the first, which still slides; then both stop as one."""
    system = sistel.parse(
        '<system name="s" class="planar open chain"><body name="a" joint="prismatic" axis="x" mass="3" friction="4 N">'
        '<body name="b" joint="prismatic" axis="x" mass="1" friction="2 N"/></body>'
        '<start a.rate="2 m/s" b.rate="1 m/s"/></system>'
    )
    found = system.simulate(10.0)
    # Until b rests on a: a is braked by 4 N and pulled by 2 N, b is braked by 2 N: -2/3 and -2 m/s².
    first = 1 / (2 - 2 / 3)
    second = first + (2 - 2 / 3 * first) / 1.0
    assert [event.after for event in found.events] == ["only: b sticks", "only: a sticks, b sticks"]
    assert [event.time for event in found.events] == pytest.approx([first, second], rel=1e-14)
    way = 2 * first - first**2 / 3 + 0.5 * (2 - 2 / 3 * first) ** 2
    assert found.q[-1] == pytest.approx([way, first - 2 / 3 * first**2], rel=1e-14)


def test_friction_in_a_written_structure() -> None:
    system = sistel.parse(
        '<system name="s" class="planar changing tree"><body name="b" joint="prismatic" axis="x" mass="2" friction="3 N"/>'
        '<body name="c" joint="prismatic" axis="x" mass="1"/>'
        '<links><lock name="brake" of="c" holds="no"/><structure name="rolls"/><structure name="braked" holds="brake"/>'
        '<transition from="rolls" to="braked" when="t rises through 0.6 s"/></links>'
        '<start structure="rolls" b.rate="2 m/s" c.rate="1 m/s"/></system>'
    )
    found = system.simulate(3.0)
    assert [event.after for event in found.events] == ["braked", "braked: b sticks"]
    assert [event.time for event in found.events] == pytest.approx([0.6, 4 / 3], abs=1e-15)
    assert found.q[-1] == pytest.approx([4 / 3, 0.6], abs=1e-15)


def test_a_joint_that_a_motion_forces_does_not_stick() -> None:
    """The motor takes the inverse dynamics and the friction against the velocity, which the motion says, and no more."""
    system = sistel.parse(
        '<system name="p" space="planar"><body name="a" joint="revolute" mass="2" com="0, 100" inertia="0.01" '
        'friction="3 N*m"><motor name="m"/></body><motion of="a" value="30 deg*sin(t*180 deg/1 s)"/></system>'
    )
    run = system.simulate(2.0)
    assert {segment.structure for segment in run.segments} == {"only"} and not run.events
    for t in (0.2, 0.45, 0.55, 1.4, 1.6):
        q, v = run(t)
        a = -math.radians(30.0) * math.pi**2 * math.sin(math.pi * t)
        needed = system.inverse_dynamics(q, v, [a])[0] + math.copysign(3.0, math.cos(math.pi * t))
        assert run.quantity("torque(m)", [t])[0] == pytest.approx(needed, rel=1e-9)
