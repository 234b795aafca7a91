"""Chunks of an ensemble on the machines of a Dask cluster, whatever happens to these meanwhile.

The scheduler of Dask hands chunks to workers, and does those of a worker that has died on another. Here is the rest:
only so many chunks are under way that no worker waits; every wait has an end; whoever is not there, has gone, or has
another sistel is named; and what comes back says on what machine it was made.
"""

from __future__ import annotations

import secrets
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sistel.ensembles._carried import DECIDES, Carried, Machine, Parcels, do_carried, this_machine
from sistel.ensembles._dask import dask, find_scheduler, quiet, whole_address
from sistel.errors import Diagnostic, Text, refuse

if TYPE_CHECKING:
    from sistel.ensembles._part import Part
    from sistel.ensembles._work import Work

AHEAD = 2
"""Chunks under way for every thread of every worker: one is done, and the next is there already."""
CONNECTING = 10.0
"""How long a cluster may take to answer the first time [s]."""
ANSWERING = 30.0
"""How long it may take later, while it is at work [s]."""
STAFFING = 60.0
"""How long it may be without workers: one that was killed is started again in less [s]."""
LOOKING = 2.0
"""Time between two looks at the workers [s]."""
WAITING = 0.5
"""How long a wait for results lasts before we look whether all is well [s]."""
LEAVING = 3.0
"""How long saying goodbye may take [s]."""
NAMED = 4
"""Workers that a message names."""


class ClusterLost(Exception):
    """The cluster does not do the rest; `why` says so in both languages."""

    def __init__(self, en: str, ru: str) -> None:
        """With the reason."""
        super().__init__(en)
        self.why = Text(en, ru)


class Cluster:
    """The machines behind an address."""

    def __init__(self, address: str, work: Work) -> None:
        """Connects to nothing yet.

        Raises:
            SistelError: Dask is not installed, the address is none, or the system cannot be sent.
        """
        self.engine, self.address = dask(), whole_address(address)
        self.parcels = Parcels(work)
        self._others: dict[str, Carried] = {}
        """One result of every worker that may round otherwise, by its address."""

    def parts(self, todo: Sequence[int], keep: Callable[[int, Part], None]) -> Iterator[tuple[int, Part]]:
        """Numbers and results of chunks as they are finished.

        Args:
            todo: Numbers of the chunks.
            keep: Told of those that are finished while the work is broken off.

        Raises:
            SistelError: There is no cluster, or it cannot do this work.
            ClusterLost: There was one.
        """
        with quiet():
            client = self._connected()
            try:
                yield from _Shift(self, client).parts(todo, keep)
            finally:
                with suppress(Exception):
                    client.close(timeout=LEAVING)

    def _found(self) -> None:
        """See whether a scheduler is there: Dask waits for ever for the first word of a program that is none.

        Raises:
            Exception: None is.
        """
        import asyncio

        answer: Future[None] = Future()

        def ask() -> None:
            try:
                answer.set_result(asyncio.run(find_scheduler(self.engine, self.address, CONNECTING, "client")))
            except Exception as problem:
                answer.set_exception(problem)

        # In a thread, because there may be a loop already (notebooks); in one that Ctrl-C need not wait for.
        threading.Thread(target=ask, name="sistel-cluster", daemon=True).start()
        answer.result()

    def _connected(self) -> Any:
        try:
            self._found()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about versions: what matters to us is compared with every result
                return self.engine.Client(
                    self.address, timeout=CONNECTING, set_as_default=False, direct_to_workers=False, name="sistel"
                )
        except OSError:
            why = Text(f"no cluster answers at {self.address}", f"по адресу {self.address} кластер не отвечает")
        except TypeError:  # what Dask raises where it has no certificates
            why = Text(
                f"{self.address} needs certificates, and the configuration of Dask names none (distributed.comm.tls)",
                f"для {self.address} нужны сертификаты, а настройки Dask их не называют (distributed.comm.tls)",
            )
        except Exception as problem:
            why = Text(
                f"there is no scheduler at {self.address}: {problem}",
                f"по адресу {self.address} не диспетчер: {problem}",
            )
        return refuse(
            "no-cluster",
            why,
            hint=Text(
                "start one with `sistel cluster`, which prints its address; a firewall must let its port through",
                "запустите его командой `sistel cluster`, она печатает адрес; брандмауэр должен пропускать его порт",
            ),
        )

    def accepted(self, found: Carried) -> Part:
        """The results of a chunk.

        Raises:
            SistelError: Its worker has another sistel.
        """
        own = this_machine()
        if found.part is None:
            version = found.machine["sistel"]
            other = Text(f"sistel {version}", f"sistel {version}")
            if version == own["sistel"]:
                other = Text(f"sistel {version} with changes", f"sistel {version} с изменениями")
            refuse(
                "other-version",
                Text(
                    f"the worker {found.worker} has {other.en}, and here is {own['sistel']}: "
                    "it might round otherwise, and does nothing",
                    f"у исполнителя {found.worker} — {other.ru}, а здесь {own['sistel']}: "
                    "он мог бы округлять иначе, и ничего не делает",
                ),
                hint=Text("install the same version on all machines", "установите на все машины одну и ту же версию"),
            )
        if _differences(found.machine):
            self._others.setdefault(found.worker, found._replace(part=None))
        return found.part

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """Workers whose last bits may be others, one warning for every way in which they differ."""
        groups: dict[str, list[str]] = {}
        for worker, found in self._others.items():
            groups.setdefault(", ".join(_differences(found.machine)), []).append(worker)
        return tuple(
            Diagnostic(
                "other-machine",
                "warning",
                Text(
                    f"last bits may differ from those of this machine: {what} ({_listed(found)})",
                    f"последние биты могут отличаться от здешних: {what} ({_listed(found)})",
                ),
            )
            for what, found in groups.items()
        )


