"""Routines of blocks: the same numbers from CPython, machine code and JavaScript; and texts in C."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sistel.expr import Graph, Program, Routine, call
from sistel.kernels import compile_program, to_c, to_js
from sistel.model.blocks import REACH, centroid_of, room_of
from sistel.model.blocks._drive import profile_routine
from sistel.model.blocks._waypoints import waypoint_routine

JOINT = [0.0, 0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
"""A hinge 0.3 m above the last, without its axis and its limits."""
AXES = ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0])
TOOL = [0.0, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]


def chain(method: float) -> Routine:
    joints = [number for axis in AXES for number in (*JOINT, *axis, -2.0, 2.0)]
    data = [float(len(AXES)), 1.0, method, 6.0, 1e-9, 1e-9, 1.0 / 1.4, *TOOL, *joints]
    return Routine("reach", REACH, len(AXES) + 7, room_of(len(AXES)), data)


ROUTINES = {
    "centroid": (centroid_of([(0.0, 1.0, 1.0, 2.0), (1.0, 1.5, 2.0, 4.0), (-1.0, -1.0, 0.0, 3.0)], 0.5), 2),
    "waypoint": (waypoint_routine(0.01, 4, 7), 8),
    "profile": (profile_routine(0.4), 4),
    "descent": (chain(0.0), len(AXES) + 3),
    "marquardt": (chain(1.0), len(AXES) + 3),
}


def rows_of(name: str) -> np.ndarray:
    rng = np.random.default_rng(6)
    routine = ROUTINES[name][0]
    rows = rng.uniform(0, 1, size=(12, routine.takes))
    if name == "waypoint":
        rows[:, -1] = rng.integers(1, 40, size=12)
    return rows


def program(name: str) -> Program:
    routine, count = ROUTINES[name]
    graph = Graph()
    return graph.program({"y": call(routine, list(graph.inputs("x", routine.takes)))[:count]})


@pytest.mark.parametrize("name", ROUTINES)
def test_machine_code_computes_the_same(name: str) -> None:
    routine, count = ROUTINES[name]
    rows = rows_of(name)
    wanted = np.array([routine.compute(row.tolist())[:count] for row in rows])
    assert np.abs(compile_program(program(name))(rows) - wanted).max() < 1e-12


@pytest.mark.skipif(shutil.which("node") is None, reason="JavaScript needs node")
@pytest.mark.parametrize("name", ROUTINES)
def test_javascript_computes_the_same(name: str, tmp_path: Path) -> None:
    rows, (routine, count) = rows_of(name), ROUTINES[name]
    given = json.dumps(rows.tolist())
    ask = f"const y=new Float64Array({count});console.log(JSON.stringify({given}.map(x=>{{f(x,y);return [...y]}})))"
    (tmp_path / "f.mjs").write_text(f"{to_js(program(name), 'f')}\n{ask}\n", encoding="utf-8")
    said = subprocess.run(["node", tmp_path / "f.mjs"], capture_output=True, text=True, check=True, timeout=60).stdout
    wanted = np.array([routine.compute(row.tolist())[:count] for row in rows])
    assert np.abs(np.array(json.loads(said)) - wanted).max() < 1e-12


@pytest.mark.parametrize("name", ROUTINES)
def test_c_has_them_too(name: str) -> None:
    header, source = to_c(program(name), "f")
    assert ROUTINES[name][0].functions[0].__name__ in source and "f" in header
