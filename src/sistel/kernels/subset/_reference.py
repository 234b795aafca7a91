"""Functions of the subset run by CPython, as the reference for their machine code."""

from __future__ import annotations

import dataclasses
import functools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from sistel.kernels.subset._records import fields_of

if TYPE_CHECKING:
    from sistel.arrays import AnyArray

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


class Guarded:
    """An array as the subset has it: indices from 0 up, and numbers that are Python's own."""

    __slots__ = ("array",)

    def __init__(self, array: AnyArray) -> None:
        if array.ndim != 1:
            raise ValueError("an array of the subset has one axis")
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):  # from `shift`, which has seen to the bounds
            return Guarded(self.array[index])
        return self.array[self._place(index)].item()

    def __setitem__(self, index: int, value: float) -> None:
        wanted = float if self.array.dtype.kind == "f" else int
        if type(value) is not wanted:
            raise TypeError(f"the array holds {wanted.__name__}, this is of type {type(value).__name__}")
        self.array[self._place(index)] = value

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> AnyArray:
        if copy or (dtype is not None and dtype != self.array.dtype):
            return self.array.astype(dtype or self.array.dtype)
        return self.array

    def _place(self, index: int) -> int:
        place = operator.index(index)
        if not 0 <= place < len(self.array):
            raise IndexError(f"index {place} in an array of {len(self.array)}")
        return place


def reference(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """The function under CPython, on arrays that refuse what machine code cannot do.

    Its arrays refuse negative indices and those beyond the end, and give and take Python's own numbers, so that sums,
    products, quotients and square roots have the bits of the machine code. Functions among the arguments are Python's;
    the arrays they are given turn into NumPy's by ``numpy.asarray``, without a copy. What differs: where CPython raises
    (a division by zero, the root of a negative number, a math function out of its range), machine code goes on with
    infinities and NaN; and CPython's ints have no end.
    """

    @functools.wraps(function)
    def run(*arguments: Parameters.args, **keywords: Parameters.kwargs) -> Result:
        every: tuple[Any, ...] = arguments
        given: list[Any] = [_guarded(each) for each in every]
        return function(*given, **keywords)

    return run


def _guarded(given: Any) -> Any:
    """An argument with its arrays guarded, also those in a record."""
    if hasattr(given, "__array_interface__"):
        return Guarded(given)
    fields = fields_of(type(given))
    return given if fields is None else dataclasses.replace(given, **{n: _guarded(getattr(given, n)) for n in fields})
