"""The studio of a server in Firefox: an arm is mended and run, a four-bar dragged and compared, a regulator wired."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.browser import Firefox, firefox
from support.studio import studio
from support.studio_page import TEXT

from sistel.system import load, parse

pytestmark = pytest.mark.slow

ARM = """<system name="arm">
  <body name="upper" joint="revolute" place="0, 0" com="0, 200" mass="2" inertia="0.03">
    <body name="fore" joint="revolute" place="0, 400" com="0, 150" mass="1" inertia="0.01"/>
  </body>
  <start upper="60" fore="20"/>
</system>
"""
REGULATED = """<system name="regulated">
  <gravity value="0"/>
  <body name="arm" joint="revolute" mass="1" inertia="0.5"><motor name="M"/></body>
  <scheme name="control">
    <block name="u" kind="pd" in="0.5 rad - angle(arm)" rate="-rate(arm)" kp="20 N*m/rad" kd="2 N*m*s/rad"/>
  </scheme>
</system>
"""
MODELS = Path(__file__).resolve().parents[2] / "models"
INSIDE = "document.querySelector('iframe')?.contentDocument?.querySelector('[data-sistel][data-ready=yes]')?.sistel"
SHOWN = """(() => {
  const frame = document.querySelector("iframe");
  const name = document.querySelector("[data-run] .link").textContent.trim();
  return name.endsWith(` ${frame?.title}`) && frame.contentWindow.location.href === frame.src;
})()"""
"""Whether the newest run is the one in the window."""
END, CONTROL, ERASE, LOOSE = "\ue010", "\ue009", "\ue003", "\ue000"
UNHEARD = ("Async Pan/Zoom:", "Feature Policy:")
"""What Firefox tells of lists that scroll, and of a permission that pages do not ask for."""
TOLERANCE = 2e-4
"""Of a run in a page: its keys are within 1e-4 of the size of the system."""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Firefox]:
    (tmp_path / "arm.xml").write_text(ARM, encoding="utf-8")
    (tmp_path / "regulated.xml").write_text(REGULATED, encoding="utf-8")
    shutil.copy(MODELS / "four_bar.xml", tmp_path)
    with studio(tmp_path) as server, firefox(own_machine=True) as found:
        found.open(server.address, "document.querySelector('.studio[data-connection=joined]')")
        yield found
        said = [*found.complaints(server.origin)]
        assert [each for each in said if not any(known in each for known in UNHEARD)] == []


def opened(browser: Firefox, name: str) -> None:
    browser.click(
        "[data-act=new]"
        if browser.run("return Boolean(document.querySelector('.cm-content'));")
        else "[data-act=begin]"
    )
    browser.wait(f"document.querySelector('.chip[data-path=\"{name}\"]')")
    browser.click(f'.chip[data-path="{name}"]')
    browser.wait(f"document.querySelector('.cm-content')?.getAttribute('aria-label') === '{name}'")


def ran(browser: Firefox, count: int) -> list[float]:
    """Run; coordinates at the end in the page, of the run that is the so manieth."""
    browser.click("[data-act=run]")
    browser.wait(f"document.querySelectorAll('[data-run]').length === {count}")
    browser.wait("document.querySelector('[data-run]').classList.contains('on')")
    browser.wait(SHOWN)
    browser.wait(f"{INSIDE}?.motion.kind === 'recorded' && {INSIDE}.motion.end === 1")
    found: list[float] = browser.run(f"return [...{INSIDE}.motion.at(1).q];")
    return found


def test_a_tour_in_firefox(browser: Firefox) -> None:
    opened(browser, "arm.xml")
    browser.type(".cm-content", CONTROL + END + LOOSE)
    browser.type(".cm-content", "x")
    browser.wait("document.querySelector('[data-part=count].error')")
    browser.type(".cm-content", ERASE)
    browser.wait("!document.querySelector('[data-part=count].error')")
    assert browser.run(f"return ({TEXT})()") == ARM
    browser.type("[data-field=until]", "1")
    assert ran(browser, 1) == pytest.approx(parse(ARM, "arm.xml").simulate(1.0).q[-1].tolist(), abs=TOLERANCE)

    opened(browser, "four_bar.xml")
    written = browser.run(f"return ({TEXT})()")
    browser.wait("document.querySelectorAll('[data-run]').length === 1")
    ran(browser, 2)
    browser.click("[data-view=scheme]")
    browser.wait("document.querySelector('[data-handle=\"pole:2\"] .reach')")
    browser.drag('[data-handle="pole:2"] .reach', '[data-handle="com:1"] .reach, .handle .reach')
    browser.wait(f"({TEXT})() !== {written!r}")
    changed = browser.run(f"return ({TEXT})()")
    assert changed.count("\n") == written.count("\n")
    found = ran(browser, 3)
    assert found == pytest.approx(parse(changed, "four_bar.xml").simulate(1.0).q[-1].tolist(), abs=TOLERANCE)
    assert found != pytest.approx(load(MODELS / "four_bar.xml").simulate(1.0).q[-1].tolist(), abs=0.01)
    browser.click("[data-run]:nth-child(2) [data-act=compare]")
    browser.wait(f"{INSIDE}?.compared?.others.length === 1")

    opened(browser, "regulated.xml")
    browser.click("[data-view=control]")
    browser.wait("document.querySelector('[data-item=output]')")
    browser.click("[data-item=output]")
    browser.wait("document.querySelector('[data-block=\"output:M\"] .ins [data-port=from] .svelte-flow__handle')")
    browser.click("[data-act=arrange]")
    browser.click(".svelte-flow__controls-fitview")
    browser.run("return new Promise((done) => setTimeout(done, 400));")
    browser.drag(
        '[data-block="block:u"] .outs .svelte-flow__handle',
        '[data-block="output:M"] .ins [data-port=from] .svelte-flow__handle',
    )
    browser.wait(f"({TEXT})().includes('from=\"u\"')")
    browser.wait("!document.querySelector('[data-part=count].error')")
    browser.click("[data-act=run]")
    browser.wait("document.querySelectorAll('[data-run]').length === 4")
    browser.click("[data-view=motion]")
    browser.wait(SHOWN)
    browser.wait(f"{INSIDE}?.motion.kind === 'recorded' && {INSIDE}.now.q.length === 1")
    run = parse(browser.run(f"return ({TEXT})()"), "regulated.xml").simulate(1.0)
    assert browser.run(f"return [...{INSIDE}.motion.at(1).q];") == pytest.approx(run.q[-1].tolist(), abs=TOLERANCE)
