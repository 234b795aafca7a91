"""The harness itself: what a page does wrong fails the test that opened it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.browser import Chromium, firefox_screenshot

PAGE = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>page</title><script>{}</script>'


@pytest.mark.parametrize(
    ("script", "word"),
    [
        ("console.warn('careful')", "careful"),
        ("console.error('wrong')", "wrong"),
        ("throw new Error('thrown')", "thrown"),
        ("Promise.reject(new Error('refused'))", "refused"),
        ("fetch('https://example.org/library.js').catch(() => 0)", "example.org/library.js"),
        ("new Image().src = 'http://example.org/dot.png'", "example.org/dot.png"),
        ("new WebSocket('ws://example.org/socket')", "example.org/socket"),
    ],
)
def test_complaints_and_outside_addresses_fail(script: str, word: str, chromium: Chromium) -> None:
    with pytest.raises(AssertionError, match=word), chromium.tab() as tab:
        tab.open(PAGE.format(script))
        tab.page.wait_for_timeout(50)


def test_a_quiet_page_passes(chromium: Chromium) -> None:
    with chromium.tab(lang="ru-RU", dark=True, phone=True, size=(320, 480)) as tab:
        tab.open(PAGE.format("console.log('fine'); console.info('fine'); setTimeout(() => { window.ready = 1; }, 30);"))
        tab.wait("window.ready")
        assert tab.run("() => navigator.language") == "ru-RU"
        assert tab.run(
            "() => matchMedia('(prefers-color-scheme: dark)').matches && matchMedia('(pointer: coarse)').matches"
        )
        assert tab.run("([a, b]) => a + b", [1, 2]) == 3
        assert tab.picture().startswith(b"\x89PNG")
        assert tab.run("() => navigator.onLine") is False


def test_waiting_ends(chromium: Chromium) -> None:
    with chromium.tab() as tab:
        tab.open(PAGE.format(""))
        with pytest.raises(AssertionError, match="not within"):
            tab.wait("false", 0.1)


def test_firefox_shows_a_page(tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    page = tmp_path / "page.html"
    page.write_text(PAGE.format("document.documentElement.style.background = '#e02010'"), encoding="utf-8")
    picture = image.open(firefox_screenshot(page, tmp_path / "page.png", (320, 240))).convert("RGB")
    assert picture.size == (320, 240)
    assert picture.getpixel((100, 100)) == (0xE0, 0x20, 0x10)
