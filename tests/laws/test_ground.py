"""Curved ground: beads and balls on cycloids, parabolas and hills, against integrals and conserved quantities."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

import sistel
from sistel.views._profiles import profile_lines

G = 9.81


def planar(
    surface: str, shape: str, start: tuple[float, float], rest: str = 'friction="none"', inertia: float = 0.004
) -> sistel.System:
    """A body of 1 kg on a surface, its pole at a place at the start [m]."""
    what = 'of="s"' if "name" in shape else 'point="s"'
    shape = shape or '<point name="s" place="0,0"/>'
    return sistel.parse(
        f'<system name="ground"><parameter name="a" value="0.5 1/m"/><body name="b" joint="free" mass="1" '
        f'inertia="{inertia}">{shape}</body><links><contact name="c" {what} surface="{surface}" {rest}/></links>'
        f'<start b="{1e3 * start[0]!r}, {1e3 * start[1]!r}, 0"/></system>'
    )


def integral(f: Callable[[float], float], low: float, high: float) -> float:
    """By Gauss' rule; the functions here are smooth."""
    x, w = np.polynomial.legendre.leggauss(60)
    half, middle = (high - low) / 2, (high + low) / 2
    return half * sum(float(weight) * f(middle + half * float(at)) for at, weight in zip(x, w, strict=True))


def root(f: Callable[[float], float], low: float, high: float) -> float:
    sign = f(low)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) * sign > 0 else (low, middle)
    return low


@pytest.mark.parametrize("phi", [0.4, 1.2, 2.4])
def test_on_a_cycloid_all_beads_swing_alike(phi: float) -> None:
    """x = R (φ + sin φ), h = R (1 − cos φ): the way from the lowest point is s = 4 R sin φ/2, and s'' = −g s/(4 R)."""
    R = 0.5
    # y points down; x is a height over it here.
    start = (-R * (phi + math.sin(phi)), -R * (1 - math.cos(phi)))
    run = planar("x >= -(500 mm)*acos(1 + y/(500 mm)) - sqrt(-y*(1 m + y))", "", start).simulate(0.7)
    assert run.final_structure == "c slides"
    omega = math.sqrt(G / (4 * R))
    for t in (0.3, 0.6, 0.7):  # a quarter is 0.709 s
        (_, y, _), (vx, vy, _) = run(t)
        at = 2 * math.asin(math.sqrt(-y / (2 * R)))
        phase = math.atan2(math.hypot(vx, vy) / omega, 4 * R * math.sin(at / 2))
        assert phase / omega == pytest.approx(t, abs=1e-11)


BALL, CURVE = 0.1, 0.5
CIRCLE = '<circle name="s" radius="100"/>'


def above(u: float, r: float = BALL, a: float = CURVE) -> tuple[float, float]:
    """The centre of a circle that touches h = a u²; h is up."""
    w = math.hypot(1.0, 2 * a * u)
    return u - r * 2 * a * u / w, a * u * u + r / w


@pytest.mark.parametrize("r", [0.1, 0.9])
def test_a_ball_rolls_in_a_parabola(r: float) -> None:
    """Time to the bottom and turn there by quadrature over the way of the centre; 0.9 m is 0.9 of the least curvature."""
    u0, inertia = 0.6, 0.4 * r * r

    def speed(u: float) -> float:
        """Of the centre, with u."""
        w = math.hypot(1.0, 2 * CURVE * u)
        return w * (1 - r * 2 * CURVE / w**3)

    def slow(angle: float) -> float:
        """Time with the angle, u = u0 cos angle: the root at rest is gone."""
        u = u0 * math.cos(angle)
        w0, w = (math.hypot(1.0, 2 * CURVE * each) for each in (u0, u))
        fall = CURVE - 4 * CURVE**2 * r / (w * w0 * (w + w0))  # of the centre, in squares of u0 sin angle
        return speed(u) * math.sqrt((1 + 0.4) / (2 * G * fall))

    x, y = above(u0, r)
    time = integral(slow, 0.0, math.pi / 2)
    run = planar("y = -a*x^2", f'<circle name="s" radius="{1e3 * r}"/>', (x, -y), "", inertia).simulate(time)
    assert run.final_structure == "c rolls" and not len(run.events)
    assert run.q[-1][:2] == pytest.approx([0.0, -r], abs=2e-13)
    # It goes left, which is counterclockwise: negative.
    assert run.q[-1][2] == pytest.approx(-integral(speed, 0.0, u0) / r, abs=1e-12)
    energy = run.quantity("energy()")
    np.testing.assert_allclose(energy, energy[0], rtol=1e-14)


