"""Plots of pages that agree with the state, and pictures that follow sliders, in a real browser."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser.test_panels import chart, made, over, panel, settle
from support.browser import Chromium

TITLES = "() => [...document.querySelectorAll('.plots-chart')].filter((c) => !c.hidden).map((c) => c.querySelector('figcaption').textContent)"
SOURCES = """() => sistel.plots.charts.map(({ chart, source }) => {
  const { t, y } = source();
  return { group: chart.group, curves: chart.curves, t: [...t], y: y.map((values) => [...values]) };
})"""
JOINT = """() => {
  const svg = document.querySelector('svg.scheme');
  const rods = [...svg.querySelectorAll('path')].filter((path) => /v/.test(path.getAttribute('d') ?? ''));
  const rod = rods.find((path) => path.closest('[id$="тело_1"]') && path.classList.contains('link'));
  const place = sistel.data.places.find(({ kind }) => kind === 'point');
  const at = rod.getPointAtLength(rod.getTotalLength()).matrixTransform(rod.getScreenCTM());
  const o = 12 * place.body, p = place.p, poses = sistel.poses;
  const world = [0, 1].map((i) => 1e3 * (poses[o + 4 * i] * p[0] + poses[o + 4 * i + 1] * p[1] + poses[o + 4 * i + 3]));
  const camera = svg.querySelector('[id$="камера"]').getScreenCTM();
  const wanted = new DOMPoint(...world).matrixTransform(camera);
  return { apart: Math.hypot(at.x - wanted.x, at.y - wanted.y), wide: svg.viewBox.baseVal.width, length: Math.hypot(...p) };
}"""


def test_readings_are_those_of_the_state(chromium: Chromium, models_dir: Path) -> None:
    """Between events, close to them and at them: what a plot says stands is where the joint stands."""
    _, run, page = made(models_dir, "compass_walker.xml", 3.0)
    assert run is not None
    strike = run.events[0].time
    with panel(chromium, page, "plots") as tab:
        for t in (0.31, strike - 1e-4, strike + 1e-4, 1.2345, 2.9):
            tab.run("t => sistel.seek(t)", t)
            settle(tab)
            state = tab.run("() => ({ q: [...sistel.now.q], v: [...sistel.now.v] })")
            for index in range(tab.run(TITLES).__len__()):
                found = chart(tab, index)
                if not found["title"].startswith("Coordinates"):
                    break
                names = tab.run("() => sistel.data.coordinates.map(({ name }) => name)")
                factor = {"m": 1.0, "mm": 1e3, "°": math.degrees(1.0)}[found["title"].removeprefix("Coordinates")]
                wanted = [factor * state["q"][names.index(name)] for name in found["names"]]
                assert found["values"] == pytest.approx(wanted, rel=6e-4)
            assert state["q"] == pytest.approx(run(t)[0], abs=2e-4)


def test_energies_and_places_are_read_off_the_state(chromium: Chromium, models_dir: Path) -> None:
    """At the cursor, to four digits: 42.29 does not stand where 44.17 is."""
    system, run, page = made(models_dir, "compass_walker.xml", 3.0)
    assert run is not None
    lowest = float(run.energies()[1].min())
    with panel(chromium, page, "plots", size=(1280, 4000)) as tab:
        for t in (0.31, run.events[0].time + 1e-4, 1.2345, 2.9):
            tab.run("t => sistel.seek(t)", t)
            settle(tab)
            q = run(t)[0]
            kinetic, potential = (float(each[0]) for each in run.energies(np.array([t])))
            wanted = {"kinetic": kinetic, "potential": potential - lowest, "total": kinetic + potential - lowest}
            for point in ("left foot", "right foot"):
                x, y = 1e3 * system.pose(q, point)[:2, 3]
                wanted |= {f"{point} x": x, f"{point} y": y}
            seen = {}
            for index in range(len(tab.run(TITLES))):
                found = chart(tab, index)
                if found["title"].startswith(("Energy", "Places")):
                    scale = 1.0 if not found["title"].endswith("m") or found["title"].endswith("mm") else 1e3
                    seen |= {n: scale * v for n, v in zip(found["names"], found["values"], strict=True)}
            assert seen.keys() >= wanted.keys()
            for name, value in wanted.items():
                if "foot" in name and abs(value) < 0.1:
                    assert not abs(seen[name]) > 0.2  # what is nearly nothing is written with a power of ten
                    continue
                # Four digits, and what the page's states differ from the run by.
                assert seen[name] == pytest.approx(value, rel=6e-4, abs=2e-3 if "foot" not in name else 0.1), (t, name)


def test_curves_are_near_the_run_and_sharp_at_events(chromium: Chromium, models_dir: Path) -> None:
    """Coordinates and velocities, between their points too: 0.2 % of the range; a jump has nothing in between."""
    _, run, page = made(models_dir, "compass_walker.xml", 3.0)
    assert run is not None
    strikes = [event.time for event in run.events]
    worst, gaps = 0.0, 0
    with panel(chromium, page, "plots") as tab:
        for each in tab.run(SOURCES):
            if each["group"] not in ("coordinates", "velocities"):
                continue
            t = np.array(each["t"])
            for curve, values in zip(each["curves"], each["y"], strict=True):
                y = np.array([math.nan if value is None else value for value in values])
                gaps += int(np.isnan(y).sum())
                assert not set(np.round(t[np.isnan(y)], 9)) - set(np.round(strikes, 9))
                times = (t[1:] + t[:-1]) / 2
                between = (y[1:] + y[:-1]) / 2
                inner = (np.diff(t) > 1e-9) & np.isfinite(between)
                true = run(times[inner])[0 if each["group"] == "coordinates" else 1][:, curve["of"]]
                worst = max(worst, float(np.abs(between[inner] - true).max() / np.ptp(true)))
    assert gaps and worst < 2e-3


def test_quaternions_are_shown_as_turns(chromium: Chromium, models_dir: Path) -> None:
    _, run, page = made(models_dir, "quadrotor.xml", 2.0)
    assert run is not None
    with panel(chromium, page, "plots") as tab:
        tab.run("() => sistel.seek(1.5)")
        settle(tab)
        names = tab.run("() => [...document.querySelectorAll('.plots-name')].map((node) => node.textContent)")
        assert not [name for name in names if name.split(".")[-1] in ("qw", "qx", "qy", "qz")]
        titles = tab.run(TITLES)
        index = next(i for i, title in enumerate(titles) if title.startswith("Turn of"))
        found = next(
            each
            for each in tab.run(SOURCES)
            if each["curves"][0]["name"].endswith(" x") and each["group"] == "coordinates"
        )
        assert "axis" in titles[index]
        w, *u = run(1.5)[0][3:7] if run.model.coordinate_names[3].endswith("qw") else run(1.5)[0][0:4]
        angle = 2 * math.atan2(math.hypot(*u), w)
        turn = [x / math.hypot(*u) * angle for x in u]
        shown = [float(np.interp(1.5, found["t"], y)) for y in found["y"]]
        assert shown == pytest.approx(turn, abs=2e-3)


def test_plots_are_searched_zoomed_and_moved_aside(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 3.0)
    with panel(chromium, page, "plots") as tab:
        every = tab.run(TITLES)
        tab.page.get_by_role("searchbox", name="Find curves").fill("RIGHT_leg")
        some = tab.run(
            "() => [...document.querySelectorAll('.plots-chart')].filter((c) => !c.hidden).map((c) => c.textContent)"
        )
        assert 0 < len(some) < len(every) and all("right_leg" in text for text in some)
        tab.page.get_by_role("searchbox", name="Find curves").fill("")
        assert tab.run(TITLES) == every
        box = over(tab)
        tab.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 30)
        tab.page.keyboard.down("Control")
        tab.page.mouse.wheel(0, -400)
        tab.page.keyboard.up("Control")
        settle(tab)
        near = tab.run("() => sistel.plots.range()")
        assert near[1] - near[0] == pytest.approx(3.0 * math.exp(-0.6), rel=1e-3)
        assert sum(near) / 2 == pytest.approx(1.5, abs=0.02)
        tab.page.keyboard.down("Shift")
        tab.page.mouse.wheel(0, 100)
        tab.page.keyboard.up("Shift")
        settle(tab)
        aside = tab.run("() => sistel.plots.range()")
        assert aside[0] > near[0] and aside[1] - aside[0] == pytest.approx(near[1] - near[0])


def test_a_curve_is_dragged_to_another_plot(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 3.0)
    with panel(chromium, page, "plots") as tab:
        before = [chart(tab, index)["names"] for index in range(2)]
        key = tab.page.locator(".plots-chart").nth(0).locator(".plots-key").first
        key.drag_to(tab.page.locator(".plots-chart").nth(1))
        settle(tab)
        assert chart(tab, 1)["names"] == [*before[1], before[0][0]]
        # Angles do not go to lengths.
        tab.page.locator(".plots-chart").nth(2).locator(".plots-key").first.drag_to(
            tab.page.locator(".plots-chart").nth(0)
        )
        settle(tab)
        assert chart(tab, 0)["names"] == before[0]


def test_a_motion_is_drawn_over_the_run(chromium: Chromium, models_dir: Path) -> None:
    _, _, page = made(models_dir, "compass_walker.xml", 3.0)
    with panel(chromium, page, "plots") as tab:
        tab.run("() => { sistel.live?.begin?.(true); }")
        tab.page.wait_for_timeout(500)
        tab.run("() => sistel.player.pause()")
        if tab.run("() => sistel.motion.kind") != "live":
            tab.run("() => sistel.choose('live')")
            tab.page.get_by_role("button", name="Start", exact=True).click()
            tab.page.wait_for_timeout(500)
            tab.run("() => { sistel.player.pause(); return sistel.choose('plots'); }")
        settle(tab)
        assert tab.run("() => sistel.motion.kind") == "live"
        assert "the run of the page" in tab.run(TITLES)[0]


@pytest.mark.parametrize("length", [0.7, 1.3])
def test_a_slider_does_not_tear_the_picture(chromium: Chromium, models_dir: Path, length: float) -> None:
    """The end of the rod as it is drawn is where the point at its end is, and the window is as much larger."""
    _, _, page = made(models_dir, "pendulum.xml", None)
    with panel(chromium, page, "joints") as tab:
        before: dict[str, Any] = tab.run(JOINT)
        tab.run("l => { sistel.system.setValues({ L: l }); sistel.seek(0); }", length)
        settle(tab)
        after: dict[str, Any] = tab.run(JOINT)
        assert before["apart"] < 0.1 and after["apart"] < 0.1
        assert after["length"] == pytest.approx(length * before["length"])
        assert after["wide"] / before["wide"] == pytest.approx(length, rel=0.1)
