"""Rows of a program that begin as a table and end as machine code: the same bits, and no second compilation."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.structures import gallery, tree_of

from sistel import expr
from sistel.expr import Graph, Program
from sistel.kernels import ExactRows, _exact
from sistel.mechanics import derive


def _computed(rows: ExactRows, blocks: list[Any]) -> bytes:
    """All results of as many states as there are, through the function that others call by its address."""
    count, program = len(blocks[0]), rows.program
    room = -(-count // rows.width) * rows.width
    inputs = [np.zeros((room, size)) for _, size in program.inputs]
    for own, given in zip(inputs, blocks, strict=True):
        own[:count] = given
    outputs = [np.zeros((room, size)) for _, size in program.outputs]
    table = np.array([n for block in (*inputs, *outputs) for n in (block.ctypes.data, block.strides[0])], np.int64)
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)(rows.native.address)
    call(0, room, table.ctypes.data)
    return b"".join(block[:count].tobytes() for block in outputs)


def _mixture() -> Program:
    """Sums of products, signs, quotients, functions and choices."""
    graph = Graph()
    a, b, c = graph.inputs("x", 3)
    values = [
        a * b - c * a + b * c,
        -(a * b) - (-c * 3.0 - a),
        expr.sin(a * b) * expr.cos(c) - expr.sqrt(expr.absolute(a)) / b,
        expr.select(expr.less(a * b, c), -a, b * c - a),
        -(a + b),
    ]
    return graph.program({"first": values[:2], "second": values[2:]})


@pytest.mark.parametrize("name", ["mixture", "panda_like", "stewart"])
@pytest.mark.parametrize("count", [1, 5, 8])
def test_machine_code_has_the_bits_of_the_table(name: str, count: int) -> None:
    program = _mixture() if name == "mixture" else derive(tree_of(gallery(name).model), "inverse_dynamics")
    rng = np.random.default_rng(2)
    blocks = [rng.normal(size=(count, size)) for _, size in program.inputs]
    rows = ExactRows(program, None)
    assert rows.width == 1
    table = _computed(rows, blocks)
    rows.compile()
    assert rows.width == _exact.WIDTH
    assert _computed(rows, blocks) == table
    assert np.isfinite(np.frombuffer(table)).all()


def test_machine_code_is_made_where_it_pays_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = _mixture()
    monkeypatch.setattr(_exact, "WORTH", 10 * len(program))
    rows = ExactRows(program, tmp_path)
    rows.count(9)
    assert rows.width == 1
    assert ExactRows(program, tmp_path).width == 1
    rows.count(1)
    assert rows.width == _exact.WIDTH
    monkeypatch.setattr(_exact, "emit", None)  # nothing is compiled any more
    assert ExactRows(program, tmp_path).width == _exact.WIDTH
