"""Compiled functions from outside: arguments, pointers to functions, the cache, threads, checked code."""

from __future__ import annotations

import ctypes
import dataclasses
import math
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import sistel.kernels.subset._compile as compiler
from sistel.kernels import _machine
from sistel.kernels._cache import SUFFIX
from sistel.kernels.subset import (
    CompiledFunctions,
    Floats,
    Function,
    Ints,
    compile_functions,
    poll,
    reference,
    shift,
)

Kernel = Function[[Floats, Floats], None]
Rule = Function[[float, int, bool], float]
FACTOR: Final = 3.0


def every_kind(x: Floats, n: Ints, a: float, k: int, flag: bool) -> float:
    x[1] = x[0] * a
    n[1] = n[0] * k
    return x[1] if flag else float(n[1])


def only_read(x: Floats, n: Ints) -> float:
    return x[0] + n[0]


def is_positive(x: float) -> bool:
    return x > 0.0


def scale(x: Floats, y: Floats) -> None:
    y[0] = x[0] * FACTOR
    y[1] = x[1] * FACTOR


def twice(f: Kernel, x: Floats, y: Floats) -> None:
    f(x, y)
    f(shift(y, 0), shift(y, 2))


def apply(rule: Rule, x: float, k: int, flag: bool) -> float:
    return rule(x, k, flag) + 0.5


def rule(x: float, k: int, flag: bool) -> float:
    return x + k if flag else x - k


def other_rule(x: float, k: int, flag: bool) -> float:
    return 100.0 * x + k if not flag else math.nan


def choice(x: float, flag: bool) -> float:
    """Functions of the set are values too."""
    chosen = rule if flag else other_rule
    return apply(chosen, x, 2, False) + apply(rule, x, 1, True)


def written_out(f: Function[[float], float], x: float) -> float:
    return f(x) * 2.0


FUNCTIONS: Final[list[Any]] = [
    *(every_kind, only_read, is_positive, scale, twice, apply, rule, other_rule, choice, written_out),
]


@pytest.fixture(scope="module")
def code() -> CompiledFunctions:
    return compile_functions(FUNCTIONS, exports=[function.__name__ for function in FUNCTIONS])


# --- arguments -----------------------------------------------------------------------------------------------------


def test_arguments_of_every_kind(code: CompiledFunctions) -> None:
    x, n = np.array([2.0, 0.0]), np.array([5, 0])
    assert code.every_kind(x, n, 1.5, 3, True) == 3.0
    assert code.every_kind(x, n, np.float64(2.5), np.int32(-4), np.False_) == -20.0
    assert x.tolist() == [2.0, 5.0] and n.tolist() == [5, -20]
    assert code.is_positive(1) is True and code.is_positive(-1.0) is False
    assert code.scale(np.ones(2), np.ones(2)) is None
    assert code.scale.signature == "Function[[Floats, Floats], None]"
    assert repr(code.scale) == "<compiled function scale: Function[[Floats, Floats], None]>"


def test_wrong_arguments(code: CompiledFunctions) -> None:
    x, n = np.zeros(2), np.zeros(2, np.int64)
    good = [x, n, 1.0, 2, True]
    for place, wrong, kind, message in [
        (0, [1.0, 2.0], TypeError, "every_kind: 'x' is an array of float64, not list"),
        (0, np.zeros(2, np.float32), TypeError, "an array of float64, not an array of float32"),
        (0, np.zeros(2, ">f8" if sys.byteorder == "little" else "<f8"), TypeError, "an array of float64, not an array"),
        (0, np.zeros(4)[::2], ValueError, "'x' has one axis, its numbers lie side by side and aligned"),
        (0, np.zeros((2, 1)), ValueError, "has one axis"),
        (0, np.zeros(17, np.uint8)[1:].view(np.float64), ValueError, "aligned"),
        (1, np.zeros(2), TypeError, "'n' is an array of int64, not an array of float64"),
        (2, "1", TypeError, "'a' is of type float, not str"),
        (2, None, TypeError, "'a' is of type float, not NoneType"),
        (3, 1.0, TypeError, "'k' is of type int, not float"),
        (3, 2**63, OverflowError, "64 bits: 9223372036854775808"),
        (4, 1, TypeError, "'flag' is of type bool, not int"),
    ]:
        given = [*good[:place], wrong, *good[place + 1 :]]
        with pytest.raises(kind, match=message):
            code.every_kind(*given)
    with pytest.raises(TypeError, match="every_kind takes 5 arguments, here are 1"):
        code.every_kind(x)
    with pytest.raises(TypeError, match="keyword"):
        code.every_kind(x=x)


