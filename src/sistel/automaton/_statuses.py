"""What a contact, a stop or dry friction does: whether it pushes, and whether it holds or slides."""

from __future__ import annotations

from typing import Final

FREE, STICK, PLUS, MINUS = range(4)
"""What a contact does along its tangent: no force, held, slip in the positive direction, slip in the negative one."""
WAYS: Final = {PLUS: 1.0, MINUS: -1.0}

Status = tuple[bool, int]
"""Whether a contact pushes, and what it does along its tangent."""
Statuses = tuple[Status, ...]
"""Of all contacts."""

ROUNDING: Final = 1e-10
"""Part of the terms of a sum that counts as none. Cases within it are decided by what follows, not here."""
