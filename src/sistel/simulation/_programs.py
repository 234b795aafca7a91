"""Programs of runs as machine code, or as tables where that is long in the making; what is derived is kept on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.expr import Program
from sistel.kernels import USER, Native, compile_program

if TYPE_CHECKING:
    from sistel.kernels import Kernel

Derived = tuple[Program, tuple[str, ...]]
"""A program, and names that go with it."""


SELDOM = 200
"""Lines of a program that runs at events, from which it is not worth compiling: a table of it runs three times as long,
and is there at once."""
EVERY_STEP = 1000
"""The same for a program that runs once a step: the table takes a few parts in a hundred of what such a step takes."""


def native(program: Program, most: int = SELDOM) -> Native:
    """A program as a native function of rows, see `kernels`; a table where it has so many lines or more."""
    if len(program) >= most and not program.routines():
        from sistel.kernels import TableRunner

        return TableRunner(program, cache=USER).native
    from sistel.kernels import LlvmRunner

    return LlvmRunner(program, width=None, threads=None, cache=USER).native


def kernel(program: Program, name: str, most: int = SELDOM) -> Kernel:
    """The same to call from Python: it computes the same bits."""
    long = len(program) >= most and not program.routines()
    return compile_program(program, name=name, cache=USER, backend="table" if long else "llvm")
