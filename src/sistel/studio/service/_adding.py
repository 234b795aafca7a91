"""New elements with what they need, from the table of the language, and copies with names of their own."""

from __future__ import annotations

import re
from typing import Final

from sistel.errors import Diagnostics, Language, Source
from sistel.markup.schema import ELEMENT_BY_KEY, AttributeSpec, ElementSpec, NewName, Reference
from sistel.markup.xml import Element, read_xml
from sistel.studio.service._edits import escaped, indent_of, newline_of
from sistel.studio.service._names import Bindings, Declared, bindings
from sistel.studio.service._numbers import plain
from sistel.studio.service._read import attribute_of, end_of, spec_of

ALSO: Final = {
    "body": ("joint", "place", "mass", "com", "inertia"),
    "point": ("place",),
    "frame": ("place",),
    "spring": ("body", "at", "to", "at-to", "stiffness", "length"),
    "closure": ("joint", "body", "at", "to", "at-to"),
    "contact": ("point", "surface"),
    "motor": ("limit",),
    "motion": ("of", "value"),
}
"""Attributes that need not be there, but say what people would have to say next."""
PLAIN: Final = {("motion", "value"): "30", ("force", "value"): "0, 10"}
"""Values that are simpler than those of the examples."""
PLACES: Final = ("place", "com", "at", "at-to", "value")
"""Attributes that have a number more in space."""


def lines_of(key: str, parent: Element, names: Bindings, lang: Language, *, planar: bool) -> list[str]:
    """The lines of a new element.

    Args:
        key: Which element.
        parent: Where it stands.
        names: Of the things that there are.
        lang: The language of the text.
        planar: Whether places have two numbers.
    """
    spec = ELEMENT_BY_KEY[key]
    example = _example(spec, lang)
    wanted = [each for each in spec.attributes if each.required or each.key in ALSO.get(key, ())]
    wanted += [each for each in spec.attributes if each.key == "name" and each not in wanted and key == "body"]
    values = []
    bodies = [thing.name for thing in names.of_kinds(("body",))]
    for each in sorted(wanted, key=lambda one: [other.key for other in spec.attributes].index(one.key)):
        if key in ("spring", "closure") and each.key == "to":
            # From the last body to the one before it, or to the ground.
            value = bodies[-2] if len(bodies) > 1 else None
        elif key == "motion" and each.key == "of" and _in_body(parent):
            continue  # it is of that body
        else:
            value = _value(each, spec, example, parent, names, lang, planar)
        if value is not None:
            values.append(f'{each.written(lang)}="{escaped(value)}"')
    return [f"<{' '.join((spec.written(lang), *values))}/>"]


def _example(spec: ElementSpec, lang: Language) -> Element | None:
    text = spec.example.ru if lang == "ru" else spec.example.en
    return read_xml(Source("<example>", text), Diagnostics())


def _value(
    spec: AttributeSpec,
    owner: ElementSpec,
    example: Element | None,
    parent: Element,
    names: Bindings,
    lang: Language,
    planar: bool,
) -> str | None:
    if isinstance(spec.kind, NewName):
        return free_name(names, owner.written(lang))
    if owner.key == "body" and spec.key == "place":
        return _end_of_body(parent, planar)
    shown = None if example is None else attribute_of(example, spec.key)
    value = PLAIN.get((owner.key, spec.key)) or (None if shown is None else shown.text)
    if isinstance(spec.kind, Reference):
        known = [thing.name for thing in names.of_kinds(spec.kind.to)]
        if value in known:
            return value
        return known[-1] if known else value if spec.required else None
    if value is not None and not planar and owner.key == "moment":
        return f"0, 0, {value}"
    if value is not None and not planar and spec.key in PLACES and value.count(",") == 1:
        return value + ", 0"
    return value


def _in_body(parent: Element) -> bool:
    spec = spec_of(parent)
    return spec is not None and spec.key == "body"


def _end_of_body(parent: Element, planar: bool) -> str | None:
    """Where the next body of a chain sits: as far beyond the centre of mass of this one as that is from its pole."""
    if not _in_body(parent):
        return None
    com = attribute_of(parent, "com")
    if com is not None:
        try:
            return ", ".join(plain(2.0 * float(each)) for each in re.split(r"[,;]", com.text))
        except ValueError:
            return f"{', '.join(f'2*({each.strip()})' for each in re.split(r'[,;]', com.text))}"
    return "0, 200" if planar else "0, 0, 200"


def free_name(names: Bindings, stem: str) -> str:
    """A name that nothing has yet."""
    taken = {thing.name for thing in names.declared}
    stem = re.sub(r"\d+$", "", stem) or stem
    number = 1
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"


def copied(path: str, text: str, element: Element) -> list[str]:
    """The lines of a copy of an element, the things in it with names of their own."""
    start, end = element.start, end_of(element)
    names = bindings(path, text)
    own = [thing for thing in names.declared if start <= thing.span.start < end and not thing.numbered]
    new = _new_names(names, own)
    changes: list[tuple[int, int, str]] = []
    for thing in own:
        changes.append((thing.span.start, thing.span.end, new[thing.span.start]))
        spans = [mention.span for mention in names.of(thing)]
        changes += [
            (span.start, span.end, new[thing.span.start])
            for span in spans
            if start <= span.start < end and span.text == thing.name
        ]
    body = text[start:end]
    for first, last, word in sorted(set(changes), reverse=True):
        body = body[: first - start] + word + body[last - start :]
    return dedented(body, indent_of(text, start))


def _new_names(names: Bindings, own: list[Declared]) -> dict[int, str]:
    taken = {thing.name for thing in names.declared}
    made: dict[int, str] = {}
    for thing in own:
        stem = re.sub(r"\d+$", "", thing.name) or thing.name
        number = 2
        while f"{stem}{number}" in taken:
            number += 1
        made[thing.span.start] = f"{stem}{number}"
        taken.add(made[thing.span.start])
    return made


def dedented(block: str, indent: str) -> list[str]:
    """The lines of a block without what all but the first are indented by."""
    newline = newline_of(block)
    first, *rest = block.split(newline)
    return [first, *(line.removeprefix(indent) for line in rest)]