@pytest.mark.parametrize("r", [0.0, 0.15])
def test_what_slides_over_a_crest_leaves_it_where_nothing_presses(r: float) -> None:
    """N = 0 where v² κ = g cos, with the curvature of the way of the centre and v by energy."""
    a, b, v0 = 0.5, 2.0, 0.3
    shape = f'<circle name="s" radius="{1e3 * r}"/>' if r else ""
    run = planar("y = a*x^2 + 2/(1 m^3)*x^4", shape, (0.0, -r)).simulate(1.0, v=[v0, 0.0, 0.0])

    def slope(u: float) -> float:
        return -2 * a * u - 4 * b * u**3

    def centre(u: float) -> tuple[float, float]:
        w = math.hypot(1.0, slope(u))
        return u - r * slope(u) / w, -a * u * u - b * u**4 + r / w

    def speed(u: float) -> float:
        return math.sqrt(v0 * v0 + 2 * G * (r - centre(u)[1]))

    def pressing(u: float) -> float:
        w = math.hypot(1.0, slope(u))
        curvature = (2 * a + 12 * b * u * u) / w**3
        return G / w - speed(u) ** 2 * curvature / (1 + r * curvature)

    u = root(pressing, 0.0, 0.6)
    event = run.events[0]
    assert (event.transition, event.after) == ("c lets go", "c open")
    q, v = run(event.time)
    assert q[:2] == pytest.approx([centre(u)[0], -centre(u)[1]], abs=1e-12)
    assert math.hypot(v[0], v[1]) == pytest.approx(speed(u), abs=1e-12)


SPATIAL = (
    '<system space="spatial"><world>{world}</world><body name="b" joint="free" mass="2" inertia="0.008">'
    '<sphere name="s" radius="100"/></body><links><contact name="c" of="s" {contact}/></links>{start}</system>'
)


def test_a_ball_on_a_dome_is_the_same_as_on_a_ball() -> None:
    """A sphere written as a height and one of the world: rolling, slip and the place where the ball leaves."""
    R, r = 1.0, 0.1
    lean = (0.1, 0.05)
    up = math.sqrt((R + r) ** 2 - lean[0] ** 2 - lean[1] ** 2)
    start = f'<start b.y="{1e3 * lean[1]}" b.x="{1e3 * lean[0]}" b.z="{1e3 * up!r}"/>'
    dome = 'surface="z = sqrt(1 m^2 - x^2 - y^2)" friction="0.3"'
    ball = 'to="o" friction="0.3"'
    runs = [
        sistel.parse(SPATIAL.format(world=world, contact=contact, start=start)).simulate(
            1.2, v=[3.0, 1.0, 2.0, 0.0, 0.0, 0.0]
        )
        for world, contact in (("", dome), ('<sphere name="o" radius="1000"/>', ball))
    ]
    assert len(runs[0].events) >= 3
    for one, two in zip(runs[0].events, runs[1].events, strict=True):
        assert one.transition == two.transition and one.time == pytest.approx(two.time, abs=1e-11)
    np.testing.assert_allclose(runs[0].q[-1], runs[1].q[-1], rtol=0, atol=2e-11)


def test_a_smooth_ball_in_a_bowl_keeps_energy_and_momentum() -> None:
    run = sistel.parse(
        SPATIAL.format(
            start="", world="", contact='surface="z = 1.5/(1 m)*(x^2 + y^2)" friction="none" restitution="0.5"'
        )
    ).simulate(2.0, q=[1, 0, 0, 0, 0.4, 0.0, 0.6], v=[0.0, 0.0, 0.0, 0.0, 0.8, 0.0])
    assert run.events[0].impulses and run.final_structure == "c slides"
    sliding = run.t > run.events[-1].time + 1e-9
    assert sliding.sum() > 5
    energy = run.quantity("energy()")[sliding]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-13)
    x, y, vx, vy = (run.quantity(f"{key}(b)") for key in ("x", "y", "vx", "vy"))
    np.testing.assert_allclose((x * vy - y * vx), 0.4 * 0.8, rtol=0, atol=1e-13)


