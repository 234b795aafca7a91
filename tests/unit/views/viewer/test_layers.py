"""What lies over the scene of a page, its parts of machines, and how finely it is drawn."""

from __future__ import annotations

import struct
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from support.javascript import call_module
from support.x3d import Scene, elements

import sistel
from sistel.markup import Losses
from sistel.views.viewer import _scene_block as scene_block
from sistel.views.viewer import scene_for_page
from sistel.views.x3d import check_scene, draw_scene


def test_layers_are_switched_off_and_each_has_its_nodes(models_dir: Path) -> None:
    model = sistel.load(models_dir / "hexapod.xml").model
    part = scene_for_page(model, lang="en")
    layers, paints = part.table["layers"], part.table["paints"]
    assert list(layers) == ["frames", "axes", "masses", "contacts"]
    nodes = {each.get("DEF"): each for each in ElementTree.fromstring(part.text).iter() if each.get("DEF")}
    assert {nodes[name].get("whichChoice") for names in layers.values() for name in names} == {"-1"}
    assert {nodes[name].tag for name in paints.values()} == {"UnlitMaterial"}
    assert len(layers["frames"]) == 1 + len(model.bodies)
    assert len(layers["masses"]) == sum(body.mass > 0 for body in model.bodies)
    assert len(layers["contacts"]) == 6
    assert {"c0", "c7", "ink", "bad"} <= set(paints)


def test_every_joint_has_a_band_of_its_coordinate(models_dir: Path) -> None:
    model = sistel.load(models_dir / "puma560.xml").model
    part = scene_for_page(model, lang="en")
    nodes = {each.get("DEF"): each for each in ElementTree.fromstring(part.text).iter() if each.get("DEF")}
    assert all(nodes[name].tag == "Material" for name, _ in part.table["rings"])
    assert {number for _, number in part.table["rings"]} <= set(range(model.nq))
    assert len(part.table["rings"]) >= 4


CHAIN = """<system name="arm" space="spatial">
<body name="a" joint="revolute" axis="z" mass="1"><body name="b" joint="revolute" axis="y" place="{length}, 0, 0" mass="1">
<body name="c" joint="spherical" place="0, 0, 400" mass="1" com="0, 0, 100"/></body></body></system>"""


@pytest.mark.parametrize("length", [210.0, 300.0, 390.0])
def test_links_end_at_the_joints(length: float) -> None:
    """A link of a body without shapes goes from its pole towards the next one, to the foot of its fork."""
    system = sistel.parse(CHAIN.format(length=length))
    text = draw_scene(system.model, lang="en")
    assert check_scene(text) == []
    scene = Scene(text)
    X, expected = scene.pose("Link_2", 0.0), system.pose([0.0, 0.0, 1.0, 0.0, 0.0, 0.0], "b")
    tip, joint = X @ np.array([0.0, 1.0, 0.0, 1.0]), np.array([expected[0, 3], expected[2, 3], -expected[1, 3]])
    start = X[:3, 3]
    way = joint - start
    assert np.linalg.norm(np.cross(tip[:3] - start, way)) < 1e-9
    assert 0.6 < float(np.linalg.norm(tip[:3] - start) / np.linalg.norm(way)) <= 1.0
    # The fork stands in the frame of the place, so that it goes along with it.
    assert len(list(elements(text, "Extrusion"))) > 12


def test_the_base_of_stewart_is_above_the_floor(models_dir: Path) -> None:
    text = draw_scene(sistel.load(models_dir / "stewart.xml").model, lang="en")
    scene = Scene(text)
    floor = scene.pose("Floor", 0.0)[1, 3]
    # The disk of 20 mm whose middle is 40 mm below the feet.
    assert floor == pytest.approx(-0.05, abs=1e-9)


def test_a_thin_ground_box_is_the_floor(models_dir: Path) -> None:
    """The hexapod's own ground is not drawn a second time, and the view fits the walker."""
    model = sistel.load(models_dir / "hexapod.xml").model
    part = scene_for_page(model, lang="en")
    assert 'scale="0.7 0.7 0.01"' not in part.text and "0.7 0.01 0.7" not in part.text
    view = next(iter(elements(part.text, "Viewpoint")))
    distance = float(np.linalg.norm([float(x) for x in view.get("position", "").split()]))
    assert distance < 1.9  # of a walker that is 0.5 m wide; with the ground it was 2.6
    assert Scene(part.text).pose("Floor", 0.0)[1, 3] == 0.0


