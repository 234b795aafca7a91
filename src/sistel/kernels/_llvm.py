"""The backend that compiles: scalar code at once, vector code when the first batch comes, threads for large batches."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from sistel.kernels import _machine
from sistel.kernels._cache import read_entry, write_entry
from sistel.kernels._emit import VERSION, emit
from sistel.kernels._fastcall import DATA, bind, prove_layout, write_call
from sistel.kernels._routines import link
from sistel.kernels._sources import emitting
from sistel.once import COMPILING

if TYPE_CHECKING:
    Addresses = ctypes.Array[ctypes.c_int64]
    from sistel.arrays import AnyArray
    from sistel.expr import Program
    from sistel.kernels._arrays import Rows
    from sistel.kernels._fastcall import Called

FUNCTION: Final = "kernel"
"""The function's name inside the object; the kernel's own name is for people."""

WORK_PER_THREAD: Final = 10_000_000
"""Nodes times rows that make a thread worth starting: about a millisecond of vector code."""

KINDS: Final = {"float64": "double", "float32": "float"}

_SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)


def entry_key(program: Program, width: int, kind: str = "double", blocked: bool = False) -> str:
    """The name of the compiled object in the cache."""
    here = _machine.host()
    machine = here.versions, here.triple, here.cpu, here.features, here.lanes, _machine.OPTIMISATION, _machine.BATCHES
    parts = program.fingerprint(), VERSION, emitting(), *machine, width, kind, blocked
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def compiled(program: Program, width: int, cache: Path | None, kind: str = "double", blocked: bool = False) -> bytes:
    """The object with the function for `width` rows at a time, from the cache when it has it."""
    key = entry_key(program, width, kind, blocked) if cache is not None else ""
    stored = read_entry(cache, key) if cache is not None else None
    if stored is not None:
        return stored
    text = emit(program, width, FUNCTION, kind=kind, lanes=_machine.host().lanes, blocked=blocked)
    fresh = _machine.assemble(text, _machine.OPTIMISATION if width == 1 else _machine.BATCHES)
    if cache is not None:
        write_entry(cache, key, fresh)
    return fresh


@functools.lru_cache(maxsize=512)
def _called(inputs: tuple[int, ...], outputs: tuple[int, ...], cache: Path | None) -> _machine.Code:
    """The function that Python calls, for all kernels with blocks of these sizes."""
    parts = "call", VERSION, inputs, outputs
    return _machine.Code(_machine.kept(cache, parts, lambda: _machine.assemble(write_call(inputs, outputs))))


class LlvmRunner:
    """Runs a compiled program over rows. Threads may share it: after construction only the vector code is added."""

    def __init__(
        self, program: Program, *, width: int | None, threads: int | None, cache: Path | None, dtype: str = "float64"
    ) -> None:
        self.program = program
        self.kind = KINDS[dtype]
        self.width = width or _machine.host().width * (2 if self.kind == "float" else 1)
        self.threads = threads or _processors()
        self._cache = cache
        self._nodes = max(1, len(program.operation))
        self.scalar_code = link(_machine.Code(compiled(program, 1, cache, self.kind)), program.routines())
        self._scalar = _SIGNATURE(self.scalar_code.address(FUNCTION))
        self._vectors: dict[bool, tuple[_machine.Code, ctypes._FuncPointer]] = {}
        """The vector code for rows, and for blocks."""

    @property
    def native(self) -> _machine.Native:
        """The function of single states, for those who call it from machine code."""
        return self.scalar_code.function(FUNCTION)

    def bind(self, general: Called) -> Called:
        """A callable that computes one state in machine code and passes everything else on to `general`."""
        # Single states are called from Python directly only with doubles: floats are for batches.
        if self.kind != "double" or not prove_layout():
            return general
        inputs, outputs = (tuple(size for _, size in blocks) for blocks in (self.program.inputs, self.program.outputs))
        table = np.array([self.scalar_code.address(FUNCTION)], np.int64)
        return bind(_called(inputs, outputs, self._cache), general, table, self.scalar_code)

    def run(self, rows: Rows) -> None:
        """Compute all rows; the interpreter's lock is free meanwhile."""
        if rows.count < self.width or self.width == 1:
            self._scalar(0, rows.count, block_arguments(rows))
        else:
            self._divide(self._range, rows, self.width)

    def run_blocks(self, blocks: Rows) -> None:
        """Compute all blocks of states."""
        self._divide(self._vector_function(blocked=True), blocks, 1)

    def _divide(self, compute: Callable[[int, int, Addresses], None], rows: Rows, unit: int) -> None:
        """Compute rows, or blocks of them, in several threads where that is worth while; each takes whole units."""
        arguments = block_arguments(rows)
        work = rows.count * self._nodes * (self.width // unit)
        pieces = min(self.threads, work // WORK_PER_THREAD)
        if pieces < 2:
            compute(0, rows.count, arguments)
            return
        step = -(-rows.count // (pieces * unit)) * unit
        starts = range(0, rows.count, step)
        # A pool per call: it costs some 0.1 ms where milliseconds are computed, and nothing survives a fork or an exit.
        with ThreadPoolExecutor(len(starts)) as pool:
            for done in [pool.submit(compute, i, min(i + step, rows.count), arguments) for i in starts]:
                done.result()

    def _range(self, begin: int, end: int, arguments: ctypes.Array[ctypes.c_int64]) -> None:
        middle = begin + (end - begin) // self.width * self.width
        self._vector_function()(begin, middle, arguments)
        if middle < end:
            self._scalar(middle, end, arguments)

    def _vector_function(self, *, blocked: bool = False) -> ctypes._FuncPointer:
        """The function for batches, compiled when it is first asked for."""
        if blocked not in self._vectors:
            with COMPILING:
                if blocked not in self._vectors:
                    made = compiled(self.program, self.width, self._cache, self.kind, blocked)
                    code = link(_machine.Code(made), self.program.routines())
                    self._vectors[blocked] = code, _SIGNATURE(code.address(FUNCTION))
        return self._vectors[blocked][1]


def block_arguments(rows: Rows) -> ctypes.Array[ctypes.c_int64]:
    """Addresses and distances of rows, as the functions take them."""
    arguments = (ctypes.c_int64 * (2 * len(rows.inputs) + 2 * len(rows.outputs)))()
    for i, block in enumerate((*rows.inputs, *rows.outputs)):
        arguments[2 * i] = _address(block)
        arguments[2 * i + 1] = block.strides[0] if len(block) > 1 else 0
    return arguments


def _address(block: AnyArray) -> int:
    if prove_layout():
        return ctypes.c_uint64.from_address(id(block) + DATA).value  # a quarter of what asking takes
    return int(block.__array_interface__["data"][0])


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
