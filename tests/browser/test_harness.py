"""The harness itself: what a page does wrong fails the test that opened it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import pytest
from support.browser import Chromium, Firefox, firefox, firefox_screenshot

PAGE = '<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>page</title><script>{}</script>'


FAULTS = [
    ("console.warn('careful')", "careful"),
    ("console.error('wrong')", "wrong"),
    ("throw new Error('thrown')", "thrown"),
    ("Promise.reject(new Error('refused'))", "refused"),
    ("fetch('https://example.org/library.js').catch(() => 0)", "example.org/library.js"),
    ("new Image().src = 'http://example.org/dot.png'", "example.org/dot.png"),
    ("new WebSocket('ws://example.org/socket')", "example.org/socket"),
]


@pytest.fixture(scope="module")
def other() -> Iterator[Firefox]:
    with firefox() as browser:
        yield browser


@pytest.mark.parametrize(("script", "word"), FAULTS)
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


@pytest.mark.parametrize(("script", "word"), FAULTS)
def test_complaints_in_Firefox(script: str, word: str, other: Firefox, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE.format(f"setTimeout(() => {{ window.ready = 1; }}, 50); {script}"), encoding="utf-8")
    other.open(page, "window.ready === 1")
    assert any(word in each for each in other.complaints())


def test_a_quiet_page_in_Firefox(other: Firefox, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(PAGE.format("console.log('fine'); console.info('fine');"), encoding="utf-8")
    assert other.open(page).complaints() == []


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine that answers everything to everyone: its address, and what it was asked for."""
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Access-Control-Allow-Origin", "*")
            self.end_headers()
            self.wfile.write(b"here")

        def log_message(self, *words: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as service:
        thread = threading.Thread(target=service.serve_forever)
        thread.start()
        yield f"127.0.0.1:{service.server_address[1]}", asked
        service.shutdown()
        thread.join()


REACHES = """
const address = "%s", ways = {};
const told = (way) => [() => { ways[way] = "reached"; }, () => { ways[way] = "refused"; }];
fetch(`http://${address}/fetch`).then(...told("fetch"));
const image = new Image();
image.onerror = told("image")[1];
image.src = `http://${address}/image.png`;
const socket = new WebSocket(`ws://${address}/socket`);
[socket.onopen, socket.onerror] = told("socket");
const source = `fetch("http://${address}/worker").then(() => postMessage("reached"), () => postMessage("refused"))`;
const worker = new Worker(URL.createObjectURL(new Blob([source])));
worker.onmessage = ({ data }) => { ways.worker = data; };
globalThis.ways = ways;
"""
"""A page that tries to reach a server in four ways, and notes how each ended; what answers is neither an image nor a
socket, so for these two it is the server that would know."""
REFUSED = dict.fromkeys(("fetch", "image", "socket", "worker"), "refused")


def test_the_network_is_off(chromium: Chromium, server: tuple[str, list[str]]) -> None:
    """A server that would answer hears nothing of a page, the nearest one there can be: on the same machine."""
    address, asked = server
    with build_opener(ProxyHandler({})).open(f"http://{address}/python") as answer:
        assert answer.read() == b"here" and asked == ["/python"]
    with chromium.tab(strict=False) as tab:
        tab.open(PAGE.format(REACHES % address))
        tab.wait("Object.keys(ways).length === 4")
        assert tab.run("() => ways") == REFUSED
        assert {url.rpartition("/")[2] for url in tab.outside} >= {"fetch", "image.png", "socket"}
        with pytest.raises(AssertionError, match="asked for"):
            tab.check()
    assert asked == ["/python"]


def test_the_network_is_off_whatever_a_page_is_told(chromium: Chromium, server: tuple[str, list[str]]) -> None:
    """Playwright's switch is one lock, the proxy another: the second one holds alone."""
    address, asked = server
    with chromium.tab(strict=False) as tab:
        tab.page.context.set_offline(False)
        tab.open(PAGE.format(REACHES % address))
        tab.wait("Object.keys(ways).length === 4")
        assert tab.run("() => ways") == REFUSED
    assert asked == []


def test_the_network_of_Firefox_is_off(other: Firefox, server: tuple[str, list[str]], tmp_path: Path) -> None:
    address, asked = server
    page = tmp_path / "page.html"
    page.write_text(PAGE.format(REACHES % address), encoding="utf-8")
    other.open(page, "Object.keys(ways).length === 4")
    assert other.run("return ways;") == REFUSED
    assert any("/fetch" in each for each in other.complaints())
    assert asked == []


def test_waiting_ends(chromium: Chromium) -> None:
    with chromium.tab() as tab:
        tab.open(PAGE.format(""))
        with pytest.raises(AssertionError, match="not within"):
            tab.wait("false", 0.1)


def test_firefox_shows_a_page(tmp_path: Path) -> None:
    from PIL import Image as image

    page = tmp_path / "page.html"
    page.write_text(PAGE.format("document.documentElement.style.background = '#e02010'"), encoding="utf-8")
    picture = image.open(firefox_screenshot(page, tmp_path / "page.png", (320, 240))).convert("RGB")
    assert picture.size == (320, 240)
    assert picture.getpixel((100, 100)) == (0xE0, 0x20, 0x10)
