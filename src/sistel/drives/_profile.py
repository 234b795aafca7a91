"""The trapezoidal profile: how long a way takes, and a set point that is led to its target tick by tick."""

from __future__ import annotations

import math

from sistel.model.blocks import trapezoid
from sistel.records import mutable


def move_time(way: float, speed: float, acceleration: float, deceleration: float | None = None) -> float:
    """How long a way from rest to rest takes, in closed form; units of length and time are the caller's."""
    way = abs(way)
    down = acceleration if deceleration is None else deceleration
    ramp = 0.5 * (1.0 / acceleration + 1.0 / down)  # of speed², the way of both ramps
    if way > ramp * speed * speed:
        return way / speed + ramp * speed
    return 2.0 * math.sqrt(way * ramp)


@mutable
class SetPoint:
    """Where the profile is; it is planned anew from this state at every tick, so that all may change on the way."""

    position: float = 0.0
    """[increments]"""
    velocity: float = 0.0
    """[increments/s]"""
    farthest: float = 0.0
    """The greatest position since it last stood [increments]: so many digits have its roundings."""

    def advance(self, target: float, speed: float, up: float, down: float, time: float) -> float:
        """Go on towards a target for a time.

        Args:
            target: [increments]
            speed: Greatest speed [increments/s].
            up: Acceleration [increments/s²].
            down: Deceleration [increments/s²].
            time: [s]

        Returns:
            What is left of the time after the target is reached, at rest [s].
        """
        made = [0.0] * 4
        trapezoid([time], [self.position, self.velocity, self.farthest, target, speed, up, down], made)
        self.position, self.velocity, self.farthest, left = made
        return left

    def stop(self, down: float, time: float) -> None:
        """Brake towards rest for a time."""
        v = self.velocity
        t = min(abs(v) / down, time)
        a = -math.copysign(down, v)
        self.position += t * (v + 0.5 * a * t)
        self.velocity = 0.0 if abs(v) / down <= time else v + a * t
