"""Pages in the frame of a window that has a header of its own: it says so, and the language, at their roots."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.browser import Chromium

import sistel

MODELS = Path(__file__).resolve().parents[2] / "models"
EMBED = "(lang) => Object.assign(document.documentElement.dataset, { embedded: '', lang })"
SHOWN = "(of) => [...document.querySelectorAll(of)].filter((node) => node.getClientRects().length).length"


def test_the_header_gives_its_room_to_the_picture(chromium: Chromium, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    sistel.load(MODELS / "four_bar.xml").simulate(0.2).save(page)
    with chromium.tab(size=(900, 600)) as tab:
        tab.open(page)
        tab.wait("document.documentElement.dataset.ready === 'yes'")
        before = tab.run("() => document.querySelector('.layout').getBoundingClientRect().height")
        assert tab.run(SHOWN, ".header") == 1 and before < 600
        tab.run(EMBED, "en")
        assert tab.run(SHOWN, ".header") == 0
        assert tab.run("() => document.querySelector('.layout').getBoundingClientRect().height") == 600


@pytest.mark.parametrize("lang", ["en", "ru"])
def test_a_page_without_scripts_has_the_language_of_its_frame(chromium: Chromium, tmp_path: Path, lang: str) -> None:
    """Whatever it was opened in: both ways at once would hide all."""
    page = tmp_path / "page.html"
    sistel.load(MODELS / "pendulum.xml").check().save(page, lang="ru")
    other = {"en": "ru", "ru": "en"}[lang]
    with chromium.tab(size=(900, 600)) as tab:
        tab.open(page)
        assert tab.run(SHOWN, ".header") == 1 and tab.run(SHOWN, "[data-in=ru]") > 5
        tab.run(EMBED, lang)
        assert tab.run(SHOWN, ".header, .switch") == 0
        assert tab.run(SHOWN, f"[data-in={lang}]") > 5 and tab.run(SHOWN, f"[data-in={other}]") == 0
