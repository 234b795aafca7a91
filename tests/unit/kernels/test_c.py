"""The printed C compiles alone, without a warning, and computes the same."""

from __future__ import annotations

import ctypes
import math
import re
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

import sistel
from sistel import SistelError, expr
from sistel.expr import Graph, Program, evaluate
from sistel.kernels import to_c
from sistel.kernels._c_text import RESERVED
from sistel.mechanics import build_tree, derive

COMPILERS = [path for name in ("gcc", "clang", "cc") if (path := shutil.which(name)) is not None][:2]
COMPILER = COMPILERS[0] if COMPILERS else None
FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
SINGLE = ("-Wdouble-promotion", "-Wconversion", "-Wfloat-conversion")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler")
compilers = pytest.mark.parametrize("compiler", COMPILERS or [""], ids=lambda path: Path(path).name)


def build(
    folder: Path, compiled: Program, name: str, *, compiler: str | None = None, dtype: str = "float64"
) -> ctypes.CDLL:
    header, source = to_c(compiled, name, dtype=dtype)
    (folder / f"{name}.h").write_text(header, encoding="utf-8")
    (folder / f"{name}.c").write_text(source, encoding="utf-8")
    library = folder / f"lib{name}.so"
    flags = [*FLAGS, *(SINGLE if dtype == "float32" else ())]
    arguments = [compiler or COMPILER or "cc", *flags, "-O1", "-shared", "-fPIC", "-o", str(library)]
    done = subprocess.run([*arguments, str(folder / f"{name}.c"), "-lm"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


def call(
    library: ctypes.CDLL, name: str, compiled: Program, *blocks: list[float], dtype: str = "float64"
) -> list[list[float]]:
    scalar = ctypes.c_double if dtype == "float64" else ctypes.c_float
    inputs = [(scalar * len(block))(*block) for block in blocks]
    outputs = [(scalar * size)() for _, size in compiled.outputs]
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
    return graph.program(
        {
            "x": [a + b, a - b, a * b, a / b, -a, a * 0.1 - 2.5, 1e-30 / b, expr.sin(a), expr.cos(a), expr.sqrt(b)],
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


STATES = [([a, b], [0.0], [0.0] * 3, list[float]()) for a in (-2.5, -1.0, 0.0, 0.5, 3.0) for b in (0.25, 1.0, 3.0)]


@needs_compiler
@compilers
def test_every_operation(tmp_path: Path, compiler: str) -> None:
    compiled = everything()
    library = build(tmp_path, compiled, "everything", compiler=compiler)
    for blocks in STATES:
        # Python's mathematics are the C library's: not a bit may differ.
        assert call(library, "everything", compiled, *blocks) == evaluate(compiled, *blocks)


@needs_compiler
@compilers
def test_every_operation_in_single_precision(tmp_path: Path, compiler: str) -> None:
    compiled = everything()
    library = build(tmp_path, compiled, "everything", compiler=compiler, dtype="float32")
    for blocks in STATES:
        got, reference = call(library, "everything", compiled, *blocks, dtype="float32"), evaluate(compiled, *blocks)
        for values, expected in zip(got, reference, strict=True):
            # The constants and each operation are rounded once, half an ulp or 6e-8 each.
            assert values == pytest.approx(expected, rel=1.8e-7, abs=1.8e-7)


@needs_compiler
def test_equations_of_motion(tmp_path: Path, models_dir: Path) -> None:
    compiled = derive(build_tree(sistel.load(models_dir / "panda_like.xml").model), "inverse_dynamics")
    state = [[math.sin(7.3 * i + block) for i in range(size)] for block, (_, size) in enumerate(compiled.inputs)]
    (expected,) = evaluate(compiled, *state)
    assert call(build(tmp_path, compiled, "double_arm"), "double_arm", compiled, *state) == [expected]
    library = build(tmp_path, compiled, "single_arm", dtype="float32")
    (got,) = call(library, "single_arm", compiled, *state, dtype="float32")
    # Some hundred roundings and those of the inputs, most of them of smaller numbers than the result.
    assert got == pytest.approx(expected, rel=0, abs=1e-6 * max(map(abs, expected)))


@needs_compiler
def test_not_a_number_passes_through(tmp_path: Path) -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    compiled = graph.program({"x": [expr.minimum(a, b), expr.maximum(a, b)]})
    library = build(tmp_path, compiled, "extremes")
    for state in ([math.nan, 1.0], [1.0, math.nan]):
        assert all(math.isnan(value) for value in call(library, "extremes", compiled, state)[0])


@needs_compiler
def test_a_program_without_inputs(tmp_path: Path) -> None:
    compiled = Graph().program({"x": [1.0, 0.1]})
    assert call(build(tmp_path, compiled, "constants"), "constants", compiled) == [[1.0, 0.1]]
    build(tmp_path, Graph().program({}), "nothing")


@needs_compiler
def test_the_header_suits_cpp(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    header, _ = to_c(everything(), "everything")
    (tmp_path / "everything.h").write_text(header, encoding="utf-8")
    (tmp_path / "use.cpp").write_text('#include "everything.h"\n#include "everything.h"\n')
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", str(tmp_path / "use.cpp")], check=True)


@needs_compiler
def test_blocks_may_be_called_anything(tmp_path: Path) -> None:
    graph = Graph()
    blocks = [graph.inputs(name, 1)[0] for name in (*sorted(RESERVED), "v1", "in0", "out", "рука", "a b", "", "f")]
    total = blocks[0]
    for block in blocks[1:]:
        total = total + block
    compiled = graph.program({"f": [total], "errno": [total * 2.0]})
    ones = [[1.0]] * len(blocks)
    assert call(build(tmp_path, compiled, "f"), "f", compiled, *ones) == [[len(blocks)], [2.0 * len(blocks)]]


def test_the_header_tells_sizes_and_names() -> None:
    header, source = to_c(everything(), "arm")
    assert "void arm(const double *q, const double *in1, const double *unused, const double *in3, double *x" in header
    assert (
        "in   q[2]" in header and "in   in1[1] (block скорость)" in header and "out  out2[5] (block _/ int)" in header
    )
    assert "double precision" in header and "One call takes 4 multiplications, 3 additions, 1 sines" in header
    assert "malloc" not in source
    graph = Graph()
    header, _ = to_c(graph.program({"arm": [*graph.inputs("q", 1)]}), "arm", dtype="float32")
    assert "void arm(const float *q, float *out);" in header and "single precision" in header


def test_the_header_tells_labels() -> None:
    header, _ = to_c(
        everything(), "arm", labels={"q": ["shoulder [rad]", "rail [m/s] */ \\"], "unused": ["1", "2", "3"]}
    )
    assert " *   in   q[2]\n *          [0] shoulder [rad]\n *          [1] rail [m/s] _/ _\n" in header
    with pytest.raises(SistelError, match="q has 2 numbers, and 1 labels were given"):
        to_c(everything(), "arm", labels={"q": ["shoulder"]})
    with pytest.raises(SistelError, match=r"which is no block\n.*did you mean \"unused\""):
        to_c(everything(), "arm", labels={"unusd": []})


def test_literals_of_float32() -> None:
    graph = Graph()
    (a,) = graph.inputs("q", 1)
    numbers = [0.1, 2.0, 1e-45, 3.4028234e38, 16777216.0, 1 / 3, 1e10, -2.5e-7, 123456.789]
    _, source = to_c(graph.program({"x": [a + number for number in numbers]}), "f", dtype="float32")
    texts = re.findall(r"\(?(-?[\d.e+-]+)f\b", source)
    rounded = {struct.unpack("<f", struct.pack("<f", number))[0] for number in numbers}
    assert {struct.unpack("<f", struct.pack("<f", float(text)))[0] for text in texts} == rounded
    assert "0.1f" in source and "2.0f" in source and "0.33333334f" in source
    for number in (3.5e38, -1e300):
        with pytest.raises(SistelError) as caught:
            to_c(graph.program({"x": [a + number]}), "f", dtype="float32")
        assert "float32" in caught.value.render("en") and "велика" in caught.value.render("ru")


@pytest.mark.parametrize(
    "name", ["", "1a", "a-b", "double", "sin", "рука", "a" * 80, "a\n", "a b", "main", "_a", "abs"]
)
def test_names_that_c_does_not_take(name: str) -> None:
    with pytest.raises(SistelError, match="C"):
        to_c(everything(), name)


def test_precisions_that_c_does_not_take() -> None:
    with pytest.raises(SistelError, match="float32 or float64, not 'half'"):
        to_c(everything(), "arm", dtype="half")
