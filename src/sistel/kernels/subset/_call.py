"""Compiled functions as Python calls them: arguments are checked, then the interpreter's lock is let go."""

from __future__ import annotations

import ctypes
import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sistel.kernels._fastcall import DATA, prove_layout
from sistel.kernels._machine import Code, library
from sistel.kernels.subset._frame import DIVISION, LIBRARY, LIBRARY_TABLE
from sistel.kernels.subset._reference import Guarded
from sistel.kernels.subset._signature import Signature
from sistel.kernels.subset._tied import tie
from sistel.kernels.subset._types import BOOL, FLOAT, FLOATS, INT, INTS, NONE, PREFIX

if TYPE_CHECKING:
    from sistel.arrays import AnyType
    from sistel.plain import JsonObject

Given = Any
"""An argument or a result as Python has it: of what type it is, the kind of the function says at run time."""
Converter = Callable[[Given], Given]
"""Makes a native argument of one."""

_NATIVE: Final = {
    FLOAT.name: ctypes.c_double,
    INT.name: ctypes.c_int64,
    BOOL.name: ctypes.c_bool,
    NONE.name: None,
}
_TYPES: Final = {FLOATS.name: np.dtype(np.float64), INTS.name: np.dtype(np.int64)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """How an exported function is called."""

    names: Sequence[str]
    """Of the arguments of machine code; a field of a record has the name of the argument, a point, and its own."""
    kinds: Sequence[str]
    fields: Sequence[Sequence[str] | None]
    """Of every argument in Python: None, or for a record which of its fields machine code takes, one after another."""
    result: str
    pointer: str
    """The kind of pointers to it."""
    written: Sequence[bool]
    """For each argument of machine code, whether memory behind it may be written."""

    @staticmethod
    def describe(of: Signature) -> JsonObject:
        """The fields, less `written`, which is known when the code is."""
        names, kinds = zip(*((name, kind.name) for name, kind in of.leaves), strict=True) if of.names else ((), ())
        fields = [[path[1:] for path, _ in kind.leaves] if kind.fields else None for kind in of.parameters]
        return {
            "names": names,
            "kinds": kinds,
            "fields": fields,
            "result": of.result.name,
            "pointer": of.kind.name,
        }


class CompiledFunction:
    """An exported function. Threads may call it at once; the interpreter's lock is free meanwhile."""

    __slots__ = ("_code", "_converters", "_export", "_function", "_listed", "_readers", "address", "name")

    def __init__(self, code: Code, name: str, address: int, export: Export, listed: Sequence[str] | None) -> None:
        self._code = code
        """Keeps the address good."""
        self.name = name
        self.address = address
        """Where the function begins, for those who call it from machine code. In checked code its parameters differ."""
        self._export = export
        self._readers = [None if fields is None else _reader(fields) for fields in export.fields]
        """For every argument that is a record, what reads its fields."""
        self._listed = listed
        """In checked code, the names of all functions."""
        checked = listed is not None
        native: list[Given] = []
        self._converters: list[Converter] = []
        for word, kind in zip(export.names, export.kinds, strict=True):
            written = export.written[len(native)]
            self._converters.append(_converter(f"{name}: {word!r}", kind, written))
            native.append(_NATIVE.get(kind, ctypes.c_void_p))
            native += [ctypes.c_int64] * (checked and kind in _TYPES)
        native += [ctypes.c_void_p] * checked
        self._function = ctypes.CFUNCTYPE(_NATIVE[export.result], *native)(address)

    @property
    def signature(self) -> str:
        """As an annotation would spell it."""
        return self._export.pointer

    def __call__(self, *arguments: Given) -> Given:
        """Call the function with NumPy arrays, numbers and addresses of functions.

        Raises:
            TypeError: An argument is of the wrong type, or their number is wrong.
            ValueError: An array has several axes, does not lie side by side, or is locked and may be written to.
            OverflowError: An int needs more than 64 bits.
            IndexError: In checked code: an index is outside its array.
            ZeroDivisionError: In checked code: an int was divided by zero.
        """
        given = self._apart(arguments)
        converted = [convert(each) for convert, each in zip(self._converters, given, strict=True)]
        return self._function(*converted) if self._listed is None else self._checked(given, converted)

    def bind(self, *arguments: Given) -> Callable[[], Given]:
        """The function on these arguments for good: they are checked once, and kept as long as what is returned.

        Raises:
            TypeError: As for a call; or the code is checked, and must look at its arguments at every call.
            ValueError: As for a call.
        """
        if self._listed is not None:
            raise TypeError(f"{self.name}: checked code is not bound")
        converted = [convert(each) for convert, each in zip(self._converters, self._apart(arguments), strict=True)]
        bound = functools.partial(self._function, *converted)
        bound.kept = (self, arguments)  # type: ignore[attr-defined]
        return bound

    def tie(self, *arguments: Given) -> Callable[[], int]:
        """As `bind`, with the arguments laid down in memory: a call takes a fifth of a microsecond.

        Raises:
            TypeError: As for `bind`; or an argument is no integer and no array, or the result no integer.
            ValueError: As for a call.
        """
        plain = self._export.result == INT.name and not {FLOAT.name, BOOL.name} & {*self._export.kinds}
        if self._listed is not None or not plain:
            raise TypeError(f"{self.name}: only what takes integers and arrays, unchecked, is tied")
        converted = [convert(each) for convert, each in zip(self._converters, self._apart(arguments), strict=True)]
        return tie(self.address, converted, (self, arguments))

    def _apart(self, arguments: Sequence[Given]) -> Sequence[Given]:
        """The arguments of machine code: those of Python, and the fields of records in their place."""
        readers = self._readers
        if len(arguments) != len(readers):
            raise TypeError(f"{self.name} takes {len(readers)} arguments, here are {len(arguments)}")
        if len(arguments) == len(self._converters) and not any(readers):
            return arguments
        found: list[Given] = []
        for read, given in zip(readers, arguments, strict=True):
            found += (given,) if read is None else read(given)
        return found

    def _checked(self, arguments: Sequence[Given], converted: Sequence[Given]) -> Given:
        given: list[Given] = []
        for kind, argument, native in zip(self._export.kinds, arguments, converted, strict=True):
            given += [native, len(argument)] if kind in _TYPES else [native]
        fault = (ctypes.c_int64 * 3)()
        result = self._function(*given, ctypes.addressof(fault))
        if fault[0]:
            assert self._listed is not None
            place = f"in {self._listed[fault[1]]!r}, line {fault[2]}"
            if fault[0] == DIVISION:
                raise ZeroDivisionError(f"division of an int by zero {place}")
            raise IndexError(f"index outside the array {place}")
        return result

    def __repr__(self) -> str:
        return f"<compiled function {self.name}: {self.signature}>"


class CompiledFunctions:
    """The exported functions of a set, as attributes and by name."""

    __slots__ = ("_functions",)

    def __init__(self, code: Code, exports: Mapping[str, Export], listed: Sequence[str] | None) -> None:
        _fill_library(code)
        self._functions = {
            name: CompiledFunction(code, name, code.address(f"subset.{name}"), export, listed)
            for name, export in exports.items()
        }

    def __getitem__(self, name: str) -> CompiledFunction:
        return self._functions[name]

    def __getattr__(self, name: str) -> CompiledFunction:
        if name in CompiledFunctions.__slots__ or name not in self._functions:
            raise AttributeError(f"no function {name!r} is exported")
        return self._functions[name]

    def __dir__(self) -> list[str]:
        return sorted({"address", *self._functions})

    def address(self, name: str) -> int:
        """Where an exported function begins; good for as long as this object or one of its functions lives."""
        return self._functions[name].address


def _fill_library(code: Code) -> None:
    try:
        table = code.variable(LIBRARY_TABLE)
    except LookupError:
        return  # nothing of the library is used
    addresses = [library().address_of_symbol(name) or 0 for name in LIBRARY]
    (ctypes.c_uint64 * len(LIBRARY)).from_address(table)[:] = addresses


def _reader(fields: Sequence[str]) -> Callable[[Given], tuple[Given, ...]]:
    """What reads the fields of a record."""
    read = operator.attrgetter(*fields)
    return read if len(fields) > 1 else lambda given: (read(given),)


def _converter(place: str, kind: str, written: bool) -> Converter:
    """What makes a native argument of a Python one."""
    if kind in _TYPES:
        return _array_converter(place, _TYPES[kind], written)
    if kind.startswith(PREFIX):
        return _function_converter(place, kind)
    simple: dict[str, Converter] = {FLOAT.name: _number, INT.name: _whole, BOOL.name: _truth}
    make = simple[kind]

    def convert(given: Given) -> Given:
        try:
            return make(given)
        except TypeError:
            raise TypeError(f"{place} is of type {kind}, not {type(given).__name__}") from None

    return convert


def _number(given: Given) -> float:
    if isinstance(given, (str, bytes, bytearray)):
        raise TypeError
    return float(given)


def _whole(given: Given) -> int:
    number = operator.index(given)
    if not -(2**63) <= number < 2**63:
        raise OverflowError(f"an int has 64 bits: {number}")
    return number


def _truth(given: Given) -> bool:
    if not isinstance(given, (bool, np.bool_)):
        raise TypeError
    return bool(given)


def _array_converter(place: str, dtype: AnyType, written: bool) -> Converter:
    direct = prove_layout()

    def convert(given: Given) -> int:
        array = given.array if type(given) is Guarded else given
        if type(array) is not np.ndarray or (array.dtype is not dtype and array.dtype != dtype):
            kind = f"an array of {array.dtype}" if isinstance(array, np.ndarray) else type(array).__name__
            raise TypeError(f"{place} is an array of {dtype}, not {kind}")
        flags = array.flags
        if array.ndim != 1 or not flags.carray:  # the second: in order, aligned, not locked
            if array.ndim != 1 or not flags.c_contiguous or not flags.aligned:
                raise ValueError(f"{place} has one axis, its numbers lie side by side and aligned")
            if written and not flags.writeable:
                raise ValueError(f"{place} may be written to, and this array is locked")
        if direct:
            return ctypes.c_uint64.from_address(id(array) + DATA).value  # a quarter of what asking takes
        return int(array.__array_interface__["data"][0])

    return convert


def _function_converter(place: str, kind: str) -> Converter:
    def convert(given: Given) -> int:
        if isinstance(given, CompiledFunction) and (given.signature != kind or given._listed is not None):
            checked = " in checked code" if given._listed is not None else ""
            raise TypeError(f"{place} is of type {kind}, not {given.signature}{checked}")
        # Never a bare number: what has the address keeps the code there, and is kept with the other arguments.
        try:
            address = operator.index(given.address)
        except (AttributeError, TypeError):
            raise TypeError(f"{place} is a function that has an address, not {type(given).__name__}") from None
        if not 0 < address < 2**64:
            raise ValueError(f"{place}: {address} is not the address of a function")
        return address

    return convert
