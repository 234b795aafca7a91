"""Drops of convex bodies on a floor by four laws of impact, each run judged: does any fail, and how long does one take?

    python benchmarks/bench_drops.py --drops 1000 --processes 2

takes `--drops` drops for every law: bodies with 4 to 12 corners, coefficients of friction from 0.1 to 1 (without
friction for the smooth law), postures, spins and velocities from a seed. The judge (`_drops.py`) knows nothing of the
package: it applies the laws of Newton, Euler and Coulomb to the polynomials of the run. A drop is named by its law, its
body, its friction and its number, so that `--only` can take it again. Times are of the processor, after the first drop
of a system, which compiles.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
from _bench import RESULTS, machine, write
from _drops import LAWS, document, drop, judge, shapes

import sistel

FRICTIONS = (0.1, 0.2, 0.4, 0.5, 0.6, 0.8, 0.3, 1.0)
SLOW = 5.0
"""Time of a drop that is told [s]."""


def take(law: str, name: str, friction: float, numbers: range, seed: int, duration: float) -> list[dict[str, Any]]:
    """Drops of one system, and what the judge says of them."""
    shape = shapes()[name]
    system = sistel.parse(document(shape, law, friction))
    system.simulate(1e-3)
    found: list[dict[str, Any]] = []
    for number in numbers:
        q, v = drop(shape, np.random.default_rng([seed, number]))
        begin = time.process_time()
        made: dict[str, Any] = {"law": law, "body": name, "friction": friction, "number": number}
        try:
            run = system.simulate(duration, q=q, v=v)
        except sistel.SistelError as problem:
            made["failed"] = problem.diagnostics[0].message.en
        else:
            made["seconds"] = time.process_time() - begin
            verdict = judge(shape, friction, run)
            made |= {key: getattr(verdict, key) for key in ("depth", "momentum", "gained", "cone", "end")}
            made |= {"wrong": verdict.wrong, "events": len(run.events), "steps": run.steps}
        found.append(made)
        if "failed" in made or made.get("wrong") or made.get("seconds", 0.0) > SLOW:
            print(made, flush=True)
    print(f"{name}, friction {friction:g}: {told(law, found)}", flush=True)
    return found


def plan(laws: list[str], drops: int) -> list[tuple[str, str, float, range]]:
    """Systems, each with the numbers of its drops."""
    names, made = list(shapes()), []
    for place, law in enumerate(laws):
        share = -(-drops // len(names))
        for i, name in enumerate(names):
            friction = 0.0 if law == "smooth" else FRICTIONS[(i + 3 * place) % len(FRICTIONS)]
            count = min(share, drops - share * i)
            if count > 0:
                made.append((law, name, friction, range(count)))
    return made


def told(law: str, found: list[dict[str, Any]]) -> str:
    """One line of the table."""
    good = [each for each in found if "failed" not in each]
    times = np.array([each["seconds"] for each in good] or [0.0])
    worst = {key: max((each[key] for each in good), default=0.0) for key in ("depth", "momentum", "gained", "cone")}
    ends = {word: sum(each["end"] == word for each in good) for word in ("rests", "slides", "moves")}
    wrong = sum(bool(each["wrong"]) for each in good)
    return (
        f"{law:8s} {len(found):6d} {len(found) - len(good):6d} {wrong:6d} {np.median(times):7.2f} "
        f"{np.quantile(times, 0.99):7.2f} {times.max():7.2f} "
        + " ".join(f"{worst[key]:9.1e}" for key in worst)
        + "  "
        + ", ".join(f"{count} {word}" for word, count in ends.items() if count)
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--drops", type=int, default=20, help="for every law")
    arguments.add_argument("--laws", nargs="+", choices=list(LAWS), default=list(LAWS))
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--duration", type=float, default=2.0, help="of a drop [s]")
    arguments.add_argument("--processes", type=int, default=1)
    arguments.add_argument("--only", nargs=4, metavar=("LAW", "BODY", "FRICTION", "NUMBER"), help="one drop again")
    given = arguments.parse_args()
    if given.only:
        law, name, friction, number = given.only
        print(take(law, name, float(friction), range(int(number), int(number) + 1), given.seed, given.duration))
        return
    tasks = plan(given.laws, given.drops)
    found: list[dict[str, Any]] = []
    if given.processes == 1:
        for task in tasks:
            found += take(*task, given.seed, given.duration)
    else:
        with ProcessPoolExecutor(given.processes) as pool:
            for each in [pool.submit(take, *task, given.seed, given.duration) for task in tasks]:
                found += each.result()
    print(
        "law       drops failed  wrong  median     99%     max     depth  momentum    gained      cone  in the end"
        "\n                                  [s]     [s]     [s]       [m]     [N·s]       [J]         -"
    )
    for law in given.laws:
        print(told(law, [each for each in found if each["law"] == law]))
    write({"machine": machine(), "seed": given.seed, "drops": found}, RESULTS / "drops.json")


if __name__ == "__main__":
    main()
