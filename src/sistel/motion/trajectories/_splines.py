"""Splines through via points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.errors import Text, refuse
from sistel.motion.trajectories._checks import choice, growing, names_of, number, points
from sistel.motion.trajectories._hermite import hermite
from sistel.motion.trajectories._limits import Limits, are_limits
from sistel.motion.trajectories._moves import pair
from sistel.motion.trajectories._trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.motion.trajectories._moves import Ends


def spline(
    places: ArrayLike,
    times: ArrayLike | None = None,
    *,
    kind: Literal["cubic", "quintic"] = "cubic",
    ends: Literal["clamped", "natural"] = "clamped",
    velocities: Ends | None = None,
    accelerations: Ends | None = None,
    limits: Limits | None = None,
    t0: float = 0.0,
    names: Sequence[str] | None = None,
) -> Trajectory:
    """A smooth motion through via points.

    A cubic spline has continuous accelerations; a quintic one continuous jerks too, and their rates.

    Args:
        places: Coordinates at the points, shape (m, n) or (m,) [m or rad].
        times: When the points are passed, shape (m,) [s]; without them they are chosen within the limits: in
            proportion to what the axes need from point to point, and as short as one limit allows.
        kind: ``cubic`` or ``quintic``.
        ends: ``clamped``: velocities at the ends are given (0 unless told); ``natural``: accelerations are 0 there,
            cubic only.
        velocities: At the beginning and the end, each shape (n,) [per s].
        accelerations: At the beginning and the end of a quintic, each shape (n,) [per s²].
        limits: Those that choose the times, or that a report compares with.
        t0: When it begins, where the times are chosen [s].
        names: Of the coordinates.

    Raises:
        SistelError: The call is wrong.
    """
    choice(kind, ["cubic", "quintic"], Text("kind", "вид"))
    choice(ends, ["clamped", "natural"], Text("ends", "концы"))
    q = points(places, Text("places", "точки"), least=2)
    n = q.shape[1]
    if ends == "natural" and (kind == "quintic" or velocities is not None):
        message = Text(
            "natural ends are of cubic splines without end velocities",
            "естественные концы — у кубического сплайна без скоростей на концах",
        )
        refuse("too-many-conditions", message)
    if accelerations is not None and kind == "cubic":
        message = Text(
            "a cubic spline does not meet end accelerations", "кубический сплайн не задаёт ускорения на концах"
        )
        refuse("too-many-conditions", message, hint=Text('take kind="quintic"', 'возьмите kind="quintic"'))
    v = np.zeros((2, n)) if velocities is None else pair(velocities, Text("velocities", "скорости"), n)
    a = np.zeros((2, n)) if accelerations is None else pair(accelerations, Text("accelerations", "ускорения"), n)
    named = names_of(names, n)
    if times is not None:
        knots = growing(times, Text("times", "времена"))
        if knots.size != len(q):
            message = Text(f"{knots.size} times of {len(q)} points", f"времён {knots.size}, а точек {len(q)}")
            refuse("wrong-shape", message)
        return _through(knots, q, kind, ends, v, a, named, limits)
    if limits is None:
        refuse("no-duration", Text("give times or limits", "задайте времена или пределы"))
    if v.any() or a.any():
        message = Text(
            "limits choose the times of motions from rest to rest only",
            "по пределам времена выбираются только для движения из покоя в покой",
        )
        refuse("no-duration", message, hint=Text("give times", "задайте времена"))
    begin = number(t0, Text("beginning", "начало"))
    steps = _needs(np.abs(np.diff(q, axis=0)), limits)
    if not (steps > 0.0).all():
        i = int(np.argmin(steps > 0.0))
        message = Text(f"points {i} and {i + 1} are the same", f"точки {i} и {i + 1} совпадают")
        refuse("wrong-time", message, hint=Text("give times", "задайте времена"))
    knots = np.concatenate([[0.0], np.cumsum(steps)])
    # In time slower by k, velocities are k, accelerations k² and jerks k³ times smaller: one limit is just met.
    report = _through(knots, q, kind, ends, v, a, named, limits).limits_report()
    velocity, rising, falling, jerk = are_limits(limits).over(n)
    slower = max(
        float((report.velocity.peak / velocity).max()),
        float(np.sqrt((report.acceleration.peak / np.minimum(rising, falling)).max())),
        float(np.cbrt((report.jerk.peak / jerk).max())),
    )
    return _through(begin + slower * knots, q, kind, ends, v, a, named, limits)


def _needs(distance: Array, limits: Limits) -> Array:
    """What the axes need for the ways between the points, at least in proportion, shape (m,) [s]."""
    velocity, rising, falling, jerk = are_limits(limits).over(distance.shape[1])
    least = np.minimum(rising, falling)
    each = np.maximum(np.maximum(distance / velocity, np.sqrt(distance / least)), np.cbrt(distance / jerk))
    return np.asarray(each.max(axis=1))


def _through(
    knots: Array, q: Array, kind: str, ends: str, v: Array, a: Array, names: tuple[str, ...], limits: Limits | None
) -> Trajectory:
    if not (np.diff(knots) > 0.0).all():
        refuse("wrong-time", Text("the times are too near to tell", "времена неразличимо близки"))
    h = np.diff(knots)
    if kind == "cubic":
        states = np.stack([q, cubic_slopes(h, q, v, natural=ends == "natural")], axis=1)
    else:
        states = np.concatenate([q[:, None], _quintic_rates(h, q, v, a)], axis=1)
    made_knots, origins, coefficients = hermite(knots, states)
    return Trajectory(knots=made_knots, origins=origins, coefficients=coefficients, names=names, limits=limits)


def cubic_slopes(h: Array, q: Array, v: Array, *, natural: bool) -> Array:
    """Velocities at the points that make accelerations continuous, shape (m, n).

    From 6 (d/h²) − (4 v₀ + 2 v₁)/h at the beginning of a stretch being what the one before has at its end.
    """
    m = len(q)
    slopes = np.zeros_like(q)
    p = 1.0 / h
    load = 3.0 * np.diff(q, axis=0) * (p * p)[:, None]
    # Rows of a tridiagonal matrix, solved from the first to the last and back; its diagonal outweighs the rest.
    upper, right = np.zeros(m), np.zeros_like(q)
    if natural:
        upper[0], right[0] = 0.5, 0.5 * load[0] / p[0]
    else:
        right[0] = v[0]
    for i in range(1, m - 1):
        pivot = 2.0 * (p[i - 1] + p[i]) - p[i - 1] * upper[i - 1]
        upper[i], right[i] = p[i] / pivot, (load[i - 1] + load[i] - p[i - 1] * right[i - 1]) / pivot
    slopes[-1] = v[1]
    if natural:
        slopes[-1] = (load[-1] / p[-1] - right[-2]) / (2.0 - upper[-2])
    for i in range(m - 2, -1, -1):
        slopes[i] = right[i] - upper[i] * slopes[i + 1]
    return slopes


def _quintic_rates(h: Array, q: Array, v: Array, a: Array) -> Array:
    """Velocities and accelerations at the points that make third and fourth derivatives continuous, shape (m, 2, n).

    Over a stretch of time h the third and fourth derivatives at its beginning are
    (60 d − (36 v₀ + 24 v₁) h − (9 a₀ − 3 a₁) h²)/h³ and (−360 d + (192 v₀ + 168 v₁) h + (36 a₀ − 24 a₁) h²)/h⁴,
    and at its end the same with the ends exchanged and time running backwards.
    """
    m = len(q)
    states = np.zeros((m, 2, q.shape[1]))
    states[0], states[-1] = np.stack([v[0], a[0]]), np.stack([v[1], a[1]])
    d = np.diff(q, axis=0)
    before, right = np.zeros((m, 2, 2)), np.zeros((m, 2, q.shape[1]))
    right[0] = states[0]
    for i in range(1, m - 1):
        x, y = h[i - 1], h[i]
        # Scaled by h of the stretch before: the entries of very unequal stretches stay near 1.
        r = x / y
        lower = np.array([[-24.0, -3.0 * x], [-168.0, -24.0 * x]])
        middle = np.array(
            [[-36.0 + 36.0 * r**2, (9.0 + 9.0 * r) * x], [-192.0 - 192.0 * r**3, (36.0 - 36.0 * r**2) * x]]
        )
        upper = np.array([[24.0 * r**2, -3.0 * r * x], [-168.0 * r**3, 24.0 * r**2 * x]])
        load = np.stack(
            [-60.0 / x * d[i - 1] + 60.0 * r**2 / y * d[i], -360.0 / x * d[i - 1] - 360.0 * r**3 / y * d[i]]
        )
        pivot = middle - lower @ before[i - 1]
        before[i] = np.linalg.solve(pivot, upper)
        right[i] = np.linalg.solve(pivot, load - lower @ right[i - 1])
    for i in range(m - 2, 0, -1):
        states[i] = right[i] - before[i] @ states[i + 1]
    return states
