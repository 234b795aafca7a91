"""What the gallery's machines with feedback promise: a pole that comes to stand, a quadrotor that finds its waypoint, an
arm that follows a motion, a rover that stays on its line, a walking machine that goes on walking, each against arithmetic of its own."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import brentq

import sistel
from sistel.simulation import Run

MODELS = Path(__file__).parents[2] / "models"
Array = np.ndarray


@pytest.fixture(scope="module")
def swing_up() -> sistel.System:
    return sistel.load(MODELS / "swing_up.xml")


def upright(run: Run) -> float:
    """How far the pole leans at the end of a run [rad], whole turns apart."""
    return abs(math.remainder(float(run.quantity("angle(pole)")[-1]), 2 * math.pi))


def test_the_pole_is_swung_up_and_stands(swing_up: sistel.System) -> None:
    run = swing_up.simulate(10.0)
    states = run.quantity("do", times := np.linspace(0.0, 10.0, 2001))
    assert states[0] == 1
    assert states[-1] == 2
    assert np.count_nonzero(np.diff(states)) == 1, "it is caught once, and stays"
    assert upright(run) < 1e-3
    assert np.abs(run.v[-1]).max() < 1e-3
    assert np.abs(run.quantity("x", times)).max() < 0.7


def test_the_gains_are_those_of_the_linear_system(swing_up: sistel.System) -> None:
    law = swing_up.linearize(at="zero").lqr(Q={"cart": 1, "pole": 10}, R=0.1)
    place, tilt, speed, turning = -law.K[0]
    start = swing_up.simulate(0.01)
    written = [float(start.quantity(name)[0]) for name in ("k1", "k3", "k2", "k4")]
    assert written == pytest.approx([place, tilt, speed, turning], rel=1e-9, abs=0)


def test_missing_energy_only_shrinks_while_the_cart_pumps(swing_up: sistel.System) -> None:
    """dE/dt = -m L cos(angle) rate a; what the regulator asks for, and what the pole's energy does, agree."""
    run = swing_up.simulate(1.0)
    times = np.arange(0.0025, 1.0, 0.005)
    step = 1e-4
    slope = (
        run.quantity("m*g*L*(1 - cos(angle(pole))) - J*rate(pole)^2/2/1 rad^2", times + step)
        - run.quantity("m*g*L*(1 - cos(angle(pole))) - J*rate(pole)^2/2/1 rad^2", times - step)
    ) / (2 * step)
    law = 0.2 * 0.5 * np.cos(run.quantity("angle(pole)", times)) * run.quantity("rate(pole)", times)
    law *= run.quantity("acceleration(cart)", times)
    assert slope == pytest.approx(law, abs=1e-6)  # differences over 0.2 ms


def test_a_pole_that_was_knocked_over_is_swung_up_again(swing_up: sistel.System) -> None:
    run = swing_up.simulate(20.0, inputs={"knock": [(0.0, 0.0), (9.0, 1.0), (9.1, 0.0)]})
    assert np.cos(run.quantity("angle(pole)", np.linspace(9.0, 11.0, 201))).min() < -0.9
    assert run.quantity("do", [8.9, 20.0]).tolist() == [2, 2]
    assert upright(run) < 1e-3


def test_the_quadrotor_reaches_its_waypoint_and_comes_back() -> None:
    hover = sistel.load(MODELS / "hover.xml")
    for goal in ((2.0, 1.0, 1.5), (-1.5, 2.0, 2.0)):
        system = hover.with_parameters(dict(zip(("to x", "to y", "to z"), goal, strict=True)))
        run = system.simulate(22.0)
        times = np.linspace(0.0, 22.0, 5501)
        place = np.stack([run.quantity(f"{axis}(frame)", times) for axis in "xyz"], axis=1)
        there = np.linalg.norm(place - goal, axis=1)
        leaving = np.flatnonzero(run.quantity("fly.look", times) > 0.5)[-1]
        assert there[leaving] < 0.01, "after it has turned to look, it still is where it should be"
        assert np.degrees(run.quantity("tilt.heading", [times[leaving]])) == pytest.approx(90, abs=5)
        home = np.linalg.norm(place - (0.0, 0.0, 1.0), axis=1)
        assert home[np.flatnonzero(run.quantity("fly.home", times) > 0.5)[-1]] < 0.01
        assert np.linalg.norm(place[-1]) < 0.01, "and down again"
        assert place[:, 2].min() > -0.01


