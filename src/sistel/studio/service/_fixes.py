"""Changes that mend what a diagnostic complains of; each was tried, and leaves fewer errors than there were."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sistel.errors import Diagnostic, Diagnostics, SistelError, Source, Text
from sistel.markup import read_any
from sistel.markup.schema import NewName, Reference
from sistel.markup.xml import Element
from sistel.model import Recipe
from sistel.records import entry
from sistel.studio.service._edits import Edit, applied, escaped, told_edits
from sistel.studio.service._hover import element_at
from sistel.studio.service._names import bindings
from sistel.studio.service._read import Reading, reading, spec_of

MOST = 8
"""Diagnostics that are tried to be mended: each try reads the text once more."""
LONGEST = 200_000
"""Texts that are longer are not tried [characters]."""
_MEANT = re.compile(r'did you mean "([^"]+)"')
_LETTER = re.compile(r'Latin or Cyrillic; write "([^"]+)"')
_END_TAG = re.compile(r"did you mean </([^>]+)>")
_SWAPS = {"raw-ampersand": "&amp;", "raw-less-than": "&lt;", "section-end": "]]&gt;"}


@entry
class Fix:
    """What may be done, and the changes that do it."""

    title: Text
    edits: tuple[Edit, ...]
    complete: bool = True
    """Whether nothing is left to be filled in: then it must leave fewer errors."""


def fixes(path: str, text: str, found: Sequence[Diagnostic]) -> list[list[dict[str, object]]]:
    """For each diagnostic, what mends it."""
    done: list[list[dict[str, object]]] = []
    read = reading(path, text)
    tried = 0
    errors: int | None = None
    for diagnostic in found:
        good: list[dict[str, object]] = []
        span = diagnostic.span
        if span is not None and span.source.text == text and tried < MOST and len(text) < LONGEST:
            for fix in _proposed(path, read, diagnostic):
                tried += 1
                if fix.complete:
                    errors = _errors(path, text) if errors is None else errors
                    if _errors(path, applied(text, fix.edits)) >= errors:
                        continue
                title = {"en": fix.title.en, "ru": fix.title.ru}
                good.append({"title": title, "edits": told_edits(text, fix.edits)})
        done.append(good)
    return done


def _errors(path: str, text: str) -> int:
    """How many errors and warnings a text has; an error weighs more."""
    diagnostics = Diagnostics()
    found: Sequence[Diagnostic]
    try:
        document, _ = read_any(Source(path, text), diagnostics)
        diagnostics.raise_if_failed()
        assert document is not None
        found = Recipe(document, noted=tuple(diagnostics)).build(diagnostics=diagnostics).diagnostics
    except SistelError as problem:
        # A text that cannot be read says less than one that cannot be built.
        unread = 1000 if diagnostics.failed and any(each.code in _XML for each in problem.diagnostics) else 0
        return sum(100 if each.severity == "error" else 1 for each in problem.diagnostics) + unread
    return sum(1 for each in found if each.severity == "warning")


_XML = frozenset({"raw-ampersand", "raw-less-than", "unclosed-tag", "missing-semicolon", "unfinished", "misnested"})


def _proposed(path: str, read: Reading, diagnostic: Diagnostic) -> Iterator[Fix]:
    span = diagnostic.span
    assert span is not None
    text = read.source.text
    hint = "" if diagnostic.hint is None else diagnostic.hint.en
    element = None if read.tree is None else element_at(read.tree, span.start)
    for pattern in (_LETTER, _MEANT):
        meant = pattern.search(hint)
        if meant is not None:
            yield _instead(text, span.start, span.end, meant[1], element, diagnostic.code)
            break
    ending = _END_TAG.search(hint)
    if ending is not None:
        yield Fix(_write(ending[1]), (Edit(span.start, span.end, ending[1]),))
    if diagnostic.code in _SWAPS:
        yield Fix(_write(_SWAPS[diagnostic.code]), (Edit(span.start, span.end, _SWAPS[diagnostic.code]),))
    if diagnostic.code == "missing-semicolon":
        yield Fix(_write(span.text + ";"), (Edit(span.end, span.end, ";"),))
    if diagnostic.code == "missing-attribute" and element is not None:
        yield from _missing(path, read, element, diagnostic)
    if diagnostic.code == "unknown-attribute" and element is not None:
        yield from _without(text, element, span.start)
    if diagnostic.code == "same-name":
        yield _another_name(path, text, span.start, span.end)
    if diagnostic.code == "stray-text" and "--" not in span.text:
        words = f"<!-- {span.text} -->"
        yield Fix(Text("make it a remark", "сделать заметкой"), (Edit(span.start, span.end, words),))


def _write(word: str) -> Text:
    return Text(f'write "{word}"', f"написать «{word}»")


def _instead(text: str, start: int, end: int, word: str, element: Element | None, code: str) -> Fix:
    """Another word in the place of a wrong one; in both tags, where it is the name of an element."""
    old = text[start:end]
    quoted = old[:1] in "'«" and old[-1:] in "'»" and len(old) > 1
    edits = [Edit(start + quoted, end - quoted, escaped(word))]
    if code in ("unknown-element", "wrong-root") and element is not None and element.end_name is not None:
        edits.append(Edit(*element.end_name, word))
    return Fix(_write(word), tuple(edits))


def _missing(path: str, read: Reading, element: Element, diagnostic: Diagnostic) -> Iterator[Fix]:
    spec = spec_of(element)
    if spec is None:
        return
    text = read.source.text
    given = {spec.by_word[name.casefold()].key for name in element.attributes if name.casefold() in spec.by_word}
    at = element.name_start + len(element.name)
    for attribute in spec.attributes:
        word = attribute.written(read.lang)
        if not attribute.required or attribute.key in given or f'"{word}"' not in diagnostic.message.en:
            continue
        names = bindings(path, text)
        value = ""
        if isinstance(attribute.kind, NewName):
            value = fresh(element.name.casefold(), {each.name for each in names.declared})
        elif isinstance(attribute.kind, Reference):
            things = list(dict.fromkeys(each.name for each in names.of_kinds(attribute.kind.to)))
            value = things[0] if len(things) == 1 else ""
        title = Text(f'insert {word}="{value}"', f'вставить {word}="{value}"')
        yield Fix(title, (Edit(at, at, f' {word}="{escaped(value)}"'),), complete=bool(value))


def fresh(stem: str, taken: set[str]) -> str:
    """A name that nothing has yet."""
    number = 1
    while (name := f"{stem} {number}") in taken:
        number += 1
    return name


def _without(text: str, element: Element, at: int) -> Iterator[Fix]:
    for attribute in element.attributes.values():
        if attribute.name_start == at:
            end = attribute.value.span().end + 1
            start = at
            while start > 0 and text[start - 1] in " \t\r\n":
                start -= 1
            title = Text(f'remove "{attribute.name}"', f"убрать «{attribute.name}»")
            yield Fix(title, (Edit(start, end, ""),))


def _another_name(path: str, text: str, start: int, end: int) -> Fix:
    old = text[start:end].strip()
    known = {each.name for each in bindings(path, text).declared}
    name = fresh(re.sub(r"\s*\d+$", "", old) or old, known | {old})
    return Fix(Text(f'call it "{name}"', f"назвать «{name}»"), (Edit(start, end, escaped(name)),))
