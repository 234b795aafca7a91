"""Records: frozen dataclasses of numbers, arrays and functions, which a function takes as one argument.

Machine code has no records: every field is an argument, or a variable, of its own.
"""

from __future__ import annotations

import dataclasses
import functools
import typing
from typing import Any


@functools.cache
def _hints(record: type) -> dict[str, object]:
    hints = typing.get_type_hints(record)
    return {field.name: hints[field.name] for field in dataclasses.fields(record)}


def fields_of(thing: object) -> dict[str, object] | None:
    """The fields of a record and their annotations; None for what is no frozen dataclass."""
    if not isinstance(thing, type) or not dataclasses.is_dataclass(thing):
        return None
    parameters: Any = getattr(thing, "__dataclass_params__")  # noqa: B009  # of no public type
    return _hints(thing) if parameters.frozen else None


def takes_positions(record: type) -> bool:
    """Whether all fields of a record may be given by position."""
    return not any(field.kw_only or not field.init for field in dataclasses.fields(record))
