"""sistel's kernels against MuJoCo's C library, both called in loops of compiled code, in the same rounds.

MuJoCo is raced by the shortest sequence of its functions that gives a result, and by the calls that people make
(mj_inverse, mj_forward), with constraints and contacts switched off. Beside the robots of the other races run two whose
axes are skew.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from _bench import machine
from _mujoco import MuJoCo
from _native import kernel_loop, mujoco_race
from _race import main, print_race, race
from _robots import ALL, RACE, SKEW, pair

ROBOTS = (*RACE, *SKEW)


def run(robots: Sequence[str], quantities: Sequence[str], rounds: int) -> dict[str, Any]:
    """The outcome, as data.

    Raises:
        Missing: Something is not installed.
    """
    library, loop = mujoco_race(), kernel_loop()
    results = {}
    for key in robots:
        found = pair(ALL[key])
        results[key] = race(found, MuJoCo(found, library), loop, quantities, rounds)
        print_race(key, results[key])
    return {"engine": f"MuJoCo {library.race_version().decode()}", "machine": machine(), "robots": results}


if __name__ == "__main__":
    sys.exit(main("mujoco", __doc__, run, ROBOTS))
