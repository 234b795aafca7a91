"""Names of a package that are imported when they are first asked for: what they bring along costs time."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def names_at_home(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """The `__getattr__` of a package.

    Args:
        package: Its name.
        homes: The module of every name; one that begins with a point is inside the package.
    """

    def find(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        found: object = getattr(import_module(homes[name], package), name)
        setattr(sys.modules[package], name, found)  # the next time it is there without asking
        return found

    return find
