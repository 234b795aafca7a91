"""What is known while one function is written: its variables, its instructions, and the set that it belongs to."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import FunctionType
from typing import Final

from sistel.kernels._writer import Writer, bits
from sistel.kernels.subset._signature import Signature
from sistel.kernels.subset._source import Source, SubsetError
from sistel.kernels.subset._types import BOOL, FLOAT, INT, NONE, Kind, Value

LIBRARY: Final = (
    *("exp", "log", "atan2", "pow", "hypot", "fmod", "tan", "asin", "acos", "atan"),
    *("sinh", "cosh", "tanh", "expm1", "log1p"),
)
"""Functions of the C library, in the order of the table that is filled when an object is loaded."""
LIBRARY_TABLE: Final = "subset.library"
SINCOS: Final = "subset.sincos"

OUTSIDE, DIVISION = 1, 2
"""What checked code reports: an index outside its array, an integer divided by zero."""


@dataclass(slots=True, eq=False)
class Unit:
    """The functions that are compiled together."""

    sources: Sequence[Source]
    signatures: Mapping[FunctionType, Signature]
    symbols: Mapping[FunctionType, str]
    contract: bool
    checked: bool
    declarations: set[str] = field(default_factory=set)
    sincos: bool = False
    """Whether any function uses the sine or the cosine."""
    bridges: set[FunctionType] = field(default_factory=set)
    """Functions whose address is taken, in checked code, where they have parameters that pointers do not show."""


def symbol_text(name: str) -> str:
    """A name as LLVM writes it: letters beyond ASCII by their bytes, in quotation marks."""
    if name.isascii():
        return name
    return '"' + "".join(chr(byte) if byte < 128 else f"\\{byte:02X}" for byte in name.encode()) + '"'


def bridge_text(symbol: str) -> str:
    """What the bridge to a function is called, from its symbol as LLVM writes it."""
    return f'"bridge.{symbol[1:]}' if symbol.startswith('"') else f"bridge.{symbol}"


class Frame:
    """One function that is being written."""

    def __init__(self, unit: Unit, source: Source, signature: Signature) -> None:
        self.unit = unit
        self.source = source
        self.signature = signature
        self.w = Writer(1)
        self.slots: list[str] = []
        """Places of variables, all at the beginning of the function."""
        self.kinds: dict[str, Kind] = {}
        self.given: dict[str, Value] = {}
        """Parameters that nothing is assigned to, and their fields: they need no place."""
        self.local = frozenset(source.function.__code__.co_varnames)
        self.assigned: set[str] | None = set()
        """The variables that certainly have a value here; None where control never comes."""

    def error(self, node: ast.AST | None, message: str) -> SubsetError:
        return self.source.error(node, message)

    # --- variables ------------------------------------------------------------------------------------------------

    def declare(self, node: ast.AST, name: str, kind: Kind) -> None:
        """Make room for a variable, or see that it is of the kind it has had."""
        before = self.kinds.get(name)
        if kind == NONE:
            raise self.error(node, "this has no value")
        if before is None:
            self.kinds[name] = kind
            for inner, inner_kind in kind.fields:
                self.declare(node, f"{name}.{inner}", inner_kind)
            if kind.fields:
                return
            self.slots.append(f"  {self._slot(name)} = alloca {kind.llvm}, align 8")
            if kind.is_array and self.unit.checked:
                self.slots.append(f"  {self._slot(name, 'extent')} = alloca i64, align 8")
        elif before != kind:
            raise self.error(
                node, f"{name!r} is of type {before.name}, this is of type {kind.name}{hint(before, kind)}"
            )

    def give(self, name: str, value: Value) -> None:
        """Let a name stand for a value for good."""
        self.kinds[name] = value.kind
        assert self.assigned is not None
        self.assigned.add(name)
        for (inner, _), part in zip(value.kind.fields, value.parts, strict=True):
            self.give(f"{name}.{inner}", part)
        self.given[name] = value

    def store(self, node: ast.AST, name: str, value: Value) -> None:
        """Assign to a variable."""
        self.declare(node, name, value.kind)
        if self.assigned is not None:
            self.assigned.add(name)
        for (inner, _), part in zip(value.kind.fields, value.parts, strict=True):
            self.store(node, f"{name}.{inner}", part)
        if value.parts:
            return
        self.w.line(f"store {value.operand}, ptr {self._slot(name)}, align 8")
        if value.extent:
            self.w.line(f"store i64 {value.extent}, ptr {self._slot(name, 'extent')}, align 8")

    def load(self, node: ast.AST, name: str) -> Value:
        """Read a variable, or a field of one: its name is then that of the variable, a point, and its own."""
        if self.assigned is not None and name not in self.assigned:
            raise self.error(node, f"{name!r} may have no value here")
        if name in self.given:
            return self.given[name]
        kind = self.kinds[name]
        if kind.fields:
            return Value(kind, "", parts=tuple(self.load(node, f"{name}.{inner}") for inner, _ in kind.fields))
        extent = ""
        if kind.is_array and self.unit.checked:
            extent = self.w.value(f"load i64, ptr {self._slot(name, 'extent')}, align 8")
        return Value(kind, self.w.value(f"load {kind.llvm}, ptr {self._slot(name)}, align 8"), extent=extent)

    def _slot(self, name: str, part: str = "local") -> str:
        return "%" + symbol_text(f"{part}.{name}")

    # --- instructions ---------------------------------------------------------------------------------------------

    def make(self, kind: Kind, instruction: str) -> Value:
        return Value(kind, self.w.value(instruction))

    def jump(self, label: str) -> None:
        self.w.line(f"br label %{label}")

    def branch(self, truth: Value, yes: str, no: str) -> None:
        self.w.line(f"br i1 {truth.text}, label %{yes}, label %{no}")

    def merge(self, kind: Kind, incoming: Sequence[tuple[Value, str]]) -> Value:
        """One value from those that come from several blocks."""
        text = self._phi(kind.llvm, [(value.text, block) for value, block in incoming])
        extents = [(value.extent, block) for value, block in incoming]
        return Value(kind, text, extent=self._phi("i64", extents) if extents[0][0] else "")

    def _phi(self, llvm: str, incoming: Sequence[tuple[str, str]]) -> str:
        return self.w.value(f"phi {llvm} " + ", ".join(f"[ {text}, %{block} ]" for text, block in incoming))

    def library(self, name: str, *operands: Value) -> Value:
        """A call of the C library's function, through the table: the object then needs nothing from outside."""
        self.unit.declarations.add(f"@{LIBRARY_TABLE} = global [{len(LIBRARY)} x ptr] zeroinitializer, align 8")
        at = self.w.value(f"getelementptr ptr, ptr @{LIBRARY_TABLE}, i64 {LIBRARY.index(name)}")
        function = self.w.value(f"load ptr, ptr {at}, align 8, !invariant.load !1")
        return self.make(FLOAT, f"call double {function}({', '.join(each.operand for each in operands)}) #1")

    def require(self, node: ast.AST, truth: str, fault: int) -> None:
        """In checked code: report a fault and leave the function unless something holds."""
        wrong, right = self.w.name("wrong"), self.w.name("right")
        self.w.line(f"br i1 {truth}, label %{right}, label %{wrong}, !prof !2")
        self.w.label(wrong)
        for place, number in enumerate((fault, self.unit.sources.index(self.source), self.source.line(node))):
            at = self.w.value(f"getelementptr i64, ptr %fault, i64 {place}")
            self.w.line(f"store i64 {number}, ptr {at}, align 8")
        self.leave()
        self.w.label(right)

    def pass_on(self) -> None:
        """In checked code, after a call: leave too if the function called has reported a fault."""
        wrong, right = self.w.name("wrong"), self.w.name("right")
        well = self.w.value(f"icmp eq i64 {self.w.value('load i64, ptr %fault, align 8')}, 0")
        self.w.line(f"br i1 {well}, label %{right}, label %{wrong}, !prof !2")
        self.w.label(wrong)
        self.leave()
        self.w.label(right)

    def leave(self) -> None:
        result = self.signature.result
        self.w.line("ret void" if result == NONE else f"ret {zero(result).operand}")


def zero(kind: Kind) -> Value:
    """The zero of a kind of numbers."""
    return constant(0.0) if kind == FLOAT else Value(kind, "0" if kind == INT else "false")


def constant(number: float | int | bool) -> Value:
    """A number as a value: the type decides about the kind."""
    if isinstance(number, bool):
        return Value(BOOL, "true" if number else "false")
    if isinstance(number, int):
        return Value(INT, str(number), known=number)
    return Value(FLOAT, bits(number), known=number)


def hint(wanted: Kind, given: Kind) -> str:
    """How to get from one kind to another."""
    if wanted == FLOAT and given == INT:
        return ": write float(...), or a literal with a point"
    if wanted == INT and given == FLOAT:
        return ": write int(...)"
    return ""
