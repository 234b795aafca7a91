"""The printed CUDA C: its text, its numbers on a processor through a shim, its compilation, and calls on a device.

Most of it needs no GPU. The shim gives g++ the few words of CUDA that the source uses and runs thread after thread, so
the very text that a device gets is computed here too. A stand-in for CuPy over NumPy and that shim tests the calls.
"""

from __future__ import annotations

import ctypes
import math
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import sistel
from sistel import SistelError, expr
from sistel.expr import Graph, Program
from sistel.kernels import CudaKernel, compile_cuda, compile_program, to_cuda
from sistel.mechanics import build_tree, derive

COMPILER = shutil.which("g++")
NVCC = shutil.which("nvcc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="no g++")
needs_nvcc = pytest.mark.skipif(NVCC is None, reason="no nvcc")

SHIM = """
#include <cmath>
#include <cstddef>
#include <cstring>
#define __global__
#define __device__
#define __constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
struct place { unsigned int x; };
static place blockIdx, blockDim, threadIdx;
struct alignas(8) float2 { float x, y; };
struct alignas(16) float4 { float x, y, z, w; };
struct alignas(16) double2 { double x, y; };
static inline float2 make_float2(float a, float b) { return {a, b}; }
static inline float4 make_float4(float a, float b, float c, float d) { return {a, b, c, d}; }
static inline double2 make_double2(double a, double b) { return {a, b}; }
static inline int __float_as_int(float a) { int i; memcpy(&i, &a, sizeof i); return i; }
static inline int __double2loint(double a) { int i; memcpy(&i, &a, sizeof i); return i; }
template <class T> static inline T __ldg(const T *a) { return *a; }
"""
RUN = """
extern "C" void run_{kernel}(void **p, unsigned int grid, unsigned int block, unsigned int count)
{{
    blockDim.x = block;
    for (blockIdx.x = 0; blockIdx.x < grid; blockIdx.x++)
        for (threadIdx.x = 0; threadIdx.x < block; threadIdx.x++) {kernel}({arguments}count);
}}
"""
ROUNDING = {"float32": 2.0**-24, "float64": 2.0**-53}


class Shim:
    """A source compiled for the processor."""

    def __init__(self, folder: Path, source: str) -> None:
        text = [SHIM, source]
        for kernel, arguments in re.findall(r"^(\w+)\((.*)\)$", source, re.MULTILINE):
            pointers = [argument.rsplit("*", 1)[0] + "*" for argument in arguments.split(", ")[:-1]]
            passed = "".join(f"({kind})p[{i}], " for i, kind in enumerate(pointers))
            text.append(RUN.format(kernel=kernel, arguments=passed))
        path = folder / "shim.cpp"
        path.write_text("".join(text), encoding="utf-8")
        assert COMPILER is not None
        command = [COMPILER, "-O0", "-w", "-ffp-contract=off", "-shared", "-fPIC", "-o", str(path.with_suffix(".so"))]
        done = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        self.library = ctypes.CDLL(str(path.with_suffix(".so")))

    def launch(self, kernel: str, grid: int, block: int, arrays: Sequence[Any], count: int) -> None:
        pointers = (ctypes.c_void_p * len(arrays))(*(array.ctypes.data for array in arrays))
        getattr(self.library, f"run_{kernel}")(pointers, grid, block, ctypes.c_uint(count))


@cache
def shim_of(source: str) -> Shim:
    """Many tests call the same few kernels."""
    with tempfile.TemporaryDirectory() as folder:  # a library that is loaded needs its file no longer
        return Shim(Path(folder), source)


def on_processor(compiled: Program, dtype: str, blocks: Sequence[Any], states: int = 1) -> list[Any]:
    """The outputs of a launch over all states, shape (size, count); what nobody writes is NaN."""
    shim = shim_of(to_cuda(compiled, "kernel", dtype, states=states))
    count = blocks[0].shape[1]
    inputs = [np.ascontiguousarray(block, dtype=dtype) for block in blocks]
    outputs = [np.full((size, count), np.nan, dtype) for _, size in compiled.outputs]
    name = "kernel" if states == 1 else f"kernel_x{states}"
    shim.launch(name, -(-count // (64 * states)), 64, [*inputs, *outputs], count)
    return outputs


def reference(compiled: Program, blocks: Sequence[Any], dtype: str = "float64") -> list[Any]:
    """The NumPy reference on the same numbers, rounded to the precision first."""
    rows = [block.astype(dtype).astype(np.float64).T for block in blocks]
    results = compile_program(compiled, backend="numpy")(*rows)
    return [result.T for result in (results if isinstance(results, tuple) else (results,))]


def everything() -> Program:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    (c,) = graph.inputs("скорость", 1)
    graph.inputs("count", 1)
    return graph.program(
        {
            "x": [a + b, a - b, a * b, a / b, -a, a * 0.1 - 2.5, 1e-3 / b, expr.sin(a), expr.cos(a), expr.sqrt(b)],
            "*/": [expr.atan2(a, b), expr.exp(a), expr.log(b), expr.floor(a), expr.absolute(a), c, 1.5, expr.cos(b)],
            "float2": [
                expr.minimum(a, b),
                expr.maximum(a, b),
                expr.less(a, b),
                expr.less_equal(a, b),
                expr.equal(a, c),
                expr.logical_and(a, b),
                expr.logical_or(a, c),
                expr.logical_not(expr.less(a, b)),
                expr.select(expr.less(a, b), a, c),
            ],
            "none": [],
        },
    )


def equations(models_dir: Path, model: str, quantity: str) -> Program:
    return derive(build_tree(sistel.load(models_dir / f"{model}.xml").model), quantity)


def sines() -> Program:
    graph = Graph()
    (x,) = graph.inputs("x", 1)
    return graph.program({"y": [expr.sin(x), expr.cos(x)]})


# --- the text --------------------------------------------------------------------------------------------------------


def code_of(source: str) -> str:
    return re.sub(r"//.*", "", source)


def test_one_precision_only(models_dir: Path) -> None:
    for compiled in (everything(), equations(models_dir, "panda_like", "inverse_dynamics")):
        single = code_of(to_cuda(compiled, "kernel", "float32", states=4))
        literals = re.findall(r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=e))(?:e[-+]?\d+)?f?", single)
        assert literals and [text for text in literals if not text.endswith("f")] == []
        assert not re.search(r"\bdouble|\b(sincos|sin|cos|sqrt|atan2|exp|log|floor|fabs|fma)\(", single)
        double = code_of(to_cuda(compiled, "kernel", "float64", states=2))
        assert not re.search(r"\bfloat|\df\b|\b(sincos|sqrt|atan2|exp|log|floor|fabs|fma)f\(", double)


def test_one_call_for_sine_and_cosine() -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    source = to_cuda(graph.program({"x": [expr.sin(a), expr.cos(a), expr.cos(b), expr.sin(a + b)]}), "kernel")
    assert source.count("= sistel_sincos<huge>(") == 3


def test_the_comment_tells_shapes_names_and_labels() -> None:
    source = to_cuda(everything(), "arm", labels={"q": ["shoulder [rad]", "elbow\n[rad]"]})
    assert "//   in   q[2][count]\n//          [0] shoulder [rad]\n//          [1] elbow_[rad]\n" in source
    assert "in1[1][count] (block скорость)" in source and "in2[1][count] (block count)" in source
    assert "out2[9][count] (block float2)" in source
    assert "__launch_bounds__(64)\narm(const double *__restrict__ q, const double *__restrict__ in1" in source
    assert "__launch_bounds__(128, 4)" in to_cuda(everything(), "arm", block=128, least_blocks=4)
    assert "arm_x2(" not in source and "arm_x2(" in to_cuda(everything(), "arm", states=2)


def test_without_angles_there_is_no_second_path() -> None:
    graph = Graph()
    (a,) = graph.inputs("q", 1)
    assert "sincos" not in to_cuda(graph.program({"x": [a * 2.0]}), "kernel")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dtype": "float16"}, "float16"),
        ({"dtype": "float64", "states": 4}, "1, 2; not 4"),
        ({"dtype": "float32", "states": 3}, "1, 2, 4; not 3"),
        ({"block": 48}, "not 48"),
        ({"block": 2048}, "not 2048"),
        ({"least_blocks": 0}, "not 0"),
        ({"labels": {"q": ["a"]}}, "q has 2 numbers"),
        ({"name": "blockIdx"}, "CUDA"),
        ({"name": "sincosf"}, "CUDA"),
        ({"name": "рука"}, "CUDA"),
    ],
)
def test_options_that_cuda_does_not_take(options: dict[str, Any], words: str) -> None:
    with pytest.raises(SistelError) as caught:
        to_cuda(everything(), **{"name": "kernel"} | options)
    assert words in caught.value.render("en")
    assert re.search("[а-я]", caught.value.render("ru"))


