"""A motion from a section to itself: where it begins and ends, and its derivative, found when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.kept import cached_property
from sistel.records import entry
from sistel.simulation.run._chunks import NamedTransition

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.model import Transition
    from sistel.simulation.run._run import Event, Segment


@dataclass(frozen=True, slots=True)
class Section(NamedTransition):
    """An event that repeats; no event where the clock is the section."""

    number: int = -1
    """Of the transition in the file: its name may not be its own."""


@entry
class Stay:
    """A stay in a structure: the motion in it, which may be none, and the event that ends it."""

    segments: list[Segment]
    event: Event
    transition: Transition
    """What the event was."""
    before: Array
    """The state just before the event."""
    after: Array


@dataclass(frozen=True, kw_only=True, eq=False)
class Lap:
    """A motion from the section to the section."""

    begin: Array
    """The state that it begins with, (q, v, memory, t)."""
    image: Array
    """The state that it ends with, mirrored where there is a mirror, less the turns."""
    turns: Array
    """Whole turns that joints have made [rad]; zero elsewhere."""
    time: float
    """How long it takes [s]."""
    events: tuple[Event, ...]
    scale: float
    """What differences of states are measured by: the largest number of the beginning that is no angle, at least 1."""
    frame: Array
    """Orthonormal columns: directions in which the equations tell two states apart."""
    timely: Array | None
    """What goes on with the time where no equation notices, in a second; None where one does."""
    derive: Callable[[], Array]
    """Makes the derivative of the image by the beginning, all components."""
    allowed: Callable[[], Array]
    """Makes the directions that the constraints allow at the beginning, all components."""

    @cached_property
    def derivative(self) -> Array:
        """Of the image by the beginning, all components."""
        return self.derive()

    @cached_property
    def reduced(self) -> Array:
        """The derivative along the frame."""
        return np.asarray(self.frame.T @ self.derivative @ self.frame)

    @cached_property
    def tangent(self) -> Array:
        """Directions that the constraints allow at the beginning, along the frame."""
        return np.asarray(self.frame.T @ self.allowed())

    @cached_property
    def lack(self) -> Array:
        """What the image differs by from the beginning, along the frame."""
        return np.asarray(self.frame.T @ (self.image - self.begin))

    @property
    def residual(self) -> float:
        """The largest such difference, relative to the scale."""
        return float(np.abs(self.lack).max(initial=0.0)) / self.scale


def rounds(laps: Sequence[Lap], frame: Array) -> Lap:
    """Several laps as one, each of which begins where the one before it has ended.

    Args:
        laps: In their order.
        frame: Directions in which the equations of any of them tell states apart.
    """
    first, last = laps[0], laps[-1]
    events: list[Event] = []
    passed = 0.0
    for lap in laps:
        # Every one of them begins at the same instant: no equation knows which.
        events += [replace(event, time=event.time + passed) for event in lap.events]
        passed += lap.time

    def derive() -> Array:
        made = first.derivative
        for lap in laps[1:]:
            made = lap.derivative @ made
        return made

    return Lap(
        begin=first.begin,
        image=last.image,
        turns=np.sum([lap.turns for lap in laps], axis=0),
        time=passed,
        events=tuple(events),
        scale=first.scale,
        frame=frame,
        timely=first.timely,
        derive=derive,
        allowed=first.allowed,
    )
