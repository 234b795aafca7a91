"""Wheels, capsules, polygons and boxes on curved ground: against other shapes, quadratures and conservation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import sistel

HILLS = "0.08 m*sin(2*x/1 m)*cos(1.5*y/1 m)"


def free(shape: str, start: str, link: str, inertia: str = "0.05, 0.09, 0.05") -> sistel.System:
    """A free body of 2 kg in space."""
    return sistel.parse(f"""<system name="s" space="spatial">
        <body name="b" joint="free" mass="2" inertia="{inertia}">{shape}</body>
        <start><coordinate of="b" {start}/></start><links><contact name="k" of="rim" {link}/></links></system>""")


def test_a_wheel_whose_tread_is_all_of_it_is_a_ball() -> None:
    start = 'place="0.1 m, 0.05 m, 0.6 m" turn="10, 5, 20" velocity="900, 200, 0" spin="60, 300, 40"'
    link = f'surface="z = {HILLS}" friction="0.4" restitution="0.5"'
    shapes = ('<sphere name="rim" radius="0.3 m"/>', '<wheel name="rim" radius="0.3 m" tread="0.3 m" axis="y"/>')
    ball, wheel = (free(shape, start, link).simulate(1.2) for shape in shapes)
    assert len(ball.events) > 3
    assert [event.time for event in ball.events] == pytest.approx([event.time for event in wheel.events], rel=1e-11)
    assert np.abs(ball.q[-1] - wheel.q[-1]).max() < 1e-10


def test_a_wheel_that_goes_straight_is_a_circle() -> None:
    # Upright along a valley that does not change across: as the circle of a plane, in which y is down.
    wheel = free(
        '<wheel name="rim" radius="0.2 m" axis="y"/>',
        'place="-1 m, 0, 0.65 m"',
        'surface="z = 0.3 m*(x/1 m)^2" friction="0.2"',
        inertia="0.03, 0.05, 0.03",
    ).simulate(1.5)
    circle = sistel.parse("""<system name="c"><body name="b" joint="free" mass="2" inertia="0.05">
        <circle name="rim" radius="0.2 m"/></body>
        <start><coordinate of="b.x" value="-1 m"/><coordinate of="b.y" value="-0.65 m"/></start>
        <links><contact name="k" of="rim" surface="y = -0.3 m*(x/1 m)^2" friction="0.2"/></links></system>""").simulate(
        1.5
    )
    assert [event.time for event in wheel.events] == pytest.approx([event.time for event in circle.events], rel=1e-11)
    assert len(wheel.events) >= 2
    assert wheel.quantity("x(b)")[-1] == pytest.approx(circle.quantity("x(b)")[-1], abs=1e-10)
    assert wheel.quantity("z(b)")[-1] == pytest.approx(-circle.quantity("y(b)")[-1], abs=1e-10)


@pytest.mark.parametrize("tread", [0.0, 0.04])
def test_a_wheel_that_rolls_over_hills(tread: float) -> None:
    # It touches where it says, by a search over its rim; what rolls ideally loses no energy and does not slip.
    start = 'place="0.1 m, 0.05 m, 0.35 m" turn="6, 5, 20" velocity="700, 260, 0" spin="0, 140, 0"'
    system = free(
        f'<wheel name="rim" radius="0.3 m" tread="{tread} m" axis="y"/>', start, f'surface="z = {HILLS}" rolls="ideal"'
    )
    run = system.simulate(1.0)
    kept = run.quantity("energy()")
    assert np.ptp(kept) < 1e-10 * abs(kept[0])
    assert np.abs(run.quantity("slip(k)")).max() < 1e-11

    def ground(x: float, y: float) -> float:
        return 0.08 * math.sin(2 * x) * math.cos(1.5 * y)

    for t in (0.3, 0.9):
        pose = system.pose(run(t)[0], "b")
        angles = np.linspace(0, 2 * np.pi, 4001)
        rim = pose[:3, 3] + (0.3 - tread) * (
            np.outer(np.cos(angles), pose[:3, 0]) + np.outer(np.sin(angles), pose[:3, 2])
        )
        if not tread:
            heights = [z - ground(x, y) for x, y, z in rim]
            assert abs(min(heights)) < 1e-7  # of the samples
        else:
            # Distance of the middle of the tread, by a search around the place below.
            low = rim[int(np.argmin([z - ground(x, y) for x, y, z in rim]))]
            near = [
                math.dist(low, (low[0] + dx, low[1] + dy, ground(low[0] + dx, low[1] + dy)))
                for dx in np.linspace(-0.03, 0.03, 121)
                for dy in np.linspace(-0.03, 0.03, 121)
            ]
            assert min(near) == pytest.approx(tread, abs=2e-5)  # of the samples


def test_a_capsule_in_a_trough_rolls_as_a_circle() -> None:
    # Along the trough, with both of its ends: heights of two places that move alike.
    capsule = sistel.parse("""<system name="s" space="spatial"><body name="b" joint="free" mass="2" inertia="0.03, 0.02, 0.03">
        <capsule name="rim" radius="0.1 m" length="0.4 m" turn="90, 0, 0"/></body>
        <world><profile name="trough" surface="z = 0.5 m*(x/1 m)^2" shown="-1 m, 1 m, -1 m, 1 m"/></world>
        <start><coordinate of="b" place="-0.5 m, 0, 0.3 m"/></start>
        <links><contact name="k" of="rim" to="trough" friction="0.6"/></links></system>""")
    assert [contact.name for contact in capsule.model.contacts] == ["k A", "k B"]
    circle = sistel.parse("""<system name="c"><body name="b" joint="free" mass="2" inertia="0.02">
        <circle name="rim" radius="0.1 m"/></body>
        <start><coordinate of="b.x" value="-0.5 m"/><coordinate of="b.y" value="-0.3 m"/></start>
        <links><contact name="k" of="rim" surface="y = -0.5 m*(x/1 m)^2" friction="0.6"/></links></system>""")
    one, other = capsule.simulate(1.2), circle.simulate(1.2)
    assert one.quantity("x(b)")[-1] == pytest.approx(other.quantity("x(b)")[-1], abs=1e-10)
    assert one.quantity("normal(k A)", [1.0])[0] == pytest.approx(other.quantity("normal(k)", [1.0])[0] / 2, rel=1e-8)


VALLEY = """<system name="s"><body name="b" joint="free" mass="2" inertia="0.04">{shape}</body>
    <world><profile name="valley" surface="y = -0.6*x^2/(1 m)" shown="-1.5 m, 1.5 m"/></world>
    <start><coordinate of="b.x" value="{x!r} m"/><coordinate of="b.y" value="{y!r} m"/>
      <coordinate of="b.angle" value="{angle!r} rad"/></start>
    <links><contact name="k" of="box" {on} friction="none" impact="plastic"/></links></system>"""


@pytest.mark.parametrize("on", ['to="valley"', 'surface="y = -0.6*x^2/(1 m)"'])
@pytest.mark.parametrize(
    "shape",
    ['<box name="box" size="400, 200"/>', '<polygon name="box" points="-200,100; -200,-100; 200,-100; 200,100"/>'],
)
def test_a_box_slides_through_a_valley(on: str, shape: str) -> None:
    # Two of its corners on y = k x²: one freedom, the middle s of the chord. The quarter of a swing by quadrature.
    k, b, a, m, inertia, s0 = 0.6, 0.4, 0.1, 2.0, 0.04, 0.5

    def place(s: float) -> tuple[float, float, float]:
        theta = math.atan(2 * k * s)
        half = b / 2 * math.cos(theta)
        return s - a * math.sin(theta), k * (s * s + half * half) + a * math.cos(theta), theta

    def inertia_at(s: float) -> float:
        c = 1 / math.sqrt(1 + 4 * k * k * s * s)  # cos θ
        turn = 2 * k * c * c  # dθ/ds
        x = 1 - a * c * turn
        # d(half²)/ds = −b²/2 cos θ sin θ dθ/ds
        y = 2 * k * s - k * b * b / 2 * c * (2 * k * s * c) * turn - a * (2 * k * s * c) * turn
        return m * (x * x + y * y) + inertia * turn * turn

    def speed(phi: float) -> float:
        s = s0 * math.sin(phi)
        fall = m * 9.81 * (place(s0)[1] - place(s)[1])
        return s0 * math.cos(phi) / math.sqrt(2 * fall / inertia_at(s)) if fall > 0 else math.nan

    quarter = quad(speed, 0.0, math.pi / 2 - 1e-9, epsabs=1e-13, epsrel=1e-12, limit=200)[0]
    x, y, theta = place(s0)
    system = sistel.parse(VALLEY.format(shape=shape, on=on, x=x, y=-y, angle=-theta))
    assert len(system.model.contacts) == 4
    assert [each.code for each in system.diagnostics if each.code == "corners-alone"] == ["corners-alone"]
    run = system.simulate(1.0)
    crossing = brentq(lambda t: float(run(t)[0][0]), 0.8 * quarter, 1.2 * quarter, xtol=1e-15)
    # Quadrature loses the last part of its end, 1e-9 of the angle.
    assert crossing == pytest.approx(quarter, rel=1e-8)
    kept = run.quantity("energy()")
    assert np.ptp(kept) < 1e-11


def test_a_box_falls_into_a_bowl() -> None:
    # Eight corners: it comes to rest with four of them on the bowl, and none goes through.
    system = sistel.parse("""<system name="s" space="spatial"><body name="b" joint="free" place="0, 0, 0.4 m" mass="2"
        inertia="0.02, 0.02, 0.02"><box name="box" size="300, 300, 200"/></body>
        <links><contact name="k" of="box" surface="z = 0.5*(x^2 + y^2)/(1 m)" friction="0.5" impact="plastic"/></links>
        </system>""")
    run = system.simulate(1.0)
    low = 0.5 * (0.15**2 + 0.15**2) + 0.1
    assert run.quantity("z(b)")[-1] == pytest.approx(low, abs=1e-12)
    assert min(float(run.quantity(f"gap(k {letter})").min()) for letter in "ABCDEFGH") > -1e-12
