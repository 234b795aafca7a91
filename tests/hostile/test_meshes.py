"""Meshes of strangers: a surface or a reason, in seconds, and in memory of a few times the file."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import sistel
from sistel.meshes._meshes import UnreadableMeshError, read_mesh

MOST_TIMES = 10
"""Peak memory of reading, in sizes of the file."""

COLLADA = """<?xml version="1.0" encoding="{encoding}"?>{before}<COLLADA><asset><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f">{points}</float_array></source>
<vertices id="v"><input semantic="POSITION" source="#s"/></vertices>{faces}</mesh></geometry></library_geometries>
<library_nodes>{nodes}</library_nodes>
<library_visual_scenes><visual_scene id="vs"><node id="top">{shown}</node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#vs"/></scene></COLLADA>"""
TRIANGLE = "0 0 0 1 0 0 0 1 0"
INPUT = '<input semantic="VERTEX" source="#v" offset="0"/>'
FACES = f"<triangles>{INPUT}<p>{{}}</p></triangles>"


def collada(**given: str) -> str:
    usual = {"encoding": "utf-8", "before": "", "points": TRIANGLE, "faces": FACES.format("0 1 2"), "nodes": ""}
    return COLLADA.format(**{**usual, "shown": '<instance_geometry url="#g"/>', **given})


def doubled(levels: int) -> dict[str, str]:
    """Nodes that each show the one before twice."""
    twice = [f'<instance_node url="#n{i}"/>' * 2 for i in range(levels)]
    nodes = ['<instance_geometry url="#g"/>', *twice]
    return {
        "nodes": "".join(f'<node id="n{i}">{each}</node>' for i, each in enumerate(nodes)),
        "shown": f'<instance_node url="#n{levels}"/>',
    }


def grid(side: int) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles of a surface."""
    x, y = np.meshgrid(np.linspace(0, 1, side), np.linspace(0, 1, side))
    points = np.stack([x, y, np.sin(5 * x) * np.cos(7 * y)], axis=-1).reshape(-1, 3)
    i = np.arange(side * side).reshape(side, side)
    a, b, c, d = i[:-1, :-1].ravel(), i[:-1, 1:].ravel(), i[1:, :-1].ravel(), i[1:, 1:].ravel()
    return points, np.concatenate([np.stack([a, b, c], axis=1), np.stack([b, d, c], axis=1)])


def binary_stl(points: np.ndarray, triangles: np.ndarray, count: int | None = None) -> bytes:
    rows = np.zeros(len(triangles), dtype=[("n", "<f4", 3), ("c", "<f4", (3, 3)), ("a", "<u2")])
    rows["c"] = points[triangles]
    return b"".ljust(80) + struct.pack("<I", len(triangles) if count is None else count) + rows.tobytes()


def glb(points: np.ndarray, triangles: np.ndarray, **accessor: object) -> bytes:
    places, order = points.astype("<f4").tobytes(), triangles.astype("<u4").tobytes()
    tree = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(places) + len(order)}],
        "bufferViews": [
            {"buffer": 0, "byteLength": len(places)},
            {"buffer": 0, "byteOffset": len(places), "byteLength": len(order)},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3", **accessor},
            {"bufferView": 1, "componentType": 5125, "count": triangles.size, "type": "SCALAR"},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "nodes": [{"mesh": 0}],
    }
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    body = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(places + order), b"BIN\0")
    return b"glTF" + struct.pack("<II", 2, 12 + len(body) + len(places + order)) + body + places + order


def text_stl(points: np.ndarray, triangles: np.ndarray) -> bytes:
    facets = (
        "facet normal 0 0 1\nouter loop\n"
        + "".join("vertex {:.6g} {:.6g} {:.6g}\n".format(*corner) for corner in corners)
        + "endloop\nendfacet\n"
        for corners in points[triangles].tolist()
    )
    return ("solid a\n" + "".join(facets) + "endsolid\n").encode()


def obj(points: np.ndarray, triangles: np.ndarray) -> bytes:
    lines = ["v {:.6g} {:.6g} {:.6g}\n".format(*point) for point in points.tolist()]
    lines += ["f {} {} {}\n".format(*corners) for corners in (triangles + 1).tolist()]
    return "".join(lines).encode()


def dae(points: np.ndarray, triangles: np.ndarray) -> bytes:
    places = " ".join(f"{x:.6g}" for x in points.ravel().tolist())
    return collada(points=places, faces=FACES.format(" ".join(map(str, triangles.ravel().tolist())))).encode()


WRITERS = {"a.stl": binary_stl, "text.stl": text_stl, "a.obj": obj, "a.dae": dae, "a.glb": glb}

MEASURE = """
import resource, sys
from pathlib import Path
import sistel.meshes._collada, sistel.meshes._gltf, sistel.meshes._stl_obj
from sistel.meshes._meshes import UnreadableMeshError, read_mesh
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
before = peak()
try:
    count = len(read_mesh(Path(sys.argv[1])).triangles)
