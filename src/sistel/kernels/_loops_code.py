"""Machine code of recursions, one object for all systems, kept in the process and in the cache."""

from __future__ import annotations

import ctypes
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from sistel.kernels import _machine
from sistel.kernels._cache import read_entry, write_entry
from sistel.kernels._loops_call import write_loops_call
from sistel.kernels._loops_emit import FUNCTION, LENGTHS, TABLE, emit_loops
from sistel.kernels._sources import deriving
from sistel.mechanics.steps import RECURSIONS
from sistel.once import once
from sistel.records import entry

_SIGNATURE: Final = ctypes.CFUNCTYPE(
    ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p
)


@entry
class LoopedCode:
    """The function of a recursion for so many rows at a time."""

    code: _machine.Code
    function: Callable[..., int]
    width: int
    length: int
    """Numbers in a record."""
    flag: int
    """Which of them counts the coordinates that move no mass."""


@once
def looped_code(quantity: str, width: int, cache: Path | None) -> LoopedCode:
    """The machine code of a quantity: the same for all systems, hence made once in a process."""
    here = _machine.host()
    # Deriving the steps to see whether they are as before takes longer.
    parts = (quantity, width, deriving(), here.versions, here.triple, here.cpu, here.features, _machine.OPTIMISATION)
    key = hashlib.sha256(repr(parts).encode()).hexdigest()
    compiled = read_entry(cache, key) if cache is not None else None
    if compiled is None:
        recursion = RECURSIONS[quantity]
        text = emit_loops(recursion, width)
        if width == 1:
            text += write_loops_call(FUNCTION, TABLE, recursion.inputs, recursion.flagged)
        compiled = _machine.assemble(text)
        if cache is not None:
            write_entry(cache, key, compiled)
    code = _machine.Code(compiled)
    length, flag = (ctypes.c_int64 * 2).from_address(code.variable(LENGTHS))
    return LoopedCode(code, _SIGNATURE(code.address(FUNCTION)), width, length, flag)
