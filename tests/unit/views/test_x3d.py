"""Scenes in space: valid X3D, poses read back from the text, bounds between keys, names, meshes, prototypes."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.x3d import Scene, elements, schema_problems

import sistel
from sistel.markup import Losses
from sistel.meshes._meshes import UnreadableMeshError, read_mesh
from sistel.views.x3d import check_scene, declare_prototype, draw_prototype, draw_scene, scene_parts
from sistel.views.x3d._axes import up_frame
from sistel.views.x3d._colours import colour_parts
from sistel.views.x3d._figures import Figures
from sistel.views.x3d._nodes import Names, identifier
from sistel.views.x3d._outlines import read_path
from sistel.views.x3d._plan import make_plan
from sistel.views.x3d._surroundings import flat_surface

MODELS = Path(__file__).resolve().parents[3] / "models"
GALLERY = sorted(path.name for path in MODELS.iterdir() if path.suffix in (".xml", ".urdf"))

SPRINGS = {"flyball_governor.xml": 1.0, "stick_slip.xml": 2.0, "andrews_squeezer.xml": 0.02}
"""Systems with springs between bodies; how long they run [s]."""
RUNS = {
    "rimless_wheel.xml": 1.5,
    "double_pendulum.xml": 3.0,
    "bouncing_ball.xml": 3.0,
    "slider_crank.xml": 1.0,
    "spinning_top.xml": 0.3,
    "universal_shaft.xml": 1.0,
    "free_body.xml": 1.0,
}
"""Hinges, slides, universal and ball joints, free bodies in the plane and in space, events; how long they run [s]."""


@cache
def system(name: str) -> sistel.System:
    return sistel.load(MODELS / name)


@cache
def motion(name: str) -> Any:
    return system(name).simulate({**RUNS, **SPRINGS}[name])


@pytest.fixture(scope="module")
def schema(shared_dir: Path) -> Callable[[str], list[str]]:
    return schema_problems(shared_dir)


def test_the_whole_gallery_is_valid(schema: Any) -> None:
    for name in GALLERY:
        model = system(name).model
        for prototypes in (False, True):
            text = draw_scene(model, prototypes=prototypes, lang="ru" if prototypes else "en")
            assert schema(text) == [], (name, prototypes)
            assert check_scene(text) == [], (name, prototypes)


@pytest.mark.parametrize("name", RUNS)
def test_runs_are_valid(name: str, schema: Any) -> None:
    for prototypes in (False, True):
        text = draw_scene(motion(name).model, motion(name), prototypes=prototypes, lang="en")
        assert schema(text) == []
        assert check_scene(text) == []
        assert list(elements(text, "ROUTE"))


def errors(name: str, text: str, times: Any) -> tuple[float, float]:
    """The largest error of a place, over the size of the system, and of a turn [rad], of all bodies at some times."""
    run, scene, model = motion(name), Scene(text), system(name).model
    plan = make_plan(model, run, None, 1e-3, "en", Losses())
    # The turn to the axes of X3D, by hand: y down to y up, z up to y up.
    R_XW = np.diag([1.0, -1.0, -1.0]) if model.planar else np.array([[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])
    place = turn = 0.0
    for time in times:
        q = run(min(run.begin + time, run.end))[0]
        for body, node in zip(model.bodies, plan.joints, strict=True):
            X_WB = system(name).pose(q, body.name)
            found = scene.pose(node, time)
            place = max(place, float(np.linalg.norm(found[:3, 3] - R_XW @ X_WB[:3, 3])) / plan.figures.size)
            step = found[:3, :3].T @ R_XW @ X_WB[:3, :3]
            turn = max(turn, 2 * math.asin(min(1.0, float(np.linalg.norm(step - np.eye(3))) / (2 * math.sqrt(2)))))
    return place, turn


@pytest.mark.parametrize("name", RUNS)
def test_poses_at_the_keys(name: str) -> None:
    text = draw_scene(motion(name).model, motion(name), lang="en")
    keys = np.unique(Scene(text).keys())
    place, turn = errors(name, text, keys[np.linspace(0, len(keys) - 1, 5).astype(int)])
    assert place < 1e-6
    assert turn < 1e-6


@pytest.mark.parametrize("name", RUNS)
def test_poses_between_the_keys(name: str) -> None:
    run = motion(name)
    text = draw_scene(run.model, run, lang="en")
    place, turn = errors(name, text, np.linspace(0.011, 0.983, 23) * (run.end - run.begin))
    assert place < 1e-3
    assert turn < math.radians(0.1)
    # The keys are thinned: the finest animation would need some for every step of a 60 Hz screen and more.
    assert len(Scene(text).keys()) < 200 * (run.end - run.begin) + 60


@pytest.mark.parametrize("name", ["double_pendulum.xml", "universal_shaft.xml"])
def test_poses_anywhere_with_a_finer_tolerance(name: str) -> None:
    run = motion(name)
    text = draw_scene(run.model, run, tolerance=1e-6, lang="en")
    place, turn = errors(name, text, np.array([0.0, 0.1234, 0.5, 0.777, 0.99]) * (run.end - run.begin))
    assert place < 1e-6
    assert turn < 1e-6 * 100 * math.pi / 180 + 1e-8


def test_a_still_system_stands_at_its_start() -> None:
    model = system("puma560.xml").model
    scene = Scene(draw_scene(model, lang="en"))
    X = scene.pose("flange", 0.0)
    expected = system("puma560.xml").pose(model.start.q, "flange")
    assert X[:3, 3] == pytest.approx([expected[0, 3], expected[2, 3], -expected[1, 3]], abs=1e-8)
    assert "TimeSensor" not in draw_scene(model, lang="en")
    other = [0.3, -0.2, 0.4, 0.1, 0.5, -0.6]
    moved = Scene(draw_scene(model, q=other, lang="en")).pose("flange", 0.0)
    expected = system("puma560.xml").pose(other, "flange")
    assert moved[:3, 3] == pytest.approx([expected[0, 3], expected[2, 3], -expected[1, 3]], abs=1e-8)


def test_loops_are_closed() -> None:
    model = system("four_bar.xml").model
    scene = Scene(draw_scene(model, lang="en"))
    for closure in model.closures:
        ends = []
        for side in (closure.first, closure.second):
            X = scene.pose(identifier(model.bodies[side.body - 1].name), 0.0) if side.body else np.diag([1, -1, -1, 1])
            ends.append(X @ np.array([*side.p_BS, 1.0]))
        assert ends[0][:3] == pytest.approx(ends[1][:3], abs=1e-8)


def test_turns_never_go_the_long_way() -> None:
    """Neighbouring keys are near as quaternions with their signs, however often the body has turned."""
    text = draw_scene(motion("spinning_top.xml").model, motion("spinning_top.xml"), lang="en")
    checked = 0
    for node in elements(text, "OrientationInterpolator"):
        values = np.array(node.get("keyValue", "").replace(",", " ").split(), dtype=float).reshape(-1, 4)
        quaternions = np.column_stack([np.cos(values[:, 3] / 2), np.sin(values[:, 3:] / 2) * values[:, :3]])
        assert (np.einsum("ni,ni->n", quaternions[1:], quaternions[:-1]) > 0).all()
        checked += len(values)
    assert checked > 50


def test_a_jump_has_two_keys() -> None:
    text = """<system name="jump"><body name="cart" joint="prismatic" mass="1"/>
    <links><structure name="a"/><structure name="b"/>
    <transition from="a" to="b" when="t rises through 1 s"><set of="cart" value="500"/></transition></links>
    <start structure="a" cart="0" cart.rate="100"/></system>"""
    run = sistel.parse(text).simulate(2.0)
    assert len(run.events) == 1
    scene = Scene(draw_scene(run.model, run, lang="en"))
    keys = scene.keys()
    assert keys == pytest.approx([0.0, 1.0, 1.0, 2.0])
    before, after = (scene.pose("cart", time)[0, 3] for time in (1.0 - 1e-9, 1.0 + 1e-9))
    assert (before, after) == (pytest.approx(0.1), pytest.approx(0.5))


def test_sizes_are_scales_of_unit_figures() -> None:
    for name in ("puma560.xml", "gripper.xml", "walker.xml"):
        text = draw_scene(system(name).model, lang="en")
        assert {node.get("size") for node in elements(text, "Box")} <= {"1 1 1"}
        for tag in ("Cylinder", "Sphere", "Cone"):
            for node in elements(text, tag):
                assert set(node.keys()) <= {"height"}
                assert node.get("height", "1") == "1"
    # A declared cylinder of Puma's column: radius 90 mm, length 130 mm.
    assert 'scale="0.09 0.13 0.09"' in draw_scene(system("puma560.xml").model, lang="en")


def test_hostile_names_stay_names(schema: Any) -> None:
    # The language refuses most of these; a model may come from elsewhere.
    bad = ['<script>"x"', "]]> -->", "1 2", "אב", "a" * 10_000, "тело № 1", "тело _ 1", "тело___1", "\x00\ud800"]
    bodies = "".join(f"<body name='b{i}' joint='revolute' mass='1' com='0, 100'/>" for i in range(len(bad)))
    plain = sistel.parse(f"<system name='a'>{bodies}</system>").model
    renamed = tuple(replace(body, name=name) for body, name in zip(plain.bodies, bad, strict=True))
    model = replace(plain, name="<\"&]]>'", about="\\\"' <a>", bodies=renamed)
    for prototypes in (False, True):
        text = draw_scene(model, prototypes=prototypes, lang="ru")
        assert schema(text) == []
        assert check_scene(text) == []
        assert "<script" not in text
    flat = draw_scene(model, lang="ru")
    notes = {node.get("value") for node in elements(flat, "MetadataString")}
    assert '"<script>\\"x\\""' in notes
    assert '"тело № 1"' in notes
    assert next(iter(elements(flat, "WorldInfo"))).get("title") == model.name


def test_names_are_given_once() -> None:
    names = Names()
    assert [names.give(text) for text in ("бедро", "бедро", "1", "a b", "a_b")] == [
        "бедро",
        "бедро_2",
        "_1",
        "a_b",
        "a_b_2",
    ]
    assert identifier("×²א") == "__u5D0"


def test_the_check_finds_what_is_wrong() -> None:
    text = draw_scene(motion("double_pendulum.xml").model, motion("double_pendulum.xml"), lang="en")
    joint = identifier(system("double_pendulum.xml").bodies[0].name)
    assert check_scene(text) == []
    wrong = {
        f'toNode="{joint}"': 'toNode="nobody"',
        'toField="set_rotation"': 'toField="set_translation"',
        'fromField="fraction_changed"': 'fromField="cycleTime"',
        'toField="set_fraction"': 'toField="value_changed"',
        'key="0 ': 'key="',
        f'DEF="{joint}"': 'DEF="Clock"',
    }
    for old, new in wrong.items():
        assert old in text
        assert check_scene(text.replace(old, new, 1)), new
    proto = draw_scene(system("double_pendulum.xml").model, prototypes=True, lang="en")
    for old, new in {
        'protoField="place"': 'protoField="plac"',
        'nodeField="translation"': 'nodeField="rotation"',
        '<ProtoInstance name="Body_': '<ProtoInstance name="Boddy_',
        '<fieldValue name="bodies"': '<fieldValue name="bodie"',
        'type="SFVec3f" name="scale" value="1 1 1"': 'type="SFVec3f" name="scale" value="1 1"',
    }.items():
        assert old in proto
        assert check_scene(proto.replace(old, new, 1)), new
    assert check_scene("<X3D>") and check_scene("<a/>")


def test_a_prototype_alone_in_its_file(schema: Any) -> None:
    model = system("walker.xml").model
    for body, name in ((None, "Система_шагающий_аппарат"), ("бедро_л", "Тело_бедро_л")):
        text = draw_prototype(model, body, lang="ru")
        assert schema(text) == []
        assert check_scene(text) == []
        first = next(iter(elements(text, "Scene")))[0]
        assert (first.tag, first.get("name")) == ("ProtoDeclare", name)
        declared = declare_prototype(model, "аппарат.x3d", body, lang="ru")
        fields = [node.get("name") for node in elements(declared, "field")]
        assert fields == [node.get("name") for node in first.findall("ProtoInterface/field")]
        scene = f'{declared}<ProtoInstance name="{name}"/>'
        whole = f'<X3D profile="Immersive" version="4.0"><Scene>{scene}</Scene></X3D>'
        assert schema(whole) == []
        assert check_scene(whole) == []
    assert "бедро_л_поворот_сочленения" in declare_prototype(model, "a.x3d", lang="ru")
    with pytest.raises(sistel.SistelError, match="nobody"):
        draw_prototype(model, "nobody")


CUBE = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)]
FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [(a, b, c) for a, b, c, _ in FACES] + [(a, c, d) for a, _, c, d in FACES]


def mesh_files(folder: Path) -> dict[str, Path]:
    """The same box in every format that is read."""
    corners = [[CUBE[i] for i in triangle] for triangle in TRIANGLES]
    binary = b"".join(struct.pack("<12fH", 0, 0, 0, *(x for point in face for x in point), 0) for face in corners)
    vertices = [
        "facet normal 0 0 0\nouter loop\n" + "".join("vertex {} {} {}\n".format(*p) for p in f) for f in corners
    ]
    points = " ".join(str(x) for point in CUBE for x in point)
    turned = " ".join(f"{x} {z} {-y}" for x, y, z in CUBE)  # z up, as y up
    collada = (
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset><unit meter="{unit}"/>'
        '<up_axis>{up}</up_axis></asset><library_geometries><geometry id="g"><mesh><source id="p"><float_array id="f">'
        '{points}</float_array></source><vertices id="v"><input semantic="POSITION" source="#p"/></vertices>'
        '<polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4 4 4 4 4 4</vcount><p>'
        + " ".join(str(i) for face in FACES for i in face)
        + '</p></polylist></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="s"><node>'
        '{place}<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>'
        '<scene><instance_visual_scene url="#s"/></scene></COLLADA>'
    )
    texts: dict[str, bytes] = {
        "binary.stl": b"solid but binary".ljust(80) + struct.pack("<I", len(corners)) + binary,
        "text.stl": ("solid a\n" + "endloop\nendfacet\n".join(vertices) + "endloop\nendfacet\nendsolid a").encode(),
        "faces.obj": "\n".join(
            ["v {} {} {}".format(*p) for p in CUBE] + ["f " + " ".join(f"{i + 1}/1/1" for i in f) for f in FACES]
        ).encode(),
        "last.obj": "\n".join(
            ["v {} {} {}".format(*p) for p in CUBE] + ["f " + " ".join(str(i - 8) for i in f) for f in FACES]
        ).encode(),
        "z_up.dae": collada.format(unit=1, up="Z_UP", points=points, place="").encode(),
        "y_up.dae": collada.format(unit=1, up="Y_UP", points=turned, place="").encode(),
        "placed.dae": collada.format(
            unit=0.5, up="Z_UP", points=points, place="<translate>2 0 0</translate><scale>2 2 2</scale>"
        )
        .replace("2 0 0", "0 0 0")
        .encode(),
    }
    for name, data in texts.items():
        (folder / name).write_bytes(data)
    return {name: folder / name for name in texts}


def volume(mesh: Any) -> float:
    a, b, c = (mesh.points[mesh.triangles[:, i]] for i in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c)) / 6)


def test_meshes_of_all_formats_are_the_same_box(tmp_path: Path) -> None:
    for name, path in mesh_files(tmp_path).items():
        mesh = read_mesh(path)
        assert sorted(map(tuple, mesh.points.tolist())) == sorted(CUBE), name
        assert len(mesh.triangles) == 12, name
        assert abs(volume(mesh)) == pytest.approx(6.0), name
    signs = {math.copysign(1, volume(read_mesh(path))) for path in tmp_path.iterdir()}
    assert len(signs) == 1  # all faces look to the same side


@pytest.mark.parametrize("data", [b"", b"solid\n", b"v 1 2\nf 1 2 3", b"\0" * 84, b"<a>", b"<!DOCTYPE a><a/>"])
def test_broken_meshes_are_refused(data: bytes, tmp_path: Path) -> None:
    for suffix in (".stl", ".obj", ".dae", ".step"):
        path = tmp_path / f"m{suffix}"
        path.write_bytes(data)
        with pytest.raises(UnreadableMeshError):
            read_mesh(path)
    with pytest.raises(UnreadableMeshError):
        read_mesh(tmp_path / "absent.stl")


def test_a_mesh_in_a_scene(tmp_path: Path, schema: Any) -> None:
    mesh_files(tmp_path)
    urdf = """<robot name="r"><link name="a"><visual><geometry><mesh filename="binary.stl" scale="0.1 0.1 {}"/></geometry>
    </visual></link><link name="b"><visual><geometry><mesh filename="absent.stl"/></geometry></visual></link>
    <joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/><origin xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
    for factor in (0.2, -0.2):
        (tmp_path / "r.urdf").write_text(urdf.format(factor))
        made = sistel.load(tmp_path / "r.urdf")
        lost = made.save(tmp_path / "r.x3d")
        assert [loss.kind for loss in lost] == ["dropped"]
        assert "absent.stl" in lost[0].what.en
        text = (tmp_path / "r.x3d").read_text(encoding="utf-8")
        assert schema(text) == []
        floor, node = elements(text, "IndexedTriangleSet")
        assert len(floor.get("index", "").split()) > 36 and "Floor" in text
        assert len(node.get("index", "").split()) == 36
        extent = np.array(Figures(made.model, Losses()).extents[1])
        assert np.ptp(extent, axis=0) == pytest.approx([0.1, 0.4 / 2, 0.6])


