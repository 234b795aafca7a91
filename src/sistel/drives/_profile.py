"""The trapezoidal profile: how long a way takes, and a set point that is led to its target tick by tick."""

from __future__ import annotations

import math

from sistel.records import mutable

ROUNDED = 4e-15
"""What rounding of positions may leave of a way, as a share of the position."""


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
        p, v = self.position, self.velocity
        self.farthest = abs(p) if v == 0.0 else max(self.farthest, abs(p))
        near = ROUNDED * max(1.0, abs(target), self.farthest)
        while time > 0.0:
            x = target - p
            s = 1.0 if x > 0.0 or (x == 0.0 and v > 0.0) else -1.0
            u, way = s * v, s * x  # along the way to the target
            if way <= near and abs(u) * abs(u) <= 2.0 * down * near:
                p, v = target, 0.0
                break
            brake = u * u / (2.0 * down)
            if u < 0.0 or brake >= way - near:  # away from the target, or so fast that braking is due
                a, t, end = -math.copysign(down, u), abs(u) / down, 0.0
            elif u > speed * (1.0 + 1e-12):
                a, t, end = -down, (u - speed) / down, speed
            elif u < speed * (1.0 - 1e-12):
                peak = min(speed, math.sqrt((2.0 * up * down * way + down * u * u) / (up + down)))
                a, t, end = up, (peak - u) / up, peak
                if t <= 1e-15:
                    a, t, end = -down, u / down, 0.0
            else:
                a, t, end = 0.0, (way - brake) / u, u
            if t >= time:
                p += s * time * (u + 0.5 * a * time)
                v = s * (u + a * time)
                time = 0.0
            else:
                p += s * t * (u + 0.5 * a * t)
                v = s * end
                time -= t
        if abs(target - p) <= near and v * v <= 2.0 * down * near:
            p, v = target, 0.0
        self.position, self.velocity = p, v
        return time if p == target and v == 0.0 else 0.0

    def stop(self, down: float, time: float) -> None:
        """Brake towards rest for a time."""
        v = self.velocity
        t = min(abs(v) / down, time)
        a = -math.copysign(down, v)
        self.position += t * (v + 0.5 * a * t)
        self.velocity = 0.0 if abs(v) / down <= time else v + a * t
