"""A Panda held by a PD law at 1 kHz for 10 s: sistel with the law in the file, MuJoCo with it in Python and in C.

MuJoCo takes its Runge-Kutta steps, one a tick or several. sistel takes the loosest tolerance whose error after half a
second, while the arm moves, is not larger. Errors are against a run of sistel to rounding. Times are those of the
processor, the least of rounds in which all three take turns.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from _bench import RESULTS, machine, options, write
from _controlled import PERIOD, START, Arm, NativeLoop, python_loop

UNTIL = 10.0
PARTS = (1, 2, 4)
TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12)
MIDDLE = 0.5
"""When the arm moves, and errors are seen [s]: at the end it stands still."""


def main() -> int:
    """Race, and write the outcome."""
    chosen = options(__doc__, rounds=5)
    arm, ticks = Arm(), round(UNTIL / PERIOD)
    native = NativeLoop(arm)
    middle = round(MIDDLE / PERIOD)
    exact = arm.driven.simulate(MIDDLE, q=START, keep="events").last[:14]

    def error(state: Any) -> float:
        return float(np.abs(state[:14] - exact).max())

    outcome: list[dict[str, Any]] = []
    for parts in PARTS:
        dt = PERIOD / parts
        theirs = error(native.run(dt, middle)[1])
        assert abs(error(python_loop(arm, dt, middle)[1]()) - theirs) <= 1e-12 + 1e-6 * theirs
        for tolerance in TOLERANCES:
            own = error(arm.driven.simulate(MIDDLE, q=START, keep="events", tolerance=tolerance).last)
            if own <= theirs:
                break
        _, called = python_loop(arm, dt, ticks)
        runs: dict[str, Callable[[], object]] = {
            "sistel": lambda given=tolerance: arm.driven.simulate(UNTIL, q=START, keep="events", tolerance=given),
            "C": lambda step=dt: native.run(step, ticks),
            "Python": called,
        }
        best = dict.fromkeys(runs, np.inf)
        for _ in range(chosen.rounds):
            for name, run in runs.items():
                start = time.process_time()
                run()
                best[name] = min(best[name], time.process_time() - start)
        row = {"parts": parts, "error": theirs, "own error": own, "tolerance": tolerance, "seconds": best}
        outcome.append(row)
        print(
            f"{parts} steps a tick: MuJoCo's error {theirs:.1e}, sistel's {own:.1e} (tolerance {tolerance:g}); "
            f"sistel {best['sistel'] * 1e3:.1f} ms, C {best['C'] * 1e3:.1f} ms ({best['C'] / best['sistel']:.1f}×), "
            f"Python {best['Python'] * 1e3:.1f} ms ({best['Python'] / best['sistel']:.1f}×)",
            flush=True,
        )
    write({"machine": machine(), "rows": outcome}, RESULTS / "control.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
