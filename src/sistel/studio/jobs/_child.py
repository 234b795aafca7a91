"""What runs in a process beside the server."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection
from typing import NamedTuple

OWN_ERROR = "own-error"


class Start(NamedTuple):
    """What a process is told when it begins."""

    folder: str
    """Where names of files lead from."""
    memory: int
    """What it may take [bytes]; 0 for any."""
    seconds: int
    """Of a processor; 0 for any."""


def begin(start: Start) -> None:
    """Take the limits, and leave the terminal: its Ctrl-C is for the server, which ends this process."""
    with suppress(OSError, AttributeError):
        os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.chdir(start.folder)
    try:
        import resource
    except ImportError:  # Windows: the server counts the seconds, and nobody the memory
        return
    with suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if start.memory:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_DATA, (start.memory, start.memory))
    if start.seconds:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CPU, (start.seconds, start.seconds + 5))


SERVICE = "sistel.studio.service"
"""The module that answers what windows ask."""
DRAWING = "sistel.studio.jobs._drawing"
"""The one that answers what the server asks."""
SIGNALS = "sistel.studio.jobs._curves"
"""The one that answers what the server asks about signals of runs."""


def answer_calls(link: Connection, start: Start, table: str = SERVICE) -> None:
    """Answer calls, one after the other, as long as somebody asks; `reply` of a module does."""
    begin(start)
    while True:
        try:
            name, params = link.recv()
        except (EOFError, OSError):
            return
        try:
            link.send_bytes(answer(table, name, params))
        except (BrokenPipeError, OSError):
            return


def answer(table: str, name: str, params: Mapping[str, object]) -> bytes:
    """The answer to a call as JSON."""
    try:
        return as_json(import_module(table).reply(name, params))
    except MemoryError:
        return as_json(own_failure("too-much-memory", "this takes more memory than a call may", _RU_MEMORY))
    except RecursionError:
        return as_json(own_failure("too-deep", "this is nested too deep", "вложенность слишком велика"))
    except Exception as problem:
        return as_json(trouble(problem))


_RU_MEMORY = "это занимает больше памяти, чем можно одному вызову"


def trouble(problem: BaseException) -> dict[str, object]:
    """A failure of the program itself, which is told and not hidden."""
    import traceback

    traceback.print_exception(problem, file=sys.stderr)
    kind = type(problem).__name__
    return own_failure(
        OWN_ERROR,
        f"sistel itself failed ({kind}: {problem}); your text need not be wrong",
        f"отказала сама программа ({kind}: {problem}); текст может быть верен",
    )


def own_failure(code: str, en: str, ru: str) -> dict[str, object]:
    """A call that failed without a diagnostic."""
    return {"failed": {"code": code, "message": {"en": en, "ru": ru}, "diagnostics": []}}


def as_json(found: object) -> bytes:
    """JSON as browsers read it: without numbers that are none."""
    return json.dumps(found, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode("utf-8", "replace")
