"""What is derived and compiled once: by one thread, and kept for the life of the process or of its owner.

Machine code has addresses, and addresses are good for as long as somebody holds the code. A cache that makes a thing
twice when two threads ask at once, and keeps one of the two, drops the owner of addresses that are in use already: the
process dies by a signal. Hence one lock for all that is derived and compiled, and two ways to be kept under it:
functions (`once`) and properties of objects (`once_property`).

One lock, because there can be no order of locks to get wrong, and because little is lost: deriving holds the
interpreter's lock anyway, and llvmlite lets one thread at a time into LLVM. It can be taken again by the thread that
has it. A process forks only when nobody is compiling, so that the child finds everything whole and the lock free.
"""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final, Generic, TypeVar, TypeVarTuple

from sistel.kept import cached_property

T = TypeVar("T")
Arguments = TypeVarTuple("Arguments")

COMPILING: Final = threading.RLock()
"""Held while something is derived or compiled. Nobody who holds it waits for another thread."""

_locks: list[AbstractContextManager[Any]] = [COMPILING]
"""What is held while the process forks, in the order in which threads take them."""
_held: list[AbstractContextManager[Any]] = []
"""What is held now."""


def hold_while_forking(lock: AbstractContextManager[Any]) -> None:
    """Let children find a lock free: nobody else has it while the process forks. It is taken after all before it."""
    _locks.append(lock)


def _before() -> None:
    for lock in tuple(_locks):
        lock.__enter__()
        _held.append(lock)


def _after() -> None:
    while _held:
        _held.pop().__exit__(None, None, None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after, after_in_child=_after)


class once(Generic[*Arguments, T]):
    """A function that computes each of its results once in the life of the process, and keeps it.

    Arguments are given by position and are keys of a dictionary. What raises an error is not kept.
    """

    def __init__(self, make: Callable[[*Arguments], T]) -> None:
        """Nothing is computed yet."""
        functools.update_wrapper(self, make)
        self._make = make
        self._kept: dict[object, T] = {}

    def __call__(self, *arguments: *Arguments) -> T:
        """The result, which may be there already."""
        try:
            return self._kept[arguments]
        except KeyError:
            pass
        with COMPILING:
            if arguments not in self._kept:
                self._kept[arguments] = self._make(*arguments)
            return self._kept[arguments]

    def forget(self) -> None:
        """Keep nothing: as in a new process, for tests."""
        self._kept.clear()


class once_property(cached_property[T]):
    """A property that is computed once, by one thread, and kept with its object. Once there it is a plain attribute."""

    def find(self, instance: object) -> T:
        """Compute it, unless another thread has meanwhile."""
        kept = instance.__dict__
        with COMPILING:
            if self.name not in kept:
                kept[self.name] = self.make(instance)
            found: T = kept[self.name]
            return found
