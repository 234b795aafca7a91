"""Shapes that touch in space: balls, capsules, cylinders and boxes, against closed forms and laws of conservation."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.errors import SistelError
from sistel.simulation import Run

G = 9.81


def system(world: str, bodies: str, contact: str, start: str, more: str = "") -> sistel.System:
    return sistel.parse(
        f'<system name="solids" space="spatial">{more}<world>{world}</world>{bodies}<links>{contact}</links>'
        f"<start>{start}</start></system>"
    )


def ball(name: str, radius: float, mass: float) -> str:
    return (
        f'<body name="{name}" joint="free" mass="{mass}" inertia="{0.4 * mass * radius**2!r}">'
        f'<sphere name="s{name}" radius="{1e3 * radius!r}"/></body>'
    )


def momenta(run: Run, bodies: dict[str, tuple[float, list[float]]]) -> np.ndarray:
    """Momentum and moment of momentum about the origin at every time of a run, from the state alone."""
    made = []
    for q, v in zip(run.q, run.v, strict=True):
        total = np.zeros(6)
        for i, (mass, inertia) in enumerate(bodies.values()):
            w, x, y, z = q[7 * i : 7 * i + 4]
            R = np.array(
                [
                    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
                ]
            )
            place, spin, speed = q[7 * i + 4 : 7 * i + 7], v[6 * i : 6 * i + 3], R @ v[6 * i + 3 : 6 * i + 6]
            total[:3] += mass * speed
            total[3:] += mass * np.cross(place, speed) + R @ (np.array(inertia) * spin)
        made.append(total)
    return np.array(made)


def spent(run: Run) -> float:
    """Energy that is not accounted for by impacts [J]."""
    energy = run.quantity("energy()")
    return float(energy[0] - energy[-1] - sum(event.energy_loss for event in run.events))


def test_two_balls_collide_obliquely() -> None:
    """The impulse is along the line of centres, (1 + e) times the reduced mass times the velocity of approach."""
    a, b, m, n, e = 0.05, 0.08, 2.0, 3.0, 0.7
    made = system(
        "",
        ball("a", a, m) + ball("b", b, n),
        f'<contact name="c" of="sa" to="sb" friction="none" restitution="{e}"/>',
        '<coordinate of="a" place="-300,10,20" rate="0,0,0,2 m/s,0.1 m/s,0"/>'
        '<coordinate of="b" place="100,0,0" rate="0,0,0,-0.5 m/s,0,0.2 m/s"/>',
        '<gravity value="0"/>',
    )
    run = made.simulate(0.4)
    (event,) = run.events
    d, u = np.array([-0.4, 0.01, 0.02]), np.array([2.5, 0.1, -0.2])
    half, square = d @ u, u @ u
    time = (-half - math.sqrt(half**2 - square * (d @ d - (a + b) ** 2))) / square
    line = (d + time * u) / (a + b)
    impulse = -(1 + e) * m * n / (m + n) * (u @ line) * line
    assert event.time == pytest.approx(time, abs=1e-14)
    np.testing.assert_allclose(event.impulses["c"][3:], impulse, rtol=0, atol=1e-12)
    loss = 0.5 * (1 - e * e) * m * n / (m + n) * (u @ line) ** 2
    assert event.energy_loss == pytest.approx(loss, abs=1e-12)
    _, v = run(0.4)
    np.testing.assert_allclose(v[3:6], [2.0, 0.1, 0.0] + impulse / m, rtol=0, atol=1e-12)
    np.testing.assert_allclose(v[9:12], [-0.5, 0.0, 0.2] - impulse / n, rtol=0, atol=1e-12)


FLOOR = '<box name="w" place="0,0,-100" size="1000,1000,200"/>'


@pytest.mark.parametrize("friction", ["none", "stick"])
def test_a_ball_leaves_an_edge_where_nothing_presses_any_more(friction: str) -> None:
    """Around the edge the centre goes on a circle: cos φ = (2 + v²/(g r))/3, or (10 + 7 v²/(g r))/17 without slip."""
    r, v = 0.05, 0.3
    spin = 0.0 if friction == "none" else v / r
    contact = f'<contact name="c" of="sa" to="w" friction="{friction}"/>'
    start = f'<coordinate of="a" place="400,0,50" rate="0,{spin} rad/s,0,{v} m/s,0,0"/>'
    run = system(FLOOR, ball("a", r, 2.0), contact, start).simulate(0.6)
    (event,) = run.events
    assert event.transition == "c lets go"
    q, _ = run(event.time)
    expected = (2 + v * v / (G * r)) / 3 if friction == "none" else (10 + 7 * v * v / (G * r)) / 17
    assert q[6] / r == pytest.approx(expected, abs=1e-12)
    assert math.hypot(q[4] - 0.5, q[6]) == pytest.approx(r, abs=1e-13)
    energy = run.quantity("energy()")
    np.testing.assert_allclose(energy, energy[0], rtol=1e-13)


def test_a_ball_goes_over_a_corner_of_a_box() -> None:
    """Without friction on a diagonal: from the face straight to the corner, which it goes around as around an edge."""
    r, v = 0.05, 0.2
    contact = '<contact name="c" of="sa" to="w" friction="none"/>'
    start = f'<coordinate of="a" place="450,450,50" rate="0,0,0,{v} m/s,{v} m/s,0"/>'
    run = system(FLOOR, ball("a", r, 2.0), contact, start).simulate(0.6)
    q, _ = run(run.events[0].time)
    assert q[6] / r == pytest.approx((2 + 2 * v * v / (G * r)) / 3, abs=1e-12)
    assert np.linalg.norm(q[4:] - [0.5, 0.5, 0.0]) == pytest.approx(r, abs=1e-13)


WALLS = "".join(
    f'<box name="w{i}" place="{place}" size="{size}"/>'
    for i, (place, size) in enumerate(
        [
            ("0,0,-50", "800,800,100"),
            ("0,0,650", "800,800,100"),
            ("-350,0,300", "100,800,600"),
            ("350,0,300", "100,800,600"),
            ("0,-350,300", "600,100,600"),
            ("0,350,300", "600,100,600"),
        ]
    )
)


def test_a_ball_bounces_between_the_walls_of_a_box() -> None:
    contact = '<contact name="c" of="sa" to="world" friction="none" restitution="1"/>'
    start = '<coordinate of="a" place="0,0,300" rate="0,0,0,1 m/s,0.7 m/s,0.4 m/s"/>'
    run = system(WALLS, ball("a", 0.05, 2.0), contact, start, '<gravity value="0"/>').simulate(3.0)
    times = sorted(0.25 * (1 + 2 * i) / speed for speed in (1.0, 0.7, 0.4) for i in range(10))
    times = [time for time in times if time < 3.0]
    assert [event.time for event in run.events] == pytest.approx(times, abs=1e-12)

    def folded(way: float) -> float:
        way = (way + 0.25) % 1.0
        return (way if way < 0.5 else 1.0 - way) - 0.25

    np.testing.assert_allclose(run.q[-1][4:] - [0, 0, 0.3], [folded(3.0 * s) for s in (1.0, 0.7, 0.4)], atol=1e-12)
    np.testing.assert_allclose(run.quantity("energy()"), 0.5 * 2.0 * (1 + 0.49 + 0.16), rtol=1e-14)


CAPSULE = '<body name="a" joint="free" mass="2" inertia="0.02,0.02,0.002"><capsule name="sa" radius="50" length="300"/></body>'


def test_a_capsule_falls_on_its_end() -> None:
    """The impulse at the lower end: (1 + e) m u / (1 + m x²/I), x its horizontal distance from the centre."""
    e, tilt = 0.5, math.radians(50)
    made = system(
        "",
        CAPSULE,
        f'<contact name="c" of="sa" surface="z = 0" friction="none" restitution="{e}"/>',
        '<coordinate of="a" place="0,0,400" turn="0,50,0"/>',
    )
    run = made.simulate(0.3)
    event = run.events[0]
    fall = 0.4 - 0.05 - 0.15 * math.cos(tilt)
    u, x = math.sqrt(2 * G * fall), 0.15 * math.sin(tilt)
    assert event.transition == "c A strikes"
    assert event.time == pytest.approx(u / G, abs=1e-14)
    assert event.impulses["c A"][5] == pytest.approx((1 + e) * 2 * u / (1 + 2 * x * x / 0.02), abs=1e-12)
    assert abs(spent(run)) < 1e-13
    # It ends lying on both ends, and slides as it did: nothing pushes it sideways.
    rest = made.simulate(1.2)
    assert rest.final_structure == "c A slides, c B slides"
    assert rest.q[-1][6] == pytest.approx(0.05, abs=1e-12)


def test_a_box_lands_on_a_corner_and_comes_to_lie_on_a_face() -> None:
    inertia = [2 * (0.14**2 + 0.1**2) / 12, 2 * (0.2**2 + 0.1**2) / 12, 2 * (0.2**2 + 0.14**2) / 12]
    made = system(
        "",
        f'<body name="a" joint="free" mass="2" inertia="{",".join(map(repr, inertia))}">'
        '<box name="sa" size="200,140,100"/></body>',
        '<contact name="c" of="sa" surface="z = 0" friction="none" restitution="0.4"/>',
        '<coordinate of="a" place="0,0,300" turn="30,20,0"/>',
    )
    run = made.simulate(1.2)
    a, b = math.radians(30), math.radians(20)
    up = np.array([-math.sin(b), math.sin(a) * math.cos(b), math.cos(a) * math.cos(b)])
    corner = -np.sign(up) * [0.1, 0.07, 0.05]
    u = math.sqrt(2 * G * (0.3 + up @ corner))
    event = run.events[0]
    assert (event.transition, event.time) == ("c E strikes", pytest.approx(u / G, abs=1e-13))
    turned = np.cross(corner, up)
    impulse = 1.4 * u / (0.5 + turned @ (turned / inertia))
    assert event.impulses["c E"][5] == pytest.approx(impulse, abs=1e-12)
    assert run.final_structure == "c A slides, c C slides, c E slides, c G slides"
    assert run.q[-1][6] == pytest.approx(0.05, abs=1e-12)
    # Hops that crowd together are taken for their limit: what they would have lost is no loss of an impact.
    assert abs(spent(run)) < 1e-10


PAIRS = {
    "ball and box": ('<sphere name="s" radius="60"/>', '<box name="o" size="200,140,160"/>'),
    "box and ball": ('<box name="s" size="200,140,160"/>', '<sphere name="o" radius="60"/>'),
    "ball and capsule": ('<sphere name="s" radius="60"/>', '<capsule name="o" radius="60" length="200"/>'),
    "two capsules": ('<capsule name="s" radius="40" length="300"/>', '<capsule name="o" radius="60" length="200"/>'),
    "capsule and box": ('<capsule name="s" radius="40" length="300"/>', '<box name="o" size="200,140,160"/>'),
    "ball and cylinder": ('<sphere name="s" radius="60"/>', '<cylinder name="o" radius="60" length="200"/>'),
}


@pytest.mark.parametrize("pair", PAIRS)
def test_momenta_of_bodies_that_collide_are_kept(pair: str) -> None:
    first, second = PAIRS[pair]
    inertia = {"b": (2.0, [0.01, 0.012, 0.014]), "d": (3.0, [0.03, 0.03, 0.02])}
    bodies = "".join(
        f'<body name="{name}" joint="free" mass="{mass}" inertia="{",".join(map(str, parts))}">{shape}</body>'
        for (name, (mass, parts)), shape in zip(inertia.items(), (first, second), strict=True)
    )
    made = system(
        "",
        bodies,
        '<contact name="c" of="s" to="o" friction="0.3" restitution="0.6"/>',
        '<coordinate of="b" place="-300,10,20" rate="1,2,3,2 m/s,-0.1 m/s,-0.2 m/s"/>'
        '<coordinate of="d" place="100,0,10" turn="10,50,-20" rate="-1,0.5,-2,0,0,0"/>',
        '<gravity value="0"/>',
    )
    run = made.simulate(0.5)
    assert any(event.impulses for event in run.events)
    found = momenta(run, inertia)
    np.testing.assert_allclose(found, [found[0]] * len(found), rtol=0, atol=3e-12)
    assert abs(spent(run)) < 1e-12


@pytest.mark.parametrize(
    ("world", "shape", "place"),
    [
        ('<sphere name="w" radius="50"/>', '<sphere name="s" radius="30"/>', "70,0,0"),
        ('<sphere name="w" radius="50"/>', '<sphere name="s" radius="30"/>', "0,0,0"),
        ('<box name="w" size="100,100,100"/>', '<sphere name="s" radius="30"/>', "60,60,20"),
        ('<cylinder name="w" radius="50" length="100"/>', '<sphere name="s" radius="30"/>', "0,70,60"),
        ('<capsule name="w" radius="50" length="100"/>', '<capsule name="s" radius="30" length="100"/>', "70,0,60"),
    ],
)
def test_solids_that_overlap_at_the_start_are_refused(world: str, shape: str, place: str) -> None:
    body = f'<body name="b" joint="free" mass="1" inertia="0.01">{shape}</body>'
    made = system(world, body, '<contact name="c" of="s" to="world"/>', f'<coordinate of="b" place="{place}"/>')
    with pytest.raises(SistelError, match='"s" and "w" overlap at the start') as caught:
        made.simulate(0.1)
    assert caught.value.diagnostics[0].code == "overlap"
