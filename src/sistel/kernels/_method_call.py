"""A method of which one call is machine code: arrays of one state go in, new arrays of any shape come out.

As `_fastcall`, for methods that have more arguments than arrays (the name of a frame, a tuple of what is wanted) and
that return matrices: the emitted function answers calls in which those others are the very same objects, and leaves
every other call to the function that answered before. What is called differently often becomes a chain of such links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.kernels import _fastcall
from sistel.kernels._fastcall import Called, Calling
from sistel.kernels._machine import Code, Native, assemble
from sistel.records import record

if TYPE_CHECKING:
    from collections.abc import Mapping


@record
class MethodCall:
    """A call that machine code answers: arrays by position, then fixed arguments by position, then by name."""

    function: Native
    """The kernel of single states."""
    inputs: tuple[int, ...]
    """Sizes of the arrays."""
    shapes: tuple[tuple[int, ...], ...]
    """Of the results."""
    fixed: tuple[object, ...] = ()
    named: tuple[tuple[str, object], ...] = ()
    many: bool = False
    """Whether results come in a tuple, even if there is one."""


def bind_method(call: MethodCall, general: Called) -> Called:
    """What answers such calls, and leaves others to the general function; that one where it cannot be."""
    context = _fastcall.context() if _fastcall.prove_layout() else None
    if context is None:
        return general
    code = Code(assemble(_Writing(call, context).text()))
    return _fastcall.method(code, general, (code, call, general))


class _Writing(Calling):
    def __init__(self, call: MethodCall, context: Mapping[str, int]) -> None:
        super().__init__()
        self.call, self.context = call, context

    def text(self) -> str:
        w, call = self.w, self.call
        blocks = len(call.inputs) + len(call.shapes)
        w.line(f"%table = alloca [{2 * blocks} x i64], align 8")
        w.line("%shape = alloca [8 x i64], align 8")
        self._counts(len(call.inputs) + len(call.fixed), len(call.named))
        first = len(call.inputs)
        for i, thing in enumerate(call.fixed):
            self._same(self._field("%arguments", 8 * (first + i), "ptr"), thing)
        first += len(call.fixed)
        for i, (name, thing) in enumerate(call.named):
            self._same(self._field("%words", _fastcall.ITEMS + 8 * i, "ptr"), name)
            self._same(self._field("%arguments", 8 * (first + i), "ptr"), thing)
        for i, size in enumerate(call.inputs):
            data = self._numbers(self._field("%arguments", 8 * i, "ptr"), (size,), _fastcall.PLAIN)
            self._put(i, data)
        self._answer()
        return "\n".join(self._function())

    def _entry(self, name: str) -> str:
        return self._pointer(self.context[name])

    def _put(self, block: int, data: str) -> None:
        at = self.w.value(f"getelementptr i64, ptr %table, i64 {2 * block}")
        self.w.line(f"store ptr {data}, ptr {at}, align 8")

    def _answer(self) -> None:
        w, call, arrays = self.w, self.call, list[str]()
        for index, shape in enumerate(call.shapes):
            self._shape(shape)
            array = self._new_array(len(shape), "%shape")
            self._unless_null(array, arrays)
            arrays.append(array)
            self._put(len(call.inputs) + index, self._field(array, _fastcall.DATA, "ptr"))
        result = arrays[0]
        if call.many:
            result = w.value(f"call ptr {self._entry('new_tuple')}(i64 {len(arrays)})")
            self._unless_null(result, arrays)
        w.line(f"call void {self._pointer(call.function.address)}(i64 0, i64 1, ptr %table)")
        for index, array in enumerate(arrays if call.many else ()):
            w.line(f"call i32 {self._entry('set_item')}(ptr {result}, i64 {index}, ptr {array})")
        w.line(f"ret ptr {result}")
