"""`sistel form`: parameters and initial data of a file as a form."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from sistel.cli._arguments import Call, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._reading import ALLOW, of_file, read_system, tell_picture
from sistel.errors import Text

if TYPE_CHECKING:
    from sistel.views.forms import Field, Form

PAGES, XFORMS = (".html", ".htm"), (".xhtml", ".xml")

USAGE = of_file(
    about=Text(
        "Makes a form of the parameters, the gravity and the initial data of a file, with units as its author wrote "
        "them, descriptions and limits. A page (.html) is one file for any browser, without a network: the motion and "
        "the periods of small swings follow what is filled in, and the file is saved with it; comments and layout "
        "stay. XForms (.xhtml) is the same form for processors of XForms 1.1. Without --output the fields are listed.",
        "Делает форму параметров, тяжести и начальных данных файла — с единицами автора, описаниями и пределами. "
        "Страница (.html) — один файл для любого браузера, сеть не нужна: движение и периоды малых колебаний следуют "
        "за тем, что вписано, а файл сохраняется с этими числами; комментарии и разметка остаются. XForms (.xhtml) — "
        "та же форма для процессоров XForms 1.1. Без --output поля перечисляются.",
    ),
    options=(
        *options(
            """
            --output -o FORM | ФОРМА
                a file: .html, a page, or .xhtml, XForms; - for XForms on standard output
                файл: .html — страница или .xhtml — XForms; - — XForms в стандартный вывод
            """
        ),
        ALLOW,
    ),
    examples=examples(
        """
        sistel form pendulum.xml -o form.html
            a page with fields, the motion, and a button that saves the file
            страница с полями, движением и кнопкой, которая сохраняет файл
        sistel form pendulum.xml -o form.xhtml
            the same as XForms
            то же в XForms
        sistel form pendulum.xml
            what can be filled in
            что можно вписать
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file and make its form."""
    target = call.value("output")
    suffix = "" if target in (None, "-") else PurePath(target or "").suffix.casefold()
    if target not in (None, "-") and suffix not in (*PAGES, *XFORMS):
        wrong_call(
            "unknown-format",
            Text(f'no form is written to "{target}"', f"в «{target}» форму не записать"),
            expected=Text(".html or .xhtml", ".html или .xhtml"),
        )
    system = read_system(call)
    from sistel.views.forms import draw_form, draw_xforms, read_form

    form = read_form(system.model, system.source)
    if target is None:
        return _list(form, system.name, console)
    text = draw_form(form, system.model, console.lang) if suffix in PAGES else draw_xforms(form, console.lang)
    if target != "-":
        from sistel.markup import write_text

        write_text(target, text)
    status = tell_picture(system, text, target, console)
    if suffix in XFORMS:
        console.message(
            Text(
                "browsers do not run XForms by themselves; -o form.html makes a page for them",
                "сами браузеры XForms не исполняют; страницу для них делает -o form.html",
            )
        )
    for left in form.left:
        console.message(left)
    return status


def _list(form: Form, name: str, console: Console) -> int:
    if console.json:
        missing = [each.say(console.lang) for each in form.left]
        console.document({"name": name, "fields": [_data(field, console) for field in form.fields], "left": missing})
        return 0
    from sistel.cli._motion_tables import table
    from sistel.views.forms import GROUPS
    from sistel.views.text import show_table

    heads = (Text("name", "имя"), Text("value", "значение"), Text("limits", "пределы"), Text("about", "описание"))
    parts = []
    for group, title in GROUPS.items():
        rows = [_row(field, console) for field in form.fields if field.group == group]
        if rows:
            made = table(title.say(console.lang), [head.say(console.lang) for head in heads], rows, left=4)
            parts.append(f"{made.title}\n{show_table(made, width=console.width, colour=console.colour)}")
    console.write("\n".join(parts))
    console.flush()
    for left in form.left:
        console.message(left)
    return 0


def _row(field: Field, console: Console) -> tuple[str, ...]:
    unit = field.shown_unit.say(console.lang)
    low, high = ("" if each is None else f"{each:g}" for each in field.range)
    written = field.written or "–"
    value = written if field.formula else f"{written} {unit}".strip()
    return field.name.say(console.lang), value, f"{low} … {high}" if low or high else "", field.about.say(console.lang)


def _data(field: Field, console: Console) -> dict[str, object]:
    low, high = field.range
    span = field.span
    return {
        "name": field.name.say(console.lang),
        "group": field.group,
        "about": field.about.say(console.lang),
        "written": field.written,
        "unit": field.unit,
        "value": field.value,
        "min": low,
        "max": high,
        "formula": field.formula,
        "place": None if span is None else {"line": span.line, "column": span.column},
    }
