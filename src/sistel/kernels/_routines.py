"""Routines in machine code: a program calls them by addresses, which are filled in when its object is loaded.

So one piece of code serves all programs and all data; the object of a program can be kept on disk as any other.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sistel.expr import Op
from sistel.kernels._cache import user_cache
from sistel.once import once

if TYPE_CHECKING:
    from sistel.expr import Routine
    from sistel.kernels._machine import Code
    from sistel.kernels._sums import Line
    from sistel.kernels._writer import Writer
    from sistel.kernels.subset import CompiledFunction

TABLE: Final = "routines"
"""For every routine of a program, by their keys: where its function begins, and where its data do."""


@once
def _compiled(functions: tuple[Callable[..., Any], ...]) -> CompiledFunction:
    from sistel.kernels.subset import compile_functions

    name = functions[0].__name__
    return compile_functions(functions, exports=[name], cache=user_cache())[name]


@once
def native(routine: Routine) -> tuple[CompiledFunction, Any]:
    """The function of a routine as machine code, and its data where they stay for good."""
    return _compiled(routine.functions), np.array(routine.data or (0.0,))


def link(code: Code, found: Sequence[Routine]) -> Code:
    """Tell loaded code where the routines of its program are."""
    if found:
        words = (ctypes.c_uint64 * (2 * len(found))).from_address(code.variable(TABLE))
        for place, each in enumerate(found):
            function, data = native(each)
            words[2 * place], words[2 * place + 1] = function.address, data.ctypes.data
    return code


class Calls:
    """The calls of a function that is being written: each is made once, whichever of its results are asked for."""

    def __init__(self, lines: Sequence[Line]) -> None:
        """Look for calls."""
        self.lines = lines
        calls = [line for line in lines if line.op == Op.CALL]
        self.keys = sorted({lines[line.operands[1]].number for line in calls})
        self.gives: dict[tuple[int, int], int] = {}
        """For every chain and key, the last of its results that is asked for."""
        for line in calls:
            pair = line.operands[0], line.operands[1]
            self.gives[pair] = max(self.gives.get(pair, 0), int(lines[line.operands[2]].number))
        self.made: dict[tuple[int, int], list[str]] = {}

    def given(self, chain: int) -> list[int]:
        """The lines in a chain."""
        found: list[int] = []
        while self.lines[chain].op == Op.LIST:
            chain, value = self.lines[chain].operands
            found.append(value)
        return found[::-1]

    def result(self, index: int, w: Writer, number: Callable[[int], str]) -> str:
        """The value of a line that is one of the results of a call."""
        chain, key, place = self.lines[index].operands
        if (chain, key) not in self.made:
            self.made[chain, key] = self._write(chain, key, w, number)
        return self.made[chain, key][int(self.lines[place].number)]

    def _write(self, chain: int, key: int, w: Writer, number: Callable[[int], str]) -> list[str]:
        from sistel.expr import routine

        called = routine(self.lines[key].number)
        columns = [w.split(number(x)) for x in self.given(chain)]
        single = w.of_width(1)
        room = {word: f"%{w.name(word)}" for word in ("given", "made")}
        # Before the loop over rows: room that is taken in a loop is not given back.
        for word, size in (("given", called.takes), ("made", called.gives)):
            w.lines.insert(0, f"  {room[word]} = alloca [{max(1, size)} x double], align 8")
        w.declarations.add(f"@{TABLE} = global [{2 * len(self.keys)} x ptr] zeroinitializer, align 8")
        place = 2 * self.keys.index(called.key)
        known = [w.value(f"getelementptr ptr, ptr @{TABLE}, i64 {place + i}") for i in range(2)]
        function, data = (w.value(f"load ptr, ptr {at}, align 8") for at in known)
        results: list[list[str]] = []
        for lane in range(w.width):
            for i, column in enumerate(columns):
                value = column[lane] if w.kind == "double" else w.value(f"fpext {w.kind} {column[lane]} to double")
                at = w.value(f"getelementptr double, ptr {room['given']}, i64 {i}")
                w.line(f"store double {value}, ptr {at}, align 8")
            w.line(f"call void {function}(ptr {data}, ptr {room['given']}, ptr {room['made']}) nounwind")
            found = []
            for i in range(self.gives[chain, key] + 1):
                at = w.value(f"getelementptr double, ptr {room['made']}, i64 {i}")
                value = w.value(f"load double, ptr {at}, align 8")
                found.append(value if w.kind == "double" else single.value(f"fptrunc double {value} to {w.kind}"))
            results.append(found)
        return [w.gather(lanes) for lanes in zip(*results, strict=True)]
