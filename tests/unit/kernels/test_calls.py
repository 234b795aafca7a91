"""What may be given to a kernel, and what is said when it does not fit."""

from __future__ import annotations

import itertools
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

from sistel import SistelError, expr
from sistel.expr import Graph
from sistel.kernels import Kernel, compile_program


def arm() -> expr.Program:
    graph = Graph()
    q, v = graph.inputs("q", 7), graph.inputs("v", 2)
    return graph.program(
        {"x": [expr.sin(a) * v[0] + b for a, b in itertools.pairwise(q)], "y": [q[0] * v[1], q[6], v[0]]},
    )


@pytest.fixture(scope="module", params=["numpy", "llvm", "llvm 4"])
def kernel(request: pytest.FixtureRequest) -> Kernel:
    backend, _, width = request.param.partition(" ")
    return compile_program(arm(), backend=backend, width=int(width) if width else None)


def expected(q: Any, v: Any) -> tuple[np.ndarray, np.ndarray]:
    q, v = np.asarray(q, float), np.asarray(v, float)
    x = np.sin(q[..., :6]) * v[..., :1] + q[..., 1:]
    y = np.stack(np.broadcast_arrays(q[..., 0] * v[..., 1], q[..., 6], v[..., 0]), axis=-1)
    return x, y


