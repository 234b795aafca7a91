"""From an instant to the next a period later: motions under forces that repeat with the time.

The section is the clock: the states at t0, t0 + T, t0 + 2 T … Unlike an event it does not move with the state, so what
a perturbation has become after the last event is followed up to the end of the period.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import SistelError, Text
from sistel.simulation._mirror import no_cycle
from sistel.simulation._section import ALIKE, Lap, Passages, Section

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.simulation._run import Run
    from sistel.simulation._simulate import Simulation

    Array = NDArray[np.float64]

LOOKS = 32
"""Instants of a lap at which equations a period apart are compared."""


class Stroboscope(Passages):
    """Moves a state by a period."""

    def __init__(self, simulation: Simulation, period: float, until: float) -> None:
        """Nothing is simulated yet.

        Args:
            simulation: The compiled structures.
            period: Of the forces, or some whole times it [s].
            until: How long to wait for a structure that comes back [s].
        """
        super().__init__(simulation, None, None, until)
        self.period, self.waited = period, 0.0

    def first(self, y: Array, structure: str) -> tuple[Section, Lap] | None:
        """The structure of the section, and the first lap; None where no structure is there again a period later."""
        begin, name = y.copy(), structure
        while self.waited <= self.until:
            section = Section("", "", name)
            run = self._run(section, begin)
            self._repeat(run)
            if run.final_structure == name:
                return section, self._whole(section, begin, run)
            if run.stopped is not None:
                return None
            begin, name = run.last.copy(), run.final_structure
            begin[-1] = y[-1]
            self.waited += self.period
        return None

    def lap(self, section: Section, begin: Array, time: float) -> Lap | None:
        """The motion for a period; None where it ends in another structure."""
        run = self._run(section, begin)
        if run.stopped is not None or run.final_structure != section.after:
            return None
        return self._whole(section, begin, run)

    def onward(self, section: Section, lap: Lap) -> Lap | None:
        """The next period: an attracting cycle is where the motion goes by itself."""
        self.waited += self.period
        return self.lap(section, lap.image, lap.time) if self.waited <= self.until else None

    def _run(self, section: Section, begin: Array) -> Run:
        return self.simulation.run(begin, section.after, begin[-1] + self.period)

    def _whole(self, section: Section, begin: Array, run: Run) -> Lap:
        stays = self._stays(run, begin)
        since = stays[-1].event.time if stays else -np.inf
        rest = [segment for segment in run.segments if segment.begin >= since]
        W = self.variation(section.after).along(rest, self._passed(stays, len(begin), False))[0]
        nq, clock = self.engine.model.nq, len(begin) - 1
        free = set(range(nq))
        for name in {section.after, *(stay.event.before for stay in stays)}:
            free &= self.variation(name).absent & self.surface(name).absent
        for stay in stays:
            free &= self.variation(stay.event.before).carried(self._transition(stay.event))
        kept = np.array([i for i in range(clock) if i not in free], dtype=np.int64)
        turns = self._turns(section, begin, run.last)
        image = run.last - turns
        image[-1] = begin[-1]
        return Lap(
            begin=begin,
            image=image,
            turns=turns,
            time=self.period,
            events=tuple(stay.event for stay in stays),
            kept=kept,
            reduced=W[np.ix_(kept, kept)],
            tangent=_at_one_time(self.surface(section.after).tangent(begin))[kept],
        )

    def _repeat(self, run: Run) -> None:
        """Refuse a period that is not one of the equations."""
        states, places = run.states()
        for i in np.unique(np.linspace(0, len(states) - 1, LOOKS).astype(int)):
            variation = self.variation(str(run.names[places[i]]))
            later = states[i].copy()
            later[-1] += self.period
            here, there = (np.concatenate(variation.local(y)[:2]) for y in (states[i], later))
            if not np.abs(here - there).max() <= ALIKE * max(1.0, float(np.abs(here).max())):
                no_cycle(
                    Text(
                        f"the equations at {states[i, -1]:.6g} s are others {self.period:.9g} s later: "
                        "that is not their period",
                        f"уравнения в момент {states[i, -1]:.6g} с через {self.period:.9g} с другие: это не их период",
                    )
                )


def _at_one_time(directions: Array) -> Array:
    """Those of a space of directions that leave the time alone."""
    clock = directions[-1:]
    if not clock.any():
        return directions
    return np.asarray(directions @ np.linalg.svd(clock)[2][1:].T)


def read_period(simulation: Simulation, period: float | str) -> float:
    """A period: a number [s], or a text with a unit or with parameters of the file, such as ``2*pi/w``.

    Raises:
        SistelError: It is no positive time.
    """
    from sistel.errors import Diagnostics
    from sistel.model import read_value
    from sistel.units import TIME

    value: float | None
    if isinstance(period, str):
        diagnostics = Diagnostics()
        known = {parameter.name: parameter for parameter in simulation.engine.plain.model.parameters}
        value = read_value("period", period, TIME, known, diagnostics)
        if value is None:
            raise SistelError(diagnostics.sorted())
    else:
        value = float(period)
    if not 0.0 < value < float("inf"):
        no_cycle(Text("the period is a positive time", "период — время больше 0"))
    return value
