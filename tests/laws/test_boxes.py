"""Boxes that touch boxes in space, against closed forms, other geometry and laws of conservation."""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import lsq_linear
from support.thorough import cases

import sistel
from sistel.errors import SistelError
from sistel.simulation import Run
from tests.laws.test_solids import G, momenta, spent, system

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from _boxes import depths, document, drop, duration, judge, stack

GROUND = '<box name="w" place="0,0,-50" size="400,400,100"/>'


def inertia(mass: float, size: tuple[float, float, float]) -> list[float]:
    a, b, c = size
    return [mass * (b * b + c * c) / 12, mass * (a * a + c * c) / 12, mass * (a * a + b * b) / 12]


def crate(name: str, mass: float, size: tuple[float, float, float]) -> str:
    parts, mm = ",".join(map(repr, inertia(mass, size))), ",".join(repr(1e3 * x) for x in size)
    return f'<body name="{name}" joint="free" mass="{mass}" inertia="{parts}"><box name="s{name}" size="{mm}"/></body>'


def on_ground(start: str, law: str, world: str = GROUND, size: tuple[float, float, float] = (0.2, 0.14, 0.1)) -> Run:
    made = system(world, crate("a", 2.0, size), f'<contact name="c" of="sa" to="w" {law}/>', start)
    return made.simulate(0.6)


@pytest.mark.parametrize("size", [(0.2, 0.14, 0.1), (0.4, 0.4, 0.1), (0.6, 0.1, 0.1), (0.6, 0.5, 0.1)])
def test_a_box_falls_flat_on_a_box(size: tuple[float, float, float]) -> None:
    """Smaller, equal, across and larger: it bounces as a point does, and its corners, edges and faces carry it."""
    e, fall = 0.3, 0.15
    run = on_ground('<coordinate of="a" place="0,0,200"/>', 'friction="0.3" restitution="0.3"', GROUND, size)
    time = math.sqrt(2 * fall / G)
    speed = G * time
    for event in run.events[:6]:
        assert event.time == pytest.approx(time, abs=1e-14)
        # Those of corners of the ground push the ground.
        total = sum(load[3:] * (-1 if name[2].isdigit() else 1) for name, load in event.impulses.items())
        np.testing.assert_allclose(total, [0.0, 0.0, 2.0 * (1 + e) * speed], rtol=0, atol=1e-13)
        assert event.energy_loss == pytest.approx((1 - e * e) * speed**2, abs=1e-13)
        speed *= e
        time += 2 * speed / G
    np.testing.assert_allclose(run.q[-1], [1, 0, 0, 0, 0, 0, 0.05], rtol=0, atol=1e-12)
    assert run.final_structure.count("sticks") == 4


def test_forces_of_a_box_that_rests_are_those_of_statics() -> None:
    run = on_ground('<coordinate of="a" place="0,0,50"/>', 'friction="0.3"')
    assert run.final_structure == "c Az sticks, c Cz sticks, c Ez sticks, c Gz sticks"
    forces = [float(run.quantity(f'normal("c {corner}z")')[-1]) for corner in "ACEG"]
    np.testing.assert_allclose(forces, 2.0 * G / 4, rtol=0, atol=1e-10)


