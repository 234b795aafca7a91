"""A studio in a process of its own, and windows that talk to it."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect


class Studio:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        self.address = address
        parts = urlsplit(address)
        self.port = parts.port or 0
        self.base = parts.path
        self.origin = f"http://127.0.0.1:{self.port}"
        self.cookie = ""
        status, headers, _ = self.get(f"{parts.path}?{parts.query}", cookie=None)
        assert status == 200, status
        self.cookie = headers["set-cookie"].partition(";")[0]

    def get(
        self, path: str, *, cookie: str | None = "", host: str | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an address; without `cookie=None`, with the cookie."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        line.putrequest("GET", path, skip_host=True)
        line.putheader("Host", host or f"127.0.0.1:{self.port}")
        if cookie is not None:
            line.putheader("Cookie", cookie or self.cookie)
        for name, value in headers.items():
            line.putheader(name.replace("_", "-"), value)
        line.endheaders()
        answer = line.getresponse()
        body = answer.read()
        found = {name.lower(): value for name, value in answer.getheaders()}
        line.close()
        return answer.status, found, body

    def window(self, **other: Any) -> Window:
        """A window, as the application opens it."""
        headers = {"Cookie": self.cookie} if "cookie" not in other else {}
        if other.get("cookie"):
            headers["Cookie"] = other["cookie"]
        host = other.get("host", "127.0.0.1")
        return Window(
            connect(
                f"ws://{host}:{self.port}{self.base}socket",
                sock=socket.create_connection(("127.0.0.1", self.port), 20),
                origin=other.get("origin", self.origin),
                additional_headers=headers,
                compression=None,
                max_size=64 * 2**20,
                open_timeout=20,
            )
        )

    def stop(self) -> int:
        """As Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        return self.process.wait(20)


class Window:
    """A socket, with calls that are answered in any order."""

    def __init__(self, opening: connect) -> None:
        self._stack = contextlib.ExitStack()
        self.link: ClientConnection = self._stack.enter_context(opening)
        self.told: list[dict[str, Any]] = []
        self.answers: dict[int, dict[str, Any]] = {}
        self._number = 0

    def send(self, name: str, latest: str | None = None, **params: Any) -> int:
        self._number += 1
        message = {"id": self._number, "call": name, "with": params}
        if latest is not None:
            message["latest"] = latest
        self.link.send(json.dumps(message))
        return self._number

    def reply(self, number: int, seconds: float = 60.0) -> dict[str, Any]:
        """The answer to a call."""
        end = time.monotonic() + seconds
        while number not in self.answers:
            self._take(end)
        return self.answers.pop(number)

    def call(self, name: str, seconds: float = 60.0, **params: Any) -> Any:
        """What a call gives."""
        found = self.reply(self.send(name, **params), seconds)
        assert "done" in found, found
        return found["done"]

    def fails(self, name: str, **params: Any) -> dict[str, Any]:
        """Why a call fails."""
        found = self.reply(self.send(name, **params))
        assert "failed" in found, found
        failed = found["failed"]
        assert set(failed) == {"code", "message", "diagnostics"}
        assert failed["message"]["en"] and failed["message"]["ru"]
        return failed

    def wait_told(self, kind: str, seconds: float = 30.0, **wanted: Any) -> dict[str, Any]:
        """The next thing of a kind that the window is told, with these details."""
        end = time.monotonic() + seconds
        while True:
            for each in self.told:
                if each["told"] == kind and all(each["with"].get(key) == value for key, value in wanted.items()):
                    self.told.remove(each)
                    return each["with"]
            self._take(end)

    def _take(self, end: float) -> None:
        message = json.loads(self.link.recv(timeout=max(0.001, end - time.monotonic())))
        if "told" in message:
            self.told.append(message)
        else:
            self.answers[message["id"]] = message

    def close(self) -> None:
        self._stack.close()

    def __enter__(self) -> Window:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def studio(folder: Path, *options: str, **environment: str) -> Iterator[Studio]:
    """A studio on a folder, ended afterwards."""
    words = [sys.executable, "-m", "sistel", "studio", str(folder), "--no-browser", *options]
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **environment},
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        address = process.stdout.readline().strip()
        assert address.startswith("http"), (address, process.poll())
        yield Studio(process, address)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.stdout.close()
        process.wait(10)
