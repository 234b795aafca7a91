"""A solved task as a page of its own: answers, pictures, curves, and how everything was checked."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.look import switched_page
from sistel.tasks import digits, in_unit, unit_word
from sistel.views._switched import LANGUAGES, both
from sistel.views.page._files import view_text
from sistel.views.tasks._curves import draw_curves
from sistel.views.text._numbers import clean

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.tasks import Answer, Check, Grid, Result, Solved


def result_page(result: Result, lang: Language) -> str:
    """The page: no scripts, nothing from elsewhere, both languages, light and dark."""
    from pathlib import PurePath

    file = escape(clean(PurePath(result.model).name))
    facts = f"{both(Text('Task', 'Задача'))} · {escape(clean(result.system))} · {file}"
    return page(clean(result.name), lang, _inside(result), facts)


def page(title: str, lang: Language, inside: Iterator[str], facts: str) -> str:
    """A page with a switch between the languages."""
    return switched_page(escape(title), view_text("tasks/tasks.css"), lang, inside, facts=facts)


def capital(text: Text) -> Text:
    """With a capital letter in front."""
    return Text(text.en[:1].upper() + text.en[1:], text.ru[:1].upper() + text.ru[1:])


def _inside(result: Result) -> Iterator[str]:
    if result.about:
        yield f'<p class="about">{escape(clean(result.about))}</p>\n'
    for problem in result.problems:
        yield from _problem(problem)


def _problem(problem: Solved) -> Iterator[str]:
    mark, bad = ("✓", "") if problem.good else ("✗", " bad")
    title = both(capital(problem.title))
    yield f'<section class="card"><div class="head"><h2>{title}</h2><span class="mark{bad}">{mark}</span></div>\n'
    if problem.failed is not None:
        yield f'<p class="bad">{both(problem.failed)}</p></section>\n'
        return
    if problem.answers:
        yield '<div class="answers">' + "".join(map(answer_card, problem.answers)) + "</div>\n"
    if problem.drawn is not None and problem.postures:
        yield pictures(problem.drawn, problem.postures, problem.kind == "kinematics")
    yield draw_curves(problem.curves)
    for grid in problem.grids:
        yield table(grid)
    if problem.checks:
        yield f"<h3>{both(Text('Checked in a second way', 'Проверено вторым способом'))}</h3>"
        yield '<ul class="checks">' + "".join(map(check_item, problem.checks)) + "</ul>\n"
    for note in problem.notes:
        yield f'<p class="note">{both(note)}</p>\n'
    yield "</section>\n"


def answer_card(answer: Answer) -> str:
    """A wanted number."""
    number = digits(in_unit(answer.value, answer.dimension), 6)
    unit = both(Text(unit_word(answer.dimension, "en"), unit_word(answer.dimension, "ru")))
    remark = "" if answer.remark is None else f'<div class="remark">{both(answer.remark)}</div>'
    return (
        f'<div class="answer"><div class="of">{both(answer.label)}</div>'
        f'<div class="value">{number}<small>{unit}</small></div>{remark}</div>'
    )


def check_item(check: Check) -> str:
    """What was compared, and how far apart both ways are."""
    mark, sign, bad = ("✓", "≤", "") if check.good else ("✗", "&gt;", " bad")
    return (
        f'<li><span class="mark{bad}">{mark}</span><span>{both(check.what)}</span>'
        f'<span class="far{bad}">{check.error:.1e} {sign} {check.bound:.0e}</span></li>'
    )


def table(grid: Grid) -> str:
    """A table of numbers, with its title."""
    head = "".join(
        "<th>"
        + both(
            Text(
                *(
                    head.label.say(lang)
                    + (f", {unit_word(head.dimension, lang)}" if head.dimension.plain is False else "")
                    for lang in LANGUAGES
                )
            )
        )
        + "</th>"
        for head in grid.heads
    )
    rows = []
    for row in grid.rows:
        cells = "".join(
            f"<td>{both(cell) if isinstance(cell, Text) else digits(in_unit(cell, head.dimension), 7)}</td>"
            for cell, head in zip(row, grid.heads, strict=True)
        )
        rows.append(f"<tr>{cells}</tr>")
    inside = f'<table class="rows"><tr>{head}</tr>{"".join(rows)}</table>'
    return f'<h3>{both(grid.title)}</h3><div class="scroll">{inside}</div>\n'


def pictures(model: Model, postures: Sequence[Sequence[float]], branches: bool) -> str:
    """The scheme of the system in some postures, which may be the branches of an answer."""
    made = []
    for number, q in enumerate(postures, 1):
        source = picture(model, q)
        caption = ""
        if branches and len(postures) > 1:
            caption = f"<figcaption>{both(Text(f'branch {number}', f'ветвь {number}'))}</figcaption>"
        made.append(f'<figure><img alt="" src="{source}">{caption}</figure>')
    return f'<div class="pictures">{"".join(made)}</div>\n'


def picture(model: Model, q: Sequence[float]) -> str:
    """A scheme as an address that holds it whole: each keeps its own style to itself."""
    from sistel.views.schemes import draw_scheme

    svg = str(draw_scheme(model, tuple(q)))
    return "data:image/svg+xml;base64," + b64encode(svg.encode()).decode()
