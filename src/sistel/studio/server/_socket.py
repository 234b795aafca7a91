"""A window: its calls, in the order in which they come, and what it is told."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from sistel.records import mutable
from sistel.studio.jobs import as_json, own_failure

if TYPE_CHECKING:
    from sistel.studio.server._desk import Desk

MOST_WAITING: Final = 64
"""Calls of a window that are not answered yet; then no more of them are read."""
MOST_TOLD: Final = 512
"""Messages that a window has not taken yet; one that takes none is closed."""


_LEFT_OUT: Final = as_json(own_failure("left-out", "a newer call took its place", "её место занял новый вызов"))


@mutable
class Call:
    """A call that waits for its turn or is worked on."""

    number: int
    name: str
    params: Mapping[str, object]
    latest: str | None
    begun: bool = False
    task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """From now on it is answered, whatever comes after it."""
        self.begun = True


class Connection:
    """One window."""

    def __init__(self, websocket: WebSocket, desk: Desk) -> None:
        """Of a socket that may come in."""
        self.websocket = websocket
        self.desk = desk
        self._calls: set[Call] = set()
        self._newest: dict[str, Call] = {}
        self._room = asyncio.Semaphore(MOST_WAITING)
        self._out: deque[tuple[str | None, bytes]] = deque()
        """What is to be sent, each with a key that later messages of its kind take the place of."""
        self._something = asyncio.Event()

    async def serve(self) -> None:
        """Answer as long as the window is there."""
        await self.websocket.accept()
        sender = asyncio.create_task(self._send())
        self.desk.windows.add(self)
        try:
            await self._read()
        finally:
            self.desk.windows.discard(self)
            for call in self._calls:
                if not call.begun and call.task is not None:
                    call.task.cancel()
            sender.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await sender

    async def _read(self) -> None:
        while True:
            try:
                text = await self.websocket.receive_text()
            except (WebSocketDisconnect, KeyError, RuntimeError):
                return
            call = self._parse(text)
            if call is None:
                continue
            await self._room.acquire()
            self._calls.add(call)
            if call.latest is not None:
                older, self._newest[call.latest] = self._newest.get(call.latest), call
                if older is not None and not older.begun and older.task is not None:
                    older.task.cancel()
            call.task = asyncio.create_task(self._answer(call))
            call.task.add_done_callback(partial(self._unbegun, call))

    def _parse(self, text: str) -> Call | None:
        number: object = None
        try:
            message = json.loads(text)
            number = message.get("id")
            name, params, latest = message["call"], message.get("with", {}), message.get("latest")
            if (
                isinstance(number, int)
                and isinstance(name, str)
                and isinstance(params, dict)
                and isinstance(latest, str | None)
            ):
                return Call(number, name, params, latest)
        except (ValueError, KeyError, AttributeError, RecursionError):
            pass
        self._put(
            number if isinstance(number, int) else None,
            as_json(own_failure("bad-message", "this is no call", "это не вызов")),
        )
        return None

    async def _answer(self, call: Call) -> None:
        try:
            found = await self.desk.answer(call)
        except asyncio.CancelledError:
            if call.begun:
                return
            found = _LEFT_OUT
        finally:
            self._over(call)
        self._put(call.number, found)

    def _unbegun(self, call: Call, task: asyncio.Task[None]) -> None:
        """A newer call came before this one had its first step: nothing of `_answer` was done for it."""
        if task.cancelled():
            self._over(call)
            self._put(call.number, _LEFT_OUT)

    def _over(self, call: Call) -> None:
        self._calls.discard(call)
        if call.latest is not None and self._newest.get(call.latest) is call:
            del self._newest[call.latest]
        self._room.release()

    def _put(self, number: int | None, found: bytes) -> None:
        self._queue(None, b'{"id":' + json.dumps(number).encode() + b"," + found[1:])

    def tell(self, kind: str, params: Mapping[str, object], key: str | None = None) -> None:
        """Tell the window something.

        Args:
            kind: What.
            params: The details.
            key: Of what later messages make needless, as long as it is not sent.
        """
        self._queue(key, as_json({"told": kind, "with": params}))

    def _queue(self, key: str | None, data: bytes) -> None:
        if key is not None:
            for place, (other, _) in enumerate(self._out):
                if other == key:
                    self._out[place] = (key, data)
                    return
        self._out.append((key, data))
        if len(self._out) > MOST_TOLD:
            self._out.clear()
            task = asyncio.ensure_future(self._close(1013))
            self._closing = task
        self._something.set()

    async def _send(self) -> None:
        while True:
            while self._out:
                _, data = self._out.popleft()
                try:
                    await self.websocket.send_text(data.decode())
                except (WebSocketDisconnect, RuntimeError):
                    return
            self._something.clear()
            await self._something.wait()

    async def _close(self, code: int) -> None:
        with suppress(RuntimeError):
            if self.websocket.application_state is WebSocketState.CONNECTED:
                await self.websocket.close(code)

    async def say_goodbye(self, why: str) -> None:
        """Tell the window that the server ends."""
        with suppress(RuntimeError, WebSocketDisconnect):
            await self.websocket.send_text(as_json({"told": "bye", "with": {"why": why}}).decode())
        await self._close(1001)
