"""Functions that the subset knows: Python's, those of `math`, and its own."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Hashable
from typing import Final

from sistel.kernels.subset._arithmetic import extreme, numbers_of_one_kind, to_float, to_int
from sistel.kernels.subset._frame import OUTSIDE, SINCOS, Frame, constant
from sistel.kernels.subset._types import BOOL, FLOAT, INT, INTS, Value, poll, shift

Handler = Callable[[Frame, ast.Call, list[Value]], Value]


def _count(f: Frame, node: ast.Call, values: list[Value], count: int) -> None:
    if len(values) != count:
        raise f.error(node, f"{ast.unparse(node.func)!r} takes {count} arguments here, there are {len(values)}")


def _floats(f: Frame, node: ast.Call, values: list[Value], count: int) -> list[Value]:
    """Numbers as floats: `math` takes ints too."""
    _count(f, node, values, count)
    for value in values:
        if not value.kind.is_number:
            raise f.error(node, f"{ast.unparse(node.func)!r} takes numbers, not {value.kind.name}")
    return [to_float(f, value) for value in values]


def _intrinsic(name: str, count: int = 1) -> Handler:
    def handler(f: Frame, node: ast.Call, values: list[Value]) -> Value:
        return Value(FLOAT, f.w.intrinsic(name, *(each.text for each in _floats(f, node, values, count))))

    return handler


def _library(name: str, count: int = 1) -> Handler:
    def handler(f: Frame, node: ast.Call, values: list[Value]) -> Value:
        return f.library(name, *_floats(f, node, values, count))

    return handler


def _sincos(part: int) -> Handler:
    def handler(f: Frame, node: ast.Call, values: list[Value]) -> Value:
        (angle,) = _floats(f, node, values, 1)
        f.unit.sincos = True
        pair = f.w.value(f"call {{ double, double }} @{SINCOS}(double {angle.text})")
        return f.make(FLOAT, f"extractvalue {{ double, double }} {pair}, {part}")

    return handler


def _rounded(name: str) -> Handler:
    """To a whole number, which is an int, as in Python."""

    def handler(f: Frame, node: ast.Call, values: list[Value]) -> Value:
        _count(f, node, values, 1)
        if numbers_of_one_kind(f, node, values) == INT:
            return values[0]
        return to_int(f, Value(FLOAT, f.w.intrinsic(name, values[0].text)))

    return handler


def _test(predicate: str, limit: float) -> Handler:
    """A comparison of the magnitude with a limit."""

    def handler(f: Frame, node: ast.Call, values: list[Value]) -> Value:
        (value,) = _floats(f, node, values, 1)
        return Value(BOOL, f.w.compare(predicate, f.w.intrinsic("fabs", value.text), constant(limit).text))

    return handler


def _abs(f: Frame, node: ast.Call, values: list[Value]) -> Value:
    _count(f, node, values, 1)
    if numbers_of_one_kind(f, node, values) == FLOAT:
        return Value(FLOAT, f.w.intrinsic("fabs", values[0].text))
    f.unit.declarations.add("declare i64 @llvm.abs.i64(i64, i1)")
    return f.make(INT, f"call i64 @llvm.abs.i64(i64 {values[0].text}, i1 false)")


def _extreme(operation: ast.cmpop) -> Handler:
    def handler(f: Frame, node: ast.Call, values: list[Value]) -> Value:
        if len(values) < 2:
            raise f.error(node, f"{ast.unparse(node.func)!r} takes two numbers or more")
        numbers_of_one_kind(f, node, values)
        return extreme(f, node, operation, values)

    return handler


def _converted(convert: Callable[[Frame, Value], Value]) -> Handler:
    def handler(f: Frame, node: ast.Call, values: list[Value]) -> Value:
        _count(f, node, values, 1)
        if not values[0].kind.is_number and values[0].kind != BOOL:
            raise f.error(node, f"a number cannot be made from {values[0].kind.name}")
        return convert(f, values[0])

    return handler


def _shift(f: Frame, node: ast.Call, values: list[Value]) -> Value:
    _count(f, node, values, 2)
    array, offset = values
    if not array.kind.is_array or offset.kind != INT:
        raise f.error(node, f"shift takes an array and an int, not {array.kind.name} and {offset.kind.name}")
    if offset.known is not None and offset.known < 0:
        raise f.error(node, "parts of arrays begin inside them: a negative offset is before the beginning")
    extent = ""
    if array.extent:
        f.require(node, f.w.value(f"icmp ule i64 {offset.text}, {array.extent}"), OUTSIDE)
        extent = f.w.value(f"sub i64 {array.extent}, {offset.text}")
    at = f.w.value(f"getelementptr inbounds {array.kind.item.llvm}, ptr {array.text}, i64 {offset.text}")
    return Value(array.kind, at, extent=extent)


def _poll(f: Frame, node: ast.Call, values: list[Value]) -> Value:
    _count(f, node, values, 2)
    flag, index = values
    if flag.kind != INTS or index.kind != INT:
        raise f.error(node, f"poll takes Ints and an int, not {flag.kind.name} and {index.kind.name}")
    if flag.extent:
        f.require(node, f.w.value(f"icmp ult i64 {index.text}, {flag.extent}"), OUTSIDE)
    at = f.w.value(f"getelementptr inbounds i64, ptr {flag.text}, i64 {index.text}")
    return f.make(INT, f"load atomic volatile i64, ptr {at} monotonic, align 8")


BUILTINS: Final[dict[Hashable, Handler]] = {
    abs: _abs,
    float: _converted(to_float),
    int: _converted(to_int),
    max: _extreme(ast.Gt()),
    min: _extreme(ast.Lt()),
    poll: _poll,
    shift: _shift,
    math.ceil: _rounded("ceil"),
    math.copysign: _intrinsic("copysign", 2),
    math.cos: _sincos(1),
    math.fabs: _intrinsic("fabs"),
    math.floor: _rounded("floor"),
    math.isfinite: _test("olt", math.inf),
    math.isinf: _test("oeq", math.inf),
    math.isnan: _test("uno", 0.0),
    math.sin: _sincos(0),
    math.sqrt: _intrinsic("sqrt"),
    math.trunc: _rounded("trunc"),
    **{getattr(math, name): _library(name, 2) for name in ("atan2", "fmod", "hypot", "pow")},
    **{
        getattr(math, name): _library(name)
        for name in ("acos", "asin", "atan", "cosh", "exp", "expm1", "log", "log1p", "sinh", "tan", "tanh")
    },
}
"""What to do with a call of each of them, once its arguments are computed."""
