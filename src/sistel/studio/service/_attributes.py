"""Attributes of elements as a form shows them, and how they are written, changed and taken away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.errors import Language
from sistel.markup.schema import AttributeSpec, Flag, Keyword, Reference
from sistel.markup.xml import Attribute, Element
from sistel.studio.service._complete import unit_words
from sistel.studio.service._edits import Edit, escaped
from sistel.studio.service._names import Bindings
from sistel.studio.service._read import attribute_of, spec_of
from sistel.studio.service._slots import added
from sistel.studio.service._told import utf16

if TYPE_CHECKING:
    from sistel.plain import JsonObject

YES_NO = {"en": ("yes", "no"), "ru": ("да", "нет")}


def set_attribute(element: Element, word: str, value: str | None) -> Edit | None:
    """The change that gives an attribute a value, or takes it away; None where nothing changes.

    Args:
        element: Whose.
        word: As the text spells it, or as it would be written.
        value: As people write it; None for none.
    """
    found = element.attributes.get(word)
    text = element.source.text
    if found is None:
        return None if value is None else added(element, word, escaped(value))
    span = found.value.span()
    if value is None:
        start = found.name_start
        while text[start - 1] in " \t\r\n":
            start -= 1
        return Edit(start, span.end + 1, "")
    if value == found.text:
        return None
    return Edit(span.start, span.end, escaped(value, text[span.start - 1]))


def form(element: Element, names: Bindings, lang: Language) -> list[JsonObject]:
    """The attributes of an element: those that it has as they stand, then those that it may have."""
    spec = spec_of(element)
    text = element.source.text
    rows = []
    told: set[str] = set()
    for word, attribute in element.attributes.items():
        known = None if spec is None else spec.by_word.get(word.casefold())
        if known is not None:
            told.add(known.key)
        rows.append(_row(text, known, word, attribute, names, lang))
    if spec is not None:
        rest = [each for each in spec.attributes if each.key not in told]
        rows += [_row(text, each, each.written(lang), None, names, lang) for each in rest]
    return rows


def _row(
    text: str, spec: AttributeSpec | None, word: str, attribute: Attribute | None, names: Bindings, lang: Language
) -> JsonObject:
    unit = None if spec is None else unit_words(spec)
    span = None if attribute is None else attribute.value.span()
    return {
        "name": word,
        "key": None if spec is None else spec.key,
        "value": None if attribute is None else attribute.text,
        "from": None if span is None else utf16(text, span.start),
        "to": None if span is None else utf16(text, span.end),
        "about": None if spec is None else {"en": spec.doc.en, "ru": spec.doc.ru},
        "default": None if spec is None or spec.default is None else {"en": spec.default.en, "ru": spec.default.ru},
        "required": spec is not None and spec.required,
        "unit": None if unit is None else {"en": unit.en, "ru": unit.ru},
        "choices": None if spec is None else _choices(spec, lang),
        "names": None if spec is None else _names(spec, names),
    }


def _choices(spec: AttributeSpec, lang: Language) -> list[str] | None:
    kind = spec.kind
    if isinstance(kind, Flag):
        return list(YES_NO[lang])
    if not isinstance(kind, Keyword):
        return None
    return [each.written(lang) for each in kind.choices]


def _names(spec: AttributeSpec, names: Bindings) -> list[str] | None:
    """What a reference may name."""
    if not isinstance(spec.kind, Reference):
        return None
    return sorted({thing.name for thing in names.of_kinds(spec.kind.to)})


def word_of(element: Element, key: str, lang: Language) -> str:
    """How an element spells an attribute, or would."""
    found = attribute_of(element, key)
    if found is not None:
        return found.name
    spec = spec_of(element)
    assert spec is not None
    return spec.by_key[key].written(lang)
