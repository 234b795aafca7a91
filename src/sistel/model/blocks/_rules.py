"""Blocks whose laws need more than their attributes: see `model/_fuzzy.py` and `model/_reaching.py`."""

from __future__ import annotations

from sistel.model.blocks._law import Block, Given, Law


def _inside(given: Given) -> Law:
    raise AssertionError("its law is read elsewhere")


def _outputs(given: Given) -> tuple[str, ...]:
    return given.shapes.get("inside", ())


BLOCKS = (
    Block(key="sugeno", needs=(), law=_inside, parts=_outputs),
    Block(key="mamdani", needs=(), law=_inside, parts=_outputs),
    Block(
        key="ik",
        needs=("of", "in"),
        takes=("base", "method", "within", "iterations"),
        law=_inside,
        parts=_outputs,
        lists=("within",),
    ),
    Block(key="computed-torque", needs=("motors", "in"), law=_inside, parts=_outputs),
    Block(key="gravity", needs=("motors",), law=_inside, parts=_outputs),
)
