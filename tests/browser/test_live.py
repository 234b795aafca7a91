"""The live panel in a browser: reset, limits, undo, hands that push and pose, loads, the ghost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.system import System
from sistel.views.page import draw_page


@cache
def made(models: Path, name: str) -> tuple[System, str]:
    system = sistel.load(models / f"{name}.xml")
    return system, draw_page(system.model, lang="en")


@contextmanager
def live(chromium: Chromium, models: Path, name: str, **options: Any) -> Iterator[Tab]:
    with chromium.tab(**{"size": (1280, 800), "still": True, "kept": True, **options}) as tab:
        tab.open(made(models, name)[1])
        tab.page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        tab.run("sistel.choose('live')")
        yield tab


STATE = "() => [sistel.system.t, ...sistel.system.q, ...sistel.system.v, sistel.system.structure]"


def test_reset_is_exactly_the_start(chromium: Chromium, models_dir: Path) -> None:
    """Parameters, state, time and what comes of them, to the last bit."""
    with live(chromium, models_dir, "compass_walker") as tab:
        tab.run("sistel.live.begin()")
        first = tab.run(STATE)
        after = tab.run("() => { sistel.live.advance(1.1); return [...sistel.system.q, ...sistel.system.v]; }")
        events = tab.run("() => sistel.motion.events.length")
        values = tab.run("() => ({ ...sistel.live.parameters })")
        tab.run(
            "() => { for (const key of ['slope', 'm']) sistel.live.change({ [key]: 1.2 * sistel.live.parameters[key] }); }"
        )
        tab.run("() => { sistel.live.pull({ body: 1, p: [0, 0, 0], to: [1, -1, 0] }); sistel.live.advance(1.3); }")
        tab.run("() => sistel.live.from({ q: sistel.now.q, v: sistel.now.v, structure: 1 })")
        assert tab.run(STATE) != first
        tab.page.click("[data-live=reset]")
        assert tab.run(STATE) == first
        assert tab.run("() => ({ ...sistel.live.parameters })") == values
        assert (
            tab.run("() => [sistel.time, sistel.motion.end, sistel.motion.events.length, sistel.system.work]")
            == [0] * 4
        )
        again = tab.run("() => { sistel.live.advance(1.1); return [...sistel.system.q, ...sistel.system.v]; }")
        assert again == after and tab.run("() => sistel.motion.events.length") == events
        assert tab.run("() => sistel.live.asFile")


def test_reset_gives_inputs_back(chromium: Chromium, models_dir: Path) -> None:
    with live(chromium, models_dir, "servo_arm") as tab:
        (name, *_) = tab.run("() => [...sistel.system.inputs.keys()]")
        tab.run("() => sistel.live.begin()")
        start = tab.run("() => [...sistel.system.memory]")
        tab.run("name => { sistel.live.give(name, 0.321); sistel.live.hold(); sistel.live.advance(0.2); }", name)
        assert 0.321 in tab.run("() => [...sistel.system.memory]")
        tab.page.click("[data-live=reset]")
        assert tab.run("() => [...sistel.system.memory]") == start
        assert tab.run("() => sistel.live.record.length") == 0


def test_ranges_say_when_they_bind(chromium: Chromium, models_dir: Path) -> None:
    with live(chromium, models_dir, "four_bar") as tab:
        row = tab.page.locator("[data-parameter=a]")
        assert "crank" in row.inner_text() and "50 mm … 240 mm, limits of the file" in row.inner_text()
        field, told = row.locator("input[type=number]"), row.locator(".parameter-bound")
        assert field.input_value() == "200" and told.is_hidden()
        field.fill("300")
        field.press("Enter")
        assert tab.run("() => sistel.live.parameters.a") == pytest.approx(0.24, abs=1e-15)
        assert told.inner_text() == "a cannot be above 240 mm: the file says so. 300 mm was brought to it."
        assert "binds" in row.get_attribute("class")
        # What no file forbids, but the mechanism: no loop closes with such a base.
        base = tab.page.locator("[data-parameter=d]")
        assert "no limits; the slider goes 100 mm … 800 mm" in base.inner_text()
        base.locator("input[type=number]").fill("2000")
        base.locator("input[type=number]").press("Enter")
        assert "links cannot be closed" in tab.page.locator("[data-id=panel-live]").inner_text()
        tab.page.click("[data-live=undo]")
        assert tab.run("() => [sistel.live.parameters.d, sistel.live.stuck]") == [0.4, None]
        tab.run("() => sistel.setLang('ru')")
        assert "не может быть больше 240 мм" in told.inner_text()


def test_changes_are_undone_and_done_again(chromium: Chromium, models_dir: Path) -> None:
    with live(chromium, models_dir, "double_pendulum") as tab:
        now = "() => [sistel.live.parameters.L, sistel.live.parameters.m, sistel.live.initial.q[0]]"
        begin = tab.run(now)
        for name, value in (("L", "1.4"), ("m", "2.5")):
            field = tab.page.locator(f"[data-parameter={name}] input[type=number]")
            field.fill(value)
            field.press("Enter")
        angle = tab.page.locator(".initial input").first
        angle.fill("70")
        angle.press("Enter")
        end = tab.run(now)
        assert end == pytest.approx([1.4, 2.5, math.radians(70.0)])
        seen = [end]
        for _ in range(3):
            tab.page.click("[data-live=undo]")
            seen.append(tab.run(now))
        assert seen[-1] == begin and seen[1] == pytest.approx([1.4, 2.5, begin[2]])
        assert tab.page.locator("[data-live=undo]").is_disabled()
        tab.page.locator("h1").click()
        for expected in (*seen[-2::-1],):
            tab.page.keyboard.press("Control+Shift+z")
            assert tab.run(now) == expected
        assert tab.page.locator("[data-live=redo]").is_disabled()


SEEN = "([body, x]) => { const o = 12 * body; return sistel.picture.eye.seen([0, 4, 8].map((i) => sistel.poses[o + i] * x + sistel.poses[o + i + 3])); }"


def test_a_pointer_pushes_a_body(chromium: Chromium, models_dir: Path) -> None:
    """The mouse takes a body that moves: an arrow to the pointer, and energy by its work."""
    with live(chromium, models_dir, "four_bar") as tab:
        tab.page.click("[data-live=start]")
        tab.wait("sistel.motion.end > 0.05")
        x, y, _ = tab.run(SEEN, [2, 0.25])
        tab.page.mouse.move(x, y)
        tab.page.mouse.down()
        # The linkage has moved on under the pointer: it is taken where it is met, or not at all.
        if tab.run("() => sistel.now.pull === undefined"):
            tab.page.mouse.up()
            tab.run("() => sistel.player.setSpeed(0.05)")
            x, y, _ = tab.run(SEEN, [2, 0.25])
            tab.page.mouse.move(x, y)
            tab.page.mouse.down()
        tab.page.mouse.move(x + 90, y - 60, steps=3)
        tab.page.wait_for_timeout(200)
        pull = tab.run("() => sistel.now.pull")
        assert pull["body"] == 2 and pull["stiffness"] == pytest.approx(4 * 9.81 * 4.0 / tab.run("sistel.data.size"))
        aim = tab.run("([x, y]) => sistel.picture.eye.aim(x, y, [0, 0, 0])", [x + 90, y - 60])
        assert pull["to"] == pytest.approx(aim, abs=1e-6)  # matrices of browsers have single precision
        assert tab.run("() => document.querySelectorAll('.mark-line').length") == 1
        tab.page.mouse.up()
        tab.wait("sistel.now.pull === undefined")
        tab.page.click("[data-live=start]")
        begin, end, work = tab.run(
            "() => { const e = ({ q, v }) => sistel.system.energies(q, v).total; const { rows } = sistel.motion;"
            " return [e(rows[0]), e(rows.at(-1)), sistel.system.work]; }"
        )
        assert abs(work) > 1e-3 and end - begin == pytest.approx(work, abs=1e-8)
        figures = tab.run("() => Object.fromEntries([...document.querySelectorAll('[data-energy]')].map((each) => [each.dataset.energy, each.querySelector('dd').textContent]))")  # fmt: skip
        assert figures["sinceStart"] == figures["handWork"]


def test_a_dragged_linkage_stays_closed(chromium: Chromium, models_dir: Path) -> None:
    """Standing, bodies are posed: the loop is closed in the state of the page at every pointer position."""
    system, _ = made(models_dir, "four_bar")
    with live(chromium, models_dir, "four_bar") as tab:
        tab.run("() => sistel.choose('joints')")
        x, y, _ = tab.run(SEEN, [2, 0.3])
        tab.page.mouse.move(x, y)
        tab.page.mouse.down()
        places, postures = [], []
        for k in range(1, 9):
            tab.page.mouse.move(x + 14 * k, y - 9 * k)
            postures.append(tab.run("() => [...sistel.now.q]"))
            places.append([tab.run(SEEN, [2, 0.3])[:2], [x + 14 * k, y - 9 * k]])
        tab.page.mouse.up()
        crank = [q[0] for q in postures]
        assert tab.run("() => sistel.motion.kind") == "posed" and max(crank) - min(crank) > 0.2
        for q in postures:
            b = system.pose(q, "coupler") @ [0.45, 0.0, 0.0, 1.0]
            rocker = system.pose(q, "rocker") @ [0.0, -0.35, 0.0, 1.0]
            assert np.abs(b - rocker).max() < 1e-10
        # The first positions can be reached by this point of the coupler only nearly: it follows as near as it can.
        assert np.linalg.norm(np.subtract(*places[0])) < 20.0
        tab.run("() => document.activeElement?.blur()")
        tab.page.keyboard.press("Control+z")
        assert tab.run("() => [...sistel.now.q]") == pytest.approx(tab.run("() => sistel.data.start.q"), abs=1e-12)


def test_an_arm_is_posed_where_the_pointer_is(chromium: Chromium, models_dir: Path) -> None:
    with live(chromium, models_dir, "double_pendulum") as tab:
        x, y, _ = tab.run("() => sistel.picture.eye.seen([...[3, 7, 11].map((k) => sistel.poses[24 + k])])")
        ends = "() => { const o = 24; return sistel.picture.eye.seen([1, 5, 9].map((i) => sistel.poses[o + i] * 0.7 + sistel.poses[o + i + 2])); }"
        x, y, _ = tab.run(ends)
        tab.page.mouse.move(x, y)
        tab.page.mouse.down()
        tab.page.mouse.move(x - 60, y - 40, steps=4)
        found = tab.run(ends)
        tab.page.mouse.up()
        assert found[:2] == pytest.approx([x - 60, y - 40], abs=3.0)  # the pixel that was hit lies beside the line


def test_the_ghost_is_the_motion_before(chromium: Chromium, models_dir: Path) -> None:
    system, _ = made(models_dir, "double_pendulum")
    with live(chromium, models_dir, "double_pendulum") as tab:
        ghost = "() => document.querySelector('.stage .ghost')"
        tab.run("() => { sistel.live.begin(); sistel.live.advance(0.8); }")
        assert tab.run(f"{ghost} === null") or tab.run(ghost) is None
        tab.run(
            "() => { sistel.live.begin(); sistel.live.change({ m: 3, L: 0.7 }); sistel.live.advance(0.8); sistel.seek(0.6); }"
        )
        assert float(tab.run("() => getComputedStyle(document.querySelector('.stage .ghost')).opacity")) <= 0.36
        run = system.simulate(0.8)
        expected = np.array([system.pose(run(0.6)[0], body.name)[:3] for body in system.model.bodies])
        assert np.array(tab.run("() => [...sistel.ghosts()[0].poses]")).reshape(-1, 3, 4)[1:] == pytest.approx(
            expected, abs=1e-6
        )
        tab.page.locator("[data-id=ghost]").uncheck()
        assert tab.run("() => [sistel.ghosts().length, document.querySelector('.stage .ghost')]") == [0, None]


def test_what_is_carried_is_told_live(chromium: Chromium, models_dir: Path) -> None:
    """At rest a pendulum's hinge carries its weight; in motion what Python computes for that state."""
    system, _ = made(models_dir, "compass_walker")
    with live(chromium, models_dir, "compass_walker") as tab:
        tab.run("() => { sistel.live.begin(); sistel.live.advance(0.3); sistel.seek(0.3); }")
        tab.page.click(".live-carried summary")
        tab.wait("document.querySelector('[data-carries]')")
        rows = tab.run(
            "() => [...document.querySelectorAll('[data-carries]')].map((row) => [row.dataset.carries, Number(row.cells[2].textContent.replace('−', '-'))])"
        )
        run = system.simulate(0.3)
        found = dict(rows)
        for leg in ("left_leg", "right_leg"):
            assert leg in found
        assert found["L"] == pytest.approx(run.quantity("-normal(L)")[-1], rel=2e-3)
        assert tab.run("() => sistel.marks().paths.length") == 1  # the arrow of the foot that stands


def test_what_cannot_be_computed_is_said(chromium: Chromium, models_dir: Path) -> None:
    """So many contacts are for simulations: the page says so, and what it can do; bodies can be posed."""
    with live(chromium, models_dir, "dominoes") as tab:
        text = tab.page.locator("[data-id=panel-live]").inner_text()
        assert "contacts of corners may close" in text and "sistel run" in text
        assert tab.page.locator("[data-live=start]").count() == 0
    with live(chromium, models_dir, "crate_on_stairs") as tab:
        x, y, _ = tab.run("() => sistel.picture.eye.seen([3, 7, 11].map((k) => sistel.poses[12 + k]))")
        tab.page.mouse.move(x, y)
        tab.page.mouse.down()
        tab.page.mouse.move(x + 30, y - 50, steps=2)
        tab.page.mouse.up()
        moved = tab.run("() => sistel.picture.eye.seen([3, 7, 11].map((k) => sistel.poses[12 + k]))")
        assert moved[:2] == pytest.approx([x + 30, y - 50], abs=2.0)
