"""Who else writes: files that windows have open are looked at often, the folder as a whole now and then."""

from __future__ import annotations

import asyncio
import os
import time
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError

if TYPE_CHECKING:
    from sistel.studio.server._desk import Desk

OFTEN: Final = 0.15
"""Between two looks at the files that are open [s]."""
SELDOM: Final = 1.0
"""Between two looks at the folder, at least; a large one is looked at less often [s]."""
PART: Final = 0.05
"""Of the time that looking at the folder may take."""
MOST: Final = 200
"""Files that are looked at often, those that were opened last."""

Key = tuple[int, int, int] | None
"""When a file was written, its size, its number; None where it is not there."""


class Watch:
    """What the disk had when somebody here looked last."""

    def __init__(self, desk: Desk) -> None:
        """Nothing is looked at yet."""
        self.desk = desk
        self.turn = asyncio.Lock()
        """Held while a window saves: what it writes itself is no news to it."""
        self._open: OrderedDict[str, tuple[Key, str | None]] = OrderedDict()
        self._listed: object = None
        self._runs: Key = None
        self._next = 0.0

    def seen(self, path: str, stamp: str | None) -> None:
        """A window has a file open, and knows this of it."""
        self._open[path] = self._key(path), stamp
        self._open.move_to_end(path)
        while len(self._open) > MOST:
            self._open.popitem(last=False)

    def forget(self, path: str) -> None:
        """A file that no window has open under this name."""
        self._open.pop(path, None)

    async def go_on(self) -> None:
        """Look as long as the server runs."""
        while True:
            await asyncio.sleep(OFTEN)
            if not self.desk.windows:
                continue
            try:
                await self._look()
            except (OSError, SistelError):
                self._next = time.monotonic() + SELDOM  # the folder itself is away: it may come back

    async def _look(self) -> None:
        async with self.turn:
            for path, stamp in await asyncio.to_thread(self._changed):
                if stamp is None:
                    self.desk.tell("file.gone", {"path": path}, f"gone {path}")
                else:
                    self.desk.tell("file.changed", {"path": path, "stamp": stamp}, f"changed {path}")
        if time.monotonic() >= self._next:
            await self._look_around()

    def _changed(self) -> list[tuple[str, str | None]]:
        """Open files that are others than they were, with what they are now; in a thread."""
        found: list[tuple[str, str | None]] = []
        for path, (key, stamp) in list(self._open.items()):
            now = self._key(path)
            if now == key:
                continue
            try:
                fresh = None if now is None else self.desk.files.held(path).stamp
            except SistelError:
                fresh = None if self._key(path) is None else stamp  # no text for the moment, or no access
            if path in self._open:
                self._open[path] = now, fresh
            if fresh != stamp:
                found.append((path, fresh))
        return found

    def _key(self, path: str) -> Key:
        return key_of(os.path.join(self.desk.files.folder.root, path))

    async def _look_around(self) -> None:
        begin = time.monotonic()
        listed, runs = await asyncio.to_thread(self._around)
        self._next = time.monotonic() + max(SELDOM, (time.monotonic() - begin) / PART)
        if self._listed is not None and listed != self._listed:
            self.desk.tell("files.changed", {}, "files")
        if runs != self._runs and self._listed is not None:
            self.desk.tell("runs.changed", {}, "runs")
        self._listed, self._runs = listed, runs

    def _around(self) -> tuple[object, Key]:
        listing = self.desk.files.listed()
        return listing["files"], key_of(os.path.join(self.desk.files.folder.own, "runs"))


def key_of(place: str | os.PathLike[str]) -> Key:
    """What tells whether a file was written again."""
    try:
        state = os.stat(place)
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino
