"""A function that CPython calls directly, emitted around scalar code: one state without any Python in between.

The emitted ``call`` has the signature of ``METH_FASTCALL | METH_KEYWORDS``. When every argument is a plain float64
vector of the right length it computes at once; in every other case, errors included, it hands the arguments over to the
general function. That one and a table of numbers, the address of the scalar code among them, are its ``self``: kernels
with blocks of the same sizes share one such function. Addresses of the interpreter and of NumPy come in through the
table `@context`, filled after loading, so that the object can be kept on disk.

The offsets of NumPy's array structure are part of its ABI. They are nevertheless proved against probe arrays before the
first use (`prove_layout`), and a build of Python without the global lock does not use any of this.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import sys
import sysconfig
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from sistel.kernels._writer import Writer

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sistel.arrays import AnyArray
    from sistel.kernels._machine import Code

CALL: Final = "call"
CONTEXT: Final = "context"

DATA, AXES, SHAPE, STRIDES, DESCRIPTION, FLAGS = 16, 24, 32, 40, 56, 64
"""Offsets inside NumPy's array object [bytes]."""
SIZE, ITEMS = 16, 24
"""Offsets inside a tuple [bytes]."""
_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x001, 0x100, 0x400
PLAIN = _CONTIGUOUS | _ALIGNED
"""Flags of an array whose numbers can be read one after the other."""

_OUT: Final = sys.intern("out")
"""Held here, since the emitted code compares with its address."""

_TABLE: Final = (
    "array_type",
    "description",
    "out_word",
    "new_array",
    "vectorcall",
    "own",
    "release",
    "new_tuple",
    "set_item",
    "tuple_size",
    "get_item",
)


def write_call(inputs: Sequence[int], outputs: Sequence[int]) -> str:
    """The text of `@context` and of the function `call` around scalar functions with blocks of these sizes."""
    return _Wrapper(inputs, outputs).text()


class Calling(ABC):
    """Writes a function of the signature of ``METH_FASTCALL | METH_KEYWORDS`` that leaves unusual calls to another."""

    def __init__(self) -> None:
        """Nothing is written yet."""
        self.w = Writer(1)

    @abstractmethod
    def _entry(self, name: str) -> str:
        """Something of the interpreter by its name in the context: the value with its address."""

    def _pointer(self, address: int) -> str:
        return self.w.value(f"inttoptr i64 {address} to ptr")

    def _counts(self, positional: int, named: int) -> None:
        """Require that many arguments by position, and by name."""
        self._require(self.w.value(f"icmp eq i64 %count, {positional}"))
        if not named:
            self._require(self.w.value("icmp eq ptr %words, null"))
            return
        self._require(self.w.value("icmp ne ptr %words, null"))
        self._require(self.w.value(f"icmp eq i64 {self._field('%words', SIZE, 'i64')}, {named}"))

    def _same(self, thing: str, wanted: object) -> None:
        """Require this very object."""
        self._require(self.w.value(f"icmp eq ptr {thing}, {self._pointer(id(wanted))}"))

    def _shape(self, shape: Sequence[int | str]) -> None:
        """Write a shape to `%shape`: sizes, or what holds them."""
        for axis, size in enumerate(shape):
            at = self.w.value(f"getelementptr i64, ptr %shape, i64 {axis}")
            self.w.line(f"store i64 {size}, ptr {at}, align 8")

    def _field(self, thing: str, offset: int, kind: str) -> str:
        at = self.w.value(f"getelementptr i8, ptr {thing}, i64 {offset}")
        return self.w.value(f"load {kind}, ptr {at}, align {4 if kind == 'i32' else 8}")

    def _require(self, truth: str) -> None:
        """Go on if it holds, else leave the call to the general function."""
        further = self.w.name("further")
        self.w.line(f"br i1 {truth}, label %{further}, label %slow")
        self.w.label(further)

    def _numbers(self, array: str, shape: Sequence[int], flags: int) -> str:
        """Require a plain float64 array of a shape; returns the address of its numbers."""
        w = self.w
        self._require(w.value(f"icmp eq ptr {self._field(array, 8, 'ptr')}, {self._entry('array_type')}"))
        self._require(w.value(f"icmp eq i32 {self._field(array, AXES, 'i32')}, {len(shape)}"))
        sizes = self._field(array, SHAPE, "ptr")
        for axis, size in enumerate(shape):
            self._require(w.value(f"icmp eq i64 {self._field(sizes, 8 * axis, 'i64')}, {size}"))
        self._require(w.value(f"icmp eq ptr {self._field(array, DESCRIPTION, 'ptr')}, {self._entry('description')}"))
        held = w.value(f"and i32 {self._field(array, FLAGS, 'i32')}, {flags}")
        self._require(w.value(f"icmp eq i32 {held}, {flags}"))
        return self._field(array, DATA, "ptr")

    def _new_array(self, axes: int, sizes: str) -> str:
        """A new float64 array, or null; its shape stands in memory."""
        w, description = self.w, self._entry("description")
        w.line(f"call void {self._entry('own')}(ptr {description})")  # the new array takes this reference
        kind = self._entry("array_type")
        return w.value(
            f"call ptr {self._entry('new_array')}(ptr {kind}, ptr {description}, i32 {axes}, ptr {sizes}, ptr null, "
            "ptr null, i32 0, ptr null)"
        )

    def _unless_null(self, thing: str, owned: list[str]) -> None:
        """Out of memory: give back what was made and return null, for which CPython raises the error that is set."""
        w, failed, further = self.w, self.w.name("failed"), self.w.name("further")
        missing = w.value(f"icmp eq ptr {thing}, null")
        w.line(f"br i1 {missing}, label %{failed}, label %{further}")
        w.label(failed)
        for array in owned:
            w.line(f"call void {self._entry('release')}(ptr {array})")
        w.line("ret ptr null")
        w.label(further)

    def _function(self, general: str = "%self") -> list[str]:
        """The lines of the function: what is written, and the way out to the general one."""
        w = self.w
        w.label("slow")
        result = w.value(f"call ptr {self._entry('vectorcall')}(ptr {general}, ptr %arguments, i64 %count, ptr %words)")
        w.line(f"ret ptr {result}")
        head = f"define ptr @{CALL}(ptr %self, ptr %arguments, i64 %count, ptr %words) nounwind {{"
        return [head, "entry:", *w.lines, "}"]


