"""Row D15 of the mission, through the public face: a scene made elsewhere surrounds the system in X3D."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.browser import Chromium
from support.gltf import Gltf, cuboid
from support.x3d import Scene, elements, schema_problems
from support.x_ite import x_ite

import sistel
from sistel.views.x3d import check_scene

CRANE = """<system name="crane" space="spatial">
<mesh file="{file}" {more}/>
<body name="trolley" joint="prismatic" axis="x" place="0, 0, 3000" mass="20"><box size="300, 300, 100"/></body>
<body name="load" base="trolley" joint="revolute" axis="y" mass="5" com="0, 0, -1000"><sphere radius="100" place="0, 0, -1000"/></body>
<start load="30"/></system>"""
HALL = ((-4.0, -3.0, -0.2), (4.0, 3.0, 0.0))
"""The floor slab of a hall [m]."""
PILLAR = ((3.0, -2.5, 0.0), (3.4, -2.1, 3.5))


def hall(folder: Path) -> dict[str, str]:
    """The same hall, a floor and a pillar, as programs export it; names and the attributes that they need."""
    floor, pillar = cuboid(*HALL), cuboid(*PILLAR)
    made = {}
    # glTF: y up, metres; the pillar is one metre high in the file and stands there by its node.
    for suffix in ("glb", "gltf"):
        file = Gltf()
        paints = [file.material(0.5, 0.5, 0.5, 1.0), file.material(1.0, 0.0, 0.0, 0.25, alphaMode="BLEND")]
        turned = [[(x, z, -y) for x, y, z in points] for points in (floor[0], floor[2])]
        ground = file.mesh(turned[0], floor[1], normals=turned[1], material=paints[0])
        unit, triangles, normals = cuboid((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
        post = file.mesh(unit, triangles, normals=normals, material=paints[1], component=5125)
        file.node(mesh=ground)
        # In y up: x, z → height, and -y backwards: from (3, 0, 2.1) to (3.4, 3.5, 2.5).
        inner = file.node(root=False, mesh=post, scale=[0.4, 3.5, 0.4])
        file.node(children=[inner], translation=[3.0, 0.0, 2.1])
        file.save(folder / f"hall.{suffix}", "beside")
        made[f"hall.{suffix}"] = ""
    # STL: no units; this one is in millimetres.
    corners = [[tuple(1000 * x for x in part[0][i]) for i in face] for part in (floor, pillar) for face in part[1]]
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for p in face for x in p), 0) for face in corners)
    (folder / "hall.stl").write_bytes(b"hall".ljust(80) + struct.pack("<I", len(corners)) + rows)
    made["hall.stl"] = 'scale="0.001"'
    # OBJ with its materials.
    (folder / "hall.mtl").write_text("newmtl grey\nKd 0.5 0.5 0.5\nnewmtl red\nKd 1 0 0\nd 0.25\n")
    lines = ["mtllib hall.mtl"]
    for part, paint, first in ((floor, "grey", 1), (pillar, "red", 25)):
        lines += ["v {} {} {}".format(*point) for point in part[0]]
        lines += [f"usemtl {paint}", *("f " + " ".join(str(i + first) for i in face) for face in part[1])]
    (folder / "hall.obj").write_text("\n".join(lines))
    made["hall.obj"] = ""
    # COLLADA in centimetres.
    (folder / "hall.dae").write_text(collada((floor, "grey", "0.5 0.5 0.5 1", 1.0), (pillar, "red", "1 0 0 1", 0.25)))
    made["hall.dae"] = ""
    return made


def collada(*parts: tuple[tuple[list, list, list], str, str, float]) -> str:  # type: ignore[type-arg]
    head, geometries, nodes = "", "", ""
    for (points, triangles, _), name, colour, opacity in parts:
        head += (
            f'<effect id="{name}-e"><profile_COMMON><technique sid="t"><lambert><diffuse><color>{colour}</color></diffuse>'
            f"<transparency><float>{opacity}</float></transparency></lambert></technique></profile_COMMON></effect>"
        )
        numbers = " ".join(f"{100 * x:g}" for point in points for x in point)
        order = " ".join(str(i) for face in triangles for i in face)
        geometries += (
            f'<geometry id="{name}-g"><mesh><source id="{name}-p"><float_array id="{name}-f">{numbers}</float_array></source>'
            f'<vertices id="{name}-v"><input semantic="POSITION" source="#{name}-p"/></vertices>'
            f'<triangles count="{len(triangles)}" material="{name}-s"><input semantic="VERTEX" source="#{name}-v" offset="0"/>'
            f"<p>{order}</p></triangles></mesh></geometry>"
        )
        nodes += (
            f'<node><instance_geometry url="#{name}-g"><bind_material><technique_common>'
            f'<instance_material symbol="{name}-s" target="#{name}-m"/></technique_common></bind_material>'
            "</instance_geometry></node>"
        )
    materials = "".join(
        f'<material id="{name}-m"><instance_effect url="#{name}-e"/></material>' for _, name, _, _ in parts
    )
    return (
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset><unit meter="0.01"/><up_axis>Z_UP</up_axis>'
        f"</asset><library_effects>{head}</library_effects><library_materials>{materials}</library_materials>"
        f"<library_geometries>{geometries}</library_geometries><library_visual_scenes>"
        f'<visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>'
    )


def world_points(text: str) -> np.ndarray:  # type: ignore[type-arg]
    """All points of triangles of a still scene, in the axes of X3D [m]."""
    root = ElementTree.fromstring(text)
    parents = {child: parent for parent in root.iter() for child in parent}
    scene, found = Scene(text), []
    for coordinates in root.iter("Coordinate"):
        if parents[coordinates].tag != "IndexedTriangleSet":
            continue
        points = np.array(coordinates.get("point", "").replace(",", " ").split(), dtype=float).reshape(-1, 3)
        at, X = parents[coordinates], np.eye(4)
        while at in parents:
            if at.tag == "Transform":
                X = scene._transform(at, 0.0) @ X
            at = parents[at]
        found.append(points @ X[:3, :3].T + X[:3, 3])
    return np.concatenate(found)


@pytest.mark.parametrize("suffix", ["glb", "gltf", "stl", "obj", "dae"])
def test_D15_a_scene_from_elsewhere_is_around_the_system(suffix: str, tmp_path: Path, shared_dir: Path) -> None:
    """Every point of the hall is where its program had it, with its colours; the X3D is valid, still and moving."""
    more = hall(tmp_path)[f"hall.{suffix}"]
    (tmp_path / "crane.xml").write_text(CRANE.format(file=f"hall.{suffix}", more=more))
    system = sistel.load(tmp_path / "crane.xml")
    problems = schema_problems(shared_dir)
    assert system.save(tmp_path / "still.x3d") == ()
    system.simulate(1.0).save(tmp_path / "moving.x3d")
    for file in ("still.x3d", "moving.x3d"):
        text = (tmp_path / file).read_text(encoding="utf-8")
        assert problems(text) == []
        assert check_scene(text) == []
    still = (tmp_path / "still.x3d").read_text(encoding="utf-8")
    # z up to y up: (x, y, z) → (x, z, -y).
    expected = {(x, z, -y) for box in (HALL, PILLAR) for x, y, z in set(cuboid(*box)[0])}
    found = {tuple(round(x, 5) + 0.0 for x in point) for point in world_points(still)}
    assert found == {tuple(round(x, 5) + 0.0 for x in point) for point in expected}
    triangles = sum(len(each.get("index", "").split()) // 3 for each in elements(still, "IndexedTriangleSet"))
    assert triangles == 24
    if suffix != "stl":
        looks = {
            (
                tuple(round(float(x), 3) for x in each.get("diffuseColor", "").split()),
                float(each.get("transparency", 0)),
            )
            for each in elements(still, "Material")
        }
        # Colours of glTF are amounts of light: half of it is the grey 0.735 of a screen.
        grey = 0.735 if suffix.startswith("gl") else 0.5
        # Colours are drawn with four fifths of their chroma, about their grey value: 0.299 of a red.
        red, rest = round(0.8 + 0.2 * 0.299, 3), round(0.2 * 0.299, 3)
        assert {((grey, grey, grey), 0.0), ((red, rest, rest), 0.75)} <= looks
    # The hall has a floor: no other one; and a viewpoint sees all of it.
    assert 'DEF="Floor"' not in still
    assert len(list(elements(still, "Viewpoint"))) == 5


def test_D15_the_scene_stands_still_while_the_bodies_move(tmp_path: Path) -> None:
    hall(tmp_path)
    (tmp_path / "crane.xml").write_text(CRANE.format(file="hall.glb", more='place="500, 0, 0" turn="0, 0, 90"'))
    run = sistel.load(tmp_path / "crane.xml").simulate(1.0)
    run.save(tmp_path / "moving.x3d")
    text = (tmp_path / "moving.x3d").read_text(encoding="utf-8")
    points = world_points(text)
    # Turned by 90 degrees about z and moved by half a metre along x: the slab is 6 m along x then.
    assert points[:, 0].min() == pytest.approx(-2.5) and points[:, 0].max() == pytest.approx(3.5)
    scene = Scene(text)
    for time in (0.0, 0.4, 1.0):
        X = scene.pose("load", time)
        place = X @ np.array([0.0, 0.0, -1.0, 1.0])
        q = run(time)[0]
        assert place[0] == pytest.approx(q[0] - math.sin(q[1]), abs=5e-3)


def test_D15_opens_in_X_ITE(tmp_path: Path, chromium: Chromium) -> None:
    hall(tmp_path)
    with x_ite(chromium) as viewer:
        pictures = set()
        for suffix in ("glb", "dae"):
            (tmp_path / "crane.xml").write_text(CRANE.format(file=f"hall.{suffix}", more=""))
            sistel.load(tmp_path / "crane.xml").save(tmp_path / "crane.x3d")
            viewer.open((tmp_path / "crane.x3d").read_text(encoding="utf-8"))
            assert viewer.complaints() == []
            pictures.add(viewer.picture())
        assert len(pictures) == 2  # they differ in the shade of grey


def test_D15_what_cannot_be_shown_is_said(tmp_path: Path) -> None:
    """A file that is not there, one that is broken, and textures: the system is drawn, and the rest told."""
    hall(tmp_path)
    file = Gltf()
    points, triangles, _ = cuboid(*PILLAR)
    paint = file.material(1, 1, 1, 1)
    file.tree["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"] = {"index": 0}
    file.node(mesh=file.mesh(points, triangles, material=paint))
    file.save(tmp_path / "papered.glb")
    (tmp_path / "broken.glb").write_bytes((tmp_path / "hall.glb").read_bytes()[:500])
    for name, word in (("absent.glb", "no such file"), ("broken.glb", "ends before"), ("papered.glb", "textures")):
        (tmp_path / "crane.xml").write_text(CRANE.format(file=name, more=""))
        (loss,) = sistel.load(tmp_path / "crane.xml").save(tmp_path / "crane.x3d", "en")
        assert word in loss.what.en and name in loss.what.en
        assert check_scene((tmp_path / "crane.x3d").read_text(encoding="utf-8")) == []
