"""How much of a frame the window of the studio takes: scopes along a run that plays, a large scheme that is moved.

Chromium draws without a graphics card. Of every second the script's part and that of layout and painting are told by
the browser itself, so that other work of the machine counts little; frames are what the screen got.

python benchmarks/bench_plots.py --scopes 20 --blocks 200
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from _bench import ROOT

sys.path.insert(0, str(ROOT / "tests"))

from support.studio_page import StudioPage, studio_page

SECONDS = 4.0
FRAMES = """(seconds) => new Promise((done) => {
  const times = [];
  const step = (now) => {
    times.push(now);
    if (now - times[0] < 1000 * seconds) requestAnimationFrame(step); else done(times);
  };
  requestAnimationFrame(step);
})"""


def lags(count: int, across: int) -> str:
    """A scheme of lags, each of the one before it in its row."""
    rows = []
    for k in range(count):
        given = f"b{k - 1}" if k % across else f"sin({1 + k} 1/s*t)"
        rows.append(f'<block name="b{k}" kind="lag" in="{given}" time="0.{1 + k % 5} s"/>')
    return (
        '<system name="lags"><body name="arm" joint="revolute" mass="1" inertia="1"/>'
        f'<scheme name="control" period="2 ms">{"".join(rows)}</scheme></system>'
    )


def parts(session: Any) -> dict[str, float]:
    """What the browser has spent so far [s]."""
    told = session.send("Performance.getMetrics")["metrics"]
    wanted = {
        "ScriptDuration": "script",
        "LayoutDuration": "layout",
        "RecalcStyleDuration": "style",
        "TaskDuration": "all",
    }
    return {wanted[each["name"]]: each["value"] for each in told if each["name"] in wanted}


def told(session: Any, before: dict[str, float], times: list[float]) -> dict[str, float]:
    """Frames, and what one took of the main thread [ms]."""
    after = parts(session)
    gaps = sorted(b - a for a, b in pairwise(times))
    made = {f"{name} a frame [ms]": 1e3 * (after[name] - before[name]) / len(gaps) for name in after}
    median, slow = gaps[len(gaps) // 2], gaps[int(0.95 * (len(gaps) - 1))]
    rate = 1e3 * len(gaps) / sum(gaps)
    return {"frames a second": rate, "frame p50 [ms]": median, "frame p95 [ms]": slow} | made


def opened(window: StudioPage, name: str) -> None:
    page = window.page
    page.set_default_timeout(60_000)
    if page.locator("[data-tour]").count():
        page.keyboard.press("Escape")
    page.get_by_text(name).first.click()
    page.locator("[data-view=control]").click()
    page.locator("[data-block='block:b0']").wait_for()


def playing(window: StudioPage, scopes: int) -> dict[str, float]:
    """Scopes of a run that plays."""
    page = window.page
    opened(window, "plots.xml")
    page.keyboard.press("Control+Enter")
    page.locator("tr[data-run]").first.wait_for(timeout=120_000)
    page.locator("[data-field=replay]").wait_for()
    for number in range(scopes):
        page.locator(f"[data-block='block:b{number}'] .head").dispatch_event("click")
        page.locator(f"[data-act=scope][data-signal=b{number}]").dispatch_event("click")
        page.locator(f"[data-scope=b{number}] canvas").wait_for()
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    page.locator(".clock button").click()
    before = parts(session)
    return told(session, before, page.evaluate(FRAMES, SECONDS))


def moved(window: StudioPage, zoomed: bool) -> dict[str, float]:
    """A large scheme under the wheel, or drawn along with the pointer."""
    page = window.page
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    box = page.locator("[data-part=scheme]").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] - 12
    page.mouse.move(x, y)
    before = parts(session)
    page.evaluate(
        """() => {
          window.__times = [];
          const step = (now) => { window.__times.push(now); requestAnimationFrame(step); };
          requestAnimationFrame(step);
        }"""
    )
    if not zoomed:
        page.mouse.down()
    for number in range(60):
        if zoomed:
            page.mouse.wheel(0, -40 if number % 30 < 15 else 40)
        else:
            page.mouse.move(x + 4 * (number % 30), y - 2 * (number % 30))
    if not zoomed:
        page.mouse.up()
    return told(session, before, page.evaluate("() => window.__times"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scopes", type=int, default=20)
    parser.add_argument("--blocks", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "plots.xml").write_text(lags(given.scopes, 5), encoding="utf-8")
        (folder / "large.xml").write_text(lags(given.blocks, 10), encoding="utf-8")
        with studio_page(folder) as window:
            found = {f"{given.scopes} scopes, playing": playing(window, given.scopes)}
        with studio_page(folder) as window:
            opened(window, "large.xml")
            window.page.wait_for_timeout(1000)
            for zoomed in (True, False):
                found[f"{given.blocks} blocks, {'zoomed' if zoomed else 'moved'}"] = moved(window, zoomed)
    print(
        json.dumps(
            {name: {key: round(value, 2) for key, value in each.items()} for name, each in found.items()}, indent=2
        )
    )


if __name__ == "__main__":
    main()
