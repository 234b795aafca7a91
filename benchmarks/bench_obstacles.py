"""One ball that hops along a row of obstacles: what reading, the first run, beginning and an event cost.

    python benchmarks/bench_obstacles.py [--jointed | --chain]

The ball meets the same obstacles whatever stands behind them, so that only their number differs. Up to forty sides
equations look at all of them; beyond that, a loop that is compiled once for all models looks at those that are near.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from _bench import RESULTS, machine, parser, write

import sistel

CHAINS = (2, 4, 8)
COUNTS = (1, 20, 50, 100, 200, 400, 800, 1600)
JOINTED = (10, 20, 50, 100, 200)
UNTIL = 1.0
"""Seconds of motion."""


def document(count: int, jointed: bool = False) -> str:
    """A floor with teeth, and a ball above it: free, or on two slides, whose equations look at all teeth."""
    body = '<body name="ball" joint="free" mass="1" inertia="0.001"><circle name="c" radius="50"/></body>'
    start = '<coordinate of="ball" value="20,-200,0" rate="2000,0,0"/>'
    if jointed:
        body = (
            '<body name="slide" joint="prismatic" axis="x" mass="0.2"><body name="ball" joint="prismatic" axis="y" '
            'mass="1"><circle name="c" radius="50"/></body></body>'
        )
        start = '<coordinate of="slide" value="20" rate="2000"/><coordinate of="ball" value="-200"/>'
    teeth = "".join(f'<polygon name="o{i}" place="{300 * i},0" points="-60,0; 0,-60; 60,0"/>' for i in range(count))
    return f"""<system name="teeth"><world><polyline name="floor" points="-10000,0; 300000,0"/>{teeth}</world>
      {body}
      <links><contact name="k" of="c" to="world" friction="0.3" restitution="0.3"/></links>
      <start>{start}</start></system>"""


def chain(bars: int) -> str:
    """Bars in a row, joined by hinges, that fall onto stairs: twelve contacts a bar."""
    bodies, contacts = "", ""
    for i in range(bars):
        joint = 'joint="revolute" place="200,0"' if i else 'joint="free"'
        bodies += f'<body name="b{i}" {joint} mass="1" inertia="0.005" com="100,0">'
        bodies += f'<box name="s{i}" place="100,0" size="150,40"/>'
        contacts += f'<contact name="w{i}" of="s{i}" to="world" friction="0.3" restitution="0.2"/>'
    stairs = "-3000,0; 300,0; 300,150; 600,150; 600,300; 6000,300"
    return f"""<system name="chain"><world><polyline name="stairs" points="{stairs}"/></world>
      {bodies}{"</body>" * bars}<links>{contacts}</links><start b0="0,-300,5"/></system>"""


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
    given = parser(__doc__, 20)
    given.add_argument("--jointed", action="store_true", help="on two slides, among fewer obstacles")
    given.add_argument("--chain", action="store_true", help="bars joined by hinges on stairs, ever more of them")
    chosen = given.parse_args()
    counts = CHAINS if chosen.chain else JOINTED if chosen.jointed else COUNTS
    rows, until = [], 0.5 if chosen.chain else UNTIL
    sistel.parse(document(50)).simulate(UNTIL)  # the loop of all models is compiled, or read
    of_what = "bars" if chosen.chain else "obstacles"
    print(f"| {of_what} | events | reading [ms] | first run [ms] | beginning [ms] | an event [µs] |")
    print("|---|---|---|---|---|---|")
    for count in counts:
        text = chain(count) if chosen.chain else document(count, chosen.jointed)
        system = sistel.parse(text)
        start = time.process_time()
        events = len(system.simulate(until).events)
        first = time.process_time() - start
        reading = least(chosen.rounds, lambda text=text: sistel.parse(text))
        beginning = least(chosen.rounds, lambda system=system: system.simulate(1e-3))
        whole = least(chosen.rounds, lambda system=system: system.simulate(until))
        event = (whole - beginning) / events
        rows.append({"obstacles": count, "events": events, "reading": reading, "first": first, "event": event})
        rows[-1]["beginning"] = beginning
        times = (reading, first, beginning)
        print(f"| {count} | {events} | {' | '.join(f'{1e3 * each:.1f}' for each in times)} | {1e6 * event:.0f} |")
    for key in ("reading", "first", "beginning"):
        one, two = rows[-3], rows[-1]
        power = math.log(two[key] / one[key]) / math.log(two["obstacles"] / one["obstacles"])
        print(f"{key} grows with the power {power:.2f} of their number")
    write({"machine": machine(), "rows": rows}, chosen.json or RESULTS / "obstacles.json")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
