"""What a block is: the attributes that it takes, and a law written in expressions of the language.

In a law the names are those of the block's attributes, of what it remembers, `period`, the time between two ticks, and
`ticks`, how many there were before. An attribute with several values has them as `in_0`, `in_1` …
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from sistel.records import entry, record


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
    """The value of the signal that has its name; a condition makes it a truth."""
    stores: Mapping[str, Memory] = field(default_factory=dict)
    parts: Mapping[str, str] = field(default_factory=dict)
    """Further signals, `NAME.part`."""


@entry
class Given:
    """How a block is used: which attributes it has, how many values each, and whether its scheme has a clock."""

    counts: Mapping[str, int]
    clocked: bool

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
    clocked: bool | None = None
    """Whether it works only with a clock (True) or only without (False)."""
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
