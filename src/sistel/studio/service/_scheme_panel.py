"""The attributes of a thing in a scheme, as a panel shows them: what each means, its unit, what may be chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sistel.errors import Language, Text
from sistel.markup.schema import ELEMENT_BY_KEY, AttributeSpec, Flag, Keyword, Reference
from sistel.markup.xml import Attribute, Element
from sistel.model.blocks import BLOCKS
from sistel.studio.service._complete import unit_words
from sistel.studio.service._names import bindings
from sistel.studio.service._read import attribute_of, attributes_of, reading, spec_of
from sistel.studio.service._scheme_read import Thing, attribute_specs, ports_of, scheme_of, schemes_of, things_of
from sistel.studio.service._told import both, utf16

if TYPE_CHECKING:
    from sistel.plain import JsonObject


def panel(path: str, text: str, wanted: str | None, called: str, lang: Language) -> dict[str, object] | None:
    """The attributes of a thing; of the scheme itself without one; nothing where it is not there."""
    read = reading(path, text)
    scheme = scheme_of(read, wanted)
    if scheme is None:
        return None
    if not called:
        spec = ELEMENT_BY_KEY["scheme"]
        rows = [_row(path, text, scheme, each, lang, each.required) for each in spec.attributes]
        return {"id": "", "about": both(spec.doc), "attributes": rows}
    thing = next((each for each in things_of(scheme) if each.id == called), None)
    if thing is None:
        return None
    needs = BLOCKS[thing.kind].needs if thing.key == "block" and thing.kind in BLOCKS else ()
    rows = [
        _row(path, text, thing.element, each, lang, each.required or each.key in needs)
        for each in attribute_specs(thing)
    ]
    return {"id": thing.id, "about": both(_about(thing)), "attributes": [*rows, *_open_rows(text, thing, read.tree)]}


def _about(thing: Thing) -> Text:
    spec = ELEMENT_BY_KEY[thing.key]
    own = spec.by_key.get("kind")
    if own is not None and isinstance(own.kind, Keyword):
        found = next((each for each in own.kind.choices if each.key == thing.kind), None)
        if found is not None:
            return found.doc
    return spec.doc


def _row(path: str, text: str, element: Element, spec: AttributeSpec, lang: Language, needed: bool) -> JsonObject:
    found = attribute_of(element, spec.key)
    unit = unit_words(spec)
    return {
        "key": spec.key,
        "word": {"en": spec.written("en"), "ru": spec.written("ru")},
        "about": both(spec.doc),
        "unit": None if unit is None else both(unit),
        "value": None if found is None else found.text,
        "needed": needed,
        "usual": None if spec.default is None else both(spec.default),
        "choices": _choices(path, text, spec, lang),
        **_place(text, found),
    }


def _choices(path: str, text: str, spec: AttributeSpec, lang: Language) -> list[str] | None:
    """Words that may stand there; None where anything may."""
    kind = spec.kind
    if isinstance(kind, Keyword):
        return [each.written(lang) for each in kind.choices]
    if isinstance(kind, Flag):
        return ["да", "нет"] if lang == "ru" else ["yes", "no"]
    if isinstance(kind, Reference) and not kind.many:
        return list(dict.fromkeys(each.name for each in bindings(path, text).of_kinds(kind.to)))
    return None


def _open_rows(text: str, thing: Thing, tree: Element | None) -> list[JsonObject]:
    """Attributes with names of the file's own: ports that a use joins, outputs of a behaviour."""
    spec = spec_of(thing.element)
    if spec is None or not spec.open:
        return []
    given = {each.name: each for known, each in attributes_of(thing.element) if known is None}
    names = list(given)
    if thing.key == "use":
        for scheme in schemes_of(tree):
            own = attribute_of(scheme, "name")
            if own is not None and own.text.strip() == thing.kind:
                names = list(dict.fromkeys((*ports_of(scheme), *names)))
    port = Text("What is joined to this port", "Что присоединено к этому порту")
    output = Text("An output of the behaviour", "Выход поведения")
    return [
        {
            "key": name,
            "word": {"en": name, "ru": name},
            "about": both(port if thing.key == "use" else output),
            "unit": None,
            "value": given[name].text if name in given else None,
            "needed": thing.key == "use",
            "usual": None,
            "choices": None,
            **_place(text, given.get(name)),
        }
        for name in names
    ]


def _place(text: str, found: Attribute | None) -> dict[str, int]:
    if found is None:
        return {"from": 0, "to": 0}
    span = found.value.span()
    return {"from": utf16(text, span.start), "to": utf16(text, span.end)}
