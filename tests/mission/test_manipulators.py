"""Rows C2, C5, C6, C9, C14 and D7 of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import sistel

# theta offset, d, a, alpha of the papers' arm in the standard convention, with alpha 4 = +90°, which its formulas need.
TABLE = ((0.071, 0.0, np.pi / 2), (0.0, 0.246, 0.0), (0.0, 0.163, 0.0), (0.0, 0.0, np.pi / 2), (0.165, 0.0, 0.0))


def denavit_hartenberg(theta: float, d: float, a: float, alpha: float) -> np.ndarray:
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]], dtype=float
    )


def test_C2(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    q = rng.uniform(-np.pi, np.pi, size=(200, 5))
    found = arm.pose(q, "инструмент")
    for pose, angles in zip(found, q, strict=True):
        expected = np.eye(4)
        for theta, (d, a, alpha) in zip(angles, TABLE, strict=True):
            expected = expected @ denavit_hartenberg(theta, d, a, alpha)
        # The tool of the table looks along z; the frame of the file may be turned about it.
        assert np.abs(pose[:3, 3] - expected[:3, 3]).max() < 1e-12
        assert np.abs(pose[:3, 2] - expected[:3, 2]).max() < 1e-12
    # Closed form of the height, misprints of the paper corrected: d1 + a2 s2 + a3 s23 - d5 c234.
    s2, s23, c234 = np.sin(q[:, 1]), np.sin(q[:, 1] + q[:, 2]), np.cos(q[:, 1] + q[:, 2] + q[:, 3])
    assert np.abs(found[:, 2, 3] - (0.071 + 0.246 * s2 + 0.163 * s23 - 0.165 * c234)).max() < 1e-12


def test_C5(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    low, high = (np.array([getattr(body.joint, end)[0] for body in arm.bodies]) for end in ("minimum", "maximum"))
    X = arm.pose(rng.uniform(low, high, (500, 5)), "инструмент")
    for weights in ("pose", (0.2, 0.2, 0.2, 1.0, 1.0, 1.0)):
        found = arm.inverse_kinematics(
            X, "инструмент", task=weights, damping=(0.1, 4.0, 0.7), tolerance=1e-8, iterations=60, restarts=200
        )
        assert found.success.all() and np.median(found.iterations) < 20
        there = arm.pose(found.q, "инструмент")
        # Twice the sine of half the angle, and the way: both below what was asked, by forward kinematics.
        turn = np.sqrt(((there - X)[:, :3, :3] ** 2).sum(axis=(1, 2)) / 2)
        assert turn.max() < 1.01e-8 and np.sqrt(((there - X)[:, :3, 3] ** 2).sum(axis=1)).max() < 1.01e-8


def test_C6(models_dir: Path) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    q = np.radians([20.0, 70.0, -40.0, 50.0, 10.0])
    taken = arm.pose(q, "инструмент")
    found = arm.inverse_kinematics(taken, "инструмент", q=q + 0.2)
    assert found.success and np.abs(found.q - q).max() < 1e-6
    # Typed with seven digits: the axes are made exact, and the posture is the same to as many.
    typed = arm.inverse_kinematics(np.round(taken, 7), "инструмент", q=q + 0.2, task="pointing")
    assert typed.success and np.abs(arm.pose(typed.q, "инструмент")[:3, 2:] - taken[:3, 2:]).max() < 3e-7


def test_C9(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    step = 1e-2
    # Central differences of order eight: the error is of the order step^8, below rounding / step here.
    weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}

    def slope(function, q: np.ndarray, direction: np.ndarray) -> np.ndarray:  # type: ignore[no-untyped-def]
        total = 0.0
        for k, weight in weights.items():
            total = total + weight * (function(q + k * step * direction) - function(q - k * step * direction))
        return total / step

    def potential(q: np.ndarray) -> np.ndarray:
        return arm.energies(q, np.zeros(5))[1]

    for _ in range(20):
        q, v, a = rng.uniform(-np.pi, np.pi, 5), rng.normal(size=5), rng.normal(size=5)
        lagrange = arm.mass_matrix(q) @ a + slope(arm.mass_matrix, q, v) @ v
        for i, unit in enumerate(np.eye(5)):
            lagrange[i] += slope(potential, q, unit) - 0.5 * v @ slope(arm.mass_matrix, q, unit) @ v
        found = arm.inverse_dynamics(q, v, a)
        assert np.abs(found - lagrange).max() < 1e-10 * max(1.0, np.abs(lagrange).max())


def test_C14(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "arm5.xml")
    low, high = (np.array([getattr(body.joint, end)[0] for body in arm.bodies]) for end in ("minimum", "maximum"))
    X = arm.pose(rng.uniform(low, high, (100, 5)), "инструмент")
    # Places within reach, orientations of any kind: rotations of the first factor of random matrices.
    for pose in X:
        Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
        Q = Q * np.sign(np.diag(R))
        pose[:3, :3] = Q * np.sign(np.linalg.det(Q))
    found = arm.inverse_kinematics(X, "инструмент", restarts=30)
    assert found.success.sum() <= 1
    for i in np.flatnonzero(~found.success):
        assert "6 components and only 5 coordinates" in found.reason[i].en
        assert "6 составляющих" in found.reason[i].ru and "remain" in found.reason[i].en
    # What is offered is a pose of the arm, and what remains to the target is what is said.
    assert np.abs(arm.pose(found.q, "инструмент") - found.nearest).max() < 1e-12
    way = np.einsum("nji,nj->ni", X[:, :3, :3], X[:, :3, 3] - found.nearest[:, :3, 3])
    assert np.abs(way - found.residual[:, 3:]).max() < 1e-12


def test_D7(models_dir: Path, rng: np.random.Generator) -> None:
    arm = sistel.load(models_dir / "puma560.xml")
    low, high = (np.array([getattr(body.joint, end)[0] for body in arm.bodies]) for end in ("minimum", "maximum"))
    X = arm.pose(rng.uniform(low, high, (200, 6)), "tool")
    found = arm.inverse_kinematics(X, "tool", "ccd", tolerance=(0.01, 1e-3))
    there = arm.pose(found.q, "tool")
    assert found.success.sum() == 200
    assert np.sqrt(((there - X)[:, :3, 3] ** 2).sum(axis=1)).max() <= 1.0001e-3
    assert np.sqrt(((there - X)[:, :3, :3] ** 2).sum(axis=(1, 2)) / 2).max() <= 0.01
