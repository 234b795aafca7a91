"""Several quantities of a state, computed in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import Array
    from sistel.engine._types import Call
    from sistel.kernels import Kernel

INPUTS = {
    "mass_matrix": ("q",),
    "gravity_forces": ("q",),
    "pose": ("q",),
    "jacobian": ("q",),
    "jacobian_rate": ("q", "v"),
    "bias_forces": ("q", "v"),
    "momentum": ("q", "v"),
    "inverse_dynamics": ("q", "v", "a"),
}
"""What quantities that can be computed together are computed from."""


class Together:
    """Several quantities in one call."""

    def __init__(
        self,
        shapes: tuple[tuple[int, ...], ...],
        kernel: Kernel | None,
        calls: Sequence[tuple[Call, tuple[str, ...]]],
    ) -> None:
        """Made by `Engine.together`.

        Args:
            shapes: Of the quantities of one state.
            kernel: What computes all of them; None for a large system.
            calls: Of a large system: what computes each of them, from which blocks.
        """
        self.shapes, self._kernel, self._calls = shapes, kernel, calls
        needed = {name for _, names in calls for name in names}
        if kernel is not None:
            needed = {name for name, _ in kernel.inputs}
        self.inputs: tuple[str, ...] = tuple(name for name in ("q", "v", "a") if name in needed)
        """Blocks that are needed, in the order in which they are given."""

    def call(self, *blocks: ArrayLike) -> tuple[Array, ...]:
        """The quantities of one state or of a batch."""
        if self._kernel is None:
            given: dict[str, ArrayLike] = dict(zip(self.inputs, blocks, strict=True))
            found = tuple(call(*(given[name] for name in names)) for call, names in self._calls)
        else:
            computed = self._kernel.call(*blocks)
            found = computed if isinstance(computed, tuple) else (computed,)
        return tuple(
            entries.reshape((*entries.shape[:-1], *shape)) for entries, shape in zip(found, self.shapes, strict=True)
        )

    def method(self, general: Call, want: object) -> Call:
        """What answers a method called with this very `want`, and leaves every other call to `general`."""
        if self._kernel is None:
            return general
        return self._kernel.method(general, self.shapes, named=(("want", want),), many=True)
