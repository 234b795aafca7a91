"""Pieces of a run: motion as polynomials, and the events between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel import shown
from sistel.records import record
from sistel.simulation.run._held_steps import HeldSteps, joined_steps

if TYPE_CHECKING:
    from sistel.arrays import Array


@record
class Event:
    """A transition that happened."""

    time: float
    """[s]"""
    transition: str
    before: str
    """Name of the structure that it left."""
    after: str
    energy_loss: float
    """Of kinetic energy [J]."""
    impulses: dict[str, Array]
    """Of the links that began to hold: moment, then force, times time, in world axes [N·m·s and N·s]."""

    def _repr_html_(self) -> str:
        return shown.html(self)


@record
class Segment:
    """Motion within one structure: steps, each a polynomial of the time since its beginning."""

    structure: str
    times: Array
    """Beginning and length of every step, shape (steps, 2) [s]."""
    coefficients: Array
    """Shape (steps, nq + nv + 1, order + 1)."""

    @property
    def begin(self) -> float:
        """When it begins [s]."""
        return float(self.times[0, 0])

    @property
    def end(self) -> float:
        """When it ends [s]."""
        return float(self.times[-1, 0] + self.times[-1, 1])


def values(coefficients: Array, h: Array) -> Array:
    """Polynomials of shape (n, size, order + 1) at n times since their beginnings."""
    if isinstance(coefficients, HeldSteps):
        return coefficients.at(h)
    length = h[:, np.newaxis]
    total = coefficients[:, :, -1]
    for k in range(coefficients.shape[2] - 2, -1, -1):
        total = total * length + coefficients[:, :, k]
    return np.asarray(total)


def part(segment: Segment, chosen: slice) -> Segment:
    """Some of the steps."""
    return Segment(structure=segment.structure, times=segment.times[chosen], coefficients=segment.coefficients[chosen])


def _padded(coefficients: Array, length: int) -> Array:
    """Polynomials with zeros for higher powers: methods of different orders may share a stay."""
    missing = length - coefficients.shape[2]
    return np.pad(np.asarray(coefficients), [(0, 0), (0, 0), (0, missing)]) if missing else np.asarray(coefficients)


def joined(segments: Sequence[Segment]) -> Segment:
    """The steps of several, one after another."""
    held = joined_steps([segment.coefficients for segment in segments])
    if held is not None:
        times = np.concatenate([segment.times for segment in segments])
        return Segment(structure=segments[0].structure, times=times, coefficients=held)
    most = max(segment.coefficients.shape[2] for segment in segments)
    return Segment(
        structure=segments[0].structure,
        times=np.concatenate([segment.times for segment in segments]),
        coefficients=np.concatenate([_padded(segment.coefficients, most) for segment in segments]),
    )


def whole_stays(segments: Sequence[Segment], events: Sequence[Event]) -> tuple[Segment, ...]:
    """Segments that nothing divides, joined."""
    passed = {event.time for event in events}
    stays: list[list[Segment]] = []
    for segment in segments:
        if stays and segment.begin not in passed and segment.structure == stays[-1][-1].structure:
            stays[-1].append(segment)
        else:
            stays.append([segment])
    return tuple(stay[0] if len(stay) == 1 else joined(stay) for stay in stays)
