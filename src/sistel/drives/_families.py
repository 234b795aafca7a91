"""Families of drives: their units, ranges and memories, as data.

What is marked [K] is general knowledge and not confirmed in a published manual: it stands here so that one row
corrects it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from sistel.errors import Text
from sistel.records import record

FamilyName = Literal["faulhaber-v2", "faulhaber-v3", "cia402", "grbl", "dynamixel"]

LARGEST = (1 << 31) - 1
"""Number of four bytes with a sign: the most that a drive is told where its family has no limit of its own."""


@record
class Family:
    """What drives of one kind understand."""

    key: FamilyName
    title: Text
    resolution: int
    """Increments for one turn of the motor, where a file does not say."""
    most_pause: int
    """Longest pause of one command [ms]."""
    most_node: int
    axes: int
    """How many drives one program moves."""
    speed_unit: float | None = None
    """Turns of the motor per second in one unit of speed; None for increments per second."""
    acceleration_unit: float | None = None
    """Turns per second² in one unit of acceleration; None for increments per second²."""
    most_speed: int = LARGEST
    """[units of speed]"""
    most_acceleration: int = LARGEST
    """[units of acceleration]"""
    most_position: int = LARGEST
    """[increments], both ways."""
    pause: int = 1
    """Shortest pause that a program can make [ms]; longer ones are multiples of it."""
    timed: bool = False
    """Whether a move is told by its time: speed and acceleration are times in ms then."""
    homings: tuple[str, ...] = ()
    """How a program can find zeros; nothing where that is left to the user."""
    together: bool = False
    """Whether all axes look for their switches at once, or none does."""
    ramps: bool = False
    """Whether a timed move is told the time of its ramps too, so that a slow drive may have shorter ones."""
    memory: int | None = None
    """Of one drive for a program [bytes]."""
    writes: int | None = None
    """How often the memory can be written in the life of a drive."""

    def units(self, resolution: int) -> tuple[float, float]:
        """Turns per second and per second² of one unit of speed and of acceleration."""
        speed = 1.0 / resolution if self.speed_unit is None else self.speed_unit
        acceleration = 1.0 / resolution if self.acceleration_unit is None else self.acceleration_unit
        return speed, acceleration

    def pauses(self, whole: int) -> Iterator[int]:
        """Pauses of single commands that come to a whole one; what is shorter than any is left out [ms]."""
        while whole >= self.pause:
            part = min(whole, self.most_pause)
            yield part
            whole -= part


FAMILIES: dict[str, Family] = {
    "faulhaber-v2": Family(
        key="faulhaber-v2",
        title=Text("FAULHABER V2.5", "FAULHABER V2.5"),
        resolution=3000,  # [K] linear Hall sensors; encoders have another, which the file says
        speed_unit=1.0 / 60.0,  # SP in rpm
        acceleration_unit=1.0,  # AC, DEC in rev/s²
        most_speed=32767,  # [K]
        most_acceleration=30000,  # [K]
        most_position=1_800_000_000,  # [K]
        pause=10,  # [K] DELAY counts hundredths of a second
        most_pause=655_350,  # [K]
        most_node=255,
        axes=255,
        homings=("here", "switch"),
        memory=6656,  # [K]
        writes=10_000,
    ),
    "faulhaber-v3": Family(
        key="faulhaber-v3",
        title=Text("FAULHABER V3.0", "FAULHABER V3.0"),
        resolution=4096,  # [K]
        speed_unit=1.0 / 60.0,
        acceleration_unit=1.0,
        most_speed=32767,
        most_acceleration=30000,
        most_pause=60_000,  # [K]
        most_node=254,
        axes=254,
        homings=("here", "switch", "index"),
        memory=8192,
        writes=10_000,  # [K] the same flash as its predecessor
    ),
    "cia402": Family(
        key="cia402",
        title=Text("CiA 402", "CiA 402"),
        resolution=4096,  # [K] the drive says its own
        most_pause=3_600_000,
        most_node=127,
        axes=127,
        homings=("here", "switch", "index"),
    ),
    "grbl": Family(
        key="grbl",
        title=Text("GRBL 1.1", "GRBL 1.1"),
        resolution=3200,  # [K] a stepper of 200 steps with 16 microsteps
        most_pause=3_600_000,
        most_node=255,
        axes=3,
        homings=("here", "switch"),
        together=True,  # [K] $H; of single axes only where GRBL was compiled so
        timed=True,
    ),
    "dynamixel": Family(
        key="dynamixel",
        title=Text("DYNAMIXEL 2.0", "DYNAMIXEL 2.0"),
        resolution=4096,  # [K] X series
        most_position=1_048_575,  # [K] extended position control
        most_pause=32_737,  # [K] longest time of a profile
        ramps=True,
        most_node=252,
        axes=252,
        timed=True,
    ),
}
