"""The console and the drawing of schemes in a page: what is touched moves the machine, and is replayed by a run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.errors import Source
from sistel.simulation import Run, read_record
from sistel.views.page import draw_page
from sistel.views.wiring import draw_wiring

CONSOLE = """<system name="console"><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0"><motor name="arm"/></body>
  <scheme name="drive" period="10 ms">
    <input name="go" kind="button"/>
    <input name="latched" kind="latching"/>
    <input name="power" kind="toggle" value="1"/>
    <input name="gear" kind="rotary" positions="1, 2, 2.5"/>
    <input name="task" kind="slider" min="-60 deg" max="60 deg"/>
    <input name="stick" kind="joystick" min="-1" max="1"/>
    <signal name="aim" value="select(power and not go, gear*task, 0 rad) + stick.x*0.1 rad - select(latched, stick.y, 1)*0.1 rad"/>
    <block name="u" kind="pd" in="aim - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="2 N*m*s/rad"/>
    <lamp name="near" from="abs(aim - angle(arm)) lt 1 deg" colour="green"/>
    <dial name="speed" from="rate(arm)" min="-10 rad/s" max="10 rad/s"/>
    <indicator name="moment" from="u" digits="2"/>
    <output motor="arm" from="u"/>
  </scheme></system>"""


@cache
def made() -> tuple[sistel.System, Run, str]:
    system = sistel.parse(CONSOLE)
    run = system.simulate(2.0, inputs={"task": [(0.5, 0.4)], "go": [(1.0, 1), (1.2, 0)]})
    return system, run, draw_page(system.model, run, lang="en")


@contextmanager
def panel(chromium: Chromium, page: str, key: str, **options: Any) -> Iterator[Tab]:
    with chromium.tab(**{"size": (1280, 900), "still": True, **options}) as tab:
        tab.open(page)
        tab.page.wait_for_selector("html[data-ready=yes]", timeout=60_000)
        tab.run("key => { sistel.player.pause(); return sistel.choose(key); }", key)
        yield tab


def test_what_an_operator_does_moves_the_machine_and_is_replayed(chromium: Chromium) -> None:
    """By mouse, by keys and by fields; the record, as the page saves it, gives the same motion in a run."""
    system, _, page = made()
    with panel(chromium, page, "console") as tab:
        own = tab.page
        tab.run("() => sistel.live.begin()")
        item = '[data-input="{}"]'.format
        own.locator(f"{item('go')} button").focus()
        own.keyboard.down(" ")
        tab.wait("sistel.live.system.t > 0.1")
        assert own.locator(f"{item('go')} button").get_attribute("aria-pressed") == "true"
        own.keyboard.up(" ")
        own.locator(f"{item('power')} button").click()
        own.locator(f"{item('power')} button").click()
        own.locator(f"{item('latched')} button").click()
        own.locator(f"{item('gear')} input").nth(1).check()
        own.locator(f"{item('task')} input[type=number]").fill("20")
        own.keyboard.press("Enter")
        own.locator(".console-pad").focus()
        own.keyboard.down("ArrowRight")
        tab.wait("sistel.live.system.t > 0.6")
        own.keyboard.up("ArrowRight")
        tab.wait("sistel.live.system.t > Math.max(0.9, sistel.live.record.at(-1).time + 0.02)")
        tab.run("() => sistel.live.hold()")
        state = tab.run("() => ({t: sistel.live.system.t, q: [...sistel.live.system.q], v: [...sistel.live.system.v]})")
        events = tab.run("() => sistel.motion.events.map((event) => [event.time, event.said.en])")
        with own.expect_download() as waiting:
            own.locator('[data-console="recordCsv"]').click()
        text = Path(waiting.value.path()).read_text(encoding="utf-8")
        other = own.locator('[role="tabpanel"]:visible .note.warn')
        assert not other.is_visible()  # it began as the file says
        again = tab.run(
            """() => { const { live } = sistel; live.replay(); live.hold(); const end = TIME;
                 for (let turn = 0; turn < 9999 && live.system.t < end; turn++) live.advance(end);
                 return {t: live.system.t, q: [...live.system.q], v: [...live.system.v], rows: live.record.length}; }""".replace(
                "TIME", repr(state["t"])
            )
        )
        tab.run(
            "() => { const { live } = sistel; live.from({ ...live.initial, q: [0.3] }); live.give('task', 0.1); live.hold(); }"
        )
        assert other.is_visible()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["input"] for row in rows} == {"go", "power", "latched", "gear", "task", "stick.x"}
    assert [row["value"] for row in rows if row["input"] == "stick.x"] == ["1", "0"]
    assert [said for _, said in events if said.startswith("go")][-1:] == ["go: let go"]
    record = read_record(Source("record.csv", text))
    run = system.simulate(state["t"], inputs=record)
    assert [*state["q"], *state["v"]] == pytest.approx(run.last[:2].tolist(), abs=1e-9)
    assert [*again["q"], *again["v"]] == [*state["q"], *state["v"]]
    assert again["rows"] == len(rows)
    assert len([e for e in run.events if e.transition.startswith("input: ")]) == len(events)


def test_displays_and_wires_follow_the_cursor(chromium: Chromium) -> None:
    """Of the run: lamps, dials, digits, positions of what was touched, and numbers on wires."""
    _, run, page = made()
    with panel(chromium, page, "console") as tab:
        for t in (0.3, 0.55, 1.1, 1.9):
            tab.run("t => sistel.player.go(t)", t)
            shown = tab.run(
                """() => ({lamp: document.querySelector('.console-lamp').dataset.on,
                    digits: document.querySelector('.console-digits').textContent,
                    speed: document.querySelector('.console-dial').getAttribute('aria-valuenow'),
                    go: document.querySelector('[data-input="go"] button').getAttribute('aria-pressed'),
                    task: document.querySelector('[data-input="task"] input[type=number]').value})"""
            )
            near, moment, speed = (float(run.quantity(name, [t])[0]) for name in ("near", "moment", "speed"))
            ranges = {name: float(np.ptp(run.quantity(name))) for name in ("moment", "speed")}
            assert shown["lamp"] == ("yes" if near else "no")
            assert float(shown["digits"].split()[0].replace("−", "-")) == pytest.approx(
                moment, abs=0.02 * ranges["moment"]
            )
            assert float(shown["speed"]) == pytest.approx(speed, abs=0.02 * ranges["speed"])
            assert shown["go"] == ("true" if 1.0 <= t < 1.2 else "false")
            assert float(shown["task"]) == pytest.approx(np.degrees(0.4 if t >= 0.5 else 0.0), rel=1e-5)
        tab.run("() => sistel.choose('wiring')")
        tab.run("t => sistel.player.go(t)", 1.9)
        values = tab.run(
            "() => [...document.querySelectorAll('.sistel-wiring .value')].map((each) => each.textContent)"
        )
        assert len(values) == 9 and all(values)
        tab.run(
            "() => { sistel.live.begin(); sistel.live.give('task', 0.25); sistel.live.hold(); sistel.live.advance(0.05); sistel.seek(0.05); }"
        )
        live = tab.run("() => [...document.querySelectorAll('.sistel-wiring .value')].map((each) => each.textContent)")
        assert "0.25" in live


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_labels_are_not_cut(chromium: Chromium, lang: str, models_dir: Path) -> None:
    """Texts lie within their boxes, and no two of them upon each other."""
    files = [models_dir / name for name in ("servo_arm.xml", "lidar_rover.xml")]
    for model in (made()[0].model, *(sistel.load(file).model for file in files)):
        svg = draw_wiring(model, lang=lang)  # type: ignore[arg-type]
        with chromium.tab(size=(2400, 900), kept=True) as tab:
            tab.open(f"<!doctype html><meta charset=utf-8><body style='margin:0'>{svg}")
            found = tab.run(
                """() => {
                  const svg = document.querySelector('svg'), whole = svg.getBoundingClientRect(), wrong = [];
                  const texts = [...svg.querySelectorAll('text')].filter((each) => each.textContent);
                  const places = texts.map((each) => each.getBoundingClientRect());
                  places.forEach((place, i) => {
                    if (place.left < whole.left - 0.5 || place.right > whole.right + 0.5) wrong.push(['outside', texts[i].textContent]);
                    const box = texts[i].closest('g[class]')?.querySelector(':scope > .box')?.getBoundingClientRect();
                    const sum = texts[i].closest('g.sum');
                    if (box && !sum && (place.left < box.left - 0.5 || place.right > box.right + 0.5 || place.top < box.top - 1.5 || place.bottom > box.bottom + 1.5))
                      wrong.push(['cut', texts[i].textContent]);
                    for (let j = 0; j < i; j++) {
                      const other = places[j];
                      if (place.left < other.right - 1 && other.left < place.right - 1 && place.top < other.bottom - 3 && other.top < place.bottom - 3)
                        wrong.push([texts[i].textContent, texts[j].textContent]);
                    }
                  });
                  return wrong;
                }"""
            )
            assert found == []


@pytest.mark.parametrize(("size", "phone", "dark"), [((390, 844), True, True), ((1280, 860), False, False)])
def test_consoles_fit_their_window(chromium: Chromium, size: tuple[int, int], phone: bool, dark: bool) -> None:
    """Nothing is wider than a phone, everything can be tapped, and a tap is a press that the machine sees."""
    _, _, page = made()
    with panel(chromium, page, "console", size=size, phone=phone, dark=dark) as tab:
        assert tab.run("() => document.documentElement.scrollWidth") <= size[0]
        small = tab.run(
            "() => [...document.querySelectorAll('.console-key')].filter((each) => each.offsetHeight < 44).map((each) => each.textContent)"
        )
        assert small == []
        names = tab.run(
            "() => [...document.querySelectorAll('.console button,.console input,.console-pad')].filter((each) => !each.getAttribute('aria-label') && !each.closest('label')).length"
        )
        assert names == 0
        key = tab.page.locator('[data-input="go"] button')
        key.scroll_into_view_if_needed()
        key.tap() if phone else key.click()
        tab.wait("sistel.live.record.length > 1")
        tab.run("() => sistel.live.hold()")
        (down, up) = tab.run("() => sistel.live.record")
        assert (down["value"], up["value"]) == (1, 0)
        assert up["time"] >= down["time"] + 0.05
        tab.run("() => sistel.setLang('ru')")
        assert "Пульт" in tab.run("() => document.querySelector('[role=tab][aria-selected=true]').textContent")
