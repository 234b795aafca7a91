"""Changes of schemes as changes of their text: what stands around stays, with its remarks and its layout."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from sistel.errors import Diagnostics, Language, Source, Span, Text, did_you_mean, refuse
from sistel.markup import Expression
from sistel.markup.expressions import CONSTANTS, FUNCTIONS, KEYWORDS, Binary, Name, Unary, print_expression
from sistel.markup.schema import ELEMENT_BY_KEY, Choice, Keyword, Reference
from sistel.markup.xml import Attribute, Element
from sistel.records import entry
from sistel.studio.service import _params
from sistel.studio.service._edits import Edit, applied, escaped, insertion, removal, told_edits
from sistel.studio.service._names import bindings
from sistel.studio.service._numbers import plain
from sistel.studio.service._read import Reading, attribute_of, end_of, reading, spec_of
from sistel.studio.service._renaming import edits_for
from sistel.studio.service._scheme_graph import OUTSIDE, drawn_places, placed_name
from sistel.studio.service._scheme_read import MORE, Port, Thing, mentions, scheme_of, schemes_of, things_of
from sistel.studio.service._told import utf16

if TYPE_CHECKING:
    from sistel.plain import JsonObject

WORDS: Final = frozenset(
    word.casefold() for table in (FUNCTIONS, CONSTANTS, KEYWORDS) for each in table for word in (*each.en, *each.ru)
)
"""Names that expressions need for themselves."""


@entry
class Place:
    """A scheme in its text, which a change is made of."""

    path: str
    read: Reading
    scheme: Element | None
    lang: Language

    @property
    def text(self) -> str:
        """The text before the change."""
        return self.read.source.text

    @property
    def own(self) -> Element:
        """The scheme, which has to be there."""
        if self.scheme is None:
            refuse("no-scheme", Text("this file has no scheme yet", "в этом файле ещё нет схемы"))
        return self.scheme

    def thing(self, called: object) -> Thing:
        """A thing of the scheme, by what the graph calls it."""
        things = things_of(self.own)
        found = next((each for each in things if each.id == called), None)
        if found is None:
            word = str(called)[:60]
            refuse(
                "no-block",
                Text(f'the scheme has no "{word}"', f"в схеме нет «{word}»"),
                hint=did_you_mean(word, [each.id for each in things]),
            )
        return found


def changed(path: str, text: str, wanted: str | None, change: Mapping[str, object]) -> dict[str, object]:
    """What a change of a scheme comes to: `{edits, select}`, by the text before and after it.

    Raises:
        SistelError: It cannot be made.
    """
    read = reading(path, text)
    if read.tree is None:
        refuse("no-xml", Text("the text has no element to write into", "в тексте нет элемента, куда писать"))
    what = _params.text(change, "do")
    made = CHANGES.get(what)
    if made is None:
        refuse(
            "bad-parameter",
            Text(f'there is no change "{what[:40]}"', f"нет изменения «{what[:40]}»"),
            hint=did_you_mean(what, list(CHANGES)),
        )
    scheme = None if what == "create" else scheme_of(read, wanted)
    edits, name = made(Place(path, read, scheme, read.lang), change)
    return {"edits": told_edits(text, edits), "select": _selected(path, text, edits, wanted, name), "made": name}


def _selected(path: str, text: str, edits: Sequence[Edit], wanted: str | None, name: str) -> object:
    """Where what was made stands afterwards."""
    if not name:
        return None
    after = applied(text, edits)
    tree = reading(path, after).tree
    for scheme in schemes_of(tree):
        for thing in things_of(scheme):
            if thing.id == name:
                return {"from": utf16(after, thing.element.start), "to": utf16(after, thing.element.end)}
    return None


# --- whole elements -----------------------------------------------------------------------------------------------


def _create(place: Place, change: Mapping[str, object]) -> tuple[list[Edit], str]:
    """A new scheme, behind the last one."""
    tree = place.read.tree
    assert tree is not None
    spec = ELEMENT_BY_KEY["scheme"]
    word = spec.written(place.lang)
    taken = {each.name for each in bindings(place.path, place.text).declared}
    name = _params.text(change, "name", "", most=200) or ("управление" if place.lang == "ru" else "control")
    period = _params.text(change, "period", "10 мс" if place.lang == "ru" else "10 ms", most=200)
    ports = _params.text(change, "ports", "", most=2000)
    given = [("name", free_name(name, taken))]
    given += [("period", period)] if period and not ports else []
    given += [("ports", ports)] if ports else []
    words = "".join(f' {spec.by_key[key].written(place.lang)}="{escaped(value)}"' for key, value in given)
    last = schemes_of(tree)
    after = last[-1] if last and any(each is last[-1] for each in tree.children) else None
    return [insertion(place.text, tree, (f"<{word}{words}>", f"</{word}>"), after=after)], ""


def _add(place: Place, change: Mapping[str, object]) -> tuple[list[Edit], str]:
    """A new thing: with a name of its own, and the thing that it is of where there is but one."""
    key, _, kind = _params.text(change, "item", most=400).partition(":")
    from sistel.studio.service._scheme_palette import palette

    known = [str(each["id"]) for each in palette(place.path, place.text)]
    item = f"{key}:{kind}" if kind else key
    if item not in known:
        refuse(
            "no-block",
            Text(
                f'there is no "{item[:60]}" to put into a scheme', f"в схему нечего поставить под именем «{item[:60]}»"
            ),
            hint=did_you_mean(item, known),
        )
    spec = ELEMENT_BY_KEY[key]
    given: list[tuple[str, str]] = []
    if "name" in spec.by_key:
        given.append(("name", _new_name(place, key, kind)))
    if key == "use":
        given.append(("scheme", kind))
    elif kind:
        given.append(("kind", kind_choice(key, kind).written(place.lang)))
    given += _first_values(place, key, kind)
    words = "".join(f' {spec.by_key[name].written(place.lang)}="{escaped(value)}"' for name, value in given)
    lines = _inside(place, spec.written(place.lang), key, words)
    things = things_of(place.own)
    edits = [insertion(place.text, place.own, lines, after=things[-1].element if things else _before_drawing(place))]
    called = f"{key}:{dict(given).get('motor' if key == 'output' else 'name', '')}"
    at = change.get("at")
    if isinstance(at, list) and key != "output":
        edits = _merged(edits, _place_edits(place, {dict(given).get("name", ""): at}), place)
    return edits, called


def _before_drawing(place: Place) -> Element | None:
    return place.own.children[-1] if place.own.children else None


def _merged(first: list[Edit], second: list[Edit], place: Place) -> list[Edit]:
    """Changes that may begin at the same place, as one."""
    at = {edit.start: edit for edit in first if edit.start == edit.end}
    merged = list(first)
    for edit in second:
        same = at.get(edit.start)
        if same is not None and edit.start == edit.end:
            merged[merged.index(same)] = Edit(same.start, same.end, same.insert + edit.insert)
        elif any((edit.start < other.end and other.start < edit.end) or edit[:2] == other[:2] for other in merged):
            continue  # the scheme was empty and is written anew: its places are found
        else:
            merged.append(edit)
    return merged


def _inside(place: Place, word: str, key: str, words: str) -> tuple[str, ...]:
    if key != "behaviour":
        return (f"<{word}{words}/>",)
    state = ELEMENT_BY_KEY["state"]
    name = "начало" if place.lang == "ru" else "begin"
    inner = f'  <{state.written(place.lang)} {state.by_key["name"].written(place.lang)}="{name}"/>'
    start = f' {ELEMENT_BY_KEY["behaviour"].by_key["start"].written(place.lang)}="{name}"'
    return (f"<{word}{words}{start}>", inner, f"</{word}>")


def _new_name(place: Place, key: str, kind: str) -> str:
    spec = ELEMENT_BY_KEY[key]
    word = kind or spec.written(place.lang)
    if kind and key != "use":
        word = kind_choice(key, kind).written(place.lang)
    word = re.sub(r"\W+", "_", word)
    taken = {each.name for each in bindings(place.path, place.text).declared}
    taken |= {each.name for scheme in schemes_of(place.read.tree) for each in things_of(scheme)}
    return free_name(word, taken)


def kind_choice(key: str, kind: str) -> Choice:
    """The word for a kind of an element."""
    words = ELEMENT_BY_KEY[key].by_key["kind"].kind
    assert isinstance(words, Keyword)
    return words.choice(kind)


def free_name(name: str, taken: set[str]) -> str:
    """A name that nothing has, and that no expression means something else by."""
    folded = {each.casefold() for each in taken}
    found, number = name, 1
    while found.casefold() in folded or found.casefold() in WORDS:
        number += 1
        found = f"{name}{number}"
    return found


def _first_values(place: Place, key: str, kind: str) -> list[tuple[str, str]]:
    """Values without which the new thing would be no use, where there is one choice alone."""
    if key == "signal":
        return [("value", "0")]
    spec = ELEMENT_BY_KEY[key]
    wanted = "motor" if key == "output" else "of" if key == "sensor" else ""
    if not wanted:
        return []
    reference = spec.by_key[wanted].kind
    if not isinstance(reference, Reference) or kind in ("rangefinder", "touch"):
        return []
    kinds = ("coordinate",) if kind in ("joint", "rate") else reference.to if key == "output" else ("body",)
    names = list(dict.fromkeys(each.name for each in bindings(place.path, place.text).of_kinds(kinds)))
    if key == "output":
        used = {each.id.removeprefix("output:") for scheme in schemes_of(place.read.tree) for each in things_of(scheme)}
        names = [each for each in names if each not in used]
        return [(wanted, names[0])] if names else []
    return [(wanted, names[0])] if len(names) == 1 else []


def _remove(place: Place, change: Mapping[str, object]) -> tuple[list[Edit], str]:
    """Things leave, with their places in the drawing; who names them says so."""
    ids = change.get("ids")
    if not isinstance(ids, list) or not ids:
        refuse("bad-parameter", Text('"ids" names what is removed', "«ids» называет, что убрать"))
    things = [place.thing(each) for each in dict.fromkeys(map(str, ids))]
    edits = [removal(place.text, each.element) for each in things]
    names = {placed_name(each) for each in things}
    return edits + _without_places(place, lambda name: name in names), ""


def _without_places(place: Place, goes: Callable[[str], bool]) -> list[Edit]:
    """Places leave the drawing, and the drawing where none is left."""
    found = drawn_places(place.own)
    gone = [each for each in found if (of := attribute_of(each, "of")) is not None and goes(" ".join(of.text.split()))]
    if not gone:
        return []
    if len(gone) == len(found):
        return [removal(place.text, each) for each in place.own.children if _holds(each, gone)]
    return [removal(place.text, each) for each in gone]


def _holds(element: Element, inside: Sequence[Element]) -> bool:
    return any(each is child for each in inside for child in element.children)


def _rename(place: Place, change: Mapping[str, object]) -> tuple[list[Edit], str]:
    """Another name, wherever it stands."""
    thing = place.thing(change.get("id"))
    name = " ".join(_params.text(change, "name", most=1000).split())
    attribute = attribute_of(thing.element, "name")
    if attribute is None:
        return _set(place, {"id": thing.id, "attribute": "name", "value": name})
    names = bindings(place.path, place.text)
    start, end = attribute.value.span().start, attribute.value.span().end
    declared = next((each for each in names.declared if start <= each.span.start and each.span.end <= end), None)
    if declared is None:
        refuse(
            "broken-text",
            Text(
                "while the text is broken nothing can be renamed everywhere",
                "пока текст нарушен, переименовать всюду нельзя",
            ),
            hint=Text("mend it first", "сначала исправьте его"),
        )
    return edits_for(place.path, place.text, names, declared, name), f"{thing.key}:{name}"


# --- wires --------------------------------------------------------------------------------------------------------


def _wire(place: Place, change: Mapping[str, object]) -> tuple[list[Edit], str]:
    """A signal comes in at a place, instead of what did before; at the place for one more, besides it."""
    thing = place.thing(change.get("target"))
    which = _params.text(change, "in", most=400)
    out = _params.text(change, "out", most=400)
    source = _params.text(change, "source", "", most=400)
    if not source.startswith(OUTSIDE):
        place.thing(source)
    word = out if "(" in out else print_expression(_named(out))
    port = _port_of(thing, which)
    if port.fixed:
        _refuse_fixed(port)
    return _written(place, thing, port, word), thing.id


def _named(name: str) -> Name:
    return Name(name, Span(Source("<name>", name), 0, len(name)))


def _port_of(thing: Thing, which: str) -> Port:
    found = next((each for each in thing.ports if each.id == which), None)
    if found is None:
        known = [each.id for each in thing.ports]
        told = ", ".join(known) or "—"
        refuse(
            "no-port",
            Text(
                f'"{thing.name or thing.id}" has no place "{which[:40]}"',
                f"у «{thing.name or thing.id}» нет входа «{which[:40]}»",
            ),
            expected=Text(told, told),
        )
    return found


def _refuse_fixed(port: Port) -> NoReturn:
    refuse(
        "written-inside",
        Text(
            "this is asked by what stands inside: change it there",
            "это спрашивает то, что записано внутри: измените там",
        ),
        span=None if port.attribute is None else port.attribute.value.span(),
    )


def _written(place: Place, thing: Thing, port: Port, word: str) -> list[Edit]:
    """A value at a place where something comes in."""
    element = port.element or thing.element
    key = _key_of(port)
    attribute = port.attribute if port.element is not None else _attribute(element, key)
    if port.id.endswith(f".{MORE}") and attribute is not None and attribute.text.strip():
        end = attribute.value.span().end
        return [Edit(end, end, escaped(f", {word}", _quote(place.text, attribute)))]
    if attribute is not None and "." in port.id and port.values:
        span = port.values[0].span
        return [Edit(span.start, span.end, escaped(word, _quote(place.text, attribute)))]
    return [_attribute_edit(place, element, key, word)]


def _key_of(port: Port) -> str:
    return "value" if port.id.startswith("@") else port.id.partition(".")[0]


def _unwire(place: Place, change: Mapping[str, object]) -> tuple[list[Edit], str]:
    """A wire goes: its value, or its term of a sum; what a formula needs otherwise stays, and that is said."""
    target, which, out = (
        change.get("target"),
        _params.text(change, "in", most=400),
        _params.text(change, "out", most=400),
    )
    thing = place.thing(target)
    port = _port_of(thing, which)
    if port.fixed:
        _refuse_fixed(port)
    attribute = port.attribute
    value = next((each for each in port.values if any(word == out for word, _ in mentions(each))), None)
    if attribute is None or value is None:
        refuse("no-wire", Text("there is no such wire", "такого провода нет"))
    whole = _bare(value, out)
    if whole and len(_values(thing, port)) == 1:
        return [_attribute_removal(place.text, attribute)], thing.id
    if whole:
        return [_value_removal(place.text, thing, port, value)], thing.id
    term = _term(value, out)
    if term is None:
        refuse(
            "in-a-formula",
            Text(f'"{out}" is a part of the formula that comes in here', f"«{out}» — часть формулы на этом входе"),
            span=value.span,
            hint=Text("change the formula", "измените формулу"),
        )
    return [term], thing.id


def _values(thing: Thing, port: Port) -> list[Expression]:
    """All values of the attribute of a place."""
    key = _key_of(port)
    return [
        value for each in thing.ports if _key_of(each) == key and each.element is port.element for value in each.values
    ]


def _bare(value: Expression, word: str) -> bool:
    inner = value.operand if isinstance(value, Unary) else value
    return any(found == word and node is inner for found, node in mentions(inner))


def _value_removal(text: str, thing: Thing, port: Port, value: Expression) -> Edit:
    """One of several values goes, with its comma."""
    others = _values(thing, port)
    number = next(i for i, each in enumerate(others) if each is value)
    if number > 0:
        before = others[number - 1].span.end
        while before < value.span.start and text[before] not in ",;":
            before += 1  # brackets around the value before
        return Edit(before, value.span.end, "")
    after = others[1].span.start
    comma = max(text.rfind(",", value.span.end, after), text.rfind(";", value.span.end, after)) + 1
    while text[comma] in " \t":
        comma += 1
    return Edit(value.span.start, comma, "")


def _term(value: Expression, word: str) -> Edit | None:
    """A term of a sum goes, with its sign."""
    if isinstance(value, Binary) and value.operator in "+-":
        if _bare(value.right, word):
            return Edit(value.left.span.end, value.right.span.end, "")
        if _bare(value.left, word):
            sign = "-" if value.operator == "-" else ""
            return Edit(value.left.span.start, value.right.span.start, sign)
        return _term(value.left, word)
    return None


# --- attributes ---------------------------------------------------------------------------------------------------


def _set(place: Place, change: Mapping[str, object]) -> tuple[list[Edit], str]:
    """A value of an attribute, or none. What cannot be read is refused with its place."""
    called = change.get("id")
    attribute = _params.text(change, "attribute", most=400)
    value = change.get("value")
    if value is not None and not isinstance(value, str):
        refuse("bad-parameter", Text('"value" is a text', "«value» — текст"))
    if called in (None, ""):
        return _set_on(place, place.own, attribute, value), ""
    thing = place.thing(called)
    port = next((each for each in thing.ports if each.id == attribute), None)
    if port is not None and port.fixed:
        _refuse_fixed(port)
    if port is None or ("." not in port.id and port.element is None):
        return _set_on(place, thing.element, attribute, value), thing.id
    if value is None or not value.strip():
        return _cleared(place, thing, port), thing.id
    edits = _written(place, thing, port, value.strip())
    _check_set(place, port.element or thing.element, _key_of(port), edits)
    return edits, thing.id


def _cleared(place: Place, thing: Thing, port: Port) -> list[Edit]:
    if port.attribute is None:
        return []
    if not port.values or len(_values(thing, port)) == 1:
        return [_attribute_removal(place.text, port.attribute)]
    return [_value_removal(place.text, thing, port, port.values[0])]


def _set_on(place: Place, element: Element, key: str, value: str | None) -> list[Edit]:
    attribute = _attribute(element, key)
    if value is None or not value.strip():
        return [] if attribute is None else [_attribute_removal(place.text, attribute)]
    edit = _attribute_edit(place, element, key, value.strip())
    _check_set(place, element, key, [edit])
    return [edit]


def _attribute(element: Element, key: str) -> Attribute | None:
    found = attribute_of(element, key)
    return found if found is not None else element.attributes.get(key)


def _attribute_edit(place: Place, element: Element, key: str, value: str) -> Edit:
    """An attribute gets a value, behind the others where it is new."""
    found = _attribute(element, key)
    if found is not None:
        span = found.value.span()
        return Edit(span.start, span.end, escaped(value, _quote(place.text, found)))
    spec = spec_of(element)
    known = None if spec is None else spec.by_key.get(key)
    if known is None and (spec is None or not spec.open):
        refuse(
            "no-attribute",
            Text(f'there is no attribute "{key[:40]}" here', f"здесь нет атрибута «{key[:40]}»"),
            hint=None if spec is None else did_you_mean(key, list(spec.by_key)),
        )
    word = key if known is None else known.written(place.lang)
    at = element.name_start + len(element.name)
    if element.attributes:
        last = max(element.attributes.values(), key=lambda each: each.start)
        at = last.value.span().end + 1
    return Edit(at, at, f' {word}="{escaped(value)}"')


def _quote(text: str, attribute: Attribute) -> str:
    return "'" if text[attribute.value.span().start - 1] == "'" else '"'


def _attribute_removal(text: str, attribute: Attribute) -> Edit:
    start, end = attribute.name_start, attribute.value.span().end + 1
    while text[start - 1] in " \t\r\n":
        start -= 1
    return Edit(start, end, "")


def _check_set(place: Place, element: Element, key: str, edits: Sequence[Edit]) -> None:
    """Refuse a value that is none of its kind."""
    after = applied(place.text, edits)
    read = reading(place.path, after)
    start, end = element.start, end_of(element) + len(after) - len(place.text)
    old = {(each.code, each.message.en) for each in place.read.found}
    diagnostics = Diagnostics()
    for each in read.found:
        inside = each.span is not None and start <= each.span.start <= end and each.span.source.text == after
        if each.severity == "error" and inside and (each.code, each.message.en) not in old:
            diagnostics.add(each)
    diagnostics.raise_if_failed()


# --- places -------------------------------------------------------------------------------------------------------


def _move(place: Place, change: Mapping[str, object]) -> tuple[list[Edit], str]:
    """Things get places in the drawing of the scheme: columns and rows, by what the graph calls them."""
    given = _params.table(change, "places")
    places: JsonObject = {}
    for called, at in given.items():
        name = placed_name(place.thing(called))
        if name:
            places[name] = at
    return _place_edits(place, places), ""


def _place_edits(place: Place, places: JsonObject) -> list[Edit]:
    known = {" ".join(of.text.split()): each for each in drawn_places(place.own) if (of := attribute_of(each, "of"))}
    edits: list[Edit] = []
    lines: list[str] = []
    spec = ELEMENT_BY_KEY["place"]
    for name, at in places.items():
        if not isinstance(at, list):
            refuse("bad-parameter", Text("a place is a column and a row", "место — столбец и строка"))
        numbers = _params.numbers({"at": at}, "at")
        if len(numbers) != 2 or min(numbers) < 0 or max(numbers) > 10_000:
            refuse("bad-parameter", Text("a place is a column and a row", "место — столбец и строка"))
        told = f"{round(numbers[0])}, {plain(round(4.0 * numbers[1]) / 4.0)}"
        if name in known:
            edits.append(_attribute_edit(place, known[name], "at", told))
            continue
        words = [spec.by_key[key].written(place.lang) for key in ("of", "at")]
        lines.append(f'<{spec.written(place.lang)} {words[0]}="{escaped(name)}" {words[1]}="{told}"/>')
    if not lines:
        return edits
    drawing = next((each for each in place.own.children if spec_of(each) is ELEMENT_BY_KEY["drawing"]), None)
    if drawing is not None:
        return [*edits, insertion(place.text, drawing, lines)]
    word = ELEMENT_BY_KEY["drawing"].written(place.lang)
    return [*edits, insertion(place.text, place.own, (f"<{word}>", *(f"  {line}" for line in lines), f"</{word}>"))]


def _arrange(place: Place, change: Mapping[str, object]) -> tuple[list[Edit], str]:
    """All places that the file gives leave: they are found anew."""
    return _without_places(place, lambda name: True), ""


CHANGES: Final[Mapping[str, Callable[[Place, Mapping[str, object]], tuple[list[Edit], str]]]] = {
    "create": _create,
    "add": _add,
    "remove": _remove,
    "rename": _rename,
    "wire": _wire,
    "unwire": _unwire,
    "set": _set,
    "move": _move,
    "arrange": _arrange,
}
