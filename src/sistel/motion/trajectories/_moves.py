"""Moves from one place to another: polynomials, and the fastest ones under limits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.errors import Text, refuse
from sistel.motion.trajectories._checks import choice, names_of, number, vector
from sistel.motion.trajectories._hermite import hermite
from sistel.motion.trajectories._limits import Limits, are_limits
from sistel.motion.trajectories._scurve import Ramps, fastest_ramps, pieces_of_ramps
from sistel.motion.trajectories._trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array

    Ends = tuple[ArrayLike, ArrayLike]

Kind = Literal["cubic", "quintic", "septic"]
SMALLEST = 1e-290
"""A distance whose square root is not sure to be told by numbers [m or rad]."""
KINDS = {"cubic": 2, "quintic": 3, "septic": 4}
"""How many conditions each kind meets at either end."""

PEAKS = {
    "cubic": (3 / 2, 6.0, 12.0),
    "quintic": (15 / 8, 10 / 3**0.5, 60.0),
    "septic": (35 / 16, 84 * 5**0.5 / 25, 105 / 2),
}
"""Peak velocity, acceleration and jerk of a move by 1 from rest to rest in 1 s."""


def polynomial_move(
    start: ArrayLike,
    end: ArrayLike,
    duration: float | None = None,
    *,
    kind: Kind = "quintic",
    velocities: Ends | None = None,
    accelerations: Ends | None = None,
    jerks: Ends | None = None,
    limits: Limits | None = None,
    t0: float = 0.0,
    names: Sequence[str] | None = None,
) -> Trajectory:
    """One polynomial from place to place, all ends as given: 0 where they are not.

    Args:
        start: Coordinates at the beginning, shape (n,) [m or rad].
        end: Coordinates at the end, shape (n,).
        duration: [s]; without it, the shortest one within the limits, from rest to rest.
        kind: ``cubic`` meets velocities at both ends, ``quintic`` accelerations too, ``septic`` jerks too.
        velocities: At the beginning and the end, each shape (n,) [per s].
        accelerations: At the beginning and the end, each shape (n,) [per s²].
        jerks: At the beginning and the end, each shape (n,) [per s³].
        limits: Those that choose the duration, or that a report compares with.
        t0: When it begins [s].
        names: Of the coordinates.

    Raises:
        SistelError: The call is wrong.

    Example:
        >>> move = polynomial_move([0.0], [1.0], 2.0)
        >>> q, v, a = move(1.0)
        >>> float(q[0]), float(v[0]), float(a[0])
        (0.5, 0.9375, 0.0)
    """
    choice(kind, list(KINDS), Text("kind", "вид"))
    q0, q1 = _ends(start, end)
    begin = number(t0, Text("beginning", "начало"))
    count = KINDS[kind]
    states = np.zeros((2, count, q0.size))
    states[0, 0], states[1, 0] = q0, q1
    for order, given, name in (
        (1, velocities, Text("velocities", "скорости")),
        (2, accelerations, Text("accelerations", "ускорения")),
        (3, jerks, Text("jerks", "рывки")),
    ):
        if given is None:
            continue
        if order >= count:
            message = Text(f"a {kind} does not meet {name.en} at its ends", f"{kind} не задаёт {name.ru} на концах")
            hint = Text("take a kind of higher degree", "возьмите вид большей степени")
            refuse("too-many-conditions", message, hint=hint)
        states[:, order] = pair(given, name, q0.size)
    if duration is None:
        if limits is None:
            refuse("no-duration", Text("give a duration or limits", "задайте длительность или пределы"))
        if states[:, 1:].any():
            message = Text(
                "limits choose the duration of moves from rest to rest only",
                "по пределам длительность выбирается только для движения из покоя в покой",
            )
            refuse("no-duration", message, hint=Text("give a duration", "задайте длительность"))
        duration = _shortest(np.abs(q1 - q0), limits, kind)
    else:
        duration = number(duration, Text("duration", "длительность"), positive=True)
    knots, origins, coefficients = _stretch(begin, duration, states)
    return Trajectory(
        knots=knots, origins=origins, coefficients=coefficients, names=names_of(names, q0.size), limits=limits
    )


def _stretch(begin: float, duration: float, states: Array) -> tuple[Array, Array, Array]:
    if duration == 0.0:
        return np.array([begin, begin]), np.full((1, states.shape[2]), begin), states[1, :1][None]
    knots = np.array([begin, begin + duration])
    if not knots[1] > begin:
        refuse("wrong-time", Text("the duration is too short to tell", "длительность неразличимо мала"))
    return hermite(knots, states)


def _shortest(distance: Array, limits: Limits, kind: Kind) -> float:
    velocity, rising, falling, jerk = are_limits(limits).over(distance.size)
    peaks = PEAKS[kind]
    times = (
        peaks[0] * distance / velocity,
        np.sqrt(peaks[1] * distance / np.minimum(rising, falling)),
        np.cbrt(peaks[2] * distance / jerk),
    )
    return float(np.max(times))


def fastest_move(
    start: ArrayLike,
    end: ArrayLike,
    limits: Limits,
    *,
    duration: float | None = None,
    together: Literal["time", "line"] = "time",
    t0: float = 0.0,
    names: Sequence[str] | None = None,
) -> Trajectory:
    """The fastest move from rest to rest within limits: seven stretches with a limit of jerk, else a trapezoid.

    All axes begin and end together: those that could be faster do the same in slower time, so that they stay further
    within their limits.

    Args:
        start: Coordinates at the beginning, shape (n,) [m or rad].
        end: Coordinates at the end, shape (n,).
        limits: Of velocity, acceleration and jerk.
        duration: A longer one than the shortest [s].
        together: ``time``: every axis has its own fastest profile, slowed down to the slowest; ``line``: the
            coordinates keep one proportion, so that the way between them is a straight line.
        t0: When it begins [s].
        names: Of the coordinates.

    Raises:
        SistelError: The call is wrong, or the duration shorter than possible.

    Example:
        Two metres at no more than 1 m/s and 1 m/s²: a second to speed up, one to cruise, one to slow down.

        >>> fastest_move(0.0, 2.0, Limits(velocity=1.0, acceleration=1.0)).duration
        3.0
    """
    choice(together, ["time", "line"], Text("together", "совместно"))
    q0, q1 = _ends(start, end)
    begin = number(t0, Text("beginning", "начало"))
    distance = np.abs(q1 - q0)
    velocity, rising, falling, jerk = are_limits(limits).over(q0.size)
    if together == "line" and distance.any():
        # One profile of the longest way, as slow as the axis that is the first to reach each limit.
        longest = distance.max()
        with np.errstate(all="ignore"):
            times = np.where(distance > 0.0, longest / distance, np.inf)
            parts = [np.min(limit * times, keepdims=True) for limit in (velocity, rising, falling, jerk)]
            one = fastest_ramps(np.array([longest]), parts[0], parts[1], parts[2], parts[3])
        # Its times hold for every axis that moves.
        ramps = Ramps(*(np.where(distance > 0.0, row, 0.0) for row in one))
    else:
        with np.errstate(all="ignore"):
            ramps = fastest_ramps(distance, velocity, rising, falling, jerk)
    # Where squares overflow or vanish, times come out as 0 or as no numbers; ways that small are no moves.
    if not (np.isfinite(ramps.total) & ((ramps.total > 0.0) | (distance < SMALLEST))).all():
        message = Text(
            "numbers too large or too small for a motion", "числа слишком велики или слишком малы для движения"
        )
        refuse("bad-numbers", message)
    least = float(ramps.total.max())
    if least > 0.0:
        # Seven stretches must differ in time: a move too short for that is made so much slower.
        least = max(least, 1024.0 * float(np.spacing(abs(begin))))
    total = least
    if duration is not None:
        total = number(duration, Text("duration", "длительность"), positive=True)
        if total < least * (1.0 - 1e-12):
            message = Text(
                f"the limits allow no move shorter than {least:.6g} s, not {total:.6g} s",
                f"пределы не допускают движения короче {least:.6g} с, а не {total:.6g} с",
            )
            refuse("too-fast", message)
        total = max(total, least)
    # Numbers that are too large are told of where the pieces are put together.
    with np.errstate(all="ignore"):
        knots, origins, coefficients = pieces_of_ramps(q0, q1, ramps, begin, total)
    return Trajectory(
        knots=knots, origins=origins, coefficients=coefficients, names=names_of(names, q0.size), limits=limits
    )


def _ends(start: ArrayLike, end: ArrayLike) -> tuple[Array, Array]:
    q0 = vector(start, Text("start", "начало"))
    return q0, vector(end, Text("end", "конец"), q0.size)


def pair(given: object, what: Text, size: int) -> Array:
    """What holds at the beginning and at the end, shape (2, n)."""
    if not isinstance(given, Sequence | np.ndarray) or len(given) != 2:
        message = Text(
            f"{what.en}: two are needed, at the beginning and at the end", f"{what.ru}: нужны две, в начале и в конце"
        )
        refuse("wrong-shape", message)
    return np.array([vector(each, what, size) for each in given])
