"""`sistel` for many short calls: a process that has imported it once forks for every call.

A page of documentation calls `sistel` dozens of times, and importing takes most of the time of most calls. The script
that `write_sistel` leaves is called as `sistel` is, from a shell, in any folder and with any surroundings: it hands its
arguments, folder, environment and standard streams to the process, whose child does the rest and gives the exit status.
"""

from __future__ import annotations

import array
import atexit
import functools
import importlib
import io
import json
import os
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

LIMITS = "SISTEL_LIMITS"
"""The variable with limits of a call: bytes beyond what the process has, and seconds of a processor."""
WAIT = 60.0
"""How long it may take to import everything, on a busy machine [s]."""

WARM = (
    *("sistel.cli._main", "sistel.arms", "sistel.cells", "sistel.drives", "sistel.formulas", "sistel.proofs"),
    *("sistel.simulation", "sistel.solve", "sistel.tasks", "sistel.views.animation", "sistel.views.page"),
    *("sistel.views.charts", "sistel.views.drives", "sistel.views.schemes", "sistel.views.tasks", "sistel.views.text"),
)
"""What is imported before the first call."""
SWING = '<system><body name="p" joint="revolute" mass="1" com="0,1"/></system>'

# Plain Python without site packages starts in a hundredth of a second.
CLIENT = """import array, json, os, socket, sys
with socket.socket(socket.AF_UNIX) as call:
    call.connect({address!r})
    text = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode("utf-8", "surrogateescape")
    call.sendmsg([len(text).to_bytes(8, "big")], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))])
    call.sendall(text)
    answer = call.recv(4)
sys.exit(int.from_bytes(answer, "big") if len(answer) == 4 else 125)
"""


def write_sistel(path: Path, address: Path) -> None:
    """A command that does what `sistel` does, by way of the process that listens at the address."""
    client = path.with_suffix(".py")
    client.write_text(CLIENT.format(address=str(address)), encoding="utf-8")
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S -E "{client}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)


@contextmanager
def serving(folder: Path) -> Iterator[Path]:
    """The address of a process that does calls until the end."""
    address = folder / "sistel.socket"
    # What Python reads when it starts: streams keep the order in which messages and data were written.
    env = os.environ | {"PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1", "OPENBLAS_NUM_THREADS": "1"}
    call = [sys.executable, "-m", "support.commands", str(address)]
    process = subprocess.Popen(call, cwd=Path(__file__).parents[1], env=env)
    try:
        last = time.monotonic() + WAIT
        while not address.exists():
            assert process.poll() is None and time.monotonic() < last, "the process for calls of `sistel` did not start"
            time.sleep(0.02)
        yield address
    finally:
        process.kill()
        process.wait()


@functools.cache
def sistel_program() -> str:
    """A command that does what `sistel` does, for all tests of this process: begun by the first that asks for it."""
    stack = ExitStack()
    atexit.register(stack.close)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    write_sistel(folder / "sistel", stack.enter_context(serving(folder)))
    return str(folder / "sistel")


def serve(address: str) -> None:
    """Forks for every call that comes."""
    for name in WARM:
        importlib.import_module(name)
    # What every run does the first time that a process computes: it finds the processor, and begins with LLVM.
    importlib.import_module("sistel").parse(SWING).simulate(0.1)
    assert threading.active_count() == 1, "a process with threads is not forked"
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(f"{address}.new")
        door.listen(16)
        os.rename(f"{address}.new", address)  # only a door that is open is seen
        while True:
            call, _ = door.accept()
            with call:
                if os.fork() == 0:
                    door.close()
                    _answer(call)
            # Those that have ended are let go; their time counts as this process's.
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _answer(call: socket.socket) -> None:
    """One call, in a process of its own, between whose parent and child nothing is shared but the exit status."""
    head, control, *_ = call.recvmsg(8, socket.CMSG_SPACE(3 * array.array("i").itemsize))
    streams = struct.unpack("3i", control[0][2])
    size, text = int.from_bytes(head, "big"), b""
    while len(text) < size:
        text += call.recv(size - len(text))
    arguments, folder, environment = json.loads(text.decode("utf-8", "surrogateescape"))
    doing = os.fork()
    if doing:
        for stream in streams:
            os.close(stream)
        _, status = os.waitpid(doing, 0)
        with suppress(OSError):
            call.sendall(os.waitstatus_to_exitcode(status).to_bytes(4, "big", signed=True))
        os._exit(0)
    call.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    _open_streams()
    os.environ.clear()
    os.environ.update(environment)
    _limit(os.environ.pop(LIMITS, ""))
    os.chdir(folder)
    sys.argv = ["sistel", *arguments]
    from sistel.cli import main

    # As a program ends: what is waiting to be done at the end is done, and the streams are flushed.
    sys.exit(main())


def limits(memory: int, seconds: int) -> dict[str, str]:
    """What the environment of a call says to limit it [bytes, s]."""
    return {LIMITS: f"{memory} {seconds}"}


def _limit(words: str) -> None:
    if not words:
        return
    import resource

    memory, seconds = map(int, words.split())
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    memory += pages * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def _open_streams() -> None:
    """Those of this process, as Python opens them when nothing is to wait in them; what was opened knew other files."""
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(cast("BinaryIO", io.FileIO(number, "w", closefd=False)), encoding="utf-8", write_through=True)
        for number in (1, 2)
    )


if __name__ == "__main__":
    serve(sys.argv[1])
