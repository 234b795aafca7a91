"""The search for a cycle: Newton's method where it converges, and otherwise on along the motion until it does.

Newton's method is local. Whether it converges from a lap is seen at its first step: the correction that the next point
asks for, by the derivative of this one, has to be a good deal shorter (Deuflhard's natural test, which does not depend
on the units of the state). Where it is not, the motion goes on by itself: a cycle that attracts is where it leads, and
Newton's method gives the last digits. A motion that comes back every second, third … time only is looked at so many
rounds at a time. Where it leads nowhere, Newton's method with shortened steps is left, from the lap that came nearest.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import SistelError, Text
from sistel.records import entry

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import Array
    from sistel.simulation.cycle._lap import Lap, Section
    from sistel.simulation.cycle._section import Passages

    Numbers = NDArray[np.complex128]

MOST = 40
"""Iterations of Newton's method."""
HALVINGS = 8
"""How often a step that leads nowhere better is halved."""
CONVERGES = 0.5
"""Part of a correction that the next one may be where Newton's method counts as converging."""
FORGOTTEN = 1e-9
"""Relative size of a singular value of the map's derivative under which a direction counts as forgotten."""
LAPS = 400
"""Laps of a motion that is waited for to settle."""
NEAR = 0.02
"""Part of the largest number of a state within which a cycle is near it, whether or not it attracts."""
ROUNDINGS = 4
"""Steps that are taken when nothing but rounding is left."""
FARTHEST = 1.5
"""How far a step of Newton's method may turn a joint [rad]."""
STRAIGHT = 1e-8
"""A move within constraints that does not leave them: its square is below rounding [m, rad …]."""
FAR = 0.5
"""Residual from which on Newton's method is not tried: the motion is nowhere near a cycle."""
SLOW = 6
"""Shortened steps of Newton's method in a row that may lead to little better."""
FOLDS = 8
"""Rounds after which a motion may come back at most."""


AWAY = Text("the motion does not come back to its section", "движение не возвращается к сечению")


@entry
class Found:
    """How a search has ended."""

    section: Section
    lap: Lap
    rounds: int
    reason: Text | None
    """Why it failed; None where it did not."""


