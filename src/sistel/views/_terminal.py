"""Summary → a page for a terminal, at any width, with or without colours."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from sistel.errors import Language
from sistel.views import _tables
from sistel.views._summary import Summary, TransitionRow, class_words
from sistel.views._tables import LIMIT, Table
from sistel.views._tree import DEEPEST, tree_lines

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table as RichTable
    from rich.text import Text as RichText

NARROWEST = 40
"""Pages are laid out for at least this many columns."""


def show_text(
    summary: Summary,
    lang: Language,
    *,
    width: int,
    colour: bool = False,
    everything: bool = False,
    structure: str | None = None,
    only_graph: bool = False,
) -> str:
    """The page of a system.

    Args:
        summary: What to show.
        lang: Language of the headings.
        width: Columns of the terminal.
        colour: Whether the terminal understands ANSI codes.
        everything: Whether to show all rows of long tables.
        structure: Name of the structure to show; all of them without a name.
        only_graph: Whether to show nothing but the structures and the transitions.
    """
    page = _Page(summary, lang, width, None if everything else LIMIT, structure)
    parts = page.graph() if only_graph else page.parts()
    return render(list(parts), width=width, colour=colour)


def show_table(table: Table, *, width: int, colour: bool = False) -> str:
    """One table, without its title."""
    return render([_rich_table(table)], width=width, colour=colour)


def render(parts: Sequence[RenderableType], *, width: int, colour: bool) -> str:
    """Pieces of a page as text, without blanks at the ends of lines."""
    console = _console(width, colour)
    for part in parts:
        console.print(part)
    file = console.file
    assert isinstance(file, io.StringIO)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def _console(width: int, colour: bool) -> Console:
    from rich.console import Console

    return Console(
        file=io.StringIO(),
        width=max(width, NARROWEST),
        force_terminal=colour,
        color_system="standard" if colour else None,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
    )


class _Page:
    def __init__(self, summary: Summary, lang: Language, width: int, limit: int | None, structure: str | None) -> None:
        self.summary = summary
        self.lang = lang
        self.width = max(width, NARROWEST)
        self.limit = limit
        self.structures = tuple(row for row in summary.structures if structure in (None, row.name))
        self.transitions = tuple(
            row
            for row in summary.transitions
            if structure is None or row.target == structure or structure in row.sources or not row.sources
        )
        held = {name for row in self.structures for name in row.holds}
        self.links = tuple(row for row in summary.links if structure is None or row.name in held)
        self.one = structure

    def parts(self) -> Iterator[RenderableType]:
        summary, lang, limit = self.summary, self.lang, self.limit
        yield from self.heading()
        yield from self.tree()
        yield from self.bodies()
        if self.links:
            yield from self.table(_tables.link_table(summary, self.links, lang, limit))
        yield from self.graph()
        if summary.motors:
            yield from self.table(_tables.motor_table(summary.motors, lang, limit))
        if summary.parameters:
            yield from self.table(_tables.parameter_table(summary.parameters, lang, limit))
        if summary.start:
            yield from self.table(_tables.start_table(summary, lang, limit))
        if summary.counts:
            yield self.title(self.say("Also", "Ещё"))
            yield _text(_tables.others(summary, lang))

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def title(self, words: str) -> RichText:
        return _text("\n", (words, "bold cyan"))

    def heading(self) -> Iterator[RenderableType]:
        summary = self.summary
        yield _text((summary.name, "bold"))
        if summary.about:
            yield _text((summary.about, "italic"))
        yield _text((summary.structure_class, "bold green"), " — ", summary.class_words)
        facts = list(_tables.facts(summary, self.lang))
        if self.one is not None:
            row = self.structures[0]
            words = f"{row.structure_class} — {class_words(row.structure_class, self.lang)}"
            yield _text(self.say("structure ", "структура "), (row.name, "bold"), f": {words}")
            freedoms = self.say("degrees of freedom", "степеней свободы")
            facts = [(word, str(row.dof) if word == freedoms else value) for word, value in facts]
        yield self.facts(facts)
        if not summary.declared:
            for reason in summary.structures[0].why_not:
                yield _text((self.say("cannot be simulated: ", "не моделируется: "), "yellow"), reason)

    def facts(self, facts: Sequence[tuple[str, str]]) -> RichText:
        """Facts in a row, a new line where the next one does not fit."""
        line, used = _text(), 0
        for word, value in facts:
            size = len(word) + len(value) + 1
            start = not used or used + 3 + size > self.width
            line.append(("\n" if used else "") if start else " · ", style="dim")
            line.append(f"{word} " if word else "", style="dim").append(value)
            used = size if start else used + 3 + size
        return line

    def tree(self) -> Iterator[RenderableType]:
        lang, bodies = self.lang, self.summary.bodies
        drawing = _text(("0 ", "dim"), _tables.ground(lang))
        deepest = min(DEEPEST, max(2, (self.width - 30) // 3))
        for line in islice(tree_lines(self.summary, deepest), self.limit):
            body = line.body
            drawing.append(f"\n{line.prefix}", style="dim").append(f"{body.number} ", style="dim")
            drawing.append(body.name, style="bold").append(" · ", style="dim")
            drawing.append(_tables.joint_words(body.joint, body.axis, lang), style="green")
            if body.joint_name != body.name:
                drawing.append(f" {body.joint_name}", style="dim")
            if line.far:
                drawing.append(f" ← {body.base}", style="dim")
        yield self.title(self.say("Tree of bodies", "Дерево тел"))
        drawing.no_wrap, drawing.overflow = True, "ellipsis"
        yield drawing
        if self.limit is not None and len(bodies) > self.limit:
            yield self.more(len(bodies) - self.limit)
        yield _text((self.say("base list (СНБТ) ", "СНБТ "), "dim"), _tables.base_list(self.summary, self.limit))

    def bodies(self) -> Iterator[RenderableType]:
        """One table where it fits, else two."""
        whole, geometry, masses = _tables.body_tables(self.summary, self.lang, self.limit)
        from rich.measure import Measurement

        console = _console(10_000, False)
        fits = Measurement.get(console, console.options, _rich_table(whole)).maximum <= self.width
        for table in (whole,) if fits else (geometry, masses):
            if len(table.columns) > 2:
                yield from self.table(table)

    def graph(self) -> Iterator[RenderableType]:
        """Structures and transitions; nothing where the file names no structures."""
        if not self.summary.declared:
            return
        yield from self.table(_tables.structure_table(self.structures, self.lang, self.limit))
        if len(self.summary.structures) > 1 and any(row.initial for row in self.structures) and self.one is None:
            yield _text((self.say("◂ the initial structure", "◂ начальная структура"), "dim"))
        if self.transitions:
            yield self.title(self.say("Transitions", "Переходы"))
            for row in self.transitions[: self.limit]:
                yield self.transition(row)
            if self.limit is not None and len(self.transitions) > self.limit:
                yield self.more(len(self.transitions) - self.limit)

    def transition(self, row: TransitionRow) -> RenderableType:
        from rich.console import Group
        from rich.padding import Padding
        from rich.table import Table as RichTable

        sources = ", ".join(row.sources) or self.say("any", "любая")
        head = _text((sources, "bold"), (" ──▶ ", "green"), (row.target, "bold"))
        lines = RichTable.grid(padding=(0, 1))
        lines.add_column(style="dim", no_wrap=True)
        lines.add_column()
        lines.add_row(self.say("when", "когда"), _text(row.condition))
        impact = _tables.impact_words(row.impact, row.restitution, self.lang)
        if row.impact != "none":
            lines.add_row(self.say("impact", "удар"), _text(impact))
        if row.resets:
            lines.add_row(self.say("sets", "задаёт"), _text("; ".join(row.resets)))
        if row.priority:
            lines.add_row(self.say("priority", "приоритет"), _text(_tables.short(row.priority)))
        return Group(head, Padding(lines, (0, 0, 0, 2)))

    def table(self, table: Table) -> Iterator[RenderableType]:
        yield self.title(table.title)
        yield _rich_table(table)
        if table.hidden:
            yield self.more(table.hidden)

    def more(self, hidden: int) -> RenderableType:
        return _text((_tables.more(hidden, self.lang), "yellow"))


def _text(*pieces: str | tuple[str, str]) -> RichText:
    from rich.text import Text as RichText

    return RichText.assemble(*pieces)


def _rich_table(table: Table) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable

    made = RichTable(
        box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        pad_edge=False,
        show_edge=False,
        header_style="dim",
        border_style="dim",
    )
    for index, column in enumerate(table.columns):
        made.add_column(
            _text(column.title),
            justify=column.align,
            no_wrap=column.keep,
            overflow="ellipsis" if column.keep else "fold",
            style="bold" if index == 0 and column.align == "left" else "",
        )
    for row in table.rows:
        made.add_row(*map(_text, row))
    return made
