"""Fuzzy blocks: what they are made of stands inside them, see `model/_fuzzy.py`."""

from __future__ import annotations

from sistel.model.blocks._law import Block, Given, Law


def _inside(given: Given) -> Law:
    raise AssertionError("its law is read from what stands inside it")


BLOCKS = tuple(
    Block(key=key, needs=(), law=_inside, parts=lambda given: given.shapes.get("inside", ()))
    for key in ("sugeno", "mamdani")
)
