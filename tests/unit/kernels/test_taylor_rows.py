"""Series from rows against those by machine code and by plain Python: random programs, all orders."""

from __future__ import annotations

import ctypes
import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sistel import expr
from sistel.expr import Graph, Op, Program, series
from sistel.kernels import _machine, compile_taylor
from sistel.kernels._schedule import FUNCTIONS as SCHEDULING
from sistel.kernels._schedule import in_order, in_runs
from sistel.kernels.taylor import _rows, _rows_build

ROUNDING = 2.0**-52


def invented(seed: int, size: int, length: int) -> Program:
    """A right-hand side of about as many lines, with functions along the solution; values stay moderate."""
    chance = random.Random(seed)
    graph = Graph()
    y, p = graph.inputs("y", size), graph.inputs("p", 3)
    pool: list[Any] = [*y, *p, 0.7]

    def some() -> Any:
        return chance.choice(pool[-12:] if chance.random() < 0.7 else pool)

    makers = [
        lambda: some() + some(),
        lambda: some() - some(),
        lambda: 0.3 * some() * some(),
        lambda: (
            0.2 * (some() * some() - some() * some() + some() * some() - some() * some() + some() * some() + some())
        ),
        lambda: -some(),
        lambda: some() / (2.0 + square(some())),
        lambda: some() / (p[2] + 3.0),
        lambda: expr.sqrt(1.5 + square(some())),
        lambda: expr.sin(some()),
        lambda: expr.cos(some()),
        lambda: expr.exp(-0.5 * square(some())),
        lambda: expr.log(1.5 + square(some())),
        lambda: expr.atan2(some(), 2.0 + square(some())),
        lambda: expr.atan2(2.0, some()),
        lambda: expr.atan2(some(), 1.5),
        lambda: expr.minimum(some(), some()),
        lambda: expr.maximum(some(), some()),
        lambda: expr.absolute(some()),
        lambda: expr.select(expr.less(some(), some()), some(), some()),
        lambda: expr.select(expr.logical_not(expr.less_equal(some(), 0.1)), some(), 0.25),
        lambda: 0.1 * expr.floor(some()) + some(),
        lambda: expr.select(expr.logical_and(expr.less(some(), some()), expr.equal(p[0], p[0])), some(), some()),
        lambda: expr.select(expr.logical_or(expr.less(some(), some()), expr.less(p[0], p[1])), some(), some()),
    ]
    for _ in range(length):
        made = expr.sin(chance.choice(makers)())  # bounded
        pool.append(made if chance.random() < 0.5 else 0.5 * made + 0.1 * some())
    rates = [some() for _ in range(size)]
    return graph.program(
        {"dy": [rate + 0.0 * each for rate, each in zip(rates, y, strict=True)], "g": [some(), some()]}
    )


def square(x: Any) -> Any:
    return x * x


def assert_near(found: Any, wanted: Any, ulps: float) -> None:
    """Coefficients of one order are as good as the largest of all that could have been."""
    found, wanted = np.vstack(found), np.vstack(wanted)
    orders = np.arange(wanted.shape[1])
    growth = np.abs(wanted).max(axis=0) + 1e-300
    rate = max((growth[k] / max(1.0, growth[0])) ** (1.0 / k) for k in orders[1:])
    scale = np.maximum(growth, max(1.0, growth[0]) * max(rate, 1e-30) ** orders)
    assert np.all(np.abs(found - wanted) <= ulps * ROUNDING * scale)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10**9), size=st.integers(1, 6), length=st.integers(1, 25), order=st.integers(1, 40))
def test_random_programs(seed: int, size: int, length: int, order: int) -> None:
    line = invented(seed, size, length)
    rng = np.random.default_rng(seed)
    y, p = rng.uniform(-1.0, 1.0, size), rng.uniform(-1.0, 1.0, dict(line.inputs)["p"])
    found = compile_taylor(line, order, rows=True)(y, p)
    plain = series(line, order, [float(x) for x in y], [float(x) for x in p])
    wanted = tuple(np.array(rows, dtype=float).reshape(-1, order + 1) for rows in plain)
    assert_near(found, wanted, 3e4)