def test_outlines() -> None:
    (square,) = read_path("m0,0h10v10h-10z")
    assert (square.points, square.closed) == (((0, 0), (10, 0), (10, 10), (0, 10)), True)
    first, second = read_path("M0 0 10 0L10 5 M20 0v5")
    assert (first.points, first.closed) == (((0, 0), (10, 0), (10, 5)), False)
    assert second.points == ((20, 0), (20, 5))
    (circle,) = read_path("m-5,0a5,5 0 1 0 10,0a5,5 0 1 0 -10,0z")
    assert circle.closed and len(circle.points) > 20
    assert [math.hypot(*point) for point in circle.points] == pytest.approx([5.0] * len(circle.points))
    (curve,) = read_path("M0,0C0,10 10,10 10,0S20,-10 20,0")
    assert curve.points[16] == (10, 0) and curve.points[-1] == (20, 0)
    assert curve.points[8] == pytest.approx((5, 7.5))  # the middle of a cubic curve: (0 + 3·10 + 3·10 + 0) / 8
    assert curve.points[24] == pytest.approx((15, -7.5))  # and its mirror image
    (parabola,) = read_path("M0 0Q5 10 10 0T20 0")
    assert parabola.points[8] == pytest.approx((5, 5)) and parabola.points[24] == pytest.approx((15, -5))
    # After a closed part the next begins where it began.
    parts = read_path("m10,10h5v5zm1,1h3")
    assert parts[1].points == ((11, 11), (14, 11))
    assert read_path("m0,0 5") == [] or read_path("m0,0 5")[0].points == ((0, 0),)


