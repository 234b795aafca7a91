"""The structures of a text and the transitions between them as a graph that is edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from sistel.errors import Diagnostic, Language, Text, one_of, refuse
from sistel.markup import Document, Node
from sistel.markup.schema import ELEMENT_BY_KEY
from sistel.markup.xml import Element
from sistel.studio.service import _params
from sistel.studio.service._attributes import set_attribute, word_of
from sistel.studio.service._calls import Method
from sistel.studio.service._edits import Edit, applied, escaped, insertion, removal, step_of, told_edits
from sistel.studio.service._names import Declared, bindings
from sistel.studio.service._read import Reading, built, end_of, given, reading, tag_at
from sistel.studio.service._renaming import edits_for
from sistel.studio.service._told import told, utf16

if TYPE_CHECKING:
    from sistel.plain import JsonObject

_SHOWN: Final = ("holds", "slides", "body", "about")
"""What is said of a structure beside its name."""


def graph(params: Mapping[str, object]) -> object:
    """Structures and transitions: `{nodes: [{id, name, note, first, …}], edges: [{id, source, target, when, …}]}`."""
    path, text = given(params)
    document = reading(path, text).document
    if document is None or document.source.text != text:
        return {"nodes": [], "edges": []}
    structures, transitions = _parts(document)
    model = built(path, text).model
    start = None if model is None else model.start_structure
    ends = _ends(path, text)
    classes = {} if model is None else {each.name: each.structure_class for each in model.structures}
    nodes = []
    for number, node in enumerate(structures):
        name = node.text("name") or ""
        nodes.append(
            {
                "id": name,
                "name": name,
                "note": _note(node, classes.get(name)),
                "first": name == start if start is not None else number == 0,
                "from": utf16(text, node.span.start),
                "to": utf16(text, ends.get(node.span.start, node.span.end)),
            }
        )
    names = [str(each["name"]) for each in nodes]
    edges = []
    for number, node in enumerate(transitions):
        edges += _edges(text, node, number, names, ends)
    return {"nodes": nodes, "edges": edges}


def _parts(document: Document) -> tuple[list[Node], list[Node]]:
    links = list(document.root.of("links"))
    return (
        [each for node in links for each in node.of("structure") if each.text("name")],
        [each for node in links for each in node.of("transition")],
    )


def _ends(path: str, text: str) -> dict[int, int]:
    tree = reading(path, text).tree
    return {} if tree is None else {each.start: end_of(each) for each in tree.walk()}


def _note(node: Node, name: str | None) -> str:
    said = [node.attributes[key].span.text for key in _SHOWN if key in node.attributes]
    return " · ".join([*([name] if name else []), *said])


def _edges(text: str, node: Node, number: int, names: Sequence[str], ends: Mapping[int, int]) -> list[JsonObject]:
    to = node.names("to")
    sources = node.names("from") or tuple(name for name in names if name not in to)
    when = node.attributes.get("when")
    return [
        {
            "id": f"{number}:{source}",
            "source": source,
            "target": to[0] if to else "",
            "when": "" if when is None else _plain(when.span.text),
            "any": "from" not in node.attributes,
            "from": utf16(text, node.span.start),
            "to": utf16(text, ends.get(node.span.start, node.span.end)),
        }
        for source in sources
        if to and source in names and to[0] in names
    ]


def _plain(text: str) -> str:
    """A value as people write it, its references replaced."""
    for short, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&")):
        text = text.replace(short, sign)
    return text


def edit(params: Mapping[str, object]) -> object:
    """The changes of the text that a change of the graph comes to: `{edits, select, left}`.

    A `change` is `{do: add, name}`, `{do: remove, id}`, `{do: rename, id, name}`, `{do: disconnect, edge}`,
    `{do: connect, source, target, when}` or `{do: when, edge, when}`.

    Raises:
        SistelError: It is none, or a condition is wrong.
    """
    path, text = given(params)
    change = _params.table(params, "change")
    done = _changed(path, text, change)
    if change.get("do") in ("connect", "when"):
        wrong = _wrong(path, text, done)
        if wrong:
            raise_first(wrong)
    return _told(path, text, done)


def check(params: Mapping[str, object]) -> object:
    """What is wrong with a condition that is being written, of a `change` as `structures.edit` has it: `{problems}`."""
    path, text = given(params)
    wrong = _wrong(path, text, _changed(path, text, _params.table(params, "change")))
    return {"problems": [told(each) for each in wrong]}


def raise_first(wrong: Sequence[Diagnostic]) -> None:
    """Refuse a change for what is wrong with the text after it."""
    first = wrong[0]
    refuse(first.code, first.message, expected=first.expected, hint=first.hint)


def _wrong(path: str, text: str, done: _Done) -> list[Diagnostic]:
    """Errors that a change brings."""
    after = applied(text, done.edits)
    before = {each.message.en for each in built(path, text).found if each.severity == "error"}
    return [each for each in built(path, after).found if each.severity == "error" and each.message.en not in before]


class _Done:
    """What a change comes to."""

    def __init__(self, edits: Sequence[Edit], put: Edit | None = None, left: Sequence[JsonObject] = ()) -> None:
        self.edits = list(edits)
        self.put = put
        self.left = list(left)


def _told(path: str, text: str, done: _Done) -> JsonObject:
    select = None
    if done.put is not None:
        start = done.put.start + len(done.put.insert) - len(done.put.insert.lstrip("> \t\r\n"))
        after = applied(text, done.edits)
        select = tag_at(path, after, after.find("<", start))
    return {"edits": told_edits(text, done.edits), "select": select, "left": done.left}


def _changed(path: str, text: str, change: Mapping[str, object]) -> _Done:
    read = reading(path, text)
    if read.tree is None or read.document is None:
        refuse("no-elements", Text("the text has errors", "в тексте ошибки"))
    what = _params.text(change, "do", most=40)
    if what == "add":
        return _add(path, text, read, _params.text(change, "name", most=1000))
    if what == "remove":
        return _remove(path, text, read, _params.text(change, "id", most=1000))
    if what == "rename":
        thing = _structure(path, text, _params.text(change, "id", most=1000))
        name = _params.text(change, "name", most=1000)
        return _Done(edits_for(path, text, bindings(path, text), thing, name))
    if what == "connect":
        return _connect(path, text, read, change)
    if what == "disconnect":
        return _disconnect(read, _params.text(change, "edge", most=1000))
    if what != "when":
        refuse(
            "bad-parameter",
            Text(f'a graph is not changed by "{what}"', f"граф не меняют через «{what}»"),
            expected=one_of(["add", "remove", "rename", "connect", "disconnect", "when"]),
        )
    node, _ = _transition(read, _params.text(change, "edge", most=1000))
    element = _element(read, node)
    done = set_attribute(element, word_of(element, "when", read.lang), _params.text(change, "when", most=10_000))
    return _Done([] if done is None else [done])


def _structure(path: str, text: str, name: str) -> Declared:
    names = bindings(path, text)
    known = [each for each in names.declared if each.kind == "structure"]
    found = next((each for each in known if each.name == name), None)
    if found is None:
        refuse(
            "no-structure",
            Text(f'there is no structure "{name}"', f"нет структуры «{name}»"),
            expected=one_of([each.name for each in known]) if known else None,
        )
    return found


def _transition(read: Reading, edge: str) -> tuple[Node, str]:
    """The transition of a line of the graph, and the structure that the line leaves."""
    assert read.document is not None
    number, _, source = edge.partition(":")
    transitions = _parts(read.document)[1]
    if not number.isdecimal() or int(number) >= len(transitions):
        refuse("no-transition", Text("there is no such transition", "такого перехода нет"))
    return transitions[int(number)], source


def _element(read: Reading, node: Node) -> Element:
    assert read.tree is not None
    return next(each for each in read.tree.walk() if each.start == node.span.start)


def _line(key: str, values: Sequence[tuple[str, str]], lang: Language) -> str:
    spec = ELEMENT_BY_KEY[key]
    parts = [f'{spec.by_key[name].written(lang)}="{escaped(value)}"' for name, value in values]
    return f"<{' '.join((spec.written(lang), *parts))}/>"


def _put(text: str, read: Reading, key: str, line: str) -> Edit:
    """A new structure or transition: behind the last of its kind, or of what stands before such in `links`."""
    tree = read.tree
    assert tree is not None
    word = ELEMENT_BY_KEY["links"]
    links = [each for each in tree.children if each.name.casefold() in {one.casefold() for one in (*word.en, *word.ru)}]
    if not links:
        name = word.written(read.lang)
        step = step_of(text, tree)
        start = ELEMENT_BY_KEY["start"]
        starts = {one.casefold() for one in (*start.en, *start.ru)}
        before = [each for each in tree.children if each.name.casefold() not in starts]
        return insertion(text, tree, [f"<{name}>", step + line, f"</{name}>"], after=before[-1] if before else None)
    spec = ELEMENT_BY_KEY[key]
    own = {one.casefold() for one in (*spec.en, *spec.ru)}
    like = [each for each in links[-1].children if each.name.casefold() in own]
    if not like and key == "structure":
        later = ELEMENT_BY_KEY["transition"]
        spelt = {one.casefold() for one in (*later.en, *later.ru)}
        like = [each for each in links[-1].children if each.name.casefold() not in spelt]
    return insertion(text, links[-1], [line], after=like[-1] if like else None)


def _add(path: str, text: str, read: Reading, name: str) -> _Done:
    name = " ".join(name.split())
    taken = {each.name for each in bindings(path, text).declared if each.kind == "structure"}
    if not name or name in taken:
        refuse(
            "name-taken",
            Text(f'there is a structure "{name}" already', f"структура «{name}» уже есть")
            if name
            else Text("a structure has a name", "у структуры есть имя"),
            hint=Text("give each its own name", "дайте каждой своё имя"),
        )
    put = _put(text, read, "structure", _line("structure", [("name", name)], read.lang))
    return _Done([put], put)


def _connect(path: str, text: str, read: Reading, change: Mapping[str, object]) -> _Done:
    source, target = (_params.text(change, key, most=1000) for key in ("source", "target"))
    _structure(path, text, source)
    _structure(path, text, target)
    when = _params.text(change, "when", most=10_000)
    if not when.strip():
        refuse(
            "no-condition",
            Text("a transition happens on a condition", "переход происходит по условию"),
            hint=Text("for example: t > 1 s", "например: t > 1 с"),
        )
    line = _line("transition", [("from", source), ("to", target), ("when", when)], read.lang)
    put = _put(text, read, "transition", line)
    return _Done([put], put)


def _disconnect(read: Reading, edge: str) -> _Done:
    node, source = _transition(read, edge)
    element = _element(read, node)
    rest = [name for name in node.names("from") if name != source]
    if rest and len(rest) < len(node.names("from")):
        done = set_attribute(element, word_of(element, "from", read.lang), ", ".join(rest))
        return _Done([] if done is None else [done])
    return _Done([removal(element.source.text, element)])


def _remove(path: str, text: str, read: Reading, name: str) -> _Done:
    """A structure goes with the transitions to it, and leaves those from it."""
    assert read.document is not None
    thing = _structure(path, text, name)
    edits = [removal(text, _element(read, thing.node))]
    gone = [thing.node.span]
    for node in _parts(read.document)[1]:
        element = _element(read, node)
        rest = [each for each in node.names("from") if each != name]
        leaves = name in node.names("from")
        if node.names("to") == (name,) or (leaves and not rest):
            edits.append(removal(text, element))
        elif leaves:
            done = set_attribute(element, word_of(element, "from", read.lang), ", ".join(rest))
            edits += [] if done is None else [done]
        else:
            continue
        gone.append(node.span)
    left = [
        {"name": name, "line": each.span.line, "from": utf16(text, each.span.start), "to": utf16(text, each.span.end)}
        for each in bindings(path, text).of(thing)
        if not any(span.start <= each.span.start < span.end for span in gone)
    ]
    return _Done(edits, None, left)


METHODS: Final[Mapping[str, Method]] = {
    "structures.graph": graph,
    "structures.edit": edit,
    "structures.check": check,
}
