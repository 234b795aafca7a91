"""Runs of an ensemble a second, and against one call of `simulate` for each: the simplest walker that may fall.

    python benchmarks/bench_ensembles.py

Correctness first: chosen runs are simulated once more and compared to the bit. Times are the least of some rounds;
those of calls are of the processor, those of threads by the clock, so an idle machine is needed for the latter.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import numpy as np

import sistel

MODEL = Path(__file__).resolve().parents[1] / "models" / "simplest_walker_basin.xml"
RUNS, SAMPLE, ROUNDS = 20_000, 40, 3
FALLS = ("fell forward", "fell backward")


def main() -> None:
    """Measure, and print one JSON document."""
    system = sistel.load(MODEL)
    random = np.random.default_rng(1)
    given = {"theta": random.uniform(0.05, 0.4, RUNS), "excess": random.uniform(-0.01, 0.03, RUNS)}

    def ensemble(threads: int) -> sistel.ensembles.Ensemble:  # type: ignore[name-defined]  # imported with the system
        return system.ensemble(400.0, parameters=given, events=50, stop=FALLS, threads=threads, chunk=1000)

    found = ensemble(2)
    chosen = range(0, RUNS, RUNS // SAMPLE)
    runs = [found.run(i) for i in chosen]
    for i, run in zip(chosen, runs, strict=True):
        assert (run.last == found.state[i]).all() and len(run.events) == found.events[i]
    states = [(run.segments[0].coefficients[0, :, 0], float(run.end)) for run in runs]
    least = dict.fromkeys(("one thread", "two threads", "processor", "calls"), float("inf"))
    nq, nv = system.nq, system.nv
    for _ in range(ROUNDS):
        for word, threads in (("one thread", 1), ("two threads", 2)):
            begin, used = time.perf_counter(), time.process_time()
            ensemble(threads)
            least[word] = min(least[word], time.perf_counter() - begin)
            least["processor"] = min(least["processor"], time.process_time() - used)
        used = time.process_time()
        for y, end in states:
            system.simulate(end, q=y[:nq], v=y[nq : nq + nv])
        least["calls"] = min(least["calls"], time.process_time() - used)
    each = least["calls"] / len(states)
    print(
        json.dumps(
            {
                "runs": RUNS,
                "steps a run": found.summary.steps / RUNS,
                "runs a second, one thread": RUNS / least["one thread"],
                "runs a second, two threads": RUNS / least["two threads"],
                "runs a second of processor time": RUNS / least["processor"],
                "simulate, times the processor time of a run": each * RUNS / least["processor"],
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main()
