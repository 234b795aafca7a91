"""What comes before a motion: cold processes, compilation, and what `simulate` costs by itself."""

from __future__ import annotations

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from _bench import ROOT, human
from _motion_peers import Worker
from _motions import MOTIONS
from _native import Missing

SISTEL = Path(sys.executable).with_name("sistel")
FIRST = """
import json, sys, time
import numpy, llvmlite.binding
import sistel, sistel.simulation
until, tolerance, times = float(sys.argv[2]), float(sys.argv[3]), []
system = sistel.load(sys.argv[1])
for _ in range(2):
    start = time.process_time()
    system.simulate(until, tolerance=tolerance)
    times.append(time.process_time() - start)
print(json.dumps(times))
"""
COMPILED = ("cart_pole", "compass_walker")
SHORT = 1e-9
"""A motion of one step [s]."""


def starts(pythons: Mapping[str, str], rounds: int) -> dict[str, Any]:
    """Processor's times [s], the least of the rounds."""
    found: dict[str, Any] = {"process": processes(pythons.get("numba"), rounds), "compile": {}, "call": calls(rounds)}
    try:
        heyoka: Worker | None = Worker("heyoka", pythons.get("heyoka"))
    except Missing as missing:
        print(f"  left out: {missing}")
        heyoka = None
    for name in COMPILED:
        found["compile"][name] = row = compiling(name, heyoka, max(2, rounds // 2))
        print(
            f"  first simulate of {name}: " + ", ".join(f"{word} {human(took)}" for word, took in row.items()),
            flush=True,
        )
    if heyoka is not None:
        heyoka.close()
    return found


def processes(numba: str | None, rounds: int) -> dict[str, float]:
    """Whole processes, start to end: `sistel run` of the cart-pole with an empty and a filled cache, `import numba`."""
    file = str(ROOT / "models" / "cart_pole.xml")
    best: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        filled = Path(folder, "filled")
        run = [str(SISTEL), "run", file, "--until", "10"]
        _spent(run, filled)
        for number in range(rounds):
            cases = {
                "sistel run, empty cache": (run, Path(folder, str(number))),
                "sistel run, filled cache": (run, filled),
                "import numpy": ([sys.executable, "-c", "import numpy"], filled),
                "import numba": ([numba or sys.executable, "-c", "import numba"], filled),
            }
            for name, (command, cache) in cases.items():
                try:
                    best[name] = min(best.get(name, math.inf), _spent(command, cache))
                except subprocess.CalledProcessError:
                    if name != "import numba":
                        raise
                    if not number:
                        print("  left out: numba is missing (pip install numba)")
    base = best.get("import numba")
    for name, took in best.items():
        print(f"  {name}: {human(took)}" + (f", {took / base:.2f} of import numba" if base else ""), flush=True)
    return best


def compiling(name: str, heyoka: Worker | None, rounds: int) -> dict[str, float]:
    """The first simulation in a process, less what a later one takes; and heyoka's compilation of its equations.

    The integrator itself is compiled once for all systems: with the cache of another system only what is this one's is
    derived and compiled, which is what heyoka does. Imports are not counted on either side.
    """
    best: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds):
            empty, other = Path(folder, f"empty {number}"), Path(folder, f"other {number}")
            _first("pendulum", 1.0, other)
            cases = {
                "empty cache": _first(name, MOTIONS[name].until, empty),
                "another's cache": _first(name, MOTIONS[name].until, other),
                "filled cache": _first(name, MOTIONS[name].until, empty),
            }
            if heyoka is not None:
                cases["heyoka"] = heyoka.ask({"system": name, "accuracy": 1e-9, "compile": True})["seconds"]
            for word, took in cases.items():
                best[word] = min(best.get(word, math.inf), took)
    return best


def _first(name: str, until: float, cache: Path) -> float:
    command = [sys.executable, "-c", FIRST, str(ROOT / "models" / f"{name}.xml"), str(until), "1e-9"]
    first, second = json.loads(_output(command, cache))
    return float(first - second)


def calls(rounds: int) -> dict[str, float]:
    """A warm `simulate` of one step: everything but the integration."""
    best: dict[str, float] = {}
    for name in COMPILED:
        simulate = MOTIONS[name].system.simulate
        simulate(SHORT)
        best[name] = math.inf
        for _ in range(20 * rounds):
            start = time.process_time()
            simulate(SHORT)
            best[name] = min(best[name], time.process_time() - start)
        print(f"  a warm simulate of one step, {name}: {human(best[name])}", flush=True)
    return best


def _environment(cache: Path) -> dict[str, str]:
    # Compiled modules are kept, as for everybody who has installed a package.
    return {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONDONTWRITEBYTECODE": ""}


def _spent(command: Sequence[str], cache: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    _output(command, cache)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def _output(command: Sequence[str], cache: Path) -> bytes:
    done = subprocess.run(command, env=_environment(cache), stdin=subprocess.DEVNULL, capture_output=True, check=True)
    return done.stdout
