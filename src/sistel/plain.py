"""Plain data, as JSON files have it: what it is called in signatures.

The names are for people and for mypy: import them under ``TYPE_CHECKING``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    Json = Any
    """A number, a text, a truth value, None, or lists and dictionaries of such: whoever reads it looks what it is."""
    JsonObject = dict[str, Json]
    """Such data by name."""
