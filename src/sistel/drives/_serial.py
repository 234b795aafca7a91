"""Emulated drives behind a pseudo-terminal: any program that knows a serial port can talk to them, in real time."""

from __future__ import annotations

import os
import select
import threading
import time
from typing import TYPE_CHECKING, Protocol

from sistel.drives._emulator2 import Bus2
from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.drives._emulator3 import Faulhaber3

LONGEST = 4096
"""Of a line; what is longer is noise [bytes]."""
FLOW = bytes((0x11, 0x13))
"""XON and XOFF."""


class Wire(Protocol):
    """Something at the other end of a serial line."""

    def receive(self, data: bytes) -> bytes:
        """Bytes from the line; what is answered."""

    def tick(self) -> bytes:
        """One millisecond; what is sent without being asked."""


class TextWire:
    """Drives that read lines of text: FAULHABER V2.5."""

    def __init__(self, bus: Bus2) -> None:
        self.bus, self.buffer = bus, b""

    def receive(self, data: bytes) -> bytes:
        """Whole lines end with a carriage return; answers with that and a line feed."""
        self.buffer += data.translate(None, FLOW + b"\n")
        *lines, self.buffer = self.buffer.split(b"\r")
        self.buffer = self.buffer[-LONGEST:]
        said = (self.bus.command(line.decode("ascii", "replace")) for line in lines)
        return b"".join(f"{text}\r\n".encode() for text in said if text)

    def tick(self) -> bytes:
        """Letters that drives send by themselves."""
        self.bus.tick()
        return b"".join(f"{text}\r\n".encode() for text in self.bus.messages())


class TelegramWire:
    """Drives that read telegrams: FAULHABER V3.0."""

    def __init__(self, drives: list[Faulhaber3]) -> None:
        self.drives = drives

    def receive(self, data: bytes) -> bytes:
        """All drives hear everything; the one that is meant answers."""
        return b"".join(drive.receive(data) for drive in self.drives)

    def tick(self) -> bytes:
        """They say nothing by themselves."""
        for drive in self.drives:
            drive.tick()
        return b""


class SerialLine:
    """A pseudo-terminal with drives behind it; `path` is what others open."""

    def __init__(self, wire: Wire) -> None:
        """Open it.

        Raises:
            SistelError: This system has no pseudo-terminals.
        """
        try:
            import tty

            self.master, self.slave = os.openpty()
            os.set_blocking(self.master, False)
            tty.setraw(self.slave)
        except (ImportError, AttributeError, OSError) as problem:
            said = str(problem)
            refuse("no-terminal", Text(f"no pseudo-terminal: {said}", f"нет псевдотерминала: {said}"))
        self.path = os.ttyname(self.slave)
        self.wire = wire
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        begin, ticks = time.monotonic(), 0
        while not self._over.is_set():
            ready, _, _ = select.select([self.master], [], [], 0.001)
            if ready:
                try:
                    data = os.read(self.master, LONGEST)
                except OSError:  # nobody has it open
                    data = b""
                self._send(self.wire.receive(data))
            due = int(1e3 * (time.monotonic() - begin))
            # A machine that was busy for long does not let the drives jump after it.
            ticks = max(ticks, due - 1000)
            while ticks < due:
                ticks += 1
                self._send(self.wire.tick())

    def _send(self, data: bytes) -> None:
        """What nobody reads is lost, as on a real line: drives do not wait."""
        while data:
            try:
                data = data[os.write(self.master, data) :]
            except (BlockingIOError, OSError):
                return

    def __enter__(self) -> SerialLine:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        os.close(self.master)
        os.close(self.slave)

    def wait(self) -> None:
        """Until somebody interrupts."""
        while self._thread.is_alive():
            self._thread.join(0.2)
