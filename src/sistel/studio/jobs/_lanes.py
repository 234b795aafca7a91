"""Lanes: each has a process or two that answer calls in turn, so that a slow one does not hold up those of others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Final

from sistel.records import record
from sistel.studio.jobs._child import SERVICE, Start, answer_calls, as_json, own_failure
from sistel.studio.jobs._preloaded import begun

IDLE: Final = 300.0
"""After how long without calls a process is given back [s]."""


@record
class Limits:
    """What a process beside the server may take."""

    memory: int = 4 * 2**30
    """[bytes]."""
    seconds: float = 60.0
    """That an answer may take."""
    run_seconds: float = 3600.0
    """That a run may take; it is kept as far as it came."""
    jobs: int = 2
    """At a time."""


class Lane:
    """A process that answers calls in turn, made when it is needed and made anew when it fails."""

    def __init__(self, name: str, folder: str, limits: Limits, table: str = SERVICE) -> None:
        """For names of files in a folder; `reply` of a module answers."""
        self.name = name
        self.table = table
        self.folder = folder
        self.limits = limits
        self._turn = asyncio.Lock()
        self._process: BaseProcess | None = None
        self._link: Connection | None = None
        self._thread = ThreadPoolExecutor(1, f"lane-{name}")
        self._tidying: asyncio.TimerHandle | None = None
        self._closed = False

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Lane]:
        """Wait until it is free."""
        async with self._turn:
            yield self

    async def ask(self, name: str, params: Mapping[str, object]) -> bytes:
        """The answer to a call as JSON; inside `turn`."""
        loop = asyncio.get_running_loop()
        if self._tidying is not None:
            self._tidying.cancel()
        try:
            asked = loop.run_in_executor(self._thread, self._exchange, name, params)
            return await asyncio.wait_for(asyncio.shield(asked), self.limits.seconds)
        except TimeoutError:
            self._kill()
            with suppress(Exception):
                await asked
            most = self.limits.seconds
            return as_json(
                own_failure(
                    "too-slow",
                    f"no answer within {most:g} s; it was stopped",
                    f"за {most:g} с ответа нет; вычисление остановлено",
                )
            )
        except asyncio.CancelledError:
            self._kill()
            raise
        finally:
            if not self._closed:
                self._tidying = loop.call_later(IDLE, self._end)

    def _exchange(self, name: str, params: Mapping[str, object]) -> bytes:
        link = self._ready()
        try:
            link.send((name, params))
            return link.recv_bytes()
        except (EOFError, OSError, BrokenPipeError):
            process = self._process
            code = None
            if process is not None:
                process.join(1.0)
                code = process.exitcode
            self._end()
            return as_json(died(code))

    def _ready(self) -> Connection:
        if self._process is not None and self._process.is_alive() and self._link is not None:
            return self._link
        start = Start(self.folder, self.limits.memory, 0)
        self._process, self._link = begun(answer_calls, start, self.table, name=f"studio-{self.name}")
        return self._link

    @property
    def process(self) -> int | None:
        """The number of the process, while there is one."""
        return None if self._process is None else self._process.pid

    def _kill(self) -> None:
        """End the process; who waits for its answer hears of it."""
        if self._process is not None:
            self._process.kill()
            self._process.join(2.0)

    def _end(self) -> None:
        """End the process, and forget it; nobody waits for an answer."""
        self._kill()
        self._process = None
        link, self._link = self._link, None
        if link is not None:
            link.close()

    def close(self) -> None:
        """End it for good."""
        self._closed = True
        if self._tidying is not None:
            self._tidying.cancel()
        self._kill()
        self._thread.shutdown(wait=False, cancel_futures=True)


def died(code: int | None) -> dict[str, object]:
    """A process that ended by itself, or was killed."""
    how = "" if code is None else f" (signal {-code})" if code < 0 else f" (status {code})"
    ru = "" if code is None else f" (сигнал {-code})" if code < 0 else f" (код {code})"
    return own_failure(
        "crashed",
        f"the process that worked on this ended{how}; the next call gets a new one",
        f"процесс, который это вычислял, прервался{ru}; следующий вызов получит новый",
    )
