"""Sensors of schemes: what each reads, what noise, steps, limits and delay make of it, errors, and the way back."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.automaton import Automaton
from sistel.errors import SistelError
from sistel.expr import evaluate
from sistel.markup import write_document
from sistel.model import to_document

WORLD = (
    '<world><box name="wall" place="1500,0" size="200,4000"/><circle name="post" place="0,1000" radius="250"/></world>'
)
HULL = (
    '<body name="hull" joint="free" mass="10" inertia="1"><frame name="front" place="400,0"/>'
    '<frame name="left" place="0,200" turn="90"/><point name="centre" place="100,0"/>'
    '<box name="shell" size="800,400"/><body name="mast" joint="weld"><frame name="top"/></body></body>'
)
START = (
    '<start><coordinate of="hull.x" value="100" rate="100"/><coordinate of="hull.angle" value="0" rate="10"/></start>'
)


def rover(sensors: str, period: str = 'period="10 ms"', seed: str = "") -> sistel.System:
    scheme = f'<scheme name="s" {period} {seed}>{sensors}</scheme>'
    return sistel.parse(f'<system><gravity value="0"/>{WORLD}{HULL}{scheme}{START}</system>')


def at(run: sistel.Run, name: str, t: float) -> float:
    return float(run.quantity(name, [t])[0])


@pytest.fixture(scope="module")
def run() -> sistel.Run:
    return rover(
        '<sensor name="P" kind="position" of="hull" point="centre"/><sensor name="n" kind="orientation" of="hull"/>'
        '<sensor name="v" kind="velocity" of="centre"/><sensor name="w" kind="gyroscope" of="hull"/>'
        '<sensor name="a" kind="accelerometer" of="centre"/>'
        '<sensor name="m" kind="magnetometer" of="front" field="0,2"/>'
        '<sensor name="c" kind="compass" of="front" field="0,2"/><sensor name="x" kind="joint" of="hull.x"/>'
        '<sensor name="turn" kind="joint" of="hull.angle"/><sensor name="spin" kind="rate" of="hull.angle"/>'
        '<sensor name="d" kind="rangefinder" rays="front, left" range="5 m"/>'
        '<sensor name="post only" kind="rangefinder" rays="front, left" range="5 m" against="post"/>'
        '<sensor name="scan" kind="lidar" of="front" count="9" angles="-90,90" range="3 m"/>'
        '<sensor name="round" kind="lidar" of="front" count="4" range="3 m"/><block name="least" kind="min" in="scan"/>'
    ).simulate(1.0)


def test_places_turns_and_rates(run: sistel.Run) -> None:
    t, rate = 0.5, math.radians(10)
    turn = rate * t
    # The pole of the body is its mass centre, which goes straight on.
    x = 0.1 + 0.1 * t
    assert at(run, "P.x", t) == pytest.approx(x + 0.1 * math.cos(turn), abs=1e-14)
    assert at(run, "P.y", t) == pytest.approx(0.1 * math.sin(turn), abs=1e-14)
    assert at(run, "P.z", t) == 0.0
    assert at(run, "n", t) == pytest.approx(turn, abs=1e-14)
    assert at(run, "v.x", t) == pytest.approx(0.1 - 0.1 * rate * math.sin(turn), abs=1e-14)
    assert at(run, "v.y", t) == pytest.approx(0.1 * rate * math.cos(turn), abs=1e-14)
    assert at(run, "w", t) == at(run, "spin", t) == pytest.approx(rate, abs=1e-14)
    assert at(run, "turn", t) == pytest.approx(turn, abs=1e-14)
    assert at(run, "x", t) == pytest.approx(x, abs=1e-14)
    # What turns pulls to its centre, in its own axes.
    assert at(run, "a.x", t) == pytest.approx(-0.1 * rate * rate, abs=1e-15)
    assert at(run, "a.y", t) == pytest.approx(0.0, abs=1e-15)
    assert at(run, "m.x", t) == pytest.approx(2 * math.sin(turn), abs=1e-14)
    assert at(run, "m.y", t) == pytest.approx(2 * math.cos(turn), abs=1e-14)
    assert at(run, "c", t) == pytest.approx(turn - math.pi / 2, abs=1e-14)


def test_distances(run: sistel.Run) -> None:
    t = 0.5
    turn = math.radians(10) * t
    x, y = 0.15 + 0.4 * math.cos(turn), 0.4 * math.sin(turn)
    assert at(run, "d.1", t) == pytest.approx((1.4 - x) / math.cos(turn), abs=1e-13)
    # The second ray goes up from the hull, to a circle about (0, 1).
    ox, oy = 0.15 - 0.2 * math.sin(turn), 0.2 * math.cos(turn)
    dx, dy = -math.sin(turn), math.cos(turn)
    aside = ox * dy - (oy - 1.0) * dx
    wanted = -(ox * dx + (oy - 1.0) * dy) - math.sqrt(0.25**2 - aside**2)
    assert at(run, "d.2", t) == at(run, "post only.2", t) == pytest.approx(wanted, abs=1e-13)
    assert at(run, "post only.1", t) == 5.0
    assert at(run, "scan.5", t) == at(run, "d.1", t)
    for i in range(1, 10):
        angle = turn + math.radians(-90 + 22.5 * (i - 1))
        distance = (1.4 - x) / math.cos(angle) if math.cos(angle) > 1e-9 else math.inf
        hit = distance < 3.0 and abs(y + distance * math.sin(angle)) < 2.0
        assert at(run, f"scan.{i}", t) == pytest.approx(distance if hit else 3.0, abs=1e-12)
    assert at(run, "least", t) == min(at(run, f"scan.{i}", t) for i in range(1, 10))
    # Four rays of a full turn, the first one to the rear.
    assert at(run, "round.3", t) == at(run, "d.1", t)


def test_what_becomes_of_a_reading() -> None:
    system = rover(
        '<sensor name="d" kind="rangefinder" rays="front, left" range="850 mm" near="800 mm"/>'
        '<sensor name="biased" kind="gyroscope" of="hull" bias="1 rad/s" limit="1.1 rad/s"/>'
        '<sensor name="steps" kind="position" of="hull" step="10 mm"/>'
        '<sensor name="each" kind="position" of="hull" bias="1 m, 2 m, 3 m"/>'
        '<sensor name="now" kind="joint" of="hull.x"/>'
        '<sensor name="late" kind="joint" of="hull.x" delay="30 ms"/>'
        '<sensor name="ticks" kind="joint" of="hull.x" delay="3"/>'
    )
    run = system.simulate(1.0)
    assert at(run, "d.1", 0.0) == 0.85  # the wall is at 0.9
    assert at(run, "d.1", 1.0) == pytest.approx(0.81851193, abs=1e-8)
    assert at(run, "biased", 0.5) == 1.1
    assert at(run, "steps.x", 0.5) == pytest.approx(0.15, abs=1e-15)
    assert at(run, "steps.x", 0.53) == pytest.approx(0.15, abs=1e-15)
    assert [at(run, f"each.{k}", 0.0) for k in "xyz"] == [1.1, 2.0, 3.0]
    assert at(run, "late", 0.0) == at(run, "late", 0.02) - 0.002 == pytest.approx(0.1)
    for t in (0.035, 0.5, 0.875):
        assert at(run, "late", t) == at(run, "ticks", t) == at(run, "now", t - 0.03)


NOISY = (
    '<sensor name="a" kind="position" of="hull" noise="1 mm"/>'
    '<sensor name="b" kind="rangefinder" rays="front, left" range="5 m" noise="2 mm"/>'
)


def noises(run: sistel.Run, name: str, truth: str) -> np.ndarray:  # type: ignore[type-arg]
    times = [0.01 * k for k in range(100)]
    return np.asarray(run.quantity(name, times)) - np.asarray(run.quantity(truth, [max(0.0, t) for t in times]))


def test_noise_depends_on_seed_sensor_and_tick_alone() -> None:
    run = rover(NOISY, seed='seed="7"').simulate(1.0)
    deviation = noises(run, "a.x", "x(hull)")
    assert 0.0008 < deviation.std() < 0.0012
    other = rover('<sensor name="z" kind="joint" of="hull.x"/>' + NOISY, seed='seed="7"').simulate(1.0)
    for name in ("a.x", "a.y", "b.1", "b.2"):
        assert at(run, name, 0.505) == at(other, name, 0.505)
    # On from the middle, it is the same noise.
    system = rover(NOISY, seed='seed="7"')
    resumed = system.simulate(0.5).resume(1.0)
    assert at(resumed, "b.1", 1.0) == at(run, "b.1", 1.0)
    # Twice as often, the numbers of the ticks are others, and so is the noise.
    seeded = rover(NOISY).simulate(1.0, seed=7)
    assert at(seeded, "a.y", 1.0) == at(run, "a.y", 1.0)
    assert at(rover(NOISY).simulate(1.0), "a.y", 1.0) != at(run, "a.y", 1.0)
    assert at(system.simulate(1.0, inputs={"seed(s)": 8}), "a.y", 1.0) != at(run, "a.y", 1.0)


def test_beyond_its_range_a_ray_gives_the_range_without_noise() -> None:
    run = rover('<sensor name="d" kind="rangefinder" rays="front" range="300 mm" noise="50 mm"/>').simulate(0.5)
    assert set(np.asarray(run.quantity("d.1", [0.01 * k for k in range(50)])).tolist()) == {0.3}


def test_a_seed_is_refused_where_nothing_is_random() -> None:
    with pytest.raises(SistelError, match="no sensor of the file has noise"):
        rover('<sensor name="a" kind="joint" of="hull.x"/>').simulate(0.1, seed=1)
    with pytest.raises(SistelError, match="whole number"):
        rover(NOISY).simulate(0.1, seed=-1)


def test_smooth_sensors_flow() -> None:
    run = rover(
        '<sensor name="P" kind="position" of="centre"/><sensor name="w" kind="gyroscope" of="hull" bias="1 rad/s"/>',
        period="",
    ).simulate(1.0)
    assert at(run, "P.x", 0.777) == pytest.approx(at(run, "x(centre)", 0.777), abs=1e-15)
    assert at(run, "w", 0.777) == pytest.approx(1.0 + math.radians(10), abs=1e-14)


def test_orientation_in_space() -> None:
    system = sistel.parse(
        '<system space="spatial"><gravity value="0"/><body name="b" joint="spherical" mass="1" inertia="1">'
        '<frame name="eye" turn="30,-40,110"/></body><scheme name="s" period="100 ms">'
        '<sensor name="e" kind="orientation" of="eye"/><sensor name="q" kind="orientation" of="eye" as="quaternion"/>'
        '<sensor name="R" kind="orientation" of="eye" as="axes"/><sensor name="w" kind="gyroscope" of="eye"/>'
        '<sensor name="c" kind="compass" of="eye"/><sensor name="m" kind="magnetometer" of="eye" field="1,2,3"/>'
        '</scheme><start><coordinate of="b" rate="50,-20,90"/></start></system>'
    )
    run = system.simulate(3.0)
    for t in (0.0, 0.7, 1.9, 3.0):
        pose = system.pose(np.asarray(run(t)[0]), "eye")
        R = np.asarray(pose)[:3, :3]
        found = np.array([[at(run, f"R.{k}{i}", t) for k in "xyz"] for i in "xyz"])
        assert np.abs(found - R).max() < 1e-13
        roll, pitch, heading = (at(run, f"e.{part}", t) for part in ("roll", "pitch", "heading"))
        cx, sx, cy, sy = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
        cz, sz = math.cos(heading), math.sin(heading)
        turned = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]]) @ np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
        assert np.abs(turned @ np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]]) - R).max() < 1e-13
        w, x, y, z = (at(run, f"q.{part}", t) for part in "wxyz")
        assert w >= 0 and w * w + x * x + y * y + z * z == pytest.approx(1.0, abs=1e-14)
        turned = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        assert np.abs(turned - R).max() < 1e-13
        assert at(run, "c", t) == pytest.approx(math.atan2(R[1, 0], R[0, 0]), abs=1e-13)
        wanted = R.T @ np.array([1, 2, 3])
        assert np.abs(np.array([at(run, f"m.{k}", t) for k in "xyz"]) - wanted).max() < 1e-13


def test_forces_and_accelerations_of_a_pendulum() -> None:
    system = sistel.parse(
        '<system><body name="arm" joint="revolute" mass="2" com="0,500" inertia="0"><point name="tip" place="0,500"/></body>'
        '<scheme name="s" period="50 ms"><sensor name="a" kind="accelerometer" of="tip"/>'
        '<sensor name="f" kind="force" of="arm"/><sensor name="m" kind="torque" of="arm"/></scheme>'
        '<start><coordinate of="arm" value="60"/></start></system>'
    )
    run = system.simulate(1.0)
    for t in (0.0, 0.3, 0.85):
        angle, rate = at(run, "angle(arm)", t), at(run, "rate(arm)", t)
        g, length = 9.81, 0.5
        # Specific force of the bob: along the arm only, towards the hinge; y of the picture is down.
        pull = g * math.cos(angle) + length * rate * rate
        assert at(run, "a.y", t) == pytest.approx(-pull, abs=1e-12)
        assert at(run, "a.x", t) == pytest.approx(0.0, abs=1e-12)
        force = np.array([at(run, "f.x", t), at(run, "f.y", t)])
        assert np.abs(np.hypot(*force) - 2 * pull) < 1e-12
        assert at(run, "m", t) == pytest.approx(0.0, abs=1e-12)


def test_touch() -> None:
    system = sistel.parse(
        '<system><body name="ball" joint="prismatic2" mass="1"><point name="low"/></body>'
        '<links><contact name="floor" point="low" surface="y = 1000"/></links>'
        '<scheme name="s" period="10 ms"><sensor name="near" kind="touch" of="floor" limit="100 mm"/>'
        '<sensor name="hit" kind="touch" of="floor"/></scheme></system>'
    )
    run = system.simulate(1.0)
    # It falls 0.9 m in √(2 · 0.9 / g) s.
    times = np.asarray(run.quantity("near", [0.01 * k + 0.005 for k in range(60)]))
    assert int(np.argmax(times > 0.5)) == math.ceil(100 * math.sqrt(1.8 / 9.81))
    assert at(run, "hit", 0.3) == 0.0 and at(run, "hit", 0.9) == 1.0


def test_another_body_is_seen_where_it_is() -> None:
    system = sistel.parse(
        '<system space="spatial"><gravity value="0"/><body name="eye" joint="revolute" axis="z" mass="1" inertia="1">'
        '<frame name="ray" place="100,0,50"/><box name="own" size="200,200,200"/></body>'
        '<body name="cart" joint="prismatic" axis="x" mass="1" inertia="1" place="2000,0,50">'
        '<sphere name="ball" radius="300"/></body><scheme name="s" period="100 ms">'
        '<sensor name="d" kind="rangefinder" rays="ray" range="10 m"/></scheme>'
        '<start><coordinate of="cart" rate="500"/></start></system>'
    )
    run = system.simulate(2.0)
    assert at(run, "d.1", 0.0) == pytest.approx(2.0 - 0.3 - 0.1, abs=1e-14)
    assert at(run, "d.1", 2.0) == pytest.approx(3.0 - 0.3 - 0.1, abs=1e-13)


def test_the_way_back_keeps_sensors() -> None:
    system = rover(
        NOISY + '<sensor name="c" kind="lidar" of="front" count="5" angles="-45,45" range="2 m" against="wall"/>'
        '<sensor name="m" kind="magnetometer" of="hull" point="centre" field="0,1" delay="2" step="0.1" bias="1,2,3"/>'
        '<block name="least" kind="min" in="c"/>',
        seed='seed="7"',
    )
    text = write_document(to_document(system.model))
    again = sistel.parse(text)
    assert write_document(to_document(again.model)) == text
    assert again.fingerprint == system.fingerprint
    for name in ("b.1", "least", "m.x"):
        assert at(again.simulate(0.5), name, 0.5) == at(system.simulate(0.5), name, 0.5)
    russian = write_document(to_document(system.model), lang="ru")
    assert "датчик" in russian and "дальномер" in russian
    assert sistel.parse(russian).fingerprint == system.fingerprint


@pytest.mark.parametrize(
    ("sensor", "said"),
    [
        ('kind="rangefinder" rays="front"', 'needs "range"'),
        ('kind="rangefinder" rays="frond" range="1 m"', 'no frame "frond"'),
        ('kind="rangefinder" rays="front" range="0 m"', "a positive number"),
        ('kind="rangefinder" rays="front" range="1 s"', "time"),
        ('kind="rangefinder" rays="front" range="1 m" against="wal"', 'no shape "wal"'),
        ('kind="rangefinder" of="mast" rays="front" range="1 m"', "does not sit on one body"),
        ('kind="rangefinder" rays="front, top" range="1 m"', "does not sit on one body"),
        ('kind="position" of="hull" point="top"', "does not sit on one body"),
        ('kind="rangefinder" rays="" range="1 m"', "no rays"),
        ('kind="rangefinder" rays="front" range="1 m" near="2 m"', "less than the range"),
        ('kind="orientation" of="hull" as="axes"', "an orientation is an angle"),
        ('kind="position" of="hulk"', 'no body or frame or point "hulk"'),
        ('kind="position" of="hull" noise="-1 mm"', "0 or more"),
        ('kind="position" of="hull" noise="1 rad"', "m"),
        ('kind="position" of="hull" rays="front"', 'has no "rays"'),
        ('kind="position" of="hull" bias="1 m, 2 m"', "2 values for 3 components"),
        ('kind="position"', 'needs "of"'),
        ('kind="joint" of="hull"', "has 3 coordinates"),
        ('kind="rate" of="mast"', "has 0 coordinates"),
        ('kind="gyroscope" of="hull" delay="15 ms"', "no whole number of ticks"),
        ('kind="gyroscope" of="hull" delay="1 m"', "a time or a number of ticks"),
        ('kind="lidar" of="front" count="0" range="1 m"', "no number of rays"),
        ('kind="lidar" of="front" count="3" angles="1" range="1 m"', "1 angles where 2"),
        ('kind="compass" of="hull" field="0,0"', "no field"),
        ('kind="touch" of="floor"', 'no contact "floor"'),
        ('kind="sonar" of="hull"', "sonar"),
        ('kind="position" of="hull" step="0 m"', "a positive number"),
    ],
)
def test_what_is_wrong_is_said(sensor: str, said: str) -> None:
    with pytest.raises(SistelError) as problem:
        rover(f'<sensor name="a" {sensor}/>')
    text = str(problem.value)
    assert said in text
    assert "^" in text  # with its place


def test_what_needs_ticks_says_so() -> None:
    for sensor in (
        'kind="rangefinder" rays="front" range="1 m"',
        'kind="lidar" of="front" count="3" range="1 m"',
        'kind="position" of="hull" noise="1 mm"',
    ):
        with pytest.raises(SistelError, match="from tick to tick"):
            rover(f'<sensor name="a" {sensor}/>', period="")
    with pytest.raises(SistelError, match="no seed"):
        rover(NOISY, seed='seed="-3"')


def test_a_range_is_an_exact_event() -> None:
    """What conditions watch is what rays read at ticks, and it is located to the last digits."""
    system = sistel.parse(
        '<system><gravity value="0"/><world><box name="wall" place="2000,0" size="200,4000" turn="10"/>'
        '<circle name="post" place="0,-1500" radius="300"/>'
        '<polygon name="wedge" place="-1500,0" points="-100,-200, 300,0, -100,200"/></world>'
        '<body name="b" joint="free" mass="1" inertia="1"><frame name="ray" place="100,0"/></body>'
        '<links><structure name="far"/><structure name="near"/>'
        '<transition from="far" to="near" when="range(ray, wall) le 500 mm"/></links>'
        '<scheme name="s" period="10 ms"><sensor name="d" kind="rangefinder" rays="ray" range="100 m" against="wall"/>'
        '<sensor name="e" kind="rangefinder" rays="ray" range="100 m" against="post"/>'
        '<sensor name="f" kind="rangefinder" rays="ray" range="100 m" against="wedge"/></scheme>'
        '<start><coordinate of="b.x" rate="1000"/><coordinate of="b.angle" rate="200"/></start></system>'
    )
    run = system.simulate(3.0)
    (event,) = run.events
    assert at(run, "range(ray, wall)", event.time) == pytest.approx(0.5, abs=1e-13)
    times = [0.02 * k for k in range(150)]
    for read, watched in (("d.1", "wall"), ("e.1", "post"), ("f.1", "wedge")):
        asked = np.minimum(np.asarray(run.quantity(f"range(ray, {watched})", times)), 100.0)
        found = np.asarray(run.quantity(read, times))
        assert np.abs(asked - found).max() < 1e-12
        assert 3 < int((found < 100).sum()) < 140
    with pytest.raises(SistelError, match="no frame"):
        run.quantity("range(wall, ray)")


def test_a_range_in_space_is_what_rays_read() -> None:
    system = sistel.parse(
        '<system space="spatial"><gravity value="0"/><body name="eye" joint="spherical" mass="1" inertia="1">'
        '<frame name="ray" place="100,0,50"/></body><world><box name="b" place="1500,500,0" size="1800,1600,1700" turn="10,20,30"/>'
        '<sphere name="o" place="-800,0,1500" radius="1400"/></world><scheme name="s" period="50 ms">'
        '<sensor name="d" kind="rangefinder" rays="ray" range="10 m" against="b"/>'
        '<sensor name="e" kind="rangefinder" rays="ray" range="10 m" against="o"/></scheme>'
        '<start><coordinate of="eye" rate="200,150,300"/></start></system>'
    )
    run = system.simulate(4.0)
    times = [0.05 * k for k in range(80)]
    for read, watched in (("d.1", "b"), ("e.1", "o")):
        asked = np.minimum(np.asarray(run.quantity(f"range(ray, {watched})", times)), 10.0)
        found = np.asarray(run.quantity(read, times))
        assert np.abs(asked - found).max() < 1e-12
        assert 3 < int((found < 10).sum()) < 78


@pytest.mark.parametrize("gain", [0.0, 0.3, -0.4])
def test_an_accelerometer_without_ticks_closes_a_linear_loop(gain: float) -> None:
    """A moment that is a multiple of a reading that depends on it: θ'' follows from one linear equation."""
    system = sistel.parse(
        '<system><body name="arm" joint="revolute" mass="2" com="0,500" inertia="0.2"><motor name="M"/>'
        '<point name="tip" place="0,500"/></body><scheme name="s"><sensor name="a" kind="accelerometer" of="tip"/>'
        f'<output motor="M" from="{gain} N*m*s^2/m*a.x"/></scheme>'
        '<start><coordinate of="arm" value="60"/></start></system>'
    )
    run = system.simulate(1.0)
    m, g, length, J = 2.0, 9.81, 0.5, 0.2
    for t in (0.0, 0.4, 0.9):
        angle = at(run, "angle(arm)", t)
        # (J + m l²) θ'' = −m g l sin θ + k a_x, and along the x of the tip a_x = −l θ'' − g sin θ.
        whole = J + m * length**2
        turn = -(m * length + gain) * g * math.sin(angle) / (whole + gain * length)
        assert at(run, "a.x", t) == pytest.approx(-length * turn - g * math.sin(angle), abs=1e-12)
        assert at(run, "torque(M)", t) == pytest.approx(gain * at(run, "a.x", t), abs=1e-12)


def test_rays_end_where_they_meet_something() -> None:
    """What pages draw: both ends of every ray."""
    system = rover(
        '<sensor name="d" kind="rangefinder" rays="front, left" range="5 m"/>'
        '<sensor name="scan" kind="lidar" of="front" count="9" angles="-90,90" range="3 m"/>'
    )
    line = Automaton(system.model).rays()
    run = system.simulate(0.5)
    (ends,) = evaluate(line, run(0.5)[0].tolist())
    rays = np.array(ends).reshape(11, 2, 3)
    wanted = [at(run, name, 0.5) for name in ("d.1", "d.2", *(f"scan.{i}" for i in range(1, 10)))]
    assert np.abs(np.linalg.norm(rays[:, 1] - rays[:, 0], axis=1) - wanted).max() < 1e-12
    assert np.abs(rays[0, 0, :2] - [at(run, "x(front)", 0.5), at(run, "y(front)", 0.5)]).max() < 1e-13
    assert abs(rays[0, 1, 0] - 1.4) < 1e-13  # on the wall


def test_what_rests_and_slides_on_a_floor_is_felt_at_ticks() -> None:
    """Contacts make the structures here: a tick feels what they do then, at rest and while the box slides."""
    text = (
        '<system><world><box name="floor" place="0,600" size="9000,100"/></world>'
        '<body name="b" joint="free" mass="2" inertia="0.1"><box name="shell" size="200,100"/></body>'
        '<links><contact name="k" of="shell" to="world" friction="0.5"/></links><scheme name="s" period="50 ms">'
        '<sensor name="a" kind="accelerometer" of="b"/></scheme>'
        '<start><coordinate of="b.y" value="500"/><coordinate of="b.x" rate="{v}"/></start></system>'
    )
    still = sistel.parse(text.format(v=0)).simulate(1.0)
    assert at(still, "a.y", 0.9) == pytest.approx(-9.81, abs=1e-11)
    assert at(still, "a.x", 0.9) == pytest.approx(0.0, abs=1e-11)
    sliding = sistel.parse(text.format(v=2000)).simulate(1.0)
    stops = 2.0 / (0.5 * 9.81)  # 0.41 s
    assert at(sliding, "a.x", 0.31) == pytest.approx(-0.5 * 9.81, abs=1e-11)
    assert at(sliding, "a.y", 0.31) == pytest.approx(-9.81, abs=1e-11)
    assert at(sliding, "a.x", stops + 0.1) == pytest.approx(0.0, abs=1e-11)
    assert at(sliding, "a.y", stops + 0.1) == pytest.approx(-9.81, abs=1e-11)


def test_a_contact_is_weighed_at_ticks() -> None:
    system = sistel.parse(
        '<system><body name="b" joint="prismatic2" mass="2"><point name="low" place="0,50"/></body>'
        '<links><contact name="k" point="low" surface="y = 600" friction="0.5"/></links><scheme name="s" period="50 ms">'
        '<sensor name="f" kind="force" of="k"/><signal name="n" value="normal(k)"/></scheme></system>'
    )
    run = system.simulate(2.0)
    assert at(run, "f.y", 0.1) == at(run, "n", 0.1) == 0.0
    assert at(run, "f.y", 1.9) == pytest.approx(-19.62, abs=1e-11)
    assert at(run, "n", 1.9) == pytest.approx(19.62, abs=1e-11) == pytest.approx(at(run, "normal(k)", 1.9), abs=1e-11)
