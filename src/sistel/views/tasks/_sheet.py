"""Task sheets and keys as pages and tables; marks of answers."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.files import guarded
from sistel.tasks import heading, in_unit, told, unit_word
from sistel.views._switched import both
from sistel.views.tasks._page import answer_card, capital, check_item, page, picture
from sistel.views.tasks._tables import number
from sistel.views.text._numbers import clean
from sistel.views.text._tables import Column, Table

if TYPE_CHECKING:
    from sistel.model import Model
    from sistel.tasks import Mark, Marked, Sheet, Variant

WORDS = {"right": Text("right", "верно"), "wrong": Text("wrong", "неверно"), "missing": Text("missing", "нет ответа")}


def sheet_page(sheet: Sheet, lang: Language, key: bool = False) -> str:
    """The sheet, a card for every variant; with `key`, the answers and their checks instead of room for them."""
    title = Text("Key", "Ключ") if key else Text("Task sheet", "Лист задач")
    count = len(sheet.variants)
    said = Text(f"variants: {count} · seed {sheet.seed}", f"вариантов: {count} · зерно {sheet.seed}")
    facts = f"{both(title)} · {both(said)}"
    return page(capital(Text(clean(sheet.name), "")).en, lang, _inside(sheet, key), facts)


def _inside(sheet: Sheet, key: bool) -> Iterator[str]:
    for variant in sheet.variants:
        yield from _variant(variant, sheet, key)


def _variant(variant: Variant, sheet: Sheet, key: bool) -> Iterator[str]:
    number = variant.number
    title = both(Text(f"Variant {number}", f"Вариант {number}"))
    yield f'<section class="card variant"><div class="head"><h2>{title}</h2></div>'
    yield '<div class="asked"><div>'
    if variant.question.en:
        yield f'<p class="question">{both(variant.question)}</p>'
    given = [
        f"<dt>{escape(clean(vary.name))}</dt><dd>{both(told(variant.values[vary.name], vary.dimension, 10))}</dd>"
        for vary in sheet.varied
    ]
    yield f'<dl class="given">{"".join(given)}</dl></div>'
    yield f'<figure><img alt="" src="{picture(*pictured(variant, key))}"></figure></div>\n'
    answers = variant.result.answers
    if key:
        yield '<div class="answers">' + "".join(map(answer_card, answers)) + "</div>"
        checks = [check for problem in variant.result.problems for check in problem.checks]
        yield '<ul class="checks">' + "".join(map(check_item, checks)) + "</ul>"
    else:
        yield '<ol class="wanted">'
        for answer in answers:
            unit = both(Text(unit_word(answer.dimension, "en"), unit_word(answer.dimension, "ru")))
            yield f'<li><code>{both(heading(answer))}</code><span class="blank"></span>{unit}</li>'
        yield "</ol>"
    yield "</section>\n"


def pictured(variant: Variant, key: bool) -> tuple[Model, Sequence[float]]:
    """The system of a variant and the coordinates in which it is shown, to students or with the answers."""
    drawn = next((each for each in variant.result.problems if each.drawn is not None and each.postures), None)
    model = variant.task.system.model if drawn is None or drawn.drawn is None else drawn.drawn
    # Where joints are wanted, a picture of them would give them away.
    secret = any("place" in problem.node.attributes for problem in variant.task.problems)
    return model, model.start.q if drawn is None or (secret and not key) else drawn.postures[0]


def key_csv(sheet: Sheet, lang: Language) -> str:
    """The key: a row for every variant, with its values and its answers; units stand in the heading."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    first = sheet.variants[0].result.answers
    heads = ["вариант" if lang == "ru" else "variant"]
    heads += [_head(vary.name, unit_word(vary.dimension, lang)) for vary in sheet.varied]
    heads += [_head(heading(each).say(lang), unit_word(each.dimension, lang)) for each in first]
    writer.writerow(map(guarded, heads))
    for variant in sheet.variants:
        values = [repr(in_unit(variant.values[vary.name], vary.dimension)) for vary in sheet.varied]
        answers = [repr(in_unit(each.value, each.dimension)) for each in variant.result.answers]
        writer.writerow([variant.number, *values, *answers])
    return out.getvalue()


