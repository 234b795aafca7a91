"""`sistel new`: a description started from a template."""

from __future__ import annotations

from pathlib import Path

from sistel.cli._arguments import Call, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import arguments, examples
from sistel.cli._templates import EMPTY, STARTER, TEMPLATES
from sistel.errors import Diagnostic, Diagnostics, Language, SistelError, Source, Text, did_you_mean, one_of
from sistel.files import reason_of

USAGE = Usage(
    about=Text(
        "Writes a template to a new file, in the words of your language; an existing file is not touched. Without "
        "arguments lists the templates. Every model of the gallery can be a template too.",
        "Записывает образец в новый файл словами вашего языка; существующий файл не затрагивается. Без аргументов "
        "перечисляет образцы. Образцом может быть и любая модель галереи.",
    ),
    arguments=arguments(
        """
        template: [TEMPLATE | ОБРАЗЕЦ] @template
            name of a template
            имя образца
        file: [FILE | ФАЙЛ] @file
            the file to write, TEMPLATE.xml by default; - writes to standard output
            файл, который записать, по умолчанию ОБРАЗЕЦ.xml; - пишет в стандартный вывод
        """
    ),
    examples=examples(
        """
        sistel new
            the list of templates
            список образцов
        sistel new empty robot.xml
            a file that explains itself
            файл, который сам себя объясняет
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Write the template, or list them."""
    template = call.value("template")
    if template is None:
        _list(console)
        return 0
    text = _text(template, console.lang)
    path = call.value("file") or f"{template.rpartition('/')[2]}.xml"
    if path == "-":
        if console.json:
            console.document({"template": template, "file": "-", "text": text})
        else:
            console.write(text)
        return 0
    _write(path, text)
    if console.json:
        console.document({"template": template, "file": path})
    console.message(
        Text(
            f"{path} is there; look at it with: sistel show {path}",
            f"файл {path} готов; посмотреть его: sistel show {path}",
        )
    )
    return 0


def names() -> tuple[str, ...]:
    """The templates that are there: an installation may lack the gallery."""
    from sistel.cli._gallery import entries

    known = {entry.name for entry in entries()}
    return tuple(name for name in TEMPLATES if name == EMPTY or name in known)


def _list(console: Console) -> None:
    rows = [(name, TEMPLATES[name].say(console.lang)) for name in names()]
    if console.json:
        console.document({"templates": [{"name": name, "about": about} for name, about in rows]})
        return
    width = max(len(name) for name, _ in rows)
    console.write("".join(f"{name:{width}}  {about}\n" for name, about in rows))
    console.message(
        Text(
            "start with one: sistel new TEMPLATE FILE; more of them: sistel models",
            "начать с одного из них: sistel new ОБРАЗЕЦ ФАЙЛ; ещё образцы: sistel models",
        )
    )


def _text(template: str, lang: Language) -> str:
    if template == EMPTY:
        return STARTER.say(lang)
    from sistel.cli._gallery import entries
    from sistel.markup import translate

    gallery = {entry.name: entry for entry in entries() if entry.path.stem == entry.name}  # whole in one file
    if template not in gallery:
        wrong_call(
            "unknown-template",
            Text(f'there is no template "{template}"', f"нет образца «{template}»"),
            expected=one_of(names()),
            hint=did_you_mean(template, (*TEMPLATES, *gallery)),
        )
    entry = gallery[template]
    return translate(Source(str(entry.path), entry.text()), lang, Diagnostics())


def _write(path: str, text: str) -> None:
    try:
        with Path(path).open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        diagnostic = Diagnostic(
            "file-exists",
            "error",
            Text(f'there is already a file "{path}"', f"файл «{path}» уже есть"),
            hint=Text("give another name, or remove it first", "дайте другое имя или сначала удалите его"),
        )
        raise SistelError([diagnostic]) from None
    except OSError as problem:
        reason = reason_of(problem)
        message = Text(f'"{path}" cannot be written: {reason.en}', f"не удаётся записать «{path}»: {reason.ru}")
        raise SistelError([Diagnostic("cannot-write", "error", message)]) from None
