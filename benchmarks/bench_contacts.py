"""What one contact event costs: systems of five bodies that fall on a floor and strike, slide, stick and lift.

    python benchmarks/bench_contacts.py --drops 20

takes `--drops` drops of every system by three laws of impact, from postures and velocities of a seed. An event is
everything between two stretches of smooth motion: what strikes is found, the impact is solved, what all contacts do
next is decided, and the next motion is entered, its projection to the constraints included; its series are those of
its first step. Strikes alone, which are kernels of their own, are not counted. The clock of the processor is read
before and after every passage, whether machine code decides it or Python; what the reading takes, and the call of
machine code from Python that is not there without the clock, are taken off; of some rounds the least counts. `--old`
lets Python decide all of them.
"""

from __future__ import annotations

import cProfile
import gc
import math
import pstats
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from _bench import RESULTS, machine, parser, write

import sistel
from sistel.kernels.subset import Floats, Ints, compile_functions
from sistel.simulation._outcome import Outcome
from sistel.simulation.contact import _passage
from sistel.simulation.contact import _scene as s
from sistel.simulation.contact._driver import ContactDriver
from sistel.simulation.contact._passage import decide
from sistel.simulation.contact._scene import Scene
from sistel.simulation.taylor import outcomes as o
from sistel.simulation.taylor import tables as t
from sistel.simulation.taylor.tables import Tables

