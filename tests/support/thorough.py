"""How many random cases a test tries: enough to notice what is wrong, or as many as somebody has time for."""

from __future__ import annotations

import os

THOROUGH = "SISTEL_THOROUGH"
"""The variable of the environment that asks for all of them."""


def cases(usual: int, thorough: int) -> int:
    """The number that is usual, or the larger one where `SISTEL_THOROUGH=1` asks for it."""
    return thorough if os.environ.get(THOROUGH, "0") not in ("", "0") else usual