def test_a_constant_beyond_float32() -> None:
    graph = Graph()
    (a,) = graph.inputs("q", 1)
    compiled = graph.program({"x": [a * 1e39]})
    to_cuda(compiled, "kernel", "float64")
    with pytest.raises(SistelError, match="too large for float32"):
        to_cuda(compiled, "kernel", "float32")


# --- the numbers -----------------------------------------------------------------------------------------------------


@needs_compiler
@pytest.mark.parametrize(("dtype", "states"), [("float32", 1), ("float32", 4), ("float64", 1), ("float64", 2)])
def test_every_operation(dtype: str, states: int) -> None:
    compiled = everything()
    pairs = [(a, b) for a in (-2.5, -1.0, 0.0, 0.5, 3.0, 30.0) for b in (0.25, 1.0, 3.0, 0.1)]
    q = np.array(pairs).T
    blocks = [q, np.where(q[:1] > 1.0, q[:1], 0.0), np.zeros((1, q.shape[1]))]
    for got, expected in zip(
        on_processor(compiled, dtype, blocks, states), reference(compiled, blocks, dtype), strict=True
    ):
        # One rounding of the constant 0.1, one or two of the operation; differences of near numbers go by the larger.
        np.testing.assert_allclose(got, expected, rtol=8 * ROUNDING[dtype], atol=8 * ROUNDING[dtype])