class _Wrapper(Calling):
    def __init__(self, inputs: Sequence[int], outputs: Sequence[int]) -> None:
        super().__init__()
        self.inputs, self.outputs = inputs, outputs

    def text(self) -> str:
        w = self.w
        blocks = len(self.inputs) + len(self.outputs)
        w.line(f"%table = alloca [{2 * blocks} x i64], align 8")
        w.line("%length = alloca i64, align 8")
        general = self._field("%self", ITEMS, "ptr")
        # The distances between rows stay as they are: row 0 is all there is.
        self._require(w.value(f"icmp eq i64 %count, {len(self.inputs)}"))
        ends = [self._input(i, size) for i, size in enumerate(self.inputs)]
        given, fresh = w.name("given"), w.name("fresh")
        bare = w.value("icmp eq ptr %words, null")
        w.line(f"br i1 {bare}, label %{fresh}, label %{given}")
        w.label(given)
        if len(self.outputs) == 1:
            self._given_output(ends)
        else:
            w.line("br label %slow")
        w.label(fresh)
        self._fresh_outputs()
        return "\n".join(
            [f"@{CONTEXT} = global [{len(_TABLE)} x i64] zeroinitializer, align 8", *self._function(general)]
        )

    def _entry(self, name: str) -> str:
        at = self.w.value(f"getelementptr i64, ptr @{CONTEXT}, i64 {_TABLE.index(name)}")
        return self.w.value(f"load ptr, ptr {at}, align 8")

    def _argument(self, index: int) -> str:
        at = self.w.value(f"getelementptr ptr, ptr %arguments, i64 {index}")
        return self.w.value(f"load ptr, ptr {at}, align 8")

    def _put(self, block: int, data: str) -> None:
        at = self.w.value(f"getelementptr i64, ptr %table, i64 {2 * block}")
        self.w.line(f"store ptr {data}, ptr {at}, align 8")

    def _input(self, index: int, size: int) -> tuple[str, str]:
        data = self._numbers(self._argument(index), (size,), PLAIN)
        self._put(index, data)
        return data, self.w.value(f"getelementptr double, ptr {data}, i64 {size}")

    def _compute(self) -> None:
        numbers = self._field(self._field("%self", ITEMS + 8, "ptr"), DATA, "ptr")
        self.w.line(f"call void {self._field(numbers, 0, 'ptr')}(i64 0, i64 1, ptr %table)")

    def _given_output(self, inputs: list[tuple[str, str]]) -> None:
        w, size = self.w, self.outputs[0]
        self._require(w.value(f"icmp eq i64 {self._field('%words', SIZE, 'i64')}, 1"))
        self._require(w.value(f"icmp eq ptr {self._field('%words', ITEMS, 'ptr')}, {self._entry('out_word')}"))
        out = self._argument(len(self.inputs))
        data = self._numbers(out, (size,), PLAIN | _WRITEABLE)
        end = w.value(f"getelementptr double, ptr {data}, i64 {size}")
        for first, last in inputs:
            before, behind = w.value(f"icmp ule ptr {last}, {data}"), w.value(f"icmp ule ptr {end}, {first}")
            self._require(w.value(f"or i1 {before}, {behind}"))
        self._put(len(self.inputs), data)
        self._compute()
        # What Py_INCREF does in all versions: an array is never immortal, and nobody has 2³² references to one.
        count = w.value(f"add i32 {self._field(out, 0, 'i32')}, 1")
        w.line(f"store i32 {count}, ptr {out}, align 8")
        w.line(f"ret ptr {out}")

    def _fresh_outputs(self) -> None:
        w, arrays = self.w, list[str]()
        for index, size in enumerate(self.outputs):
            w.line(f"store i64 {size}, ptr %length, align 8")
            array = self._new_array(1, "%length")
            self._unless_null(array, arrays)
            arrays.append(array)
            self._put(len(self.inputs) + index, self._field(array, DATA, "ptr"))
        if len(arrays) == 1:
            self._compute()
            w.line(f"ret ptr {arrays[0]}")
            return
        result = w.value(f"call ptr {self._entry('new_tuple')}(i64 {len(arrays)})")
        self._unless_null(result, arrays)
        self._compute()
        for index, array in enumerate(arrays):
            w.line(f"call i32 {self._entry('set_item')}(ptr {result}, i64 {index}, ptr {array})")
        w.line(f"ret ptr {result}")


