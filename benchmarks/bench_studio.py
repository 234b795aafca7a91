"""The studio for many: real processes, one a user, behind a real nginx.

python benchmarks/bench_studio.py --users 20 --seconds 30

Every simulated user has a folder, a `sistel studio` of his own behind the proxy, and a window that types, checks, draws
and runs at the pace of a person. Told are the memory of a user, how long a check takes, and how many runs have ended.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect

ROOT = Path(__file__).resolve().parents[1]
MODELS = ("pendulum", "cart_pole", "compass_walker", "four_bar", "slider_crank")
PAUSE = (1.0, 4.0)
"""Between two things that a user does [s]."""
PROXY = """
daemon off; worker_processes 1; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{ worker_connections 1024; }}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  map $http_upgrade $connection_upgrade {{ default upgrade; '' close; }}
  server {{
    listen 127.0.0.1:{port};
    {places}
  }}
}}
"""
PLACE = """
    location /u{user}/ {{
      proxy_pass http://127.0.0.1:{port}; proxy_http_version 1.1; proxy_set_header Host $host:{proxy};
      proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_upgrade;
      proxy_read_timeout 1h; proxy_buffering off;
    }}
"""


def free_ports(count: int) -> list[int]:
    """Ports that nobody has."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


@contextlib.contextmanager
def place_of_users(users: int, folder: Path) -> Iterator[tuple[list[str], list[subprocess.Popen[str]]]]:
    """Addresses of the studios of all users, as their browsers see them, and their processes."""
    proxy, *ports = free_ports(users + 1)
    started: list[subprocess.Popen[str]] = []
    addresses: list[str] = []
    try:
        for user, port in enumerate(ports):
            own = folder / f"u{user}"
            own.mkdir()
            for name in MODELS:
                source = ROOT / "models" / f"{name}.xml"
                if source.is_file():
                    shutil.copy(source, own)
            words = [sys.executable, "-m", "sistel", "studio", str(own), "--no-browser", "--port", str(port)]
            words += ["--base", f"/u{user}/", "--origin", f"http://127.0.0.1:{proxy}", "--memory", "1024"]
            started.append(
                subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, process_group=0)
            )
        for process in started:
            assert process.stdout is not None
            addresses.append(process.stdout.readline().strip())
        places = "".join(PLACE.format(user=user, port=port, proxy=proxy) for user, port in enumerate(ports))
        (folder / "nginx.conf").write_text(PROXY.format(folder=folder, port=proxy, places=places), encoding="utf-8")
        started.append(subprocess.Popen(["nginx", "-c", str(folder / "nginx.conf")], text=True, process_group=0))
        for _ in range(100):
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", proxy), 1).close()
                break
            time.sleep(0.05)
        yield addresses, started[:-1]
    finally:
        for process in started:
            with contextlib.suppress(ProcessLookupError):
                process.send_signal(signal.SIGINT)
        for process in started:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            if process.stdout is not None:
                process.stdout.close()


async def opened(address: str) -> ClientConnection:
    """A window of a user, through the proxy."""
    parts = urlsplit(address)
    reader, writer = await asyncio.open_connection("127.0.0.1", parts.port)
    writer.write(
        f"GET {parts.path}?{parts.query} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n\r\n".encode()
    )
    head = (await reader.read()).decode("utf-8", "replace")
    writer.close()
    cookie = head.lower().partition("set-cookie: ")[0]
    cookie = head[len(cookie) + len("set-cookie: ") :].partition(";")[0]
    return await connect(
        f"ws://{parts.netloc}{parts.path}socket",
        origin=f"http://{parts.netloc}",  # type: ignore[arg-type]
        additional_headers={"Cookie": cookie},
        compression=None,
        max_size=None,
    )


