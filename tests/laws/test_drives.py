"""Gears, clutches, differentials and belts: digits of reference motions, closed forms, and what becomes of the energy."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.optimize import brentq

import sistel

DIGITS = 1e-13
"""How near a run comes to a reference, of its size."""


def near(x: Any) -> Any:
    return pytest.approx(x, rel=DIGITS, abs=DIGITS)


def shafts(links: str, first: str = "", second: str = "", start: str = "", inertias: Any = (0.01, 0.09)) -> Any:
    return sistel.parse(
        f'''<system name="shafts"><gravity value="0"/>
        <body name="one" joint="revolute" mass="1" inertia="{inertias[0]}">{first}</body>
        <body name="two" joint="revolute" place="300, 0" mass="1" inertia="{inertias[1]}">{second}</body>
        <links>{links}</links><start {start}/></system>'''
    )


def test_rigid_backlash() -> None:
    torque = '<moment value="select(t lt 0.4 s, 0.5 N*m, select(t lt 1 s, -0.45 N*m, 0.4 N*m))"/>'
    run = shafts(
        '<gear name="mesh" of="one" to="two" ratio="3" backlash="0.02 rad"/>', torque, '<moment value="-0.2"/>'
    ).simulate(1.5)
    struck = [event for event in run.events if event.impulses]
    assert [event.time for event in struck] == near([0.0187867287325544847, 0.432302914123489930, 1.02927700218845600])
    impulses = [-next(iter(event.impulses.values()))[2] for event in struck]  # on the driven body
    assert impulses == near([0.00532290647422377067, -0.00619139187366890332, 0.00683130051063973226])
    assert [*run.q[-1], *run.v[-1]] == near([0.955, 0.315, 1.5, 0.5])
    # What an impact without rebound loses: the energy of the relative motion, with 0.01 and 0.09/9 it is 0.005.
    assert [event.energy_loss for event in struck] == near([impulse**2 / 0.01 for impulse in impulses])


def elastic(until: float) -> tuple[list[float], Any]:
    """Touches of elastic teeth and the last state, by exponentials of matrices between zeros of the gap."""
    k, c, ends, y, t, times = 200.0, 0.05, (0.1, until), np.array([0.0, 0.0, 0.0, 0.0, 1.0]), 0.0, list[float]()
    side, torque = 0, 0.5
    while t < until:
        end = next(end for end in ends if end > t)
        A = np.zeros((5, 5))
        A[0, 2] = A[1, 3] = 1.0
        A[2, 4], A[3, 3] = torque / 0.01, -c / 0.09
        if side:
            pull = -k * np.array([1.0, -3.0, 0.0, 0.0, -0.01 * side])
            A[2] += pull / 0.01
            A[3] -= 3.0 * pull / 0.09
        edges = [side] if side else [1, -1]
        found = (end, 0)
        for edge in edges:

            def gap(s: float, A: Any = A, y: Any = y, edge: int = edge) -> float:
                at = expm(A * s) @ y
                return float(at[0] - 3.0 * at[1] - 0.01 * edge)

            steps = np.linspace(1e-7, end - t, 400)
            values = [gap(s) for s in steps]
            for a, b, u, v in zip(steps, steps[1:], values, values[1:], strict=False):
                if u * v < 0.0:
                    found = min(found, (t + brentq(gap, a, b, xtol=1e-16, rtol=1e-15), edge))
                    break
        y = expm(A * (found[0] - t)) @ y
        t = found[0]
        if found[1]:
            times.append(t)
            side = 0 if side else found[1]
        else:
            torque = -0.5
    return times, y[:4]


def test_elastic_backlash() -> None:
    times, last = elastic(0.25)
    # The first six are those of the reference; it leaves the flank out that is touched at 0.1534 s.
    known = [0.02, 0.0381815341304961769, 0.0773934078548495546, 0.0956219100759789523]
    assert times[:6] == near([*known, 0.114469498652318742, 0.131834087495879732])
    system = shafts(
        '<gear name="mesh" of="one" to="two" ratio="3" backlash="0.02 rad" stiffness="200"/>',
        '<moment value="select(t lt 0.1 s, 0.5 N*m, -0.5 N*m)"/>',
    )
    damped = sistel.parse(system.to_xml().replace('<body number="2"', '<body damping="0.05" number="2"'))
    run = damped.simulate(0.25)
    assert [*run.q[-1], *run.v[-1]] == pytest.approx(last, rel=1e-11)  # brentq and expm leave so much
    for time in times:
        q, _ = run(time)
        assert abs(abs(q[0] - 3.0 * q[1]) - 0.01) < 1e-13


def test_clutch() -> None:
    run = shafts(
        '<clutch name="clutch" of="two" to="one" limit="4"/>', start='one.rate="30 rad/s"', inertias=(0.2, 0.1)
    ).simulate(1.0)
    reduced = 0.2 * 0.1 / 0.3
    assert [event.time for event in run.events] == near([reduced * 30.0 / 4.0])
    assert run.v[-1] == near([20.0, 20.0])
    heat = 0.5 * reduced * 30.0**2
    assert 0.5 * 0.2 * 30.0**2 - 0.5 * 0.3 * run.v[-1][0] ** 2 == near(heat)


@pytest.mark.parametrize("ends", ['of="two" to="one"', 'of="one" to="two"'])
def test_a_clutch_holds_its_shafts_where_it_finds_them(ends: str) -> None:
    """It stops slipping at 0.5 s: the shafts have gone 12.5 rad and 5 rad by then, and go on at 20 rad/s."""
    run = shafts(
        f'<clutch name="clutch" {ends} limit="4"/>', start='one.rate="30 rad/s"', inertias=(0.2, 0.1)
    ).simulate(1.0)
    assert run(np.nextafter(0.5, 1.0))[0] == near([12.5, 5.0])
    assert run.q[-1] == near([22.5, 15.0])


def test_a_clutch_that_is_let_go_slips() -> None:
    """Its limit jumps to nothing where `t gt 2 s` becomes true: what follows is that of the later side."""
    run = shafts(
        '<clutch name="clutch" of="two" to="one" limit="select(t gt 2 s, 0, 4 N*m)"/>',
        second='<moment value="-1 N*m*t/1 s"/>',
        inertias=(0.2, 0.1),
    ).simulate(3.0)
    assert [event.time for event in run.events] == near([2.0])
    assert run.v[-1] == near([-20.0 / 3.0, -20.0 / 3.0 - 25.0])


@pytest.mark.parametrize(
    ("efficiency", "torque", "rate", "speed"),
    [
        ("0.4, 0", 0.0, 0.0, 0.0),  # a worm locks
        ("0.4, 0", 1.0, 0.0, 0.0),  # too weak to lift
        ("0.4, 0", 2.0, 0.0, (2.0 - 0.5 / 0.4) / (0.001 + 0.00125 / 0.4)),
        ("0.4, 0", -0.1, 0.0, -100.0),  # lowered without help of the load
        ("0.8, 0.7", 0.0, 0.0, -0.35 / (0.001 + 0.00125 * 0.7)),  # driven back
        ("0.4, 0", 0.0, 20.0, 0.0),  # runs out, and locks
    ],
)
def test_worm(efficiency: str, torque: float, rate: float, speed: float) -> None:
    run = shafts(
        f'<gear name="worm" of="two" to="one" ratio="0.05" efficiency="{efficiency}"/>',
        f'<moment value="{torque}"/>',
        '<moment value="-10"/>',
        f'one.rate="{rate} rad/s"',
        (0.001, 0.5),
    ).simulate(1.0)
    assert run.v[-1] == near([speed, 0.05 * speed])


def test_losses_of_a_gear_are_those_of_its_efficiency() -> None:
    """The load and the speed turn about; what is lost is what the friction of the flanks takes, in plane and space."""
    plane = shafts(
        '<gear name="mesh" of="two" to="one" ratio="-0.5" efficiency="0.7, 0.5"/>',
        '<moment value="0.4 N*m*sin(5*t)"/>',
        '<moment value="0.3 N*m*cos(3*t)"/>',
        'one.rate="3 rad/s"',
        (0.02, 0.3),
    ).simulate(4.0)
    space = sistel.parse(
        """<system name="shafts" space="spatial"><gravity value="0"/>
        <body name="one" joint="revolute" mass="1" inertia="1, 1, 0.02"><moment value="0, 0, 0.4 N*m*sin(5*t)"/></body>
        <body name="two" joint="revolute" place="300, 0, 0" mass="1" inertia="1, 1, 0.3">
          <moment value="0, 0, 0.3 N*m*cos(3*t)"/></body>
        <links><gear name="mesh" of="two" to="one" ratio="-0.5" efficiency="0.7, 0.5"/></links>
        <start one.rate="3 rad/s"/></system>"""
    ).simulate(4.0)
    assert len(plane.events) == len(space.events) == 10
    for one, other in zip(plane.events, space.events, strict=True):
        assert one.time == near(other.time)
    assert [*plane.q[-1], *plane.v[-1]] == near([*space.q[-1], *space.v[-1]])
    # In between, the equation of one gear: the load counts 1/0.7 where it is driven, and 0.5 where it drives.
    edges = [0.0, *(event.time for event in plane.events), 4.0]
    for a, b in pairwise(edges):
        at = 0.5 * (a + b)
        (_, v), h = plane(at), 1e-5
        gained = (plane(at + h)[1][0] - plane(at - h)[1][0]) / (2.0 * h)
        force = -0.5 * 0.3 * gained - 0.3 * np.cos(3.0 * at)
        share = 1.0 / 0.7 if force * -0.5 * v[0] > 0.0 else 0.5
        assert 0.02 * gained == pytest.approx(0.4 * np.sin(5.0 * at) + 0.5 * share * force, abs=1e-8)  # differences


def test_differential() -> None:
    """One output held: the other turns twice as fast; both free: the same moment on both."""
    text = """<system name="axle"><gravity value="0"/>
    <body name="shaft" joint="revolute" mass="1" inertia="0.01"><moment value="2"/></body>
    <body name="left" joint="revolute" place="300, 0" mass="1" inertia="0.5"/>
    <body name="right" joint="revolute" place="300, 300" mass="1" inertia="0.3"/>
    <links><differential name="axle" of="shaft" to="left, right" ratio="4"/>@</links>
    <start left.rate="10 rad/s" right.rate="6 rad/s"/></system>"""
    run = sistel.parse(text.replace("@", "")).simulate(1.0)
    assert run.v[0] == near([32.0, 10.0, 6.0])
    left, right = (run.v[-1] - run.v[0])[1:]
    assert 0.5 * left == near(0.3 * right)
    assert run.v[-1][0] == near(2.0 * (run.v[-1][1] + run.v[-1][2]))
    held = text.replace("@", '<lock name="brake" of="left"/>').replace('left.rate="10 rad/s"', 'left.rate="0"')
    assert sistel.parse(held).simulate(0.1).v[0] == near([12.0, 0.0, 6.0])


def test_rope_over_a_pulley() -> None:
    """Atwood's machine: two racks on one pinion, whose inertia counts."""
    run = sistel.parse(
        """<system name="atwood">
        <body name="pulley" joint="revolute" mass="1" inertia="0.02"/>
        <body name="a" joint="prismatic" axis="y" mass="3"/><body name="b" joint="prismatic" axis="y" mass="2"/>
        <links><gear name="left" of="a" to="pulley" ratio="0.1"/><gear name="right" of="b" to="pulley" ratio="-0.1"/></links>
        </system>"""
    ).simulate(1.0)
    a = (3.0 - 2.0) * 9.81 / (3.0 + 2.0 + 0.02 / 0.1**2)
    assert run.q[-1] == near([5.0 * a, 0.5 * a, -0.5 * a])