# --- the interpreter's side --------------------------------------------------------------------------------------


def _probes() -> list[AnyArray]:
    plain = np.arange(12.0)
    locked = np.arange(3.0)
    locked.flags.writeable = False
    return [
        plain,
        plain[2:9:3],
        plain[::-1],
        plain.reshape(3, 4)[1:, ::2],
        np.arange(4, dtype=">f8" if sys.byteorder == "little" else "<f8"),
        np.zeros(25, np.uint8)[1:].view(np.float64),
        locked,
        np.array(1.5),
        np.zeros((0, 3)),
        np.arange(5, dtype=np.int32),
    ]


@functools.cache
def prove_layout() -> bool:
    """Whether arrays lie in memory as the emitted function reads them, on this interpreter."""
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        return False
    if ctypes.sizeof(ctypes.c_void_p) != 8 or sys.byteorder != "little":
        return False
    # Nothing below reads past the object: its size is known to cover all offsets used.
    if np.ndarray.__basicsize__ < FLAGS + 4:
        return False
    pointer, whole, short = ctypes.c_uint64.from_address, ctypes.c_int64.from_address, ctypes.c_int32.from_address
    for probe in _probes():
        at, known, axes = id(probe), probe.__array_interface__, probe.ndim
        if pointer(at + 8).value != id(np.ndarray) or pointer(at + DATA).value != known["data"][0]:
            return False
        if short(at + AXES).value != axes or pointer(at + DESCRIPTION).value != id(probe.dtype):
            return False
        shape, strides = pointer(at + SHAPE).value, pointer(at + STRIDES).value
        if axes and tuple(whole(shape + 8 * i).value for i in range(axes)) != probe.shape:
            return False
        if axes and tuple(whole(strides + 8 * i).value for i in range(axes)) != probe.strides:
            return False
        flags, told = short(at + FLAGS).value, probe.flags
        if bool(flags & _ALIGNED) != told.aligned or bool(flags & _WRITEABLE) != told.writeable:
            return False
        if bool(flags & _CONTIGUOUS) != told.c_contiguous:
            return False
    words = (_OUT, "other")
    items = pointer(id(words) + ITEMS).value, pointer(id(words) + ITEMS + 8).value
    return whole(id(words) + SIZE).value == 2 and items == (id(words[0]), id(words[1]))


