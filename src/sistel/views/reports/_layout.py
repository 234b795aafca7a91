"""How wide the columns of a table are on paper, in which size its letters are, and where it is divided.

Nothing here can measure fonts, so widths are estimates on the safe side: all writers share them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Final

from sistel.records import record
from sistel.views.charts._lettering import width_of
from sistel.views.reports import _document as document
from sistel.views.reports._typography import BREAK

SIZES: Final = (9.0, 8.0, 7.0)
"""Of the letters of tables, from the usual one to the smallest [pt]."""
POINT: Final = 25.4 / 72.0
"""[mm]"""
SERIF: Final = 0.88
"""How much narrower letters with serifs are than those that `width_of` knows."""
PADDING: Final = 3.0
"""Room between two columns [mm]."""
INDENT: Final = 5.0
"""Of formulas [mm]."""
LONG: Final = 5.0
"""Pages from which a report has contents."""
MOST_LISTED: Final = 40
"""Headings that contents can list on a page."""
_SIZE = re.compile(r'<svg\b[^>]*?\bwidth="([0-9.]+)(mm|px)?"[^>]*?\bheight="([0-9.]+)(?:mm|px)?"')
PIXEL: Final = 0.22
"""Of pictures that are made for screens, at most: letters of small ones would be larger than those around them [mm]."""
_WIDE = re.compile("[№✓✗]")
"""Signs that are wider than `width_of` knows."""
_LARGE = re.compile("[А-ЯЁ]")
"""Letters with serifs that are wider than others by a tenth of their size."""
_TAG = re.compile(r"<[^>]*>|[\u2061\u2062]")


@record
class Part:
    """A part of a table that is as wide as the page at most."""

    columns: tuple[int, ...]
    widths: tuple[float, ...]
    """[mm]"""
    size: float
    """Of its letters [pt]."""


def written(cell: document.Cell) -> str:
    """The letters of a cell."""
    return _TAG.sub("", cell.row) if isinstance(cell, document.Math) else cell


def text_width(text: str, size: float) -> float:
    """About how wide a text is [mm], for letters of a size [pt]."""
    large = len(_LARGE.findall(text))
    return (SERIF * width_of(_WIDE.sub("mm", text.replace(BREAK, "")), size) + 0.1 * large * size) * POINT


def divided(table: document.ReportTable) -> tuple[Part, ...]:
    """The parts of a table, each with all rows: one where its columns fit the page, if need be in smaller letters."""
    everything = tuple(range(len(table.columns)))
    for size in SIZES:
        natural, least = _bounds(table, size)
        if sum(natural) <= document.WIDTH or (sum(least) <= document.WIDTH and size < SIZES[0]):
            return (Part(columns=everything, widths=_shared(natural, least), size=size),)
    size = SIZES[1]
    natural, least = _bounds(table, size)
    keys = everything[: min(table.keys, len(everything) - 1)]
    taken = sum(least[i] for i in keys)
    groups: list[list[int]] = [[]]
    used = taken
    for i in everything[len(keys) :]:
        if groups[-1] and used + least[i] > document.WIDTH:
            groups.append([])
            used = taken
        groups[-1].append(i)
        used += least[i]
    made = []
    for group in _evened(groups, natural, document.WIDTH - sum(natural[i] for i in keys)):
        chosen = (*keys, *group)
        widths = _shared([natural[i] for i in chosen], [least[i] for i in chosen])
        made.append(Part(columns=chosen, widths=widths, size=size))
    return tuple(made)


def _evened(groups: Sequence[Sequence[int]], natural: Sequence[float], room: float) -> list[list[int]]:
    """As many columns in the last part as in the others, where that still fits."""
    flat = [i for group in groups for i in group]
    each = -(-len(flat) // len(groups))
    evened = [flat[k : k + each] for k in range(0, len(flat), each)]
    fits = all(sum(natural[i] for i in group) <= room for group in evened)
    return evened if fits else [list(group) for group in groups]


def _bounds(table: document.ReportTable, size: float) -> tuple[list[float], list[float]]:
    """The widths that columns would like to have, and those that they need [mm]."""
    natural, least = [], []
    for i, column in enumerate(table.columns):
        cells = [written(row[i]) for row in table.rows]
        like = max((text_width(cell, size) for cell in cells), default=0.0)
        whole = column.kind == "numbers" or (column.keep and like <= 40.0)
        need = like if whole else max((_longest(cell, size) for cell in cells), default=0.0)
        head = _longest(column.title, size)
        natural.append(max(like, column.room, min(text_width(column.title, size), max(head, 26.0))) + PADDING)
        least.append(max(need, head, column.room) + PADDING)
    return natural, least


def _longest(text: str, size: float) -> float:
    """Width of the longest piece of a text that is not broken."""
    return max((text_width(piece, size) for piece in re.split(rf"[ {BREAK}]", text)), default=0.0)


def _shared(natural: Sequence[float], least: Sequence[float]) -> tuple[float, ...]:
    """Widths between what columns need and what they would like; as wide as the page where they nearly fill it."""
    whole = sum(natural)
    if whole <= document.WIDTH:
        stretch = document.WIDTH / whole if whole >= 0.55 * document.WIDTH else 1.0
        return tuple(math.floor(100.0 * stretch * width) / 100.0 for width in natural)
    # Columns that need little more than they have give way last: what is left is shared by the root of what they lack.
    room = document.WIDTH - sum(least)
    lack = [max(a - b, 0.0) ** 0.7 for a, b in zip(natural, least, strict=True)]
    total = sum(lack)
    if total <= 0.0 or room <= 0.0:
        return tuple(math.floor(100.0 * width * document.WIDTH / sum(least)) / 100.0 for width in least)
    return tuple(math.floor(100.0 * (b + room * part / total)) / 100.0 for b, part in zip(least, lack, strict=True))


def svg_size(svg: str) -> tuple[float, float]:
    """Width and height of a picture, in its own unit."""
    found = _SIZE.search(svg)
    return (float(found[1]), float(found[3])) if found else (4.0, 3.0)


def screen_height(svg: str) -> float:
    """How tall a picture for screens is on paper at most [mm]; 0 for one that is made for paper."""
    found = _SIZE.search(svg)
    return 0.0 if found is None or found[2] == "mm" else PIXEL * float(found[3])


def figure_size(figure: document.Figure) -> tuple[float, float]:
    """Width and height of a figure on paper [mm], in the proportions of its picture."""
    wide, high = svg_size(figure.svg)
    largest = screen_height(figure.svg) / high or math.inf
    scale = min(figure.width / wide, figure.height / high, largest)
    return scale * wide, scale * high


def formula_size(formula: document.Formula, size: float) -> float:
    """Size of the letters with which a formula fits the page, `size` at most [pt]."""
    head = text_width(_TAG.sub("", formula.head), size)
    if formula.matrix:
        columns = zip(*formula.matrix, strict=True)
        wide = sum(max(text_width(_TAG.sub("", each), size) for each in column) + 5.0 for column in columns) + 8.0
    else:
        wide = max((text_width(_TAG.sub("", line), size) for line in formula.lines), default=0.0) + 8.0
    return size * min(1.0, (document.WIDTH - INDENT) / (1.2 * (head + wide)))


def pages(report: document.Report) -> float:
    """About how many pages a report takes."""
    return sum(map(_tall, report.blocks)) / document.HEIGHT


def has_contents(report: document.Report) -> bool:
    """Whether a report is long enough for contents; a sheet of tasks, whose pages go to many people, has none."""
    heads = [block for block in report.blocks if isinstance(block, document.Heading)]
    return len(heads) <= MOST_LISTED and not any(head.apart for head in heads) and pages(report) > LONG


def _tall(block: document.Block) -> float:
    """About how tall a block is [mm]."""
    match block:
        case document.Heading():
            return 12.0
        case document.Paragraph(text=text):
            return 3.0 + 5.0 * (1 + len(text) // 95)
        case document.Facts(pairs=pairs):
            return 5.0 * len(pairs)
        case document.Figure():
            return figure_size(block)[1] + 12.0
        case document.Formula(lines=lines, matrix=matrix):
            return 6.0 * max(len(lines), len(matrix)) + 3.0
        case document.ReportTable(rows=rows, tall=tall):
            return sum(10.0 + max(5.5, tall) * len(rows) for _ in divided(block))
