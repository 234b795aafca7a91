"""Rows B12–B15 and B19–B25 of the mission, through the public face alone; each test is named after its row."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from support.browser import Chromium
from support.prototypes import Scene, in_folder, viewer

import sistel
from sistel.cli import main
from sistel.pose import (
    CODES,
    Pose,
    axial_rotation,
    homogeneous,
    read_move,
    read_position,
    read_transitions,
    read_turn,
    write_position,
)
from sistel.views.prototypes import (
    draw_scene,
    gripper_scene,
    prototype,
    read_operations,
    whole_scene,
)

HAND = "проСхват_Схват"
SINGLE = 2e-6
"""What the single precision of fields leaves of a metre or a radian."""


@pytest.fixture(scope="module")
def shown(chromium: Chromium) -> Iterator[Scene]:
    """A viewer for all tests, each with a scene of its own; complaints in any of them fail the last."""
    with viewer(chromium) as made:
        yield made


@pytest.fixture
def gripper(shown: Scene) -> Scene:
    """A gripper with the default fields."""
    return shown.show(gripper_scene({}, "ru", name="схват"))


def drawn(shown: Scene) -> Any:
    return shown.pose("схват", HAND)


def centred(shown: Scene) -> None:
    shown.set("схват", "положение", 0, 0)
    shown.go()
    assert np.abs(drawn(shown) - np.eye(4)).max() == 0


def angle(A: Any, B: Any) -> float:
    """Of the turn from one pose to another, from its sine and cosine [rad]."""
    R = A[:3, :3].T @ B[:3, :3]
    sine = np.linalg.norm([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return math.atan2(float(sine), float(np.trace(R)) - 1)


def test_B12(gripper: Scene) -> None:
    """A smooth transition: at rest at both ends, halfway at half the time, no faster than its polynomial says."""
    centred(gripper)
    gripper.begin("схват", "переходы", 2, 0, 5, 0.2, 0, 0, 32)
    places, turns = [0.0], [0.0]
    for _ in range(20):
        gripper.go(0.1)
        X = drawn(gripper)
        places.append(float(X[0, 3]))
        turns.append(angle(np.eye(4), X))
    steps = np.arange(21) / 20
    cubic = 3 * steps**2 - 2 * steps**3
    assert np.abs(np.array(places) - 0.2 * cubic).max() < SINGLE
    assert np.abs(np.array(turns) - math.pi / 2 * cubic).max() < SINGLE
    # End speeds 0: the first and the last step are of second order, 3 h² of the whole way.
    for way, whole in ((places, 0.2), (turns, math.pi / 2)):
        assert max(way[1] - way[0], way[-1] - way[-2]) < 3 * 0.05**2 * whole
        assert max(np.diff(way)) == pytest.approx(1.5 * whole * 0.05, rel=0.01)


def test_B13() -> None:
    """The interface of the prototype equals Listing 5: eight typed fields, Russian names, defaults."""
    listing = [
        ("место", "SFVec3f", [0, 0, 0]),
        ("ориентация", "SFRotation", [1, 0, 0, 0]),
        ("положение", "MFFloat", [0]),
        ("разводПальцев", "SFFloat", [0]),
        ("жатьКлавиши", "SFBool", "false"),
        ("перенос", "MFFloat", [0]),
        ("поворот", "MFFloat", [0]),
        ("переходы", "MFFloat", [0]),
    ]
    declared = ElementTree.fromstring(prototype("проСхват").encode()).find("Scene/ProtoDeclare")
    assert declared is not None and declared.get("name") == "проСхват"
    fields = declared.findall("ProtoInterface/field")
    assert {field.get("accessType") for field in fields} == {"inputOutput"}
    found = []
    for field in fields:
        value = field.get("value", "")
        found.append(
            (field.get("name"), field.get("type"), value if value == "false" else [*map(float, value.split())])
        )
    assert found == listing


def test_B14(gripper: Scene) -> None:
    """`место` goes to the translation, `ориентация` to the rotation: fingers up, 0.1 m to the right."""
    centred(gripper)
    gripper.set("схват", "место", 0.1, 0, 0)
    gripper.set("схват", "ориентация", 0, 0, 1, 1.5708)
    gripper.go()
    X = drawn(gripper)
    assert np.abs(X[:3, 3] - [0.1, 0, 0]).max() < SINGLE
    # 1.5708 is 3.7e-6 more than a quarter turn.
    assert np.abs(X[:3, 0] - [0, 1, 0]).max() < 1e-5
    assert np.abs(X[:3, 1] - [-1, 0, 0]).max() < 1e-5


def test_B15(gripper: Scene, rng: Any) -> None:
    """All 30 pairs of coordinates and orientation are accepted, and mean what Python reads."""
    seen = set()
    for coordinates in range(5):
        for orientation in range(6):
            four = rng.normal(size=4)
            code = int(rng.choice(CODES))
            pose = Pose(place=rng.uniform(-0.4, 0.4, 3), quaternion=four / np.linalg.norm(four))
            if orientation == 5:
                (pose,) = read_position([0, 5, *pose.place, code])
            numbers = write_position(pose, coordinates, orientation)
            assert numbers[:2] == (coordinates, orientation)
            gripper.set("схват", "положение", *numbers)
            gripper.go()
            assert np.abs(drawn(gripper) - pose.matrix).max() < SINGLE
            seen.add(tuple(np.round(drawn(gripper).ravel(), 4)))
    assert len(seen) == 30
    for code in CODES:
        gripper.set("схват", "положение", 0, 5, 0, 0, 0, code)
        gripper.go()
        assert np.abs(drawn(gripper)[:3, :3] - axial_rotation(code)).max() < 1e-5


def test_B19(shown: Scene) -> None:
    """`разводПальцев` 0.04 is a gap of 40 mm between the pads; keys move and turn while `жатьКлавиши`."""
    text = gripper_scene({"spread": "0.04"}, "ru", name="схват")
    shown.show(text)
    assert gap(shown) == pytest.approx(0.04, abs=1e-7)
    shown.put("схват", "разводПальцев", 0.025)
    shown.go()
    assert gap(shown) == pytest.approx(0.025, abs=1e-7)
    press = shown.tab.page.keyboard.press
    shown.tab.run("() => document.querySelector('x3d-canvas').focus()")
    # Arrows would move a page that is wider than its window.
    assert shown.tab.run("() => document.documentElement.scrollWidth <= innerWidth")
    before = shown.tab.picture()
    press("ArrowRight")
    shown.go(1.0)
    assert np.abs(drawn(shown) - np.eye(4)).max() == 0
    assert shown.tab.picture() == before
    shown.put("схват", "жатьКлавиши", True)
    shown.go()
    expected = np.eye(4)
    for key, way in (("ArrowRight", (0.05, 0, 0)), ("ArrowUp", (0, 0.05, 0)), ("PageUp", (0, 0, -0.05))):
        press(key)
        shown.go(0.1)
        shown.go(1.0)
        expected[:3, 3] += way
        assert np.abs(drawn(shown) - expected).max() < SINGLE
    assert shown.tab.picture() != before
    # A quarter about its x, then about its new y, then back about the new z: product of codes 15, 63, 41.
    for key, code in (("x", 15), ("y", 63), ("Shift+Z", 41)):
        press(key)
        shown.go(0.1)
        shown.go(1.0)
        expected[:3, :3] = expected[:3, :3] @ np.array(axial_rotation(code))
        assert np.abs(drawn(shown) - expected).max() < SINGLE
    for digit in "42":
        press(digit)
        shown.go(0.1)
    shown.go(1.0)
    expected[:3, :3] = axial_rotation(42)
    assert np.abs(drawn(shown) - expected).max() < SINGLE
    press("+")
    shown.go()
    assert gap(shown) == pytest.approx(0.035, abs=1e-7)
    press("Home")
    shown.go(0.1)
    shown.go(1.0)
    assert np.abs(drawn(shown) - np.eye(4)).max() < SINGLE


def gap(shown: Scene) -> float:
    """Between the pads: their inner faces, from the boxes that are drawn [m]."""
    faces = []
    for finger, turned in (("проСхват_ВерхнийПалец", False), ("проСхват_НижнийПалец", True)):
        moved = shown.pose("схват", finger)
        path: list[str | int] = [finger, 0, 0] if turned else [finger, 0]
        inner = shown.pose("схват", finger, 0) if turned else np.eye(4)
        pad = shown.pose("схват", *path, "прототипТела_Тело", 0)
        size = shown.pose("схват", *path, "прототипТела_Тело", 0, 0)
        corner = moved @ inner @ pad @ size @ [0, -0.5, 0, 1]
        faces.append(float(corner[1]))
    return faces[0] - faces[1]


def test_B20(gripper: Scene) -> None:
    """`перенос` and `поворот` are targets in the frame of the parent; what is missing is 0; 24 of 24 orientations."""
    centred(gripper)
    for numbers in ([0, 0.1, -0.2, 0.05], [1, 0.2, 30], [2, 0.3, 60, 45], [0, 0.1], [0]):
        gripper.set("схват", "перенос", *numbers)
        gripper.go()
        gripper.go(1.0)
        assert np.abs(drawn(gripper) - homogeneous([1, 0, 0, 0], read_move(numbers))).max() < SINGLE
    assert np.abs(drawn(gripper) - np.eye(4)).max() < SINGLE
    for code in CODES:
        gripper.set("схват", "поворот", 5, code)
        gripper.go()
        gripper.go(1.0)
        X = drawn(gripper)
        assert np.abs(X[:3, :3] - axial_rotation(code)).max() < 1e-5
        assert np.abs(X - homogeneous(read_turn([5, code]), np.zeros(3))).max() < 1e-5
    gripper.set("схват", "поворот", 0)
    gripper.go()
    gripper.go(1.0)
    # The default: in the centre, orientation 13.
    assert np.abs(drawn(gripper) - np.eye(4)).max() < SINGLE


def test_B21(gripper: Scene) -> None:
    """Three timed codes, each of another kind: at every time exactly that pose."""
    centred(gripper)
    code = [
        1,
        0,
        5,
        0.1,
        0.05,
        0,
        32,
        2.5,
        1,
        1,
        0.2,
        120,
        0.1,
        30,
        40,
        50,
        3.25,
        2,
        3,
        0.3,
        60,
        -45,
        0.5,
        0.5,
        -0.5,
        0.5,
    ]
    gripper.set("схват", "переходы", *code)
    gripper.go()
    before = 0.0
    for timed in read_transitions(code):
        gripper.go((timed.time - before) / 2)
        assert np.abs(drawn(gripper) - timed.pose.matrix).max() > 0.05
        gripper.go((timed.time - before) / 2)
        assert np.abs(drawn(gripper) - timed.pose.matrix).max() < SINGLE
        before = timed.time
    gripper.go(5.0)
    assert np.abs(drawn(gripper) - timed.pose.matrix).max() < SINGLE


def test_B22(shown: Scene) -> None:
    """A load goes with the gripper between take and release, and stays where it was put."""
    shown.show(computed("схват_грузы"))
    operations = read_operations(shown.get("проОперации", "операции"))
    take, release = (next(each for each in operations if each.action == word) for word in ("take", "release"))
    offset = None
    first = shown.pose("Груз_1")
    for t in np.round(np.arange(0.5, 10.01, 0.5), 3):
        shown.put("проОперации", "момент", float(t))
        shown.go()
        load, hand = shown.pose("Груз_1"), shown.pose("Схват", HAND)
        held = shown.get("проОперации", "держит")
        if t < take.time:
            assert held == 0 and np.array_equal(load, first)
        elif t < release.time:
            offset = np.linalg.inv(hand) @ load if offset is None else offset
            assert held == 1 and np.abs(load - hand @ offset).max() < SINGLE
            # The pole is in the middle of the load.
            assert np.abs(load[:3, 3] - hand[:3, 3]).max() < SINGLE
        else:
            assert held == 0 and offset is not None
            assert np.abs(load - release.pose.matrix @ offset).max() < SINGLE
    assert np.abs(load - first)[:3, 3].max() > 0.4


FINGER = """<X3D profile='Immersive' version='4.0'><Scene>
<ExternProtoDeclare name='прототипТела' url='"прототипТела.x3d"'>
  <field accessType='inputOutput' type='MFFloat' name='код'/>