def test_colours() -> None:
    assert colour_parts("SteelBlue") == (pytest.approx((70 / 255, 130 / 255, 180 / 255)), 0.0)
    assert colour_parts("#f00") == ((1.0, 0.0, 0.0), 0.0)
    assert colour_parts("#00ff0080") == ((0.0, 1.0, 0.0), pytest.approx(1 - 128 / 255))
    assert colour_parts("no colour") is None and colour_parts("#xyzxyz") is None


def test_flat_surfaces() -> None:
    walker, cam, ramp, bird = (system(f"{n}.xml").model for n in ("walker", "cam", "block_ramp", "woodpecker"))
    plane = flat_surface(walker, walker.contacts[0])
    assert plane is not None and plane.normal.tolist() == [0.0, -1.0, 0.0] and plane.offset == 0.0
    assert flat_surface(cam, next(each for each in cam.contacts if each.name == "disc")) is None
    assert flat_surface(ramp, ramp.contacts[0]) is None
    wall = flat_surface(bird, bird.contacts[0])
    radius = next(each.value for each in bird.parameters if each.name == "r0")
    assert wall is not None and wall.normal.tolist() == [-1.0, 0.0, 0.0] and wall.offset == pytest.approx(radius)


@pytest.mark.parametrize("name", ["walker.xml", "puma560.xml", "slider_crank.xml", "delta.xml", "spinning_top.xml"])
def test_every_viewpoint_sees_the_whole_system(name: str) -> None:
    model = system(name).model
    text = draw_scene(model, lang="en")
    plan = make_plan(model, None, None, 1e-3, "en", Losses())
    views = list(elements(text, "Viewpoint"))
    assert len(views) == 4
    for view in views:
        numbers = [float(x) for x in view.get("orientation", "").split()]
        place = np.array(view.get("position", "").split(), dtype=float)
        x, y, z = numbers[:3]
        K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        R = np.eye(3) + math.sin(numbers[3]) * K + (1 - math.cos(numbers[3])) * K @ K
        seen = (plan.points - place) @ R
        angle = np.arctan2(np.abs(seen[:, :2]).max(axis=1), -seen[:, 2])
        assert angle.max() < float(view.get("fieldOfView", "0")) / 2
        assert angle.max() > 0.5 * float(view.get("fieldOfView", "0")) / 2  # nor is it far away


