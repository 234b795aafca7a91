"""Pages in a real browser: Chromium without a window, driven by playwright; Firefox, driven by its own protocol.

The fixture `chromium` gives the first, without its own user interface where that is installed: the same engine of pages
and scripts, at half the time. Both are those that are installed on the machine; playwright fetches none. Every
page is opened from a file, with the network off; what it says on the console beyond mere information, what it throws, and
every address outside the page that it asks for, fails the test.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    *("--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
    "--font-render-hinting=none",  # as windows have it; without them letters would be moved to whole pixels
    # Nothing outside answers, whatever the page is told about the network: all goes to a proxy where nobody listens.
    *("--proxy-server=http://127.0.0.1:9", "--proxy-bypass-list=<-loopback>"),
)
WEBGL = (
    *("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"),
    *(
        "--disable-gpu-compositing",
        "--disable-gpu-rasterization",
    ),  # only scenes: pages themselves are painted sooner without
)
WITHOUT_WEBGL = ("--disable-3d-apis",)
"""Without it scenes that no test looks at are drawn by software all the same, which takes most of the time of their pages."""
INSIDE = ("file:", "data:", "blob:", "about:")
HARMLESS = ("GPU stall due to ReadPixels",)
"""What a software renderer says when a picture is taken."""


DOORS = """for (const [name, open] of Object.entries({
  sistel: (root) => root?.sistel,
  sistelScene: (root) => root?.sistel?.scene,
  sistelViewer: (root) => root?.sistel,
  sistelGripper: (root) => root?.sistel,
})) {
  const set = (value) => Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  const get = () => open(document.querySelector("[data-sistel]"));
  Object.defineProperty(globalThis, name, { get, set, configurable: true });
}"""
"""Names for tests alone: pages leave no global names, the root element of each carries its object."""


class Tab:
    """A page that is being looked at."""

    def __init__(self, page: Any, folder: Path) -> None:
        self.page = page
        """Of playwright."""
        self.folder = folder
        self.complaints: list[str] = []
        """Warnings and errors of the console, and exceptions."""
        self.outside: list[str] = []
        """What was asked for beyond the page."""
        self._listeners = {
            "console": self._said,
            "pageerror": lambda problem: self.complaints.append(f"exception: {problem}"),
            "request": lambda request: self._asked(request.url),
            "websocket": lambda socket: self._asked(socket.url),
        }
        for event, listener in self._listeners.items():
            page.on(event, listener)

    def open(self, what: str | Path) -> Tab:
        """Open a file, or a text as a file."""
        if isinstance(what, str):
            path = self.folder / f"page{len(list(self.folder.iterdir()))}.html"
            path.write_text(what, encoding="utf-8")
            what = path
        self.page.goto(what.resolve().as_uri())
        return self

    def run(self, script: str, argument: Any = None) -> Any:
        """The value of a JavaScript expression or function."""
        return self.page.evaluate(script, argument)

    def wait(self, condition: str, seconds: float = 60.0) -> None:
        """Until a JavaScript expression is true; the limit is for what hangs, under load too.

        By looking again and again: pages that forbid `eval` forbid playwright's own waiting.
        """
        last = time.monotonic() + seconds
        while not self.page.evaluate(f"() => Boolean({condition})"):
            assert time.monotonic() < last, f"not within {seconds} s: {condition}; the page said {self.complaints}"
            self.page.wait_for_timeout(20)

    def picture(self, path: Path | None = None) -> bytes:
        """What is seen, as PNG."""
        return bytes(self.page.screenshot(path=path))

    def leave(self) -> None:
        """No longer hear what the page says."""
        for event, listener in self._listeners.items():
            self.page.remove_listener(event, listener)

    def check(self) -> None:
        """Fail where the page complained or asked for something outside."""
        assert not self.outside, f"the page asked for {', '.join(self.outside)}"
        assert not self.complaints, "the page said:\n" + "\n".join(self.complaints)

    def _said(self, message: Any) -> None:
        if message.type in ("warning", "error", "assert") and not any(known in message.text for known in HARMLESS):
            self.complaints.append(f"{message.type}: {message.text}")

    def _asked(self, url: str) -> None:
        if not url.startswith(INSIDE):
            self.outside.append(url)


class Chromium:
    """A browser for many tests: started when a page is first asked for, apart with and without WebGL."""

    def __init__(self, stack: ExitStack) -> None:
        self._stack = stack
        self._driver: Any = None
        self._browsers: dict[tuple[bool, bool], Any] = {}
        self._windows: dict[tuple[object, ...], Any] = {}

    @contextmanager
    def tab(
        self,
        *,
        size: tuple[int, int] = (1000, 700),
        webgl: bool = False,
        lang: str = "en-US",
        dark: bool = False,
        phone: bool = False,
        still: bool = False,
        kept: bool = False,
        complete: bool = False,
        strict: bool = True,
    ) -> Iterator[Tab]:
        """A fresh page without cookies and cache; checked in the end unless the test fails before.

        Args:
            size: Of the window [px].
            webgl: Whether scenes in space are drawn, by software; otherwise it is a browser without WebGL.
            lang: What the browser says that its user reads.
            dark: Whether the user likes dark pages.
            phone: Whether fingers touch instead of a mouse.
            still: Whether the user wants nothing to move by itself; drawing what moves keeps more than a processor busy.
            kept: Whether the window stays for the next page that asks for one like it, emptied: opening one takes as
                long as many a page. For tests that change nothing but what is on the page.
            complete: Whether it is the browser that people have, with its user interface; the engine is the same.
            strict: Whether complaints and outside requests fail the test; else it looks at them itself.
        """
        key = (size, webgl, lang, dark, phone, still, complete)
        page = self._windows.pop(key, None) if kept else None
        if page is None:
            context = self._started(webgl, complete).new_context(
                viewport={"width": size[0], "height": size[1]},
                locale=lang,
                color_scheme="dark" if dark else "light",
                reduced_motion="reduce" if still else "no-preference",
                offline=True,
                has_touch=phone,
                is_mobile=phone,
            )
            page = context.new_page()
            page.add_init_script(DOORS)
        with tempfile.TemporaryDirectory() as folder:
            good = False
            try:
                tab = Tab(page, Path(folder))
                yield tab
                if strict:
                    tab.check()
                good = kept
            finally:
                tab.leave()
                if good:
                    page.evaluate("() => (localStorage.clear(), sessionStorage.clear())")
                    page.goto("about:blank")
                    self._windows[key] = page
                else:
                    page.context.close()

    def _started(self, webgl: bool, complete: bool) -> Any:
        if (webgl, complete) not in self._browsers:
            program = chromium_program(complete)
            if program is None:
                pytest.skip("Chromium is not installed")
            if self._driver is None:
                self._driver = self._stack.enter_context(driver())
            flags = [*FLAGS, *(WEBGL if webgl else WITHOUT_WEBGL)]
            browser = self._driver.chromium.launch(executable_path=program, args=flags)
            self._stack.callback(browser.close)
            self._browsers[webgl, complete] = browser
        return self._browsers[webgl, complete]


_DRIVING: list[Any] = []
"""Playwright as it runs, once for everyone who is inside of `driver`, and what ends it."""
_USERS: list[None] = []


@contextmanager
def driver() -> Iterator[Any]:
    """Playwright, started for the first who needs it and ended by the last: a thread has one at a time."""
    if not _DRIVING:
        from playwright.sync_api import sync_playwright

        manager = sync_playwright()
        _DRIVING.extend((manager.__enter__(), manager))
    _USERS.append(None)
    try:
        yield _DRIVING[0]
    finally:
        _USERS.pop()
        if not _USERS:
            _DRIVING[1].__exit__(None, None, None)
            _DRIVING.clear()


COMPLETE = ("chromium", "chromium-browser", "google-chrome")
"""Names of Chromium with all that people see of it."""


def chromium_program(complete: bool = False) -> str | None:
    """Where Chromium is on this machine: without a user interface if there is such a one, or a complete one."""
    names = COMPLETE if complete else ("chromium-headless-shell", *COMPLETE)
    return next(filter(None, map(shutil.which, names)), None)


@contextmanager
def open_chromium() -> Iterator[Chromium]:
    """The browser, closed in the end; the test is skipped where there is none."""
    if chromium_program() is None:
        pytest.skip("Chromium is not installed")
    with ExitStack() as stack:
        yield Chromium(stack)


_SAID = """
const window = windowGlobalChild.innerWindowId;
const storage = Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage);
const said = storage.getEvents(window).filter(({ level }) => ["warn", "error", "assert"].includes(level));
const thrown = Services.console.getMessageArray().filter(
  (each) => each instanceof Ci.nsIScriptError && each.innerWindowID === window && !(each.flags & each.infoFlag));
