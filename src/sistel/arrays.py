"""What arrays are called in signatures.

The names are for people and for mypy: import them under ``TYPE_CHECKING``. Nothing here loads NumPy at run time, so
packages that read descriptions stay free of numerics. `Floats`, `Ints` and `shift` are those of functions in the
compiled subset of Python, which is told what they mean at run time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    """Real numbers."""
    Whole = NDArray[np.int64]
    """Whole numbers."""
    Indices = NDArray[np.intp]
    """Places in another array, as NumPy's own searches answer them."""
    Flags = NDArray[np.bool_]
    """Truth values."""
    AnyArray = NDArray[Any]
    """Numbers of a kind that is chosen at run time."""
    AnyType = np.dtype[Any]
    """Such a kind."""


class Floats(Protocol):
    """Doubles side by side: a pointer in machine code, a NumPy array of float64 under CPython."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


class Ints(Protocol):
    """Integers of 64 bits side by side: a pointer in machine code, a NumPy array of int64 under CPython."""

    def __getitem__(self, index: int, /) -> int: ...
    def __setitem__(self, index: int, value: int, /) -> None: ...


Numbers = TypeVar("Numbers", Floats, Ints)


def shift(numbers: Numbers, offset: int) -> Numbers:
    """The same memory from number `offset` on; what is at `offset` has index 0 there.

    Raises:
        IndexError: Under CPython: the offset is negative or beyond the end.
        TypeError: Under CPython: not an array, hence a slice would be a copy.
    """
    array: Any = numbers
    if not hasattr(array, "__array__"):
        raise TypeError(f"an array is needed, not {type(array).__name__}")
    if not 0 <= offset <= len(array):
        raise IndexError(f"offset {offset} in an array of {len(array)}")
    view: Numbers = array[offset:]
    return view
