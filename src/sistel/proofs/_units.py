"""Natural units of a system: every number is compared in units in which it is about one.

A robot of a few grams and a crane are then judged alike, and metres and radians may stand in one vector. The length is
the longest way along the bodies, the mass that of all bodies, and the rate is the one at which centrifugal forces are
as large as weight.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from sistel.kept import cached_property
from sistel.model import Model

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array


EPSILON = 2.0**-52
GUARD = (32, 4)
"""Numbers that are added up in any system, and for each of its bodies and velocities."""
STEP = 1.0 / 64
"""Step of differences [rad, or part of the length]."""


class Units:
    """Sizes of a system, and the tolerances that follow from how many numbers are added up."""

    def __init__(self, model: Model) -> None:
        """Measure a model."""
        self.model = model
        reaches = [0.0]
        for body in model.bodies:
            slides = [0.0]
            for i, (_, kind) in enumerate(body.joint.type.rates):
                if kind == "slide":
                    slides += [abs(x) for x in (body.joint.minimum[i], body.joint.maximum[i]) if math.isfinite(x)]
            reaches.append(reaches[body.base] + math.hypot(*body.p_PB) + max(slides))
        ends = [reach + math.hypot(*body.p_BoBcm_B) for reach, body in zip(reaches[1:], model.bodies, strict=True)]
        gyrations = [math.sqrt(max(body.I_BBcm_B[:3]) / body.mass) for body in model.bodies if body.mass > 0]
        self.length = max([*ends, *gyrations], default=0.0) or 1.0
        self.mass = sum(body.mass for body in model.bodies) or 1.0
        weight = math.hypot(*model.gravity)
        self.rate = math.sqrt(weight / self.length) if weight > 0 else 1.0
        self.force = self.mass * self.length * self.rate**2

    @cached_property
    def turns(self) -> NDArray[np.bool_]:
        """Which velocities are turns."""
        return np.array([kind == "turn" for kind in self.model.rate_kinds], dtype=bool)

    @cached_property
    def ways(self) -> Array:
        """A unit of every velocity's displacement [m or rad]."""
        return np.where(self.turns, 1.0, self.length)

    @cached_property
    def velocities(self) -> Array:
        """[m/s or rad/s]."""
        return self.ways * self.rate

    @cached_property
    def accelerations(self) -> Array:
        """[m/s² or rad/s²]."""
        return self.ways * self.rate**2

    @cached_property
    def forces(self) -> Array:
        """[N or N·m]."""
        return self.force * self.length / self.ways

    @cached_property
    def masses(self) -> Array:
        """Of the mass matrix."""
        return np.asarray(self.mass * self.length**2 / np.outer(self.ways, self.ways))

    @property
    def energy(self) -> float:
        """[J]."""
        return self.force * self.length

    @cached_property
    def wrench(self) -> Array:
        """Moment, then force [N·m and N]."""
        return self.force * np.repeat([self.length, 1.0], 3)

    @cached_property
    def impulse(self) -> Array:
        """Moment, then force, times the time [N·m·s and N·s]; of a momentum too."""
        return self.wrench / self.rate

    @cached_property
    def jacobian(self) -> Array:
        """Angular velocity, then velocity, per unit of v: (6, nv)."""
        return np.outer(np.repeat([1.0, self.length], 3), 1.0 / self.ways)

    @cached_property
    def pose(self) -> Array:
        """Of a 4×4 matrix."""
        made = np.ones((4, 4))
        made[:3, 3] = self.length
        return made

    @property
    def rounding(self) -> float:
        """What rounding may do to a number: n ε."""
        return (GUARD[0] + GUARD[1] * (len(self.model.bodies) + self.model.nv)) * EPSILON

    @property
    def differences(self) -> float:
        """The same of differences: n ε/h."""
        return self.rounding / STEP

    @property
    def second_differences(self) -> float:
        """The same of second differences: n ε/h²."""
        return self.rounding / STEP**2

    def pace(self, v: Array) -> float:
        """How fast time must run for all turns and slides together to make one radian or length in a unit of it [1/s].

        Never slower than the system's own rate: what hardly moves must not become a motion of rounding errors.
        """
        return max(float(np.abs(v / self.ways).sum()), self.rate)

    def weights(self, M: Array) -> Array:
        """√ of the diagonals of mass matrices, in units of length and mass: (..., nv).

        Accelerations times these are alike for heavy and for light bodies, and elimination rounds them alike.
        """
        diagonal = np.diagonal(M, axis1=-2, axis2=-1)
        return np.asarray(np.sqrt(np.maximum(diagonal, 0.0) / self.mass) / self.length)

    def scaled(self, M: Array) -> Array:
        """Mass matrices with a diagonal of 1."""
        weights = self.weights(M)
        return np.asarray(M / self.mass / self.length**2 / (weights[..., np.newaxis] * weights[..., np.newaxis, :]))
