"""All backends compute the same numbers as the plain interpreter of `sistel.expr`."""

from __future__ import annotations

import ctypes
import dataclasses
import math
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sistel import expr
from sistel.expr import Expr, Graph, Program, evaluate
from sistel.kernels import compile_program, to_c

BINARY: list[Callable[..., Any]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a * 0.75 + b,
    lambda a, b: a / (b * b + 1.5),
    lambda a, b: expr.atan2(a, b * b + 0.5),
    expr.minimum,
    expr.maximum,
]
UNARY: list[Callable[..., Any]] = [
    lambda a: -a,
    expr.sin,
    expr.cos,
    expr.absolute,
    lambda a: expr.sqrt(a * a + 0.25),
    lambda a: expr.exp(expr.sin(a)),
    lambda a: expr.log(a * a + 0.5),
]
TRUTHS: list[Callable[..., Any]] = [
    expr.less,
    expr.less_equal,
    expr.equal,
    lambda a, b: expr.logical_and(expr.less(a, b), expr.less(b, 2.0)),
    lambda a, b: expr.logical_or(expr.less(a, b), a),
    lambda a, b: expr.logical_not(expr.less(a, b)),
]


TRUTH_OPERATIONS = {expr.Op.LESS, expr.Op.LESS_EQUAL, expr.Op.EQUAL, expr.Op.AND, expr.Op.OR, expr.Op.NOT}


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Programs of all operations whose values stay moderate, so that rounding is not amplified without bound."""
    graph = Graph()
    pool: list[Expr] = []
    for name in ("q", "v", "a")[: draw(st.integers(1, 3))]:
        pool += graph.inputs(name, draw(st.integers(1, 10)))
    for _ in range(draw(st.integers(0, 40))):
        a, b = draw(st.sampled_from(pool)), draw(st.sampled_from(pool))
        kind = draw(st.integers(0, 7))
        if kind <= 3:
            node = draw(st.sampled_from(BINARY))(a, b)
        elif kind <= 6:
            node = draw(st.sampled_from(UNARY))(a)
        else:
            node = expr.select(draw(st.sampled_from(TRUTHS))(a, b), b, a) if draw(st.booleans()) else a
        # A sine bounds every fourth value or so; the rest is left to grow a little.
        pool.append(expr.sin(node) if draw(st.integers(0, 3)) == 0 else node)
    outputs: dict[str, list[Expr | float]] = {}
    for name in ("x", "y")[: draw(st.integers(1, 2))]:
        outputs[name] = [draw(st.sampled_from(pool)) for _ in range(draw(st.integers(1, 11)))]
    outputs["x"].append(draw(st.sampled_from([0.0, 1.5])))
    return graph.program(outputs)


def all_values(compiled: Program, state: list[list[float]]) -> list[float]:
    """The value of every line of the program."""
    count = len(compiled.operation)
    lines = dataclasses.replace(compiled, outputs=(("all", count),), results=tuple(range(count)))
    return evaluate(lines, *state)[0]


def margin(compiled: Program, values: list[float]) -> float:
    """How far the nearest decision is from going the other way: where it is 0, an ulp may turn it."""
    least = math.inf
    for op, a, b in zip(compiled.operation, compiled.first, compiled.second, strict=True):
        if op in (expr.Op.LESS, expr.Op.LESS_EQUAL, expr.Op.EQUAL):
            least = min(least, abs(values[a] - values[b]))
        elif op in (expr.Op.AND, expr.Op.OR):
            least = min([least, *(abs(values[x]) for x in (a, b) if compiled.operation[x] not in TRUTH_OPERATIONS)])
    return least


@pytest.mark.slow
@settings(max_examples=40)
@given(programs(), st.integers(0, 2**32 - 1))
def test_backends_agree(compiled: Program, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = 11  # two vectors and a rest at width 4, one and a rest at width 8
    blocks = [rng.uniform(-2.0, 2.0, (rows, size)) for _, size in compiled.inputs]
    states = [[block[row].tolist() for block in blocks] for row in range(rows)]
    values = [all_values(compiled, state) for state in states]
    # Rounding is relative to the intermediates, and the sine of a large one multiplies it again.
    scale = max(1.0, max((abs(value) for row in values for value in row), default=1.0))
    decided = np.array([margin(compiled, row) > 1e-12 * scale**2 for row in values])
    kernels = {"numpy": compile_program(compiled, backend="numpy")}
    kernels |= {f"llvm {width}": compile_program(compiled, width=width) for width in (1, 4, 8)}
    results = {key: kernel(*blocks) for key, kernel in kernels.items()}
    reference = [evaluate(compiled, *state) for state in states]
    for key, got in results.items():
        for block, array in enumerate(_tuple(got)):
            expected = np.array([row[block] for row in reference])
            np.testing.assert_allclose(array[decided], expected[decided], rtol=0, atol=1e-12 * scale**2, err_msg=key)
    # The lanes compute what the scalar code computes, to the last bit.
    for width in (4, 8):
        for one, many in zip(_tuple(results["llvm 1"]), _tuple(results[f"llvm {width}"]), strict=True):
            np.testing.assert_array_equal(one, many)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@settings(max_examples=12)
@given(programs(), st.integers(0, 2**32 - 1))
def test_printed_c_agrees(compiled: Program, seed: int) -> None:
    rng = np.random.default_rng(seed)
    state = [rng.uniform(-2.0, 2.0, size).tolist() for _, size in compiled.inputs]
    header, source = to_c(compiled, "printed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "printed.h").write_text(header)
        (folder / "printed.c").write_text(source)
        # -O0: the C library's functions and no contraction, which is what the interpreter of `sistel.expr` does too.
        command = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-O0", "-ffp-contract=off", "-shared", "-fPIC"]
        subprocess.run([*command, "-o", "printed.so", "printed.c", "-lm"], cwd=folder, check=True)
        function = ctypes.CDLL(str(folder / "printed.so")).printed
        function.restype = None
        outputs = [(ctypes.c_double * size)() for _, size in compiled.outputs]
        function(*((ctypes.c_double * len(block))(*block) for block in state), *outputs)
    for got, expected in zip(outputs, evaluate(compiled, *state), strict=True):
        np.testing.assert_array_equal(list(got), expected)


def _tuple(result: Any) -> tuple[Any, ...]:
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_every_operation(backend: Any) -> None:
    graph = Graph()
    a, b = graph.inputs("ab", 2)
    outputs = {
        "arithmetic": [a + b, a - b, a * b, a / b, -a, a * 2.0, 1.0 / b],
        "functions": [expr.sqrt(b), expr.sin(a), expr.cos(a), expr.atan2(a, b), expr.exp(a), expr.log(b)],
        "order": [expr.minimum(a, b), expr.maximum(a, b), expr.absolute(a), expr.floor(a)],
        "truths": [expr.less(a, b), expr.less_equal(a, b), expr.equal(a, b), expr.logical_not(a)],
        "logic": [expr.logical_and(a, b), expr.logical_or(a, b), expr.select(a, b, a + 1.0), expr.select(expr.less(a, b), a, b)],
    }  # fmt: skip
    compiled = graph.program(outputs)
    states = [[x, y] for x in (-2.5, -1.0, 0.0, 0.5, 3.0) for y in (0.25, 0.5, 1.0, 3.0)]
    results = compile_program(compiled, backend=backend)(states)
    assert isinstance(results, tuple)
    for row, state in enumerate(states):
        for array, expected in zip(results, evaluate(compiled, state), strict=True):
            np.testing.assert_allclose(array[row], expected, rtol=4e-16, atol=0)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("rows", [1, 9])
def test_nan_infinity_and_division_by_zero(backend: Any, rows: int) -> None:
    graph = Graph()
    a, b = graph.inputs("ab", 2)
    outputs = [expr.minimum(a, b), expr.maximum(a, b), expr.sin(a), a + b, expr.sqrt(a), a / b]
    kernel = compile_program(graph.program({"out": outputs}), backend=backend)
    nan, inf = math.nan, math.inf

    def compute(x: float, y: float) -> list[float]:
        result = kernel([[x, y]] * rows)
        assert isinstance(result, np.ndarray)
        return list(map(float, result[-1]))

    assert all(math.isnan(value) for value in compute(nan, 1.0))
    assert all(math.isnan(value) for value in compute(1.0, nan)[:2])
    assert compute(1.0, 0.0)[5] == inf
    assert math.isnan(compute(inf, 1.0)[2])
    assert math.isnan(compute(-1.0, 1.0)[4])
    assert math.copysign(1.0, compute(-0.0, 1.0)[2]) == -1.0


def test_plain_sums_are_not_reassociated() -> None:
    graph = Graph()
    a, b, c = graph.inputs("abc", 3)
    kernel = compile_program(graph.program({"sum": [(a + b) + c, a + (b + c)]}))
    result = kernel([1e16, -1e16, 1.0])
    assert isinstance(result, np.ndarray)
    assert result.tolist() == [1.0, 0.0]


def test_a_program_without_operations() -> None:
    graph = Graph()
    graph.inputs("q", 3)
    compiled = graph.program({"constant": [1.0, 2.0]})
    for kernel in (compile_program(compiled), compile_program(compiled, backend="numpy")):
        np.testing.assert_array_equal(kernel(np.zeros((9, 3))), np.tile([1.0, 2.0], (9, 1)))


def test_the_library_is_found() -> None:
    # Angles beyond the inlined reduction, exponentials and logarithms go to the C library by name.
    graph = Graph()
    (x,) = graph.inputs("x", 1)
    kernel = compile_program(graph.program({"y": [expr.exp(x), expr.sin(x), expr.atan2(x, 2.0)]}))
    np.testing.assert_allclose(kernel([500.0]), [math.exp(500), math.sin(500), math.atan2(500, 2)], rtol=1e-15)
    np.testing.assert_allclose(kernel([[7e5]] * 9)[:, 1], [math.sin(7e5)] * 9, rtol=1e-15)  # type: ignore[call-overload]
