"""The studio without a server: built once, given by a plain web server, looked at in a browser that reaches no other."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from support.browser import Tab
from support.dragging import NAMED
from support.studio_page import TEXT

ROOT = Path(__file__).resolve().parents[2]
MODELS = ("four_bar", "biped_single_support")
"""Of the small gallery: one, and one that includes another file."""
INSIDE = "document.querySelector('iframe')?.contentDocument?.querySelector('[data-sistel][data-ready=yes]')?.sistel"
"""The object of the page that moves in the studio, once it is ready."""


def build(target: Path, *words: str) -> Path:
    """The folder, as `make site` builds it; of its parts the studio, unless others are named."""
    tool = ROOT / "tools" / "site"
    call = (sys.executable, str(tool), *(words or ("--only", "studio")), "--target", str(target))
    done = subprocess.run(call, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return target


def built_once(base: Path) -> Path:
    """A small site with a studio and a gallery, built by the first worker that asks for it; one folder deep."""
    folder = base / "static"
    try:
        folder.mkdir()
    except FileExistsError:
        last = time.monotonic() + 600.0
        while not (folder / "built").exists():
            assert time.monotonic() < last, "another worker has not built the site"
            time.sleep(0.2)
    else:
        models = (word for name in MODELS for word in ("--model", str(ROOT / "models" / f"{name}.xml")))
        build(folder / "deep" / "site", "--only", "studio", "--only", "gallery", *models)
        (folder / "built").touch()
    return folder


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

    def dialog(self) -> None:
        """Open what a new file begins with."""
        self.page.locator("[data-act=begin]:visible, [data-act=new]:visible").first.click()

    def new(self, template: str) -> None:
        """A file from a template."""
        self.dialog()
        self.page.locator(f"input[name=template][value={template}]").check(force=True)
        self.page.locator("[data-act=create]").click()
        self.page.locator(".cm-content").wait_for()

    def sample(self, name: str) -> None:
        """A copy of a model of the gallery."""
        before = self.page.locator("h1").inner_text()
        self.dialog()
        self.page.locator(f"[data-sample={name}]").click()
        self.wait(f"(({NAMED})({before!r}, {name!r}))")

    def ran(self, until: float, size: int) -> list[float]:
        """Run to a time; the state (t, q, v) at the end, of so many coordinates and as many velocities."""
        before = len(self.page.locator("[data-run]").all())
        self.page.locator("[data-field=until]").fill(str(until))
        self.page.locator("[data-act=run]").click()
        self.wait(f"document.querySelectorAll('[data-run]').length === {before + 1}", 180)
        newest = "document.querySelector('[data-run].on .link')?.textContent.trim()"
        self.wait("document.querySelector('[data-run]').classList.contains('on')")
        self.wait(f"{newest}?.endsWith(' ' + {INSIDE}?.motion.kept?.name)", 180)
        state: list[float] = self.run(
            f"() => {{ const {{t, q, v}} = {INSIDE}.motion.rows.at(-1); return [t, ...q, ...v]; }}"
        )
        assert state[0] == until and len(state) == 1 + 2 * size, state
        return state

    def console(self, line: str) -> str:
        """What the console answers."""
        self.page.get_by_role("tab", name="Console").click()
        said = self.page.locator(".said p")
        count = said.count() if self.page.locator(".said .asked").count() else 0
        self.page.locator("[data-field=console]").click()
        self.page.keyboard.insert_text(line)
        self.page.keyboard.press("Escape")
        self.page.keyboard.press("Enter")
        self.wait(f"document.querySelectorAll('.said p').length >= {count + 2}", 120)
        return str(said.last.inner_text())
