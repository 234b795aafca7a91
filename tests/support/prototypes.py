"""Prototypes where they live: in X_ITE, with a clock that tests set, and in node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit
from xml.etree import ElementTree

import numpy as np
import pytest
from numpy.typing import NDArray
from support.browser import Chromium, Tab

Array = NDArray[np.float64]

SIZE = (320, 140)
"""Of the window [px]."""
_CLOCK = """(() => {
  const real = Date.now.bind(Date);
  // It runs while scenes are loaded, never back, and stands otherwise.
  globalThis.clock = {
    at: null,
    ahead: 0,
    run() {
      clock.ahead = Math.max(clock.ahead, (clock.at ?? 0) - real());
      clock.at = null;
    },
    stand() {
      clock.at = Date.now();
    },
  };
  Date.now = () => clock.at ?? real() + clock.ahead;
})();"""
_FRAMES = """async (seconds) => {
  // A whole number of milliseconds, as clocks of browsers have them; without one the viewer does nothing.
  clock.at += Math.max(1, Math.round(1000 * seconds));
  for (let n = 0; n < 2; n++) await new Promise((done) => requestAnimationFrame(done));
}"""
_INSIDE = """([name, path]) => {
  let node = sistelViewer.browser.currentScene.getNamedNode(name);
  for (const each of path) {
    node = typeof each === "number" ? node.children[each] : node.getValue().getBody().getNamedNode(each);
  }
  return Array.from(node.getValue().getMatrix());
}"""


class Scene:
    """A scene in a browser, whose clock stands until it is told to go on."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.text = ""
        """Of the scene that is shown."""

    def set(self, name: str, field: str, *numbers: float) -> None:
        """Numbers for a field of many."""
        script = """([name, field, numbers]) => {
          const X3D = sistelViewer.browser.currentScene.getNamedNode(name);
          X3D[field] = new (X3D[field].constructor)(...numbers);
        }"""
        self.tab.run(script, [name, field, list(numbers)])

    def points(self, name: str, field: str, points: list[list[float]]) -> None:
        """Points for a field of many, of double precision."""
        script = """([name, field, points]) => {
          const { browser, X3D } = sistelViewer;
          browser.currentScene.getNamedNode(name)[field] = new X3D.MFVec3d(...points.map((p) => new X3D.SFVec3d(...p)));
        }"""
        self.tab.run(script, [name, field, points])

    def begin(self, name: str, field: str, *numbers: float) -> None:
        """Numbers for a field of many, and what they begin: at the time that the clock shows then.

        A frame between `set` and `go` would begin it a millisecond before.
        """
        script = f"""async ([name, field, numbers]) => {{
          const X3D = sistelViewer.browser.currentScene.getNamedNode(name);
          X3D[field] = new (X3D[field].constructor)(...numbers);
          await ({_FRAMES})(0);
        }}"""
        self.tab.run(script, [name, field, list(numbers)])

    def put(self, name: str, field: str, value: Any) -> None:
        """A field of one value."""
        self.tab.run(
            "([name, field, value]) => { sistelViewer.browser.currentScene.getNamedNode(name)[field] = value; }",
            [name, field, value],
        )

    def get(self, name: str, field: str) -> Any:
        """What a field holds."""
        script = """([name, field]) => {
          const value = sistelViewer.browser.currentScene.getNamedNode(name)[field];
          if (typeof value !== "object") return value;
          return value.angle === undefined ? [...value] : [value.x, value.y, value.z, value.angle];
        }"""
        return self.tab.run(script, [name, field])

    def go(self, seconds: float | None = None) -> None:
        """Let time pass [s] and draw; without, a millisecond, in which what has been set begins."""
        self.tab.run(_FRAMES, seconds or 0)

    def pose(self, name: str, *path: str | int) -> Array:
        """Of a Transform, as it is drawn, 4×4: by names within prototypes and places among children."""
        return np.array(self.tab.run(_INSIDE, [name, list(path)])).reshape(4, 4).T

    def on_screen(self, point: Array) -> tuple[float, float]:
        """Where a point of the scene [m] is in the window [px], by the viewpoint of its text."""
        (view,) = ElementTree.fromstring(self.text.encode()).iter("Viewpoint")
        place, turned = ([float(word) for word in view.get(key, "").split()] for key in ("position", "orientation"))
        axis = np.array(turned[:3]) / np.linalg.norm(turned[:3])
        K = np.cross(axis, np.eye(3)).T  # the vector product with the axis from the left
        R = np.eye(3) + np.sin(turned[3]) * K + (1 - np.cos(turned[3])) * (K @ K)
        x, y, z = R.T @ (point[:3] - place)
        box = self.tab.page.locator("x3d-canvas").bounding_box()
        assert box is not None
        scale = min(box["width"], box["height"]) / 2 / np.tan(float(view.get("fieldOfView", "")) / 2)
        return float(box["x"] + box["width"] / 2 - scale * x / z), float(box["y"] + box["height"] / 2 + scale * y / z)

    def click(self, point: Array) -> None:
        """On what is drawn at a point of the scene [m]."""
        x, y = self.on_screen(point)
        self.tab.page.mouse.move(x, y)
        self.go()
        self.tab.page.mouse.click(x, y)
        self.go()

    def until(self, name: str, *path: str | int) -> None:
        """Draw until a Transform is there: prototypes of other files come in their time."""
        script = f"""async (where) => {{
          for (let n = 0; n < 600; n++) {{
            try {{
              return Boolean(({_INSIDE})(where));
            }} catch {{
              clock.at += 1;
              await new Promise((done) => requestAnimationFrame(done));
            }}
          }}
          return false;
        }}"""
        assert self.tab.run(script, [name, list(path)])

    def show(self, text: str) -> Scene:
        """Another scene in the same viewer."""
        script = """async (text) => {
          const { browser } = sistelViewer;
          clock.run();
          await browser.replaceWorld(await browser.createX3DFromString(text));
          clock.stand();
        }"""
        self.tab.run(script, text)
        self.text = text
        self.go()
        return self


