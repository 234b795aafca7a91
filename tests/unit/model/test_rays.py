"""Rays against shapes: machine code against other algorithms, on many random rays, and against closed forms."""

from __future__ import annotations

import json
import math
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

import sistel
from sistel.expr import Graph, call
from sistel.kernels import compile_program
from sistel.model import Model

if TYPE_CHECKING:
    from sistel.arrays import Array

COUNT = 50_000


def placed(kind: str, rng: np.random.Generator, number: int, spatial: bool) -> str:
    place = ",".join(f"{x:.3f}" for x in rng.uniform(-4000, 4000, 3 if spatial else 2))
    turn = ",".join(f"{x:.3f}" for x in rng.uniform(-180, 180, 3 if spatial else 1))
    sizes = rng.uniform(100, 900, 3)
    size = ",".join(f"{x:.3f}" for x in (sizes if spatial else sizes[:2]))
    extra = {
        "box": f'size="{size}" turn="{turn}"',
        "sphere": f'radius="{sizes[0]:.3f}"',
        "circle": f'radius="{sizes[0]:.3f}"',
        "cylinder": f'radius="{sizes[0]:.3f}" length="{sizes[1]:.3f}" turn="{turn}"',
        "capsule": f'radius="{sizes[0] / 2:.3f}" length="{sizes[1]:.3f}" turn="{turn}"',
        "polygon": f'points="0,0, {sizes[0]:.1f},0, {sizes[0]:.1f},{sizes[1]:.1f}" turn="{turn}"',
        "polyline": f'points="0,0, {sizes[0]:.1f},{-sizes[2]:.1f}, {2 * sizes[0]:.1f},{sizes[1]:.1f}" turn="{turn}"',
    }[kind]
    return f'<{kind} name="o{number}" place="{place}" {extra}/>'


def world(kinds: list[str], spatial: bool) -> Model:
    rng = np.random.default_rng(3)
    shapes = "".join(placed(kind, rng, i, spatial) for i, kind in enumerate(kinds))
    space = 'space="spatial"' if spatial else ""
    return sistel.parse(
        f'<system {space}><world>{shapes}</world><body name="b" joint="free" mass="1" inertia="1">'
        '<frame name="eye"/></body><scheme name="s" period="1 s">'
        '<sensor name="r" kind="rangefinder" rays="eye" range="100 m"/></scheme></system>'
    ).model


