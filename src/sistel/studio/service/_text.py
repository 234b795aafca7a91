"""What is asked about a text alone."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from sistel.errors import Diagnostic, Diagnostics, Language, Span, Text, refuse
from sistel.markup import translate as translated
from sistel.studio.service import _params
from sistel.studio.service._calls import Method
from sistel.studio.service._edits import difference, told_edits
from sistel.studio.service._read import built, given, is_part, kind_of, place, reading
from sistel.studio.service._told import character, told, utf16


def check(params: Mapping[str, object]) -> object:
    """What is wrong with a text, all of it, what mends it, how long it took [ms], and of which kind it is."""
    from sistel.studio.service._fixes import fixes

    path, text = given(params)
    begin = time.perf_counter()
    found = _found(path, text)
    said = [told(each, path) for each in found]
    if any(each.severity == "error" for each in found):
        for each, mends in zip(said, fixes(path, text, found), strict=True):
            each["fixes"] = mends
    kind = "part" if is_part(path, text) else kind_of(reading(path, text).tree)
    return {"diagnostics": said, "took": 1000.0 * (time.perf_counter() - begin), "kind": kind}


def _found(path: str, text: str) -> tuple[Diagnostic, ...]:
    read = reading(path, text)
    kind = kind_of(read.tree)
    if kind == "task" and not any(each.severity == "error" for each in read.found):
        from sistel.studio.service._tasks import wrong

        return wrong(path, text)
    if kind in ("cell", "motors") and not any(each.severity == "error" for each in read.found):
        from sistel.studio.service._systems import wrong_cell, wrong_motors

        return wrong_cell(read.source) if kind == "cell" else wrong_motors(read.source)
    if kind != "system":
        return read.found
    return _of_part(path, text) if is_part(path, text) else built(path, text).found


_NO_BODIES = Text(
    "no bodies: this text is a part, which other files include",
    "тел нет: это часть, которую включают другие файлы",
)


def _of_part(path: str, text: str) -> tuple[Diagnostic, ...]:
    """What is wrong with a part of other files: names that it lacks are those of whoever includes it."""
    found: list[Diagnostic] = []
    lacking: list[Diagnostic] = []
    for each in built(path, text).found:
        if each.code == "no-bodies":
            found.append(replace(each, severity="note", message=_NO_BODIES, expected=None, hint=None))
        elif each.code == "unknown-name":
            lacking.append(each)
        else:
            found.append(each)
    said: set[str] = set()
    for each in lacking:
        if each.message.en not in said:
            said.add(each.message.en)
            more = Text(
                "; the file that includes this one may have it", "; оно может быть в файле, который включает этот"
            )
            message = Text(each.message.en + more.en, each.message.ru + more.ru)
            found.append(replace(each, severity="note", message=message, hint=None, expected=None))
    return tuple(found)


def complete(params: Mapping[str, object]) -> object:
    """What may be written at a place: `{from, to, items}`."""
    from sistel.studio.service._complete import offers
    from sistel.studio.service._cursor import cursor
    from sistel.studio.service._outline import written_language

    path, text = given(params)
    lang = written_language(reading(path, text), _params.text(params, "lang", "en"))
    found = offers(path, text, cursor(text, place(params, text)), lang)
    return {"from": utf16(text, found["start"]), "to": utf16(text, found["end"]), "items": found["items"], "lang": lang}


def complete_line(params: Mapping[str, object]) -> object:
    """What may be written at a place of a line of the console: `{from, to, items}`, in letters of the line."""
    from sistel.studio.service._complete import line_offers

    path, text = given(params)
    line = _params.text(params, "line", most=10_000)
    at = character(line, _params.whole(params, "at"))
    russian = _params.text(params, "lang", "en") == "ru" or re.search("[а-яё]", line, re.IGNORECASE) is not None
    lang: Language = "ru" if russian else "en"
    found = line_offers(path, text, line, at, lang)
    return {"from": utf16(line, found["start"]), "to": utf16(line, found["end"]), "items": found["items"], "lang": lang}


def hover(params: Mapping[str, object]) -> object:
    """What the word at a place means, or nothing: `{from, to, title, about, facts, declared}`."""
    from sistel.studio.service._hover import meaning

    path, text = given(params)
    found = meaning(path, text, place(params, text))
    if found is None:
        return None
    declared = found["declared"]
    return {
        "from": utf16(text, found["start"]),
        "to": utf16(text, found["end"]),
        "title": found["title"],
        "about": found["about"],
        "facts": found["facts"],
        "declared": None if declared is None else _spot(text, declared),
    }


def definition(params: Mapping[str, object]) -> object:
    """Where the thing named at a place is declared, or nothing: `{from, to, kind, name, tag}`."""
    from sistel.studio.service._names import bindings

    path, text = given(params)
    found = bindings(path, text).at(place(params, text))
    if found is None:
        return None
    thing, _ = found
    return {**_spot(text, thing.span), "kind": thing.kind, "name": thing.name, "tag": _spot(text, thing.node.span)}


def references(params: Mapping[str, object]) -> object:
    """All places where the thing named at a place is named: `{kind, name, places:[{from, to, declaration}]}`."""
    from sistel.studio.service._names import bindings

    path, text = given(params)
    names = bindings(path, text)
    found = names.at(place(params, text))
    if found is None:
        return {"kind": None, "name": None, "places": []}
    thing, _ = found
    spans = [(thing.span, True), *((each.span, False) for each in names.of(thing))]
    spans.sort(key=lambda each: each[0].start)
    places = [{**_spot(text, span), "declaration": own} for span, own in spans]
    return {"kind": thing.kind, "name": thing.name, "places": places}


def _spot(text: str, span: Span) -> dict[str, object]:
    return {"from": utf16(text, span.start), "to": utf16(text, span.end)}


def rename(params: Mapping[str, object]) -> object:
    """The changes that give the thing named at a place another name: `{edits}`; without `name`, what it is called."""
    from sistel.studio.service._names import bindings
    from sistel.studio.service._renaming import renamed

    path, text = given(params)
    at = place(params, text)
    if "name" not in params:
        found = bindings(path, text).at(at)
        if found is None or found[0].numbered:
            return None
        return {**_spot(text, found[1]), "kind": found[0].kind, "name": found[0].name}
    return {"edits": told_edits(text, renamed(path, text, at, _params.text(params, "name", most=1000)))}


def layout(params: Mapping[str, object]) -> object:
    """The changes that lay a text out; words, values and remarks stay."""
    from sistel.studio.service._layout import formatted

    path, text = given(params)
    return {"edits": told_edits(text, difference(text, formatted(path, text)))}


def translate(params: Mapping[str, object]) -> object:
    """The changes that put the words of a text into the other language, or into `lang`: `{edits, lang}`."""
    path, text = given(params)
    read = reading(path, text)
    lang = _params.text(params, "lang", "en" if read.lang == "ru" else "ru")
    if lang not in ("en", "ru"):
        refuse("bad-parameter", Text(f'there is no language "{lang[:20]}"', f"нет языка «{lang[:20]}»"))
    diagnostics = Diagnostics()
    after = translated(read.source, "ru" if lang == "ru" else "en", diagnostics)
    diagnostics.raise_if_failed()
    return {"edits": told_edits(text, difference(text, after)), "lang": lang}


def outline(params: Mapping[str, object]) -> object:
    """The elements of a text, as far as it can be read: `{items, whole, lang}`."""
    from sistel.studio.service._outline import outline as told_outline

    path, text = given(params)
    return told_outline(reading(path, text))


METHODS: Final[Mapping[str, Method]] = {
    "text.check": check,
    "text.complete": complete,
    "text.complete-line": complete_line,
    "text.hover": hover,
    "text.definition": definition,
    "text.references": references,
    "text.rename": rename,
    "text.format": layout,
    "text.translate": translate,
    "text.outline": outline,
}
