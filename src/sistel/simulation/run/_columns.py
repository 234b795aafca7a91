"""A run as columns of numbers, for tables in files and on paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from sistel.arrays import AnyArray, Array
    from sistel.simulation.run._run import Run


def run_columns(run: Run, quantities: Sequence[str], every: float | None) -> tuple[Array, AnyArray, dict[str, Array]]:
    """Times, structures, and the columns of a table by name [SI].

    Args:
        run: The run.
        quantities: Expressions that are columns too.
        every: Time between two rows [s]; without, a row a step.
    """
    model = run.model
    # Counters and currents are part of the state, and so of a table.
    asked_for = [
        ("counter", counter.name) for counter in model.counters if any(m.kind == "counter" for m in model.memory)
    ]
    asked_for += [("current", each.name) for each in model.memory if each.kind == "current"]
    counted = [f"{kind}('{name}')" for kind, name in asked_for]
    if every is None:
        times, q, v, structures = run.t, run.q, run.v, np.array(run.structure)
        counts = [run.quantity(text) for text in counted]
        asked = [run.quantity(text) for text in quantities]
    else:
        count = math.floor((run.end - run.begin) / every * (1.0 + 4e-16)) + 1
        times = np.minimum(run.begin + every * np.arange(count), run.end)
        (q, v), structures = run(times), run.structure_at(times)
        counts = [run.quantity(text, times) for text in counted]
        asked = [run.quantity(text, times) for text in quantities]
    columns = dict(zip(model.coordinate_names, q.T, strict=True))
    columns |= {f"{name}'": value for name, value in zip(model.rate_names, v.T, strict=True)}
    columns |= {f"{kind}({name})": value for (kind, name), value in zip(asked_for, counts, strict=True)}
    return times, structures, columns | dict(zip(quantities, asked, strict=True))