LAWS = {"newton": 0.5, "plastic": 0.0, "poisson": 0.5}
"""Restitutions."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """Systems of one kind."""

    text: Callable[[str], str]
    """The file, with a law of impact."""
    drop: Callable[[np.random.Generator], tuple[Any, Any]]
    """Coordinates and velocities to begin with, within reach of the floor."""
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
    "planar legs": Family(text=planar_legs, drop=drop_planar, span=2.0, goal=20e-6),
    "spatial legs": Family(text=spatial_legs, drop=drop_legs, span=2.0, goal=60e-6),
}


def one_passage(tables: Tables, scene: Scene, which: Ints) -> bool:
    """A passage."""
    return decide(tables, scene, which[0], which[1])


def one_entry(tables: Tables) -> None:
    """What a motion begins with, less its series: its projection."""
    tables.kernel_at(tables.plans[t.CORRECT], 0, 1, tables.plans[t.CORRECT_ARGUMENTS])


def one_series(tables: Tables, table: Floats) -> None:
    """The series that a step begins with."""
    tables.flow_at(tables.plans[t.FLOW], tables.y, tables.parameters, table, tables.scratch)


class Meter:
    """The loop with passages, taken apart so that a clock can be read between motion and passages."""

    def __init__(self) -> None:
        self.spent: list[tuple[float, float, float, float]] = []
        """Of every passage: its time, and those of the next entry, of a call for nothing, of the next series [s]."""
        self.decided = 0
        self.left = 0.0
        """When Python was asked; 0 where it was not [s]."""
        exports = ["propagate", "one_passage", "one_entry", "one_series"]
        every = [*_passage.FUNCTIONS, one_passage, one_entry, one_series]
        self.code = compile_functions(every, exports=exports, quick=True)
        self.made: dict[int, Callable[[], int]] = {}

    def bound(self, driver: ContactDriver) -> Callable[[], int]:
        """The loop of a driver."""
        if id(driver) not in self.made:
            self.made[id(driver)] = self._bound(driver)
        return self.made[id(driver)]

    def _bound(self, driver: ContactDriver) -> Callable[[], int]:
        which, tables = np.zeros(2, dtype=np.int64), driver._tables()
        move, passage = self.code.propagate.bind(tables), self.code.one_passage.bind(tables, driver.scene, which)
        entry, series = (
            self.code.one_entry.bind(tables),
            self.code.one_series.bind(tables, np.zeros_like(driver.room.coefficients)),
        )
        own, counts = driver.own, driver.counts

        def calling() -> float:
            allowed, own[s.OPEN_WAYS] = own[s.OPEN_WAYS], 0  # a call that does nothing
            taken, own[s.OPEN_WAYS] = _clocked(passage), allowed
            return taken

        def travel() -> int:
            answer = o.NEW_PASSAGE
            while True:
                waits, own[s.ASKED] = own[s.ASKED], 0
                if self.left:
                    self.spent.append((time.process_time() - self.left, _clocked(entry), 0.0, 0.0))
                    self.left = 0.0
                if not waits:
                    counts[t.EVENTS] = 0
                    answer = move()
                    own[s.SINCE], own[s.WAITING] = counts[t.EVENTS], 0
                which[:] = counts[t.LEAVING] - own[s.WRITTEN], own[s.SINCE]
                ends = answer in (o.NEW_PASSAGE, o.NO_PASSAGE) and counts[t.OPEN] >= 0
                begin = time.process_time()
                if ends and which[0] >= 0 and passage():
                    taken = time.process_time() - begin
                    # The series that it has computed of the next motion is that of the next step.
                    ahead = _clocked(series) if counts[t.KNOWN] == t.FORESEEN else 0.0
                    self.spent.append((taken, _clocked(entry), calling(), ahead))
                    self.decided += 1
                    continue
                if ends and not own[s.ASKED]:
                    self.left = begin
                return answer

        return travel


def _clocked(call: Callable[[], object]) -> float:
    begin = time.process_time()
    call()
    return time.process_time() - begin


def take(name: str, law: str, drops: int, rounds: int, old: bool) -> dict[str, Any]:
    """The runs of one system by one law."""
    family, meter = FAMILIES[name], Meter()
    system = sistel.parse(family.text(law))
    contacts: Any = system.simulation(2.0**-52).contacts
    contacts.quick = not old
    starts = [family.drop(np.random.default_rng([1, number])) for number in range(drops)]
    events, runs = 0, 0.0
    for q, v in starts:  # compiles what the runs will need
        system.simulate(family.span, q=q, v=v)
    for q, v in starts:
        begin = time.process_time()
        events += len(system.simulate(family.span, q=q, v=v).passages)
        runs += time.process_time() - begin
    found: list[list[tuple[float, float, float, float]]] = []
    with patched(meter):
        for _ in range(rounds):
            meter.spent, meter.decided, meter.left = [], 0, 0.0
            for q, v in starts:
                system.simulate(family.span, q=q, v=v)
            found.append(meter.spent)
    spent = np.array(found).min(axis=0) @ [1.0, 1.0, -1.0, -1.0]  # the same events in every round
    return {
        "system": name,
        "law": law,
        "drops": drops,
        "events": events,
        "run": runs / drops,
        "machine": meter.decided / len(spent),
        "median": float(np.median(spent)),
        "event": float(spent.mean()),
        "goal": family.goal,
    }


@contextmanager
def patched(meter: Meter) -> Iterator[None]:
    """Runs with the meter in the place of the loop."""
    usual = ContactDriver._run

    def run(driver: ContactDriver) -> Outcome:
        driver._travel = meter.bound(driver)
        return usual(driver)

    ContactDriver._run = run  # type: ignore[method-assign]
    try:
        yield
    finally:
        ContactDriver._run = usual  # type: ignore[method-assign]
        for driver in [driver for driver in gc.get_objects() if isinstance(driver, ContactDriver)]:
            driver._travel = None


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
    arguments.add_argument("--old", action="store_true", help="let Python decide all passages")
    arguments.add_argument("--profile", action="store_true", help="print where the time goes instead")
    given = arguments.parse_args()
    rows: list[dict[str, Any]] = []
    if not given.profile:
        print(f"{'':14}{'law':9}{'events':>8}{'a run':>11}{'by machine':>12}{'median':>10}{'mean':>11}{'goal':>8}")
    for name in (each for each in FAMILIES if given.only in each):
        for law in given.laws:
            if given.profile:
                profile(name, law, given.drops)
                continue
            found = take(name, law, given.drops, given.rounds, given.old)
            print(
                f"{name:14}{law:9}{found['events']:8}{1e3 * found['run']:8.2f} ms{100 * found['machine']:11.1f}%"
                f"{1e6 * found['median']:7.1f} µs{1e6 * found['event']:8.1f} µs{1e6 * found['goal']:5.0f} µs",
                flush=True,
            )
            rows.append(found)
    if rows:
        write({"benchmark": "contacts", "machine": machine(), "rows": rows}, given.json or RESULTS / "contacts.json")


if __name__ == "__main__":
    main()
