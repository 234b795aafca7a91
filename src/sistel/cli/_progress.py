"""One line on a terminal that says how far the work is, and leaves no trace."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import PurePath

from sistel.cli._console import Console
from sistel.errors import Text

OFTEN = 0.1
"""Time between two signs of progress [s]; what is over sooner shows none."""
CLEAR = "\r\x1b[K"


class ProgressLine:
    """A line on a terminal that is written anew now and then; elsewhere, and with --json, nothing."""

    def __init__(self, console: Console, wait: float | None = None) -> None:
        """Show nothing yet.

        Args:
            console: Where messages go.
            wait: What takes less than this needs no progress [s]; `OFTEN` unless told otherwise.
        """
        self.console, self.shown = console, False
        self.next = time.monotonic() + (OFTEN if wait is None else wait)
        try:
            self.on = not console.json and sys.stderr is not None and sys.stderr.isatty()
        except ValueError:
            self.on = False

    @property
    def due(self) -> bool:
        """Whether it is time to show something."""
        return self.on and time.monotonic() >= self.next

    def show(self, line: str) -> None:
        """Write the line anew, as much of it as there is room for."""
        self.next, self.shown = time.monotonic() + OFTEN, True
        self._put(CLEAR + line[: max(self.console.width - 1, 8)])

    def wipe(self) -> None:
        """Leave no trace."""
        if self.shown:
            self._put(CLEAR)
            self.shown = False

    def _put(self, text: str) -> None:
        if not self.on:
            return
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except (OSError, ValueError):
            self.on = False


@contextmanager
def saying(console: Console, what: Text) -> Iterator[None]:
    """What is being done, on a terminal and only for so long."""
    line = ProgressLine(console)
    if line.on:
        line.show(what.say(console.lang))
    try:
        yield
    finally:
        line.wipe()


def saying_report(console: Console, target: str) -> AbstractContextManager[None]:
    """That a report is being made: its proofs take some seconds where equations are compiled for the first time."""
    name = PurePath(target).name
    if name.endswith((".mp4", ".webm", ".gif")):
        return saying(console, Text(f"drawing {name} …", f"рисуется {name} …"))
    if not name.endswith((".pdf", ".fo", ".print.html")):
        return nullcontext()
    return saying(console, Text(f"making {name}, with proofs …", f"составляется {name}, с проверками …"))
