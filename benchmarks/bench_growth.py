"""First runs of systems that grow: processor's time, memory, and how both grow where the size is doubled.

Every run is the first: a fresh process, nothing in the cache. What is timed is `simulate` over one short span, with
everything that it derives and compiles; imports and reading the file are not. The exponent is the one of the last
doubling: 1 where a system of twice the size takes twice as long. Of coupled and of stiff systems steps of longer, warm
runs are timed too: the least of five runs, divided by its steps.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from _bench import RESULTS, ROOT, human, machine, parser, write

SPAN = 1e-3
"""Of every run [s]."""
PATIENCE = 600
"""For one run [s]."""


@dataclass(frozen=True, kw_only=True)
class Family:
    """Systems of one kind."""

    text: Callable[[int], str]
    """The file of a system of a size."""
    sizes: tuple[int, ...]
    goals: dict[int, float]
    """At most so many seconds of processor's time, by size."""
    span: float = 0.0
    """Of the warm runs whose steps are timed [s]; 0 for none."""
    method: str = "auto"


def planar_chain(count: int) -> str:
    """A pendulum of equal rods."""
    rows = (
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" place="0, {100 if i else 0}" mass="0.1" '
        'com="0, 50" inertia="0.0001"/>'
        for i in range(count)
    )
    return f'<system name="chain">{"".join(rows)}<start b0="90 deg"/></system>'


def spatial_chain(count: int) -> str:
    """Rods on hinges whose axes change by turns."""
    axes = ("1,0,0", "0,1,0", "1,2,3")
    rows = (
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" axis="{axes[i % 3]}" '
        f'place="{100 if i else 0},0,10" turn="10,20,{i % 7}" mass="1" com="50,10,20" inertia="0.01,0.02,0.025"/>'
        for i in range(count)
    )
    return f'<system name="chain" space="spatial">{"".join(rows)}</system>'


def legs(count: int) -> str:
    """A free body on legs of three hinges, each with a foot that may stick or slide."""
    rows = ['<body name="trunk" joint="free" mass="6" com="0,0,10" inertia="0.04,0.09,0.12"/>']
    contacts = []
    for i in range(count):
        turn = 360 * i / count
        x, y = 300 * math.cos(math.radians(turn)), 200 * math.sin(math.radians(turn))
        rows.append(
            f'<body name="c{i}" base="trunk" joint="revolute" axis="z" place="{x:.3f},{y:.3f},0" turn="0,0,{turn:.3f}" '
            'mass="0.04" com="25,0,0" inertia="0.00001"/>'
            f'<body name="f{i}" base="c{i}" joint="revolute" axis="y" place="50,0,0" mass="0.06" com="40,0,0" '
            'inertia="0.00001,0.00004,0.00004"/>'
            f'<body name="t{i}" base="f{i}" joint="revolute" axis="y" place="80,0,0" mass="0.05" com="65,0,0" '
            f'inertia="0.00001,0.00008,0.00008"><point name="p{i}" place="130,0,0"/></body>'
            f'<motion of="c{i}, f{i}, t{i}" value="0, -30 deg, 120 deg" kp="8" kd="0.04"/>'
        )
        contacts.append(f'<contact name="k{i}" point="p{i}" surface="z = 0" friction="0.7" impact="plastic"/>')
    starts = " ".join(f'f{i}="-30 deg" t{i}="120 deg"' for i in range(count))
    start = f'<start {starts}><coordinate of="trunk" place="0, 0, 92"/></start>'
    return f'<system name="legs" space="spatial">{"".join(rows)}<links>{"".join(contacts)}</links>{start}</system>'


def pendulums(count: int) -> str:
    """Pendulums that do not touch each other."""
    rows = (
        f'<body name="b{i}" joint="revolute" place="{10 * i}, 0" mass="1" com="0, 500" inertia="0.01"/>'
        for i in range(count)
    )
    starts = " ".join(f'b{i}="{1 + i % 80} deg"' for i in range(min(count, 200)))
    return f'<system name="pendulums">{"".join(rows)}<start {starts}/></system>'


def loops(count: int) -> str:
    """Four-bar linkages in a row that hang and swing: the rocker of each is the crank of the next."""
    rows = [
        f'<body name="r{i}" joint="revolute" place="{300 * i}, 0" mass="0.5" com="0, 100" inertia="0.002"/>'
        for i in range(count + 1)
    ]
    rows += [
        f'<body name="c{i}" base="r{i}" joint="revolute" place="0, 200" mass="0.7" com="150, 0" inertia="0.005"/>'
        for i in range(count)
    ]
    closures = "".join(
        f'<closure name="k{i}" joint="revolute" body="c{i}" at="300, 0" to="r{i + 1}" at-to="0, 200"/>'
        for i in range(count)
    )
    turned = [(f"r{i}", 30.0) for i in range(count + 1)] + [(f"c{i}", -30.0) for i in range(count)]
    return f'<system name="loops">{"".join(rows)}<links>{closures}</links>{start(turned)}</system>'


