"""Kernels of large systems: loops over links instead of straight lines. Imports NumPy and llvmlite.

The cost is linear in the number of links, and compiling takes the same time for all systems: the machine code knows
kinds of links only, and is kept in the cache once for all.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, final

import numpy as np

from sistel.errors import Text, refuse
from sistel.kernels import _machine
from sistel.kernels._arrays import Rows, as_rows
from sistel.kernels._fastcall import bind
from sistel.kernels._llvm import _processors
from sistel.kernels._loops_code import LoopedCode, looped_code
from sistel.kernels._loops_emit import TABLE
from sistel.mechanics.steps import COLUMN, FREEDOM, LOAD, RECURSIONS, WRENCH, Records, link_records

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from sistel.arrays import AnyArray, Array
    from sistel.model import Model
    from sistel.pose import Rotation, Vector3

    Frame = tuple[int, Vector3, Rotation]

SCALAR: Final = frozenset({"mass_matrix"})
"""Quantities whose rows are too long to be computed several at a time."""

FRAMES: Final = frozenset({"pose", "jacobian", "jacobian_rate"})
"""Quantities of one frame."""

WORK_PER_THREAD: Final = 20_000
"""Links times rows that make a thread worth starting: about a millisecond."""

QUICK: Final = 1000
"""Links up to which one state is computed without giving up the interpreter's lock: about a tenth of a millisecond."""

_LINE: Final = 64
"""Records begin with a cache line [bytes]."""


@final
class Loops:
    """The looped kernels of one system.

    Example:
        >>> import sistel
        >>> from sistel.kernels import Loops
        >>> text = '<system><body name="rod" joint="revolute" mass="2" com="500,0" inertia="0.5"/></system>'
        >>> Loops(sistel.parse(text).model).kernel("mass_matrix").call([0.3])
        array([1.])
    """

    __slots__ = ("_cache", "_records", "_threads", "_width", "model")

    def __init__(
        self, model: Model, *, cache: Path | None = None, width: int | None = None, threads: int | None = None
    ) -> None:
        """Nothing is compiled yet.

        Args:
            model: The system; its closures, contacts and other links are left out.
            cache: A directory for compiled objects (see `user_cache`), or None to compile afresh.
            width: States computed at a time in batches: 1, 2, 4 or 8; None takes what suits the processor.
            threads: At most so many threads for a large batch; None takes all processors.
        """
        self.model = model
        self._cache = cache
        self._width = width or _machine.host().width
        self._threads = threads or _processors()
        self._records: dict[bool, Records] = {}

    def kernel(self, quantity: str) -> LoopedKernel:
        """What computes a quantity of the whole system: those of `mechanics.QUANTITIES`, and three more.

        Args:
            quantity: ``inverse_dynamics``, ``bias_forces``, ``gravity_forces``, ``mass_matrix`` (nv × nv),
                ``forward_dynamics``, ``reactions`` (6 a body: moment and force, about its pole), ``energies`` (kinetic,
                potential, centre of mass) or ``momentum`` (angular about the origin, linear).
        """
        return self._made(quantity, None)

    def frame_kernel(self, quantity: str, body: int, p: Vector3, R: Rotation) -> LoopedKernel:
        """What computes the pose or the Jacobian of a frame, or the rate of the latter.

        Args:
            quantity: ``pose`` (16 numbers of a 4×4 matrix), ``jacobian`` or ``jacobian_rate`` (6 × nv).
            body: Number of the body that the frame is fixed in, 0 for the ground.
            p: Origin in the body [m].
            R: Axes in the body.
        """
        return self._made(quantity, (body, p, R))

    def _made(self, quantity: str, frame: Frame | None) -> LoopedKernel:
        if (quantity in FRAMES) != (frame is not None):
            raise ValueError(f"{quantity} is {'' if frame is None else 'not '}a quantity of a frame")
        merge = RECURSIONS[quantity].merge
        if merge not in self._records:
            self._records[merge] = link_records(self.model, merge=merge)
        width = 1 if quantity in SCALAR else self._width
        runner = _Runner(quantity, self._records[merge], frame, self._cache, width, self._threads)
        return LoopedKernel(runner)


