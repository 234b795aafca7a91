"""Where everything of a drawing stands: boxes, ports, wires, and room for what is written on them."""

from __future__ import annotations

from collections.abc import Sequence

from sistel.records import entry
from sistel.views.charts._lettering import width_of
from sistel.views.wiring._columns import Columns, columns_of, put_in_order
from sistel.views.wiring._heights import set_heights
from sistel.views.wiring._net import Box, Net, Wire
from sistel.views.wiring._tracks import Point, Run, Tracks, tracks_of

TITLE, SMALL, LABEL = 13.0, 11.0, 11.0
"""Sizes of letters [px]."""
LINE = 15.0
"""Height of a line [px]."""
PORT = 20.0
"""Between two ports of a box [px]."""
TRACK = 12.0
"""Between two upright lines [px]."""
STUB = 18.0
"""What a wire goes straight before it may turn [px]."""
MARKED = 46.0
"""The same at an end that bears a sample or a hold [px]."""
LINES = 5
"""Small lines in a box; the tooltip has all of them."""
WIDEST = 190.0
"""Of a box [px]."""
SYMBOL = 26.0
"""Room for the symbol of a block [px]."""
ROUND = 28.0
"""Diameter of a sum [px]."""
MARGIN = 20.0
APART = 34.0
"""Between parts of a scheme that nothing joins [px]."""
VALUE = 58.0
"""Room for a value that a page writes on a wire [px]."""


@entry
class Placed:
    """A box and its upper left corner."""

    box: Box
    x: float
    y: float
    width: float
    height: float
    ports: Sequence[Point]
    outs: Sequence[Point]


@entry
class Path:
    """A net: its level and upright lines, and where it branches."""

    source: int
    out: int
    lines: Sequence[tuple[Point, Point]]
    dots: Sequence[Point]


@entry
class Layout:
    """A scheme with its places."""

    net: Net
    boxes: Sequence[Placed]
    paths: Sequence[Path]
    width: float
    height: float


def lay_out(net: Net) -> Layout:
    """Find places for everything in a scheme."""
    parts = _parts(net)
    placed: dict[int, Placed] = {}
    paths: list[Path] = []
    at, width = MARGIN, 0.0
    for part in parts:
        found = _lay_out_part(net, part, at)
        placed |= dict(zip(part, found.boxes, strict=True))
        paths += [Path(part[path.source], path.out, path.lines, path.dots) for path in found.paths]
        at, width = at + found.height + APART, max(width, found.width)
    height = at - APART + MARGIN if parts else 2 * MARGIN
    return Layout(net, [placed[i] for i in range(len(net.boxes))], paths, width + MARGIN, height)


def _parts(net: Net) -> list[list[int]]:
    """Boxes that wires join, in the order of the file."""
    home = list(range(len(net.boxes)))

    def root(i: int) -> int:
        while home[i] != i:
            home[i] = home[home[i]]
            i = home[i]
        return i

    # What the file gives places stands in one part: they are places of the whole drawing.
    given = [i for i, box in enumerate(net.boxes) if box.place is not None]
    ties = [*((wire.source, wire.target) for wire in net.wires), *((given[0], each) for each in given)]
    alone = set(home) - {i for pair in ties for i in pair}
    ties += [(min(alone), each) for each in alone]
    for a, b in ((root(i), root(j)) for i, j in ties):
        home[max(a, b)] = min(a, b)
    parts: dict[int, list[int]] = {}
    for i in range(len(net.boxes)):
        parts.setdefault(root(i), []).append(i)
    return list(parts.values())


def _lay_out_part(net: Net, part: Sequence[int], top: float) -> Layout:
    numbers = {number: place for place, number in enumerate(part)}
    wires = [
        Wire(numbers[each.source], each.out, numbers[each.target], each.port, each.mark)
        for each in net.wires
        if each.source in numbers
    ]
    own = Net(net.name, [net.boxes[number] for number in part], wires)
    sizes = [size_of(box) for box in own.boxes]
    port_at = [ports_of(len(box.ports), box) for box in own.boxes]
    out_at = [ports_of(len(box.outs), box) for box in own.boxes]
    columns = columns_of(own, port_at, out_at)
    for spot, (_, height) in zip(columns.spots, sizes, strict=True):
        spot.height = height + (LINE if _named_below(own.boxes[spot.box]) else 0.0)
    put_in_order(columns)
    set_heights(columns, [None if box.place is None else box.place[1] for box in own.boxes])
    return _Assembly(own, columns, sizes, port_at, out_at, top).layout()


