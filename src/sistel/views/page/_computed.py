"""What pages compute for the few states that they show: compiling would take longer than a table does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.kernels import USER, compile_program

if TYPE_CHECKING:
    from collections.abc import Callable

    from sistel.arrays import AnyArray, Array
    from sistel.expr import Program

    Results = AnyArray | tuple[AnyArray, ...]
    """The output of a program, or all where there are several."""
    Rows = Callable[..., Results]


def computed(line: Program, name: str) -> Rows:
    """A program as a function of rows of states: see `kernels.Kernel`."""
    kernel = compile_program(line, backend="table", name=name, cache=USER)

    def rows(*blocks: Array) -> Results:
        return kernel(*blocks)

    return rows
