"""The blocks of schemes: what each is called, what it takes, and its law in the language of expressions.

A new block is a function in one of the modules here; `BLOCKS` lists them, and the words for its attributes are rows of
`markup/schema/_schemes.py`.
"""

from __future__ import annotations

from sistel.model.blocks import (
    _drive,
    _dynamics,
    _linear,
    _logic,
    _mathematics,
    _regulators,
    _rules,
    _vectors,
    _waypoints,
)
from sistel.model.blocks._centroid import centroid_of
from sistel.model.blocks._chain import IDENTITY_POSE, REACH, joined_poses, room_of
from sistel.model.blocks._drive import ROUNDED, trapezoid
from sistel.model.blocks._law import LISTED, Block, Given, Law, Memory, all_of, joined

BLOCKS: dict[str, Block] = {
    block.key: block
    for module in (_mathematics, _vectors, _logic, _dynamics, _linear, _regulators, _rules, _waypoints, _drive)
    for block in module.BLOCKS
}
"""By their keys."""

__all__ = [
    "BLOCKS",
    "IDENTITY_POSE",
    "LISTED",
    "REACH",
    "ROUNDED",
    "Block",
    "Given",
    "Law",
    "Memory",
    "all_of",
    "centroid_of",
    "joined",
    "joined_poses",
    "room_of",
    "trapezoid",
]
