"""The studio without a server, given by a plain web server: Python in the browser answers, and nothing else is asked."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.browser import WEBGL, chromium_program, driver, firefox
from support.crawling import crawled
from support.dragging import drag_a_four_bar
from support.static_studio import INSIDE, Window, built_once, served
from support.static_studio import MODELS as GALLERY
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
DERIVED = """() => new Promise((done) => {
  const opening = indexedDB.open("sistel.studio.derived");
  opening.onsuccess = () => {
    const asked = opening.result.transaction("files").objectStore("files").count();
    asked.onsuccess = () => (opening.result.close(), done(asked.result));
  };
})"""
"""How many entries of what was derived are kept."""
CONTROL, END, ERASE, LOOSE = "\ue009", "\ue010", "\ue003", "\ue000"


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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is served; the site lies deeper in it."""
    base = tmp_path_factory.getbasetemp()
    return built_once(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base)


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with served(site) as found:
        yield f"{found}deep/site/"


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
    """One window for the tests of this module: Python starts once; each of them begins a file of its own."""
    context = browser.new_context(locale="en-US", viewport={"width": 1440, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin="/".join(address.split("/")[:3]))
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


def test_every_link_of_the_site_leads_somewhere(site: Path) -> None:
    folder = (site / "deep" / "site").resolve()
    reached, wrong = crawled(folder)
    assert wrong == []
    names = {path.relative_to(folder).as_posix() for path in reached}
    assert {"index.html", "studio/index.html", "gallery/index.html", "gallery/models/four_bar.html"} <= names
    kept = re.search(
        r"JSON\.parse\((\"(?:[^\"\\]|\\.)*\")\)", (folder / "studio" / "offline.js").read_text(encoding="utf-8")
    )
    assert kept is not None
    # What is kept for visits without a network is all there, and all of it.
    offline = {"index.html" if name == "./" else name for name in json.loads(json.loads(kept[1]))}
    there = {
        path.relative_to(folder / "studio").as_posix() for path in (folder / "studio").rglob("*") if path.is_file()
    }
    assert there - offline == {"LICENSES.txt", "offline.js"} and offline <= there
    # A model that includes another file cannot go along in a link: its page does not offer it.
    pages = {name: (folder / "gallery" / "models" / f"{name}.html").read_text(encoding="utf-8") for name in GALLERY}
    assert [name for name, page in pages.items() if 'data-studio-at="../../studio/"' in page] == ["four_bar"]


def test_a_new_user_writes_an_arm_which_moves_and_goes_to_a_phone(window: Window, browser: Any, tmp_path: Path) -> None:
    window.new("empty")
    window.write(ARM.replace("revolute", "revolut", 1))
    window.wait("document.querySelector('[data-part=count].error')")
    window.write(ARM)
    window.wait("!document.querySelector('[data-part=count].error, [data-part=count].warning')")
    # The page integrates as the kernels of Python would.
    assert window.ran(0.5, 2)[1:3] == pytest.approx(parse(ARM, "arm.xml").simulate(0.5).q[-1].tolist(), abs=1e-9)
    # A parameter is tried with its slider, then written into the text.
    field = window.page.locator(".parameter input[type=text]").first
    field.fill("250")
    field.press("Enter")
    shorter = parse(ARM.replace("400 mm", "250 mm"), "arm.xml").simulate(0.5).q[-1].tolist()
    assert window.ran(0.5, 2)[1:3] == pytest.approx(shorter, abs=1e-9)
    window.page.locator("[data-act=write-parameters]").click()
    window.wait("document.querySelector('.cm-content').textContent.includes('250 mm')")
    window.page.keyboard.press("Control+S")
    window.wait("document.querySelector('.header .facts').textContent.includes('saved')")
    window.page.locator("button[aria-label='Copy a link with the whole model']").click()
    window.wait("document.querySelector('.notices [data-kind=good]')")
    link = window.run("() => navigator.clipboard.readText()")
    assert link.startswith(f"{window.address}studio/#model=") and len(link) < 2000
    phone = {"locale": "ru-RU", "viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
    with other(browser, tmp_path, window.address, link.partition("studio/")[2], **phone) as fresh:
        assert fresh.page.locator("html").get_attribute("lang") == "ru"
        fresh.wait("document.querySelector('.cm-line')")  # opened: the picture is in front
        fresh.page.locator(".switch-panes button").first.click()
        assert fresh.text() == ARM.replace("400 mm", "250 mm")
        fresh.write(ARM.replace("revolute", "revolut", 1))
        fresh.wait("document.querySelector('[data-part=count].error')")
        assert "замечани" in fresh.page.locator("[data-part=count]").inner_text()
        assert fresh.run("() => document.documentElement.scrollWidth - innerWidth") <= 0


def test_two_runs_are_compared_and_stay_without_a_network(window: Window) -> None:
    page = window.page
    window.sample("four_bar")
    text = window.text()
    assert text == (MODELS / "four_bar.xml").read_text(encoding="utf-8")
    first = window.ran(1.0, 3)
    run = load(MODELS / "four_bar.xml").simulate(1.0)
    assert first[1:] == pytest.approx([*run.q[-1], *run.v[-1]], abs=1e-9)
    field = page.locator(".parameter input[type=text]").first
    field.fill("220")
    field.press("Enter")
    second = window.ran(1.5, 3)
    other_run = load(MODELS / "four_bar.xml").with_parameters(a="220 mm").simulate(1.5)
    assert second[1:] == pytest.approx([*other_run.q[-1], *other_run.v[-1]], abs=1e-9)
    page.locator("[data-run]:nth-child(2) [data-act=compare]").check()
    window.wait(f"{INSIDE}?.compared")
    ghosts = f"{INSIDE}.ghosts()"
    window.run(f"() => ({INSIDE}.player.pause(), {INSIDE}.player.go(1))")
    poses = window.run(f"() => [...{ghosts}[0].poses]")
    there = window.run(f"() => [...{INSIDE}.system.poses({first[1:4]})]")
    # The body of the ghost is where the first run has it: with its own crank, not with that of the shown run.
    assert poses[:12] == there[:12] and poses[24:36] != there[24:36]
    assert window.run(f"() => {INSIDE}.plots.charts.every(({{under}}) => under.length === 1)")
    # The console asks the run that is shown; at an instant, and beyond its end.
    assert window.console("angle(crank) at 1.5 s").startswith(f"{second[1]:.8g}"[:8])
    assert "1.5 s" in window.console("angle(crank) at 99 s")
    assert "N·m" in window.console("energy")
    page.get_by_role("tab", name="Runs").click()
    runs = page.locator("[data-run]").count()
    # Files, runs and what was derived are there again, without a network.
    window.run("() => navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    try:
        page.reload()
        window.ready()
        window.wait(f"document.querySelectorAll('[data-run]').length === {runs}")
        page.locator("[data-run]:nth-child(1) .link").click()
        window.wait(f"{INSIDE}?.motion.kind === 'recorded' && {INSIDE}.motion.end === 1.5")
        assert window.run(f"() => [...{INSIDE}.motion.rows.at(-1).q]") == second[1:4]
        assert window.run(DERIVED) > 0
    finally:
        page.context.set_offline(False)
    # As a file: a page with the run inside.
    page.locator("[data-run]:nth-child(1) [data-act=save-run]").click()
    page.locator("dialog input[type=text], [role=dialog] input[type=text]").last.fill("kept.html")
    page.keyboard.press("Enter")
    window.wait("document.querySelector('.notices [data-kind=good]')")


def test_a_four_bar_is_dragged_and_its_coupler_curve_goes_along(window: Window) -> None:
    drag_a_four_bar(window)


def test_an_operator_moves_a_model_live_and_keeps_it(window: Window) -> None:
    """And a spatial model moves; what needs a server says what to do."""
    page = window.page
    window.new("empty")
    window.write(OPERATED)
    window.wait("!document.querySelector('[data-part=count].error')")
    page.locator("[data-view=control]").click()
    page.locator("[data-act=live]").click()
    window.wait(f"{INSIDE}?.live?.running && {INSIDE}.panel === 'console'", 180)
    frame = page.frame_locator("iframe")
    frame.get_by_role("button", name="go").first.click()
    window.wait(f"{INSIDE}.live.record.length > 0")
    window.wait(f"Math.abs({INSIDE}.system.q[0] - 1) < 0.02")
    page.locator("[data-act=keep-live]").click()
    window.wait("document.querySelector('[data-run] .link')?.textContent.includes('operated')")
    page.locator("[data-run] .link").first.click()
    window.wait(f"{INSIDE}?.motion.kind === 'recorded'")
    assert window.run(f"() => {INSIDE}.motion.kept.touched[0].input") == "go"
    # Its signals stand on the wires, as those of a run of a server do.
    page.locator("[data-view=control]").click()
    page.locator("[data-block='block:u'] .value").first.wait_for()
    assert "sistel studio" in page.locator("[data-part=needs-server]").inner_text()
    page.locator("[data-view=motion]").click()
    window.sample("scara")
    assert max(abs(each) for each in window.ran(0.2, 4)[1:5]) > 1e-3


def test_in_firefox_a_model_is_checked_and_its_runs_are_compared(address: str) -> None:
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
        for count, changed in ((1, None), (2, "220")):
            if changed is not None:
                browser.run("document.querySelector('.parameter input[type=text]').select();")
                browser.type(".parameter input[type=text]", f"{changed}\ue007")
            else:
                browser.type("[data-field=until]", "0.5")
            browser.click("[data-act=run]")
            browser.wait(f"document.querySelectorAll('[data-run]').length === {count}", 180)
        browser.wait("document.querySelector('[data-run]:nth-child(2) [data-act=compare]')")
        browser.click("[data-run]:nth-child(2) [data-act=compare]")
        browser.wait(f"{INSIDE}?.compared", 60)
        t, *q = browser.run(f"const rows = {INSIDE}.motion.rows; return [rows.at(-1).t, ...rows.at(-1).q];")
        found = load(MODELS / "four_bar.xml").with_parameters(a="220 mm").simulate(0.5).q[-1]
        assert t == 0.5 and found == pytest.approx(q, abs=1e-9)
        assert not [each for each in browser.complaints(address) if not any(known in each for known in UNHEARD)]
