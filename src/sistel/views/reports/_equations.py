"""Equations of motion in readable notation; where they are too long for that, what they cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sistel.errors import SistelError, Text
from sistel.formulas import Equations, write_equations
from sistel.formulas.setting import (
    ZERO,
    Relation,
    RelationRows,
    Section,
    Symbol,
    general_rows,
    relation_rows,
    set_sections,
)
from sistel.views.page._equations import QUANTITIES, SIGNS
from sistel.views.reports._build import Builder, sign
from sistel.views.reports._document import Formula, ReportColumn
from sistel.views.reports._layout import formula_size
from sistel.views.reports._model import file_name
from sistel.views.reports._typography import numerals
from sistel.views.text import clean, short

if TYPE_CHECKING:
    from sistel.model import Model

LARGEST_PLANAR: Final = 12
LARGEST: Final = 7
"""Velocities of a planar and of a spatial system whose equations are written; of larger ones what they cost."""
WIDTH: Final = 80
"""Characters of a line."""
MOST_LINES: Final = 90
"""Lines of formulas that are printed: about four pages."""
LEFT_OUT: Final = frozenset({"bias", "driving", "reactions", "loads"})
"""Sections that say the same in another form."""
COUNTED: Final = 60
"""Velocities of a system whose operations are counted."""
SMALLEST: Final = 7.5
"""Of the letters of a matrix that is set as one [pt]."""


def add_equations(model: Model, builder: Builder) -> None:
    """The section of the equations of motion."""
    builder.heading(Text("Equations", "Уравнения"))
    if model.nv == 0:
        builder.paragraph(
            Text("Nothing moves here, so there are no equations.", "Здесь ничего не движется: уравнений нет.")
        )
        return
    reason = _write(model, builder)
    if reason is not None:
        builder.paragraph(reason, "dim")
    _counts(model, builder)


def _write(model: Model, builder: Builder) -> Text | None:
    """Write the equations of the initial structure; or say why not."""
    where = file_name(model) or "FILE"
    elsewhere = Text(
        f"The equations are too long for a page. To have them: sistel equations {where} --to html > equations.html",
        f"Уравнения слишком длинны для страницы. Получить их: sistel equations {where} --to html > equations.html",
    )
    if model.nv > (LARGEST_PLANAR if model.planar else LARGEST):
        return elsewhere
    try:
        equations = write_equations(model, model.structure())
    except SistelError as problem:
        said = problem.diagnostics[0].message
        return Text(f"No equations: {said.en}.", f"Уравнений нет: {said.ru}.")
    writer = _Writer(equations, builder)
    chosen = [part for part in writer.sections if part.key not in LEFT_OUT]
    if sum(writer.lines(part) for part in chosen) > MOST_LINES:
        # The masses alone are often short, and say most.
        chosen = [part for part in chosen if part.key in ("mass", "energy") and writer.lines(part) <= MOST_LINES // 3]
        if equations.lines:  # formulas by intermediate variables, without which nobody can read them
            chosen = []
        writer.begin()
        for part in chosen:
            writer.section(part)
        return elsewhere
    writer.begin()
    writer.symbols()
    for part in chosen:
        writer.section(part)
    writer.end(where)
    return None


class _Writer:
    def __init__(self, equations: Equations, builder: Builder) -> None:
        self.equations, self.builder = equations, builder
        self.sections, self.setter = set_sections(equations)

    def begin(self) -> None:
        """The equations of all systems, in matrices."""
        equations = self.equations
        if len(equations.model.structures) > 1:
            name = clean(equations.structure.name)
            self.builder.paragraph(
                Text(
                    f"Equations of the initial structure “{name}”; each structure has its own.",
                    f"Уравнения начальной структуры «{name}»; в каждой структуре они свои.",
                )
            )
        for row in general_rows(equations):
            self.builder.formula(Formula(head="", lines=(row,)))
        for note in equations.notes:
            self.builder.paragraph(note, "dim")

    def end(self, where: str) -> None:
        """Where the rest of it is."""
        self.builder.paragraph(
            Text(
                f"Loads of the joints, forces at zero acceleration, and the same as LaTeX, Maxima, Python or C: "
                f"sistel equations {where} --to html > equations.html",
                f"Реакции сочленений, силы при нулевых ускорениях и всё это на LaTeX, Maxima, Python и C: "
                f"sistel equations {where} --to html > equations.html",
            ),
            "dim",
        )

    def symbols(self) -> None:
        """What the letters mean."""
        say, lang = self.builder.say, self.builder.lang
        columns = [
            ReportColumn(title=say("Sign", "Знак"), keep=True),
            ReportColumn(title=say("Quantity", "Величина")),
            ReportColumn(title=say("Value", "Значение"), kind="numbers"),
            ReportColumn(title=say("Unit", "Единица"), keep=True),
        ]
        rows = [
            (
                sign(self.setter.symbol(symbol)),
                symbol.about.say(lang),
                "" if symbol.value is None else numerals(short(symbol.value), lang),
                symbol.unit.say(lang),
            )
            for symbol in self.used()
        ]
        self.builder.rows(say("Symbols, SI", "Обозначения, СИ"), columns, rows)

    def used(self) -> Iterator[Symbol]:
        """Parameters, coordinates, velocities of their own, multipliers."""
        equations = self.equations
        yield from equations.used()
        for block in ("q", "v"):
            yield from (
                s for key, s in equations.symbols.items() if key.block == block and (block == "q" or s.about.en)
            )
        yield from equations.held()

    def lines(self, section: Section) -> int:
        """How many lines a section takes."""
        return sum(max(1, len(each.lines), len(each.matrix)) for each in self.rows(section))

    def rows(self, section: Section) -> Iterable[RelationRows]:
        """The relations of a section in lines."""
        for relation in section.relations:
            rows = relation_rows(relation, self.setter, WIDTH)
            if rows.matrix and formula_size(_formula(rows), 10.0) < SMALLEST:
                yield from self.entries(relation)
            else:
                yield rows

    def entries(self, relation: Relation) -> Iterator[RelationRows]:
        """The entries of a symmetric matrix that is too wide for a page, one by one."""
        for i, row in enumerate(relation.matrix):
            for k, entry in enumerate(row[: i + 1]):
                if entry != ZERO:
                    rows = relation_rows(Relation(relation.left, entry), self.setter, WIDTH)
                    place = f"<mrow><mn>{i + 1}</mn><mo>,</mo><mn>{k + 1}</mn></mrow>"
                    head = f"<msub><mi>M</mi>{place}</msub><mo>=</mo>"
                    yield replace(rows, head=head, lines=rows.lines)

    def section(self, section: Section) -> None:
        """The heading, sentence and formulas of a section."""
        rows = list(self.rows(section))
        if not rows:
            return
        self.builder.heading(section.title, 2)
        if section.about.en:
            self.builder.paragraph(section.about, "dim")
        single = len(rows) == len(section.relations)
        for index, each in enumerate(rows):
            if single and index in section.heads:
                self.builder.paragraph(section.heads[index])
            self.builder.formula(_formula(each))


def _formula(rows: RelationRows) -> Formula:
    return Formula(head=rows.head, lines=rows.lines, matrix=rows.matrix)


def _counts(model: Model, builder: Builder) -> None:
    """What one evaluation costs, for the tree of bodies."""
    from sistel.automaton import Automaton

    if model.nv > COUNTED or any(structure.why_not for structure in model.structures):
        return
    automaton = Automaton(model)
    say = builder.say
    rows = []
    for key, name in QUANTITIES.items():
        try:
            count = automaton.quantity(key).count()
        except SistelError:
            continue
        numbers = (count.multiplications, count.additions, count.sincos, count.roots + count.other)
        rows.append((f"{name.say(builder.lang)}, {SIGNS[key]}", *map(str, numbers)))
    columns = [
        ReportColumn(title=say("Quantity", "Величина")),
        *(ReportColumn(title=title, kind="numbers") for title in ("×", "+", "sin, cos", say("others", "прочих"))),
    ]
    builder.rows(say("Operations of one evaluation", "Операций в одном вычислении"), columns, rows)
