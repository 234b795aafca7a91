"""Rows C2 and C9 of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

from pathlib import Path

import pytest

import sistel

np = pytest.importorskip("numpy")

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
