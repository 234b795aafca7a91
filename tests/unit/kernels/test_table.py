"""Programs as tables: against machine code and the interpreter, on operations, robots and whatever a call may be."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from support.structures import gallery, tree_of

from sistel import expr
from sistel.expr import ARITY, Graph, Program
from sistel.kernels import compile_program
from sistel.kernels._table import lay_out
from sistel.mechanics import derive

if TYPE_CHECKING:
    import numpy as np

ROUNDING = 2.0**-52


def _arithmetic() -> Program:
    """Every operation whose result is rounded correctly, hence the same in every backend."""
    graph = Graph()
    a, b, c = graph.inputs("x", 3)
    less = expr.less(a, b)
    values = [
        a + b * c - 2.5 * a,
        a / b - -c,
        expr.sqrt(expr.absolute(a)),
        expr.minimum(a, b) + expr.maximum(b, c),
        expr.floor(3.0 * a),
        expr.select(less, a, c),
        expr.select(expr.logical_and(less, expr.less_equal(b, c)), 1.0, b),
        expr.select(expr.logical_or(expr.equal(a, b), expr.logical_not(less)), c, 7.0),
        a,
        4.0,
    ]
    return graph.program({"first": values[:4], "second": values[4:]})


def test_arithmetic_has_the_bits_of_the_interpreter() -> None:
    line = _arithmetic()
    x = np.random.default_rng(3).normal(size=(50, 3))
    x[:4] = [[1.0, 1.0, 2.0], [np.nan, 1.0, 2.0], [1.0, np.nan, 0.0], [np.inf, 0.0, -0.0]]
    found: Any = compile_program(line, backend="table")(x)
    wanted: Any = compile_program(line, backend="numpy")(x)
    for a, b in zip(found, wanted, strict=True):
        # A NaN has many spellings, and a zero two signs.
        assert np.array_equal(a, b, equal_nan=True) and np.array_equal(np.signbit(a[4:]), np.signbit(b[4:]))


def test_functions_have_the_bits_of_machine_code() -> None:
    graph = Graph()
    a, b = graph.inputs("x", 2)
    values = [expr.sin(a), expr.cos(a), expr.cos(b), expr.exp(b), expr.log(expr.absolute(a)), expr.atan2(a, b)]
    line = graph.program({"out": values})
    x = np.random.default_rng(4).normal(size=(200, 2)) * 10.0 ** np.arange(-4, 8).repeat(20)[:200, None]
    found, wanted = (np.asarray(compile_program(line, backend=way, width=1)(x)) for way in ("table", "llvm"))
    assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize("name", ["panda_like", "walker", "stewart"])
@pytest.mark.parametrize("quantity", ["inverse_dynamics", "mass_matrix"])
def test_robots(name: str, quantity: str, tmp_path: Path) -> None:
    line = derive(tree_of(gallery(name).model), quantity)
    rng = np.random.default_rng(5)
    blocks = [rng.normal(size=(7, size)) for _, size in line.inputs]
    table = compile_program(line, backend="table", cache=tmp_path)
    found, wanted = np.asarray(table(*blocks)), np.asarray(compile_program(line)(*blocks))
    # Both round a few hundred times, machine code some of them at once.
    assert np.abs(found - wanted).max() <= 200 * ROUNDING * np.abs(wanted).max()
    kept = compile_program(line, backend="table", cache=tmp_path)
    assert np.asarray(kept(*blocks)).tobytes() == found.tobytes()
    single = np.array([kept(*(block[i] for block in blocks)) for i in range(7)])
    assert single.tobytes() == found.tobytes()


def test_runs_have_their_operands_and_all_lines_once() -> None:
    line = derive(tree_of(gallery("panda_like").model), "forward_dynamics")
    constants, runs, operands, results = lay_out(line)
    known = len(constants) + sum(size for _, size in line.inputs)
    place, operand = known, 0
    for kind, count in zip(runs[::2], runs[1::2], strict=True):
        arity = ARITY[kind]
        needed = operands[operand : operand + arity * count]
        assert max(needed, default=0) < place
        place, operand = place + count, operand + arity * count
    assert operand == len(operands) and max(results) < place
    assert sum(runs[1::2]) == sum(1 for op in line.operation if op > 1)
    # Operations of one kind stand together: line by line there would be three times as many runs.
    kinds = [op for op in line.operation if op > 1]
    one_by_one = 1 + sum(a != b for a, b in pairwise(kinds))
    assert len(runs) // 2 < one_by_one / 3


def test_threads_share_a_table() -> None:
    line = derive(tree_of(gallery("panda_like").model), "inverse_dynamics")
    table = compile_program(line, backend="table")
    rng = np.random.default_rng(6)
    states = [[rng.normal(size=size) for _, size in line.inputs] for _ in range(64)]
    wanted = [np.asarray(table(*state)).tobytes() for state in states]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda state: np.asarray(table(*state)).tobytes(), states * 4))
    assert found == wanted * 4


def test_a_long_program_needs_no_large_stack() -> None:
    graph = Graph()
    a, b = graph.inputs("x", 2)
    for k in range(20_000):
        a, b = b, a * 0.5 + float(k % 7)
    table = compile_program(graph.program({"out": [a, b]}), backend="table")
    before = threading.stack_size(1 << 18)
    try:
        with ThreadPoolExecutor(1) as pool:
            found = pool.submit(table, [1.0, 2.0]).result()
    finally:
        threading.stack_size(before)
    x, y = 1.0, 2.0
    for k in range(20_000):
        x, y = y, x * 0.5 + k % 7
    assert np.asarray(found).tolist() == [x, y]


def test_blocks_of_states_and_programs_of_nothing() -> None:
    line = _arithmetic()
    table, fast = (compile_program(line, backend=way, width=4) for way in ("table", "numpy"))
    blocks = np.random.default_rng(8).normal(size=(3, 3, 4))
    for a, b in zip(table.blocked(blocks), fast.blocked(blocks), strict=True):
        assert np.array_equal(a, b)
    graph = Graph()
    graph.inputs("x", 2)
    constant = compile_program(graph.program({"out": [3.0, -0.5]}), backend="table")
    assert np.asarray(constant([1.0, 2.0])).tolist() == [3.0, -0.5]
    with pytest.raises(ValueError, match="float64"):
        compile_program(line, backend="table", dtype="float32")
