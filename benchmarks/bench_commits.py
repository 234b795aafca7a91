"""The kernels and runs of this checkout against those of another commit, on this machine and in the same rounds.

Tables of races are of one day and one machine; whether sistel itself became slower since, only both at once can tell.

    git worktree add /tmp/before COMMIT
    python benchmarks/bench_commits.py /tmp/before

Machine code of the other checkout is made by a process of its own and raced here; runs are timed in processes that take
turns. Every kernel has the results of the other, to rounding.
"""

from __future__ import annotations

import json
import math
import os
import pickle
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from _bench import RESULTS, ROOT, human, machine, parser, write

WAYS = ("single", "rows", "blocked")
RUNS = {
    "cart-pole, 1 ms": ("cart_pole", 1e-3, 1e-9, 300),
    "cart-pole, 10 s": ("cart_pole", 10.0, 1e-9, 100),
    "cart-pole, 100 s": ("cart_pole", 100.0, 1e-9, 30),
    "compass walker, 10 s": ("compass_walker", 10.0, 1e-6, 60),
    "chain of five rods, 10 s": ("chain5", 10.0, 1e-9, 10),
}
"""File of the gallery, until when [s], tolerance, and how often it is run in one turn."""


def emit_kernels(out: str) -> None:
    """Write the machine code of all kernels of the races to a file; with the packages of either checkout."""
    from _kernels import QUANTITIES, derive_quantity
    from _robots import RACE, pair

    from sistel.kernels import _machine
    from sistel.kernels._emit import emit

    levels = {"single": _machine.OPTIMISATION, "rows": getattr(_machine, "BATCHES", _machine.OPTIMISATION)}
    here, found = _machine.host(), {}
    for key, robot in RACE.items():
        own = pair(robot)
        for quantity, name in QUANTITIES.items():
            program = derive_quantity(own, name)
            texts = {
                "single": emit(program, 1, "kernel", lanes=here.lanes),
                "rows": emit(program, here.width, "kernel", lanes=here.lanes),
                "blocked": emit(program, here.width, "kernel", blocked=True),
            }
            code = {
                way: assemble(_machine, text, levels["single" if way == "single" else "rows"])
                for way, text in texts.items()
            }
            found[key, quantity] = {"inputs": program.inputs, "outputs": program.outputs, "width": here.width, **code}
    Path(out).write_bytes(pickle.dumps(found))


def assemble(compiler: Any, text: str, effort: int) -> bytes:
    """Machine code; checkouts from before efforts could be chosen have one."""
    known = compiler.assemble.__code__.co_varnames[: compiler.assemble.__code__.co_argcount]
    return bytes(compiler.assemble(text, effort) if "effort" in known else compiler.assemble(text))


def time_runs() -> None:
    """Print the least times of runs [s], with the packages of either checkout."""
    import time

    import sistel

    found = {}
    for name, (file, until, tolerance, times) in RUNS.items():
        system = sistel.load(ROOT / "models" / f"{file}.xml")
        least = math.inf
        for number in range(times + 5):
            start = time.process_time_ns()
            system.simulate(until, tolerance=tolerance)
            least = least if number < 5 else min(least, 1e-9 * (time.process_time_ns() - start))
        found[name] = least
    print(json.dumps(found))


def child(checkout: Path, *order: str) -> str:
    """What this program prints as a part of another checkout."""
    paths = os.pathsep.join(str(checkout / folder) for folder in ("src", "benchmarks"))
    command = [sys.executable, "-P", str(Path(__file__).resolve()), str(checkout), *order]
    return subprocess.run(
        command, env={**os.environ, "PYTHONPATH": paths}, check=True, capture_output=True, text=True
    ).stdout


def kernels_of(checkout: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """The machine code of all kernels of a checkout."""
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder, "kernels"))
        child(checkout, "--emit", out)
        return dict(pickle.loads(Path(out).read_bytes()))


