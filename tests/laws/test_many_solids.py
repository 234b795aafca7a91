"""Many free bodies that touch in space: the loop that all models share, against closed forms and the other way to go."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import sistel
from sistel.automaton import elements_of
from sistel.errors import SistelError
from sistel.simulation import Run
from sistel.simulation.run._warnings import Warnings
from sistel.simulation.space import FEW_IN_SPACE, crowd_in_space
from tests.laws.test_solids import FLOOR, PAIRS, WALLS, G, ball, momenta, system

MASS, RADIUS = 0.1, 0.03


def crowded(made: sistel.System, until: float) -> Run:
    """A run in the loop for many bodies, however few there are."""
    model = made.model
    crowd = crowd_in_space(model, elements_of(model), 20, 2.0**-52, few=0)
    assert crowd is not None
    y = np.array([*model.start.q, *model.start.v, model.start_time])
    return crowd.run(y, until, math.inf, None, True, 2.0**31, Warnings())


def on_floor(friction: str, start: str) -> sistel.System:
    return system(FLOOR, ball("a", 0.05, 2.0), f'<contact name="c" of="sa" to="world" friction="{friction}"/>', start)


def test_a_ball_slides_until_it_rolls() -> None:
    """The slip fades by 7/2 μg, whatever its direction; the spin about the normal stays."""
    mu, v = 0.2, np.array([1.0, 0.5, 0.0])
    run = crowded(on_floor("0.2", '<coordinate of="a" place="-300,0,50" rate="0,0,30 rad/s,1 m/s,0.5 m/s,0"/>'), 0.8)
    speed = float(np.linalg.norm(v))
    time = speed / (3.5 * mu * G)
    (event,) = run.events
    assert (event.transition, event.after) == ("c stops sliding", "c rolls")
    assert event.time == pytest.approx(time, abs=1e-15)
    way = v * time - 0.5 * mu * G * time**2 * v / speed + (v - mu * G * time * v / speed) * (0.8 - time)
    np.testing.assert_allclose(run.q[-1][4:] - [-0.3, 0.0, 0.05], way, rtol=0, atol=1e-15)
    assert run.quantity("energy()")[-1] - 2 * G * 0.05 == pytest.approx(
        0.7 * 2.0 * (5 / 7 * speed) ** 2 + 0.5 * 0.002 * 30.0**2, rel=1e-14
    )


@pytest.mark.parametrize("friction", ["none", "stick"])
def test_a_ball_leaves_an_edge_where_nothing_presses_any_more(friction: str) -> None:
    r, v = 0.05, 0.3
    spin = 0.0 if friction == "none" else v / r
    run = crowded(on_floor(friction, f'<coordinate of="a" place="400,0,50" rate="0,{spin} rad/s,0,{v} m/s,0,0"/>'), 0.6)
    (event,) = run.events
    expected = (2 + v * v / (G * r)) / 3 if friction == "none" else (10 + 7 * v * v / (G * r)) / 17
    q, _ = run(event.time)
    assert q[6] / r == pytest.approx(expected, abs=1e-14)
    assert math.hypot(q[4] - 0.5, q[6]) == pytest.approx(r, abs=1e-15)


@pytest.mark.parametrize("law", ["newton", "poisson"])
def test_momenta_of_a_ball_and_a_box_that_collide_are_kept(law: str) -> None:
    first, second = PAIRS["ball and box"]
    inertia = {"b": (2.0, [0.01, 0.012, 0.014]), "d": (3.0, [0.03, 0.03, 0.02])}
    bodies = "".join(
        f'<body name="{name}" joint="free" mass="{mass}" inertia="{",".join(map(str, parts))}">{shape}</body>'
        for (name, (mass, parts)), shape in zip(inertia.items(), (first, second), strict=True)
    )
    made = system(
        "",
        bodies,
        f'<contact name="c" of="s" to="o" friction="0.3" restitution="0.6" impact="{law}"/>',
        '<coordinate of="b" place="-300,10,20" rate="1,2,3,2 m/s,-0.1 m/s,-0.2 m/s"/>'
        '<coordinate of="d" place="100,0,10" turn="10,50,-20" rate="-1,0.5,-2,0,0,0"/>',
        '<gravity value="0"/>',
    )
    one, two = crowded(made, 0.5), made.simulate(0.5)
    assert len(one.events) == 1
    assert one.events[0].time == pytest.approx(two.events[0].time, abs=1e-14)
    np.testing.assert_allclose(one.q[-1], two.q[-1], rtol=0, atol=1e-13)
    np.testing.assert_allclose(one.v[-1], two.v[-1], rtol=0, atol=1e-12)
    found = momenta(one, inertia)
    np.testing.assert_allclose(found, [found[0]] * len(found), rtol=0, atol=1e-13)


def spheres(count: int, box: float, friction: str, restitution: float, high: int = 1) -> sistel.System:
    """Spheres above the floor of an open box, in a lattice that is a little disturbed, with some speed."""
    lot, h, mm = random.Random(1), 500 * box, 1e3 * box
    walls = f'<box name="floor" place="0,0,-50" size="{mm + 200},{mm + 200},100"/>'
    for i, (x, y) in enumerate([(1, 0), (-1, 0), (0, 1), (0, -1)]):
        size = f"100,{mm}" if x else f"{mm},100"
        walls += f'<box name="w{i}" place="{x * (h + 50)},{y * (h + 50)},500" size="{size},1000"/>'
    bodies = "".join(ball(f"b{i}", RADIUS, MASS) for i in range(count))
    laws = f'friction="{friction}" restitution="{restitution}"'
    links = "".join(f'<contact name="g{i}" of="sb{i}" to="world" {laws}/>' for i in range(count))
    links += "".join(f'<contact name="c{i}_{j}" of="sb{i}" to="sb{j}" {laws}/>' for i in range(count) for j in range(i))
    side = math.ceil(math.sqrt(count / high))
    gap, start = 0.9 * box / side, ""
    assert gap > 2.3 * RADIUS
    for i in range(count):
        layer, (a, b) = i // side**2, divmod(i % side**2, side)
        x, y = ((k - (side - 1) / 2) * gap + lot.uniform(-0.15, 0.15) * RADIUS for k in (a, b))
        u, v = lot.uniform(-0.3, 0.3), lot.uniform(-0.3, 0.3)
        place = f"{1e3 * x!r},{1e3 * y!r},{1e3 * (2 * RADIUS + 2.4 * layer * RADIUS)!r}"
        start += f'<coordinate of="b{i}" place="{place}" rate="0,0,0,{u!r} m/s,{v!r} m/s,0"/>'
    return system(walls, bodies, links, start)


def judged(run: Run, count: int, box: float) -> np.ndarray:
    """Energy at every time of a run, from the state alone; nothing lies in anything."""
    q, v = run.q.reshape(-1, count, 7), run.v.reshape(-1, count, 6)
    for place in q[:: max(1, len(q) // 60), :, 4:]:
        apart = np.linalg.norm(place[:, None] - place[None], axis=2) + np.eye(count)
        assert apart.min() > 2 * RADIUS - 1e-12
    assert (q[:, :, 6] > RADIUS - 1e-11).all() and (np.abs(q[:, :, 4:6]) < box / 2 - RADIUS + 1e-11).all()
    moving = (v[:, :, 3:] ** 2).sum(axis=(1, 2)) + 0.4 * RADIUS**2 * (v[:, :, :3] ** 2).sum(axis=(1, 2))
    return np.asarray(MASS * (0.5 * moving + G * q[:, :, 6].sum(axis=1)))


def test_both_ways_to_go_agree() -> None:
    """Equations of its own for each system, and one loop for all, share neither derivation nor problem nor steps."""
    made = system(
        WALLS,
        ball("a", 0.05, 2.0) + ball("b", 0.08, 3.0),
        '<contact name="c" of="sa" to="world" friction="0.3" restitution="0.6"/>'
        '<contact name="d" of="sb" to="world" friction="0.3" restitution="0.6"/>'
        '<contact name="e" of="sa" to="sb" friction="0.2" restitution="0.8"/>',
        '<coordinate of="a" place="-100,10,300" rate="10,-20,5,1 m/s,0.7 m/s,0.4 m/s"/>'
        '<coordinate of="b" place="100,20,250" rate="-4,0,1,-0.5 m/s,0,0.2 m/s"/>',
    )
    assert len(elements_of(made.model)) <= FEW_IN_SPACE, "else both are the same"
    one, two = crowded(made, 0.8), made.simulate(0.8)
    assert len(one.events) > 8 and any("e" in event.impulses for event in one.events)
    # Hops that become too low are left out a little sooner in one of them: the first events are compared.
    for mine, other in zip(one.events[:12], two.events[:12], strict=True):
        assert (mine.transition, mine.after) == (other.transition, other.after)
        assert mine.time == pytest.approx(other.time, abs=1e-13)
        assert mine.energy_loss == pytest.approx(other.energy_loss, abs=1e-12)


def test_a_hundred_balls_bounce_for_ever() -> None:
    count, box = 100, 0.8
    run = spheres(count, box, "none", 1.0, high=2).simulate(0.3)
    assert len(run.events) > 400
    energy = judged(run, count, box)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-14)
    # Every impact of two of them keeps their momentum, whatever the others do.
    for event in run.events[::50]:
        at = int(np.searchsorted(run.t, event.time, side="left"))
        jump = MASS * (run.v[at + 1] - run.v[at]).reshape(count, 6)
        if all(name.startswith("c") for name in event.impulses):
            turned = [rotated(run.q[at][7 * i : 7 * i + 4], jump[i, 3:]) for i in range(count)]
            np.testing.assert_allclose(np.sum(turned, axis=0), 0.0, rtol=0, atol=1e-16 * count)


def rotated(q: np.ndarray, a: np.ndarray) -> np.ndarray:
    return np.asarray(a + 2 * np.cross(q[1:], np.cross(q[1:], a) + q[0] * a))


def test_balls_fall_into_a_box_and_roll_on_its_floor() -> None:
    count, box = 30, 0.5
    run = spheres(count, box, "0.3", 0.4).simulate(1.2)
    energy = judged(run, count, box)
    assert np.diff(energy).max() < 1e-14 * energy[0]
    spent = sum(event.energy_loss for event in run.events)
    assert 0.9 * (energy[0] - energy[-1]) < spent < energy[0] - energy[-1], "the rest goes into slips"
    assert all(f"g{i} " in run.final_structure for i in range(count))
    np.testing.assert_allclose(run.q[-1].reshape(count, 7)[:, 6], RADIUS, rtol=0, atol=1e-12)


def test_balls_come_to_rest_on_each_other() -> None:
    """Five balls in a narrow box, four below and one above them: the forces are those of statics."""
    box = 4.0 * RADIUS
    place = [(RADIUS * x, RADIUS * y, RADIUS) for x in (-1, 1) for y in (-1, 1)]
    place.append((0.0, 0.0, RADIUS * (1.0 + math.sqrt(2.0)) + 0.02))
    walls = "".join(
        f'<box name="w{i}" place="{x * (500 * box + 50)},{y * (500 * box + 50)},100" size="{sx},{sy},200"/>'
        for i, (x, y, sx, sy) in enumerate(
            [(1, 0, 100, 1e3 * box), (-1, 0, 100, 1e3 * box), (0, 1, 1e3 * box, 100), (0, -1, 1e3 * box, 100)]
        )
    )
    made = system(
        FLOOR + walls,
        "".join(ball(f"b{i}", RADIUS, MASS) for i in range(5)),
        "".join(f'<contact name="g{i}" of="sb{i}" to="world" friction="0.4" restitution="0.3"/>' for i in range(5))
        + "".join(
            f'<contact name="c{i}{j}" of="sb{i}" to="sb{j}" friction="0.4" restitution="0.3"/>'
            for i in range(5)
            for j in range(i)
        ),
        "".join(f'<coordinate of="b{i}" place="{",".join(repr(1e3 * x) for x in p)}"/>' for i, p in enumerate(place)),
    )
    run = made.simulate(1.0)
    np.testing.assert_allclose(run.v[-1], 0.0, rtol=0, atol=1e-12)
    expected = [*place[:4], (0.0, 0.0, RADIUS * (1.0 + math.sqrt(2.0)))]
    # A gap of 1e-11 m counts as closed: four of them below the fifth let it lie higher by √2 of that.
    np.testing.assert_allclose(run.q[-1].reshape(5, 7)[:, 4:], expected, rtol=0, atol=1.5e-11)


def test_balls_that_overlap_at_the_start_are_refused() -> None:
    made = spheres(6, 0.5, "none", 1.0)
    q = list(made.model.start.q)
    q[11:14] = [q[4] + RADIUS, q[5], q[6]]
    with pytest.raises(SistelError, match="overlap at the start"):
        made.simulate(0.1, q=q)
