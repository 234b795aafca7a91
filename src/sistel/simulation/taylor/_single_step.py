"""From tick to tick in machine code: what a program says goes into the state, and the loop moves on.

Written in the compiled subset of Python.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from sistel.kernels import USER
from sistel.kernels.subset import CompiledFunction, Floats, Ints, compile_functions
from sistel.once import once
from sistel.simulation.taylor import _loop
from sistel.simulation.taylor._loop import propagate
from sistel.simulation.taylor.outcomes import NO_NUMBER
from sistel.simulation.taylor.tables import ANSWERED, EVENTS, ROOM, STEPS, TOLD, Tables

if TYPE_CHECKING:
    from sistel.arrays import Array, Whole
    from sistel.simulation.taylor._driver import TaylorDriver

BLOCK: Final = 1024
"""Steps after which Python looks up, as it does in runs."""


def step(tables: Tables, said: Floats, places: Ints, count: int) -> int:
    """Take what a program says at the tick where the loop has ended, and move on; see `propagate` for the answer."""
    counts = tables.counts
    for i in range(count):
        if not math.isfinite(said[i]):
            return NO_NUMBER
    for i in range(count):
        tables.y[places[i]] = said[i]
    room = counts[ROOM] - counts[STEPS]
    counts[ROOM] = room if room > 0 else BLOCK
    counts[STEPS] = 0
    counts[EVENTS] = 0
    counts[ANSWERED] = TOLD
    return propagate(tables)


@once
def _code() -> CompiledFunction:
    return compile_functions([*_loop.FUNCTIONS, step], exports=["step"], cache=USER, quick=True).step


def single_step(driver: TaylorDriver, said: Array, places: Whole) -> Callable[[], int]:
    """What goes on from a tick to the next; an `Outcome`.

    Args:
        driver: It stands at a tick at which a program is asked.
        said: What the program says, each time anew.
        places: Where in the state it goes.
    """
    made: Callable[[], int] = _code().tie(driver.tables(), said, places, len(places))
    return made
