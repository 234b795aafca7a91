"""Forward dynamics of long spatial chains, per body: sistel from Python, Pinocchio's articulated bodies in C++.

Pinocchio's workspace grows with the cube of the joints (0.1 GB for 100 bodies): it takes part in the shortest chain.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
from _bench import RESULTS, human, machine, parser, write
from _native import Missing, pinocchio_race
from _race import measure_turns

import sistel

SIZES = (100, 300, 1_000, 3_000, 10_000)
PEER_SIZE = 100
PATIENCE = 5.0
"""For one size: fewer rounds where a call takes long [s]."""
LENGTH = 0.1
"""Of a body [m]."""
MOMENTS = (0.001, 0.002, 0.002)
"""About the axes through the mass centre [kg·m²]; a body weighs 1 kg."""


def chain(bodies: int) -> str:
    """URDF of a chain whose axes are z and y in turn."""
    xx, yy, zz = MOMENTS
    lines = [
        f'<link name="b{i}"><inertial><origin xyz="{LENGTH / 2} 0 0"/><mass value="1"/>'
        f'<inertia ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/></inertial></link>'
        f'<joint name="j{i}" type="continuous"><parent link="b{i - 1}"/><child link="b{i}"/>'
        f'<origin xyz="{LENGTH if i > 1 else 0.0} 0 0"/><axis xyz="{"0 0 1" if i % 2 else "0 1 0"}"/></joint>'
        for i in range(1, bodies + 1)
    ]
    return "\n".join(('<robot name="chain"><link name="b0"/>', *lines, "</robot>"))


def chain_text(bodies: int) -> str:
    """The same chain as peers/pinocchio_race.cpp reads it."""
    lines = ["gravity 0 0 -9.81"]
    xx, yy, zz = MOMENTS
    for i in range(1, bodies + 1):
        place = f"1 0 0 0 1 0 0 0 1 {LENGTH if i > 1 else 0.0} 0 0"
        lines.append(f"joint {'RZ' if i % 2 else 'RY'} {i - 1} 0 0 0 {place} 1 {LENGTH / 2} 0 0 {xx} 0 {yy} 0 0 {zz}")
    return "\n".join((*lines, f"frame {bodies} 1 0 0 0 1 0 0 0 1 0 0 0", ""))


def run(sizes: Sequence[int], rounds: int) -> dict[str, Any]:
    """Least seconds of one state by size, ours and theirs."""
    try:
        library = pinocchio_race()
    except Missing as missing:
        print(f"without Pinocchio: {missing}")
        library = None
    rows = []
    for size in sizes:
        system = sistel.parse(chain(size), "chain.urdf")
        rng = np.random.default_rng(1)
        q, v, tau = rng.uniform(-np.pi, np.pi, size), rng.normal(size=size), 10 * rng.normal(size=size)
        start = time.perf_counter()
        a = system.forward_dynamics(q, v, tau)
        first = time.perf_counter() - start
        handle = library.race_new(chain_text(size).encode()) if library and size <= PEER_SIZE else None
        error = residual(system, q, v, a, tau, None if handle is None else (library, handle))
        turns = {"sistel": _ours(system, q, v, tau)}
        if handle is not None:
            turns["aba local"] = _theirs(library, handle, "aba local", q, v, tau)
            turns["aba world"] = _theirs(library, handle, "aba world", q, v, tau)
        seconds = measure_turns(turns, max(3, min(rounds, int(PATIENCE / first))))
        if handle is not None:
            library.race_delete(handle)
        rows.append({"bodies": size, "first": first, "residual": error, "seconds": seconds})
        texts = [f"{name} {human(t / size)} a body" for name, t in seconds.items()]
        print(f"  {size:6} bodies: {', '.join(texts)}; first call {human(first)}; residual {error:.1e}", flush=True)
    engine = f"Pinocchio {library.race_version().decode()}" if library else None
    return {"machine": machine(), "engine": engine, "chains": rows}


def residual(system: sistel.System, q: Any, v: Any, a: Any, tau: Any, peer: tuple[Any, int] | None) -> float:
    """How far inverse dynamics of the accelerations is from the forces, relative to the terms that cancel in it.

    The accelerations themselves say little: a long chain is so badly conditioned that none of their digits need agree.
    """
    still, unit = np.zeros_like(v), np.eye(1, len(v))[0]
    column = system.inverse_dynamics(q, still, unit) - system.inverse_dynamics(q, still, still)
    size = np.abs(column).max() * np.abs(a).max()
    found = [system.inverse_dynamics(q, v, a)]
    if peer is not None:
        library, handle = peer
        out = np.empty_like(a)
        addresses = [array.ctypes.data for array in (q, v, a, out)]
        library.race_run(handle, library.race_task(b"rnea"), 1, *addresses, len(a), 1)
        found.append(out)
    worst = max(float(np.abs(forces - tau).max() / size) for forces in found)
    assert worst < 1e-14, worst
    return worst


def _ours(system: sistel.System, q: Any, v: Any, tau: Any) -> Any:
    out = np.empty_like(tau)

    def turn(passes: int) -> float:
        start = time.perf_counter()
        for _ in range(passes):
            system.forward_dynamics(q, v, tau, out=out)
        return (time.perf_counter() - start) / passes

    return turn


def _theirs(library: Any, handle: int, task: str, q: Any, v: Any, tau: Any) -> Any:
    number, addresses = library.race_task(task.encode()), [array.ctypes.data for array in (q, v, tau)]
    return lambda passes: library.race_run(handle, number, 1, *addresses, None, 0, passes)


def main() -> int:
    arguments = parser(__doc__, rounds=100)
    arguments.add_argument("--size", action="append", type=int, help=f"bodies; may be repeated {SIZES}")
    options = arguments.parse_args()
    data = run(options.size or SIZES, options.rounds)
    write({"benchmark": "chains", **data}, options.json or RESULTS / "chains.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
