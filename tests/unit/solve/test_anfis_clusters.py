"""Clusters: separated heaps are found, and the formulas hold."""

from __future__ import annotations

import math

import numpy as np
import pytest

import sistel
from sistel.solve import anfis

HEAPS = np.array([[0.0, 0.0, 5.0], [10.0, 1.0, -5.0], [4.0, -3.0, 0.0], [-6.0, 2.0, 1.0]])


def heaps(rng: np.random.Generator, each: int = 60) -> np.ndarray:
    points = HEAPS[:, None, :] + rng.normal(scale=0.15, size=(len(HEAPS), each, 3))
    return rng.permutation(points.reshape(-1, 3))


def nearest(found: np.ndarray) -> np.ndarray:
    """Distance of each heap to the nearest centre."""
    return np.linalg.norm(HEAPS[:, None, :] - found, axis=2).min(axis=1)


def test_subtractive_finds_heaps(rng: np.random.Generator) -> None:
    points = heaps(rng)
    found = anfis.subtractive_clusters(points, radius=0.4)
    assert found.centres.shape == (4, 3)
    assert nearest(found.centres).max() < 0.3
    # Centres are points of the data.
    assert all((points == centre).all(axis=1).any() for centre in found.centres)
    box = points.max(axis=0) - points.min(axis=0)
    assert np.abs(found.widths - 0.4 * box / math.sqrt(8.0)).max() < 1e-15


def test_subtractive_is_chius_procedure(rng: np.random.Generator) -> None:
    points = rng.uniform(size=(80, 2))
    radius = 0.35
    unit = (points - points.min(axis=0)) / np.ptp(points, axis=0)

    def near(a: np.ndarray, b: np.ndarray, reach: float) -> float:
        return math.exp(-4.0 * math.dist(a, b) ** 2 / reach**2)

    potential = [sum(near(a, b, radius) for b in unit) for a in unit]
    first = max(potential)
    centres: list[int] = []
    while True:
        best = max(range(80), key=potential.__getitem__)
        height = potential[best]
        if centres and height < 0.15 * first:
            break
        far = min((math.dist(unit[best], unit[each]) for each in centres), default=math.inf)
        if centres and height <= 0.5 * first and far / radius + height / first < 1.0:
            potential[best] = 0.0
            continue
        centres.append(best)
        potential = [p - height * near(a, unit[best], 1.25 * radius) for p, a in zip(potential, unit, strict=True)]
    assert len(centres) > 4
    assert np.array_equal(anfis.subtractive_clusters(points, radius=radius).centres, points[centres])


@pytest.mark.parametrize("count", [1, 7, 40])
def test_subtractive_takes_as_many_as_asked(rng: np.random.Generator, count: int) -> None:
    found = anfis.subtractive_clusters(heaps(rng, 10), count=count)
    assert len(np.unique(found.centres, axis=0)) == count


def test_fuzzy_finds_heaps(rng: np.random.Generator) -> None:
    points = heaps(rng)
    for seed in range(5):
        found = anfis.fuzzy_clusters(points, count=4, seed=seed)
        assert nearest(found.centres).max() < 0.2


def test_fuzzy_is_a_fixed_point(rng: np.random.Generator) -> None:
    points = rng.uniform(size=(60, 2)) * [1.0, 50.0]
    found = anfis.fuzzy_clusters(points, count=3, tolerance=1e-12, rounds=5000)
    scale = np.ptp(points, axis=0)
    distance = np.linalg.norm((points[:, None, :] - found.centres) / scale, axis=2)
    u = np.array([[1.0 / sum((d / other) ** 2 for other in row) for d in row] for row in distance])
    centres = (u**2).T @ points / (u**2).sum(axis=0)[:, None]
    assert np.abs((centres - found.centres) / scale).max() < 1e-10
    spread = np.array([(u[:, i] ** 2) @ (points - centres[i]) ** 2 / (u[:, i] ** 2).sum() for i in range(3)])
    assert np.abs((found.widths - np.sqrt(spread)) / scale).max() < 1e-10


def test_fuzzy_is_deterministic(rng: np.random.Generator) -> None:
    points = rng.uniform(size=(100, 3))
    first, again = (anfis.fuzzy_clusters(points, count=5, seed=3) for _ in range(2))
    assert np.array_equal(first.centres, again.centres)
    assert np.array_equal(first.widths, again.widths)


def test_points_that_are_all_alike() -> None:
    points = np.ones((6, 2))
    assert len(anfis.subtractive_clusters(points).centres) == 1
    for found in (anfis.subtractive_clusters(points, count=3), anfis.fuzzy_clusters(points, count=3)):
        assert np.array_equal(found.centres, np.ones((3, 2)))
        assert (found.widths > 0).all()


@pytest.mark.parametrize(
    "words", [{"count": 0}, {"count": 7}, {"count": 2.5}, {"count": 2, "fuzziness": 1.0}, {"count": 2, "seed": -1}]
)
def test_bad_orders_are_refused(words: dict[str, float]) -> None:
    with pytest.raises(sistel.SistelError):
        anfis.fuzzy_clusters(np.eye(6), **words)  # type: ignore[arg-type]


@pytest.mark.parametrize("radius", [0.0, -1.0, math.nan, math.inf, "wide"])
def test_bad_radii_are_refused(radius: float) -> None:
    with pytest.raises(sistel.SistelError):
        anfis.subtractive_clusters(np.eye(6), radius=radius)
