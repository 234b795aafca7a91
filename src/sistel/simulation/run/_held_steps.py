"""Steps of a state most of which stands still between ticks: what is held is kept once a step, not as polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import DTypeLike

    from sistel.arrays import Array

FEWEST = 8
"""Numbers that are held, from which on it pays to keep them apart."""


class HeldSteps:
    """Coefficients of steps, shape (steps, size, order + 1), as an array has them.

    The first numbers of a state move, the others are held; the last one is the time. Indices of the first axis give
    the same again; all else gives arrays.
    """

    __slots__ = ("begins", "held", "moving")

    def __init__(self, moving: Array, held: Array, begins: Array) -> None:
        """Take them.

        Args:
            moving: Polynomials of what moves, shape (steps, some, order + 1).
            held: What is held, shape (steps, others).
            begins: Times at which steps begin, shape (steps,) [s].
        """
        self.moving, self.held, self.begins = moving, held, begins

    @property
    def shape(self) -> tuple[int, int, int]:
        """As an array with all coefficients would have it."""
        steps, some, powers = self.moving.shape
        return steps, some + self.held.shape[1] + 1, powers

    @property
    def nbytes(self) -> int:
        """What it takes [bytes]."""
        return int(self.moving.nbytes + self.held.nbytes + self.begins.nbytes)

    @property
    def starts(self) -> Array:
        """States at which steps begin, shape (steps, size)."""
        return np.concatenate([self.moving[:, :, 0], self.held, self.begins[:, np.newaxis]], axis=1)

    def at(self, h: Array) -> Array:
        """States at times since the beginnings of the steps, one each."""
        length = h[:, np.newaxis]
        total = self.moving[:, :, -1]
        for k in range(self.moving.shape[2] - 2, -1, -1):
            total = total * length + self.moving[:, :, k]
        return np.concatenate([total, self.held, (self.begins + h)[:, np.newaxis]], axis=1)

    def __len__(self) -> int:
        return len(self.begins)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> Array:
        steps, size, powers = self.shape
        some = self.moving.shape[1]
        made = np.zeros((steps, size, powers))
        made[:, :some] = self.moving
        made[:, some:-1, 0] = self.held
        made[:, -1, 0], made[:, -1, 1] = self.begins, 1.0
        return made

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, tuple):
            if isinstance(index, (int, np.integer)):
                return np.asarray(self[[index]])[0]
            return HeldSteps(self.moving[index], self.held[index], self.begins[index])
        if len(index) == 3 and index[1] == slice(None) and isinstance(index[2], int) and index[2] == 0:
            return self.starts[index[0]]
        return np.asarray(self)[index]


def joined_steps(parts: Sequence[object]) -> Array | None:
    """Held steps of several, one after another; None where they are not all alike."""
    shapes = {each.moving.shape[1:] for each in parts if isinstance(each, HeldSteps)}
    if len(shapes) != 1 or not all(isinstance(each, HeldSteps) for each in parts):
        return None
    made = HeldSteps(
        *(np.concatenate([getattr(each, name) for each in parts]) for name in ("moving", "held", "begins"))
    )
    return as_array(made)


def as_array(steps: HeldSteps) -> Array:
    """The same for those who need not know: it has what they ask of an array."""
    return cast("Array", steps)
