"""A limit that a motion goes beyond, or a singular posture on its way; and how such places are looked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

import numpy as np

from sistel.errors import Language, Text, user_language
from sistel.records import record

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.motion.trajectories import Trajectory


LOOKS = 400
"""Times at equal distances that are looked at, besides those of the rows and of the pieces."""
NEAR = 1e-3
"""Smallest singular value of the Jacobian, over the largest, below which a posture is told."""
CERTAIN = 1e-6
"""Below this a posture counts as singular itself."""

QUANTITIES = {
    "position": Text("position", "положение"),
    "velocity": Text("velocity", "скорость"),
    "force": Text("driving force", "движущая сила"),
    "singularity": Text("singular posture", "особое положение"),
}


@record
class Crossing:
    """A limit that a motion goes beyond, or a singular posture that it passes or comes near to."""

    quantity: Literal["position", "velocity", "force", "singularity"]
    names: tuple[str, ...]
    """The joint; of a singular posture, those that move together without moving the tool."""
    time: float
    """When the limit is first passed; when the posture is nearest to a singular one [s]."""
    worst: float
    """The value farthest beyond the limit [SI]; the smallest singular value over the largest."""
    worst_at: float
    """When that is reached [s]."""
    limit: float
    """[SI]; of singular postures the share below which they are told."""
    direction: Array | None = None
    """Of a singular posture: the turn and the move that the tool cannot do, a unit vector in W, shape (6,)."""

    @property
    def name(self) -> str:
        """The joints, with commas between them."""
        return ", ".join(self.names)

    def say(self, lang: Language | None = None) -> str:
        """One line for people."""
        lang = lang or user_language()
        what = QUANTITIES[self.quantity].say(lang)
        ru = lang == "ru"
        when = f"t = {self.time:.6g} {'с' if ru else 's'}"
        if self.quantity == "singularity":
            if self.worst <= CERTAIN:
                # How small rounding makes the value says nothing.
                return f"{when}: {'особое положение' if ru else 'singular posture'}: {self.name}"
            if ru:
                return f"{when}: вблизи особого положения (σ = {self.worst:.2g} от наибольшего): {self.name}"
            return f"{when}: near a singular posture (σ = {self.worst:.2g} of the largest): {self.name}"
        if ru:
            return (
                f"{when}: {self.name}: {what} выходит за предел {self.limit:.6g}; крайнее значение {self.worst:.6g} "
                f"при t = {self.worst_at:.6g} с"
            )
        return (
            f"{when}: {self.name}: {what} goes beyond {self.limit:.6g}; the worst is {self.worst:.6g} at "
            f"t = {self.worst_at:.6g} s"
        )


def looked_at(motion: Trajectory, t: Array) -> Array:
    """Times within a motion at which quantities are looked at [s]."""
    own = t[(t >= motion.t0) & (t <= motion.t1)]
    knots = motion.knots if len(motion.knots) <= 4 * LOOKS else motion.knots[:: len(motion.knots) // (2 * LOOKS)]
    return np.unique(np.concatenate([np.linspace(motion.t0, motion.t1, LOOKS + 1), knots, own]))


def least(value: Callable[[float], float], low: float, high: float) -> float:
    """Where a function is least between two places, by the golden section; a corner is found too."""
    ratio = 0.5 * (math.sqrt(5.0) - 1.0)
    a, b = low, high
    c, d = b - ratio * (b - a), a + ratio * (b - a)
    at_c, at_d = value(c), value(d)
    for _ in range(80):
        if at_c <= at_d:
            b, d, at_d = d, c, at_c
            c = b - ratio * (b - a)
            at_c = value(c)
        else:
            a, c, at_c = c, d, at_d
            d = a + ratio * (b - a)
            at_d = value(d)
        if b - a <= 4.0 * np.spacing(max(abs(low), abs(high))):
            break
    return c if at_c <= at_d else d
