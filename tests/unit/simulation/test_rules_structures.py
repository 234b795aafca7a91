"""Clutches, locks, grasps, loops that close and open, joints that change: across the event by balances alone."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.simulation import Run

MODELS = Path(__file__).parents[3] / "models"


def _around(run: Run, event: int) -> list[np.ndarray]:
    """States before and after an event."""
    stay = run.segments[event]
    h = stay.times[-1, 1]
    before = np.array([np.polynomial.polynomial.polyval(h, row) for row in stay.coefficients[-1]])
    return [before, run.segments[event + 1].coefficients[0, :, 0]]


def test_a_clutch_closes_and_slips_out() -> None:
    """Two flywheels: one speed after the clutch closes, (I₁w₁ + I₂w₂)/(I₁ + I₂); it opens where its moment is too great.

    A moment of 3 N·m/s · t on the first is carried to the second in the part I₂/(I₁ + I₂).
    """
    system = sistel.parse(
        '<system name="clutch"><gravity value="0"/><body name="engine" joint="revolute" mass="1" inertia="0.5">'
        '<moment value="3 N*m/s*t"/></body><body name="shaft" joint="revolute" mass="1" inertia="0.2"/><links>'
        '<lock name="clutch" body="shaft" to="engine" holds="no"/><structure name="open"/>'
        '<structure name="closed" holds="clutch"/><structure name="overloaded"/>'
        '<transition from="open" to="closed" when="t gt 1 s"/>'
        '<transition from="closed" to="overloaded" when="abs(moment(clutch)) gt 1.5 N*m"/></links>'
        '<start engine.rate="10 rad/s"/></system>'
    )
    run = system.simulate(3.0)
    before, after = _around(run, 0)
    fast = 10 + 3 / 2 / 0.5
    assert before[2:4] == pytest.approx([fast, 0.0], abs=1e-13)
    assert after[2:4] == pytest.approx(0.5 * fast / 0.7, abs=1e-12)
    assert run.events[0].energy_loss == pytest.approx(0.5 * 0.5 * 0.2 / 0.7 * fast**2, rel=1e-13)
    assert run.events[1].time == pytest.approx(1.5 / (3 * 0.2 / 0.7), abs=1e-12)
    moment = run.events[0].impulses["clutch"][2]
    assert abs(moment) == pytest.approx(0.2 * 0.5 * fast / 0.7, rel=1e-12)
    end = run([3.0])[1][0]
    assert end[1] == pytest.approx(run([run.events[1].time])[1][0, 1], abs=1e-12)  # the shaft runs on by itself


def test_a_knee_that_locks() -> None:
    """A leg swings straight and its knee locks: the moment of momentum about the hip passes through."""
    m, a = 1.0, 0.4
    system = sistel.parse(
        '<system name="knee"><body name="thigh" joint="revolute" mass="1" com="0, 200" inertia="1/75">'
        '<body name="shank" joint="revolute" place="0, 400" mass="1" com="0, 200" inertia="1/75"/></body><links>'
        '<lock name="knee" of="shank" holds="no"/><structure name="swings"/><structure name="straight" holds="knee"/>'
        '<transition from="swings" to="straight" when="angle(shank) falls through 0"/></links>'
        '<start thigh="-30" shank="70" thigh.rate="100 deg/s"/></system>'
    )
    run = system.simulate(1.5)
    before, after = _around(run, 0)

    def spin(y: np.ndarray) -> float:
        """Moment of momentum about the hip, from places and velocities of the two rods."""
        total, base, speed, angle, rate = 0.0, np.zeros(2), np.zeros(2), 0.0, 0.0
        for i in range(2):
            angle, rate = angle + y[i], rate + y[2 + i]
            way = np.array([-math.sin(angle), math.cos(angle)])
            across = rate * np.array([-way[1], way[0]])
            c, v = base + a / 2 * way, speed + a / 2 * across
            total += m * (c[0] * v[1] - c[1] * v[0]) + m * a * a / 12 * rate
            base, speed = base + a * way, speed + a * across
        return total

    assert before[1] == pytest.approx(0.0, abs=1e-13) and after[3] == pytest.approx(0.0, abs=1e-13)
    assert spin(after) == pytest.approx(spin(before), rel=1e-12)
    # From then on a rod of 0.8 m: its energy stays.
    t = np.linspace(run.events[0].time, 1.5, 20)
    whole = sum(run.energies(t))
    assert whole == pytest.approx(whole[0], abs=1e-12)


def test_a_joint_that_changes_its_type() -> None:
    """A free rod touches down with one end and turns about it from then on: about that end nothing acts on it."""
    m, length = 2.0, 1.0
    system = sistel.parse(
        '<system name="rod"><body name="rod" joint="free" mass="2" inertia="2/12"><point name="foot" place="0, 500"/>'
        '</body><links><contact name="ground" point="foot" surface="y = 0"/><structure name="flight"/>'
        '<structure name="pivots" body="rod" joint="revolute" about="foot"/>'
        '<transition from="flight" to="pivots" when="gap(ground) falls through 0"/></links>'
        '<start rod="0, -900, 20" rod.rate="800, 0, -40 deg/s"/></system>'
    )
    run = system.simulate(0.6)
    before, after = _around(run, 0)
    turn = before[2]
    r = length / 2 * np.array([math.sin(turn), -math.cos(turn)])  # from the foot to the centre of mass

    def spin(y: np.ndarray) -> float:
        return m * (r[0] * y[4] - r[1] * y[3]) + m * length**2 / 12 * y[5]

    assert spin(after) == pytest.approx(spin(before), rel=1e-12)
    rate = spin(before) / (m * length**2 / 3)
    assert after[5] == pytest.approx(rate, rel=1e-12)
    assert after[3:5] == pytest.approx(rate * np.array([-r[1], r[0]]), abs=1e-12)
    foot = run.quantity("x(foot)", np.linspace(run.events[0].time, 0.6, 15))
    assert foot == pytest.approx(foot[0], abs=1e-12)


def test_the_gripper_takes_and_lets_go() -> None:
    """The load moves with the palm while it is held, and lies where it was put after the release."""
    system = sistel.load(MODELS / "gripper_load.xml")
    run = system.simulate(6.0)
    assert [event.after for event in run.events] == ["squeeze", "held", "open"]
    taken, released = run.events[1].time, run.events[2].time
    # The fingers press with F where the hold begins.
    assert run.quantity("reaction(pad).n", [taken - 1e-12])[0] == pytest.approx(10.0, abs=1e-6)
    t = np.linspace(taken, released - 1e-9, 50)
    apart = run.quantity("y(load)", t) - run.quantity("y(palm)", t)
    assert apart == pytest.approx(apart[0], abs=1e-11)
    assert run.quantity("y(load)", t).min() < -0.15  # it was lifted
    after = run.quantity("y(load)", np.linspace(released, 6.0, 10))
    assert after == pytest.approx(after[0], abs=1e-12)
    # Lifted load: the grasp carries m (g + a), with a the second derivative of the palm's place.
    middle, h = 2.5, 1e-4
    y = run.quantity("y(palm)", [middle - h, middle, middle + h])
    gain = (y[0] - 2 * y[1] + y[2]) / h**2
    grip = run.reactions([middle])["grasp"][0]
    assert grip[4] == pytest.approx(-0.5 * (9.81 - gain), abs=1e-5)  # differences of 1e-4 s


def test_the_wrench_closes_a_loop_and_opens_it() -> None:
    """The jaw strikes where it is caught, 1 mm off the nut; then the loop is closed, and the jaw sits on the nut.

    The strike passes on the momentum along the motion that the loop leaves, in the posture of the catch. Closing the loop
    leaves of the velocities what the closed one lets pass, the nearest in the metric of the masses.
    """
    system = sistel.load(MODELS / "wrench_nut.xml")
    run = system.simulate(5.0)
    assert [event.after for event in run.events] == ["затяжка", "отвод"]
    caught, let_go = (event.time for event in run.events)
    assert run.quantity("усилие(привод_ключа)", [let_go - 1e-12])[0] == pytest.approx(12.0, abs=1e-6)
    before, after = _around(run, 0)
    q, v = before[:3], before[3:6]
    open_jaw, closed_jaw = (np.array(system.jacobian(place, "зев"))[3:5] for place in (q, after[:3]))
    push = open_jaw.T @ run.events[0].impulses["гайка"][3:5]
    struck = v + np.linalg.solve(np.array(system.mass_matrix(q)), push)
    size = np.linalg.norm(v)
    assert size > 1e-3 and np.abs(open_jaw @ v).max() > 1e-4 and np.linalg.norm(q - after[:3]) > 1e-4
    assert open_jaw @ struck == pytest.approx(0.0, abs=1e-14 + 1e-13 * size)
    free = np.linalg.svd(open_jaw)[2][2]
    assert free @ push == pytest.approx(0.0, abs=1e-13 * np.linalg.norm(push))
    assert closed_jaw @ after[3:6] == pytest.approx(0.0, abs=1e-14 + 1e-13 * size)
    left = np.linalg.svd(closed_jaw)[2][2]
    M = np.array(system.mass_matrix(after[:3]))
    assert left @ M @ (after[3:6] - struck) == pytest.approx(0.0, abs=1e-13 * np.linalg.norm(M @ struck))
    assert run.quantity("distance(гайка)", [caught])[0] < 1e-13 and run.quantity("speed(гайка)", [caught])[0] < 1e-13
    t = np.linspace(caught, let_go - 1e-9, 40)
    assert np.ptp(run.quantity("x(зев)", t)) < 1e-12 and np.ptp(run.quantity("y(зев)", t)) < 1e-12


@pytest.mark.parametrize(
    ("condition", "early"), [("slip(floor) crosses 0", 0.0), ("abs(slip(floor)) lt 1e-9 m/s", 1e-9 / (0.3 * 9.81))]
)
@pytest.mark.parametrize("rule", ['impact="newton" restitution="0"', 'impact="plastic"'], ids=["newton", "plastic"])
def test_a_box_lands_slides_and_rests(condition: str, early: float, rule: str) -> None:
    """From 0.2 m with 3 m/s along a floor of friction 0.3: the strike takes 0.3 of the fall's speed, then it rests
    after v/(0.3 g).

    A condition that waits for the zero itself is exact; one that waits for a small speed comes as much too early.
    """
    run = sistel.parse(
        '<system name="box"><body name="box" joint="prismatic2" mass="1"><point name="foot"/></body><links>'
        '<contact name="floor" point="foot" surface="y = 0" friction="0.3"/><structure name="flight"/>'
        '<structure name="slides" holds="floor" slides="floor"/><structure name="rests" holds="floor"/>'
        f'<transition from="flight" to="slides" when="gap(floor) falls through 0" {rule}/>'
        f'<transition from="slides" to="rests" when="{condition}"/></links>'
        '<start structure="flight" box="0, -0.2 m" box.rate="3 m/s, 0"/></system>'
    ).simulate(3.0)
    assert [event.after for event in run.events] == ["slides", "rests"]
    fall = math.sqrt(2 * 0.2 / 9.81)
    speed = 3.0 - 0.3 * 9.81 * fall
    assert run.events[0].time == pytest.approx(fall, abs=1e-15)
    assert run.events[1].time == pytest.approx(fall + speed / (0.3 * 9.81) - early, abs=4e-15)
    assert run.last[:2] == pytest.approx([3.0 * fall + speed**2 / (2 * 0.3 * 9.81), 0.0], abs=1e-14)
    assert run.last[2:4] == pytest.approx(0.0, abs=1e-15)


def test_the_geneva_counts_quarters() -> None:
    """The driver turns evenly at 30 rpm: the pin enters at 45° before the line of axes, and leaves at 45° after it."""
    run = sistel.load(MODELS / "geneva.xml").simulate(7.0)
    assert [event.time for event in run.events] == pytest.approx(
        [0.25, 0.75, 2.25, 2.75, 4.25, 4.75, 6.25, 6.75], abs=1e-9
    )
    assert run.quantity("counter(engaged)", [0.1, 1.0, 3.0, 6.9]).tolist() == [0, 1, 2, 4]
    # In the middle of a stroke the wheel turns with n r/(d − r) = n/(√2 − 1), a textbook value of four slots.
    assert abs(run.quantity("rate(wheel)", [0.5])[0]) == pytest.approx(math.pi / (math.sqrt(2) - 1), rel=1e-9)


def test_the_pin_of_the_pendulum_breaks() -> None:
    """A uniform rod from the horizontal: the pin bears m g √((5c/2)² + (s/4)²), c and s of the angle from below."""
    run = sistel.load(MODELS / "breaking_pendulum.xml").simulate(1.0)
    (event,) = run.events
    angle = run.quantity("angle(rod)", [event.time])[0]
    c, s = math.cos(angle), math.sin(angle)
    assert 9.81 * math.hypot(2.5 * c, s / 4) == pytest.approx(20.0, abs=1e-10)
    before, after = _around(run, 0)
    assert after[3:6] == pytest.approx(before[3:6], abs=1e-13)
    # In flight the centre of mass falls freely and the rod keeps turning.
    t = np.linspace(event.time, 1.0, 9)
    assert run.quantity("rate(rod)", t) == pytest.approx(before[5], abs=1e-12)