def on_belt(speed: str, surface: str = "y = 0", shape: str = "<point name='foot'/>", touches: str = "point") -> Any:
    return sistel.parse(
        f'''<system name="belt"><body name="crate" joint="free" mass="2" inertia="0.01">{shape}</body>
        <links><contact name="belt" {touches}="foot" surface="{surface}" friction="0.3" speed="{speed}"/></links>
        <start crate.y="{-100 if touches == "of" else 0}"/></system>'''
    )


def test_crate_on_a_belt() -> None:
    """It slips for v/(μg), then goes with the belt; slips again where the belt is quicker than friction allows."""
    time = 1.5 / (0.3 * 9.81)
    run = on_belt("1.5 m/s").simulate(3.0)
    assert [event.time for event in run.events] == near([time])
    assert run.q[-1][0] == near(1.5 * (3.0 - 0.5 * time))
    # The belt does twice the work that the crate gets; the heat is the other half: force · way of the belt.
    assert 0.3 * 2.0 * 9.81 * 1.5 * time == near(2.0 * 0.5 * 2.0 * run.v[-1][0] ** 2)
    shaken = on_belt("1.5 m/s*sin(2*t)").simulate(1.6)
    first, second = (event.time for event in shaken.events)
    assert 0.3 * 9.81 * first == near(1.5 * np.sin(2.0 * first))
    assert 3.0 * np.cos(2.0 * second) == near(-0.3 * 9.81)
    assert shaken(1.2)[1][0] == near(1.5 * np.sin(2.4))
    # What is asked of the slip is that on the surface that moves.
    assert run.quantity("slip(belt)", [0.1, 2.0]) == near([0.3 * 9.81 * 0.1 - 1.5, 0.0])
    assert shaken.quantity("slip(belt)", [0.5 * first])[0] == near(0.3 * 9.81 * 0.5 * first - 1.5 * np.sin(first))