@needs_compiler
def test_blocks_may_be_called_anything() -> None:
    graph = Graph()
    names = "x x0 y0 y2 v v0 q_0 q in in0 out kernel kernel_inputs kernel_again count here far sistel_pair float4 s"
    blocks = [graph.inputs(name, 1)[0] for name in (*names.split(), "рука", "a b", "")]
    total = expr.sin(blocks[0])
    for block in blocks[1:]:
        total = total + block
    compiled = graph.program({"kernel": [total], "x": [total * 2.0], "y": [total * 3.0]})
    ones = [np.ones((1, 8))] * len(blocks)
    for got, expected in zip(on_processor(compiled, "float32", ones, 4), reference(compiled, ones), strict=True):
        np.testing.assert_allclose(got, expected, rtol=1e-6)


@needs_compiler
@pytest.mark.parametrize(("dtype", "states"), [("float32", 4), ("float64", 1)])
def test_equations_of_motion(models_dir: Path, rng: np.random.Generator, dtype: str, states: int) -> None:
    compiled = equations(models_dir, "panda_like", "inverse_dynamics")
    blocks = [rng.uniform(-3.0, 3.0, (size, 200)) for _, size in compiled.inputs]
    blocks[0][2, 17] = 1e7  # one huge angle among the others
    (got,), (expected,) = on_processor(compiled, dtype, blocks, states), reference(compiled, blocks, dtype)
    # Some hundred roundings, most of them of smaller numbers than the result.
    np.testing.assert_allclose(got, expected, rtol=0, atol=16 * ROUNDING[dtype] * np.abs(expected).max())


