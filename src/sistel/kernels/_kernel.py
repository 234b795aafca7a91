"""A program as something to call with NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, final

from sistel.kernels._arrays import Rows, as_rows
from sistel.kernels._numpy import interpret

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from sistel.expr import Program

    Array = NDArray[np.float64]

Backend = Literal["llvm", "numpy"]


class Runner(Protocol):
    """What a backend does with checked rows."""

    def run(self, rows: Rows) -> None:
        """Fill the outputs."""

    def bind(self, general: Callable[..., Any]) -> Callable[..., Any]:
        """A quicker way for simple calls around the general one, or the general one itself."""


class NumpyRunner:
    """The reference interpreter behind the interface of a backend."""

    def __init__(self, program: Program) -> None:
        self.program = program

    def run(self, rows: Rows) -> None:
        """Compute all rows."""
        interpret(self.program, rows.inputs, rows.outputs, 0, rows.count)

    def bind(self, general: Callable[..., Any]) -> Callable[..., Any]:
        """Nothing is quicker here."""
        return general


class _General:
    """A call with any arrays at all. Apart from `Kernel`, because the quick function holds it: no cycle may arise."""

    __slots__ = ("inputs", "outputs", "runner")

    def __init__(self, program: Program, runner: Runner) -> None:
        self.inputs = program.inputs
        self.outputs = program.outputs
        self.runner = runner

    def compute(self, *blocks: object, out: object = None) -> Array | tuple[Array, ...]:
        rows = as_rows(self.inputs, self.outputs, blocks, out)
        if rows.count:
            self.runner.run(rows)
        results = rows.results
        return results[0] if len(results) == 1 else tuple(results)


@final
class Kernel:
    """A compiled program. Calls keep no state and may come from any number of threads at once."""

    __slots__ = ("__weakref__", "backend", "call", "inputs", "name", "outputs", "program")

    def __init__(self, program: Program, runner: Runner, *, name: str, backend: Backend) -> None:
        self.program = program
        self.name = name
        self.backend = backend
        self.inputs = program.inputs
        self.outputs = program.outputs
        self.call: Callable[..., Any] = runner.bind(_General(program, runner).compute)
        """The same as calling the kernel, without the step through Python: for inner loops over single states."""

    def __call__(self, *blocks: ArrayLike, out: Array | tuple[Array, ...] | None = None) -> Array | tuple[Array, ...]:
        """Compute the outputs for one state or a batch of them.

        Args:
            blocks: One array per input block, shape (..., size), real numbers of any kind; the leading axes broadcast.
            out: Where the results go instead of new arrays: float64, C-contiguous, (..., size); a tuple of arrays
                when there are several output blocks. It may overlap an input.

        Returns:
            The output block, shape (..., size), or a tuple of them when the program has several.

        Raises:
            SistelError: An array does not fit; the message names its block.
        """
        result: Array | tuple[Array, ...] = self.call(*blocks) if out is None else self.call(*blocks, out=out)
        return result

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}[{size}]" for name, size in self.inputs)
        outputs = ", ".join(f"{name}[{size}]" for name, size in self.outputs)
        return f"<Kernel {self.name}({inputs}) -> {outputs}, {self.backend}>"


def compile_program(
    program: Program,
    *,
    backend: Backend = "llvm",
    name: str = "kernel",
    cache: Path | None = None,
    width: int | None = None,
    threads: int | None = None,
) -> Kernel:
    """Turn a program into a kernel.

    Args:
        program: What to compute.
        backend: ``llvm`` (machine code) or ``numpy`` (the reference interpreter).
        name: What the kernel is called in messages.
        cache: A directory for compiled objects (see `user_cache`), or None to compile afresh.
        width: Rows computed at a time in batches: 1, 2, 4 or 8; None takes what suits the processor.
        threads: At most so many threads for a large batch; None takes all processors.
    """
    if backend == "numpy":
        return Kernel(program, NumpyRunner(program), name=name, backend=backend)
    if backend != "llvm":
        raise ValueError(f"there is no backend {backend!r}")
    if width not in (None, 1, 2, 4, 8):
        raise ValueError(f"a kernel computes 1, 2, 4 or 8 rows at a time, not {width}")
    from sistel.kernels._llvm import LlvmRunner  # llvmlite takes a while to import

    runner = LlvmRunner(program, width=width, threads=threads, cache=cache)
    return Kernel(program, runner, name=name, backend=backend)
