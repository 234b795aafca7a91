"""Texts as they were read: once each, and as far as they can be read at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from sistel.errors import Diagnostic, Diagnostics, Language, SistelError, Source
from sistel.markup import Document, read_any, read_document
from sistel.markup.schema import ELEMENT_BY_WORD, AttributeSpec, ElementSpec, FilePath
from sistel.markup.xml import Attribute, Element, read_xml
from sistel.model import Model, Recipe
from sistel.records import entry
from sistel.studio.service import _params
from sistel.studio.service._told import character, utf16

KEPT = 6
"""Texts that are kept as they were read: that of the window, and those before and after its last changes."""
ROOTS = {"drives": "drives", "приводы": "drives", "cell": "cell", "ячейка": "cell"}
"""First elements of files that the schema of systems does not know, and what those describe."""
OTHERS = ("task", "motors")
"""What else the schema knows as a file of its own."""
CYRILLIC = frozenset("абвгдеёжзийклмнопрстуфхцчшщъыьэюя")


@entry
class Reading:
    """A text, and what could be read of it."""

    source: Source
    tree: Element | None
    """Its elements, what was damaged among them as it was probably meant."""
    document: Document | None
    found: tuple[Diagnostic, ...]
    """What is wrong with it."""
    lang: Language
    """Of its words."""


def reading(path: str, text: str) -> Reading:
    """What a text says, whatever is wrong with it."""
    return _reading(path, text)


@lru_cache(maxsize=KEPT)
def _reading(path: str, text: str) -> Reading:
    source = Source(path, text)
    tree = read_xml(source, Diagnostics())
    diagnostics = Diagnostics()
    document = None
    kind = kind_of(tree)
    try:
        if kind in OTHERS and tree is not None:
            read_xml(source, diagnostics)
            document = read_document(tree, source, diagnostics, kind)
            found = diagnostics.sorted()
        elif kind != "system":
            read_xml(source, diagnostics)
            found = diagnostics.sorted()
        else:
            document, _ = read_any(source, diagnostics)
            found = tuple(diagnostics)
    except SistelError as problem:
        found = problem.diagnostics
    return Reading(source, tree, document, found, language_of(text if tree is None else words_of(tree)))


def kind_of(tree: Element | None) -> str:
    """What a text describes by its first element: a task, drives, motors to choose from, a cell, or else a system."""
    if tree is None:
        return "system"
    name = tree.name.casefold()
    if name in ROOTS:
        # In Russian both are called so: motors of a catalogue have names, drives are of joints.
        named = [{word.casefold() for word in each.attributes} for each in tree.children]
        motors = name == "приводы" and any("имя" in each and "сочленение" not in each for each in named)
        return "motors" if motors else ROOTS[name]
    spec = ELEMENT_BY_WORD.get(name)
    return spec.key if spec is not None and spec.key in OTHERS else "system"


def words_of(tree: Element) -> str:
    """Names of elements and attributes, some thousand of them: by these the language of a text is told."""
    words: list[str] = []
    for element in tree.walk():
        words += (element.name, *element.attributes)
        if len(words) > 1000:
            break
    return " ".join(words)


def language_of(text: str) -> Language:
    """The language that most letters of a text are in."""
    russian = sum(letter in CYRILLIC for letter in text[:20_000].casefold())
    latin = sum("a" <= letter <= "z" for letter in text[:20_000].casefold())
    return "ru" if russian > latin else "en"


@entry
class Built:
    """A model, or why there is none."""

    model: Model | None
    found: tuple[Diagnostic, ...]


def built(path: str, text: str, values: Mapping[str, float] | None = None) -> Built:
    """The model of a text, with other values of some parameters [SI]; kept unless it is made of other files too."""
    read = reading(path, text)
    if read.document is None:
        return Built(None, read.found)
    given = tuple(sorted((values or {}).items()))
    if _names_files(read.document):
        return _build(read, given)
    return _built(path, text, given)


def _names_files(document: Document) -> bool:
    """Whether a document is made of other files too, which may change."""
    return any(
        isinstance(attribute.spec.kind, FilePath)
        for node in document.root.walk()
        for attribute in node.attributes.values()
    )


@lru_cache(maxsize=KEPT)
def _built(path: str, text: str, values: tuple[tuple[str, float], ...]) -> Built:
    return _build(reading(path, text), values)


def _build(read: Reading, values: tuple[tuple[str, float], ...]) -> Built:
    assert read.document is not None
    diagnostics = Diagnostics()
    for each in read.found:
        diagnostics.add(each)
    try:
        diagnostics.raise_if_failed()
        model = Recipe(read.document, values, noted=read.found).build(diagnostics=diagnostics)
    except SistelError as problem:
        return Built(None, problem.diagnostics)
    return Built(model, model.diagnostics)


def is_part(path: str, text: str) -> bool:
    """Whether a text is a part of others: it has no bodies, and something that those who include it may use."""
    read = reading(path, text)
    if read.document is None or kind_of(read.tree) != "system":
        return False
    return bool(read.document.root.children) and any(each.code == "no-bodies" for each in built(path, text).found)


def model_of(path: str, text: str, values: Mapping[str, float] | None = None) -> Model:
    """The model of a text.

    Raises:
        SistelError: There is none, with everything that is wrong.
    """
    found = built(path, text, values)
    if found.model is None:
        raise SistelError(found.found)
    return found.model


def given(params: Mapping[str, object]) -> tuple[str, str]:
    """Path and text of a call."""
    return _params.text(params, "path", "<text>"), _params.text(params, "text")


def place(params: Mapping[str, object], text: str, name: str = "at") -> int:
    """The character that a call asks about; it counts UTF-16 units."""
    return character(text, max(0, _params.whole(params, name, 0)))


def spec_of(element: Element) -> ElementSpec | None:
    """What the schema knows of an element."""
    return ELEMENT_BY_WORD.get(element.name.casefold())


def attribute_of(element: Element, key: str) -> Attribute | None:
    """The attribute of an element that the schema calls so."""
    spec = spec_of(element)
    known = None if spec is None else spec.by_key.get(key)
    if known is None:
        return None
    words = {word.casefold() for word in (*known.en, *known.ru)}
    return next((each for name, each in element.attributes.items() if name.casefold() in words), None)


def attributes_of(element: Element) -> Iterator[tuple[AttributeSpec | None, Attribute]]:
    """The attributes of an element, each with what the schema knows of it."""
    spec = spec_of(element)
    for name, attribute in element.attributes.items():
        yield None if spec is None else spec.by_word.get(name.casefold()), attribute


def parents(tree: Element) -> dict[int, Element]:
    """Of each element, by where it begins, the one around it."""
    return {child.start: element for element in tree.walk() for child in element.children}


def tag_at(path: str, text: str, start: int) -> dict[str, int]:
    """The start tag that begins at a place, for a window that chooses it."""
    tree = reading(path, text).tree
    found = None if tree is None else next((each for each in tree.walk() if each.start == start), None)
    end = start if found is None else found.end
    return {"from": utf16(text, start), "to": utf16(text, end)}


def end_of(element: Element) -> int:
    """Where an element ends, with its end tag."""
    text = element.source.text
    last = element
    if element.end_name is not None:
        close = text.find(">", element.end_name[1])
        return len(text) if close < 0 else close + 1
    # Its end tag is missing, or it closes itself.
    while last.children and last.end_name is None:
        last = last.children[-1]
    return last.end if last is element else max(element.end, end_of(last))
