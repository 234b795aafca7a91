"""X_ITE, the X3D browser, in a headless Chromium: for tests that look whether scenes open there.

It is not part of the project. Where it lies in `node_modules` of the checkout or of one of the folders above, or in the
folder that the variable X_ITE names, and Chromium and playwright are installed, the tests use it; else they are skipped.
"""

from __future__ import annotations

import functools
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

FLAGS = (
    *("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader"),
    *("--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"),
)
PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/x_ite.css">
<style>body { margin: 0 } x3d-canvas { width: 640px; height: 480px }</style><x3d-canvas></x3d-canvas>
<script type="module">
import X3D from "/x_ite.min.mjs";
window.X3D = X3D;
window.browser = X3D.getBrowser();
</script>"""
OPEN = """async text => {
  const scene = await browser.createX3DFromString(text);
  await browser.replaceWorld(scene);
  return scene.rootNodes.length;
}"""
AT = """async ([fraction, movers, fields]) => {
  const scene = browser.currentScene, clock = scene.getNamedNode("Clock");
  const frames = async count => { while (count--) await new Promise(requestAnimationFrame); };
  clock.enabled = false;
  for (let i = 0; clock.isActive && i < 300; ++i) await frames(1);
  await frames(5);
  for (const mover of movers) scene.getNamedNode(mover).set_fraction = fraction;
  await frames(5);
  return fields.map(([node, field]) => {
    const value = scene.getNamedNode(node)[field];
    return value.angle === undefined ? [value.x, value.y, value.z] : [value.x, value.y, value.z, value.angle];
  });
}"""


def _folder(root: Path) -> Path:
    places = [Path(os.environ["X_ITE"])] if "X_ITE" in os.environ else []
    places += [folder / "node_modules" / "x_ite" / "dist" for folder in (root / "web", root, *root.parents)]
    for place in places:
        if (place / "x_ite.min.mjs").is_file():
            return place
    pytest.skip("X_ITE is not installed")


class _Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path != "/":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE.encode())


class Viewer:
    """A page with X_ITE in it."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.said: list[str] = []
        self.movers: list[str | None] = []
        page.on("console", lambda message: self.said.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda problem: self.said.append(str(problem)))

    def open(self, text: str) -> int:
        """Show a scene; how many root nodes it has."""
        self.said.clear()
        self.movers = [
            node.get("DEF") for node in ElementTree.fromstring(text).iter() if node.tag.endswith("Interpolator")
        ]
        return int(self.page.evaluate(OPEN, text))

    def at(self, fraction: float, fields: list[tuple[str, str]]) -> list[list[float]]:
        """Stop the clock at a fraction of the motion, and read fields of nodes."""
        return list(self.page.evaluate(AT, [fraction, self.movers, fields]))

    def complaints(self) -> list[str]:
        """What the console got that is no mere information."""
        return [line for line in self.said if not line.startswith(("info:", "log:", "debug:"))]

    def picture(self) -> bytes:
        return bytes(self.page.screenshot())


@contextmanager
def x_ite(root: Path) -> Iterator[Viewer]:
    """A page with X_ITE, closed in the end."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or pytest.skip("Chromium is not installed")
    folder = _folder(root)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        with playwright.sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=chromium, args=list(FLAGS))
            try:
                page = browser.new_page(viewport={"width": 640, "height": 480})
                viewer = Viewer(page)
                page.goto(f"http://127.0.0.1:{server.server_address[1]}/")
                page.wait_for_function("window.browser !== undefined", timeout=60_000)
                yield viewer
            finally:
                browser.close()
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
