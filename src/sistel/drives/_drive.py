"""What a file of drives says: frozen, in SI, with the places of its words."""

from __future__ import annotations

import math
from typing import Literal

from sistel.errors import Span
from sistel.records import record

Homing = Literal["none", "here", "switch", "index"]


@record
class Drive:
    """A motor with its gear, encoder and limits."""

    joint: str
    """Name of the coordinate."""
    coordinate: int
    """Its place in q."""
    slides: bool
    """Whether the coordinate is a length."""
    node: int
    ratio: float
    """Turns of the motor for one turn behind the gear."""
    lead: float
    """Way of a slide for one turn behind the gear [m]; 0 for turns."""
    resolution: int | None
    """Increments for one turn of the motor; None for that of the family."""
    sign: int
    """1 where the motor turns with the joint, -1 where against it."""
    speed: float
    """Greatest, of the motor [rad/s]."""
    acceleration: float
    """Greatest, of the motor [rad/s²]."""
    minimum: float
    """[m or rad]"""
    maximum: float
    """[m or rad]"""
    current: float
    """Greatest, of the motor [A]; inf where it is not said."""
    constant: float | None
    """Moment of the motor for a unit current [N·m/A]."""
    efficiency: float
    home: float
    """Position of the joint where the counter is 0 [m or rad]."""
    homing: Homing
    homing_speed: float
    """Of the motor, with its direction [rad/s]."""
    encoder_zero: int | None
    """What an absolute encoder says at the home position [increments]."""
    axis: str
    """Letter for G-code."""
    rotor: float
    """Moment of inertia of the rotor [kg·m²]."""
    bandwidth: float
    """Of the position loop [rad/s]."""
    span: Span
    places: dict[str, Span]
    """Of the values, by their keys."""

    def place(self, key: str) -> Span:
        """Where a value stands; the element where it is not given."""
        return self.places.get(key, self.span)

    @property
    def turns(self) -> float:
        """Turns of the motor for a unit of the coordinate, with its sign [1/rad or 1/m]."""
        per_turn = self.lead if self.slides else 2.0 * math.pi
        return self.sign * self.ratio / per_turn

    @property
    def force(self) -> float | None:
        """The greatest force or moment at the joint [N or N·m], where it follows from the file."""
        if self.constant is None or math.isinf(self.current):
            return None
        return self.constant * self.current * self.efficiency * abs(self.turns) * 2.0 * math.pi


@record
class DriveSet:
    """The drives of one file."""

    name: str
    drives: tuple[Drive, ...]
    span: Span

    def of(self, joint: str) -> Drive | None:
        """The drive of a coordinate."""
        return next((drive for drive in self.drives if drive.joint == joint), None)
