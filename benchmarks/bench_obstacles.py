"""One ball that hops along a row of obstacles: what reading, beginning and an event cost with their number.

    python benchmarks/bench_obstacles.py

The ball meets the same obstacles whatever stands behind them, so that only their number differs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from _bench import RESULTS, machine, options, write

import sistel

COUNTS = (1, 50, 100, 200, 400)
UNTIL = 1.0


def document(count: int) -> str:
    """A floor with teeth, and a ball above it."""
    teeth = "".join(f'<polygon name="o{i}" place="{300 * i},0" points="-60,0; 0,-60; 60,0"/>' for i in range(count))
    return f"""<system name="teeth"><world><polyline name="floor" points="-10000,0; 300000,0"/>{teeth}</world>
      <body name="ball" joint="free" mass="1" inertia="0.001"><circle name="c" radius="50"/></body>
      <links><contact name="k" of="c" to="world" friction="0.3" restitution="0.3"/></links>
      <start><coordinate of="ball" value="20,-200,0" rate="2000,0,0"/></start></system>"""


def least(rounds: int, call: Callable[[], object]) -> float:
    """Seconds of the processor, the least of some rounds."""
    found = math.inf
    for _ in range(rounds):
        start = time.process_time()
        call()
        found = min(found, time.process_time() - start)
    return found


def main() -> int:
    """Measure, print and keep the rows."""
    chosen = options(__doc__, rounds=5)
    rows = []
    print("| obstacles | events | reading [ms] | beginning [ms] | an event [ms] |\n|---|---|---|---|---|")
    for count in COUNTS:
        text = document(count)
        system = sistel.parse(text)
        events = len(system.simulate(UNTIL).events)
        reading = least(chosen.rounds, lambda text=text: sistel.parse(text))
        beginning = least(chosen.rounds, lambda system=system: system.simulate(1e-3))
        whole = least(chosen.rounds, lambda system=system: system.simulate(UNTIL))
        event = (whole - beginning) / events
        rows.append({"obstacles": count, "events": events, "reading": reading, "beginning": beginning, "event": event})
        print(f"| {count} | {events} | {1e3 * reading:.1f} | {1e3 * beginning:.1f} | {1e3 * event:.2f} |")
    write({"machine": machine(), "rows": rows}, RESULTS / "obstacles.json")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
