"""A report that grows block by block: numbers of tables and figures, letters as the language prints them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from sistel._version import __version__
from sistel.errors import Language, Text
from sistel.views.reports._document import (
    Block,
    Cell,
    Facts,
    Figure,
    Formula,
    Heading,
    Math,
    Paragraph,
    Report,
    ReportColumn,
    ReportTable,
    Tone,
)
from sistel.views.reports._layout import screen_height
from sistel.views.reports._pictures import printable, too_wide, turned
from sistel.views.reports._typography import LONGEST, LONGEST_SENTENCE, broken, numerals, shortened, spaced, words
from sistel.views.text import clean

if TYPE_CHECKING:
    from sistel.views.text import Table

SHRUNK = 1.4
"""How much larger a picture may be than its place before it gets a page to itself: its letters would be too small."""
TALLEST = 225.0
"""Of a picture that has a page to itself [mm]."""


class Builder:
    """Collects the blocks of a report."""

    def __init__(self, lang: Language) -> None:
        self.lang = lang
        self.blocks: list[Block] = []
        self.cut = False
        """Whether some text was too long, and was shortened."""
        self._tables = self._figures = 0
        self._sections = [0, 0]

    def say(self, en: str, ru: str) -> str:
        """Words in the language of the report."""
        return ru if self.lang == "ru" else en

    def part(self, text: Text, *, apart: bool) -> None:
        """A heading without a number, which begins a page where it stands apart."""
        self.blocks.append(Heading(broken(self.short(text.say(self.lang))), 1, apart))

    def heading(self, text: Text, level: Literal[1, 2] = 1) -> None:
        """A numbered heading."""
        self._sections = [self._sections[0] + 1, 0] if level == 1 else [self._sections[0], self._sections[1] + 1]
        number = ".".join(map(str, self._sections[:level]))
        said = text.say(self.lang)
        self.blocks.append(Heading(f"{number}  {broken(self.short(said[:1].upper() + said[1:]))}", level))

    def paragraph(self, text: Text | str, tone: Tone = "plain") -> None:
        """Sentences."""
        said = text if isinstance(text, str) else text.say(self.lang)
        if said:
            self.blocks.append(Paragraph(words(said, self.lang), tone))

    def facts(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Facts, whose values are numbers or words."""
        self.blocks.append(Facts(pairs=self.fact_pairs(pairs)))

    def fact_pairs(self, pairs: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
        """Facts as the language prints them."""
        return tuple((word, self.cell(value)) for word, value in pairs)

    def figure(self, svg: str, caption: Text | str, height: float = 120.0, *, numbered: bool = True) -> None:
        """A picture, with a number in its caption."""
        self._figures += numbered
        made = printable(svg)
        if too_wide(made):
            made, height = turned(made), TALLEST
        elif screen_height(made) > SHRUNK * height:
            height = TALLEST
        said = words(self.short(caption if isinstance(caption, str) else caption.say(self.lang)), self.lang)
        label = self.say(f"Figure {self._figures}. ", f"Рисунок {self._figures} — ")
        self.blocks.append(Figure(svg=made, caption=label + said if numbered else said, height=height))

    def figures_ahead(self, count: int) -> Text:
        """A sentence that names the figures that come next."""
        first, last = self._figures + 1, self._figures + count
        if count == 1:
            return Text(f"Figure {first}.", f"Рисунок {first}.")
        return Text(f"Figures {first} to {last}.", f"Рисунки {first}–{last}.")

    def formula(self, formula: Formula) -> None:
        """A relation."""
        self.blocks.append(formula)

    def table(self, table: Table, *, code: Sequence[str] = (), title: Text | None = None) -> None:
        """A table of those that terminals show; nothing where it has no rows.

        Args:
            table: Its cells are clean.
            code: Titles of the columns that hold expressions.
            title: Another title than its own.
        """
        columns = [
            ReportColumn(
                title=column.title,
                kind="code" if column.title in code else "numbers" if column.align == "right" else "words",
                keep=column.keep,
            )
            for column in table.columns
        ]
        named = table.title if title is None else title.say(self.lang)
        # The first column that holds words holds names, which are never numbers; a number of a body comes before it.
        first = next((i for i, column in enumerate(table.columns) if column.align == "left"), 0)
        self.rows(named, columns, table.rows, keys=min(first, 1) + 1, names=first)
        if table.hidden:
            self.paragraph(Text(f"… and {table.hidden} more", f"… и ещё {table.hidden}"), "dim")

    def rows(
        self,
        title: str,
        columns: Sequence[ReportColumn],
        rows: Sequence[Sequence[Cell]],
        *,
        keys: int = 1,
        names: int = -1,
        numbered: bool = True,
        tall: float = 0.0,
    ) -> None:
        """A table, with a number in its title; nothing where it has no rows.

        Args:
            title: Its title.
            columns: Its columns.
            rows: Their cells.
            keys: Columns that every part of a divided table begins with.
            names: The column of names.
            numbered: Whether its title has a number.
            tall: Height of its rows at least [mm].
        """
        if not rows:
            return
        self._tables += numbered
        label = self.say(f"Table {self._tables}. ", f"Таблица {self._tables} — ") if numbered else ""
        made = tuple(
            tuple(
                self.cell(cell, names=i == names, code=columns[i].kind == "code") if isinstance(cell, str) else cell
                for i, cell in enumerate(row)
            )
            for row in rows
        )
        heads = tuple(replace(column, title=broken(self.short(column.title))) for column in columns)
        self.blocks.append(
            ReportTable(
                title=(label if numbered else "") + words(self.short(title), self.lang),
                columns=heads,
                rows=made,
                keys=keys,
                tall=tall,
            )
        )

    def cell(self, text: str, *, names: bool = False, code: bool = False) -> str:
        """The text of a cell; names and expressions stay as they are."""
        made = self.short(text, LONGEST if names else LONGEST_SENTENCE)
        return broken(made if names or code else numerals(made, self.lang))

    def short(self, text: str, most: int = LONGEST) -> str:
        """A text that is not too long for a page; that something is missing is said at the end."""
        self.cut = self.cut or len(text) > most
        return shortened(clean(spaced(text)), most)

    def report(self, kind: Text, title: str, about: str, facts: Sequence[tuple[str, str]]) -> Report:
        """The whole of it."""
        pairs, shown = self.fact_pairs(facts), broken(self.short(title))
        if self.cut:
            self.paragraph(
                Text(
                    f"Names of more than {LONGEST} letters, and texts of more than {LONGEST_SENTENCE}, are shortened "
                    "here (…); the file has them whole.",
                    f"Имена длиннее {LONGEST} букв и тексты длиннее {LONGEST_SENTENCE} здесь сокращены (…); полностью "
                    "они есть в файле.",
                ),
                "dim",
            )
        return Report(
            kind=kind.say(self.lang),
            title=shown,
            about=words(about, self.lang),
            lang=self.lang,
            facts=pairs,
            blocks=tuple(self.blocks),
            made=f"sistel {__version__}",
        )


def sign(row: str) -> Math:
    """A cell with a formula."""
    return Math(row)
