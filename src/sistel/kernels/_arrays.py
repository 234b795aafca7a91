"""The public edge of a kernel: arrays of any kind in, rows of doubles out, or an error that names the block."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.records import mutable

if TYPE_CHECKING:
    from sistel.arrays import AnyArray, AnyType

    Blocks = Sequence[tuple[str, int]]

DOUBLE = np.dtype(np.float64)


@mutable
class Rows:
    """One call's data: `count` rows in every block."""

    count: int
    inputs: list[AnyArray]
    """Shape (count, size), or (1, size) for a block that all rows share; the numbers of a row lie side by side."""
    outputs: list[AnyArray]
    """Shape (count, size), contiguous."""
    results: list[AnyArray]
    """The outputs with the caller's batch axes, (..., size)."""


def as_rows(inputs: Blocks, outputs: Blocks, given: Sequence[object], out: object, dtype: AnyType = DOUBLE) -> Rows:
    """Check the arrays of a call and lay them out as rows.

    Args:
        inputs: Names and sizes of the input blocks.
        outputs: Names and sizes of the output blocks.
        given: One array-like a block, (..., size); the leading axes broadcast.
        out: None, an array (one output block), or a sequence of arrays; of the kernel's kind, contiguous, writable.
        dtype: The kernel's kind of numbers.
    """
    check_count(inputs, given)
    arrays = [_as_block(name, size, value, dtype) for (name, size), value in zip(inputs, given, strict=True)]
    batch = _batch(inputs, arrays)
    count = prod(batch)
    results = as_results([(name, (*batch, size)) for name, size in outputs], out, dtype)
    if out is not None:
        arrays = apart(arrays, results)
    return Rows(
        count,
        [_rows(array, size, batch, count) for (_, size), array in zip(inputs, arrays, strict=True)],
        [result.reshape(count, size) for (_, size), result in zip(outputs, results, strict=True)],
        results,
    )


def check_count(inputs: Blocks, given: Sequence[object]) -> None:
    """As many arrays as there are input blocks."""
    _check_number([name for name, _ in inputs], given, "wrong-blocks", "")


def check_out_count(names: Sequence[str], given: Sequence[object]) -> None:
    """As many arrays for results as there are output blocks."""
    _check_number(names, given, "bad-out", "out: ")


def _check_number(names: Sequence[str], given: Sequence[object], code: str, whose: str) -> None:
    if len(given) != len(names):
        listed = ", ".join(names)
        refuse(
            code,
            Text(
                f"{whose}expected {len(names)} arrays ({listed}), got {len(given)}",
                f"{whose}ожидалось массивов: {len(names)} ({listed}), получено: {len(given)}",
            ),
        )


def apart(arrays: Sequence[AnyArray], results: Sequence[AnyArray]) -> list[AnyArray]:
    """Inputs that share no memory with the results."""
    return [
        array.copy() if any(np.may_share_memory(array, result) for result in results) else array for array in arrays
    ]


def as_numbers(name: str, value: object) -> AnyArray:
    """An array of real numbers; what would lose something on the way is refused: a mask, an imaginary part."""
    if type(value) is not np.ndarray and isinstance(value, np.ndarray) and np.ma.is_masked(value):
        refuse(
            "bad-array",
            Text(
                f"{name}: some numbers are masked, and what is under a mask is not computed with",
                f"{name}: часть чисел скрыта маской, а со скрытыми числами не считают",
            ),
            hint=Text("x.filled(value) puts a number there", "x.filled(value) ставит на их место число"),
        )
    try:
        array = np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        refuse("bad-array", Text(f"{name}: not an array of numbers", f"{name}: это не массив чисел"))
    if array.dtype.kind not in "biuf" and array.size:
        kind = "text" if array.dtype.kind in "SU" else array.dtype.name
        refuse(
            "bad-array",
            Text(
                f"{name}: expected real numbers, got {kind}", f"{name}: ожидались вещественные числа, получено {kind}"
            ),
        )
    return array


