"""Columns of a drawing: boxes by the flow of data, and the bends of wires that pass them.

Every wire goes from column to column to the right; one that feeds back goes to the left through columns that it passes
and turns at both ends. All wires of one output share their way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from sistel.records import mutable
from sistel.views.wiring._net import Net, Wire

SWEEPS = 12
"""How often orders of columns are improved."""


@mutable
class Spot:
    """What takes a place in a column: a box, or a wire that passes (then `box` is -1)."""

    column: int
    box: int
    net: int = -1
    """Number of the output whose wire it is."""
    back: bool = False
    """Whether it leads to the left."""
    order: float = 0.0
    y: float = 0.0
    """Of its middle [px]."""
    height: float = 0.0
    left: list[tuple[Spot, float, float, float]] = field(default_factory=list)
    """What it is joined to on its left: the other spot, where on that one, where on this one [px], and a weight."""
    right: list[tuple[Spot, float, float, float]] = field(default_factory=list)


Bundle = tuple[int, int]
"""A box and one of its outputs: all wires from there are one net."""


@mutable
class Channel:
    """Ends of the wires of a net between two columns: spots, and where on them [px]."""

    left: list[tuple[Spot, float]] = field(default_factory=list)
    right: list[tuple[Spot, float, int]] = field(default_factory=list)
    """With the number of the wire that ends there; -1 where it goes on."""


@mutable
class Columns:
    """All spots by columns, and the channels between these; channel k lies to the left of column k."""

    columns: list[list[Spot]]
    spots: list[Spot]
    """Of the boxes."""
    channels: list[dict[int, Channel]]


def ranks_of(net: Net) -> list[int]:
    """The column of every box: as near to its sources as data flow to the right."""
    count = len(net.boxes)
    into: list[list[int]] = [[] for _ in range(count)]
    out: list[list[int]] = [[] for _ in range(count)]
    for source, target in _forward(net):
        into[target].append(source)
        out[source].append(target)
    ranks = [0] * count
    waiting = [len(each) for each in into]
    ready = [i for i in range(count) if not waiting[i]]
    for i in ready:
        for target in out[i]:
            ranks[target] = max(ranks[target], ranks[i] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                ready.append(target)
    for i in reversed(ready):
        # What comes from nowhere but an operator stands beside what takes it.
        if not into[i] and out[i] and net.boxes[i].sort != "input":
            ranks[i] = min(ranks[target] for target in out[i]) - 1
    last = max(ranks, default=0)
    for i, box in enumerate(net.boxes):
        if box.sort == "motor":
            ranks[i] = last
        if box.place is not None:
            ranks[i] = box.place[0]
    return ranks


def _forward(net: Net) -> list[tuple[int, int]]:
    """Wires without those that close loops: of a loop, the wire into a box that remembers, else the last one found."""
    out: list[list[int]] = [[] for _ in net.boxes]
    for wire in net.wires:
        if wire.target not in out[wire.source]:
            out[wire.source].append(wire.target)
    state = [0] * len(net.boxes)
    kept: list[tuple[int, int]] = []
    first = [i for i, box in enumerate(net.boxes) if box.sort in ("input", "source", "constant")]
    fed = {wire.target for wire in net.wires}
    first += [i for i in range(len(net.boxes)) if i not in fed] + list(range(len(net.boxes)))
    for root in first:
        if state[root]:
            continue
        state[root] = 1
        stack = [(root, iter(out[root]))]
        while stack:
            here, rest = stack[-1]
            for target in rest:
                if state[target] == 1:
                    continue
                kept.append((here, target))
                if not state[target]:
                    state[target] = 1
                    stack.append((target, iter(out[target])))
                    break
            else:
                state[here] = 2
                stack.pop()
    return kept


def columns_of(net: Net, port_at: Sequence[Sequence[float]], out_at: Sequence[Sequence[float]]) -> Columns:
    """Spots of boxes and of wires that pass, in columns.

    Args:
        net: The scheme.
        port_at: Where the inputs of every box are, below its middle [px].
        out_at: The same of its outputs.
    """
    ranks = ranks_of(net)
    width = max(ranks, default=0) + 1
    columns: list[list[Spot]] = [[] for _ in range(width)]
    spots = [Spot(rank, number) for number, rank in enumerate(ranks)]
    for spot in spots:
        columns[spot.column].append(spot)
    channels: list[dict[int, Channel]] = [{} for _ in range(width + 1)]
    bundles: dict[Bundle, list[tuple[int, Wire]]] = {}
    for number, wire in enumerate(net.wires):
        bundles.setdefault((wire.source, wire.out), []).append((number, wire))
    for net_number, ((source, out), wires) in enumerate(bundles.items()):
        start = spots[source], out_at[source][out]
        ends = [(spots[wire.target], port_at[wire.target][wire.port], number) for number, wire in wires]
        onward = [end for end in ends if end[0].column > ranks[source]]
        backward = [end for end in ends if end[0].column <= ranks[source]]
        if onward:
            _lead_on(columns, channels, net_number, start, onward)
        if backward:
            _lead_back(columns, channels, net_number, start, backward)
    for channel in channels:
        for each in channel.values():
            _tie(each)
    return Columns(columns, spots, channels)


Start = tuple[Spot, float]
Ends = list[tuple[Spot, float, int]]


def _lead_on(
    columns: list[list[Spot]], channels: list[dict[int, Channel]], number: int, start: Start, ends: Ends
) -> None:
    """A wire to the right."""
    here = start
    for column in range(start[0].column + 1, max(spot.column for spot, _, _ in ends) + 1):
        channel = channels[column].setdefault(number, Channel())
        channel.left.append(here)
        channel.right += [end for end in ends if end[0].column == column]
        if any(end[0].column > column for end in ends):
            passing = Spot(column, -1, number)
            columns[column].append(passing)
            channel.right.append((passing, 0.0, -1))
            here = passing, 0.0


def _lead_back(
    columns: list[list[Spot]], channels: list[dict[int, Channel]], number: int, start: Start, ends: Ends
) -> None:
    """A wire to the left: out to the right, past its own column, and on to the left."""
    first = min(spot.column for spot, _, _ in ends)
    turn = channels[start[0].column + 1].setdefault(number, Channel())
    if start not in turn.left:
        turn.left.append(start)
    for column in range(start[0].column, first - 1, -1):
        passing = Spot(column, -1, number, back=True)
        columns[column].append(passing)
        channels[column + 1].setdefault(number, Channel()).left.append((passing, 0.0))
        channel = channels[column].setdefault(number, Channel())
        channel.right.append((passing, 0.0, -1))
        channel.right += [end for end in ends if end[0].column == column]


def _tie(channel: Channel) -> None:
    """Tell spots what they are joined to."""
    ends = [(spot, at, True) for spot, at in channel.left] + [(spot, at, False) for spot, at, _ in channel.right]
    for spot, at, right in ends:
        for other, there, its in ends:
            if other is spot:
                continue
            passing = spot.box < 0 and other.box < 0
            weight = 4.0 if passing else 1.0 if right != its else 0.3
            (spot.right if right else spot.left).append((other, there, at, weight))


# --- order -----------------------------------------------------------------------------------------------------------


def put_in_order(columns: Columns) -> None:
    """Orders within the columns with few crossings."""
    for column in columns.columns:
        _number(column)
    best, kept = _crossings(columns), [list(column) for column in columns.columns]
    for sweep in range(SWEEPS):
        forth = sweep % 2 == 0
        for column in columns.columns if forth else reversed(columns.columns):
            _sort(column, forth)
        found = _crossings(columns)
        if found < best:
            best, kept = found, [list(column) for column in columns.columns]
    columns.columns[:] = kept
    for column in columns.columns:
        _number(column)


def _number(column: list[Spot]) -> None:
    for place, spot in enumerate(column):
        spot.order = float(place)


def _sort(column: list[Spot], forth: bool) -> None:
    """Sort a column by the middles of what its spots are joined to on one side."""
    wanted: list[tuple[float, float, Spot]] = []
    for spot in column:
        joined = (spot.left if forth else spot.right) or (spot.right if forth else spot.left)
        total = sum(weight for *_, weight in joined)
        order = spot.order
        if total:
            order = sum(weight * (other.order + 1e-3 * there) for other, there, _, weight in joined) / total
        wanted.append((order, spot.order, spot))
    wanted.sort(key=lambda each: each[:2])
    column[:] = [spot for _, _, spot in wanted]
    _number(column)


def _crossings(columns: Columns) -> int:
    """How many times wires cross between columns, about."""
    total = 0
    for channel in columns.channels:
        pairs = [
            (a.order + 1e-3 * at, b.order + 1e-3 * there)
            for each in channel.values()
            for a, at in each.left
            for b, there, _ in each.right
            if a.column != b.column
        ]
        total += _inversions([b for _, b in sorted(pairs)])
    return total


def _inversions(values: list[float]) -> int:
    """Pairs that are out of order, by sorting halves."""
    if len(values) < 2:
        return 0
    middle = len(values) // 2
    left, right = values[:middle], values[middle:]
    count = _inversions(left) + _inversions(right)
    left.sort()
    right.sort()
    i = 0
    for value in left:
        while i < len(right) and right[i] < value:
            i += 1
        count += i
    return count
