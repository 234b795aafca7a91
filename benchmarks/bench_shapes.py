"""Heaps of free bodies whose shapes touch, against MuJoCo at a stated depth: what a run, and what an event costs.

    python benchmarks/bench_shapes.py --seconds 0.6

drops 25, 50 and 100 spheres, in one layer, into an open box, and lets 25 and 50 dominoes fall. sistel finds every
impact and keeps shapes out of each other to 1e-11 m. MuJoCo's contacts are soft: its time step is halved, and the time
constant of its contacts with it (`solref` = 2 steps, the stiffest that its manual calls stable), until nothing lies
deeper in anything than `--depth`; the run that first does so is the one that is timed. Both are timed in turn, by the
clock of the processor. MuJoCo has no coefficient of restitution: its bodies do not rebound, and so have less to do.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from _bench import RESULTS, machine, parser, write

import sistel

MASS, RADIUS = 0.1, 0.03
FINEST = 2e-6
"""The shortest step that is tried [s]."""


@dataclass(frozen=True, kw_only=True)
class Heap:
    """The same bodies for both."""

    name: str
    system: sistel.System
    mjcf: str
    start: np.ndarray
    """Places for MuJoCo: positions and quaternions."""
    rates: np.ndarray


def spheres(count: int) -> Heap:
    """Spheres above the floor of an open box, in a lattice that is a little disturbed, with some speed."""
    lot, side = random.Random(1), math.ceil(math.sqrt(count))
    gap = 2.7 * RADIUS
    box = gap * (side + 1)
    half, mm = box / 2, 1e3 * box
    places, speeds = [], []
    for i in range(count):
        x, y = ((k - (side - 1) / 2) * gap + lot.uniform(-0.15, 0.15) * RADIUS for k in divmod(i, side))
        places.append((x, y, 2 * RADIUS))
        speeds.append((lot.uniform(-0.3, 0.3), lot.uniform(-0.3, 0.3), 0.0))
    walls = f'<box name="floor" place="0,0,-50" size="{mm + 200},{mm + 200},100"/>'
    for i, (x, y) in enumerate([(1, 0), (-1, 0), (0, 1), (0, -1)]):
        size = f"100,{mm}" if x else f"{mm},100"
        walls += f'<box name="w{i}" place="{x * (500 * box + 50)},{y * (500 * box + 50)},500" size="{size},1000"/>'
    inertia = 0.4 * MASS * RADIUS**2
    laws = 'friction="0.3" restitution="0.4"'
    numbers = range(count)
    text = (
        f'<system name="spheres" space="spatial"><world>{walls}</world>'
        + "".join(
            f'<body name="b{i}" joint="free" mass="{MASS}" inertia="{inertia!r}">'
            f'<sphere name="s{i}" radius="{1e3 * RADIUS}"/></body>'
            for i in numbers
        )
        + "<links>"
        + "".join(f'<contact name="g{i}" of="s{i}" to="world" {laws}/>' for i in numbers)
        + "".join(f'<contact name="c{i}_{j}" of="s{i}" to="s{j}" {laws}/>' for i in numbers for j in range(i))
        + "</links><start>"
        + "".join(
            f'<coordinate of="b{i}" place="{",".join(repr(1e3 * a) for a in p)}" '
            f'rate="0,0,0,{",".join(f"{a!r} m/s" for a in v)}"/>'
            for i, (p, v) in enumerate(zip(places, speeds, strict=True))
        )
        + "</start></system>"
    )
    walls = "".join(
        f'<geom type="plane" size="2 2 .1" pos="{x * half} {y * half} 0" zaxis="{-x} {-y} 0" friction="0.3"/>'
        for x, y in [(1, 0), (-1, 0), (0, 1), (0, -1)]
    )
    mjcf = _mjcf(
        f'<geom type="plane" size="2 2 .1" friction="0.3"/>{walls}'
        + "".join(
            f'<body><freejoint/><geom type="sphere" size="{RADIUS}" mass="{MASS}" friction="0.3"/></body>'
            for _ in numbers
        )
    )
    start = np.array([(*p, 1.0, 0.0, 0.0, 0.0) for p in places])
    rates = np.array([(*v, 0.0, 0.0, 0.0) for v in speeds])
    return Heap(name=f"{count} spheres", system=sistel.parse(text), mjcf=mjcf, start=start, rates=rates)


def dominoes(count: int) -> Heap:
    """A row of dominoes, the first of which is tipped; in MuJoCo they are 20 mm thick."""
    system = sistel.parse(
        f'<system name="dominoes"><world><polyline name="floor" points="-1000,0; {28 * count + 2000},0"/></world>'
        f'<repeat count="{count}"><body name="d{{i}}" joint="free" mass="0.01" inertia="0.01*(0.008^2 + 0.048^2)/12">'
        '<box name="s{i}" size="8,48"/></body></repeat>'
        f'<links><repeat count="{count}"><contact name="g{{i}}" of="s{{i}}" to="floor" friction="0.6"/></repeat>'
        f'<repeat count="{count - 1}"><contact name="c{{i}}" of="s{{i}}" to="s{{i + 1}}" friction="0.2"/></repeat>'
        '</links><start d1.rate="96, -16, 4 rad/s">'
        f'<repeat count="{count}"><coordinate of="d{{i}}" value="28*i, -24, 0"/></repeat></start></system>'
    )
    mjcf = _mjcf(
        f'<geom type="plane" size="{0.028 * count + 2} 1 .1" friction="0.6" priority="1"/>'
        + "<body><freejoint/>"
        + "</body><body><freejoint/>".join(
            ['<geom type="box" size="0.004 0.01 0.024" mass="0.01" friction="0.2"/>'] * count
        )
        + "</body>"
    )
    start = np.array([(0.028 * (i + 1), 0.0, 0.024, 1.0, 0.0, 0.0, 0.0) for i in range(count)])
    rates = np.zeros((count, 6))
    rates[0] = 0.096, 0.0, -0.016, 0.0, 4.0, 0.0
    return Heap(name=f"{count} dominoes", system=system, mjcf=mjcf, start=start, rates=rates)


def circles(count: int) -> sistel.System:
    """Circles of 40 mm above a box of the plane, in rows that are a little disturbed."""
    columns, laws = math.isqrt(count), 'friction="0.3" restitution="0.3"'
    wide, numbers = 50 * columns + 100, range(1, count + 1)
    bodies = f'<repeat count="{count}"><body name="b{{i}}" joint="free" mass="0.1" inertia="2e-5">'
    pairs = "".join(f'<contact name="c{i}_{j}" of="s{i}" to="s{j}" {laws}/>' for i in numbers for j in range(1, i))
    places = "".join(
        f'<coordinate of="b{k + 1}" value="{60 + 50 * (k % columns) + 4 * math.sin(7 * k):.3f}, '
        f'{-60 - 60 * (k // columns) + 4 * math.cos(5 * k):.3f}, 0"/>'
        for k in range(count)
    )
    return sistel.parse(
        f'<system name="circles"><world><polyline name="box" points="0,-3000; 0,0; {wide},0; {wide},-3000"/></world>'
        f'{bodies}<circle name="s{{i}}" radius="20"/></body></repeat><links><repeat count="{count}">'
        f'<contact name="g{{i}}" of="s{{i}}" to="box" {laws}/></repeat>{pairs}</links><start>{places}</start></system>'
    )


def rest(count: int, seconds: float) -> None:
    """Let circles fall into a box, and tell what that took and left."""
    system = circles(count)
    system.simulate(1e-3)
    begin = time.process_time()
    run = system.simulate(seconds)
    taken, times = time.process_time() - begin, np.linspace(run.begin, run.end, 1500)
    speed, rise = float(np.abs(run(run.end)[1]).max()), float(np.diff(np.sum(run.energies(times), axis=0)).max())
    print(
        f"{count} circles, {seconds:g} s: {len(run.events)} events, {taken:.2f} s, the fastest at the end {speed:.2g}, "
        f"energy grows by {rise:.1e} J at most between 1500 times"
    )
    for note in run.noted:
        print(f"  {note.line('en')}")


def _mjcf(inside: str) -> str:
    return (
        '<mujoco><option gravity="0 0 -9.81" cone="elliptic"/><size memory="200M"/>'
        f"<worldbody>{inside}</worldbody></mujoco>"
    )


def soft(heap: Heap, seconds: float, step: float) -> tuple[float, float]:
    """A run of MuJoCo: the time that it takes, and how deep anything lies in anything [s, m]."""
    import mujoco

    model = mujoco.MjModel.from_xml_string(heap.mjcf)
    model.opt.timestep = step
    model.geom_solref[:, 0] = 2 * step
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:] = heap.start.ravel(), heap.rates.ravel()
    deepest = 0.0
    begin = time.process_time()
    for _ in range(round(seconds / step)):
        mujoco.mj_step(model, data)
        if data.ncon:
            deepest = min(deepest, data.contact.dist[: data.ncon].min())
    return time.process_time() - begin, -float(deepest)


def fine_enough(heap: Heap, seconds: float, depth: float) -> tuple[float, float, float]:
    """The coarsest step of MuJoCo at which nothing is deeper: the time of its run, the step, the depth."""
    step = 1e-3
    while True:
        taken, deepest = soft(heap, seconds, step)
        if deepest <= depth or step <= FINEST:
            return taken, step, deepest
        step /= 2


def hard(heap: Heap, seconds: float) -> tuple[float, int]:
    """A run of sistel: the time that it takes, and its events."""
    begin = time.process_time()
    run = heap.system.simulate(seconds)
    return time.process_time() - begin, len(run.events)


def main() -> None:
    """Measure and print."""
    options = parser(__doc__, 3)
    options.add_argument("--seconds", type=float, default=0.6, help="length of a run [s]")
    options.add_argument("--depth", type=float, default=1e-5, help="how deep MuJoCo's bodies may lie in others [m]")
    options.add_argument("--circles", type=int, nargs="*", help="only so many circles in a box of the plane")
    given = options.parse_args()
    print(machine())
    if given.circles is not None:
        for count in given.circles:
            rest(count, given.seconds)
        return
    print(
        "| heap | events | an event [µs] | sistel [s] | MuJoCo [s] | its step [µs] | its depth [m] | MuJoCo / sistel |"
    )
    print("|---|---|---|---|---|---|---|---|")
    makers: list[Callable[[], Heap]] = [
        *(lambda n=n: spheres(n) for n in (25, 50, 100)),
        *(lambda n=n: dominoes(n) for n in (25, 50)),
    ]
    found: dict[str, object] = {}
    for maker in makers:
        heap = maker()
        hard(heap, 1e-3)
        soon, step, deepest = fine_enough(heap, given.seconds, given.depth)
        times = [hard(heap, given.seconds)]
        for _ in range(given.rounds - 1):
            soon = min(soon, soft(heap, given.seconds, step)[0])
            times.append(hard(heap, given.seconds))
        own, events = min(taken for taken, _ in times), times[0][1]
        row = (events, 1e6 * own / events, own, soon, 1e6 * step, deepest, soon / own)
        print(f"| {heap.name} | " + " | ".join(f"{value:.3g}" for value in row) + " |", flush=True)
        found[heap.name] = dict(
            zip(("events", "event", "sistel", "mujoco", "step", "depth", "ratio"), row, strict=True)
        )
    write({"machine": machine(), "heaps": found}, given.json or RESULTS / "shapes.json")


if __name__ == "__main__":
    main()
