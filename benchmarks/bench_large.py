"""Large systems: looped kernels of spatial chains, per body; what compiling takes; where straight lines still pay.

A chain of hinges about changing axes is the hardest case for straight lines, whose equations share little there.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from _bench import Timing, human, measure, options, report

import sistel
from sistel.kernels import Loops, compile_program
from sistel.kernels._loops_code import looped_code
from sistel.mechanics import build_tree, derive
from sistel.mechanics.steps import link_records

SIZES = (100, 1_000, 10_000)
CROSSING = (6, 12, 18)
STATES = 512
QUANTITIES = {"inverse": "inverse_dynamics", "forward": "forward_dynamics"}


def chain(bodies: int) -> sistel.Model:
    """Read for a few bodies, then repeated: reading thousands is another benchmark's business."""
    axes, few = ("1,0,0", "0,1,0", "1,2,3"), min(bodies, 22)
    rows = "".join(
        f'<body name="b{i}" base="{f"b{i - 1}" if i else 0}" joint="revolute" axis="{axes[i % 3]}" '
        f'place="{100 if i else 0},0,10" turn="10,20,{i % 7}" mass="1" com="50,10,20" inertia="0.01,0.02,0.025"/>'
        for i in range(few)
    )
    model = sistel.parse(f'<system space="spatial">{rows}</system>').model
    more = [
        replace(model.bodies[1 + (i - 1) % 21], number=i + 1, name=f"b{i}", base=i, first_q=i, first_v=i)
        for i in range(few, bodies)
    ]
    return replace(model, bodies=(*model.bodies, *more))


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compiling() -> dict[str, float]:
    """What the first kernel of a quantity takes: with nothing in the cache, and with it there [s]."""
    found: dict[str, float] = {}
    rod = chain(1)
    with tempfile.TemporaryDirectory() as folder:
        for name in QUANTITIES.values():
            for state in ("cold", "warm"):
                looped_code.cache_clear()
                found[f"{name}, {state}"] = seconds(lambda n=name: Loops(rod, cache=Path(folder)).kernel(n))
    return found


def sizes(rng: np.random.Generator, rounds: int) -> tuple[list[Timing], dict[str, float]]:
    """Single states and batches of long chains, and the making of their tables."""
    cases: dict[str, Callable[[], object]] = {}
    tables: dict[str, float] = {}
    for size in SIZES:
        model = chain(size)
        tables[f"tables of {size} bodies, a body"] = (
            min(seconds(lambda m=model: link_records(m)) for _ in range(3)) / size
        )
        loops = Loops(model, threads=1)
        forward, inverse = (loops.kernel(QUANTITIES[word]) for word in ("forward", "inverse"))
        q, v, tau = rng.normal(size=(3, size))
        a = forward(q, v, tau)
        bias = np.linalg.norm(inverse(q, v, 0 * v))
        assert np.linalg.norm(inverse(q, v, a) - tau) <= 1e-13 * bias
        many = rng.normal(size=(3, 64, size))
        out, outs = np.empty(size), np.empty((64, size))
        for word, kernel in (("forward", forward), ("inverse", inverse)):
            cases[f"{word}, {size} bodies"] = lambda k=kernel, x=(q, v, tau), o=out: k.call(*x, out=o)
            cases[f"{word}, {size} bodies, 64 states"] = lambda k=kernel, x=many, o=outs: k.call(*x, out=o)
    return list(measure(cases, rounds=rounds)), tables


def crossing(rng: np.random.Generator, rounds: int) -> list[Timing]:
    """Straight lines and loops beside each other."""
    cases: dict[str, Callable[[], object]] = {}
    for size in CROSSING:
        model = chain(size)
        loops, tree = Loops(model, threads=1), build_tree(model)
        many = rng.normal(size=(3, STATES, size))
        one, out, outs = many[:, 0].copy(), np.empty(size), np.empty((STATES, size))
        for word, quantity in QUANTITIES.items():
            kernels = {"straight": compile_program(derive(tree, quantity), threads=1), "loops": loops.kernel(quantity)}
            results = [kernel(*many) for kernel in kernels.values()]
            assert np.abs(results[0] - results[1]).max() <= 1e-9 * np.abs(results[0]).max()
            for kind, kernel in kernels.items():
                cases[f"{word}, {size} bodies, {kind}"] = lambda k=kernel, x=one, o=out: k.call(*x, out=o)
                cases[f"{word}, {size} bodies, {STATES} states, {kind}"] = lambda k=kernel, x=many, o=outs: k.call(
                    *x, out=o
                )
    return list(measure(cases, rounds=rounds))


def main() -> None:
    arguments = options(__doc__, rounds=20)
    rng = np.random.default_rng(1)
    compiled = compiling()
    large, tables = sizes(rng, arguments.rounds)
    small = crossing(rng, arguments.rounds)
    report("large", [*large, *small], arguments.json, {"compiling": compiled, "tables": tables})
    print()
    for name, taken in (*compiled.items(), *tables.items()):
        print(f"{name}: {human(taken)}")
    for timing in large:
        words = timing.name.replace(",", "").split()
        states = int(words[3]) if len(words) > 3 else 1
        print(f"{timing.name}: {timing.minimum / int(words[1]) / states * 1e9:.0f} ns a body and state")


if __name__ == "__main__":
    main()
