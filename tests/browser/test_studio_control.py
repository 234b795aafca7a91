"""The scheme editor of the studio: a regulator built with the mouse, scopes, breakpoints, the console, undo."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.browser import WITHOUT_WEBGL, chromium_program, driver
from support.studio import studio

import sistel
from sistel.simulation import Run

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.skipif(chromium_program() is None, reason="Chromium is not installed")

ARM = """<system name="one arm">
  <gravity value="0"/>
  <!-- an arm alone -->
  <body name="arm" joint="revolute" mass="1" inertia="0.5"><motor name="M"/></body>
</system>
"""
OPERATED = """<system name="operated">
  <gravity value="0"/>
  <body name="arm" joint="revolute" mass="1" inertia="0.5"><motor name="M"/></body>
  <scheme name="drive" period="10 ms">
    <input name="go" kind="button"/>
    <behaviour name="task" start="wait"><state name="wait" aim="0 rad"><go to="work" when="go"/></state>
      <state name="work" aim="1 rad"/></behaviour>
    <block name="u" kind="pd" in="task.aim - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="5 N*m*s/rad"/>
    <lamp name="there" from="abs(1 rad - angle(arm)) lt 1 deg"/>
    <output motor="M" from="u"/>
  </scheme>
</system>
"""
MF4 = Path(__file__).resolve().parents[2] / "models" / "mf4"
KP, KD, INERTIA = 20.0, 2.0, 0.5


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "arm.xml").write_text(ARM, encoding="utf-8")
    (folder / "operated.xml").write_text(OPERATED, encoding="utf-8")
    for name in ("hangar", "mission", "robot"):
        shutil.copy(MF4 / f"{name}.xml", folder)
    with studio(folder) as server, driver() as tool:
        browser = tool.chromium.launch(
            executable_path=chromium_program(), args=["--no-sandbox", "--disable-quic", *WITHOUT_WEBGL]
        )
        yield server, browser, folder
        browser.close()


@pytest.fixture
def page(desk: Any) -> Iterator[Any]:
    server, browser, _ = desk
    context = browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-GB")
    own = context.new_page()
    own.set_default_timeout(20_000)
    complaints: list[str] = []
    own.on("console", lambda message: complaints.append(message.text) if message.type in ("error", "warning") else None)
    own.on("pageerror", lambda problem: complaints.append(str(problem)))
    own.goto(server.address)
    yield own
    context.close()
    assert not complaints, complaints


def opened(page: Any, name: str) -> None:
    page.locator("[data-part=stage]").wait_for()
    if page.locator("[data-tour]").count():
        page.keyboard.press("Escape")
    page.evaluate("() => 0")
    page.locator(f"text={name}").first.click()
    page.locator("[data-view=control]").click()
    page.locator("[data-part=palette] [data-item='block:pd']").wait_for()


def text_of(page: Any) -> str:
    return str(page.evaluate("() => document.querySelector('.cm-content').cmTile.view.state.doc.toString()"))


def block(page: Any, name: str) -> Any:
    return page.locator(f"[data-block='{name}']")


def wire(page: Any, source: str, target: str, port: str) -> None:
    """Drags from the output of one block to a place of another."""
    start = block(page, source).locator(".outs .svelte-flow__handle").first.bounding_box()
    end = block(page, target).locator(f".ins [data-port='{port}'] .svelte-flow__handle").bounding_box()
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] - 30, end["y"], steps=4)
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=4)
    page.mouse.up()


def until(page: Any, holds: Callable[[], bool], what: str) -> None:
    """Waits; the policy of the page lets nobody evaluate texts in it."""
    for _ in range(200):
        if holds():
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"{what}: {text_of(page)}")


def put(page: Any, owner: str, port: str, value: str) -> None:
    """Writes a value at a place of a block."""
    place = block(page, owner).locator(f"[data-port='{port}']")
    place.locator(".value").click()
    place.locator("input").fill(value)
    place.locator("input").press("Enter")


def has(page: Any, part: str) -> None:
    """Waits until the text has something; what is drawn comes a moment after it."""
    until(page, lambda: part in text_of(page), part)
    page.wait_for_timeout(350)


def test_a_regulator_is_built_with_the_mouse_and_its_overshoot_read(page: Any) -> None:
    """ω² = kp/J = 40, 2ζω = kd/J = 4; without a period, so that the closed form holds to the digits that are shown."""
    opened(page, "arm.xml")
    field = page.locator("[data-part=scheme]")
    for item, made in (
        ("input:slider", "input:slider"),
        ("sensor:joint", "sensor:joint"),
        ("sensor:rate", "sensor:rate2"),
        ("block:sum", "block:sum"),
    ):
        page.locator(f"[data-item='{item}']").click()
        block(page, made).wait_for()
    page.locator("[data-item='block:pd']").drag_to(field, target_position={"x": 200, "y": 420})
    has(page, '<place of="pd"')
    page.locator("[data-item='output']").click()
    block(page, "output:M").wait_for()
    page.locator("[data-act=arrange]").click()
    has(page, '<output motor="M"/>')
    for source, target, port, written in (
        ("input:slider", "block:sum", "in.+", 'in="slider"'),
        ("sensor:joint", "block:sum", "in.+", 'in="slider, joint"'),
        ("block:sum", "block:pd", "in", 'kind="pd" in="sum"'),
        ("sensor:rate2", "block:pd", "rate", 'rate="rate2"'),
        ("block:pd", "output:M", "from", 'from="pd"'),
    ):
        wire(page, source, target, port)
        has(page, written)
    # Signs are formulas of the text: the panel of a block has them.
    block(page, "block:sum").locator(".head").click()
    attribute = page.locator("[data-part=thing] [data-attribute=in]")
    attribute.fill("slider, -joint")
    attribute.press("Enter")
    has(page, 'in="slider, -joint"')
    block(page, "block:pd").locator(".head").click()
    page.locator("[data-part=thing] [data-attribute=rate]").fill("-rate2")
    page.locator("[data-part=thing] [data-attribute=rate]").press("Enter")
    has(page, 'rate="-rate2"')
    put(page, "block:pd", "kp", f"{KP} N*m/rad")
    has(page, f'kp="{KP} N*m/rad"')
    put(page, "block:pd", "kd", f"{KD} N*m*s/rad")
    has(page, f'kd="{KD} N*m*s/rad"')
    block(page, "input:slider").locator(".head").click()
    for key, value in (("min", "-1 rad"), ("max", "1 rad"), ("value", "0.5 rad")):
        page.locator(f"[data-part=thing] [data-attribute={key}]").fill(value)
        page.locator(f"[data-part=thing] [data-attribute={key}]").press("Enter")
        has(page, f'{key}="{value}"')
    page.locator("[data-act=whole]").click()
    period = page.locator("[data-part=thing] [data-attribute=period]")
    period.fill("")
    period.press("Enter")
    has(page, '<scheme name="control">')
    assert "<!-- an arm alone -->" in text_of(page)
    page.keyboard.press("Control+Enter")
    page.locator("tr[data-run]").first.wait_for(timeout=90_000)
    block(page, "sensor:joint").locator("output").wait_for()
    block(page, "sensor:joint").locator(".head").click()
    page.locator("[data-act=scope]").first.click()
    scope = page.locator("[data-scope=joint]")
    scope.locator("canvas").wait_for()
    scope.locator("[data-act=response]").click()
    scope.locator("[data-field=target]").fill("0.5 rad")
    scope.locator("[data-field=target]").press("Enter")
    scope.locator("[data-target='0.5']").wait_for()
    found = float(scope.locator("[data-overshoot]").get_attribute("data-overshoot"))
    damping = KD / (2.0 * math.sqrt(KP * INERTIA))
    assert abs(found - math.exp(-math.pi * damping / math.sqrt(1.0 - damping**2))) < 1e-9
    shown = float(block(page, "sensor:joint").locator("output").inner_text())
    assert abs(shown - 0.5) < 1e-3  # after ten seconds it is there
    # All of it is undone in the editor, step by step, to the text that was there.
    page.locator(".cm-content").click()
    for _ in range(60):
        page.keyboard.press("Control+z")
    assert text_of(page) == ARM


def test_an_operator_hands_the_task_over_and_a_breakpoint_ends_the_run(page: Any, desk: Any) -> None:
    opened(page, "operated.xml")
    block(page, "behaviour:task").wait_for()
    before = page.locator("tr[data-run]").count()
    page.locator("[data-act=live]").click()
    page.locator("[data-live^='0.'], [data-live^='1.'], [data-live^='2.']").wait_for(timeout=60_000)
    button = page.locator("button[data-input=go]")
    button.dispatch_event("pointerdown")
    page.locator("[data-part=touches]").wait_for()
    button.dispatch_event("pointerup")
    page.locator("[data-display=there] .lit").wait_for(timeout=30_000)  # the rest is done by itself
    page.locator("[data-act=end-live]").click()
    until(page, lambda: page.locator("tr[data-run]").count() == before + 1, "the run of what was touched")
    # The states of the behaviour: where it is now is lit, and where it was at the beginning.
    block(page, "behaviour:task").locator("button").click()
    page.locator("[data-state=work][data-now=true]").wait_for()
    page.locator("[data-field=replay]").fill("0")
    page.locator("[data-state=wait][data-now=true]").wait_for()
    page.locator("[data-act=out]").click()
    # A breakpoint: the run ends where the lamp comes on, and says so.
    page.locator("[data-field=stop-when]").fill("angle(arm) gt 0.001 rad")
    page.locator("[data-field=stop-when]").press("Enter")
    page.keyboard.press("Control+Enter")
    until(page, lambda: page.locator("tr[data-run]").count() == before + 2, "second run")
    page.get_by_role("tab", name="Log").click()
    page.get_by_text("never began to hold").wait_for()  # nobody pressed the button
    # The console of expressions.
    page.get_by_role("tab", name="Console").click()
    # Names are completed; the log above the line is to be seen, and what is wrong is underlined there.
    line = page.locator("[data-field=console]")
    line.click()
    page.keyboard.type("angle(a")
    page.locator(".cm-tooltip-autocomplete li", has_text="arm").wait_for()
    page.keyboard.press("Enter")
    until(page, lambda: line.inner_text() == "angle(arm)", "the completed name")
    line.fill("1 + angle(elbow)")
    line.press("Enter")
    page.locator("[data-part=wrong]", has_text="elbow").wait_for(timeout=60_000)
    assert page.locator(".console .said").bounding_box()["height"] > 2 * line.bounding_box()["height"]
    page.locator("[data-field=console]").fill("2*kp")
    page.locator("[data-field=console]").press("Enter")
    page.locator(".said .bad", has_text="kp").wait_for()
    page.locator("[data-field=console]").fill("angle(arm) + 1 rad at 2 s")
    page.locator("[data-field=console]").press("Enter")
    page.get_by_text("1 rad = 57.2957795131°").wait_for()


def test_the_mission_of_a_tracked_robot_begins_at_the_button_of_the_console(page: Any, desk: Any) -> None:
    """МФ-4: the press hands the task over, is an event of the run that is kept, and that run is the simulation of it."""
    _, _, folder = desk
    opened(page, "mission.xml")
    known = set(folder.glob(".sistel/runs/*/run.npz"))
    page.locator("[data-act=live]").click()
    page.locator("[data-live^='0.'], [data-live^='1.'], [data-live^='2.']").wait_for(timeout=90_000)
    assert page.locator("[data-display=driving] .lit").count() == 0  # it waits for its task
    button = page.locator("button[data-input=task]")
    button.dispatch_event("pointerdown")
    page.locator("[data-part=touches]").wait_for()
    button.dispatch_event("pointerup")
    page.locator("[data-display=driving] .lit").wait_for(timeout=30_000)
    page.locator("[data-part=touches][data-count='2']").wait_for()
    page.locator("[data-act=end-live]").click()
    until(page, lambda: len(set(folder.glob(".sistel/runs/*/run.npz"))) == len(known) + 1, "the run that is kept")
    page.locator("button[data-act=live]").wait_for(timeout=60_000)
    (archive,) = set(folder.glob(".sistel/runs/*/run.npz")) - known
    kept = Run.load(archive)
    (down, up) = kept.events
    assert (down.transition, up.transition) == ("input: task = 1.0", "input: task = 0.0")
    assert 0.0 < down.time < up.time < kept.end
    own = sistel.load(folder / "mission.xml").simulate(kept.end, inputs={"task": [(down.time, 1.0), (up.time, 0.0)]})
    times = np.linspace(0.0, kept.end, 200)
    assert kept.end == own.end and kept.model.fingerprint == own.model.fingerprint
    for name in ("xc", "yc", "cx", "D front", "mission.L", "angle(upper_arm)"):
        assert np.abs(kept.quantity(name, times) - own.quantity(name, times)).max() <= 1e-12, name
    # Nothing moves by itself before the press, and the tracks have their voltage after it.
    volts = kept.quantity("mission.L", times)
    assert not volts[times <= down.time].any() and volts[times > down.time].any()
