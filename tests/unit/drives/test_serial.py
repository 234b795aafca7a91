"""Serial lines that are not as they should be: noise, half lines, nobody who reads, a cable that is pulled."""

from __future__ import annotations

import contextlib
import os
import random
import select
import time
from pathlib import Path

import pytest

import sistel
from sistel.drives import FAMILIES, SerialLine, plan_drives, read_drives, serve
from sistel.drives._telegram3 import read_object
from sistel.motion.trajectories import load_table

pytest.importorskip("termios")
MODELS = Path(__file__).parents[3] / "models" / "drives"
ARM = sistel.load(MODELS / "arm.xml")
DRIVES = read_drives(MODELS / "drives.xml", ARM.model)
TABLE = load_table(MODELS / "move.html")


def line(family: str) -> SerialLine:
    return serve(plan_drives(TABLE, DRIVES, FAMILIES[family]))


def ask(port: int, data: bytes, patience: float = 5.0) -> bytes:
    """What comes back, up to its end or to the end of the patience."""
    os.write(port, data)
    said = b""
    until = time.monotonic() + patience
    while time.monotonic() < until and not said.endswith((b"\n", b"E")):
        ready, _, _ = select.select([port], [], [], 0.05)
        said += os.read(port, 4096) if ready else b""
    return said


def test_half_lines_noise_and_unknown_nodes() -> None:
    with line("faulhaber-v2") as served:
        port = os.open(served.path, os.O_RDWR | os.O_NOCTTY)
        try:
            os.write(port, b"1LA10")
            time.sleep(0.05)
            assert ask(port, b"00\r") == b"OK\r\n"  # a line may come in pieces
            noise = bytes(
                random.Random(5).choices([b for b in range(256) if b not in (0x0A, 0x0D, 0x11, 0x13)], k=9000)
            )
            os.write(port, b"1" + noise + b"\r")
            time.sleep(0.1)
            select.select([port], [], [], 0.2)
            os.set_blocking(port, False)
            with contextlib.suppress(BlockingIOError):
                os.read(port, 4096)
            os.set_blocking(port, True)
            assert ask(port, b"1POS\r") == b"0\r\n"
            assert ask(port, b"77POS\r", patience=0.3) == b""  # nobody has this node
            assert ask(port, b"1LA99999999999\r") == b"Invalid parameter\r\n"
            assert ask(port, b"1LA1.5\r") == b"Invalid parameter\r\n"
            assert ask(port, b"1HELLO\r") == b"Unknown command\r\n"
        finally:
            os.close(port)


def test_nobody_reads_and_the_cable_is_pulled() -> None:
    begin = time.monotonic()
    with line("faulhaber-v2") as served:
        port = os.open(served.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        for _ in range(400):
            try:
                os.write(port, b"1POS\r" * 200)
            except BlockingIOError:
                time.sleep(0.001)
        os.close(port)
        time.sleep(0.1)
        again = os.open(served.path, os.O_RDWR | os.O_NOCTTY)
        try:
            os.write(again, b"\r")
            until = time.monotonic() + 10.0
            while b"OK" not in (said := ask(again, b"1EN\r", patience=0.3)) and time.monotonic() < until:
                pass
            assert b"OK" in said  # the drives are still there
        finally:
            os.close(again)
    assert time.monotonic() - begin < 20.0  # and the line can be closed


def test_telegrams_among_noise() -> None:
    with line("faulhaber-v3") as served:
        port = os.open(served.path, os.O_RDWR | os.O_NOCTTY)
        try:
            good = read_object(1, 0x6041, 0).encode()
            assert ask(port, b"\x00\xffSS" + good[:5], patience=0.2) == b""
            # A broken one swallows at most what it says to be long; then they are understood again.
            os.write(port, good * 12)
            assert ask(port, good)[-2:-1]
            while ask(port, b"", patience=0.5):
                pass  # answers to the other ones, which come late on a busy machine
            assert ask(port, read_object(9, 0x6041, 0).encode(), patience=0.2) == b""
        finally:
            os.close(port)
