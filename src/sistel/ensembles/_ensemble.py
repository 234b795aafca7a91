"""The results of many runs."""

from __future__ import annotations

import operator
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from sistel import shown
from sistel.ensembles._part import COLUMNS, GOOD, NOWHERE, Part, Passage, empty, join
from sistel.ensembles._store import Store
from sistel.ensembles._summary import Summary
from sistel.ensembles._work import Work
from sistel.errors import Diagnostic, Text, refuse
from sistel.kept import cached_property

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from numpy.typing import NDArray

    from sistel.arrays import Array, Flags
    from sistel.ensembles._maps import StructureMap
    from sistel.simulation import Run


Reduce = Callable[[Part, Mapping[str, Any]], Any]
"""From the results of some runs and the values that they began with, by name, to something that merges."""


class Ensemble:
    """Many runs of a system. Arrays have one entry a run; `grid` gives them the shape of the grid.

    Attributes:
        work: What was asked for.
        summary: Counts of runs by how they ended.
        reduced: What `reduce` made of them; None without it.
        stopped: Why not all runs were done; None where they were.
        warnings: What a user must know of how it was done, such as results in its folder that were not taken,
            or machines that round otherwise.
    """

    def __init__(
        self,
        work: Work,
        parts: Mapping[int, Part | None],
        store: Store | None,
        summary: Summary,
        reduced: object,
        stopped: Text | None,
        warnings: Sequence[Diagnostic] = (),
    ) -> None:
        """Use `System.ensemble`."""
        self.work, self.summary, self.reduced, self.stopped = work, summary, reduced, stopped
        self._parts, self._store = dict(parts), store
        self.warnings: tuple[Diagnostic, ...] = (*(() if store is None else store.warnings), *warnings)

    def __len__(self) -> int:
        return self.work.count

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the grid, the first name slowest; (runs,) where the values went together."""
        return self.work.shape

    @property
    def names(self) -> tuple[str, ...]:
        """Names of what the runs differ in."""
        return tuple(axis.name for axis in self.work.axes)

    def values(self, name: str) -> Array:
        """What every run began with, by name [SI]."""
        columns = {axis.name: axis.values for axis in self.work.columns(0, self.work.count)}
        if name not in columns:
            refuse("bad-ensemble", Text(f'the runs do not differ in "{name}"', f"запуски не различаются по «{name}»"))
        return columns[name]

    def parts(self) -> Iterator[tuple[int, Part]]:
        """The number of the first run and the results, chunk after chunk: memory for one of them is enough."""
        for index in range(self.work.chunks):
            begin, end = self.work.bounds(index)
            yield begin, self._part(index) or empty(end - begin, self._size, self.work.options.kept, (), ())

    def _part(self, index: int) -> Part | None:
        if index not in self._parts:
            return None
        part = self._parts[index]
        if part is None:
            if self._store is None:
                refuse(
                    "bad-ensemble",
                    Text(
                        "the runs themselves were not kept: records=False", "сами запуски не сохранялись: records=False"
                    ),
                )
            part = self._store.load(index)
            if part is None:
                refuse(
                    "bad-ensemble",
                    Text(
                        f"{self._store.path(index)} has been changed since it was written",
                        f"{self._store.path(index)} изменили после записи",
                    ),
                )
        return part

    @cached_property
    def _size(self) -> int:
        model = self.work.blueprint.model
        return model.state_size

    @cached_property
    def whole(self) -> Part:
        """All results in memory."""
        return join([part for _, part in self.parts()])

    def __getattr__(self, name: str) -> Any:
        if name in COLUMNS or name in ("structures", "passages", "messages"):
            return getattr(self.whole, name)
        raise AttributeError(f"an ensemble has no {name!r}")

    @property
    def t(self) -> Array:
        """When every run ended [s]."""
        return self.whole.state[:, -1]

    @cached_property
    def final_structure(self) -> NDArray[np.str_]:
        """Name of the structure in which every run ended; empty where there is none."""
        names = np.array([*self.whole.structures, ""])
        return names[self.whole.structure]

    @property
    def failed(self) -> Flags:
        """Whether a run ended by what is no end; `messages` tells why, for the first of every chunk."""
        return ~np.isin(self.whole.outcome, GOOD)

    def grid(self, values: object) -> Any:
        """An array with one entry a run in the shape of the grid."""
        found = np.asarray(values)
        return found.reshape(*self.shape, *found.shape[1:])

    def sequence_of(self, run: int) -> tuple[Passage, ...]:
        """The first events of a run; `events` says how many it had."""
        return tuple(self.whole.passages[i] for i in self.whole.sequence[run] if i != NOWHERE)

    def run(self, index: int) -> Run:
        """One of the runs once more, with all its steps."""
        from sistel.ensembles._replay import run_again

        if not -len(self) <= index < len(self):
            refuse("bad-ensemble", Text(f"there are {len(self)} runs", f"запусков всего {len(self)}"))
        place = index % len(self)
        return run_again(self.work, place, float(self.whole.state[place, -1]))

    def map(
        self,
        what: str | Array = "ends",
        *,
        x: str | None = None,
        y: str | None = None,
        title: str | None = None,
        label: str | None = None,
        lang: Literal["en", "ru"] | None = None,
    ) -> StructureMap:
        """A picture of the grid: which structures, which sequences, how many events.

        Args:
            what: "ends" (in which structure, or how, a run ended, the darker the sooner), "structure", "sequence",
                "outcome", "events", "time", or any numbers, one a run.
            x: The name along the horizontal axis; without, the last one of the grid.
            y: The name along the vertical axis.
            title: Over the picture; without, the name of the system.
            label: What numbers are called.
            lang: Language of its words; the user's unless told otherwise.

        Returns:
            `.save("map.png")`, .svg or .npz; notebooks show it.

        Raises:
            SistelError: The runs are no grid of two axes, or something is unknown.
        """
        from sistel.ensembles._maps import make_map

        return make_map(self, what, x=x, y=y, title=title, label=label, lang=lang)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write everything to an .npz file: the columns, the values that runs began with, and what numbers mean.

        Raises:
            SistelError: It cannot be written.
        """
        from sistel.ensembles._replay import save_whole

        save_whole(self, path)

    def __repr__(self) -> str:
        by = ", ".join(f"{text.en}: {count:,}" for text, count in self.summary.words())
        said = "".join(f"\n{warning.render()}" for warning in self.warnings)
        return f"<Ensemble of {self.summary.runs:,} runs: {by}>{said}"

    def _repr_html_(self) -> str:
        return shown.html(self)