@pytest.fixture(scope="module")
def arm() -> tuple[sistel.System, Run]:
    system = sistel.load(MODELS / "arm_control.xml")
    return system, system.simulate(4.0)


JOINTS = ("turntable", "upper_arm", "forearm", "wrist_1", "wrist_2", "wrist_3")


def test_motors_get_what_inverse_dynamics_asks_for(arm: tuple[sistel.System, Run]) -> None:
    system, run = arm
    bare = sistel.load(MODELS / "ur5_like.xml")
    for tick in (0, 1, 137, 1000, 2345, 3999):
        t = tick / 1000
        q = [float(run.quantity(f"angle({name})", [t])[0]) for name in JOINTS]
        v = [float(run.quantity(f"rate({name})", [t])[0]) for name in JOINTS]
        asked = [float(run.quantity(f"J{number}.a", [t])[0]) for number in range(1, 7)]
        given = [float(run.quantity(f"u.{name}", [t])[0]) for name in JOINTS]
        assert given == pytest.approx(bare.inverse_dynamics(q, v, asked), rel=1e-10, abs=1e-10)
        assert given == pytest.approx(system.inverse_dynamics(q, v, asked), rel=1e-10, abs=1e-10)
        assert np.all(np.abs(given) < (150, 150, 150, 28, 28, 28)), "within what the motors have"


def test_errors_of_the_arm_go_as_the_equation_says(arm: tuple[sistel.System, Run]) -> None:
    _, run = arm
    times = np.linspace(0.0, 4.0, 401)
    errors = np.stack([run.quantity(f"J{number}.e", times) for number in range(1, 7)])
    law = np.zeros_like(errors)
    # the target moves off with the joint at rest: the shoulder alone is off, by 5 degrees
    law[1] = -np.radians(5) * (1 + 20 * times) * np.exp(-20 * times)
    # commands are held for 1 ms: a delay of half of that in the loop, 20/s * 0.5 ms of the error, and as much in the way
    assert np.abs(errors - law).max() < 1e-3
    assert np.abs(errors[:, times > 0.6]).max() < 1e-3 / 2


def off_the_line(x: Array, y: Array) -> Array:
    """Distance from the rectangle with round corners, from its straight parts and arcs one by one [m]."""
    side = np.minimum(
        np.hypot(np.maximum(abs(x) - 1.0, 0), abs(abs(y) - 1.0)),
        np.hypot(np.maximum(abs(y) - 0.5, 0), abs(abs(x) - 1.5)),
    )
    from_corner = np.hypot(abs(x) - 1.0, abs(y) - 0.5)
    in_corner = (abs(x) > 1.0) & (abs(y) > 0.5)
    return np.where(in_corner, abs(from_corner - 0.5), side)


def test_the_rover_stays_on_its_line() -> None:
    run = sistel.load(MODELS / "line_follower.xml").simulate(18.0)
    times = np.linspace(0.0, 18.0, 3601)
    x, y = run.quantity("x(axle)", times), run.quantity("y(axle)", times)
    turns = np.unwrap(np.arctan2(y, x))
    assert turns[-1] - turns[0] > 2 * math.pi, "a lap"
    assert off_the_line(x, y).max() < 0.02
    eyes = [(run.quantity(f"{eye}.x", times) + run.quantity(f"{eye}.y", times) * 1j) for eye in "LR"]
    nose = (eyes[0] + eyes[1]) / 2
    assert off_the_line(nose.real, nose.imag).max() < 0.0101, "the start is 10 mm off"
    assert off_the_line(nose.real, nose.imag)[times > 2].max() < 0.008


