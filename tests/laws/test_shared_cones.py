"""What contacts carry is what moves the system: within Coulomb's cones, in reports and in ticks alike."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from scipy.optimize import minimize

import sistel

G, MASS, HEIGHT, MU = 9.81, 50.0, 0.2, 0.5
HALF = np.array([0.5, 0.3])
CORNERS = "ACEG"


@functools.cache
def _slope(angle: float, turn: float = 90.0, scheme: str = "") -> sistel.System:
    """A box on a floor under gravity that leans from it: as on an incline, whose way down is turned from x."""
    lean, way = np.radians(angle), np.radians(turn)
    down = np.array([np.sin(lean) * np.cos(way), np.sin(lean) * np.sin(way), -np.cos(lean)])
    along = ", ".join(f"{x:.17g}" for x in down)
    return sistel.parse(
        f'<system name="t" space="spatial"><gravity along="{along}"/><body name="b" joint="free" mass="{MASS}" '
        'inertia="2, 3, 4"><box name="s" size="1 m, 0.6 m, 0.4 m"/></body><links>'
        f'<contact name="c" of="s" surface="z = 0" friction="{MU}"/></links>{scheme}<start b.z="200"/></system>'
    )


def _feet(run: sistel.Run, t: float) -> tuple[np.ndarray, np.ndarray]:
    loads = run.reactions([t])
    places = {contact.name: contact.p_BP for contact in run.model.contacts}
    names = [f"c {letter}" for letter in CORNERS]
    return np.array([places[name] for name in names]), np.array([loads[name][0, 3:] for name in names])


@pytest.mark.parametrize("angle", [20.0, 26.0, 26.56])
def test_a_box_that_nearly_slips_down_an_incline(angle: float) -> None:
    """Normal forces follow from moments; friction is even until the upper corners can hold no more (tan 26.565° = ½)."""
    run = _slope(angle).simulate(0.05)
    places, forces = _feet(run, 0.02)
    lean = np.radians(angle)
    upper = places[:, 1] < 0.0
    shift = MASS * G * np.sin(lean) * HEIGHT / (4.0 * HALF[1])
    normal = MASS * G * np.cos(lean) / 4.0 + np.where(upper, -shift, shift)
    even = MASS * G * np.sin(lean) / 4.0
    held = min(even, MU * normal[upper][0])
    assert forces[:, 2] == pytest.approx(normal, rel=1e-12)
    assert np.abs(forces[upper, 1]) == pytest.approx(held, rel=1e-11)
    assert np.abs(forces[~upper, 1]) == pytest.approx(2.0 * even - held, rel=1e-11)
    assert np.abs(forces[:, 0]).max() < 1e-10


def test_the_loads_of_an_incline_are_the_shortest_within_all_cones() -> None:
    """Another minimiser, which knows balance and cones alone, finds no shorter forces."""
    run = _slope(26.4, 37.0).simulate(0.05)
    places, forces = _feet(run, 0.02)
    weight = MASS * G * np.array(run.model.gravity) / np.linalg.norm(run.model.gravity)
    A = np.concatenate([np.hstack([np.eye(3)] * 4), np.hstack([_cross(p) for p in places])])
    right = np.concatenate([-weight, np.zeros(3)])
    assert A @ forces.ravel() == pytest.approx(right, abs=1e-10 * MASS * G)
    inside = MU * forces[:, 2] - np.hypot(forces[:, 0], forces[:, 1])
    assert inside.min() > -1e-9 * MASS * G and (inside < 1e-6).sum() >= 1

    def room(x: np.ndarray) -> np.ndarray:
        each = x.reshape(4, 3)
        return np.asarray(MU * each[:, 2] - np.sqrt(each[:, 0] ** 2 + each[:, 1] ** 2))

    size = MASS * G
    best = minimize(
        lambda x: 0.5 * x @ x,
        forces.ravel() / size + 0.01,
        jac=lambda x: x,
        method="SLSQP",
        constraints=[
            {"type": "eq", "fun": lambda x: A @ x - right / size},
            {"type": "ineq", "fun": room},
        ],
        options={"ftol": 1e-15, "maxiter": 300},
    )
    assert best.success
    assert size * best.x == pytest.approx(forces.ravel(), abs=1e-4 * size)
    assert forces.ravel() @ forces.ravel() <= size * size * best.x @ best.x * (1.0 + 1e-9)


def _cross(p: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -p[2], p[1]], [p[2], 0.0, -p[0]], [-p[1], p[0], 0.0]])


@pytest.mark.parametrize("angle", [20.0, 26.4, 28.0])
def test_ticks_read_the_loads_that_are_told(angle: float) -> None:
    """Where corners stick within their cones, stick on their edge, and slide."""
    asked = [f"{what}(c {letter})" for what in ("normal", "tangent") for letter in CORNERS]
    signals = "".join(f'<signal name="s{i}" value="{text}"/>' for i, text in enumerate(asked))
    run = _slope(angle, 60.0, f'<scheme name="s" period="1/100">{signals}</scheme>').simulate(0.055)
    told = [float(run.quantity(text, [0.05])[0]) for text in asked]
    read = [float(run.quantity(f"s{i}", [0.05])[0]) for i in range(len(asked))]
    assert read == pytest.approx(told, rel=1e-10)
    assert sum(told[:4]) == pytest.approx(MASS * G * np.cos(np.radians(angle)), rel=1e-11)


def _balance(run: sistel.Run, t: float, mass: float, inertia: np.ndarray) -> tuple[float, float]:
    """What forces lack of the momentum that a free box gains, and their power of the energy: both by differences."""
    h = 2e-6

    def state(t: float) -> tuple[np.ndarray, float]:
        q, v = run(t)
        w, x, y, z = q[:4]
        R = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        )
        speed = R @ v[3:6]
        kinetic = 0.5 * mass * speed @ speed + 0.5 * inertia @ v[:3] ** 2
        return speed, float(kinetic + mass * G * q[6])

    (after, high), (before, low) = state(t + h), state(t - h)
    loads = {name: load for name, load in run.reactions([t]).items() if name != run.model.bodies[0].joint.name}
    force = sum(load[0, 3:] for load in loads.values())
    lack = force - mass * ((after - before) / (2 * h) + np.array([0.0, 0.0, G]))
    rubbed = -sum(float(run.quantity(f'tangent("{n}")', [t])[0] * run.quantity(f'slip("{n}")', [t])[0]) for n in loads)
    return float(np.abs(lack).max()), (high - low) / (2 * h) - rubbed


def test_feet_of_unlike_friction_slide_and_stick() -> None:
    """One foot sticks where others slide: how they share the load decides the motion, and is what is told."""
    feet = [(361, 114), (-59, 372), (-243, 271), (-359, -241), (112, -342)]
    mu = [0.21, 0.44, 0.13, 0.35, 0.48]
    points = "".join(f'<point name="p{i}" place="{x}, {y}, -100"/>' for i, (x, y) in enumerate(feet))
    contacts = "".join(
        f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="{each}"/>' for i, each in enumerate(mu)
    )
    run = sistel.parse(
        '<system name="t" space="spatial"><body name="b" joint="free" mass="2" inertia="0.1, 0.1, 0.1">'
        f'{points}</body><links>{contacts}</links><start b.z="100"/></system>'
    ).simulate(0.3, v=[0, 0, -1.2, 0.3, -0.1, 0])
    for t in (0.05, 0.15, 0.25):
        loads = run.reactions([t])
        for i, each in enumerate(mu):
            force = loads[f"c{i}"][0, 3:] if f"c{i}" in loads else np.zeros(3)
            assert force[2] >= -1e-9 and np.hypot(force[0], force[1]) <= each * force[2] * (1 + 1e-9) + 1e-9
        lack, power = _balance(run, t, 2.0, np.array([0.1, 0.1, 0.1]))
        assert lack < 1e-6 and abs(power) < 1e-5


def test_edges_that_cross_carry_what_turns_the_box() -> None:
    """Two edges that are parallel where the file starts: their contact was taken for one that says nothing."""
    system = sistel.parse(
        '<system name="t" space="spatial"><world><box name="floor" place="0,0,-500" size="40000,40000,1000"/>'
        '<box name="b0" place="0,0,106.6" size="87.4,233.8,213.2"/></world>'
        '<body name="o" joint="free" mass="1.827" inertia="0.00987,0.00864,0.01723">'
        '<box name="b1" size="229.3,246.2,64.7"/></body><links>'
        '<contact name="g" of="b1" to="floor" friction="0.29"/><contact name="c" of="b1" to="b0" friction="0.29"/>'
        '</links><start><coordinate of="o" place="0,0,20000"/></start></system>'
    )
    q = [-0.00947, 0.78478, 0.61856, 0.03766, 0.0164, -0.08844, 0.5347]
    q[:4] = list(np.array(q[:4]) / np.linalg.norm(q[:4]))
    run = system.simulate(0.5, q=q, v=[0.99, 0.96, 0.44, -0.13, -0.06, 0.33])
    crossed = [s for s in run.segments if "×" in s.structure and s.end - s.begin > 5e-3]
    assert crossed
    for stay in crossed:
        t = 0.5 * (stay.begin + stay.end)
        assert run.quantity(f'normal("{next(n for n in run.reactions([t]) if "×" in n)}")', [t])[0] > 0.01
        lack, power = _balance(run, t, 1.827, np.array([0.00987, 0.00864, 0.01723]))
        assert lack < 1e-5 and abs(power) < 1e-4


def test_six_legs_slide_and_one_of_them_carries_nothing() -> None:
    """Loads as even as can be would let a leg pull: without it the others are, and so it goes on for many steps."""
    feet = [(193.7, 220.0), (-264.9, 222.2), (-460.9, -74.1), (-281.1, -389.3), (-115.9, -284.6), (-66.2, -365.5)]
    points = "".join(f'<point name="p{i}" place="{x}, {y}, -100"/>' for i, (x, y) in enumerate(feet))
    contacts = "".join(f'<contact name="c{i}" point="p{i}" surface="z = 0" friction="0.3"/>' for i in range(6))
    run = sistel.parse(
        '<system name="t" space="spatial"><body name="b" joint="free" mass="2" inertia="0.1, 0.1, 0.1">'
        f'{points}</body><links>{contacts}</links><start b.z="100"/></system>'
    ).simulate(0.1, v=[0, 0, -0.7125, 0.1886, -0.3242, 0])
    assert run.steps < 40 and not run.events
    loads = run.reactions([0.05])
    normal = np.array([loads[f"c{i}"][0, 5] for i in range(6)])
    assert normal.sum() == pytest.approx(2.0 * G, rel=1e-12) and normal.min() >= -1e-12
    assert (normal < 1e-12).sum() == 1
    # The shortest: normals of those that push are a linear function of their places.
    pushes = normal > 0.0
    A = np.column_stack([np.ones(6), np.array(feet)])[pushes]
    assert A @ np.linalg.lstsq(A, normal[pushes], rcond=None)[0] == pytest.approx(normal[pushes], abs=1e-10)
    lack, power = _balance(run, 0.05, 2.0, np.array([0.1, 0.1, 0.1]))
    assert lack < 1e-6 and abs(power) < 1e-5