</ExternProtoDeclare>
<ProtoDeclare name='проПалец'><ProtoInterface/><ProtoBody><Transform DEF='проПалец_Основание'>
  <ProtoInstance name='прототипТела'><fieldValue name='код' value='1 0.08 0.01 0.03 0 0 0 0 5 13 1 0 0 0 0'/></ProtoInstance>
</Transform></ProtoBody></ProtoDeclare></Scene></X3D>"""
"""A prototype of a user's own, which is made of the prototype of a body by its code: a box of 80 × 10 × 30 mm."""
PAIR = """<X3D profile='Immersive' version='4.0'><Scene>
<ExternProtoDeclare name='проПалец' url='"детали/проПалец.x3d"'/>
<ExternProtoDeclare name='проСхват' url='"детали/проСхват.x3d"'>
  <field accessType='inputOutput' type='SFVec3f' name='место'/>
</ExternProtoDeclare>
<ProtoInstance DEF='первый' name='проПалец'/>
<Transform translation='0 0.2 0'><ProtoInstance DEF='второй' name='проПалец'/></Transform>
<ProtoInstance DEF='левый' name='проСхват'/>
<ProtoInstance DEF='правый' name='проСхват'><fieldValue name='место' value='0 0.3 0'/></ProtoInstance>
</Scene></X3D>"""
"""Two instances of each of two prototypes, which other files hold."""


