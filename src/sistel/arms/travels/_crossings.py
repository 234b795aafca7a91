"""Limits of joints and of motors that a motion goes beyond, found between the samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.arms._limits import force_limits, joint_limits, speed_limits
from sistel.arms.travels._crossing import Crossing, least, looked_at
from sistel.arms.travels._singular import singular_postures
from sistel.arms.travels._task import Arm, Task
from sistel.motion.trajectories import Limits, Trajectory

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Model

    Values = Callable[[Array], Array]

ROUNDING = 1e-9
"""Part of a limit that counts as none."""
FEW = 64
"""Ends of pieces up to which extremes are found from the polynomials."""


def crossings_of(
    arm: Arm, frame: str, task: Task, motion: Trajectory, t: Array, forces: Callable[[Array, bool], Array]
) -> tuple[Crossing, ...]:
    """Everything that a motion meets, by time.

    Args:
        arm: The arm.
        frame: Its tool.
        task: Which rows of the Jacobian can be singular.
        motion: Of all its coordinates.
        t: Times of the rows [s].
        forces: Driving forces at times, shape (n, nv); from before each time where that is asked.
    """
    model = arm.model
    low, high = joint_limits(model)
    speeds, drives = speed_limits(model), force_limits(model)
    looks = looked_at(motion, t)
    found = _beyond("force", model.rate_names, looks, forces, -drives, drives)
    if len(motion.knots) <= FEW:
        found += _joints(model, motion)
    else:
        found += _beyond("position", model.coordinate_names, looks, lambda at, _: motion(at)[0], low, high)
        found += _beyond("velocity", model.rate_names, looks, lambda at, _: motion(at)[1], -speeds, speeds)
    found += singular_postures(arm, frame, task, motion, t)
    return tuple(sorted(found, key=lambda each: each.time))


def _joints(model: Model, motion: Trajectory) -> list[Crossing]:
    """Limits of positions and speeds, from the polynomials themselves."""
    low, high = joint_limits(model)
    speeds = np.maximum(speed_limits(model), 1e-300)
    # A range of one point is a lock; limits want two.
    high = np.where(high > low, high, np.nextafter(low, np.inf))
    limits = Limits(speeds, 1e300, lower=low, upper=high)
    return [
        Crossing(
            quantity="position" if each.quantity == "position" else "velocity",
            names=(each.name,),
            time=each.time,
            worst=each.worst,
            worst_at=each.worst_at,
            limit=each.limit,
        )
        for each in motion.limits_report(limits).crossings
        if each.quantity in ("position", "velocity")
    ]


def _beyond(
    quantity: Literal["position", "velocity", "force"],
    names: Sequence[str],
    looks: Array,
    values: Callable[[Array, bool], Array],
    low: Array,
    high: Array,
) -> list[Crossing]:
    """Columns of values that leave their ranges: from looks at both sides of times, then between the looks."""
    chosen = np.flatnonzero(np.isfinite(low) | np.isfinite(high))
    if not chosen.size:
        return []
    # Both sides of every time: forces jump where accelerations do, and where friction turns round.
    both = np.repeat(looks, 2)
    seen = np.empty((len(both), len(names)))
    seen[0::2], seen[1::2] = values(looks, True), values(looks, False)
    made = []
    for place in chosen.tolist():
        least_value, most = float(low[place]), float(high[place])

        def excess(at: Array, place: int = place, least_value: float = least_value, most: float = most) -> Array:
            column = values(at, False)[:, place]
            return np.maximum(column - most, least_value - column)

        column = seen[:, place]
        over = np.maximum(column - most, least_value - column)
        i = int(over.argmax())
        worst, worst_at, value = float(over[i]), float(both[i]), float(column[i])
        # Between two looks a value grows about as much as beside them; most stay far from their limits.
        steep = float(np.abs(np.diff(over)).max(initial=0.0))
        peak = _peak(excess, looks, np.maximum(over[0::2], over[1::2])) if worst + steep >= 0.0 else None
        if peak is not None and peak[1] > worst:
            worst_at, worst = peak
            value = float(values(np.array([worst_at]), False)[0, place])
        limit = most if value > most else least_value
        slack = ROUNDING * max(abs(limit), 1e-3) if math.isfinite(limit) else 0.0
        if worst <= slack:
            continue
        above = np.flatnonzero(over > slack)
        time = worst_at
        if above.size:
            first = int(above[0])
            time = float(both[first])
            if first and both[first] > both[first - 1]:
                time = _passed(excess, float(both[first - 1]), float(both[first]))
        made.append(
            Crossing(
                quantity=quantity,
                names=(names[place],),
                time=min(time, worst_at),
                worst=value,
                worst_at=worst_at,
                limit=limit,
            )
        )
    return made


def _peak(values: Values, t: Array, seen: Array) -> tuple[float, float] | None:
    """The greatest value beside the greatest that was seen, and when."""
    i = int(seen.argmax())
    low, high = float(t[max(0, i - 1)]), float(t[min(len(t) - 1, i + 1)])
    if not high > low:
        return None
    at = least(lambda x: -float(values(np.array([x]))[0]), low, high)
    return at, float(values(np.array([at]))[0])


def _passed(values: Values, low: float, high: float) -> float:
    """Where values pass zero upwards between two times, by halving."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if float(values(np.array([middle]))[0]) > 0.0:
            high = middle
        else:
            low = middle
    return high
