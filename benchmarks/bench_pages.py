"""Pages of long runs: what they weigh, and how long they take against the simulation itself, in the same process.

The walker for 60 s in steps of at most 0.1 ms is 600,000 steps; its page keeps what can be seen of them.
"""

from __future__ import annotations

import argparse
import gc
import json
import time
from pathlib import Path

import sistel
from sistel.views.page import draw_page

MODELS = Path(__file__).resolve().parent.parent / "models"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--until", type=float, default=60.0, help="length of the run [s]")
    parser.add_argument("--longest", type=float, default=1e-4, help="longest step [s]")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    system = sistel.load(MODELS / "walker.xml")
    # What is derived and compiled once is not what is measured.
    draw_page(system.model, system.simulate(0.2))
    gc.collect()
    start = time.process_time()
    run = system.simulate(arguments.until, longest=arguments.longest)
    simulated = time.process_time() - start
    start = time.process_time()
    page = draw_page(system.model, run)
    drawn = time.process_time() - start
    found = {
        "steps": run.steps,
        "simulating [s]": round(simulated, 2),
        "page [s]": round(drawn, 2),
        "page / simulating": round(drawn / simulated, 2),
        "size [kB]": round(len(page.encode()) / 1e3),
    }
    if arguments.json:
        print(json.dumps(found))
        return
    for key, value in found.items():
        print(f"{key:18} {value:>12,}")


if __name__ == "__main__":
    main()