class User:
    """Somebody at a window."""

    def __init__(self, number: int, link: ClientConnection) -> None:
        self.link = link
        self.dice = random.Random(number)
        self.took: dict[str, list[float]] = {}
        self.runs = 0
        self.failed: list[str] = []
        self.name = self.text = ""
        self._last = 0
        self._answers: dict[int, asyncio.Future[dict[str, object]]] = {}
        self._ended: dict[str, asyncio.Future[None]] = {}
        self._hearing = asyncio.ensure_future(self._hear())

    async def _hear(self) -> None:
        async for text in self.link:
            message = json.loads(text)
            if "id" in message:
                self._answers.pop(message["id"]).set_result(message)
            elif message["told"] == "job.ended":
                self.runs += message["with"]["failed"] is None
                future = self._ended.setdefault(message["with"]["job"], asyncio.get_running_loop().create_future())
                if not future.done():
                    future.set_result(None)

    async def call(self, name: str, **params: object) -> dict[str, object]:
        """What a call gives; how long it took is noted."""
        self._last += 1
        answer = self._answers[self._last] = asyncio.get_running_loop().create_future()
        begin = time.perf_counter()
        await self.link.send(json.dumps({"id": self._last, "call": name, "with": params}))
        found = await answer
        self.took.setdefault(name, []).append(time.perf_counter() - begin)
        if "failed" in found:
            self.failed.append(f"{name}: {found['failed']}")
        return found

    async def begin(self) -> None:
        """Open a file: the first check starts a process."""
        self.name = f"{self.dice.choice(MODELS)}.xml"
        read = (await self.call("files.read", path=self.name))["done"]
        assert isinstance(read, dict)
        self.text = str(read["text"])
        await self.call("text.check", path=self.name, text=self.text)
        self.took.clear()

    async def work(self, until: float) -> None:
        """Type, look, run."""
        name, text = self.name, self.text
        while time.monotonic() < until:
            what = self.dice.random()
            if what < 0.75:
                text += " "  # a key
                await self.call("text.check", path=name, text=text)
            elif what < 0.85:
                await self.call("files.draft", path=name, text=text)
            else:
                job = (await self.call("run.start", path=name, text=text, until=2.0)).get("done")
                if isinstance(job, dict):
                    future = self._ended.setdefault(job["job"], asyncio.get_running_loop().create_future())
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(future, 120.0)
            await asyncio.sleep(self.dice.uniform(*PAUSE))
        self._hearing.cancel()
        await self.link.close()


def memory_of(processes: list[subprocess.Popen[str]]) -> list[float]:
    """Of every user with all processes that are his: what they do not share, with their part of what they do [MiB]."""
    parents: dict[int, int] = {}
    for each in Path("/proc").iterdir():
        if each.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                parents[int(each.name)] = int((each / "stat").read_text().rpartition(")")[2].split()[1])
    found = []
    for process in processes:
        own = {process.pid}
        while more := {child for child, parent in parents.items() if parent in own} - own:
            own |= more
        total = 0.0
        for pid in own:
            with contextlib.suppress(OSError):
                text = Path(f"/proc/{pid}/smaps_rollup").read_text()
                total += int(text.partition("Pss:")[2].split()[0]) / 1024
        found.append(total)
    return found


async def measured(addresses: list[str], processes: list[subprocess.Popen[str]], seconds: float) -> dict[str, object]:
    """What the users saw."""
    idle = memory_of(processes)
    users = [User(number, await opened(address)) for number, address in enumerate(addresses)]
    begin = time.monotonic()
    await asyncio.gather(*(user.begin() for user in users))
    first = time.monotonic() - begin
    until = time.monotonic() + seconds
    busy: list[float] = []

    async def look() -> None:
        while time.monotonic() < until:
            await asyncio.sleep(seconds / 4)
            busy.extend(await asyncio.to_thread(memory_of, processes))

    await asyncio.gather(look(), *(user.work(until) for user in users))
    checks = sorted(time_ for user in users for time_ in user.took.get("text.check", []))
    failed = [each for user in users for each in user.failed]
    assert checks and not failed, failed[:3]
    return {
        "users": len(users),
        "seconds": seconds,
        "until all had their first check [s]": round(first, 1),
        "processors": len(os.sched_getaffinity(0)),
        "memory idle, a user [MiB]": round(statistics.median(idle), 1),
        "memory at work, a user [MiB]": round(statistics.median(busy), 1),
        "memory at work, the most [MiB]": round(max(busy), 1),
        "checks": len(checks),
        "check p50 [ms]": round(1e3 * checks[len(checks) // 2], 1),
        "check p95 [ms]": round(1e3 * checks[int(0.95 * (len(checks) - 1))], 1),
        "runs": sum(user.runs for user in users),
        "load": os.getloadavg()[0],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--users", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30.0)
    given = parser.parse_args()
    if shutil.which("nginx") is None:
        sys.exit("nginx is not installed")
    with tempfile.TemporaryDirectory() as folder, place_of_users(given.users, Path(folder)) as (addresses, processes):
        print(json.dumps(asyncio.run(measured(addresses, processes, given.seconds)), indent=2))


if __name__ == "__main__":
    main()
