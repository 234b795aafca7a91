"""sistel's kernels for single states against C that CasADi generates of Pinocchio's algorithms for each robot.

Both know the robot when they are compiled. The generated code is built with clang and with gcc, with leave to fuse
products and sums; of compilers, conventions and algorithms the fastest counts, with or without CasADi's search for
common subexpressions.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from _bench import machine
from _casadi import CasADi
from _native import casadi_generator, casadi_races, kernel_loop
from _race import main, print_race, race
from _robots import ALL, dump, pair

AIMS = {"single": (4, 4, 4)}
"""How many times faster than the generated code: RNEA, CRBA, FD."""


def run(robots: Sequence[str], quantities: Sequence[str], rounds: int) -> dict[str, Any]:
    """The outcome, as data.

    Raises:
        Missing: Something is not installed.
    """
    generator, loop = casadi_generator(), kernel_loop()
    results = {}
    for key in robots:
        found = pair(ALL[key])
        engine = CasADi(found, casadi_races(generator, key, dump(found)))
        chosen = [quantity for quantity in quantities if quantity in engine.tasks]
        results[key] = race(found, engine, loop, chosen, rounds, ways=("single",))
        print_race(key, results[key], AIMS)
    version = f"Pinocchio {generator.generate_version().decode()}, CasADi {generator.generate_casadi().decode()}"
    return {"engine": version, "machine": machine(), "robots": results}


if __name__ == "__main__":
    sys.exit(main("casadi", __doc__, run, robots=("panda", "ur10", "anymal")))
