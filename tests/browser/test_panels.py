"""Plots, equations and the model's panel of a page, in a real browser."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.simulation import Run
from sistel.system import System
from sistel.views.page import draw_page


@cache
def made(models: Path, name: str, until: float | None) -> tuple[System, Run | None, str]:
    system = sistel.load(models / name)
    run = None if until is None else system.simulate(until)
    return system, run, draw_page(system.model, run, lang="en")


@contextmanager
def panel(chromium: Chromium, page: str, key: str, **options: Any) -> Iterator[Tab]:
    with chromium.tab(**{"size": (1280, 900), **options}) as tab:
        tab.open(page)
        tab.page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        tab.run("key => { sistel.player.pause(); return sistel.choose(key); }", key)
        settle(tab)
        yield tab


def settle(tab: Tab) -> None:
    """Two frames, in which everything that was asked for is drawn."""
    tab.run("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60))))")


CHART = """index => {
  const chart = [...document.querySelectorAll('.plots-chart')].filter((each) => !each.hidden)[index];
  const line = chart.querySelector('.plots-now');
  return {
    title: chart.querySelector('figcaption').textContent,
    names: [...chart.querySelectorAll('.plots-name')].map((node) => node.textContent),
    values: [...chart.querySelectorAll('.plots-value')].map((node) => Number(node.textContent.replace('−', '-'))),
    x: line && !line.hidden ? new DOMMatrix(getComputedStyle(line).transform).e : null,
    width: chart.querySelector('.u-over')?.clientWidth ?? null,
  };
}"""


def chart(tab: Tab, index: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = tab.run(CHART, index)
    return found


def over(tab: Tab, index: int = 0) -> dict[str, float]:
    box: dict[str, float] = tab.page.locator(".plots-chart:not([hidden]) .u-over").nth(index).bounding_box()
    return box


COLOURS = """index => {
  const canvas = document.querySelectorAll('.plots-chart canvas')[index];
  const copy = Object.assign(document.createElement('canvas'), { width: canvas.width, height: canvas.height });
  const pen = copy.getContext('2d', { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  const { data } = pen.getImageData(0, 0, copy.width, copy.height);
  const counts = {};
  for (let i = 0; i < data.length; i += 4) if (data[i + 3] > 200) { const key = data.slice(i, i + 3).join(); counts[key] = (counts[key] ?? 0) + 1; }
  return counts;
}"""


def colours(tab: Tab, index: int) -> Counter[tuple[int, ...]]:
    """How many pixels of a chart have which colour."""
    found = tab.run(COLOURS, index)
    return Counter({tuple(map(int, key.split(","))): count for key, count in found.items()})


def orange(tab: Tab, index: int) -> int:
    """Pixels of the second curve."""
    return sum(count for (red, _, blue), count in colours(tab, index).items() if red > 140 and blue < 90)


def test_plots_share_the_cursor_with_the_page(chromium: Chromium, models_dir: Path) -> None:
    _, run, page = made(models_dir, "compass_walker.xml", 3.0)
    assert run is not None
    with panel(chromium, page, "plots") as tab:
        tab.run("() => sistel.seek(1.2)")
        settle(tab)
        q, _ = run(1.2)
        first, third = chart(tab, 0), chart(tab, 2)
        assert first["title"] == "Coordinatesm" and third["title"] == "Coordinates°"
        # The legend has four digits, the curves 4095 parts of their range.
        assert first["values"] == pytest.approx([q[0]], abs=2e-3)
        assert third["values"] == pytest.approx([math.degrees(q[2]), math.degrees(q[3])], abs=0.2)
        assert first["x"] == pytest.approx(1.2 / 3.0 * first["width"], abs=1.5)
        box = over(tab)
        tab.page.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 30)
        assert tab.run("() => sistel.time") == pytest.approx(0.75 * 3.0, abs=3.0 / box["width"])
        # A drag follows.
        tab.page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 30)
        tab.page.mouse.down()
        tab.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 30, steps=4)
        tab.page.mouse.up()
        assert tab.run("() => sistel.time") == pytest.approx(0.5 * 3.0, abs=3.0 / box["width"])
        # A mouse that only looks changes the values, not the time.
        tab.page.mouse.move(box["x"] + 0.9 * box["width"], box["y"] + 30)
        settle(tab)
        assert chart(tab)["values"] == pytest.approx([run(2.7)[0][0]], abs=0.02)
        assert tab.run("() => sistel.time") == pytest.approx(1.5, abs=3.0 / box["width"])


def test_plots_zoom_together_and_back(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 3.0)
    with panel(chromium, page, "plots") as tab:
        box = over(tab)
        tab.page.get_by_role("button", name="Zoom", exact=True).click()
        tab.page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 30)
        tab.page.mouse.down()
        tab.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 40, steps=3)
        tab.page.mouse.up()
        settle(tab)
        tab.run("() => sistel.seek(1.125)")
        settle(tab)
        # 0.75 s to 1.5 s are shown now, in every chart.
        for index in range(2):
            found = chart(tab, index)
            assert found["x"] == pytest.approx(0.5 * found["width"], abs=4)
        tab.run("() => sistel.seek(2.5)")
        settle(tab)
        assert chart(tab)["x"] is None
        tab.page.mouse.dblclick(box["x"] + 0.5 * box["width"], box["y"] + 40)
        settle(tab)
        assert chart(tab)["x"] is not None
        assert tab.page.get_by_role("button", name="Whole time").is_hidden()


def test_curves_units_and_groups_are_switched_by_buttons(chromium: Chromium, models_dir: Path) -> None:
    _, run, page = made(models_dir, "compass_walker.xml", 3.0)
    assert run is not None
    with panel(chromium, page, "plots") as tab:
        tab.run("() => sistel.seek(1.2)")
        settle(tab)
        before = orange(tab, 2)
        assert before > 100
        key = tab.page.get_by_role("button", name=re.compile("right_leg")).first
        key.focus()
        tab.page.keyboard.press("Enter")
        settle(tab)
        # The second curve is gone.
        assert key.get_attribute("aria-pressed") == "false" and orange(tab, 2) < before / 10
        tab.page.get_by_role("button", name="Angles in degrees or radians: °").click()
        settle(tab)
        found = chart(tab, 2)
        assert found["title"] == "Coordinatesrad"
        assert found["values"] == pytest.approx(run(1.2)[0][2:4], abs=4e-3)
        shown = tab.run("() => document.querySelectorAll('.plots-chart:not([hidden])').length")
        tab.page.get_by_role("button", name="Coordinates", exact=True).click()
        assert tab.run("() => document.querySelectorAll('.plots-chart:not([hidden])').length") == shown - 3


def test_plots_follow_language_and_theme(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 3.0)
    with panel(chromium, page, "plots") as tab:
        light = colours(tab, 0)
        tab.run("() => { sistel.setTheme('dark'); sistel.setLang('ru'); }")
        settle(tab)
        assert chart(tab)["title"] == "Координатым"
        assert colours(tab, 0).most_common(1) != light.most_common(1)
        names = tab.run("() => [...document.querySelectorAll('.plots-chip')].map((chip) => chip.textContent)")
        assert names[:4] == ["Координаты", "Скорости", "Ускорения", "Энергия"]


def test_a_growing_motion_is_plotted_as_it_grows(chromium: Chromium, models_dir: Path) -> None:
    system, _, page = made(models_dir, "compass_walker.xml", 3.0)
    with panel(chromium, page, "live") as tab:
        tab.page.get_by_role("button", name="Start", exact=True).click()
        tab.run("() => sistel.choose('plots')")
        tab.page.wait_for_timeout(900)
        tab.run("() => sistel.player.pause()")
        settle(tab)
        end = tab.run("() => sistel.motion.end")
        assert tab.run("() => sistel.motion.kind") == "live" and end > 0.05
        tab.run("t => sistel.seek(t)", 0.6 * end)
        settle(tab)
        q, _ = system.simulate(0.6 * end + 1e-9)(0.6 * end)
        assert chart(tab)["values"] == pytest.approx([q[0]], abs=1e-3)
        groups = tab.run(
            "() => [...new Set([...document.querySelectorAll('.plots-chart')].map((each) => each.dataset.group))]"
        )
        assert groups == ["coordinates", "velocities", "energy"]


def test_charts_fit_a_phone(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 3.0)
    with panel(chromium, page, "plots", size=(390, 800), phone=True) as tab:
        assert tab.run("() => document.documentElement.scrollWidth") <= 390
        assert chart(tab)["width"] > 250
        for key in ("equations", "model"):
            tab.run("key => sistel.choose(key)", key)
            settle(tab)
            assert tab.run("() => document.documentElement.scrollWidth") <= 390, key


# --- equations -------------------------------------------------------------------------------------------------------

LATEX = """() => [...document.querySelectorAll('.equations-copy')].map((button) => {
  let text = null;
  navigator.clipboard.writeText = (given) => { text = given; return Promise.resolve(); };
  button.click();
  return text;
})"""


def test_equations_are_drawn_and_copied(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "cart_pendulum.xml", None)
    with panel(chromium, page, "equations") as tab:
        tab.run("() => document.querySelectorAll('.equations details').forEach((each) => { each.open = true; })")
        settle(tab)
        space = tab.run(
            "() => [...document.querySelectorAll('[data-id=panel-equations] math')].map((node) => node.namespaceURI)"
        )
        assert len(space) > 20 and set(space) == {"http://www.w3.org/1998/Math/MathML"}
        # The brackets of the mass matrix are as tall as the matrix: the font has them.
        heights = tab.run(
            """() => { const table = [...document.querySelectorAll('[data-id=panel-equations] mtable')].find((each) => !each.hasAttribute('displaystyle'));
            return [table.getBoundingClientRect().height, table.previousElementSibling.getBoundingClientRect().height]; }"""
        )
        assert heights[1] >= 0.9 * heights[0] > 20
        texts = tab.run(LATEX)
        assert len(texts) >= 10
        for text in texts:
            assert text.count("{") == text.count("}") and not re.search("[−·¨˙\\u2061\\u2062≤]", text)
            assert re.findall(r"\\begin\{(\w+)\}", text) == re.findall(r"\\end\{(\w+)\}", text)[::-1]
        assert any(re.fullmatch(r"(?s)\\mathbf\{M\}=\\begin\{pmatrix\}.*&.*\\end\{pmatrix\}", text) for text in texts)
        assert any(r"\ddot{q}_{1}" in text and r"\cos" in text for text in texts)
        tab.run("() => sistel.setLang('ru')")
        settle(tab)
        assert "Уравнения движения" in tab.run("() => document.querySelector('[data-id=panel-equations]').innerText")


def test_long_formulas_scroll_in_their_place(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "four_bar.xml", None)
    with panel(chromium, page, "equations", size=(900, 700)) as tab:
        wide = tab.run(
            "() => [...document.querySelectorAll('.equations-formula')].filter((each) => each.scrollWidth > each.clientWidth + 1).length"
        )
        assert wide > 0
        assert (
            tab.run(
                "() => { const panels = document.querySelector('.panels'); return panels.scrollWidth - panels.clientWidth; }"
            )
            <= 0
        )


# --- the model -------------------------------------------------------------------------------------------------------


def test_the_tree_lights_up_its_bodies(chromium: Chromium, models_dir: Path) -> None:
    system, _, page = made(models_dir, "walker.xml", 1.0)
    with panel(chromium, page, "model") as tab:
        rows = tab.run(
            "() => [...document.querySelectorAll('.model-tree .model-name')].map((node) => node.textContent)"
        )
        # Branch by branch, as the bodies are numbered.
        assert sorted(rows) == sorted(body.name for body in system.model.bodies)
        depths = tab.run(
            """() => Object.fromEntries([...document.querySelectorAll('.model-tree .model-name')].map((node) => {
              let depth = 0;
              for (let up = node; !up.matches('.model-tree'); up = up.parentElement) depth += up.matches('ul') ? 1 : 0;
              return [node.textContent, depth]; }))"""
        )
        for body in system.model.bodies:
            base = 0 if body.base == 0 else depths[system.model.bodies[body.base - 1].name]
            assert depths[body.name] == base + 1
        line = tab.page.locator(".model-body", has_text="голень_л")
        line.hover()
        settle(tab)
        assert tab.run("() => document.querySelector('.lit[id]')?.id") == "s-тело_3"
        assert "голень_л" in tab.run("() => document.querySelector('.model-line.lit').textContent")
        line.click()
        assert "mass" in tab.run("() => document.querySelector('.model-details:not([hidden])').textContent")
        fold = tab.page.get_by_role("button", name="Bodies of the branch: бедро_л")
        fold.focus()
        tab.page.keyboard.press("Enter")
        assert line.is_hidden() and fold.get_attribute("aria-expanded") == "false"


def test_the_present_structure_is_marked(chromium: Chromium, models_dir: Path) -> None:
    _, run, page = made(models_dir, "compass_walker.xml", 3.0)
    assert run is not None
    with panel(chromium, page, "model") as tab:
        for event in list(run.events)[:2]:
            tab.run("t => sistel.seek(t)", event.time + 0.05)
            settle(tab)
            assert tab.run("() => document.querySelector('.model-item[aria-current] b').textContent") == event.after
            assert tab.run("() => document.querySelector('.model-graph .now .name').textContent") == event.after
        assert tab.run("() => document.querySelectorAll('.model-graph svg g').length") >= 4
        table = tab.run("() => document.querySelector('[data-key=parameters] table').innerText")
        assert "slope" in table and "0.57296° … 5.15662°" in table and "of the ground" in table
        tab.run("() => sistel.setLang('ru')")
        settle(tab)
        text = tab.run("() => document.querySelector('[data-id=panel-model]').innerText")
        assert "зазор(R) падает через 0" in text and "степеней свободы" in text
        assert "model-ru-" in tab.run("() => document.querySelector('.model-graph marker').id")


def test_warnings_stand_above_the_events_and_seek(chromium: Chromium) -> None:
    """The header counts them, both languages say them, and a click goes to the time."""
    text = (
        '<system name="arm"><body name="upper arm" joint="revolute" mass="1" com="0, 500" inertia="0" min="-60" max="30"/>'
        '<start><coordinate of="upper arm" value="-45"/></start></system>'
    )
    run = sistel.parse(text, "arm.xml").simulate(2.0)
    (warning,) = run.warnings
    with chromium.tab(size=(390, 844)) as tab:
        tab.open(draw_page(run.model, run, lang="en"))
        tab.page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        tab.run("() => sistel.player.pause()")
        assert tab.page.locator("[data-id=warnings]").text_content() == "! 1"
        tab.page.locator("[data-id=warnings]").click()
        row = tab.page.locator(".warning-row")
        assert '"upper arm" passes its upper limit, 30 deg' in row.text_content() and "arm.xml:1:" in row.text_content()
        row.click()
        settle(tab)
        assert tab.run("() => sistel.time") == pytest.approx(warning.time, abs=1e-9)
        tab.page.locator("[data-id=language]").click()
        assert "проходит свой верхний предел" in tab.page.locator(".warning-row").text_content()


def test_states_that_a_behaviour_enters_are_listed(chromium: Chromium, models_dir: Path) -> None:
    system, run, page = made(models_dir, "scout.xml", 12.0)
    assert run is not None
    (chart,) = (each for scheme in system.model.schemes for each in scheme.behaviours)
    # A second way: the innermost active state, as the behaviour's own number tells it, at each of its changes.
    number = np.round(run.quantity("go")).astype(int)
    changes = np.flatnonzero(np.diff(number, prepend=-1))
    with panel(chromium, page, "events") as tab:
        rows = tab.run(
            "() => [...document.querySelectorAll('.entered .event-row')].map((row) =>"
            " [Number(row.dataset.time), row.querySelector('.event-name').textContent,"
            " row.querySelector('.event-more').textContent])"
        )
        listed = {(time, name) for time, name, behaviour in rows if behaviour == "go"}
        assert len(listed) == len(rows) > 5
        for i in changes:
            if number[i] > 0:
                assert (run.t[i], chart.states[number[i]].name) in listed
        tab.page.locator(".entered .event-row").nth(3).click()
        assert tab.run("() => sistel.time") == pytest.approx(rows[3][0], abs=1e-12)
        assert tab.page.locator(".entered h3").text_content() == "States of behaviours"
        tab.run("() => sistel.setLang('ru')")
        assert tab.page.locator(".entered h3").text_content() == "Состояния поведений"