def race_kernels(
    before: Mapping[tuple[str, str], Any], now: Mapping[tuple[str, str], Any], rounds: int
) -> dict[str, Any]:
    """The least times of both [s a state] by robot, quantity and way."""
    from _kernels import _aligned, _arguments
    from _native import kernel_loop
    from _race import CACHE, measure_turns
    from _robots import RACE, pair

    from sistel.kernels import _machine

    loop, kept = kernel_loop().loop_rows, []
    turns: dict[tuple[str, str, str, str], Callable[[int], float]] = {}
    pairs = {key: pair(robot) for key, robot in RACE.items()}
    for (key, quantity), own in now.items():
        other, width = before[key, quantity], own["width"]
        assert (other["inputs"], other["outputs"]) == (own["inputs"], own["outputs"]), (key, quantity)
        numbers = sum(size for _, size in (*own["inputs"], *own["outputs"]))
        count = min(256, max(16, 2 ** int(math.log2(CACHE / (8 * numbers)))))
        inputs = pairs[key].states(count).blocks(name for name, _ in own["inputs"])
        # Both write to the same places: where arrays lie decides a tenth, or more, of the time of some.
        rows = [*inputs, *(np.zeros((count, size)) for _, size in own["outputs"])]
        blocks = [_aligned(each.reshape(-1, width, each.shape[1]).transpose(0, 2, 1)) for each in rows]
        laid = {"single": _arguments(rows), "rows": _arguments(rows), "blocked": _arguments(blocks)}
        results = []
        for side, made in (("before", other), ("now", own)):
            for way in WAYS:
                code = _machine.Code(made[way])
                kept.append((code, laid, rows, blocks))
                turns[key, quantity, way, side] = turn_of(loop, code.address("kernel"), laid[way], count, width, way)
            turns[key, quantity, "single", side](1)
            results.append(np.concatenate([each.ravel() for each in rows[len(inputs) :]]))
        difference = np.abs(results[0] - results[1]).max() / np.abs(results[1]).max()
        assert difference < 1e-9, f"{key} {quantity}: results differ by {difference:.1e}"
    return {" ".join(name): seconds for name, seconds in measure_turns(turns, rounds).items()}


def turn_of(loop: Any, address: int, laid: Any, count: int, width: int, way: str) -> Callable[[int], float]:
    """Seconds a state of one way of calling, for a number of passes."""
    if way == "blocked":
        return lambda passes: float(loop(address, laid, count // width, count // width, passes)) / width
    return lambda passes: float(loop(address, laid, count, 1 if way == "single" else count, passes))


def race_runs(checkout: Path, turns: int) -> dict[str, tuple[float, float]]:
    """The least times of runs, before and now [s]."""
    sides: tuple[list[dict[str, float]], ...] = ([], [])
    for _ in range(turns):
        for side, folder in zip(sides, (checkout, ROOT), strict=True):
            side.append(json.loads(child(folder, "--time")))
    before, now = ({name: min(each[name] for each in side) for name in RUNS} for side in sides)
    return {name: (before[name], now[name]) for name in RUNS}


def main() -> int:
    arguments = parser(__doc__, rounds=100)
    arguments.add_argument("checkout", type=Path, help="folder of the other checkout")
    arguments.add_argument("--emit", help="only write the machine code of kernels to this file")
    arguments.add_argument("--time", action="store_true", help="only time runs")
    options = arguments.parse_args()
    if options.emit or options.time:
        emit_kernels(options.emit) if options.emit else time_runs()
        return 0
    checkout = options.checkout.resolve()
    found = race_kernels(kernels_of(checkout), kernels_of(ROOT), options.rounds)
    shares: dict[str, list[float]] = {way: [] for way in WAYS}
    for name in (name.rsplit(" ", 1)[0] for name in found if name.endswith(" now")):
        before, now = found[f"{name} before"], found[f"{name} now"]
        shares[name.rsplit(" ", 1)[1]].append(now / before)
        print(f"{name:28} {human(before):>9} → {human(now):>9}  {now / before:.3f}")
    for way, each in shares.items():
        print(f"{way}: {statistics.geometric_mean(each):.3f} of the time in the mean, {max(each):.3f} at most")
    runs = race_runs(checkout, 3)
    for name, (before, now) in runs.items():
        print(f"{name:28} {human(before):>9} → {human(now):>9}  {now / before:.3f}")
    data = {"benchmark": "commits", "machine": machine(), "kernels": found, "runs": runs}
    write(data, options.json or RESULTS / "commits.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