def test_B23(chromium: Chromium, tmp_path: Path) -> None:
    """Files: a scene, a prototype of a user's, the gripper, and the prototype of a body that both are made of. The code
    of a body is changed in one place of one file, and both instances change; the others stay."""
    parts = tmp_path / "детали"
    assert main(["prototype", "--all", str(parts), "--lang", "ru"]) == 0
    (parts / "проПалец.x3d").write_text(FINGER, encoding="utf-8")
    (tmp_path / "сцена.x3d").write_text(PAIR, encoding="utf-8")
    first = ("прототипТела_Тело", 0, 0)
    fingers = {name: (name, "проПалец_Основание", 0, *first) for name in ("первый", "второй")}
    # The palm of a gripper is the first body of its hand, after what feels a touch.
    palms = {name: (name, HAND, 1, *first) for name in ("левый", "правый")}

    def seen() -> dict[str, list[float]]:
        """Sizes of the first solid of every body, as it is drawn [m]."""
        with in_folder(chromium, tmp_path, "сцена.x3d") as scene:
            found = {}
            for name, path in (fingers | palms).items():
                scene.until(*path)
                found[name] = np.linalg.norm(scene.pose(*path)[:3, :3], axis=0).round(7).tolist()
            return found

    def change(file: str, before: str, after: str) -> None:
        text = (parts / file).read_text(encoding="utf-8")
        assert text.count(before) == 1
        (parts / file).write_text(text.replace(before, after), encoding="utf-8")

    finger, palm = [0.08, 0.01, 0.03], [0.024, 0.15, 0.046]
    assert seen() == {"первый": finger, "второй": finger, "левый": palm, "правый": palm}
    change("проПалец.x3d", "1 0.08 0.01 0.03", "1 0.08 0.01 0.06")
    finger = [0.08, 0.01, 0.06]
    assert seen() == {"первый": finger, "второй": finger, "левый": palm, "правый": palm}
    change("проСхват.x3d", "1 0.024 0.15 0.046", "1 0.024 0.2 0.046")
    palm = [0.024, 0.2, 0.046]
    assert seen() == {"первый": finger, "второй": finger, "левый": palm, "правый": palm}


