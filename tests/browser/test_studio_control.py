"""The scheme editor of the studio: a regulator built with the mouse, scopes, breakpoints, the console, undo."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.studio import studio

sync_api = pytest.importorskip("playwright.sync_api")

ARM = """<system name="one arm">
  <gravity value="0"/>
  <!-- an arm alone -->
  <body name="arm" joint="revolute" mass="1" inertia="0.5"><motor name="M"/></body>
</system>
"""
KP, KD, INERTIA = 20.0, 2.0, 0.5


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "arm.xml").write_text(ARM, encoding="utf-8")
    with studio(folder) as server, sync_api.sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-quic"])
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
