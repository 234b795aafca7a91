"""From an event to the next one like it: the motion between them, and its derivative."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from sistel.kept import cached_property
from sistel.simulation.cycle._lap import Lap, Section, Stay, rounds
from sistel.simulation.cycle._symmetry import (
    Look,
    Passed,
    alike,
    counts,
    entries,
    frame_beside,
    joint_shifts,
    lone_shifts,
    time_shift,
    unnoticed,
)
from sistel.simulation.cycle._variation import Surface, Variation, horner

if TYPE_CHECKING:
    from sistel.arrays import Array
    from sistel.errors import Span
    from sistel.model import Transition
    from sistel.simulation._simulate import Simulation
    from sistel.simulation.run._run import Event, Run, Segment


FIRST = 1.0
"""Seconds of the first look; each next one is twice as long."""
SPARE = 1.25
"""Part of the expected period that a lap is simulated for."""
ALIKE = 1e-6
"""Relative difference of rates under which a structure is the mirror image of another."""
SHORTEST = 1e-6
"""What is simulated at least [s]."""
LONGEST = 4.0
"""Part of the expected period that a lap may take from a state that is only tried."""
MET = 1e-14
"""How far off its constraints a state may be that counts as meeting them [m or rad]."""
CORRECTIONS = 8
"""Steps back to the constraints."""


class Passages:
    """Moves a state from a section to itself."""

    def __init__(
        self,
        simulation: Simulation,
        wanted: str | None,
        mirror: Array | None,
        until: float,
        progress: Callable[[float, str], None] | None = None,
    ) -> None:
        """Nothing is simulated yet.

        Args:
            simulation: The compiled structures.
            wanted: Name of the transition that is the section; None for the first that repeats.
            mirror: A map of states that turns the motion of a structure into that of another.
            until: How long to wait for a repetition [s].
            progress: Called now and then while something is simulated.
        """
        self.simulation = simulation
        self.engine = simulation.engine
        self.wanted = wanted
        self.mirror = mirror
        self.until = until
        self.progress = progress
        self.variations: dict[str, Variation] = simulation.variations
        self.surfaces: dict[str, Surface] = simulation.surfaces
        self.images: dict[str, str | None] = {}
        self.counted: int | None = None
        """Place in the state of what is counted and was another whenever all else came back."""
        self.ignored: frozenset[int] = frozenset()
        """Components that are not compared."""
        self.seen: dict[tuple[int, str], Stay] = {}
        """A stay for every event of the laps there were."""

    def variation(self, name: str) -> Variation:
        """The derivatives of a structure."""
        if name not in self.variations:
            self.variations[name] = Variation(self.simulation.compiled(name))
        return self.variations[name]

    def surface(self, name: str) -> Surface:
        """The states that a structure allows."""
        if name not in self.surfaces:
            self.surfaces[name] = Surface(self.engine, self.engine.model.structure(name))
        return self.surfaces[name]

    def run(self, y: Array, structure: str, until: float) -> Run:
        """Simulate; an interruption is one of the search as well."""
        found = self.simulation.run(y, structure, until, progress=self.progress)
        if found.stopped is not None:
            raise KeyboardInterrupt
        return found

    # --- which events are the section ---------------------------------------------------------------------------------

    def first(self, y: Array, structure: str) -> tuple[Section, Lap] | None:
        """The section, and the first lap; None where nothing repeats."""
        length = min(FIRST, self.until)
        while True:
            run = self.run(y, structure, y[-1] + length)
            stays = self._stays(run, y)
            pair = self._pair(stays)
            if pair is not None:
                number, last = pair
                event = stays[number].event
                section = self._section(stays[number])
                begin = self._at(stays[number].after, float(y[-1]), self._timely(stays[number + 1 : last + 1]))
                time = stays[last].event.time - event.time
                lap = self.lap(section, begin, time)
                if lap is not None:
                    return section, lap
            if length >= self.until:
                return None
            length = min(2.0 * length, self.until)

    def _timely(self, stays: Sequence[Stay]) -> Array | None:
        return time_shift(self.engine.model, *self._shifts(stays, self._mirroring))

    @staticmethod
    def _at(y: Array, t: float, timely: Array | None) -> Array:
        """A state just after an event, as of another instant where no equation notices."""
        return y.copy() if timely is None else np.asarray(y + (t - y[-1]) * timely)

    @property
    def _mirroring(self) -> Array:
        return np.eye(self.engine.model.state_size) if self.mirror is None else self.mirror

    def _pair(self, stays: Sequence[Stay]) -> tuple[int, int] | None:
        """The first event that a later one repeats, and that one."""
        counted = self._signatures(stays)
        for last in range(1, len(stays)):
            for number in range(last):
                event = stays[number].event
                if self.wanted is not None and event.transition != self.wanted:
                    continue
                if not stays[last].event.time > event.time:
                    continue  # what happens twice at one instant is no motion
                section = self._section(stays[number])
                if self._repeats(section, stays[last]) and self._recounted(counted[number], counted[last]):
                    return number, last
        return None

    def _section(self, stay: Stay) -> Section:
        """The section that the event of a stay is."""
        number = next(i for i, each in enumerate(self.engine.model.transitions) if each is stay.transition)
        return Section(stay.event.transition, stay.event.before, stay.event.after, number)

    def _repeats(self, section: Section, stay: Stay) -> bool:
        event = stay.event
        if self.mirror is None:
            return self._section(stay) == section
        if self._mirrored(event.after, stay.after, section.after) != section.after:
            return False
        return self._mirrored(event.before, stay.before, section.before) == section.before

    def _signatures(self, stays: Sequence[Stay], begin: Array | None = None) -> list[Array]:
        """What is counted, after every stay: what comes back in a cycle, and not what may go on unnoticed."""
        states = [stay.after for stay in stays] if begin is None else [begin, *(stay.after for stay in stays)]
        if not counts(self.engine.model) or not stays:
            return [np.zeros(0) for _ in states]
        kinds = {(id(stay.transition), stay.event.before): stay for stay in stays}
        return self._counted(states, *self._shifts([*kinds.values()], self._mirroring))

    def _counted(self, states: Sequence[Array], shifts: Array, alone: set[int]) -> list[Array]:
        """What is counted at states, less what may go on unnoticed."""
        places = counts(self.engine.model)
        free = np.concatenate([shifts[places], np.eye(len(shifts))[np.ix_(places, sorted(alone))]], axis=1)
        back = np.eye(len(places)) - free @ np.linalg.pinv(free)
        return [back @ y[places] for y in states]

    def _recounted(self, here: Array, there: Array) -> bool:
        """Whether what is counted has come back."""
        if alike(here, there):
            return True
        self.counted = counts(self.engine.model)[int(np.argmax(np.abs(there - here)))]
        return False

    def _mirrored(self, name: str, y: Array, candidate: str) -> str | None:
        """The structure whose motion is the mirror image of that of another, if it is the candidate."""
        key = name + "\0" + candidate
        if key not in self.images:
            assert self.mirror is not None
            here = self.mirror @ self.variation(name).local(y)[0]
            there = self.variation(candidate).local(self.mirror @ y)[0]
            self.images[key] = candidate if alike(here, there, ALIKE) else None
        return self.images[key]

    # --- what only conditions read -----------------------------------------------------------------------------------

    @property
    def watched(self) -> dict[int, tuple[Span, str]]:
        """Coordinates that conditions alone read in the laps there were: where that is, and of which transition."""
        stays = [*self.seen.values()]
        looks, passed = self._looks(stays), self._transitions(stays)
        found: dict[int, tuple[Span, str]] = {}
        for i in range(self.engine.model.nq):
            if not all(i in variation.unmoved & surface.absent for variation, surface, _ in looks):
                continue
            if not all(i in variation.carried(transition) for variation, transition, _ in passed):
                continue
            for variation, _, y in looks:
                slopes = np.abs(variation.local(y)[2])
                for each in variation.compiled.equations.exits:
                    own = slopes[each.first_leaf : each.first_leaf + len(each.condition.leaves)]
                    if i not in variation.absent and (own[:, i] > ALIKE * own.max(axis=1, initial=0.0)).any():
                        found.setdefault(i, (each.transition.condition.span, each.transition.name))
        return found

    def without(self, places: Iterable[int]) -> Passages:
        """The same, with coordinates that are not compared."""
        made = copy(self)
        made.ignored, made.seen = frozenset(places), {}
        return made

    # --- laps --------------------------------------------------------------------------------------------------------

    def lap(self, section: Section, begin: Array, time: float, most: float = math.inf) -> Lap | None:
        """The motion from a state of the section to the next one; None where there is none.

        Args:
            section: Where it begins and ends.
            begin: The state.
            time: About how long it takes [s].
            most: How long it may take, where that is less than one waits for a repetition [s].
        """
        length, until = SPARE * max(time, SHORTEST), min(self.until, max(most, SHORTEST))
        while True:
            run = self.run(begin, section.after, begin[-1] + length)
            stays = self._stays(run, begin)
            counted = self._signatures(stays, begin)
            for last, stay in enumerate(stays):
                if not stay.event.time > begin[-1]:
                    continue
                if self._repeats(section, stay) and self._recounted(counted[0], counted[last + 1]):
                    return self._lap(section, begin, stays[: last + 1])
            if length >= until:
                return None
            length = min(2.0 * length, until)

    def onward(self, section: Section, lap: Lap) -> Lap | None:
        """The lap after another: an attracting cycle is where the motion goes by itself."""
        return self.lap(section, self._at(lap.image, float(lap.begin[-1]), lap.timely), lap.time)

    def rounds(self, section: Section, begin: Array, time: float, count: int) -> Lap | None:
        """Several laps, one after another, as one; None where they end before.

        Args:
            section: Where they begin and end.
            begin: The first state.
            time: About how long all of them take [s].
            count: How many.
        """
        lap = self.lap(section, begin, time / count, LONGEST * time / count)
        if lap is None or count == 1:
            return lap
        made = [lap]
        while len(made) < count:
            lap = self.onward(section, made[-1])
            if lap is None:
                return None
            made.append(lap)
        return rounds(made, self.joined([each.frame for each in made]))

    @staticmethod
    def joined(frames: Sequence[Array]) -> Array:
        """A frame for all directions of several."""
        most = max(frames, key=lambda frame: frame.shape[1])
        if all(alike(most @ (most.T @ frame), frame) for frame in frames):
            return most
        left, sizes, _ = np.linalg.svd(np.concatenate(frames, axis=1), full_matrices=False)
        return np.asarray(left[:, sizes > ALIKE])

    def placed(self, section: Section, y: Array) -> Array:
        """The state next to a given one that meets the constraints of the section."""
        compiled = self.simulation.compiled(section.after)
        if not compiled.corrects:
            return y
        anchor = compiled.anchors(y)
        for _ in range(CORRECTIONS):
            y, off = compiled.corrected(y, anchor)
            if not off > MET:
                break
        return y

    def _lap(self, section: Section, begin: Array, stays: Sequence[Stay]) -> Lap:
        self._note(stays)
        mirror = self._mirroring
        image = mirror @ stays[-1].after
        turns = self._turns(begin, image, self._looks(stays), self._transitions(stays))
        shifts, alone = self._shifts(stays, mirror)
        # Just after an event its structure is entered now, whenever that is.
        left_out = alone | (set(entries(self.engine.model)) if len(begin) - 1 in alone else set())
        frame = frame_beside(shifts, left_out | self.ignored)
        return Lap(
            begin=begin,
            image=image - turns,
            turns=turns,
            time=stays[-1].event.time - float(begin[-1]),
            events=tuple(stay.event for stay in stays),
            scale=self.scale(begin, frame),
            frame=frame,
            timely=time_shift(self.engine.model, shifts, alone),
            derive=lambda: np.asarray(mirror @ self._passed(stays, len(begin), True)),
            allowed=lambda: self.surface(section.after).tangent(begin),
        )

    def _note(self, stays: Sequence[Stay]) -> None:
        self.seen |= {(id(stay.transition), stay.event.before): stay for stay in stays}

    def _shifts(self, stays: Sequence[Stay], mirror: Array) -> tuple[Array, set[int]]:
        """Joint shifts that no equation notices, and components that are free by themselves."""
        looks, passed = self._looks(stays), self._transitions(stays)
        alone = lone_shifts(looks, passed, len(mirror))
        # A mirror may exchange them among themselves.
        alone = {i for i in alone if all(j in alone for j in np.flatnonzero(mirror[i]).tolist())}
        return joint_shifts(self.engine.model, looks, passed, alone, mirror, True), alone

    def _looks(self, stays: Sequence[Stay]) -> list[Look]:
        made: list[Look] = []
        for stay in stays:
            for name, y in ((stay.event.before, stay.before), (stay.event.after, stay.after)):
                made.append((self.variation(name), self.surface(name), y))
        return made

    def _transitions(self, stays: Sequence[Stay]) -> list[Passed]:
        return [(self.variation(stay.event.before), stay.transition, stay.before) for stay in stays]

    def _passed(self, stays: Sequence[Stay], size: int, ends: bool) -> Array:
        """What perturbations become through stays and events; whether the last of these is the section, too."""
        W = np.eye(size)
        moving = [number for number, stay in enumerate(stays) if stay.segments]
        for stay in stays[: moving[0] if moving else len(stays)]:
            W = self._jump(stay)[1] @ W
        for number, following in zip(moving, [*moving[1:], len(stays)], strict=False):
            W = self._through(stays[number:following], W, ends and following == len(stays))
        return W

    @cached_property
    def turning(self) -> list[int]:
        """Places in the state of the angles of joints that turn."""
        model = self.engine.model
        plain = [body for body in model.bodies if not body.joint.type.has_quaternion]
        places = [(body.first_q + i, body.first_v + i) for body in plain for i in range(body.joint.type.nv)]
        return [place for place, rate in places if model.rate_kinds[rate] == "turn"]

    def scale(self, begin: Array, frame: Array) -> float:
        """What differences of states are measured by. Angles are not: a joint may have turned round often."""
        plain = begin.copy()
        plain[self.turning] = 0.0
        return max(1.0, float(np.abs(frame.T @ plain).max(initial=0.0)))

    def _turns(self, begin: Array, image: Array, looks: Sequence[Look], passed: Sequence[Passed]) -> Array:
        """Whole turns of joints whose equations, conditions and transitions have forgotten them."""
        made = np.zeros(len(begin))
        for place in self.turning:
            whole = round(float(image[place] - begin[place]) / math.tau)
            if not whole:
                continue
            turn = np.zeros(len(begin))
            turn[place] = whole * math.tau
            if unnoticed(looks, passed, -turn, ALIKE):
                made += turn
        return made

    def _through(self, stays: Sequence[Stay], W: Array, last: bool) -> Array:
        """Perturbations after a stay and the events at its end, of which the others follow the first at once.

        After the last events of a lap they are those of the states at the event, whenever it happens.
        """
        first = stays[0]
        variation = self.variation(first.event.before)
        W, p = variation.along(first.segments, W)
        f, slope = variation.leaf(first.before, p, first.transition)
        D = np.eye(len(first.before))
        for stay in stays:
            D = self._jump(stay)[1] @ D
        new = 0.0 if last else self.variation(stays[-1].event.after).local(stays[-1].after)[0]
        return np.asarray((D + np.outer(new - D @ f, slope / float(slope @ f))) @ W)

    def _jump(self, stay: Stay) -> tuple[Array, Array]:
        return self.variation(stay.event.before).jump(stay.transition, stay.before)

    def _transition(self, event: Event, before: Array) -> Transition:
        """What an event was, at the state just before it: several transitions may have one name and one target."""
        compiled = self.simulation.compiled(event.before)
        same = [
            each
            for each in compiled.equations.exits
            if (each.transition.name, each.transition.target) == (event.transition, event.after)
        ]
        if len(same) == 1:
            return same[0].transition
        return self.variation(event.before).fired(before, same).transition

    def _stays(self, run: Run, begin: Array) -> list[Stay]:
        """The stays of a run that an event has ended."""
        made: list[Stay] = []
        place, y = 0, begin
        for event in run.passages:
            segments: list[Segment] = []
            while place < len(run.segments) and run.segments[place].begin < event.time:
                segments.append(run.segments[place])
                place += 1
            if segments:
                y = horner(segments[-1].coefficients[-1], float(segments[-1].times[-1, 1]))
            before = y
            transition = self._transition(event, before)
            y = self.variation(event.before).after(transition, before)
            made.append(Stay(segments, event, transition, before, y))
        return made
