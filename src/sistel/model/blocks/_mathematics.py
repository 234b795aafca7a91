"""Blocks without memory: sums, limits, tables."""

from __future__ import annotations

from functools import partial

from sistel.model.blocks._law import Block, Given, Law, all_of, joined, of_inputs, within


def _dead_zone(given: Given) -> Law:
    return Law("max(in - band, 0) + min(in + band, 0)")


def _table(given: Given) -> Law:
    """Straight lines through points; beyond the ends their values stay."""
    count = given.counts["points"]
    value = "values_0"
    for i in range(count - 1):
        part = f"clamp((in - points_{i}) / (points_{i + 1} - points_{i}), 0, 1)"
        value += f" + (values_{i + 1} - values_{i}) * {part}"
    return Law(value)


BLOCKS = (
    of_inputs("sum", partial(joined, "+")),
    of_inputs("product", partial(joined, "*")),
    Block(key="gain", needs=("in", "gain"), law=lambda given: Law("gain * (in)")),
    *(of_inputs(function, partial(all_of, function)) for function in ("min", "max", "hypot")),
    Block(key="saturation", needs=("in",), takes=("limit", "low", "high"), law=lambda given: Law(within("in", given))),
    Block(key="dead-zone", needs=("in", "band"), law=_dead_zone),
    Block(key="table", needs=("in", "points", "values"), law=_table),
)
