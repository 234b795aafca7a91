"""All subgroups of a group of rotations and how they contain each other, as a diagram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise

from sistel.errors import Language, Text, user_language
from sistel.look import Theme
from sistel.pose import Group, axial_group
from sistel.records import entry
from sistel.views._drawing import Drawing
from sistel.views.orientations._layers import Layers, lay_rows
from sistel.views.orientations._paint import CLASSES, document, text
from sistel.views.orientations._solids import Point
from sistel.views.orientations._subgroups import Subgroup, describe_subgroups

STEP, BOX = 92.0, 40.0
"""From row to row, and height of a box [px]."""
EDGE, LEFT, TITLE, FOOT = 20.0, 74.0, 40.0, 46.0
PAD = 7.0
"""Of the ground of a class around its boxes [px]."""
MANY = 40
"""Subgroups that are too many to follow their lines: their classes are shown instead."""

_TITLE = Text("All {count} subgroups of the {order} rotations", "Все {count} подгрупп группы из {order} поворотов")
_CLASSES = Text(
    "The {count} subgroups of the {order} rotations, in {classes} classes",
    "{count} подгрупп группы из {order} поворотов, классов {classes}",
)
_ORDER = Text("order", "порядок")
_FOOT = Text(
    "A line: the lower subgroup lies in the upper one, and none lies between. On one ground: turned copies of each "
    "other. Thick frame: normal.",
    "Линия: нижняя подгруппа лежит в верхней, и между ними нет других. На одной подложке — повёрнутые копии друг "
    "друга. Толстая рамка — нормальная подгруппа.",
)
_FOOT_CLASSES = Text(
    "A box: subgroups that are turned copies of each other, and what makes one of them. Numbers at a line: how many of "
    "the lower ones lie in each upper one (above), and in how many upper ones each lower one lies (below).",
    "Рамка: подгруппы, повёрнутые копии друг друга, и образующие одной из них. Числа у линии: сколько нижних "
    "лежит в каждой верхней (вверху) и в скольких верхних лежит каждая нижняя (внизу).",
)
_MORE = """
.sistel-pose .node{stroke-width:1.1}
.sistel-pose .normal{stroke-width:2.6}
.sistel-pose .name{font-size:14px;font-weight:700}
.sistel-pose .small{font-size:11px}
.sistel-pose .count{font-size:11px;stroke-width:3;paint-order:stroke}
.sistel-pose .rule{stroke-width:1;stroke-dasharray:1 5}
"""


@entry
class _Box:
    name: str
    below: str
    told: str
    order: int
    kind: int
    normal: bool

    @property
    def width(self) -> float:
        """[px]."""
        return max(44.0, 7.1 * len(self.below) + 10, 10.5 * len(self.name) + 8)


@entry
class _Line:
    low: int
    high: int
    counts: tuple[int, int] | None = None
    """How many of the lower lie in each upper, in how many upper each lower lies."""


def draw_lattice(
    group: Group[int] | None = None,
    lang: Language | None = None,
    *,
    by_class: bool | None = None,
    theme: Theme = "auto",
) -> Drawing:
    """The lattice of subgroups as an SVG picture: a row for every order, the whole group on top.

    Args:
        group: Of codes; that of the 24 axial orientations unless told otherwise.
        lang: Language of the words; the user's unless told otherwise.
        by_class: Whether to show one box for a class of conjugate subgroups, instead of one for each; without a word,
            where there are more than 40.
        theme: Light, dark, or as the reader's screen.
    """
    lang = lang or user_language()
    group = group or axial_group()
    found = describe_subgroups(group)
    if by_class is None:
        by_class = len(found) > MANY
    if by_class:
        boxes, lines = _by_class(group, found)
        title, foot = _CLASSES, _FOOT_CLASSES
    else:
        boxes = [_Box(each.name, _made_by(each), _told(each), each.order, each.kind, each.normal) for each in found]
        lines = [_Line(low, high) for low, high in group.lattice()]
        title, foot = _TITLE, _FOOT
    said = title.say(lang).format(count=len(found), order=len(group), classes=len({each.kind for each in found}))
    return _Picture(boxes, lines, apart=70.0 if by_class else 34.0).svg(said, foot.say(lang), lang, theme)


def _made_by(each: Subgroup) -> str:
    return f"⟨{', '.join(map(str, each.generators))}⟩"


def _told(each: Subgroup) -> str:
    return f"{each.name} = {{{', '.join(map(str, each.members))}}}"


def _by_class(group: Group[int], found: Sequence[Subgroup]) -> tuple[list[_Box], list[_Line]]:
    kinds = sorted({each.kind for each in found})
    boxes = []
    for kind in kinds:
        mine = [each for each in found if each.kind == kind]
        name = mine[0].name if len(mine) == 1 else f"{len(mine)} × {mine[0].name}"
        told = "\n".join(map(_told, mine))
        boxes.append(_Box(name, _made_by(mine[0]), told, mine[0].order, kind, len(mine) == 1))
    sizes = {kind: sum(each.kind == kind for each in found) for kind in kinds}
    pairs: dict[tuple[int, int], int] = {}
    for low, high in group.lattice():
        key = (found[low].kind, found[high].kind)
        pairs[key] = pairs.get(key, 0) + 1
    return boxes, [
        _Line(low, high, (count // sizes[high], count // sizes[low])) for (low, high), count in pairs.items()
    ]


class _Picture:
    def __init__(self, boxes: Sequence[_Box], lines: Sequence[_Line], apart: float) -> None:
        self.boxes, self.lines = boxes, lines
        self.orders = sorted({box.order for box in boxes})
        self.layers: Layers = lay_rows(
            [self.blocks(order) for order in self.orders],
            [(line.low, line.high) for line in lines],
            {place: box.width for place, box in enumerate(boxes)},
            gap=12.0,
            apart=apart,
            passage=11.0,
        )
        places = self.layers.places
        self.left = min(places[i] - box.width / 2 for i, box in enumerate(boxes))
        self.right = max(places[i] + box.width / 2 for i, box in enumerate(boxes))
        shift = EDGE + LEFT - self.left
        self.at: Mapping[int, float] = {node: x + shift for node, x in places.items()}
        top = EDGE + TITLE + BOX / 2 + 10
        self.heights = {order: top + STEP * row for row, order in enumerate(reversed(self.orders))}

    def blocks(self, order: int) -> list[list[int]]:
        made: dict[int, list[int]] = {}
        for place, box in enumerate(self.boxes):
            if box.order == order:
                made.setdefault(box.kind, []).append(place)
        return list(made.values())

    def svg(self, title: str, foot: str, lang: Language, theme: Theme) -> Drawing:
        wide = max(EDGE + LEFT + self.right - self.left + EDGE + PAD, 620.0)
        below = _wrapped(foot, wide - 2 * EDGE)
        high = self.heights[self.orders[0]] + BOX / 2 + FOOT + 18 * (len(below) - 1)
        parts = [text(title, EDGE, EDGE + 14, "title"), text(_ORDER.say(lang), EDGE, EDGE + TITLE - 4, "dim")]
        for order, y in self.heights.items():
            parts.append(f'<path class="arc rule" d="M{EDGE + LEFT - 30:g},{y:g}H{wide - EDGE:g}"/>')
            parts.append(text(str(order), EDGE + 4, y + 5, "code"))
        parts += [*self.grounds(), *self.links(), *self.counts()]
        parts += [self.box(place, box) for place, box in enumerate(self.boxes)]
        parts += [text(line, EDGE, high - 14 - 18 * (len(below) - 1 - i), "dim") for i, line in enumerate(below)]
        return document(title, (round(wide), round(high)), parts, lang=lang, theme=theme, more=_MORE)

    def grounds(self) -> list[str]:
        made = []
        for kind in sorted({box.kind for box in self.boxes}):
            mine = [(self.at[i], box) for i, box in enumerate(self.boxes) if box.kind == kind]
            left = min(x - box.width / 2 for x, box in mine) - PAD
            right = max(x + box.width / 2 for x, box in mine) + PAD
            y = self.heights[mine[0][1].order]
            made.append(
                f'<rect class="class{kind % CLASSES}" x="{left:.1f}" y="{y - BOX / 2 - PAD:.1f}" '
                f'width="{right - left:.1f}" height="{BOX + 2 * PAD:.1f}" rx="10"/>'
            )
        return made

    def way(self, line: _Line) -> list[Point]:
        """Where a line goes, from its lower end."""
        first = self.orders.index(self.boxes[line.low].order)
        nodes = self.layers.ways[line.low, line.high]
        points = [(self.at[node], self.heights[self.orders[first + step]]) for step, node in enumerate(nodes)]
        points[0] = (points[0][0] + self.port(line, line.low), points[0][1] - BOX / 2)
        points[-1] = (points[-1][0] + self.port(line, line.high), points[-1][1] + BOX / 2)
        return points

    def port(self, line: _Line, end: int) -> float:
        """Where at a box a line ends, from its middle: all at one place, but apart where numbers stand there."""
        if line.counts is None:
            return 0.0
        place = 1 if end == line.low else -2
        same = [each for each in self.lines if (each.low if end == line.low else each.high) == end]
        same.sort(key=lambda each: self.at[self.layers.ways[each.low, each.high][place]])
        return (same.index(line) - 0.5 * (len(same) - 1)) * min(26.0, self.boxes[end].width / len(same))

    def links(self) -> list[str]:
        return [
            f'<path class="link link{self.boxes[line.high].kind % CLASSES}" '
            f'data-ends="{line.low} {line.high}" d="{_curve(self.way(line))}"/>'
            for line in self.lines
        ]

    def counts(self) -> list[str]:
        made = []
        for line in self.lines:
            if line.counts is None:
                continue
            points = self.way(line)
            for number, end, other in ((line.counts[0], -1, -2), (line.counts[1], 0, 1)):
                (x, y), (far, height) = points[end], points[other]
                # Near the end, where the curve still is close to its tangent.
                part = 16.0 / abs(height - y)
                made.append(
                    text(str(number), x + 0.5 * part * (far - x), y + part * (height - y) + 4, "count letter middle")
                )
        return made

    def box(self, place: int, box: _Box) -> str:
        x, y = self.at[place], self.heights[box.order]
        style = "cell node normal" if box.normal else "cell node"
        return (
            f'<g class="subgroup"><title>{escape(box.told)}</title><rect class="{style}" '
            f'x="{x - box.width / 2:.1f}" y="{y - BOX / 2:.1f}" width="{box.width:.1f}" height="{BOX:g}" rx="6"/>'
            f"{text(box.name, x, y - 2, 'name middle')}{text(box.below, x, y + 13, 'small dim middle')}</g>"
        )


def _curve(points: Sequence[Point]) -> str:
    """A smooth line through points, each higher than the one before; it swings beyond none of them."""
    slopes = [(b[0] - a[0]) / (b[1] - a[1]) for a, b in pairwise(points)]
    # F. N. Fritsch and J. Butland: where the way turns back, upright; else the harmonic mean of both sides.
    inner = [0.0 if a * b <= 0.0 else 2.0 * a * b / (a + b) for a, b in pairwise(slopes)]
    tangents = [0.4 * slopes[0], *inner, 0.4 * slopes[-1]]
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for i, (a, b) in enumerate(pairwise(points)):
        third = (b[1] - a[1]) / 3.0
        path += f"C{a[0] + third * tangents[i]:.1f},{a[1] + third:.1f} "
        path += f"{b[0] - third * tangents[i + 1]:.1f},{b[1] - third:.1f} {b[0]:.1f},{b[1]:.1f}"
    return path


def _wrapped(words: str, width: float) -> list[str]:
    """Lines of a text of 12 px."""
    lines = [""]
    for word in words.split():
        joined = f"{lines[-1]} {word}".strip()
        if 7.2 * len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(word)
    return lines
