"""Cyclic coordinate descent: its angle against a search, its answers against forward kinematics."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import sistel


def turned(a: np.ndarray, angle: float) -> np.ndarray:
    K = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
    return np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K


def test_the_angle_is_the_best(rng: np.random.Generator) -> None:
    from sistel.solve.ik._ccd import best_turn

    for _ in range(20):
        a = rng.normal(size=3)
        a /= np.linalg.norm(a)
        U, D = (turned(v / np.linalg.norm(v), rng.uniform(-3, 3)) for v in rng.normal(size=(2, 3)))
        p, d, o = rng.normal(size=(3, 3))
        tool, target = np.concatenate([U.T.ravel(), p]), np.concatenate([D.T.ravel(), d])
        column = np.concatenate([a, np.cross(a, p - o)])
        turns = rng.uniform(0.1, 1.0, 3)
        found = best_turn(a, tool, target, column, turns, 1.0, 0.7)
        # From the nearest point of the axis, as the weight is measured.
        o = p - np.cross(column[3:], a)
        c, f = np.linalg.norm(p - o), np.linalg.norm(d - o)
        weight = (1 + min(c, f) / max(c, f)) * 0.49

        fits = []
        for angle in (found, *np.linspace(-math.pi, math.pi, 721)):
            R = turned(a, angle)
            place = weight * (d - o) @ (R @ (p - o))
            fits.append(place + sum(turns[j] * D[:, j] @ (R @ U[:, j]) for j in range(3)))
        assert fits[0] >= max(fits[1:]) - 1e-12


@pytest.mark.parametrize("name", ["panda_like", "stanford", "arm5"])
def test_targets_are_reached(models_dir: Path, rng: np.random.Generator, name: str) -> None:
    arm = sistel.load(models_dir / f"{name}.xml")
    frame = arm.model.frames[-1].name
    low = np.maximum([body.joint.minimum[0] for body in arm.bodies], -math.pi)
    high = np.minimum([body.joint.maximum[0] for body in arm.bodies], math.pi)
    X = arm.pose(rng.uniform(low, high, (100, arm.nq)), frame)
    found = arm.inverse_kinematics(X, frame, "ccd", task="pointing" if name == "arm5" else "pose")
    assert found.success.all()
    there = arm.pose(found.q, frame)
    assert np.sqrt(((there - X)[:, :3, 3] ** 2).sum(axis=1)).max() <= 1.0001e-3
    axes = range(2, 3) if name == "arm5" else range(3)
    for j in axes:
        assert np.sqrt((np.cross(there[:, :3, j], X[:, :3, j]) ** 2).sum(axis=1)).max() <= 1e-2
    assert (found.q >= [body.joint.minimum[0] for body in arm.bodies]).all()
    assert (found.q <= [body.joint.maximum[0] for body in arm.bodies]).all()


def test_position_alone(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    X = arm.pose([0.4, 0.7, -0.9, 0.0, 0.3, 0.0], "tool")
    found = arm.inverse_kinematics(X, "tool", "ccd", task="position", tolerance=1e-6)
    assert found.success and np.abs(found.residual[3:]).max() <= 1e-6
    far = X.copy()
    far[:3, 3] *= 10.0
    lost = arm.inverse_kinematics(far, "tool", "ccd", task="position", restarts=3, iterations=50)
    assert not lost.success and '"lm"' in lost.reason.en
