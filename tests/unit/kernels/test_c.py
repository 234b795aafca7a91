"""The printed C compiles alone, without a warning, and computes the same."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess
from pathlib import Path

import pytest

from sistel import SistelError, expr
from sistel.expr import Graph, Program, evaluate, program
from sistel.kernels import to_c

COMPILER = shutil.which("cc")
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler")


def build(folder: Path, compiled: Program, name: str) -> ctypes.CDLL:
    header, source = to_c(compiled, name)
    (folder / f"{name}.h").write_text(header, encoding="utf-8")
    (folder / f"{name}.c").write_text(source, encoding="utf-8")
    library = folder / f"lib{name}.so"
    assert COMPILER is not None
    arguments = [COMPILER, *FLAGS, "-O1", "-shared", "-fPIC", "-o", str(library), str(folder / f"{name}.c"), "-lm"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


def call(library: ctypes.CDLL, name: str, compiled: Program, *blocks: list[float]) -> list[list[float]]:
    inputs = [(ctypes.c_double * len(block))(*block) for block in blocks]
    outputs = [(ctypes.c_double * size)() for _, size in compiled.outputs]
    function = getattr(library, name)
    function.restype = None
    function(*inputs, *outputs)
    return [list(output) for output in outputs]


def everything() -> Program:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    (c,) = graph.inputs("скорость", 1)
    graph.inputs("unused", 3)
    graph.inputs("sin", 0)
    return program(
        graph,
        {
            "x": [a + b, a - b, a * b, a / b, -a, a * 0.1 - 2.5, 1e-300 / b, expr.sin(a), expr.cos(a), expr.sqrt(b)],
            "y": [expr.atan2(a, b), expr.exp(a), expr.log(b), expr.floor(a), expr.absolute(a), c, 1.5, -0.25],
            "*/ int": [
                expr.minimum(a, b),
                expr.maximum(a, b),
                expr.less(a, b),
                expr.less_equal(a, b),
                expr.equal(a, c),
            ],
            "double": [
                expr.logical_and(a, b),
                expr.logical_or(a, c),
                expr.logical_not(expr.less(a, b)),
                expr.select(expr.less(a, b), a, c),
            ],
            "none": [],
        },
    )


@needs_compiler
def test_every_operation(tmp_path: Path) -> None:
    compiled = everything()
    library = build(tmp_path, compiled, "everything")
    for a in (-2.5, -1.0, 0.0, 0.5, 3.0):
        for b in (0.25, 1.0, 3.0):
            blocks = [a, b], [0.0], [0.0] * 3, list[float]()
            got, reference = call(library, "everything", compiled, *blocks), evaluate(compiled, *blocks)
            for values, expected in zip(got, reference, strict=True):
                assert values == pytest.approx(expected, rel=1e-15, abs=0)


@needs_compiler
def test_not_a_number_passes_through(tmp_path: Path) -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    compiled = program(graph, {"x": [expr.minimum(a, b), expr.maximum(a, b)]})
    library = build(tmp_path, compiled, "extremes")
    for state in ([math.nan, 1.0], [1.0, math.nan]):
        assert all(math.isnan(value) for value in call(library, "extremes", compiled, state)[0])


@needs_compiler
def test_a_program_without_inputs(tmp_path: Path) -> None:
    compiled = program(Graph(), {"x": [1.0, 0.1]})
    assert call(build(tmp_path, compiled, "constants"), "constants", compiled) == [[1.0, 0.1]]
    build(tmp_path, program(Graph(), {}), "nothing")


@needs_compiler
def test_the_header_suits_cpp(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    header, _ = to_c(everything(), "everything")
    (tmp_path / "everything.h").write_text(header, encoding="utf-8")
    (tmp_path / "use.cpp").write_text('#include "everything.h"\n#include "everything.h"\n')
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", str(tmp_path / "use.cpp")], check=True)


def test_the_header_tells_sizes_and_names() -> None:
    header, source = to_c(everything(), "arm")
    assert "void arm(const double *q, const double *in1, const double *unused, const double *in3, double *x" in header
    assert (
        "in   q[2]" in header and "in   in1[1] (block скорость)" in header and "out  out2[5] (block __ int)" in header
    )
    assert "malloc" not in source


@pytest.mark.parametrize("name", ["", "1a", "a-b", "double", "sin", "рука", "a" * 80, "a\n", "a b", "main", "_a"])
def test_names_that_c_does_not_take(name: str) -> None:
    with pytest.raises(SistelError, match="C"):
        to_c(everything(), name)
