"""Programs as tables that one function reads: nothing is compiled for a program, which then takes a few times as long.

For long programs that run now and then, such as what happens when a robot passes from one structure to another: machine
code of their own would take longer to make than it would ever run. Operations of one kind are gathered into runs, as
many at a time as have their operands, so that the function seldom has to ask which operation comes next. Every
operation is rounded on its own.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.expr import ARITY, Op
from sistel.kernels import _machine
from sistel.kernels._blocks import from_blocks, to_blocks
from sistel.kernels._llvm import block_arguments
from sistel.kernels._schedule import in_order, in_runs
from sistel.kernels._table_emit import FUNCTION, TABLE, VERSION, WORDS, emit_table
from sistel.once import once

if TYPE_CHECKING:
    from sistel.arrays import AnyArray
    from sistel.expr import Program
    from sistel.kernels._arrays import Rows
    from sistel.kernels._fastcall import Called

_SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)
_PARTS: Final = ("constants", "runs", "operands", "results")


@once
def _object(cache: Path | None) -> bytes:
    return _machine.kept(cache, ("table", VERSION), lambda: _machine.assemble(emit_table()))


class Table:
    """A table, loaded.

    Attributes:
        address: Of its function, good while this object lives; see `_emit` for the arguments.
    """

    def __init__(
        self, laid_out: Sequence[AnyArray], inputs: Sequence[int], outputs: Sequence[int], cache: Path | None
    ) -> None:
        """Load it.

        Args:
            laid_out: What `lay_out` gave, or `unpacked`.
            inputs: Sizes of the blocks.
            outputs: Likewise.
            cache: A directory for compiled objects, or None.
        """
        parts = dict(zip(_PARTS, laid_out, strict=True))
        parts["inputs"], parts["outputs"] = (np.array([*sizes, 0], dtype=np.int64) for sizes in (inputs, outputs))
        runs = parts["runs"].reshape(-1, 2)
        counts = {
            "values": len(parts["constants"]) + sum(inputs) + int(runs[:, 1].sum()),
            "constants.count": len(parts["constants"]),
            "inputs.count": len(inputs),
            "runs.count": len(runs),
            "outputs.count": len(outputs),
        }
        words: list[ctypes.c_uint64 | int] = [
            counts[word] if word in counts else parts[word].ctypes.data for word in WORDS
        ]
        self._parts = parts
        self._code = _machine.Code(_object(cache))
        (ctypes.c_uint64 * len(WORDS)).from_address(self._code.variable(TABLE))[:] = words
        self.address = self._code.address(FUNCTION)


def fits(program: Program) -> bool:
    """Whether a program can be a table: no table calls routines."""
    return not program.routines()


class TableRunner:
    """A program as a table, behind the interface of a backend. Threads may share it."""

    def __init__(self, program: Program, *, width: int | None = None, cache: Path | None = None) -> None:
        self.program = program
        self.width = width or _machine.host().width
        entry = _machine.kept(cache, ("table of", program.fingerprint(), VERSION), lambda: pack(*lay_out(program)))
        inputs, outputs = ([size for _, size in blocks] for blocks in (program.inputs, program.outputs))
        self.table = Table(unpacked(entry), inputs, outputs, cache)
        self.address = self.table.address
        """Of the function, good while this object lives."""
        self._function = _SIGNATURE(self.address)

    @property
    def native(self) -> _machine.Native:
        """The function, for those who call it from machine code."""
        return _machine.Native(self, self.address)

    def run(self, rows: Rows) -> None:
        """Compute all rows; the interpreter's lock is free meanwhile."""
        self._function(0, rows.count, block_arguments(rows))

    def run_blocks(self, blocks: Rows) -> None:
        """Compute all blocks, as rows."""
        from sistel.kernels._arrays import Rows

        count = blocks.count * self.width
        inputs = [from_blocks(np.broadcast_to(x, (blocks.count, *x.shape[1:]))) for x in blocks.inputs]
        outputs = [np.empty((count, x.shape[1]), x.dtype) for x in blocks.outputs]
        self.run(Rows(count, inputs, outputs, outputs))
        for block, rows in zip(blocks.outputs, outputs, strict=True):
            block[:] = to_blocks(rows, self.width)

    def bind(self, general: Called) -> Called:
        """Nothing is quicker here."""
        return general


