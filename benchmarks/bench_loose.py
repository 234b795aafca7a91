"""A falling chain of 20 spatial links at loose and tight tolerances, against Pinocchio's `aba` with RK4 in C++.

Errors are those of the state at the end, each number relative to its size or to 1, against a run at 1e-13 by Taylor
series. Of every method the cheapest setting counts whose error is no larger than the one that is asked for: a tolerance
of sistel's methods, a step of RK4. Pinocchio keeps nothing but the end; sistel's runs can be asked for any time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _bench import RESULTS, human, machine, parser, write
from _native import Missing, pinocchio_race
from _race import measure_turns
from bench_chains import chain, chain_text

import sistel

LINKS = 20
UNTIL = 1.0
"""How long it falls [s]."""
BENT = 0.5
"""Largest angle of a joint at the start [rad]."""
EXACT = 1e-13
"""Tolerance of the run with which all others are compared."""
TOLERANCES = tuple(10.0**-number for number in range(3, 13))
ERRORS = (1e-3, 1e-6, 1e-9)
"""At which methods are compared."""
METHODS = ("auto", "taylor", "runge-kutta")
STEPS = tuple(round(100 * 1.15**number) for number in range(40))
"""Of RK4, from which the fewest are taken that are exact enough."""

Turn = Callable[[int], float]


class Chain:
    """The chain, and its motion by every method."""

    def __init__(self) -> None:
        self.system = sistel.parse(chain(LINKS), "chain.urdf")
        self.q = np.random.default_rng(1).uniform(-BENT, BENT, LINKS)
        self.v = np.zeros(LINKS)
        self.exact = self._end(EXACT, "taylor")
        self.library: Any = None
        self.handle: Any = None

    def take(self, library: Any) -> None:
        """Race Pinocchio too."""
        self.library, self.handle = library, library.race_new(chain_text(LINKS).encode())

    def run(self, tolerance: float, method: Any) -> sistel.Run:
        return self.system.simulate(UNTIL, q=self.q, v=self.v, tolerance=tolerance, method=method)

    def _end(self, tolerance: float, method: str) -> Any:
        run = self.run(tolerance, method)
        return np.concatenate([run.q[-1], run.v[-1]])

    def error(self, found: Any) -> float:
        return float((np.abs(found - self.exact) / np.maximum(1.0, np.abs(self.exact))).max())

    def ours(self, tolerance: float, method: str) -> tuple[float, Turn]:
        """The error of a run, and its turn."""

        def turn(passes: int) -> float:
            start = time.process_time()
            for _ in range(passes):
                self.run(tolerance, method)
            return (time.process_time() - start) / passes

        return self.error(self._end(tolerance, method)), turn

    def theirs(self, steps: int, world: int) -> tuple[float, Turn]:
        q, v = self.q.copy(), self.v.copy()

        def move() -> None:
            q[:], v[:] = self.q, self.v
            self.library.race_move(self.handle, world, q.ctypes.data, v.ctypes.data, UNTIL / steps, steps)

        def turn(passes: int) -> float:
            start = time.process_time()
            for _ in range(passes):
                move()
            return (time.process_time() - start) / passes

        move()
        return self.error(np.concatenate([q, v])), turn


def cheapest(found: dict[Any, float], error: float) -> Any:
    """The first setting that is exact enough; they are in the order of what they cost."""
    return next((setting for setting, own in found.items() if own <= error), None)


def run(rounds: int) -> dict[str, Any]:
    """CPU seconds of whole runs by tolerance, and at equal errors."""
    race = Chain()
    engine = None
    try:
        race.take(pinocchio_race())
        engine = f"Pinocchio {race.library.race_version().decode()}"
    except Missing as missing:
        print(f"without Pinocchio: {missing}")
    turns: dict[Any, Turn] = {}
    errors: dict[str, dict[Any, float]] = {}
    for method in METHODS:
        for tolerance in TOLERANCES:
            error, turns[method, tolerance] = race.ours(tolerance, method)
            errors.setdefault(method, {})[tolerance] = error
    if engine:
        for steps in STEPS:
            errors.setdefault("RK4", {})[steps] = race.theirs(steps, 0)[0]
        for error in ERRORS:
            setting = cheapest(errors["RK4"], error)
            if setting is not None:
                turns["RK4 local", setting], turns["RK4 world", setting] = (race.theirs(setting, w)[1] for w in (0, 1))
    seconds = measure_turns(turns, rounds)
    rows = []
    for tolerance in TOLERANCES:
        texts = []
        for method in METHODS:
            own = {"method": method, "tolerance": tolerance, "error": errors[method][tolerance]}
            rows.append(own | {"seconds": seconds[method, tolerance]})
            texts.append(f"{method} {human(seconds[method, tolerance]):>8}, error {own['error']:.1e}")
        print(f"  {tolerance:.0e}: {'; '.join(texts)}", flush=True)
    equal = [_compared(error, errors, seconds) for error in ERRORS]
    return {"machine": machine(), "engine": engine, "links": LINKS, "until": UNTIL, "runs": rows, "equal": equal}


def _compared(error: float, errors: dict[str, dict[Any, float]], seconds: dict[Any, float]) -> dict[str, Any]:
    """Everybody at an equal error."""
    own: dict[str, Any] = {"error": error}
    for method in METHODS:
        setting = cheapest(errors[method], error)
        if setting is not None:
            own[method] = {"tolerance": setting, "seconds": seconds[method, setting]}
    peer = cheapest(errors.get("RK4", {}), error)
    if peer is not None:
        best = min(seconds["RK4 local", peer], seconds["RK4 world", peer])
        own["RK4"] = {"steps": peer, "seconds": best}
        ratios = ", ".join(f"{name} {best / own[name]['seconds']:.2f}×" for name in METHODS if name in own)
        print(f"  at an error of {error:.0e}: RK4 takes {human(best)} ({peer} steps); sistel against it: {ratios}")
    return own


def main() -> int:
    options = parser(__doc__, rounds=40).parse_args()
    write({"benchmark": "loose", **run(options.rounds)}, options.json or RESULTS / "loose.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
