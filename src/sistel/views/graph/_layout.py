"""Places for the boxes and arrows of a small directed graph whose arrows carry long texts.

The graph is laid out in rows, from the initial box down. Rows of boxes alternate with rows of labels, and every arrow
passes through its label: so no text lies on a line or on another text, however long it is. An arrow that leads past a
row goes through a bend there. Within rows, boxes are ordered by the mean place of their neighbours, the order with the
fewest crossings is kept, and places follow from least squares with the distances as bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from itertools import pairwise

from sistel.records import entry, mutable

GAP_X = 22.0
"""Between neighbours of a row [px]."""
GAP_Y = 30.0
"""Between rows [px]."""
BEND = 10.0
"""Width of the passage of an arrow through a row [px]."""
PORT = 26.0
"""Greatest distance of two arrows at a box [px]."""
SWEEPS = 16


@mutable
class Item:
    """A box, a label or a bend."""

    width: float
    """[px]"""
    height: float
    """[px]"""
    bend: bool = False
    """Whether it is a mere passage, as high as its row."""
    row: int = 0
    x: float = 0.0
    """Of the centre [px]."""
    y: float = 0.0
    """Of the centre [px]."""
    near: list[Item] = field(default_factory=list)
    """What arrows connect it with, in the rows above and below."""

    @property
    def top(self) -> float:
        """Upper edge [px]."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """Lower edge [px]."""
        return self.y + self.height / 2


@mutable
class Arrow:
    """An arrow with its label; `chain` leads from box to box."""

    source: int
    target: int
    label: Item
    chain: list[Item] = field(default_factory=list)
    path: str = ""
    """SVG path data; the last point is the tip."""


@entry
class Layout:
    """Everything in its place."""

    boxes: Sequence[Item]
    arrows: Sequence[Arrow]
    width: float
    """[px]"""
    height: float
    """[px]"""


def lay_out(boxes: Sequence[Item], arrows: Sequence[Arrow], first: int) -> Layout:
    """Give every box and label its place, and every arrow its path.

    Args:
        boxes: With their sizes.
        arrows: With the numbers of their boxes and the sizes of their labels.
        first: Number of the box that stands on top.
    """
    layers = _layers(len(boxes), arrows, first)
    rows: list[list[Item]] = [[] for _ in range(2 * max(layers, default=0) + 2)]
    for box, layer in zip(boxes, layers, strict=True):
        box.row = 2 * layer
        rows[box.row].append(box)
    for arrow in arrows:
        _thread(arrow, boxes, rows)
    _order(rows)
    width = _place(rows)
    height = _stack(rows)
    _route(boxes, arrows)
    return Layout(boxes, arrows, width, height)


def _layers(count: int, arrows: Sequence[Arrow], first: int) -> list[int]:
    """How many steps each box is away from the first one; no layer holds more than a few."""
    # Labels of many arrows would make wide rows, so dense graphs get more of them.
    most = 2 if len(arrows) > 3 * count else 4 if count <= 8 else 3
    after: list[list[int]] = [[] for _ in range(count)]
    joined = {first}
    for arrow in arrows:
        after[arrow.source].append(arrow.target)
        joined |= {arrow.source, arrow.target} if arrow.source != arrow.target else {arrow.source}
    order: list[list[int]] = []
    layer: dict[int, int] = {}
    # What cannot be reached from the first box starts anew; what has no arrows comes last.
    entered = {arrow.target for arrow in arrows if arrow.source != arrow.target}
    starts = [first, *sorted(joined - {first}, key=lambda one: (one in entered, one))]
    for start in starts:
        if start in layer:
            continue
        todo = [start]
        layer[start] = 0
        for one in todo:
            for other in after[one]:
                if other not in layer:
                    layer[other] = layer[one] + 1
                    todo.append(other)
    for one in sorted(layer, key=lambda each: layer[each]):
        at = layer[one]
        while len(order) <= at or len(order[at]) >= most:
            if len(order) <= at:
                order.append([])
            else:
                at += 1
        order[at].append(one)
    alone = [one for one in range(count) if one not in layer]
    order += [alone[i : i + most] for i in range(0, len(alone), most)]
    found = [0] * count
    for at, members in enumerate(members for members in order if members):
        for one in members:
            found[one] = at
    return found


def _thread(arrow: Arrow, boxes: Sequence[Item], rows: list[list[Item]]) -> None:
    """Lead an arrow through its label and through the rows between its boxes."""
    source, target = boxes[arrow.source], boxes[arrow.target]
    if source.row == target.row:
        arrow.label.row = source.row + 1
        rows[arrow.label.row].append(arrow.label)
        arrow.chain = [source, arrow.label, target]
    else:
        step = 1 if target.row > source.row else -1
        # The label stands next to the lower box, so that the labels of a box with many arrows spread over rows.
        labelled = max(source.row, target.row) - 1
        arrow.chain = [source]
        for row in range(source.row + step, target.row, step):
            item = arrow.label if row == labelled else Item(BEND, 0.0, bend=True)
            item.row = row
            rows[row].append(item)
            arrow.chain.append(item)
        arrow.chain.append(target)
    for one, other in pairwise(arrow.chain):
        one.near.append(other)
        other.near.append(one)


def _order(rows: list[list[Item]]) -> None:
    """Order every row so that few arrows cross."""
    _spread(rows)
    best, fewest = [list(row) for row in rows], _crossings(rows)
    for sweep in range(SWEEPS):
        step = 1 if sweep % 2 == 0 else -1
        for row in rows[::step]:
            if not row:
                continue
            side = row[0].row - step
            row.sort(key=lambda item: _mean([one.x for one in item.near if one.row == side], item.x))
            _spread([row])
        count = _crossings(rows)
        if count < fewest:
            best, fewest = [list(row) for row in rows], count
    for row, kept in zip(rows, best, strict=True):
        row[:] = kept
    _spread(rows)


def _spread(rows: Sequence[list[Item]]) -> None:
    for row in rows:
        for item, x in zip(row, _fit(row, [0.0] * len(row)), strict=True):
            item.x = x


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _crossings(rows: Sequence[Sequence[Item]]) -> int:
    """How many pairs of arrows cross between neighbouring rows."""
    count = 0
    for row in rows:
        lines = [(item.x, other.x) for item in row for other in item.near if other.row == item.row + 1]
        count += sum((a[0] - b[0]) * (a[1] - b[1]) < 0 for index, a in enumerate(lines) for b in lines[:index])
    return count


def _fit(row: Sequence[Item], wanted: Sequence[float]) -> list[float]:
    """Places nearest to the wanted ones by least squares, in order and with their distances.

    With the cumulated distances taken off, this is the regression by a rising sequence: neighbours that are in the
    wrong order share their mean.
    """
    offsets = [0.0]
    for one, other in pairwise(row):
        offsets.append(offsets[-1] + (one.width + other.width) / 2 + GAP_X)
    groups: list[tuple[float, int]] = []
    for value, offset in zip(wanted, offsets, strict=False):
        total, count = value - offset, 1
        while groups and groups[-1][0] / groups[-1][1] > total / count:
            more, members = groups.pop()
            total, count = total + more, count + members
        groups.append((total, count))
    level = [total / count for total, count in groups for _ in range(count)]
    return [value + offset for value, offset in zip(level, offsets, strict=False)]


def _place(rows: Sequence[list[Item]]) -> float:
    """Give every item its x; the width of all."""
    for sweep in range(4 * SWEEPS):
        for row in rows[:: 1 if sweep % 2 == 0 else -1]:
            wanted = [_mean([one.x for one in item.near], item.x) for item in row]
            for item, x in zip(row, _fit(row, wanted), strict=True):
                item.x = x
    items = [item for row in rows for item in row]
    left = min(item.x - item.width / 2 for item in items)
    for item in items:
        item.x -= left
    return max(item.x + item.width / 2 for item in items)


def _stack(rows: Sequence[list[Item]]) -> float:
    """Give every item its y; the height of all."""
    y = 0.0
    for row, below in zip(rows, [*rows[1:], []], strict=True):
        height = max((item.height for item in row), default=0.0)
        for item in row:
            item.y = y + height / 2
            if item.bend:
                item.height = height
        # Arrows that lead far to the side need room to do so gently.
        aside = [abs(item.x - one.x) for item in row for one in item.near if one.row > item.row]
        gap = GAP_Y + min(GAP_Y, 0.05 * max(aside, default=0.0)) if below else GAP_Y
        if row:
            y += height + gap
    return y - GAP_Y


def _route(boxes: Sequence[Item], arrows: Sequence[Arrow]) -> None:
    """Draw the arrows; those that share a side of a box stand apart there, in the order of where they go."""
    sides: dict[tuple[int, bool], list[tuple[float, int, bool]]] = {}
    for index, arrow in enumerate(arrows):
        for at_end in (False, True):
            box = arrow.chain[-1 if at_end else 0]
            other = arrow.chain[-2 if at_end else 1]
            lower = other.row > box.row
            sides.setdefault((id(box), lower), []).append((other.x, index, at_end))
    ports: dict[tuple[int, bool], float] = {}
    by_id = {id(box): box for box in boxes}
    for (key, _), ends in sides.items():
        box = by_id[key]
        step = min(PORT, (box.width - 28) / max(1, len(ends) - 1))
        for place, (_, index, at_end) in enumerate(sorted(ends)):
            ports[index, at_end] = box.x + (place - (len(ends) - 1) / 2) * step
    for index, arrow in enumerate(arrows):
        arrow.path = _path(arrow, ports[index, False], ports[index, True])


def _path(arrow: Arrow, start: float, end: float) -> str:
    chain = arrow.chain
    if chain[0].row == chain[-1].row:
        source, label, target = chain
        shift = min(24.0, label.width / 4) * (1 if start <= end else -1)
        first = _curve(start, source.bottom, label.x - shift, label.top)
        return first + _curve(label.x + shift, label.top, end, target.bottom)
    down = chain[-1].row > chain[0].row
    leave: Callable[[Item], float] = (lambda item: item.bottom) if down else (lambda item: item.top)
    enter: Callable[[Item], float] = (lambda item: item.top) if down else (lambda item: item.bottom)
    text = ""
    for one, other in pairwise(chain):
        x0 = start if one is chain[0] else one.x
        x1 = end if other is chain[-1] else other.x
        # A bend is passed along a straight line, a label is jumped over.
        text += _curve(x0, leave(one), x1, enter(other), joined=bool(text) and one is not arrow.label)
        if other is not arrow.label and other is not chain[-1]:
            text += f"V{leave(other):.1f}"
    return text


def _curve(x0: float, y0: float, x1: float, y1: float, joined: bool = False) -> str:
    middle = (y0 + y1) / 2
    begin = "" if joined else f"M{x0:.1f},{y0:.1f}"
    return f"{begin}C{x0:.1f},{middle:.1f} {x1:.1f},{middle:.1f} {x1:.1f},{y1:.1f}"