def test_meshes_of_a_page_are_made_simpler_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    angles = np.linspace(0, 2 * np.pi, 200, endpoint=False)
    ring = [np.column_stack([np.cos(angles), np.sin(angles), np.full(200, z)]) for z in (0.0, 1.0)]
    faces = []
    for i in range(200):
        j = (i + 1) % 200
        faces += [(ring[0][i], ring[0][j], ring[1][j]), (ring[0][i], ring[1][j], ring[1][i])]
    data = b"".join(struct.pack("<12fH", 0, 0, 0, *np.concatenate(face), 0) for face in faces)
    (tmp_path / "tube.stl").write_bytes(b"tube".ljust(80) + struct.pack("<I", len(faces)) + data)
    (tmp_path / "r.urdf").write_text(
        '<robot name="r"><link name="a"><visual><geometry><mesh filename="tube.stl"/></geometry></visual></link></robot>'
    )
    model = sistel.load(tmp_path / "r.urdf").model
    fine = scene_for_page(model, lang="en")
    assert fine.table["notes"] == [] and "IndexedTriangleSet" in fine.text
    monkeypatch.setattr(scene_block, "MOST_SHOWN", 100)
    losses = Losses()
    coarse = scene_for_page(model, lang="en", losses=losses)
    (said,) = coarse.table["notes"]
    assert said["en"].startswith("meshes simplified: 400 → ") and said["en"].endswith(" mm")
    assert said["ru"].startswith("сетки упрощены: 400 → ")
    assert [loss.what.en for loss in losses.items] == [said["en"]]
    assert check_scene(coarse.text) == []
    (net,) = elements(coarse.text, "IndexedFaceSet")
    assert net.get("coordIndex", "").split().count("-1") <= 102
    assert len(coarse.text) < len(fine.text)


QUALITY = "page/space/quality.ts"


def test_the_ladder_steps_down_and_never_up() -> None:
    script = """const steps = [];
    const ladder = new Ladder({ scale: 2, shadows: true }, (to) => steps.push([frames, to.scale, to.shadows]));
    let frames = 0, time = 0;
    for (const [count, span] of given[0]) for (let i = 0; i < count; i++) { time += span; frames++; ladder.frame(time); }
    return steps;"""

    def steps(*spans: tuple[int, float]) -> list[tuple[int, float, bool]]:
        return [tuple(step) for step in call_module(QUALITY, script, [spans])]

    assert steps((200, 16.0)) == []
    assert steps((200, 39.0)) == []
    # Fifteen spans decide, the first frame has none; the same again after a step.
    assert steps((100, 60.0), (300, 16.0)) == [(16, 1, True), (32, 1, False)]
    # A few very slow ones are enough.
    assert steps((40, 400.0)) == [(5, 1, True), (10, 1, False)]
    # Some slow frames among quick ones are none of its business.
    assert steps(*(pair for _ in range(20) for pair in ((9, 16.0), (6, 90.0)))) == []


def test_programs_draw_without_shadows_at_first() -> None:
    script = "return given[0].map(([pixels, name]) => finest(pixels, name));"
    names = [
        [1, "ANGLE (NVIDIA GeForce)"],
        [3, "Apple M2"],
        [2, "ANGLE (Google, SwiftShader)"],
        [1.5, "llvmpipe (LLVM 15)"],
    ]
    assert call_module(QUALITY, script, [names]) == [
        {"scale": 1, "shadows": True},
        {"scale": 2, "shadows": True},
        {"scale": 2, "shadows": False},
        {"scale": 1.5, "shadows": False},
    ]


def test_a_stand_sees_all_points_and_is_no_farther_than_it_must(rng: np.random.Generator) -> None:
    for _ in range(20):
        points = rng.normal(size=(30, 3))
        axis = rng.normal(size=3)
        turn = [*(axis / np.linalg.norm(axis)), float(rng.uniform(0, 3))]
        angle, ratio = 0.6, float(rng.uniform(0.4, 2.5))
        script = "return fitStand(given[0], given[1], given[2], given[3]);"
        found = call_module("page/space/camera.ts", script, [points.tolist(), turn, angle, ratio])
        x, y, z = turn[:3]
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        R = np.eye(3) + np.sin(turn[3]) * K + (1 - np.cos(turn[3])) * K @ K
        seen = (points - found["at"]) @ R
        wide, high = np.tan(angle / 2) * max(ratio, 1), np.tan(angle / 2) * max(1 / ratio, 1)
        share = max(np.max(np.abs(seen[:, 0]) / -seen[:, 2]) / wide, np.max(np.abs(seen[:, 1]) / -seen[:, 2]) / high)
        assert 0.7 < share < 1.0
