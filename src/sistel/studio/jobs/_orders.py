"""What a job is told when it begins, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sistel.records import record

if TYPE_CHECKING:
    from sistel.plain import JsonObject


@record
class RunOrder:
    """A run of a text."""

    path: str
    text: str
    until: float | None
    """[s]; None for what runs usually last."""
    changed: Mapping[str, float | str]
    """Other values of parameters."""
    draft: str
    """The folder that it is put into."""
    pages: str
    """The folder for its page."""
    lang: str
    method: str = "auto"
    tolerance: float | None = None
    memory: int = 2**31
    """That its steps may take [bytes]."""


@record
class WorkOrder:
    """A work of the service."""

    name: str
    params: Mapping[str, object]
    run: JsonObject | None
    """The run that it is about: `archive`, `model`, `path`, `changed`."""
    pages: str
    """The folder for its pages."""
