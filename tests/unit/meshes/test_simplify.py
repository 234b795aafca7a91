"""Fewer triangles: how far the surfaces are apart is no less than trimesh finds, and what is flat stays where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sistel.meshes import Mesh, Paint, simplify


def sphere(count: int, radius: float = 1.0) -> Mesh:
    """A closed ball of rings, with poles of their own."""
    a = np.linspace(0, np.pi, count + 1)[1:-1]
    b = np.linspace(0, 2 * np.pi, 2 * count, endpoint=False)
    rings = np.array([(np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u)) for u in a for v in b])
    points = radius * np.vstack([rings, [(0, 0, 1), (0, 0, -1)]])
    wide, rows = 2 * count, count - 1
    triangles = []
    for i in range(wide):
        j = (i + 1) % wide
        triangles += [(rows * wide, i, j), (rows * wide + 1, (rows - 1) * wide + j, (rows - 1) * wide + i)]
        for k in range(rows - 1):
            at, to = k * wide, (k + 1) * wide
            triangles += [(at + i, to + i, to + j), (at + i, to + j, at + j)]
    return Mesh(points=points, triangles=np.array(triangles, dtype=np.int32))


def sheet(count: int) -> Mesh:
    """A flat square of many triangles; half of it has another colour."""
    x, y = np.meshgrid(np.arange(count + 1), np.arange(count + 1), indexing="ij")
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)]) / count
    triangles, paint = [], []
    for i in range(count):
        for j in range(count):
            a = i * (count + 1) + j
            triangles += [(a, a + count + 1, a + 1), (a + 1, a + count + 1, a + count + 2)]
            paint += 2 * [int(2 * i >= count)]
    return Mesh(
        points=points,
        triangles=np.array(triangles, dtype=np.int32),
        paint=np.array(paint, dtype=np.int32),
        paints=(Paint((1.0, 0.0, 0.0)), Paint((0.0, 0.0, 1.0))),
    )


def area(mesh: Mesh, chosen: Any = slice(None)) -> float:
    a, b, c = (mesh.points[mesh.triangles[chosen][:, k]] for k in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


def test_the_deviation_is_that_of_the_surfaces() -> None:
    trimesh = pytest.importorskip("trimesh")
    ball = sphere(24)
    made = simplify([ball], [1.0], 400)
    (mesh,) = made.meshes
    assert (made.before, made.after) == (len(ball.triangles), len(mesh.triangles))
    assert 350 < made.after <= 420
    body = trimesh.Trimesh(mesh.points, mesh.triangles, process=False)
    assert body.is_watertight
    _, far, _ = trimesh.proximity.closest_point_naive(body, ball.points)
    assert made.deviation == pytest.approx(far.max(), rel=1e-9)
    assert made.deviation < 0.05
    assert body.volume == pytest.approx(4 / 3 * np.pi, rel=0.05)


def test_what_is_flat_needs_few_triangles_and_keeps_its_colours() -> None:
    flat = sheet(20)
    made = simplify([flat], [1.0], 60)
    (mesh,) = made.meshes
    assert made.after <= 60 and made.deviation < 2e-4  # half a step of the grid that points are rounded to
    assert mesh.paint is not None
    for number in (0, 1):
        assert area(mesh, mesh.paint == number) == pytest.approx(0.5, rel=1e-3)
    assert mesh.points.min(axis=0) == pytest.approx([0, 0, 0], abs=1e-12)
    assert mesh.points.max(axis=0)[:2] == pytest.approx([1, 1], rel=1e-3)


def test_triangles_stay_where_they_show_most() -> None:
    """The same ball in millimetres and in metres, each with its scale: what is small in the scene gives way."""
    small, large = sphere(16), sphere(16, 1000.0)
    made = simplify([small, large], [1.0, 0.1], 900)
    assert made.before == 2 * len(small.triangles)
    # Collapses of one round do not touch one another, so that the small one keeps some.
    assert len(made.meshes[0].triangles) < 0.7 * len(made.meshes[1].triangles)
    whole = np.round((made.meshes[1].points - made.meshes[1].points.min(axis=0)) / made.meshes[1].grid)
    again = made.meshes[1].points.min(axis=0) + whole * made.meshes[1].grid
    np.testing.assert_allclose(again, made.meshes[1].points, atol=1e-9)


def test_few_triangles_are_left_alone() -> None:
    ball = sphere(6)
    made = simplify([ball], [1.0], 10_000)
    assert made.after == made.before == len(ball.triangles)
    assert made.deviation < 1e-3
