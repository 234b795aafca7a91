"""The self-contained page in a real browser: what moves, what answers, and what must not get out."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.errors import Span
from sistel.simulation import Run
from sistel.system import System

PLACES = """() => {
  // The world's transforms of the bodies as the browser has them, in mm: the camera taken out.
  const camera = document.querySelector('[id="s-камера"]').getCTM().inverse();
  return sistel.data.bodies.map(({ number }) => {
    const group = document.querySelector(`[id="s-тело_${number}"]`);
    const { a, b, e, f } = camera.multiply(group.getCTM());
    return [e, f, Math.atan2(b, a)];
  });
}"""


@cache
def made(models: Path, name: str, until: float | None) -> tuple[System, Run | None, str]:
    system = sistel.load(models / name)
    from sistel.views.page import draw_page

    run = None if until is None else system.simulate(until)
    return system, run, draw_page(system.model, run, lang="en")


@contextmanager
def opened(chromium: Chromium, page: str, **options: Any) -> Iterator[Tab]:
    with chromium.tab(**options) as tab:
        tab.open(page)
        tab.page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        tab.run("sistel.player.pause()")
        yield tab


def planar_places(system: System, q: Any) -> np.ndarray:
    """Places [mm] and angles [rad] of the bodies, from Python."""
    poses = [system.pose(q, body.name) for body in system.model.bodies]
    return np.array([[1e3 * X[0, 3], 1e3 * X[1, 3], math.atan2(X[1, 0], X[0, 0])] for X in poses])


def gap(system: System, q: Any) -> float:
    """How far the two sides of the cut joints are from each other [m]."""
    poses = [np.eye(4), *(system.pose(q, body.name) for body in system.model.bodies)]
    ends = [
        [(poses[side.body] @ [*side.p_BS, 1.0])[:3] for side in (closure.first, closure.second)]
        for closure in system.model.closures
    ]
    return float(max(np.linalg.norm(a - b) for a, b in ends))


def apart(found: Any, expected: np.ndarray, size: float) -> float:
    """The largest difference of places over the size, and of angles."""
    found = np.array(found)
    turn = np.abs(np.remainder(found[:, 2] - expected[:, 2] + math.pi, 2 * math.pi) - math.pi)
    return float(max(np.abs(found[:, :2] - expected[:, :2]).max() / size, turn.max()))


@pytest.mark.parametrize(
    ("name", "until", "size"),
    [("compass_walker.xml", 4.0, 1000.0), ("four_bar.xml", 2.0, 700.0), ("walker.xml", 2.0, 1900.0)],
)
def test_bodies_are_drawn_where_the_run_has_them(
    chromium: Chromium, models_dir: Path, name: str, until: float, size: float
) -> None:
    system, run, page = made(models_dir, name, until)
    assert run is not None
    assert len(page.encode()) < 400_000
    with opened(chromium, page, size=(1280, 800)) as tab:
        assert tab.run("document.querySelectorAll('[role=tab]').length") == 6
        for t in (0.0, 0.21 * until, 0.5 * until, 0.83 * until, until):
            tab.run("t => sistel.seek(t)", t)
            assert apart(tab.run(PLACES), planar_places(system, run(t)[0]), size) < 1e-3
        for event in run.events[:6]:
            tab.run("t => sistel.seek(t)", event.time)
            assert apart(tab.run(PLACES), planar_places(system, run(event.time)[0]), size) < 1e-3
            number = tab.run("sistel.now.structure")
            assert tab.run("i => sistel.data.structures[i].key", number) == str(run.structure_at(event.time))


def test_playing_and_keys(chromium: Chromium, models_dir: Path) -> None:
    _, run, page = made(models_dir, "compass_walker.xml", 4.0)
    assert run is not None
    events = [event.time for event in run.events]
    with opened(chromium, page) as tab:
        press = tab.page.keyboard.press
        now: Callable[[], float] = lambda: tab.run("sistel.time")  # noqa: E731
        tab.page.locator("body").click(position={"x": 5, "y": 5})
        press("Home")
        assert now() == 0.0
        press("Space")
        assert tab.run("sistel.player.playing") is True
        tab.page.wait_for_timeout(400)
        press("Space")
        assert tab.run("sistel.player.playing") is False
        assert 0.05 < now() < 4.0
        press("Home")
        press("Shift+ArrowRight")
        assert now() == pytest.approx(events[0], abs=1e-12)
        press("Shift+ArrowRight")
        assert now() == pytest.approx(events[1], abs=1e-12)
        press("Shift+ArrowLeft")
        assert now() == pytest.approx(events[0], abs=1e-12)
        press("ArrowRight")
        assert now() == pytest.approx(events[0] + 0.02, abs=1e-12)
        press("ArrowLeft")
        assert now() == pytest.approx(events[0], abs=1e-12)
        press("End")
        assert now() == 4.0
        # Every press is the next speed of the list beside the clock; at its ends nothing follows.
        speeds = [float(each) for each in tab.run("[...document.querySelector('.speed').options].map((o) => o.value)")]
        usual = speeds.index(1.0)
        assert tab.run("sistel.player.speed") == 1.0 and usual > 0
        for key, wanted in (("+", [*speeds[usual + 1 :], speeds[-1]]), ("-", [*speeds[-2::-1], speeds[0]])):
            for speed in wanted:
                press(key)
                assert tab.run("[sistel.player.speed, Number(document.querySelector('.speed').value)]") == [speed] * 2
        # From a speed that is not in the list, too.
        for key, speed in (("+", 5), ("-", 2)):
            tab.run("sistel.player.setSpeed(3)")
            press(key)
            assert tab.run("sistel.player.speed") == speed
        press("l")
        assert tab.run("sistel.player.looping") is False
        press("?")
        assert tab.run("document.querySelector('dialog').open") is True
        press("Escape")
        assert tab.run("document.querySelector('dialog').open") is False


def test_what_is_soon_over_is_shown_slowly(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 0.5)
    with opened(chromium, page) as tab:
        shown = "[sistel.player.speed, document.querySelector('.speed').value]"
        assert tab.run(shown) == [0.1, "0.1"]
        tab.page.locator("body").click(position={"x": 5, "y": 5})
        tab.page.keyboard.press("+")
        assert tab.run(shown) == [0.25, "0.25"]
        # A step is a fiftieth of a second of watching, whatever the speed.
        tab.page.keyboard.press("Home")
        tab.page.keyboard.press("ArrowRight")
        assert tab.run("sistel.time") == pytest.approx(0.25 / 50, abs=1e-12)


def test_the_end_of_playing(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 4.0)
    with opened(chromium, page) as tab:
        tab.run("sistel.player.setSpeed(10), sistel.player.setLoop(false), sistel.seek(3.6), sistel.player.play()")
        tab.page.wait_for_timeout(400)
        assert tab.run("[sistel.time, sistel.player.playing]") == [4, False]
        tab.run("sistel.player.setLoop(true), sistel.seek(3.9), sistel.player.play()")
        tab.page.wait_for_timeout(500)
        assert tab.run("sistel.player.playing") is True
        tab.run("sistel.player.pause()")


def test_who_wants_no_motion_gets_none(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 4.0)
    with chromium.tab() as tab:
        tab.page.emulate_media(reduced_motion="reduce")
        tab.open(page)
        tab.page.wait_for_selector("html[data-ready=yes]")
        assert tab.run("[sistel.player.playing, sistel.time]") == [False, 0]


def test_the_timeline(chromium: Chromium, models_dir: Path) -> None:
    _, run, page = made(models_dir, "compass_walker.xml", 4.0)
    assert run is not None
    event = run.events[0]
    with opened(chromium, page) as tab:
        bar = tab.page.locator("[role=slider]")
        box = bar.bounding_box()
        x = box["x"] + box["width"] * event.time / 4.0
        tab.page.mouse.move(x, box["y"] + 10)
        hint = tab.page.locator(".hint").inner_text()
        assert "on the left → on the right" in hint
        assert "N·s" in hint and "J" in hint
        tab.page.mouse.click(x, box["y"] + 10)
        assert tab.run("sistel.time") == pytest.approx(event.time, abs=1e-12)
        assert bar.get_attribute("aria-valuetext").endswith("on the right")
        assert tab.page.locator(".badge").inner_text() == "on the right"
        tab.page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 10)
        tab.page.mouse.down()
        tab.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 10, steps=4)
        tab.page.mouse.up()
        assert tab.run("sistel.time") == pytest.approx(2.0, abs=0.02)


def test_language_and_theme(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 4.0)
    with opened(chromium, page) as tab:
        tab.page.click("[data-id=language]")
        assert tab.run("document.documentElement.lang") == "ru"
        words = tab.run("[...document.querySelectorAll('[role=tab]')].map(tab => tab.textContent)")
        assert words == ["Графики", "События", "Поза", "Вживую", "Уравнения", "Модель"]
        for key in ("events", "joints", "live", "model"):
            tab.run("key => sistel.choose(key)", key)
            said = tab.page.locator(f"[data-id=panel-{key}]").inner_text()
            # Only names of the file stay as they are.
            assert re.search("[а-я]{4}", said), key
        for name in ("aria-label", "title"):
            mine = ".header, .picture, .controls, .tabs"
            shown = tab.run(
                f"[...document.querySelectorAll('button[{name}]')].filter(b => b.closest('{mine}'))"
                f".map(b => b.getAttribute('{name}'))"
            )
            assert [text for text in shown if re.search("[A-Za-z]{3}", text)] == []
        paper = "getComputedStyle(document.body).backgroundColor"
        light = tab.run(paper)
        tab.page.click("[data-id=theme]")
        assert tab.run("document.documentElement.dataset.theme") == "dark"
        assert tab.run(paper) != light
        tab.page.click("[data-id=language]")
        assert tab.run("document.querySelector('[role=tab]').textContent") == "Plots"


def test_sliders_turn_the_arm(chromium: Chromium, models_dir: Path) -> None:
    system, _, page = made(models_dir, "arm5.xml", None)
    row = "name => [...document.querySelectorAll('.poses tbody tr')].find(r => r.dataset.place === name).innerText"
    with chromium.tab(size=(1280, 800)) as tab:
        # A browser without WebGL: the scheme moves in the place of the scene.
        tab.page.add_init_script(
            "{ const old = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = "
            "function (kind, ...rest) { return kind.startsWith('webgl') ? null : old.call(this, kind, ...rest); } }"
        )
        tab.open(page)
        tab.page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        assert "no WebGL" in tab.page.locator(".stage-note").inner_text()
        lines = "[...document.querySelectorAll('.scheme path')].map(path => path.getAttribute('d')).join()"
        drawn = tab.run(lines)
        fields = tab.page.locator(".joint input[type=number]")
        for place, value in enumerate(("0", "40", "30", "20", "10")):
            fields.nth(place).fill(value)
            fields.nth(place).press("Enter")

        def read() -> tuple[float, float, float]:
            cells = tab.run(row, "инструмент").replace("−", "-").split("\t")
            return float(cells[1]), float(cells[2]), float(cells[3])

        assert tab.run(lines) != drawn
        x, y, z = read()
        expected = system.pose(np.radians([0, 40, 30, 20, 10]), "инструмент")[:3, 3] * 1e3
        assert (x, y, z) == pytest.approx(tuple(expected), abs=1e-3)
        assert math.hypot(x, y) > 50
        fields.nth(0).fill("90")
        fields.nth(0).press("Enter")
        assert read() == pytest.approx((-y, x, z), abs=1e-3)
        tab.page.locator(".joint input[type=range]").nth(0).fill("-90")
        assert read() == pytest.approx((y, -x, z), abs=2e-3)
        tab.page.locator(".units").select_option("si")
        assert read() == pytest.approx((y / 1e3, -x / 1e3, z / 1e3), abs=1e-5)


def test_a_scene_and_the_way_of_its_tool(chromium: Chromium, models_dir: Path) -> None:
    system, run, page = made(models_dir, "puma560.xml", 1.0)
    assert run is not None
    assert len(page.encode()) < 2_500_000
    with opened(chromium, page, webgl=True, size=(900, 600)) as tab:
        assert tab.page.locator("x3d-canvas").count() == 1
        assert tab.page.locator("svg.scheme").count() == 0
        way = np.array(tab.run("sistel.trails[0]"))
        place = tab.run("sistel.data.places[sistel.data.trails[0]].name")
        times = run.begin + (run.end - run.begin) * np.arange(len(way)) / (len(way) - 1)
        # Forward kinematics of the same times; keys of the page are within 1e-4 of the size of the arm.
        assert np.abs(way - system.pose(run(times)[0], place)[:, :3, 3]).max() < 1e-4


def test_loops_stay_closed_under_a_slider(chromium: Chromium, models_dir: Path) -> None:
    system, _, page = made(models_dir, "four_bar.xml", None)
    with opened(chromium, page) as tab:
        tab.page.wait_for_selector(".joint input")
        before = tab.run(PLACES)
        slider = tab.page.locator(".joint input[type=range]").nth(0)
        for angle in (40, 55, 70):
            slider.fill(str(angle))
            q = tab.run("[...sistel.now.q]")
            assert q[0] == pytest.approx(math.radians(angle), abs=1e-9)
            assert gap(system, q) < 1e-9
            assert apart(tab.run(PLACES), planar_places(system, q), 700.0) < 1e-6
        assert apart(before, np.array(tab.run(PLACES)), 700.0) > 0.05
        # What the field cannot be is cut to its limits, and what is no number changes nothing.
        kept = tab.run("[...sistel.now.q]")
        tab.page.locator(".joint input[type=number]").nth(0).fill("")
        tab.page.locator(".joint input[type=number]").nth(0).press("Enter")
        assert tab.run("[...sistel.now.q]") == kept


@pytest.mark.parametrize("name", ["compass_walker.xml", "rimless_wheel.xml", "hopper.xml"])
def test_live_motion_is_that_of_the_simulation(chromium: Chromium, models_dir: Path, name: str) -> None:
    system, _, page = made(models_dir, name, None)
    run = system.simulate(1.0)
    assert run.events
    with opened(chromium, page) as tab:
        tab.run("sistel.live.begin()")
        assert tab.run("sistel.live.stuck") is None
        assert tab.run("sistel.live.advance(1.0)") == 1.0
        assert tab.run("[...sistel.system.q]") == pytest.approx(run.last[: system.nq].tolist(), abs=1e-6)
        assert tab.run("[...sistel.system.v]") == pytest.approx(
            run.last[system.nq : system.nq + system.nv].tolist(), abs=1e-6
        )
        assert tab.run("sistel.motion.events.map(e => e.time)") == pytest.approx(
            [event.time for event in run.events], abs=1e-7
        )
        names = [structure.name for structure in system.model.structures]
        assert tab.run("sistel.motion.events.map(e => e.after)") == [names.index(event.after) for event in run.events]
        # The motion is kept: one can go back in it.
        for t in (0.13, 0.57):
            tab.run("t => sistel.seek(t)", t)
            # Between rows of the kept motion there are cubics.
            assert tab.run("[...sistel.now.q]") == pytest.approx(run(t)[0].tolist(), abs=1e-4)


def test_live_mode_runs_with_the_clock(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", None)
    with opened(chromium, page, size=(1280, 800)) as tab:
        tab.page.click("[data-id=tab-live]")
        tab.page.click("[data-live=start]")
        tab.page.wait_for_timeout(700)
        tab.page.click("[data-live=start]")
        reached = tab.run("sistel.motion.end")
        assert 0.2 < reached < 1.5
        assert tab.run("sistel.motion.kind") == "live"
        tab.page.wait_for_timeout(100)
        assert tab.run("sistel.motion.end") == reached
        # Another slope: another motion.
        slider = tab.page.locator("[data-id=parameter-0]")
        tab.page.click("[data-live=again]")
        first = tab.run("sistel.live.advance(0.5), [...sistel.system.v]")
        slider.fill("0.07")  # in the unit of the file
        assert tab.run("sistel.live.parameters.slope") == pytest.approx(0.07)
        tab.page.click("[data-live=again]")
        second = tab.run("sistel.live.advance(0.5), [...sistel.system.v]")
        assert np.abs(np.array(first) - second).max() > 1e-3


def test_what_cannot_live_says_why(chromium: Chromium, models_dir: Path) -> None:
    # Bodies without masses: postures, but no motion.
    _, _, page = made(models_dir, "paper_listing1.xml", None)
    with opened(chromium, page) as tab:
        assert tab.run("document.querySelector('.play').disabled") is True
        tab.page.click("[data-id=tab-live]")
        for lang in ("en", "ru"):
            tab.run("lang => sistel.setLang(lang)", lang)
            reason = tab.run("sistel.system.refused")[lang]
            assert reason in tab.page.locator("[data-id=panel-live]").inner_text()


def test_a_phone(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 4.0)
    with opened(chromium, page, size=(390, 844), phone=True) as tab:
        assert tab.run("document.documentElement.scrollWidth") <= 390
        small = """() => [...document.querySelectorAll('button, select, [role=slider]')]
          .filter(node => node.offsetParent && node.closest('.controls, .header, .stage-tools, .tabs'))
          .map(node => [node.getAttribute('aria-label') ?? node.textContent, node.offsetWidth, node.offsetHeight])
          .filter(([, wide, high]) => wide < 40 || high < 40)"""
        assert tab.run(small) == []
        # The list of what can be taken along is there as a whole.
        tab.page.tap("[data-id=take]")
        menu = tab.page.locator(".take-list").bounding_box()
        assert menu["x"] >= 0 and menu["x"] + menu["width"] <= 390 and menu["width"] >= 276
        tab.page.tap("[data-id=take]")
        # The clock has its own place beside the buttons, on narrow phones too.
        for width in (390, 360):
            tab.page.set_viewport_size({"width": width, "height": 844})
            boxes = [tab.page.locator(f".transport-{each}").bounding_box() for each in ("buttons", "rest")]
            clock = tab.page.locator(".clock").bounding_box()
            assert boxes[0]["x"] + boxes[0]["width"] <= min(boxes[1]["x"], clock["x"])
            assert tab.run("document.documentElement.scrollWidth") <= width
        play = tab.page.locator(".play").bounding_box()
        assert play["y"] + play["height"] <= 844
        tab.page.tap(".play")
        assert tab.run("sistel.player.playing") is True


def test_the_camera(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 4.0)
    with opened(chromium, page) as tab:
        view = "document.querySelector('svg.scheme').getAttribute('viewBox').split(' ').map(Number)"
        whole = tab.run(view)
        box = tab.page.locator("svg.scheme").bounding_box()
        tab.page.mouse.move(box["x"] + 200, box["y"] + 200)
        tab.page.mouse.wheel(0, -400)
        tab.page.wait_for_timeout(50)
        near = tab.run(view)
        assert near[2] < 0.8 * whole[2]
        tab.page.mouse.down()
        tab.page.mouse.move(box["x"] + 260, box["y"] + 200)
        tab.page.mouse.up()
        assert tab.run(view)[0] < near[0]
        tab.page.locator("body").press("r")
        assert tab.run(view) == whole
        # A trail of the hip, as the run has it.
        tab.page.locator(".stage-tools button[aria-expanded]").click()
        tab.page.locator(".trail-list input").first.check()
        points = tab.run("document.querySelector('.trail:not(.mark-line)').getAttribute('points').split(' ').length")
        assert points > 100


SPITE = {
    "script": "<script>alert(1)</script>",
    "end": "</script><script>alert(2)</script>",
    "quotes": "\"'><img src=x onerror=alert(3)>",
    "cdata": "]]><!--<svg onload=alert(4)>",
    "turned": "a\u202egnp.exe\u2066\u200f",
    "long": "ы" * 10_000,
}


NAMES = {"aaaa": "body", "bbbb": "point", "cccc": "contact", "dddd": "one", "eeee": "two", "ffff": "l", "gggg": "way"}
VICTIM = """<system name="hhhh"><parameter name="ffff" value="100 mm" about="hhhh"/>
<body name="aaaa" joint="free" place="0,-200" mass="1" inertia="0.01"><point name="bbbb" place="0, ffff"/></body>
<links><contact name="cccc" point="bbbb" surface="y = 0"/><structure name="dddd"/><structure name="eeee" holds="cccc"/>
<transition name="gggg" from="dddd" to="eeee" when="gap(cccc) falls through 0" impact="plastic"/></links>
<start structure="dddd" aaaa="0,0,10"/></system>"""


def renamed(value: Any, names: dict[str, str]) -> Any:
    """The same with other names everywhere: the language itself would not let them in."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(renamed(each, names) for each in value)
    if isinstance(value, dict):
        return {renamed(key, names): renamed(each, names) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, (type, Span)):
        old = {field.name: getattr(value, field.name) for field in fields(value) if field.init}
        new = {name: renamed(each, names) for name, each in old.items()}
        return value if all(new[name] is old[name] for name in old) else replace(value, **new)
    return value


