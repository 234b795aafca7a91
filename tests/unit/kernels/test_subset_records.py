"""Records of the subset: one argument in Python, an argument a field in machine code."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sistel.kernels.subset import Floats, Function, Ints, SubsetError, compile_functions, reference, shift
from sistel.kernels.subset import _compile as compiler


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of numbers."""

    values: Floats
    size: int
    scale: float
    negative: bool


@dataclass(frozen=True, slots=True)
class Task:
    """A record within a record, and a function."""

    rows: Rows
    rule: Function[[Rows, int], float]
    marks: Ints


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """Fields that are given by name."""

    a: int
    b: int


def total(rows: Rows, row: int) -> float:
    found = 0.0
    for i in range(rows.size):
        found += rows.scale * rows.values[row * rows.size + i]
    return -found if rows.negative else found


def largest(rows: Rows, row: int) -> float:
    own = shift(rows.values, row * rows.size)
    found = own[0]
    for i in range(1, rows.size):
        found = max(found, own[i])
    return found


def worked(task: Task, row: int) -> float:
    task.marks[row] += 1
    task.rows.values[row * task.rows.size] *= 2.0
    return task.rule(task.rows, row)


def both(rows: Rows, marks: Ints, row: int) -> float:
    """Records are made inside, by position and by name, and a variable may take one after another."""
    task = Task(rows, total, marks)
    first = worked(task, row)
    task = Task(marks=marks, rule=largest, rows=Rows(shift(rows.values, 1), 1, 1.0, False))
    return 1000.0 * first + worked(task, row)


def named(x: int) -> int:
    pair = Named(b=x, a=2)
    return pair.a * pair.b


FUNCTIONS = [total, largest, worked, both, named]


def rows() -> Rows:
    return Rows(np.array([1.0, 2.0, 3.0, 4.0]), 2, 0.5, True)


@pytest.mark.parametrize("quick", [False, True])
def test_machine_code_agrees_with_python(quick: bool) -> None:
    code = compile_functions(FUNCTIONS, exports=["total", "both", "worked", "named"], quick=quick)
    for row in range(2):
        assert code.total(rows(), row) == total(rows(), row)
        mine, theirs = rows(), rows()
        marks, others = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int64)
        assert code.both(mine, marks, row) == reference(both)(theirs, others, row)
        assert np.asarray(mine.values).tolist() == np.asarray(theirs.values).tolist()
        assert marks.tolist() == others.tolist() and marks[row] == 2
    assert code.named(7) == named(7) == 14


def test_a_record_may_be_bound() -> None:
    code = compile_functions(FUNCTIONS, exports=["total", "worked"])
    given = rows()
    call = code.total.bind(given, 1)
    assert call() == -3.5
    np.asarray(given.values)[2] = 7.0
    assert call() == -5.5
    marks = np.zeros(2, dtype=np.int64)
    assert code.worked(Task(given, code.total, marks), 0) == -2.0
    assert code.total.signature == "Function[[Rows, int], float]"


def test_wrong_fields_are_named() -> None:
    code = compile_functions([total], exports=["total"])
    with pytest.raises(TypeError, match=r"total: 'rows\.values' is an array of float64, not list"):
        code.total(Rows([1.0], 1, 1.0, False), 0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="takes 2 arguments, here are 5"):
        code.total(np.ones(1), 1, 1.0, False, 0)


def test_checked_code_knows_the_lengths_of_fields() -> None:
    code = compile_functions(FUNCTIONS, exports=["total", "both"], checked=True)
    assert code.total(rows(), 1) == -3.5
    with pytest.raises(IndexError, match="'total'"):
        code.total(rows(), 2)
    with pytest.raises(IndexError):
        reference(total)(rows(), 2)


def test_fields_belong_to_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    def key() -> str:
        sources = [compiler.read_source(named)]
        return compiler.entry_key(sources, ["named"], contract=False, checked=False)

    @dataclass(frozen=True, kw_only=True)
    class Other:
        b: int
        a: int

    before = key()
    monkeypatch.setitem(globals(), "Named", Other)
    assert key() != before