return [...said.map((each) => `${each.level}: ${[...each.arguments].map(String).join(" ")}`),
  ...thrown.map((each) => `${each.category}: ${each.errorMessage}`)];
"""
"""What was told to the console of the window that is shown, by the page and by Firefox about it."""


class Firefox:
    """Firefox without a window, driven by its own remote protocol: a number of bytes, then JSON, over a socket."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._rest = b""
        self._number = 0
        self._message()  # it says who it is
        self._call("WebDriver:NewSession", {})

    def open(
        self, page: Path | str, until: str = "document.readyState === 'complete'", seconds: float = 60.0
    ) -> Firefox:
        """Open a file or an address, and wait until a JavaScript expression is true."""
        self._call("WebDriver:Navigate", {"url": page if isinstance(page, str) else page.resolve().as_uri()})
        return self.wait(until, seconds)

    def wait(self, until: str, seconds: float = 60.0) -> Firefox:
        """Until a JavaScript expression is true."""
        last = time.monotonic() + seconds
        while not self.run(f"return Boolean({until});"):
            assert time.monotonic() < last, f"not within {seconds} s: {until}"
            time.sleep(0.05)
        return self

    def run(self, script: str) -> Any:
        """What a script returns."""
        return self._call("WebDriver:ExecuteScript", {"script": script, "args": [], "sandbox": None})["value"]

    def click(self, selector: str) -> None:
        """Press what a CSS selector finds first."""
        self._call("WebDriver:ElementClick", {"id": self._found(selector)})

    def type(self, selector: str, keys: str) -> None:
        """Type into what a CSS selector finds first, at its end."""
        self._call("WebDriver:ElementSendKeys", {"id": self._found(selector), "text": keys})

    def drag(self, source: str, target: str) -> None:
        """Pull what a CSS selector finds first onto what another one does."""
        ends = [
            self.run(f"return document.querySelector({json.dumps(each)}).getBoundingClientRect();")
            for each in (source, target)
        ]
        (x, y), (a, b) = [(int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2)) for box in ends]
        go: list[dict[str, Any]] = [
            {"type": "pointerMove", "x": x, "y": y, "duration": 0},
            {"type": "pointerDown", "button": 0},
        ]
        go += [
            {"type": "pointerMove", "x": x + (a - x) * part // 4, "y": y + (b - y) * part // 4, "duration": 30}
            for part in (1, 2, 3, 4)
        ]
        hand = {"type": "pointer", "id": "hand", "parameters": {"pointerType": "mouse"}}
        self._call(
            "WebDriver:PerformActions", {"actions": [{**hand, "actions": [*go, {"type": "pointerUp", "button": 0}]}]}
        )

    def _found(self, selector: str) -> str:
        found = self._call("WebDriver:FindElement", {"using": "css selector", "value": selector})["value"]
        return str(next(iter(found.values())))

    def complaints(self, address: str = "file:") -> list[str]:
        """Warnings and errors of the console, exceptions, and what the page asked for beyond itself and its address."""
        found = self._call("WebDriver:ExecuteScript", {"script": _SAID, "args": [], "sandbox": "system"})["value"]
        addresses = self.run("return performance.getEntriesByType('resource').map((each) => each.name);")
        return [*found, *(f"it asked for {url}" for url in addresses if not url.startswith((*INSIDE, address)))]

    def picture(self, size: tuple[int, int] = (1000, 700)) -> bytes:
        """What is seen in a window of that size, as PNG."""
        wide, high = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight];")
        self._call("WebDriver:SetWindowRect", {"width": size[0] + wide, "height": size[1] + high})
        time.sleep(0.3)  # it is laid out anew
        return base64.b64decode(self._call("WebDriver:TakeScreenshot", {"full": False})["value"])

    def _call(self, name: str, parameters: dict[str, Any]) -> Any:
        self._number += 1
        text = json.dumps([0, self._number, name, parameters]).encode()
        self._connection.sendall(str(len(text)).encode() + b":" + text)
        _, _, problem, found = self._message()
        assert problem is None, problem
        return found

    def _message(self) -> Any:
        while b":" not in self._rest:
            self._rest += self._connection.recv(65536)
        size, _, self._rest = self._rest.partition(b":")
        while len(self._rest) < int(size):
            self._rest += self._connection.recv(65536)
        text, self._rest = self._rest[: int(size)], self._rest[int(size) :]
        return json.loads(text)