@pytest.mark.parametrize("kind", SPITE)
def test_names_of_strangers_stay_names(chromium: Chromium, kind: str) -> None:
    from sistel.views.page import draw_page

    spite = SPITE[kind]
    clean = sistel.parse(VICTIM)
    # A system may have a long name; those of its parts are never longer than this.
    names = {name: f"{spite[:190]} {said}" for name, said in NAMES.items()} | {"hhhh": spite}
    system = System(renamed(clean.model, names), clean.source)
    run = system.simulate(0.3)
    assert [event.transition for event in run.events] == [names["gggg"]]
    page = draw_page(system.model, run, lang="en")
    with chromium.tab() as tab:
        dialogs: list[str] = []
        tab.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        tab.open(page)
        tab.page.wait_for_selector("html[data-ready=yes]")
        for key in tab.run("[...document.querySelectorAll('[role=tab]')].map(tab => tab.dataset.id.slice(4))"):
            tab.run("key => sistel.choose(key)", key)
            tab.page.wait_for_timeout(50)
        tab.run("sistel.player.pause(), sistel.seek(0.1), sistel.seek(0.25), sistel.setLang('ru')")
        box = tab.page.locator("[role=slider]").bounding_box()
        tab.page.mouse.move(box["x"] + box["width"] * run.events[0].time / 0.3, box["y"] + 9)
        assert tab.page.locator(".hint").is_visible()
        assert dialogs == []
        assert tab.run("document.querySelectorAll('img, script[src], [onload], [onerror]').length") == 0
        assert tab.run("document.querySelectorAll('script:not([data-packed]):not([type=module])').length") == 0
        assert tab.run("document.documentElement.scrollWidth <= innerWidth") is True
        assert tab.run("/[\\u202a-\\u202e\\u2066-\\u2069\\u200f]/.test(document.documentElement.textContent)") is False
        # It still works, and the names are there as texts.
        assert tab.run("sistel.system.poses(sistel.now.q)[12 + 7]") == pytest.approx(run(0.25)[0][1] - 0.2, abs=1e-4)
        if kind in ("script", "end", "quotes", "cdata"):
            assert tab.run("document.querySelector('h1').textContent") == spite
            tab.run("sistel.choose('events')")
            assert spite in tab.page.locator("[data-id=panel-events]").inner_text()