def as_reals(name: str, value: object) -> AnyArray:
    """An array of doubles of any shape, from whatever are real numbers."""
    return as_kind(as_numbers(name, value), DOUBLE)


def as_kind(array: AnyArray, dtype: AnyType) -> AnyArray:
    """The same numbers, of the kernel's kind and aligned."""
    if array.dtype != dtype or not array.flags.aligned:
        with np.errstate(over="ignore"):  # a number beyond the range becomes infinite, as arithmetic would
            array = np.require(array.astype(dtype), requirements="A")
    return array


def _as_block(name: str, size: int, value: object, dtype: AnyType) -> AnyArray:
    array = as_numbers(name, value)
    if array.ndim == 0 or array.shape[-1] != size:
        shape = "()" if array.ndim == 0 else f"(..., {array.shape[-1]})"
        refuse(
            "bad-shape",
            Text(f"{name}: expected (..., {size}), got {shape}", f"{name}: ожидалось (..., {size}), получено {shape}"),
        )
    return as_kind(array, dtype)


def _batch(inputs: Blocks, arrays: Sequence[AnyArray]) -> tuple[int, ...]:
    shapes = [array.shape[:-1] for array in arrays]
    if all(shape == shapes[0] for shape in shapes):  # the usual case: broadcast_shapes takes microseconds
        return shapes[0] if shapes else ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        said = ", ".join(f"{name} {array.shape}" for (name, _), array in zip(inputs, arrays, strict=True))
        refuse(
            "bad-shape",
            Text(f"the batch axes do not fit together: {said}", f"оси пакета не согласованы: {said}"),
        )


def as_results(outputs: Sequence[tuple[str, tuple[int, ...]]], out: object, dtype: AnyType) -> list[AnyArray]:
    """Arrays for the outputs, given by name and shape: new ones, or the caller's when they fit."""
    if out is None:
        return [np.empty(shape, dtype) for _, shape in outputs]
    given = [out] if isinstance(out, np.ndarray) or not isinstance(out, Sequence) else list(out)
    check_out_count([name for name, _ in outputs], given)
    results: list[AnyArray] = []
    for (name, shape), array in zip(outputs, given, strict=True):
        _check_out(name, shape, array, dtype)
        assert isinstance(array, np.ndarray)
        if any(np.may_share_memory(array, other) for other in results):
            refuse("bad-out", Text(f"out {name}: overlaps another array", f"out {name}: общая память с другим"))
        results.append(array)
    return results


def _check_out(name: str, shape: tuple[int, ...], array: object, dtype: AnyType) -> None:
    where = f"out {name}"
    if not isinstance(array, np.ndarray):
        kind = type(array).__name__
        text = Text(f"{where}: expected a NumPy array, got {kind}", f"{where}: нужен массив NumPy, получено {kind}")
    elif array.dtype != dtype:
        text = Text(f"{where}: expected {dtype}, got {array.dtype}", f"{where}: нужен {dtype}, получено {array.dtype}")
    elif array.shape != shape:
        text = Text(f"{where}: expected {shape}, got {array.shape}", f"{where}: нужно {shape}, получено {array.shape}")
    elif not array.flags.writeable:
        text = Text(f"{where}: the array is read-only", f"{where}: массив только для чтения")
    elif not (array.flags.c_contiguous and array.flags.aligned):
        text = Text(f"{where}: the array is not contiguous", f"{where}: массив не сплошной (не C-contiguous)")
    else:
        return
    refuse("bad-out", text)


def _rows(array: AnyArray, size: int, batch: tuple[int, ...], count: int) -> AnyArray:
    """The block as (count, size) or (1, size), copied only when its rows cannot be reached by one stride."""
    if array.size == size or not count:
        array = array.reshape(-1, size) if array.size == size and size else np.zeros((1, size), array.dtype)
    else:
        if array.shape[:-1] != batch:
            array = np.broadcast_to(array, (*batch, size))
        array = array.reshape(count, size)
    if size > 1 and array.strides[1] != array.itemsize:
        array = np.ascontiguousarray(array)
    return array
