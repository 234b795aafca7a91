"""Forces of contacts along a run: where each of them touches, and what it does to what the file says touches."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.views._page_data import Pushes, PushRow
from sistel.views.page._computed import computed
from sistel.views.page._curve_loads import loads_of
from sistel.views.page._curve_points import look
from sistel.views.page._said import tidy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.model import Contact
    from sistel.simulation import Run


MOST_CONTACTS = 60
"""Contacts of a system whose forces are drawn."""
MOST_NUMBERS = 14_000
"""Of all arrows of a run together."""
DIGITS = 4
"""Of places over the size of the system, and of forces over the greatest."""
NOTHING = 1e-9
"""Part of the greatest force that is none."""
USUAL = 0.98
"""Part of the times at which no force is greater than the longest arrow's."""


def pushes_of(run: Run, size: float) -> Pushes | None:
    """The forces of the contacts of a run; None where none is known.

    Args:
        run: A run that kept its steps.
        size: Of the system [m].
    """
    model = run.model
    if not model.contacts or len(model.contacts) > MOST_CONTACTS or not any(len(each.times) for each in run.segments):
        return None
    points = look(run)
    chosen = _chosen(points.t, MOST_NUMBERS // (6 * len(model.contacts)))
    t, states = points.t[chosen], points.states[chosen]
    loads = loads_of(run, states, points.names[chosen], points.gains[chosen]).joints
    known = [each for each in model.contacts if each.name in loads and np.isfinite(loads[each.name]).any()]
    forces = {each.name: _way(run, each) * np.nan_to_num(loads[each.name][:, 3:]) for each in known}
    sizes = [np.linalg.norm(force, axis=1) for force in forces.values()]
    largest = float(np.max(sizes)) if sizes else 0.0
    if not largest > 0.0:
        return None
    usual = float(np.quantile(np.max(sizes, axis=0), USUAL)) or largest
    acting = [each for each in known if float(np.abs(forces[each.name]).max()) > NOTHING * largest]
    places = _places(run, acting, states)
    rows: list[PushRow] = [
        {
            "name": tidy(contact.name),
            "place": _rounded(places[:, 3 * i : 3 * i + 3], size),
            "force": _rounded(forces[contact.name], largest),
        }
        for i, contact in enumerate(acting)
    ]
    return {"times": [float(x) for x in t], "rows": rows, "usual": usual}


def _way(run: Run, contact: Contact) -> float:
    """1, or -1 where a corner of what is touched is what touches: loads are those on the body with the corner."""
    pair = contact.pair
    shape = None if pair is None else next((each for each in run.model.shapes if each.name == pair.of), None)
    return -1.0 if shape is not None and shape.body == contact.on and contact.body != contact.on else 1.0


def _chosen(t: Array, most: int) -> NDArray[np.intp]:
    """Which of many times are told: at equal distances, and both sides of jumps of time as far as there is room."""
    if len(t) <= most:
        return np.arange(len(t))
    twice = np.flatnonzero(np.diff(t) == 0.0)[: most // 4]
    even = np.searchsorted(t, np.linspace(t[0], t[-1], max(2, most - 2 * len(twice))))
    return np.unique(np.concatenate([twice, twice + 1, np.minimum(even, len(t) - 1)]))


def _places(run: Run, contacts: Sequence[Contact], states: Array) -> Array:
    """Where contacts touch, or would, in W, shape (n, 3 · contacts) [m]."""
    line = run.engine.automaton.touching(contacts)
    places = computed(line, "places")
    with np.errstate(all="ignore"):
        made = np.array(places(states))
    made[~np.isfinite(made)] = 0.0
    return made


def _rounded(numbers: Array, whole: float) -> list[float]:
    step = whole * 10.0**-DIGITS
    digits = max(0, int(np.ceil(-np.log10(step))))
    return [float(x) for x in np.round(numbers, digits).ravel()]