def _head(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def sheet_data(sheet: Sheet, lang: Language) -> dict[str, object]:
    """Everything for programs [SI]."""
    return {
        "name": sheet.name,
        "seed": sheet.seed,
        "refused": sheet.refused,
        "variants": [
            {
                "variant": variant.number,
                "values": variant.values,
                "question": variant.question.say(lang),
                "answers": [
                    {"wanted": heading(each).say(lang), "value": number(each.value)} for each in variant.result.answers
                ],
                "good": variant.result.good,
            }
            for variant in sheet.variants
        ],
    }


def sheet_table(sheet: Sheet, lang: Language) -> Table:
    """The key for a terminal."""
    heads = ["вариант" if lang == "ru" else "variant", *(vary.name for vary in sheet.varied)]
    heads += [heading(each).say(lang) for each in sheet.variants[0].result.answers]
    rows = []
    for variant in sheet.variants:
        values = [told(variant.values[vary.name], vary.dimension, 6).say(lang) for vary in sheet.varied]
        answers = [told(each.value, each.dimension, 6).say(lang) for each in variant.result.answers]
        rows.append((str(variant.number), *values, *answers))
    columns = tuple(Column(title=clean(head), align="right", keep=True) for head in heads)
    return Table(title="", columns=columns, rows=tuple(rows), total=len(rows))


# --- marks -----------------------------------------------------------------------------------------------------------


def marks_rows(marks: Sequence[Mark], lang: Language) -> Iterator[tuple[str, ...]]:
    """A row for every answer."""
    for mark in marks:
        for answer in mark.answers:
            yield (
                mark.student,
                str(mark.variant),
                answer.label.say(lang),
                answer.given,
                answer.expected.say(lang),
                WORDS[answer.verdict].say(lang),
                answer.comment.say(lang),
            )


def marks_heads(lang: Language) -> tuple[str, ...]:
    """The columns of a table of marks."""
    if lang == "ru":
        return ("студент", "вариант", "искомое", "ответ", "верно", "оценка", "замечание")
    return ("student", "variant", "wanted", "answer", "right", "verdict", "comment")


def marks_csv(marks: Sequence[Mark], lang: Language) -> str:
    """Marks as a table with commas."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(marks_heads(lang))
    for row in marks_rows(marks, lang):
        writer.writerow(map(guarded, row))
    return out.getvalue()


def marks_tables(marks: Sequence[Mark], lang: Language) -> list[Table]:
    """Every answer, then how many of each student are right."""
    columns = tuple(Column(title=head, keep=i < 6) for i, head in enumerate(marks_heads(lang)))
    rows = tuple(tuple(map(clean, row)) for row in marks_rows(marks, lang))
    kept = [i for i in range(len(columns)) if any(row[i] for row in rows)]
    every = Table(
        title="Ответы" if lang == "ru" else "Answers",
        columns=tuple(columns[i] for i in kept),
        rows=tuple(tuple(row[i] for i in kept) for row in rows),
        total=len(rows),
    )
    heads = ("студент", "вариант", "верно") if lang == "ru" else ("student", "variant", "right")
    sums = tuple((clean(mark.student), str(mark.variant), f"{mark.right}/{len(mark.answers)}") for mark in marks)
    whole = Table(
        title="Итог" if lang == "ru" else "In all",
        columns=tuple(Column(title=head, keep=True) for head in heads),
        rows=sums,
        total=len(sums),
    )
    return [every, whole]


def marks_page(sheet: Sheet, marks: Sequence[Mark], lang: Language) -> str:
    """Marks as a page: a card for every student."""
    return page(clean(sheet.name), lang, _marks(marks), both(Text("Marks", "Проверка ответов")))


def _marks(marks: Sequence[Mark]) -> Iterator[str]:
    for mark in marks:
        who = mark.student or "—"
        title = Text(f"{who} · variant {mark.variant}", f"{who} · вариант {mark.variant}")
        yield f'<section class="card"><div class="head"><h2>{both(title)}</h2>'
        yield f'<span class="mark">{mark.right}/{len(mark.answers)}</span></div><ul class="checks">'
        yield "".join(map(_marked, mark.answers))
        yield "</ul></section>\n"


def _marked(answer: Marked) -> str:
    mark, bad = ("✓", "") if answer.verdict == "right" else ("✗" if answer.given else "·", " bad")
    comment = f" — {both(answer.comment)}" if answer.comment.en else ""
    return (
        f'<li><span class="mark{bad}">{mark}</span><span><code>{both(answer.label)}</code> = '
        f"{escape(clean(answer.given)) or '?'}{comment}</span>"
        f'<span class="far">{both(answer.expected)}</span></li>'
    )


def marks_data(marks: Sequence[Mark], lang: Language) -> dict[str, object]:
    """Marks for programs."""
    return {
        "marks": [
            {
                "student": mark.student,
                "variant": mark.variant,
                "right": mark.right,
                "answers": [
                    {
                        "wanted": answer.label.say(lang),
                        "given": answer.given,
                        "expected": answer.expected.say(lang),
                        "verdict": answer.verdict,
                        "comment": answer.comment.say(lang),
                    }
                    for answer in mark.answers
                ],
            }
            for mark in marks
        ]
    }


__all__ = [
    "key_csv",
    "marks_csv",
    "marks_data",
    "marks_page",
    "marks_tables",
    "sheet_data",
    "sheet_page",
    "sheet_table",
]
