"""Rows of things with lines between them: an order with few crossings, then places with short lines.

Things that belong together stand side by side as one block. A line that passes a row gets a place in it; lines between
the same two blocks pass as one bundle, so that they stay together.
"""

from __future__ import annotations

import random
from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import TypeVar

from sistel.records import entry

Node = int
"""What stands in a row: things of the caller's from 0 on, passages of lines from -1 down."""
Item = TypeVar("Item")
Rows = list[list[list[Node]]]
"""Rows of blocks of nodes."""
Pairs = list[tuple[Node, Node]]


@entry
class Layers:
    """Where everything is."""

    places: dict[Node, float]
    """Middles of nodes, and of the passages of lines, across the page [px]."""
    ways: dict[tuple[Node, Node], list[Node]]
    """The nodes that a line goes through: its lower end, its passages, its upper end."""


def lay_rows(
    rows: Sequence[Sequence[Sequence[Node]]],
    lines: Iterable[tuple[Node, Node]],
    widths: Mapping[Node, float],
    *,
    gap: float,
    apart: float,
    passage: float,
    starts: int = 1,
) -> Layers:
    """Order the blocks of every row, and the nodes of every block; then place them.

    Args:
        rows: From below: blocks of nodes.
        lines: From lower nodes to higher ones.
        widths: Of the nodes [px].
        gap: Between nodes of a block [px].
        apart: Between blocks [px].
        passage: Room for a line that passes [px].
        starts: From how many orders the search begins; the same ones each time.
    """
    home = {node: (r, b) for r, row in enumerate(rows) for b, block in enumerate(row) for node in block}
    ways: dict[tuple[Node, Node], list[Node]] = {}
    passing: list[dict[object, list[Node]]] = [{} for _ in rows]
    passages = 0
    for low, high in lines:
        way: list[Node] = [low]
        for r in range(home[low][0] + 1, home[high][0]):
            passages += 1
            way.append(-passages)
            passing[r].setdefault((home[low], home[high]), []).append(way[-1])
        ways[low, high] = [*way, high]
    filled = [
        [list(block) for block in row] + [list(bundle) for bundle in passing[r].values()] for r, row in enumerate(rows)
    ]
    between = [_between(ways.values(), r, filled) for r in range(len(filled) - 1)]
    ordered = _best(filled, between, starts)
    return Layers(_placed(ordered, between, widths, gap, apart, passage), ways)


def _between(ways: Iterable[list[Node]], r: int, rows: Rows) -> Pairs:
    """Pieces of lines between a row and the next one."""
    here = {node for block in rows[r] for node in block}
    return [(a, b) for way in ways for a, b in pairwise(way) if a in here]


def _best(rows: Rows, between: list[Pairs], starts: int) -> Rows:
    # Of many beginnings for the 24 axial orientations this one led to the fewest crossings.
    rng = random.Random(150)
    best, fewest = rows, -1
    for _ in range(starts):
        tried = [[list(block) for block in row] for row in rows]
        for row in tried:
            rng.shuffle(row)
            for block in row:
                rng.shuffle(block)
        count = _improve(tried, between)
        if fewest < 0 or count < fewest:
            best, fewest = tried, count
    return best


def _improve(rows: Rows, between: list[Pairs]) -> int:
    """Move blocks, and nodes in blocks, as long as lines cross less often; the number of crossings that remain."""
    count = _all_crossings(rows, between)
    for _ in range(12):
        for r in (*range(len(rows)), *range(len(rows) - 2, 0, -1)):
            _sift(rows, between, r)
        before, count = count, _all_crossings(rows, between)
        if count >= before:
            break
    return count


def _sift(rows: Rows, between: list[Pairs], r: int) -> None:
    """Put every block of a row, and every node in its block, where its lines cross the others least often."""
    near: dict[Node, tuple[list[int], list[int]]] = {node: ([], []) for block in rows[r] for node in block}
    if r:
        below = _order(rows[r - 1])
        for a, b in between[r - 1]:
            near[b][0].append(below[a])
    if r < len(between):
        above = _order(rows[r + 1])
        for a, b in between[r]:
            near[a][1].append(above[b])
    known: dict[tuple[Node, Node], int] = {}

    def extra(u: Node, v: Node) -> int:
        """Crossings of two nodes' lines with u left of v, less those with v left of u."""
        if (u, v) not in known:
            lines = zip(near[u], near[v], strict=True)
            known[u, v] = sum((a > b) - (a < b) for mine, theirs in lines for a in mine for b in theirs)
            known[v, u] = -known[u, v]
        return known[u, v]

    rows[r][:] = _sifted(rows[r], lambda one, other: sum(extra(u, v) for u in one for v in other))
    for block in rows[r]:
        block[:] = _sifted(block, extra)


