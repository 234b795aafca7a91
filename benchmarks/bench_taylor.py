"""Taylor coefficients of motions, order 20: the kernel alone, whole adaptive steps, and steps of heyoka beside them.

heyoka (Biscani and Izzo 2021) gets the same equations, line by line, and the same states; its steps, like those here,
are the coefficients, the choice of the step and the new state. Without heyoka (pip install heyoka) its column is empty.
"""

from __future__ import annotations

import ctypes
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from _bench import ROOT, Timing, human, measure, options, report
from _native import OPTIMISED, SOURCES, Missing, build, clang, load

import sistel
from sistel.expr import Graph, Op, Program, replay, series, series_order
from sistel.kernels import Taylor, compile_taylor
from sistel.kernels.taylor._inner import inner_code
from sistel.mechanics import Setting, build_tree, coordinate_rates, derive, derive_structure

SYSTEMS = {
    "pendulum": ("pendulum", None),
    "cart-pole": ("cart_pole", None),
    "double pendulum": ("double_pendulum", None),
    "compass walker": ("compass_walker", "on the left"),
    "chain of five rods": ("chain5", None),
}
ORDER = series_order()
STEPS = 200
PLAIN = 60
"""Multiplications up to which heyoka is tried with everything written out too: beyond, compiling takes minutes."""
COMPILE_BAR = 0.1
"""Compiling takes at most so much time of the processor [s]."""


@dataclass(frozen=True, slots=True)
class Motion:
    """Equations of motion, and where they start."""

    line: Program
    y: np.ndarray[Any, Any]


def motion(name: str, structure: str | None) -> Motion:
    """Motion of a system of the gallery from its initial state, a little disturbed."""
    system = sistel.load(ROOT / "models" / f"{name}.xml")
    model = system.model
    tree = build_tree(model)
    if structure is None:
        equations = derive(tree, "forward_dynamics")
    else:
        redundant = frozenset(system.mobility(structure).redundant)
        equations = derive_structure(
            Setting(model=model, tree=tree, structure=system.structure(structure), redundant=redundant)
        ).program
    graph = Graph()
    y = graph.inputs("y", tree.nq + tree.nv)
    q, v = y[: tree.nq], y[tree.nq :]
    a = replay(equations, q, v, [0.0] * tree.nv, *[[0.0]] * (len(equations.inputs) - 3))[0]
    line = graph.program({"dy": [*coordinate_rates(model, q, v), *a]})
    # At rest in a symmetric posture whole rows of coefficients vanish.
    return Motion(line, np.random.default_rng(1).normal(size=tree.nq + tree.nv) * 0.5)


class Native:
    """A kernel called in a C loop."""

    def __init__(self, library: ctypes.CDLL, kernel: Taylor, y: np.ndarray[Any, Any]) -> None:
        self.library = library
        self.kernel = kernel
        self.start = y
        self.y = y.copy()
        self.table = np.zeros((kernel.rows, kernel.stride))
        memory = np.zeros(kernel.scratch_size + 8)
        self.memory = memory
        self.scratch = memory.ctypes.data + -memory.ctypes.data % 64

    def coefficients(self) -> None:
        self.library.loop_taylor(
            self.kernel.address, self.start.ctypes.data, self.table.ctypes.data, self.scratch, STEPS
        )

    def steps(self) -> float:
        self.y[:] = self.start
        return float(
            self.library.loop_steps(
                self.kernel.address,
                self.y.ctypes.data,
                self.kernel.size,
                self.kernel.order,
                self.kernel.stride,
                self.table.ctypes.data,
                self.scratch,
                STEPS,
            )
        )


def library() -> ctypes.CDLL:
    found = load(build(clang("clang"), SOURCES / "taylor_loop.c", OPTIMISED, after=("-lm",)))
    pointer, whole = ctypes.c_void_p, ctypes.c_int64
    found.loop_taylor.argtypes = (pointer, pointer, pointer, pointer, whole)
    found.loop_taylor.restype = None
    found.loop_steps.argtypes = (pointer, pointer, whole, whole, whole, pointer, pointer, whole)
    found.loop_steps.restype = ctypes.c_double
    return found


