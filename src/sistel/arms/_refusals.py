"""How this package says what is wrong."""

from __future__ import annotations

from typing import NoReturn

from sistel.errors import Diagnostics, SistelError, Text


def fail(code: str, message: Text, expected: Text | None = None, hint: Text | None = None) -> NoReturn:
    """Say what is wrong with a call, or cannot be done."""
    diagnostics = Diagnostics()
    diagnostics.error(code, None, message, expected=expected, hint=hint)
    raise SistelError(diagnostics.sorted())
