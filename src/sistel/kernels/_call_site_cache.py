"""A method whose call is remembered: the same call with other numbers is machine code from the first to the last byte.

The emitted ``call`` has the signature of ``METH_FASTCALL | METH_KEYWORDS``. Where a call has the same shape as the one
that is remembered, where all that is no array is the very same object, and where arrays are plain float64 of the right
shapes, their numbers are copied to fixed places, a native function of no arguments works on them, and what it leaves in
other places becomes a new object with slots. In every other case, also where the function does not answer 0, the
arguments go to the general function, which is its ``self``.

The interpreter's lock is held all the time, so that the fixed places have one user at a time.
"""

from __future__ import annotations

import ctypes
import inspect
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from sistel.kernels import _fastcall
from sistel.kernels._fastcall import Called, Calling
from sistel.kernels._machine import Code, assemble
from sistel.once import once
from sistel.records import record


@record
class Place:
    """Numbers at a fixed place in memory."""

    address: int
    shape: tuple[int, ...]
    """Of doubles; () for one whole number."""
    rows: int = 0
    """Address of the whole number of rows that there are, where that is not the first number of the shape."""


@record
class Remembered:
    """A call, and what answers it."""

    positional: tuple[object, ...]
    """Arguments by position; for an array the `Place` that its numbers go to."""
    named: tuple[tuple[str, object], ...]
    """Arguments by name, in the order of the call; the same."""
    defaults: tuple[tuple[Place, Place], ...]
    """Numbers that are copied from the first to the second place before anything else: of arrays that are not given."""
    function: int
    """Address of the native function; what it answers is a whole number, 0 for success."""
    made: type
    """Class with slots of what is returned."""
    fields: Mapping[str, object]
    """Of all slots: an object, or the `Place` that its numbers come from."""
    keep: tuple[object, ...]
    """What has to live for as long as this."""


def remember(call: Remembered, general: Called) -> Called:
    """What answers a remembered call, and leaves others to the general function; that one where it cannot be."""
    offsets = slot_offsets(call.made)
    context = _fastcall.context() if _fastcall.prove_layout() else None
    extra = {name: _address(name) for name in ("PyLong_FromLongLong", "PyType_GenericAlloc")}
    if context is None or offsets is None or set(offsets) != set(call.fields) or not all(extra.values()):
        return general
    code = Code(assemble(_Writing(call, offsets, context | extra).text()))
    name = _lasting(getattr(general, "__name__", "remembered"))
    return _fastcall.method(code, general, (code, call), name, _lasting(_told(general)))


@once
def _lasting(text: str) -> bytes:
    """Bytes that are never given back, one copy of each text: addresses of them go to CPython."""
    return text.encode()


def _told(general: Callable[..., object]) -> str:
    """What `help` says of a function, in the form in which built-in ones have a signature."""
    said = inspect.getdoc(general) or ""
    try:
        known = inspect.signature(general)
    except (TypeError, ValueError):
        return said
    bare = [each.replace(annotation=inspect.Parameter.empty) for each in known.parameters.values()]
    signature = known.replace(parameters=bare, return_annotation=inspect.Signature.empty)
    return f"{getattr(general, '__name__', 'remembered')}{signature}\n--\n\n{said}"


def _address(name: str) -> int:
    found = getattr(ctypes.pythonapi, name, None)
    return 0 if found is None else ctypes.cast(found, ctypes.c_void_p).value or 0


def slot_offsets(kind: type) -> dict[str, int] | None:
    """Where the slots of instances of a class are [bytes]; None where they are not where they are said to be."""
    names = [name for name in getattr(kind, "__slots__", ()) if not name.startswith("__")]
    if kind.__dictoffset__ or kind.__basicsize__ != object.__basicsize__ + 8 * len(names):
        return None
    offsets = {name: object.__basicsize__ + 8 * i for i, name in enumerate(sorted(names))}
    probe: object = object.__new__(kind)
    marks = [object() for _ in names]
    for name, mark in zip(names, marks, strict=True):
        getattr(kind, name).__set__(probe, mark)
    # Nothing is read beyond the object: its size is known to cover these offsets.
    at = {ctypes.c_uint64.from_address(id(probe) + offset).value: offset for offset in offsets.values()}
    if any(id(mark) not in at for mark in marks):
        return None
    return {name: at[id(mark)] for name, mark in zip(names, marks, strict=True)}


