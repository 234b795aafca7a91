"""Blocks without memory: sums, limits, tables."""

from __future__ import annotations

from sistel.model.blocks._law import Block, Given, Law, all_of, joined, within


def _sum(given: Given) -> Law:
    return Law(joined("+", [f"in_{i}" for i in range(given.counts["in"])]))


def _product(given: Given) -> Law:
    return Law(joined("*", [f"in_{i}" for i in range(given.counts["in"])]))


def _of_all(function: str) -> Block:
    def law(given: Given) -> Law:
        return Law(all_of(function, [f"in_{i}" for i in range(given.counts["in"])]))

    return Block(key=function, needs=("in",), law=law)


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
    Block(key="sum", needs=("in",), law=_sum),
    Block(key="product", needs=("in",), law=_product),
    Block(key="gain", needs=("in", "gain"), law=lambda given: Law("gain * (in)")),
    _of_all("min"),
    _of_all("max"),
    _of_all("hypot"),
    Block(key="saturation", needs=("in",), takes=("limit", "low", "high"), law=lambda given: Law(within("in", given))),
    Block(key="dead-zone", needs=("in", "band"), law=_dead_zone),
    Block(key="table", needs=("in", "points", "values"), law=_table),
)
