"""What a system is: its class, bodies, links, structures, control, parameters, its scheme with dimensions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal

from sistel.errors import SistelError, Text
from sistel.views.reports._build import TALLEST, Builder
from sistel.views.reports._document import ReportColumn
from sistel.views.reports._layout import svg_size
from sistel.views.text import _tables, clean, short, summarize

if TYPE_CHECKING:
    from sistel.model import Model, Scheme
    from sistel.views.text import Summary
    from sistel.views.text._rows import TransitionRow

MOST_BODIES_DRAWN = 150
"""Bodies of a system whose scheme can still be made out on a page."""
MOST_BODIES_MEASURED, MOST_BODIES_LABELLED = 12, 40
"""Bodies of a system whose dimensions and whose numbers can be read there."""
MOST_STRUCTURES_DRAWN = 14
"""Structures whose graph can still be read there."""
WIDEST_TURNED, WIDEST_STRIP = 1700.0, 1100.0
"""Of a functional scheme that still can be read on a page that is turned, and of its parts where it is wider [px]."""
MOST_ROWS = 400
"""Rows of a table of the model."""


def file_name(model: Model) -> str:
    """The name of the file that describes a system; empty where it came from none."""
    name = clean(PurePath(model.span.source.path).name)
    return "" if name.startswith("<") else name


def model_facts(model: Model, builder: Builder) -> Iterator[tuple[str, str]]:
    """What identifies a system."""
    if file_name(model):
        yield builder.say("file", "файл"), file_name(model)
    yield builder.say("fingerprint", "отпечаток"), model.fingerprint[:16]


def add_model(model: Model, builder: Builder, *, at: Sequence[float] | None = None) -> None:
    """The section of the model.

    Args:
        model: The system.
        builder: The report.
        at: Coordinates in which it is drawn, shape (nq,) [m or rad].
    """
    summary = summarize(model, builder.lang)
    lang = builder.lang
    builder.heading(Text("The model", "Модель"))
    builder.paragraph(f"{summary.structure_class} — {summary.class_words}")
    builder.facts(
        [(word or builder.say("space", "пространство"), value) for word, value in _tables.facts(summary, lang)]
    )
    _scheme(model, builder, at)
    _, geometry, masses = _tables.body_tables(summary, lang, MOST_ROWS)
    builder.table(geometry, title=Text("Bodies and joints", "Тела и кинематические пары"))
    if len(masses.columns) > 2:
        builder.table(masses, title=Text("Masses", "Массы"))
    builder.table(_tables.link_table(summary, summary.links, lang, MOST_ROWS), title=Text("Links", "Связи"), code=())
    builder.table(_tables.parameter_table(summary.parameters, lang, MOST_ROWS))
    builder.table(_tables.start_table(summary, lang, MOST_ROWS), title=Text("Initial state", "Начальное состояние"))
    if summary.counts:
        also = builder.say("Also in the file: ", "Ещё в файле: ")
        builder.paragraph(also + _tables.others(summary, lang).replace(" · ", ", ") + ".", "dim")
    if summary.declared:
        _structures(model, summary, builder)
    _control(model, summary, builder)


def _scheme(model: Model, builder: Builder, at: Sequence[float] | None) -> None:
    """The kinematic scheme with its dimensions, as far as it can be drawn."""
    from sistel.views.schemes import draw_scheme

    if len(model.bodies) > MOST_BODIES_DRAWN:
        builder.paragraph(
            Text(
                f"A scheme of {len(model.bodies)} bodies would not be readable on a page.",
                f"Схема из {len(model.bodies)} тел на странице не читалась бы.",
            ),
            "dim",
        )
        return
    # Dimensions of many bodies cover each other, and so do numbers of very many.
    measured = len(model.bodies) <= MOST_BODIES_MEASURED
    labels: Literal["numbers", "none"] = "numbers" if len(model.bodies) <= MOST_BODIES_LABELLED else "none"
    try:
        drawn = draw_scheme(model, at, labels=labels, dimensions=measured, theme="light", medium="print")
    except SistelError as problem:
        said = problem.diagnostics[0].message
        builder.paragraph(Text(f"No scheme: {said.en}.", f"Схемы нет: {said.ru}."), "note")
        return
    space = Text("", "") if model.planar else Text(" in axonometry", " в аксонометрии")
    sizes = Text(", dimensions in mm", ", размеры в мм") if measured else Text("", "")
    caption = Text(f"Kinematic scheme{space.en}{sizes.en}", f"Кинематическая схема{space.ru}{sizes.ru}")
    builder.figure(str(drawn), caption, 92.0)


def _structures(model: Model, summary: Summary, builder: Builder) -> None:
    """Structures and transitions."""
    if len(summary.structures) < 2 and not summary.transitions:
        return
    builder.heading(Text("Structures and transitions", "Структуры и переходы"), 2)
    if summary.transitions and len(summary.structures) <= MOST_STRUCTURES_DRAWN:
        from sistel.views.graph import draw_structures

        graph = Text("Structures and the transitions between them", "Структуры и переходы между ними")
        builder.figure(str(draw_structures(model, builder.lang)), graph, 90.0)
    builder.table(_tables.structure_table(summary.structures, builder.lang, MOST_ROWS))
    condition = builder.say("When", "Когда")
    columns = [
        ReportColumn(title=builder.say("From", "Из"), keep=True),
        ReportColumn(title=builder.say("To", "В"), keep=True),
        ReportColumn(title=condition, kind="code"),
        ReportColumn(title=builder.say("What happens", "Что происходит")),
    ]
    rows = [
        (
            ", ".join(row.sources) or builder.say("any", "любая"),
            row.target,
            row.condition,
            "; ".join(_happens(row, builder)),
        )
        for row in summary.transitions[:MOST_ROWS]
    ]
    builder.rows(builder.say("Transitions", "Переходы"), columns, rows)
    hidden = len(summary.transitions) - MOST_ROWS
    if hidden > 0:
        builder.paragraph(Text(f"… and {hidden} more", f"… и ещё {hidden}"), "dim")


def _happens(row: TransitionRow, builder: Builder) -> Iterator[str]:
    if row.impact != "none":
        yield f"{builder.say('impact', 'удар')}: {_tables.impact_words(row.impact, row.restitution, builder.lang)}"
    if row.resets:
        yield f"{builder.say('sets', 'задаёт')} {', '.join(row.resets)}"
    if row.priority:
        yield f"{builder.say('priority', 'приоритет')} {short(row.priority)}"


def _control(model: Model, summary: Summary, builder: Builder) -> None:
    """Motors, and functional schemes with their drawings."""
    if not summary.motors and not summary.schemes:
        return
    builder.heading(Text("Motors and control", "Приводы и управление"), 2)
    builder.table(_tables.motor_table(summary.motors, builder.lang, MOST_ROWS))
    for scheme, table in zip(
        model.schemes, _tables.scheme_tables(summary.schemes, builder.lang, MOST_ROWS), strict=True
    ):
        _wiring(model, scheme, builder)
        builder.table(table, code=("Law", "Закон"))


def _wiring(model: Model, scheme: Scheme, builder: Builder) -> None:
    """A functional scheme as a drawing; one whose letters would be too small on a page, even turned, in parts."""
    from sistel.views.wiring import draw_wiring, scheme_strips

    caption = Text(f"Functional scheme {clean(scheme.name)}", f"Функциональная схема {clean(scheme.name)}")
    drawn = str(draw_wiring(model, scheme.name, lang=builder.lang, theme="light"))
    if svg_size(drawn)[0] <= WIDEST_TURNED:
        builder.figure(drawn, caption, 110.0)
        return
    strips = scheme_strips(model, scheme, builder.lang, WIDEST_STRIP)
    for number, strip in enumerate(strips, 1):
        part = f" ({number}/{len(strips)})" if len(strips) > 1 else ""
        builder.figure(strip, Text(caption.en + part, caption.ru + part), TALLEST)
