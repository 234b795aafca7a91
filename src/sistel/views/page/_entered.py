"""States that behaviours enter along a run, for the list of events of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.views._page_data import Entered, EnteredState
from sistel.views.page._said import tidy

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.model.charts import Chart
    from sistel.simulation import Run

MOST = 400
"""States that a page lists."""


def entered_states(run: Run, end: float) -> Entered | None:
    """When behaviours enter which states; None where there are no behaviours, or the run kept no steps.

    Args:
        run: The run.
        end: Up to where the page shows it [s].
    """
    charts = [chart for scheme in run.model.schemes if not scheme.asks for chart in scheme.behaviours]
    if not charts or not run.segments:
        return None
    times = run.t
    rows: list[tuple[float, int, EnteredState]] = []
    for chart in charts:
        for index, state in enumerate(chart.states):
            active = _active(run, chart, index)
            if index == 0 or active is None:
                continue  # the behaviour itself, and what is no state, such as a history
            begins = active & ~np.concatenate([[False], active[:-1]])
            for t in times[begins & (times <= end)].tolist():
                # What lies within comes after what is around it.
                row: EnteredState = {"time": t, "behaviour": tidy(chart.name), "state": tidy(state.name)}
                rows.append((t, len(chart.above(index)), row))
    rows.sort(key=lambda row: row[:2])
    return {"all": len(rows), "rows": [row for *_, row in rows[:MOST]]}


def _active(run: Run, chart: Chart, index: int) -> NDArray[np.bool_] | None:
    """At which rows of a run a state is active; None for what is no state.

    With a clock its truth is held. Without, what the states around it remember says which of them is active.
    """
    for i, each in enumerate(run.model.memory):
        if each.kind == "signal" and each.name == chart.full(index):
            return np.asarray(run.memory[:, i] > 0.5)
    state = chart.states[index]
    if index == 0 or state.key == "history":
        return None
    if chart.states[state.parent].key == "parallel":
        return _active(run, chart, state.parent)
    around = f"state({chart.full(state.parent) if state.parent else chart.name})"
    column = next(i for i, each in enumerate(run.model.memory) if each.kind == "store" and each.name == around)
    return np.asarray(run.memory[:, column] == chart.states[state.parent].children.index(index) + 1)
