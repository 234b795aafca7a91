"""From an instant to the next a period later: motions under forces that repeat with the time.

The section is the clock: the states at t0, t0 + T, t0 + 2 T … Unlike an event it does not move with the state, so what
a perturbation has become after the last event is followed up to the end of the period.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import SistelError, Text
from sistel.simulation.cycle._lap import Lap, Section
from sistel.simulation.cycle._mirror import no_cycle
from sistel.simulation.cycle._readers import reads_time
from sistel.simulation.cycle._section import ALIKE, Passages
from sistel.simulation.cycle._symmetry import Look, alike, entries, frame_beside, joint_shifts, lone_shifts

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.simulation._simulate import Simulation
    from sistel.simulation.run._run import Run


LOOKS = 32
"""Instants of a lap at which equations a period apart are compared."""


class Stroboscope(Passages):
    """Moves a state by a period."""

    def __init__(
        self,
        simulation: Simulation,
        period: float,
        until: float,
        progress: Callable[[float, str], None] | None = None,
    ) -> None:
        """Nothing is simulated yet.

        Args:
            simulation: The compiled structures.
            period: Of the forces, or some whole times it [s].
            until: How long to wait for a structure that comes back [s].
            progress: Called now and then while something is simulated.
        """
        super().__init__(simulation, None, None, until, progress)
        self.period = period

    def first(self, y: Array, structure: str) -> tuple[Section, Lap] | None:
        """The structure of the section, and the first lap; None where no structure is there again a period later."""
        begin, name, waited = y.copy(), structure, 0.0
        while waited <= self.until:
            section = Section("", "", name)
            run = self._run(section, begin)
            self._repeat(run)
            lap = self._whole(section, begin, run)
            if lap is not None:
                return section, lap
            begin, name = self._before(run.last), run.final_structure
            waited += self.period
        return None

    def lap(self, section: Section, begin: Array, time: float, most: float = math.inf) -> Lap | None:
        """The motion for a period; None where it ends in another structure, or counters do not come back."""
        return self._whole(section, begin, self._run(section, begin))

    def onward(self, section: Section, lap: Lap) -> Lap | None:
        """The next period: an attracting cycle is where the motion goes by itself."""
        return self.lap(section, lap.image, lap.time)

    def _before(self, y: Array) -> Array:
        """A state as it would have been a period ago."""
        made = y.copy()
        made[[*entries(self.engine.model), -1]] -= self.period
        return made

    def _run(self, section: Section, begin: Array) -> Run:
        return self.run(begin, section.after, begin[-1] + self.period)

    def _whole(self, section: Section, begin: Array, run: Run) -> Lap | None:
        if run.final_structure != section.after:
            return None
        stays = self._stays(run, begin)
        self._note(stays)
        since = stays[-1].event.time if stays else -np.inf
        rest = [segment for segment in run.segments if segment.begin >= since]

        def derive() -> Array:
            return self.variation(section.after).along(rest, self._passed(stays, len(begin), False))[0]

        looks: list[Look] = [(self.variation(section.after), self.surface(section.after), y) for y in (begin, run.last)]
        looks += self._looks(stays)
        passed = self._transitions(stays)
        clock = len(begin) - 1
        # A given motion takes its coordinate with it; that its velocities repeat is asked of the equations.
        bound = lone_shifts(looks, passed, len(begin))
        joint = joint_shifts(self.engine.model, looks, passed, bound, np.eye(len(begin)), False)
        last = self._before(run.last)
        if not self._recounted(*self._counted([begin, last], joint, bound)):
            return None
        turns = self._turns(begin, last, looks, passed)
        frame = frame_beside(joint, bound | {clock} | self.ignored)
        return Lap(
            begin=begin,
            image=last - turns,
            turns=turns,
            time=self.period,
            events=tuple(stay.event for stay in stays),
            scale=self.scale(begin, frame),
            frame=frame,
            timely=None,
            derive=derive,
            allowed=lambda: _at_one_time(self.surface(section.after).tangent(begin, False)),
        )

    def _repeat(self, run: Run) -> None:
        """Refuse a period that is not one of the equations."""
        states, places = run.states()
        for i in np.unique(np.linspace(0, len(states) - 1, LOOKS).astype(int)):
            variation = self.variation(str(run.names[places[i]]))
            later = states[i].copy()
            later[-1] += self.period
            later[entries(self.engine.model)] += self.period
            here, there = (np.concatenate(variation.local(y)[:2]) for y in (states[i], later))
            if not alike(here, there, ALIKE):
                no_cycle(
                    Text(
                        f"the equations at {states[i, -1]:.6g} s are others {self.period:.9g} s later: "
                        "that is not their period",
                        f"уравнения в момент {states[i, -1]:.6g} с через {self.period:.9g} с другие: это не их период",
                    ),
                    place=reads_time(self.engine.plain.model),
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
