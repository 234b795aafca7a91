"""Ten thousand random tables: programs for FAULHABER V2.5 against their report and against closed forms.

Every table has random drives, rows and times. Its program goes, as text, to emulated drives with ticks of 1 ms; another
computation makes positions and arrivals of the same text in closed form. All rows must be reached within one count and
one tick of what the report says. `--tables 500` judges fewer.
"""

from __future__ import annotations

import argparse
import sys
import time

from _bench import RESULTS, ROOT, machine, write

sys.path.append(str(ROOT / "tests"))

from support.driving_tables import judge_one

from sistel.errors import SistelError


def main() -> int:
    """Judge, and write the outcome."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=10_000)
    options.add_argument("--first", type=int, default=0, help="seed of the first one")
    chosen = options.parse_args()
    refused, far, late = 0, 0.0, 0
    begin = time.process_time()
    for seed in range(chosen.first, chosen.first + chosen.tables):
        try:
            distance, shift = judge_one(seed)
        except SistelError as problem:
            assert {each.code for each in problem.diagnostics} <= {"too-weak", "too-quick"}, seed
            refused += 1
            continue
        assert distance <= 1.0 and shift <= 1, seed
        far, late = max(far, distance), max(late, shift)
    outcome = {
        "tables": chosen.tables,
        "refused": refused,
        "worst distance from the closed form [increments]": far,
        "worst shift of an arrival from the report [ms]": late,
        "seconds of a processor": time.process_time() - begin,
    }
    for name, value in outcome.items():
        print(f"{name}: {value:.6g}" if isinstance(value, float) else f"{name}: {value}")
    write({"machine": machine(), **outcome}, RESULTS / "drives.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