class _Shift:
    """One stretch of work, from connecting to leaving."""

    def __init__(self, cluster: Cluster, client: Any) -> None:
        self.cluster, self.engine, self.client = cluster, cluster.engine, client
        self.name = f"sistel-{secrets.token_hex(8)}"
        """Nobody else's chunks have it."""
        self.waiting: dict[Any, int] = {}
        """Chunks under way."""
        self.room = 0
        self._looked = self._staffed = time.monotonic()
        self._look()

    def parts(self, todo: Sequence[int], keep: Callable[[int, Part], None]) -> Iterator[tuple[int, Part]]:
        left = deque(todo)
        try:
            while left or self.waiting:
                while left and len(self.waiting) < self.room:
                    self._submit(left.popleft())
                for future in self._finished():
                    part = self._part(future)
                    if part is None:
                        break
                    yield self.waiting.pop(future), part
                if time.monotonic() - self._looked > LOOKING:
                    self._look()
        finally:
            self._leave(keep)

    def _submit(self, index: int) -> None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that a large system goes with every chunk, which lasts longer still
                future = self.client.submit(
                    do_carried, *self.cluster.parcels.arguments(index), key=f"{self.name}-{index}", pure=False
                )
        except Exception as problem:
            raise self._lost() from problem
        self.waiting[future] = index

    def _finished(self) -> list[Any]:
        """Chunks that are done or have failed, after a short wait."""
        if not self.waiting:
            time.sleep(WAITING)
            return []
        try:
            with self.client.as_current():
                self.engine.wait(list(self.waiting), timeout=WAITING, return_when="FIRST_COMPLETED")
        except TimeoutError:
            return []
        except (CancelledError, OSError, RuntimeError) as problem:
            raise self._lost() from problem
        done = [future for future in self.waiting if future.status != "pending"]
        return sorted(done, key=self.waiting.__getitem__)

    def _part(self, future: Any) -> Part | None:
        """What a chunk gave; None where it has to be waited for once more, because its worker died with it."""
        try:
            if future.status == "error":
                self._failed(future.exception(timeout=ANSWERING))
            return self.cluster.accepted(future.result(timeout=ANSWERING))
        except TimeoutError:
            return None
        except (CancelledError, OSError) as problem:
            raise self._lost() from problem

    def _failed(self, problem: BaseException) -> None:
        """Say why a chunk could not be done."""
        if isinstance(problem, self.engine.KilledWorker):
            raise ClusterLost(
                "several workers died one after another with the same runs: there may be too little memory",
                "несколько исполнителей подряд погибли на одних и тех же запусках: может быть, не хватает памяти",
            ) from None
        lacking = isinstance(problem, ImportError | AttributeError)
        if lacking or (isinstance(problem, RuntimeError) and "deserialization" in str(problem)):
            refuse(
                "other-version",
                Text(
                    f"machines of the cluster have no sistel, or another one ({problem})",
                    f"на машинах кластера нет sistel или он другой ({problem})",
                ),
                hint=Text("install the same version on all machines", "установите на все машины одну и ту же версию"),
            )
        raise problem

    def _look(self) -> None:
        """How many workers there are, and whether anybody is there at all."""
        try:
            threads = self.client.sync(self.client.scheduler.ncores, callback_timeout=ANSWERING)
        except Exception as problem:
            raise self._lost() from problem
        now = self._looked = time.monotonic()
        self.room = AHEAD * sum(threads.values())
        if threads:
            self._staffed = now
        elif now - self._staffed > STAFFING:
            raise ClusterLost(
                f"the cluster at {self.cluster.address} has had no workers for {STAFFING:.0f} s",
                f"у кластера по адресу {self.cluster.address} уже {STAFFING:.0f} с нет исполнителей",
            )

    def _lost(self) -> ClusterLost:
        address = self.cluster.address
        return ClusterLost(
            f"the cluster at {address} does not answer any more", f"кластер {address} больше не отвечает"
        )

    def _leave(self, keep: Callable[[int, Part], None]) -> None:
        """Keep the chunks that were finished while somebody pressed Ctrl-C; the others end with the connection."""
        end = time.monotonic() + LEAVING
        for future, index in self.waiting.items():
            with suppress(Exception):
                if future.status == "finished" and (left := end - time.monotonic()) > 0.0:
                    keep(index, self.cluster.accepted(future.result(timeout=left)))
        self.waiting.clear()


def _differences(machine: Machine) -> list[str]:
    """In what another machine differs from this one, in words that are the same in all languages."""
    own = this_machine()
    return [
        f"{name}: {machine.get(name, '?')} ≠ {value}"
        for name, value in own.items()
        if name not in ("sistel", DECIDES) and machine.get(name) != value
    ]


def _listed(workers: Sequence[str]) -> str:
    more = f" … {len(workers)}" if len(workers) > NAMED else ""
    return ", ".join(workers[:NAMED]) + more
