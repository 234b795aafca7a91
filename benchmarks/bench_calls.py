"""One state a call from Python: sistel, Pinocchio, MuJoCo, Drake and the Robotics Toolbox on the same robot.

An engine that is not installed here may live in an environment of its own: --python drake=/path/to/bin/python.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from _bench import RESULTS, human, machine, parser, write
from _calls import FIXED_ONLY, TITLES, Worker
from _kernels import QUANTITIES
from _native import Missing
from _robots import RACE, pair

ROBOTS = ("panda", "g1")
STATES = 32
TOLERANCE = 1e-13


def run(robots: tuple[str, ...], rounds: int, pythons: Mapping[str, str]) -> dict[str, Any]:
    """The outcome, as data: least seconds of a call, by robot, engine and case."""
    results: dict[str, Any] = {}
    versions: dict[str, str] = {}
    missing: dict[str, str] = {}
    for key in robots:
        robot = pair(RACE[key])
        states = robot.states(STATES)
        engines = [name for name in TITLES if robot.robot.base == "fixed" or name not in FIXED_ONLY]
        with tempfile.TemporaryDirectory() as folder:
            workers: dict[str, Worker] = {}
            for engine in engines:
                home = Path(folder, engine)
                home.mkdir()
                try:
                    workers[engine] = Worker(engine, robot, states, home, pythons.get(engine))
                except Missing as reason:
                    if engine not in missing:
                        print(f"without {TITLES[engine]}: {reason}")
                    missing[engine] = str(reason)
            try:
                errors = check(workers)
                seconds = measure(workers, rounds)
            finally:
                for worker in workers.values():
                    worker.close()
            versions |= {engine: worker.version for engine, worker in workers.items()}
        results[key] = {"seconds": seconds, "errors": errors}
        print_calls(key, seconds)
    return {"machine": machine(), "versions": versions, "missing": missing, "robots": results}


def check(workers: Mapping[str, Worker]) -> dict[str, dict[str, float]]:
    """Normwise errors against sistel; too large a one stops the race."""
    found = {engine: worker.results() for engine, worker in workers.items()}
    ours = found.pop("sistel")
    nv = workers["sistel"].pair.system.nv
    conditions = np.linalg.cond(ours["CRBA"][0].reshape(-1, nv, nv))
    errors: dict[str, dict[str, float]] = {}
    for engine, cases in {**found, "sistel": ours}.items():
        for case, blocks in cases.items():
            quantity = case.split(",")[0]
            # Both sides solve M a = b: rounding of b and M alone is worth cond(M) times as much in a.
            bound = np.maximum(TOLERANCE, 1e-15 * conditions) if quantity == "FD" else TOLERANCE
            for block, expected in zip(blocks, ours[quantity], strict=True):
                error = np.linalg.norm(block - expected, axis=1) / np.linalg.norm(expected, axis=1)
                assert (error <= bound).all(), f"{TITLES[engine]}, {case}: {error.max():.1e}"
                worst = errors.setdefault(engine, {})
                worst[case] = max(worst.get(case, 0.0), float(error.max()))
    return errors


def measure(workers: Mapping[str, Worker], rounds: int, least: float = 1e-3) -> dict[str, dict[str, float]]:
    """The least time of a call [s]: in each round every case of every engine has one turn, in an order drawn anew."""
    cases = [(engine, case) for engine, worker in workers.items() for case in worker.cases]
    calls = {}
    for engine, case in cases:
        once = min(workers[engine].seconds(case, 3) for _ in range(3))
        calls[engine, case] = max(1, int(least / once))
    best = dict.fromkeys(cases, float("inf"))
    shuffle = random.Random(1).shuffle
    for _ in range(rounds):
        shuffle(cases)
        for engine, case in cases:
            best[engine, case] = min(best[engine, case], workers[engine].seconds(case, calls[engine, case]))
    return {engine: {case: best[engine, case] for case in worker.cases} for engine, worker in workers.items()}


def print_calls(key: str, seconds: Mapping[str, Mapping[str, float]]) -> None:
    print(f"\n{RACE[key].title}, a call from Python")
    for quantity in QUANTITIES:
        ours = seconds["sistel"][quantity]
        texts = [f"sistel {human(ours)}"]
        if (into := seconds["sistel"].get(f"{quantity}, out=")) is not None:
            texts[0] += f" (with out= {human(into)})"
        if (whole := seconds["sistel"].get(f"{quantity}, at once")) is not None:
            texts[0] += f" (at once {human(whole)})"
        texts += [
            f"{TITLES[engine]} {human(cases[quantity])} ({cases[quantity] / ours:.1f}×)"
            for engine, cases in seconds.items()
            if engine != "sistel" and quantity in cases
        ]
        print(f"  {quantity:5} {', '.join(texts)}", flush=True)


def main() -> int:
    arguments = parser(__doc__, rounds=100)
    arguments.add_argument("--robot", action="append", choices=ROBOTS, help="one robot; may be repeated (all)")
    arguments.add_argument("--python", action="append", default=[], metavar="ENGINE=PATH", help="whose interpreter")
    options = arguments.parse_args()
    pythons = dict(entry.split("=", 1) for entry in options.python)
    if unknown := set(pythons) - set(TITLES):
        arguments.error(f"--python: there is no engine {', '.join(sorted(unknown))}; there are {', '.join(TITLES)}")
    try:
        data = run(tuple(options.robot or ROBOTS), options.rounds, pythons)
    except Missing as missing:
        print(f"no race: {missing}")
        return 0
    write({"benchmark": "calls", **data}, options.json or RESULTS / "calls.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
