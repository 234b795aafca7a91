"""Compiled structures that many runs share, and the tables with which a thread goes through them."""

from __future__ import annotations

import ctypes
import os
import threading
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from sistel.automaton import exits_of
from sistel.engine import Engine
from sistel.ensembles import _batch_loop as m
from sistel.ensembles._part import Passage
from sistel.ensembles._work import Blueprint, Options, Values
from sistel.kernels import USER, Code, Native, assemble
from sistel.kernels.subset import CompiledFunction, compile_functions
from sistel.model import Model, check_limits
from sistel.once import COMPILING, once
from sistel.simulation import Scheme, Simulation, TaylorDriver, looks_stiff
from sistel.simulation.taylor import EVENTS
from sistel.simulation.taylor import outcomes as o
from sistel.simulation.taylor import steps as a
from sistel.simulation.taylor import tables as t

if TYPE_CHECKING:
    from sistel.arrays import Whole

STEP_BLOCK = 1024
"""Steps after which a run is looked at: whether it has become stiff."""
EVENT_BLOCK = EVENTS
"""Events for which tables have room."""
KNOWN = 8
"""Sets of parameters whose compiled equations are kept."""


@once
def code() -> CompiledFunction:
    """The compiled loop over runs: one for all models."""
    return compile_functions(list(m.FUNCTIONS), exports=["run_batch"], cache=USER).run_batch


@once
def _go_at(count: int) -> Native:
    """A function that calls another at an address, with so many arguments from a table.

    So the loop over runs need not know what `propagate` takes: pointers and whole numbers go the same way.
    """
    lines = ["define i64 @go_at(i64 %f, i64 %a) {", "  %g = inttoptr i64 %f to ptr", "  %t = inttoptr i64 %a to ptr"]
    for i in range(count):
        lines += [f"  %p{i} = getelementptr i64, ptr %t, i64 {i}", f"  %x{i} = load i64, ptr %p{i}"]
    given = ", ".join(f"i64 %x{i}" for i in range(count))
    made = Code(assemble("\n".join([*lines, f"  %r = call i64 %g({given})", "  ret i64 %r", "}", ""])))
    return made.function("go_at")


class Tables:
    """What one thread overwrites while it does runs."""

    def __init__(self, driver: TaylorDriver, passages: Whole, version: int) -> None:
        self.driver, self.version = driver, version
        driver.counts[t.RECORD] = 0
        bound = driver.call
        assert isinstance(bound, partial)
        self.arguments = np.array([int(getattr(each, "value", each)) for each in bound.args], dtype=np.int64)
        address = ctypes.cast(cast("Any", bound.func), ctypes.c_void_p).value
        assert address is not None
        self.heads = np.array([*(number for head in driver.heads for number in head), 0], dtype=np.int64)
        go_at: Any = _go_at(len(self.arguments))
        self.loop = m.Loop(
            go_at=go_at,
            address=address,
            arguments=self.arguments.ctypes.data,
            counts=driver.counts,
            numbers=driver.numbers,
            y=driver.y,
            log=driver.room.log,
            marks=driver.room.marks,
            shared=driver.live,
            parameters=driver.parameters,
            heads=self.heads,
            passages=passages,
        )


