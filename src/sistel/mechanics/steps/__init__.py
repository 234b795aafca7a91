"""Recursions over links as steps of one link, for systems too large for equations of their own.

Tables of links (`link_records`) and what to do at a link of each kind (`RECURSIONS`); `sistel.kernels.Loops` makes
machine code of them. NumPy is imported with the first tables, not with this package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.lazy import names_at_home
from sistel.mechanics.steps._recursions import RECURSIONS
from sistel.mechanics.steps._step import (
    COLUMN,
    CONSTANTS,
    FIELDS,
    FREEDOM,
    KINDS,
    LOAD,
    WORLD,
    WRENCH,
    Kind,
    Recursion,
    Step,
    Sweep,
    derive_step,
)

if TYPE_CHECKING:
    from sistel.mechanics.steps._records import Records, link_records

__all__ = [
    "COLUMN",
    "CONSTANTS",
    "FIELDS",
    "FREEDOM",
    "KINDS",
    "LOAD",
    "RECURSIONS",
    "WORLD",
    "WRENCH",
    "Kind",
    "Records",
    "Recursion",
    "Step",
    "Sweep",
    "derive_step",
    "link_records",
]

__getattr__ = names_at_home(__name__, {"Records": "._records", "link_records": "._records"})
