"""Long searches in threads of their own, so that Ctrl-C is heard while they run, and all cores work."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Whole

LONG = 200_000
"""Attempts from which a search is run beside the thread that asks: less than that takes a second at most."""
MANY = 2048
"""Poses from which all threads work: fewer are found before threads are under way."""
POSES = 256
"""Poses that a thread takes at a time, at least: lanes that wait for the last of them are then few."""
HEARD = 0.1
"""How often the thread that asks looks up [s]: not everywhere does a signal end its wait."""
SHARES = 4
"""Parts of a batch for every thread: some take longer than others."""


@record
class Job:
    """A call of machine code that lets the interpreter's lock go, and how to end it early."""

    call: Callable[[], object]
    counts: Whole
    """The whole numbers of the call."""
    stop: int
    """Place of its flag."""


def cores() -> int:
    """How many this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def parts(count: int, attempts: int, threads: int) -> list[slice]:
    """A batch in parts, in order; what is found does not depend on how it is cut."""
    if count < MANY and attempts <= LONG:
        return [slice(0, count)]
    size = max(POSES, -(-count // (threads * SHARES)))
    return [slice(begin, min(begin + size, count)) for begin in range(0, count, size)]


def run_jobs(jobs: Sequence[Job], attempts: int, threads: int) -> None:
    """Do them all.

    Args:
        jobs: What is to do.
        attempts: How many there are at most, to tell what is long.
        threads: At a time.

    Raises:
        KeyboardInterrupt: Somebody pressed Ctrl-C; nothing runs any more.
    """
    alone = len(jobs) == 1 and threading.current_thread() is not threading.main_thread()
    if alone or (len(jobs) == 1 and attempts <= LONG):
        for job in jobs:
            job.call()
        return
    with ThreadPoolExecutor(min(threads, len(jobs)), thread_name_prefix="sistel") as pool:
        try:
            futures = [pool.submit(job.call) for job in jobs]
            while wait(futures, HEARD).not_done:
                pass
        except BaseException:
            # Before the pool waits for its threads.
            for job in jobs:
                job.counts[job.stop] = 1
            raise
        for future in futures:
            future.result()
