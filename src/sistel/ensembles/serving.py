"""A cluster on this machine: a scheduler and workers, or workers for a scheduler elsewhere."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import time
import warnings
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, suppress
from typing import Any, NoReturn

from sistel.ensembles._dask import PORT, dask, find_scheduler, quiet, whole_address
from sistel.ensembles._launch import cores
from sistel.ensembles._worker import LOST
from sistel.errors import Text, refuse
from sistel.files import reason_of

ANSWERING = 10.0
"""How long a scheduler may take to answer [s]."""
SILENT = 120.0
"""A worker that has not been heard of for so long is taken for dead, and its runs are done elsewhere [s]."""
CLOSING = 5.0
"""How long each of them may take to end [s]."""
YOUNG, PAUSE = 5.0, 60.0
"""A worker that dies younger than this again and again is started again later and later, up to this pause [s]."""
MOST = 1024
HOST = "127.0.0.1"
"""Nobody but this machine, unless told otherwise: whoever reaches a scheduler can let workers run any program."""


def serve(
    *,
    workers: int,
    join: str | None = None,
    host: str | None = None,
    port: int | None = None,
    ready: Callable[[str], None],
) -> None:
    """Run a cluster until Ctrl-C.

    Args:
        workers: Processes that do runs, one run at a time each; they are started again when they die.
        join: Address of a scheduler elsewhere; without, one is started here.
        host: Where this machine listens: its address in the network, with ``tls://`` before it for a connection that
            is encrypted; without, nobody else can reach it.
        port: Of the scheduler; 0 takes any that is free.
        ready: Told the address of the scheduler, once all are there.

    Raises:
        SistelError: The scheduler cannot listen there, or is not there, or has gone.
    """
    engine = dask()
    if not 0 <= workers <= MOST or not 0 <= (PORT if port is None else port) < 2**16:
        refuse(
            "bad-number",
            Text(
                f"a cluster has at most {MOST} workers here, and a port below 65536",
                f"у кластера здесь не больше {MOST} исполнителей и порт меньше 65536",
            ),
        )
    address = None if join is None else whole_address(join)
    with quiet(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        asyncio.run(_Site(engine, workers, address, host, PORT if port is None else port).run(ready))


class _Site:
    """What runs on this machine."""

    def __init__(self, engine: Any, workers: int, join: str | None, host: str | None, port: int) -> None:
        self.engine, self.workers, self.join, self.port = engine, workers, join, port
        scheme, mark, name = (HOST if host is None else host).rpartition("://")
        self.host, self.protocol = name, scheme + mark or None
        if join is not None and host is None:
            self.host = _own_address(join)

    async def run(self, ready: Callable[[str], None]) -> None:
        stopped = asyncio.Event()
        with suppress(NotImplementedError):  # Windows: Ctrl-C is an exception there
            for number in (signal.SIGINT, signal.SIGTERM):
                asyncio.get_running_loop().add_signal_handler(number, stopped.set)
        async with AsyncExitStack() as stack:
            address = self.join or await self._scheduler(stack)
            crew = [_Worker(address, self.host) for _ in range(self.workers)]
            for worker in crew:
                stack.push_async_callback(worker.close)
            if await _interrupted(stopped, self._answers(address)):
                return
            if await _interrupted(stopped, _all([worker.join() for worker in crew])):
                return
            ready(address)
            if not crew:
                await stopped.wait()
            elif not await _interrupted(stopped, _all([worker.kept_alive(self._gone) for worker in crew])):
                refuse(
                    "cluster-lost",
                    Text(
                        f"the scheduler at {address} has gone, and the workers with it",
                        f"диспетчер по адресу {address} пропал, и исполнители вместе с ним",
                    ),
                )

    async def _scheduler(self, stack: AsyncExitStack) -> str:
        try:
            # Dask would leave half of a scheduler behind.
            socket.create_server((self.host.strip("[]"), self.port), family=_family(self.host)).close()
            scheduler = self.engine.Scheduler(
                host=self.host,
                port=self.port,
                protocol=self.protocol,
                worker_ttl=SILENT,
                dashboard=False,
                dashboard_address=f"{self.host}:0",
            )
            await scheduler
        except Exception as problem:
            said = reason_of(problem)
            refuse(
                "no-cluster",
                Text(
                    f"nobody can listen at {self.host}, port {self.port}: {said.en}",
                    f"слушать по адресу {self.host}, порт {self.port}, нельзя: {said.ru}",
                ),
                hint=Text(
                    "another cluster may be there already; --port 0 takes a port that is free",
                    "может быть, там уже есть кластер; --port 0 берёт свободный порт",
                ),
            )
        stack.push_async_callback(_closed, scheduler)
        return str(scheduler.address)

    async def _answers(self, address: str) -> None:
        """See whether a scheduler is there.

        Raises:
            SistelError: None is.
        """
        if await self._gone(address):
            _no_scheduler(address)

    async def _gone(self, address: str) -> bool:
        """Whether the scheduler has gone; one of our own cannot."""
        if self.join is None:
            return False
        try:
            await find_scheduler(self.engine, address, ANSWERING, "worker")
        except Exception:
            return True
        return False


class _Worker:
    """A worker in a process of its own, which is started again when it dies."""

    def __init__(self, address: str, host: str) -> None:
        self.address, self.host = address, host
        self.process: asyncio.subprocess.Process | None = None
        self.born = 0.0

    async def join(self) -> None:
        """Start it, and wait until it works.

        Raises:
            SistelError: It does not.
        """
        status = await self._start()
        if status == LOST:
            _no_scheduler(self.address)
        if status is not None:
            refuse(
                "worker-died",
                Text(
                    f"a worker ended at once, with the status {status}", f"исполнитель сразу закончил, с кодом {status}"
                ),
            )

    async def _start(self) -> int | None:
        """Start it; its exit status where it has ended before it could work."""
        # A session of its own: Ctrl-C is for us, who then end it in peace. When we die, its input ends.
        self.process = process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "sistel.ensembles._worker",
            self.address,
            self.host,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
            env={"OPENBLAS_NUM_THREADS": "1", **os.environ},
        )
        self.born = time.monotonic()
        assert process.stdout is not None
        return None if await process.stdout.readline() else await process.wait()

    async def kept_alive(self, gone: Callable[[str], Awaitable[bool]]) -> None:
        """Start it again whenever it dies, until the scheduler has gone."""
        deaths = 0
        while self.process is not None:
            if await self.process.wait() == LOST and await gone(self.address):
                return
            deaths = deaths + 1 if time.monotonic() - self.born < YOUNG else 0
            await asyncio.sleep(min(2.0**deaths - 1.0, PAUSE))
            await self._start()

    async def close(self) -> None:
        """End it."""
        process = self.process
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), CLOSING)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()


async def _all(awaited: Sequence[Awaitable[object]]) -> None:
    await asyncio.gather(*awaited)


async def _interrupted(stopped: asyncio.Event, work: Coroutine[object, object, None]) -> bool:
    """Whether somebody asked to stop before something was done; what goes wrong with it is raised."""
    doing, ends = asyncio.create_task(work), asyncio.create_task(stopped.wait())
    await asyncio.wait([doing, ends], return_when=asyncio.FIRST_COMPLETED)
    ends.cancel()
    if not stopped.is_set():
        doing.result()
        return False
    doing.cancel()
    with suppress(Exception, asyncio.CancelledError):
        await doing
    return True


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


async def _closed(scheduler: Any) -> None:
    with suppress(Exception, asyncio.CancelledError):
        await asyncio.wait_for(scheduler.close(), CLOSING)


def _own_address(scheduler: str) -> str:
    """By which address this machine reaches a scheduler: there, and nowhere else, do its workers listen.

    Raises:
        SistelError: It does not.
    """
    host, _, port = scheduler.partition("://")[2].rpartition(":")
    try:
        family, kind, _, _, place = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, kind) as found:
            found.connect(place)  # datagrams: nothing is sent
            return str(found.getsockname()[0])
    except (OSError, OverflowError):
        return _no_scheduler(scheduler)


def _no_scheduler(address: str) -> NoReturn:
    refuse(
        "no-cluster",
        Text(f"no scheduler answers at {address}", f"по адресу {address} диспетчер не отвечает"),
        hint=Text(
            "start one there with `sistel cluster --host ADDRESS`, which prints its address",
            "запустите его там командой `sistel cluster --host АДРЕС`, она печатает адрес",
        ),
    )


__all__ = ["cores", "serve"]
