"""From a loaded robot to its first inverse dynamics: deriving and compiling, in fresh processes, beside `import numpy`.

Cold: nothing was ever compiled. Warm: the cache on disk has it. What is timed is the first call, with all that it
imports but NumPy itself; the second call shows what is left afterwards.

Then the same for motions: the first second of `simulate`, which derives and compiles the structures that are entered
and the passages between them; processor's time and wall clock, imports apart.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from _bench import RESULTS, ROOT, human, machine, parser, write
from _robots import RACE

MOTIONS = {
    "compass_walker": {"cold": 0.7, "warm": 0.08},
    "walker": {"cold": 2.5, "warm": 0.5},
    "quadruped": {"cold": 5.0, "warm": 0.5},
    "hexapod": {"cold": 5.0, "warm": 0.5},
}
"""At most so many seconds of processor's time for the first second of a motion."""
BARS = {"panda": {"cold": 10, "warm": 1}, "g1": {"cold": 100, "warm": 1}}
"""At most so many times `import numpy`."""
NUMPY = """
import time
start = time.perf_counter()
import numpy
print(time.perf_counter() - start)
"""
FIRST_CALL = """
import json, sys, time
path, base, lock = json.loads(sys.argv[1])
start = time.perf_counter()
import numpy as np
numpy = time.perf_counter() - start
import sistel
start = time.perf_counter()
system = sistel.load(path, base=base, lock=lock)
loaded = time.perf_counter()
rng = np.random.default_rng(1)
q, v, a = rng.normal(size=system.nq), rng.normal(size=system.nv), rng.normal(size=system.nv)
if base == "free":
    q[:4] /= np.linalg.norm(q[:4])
before = time.perf_counter()
tau = system.inverse_dynamics(q, v, a)
first = time.perf_counter()
again = system.inverse_dynamics(q, v, a)
second = time.perf_counter()
assert np.array_equal(tau, again) and np.isfinite(tau).all() and tau.any()
print(json.dumps({"load": loaded - start, "first": first - before, "second": second - first, "tau": tau.tolist()}))
"""


FIRST_SECOND = """
import json, sys, time
import numpy, llvmlite.binding, sistel, sistel.simulation
from sistel.kernels import compile_taylor  # the modules that every system needs
system = sistel.load(sys.argv[1])
wall, cpu = time.perf_counter(), time.process_time()
run = system.simulate(1.0)
wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
again = time.process_time()
other = system.simulate(1.0)
again = time.process_time() - again
assert other.q.tobytes() == run.q.tobytes() and len(run.t) > 1
end = [x.hex() for x in (*run.q[-1].tolist(), *run.v[-1].tolist())]
print(json.dumps({"wall": wall, "cpu": cpu, "again": again, "steps": len(run.t), "end": end}))
"""


def process(text: str, cache: Path, *arguments: str) -> Any:
    """What a fresh process prints, as data; compiled code is kept in `cache`."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    # Installed packages have their bytecode: a checkout needs to be allowed to keep it.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        [sys.executable, "-c", text, *arguments], env=environment, stdout=subprocess.PIPE, check=True, text=True
    )
    return json.loads(done.stdout)


def run(rounds: int) -> dict[str, Any]:
    """Least seconds of `import numpy` and, by robot, of loading and of the first call, cold and warm."""
    numpy: list[float] = []
    found: dict[tuple[str, str], list[Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        warm = Path(folder, "warm")
        jobs = {}
        for key in BARS:
            robot = RACE[key]
            jobs[key] = json.dumps([str(robot.path), robot.base, list(robot.lock)])
            process(FIRST_CALL, warm, jobs[key])  # fills the cache
        cases = [("numpy", ""), *((key, state) for key in BARS for state in ("cold", "warm"))]
        shuffle = random.Random(1).shuffle
        for number in range(rounds):
            shuffle(cases)
            for key, state in cases:
                if key == "numpy":
                    numpy += [float(process(NUMPY, warm)) for _ in range(3)]
                else:
                    cache = warm if state == "warm" else Path(folder, f"cold{number}{key}")
                    found.setdefault((key, state), []).append(process(FIRST_CALL, cache, jobs[key]))
    for key in BARS:
        torques = [result["tau"] for state in ("cold", "warm") for result in found[key, state]]
        assert all(tau == torques[0] for tau in torques), "code from the cache computes something else"
    robots = {
        key: {
            state: {part: min(result[part] for result in found[key, state]) for part in ("load", "first", "second")}
            for state in ("cold", "warm")
        }
        for key in BARS
    }
    return {"machine": machine(), "numpy": min(numpy), "robots": robots, "rounds": rounds}


def motions(rounds: int) -> dict[str, Any]:
    """Least seconds of the first second of motions, cold and warm, and of the same second once more."""
    found: dict[tuple[str, str], list[Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            for key in MOTIONS:
                cache = Path(folder, f"{number}{key}")
                for state in ("cold", "warm"):
                    result = process(FIRST_SECOND, cache, str(ROOT / "models" / f"{key}.xml"))
                    found.setdefault((key, state), []).append(result)
    for key in MOTIONS:
        ends = [result["end"] for state in ("cold", "warm") for result in found[key, state]]
        assert all(end == ends[0] for end in ends), "code from the cache computes another motion"
    return {
        key: {
            state: {part: min(result[part] for result in found[key, state]) for part in ("wall", "cpu", "again")}
            for state in ("cold", "warm")
        }
        for key in MOTIONS
    }


def print_motions(data: dict[str, Any]) -> None:
    for key, states in data.items():
        for state, seconds in states.items():
            bar = MOTIONS[key][state]
            print(
                f"  first second of {key}, {state}: {human(seconds['cpu'])} of the processor, aim {human(bar)}"
                f"{'' if seconds['cpu'] <= bar else '  ← behind'}; {human(seconds['wall'])} by the clock; "
                f"once more {human(seconds['again'])}"
            )


def print_compile(data: dict[str, Any]) -> None:
    print(f"import numpy: {human(data['numpy'])}")
    for key, states in data["robots"].items():
        for state, seconds in states.items():
            ratio, bar = seconds["first"] / data["numpy"], BARS[key][state]
            print(
                f"  {RACE[key].title}, {state}: first call {human(seconds['first'])}, {ratio:.2f} of import numpy, "
                f"aim {bar}{'' if ratio <= bar else '  ← behind'}; loading {human(seconds['load'])}"
            )


def main() -> int:
    arguments = parser(__doc__, rounds=5)
    options = arguments.parse_args()
    found = motions(min(options.rounds, 3))
    print_motions(found)
    if missing := [RACE[key].path for key in BARS if not RACE[key].path.exists()]:
        print(f"{missing[0].name} is missing (pip install example-robot-data)")
        return 0
    data = {**run(options.rounds), "motions": found}
    print_compile(data)
    write({"benchmark": "compile", **data}, options.json or RESULTS / "compile.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