def check(kernel: Kernel, q: Any, v: Any) -> None:
    for got, reference in zip(kernel(q, v), expected(q, v), strict=True):
        assert isinstance(got, np.ndarray) and got.dtype == np.float64
        assert got.shape == reference.shape
        np.testing.assert_allclose(got, reference, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("batch", [(), (1,), (3,), (4,), (9,), (33,), (2, 5), (3, 1, 4), (0,), (2, 0, 3)])
def test_batches(kernel: Kernel, rng: np.random.Generator, batch: tuple[int, ...]) -> None:
    check(kernel, rng.normal(size=(*batch, 7)), rng.normal(size=(*batch, 2)))


@pytest.mark.parametrize(
    ("one", "other"),
    [((9,), ()), ((), (9,)), ((9,), (1,)), ((4, 5), (5,)), ((4, 1), (5,)), ((3, 1), (1, 4)), ((0,), ())],
)
def test_batches_broadcast(kernel: Kernel, rng: np.random.Generator, one: Any, other: Any) -> None:
    check(kernel, rng.normal(size=(*one, 7)), rng.normal(size=(*other, 2)))


def test_layouts(kernel: Kernel, rng: np.random.Generator) -> None:
    q, v = rng.normal(size=(13, 7)), rng.normal(size=(13, 2))
    wide = rng.normal(size=(26, 20))
    check(kernel, wide[::2, 3:10], v)  # rows far apart
    check(kernel, wide[:13, 0:14:2], v)  # numbers far apart
    check(kernel, q[::-1], v)
    check(kernel, q[:, ::-1], v)
    check(kernel, np.asfortranarray(q), v)
    check(kernel, q.astype(">f8"), v.astype(">f8"))
    check(kernel, np.broadcast_to(q[0], (13, 7)), v)
    check(kernel, np.lib.stride_tricks.sliding_window_view(rng.normal(size=19), 7), v)
    locked = q.copy()
    locked.flags.writeable = False
    check(kernel, locked, v)
    buffer = np.zeros(13 * 7 * 8 + 1, np.uint8)
    misaligned = buffer[1:].view(np.float64).reshape(13, 7)
    misaligned[:] = q
    assert not misaligned.flags.aligned
    check(kernel, misaligned, v)
    check(kernel, misaligned[0], v[0])
    table = np.zeros(13, [("byte", "i1"), ("q", "7f8")])
    table["q"] = q
    check(kernel, table["q"], v)


def test_kinds_of_numbers(kernel: Kernel) -> None:
    for kind in ("i1", "u2", "i8", "f2", "f4", "?", np.longdouble, ">i4"):
        check(kernel, np.ones((9, 7), kind), np.ones((9, 2), kind))
        check(kernel, np.ones(7, kind), np.ones(2, kind))
    check(kernel, [1, 2, 3, 4, 5, 6, 7], (0.5, 2))
    check(kernel, range(7), [np.float32(1.0), 2])


@pytest.mark.parametrize(
    ("q", "v", "message"),
    [
        (np.zeros(6), np.zeros(2), "q: expected (..., 7), got (..., 6)"),
        (np.zeros((4, 7)), np.zeros((4, 3)), "v: expected (..., 2), got (..., 3)"),
        (0.0, np.zeros(2), "q: expected (..., 7), got ()"),
        (np.zeros((3, 7)), np.zeros((4, 2)), "the batch axes do not fit together: q (3, 7), v (4, 2)"),
        (np.zeros(7, complex), np.zeros(2), "q: expected real numbers, got complex128"),
        (np.array([None] * 7), np.zeros(2), "q: expected real numbers, got object"),
        (["a"] * 7, np.zeros(2), "q: expected real numbers, got text"),
        ([[1.0], [2.0, 3.0]], np.zeros(2), "q: not an array of numbers"),
        ([10**400] * 7, np.zeros(2), "q: expected real numbers, got object"),
        (None, np.zeros(2), "q: expected real numbers, got object"),
        (np.zeros(7, "M8[s]"), np.zeros(2), "q: expected real numbers, got datetime64[s]"),
    ],
)
def test_what_does_not_fit_is_named(kernel: Kernel, q: Any, v: Any, message: str) -> None:
    with pytest.raises(SistelError) as caught:
        kernel(q, v)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.message.en == message
    assert diagnostic.message.ru != message


def test_the_number_of_arrays(kernel: Kernel) -> None:
    for blocks in ([], [np.zeros(7)], [np.zeros(7), np.zeros(2), np.zeros(2)]):
        with pytest.raises(SistelError, match=r"expected 2 arrays \(q, v\), got"):
            kernel(*blocks)


@pytest.mark.parametrize("batch", [(), (9,), (2, 3)])
def test_results_go_where_they_are_wanted(kernel: Kernel, rng: np.random.Generator, batch: Any) -> None:
    q, v = rng.normal(size=(*batch, 7)), rng.normal(size=(*batch, 2))
    out = np.full((*batch, 6), np.nan), np.full((*batch, 3), np.nan)
    result = kernel(q, v, out=out)
    assert result[0] is out[0] and result[1] is out[1]
    for got, reference in zip(out, expected(q, v), strict=True):
        np.testing.assert_allclose(got, reference, rtol=1e-14, atol=1e-15)


@pytest.mark.parametrize("rows", [1, 9])
def test_results_may_replace_the_inputs(kernel: Kernel, rng: np.random.Generator, rows: int) -> None:
    memory = rng.normal(size=rows * 7 + 20)
    q, v = memory[: rows * 7].reshape(rows, 7), rng.normal(size=(rows, 2))
    x, y = expected(q, v)
    out = memory[3 : 3 + rows * 6].reshape(rows, 6), np.empty((rows, 3))
    kernel(q, v, out=out)
    np.testing.assert_allclose(out[0], x, rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(out[1], y, rtol=1e-14, atol=1e-15)


def read_only() -> np.ndarray:
    array = np.zeros((4, 6))
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (np.zeros((4, 5)), r"out x: expected \(4, 6\), got \(4, 5\)"),
        (np.zeros((4, 6), np.float32), "out x: expected float64, got float32"),
        (np.zeros((4, 6), ">f8"), "out x: expected float64, got >f8"),
        (np.zeros((4, 12))[:, ::2], "out x: the array is not contiguous"),
        (np.zeros((4, 6), order="F"), "out x: the array is not contiguous"),
        (read_only(), "out x: the array is read-only"),
        ([[0.0] * 6] * 4, "out x: expected a NumPy array, got list"),
        (None, "out x: expected a NumPy array, got NoneType"),
    ],
)
def test_unusable_outputs(kernel: Kernel, x: Any, message: str) -> None:
    with pytest.raises(SistelError, match=message):
        kernel(np.zeros((4, 7)), np.zeros((4, 2)), out=(x, np.zeros((4, 3))))