def test_the_rover_rounds_corners_as_its_law_says() -> None:
    """Settled in a corner, speed over turning is the radius that the axle has when the eyes see just that difference."""

    def balance(radius: float) -> float:
        left, right = (math.hypot(radius - side, 0.15) - 0.5 for side in (-0.025, 0.025))
        difference = 1 / (1 + (right / 0.025) ** 2) - 1 / (1 + (left / 0.025) ** 2)
        return 0.6 * (1 - 0.5 * difference) - radius * 0.35 * difference / 0.11

    radius = brentq(balance, 0.45, 0.5, xtol=1e-14)
    run = sistel.load(MODELS / "line_follower.xml").simulate(7.0)
    times = np.linspace(5.0, 7.0, 401)
    nose = (run.quantity("L.x", times) + run.quantity("R.x", times)) / 2
    settled = times[np.flatnonzero(nose > 1.0)[-1:]]  # the last instant before the nose leaves the corner
    seen = np.hypot(run.quantity("x(axle)", settled) - 1.0, run.quantity("y(axle)", settled) - 0.5)
    assert seen == pytest.approx(radius, abs=5e-4)


def test_the_walking_machine_takes_step_after_step() -> None:
    run = sistel.load(MODELS / "walker_control.xml").simulate(10.0)
    times = np.linspace(0.0, 10.0, 1001)
    assert run.quantity("y(корпус)", times).max() < -1.0, "the hip stays above 1 m"
    assert np.abs(run.quantity("угол(корпус)", times)).max() < 0.15
    assert not run.warnings
    for sole in ("подошва_л", "подошва_п"):  # y points down: nothing goes below the ground
        assert run.quantity(f"y({sole})", times).max() < 1e-11
    assert run.quantity("x(корпус)", [10.0])[0] > 4.5
    # which leg stands, as the behaviour has it, and as the structures say
    stands = run.quantity("идти", times)
    single = [int(state) for state in stands if state in (2, 3)]
    steps = [state for state, before in zip(single[1:], single, strict=False) if state != before]
    assert len(steps) > 18
    assert all(state != before for state, before in zip(steps[1:], steps, strict=False))
    names = run.structure_at(times)
    on = {side: np.array([f"{side} open" not in name for name in names]) for side in ("левая", "правая")}
    structures = np.select([on["левая"] & on["правая"], on["левая"], on["правая"]], [4, 2, 3], 1)
    assert np.mean(structures[10:] == 1) < 0.01, "it does not run"
    assert np.mean(stands == structures) > 0.97  # a strike is seen at the next tick, 1 ms later at most
    # the gait settles: two steps last as long as the two before, to within what soles slide after their strikes
    strikes = [event.time for event in run.events if event.transition.endswith(" strikes")]
    firsts = np.array([t for t, before in zip(strikes[1:], strikes, strict=False) if t - before > 0.1])
    assert (firsts[2:] - firsts[:-2])[-8:] == pytest.approx(0.9, rel=0.06)


def test_the_walking_machine_is_driven_by_its_law() -> None:
    run = sistel.load(MODELS / "walker_control.xml").simulate(1.0)
    for tick in (100, 300, 450):
        t = np.array([tick / 1000])
        trunk, rate = run.quantity("угол(корпус)", t), run.quantity("v(корпус.угол)", t)
        assert run.quantity("идти.на левой", t) == [1]
        assert run.quantity("Л.u1", t) == pytest.approx(800 * (trunk + 0.0863) + 55 * rate, rel=1e-12)
        way, speed = run.quantity("x(корпус) - x(подошва_л)", t), run.quantity("vx(корпус)", t)
        hip, turn = run.quantity("угол(бедро_п)", t), run.quantity("вращение(бедро_п)", t)
        aim = -0.2056 + 0.54 * way - 0.227 * speed - trunk
        assert run.quantity("П.u1", t) == pytest.approx(
            400 * (aim - hip) + 30 * (0.54 * speed - rate - turn), rel=1e-11
        )
