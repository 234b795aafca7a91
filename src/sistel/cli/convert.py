"""`sistel convert`: a system in another format, or in the words of the other language."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from sistel.cli._arguments import Argument, Call, Option, Usage, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._reading import FILE, READING, base, locks, read_text
from sistel.errors import Diagnostic, Diagnostics, Language, Text, one_of

if TYPE_CHECKING:
    from sistel.markup import Document, Loss
    from sistel.model import Model

FORMATS = ("xml", "urdf", "mjcf", "scxml", "dh", "poe")
SUFFIXES = {".xml": "xml", ".urdf": "urdf", ".mjcf": "mjcf", ".scxml": "scxml", ".csv": "dh", ".json": "poe"}

USAGE = Usage(
    about=Text(
        "The format of IN is recognised by its content, that of OUT by its suffix: .xml (XsysTel), .urdf, .mjcf, "
        ".scxml (the behaviour of a scheme); of arms also .csv (a table of Denavit and Hartenberg) and .json (a "
        "product of exponentials). A kinematic scheme in SVG is read, too: its groups are bodies, its markers say how "
        "they are joined. What does not carry over is listed.\n"
        "From XsysTel to XsysTel only the words change: layout, comments, names and numbers stay. With --canonical the "
        "system is written anew: one spelling, expressions evaluated, inclusions resolved, and for planar systems the "
        "drawing filled in. The output is UTF-8.",
        "Формат файла ИЗ узнаётся по содержанию, файла В — по окончанию: .xml (XsysTel), .urdf, .mjcf, "
        ".scxml (поведение схемы); у манипуляторов ещё .csv (таблица Денавита — Хартенберга) и .json (произведение "
        "экспонент). Читается и кинематическая схема SVG: её группы — тела, маркеры говорят, как они соединены. То, "
        "что не переносится, перечисляется.\n"
        "Из XsysTel в XsysTel меняются только слова: разметка строк, комментарии, имена и числа остаются. С ключом "
        "--canonical система записывается заново: одно написание, выражения вычислены, включения раскрыты, а у плоских "
        "систем заполнен рисунок. "
        "Вывод — в UTF-8.",
    ),
    arguments=(
        Argument(key="file", name=Text("IN", "ИЗ"), help=FILE.help, completes="file"),
        Argument(
            key="out",
            name=Text("OUT", "В"),
            help=Text(
                "the file to write; - writes to standard output", "файл, который записать; - пишет в стандартный вывод"
            ),
            completes="file",
        ),
    ),
    options=(
        Option(
            name="--to",
            value=Text("|".join(FORMATS), "|".join(FORMATS)),
            choices=FORMATS,
            help=Text("the format, instead of the suffix of OUT", "формат вместо окончания файла В"),
        ),
        *options(
            """
            --frame NAME | ИМЯ
                for dh and poe: the frame or body at the end of the arm (the last frame of the file)
                для dh и poe: репер или тело на конце руки (последний репер файла)
            --convention = standard|modified
                for dh: which of the two (standard)
                для dh: какое из двух соглашений (standard)
            --canonical
                write the system anew
                записать систему заново
            --force
                let OUT be the same file as IN
                разрешить писать в тот же файл
            """
        ),
        *READING,
    ),
    examples=examples(
        """
        sistel convert arm.xml arm_ru.xml --lang ru
            Russian words, nothing else
            русские слова, и только
        sistel convert scheme.svg model.xml
            a drawing in XsysTel
            рисунок на языке XsysTel
        sistel convert panda.urdf panda.xml
            a URDF in XsysTel
            URDF на языке XsysTel
        sistel convert puma560.xml - --to dh
            its table of Denavit and Hartenberg
            таблица Денавита — Хартенберга
        sistel convert arm.xml - --to mjcf
            MJCF on standard output
            MJCF в стандартный вывод
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read, write, and tell what was lost."""
    target = call.required("out")
    to = _format(call, target)
    _same_file(call, target)
    document, model, losses = _read(call)
    from sistel.markup import write_text

    notes = list(model.diagnostics)
    own = _is_xsystel(document)
    only_words = own and to == "xml" and not (call.given("canonical") or call.given("renumber"))
    lang = call.asked_lang or (document.lang if own else "en")
    if only_words:
        text = _translated(document, lang)
        if call.asked_lang is None:
            notes.append(_nothing_asked())
    elif to in ("dh", "poe"):
        text, lost = _arm(call, model, to)
        losses = (*losses, *lost)
    else:
        text, lost = _written(model, to, lang, target, drawing=call.given("canonical"))
        losses = (*losses, *lost)
    if only_words:
        notes += _moved(call, target, document)
    if target != "-":
        write_text(target, text)
    elif not console.json:
        console.write(text)
        console.flush()
    if console.json:
        console.document(
            {
                "input": call.required("file"),
                "output": target,
                "format": to,
                "language": lang if to == "xml" else None,
                "losses": [loss.to_json(console.lang) for loss in losses],
                "diagnostics": [note.to_json(console.lang) for note in notes],
                **({"text": text} if target == "-" else {}),
            }
        )
        return 0
    console.diagnostics(notes)
    if not only_words:
        _report(losses, console)
    return 0


def _format(call: Call, target: str) -> str:
    asked = call.value("to")
    if asked is not None:
        return asked
    if target == "-":
        return "xml"
    suffix = PurePath(target).suffix.casefold()
    if suffix not in SUFFIXES:
        message = (
            Text(
                f'no format is written to files ending in "{suffix}"', f"в файлы «*{suffix}» не пишется ни один формат"
            )
            if suffix
            else Text(
                f'"{target}" has no suffix that names a format', f"у «{target}» нет окончания, называющего формат"
            )
        )
        wrong_call(
            "unknown-format",
            message,
            expected=one_of(list(SUFFIXES)),
            hint=Text("or name the format: --to mjcf", "или назовите формат: --to mjcf"),
        )
    return SUFFIXES[suffix]


def _same_file(call: Call, target: str) -> None:
    path = call.required("file")
    if call.given("force") or "-" in (path, target):
        return
    try:
        same = os.path.samefile(path, target)
    except OSError:
        return
    if same:
        wrong_call(
            "same-file",
            Text("IN and OUT are the same file", "ИЗ и В — один и тот же файл"),
            hint=Text("--force replaces it", "--force заменит его"),
        )


def _read(call: Call) -> tuple[Document, Model, tuple[Loss, ...]]:
    from sistel.markup import include, read_any
    from sistel.model import build

    diagnostics = Diagnostics()
    source = read_text(call, diagnostics)
    diagnostics.raise_if_failed()
    assert source is not None
    document, losses = read_any(source, diagnostics, base=base(call), lock=locks(call), srdf=call.value("srdf"))
    if document is None:
        diagnostics.raise_if_failed()
        raise AssertionError("nothing was read, and nothing was said about it")
    loader = partial(include, diagnostics=diagnostics)
    model = build(document, diagnostics, loader, renumber=call.given("renumber"))
    return document, model, losses


def _is_xsystel(document: Document) -> bool:
    """Whether the file itself is XsysTel, rather than made into it by a reader."""
    from sistel.markup.schema import SYSTEM

    return document.root.span.text.strip("</> \t\r\n").split(maxsplit=1)[0].casefold() in {
        word.casefold() for word in (*SYSTEM.en, *SYSTEM.ru)
    }


def _translated(document: Document, lang: Language) -> str:
    from sistel.markup import translate

    return translate(document.source, lang, Diagnostics())


def _written(model: Model, to: str, lang: Language, target: str, *, drawing: bool) -> tuple[str, tuple[Loss, ...]]:
    from sistel.markup import Losses, rebase_meshes
    from sistel.markup.formats.table import write_format
    from sistel.model import to_document

    if drawing and to == "xml" and model.planar:
        from sistel.views.schemes import drawn_document

        root = drawn_document(model)
    else:
        root = to_document(model)
    moved = Losses()
    if target != "-":
        rebase_meshes(root, os.path.dirname(target) or ".", moved)
    text, losses = write_format(root, f"system.{to}", lang)
    return text, (*losses, *moved.sorted())


def _arm(call: Call, model: Model, to: str) -> tuple[str, tuple[Loss, ...]]:
    from sistel.arms import write_chain

    convention: Any = call.value("convention") or "standard"
    kind: Any = to
    return write_chain(model, kind, call.value("frame"), convention)


def _nothing_asked() -> Diagnostic:
    message = Text(
        "neither --lang nor --canonical was given: the file is copied", "нет ни --lang, ни --canonical: файл скопирован"
    )
    return Diagnostic("nothing-asked", "note", message)


def _moved(call: Call, target: str, document: Document) -> list[Diagnostic]:
    """Warnings of files that the output names by a path relative to the folder of the input."""
    source = call.required("file")
    if target == "-" or source == "-" or _folder(source) == _folder(target):
        return []
    from sistel.markup.schema import FilePath

    named = [
        (str(attribute.value), attribute.span)
        for node in document.root.walk()
        for attribute in node.attributes.values()
        if isinstance(attribute.spec.kind, FilePath)
    ]
    found = {}
    for path, span in named:
        if path and not os.path.isabs(path) and "://" not in path and path not in found:
            found[path] = Diagnostic(
                "relative-path",
                "warning",
                Text(
                    f'"{path}" is looked for beside the file, and the new file is in another folder',
                    f"«{path}» ищется рядом с файлом, а новый файл — в другой папке",
                ),
                span,
            )
    return list(found.values())


def _folder(path: str) -> Path:
    return Path(path).absolute().parent.resolve()


def _report(losses: Sequence[Loss], console: Console) -> None:
    if not losses:
        console.message(Text("everything carried over", "перенесено всё"))
        return
    from sistel.markup import LOSS_WORDS

    counts = Counter(loss.kind for loss in losses)
    for loss in losses:
        rendered = loss.render(console.lang)
        console.message(Text(rendered, rendered))
    words = ", ".join(f"{LOSS_WORDS[kind].say(console.lang)} {count}" for kind, count in counts.items())
    console.message(Text(f"not the same: {words}", f"отличия: {words}"))
