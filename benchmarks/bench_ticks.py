"""Ticks a second: schemes of 1, 20 and 200 blocks at 1 kHz on a pendulum, exact to the last digits.

Schemes are run in turns, and a second time with the clock ten times as slow, where steps are longer. Times are those of
the processor.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np
from _bench import RESULTS, machine, options, write

import sistel

UNTIL = 20.0
BLOCKS = (1, 20, 200)
PERIODS = (1, 10)
"""Of the clocks [ms]."""
LEAST = 1e6
"""Ticks a second that 20 blocks at 1 kHz are to have."""
KINDS = (
    '<block name="b{i}" kind="lag" in="{x}" time="0.1 s"/>',
    '<block name="b{i}" kind="sum" in="{x}, 0.5"/>',
    '<block name="b{i}" kind="saturation" in="{x}" limit="2"/>',
    '<block name="b{i}" kind="gain" in="{x}" gain="0.9"/>',
)


def scheme(count: int, period: int) -> sistel.System:
    """A pendulum whose motor hears the last of so many blocks in a row."""
    blocks, heard = [], "angle(arm)/1 rad"
    for i in range(count):
        blocks.append(KINDS[i % len(KINDS)].format(i=i, x=heard))
        heard = f"b{i}"
    return sistel.parse(
        '<system name="row of blocks"><body name="arm" joint="revolute" mass="1" com="0,500" inertia="0">'
        f'<motor name="arm"/></body><scheme name="drive" period="{period} ms">{"".join(blocks)}'
        f'<output motor="arm" from="-0.1 N*m*{heard}"/></scheme></system>'
    )


def first_lag(system: sistel.System, period: float) -> float:
    """How far the first block of a run is from the same law computed here, along a whole second."""
    instants = period * np.arange(round(1.0 / period))
    run = system.simulate(1.0, q=[1.0])
    heard, said = run.quantity("angle(arm)", instants), run.quantity("b0", instants)
    keep, value, worst = np.exp(-period / 0.1), 0.0, 0.0
    for angle, found in zip(heard.tolist(), said.tolist(), strict=True):
        worst = max(worst, abs(found - value))
        value = keep * value + (1.0 - keep) * angle
    return float(worst)


def main() -> int:
    """Race, and write the outcome."""
    chosen = options(__doc__, rounds=7)
    systems = {(count, period): scheme(count, period) for count in BLOCKS for period in PERIODS}
    for (_, period), system in systems.items():
        assert first_lag(system, 1e-3 * period) < 1e-14
        for keep in ("events", "steps"):
            system.simulate(UNTIL, q=[1.0], keep=keep)
    best: dict[tuple[int, int, str], float] = {}
    for _ in range(chosen.rounds):
        for (count, period), system in systems.items():
            for keep in ("events", "steps"):
                start = time.process_time()
                system.simulate(UNTIL, q=[1.0], keep=keep)
                spent = time.process_time() - start
                best[count, period, keep] = min(spent, best.get((count, period, keep), np.inf))
    rows: list[dict[str, Any]] = []
    for (count, period, keep), spent in best.items():
        rate = UNTIL / (1e-3 * period) / spent
        rows.append({"blocks": count, "period, ms": period, "keep": keep, "ticks a second": rate})
        print(f"{count} blocks, {period} ms, keep {keep}: {rate:.3g} ticks a second, {1e6 / rate:.3g} µs a tick")
    write({"machine": machine(), "rows": rows}, RESULTS / "ticks.json")
    asked = next(row for row in rows if (row["blocks"], row["period, ms"], row["keep"]) == (20, 1, "events"))
    return 0 if asked["ticks a second"] >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
