"""What one contact event costs: systems of five bodies that fall on a floor and strike, slide, stick and lift.

    python benchmarks/bench_contacts.py --drops 20

takes `--drops` runs of every system by three laws of impact, from postures and velocities of a seed. An event is
everything between two stretches of smooth motion: what strikes is found, the impact is solved, what all contacts do
next is decided, and the run goes on. Its time is that of the runs less that of their steps, by the number of events;
what a step takes, and what a run takes beside its steps, is measured on flights high above the floor, with the same
equations. Times are of the processor.
"""

from __future__ import annotations

import cProfile
import math
import pstats
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from _bench import RESULTS, machine, parser, write

import sistel

LAWS = {"newton": 0.5, "plastic": 0.0, "poisson": 0.5}
"""Restitutions."""
HIGH = 1e5
"""Where nothing strikes [m]."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """Systems of one kind."""

    text: Callable[[str], str]
    """The file, with a law of impact."""
    drop: Callable[[np.random.Generator], tuple[Any, Any]]
    """Coordinates and velocities to begin with, within reach of the floor."""
    up: tuple[int, float]
    """Which coordinate is the height, and its sign."""
    span: float
    """Of a run [s]."""
    goal: float
    """Of one event [s]."""


def contact(name: str, point: str, surface: str, law: str, friction: float = 0.4) -> str:
    """A contact with friction."""
    return (
        f'<contact name="{name}" point="{point}" surface="{surface}" friction="{friction:g}" impact="{law}" '
        f'restitution="{LAWS[law]:g}"/>'
    )


def planar_legs(law: str) -> str:
    """A free trunk on two legs of two rods that motors hold, each with a foot."""
    rows = '<body name="trunk" joint="free" mass="6" inertia="0.1"/>'
    contacts = ""
    for i, side in enumerate((-1, 1)):
        rows += (
            f'<body name="h{i}" base="trunk" joint="revolute" place="{200 * side},0" mass="0.4" com="0,100" '
            f'inertia="0.002"/><body name="s{i}" base="h{i}" joint="revolute" place="0,200" mass="0.3" com="0,100" '
            f'inertia="0.001"><point name="p{i}" place="0,200"/></body>'
            f'<motion of="h{i}, s{i}" value="{-25 * side} deg, {20 * side} deg" kp="60" kd="0.8"/>'
        )
        contacts += contact(f"c{i}", f"p{i}", "y = 0", law)
    return f'<system name="legs">{rows}<links>{contacts}</links><start trunk.y="-1 m"/></system>'


def drop_planar(rng: np.random.Generator) -> tuple[Any, Any]:
    """A posture of the legs above the floor, nearly upright; in the plane y points down."""
    q = np.array([0.0, -rng.uniform(0.45, 0.6), rng.uniform(-0.2, 0.2), 0.4, -0.3, -0.4, 0.3])
    q[3:] += rng.uniform(-0.2, 0.2, 4)
    return q, np.array([*rng.normal(0, 0.6, 2), *rng.normal(0, 1, 5)])


def spatial_legs(law: str) -> str:
    """A free trunk on four legs that motors hold, each with a foot."""
    rows = '<body name="trunk" joint="free" mass="6" inertia="0.04,0.09,0.12"/>'
    contacts = ""
    for i in range(4):
        turn = 45 + 90 * i
        x, y = 250 * math.cos(math.radians(turn)), 180 * math.sin(math.radians(turn))
        rows += (
            f'<body name="l{i}" base="trunk" joint="revolute" axis="y" place="{x:.3f},{y:.3f},0" turn="0,0,{turn}" '
            f'mass="0.3" com="0,0,-100" inertia="0.001,0.001,0.0001"><point name="p{i}" place="0,0,-200"/></body>'
            f'<motion of="l{i}" value="-20 deg" kp="20" kd="0.3"/>'
        )
        contacts += contact(f"c{i}", f"p{i}", "z = 0", law, 0.25)
    return f'<system name="legs" space="spatial">{rows}<links>{contacts}</links><start trunk.z="1 m"/></system>'


def drop_legs(rng: np.random.Generator) -> tuple[Any, Any]:
    """A posture of the legs above the floor, nearly upright."""
    quaternion = np.array([1.0, *rng.normal(0, 0.06, 3)])
    quaternion /= np.linalg.norm(quaternion)
    q = np.array([*quaternion, 0.0, 0.0, rng.uniform(0.3, 0.5), *rng.uniform(-0.6, 0.0, 4)])
    return q, np.array([*rng.normal(0, 0.5, 3), *rng.normal(0, 0.6, 3), *rng.normal(0, 1, 4)])


FAMILIES = {
    "planar legs": Family(text=planar_legs, drop=drop_planar, up=(1, -1.0), span=2.0, goal=20e-6),
    "spatial legs": Family(text=spatial_legs, drop=drop_legs, up=(6, 1.0), span=2.0, goal=60e-6),
}


def flights(system: sistel.System, family: Family, rounds: int, span: float) -> tuple[float, float]:
    """What a run takes beside its steps, and what a step takes [s]: from two flights where nothing strikes."""
    points: list[tuple[int, float]] = []
    for share in (0.1, 1.0):
        best, steps = math.inf, 0
        for number in range(rounds):
            q, v = family.drop(np.random.default_rng([7, 0]))
            q[family.up[0]] += family.up[1] * HIGH
            begin = time.process_time()
            run = system.simulate(span * share, q=q, v=v)
            best, steps = min(best, time.process_time() - begin), run.steps
            assert not run.passages, number
        points.append((steps, best))
    (few, short), (many, long) = points
    step = (long - short) / (many - few)
    return max(0.0, short - few * step), step


def take(name: str, law: str, drops: int, rounds: int) -> dict[str, Any]:
    """The runs of one system by one law."""
    family = FAMILIES[name]
    system = sistel.parse(family.text(law))
    starts = [family.drop(np.random.default_rng([1, number])) for number in range(drops)]
    for q, v in starts:  # compiles what the runs will need
        system.simulate(family.span, q=q, v=v)
    best, steps, events = np.full(drops, math.inf), 0, 0
    for turn in range(rounds):
        for number, (q, v) in enumerate(starts):
            begin = time.process_time()
            run = system.simulate(family.span, q=q, v=v)
            best[number] = min(best[number], time.process_time() - begin)
            if turn == 0:
                steps += run.steps
                events += len(run.passages)
    apart, step = flights(system, family, 3 * rounds, 20.0 * family.span)
    spent = float(best.sum())
    event = (spent - drops * apart - steps * step) / events
    return {
        "system": name,
        "law": law,
        "drops": drops,
        "events": events,
        "steps": steps,
        "run": spent / drops,
        "step": step,
        "event": event,
        "goal": family.goal,
    }


def profile(name: str, law: str, drops: int) -> None:
    """Where the time of the runs goes."""
    family = FAMILIES[name]
    system = sistel.parse(family.text(law))
    starts = [family.drop(np.random.default_rng([1, number])) for number in range(drops)]
    for q, v in starts:
        system.simulate(family.span, q=q, v=v)
    meter = cProfile.Profile()
    meter.enable()
    for q, v in starts:
        system.simulate(family.span, q=q, v=v)
    meter.disable()
    pstats.Stats(meter).sort_stats("tottime").print_stats(25)


def main() -> None:
    arguments = parser(__doc__, rounds=3)
    arguments.add_argument("--drops", type=int, default=20, help="of every system by every law")
    arguments.add_argument("--only", default="", help="systems whose name contains this")
    arguments.add_argument("--laws", nargs="+", choices=list(LAWS), default=list(LAWS))
    arguments.add_argument("--profile", action="store_true", help="print where the time goes instead")
    given = arguments.parse_args()
    rows: list[dict[str, Any]] = []
    if not given.profile:
        print(f"{'':16}{'law':9}{'events':>8}{'steps':>8}{'a run':>11}{'a step':>10}{'an event':>11}{'goal':>8}")
    for name in (each for each in FAMILIES if given.only in each):
        for law in given.laws:
            if given.profile:
                profile(name, law, given.drops)
                continue
            found = take(name, law, given.drops, given.rounds)
            print(
                f"{name:16}{law:9}{found['events']:8}{found['steps']:8}{1e3 * found['run']:8.2f} ms"
                f"{1e6 * found['step']:7.1f} µs{1e6 * found['event']:8.1f} µs{1e6 * found['goal']:5.0f} µs",
                flush=True,
            )
            rows.append(found)
    if rows:
        write({"benchmark": "contacts", "machine": machine(), "rows": rows}, given.json or RESULTS / "contacts.json")


if __name__ == "__main__":
    main()