def do_ensemble(
    work: Work,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    cluster: str | None = None,
    keep: str | os.PathLike[str] | None = None,
    records: bool = True,
    reduce: Reduce | None = None,
    merge: Callable[[Any, Any], Any] = operator.add,
    progress: Callable[[int, int], None] | None = None,
    device: str | None = None,
) -> Ensemble:
    """Do all runs; see `System.ensemble`."""
    from sistel.ensembles._cluster import Cluster
    from sistel.ensembles._launch import Launch

    others = cluster is not None or device is not None
    if others and sum(each is not None for each in (cluster, device, executor, threads)) > 1:
        refuse(
            "bad-call",
            Text(
                "runs go to a cluster, to a device, to an executor or to threads, one of them",
                "запуски выполняет кластер, устройство, executor или потоки — что-то одно",
            ),
        )
    machines = None if cluster is None else Cluster(cluster, work)
    store = None if keep is None else Store(keep, work, device)
    carrier = None
    if device is not None:
        from sistel.ensembles._device import device_named

        carrier = device_named(device)
    launch = Launch(
        work, threads=threads, executor=executor, cluster=machines, store=store, progress=progress, device=carrier
    )
    found: dict[int, Part | None] = {}
    folded = _Folded(work, reduce, merge)
    stream = launch.parts()
    stopped = False
    try:
        for index, part in stream:
            folded.put(index, part)
            found[index] = part if records and store is None else None
    except KeyboardInterrupt:
        stopped = True
    finally:
        stream.close()  # type: ignore[attr-defined]  # a generator
    reason = None
    if stopped or launch.stopped:
        done = folded.runs
        reason = Text(f"interrupted: {done} of {work.count} runs", f"прервано: {done} из {work.count} запусков")
    said = () if machines is None else machines.warnings
    whole = Ensemble(work, found, store, folded.summary, folded.value, reason, said)
    whole.warnings += () if carrier is None else carrier.warnings
    return whole


class _Folded:
    """Results merged in the order of the chunks, whatever order they are finished in."""

    def __init__(self, work: Work, reduce: Reduce | None, merge: Callable[[Any, Any], Any]) -> None:
        self.work, self.reduce, self.merge = work, reduce, merge
        self.waiting: dict[int, Any] = {}
        self.next = 0
        self.value: object = None
        self.summary = Summary()
        self.runs = 0

    def put(self, index: int, part: Part) -> None:
        self.summary = self.summary + Summary.of(part)
        self.runs += len(part)
        if self.reduce is None:
            return
        columns = self.work.columns(*self.work.bounds(index))
        self.waiting[index] = self.reduce(part, {axis.name: axis.values for axis in columns})
        while self.next in self.waiting:
            one = self.waiting.pop(self.next)
            self.value = one if self.next == 0 else self.merge(self.value, one)
            self.next += 1
