"""Tasks about a model: what a task asks, its answers with their second ways, sheets of variants, marks of students."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, Final

from sistel.errors import Diagnostic, Diagnostics, SistelError, Source, Text, refuse
from sistel.studio.service import _params
from sistel.studio.service._calls import Method, Say, Work
from sistel.studio.service._made import Made
from sistel.studio.service._parameters import listed, tried
from sistel.studio.service._read import attributes_of, given, reading, spec_of
from sistel.studio.service._systems import stem_of
from sistel.studio.service._tables import told_table
from sistel.studio.service._told import both, utf16

if TYPE_CHECKING:
    from sistel.errors import Language
    from sistel.markup import Document
    from sistel.markup.schema import AttributeSpec
    from sistel.markup.xml import Attribute, Element
    from sistel.plain import Json, JsonObject
    from sistel.system import System
    from sistel.tasks import Answer, Check, Result, Sheet, Solved, Task

PLAIN: Final = frozenset({"name", "about", "question", "model"})
"""Attributes that say nothing of numbers."""
BOTH: Final[tuple[Language, Language]] = ("en", "ru")


# --- what a task asks


def look(params: Mapping[str, object]) -> object:
    """What a task says, with the places of its numbers, and the parameters of its model."""
    path, text = given(params)
    read = reading(path, text)
    document = _document(params)
    assert read.tree is not None
    root = document.root
    where = _model_path(document)
    known: Json = listed({"path": where, "text": _text_of(where, params)})
    return {
        "name": root.text("name") or PurePath(path).stem,
        "about": root.text("about") or "",
        "question": " ".join((root.text("question") or "").split()),
        "model": where,
        "problems": [_problem(text, each) for each in read.tree.children if not _is(each, "vary")],
        "vary": [_problem(text, each) for each in read.tree.children if _is(each, "vary")],
        "parameters": known,
    }


def _is(element: Element, key: str) -> bool:
    spec = spec_of(element)
    return spec is not None and spec.key == key


def _problem(text: str, element: Element) -> JsonObject:
    spec = spec_of(element)
    rows = [(known, each) for known, each in attributes_of(element) if known is not None]
    names = [each.text for known, each in rows if known.key == "name"]
    return {
        "kind": None if spec is None else spec.key,
        "word": element.name,
        "about": None if spec is None else both(Text(*spec.doc)),
        "name": names[0] if names else "",
        "from": utf16(text, element.start),
        "to": utf16(text, element.end),
        "numbers": [_number(text, known, each) for known, each in rows if known.key not in PLAIN],
    }


def _number(text: str, known: AttributeSpec, attribute: Attribute) -> JsonObject:
    span = attribute.value.span()
    return {
        "key": known.key,
        "word": attribute.name,
        "about": both(Text(*known.doc)),
        "value": " ".join(attribute.text.split()),
        "from": utf16(text, span.start),
        "to": utf16(text, span.end),
    }


def _document(params: Mapping[str, object]) -> Document:
    """The document of a task.

    Raises:
        SistelError: The text is none, with everything that is wrong.
    """
    path, text = given(params)
    read = reading(path, text)
    if read.document is None or read.tree is None:
        raise SistelError(read.found)
    if read.document.root.key != "task":
        refuse(
            "no-task",
            Text(f"{path} is no task", f"{path} — не задача"),
            expected=Text('<task model="…">', "<задача модель=«…»>"),
        )
    return read.document


def _model_path(document: Document) -> str:
    """The file of the model of a task, as it is seen from the folder.

    Raises:
        SistelError: The task names none, or it may not be read.
    """
    from sistel.markup import AccessError, find_named

    root = document.root
    name = root.text("model")
    if not name:
        refuse("no-model", Text("the task names no model", "задача не называет модели"), span=root.span)
    try:
        return os.path.relpath(find_named(name, root.at("model").source)).replace(os.sep, "/")
    except AccessError as problem:
        refuse(
            problem.code,
            Text(f'"{name}": {problem.reason.en}', f"«{name}»: {problem.reason.ru}"),
            span=root.at("model"),
            hint=problem.hint,
        )


def _text_of(path: str, params: Mapping[str, object]) -> str:
    """The text of a file: that of the window where it is open there, with what is not saved."""
    from sistel.markup import open_source

    held = _params.table(params, "texts")
    if path in held:
        return _params.text(held, path)
    return open_source(path, Diagnostics()).text


def wrong(path: str, text: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a task whose text can be read: with what it asks of its model, and with that."""
    try:
        return _task({"path": path, "text": text}).diagnostics
    except SistelError as problem:
        return problem.diagnostics


# --- solving


def _task(params: Mapping[str, object]) -> Task:
    """The task of a call, with the values of parameters that the window tries."""
    from sistel.system import parse
    from sistel.tasks import read_task

    path, text = given(params)
    where = _model_path(_document(params))
    about = _text_of(where, params)
    roots = (os.path.abspath(os.path.dirname(path) or "."),)

    def load(file: str) -> System:
        return parse(about, file, allow=roots)

    return read_task(path, load, parameters=tried(where, about, params), text=text)


def solved(params: Mapping[str, object]) -> Result:
    """The result of the task of a call."""
    from sistel.tasks import solve_task

    return solve_task(_task(params))


