"""The studio without a server, given by a plain web server: Python in the browser answers, and nothing else is asked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.browser import WEBGL, chromium_program, driver, firefox
from support.dragging import drag_a_four_bar
from support.static_studio import INSIDE, Window, build, served
from support.studio_page import TEXT

from sistel.system import load, parse

pytestmark = pytest.mark.slow

ARM = """<system name="arm">
  <parameter name="l" value="400 mm"/>
  <body name="upper" joint="revolute" place="0, 0" com="0, l / 2" mass="2" inertia="0.03">
    <shape d="m0,0v400"/>
    <body name="fore" joint="revolute" place="0, l" com="0, 150" mass="1" inertia="0.01"><shape d="m0,0v300"/></body>
  </body>
  <start upper="60" fore="20"/>
</system>
"""
FLAGS = (
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
)
MODELS = Path(__file__).resolve().parents[2] / "models"
UNHEARD = ("The WebAssembly exception handling 'try' instruction is deprecated", "Async Pan/Zoom:", "Feature Policy:")
"""What Firefox tells of every page with Pyodide, with a list that scrolls, with a permission that it does not ask for."""
CONTROL, END, ERASE, LOOSE = "\ue009", "\ue010", "\ue003", "\ue000"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = build(tmp_path_factory.mktemp("static") / "site")
    with served(folder) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    pytest.importorskip("playwright.sync_api")
    program = chromium_program()
    if program is None:
        pytest.skip("Chromium is not installed")
    with driver() as tool:
        started = tool.chromium.launch(executable_path=program, args=[*FLAGS, *WEBGL])
        yield started
        started.close()


@pytest.fixture(scope="module")
def window(browser: Any, address: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """One window for the tests of this module, which follow each other: Python starts once."""
    context = browser.new_context(locale="en-US", viewport={"width": 1440, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=address.rstrip("/"))
    tab = Window(context.new_page(), tmp_path_factory.mktemp("tab"), address)
    tab.go()
    yield tab
    tab.check()
    context.close()


@contextmanager
def other(browser: Any, tmp_path: Path, address: str, hash_: str = "", **how: Any) -> Iterator[Window]:
    """A browser that has never been here."""
    context = browser.new_context(**{"locale": "en-US", "viewport": {"width": 1280, "height": 800}, **how})
    tab = Window(context.new_page(), tmp_path, address)
    try:
        yield tab.go(hash_)
        tab.check()
    finally:
        context.close()


def test_a_new_user_writes_an_arm_and_sees_it_move(window: Window) -> None:
    window.new("empty")
    window.write(ARM.replace("revolute", "revolut", 1))
    window.wait("document.querySelector('[data-part=count].error')")
    window.write(ARM)
    window.wait("!document.querySelector('[data-part=count].error, [data-part=count].warning')")
    q = window.moving(0.3, 2)
    # It falls freely: the energy says how fast, and the page integrates as the kernels of Python would.
    assert len(q) == 2 and q[0] < 1.0
    system = parse(ARM, "arm.xml")
    t, q0, q1 = window.run(f"() => {{ const s = {INSIDE}.system; return [s.t, ...s.q]; }}")
    assert system.simulate(t).q[-1] == pytest.approx([q0, q1], abs=1e-6)


def test_files_stay_and_links_carry_the_whole_model_to_a_phone_in_russian(
    window: Window, browser: Any, tmp_path: Path
) -> None:
    window.page.keyboard.press("Control+S")
    window.wait("document.querySelector('.header .facts').textContent.includes('saved')")
    window.page.locator("button[aria-label='Copy a link with the whole model']").click()
    window.wait("document.querySelector('.notices [data-kind=good]')")
    link = window.run("() => navigator.clipboard.readText()")
    assert link.startswith(f"{window.address}studio/#model=") and len(link) < 2000
    phone = {"locale": "ru-RU", "viewport": {"width": 390, "height": 844}}
    with other(browser, tmp_path, window.address, link.partition("studio/")[2], **phone) as fresh:
        assert fresh.page.locator("html").get_attribute("lang") == "ru"
        fresh.page.locator(".switch-panes button").first.click()
        fresh.wait("document.querySelector('.cm-line')")
        assert fresh.text() == ARM
        fresh.write(ARM.replace("revolute", "revolut", 1))
        fresh.wait("document.querySelector('[data-part=count].error')")
        assert "замечани" in fresh.page.locator("[data-part=count]").inner_text()
        assert fresh.run("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_parameters_move_the_picture(window: Window) -> None:
    """A parameter is tried with its slider, then written into the text."""
    field = window.page.locator(".parameter input[type=text]").first
    field.fill("250")
    field.press("Enter")
    window.page.locator("[data-act=write-parameters]").click()
    window.wait("document.querySelector('.cm-content').textContent.includes('250 mm')")
    window.wait("!document.querySelector('[data-part=count].error')")


def test_a_spatial_model_moves(window: Window) -> None:
    window.page.locator("[data-act=new]").click()
    window.page.locator("[data-sample=scara]").click()
    window.wait("document.title.includes('scara')")
    q = window.moving(0.2, 4)
    assert max(abs(each) for each in q) > 1e-3


def test_a_four_bar_is_dragged_and_its_coupler_curve_goes_along(window: Window) -> None:
    drag_a_four_bar(window)


def test_what_needs_a_server_says_what_to_do(window: Window) -> None:
    assert "sistel studio" in window.page.locator(".pane.bottom").inner_text()


def test_it_opens_again_without_a_network(window: Window) -> None:
    window.run("() => navigator.serviceWorker.ready.then(() => true)")
    context = window.page.context
    context.set_offline(True)
    try:
        window.page.reload()
        window.ready()
        window.wait("document.querySelector('.cm-line')")
        assert "system" in window.text()
    finally:
        context.set_offline(False)


def test_in_firefox_a_model_is_opened_checked_and_moves(address: str) -> None:
    with firefox(own_machine=True) as browser:
        browser.open(f"{address}studio/", "document.querySelector('[data-connection=joined]')", 180)
        browser.click("[data-act=new]")
        browser.wait("document.querySelector('[data-sample=four_bar]')")
        browser.click("[data-sample=four_bar]")
        browser.wait("document.querySelector('.cm-content')?.getAttribute('aria-label') === 'four_bar.xml'")
        written = (MODELS / "four_bar.xml").read_text(encoding="utf-8")
        assert browser.run(f"return ({TEXT})()") == written
        browser.type(".cm-content", CONTROL + END + LOOSE)
        browser.type(".cm-content", "x")
        browser.wait("document.querySelector('[data-part=count].error')")
        browser.type(".cm-content", ERASE)
        browser.wait("!document.querySelector('[data-part=count].error')")
        assert browser.run(f"return ({TEXT})()") == written
        browser.click("[data-act=run]")
        browser.wait(f"{INSIDE}?.system?.t > 0.2", 180)
        t, *q = browser.run(f"const system = {INSIDE}.system; return [system.t, ...system.q];")
        assert load(MODELS / "four_bar.xml").simulate(t).q[-1] == pytest.approx(q, abs=1e-6)
        assert not [each for each in browser.complaints(address) if not any(known in each for known in UNHEARD)]
