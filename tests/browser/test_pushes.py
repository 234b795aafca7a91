"""Forces of contacts as arrows in pages: present, from where shapes touch, as long and as turned as the forces are."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.simulation import Run
from sistel.views.page import draw_page

CRATE = """<system name="s"><world><box name="floor" size="4000, 100" place="600, 50"/></world>
    <body name="b" joint="free" place="0, -100" mass="2" inertia="0.04"><box name="c" size="400, 200"/></body>
    <body name="d" joint="free" place="1500, -400" mass="1" inertia="0.01"><circle name="w" radius="120"/></body>
    <links><contact name="k" of="c" to="floor" friction="0.5"/><contact name="r" of="w" to="floor" friction="0.4"/></links>
    <start><coordinate of="b.x" rate="2 m/s"/></start></system>"""
BALL = """<system name="s" space="spatial"><world><box name="slab" size="2000, 2000, 100" place="0, 0, -50"/></world>
    <body name="b" joint="free" place="0, 0, 150" mass="2" inertia="0.02, 0.02, 0.02"><sphere name="c" radius="150"/></body>
    <links><contact name="k" of="c" to="slab" friction="0.3"/></links>
    <start><coordinate of="b" velocity="900, 500, 0"/></start></system>"""

ARROWS = """() => [...document.querySelectorAll(".mark-line")].map((line) =>
    line.getAttribute("points").split(" ").map((point) => point.split(",").map(Number)))"""


@cache
def made(text: str) -> tuple[Run, str]:
    system = sistel.parse(text)
    run = system.simulate(0.9)
    return run, draw_page(system.model, run, lang="en")


def ready(tab: Tab, page: str) -> Tab:
    tab.open(page)
    tab.page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
    tab.run("sistel.player.pause()")
    return tab


def arrows(tab: Tab, t: float) -> list[np.ndarray]:
    """Those that are seen at a time: from, tip and barbs [mm]."""
    tab.run("(t) => sistel.seek(t)", t)
    tab.wait(f"Math.abs(sistel.time - {t}) < 1e-9")
    found: Any = tab.run(ARROWS)
    return [np.array(each) for each in found if each and len(each) > 1]


def test_arrows_of_the_plane(chromium: Chromium) -> None:
    run, page = made(CRATE)
    with chromium.tab(still=True) as tab:
        ready(tab, page)
        scale = float(tab.run("0.22 * 1e3 * sistel.data.size / sistel.data.run.pushes.usual"))
        for t in (0.1, 0.3, 0.7):
            wanted = []
            for name in ("k C", "k D", "r"):
                normal, pull = (float(run.quantity(f"{word}({name})", [t])[0]) for word in ("normal", "tangent"))
                if normal > 0:
                    wanted.append((normal, pull))
            found = sorted(arrows(tab, t), key=lambda each: float(each[0, 0]))
            assert len(found) == len(wanted), t
            # The floor is y = 0; forces push up (against y) and, while it slides, back.
            for each in found:
                assert each[0, 1] == pytest.approx(0.0, abs=2.0)
                assert each[1, 1] < each[0, 1]
            lengths = sorted(float(np.linalg.norm(each[1] - each[0])) for each in found)
            assert lengths == pytest.approx(sorted(scale * math.hypot(*each) for each in wanted), rel=0.02, abs=0.5)
            if t < 0.4:
                crate = [each for each in found if each[0, 0] < 1200]
                slopes = [(each[1, 0] - each[0, 0]) / (each[0, 1] - each[1, 1]) for each in crate]
                assert slopes == pytest.approx([-0.5] * len(crate), abs=0.02)
                corners = sorted(float(each[0, 0]) for each in crate)
                middle = 1e3 * float(run(t)[0][0])
                assert corners == pytest.approx([middle - 200, middle + 200], abs=4.0)  # they go along
        # A button hides them and shows them again.
        button = tab.page.get_by_label("Forces of contacts")
        assert button.get_attribute("aria-pressed") == "true"
        button.click()
        assert not arrows(tab, 0.3)
        button.click()
        assert arrows(tab, 0.3)


def test_arrows_of_space(chromium: Chromium) -> None:
    run, page = made(BALL)
    with chromium.tab(still=True, webgl=True) as tab:
        ready(tab, page)
        tab.wait("document.querySelector('x3d-canvas') || document.querySelector('canvas')")
        # The scene gets lines in the world [m]: what it is given is written down, and drawn.
        tab.run("""() => { const { picture } = sistel, draw = picture.marks.bind(picture);
            picture.marks = (paths, colours) => { globalThis.drawn = paths; draw(paths, colours); }; }""")
        longest = 0.22 * float(tab.run("sistel.data.size / sistel.data.run.pushes.usual"))
        for t in (0.05, 0.8):
            tab.run("(t) => sistel.seek(t)", t)
            (found,) = (np.array(path) for path in tab.run("globalThis.drawn"))
            place = [float(run.quantity(f"{axis}(b)", [t])[0]) for axis in "xyz"]
            assert found[0] == pytest.approx([place[0], place[1], 0.0], abs=1e-3)  # below the ball
            force = (found[1] - found[0]) / longest
            normal, pull = (float(run.quantity(f"{word}(k)", [t])[0]) for word in ("normal", "tangent"))
            assert force[2] == pytest.approx(normal, rel=5e-3)
            assert math.hypot(force[0], force[1]) == pytest.approx(pull, rel=5e-3, abs=1e-2)
            if pull > 1e-6:
                assert force[1] / force[0] == pytest.approx(500 / 900, rel=5e-3) and force[0] < 0  # against the slip


@pytest.mark.parametrize("dark", [False, True])
def test_arrows_on_a_phone(chromium: Chromium, dark: bool) -> None:
    _, page = made(CRATE)
    with chromium.tab(size=(390, 800), phone=True, dark=dark, still=True) as tab:
        ready(tab, page)
        assert arrows(tab, 0.3)
        seen = tab.run("""() => { const line = document.querySelector(".mark-line");
            const box = line.getBoundingClientRect(); return [getComputedStyle(line).stroke, box.width, box.height]; }""")
        assert seen[0].startswith("rgb") and max(seen[1:]) > 8
        assert tab.run("document.documentElement.scrollWidth <= innerWidth")
