"""What calls and programs of engines are called in signatures; import them under ``TYPE_CHECKING``."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sistel.arrays import Array
    from sistel.expr import Program, Scalar
    from sistel.pose import Rotation, Vector3

    Call = Callable[..., Array]
    Derived = tuple[Program, tuple[str, ...]]
    Scalars = Sequence[Scalar]
    Rows = Callable[..., Scalars]
    """What computes the rows of one state."""
    Part = tuple[str, tuple[()] | tuple[int, Vector3, Rotation]]
    """A quantity, and body, place and axes where it is one of a frame."""
