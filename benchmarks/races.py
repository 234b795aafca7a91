"""All races of sistel against other engines, and the tables of the documentation that come of them.

With --write the outcome goes to benchmarks/races.json and, from there, into docs/benchmarks.md and its translation;
nobody edits those tables. Without, it is printed and kept in benchmarks/results/races.json. A race whose engine or
compiler is missing says so and is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import bench_calls
import bench_chains
import bench_compile
import bench_mujoco
import bench_pinocchio
from _bench import RESULTS, ROOT, machine, write
from _kernels import QUANTITIES
from _native import Missing
from _robots import RACE
from _tables import fill

OUTCOME = ROOT / "benchmarks" / "races.json"
PAGES = {"en": ROOT / "docs" / "benchmarks.md", "ru": ROOT / "docs" / "ru" / "benchmarks.md"}


def races(quick: bool, pythons: Mapping[str, str]) -> dict[str, Callable[[], dict[str, Any]]]:
    """What is run, by the name of its table."""
    rounds, robots, quantities = 20 if quick else 300, list(RACE), list(QUANTITIES)
    return {
        "pinocchio": lambda: bench_pinocchio.run(robots, quantities, rounds),
        "mujoco": lambda: bench_mujoco.run(bench_mujoco.ROBOTS, quantities, rounds),
        "calls": lambda: bench_calls.run(bench_calls.ROBOTS, rounds // 2, pythons),
        "compile": lambda: bench_compile.run(2 if quick else 7),
        "chains": lambda: bench_chains.run(bench_chains.SIZES[: 3 if quick else None], rounds),
    }


def run(quick: bool, only: list[str] | None, pythons: Mapping[str, str]) -> dict[str, Any]:
    """The outcome of every race that can be held here."""
    outcome: dict[str, Any] = {"machine": machine()}
    for name, race in races(quick, pythons).items():
        if only and name not in only:
            continue
        print(f"\n── {name}", flush=True)
        start = time.perf_counter()
        try:
            found = race()
        except Missing as missing:
            print(f"left out: {missing}")
            continue
        if name == "compile":
            bench_compile.print_compile(found)
        del found["machine"]
        outcome[name] = found
        print(f"   ({time.perf_counter() - start:.0f} s)", flush=True)
    return outcome


def rounded(value: Any) -> Any:
    """Four digits of every number: what is left is noise."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.4g}") if isinstance(value, float) else value


def write_pages(outcome: Mapping[str, Any]) -> None:
    """The tables of the documentation, anew."""
    for lang, path in PAGES.items():
        path.write_text(fill(path.read_text(encoding="utf-8"), outcome, lang), encoding="utf-8")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--write", action="store_true", help="write benchmarks/races.json and the tables of docs/")
    arguments.add_argument("--tables", action="store_true", help="only write the tables, from benchmarks/races.json")
    arguments.add_argument("--quick", action="store_true", help="a tenth of the rounds: to see that it works")
    arguments.add_argument("--only", action="append", choices=races(True, {}), help="one race; may be repeated (all)")
    arguments.add_argument(
        "--python", action="append", default=[], metavar="ENGINE=PATH", help="another interpreter, for drake or rtb"
    )
    arguments.add_argument("--json", type=Path, help="file for the outcome")
    options = arguments.parse_args()
    if options.tables:
        write_pages(json.loads(OUTCOME.read_text(encoding="utf-8")))
        return 0
    if options.write and (options.only or options.quick):
        arguments.error("--write takes all races and all rounds: the tables are of one run")
    pythons = dict(entry.split("=", 1) for entry in options.python)
    outcome = rounded(run(options.quick, options.only, pythons))
    write(outcome, options.json or (OUTCOME if options.write else RESULTS / "races.json"))
    if options.write:
        write_pages(outcome)
    return 0


if __name__ == "__main__":
    sys.exit(main())
