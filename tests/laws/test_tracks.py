"""Tracks: skid steering by the digits of references, loads by Newton and Euler, stick and slip, closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve

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
    inside: str = "",
) -> sistel.System:
    """A hull of 50 kg, Iz 4, with a motor of n 30, k 0.03, R 0.5 and an inertia of 0.4 a side, r 0.12.

    What a motor turns is a rotor, which has no gyroscopic moments: these would load one side more than the other.
    """
    wheels, tracks = "", ""
    for (side, y), voltage in zip(SIDES.items(), voltages, strict=True):
        drive = ""
        if voltage:
            drive = f"""<motor name="{side}" ratio="30" voltage="{abs(voltage)} V" resistance="0.5 Ohm" constant="0.03 V*s/rad"
                inertia="0.4/900"/>
              <motion value="{math.copysign(1e4, voltage)} rad*t/1 s" kp="1e8" kd="1e8"/>"""
        turns = "1e-14, 1e-14, 1e-14" if voltage else "0.2, 0.4, 0.2"
        wheels += f"""<body name="{side} sprocket" joint="revolute" axis="y" place="0, {y} m, 0" mass="0"
            inertia="{turns}">{drive}</body>"""
        rubs = track or f'patches="{patches}" friction="{mu}"'
        tracks += f"""<track name="{side}" of="hull" rear="{-length / 2} m, {y} m, 0" front="{length / 2} m, {y} m, 0"
            drive="{side} sprocket" radius="120" {rubs}/>"""
    return sistel.parse(f"""<system name="skid steering" space="spatial">
        <body name="hull" joint="planar" mass="50" inertia="3, 3, {4 if all(voltages) else 3.6}" {body}>{wheels}{inside}
        </body>{tracks}{more}</system>""")


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
    assert 0.12 * found["right"] / (0.3 * found["rate"]) == pytest.approx(1.69444444444444444, rel=1e-12)
    # What a side pushes ahead is what its motor gives.
    pushed = 30 * 0.03 * run.quantity("current(right)")[-1] / 0.12
    assert pushed == pytest.approx(94.2031344106282126, rel=1e-11)


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
    assert run.quantity("current(right)")[-1] == pytest.approx(13.3641418897725684, rel=1e-11)
    apart = 0.12 * (found["right"] - found["left"]) / (2 * 0.3 * found["rate"])
    assert apart == pytest.approx(1.56265562196778225, rel=2e-12)
    # The slip of every patch, at (±0.25, ±0.3): velocity of the hull there less that of the belt.
    for side, y in (("left", 0.3), ("right", -0.3)):
        for number, x in ((1, -0.25), (2, 0.25)):
            ahead = found["vx"] - found["rate"] * y - 0.12 * found[side]
            slip = math.hypot(ahead, found["vy"] + found["rate"] * x)
            assert run.quantity(f"slip({side} {number})")[-1] == pytest.approx(slip, rel=1e-13)


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
    # Newton and Euler with loads of least norm, by another integrator, on a slope of 15° with a weight aside and high up.
    slope, mass, mu, com = math.radians(15), 50.0, 0.5, np.array([0.06, -0.04, 0.12])
    system = vehicle((-24.0, 24.0), patches=3, mu=mu, body='com="60, -40, 120" turn="0, 15, 0"')
    patches = np.array([(x, y) for y in SIDES.values() for x in (-1 / 3, 0.0, 1 / 3)])
    down = 9.81 * np.array([math.sin(slope), 0.0, -math.cos(slope)])  # in the plane: x along the fall

    def loads(directions: np.ndarray) -> np.ndarray:
        # N = Aᵀ p, with no moment of all that acts about the axes in the plane through the centre of mass.
        A = np.vstack([np.ones(6), patches.T])
        arms = np.column_stack([patches - com[:2], np.full(6, -com[2])])
        unit = np.column_stack([-mu * directions.T, np.ones(6)])
        moments = np.cross(arms, unit)[:, :2]
        return A.T @ np.linalg.solve(np.vstack([np.ones(6), moments.T]) @ A.T, [-mass * down[2], 0.0, 0.0])

    def ways(y: np.ndarray) -> np.ndarray:
        angle, vx, vy, w, left, right = y[2], *y[3:]
        c, s = math.cos(angle), math.sin(angle)
        belts = 0.12 * np.repeat([left, right], 3)
        slip = np.array([c * vx + s * vy - w * patches[:, 1] - belts, c * vy - s * vx + w * patches[:, 0]])
        return np.asarray(slip / np.hypot(*slip))

    def rates(_: float, y: np.ndarray) -> list[float]:
        angle, vx, vy, w, left, right = y[2], *y[3:]
        c, s = math.cos(angle), math.sin(angle)
        force = -mu * loads(ways(y)) * ways(y)
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

    # Slips begin at rest, against accelerations that follow from them; so the first moment has its loads as well.
    def lacking(a: np.ndarray) -> np.ndarray:
        return np.asarray(rates(0.0, np.array([0.0, 0.0, 0.0, *(1e-200 * a)]))[3:]) - a

    a, begun = fsolve(lacking, v[0] / t0, xtol=1e-12), 1e-6
    first = [*(a[:3] * begun**2 / 2), *(a * begun)]
    whole = solve_ivp(rates, (begun, t0), first, method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]
    assert np.abs(whole - np.array([*q[0][:3], *v[0]])).max() < 1e-9
    now = [run.quantity(f"normal({side} {i + 1})", [1.0])[0] for side in SIDES for i in range(3)]
    q, v = run(1.0)
    assert np.allclose(now, loads(ways(np.array([*q[:3], *v]))), rtol=1e-12)


def test_stick_and_slide_on_a_slope() -> None:
    # Sprockets that nothing turns roll down; held by locks, the vehicle stands or slides as a block does.
    slope = math.radians(20)

    def braked(mu: float) -> Run:
        held = '<links><lock name="brake" of="left sprocket, right sprocket"/></links>'
        return vehicle((0.0, 0.0), mu=mu, body='turn="0, 20, 0"', more=held).simulate(1.0)

    stands = braked(0.6)
    assert np.abs(stands.v[-1]).max() < 1e-15
    # How the patches share their friction is not determined: that is said, and what each of them presses with is.
    (noted,) = stands.noted
    assert noted.code == "shared-friction"
    assert "left 1 to right 2" in noted.line("en") and "от left 1 до right 2" in noted.line("ru")
    assert not braked(0.3).noted
    sliding = braked(0.3).v[-1][0]
    assert sliding == pytest.approx(9.81 * (math.sin(slope) - 0.3 * math.cos(slope)), rel=1e-12)


@pytest.mark.parametrize("com", ["0, 0, 0", "150, 40, 100"])
def test_patches_that_stick_share_their_friction_by_what_they_carry(com: str) -> None:
    """A vehicle that stands on a slope pulls at every patch with the same part of its load: the tangent of the slope."""
    slope = math.radians(20)
    held = '<links><lock name="brake" of="left sprocket, right sprocket"/></links>'
    run = vehicle((0.0, 0.0), patches=3, body=f'turn="0, 20, 0" com="{com}"', more=held).simulate(0.5)
    names = [f"{side} {i}" for side in SIDES for i in (1, 2, 3)]
    normals = [run.quantity(f"normal({name})", [0.3])[0] for name in names]
    wholes = [run.quantity(f"force({name})", [0.3])[0] for name in names]
    assert sum(normals) == pytest.approx(50 * 9.81 * math.cos(slope), rel=1e-12)
    np.testing.assert_allclose(wholes, np.array(normals) / math.cos(slope), rtol=1e-11)


def test_force_of_a_patch() -> None:
    # A block that slides down: N and μ N.
    run = vehicle((0.0, 0.0), mu=0.3, body='turn="0, 20, 0"', more=BRAKE).simulate(0.3)
    for name in (f"{side} {i}" for side in SIDES for i in (1, 2)):
        whole, normal = (run.quantity(f"{what}({name})", [0.2])[0] for what in ("force", "normal"))
        assert whole == pytest.approx(math.hypot(1.0, 0.3) * normal, rel=1e-13)


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


def test_applied_forces_are_those_of_motion() -> None:
    # Inertia and weight take up just what acts, where nothing drives.
    system = vehicle((0.0, 0.0), patches=3, mu=0.5, body='com="60, -40, 250" turn="0, 12, 5"')
    rng = np.random.default_rng(3)
    q, v = rng.normal(size=(4, 5)), rng.normal(size=(4, 5))
    a = system.forward_dynamics(q, v, np.zeros((4, 5)), applied=True)
    assert np.allclose(system.inverse_dynamics(q, v, a), system.applied_forces(q, v), rtol=1e-11, atol=1e-11)


BRAKE = '<links><lock name="brake" of="left sprocket, right sprocket"/></links>'


def loads_of(run: Run, count: int, t: float) -> np.ndarray:
    """What all patches carry at a time, those on the left first."""
    return np.array([run.quantity(f"normal({side} {i + 1})", [t])[0] for side in SIDES for i in range(count)])


def test_load_transfer_of_a_vehicle_that_brakes() -> None:
    # Belts that are locked slide: a = −μ g, and Σ N x = m μ g h. Six patches at ±1/3, 0: N = m g / 6 + m μ g h x / Σ x².
    mu, h, x = 0.4, 0.3, np.tile([-1 / 3, 0.0, 1 / 3], 2)
    start = '<start><coordinate of="hull.x" rate="3 m/s"/></start>'
    system = vehicle((0.0, 0.0), patches=3, mu=mu, body='com="0, 0, 300"', more=BRAKE + start)
    run = system.simulate(2.0)
    stop = 3.0 / (mu * 9.81)
    assert run.passages[0].time == pytest.approx(stop, rel=1e-13)
    assert run(0.5)[1][0] == pytest.approx(3.0 - mu * 9.81 * 0.5, rel=1e-13)
    sliding = 50 * 9.81 * (1 / 6 + mu * h * x / np.sum(x**2))
    assert np.allclose(loads_of(run, 3, 0.5), sliding, rtol=1e-12)
    assert np.allclose(loads_of(run, 3, 1.5), 50 * 9.81 / 6, rtol=1e-12)  # at rest again


def test_load_transfer_of_a_vehicle_that_drives_off() -> None:
    # Without slip: Σ N x = −m a h, with the rotors in the mass that is moved alone.
    run = vehicle((24.0, 24.0), mu=1.5, patches=3, body='com="50, 0, 250"').simulate(0.5)
    assert not run.passages
    mass, k = 50 + 2 * 0.4 / 0.12**2, 2 * (30 * 0.03) ** 2 / 0.5 / 0.12**2
    a = 24 / (30 * 0.03) * 0.12 * k / mass * math.exp(-k / mass * 0.3)
    x = np.tile([-1 / 3, 0.0, 1 / 3], 2)
    wanted = 50 * 9.81 / 6 + (50 * 9.81 * 0.05 - 50 * a * 0.25) * x / np.sum(x**2)
    assert np.allclose(loads_of(run, 3, 0.3), wanted, rtol=1e-11)


@pytest.mark.parametrize("brakes", [True, False])
def test_loads_on_a_slope(brakes: bool) -> None:
    # Standing, the foot of the weight is h tan(slope) down the hill; rolling freely down without friction in the way of
    # a, what acts along the slope passes through nothing but the sprockets.
    slope, h, x = math.radians(15), 0.3, np.tile([-1 / 3, 0.0, 1 / 3], 2)
    more = BRAKE if brakes else ""
    run = vehicle((0.0, 0.0), patches=3, mu=0.9, body='com="0, 0, 300" turn="0, 15, 0"', more=more).simulate(0.5)
    g, down = 9.81 * math.cos(slope), 9.81 * math.sin(slope)
    a = 0.0 if brakes else 50 * down / (50 + 2 * 0.4 / 0.12**2)
    # About O: weight along the slope at h, less what accelerates there; the spin of the sprockets takes a moment too.
    moment = 50 * (down - a) * h - (0.0 if brakes else 2 * 0.4 * a / 0.12)
    assert np.allclose(loads_of(run, 3, 0.3), 50 * g / 6 + moment * x / np.sum(x**2), rtol=1e-12)


def test_a_patch_that_would_pull_carries_nothing() -> None:
    # A weight far ahead, which brakes: rear patches are lifted, the others carry p + q x, from sums over them.
    mu, h, x0, x = 0.5, 0.4, 0.08, np.tile((np.arange(6) + 0.5) / 6 - 0.5, 2)
    start = '<start><coordinate of="hull.x" rate="2 m/s"/></start>'
    run = vehicle((0.0, 0.0), patches=6, mu=mu, body='com="80, 0, 400"', more=BRAKE + start).simulate(0.6)
    N, M = 50 * 9.81, 50 * 9.81 * (x0 + mu * h)

    down = x > -0.2
    sums = [[(x[down] ** (i + j)).sum() for j in (0, 1)] for i in (0, 1)]
    p = np.linalg.solve(sums, [N, M])
    assert ((p[0] + p[1] * x > 0.0) == down).all()
    wanted = np.where(down, p[0] + p[1] * x, 0.0)
    assert (wanted == 0.0).sum() == 4  # two a side
    assert np.allclose(loads_of(run, 6, 0.2), wanted, rtol=1e-11, atol=1e-9)
    assert run(0.2)[1][0] == pytest.approx(2.0 - mu * 9.81 * 0.2, rel=1e-13)
    # At rest all of them are down again.
    assert (loads_of(run, 6, 0.59) > 10.0).all()


def test_loads_follow_an_arm_that_moves() -> None:
    # A point of 5 kg at 0.8 m on an arm that swings up while the vehicle stands: N = Σ m (g + z̈), moments about O.
    arm = """<body name="arm" joint="revolute" axis="y" place="100, 50, 200" mass="5" com="800, 0, 0" inertia="0, 0, 0">
        <motion value="-0.9 rad*sin(2*t/1 s)"/></body>"""
    run = vehicle((0.0, 0.0), patches=2, mu=2.0, more=BRAKE, inside=arm).simulate(1.0)
    assert not run.passages and np.abs(run.v[-1][:3]).max() < 1e-14
    for t in (0.0, 0.35, 0.9):
        up, rate, gain = 0.9 * math.sin(2 * t), 1.8 * math.cos(2 * t), -3.6 * math.sin(2 * t)
        x, z = 0.1 + 0.8 * math.cos(up), 0.2 + 0.8 * math.sin(up)
        ax = 0.8 * (-gain * math.sin(up) - rate**2 * math.cos(up))
        az = 0.8 * (gain * math.cos(up) - rate**2 * math.sin(up))
        whole = [50 * 9.81 + 5 * (9.81 + az), 5 * (x * (9.81 + az) - z * ax), 5 * 0.05 * (9.81 + az)]
        px, py = np.tile([-0.25, 0.25], 2), np.repeat([0.3, -0.3], 2)
        wanted = whole[0] / 4 + whole[1] * px / np.sum(px**2) + whole[2] * py / np.sum(py**2)
        assert np.allclose(loads_of(run, 2, t), wanted, rtol=1e-12)
        # All is on the patches: the joint of the hull carries nothing.
        assert abs(run.quantity("force(hull)", [t])[0]) < 1e-9


def test_what_holds_from_outside_loads_the_tracks() -> None:
    # A bar from the top of the hull to a post keeps it from rolling down: all that the slope pulls goes through it, and
    # half of its weight across the slope is on the hull.
    slope, x = math.radians(12), np.tile([-0.25, 0.25], 2)
    c, s = math.cos(slope), math.sin(slope)
    bar = '<body name="bar" joint="revolute" axis="y" place="0, 0, 0.5 m" mass="2" com="-500, 0, 0" inertia="0.1, 0.1, 0.1"/>'
    post = f"{-c + 0.5 * s!r} m, 0, {s + 0.5 * c!r} m"
    tied = f'<links><closure name="tie" joint="spherical" body="bar" at="-1 m, 0, 0" to="0" at-to="{post}"/></links>'
    body = 'com="0, 0, 200" turn="0, 12, 0"'
    run = vehicle((0.0, 0.0), mu=0.9, body=body, inside=bar, more=tied).simulate(0.2)
    assert run.quantity("force(tie)", [0.1])[0] == pytest.approx(9.81 * math.hypot(52 * s, c), rel=1e-12)
    moment = 50 * 9.81 * s * (0.2 - 0.5)
    assert np.allclose(loads_of(run, 2, 0.1), 51 * 9.81 * c / 4 + moment * x / np.sum(x**2), rtol=1e-12)
    assert abs(run.quantity("force(hull)", [0.1])[0]) < 1e-9


def soft(shear: float, **more: object) -> str:
    """Attributes of tracks on soft ground."""
    given = " ".join(f'{key}="{value}"' for key, value in more.items())
    return f'shear="{shear!r} m" {given}'


def test_soft_ground_by_another_integrator() -> None:
    # Vehicle, loads and shear by Newton and Euler in SciPy, on a slope, turning on the spot.
    slope, mass, mu, K, com = math.radians(10), 50.0, 0.6, 0.03, np.array([0.05, -0.03, 0.15])
    body = 'com="50, -30, 150" turn="0, 10, 0"'
    system = vehicle((-12.0, 20.0), track=soft(K, patches=3, friction=mu), body=body)
    patches = np.array([(x, y) for y in SIDES.values() for x in (-1 / 3, 0.0, 1 / 3)])
    g, down = 9.81 * math.cos(slope), 9.81 * math.sin(slope)
    A = np.vstack([np.ones(6), patches.T])
    arms = np.column_stack([patches - com[:2], np.full(6, -com[2])])

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        angle, vx, vy, w, left, right = y[2:8]
        z = y[8:].reshape(6, 2)
        c, s = math.cos(angle), math.sin(angle)
        belt = 0.12 * np.repeat([left, right], 3)
        slip = np.column_stack([c * vx + s * vy - w * patches[:, 1] - belt, c * vy - s * vx + w * patches[:, 0]])
        unit = np.column_stack([-mu * z, np.ones(6)])
        N = A.T @ np.linalg.solve(np.vstack([np.ones(6), np.cross(arms, unit)[:, :2].T]) @ A.T, [mass * g, 0.0, 0.0])
        assert (N > 0).all()
        force = -mu * N[:, None] * z
        fx, fy = force.sum(axis=0) + mass * down * np.array([c, -s])
        gain = float(np.sum((patches[:, 0] - com[0]) * force[:, 1] - (patches[:, 1] - com[1]) * force[:, 0])) / 4.0
        ax, ay = fx / mass + gain * com[1] + w * w * com[0], fy / mass - gain * com[0] + w * w * com[1]
        drive = [30 * 0.03 * (u - 30 * 0.03 * rate) / 0.5 for u, rate in ((-12.0, left), (20.0, right))]
        turns = [(drive[i] - 0.12 * force[3 * i : 3 * i + 3, 0].sum()) / 0.4 for i in (0, 1)]
        grown = (slip - np.hypot(*slip.T)[:, None] * z) / K
        for side in (0, 1):
            own, u = z[3 * side : 3 * side + 3], belt[3 * side]
            before = np.vstack([own[1:], np.zeros(2)]) if u > 0 else np.vstack([np.zeros(2), own[:-1]])
            grown[3 * side : 3 * side + 3] -= abs(u) / (1 / 3) * (own - before)
        return np.array([vx, vy, w, c * ax - s * ay, s * ax + c * ay, gain, *turns, *grown.ravel()])

    run = system.simulate(2.0)
    assert not run.passages
    assert system.model.memory_names[0] == "shear(left 1 ahead)"
    found = solve_ivp(rates, (0.0, 2.0), np.zeros(20), method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    assert np.abs(found[:8] - np.array([*run.q[-1][:3], *run.v[-1]])).max() < 1e-9


def test_soft_ground_under_a_vehicle_that_brakes() -> None:
    # Belts that stand still shear: z = 1 − exp(−x / K), so v² / 2 = v₀² / 2 − μ g (x − K z). Without K it is Coulomb's.
    mu, v0 = 0.5, 2.0
    start = f'<start><coordinate of="hull.x" rate="{v0} m/s"/></start>'
    apart = []
    for K in (0.02, 0.002):
        run = vehicle((0.0, 0.0), track=soft(K, patches=2, friction=mu), more=BRAKE + start).simulate(0.3)
        for t in (0.01, 0.1, 0.3):
            q, v = run(t)
            left = v0**2 / 2 - mu * 9.81 * (q[0] - K * -math.expm1(-q[0] / K))
            assert v[0] ** 2 / 2 == pytest.approx(left, rel=1e-11)
        apart.append(float(v[0] - (v0 - mu * 9.81 * 0.3)))
    assert apart[1] == pytest.approx(apart[0] / 10, rel=0.05) and 0 < apart[1] < 0.01


def test_soft_ground_holds_a_vehicle() -> None:
    # On a slope it gives way at first, and swings about where its strength is used up as far as it must be. It loses
    # energy with every swing, which the vehicle gets by creeping down: less and less.
    slope, K = math.radians(12), 0.02
    run = vehicle((0.0, 0.0), track=soft(K, patches=2, friction=0.8), body='turn="0, 12, 0"', more=BRAKE).simulate(20.0)
    first = K / 2 * -math.log1p(-2 * math.tan(slope) / 0.8)  # beyond where it would rest: it comes with some speed
    x = run.quantity("x(hull)", [1.0, 9.0, 10.0, 19.0, 20.0]) / math.cos(slope)
    assert x[0] > first / 2 and 0 < x[4] - x[3] < (x[2] - x[1]) / 2 < x[0] / 10
    kept = run.quantity("energy()", [1.0, 10.0, 20.0])
    assert kept[0] > kept[1] > kept[2]


def test_pull_of_a_belt_on_soft_ground() -> None:
    # A hull that is held, belts that run: 1 − z falls by 1 + d / K from patch to patch, from the front; with ever smaller
    # patches that is the integral of Janosi and Hanamoto, μ N (1 − K / L (1 − exp(−L / K))).
    mu, K, errors = 0.7, 0.15, []
    whole = mu * 50 * 9.81 * (1 + K * math.expm1(-1 / K))
    for count in (6, 12, 24):
        motions = "".join(f'<motion of="{side} sprocket" value="5 rad*t/1 s"/>' for side in SIDES)
        held = '<links><lock name="wall" of="hull"/></links>'
        run = vehicle((0.0, 0.0), track=soft(K, patches=count, friction=mu), more=held + motions).simulate(15.0)
        d = 1 / count
        wanted = mu * 50 * 9.81 * np.mean(1 - (1 + d / K) ** -np.arange(1.0, count + 1))
        pull = float(run.quantity("reaction(wall).x", [15.0])[0])
        assert -pull == pytest.approx(wanted, rel=1e-9)
        errors.append(wanted - whole)
    assert abs(errors[0]) > 2 * abs(errors[1]) > 4 * abs(errors[2]) and abs(errors[2]) < 0.002 * whole


def test_a_weight_too_far_out() -> None:
    system = vehicle((24.0, 24.0), body='com="400, 0, 0"')
    with pytest.raises(sistel.SistelError, match="would tip over"):
        system.simulate(0.1)


def test_written_and_read_again() -> None:
    for own in ("", 'rolls="ideal" widening="1.5"', 'friction="0.5" shear="25 mm"'):
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
