"""The window of a studio in a real browser, which may speak to that studio alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.browser import WITHOUT_WEBGL, chromium_program, driver
from support.studio import Studio, studio

FLAGS = ("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync")


TEXT = """() => {
  const place = document.querySelector(".cm-content");
  return (place.cmTile ?? place.cmView).view.state.doc.toString();
}"""
"""What stands in the editor, in whole: what it draws are the lines that are seen."""


class StudioPage:
    """A window, and what it complained of."""

    def __init__(self, page: Any, server: Studio, folder: Path) -> None:
        """Of playwright, of whose studio it is, and its folder."""
        self.page = page
        self.folder = folder
        self.server = server
        self.complaints: list[str] = []
        page.on("console", self._said)
        page.on("pageerror", lambda problem: self.complaints.append(f"exception: {problem}"))
        page.on("request", lambda request: self._asked(request.url))

    def _said(self, message: Any) -> None:
        if message.type in ("warning", "error", "assert"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _asked(self, url: str) -> None:
        if not url.startswith(
            (self.server.origin, "data:", "blob:", "about:", self.server.origin.replace("http", "ws"))
        ):
            self.complaints.append(f"asked for {url}")

    def wait(self, condition: str, seconds: float = 60.0) -> None:
        """Until a JavaScript expression is true."""
        self.page.wait_for_function(f"() => Boolean({condition})", timeout=1000 * seconds, polling=20)

    def text(self) -> str:
        """What stands in the editor, in whole."""
        return str(self.page.evaluate(TEXT))

    def check(self) -> None:
        """Fail where the window complained, or asked for something elsewhere."""
        assert not self.complaints, "\n".join(self.complaints)


def opened(
    browser: Any,
    server: Studio,
    folder: Path,
    *,
    size: tuple[int, int] = (1440, 900),
    lang: str = "en-US",
    dark: bool = False,
) -> StudioPage:
    """One more window on a studio, of somebody who has not been there before."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        locale=lang,
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
    )
    window = StudioPage(context.new_page(), server, folder)
    window.page.goto(server.address)
    window.wait("document.querySelector('.studio[data-connection=joined]')")
    return window


@contextmanager
def studio_page(folder: Path, *options: str, **how: Any) -> Iterator[StudioPage]:
    """A studio on a folder, with a window on it; checked in the end."""
    program = chromium_program()
    if program is None:
        pytest.skip("Chromium is not installed")
    with studio(folder, *options) as server, driver() as tool:
        browser = tool.chromium.launch(executable_path=program, args=[*FLAGS, *WITHOUT_WEBGL])
        try:
            window = opened(browser, server, folder, **how)
            yield window
            window.check()
        finally:
            browser.close()
