"""Tracks: skid steering by the digits of references, loads by statics, stick and slip, and ideal ones by closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import sistel
from sistel.simulation import Run

SIDES = {"left": 0.3, "right": -0.3}


def vehicle(
    voltages: tuple[float, float],
    *,
    length: float = 1.0,
    patches: int = 2,
    mu: float = 0.6,
    body: str = "",
    track: str = "",
    more: str = "",
) -> sistel.System:
    """A hull of 50 kg, Iz 4, with a motor of n 30, k 0.03, R 0.5 and an inertia of 0.4 a side, r 0.12."""
    wheels, tracks = "", ""
    for (side, y), voltage in zip(SIDES.items(), voltages, strict=True):
        drive = ""
        if voltage:
            drive = f"""<motor name="{side}" ratio="30" voltage="{abs(voltage)} V" resistance="0.5 Ohm" constant="0.03 V*s/rad"/>
              <motion value="{math.copysign(1e4, voltage)} rad*t/1 s" kp="1e8" kd="1e8"/>"""
        wheels += f"""<body name="{side} sprocket" joint="revolute" axis="y" place="0, {y} m, 0" mass="0"
            inertia="0.2, 0.4, 0.2">{drive}</body>"""
        rubs = track or f'patches="{patches}" friction="{mu}"'
        tracks += f"""<track name="{side}" of="hull" rear="{-length / 2} m, {y} m, 0" front="{length / 2} m, {y} m, 0"
            drive="{side} sprocket" radius="120" {rubs}/>"""
    return sistel.parse(f"""<system name="skid steering" space="spatial">
        <body name="hull" joint="planar" mass="50" inertia="3, 3, 3.6" {body}>{wheels}</body>{tracks}{more}</system>""")


def turning(run: Run) -> dict[str, float]:
    """The last velocities, in the axes of the hull."""
    (_, _, angle, *_), (x, y, rate, left, right) = run.q[-1], run.v[-1]
    ahead, aside = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
    return {"vx": ahead, "vy": aside, "rate": rate, "left": left, "right": right}


def test_turn_on_the_spot() -> None:
    # Four patches at (±0.25, ±0.3): χ = 1 + (a/c)², whatever the friction; digits of the balance of forces.
    run = vehicle((-24.0, 24.0)).simulate(25.0)
    found = turning(run)
    assert found["right"] == pytest.approx(19.6886567103238361, rel=1e-12)
    assert found["rate"] == pytest.approx(4.64781404309284, rel=1e-12)
    assert run.quantity("current(right)")[-1] == pytest.approx(12.560417921417095, rel=1e-11)
    assert 0.12 * found["right"] / (0.3 * found["rate"]) == pytest.approx(1 + (0.25 / 0.3) ** 2, rel=1e-12)


def test_turn_with_a_radius() -> None:
    run = vehicle((-6.0, 18.0)).simulate(25.0)
    found = turning(run)
    wanted = {
        "vx": 0.636294278694515765,
        "vy": -0.245548630828579785,
        "rate": 1.71174625794311037,
        "left": -0.798872838881446137,
        "right": 12.5754767279041287,
    }
    assert found == pytest.approx(wanted, rel=2e-12)
    assert run.quantity("current(left)")[-1] == pytest.approx(-10.562028890013397, rel=1e-11)


@pytest.mark.parametrize("patches", [3, 7])
def test_turn_of_many_patches(patches: int) -> None:
    # By quadrature over the patches: no moment about the middle of the hull.
    x, c = (np.arange(patches) + 0.5) / patches * 0.8 - 0.4, 0.3

    def moment(chi: float) -> float:
        return float(np.sum((x * x - c * c * (chi - 1)) / np.hypot(x, c * (chi - 1))))

    found = turning(vehicle((-24.0, 24.0), length=0.8, patches=patches, mu=0.4).simulate(25.0))
    assert 0.12 * found["right"] / (c * found["rate"]) == pytest.approx(
        brentq(moment, 1.01, 4.0, xtol=1e-15), rel=1e-11
    )


def test_loads_and_motion_on_a_slope() -> None:
    # Statics by least squares, and the motion by another integrator, on a slope of 15° with a weight aside and high up.
    slope, mass, mu, com = math.radians(15), 50.0, 0.5, np.array([0.06, -0.04, 0.12])
    system = vehicle((-24.0, 24.0), patches=3, mu=mu, body='com="60, -40, 120" turn="0, 15, 0"')
    patches = np.array([(x, y) for y in SIDES.values() for x in (-1 / 3, 0.0, 1 / 3)])
    down = 9.81 * np.array([math.sin(slope), 0.0, -math.cos(slope)])  # in the plane: x along the fall

    def loads(angle: float) -> np.ndarray:
        c, s = math.cos(angle), math.sin(angle)
        gx, gy = c * down[0] + s * down[1], -s * down[0] + c * down[1]
        A = np.vstack([np.ones(6), patches.T])
        foot = com[:2] - com[2] * np.array([gx, gy]) / down[2]
        return np.linalg.lstsq(A, -mass * down[2] * np.array([1.0, *foot]), rcond=None)[0]

    def rates(_: float, y: np.ndarray) -> list[float]:
        angle, vx, vy, w, left, right = y[2], *y[3:]
        c, s = math.cos(angle), math.sin(angle)
        ahead, aside = c * vx + s * vy, c * vy - s * vx
        belts = 0.12 * np.repeat([left, right], 3)
        slip = np.array([ahead - w * patches[:, 1] - belts, aside + w * patches[:, 0]])
        force = -mu * loads(angle) * slip / np.hypot(*slip)
        # Newton and Euler in the axes of the hull, about the centre of mass.
        fx, fy = force.sum(axis=1) + mass * np.array([c * down[0], -s * down[0]])
        turn = float(np.sum((patches[:, 0] - com[0]) * force[1] - (patches[:, 1] - com[1]) * force[0]))
        gain = turn / 4.0
        # Of the centre of mass less what the turn makes of the arm to the pole.
        ax, ay = fx / mass + gain * com[1] + w * w * com[0], fy / mass - gain * com[0] + w * w * com[1]
        drive = [30 * 0.03 * (u - 30 * 0.03 * rate) / 0.5 for u, rate in ((-24.0, left), (24.0, right))]
        turns = [(drive[i] - 0.12 * force[0, 3 * i : 3 * i + 3].sum()) / 0.4 for i in (0, 1)]
        return [vx, vy, w, c * ax - s * ay, s * ax + c * ay, gain, *turns]

    run = system.simulate(1.5)
    assert not run.passages
    t0 = 0.2
    q, v = run(np.array([t0, 1.5]))
    found = solve_ivp(rates, (t0, 1.5), [*q[0][:3], *v[0]], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    assert np.abs(found - np.array([*q[1][:3], *v[1]])).max() < 2e-11
    now = [run.quantity(f"normal({side} {i + 1})", [1.0])[0] for side in SIDES for i in range(3)]
    assert np.allclose(now, loads(float(run(1.0)[0][2])), rtol=1e-12)


def test_stick_and_slide_on_a_slope() -> None:
    # Sprockets that nothing turns roll down; held by locks, the vehicle stands or slides as a block does.
    slope = math.radians(20)

    def braked(mu: float) -> Run:
        held = '<links><lock name="brake" of="left sprocket, right sprocket"/></links>'
        return vehicle((0.0, 0.0), mu=mu, body='turn="0, 20, 0"', more=held).simulate(1.0)

    assert np.abs(braked(0.6).v[-1]).max() < 1e-15
    sliding = braked(0.3).v[-1][0]
    assert sliding == pytest.approx(9.81 * (math.sin(slope) - 0.3 * math.cos(slope)), rel=1e-12)


def test_belts_that_spin() -> None:
    # Full voltage on ice: the belts slip, and friction drives the hull with μg until they have caught up.
    run = vehicle((24.0, 24.0), mu=0.05).simulate(1.0)
    assert run(1.0)[1][0] == pytest.approx(0.05 * 9.81, rel=1e-12)
    # On gravel nothing slips: v = 0.12 Ω, and the belts are gears.
    grip = vehicle((24.0, 24.0), mu=1.5).simulate(2.0)
    assert not grip.passages
    mass, k = 50 + 2 * 0.4 / 0.12**2, 2 * (30 * 0.03) ** 2 / 0.5 / 0.12**2
    top = 24 / (30 * 0.03) * 0.12
    assert grip.v[-1][0] == pytest.approx(top * (1 - math.exp(-k / mass * 2.0)), rel=1e-11)


def test_a_weight_too_far_out() -> None:
    system = vehicle((24.0, 24.0), body='com="400, 0, 0"')
    with pytest.raises(sistel.SistelError, match="would have to pull"):
        system.simulate(0.1)


def test_written_and_read_again() -> None:
    for own in ("", 'rolls="ideal" widening="1.5"'):
        system = vehicle((24.0, 24.0), track=own)
        assert sistel.parse(system.to_xml()).fingerprint == system.fingerprint


def test_ideal_tracks_go_round() -> None:
    # ω = (v_R − v_L) / (2 c χ), v = (v_L + v_R) / 2, whatever the forces: a circle.
    chi, rates = 1.7, {"left": 4.0, "right": 9.0}
    motions = "".join(f'<motion of="{side} sprocket" value="{rate} rad*t/1 s"/>' for side, rate in rates.items())
    system = vehicle((0.0, 0.0), track=f'rolls="ideal" widening="{chi}"', more=motions)
    assert system.mobility().dof == 2
    run = system.simulate(6.0)
    turn, speed = 0.12 * (rates["right"] - rates["left"]) / (0.6 * chi), 0.12 * sum(rates.values()) / 2
    radius = speed / turn
    x, y, angle = run.q[-1][:3]
    assert angle == pytest.approx(turn * 6.0, rel=1e-13)
    assert (x, y) == pytest.approx((radius * math.sin(turn * 6), radius * (1 - math.cos(turn * 6))), abs=1e-12)