HEAD = """\
from __future__ import annotations
from dataclasses import dataclass
from sistel.kernels.subset import Floats
@dataclass(frozen=True)
class Pair:
    a: float
    x: Floats
@dataclass(frozen=True)
class Strange:
    a: str
@dataclass(frozen=True)
class Empty:
    pass
@dataclass(frozen=True, kw_only=True)
class Named:
    a: float
@dataclass
class Open:
    a: float
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def f(p: Pair) -> float:\n    return p.b", "no field 'b': p.b: Pair has a, x"),
        ("def f(p: Pair) -> float:\n    return p.a.real", "values have no attributes: p.a.real"),
        ("def f(p: Pair) -> float:\n    return p + 1.0", "not for Pair"),
        ("def f(p: Pair) -> None:\n    p.a = 1.0", "variables and numbers of arrays can be assigned, not p.a"),
        ("def f(p: Pair) -> float:\n    return p.a()", "'p.a' is of type float and cannot be called"),
        ("def f(p: Pair, q: Pair) -> float:\n    r = p if p.a > q.a else q\n    return r.a", "not chosen as a whole"),
        ("def f(p: Pair) -> Pair:\n    return p", "a function returns float, int, bool or None, not Pair"),
        ("def f(x: Floats) -> float:\n    return Pair(1.0).a", "a name is needed"),
        ("def f(x: Floats) -> float:\n    p = Pair(1.0)\n    return p.a", "takes each of its fields once: a, x"),
        ("def f(x: Floats) -> float:\n    p = Pair(1.0, x, x)\n    return p.a", "takes each of its fields once"),
        ("def f(x: Floats) -> float:\n    p = Pair(1.0, x, a=2.0)\n    return p.a", "takes each of its fields once"),
        ("def f(x: Floats) -> float:\n    p = Pair(1, x)\n    return p.a", "the field 'a' is of type float"),
        ("def f(x: Floats) -> float:\n    p = Named(1.0)\n    return p.a", "given by name"),
        ("def f(p: Strange) -> float:\n    return 1.0", "no type of the subset: Strange"),
        ("def f(p: Empty) -> float:\n    return 1.0", "a record has fields"),
        ("def f(p: Open) -> float:\n    return p.a", "no type of the subset: Open"),
        ("def f(x: Floats) -> float:\n    y = p.a\n    p = Pair(1.0, x)\n    return y", "'p' may have no value here"),
    ],
)
def test_what_records_cannot(text: str, message: str, load: Callable[[str], Any]) -> None:
    with pytest.raises(SubsetError) as caught:
        compile_functions([load(HEAD + text).f], exports=["f"])
    assert message in str(caught.value)


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Any]:
    """Makes a module from text."""

    def make(text: str) -> Any:
        (tmp_path / "sample_of_records.py").write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        monkeypatch.delitem(sys.modules, "sample_of_records", raising=False)
        return importlib.import_module("sample_of_records")

    return make


def test_code_in_a_hurry_has_the_same_bits_and_is_not_taken_where_there_is_better(tmp_path: Path) -> None:
    def both_of(**options: bool) -> tuple[float, int]:
        code = compile_functions(FUNCTIONS, exports=["both"], cache=tmp_path, quick=True, **options)
        size = sum(each.stat().st_size for each in tmp_path.iterdir())
        return code.both(rows(), np.zeros(2, dtype=np.int64), 1), size

    hasty, first = both_of(hasty=True)
    assert both_of(hasty=True) == (hasty, first)
    better, both_sizes = both_of()
    assert better == hasty == reference(both)(rows(), np.zeros(2, dtype=np.int64), 1)
    assert both_sizes > first
    fresh = tmp_path / "other"
    compile_functions(FUNCTIONS, exports=["both"], cache=fresh, quick=True)
    count = len(list(fresh.iterdir()))
    compile_functions(FUNCTIONS, exports=["both"], cache=fresh, quick=True, hasty=True)
    assert len(list(fresh.iterdir())) == count
