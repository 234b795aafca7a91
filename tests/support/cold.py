"""Everything that compiles, called for the first time in a process by several threads at once; see `test_threads`.

Run as ``python -m support.cold ENTRY MODELS [THREADS]``: every thread gives a digest of what it found, a serial call
afterwards on a system of its own gives another, and all have to be the same.
"""

from __future__ import annotations

import hashlib
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import sistel

Work = Callable[[Any, int], object]
"""Of a system and of the number of a thread: what it gives."""


def digest(found: object) -> str:
    """Of arrays and of what is made of them, to the last bit."""
    if isinstance(found, np.ndarray):
        return hashlib.sha256(np.ascontiguousarray(found).tobytes() + str(found.shape).encode()).hexdigest()
    if isinstance(found, (tuple, list)):
        return hashlib.sha256("".join(digest(each) for each in found).encode()).hexdigest()
    return hashlib.sha256(repr(found).encode()).hexdigest()


def run_of(run: Any) -> object:
    """All that a run holds."""
    events = [(event.time, event.transition, event.after, event.energy_loss) for event in run.events]
    return run.t, run.q, run.v, events, run.last


def simulate(system: Any, number: int) -> object:
    return [run_of(system.simulate(1.0)) for _ in range(2)]


def stiff(system: Any, number: int) -> object:
    methods: tuple[dict[str, Any], ...] = (
        {"method": "radau"},
        {"method": "gauss", "step": 0.01},
        {"method": "runge-kutta"},
    )
    return [run_of(system.simulate(0.2, tolerance=1e-8, **how)) for how in methods]


def other_values(system: Any, number: int) -> object:
    runs = [run_of(system.simulate(0.7, parameters={"h": 0.15 + 0.1 * (number % 2)})) for _ in range(2)]
    return [*runs, run_of(system.simulate(0.7))]


def ensemble(system: Any, number: int) -> object:
    e, h = np.linspace(0.1, 0.8, 6), np.linspace(0.2, 2.0, 6)
    made = system.ensemble(1.0, parameters={"e": e, "h": h}, grid=True, chunk=6, threads=2)
    return made.state, made.events, made.structure


def dynamics(system: Any, number: int) -> object:
    q = np.linspace(0.1, 0.6, system.nq)
    found = [system.inverse_dynamics(q, q, q) for _ in range(20)]
    rows = np.linspace(0.0, 1.0, 40 * system.nq).reshape(40, system.nq)
    return [*found, system.mass_matrix(q), system.forward_dynamics(rows, rows, rows), system.bias_forces(q, q)]


def kinematics(system: Any, number: int) -> object:
    first = pose(system, number), descent(system, number)
    targets = [system.pose([0.3, 0.5, -0.4, 0.2, 0.6, -0.1 + 0.01 * k], "tool") for k in range(24)]
    return [*first, *(system.inverse_kinematics(target, "tool").q for target in targets)]


def closed_forms(system: Any, number: int) -> object:
    targets = system.pose([[0.3, 0.5, -0.4, 0.2, 0.6, -0.1 + 0.01 * k] for k in range(24)], "tool")
    single = [system.inverse_kinematics(target, "tool", "analytic", several=True).solutions for target in targets]
    return [*single, *system.inverse_kinematics(targets, "tool", "analytic", several=True).solutions]


def descent(system: Any, number: int) -> object:
    target = system.pose([0.3, 0.5, -0.4, 0.2, 0.6, -0.1], "tool")
    return system.inverse_kinematics(target, "tool", method="ccd").q


def pose(system: Any, number: int) -> object:
    q = np.linspace(0.1, 0.6, system.nq)
    return system.pose(q, "tool"), system.jacobian(q, "tool"), system.jacobian_rate(q, q, "tool")


def workspace(system: Any, number: int) -> object:
    found = system.workspace("инструмент", samples=2000, resolution=20, volume=False)
    return found.inside, found.q, found.area, found.low


def check(system: Any, number: int) -> object:
    return [repr(proof) for proof in system.check(states=2).proofs]


def equations(system: Any, number: int) -> object:
    return system.equations().to_latex()


def cycle(system: Any, number: int) -> object:
    found = system.cycle()
    return found.q, found.v, found.period, found.multipliers


def along(system: Any, number: int) -> object:
    from sistel.motion import trajectories as tr

    X = system.pose([0.3, 0.5, -0.4, 0.2, 0.6, -0.1], "tool")
    Y = X.copy()
    Y[:3, 3] += (0.05, 0.05, -0.05)
    way = tr.along(tr.line_path(X, Y), lambda s, e: tr.polynomial_move(s, e, 1.0))
    return system.along(way, "tool", times=np.linspace(0.0, 1.0, 5), q=[0.3, 0.5, -0.4, 0.2, 0.6, -0.1]).q


def together(system: Any, number: int) -> object:
    """Often enough that machine code takes the methods over, while other threads are about it."""
    q = np.array([0.3, 0.5, -0.4, 0.2, 0.6, -0.1])
    for _ in range(12):
        found = [*system.compute(q, want=TOGETHER), system.pose(q, "tool"), system.jacobian(q, "tool")]
    return np.concatenate([block.ravel() for block in (*found, system.mass_matrix(q))])


TOGETHER = ("pose:tool", "jacobian:tool", "mass_matrix")


def page(system: Any, number: int) -> object:
    target = Path(f"page{threading.get_ident()}.html")
    run = system.simulate(0.3)
    run.save(target)
    return target.read_text(encoding="utf-8")


ENTRIES: dict[str, tuple[str, Work, bool]] = {
    "simulate": ("double_pendulum", simulate, False),
    "simulate one system": ("double_pendulum", simulate, True),
    "simulate contacts": ("block_ramp", simulate, True),
    "simulate structures": ("hopper", simulate, True),
    "simulate stiff": ("four_bar", stiff, True),
    "other values": ("hopper", other_values, True),
    "ensemble": ("bouncing_ball", ensemble, True),
    "dynamics": ("puma560", dynamics, True),
    "kinematics": ("puma560", kinematics, True),
    "closed forms": ("puma560", closed_forms, True),
    "several quantities": ("puma560", together, True),
    "simulate rows": ("stewart", simulate, True),
    "workspace": ("scara", workspace, True),
    "check": ("double_pendulum", check, True),
    "equations": ("double_pendulum", equations, True),
    "cycle": ("rimless_wheel", cycle, True),
    "along": ("puma560", along, True),
    "page": ("double_pendulum", page, True),
}
"""By name: the model, what is called, and whether all threads share one system."""


def main(name: str, models: str, threads: int) -> None:
    """Call an entry in several threads at once, then by itself; all have to find the same."""
    model, work, shared = ENTRIES[name]
    path = Path(models) / f"{model}.xml"
    systems = [sistel.load(path)] * threads if shared else [sistel.load(path) for _ in range(threads)]
    gate = threading.Barrier(threads)
    found: list[object] = [None] * threads

    def go(number: int) -> None:
        gate.wait()
        try:
            found[number] = digest(work(systems[number], number))
        except BaseException as error:
            found[number] = error
            raise

    running = [threading.Thread(target=go, args=(number,)) for number in range(threads)]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    kinds = 2 if work is other_values else 1
    alone = [digest(work(sistel.load(path), number)) for number in range(kinds)]
    assert all(each == alone[number % kinds] for number, each in enumerate(found)), (name, found, alone)
    print("same")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 4)
