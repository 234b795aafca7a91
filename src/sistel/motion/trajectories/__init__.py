"""Motions made from places, limits and times: moves, splines, ways in space, and tables of them.

Pure functions over frozen data: what they make is a `Trajectory` or a `PoseTrajectory`, called with times, or a
`MotionTable`, written as a file or as an element of a model. Angles in radians, lengths in metres, times in seconds.

Example:
    Two axes of an arm that begin and end together, within their limits:

    >>> limits = Limits(velocity=[1.0, 2.0], acceleration=4.0, jerk=40.0)
    >>> move = fastest_move([0.0, 0.0], [1.0, -0.5], limits, names=["shoulder", "elbow"])
    >>> move.limits_report().kept
    True
    >>> move.table(every=0.01, units="deg").names
    ('shoulder', 'elbow')
"""

from sistel.motion.trajectories._between import motion_between
from sistel.motion.trajectories._files import load_table, locate_table, open_rows, open_table, read_table
from sistel.motion.trajectories._hermite import hermite
from sistel.motion.trajectories._limits import Crossing, Extremes, Limits, LimitsReport
from sistel.motion.trajectories._moves import fastest_move, polynomial_move
from sistel.motion.trajectories._paths import (
    Path,
    PoseTrajectory,
    along,
    arc_path,
    line_path,
    screw_path,
    waypoints,
)
from sistel.motion.trajectories._splines import spline
from sistel.motion.trajectories._stages import staged_waypoints
from sistel.motion.trajectories._table import MotionTable, check_interpolation, motion_table, unit_named
from sistel.motion.trajectories._trajectory import Trajectory

__all__ = [
    "Crossing",
    "Extremes",
    "Limits",
    "LimitsReport",
    "MotionTable",
    "Path",
    "PoseTrajectory",
    "Trajectory",
    "along",
    "arc_path",
    "check_interpolation",
    "fastest_move",
    "hermite",
    "line_path",
    "load_table",
    "locate_table",
    "motion_between",
    "motion_table",
    "open_rows",
    "open_table",
    "polynomial_move",
    "read_table",
    "screw_path",
    "spline",
    "staged_waypoints",
    "unit_named",
    "waypoints",
]
