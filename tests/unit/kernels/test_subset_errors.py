"""What is outside the subset is refused with its place, and nothing is compiled."""

from __future__ import annotations

import ast
import functools
import importlib.util
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sistel.kernels.subset import Floats, Function, SubsetError, compile_functions, reference, shift

HEAD = """\
from __future__ import annotations
import math
import json
from typing import Callable
from sistel.kernels.subset import Floats, Function, Ints, poll, shift
TABLE = [1.0, 2.0]
HUGE = 2**70
Kernel = Function[[Floats], None]
Strange = Function[[str], None]
def other(x: float) -> float:
    return x
def scale(x: Floats) -> None:
    x[0] *= 2.0
"""


@pytest.fixture
def load(tmp_path: Path) -> Iterator[Callable[[str], ModuleType]]:
    """Makes a module from text."""
    names: list[str] = []

    def make(text: str) -> ModuleType:
        name = f"subset_sample_{len(names)}"
        path = tmp_path / f"{name}.py"
        path.write_text(text, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        names.append(name)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    yield make
    for name in names:
        del sys.modules[name]


# The place is marked by ‹ in the text.
REFUSED = [
    # expressions
    ("def f(x: float) -> float:\n    return ‹[x][0]", "not allowed: [x]"),
    ("def f(x: float) -> float:\n    return ‹(x, x)", "not allowed"),
    ("def f(x: float) -> float:\n    return (‹lambda: x)()", "a name is needed"),
    ("def f(x: float) -> float:\n    return ‹'text'", "not a number"),
    ("def f(x: float) -> float:\n    return ‹1j", "not a number"),
    ("def f(x: float) -> float:\n    return (‹y := x)", "not allowed"),
    ("def f(x: float) -> float:\n    return ‹TABLE[0]", "not a number: TABLE is of type list"),
    ("def f(x: float) -> int:\n    return ‹HUGE", "64 bits"),
    ("def f(x: float) -> int:\n    return ‹9223372036854775808", "64 bits"),
    ("def f(x: float) -> float:\n    return ‹missing", "nothing is called 'missing'"),
    ("def f(x: float) -> float:\n    return ‹math.missing", "nothing is called 'math.missing'"),
    ("def f(x: float) -> float:\n    return ‹x.real", "values have no attributes"),
    ("def f(x: float) -> float:\n    return ‹HUGE.real", "attributes are taken of modules only"),
    ("def f(x: float) -> float:\n    return ‹x[0]", "float has none"),
    ("def f(x: Floats) -> float:\n    return x[‹0.5]", "an index is of type int, this is of type float: write int(...)"),
    ("def f(x: Floats) -> float:\n    return x[‹-1]", "negative"),
    ("def f(x: Floats) -> float:\n    return ‹x[1:]", "write shift(array, offset)"),
    ("def f(x: Floats) -> float:\n    return ‹x + 1.0", "arithmetic is for int and float, not for Floats"),
    ("def f(x: bool) -> int:\n    return ‹x + 1", "not for bool"),
    ("def f(x: bool) -> int:\n    return ‹-x", "not for bool"),
    ("def f(x: int) -> int:\n    return ‹~x", "the operations are"),
    ("def f(x: int) -> int:\n    return ‹x << 1", "the operations are"),
    ("def f(x: int) -> int:\n    return ‹x // 0", "division by zero"),
    ("def f(x: float) -> float:\n    return ‹x ** 0.5", "constant int from 0 to 16"),
    ("def f(x: float) -> float:\n    return ‹x ** -1", "constant int from 0 to 16"),
    ("def f(x: float, n: int) -> float:\n    return ‹x ** n", "constant int from 0 to 16"),
    ("def f(x: int) -> bool:\n    return not ‹x", "a condition is of type bool, this is of type int: write a comparison"),
    ("def f(x: int) -> bool:\n    return x > 0 and ‹x", "a condition is of type bool"),
    ("def f(x: int) -> bool:\n    return ‹x is x", "the comparisons are"),
    ("def f(x: Floats) -> bool:\n    return ‹x == x", "cannot be compared"),
    ("def f(x: bool) -> bool:\n    return ‹x < x", "cannot be compared"),
    ("def f(x: int) -> int:\n    return ‹1 if x > 0 else 2.0", "both values must be of one type"),
    ("def f(x: int) -> float:\n    return ‹min(x, 1.0)", "all int or all float: int, float"),
    ("def f(x: float) -> float:\n    return ‹min(x)", "two numbers or more"),
    ("def f(x: Floats) -> float:\n    return ‹math.sqrt(x)", "takes numbers, not Floats"),
    ("def f(x: float) -> float:\n    return ‹math.log(x, 2.0)", "takes 1 arguments here, there are 2"),
    ("def f(x: float) -> float:\n    return math.pow(x, ‹*[1.0])", "one by one"),
    ("def f(x: float) -> float:\n    return math.pow(x, y=‹2.0)", "positional"),
    ("def f(x: Floats) -> float:\n    return ‹float(x)", "cannot be made from Floats"),
    ("def f(x: float) -> float:\n    return ‹shift(x, 1)", "shift takes an array and an int"),
    ("def f(x: Floats) -> float:\n    return ‹shift(x, -1)[1]", "a negative offset"),
    ("def f(x: Floats) -> int:\n    return ‹poll(x, 0)", "poll takes Ints and an int"),
    ("def f(x: float) -> float:\n    return ‹json.dumps(x)", "neither of the functions compiled here nor of the subset"),
    ("def f(x: float) -> float:\n    return ‹print(x)", "neither of the functions"),
    ("def f(x: float) -> float:\n    return ‹other(x)", "neither of the functions"),
    ("def f(x: float) -> float:\n    return ‹x(1.0)", "float and cannot be called"),
    ("def f(x: float) -> float:\n    return ‹f(x, x)", "takes 1 arguments, here are 2"),
    ("def f(x: float) -> float:\n    return f(‹1)", "this argument is of type float, this is of type int: write float(...)"),
    ("def f(k: Kernel, x: Floats) -> None:\n    k(‹1.0)", "this argument is of type Floats"),
    ("def f(k: Kernel, x: Ints) -> None:\n    k(‹x)", "this argument is of type Floats, this is of type Ints"),
    ("def f(x: Floats) -> float:\n    return ‹f", "the result is of type float, this is of type Function[[Floats], float]"),
    # statements
    ("def f(x: float) -> None:\n    ‹x", "no effect"),
    ("def f(x: float) -> None:\n    ‹a, b = x, x", "one variable is assigned at a time"),
    ("def f(x: float) -> None:\n    ‹a = b = x", "one variable is assigned at a time"),
    ("def f(x: Floats) -> None:\n    ‹x.size = 3.0", "can be assigned"),
    ("def f(x: Floats) -> None:\n    ‹x[0] = 1", "the array holds float, this is of type int: write float(...)"),
    ("def f(x: Ints) -> None:\n    ‹x[0] = 1.0", "the array holds int, this is of type float: write int(...)"),
    ("def f(x: Ints) -> None:\n    ‹x[0] /= 2", "the array holds int"),
    ("def f(x: int) -> None:\n    ‹x = 1.0", "'x' is of type int, this is of type float"),
    ("def f(x: int) -> None:\n    y: float = ‹x", "'y' is of type float, this is of type int"),
    ("def f(x: int) -> None:\n    y: ‹str = x", "no type of the subset: str"),
    ("def f(x: int) -> None:\n    ‹x /= 2", "'x' is of type int, this is of type float"),
    ("def f(x: int) -> None:\n    ‹y += x", "'y' may have no value here"),
    ("def f(x: Floats) -> None:\n    ‹y = scale(x)", "no value"),
    ("def f(x: int) -> int:\n    if x > 0:\n        y = 1\n    return ‹y", "'y' may have no value here"),
    ("def f(x: int) -> int:\n    while x > 0:\n        y = 1\n        x -= 1\n    return ‹y", "'y' may have no value here"),
    ("def f(x: int) -> int:\n    for i in range(x):\n        pass\n    return ‹i", "'i' may have no value here"),
    ("def f(x: int) -> int:\n    while True:\n        if x > 3:\n            break\n        y = 1\n        if y < x:\n            break\n    return ‹y", "'y' may have no value here"),
    ("def f(x: int) -> int:\n    return 1\n    ‹x = 2", "control never comes here"),
    ("def f(x: int) -> int:\n    while True:\n        x += 1\n    ‹return x", "control never comes here"),
    ("‹def f(x: int) -> int:\n    if x > 0:\n        return 1", "'f' may end without a return"),
    ("def f(x: int) -> int:\n    ‹return", "this function returns int"),
    ("def f(x: int) -> None:\n    ‹return x", "this function returns None"),
    ("def f(x: int) -> float:\n    return ‹x", "the result is of type float, this is of type int"),
    ("def f(x: int) -> None:\n    while ‹x:\n        x -= 1", "a condition is of type bool"),
    ("def f(x: int) -> None:\n    while x > 0:\n        x -= 1\n    else:\n        ‹x = 1", "loops have no else"),
    ("def f(x: int) -> None:\n    for i in ‹TABLE:\n        x = 1", "over a range"),
    ("def f(x: int) -> None:\n    for i in ‹sorted(x):\n        x = 1", "over range("),
    ("def f(x: int) -> None:\n    for ‹(i, j) in range(3):\n        x = 1", "one variable"),
    ("def f(x: int) -> None:\n    for i in range(0, 9, ‹x):\n        x = 1", "a constant other than 0"),
    ("def f(x: int) -> None:\n    for i in range(0, 9, ‹0):\n        x = 1", "a constant other than 0"),
    ("def f(x: float) -> None:\n    for i in range(‹x):\n        x = 1.0", "a bound of a range is of type int"),
    ("def f(x: float) -> None:\n    ‹assert x > 0", "not allowed: assert x > 0 (Assert)"),
    ("def f(x: float) -> None:\n    ‹raise ValueError", "not allowed: raise ValueError (Raise)"),
    ("def f(x: float) -> None:\n    ‹del x", "(Delete)"),
    ("def f(x: float) -> None:\n    ‹global TABLE", "(Global)"),
    ("def f(x: float) -> None:\n    ‹import os", "(Import)"),
    ("def f(x: float) -> None:\n    ‹try:\n        x = 1.0\n    finally:\n        x = 2.0", "(Try)"),
    ("def f(x: float) -> None:\n    ‹with x:\n        x = 1.0", "(With)"),
    ("def f(x: float) -> None:\n    ‹def g() -> None:\n        return", "(FunctionDef)"),
    # signatures
    ("def f(‹x) -> None:\n    return", "'x' has no annotation"),
    ("‹def f(x: float):\n    return", "the result of 'f' has no annotation"),
    ("def f(x: ‹str) -> None:\n    return", "no type of the subset: str"),
    ("def f(x: ‹'float') -> None:\n    return", "without quotation marks"),
    ("def f(x: ‹None) -> None:\n    return", "cannot be None"),
    ("def f(x: ‹list[float]) -> None:\n    return", "no type of the subset: list[float]"),
    ("def f(x: ‹float | int) -> None:\n    return", "no type of the subset: float | int"),
    ("def f(x: ‹Strange) -> None:\n    return", "no type of the subset: Strange"),
    ("def f(x: ‹Callable[..., None]) -> None:\n    return", "no type of the subset"),
    ("def f(x: ‹Function[[Floats], Floats]) -> None:\n    return", "returns float, int, bool or None"),
    ("def f(x: Floats) -> ‹Floats:\n    return x", "returns float, int, bool or None, not Floats"),
    ("def f(x: float = ‹1.0) -> None:\n    return", "no defaults"),
    ("def f(*‹x: float) -> None:\n    return", "positional"),
    ("def f(*, ‹x: float) -> None:\n    return", "positional"),
    ("@(‹lambda f: f)\ndef f(x: float) -> None:\n    return", "decorators"),
    # letters beyond ASCII: columns are counted as people count them
    ("def f(ψ: float) -> float:\n    return ψ * ψ + ‹missing", "nothing is called"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_refusals_name_the_place(load: Callable[[str], ModuleType], text: str, message: str) -> None:
    at = text.index("‹")
    line = HEAD.count("\n") + text[:at].count("\n") + 1
    column = at - (text.rfind("\n", 0, at) + 1) + 1
    module = load(HEAD + text.replace("‹", ""))
    functions = [module.f, module.scale] if "scale" in text else [module.f]
    with pytest.raises(SubsetError) as caught:
        compile_functions(functions, exports=["f"])
    said = str(caught.value)
    assert message in said, said
    assert said.startswith(f"{module.__file__}:{line}:{column}: "), said


def test_places_in_indented_functions(load: Callable[[str], ModuleType]) -> None:
    module = load(HEAD + "if True:\n    def f(x: float) -> float:\n        return x + missing\n")
    with pytest.raises(SubsetError, match=rf":{HEAD.count(chr(10)) + 3}:20: nothing is called 'missing'"):
        compile_functions([module.f], exports=["f"])


def test_a_function_may_be_indented(load: Callable[[str], ModuleType]) -> None:
    text = 'if True:\n    def f(x: float) -> float:\n        """Text\nat the margin."""\n        return x + 1\n'
    module = load(HEAD + text)
    assert compile_functions([module.f], exports=["f"]).f(2.5) == 3.5


def test_things_that_are_no_functions(load: Callable[[str], ModuleType]) -> None:
    for thing in (len, functools.partial(int), "f", ast.AST):
        with pytest.raises(SubsetError, match="is not a function written in Python"):
            compile_functions([thing], exports=["f"])
    k = 3.0

    def inner(x: float) -> float:
        return x * k

    with pytest.raises(SubsetError, match=r"test_subset_errors\.py:\d+:1: 'inner' uses names .*'k'"):
        compile_functions([inner], exports=["inner"])
    module = load("f = lambda x: x\n")
    with pytest.raises(SubsetError, match=r"subset_sample_0\.py:1:1: '<lambda>' is not defined by def here"):
        compile_functions([module.f], exports=[])


def test_text_that_is_gone_or_has_changed(load: Callable[[str], ModuleType]) -> None:
    module = load("def f(x: float) -> float:\n    return x\n")
    path = Path(str(module.__file__))
    path.write_text("\n\n\ndef g(x: float) -> float:\n    return x\n", encoding="utf-8")
    with pytest.raises(SubsetError, match="the text of 'f' is not a function by itself"):
        compile_functions([module.f], exports=["f"])
    path.write_text("def g(x: float) -> float:\n    return x  # changed\n", encoding="utf-8")
    with pytest.raises(SubsetError, match="'f' is not defined by def here, or the file has changed since"):
        compile_functions([module.f], exports=["f"])
    path.unlink()
    with pytest.raises(SubsetError, match="the text of 'f' is not to be had"):
        compile_functions([module.f], exports=["f"])


def one(x: float) -> float:
    return x


def test_exports() -> None:
    with pytest.raises(ValueError, match="0 of the functions are called 'two'"):
        compile_functions([one], exports=["one", "two"])
    with pytest.raises(ValueError, match="sequence of names"):
        compile_functions([one], exports="one")
    code = compile_functions([one, one], exports=["one", "one"])
    assert dir(code) == ["address", "one"]
    with pytest.raises(AttributeError, match="no function 'two' is exported"):
        code.two(1.0)
    with pytest.raises(KeyError):
        code.address("two")


def имя(x: float) -> float:
    return x + 1.0


def call(f: Function[[float], float], x: float) -> float:
    return f(x)


def by_name(x: float) -> float:
    return call(имя, x)


def test_letters_beyond_ascii() -> None:
    """Functions may have them, exported ones may not."""
    for checked in (False, True):
        code = compile_functions([имя, call, by_name], exports=["by_name"], checked=checked)
        assert code.by_name(2.0) == 3.0
    with pytest.raises(ValueError, match="of ASCII letters: 'имя'"):
        compile_functions([имя], exports=["имя"])


def back(x: Floats, k: int) -> float:
    return shift(x, 1)[k]


def put(x: Any, value: Any) -> None:
    x[0] = value


def test_the_reference_refuses_what_machine_code_cannot_do() -> None:
    numbers = np.arange(4.0)
    run = reference(back)
    assert run(numbers, 2) == 3.0
    for k in (-1, 3):
        with pytest.raises(IndexError, match=f"index {k} in an array of 3"):
            run(numbers, k)
    with pytest.raises(TypeError, match="the array holds float, this is of type int"):
        reference(put)(numbers, 1)
    with pytest.raises(TypeError, match="the array holds int, this is of type float"):
        reference(put)(np.arange(3), 1.0)
    with pytest.raises(ValueError, match="one axis"):
        run(np.zeros((2, 2)), 0)
    for offset in (-1, 5):
        with pytest.raises(IndexError, match=f"offset {offset} in an array of 4"):
            shift(numbers, offset)
    with pytest.raises(TypeError, match="an array is needed, not list"):
        shift([1.0, 2.0], 1)
