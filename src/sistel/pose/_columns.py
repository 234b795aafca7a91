"""Conversions of many rows: block by block, inside a block column by column.

Rows are how people keep rotations; columns are what the processor is quick with. So a conversion is written for
columns: an array of shape (numbers, n), one row of it for every number, all of them one after another in memory. A
block is small enough for everything in between to stay in the cache. Conversions that follow each other hand columns
on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from sistel.errors import Text, refuse

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sistel.arrays import Array

    Step = Callable[..., Array]

ROWS = 6000
"""In a block: two dozen columns of them fit the second-level cache, and calls of NumPy cost little beside them. Not a
power of two, so that columns do not compete for the same lines of the cache."""
PIECE = 2900
"""Rows that a product of matrices makes at once: so few that its library does not call other cores for them."""
SPARE = 3
"""Columns of the room of a step beyond those that it gives, for what comes between."""


class Refusal(Exception):
    """Some columns are none of what they should be; whoever knows the whole batch says which."""

    def __init__(self, code: str, message: Text, where: NDArray[np.bool_]) -> None:
        super().__init__(code)
        self.code, self.message, self.where = code, message, where


class ByColumns:
    """A conversion of rows, shape (..., numbers), that is written for columns.

    Its step owns the columns that it is given: it may write over them, and give them back.
    """

    def __init__(self, step: Step, numbers: int, loose: Step | None = None, sums: Array | None = None) -> None:
        self.step = step
        self.numbers = numbers
        """How many it gives."""
        self.loose = loose
        """The same from quaternions of any length, where that is quicker than to make them unit first."""
        self.sums = sums
        """Where the numbers are sums of the columns of its step: with which factors, shape (columns, numbers). Such a
        step is given room for its columns, the same for all blocks: memory that is new takes longer than the sums."""
        self.__doc__ = step.__doc__

    def __call__(self, values: ArrayLike) -> Array:
        return through((self.step,), values, self.numbers, self.sums)


def by_columns(numbers: int) -> Callable[[Step], ByColumns]:
    """Makes a function of columns one of rows; `numbers` is how many it gives for each."""
    return lambda step: ByColumns(step, numbers)


def through(steps: Sequence[Step], values: ArrayLike, numbers: int, sums: Array | None = None) -> Array:
    """Rows after several conversions, shape (..., numbers).

    Args:
        steps: One after another.
        values: Rows, shape (..., any).
        numbers: How many a row has afterwards.
        sums: Of the last step, as `ByColumns` has them.

    Raises:
        SistelError: A step refuses; places of what it refuses are those in the whole batch.
    """
    given = np.asarray(values, dtype=float)
    batch = given.shape[:-1]
    rows = given.reshape(-1, given.shape[-1])
    made = np.empty((len(rows), numbers))
    last = 0 if sums is None else len(sums) + SPARE
    work, room = np.empty((0, 0)), np.empty((0, 0))
    try:
        for start in range(0, len(rows), ROWS):
            block = rows[start : start + ROWS]
            if len(block) != work.shape[1]:
                work, room = np.empty((rows.shape[1], len(block))), np.empty((last, len(block)))
            work[...] = block.T
            _lay(_done(steps, work, room if last else None), made[start : start + ROWS], sums)
    except Refusal:
        try:
            _done(steps, np.array(rows.T, order="C"), np.empty((last, len(rows))) if last else None)
        except Refusal as found:
            refuse_some(found.code, found.message, found.where.reshape(batch))
        raise
    return made.reshape(*batch, numbers)


def _done(steps: Sequence[Step], columns: Array, room: Array | None) -> Array:
    for step in steps[:-1]:
        columns = step(columns)
    if not steps:
        return columns
    return steps[-1](columns) if room is None else steps[-1](columns, room)


def _lay(columns: Array, rows: Array, sums: Array | None) -> None:
    """Columns, or sums of them, into rows, the quickest of three ways: few of them one by one, many at once.

    A product of matrices adds up on its way what would take as many passes as there are columns before it.
    """
    if sums is not None:
        for start in range(0, len(rows), PIECE):
            part = slice(start, start + PIECE)
            np.matmul(columns[:, part].T, sums, out=rows[part])
        return
    if len(columns) > 4:
        rows[...] = columns.T
        return
    for column, target in zip(columns, rows.T, strict=True):
        target[...] = column


def finite(columns: Array) -> Array:
    """The same columns.

    Raises:
        Refusal: Not all numbers are finite.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        doubtful = not np.isfinite(columns.sum())  # finite ones may be too large to add up
    if doubtful:
        bad = np.asarray(~np.isfinite(columns).all(axis=0))
        if bad.any():
            message = Text("a number is infinite or none at all", "среди чисел есть бесконечность или не число")
            raise Refusal("not-finite", message, bad)
    return columns


def squares_of(v: Array, nothing: tuple[str, str, str] | None = None) -> Array:
    """Squares of the lengths of vectors, shape (k, n) → (n,), after those of a size without squares were scaled.

    Args:
        v: The vectors; scaled in place.
        nothing: What to say of a length of 0, where it is wrong: code, English, Russian.

    Raises:
        Refusal: Not all numbers are finite, or a length is 0 and must not be.
    """
    with np.errstate(over="ignore"):
        squares: Array = np.einsum("in,in->n", v, v)
    if not (squares.min() > 1e-280 and squares.max() < 1e300):
        v /= _sizes(finite(v))
        squares = np.einsum("in,in->n", v, v)
        if nothing and not squares.all():
            raise Refusal(nothing[0], Text(*nothing[1:]), squares == 0.0)
    return squares


def lengths_of(v: Array) -> Array:
    """Lengths of vectors, shape (k, n) → (n,), whatever their size."""
    with np.errstate(over="ignore"):
        squares: Array = np.einsum("in,in->n", v, v)
        if squares.min() > 1e-280 and squares.max() < 1e300:
            return np.asarray(np.sqrt(squares, out=squares))
        sizes = _sizes(v)
        scaled = v / sizes
        return np.asarray(sizes * np.sqrt(np.einsum("in,in->n", scaled, scaled)))


def _sizes(v: Array) -> Array:
    """The largest numbers of vectors, without signs; 1 for no vector at all."""
    sizes = np.abs(v).max(axis=0)
    return np.where(sizes > 0.0, sizes, 1.0)


def refuse_some(code: str, message: Text, where: NDArray[np.bool_]) -> NoReturn:
    """Say what is wrong with some of many rotations, and which is the first."""
    places = np.argwhere(where)
    if where.ndim:
        place = ", ".join(str(int(i)) for i in places[0])
        message = Text(
            f"{message.en} (number {place}, {len(places)} in all)", f"{message.ru} (номер {place}, всего {len(places)})"
        )
    refuse(code, message)
