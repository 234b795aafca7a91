"""The emitted function for one state: the same results as the general way, and nothing leaks or breaks."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sistel.kernels._fastcall as fastcall
from sistel import SistelError
from sistel.expr import Graph, Program, sin
from sistel.kernels import Kernel, compile_program

pytestmark = pytest.mark.skipif(not fastcall.prove_layout(), reason="this interpreter uses the general call only")


def one_output() -> Program:
    graph = Graph()
    q, v = graph.inputs("q", 5), graph.inputs("v", 1)
    return graph.program({"x": [sin(a) + v[0] for a in q]})


def two_outputs() -> Program:
    graph = Graph()
    q, v = graph.inputs("q", 5), graph.inputs("v", 1)
    return graph.program({"x": [sin(a) + v[0] for a in q], "y": [q[4] * 2.0]})


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many arrays each call had that took the general way."""
    import sistel.kernels._arrays as arrays
    import sistel.kernels._kernel as module

    calls: list[int] = []
    original = arrays.as_rows

    def as_rows(inputs: Any, outputs: Any, given: Any, *rest: Any) -> Any:
        calls.append(len(given))
        return original(inputs, outputs, given, *rest)

    monkeypatch.setattr(module, "as_rows", as_rows)
    return calls


def test_plain_vectors_take_the_short_way(slow: list[int], rng: np.random.Generator) -> None:
    kernel = compile_program(one_output())
    q, v, out = rng.normal(size=5), rng.normal(size=1), np.empty(5)
    np.testing.assert_allclose(kernel(q, v), np.sin(q) + v, rtol=1e-15)
    np.testing.assert_allclose(kernel(np.arange(10.0)[3:8], v), np.sin(np.arange(3.0, 8.0)) + v, rtol=1e-15)
    assert kernel(q, v, out=out) is out
    np.testing.assert_array_equal(out, kernel(q, v))
    q.flags.writeable = False
    np.testing.assert_array_equal(out, kernel(q, v))
    two = compile_program(two_outputs())
    x, y = two(q, v)
    np.testing.assert_array_equal(x, out)
    np.testing.assert_array_equal(y, q[4:] * 2)
    assert slow == []


class Subclass(np.ndarray):
    pass


def misaligned(values: np.ndarray) -> np.ndarray:
    array = np.zeros(values.nbytes + 1, np.uint8)[1:].view(np.float64)
    array[:] = values
    return array


