"""Blocks of states: the same number of `width` states side by side, so that a vector is read or written at once.

A batch of shape (count, size) becomes (blocks, size, width); the last block is filled up with copies of the last state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from sistel.errors import Text, refuse
from sistel.kernels._arrays import Rows, apart, as_kind, as_numbers, as_results, check_count

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import AnyArray, AnyType
    from sistel.kernels._arrays import Blocks

LINE = 64
"""Arrays begin at a multiple of this, so that a vector does not lie across two lines of the cache [bytes]."""


def empty_blocks(count: int, size: int, width: int, dtype: AnyType | type = np.float64) -> AnyArray:
    """A new array of shape (count, size, width) that begins at a multiple of 64 bytes; its numbers are arbitrary."""
    kind = np.dtype(dtype)
    memory = np.empty(count * size * width * kind.itemsize + LINE, np.uint8)
    start = -memory.__array_interface__["data"][0] % LINE
    return memory[start : start + count * size * width * kind.itemsize].view(kind).reshape(count, size, width)


def to_blocks(rows: ArrayLike, width: int) -> AnyArray:
    """States as blocks.

    Args:
        rows: States, shape (count, size).
        width: States in a block, such as `Kernel.width`.

    Returns:
        Shape (blocks, size, width): number j of state ``i * width + k`` is at [i, j, k].

    Example:
        >>> to_blocks([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 2)
        array([[[1., 3.],
                [2., 4.]],
        <BLANKLINE>
               [[5., 5.],
                [6., 6.]]])
    """
    array = as_numbers("rows", rows)
    if array.ndim != 2:
        text = f"(count, size), {{}} {array.shape}"
        refuse("bad-shape", Text(f"rows: expected {text.format('got')}", f"rows: ожидалось {text.format('получено')}"))
    if array.dtype != np.float32:
        array = as_kind(array, np.dtype(np.float64))
    count, size = array.shape
    blocks = empty_blocks(-(-count // width), size, width, array.dtype)
    whole = count // width
    blocks[:whole] = array[: whole * width].reshape(whole, width, size).transpose(0, 2, 1)
    if count % width:
        blocks[whole, :, : count % width] = array[whole * width :].T
        blocks[whole, :, count % width :] = array[-1, :, None]
    return blocks


def from_blocks(blocks: AnyArray, count: int | None = None) -> AnyArray:
    """Blocks as states: shape (count, size); all states of all blocks where `count` is not given."""
    found, size, width = blocks.shape
    rows = np.ascontiguousarray(blocks.transpose(0, 2, 1)).reshape(found * width, size)
    return rows if count is None else rows[:count]


def as_blocked(
    inputs: Blocks, outputs: Blocks, width: int, given: Sequence[object], out: object, dtype: AnyType
) -> Rows:
    """Check the arrays of a call with blocks: `count` and the first axis count blocks instead of states."""
    check_count(inputs, given)
    arrays = [_as_blocks(name, size, width, value, dtype) for (name, size), value in zip(inputs, given, strict=True)]
    counts = {len(array) for array in arrays} - {1}
    if len(counts) > 1:
        said = ", ".join(f"{name} {array.shape}" for (name, _), array in zip(inputs, arrays, strict=True))
        refuse("bad-shape", Text(f"the blocks do not fit together: {said}", f"число блоков не согласовано: {said}"))
    count = counts.pop() if counts else 1
    if out is None:
        results = [empty_blocks(count, size, width, dtype) for _, size in outputs]
    else:
        results = as_results([(name, (count, size, width)) for name, size in outputs], out, dtype)
        arrays = apart(arrays, results)
    return Rows(count, arrays, results, results)


def _as_blocks(name: str, size: int, width: int, value: object, dtype: AnyType) -> AnyArray:
    array = as_numbers(name, value)
    if array.ndim != 3 or array.shape[1:] != (size, width):
        expected = f"(blocks, {size}, {width})"
        refuse(
            "bad-shape",
            Text(
                f"{name}: expected {expected}, got {array.shape}",
                f"{name}: ожидалось {expected}, получено {array.shape}",
            ),
        )
    array = as_kind(array, dtype)
    inner = array.itemsize * width, array.itemsize
    return array if array.strides[1:] == inner or not array.size else np.ascontiguousarray(array)