def _named_below(box: Box) -> bool:
    """Whether the name stands below the box, which leaves no room for it."""
    return box.sort == "sum" and bool(box.title)


def size_of(box: Box) -> tuple[float, float]:
    """Width and height of a box [px]."""
    if box.sort == "sum":
        side = max(ROUND, 14.0 * len(box.ports) + 4.0)
        return ROUND, side
    longest = max(
        [width_of(box.title, TITLE, bold=True), *(width_of(line, SMALL) for line in box.lines)] if box.lines else
        [width_of(box.title, TITLE, bold=True)]
    )  # fmt: skip
    labels = [width_of(f"{label}{sign}", LABEL) for label, sign in zip(box.ports, box.signs, strict=True)]
    beside = max(labels, default=0.0)
    inner = max((width_of(part, LABEL) for part in box.parts), default=0.0)
    symbol = SYMBOL if box.sort in ("block", "input", "display", "motor") else 0.0
    width = min(WIDEST, longest) + (28.0 if beside else 20.0) + min(beside, 70.0) + inner + symbol
    if box.sort == "constant":
        width = min(WIDEST, longest) + 12.0
    if box.sort == "gain":
        width = min(WIDEST, longest) + 30.0
    lines = 1 + min(len(box.lines), LINES)
    high = max(12.0 + LINE * lines, PORT * max(len(box.ports), len(box.outs)) + 6.0)
    if box.sort in ("constant", "source") and not box.lines:
        high = 26.0
    return float(round(width)), float(round(high))


def ports_of(count: int, box: Box) -> list[float]:
    """Where ports are on a side, below its middle [px]."""
    step = 14.0 if box.sort == "sum" else PORT
    return [step * (i - (count - 1) / 2) for i in range(count)]


