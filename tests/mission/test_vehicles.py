"""Row A38 of the mission: transport and flying vehicles, and rows that fall and swing, simulated, measured, drawn."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipk, ellipkinc

import sistel
from sistel.simulation import Run

MODELS = Path(__file__).resolve().parents[2] / "models"
LENGTHS = {
    "car": 8.0,
    "differential_drive": 8.0,
    "tracked_vehicle": 4.0,
    "quadrotor": 4.0,
    "crawler": 7.0,
    "dominoes": 0.8,
    "newtons_cradle": 1.2,
}


@cache
def driven(name: str) -> Run:
    return sistel.load(MODELS / f"{name}.xml").simulate(LENGTHS[name])


def test_A38_car_goes_round_its_centre() -> None:
    # Steered for good after 6 s: the middle of the rear axle goes round with L / tan(steer), inner wheels turn more slowly.
    run = driven("car")
    L, w, r, radius = 2.6, 0.76, 0.31, 2.6 / math.tan(math.radians(22))
    vx, vy, rate, left, right = run.v[-1][:5]
    assert math.hypot(vx, vy) / rate == pytest.approx(radius, rel=1e-12)
    assert (r * left, r * right) == pytest.approx((rate * (radius - w), rate * (radius + w)), rel=1e-12)
    # Nothing holds the right front wheel aside: that it does not slip is Ackermann's doing, on the way into the bend too.
    for t in (1.0, 2.5, 8.0):
        heading = run.quantity("angle(body) + angle(front_right)", [t])[0]
        speed = run.quantity("vx(right_tyre)", [t])[0], run.quantity("vy(right_tyre)", [t])[0]
        assert abs(speed[1] * math.cos(heading) - speed[0] * math.sin(heading)) < 1e-12 * math.hypot(*speed)
    assert math.atan(L / (radius + w)) == pytest.approx(run.q[-1][6], rel=1e-13)
    # What the differential gives the wheels is what the car gains.
    energy, turned = run.quantity("energy()", [6.5, 8.0]), run(np.array([6.5, 8.0]))[0][:, 3:5].sum(axis=1)
    assert np.ptp(energy) == pytest.approx(320 * np.ptp(turned), rel=1e-11)


def test_A38_differential_drive_turns_by_its_wheels() -> None:
    run = driven("differential_drive")
    q, v = run(np.array([0.3, 8.0]))
    turn = 0.075 * (v[:, 4] - v[:, 3]) / 0.32
    assert v[:, 2] == pytest.approx(turn, rel=1e-12)
    # The heading is that of the turns of the wheels: rolling in a plane about one axle is the only part that integrates.
    assert q[1, 2] == pytest.approx(0.075 * (q[1, 4] - q[1, 3]) / 0.32, rel=1e-12)
    assert np.hypot(v[:, 0], v[:, 1]) == pytest.approx(0.075 * (v[:, 3] + v[:, 4]) / 2, rel=1e-12)


def test_A38_tracked_vehicle_skids() -> None:
    run = driven("tracked_vehicle")
    t = np.linspace(0.5, 4.0, 4)
    loads = np.array([run.quantity(f"normal({side} {i})", t) for side in ("left", "right") for i in range(1, 7)])
    assert loads.sum(axis=0) == pytest.approx(120 * 9.81, rel=1e-13)
    assert np.ptp(loads, axis=1).min() > 0.1  # the turret turns, and its weight goes with it
    rate, left, right = run.v[-1][2], *run.v[-1][4:]
    assert 1.2 < 0.11 * (right - left) / (0.7 * rate) < 2.0  # wheels that roll would make it 1


def test_A38_crawler_is_on_the_step() -> None:
    run = driven("crawler")
    x, y, angle = run.q[-1][:3]
    assert x > 1.2
    assert (y, angle) == pytest.approx((-0.14 - 0.09, 0.0), abs=1e-9)


K, B, IM, M, ARM = 2.98e-6, 1.14e-7, 3.357e-5, 0.468, 0.225
HOVER = math.sqrt(M * 9.81 / (4 * K))


def test_A38_quadrotor_hovers() -> None:
    still = sistel.load(MODELS / "quadrotor.xml").with_parameters(climb=0.0, roll=0.0, yaw=0.0)
    assert pytest.approx(620.6107625, rel=1e-9) == HOVER
    run = still.simulate(2.0)
    assert np.abs(run.q[-1][:7] - [1, 0, 0, 0, 0, 0, 0]).max() < 1e-12


def test_A38_quadrotor_as_another_integrator_has_it() -> None:
    # Newton and Euler by hand: momentum of the frame with its rotors, thrust and drag of the published numbers.
    def rates(t: float) -> tuple[np.ndarray, np.ndarray]:
        w = math.pi / 2
        swings = [(math.cos(k * w * t), -k * w * math.sin(k * w * t)) for k in (1, 2)]
        first, gain = ([(16 + 20 * b) * swings[0][i] + 0.8 * a * swings[1][i] for a, b in LAYOUT] for i in (0, 1))
        return HOVER + np.array(first), np.array(gain)

    LAYOUT = ((0, 1), (1, -1), (0, 1), (-1, -1))  # front, left, back, right
    sense = np.array([1.0, -1.0, 1.0, -1.0])
    inertia = np.array([4.856e-3, 4.856e-3, 8.801e-3])

    def flow(t: float, y: np.ndarray) -> np.ndarray:
        (a, b, c, d), spin, velocity = y[:4], y[4:7], y[10:13]
        rate, gain = rates(t)
        thrust = K * rate**2
        moment = np.array([ARM * (thrust[1] - thrust[3]), ARM * (thrust[2] - thrust[0]), -B * float(sense @ rate**2)])
        momentum = inertia * spin + np.array([0.0, 0.0, IM * float(sense @ rate)])
        moment = moment - np.cross(spin, momentum) - np.array([0.0, 0.0, IM * float(sense @ gain)])
        up = np.array([2 * (b * d + a * c), 2 * (c * d - a * b), a * a - b * b - c * c + d * d])
        x, y_, z = spin
        turn = 0.5 * np.array(
            [-b * x - c * y_ - d * z, a * x + c * z - d * y_, a * y_ + d * x - b * z, a * z + b * y_ - c * x]
        )
        return np.array([*turn, *(moment / inertia), *velocity, *(up * thrust.sum() / M - [0, 0, 9.81])])

    start = np.array([1.0, *np.zeros(12)])
    state = solve_ivp(flow, (0.0, 4.0), start, method="DOP853", rtol=1e-13, atol=1e-13).y[:, -1]
    q, v = driven("quadrotor").q[-1], driven("quadrotor").v[-1]
    assert q[:7] == pytest.approx([*state[:4], *state[7:10]], abs=1e-9)
    assert v[:3] == pytest.approx(state[4:7], abs=1e-9)


def test_A38_dominoes_fall_one_after_another() -> None:
    run = driven("dominoes")
    a, h, step, g = 0.008, 0.048, 0.028, 9.81
    # The first turns about its edge until its upper corner meets the second: time and speed of a body with one axis.
    meets = math.asin((step - a) / h)
    inertia = (a * a + h * h) / 3

    def rate(angle: float) -> float:
        return math.sqrt(16.0 + g * (h - h * math.cos(angle) - a * math.sin(angle)) / inertia)

    strikes = [next(e.time for e in run.events if f"пара {i} B′" in e.impulses) for i in range(1, 12)]
    assert strikes[0] == pytest.approx(quad(lambda angle: 1 / rate(angle), 0.0, meets, epsabs=1e-14)[0], abs=1e-13)
    at = int(np.searchsorted(run.t, strikes[0], side="left"))
    assert run.v[at][2] == pytest.approx(rate(meets), rel=1e-12)
    assert strikes == sorted(strikes)
    assert run.q[-1][-1] == pytest.approx(math.pi / 2, abs=1e-9)  # the last lies on the table
    assert not run.v[-1].any()
    # Of 0.03 J, summed over seven bodies that each go along a series of their own: some tens of roundings.
    assert np.diff(np.sum(run.energies(), axis=0)).max() < 5e-14


def test_A38_cradle_gives_one_for_one() -> None:
    run = driven("newtons_cradle")
    L, r, apart, aside, g = 0.3, 0.025, 0.0501, math.radians(40), 9.81
    # The first ball is a pendulum with a finite swing, until its distance to the second is two radii.
    lean = brentq(lambda x: math.hypot(apart + L * math.sin(x), L - L * math.cos(x)) - 2 * r, -0.01, 0.0, xtol=1e-16)
    k = math.sin(aside / 2)
    time = math.sqrt(L / g) * (ellipk(k * k) - ellipkinc(math.asin(math.sin(lean / 2) / k), k * k))
    speed = math.sqrt(2 * g / L * (math.cos(lean) - math.cos(aside)))
    strikes = [event.time for event in run.events]
    assert [event.transition for event in run.events] == [f"pair {i} strikes" for i in (1, 2, 3, 4, 4, 3, 2, 1)]
    assert strikes[0] == pytest.approx(time, abs=1e-13)
    before, after = (int(np.searchsorted(run.t, t, side=s)) for t, s in ((strikes[0], "left"), (strikes[3], "right")))
    assert run.v[before] == pytest.approx([-speed, 0, 0, 0, 0], abs=1e-12)
    # The gap makes rods lean by gap / L at the impacts: lines of centres are off by that, and speeds by its square.
    assert run.v[after - 1] == pytest.approx([0, 0, 0, 0, -speed], abs=10 * speed * (1e-4 / L) ** 2)
    energy = np.sum(run.energies(), axis=0)
    assert np.abs(energy - energy[0]).max() < 1e-14  # of 0.34 J that swing
    assert np.abs([event.energy_loss for event in run.events]).max() < 1e-14


@pytest.mark.parametrize("name", LENGTHS)
def test_A38(name: str, tmp_path: Path) -> None:
    file = tmp_path / f"{name}.svg"
    driven(name).save(file)
    assert "animat" in file.read_text(encoding="utf-8")