def test_slope_that_moves_and_wheel_on_a_belt() -> None:
    slope = np.arctan(0.2)
    run = on_belt("-1 m/s", "y = 0.2*x").simulate(3.0)
    # Down the slope it would slide by itself with g sin; the belt goes up.
    gained = 9.81 * (0.3 * np.cos(slope) - np.sin(slope))
    assert [event.time for event in run.events] == near([1.0 / gained])
    assert run.v[-1][:2] == near([-np.cos(slope), -np.sin(slope)])
    wheel = on_belt("1 m/s", "y = 0", "<circle name='foot' radius='100'/>", "of").simulate(1.0)
    assert [event.time for event in wheel.events] == near([1.0 / (3.0 * 0.3 * 9.81)])
    assert wheel.v[-1] == near([1.0 / 3.0, 0.0, -2.0 / 0.3])
    assert wheel.quantity("slip(belt)", [0.05, 0.9]) == near([3.0 * 0.3 * 9.81 * 0.05 - 1.0, 0.0])


def test_crate_passes_the_origin_of_a_straight_belt() -> None:
    """A polyline without corners is no disk at the origin: it made the run end there."""
    text = """<system name="belt"><world><polyline name="belt" points="-400,0; 2000,0"/></world>
    <body name="crate" joint="free" mass="2" inertia="0.01"><box name="sides" size="200, 120"/></body>
    <links><contact name="on" of="sides" to="belt" friction="0.3" speed="0.5 m/s"/></links>
    <start crate="-200, -60, 0"/></system>"""
    system = sistel.parse(text)
    assert len(system.model.contacts) == 4
    time = 0.5 / (0.3 * 9.81)
    run = system.simulate(1.5)
    assert run.q[-1] == near([-0.2 + 0.5 * (1.5 - 0.5 * time), -0.06, 0.0])
    lower = next(contact.name for contact in system.model.contacts if f"{contact.name} " in run.final_structure)
    assert run.quantity(f"slip({lower})", [0.1, 1.0]) == near([0.3 * 9.81 * 0.1 - 0.5, 0.0])


