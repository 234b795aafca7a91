"""Rays against meshes of all formats: what sensors read, against the triangles of trimesh, which counts in double."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.thorough import cases

import sistel

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed")

pytestmark = pytest.mark.peer

COUNT = 1000
"""Rays of one lidar."""


def rock(folder: Path, suffix: str) -> object:
    """A dented ball of 320 triangles as a file; what trimesh reads of it."""
    mesh = trimesh.creation.icosphere(subdivisions=2, radius=0.5)
    rng = np.random.default_rng(5)
    mesh.vertices = mesh.vertices * rng.uniform(0.6, 1.4, size=(len(mesh.vertices), 1))
    path = folder / f"rock{suffix}"
    if suffix == ".gltf":
        for name, data in trimesh.exchange.gltf.export_gltf(trimesh.Scene(mesh)).items():
            (path if name.endswith(".gltf") else folder / name).write_bytes(data)
    else:
        mesh.export(path)
    return trimesh.load(path, force="mesh")


def nearest(corners: np.ndarray, origins: np.ndarray, ways: np.ndarray) -> np.ndarray:
    """How far it is along rays to the triangles of trimesh; infinite where nothing is met."""
    normals, sound = trimesh.triangles.normals(corners)
    assert sound.all()
    best = np.full(len(origins), np.inf)
    for triangle, normal in zip(corners, normals, strict=True):
        places, hit = trimesh.intersections.planes_lines(
            np.tile(triangle[0], (len(origins), 1)), np.tile(normal, (len(origins), 1)), origins, ways
        )
        met = np.flatnonzero(hit)
        inside = trimesh.triangles.points_to_barycentric(np.tile(triangle, (len(met), 1, 1)), places)
        along = np.einsum("ij,ij->i", places - origins[met], ways[met])
        good = (inside >= 0.0).all(axis=1) & (along >= 0.0)
        best[met[good]] = np.minimum(best[met[good]], along[good])
    return best


@pytest.mark.parametrize("suffix", [".stl", ".obj", ".glb", ".gltf"])
def test_rays_meet_what_trimesh_says(suffix: str, tmp_path: Path) -> None:
    compare(suffix, tmp_path, 3)


@pytest.mark.slow
def test_very_many_rays_meet_what_trimesh_says(tmp_path: Path) -> None:
    compare(".glb", tmp_path, cases(20, 100))


def compare(suffix: str, tmp_path: Path, readings: int) -> None:
    """Look at a mesh from random poses, along a thousand rays each."""
    mesh = rock(tmp_path, suffix)
    (tmp_path / "look.xml").write_text(
        f"""<system space="spatial"><gravity value="0"/><world><mesh file="rock{suffix}"/></world>
        <body name="eye" joint="free" mass="1" inertia="1,1,1"><frame name="lens" turn="0,20,0"/></body>
        <scheme name="s" period="0.01 s">
          <sensor name="d" kind="lidar" of="lens" count="{COUNT}" angles="-60, 60" range="9 m"/>
        </scheme></system>""",
        encoding="utf-8",
    )
    system = sistel.load(tmp_path / "look.xml")
    (sensor,) = system.model.schemes[0].sensors
    rays = sensor.meets
    assert rays is not None and not system.diagnostics
    # glTF has y up, and is read z up
    turned = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]]) if "gl" in suffix else np.eye(3)
    corners = np.asarray(mesh.triangles) @ turned.T
    rng = np.random.default_rng(6)
    ways = np.array([way for _, way in rays.ways])
    worst, met = 0.0, 0
    for _ in range(readings):
        place = rng.normal(size=3)
        place *= rng.uniform(0.2, 3.0) / np.linalg.norm(place)
        turn = trimesh.transformations.random_rotation_matrix(rng.random(3))[:3, :3]
        found = np.array(rays.routine.compute([*place, *turn.ravel(), 0, 0, 0, *np.eye(3).ravel()]))[:COUNT]
        origins, directions = np.tile(place, (COUNT, 1)), ways @ turn.T
        wanted = nearest(corners, origins, directions)
        same = np.isfinite(wanted) & (found < 1e8)
        met += int(same.sum())
        worst = max(worst, float(np.abs(found - wanted)[same].max(initial=0.0)))
        # a ray through an edge is met by neither or by both, within a rounding
        assert int((np.isfinite(wanted) != (found < 1e8)).sum()) == 0
    assert met > 0.1 * COUNT * readings
    assert worst < 1e-12, worst