def test_saving(tmp_path: Path) -> None:
    motion("double_pendulum.xml").save(tmp_path / "run.x3d", lang="en")
    text = (tmp_path / "run.x3d").read_text(encoding="utf-8")
    assert text == draw_scene(motion("double_pendulum.xml").model, motion("double_pendulum.xml"), lang="en")
    assert system("double_pendulum.xml").save(tmp_path / "still.x3d") == ()
    assert (tmp_path / "still.x3d").read_text(encoding="utf-8") == draw_scene(
        system("double_pendulum.xml").model, lang="en"
    )
    with pytest.raises(sistel.SistelError, match=r"no/where\.x3d"):
        system("double_pendulum.xml").save(tmp_path / "no" / "where.x3d")


def test_refusals() -> None:
    model = system("double_pendulum.xml").model
    for tolerance in (0.0, -1.0, math.nan, math.inf):
        with pytest.raises(sistel.SistelError, match="tolerance"):
            draw_scene(model, motion("double_pendulum.xml"), tolerance=tolerance)
    for q in ([0.0], [0.0, math.nan], [0.0, 0.0, 0.0]):
        with pytest.raises(sistel.SistelError, match="2"):
            draw_scene(model, q=q)


def test_a_long_chain_is_written_without_recursion() -> None:
    count = 400
    row = "<body name='b{}' {} joint='revolute' place='0, 10' mass='1'/>"
    bodies = "".join(row.format(i, f"base='b{i - 1}'" if i else "") for i in range(count))
    made = sistel.parse(f"<system name='chain'>{bodies}</system>")
    for prototypes in (False, True):
        text = draw_scene(made.model, prototypes=prototypes, lang="en")
        assert check_scene(text) == []
    assert Scene(draw_scene(made.model, lang="en")).pose(f"b{count - 1}", 0.0)[1, 3] == pytest.approx(-0.01 * count)