def test_without_scripts_there_is_a_scheme(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 4.0)
    inside = re.search("<noscript>(.*)</noscript>", page, re.S)
    assert inside is not None
    with chromium.tab() as tab:
        tab.open(f"<!doctype html><meta charset=utf-8><body>{inside.group(1)}")
        assert tab.run("document.querySelectorAll('svg g').length") >= 3


OUTSIDE = """() => {
  const notice = document.querySelector('.outside');
  const stage = document.querySelector('.stage').getBoundingClientRect();
  const [x, y] = sistel.picture.eye.seen([sistel.poses[15], sistel.poses[19], 0]);
  return {
    said: notice.hidden ? '' : notice.querySelector('span').textContent,
    inside: x > stage.left && x < stage.right && y > stage.top && y < stage.bottom,
  };
}"""
STONE = """<system name="thrown" space="planar"><body name="stone" joint="free" mass="1" inertia="0.01">
<circle radius="60"/></body>
<body name="wall" joint="revolute" place="300, 0" mass="1" com="0, 100" inertia="0.01"/></system>"""


def test_a_body_that_leaves_the_picture_is_said_and_found(chromium: Chromium) -> None:
    """It falls for two seconds: who has come near loses it, and has it again by looking at all."""
    from sistel.views.page import draw_page

    system = sistel.parse(STONE)
    page = draw_page(system.model, system.simulate(2.0), lang="en", live=False, equations=False)
    with opened(chromium, page, still=True) as tab:
        tab.run("() => { sistel.picture.setFollow?.(false); sistel.seek(0); }")
        tab.page.wait_for_timeout(300)
        # The window of the file has the whole way: somebody comes near.
        tab.page.mouse.move(*tab.run("() => sistel.picture.eye.seen([0, 0, 0]).slice(0, 2)"))
        tab.page.mouse.wheel(0, -1500)
        tab.wait("sistel.picture.eye.seen([0, 1, 0])[1] - sistel.picture.eye.seen([0, 0, 0])[1] > 100")
        tab.page.wait_for_timeout(600)
        assert tab.run(OUTSIDE) == {"said": "", "inside": True}
        tab.run("() => sistel.seek(2)")
        tab.wait("!document.querySelector('.outside').hidden")
        assert tab.run(OUTSIDE) == {"said": "stone has left the picture", "inside": False}
        tab.page.get_by_role("button", name="Look at all").first.click()
        tab.wait("document.querySelector('.outside').hidden")
        assert tab.run(OUTSIDE)["inside"]
