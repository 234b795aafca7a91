"""A programmed motion from two poses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.errors import Text, refuse
from sistel.motion.trajectories._checks import choice, finite
from sistel.motion.trajectories._limits import Limits, are_limits
from sistel.motion.trajectories._moves import KINDS, Kind, fastest_move, polynomial_move
from sistel.motion.trajectories._paths import along, line_path, screw_path
from sistel.motion.trajectories._table import MotionTable
from sistel.pose import Pose

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.motion.trajectories._trajectory import Trajectory


def motion_between(
    start: ArrayLike | Pose,
    end: ArrayLike | Pose,
    *,
    every: float,
    duration: float | None = None,
    limits: Limits | None = None,
    kind: Literal["cubic", "quintic", "septic", "fastest"] = "quintic",
    way: Literal["line", "screw"] = "line",
    names: Sequence[str] | None = None,
    units: Sequence[str] | str = "rad",
) -> MotionTable:
    """The table of a motion from one pose to another, at rest at both ends.

    Args:
        start: Coordinates of the joints, shape (n,) [m or rad]; or the pose of a body: X_WB, shape (4, 4), or a
            `pose.Pose`.
        end: The other pose, told in the same way.
        every: Step of time of the table [s].
        duration: [s]
        limits: Of the coordinates, or of the pole of a body; they choose the duration where it is not given.
        kind: A polynomial, or ``fastest`` within limits.
        way: Of a body: a straight line, or a screw.
        names: Of the coordinates.
        units: In which coordinates are written.

    Returns:
        Coordinates; of a body its place and unit quaternion.

    Raises:
        SistelError: The call is wrong.
    """
    choice(kind, [*KINDS, "fastest"], Text("kind", "вид"))
    choice(way, ["line", "screw"], Text("way", "путь"))
    if kind == "fastest" and limits is None:
        refuse("no-duration", Text("the fastest motion needs limits", "быстрейшему движению нужны пределы"))

    def move(q0: ArrayLike, q1: ArrayLike, held: Limits | None, named: Sequence[str] | None = None) -> Trajectory:
        if kind == "fastest":
            assert held is not None
            return fastest_move(q0, q1, held, duration=duration, names=named)
        shape: Kind = kind
        return polynomial_move(q0, q1, duration, kind=shape, limits=held, names=named)

    body = isinstance(start, Pose) or isinstance(end, Pose) or finite(start, Text("start", "начало")).ndim == 2
    if not body:
        assert not isinstance(start, Pose) and not isinstance(end, Pose)
        return move(start, end, limits, names).table(every, units=units)
    path = line_path(start, end) if way == "line" else screw_path(start, end)
    if limits is None:
        return along(path, move(0.0, 1.0, None)).table(every)
    # The pole has the limits; a body that only turns has them as those of its turning.
    size = path.length if path.length > 0.0 else path.turning
    if size == 0.0:
        return along(path, limits=limits).table(every)
    velocity, rising, falling, jerk = (float(row[0]) / size for row in are_limits(limits).over(1))
    if path.angle and np.linalg.norm(path.arm):
        if kind != "fastest" or duration is not None:
            message = Text(
                "limits on a bent way choose the fastest motion only", "на кривом пути пределы задают только быстрейшее"
            )
            refuse("no-duration", message, hint=Text('kind="fastest" or a duration', 'kind="fastest" или длительность'))
        return along(path, limits=limits).table(every)
    held = Limits(velocity, rising, None if np.isinf(jerk) else jerk, falling)
    return along(path, move(0.0, 1.0, held)).table(every)
