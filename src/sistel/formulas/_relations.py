"""Relations between formulas, and the sections of a text that they stand in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from sistel.errors import Text
from sistel.formulas._formula import Formula
from sistel.formulas._symbols import NOTHING
from sistel.records import entry


@entry
class Relation:
    """Left = right; or a matrix on the right; or left = right = 0."""

    left: Formula
    right: Formula | None = None
    zero: bool = False
    matrix: tuple[tuple[Formula, ...], ...] = ()


@entry
class Section:
    """Relations under a heading."""

    key: str
    title: Text
    relations: tuple[Relation, ...]
    about: Text = NOTHING
    """A sentence before them."""
    heads: Mapping[int, Text] = field(default_factory=dict)
    """What stands before some relations, by index."""