def test_the_floor_is_under_everything() -> None:
    def floor(name: str) -> tuple[float, float]:
        model = system(name).model
        plan = make_plan(model, None, None, 1e-3, "en", Losses())
        (node,) = (each for each in elements(draw_scene(model, lang="en"), "Transform") if each.get("DEF") == "Floor")
        return float(node.get("translation", "0 0 0").split()[1]), float(plan.points[:, 1].min())

    assert floor("walker.xml")[0] == 0.0  # the ground of its contacts
    # The cam's follower has a stop above the cam, flat and level: no floor.
    height, lowest = floor("cam.xml")
    assert height <= lowest < -0.02


def test_bodies_without_lengths_are_seen() -> None:
    model = system("paper_listing1.xml").model
    plan = make_plan(model, None, None, 1e-3, "en", Losses())
    assert plan.figures.size == 1.0
    assert np.ptp(plan.points, axis=0).min() > 0.2


def test_a_short_motion_between_long_rests_is_kept() -> None:
    """A coordinate that moves for 20 ms in 60 s: its keys are there, and hardly any elsewhere."""
    text = """<system name="blink"><body name="cart" joint="prismatic" mass="1"/>
    <links><structure name="a"/><structure name="b"/><structure name="c"/>
    <transition from="a" to="b" when="t rises through 30 s"><set of="cart" rate="5000"/></transition>
    <transition from="b" to="c" when="t rises through 30.02 s"><set of="cart" rate="0"/></transition></links>
    <start structure="a"/></system>"""
    run = sistel.parse(text).simulate(60.0)
    assert run.q[-1, 0] == pytest.approx(0.1)
    scene = Scene(draw_scene(run.model, run, lang="en"))
    assert [scene.pose("cart", t)[0, 3] for t in (29.99, 30.01, 30.03)] == pytest.approx([0.0, 0.05, 0.1], abs=1e-6)
    assert len(scene.keys()) <= 6