LISTING_1 = """<html><head><script src="x3dom.js"></script></head><body>
<X3D width="800px" height="400px"><Scene><Viewpoint position="0 0 3"></Viewpoint>
<Transform DEF="схват"><Shape><Box size="0.5 0.15 0.15"></Box>
<Appearance><Material diffuseColor="0 0 1"></Material></Appearance></Shape></Transform>
<OrientationChaser DEF='поворот' initialValue='1 0 0 0' initialDestination='1, 0, -1, 3.1415'></OrientationChaser>
<ROUTE fromNode = 'поворот' fromField = 'value_changed' toNode = 'схват' toField = 'set_rotation'></ROUTE>
</Scene></X3D></body></html>"""
LISTING_2 = """<?xml version = "1.0" encoding = "UTF-8"?>
<X3D version = "3.2"><Scene><WorldInfo title = 'груз'/><Background skyColor = "1 1 1"/>
<Viewpoint position = "0, 0, 0.1"/>
<ExternProtoDeclare name = "прототипТела" url = "прототипТела.x3d"/>
<Transform><ProtoInstance DEF = "винт" name = "прототипТела">
<fieldValue name = "код" value = "1 0.02 0.02 0.02 0 0 0 0 5 13 1 0 0 0 0"/></ProtoInstance></Transform>
<Script DEF = "сценарий" url = "груз.js"><field name = "велик" type = "SFBool" accessType = "outputOnly"/></Script>
</Scene></X3D>"""
LISTING_5 = """<ProtoDeclare name = "проСхват"><ProtoInterface>
<field name = "место" type = "SFVec3f" accessType = "inputOutput" value = "0, 0, 0"/>
<field name = "разводПальцев" type = "SFFloat" accessType = "inputOutput" value = "0"/>
</ProtoInterface><ProtoBody><!-- the body of the prototype --></ProtoBody></ProtoDeclare>
"""
LISTING_4 = """<ProtoInstance DEF = "схватПоУмолчанию" name = "проСхват">
<fieldValue name = "место" value = "0, 0, 0"/><fieldValue name = "разводПальцев" value = "0.04"/></ProtoInstance>
"""
"""In the form of the paper's listings 1, 2, 5 and 4: a page for X3DOM, a scene with a prototype and a script of other
files, an interface without a body, an instance; the last two without the lines around them."""


