"""The graph of structures and transitions as an SVG picture, light or dark as its reader's screen is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from sistel.errors import Language, user_language
from sistel.look import SANS, painted
from sistel.model import Model
from sistel.units import UNIT_BY_WORD
from sistel.views._drawing import Drawing
from sistel.views.charts._lettering import width_of
from sistel.views.graph._layout import Arrow, Item, Layout, lay_out
from sistel.views.text import _tables
from sistel.views.text._numbers import clean, short
from sistel.views.text._rows import StructureRow, Summary, TransitionRow
from sistel.views.text._summary import class_words, summarize

NAME, SMALL, LABEL = 15.0, 12.0, 12.0
"""Sizes of letters [px]."""
BOX_WIDTH, LABEL_WIDTH = 190.0, 176.0
"""Widths at which texts are broken into lines [px]."""
MOST_LINES = 6
"""Lines of one text; what is longer is cut, and is whole in the tooltip."""
MARGIN = 24.0
START = 34.0
"""Height of the mark of the initial structure above its box [px]."""

_STYLE = (
    f".sistel-graph{{font-family:{SANS}}}"
    + """
.sistel-graph .paper{fill:var(--paper)}
.sistel-graph .box{fill:var(--plate);stroke:var(--edge);stroke-width:1.3}
.sistel-graph .initial{fill:var(--soft);stroke:var(--accent);stroke-width:2.2}
.sistel-graph .any{fill:none;stroke:var(--edge);stroke-width:1.2;stroke-dasharray:4 3}
.sistel-graph .label{fill:var(--paper);stroke:var(--line);stroke-width:1}
.sistel-graph .line{fill:none;stroke:var(--edge);stroke-width:1.5}
.sistel-graph .tip,.sistel-graph .dot{fill:var(--edge)}
.sistel-graph .begin{fill:none;stroke:var(--accent);stroke-width:2}
.sistel-graph .begin-tip,.sistel-graph .begin-dot{fill:var(--accent)}
.sistel-graph text{fill:var(--ink)}
.sistel-graph .name{font-size:15px;font-weight:600}
.sistel-graph .small{font-size:12px}
.sistel-graph .dim{font-size:12px;fill:var(--dim)}
.sistel-graph .impact{font-size:12px;fill:var(--bad)}
.sistel-graph .why{font-size:12px;fill:var(--warn)}
"""
)

Line = tuple[str, str]
"""A style and one line of text."""


def draw_structures(model: Model, lang: Language | None = None) -> Drawing:
    """The structures of a model and the transitions between them as an SVG picture.

    Args:
        model: The model.
        lang: Language of the words, conditions included; the user's unless told otherwise.
    """
    lang = lang or user_language()
    return Drawing(_Picture(model, summarize(model, lang), lang).svg())


class _Picture:
    def __init__(self, model: Model, summary: Summary, lang: Language) -> None:
        self.summary = summary
        self.lang = lang
        sliding = [tuple(map(clean, structure.slides)) for structure in model.structures]
        self.texts = [self.structure(row, slides) for row, slides in zip(summary.structures, sliding, strict=True)]
        self.boxes = [_box(lines, 150.0, 12.0) for lines in self.texts]
        self.labels: list[tuple[TransitionRow, list[Line]]] = []
        self.arrows: list[Arrow] = []
        numbers = {row.name: number for number, row in enumerate(summary.structures)}
        for row in summary.transitions:
            for source in dict.fromkeys(row.sources) if row.sources else (None,):
                if source is None:
                    self.texts.append([("dim", self.say("any structure", "любая структура"))])
                    self.boxes.append(_box(self.texts[-1], 60.0, 8.0))
                lines = self.transition(row)
                start = len(self.boxes) - 1 if source is None else numbers[source]
                self.labels.append((row, lines))
                self.arrows.append(Arrow(start, numbers[row.target], _box(lines, 40.0, 6.0)))

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def structure(self, row: StructureRow, slides: Sequence[str]) -> list[Line]:
        """What is written in the box of a structure."""
        lines = _wrap("name", row.name if self.summary.declared else self.summary.name, BOX_WIDTH, NAME)
        told = _tables.freedom_words([row.dof], [row.places], self.lang)
        lines += _wrap("dim", f"{row.structure_class} · {_tables.freedoms(self.lang)} {told}", BOX_WIDTH + 20, SMALL)
        holds = [name for name in row.holds if name not in slides]
        if holds:
            lines += _wrap("small", f"{self.say('holds', 'держит')}: {', '.join(holds)}", BOX_WIDTH, SMALL)
        if slides:
            lines += _wrap("small", f"{self.say('slides', 'скользит')}: {', '.join(slides)}", BOX_WIDTH, SMALL)
        for change in row.changes:
            lines += _wrap("small", _tables.change_words(change, self.lang), BOX_WIDTH, SMALL)
        if row.why_not:
            lines += _wrap("why", self.say("cannot be simulated", "не моделируется"), BOX_WIDTH, SMALL)
        return lines

    def transition(self, row: TransitionRow) -> list[Line]:
        """What is written on the arrow of a transition."""
        lines = _wrap("small", row.condition, LABEL_WIDTH, LABEL)
        if row.impact != "none":
            words = _tables.impact_words(row.impact, row.restitution, self.lang)
            lines += _wrap("impact", f"{self.say('impact', 'удар')}: {words}", LABEL_WIDTH, LABEL)
        for reset in row.resets:
            lines += _wrap("dim", reset, LABEL_WIDTH, LABEL)
        if row.priority:
            lines += _wrap("dim", f"{self.say('priority', 'приоритет')} {short(row.priority)}", LABEL_WIDTH, LABEL)
        return lines

    def svg(self) -> str:
        rows = self.summary.structures
        first = next(number for number, row in enumerate(rows) if row.initial)
        layout = lay_out(self.boxes, self.arrows, first)
        width, height = layout.width + 2 * MARGIN, layout.height + 2 * MARGIN + START
        title = self.say("Structures and transitions", "Структуры и переходы")
        name = escape(f"{title}: {self.summary.name}")
        return "\n".join(
            (
                f'<svg xmlns="http://www.w3.org/2000/svg" class="sistel-graph" role="img" aria-label="{name}" '
                f'lang="{self.lang}" width="{width:.0f}" height="{height:.0f}" '
                f'viewBox="{-MARGIN:.0f} {-MARGIN - START:.0f} {width:.0f} {height:.0f}">',
                f"<title>{name}</title>",
                f"<style>\n{painted(_STYLE)}</style>",
                f"<defs>{_tip('tip')}{_tip('begin-tip')}</defs>",
                f'<rect class="paper" x="{-MARGIN:.0f}" y="{-MARGIN - START:.0f}" width="100%" height="100%"/>',
                *(f'<path class="line" d="{arrow.path}" marker-end="url(#sistel-tip)"/>' for arrow in layout.arrows),
                *self.draw_boxes(layout, first),
                *self.draw_labels(layout),
                "</svg>\n",
            )
        )

    def draw_boxes(self, layout: Layout, first: int) -> list[str]:
        made = []
        box = layout.boxes[first]
        made.append(
            f'<circle class="begin-dot" cx="{box.x:.1f}" cy="{box.top - START + 6:.1f}" r="5"/>'
            f'<path class="begin" d="M{box.x:.1f},{box.top - START + 6:.1f}V{box.top:.1f}" '
            f'marker-end="url(#sistel-begin-tip)"/>'
        )
        for number, (item, lines) in enumerate(zip(layout.boxes, self.texts, strict=True)):
            if number >= len(self.summary.structures):
                made.append(_group(item, "any", 12.0, lines, ""))
                continue
            row = self.summary.structures[number]
            parts = [row.name, f"{row.structure_class} — {class_words(row.structure_class, self.lang)}"]
            if number == first:
                parts.append(self.say("the initial structure", "начальная структура"))
            if row.holds:
                parts.append(f"{self.say('holds', 'держит')}: {', '.join(row.holds)}")
            style = "box initial" if number == first else "box"
            made.append(_group(item, style, 12.0, lines, "\n".join((*parts, *row.why_not))))
        return made

    def draw_labels(self, layout: Layout) -> list[str]:
        made = []
        for arrow, (row, lines) in zip(layout.arrows, self.labels, strict=True):
            whole = f"{', '.join(row.sources) or self.say('any', 'любая')} → {row.target}\n{row.condition}"
            made.append(_group(arrow.label, "label", 6.0, lines, whole))
        return made


def _tip(name: str) -> str:
    return (
        f'<marker id="sistel-{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" '
        f'markerUnits="userSpaceOnUse" orient="auto"><path class="{name}" d="M0,0.8L10,5L0,9.2L2.4,5z"/></marker>'
    )


def _box(lines: Sequence[Line], least: float, padding: float) -> Item:
    width = max((width_of(text, _size(style), style == "name") for style, text in lines), default=0.0)
    return Item(max(least, width + 2 * padding), sum(_leading(style) for style, _ in lines) + 1.4 * padding)


def _group(item: Item, style: str, radius: float, lines: Sequence[Line], title: str) -> str:
    """A rounded box with lines of text in its middle."""
    y = item.y - sum(_leading(line) for line, _ in lines) / 2
    texts = []
    for line, text in lines:
        texts.append(
            f'<text class="{line}" x="{item.x:.1f}" y="{y + 0.76 * _leading(line):.1f}" text-anchor="middle">'
            f"{escape(text)}</text>"
        )
        y += _leading(line)
    told = f"<title>{escape(title)}</title>" if title else ""
    return (
        f'<g>{told}<rect class="{style}" x="{item.x - item.width / 2:.1f}" y="{item.top:.1f}" '
        f'width="{item.width:.1f}" height="{item.height:.1f}" rx="{radius:g}"/>{"".join(texts)}</g>'
    )


def _size(style: str) -> float:
    return NAME if style == "name" else SMALL


def _leading(style: str) -> float:
    """Height of a line [px]."""
    return 1.32 * _size(style)


def _wrap(style: str, text: str, width: float, size: float) -> list[Line]:
    """A text in as few lines as the width allows, all about equally long."""
    bold = style == "name"
    words = _words(text)
    longest = max((width_of(word, size, bold) for word in words), default=0.0)
    lines = _break(words, width, size, bold)
    for part in (0.55, 0.65, 0.75, 0.85, 0.92):
        narrow = _break(words, part * width, size, bold)
        if len(narrow) <= len(lines) and longest <= part * width:
            lines = narrow
            break
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], lines[MOST_LINES - 1] + " …"]
    return [(style, line) for line in lines]


def _words(text: str) -> list[str]:
    """The words of a text; a number and its unit are one."""
    words: list[str] = []
    for word in text.split():
        unit = re.split(r"[*/^]", word.rstrip("),"))[0] in UNIT_BY_WORD
        if words and unit and words[-1][-1:].isdigit():
            words[-1] += f" {word}"
        else:
            words.append(word)
    return words


def _break(words: Sequence[str], width: float, size: float, bold: bool) -> list[str]:
    """Words in lines; those that are too long themselves are cut."""
    lines: list[str] = []
    for word in words:
        if lines and width_of(f"{lines[-1]} {word}", size, bold) <= width:
            lines[-1] += f" {word}"
            continue
        while width_of(word, size, bold) > width and len(word) > 1:
            cut = next(n for n in range(len(word), 0, -1) if n == 1 or width_of(word[:n], size, bold) <= width)
            lines.append(word[:cut])
            word = word[cut:]
        if word:
            lines.append(word)
    return lines
