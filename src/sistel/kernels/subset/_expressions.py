"""Expressions as instructions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any, Final

from sistel.kernels.subset._arithmetic import binary, compare, negate
from sistel.kernels.subset._builtins import BUILTINS
from sistel.kernels.subset._frame import OUTSIDE, Frame, bridge_text, constant, hint
from sistel.kernels.subset._records import fields_of, takes_positions
from sistel.kernels.subset._signature import record_kind
from sistel.kernels.subset._types import BOOL, INT, NONE, Kind, Value

_LEAST, _GREATEST = -(2**63), 2**63 - 1
_ENDLESS: Final = str(_GREATEST)
"""Extent of an array that came from outside, in checked code."""


def evaluate(f: Frame, node: ast.expr) -> Value:
    """Write the instructions of an expression."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        raise f.error(node, f"not allowed: {ast.unparse(node)} ({type(node).__name__})")
    return handler(f, node)


def expect(f: Frame, node: ast.expr, kind: Kind, purpose: str) -> Value:
    """Evaluate an expression that must be of one kind."""
    value = evaluate(f, node)
    if value.kind != kind:
        raise f.error(
            node, f"{purpose} is of type {kind.name}, this is of type {value.kind.name}{hint(kind, value.kind)}"
        )
    return value


def condition(f: Frame, node: ast.expr) -> Value:
    """Evaluate an expression that must be a bool."""
    value = evaluate(f, node)
    if value.kind != BOOL:
        raise f.error(node, f"a condition is of type bool, this is of type {value.kind.name}: write a comparison")
    return value


def address(f: Frame, node: ast.Subscript) -> tuple[Kind, str]:
    """Where a number of an array lies, and its kind."""
    array = evaluate(f, node.value)
    if not array.kind.is_array:
        raise f.error(node, f"Floats and Ints have indices, {array.kind.name} has none")
    if isinstance(node.slice, ast.Slice):
        raise f.error(node, "slices are not allowed: write shift(array, offset)")
    index = expect(f, node.slice, INT, "an index")
    if index.known is not None and index.known < 0:
        raise f.error(node.slice, "indices count from the beginning: a negative one is outside the array")
    if array.extent:
        f.require(node, f.w.value(f"icmp ult i64 {index.text}, {array.extent}"), OUTSIDE)
    kind = array.kind.item
    return kind, f.w.value(f"getelementptr inbounds {kind.llvm}, ptr {array.text}, i64 {index.text}")


def _constant(f: Frame, node: ast.Constant) -> Value:
    return _number(f, node, node.value)


def _number(f: Frame, node: ast.expr, thing: object) -> Value:
    """A global thing as a value: a number, or a function of the set."""
    if isinstance(thing, FunctionType) and thing in f.unit.signatures:
        return _pointer(f, thing)
    if type(thing) not in (bool, int, float):
        raise f.error(node, f"not a number: {ast.unparse(node)} is of type {type(thing).__name__}")
    assert isinstance(thing, (int, float))
    if type(thing) is int and not _LEAST <= thing <= _GREATEST:
        raise f.error(node, "an int has 64 bits, this one needs more")
    return constant(thing)


def _pointer(f: Frame, function: FunctionType) -> Value:
    symbol = f.unit.symbols[function]
    if f.unit.checked:
        f.unit.bridges.add(function)
        symbol = bridge_text(symbol)
    return Value(f.unit.signatures[function].kind, f"@{symbol}")


def _name(f: Frame, node: ast.Name) -> Value:
    return f.load(node, node.id) if node.id in f.local else _number(f, node, f.source.resolve(node))


def _attribute(f: Frame, node: ast.Attribute) -> Value:
    path = _field(f, node)
    return f.load(node, path) if path else _number(f, node, f.source.resolve(node))