FIREFOX_SETTINGS = {
    "ui.prefersReducedMotion": 1,  # whatever moves by itself would be somewhere else in every picture
    # Nothing outside answers: all goes to a proxy where nobody listens, what is for this machine too.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "network.proxy.allow_hijacking_localhost": True,
    "network.proxy.no_proxies_on": "",
    "network.proxy.failover_direct": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
}


def firefox_program() -> str:
    """Where Firefox is on this machine; the test is skipped where it is not."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        pytest.skip("Firefox is not installed")
    return program


@contextmanager
def _firefox_profile(**more: Any) -> Iterator[str]:
    """A folder with settings for one run of Firefox."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        settings = {**FIREFOX_SETTINGS, **more}
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in settings.items()]
        (Path(profile) / "user.js").write_text("".join(lines), encoding="utf-8")
        yield profile


@contextmanager
def firefox(*, own_machine: bool = False) -> Iterator[Firefox]:
    """Firefox with a profile of its own and the network off; the test is skipped where it is not installed.

    Args:
        own_machine: Whether it reaches servers on this machine.
    """
    program = firefox_program()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {"network.proxy.allow_hijacking_localhost": False, "network.proxy.no_proxies_on": "127.0.0.1"}
    with _firefox_profile(**{"marionette.port": port, **(own if own_machine else {})}) as profile:
        process = subprocess.Popen(
            [program, "--headless", "--marionette", "--no-remote", "--profile", profile],
            env={**os.environ, "HOME": profile, "MOZ_HEADLESS": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            with _answered(port, process) as connection:
                yield Firefox(connection)
        finally:
            process.kill()
            process.wait()


def _answered(port: int, process: subprocess.Popen[bytes]) -> socket.socket:
    last = time.monotonic() + 60.0
    while True:
        assert process.poll() is None, "Firefox ended"
        try:
            connection = socket.create_connection(("127.0.0.1", port), timeout=60.0)
        except OSError:
            assert time.monotonic() < last, "Firefox does not answer"
            time.sleep(0.1)
        else:
            return connection


def firefox_screenshot(page: Path, picture: Path, size: tuple[int, int] = (1000, 700)) -> Path:
    """What Firefox shows of a page, as a PNG file; the test is skipped where it is not installed.

    It is pictured when it has loaded, with a profile of its own and the network off.
    """
    program = firefox_program()
    with _firefox_profile() as profile:
        command = [program, "--headless", "--no-remote", "--profile", profile, f"--window-size={size[0]},{size[1]}"]
        subprocess.run(
            [*command, "--screenshot", str(picture), page.resolve().as_uri()],
            env={**os.environ, "HOME": profile, "MOZ_HEADLESS": "1"},
            capture_output=True,
            timeout=120,
            check=True,
        )
    return picture