def test_outputs_in_number_and_apart(kernel: Kernel) -> None:
    q, v = np.zeros(7), np.zeros(2)
    for out in (np.zeros(6), (np.zeros(6),), 3, (np.zeros(6), np.zeros(3), np.zeros(3))):
        with pytest.raises(SistelError, match=r"out: expected 2 arrays \(x, y\)"):
            kernel(q, v, out=out)  # type: ignore[arg-type]
    memory = np.zeros(8)
    with pytest.raises(SistelError, match="out y: overlaps another array"):
        kernel(q, v, out=(memory[:6], memory[5:]))


def test_not_a_number_stays_in_its_row(kernel: Kernel) -> None:
    q, v = np.ones((9, 7)), np.ones((9, 2))
    q[4] = np.nan
    for array in kernel(q, v):
        assert np.isnan(array).any(axis=-1).tolist() == [row == 4 for row in range(9)]


def test_empty_blocks(rng: np.random.Generator) -> None:
    graph = Graph()
    nothing, q = graph.inputs("nothing", 0), graph.inputs("q", 1)
    for backend in ("numpy", "llvm"):
        kernel = compile_program(graph.program({"none": nothing, "twice": [q[0] * 2.0]}), backend=backend)
        for batch in ((), (9,)):
            q_values = rng.normal(size=(*batch, 1))
            none, twice = kernel(np.zeros((*batch, 0)), q_values)
            assert none.shape == (*batch, 0)
            np.testing.assert_array_equal(twice, 2 * q_values)


def test_threads_share_a_kernel(kernel: Kernel, rng: np.random.Generator) -> None:
    q, v = rng.normal(size=(40, 7)), rng.normal(size=(40, 2))
    reference, failures = kernel(q, v), []

    def work(seed: int) -> None:
        for i in range(seed, seed + 200):
            rows = slice(i % 20, i % 20 + (1, 3, 17)[i % 3])
            for got, full in zip(kernel(q[rows], v[rows]), reference, strict=True):
                if not np.array_equal(got, full[rows]):
                    failures.append(i)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_the_first_batches_may_come_at_once() -> None:
    kernel = compile_program(arm())
    start, results = threading.Barrier(6), []

    def work() -> None:
        start.wait()
        results.append(kernel(np.ones((64, 7)), np.ones((64, 2))))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 6
    assert all(np.array_equal(x, results[0][0]) and np.array_equal(y, results[0][1]) for x, y in results)


@pytest.mark.parametrize("threads", [1, 3])
def test_a_large_batch_is_divided(monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator, threads: int) -> None:
    import sistel.kernels._llvm as backend

    monkeypatch.setattr(backend, "WORK_PER_THREAD", 1000)
    kernel = compile_program(arm(), threads=threads)
    check(kernel, rng.normal(size=(1013, 7)), rng.normal(size=(1013, 2)))
    check(kernel, rng.normal(size=(1013, 7)), rng.normal(size=2))


def test_a_kernel_outlives_its_maker() -> None:
    import gc

    for _ in range(3):
        kernels = [compile_program(arm()) for _ in range(3)]
        keep = kernels[1]
        del kernels
        gc.collect()
        check(keep, np.ones((9, 7)), np.ones((9, 2)))


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = "import sys, sistel, sistel.kernels; sys.exit(any(m in sys.modules for m in ('numpy', 'llvmlite')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_options() -> None:
    with pytest.raises(ValueError, match="backend"):
        compile_program(arm(), backend="fortran")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="states at a time"):
        compile_program(arm(), width=3)
    assert repr(compile_program(arm(), name="arm")) == "<Kernel arm(q[7], v[2]) -> x[6], y[3], llvm>"
