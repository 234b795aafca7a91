"""Operations on numbers as instructions, with the meaning that Python gives to them."""

from __future__ import annotations

import ast
from typing import Final

from sistel.kernels.subset._frame import DIVISION, Frame, constant
from sistel.kernels.subset._types import BOOL, FLOAT, INT, Kind, Value

_FLOATS: Final[dict[type[ast.operator], str]] = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}
_INTS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.BitXor: "xor",
    ast.BitAnd: "and",
    ast.BitOr: "or",
}
_ORDERS: Final[dict[type[ast.cmpop], tuple[str, str]]] = {
    ast.Lt: ("olt", "slt"),
    ast.LtE: ("ole", "sle"),
    ast.Gt: ("ogt", "sgt"),
    ast.GtE: ("oge", "sge"),
    ast.Eq: ("oeq", "eq"),
    ast.NotEq: ("une", "ne"),
}
LARGEST_POWER: Final = 16


def binary(f: Frame, node: ast.AST, operation: ast.operator, a: Value, b: Value) -> Value:
    """An arithmetic operation of two numbers."""
    kind = type(operation)
    for each in (a, b):
        if not each.kind.is_number:
            raise f.error(node, f"arithmetic is for int and float, not for {each.kind.name}")
    if kind is ast.Pow:
        return _power(f, node, a, b)
    whole = a.kind == b.kind == INT
    if kind is ast.FloorDiv or kind is ast.Mod:
        quotient, rest = _divide_ints(f, node, a, b) if whole else _divide_floats(f, to_float(f, a), to_float(f, b))
        return quotient if kind is ast.FloorDiv else rest
    if whole and kind in _INTS:
        return f.make(INT, f"{_INTS[kind]} i64 {a.text}, {b.text}")
    if kind not in _FLOATS:
        raise f.error(node, "the operations are + - * / // % and **, of ints ^ & | too")
    return _float(f, _FLOATS[kind], to_float(f, a), to_float(f, b))


def _float(f: Frame, operation: str, a: Value, b: Value) -> Value:
    flag = " contract" if f.unit.contract else ""
    return f.make(FLOAT, f"{operation}{flag} double {a.text}, {b.text}")


def to_float(f: Frame, value: Value) -> Value:
    """A number or a truth as a float."""
    if value.kind == FLOAT:
        return value
    if value.known is not None:
        return constant(float(value.known))
    return f.make(FLOAT, f"{'sitofp' if value.kind == INT else 'uitofp'} {value.operand} to double")


def to_int(f: Frame, value: Value) -> Value:
    """A number or a truth as an int: floats are cut, those too large give the nearest int, NaN gives 0."""
    if value.kind == INT:
        return value
    if value.kind == BOOL:
        return f.make(INT, f"zext i1 {value.text} to i64")
    f.unit.declarations.add("declare i64 @llvm.fptosi.sat.i64.f64(double)")
    return f.make(INT, f"call i64 @llvm.fptosi.sat.i64.f64(double {value.text})")


def negate(f: Frame, node: ast.AST, value: Value) -> Value:
    if not value.kind.is_number:
        raise f.error(node, f"a sign is for int and float, not for {value.kind.name}")
    if value.known is not None:
        return constant(-value.known)
    return (
        f.make(FLOAT, f"fneg double {value.text}") if value.kind == FLOAT else f.make(INT, f"sub i64 0, {value.text}")
    )


def compare(f: Frame, node: ast.AST, operation: ast.cmpop, a: Value, b: Value) -> Value:
    """One comparison of two numbers, or of two truths."""
    if type(operation) not in _ORDERS:
        raise f.error(node, "the comparisons are < <= > >= == and !=")
    ordered, signed = _ORDERS[type(operation)]
    if a.kind == b.kind == BOOL and signed in ("eq", "ne"):
        return f.make(BOOL, f"icmp {signed} i1 {a.text}, {b.text}")
    for each in (a, b):
        if not each.kind.is_number:
            raise f.error(node, f"{a.kind.name} and {b.kind.name} cannot be compared so")
    if a.kind == b.kind == INT:
        return f.make(BOOL, f"icmp {signed} i64 {a.text}, {b.text}")
    return f.make(BOOL, f"fcmp {ordered} double {to_float(f, a).text}, {to_float(f, b).text}")


def choose(f: Frame, truth: Value, a: Value, b: Value) -> Value:
    """One of two values that are both computed."""
    return f.make(a.kind, f"select i1 {truth.text}, {a.operand}, {b.operand}")


def extreme(f: Frame, node: ast.AST, operation: ast.cmpop, values: list[Value]) -> Value:
    """Python's min and max: a later value takes the place of an earlier one only if it is less (greater)."""
    best = values[0]
    for value in values[1:]:
        best = choose(f, compare(f, node, operation, value, best), value, best)
    return best


