"""Blocks of states, and floats: the same numbers as rows of doubles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sistel.kernels._llvm as backend
from sistel.errors import SistelError
from sistel.expr import Graph, Program, cos, sin
from sistel.kernels import Kernel, compile_program, empty_blocks, from_blocks, to_blocks


def arm(size: int = 5) -> Program:
    """Two input blocks and two output blocks, one of them with constant columns."""
    graph = Graph()
    q, v = graph.inputs("q", size), graph.inputs("v", 3)
    mixed = [sin(q[i]) * v[i % 3] + cos(q[(i + 1) % size]) * 0.75 - v[(i + 1) % 3] for i in range(size)]
    return graph.program({"x": [*mixed, 0.0, 1.5, 0.0, 0.0, mixed[0] * mixed[1]], "y": [mixed[2] / (v[0] * v[0] + 2)]})


@pytest.fixture(scope="module", params=["numpy", 1, 2, 4, 8, 16])
def kernel(request: pytest.FixtureRequest) -> Kernel:
    if request.param == "numpy":
        return compile_program(arm(), backend="numpy")
    return compile_program(arm(), width=request.param)


def states(rng: np.random.Generator, count: int) -> tuple[Any, Any]:
    return rng.uniform(-3, 3, (count, 5)), rng.normal(size=(count, 3))


@pytest.mark.parametrize("count", [1, 7, 16, 33])
def test_blocks_are_rows(kernel: Kernel, rng: np.random.Generator, count: int) -> None:
    q, v = states(rng, count)
    rows = kernel(q, v)
    blocks = kernel.blocked(to_blocks(q, kernel.width), to_blocks(v, kernel.width))
    for row, block in zip(rows, blocks, strict=True):
        assert block.shape == (-(-count // kernel.width), row.shape[1], kernel.width)
        np.testing.assert_array_equal(from_blocks(block, count), row)


@pytest.mark.parametrize(("count", "width"), [(0, 4), (1, 8), (8, 8), (13, 4), (5, 1)])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_there_and_back(rng: np.random.Generator, count: int, width: int, dtype: Any) -> None:
    rows = rng.normal(size=(count, 3)).astype(dtype)
    blocks = to_blocks(rows, width)
    assert blocks.dtype == dtype
    assert not count or blocks.__array_interface__["data"][0] % 64 == 0
    np.testing.assert_array_equal(from_blocks(blocks, count), rows)
    for i, row in enumerate(rows):
        np.testing.assert_array_equal(blocks[i // width, :, i % width], row)
    if count:
        np.testing.assert_array_equal(from_blocks(blocks)[count:], np.tile(rows[-1], (-count % width, 1)))


def test_one_block_serves_all(kernel: Kernel, rng: np.random.Generator) -> None:
    q, v = states(rng, 4 * kernel.width)
    shared = np.tile(v[:1], (kernel.width, 1))
    (x, _), (expected, _) = (
        kernel.blocked(to_blocks(q, kernel.width), to_blocks(shared, kernel.width)),
        kernel(q, v[0]),
    )
    np.testing.assert_array_equal(from_blocks(x), expected)


def test_layouts_and_kinds(kernel: Kernel, rng: np.random.Generator) -> None:
    width = kernel.width
    q, v = states(rng, 3 * width)
    bq, bv = to_blocks(q, width), to_blocks(v, width)
    expected = kernel.blocked(bq, bv)
    strided = np.repeat(bq, 2, axis=0)[::2]
    turned = np.asfortranarray(bq)
    unaligned = np.zeros(bq.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(bq.shape)
    unaligned[:] = bq
    locked = bq.copy()
    locked.flags.writeable = False
    for given in (strided, turned, unaligned, locked, bq.tolist(), bq.astype(np.longdouble)):
        for found, known in zip(kernel.blocked(given, bv), expected, strict=True):
            np.testing.assert_array_equal(found, known)
    whole = np.ones((3, 5, width), int)
    np.testing.assert_array_equal(kernel.blocked(whole, bv)[0], kernel.blocked(whole.astype(float), bv)[0])


def test_results_go_where_they_are_wanted(kernel: Kernel, rng: np.random.Generator) -> None:
    width = kernel.width
    q, v = states(rng, 2 * width)
    bq, bv = to_blocks(q, width), to_blocks(v, width)
    expected = kernel.blocked(bq, bv)
    out = empty_blocks(2, 10, width), empty_blocks(2, 1, width)
    found = kernel.blocked(bq, bv, out=out)
    assert found[0] is out[0] and found[1] is out[1]
    np.testing.assert_array_equal(out[0], expected[0])
    # Over an input: the block of velocities lies inside the results.
    memory = empty_blocks(2, 10, width)
    memory.reshape(-1)[: bv.size] = bv.ravel()
    kernel.blocked(bq, memory.reshape(-1)[: bv.size].reshape(bv.shape), out=(memory, out[1]))
    np.testing.assert_array_equal(memory, expected[0])


def test_no_blocks(kernel: Kernel) -> None:
    x, y = kernel.blocked(np.empty((0, 5, kernel.width)), np.empty((0, 3, kernel.width)))
    assert x.shape == (0, 10, kernel.width) and y.shape == (0, 1, kernel.width)


def test_what_does_not_fit_is_named() -> None:
    kernel = compile_program(arm(), width=4)
    q, v = np.zeros((2, 5, 4)), np.zeros((2, 3, 4))
    cases: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
        ((q,), {}, "expected 2 arrays"),
        ((q, np.zeros((2, 3, 8))), {}, r"v: expected \(blocks, 3, 4\), got \(2, 3, 8\)"),
        ((q[0], v), {}, r"q: expected \(blocks, 5, 4\), got \(5, 4\)"),
        ((q, np.zeros((3, 3, 4))), {}, "do not fit together"),
        (("text", v), {}, "q: expected real numbers"),
        ((q, v * 1j), {}, "v: expected real numbers"),
        ((q, v), {"out": np.zeros((2, 10, 4))}, "out: expected 2 arrays"),
        ((q, v), {"out": (np.zeros((2, 10, 4)), np.zeros((2, 2, 4)))}, r"out y: expected \(2, 1, 4\)"),
        ((q, v), {"out": (np.zeros((2, 10, 4), "f"), np.zeros((2, 1, 4)))}, "out x: expected float64"),
    ]
    for arrays, words, message in cases:
        with pytest.raises(SistelError, match=message):
            kernel.blocked(*arrays, **words)
    with pytest.raises(SistelError, match=r"rows: expected \(count, size\)"):
        to_blocks(np.zeros(3), 4)


@pytest.mark.parametrize("threads", [2, 5])
def test_many_blocks_are_divided(monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator, threads: int) -> None:
    monkeypatch.setattr(backend, "WORK_PER_THREAD", 100)
    kernel = compile_program(arm(), width=4, threads=threads)
    q, v = states(rng, 44)
    found = kernel.blocked(to_blocks(q, 4), to_blocks(v, 4))
    np.testing.assert_array_equal(from_blocks(found[0]), kernel(q, v)[0])


# --- floats ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [None, 1, 2, 4, 8, 16])
@pytest.mark.parametrize("count", [1, 37])
def test_floats(rng: np.random.Generator, width: int | None, count: int) -> None:
    kernel, reference = compile_program(arm(), dtype="float32", width=width), compile_program(arm())
    q, v = (x.astype(np.float32) for x in states(rng, count))
    for found, expected in zip(kernel(q, v), reference(q, v), strict=True):
        assert found.dtype == np.float32
        # Sums of a few terms of magnitude 5 at most, rounded to 24 bits each.
        np.testing.assert_allclose(found, expected, rtol=0, atol=3e-6)
    blocked = kernel.blocked(to_blocks(q, kernel.width), to_blocks(v, kernel.width))
    for found, rows in zip(blocked, kernel(q, v), strict=True):
        np.testing.assert_array_equal(from_blocks(found, count), rows)


def test_floats_of_one_state(rng: np.random.Generator) -> None:
    kernel = compile_program(arm(), dtype="float32")
    q, v = states(rng, 1)
    x, y = kernel(q[0], v[0])  # doubles are rounded first
    assert x.shape == (10,) and x.dtype == y.dtype == np.float32
    np.testing.assert_array_equal(x, kernel(q.astype(np.float32), v.astype(np.float32))[0][0])
    out = np.empty(10, np.float32), np.empty(1, np.float32)
    assert kernel(q[0], v[0], out=out)[0] is out[0]
    with pytest.raises(SistelError, match="out x: expected float32, got float64"):
        kernel(q[0], v[0], out=(np.empty(10), out[1]))
    assert repr(kernel).endswith("llvm, float32>")


@pytest.mark.parametrize("high", [0.7, 7.0, 1e3, 9.99e3, 3e4, 1e12])
@pytest.mark.parametrize("width", [1, 8, 16])
def test_sines_of_floats(rng: np.random.Generator, high: float, width: int) -> None:
    graph = Graph()
    (angle,) = graph.inputs("x", 1)
    kernel = compile_program(graph.program({"pair": [sin(angle), cos(angle)]}), dtype="float32", width=width)
    x = rng.uniform(-high, high, (20000, 1)).astype(np.float32)
    found = kernel(x)
    assert isinstance(found, np.ndarray)
    # NumPy's functions of doubles are exact here: they have 29 bits more.
    exact = np.concatenate([np.sin(x, dtype=float), np.cos(x, dtype=float)], axis=1)
    assert (np.abs(found - exact) / np.spacing(np.abs(exact).astype(np.float32))).max() < 1.5


def test_floats_beyond_their_range() -> None:
    graph = Graph()
    (x,) = graph.inputs("x", 1)
    kernel = compile_program(graph.program({"y": [x * 1e300, sin(x)]}), dtype="float32")
    large, sine = kernel([1e200])
    assert large == np.inf and np.isnan(sine)
    assert np.signbit(kernel([-0.0])[1])


def test_options() -> None:
    with pytest.raises(ValueError, match="float64 or float32"):
        compile_program(arm(), dtype="float16")  # type: ignore[arg-type]