def start(turned: list[tuple[str, float]]) -> str:
    """Where hinges start [deg], each in an element of its own: one takes no more than 256 attributes."""
    rows = "".join(f'<coordinate of="{name}" value="{angle} deg"/>' for name, angle in turned)
    return f"<start>{rows}</start>"


def tower(count: int) -> str:
    """Parallelograms that hang from one another: the platform of each carries the two cranks of the next."""
    rows, closures, turned = [], [], []
    for i in range(count):
        base, angle = f"p{i - 1}" if i else "0", 20.0 if i % 2 else -15.0
        crank = f'base="{base}" joint="revolute" mass="0.2" com="0, 50" inertia="0.0002"'
        rows.append(
            f'<body name="a{i}" {crank}/><body name="b{i}" place="150, 0" {crank}/>'
            f'<body name="p{i}" base="a{i}" joint="revolute" place="0, 100" mass="0.3" com="75, 0" inertia="0.0006"/>'
        )
        closures.append(f'<closure name="k{i}" joint="revolute" body="p{i}" at="150, 0" to="b{i}" at-to="0, 100"/>')
        turned += [(f"a{i}", angle), (f"b{i}", angle), (f"p{i}", -angle)]
    return f'<system name="tower">{"".join(rows)}<links>{"".join(closures)}</links>{start(turned)}</system>'


def ladder(count: int) -> str:
    """A rope ladder: two ropes of rods, and a rung between every two of their knots.

    The rods of the second rope hang on the rungs, so that every loop is carried by a rod of the first rope beside it.
    """
    rows, closures, turned = [], [], []
    rod = 'joint="revolute" mass="0.1" inertia="0.0001"'
    for i in range(count):
        base, place, to, at = (f"l{i - 1}", "0, 100", f"r{i - 1}", "0, 0") if i else ("0", "0, 0", "0", "200, 0")
        rows.append(
            f'<body name="l{i}" base="{base}" place="{place}" com="0, 50" {rod}/>'
            f'<body name="s{i}" base="l{i}" joint="revolute" place="0, 100" mass="0.2" com="100, 0" inertia="0.0007"/>'
            f'<body name="r{i}" base="s{i}" place="200, 0" com="0, -50" {rod}/>'
        )
        closures.append(f'<closure name="k{i}" joint="revolute" body="r{i}" at="0, -100" to="{to}" at-to="{at}"/>')
        leans = 15.0 if i % 2 else 10.0
        turned += [(f"l{i}", (5.0 if i % 2 else -5.0) if i else leans), (f"s{i}", -leans), (f"r{i}", leans)]
    return f'<system name="ladder">{"".join(rows)}<links>{"".join(closures)}</links>{start(turned)}</system>'


def track(count: int) -> str:
    """A closed chain of links that hangs from one of them: the last is joined to the first."""
    rows = [
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" place="{100 if i else 0}, 0" mass="0.1" '
        'com="50, 0" inertia="0.0001"/>'
        for i in range(count)
    ]
    closure = f'<closure name="k" joint="revolute" body="b{count - 1}" at="100, 0" to="b0" at-to="0, 0"/>'
    turned = [("b0", 10.0)] + [(f"b{i}", 360.0 / count) for i in range(1, count)]
    return f'<system name="track">{"".join(rows)}<links>{closure}</links>{start(turned)}</system>'


def rope(count: int) -> str:
    """A rope of rods whose hinges are stiff and damp: what dies away does so a thousand times as fast as it swings."""
    rows = (
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" place="0, {20 if i else 0}" mass="0.02" '
        'com="0, 10" inertia="0.000001" stiffness="0.5" damping="0.05"/>'
        for i in range(count)
    )
    return f'<system name="rope">{"".join(rows)}{start([("b0", 60.0)])}</system>'


def dampers(count: int) -> str:
    """Pendulums with stiff dampers that do not touch each other."""
    rows = (
        f'<body name="b{i}" joint="revolute" place="{10 * i}, 0" mass="0.001" com="0, 5" inertia="0.0000001" '
        f'stiffness="0.01" damping="{0.001 * (1 + i % 7)}"/>'
        for i in range(count)
    )
    return f'<system name="dampers">{"".join(rows)}{start([(f"b{i}", 1.0 + i % 80) for i in range(count)])}</system>'


