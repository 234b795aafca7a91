"""Text of LLVM instructions, one value a line, for scalars and for vectors of one width alike."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Final

LIBRARY: Final = ("sin", "cos", "exp", "log", "atan2", "sinf", "cosf", "expf", "logf", "atan2f", "malloc", "free")
"""Functions of the C library, in the order of the table `@library`, which is filled when an object is loaded."""
LIBRARY_TABLE: Final = "library"


def bits(value: float) -> str:
    """A double as LLVM writes it: its sixteen hexadecimal digits, hence exact."""
    return "0x" + struct.pack(">d", value).hex().upper()


def rounded(value: float, kind: str) -> float:
    """The number of a kind that is nearest; beyond the range of floats an infinity."""
    if kind == "double":
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


class Writer:
    """Collects the lines of one function body whose numbers are of one kind, or vectors of them.

    Every operation is rounded on its own, as it is written; `fma` rounds once, and `fused` where the processor can.
    """

    def __init__(self, width: int, kind: str = "double") -> None:
        self.kind = kind
        self.size = 64 if kind == "double" else 32
        """Bits of a number."""
        self.bytes = self.size // 8
        self.lines: list[str] = []
        self.declarations: set[str] = set()
        self._place: dict[str, int | str] = {"fresh": 0, "block": "entry"}
        self._set_width(width)

    def _set_width(self, width: int) -> None:
        self.width = width
        self.number = self.kind if width == 1 else f"<{width} x {self.kind}>"
        self.integer = f"i{self.size}" if width == 1 else f"<{width} x i{self.size}>"
        self.truth = "i1" if width == 1 else f"<{width} x i1>"
        self.suffix = f"f{self.size}" if width == 1 else f"v{width}f{self.size}"

    def of_width(self, width: int) -> Writer:
        """A writer into the same function for numbers of another width."""
        other = Writer.__new__(Writer)
        other.__dict__.update(self.__dict__)
        other._set_width(width)
        return other

    def name(self, hint: str = "v") -> str:
        """A word that no other value or label of the function has, without its ``%``."""
        self._place["fresh"] = fresh = int(self._place["fresh"]) + 1
        return f"{hint}{fresh}"

    def value(self, instruction: str) -> str:
        """Write an instruction that yields a value; returns the value's name."""
        name = "%" + self.name()
        self.lines.append(f"  {name} = {instruction}")
        return name

    def line(self, instruction: str) -> None:
        """Write an instruction that yields nothing."""
        self.lines.append(f"  {instruction}")

    def label(self, name: str) -> None:
        """Begin a basic block."""
        self.lines.append(f"{name}:")
        self._place["block"] = name

    @property
    def block(self) -> str:
        """The basic block that is being written."""
        return str(self._place["block"])

    def constant(self, value: float) -> str:
        """A number, the same in all lanes."""
        return self._splat(self.kind, bits(rounded(value, self.kind)))

    def constants(self, values: Sequence[float]) -> str:
        """A vector of numbers, one a lane."""
        return "<" + ", ".join(f"{self.kind} {bits(rounded(value, self.kind))}" for value in values) + ">"

    def whole(self, value: int) -> str:
        """An integer, the same in all lanes."""
        return self._splat(f"i{self.size}", str(value))

    def _splat(self, kind: str, text: str) -> str:
        return text if self.width == 1 else "<" + ", ".join([f"{kind} {text}"] * self.width) + ">"

    def binary(self, operation: str, a: str, b: str) -> str:
        """One of fadd, fsub, fmul, fdiv, which the code generator may fuse with a neighbour."""
        return self.value(f"{operation} contract {self.number} {a}, {b}")

    def add(self, a: str, b: str) -> str:
        return self.value(f"fadd {self.number} {a}, {b}")

    def subtract(self, a: str, b: str) -> str:
        return self.value(f"fsub {self.number} {a}, {b}")

    def multiply(self, a: str, b: str) -> str:
        return self.value(f"fmul {self.number} {a}, {b}")

    def divide(self, a: str, b: str) -> str:
        return self.value(f"fdiv {self.number} {a}, {b}")

    def negate(self, a: str) -> str:
        return self.value(f"fneg {self.number} {a}")

    def fma(self, a: str, b: str, c: str) -> str:
        """A·b + c, rounded once."""
        return self.intrinsic("fma", a, b, c)

    def fused(self, a: str, b: str, c: str) -> str:
        """A·b + c, rounded once where the processor has an instruction for it."""
        return self.intrinsic("fmuladd", a, b, c)

    def intrinsic(self, name: str, *operands: str) -> str:
        """A call of ``llvm.<name>`` for numbers of this width."""
        full = f"@llvm.{name}.{self.suffix}"
        self.declarations.add(f"declare {self.number} {full}({', '.join([self.number] * len(operands))})")
        return self.value(f"call {self.number} {full}({', '.join(f'{self.number} {x}' for x in operands)})")

    def library(self, name: str, *operands: str) -> str:
        """A call of the C library's function, lane by lane.

        Its address is taken from a table: an object without foreign symbols can be loaded anywhere in memory.
        """
        function = self.library_function(name if self.kind == "double" else f"{name}f")
        results = [
            self.value(f"call {self.kind} {function}({', '.join(f'{self.kind} {x}' for x in single)}) nounwind")
            for single in zip(*(self.split(x) for x in operands), strict=True)
        ]
        return self.gather(results)

    def library_function(self, name: str) -> str:
        """The address of a function of the C library."""
        self.declarations.add(f"@{LIBRARY_TABLE} = global [{len(LIBRARY)} x ptr] zeroinitializer, align 8")
        at = self.value(f"getelementptr ptr, ptr @{LIBRARY_TABLE}, i64 {LIBRARY.index(name)}")
        return self.value(f"load ptr, ptr {at}, align 8")

    def split(self, vector: str) -> list[str]:
        """The lanes of a vector."""
        if self.width == 1:
            return [vector]
        return [self.extract(vector, lane) for lane in range(self.width)]

    def extract(self, vector: str, lane: int) -> str:
        """One lane of a vector."""
        return self.value(f"extractelement {self.number} {vector}, i64 {lane}")

    def gather(self, lanes: Sequence[str]) -> str:
        """A vector from as many scalars as it has lanes."""
        if self.width == 1:
            return lanes[0]
        vector = "undef"
        for lane, scalar in enumerate(lanes):
            vector = self.value(f"insertelement {self.number} {vector}, {self.kind} {scalar}, i64 {lane}")
        return vector

    def broadcast(self, scalar: str) -> str:
        """A scalar in all lanes."""
        if self.width == 1:
            return scalar
        first = self.value(f"insertelement {self.number} undef, {self.kind} {scalar}, i64 0")
        return self.shuffle(first, "undef", [0] * self.width)

    def compare(self, predicate: str, a: str, b: str) -> str:
        """A truth: ``fcmp`` with the predicate."""
        return self.value(f"fcmp {predicate} {self.number} {a}, {b}")

    def select(self, truth: str, a: str, b: str) -> str:
        return self.value(f"select {self.truth} {truth}, {self.number} {a}, {self.number} {b}")

    def shuffle(self, a: str, b: str, lanes: Sequence[int]) -> str:
        """A vector of chosen lanes of two others, which are counted through; the result may have another width."""
        mask = f"<{len(lanes)} x i32> <{', '.join(f'i32 {lane}' for lane in lanes)}>"
        return self.value(f"shufflevector {self.number} {a}, {self.number} {b}, {mask}")