@needs_compiler
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sine_and_cosine(rng: np.random.Generator, dtype: str) -> None:
    longer = np.longdouble if dtype == "float64" else np.float64
    if np.finfo(longer).eps > 1e-3 * np.finfo(dtype).eps:
        pytest.skip("no longer numbers to compare with")
    far = 65536.0 if dtype == "float32" else 1e5
    quarters = np.arange(-40000, 40000, 3) * (np.pi / 2)  # the angles that lose most digits in the reduction
    angles = [rng.uniform(-4, 4, 4000), rng.uniform(-far, far, 4000), quarters, far * np.array([1.0, -1.0, 1.01, 1e6])]
    x = np.concatenate(angles)[None].astype(dtype)
    (got,) = on_processor(sines(), dtype, [x])
    truth = np.vstack([np.sin(x.astype(longer)), np.cos(x.astype(longer))])
    spacing = np.spacing(np.abs(truth).astype(dtype)).astype(longer)
    assert np.max(np.abs(got.astype(longer) - truth) / spacing) < 1.5


@needs_compiler
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_special_numbers(dtype: str) -> None:
    x = np.array([[0.0, -0.0, math.nan, math.inf, -math.inf, 1e30]])
    (got,) = on_processor(sines(), dtype, [x])
    assert got[:, :2].tolist() == [[0.0, 0.0], [1.0, 1.0]]
    assert np.isnan(got[:, 2:5]).all() and np.isfinite(got[:, 5]).all()
    graph = Graph()
    a, b = graph.inputs("q", 2)
    compiled = graph.program({"x": [expr.minimum(a, b), expr.maximum(a, b), expr.select(a, a, b)]})
    q = np.array([(x, y) for x in (math.nan, 0.0, -0.0, 1.0) for y in (math.nan, 0.0, -0.0, 1.0)]).T
    (got,), (expected,) = on_processor(compiled, dtype, [q]), reference(compiled, [q])
    np.testing.assert_array_equal(got, expected)
    assert np.array_equal(np.signbit(got)[~np.isnan(got)], np.signbit(expected)[~np.isnan(got)])


# --- compilation -----------------------------------------------------------------------------------------------------


