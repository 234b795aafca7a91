"""Runs of an ensemble a second on a GPU: the compass walker, every strike of its feet found on the device.

    python benchmarks/bench_gpu_ensembles.py --prepare build/walkers
    python benchmarks/bench_gpu_ensembles.py --run build/walkers

The first command needs sistel and no GPU: it writes the program of the device, states to begin with, and what becomes
of the first runs on the processor, with the processor's time. The second needs NumPy, CuPy and a device: correctness
first, then times, the copies of results to the host included.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

MODEL = Path(__file__).resolve().parents[1] / "models" / "compass_walker.xml"
UNTIL, EVENTS, KEPT = 10.0, 20, 8
STATES, CHECKED = 100_000, 4_000
COUNTS = (100_000, 1_000_000)
BLOCK, BLOCKS, ROW = 64, 2, 7


def prepare(folder: Path) -> None:
    """Write what the device needs."""
    import sistel
    from sistel.ensembles import Blueprint, options_of, work_of
    from sistel.ensembles._dependence import start_formulas
    from sistel.ensembles._device_code import device_code
    from sistel.ensembles._starts import Starts
    from sistel.ensembles._workshop import workshop

    folder.mkdir(parents=True, exist_ok=True)
    system = sistel.load(MODEL)
    random = np.random.default_rng(1)
    given = {"stance": random.uniform(1.0, 1.2, STATES), "swing": random.uniform(0.3, 0.45, STATES)}
    few = {name: values[:CHECKED] for name, values in given.items()}
    used = float("inf")
    for _ in range(3):
        began = time.process_time()
        found = system.ensemble(UNTIL, parameters=few, events=EVENTS, method="taylor", threads=1)
        used = min(used, time.process_time() - began)
    blueprint = Blueprint(system._recipe, system.fingerprint)
    options = options_of(
        system._model,
        until=UNTIL,
        events=EVENTS,
        stop=(),
        structure=None,
        tolerance=2.0**-52,
        method="taylor",
        longest=float("inf"),
        steps=1_000_000,
        kept=KEPT,
    )
    piece = work_of(blueprint, system._model, options, {}, given, False, STATES).piece(0)
    shop = workshop(blueprint, (), options)
    formulas = start_formulas(blueprint, tuple(given))
    structure = shop.model.structure(options.structure)
    starts, _ = Starts(shop.engine, structure, formulas).states(piece.columns, np.arange(STATES))
    code = device_code(shop)
    (folder / "walkers.ptx").write_text(code.ptx)
    columns = {name: getattr(found, name) for name in ("outcome", "structure", "events", "steps", "times", "state")}
    np.savez(folder / "walkers.npz", image=code.image, asks=shop.asks(), starts=starts, used=used, **columns)
    print(f"{CHECKED} runs: {used:.3f} s of a processor, {2 * CHECKED / used:.0f} runs a second on two")


def run(folder: Path) -> int:
    """Check and measure on a device; 1 where it is wrong."""
    import cupy

    known = np.load(folder / "walkers.npz")
    module = cupy.cuda.Module()
    module.load((folder / "walkers.ptx").read_bytes())
    function = module.get_function("ensemble")
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    document: dict[str, Any] = {"device": name, "two processors": 2 * CHECKED / float(known["used"])}
    rows, moments = once(cupy, function, known, CHECKED)[1:]
    wrong = [
        word
        for word, place in (("outcome", 0), ("structure", 1), ("events", 2))
        if (rows[:, place] != known[word]).any()
    ]
    there = np.where(np.arange(KEPT) < rows[:, 2, np.newaxis], moments[:, :KEPT], np.nan)
    apart = np.abs(there - known["times"]) / known["times"]
    document["wrong"] = wrong
    document["event times apart, most and median"] = [float(np.nanmax(apart)), float(np.nanmedian(apart))]
    for count in COUNTS:
        least = min((once(cupy, function, known, count) for _ in range(2)), key=lambda found: found[0])
        document[f"{count} runs"] = {
            "seconds": least[0],
            "runs a second": count / least[0],
            "steps a second": float(least[1][:, 3].sum()) / least[0],
            "times two processors": count / least[0] / document["two processors"],
        }
    print(json.dumps(document, indent=2))
    return 1 if wrong or document["event times apart, most and median"][0] > 1e-8 else 0


def once(cupy: Any, function: Any, known: Any, count: int) -> tuple[float, Any, Any]:
    """Seconds for so many runs, their rows of whole numbers and the times of their events."""
    starts = np.ascontiguousarray(np.resize(known["starts"], (count, known["starts"].shape[1])))
    began = time.perf_counter()
    size = starts.shape[1]
    arrays = [
        cupy.asarray(known["image"]),
        cupy.asarray(starts),
        cupy.zeros(1),
        cupy.asarray(known["asks"]),
        cupy.zeros(count, dtype=np.int64),
        cupy.zeros((count, ROW), dtype=np.int64),
        cupy.full((count, size), np.nan),
        cupy.full((count, KEPT), -1, dtype=np.int64),
        cupy.full((count, KEPT + 1), np.nan),
        cupy.zeros(count),
        cupy.zeros(1, dtype=np.int64),
    ]
    blocks = min(-(-count // BLOCK), BLOCKS * int(cupy.cuda.Device().attributes["MultiProcessorCount"]))
    function((blocks,), (BLOCK,), (*arrays, np.int64(count)))
    results = [cupy.asnumpy(array) for array in arrays[5:10]]
    return time.perf_counter() - began, results[0], results[3]


def main() -> int:
    """Prepare, or run."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--prepare", type=Path, metavar="FOLDER")
    parser.add_argument("--run", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    if given.prepare:
        prepare(given.prepare)
    return run(given.run) if given.run else 0


if __name__ == "__main__":
    raise SystemExit(main())
