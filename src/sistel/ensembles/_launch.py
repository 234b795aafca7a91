"""All chunks of an ensemble: on the threads of this machine, on a cluster, or on whatever carries them elsewhere."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import TYPE_CHECKING

from sistel.ensembles._chunk import Stopped, do_piece
from sistel.ensembles._cluster import ClusterLost
from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from sistel.ensembles._cluster import Cluster
    from sistel.ensembles._device import Device
    from sistel.ensembles._part import Part
    from sistel.ensembles._store import Store
    from sistel.ensembles._work import Work
    from sistel.ensembles._workshop import Workshop

Progress = Callable[[int, int], None]
"""Told how many runs are done, of how many."""

AHEAD = 2
"""Chunks handed out for every worker, so that none waits; the others are made when there is room for them."""

GO_ON = Text(
    "they are kept: the same call goes on from there, on a cluster or on this machine",
    "они сохранены: тот же вызов продолжит с этого места, на кластере или на этой машине",
)
GO_ON_NEXT_TIME = Text(
    "nothing was kept; with a folder for what is finished (keep, --keep) the same call goes on from there",
    "ничего не сохранено; с папкой для готового (keep, --keep) тот же вызов продолжит с этого места",
)


def cores() -> int:
    """Processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


class Launch:
    """Does the chunks of an ensemble that are not done yet; each is yielded as soon as it is finished."""

    def __init__(
        self,
        work: Work,
        *,
        threads: int | None,
        executor: Executor | None,
        cluster: Cluster | None,
        store: Store | None,
        progress: Progress | None,
        device: Device | None = None,
    ) -> None:
        self.work, self.store, self.progress = work, store, progress
        self.threads = threads or cores()
        self.executor, self.cluster, self.device = executor, cluster, device
        self.stopped = False
        """Whether Ctrl-C ended it."""
        self._halt = threading.Event()
        self._shops: set[Workshop] = set()
        self._done = 0

    def _watch(self, shop: Workshop) -> bool:
        self._shops.add(shop)
        return self._halt.is_set()

    def parts(self) -> Iterator[tuple[int, Part]]:
        """Numbers and results of chunks, in the order in which they are finished; those on disk come first."""
        todo: list[int] = []
        for index in range(self.work.chunks):
            part = None if self.store is None else self.store.load(index)
            if part is None:
                todo.append(index)
            else:
                yield self._counted(index, part)
        if not todo:
            return
        try:
            if self.cluster is not None:
                yield from self._through_cluster(self.cluster, todo)
            elif self.device is not None:
                for index in todo:
                    yield self._finished(index, do_piece(self.work.piece(index), self._watch, self.device))
            elif self.executor is not None:
                yield from self._through(self.executor, todo, os.cpu_count() or 1, None)
            else:
                with ThreadPoolExecutor(self.threads, thread_name_prefix="sistel") as pool:
                    try:
                        yield from self._through(pool, todo, self.threads, self._watch)
                    except BaseException:
                        self._stop()  # before the pool waits for its threads
                        raise
        except KeyboardInterrupt:
            self.stopped = True

    def _through_cluster(self, cluster: Cluster, todo: list[int]) -> Iterator[tuple[int, Part]]:
        """Chunks come back from other machines; they are written here, so that no other machine needs the folder."""

        def keep(index: int, part: Part) -> None:
            if self.store is not None:
                self.store.save(index, part)

        try:
            for index, part in cluster.parts(todo, keep):
                yield self._finished(index, part)
            return
        except ClusterLost as problem:
            en, ru = problem.why
        done, of = self._done, self.work.count
        refuse(
            "cluster-lost",
            Text(f"{en}; {done:,} of {of:,} runs are done", f"{ru}; выполнено запусков: {done} из {of}"),
            hint=GO_ON if self.store is not None else GO_ON_NEXT_TIME,
        )

    def _stop(self) -> None:
        """Threads come back between two steps of a run."""
        self._halt.set()
        for shop in list(self._shops):
            shop.halt()

    def _through(
        self, pool: Executor, todo: list[int], workers: int, watch: Callable[[Workshop], bool] | None
    ) -> Iterator[tuple[int, Part]]:
        waiting: dict[Future[Part], int] = {}
        left = iter(todo)
        try:
            while True:
                while len(waiting) < AHEAD * workers:
                    index = next(left, None)
                    if index is None:
                        break
                    piece = self.work.piece(index)
                    future = pool.submit(do_piece, piece) if watch is None else pool.submit(do_piece, piece, watch)
                    waiting[future] = index
                if not waiting:
                    return
                finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in sorted(finished, key=waiting.__getitem__):
                    yield self._finished(waiting.pop(future), future.result())
        finally:
            for future in waiting:
                future.cancel()
            if waiting:
                self._stop()
                self._rescue(waiting)

    def _rescue(self, waiting: dict[Future[Part], int]) -> None:
        """Keep the chunks that were finished while somebody pressed Ctrl-C."""
        for future, index in waiting.items():
            if future.done() and not future.cancelled() and self.store is not None:
                with suppress(Exception, Stopped):
                    self.store.save(index, future.result())

    def _finished(self, index: int, part: Part) -> tuple[int, Part]:
        if self.store is not None:
            self.store.save(index, part)
        return self._counted(index, part)

    def _counted(self, index: int, part: Part) -> tuple[int, Part]:
        self._done += len(part)
        if self.progress is not None:
            self.progress(self._done, self.work.count)
        return index, part
