"""A program as something to call with NumPy arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, final

import numpy as np

from sistel.kernels._arrays import Rows, as_rows
from sistel.kernels._blocks import as_blocked, from_blocks, to_blocks
from sistel.kernels._numpy import interpret

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from sistel.arrays import AnyArray, AnyType
    from sistel.expr import Program
    from sistel.kernels._fastcall import Called

    Results = AnyArray | tuple[AnyArray, ...]


Backend = Literal["llvm", "numpy", "table"]
Kind = Literal["float64", "float32"]


class Runner(Protocol):
    """What a backend does with checked arrays."""

    width: int
    """States in a block."""

    def run(self, rows: Rows) -> None:
        """Fill the outputs."""

    def run_blocks(self, blocks: Rows) -> None:
        """Fill the outputs of blocks of states."""

    def bind(self, general: Called) -> Called:
        """A quicker way for simple calls around the general one, or the general one itself."""


class NumpyRunner:
    """The reference interpreter behind the interface of a backend."""

    def __init__(self, program: Program, width: int) -> None:
        self.program = program
        self.width = width

    def run(self, rows: Rows) -> None:
        """Compute all rows."""
        interpret(self.program, rows.inputs, rows.outputs, 0, rows.count)

    def run_blocks(self, blocks: Rows) -> None:
        """Compute all blocks, as rows."""
        count = blocks.count * self.width
        inputs = [from_blocks(np.broadcast_to(x, (blocks.count, *x.shape[1:]))) for x in blocks.inputs]
        outputs = [np.empty((count, x.shape[1]), x.dtype) for x in blocks.outputs]
        interpret(self.program, inputs, outputs, 0, count)
        for block, rows in zip(blocks.outputs, outputs, strict=True):
            block[:] = to_blocks(rows, self.width)

    def bind(self, general: Called) -> Called:
        """Nothing is quicker here."""
        return general


class _General:
    """A call with any arrays at all. Apart from `Kernel`, because the quick function holds it: no cycle may arise."""

    __slots__ = ("dtype", "inputs", "outputs", "runner")

    def __init__(self, program: Program, runner: Runner, dtype: AnyType) -> None:
        self.inputs = program.inputs
        self.outputs = program.outputs
        self.runner = runner
        self.dtype = dtype

    def compute(self, *blocks: object, out: object = None) -> Results:
        rows = as_rows(self.inputs, self.outputs, blocks, out, self.dtype)
        if rows.count:
            self.runner.run(rows)
        return _results(rows)

    def compute_blocks(self, *blocks: object, out: object = None) -> Results:
        rows = as_blocked(self.inputs, self.outputs, self.runner.width, blocks, out, self.dtype)
        if rows.count:
            self.runner.run_blocks(rows)
        return _results(rows)


def _results(rows: Rows) -> Results:
    return rows.results[0] if len(rows.results) == 1 else tuple(rows.results)


@final
class Kernel:
    """A compiled program. Calls keep no state and may come from any number of threads at once."""

    __slots__ = ("__weakref__", "_general", "backend", "call", "dtype", "inputs", "name", "outputs", "program", "width")

    def __init__(self, program: Program, runner: Runner, *, name: str, backend: Backend, dtype: Kind) -> None:
        self.program = program
        self.name = name
        self.backend = backend
        self.inputs = program.inputs
        self.outputs = program.outputs
        self.dtype = np.dtype(dtype)
        """The kind of all numbers that go in and come out."""
        self.width = runner.width
        """States in a block."""
        self._general = _General(program, runner, self.dtype)

    call: Callable[..., Any]
    """The same as calling the kernel, without the step through Python: for inner loops over single states."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """What is called, made when it is first asked for: most kernels are called from machine code alone."""
        if name != "call":
            raise AttributeError(f"a kernel has no {name!r}", name=name, obj=self)
        self.call = self._general.runner.bind(self._general.compute)
        return self.call

    def __call__(self, *blocks: ArrayLike, out: Results | None = None) -> Results:
        """Compute the outputs for one state or a batch of them.

        Args:
            blocks: One array per input block, shape (..., size), real numbers of any kind; the leading axes broadcast.
            out: Where the results go instead of new arrays: of the kernel's kind, C-contiguous, (..., size); a tuple
                of arrays when there are several output blocks. It may overlap an input.

        Returns:
            The output block, shape (..., size), or a tuple of them when the program has several.

        Raises:
            SistelError: An array does not fit; the message names its block.
        """
        result: Results = self.call(*blocks) if out is None else self.call(*blocks, out=out)
        return result

    def blocked(self, *blocks: ArrayLike, out: Results | None = None) -> Results:
        """Compute the outputs for blocks of `width` states, which lie in memory as vectors do: the fastest way.

        Args:
            blocks: One array per input block, shape (blocks, size, width), see `to_blocks`; an array with one block
                serves all.
            out: Where the results go, as for a call; shape (blocks, size, width).

        Returns:
            The output block, shape (blocks, size, width), see `from_blocks`, or a tuple of them.

        Raises:
            SistelError: An array does not fit; the message names its block.
        """
        return self._general.compute_blocks(*blocks, out=out)

    def quick(self, general: Called) -> Called:
        """The same as `call` for plain vectors of one state; every other call goes to `general` as it is.

        For methods with more arguments than arrays and `out`: they are called only where they are needed.
        """
        return self._general.runner.bind(general)

    def method(
        self,
        general: Called,
        shapes: Sequence[tuple[int, ...]],
        *,
        fixed: tuple[object, ...] = (),
        named: tuple[tuple[str, object], ...] = (),
        many: bool = False,
    ) -> Called:
        """As `quick`, for a method that returns arrays of other shapes and has other arguments besides.

        Args:
            general: What every other call goes to.
            shapes: Of the results, one for each block of outputs.
            fixed: Arguments that follow the arrays: calls with the very same objects are answered here.
            named: The same, given by name.
            many: Whether results come in a tuple, even if there is one.
        """
        native = getattr(self._general.runner, "native", None)
        if native is None or self.backend != "llvm" or self.dtype != np.float64:
            return general
        from sistel.kernels._method_call import MethodCall, bind_method

        sizes = tuple(size for _, size in self.inputs)
        call = MethodCall(function=native, inputs=sizes, shapes=tuple(shapes), fixed=fixed, named=named, many=many)
        return bind_method(call, general)

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}[{size}]" for name, size in self.inputs)
        outputs = ", ".join(f"{name}[{size}]" for name, size in self.outputs)
        kind = "" if self.dtype == np.float64 else f", {self.dtype}"
        return f"<Kernel {self.name}({inputs}) -> {outputs}, {self.backend}{kind}>"


def compile_program(
    program: Program,
    *,
    backend: Backend = "llvm",
    name: str = "kernel",
    cache: Path | None = None,
    width: int | None = None,
    threads: int | None = None,
    dtype: Kind = "float64",
) -> Kernel:
    """Turn a program into a kernel.

    Args:
        program: What to compute.
        backend: ``llvm`` (machine code), ``numpy`` (the reference interpreter) or ``table`` (one function of machine
            code reads any program: nothing to compile, for long programs that run now and then; doubles only).
        name: What the kernel is called in messages.
        cache: A directory for compiled objects (see `USER`), or None to compile afresh.
        width: States computed at a time in batches: 1, 2, 4, 8 or 16; None takes what suits the processor.
        threads: At most so many threads for a large batch; None takes all processors.
        dtype: The kind of numbers: ``float64``, or ``float32`` for batches, where twice as many fit a vector. Sines
            and cosines have at most 1.5 ulp of error in both.
    """
    if width not in (None, 1, 2, 4, 8, 16):
        raise ValueError(f"a kernel computes 1, 2, 4, 8 or 16 states at a time, not {width}")
    if dtype not in ("float64", "float32"):
        raise ValueError(f"a kernel computes with float64 or float32, not {dtype}")
    if backend == "numpy":
        return Kernel(program, NumpyRunner(program, width or 8), name=name, backend=backend, dtype=dtype)
    if backend == "table":
        if dtype != "float64":
            raise ValueError(f"a table computes with float64, not {dtype}")
        from sistel.kernels._table import TableRunner, fits

        if not fits(program):
            return compile_program(program, name=name, cache=cache, width=width, threads=threads)
        table = TableRunner(program, width=width, cache=cache)
        return Kernel(program, table, name=name, backend=backend, dtype=dtype)
    if backend != "llvm":
        raise ValueError(f"there is no backend {backend!r}")
    from sistel.kernels._llvm import LlvmRunner  # llvmlite takes a while to import

    runner = LlvmRunner(program, width=width, threads=threads, cache=cache, dtype=dtype)
    return Kernel(program, runner, name=name, backend=backend, dtype=dtype)
