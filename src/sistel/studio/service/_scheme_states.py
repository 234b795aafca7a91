"""The states of a behaviour as a nested graph, and the passages between them."""

from __future__ import annotations

from collections.abc import Iterator

from sistel.errors import Text, did_you_mean, refuse
from sistel.markup.xml import Element
from sistel.studio.service._read import attribute_of, end_of, reading, spec_of
from sistel.studio.service._scheme_read import name_of, scheme_of
from sistel.studio.service._told import utf16

STATES = ("state", "parallel", "final", "history")


def states(path: str, text: str, wanted: str | None, behaviour: str) -> dict[str, object]:
    """The states of a behaviour, outer ones first: `{name, states, passages}`.

    Raises:
        SistelError: The scheme has no such behaviour.
    """
    read = reading(path, text)
    scheme = scheme_of(read, wanted)
    charts = [] if scheme is None else [each for each in scheme.children if _key(each) == "behaviour"]
    chart = next((each for each in charts if name_of(each) == behaviour), None)
    if chart is None:
        refuse(
            "no-behaviour",
            Text(f'the scheme has no behaviour "{behaviour[:60]}"', f"в схеме нет поведения «{behaviour[:60]}»"),
            hint=did_you_mean(behaviour, [name_of(each) for each in charts]),
        )
    known: dict[str, str] = {}
    found = list(_states(text, chart, None, known))
    passages = [each for element, own in _elements(chart, None) for each in _passages(text, element, own, known)]
    return {"name": behaviour, "states": found, "passages": passages}


def _elements(parent: Element, name: str | None) -> Iterator[tuple[Element, str]]:
    for number, element in enumerate(parent.children):
        if _key(element) not in STATES:
            continue
        own = name_of(element) or f"{name or ''}#{number}"
        yield element, own
        yield from _elements(element, own)


def _states(text: str, parent: Element, above: str | None, known: dict[str, str]) -> Iterator[dict[str, object]]:
    start = attribute_of(parent, "start")
    first = set() if start is None else {each.strip() for each in start.text.split(",")}
    for number, element in enumerate(parent.children):
        key = _key(element)
        if key not in STATES:
            continue
        own = name_of(element) or f"{above or ''}#{number}"
        known[own] = own
        given = [
            f"{name} = {each.text.strip()}"
            for name, each in element.attributes.items()
            if (spec := spec_of(element)) is not None and name.casefold() not in spec.by_word
        ]
        yield {
            "id": own,
            "name": name_of(element),
            "kind": key,
            "parent": above,
            "first": own in first or _key(parent) == "parallel",
            "gives": given,
            "from": utf16(text, element.start),
            "to": utf16(text, end_of(element)),
        }
        yield from _states(text, element, own, known)


def _passages(text: str, element: Element, own: str, known: dict[str, str]) -> Iterator[dict[str, object]]:
    for number, child in enumerate(element.children):
        if _key(child) != "go":
            continue
        to = attribute_of(child, "to")
        targets = [each.strip() for each in to.text.split(",")] if to is not None else [own]
        said = [
            (key, found.text.strip())
            for key in ("event", "when", "after")
            if (found := attribute_of(child, key)) is not None
        ]
        told = "; ".join(f"{value}" if key != "after" else f"⏱ {value}" for key, value in said)
        for target in targets:
            if target in known:
                yield {
                    "id": f"{own}→{target}#{number}",
                    "source": own,
                    "target": target,
                    "when": told,
                    "from": utf16(text, child.start),
                    "to": utf16(text, end_of(child)),
                }


def _key(element: Element) -> str:
    spec = spec_of(element)
    return "" if spec is None else spec.key