@contextmanager
def viewer(chromium: Chromium) -> Iterator[Scene]:
    """X_ITE with all that prototypes need, for one scene after another: it takes long to start."""
    from sistel.views.prototypes import gripper_scene
    from sistel.views.viewer import view_scene

    with chromium.tab(webgl=True, size=SIZE) as tab:
        tab.page.add_init_script(_CLOCK)
        tab.open(view_scene(gripper_scene({}, "ru"), lang="en"))
        tab.wait("globalThis.sistelViewer")
        tab.run('() => { clock.stand(); sistelViewer.browser.setBrowserOption("MaximumFrameRate", 1e6); }')
        yield Scene(tab)


PLAIN = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>scene</title>
<x3d-canvas splashScreen="false" contextMenu="false" style="width:300px;height:200px"></x3d-canvas>
<script type="module">
import X3D from "/x_ite/x_ite.min.mjs";
const canvas = document.querySelector("x3d-canvas");
await canvas.browser.loadURL(new X3D.MFString("/files/" + decodeURIComponent(location.hash.slice(1))));
globalThis.clock = { at: 0 };
globalThis.sistelViewer = { browser: canvas.browser };
</script>"""
"""A page of nobody's: X_ITE as its authors ship it, and the file that the address names."""


@contextmanager
def in_folder(chromium: Chromium, folder: Path, file: str) -> Iterator[Scene]:
    """A scene from its file, in X_ITE as its authors ship it, with all that the file refers to beside it.

    Pages that are opened as files may not read other files. So the folder is what a server would show, but for the
    network, which stays off: requests are answered before they leave the browser.
    """
    library = Path(__file__).resolve().parents[2] / "web" / "node_modules" / "x_ite" / "dist"
    assert library.is_dir(), "X_ITE is missing: run `make setup`, which fetches it with npm"
    host = "http://folder.invalid"

    def answer(route: Any) -> None:
        kind, _, rest = unquote(urlsplit(route.request.url).path).removeprefix("/").partition("/")
        if kind == "page.html":
            route.fulfill(body=PLAIN, content_type="text/html")
            return
        path = {"files": folder, "x_ite": library}[kind] / rest
        if path.is_file():
            types = {".mjs": "text/javascript", ".js": "text/javascript", ".x3d": "model/x3d+xml", ".css": "text/css"}
            route.fulfill(body=path.read_bytes(), content_type=types.get(path.suffix, "application/octet-stream"))
        else:
            route.fulfill(status=404)

    with chromium.tab(webgl=True, size=SIZE, strict=False) as tab:
        tab.page.route(f"{host}/**", answer)
        tab.page.goto(f"{host}/page.html#{quote(file)}")
        tab.wait("globalThis.sistelViewer")
        yield Scene(tab)
        assert not [url for url in tab.outside if not url.startswith(host)], tab.outside
        assert not tab.complaints, tab.complaints


@cache
def node_program() -> str:
    """Where node is; the test is skipped where it is not."""
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")
    return program


def in_node(library: str, calls: str, data: Any, folder: Path) -> Any:
    """What a JavaScript expression gives, with `data` and a library before it."""
    source = folder / "library.js"
    source.write_text(f"{library}\nconst data = JSON.parse(require('fs').readFileSync(0, 'utf8'));\n", encoding="utf-8")
    with source.open("a", encoding="utf-8") as file:
        file.write(f"process.stdout.write(JSON.stringify({calls}));\n")
    done = subprocess.run(
        [node_program(), str(source)], input=json.dumps(data), capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