def nvcc(folder: Path, source: str, *options: str) -> tuple[str, str]:
    (folder / "kernel.cu").write_text(source, encoding="utf-8")
    assert NVCC is not None
    command = [NVCC, "-arch=sm_90", "-Werror", "all-warnings", "-o", str(folder / "kernel.out"), *options]
    done = subprocess.run([*command, str(folder / "kernel.cu")], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return (folder / "kernel.out").read_text(encoding="latin-1"), done.stdout + done.stderr


@needs_nvcc
@pytest.mark.parametrize(("dtype", "states"), [("float32", 4), ("float64", 2)])
def test_it_compiles(tmp_path: Path, dtype: str, states: int) -> None:
    text, _ = nvcc(tmp_path, to_cuda(everything(), "kernel", dtype, states=states), "-ptx")
    assert ".visible .entry kernel(" in text and f".visible .entry kernel_x{states}(" in text
    assert ("ld.global.nc.v4.f32" if dtype == "float32" else "ld.global.nc.v2.f64") in text


@needs_nvcc
def test_float32_is_computed_in_float32(tmp_path: Path) -> None:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    compiled = graph.program({"x": [(a * 0.1 + 2.0) / b, expr.less(a, 0.3), expr.minimum(a, 0.7), expr.sqrt(b)]})
    text, _ = nvcc(tmp_path, to_cuda(compiled, "kernel", "float32", states=2), "-ptx")
    assert ".f32" in text and ".f64" not in text


@needs_nvcc
def test_nothing_is_spilled(tmp_path: Path, models_dir: Path) -> None:
    source = to_cuda(equations(models_dir, "panda_like", "inverse_dynamics"), "kernel", "float32", states=4)
    _, said = nvcc(tmp_path, source, "-cubin", "-Xptxas", "-v")
    spilled = re.findall(r"(\d+) bytes spill", said)
    assert spilled and set(spilled) == {"0"}


# --- calls -----------------------------------------------------------------------------------------------------------


class Array(np.ndarray[Any, Any]):
    """An array of the stand-in."""

    device = SimpleNamespace(id=0)  # type: ignore[assignment]

    @property
    def data(self) -> Any:
        return SimpleNamespace(ptr=self.ctypes.data)


def stand_in(launches: list[str]) -> ModuleType:
    """The part of CuPy that kernels use, on the processor."""

    class RawModule:
        def __init__(self, code: str, backend: str) -> None:
            assert backend == "nvrtc"
            self.shim = shim_of(code)

        def get_function(self, name: str) -> Callable[..., None]:
            def launch(grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...]) -> None:
                launches.append(name)
                *arrays, count = arguments
                assert isinstance(count, np.uint32)
                assert all(isinstance(array, Array) and array.flags.c_contiguous for array in arrays)
                self.shim.launch(name, *grid, *block, arrays, int(count))

            return launch

    class Device:
        def __init__(self, number: int) -> None:
            assert number == 0

        def __enter__(self) -> None: ...
        def __exit__(self, *reason: object) -> None: ...

    def made(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *given, **options: np.asarray(function(*given, **options)).view(Array)

    cupy: Any = ModuleType("cupy")
    cupy.ndarray, cupy.RawModule, cupy.may_share_memory = Array, RawModule, np.may_share_memory
    cupy.asarray, cupy.ascontiguousarray = made(np.array), made(np.ascontiguousarray)
    cupy.empty, cupy.broadcast_to = made(np.empty), made(np.broadcast_to)
    cupy.asnumpy = lambda array: array.view(np.ndarray).copy()
    runtime = SimpleNamespace(getDeviceCount=lambda: 1, CUDARuntimeError=RuntimeError)
    cupy.cuda = SimpleNamespace(Device=Device, runtime=runtime)
    return cupy  # type: ignore[no-any-return]


@pytest.fixture
def launches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The kernels that the stand-in has launched."""
    if COMPILER is None:
        pytest.skip("no g++")
    found: list[str] = []
    monkeypatch.setitem(sys.modules, "cupy", stand_in(found))
    return found


def small() -> Program:
    graph = Graph()
    a, b = graph.inputs("q", 2)
    (c,) = graph.inputs("v", 1)
    return graph.program({"x": [a * c, b + c, expr.sin(a)], "y": [a - b]})


def test_a_call(launches: list[str], rng: np.random.Generator) -> None:
    kernel = compile_cuda(small(), dtype="float32", states=4)
    for count in (1, 4, 63, 64, 1000):
        blocks = [rng.normal(size=(2, count)), rng.normal(size=(1, count))]
        results = kernel(*blocks)
        assert launches[-1] == ("kernel" if count % 4 else "kernel_x4")
        for got, expected in zip(results, reference(small(), blocks, "float32"), strict=True):
            assert type(got) is np.ndarray and got.dtype == np.float32
            np.testing.assert_allclose(got, expected, rtol=4e-7, atol=4e-7)


def test_arrays_of_any_kind(launches: list[str], rng: np.random.Generator) -> None:
    kernel = compile_cuda(small(), dtype="float64", name="arm")
    q, v = rng.integers(-5, 5, (2, 6)), rng.normal(size=(1, 6)).astype(np.float32)
    expected = reference(small(), [q, v])
    for blocks in ((q, v), (np.asfortranarray(q), v), (q.view(Array), v), (np.repeat(q, 2, axis=1)[:, ::2], v)):
        for got, wanted in zip(kernel(*blocks), expected, strict=True):
            np.testing.assert_allclose(np.asarray(got), wanted, rtol=1e-15, atol=1e-15)
            assert isinstance(got, Array) == isinstance(blocks[0], Array)
    one = kernel(q[:, :1], v)  # a column that all states share
    np.testing.assert_allclose(one[0], reference(small(), [np.repeat(q[:, :1], 6, axis=1), v])[0], rtol=1e-15)
    assert [result.shape for result in kernel(q[:, :0], v[:, :0])] == [(3, 0), (1, 0)]
    assert set(launches) == {"arm"}
    rows = rng.normal(size=(5, 2))
    assert CudaKernel.columns(rows).flags.c_contiguous and np.array_equal(CudaKernel.columns(rows), rows.T)
    assert np.array_equal(CudaKernel.rows(CudaKernel.columns(rows)), rows)
    assert repr(kernel) == "<CudaKernel arm(q[2], v[1]) -> x[3], y[1], float64, device 0>"


def test_given_outputs(launches: list[str], rng: np.random.Generator) -> None:
    kernel = compile_cuda(small(), dtype="float64", states=2)
    q, v = rng.normal(size=(2, 4)).view(Array), rng.normal(size=(1, 4)).view(Array)
    expected = reference(small(), [q, v])
    x, y = np.empty((3, 4)).view(Array), np.empty((1, 4)).view(Array)
    assert kernel(q, v, out=(x, y))[0] is x
    np.testing.assert_allclose(x, expected[0], rtol=1e-15)
    kernel(q, v, out=(x, v))  # over an input
    np.testing.assert_allclose(v, expected[1], rtol=1e-15)
    # Memory that is aligned to one number only is for the kernel of one state.
    spare = np.empty(3 * 4 + 2).view(Array)
    start = 1 if spare.ctypes.data % 16 == 0 else 2
    shifted = spare[start : start + 12].reshape(3, 4)
    assert shifted.ctypes.data % 16 == 8
    kernel(q, y, out=(shifted, np.empty((1, 4)).view(Array)))
    assert launches == ["kernel_x2", "kernel_x2", "kernel"]


BAD_CALLS: dict[str, tuple[Callable[[Any, Any], tuple[Any, ...]], Any, str]] = {
    "a block too few": (lambda q, v: (q,), None, "expected 2 arrays (q, v), got 1"),
    "a list": (lambda q, v: ([[1.0]], v), None, "q: expected a NumPy or CuPy array, got list"),
    "text": (lambda q, v: (q.astype(str), v), None, "q: expected real numbers"),
    "complex": (lambda q, v: (q, v * 1j), None, "v: expected real numbers, got complex128"),
    "rows": (lambda q, v: (q.T, v), None, "CudaKernel.columns"),
    "one axis": (lambda q, v: (q[0], v), None, "q: expected (2, count), got (4,)"),
    "other size": (lambda q, v: (q, q), None, "v: expected (1, count), got (2, 4)"),
    "counts": (lambda q, v: (q, v[:, :3]), None, "q (2, 4), v (1, 3)"),
    "one output": (lambda q, v: (q, v), lambda x, y: x, "expected 2 arrays (x, y), got 1"),
    "outputs of NumPy": (lambda q, v: (q, v), lambda x, y: (np.asarray(x), y), "out x: expected a CuPy array"),
    "output's type": (lambda q, v: (q, v), lambda x, y: (x, y.astype("f4")), "out y: expected float64, got float32"),
    "output's shape": (lambda q, v: (q, v), lambda x, y: (x[:, :3], y), "out x: expected (3, 4), got (3, 3)"),
    "output's order": (lambda q, v: (q, v), lambda x, y: (x.copy("F"), y), "out x: the array is not cont"),
    "shared output": (lambda q, v: (q, v), lambda x, y: (x, x[:1]), "out y: overlaps another array"),
}


@pytest.mark.parametrize("case", BAD_CALLS)
def test_arrays_that_do_not_fit(launches: list[str], case: str) -> None:
    blocks, out, words = BAD_CALLS[case]
    kernel = compile_cuda(small())
    given = blocks(np.ones((2, 4)), np.ones((1, 4)))
    results = None if out is None else out(np.empty((3, 4)).view(Array), np.empty((1, 4)).view(Array))
    with pytest.raises(SistelError) as caught:
        kernel(*given, out=results)
    assert words in caught.value.render("en")
    assert re.search("[а-я]", caught.value.render("ru"))
    assert launches == []


def test_an_array_on_another_device(launches: list[str]) -> None:
    class Elsewhere(Array):
        device = SimpleNamespace(id=3)

    with pytest.raises(SistelError, match="q: the array is on device 3, the kernel on 0"):
        compile_cuda(small())(np.ones((2, 4)).view(Elsewhere), np.ones((1, 4)))


def test_a_program_without_inputs(launches: list[str]) -> None:
    kernel = compile_cuda(Graph().program({"x": [1.0, 0.1]}))
    assert kernel().tolist() == [[1.0], [0.1]]
    assert kernel(out=np.empty((2, 3)).view(Array)).tolist() == [[1.0] * 3, [0.1] * 3]
    for wrong in (5, (), [[1.0]], np.empty(2).view(Array)):
        with pytest.raises(SistelError, match="out"):
            kernel(out=wrong)


def test_cupy_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(SistelError) as caught:
        compile_cuda(small())
    assert caught.value.diagnostics[0].code == "no-cupy"
    assert "CuPy is not installed" in caught.value.render("en") and "не установлен" in caught.value.render("ru")


def test_devices_are_missing(launches: list[str]) -> None:
    cupy: Any = sys.modules["cupy"]
    with pytest.raises(SistelError, match="no GPU 1; this machine has 1"):
        compile_cuda(small(), device=1)
    with pytest.raises(SistelError, match="no GPU -1"):
        compile_cuda(small(), device=-1)
    cupy.cuda.runtime.getDeviceCount = lambda: 0
    with pytest.raises(SistelError, match="CUDA sees no GPU"):
        compile_cuda(small())

    def fail() -> int:
        raise RuntimeError("cudaErrorInsufficientDriver")

    cupy.cuda.runtime.getDeviceCount = fail
    with pytest.raises(SistelError) as caught:
        compile_cuda(small())
    assert "InsufficientDriver" in caught.value.render("en") and "не видит" in caught.value.render("ru")


def test_a_compiler_that_fails(launches: list[str]) -> None:
    cupy: Any = sys.modules["cupy"]

    def fail(code: str, backend: str) -> None:
        raise RuntimeError("nvrtc: error: invalid value for --gpu-architecture\nmore")

    cupy.RawModule = fail
    with pytest.raises(SistelError, match="CUDA cannot compile kernel: nvrtc: error: invalid value"):
        compile_cuda(small())


# --- a real device ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def cupy() -> Any:
    module = pytest.importorskip("cupy", exc_type=ImportError)
    try:
        module.cuda.runtime.getDeviceCount()
    except module.cuda.runtime.CUDARuntimeError as error:
        pytest.skip(f"no CUDA device: {error}")
    return module


@pytest.mark.gpu
@pytest.mark.parametrize(("dtype", "states"), [("float32", 1), ("float32", 2), ("float32", 4), ("float64", 2)])
def test_on_a_device(cupy: Any, rng: np.random.Generator, dtype: str, states: int) -> None:
    compiled = everything()
    kernel = compile_cuda(compiled, dtype=dtype, states=states)
    for count in (1, 130, 4096):
        blocks = [rng.uniform(0.1, 3.0, (size, count)) for _, size in compiled.inputs]
        blocks[0][0, 0] = 1e8  # a huge angle
        blocks[0][1] += 1.0
        numpy_results, cupy_results = kernel(*blocks), kernel(*map(cupy.asarray, blocks))
        for got, same, expected in zip(numpy_results, cupy_results, reference(compiled, blocks, dtype), strict=True):
            assert isinstance(same, cupy.ndarray) and np.array_equal(got, cupy.asnumpy(same))
            # CUDA fuses products and sums, and its atan2, exp and log err by up to 3 ulp in float32.
            np.testing.assert_allclose(got, expected, rtol=16 * ROUNDING[dtype], atol=16 * ROUNDING[dtype])


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_equations_on_a_device(cupy: Any, models_dir: Path, rng: np.random.Generator, dtype: str) -> None:
    compiled = equations(models_dir, "panda_like", "inverse_dynamics")
    kernel = compile_cuda(compiled, dtype=dtype, name="inverse_dynamics")
    blocks = [rng.uniform(-3.0, 3.0, (size, 10000)) for _, size in compiled.inputs]
    out = cupy.empty((7, 10000), dtype)
    assert kernel(*map(cupy.asarray, blocks), out=out) is out
    (expected,) = reference(compiled, blocks, dtype)
    np.testing.assert_allclose(cupy.asnumpy(out), expected, rtol=0, atol=16 * ROUNDING[dtype] * np.abs(expected).max())
