"""Text of LLVM instructions, one value a line, for scalars and for vectors of one width alike."""

from __future__ import annotations

import struct
from collections.abc import Sequence


def bits(value: float) -> str:
    """A double as LLVM writes it: its sixteen hexadecimal digits, hence exact."""
    return "0x" + struct.pack(">d", value).hex().upper()


class Writer:
    """Collects the lines of one function body whose numbers are ``double`` or ``<width x double>``.

    Operations without a suffix carry ``contract``: the code generator may fuse a product and a sum, and may do nothing
    else to them. Those ending in ``_exact`` are rounded one by one, as compensated sums need.
    """

    def __init__(self, width: int) -> None:
        self.width = width
        self.number = "double" if width == 1 else f"<{width} x double>"
        self.integer = "i64" if width == 1 else f"<{width} x i64>"
        self.truth = "i1" if width == 1 else f"<{width} x i1>"
        self.suffix = "f64" if width == 1 else f"v{width}f64"
        self.lines: list[str] = []
        self.declarations: set[str] = set()
        self.block = "entry"
        self._fresh = 0

    def name(self, hint: str = "v") -> str:
        """A word that no other value or label of the function has, without its ``%``."""
        self._fresh += 1
        return f"{hint}{self._fresh}"

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
        self.block = name

    def constant(self, value: float) -> str:
        """A number, the same in all lanes."""
        return self._splat("double", bits(value))

    def whole(self, value: int) -> str:
        """An integer, the same in all lanes."""
        return self._splat("i64", str(value))

    def _splat(self, kind: str, text: str) -> str:
        return text if self.width == 1 else "<" + ", ".join([f"{kind} {text}"] * self.width) + ">"

    def binary(self, operation: str, a: str, b: str) -> str:
        """One of fadd, fsub, fmul, fdiv, free to be fused with a neighbour."""
        return self.value(f"{operation} contract {self.number} {a}, {b}")

    def add_exact(self, a: str, b: str) -> str:
        return self.value(f"fadd {self.number} {a}, {b}")

    def subtract_exact(self, a: str, b: str) -> str:
        return self.value(f"fsub {self.number} {a}, {b}")

    def multiply_exact(self, a: str, b: str) -> str:
        return self.value(f"fmul {self.number} {a}, {b}")

    def negate(self, a: str) -> str:
        return self.value(f"fneg {self.number} {a}")

    def fma(self, a: str, b: str, c: str) -> str:
        """A·b + c, rounded once."""
        return self.intrinsic("fma", a, b, c)

    def intrinsic(self, name: str, *operands: str) -> str:
        """A call of ``llvm.<name>`` for numbers of this width."""
        full = f"@llvm.{name}.{self.suffix}"
        self.declarations.add(f"declare {self.number} {full}({', '.join([self.number] * len(operands))})")
        return self.value(f"call {self.number} {full}({', '.join(f'{self.number} {x}' for x in operands)})")

    def library(self, name: str, *operands: str) -> str:
        """A call of the C library's function, lane by lane."""
        self.declarations.add(f"declare double @{name}({', '.join(['double'] * len(operands))}) nounwind")
        if self.width == 1:
            return self.value(f"call double @{name}({', '.join(f'double {x}' for x in operands)})")
        lanes = []
        for lane in range(self.width):
            single = [self.value(f"extractelement {self.number} {x}, i64 {lane}") for x in operands]
            lanes.append(self.value(f"call double @{name}({', '.join(f'double {x}' for x in single)})"))
        return self.gather(lanes)

    def gather(self, lanes: Sequence[str]) -> str:
        """A vector from as many scalars as it has lanes."""
        vector = "undef"
        for lane, scalar in enumerate(lanes):
            vector = self.value(f"insertelement {self.number} {vector}, double {scalar}, i64 {lane}")
        return vector

    def compare(self, predicate: str, a: str, b: str) -> str:
        """A truth: ``fcmp`` with the predicate."""
        return self.value(f"fcmp {predicate} {self.number} {a}, {b}")

    def select(self, truth: str, a: str, b: str) -> str:
        return self.value(f"select {self.truth} {truth}, {self.number} {a}, {self.number} {b}")

    def shuffle(self, a: str, b: str, lanes: Sequence[int]) -> str:
        mask = f"<{len(lanes)} x i32> <{', '.join(f'i32 {lane}' for lane in lanes)}>"
        return self.value(f"shufflevector {self.number} {a}, {self.number} {b}, {mask}")

    def transpose(self, rows: Sequence[str]) -> list[str]:
        """Columns of a square block of `width` vectors, by exchanging ever larger sub-blocks."""
        block, width, step = list(rows), self.width, 1
        while step < width:
            low = [j if not j & step else width + j - step for j in range(width)]
            high = [j + step if not j & step else width + j for j in range(width)]
            for i in range(width):
                if not i & step:
                    a, b = block[i], block[i + step]
                    block[i], block[i + step] = self.shuffle(a, b, low), self.shuffle(a, b, high)
            step *= 2
        return block
