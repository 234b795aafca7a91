"""`sistel scheme`: the functional schemes of a system as a drawing, and what differs between two files."""

from __future__ import annotations

from html import escape
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, cast

from sistel.cli._arguments import Call, CallError, wrong_call
from sistel.cli._console import Console
from sistel.cli._described import examples, options
from sistel.cli._reading import of_system, read_other, read_system, tell_picture
from sistel.errors import Language, SistelError, Text

if TYPE_CHECKING:
    from sistel.control import Difference
    from sistel.system import System

FORMATS = (".svg", ".png", ".pdf", ".html")

USAGE = of_system(
    about=Text(
        "Draws the functional schemes of a system: blocks by the flow of data from inputs on the left to motors on the "
        "right, wires with their units, samples where a clock reads what flows, holds where what it computed goes on. "
        "Places that the file gives in <drawing> are kept, all others are found.\n"
        "With --compare, tells what another file has otherwise: blocks, wires and parameters, whatever their order, "
        "places, units and language. The exit status is 0 where nothing differs, and 1 where something does.",
        "Рисует функциональные схемы системы: блоки по ходу данных, от вводов слева к приводам справа, провода с "
        "единицами, выборки там, где часы читают непрерывное, удержания там, где вычисленное действует дальше. Места, "
        "заданные в <рисунок>, сохраняются, остальные находятся.\n"
        "С ключом --compare говорит, что в другом файле иначе: блоки, провода и параметры, каковы бы ни были порядок, "
        "места, единицы и язык. Код завершения 0, если различий нет, и 1, если есть.",
    ),
    options=options(
        """
        --output -o PICTURE | РИСУНОК
            a file: .svg, .png, .pdf or .html; - or nothing for standard output
            файл: .svg, .png, .pdf или .html; - или ничего — стандартный вывод
        --scheme NAME | ИМЯ
            one of several schemes; all of them unless told otherwise
            одна из нескольких схем; если не сказано — все
        --theme = auto|light|dark
            auto: as the reader's screen
            auto: как экран читателя
        --compare OTHER | ДРУГОЙ
            another file: what it has otherwise
            другой файл: что в нём иначе
        """
    ),
    examples=examples(
        """
        sistel scheme servo_arm.xml -o servo.svg
            the drawing of a regulator
            рисунок регулятора
        sistel scheme servo_arm.xml --compare changed.xml
            what has been changed
            что изменилось
        """
    ),
)


def run(call: Call, console: Console) -> int:
    """Read the file, and draw or compare it."""
    other = call.value("compare")
    target = call.value("output") or "-"
    suffix = ".svg" if target == "-" else PurePath(target).suffix.casefold()
    if suffix not in FORMATS:
        wrong_call(
            "unknown-format",
            Text(f'no scheme is written to "{target}"', f"в «{target}» схему не записать"),
            expected=Text(".svg, .png, .pdf or .html", ".svg, .png, .pdf или .html"),
        )
    if other is not None and call.given("output"):
        wrong_call(
            "bad-call",
            Text("--compare tells differences and draws nothing", "--compare называет различия и ничего не рисует"),
        )
    system = read_system(call)
    if other is not None:
        return _compared(system, read_other(call, other), other, console)
    return _drawn(call, system, target, suffix, console)


def _drawn(call: Call, system: System, target: str, suffix: str, console: Console) -> int:
    from sistel.markup import write_text
    from sistel.views.wiring import draw_wiring

    # A picture of pixels does not know its reader's screen.
    usual: Literal["auto", "light"] = "light" if suffix in (".png", ".pdf") else "auto"
    theme = cast("Literal['auto', 'light', 'dark']", call.value("theme") or usual)
    try:
        text = str(draw_wiring(system.model, call.value("scheme"), lang=console.lang, theme=theme))
    except SistelError as problem:
        if call.value("scheme") is None:
            raise
        raise CallError(problem.diagnostics) from None
    if suffix == ".html":
        text = _page(text, system.name, console.lang)
    if target != "-" and suffix in (".svg", ".html"):
        write_text(target, text)
    elif target != "-":
        from sistel.views.schemes import save_picture

        save_picture(text, target)
    return tell_picture(system, text, target, console)


def _page(svg: str, title: str, lang: Language) -> str:
    """A page with the picture alone."""
    from sistel.look import still_page

    style = ".sheet{max-width:none;overflow:auto}svg{display:block}"
    return still_page(escape(title), style, lang, [svg])


WAYS = {
    "added": Text("added", "добавлено"),
    "removed": Text("removed", "убрано"),
    "changed": Text("changed", "изменено"),
}
PARTS = {
    "scheme": Text("scheme", "схема"),
    "clock": Text("clock", "часы"),
    "signal": Text("signal", "сигнал"),
    "block": Text("block", "блок"),
    "input": Text("input", "ввод"),
    "wire": Text("wire", "провод"),
    "parameter": Text("parameter", "параметр"),
    "output": Text("output", "вывод"),
    "item": Text("element", "элемент"),
    "behaviour": Text("behaviour", "поведение"),
}


def _compared(first: System, second: System, path: str, console: Console) -> int:
    from sistel.control import compare_schemes

    found = compare_schemes(first.model, second.model, console.lang)
    if console.json:
        console.document(
            {
                "first": first.source.path,
                "second": path,
                "same": not found,
                "differences": [each.to_json() for each in found],
            }
        )
        return int(bool(found))
    if not found:
        console.message(Text("the schemes are the same", "схемы одинаковы"))
        return 0
    from sistel.views.text import clean

    for each in found:
        console.write(clean(_line(each, console)) + "\n")
    console.flush()
    return 1


def _line(each: Difference, console: Console) -> str:
    from sistel.control import attribute_word

    lang = console.lang
    word = f"{WAYS[each.way].say(lang)}: {PARTS[each.part].say(lang)} {each.name}"
    if each.attribute:
        word += f", {attribute_word(each.attribute, lang)}"
    told = " → ".join(text or "—" for text in (each.before, each.after)) if each.before or each.after else ""
    return (
        f"{word}: {told}"
        if told and each.way == "changed"
        else f"{word} ({each.before or each.after})"
        if told
        else word
    )