def _sifted(items: Sequence[Item], extra: Callable[[Item, Item], int]) -> list[Item]:
    made = list(items)
    for item in items:
        here = made.index(item)
        made.pop(here)
        # The cost of a place, less that of the first.
        costs = [0]
        for other in made:
            costs.append(costs[-1] + extra(other, item))
        best = min(costs)
        made.insert(here if costs[here] == best else costs.index(best), item)
    return made


def _all_crossings(rows: Rows, between: list[Pairs]) -> int:
    return sum(_crossings(rows, between, r) for r in range(len(between)))


def _order(row: Sequence[Sequence[Node]]) -> dict[Node, int]:
    return {node: place for place, node in enumerate(node for block in row for node in block)}


def _crossings(rows: Rows, between: list[Pairs], r: int) -> int:
    """How often lines between a row and the next cross: inversions, counted as they come."""
    low, high = _order(rows[r]), _order(rows[r + 1])
    ends = [end for _, end in sorted((low[a], high[b]) for a, b in between[r])]
    seen: list[int] = []
    count = 0
    for end in ends:
        count += len(seen) - bisect_right(seen, end)
        insort(seen, end)
    return count


def _placed(
    rows: Rows, between: list[Pairs], widths: Mapping[Node, float], gap: float, apart: float, passage: float
) -> dict[Node, float]:
    near: dict[Node, list[tuple[Node, float]]] = {}
    for pairs in between:
        for a, b in pairs:
            # A line that passes rows is to be straight there more than to begin above its end.
            pull = 1.0 + 3.0 * ((a not in widths) + (b not in widths))
            near.setdefault(a, []).append((b, pull))
            near.setdefault(b, []).append((a, pull))
    offsets: list[tuple[list[Node], list[float]]] = []
    for row in rows:
        nodes: list[Node] = []
        steps: list[float] = []
        for block in row:
            for node in block:
                space = 0.0
                if nodes:
                    wide = 0.5 * (widths.get(nodes[-1], passage) + widths.get(node, passage))
                    beside = 0.0 if node not in widths else gap
                    space = wide + (beside if node is not block[0] else apart)
                nodes.append(node)
                steps.append((steps[-1] if steps else 0.0) + space)
        offsets.append((nodes, steps))
    at: dict[Node, float] = {}
    for nodes, steps in offsets:
        at |= {node: step - 0.5 * steps[-1] for node, step in zip(nodes, steps, strict=True)}
    for sweep in range(120):
        for nodes, steps in offsets if sweep % 2 else offsets[::-1]:
            # What remains after the least distances is to grow along the row: the nearest such row to what is wished.
            wished = [
                0.3 * at[node]
                + 0.7 * _mean([(at[other], pull) for other, pull in near.get(node, [(node, 1.0)])])
                - step
                for node, step in zip(nodes, steps, strict=True)
            ]
            weights = [sum(pull for _, pull in near.get(node, [(node, 1.0)])) for node in nodes]
            for node, value, step in zip(nodes, _growing(wished, weights), steps, strict=True):
                at[node] = value + step
    return at


def _mean(weighed: Sequence[tuple[float, float]]) -> float:
    return sum(value * weight for value, weight in weighed) / sum(weight for _, weight in weighed)


def _growing(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The nearest values that nowhere fall: neighbours that would are drawn together."""
    pools: list[tuple[float, float, int]] = []
    for value, weight in zip(values, weights, strict=True):
        mean, total, count = value, weight, 1
        while pools and pools[-1][0] > mean:
            other, heavy, many = pools.pop()
            mean = (other * heavy + mean * total) / (heavy + total)
            total, count = total + heavy, count + many
        pools.append((mean, total, count))
    return [mean for mean, _, count in pools for _ in range(count)]