@functools.cache
def _context() -> tuple[int, ...] | None:
    """The values of `@context`, or None where something is not as NumPy's ABI says."""
    api = ctypes.pythonapi
    new = int(np.__version__.partition(".")[0]) >= 2
    core = importlib.import_module(f"numpy.{'_core' if new else 'core'}._multiarray_umath")
    pointer_of = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(("PyCapsule_GetPointer", api))
    table = pointer_of(core._ARRAY_API, None)
    entry = ctypes.c_uint64 * 95
    if not table:
        return None
    functions = entry.from_address(table)
    # Entries 0 to 94 are the same in NumPy 1 and 2; two of them can be checked.
    if functions[2] != id(np.ndarray) or functions[3] != id(np.dtype):
        return None

    def address(name: str) -> int:
        found = getattr(api, name, None)
        return 0 if found is None else ctypes.cast(found, ctypes.c_void_p).value or 0

    names = ("Py_IncRef", "Py_DecRef", "PyTuple_New", "PyTuple_SetItem", "PyTuple_Size", "PyTuple_GetItem")
    known = (
        id(np.ndarray),
        id(np.dtype(np.float64)),
        id(_OUT),
        int(functions[94]),
        address("PyObject_Vectorcall"),
        *(address(name) for name in names),
    )
    return known if all(known) else None


def context() -> dict[str, int] | None:
    """Addresses of what emitted functions use of the interpreter and of NumPy, by name."""
    known = _context()
    return None if known is None else dict(zip(_TABLE, known, strict=True))


class _MethodDefinition(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("documentation", ctypes.c_char_p),
    )


_FASTCALL_WITH_KEYWORDS: Final = 0x0080 | 0x0002
_NAME: Final = b"kernel"
Called = TypeVar("Called", bound=Callable[..., object])
"""What Python calls; a quicker way around it has the same type."""


def bind(code: Code, general: Called, table: NDArray[np.int64], keep: object = None) -> Called:
    """The emitted function as a Python callable, or the general one where that cannot be.

    Args:
        code: What was emitted.
        general: What answers all other calls.
        table: Numbers that the emitted function reads.
        keep: What has to live for as long as the callable, besides all of these.
    """
    known = _context() if prove_layout() else None
    if known is None:
        return general
    (ctypes.c_uint64 * len(_TABLE)).from_address(code.variable(CONTEXT))[:] = list(known)
    pair: Any = (general, table)
    bound = method(code, pair, (code, keep))
    return general if bound is pair else bound


def method(
    code: Code, general: Called, keep: object, name: bytes = _NAME, documentation: bytes | None = None
) -> Called:
    """The emitted function as a Python callable that keeps something alive; the general one where memory is out.

    Args:
        code: What was emitted.
        general: What answers all other calls.
        keep: What has to live for as long as the callable.
        name: Its name, bytes that live as long as the program: CPython keeps no more than their address.
        documentation: What `help` says, likewise.
    """
    # CPython keeps a pointer to the definition for as long as the function lives, and reads it last of all, so this
    # memory is never given back: 32 bytes a kernel.
    allocate = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(("PyMem_RawMalloc", ctypes.pythonapi))
    place = allocate(ctypes.sizeof(_MethodDefinition))
    if not place:
        return general
    definition = _MethodDefinition.from_address(place)
    definition.name = name
    definition.function = code.address(CALL)
    definition.flags = _FASTCALL_WITH_KEYWORDS
    definition.documentation = documentation
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object)(
        ("PyCFunction_NewEx", ctypes.pythonapi)
    )
    function: Called = make(place, general, _keeper(keep))
    return function


def _keeper(code: object) -> object:
    """Something that keeps the code for as long as the function that holds it in place of a module.

    The collector of cycles empties the objects of a dead cycle one after another, while the function can still be
    called, by a `__del__` for instance. It does not see through a description of numbers: the code stays whole.
    """
    return np.dtype(np.float64, metadata={"code": code})
