"""Lines and tables for a terminal: wrapped to its width, with or without colours.

Our own rather than a library's: ten thousand rows take a fraction of a second, and the same page comes out everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Literal

from sistel.errors import Language
from sistel.views.text._numbers import clean
from sistel.views.text._tables import Table, more

Style = Literal["", "bold", "dim", "italic", "title", "green", "strong", "yellow"]
Piece = str | tuple[str, Style]
"""Words, with or without a style."""

NARROWEST = 40
"""Pages are laid out for at least this many columns."""
GAP = 2
"""Blanks between the columns of a table."""

_CODES: dict[Style, str] = {
    "bold": "1",
    "dim": "2",
    "italic": "3",
    "title": "1;36",
    "green": "32",
    "strong": "1;32",
    "yellow": "33",
}
# Everything that may be wider or narrower than one column.
_ODD = re.compile("[\u0300-\u036f\u0483-\u0489\u0591-\u115f\u200b-\u200f\u20d0-\u20f0\u231a-\u2b55\u2e80-\U000e01ef]")
_TOKENS = re.compile(r" +|[^ ]+")


def width_of(text: str) -> int:
    """How many columns a text takes: marks take none, Chinese characters and their like two."""
    if not _ODD.search(text):
        return len(text)
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def cut(text: str, width: int) -> str:
    """A text in at most so many columns, with … where something is missing."""
    if width_of(text) <= width:
        return text
    used, kept = 1, []
    for character in text:
        used += _columns(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept) + "…"


def wrap(text: str, width: int) -> list[str]:
    """A text as lines of at most so many columns, broken at blanks, or inside a word where it is too long."""
    if width_of(text) <= width:
        return [text]
    lines = [""]
    for word in text.split(" "):
        joined = f"{lines[-1]} {word}" if lines[-1] else word
        if width_of(joined) <= width:
            lines[-1] = joined
            continue
        if not lines[-1]:
            lines.pop()
        *whole, last = _chop(word, width)
        lines += [*whole, last]
    return lines


def _chop(word: str, width: int) -> list[str]:
    pieces, used = [""], 0
    for character in word:
        size = _columns(character)
        if used + size > width and pieces[-1]:
            pieces.append("")
            used = 0
        pieces[-1] += character
        used += size
    return pieces


class Paper:
    """A page that grows line by line."""

    def __init__(self, width: int, colour: bool) -> None:
        self.width = max(width, NARROWEST)
        self.colour = colour
        self.lines: list[str] = []

    def text(self) -> str:
        """The page; no line ends in blanks."""
        return "".join(f"{line.rstrip()}\n" for line in self.lines)

    def blank(self) -> None:
        """An empty line."""
        self.lines.append("")

    def name(self, text: str) -> None:
        """The name of a system, or of a part of it, above what is said of it."""
        self.write((clean(text), "bold"))

    def write(self, *pieces: Piece, indent: int = 0) -> None:
        """Words in a row; where they do not fit, the next lines start after `indent` blanks."""
        parts: list[str] = []
        used = 0
        for text, style in map(_styled, pieces):
            for token in _TOKENS.findall(text):
                size = width_of(token)
                if token[0] != " " and used + size > self.width:
                    if used > indent:
                        self.lines.append("".join(parts))
                        parts, used = [" " * indent], indent
                    *whole, token = _chop(token, self.width - indent)
                    for piece in whole:
                        self.lines.append("".join((*parts, self._paint(piece, style))))
                        parts, used = [" " * indent], indent
                    size = width_of(token)
                parts.append(self._paint(token, style))
                used += size
        self.lines.append("".join(parts))

    def line(self, *pieces: Piece) -> None:
        """Words in one line, cut at the edge of the page."""
        left, parts = self.width, []
        for text, style in map(_styled, pieces):
            shown = cut(text, left) if left > 0 else ""
            parts.append(self._paint(shown, style))
            left -= width_of(shown)
            if shown != text:
                break
        self.lines.append("".join(parts))

    def titled(self, table: Table, lang: Language, how: str = "") -> None:
        """A table under its title, and how many of its rows are not shown.

        Args:
            table: The table.
            lang: Of what is said below it.
            how: The option that shows the others, if there is one.
        """
        self.blank()
        self.write((table.title, "title"))
        self.table(table)
        if table.hidden:
            self.write((more(table.hidden, lang, how), "dim"))

    def table(self, table: Table) -> None:
        """The head and the rows of a table."""
        widths = fit(table, self.width)
        titles = [
            [cut(column.title, width)] if column.keep else wrap(column.title, width)
            for column, width in zip(table.columns, widths, strict=True)
        ]
        self.lines.extend(self._row(table, titles, widths, head=True))
        self.lines.append(self._paint("─" * (sum(widths) + GAP * (len(widths) - 1)), "dim"))
        for row in table.rows:
            cells = [
                [cut(cell, width)] if column.keep else wrap(cell, width)
                for cell, column, width in zip(row, table.columns, widths, strict=True)
            ]
            self.lines.extend(self._row(table, cells, widths))

    def _row(
        self, table: Table, cells: Sequence[Sequence[str]], widths: Sequence[int], head: bool = False
    ) -> Iterator[str]:
        for index in range(max(map(len, cells))):
            parts = []
            for number, (column, lines, width) in enumerate(zip(table.columns, cells, widths, strict=True)):
                text = lines[index] if index < len(lines) else ""
                blanks = " " * (width - width_of(text))
                name = number == 0 and column.align == "left"
                painted = self._paint(text, "dim" if head else "bold" if name else "")
                parts.append(blanks + painted if column.align == "right" else painted + blanks)
            yield (" " * GAP).join(parts)

    def _paint(self, text: str, style: Style) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.colour and style and text.strip() else text


def _styled(piece: Piece) -> tuple[str, Style]:
    return (piece, "") if isinstance(piece, str) else piece


def natural(table: Table) -> list[int]:
    """The widths that the columns would like to have."""
    return [
        max([width_of(column.title), *(width_of(row[index]) for row in table.rows)])
        for index, column in enumerate(table.columns)
    ]


def fits(table: Table, width: int) -> bool:
    """Whether a table needs no wrapping."""
    widths = natural(table)
    return sum(widths) + GAP * (len(widths) - 1) <= width


def fit(table: Table, width: int) -> list[int]:
    """Widths of the columns with which a table fits, as far as that is possible at all."""
    widths = natural(table)
    room = width - GAP * (len(widths) - 1)
    # First the columns that wrap give way, down to their longest word; then those that are cut; the widest first.
    for keep, least in ((False, 12), (True, 8), (False, 6), (True, 4)):
        for _ in range(1000):
            over = sum(widths) - room
            free = [i for i, column in enumerate(table.columns) if column.keep is keep and widths[i] > least]
            if over <= 0 or not free:
                break
            widest = max(free, key=widths.__getitem__)
            second = max((widths[i] for i in free if i != widest), default=least)
            widths[widest] -= min(over, max(1, widths[widest] - second))
            widths[widest] = max(widths[widest], least)
    return widths
