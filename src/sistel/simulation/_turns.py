"""One run at a time overwrites the tables of a simulation; a run that comes meanwhile is given tables of its own.

Nobody waits: a run may take hours, a function that is told of its progress may simulate the same system again, and a
process that was forked in the middle of a run finds tables that nobody will ever give back. What is compiled is shared.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sistel.simulation._simulate import Simulation
    from sistel.simulation.run._run import Run


class Turns:
    """Whether a simulation is being used, and others that stand in for it."""

    __slots__ = ("_make", "_spare", "taken")

    def __init__(self, make: Callable[[], Simulation]) -> None:
        """Nothing is made before two runs meet."""
        self.taken = threading.Lock()
        self._make = make
        self._spare: list[Simulation] = []
        """Those that no run is using. Append and pop are safe between threads."""

    def other(self) -> Simulation:
        """One that nobody else is using."""
        try:
            return self._spare.pop()
        except IndexError:
            return self._make()

    def give_back(self, simulation: Simulation) -> None:
        """Let others use it."""
        self._spare.append(simulation)


def one_at_a_time(run: Callable[..., Run]) -> Callable[..., Run]:
    """The same for any number of threads: who finds the simulation in use goes on with another like it."""

    @wraps(run)
    def alone(simulation: Simulation, *state: object, **options: object) -> Run:
        turns = simulation.turns
        if turns.taken.acquire(False):
            try:
                return run(simulation, *state, **options)
            finally:
                turns.taken.release()
        other = turns.other()
        try:
            return run(other, *state, **options)
        finally:
            turns.give_back(other)

    return alone
