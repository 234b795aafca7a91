"""Prototypes in X_ITE beyond their mission rows: in English, from files, with lists that are wrong, and in all modes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
import pytest
from support.browser import Chromium
from support.prototypes import Scene, viewer

from sistel.pose import homogeneous, pass_through, read_position, read_transitions
from sistel.pose._passing import Profile
from sistel.views.prototypes import draw_scene, gripper_scene, read_operations, scene_names
from sistel.views.viewer import view_scene

SINGLE = 2e-6
"""Of poses that have been through single precision."""


@pytest.fixture(scope="module")
def shown(chromium: Chromium) -> Iterator[Scene]:
    """One viewer for all tests."""
    with viewer(chromium) as made:
        yield made


def in_mode(name: str, mode: int, lang: str = "ru") -> str:
    """A scene of operations in another mode."""
    listed, field = ("операции", "режим") if lang == "ru" else ("list", "mode")
    return draw_scene(name).replace(
        f"<fieldValue name='{listed}'", f"<fieldValue name='{field}' value='{mode}'/><fieldValue name='{listed}'"
    )


def test_english_twins_do_the_same(shown: Scene) -> None:
    poses = []
    for scene, work, time, hand, load in (
        ("схват_грузы", "проОперации", "момент", ("Схват", "проСхват_Схват"), "Груз_1"),
        ("gripper_loads", "operations", "time", ("Hand", "gripper_Hand"), "Load_1"),
    ):
        shown.show(in_mode(scene, 2, "ru" if scene.startswith("с") else "en"))
        for t in (2.0, 5.0, 8.0):
            shown.put(work, time, t)
            shown.go()
            poses.append((shown.pose(*hand), shown.pose(load)))
    for (hand, load), (same_hand, same_load) in zip(poses[:3], poses[3:], strict=True):
        assert np.array_equal(hand, same_hand) and np.array_equal(load, same_load)
    assert np.abs(poses[0][1] - poses[1][1]).max() > 0.1

    shown.show(gripper_scene({"keys": "true"}, "en", name="hand"))
    shown.set("hand", "transitions", 1, 0, 5, 0.1, 0, 0, 32)
    shown.go()
    shown.go(1.0)
    (first,) = read_position([0, 5, 0.1, 0, 0, 32])
    assert np.abs(shown.pose("hand", "gripper_Hand") - first.matrix).max() < 1e-6
    shown.tab.run("() => document.querySelector('x3d-canvas').focus()")
    shown.tab.page.keyboard.press("Shift+X")
    shown.go()
    shown.go(1.0)
    turned = first.matrix @ read_position([0, 5, 0, 0, 0, 16])[0].matrix
    assert np.abs(shown.pose("hand", "gripper_Hand") - turned).max() < 1e-6


@pytest.mark.parametrize("mode", [0, 1])
def test_operations_by_the_clock_and_by_clicks(shown: Scene, mode: int) -> None:
    """The clock goes through the list, clicks go from one operation to the next."""
    shown.show(in_mode("схват_байонет", mode))
    operations = read_operations(shown.get("проОперации", "операции"))
    if mode == 0:
        shown.set("проОперации", "операции", *shown.get("проОперации", "операции"))
        shown.go()
        for each in operations[1:]:
            shown.go(each.time - shown.get("проОперации", "момент"))
            assert np.abs(shown.pose("проОперации", "проОперации_Фланец") - each.pose.matrix).max() < 1e-5
    else:
        for each in operations[1:4]:
            # On the rod of the flange.
            shown.click(shown.pose("проОперации", "проОперации_Фланец") @ [-0.285, 0, 0, 1])
            shown.go(2.0)
            assert shown.get("проОперации", "момент") == pytest.approx(each.time, abs=1e-6)
        assert (each.action, shown.get("проОперации", "надет")) == ("leave", 0)
        return
    assert shown.get("проОперации", "надет") == 2
    assert np.abs(shown.pose("Схват_2", "проСхват_Схват") - operations[-1].pose.matrix).max() < 1e-6


def test_wrong_codes_change_nothing_and_say_why(shown: Scene) -> None:
    said: list[str] = []
    shown.tab.page.on("console", lambda message: said.append(message.text))
    shown.show(gripper_scene({"turn": "5 32"}, "ru", name="схват"))
    before = shown.pose("схват", "проСхват_Схват")
    for field, numbers, words in (
        ("положение", (0, 5, 0, 0, 0, 77), "77 — не код ориентации"),
        ("поворот", (5, 13, 1), "число 3, 1, — лишнее"),
        ("перенос", (9,), "число 1, 9, — не вид координат"),
        ("переходы", (2, 0, 5, 0, 0, 0, 13, 1, 0, 5, 0, 0, 0, 13), "число 8, 1, — не время"),
    ):
        shown.set("схват", field, *numbers)
        shown.go()
        shown.go(3.0)
        assert np.array_equal(shown.pose("схват", "проСхват_Схват"), before)
        assert any(text.startswith(f"{field}: ") and words in text for text in said), (field, said)


def test_somebody_else_may_move_it_on_its_way(shown: Scene) -> None:
    shown.show(gripper_scene({}, "ru", name="схват"))
    shown.set("схват", "переходы", 2, 0, 5, 0.2, 0, 0, 32)
    shown.go()
    shown.go(1.0)
    shown.set("схват", "место", 0, 0.1, 0)
    shown.set("схват", "ориентация", 1, 0, 0, 0)
    shown.go()
    shown.go(0.5)
    shown.go(2.0)
    assert np.abs(shown.pose("схват", "проСхват_Схват") - read_position([0, 5, 0, 0.1, 0, 13])[0].matrix).max() < 1e-6


@pytest.mark.parametrize("smooth", ["quartic", "quintic"])
def test_other_polynomials_of_transitions(shown: Scene, smooth: Profile) -> None:
    """Poses on the way are those of Python at every time; near both ends of its parts it is nearly at rest."""
    code = [0.8, 0, 2, 0.2, 0.1, -0.1, 30, -50, 110, 2, 1, 5, 0.3, 90, 0.1, 64]
    shown.show(gripper_scene({}, "ru", name="схват", smooth=smooth))
    shown.begin("схват", "переходы", *code)
    times = np.array([0.02, 0.1, 0.37, 0.4, 0.78, 0.8, 0.82, 1.0, 1.4, 1.98, 2.0, 2.5])
    places, turns = pass_through(read_transitions(code), times, profile=smooth)
    drawn = []
    for before, time in zip([0.0, *times[:-1]], times, strict=True):
        shown.go(float(time - before))
        drawn.append(shown.pose("схват", "проСхват_Схват"))
    assert np.abs(np.array(drawn) - homogeneous(turns, places)).max() < SINGLE
    # A way from rest is of second order in the time at least: 6 s² of the whole of it is the most that any of them goes.
    stops = [np.eye(4), drawn[5], drawn[5], drawn[10]]
    for near, stop, share in zip((0, 4, 6, 9), stops, (0.02 / 0.8, 0.02 / 0.8, 0.02 / 1.2, 0.02 / 1.2), strict=True):
        assert np.linalg.norm(drawn[near][:3, 3] - stop[:3, 3]) < 6 * share**2 * 0.6
    assert np.array_equal(drawn[-1], drawn[-2])


def test_dampers_lead_through_transitions(shown: Scene) -> None:
    """As a damper of order 3 does, whose error is e⁻ˢ(1 + s + s²/2) after s constants: smoothly, never too far."""
    shown.show(gripper_scene({}, "en", name="hand", smooth="damper"))
    assert "<PositionDamper" in shown.text and "<OrientationDamper" in shown.text
    shown.begin("hand", "transitions", 2, 0, 5, 0.2, 0, 0, 32)
    (first,) = read_position([0, 5, 0.2, 0, 0, 32])
    path = ("hand", "gripper_Hand")
    steps, h = 80, 0.025  # [s]
    X = []
    for _ in range(steps):
        shown.go(h)
        X.append(shown.pose(*path))
    places = np.array(X)[:, 0, 3]
    turns = np.arctan2(np.array(X)[:, 1, 0], np.array(X)[:, 0, 0])  # 32: a quarter about z
    s = h * np.arange(1, steps + 1) / (2 / 12)
    left = np.exp(-s) * (1 + s + s**2 / 2)
    for way, whole in ((places, 0.2), (turns, np.pi / 2)):
        assert (np.diff(way) >= -SINGLE).all() and way.max() <= whole + SINGLE
        # It goes frame by frame, a frame or two before or behind: its fastest is 0.27 of the way in a constant.
        assert np.abs(way - whole * (1 - left)).max() < 3 * 0.27 * whole * h / (2 / 12)
        # It begins at rest, with (1 - e⁻ˢ)³ = 0.003 of the way after a frame, and is there in time.
        assert way[0] < 4e-3 * whole and whole - way[-1] < 1e-3 * whole
    for _ in range(12):
        shown.go(0.1)
    assert np.abs(shown.pose(*path) - first.matrix).max() < 5e-6

    # On to the next ones, through the first of them, and from where somebody else puts it.
    shown.begin("hand", "transitions", 1, 0, 5, 0.2, 0.2, 0, 13, 2, 0, 5, 0, 0, 0.1, 64)
    for time, place in ((1.0, [0.2, 0.2, 0]), (2.0, [0, 0, 0.1])):
        for _ in range(20):
            shown.go(0.05)
        assert np.abs(shown.pose(*path)[:3, 3] - place).max() < 1e-3, time
    shown.set("hand", "transitions", 1, 0, 5, 0.2, 0.2, 0, 13)
    shown.go()
    shown.go(0.1)
    shown.set("hand", "place", 0, 0.3, 0)
    shown.go()
    for _ in range(5):
        shown.go(0.1)
    assert np.abs(shown.pose(*path)[:3, 3] - [0, 0.3, 0]).max() < SINGLE
    shown.set("hand", "move", 0, 0, 0.1, 0)
    shown.go()
    for _ in range(24):
        shown.go(0.075)
        assert 0.1 - SINGLE <= shown.pose(*path)[1, 3] <= 0.3 + SINGLE
    assert shown.pose(*path)[1, 3] == pytest.approx(0.1, abs=SINGLE)


def test_files_of_the_gallery(chromium: Chromium, models_dir: Path, tmp_path: Path) -> None:
    """Scenes find the prototypes in the folder beside theirs, and those find each other."""
    (tmp_path / "models").symlink_to(models_dir, target_is_directory=True)
    page = view_scene(gripper_scene({}, "ru"), lang="en")
    # From a server a page of its own rules may ask for files beside it.
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    (tmp_path / "page.html").write_text(page, encoding="utf-8")

    def serve(route: Any) -> None:
        path = tmp_path / unquote(urlsplit(route.request.url).path).lstrip("/")
        if path.is_file():
            route.fulfill(path=path)
        else:
            route.fulfill(status=404)

    with chromium.tab(webgl=True, size=(320, 240), strict=False) as tab:
        tab.page.context.set_offline(False)
        tab.page.route("http://gallery.test/**", serve)
        tab.page.goto("http://gallery.test/page.html")
        tab.wait("globalThis.sistelViewer")
        for name in (scene_names("ru")[0], scene_names("ru")[-1], scene_names("en")[-2]):
            tab.run(LOAD, f"models/scenes/{name}.x3d")
            tab.wait(f"({DRAWN})()")
        assert tab.complaints == []


LOAD = """async (url) => {
  const { browser } = sistelViewer;
  const strings = [...browser.currentScene.rootNodes].find((node) => node.getNodeTypeName() === "NavigationInfo").type.constructor;
  await browser.replaceWorld(await browser.createX3DFromURL(new strings(url)));
}"""
DRAWN = """() => {
  // All instances have their bodies, and bodies their primitives.
  const count = (node) => {
    const value = node?.getValue?.();
    const body = value?.getBody?.();
    if (body) return [...body.rootNodes].reduce((sum, each) => sum + count(each), 0);
    if (node?.geometry) return 1;
    return node?.children ? [...node.children].reduce((sum, each) => sum + count(each), 0) : 0;
  };
  return [...sistelViewer.browser.currentScene.rootNodes].reduce((sum, each) => sum + count(each), 0) > 10;
}"""
