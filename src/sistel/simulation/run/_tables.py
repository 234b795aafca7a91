"""Runs as tables of motion, which people change and systems follow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.motion.trajectories import motion_table, unit_named

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model
    from sistel.motion.trajectories import MotionTable
    from sistel.simulation.run._run import Run

MOST_ROWS = 100_000
DIGITS = 10
"""Decimals of a degree or millimetre."""
TIMES = 12
"""Decimals of a second."""


def table_of(run: Run, every: float | None) -> MotionTable:
    """The coordinates of hinges and slides at times: angles in degrees, lengths in millimetres, to `DIGITS` decimals.

    Args:
        run: What was simulated.
        every: Time between two rows [s]; without, the rows of the tables that the system follows, or a row a step.

    Raises:
        SistelError: No joint can follow a table, or there are more rows than anyone reads.
    """
    places = followers(run.model)
    if not places:
        message = Text(
            "no hinge and no slide: tables tell of nothing else",
            "нет ни шарниров, ни ходов: о другом таблица не говорит",
        )
        refuse("no-column", message)
    times = _times(run, every)
    q, _ = run(times)
    rates = [rate for rate, _ in places]
    words = ["deg" if run.model.rate_kinds[rate] == "turn" else "mm" for rate in rates]
    columns = []
    for (_, coordinate), word in zip(places, words, strict=True):
        unit = unit_named(word)
        # People change these numbers: the noise of the last digits would only be in their way.
        columns.append(np.array([unit.to_si(round(unit.from_si(x), DIGITS)) for x in q[:, coordinate].tolist()]))
    return motion_table(
        times, np.stack(columns, axis=1), names=[run.model.rate_names[rate] for rate in rates], units=words
    )


def followers(model: Model) -> list[tuple[int, int]]:
    """Places of the velocities and coordinates of hinges and slides."""
    return [
        (body.first_v + place, body.first_q + place)
        for body in model.bodies
        if not body.joint.type.has_quaternion
        for place in range(body.joint.type.nv)
    ]


def _times(run: Run, every: float | None) -> Array:
    if every is not None:
        count = (run.end - run.begin) / every
        if not count <= MOST_ROWS:
            message = Text(f"more than {MOST_ROWS} rows", f"больше {MOST_ROWS} строк")
            refuse("too-many-rows", message)
        # Rows are at the times that are read there: 0.3 s, not 0.30000000000000004.
        found = np.round(run.begin + every * np.arange(math.floor(count * (1.0 + 4e-16)) + 1), TIMES)
        return np.unique([*found[found < run.end - 1e-9 * every].tolist(), run.end])
    rows = [
        time
        for motion in run.model.motions
        if motion.rows and not motion.repeat and not motion.since_entry
        for time in motion.times
        if run.begin <= time <= run.end
    ]
    return np.unique([run.begin, *rows, run.end] if rows else run.t)
