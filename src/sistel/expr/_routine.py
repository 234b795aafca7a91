"""Routines: what straight lines of operations cannot do, as a node: loops over obstacles, whole numbers, iterations.

A routine takes some numbers, makes others, and does nothing else: equal calls are one node. It is written once, in the
compiled subset of Python (`sistel.kernels.subset`), as a function of three arrays: its data, which belong to it like
constants, the numbers that it is given, and those that it makes. Its whole numbers stay below 2⁵³, so that it means the
same in every language.

A graph has nodes of three operands alone. So the numbers that a routine is given hang in a chain of nodes LIST (what
comes before, a number), which begins with the constant 0; a node CALL has the chain, the key of the routine and which
of its results it is, both as constants.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from sistel.expr._operation import Op

if TYPE_CHECKING:
    from sistel.expr._program import Program

_KNOWN: Final[dict[float, Routine]] = {}
"""Routines by their keys: of programs that are read from disk, too, whose models make the same routines again."""


class Routine:
    """A function of some numbers that programs may call.

    Attributes:
        name: For people and for texts of programs: a word of Latin letters.
        functions: The function `(data, given, made) -> None`, then those that it calls.
        takes: How many numbers it is given.
        gives: How many it makes.
        data: Constants that it reads.
        key: A whole number that belongs to its content.
    """

    __slots__ = ("data", "functions", "gives", "key", "name", "takes")

    def __init__(
        self,
        name: str,
        functions: Sequence[Callable[..., Any]],
        takes: int,
        gives: int,
        data: Sequence[float] = (),
    ) -> None:
        """Enter it among those that are known."""
        self.name, self.functions, self.takes, self.gives = name, tuple(functions), takes, gives
        self.data = tuple(float(number) for number in data)
        where = [(one.__module__, one.__qualname__) for one in self.functions]
        digest = hashlib.sha256(repr((name, where, takes, gives)).encode())
        digest.update(struct.pack(f"<{len(self.data)}d", *self.data))
        self.key = float(int.from_bytes(digest.digest()[:6], "little"))
        known = _KNOWN.setdefault(self.key, self)
        assert known.functions == self.functions and known.data == self.data, "two routines have one key"

    def compute(self, given: Sequence[float]) -> list[float]:
        """What it makes of some numbers, by CPython."""
        import numpy as np

        if len(given) != self.takes:
            raise ValueError(f"{self.name} takes {self.takes} numbers, {len(given)} were given")
        results = np.zeros(max(1, self.gives))
        data = np.array(self.data or (0.0,))
        with np.errstate(all="ignore"):
            self.functions[0](data, np.array(given or (0.0,), dtype=np.float64), results)
        return [float(number) for number in results[: self.gives]]

    def __repr__(self) -> str:
        return f"<Routine {self.name}[{self.takes}] -> [{self.gives}] {int(self.key):x}>"

    def __reduce__(self) -> tuple[object, ...]:
        """Another process enters it among those that it knows."""
        return Routine, (self.name, self.functions, self.takes, self.gives, self.data)


def routine(key: float) -> Routine:
    """The routine of a key."""
    return _KNOWN[key]


def arguments(program: Program, line: int) -> list[int]:
    """The lines of the numbers that the CALL in a line is given."""
    found: list[int] = []
    at = program.first[line]
    while program.operation[at] == Op.LIST:
        found.append(program.second[at])
        at = program.first[at]
    return found[::-1]
