"""glTF files: exact points, colours and normals; broken and hostile ones are refused in words."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.gltf import Gltf, cuboid

from sistel.meshes._meshes import Mesh, UnreadableMeshError, read_mesh

LOW, HIGH = (0.0, 0.0, 0.0), (1.0, 2.0, 3.0)


def volume(mesh: Mesh) -> float:
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6)


def file(**node: Any) -> Gltf:
    """A box of 1 × 2 × 3, y up, with normals."""
    made = Gltf()
    points, triangles, normals = cuboid(LOW, HIGH)
    made.node(mesh=made.mesh(points, triangles, normals=normals), **node)
    return made


def box_of(mesh: Mesh) -> tuple[list[float], list[float]]:
    return mesh.points.min(axis=0).tolist(), mesh.points.max(axis=0).tolist()


@pytest.mark.parametrize("name", ["a.glb", "a.gltf", "beside.gltf", "СЕТКА.GLB"])
def test_every_container_gives_the_same_box(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if name == "СЕТКА.GLB":
        file().save(tmp_path / "a.glb").rename(path)
    else:
        file().save(path, "beside" if name.startswith("beside") else "inside")
    mesh = read_mesh(path)
    # y up to z up: (x, y, z) → (x, -z, y).
    assert box_of(mesh) == ([0.0, -3.0, 0.0], [1.0, 0.0, 2.0])
    assert volume(mesh) == pytest.approx(6.0)  # faces look outwards
    assert len(mesh.triangles) == 12 and len(mesh.points) == 24
    assert mesh.normals is not None
    # Normals belong to the faces: every triangle is across its own.
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    across = np.cross(b - a, c - a)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    assert mesh.normals[mesh.triangles[:, 0]] == pytest.approx(across, abs=1e-6)


def test_nodes_place_turn_and_scale(tmp_path: Path) -> None:
    half = math.sqrt(0.5)
    made = file()
    made.tree["nodes"].clear()
    made.tree["scenes"][0]["nodes"].clear()
    # A quarter turn about y (up), then twice as large, then away; within a node that lifts it by a matrix.
    inner = made.node(root=False, mesh=0, rotation=[0, half, 0, half], scale=[2, 2, 2], translation=[10, 0, 0])
    lifted = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 5, 0, 1]
    made.node(children=[inner], matrix=lifted)
    mesh = read_mesh(made.save(tmp_path / "a.glb"))
    # By hand: x' = z, z' = -x about y; so x from 10 to 16, z from -2 to 0, height from 5 to 9.
    low, high = box_of(mesh)
    assert low == pytest.approx([10.0, 0.0, 5.0], abs=1e-6) and high == pytest.approx([16.0, 2.0, 9.0], abs=1e-6)
    assert volume(mesh) == pytest.approx(48.0)
    assert mesh.normals is not None
    assert np.linalg.norm(mesh.normals, axis=1) == pytest.approx(1.0)
    # A mirror turns the faces back.
    mirrored = read_mesh(file(scale=[-1, 1, 1]).save(tmp_path / "b.glb"))
    assert volume(mirrored) == pytest.approx(6.0)


def test_strips_fans_and_no_indices(tmp_path: Path) -> None:
    square = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0)]
    for mode, order in ((5, [0, 1, 2, 3]), (6, [0, 1, 3, 2]), (4, [0, 1, 3, 0, 3, 2])):
        made = Gltf()
        number = made.mesh([square[i] for i in order], [(0, 1, 2)])
        primitive = made.tree["meshes"][number]["primitives"][0]
        primitive["mode"] = mode
        del primitive["indices"]
        made.node(mesh=number)
        mesh = read_mesh(made.save(tmp_path / "a.glb"))
        a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
        # The same square, the same side up: z of glTF is -y here.
        assert np.cross(b - a, c - a).sum(axis=0) == pytest.approx([0.0, -2.0, 0.0])


def test_colours_and_parts(tmp_path: Path) -> None:
    made = Gltf()
    points, triangles, _ = cuboid(LOW, HIGH)
    red, glass = made.material(1, 0, 0, 0.5), made.material(0, 0.2140411, 0, 0.5, alphaMode="BLEND")
    for material in (red, glass, None):
        made.node(mesh=made.mesh(points, triangles, material=material), translation=[4 * len(made.tree["nodes"]), 0, 0])
    mesh = read_mesh(made.save(tmp_path / "a.glb"))
    assert [paint.colour for paint in mesh.paints] == [(1.0, 0.0, 0.0), (0.0, 0.5, 0.0), None]
    assert [paint.transparency for paint in mesh.paints] == [0.0, 0.5, 0.0]
    assert mesh.paint is not None and np.bincount(mesh.paint).tolist() == [12, 12, 12]
    # Every part is where its node is.
    for number, low in enumerate((0.0, 4.0, 8.0)):
        assert mesh.points[mesh.triangles[mesh.paint == number]][..., 0].min() == low


def test_quantized_sparse_and_interleaved_numbers(tmp_path: Path) -> None:
    made = Gltf()
    # Normalized bytes: 127 is 1.
    corners = [(0, 0, 0), (127, 0, 0), (0, 127, 0)]
    byte = made.numbers([(*corner, 0) for corner in corners], 5120, "VEC3", normalized=True)
    made.tree["accessors"][byte]["count"] = 3
    made.tree["bufferViews"][-1]["byteStride"] = 4
    made.tree["extensionsRequired"] = ["KHR_mesh_quantization"]
    made.tree["meshes"].append({"primitives": [{"attributes": {"POSITION": byte}}]})
    made.node(mesh=0)
    # Zeros, of which two rows are given apart.
    places = made.numbers([1, 2], 5121, "SCALAR")
    rows = made.numbers([(2.0, 0.0, 0.0), (0.0, 2.0, 0.0)], 5126, "VEC3")
    views = [made.tree["accessors"][each]["bufferView"] for each in (places, rows)]
    made.tree["accessors"].append(
        {
            "componentType": 5126,
            "count": 3,
            "type": "VEC3",
            "sparse": {
                "count": 2,
                "indices": {"bufferView": views[0], "componentType": 5121},
                "values": {"bufferView": views[1]},
            },
        }
    )
    made.tree["meshes"].append({"primitives": [{"attributes": {"POSITION": len(made.tree["accessors"]) - 1}}]})
    made.node(mesh=1)
    mesh = read_mesh(made.save(tmp_path / "a.glb"))
    assert sorted(map(tuple, mesh.points.tolist())) == [(0, 0, 0), (0, 0, 1), (0, 0, 2), (1, 0, 0), (2, 0, 0)]


def changed(change: Callable[[Gltf], object]) -> Gltf:
    made = file()
    change(made)
    return made


HOSTILE: dict[str, tuple[Callable[[Gltf], object], str]] = {
    "version": (lambda f: f.tree["asset"].update(version="1.0"), "no glTF 2.0"),
    "draco": (lambda f: f.tree.update(extensionsRequired=["KHR_draco_mesh_compression"]), "KHR_draco_mesh_compression"),
    "itself": (lambda f: f.tree["nodes"][0].update(children=[0]), "two places"),
    "no node": (lambda f: f.tree["scenes"][0].update(nodes=[7]), "nodes[7]"),
    "no mesh": (lambda f: f.tree["nodes"][0].update(mesh=-1), "meshes[-1]"),
    "true mesh": (lambda f: f.tree["nodes"][0].update(mesh=True), "meshes[True]"),
    "count": (lambda f: f.tree["accessors"][0].update(count=10**9), "no number of things"),
    "long": (lambda f: f.tree["accessors"][0].update(count=500), "beyond its buffer"),
    "view": (lambda f: f.tree["bufferViews"][0].update(byteLength=10**7), "beyond its buffer"),
    "negative": (lambda f: f.tree["bufferViews"][0].update(byteOffset=-4), "no number of things"),
    "offset": (lambda f: f.tree["accessors"][0].update(byteOffset=280), "beyond its buffer"),
    "kind": (lambda f: f.tree["accessors"][0].update(type="MAT4"), "VEC3"),
    "indices": (lambda f: f.tree["accessors"][2].update(componentType=5126), "whole numbers"),
    "corner": (lambda f: f.binary.__setitem__(slice(576, 578), b"\xff\xff"), "does not exist"),
    "nan": (lambda f: f.binary.__setitem__(slice(0, 4), struct.pack("<f", math.nan)), "no place"),
    "far": (lambda f: f.tree["nodes"][0].update(scale=[1e30, 1, 1]), "no place"),
    "turn": (lambda f: f.tree["nodes"][0].update(rotation=[0, 0, 0, 0]), "turned by nothing"),
    "matrix": (lambda f: f.tree["nodes"][0].update(matrix=[1, 2, 3]), "broken"),
    "words": (lambda f: f.tree["nodes"][0].update(scale=["a", {}, None]), "broken"),
    "no primitives": (lambda f: f.tree["meshes"][0].update(primitives=3), "broken"),
    "flat": (lambda f: f.tree["nodes"][0].update(scale=[0, 0, 0]), "has an area"),
    "empty": (lambda f: f.tree["scenes"][0].update(nodes=[]), "no triangles"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_files_are_refused_in_words(case: str, tmp_path: Path) -> None:
    change, words = HOSTILE[case]
    path = changed(change).save(tmp_path / "a.glb")
    with pytest.raises(UnreadableMeshError) as caught:
        read_mesh(path)
    assert words in caught.value.reason.en
    assert caught.value.reason.ru


def test_buffers_outside_the_folder_are_not_read(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    path = file().save(inner / "a.gltf")
    data = json.loads(path.read_text())
    (tmp_path / "secret.bin").write_bytes(b"\0" * 2000)
    for uri in ("../secret.bin", str(tmp_path / "secret.bin"), "%2e%2e/secret.bin", "http://a/b.bin", "file:///etc/a"):
        data["buffers"][0]["uri"] = uri
        path.write_text(json.dumps(data))
        with pytest.raises(UnreadableMeshError, match="not beside"):
            read_mesh(path)
    for uri, words in (("absent.bin", "No such file"), ("data:text/plain,abc", "base64"), ("data:;base64,!", "broken")):
        data["buffers"][0]["uri"] = uri
        path.write_text(json.dumps(data))
        with pytest.raises(UnreadableMeshError, match=words):
            read_mesh(path)


@pytest.mark.parametrize("data", [b"", b"glTF", b"{", b"[]", b"[" * 100_000, b"glTF" + b"\xff" * 40, b'{"asset":[]}'])
def test_what_is_no_file_of_this_kind(data: bytes, tmp_path: Path) -> None:
    for suffix in (".glb", ".gltf"):
        path = tmp_path / f"a{suffix}"
        path.write_bytes(data)
        with pytest.raises(UnreadableMeshError):
            read_mesh(path)


def test_every_cut_of_a_file_is_refused_or_read(tmp_path: Path) -> None:
    whole = file().save(tmp_path / "a.glb").read_bytes()
    read = 0
    for size in range(0, len(whole) + 1, 37):
        (tmp_path / "b.glb").write_bytes(whole[:size])
        try:
            read_mesh(tmp_path / "b.glb")
            read += 1
        except UnreadableMeshError:
            pass
    assert read == 0


def test_one_mesh_in_many_places_is_bounded(tmp_path: Path) -> None:
    made = file()
    for _ in range(50):
        made.node(mesh=0)
    path = made.save(tmp_path / "a.glb")
    assert len(read_mesh(path).triangles) == 51 * 12
    with pytest.raises(UnreadableMeshError, match="more than 300 triangles"):
        read_mesh(path, most=300)


def test_nodes_of_collada_that_multiply_are_bounded(tmp_path: Path) -> None:
    """Sixty nodes, each used twice by the next: 2^60 of them in all."""
    nodes = "".join(
        f'<node id="n{i}"><instance_node url="#n{i - 1}"/><instance_node url="#n{i - 1}"/></node>' for i in range(1, 60)
    )
    (tmp_path / "a.dae").write_text(
        '<COLLADA><asset/><library_nodes><node id="n0"/></library_nodes><library_visual_scenes><visual_scene id="s">'
        f'{nodes}</visual_scene></library_visual_scenes><scene><instance_visual_scene url="#s"/></scene></COLLADA>'
    )
    with pytest.raises(UnreadableMeshError, match="too many"):
        read_mesh(tmp_path / "a.dae")
