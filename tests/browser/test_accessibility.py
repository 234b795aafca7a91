"""Every kind of page, by day and by night: nothing that axe-core calls serious or critical.

axe-core (Deque, MPL 2.0) is a package of development, which `make setup` fetches.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from support.browser import Chromium

import sistel
from sistel.cli import main

ROOT = Path(__file__).resolve().parents[2]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
MODELS = ROOT / "models"
FOUND = """(tags) => axe.run(document, { resultTypes: ["violations"], ...(tags && { runOnly: tags }) }).then(({ violations }) => violations
  .filter(({ impact }) => impact === "serious" || impact === "critical")
  .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)}`))"""
GROUND = "() => getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color"
TABS = "() => [...document.querySelectorAll('[role=tab]')].map((tab) => tab.dataset.id)"

pytestmark = pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed (npm ci in web/)")


def made(*words: str) -> Callable[[Path], Path]:
    """A page that a command writes."""

    def make(folder: Path) -> Path:
        target = folder / "page.html"
        if words[0] == "gallery":
            target = folder / "site"
        given = [str(MODELS / word) if word.endswith((".xml", ".x3d")) else word for word in words]
        assert main([*given, "--lang", "en", "-o" if words[0] != "check" else "--html", str(target)]) == 0
        return target / "index.html" if words[0] == "gallery" else target

    return make


def equations(folder: Path) -> Path:
    target = folder / "page.html"
    target.write_text(sistel.load(MODELS / "double_pendulum.xml").equations().to_html(lang="en"), encoding="utf-8")
    return target


FLAT: dict[str, Callable[[Path], Path]] = {
    "run": made("run", "bouncing_ball.xml", "--until", "1"),
    "form": made("form", "pendulum.xml"),
    "pose": made("draw", "four_bar.xml"),
    "control": made("run", "line_follower.xml", "--until", "0.2"),
    "proofs": made("check", "pendulum.xml"),
    "equations": equations,
    "task": made("solve", "tasks/reach.xml"),
    "sender": made("drive", "drives/arm.xml", "--table", str(MODELS / "drives" / "move.html")),
    "gallery": made("gallery", "pendulum.xml", "arm5.xml", "--until", "0.1", "--jobs", "1", "--still"),
    "products": made("orient", "product"),
}
SPATIAL: dict[str, Callable[[Path], Path]] = {
    "space": made("run", "gyroscope.xml", "--until", "0.2"),
    "lesson": made("fk", "arm5.xml", "--q", "0,90,0,90,0", "--degrees"),
    "gripper": made("prototype", "gripper"),
    "viewer": made("draw", "scenes/heating.x3d"),
}


@cache
def axe() -> str:
    return AXE.read_text(encoding="utf-8")


def wrong(tab: Any, tags: list[str] | None = None) -> list[str]:
    """What is wrong with the page, in every panel of it: by all rules, or by those with one of some tags."""
    found = []
    for key in tab.run(TABS) or [None]:
        if key is not None:
            tab.page.click(f"[role=tab][data-id={key}]")
            tab.page.wait_for_timeout(150)
        found += [f"{key or 'page'}: {each}" for each in tab.run(FOUND, tags)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", [*FLAT, *SPATIAL])
def test_nothing_serious(kind: str, chromium: Chromium, tmp_path: Path) -> None:
    page = (FLAT | SPATIAL)[kind](tmp_path)
    with chromium.tab(size=(1280, 800), webgl=kind in SPATIAL, still=True, kept=True) as tab:
        tab.open(page)
        if 'data-sistel="page"' in page.read_text(encoding="utf-8"):
            tab.wait("document.documentElement.dataset.ready === 'yes'")
        tab.page.wait_for_load_state()
        tab.run(axe())
        assert wrong(tab) == []
        # By night everything is where it was, in other colours.
        light = tab.run(GROUND)
        tab.page.emulate_media(color_scheme="dark")
        tab.wait(f"({GROUND})() !== {json.dumps(light)}")
        assert wrong(tab, ["cat.color"]) == []
        # On the narrowest phones nothing is wider than the window.
        tab.page.set_viewport_size({"width": 320, "height": 640})
        tab.wait("document.documentElement.clientWidth <= 320")
        widest = tab.run("() => document.documentElement.scrollWidth")
        tab.page.set_viewport_size({"width": 1280, "height": 800})
        tab.page.emulate_media(color_scheme="light")
        assert widest <= 320