def measured(model: Model, poses: Array) -> Array:
    """What machine code gives for poses of the body, and of the ground."""
    rays = model.sensor("r").meets
    assert rays is not None and rays.bodies == (0,)
    routine = rays.routine
    graph = Graph()
    given = graph.inputs("pose", routine.takes)
    kernel = compile_program(graph.program({"d": call(routine, given)}))
    still = [0, 0, 1, 0] if model.planar else [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    found = np.asarray(kernel(np.hstack([poses, np.tile(np.array(still, float), (len(poses), 1))])))
    return found[:, 0]


def least_positive(*distances: Array) -> Array:
    every = np.stack(distances)
    every = np.where(np.isnan(every) | (every < 0.0), np.inf, every)
    return np.asarray(every.min(axis=0))


def side(o: Array, d: Array, a: Array, b: Array) -> Array:
    """By solving o + t d = a + s (b − a) with numpy, row by row."""
    e = b - a
    matrices = np.stack([d, np.broadcast_to(-e, d.shape)], axis=2)
    found = np.linalg.solve(matrices, (a - o)[..., None])[..., 0]
    return np.where((found[:, 1] >= 0) & (found[:, 1] <= 1), found[:, 0], np.inf)


def flat_reference(model: Model, o: Array, d: Array) -> Array:
    """Sides one by one, circles by the roots of a polynomial."""
    found = []
    for shape in model.shapes:
        R, p = np.array(shape.R_BS, float)[:2, :2], np.array(shape.p_BS, float)[:2]
        if shape.kind == "circle":
            m = o - p
            b, c = np.einsum("ij,ij->i", m, d), np.einsum("ij,ij->i", m, m) - float(shape.sizes[0]) ** 2
            root = np.sqrt(np.where(b * b >= c, b * b - c, np.nan))
            found += [-b - root, -b + root]
            continue
        corners = np.array(shape.corners, float)
        if shape.kind == "box":
            x, y = float(shape.sizes[0]) / 2, float(shape.sizes[1]) / 2
            corners = np.array([(-x, -y), (x, -y), (x, y), (-x, y)])
        points = corners @ R.T + p
        pairs = list(zip(points, np.roll(points, -1, axis=0), strict=True))
        found += [side(o, d, a, b) for a, b in (pairs[:-1] if shape.kind == "polyline" else pairs)]
    return least_positive(*found)


def test_rays_in_the_plane_agree_with_another_algorithm() -> None:
    model = world(["box", "circle", "polygon", "polyline"] * 10, spatial=False)
    rng = np.random.default_rng(1)
    o, angle = rng.uniform(-6, 6, (COUNT, 2)), rng.uniform(-math.pi, math.pi, COUNT)
    d = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    wanted = flat_reference(model, o, d)
    found = measured(model, np.hstack([o, d]))
    hit = np.isfinite(wanted)
    assert 0.5 < hit.mean() < 0.99
    np.testing.assert_array_equal(found[~hit], 1e9)
    # A side that is nearly along the ray loses digits in both ways: less than one ray in 10⁴ is off by more.
    off = np.abs(found[hit] - wanted[hit])
    assert np.quantile(off, 0.9999) < 1e-12
    assert off.max() < 1e-9


def quadric(a: Array, b: Array, c: Array) -> tuple[Array, Array]:
    root = np.sqrt(np.where(b * b >= a * c, b * b - a * c, np.nan))
    return (-b - root) / a, (-b + root) / a


def spatial_reference(model: Model, o: Array, d: Array) -> Array:
    """Planes of faces one by one, quadrics by the roots of polynomials."""
    found = []
    for shape in model.shapes:
        R, p = np.array(shape.R_BS, float), np.array(shape.p_BS, float)
        q, w = (o - p) @ R, d @ R
        sizes = [float(size) for size in shape.sizes]
        if shape.kind == "sphere":
            b = np.einsum("ij,ij->i", q, w)
            found += quadric(np.ones(len(b)), b, np.einsum("ij,ij->i", q, q) - sizes[0] ** 2)
            continue
        if shape.kind == "box":
            for axis in range(3):
                for sign in (-1, 1):
                    t = (sign * sizes[axis] / 2 - q[:, axis]) / w[:, axis]
                    at = q + t[:, None] * w
                    inside = [np.abs(at[:, k]) <= sizes[k] / 2 for k in range(3) if k != axis]
                    found.append(np.where(inside[0] & inside[1], t, np.inf))
            continue
        r, h = sizes[0], sizes[1] / 2
        flat_q, flat_w = q[:, :2], w[:, :2]
        b, c = np.einsum("ij,ij->i", flat_q, flat_w), np.einsum("ij,ij->i", flat_q, flat_q) - r * r
        for t in quadric(np.einsum("ij,ij->i", flat_w, flat_w), b, c):
            found.append(np.where(np.abs(q[:, 2] + t * w[:, 2]) <= h, t, np.inf))
        for sign in (-1, 1):
            if shape.kind == "cylinder":
                t = (sign * h - q[:, 2]) / w[:, 2]
                at = flat_q + t[:, None] * flat_w
                found.append(np.where(np.einsum("ij,ij->i", at, at) <= r * r, t, np.inf))
            else:
                m = q - np.array([0, 0, sign * h])
                ends = quadric(np.ones(len(m)), np.einsum("ij,ij->i", m, w), np.einsum("ij,ij->i", m, m) - r * r)
                found += [np.where(sign * (q[:, 2] + t * w[:, 2]) >= h, t, np.inf) for t in ends]
    return least_positive(*found)


def test_rays_in_space_agree_with_another_algorithm() -> None:
    model = world(["box", "sphere", "cylinder", "capsule"] * 10, spatial=True)
    rng = np.random.default_rng(2)
    o = rng.uniform(-6, 6, (COUNT, 3))
    axes = np.linalg.qr(rng.normal(size=(COUNT, 3, 3)))[0]
    d = axes[:, :, 0]
    # With 64 bits, for the reference takes differences of squares near 100 m².
    wanted = spatial_reference(model, o.astype(np.longdouble), d.astype(np.longdouble)).astype(float)
    found = measured(model, np.hstack([o, axes.reshape(-1, 9)]))
    hit = np.isfinite(wanted)
    assert 0.1 < hit.mean() < 0.9
    # Rays that graze an edge may be in for one and out for the other: fewer than one in 10⁴.
    both = hit & (found < 1e8)
    assert (both == hit).mean() > 0.9999 and ((found < 1e8) == hit).mean() > 0.9999
    off = np.abs(found[both] - wanted[both])
    assert off.max() < 1e-12


def test_triangles_agree_with_a_plane_and_three_sides() -> None:
    from sistel.model import _rays as r

    rng = np.random.default_rng(4)
    corners, o, d = rng.normal(size=(2000, 3, 3)), rng.normal(size=(2000, 3)), rng.normal(size=(2000, 3))
    d /= np.linalg.norm(d, axis=1)[:, None]
    hits = 0
    for (a, b, c), origin, way in zip(corners, o, d, strict=True):
        data = np.array([*a, *(b - a), *(c - a)])
        found = r.triangle(data, 0, *origin.tolist(), *way.tolist())
        normal = np.cross(b - a, c - a)
        t = np.dot(normal, a - origin) / np.dot(normal, way)
        p = origin + t * way
        signs = [np.dot(np.cross(v - u, p - u), normal) for u, v in ((a, b), (b, c), (c, a))]
        if t >= 0 and min(signs) >= 0:
            hits += 1
            assert found == pytest.approx(t, abs=1e-12 * max(1.0, abs(t)) * 10)
        else:
            assert found == r.FAR
    assert hits > 30


def test_a_ray_from_inside_sees_the_other_side() -> None:
    model = world(["box", "circle"], spatial=False)
    for shape in model.shapes:
        x, y = float(shape.p_BS[0]), float(shape.p_BS[1])
        found = measured(model, np.array([[x, y, 1.0, 0.0]]))[0]
        assert 0.01 < found < 1.0


def corners(half: tuple[float, float, float]) -> list[list[Array]]:
    """The twelve triangles of a box."""
    made = []
    for axis in range(3):
        u, v = (k for k in range(3) if k != axis)
        for side in (-1, 1):
            square = []
            for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                p = np.zeros(3)
                p[axis], p[u], p[v] = side * half[axis], a * half[u], b * half[v]
                square.append(p)
            made += [[square[0], square[1], square[2]], [square[0], square[2], square[3]]]
    return made


def test_a_mesh_is_seen_as_the_box_that_it_is(tmp_path: Path) -> None:
    """Both kinds of STL; the binary one has rounded its corners to 24 bits."""
    faces = corners((0.25, 0.5, 0.375))  # which binary numbers hold exactly
    binary = b"\0" * 80 + struct.pack("<I", len(faces))
    binary += b"".join(struct.pack("<12fH", 0, 0, 0, *np.ravel(face), 0) for face in faces)
    (tmp_path / "binary.stl").write_bytes(binary)
    lines = ["outer loop\n" + "".join(f"vertex {x} {y} {z}\n" for x, y, z in face) + "endloop\n" for face in faces]
    (tmp_path / "text.stl").write_text("solid box\n" + "".join(lines) + "endsolid\n")
    (tmp_path / "cut.stl").write_bytes(binary[:-7])
    seen = []
    place = 'place="1000,300,100" turn="10,20,30"'
    for shape in (
        f'box name="o" {place} size="500,1000,750"',
        *(f'mesh name="o" file="{n}.stl" {place}' for n in FILES),
    ):
        (tmp_path / "m.xml").write_text(
            f'<system space="spatial"><gravity value="0"/><{shape}/><body name="e" joint="spherical" mass="1" '
            'inertia="1"><frame name="r" place="10,0,0"/></body><scheme name="s" period="50 ms">'
            '<sensor name="d" kind="lidar" of="r" count="60" range="5 m"/></scheme>'
            '<start><coordinate of="e" rate="20,40,60"/></start></system>'
        )
        system = sistel.load(tmp_path / "m.xml")
        assert any("rays do not see" in str(each) for each in system.diagnostics) == ("cut" in shape)
        run = system.simulate(2.0)
        seen.append(np.array([run.quantity(f"d.{i}", [0.1 * k for k in range(20)]) for i in range(1, 61)]))
    assert (seen[0] < 5.0).sum() > 20
    for found in seen[1:3]:
        assert np.abs(found - seen[0]).max() < 1e-13
    assert (seen[3] == 5.0).all()


FILES = ("binary", "text", "cut")


@pytest.mark.parametrize("spatial", [False, True])
def test_python_gives_the_bits_of_machine_code(spatial: bool) -> None:
    """The routine is one text: CPython runs it as it stands."""
    kinds = ["box", "sphere", "cylinder", "capsule"] if spatial else ["box", "circle", "polygon", "polyline"]
    model = world(8 * kinds, spatial)
    meets = model.sensor("r").meets
    assert meets is not None
    routine, rng = meets.routine, np.random.default_rng(5)
    still = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0] if spatial else [0.0, 0.0, 1.0, 0.0]
    size = 12 if spatial else 4
    poses = []
    for _ in range(300):
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        angle = rng.uniform(-math.pi, math.pi)
        place = rng.uniform(-5.0, 5.0, 3 if spatial else 2)
        poses.append([*place, *(turn.ravel() if spatial else (math.cos(angle), math.sin(angle)))])
    data, made = list(routine.data), [0.0] * routine.gives
    found = []
    for pose in poses:
        routine.functions[0](data, [*pose[:size], *still], made)
        found.append(made[0])
    assert (np.array(found) == measured(model, np.array(poses))).all()
    assert len(set(found)) > 20


