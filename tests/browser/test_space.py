"""Scenes in space, looked at: crisp on fine screens, a ladder that steps down, cameras, layers, what is in the picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.views.page import draw_page

FRAMES = """async () => {
  for (let i = 0; i < 5; i++) await new Promise(requestAnimationFrame);
  return sistelScene.camera.stand;
}"""
SEEN = """() => {
  const { eye } = sistelScene;
  const canvas = document.querySelector("x3d-canvas").getBoundingClientRect();
  const info = document.querySelector("[data-sistel]").sistel.data.scene;
  const poses = document.querySelector("[data-sistel]").sistel.poses;
  return info.corners.flatMap((corners, body) => corners.map((p) => {
    const at = [0, 1, 2].map((row) => poses[12 * body + 4 * row + 3] + p.reduce((sum, x, k) => sum + x * poses[12 * body + 4 * row + k], 0));
    const [x, y] = eye.seen(at);
    return [(x - canvas.left) / canvas.width, (y - canvas.top) / canvas.height];
  }));
}"""
"""Corners of bodies in parts of the picture."""


@pytest.fixture(scope="module")
def pages(models_dir: Path) -> dict[str, str]:
    models = {name: sistel.load(models_dir / f"{name}.xml").model for name in ("puma560", "hexapod", "stewart")}
    return {name: draw_page(model, lang="en", live=False, equations=False) for name, model in models.items()}


def opened(tab: Tab, text: str) -> Tab:
    tab.open(text)
    tab.wait("globalThis.sistelScene?.browser")
    tab.page.wait_for_timeout(200)
    return tab


def settled(tab: Tab) -> dict[str, Any]:
    """Where the camera is once it has come to rest; it does not fly for who wants nothing to move."""
    last: list[dict[str, Any]] = []
    for _ in range(100):
        last = [*last, tab.run(FRAMES)][-3:]
        if len(last) == 3 and all(each == last[0] for each in last):
            return last[0]
    raise AssertionError("the camera never rests")


def test_pictures_are_as_fine_as_the_screen(pages: dict[str, str], chromium: Chromium) -> None:
    with chromium.tab(webgl=True, still=True) as tab:
        session = tab.page.context.new_cdp_session(tab.page)
        found = {}
        for pixels in (1, 2, 3):
            metrics = {"width": 450, "height": 360, "deviceScaleFactor": pixels, "mobile": False}
            session.send("Emulation.setDeviceMetricsOverride", metrics)
            opened(tab, pages["puma560"])
            found[pixels] = tab.run(
                """() => { const host = document.querySelector("x3d-canvas");
                  const drawn = host.shadowRoot.querySelector("canvas");
                  return [drawn.width / host.clientWidth, drawn.height / host.clientHeight]; }"""
            )
    for pixels, ratio in found.items():
        assert ratio == pytest.approx(2 * [min(pixels, 2)], rel=0.01), pixels


def test_the_ladder_steps_down_where_programs_draw(pages: dict[str, str], chromium: Chromium, models_dir: Path) -> None:
    """No graphics processor here: shadows are off at first; asked for, they go again once frames are slow."""
    system = sistel.load(models_dir / "puma560.xml")
    page = draw_page(system.model, system.simulate(1.0), lang="en", live=False, equations=False)
    with chromium.tab(webgl=True) as tab:
        opened(tab, page)
        assert tab.run("() => sistelScene.ladder.now.shadows") is False
        tab.run("() => sistelScene.ladder.set({ scale: 1, shadows: true })")
        assert tab.run("() => document.querySelector('x3d-canvas').dataset.shadows") == "true"
        # Slow frames, as a weak machine has them.
        tab.run("() => { for (let i = 0; i < 20; i++) sistelScene.ladder.frame(1000 * i); }")
        assert tab.run("() => [sistelScene.ladder.now.scale, sistelScene.ladder.now.shadows]") == [1, False]
        suns = "() => sistelScene.browser.currentScene.rootNodes.filter((each) => each.shadows === true).length"
        assert tab.run(suns) == 0


def test_cameras(pages: dict[str, str], chromium: Chromium) -> None:
    with chromium.tab(size=(900, 600), webgl=True, still=True, kept=True) as tab:
        opened(tab, pages["puma560"])
        inside = lambda: all(-0.01 <= part <= 1.01 for point in tab.run(SEEN) for part in point)  # noqa: E731
        press = lambda words: tab.page.get_by_role("button", name=words, exact=True).click()  # noqa: E731
        for words, axis in (("Front", 2), ("Right", 0), ("Above", 1), ("Whole", None)):
            press(words)
            stand = settled(tab)
            way = [a - b for a, b in zip(stand["at"], stand["centre"], strict=True)]
            if axis is not None:
                assert abs(way[axis]) > 50 * max(abs(x) for k, x in enumerate(way) if k != axis), words
            assert inside(), words
        # Parallel lines: from the same place, and as large.
        before = settled(tab)
        press("Parallel")
        after = settled(tab)
        assert after["half"] == pytest.approx(before["half"], rel=1e-4)
        assert tab.run("() => sistelScene.browser.activeViewpoint.getValue().getTypeName()") == "OrthoViewpoint"
        assert inside()
        press("Parallel")
        back = settled(tab)
        assert back["at"] == pytest.approx(before["at"], rel=1e-3, abs=1e-3)
        # Nearer, then all of it again.
        tab.run("() => sistelScene.zoom(4)")
        settled(tab)
        assert not inside()
        near = tab.run("() => sistelScene.browser.activeViewpoint.nearDistance")
        far = tab.run(
            "() => { const { at, centre } = sistelScene.camera.stand; return Math.hypot(...at.map((x, k) => x - centre[k])); }"
        )
        assert near == pytest.approx(0.01 * far, rel=0.25)
        tab.run("() => sistelScene.fit()")
        settled(tab)
        assert inside()


def test_views_fit_bodies_and_layers_are_switched(pages: dict[str, str], chromium: Chromium) -> None:
    with chromium.tab(size=(900, 600), webgl=True, still=True, kept=True) as tab:
        opened(tab, pages["hexapod"])
        points = tab.run(SEEN)
        wide = max(x for x, _ in points) - min(x for x, _ in points)
        assert 0.6 < wide <= 1.0  # it was a fifth of the picture beside its ground
        switches = """(key) => document.querySelector("[data-sistel]").sistel.data.scene.layers[key]
          .map((name) => sistelScene.browser.currentScene.getNamedNode(name).whichChoice)"""
        clear: Any = """() => { const scene = sistelScene.browser.currentScene;
          const find = (node) => node.appearance?.material ?? [...(node.children ?? [])].map(find).find(Boolean);
          return find(scene.getNamedNode("trunk")).transparency; }"""
        tab.page.get_by_role("button", name="Layers", exact=True).click()
        for key in ("frames", "axes", "masses", "contacts"):
            assert set(tab.run(switches, key)) == {-1}
            tab.page.locator(f"[data-layer={key}]").check()
            assert set(tab.run(switches, key)) == {0}
        assert tab.run(clear) > 0.5  # bodies are seen through
        for key in ("frames", "axes", "masses"):
            tab.page.locator(f"[data-layer={key}]").uncheck()
            assert set(tab.run(switches, key)) == {-1}
        assert tab.run(clear) == 0


def test_the_base_of_stewart_is_seen(pages: dict[str, str], chromium: Chromium) -> None:
    """By its colour in the lower half of the picture, where the floor hid it."""
    from io import BytesIO

    import numpy as np
    from PIL import Image

    with chromium.tab(size=(900, 600), webgl=True, still=True, kept=True) as tab:
        opened(tab, pages["stewart"])
        tab.page.wait_for_timeout(500)
        picture = np.asarray(Image.open(BytesIO(tab.picture())).convert("RGB")).astype(float)[300:500, :520]
    grey = (np.ptp(picture, axis=2) < 12) & (picture.mean(axis=2) < 150)
    assert grey.mean() > 0.1
