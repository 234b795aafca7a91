"""Classes that hold data, in three kinds; what each kind promises is said here once.

All have slots, and none is compared by its fields: two of them are equal only where they are the same one. What is a
value, equal to others with equal fields, is a plain frozen `dataclass`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False, field_specifiers=(field,))
def record(made: type[T]) -> type[T]:
    """A class whose fields are given by name and do not change."""
    return dataclass(frozen=True, slots=True, kw_only=True, eq=False)(made)


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def entry(made: type[T]) -> type[T]:
    """A class whose few fields are given in their order and do not change: a line of a table, a part of an answer."""
    return dataclass(frozen=True, slots=True, eq=False)(made)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def mutable(made: type[T]) -> type[T]:
    """A class whose fields change while something is worked out."""
    return dataclass(slots=True, eq=False)(made)
