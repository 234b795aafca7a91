"""From an event to the next one like it: the motion between them, and its derivative."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sistel.simulation._variation import Surface, Variation, horner

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.model import Transition
    from sistel.simulation._run import Event, Run, Segment
    from sistel.simulation._simulate import Simulation

    Array = NDArray[np.float64]

FIRST = 1.0
"""Seconds of the first look; each next one is twice as long."""
SPARE = 1.25
"""Part of the expected period that a lap is simulated for."""
ALIKE = 1e-6
"""Relative difference of rates under which a structure is the mirror image of another."""


@dataclass(frozen=True, slots=True)
class Section:
    """An event that repeats."""

    transition: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lap:
    """A motion from the section to the section."""

    begin: Array
    """The state that it begins with, (q, v, t)."""
    image: Array
    """The state that it ends with, mirrored where there is a mirror, less the turns."""
    turns: Array
    """Whole turns that joints have made [rad]; zero elsewhere."""
    time: float
    """How long it takes [s]."""
    events: tuple[Event, ...]
    kept: NDArray[np.int64]
    """Components of the state that the equations contain."""
    reduced: Array
    """Derivative of the image by the beginning, these components alone."""
    tangent: Array
    """Directions that the constraints allow at the beginning, these components alone."""


@dataclass(frozen=True, slots=True, eq=False)
class _Stay:
    """A stay in a structure: the motion in it, which may be none, and the event that ends it."""

    segments: list[Segment]
    event: Event
    before: Array
    """The state just before the event."""
    after: Array


class Passages:
    """Moves a state from a section to itself."""

    def __init__(self, simulation: Simulation, wanted: str | None, mirror: Array | None, until: float) -> None:
        """Nothing is simulated yet.

        Args:
            simulation: The compiled structures.
            wanted: Name of the transition that is the section; None for the first that repeats.
            mirror: A map of states that turns the motion of a structure into that of another.
            until: How long to wait for a repetition [s].
        """
        self.simulation = simulation
        self.engine = simulation.engine
        self.wanted = wanted
        self.mirror = mirror
        self.until = until
        self.variations: dict[str, Variation] = simulation.variations
        self.surfaces: dict[str, Surface] = simulation.surfaces
        self.images: dict[str, str | None] = {}

    def variation(self, name: str) -> Variation:
        """The derivatives of a structure."""
        if name not in self.variations:
            self.variations[name] = Variation(self.simulation.machine(name))
        return self.variations[name]

    def surface(self, name: str) -> Surface:
        """The states that a structure allows."""
        if name not in self.surfaces:
            self.surfaces[name] = Surface(self.engine, self.engine.model.structure(name))
        return self.surfaces[name]

    # --- which events are the section ---------------------------------------------------------------------------------

    def first(self, y: Array, structure: str) -> tuple[Section, Lap] | None:
        """The section, and the first lap; None where nothing repeats."""
        length = min(FIRST, self.until)
        while True:
            run = self.simulation.run(y, structure, y[-1] + length)
            stays = self._stays(run, y)
            pair = self._pair(stays)
            if pair is not None:
                number, last = pair
                event = stays[number].event
                section = Section(event.transition, event.before, event.after)
                begin = stays[number].after.copy()
                time = stays[last].event.time - event.time
                begin[-1] = y[-1]  # no equation contains the time
                lap = self.lap(section, begin, time)
                if lap is not None:
                    return section, lap
            if length >= self.until or run.stopped is not None:
                return None
            length = min(2.0 * length, self.until)

    def _pair(self, stays: Sequence[_Stay]) -> tuple[int, int] | None:
        """The first event that a later one repeats, and that one."""
        for last in range(1, len(stays)):
            for number in range(last):
                event = stays[number].event
                if self.wanted is not None and event.transition != self.wanted:
                    continue
                if self._repeats(Section(event.transition, event.before, event.after), stays[last]):
                    return number, last
        return None

    def _repeats(self, section: Section, stay: _Stay) -> bool:
        event = stay.event
        if self.mirror is None:
            return (event.transition, event.before, event.after) == (section.transition, section.before, section.after)
        if self._mirrored(event.after, stay.after, section.after) != section.after:
            return False
        return self._mirrored(event.before, stay.before, section.before) == section.before

    def _mirrored(self, name: str, y: Array, candidate: str) -> str | None:
        """The structure whose motion is the mirror image of that of another, if it is the candidate."""
        key = name + "\0" + candidate
        if key not in self.images:
            assert self.mirror is not None
            here = self.mirror @ self.variation(name).local(y)[0]
            there = self.variation(candidate).local(self.mirror @ y)[0]
            same = np.abs(here - there).max() <= ALIKE * max(1.0, float(np.abs(here).max()))
            self.images[key] = candidate if same else None
        return self.images[key]

    # --- laps --------------------------------------------------------------------------------------------------------

    def lap(self, section: Section, begin: Array, time: float) -> Lap | None:
        """The motion from a state of the section to the next one; None where there is none."""
        length = SPARE * time
        while True:
            run = self.simulation.run(begin, section.after, begin[-1] + length)
            stays = self._stays(run, begin)
            last = next((i for i, stay in enumerate(stays) if self._repeats(section, stay)), None)
            if last is not None:
                return self._lap(section, begin, stays[: last + 1])
            if length >= self.until or run.stopped is not None:
                return None
            length = min(2.0 * length, self.until)

    def onward(self, section: Section, lap: Lap) -> Lap | None:
        """The lap after another, for a search that has no better idea; None where none is wanted."""
        return None

    def _lap(self, section: Section, begin: Array, stays: Sequence[_Stay]) -> Lap:
        W = self._passed(stays, len(begin), True)
        mirror = np.eye(len(begin)) if self.mirror is None else self.mirror
        kept = self._kept(stays, mirror)
        image = mirror @ stays[-1].after
        turns = self._turns(section, begin, image)
        return Lap(
            begin=begin,
            image=image - turns,
            turns=turns,
            time=stays[-1].event.time - float(begin[-1]),
            events=tuple(stay.event for stay in stays),
            kept=kept,
            reduced=(mirror @ W)[np.ix_(kept, kept)],
            tangent=self.surface(section.after).tangent(begin)[kept],
        )

    def _passed(self, stays: Sequence[_Stay], size: int, ends: bool) -> Array:
        """What perturbations become through stays and events; whether the last of these is the section, too."""
        W = np.eye(size)
        moving = [number for number, stay in enumerate(stays) if stay.segments]
        for stay in stays[: moving[0] if moving else len(stays)]:
            W = self._jump(stay)[1] @ W
        for number, following in zip(moving, [*moving[1:], len(stays)], strict=False):
            W = self._through(stays[number:following], W, ends and following == len(stays))
        return W

    def _turns(self, section: Section, begin: Array, image: Array) -> Array:
        """Whole turns of joints whose equations have forgotten them."""
        model = self.engine.model
        made = np.zeros(len(begin))
        variation = self.variation(section.after)
        for body in model.bodies:
            for i in range(0 if body.joint.type.has_quaternion else body.joint.type.nv):
                place = body.first_q + i
                whole = round(float(image[place] - begin[place]) / math.tau)
                if not whole or model.rate_kinds[body.first_v + i] != "turn":
                    continue
                turn = np.zeros(len(begin))
                turn[place] = whole * math.tau
                here, there = (np.concatenate(variation.local(y)[:2]) for y in (image, image - turn))
                if np.abs(here - there).max() <= ALIKE * max(1.0, float(np.abs(here).max())):
                    made += turn
        return made

    def _through(self, stays: Sequence[_Stay], W: Array, last: bool) -> Array:
        """Perturbations after a stay and the events at its end, of which the others follow the first at once.

        After the last events of a lap they are those of the states at the event, whenever it happens.
        """
        first = stays[0]
        variation = self.variation(first.event.before)
        W, p = variation.along(first.segments, W)
        f, slope = variation.leaf(first.before, p, self._transition(first.event))
        D = np.eye(len(first.before))
        for stay in stays:
            D = self._jump(stay)[1] @ D
        new = 0.0 if last else self.variation(stays[-1].event.after).local(stays[-1].after)[0]
        return np.asarray((D + np.outer(new - D @ f, slope / float(slope @ f))) @ W)

    def _jump(self, stay: _Stay) -> tuple[Array, Array]:
        return self.variation(stay.event.before).jump(self._transition(stay.event), stay.before)

    def _transition(self, event: Event) -> Transition:
        exits = self.simulation.machine(event.before).stage.exits
        return next(
            each.transition
            for each in exits
            if (each.transition.name, each.transition.target) == (event.transition, event.after)
        )

    def _kept(self, stays: Sequence[_Stay], mirror: Array) -> NDArray[np.int64]:
        """Components of the state that some equation of a lap contains."""
        size = len(mirror)
        free = set(range(self.engine.model.nq)) | {size - 1}
        for stay in stays:
            variation = self.variation(stay.event.before)
            free &= variation.absent & variation.carried(self._transition(stay.event))
            free &= self.surface(stay.event.before).absent
        # A mirror may exchange them among themselves.
        free = {i for i in free if all(j in free for j in np.flatnonzero(mirror[i]).tolist())}
        return np.array([i for i in range(size) if i not in free], dtype=np.int64)

    def _stays(self, run: Run, begin: Array) -> list[_Stay]:
        """The stays of a run that an event has ended."""
        made: list[_Stay] = []
        place, y = 0, begin
        for event in run.passages:
            segments: list[Segment] = []
            while place < len(run.segments) and run.segments[place].begin < event.time:
                segments.append(run.segments[place])
                place += 1
            if segments:
                y = horner(segments[-1].coefficients[-1], float(segments[-1].times[-1, 1]))
            before = y
            y = self.variation(event.before).after(self._transition(event), before)
            made.append(_Stay(segments, event, before, y))
        return made
