"""Classes that hold data, in three kinds; what each kind promises is said here once.

All have slots, and none is compared by its fields: two of them are equal only where they are the same one. What is a
value, equal to others with equal fields, is a plain frozen `dataclass`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@recursive_repr()
def _written(self: Any) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _shown(made: type[T]) -> type[T]:
    """The same class with the text that data classes have; written for each of hundreds, it would delay every start."""
    if "__repr__" not in made.__dict__:
        made.__repr__ = _written  # type: ignore[method-assign]
    return made


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False, field_specifiers=(field,))
def record(made: type[T]) -> type[T]:
    """A class whose fields are given by name and do not change."""
    return dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)(_shown(made))


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
def entry(made: type[T]) -> type[T]:
    """A class whose few fields are given in their order and do not change: a line of a table, a part of an answer."""
    return dataclass(frozen=True, slots=True, eq=False, repr=False)(_shown(made))


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def mutable(made: type[T]) -> type[T]:
    """A class whose fields change while something is worked out."""
    return dataclass(slots=True, eq=False, repr=False)(_shown(made))
