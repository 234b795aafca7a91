"""What every process beside the server has imported before it is made: they are forked from one that did, in ms."""

from __future__ import annotations

import gc
import multiprocessing
import os
from multiprocessing.context import BaseContext
from typing import Final

METHODS: Final = ("forkserver", "spawn")


def context() -> BaseContext:
    """How processes are made here."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    known = multiprocessing.get_all_start_methods()
    method = next(each for each in METHODS if each in known)
    found = multiprocessing.get_context(method)
    if method == "forkserver":
        found.set_forkserver_preload(["sistel.studio.jobs._warm"])
    return found


def freeze() -> None:
    """What is there now stays: looking through it for garbage would copy the pages that processes share."""
    gc.collect()
    gc.freeze()
