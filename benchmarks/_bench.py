"""Fair timing of several callables: rounds in which each has its turn, in shuffled order.

So a slow minute of the machine hurts all of them alike. The minimum is the number to quote, the median shows how quiet
the machine was, ratios travel best. A benchmark asserts that its cases are correct, then calls `measure` and `report`.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"

Case = Callable[[], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """The times of one case, one a round."""

    name: str
    calls: int
    """Calls in a round; their time is divided by this number."""
    seconds: tuple[float, ...]
    """Time of one call, round by round [s]."""

    @property
    def minimum(self) -> float:
        return min(self.seconds)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


def measure(
    cases: Mapping[str, Case], *, rounds: int = 30, least: float = 1e-3, calls: int | None = None, seed: int = 1
) -> tuple[Timing, ...]:
    """Times the cases, in the order in which they are given.

    Args:
        cases: What to time, by name. The first one is what the others are compared with.
        rounds: In each round every case has one turn, in an order drawn anew.
        least: A turn repeats the call until it takes about this long [s], so that the clock's grain does not show.
        calls: Calls in a turn, where the same number is wanted for every case.
        seed: Of the orders.
    """
    order = list(cases)
    shuffle = random.Random(seed).shuffle
    repeats = {name: calls or _calls(case, least) for name, case in cases.items()}
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        shuffle(order)
        for name in order:
            seconds[name].append(_turn(cases[name], repeats[name]))
    return tuple(Timing(name=name, calls=repeats[name], seconds=tuple(seconds[name])) for name in cases)


def table(timings: Sequence[Timing]) -> str:
    """Minimum, median and ratio of minima to the first case, one line a case."""
    base = timings[0].minimum
    width = max(len(timing.name) for timing in timings)
    lines = [f"{'':{width}}  {'minimum':>10}  {'median':>10}  {'ratio':>8}"]
    for timing in timings:
        times = f"{human(timing.minimum):>10}  {human(timing.median):>10}"
        lines.append(f"{timing.name:{width}}  {times}  {timing.minimum / base:8.3f}")
    return "\n".join(lines)


def human(seconds: float) -> str:
    """A time with three digits and a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def machine() -> dict[str, object]:
    """Where the numbers come from."""
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "commit": _commit(),
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def report(
    name: str, timings: Sequence[Timing], path: Path | None = None, extra: Mapping[str, object] | None = None
) -> None:
    """Prints the table and writes the numbers as JSON.

    Args:
        name: Of the benchmark.
        timings: From `measure`.
        path: Of the JSON, by default benchmarks/results/NAME.json.
        extra: What else belongs to the result, operation counts for example.
    """
    print(table(timings))
    base = timings[0].minimum
    data = {
        "benchmark": name,
        "machine": machine(),
        "cases": [
            {
                "name": timing.name,
                "minimum": timing.minimum,
                "median": timing.median,
                "ratio": timing.minimum / base,
                "rounds": len(timing.seconds),
                "calls": timing.calls,
            }
            for timing in timings
        ],
        **(extra or {}),
    }
    write(data, path or RESULTS / f"{name}.json")


def options(description: str | None, rounds: int) -> argparse.Namespace:
    """The arguments that every benchmark takes: `rounds` and `json`."""
    return parser(description, rounds).parse_args()


def parser(description: str | None, rounds: int) -> argparse.ArgumentParser:
    """The same, for a benchmark that takes more."""
    found = argparse.ArgumentParser(description=description)
    found.add_argument("--rounds", type=int, default=rounds, help=f"rounds of measurement ({rounds})")
    found.add_argument("--json", type=Path, help="file for the numbers (benchmarks/results/NAME.json)")
    return found


def write(data: Mapping[str, object], path: Path) -> None:
    """Write numbers as JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _turn(case: Case, calls: int) -> float:
    repeat = range(calls)
    enabled = gc.isenabled()
    gc.disable()
    try:
        start = time.perf_counter()
        for _ in repeat:
            case()
        return (time.perf_counter() - start) / calls
    finally:
        if enabled:
            gc.enable()


def _calls(case: Case, least: float) -> int:
    case()  # the first call may compile or load
    calls = 1
    while (one := _turn(case, calls)) * calls < least / 2:
        calls = max(2 * calls, min(10 * calls, int(least / max(one, 1e-9))))
    return calls


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    if sys.platform == "darwin":
        brand = _output("sysctl", "-n", "machdep.cpu.brand_string")
        if brand:
            return brand
    return platform.processor() or platform.machine()


def _commit() -> str | None:
    """The commit measured, with a plus when files were changed since; None outside a checkout."""
    commit = _output("git", "rev-parse", "HEAD")
    if commit is None:
        return None
    return commit + ("+" if _output("git", "status", "--porcelain", "--untracked-files=no") else "")


def _output(*command: str) -> str | None:
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
