"""What a hand does to a system from outside its file: forces that a page adds while somebody holds a body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.expr import Graph, Vector
from sistel.records import entry

if TYPE_CHECKING:
    from sistel.expr import Scalar, Scalars
    from sistel.mechanics import Drives
    from sistel.model import Model

PUSH = "push"
"""The block of generalized forces, one for each velocity [N or N·m]."""
WRENCH = "wrench"
"""The block of the same as moments about the poles of the bodies and forces, six numbers for each body, in W."""


@entry
class Hands:
    """Forces of hands as inputs of a graph; those on bodies are read by what the joints carry alone."""

    push: list[Scalar]
    wrenches: list[tuple[int, tuple[float, float, float], Vector, Vector]]

    @classmethod
    def of(cls, graph: Graph, model: Model) -> Hands:
        """As inputs of a graph."""
        push = graph.inputs(PUSH, model.nv)
        parts = graph.inputs(WRENCH, 6 * len(model.bodies))
        wrenches = [
            (i + 1, (0.0, 0.0, 0.0), Vector(*parts[6 * i : 6 * i + 3]), Vector(*parts[6 * i + 3 : 6 * i + 6]))
            for i in range(len(model.bodies))
        ]
        return cls(list(push), wrenches)

    def beside(self, drives: Drives | Scalars | None) -> list[Scalar]:
        """Generalized forces with those of hands."""
        return list(self.push) if drives is None else [a + b for a, b in zip(drives, self.push, strict=True)]
