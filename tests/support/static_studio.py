"""The studio without a server: built once, given by a plain web server, looked at in a browser that reaches no other."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from support.browser import Tab
from support.studio_page import TEXT

ROOT = Path(__file__).resolve().parents[2]
INSIDE = "document.querySelector('iframe')?.contentDocument?.querySelector('[data-sistel][data-ready=yes]')?.sistel"
"""The object of the page that moves in the studio, once it is ready."""


def build(target: Path) -> Path:
    """The folder, as `make site` builds it."""
    tool = ROOT / "tools" / "site"
    call = (sys.executable, str(tool), "--only", "studio", "--target", str(target))
    done = subprocess.run(call, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return target


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *what: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder, as Python's own web server gives it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class Window(Tab):
    """A studio that is being looked at."""

    def __init__(self, page: Any, folder: Path, address: str) -> None:
        super().__init__(page, folder)
        self.address = address
        page.set_default_timeout(180_000)  # for what hangs: Python starts on a machine that does much else

    def _asked(self, url: str) -> None:
        if not url.startswith((self.address, "data:", "blob:")):
            self.outside.append(url)

    def go(self, hash_: str = "") -> Window:
        """Open the studio, and wait for Python."""
        self.page.goto(f"{self.address}studio/{hash_}")
        return self.ready()

    def ready(self) -> Window:
        self.wait("document.querySelector('[data-connection=joined]')", 180)
        return self

    def write(self, text: str) -> None:
        """In the place of the whole text."""
        self.page.locator(".cm-content").click()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def text(self) -> str:
        return str(self.run(TEXT))

    def new(self, template: str) -> None:
        """A file from a template."""
        self.page.locator("[data-act=begin]").click()
        self.page.locator(f"input[name=template][value={template}]").check(force=True)
        self.page.locator("[data-act=create]").click()
        self.page.locator(".cm-content").wait_for()

    def moving(self, seconds: float, size: int) -> list[float]:
        """Press Run; the coordinates, so many, of the live motion in the page after some of its time."""
        self.page.locator("[data-act=run]").click()
        self.wait(f"{INSIDE}?.system?.q.length === {size} && {INSIDE}.system.t > {seconds}", 180)
        state: list[float] = self.run(f"() => [...{INSIDE}.system.q]")
        return state