def heyoka_steps(motion: Motion, **settings: bool) -> tuple[Callable[[], float], float, Any]:
    """As many steps of heyoka from the same state; processor's time of its compilation [s]; and its integrator."""
    import heyoka as hy  # type: ignore[import-not-found]

    hy.llvm_state.clear_memcache()
    if hasattr(hy.llvm_state, "set_diskcache_enabled"):
        hy.llvm_state.set_diskcache_enabled(False)
    line = motion.line
    y = [hy.make_vars(f"y{i}") for i in range(len(motion.y))]
    unary = {Op.NEGATE: lambda a: -a, Op.SQRT: hy.sqrt, Op.SIN: hy.sin, Op.COS: hy.cos}
    binary: dict[int, Callable[[Any, Any], Any]] = {
        Op.ADD: lambda a, b: a + b,
        Op.SUBTRACT: lambda a, b: a - b,
        Op.MULTIPLY: lambda a, b: a * b,
        Op.DIVIDE: lambda a, b: a / b,
    }
    values: list[Any] = []
    for op, a, b, number in zip(line.operation, line.first, line.second, line.number, strict=True):
        if op == Op.CONSTANT:
            values.append(hy.expression(number))
        elif op == Op.INPUT:
            values.append(y[b])
        else:
            values.append(unary[Op(op)](values[a]) if op in unary else binary[op](values[a], values[b]))
    start = time.process_time()
    equations = [(one, values[i]) for one, i in zip(y, line.results, strict=True)]
    peer = hy.taylor_adaptive(equations, list(motion.y), **settings)
    took = time.process_time() - start
    assert peer.order == ORDER

    def steps() -> float:
        peer.state[:] = motion.y
        peer.time = 0.0
        peer.propagate_for(1e300, max_steps=STEPS)
        return float(peer.time)

    return steps, took, peer


def agree(native: Native, peer: Any, line: Program) -> None:
    """The coefficients are those of the recurrences in Python, and of heyoka."""
    state, _ = native.kernel(native.start)
    size = np.max(np.abs(state), axis=0)
    expected = np.array(series(line, ORDER, native.start.tolist())[0])
    assert np.max(np.abs(state - expected) / size) < 1e-9, "not the coefficients of the reference"
    if peer is not None:
        peer.state[:] = native.start
        peer.time = 0.0
        peer.step(write_tc=True)
        assert np.max(np.abs(state - peer.tc) / size) < 1e-9, "not the coefficients of heyoka"


def main() -> int:
    arguments = options(__doc__, rounds=60)
    try:
        loops = library()
    except Missing as error:
        print(error)
        return 0
    try:
        import heyoka  # type: ignore[import-not-found] # noqa: F401

        peers = True
    except ImportError:
        peers = False
    timings: list[Timing] = []
    extra: dict[str, Any] = {}
    compile_taylor(motion(*SYSTEMS["pendulum"]).line, 3)  # loads the compiler
    for width in (4, 8):
        start = time.process_time()
        inner_code(ORDER, width, None)
        extra[f"inner sums, vectors of {width}"] = took = time.process_time() - start
        print(f"inner sums of all programs, vectors of {width}: compiled once, in {human(took)}")
    for name, (path, structure) in SYSTEMS.items():
        found = motion(path, structure)
        compile_taylor(found.line, ORDER)  # what is loaded once is loaded now
        seconds = []
        for _ in range(5):
            start = time.process_time()
            kernel = compile_taylor(found.line, ORDER)
            seconds.append(time.process_time() - start)
        native = Native(loops, kernel, found.y)
        cases: dict[str, Callable[[], Any]] = {f"{name}: steps": native.steps, f"{name}: kernel": native.coefficients}
        peer, compiling = None, {}
        if peers:
            products = found.line.count().multiplications
            for way, settings in {
                "plain": {"compact_mode": False},
                "compact": {"compact_mode": True},
                "plain, fast": {"compact_mode": False, "fast_math": True},
            }.items():
                if "plain" in way and products > PLAIN:
                    continue
                steps, compiling[way], peer = heyoka_steps(found, **settings)
                # Rounding apart, steps are as long: the same number of them takes about the same time of the motion.
                assert abs(steps() / native.steps() - 1.0) < 0.05
                cases[f"{name}: heyoka, {way}"] = steps
        agree(native, peer, found.line)
        measured = measure(cases, rounds=arguments.rounds)
        per_step = [Timing(name=t.name, calls=t.calls, seconds=tuple(s / STEPS for s in t.seconds)) for t in measured]
        timings += per_step
        best = min((t.minimum for t in per_step if "heyoka" in t.name), default=None)
        ratio = f", {best / per_step[0].minimum:.2f} × as quick as heyoka" if best else ""
        bar = "" if min(seconds) <= COMPILE_BAR else f"  ← behind {human(COMPILE_BAR)}"
        others = "".join(f", heyoka {way} {human(took)}" for way, took in compiling.items())
        print(f"{name}: {human(per_step[0].minimum)} a step{ratio}; compiled in {human(min(seconds))}{bar}{others}")
        extra[name] = {"compile": min(seconds), "heyoka compile": compiling, "operations": str(found.line.count())}
    report("taylor", timings, arguments.json, {"systems": extra})
    return 0


if __name__ == "__main__":
    sys.exit(main())