def test_meshes_of_the_world_are_seen_and_not_touched(tmp_path: Path) -> None:
    """OBJ and glTF as well as STL; without a name, for it is an obstacle. What cannot meet it is told."""
    faces = corners((0.25, 0.5, 0.375))
    points = "".join(f"v {x} {y} {z}\n" for face in faces for x, y, z in face)
    (tmp_path / "box.obj").write_text(points + "".join(f"f {3 * k + 1} {3 * k + 2} {3 * k + 3}\n" for k in range(12)))
    data = np.array(faces, dtype="<f4").reshape(-1, 3)[:, [0, 2, 1]] * [1, 1, -1]  # y up, as glTF has it
    data = np.ascontiguousarray(data, dtype="<f4")
    described = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "scene": 0,
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 36, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteLength": data.nbytes}],
        "buffers": [{"uri": "box.bin", "byteLength": data.nbytes}],
    }
    (tmp_path / "box.bin").write_bytes(data.tobytes())
    (tmp_path / "box.gltf").write_text(json.dumps(described))
    seen = []
    for shape in ('box size="500,1000,750"', 'mesh file="box.obj"', 'mesh file="box.gltf"'):
        (tmp_path / "m.xml").write_text(
            f'<system space="spatial"><gravity value="0"/><world><{shape} place="1000,300,100" turn="10,20,30"/></world>'
            '<body name="e" joint="spherical" mass="1" inertia="1"><frame name="r" place="10,0,0"/></body>'
            '<scheme name="s" period="50 ms"><sensor name="d" kind="lidar" of="r" count="60" range="5 m"/></scheme>'
            '<start><coordinate of="e" rate="20,40,60"/></start></system>'
        )
        system = sistel.load(tmp_path / "m.xml")
        assert not system.diagnostics
        (tmp_path / "again.xml").write_text(system.to_xml(), encoding="utf-8")
        assert sistel.load(tmp_path / "again.xml").fingerprint == system.fingerprint
        run = system.simulate(2.0)
        seen.append(np.array([run.quantity(f"d.{i}", [0.1 * k for k in range(20)]) for i in range(1, 61)]))
    assert (seen[0] < 5.0).sum() > 20
    for found in seen[1:]:
        assert np.abs(found - seen[0]).max() < 1e-13
    (tmp_path / "touch.xml").write_text(
        '<system space="spatial"><world><mesh file="box.obj"/><box name="floor" place="0,0,900" size="9000,9000,100"/></world>'
        '<body name="b" joint="free" mass="1" inertia="1,1,1"><sphere name="ball" radius="50"/></body>'
        '<links><contact name="c" of="ball" to="world"/></links></system>'
    )
    told = sistel.load(tmp_path / "touch.xml").diagnostics
    assert [each.code for each in told if each.severity == "warning"] == ["untouched-mesh"]
    (tmp_path / "flat.xml").write_text(
        '<system><world><mesh file="box.obj"/></world><body name="b" joint="revolute" mass="1"><frame name="e"/></body>'
        '<scheme name="s" period="50 ms"><sensor name="d" kind="rangefinder" rays="e" range="5 m"/></scheme></system>'
    )
    assert "unseen-mesh" in [each.code for each in sistel.load(tmp_path / "flat.xml").diagnostics]
