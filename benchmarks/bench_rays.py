"""What a reading of 15 rays costs, and how that grows with the obstacles: planar worlds of turned boxes and circles.

$ python benchmarks/bench_rays.py
"""

from __future__ import annotations

from functools import partial

import numpy as np
from _bench import Case, measure, report

import sistel
from sistel.expr import Graph, Routine, call
from sistel.kernels import Kernel, compile_program

RAYS = 15
READINGS = 1000


def world(count: int) -> Routine:
    """Obstacles in a field of 10 m by 10 m, and a lidar."""
    rng = np.random.default_rng(0)
    shapes = []
    for i in range(count):
        place = ",".join(f"{x:.1f}" for x in rng.uniform(-5000, 5000, 2))
        if i % 4 == 3:
            shapes.append(f'<circle name="o{i}" place="{place}" radius="{rng.uniform(100, 300):.1f}"/>')
        else:
            size = ",".join(f"{x:.1f}" for x in rng.uniform(200, 600, 2))
            shapes.append(f'<box name="o{i}" place="{place}" size="{size}" turn="{rng.uniform(0, 90):.1f}"/>')
    model = sistel.parse(
        f"<system><world>{''.join(shapes)}</world>"
        '<body name="b" joint="free" mass="1" inertia="1"><frame name="e"/></body>'
        f'<scheme name="s" period="1 s"><sensor name="r" kind="lidar" of="e" count="{RAYS}" range="20 m"/></scheme>'
        "</system>"
    ).model
    rays = model.sensor("r").meets
    assert rays is not None
    return rays.routine


def compiled(routine: Routine) -> Kernel:
    """The routine as a kernel of its poses."""
    graph = Graph()
    return compile_program(graph.program({"d": call(routine, graph.inputs("given", routine.takes))}))


def main() -> None:
    """Measure."""
    rng = np.random.default_rng(1)
    angle = rng.uniform(-3, 3, READINGS)
    poses = [rng.uniform(-5, 5, (READINGS, 2)), np.cos(angle)[:, None], np.sin(angle)[:, None]]
    given = np.hstack([*poses, np.tile([0.0, 0.0, 1.0, 0.0], (READINGS, 1))])
    cases: dict[str, Case] = {}
    for count in (40, 50, 100, 200, 400):
        routine = world(count)
        kernel = compiled(routine)
        found = np.asarray(kernel(given))
        for row in range(0, READINGS, 200):
            assert np.allclose(found[row], routine.compute(given[row].tolist()), rtol=0, atol=1e-12)
        cases[f"{count} obstacles, {READINGS} readings"] = partial(kernel, given)
    report("rays", measure(cases))


if __name__ == "__main__":
    main()
