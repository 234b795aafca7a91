"""sistel's kernels against Pinocchio's C++ library, both called in loops of compiled code, in the same rounds.

Pinocchio is built with clang from its headers, and its fastest variant counts.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from _bench import machine
from _native import kernel_loop, pinocchio_race
from _pinocchio import Pinocchio
from _race import main, print_race, race
from _robots import ALL, pair

AIMS = {
    # How many times faster than Pinocchio: RNEA, CRBA, FD, FK+J.
    "panda": {"single": (9, 8, 8, 8), "rows": (25, 15, 25, 17), "blocked": (27, 20, 26, 19)},
    "ur5": {"single": (12, 12, 13, 9), "rows": (35, 26, 39, 20), "blocked": (41, 33, 45, 24)},
    "biped": {"single": (22, 17, 17, 19), "rows": (40, 21, 45, 21), "blocked": (53, 35, 53, 41)},
    "anymal": {"single": (17, 14, 11, 6), "rows": (16, 12, 16, 12), "blocked": (21, 20, 18, 18)},
    "g1": {"single": (8, 6.5, 5.8, 7), "rows": (12, 6, 12, 9), "blocked": (18, 11, 13, 16)},
}


def run(robots: Sequence[str], quantities: Sequence[str], rounds: int) -> dict[str, Any]:
    """The outcome, as data.

    Raises:
        Missing: Something is not installed.
    """
    library, loop = pinocchio_race(), kernel_loop()
    results = {}
    for key in robots:
        found = pair(ALL[key])
        results[key] = race(found, Pinocchio(found, library), loop, quantities, rounds)
        print_race(key, results[key], AIMS.get(key))
    return {"engine": f"Pinocchio {library.race_version().decode()}", "machine": machine(), "robots": results}


if __name__ == "__main__":
    sys.exit(main("pinocchio", __doc__, run))
