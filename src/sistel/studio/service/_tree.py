"""The elements of a text as a tree that is edited: a form for one of them, new ones, copies, moves, removals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NoReturn

from sistel.errors import Text, did_you_mean, refuse
from sistel.markup.schema import ELEMENT_BY_KEY
from sistel.markup.xml import Element
from sistel.studio.service import _params
from sistel.studio.service._adding import copied, dedented, lines_of
from sistel.studio.service._attributes import form, set_attribute
from sistel.studio.service._calls import Method
from sistel.studio.service._cursor import allowed_in
from sistel.studio.service._edits import Edit, applied, indent_of, insertion, removal, told_edits
from sistel.studio.service._names import bindings
from sistel.studio.service._outline import outline, title_of
from sistel.studio.service._read import Reading, attribute_of, end_of, given, parents, place, reading, spec_of, tag_at
from sistel.studio.service._told import utf16

if TYPE_CHECKING:
    from sistel.plain import JsonObject


def read(params: Mapping[str, object]) -> object:
    """The tree of a text: `{roots: [{id, kind, word, name, note, from, to, children}]}`."""
    path, text = given(params)
    found = outline(reading(path, text))
    return {"roots": [_branch(each) for each in found["items"]], "whole": found["whole"], "lang": found["lang"]}


def _branch(top: JsonObject) -> JsonObject:
    made = _told(top)
    stack = [(top, made)]
    while stack:
        item, told = stack.pop()
        for child in item["children"]:
            told["children"].append(_told(child))
            stack.append((child, told["children"][-1]))
    return made


def _told(item: JsonObject) -> JsonObject:
    spec = None if item["key"] is None else ELEMENT_BY_KEY[item["key"]]
    word = {"en": item["word"], "ru": item["word"]} if spec is None else {"en": spec.en[0], "ru": spec.ru[0]}
    return {
        "id": item["id"],
        "kind": item["key"] or item["word"],
        "word": word,
        "name": item["title"] if item["key"] != "system" else (item["name"] or ""),
        "from": item["from"],
        "to": item["to"],
        "tagTo": item["tagTo"],
        "children": [],
    }


def _tree(read: Reading) -> Element:
    if read.tree is None:
        refuse("no-elements", Text("this text has no elements", "в этом тексте нет элементов"))
    return read.tree


def _at(params: Mapping[str, object], tree: Element, text: str, name: str = "at") -> Element:
    """The innermost element that a place is in; before and behind them all, the outermost."""
    at = place(params, text, name)
    found = tree
    while True:
        inner = next((each for each in found.children if each.start <= at < end_of(each)), None)
        if inner is None:
            return found
        found = inner


def _part(params: Mapping[str, object], hint: Text | None = None) -> tuple[str, str, Element, Element]:
    """The path and the text of a call, the outermost element, and the one inside it that the call is about."""
    path, text = given(params)
    tree = _tree(reading(path, text))
    element = _at(params, tree, text)
    if element is tree:
        refuse("the-whole", Text("this is the whole system", "это вся система"), span=element.name_span, hint=hint)
    return path, text, tree, element


def words(params: Mapping[str, object]) -> object:
    """The element at a place as a form: `{kind, word, name, from, to, attributes, addable}`; None in an empty text."""
    path, text = given(params)
    found = reading(path, text)
    if found.tree is None:
        return None
    element = _at(params, found.tree, text)
    spec = spec_of(element)
    around = _around(found.tree, element)
    keys = [] if spec is None else _addables(found.tree, element, allowed_in([each.name for each in around]))
    return {
        "kind": element.name if spec is None else spec.key,
        "word": {"en": element.name, "ru": element.name} if spec is None else {"en": spec.en[0], "ru": spec.ru[0]},
        "about": None if spec is None else {"en": spec.doc.en, "ru": spec.doc.ru},
        "name": title_of(element),
        "from": utf16(text, element.start),
        "to": utf16(text, end_of(element)),
        "attributes": form(element, bindings(path, text), found.lang),
        "addable": [_addable(key) for key in keys],
        "root": element is found.tree,
    }


ONCE: Final = ("gravity", "world", "links", "start", "drawing", "displays")
"""Elements of which there is one."""
IN_SPACE: Final = ("wheel", "cone", "capsule", "cylinder", "sphere", "track")
"""Elements that say little or nothing in the plane."""
IN_PLANE: Final = ("circle", "polygon", "polyline", "shape")
"""And those of the plane alone."""


def _addables(tree: Element, element: Element, allowed: Sequence[str]) -> list[str]:
    """What may be added: nothing that stands once and is there, nor what belongs to the plane or to space alone."""
    there = {_key(each) for each in element.children}
    other = IN_SPACE if _planar(tree) else IN_PLANE
    return [key for key in allowed if key in ELEMENT_BY_KEY and key not in other and not (key in ONCE and key in there)]


def _addable(key: str) -> JsonObject:
    spec = ELEMENT_BY_KEY[key]
    return {
        "name": key,
        "word": {"en": spec.en[0], "ru": spec.ru[0]},
        "about": {"en": spec.doc.en, "ru": spec.doc.ru},
    }


def _around(tree: Element, element: Element) -> list[Element]:
    """An element with those around it, the outermost first."""
    above = parents(tree)
    made = [element]
    while made[0].start in above:
        made.insert(0, above[made[0].start])
    return made


def write(params: Mapping[str, object]) -> object:
    """The change that gives an attribute of the element at a place a value, or none: `{edits}`."""
    path, text = given(params)
    element = _at(params, _tree(reading(path, text)), text)
    word = _params.text(params, "attribute", most=1000)
    value = None if params.get("value") is None else _params.text(params, "value", most=100_000)
    spec = spec_of(element)
    if word not in element.attributes and (spec is None or word.casefold() not in spec.by_word):
        known = [] if spec is None else [each.written(reading(path, text).lang) for each in spec.attributes]
        refuse(
            "no-such-attribute",
            Text(f'<{element.name}> has no "{word}"', f"у <{element.name}> нет «{word}»"),
            span=element.name_span,
            hint=did_you_mean(word, known),
        )
    edit = set_attribute(element, word, value)
    return {"edits": told_edits(text, [] if edit is None else [edit])}


def add(params: Mapping[str, object]) -> object:
    """The change that puts a new element into the one at `parent`, with what it needs: `{edits, select}`."""
    path, text = given(params)
    found = reading(path, text)
    parent = _at(params, _tree(found), text, "parent")
    what = _params.text(params, "what", most=200)
    around = _around(_tree(found), parent)
    allowed = allowed_in([each.name for each in around])
    key = next((key for key in allowed if what == key or what.casefold() in _words(key)), None)
    if key is None:
        _cannot_stand(what, parent)
    planar = _planar(_tree(found))
    lines = lines_of(key, parent, bindings(path, text), found.lang, planar=planar)
    last = next((each for each in reversed(parent.children) if _key(each) == key), None)
    return _put(path, text, insertion(text, parent, lines, after=last))


def _words(key: str) -> set[str]:
    spec = ELEMENT_BY_KEY[key]
    return {word.casefold() for word in (*spec.en, *spec.ru)}


def _key(element: Element) -> str | None:
    spec = spec_of(element)
    return None if spec is None else spec.key


def _planar(tree: Element) -> bool:
    space = attribute_of(tree, "space")
    return space is None or space.text.strip().casefold() in ("planar", "плоская", "плоский")


def _cannot_stand(what: str, parent: Element) -> NoReturn:
    refuse(
        "cannot-stand-here",
        Text(f'"{what}" cannot stand in <{parent.name}>', f"«{what}» не может стоять в <{parent.name}>"),
        span=parent.name_span,
    )


def _put(path: str, text: str, edit: Edit, *more: Edit) -> JsonObject:
    """A change, with what it puts there chosen afterwards."""
    shift = sum(len(each.insert) - (each.end - each.start) for each in more if each.start < edit.start)
    inside = len(edit.insert) - len(edit.insert.lstrip("> \t\r\n"))
    start = edit.start + shift + inside
    after = applied(text, [edit, *more])
    return {"edits": told_edits(text, [edit, *more]), "select": tag_at(path, after, start)}


def remove(params: Mapping[str, object]) -> object:
    """The change that takes an element away, and who else names what was in it: `{edits, left: [{name, line, …}]}`."""
    path, text, _, element = _part(params, Text("remove what is in it", "удалите то, что в ней"))
    start, end = element.start, end_of(element)
    names = bindings(path, text)
    left: dict[int, JsonObject] = {}
    for thing in names.declared:
        if start <= thing.span.start < end:
            for mention in names.of(thing):
                if not start <= mention.span.start < end:
                    span = mention.span
                    left[span.start] = {
                        "name": thing.name,
                        "line": span.line,
                        "from": utf16(text, span.start),
                        "to": utf16(text, span.end),
                    }
    return {"edits": told_edits(text, [removal(text, element)]), "left": [left[at] for at in sorted(left)]}


def duplicate(params: Mapping[str, object]) -> object:
    """The change that puts a copy of an element behind it, with names of its own: `{edits, select}`."""
    path, text, tree, element = _part(params)
    parent = parents(tree)[element.start]
    return _put(path, text, insertion(text, parent, copied(path, text, element), after=element))


def move(params: Mapping[str, object]) -> object:
    """The change that moves an element past its neighbour (`by` -1 or 1), or `into` another one: `{edits, select}`."""
    path, text, tree, element = _part(params)
    if "into" in params:
        return _into(params, path, text, tree, element)
    by = _params.whole(params, "by")
    row = parents(tree)[element.start].children
    number = row.index(element) + (1 if by > 0 else -1)
    if not 0 <= number < len(row):
        return {"edits": [], "select": None}
    first, second = sorted((element, row[number]), key=lambda each: each.start)
    one, other = text[first.start : end_of(first)], text[second.start : end_of(second)]
    edits = [Edit(first.start, end_of(first), other), Edit(second.start, end_of(second), one)]
    start = first.start if element is second else second.start + len(other) - len(one)
    after = applied(text, edits)
    return {
        "edits": told_edits(text, edits),
        "select": {"from": utf16(after, start), "to": utf16(after, start + element.end - element.start)},
    }


def _into(params: Mapping[str, object], path: str, text: str, tree: Element, element: Element) -> object:
    parent = _at(params, tree, text, "into")
    around = _around(tree, parent)
    if element in around:
        refuse(
            "into-itself",
            Text("an element cannot stand in itself", "элемент не может стоять в себе"),
            span=element.name_span,
        )
    key = _key(element)
    if key is None or key not in allowed_in([each.name for each in around]):
        _cannot_stand(element.name, parent)
    lines = dedented(text[element.start : end_of(element)], indent_of(text, element.start))
    gone = removal(text, element)
    after = next((each for each in reversed(parent.children) if each is not element), None)
    edit = insertion(text, parent, lines, after=after)
    if gone.start <= edit.start <= gone.end or edit.start <= gone.start < edit.end:
        return {"edits": [], "select": None}  # it stands there already
    return _put(path, text, edit, gone)


METHODS: Final[Mapping[str, Method]] = {
    "tree.read": read,
    "tree.words": words,
    "tree.set": write,
    "tree.add": add,
    "tree.remove": remove,
    "tree.duplicate": duplicate,
    "tree.move": move,
}