except UnreadableMeshError as problem:
    count = problem
print(count, "|", peak() - before)
"""


def measured(path: Path) -> tuple[str, int]:
    """What a process of its own reads of a mesh, and its memory above that of the imports [bytes]."""
    done = subprocess.run([sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, timeout=120)
    count, _, memory = done.stdout.partition("|")
    return count.strip(), int(memory)


@pytest.mark.slow
@pytest.mark.parametrize("name", WRITERS)
def test_memory_stays_near_the_size_of_the_file(name: str, tmp_path: Path) -> None:
    points, triangles = grid(350)
    path = tmp_path / name
    path.write_bytes(WRITERS[name](points, triangles))
    size = path.stat().st_size
    count, memory = measured(path)
    assert int(count) == len(triangles) and size > 4e6
    assert memory < MOST_TIMES * size, memory / size


ENTITIES = '<!DOCTYPE x [<!ENTITY a "0 0 0 1 0 0 0 1 0 ">]>'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-16-be", "iso-8859-1", "utf-7", "utf-32"])
def test_entities_are_refused_in_any_encoding(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a.dae"
    path.write_bytes(collada(encoding=encoding, before=ENTITIES, points="&a;").encode(encoding))
    with pytest.raises(UnreadableMeshError, match=r"definitions|no XML|broken"):
        read_mesh(path)
    if encoding in ("utf-8", "utf-16", "iso-8859-1"):
        path.write_bytes(collada(encoding=encoding).encode(encoding))
        assert len(read_mesh(path).triangles) == 1


@pytest.mark.parametrize("levels", [3, 25, 150])
def test_nodes_that_multiply_are_counted_first(levels: int, tmp_path: Path) -> None:
    """A robot whose mesh has some kilobytes, and up to 2^150 times the same triangles."""
    points, triangles = grid(20)
    places, order = (" ".join(map(str, each.ravel().tolist())) for each in (points, triangles))
    (tmp_path / "nodes.dae").write_text(collada(points=places, faces=FACES.format(order), **doubled(levels)))
    link = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    visual = '<visual><geometry><mesh filename="nodes.dae"/></geometry></visual>'
    (tmp_path / "robot.urdf").write_text(
        f'<robot name="r"><link name="base">{link}{visual}</link><link name="a">{link}{visual}</link>'
        '<joint name="j" type="continuous"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/></joint></robot>'
    )
    begin = time.process_time()
    lost = sistel.load(tmp_path / "robot.urdf").save(tmp_path / "robot.x3d")
    assert time.process_time() - begin < 10
    assert bool([each for each in lost if "more than 200000 triangles" in each.render("en")]) == (levels > 3)


def test_nodes_in_a_circle_are_refused(tmp_path: Path) -> None:
    nodes = '<node id="a"><instance_node url="#b"/></node><node id="b"><instance_node url="#a"/></node>'
    (tmp_path / "a.dae").write_text(collada(nodes=nodes, shown='<instance_node url="#a"/>'))
    with pytest.raises(UnreadableMeshError, match="too deep"):
        read_mesh(tmp_path / "a.dae")


POINTS, TRIANGLES = grid(4)
FEW = "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
LIES: dict[str, tuple[str, bytes]] = {
    "STL, count beyond the end": ("a.stl", binary_stl(POINTS, TRIANGLES, 4_000_000_000)),
    "STL, count at the limit of 32 bits": ("a.stl", b"".ljust(80) + b"\xff\xff\xff\xff" + bytes(200)),
    "STL, not a number": ("a.stl", binary_stl(POINTS * np.nan, TRIANGLES)),
    "STL, infinite": ("a.stl", binary_stl(POINTS + np.inf, TRIANGLES)),
    "STL, only words": ("a.stl", b"solid a facet " + b"vertex " * 300_000),
    "STL, a word without end": ("a.stl", b"solid a facet vertex " + b"1" * 3_000_000),
    "STL, blanks without end": ("a.stl", b"solid a facet vertex" + b" " * 3_000_000),
    "OBJ, a corner far away": ("a.obj", f"{FEW}f 1 2 2000000000\n".encode()),
    "OBJ, a corner of 5000 digits": ("a.obj", f"{FEW}f 1 2 {'9' * 5000}\n".encode()),
    "OBJ, a corner beyond 64 bits": ("a.obj", f"{FEW}f 1 2 {2**70}\n".encode()),
    "OBJ, a corner before all": ("a.obj", f"{FEW}f 1 2 -4\n".encode()),
    "OBJ, not a number": ("a.obj", b"v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"),
    "OBJ, one face of very many corners": ("a.obj", f"{FEW}f {'1 2 ' * 600_000}\n".encode()),
    "COLLADA, a corner far away": ("a.dae", collada(faces=FACES.format("0 1 999999999")).encode()),
    "COLLADA, a corner beyond 64 bits": ("a.dae", collada(faces=FACES.format(f"0 1 {2**70}")).encode()),
    "COLLADA, a corner before all": ("a.dae", collada(faces=FACES.format("0 1 -1")).encode()),
    "COLLADA, not a number": ("a.dae", collada(points="nan 0 0 1 0 0 0 1 0").encode()),
    "COLLADA, a stride without end": (
        "a.dae",
        collada(faces=f'<triangles>{INPUT}<input semantic="X" offset="9999999999"/><p>0 1 2</p></triangles>').encode(),
    ),
    "COLLADA, polygons of too many corners": (
        "a.dae",
        collada(faces=f"<polylist>{INPUT}<vcount>{2**62} {2**62}</vcount><p>0 1 2</p></polylist>").encode(),
    ),
    "COLLADA, deep": ("a.dae", b"<COLLADA>" + b"<a>" * 1_000_000),
    "COLLADA, wide": ("a.dae", b"<COLLADA>" + b"<a/>" * 1_000_000 + b"</COLLADA>"),
    "glTF, more points than bytes": ("a.glb", glb(POINTS, TRIANGLES, count=15_000_000)),
    "glTF, points that are nowhere": ("a.glb", glb(POINTS, TRIANGLES, bufferView=None, count=15_000_000)),
    "glTF, a corner far away": ("a.glb", glb(POINTS, TRIANGLES + 4_000_000_000)),
    "glTF, not a number": ("a.glb", glb(POINTS * np.nan, TRIANGLES)),
    "glTF, JSON of many lists": ("a.gltf", b'{"asset":{"version":"2.0"},"x":[' + b"[]," * 2_000_000 + b"[]]}"),
    "glTF, deep JSON": ("a.gltf", b'{"asset":{"version":"2.0"},"x":' + b"[" * 200_000),
    "glTF, a whole number of 5000 digits": ("a.gltf", b'{"asset":{"version":' + b"2" * 5000 + b"}}"),
}


@pytest.mark.parametrize("case", LIES)
def test_files_that_lie_are_refused(case: str, tmp_path: Path) -> None:
    name, data = LIES[case]
    path = tmp_path / name
    path.write_bytes(data)
    begin = time.process_time()
    with pytest.raises(UnreadableMeshError):
        read_mesh(path)
    assert time.process_time() - begin < 5


def test_many_colours_do_not_multiply_the_work(tmp_path: Path) -> None:
    """Every face with a colour of its own, and all with one list of points: neither square of the counts is spent."""
    count = 20_000
    points = "".join(f"v {i % 100} {i // 100} 0\n" for i in range(count))
    faces = "".join(f"usemtl m{i}\nf {i} {i + 1} {i - 1 + 100}\n" for i in range(1, count - 100))
    (tmp_path / "a.mtl").write_text(
        "".join(f"newmtl m{i}\nKd {i % 97 / 97} {i // 97 % 97 / 97} {i // 9409}\n" for i in range(count))
    )
    (tmp_path / "a.obj").write_text(f"mtllib a.mtl\n{points}{faces}")
    begin = time.process_time()
    mesh = read_mesh(tmp_path / "a.obj")
    assert time.process_time() - begin < 10
    assert len(mesh.paints) <= 1000 and "colours" in mesh.notes[0].en
