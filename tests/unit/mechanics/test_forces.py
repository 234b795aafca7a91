"""Applied forces: springs, dampers, friction and stops of joints, springs between bodies, forces of the file."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from support.structures import at, gallery, parsed, poses, random_q, slope, tree_of

import sistel
from sistel.mechanics import Quantities, acts, applied_forces, moved
from sistel.mechanics._forces import spring_pull
from sistel.model import Model


def forces(model: Model, q: Any, v: Any, t: float = 0.0) -> Any:
    return np.array(applied_forces(Quantities(model, tree_of(model), list(q), list(v), t)).generalized, float)


def test_joints() -> None:
    """−k (q − rest) − c v − f sign v on every coordinate, in the order of the joint."""
    system = parsed(
        '<system><body name="a" joint="revolute" stiffness="8" rest="30" damping="0.5" friction="0.2" mass="1" inertia="1">'
        '<body name="b" joint="prismatic" axis="x" stiffness="100" damping="3" friction="4" rest="50" mass="1"/></body></system>'
    )
    rest = math.radians(30)
    for w in (-1.5, 0.0, 0.7):
        found = system.applied_forces([1.0, 0.2], [w, 2 * w])
        signs = (w > 0) - (w < 0)
        assert found[0] == pytest.approx(-8 * (1.0 - rest) - 0.5 * w - 0.2 * signs, abs=1e-14)
        assert found[1] == pytest.approx(-100 * 0.15 - 3 * 2 * w - 4 * signs, abs=1e-13)
    assert acts(system.model) and not acts(gallery("pendulum").model)


def test_a_ball_is_turned_back_along_its_rotation_vector(rng: np.random.Generator) -> None:
    """The moment is the slope of ½ k φ², in the axes of the body, also for turns beyond a half."""
    system = parsed(
        '<system space="spatial"><body name="a" joint="spherical" stiffness="6" mass="1" inertia="1"/></system>'
    )
    model = system.model
    for _ in range(10):
        q = random_q(model, rng)

        def stored(h: float, unit: Any, q: Any = q) -> float:
            w, *u = moved(model, q, list(unit), h)
            return 3.0 * (2 * math.atan2(math.hypot(*u), w)) ** 2

        expected = [-slope(lambda h, unit=unit: stored(h, unit), 2e-3) for unit in np.eye(3)]
        assert system.applied_forces(q, np.zeros(3)) == pytest.approx(np.array(expected), abs=1e-9)
    assert system.applied_forces([1.0, 0, 0, 0], np.zeros(3)) == pytest.approx(np.zeros(3), abs=0)


SOFT = '<system><body name="a" joint="prismatic" axis="x" min="-100" max="300" mass="1"><stop {} stiffness="5000" damping="{}"/></body></system>'


def test_soft_stops_push_and_never_pull() -> None:
    hard = parsed(SOFT.format('at="both"', 20))
    low = parsed(SOFT.format('at="min"', 0))
    for x, v, expected in (
        (0.0, 9.0, 0.0),
        (0.31, 0.0, -50.0),
        (0.31, 1.0, -70.0),
        (0.31, -1.0, -30.0),
        (0.31, -9.0, 0.0),
        (-0.12, 0.0, 100.0),
        (-0.12, -2.0, 140.0),
        (-0.12, 9.0, 0.0),
    ):
        assert hard.applied_forces([x], [v]) == pytest.approx([expected], abs=1e-10)
    assert low.applied_forces([0.5], [0.0]) == pytest.approx([0.0]) and low.applied_forces(
        [-0.2], [0.0]
    ) == pytest.approx([500.0])


def test_stops_of_a_free_body_are_at_places_of_its_pole() -> None:
    """As the papers mean them: the limit is of the place, not of the coordinate."""
    system = parsed(
        '<system><body name="a" joint="prismatic2" place="200,0" min="0,-1000" max="500,1000" mass="1"><stop at="both" stiffness="1000"/></body></system>'
    )
    assert system.applied_forces([0.29, 0.0], [0.0, 0.0]) == pytest.approx([0.0, 0.0])
    assert system.applied_forces([0.31, 0.0], [0.0, 0.0]) == pytest.approx([-10.0, 0.0], abs=1e-11)
    assert system.applied_forces([-0.21, 0.0], [0.0, 0.0]) == pytest.approx([10.0, 0.0], abs=1e-11)


SPRUNG = """<system space="spatial"><body name="a" joint="free" mass="1" inertia="1"><body name="b" joint="spherical" place="100,0,200" mass="1" inertia="1">
  <body name="c" joint="universal" axis="x" axis2="y" place="0,300,0" mass="1" inertia="1"/></body></body><body name="d" joint="prismatic" axis="1,2,2" mass="1"/>
  <spring name="s" body="c" at="10,20,30" to="d" at-to="-40,50,60" stiffness="200" length="{length}" damping="{damping}"/>
  <spring name="home" body="a" at="0,0,10" to="0" at-to="500,0,0" stiffness="30" length="0"/></system>"""


@pytest.mark.parametrize(("length", "damping"), [("150", "0"), ("0", "0"), ("0", "7"), ("150", "7")])
def test_springs_between_bodies(length: str, damping: str, rng: np.random.Generator) -> None:
    """The slope of ½ k (|d| − l)², and for dampers the power −c (d|d|/dt)²."""
    model = parsed(SPRUNG.format(length=length, damping=damping)).model
    springs = {spring.name: spring for spring in model.springs}

    def stretch(q: Any, name: str) -> float:
        X, s = poses(model, q), springs[name]
        return float(np.linalg.norm(at(X[s.second.body], s.second.p_BS) - at(X[s.first.body], s.first.p_BS)))

    def stored(q: Any) -> float:
        return 0.5 * 200 * (stretch(q, "s") - float(length) / 1000) ** 2 + 0.5 * 30 * stretch(q, "home") ** 2

    q, v = random_q(model, rng), list(rng.normal(size=model.nv))
    still = forces(model, q, [0.0] * model.nv)
    expected = [-slope(lambda h, unit=unit: stored(moved(model, q, list(unit), h))) for unit in np.eye(model.nv)]
    assert still == pytest.approx(np.array(expected), abs=1e-9 * stored(q))
    rate = float(slope(lambda h: stretch(moved(model, q, v, h), "s"), 2e-3))
    lost = np.dot(forces(model, q, v) - still, v)
    assert lost == pytest.approx(-float(damping) * rate**2, abs=1e-8)
    found = spring_pull(springs["s"], Quantities(model, tree_of(model), q, v))
    pull = 200 * (stretch(q, "s") - float(length) / 1000) + float(damping) * rate
    assert np.linalg.norm(np.array(found, float)) == pytest.approx(abs(pull), rel=1e-9)


def test_a_spring_without_length_pulls_nowhere() -> None:
    system = parsed(
        '<system><body name="a" joint="prismatic2" mass="1"/><spring name="s" body="a" to="0" stiffness="100" length="50" damping="3"/></system>'
    )
    assert system.applied_forces([0.0, 0.0], [1.0, 2.0]) == pytest.approx([0.0, 0.0], abs=0)
    assert system.applied_forces([0.0, 0.08], [0.0, 0.0]) == pytest.approx([0.0, -3.0], abs=1e-14)


FORCED = """<system space="spatial"><parameter name="k" value="3 N/m"/><body name="a" joint="free" mass="1" inertia="1"><body name="b" joint="revolute" axis="1,2,2" place="100,0,200" mass="1" inertia="1">
  <point name="tip" place="30,40,50"/><force name="f" value="k*x(tip), 2 N*sin(3 rad/s*t), -1 N" {force}/><moment name="m" value="1 N*m, angle(b)*2 N*m/rad, 0" {moment}/></body></body></system>"""


@pytest.mark.parametrize(("force", "moment"), [("", ""), ('in="body"', 'in="body"'), ('at="10,0,-20"', "")])
def test_forces_of_the_file(force: str, moment: str, rng: np.random.Generator) -> None:
    """Their power is the force times the velocity of its place, and the moment times the angular velocity."""
    model = parsed(FORCED.format(force=force, moment=moment)).model
    body = next(body for body in model.bodies if body.name == "b")
    q, v, t = random_q(model, rng), list(rng.normal(size=model.nv)), 0.4
    X = poses(model, q)
    R = X[body.number][:3, :3]
    f = np.array([3 * at(X[body.number], (0.03, 0.04, 0.05))[0], 2 * math.sin(1.2), -1])
    m = np.array([1.0, 2 * q[7], 0.0])
    f, m = (R @ f if "body" in force else f), (R @ m if "body" in moment else m)
    place = (0.01, 0.0, -0.02) if "at=" in force else (0.0, 0.0, 0.0)
    expected = []
    for unit in np.eye(model.nv):
        rate = slope(lambda h, unit=unit: poses(model, moved(model, q, list(unit), h))[body.number])
        spin = rate[:3, :3] @ R.T
        w = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        expected.append(f @ (rate @ [*place, 1.0])[:3] + m @ w)
    assert forces(model, q, v, t) == pytest.approx(np.array(expected), abs=1e-11)


@pytest.mark.parametrize("name", ["hopper", "andrews_squeezer", "slider_crank", "flyball_governor", "stick_slip"])
def test_what_is_compiled(name: str, rng: np.random.Generator) -> None:
    system = gallery(name)
    q = np.array([random_q(system.model, rng, 0.3) for _ in range(5)])
    v, t = rng.normal(size=(5, system.nv)), rng.uniform(0, 2, 5)
    found = system.applied_forces(q, v, t=t)
    for i in range(5):
        expected = forces(system.model, q[i], v[i], float(t[i]))
        assert found[i] == pytest.approx(expected, rel=1e-13, abs=1e-13 * np.abs(expected).max())


def test_forces_cannot_depend_on_reactions() -> None:
    with pytest.raises(sistel.SistelError):
        system = sistel.parse(
            '<system><body name="a" joint="revolute" mass="1" inertia="1"><force value="force(a), 0"/></body></system>'
        )
        system.applied_forces([0.0], [0.0])