def _field(f: Frame, node: ast.expr) -> str:
    """A field of a record as the frame names it; nothing for what is no attribute of a variable."""
    if isinstance(node, ast.Name):
        return node.id if node.id in f.local else ""
    owner = _field(f, node.value) if isinstance(node, ast.Attribute) else ""
    if not owner:
        return ""
    assert isinstance(node, ast.Attribute)
    root = owner.partition(".")[0]
    if f.assigned is not None and root not in f.assigned:
        raise f.error(node, f"{root!r} may have no value here")
    kind = f.kinds[owner]
    if node.attr not in dict(kind.fields):
        known = f": {kind.name} has {', '.join(name for name, _ in kind.fields)}" if kind.fields else ""
        what = f"no field {node.attr!r}" if kind.fields else "values have no attributes"
        raise f.error(node, f"{what}: {ast.unparse(node)}{known}")
    return f"{owner}.{node.attr}"


def _unary(f: Frame, node: ast.UnaryOp) -> Value:
    if isinstance(node.op, ast.Not):
        return f.make(BOOL, f"xor i1 {condition(f, node.operand).text}, true")
    if isinstance(node.op, ast.USub):
        literal = node.operand
        if isinstance(literal, ast.Constant) and type(literal.value) is int and literal.value == 2**63:
            return constant(_LEAST)
        return negate(f, node, evaluate(f, literal))
    if isinstance(node.op, ast.UAdd):
        value = evaluate(f, node.operand)
        if value.kind.is_number:
            return value
        raise f.error(node, f"a sign is for int and float, not for {value.kind.name}")
    raise f.error(node, "the operations are + - * / // % and **")


def _binary(f: Frame, node: ast.BinOp) -> Value:
    a = evaluate(f, node.left)
    return binary(f, node, node.op, a, evaluate(f, node.right))


def _chain(f: Frame, stop: bool, parts: Sequence[Callable[[], Value]]) -> Value:
    """Evaluate truths one after another until one of them is `stop`."""
    end = f.w.name("end")
    incoming: list[tuple[Value, str]] = []
    for place, part in enumerate(parts):
        truth = part()
        if place == len(parts) - 1:
            incoming.append((truth, f.w.block))
            f.jump(end)
        else:
            incoming.append((constant(stop), f.w.block))
            further = f.w.name("further")
            f.branch(truth, *((end, further) if stop else (further, end)))
            f.w.label(further)
    f.w.label(end)
    return f.merge(BOOL, incoming)


def _boolean(f: Frame, node: ast.BoolOp) -> Value:
    return _chain(f, isinstance(node.op, ast.Or), [lambda each=each: condition(f, each) for each in node.values])  # type: ignore[misc]  # mypy does not infer a lambda's default


def _compare(f: Frame, node: ast.Compare) -> Value:
    last = [evaluate(f, node.left)]

    def step(operation: ast.cmpop, right: ast.expr) -> Value:
        left, last[0] = last[0], evaluate(f, right)
        return compare(f, node, operation, left, last[0])

    pairs = list(zip(node.ops, node.comparators, strict=True))
    if len(pairs) == 1:
        return step(*pairs[0])
    return _chain(f, False, [lambda pair=pair: step(*pair) for pair in pairs])  # type: ignore[misc]  # as above


def _conditional(f: Frame, node: ast.IfExp) -> Value:
    yes, no, end = f.w.name("yes"), f.w.name("no"), f.w.name("end")
    f.branch(condition(f, node.test), yes, no)
    incoming: list[tuple[Value, str]] = []
    for label, branch in ((yes, node.body), (no, node.orelse)):
        f.w.label(label)
        incoming.append((evaluate(f, branch), f.w.block))
        f.jump(end)
    f.w.label(end)
    a, b = incoming[0][0].kind, incoming[1][0].kind
    if a.fields:
        raise f.error(node, f"a record is not chosen as a whole: {a.name}")
    if a != b or a == NONE:
        raise f.error(node, f"both values must be of one type, these are {a.name} and {b.name}{hint(a, b)}")
    return f.merge(a, incoming)


