"""Results in notebooks, in a browser: pictures that move, equations that keep apart, the widget and what it tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.browser import Chromium

import sistel
from sistel.views import notebook_html
from sistel.views.assets import asset_text

DOCUMENT = (
    '<!doctype html><html><head><meta charset="utf-8"><link rel="icon" href="data:,"></head><body>{}</body></html>'
)

OVERLAPS = """() => {
  const formulas = [...document.querySelectorAll("math[display=block]")].map((math) => {
    const boxes = [...math.querySelectorAll("mi, mn, mo")].map((leaf) => leaf.getBoundingClientRect());
    const seen = boxes.filter((box) => box.width > 0);
    return [Math.min(...seen.map((box) => box.top)), Math.max(...seen.map((box) => box.bottom))];
  });
  return [formulas.length, formulas.slice(1).filter(([top], i) => top < formulas[i][1] + 6).length];
}"""

HOST = """(page) => {
  // As anywidget's front end has it: values by name, and who listens to their changes.
  const values = { ...page.values }, listeners = {};
  const model = {
    get: (name) => values[name],
    set: (name, value) => { values[name] = value; },
    save_changes: () => { globalThis.saved = { ...values }; },
    on: (event, heard) => (listeners[event] ??= new Set()).add(heard),
    off: (event, heard) => listeners[event]?.delete(heard),
  };
  globalThis.say = (name, value) => { values[name] = value; for (const each of listeners[`change:${name}`] ?? []) each(); };
  globalThis.listening = () => Object.values(listeners).reduce((sum, each) => sum + each.size, 0);
  const blob = URL.createObjectURL(new Blob([page.script], { type: "text/javascript" }));
  return import(blob).then((module) => {
    globalThis.end = module.default.render({ model, el: document.querySelector("#cell") });
  });
}"""
INSIDE = "document.querySelector('iframe')?.contentDocument?.querySelector('[data-sistel][data-ready=yes]')?.sistel"


@pytest.mark.parametrize("name", ["double_pendulum", "cart_pole", "four_bar"])
def test_equations_keep_apart(chromium: Chromium, models_dir: Path, name: str) -> None:
    text = notebook_html(sistel.load(models_dir / f"{name}.xml").equations(), "en")
    with chromium.tab(size=(900, 1200), kept=True) as tab:
        tab.open(DOCUMENT.format(text))
        count, overlapping = tab.run(OVERLAPS)
    assert count >= 4 and overlapping == 0


def test_pictures_are_there_and_move(chromium: Chromium, models_dir: Path) -> None:
    system = sistel.load(models_dir / "four_bar.xml")
    run = system.simulate(1.0)
    with chromium.tab(size=(900, 1200)) as tab:
        tab.open(DOCUMENT.format(system._repr_html_() + run._repr_html_()))
        tab.wait("[...document.images].every((each) => each.complete)")
        sizes = tab.run("() => [...document.images].map((each) => [each.naturalWidth, each.alt])")
        assert len(sizes) == 2 and all(width > 100 and words for width, words in sizes)
        before = tab.page.locator("img").nth(1).screenshot()
        tab.page.wait_for_timeout(300)
        assert tab.page.locator("img").nth(1).screenshot() != before


def test_the_widget_follows_and_leads(chromium: Chromium, models_dir: Path) -> None:
    run = sistel.load(models_dir / "four_bar.xml").simulate(2.0)
    widget = run.widget(lang="en", height=480)
    values = {name: getattr(widget, name) for name in ("page", "title", "height", "time", "playing")}
    assert values["playing"] is True and values["height"] == 480
    with chromium.tab(size=(1000, 700)) as tab:
        tab.open(DOCUMENT.format('<style>body { background: #181818 }</style><div id="cell"></div>'))
        tab.run(HOST, {"values": values, "script": asset_text("widget.js")})
        tab.wait(INSIDE)
        tab.wait("globalThis.saved?.time > 0.1")  # it plays, and says so
        tab.run("() => say('playing', false)")
        tab.wait(f"!{INSIDE}.player.playing")
        tab.run("() => say('time', 1.25)")
        assert tab.run(f"() => {INSIDE}.time") == 1.25
        assert tab.run(f"() => {INSIDE}.theme") == "dark"  # as what lies around it
        tab.run(f"() => {INSIDE}.seek(0.5)")
        tab.wait("globalThis.saved?.time === 0.5 && globalThis.saved.playing === false")
        assert tab.run("() => document.querySelector('iframe').getBoundingClientRect().height") == 480
        other = sistel.load(models_dir / "double_pendulum.xml").simulate(1.0)
        widget.show(other)
        tab.run("(page) => say('page', page)", widget.page)
        tab.wait(f"{INSIDE}?.data.name === {json.dumps(other.model.name)}")
        tab.run("() => end()")
        assert tab.run("() => [document.querySelectorAll('iframe').length, listening()]") == [0, 0]
