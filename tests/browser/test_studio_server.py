"""Windows of a studio in a real browser: other writers, conflicts, a killed server, runs that are compared."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.browser import WITHOUT_WEBGL, chromium_program, driver
from support.studio import Studio, studio

MODELS = Path(__file__).resolve().parents[2] / "models"
PENDULUM = (MODELS / "pendulum.xml").read_text(encoding="utf-8")
LONG = PENDULUM.replace('name="pendulum"', 'name="long"')

pytestmark = pytest.mark.skipif(chromium_program() is None, reason="Chromium is not installed")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with driver() as playwright:
        found = playwright.chromium.launch(
            executable_path=chromium_program(),
            args=["--no-sandbox", "--disable-quic", "--font-render-hinting=none", *WITHOUT_WEBGL],
        )
        yield found
        found.close()


class Seen:
    """Two tabs of one browser on one studio, and what they complain of."""

    def __init__(self, context: Any) -> None:
        self.context = context
        self.complaints: list[str] = []

    def tab(self, address: str) -> Any:
        page = self.context.new_page()
        page.set_default_timeout(60_000)
        page.on("pageerror", lambda problem: self.complaints.append(f"exception: {problem}"))
        page.on("console", self._said)
        page.goto(address)
        page.locator("[data-connection=joined]").wait_for()
        return page

    def _said(self, message: Any) -> None:
        # That the server is away is what is tried here: browsers tell every attempt.
        away = "WebSocket connection" in message.text or "ERR_CONNECTION_REFUSED" in message.text
        if message.type in ("error", "warning") and not away:
            self.complaints.append(message.text)


@contextmanager
def seen(browser: Any, lang: str = "en-GB") -> Iterator[Seen]:
    context = browser.new_context(locale=lang, viewport={"width": 1440, "height": 900})
    found = Seen(context)
    try:
        yield found
        assert found.complaints == []
    finally:
        context.close()


def text_of(page: Any) -> str:
    return page.locator(".cm-content").inner_text()


def type_at_end(page: Any, text: str) -> None:
    page.locator(".cm-content").click()
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(text)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pendulum.xml").write_text(PENDULUM, encoding="utf-8")
    return tmp_path


def test_two_tabs_and_another_editor_on_one_file(browser: Any, folder: Path) -> None:
    file = folder / "pendulum.xml"
    with studio(folder) as served, seen(browser) as found:
        address = f"{served.address}&lang=en"
        one, two = found.tab(served.address), found.tab(address)
        for page in (one, two):
            page.locator("[data-file='pendulum.xml']").or_(page.get_by_text("pendulum.xml").first).first.click()
            page.locator(".cm-content").wait_for()
        # Saved here, it is there at once, for nothing was typed there.
        type_at_end(one, "<!-- one -->\n")
        one.keyboard.press("Control+s")
        two.get_by_text("<!-- one -->").wait_for()
        assert file.read_text(encoding="utf-8") == PENDULUM + "<!-- one -->\n"
        # Written by another program: both have it.
        file.write_text(PENDULUM + "<!-- editor -->\n", encoding="utf-8")
        for page in (one, two):
            page.get_by_text("<!-- editor -->").wait_for()
        # Typed here, and written there: the window asks, and nothing is lost either way.
        type_at_end(one, "<!-- mine -->\n")
        file.write_text(PENDULUM + "<!-- theirs -->\n", encoding="utf-8")
        one.locator(".quarrel").wait_for()
        assert "<!-- mine -->" in text_of(one) and "theirs" in file.read_text(encoding="utf-8")
        one.locator("[data-act=keep-mine]").click()
        one.locator(".quarrel").wait_for(state="detached")
        assert "<!-- mine -->" in file.read_text(encoding="utf-8")
        two.get_by_text("<!-- mine -->").wait_for()
        # Gone from the disk: said, and kept in the window.
        file.unlink()
        two.locator(".quarrel").wait_for()
        assert "<!-- mine -->" in text_of(two)


def test_a_killed_server_is_found_again(browser: Any, folder: Path) -> None:
    with seen(browser, "ru-RU") as found:
        with studio(folder, "--no-browser") as served:
            page = found.tab(served.address)
            page.get_by_text("pendulum.xml").first.click()
            type_at_end(page, "<!-- typed -->")
            page.wait_for_timeout(1200)  # a draft is kept when the hand rests
            kill(served)
            page.locator("[data-connection=lost]").wait_for()
            assert "связь потеряна" in page.locator("[data-part=connection]").inner_text()
            type_at_end(page, "<!-- alone -->")
        with studio(folder):
            page.locator("[data-connection=joined]").wait_for()
            assert "<!-- typed --><!-- alone -->" in text_of(page)
            page.keyboard.press("Control+s")
            page.locator("[data-act=save][disabled]").wait_for()
            assert "<!-- alone -->" in (folder / "pendulum.xml").read_text(encoding="utf-8")
            # A window that is opened anew has what was saved.
            page.reload()
            page.get_by_text("<!-- typed -->").wait_for()


def kill(served: Studio) -> None:
    os.killpg(served.process.pid, signal.SIGKILL)
    served.process.wait(10)


def test_runs_are_compared_interrupted_and_swept(browser: Any, folder: Path) -> None:
    with studio(folder) as served, seen(browser) as found, served.window() as beside:
        page = found.tab(served.address)
        page.get_by_text("pendulum.xml").first.click()
        for length in (1.0, 0.5):
            job = beside.call("run.start", path="pendulum.xml", text=PENDULUM, until=1.0, parameters={"L": length})[
                "job"
            ]
            beside.wait_told("job.ended", 60.0, job=job)
        rows = page.locator("tr[data-run]")
        rows.nth(1).wait_for()
        rows.nth(1).locator(".link").click()
        frame = page.frame_locator("iframe")
        frame.locator("[data-sistel][data-ready=yes]").wait_for()
        # Another run over the shown one, in the picture and in the plots.
        rows.nth(0).locator("[data-act=compare]").check()
        frame.locator("[data-part=compared] li").nth(1).wait_for()
        frame.locator(".stage g.ghost").wait_for(state="attached")
        names = [each.inner_text() for each in frame.locator("[data-part=compared] .name").all()]
        assert names == [each["name"] for each in reversed(beside.call("runs.list"))]
        rows.nth(0).locator("[data-act=compare]").uncheck()
        frame.locator("[data-part=compared]").wait_for(state="detached")
        # A long run is interrupted, and kept as far as it came.
        page.locator("[data-field=until]").or_(page.get_by_label("until")).first.fill("100000")
        page.keyboard.press("Control+Enter")  # one run, although the field has a key of its own for it
        page.locator(".job").wait_for()
        page.locator(".job button").click()
        page.locator(".job").wait_for(state="detached")
        assert len(beside.call("runs.list")) == 3
        # A sweep from the form.
        page.locator("[data-act=sweep]").click()
        page.locator("[data-field=sweep-name-0]").wait_for()
        for field, value in (("from-0", "0.5"), ("to-0", "1"), ("count-0", "3"), ("until", "0.5")):
            page.locator(f"[data-field=sweep-{field}]").fill(value)
        page.locator("[data-act=start-sweep]").click()
        page.get_by_text("3 / 3").wait_for()
        frame.get_by_text("3 of 3 runs").wait_for()