def _subscript(f: Frame, node: ast.Subscript) -> Value:
    kind, at = address(f, node)
    return f.make(kind, f"load {kind.llvm}, ptr {at}, align 8")


def _call(f: Frame, node: ast.Call) -> Value:
    for each in node.args:
        if isinstance(each, ast.Starred):
            raise f.error(each, "arguments are written one by one")
    path = _field(f, node.func)
    callee = None if path else f.source.resolve(node.func)
    if isinstance(callee, type) and fields_of(callee) is not None:
        return _record(f, node, callee)
    for extra in node.keywords:
        raise f.error(extra.value, "arguments are positional")
    if path:
        pointer = f.load(node.func, path)
        if pointer.kind.result is None:
            raise f.error(node.func, f"{path!r} is of type {pointer.kind.name} and cannot be called")
        return _invoke(f, node, pointer, checked=False)
    if isinstance(callee, FunctionType) and callee in f.unit.signatures:
        target = Value(f.unit.signatures[callee].kind, f"@{f.unit.symbols[callee]}")
        return _invoke(f, node, target, checked=f.unit.checked)
    try:
        handler = BUILTINS.get(callee)
    except TypeError:  # what cannot be hashed is none of them
        handler = None
    if handler is None:
        raise f.error(
            node.func, f"{ast.unparse(node.func)!r} is neither of the functions compiled here nor of the subset"
        )
    return handler(f, node, [evaluate(f, each) for each in node.args])


def _record(f: Frame, node: ast.Call, record: type) -> Value:
    """A record from its fields, by position or by name."""
    kind = record_kind(f.source, node.func, record)
    names = [name for name, _ in kind.fields]
    if node.args and not takes_positions(record):
        raise f.error(node.args[0], f"the fields of {kind.name} are given by name")
    given = [*zip(names, node.args, strict=False), *((each.arg or "", each.value) for each in node.keywords)]
    if len(node.args) > len(names) or sorted(name for name, _ in given) != sorted(names):
        raise f.error(node, f"{kind.name} takes each of its fields once: {', '.join(names)}")
    kinds = dict(kind.fields)
    made = {name: expect(f, each, kinds[name], f"the field {name!r}") for name, each in given}
    return Value(kind, "", parts=tuple(made[name] for name in names))


def _invoke(f: Frame, node: ast.Call, target: Value, checked: bool) -> Value:
    kinds, result = target.kind.parameters, target.kind.result
    assert result is not None
    if len(node.args) != len(kinds):
        raise f.error(node, f"{ast.unparse(node.func)!r} takes {len(kinds)} arguments, here are {len(node.args)}")
    values = [expect(f, each, kind, "this argument") for each, kind in zip(node.args, kinds, strict=True)]
    text = ", ".join([argument(value, checked) for value in values] + ["ptr %fault"] * checked)
    call = f"call {returned(result)} {target.text}({text})"
    if result == NONE:
        f.w.line(call)
        made = Value(NONE, "")
    else:
        made = f.make(result, call)
    if checked:
        f.pass_on()
    return made


def argument(value: Value, checked: bool) -> str:
    """An argument as it stands in a call; in checked code, arrays come with their lengths."""
    if value.parts:
        return ", ".join(argument(leaf, checked) for leaf in value.leaves)
    text = f"i1 zeroext {value.text}" if value.kind == BOOL else value.operand
    return f"{text}, i64 {value.extent or _ENDLESS}" if checked and value.kind.is_array else text


def returned(kind: Kind) -> str:
    """A result's type as it stands in a call or a definition."""
    return "zeroext i1" if kind == BOOL else kind.llvm


_HANDLERS: Final[dict[type[ast.expr], Callable[[Frame, Any], Value]]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.UnaryOp: _unary,
    ast.BinOp: _binary,
    ast.BoolOp: _boolean,
    ast.Compare: _compare,
    ast.IfExp: _conditional,
    ast.Subscript: _subscript,
    ast.Call: _call,
}