def test_locked_arrays_are_never_written(code: CompiledFunctions) -> None:
    x, n = np.ones(2), np.ones(2, np.int64)
    x.setflags(write=False)
    n.setflags(write=False)
    assert code.only_read(x, n) == 2.0
    code.scale(x, np.zeros(2))
    with pytest.raises(ValueError, match="scale: 'y' may be written to, and this array is locked"):
        code.scale(np.zeros(2), x)
    with pytest.raises(ValueError, match="every_kind: 'n' may be written to"):
        code.every_kind(np.zeros(2), n, 1.0, 1, True)


# --- pointers to functions -----------------------------------------------------------------------------------------

NATIVE = """
define void @negate(ptr %x, ptr %y) {
  %a = load double, ptr %x, align 8
  %b = fneg double %a
  store double %b, ptr %y, align 8
  %from = getelementptr double, ptr %x, i64 1
  %c = load double, ptr %from, align 8
  %d = fadd double %c, 1.0
  %to = getelementptr double, ptr %y, i64 1
  store double %d, ptr %to, align 8
  ret void
}
"""


class Holder:
    """Something that has an address."""

    def __init__(self, code: _machine.Code, name: str) -> None:
        self.code = code
        self.address = code.address(name)


def test_pointers_to_native_functions(code: CompiledFunctions) -> None:
    loaded = _machine.Code(_machine.assemble(NATIVE))
    for pointer in (Holder(loaded, "negate"), loaded.function("negate")):
        y = np.zeros(4)
        code.twice(pointer, np.array([2.0, 3.0]), y)
        assert y.tolist() == [-2.0, 4.0, 2.0, 5.0]


def test_pointers_to_functions_of_a_set(code: CompiledFunctions) -> None:
    for pointer in (code.scale, code["scale"]):
        y, expected = np.zeros(4), np.zeros(4)
        code.twice(pointer, np.array([2.0, 3.0]), y)
        reference(twice)(scale, np.array([2.0, 3.0]), expected)
        assert y.tolist() == expected.tolist() == [6.0, 9.0, 18.0, 27.0]
    for flag in (True, False):
        assert code.apply(code.rule, 1.5, 4, flag) == apply(rule, 1.5, 4, flag)
        assert code.choice(1.5, flag) == choice(1.5, flag)


def test_pointers_to_functions_of_python(code: CompiledFunctions) -> None:
    """As a ctypes callback: every kind arrives as C has it."""
    seen: list[tuple[float, int, bool]] = []

    def python(x: float, k: int, flag: bool) -> float:
        seen.append((x, k, flag))
        return x * k

    callback = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int64, ctypes.c_bool)(python)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert address is not None
    assert code.apply(_machine.Native(callback, address), 2.5, -3, True) == -7.0 and seen == [(2.5, -3, True)]
    with pytest.raises(TypeError, match="a function that has an address, not int"):
        code.apply(address, 2.5, -3, True)  # nobody would keep what is there


def test_the_reference_takes_python_and_compiled_functions(code: CompiledFunctions) -> None:
    def swap(x: Any, y: Any) -> None:
        np.asarray(y)[:2] = np.asarray(x)[1::-1]

    y = np.zeros(4)
    reference(twice)(swap, np.array([2.0, 3.0]), y)
    assert y.tolist() == [3.0, 2.0, 2.0, 3.0]
    reference(twice)(code.scale, np.array([2.0, 3.0]), y)
    assert y.tolist() == [6.0, 9.0, 18.0, 27.0]


def test_wrong_pointers(code: CompiledFunctions) -> None:
    x = np.zeros(4)
    for wrong, kind, message in [
        (_machine.Native(None, 0), ValueError, "twice: 'f': 0 is not the address of a function"),
        (_machine.Native(None, -8), ValueError, "not the address"),
        (1.5, TypeError, "'f' is a function that has an address, not float"),
        (2**40, TypeError, "not int"),
        (scale, TypeError, "not function"),
        (
            code.rule,
            TypeError,
            r"'f' is of type Function\[\[Floats, Floats\], None\], not Function\[\[float, int, bool\]",
        ),
    ]:
        with pytest.raises(kind, match=message):
            code.twice(wrong, x, x)


def test_addresses_are_those_of_c_functions(code: CompiledFunctions) -> None:
    native = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int64, ctypes.c_bool)(code.address("rule"))
    assert native(1.5, 2, True) == 3.5 and native(1.5, 2, False) == -0.5


def test_a_function_keeps_its_code_alive() -> None:
    function = compile_functions([is_positive], exports=["is_positive"]).is_positive
    for _ in range(20):
        compile_functions([rule], exports=["rule"])
    assert function(1.0) is True


