"""Processes that die instead of us: each file is tried in a child with limits, so that a death has its cause."""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import mmap
import os
import pickle
import resource
import select
import shutil
import signal
import struct
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from support.fuzzing.judge import Fault, Judge, Outcome
from support.fuzzing.stages import Rates, Ways, quiet

SECONDS = 30
"""Of the processor, for one file."""
PATIENCE = 240.0
"""By the clock, for one file on a busy machine [s]."""
MEMORY = 2**30
"""What one file may take, beyond what the process has [bytes]."""
STALE = 400 * 2**20
"""A child that has grown by this is replaced before the next file: what was compiled stays in memory [bytes]."""


class Worker:
    """A child at a time, replaced when it dies, has grown, or has worked long."""

    def __init__(self, make: Callable[[Path], Ways], folder: Path, lifetime: int = 2000) -> None:
        self.make, self.folder, self.lifetime = make, folder, lifetime
        self.log = folder / "child.log"
        self.deaths = 0
        self._stage = mmap.mmap(-1, 64)
        self._child: tuple[int, int, int] | None = None
        self._done = 0

    def process(self, kind: str, suffix: str, data: bytes) -> Outcome:
        """What came of a file; deaths of the child are faults like others."""
        return self.process_all([(kind, suffix, data)])[0]

    def process_all(self, jobs: Sequence[tuple[str, str, bytes]]) -> list[Outcome]:
        """As `process`, in order. A child gets all files at once: on a busy machine every change of turns costs much."""
        outcomes: list[Outcome] = []
        while len(outcomes) < len(jobs):
            if self._child is None:
                self._child, self._done = self._fork(), 0
            pid, told, heard = self._child
            block = self.folder / "jobs"
            block.write_bytes(pickle.dumps(jobs[len(outcomes) :]))
            alive = True
            try:
                _send(told, b"")
            except BrokenPipeError:
                alive = False
            while alive and len(outcomes) < len(jobs):
                waited = not select.select([heard], [], [], PATIENCE)[0]
                try:
                    answer = b"" if waited else _receive(heard)
                except EOFError:
                    answer = b""
                if not answer:
                    outcomes.append(self._buried(pid, waited))
                    break
                outcome, last = pickle.loads(answer)
                assert isinstance(outcome, Outcome)
                outcomes.append(outcome)
                self._done += 1
                if last:
                    self.close()
                    break
            if not alive:
                outcomes.append(self._buried(pid, False))
            if self._child is not None and self._done >= self.lifetime:
                self.close()
        return outcomes

    def _buried(self, pid: int, waited: bool) -> Outcome:
        """The outcome of a file that killed its child."""
        if waited:
            os.kill(pid, signal.SIGABRT)
            time.sleep(1.0)
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        status = os.waitpid(pid, 0)[1]
        self._forget()
        self.deaths += 1
        number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        word = signal.Signals(number).name if number else f"exit {os.waitstatus_to_exitcode(status)}"
        stage = bytes(self._stage[:64]).rstrip(b"\0").decode()
        trace = self.log.read_text(encoding="utf-8", errors="replace")[-5000:] if self.log.exists() else ""
        kind = "hang" if waited or number == signal.SIGXCPU else "killed"
        own = [line.strip() for line in trace.splitlines() if "/src/sistel/" in line]
        place = own[0].rpartition("/src/")[2] if own else "outside"
        return Outcome(
            stages=[stage], refused=stage, faults=[Fault(kind, f"{kind}: {word} {stage} {place}", stage, trace)]
        )

    def _fork(self) -> tuple[int, int, int]:
        (job_out, job_in), (answer_out, answer_in) = os.pipe(), os.pipe()
        pid = os.fork()
        if pid:
            os.close(job_out)
            os.close(answer_in)
            return pid, job_in, answer_out
        status = 1
        try:
            os.close(job_in)
            os.close(answer_out)
            self._work(job_out, answer_in)
            status = 0
        except BaseException:
            import traceback

            with self.log.open("a", encoding="utf-8") as log:
                traceback.print_exc(file=log)
        finally:
            os._exit(status)

    def _work(self, jobs: int, answers: int) -> None:
        quiet()
        gc.freeze()
        log = self.log.open("w", encoding="utf-8")
        faulthandler.enable(log)
        faulthandler.register(signal.SIGXCPU, log, chain=True)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        begin = _size()
        resource.setrlimit(resource.RLIMIT_AS, (begin + MEMORY + STALE, resource.RLIM_INFINITY))
        folder = Path(tempfile.mkdtemp(dir=self.folder))
        try:
            ways = self.make(folder)
            while True:
                try:
                    _receive(jobs)
                except EOFError:
                    return
                for kind, suffix, data in pickle.loads((self.folder / "jobs").read_bytes()):
                    outcome = self._one(ways, kind, suffix, data)
                    last = _size() - begin > STALE
                    _send(answers, pickle.dumps((outcome, last)))
                    if last:
                        return
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _one(self, ways: Ways, kind: str, suffix: str, data: bytes) -> Outcome:
        used = time.process_time()
        resource.setrlimit(resource.RLIMIT_CPU, (int(used) + SECONDS, resource.RLIM_INFINITY))
        judge = Judge(self._tell)
        judge.outcome.stages.append("begin")
        ways.go(kind, suffix, data, judge)
        judge.outcome.seconds = time.process_time() - used
        return judge.outcome

    def _tell(self, stage: str) -> None:
        self._stage[:64] = stage.encode()[:64].ljust(64, b"\0")

    def close(self) -> None:
        """Let the child end."""
        if self._child is not None:
            pid = self._child[0]
            self._forget()
            os.waitpid(pid, 0)

    def _forget(self) -> None:
        assert self._child is not None
        for handle in self._child[1:]:
            os.close(handle)
        self._child = None
        for left in self.folder.glob("tmp*"):
            shutil.rmtree(left, ignore_errors=True)


def worker(root: Path, folder: Path, rates: Rates) -> Worker:
    """One whose files stand beside copies of the gallery."""

    def made(place: Path) -> Ways:
        for path in (root / "models").glob("*.xml"):
            shutil.copy(path, place / path.name)
        (place / "cells").mkdir()
        for path in (root / "models" / "cells").glob("*.xml"):
            shutil.copy(path, place / "cells" / path.name)
        return Ways(root, place, rates)

    return Worker(made, folder)


def _size() -> int:
    """Address space of this process [bytes]."""
    return int(Path("/proc/self/statm").read_text().split()[0]) * mmap.PAGESIZE


def _send(handle: int, data: bytes) -> None:
    data = struct.pack("<Q", len(data)) + data
    while data:
        data = data[os.write(handle, data) :]


def _receive(handle: int) -> bytes:
    count = struct.unpack("<Q", _exactly(handle, 8))[0]
    return _exactly(handle, count)


def _exactly(handle: int, count: int) -> bytes:
    data = b""
    while len(data) < count:
        piece = os.read(handle, count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data
