"""Code for other processors than this one, as far as this one can run it, and objects that need something from outside."""

from __future__ import annotations

import ctypes
import dataclasses
import platform
from typing import Any

import numpy as np
import pytest

import sistel.kernels._machine as machine
from sistel import expr
from sistel.expr import Graph, Program, cos, sin
from sistel.kernels import compile_program, from_blocks, to_blocks

X86 = pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="code for other processors does not run")


def limbs() -> Program:
    graph = Graph()
    q, v = graph.inputs("q", 9), graph.inputs("v", 3)
    c, s = [cos(x) for x in q], [sin(x) for x in q]
    outputs: list[Any] = [c[i] * v[i % 3] - s[i] * v[(i + 1) % 3] * (0.5 + i) for i in range(9)]
    outputs += [expr.floor(v[0] * 3.0), expr.exp(v[1]), expr.atan2(v[1], v[2]), expr.minimum(v[0], v[1])]
    return graph.program({"x": outputs, "sum": [outputs[0] * outputs[4] + outputs[8]]})


@X86
@pytest.mark.parametrize(
    ("cpu", "width"), [("x86-64", 2), ("nehalem", 2), ("sandybridge", 4), ("haswell", 4), ("skylake-avx512", 8)]
)
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_older_processors(
    cpu: str, width: int, dtype: Any, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator
) -> None:
    if width > machine.host().width:
        pytest.skip("this processor has shorter vectors")
    expected_from = compile_program(limbs(), backend="numpy")
    here = machine.host()
    features = {"haswell": "+avx2,+fma", "skylake-avx512": "+avx2,+fma,+avx512f"}.get(cpu, "")
    other = dataclasses.replace(here, cpu=cpu, features=features, width=width, lanes=min(4, width))
    monkeypatch.setattr(machine, "host", lambda: other)
    kernel = compile_program(limbs(), dtype=dtype)
    q, v = rng.uniform(-3, 3, (19, 9)).astype(dtype), rng.normal(size=(19, 3)).astype(dtype)
    q[3, 2], q[5, 0] = 3e5, -2e12  # beyond the inlined reduction
    tolerance = {"float64": 1e-13, "float32": 3e-5}[dtype]
    found = kernel(q, v)
    blocks = kernel.blocked(to_blocks(q, kernel.width), to_blocks(v, kernel.width))
    for rows, block, expected in zip(found, blocks, expected_from(q, v), strict=True):
        np.testing.assert_allclose(rows, expected, rtol=tolerance, atol=tolerance)
        np.testing.assert_array_equal(from_blocks(block, 19), rows)
    one = kernel(q[5], v[5])
    for single, rows in zip(one, found, strict=True):
        np.testing.assert_array_equal(single, rows[5])


def test_lanes_and_width() -> None:
    assert machine.lanes({}) == 2
    assert machine.lanes({"avx": True}) == machine.lanes({"avx": True, "avx2": True, "avx512f": False}) == 4
    assert machine.lanes({"avx": True, "avx512f": True}) == 8


OWN = """
define double @twice(double %x) {
  %y = fmul double %x, 2.5
  ret double %y
}
"""
FOREIGN = """
declare double @cosh(double)
define double @twice(double %x) {
  %c = call double @cosh(double %x)
  %y = fmul double %c, 2.5
  ret double %y
}
"""


@pytest.mark.parametrize(("text", "expected"), [(OWN, 5.0), (FOREIGN, 2.5 * np.cosh(2.0))])
def test_objects_with_and_without_foreign_symbols(text: str, expected: float) -> None:
    compiled = machine.assemble(text)
    if machine.host().triple.startswith("x86_64") and "linux" in machine.host().triple:
        assert machine.self_contained(compiled) == (text is OWN)
    code = machine.Code(compiled)
    twice = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(code.address("twice"))
    assert twice(2.0) == pytest.approx(expected, rel=1e-15)
    with pytest.raises(LookupError, match="thrice"):
        code.address("thrice")
    with pytest.raises(LookupError, match="thrice"):
        code.variable("thrice")


def test_what_is_no_object_is_not_self_contained() -> None:
    assert not machine.self_contained(b"")
    assert not machine.self_contained(b"\x7fELF\x01\x01" + bytes(100))