class Workshop:
    """The structures of one model with one set of parameters; compiled when runs first enter them."""

    def __init__(self, blueprint: Blueprint, values: Values, options: Options, engine: Engine | None = None) -> None:
        """Raises `SistelError` where the model makes no sense with these values."""
        if engine is None:
            model = blueprint.recipe.build(dict(values)) if values else blueprint.model
            check_limits(model, [name for name, _ in values])
            engine = Engine.of(model)
        self.model, self.engine = engine.model, engine
        model = engine.model
        scheme = None
        if options.method != "taylor":
            scheme = Scheme("radau", tolerance=options.tolerance, step=0.0)
        self.simulation = Simulation(self.engine, options.tolerance, scheme, options.method == "auto")
        self.options = options
        self.lock = threading.RLock()
        """Compiling, and runs in Python: one thread at a time."""
        self.names = [structure.name for structure in model.structures]
        self.passages = passages_of(model)
        self._version = 0
        self._free: list[Tables] = []
        self._busy: set[Tables] = set()

    @property
    def marches(self) -> bool:
        """Whether machine code can do runs by itself; compiles the structure that they begin in."""
        simulation = self.simulation
        if simulation.contacts is not None or (simulation.scheme is not None and not simulation.watchful):
            return False
        with self.lock:
            self._know(self.options.structure)
        return True

    def _know(self, name: str) -> None:
        """Compile a structure."""
        before = len(self.simulation.compiled_structures)
        self.simulation.compiled(name)
        if len(self.simulation.compiled_structures) != before:
            self._version += 1

    def take(self) -> Tables:
        """Tables for a thread, with everything that is compiled."""
        with self.lock:
            while self._free:
                found = self._free.pop()
                if found.version == self._version:
                    break
            else:
                found = self._tables()
            self._busy.add(found)
            found.driver.counts[t.STOP] = 0
            return found

    def give(self, tables: Tables) -> None:
        """Take tables back."""
        with self.lock:
            self._busy.discard(tables)
            self._free.append(tables)

    def halt(self) -> None:
        """Ask all threads to come back."""
        for tables in list(self._busy):
            tables.driver.counts[t.STOP] = 1

    def _tables(self) -> Tables:
        for compiled in self.simulation.compiled_structures.values():
            compiled.optimise()  # many runs are ahead
        driver = self.driver()
        return Tables(driver, self.exit_numbers(driver), self._version)

    def driver(self) -> TaylorDriver:
        """The loop through everything that is compiled."""
        driver = TaylorDriver(list(self.simulation.compiled_structures.values()), self.names, self.simulation.order)
        driver.numbers[[a.UNTIL, a.LONGEST]] = self.options.until, self.options.longest
        return driver

    def exit_numbers(self, driver: TaylorDriver) -> Whole:
        """Number of the passage that every exit of a driver is; -1 for ticks, which are no events."""
        numbers = {passage: i for i, passage in enumerate(self.passages)}
        exits = [
            -1
            if each.transition.tick
            else numbers[Passage(each.transition.name, compiled.structure.name, each.transition.target)]
            for compiled, each in driver.exits
        ]
        return np.array([*exits, 0], dtype=np.int64)

    def learn(self, answer: int, tables: Tables) -> bool:
        """Compile what a run has met; False where it has to be left to Python.

        Raises:
            SistelError: It cannot be compiled: the structure has no motion of its own.
        """
        driver = tables.driver
        with self.lock:
            if answer == o.UNKNOWN:
                self._know(driver.structure)
                return True
            if answer == o.NEW_PASSAGE:
                compiled, fired = driver.leaving
                if compiled.known_passage(fired.transition) is None:
                    if compiled.native_passage(fired.transition) is None:
                        return False
                    self._version += 1
                return True
            return False

    def stiff(self, tables: Tables) -> bool:
        """Whether a run that has taken many steps is one for the stiff method."""
        if not self.simulation.watchful:
            return False
        driver = tables.driver
        with self.lock:
            compiled = self.simulation.compiled(driver.structure)
            y = driver.y.copy()
            return looks_stiff(
                compiled, y, compiled.parameters(y), min(float(driver.numbers[t.LAST]), self.options.longest)
            )

    def asks(self) -> Whole:
        """What the loop over runs is told of a chunk."""
        options, asks = self.options, np.zeros(m.ASKS, dtype=np.int64)
        asks[m.BEGIN_IN] = self.names.index(options.structure)
        asks[m.MOST_EVENTS], asks[m.MOST_STEPS] = options.most_events, options.most_steps
        asks[m.KEPT], asks[m.BLOCK] = options.kept, 1 if options.stop else EVENT_BLOCK
        asks[m.STEP_BLOCK] = STEP_BLOCK
        return asks

    def stops(self) -> Whole:
        """Whether entering each structure ends a run."""
        return np.array([name in self.options.stop for name in self.names], dtype=np.int64)


def passages_of(model: Model) -> tuple[Passage, ...]:
    """All passages between structures that the file allows."""
    return tuple(
        dict.fromkeys(
            Passage(each.transition.name, structure.name, each.transition.target)
            for structure in model.structures
            for each in exits_of(model, structure)
        )
    )


@lru_cache(maxsize=KNOWN)
def _workshop(blueprint: Blueprint, values: Values, options: Options) -> Workshop:
    return Workshop(blueprint, values, options)


def workshop(blueprint: Blueprint, values: Values, options: Options) -> Workshop:
    """The workshop for a model with some values of its parameters: the same one for all threads.

    Raises:
        SistelError: The model makes no sense with these values.
    """
    with COMPILING:
        return _workshop(blueprint, values, options)


if hasattr(os, "register_at_fork"):
    # A child makes its own: the threads that may have been at work in those of its parent are not there.
    os.register_at_fork(after_in_child=_workshop.cache_clear)