class _Assembly:
    """Puts columns and channels beside each other, and draws the wires."""

    def __init__(
        self,
        net: Net,
        columns: Columns,
        sizes: Sequence[tuple[float, float]],
        port_at: Sequence[Sequence[float]],
        out_at: Sequence[Sequence[float]],
        top: float,
    ) -> None:
        self.net, self.columns, self.sizes, self.top = net, columns, sizes, top
        self.port_at, self.out_at = port_at, out_at
        self.lines: dict[int, list[tuple[Point, Point]]] = {}
        self.lefts: list[float] = []
        self.rights: list[float] = []
        """Where channels begin and end."""

    def layout(self) -> Layout:
        columns = self.columns.columns
        tracks = [self._tracks(k) for k in range(len(columns) + 1)]
        wide = [max((self.sizes[spot.box][0] for spot in column if spot.box >= 0), default=0.0) for column in columns]
        x = MARGIN
        for k in range(len(columns) + 1):
            # Channel k lies to the left of column k.
            self.lefts.append(x)
            if self.columns.channels[k]:
                x += self._stub(k - 1) + max(0, tracks[k].count - 1) * TRACK + self._landing(k)
            elif k > 0:
                # What leads nowhere is named too.
                x += self._stub(k - 1)
            self.rights.append(x)
            if k < len(columns):
                x += wide[k]
        boxes = self._boxes(wide)
        for k in range(len(columns) + 1):
            self._draw(k, tracks[k], boxes)
        paths = self._paths()
        bottom = max((each.y + each.height + (LINE if _named_below(each.box) else 0.0) for each in boxes), default=0.0)
        for path in paths:
            bottom = max(bottom, *(point[1] for line in path.lines for point in line))
        return Layout(self.net, boxes, paths, x, bottom - self.top)

    def _tracks(self, k: int) -> Tracks:
        runs = []
        for number, channel in self.columns.channels[k].items():
            left = [self.top + spot.y + at for spot, at in channel.left]
            right = [self.top + spot.y + at for spot, at, _ in channel.right]
            runs.append(Run(number, left, right))
        return tracks_of(runs)

    def _stub(self, column: int) -> float:
        """Room behind a column for units and values on its wires."""
        need = STUB
        for spot in self.columns.columns[column] if column >= 0 else ():
            if spot.box < 0:
                continue
            box = self.net.boxes[spot.box]
            for name, unit in zip(box.outs, box.units, strict=True):
                need = max(need, VALUE + 10.0 if name else 0.0, width_of(unit, LABEL) + 14.0)
        return need

    def _landing(self, k: int) -> float:
        marked = any(
            number >= 0 and self.net.wires[number].mark
            for channel in self.columns.channels[k].values()
            for *_, number in channel.right
        )
        return MARKED if marked else STUB

    def _boxes(self, wide: Sequence[float]) -> list[Placed]:
        made = []
        for spot in self.columns.spots:
            (width, height), box = self.sizes[spot.box], self.net.boxes[spot.box]
            x = self.rights[spot.column] + round((wide[spot.column] - width) / 2)
            y = self.top + spot.y
            ports = [(x, y + at) for at in self.port_at[spot.box]]
            outs = [(x + width, y + at) for at in self.out_at[spot.box]]
            made.append(Placed(box, x, y - height / 2, width, height, ports, outs))
        return made

    def _draw(self, k: int, tracks: Tracks, boxes: Sequence[Placed]) -> None:
        """The lines of a channel, and those beside narrower boxes and past columns."""
        left, right = self.lefts[k], self.rights[k]
        stub = left + self._stub(k - 1)
        parts: dict[int, list[Run]] = {}
        for run in tracks.runs:
            parts.setdefault(run.net, []).append(run)
        for number, channel in self.columns.channels[k].items():
            lines, own = self.lines.setdefault(number, []), parts[number]
            if len(own) > 1 and own[1].right == own[0].left:
                own.reverse()
            at = [right if run.level else stub + run.track * TRACK for run in own]
            for (spot, _), y in zip(channel.left, own[0].left, strict=True):
                start = boxes[spot.box].outs[0][0] if spot.box >= 0 else left
                lines.append(((start, y), (at[0], y)))
            for (spot, _, _), y in zip(channel.right, own[-1].right, strict=True):
                end = boxes[spot.box].x if spot.box >= 0 else self.lefts[spot.column + 1]
                lines.append(((at[-1], y), (end, y)))
            lines += [((x, run.low), (x, run.high)) for run, x in zip(own, at, strict=True) if not run.level]
            if len(own) > 1:
                lines.append(((at[0], own[1].left[0]), (at[1], own[1].left[0])))

    def _paths(self) -> list[Path]:
        bundles = list(dict.fromkeys((wire.source, wire.out) for wire in self.net.wires))
        made = []
        for number, (source, out) in enumerate(bundles):
            lines = joined_lines(self.lines[number])
            made.append(Path(source, out, lines, branches(lines)))
        return made


def joined_lines(lines: Sequence[tuple[Point, Point]]) -> list[tuple[Point, Point]]:
    """Lines with those that continue each other made one."""
    levels: dict[tuple[int, float], list[tuple[float, float]]] = {}
    for (x1, y1), (x2, y2) in lines:
        if x1 == x2 and y1 == y2:
            continue
        key, ends = ((1, x1), (y1, y2)) if x1 == x2 else ((0, y1), (x1, x2))
        levels.setdefault(key, []).append((min(ends), max(ends)))
    made: list[tuple[Point, Point]] = []
    for (upright, place), spans in sorted(levels.items()):
        spans.sort()
        whole = [spans[0]]
        for low, high in spans[1:]:
            if low <= whole[-1][1]:
                whole[-1] = whole[-1][0], max(whole[-1][1], high)
            else:
                whole.append((low, high))
        made += [((place, a), (place, b)) if upright else ((a, place), (b, place)) for a, b in whole]
    return made


def branches(lines: Sequence[tuple[Point, Point]]) -> list[Point]:
    """Where three lines or more of a net meet."""
    ways: dict[Point, set[str]] = {}
    uprights = [line for line in lines if line[0][0] == line[1][0]]
    levels = [line for line in lines if line[0][1] == line[1][1] and line[0][0] != line[1][0]]
    for (x, low), (_, high) in uprights:
        for (a, y), (b, _) in levels:
            if not (a <= x <= b and low <= y <= high):
                continue
            found = ways.setdefault((x, y), set())
            found |= {way for way, there in zip("udlr", (low < y, high > y, a < x, b > x), strict=True) if there}
    return sorted(point for point, found in ways.items() if len(found) > 2)