def test_a_box_slides_off_a_box_and_tips_over_its_edge() -> None:
    """Without friction it slides until its middle is over the edge; then it turns about a face that slides on the edge."""
    v, half = 0.5, 0.05
    size = (0.2, 0.14, 0.1)
    start = f'<coordinate of="a" place="0,0,50" rate="0,0,0,{v} m/s,0,0"/>'
    run = on_ground(start, 'friction="none"')
    corners = next(event for event in run.events if event.before.count("slides") == 4)
    assert corners.time == pytest.approx((0.2 - 0.1) / v, abs=1e-9), "its first corners pass the edge"
    tips = next(event for event in run.events if event.after.count("slides") == 2)
    assert tips.time == pytest.approx(0.2 / v, abs=1e-9)
    # The edge touches the lower face at x along it; the box turns by p, its middle is at h above the face.
    m, turn = 2.0, inertia(2.0, size)[1]

    def rates(_: float, y: np.ndarray) -> list[float]:
        x, z, p, u, w, s = y
        # (x − x_e) sin p + (z − z_e) cos p = h, with the edge at (0.2, 0) and the normal (sin p, cos p) of the face.
        sine, cosine = math.sin(p), math.cos(p)
        J = np.array([sine, cosine, (x - 0.2) * cosine - z * sine])
        bend = s * (2 * (u * cosine - w * sine) - s * ((x - 0.2) * sine + z * cosine))
        weights = np.array([1 / m, 1 / m, 1 / turn])
        free = np.array([0.0, -G, 0.0])
        force = -(J @ free + bend) / (J * weights @ J)
        return [u, w, s, *(free + weights * J * force)]

    until = 0.55
    y = solve_ivp(rates, (tips.time, until), [0.2, half, 0.0, v, 0.0, 0.0], method="DOP853", rtol=1e-13, atol=1e-15).y[
        :, -1
    ]
    q, _ = run(until)
    angle = 2 * math.atan2(q[2], q[0])
    np.testing.assert_allclose([q[4], q[6], angle], y[:3], rtol=0, atol=2e-9)


def rotation(axis: int, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    made = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    made[i, i], made[i, j], made[j, i], made[j, j] = c, -s, s, c
    return made


def test_two_edges_strike_each_other() -> None:
    """A box on its edge across another one on its edge: the impulse of two rigid bodies at one place."""
    m, size, e, speed = 2.0, (0.3, 0.1, 0.1), 0.5, 1.0
    bodies = crate("a", m, size) + crate("b", 3.0, size)
    made = system(
        "",
        bodies,
        f'<contact name="c" of="sa" to="sb" friction="none" restitution="{e}"/>',
        f'<coordinate of="a" place="40,30,250" turn="45,0,0" rate="0,0,0,0,{-speed / math.sqrt(2)} m/s,'
        f'{-speed / math.sqrt(2)} m/s"/><coordinate of="b" place="0,0,0" turn="45,0,90"/>',
        '<gravity value="0"/>',
    )
    run = made.simulate(0.2)
    (event,) = run.events
    ((name, load),) = event.impulses.items()
    assert "×" in name
    assert event.time == pytest.approx((0.25 - 0.1 * math.sqrt(2)) / speed, abs=1e-14)
    # The place is over the middle of the other edge, at (0, 30): arms to the centres.
    R = [rotation(0, math.pi / 4), rotation(2, math.pi / 2) @ rotation(0, math.pi / 4)]
    n = np.array([0.0, 0.0, 1.0])
    arms = [np.array([-0.04, 0.0, -0.05 * math.sqrt(2)]), np.array([0.0, 0.03, 0.05 * math.sqrt(2)])]
    answer = 0.0
    for turn, arm, mass in zip(R, arms, (m, 3.0), strict=True):
        bent = turn.T @ np.cross(arm, n)
        answer += 1 / mass + bent @ (bent / inertia(mass, size))
    np.testing.assert_allclose(load[3:], (1 + e) * speed / answer * n, rtol=0, atol=1e-13)
    assert abs(spent(run)) < 1e-13


@pytest.mark.parametrize("law", ["newton", "poisson"])
def test_momenta_of_boxes_that_collide_are_kept(law: str) -> None:
    parts = {"a": (2.0, inertia(2.0, (0.2, 0.14, 0.16))), "b": (3.0, inertia(3.0, (0.1, 0.2, 0.15)))}
    made = system(
        "",
        crate("a", 2.0, (0.2, 0.14, 0.16)) + crate("b", 3.0, (0.1, 0.2, 0.15)),
        f'<contact name="c" of="sa" to="sb" friction="0.3" restitution="0.6" impact="{law}"/>',
        '<coordinate of="a" place="-300,10,20" rate="1,2,3,2 m/s,-0.1 m/s,-0.2 m/s"/>'
        '<coordinate of="b" place="100,0,10" turn="10,50,-20" rate="-1,0.5,-2,0,0,0"/>',
        '<gravity value="0"/>',
    )
    run = made.simulate(0.5)
    assert any(event.impulses for event in run.events)
    found = momenta(run, parts)
    np.testing.assert_allclose(found, [found[0]] * len(found), rtol=0, atol=3e-12)


def test_the_distance_of_two_boxes_is_that_of_their_nearest_places() -> None:
    """`gap` of the pair against bounded least squares, in random postures."""
    size, other = (0.2, 0.14, 0.1), (0.1, 0.3, 0.16)
    made = system(
        "",
        crate("a", 2.0, size) + crate("b", 3.0, other),
        '<contact name="c" of="sa" to="sb"/>',
        '<coordinate of="a" place="0,0,900"/><coordinate of="b" place="0,0,0"/>',
        '<gravity value="0"/>',
    )
    rng = np.random.default_rng(3)
    for _ in range(4):
        q = np.zeros(14)
        turns = rng.normal(size=(2, 4))
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        place = rng.normal(size=3)
        q[:4], q[7:11], q[4:7] = turns[0], turns[1], 0.5 * place / np.linalg.norm(place)
        w, x, y, z = turns.T
        R = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        ).transpose(2, 0, 1)
        bounds = np.array([*size, *other]) / 2
        nearest = lsq_linear(np.hstack([R[0], -R[1]]), -q[4:7], (-bounds, bounds), method="bvls", tol=1e-15)
        run = made.simulate(1e-3, q=q)
        assert run.quantity('gap("c")')[0] == pytest.approx(math.sqrt(2 * nearest.cost), abs=1e-12)


