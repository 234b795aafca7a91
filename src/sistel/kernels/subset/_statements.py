"""Statements as basic blocks, and where each variable certainly has a value."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from sistel.kernels.subset._arithmetic import binary, choose
from sistel.kernels.subset._expressions import address, condition, evaluate, expect
from sistel.kernels.subset._frame import Frame, constant, hint
from sistel.kernels.subset._signature import annotation
from sistel.kernels.subset._types import BOOL, INT, NONE, Value


@dataclass(frozen=True, slots=True)
class Loop:
    """Where break and continue go."""

    further: str
    end: str
    leaving: list[set[str]] = field(default_factory=list)
    """The variables that have values at each break."""


Loops = tuple[Loop, ...]


def execute(f: Frame, statements: Sequence[ast.stmt], loops: Loops = ()) -> None:
    """Write the instructions of statements, one after another."""
    for node in statements:
        if f.assigned is None:
            raise f.error(node, "control never comes here")
        handler = _HANDLERS.get(type(node))
        if handler is None:
            raise f.error(node, f"not allowed: {ast.unparse(node).splitlines()[0]} ({type(node).__name__})")
        handler(f, node, loops)


def _join(ways: Sequence[set[str] | None]) -> set[str] | None:
    """The variables that have values whichever way was taken."""
    taken = [way for way in ways if way is not None]
    return set.intersection(*taken) if taken else None


def _assign(f: Frame, node: ast.Assign, _: Loops) -> None:
    if len(node.targets) > 1 or isinstance(node.targets[0], (ast.Tuple, ast.List)):
        raise f.error(node, "one variable is assigned at a time")
    _put(f, node.targets[0], evaluate(f, node.value))


def _put(f: Frame, target: ast.expr, value: Value) -> None:
    if isinstance(target, ast.Name):
        f.store(target, target.id, value)
    elif isinstance(target, ast.Subscript):
        kind, at = address(f, target)
        _put_number(f, target, kind.name, value, at)
    else:
        raise f.error(target, f"variables and numbers of arrays can be assigned, not {ast.unparse(target)}")


def _put_number(f: Frame, target: ast.expr, kind: str, value: Value, at: str) -> None:
    if value.kind.name != kind:
        item = INT if kind == INT.name else constant(0.0).kind
        problem = f"the array holds {kind}, this is of type {value.kind.name}{hint(item, value.kind)}"
        raise f.error(target, problem)
    f.w.line(f"store {value.operand}, ptr {at}, align 8")


def _annotated(f: Frame, node: ast.AnnAssign, _: Loops) -> None:
    if not isinstance(node.target, ast.Name):
        raise f.error(node, "annotations are for variables")
    name, kind = node.target.id, annotation(f.source, node.annotation)
    if node.value is None:
        f.declare(node, name, kind)
        return
    value = expect(f, node.value, kind, repr(name))
    f.store(node.target, name, value)


def _augmented(f: Frame, node: ast.AugAssign, _: Loops) -> None:
    target = node.target
    if isinstance(target, ast.Name):
        before = f.load(target, target.id) if target.id in f.kinds else None
        if before is None:
            raise f.error(target, f"{target.id!r} may have no value here")
        f.store(target, target.id, binary(f, node, node.op, before, evaluate(f, node.value)))
    elif isinstance(target, ast.Subscript):
        kind, at = address(f, target)
        number = f.make(kind, f"load {kind.llvm}, ptr {at}, align 8")
        _put_number(f, target, kind.name, binary(f, node, node.op, number, evaluate(f, node.value)), at)
    else:
        raise f.error(target, f"variables and numbers of arrays can be assigned, not {ast.unparse(target)}")


def _if(f: Frame, node: ast.If, loops: Loops) -> None:
    yes, no, end = f.w.name("then"), f.w.name("else"), f.w.name("endif")
    f.branch(condition(f, node.test), yes, no)
    before = set(f.assigned or ())
    ways: list[set[str] | None] = []
    for label, body in ((yes, node.body), (no, node.orelse)):
        f.w.label(label)
        f.assigned = set(before)
        execute(f, body, loops)
        if f.assigned is not None:
            f.jump(end)
        ways.append(f.assigned)
    f.assigned = _join(ways)
    if f.assigned is not None:
        f.w.label(end)


def _while(f: Frame, node: ast.While, loops: Loops) -> None:
    if node.orelse:
        raise f.error(node.orelse[0], "loops have no else")
    test, body, end = f.w.name("while"), f.w.name("body"), f.w.name("endwhile")
    endless = isinstance(node.test, ast.Constant) and node.test.value is True
    f.jump(test)
    f.w.label(test)
    if endless:
        f.jump(body)
    else:
        f.branch(condition(f, node.test), body, end)
    before = set(f.assigned or ())
    loop = Loop(test, end)
    f.w.label(body)
    execute(f, node.body, (*loops, loop))
    if f.assigned is not None:
        f.jump(test)
    f.assigned = _join(loop.leaving) if endless else before
    if f.assigned is not None:
        f.w.label(end)


def _for(f: Frame, node: ast.For, loops: Loops) -> None:
    if node.orelse:
        raise f.error(node.orelse[0], "loops have no else")
    if not isinstance(node.target, ast.Name):
        raise f.error(node.target, "a loop counts one variable")
    first, last, step = _range(f, node.iter)
    counter = f.w.name("counter.")
    f.slots.append(f"  %{counter} = alloca i64, align 8")
    # Larger steps count turns, of which there are at most 2⁶³: the variable itself could pass the greatest int.
    single = abs(step) == 1
    begin, end_of_count, move = (first, last, step) if single else (constant(0), _turns(f, first, last, step), 1)
    f.w.line(f"store i64 {begin.text}, ptr %{counter}, align 8")
    test, body, further, end = (f.w.name(word) for word in ("for", "body", "further", "endfor"))
    f.jump(test)
    f.w.label(test)
    count = f.make(INT, f"load i64, ptr %{counter}, align 8")
    order = "ult" if not single else "slt" if step > 0 else "sgt"
    f.branch(f.make(BOOL, f"icmp {order} i64 {count.text}, {end_of_count.text}"), body, end)
    f.w.label(body)
    before = set(f.assigned or ())
    now = count if single else f.make(INT, f"add i64 {first.text}, {f.w.value(f'mul i64 {count.text}, {step}')}")
    f.store(node.target, node.target.id, now)
    execute(f, node.body, (*loops, Loop(further, end)))
    if f.assigned is not None:
        f.jump(further)
    f.w.label(further)
    # The variable may have been changed meanwhile, which does not move the loop.
    moved = f.w.value(f"add {'nsw' if single else 'nuw'} i64 {count.text}, {move}")
    f.w.line(f"store i64 {moved}, ptr %{counter}, align 8")
    f.jump(test)
    f.w.label(end)
    f.assigned = before


def _turns(f: Frame, first: Value, last: Value, step: int) -> Value:
    """How many numbers a range has, for steps larger than one."""
    low, high = (first, last) if step > 0 else (last, first)
    some = f.make(BOOL, f"icmp slt i64 {low.text}, {high.text}")
    distance = f.w.value(f"sub i64 {f.w.value(f'sub i64 {high.text}, {low.text}')}, 1")  # without sign
    turns = f.make(INT, f"add i64 {f.w.value(f'udiv i64 {distance}, {abs(step)}')}, 1")
    return choose(f, some, turns, constant(0))


def _range(f: Frame, node: ast.expr) -> tuple[Value, Value, int]:
    """Beginning, end and step of a range."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id in f.local:
        raise f.error(node, "a for loop goes over a range")
    if f.source.resolve(node.func) is not range or node.keywords or not 1 <= len(node.args) <= 3:
        raise f.error(node, "a for loop goes over range(end), range(begin, end) or range(begin, end, step)")
    values = [expect(f, each, INT, "a bound of a range") for each in node.args]
    step = values[2].known if len(values) > 2 else 1
    if not isinstance(step, int) or step == 0:
        raise f.error(node.args[2], "the step of a range is a constant other than 0")
    return (constant(0), values[0], step) if len(values) == 1 else (values[0], values[1], step)