def lay_out(program: Program) -> tuple[AnyArray, ...]:
    """The table of a program: constants, runs of operations, operands and results; see `WORDS`."""
    return lay_out_lines(
        np.array(program.operation, np.int64),
        np.array(program.first, np.int64),
        np.array(program.second, np.int64),
        np.array(program.third, np.int64),
        np.array(program.number, np.float64),
        [size for _, size in program.inputs],
        np.array(program.results, np.int64),
    )


def lay_out_lines(
    operation: AnyArray,
    first: AnyArray,
    second: AnyArray,
    third: AnyArray,
    number: AnyArray,
    inputs: Sequence[int],
    results: AnyArray,
) -> tuple[AnyArray, ...]:
    """The same of the columns of a program.

    Args:
        operation: As those of `Program`, and so are the next ones.
        first: First operands.
        second: Second operands.
        third: Third operands.
        number: Values of constants.
        inputs: Sizes of the blocks.
        results: Lines of the outputs.
    """
    given, constant = operation == Op.INPUT, operation == Op.CONSTANT
    work = np.flatnonzero(~(given | constant))
    firsts = np.cumsum([int(constant.sum()), *inputs])
    slot = np.full(len(operation), -1, np.int64)
    slot[constant] = np.arange(firsts[0])
    slot[given] = firsts[first[given]] + second[given]
    kind = operation[work]
    arity = np.array(ARITY, np.int64)[kind]
    begin = np.concatenate([[0], np.cumsum(arity)])
    place = np.arange(begin[-1]) - np.repeat(begin[:-1], arity)
    lines = np.repeat(work, arity)
    operands = np.choose(place, [first[lines], second[lines], third[lines]])
    item = np.full(len(operation), -1, np.int64)
    item[work] = np.arange(len(work))
    order, runs = in_runs(kind, begin, item[operands], len(ARITY))
    slot[work[order]] = firsts[-1] + np.arange(len(work))
    moved = in_order(begin, order)
    return (
        number[constant],
        runs.astype(np.int32).ravel(),
        slot[operands[moved]].astype(np.int32),
        slot[results].astype(np.int32),
    )


def schedule(work: Mapping[int, tuple[int, ...]], slot: dict[int, int], place: int) -> tuple[array[int], array[int]]:
    """Runs of operations of one kind, and their operands.

    Args:
        work: By name: the kind of an operation, and the names of its operands.
        slot: Where values are, by name; those of the operations are added.
        place: Where the first result goes.
    """
    users: dict[int, list[int]] = {name: [] for name in work}
    missing: dict[int, int] = {}
    ready: dict[int, list[int]] = {}
    for name, (kind, *needed) in work.items():
        count = 0
        for each in needed:
            if each in users:
                users[each].append(name)
                count += 1
        missing[name] = count
        if not count:
            ready.setdefault(kind, []).append(name)
    runs, operands = array("i"), array("i")
    while ready:
        # The longest run there is: the others grow meanwhile.
        kind = max(ready, key=lambda each: len(ready[each]))
        names = ready.pop(kind)
        runs.extend((kind, len(names)))
        for name in names:
            slot[name] = place
            place += 1
            operands.extend([slot[each] for each in work[name][1:]])
            for user in users[name]:
                missing[user] -= 1
                if not missing[user]:
                    ready.setdefault(work[user][0], []).append(user)
    return runs, operands


def pack(*parts: array[float] | array[int] | AnyArray) -> bytes:
    """Arrays as an entry of the cache."""
    sizes = array("q", [len(part) for part in parts])
    return sizes.tobytes() + b"".join(part.tobytes() for part in parts)


def unpacked(entry: bytes) -> list[AnyArray]:
    """What `lay_out` gave, from an entry of the cache."""
    return list(unpack(entry, _PARTS, ("constants",)).values())


def unpack(entry: bytes, names: Sequence[str], numbers: Sequence[str]) -> dict[str, AnyArray]:
    """Arrays by name; those named last are of doubles."""
    sizes = np.frombuffer(entry, np.int64, len(names))
    found, at = {}, sizes.nbytes
    for name, size in zip(names, sizes.tolist(), strict=True):
        kind = np.dtype(np.float64 if name in numbers else np.int32)
        # Copied: an empty or a misplaced one has no address of its own in an entry.
        found[name] = np.frombuffer(entry, kind, size, at).copy() if size else np.zeros(0, kind)
        at += size * kind.itemsize
    return found