FAMILIES = {
    "planar chain": Family(text=planar_chain, sizes=(50, 100, 200, 400), goals={200: 3.0, 1_000: 10.0}),
    "spatial chain": Family(text=spatial_chain, sizes=(20, 40, 80), goals={80: 4.0}),
    "legs with contacts": Family(text=legs, sizes=(3, 6, 12), goals={12: 4.0}),
    "separate pendulums": Family(text=pendulums, sizes=(250, 500, 1_000), goals={1_000: 10.0}),
    "coupled loops": Family(text=loops, sizes=(25, 50, 100, 200), goals={100: 10.0}, span=1.0),
    "tower of loops": Family(text=tower, sizes=(25, 50, 100, 200), goals={100: 10.0}, span=0.05),
    "rope ladder": Family(text=ladder, sizes=(25, 50, 100), goals={100: 10.0}, span=0.05),
    "closed track": Family(text=track, sizes=(30, 60, 120), goals={60: 3.0}, span=0.05),
    "stiff rope": Family(text=rope, sizes=(25, 50, 100), goals={100: 3.0}, span=0.2, method="radau"),
    "stiff pendulums": Family(text=dampers, sizes=(250, 500, 1_000), goals={}, span=0.2, method="radau"),
}
FIRST_RUN = """
import json, resource, sys, time
import numpy, llvmlite.binding, sistel, sistel.simulation
from sistel.kernels import compile_taylor  # the modules that every system needs
start = time.process_time()
system = sistel.load(sys.argv[1])
read = time.process_time() - start
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
start = time.process_time()
run = system.simulate(float(sys.argv[2]), method=sys.argv[4])
taken = time.process_time() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
assert numpy.isfinite(run.q).all() and len(run.t) > 1
found = {"read": read, "cpu": taken, "peak": 1024 * peak, "own": 1024 * (peak - before), "steps": len(run.t)}
if float(sys.argv[3]):
    times = []
    for _ in range(5):
        start = time.process_time()
        run = system.simulate(float(sys.argv[3]), method=sys.argv[4])
        times.append((time.process_time() - start) / (len(run.t) - 1))
    found["step"] = min(times)
print(json.dumps(found))
"""


def first_run(family: Family, size: int) -> dict[str, float]:
    """What the first run of a system takes, and a step of a warm one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "system.xml"
        path.write_text(family.text(size), encoding="utf-8")
        environment = os.environ | {"XDG_CACHE_HOME": folder, "PYTHONPATH": str(ROOT / "src")}
        done = subprocess.run(
            [sys.executable, "-c", FIRST_RUN, str(path), str(SPAN), str(family.span), family.method],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env=environment,
            check=False,
        )
    if done.returncode:
        raise SystemExit(done.stderr)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def _exponent(before: dict[str, float], found: dict[str, float], what: str) -> float:
    """By which a time has grown with the size."""
    if what not in before or what not in found:
        return math.nan
    return math.log(found[what] / before[what]) / math.log(found["size"] / before["size"])


def main() -> None:
    arguments = parser(__doc__, rounds=1)
    arguments.add_argument("--only", default="", help="families whose name contains this")
    arguments.add_argument("--sizes", default="", help="sizes instead of the usual ones, with commas")
    arguments.add_argument("--large", action="store_true", help="the largest sizes that have a goal too")
    given = arguments.parse_args()
    rows: list[dict[str, object]] = []
    print(
        f"{'':24}{'size':>6}{'cpu':>10}{'exponent':>10}{'goal':>8}{'reading':>10}{'memory':>10}{'step':>10}{'exponent':>10}"
    )
    for name, family in FAMILIES.items():
        if given.only not in name:
            continue
        sizes = {*family.sizes, *(family.goals if given.large else ())}
        chosen = [int(size) for size in given.sizes.split(",")] if given.sizes else sorted(sizes)
        before: dict[str, float] = {}
        for size in chosen:
            found = min((first_run(family, size) for _ in range(given.rounds)), key=lambda run: run["cpu"])
            found["size"] = size
            exponent, growth = (_exponent(before, found, what) for what in ("cpu", "step"))
            before = found
            goal = family.goals.get(size)
            print(
                f"{name:24}{size:6}{human(found['cpu']):>10}{exponent:10.2f}{goal or '':>8}{human(found['read']):>10}"
                f"{found['peak'] / 1e6:7.0f} MB{human(found['step']) if 'step' in found else '':>10}{growth:10.2f}",
                flush=True,
            )
            rows.append({"family": name, "exponent": exponent, "growth": growth, "goal": goal, **found})
    write({"benchmark": "growth", "machine": machine(), "rows": rows}, given.json or RESULTS / "growth.json")


if __name__ == "__main__":
    main()
