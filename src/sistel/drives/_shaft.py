"""The shaft of an emulated drive: where its motor wants it, and where it is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import field

from sistel.drives._profile import SetPoint
from sistel.records import mutable


@mutable
class Shaft(ABC):
    """What all emulated drives have."""

    point: SetPoint = field(default_factory=SetPoint)
    actual: float = 0.0
    """Position of the shaft [increments]."""
    speed: float = 0.0
    """Of a loose shaft [increments/s]."""
    loose: bool = False
    """Whether the shaft carries a load that moves it, instead of following its set point at once."""
    blocked: bool = False
    """Whether something holds the shaft."""
    time: int = 0
    """Since power-on [ms]."""
    arrivals: list[tuple[int, int]] = field(default_factory=list)
    """Times and targets of moves that ended [ms, increments]."""

    @property
    @abstractmethod
    def powered(self) -> bool:
        """Whether the motor holds the shaft."""

    @property
    def place(self) -> float:
        """Where the shaft is when it follows its set point [increments]."""
        return self.actual if self.blocked or self.loose else self.point.position

    def follow(self) -> None:
        """Go where the set point is, unless something else moves or holds the shaft."""
        self.actual = self.place
