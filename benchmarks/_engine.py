"""Other engines in native code: libraries that build a robot and run over rows of states (see peers/)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from _coordinates import Coordinates
from _robots import Pair, States

Turn = Callable[[int], float]
"""Runs over all states so many times, and returns seconds a state."""


class Engine(ABC):
    """Another engine with one robot."""

    tasks: ClassVar[Mapping[str, Sequence[Sequence[str]]]]
    """For every quantity, groups of ways to compute it; a group's fastest way is the one to beat."""
    solving: ClassVar[frozenset[str]]
    """Tasks that take forces; the others take accelerations or ignore them."""
    tolerance: ClassVar[float]
    """How far its results may be from ours: normwise, relative."""

    def __init__(self, pair: Pair, library: Any, description: str) -> None:
        self.pair = pair
        self.library = library
        self.handle = library.race_new(description.encode())
        assert self.handle, "the model is not understood"
        assert library.race_nv(self.handle) == pair.system.nv

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            self.library.race_delete(self.handle)

    @abstractmethod
    def convert(self, states: States) -> Coordinates:
        """States as the engine has them."""

    def take(self, states: States) -> None:
        """The states for everything that follows."""
        self.states = self.convert(states)

    def turn(self, task: str) -> Turn:
        """What to time."""
        library, number = self._task(task)
        count, blocks = len(self.states.q), self._blocks(task)
        addresses = [block.ctypes.data for block in blocks]

        def run(passes: int, keep: object = blocks) -> float:  # the arrays live as long as what reads them
            return float(library.race_run(self.handle, number, count, *addresses, None, 0, passes))

        return run

    def results(self, task: str, quantity: str) -> list[Any]:
        """What a task finds, in our coordinates: rows of blocks as sistel writes them."""
        nv, count = self.pair.system.nv, len(self.states.q)
        width = {"RNEA": nv, "CRBA": nv * nv, "FD": nv, "FK+J": 12 + 6 * nv}[quantity]
        out = np.full((count, width), np.nan)
        addresses = [block.ctypes.data for block in self._blocks(task)]
        library, number = self._task(task)
        library.race_run(self.handle, number, count, *addresses, out.ctypes.data, width, 1)
        if quantity == "RNEA":
            return [self.states.forces(out)]
        if quantity == "CRBA":
            return [self.states.matrices(out.reshape(-1, nv, nv)).reshape(count, -1)]
        if quantity == "FD":
            return [self.states.accelerations(out)]
        R, p, J = out[:, :9].reshape(-1, 3, 3), out[:, 9:12], out[:, 12:].reshape(-1, 6, nv)
        pose, jacobian = self.states.frames(R, p, self.align(task, R, p, J))
        last = np.broadcast_to([0.0, 0.0, 0.0, 1.0], (count, 1, 4))
        return [np.concatenate([pose, last], axis=1).reshape(count, -1), jacobian.reshape(count, -1)]

    def align(self, task: str, R: Any, p: Any, J: Any) -> Any:
        """A Jacobian in world axes about the frame's origin, from what a task gives."""
        return J

    def _blocks(self, task: str) -> tuple[Any, Any, Any]:
        return self.states.q, self.states.v, self.states.tau if task in self.solving else self.states.a

    def _task(self, name: str) -> tuple[Any, int]:
        """The library that has a task, and its number there."""
        number = self.library.race_task(name.encode())
        assert number >= 0, name
        return self.library, int(number)