def _power(f: Frame, node: ast.AST, base: Value, exponent: Value) -> Value:
    n = exponent.known
    if not isinstance(n, int) or not 0 <= n <= LARGEST_POWER:
        raise f.error(
            node, f"the exponent of ** is a constant int from 0 to {LARGEST_POWER}: else math.pow or math.sqrt"
        )
    if n == 0:
        return constant(1.0 if base.kind == FLOAT else 1)
    result, square = None, base
    while True:
        if n & 1:
            result = square if result is None else _product(f, result, square)
        n >>= 1
        if not n:
            assert result is not None
            return result
        square = _product(f, square, square)


def _product(f: Frame, a: Value, b: Value) -> Value:
    return _float(f, "fmul", a, b) if a.kind == FLOAT else f.make(INT, f"mul i64 {a.text}, {b.text}")


def _divide_ints(f: Frame, node: ast.AST, a: Value, b: Value) -> tuple[Value, Value]:
    """Quotient rounded down, and the rest with the sign of the divisor; both 0 where the divisor is."""
    if b.known == 0:
        raise f.error(node, "division by zero")
    opposite = f.make(INT, f"sub i64 0, {a.text}")
    if b.known == -1:
        return opposite, constant(0)
    if b.known is not None:
        return _round_down(f, a, b)
    if f.unit.checked:
        f.require(node, f.w.value(f"icmp ne i64 {b.text}, 0"), DIVISION)
    # A processor may trap on a division by 0, and on that of the least int by -1: neither is ever executed.
    none = f.make(BOOL, f"icmp eq i64 {b.text}, 0")
    minus = f.make(BOOL, f"icmp eq i64 {b.text}, -1")
    special = f.make(BOOL, f"or i1 {none.text}, {minus.text}")
    quotient, rest = _round_down(f, a, choose(f, special, constant(1), b))
    return choose(f, none, constant(0), choose(f, minus, opposite, quotient)), rest


def _round_down(f: Frame, a: Value, b: Value) -> tuple[Value, Value]:
    quotient = f.make(INT, f"sdiv i64 {a.text}, {b.text}")
    rest = f.make(INT, f"srem i64 {a.text}, {b.text}")
    signs = f.w.value(f"icmp slt i64 {f.w.value(f'xor i64 {rest.text}, {b.text}')}, 0")
    some = f.w.value(f"icmp ne i64 {rest.text}, 0")
    turned = Value(BOOL, f.w.value(f"and i1 {signs}, {some}"))
    lower = f.make(INT, f"sub i64 {quotient.text}, 1")
    moved = f.make(INT, f"add i64 {rest.text}, {b.text}")
    return choose(f, turned, lower, quotient), choose(f, turned, moved, rest)


def _divide_floats(f: Frame, a: Value, b: Value) -> tuple[Value, Value]:
    """Quotient rounded down and rest, by the steps that CPython takes, so that all digits agree."""
    w, nil = f.w, constant(0.0)
    rest = f.library("fmod", a, b)
    quotient = f.make(FLOAT, f"fdiv double {f.w.subtract(a.text, rest.text)}, {b.text}")
    below, under = w.compare("olt", b.text, nil.text), w.compare("olt", rest.text, nil.text)
    some = Value(BOOL, w.compare("une", rest.text, nil.text))
    turned = Value(BOOL, w.value(f"and i1 {some.text}, {w.value(f'xor i1 {below}, {under}')}"))
    quotient = choose(f, turned, Value(FLOAT, w.subtract(quotient.text, constant(1.0).text)), quotient)
    moved = choose(f, turned, Value(FLOAT, w.add(rest.text, b.text)), rest)
    rest = choose(f, some, moved, Value(FLOAT, w.intrinsic("copysign", nil.text, b.text)))
    floor = Value(FLOAT, w.intrinsic("floor", quotient.text))
    far = Value(BOOL, w.compare("ogt", w.subtract(quotient.text, floor.text), constant(0.5).text))
    floor = choose(f, far, Value(FLOAT, w.add(floor.text, constant(1.0).text)), floor)
    sign = Value(FLOAT, w.intrinsic("copysign", nil.text, w.divide(a.text, b.text)))
    return choose(f, Value(BOOL, w.compare("une", quotient.text, nil.text)), floor, sign), rest


def numbers_of_one_kind(f: Frame, node: ast.AST, values: list[Value]) -> Kind:
    """See that all values are ints, or all floats."""
    kind = values[0].kind
    if not kind.is_number or any(value.kind != kind for value in values):
        kinds = ", ".join(value.kind.name for value in values)
        raise f.error(node, f"these must be all int or all float: {kinds}")
    return kind
