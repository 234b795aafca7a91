"""The studio without a server: what its folder takes, how soon it is there, and how fast it answers in a browser.

    .venv/bin/python benchmarks/bench_static.py

Needs Chromium, node and what `make setup` fetches. The worker of the studio is asked directly, as its window asks it.
"""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import tempfile
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MODELS = ("walker", "four_bar", "scara")
ROUNDS = 15

ASK = """async ([texts, rounds]) => {
  const begin = performance.now();
  const worker = new Worker("studio/python.js", { type: "module" });
  const waiting = new Map();
  let number = 0, ready;
  const there = new Promise((go) => (ready = go));
  worker.onmessage = ({ data }) => {
    if (data.ready) ready();
    if (data.broken) throw new Error(data.broken);
    if (data.answer) waiting.get(data.answer.id)(data.answer);
  };
  worker.postMessage({ begin: { base: location.href, bytes: 1, build: "", slow: true } });
  await there;
  const found = { ready: performance.now() - begin };
  const ask = async (call, params) => {
    const from = performance.now();
    const id = ++number;
    const answer = await new Promise((go) => {
      waiting.set(id, go);
      worker.postMessage({ ask: { id, call, with: params } });
    });
    if (answer.failed) throw new Error(JSON.stringify(answer.failed));
    return [performance.now() - from, answer.done];
  };
  for (const [name, text] of Object.entries(texts)) {
    const path = `${name}.xml`;
    const times = [];
    for (let round = 0; round < rounds; round++) {
      const [took, done] = await ask("text.check", { path, text: text + " ".repeat(round) });
      if (done.diagnostics.some(({ severity }) => severity === "error")) throw new Error(name);
      times.push(took);
    }
    const [first, page] = await ask("page.make", { path, text, lang: "en" });
    if (page.html.length < 1e5) throw new Error(name);
    const [again] = await ask("page.make", { path, text: text + " ", lang: "en" });
    const median = times.sort((a, b) => a - b)[rounds >> 1];
    found[name] = { checked: times[0], median, first, again };
  }
  return found;
}"""


class Silent(SimpleHTTPRequestHandler):
    """A plain web server that says nothing."""

    def log_message(self, *what: object) -> None:
        """Nothing."""


def sizes(folder: Path) -> dict[str, tuple[float, float]]:
    """Megabytes of the parts, as they are and compressed."""
    parts = {
        "Python (Pyodide)": list((folder / "pyodide").iterdir()),
        "sistel, compiled": [folder / "sistel.zip"],
        "the window": [folder / "index.html", *(folder / "studio").iterdir()],
    }
    return {
        name: (
            sum(each.stat().st_size for each in files) / 1e6,
            sum(len(gzip.compress(each.read_bytes(), 6)) for each in files) / 1e6,
        )
        for name, files in parts.items()
    }


def measured(folder: Path, driver: Any) -> dict[str, Any]:
    """Times in a browser that has never been here [ms]."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Silent, directory=str(folder.parent)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = driver.chromium.launch(executable_path=which("chromium"), args=["--no-sandbox", "--disable-quic"])
    try:
        page = browser.new_context(service_workers="block").new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/studio/")
        page.locator("[data-part=starting]").wait_for()
        seen = page.evaluate("performance.now()")
        page.locator("[data-connection=joined]").wait_for(timeout=120_000)
        joined = page.evaluate("performance.now()")
        page.wait_for_timeout(15_000)  # the second worker starts too: not while others are timed
        texts = {name: (ROOT / "models" / f"{name}.xml").read_text(encoding="utf-8") for name in MODELS}
        found: dict[str, Any] = page.evaluate(ASK, [texts, ROUNDS])
        return {"first view": seen, "joined": joined, **found}
    finally:
        browser.close()
        server.shutdown()


def main() -> int:
    """Build, measure, print."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as place:
        tool = (sys.executable, str(ROOT / "tools" / "site"), "--only", "studio", "--target", place)
        subprocess.run(tool, check=True, capture_output=True)
        folder = Path(place) / "studio"
        for name, (whole, packed) in sizes(folder).items():
            print(f"{name:20} {whole:6.1f} MB {packed:6.1f} MB compressed")
        with sync_playwright() as driver:
            found = measured(folder, driver)
    print(f"first view {found['first view']:.0f} ms, Python answers after {found['joined'] / 1e3:.1f} s,")
    print(f"a second one in the same window after {found['ready'] / 1e3:.1f} s")
    print(f"{'model':10} {'checked':>9} {'median':>9} {'page':>9} {'again':>9}   [ms]")
    for name in MODELS:
        row = found[name]
        print(f"{name:10} {row['checked']:9.0f} {row['median']:9.0f} {row['first']:9.0f} {row['again']:9.0f}")
    print(json.dumps(found), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
