"""The site of `sistel gallery` in a browser, from files and with the network off."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from support.browser import Chromium, Tab

from sistel.cli import main

FILES = {
    "swing.xml": """<!-- A rod that swings. -->
<system name="pendulum"><body name="rod" joint="revolute" mass="1" com="0,300" inertia="0.01"/><start rod="40"/></system>""",
    "ёжик.xml": """<!-- Тележка с шаром; отскакивает от пола. -->
<системаТел имя="ёжик"><тело имя="шар" КП="ПКП" ось="y" масса="1"><точка имя="низ" место="0,50"/></тело>
<связи><контакт имя="пол" точка="низ" поверхность="y = 500" удар="Ньютон" восстановление="0.7" трение="0"/></связи></системаТел>""",
    "arm.xml": """<system name="arm &lt;b&gt; &quot;1&quot;" space="spatial"><body name="column" joint="revolute" axis="z"
mass="1" inertia="0.1, 0.1, 0.1"><body name="upper" joint="revolute" axis="y" place="0, 0, 500" mass="1"
inertia="0.1, 0.1, 0.1"/></body></system>""",
}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("gallery")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    words = ["gallery", *(str(folder / name) for name in FILES), "-o", str(folder / "site"), "--until", "0.5"]
    assert main([*words, "--jobs", "1", "--lang", "en"]) == 0
    return folder / "site"


def shown(tab: Tab) -> list[str]:
    names: list[str] = tab.run(
        "() => [...document.querySelectorAll('.card')].filter(card => !card.hidden).map("
        "card => card.querySelector('strong').textContent)"
    )
    return names


def type_in(tab: Tab, text: str) -> list[str]:
    tab.page.fill("[data-search]", text)
    return shown(tab)


ALL = ["pendulum", "ёжик", 'arm <b> "1"']


def test_search_and_filters(site: Path, chromium: Chromium) -> None:
    with chromium.tab(size=(1280, 900)) as tab:
        tab.open(site / "index.html")
        assert shown(tab) == ALL
        for text, found in {
            "swings": ["pendulum"],
            "ЁЖИК": ["ёжик"],
            "ежик": ["ёжик"],
            "плоская": ["pendulum", "ёжик"],
            "spatial revolute": ['arm <b> "1"'],
            "planar column": [],
            "arm <b>": ['arm <b> "1"'],
            "no such thing": [],
            "": ALL,
        }.items():
            assert type_in(tab, text) == found, text
            assert tab.run("() => document.querySelector('[data-count]').textContent") == str(len(found))
            assert tab.run("() => !document.querySelector('.nothing').hidden") == (not found)
        tab.page.click('.chip[data-kind="spatial"]')
        assert shown(tab) == ['arm <b> "1"']
        # What is no part of both is not asked for together.
        tab.page.click('.chip[data-kind="planar"]')
        assert shown(tab) == ["pendulum", "ёжик"]
        tab.page.click('.chip[data-kind="structures"]')
        assert shown(tab) == ["ёжик"]
        tab.page.click('.chip[data-kind="structures"]')
        tab.page.click('.chip[data-kind="planar"]')
        assert shown(tab) == ALL
        tab.page.select_option("[data-class]", index=1)
        assert 0 < len(shown(tab)) < 3


def test_the_search_is_in_the_address(site: Path, chromium: Chromium) -> None:
    with chromium.tab() as tab:
        tab.open(site / "index.html")
        type_in(tab, "swings")
        assert unquote(tab.page.url).endswith("#swings")
        tab.page.reload()
        assert shown(tab) == ["pendulum"]
        tab.page.keyboard.press("/")
        tab.page.keyboard.press("Escape")
        assert shown(tab) == ALL


def test_language_and_theme(site: Path, chromium: Chromium) -> None:
    def seen(tab: Tab) -> str:
        text: str = tab.run("() => document.body.innerText")
        return text

    def paper(tab: Tab) -> Any:
        return tab.run("() => getComputedStyle(document.querySelector('.card > a')).backgroundColor")

    with chromium.tab(dark=True) as tab:
        tab.open(site / "index.html")
        assert "Gallery of systems of bodies" in seen(tab) and "Галерея" not in seen(tab)
        tab.page.click("[data-id=language]")
        assert "Галерея систем тел" in seen(tab) and "Gallery" not in seen(tab)
        assert tab.run("() => document.documentElement.lang") == "ru"
        assert "Поиск" in tab.run("() => document.querySelector('[data-search]').placeholder")
        assert tab.page.title() == "Галерея систем тел"
        dark = paper(tab)
        # As the system, dark, light.
        tab.page.click("[data-id=theme]")
        assert paper(tab) == dark
        tab.page.click("[data-id=theme]")
        assert paper(tab) == "rgb(255, 255, 255)" != dark
        # Both are remembered.
        tab.page.reload()
        assert "Галерея" in seen(tab) and paper(tab) == "rgb(255, 255, 255)"


def test_every_link_and_picture_is_there(site: Path, chromium: Chromium) -> None:
    with chromium.tab() as tab:
        tab.open(site / "index.html")
        links = tab.run("() => [...document.querySelectorAll('.card a')].map(link => link.href)")
        assert len(links) == 3
        for link in links:
            assert Path(unquote(link.removeprefix("file://"))).stat().st_size > 50_000
        tab.run(
            "() => Promise.all([...document.images].map(image => { image.loading = 'eager'; return image.decode(); }))"
        )
        sizes = tab.run("() => [...document.images].map(image => image.naturalWidth)")
        assert len(sizes) == 3 and min(sizes) > 50
        # Pointed at, a picture moves.
        tab.page.hover(".card")
        assert tab.run("() => document.querySelector('.card img').getAttribute('src')") == "thumbs/swing.moving.svg"
        tab.run("() => document.querySelector('.card img').decode()")
        tab.page.hover("h1")
        assert tab.run("() => document.querySelector('.card img').getAttribute('src')") == "thumbs/swing.svg"
        tab.page.click(".card a")
        tab.page.wait_for_selector("html[data-ready=yes]")
        assert tab.page.title() == "pendulum"


def test_a_phone_needs_no_sideways_scrolling(site: Path, chromium: Chromium) -> None:
    with chromium.tab(size=(390, 844), phone=True, lang="ru-RU") as tab:
        tab.open(site / "index.html")
        assert tab.run("() => document.documentElement.scrollWidth") <= 390
        heights = tab.run("() => [...document.querySelectorAll('button, input, select')].map(e => e.offsetHeight)")
        assert min(heights) >= 36


def test_without_scripts_all_cards_are_there(site: Path) -> None:
    text = (site / "index.html").read_text(encoding="utf-8")
    assert text.count('<li class="card"') == 3
    # What would do nothing is not shown.
    assert 'spellcheck="false" hidden' in text and '<nav class="filters" hidden' in text
