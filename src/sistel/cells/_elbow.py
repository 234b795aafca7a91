"""A shoulder and an elbow: the angles that reach a point, without losing digits at the edge of the reach."""

from __future__ import annotations

import math


def bend(a: float, b: float, ahead: float, up: float, slack: float = 0.0) -> float | None:
    """The angle between the directions of two links whose ends are that far apart, 0 to π; None out of reach [rad].

    Half of it by its tangent: where the arm is stretched or folded, a cosine would lose half of the digits.

    Args:
        a: Length of the first link [m].
        b: Of the second.
        ahead: Where the end is from the shoulder [m].
        up: The same across.
        slack: How far beyond the reach still counts, in parts of the squared reach.
    """
    far = math.hypot(ahead, up)
    stretch, fold = (a + b - far) * (a + b + far), (far - abs(a - b)) * (far + abs(a - b))
    least = -slack * (a + b) ** 2
    if stretch < least or fold < least:
        return None
    return 2.0 * math.atan2(math.sqrt(max(0.0, stretch)), math.sqrt(max(0.0, fold)))


def shoulder(a: float, b: float, ahead: float, up: float, elbow: float) -> float:
    """The angle of the first link above the horizontal, for an angle of the elbow [rad]."""
    return math.atan2(up, ahead) - math.atan2(b * math.sin(elbow), a + b * math.cos(elbow))
