"""Sheets of Office Open XML: ECMA-376, part 1, chapter 18."""

from __future__ import annotations

import posixpath
import re

from sistel.markup.tables._grid import CellKind, Filling, Grid, Joined, plain_text
from sistel.markup.tables._zipped import Book

WORKBOOK = "xl/workbook.xml"
_RELATIONS = "xl/_rels/workbook.xml.rels"
_DATES = frozenset((*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)))
"""Formats of dates and times that every program knows, section 18.8.30."""
_PERCENTS = frozenset((9, 10))
_NAME = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_LETTERS = re.compile(r'"[^"]*"|\\.|\[[^\]]*\]|_.|\*.')
"""What is only shown, in a format of numbers."""


def read_xlsx(book: Book) -> list[Grid]:
    """All sheets."""
    targets = {
        attributes.get("Id", ""): attributes.get("Target", "")
        for what, name, attributes in book.steps(_RELATIONS)
        if what == "begin" and name == "Relationship"
    }
    sheets = [
        (attributes.get("name", ""), targets.get(attributes.get("id", ""), ""))
        for what, name, attributes in book.steps(WORKBOOK)
        if what == "begin" and name == "sheet"
    ]
    words = _shared_words(book) if "xl/sharedStrings.xml" in book else []
    kinds = _kinds(book) if "xl/styles.xml" in book else []
    grids = []
    for name, target in sheets:
        part = target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join("xl", target))
        if part in book and part.startswith("xl/worksheets/"):
            grids.append(_Sheet(book, words, kinds).read(name, part))
    return grids


def _shared_words(book: Book) -> list[str]:
    """Texts that cells name by their number."""
    made: list[str] = []
    pieces: list[str] = []
    inside = aside = False
    for what, name, _ in book.steps("xl/sharedStrings.xml"):
        if what == "text":
            if inside and not aside:
                pieces.append(name)
        elif name == "t":
            inside = what == "begin"
        elif name == "rPh":  # how a text is spoken
            aside = what == "begin"
        elif name == "si" and what == "end":
            made.append(plain_text(pieces))
            pieces = []
    return made


def _kinds(book: Book) -> list[CellKind]:
    """What numbers mean in each of the styles."""
    codes: dict[str, str] = {}
    made: list[CellKind] = []
    inside = False
    for what, name, attributes in book.steps("xl/styles.xml"):
        if name == "cellXfs":
            inside = what == "begin"
        elif what == "begin" and name == "numFmt":
            codes[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
        elif what == "begin" and name == "xf" and inside:
            made.append(_kind(attributes.get("numFmtId", "0"), codes))
    return made


def _kind(number: str, codes: dict[str, str]) -> CellKind:
    code = _LETTERS.sub("", codes.get(number, "")).casefold()
    if code in ("general", "основной"):
        return "plain"
    known = int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else 0
    if any(letter in code for letter in "ymdhs") or (not code and known in _DATES):
        return "date"
    return "percent" if "%" in code or (not code and known in _PERCENTS) else "plain"


class _Sheet:
    def __init__(self, book: Book, words: list[str], kinds: list[CellKind]) -> None:
        self.book, self.words, self.kinds = book, words, kinds
        self.filling = Filling(book.source)
        self.row, self.column = -1, -1

    def read(self, name: str, part: str) -> Grid:
        """The cells of a sheet."""
        cell: dict[str, str] = {}
        pieces: dict[str, list[str]] = {}
        reading = ""
        aside = False
        for what, tag, attributes in self.book.steps(part):
            if what == "text":
                if reading and not aside:
                    pieces.setdefault(reading, []).append(tag)
            elif tag == "row" and what == "begin":
                self._to_row(attributes.get("r", ""))
            elif tag == "c" and what == "begin":
                cell, pieces = attributes, {}
                self._to_cell(attributes.get("r", ""))
            elif tag == "c":
                self._fill(cell, {key: plain_text(each) for key, each in pieces.items()})
            elif tag in ("v", "t", "f"):
                reading = tag if what == "begin" else ""
            elif tag == "rPh":
                aside = what == "begin"
            elif tag == "mergeCell" and what == "begin":
                self._join(attributes.get("ref", ""))
        return self.filling.sheet(name)

    def _to_row(self, name: str) -> None:
        self.row = int(name) - 1 if name.isascii() and name.isdecimal() and len(name) < 9 else self.row + 1
        self.column = -1
        self.filling.check(self.row, 0)

    def _to_cell(self, name: str) -> None:
        found = _place(name)
        if found is None:
            self.column += 1
        else:
            self.row, self.column = found
        self.filling.check(self.row, self.column)

    def _fill(self, cell: dict[str, str], texts: dict[str, str]) -> None:
        sort, value = cell.get("t", "n"), texts.get("v", "")
        kind: CellKind = "plain"
        if sort == "s":
            number = int(value) if value.isascii() and value.isdecimal() and len(value) < 9 else -1
            value = self.words[number] if 0 <= number < len(self.words) else "#"
        elif sort == "inlineStr":
            value = texts.get("t", "")
        elif sort in ("b", "e", "d"):
            kind = {"b": "truth", "e": "error", "d": "date"}[sort]  # type: ignore[assignment]
        elif sort == "n" and value:
            style = cell.get("s", "")
            at = int(style) if style.isascii() and style.isdecimal() and len(style) < 9 else -1
            kind = self.kinds[at] if 0 <= at < len(self.kinds) else "plain"
        if not value and "f" in texts:
            value, kind = "=" + texts["f"], "uncomputed"
        if value:
            self.filling.fill(self.row, self.column, value, kind)

    def _join(self, reference: str) -> None:
        first, _, last = reference.partition(":")
        a, b = _place(first), _place(last)
        if a is not None and b is not None:
            self.filling.join(Joined(a[0], a[1], b[0] - a[0] + 1, b[1] - a[1] + 1))


def _place(name: str) -> tuple[int, int] | None:
    """Row and column of a cell by its name, both from 0."""
    found = _NAME.fullmatch(name.replace("$", ""))
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - ord("A") + 1
    return int(found[2]) - 1, column - 1
