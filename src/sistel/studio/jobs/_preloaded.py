"""What every process beside the server has imported before it is made: they are forked from one that did, in ms."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.context import ForkServerContext, SpawnContext  # Windows has the second alone


def begun(work: Callable[..., None], *arguments: object, name: str) -> tuple[BaseProcess, Connection]:
    """A process that has begun, and the link to it.

    Args:
        work: What it does, of its end of the link and the arguments.
        arguments: The arguments.
        name: Of the process.
    """
    how = _context()
    ours, theirs = how.Pipe()
    process = how.Process(target=work, args=(theirs, *arguments), daemon=True, name=name)
    process.start()
    theirs.close()
    return process, ours


def _context() -> ForkServerContext | SpawnContext:
    """How processes are made here."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    known = multiprocessing.get_all_start_methods()
    if "forkserver" not in known:
        return multiprocessing.get_context("spawn")
    found = multiprocessing.get_context("forkserver")
    found.set_forkserver_preload(["sistel.studio.jobs._warm"])
    return found


def freeze() -> None:
    """What is there now stays: looking through it for garbage would copy the pages that processes share."""
    gc.collect()
    gc.freeze()