@pytest.mark.parametrize(
    "gravity", [(0, 0, -9.81), (0, -9.81, 0), (3.0, 0, 0), (0, 0, 1.6), (1.0, -2.0, 3.0), (0, 0, 0)]
)
def test_up_is_against_gravity(gravity: tuple[float, float, float]) -> None:
    model = replace(system("puma560.xml").model, gravity=gravity)
    R_XW = np.array(up_frame(model))
    up = -np.array(gravity, dtype=float) if any(gravity) else np.array((0.0, 0.0, 1.0))
    assert R_XW @ up / np.linalg.norm(up) == pytest.approx([0.0, 1.0, 0.0], abs=1e-12)
    assert np.linalg.det(R_XW) == pytest.approx(1.0)
    assert np.abs(R_XW @ R_XW.T - np.eye(3)).max() < 1e-12


def spring_ends(name: str, scene: Scene, time: float, index: int) -> tuple[Any, Any]:
    """Both ends of a spring at a time: of its figure in the scene, and of its bodies by the kinematics [m]."""
    run, model = motion(name), system(name).model
    part, spring = scene_parts(model, lang="en").springs[index], model.springs[index]
    X = scene.pose(part.node, time)
    drawn = [(X @ np.array([0.0, y, 0.0, 1.0]))[:3] for y in (0.0, 1.0)]
    R_XW = np.diag([1.0, -1.0, -1.0]) if model.planar else np.array([[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])
    q = run(run.begin + time)[0]
    real = []
    for side, (_, point) in zip((spring.first, spring.second), (part.first, part.second), strict=True):
        # Planar bodies lie one before another: only that differs from the model.
        assert point[:2] == side.p_BS[:2]
        X_WB = system(name).pose(q, model.bodies[side.body - 1].name) if side.body else np.eye(4)
        real.append(R_XW @ (X_WB @ np.array([*point, 1.0]))[:3])
    return drawn, real


@pytest.mark.parametrize("name", SPRINGS)
def test_springs_follow_both_ends(name: str, schema: Any) -> None:
    run = motion(name)
    size = make_plan(run.model, run, None, 1e-3, "en", Losses()).figures.size
    for prototypes in (False, True):
        text = draw_scene(run.model, run, prototypes=prototypes, lang="en")
        assert schema(text) == [] and check_scene(text) == []
    text = draw_scene(run.model, run, lang="en")
    scene = Scene(text)
    keys = np.unique(scene.keys())
    moved = 0.0
    for index in range(len(run.model.springs)):
        ways = []
        for times, bound in (
            (keys[np.linspace(0, len(keys) - 1, 5).astype(int)], 1e-6),
            (np.linspace(0.013, 0.987, 17) * (run.end - run.begin), 1e-3),
        ):
            for time in times:
                drawn, real = spring_ends(name, scene, min(time, run.end - run.begin), index)
                for a, b in zip(drawn, real, strict=True):
                    assert float(np.linalg.norm(a - b)) < bound * size
                ways.append(drawn[1] - drawn[0])
        moved = max(moved, float(np.ptp(ways, axis=0).max()) / size)
    assert moved > 0.01


def test_a_spring_that_goes_through_nothing_and_turns_round() -> None:
    """A mass that passes the other end of its spring: the figure never vanishes, and flips within the bound."""
    text = """<system name="through"><body name="cart" joint="prismatic" mass="1"/>
    <spring name="rubber" body="0" to="cart" stiffness="100" length="0"/><start cart="200"/></system>"""
    run = sistel.parse(text).simulate(1.0)
    (spring,) = run.model.springs
    model = replace(run.model, springs=(replace(spring, name="rubber [1]"),))
    assert run.q.min() < -0.1
    scene_text = draw_scene(model, run, lang="en")
    assert check_scene(scene_text) == []
    (part,) = scene_parts(model).springs
    scene = Scene(scene_text)
    for time in np.linspace(0.0, 1.0, 57):
        X = scene.pose(part.node, time)
        tip = X @ np.array([0.0, 1.0, 0.0, 1.0])
        assert tip[0] == pytest.approx(run(time)[0][0], abs=1e-3 * 0.4)
        assert abs(np.linalg.det(X)) > 0.0
    assert '"rubber [1]"' in scene_text  # the name that a node cannot bear


def test_dampers_are_no_coils() -> None:
    text = """<system name="d"><body name="cart" joint="prismatic" place="300,0" mass="1"/>
    <spring body="0" to="cart" stiffness="{}" damping="1" length="200"/></system>"""
    springs = [draw_scene(sistel.parse(text.format(stiffness)).model, lang="en") for stiffness in (5, 0)]
    assert [scene.count('creaseAngle="2" convex="true"') for scene in springs] == [1, 0]