def solve(params: Mapping[str, object], say: Say) -> object:
    """The answers of a task, each with its second way; `page` is the whole of it, with pictures and curves."""
    from sistel.views.tasks import answers_csv, result_page

    say(None, Text("solving", "решение"))
    result = solved(params)
    say(None, Text("drawing", "рисунки"))
    lang = _params.language(params)
    made = {
        "name": result.name,
        "model": result.model,
        "good": result.good,
        "problems": [_solved(each) for each in result.problems],
        "page": result_page(result, lang),
    }
    if _params.flag(params, "keep"):
        stem = stem_of(_params.text(params, "path"))
        made["files"] = [Made(name=f"{stem}_answers.csv", data=answers_csv(result, lang)).told()]
    return made


def _solved(problem: Solved) -> JsonObject:
    from sistel.views.tasks import result_tables

    # The answers are told on their own; what stands beside them are tables.
    beside = 1 if problem.answers else 0
    return {
        "kind": problem.kind,
        "title": both(problem.title),
        "good": problem.good,
        "failed": None if problem.failed is None else both(problem.failed),
        "answers": [_answer(each) for each in problem.answers],
        "checks": [_check(each) for each in problem.checks],
        "tables": {lang: [told_table(each) for each in result_tables(problem, lang)[beside:]] for lang in BOTH},
        "notes": [both(each) for each in problem.notes],
    }


def _answer(answer: Answer) -> JsonObject:
    from sistel.tasks import digits, in_unit, unit_word

    return {
        "wanted": both(answer.label),
        "value": digits(in_unit(answer.value, answer.dimension)),
        "unit": {lang: unit_word(answer.dimension, lang) for lang in BOTH},
        "remark": None if answer.remark is None else both(answer.remark),
    }


def _check(check: Check) -> JsonObject:
    apart = "∞" if check.error == float("inf") else f"{check.error:.1e}"
    return {"what": both(check.what), "error": apart, "bound": f"{check.bound:.0e}", "good": check.good}


# --- sheets


def _sheet(params: Mapping[str, object], say: Say) -> Sheet:
    from sistel.tasks import MOST_VARIANTS, make_sheet

    count = _params.whole(params, "variants", 5)
    if not 1 <= count <= MOST_VARIANTS:
        refuse(
            "out-of-range",
            Text(f"{count} variants cannot be made", f"{count} вариантов сделать нельзя"),
            expected=Text(f"from 1 to {MOST_VARIANTS}", f"от 1 до {MOST_VARIANTS}"),
        )
    note = Text("variants", "варианты")
    say(0.0, note)
    return make_sheet(_task(params), count, _params.whole(params, "seed", 1), lambda done: say(done / count, note))


def sheet(params: Mapping[str, object], say: Say) -> object:
    """A sheet of variants and its key: their table, and files; `pdf` asks for those that are printed too."""
    from sistel.views.reports import report_bytes, require_suffix, sheet_report
    from sistel.views.tasks import key_csv, sheet_page, sheet_table

    paper = _params.flag(params, "pdf")
    if paper:
        require_suffix(".pdf")
    found = _sheet(params, say)
    lang = _params.language(params)
    stem = stem_of(_params.text(params, "path"))
    word, key = ("лист", "ключ") if lang == "ru" else ("sheet", "key")
    say(None, Text("writing", "запись"))
    page = sheet_page(found, lang)
    files = [
        Made(name=f"{stem}_{word}.html", data=page),
        Made(name=f"{stem}_{key}.html", data=sheet_page(found, lang, True)),
        Made(name=f"{stem}_{key}.csv", data=key_csv(found, lang)),
    ]
    if paper:
        for name, keyed in ((word, False), (key, True)):
            data = report_bytes(sheet_report(found, lang, keyed), ".pdf")
            files.append(Made(name=f"{stem}_{name}.pdf", data=data))
    return {
        "refused": found.refused,
        "table": {each: told_table(sheet_table(found, each)) for each in BOTH},
        "page": page,
        "files": [each.told() for each in files],
    }


def mark(params: Mapping[str, object], say: Say) -> object:
    """The marks of the table `answers` to a sheet, whose `variants` and `seed` are told too."""
    from sistel.markup import open_source
    from sistel.tasks import mark_answers
    from sistel.views.tasks import marks_csv, marks_page, marks_tables

    path = _params.text(params, "answers")
    within = _params.number(params, "within", 0.02)
    if not 0.0 < within < 1.0:
        refuse(
            "out-of-range",
            Text("the largest error of a right answer is wrong", "неверна наибольшая ошибка верного ответа"),
            expected=Text("more than 0, less than 100 %", "больше 0, меньше 100 %"),
        )
    source: Source = open_source(path, Diagnostics())
    found = _sheet(params, say)
    marks = mark_answers(found, source.text, source.path, within)
    lang = _params.language(params)
    stem, word = stem_of(path), "проверка" if lang == "ru" else "marks"
    page = marks_page(found, marks, lang)
    files = [
        Made(name=f"{stem}_{word}.html", data=page),
        Made(name=f"{stem}_{word}.csv", data=marks_csv(marks, lang)),
    ]
    return {
        "tables": {each: [told_table(table) for table in marks_tables(marks, each)] for each in BOTH},
        "page": page,
        "files": [each.told() for each in files],
    }


def template(params: Mapping[str, object]) -> object:
    """The text of a new task about the model that was sent: `{name, text}`; `kind` is one of the templates."""
    from sistel.studio.service._task_templates import task_text

    path, text = given(params)
    return task_text(path, text, _params.text(params, "kind"), _params.language(params))


METHODS: Final[Mapping[str, Method]] = {"tasks.look": look, "tasks.template": template}
WORKS: Final[Mapping[str, Work]] = {"tasks.solve": solve, "tasks.sheet": sheet, "tasks.mark": mark}