class _Writing(Calling):
    def __init__(self, call: Remembered, offsets: Mapping[str, int], context: Mapping[str, int]) -> None:
        super().__init__()
        self.call, self.offsets, self.context = call, offsets, context

    def text(self) -> str:
        w, call = self.w, self.call
        w.line("%shape = alloca [8 x i64], align 8")
        self._counts(len(call.positional), len(call.named))
        given: list[tuple[str, Place]] = []
        for i, (name, value) in enumerate(call.named):
            self._same(self._field("%words", _fastcall.ITEMS + 8 * i, "ptr"), name)
            self._argument(len(call.positional) + i, value, given)
        for i, value in enumerate(call.positional):
            self._argument(i, value, given)
        for source, target in call.defaults:
            self._copy(self._pointer(source.address), self._pointer(target.address), target.shape)
        for data, target in given:
            self._copy(data, self._pointer(target.address), target.shape)
        answer = w.value(f"call i64 {self._pointer(call.function)}()")
        self._require(w.value(f"icmp eq i64 {answer}, 0"))
        self._answer()
        return "\n".join(self._function())

    def _entry(self, name: str) -> str:
        return self._pointer(self.context[name])

    def _argument(self, index: int, value: object, given: list[tuple[str, Place]]) -> None:
        thing = self._field("%arguments", 8 * index, "ptr")
        if not isinstance(value, Place):
            self._same(thing, value)
            return
        given.append((self._numbers(thing, value.shape, _fastcall.PLAIN), value))

    def _copy(self, source: str, target: str, shape: Sequence[int]) -> None:
        """So few that they go through registers."""
        for i in range(int(np.prod(shape, dtype=int))):
            self._copy_number(source, target, str(i))

    def _copy_number(self, source: str, target: str, index: str) -> None:
        here = self.w.value(f"getelementptr double, ptr {source}, i64 {index}")
        there = self.w.value(f"getelementptr double, ptr {target}, i64 {index}")
        number = self.w.value(f"load double, ptr {here}, align 8")
        self.w.line(f"store double {number}, ptr {there}, align 8")

    def _copy_many(self, source: str, target: str, count: str) -> None:
        """As many as there are, in a loop."""
        w = self.w
        before, head, body, done = w.block, w.name("head"), w.name("body"), w.name("done")
        following = w.name("next")
        w.line(f"br label %{head}")
        w.label(head)
        index = w.value(f"phi i64 [ 0, %{before} ], [ %{following}, %{body} ]")
        more = w.value(f"icmp slt i64 {index}, {count}")
        w.line(f"br i1 {more}, label %{body}, label %{done}")
        w.label(body)
        self._copy_number(source, target, index)
        w.line(f"%{following} = add i64 {index}, 1")
        w.line(f"br label %{head}")
        w.label(done)

    def _answer(self) -> None:
        w, made = self.w, list[str]()
        entries: dict[str, str] = {}
        for name, value in self.call.fields.items():
            if not isinstance(value, Place):
                entries[name] = self._pointer(id(value))
                w.line(f"call void {self._entry('own')}(ptr {entries[name]})")
            elif value.shape:
                entries[name] = self._array(value)
            else:
                number = w.value(f"load i64, ptr {self._pointer(value.address)}, align 8")
                entries[name] = w.value(f"call ptr {self._entry('PyLong_FromLongLong')}(i64 {number})")
            if isinstance(value, Place):
                self._unless_null(entries[name], made)
            made.append(entries[name])
        kind = self._pointer(id(self.call.made))
        thing = w.value(f"call ptr {self._entry('PyType_GenericAlloc')}(ptr {kind}, i64 0)")
        self._unless_null(thing, made)
        for name, entry in entries.items():
            at = w.value(f"getelementptr i8, ptr {thing}, i64 {self.offsets[name]}")
            w.line(f"store ptr {entry}, ptr {at}, align 8")
        w.line(f"ret ptr {thing}")

    def _array(self, place: Place) -> str:
        w = self.w
        rows = w.value(f"load i64, ptr {self._pointer(place.rows)}, align 8") if place.rows else str(place.shape[0])
        self._shape((rows, *place.shape[1:]))
        array = self._new_array(len(place.shape), "%shape")
        filled, lost, on = w.name("filled"), w.name("lost"), w.name("on")
        missing = w.value(f"icmp eq ptr {array}, null")
        w.line(f"br i1 {missing}, label %{lost}, label %{filled}")
        w.label(filled)
        source, target = self._pointer(place.address), self._field(array, _fastcall.DATA, "ptr")
        if place.rows:
            width = int(np.prod(place.shape[1:], dtype=int))
            self._copy_many(source, target, w.value(f"mul i64 {rows}, {width}"))
        else:
            self._copy(source, target, place.shape)
        w.line(f"br label %{on}")
        w.label(lost)
        w.line(f"br label %{on}")
        w.label(on)
        return array
