"""What a block is: the attributes that it takes, and a law written in expressions of the language.

In a law the names are those of the block's attributes, of what it remembers, `period`, the time between two ticks, and
`ticks`, how many there were before. An attribute with several values has them as `in_0`, `in_1` …
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from sistel.errors import Text
from sistel.expr import Routine
from sistel.records import entry, record

LISTED = frozenset({"in", "points", "values", "by"})
"""Attributes with several values: the name of a vector stands for all of its components there."""


@record
class Memory:
    """A number that a block remembers."""

    like: str
    """An expression of the same dimension; empty for a plain number."""
    following: str
    """Its value after a tick, or its rate in a scheme without a clock."""
    start: str = "0"
    jumps: tuple[tuple[str, str], ...] = ()
    """Without a clock: conditions at which it jumps, and the values that it takes then."""


@entry
class Law:
    """What a block does."""

    out: str
    """The value of the signal that has its name; a condition makes it a truth. Empty for a vector."""
    stores: Mapping[str, Memory] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    """The components of a vector, the signals `NAME.part`."""
    inner: Mapping[str, str] = field(default_factory=dict)
    """Numbers that outputs and memories have in common, each named once; each may need those before it."""
    computed: Mapping[str, tuple[Routine, tuple[str, ...]]] = field(default_factory=dict)
    """Routines, and the inner numbers that they are given; what they make is `NAME_0`, `NAME_1` …, plain numbers."""


@entry
class Given:
    """How a block is used: which attributes it has, how many values each, and whether its scheme has a clock."""

    counts: Mapping[str, int]
    clocked: bool
    shapes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names of the components, for attributes that are one vector; and `parts`, where the file gives names."""

    numbers: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """Values of the attributes that have to be constant [SI]."""
    period: float = 0.0
    """Of the clock [s]; 0 without one."""

    def shape(self, count: int, usual: tuple[str, ...] = ()) -> tuple[str, ...]:
        """Names for the components of an output: those in the file, else the usual ones, else numbers from 1."""
        return self.shapes.get("parts") or usual or tuple(str(i + 1) for i in range(count))

    def __contains__(self, key: str) -> bool:
        return key in self.counts


@record
class Block:
    """A kind of block."""

    key: str
    needs: tuple[str, ...]
    """Attributes that must be there."""
    takes: tuple[str, ...] = ()
    """Attributes that may be there."""
    law: Callable[[Given], Law]
    clocked: bool = False
    """Whether it needs a clock."""
    parts: Callable[[Given], tuple[str, ...]] | None = None
    """Names of its outputs where it gives a vector."""
    wrong: Callable[[Given], tuple[str, Text] | None] = lambda given: None
    """The attribute whose number of values does not fit, and what is expected; None where all fit."""
    lists: tuple[str, ...] = ()
    """Attributes with several values, beside those of `LISTED`."""
    constants: tuple[str, ...] = ()
    """Attributes that have to be constant, so that the law can be worked out from their values."""
    sampled: tuple[str, ...] = ()
    """Attributes that have to be constant where there is a clock."""
    flowing: tuple[str, ...] = ()
    """Attributes that it needs where there is no clock."""

    @property
    def attributes(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.needs, *self.takes)


def within(value: str, given: Given) -> str:
    """A value cut by `limit`, or by `low` and `high`, where they are given."""
    if "limit" in given:
        return f"clamp({value}, -limit, limit)"
    if "low" in given:
        value = f"max({value}, low)"
    return f"min({value}, high)" if "high" in given else value


def of_inputs(key: str, law: Callable[[Sequence[str]], str]) -> Block:
    """A block whose output is made of all its inputs."""
    return Block(key=key, needs=("in",), law=lambda given: Law(law([f"in_{i}" for i in range(given.counts["in"])])))


def all_of(function: str, values: Sequence[str]) -> str:
    """A function of all values, nested where they are more than the three that it takes at a time."""
    if len(values) == 1:
        return f"abs({values[0]})" if function == "hypot" else f"({values[0]})"
    while len(values) > 3:
        groups = [values[i : i + 3] for i in range(0, len(values), 3)]
        values = [all_of(function, group) if len(group) > 1 else group[0] for group in groups]
    return f"{function}({', '.join(values)})"


def joined(operator: str, values: Sequence[str]) -> str:
    """Values with an operator between them, in brackets by halves: trees of many stay low."""
    if len(values) < 4:
        return f" {operator} ".join(f"({value})" for value in values)
    half = len(values) // 2
    return f"({joined(operator, values[:half])}) {operator} ({joined(operator, values[half:])})"
