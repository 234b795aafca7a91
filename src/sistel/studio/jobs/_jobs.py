"""Jobs: what takes longer than an answer. A few at a time, the others wait; each can be interrupted at once."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Final

from sistel.records import mutable
from sistel.studio.jobs._child import Start, own_failure
from sistel.studio.jobs._lanes import IDLE, Limits, died
from sistel.studio.jobs._preloaded import begun
from sistel.studio.jobs._worker import work

if TYPE_CHECKING:
    from sistel.plain import JsonObject

PATIENCE: Final = 1.0
"""After how long a job that does not end when it is interrupted is killed [s]."""
KEEPING: Final = 60.0
"""The same for one that is writing what it has [s]."""
MOST_WAITING: Final = 100
"""Jobs that wait for their turn."""


@mutable
class Job:
    """Something under way."""

    number: str
    kind: str
    name: str
    key: object
    """What a process that did the same before knows already."""
    order: object
    heard: Callable[[Job, JsonObject], None]
    """Called with what it says of its work."""
    ended: Callable[[Job], None]
    """Called once when it is over."""
    made: float
    begun: float | None = None
    share: float | None = None
    note: object = None
    stopping: str | None = None
    """Why it was asked to stop."""
    keeping: bool = False
    failed: JsonObject | None = None
    interrupted: bool = False
    over: bool = False
    ending: bool = False
    """Whether a motion that keeps pace with the clock was asked to end."""
    timers: list[asyncio.TimerHandle] | None = None

    @property
    def took(self) -> float:
        """[s]."""
        return 0.0 if self.begun is None else time.monotonic() - self.begun

    def told(self) -> dict[str, object]:
        """As windows list it."""
        return {"job": self.number, "kind": self.kind, "name": self.name, "share": self.share, "note": self.note}


class Jobs:
    """Everything that is under way or waits, and the processes that do it."""

    def __init__(self, folder: str, limits: Limits) -> None:
        """None yet."""
        self.folder = folder
        self.limits = limits
        self.all: dict[str, Job] = {}
        self._workers: list[Worker] = []
        self._last = 0
        self._closed = False

    def start(self, job: Job) -> None:
        """Begin a job, or let it wait for its turn."""
        self.all[job.number] = job
        self._pump()

    def new_number(self) -> str:
        """What no other job of this server is called."""
        self._last += 1
        return f"j{self._last}"

    @property
    def full(self) -> bool:
        """Whether no more can wait."""
        return len(self.all) >= MOST_WAITING

    def interrupt(self, number: str) -> bool:
        """End a job at once, with what it has until now; says whether it was there."""
        job = self.all.get(number)
        if job is None or job.over:
            return False
        worker = next((each for each in self._workers if each.job is job), None)
        if worker is None:  # it waits
            job.interrupted = True
            self._end(job)
            return True
        self._stop(worker, job, "asked")
        return True

    def touch(self, number: str, name: str, value: float) -> bool:
        """Give an input of a motion under way another value [SI]; without a name, end it. Says whether it is there."""
        worker = next((each for each in self._workers if each.job is not None and each.job.number == number), None)
        return worker is not None and worker.touch(name, value)

    def _stop(self, worker: Worker, job: Job, why: str) -> None:
        if job.over or job.stopping is not None:
            return
        job.stopping = why
        worker.stop()
        self._later(job, KEEPING if job.keeping else PATIENCE, lambda: self._lose_patience(worker, job))

    def _lose_patience(self, worker: Worker, job: Job) -> None:
        if job.over:
            return
        if job.keeping and job.took < self.limits.run_seconds + KEEPING and worker.asked_again(KEEPING):
            self._later(job, KEEPING, lambda: self._lose_patience(worker, job))
            return
        worker.kill()

    def _later(self, job: Job, seconds: float, do: Callable[[], None]) -> None:
        if job.timers is None:
            job.timers = []
        job.timers.append(asyncio.get_running_loop().call_later(seconds, do))

    def _pump(self) -> None:
        """Let those begin that can."""
        for job in tuple(self.all.values()):
            if job.begun is not None or job.over or self._closed:
                continue
            worker = self._free(job.key)
            if worker is None:
                return
            job.begun = time.monotonic()
            worker.do(job)
            self._later(job, self.limits.run_seconds, partial(self._stop, worker, job, "too-long"))

    def _free(self, key: object) -> Worker | None:
        """A process for a job, best one that knows it; none while all are busy."""
        idle = [each for each in self._workers if each.job is None and each.alive]
        known = next((each for each in idle if each.key == key), None)
        if known is not None:
            return known
        if sum(each.job is not None for each in self._workers) >= self.limits.jobs:
            return None
        # One that knows something else would keep both in its memory: it is ended, and a fresh one is there in ms.
        while len(self._workers) >= self.limits.jobs and idle:
            idle.pop(0).end()
        made = Worker(self)
        self._workers.append(made)
        return made

    # --- what processes say; all of it in the loop of the server

    def heard(self, worker: Worker, message: JsonObject) -> None:
        """A word of a process about its job."""
        job = worker.job
        if job is not None:
            if message.get("keeping"):
                job.keeping = True
            if "share" in message:
                job.share, job.note = message["share"], message["note"]
            if "failed" in message:
                job.failed = message["failed"]
            if message.get("interrupted"):
                job.interrupted = True
            job.heard(job, message)
            if "kept" in message or "failed" in message or message.get("over"):
                self._end(job)
        if message.get("over"):
            worker.job = None
            worker.rest()
            self._pump()

    def gone(self, worker: Worker, status: int | None) -> None:
        """A process has ended, whatever it was doing."""
        if worker in self._workers:
            self._workers.remove(worker)
        job, worker.job = worker.job, None
        if job is not None and not job.over:
            if job.stopping == "asked":
                job.interrupted = True
            elif job.stopping is not None:
                job.failed = too_long(self.limits.run_seconds)
            else:
                job.failed = failure_of(died(status))
            self._end(job)
        if not self._closed:
            self._pump()

    def _end(self, job: Job) -> None:
        if job.over:
            return
        job.over = True
        for timer in job.timers or ():
            timer.cancel()
        self.all.pop(job.number, None)
        job.ended(job)

    def close(self) -> None:
        """End all of it."""
        self._closed = True
        for worker in tuple(self._workers):
            worker.end()
        for job in tuple(self.all.values()):
            job.interrupted = True
            self._end(job)


class Worker:
    """A process beside the server."""

    def __init__(self, jobs: Jobs) -> None:
        """It is made with its first job."""
        self.jobs = jobs
        self.job: Job | None = None
        self.key: object = None
        self.ended = False
        self._process: BaseProcess | None = None
        self._link: Connection | None = None
        self._stopped = False
        self._waited = 0.0
        self._idle: asyncio.TimerHandle | None = None
        self._loop = asyncio.get_running_loop()

    @property
    def alive(self) -> bool:
        """Whether it can be given something."""
        return not self.ended and (self._process is None or self._process.is_alive())

    def do(self, job: Job) -> None:
        """Begin a job."""
        if self._idle is not None:
            self._idle.cancel()
        self.job, self.key, self._stopped, self._waited = job, job.key, False, 0.0
        if self._link is not None:
            with suppress(OSError):
                self._link.send(job.order)
            return
        threading.Thread(target=self._follow, args=(job,), daemon=True, name=f"job-{job.number}").start()

    def _follow(self, job: Job) -> None:
        """Start the process and hear it, in a thread: the server goes on meanwhile."""
        limits = self.jobs.limits
        status: int | None = None
        try:
            process, link = begun(work, Start(self.jobs.folder, limits.memory, 0), name="studio-job")
            self._process, self._link = process, link
            link.send(job.order)
            if self._stopped:
                link.send("stop")
            if self.ended:
                process.kill()
            while True:
                message = json.loads(link.recv_bytes())
                self._loop.call_soon_threadsafe(self.jobs.heard, self, message)
        except (EOFError, OSError):
            pass
        finally:
            with suppress(Exception):
                if self._process is not None:
                    self._process.join(5.0)
                    status = self._process.exitcode
            self.ended = True
            with suppress(RuntimeError):  # the server has ended meanwhile
                self._loop.call_soon_threadsafe(self.jobs.gone, self, status)

    def stop(self) -> None:
        """Interrupt the job, as Ctrl-C does."""
        self._stopped = True
        if self._link is not None:
            with suppress(OSError):
                self._link.send("stop")

    def touch(self, name: str, value: float) -> bool:
        """Give an input of the motion under way another value."""
        if self._link is None:
            return False
        with suppress(OSError):
            self._link.send((name, value))
            return True
        return False

    def asked_again(self, seconds: float) -> bool:
        """Whether it may be given more time once more."""
        self._waited += seconds
        return self._waited <= seconds

    def kill(self) -> None:
        """End the process at once."""
        self.ended = True
        if self._process is not None:
            self._process.kill()

    def rest(self) -> None:
        """Wait for another job of the same kind, for a while."""
        self._idle = self._loop.call_later(IDLE, self.end)

    def end(self) -> None:
        """End the process, which has nothing to do or whose work is given up."""
        if self._idle is not None:
            self._idle.cancel()
        self.kill()
        if self in self.jobs._workers:
            self.jobs._workers.remove(self)


def too_long(seconds: float) -> JsonObject:
    """A job that took too long, as a failure."""
    return failure_of(
        own_failure(
            "too-slow", f"not ended within {seconds:g} s; it was stopped", f"за {seconds:g} с не закончено; остановлено"
        )
    )


def failure_of(answer: JsonObject) -> JsonObject:
    """What an answer says of why there is none."""
    found: JsonObject = answer["failed"]
    return found