@final
class LoopedKernel:
    """A recursion over the links of one system. Calls may come from any number of threads at once."""

    __slots__ = ("__weakref__", "call", "inputs", "name", "outputs")

    def __init__(self, runner: _Runner) -> None:
        self.name = runner.quantity
        self.inputs = runner.inputs
        self.outputs = runner.outputs
        self.call: Callable[..., Array] = runner.bind()
        """The same as calling the kernel, without the step through Python: for inner loops over single states."""

    def __call__(self, *blocks: ArrayLike, out: Array | None = None) -> Array:
        """Compute the quantity for one state or a batch of them.

        Args:
            blocks: One array per input block, shape (..., size), real numbers of any kind; the leading axes broadcast.
            out: Where the result goes instead of a new array: float64, C-contiguous, (..., size). It may overlap an
                input.

        Returns:
            Shape (..., size).

        Raises:
            SistelError: An array does not fit, or a coordinate moves no mass; the message names it.
        """
        result: Array = self.call(*blocks) if out is None else self.call(*blocks, out=out)
        return result

    def __repr__(self) -> str:
        inputs = ", ".join(f"{name}[{size}]" for name, size in self.inputs)
        return f"<LoopedKernel {self.name}({inputs}) -> [{self.outputs[0][1]}]>"


class _Runner:
    """Tables of a system, memory to work in, and the calls of the machine code."""

    def __init__(
        self, quantity: str, records: Records, frame: Frame | None, cache: Path | None, width: int, threads: int
    ) -> None:
        model = records.model
        sizes = {"q": model.nq, "v": model.nv, "a": model.nv, "tau": model.nv}
        results = {
            "mass_matrix": model.nv**2,
            "reactions": LOAD * len(model.bodies),
            "energies": 5,
            "momentum": 6,
            "pose": 16,
            "jacobian": COLUMN * model.nv,
            "jacobian_rate": COLUMN * model.nv,
        }
        self.quantity = quantity
        self.inputs = tuple((name, sizes[name]) for name in RECURSIONS[quantity].inputs)
        self.outputs = ((quantity, results.get(quantity, model.nv)),)
        self.records, self.width, self.threads = records, width, threads
        self._cache = cache
        self._orders = {
            "links": np.arange(1, len(records.index), dtype=np.int64),
            "path": records.path(frame[0]) if frame else np.zeros(0, np.int64),
            "bodies": np.ascontiguousarray(records.last[1:]),
        }
        self._world = records.frame(*frame) if frame else records.world
        self._tip = int(records.last[frame[0]]) if frame else 0
        self._links = max(1, len(self._orders["path" if frame else "links"]))
        self._scalar = looped_code(quantity, 1, cache)
        self._ways = {1: _Way(self, self._scalar)}
        self._quick: tuple[Array, int] | None = None
        """Memory of the function that Python calls, which knows its address only."""

    def bind(self) -> Callable[..., Array]:
        """A callable that computes one state in machine code and passes everything else on to `compute`."""
        work = self._links if self.quantity != "mass_matrix" else self._links**2 // 16
        if work > QUICK:
            return self.compute
        table, self._quick = self._ways[1].table.copy(), self._ways[1].memory()
        table[TABLE.index("work")] = self._quick[1]
        return bind(self._scalar.code, self.compute, table)

    def compute(self, *blocks: object, out: object = None) -> Array:
        """Check the arrays and compute all rows."""
        rows = as_rows(self.inputs, self.outputs, blocks, out)
        if rows.count:
            self._run(rows)
        return rows.results[0]

    def _run(self, rows: Rows) -> None:
        arguments = (ctypes.c_int64 * (2 * len(rows.inputs) + 2))()
        for i, block in enumerate((*rows.inputs, *rows.outputs)):
            arguments[2 * i] = _address(block)
            arguments[2 * i + 1] = block.strides[0] if len(block) > 1 else 0
        count = rows.count
        pieces = min(self.threads, count, count * self._links // WORK_PER_THREAD)
        if pieces < 2:
            failed = self._range(0, count, arguments)
        else:
            unit = self.width if count >= self.width * pieces else 1
            step = -(-count // (pieces * unit)) * unit
            with ThreadPoolExecutor(pieces) as pool:
                done = [pool.submit(self._range, i, min(i + step, count), arguments) for i in range(0, count, step)]
                failed = min((row for row in (one.result() for one in done) if row >= 0), default=-1)
        if failed >= 0:
            self._explain(failed, count, arguments)

    def _range(self, begin: int, end: int, arguments: ctypes.Array[ctypes.c_int64]) -> int:
        """Compute some rows; returns the first in which a coordinate moves no mass, or -1."""
        middle = begin + (end - begin) // self.width * self.width if self.width > 1 else begin
        if middle > begin:
            failed = self._way(self.width).run(begin, middle, arguments)
            if failed >= 0:
                return failed
        return self._ways[1].run(middle, end, arguments) if middle < end else -1

    def _way(self, width: int) -> _Way:
        way = self._ways.get(width)
        if way is None:
            # Two threads may make it twice: the same, at worst, for nothing.
            way = self._ways[width] = _Way(self, looped_code(self.quantity, width, self._cache))
        return way

    def table(self, width: int, length: int) -> tuple[NDArray[np.int64], int]:
        """What the machine code is told of the system; and how many numbers of memory it needs.

        Args:
            width: Rows at a time.
            length: Numbers in a record.
        """
        records, nv = self.records, self.records.model.nv
        values = {
            "index": _address(records.index),
            "constants": _address(records.constants),
            "world": _address(self._world),
            "rotors": _address(records.rotors),
            "above": _address(records.above),
            "tip": self._tip,
            "rates": nv,
            "size": self.outputs[0][1],
        }
        for name, order in self._orders.items():
            values |= {name: _address(order), f"{name}.count": len(order)}
        for name, size in self.inputs:
            values[f"size.{name}"] = size
        sizes = {**dict(self.inputs), "out": self.outputs[0][1]} if width > 1 else {}
        if self.quantity == "mass_matrix":
            sizes |= {"freedoms": FREEDOM * nv, "wrenches": WRENCH * nv}
        total = len(records.index) * length
        for name, size in sizes.items():
            values[f"at.{name}"] = 8 * width * total
            total += size
        return np.array([values.get(name, 0) for name in TABLE], np.int64), total * width

    def _explain(self, row: int, count: int, arguments: ctypes.Array[ctypes.c_int64]) -> NoReturn:
        """Compute a row that failed once more, and say which coordinate moves no mass."""
        flags = self._ways[1].flags(row, arguments, len(self.records.index))
        # A link hears of all that it carries: the outermost one that heard anything has it from nobody else.
        name = self.records.coordinate(int(np.flatnonzero(flags)[-1]))
        en, ru = (f" in state {row}", f" в состоянии {row}") if count > 1 else ("", "")
        refuse(
            "no-dynamics",
            Text(
                f'the motion cannot be computed: the coordinate "{name}" moves no mass{en}',
                f"движение нельзя вычислить: координата «{name}» не перемещает массы{ru}",
            ),
        )


class _Way:
    """The machine code for so many rows at a time, with a table for it and memory that is used again and again."""

    def __init__(self, runner: _Runner, code: LoopedCode) -> None:
        self.code = code
        self.table, self._size = runner.table(code.width, code.length)
        self._at = _address(self.table)
        self._spare: list[tuple[Array, int]] = []
        """What no call is using, with the address of its first whole line. Append and pop are safe between threads."""

    def memory(self) -> tuple[Array, int]:
        """Memory for one call."""
        work = np.zeros(self._size + _LINE // 8)
        return work, -(-_address(work) // _LINE) * _LINE

    def run(self, begin: int, end: int, arguments: ctypes.Array[ctypes.c_int64]) -> int:
        """Compute rows; returns the first in which a coordinate moves no mass, or -1. The lock is free meanwhile."""
        try:
            memory = self._spare.pop()
        except IndexError:
            memory = self.memory()
        failed: int = self.code.function(begin, end, arguments, self._at, memory[1])
        self._spare.append(memory)
        return failed

    def flags(self, row: int, arguments: ctypes.Array[ctypes.c_int64], links: int) -> Array:
        """What every link hears of coordinates that move no mass, in one row."""
        work, start = self.memory()
        self.code.function(row, row + 1, arguments, self._at, start)
        first = (start - _address(work)) // 8
        return work[first : first + self.code.length * links].reshape(links, -1)[:, self.code.flag]


def _address(array: AnyArray) -> int:
    return int(array.__array_interface__["data"][0])
