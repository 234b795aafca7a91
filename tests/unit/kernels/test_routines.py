"""Routines that programs call: the same numbers from CPython, machine code, batches, JavaScript and C."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from sistel.errors import SistelError
from sistel.expr import Graph, Program, Routine, Trace, Traced, call, evaluate, gradient, replay, split_prologue
from sistel.kernels import compile_program, from_blocks, keep_program, recall_program, to_blocks, to_c, to_cuda, to_js
from sistel.kernels.subset import Floats, shift

BASE = 7
DATA = [1.0, -2.0, 3.5, 8.0]


def halved(x: float, times: int) -> float:
    y = x
    for _i in range(times):
        y = y / 2.0
        if y < 0.01:
            break
    return y


def nearest(data: Floats, given: Floats, made: Floats) -> None:
    best = math.inf
    where = -1
    i = 0
    while i < 4:
        d = abs(shift(data, 1)[i - 1] - given[0]) if i > 0 else abs(data[0] - given[0])
        if d < best and not (d > 1e9):
            best = d
            where = i
        i += 1
    made[0] = min(best, 100.0) + float((where * 12345 + BASE) % 1000 ^ 77)
    made[1] = halved(given[1] * given[1], 3) + float(-7 // 2) + math.copysign(0.5, given[0]) + float(int(given[1]))


ROUTINE = Routine("nearest", (nearest, halved), 2, 2, DATA)


def example() -> Program:
    graph = Graph()
    x = graph.inputs("x", 2)
    a, b = call(ROUTINE, [x[0] * 2, x[1]])
    c, d = call(ROUTINE, [x[1], -x[0]])
    return graph.program({"y": [a + b, b, c * d, d - a * x[0]]})


PROGRAM = example()
ROWS = np.random.default_rng(0).normal(size=(37, 2)) * 5
WANTED = np.array([evaluate(PROGRAM, row)[0] for row in ROWS])


def test_a_routine_is_computed_from_numbers_at_once() -> None:
    near, rest = call(ROUTINE, [0.9, 3.0])
    assert near == pytest.approx(0.1 + (7 ^ 77), abs=1e-13)
    assert rest == 9.0 / 8.0 - 4.0 + 0.5 + 3.0
    with pytest.raises(ValueError, match="takes 2 numbers"):
        call(ROUTINE, [1.0])


def test_equal_calls_are_one_node() -> None:
    graph = Graph()
    x = graph.inputs("x", 2)
    assert call(ROUTINE, x) == call(ROUTINE, x)
    assert call(ROUTINE, x) != call(ROUTINE, x[::-1])
    twin = Routine("nearest", (nearest, halved), 2, 2, DATA)
    assert twin.key == ROUTINE.key != Routine("nearest", (nearest, halved), 2, 2, [*DATA[:3], 9.0]).key


def test_traced_numbers_stay_formulas() -> None:
    trace = Trace()
    p = trace.symbol("p", 0.9)
    near = call(ROUTINE, [p, 3.0])[0]
    assert isinstance(near, Traced)
    assert float(near) == call(ROUTINE, [0.9, 3.0])[0]


@pytest.mark.parametrize("backend", ["llvm", "numpy", "table"])
def test_backends_agree(backend: str) -> None:
    kernel = compile_program(PROGRAM, backend=backend)  # type: ignore[arg-type]
    # Products and sums may be rounded once: numbers near 10⁴.
    np.testing.assert_allclose(kernel(ROWS), WANTED, rtol=0, atol=1e-11)
    np.testing.assert_allclose(kernel(ROWS[3]), WANTED[3], rtol=0, atol=1e-11)
    blocked = from_blocks(kernel.blocked(to_blocks(ROWS[:32], kernel.width)))
    np.testing.assert_allclose(blocked, WANTED[:32], rtol=0, atol=1e-11)


def test_single_precision_calls_with_doubles() -> None:
    found = compile_program(PROGRAM, dtype="float32")(ROWS)
    np.testing.assert_allclose(found, WANTED, rtol=1e-5, atol=1e-2)


def test_a_program_comes_back_from_disk(tmp_path: Path) -> None:
    keep_program(tmp_path, ["routine"], (PROGRAM, ()))
    known = recall_program(tmp_path, ["routine"])
    assert known is not None
    np.testing.assert_allclose(compile_program(known[0], cache=tmp_path)(ROWS), WANTED, rtol=0, atol=1e-11)
    # The object comes from the cache this time.
    np.testing.assert_allclose(compile_program(known[0], cache=tmp_path)(ROWS), WANTED, rtol=0, atol=1e-11)


def test_lists_are_never_hoisted() -> None:
    graph = Graph()
    p, x = graph.inputs("p", 1), graph.inputs("x", 1)
    line = graph.program({"y": [*call(ROUTINE, [p[0] * 3, p[0]]), *call(ROUTINE, [2 * p[0], x[0]])]})
    early, late = split_prologue(line, ["p"])
    hoisted = evaluate(early, [0.7])[0]
    assert evaluate(late, [1.3], hoisted) == evaluate(line, [0.7], [1.3])


def test_replay_makes_the_same_nodes() -> None:
    graph = Graph()
    x = graph.inputs("x", 2)
    assert replay(PROGRAM, x)[0][1] == call(ROUTINE, [2 * x[0], x[1]])[1]


@pytest.mark.parametrize("compact", [False, True])
@pytest.mark.parametrize("part", [1000, 2])
def test_javascript_computes_the_same(compact: bool, part: int, tmp_path: Path) -> None:
    text = to_js(PROGRAM, "f", compact=compact, part=part)
    rows = json.dumps(ROWS.tolist())
    ask = f"const y=new Float64Array(4);console.log(JSON.stringify({rows}.map(x=>{{f(x,y);return [...y]}})))"
    (tmp_path / "f.mjs").write_text(f"{text}\n{ask}\n")
    said = subprocess.run(["node", tmp_path / "f.mjs"], capture_output=True, text=True, check=True).stdout
    np.testing.assert_array_equal(json.loads(said), WANTED)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler")
def test_c_computes_the_same(tmp_path: Path) -> None:
    header, source = to_c(PROGRAM, "f")
    main = '#include <stdio.h>\nint main(void){double x[2],y[4];while(scanf("%lf %lf",x,x+1)==2){f(x,y);'
    main += 'printf("%.17g %.17g %.17g %.17g\\n",y[0],y[1],y[2],y[3]);}return 0;}\n'
    (tmp_path / "f.h").write_text(header)
    (tmp_path / "f.c").write_text(source + main)
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "f.c", "-o", "f", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    lines = "\n".join(f"{a!r} {b!r}" for a, b in ROWS.tolist())
    said = subprocess.run([tmp_path / "f"], input=lines, capture_output=True, text=True, check=True).stdout
    np.testing.assert_array_equal([[float(x) for x in line.split()] for line in said.splitlines()], WANTED)


def test_what_has_no_routines_says_so() -> None:
    with pytest.raises(SistelError, match="nearest"):
        to_cuda(PROGRAM, "f")
    with pytest.raises(SistelError, match="nearest"):
        to_c(PROGRAM, "f", dtype="float32")
    graph = Graph()
    x = graph.inputs("x", 2)
    with pytest.raises(SistelError, match="no derivative"):
        gradient(graph, call(ROUTINE, x)[0], x)
