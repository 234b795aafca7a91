"""A race of sistel's kernels against another engine, both in loops of compiled code: correctness, then time.

In every round each case has one turn, in an order drawn anew; the least time of all rounds is what counts. Batches are
small enough to stay in the first-level cache, or in the second where 16 states do not fit. The other engine leaves its
results in its own memory, sistel writes them to arrays.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from _bench import RESULTS, human, parser, write
from _engine import Engine, Turn
from _kernels import QUANTITIES, RawKernel, derive_quantity, half_of
from _native import Missing
from _robots import ALL, RACE, Pair

WAYS = ("single", "rows", "blocked")
"""How sistel's kernels are called: a state a call, rows of NumPy arrays, blocks of states."""
CACHE = 32 * 1024
"""Bytes of inputs and outputs of a batch, where 16 states fit into them."""


def race(
    pair: Pair, engine: Engine, loop: Any, quantities: Sequence[str], rounds: int, ways: Sequence[str] = WAYS
) -> dict[str, Any]:
    """The least times of one robot [s a state] by quantity and case, with errors and operations."""
    found: dict[str, Any] = {}
    turns: dict[tuple[str, str], Turn] = {}
    for quantity in quantities:
        derived = derive_quantity(pair, QUANTITIES[quantity])
        numbers = sum(size for _, size in (*derived.inputs, *derived.outputs))
        count = min(256, max(16, 2 ** int(math.log2(CACHE / (8 * numbers)))))
        states = pair.states(count)
        kernel = RawKernel(derived, states.blocks(name for name, _ in derived.inputs), loop)
        ours = {way: turn for way, turn in kernel.turns().items() if way in ways}
        engine.take(states)
        tasks = [task for group in engine.tasks[quantity] for task in group]
        error = check(quantity, engine, tasks, kernel, ours)
        found[quantity] = {"states": count, "error": error, "operations": str(derived.count()), "seconds": {}}
        turns |= {(quantity, task): engine.turn(task) for task in tasks}
        turns |= {(quantity, way): turn for way, turn in ours.items()}
    for (quantity, name), seconds in measure_turns(turns, rounds).items():
        found[quantity]["seconds"][name] = seconds
    for quantity in quantities:
        seconds = found[quantity]["seconds"]
        found[quantity]["best"] = [min(group, key=seconds.__getitem__) for group in engine.tasks[quantity]]
    return found


def check(quantity: str, engine: Engine, tasks: Sequence[str], kernel: RawKernel, ours: Mapping[str, Turn]) -> float:
    """The largest normwise error of every way of ours against every way of theirs; too large a one stops the race."""
    worst = 0.0
    bound: Any = engine.tolerance
    if quantity == "FD":
        # Both sides solve M a = b: rounding of b and M alone is worth cond(M) times as much in a.
        matrix = engine.tasks["CRBA"][0][0]
        (M,) = engine.results(matrix, "CRBA")
        size = math.isqrt(M.shape[1])
        bound = np.maximum(engine.tolerance, 1e-15 * np.linalg.cond(M.reshape(-1, size, size)))
    for task in tasks:
        expected = engine.results(task, quantity)
        if quantity == "CRBA":
            expected = [half_of(engine.pair, expected[0])]
        for way, turn in ours.items():
            kernel.spoil()
            turn(1)
            for block, theirs in zip(kernel.results(way), expected, strict=True):
                error = np.linalg.norm(block - theirs, axis=1) / np.linalg.norm(theirs, axis=1)
                assert (error <= bound).all(), f"{quantity}: {way} and {task} differ by {error.max():.1e}"
                worst = max(worst, float(error.max()))
    return worst


def measure_turns(turns: Mapping[Any, Turn], rounds: int, least: float = 3e-4, seed: int = 1) -> dict[Any, float]:
    """The least time a state of every case. A turn takes about `least` seconds.

    After `rounds` rounds, more follow while they still find less, three times as many at most: a neighbour on the same
    core can slow one case down for seconds.
    """
    passes = {name: _passes(turn, least) for name, turn in turns.items()}
    best = dict.fromkeys(turns, math.inf)
    order = list(turns)
    shuffle = random.Random(seed).shuffle
    quiet = 0
    for number in range(3 * rounds):
        shuffle(order)
        quiet += 1
        for name in order:
            seconds = turns[name](passes[name])
            if seconds < 0.99 * best[name]:
                quiet = 0
            best[name] = min(best[name], seconds)
        if number + 1 >= rounds and quiet >= rounds // 4:
            break
    return best


def _passes(turn: Turn, least: float) -> int:
    turn(1)  # code and data are loaded
    passes = 1
    while True:
        start = time.perf_counter()
        turn(passes)
        spent = time.perf_counter() - start
        if spent >= least / 2 or passes >= 1_000_000:
            return passes
        passes = max(2 * passes, min(10 * passes, int(passes * least / max(spent, 1e-9))))


def print_race(key: str, found: Mapping[str, Any], targets: Mapping[str, Sequence[float]] | None = None) -> None:
    """The times of one robot, the ratios, and how they compare with what is aimed at."""
    print(f"\n{ALL[key].title}")
    for quantity, row in found.items():
        seconds = row["seconds"]
        others = [f"{name} {human(t)}" for name, t in seconds.items() if name not in (*WAYS, *row["best"])]
        for best in row["best"]:
            print(f"  {quantity:5} {human(seconds[best]):>8}  {best}")
        if others:
            print(f"        also: {', '.join(others)}")
        for way in WAYS:
            if way in seconds:
                ratios = [seconds[best] / seconds[way] for best in row["best"]]
                text = f"        sistel, {way:8} {human(seconds[way]):>8}  {ratios[0]:5.1f}× faster"
                if targets:
                    target = targets[way][list(QUANTITIES).index(quantity)]
                    text += f", aim {target:g}×" + ("" if ratios[0] >= target else "  ← behind")
                text += "".join(
                    f"; {ratio:.1f}× than {best}" for ratio, best in zip(ratios[1:], row["best"][1:], strict=True)
                )
                print(text)
        print(f"        error {row['error']:.1e}; {row['operations']}; {row['states']} states", flush=True)


def main(
    name: str,
    description: str | None,
    run: Callable[[Sequence[str], Sequence[str], int], dict[str, Any]],
    robots: Sequence[str] = tuple(RACE),
) -> int:
    """The command line of a race, with the robots that run where none is chosen."""
    arguments = parser(description, rounds=200)
    arguments.add_argument(
        "--robot", action="append", choices=ALL, help=f"one robot; may be repeated ({', '.join(robots)})"
    )
    arguments.add_argument(
        "--quantity", action="append", choices=QUANTITIES, help="one quantity; may be repeated (all)"
    )
    options = arguments.parse_args()
    try:
        data = run(options.robot or list(robots), options.quantity or list(QUANTITIES), options.rounds)
    except Missing as missing:
        print(f"no race: {missing}")
        return 0
    write({"benchmark": name, **data}, options.json or RESULTS / f"{name}.json")
    return 0
