"""Limit cycles: motions that come back to where they began, through all structures on their way.

The section is an event: the states just after a transition. The map P takes such a state to the next one like it, and
a cycle is a fixed point of P, found by Newton's method with exact derivatives.

A state holds more numbers than there are degrees of freedom. Three facts reduce it. Coordinates that no equation
contains (the place along a slope) may grow from period to period: they and the time are left out, and with them
multipliers that are 1 for this reason alone; joints may have turned round. Perturbations are taken within the
constraints. And the derivative of P is looked at on its own image: directions that one period forgets, such as those
that leave the section, have the multiplier 0 and are not listed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING

import numpy as np

from sistel import shown
from sistel.errors import Text, refuse_name
from sistel.records import record
from sistel.simulation.cycle._lap import Lap, Section
from sistel.simulation.cycle._mirror import mirror_map, no_cycle
from sistel.simulation.cycle._readers import reads_count, reads_time
from sistel.simulation.cycle._search import Found, Search, multipliers
from sistel.simulation.cycle._section import Passages
from sistel.simulation.cycle._stroboscope import Stroboscope, read_period

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.simulation._simulate import Simulation
    from sistel.simulation.run._run import Event

    Numbers = NDArray[np.complex128]


@record
class Cycle:
    """A limit cycle, or how far the search for it came."""

    period: float
    """[s]; of one step where a mirror was given."""
    transition: str
    """The transition just after which the cycle begins; empty where none repeats, or where the clock is the section."""
    structure: str
    """The structure that it begins in."""
    q: Array
    """Coordinates at the beginning, shape (nq,)."""
    v: Array
    """Velocities at the beginning, shape (nv,)."""
    multipliers: Numbers
    """Floquet multipliers, the largest first: how much a perturbation grows in a period."""
    events: tuple[Event, ...]
    """Of one period, times from its beginning."""
    shift: dict[str, float]
    """Coordinates that no equation contains, or that turn round, and by how much they grow in a period [m or rad];
    counters that do so."""
    residual: float
    """Largest difference between the states a period apart, relative to the largest number of them that is no angle, at
    least 1."""
    iterations: int
    """Laps that the search has looked at."""
    success: bool
    reason: Text
    """What was found, or why nothing was."""
    rounds: int = 1
    """How often the section is passed in a period."""
    memory: Array = field(default_factory=lambda: np.zeros(0))
    """Counters of the file at the beginning, and the instant of entry [s]."""
    reached: float | None = None
    """Where a branch of cycles has ended: the last value of the parameter that belongs to it [SI]."""
    section: Section | None = None
    """The event that the cycle begins with, as a search near by needs it."""

    @property
    def state(self) -> Array:
        """Coordinates, then velocities."""
        return np.concatenate([self.q, self.v])

    @property
    def stable(self) -> bool:
        """Whether all multipliers lie within the unit circle."""
        return self.success and bool((np.abs(self.multipliers) < 1.0).all())

    def _repr_html_(self) -> str:
        return shown.html(self)


MOSTLY = 0.1
"""Part of a drift that all else differs by where the drift alone keeps a motion from coming back."""


class Finder:
    """A search as the user asks for it: its cycle, or what stands in its way."""

    def __init__(self, passages: Passages, tolerance: float, progress: Callable[[int, float], None] | None) -> None:
        """Nothing is simulated yet.

        Args:
            passages: Moves from a section to itself.
            tolerance: Residual of a cycle.
            progress: Called after every lap.
        """
        self.passages, self.tolerance, self.progress = passages, tolerance, progress
        self.model = passages.engine.plain.model

    def find(self, y: Array, structure: str, near: Cycle | None) -> Cycle:
        """The cycle near a state, or near another cycle alone."""
        search = Search(self.passages, self.tolerance, self.progress, self._no_time)
        if near is not None and near.section is not None:
            begin = np.array([*near.q, *near.v, *near.memory, y[-1]])
            found = search.near(near.section, begin, near.period, near.rounds)
            if found is None:
                reason = search.ended or Text("no cycle is near", "рядом нет цикла")
                return self._nothing(begin, near.structure, reason)
            return self._cycle(search, found)
        found = search.find(y, structure)
        if found is None:
            self._uncounted()
            return self._nothing(y, structure, self._never())
        if found.reason is not None:
            self._drifts(search, y, structure)
        return self._cycle(search, found)

    def _cycle(self, search: Search, found: Found) -> Cycle:
        lap, section, reason, model = found.lap, found.section, found.reason, self.model
        own = multipliers(lap)
        success = reason is None
        if reason is None:
            inside = bool((np.abs(own) < 1.0).all())
            reason = Text(
                "a stable cycle" if inside else "a cycle that perturbations leave",
                "устойчивый цикл" if inside else "цикл, от которого возмущения уводят",
            )
            if found.rounds > 1:
                reason = Text(f"{reason.en}, of {found.rounds} rounds", f"{reason.ru}, оборотов: {found.rounds}")
        nq, nv = model.nq, model.nv
        moved = lap.image + lap.turns - lap.begin
        held = np.linalg.norm(lap.frame, axis=1) > 1.0 - 1e-12
        names = [*model.coordinate_names, *[""] * nv, *model.memory_names]
        clock = [nq + nv + place for place, each in enumerate(model.memory) if each.kind == "entered"]
        free = [i for i in range(nq) if not held[i] or lap.turns[i]]
        free += [i for i in range(nq + nv, len(moved) - 1) if not held[i] and i not in clock]
        begin = float(lap.begin[-1])
        return Cycle(
            period=lap.time,
            transition=section.transition,
            structure=section.after,
            q=lap.begin[:nq].copy(),
            v=lap.begin[nq : nq + nv].copy(),
            multipliers=own,
            events=tuple(replace(event, time=event.time - begin) for event in lap.events),
            shift={names[i]: float(moved[i]) for i in free},
            residual=lap.residual,
            iterations=search.iterations,
            success=success,
            reason=reason,
            rounds=found.rounds,
            memory=lap.begin[nq + nv : -1].copy(),
            section=section,
        )

    def _never(self) -> Text:
        until = self.passages.until
        what = Text("no transition repeats", "ни один переход не повторяется")
        if isinstance(self.passages, Stroboscope):
            what = Text("no structure is there again a period later", "ни одна структура не возвращается через период")
        elif self.passages.wanted is not None:
            name = self.passages.wanted
            what = Text(f'the transition "{name}" does not repeat', f"переход «{name}» не повторяется")
        return Text(f"{what.en} within {until:g} s", f"{what.ru} за {until:g} с")

    def _nothing(self, y: Array, structure: str, reason: Text) -> Cycle:
        nq, nv = self.model.nq, self.model.nv
        return Cycle(
            period=float("nan"),
            transition="",
            structure=structure,
            q=y[:nq].copy(),
            v=y[nq : nq + nv].copy(),
            multipliers=np.zeros(0, dtype=complex),
            events=(),
            shift={},
            residual=float("inf"),
            iterations=0,
            success=False,
            reason=reason,
            memory=y[nq + nv : -1].copy(),
        )

    # --- what stands in the way --------------------------------------------------------------------------------------

    def _no_time(self, lap: Lap) -> None:
        """Refuse equations with the time in them."""
        if not isinstance(self.passages, Stroboscope) and lap.timely is None:
            no_cycle(
                Text(
                    "the equations contain the time: their motions do not repeat from any instant",
                    "в уравнения входит время: их движения не повторяются с любого момента",
                ),
                Text(
                    "where the time enters with a period: period=, and the states a period apart are compared",
                    "если время входит периодически: period=, тогда сравниваются состояния через период",
                ),
                reads_time(self.model),
            )

    def _uncounted(self) -> None:
        """Refuse what is counted and read, where all else comes back but the count does not."""
        place = self.passages.counted
        if place is None:
            return
        each = self.model.memory[place - self.model.nq - self.model.nv]
        what = Text(f'counter "{each.name}"', f"счётчик «{each.name}»")
        if each.kind == "entries":
            what = Text(f'the number of entries into "{each.name}"', f"число входов в «{each.name}»")
        declared = [one.span for one in self.model.counters if one.name == each.name and each.kind == "counter"]
        no_cycle(
            Text(
                f"{what.en} is read and goes on: with it no state comes back within {self.passages.until:g} s",
                f"{what.ru} читается и растёт: с ним ни одно состояние не возвращается за {self.passages.until:g} с",
            ),
            Text(
                "set a counter back in a transition, or do not ask for it in conditions and forces",
                "верните счётчик к началу в переходе или не спрашивайте о нём в условиях и силах",
            ),
            reads_count(self.model, each.name),
            [(span, Text("declared here", "объявлен здесь")) for span in declared],
        )

    def _drifts(self, search: Search, y: Array, structure: str) -> None:
        """Refuse a place in space that conditions alone read, where all else comes back."""
        places, last = self.passages.watched, search.last
        if not places or last is None:
            return
        rest = last.image - last.begin
        drift = float(np.abs(rest[list(places)]).max())
        rest[list(places)] = 0.0
        if not float(np.abs(last.frame.T @ rest).max(initial=0.0)) < MOSTLY * drift:
            return
        passages = self.passages.without(places)
        found = Search(passages, self.tolerance, self.progress).find(y, structure)
        if found is None or found.reason is not None:
            return
        lap = found.lap
        grown = lap.image + lap.turns - lap.begin
        for i, (span, transition) in places.items():
            if abs(grown[i]) <= self.tolerance:
                continue
            name = self.model.coordinate_names[i]
            no_cycle(
                Text(
                    f"a motion repeats every {lap.time:.6g} s, but {name} goes on by {grown[i]:.6g} each time, and the "
                    f'condition of transition "{transition}" reads it: to the equations no state comes back',
                    f"движение повторяется каждые {lap.time:.6g} с, но {name} каждый раз меняется на {grown[i]:.6g}, а "
                    f"условие перехода «{transition}» его читает: для уравнений ни одно состояние не возвращается",
                ),
                Text(
                    "compare places of the system with each other, or count the rounds in a counter of the file",
                    "сравнивайте места системы между собой или считайте обороты счётчиком файла",
                ),
                (span, Text("here", "здесь")),
            )


def find_cycle(
    simulation: Simulation,
    y: Array,
    structure: str,
    section: str | None,
    mirror: Mapping[str, str] | None,
    until: float,
    tolerance: float,
    period: float | str | None = None,
    near: Cycle | None = None,
    progress: Callable[[int, float], None] | None = None,
) -> Cycle:
    """The cycle near the motion from a state; see `System.cycle`."""
    model = simulation.engine.model
    if simulation.decides_contacts:
        _written(simulation)
    names = list(dict.fromkeys(transition.name for transition in model.transitions))
    if not names and period is None:
        no_cycle(
            Text(
                "the system has no transitions: a section of the motion is one of them",
                "в системе нет переходов, а сечение движения — один из них",
            ),
            Text("period= for forces that repeat with the time", "period= для сил, которые повторяются со временем"),
        )
    if any(each.kind in ("current", "shear") for each in model.memory):
        no_cycle(
            Text(
                "the current of a motor with an inductance, or the shear of soft ground, is a part of the state: "
                "cycles are not searched for there",
                "ток привода с индуктивностью или сдвиг мягкой земли — часть состояния, и циклы с ней не ищутся",
            ),
            Text("a motor without inductance", "привод без индуктивности"),
        )
    if section is not None and section not in names:
        refuse_name(Text("transition", "перехода"), section, names)
    if not (until > 0 and tolerance > 0):
        no_cycle(Text("until and tolerance are positive numbers", "until и tolerance — числа больше 0"))
    if period is not None:
        if section is not None or mirror:
            no_cycle(Text("period goes without section and mirror", "period бывает только без section и mirror"))
        strobe = Stroboscope(simulation, read_period(simulation, period), until)
        return Finder(strobe, tolerance, progress).find(y, structure, near)
    turned = None if not mirror else mirror_map(model, mirror)
    return Finder(Passages(simulation, section, turned, until), tolerance, progress).find(y, structure, near)


def _written(simulation: Simulation) -> None:
    """Refuse contacts, stops and friction that make their structures by themselves."""
    from sistel.automaton import GRIP, STOP, elements_of

    element = elements_of(simulation.engine.plain.model)[0]
    what = Text(f'contact "{element.name}"', f"контакт «{element.name}»")
    if element.kind == STOP:
        what = Text(f'the rigid stop of "{element.name}"', f"жёсткий упор «{element.name}»")
    elif element.kind == GRIP:
        what = Text(f'the dry friction of "{element.name}"', f"сухое трение «{element.name}»")
    no_cycle(
        Text(
            f"{what.en} makes its structures by itself: a cycle needs structures and transitions of the file",
            f"{what.ru} образует структуры сам: для цикла нужны структуры и переходы в файле",
        ),
        Text(
            "write the structures in which it holds and the transitions between them: <structure>, <transition>; "
            "or simulate it long, and read the period off its events",
            "опишите структуры, в которых он держит, и переходы между ними: <structure>, <transition>; или "
            "рассчитайте долгое движение и возьмите период из его событий",
        ),
        (element.span, Text("here", "здесь")),
    )