def test_ground_that_is_too_narrow_for_a_ball_is_said() -> None:
    system = planar("y = -a*x^2", '<circle name="s" radius="1200"/>', (0.0, -2.0))
    with pytest.raises(sistel.SistelError) as caught:
        system.simulate(1.0)
    (found,) = caught.value.diagnostics
    assert found.code == "narrow-ground" and found.span is not None and "не помещается" in found.message.ru
    assert "1 m" in found.message.en


HILL = '<profile name="hill" surface="y = -a*x^2" shown="-800, 800" colour="green"/>'


def world(obstacles: str, shape: str, contact: str, start: str) -> sistel.System:
    return sistel.parse(
        f'<system name="w"><parameter name="a" value="0.5 1/m"/><world>{obstacles}</world>'
        f'<body name="b" joint="free" mass="1" inertia="0.004">{shape}</body>'
        f'<links><contact name="c" {contact}/></links><start b="{start}"/></system>'
    )


def test_a_profile_of_the_world_is_the_same_ground() -> None:
    """One named profile, the world with more in it, and the surface of a contact; the written model, too."""
    x, y = above(0.5)
    start = f"{1e3 * x!r}, {-1e3 * y!r}, 0"
    one = world(HILL, CIRCLE, 'of="s" to="hill"', start)
    more = world(HILL + '<circle name="far" place="5000,0" radius="9"/>', CIRCLE, 'of="s" to="world"', start)
    assert [contact.name for contact in more.model.contacts] == ["c 1", "c hill"]
    runs = [
        each.simulate(0.6)
        for each in (one, more, planar("y = -a*x^2", CIRCLE, (x, -y), ""), sistel.parse(one.to_xml()))
    ]
    for run in runs[1:]:
        np.testing.assert_allclose(run.q[-1], runs[0].q[-1], rtol=0, atol=1e-14)
    # Another value of the parameter is another hill.
    with pytest.raises(sistel.SistelError, match="inside its surface"):
        one.with_parameters(a=0.6).simulate(0.1)


def test_profiles_are_drawn_as_the_parameters_are() -> None:
    system = world(HILL, CIRCLE, 'of="s" to="hill"', "0,-2000,0")
    for each, a in ((system, 0.5), (system.with_parameters(a=1.0), 1.0)):
        (line,) = profile_lines(each.model, each.model.shapes[0], 21)
        assert [p[1] for p in line] == pytest.approx([-a * p[0] ** 2 for p in line], abs=1e-15)
        assert (line[0][0], line[-1][0]) == (-0.8, 0.8)
        picture = each.scheme()
        assert f"{-800 * 0.8 * a:.6g}" in picture and "stroke:green" in picture


@pytest.mark.parametrize(
    ("obstacle", "shape", "code"),
    [
        (HILL, '<polyline name="s" points="0,0; 9,9"/>', "wrong-shape"),
        (HILL.replace("-a*x^2", "abs(x)"), CIRCLE, "curved-surface"),
        (HILL.replace("-800, 800", "800, -800"), CIRCLE, "out-of-range"),
        (HILL.replace("-800, 800", "1, 2, 3, 4"), CIRCLE, "wrong-count"),
        (HILL.replace("y = -a*x^2", "y = 1 s"), CIRCLE, "wrong-dimension"),
    ],
)
def test_profiles_that_cannot_be_are_refused(obstacle: str, shape: str, code: str) -> None:
    with pytest.raises(sistel.SistelError) as caught:
        world(obstacle, shape, 'of="s" to="hill"', "0,0,0")
    assert caught.value.diagnostics[0].code == code and caught.value.diagnostics[0].span is not None


def test_a_ball_that_does_not_fit_into_what_is_shown_is_refused() -> None:
    system = world(HILL, '<circle name="s" radius="1001"/>', 'of="s" to="hill"', "3000, -9000, 0")
    with pytest.raises(sistel.SistelError) as caught:
        system.simulate(0.1)
    (found,) = caught.value.diagnostics
    assert found.code == "narrow-ground" and "x = 0 m" in found.message.en and found.related
