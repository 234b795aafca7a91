"""Heights of spots in columns: wires straight where that can be, nothing nearer to its neighbour than it may be."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.views.wiring._columns import Columns, Spot

ROUNDS = 10
GAP = 26.0
"""Between two boxes [px]."""
NARROW = 14.0
"""Between a wire that passes and its neighbours [px]."""
ROW = 84.0
"""Height of a row, where the file gives places [px]."""
FIRM = 1e6
"""Weight of a place that the file gives."""


def set_heights(columns: Columns, rows: Sequence[float | None]) -> None:
    """Heights of all spots.

    Args:
        columns: Spots in their order.
        rows: Of boxes, where the file gives them.
    """
    for column in columns.columns:
        at = 0.0
        for spot in column:
            spot.y = at + spot.height / 2
            at += spot.height + GAP
    for turn in range(ROUNDS):
        forth = turn % 2 == 0
        for column in columns.columns if forth else reversed(columns.columns):
            wanted = [_wanted(spot, forth if turn < ROUNDS - 4 else None) for spot in column]
            _place(column, wanted, rows)
    # At last one wire of every box is straight, where there is room: on its left, or on its right if there is none.
    for column in columns.columns:
        _place(column, [_straight(spot, spot.left or spot.right) for spot in column], rows)
    for column in reversed(columns.columns[:-1]):
        wanted = [(spot.y, FIRM) if spot.left else _straight(spot, spot.right) for spot in column]
        _place(column, wanted, rows)
    top = min((spot.y - spot.height / 2 for column in columns.columns for spot in column), default=0.0)
    for column in columns.columns:
        for spot in column:
            spot.y -= top


def _wanted(spot: Spot, forth: bool | None) -> tuple[float, float]:
    """Where wires would be straight: the middle of all of them, and how much that weighs."""
    joined = [*spot.left, *spot.right] if forth is None else spot.left if forth else spot.right
    joined = joined or [*spot.left, *spot.right]
    total = sum(weight for *_, weight in joined)
    if not total:
        return spot.y, 1e-3
    return sum(weight * (other.y + there - at) for other, there, at, weight in joined) / total, total


def _straight(spot: Spot, wires: Sequence[tuple[Spot, float, float, float]]) -> tuple[float, float]:
    """The place nearest to where it is at which one of some of its wires is straight."""
    joined = [each for each in wires if each[3] >= 1.0]
    if not joined:
        return spot.y, 1e-3
    heavy = max(weight for *_, weight in joined)
    places = [other.y + there - at for other, there, at, weight in joined if weight == heavy]
    return min(places, key=lambda y: (abs(y - spot.y), y)), heavy


def _place(column: list[Spot], wanted: Sequence[tuple[float, float]], rows: Sequence[float | None]) -> None:
    """The places nearest to those that are wanted, by least squares, in the given order (pool adjacent violators)."""
    shift, before, shifts = 0.0, None, []
    for spot in column:
        if before is not None:
            gap = NARROW if spot.box < 0 or before.box < 0 else GAP
            shift += (before.height + spot.height) / 2 + gap
        shifts.append(shift)
        before = spot
    pools: list[list[float]] = []
    for spot, (y, weight), own in zip(column, wanted, shifts, strict=True):
        row = rows[spot.box] if spot.box >= 0 else None
        if row is not None:
            y, weight = row * ROW, FIRM
        pools.append([y - own, weight, 1.0])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            value, mass, count = pools.pop()
            last = pools[-1]
            last[0] = (last[0] * last[1] + value * mass) / (last[1] + mass)
            last[1] += mass
            last[2] += count
    place = 0
    for value, _, count in pools:
        for _ in range(int(count)):
            column[place].y = float(round(value + shifts[place]))
            place += 1
