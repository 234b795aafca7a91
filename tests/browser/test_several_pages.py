"""Several pages in one document: each keeps to its own root element."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.browser import Chromium, Tab

import sistel
from sistel.views.page import draw_page

ROOT = re.compile(r'<div class="sistel" data-sistel="page".*</div>\n(?=<script type="module">)', re.DOTALL)
BOOT = re.compile(r'<script type="module">.*?</script>', re.DOTALL)
STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)
HASHES = re.compile(r"script-src (.*?) blob:")


def part(pattern: re.Pattern[str], text: str, group: int = 0) -> str:
    found = pattern.search(text)
    assert found is not None
    return found[group]


@pytest.fixture
def document(models_dir: Path) -> str:
    """Two systems, each with all that its own page has, under the rules of both."""
    pages = []
    for name in ("compass_walker", "four_bar"):
        system = sistel.load(models_dir / f"{name}.xml")
        pages.append(draw_page(system.model, system.simulate(1.0), lang="en"))
    hashes = " ".join(part(HASHES, page, 1) for page in pages)
    policy = (
        f"default-src 'none'; script-src {hashes} blob:; style-src 'unsafe-inline' blob:; img-src data: blob:; "
        "font-src data: blob:; connect-src data: blob:"
    )
    roots = "".join(part(ROOT, page) + part(BOOT, page) for page in pages)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f"{part(STYLE, pages[0])}<style>.sistel {{ height: 640px; }}</style></head><body>{roots}</body></html>"
    )


def both(tab: Tab, expression: str) -> list[object]:
    """The value of an expression of `page` in either page."""
    return list(
        tab.run(f"() => [...document.querySelectorAll('[data-sistel]')].map(({{ sistel: page }}) => {expression})")
    )


def test_each_keeps_to_itself(chromium: Chromium, document: str) -> None:
    with chromium.tab(size=(1100, 1300)) as tab:
        tab.open(document)
        tab.page.wait_for_selector("html[data-ready=yes]")
        assert both(tab, "page.data.name") == ["compass walker", "four-bar"]
        assert both(tab, "page.root.dataset.ready") == ["yes", "yes"]
        ids = tab.run("() => [...document.querySelectorAll('[id]')].map((each) => each.id)")
        assert len(ids) > 20 and len(set(ids)) == len(ids)
        named = tab.run(
            "() => [...document.querySelectorAll('[aria-controls], label[for]')].map((each) => each.getAttribute('aria-controls') ?? each.htmlFor)"
        )
        assert set(named) <= set(ids)
        # Nothing is left in the document that either would find by name.
        assert tab.run("() => ['sistelKernels', 'uPlot'].filter((name) => name in globalThis)") == []

        both(tab, "page.player.pause()")
        tab.run("() => document.querySelectorAll('[data-sistel]')[0].sistel.seek(0.25)")
        tab.run("() => document.querySelectorAll('[data-sistel]')[1].sistel.seek(0.75)")
        assert both(tab, "page.time") == [0.25, 0.75]

        # Keys go to the page that has the focus, and to none where none has.
        tab.page.locator("[role=slider]").nth(1).focus()
        tab.page.keyboard.press("Home")
        assert both(tab, "page.time") == [0.25, 0]
        tab.run("() => document.activeElement.blur()")
        tab.page.keyboard.press("End")
        assert both(tab, "page.time") == [0.25, 0]

        tab.page.locator("[data-id=language]").nth(0).click()
        assert both(tab, "page.lang") == ["ru", "en"]
        assert tab.page.locator("[role=tab]").all_inner_texts()[0] == "Графики"
        assert tab.page.locator("[data-sistel] >> nth=1").locator("[role=tab]").all_inner_texts()[0] == "Plots"

        papers = "getComputedStyle(page.root).backgroundColor"
        light = both(tab, papers)
        tab.page.locator("[data-id=theme]").nth(1).click()
        now = both(tab, papers)
        assert now[0] == light[0] and now[1] != light[1]


def test_each_scheme_moves_by_itself(chromium: Chromium, document: str) -> None:
    with chromium.tab(size=(1100, 1300)) as tab:
        tab.open(document)
        tab.page.wait_for_selector("html[data-ready=yes]")
        both(tab, "page.player.pause()")
        moved = (
            "[...page.root.querySelectorAll('.scheme [id*=\"тело_\"]')].map((each) => each.getAttribute('transform'))"
        )
        first = both(tab, moved)
        tab.run(
            "() => { const { sistel } = document.querySelectorAll('[data-sistel]')[1]; sistel.seek(sistel.time > 0.5 ? 0.1 : 0.9); }"
        )
        then = both(tab, moved)
        assert all(first) and then[0] == first[0] and then[1] != first[1]
