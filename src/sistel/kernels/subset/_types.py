"""The types of the subset, as a reader of its functions, mypy and CPython see them, and as machine code has them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sistel.arrays import Floats, Ints, shift

__all__ = ["BOOL", "FLOAT", "FLOATS", "INT", "INTS", "NONE", "PREFIX", "RESULTS", "Floats", "Ints", "Kind", "Value"]
__all__ += ["function_kind", "poll", "shift"]


def poll(flag: Ints, index: int) -> int:
    """A number that another thread may change meanwhile: read from memory each time, in a loop too.

    A plain ``flag[index]`` may be read once before a loop that does not change it.
    """
    return flag[index]


@dataclass(frozen=True, slots=True)
class Kind:
    """A type of the subset."""

    name: str
    """As an annotation spells it."""
    llvm: str
    parameters: tuple[Kind, ...] = ()
    """Of a function."""
    result: Kind | None = None
    """Of a function."""
    fields: tuple[tuple[str, Kind], ...] = ()
    """Of a record."""

    @property
    def is_number(self) -> bool:
        return self in (FLOAT, INT)

    @property
    def is_array(self) -> bool:
        return self in (FLOATS, INTS)

    @property
    def leaves(self) -> list[tuple[str, Kind]]:
        """What machine code has of it: itself, or the fields of a record, each with a point and its name before it."""
        if not self.fields:
            return [("", self)]
        return [(f".{name}{path}", leaf) for name, kind in self.fields for path, leaf in kind.leaves]

    @property
    def item(self) -> Kind:
        """What an array holds."""
        return FLOAT if self == FLOATS else INT


FLOAT: Final = Kind("float", "double")
INT: Final = Kind("int", "i64")
BOOL: Final = Kind("bool", "i1")
FLOATS: Final = Kind("Floats", "ptr")
INTS: Final = Kind("Ints", "ptr")
NONE: Final = Kind("None", "void")

RESULTS: Final = (FLOAT, INT, BOOL, NONE)
"""What a function may return."""
PREFIX: Final = "Function["


def function_kind(parameters: tuple[Kind, ...], result: Kind) -> Kind:
    """The kind of pointers to functions of one signature."""
    name = f"{PREFIX}[{', '.join(kind.name for kind in parameters)}], {result.name}]"
    return Kind(name, "ptr", parameters, result)


@dataclass(frozen=True, slots=True)
class Value:
    """A result inside a function that is being compiled."""

    kind: Kind
    text: str
    """LLVM's name of it, or a constant."""
    known: int | float | None = None
    """The number, where it is known already."""
    extent: str = ""
    """How many numbers an array has, in checked code."""
    parts: tuple[Value, ...] = ()
    """The fields of a record."""

    @property
    def operand(self) -> str:
        return f"{self.kind.llvm} {self.text}"

    @property
    def leaves(self) -> list[Value]:
        """What machine code has of it: itself, or the fields of a record."""
        return [leaf for part in self.parts for leaf in part.leaves] if self.parts else [self]
