"""What emulated drives made of a program: the motion of the joints, and how it differs from the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.drives._corners import SHORT, TICK, corners_of
from sistel.errors import Text, refuse
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.drives._plan import Plan
    from sistel.motion.trajectories import MotionTable

LONGEST = 600_000
"""Of an emulated program [ms]."""
AFTER = 50
"""Ticks after the last arrival in which nothing should happen any more."""


@record
class Emulation:
    """The motion that emulated drives have made, tick by tick."""

    plan: Plan
    counts: Array
    """Positions of the shafts, shape (n, axes) [increments]; the first row is the time 0 of the program, then ticks."""
    arrivals: tuple[tuple[tuple[int, int], ...], ...]
    """Of every drive: times and targets of its moves [ms, increments]."""
    problems: tuple[Text, ...] = ()
    """What went wrong on the way; drives have stopped then."""

    @property
    def times(self) -> Array:
        """Of the table, shape (n,) [s]: the way to the first row comes before its first time."""
        first = float(self.plan.table.times[0])
        ticks: Array = np.arange(len(self.counts), dtype=np.float64)
        return first + 1e-3 * (ticks - self.plan.lead)

    @property
    def positions(self) -> Array:
        """Of the joints, shape (n, axes) [m or rad]."""
        scale = np.array([axis.scale for axis in self.plan.axes])
        home = np.array([axis.drive.home for axis in self.plan.axes])
        made: Array = home + self.counts / scale
        return made

    @property
    def wanted(self) -> Array:
        """What the model makes of the table at the same times, shape (n, axes) [m or rad]."""
        table = self.plan.table
        columns = [axis.column for axis in self.plan.axes]
        t = np.clip(self.times, table.times[0], table.times[-1])
        return np.asarray(table.trajectory("cubic")(t)[0])[:, columns]

    @property
    def errors(self) -> Array:
        """Positions less those of the table, from its first time on, shape (m, axes) [m or rad]."""
        return (self.positions - self.wanted)[self.plan.lead :]

    def corners(self) -> list[MotionTable] | None:
        """The motion of every joint in parabolas between its corners; None where it is none of trapezoids."""
        from sistel.motion.trajectories import motion_table

        plan = self.plan
        found = None if self.problems else corners_of(plan, self.counts)
        if found is None:
            return None
        lead, first = TICK * plan.lead, float(plan.table.times[0])
        made = []
        for axis, corners in zip(plan.axes, found, strict=True):
            stands = [value for at, value in corners if at <= lead + SHORT][-1]
            rows = [(lead, stands), *(each for each in corners if each[0] > lead + SHORT)]
            made.append(
                motion_table(
                    [first + (at - lead) for at, _ in rows],
                    [[axis.position(value)] for _, value in rows],
                    names=[plan.table.names[axis.column]],
                    units=[plan.table.units[axis.column]],
                )
            )
        return made

    def table(self, every: int = 10) -> MotionTable:
        """The motion as a table for a model, from the first time of the plan's table on.

        Args:
            every: Time between rows [ms].
        """
        from sistel.motion.trajectories import motion_table

        plan = self.plan
        chosen = list(range(plan.lead, len(self.counts), every))
        if chosen[-1] != len(self.counts) - 1:
            chosen.append(len(self.counts) - 1)
        columns = [axis.column for axis in plan.axes]
        return motion_table(
            self.times[chosen],
            self.positions[chosen],
            names=[plan.table.names[column] for column in columns],
            units=[plan.table.units[column] for column in columns],
        )


def check_length(plan: Plan) -> None:
    """Refuse to emulate what would take too long."""
    if plan.end > LONGEST:
        minutes = LONGEST // 60_000
        refuse(
            "too-long",
            Text(f"more than {minutes} minutes are not emulated", f"больше {minutes} минут не эмулируется"),
        )


def emulation(
    plan: Plan,
    counts: Sequence[Sequence[float]],
    arrivals: Sequence[Sequence[tuple[int, int]]],
    problems: Sequence[Text] = (),
) -> Emulation:
    """What was recorded, as arrays; rows that were not reached are told."""
    missed = []
    for axis, found in zip(plan.axes, arrivals, strict=True):
        wanted = [move.target for move in axis.moves if move.way]
        if [target for _, target in found] != wanted and not problems:
            node, count = axis.drive.node, len(wanted)
            missed.append(
                Text(
                    f"drive {node} has reached {len(found)} of {count} targets",
                    f"привод {node} достиг целей: {len(found)} из {count}",
                )
            )
    return Emulation(
        plan=plan,
        counts=np.array(counts, dtype=float).reshape(len(counts), len(plan.axes)),
        arrivals=tuple(tuple(each) for each in arrivals),
        problems=(*problems, *missed),
    )
