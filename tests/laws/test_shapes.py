"""Shapes that touch in the plane: a square down stairs, crates on steps, balls over edges and on each other."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.errors import SistelError
from sistel.simulation import Run, event_text, structure_text

G = 9.81


def stairs(count: int, wide: float = 0.22, high: float = 0.12) -> str:
    """Corners of stairs that go down to the right, with long ends [mm]."""
    points = [(-2.0, 0.0)]
    for k in range(count):
        points += [(wide * (k + 1), high * k), (wide * (k + 1), high * (k + 1))]
    points.append((points[-1][0] + 3.0, points[-1][1]))
    return "; ".join(f"{1e3 * x:.12g},{1e3 * y:.12g}" for x, y in points)


def system(world: str, body: str, contact: str, start: str, more: str = "") -> sistel.System:
    return sistel.parse(
        f'<system name="shapes">{more}<world>{world}</world>{body}<links>{contact}</links><start {start}/></system>'
    )


def regular(count: int, radius: float, turn: float = 0.0) -> str:
    """Corners of a regular polygon [mm]."""
    angles = [turn + 2 * math.pi * i / count for i in range(count)]
    return "; ".join(f"{1e3 * radius * math.cos(a):.17g},{1e3 * radius * math.sin(a):.17g}" for a in angles)


SQUARE = [
    # time, corner of the stairs and x, y, turn, velocities after the event; y is up, as in the source of the numbers
    (0.316138407358284, "6", 0.669049133244912, -0.140222831237494, -1.72229751895027,
     1.47935060498254, -0.134167374224572, -14.8265442217924),
    (0.443287451771374, "8", 0.857147149020369, -0.236580628585331, -3.60747844869960,
     1.48262674018686, 0.0822437163258714, -9.74828760066774),
    (0.616403603721786, "10", 1.11381378506030, -0.369341849027204, -5.29506448623311,
     1.61798401795233, -0.484211716866020, -9.84672502370822),
    (0.735005951652574, "12", 1.30571048850394, -0.495766761107794, -6.46290919347375,
     1.23858979776396, 0.169800375985226, -11.8828677965660),
    (0.890570039180885, "14", 1.49839058021496, -0.588053829592060, -8.31145667946609,
     1.23105553047399, -0.135692948514147, -4.41377686436891),
    (0.901690682629751, "14", 1.51208080047160, -0.590155514153898, -8.36045954949898,
     1.23107619767948, -0.242874102021781, -4.40279524001147),
    (1.03169086689893, "A", 1.67212093301933, -0.704623927169597, -8.93282374199995,
     1.31033750762524, -0.395941131744424, -9.67924006236175),
    (1.08487764381908, "16", 1.74181356172749, -0.739558186855242, -9.44763132395329,
     1.05492409120485, 0.191009214849872, -10.5028379932218),
]  # fmt: skip


def test_a_square_tumbles_down_stairs() -> None:
    made = system(
        f'<polyline name="stairs" points="{stairs(10)}"/>',
        '<body name="b" joint="free" mass="1" inertia="0.04/6">'
        '<polygon name="sides" points="100,-100; 100,100; -100,100; -100,-100"/></body>',
        '<contact name="c" of="sides" to="stairs" friction="0.5"/>',
        'b="100, -350, -10" b.rate="1800, 0, 6 rad/s"',
    )
    run = made.simulate(1.1)
    assert len(run.events) == len(SQUARE)
    for event, (time, corner, x, y, turn, vx, vy, spin) in zip(run.events, SQUARE, strict=True):
        assert event.time == pytest.approx(time, abs=3e-14)
        assert event.transition.split()[1].rstrip("′") == corner
        q, v = run(event.time)
        np.testing.assert_allclose(q, [x, -y, -turn], rtol=0, atol=2e-13)
        np.testing.assert_allclose(v, [vx, -vy, -spin], rtol=0, atol=2e-12)
    assert [event.after == "open" for event in run.events] == [True] * 4 + [False] + [True] * 3


CRATE = '<body name="b" joint="free" mass="2" inertia="0.02"><box name="s" size="200,100"/></body>'
LEDGE = '<polyline name="f" points="-1000,0; 500,0; 500,300; 2000,300"/>'
CLIFF = '<polyline name="f" points="-1000,0; 500,0; 500,3000"/>'
ON = '<contact name="c" of="s" to="f" friction="0.2"/>'


def energy_is_kept(run: Run, spent: float) -> None:
    """Energy goes into impacts and friction, and nowhere else."""
    energy = run.quantity("energy()")
    lost = sum(event.energy_loss for event in run.events)
    assert energy[0] - energy[-1] == pytest.approx(lost + spent, abs=1e-11)


def test_a_crate_slides_over_an_edge_and_rests_on_it() -> None:
    run = system(LEDGE, CRATE, ON, 'b="0,-50,0" b.rate="1340,0,0"').simulate(2.0)
    names = [(event.transition, event.after) for event in run.events]
    assert names == [
        ("c C lets go", "c D slides +, c 2 slides +"),
        ("c D stops sliding", "c D sticks, c 2 sticks"),
    ]
    brake = 0.2 * G
    edge = (1.34 - math.sqrt(1.34**2 - 2 * brake * 0.4)) / brake
    assert run.events[0].time == pytest.approx(edge, abs=1e-9)
    assert run.events[1].time == pytest.approx(1.34 / brake, abs=1e-12)
    way = 1.34**2 / (2 * brake)
    np.testing.assert_allclose(run.q[-1], [way, -0.05, 0.0], atol=1e-12)
    # The loads at rest are those of a lever on two supports: the rear corner, and the edge.
    loads = [run.quantity(f"normal({name})")[-1] for name in ("c D", "c 2")]
    edge_arm, rear_arm = 0.5 - way, 0.1
    whole = 2 * G / (edge_arm + rear_arm)
    assert loads == pytest.approx([whole * edge_arm, whole * rear_arm], abs=1e-9)
    energy_is_kept(run, 2 * 0.2 * G * way)


def test_a_crate_tips_over_an_edge_and_falls() -> None:
    run = system(LEDGE, CRATE, ON.replace("0.2", "none"), 'b="0,-50,0" b.rate="2000,0,0"').simulate(1.0)
    words = [event.transition for event in run.events]
    assert words[:3] == ["c C lets go", "c D lets go", "c 2 lets go"]
    # Without friction: at an even speed, until the centre of mass is over the edge.
    assert [event.time for event in run.events[:2]] == pytest.approx([0.2, 0.25], abs=1e-9)
    energy_is_kept(run, 0.0)


def test_a_crate_that_slides_flat_does_not_strike_the_next_floor() -> None:
    """Two boxes of one height, side by side: nothing happens at the seam between them."""
    world = '<box name="left" place="-500,50" size="1000,100"/><box name="right" place="500,50" size="1000,100"/>'
    contact = '<contact name="c" of="s" to="world" friction="none"/>'
    run = system(world, CRATE, contact, 'b="-300,-50,0" b.rate="1000,0,0"').simulate(0.6)
    np.testing.assert_allclose(run.q[-1], [0.3, -0.05, 0.0], atol=1e-9)
    assert not any(event.impulses for event in run.events)


def test_a_crate_strikes_a_wall_that_stands_on_the_floor() -> None:
    world = '<polyline name="f" points="-1000,-400; 0,-400; 0,0; 2000,0"/>'
    contact = '<contact name="c" of="s" to="f" friction="none" restitution="0.5"/>'
    run = system(world, CRATE, contact, 'b="500,-50,0" b.rate="-2000,0,0"').simulate(1.0)
    (event,) = run.events
    assert event.time == pytest.approx(0.2, abs=1e-13)
    assert event.energy_loss == pytest.approx(0.75 * 4.0, abs=1e-12)
    np.testing.assert_allclose(run.q[-1], [0.1 + 0.8, -0.05, 0.0], atol=1e-12)


def ball(radius: float = 0.05, mass: float = 2.0) -> str:
    return (
        f'<body name="b" joint="free" mass="{mass}" inertia="{0.4 * mass * radius**2!r}">'
        f'<circle name="s" radius="{1e3 * radius}"/></body>'
    )


def test_a_ball_rolls_over_an_edge_until_friction_gives_way() -> None:
    """On the edge the centre goes on a circle: energy gives the speed, and the speed what friction has to hold."""
    r, v, friction, k = 0.05, 0.3, 0.5, 0.4
    contact = f'<contact name="c" of="s" to="f" friction="{friction}"/>'
    run = system(CLIFF, ball(r), contact, f'b="0,-50,0" b.rate="300,0,{v / r} rad/s"').simulate(1.9)
    event = run.events[0]
    assert event.transition == "c slips" and event.before == "c rolls"

    def lack(angle: float) -> float:
        square = v * v + 2 * G * r * (1 - math.cos(angle)) / (1 + k)
        return friction * (G * math.cos(angle) - square / r) - k / (1 + k) * G * math.sin(angle)

    low, high = 0.0, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if lack(middle) > 0 else (low, middle)
    q, speed = run(event.time)
    assert q[:2] == pytest.approx([0.5 + r * math.sin(low), -r * math.cos(low)], abs=1e-12)
    assert r * speed[2] == pytest.approx(math.hypot(*speed[:2]), abs=1e-13)
    energy = run.quantity("energy()")[run.t <= event.time]
    assert len(energy) > 3
    np.testing.assert_allclose(energy, energy[0], rtol=1e-13)


def test_a_ball_rolls_off_a_cylinder_where_nothing_presses_any_more() -> None:
    """A ball that does not slip leaves at cos φ = (10 + 7 v²/(g R))/17, R the sum of the radii, v the speed on top."""
    contact, v, R = '<contact name="c" of="s" to="f"/>', 0.2, 0.35
    run = system('<circle name="f" radius="300"/>', ball(), contact, f'b="0,-350,0" b.rate="200,0,{v / 0.05} rad/s"')
    found = run.simulate(2.0)
    (event,) = found.events
    q, _ = found(event.time)
    assert -q[1] / R == pytest.approx((10 + 7 * v * v / (G * R)) / 17, abs=1e-12)
    assert math.hypot(q[0], q[1]) == pytest.approx(R, abs=1e-13)


def test_a_fast_ball_leaves_an_edge_at_once() -> None:
    contact = '<contact name="c" of="s" to="f" friction="0.5"/>'
    run = system(CLIFF, ball(), contact, 'b="0,-50,0" b.rate="1000,0,20 rad/s"').simulate(0.6)
    event = run.events[0]
    assert (event.transition, event.after) == ("c lets go", "open")
    assert event.time == pytest.approx(0.5, abs=1e-12)


PAIRS = {
    "ball and crate": ('<circle name="s" radius="60"/>', '<box name="o" size="200,140"/>'),
    "crate and ball": ('<box name="s" size="200,140"/>', '<circle name="o" radius="60"/>'),
    "two balls": ('<circle name="s" radius="60"/>', '<circle name="o" radius="80"/>'),
    "triangle and crate": ('<polygon name="s" points="-80,50; 80,50; 0,-90"/>', '<box name="o" size="200,140"/>'),
}


def collision(pair: str, back: float) -> Run:
    first, second = PAIRS[pair]
    bodies = (
        f'<body name="b" joint="free" mass="2" inertia="0.01">{first}</body>'
        f'<body name="d" joint="free" mass="3" inertia="0.03">{second}</body>'
    )
    made = sistel.parse(
        f'<system name="two"><gravity value="0"/>{bodies}'
        f'<links><contact name="c" of="s" to="o" friction="0.3" restitution="{back}"/></links>'
        '<start b="-300,10,20" d="100,0,40" b.rate="2000,100,3 rad/s" d.rate="-500,0,-2 rad/s"/></system>'
    )
    return made.simulate(0.6)


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("back", [0.0, 0.7])
def test_momenta_of_bodies_that_collide_are_kept(pair: str, back: float) -> None:
    run = collision(pair, back)
    assert any(event.impulses for event in run.events)
    m, inertia = np.array([2.0, 3.0]), np.array([0.01, 0.03])
    momenta = []
    for q, v in zip(run.q, run.v, strict=True):
        p, u = q.reshape(2, 3), v.reshape(2, 3)
        moment = sum(m[i] * (p[i, 0] * u[i, 1] - p[i, 1] * u[i, 0]) + inertia[i] * u[i, 2] for i in range(2))
        momenta.append([*(m @ u[:, :2]), moment])
    np.testing.assert_allclose(momenta, [momenta[0]] * len(momenta), rtol=0, atol=2e-12)
    if back:
        energy_is_kept(run, 0.0)


def test_it_does_not_matter_whose_shape_is_named_first() -> None:
    first, second = '<circle name="s" radius="60"/>', '<box name="o" size="200,140"/>'
    ends = []
    for of, to in (("s", "o"), ("o", "s")):
        made = sistel.parse(
            '<system name="two"><gravity value="0"/>'
            f'<body name="b" joint="free" mass="2" inertia="0.01">{first}</body>'
            f'<body name="d" joint="free" mass="3" inertia="0.03">{second}</body>'
            f'<links><contact name="c" of="{of}" to="{to}" friction="0.3" restitution="0.4"/></links>'
            '<start b="-300,10,20" d="100,0,40" b.rate="2000,100,3 rad/s" d.rate="-500,0,-2 rad/s"/></system>'
        )
        run = made.simulate(0.5)
        assert len(run.events) == 1
        ends.append([run.events[0].time, *run.q[-1], *run.v[-1]])
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("world", "shape", "start"),
    [
        ('<polyline name="w" points="-1000,0; 1000,0"/>', '<box name="s" size="200,100"/>', "0,-49,0"),
        ('<polyline name="w" points="-1000,0; 1000,0"/>', '<box name="s" size="200,100"/>', "0,300,0"),
        ('<box name="w" size="40,400"/>', '<box name="s" size="200,100"/>', "0,0,0"),
        ('<box name="w" size="900,900"/>', '<box name="s" size="200,100"/>', "0,0,0"),
        ('<box name="w" size="20,20"/>', '<box name="s" size="200,100"/>', "0,0,30"),
        ('<circle name="w" radius="50"/>', '<box name="s" size="200,100"/>', "140,0,0"),
        ('<circle name="w" radius="50"/>', '<circle name="s" radius="30"/>', "70,0,0"),
        ('<polyline name="w" points="-1000,0; 1000,0"/>', '<circle name="s" radius="30"/>', "0,-20,0"),
    ],
)
def test_shapes_that_overlap_at_the_start_are_refused(world: str, shape: str, start: str) -> None:
    body = f'<body name="b" joint="free" mass="1" inertia="0.01">{shape}</body>'
    made = system(world, body, '<contact name="c" of="s" to="world"/>', f'b="{start}"')
    with pytest.raises(SistelError, match='"s" and "w" overlap at the start') as caught:
        made.simulate(0.1)
    (found,) = caught.value.diagnostics
    assert found.code == "overlap" and "перекрываются" in found.message.ru


def test_shapes_that_touch_at_the_start_rest() -> None:
    run = system(LEDGE, CRATE, ON, 'b="0,-50,0"').simulate(1.0)
    assert not len(run.events)
    assert run.final_structure == "c C sticks, c D sticks"
    np.testing.assert_allclose(run.q[-1], [0.0, -0.05, 0.0], atol=1e-15)


def test_structures_and_events_of_shapes_have_names() -> None:
    run = system(LEDGE, CRATE, ON, 'b="0,-200,0"').simulate(0.4)
    model = run.model
    assert run.events[0].before == "open"
    assert structure_text(model, "open").ru == "открыт"
    assert structure_text(model, "c C sticks, c D sticks").ru == "c C держит, c D держит"
    assert event_text(model, "c 2′ strikes").ru == "c 2′: ударяет"


def test_sizes_follow_parameters() -> None:
    """The same file with another width of a step, and the step written so: the same motion."""

    def made(step: str, given: dict[str, float]) -> Run:
        text = (
            f'<system name="a"><parameter name="w" value="{step}"/>'
            '<world><polyline name="f" points="-1000,0; w,0 mm; w,300; 2000,300"/></world>'
            f'{CRATE}<links>{ON}</links><start b="0,-50,0" b.rate="1340,0,0"/></system>'
        )
        return sistel.parse(text).with_parameters(**given).simulate(1.0) if given else sistel.parse(text).simulate(1.0)

    one, two = made("500 mm", {"w": 0.45}), made("450 mm", {})
    assert [event.time for event in one.events] == [event.time for event in two.events]
    np.testing.assert_array_equal(one.q[-1], two.q[-1])


def test_the_gap_of_a_pair_is_the_distance_of_its_shapes() -> None:
    """Before a side, across two corners, below the edge, turned; and 0 at rest."""
    made = system(LEDGE, CRATE, ON, 'b="0,-200,0"')
    run = made.simulate(0.5)
    assert run.quantity("gap(c)")[[0, -1]] == pytest.approx([0.15, 0.0], abs=1e-12)
    low = 0.1 * math.sin(0.3) + 0.05 * math.cos(0.3)
    for (x, y, turn), gap in (
        ((0.7, -0.15, 0.0), math.hypot(0.1, 0.1)),
        ((0.65, 0.1, 0.0), 0.05),
        ((1.5, 0.1, 0.0), 0.15),
        ((1.5, 0.1, 0.3), 0.2 - low),
    ):
        found = made.simulate(1e-3, q=[x, y, turn], v=[0.0] * 3)
        assert found.quantity("зазор(c)")[0] == pytest.approx(gap, abs=1e-14)
