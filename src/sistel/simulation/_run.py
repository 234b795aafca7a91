"""What a simulation gives: the motion as piecewise polynomials, and the events between them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Diagnostics, SistelError, Text
from sistel.model import Model

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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


class Run:
    """A finished simulation. Frozen; called with times it gives the state there."""

    def __init__(
        self, model: Model, segments: Sequence[Segment], events: Sequence[Event], last: Array, stopped: Text | None
    ) -> None:
        """Made by `System.simulate`."""
        self.model = model
        self.segments = tuple(segments)
        self.events = tuple(events)
        self.last = last
        self.stopped = stopped
        """Why it ended before its time; None where it did not."""

    @cached_property
    def _samples(self) -> tuple[Array, Array, tuple[str, ...]]:
        times: list[float] = []
        states: list[Array] = []
        names: list[str] = []
        for number, segment in enumerate(self.segments):
            for i, (start, _) in enumerate(segment.times):
                times.append(float(start))
                states.append(segment.coefficients[i, :, 0])
                names.append(segment.structure)
            if number + 1 < len(self.segments):
                # The end of a structure, before what happens there.
                times.append(segment.end)
                states.append(_values(segment.coefficients[-1], segment.times[-1, 1]))
                names.append(segment.structure)
        times.append(float(self.last[-1]))
        states.append(self.last)
        names.append(self.segments[-1].structure if self.segments else "")
        return np.array(times), np.array(states), tuple(names)

    @property
    def t(self) -> Array:
        """Times of the steps [s]; those of events appear twice, before and after."""
        return self._samples[0]

    @property
    def q(self) -> Array:
        """Coordinates at these times, shape (nt, nq)."""
        return self._samples[1][:, : self.model.nq]

    @property
    def v(self) -> Array:
        """Velocities at these times, shape (nt, nv)."""
        return self._samples[1][:, self.model.nq : self.model.nq + self.model.nv]

    @property
    def structure(self) -> tuple[str, ...]:
        """Name of the structure at these times."""
        return self._samples[2]

    def __call__(self, t: ArrayLike) -> tuple[Array, Array]:
        """Coordinates and velocities at any times, as exact as the steps are; at an event, those after it.

        Args:
            t: Times within the run [s], any shape.

        Returns:
            q, shape (..., nq), and v, shape (..., nv).

        Raises:
            SistelError: A time lies outside the run.
        """
        given = np.asarray(t, dtype=float)
        begin, end = self.segments[0].begin if self.segments else float(self.last[-1]), float(self.last[-1])
        if given.size and not ((given >= begin) & (given <= end)).all():
            diagnostics = Diagnostics()
            diagnostics.error(
                "no-time",
                None,
                Text(f"the run lasts from {begin:g} s to {end:g} s", f"расчёт длится от {begin:g} с до {end:g} с"),
            )
            raise SistelError(diagnostics.sorted())
        starts = np.concatenate([segment.times[:, 0] for segment in self.segments] or [np.array([begin])])
        found = np.empty((*given.shape, len(self.last)))
        flat, rows = given.ravel(), found.reshape(-1, len(self.last))
        places = np.maximum(np.searchsorted(starts, flat, side="right") - 1, 0)
        table = [(segment, i) for segment in self.segments for i in range(len(segment.times))]
        for number, (time, place) in enumerate(zip(flat, places, strict=True)):
            if not table or time == end:
                rows[number] = self.last
                continue
            segment, i = table[place]
            rows[number] = _values(segment.coefficients[i], time - segment.times[i, 0])
        nq, nv = self.model.nq, self.model.nv
        return found[..., :nq], found[..., nq : nq + nv]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the run to a file: .csv, a row a step, or .npz, everything."""
        from sistel.simulation._files import save_run

        save_run(self, path)

    def __iter__(self) -> Iterator[tuple[float, Array, Array, str]]:
        """Time, coordinates, velocities and structure of every sample."""
        yield from zip(self.t, self.q, self.v, self.structure, strict=True)

    def __repr__(self) -> str:
        steps = sum(len(segment.times) for segment in self.segments)
        return f"<Run of {self.model.name!r}: {self.last[-1]:g} s, {steps} steps, {len(self.events)} events>"


def _values(coefficients: Array, h: float) -> Array:
    total = coefficients[:, -1].copy()
    for k in range(coefficients.shape[1] - 2, -1, -1):
        total = total * h + coefficients[:, k]
    return np.asarray(total)