@pytest.mark.parametrize("place", ["0,0,20", "150,0,60", "0,0,-40", "210,210,0"])
def test_boxes_that_overlap_at_the_start_are_refused(place: str) -> None:
    with pytest.raises(SistelError, match='"sa" and "w" overlap at the start'):
        on_ground(f'<coordinate of="a" place="{place}" turn="10,20,30"/>', "")


def judged(number: int, depth: float = 1e-9) -> None:
    scene = drop(number, 1)
    q, v = scene.start
    run = sistel.parse(document(scene)).simulate(duration(scene), q=q, v=v)
    verdict = judge(scene, run)
    assert not verdict.wrong
    assert verdict.depth < depth


@pytest.mark.parametrize("number", [0, 1, 20, 33])
def test_boxes_dropped_on_boxes_come_to_lie(number: int) -> None:
    """Nothing lies in anything, energy does not grow, momenta jump by impulses: see `benchmarks/_boxes.py`."""
    judged(number)


@pytest.mark.parametrize("number", [78, 79, 193])
def test_edges_that_cross_strike_again_when_they_do(number: int) -> None:
    """Hops of less than a microsecond: looked at from the other side, an edge that parts seemed to strike at once."""
    judged(number, 1e-11)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(40, 56))
def test_more_boxes_dropped_on_boxes(number: int) -> None:
    judged(number)


def test_a_stack_of_boxes_stands() -> None:
    scene = stack(4, gap=0.0)
    q, v = scene.start
    run = sistel.parse(document(scene)).simulate(1.0, q=q, v=v)
    np.testing.assert_allclose(run.q[-1], q, rtol=0, atol=1e-12)
    boxes = [(np.eye(3), q[7 * i + 4 : 7 * i + 7], scene.sizes[i] / 2) for i in range(2)]
    assert abs(float(depths(*boxes))) < 1e-12


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "momentum"),
    # One impact gives the lowest of four boxes, of 2 kg, 5e-7 m/s along the floor: slips below 1e-6 m/s that stop are
    # taken for stopped at once, of which the run warns. Its impulses are written down all the same. Of eight the
    # lowest carry seven: there contacts are left as they are 33 times, for 1e-4 s at most.
    [(2, 1e-12), (3, 1e-12), (4, 2e-6), *[(8, 2e-5)] * cases(0, 1)],
)
def test_a_stack_of_boxes_that_is_dropped_comes_to_rest(count: int, momentum: float) -> None:
    scene = stack(count)
    q, v = scene.start
    run = sistel.parse(document(scene)).simulate(1.0, q=q, v=v)
    verdict = judge(scene, run)
    assert verdict.wrong == []
    assert verdict.depth < 1e-10
    assert verdict.momentum < momentum
    # What is left out is said.
    assert "slow-contacts" in {each.code for each in run.noted}
