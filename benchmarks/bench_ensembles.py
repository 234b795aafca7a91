"""Runs of an ensemble a second, and against one call of `simulate` for each: the simplest walker that may fall.

    python benchmarks/bench_ensembles.py
    python benchmarks/bench_ensembles.py --cluster 1000000     the cluster alone, with so many runs

The cluster is two workers of this machine, `sistel cluster --workers 2`, one of which is killed when half of the runs
are done; before the clock starts, both and the threads have done a few runs. Without the package distributed it is left
out.

Correctness first: chosen runs are simulated once more and compared to the bit. Times are the least of some rounds;
those of calls are of the processor, those of threads by the clock, so an idle machine is needed for the latter.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import sistel

MODEL = Path(__file__).resolve().parents[1] / "models" / "simplest_walker_basin.xml"
RUNS, SAMPLE, ROUNDS = 20_000, 40, 3
CLUSTER_RUNS, WARMING = 200_000, 2_000
FALLS = ("fell forward", "fell backward")


def main() -> None:
    """Measure, and print one JSON document."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cluster", type=int, metavar="RUNS", help="measure the cluster alone, with so many runs")
    alone = parser.parse_args().cluster
    found: dict[str, float] = {}
    if alone is None:
        found |= measure_threads()
    if alone is not None or importlib.util.find_spec("distributed") is not None:
        found |= measure_cluster(CLUSTER_RUNS, ROUNDS) if alone is None else measure_cluster(alone, 1)
    print(json.dumps(found, indent=2))


def starts(runs: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(1)
    return {"theta": random.uniform(0.05, 0.4, runs), "excess": random.uniform(-0.01, 0.03, runs)}


@contextmanager
def two_workers() -> Iterator[tuple[str, Callable[[], None]]]:
    """The address of a cluster, and what kills one of its workers."""
    import psutil

    words = [sys.executable, "-m", "sistel", "cluster", "--workers", "2", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as cluster:
        assert cluster.stdout is not None
        address = cluster.stdout.readline().strip()
        try:
            yield address, lambda: psutil.Process(cluster.pid).children()[0].kill()
        finally:
            cluster.terminate()


def measure_cluster(runs: int, rounds: int) -> dict[str, float]:
    """Two workers, one of which is killed halfway, against two threads; the least of some rounds, by the clock."""
    from sistel.ensembles._part import COLUMNS

    system = sistel.load(MODEL)
    least = dict.fromkeys(("two threads", "two workers", "two workers, one killed halfway"), float("inf"))

    def ensemble(count: int, word: str = "", **options: object) -> sistel.ensembles.Ensemble:  # type: ignore[name-defined]
        begin = time.perf_counter()
        found = system.ensemble(400.0, parameters=starts(count), events=50, stop=FALLS, **options)  # type: ignore[arg-type]
        if word:
            least[word] = min(least[word], time.perf_counter() - begin)
        return found

    with two_workers() as (address, kill):
        ensemble(WARMING, threads=2)
        ensemble(WARMING, cluster=address, chunk=WARMING // 8)
        for _ in range(rounds):
            alive = [True]

            def progress(done: int, of: int, alive: list[bool] = alive) -> None:
                if alive and done >= of // 2:
                    alive.clear()
                    kill()

            threads = ensemble(runs, "two threads", threads=2)
            for found in (
                ensemble(runs, "two workers", cluster=address),
                ensemble(runs, "two workers, one killed halfway", cluster=address, progress=progress),
            ):
                assert all(getattr(found, name).tobytes() == getattr(threads, name).tobytes() for name in COLUMNS)
            assert not alive
    times = least["two workers, one killed halfway"] / least["two threads"]
    seconds = {f"{word}, s": found for word, found in least.items()}
    return {"runs of the cluster": runs, **seconds, "one killed halfway, times two threads": times}


def measure_threads() -> dict[str, float]:
    """Threads, and calls of `simulate`."""
    system = sistel.load(MODEL)
    given = starts(RUNS)

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
    return {
        "runs": RUNS,
        "steps a run": found.summary.steps / RUNS,
        "runs a second, one thread": RUNS / least["one thread"],
        "runs a second, two threads": RUNS / least["two threads"],
        "runs a second of processor time": RUNS / least["processor"],
        "simulate, times the processor time of a run": each * RUNS / least["processor"],
    }


if __name__ == "__main__":
    main()
