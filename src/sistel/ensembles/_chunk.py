"""One chunk of runs, from plain data to plain results: a function that can be called in any thread or process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.ensembles import _batch_loop as m
from sistel.ensembles._dependence import start_formulas
from sistel.ensembles._live import LiveStarts, LiveWorkshop, live_workshop
from sistel.ensembles._part import MOST_MESSAGES, NOWHERE, Part, Passage, empty
from sistel.ensembles._python_fallback import careful_run
from sistel.ensembles._starts import Starts
from sistel.ensembles._work import Piece, Values
from sistel.ensembles._workshop import Tables, Workshop, code, passages_of, workshop
from sistel.errors import SistelError, Text
from sistel.simulation.taylor import outcomes as o

if TYPE_CHECKING:
    from sistel.arrays import Array, Indices
    from sistel.ensembles._device import Device, Prepared

Watch = Callable[[Workshop], bool]
"""Told of every workshop that is used; whether to stop."""


class Stopped(Exception):
    """Somebody asked to stop in the middle of a chunk."""


def do_piece(piece: Piece, watch: Watch | None = None, device: Device | None = None) -> Part:
    """The results of a chunk.

    They depend on nothing but the chunk: not on the thread, the process or what was done before.

    Args:
        piece: The chunk.
        watch: Told of every workshop that is used; True stops.
        device: Does the runs, as far as it can.

    Raises:
        Stopped: It was.
        SistelError: The device has no way to do such runs.
    """
    options = piece.options
    model = piece.blueprint.model
    part = empty(piece.count, model.state_size, options.kept, [s.name for s in model.structures], passages_of(model))
    given = tuple(axis.name for axis in piece.columns if axis.kind == "p")
    formulas = start_formulas(piece.blueprint, given)
    heavy = [axis for axis in piece.columns if axis.kind == "p" and axis.name not in formulas.names]
    messages: dict[int, Text] = {}
    table = _Names(part)
    live = live_workshop(piece.blueprint, given, options) if heavy else None
    if live is not None:
        _do_live(live, piece, part, messages, table, watch, device)
    elif device is not None and heavy:
        device.refuse_parameter(heavy[0].name)
    for values, rows in [] if live is not None else _groups([(axis.name, axis.values) for axis in heavy], piece.count):
        try:
            if not all(np.isfinite(value) for _, value in values):
                _put(
                    part, rows, m.NO_START, messages, Text("values that are not finite", "значения, которые не конечны")
                )
                continue
            shop = workshop(piece.blueprint, values, options)
        except SistelError as problem:
            _put(part, rows, m.FAILED, messages, problem.diagnostics[0].message)
            continue
        structure = shop.model.structure(options.structure)
        with shop.lock:
            starts, wrong = Starts(shop.engine, structure, formulas).states(piece.columns, rows)
        messages |= {int(rows[i]): text for i, text in wrong.items()}
        for i in wrong:
            part.outcome[rows[i]] = m.NO_START
        good = np.array([i for i in range(len(rows)) if i not in wrong], dtype=np.intp)
        _Runs(shop, part, rows[good], np.ascontiguousarray(starts[good]), messages, table, watch).do(device)
    found = sorted(messages.items())[:MOST_MESSAGES]
    said = tuple((i, text.en, text.ru) for i, text in found)
    return replace(part, structures=tuple(table.structures), passages=tuple(table.passages), messages=said)


def _do_live(
    shop: LiveWorkshop,
    piece: Piece,
    part: Part,
    messages: dict[int, Text],
    table: _Names,
    watch: Watch | None,
    device: Device | None,
) -> None:
    """All runs of a chunk whose parameters are live."""
    rows = np.arange(piece.count)
    values = np.stack([axis.values for axis in piece.columns if axis.kind == "p"], axis=1)
    finite = np.isfinite(values).all(axis=1)
    _put(part, rows[~finite], m.NO_START, messages, Text("values that are not finite", "значения, которые не конечны"))
    rows, values = rows[finite], values[finite]
    if not len(rows):
        return
    with shop.lock:
        wrong = shop.wrong(values)
        for i, text in wrong.items():
            _put(part, rows[i : i + 1], m.FAILED, messages, text)
        good = np.array([i for i in range(len(rows)) if i not in wrong], dtype=np.intp)
        rows, values = rows[good], values[good]
        structure = shop.model.structure(shop.options.structure)
        starts, wrong = LiveStarts(shop, structure, values).states(piece.columns, rows)
    for i, text in wrong.items():
        _put(part, rows[i : i + 1], m.NO_START, messages, text)
    good = np.array([i for i in range(len(rows)) if i not in wrong], dtype=np.intp)
    _Runs(shop, part, rows[good], np.ascontiguousarray(starts[good]), messages, table, watch, values[good]).do(device)


def _groups(columns: list[tuple[str, Array]], count: int) -> list[tuple[Values, Indices]]:
    """Runs with the same values of parameters, in the order of their first runs."""
    if not columns:
        return [((), np.arange(count))]
    found: dict[tuple[float, ...], list[int]] = {}
    for i, row in enumerate(zip(*(values.tolist() for _, values in columns), strict=True)):
        found.setdefault(row, []).append(i)
    names = [name for name, _ in columns]
    return [(tuple(zip(names, row, strict=True)), np.array(runs)) for row, runs in found.items()]


def _put(part: Part, rows: Indices, outcome: int, messages: dict[int, Text], text: Text) -> None:
    part.outcome[rows] = outcome
    messages |= {int(i): text for i in rows[:MOST_MESSAGES]}


class _Names:
    """Names of structures and passages, with those that contacts make on their way."""

    def __init__(self, part: Part) -> None:
        self.structures = {name: i for i, name in enumerate(part.structures)}
        self.passages = {passage: i for i, passage in enumerate(part.passages)}

    def structure(self, name: str) -> int:
        return self.structures.setdefault(name, len(self.structures))

    def passage(self, passage: Passage) -> int:
        return self.passages.setdefault(passage, len(self.passages))


class _Runs:
    """Runs of a chunk that share their equations."""

    def __init__(
        self,
        shop: Workshop,
        part: Part,
        rows: Indices,
        starts: Array,
        messages: dict[int, Text],
        names: _Names,
        watch: Watch | None,
        values: Array | None = None,
    ) -> None:
        self.values = values
        self._lives: tuple[Tables | Prepared | None, Array] = None, np.zeros((len(rows), 1))
        self.shop, self.part, self.rows, self.starts = shop, part, rows, starts
        self.messages, self.names, self.watch = messages, names, watch
        count, kept = len(rows), shop.options.kept
        self.asks, self.stops, self.answers = shop.asks(), shop.stops(), np.zeros(1, dtype=np.int64)
        self.whole = np.zeros((count, m.ROW), dtype=np.int64)
        self.finals = np.full((count, starts.shape[1]), np.nan)
        self.sequences = np.full((count, max(1, kept)), NOWHERE, dtype=np.int64)
        self.moments = np.full((count, kept + 1), np.nan)
        self.losses = np.zeros(count)

    def do(self, device: Device | None = None) -> None:
        """All of them."""
        if not len(self.rows):
            return
        if device is not None:
            self._run_on(device)
        try:
            marches = self.shop.marches
        except SistelError as problem:
            _put(self.part, self.rows, m.FAILED, self.messages, problem.diagnostics[0].message)
            return
        if marches:
            self._run_batch()
        else:
            for i in range(len(self.rows)):
                self._run_in_python(i)
        self._keep()

    def _run_on(self, device: Device) -> None:
        """All that a device can do; the others are left as they were, for `_run_batch`."""
        ready = device.prepare(self.shop)
        device.run(ready, self._batch(self._live(ready)))

    def _stopped(self) -> bool:
        return self.watch is not None and self.watch(self.shop)

    def _run_batch(self) -> None:
        place, end = 0, len(self.rows)
        tables = self.shop.take()
        try:
            while place < end:
                if self._stopped():
                    raise Stopped
                place = self._call(tables, place, end)
                if place == end:
                    break
                answer = int(self.answers[0])
                if answer == o.STOPPED:
                    raise Stopped
                if answer == o.STEPS_FULL and not self._stiff(tables, place):
                    self.asks[m.GOING_ON] = 1
                    continue
                # Once more from its start, so that nothing depends on what was compiled when it began.
                if not self._learned(answer, tables, place):
                    continue
                if self.whole[place, m.OUTCOME] == m.NOT_RUN:
                    self.shop.give(tables)
                    tables = self.shop.take()
        finally:
            self.shop.give(tables)

    def _learned(self, answer: int, tables: Tables, place: int) -> bool:
        """Whether machine code may try a run again, with more of it; else it is done now."""
        try:
            if self.shop.learn(answer, tables):
                return True
        except SistelError as problem:
            self._fail(place, m.FAILED, problem)
            return False
        self._run_in_python(place)
        return False

    def _stiff(self, tables: Tables, place: int) -> bool:
        with self.shop.lock:
            if self.values is not None:
                self.shop.simulation.follow(self.values[place])
            return self.shop.stiff(tables)

    def _live(self, tables: Tables | Prepared) -> Array:
        """What the live parameters of every run determine, as far as the tables read it."""
        if self.values is not None and self._lives[0] is not tables:
            assert isinstance(self.shop, LiveWorkshop)
            with self.shop.lock:
                found = self.shop.engine.hoisted_rows(self.values)[:, : len(tables.driver.live)]
            self.asks[m.LIVE], self.asks[m.HEADS] = found.shape[1], len(tables.driver.heads)
            self._lives = tables, np.ascontiguousarray(found) if found.size else np.zeros((len(found), 1))
        return self._lives[1]

    def _call(self, tables: Tables, place: int, end: int) -> int:
        return int(code()(tables.loop, self._batch(self._live(tables)), place, end))

    def _batch(self, lives: Array) -> m.Batch:
        return m.Batch(
            starts=self.starts.ravel(),
            lives=lives.ravel(),
            stops=self.stops,
            asks=self.asks,
            answers=self.answers,
            rows=self.whole.ravel(),
            finals=self.finals.ravel(),
            sequences=self.sequences.ravel(),
            moments=self.moments.ravel(),
            losses=self.losses,
        )

    def _run_in_python(self, place: int) -> None:
        """A run in Python, for what machine code does not do alone."""
        if self._stopped():
            raise Stopped
        with self.shop.lock:
            simulation = self.shop.simulation
            if self.values is not None:
                assert isinstance(self.shop, LiveWorkshop)
                simulation = self.shop.tuned(self.values[place])
            found = careful_run(simulation, self.starts[place], self.shop.options)
        row = self.whole[place]
        row[:] = 0
        self.losses[place] = 0.0
        run = found.run
        row[m.OUTCOME], row[m.TAKEN] = found.outcome, run.steps
        row[m.FINAL] = self.names.structure(run.final_structure)
        self.finals[place] = run.last
        kept = self.shop.options.kept
        self.sequences[place], self.moments[place] = NOWHERE, np.nan
        for k, event in enumerate(run.passages):
            word = self.names.passage(Passage(event.transition, event.before, event.after))
            if k < kept:
                self.sequences[place, k], self.moments[place, k] = word, event.time
            row[m.PATTERN] = m.mixed(int(row[m.PATTERN]), word, m.FACTOR)
            row[m.PATTERN_2] = m.mixed(int(row[m.PATTERN_2]), word, m.FACTOR_2)
            self.losses[place] += event.energy_loss
        row[m.PASSED] = len(run.passages)
        if found.message is not None:
            self.messages[int(self.rows[place])] = found.message

    def _fail(self, place: int, outcome: int, problem: SistelError) -> None:
        self.whole[place, m.OUTCOME], self.whole[place, m.FINAL] = outcome, NOWHERE
        self.messages[int(self.rows[place])] = problem.diagnostics[0].message

    def _keep(self) -> None:
        part, rows, whole, kept = self.part, self.rows, self.whole, self.shop.options.kept
        part.outcome[rows] = whole[:, m.OUTCOME]
        part.structure[rows] = whole[:, m.FINAL]
        part.events[rows], part.steps[rows] = whole[:, m.PASSED], whole[:, m.TAKEN]
        part.pattern[rows] = whole[:, m.PATTERN] * (m.PRIME + 1) + whole[:, m.PATTERN_2]
        part.state[rows], part.loss[rows] = self.finals, self.losses
        first = np.arange(kept) < whole[:, m.PASSED, np.newaxis]
        part.sequence[rows] = np.where(first, self.sequences[:, :kept], NOWHERE)
        part.times[rows] = np.where(first, self.moments[:, :kept], np.nan)
