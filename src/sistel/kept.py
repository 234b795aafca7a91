"""Properties that are computed once and kept: those of the standard library, as they are from Python 3.12 on.

Those of Python 3.11 have one lock for all objects of a class. A process that is forked while another thread holds it
has a child that waits for ever, and threads wait for each other that have nothing to do with each other. What is
computed twice because two threads ask at once is the same, and one of the two is kept; where it must not be computed
twice, because it has addresses, see `sistel.once`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):
    """A property that is computed when it is first asked for, and is a plain attribute of its object from then on."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        """Nothing is computed yet."""
        self.make = make
        self.name = make.__name__
        self.__doc__ = make.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> T: ...

    def __get__(self, instance: object | None, owner: type | None = None) -> Self | T:
        return self if instance is None else self.find(instance)

    def find(self, instance: object) -> T:
        """Compute it, and keep it with its object."""
        # Of threads that come here at once, all go on with what the first has made.
        found: T = instance.__dict__.setdefault(self.name, self.make(instance))
        return found
