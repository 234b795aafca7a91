"""What all motions have that begin and end."""

from __future__ import annotations

from abc import ABC, abstractmethod


class Timed(ABC):
    """Something that lasts."""

    __slots__ = ()

    @property
    @abstractmethod
    def t0(self) -> float:
        """When it begins [s]."""

    @property
    @abstractmethod
    def t1(self) -> float:
        """When it ends [s]."""

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return self.t1 - self.t0
