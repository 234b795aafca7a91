"""Velocities and accelerations of points and the rates of Jacobians, against differences of poses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.robots import gallery_files
from support.structures import at, gallery, poses, random_q, second_slope, slope, tree_of

from sistel.mechanics import Kinematics, Rates, moved

P = (0.1, -0.2, 0.3)
UNIT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


def spin_of(R: np.ndarray, rate: np.ndarray) -> np.ndarray:
    X = rate @ R.T
    return np.array([X[2, 1] - X[1, 2], X[0, 2] - X[2, 0], X[1, 0] - X[0, 1]]) / 2


@pytest.mark.parametrize("path", gallery_files(), ids=lambda path: path.stem)
def test_motion_of_points(path: Path, rng: np.random.Generator) -> None:
    """Accelerations of coordinates are part of it: q(h) = q ⊕ (v + ½ a h) h has them at h = 0.

    Chains of many hinges turn by the sum of their angles: velocities are scaled so that this sum is about 1.
    """
    model = gallery(path.stem).model
    tree = tree_of(model)
    q, v, a = random_q(model, rng), rng.normal(size=model.nv), rng.normal(size=model.nv)
    v, a = v / np.abs(v).sum(), a / np.abs(a).sum()
    number = model.bodies[-1].number
    p = P if not model.planar else (P[0], P[1], 0.0)

    def pose(h: float) -> np.ndarray:
        return poses(model, moved(model, q, list(v + a * h / 2), h))[number]

    X, rate, gain = pose(0.0), slope(pose), second_slope(pose)
    rates = Rates(Kinematics(tree, q), list(v), list(a))
    point = np.array([*p, 1.0])
    assert np.array(rates.velocity(number, p), float) == pytest.approx((rate @ point)[:3], abs=1e-11)
    assert np.array(rates.spin(number), float) == pytest.approx(spin_of(X[:3, :3], rate[:3, :3]), abs=1e-11)
    # Second differences: rounding is worth 2e-12 of the distance.
    size = 1e-10 * (1 + np.abs(at(X, p)).max())
    assert np.array(rates.acceleration(number, p), float) == pytest.approx((gain @ point)[:3], abs=size)
    assert np.array(rates.spin_rate(number), float) == pytest.approx(spin_of(X[:3, :3], gain[:3, :3]), abs=size)
    # Without accelerations, they are those of motion alone; with them, J a more.
    J = np.array(Kinematics(tree, q).jacobian(number, p), float)
    dJ = np.array(rates.jacobian_rate(number, p), float)
    bare = Rates(Kinematics(tree, q), list(v))
    moving = np.array([*bare.spin_rate(number), *bare.acceleration(number, p)], float)
    assert dJ @ v == pytest.approx(moving, abs=1e-12)
    whole = np.array([*rates.spin_rate(number), *rates.acceleration(number, p)], float)
    assert J @ a + moving == pytest.approx(whole, abs=1e-12)
    differences = slope(lambda h: Kinematics(tree, moved(model, q, list(v), h)).jacobian(number, p))
    assert dJ == pytest.approx(differences, abs=1e-11 * (1 + np.abs(J).max()))


@pytest.mark.parametrize("name", ["puma560", "quadruped", "spinning_top", "cart_pole", "universal_shaft"])
def test_the_face(name: str, rng: np.random.Generator) -> None:
    system = gallery(name)
    thing = (*system.model.points, *system.model.frames, *system.bodies)[0]
    q = np.array([random_q(system.model, rng) for _ in range(4)])
    v = rng.normal(size=(4, system.nv))
    found = system.jacobian_rate(q, v, thing.name)
    assert found.shape == (4, 6, system.nv)
    body, p, _ = system.model.place_of(thing.name)
    for i in range(4):
        rates = Rates(Kinematics(tree_of(system.model), q[i].tolist()), v[i].tolist())
        assert found[i] == pytest.approx(np.array(rates.jacobian_rate(body, p), float), abs=1e-12)
