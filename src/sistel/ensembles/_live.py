"""Ensembles over parameters that equations follow: one workshop, compiled once, for all their values."""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from sistel.engine import Engine, LiveEngine
from sistel.ensembles._dependence import StartFormulas
from sistel.ensembles._starts import Messages, Starts
from sistel.ensembles._work import Blueprint, Options
from sistel.ensembles._workshop import KNOWN, Workshop
from sistel.errors import SistelError, Text
from sistel.expr import LIVE, Graph, Traced
from sistel.mechanics import expressions
from sistel.model import LiveModel, Structure, live_model
from sistel.once import COMPILING
from sistel.simulation import Tuned, why_not_live

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sistel.arrays import Array, Indices
    from sistel.simulation import Simulation


class LiveWorkshop(Workshop):
    """The structures of one model, for all values of some parameters."""

    engine: LiveEngine

    def __init__(self, blueprint: Blueprint, live: LiveModel, options: Options) -> None:
        """Nothing is compiled yet."""
        super().__init__(blueprint, (), options, LiveEngine(live))
        self.live = live

    @property
    def formulas(self) -> StartFormulas:
        """The start of the file as a function of the parameters."""
        start = self.live.model.start
        # Even where the numbers of the file stay the same, what the constraints make of them does not.
        graph = Graph()
        graph.inputs(LIVE, len(self.live.names))
        blocks = {"q": expressions(graph, start.q), "v": expressions(graph, start.v)}
        return StartFormulas(self.live.names, graph.program(blocks))

    def wrong(self, values: Array) -> Messages:
        """Why there is no such system, by the place of a set of values, shape (sets, parameters).

        The sets in which a parameter is least or greatest are built as models; where all of these make sense, so do
        those between them.
        """
        ends = {int(find(column)) for column in values.T for find in (np.argmin, np.argmax)}
        if all(self._why_not(values[i]) is None for i in sorted(ends)):
            return {}
        found = ((i, self._why_not(row)) for i, row in enumerate(values))
        return {i: text for i, text in found if text is not None}

    def _why_not(self, values: Array) -> Text | None:
        try:
            self.live.at(values.tolist())
        except SistelError as problem:
            return problem.diagnostics[0].message
        return None

    def tuned(self, values: Array) -> Simulation:
        """What does a run in Python, with some values of the parameters."""
        return Tuned(self.simulation, values.tolist())


class LiveStarts(Starts):
    """Makes the states of one structure, for runs that differ in the values of parameters."""

    def __init__(self, shop: LiveWorkshop, structure: Structure, values: Array) -> None:
        """Values have the shape (runs, parameters)."""
        super().__init__(shop.engine, structure, shop.formulas)
        self.live, self.values = shop.live, values
        self._chosen = np.arange(0)

    def _together(self, y: Array, rows: Indices, kept_q: set[int], kept_v: set[int]) -> Indices:
        self._chosen = rows
        return super()._together(y, rows, kept_q, kept_v)

    def _constraints(self, q: Array, v: Array, t: Array) -> tuple[Array, Array, Array]:
        kernel = self.engine.structure(self.structure, False).constraints
        known = {"q": q, "v": v, "t": t[:, np.newaxis], LIVE: self.values[self._chosen]}
        value, J, _, drift = kernel(*(known[name] for name, _ in kernel.program.inputs))
        return np.asarray(value), np.asarray(J).reshape(len(q), -1, self.model.nv), np.asarray(drift)

    def _one_by_one(self, y: Array, rows: Indices, kept_q: set[int], kept_v: set[int], messages: Messages) -> None:
        for i in rows:
            engine = Engine.of(self.live.at(self.values[i].tolist()))
            own = engine.model.structure(self.structure.name)
            Starts(engine, own, StartFormulas((), None))._one_by_one(y, np.array([i]), kept_q, kept_v, messages)


def live_workshop(blueprint: Blueprint, names: Sequence[str], options: Options) -> LiveWorkshop | None:
    """The workshop for all values of some parameters; None where equations cannot follow them."""
    with COMPILING:
        return _live_workshop(blueprint, tuple(names), options)


@lru_cache(maxsize=KNOWN)
def _live_workshop(blueprint: Blueprint, names: tuple[str, ...], options: Options) -> LiveWorkshop | None:
    live = live_model(blueprint.model, names)
    begins = (live.model.start_time, *(each.start for each in live.model.memory))
    if live.refused or any(isinstance(number, Traced) for number in begins):
        return None
    made = LiveWorkshop(blueprint, live, options)
    return made if why_not_live(made.simulation.engine) is None else None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_live_workshop.cache_clear)
