"""Papers about a text, a run or a task: reports to print, and lessons."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from sistel.errors import Text, one_of, refuse
from sistel.studio.service import _params
from sistel.studio.service._calls import Method, Say, Work
from sistel.studio.service._made import RUN, Made
from sistel.studio.service._read import given, kind_of, reading
from sistel.studio.service._systems import stem_of, system_of
from sistel.studio.service._told import both

if TYPE_CHECKING:
    from sistel.simulation import Run
    from sistel.views.reports import Report

FORMATS: Final[Mapping[str, Text]] = {
    ".pdf": Text("PDF", "PDF"),
    ".print.html": Text("page for print", "страница для печати"),
    ".fo": Text("XSL-FO", "XSL-FO"),
}


def formats(params: Mapping[str, object]) -> object:
    """In what reports can be written here, and what is missing for the others: `[{suffix, title, missing}]`."""
    no_typst = Text(
        "Typst is not installed: pip install 'sistel[reports]'", "Typst не установлен: pip install 'sistel[reports]'"
    )
    return [
        {
            "suffix": suffix,
            "title": both(title),
            "missing": both(no_typst) if suffix == ".pdf" and find_spec("typst") is None else None,
        }
        for suffix, title in FORMATS.items()
    ]


def report(params: Mapping[str, object], say: Say) -> object:
    """A report in the format of a suffix: of a run where the call is about one, of a task, or of a system."""
    from sistel.views.reports import report_bytes, require_suffix

    suffix = _params.text(params, "format", ".pdf")
    if suffix not in FORMATS:
        refuse(
            "bad-parameter",
            Text(f'reports are not written as "{suffix[:20]}"', f"отчёты не пишутся как «{suffix[:20]}»"),
            expected=one_of(list(FORMATS)),
        )
    require_suffix(suffix)
    made = _report(params, say)
    say(None, Text("setting the pages", "вёрстка"))
    data = report_bytes(made, suffix)
    stem, word = (
        stem_of(_params.text(params, "path", "system")),
        "отчёт" if _params.language(params) == "ru" else "report",
    )
    text: str | bytes = data if suffix == ".pdf" else data.decode("utf-8")
    page = {"page": text} if suffix == ".print.html" else {}
    return {"files": [Made(name=f"{stem}_{word}{suffix}", data=text).told()], **page}


def _report(params: Mapping[str, object], say: Say) -> Report:
    from sistel.views.reports import model_report, run_report, task_report

    lang = _params.language(params)
    run = held_run(params)
    if run is not None:
        say(None, Text("writing about the run", "запись о расчёте"))
        return run_report(run, lang)
    path, text = given(params)
    if kind_of(reading(path, text).tree) == "task":
        from sistel.studio.service._tasks import solved

        say(None, Text("solving", "решение"))
        return task_report(solved(params), lang)
    say(None, Text("writing about the model", "запись о модели"))
    return model_report(system_of(params).model, lang)


def held_run(params: Mapping[str, object]) -> Run | None:
    """The run that a call is about."""
    from sistel.simulation import Run

    found = params.get(RUN)
    return found if isinstance(found, Run) else None


def lesson(params: Mapping[str, object], say: Say) -> object:
    """The page that teaches an arm, and a file of it where `keep` asks for one."""
    from sistel.views.lesson import lesson_page

    say(None, Text("writing the lesson", "запись урока"))
    frame = _params.text(params, "frame", "") or None
    lang = _params.language(params)
    page = lesson_page(system_of(params).model, frame, lang=lang)
    word = "урок" if lang == "ru" else "lesson"
    name = f"{stem_of(_params.text(params, 'path', 'system'))}_{word}.html"
    return {"page": page, "files": [Made(name=name, data=page).told()] if _params.flag(params, "keep") else []}


METHODS: Final[Mapping[str, Method]] = {"papers.formats": formats}
WORKS: Final[Mapping[str, Work]] = {"papers.report": report, "papers.lesson": lesson}
