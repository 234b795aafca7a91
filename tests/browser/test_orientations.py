"""Pictures of orientations in a real browser: letters stay in their frames, themes follow the reader."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.browser import Chromium

from sistel.errors import Language
from sistel.pose import icosahedral_group
from sistel.views import Drawing
from sistel.views.orientations import ANGLES, draw_angles, draw_gripper, draw_lattice, draw_octants, draw_products

PICTURES: dict[str, Callable[[Language], Drawing]] = {
    "octants": draw_octants,
    "gripper": lambda lang: draw_gripper(62, lang),
    "products": lambda lang: draw_products(lang=lang),
    "lattice": lambda lang: draw_lattice(None, lang),
    "lattice of 60": lambda lang: draw_lattice(icosahedral_group(), lang),
    **{name: lambda lang, name=name: draw_angles(name, lang) for name in ANGLES},  # type: ignore[misc]
}

OUTSIDE = """() => {
  const svg = document.querySelector("svg"), page = svg.getBoundingClientRect(), out = [];
  const inside = (a, b, gap) => a.left >= b.left + gap && a.right <= b.right - gap && a.top >= b.top && a.bottom <= b.bottom;
  const frames = [...svg.querySelectorAll("rect.cell, rect.head")].map((each) => each.getBoundingClientRect());
  for (const each of svg.querySelectorAll("text")) {
    const box = each.getBoundingClientRect();
    if (!inside(box, page, 0)) out.push(`${each.textContent}: beyond the page`);
    const x = box.left + 2, y = (box.top + box.bottom) / 2;
    const mine = frames.find((f) => f.left <= x && x < f.right && f.top <= y && y <= f.bottom);
    if (mine && !inside(box, mine, 1)) out.push(`${each.textContent}: beyond its frame`);
  }
  return [svg.querySelectorAll("text").length, out];
}"""


@pytest.mark.parametrize("lang", ["en", "ru"])
@pytest.mark.parametrize("name", PICTURES)
def test_letters_stay_in_their_frames(chromium: Chromium, name: str, lang: Language) -> None:
    with chromium.tab(size=(1300, 900)) as tab:
        tab.open(f"<!doctype html><meta charset=utf-8><body>{PICTURES[name](lang)}")
        count, outside = tab.run(OUTSIDE)
    assert count > 5
    assert outside == []


@pytest.mark.parametrize("dark", [False, True])
def test_colours_follow_the_reader(chromium: Chromium, dark: bool) -> None:
    with chromium.tab(size=(500, 500), dark=dark) as tab:
        tab.open(f"<!doctype html><meta charset=utf-8><body>{draw_gripper(13, 'en')}")
        paper, ink = tab.run(
            """() => [".paper", "text.code"].map((name) =>
                getComputedStyle(document.querySelector(name)).fill.match(/\\d+/g).map(Number))"""
        )
    assert (sum(paper) < 150) is dark and (sum(ink) > 600) is dark
