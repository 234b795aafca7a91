"""The backend that compiles: scalar code at once, vector code when the first batch comes, threads for large batches."""

from __future__ import annotations

import ctypes
import hashlib
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sistel.kernels import _machine
from sistel.kernels._cache import read_entry, write_entry
from sistel.kernels._emit import VERSION, emit
from sistel.kernels._fastcall import DATA, bind, prove_layout, write_call

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from sistel.expr import Program
    from sistel.kernels._arrays import Rows

FUNCTION: Final = "kernel"
"""The function's name inside the object; the kernel's own name is for people."""

WORK_PER_THREAD: Final = 10_000_000
"""Nodes times rows that make a thread worth starting: about a millisecond of vector code."""

_SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p)


def entry_key(program: Program, width: int) -> str:
    """The name of the compiled object in the cache."""
    here = _machine.host()
    parts = (program.fingerprint(), VERSION, here.versions, here.triple, here.cpu, here.features, width)
    return hashlib.sha256(repr((*parts, _machine.OPTIMISATION)).encode()).hexdigest()


def compiled(program: Program, width: int, cache: Path | None) -> bytes:
    """The object with the function for `width` rows at a time, from the cache when it has it."""
    key = entry_key(program, width) if cache is not None else ""
    stored = read_entry(cache, key) if cache is not None else None
    if stored is not None:
        return stored
    text = emit(program, width, FUNCTION)
    fresh = _machine.assemble(text if width > 1 else text + write_call(program, FUNCTION))
    if cache is not None:
        write_entry(cache, key, fresh)
    return fresh


class LlvmRunner:
    """Runs a compiled program over rows. Threads may share it: after construction only the vector code is added."""

    def __init__(self, program: Program, *, width: int | None, threads: int | None, cache: Path | None) -> None:
        self.program = program
        self.width = width or _machine.host().width
        self.threads = threads or _processors()
        self._cache = cache
        self._nodes = max(1, len(program.operation))
        self._lock = threading.Lock()
        self.scalar_code = _machine.Code(compiled(program, 1, cache))
        self._scalar = _SIGNATURE(self.scalar_code.address(FUNCTION))
        self._vector: tuple[_machine.Code, ctypes._FuncPointer] | None = None

    def bind(self, general: Callable[..., Any]) -> Callable[..., Any]:
        """A callable that computes one state in machine code and passes everything else on to `general`."""
        return bind(self.scalar_code, general)

    def run(self, rows: Rows) -> None:
        """Compute all rows; the interpreter's lock is free meanwhile."""
        arguments = (ctypes.c_int64 * (2 * len(rows.inputs) + 2 * len(rows.outputs)))()
        for i, block in enumerate((*rows.inputs, *rows.outputs)):
            arguments[2 * i] = _address(block)
            arguments[2 * i + 1] = block.strides[0] if len(block) > 1 else 0
        if rows.count < self.width or self.width == 1:
            self._scalar(0, rows.count, arguments)
            return
        pieces = min(self.threads, rows.count * self._nodes // WORK_PER_THREAD)
        if pieces < 2:
            self._range(0, rows.count, arguments)
            return
        step = -(-rows.count // (pieces * self.width)) * self.width
        starts = range(0, rows.count, step)
        # A pool per call: it costs some 0.1 ms where milliseconds are computed, and nothing survives a fork or an exit.
        with ThreadPoolExecutor(len(starts)) as pool:
            for done in [pool.submit(self._range, i, min(i + step, rows.count), arguments) for i in starts]:
                done.result()

    def _range(self, begin: int, end: int, arguments: ctypes.Array[ctypes.c_int64]) -> None:
        middle = begin + (end - begin) // self.width * self.width
        self._vector_function()(begin, middle, arguments)
        if middle < end:
            self._scalar(middle, end, arguments)

    def _vector_function(self) -> ctypes._FuncPointer:
        vector = self._vector
        if vector is None:
            with self._lock:
                vector = self._vector
                if vector is None:
                    code = _machine.Code(compiled(self.program, self.width, self._cache))
                    vector = self._vector = code, _SIGNATURE(code.address(FUNCTION))
        return vector[1]


def _address(block: NDArray[np.float64]) -> int:
    if prove_layout():
        return ctypes.c_uint64.from_address(id(block) + DATA).value  # a quarter of what asking takes
    return int(block.__array_interface__["data"][0])


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