OTHERS: dict[str, Callable[[np.ndarray], Any]] = {
    "list": lambda q: q.tolist(),
    "strided": lambda q: np.repeat(q, 2)[::2],
    "reversed": lambda q: q[::-1].copy()[::-1],
    "byte-swapped": lambda q: q.astype(">f8"),
    "misaligned": misaligned,
    "two axes": lambda q: q[None],
    "subclass": lambda q: q.view(Subclass),
    "single": lambda q: q.astype(np.float32).astype(np.float32),
    "broadcast": lambda q: np.broadcast_to(q, (1, 5)),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_other_arrays_take_the_general_way(slow: list[int], rng: np.random.Generator, kind: str) -> None:
    kernel = compile_program(one_output())
    q, v = rng.normal(size=5).astype(np.float32).astype(np.float64), rng.normal(size=1)
    result = kernel(OTHERS[kind](q), v)
    np.testing.assert_array_equal(np.ravel(result), kernel(q, v))
    assert slow == [2]


@pytest.mark.parametrize(
    "blocks", [(), (np.zeros(5),), (np.zeros(5),) * 3, (np.zeros(6), np.zeros(1)), (np.array(1.0), np.zeros(1)), (None, 3)]
)  # fmt: skip
def test_mistakes_are_the_general_ways_business(blocks: Any) -> None:
    kernel = compile_program(one_output())
    for call in (kernel, kernel.call):
        with pytest.raises(SistelError):
            call(*blocks)


def test_words() -> None:
    kernel = compile_program(one_output())
    q, v = np.zeros(5), np.zeros(1)
    word = "".join(["o", "ut"])  # equal to the word that the emitted code compares with, but another object
    out = np.empty(5)
    assert kernel.call(q, v, **{word: out}) is out
    assert kernel.call(q, v, out=None).tolist() == [0.0] * 5
    for words in ({"ouch": out}, {"out": out, "more": 1}):
        with pytest.raises(TypeError):
            kernel.call(q, v, **words)
    with pytest.raises(TypeError):
        kernel.call(q, v=v)


@pytest.mark.parametrize("shift", range(-5, 6))
def test_outputs_over_inputs(shift: int, rng: np.random.Generator) -> None:
    kernel = compile_program(one_output())
    memory = rng.normal(size=16)
    q, out, v = memory[5:10], memory[5 + shift : 10 + shift], np.ones(1)
    expected = np.sin(q) + 1.0
    kernel(q, v, out=out)
    np.testing.assert_allclose(out, expected, rtol=1e-15, atol=2.3e-16)  # the sine may be near -1


def test_unusable_outputs() -> None:
    kernel = compile_program(one_output())
    locked = np.zeros(5)
    locked.flags.writeable = False
    for out in (locked, np.zeros(4), np.zeros(5, np.float32), np.zeros(10)[::2], np.zeros(5, ">f8"), [0.0] * 5, 1):
        with pytest.raises(SistelError):
            kernel(np.zeros(5), np.zeros(1), out=out)  # type: ignore[arg-type]
    assert locked.tolist() == [0.0] * 5


@pytest.mark.parametrize("make", [one_output, two_outputs])
def test_references_are_kept_in_balance(make: Callable[[], Program]) -> None:
    kernel = compile_program(make())
    q, v, out = np.zeros(5), np.zeros(1), np.empty(5)
    double = np.dtype(np.float64)

    def count() -> tuple[int, ...]:
        return tuple(sys.getrefcount(thing) for thing in (q, v, out, double, kernel.call, np.ndarray))

    def work() -> None:
        for _ in range(1000):
            kernel(q, v)
            if make is one_output:
                kernel(q, v, out=out)

    work()
    gc.collect()
    before = count()
    work()
    gc.collect()
    assert all(abs(now - then) < 20 for now, then in zip(count(), before, strict=True))


def test_the_function_keeps_its_code_alive() -> None:
    q, v = np.ones(5), np.ones(1)
    expected = np.sin(q) + 1.0
    for _ in range(20):
        call = compile_program(one_output()).call
        gc.collect()
        np.testing.assert_allclose(call(q, v), expected, rtol=1e-15)
        np.testing.assert_allclose(call([q] * 9, v), [expected] * 9, rtol=1e-15)


def test_cycles_with_a_kernel_are_collected() -> None:
    class Holder:
        def __init__(self, kernel: Kernel) -> None:
            self.kernel = kernel
            self.itself = self

    for _ in range(20):
        holder = Holder(compile_program(one_output()))
        assert holder.kernel(np.zeros(5), np.zeros(1)).shape == (5,)  # type: ignore[union-attr]
        del holder
        gc.collect()


def test_without_proof_the_general_way_is_taken(monkeypatch: pytest.MonkeyPatch, slow: list[int]) -> None:
    monkeypatch.setattr(fastcall, "prove_layout", lambda: False)
    kernel = compile_program(one_output())
    q, v, out = np.zeros(5), np.zeros(1), np.empty(5)
    assert np.asarray(kernel(q, v)).tolist() == [0.0] * 5
    assert kernel(q, v, out=out) is out
    assert slow == [2, 2]


@pytest.mark.parametrize("field", ["DATA", "AXES", "SHAPE", "STRIDES", "DESCRIPTION", "FLAGS"])
def test_the_proof_notices_a_wrong_offset(monkeypatch: pytest.MonkeyPatch, field: str) -> None:
    # 48 holds the base object or null, 68 what follows the flags: readable, and neither is what is looked for.
    monkeypatch.setattr(fastcall, field, 48 if field != "SHAPE" else fastcall.STRIDES)
    if field == "STRIDES":
        monkeypatch.setattr(fastcall, field, fastcall.SHAPE)
    assert not fastcall.prove_layout.__wrapped__()


def test_everything_else_goes_to_a_method() -> None:
    kernel = compile_program(one_output())
    seen: list[tuple[Any, ...]] = []

    def general(q: Any, v: Any, *, structure: str = "", out: Any = None) -> str:
        seen.append((structure, out))
        return "general"

    q, v, out = np.linspace(0.0, 1.0, 5), np.ones(1), np.empty(5)
    quick = kernel.quick(general)
    np.testing.assert_array_equal(quick(q, v), kernel(q, v))
    assert quick(q, v, out=out) is out and seen == []
    assert quick(q, v, structure="b") == quick(q.tolist(), v) == quick(q, v, out=out, structure="c") == "general"
    assert [structure for structure, _ in seen] == ["b", "", "c"]
    assert compile_program(one_output(), backend="numpy").quick(general)(q, v) == "general"


def test_a_call_from_a_dying_cycle() -> None:
    # The collector empties the objects of a cycle in some order; a `__del__` may still call the kernel in between. It
    # computes, or says that it cannot, but never reaches code that is gone.
    script = textwrap.dedent("""
        import gc, sys
        import numpy as np
        from sistel.expr import Graph, sin
        from sistel.kernels import compile_program

        answers = []

        class Late:
            def __init__(self, call):
                self.call, self.me = call, self
            def __del__(self):
                for arguments in ((np.ones(2),), ([1.0, 2.0],), (np.ones((40, 2)),)):
                    try:
                        answers.append(np.shape(self.call(*arguments)))
                    except AttributeError:
                        answers.append(None)

        class Chain(list):
            pass

        for k in range(20):
            graph = Graph()
            q = graph.inputs("q", 2)
            kernel = compile_program(graph.program({"x": [sin(q[0]) + k, q[1]]}))
            late = Late(kernel.call)
            # The runner and its code are part of the cycle too, before and behind the object that calls.
            ring = Chain([kernel._general, kernel._general.runner, late, kernel])
            kernel._general.runner.__dict__["ring"] = ring
            late.ring = ring
            if k % 2:
                ring.reverse()
            del kernel, late, ring, graph, q
            gc.collect()
        assert len(answers) == 60, answers
        assert answers[0] == (2,)
    """)
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