@pytest.mark.parametrize("quick", [False, True])
def test_arguments_for_good(quick: bool) -> None:
    code = compile_functions([every_kind], exports=["every_kind"], quick=quick)
    x, n = np.array([2.0, 0.0]), np.array([3, 0])
    call = code.every_kind.bind(x, n, 1.5, 4, True)
    assert call() == 3.0 and n[1] == 12
    x[0] = 4.0
    del x, n  # what is bound is kept
    assert call() == 6.0
    with pytest.raises(TypeError, match="array"):
        code.every_kind.bind([1.0], np.array([3, 0]), 1.5, 4, True)
    with pytest.raises(TypeError, match="5 arguments"):
        code.every_kind.bind()
    checked = compile_functions([every_kind], exports=["every_kind"], checked=True)
    with pytest.raises(TypeError, match="checked"):
        checked.every_kind.bind(np.zeros(2), np.zeros(2, dtype=np.int64), 1.5, 4, True)


# --- the cache -----------------------------------------------------------------------------------------------------


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for everything that was compiled, and not found."""
    count: list[int] = []
    original = compiler.emit

    def emit(sources: Any, *rest: Any, **options: Any) -> Any:
        count.append(len(sources))
        return original(sources, *rest, **options)

    monkeypatch.setattr(compiler, "emit", emit)
    return count


posix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="the cache is used on POSIX systems only")


def scaled(folder: Path | None, **options: bool) -> list[float]:
    code = compile_functions([scale], exports=["scale"], cache=folder, **options)
    y = np.zeros(2)
    code.scale(np.array([1.0, 2.0]), y)
    with pytest.raises(ValueError, match="locked"):
        locked = np.zeros(2)
        locked.setflags(write=False)
        code.scale(y, locked)
    return [float(each) for each in y]


@posix
def test_objects_are_found_again(tmp_path: Path, emitted: list[int]) -> None:
    folder = tmp_path / "kernels"
    for _ in range(3):
        assert scaled(folder) == [3.0, 6.0]
    assert len(emitted) == 1
    scaled(folder, contract=True)
    scaled(folder, checked=True)
    compile_functions([scale, rule], exports=["scale"], cache=folder)
    compile_functions([scale, rule], exports=["scale", "rule"], cache=folder)
    assert len(emitted) == 5 and len(list(folder.iterdir())) == 5
    scaled(None)
    assert len(emitted) == 6


@posix
def test_damaged_objects_are_made_again(tmp_path: Path, emitted: list[int]) -> None:
    scaled(tmp_path / "kernels")
    (path,) = (tmp_path / "kernels").glob(f"*{SUFFIX}")
    whole = path.read_bytes()
    for damaged in (whole[:-9], whole[:200] + b"\xff" + whole[201:], b"", b"{}\n"):
        path.write_bytes(damaged)
        assert scaled(tmp_path / "kernels") == [3.0, 6.0]
        assert path.read_bytes() == whole
    assert len(emitted) == 5


@posix
def test_constants_and_meanings_belong_to_the_key(
    tmp_path: Path, emitted: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "kernels"
    assert scaled(folder) == [3.0, 6.0]
    monkeypatch.setitem(globals(), "FACTOR", 4.0)
    assert scaled(folder) == [4.0, 8.0]
    monkeypatch.setitem(globals(), "FACTOR", 3.0)
    assert scaled(folder) == [3.0, 6.0] and len(emitted) == 2

    def signature() -> str:
        return compile_functions([apply, rule], exports=["apply"], cache=folder).apply.signature

    assert signature() == "Function[[Function[[float, int, bool], float], float, int, bool], float]"
    monkeypatch.setitem(globals(), "Rule", Function[[float, int, bool], int])
    assert signature() == "Function[[Function[[float, int, bool], int], float, int, bool], float]"
    assert len(emitted) == 4


@posix
def test_the_machine_belongs_to_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = [compiler.read_source(scale)]

    def key() -> str:
        return compiler.entry_key(sources, ["scale"], contract=False, checked=False)

    here = _machine.host()
    keys = {key()}
    for name in ("triple", "cpu", "features", "versions"):
        changed = dataclasses.replace(here, **{name: "another"})
        with monkeypatch.context() as patch:
            patch.setattr(_machine, "host", lambda changed=changed: changed)
            keys.add(key())
    with monkeypatch.context() as patch:
        patch.setattr(compiler, "_own", lambda: "another compiler")
        keys.add(key())
    assert len(keys) == 6


@posix
def test_another_process_finds_them(tmp_path: Path) -> None:
    module = tmp_path / "sample.py"
    module.write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "from sistel.kernels.subset import compile_functions\n"
        "import sistel.kernels.subset._compile as compiler\n"
        "def double(x: float) -> float:\n"
        "    return 2 * x\n"
        "folder = Path(sys.argv[1])\n"
        "if folder.exists():\n"
        "    compiler.emit = None\n"
        "print(compile_functions([double], exports=['double'], cache=folder).double(4.0))\n",
        encoding="utf-8",
    )
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, module, tmp_path / "kernels"], capture_output=True, text=True, check=True
        )
        assert done.stdout == "8.0\n"


def test_types_alone_import_nothing_heavy() -> None:
    text = "import sys, sistel.kernels.subset as s; s.Floats, s.shift; print({'numpy', 'llvmlite'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True).stdout == "set()\n"


# --- threads -------------------------------------------------------------------------------------------------------

PATIENCE: Final = 3_000_000_000
"""Turns of a loop after which a test fails instead of waiting on: some seconds."""


def meet(flags: Ints, mine: int, other: int) -> bool:
    """Say that one is here, and wait for the other."""
    flags[mine] = 1
    turns = 0
    while poll(flags, other) == 0:
        turns += 1
        if turns > PATIENCE:
            return False
    return True


@pytest.fixture(scope="module")
def meeting() -> CompiledFunctions:
    return compile_functions([meet], exports=["meet"])


def test_the_interpreter_is_free_meanwhile(meeting: CompiledFunctions) -> None:
    """The function waits for what only Python, in another thread, can do; this is also how it is interrupted."""
    flags, results = np.zeros(2, np.int64), list[bool]()
    thread = threading.Thread(target=lambda: results.append(meeting.meet(flags, 0, 1)))
    thread.start()
    while flags[0] == 0 and thread.is_alive():
        pass
    flags[1] = 1
    thread.join()
    assert results == [True]


def test_two_calls_at_once(meeting: CompiledFunctions) -> None:
    flags, results = np.zeros(2, np.int64), list[bool]()
    calls = [
        threading.Thread(target=lambda pair=pair: results.append(meeting.meet(flags, *pair)))
        for pair in ((0, 1), (1, 0))
    ]
    for thread in calls:
        thread.start()
    for thread in calls:
        thread.join()
    assert results == [True, True]


# --- checked code --------------------------------------------------------------------------------------------------


def pick(x: Floats, k: int) -> float:
    return x[k]


def reach(x: Floats, n: Ints, k: int, by: int) -> float:
    part = shift(x, k)
    inner = part if k > 0 else shift(x, 1)
    n[0] += 1
    value = pick(inner, n[2] // by)
    n[0] += 10
    inner[poll(n, 1)] = value
    return value


def sweep(rule: Function[[Floats, int], float], x: Floats, k: int) -> float:
    return rule(x, k)


def through(x: Floats, k: int) -> float:
    return sweep(pick, x, k)


@pytest.fixture(scope="module")
def checked() -> CompiledFunctions:
    functions = [pick, reach, sweep, through]
    return compile_functions(functions, exports=["pick", "reach", "through", "sweep"], checked=True)


def line_of(function: Any, text: str) -> int:
    source = compiler.read_source(function)
    return source.first + next(i for i, line in enumerate(source.text.splitlines()) if text in line)


def test_checked_code_computes_the_same(checked: CompiledFunctions) -> None:
    x, n = np.arange(6.0), np.array([0, 1, 2])
    assert checked.reach(x, n, 2, 1) == 4.0
    assert x.tolist() == [0, 1, 2, 4, 4, 5] and n.tolist() == [11, 1, 2]
    assert checked.through(x, 3) == 4.0


def test_checked_code_finds_mistakes(checked: CompiledFunctions) -> None:
    x = np.arange(6.0)
    place = f"in 'pick', line {line_of(pick, 'return')}"
    for k in (-1, 6, 2**62):
        with pytest.raises(IndexError, match=f"index outside the array {place}"):
            checked.pick(x, k)
    n = np.array([0, 1, 4])
    with pytest.raises(IndexError, match=place):
        checked.reach(x, n, 2, 1)
    assert n[0] == 1  # nothing more was done
    for k, wrong in ((7, "shift(x, k)"), (-1, "shift(x, k)")):
        with pytest.raises(IndexError, match=f"in 'reach', line {line_of(reach, wrong)}"):
            checked.reach(x, n, k, 1)
    for index in (5, -1):
        with pytest.raises(IndexError, match=f"in 'reach', line {line_of(reach, '= value')}"):
            checked.reach(x, np.array([0, index, 0]), 2, 1)
    with pytest.raises(IndexError, match=f"line {line_of(reach, 'pick(inner')}"):
        checked.reach(x, np.array([0, 1]), 2, 1)
    with pytest.raises(ZeroDivisionError, match=f"line {line_of(reach, 'pick(inner')}"):
        checked.reach(x, np.array([0, 1, 2]), 2, 0)


def test_checked_functions_are_not_called_by_address(checked: CompiledFunctions) -> None:
    with pytest.raises(TypeError, match="in checked code"):
        checked.sweep(checked.pick, np.zeros(2), 0)
