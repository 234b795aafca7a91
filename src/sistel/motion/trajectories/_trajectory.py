"""A motion of some coordinates in time: polynomials one after another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.motion.trajectories._checks import finite, locked, number
from sistel.motion.trajectories._extrema import crossing, derivative, extremes, roots
from sistel.motion.trajectories._limits import Crossing, Limits, LimitsReport, are_limits
from sistel.motion.trajectories._timed import Timed
from sistel.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray

    from sistel.arrays import Array
    from sistel.motion.trajectories._table import MotionTable


MOST_ROWS = 10_000_000
"""Rows that a table may have: more are a mistyped step."""


@record
class Trajectory(Timed):
    """Coordinates as functions of time. Called with times, it gives coordinates, velocities and accelerations.

    Every piece is a polynomial of the time since its origin, which is the end of the piece that it must meet exactly:
    what begins and ends a motion is met to the bit, not to the rounding of a polynomial far from where it was made.
    Before it begins and after it ends, the coordinates stay and do not move.
    """

    knots: Array
    """Where the pieces begin, and where the last one ends, shape (m + 1,) [s]."""
    origins: Array
    """Times that the polynomials count from, shape (m, n) [s]."""
    coefficients: Array
    """Of every piece, power and coordinate, the constant first, shape (m, d, n)."""
    names: tuple[str, ...]
    """Of the coordinates."""
    limits: Limits | None = None
    """Those it was made for."""

    def __post_init__(self) -> None:
        for field in ("knots", "origins", "coefficients"):
            values = getattr(self, field)
            if not np.isfinite(values).all():
                message = Text(
                    "numbers too large or too small for a motion", "числа слишком велики или слишком малы для движения"
                )
                refuse("bad-numbers", message)
            object.__setattr__(self, field, locked(values))

    @property
    def t0(self) -> float:
        """When it begins [s]."""
        return float(self.knots[0])

    @property
    def t1(self) -> float:
        """When it ends [s]."""
        return float(self.knots[-1])

    def __call__(self, t: ArrayLike) -> tuple[Array, Array, Array]:
        """Coordinates, velocities and accelerations, each of the shape of the times and one more axis of size n.

        Args:
            t: Times, any shape [s].
        """
        tau, c, out = self._local(t)
        q, v, a = _value(c, tau), _value(c, tau, 1), _value(c, tau, 2)
        v[out], a[out] = 0.0, 0.0
        return q, v, a

    def jerk(self, t: ArrayLike) -> Array:
        """Rates of the accelerations; where those jump, of what follows."""
        tau, c, out = self._local(t)
        made = _value(c, tau, 3)
        made[out] = 0.0
        return made

    def turning_times(self) -> Array:
        """Times at which a coordinate may turn round, shape (k,) [s]: where velocities vanish within pieces, and knots.

        Of all coordinates together, in no order, and some of them more than once.
        """
        low, high = self.knots[:-1, None] - self.origins, self.knots[1:, None] - self.origins
        return np.asarray((roots(derivative(self.coefficients, 1), low, high) + self.origins[:, None]).ravel())

    def _local(self, t: ArrayLike) -> tuple[Array, Array, NDArray[np.bool_]]:
        times = finite(t, Text("times", "времена"))
        inside = np.clip(times, self.knots[0], self.knots[-1])
        piece = np.clip(np.searchsorted(self.knots, inside, side="right") - 1, 0, len(self.knots) - 2)
        return inside[..., None] - self.origins[piece], self.coefficients[piece], times != inside

    def limits_report(self, limits: Limits | None = None) -> LimitsReport:
        """The extreme values, and the limits that are broken: those given, else those that the motion was made for."""
        pieces = self.knots, self.origins, self.coefficients
        found = [extremes(*pieces, order) for order in range(4)]
        crossings = []
        held = limits or self.limits
        if held is not None:
            count = len(self.names)
            velocity, rising, falling, jerk = are_limits(held).over(count)
            # The sign of the speed decides which of the two holds; the larger one always does.
            acceleration = np.maximum(rising, falling)
            lower, upper = held.range_over(count)
            bounds = (
                ("position", lower, upper),
                ("velocity", -velocity, velocity),
                ("acceleration", -acceleration, acceleration),
                ("jerk", -jerk, jerk),
            )
            for order, (quantity, least, most) in enumerate(bounds):
                rates = found[order + 1].peak if order < 3 else np.zeros(count)
                for axis, name in enumerate(self.names):
                    bound = float(least[axis]), float(most[axis])
                    for time, worst, at, limit in crossing(
                        pieces, order, axis, found[order], bound, float(rates[axis])
                    ):
                        crossings.append(
                            Crossing(name=name, quantity=quantity, time=time, worst=worst, worst_at=at, limit=limit)
                        )
        crossings.sort(key=lambda each: each.time)
        return LimitsReport(
            names=self.names,
            position=found[0],
            velocity=found[1],
            acceleration=found[2],
            jerk=found[3],
            crossings=tuple(crossings),
        )

    def table(self, every: float, *, units: Mapping[str, str] | Sequence[str] | str = "rad") -> MotionTable:
        """Its coordinates at equal steps of time, the end included.

        Args:
            every: Step of time [s].
            units: In which the columns are written: one for all, one for each, or by name. Values are SI always.
        """
        from sistel.motion.trajectories._table import motion_table

        step = number(every, Text("step of the table", "шаг таблицы"), positive=True)
        if self.duration / step > MOST_ROWS:
            message = Text(f"more than {MOST_ROWS} rows", f"больше {MOST_ROWS} строк")
            refuse("too-many-rows", message)
        # The last step is not shorter than a millionth: a rounded duration makes no row of its own.
        count = max(0, int(np.ceil(self.duration / step * (1.0 - 1e-12) - 1e-6)))
        times = np.append(self.t0 + step * np.arange(count), self.t1)
        return motion_table(times, self(times)[0], names=self.names, units=units)


def _value(c: Array, tau: Array, order: int = 0) -> Array:
    """A derivative of polynomials with the powers on the last axis but one."""
    made = np.zeros_like(tau)
    for power in range(c.shape[-2] - 1, order - 1, -1):
        factor = 1.0
        for k in range(power, power - order, -1):
            factor *= k
        made = made * tau + factor * c[..., power, :]
    return made
