"""Summary → a page for a terminal, at any width, with or without colours."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from sistel.errors import Language
from sistel.views.text import _tables
from sistel.views.text._numbers import short
from sistel.views.text._paper import Paper, Piece, fits
from sistel.views.text._rows import Summary, TransitionRow
from sistel.views.text._summary import class_words
from sistel.views.text._tables import LIMIT, Table
from sistel.views.text._tree import DEEPEST, tree_lines


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
    page = _Page(summary, lang, Paper(width, colour), None if everything else LIMIT, structure)
    if only_graph:
        page.graph()
    else:
        page.everything()
    return page.paper.text()


def show_table(table: Table, *, width: int, colour: bool = False) -> str:
    """One table, without its title."""
    paper = Paper(width, colour)
    paper.table(table)
    return paper.text()


class _Page:
    def __init__(
        self, summary: Summary, lang: Language, paper: Paper, limit: int | None, structure: str | None
    ) -> None:
        self.summary = summary
        self.lang = lang
        self.paper = paper
        self.limit = limit
        self.one = structure
        self.structures = tuple(row for row in summary.structures if structure in (None, row.name))
        self.transitions = tuple(
            row
            for row in summary.transitions
            if structure is None or structure in (row.target, *row.sources) or not row.sources
        )
        held = {name for row in self.structures for name in row.holds}
        self.links = tuple(row for row in summary.links if structure is None or row.name in held)

    def everything(self) -> None:
        summary, lang, limit = self.summary, self.lang, self.limit
        self.heading()
        self.tree()
        self.bodies()
        self.table(_tables.link_table(summary, self.links, lang, limit))
        self.graph()
        self.table(_tables.motor_table(summary.motors, lang, limit))
        for table in _tables.scheme_tables(summary.schemes, lang, limit):
            self.table(table)
        self.table(_tables.parameter_table(summary.parameters, lang, limit))
        self.table(_tables.start_table(summary, lang, limit))
        if summary.counts:
            self.title(self.say("Also", "Ещё"))
            self.paper.write(_tables.others(summary, lang))

    def say(self, en: str, ru: str) -> str:
        return ru if self.lang == "ru" else en

    def title(self, words: str) -> None:
        if self.paper.lines:
            self.paper.blank()
        self.paper.write((words, "title"))

    def heading(self) -> None:
        summary, write = self.summary, self.paper.write
        write((summary.name, "bold"))
        if summary.about:
            write((summary.about, "italic"))
        write((summary.structure_class, "strong"), " — ", summary.class_words)
        facts = _tables.facts(summary, self.lang)
        if self.one is not None:
            row = self.structures[0]
            words = f"{row.structure_class} — {class_words(row.structure_class, self.lang)}"
            write(self.say("structure ", "структура "), (row.name, "bold"), f": {words}")
            freedoms = _tables.freedoms(self.lang)
            told = _tables.freedom_words([row.dof], [row.places], self.lang)
            facts = tuple((word, told if word == freedoms else value) for word, value in facts)
        self.facts(facts)
        if not summary.declared:
            for reason in summary.structures[0].why_not[: self.limit]:
                write((self.say("cannot be simulated: ", "не моделируется: "), "yellow"), reason, indent=2)

    def facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Facts in a row, a new line where the next one does not fit."""
        line: list[Piece] = []
        separator, used = " · ", 0
        for word, value in facts:
            size = len(word) + bool(word) + len(value)
            if line and used + len(separator) + size > self.paper.width:
                self.paper.write(*line)
                line, used = [], 0
            if line:
                line.append((separator, "dim"))
                used += len(separator)
            line += [(f"{word} " if word else "", "dim"), value]
            used += size
        self.paper.write(*line)

    def tree(self) -> None:
        lang, bodies, paper = self.lang, self.summary.bodies, self.paper
        self.title(self.say("Tree of bodies", "Дерево тел"))
        paper.line(("0 ", "dim"), _tables.ground(lang))
        deepest = min(DEEPEST, max(2, (paper.width - 30) // 3))
        for line in islice(tree_lines(self.summary, deepest), self.limit):
            body = line.body
            joint = _tables.joint_words(body.joint, body.axis, lang)
            named = f" {body.joint_name}" if body.joint_name != body.name else ""
            base = f" ← {body.base}" if line.far else ""
            paper.line(
                (f"{line.prefix}{body.number} ", "dim"),
                (body.name, "bold"),
                (" · ", "dim"),
                (joint, "green"),
                (named + base, "dim"),
            )
        if self.limit is not None and len(bodies) > self.limit:
            self.more(len(bodies) - self.limit)
        paper.write((self.say("base list (СНБТ) ", "СНБТ "), "dim"), _tables.base_list(self.summary, self.limit))

    def bodies(self) -> None:
        """One table where it fits, else two."""
        whole, geometry, masses = _tables.body_tables(self.summary, self.lang, self.limit)
        for table in (whole,) if fits(whole, self.paper.width) else (geometry, masses):
            if len(table.columns) > 2:
                self.table(table)

    def graph(self) -> None:
        """Structures and transitions; nothing where the file names no structures."""
        if not self.summary.declared:
            return
        self.table(_tables.structure_table(self.structures, self.lang, self.limit))
        if len(self.structures) > 1:
            self.paper.write((self.say("◂ the initial structure", "◂ начальная структура"), "dim"))
        if self.transitions:
            self.title(self.say("Transitions", "Переходы"))
            for row in self.transitions[: self.limit]:
                self.transition(row)
            if self.limit is not None and len(self.transitions) > self.limit:
                self.more(len(self.transitions) - self.limit)

    def transition(self, row: TransitionRow) -> None:
        sources = ", ".join(row.sources) or self.say("any", "любая")
        self.paper.write((sources, "bold"), (" ──▶ ", "green"), (row.target, "bold"), indent=2)
        lines = [(self.say("when", "когда"), row.condition)]
        if row.impact != "none":
            lines.append((self.say("impact", "удар"), _tables.impact_words(row.impact, row.restitution, self.lang)))
        if row.resets:
            lines.append((self.say("sets", "задаёт"), "; ".join(row.resets)))
        if row.priority:
            lines.append((self.say("priority", "приоритет"), short(row.priority)))
        column = max(len(word) for word, _ in lines)
        for word, text in lines:
            self.paper.write((f"  {word:{column}} ", "dim"), text, indent=column + 3)

    def table(self, table: Table) -> None:
        if not table.rows:
            return
        self.title(table.title)
        self.paper.table(table)
        if table.hidden:
            self.more(table.hidden)

    def more(self, hidden: int) -> None:
        self.paper.write((_tables.more(hidden, self.lang), "yellow"))