@pytest.mark.slow
def test_B23_listings(chromium: Chromium, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Scenes as papers print them become pages by the command line, with prototypes, scripts and all that is near."""
    texts = {"1.html": LISTING_1, "2.x3d": LISTING_2, "4.x3d": LISTING_4, "5.x3d": LISTING_5 + LISTING_4}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    script = "function initialize() { Browser.currentScene.getNamedNode('винт')['код'][2] = 0.04; велик = true; }"
    (tmp_path / "груз.js").write_text(script)
    for name in texts:
        assert main(["draw", str(tmp_path / name), "-o", str(tmp_path / f"{name}.page.html"), "--lang", "en"]) == 0
        told = capsys.readouterr().err
        assert "warning" not in told and ("sistel has" in told) == (name != "1.html"), told
    with chromium.tab(webgl=True, size=(320, 240)) as tab:

        def shown(name: str) -> Scene:
            tab.open(tmp_path / f"{name}.page.html")
            tab.wait("globalThis.sistelViewer")
            return Scene(tab)

        near = "() => sistelViewer.browser.activeViewpoint.nearDistance"
        scene = shown("1.html")
        tab.wait("sistelViewer.field('схват', 'rotation')[3] > 3.14145")
        assert scene.get("схват", "rotation") == pytest.approx([0.5**0.5, 0, -(0.5**0.5), 3.1415], abs=1e-4)
        scene = shown("2.x3d")
        tab.wait("sistelViewer.field('винт', 'код')[2] > 0.03")
        assert tab.run(near) == pytest.approx(0.001)  # a hundredth of the way to what is 0.1 m away
        for name in ("4.x3d", "5.x3d"):
            scene = shown(name)
            assert scene.get("схватПоУмолчанию", "разводПальцев") == pytest.approx(0.04)
            upper = scene.pose("схватПоУмолчанию", "проСхват_ВерхнийПалец")
            assert upper[1, 3] == pytest.approx(0.02)
            assert 0 < tab.run(near) < 0.02  # all of it is shown, from where it fits


def test_B24(gripper: Scene) -> None:
    """By the clock, by clicks and computed: one end pose."""
    end = (0.1, 0.05, -0.05)
    (target,) = read_position([0, 5, *end, 64])
    found = []
    for mode in ("tick", "click", "computed"):
        centred(gripper)
        if mode == "tick":
            gripper.set("схват", "переходы", 1, 0, 5, 0, 0.1, 0, 32, 2, 0, 5, *end, 64)
            gripper.go()
            gripper.go(2.0)
        elif mode == "click":
            gripper.set("схват", "положение", 0, 5, 0, 0, 0, 13, 0, 5, 0, 0.1, 0, 32, 0, 5, *end, 64)
            gripper.go()
            for _ in range(2):
                gripper.click(drawn(gripper) @ [-0.12, 0, 0, 1])
                gripper.go(1.0)
        else:
            gripper.set("схват", "перенос", 0, *end)
            gripper.set("схват", "поворот", 5, 64)
            gripper.go()
            gripper.go(1.0)
        found.append(drawn(gripper))
        assert np.abs(found[-1] - target.matrix).max() < SINGLE, mode
    assert max(np.abs(found[0] - each).max() for each in found) < SINGLE


def test_B25(shown: Scene) -> None:
    """The lug turns by a quarter, the flange goes, and the old gripper stays in the rack."""
    shown.show(computed("схват_байонет"))
    operations = read_operations(shown.get("проОперации", "операции"))
    leave, fit = (next(each for each in operations if each.action == word) for word in ("leave", "fit"))
    start = operations[operations.index(leave) - 1].time

    def at(t: float) -> tuple[Any, Any, Any]:
        shown.put("проОперации", "момент", t)
        shown.go()
        flange = shown.pose("проОперации", "проОперации_Фланец")
        return flange, shown.pose("Схват_1", HAND), shown.pose("Схват_2", HAND)

    waiting = at(0.5)[2]
    flange, first, _ = at(start)
    assert np.abs(flange - first).max() < SINGLE
    # The lug points along y of the gripper: up at first, towards us when it is free.
    assert np.abs(first[:3, 1] - [0, 1, 0]).max() < SINGLE
    half = at((start + leave.time) / 2)
    assert angle(half[0], half[1]) == pytest.approx(math.pi / 4, abs=1e-5)
    flange, free, _ = at(leave.time)
    assert np.abs(free[:3, 1] - [0, 0, 1]).max() < SINGLE
    assert np.abs(free[:3, 3] - first[:3, 3]).max() < SINGLE
    assert shown.get("проОперации", "надет") == 0
    for t in (leave.time + 0.7, fit.time - 0.2, fit.time + 1.5, 10.0):
        flange, stays, second = at(t)
        assert np.array_equal(stays, free)
        assert np.abs(flange[:3, 3] - stays[:3, 3]).max() > 0.05
        if t < fit.time - 1:
            assert np.abs(second - waiting).max() < SINGLE
    # The other one goes with the flange, its lug up.
    assert shown.get("проОперации", "надет") == 2
    assert np.abs(flange - second).max() < SINGLE
    assert np.abs(second[:3, 1] - [0, 1, 0]).max() < SINGLE


def computed(name: str) -> str:
    """A scene of operations that waits for times instead of playing."""
    text = whole_scene(draw_scene(name, beside="../prototypes"))
    return text.replace(
        "<fieldValue name='операции'", "<fieldValue name='режим' value='2'/><fieldValue name='операции'"
    )


def test_B31_files(tmp_path: Path) -> None:
    """`sistel prototype arm|walker` writes them, by both names; the walker is made of the arm."""
    for name in ("arm", "walker", "проМР", "проШМ"):
        assert main(["prototype", name, "-o", str(tmp_path / f"{name}.x3d")]) == 0
        root = ElementTree.parse(tmp_path / f"{name}.x3d").getroot()
        (declared,) = root.iter("ProtoDeclare")
        assert declared.get("name") == name
        used = [each.get("name") for each in root.iter("ExternProtoDeclare")]
        assert used == {"arm": ["body"], "walker": ["body", "arm"]}.get(name, used)
        kinds = {each.get("name"): each.get("type") for each in declared.iterfind("ProtoInterface/field")}
        assert kinds.get("joints" if name == "arm" else "сочленения", "SFVec3d") == "SFVec3d"


ARM_CHAIN = ("Основание", "Первое", "Второе", "Третье", "Кисть", "Инструмент")
"""The Transforms of an arm, each within the one before."""
KINDS = {0: "cartesian", 1: "cylindrical", 2: "spherical", 3: "angular"}
ARM_SIZES = {0: "1.8 1.4 1", 1: "0.4 0.35 1.1", 2: "0.7 0.35 0.9", 3: "0.5 0.6 0.5"}
"""Of the gallery's four arms [m]: heights, lengths that are drawn in, links."""


def arm_drawn(shown: Scene, name: str, *path: str | int) -> Any:
    """The pose of an arm's tool, from all the Transforms that are drawn."""
    made = np.eye(4)
    for each in ARM_CHAIN:
        made = made @ shown.pose(name, *path, f"проМР_{each}")
    return made


JOINTS = """(k) => {
  const { x, y, z } = sistelViewer.browser.currentScene.getNamedNode("проШМ")["ноги"][k]["сочленения"];
  return [x, y, z];
}"""


def to_axis(four: Any) -> list[float]:
    """Axis and angle of a quaternion, by themselves [rad]."""
    sine = float(np.linalg.norm(four[1:]))
    return [*(float(part) / sine for part in four[1:]), 2 * math.atan2(sine, float(four[0]))]


def test_B31_arms(shown: Scene, models_dir: Path, rng: Any) -> None:
    """Arms of four kinds: their ends are where the kinematics of the gallery's arms have them, and codes of targets in
    every kind of coordinates are reached; one that is out of reach is told, and changes nothing."""
    arms = "".join(
        f"<ProtoInstance DEF='МР_{kind}' name='проМР'><fieldValue name='координаты' value='{kind}'/>"
        f"<fieldValue name='размеры' value='{sizes}'/><fieldValue name='сочленения' value='0 0 0'/></ProtoInstance>"
        for kind, sizes in ARM_SIZES.items()
    )
    # A piece without a frame: prototypes of the package need no declaration.
    text = whole_scene(draw_scene("руки", beside=".")).partition("<NavigationInfo")[0]
    shown.show(f"{text}<Viewpoint position='0 0 5' orientation='0 0 1 0' fieldOfView='0.7'/>{arms}</Scene></X3D>")
    for kind, name in KINDS.items():
        system = sistel.load(models_dir / f"mr_{name}.xml")
        turns = [way == "turn" for body in system.model.bodies[:3] for _, way in body.joint.type.coordinates]
        arm = f"МР_{kind}"
        for _ in range(3):
            q = rng.uniform(0.05, 0.5, 3) * np.array([1, 1, -1 if kind == 3 else 1])
            typed = [math.degrees(value) if turn else value for value, turn in zip(q, turns, strict=True)]
            shown.set(arm, "сочленения", *typed)
            shown.go()
            X = system.pose([*q, *np.zeros(system.nq - 3)], "рысканье")
            found = arm_drawn(shown, arm)
            assert np.abs(found - X).max() < 1e-9, name
            assert np.abs(np.array(shown.get(arm, "конец")) - X[:3, 3]).max() < 1e-9, name
        shown.put(arm, "вылет", 0.25)
        for coordinates in (0, 1, 2):
            four = rng.normal(size=4)
            target = Pose(place=np.array([0.6, 0.25, 0.55]), quaternion=four / np.linalg.norm(four))
            shown.set(arm, "положение", *write_position(target, coordinates, 3))
            shown.go()
            # Codes are fields of single precision.
            assert np.abs(arm_drawn(shown, arm) - target.matrix).max() < SINGLE, (name, coordinates)
        shown.set(arm, "перенос", 1, 0.75, 20, 0.5)
        shown.go()
        shown.go(0.5)
        away = arm_drawn(shown, arm)
        shown.go(0.6)
        there = arm_drawn(shown, arm)
        expected = homogeneous([1, 0, 0, 0], read_move([1, 0.75, 20, 0.5]))[:3, 3]
        assert np.abs(there[:3, 3] - expected).max() < SINGLE < np.abs(away[:3, 3] - expected).max()
        assert np.abs(there[:3, :3] - target.matrix[:3, :3]).max() < SINGLE
    said: list[str] = []
    shown.tab.page.on("console", lambda line: said.append(line.text))
    before = arm_drawn(shown, "МР_3")
    shown.set("МР_3", "положение", 0, 5, 3, 0, 0, 13)
    shown.go()
    assert np.array_equal(arm_drawn(shown, "МР_3"), before)
    assert any("рука достаёт от" in line for line in said), said


def test_B31_walker(shown: Scene, models_dir: Path, rng: Any) -> None:
    """Legs of the walker are instances of the arm: at the feet of the gallery's machine they have its joints, and stand
    where its kinematics have them; walking, the trunk goes on evenly and standing feet stay."""
    system = sistel.load(models_dir / "shm_quadruped.xml")
    names = system.model.coordinate_names
    legs = ("Л1", "П1", "Л2", "П2")
    shown.show(whole_scene(draw_scene("шагающая_машина")))
    shown.put("проШМ", "шагать", False)
    shown.put("проШМ", "момент", 0.0)

    def foot(k: int) -> Any:
        trunk = shown.pose("проШМ", "проШМ_Корпус")
        return trunk @ arm_drawn(shown, "проШМ", "проШМ_Корпус", 1, k)

    for _ in range(3):
        free = np.zeros(system.nq)
        joints = np.degrees(rng.uniform([-0.4, 0.2, -1.6], [0.4, 0.7, -0.9], (4, 3)))
        for leg, row in zip(legs, np.radians(joints), strict=True):
            for joint, value in zip(("колонна", "плечо", "предплечье"), row, strict=True):
                free[names.index(f"{leg}_{joint}")] = value
        four = np.array([1.0, *rng.uniform(-0.1, 0.1, 3)])
        free[:7] = [*(four / np.linalg.norm(four)), *rng.uniform(0.3, 0.5, 3)]
        X_WT = system.pose(free, "корпус")
        feet = [system.pose(free, f"{leg}_предплечье") @ [0.3, 0, 0, 1] for leg in legs]
        shown.set("проШМ", "место", *map(float, X_WT[:3, 3]))
        shown.set("проШМ", "ориентация", *to_axis(free[:4]))
        shown.points("проШМ", "стопы", [list(map(float, each[:3])) for each in feet])
        shown.go()
        for k, expected in enumerate(feet):
            assert np.abs(foot(k)[:3, 3] - expected[:3]).max() < 1e-9
            found = shown.tab.run(JOINTS, k)
            assert np.abs(np.array(found) - joints[k]).max() < 1e-7  # of degrees
    shown.points("проШМ", "стопы", [])
    shown.set("проШМ", "место", 0, 0, 0.4)
    shown.set("проШМ", "ориентация", 1, 0, 0, 0)
    places = []
    for time in np.linspace(0.0, 2.0, 41):
        shown.put("проШМ", "момент", float(time))
        shown.go()
        trunk = shown.pose("проШМ", "проШМ_Корпус")
        assert np.abs(trunk[:3, 3] - [0.15 * time / 2.0, 0, 0.4]).max() < 1e-9
        places.append([foot(k)[:3, 3] for k in range(4)])
    feet_at = np.array(places)
    high = feet_at[:, :, 2] > 1e-9
    assert high.sum(axis=1).max() == 1 and high.any(axis=0).all()  # one foot at a time, each once in a cycle
    still = ~high[1:] & ~high[:-1]
    assert np.abs(np.diff(feet_at, axis=0))[still].max() < 1e-9
    assert np.abs(feet_at[-1] - feet_at[0] - [0.15, 0, 0]).max() < 1e-9
    assert feet_at[:, :, 2].max() == pytest.approx(0.06)


def test_B34(shown: Scene) -> None:
    """Fields of the prototype of a body drive its colour and its deformation, over time; the code stays."""
    shown.show(whole_scene(draw_scene("нагрев")))
    colour = """() => {
      const body = sistelViewer.browser.currentScene.getNamedNode("Тело").getValue().getBody();
      const { r, g, b } = body.getNamedNode("прототипТела_Тело").children[0].children[0].children[0].appearance.material.diffuseColor;
      return [r, g, b];
    }"""
    code = shown.get("Тело", "код")

    def seen() -> tuple[list[float], Any]:
        return shown.tab.run(colour), np.linalg.norm(shown.pose("Тело", "прототипТела_Тело")[:3, :3], axis=0)

    # A clock that goes on for ever counts from 1970; it is set to begin now.
    for field, value in (
        ("enabled", False),
        ("startTime", shown.tab.run("() => Date.now() / 1000")),
        ("enabled", True),
    ):
        shown.put("Часы", field, value)
        shown.go()
    found = []
    for _ in range(7):
        found.append(seen())
        shown.go(1.0)
    pictures = {shown.tab.picture()}
    shades, sizes = np.array([each for each, _ in found]), np.array([each for _, each in found])
    # Six seconds: hotter and larger to the middle, and back.
    assert np.all(np.diff(sizes[:4], axis=0) > 0) and np.all(np.diff(sizes[3:], axis=0) < 0)
    assert np.all(np.diff(shades[:4, 0]) > 0) and np.all(np.diff(shades[3:, 0]) < 0)
    assert np.abs(sizes[3] - 1.25).max() < 1e-2 and shades[3] == pytest.approx([1, 0.35, 0.05], abs=2e-2)
    shown.go(3.0)
    pictures.add(shown.tab.picture())
    assert len(pictures) == 2 and shown.get("Тело", "код") == code
    # By hand: a half of green over the orange of the code, twice as long along x.
    shown.show(whole_scene(draw_scene("нагрев")).partition("<TimeSensor")[0] + "</Scene></X3D>")
    shown.set("Тело", "цвет", 0, 1, 0)
    shown.put("Тело", "окраска", 0.5)
    shown.set("Тело", "деформация", 2, 1, 0.5)
    shown.go()
    shade, size = seen()
    assert shade == pytest.approx([0.475, 0.725, 0.04], abs=1e-6) and size == pytest.approx([2, 1, 0.5])
    shown.put("Тело", "окраска", 0.0)
    shown.go()
    assert seen()[0] == pytest.approx([0.95, 0.45, 0.08], abs=1e-6)