def _break(f: Frame, node: ast.Break, loops: Loops) -> None:
    loops[-1].leaving.append(set(f.assigned or ()))
    f.jump(loops[-1].end)
    f.assigned = None


def _continue(f: Frame, node: ast.Continue, loops: Loops) -> None:
    f.jump(loops[-1].further)
    f.assigned = None


def _return(f: Frame, node: ast.Return, _: Loops) -> None:
    result = f.signature.result
    bare = node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
    if result == NONE and not bare:
        raise f.error(node, "this function returns None")
    if result != NONE and bare:
        raise f.error(node, f"this function returns {result.name}")
    if node.value is None or bare:
        f.w.line("ret void")
    else:
        f.w.line(f"ret {expect(f, node.value, result, 'the result').operand}")
    f.assigned = None


def _expression(f: Frame, node: ast.Expr, _: Loops) -> None:
    if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
        return  # a docstring
    if not isinstance(node.value, ast.Call):
        raise f.error(node, f"this has no effect: {ast.unparse(node)}")
    evaluate(f, node.value)


def _pass(f: Frame, node: ast.Pass, _: Loops) -> None:
    """Nothing to do."""


_HANDLERS: Final[dict[type[ast.stmt], Callable[[Frame, Any, Loops], None]]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Return: _return,
    ast.Expr: _expression,
    ast.Pass: _pass,
}
