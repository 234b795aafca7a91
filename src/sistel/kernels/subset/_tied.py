"""A compiled function with its arguments laid down in memory: a call from Python hands over one address.

Tables have dozens of arrays, and ctypes takes a tenth of a microsecond for each of them at every call.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from sistel.kernels._machine import Code, assemble


def tie(address: int, arguments: Sequence[int], kept: object) -> Callable[[], int]:
    """What calls the function at an address with these arguments; the interpreter's lock is free meanwhile.

    Args:
        address: Of a function that gives an integer.
        arguments: Integers and addresses.
        kept: What keeps all addresses good.
    """
    table = np.array([address, *arguments], dtype=np.int64)
    made = functools.partial(_caller(len(arguments)), int(table.ctypes.data))
    made.kept = table, kept  # type: ignore[attr-defined]
    return made


@functools.cache
def _caller(count: int) -> Any:
    """What calls the function that a table begins with, on the numbers after it."""
    lines = []
    for i in range(count + 1):
        lines += [f"  %p{i} = getelementptr i64, ptr %table, i64 {i}", f"  %a{i} = load i64, ptr %p{i}"]
    given = ", ".join(f"i64 %a{i + 1}" for i in range(count))
    lines += ["  %f = inttoptr i64 %a0 to ptr", f"  %r = call i64 %f({given})", "  ret i64 %r"]
    code = Code(assemble("define i64 @tied(ptr %table) {\n" + "\n".join(lines) + "\n}\n"))
    made = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p)(code.address("tied"))
    made.kept = code  # type: ignore[attr-defined]
    return made