@pytest.mark.parametrize("seed", range(2))
def test_as_machine_code(seed: int) -> None:
    line = invented(seed, 8, 150)
    assert {Op.ATAN2, Op.EXP, Op.LOG, Op.SQRT, Op.SELECT, Op.MINIMUM, Op.MAXIMUM, Op.ABSOLUTE} <= set(line.operation)
    rng = np.random.default_rng(seed)
    y, p = rng.uniform(-1.0, 1.0, 8), rng.uniform(-1.0, 1.0, 3)
    for order in (2, 5, 8, 11, 20, 33):
        found = compile_taylor(line, order, rows=True)(y, p)
        assert_near(found, compile_taylor(line, order, unrolled=False)(y, p), 1e5)


def test_another_order_compiles_nothing(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    line = invented(5, 4, 40)
    compile_taylor(line, 20, tmp_path, rows=True)

    def refuse(*_: object) -> None:
        raise AssertionError("compiled again")

    monkeypatch.setattr(_machine, "_emit", refuse)
    other = invented(6, 5, 60)
    assert [compile_taylor(each, order, tmp_path, rows=True).order for each in (line, other) for order in (7, 31)]


def test_calls_do_not_depend_on_memory() -> None:
    """Whatever lies in scratch memory and in the table before a call, and wherever they begin."""
    line = invented(7, 5, 80)
    y, p = np.linspace(0.1, 0.9, 5), np.linspace(0.2, 0.4, 3)
    for order in (1, 3, 8, 13):
        kernel = compile_taylor(line, order, rows=True)
        wanted = np.vstack(kernel(y, p))
        function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 4)(kernel.address)
        for shift in range(0, 64, 8):
            table = np.full((kernel.rows + 1, kernel.stride), math.nan)
            memory = np.full(kernel.scratch_size + 17, math.nan)
            first = -(-memory.ctypes.data // 64) * 64 + shift - memory.ctypes.data
            end = first // 8 + kernel.scratch_size
            memory[: first // 8] = memory[end:] = 7.0
            function(y.ctypes.data, p.ctypes.data, table.ctypes.data, memory.ctypes.data + first)
            assert np.array_equal(table[:-1, : order + 1], wanted)
            assert np.isnan(table[-1]).all() and (memory[: first // 8] == 7.0).all() and (memory[end:] == 7.0).all()


def test_rows_take_in_what_one_sum_needs() -> None:
    graph = Graph()
    a, b, c = graph.inputs("y", 3)
    shared = a * b
    line = graph.program({"dy": [a * b - b * c + 2.0 * (c - a), shared * shared, -c]})
    made = _rows.lay_out_rows(line, None)
    shapes = sorted(tuple(run[[1, 2, 3]]) for run in made["runs"].reshape(-1, len(_rows.RUN)))
    # How many rows, products and terms: -c; c - a, which a product with 2 needs; a b and its square; the first rate.
    assert shapes == [(1, 0, 1), (1, 0, 2), (1, 1, 0), (1, 1, 0), (1, 1, 2)]
    assert len(made["origin"]) == 1 + 3 + 5


def test_runs_have_their_operands() -> None:
    chance = random.Random(3)
    kinds = np.array([chance.randrange(4) for _ in range(200)])
    needs = [[chance.randrange(-1, i) for _ in range(chance.randrange(4))] for i in range(200)]
    begin = np.cumsum([0, *map(len, needs)])
    order, runs = in_runs(kinds, begin, np.array([j for each in needs for j in each]), 4)
    assert sorted(order.tolist()) == list(range(200)) and runs[:, 1].sum() == 200
    done: set[int] = {-1}
    at = 0
    for kind, count in runs.tolist():
        run = order[at : at + count].tolist()
        assert {int(kinds[i]) for i in run} == {kind} and all(set(needs[i]) <= done for i in run)
        done |= set(run)
        at += count
    moved = in_order(begin, order)
    flat = [j for each in needs for j in each]
    assert [flat[i] for i in moved] == [j for i in order for j in needs[i]]


def test_machine_code_drafts_what_python_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions that lay out rows run under CPython, too, and stay within their arrays there."""
    from sistel.kernels import _schedule
    from sistel.kernels.subset import reference

    line = invented(11, 6, 120)
    wanted = _rows.lay_out_rows(line, None)
    monkeypatch.setattr(_rows, "_builder", lambda cache: reference(_rows_build.draft_rows))
    monkeypatch.setattr(_schedule, "_code", lambda: reference(SCHEDULING[0]))
    found = _rows.lay_out_rows(line, None)
    for name, value in wanted.items():
        if name == "start":
            assert all(np.array_equal(a, b) for a, b in zip(value, found[name], strict=True))
        else:
            assert np.array_equal(value, found[name]), name