class Search:
    """A search for the fixed point of a section."""

    def __init__(
        self,
        passages: Passages,
        tolerance: float,
        progress: Callable[[int, float], None] | None = None,
        check: Callable[[Lap], None] | None = None,
    ) -> None:
        """Search with given tools.

        Args:
            passages: Moves from a section to itself.
            tolerance: Residual of a cycle.
            progress: Called after every lap with how many there were and the residual.
            check: Called with the first lap; refuses what has no cycles.
        """
        self.passages, self.check = passages, check
        self.tolerance = tolerance
        self.progress = progress
        self.iterations = 0
        """Laps that were looked at."""
        self.last: Lap | None = None
        """The last lap that the motion has come to by itself."""
        self.ended: Text | None = None
        """Why the motion did not go on to the end of the time."""

    # --- from anywhere -----------------------------------------------------------------------------------------------

    def find(self, y: Array, structure: str) -> Found | None:
        """The cycle that the motion from a state leads to, or is near; None where nothing repeats."""
        begun = self.passages.first(y, structure)
        if begun is None:
            return None
        section, lap = begun
        if self.check is not None:
            self.check(lap)
        self._count(lap)
        found = self._local(section, lap, 1) if lap.residual <= FAR else None
        if found is not None and self._is_meant(lap, found):
            return Found(section, found, 1, None)
        settled = self._settle(section, lap)
        if settled is not None and settled.reason is None:
            return settled
        if found is not None:
            return Found(section, found, 1, None)
        best = lap if settled is None else settled.lap
        if settled is not None and self.ended is not None and best.residual > FAR:
            return settled  # a motion that falls, and was never near
        return self._damped(section, best)

    def near(self, section: Section, begin: Array, time: float, count: int) -> Found | None:
        """The cycle near a state of a known section, if Newton's method converges to it; else None."""
        lap = self._gone(lambda: self.passages.rounds(section, self.passages.placed(section, begin), time, count))
        if lap is None:
            return None
        self._count(lap)
        found = self._local(section, lap, count)
        return None if found is None else Found(section, found, count, None)

    def _is_meant(self, lap: Lap, found: Lap) -> bool:
        """Whether a cycle is the one looked for: it attracts the motion, or is right there where it begins."""
        if (np.abs(multipliers(found)) < 1.0).all():
            return True
        here = lap.frame.T @ lap.begin
        away = float(np.abs(found.frame.T @ (found.begin - lap.begin)).max(initial=0.0))
        return away <= NEAR * max(1e-9, float(np.abs(here).max(initial=0.0)))

    def _settle(self, section: Section, lap: Lap) -> Found | None:
        """Go on until the motion comes back, and find the cycle there; else the lap that came nearest."""
        past: list[Lap] = [lap]
        passed, best, tried = 0.0, lap, lap.residual
        left: Found | None = None
        while passed < self.passages.until and len(past) < LAPS:
            onward = self._gone(partial(self.passages.onward, section, past[-1]))
            if onward is None:
                break
            self._count(onward)
            self.last = onward
            past.append(onward)
            passed += onward.time
            if onward.residual < best.residual:
                best = onward
            # Another look by Newton's method where something has changed since the last one.
            if onward.residual < 0.5 * tried or len(past) % 5 == 0:
                tried = onward.residual
                found = self._local(section, onward, 1) if onward.residual <= FAR else None
                if found is not None and (np.abs(multipliers(found)) < 1.0).all():
                    return Found(section, found, 1, None)
                if found is not None and left is None:
                    left = Found(section, found, 1, None)
            folded = self._folded(section, past)
            if folded is not None:
                return folded
        if left is not None:
            return left  # a cycle that the motion has passed by
        return Found(section, best, 1, self._unsettled(len(past)))

    def _gone(self, go: Callable[[], Lap | None]) -> Lap | None:
        """A lap; None where the motion cannot go on or does not come back, and `ended` says why."""
        try:
            lap = go()
        except SistelError as problem:
            self._stopped(problem)
            return None
        if lap is None:
            self.ended = AWAY
        return lap

    def _stopped(self, problem: SistelError) -> None:
        said = problem.diagnostics[0].message
        self.ended = Text(f"the motion cannot go on: {said.en}", f"движение не может продолжаться: {said.ru}")

    def _folded(self, section: Section, past: list[Lap]) -> Found | None:
        """A cycle of several rounds, where the motion comes back after so many much better than after one."""
        last = past[-1]
        for count in range(2, min(FOLDS, len(past) // 3) + 1):
            if len(past) % count:
                continue
            off = last.frame.T @ (last.begin - past[-1 - count].begin)
            if float(np.abs(off).max(initial=0.0)) > 0.05 * float(np.abs(last.lack).max(initial=0.0)):
                continue
            try:
                lap = self.passages.rounds(section, last.begin, count * last.time, count)
            except SistelError:
                return None
            found = None if lap is None else self._local(section, lap, count)
            if found is not None and (np.abs(multipliers(found)) < 1.0).all():
                return Found(section, found, count, None)
        return None

    def _unsettled(self, laps: int) -> Text:
        if self.ended is not None:
            return self.ended
        return Text(f"the motion does not settle in {laps} rounds", f"за {laps} оборотов движение не установилось")

    # --- Newton's method ---------------------------------------------------------------------------------------------

    def _local(self, section: Section, lap: Lap, count: int) -> Lap | None:
        """The cycle near a lap, by whole steps of Newton's method; None where they do not converge."""
        for number in range(MOST):
            residual = lap.residual
            if residual == 0.0:
                return lap
            step = Correction(lap)
            onward = self._moved(section, lap, step.move, count)
            if onward is None:
                return lap if residual <= self.tolerance else None
            self._count(onward)
            shorter = step.natural(onward) <= CONVERGES * step.length
            converges = shorter or (number > 0 and onward.residual <= CONVERGES * residual)
            if residual <= self.tolerance and not (converges and onward.residual <= 0.5 * residual):
                # Nothing is left but rounding.
                return self._rounded(section, min(lap, onward, key=lambda each: each.residual), count)
            if not converges:
                return None
            lap = onward
        return lap if lap.residual <= self.tolerance else None

    def _rounded(self, section: Section, lap: Lap, count: int) -> Lap:
        """The best of a few more steps, which differ by rounding alone."""
        for _ in range(ROUNDINGS):
            move, better = Correction(lap).move, None
            for halved in range(HALVINGS):
                tried = self._moved(section, lap, 0.5**halved * move, count)
                if tried is not None and tried.residual < lap.residual:
                    better = tried
                    break
            if better is None:
                break
            self._count(better)
            lap = better
        return lap

    def _damped(self, section: Section, lap: Lap) -> Found:
        """Newton's method with steps that are halved until they lead somewhere better."""
        reason: Text | None = None
        slow = 0
        while slow < SLOW and self.iterations < LAPS:
            step, factor, better = Correction(lap), 1.0, None
            for _ in range(HALVINGS):
                tried = self._moved(section, lap, factor * step.move, 1)
                if tried is not None and (
                    tried.residual < lap.residual or step.natural(tried) < (1.0 - 0.5 * factor) * step.length
                ):
                    better = tried
                    break
                factor *= 0.5
            if better is None:
                reason = Text(
                    "no smaller residual in the direction of Newton's method",
                    "в направлении метода Ньютона невязка не убывает",
                )
                break
            self._count(better)
            slow = 0 if better.residual < 0.7 * lap.residual else slow + 1
            lap = better
            found = self._local(section, lap, 1) if factor == 1.0 else None
            if found is not None:
                return Found(section, found, 1, None)
        if reason is None:
            reason = Text(
                f"after {self.iterations} iterations the states still differ by {lap.residual:.3g}",
                f"после {self.iterations} приближений состояния ещё расходятся на {lap.residual:.3g}",
            )
        if self.ended is not None:
            reason = Text(f"{self.ended.en}; {reason.en}", f"{self.ended.ru}; {reason.ru}")
        return Found(section, lap, 1, reason)

    def _moved(self, section: Section, lap: Lap, move: Array, count: int) -> Lap | None:
        """The lap from another beginning; None where from there the motion ends somewhere else."""
        if float(np.abs(move[self.passages.turning]).max(initial=0.0)) > FARTHEST:
            return None  # so far no derivative tells the way
        try:
            begin = lap.begin + move
            if float(np.abs(move).max(initial=0.0)) > STRAIGHT:
                begin = self.passages.placed(section, begin)
            if not np.isfinite(begin).all():
                return None
            return self.passages.rounds(section, begin, lap.time, count)
        except SistelError:
            return None

    def _count(self, lap: Lap) -> None:
        self.iterations += 1
        if self.progress is not None:
            self.progress(self.iterations, lap.residual)


class Correction:
    """What Newton's method asks for at a lap."""

    def __init__(self, lap: Lap) -> None:
        """Solve (1 - D) c = lack; c - lack lies in the image of D, within the constraints."""
        self.lap = lap
        D = lap.reduced
        self.basis = image(D @ lap.tangent)
        self.turned = self.basis.T @ D
        self.square = np.eye(self.basis.shape[1]) - self.turned @ self.basis
        made = self._solved(lap.lack)
        self.move: Array = lap.frame @ made
        self.length = float(np.linalg.norm(made))

    def _solved(self, lack: Array) -> Array:
        push = np.linalg.lstsq(self.square, self.turned @ lack, rcond=None)[0]
        return np.asarray(lack + self.basis @ push)

    def natural(self, other: Lap) -> float:
        """How long a correction the derivative of this lap would ask for at another one."""
        return float(np.linalg.norm(self._solved(self.lap.frame.T @ (other.image - other.begin))))


def image(D: Array) -> Array:
    """An orthonormal basis of the image of a matrix."""
    if not D.size:
        return np.zeros((D.shape[0], 0))
    left, sizes, _ = np.linalg.svd(D, full_matrices=False)
    return np.asarray(left[:, sizes > FORGOTTEN * max(1.0, float(sizes[0]))])


def multipliers(lap: Lap) -> Numbers:
    """Floquet multipliers of a lap that is a cycle, the largest first."""
    D = lap.reduced
    B = image(D @ lap.tangent)
    while True:
        # What two periods forget, or three …, one may only have turned.
        less = image(D @ B)
        if less.shape[1] == B.shape[1]:
            break
        B = less
    found = np.linalg.eigvals(B.T @ D @ B).astype(complex)
    return np.asarray(found[np.argsort(-np.abs(found), kind="stable")])
