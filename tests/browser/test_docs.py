"""The site of the documentation in a browser: from a disk and as from a server, searched in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from support.browser import Chromium, Tab

SERVER = "http://docs.test"
WIDE, NARROW = (1280, 850), (390, 780)
"""Windows of desks and of phones [px]."""
RESULTS = "document.querySelectorAll('.md-search-result__item').length"


def serve(tab: Tab, site: Path) -> None:
    """Answers for a server, with the network off."""

    def answer(route: Any) -> None:
        path = site / unquote(urlsplit(route.request.url).path).lstrip("/")
        route.fulfill(path=path) if path.is_file() else route.fulfill(status=404)

    tab.page.context.route(f"{SERVER}/**", answer)


def search(tab: Tab, words: str) -> list[str]:
    """Titles of the pages that are found."""
    tab.page.click(".md-search__input")
    tab.page.fill(".md-search__input", "")
    tab.page.keyboard.press("End")
    tab.wait(f"{RESULTS} === 0")
    tab.page.keyboard.type(words)
    # Letters that no key of the American keyboard has come without the events of keys, which the search listens to.
    tab.page.keyboard.press("End")
    tab.wait(RESULTS)
    titles: list[str] = tab.page.locator(".md-search-result__item h1").all_inner_texts()
    return titles


@pytest.mark.parametrize("served", [True, False], ids=["server", "disk"])
@pytest.mark.parametrize(
    ("page", "asked"),
    [
        ("index.html", {"simulating": "Simulation"}),
        ("ru/index.html", {"манипуляторы": "Урок: манипулятор за десять шагов", "inverse_kinematics": "Python"}),
    ],
    ids=["en", "ru"],
)
def test_search_finds_words_in_their_forms(
    page: str, asked: dict[str, str], served: bool, docs_site: Path, chromium: Chromium
) -> None:
    with chromium.tab(size=(1280, 850), strict=False) as tab:
        if served:
            serve(tab, docs_site)
            tab.page.goto(f"{SERVER}/{page}")
        else:
            tab.open(docs_site / page)
        for words, title in asked.items():
            assert title in search(tab, words)
        assert [address for address in tab.outside if not address.startswith(SERVER)] == []
        # From a disk the theme may not read the list of pages, which it would only need elsewhere; the console says so.
        if served:
            assert tab.complaints == []


def test_pages_fit_and_lead_to_their_twins(docs_site: Path, chromium: Chromium) -> None:
    """In wide windows and in narrow ones."""
    with chromium.tab(size=WIDE, strict=False) as tab:
        serve(tab, docs_site)
        for name in ("simulation", "python", "grippers", "benchmarks"):
            tab.page.goto(f"{SERVER}/{name}.html")
            for size in (WIDE, NARROW):
                tab.page.set_viewport_size({"width": size[0], "height": size[1]})
                # Scripts of the theme move what is beside the text once the window has changed.
                tab.wait(f"innerWidth === {size[0]} && document.documentElement.scrollWidth <= innerWidth", 10.0)
        for wide, high in (NARROW, WIDE):
            tab.page.set_viewport_size({"width": wide, "height": high})
            tab.page.goto(f"{SERVER}/benchmarks.html")
            tab.page.hover(".md-select button")
            tab.page.click(".md-select a[hreflang=ru]")
            tab.page.wait_for_url(f"{SERVER}/ru/benchmarks.html")
            assert tab.run("document.documentElement.lang") == "ru"
        assert [address for address in tab.outside if not address.startswith(SERVER)] == []
        assert tab.complaints == []


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_pages_are_light_or_dark(dark: bool, size: tuple[int, int], docs_site: Path, chromium: Chromium) -> None:
    with chromium.tab(size=size, dark=dark, strict=False) as tab:
        serve(tab, docs_site)
        tab.page.goto(f"{SERVER}/benchmarks.html")
        ground = tab.run("getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(17, 22, 27)" if dark else "rgb(255, 255, 255)")
        assert tab.complaints == []
