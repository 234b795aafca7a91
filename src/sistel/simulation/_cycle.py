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

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import SistelError, Text
from sistel.simulation._mirror import mirror_map, no_cycle, unknown
from sistel.simulation._section import Lap, Passages
from sistel.simulation._stroboscope import Stroboscope, read_period

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.simulation._run import Event
    from sistel.simulation._section import Section
    from sistel.simulation._simulate import Simulation

    Array = NDArray[np.float64]
    Numbers = NDArray[np.complex128]

MOST = 40
"""Iterations of Newton's method."""
HALVINGS = 8
"""How often a step that leads nowhere better is halved."""
FORGOTTEN = 1e-9
"""Relative size of a singular value of the map's derivative under which a direction counts as forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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
    """Coordinates that no equation contains, or that turn round, and by how much they grow in a period [m or rad]."""
    residual: float
    """Largest difference between the states a period apart, relative to the largest number of them, at least 1."""
    iterations: int
    success: bool
    reason: Text
    """What was found, or why nothing was."""

    @property
    def state(self) -> Array:
        """Coordinates, then velocities."""
        return np.concatenate([self.q, self.v])

    @property
    def stable(self) -> bool:
        """Whether all multipliers lie within the unit circle."""
        return self.success and bool((np.abs(self.multipliers) < 1.0).all())

    def _repr_html_(self) -> str:
        from importlib import import_module

        # Pages are made further up.
        return str(import_module("sistel.views").notebook_html(self))


class Search:
    """A search for the fixed point of a section."""

    def __init__(self, passages: Passages, tolerance: float) -> None:
        """Search with given tools.

        Args:
            passages: Moves from a section to itself.
            tolerance: Residual of a cycle.
        """
        self.passages = passages
        self.tolerance = tolerance
        self.trace: list[float] = []

    def find(self, y: Array, structure: str) -> Cycle:
        """The cycle that the motion from a state leads near."""
        found = self.passages.first(y, structure)
        if found is None:
            return self._nothing(y, structure)
        section, lap = found
        if not isinstance(self.passages, Stroboscope):
            self._no_time(lap)
        reason: Text | None = None
        for _ in range(MOST):
            residual = self._residual(lap)
            self.trace.append(residual)
            if residual == 0.0 or (
                residual <= self.tolerance and len(self.trace) > 1 and self.trace[-2] < 2 * residual
            ):
                break
            better = self._newton(section, lap, residual)
            if better is None and residual > self.tolerance:
                better = self.passages.onward(section, lap)
            if better is None:
                if residual > self.tolerance:
                    reason = Text(
                        "no smaller residual in the direction of Newton's method",
                        "в направлении метода Ньютона невязка не убывает",
                    )
                break
            lap = better
        return self._cycle(section, lap, reason)

    def _residual(self, lap: Lap) -> float:
        kept = lap.kept
        scale = max(1.0, float(np.abs(lap.begin[kept]).max(initial=0.0)))
        return float(np.abs((lap.image - lap.begin)[kept]).max(initial=0.0)) / scale

    def _newton(self, section: Section, lap: Lap, residual: float) -> Lap | None:
        """The lap from a better beginning, if there is one."""
        kept, D = lap.kept, lap.reduced
        lack = (lap.image - lap.begin)[kept]
        B = _image(D @ lap.tangent)
        push = np.linalg.lstsq(np.eye(B.shape[1]) - B.T @ D @ B, B.T @ D @ lack, rcond=None)[0]
        # The same as c with (1 - D) c = lack, but c - lack lies in the image of D.
        move = np.zeros(len(lap.begin))
        move[kept] = lack + B @ push
        factor = 1.0
        for _ in range(HALVINGS):
            try:
                tried = self.passages.lap(section, lap.begin + factor * move, lap.time)
            except SistelError:
                tried = None  # from there the motion ends somewhere else; a shorter step may not
            if tried is not None and self._residual(tried) < residual:
                return tried
            factor *= 0.5
        return None

    def _cycle(self, section: Section, lap: Lap, reason: Text | None) -> Cycle:
        residual = self._residual(lap)
        success = reason is None and residual <= self.tolerance
        D = lap.reduced
        B = _image(D @ lap.tangent)
        while True:
            # What two periods forget, or three …, one may only have turned.
            less = _image(D @ B)
            if less.shape[1] == B.shape[1]:
                break
            B = less
        multipliers = np.linalg.eigvals(B.T @ D @ B).astype(complex)
        order = np.argsort(-np.abs(multipliers), kind="stable")
        model = self.passages.engine.model
        nq, nv = model.nq, model.nv
        if reason is None and not success:
            reason = Text(
                f"after {len(self.trace)} iterations the states still differ by {residual:.3g}",
                f"после {len(self.trace)} приближений состояния ещё расходятся на {residual:.3g}",
            )
        elif success:
            inside = bool((np.abs(multipliers) < 1.0).all())
            reason = Text(
                "a stable cycle" if inside else "a cycle that perturbations leave",
                "устойчивый цикл" if inside else "цикл, от которого возмущения уводят",
            )
        assert reason is not None
        free = [i for i in range(nq) if i not in lap.kept or lap.turns[i]]
        moved = lap.image + lap.turns - lap.begin
        begin = float(lap.begin[-1])
        return Cycle(
            period=lap.time,
            transition=section.transition,
            structure=section.after,
            q=lap.begin[:nq].copy(),
            v=lap.begin[nq : nq + nv].copy(),
            multipliers=multipliers[order],
            events=tuple(replace(event, time=event.time - begin) for event in lap.events),
            shift={model.coordinate_names[i]: float(moved[i]) for i in free},
            residual=residual,
            iterations=len(self.trace),
            success=success,
            reason=reason,
        )

    def _nothing(self, y: Array, structure: str) -> Cycle:
        model, until = self.passages.engine.model, self.passages.until
        what = Text("no transition repeats", "ни один переход не повторяется")
        if isinstance(self.passages, Stroboscope):
            what = Text("no structure is there again a period later", "ни одна структура не возвращается через период")
        elif self.passages.wanted is not None:
            name = self.passages.wanted
            what = Text(f'the transition "{name}" does not repeat', f"переход «{name}» не повторяется")
        return Cycle(
            period=float("nan"),
            transition="",
            structure=structure,
            q=y[: model.nq].copy(),
            v=y[model.nq : -1].copy(),
            multipliers=np.zeros(0, dtype=complex),
            events=(),
            shift={},
            residual=float("inf"),
            iterations=0,
            success=False,
            reason=Text(f"{what.en} within {until:g} s", f"{what.ru} за {until:g} с"),
        )

    def _no_time(self, lap: Lap) -> None:
        """Refuse equations with the time in them."""
        if len(lap.begin) - 1 in lap.kept:
            no_cycle(
                Text(
                    "the equations contain the time: their motions do not repeat from any instant",
                    "в уравнения входит время: их движения не повторяются с любого момента",
                ),
                Text(
                    "where the time enters with a period: period=, and the states a period apart are compared",
                    "если время входит периодически: period=, тогда сравниваются состояния через период",
                ),
            )


def _image(D: Array) -> Array:
    """An orthonormal basis of the image of a matrix."""
    if not D.size:
        return np.zeros((D.shape[0], 0))
    left, sizes, _ = np.linalg.svd(D, full_matrices=False)
    return np.asarray(left[:, sizes > FORGOTTEN * max(1.0, float(sizes[0]))])


def find_cycle(
    simulation: Simulation,
    y: Array,
    structure: str,
    section: str | None,
    mirror: Mapping[str, str] | None,
    until: float,
    tolerance: float,
    period: float | str | None = None,
) -> Cycle:
    """The cycle near the motion from a state; see `System.cycle`."""
    model = simulation.engine.model
    names = list(dict.fromkeys(transition.name for transition in model.transitions))
    if not names and period is None:
        no_cycle(
            Text(
                "the system has no transitions: a section of the motion is one of them",
                "в системе нет переходов, а сечение движения — один из них",
            ),
            Text("period= for forces that repeat with the time", "period= для сил, которые повторяются со временем"),
        )
    if any(each.kind == "current" for each in model.memory):
        no_cycle(
            Text(
                "the current of a motor with an inductance is a part of the state: cycles are not searched for there",
                "ток привода с индуктивностью — часть состояния, и циклы с ней не ищутся",
            ),
            Text("a motor without inductance", "привод без индуктивности"),
        )
    if model.memory:
        no_cycle(
            Text(
                "the file counts, or asks for the time since an entry: its states do not come back",
                "файл считает или спрашивает время с входа в структуру: состояния не повторяются",
            )
        )
    if section is not None and section not in names:
        unknown(Text("transition", "перехода"), section, names)
    if not (until > 0 and tolerance > 0):
        no_cycle(Text("until and tolerance are positive numbers", "until и tolerance — числа больше 0"))
    if period is not None:
        if section is not None or mirror:
            no_cycle(Text("period goes without section and mirror", "period бывает только без section и mirror"))
        if simulation.decides_contacts:
            no_cycle(
                Text(
                    "contacts without written structures: a period needs transitions of the file",
                    "контакты без описанных структур: для периода нужны переходы в файле",
                )
            )
        strobe = Stroboscope(simulation, read_period(simulation, period), until)
        return Search(strobe, tolerance).find(y, structure)
    turned = None if not mirror else mirror_map(model, mirror)
    return Search(Passages(simulation, section, turned, until), tolerance).find(y, structure)
