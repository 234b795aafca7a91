"""What a report consists of: headings, paragraphs, tables, figures and formulas, before anybody sets them.

It is made once, and three writers set it: Typst, XSL-FO, HTML. Texts are final, in one language, and plain: writers
escape them, and know nothing of mechanics. Sizes are in millimetres of an A4 page.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from sistel.errors import Language
from sistel.records import entry, record

WIDTH, HEIGHT = 170.0, 247.0
"""Of what is printed on a page [mm]."""


@entry
class Math:
    """A row of MathML: a sign in a cell, or a part of a formula."""

    row: str


Cell: TypeAlias = str | Math
Tone = Literal["plain", "dim", "good", "bad", "note", "code"]
Kind = Literal["words", "numbers", "code"]


@entry
class Heading:
    """A heading; those of level 1 begin what the contents list."""

    text: str
    level: Literal[1, 2]
    apart: bool = False
    """Whether it begins a page."""


@entry
class Paragraph:
    """Some sentences."""

    text: str
    tone: Tone = "plain"


@record
class ReportColumn:
    """A column of a table."""

    title: str
    kind: Kind = "words"
    """How its cells are set: numbers stand to the right and are never broken."""
    keep: bool = False
    """Whether its cells stay on one line where others wrap."""
    room: float = 0.0
    """Its width at least, to write by hand [mm]."""


@record
class ReportTable:
    """A table, which may be longer than a page and wider than one: the layout divides it."""

    title: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    keys: int = 1
    """Columns that every part of a divided table begins with."""
    tall: float = 0.0
    """Height of its rows at least, to write by hand [mm]; their words stand at the bottom."""


@record
class Facts:
    """Short facts, a word and a value each."""

    pairs: tuple[tuple[str, str], ...]


@record
class Figure:
    """A picture in SVG."""

    svg: str
    caption: str
    width: float = WIDTH
    """At most [mm]."""
    height: float = 120.0
    """At most [mm]."""


@record
class Formula:
    """A relation: its lines, or a matrix."""

    head: str
    """What stands before the first line, with the sign of equality, in MathML."""
    lines: tuple[str, ...] = ()
    matrix: tuple[tuple[str, ...], ...] = ()


Block: TypeAlias = Heading | Paragraph | ReportTable | Facts | Figure | Formula


@record
class Report:
    """A document in one language."""

    kind: str
    """What it is, above the title."""
    title: str
    about: str
    lang: Language
    facts: tuple[tuple[str, str], ...]
    blocks: tuple[Block, ...]
    made: str
    """What made it, for the foot of every page."""