@pytest.mark.parametrize(
    "link",
    [
        '<gear name="mesh" of="one" to="two" ratio="3" backlash="0.02 rad"/>',
        '<gear name="mesh" of="one" to="two" ratio="3" backlash="0.02 rad" stiffness="200" damping="0.05"/>',
        '<gear name="mesh" of="one" to="two" ratio="3" efficiency="0.8, 0.6"/>',
        '<clutch name="mesh" of="one" to="two" ratio="3" limit="0.12 N*m"/>',
    ],
    ids=["flanks", "teeth", "losses", "clutch"],
)
def test_the_moment_of_a_gear_is_what_moves_its_driven_shaft(link: str) -> None:
    """Euler's law for the shaft that it drives: the inertia times the acceleration, less what the file applies."""
    run = shafts(link, '<moment value="0.5*cos(7*t)"/>', '<moment value="-0.2"/>').simulate(1.2)
    events = np.array([0.0, *(event.time for event in run.events), 1.2])
    times = np.array([t for t in np.linspace(0.003, 1.197, 60) if np.abs(t - events).min() > 1e-3])
    h = 2e-5
    after, before = ([run(float(t) + s * h)[1][0] for t in times] for s in (1.0, -1.0))
    expected = 0.01 * (np.array(after) - before) / (2.0 * h) - 0.5 * np.cos(7.0 * times)
    # Differences of the velocity are good for some 1e-6 of its third derivative.
    assert run.quantity("moment(mesh)", times) == pytest.approx(expected, abs=1e-5)
    assert np.abs(expected).max() > 0.05
