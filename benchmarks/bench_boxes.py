"""Drops of boxes on boxes, each run judged, and stacks of them: does any fail, and what does an event cost?

    python benchmarks/bench_boxes.py --drops 200

Half of the drops are on a fixed box, half on a free one that stands on the floor: sizes, postures, spins, friction from
0 to 0.8, restitution from 0 to 0.6 by the rules of Newton and Poisson and without, all from a seed. The judge
(`_boxes.py`) knows nothing of the package. `--only` takes one drop again. Times are of the processor, after the first
run of a system.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
from _bench import RESULTS, machine, write
from _boxes import Scene, document, drop, duration, judge, stack

import sistel

SLOW = 5.0
"""Time of a drop that is told [s]."""


def take(scene: Scene, until: float) -> dict[str, Any]:
    """One run, and what the judge says of it."""
    system = sistel.parse(document(scene))
    q, v = scene.start
    begin = time.process_time()
    made: dict[str, Any] = {"friction": scene.friction, "restitution": scene.restitution, "law": scene.law}
    try:
        run = system.simulate(until, q=q, v=v)
    except sistel.SistelError as problem:
        made["failed"] = problem.diagnostics[0].message.en
        return made
    made["seconds"] = time.process_time() - begin
    verdict = judge(scene, run)
    made |= {key: getattr(verdict, key) for key in ("depth", "gained", "momentum", "speed", "wrong")}
    return made | {"events": len(run.events), "steps": run.steps, "end": run.final_structure}


def drops(numbers: range, seed: int) -> list[dict[str, Any]]:
    """Drops, told where something is wrong."""
    found = []
    for number in numbers:
        scene = drop(number, seed)
        made = {"number": number, "fixed": bool(scene.fixed)} | take(scene, duration(scene))
        found.append(made)
        if "failed" in made or made["wrong"] or made["seconds"] > SLOW:
            print(made, flush=True)
    return found


def told(found: list[dict[str, Any]]) -> str:
    """What came of some drops, in a line."""
    good = [each for each in found if "failed" not in each]
    times = np.array([each["seconds"] for each in good] or [0.0])
    events = np.array([each["events"] for each in good] or [1])
    worst = {key: max((each[key] for each in good), default=0.0) for key in ("depth", "gained", "momentum")}
    wrong = sum(bool(each["wrong"]) for each in good)
    return (
        f"{len(found)} drops, {len(found) - len(good)} failed, {wrong} wrong; {np.median(times) * 1e3:.0f} ms "
        f"(longest {times.max():.2f} s), {1e6 * times.sum() / events.sum():.0f} µs an event ({events.sum()} events); "
        + ", ".join(f"{key} {value:.1e}" for key, value in worst.items())
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--drops", type=int, default=20)
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--only", type=int, help="the number of one drop")
    arguments.add_argument("--stacks", type=int, nargs="*", default=[2, 4, 8], help="boxes in stacks")
    given = arguments.parse_args()
    if given.only is not None:
        print(drops(range(given.only, given.only + 1), given.seed))
        return
    take(drop(0, given.seed), 1e-3)
    found = drops(range(given.drops), given.seed)
    for fixed in (True, False):
        print("fixed:" if fixed else "free: ", told([each for each in found if each["fixed"] == fixed]))
    for count in given.stacks:
        made = take(stack(count), 2.0)
        if "failed" in made:
            print(f"{count} boxes in a stack: {made['failed']}")
            continue
        print(
            f"{count} boxes in a stack: {made['events']} events, {made['steps']} steps, "
            f"{1e3 * made['seconds']:.0f} ms, {1e6 * made['seconds'] / made['events']:.0f} µs an event; "
            f"{made['wrong'] or 'all well'}"
        )
    write({"machine": machine(), "seed": given.seed, "drops": found}, RESULTS / "boxes.json")


if __name__ == "__main__":
    main()
