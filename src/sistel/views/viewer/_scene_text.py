"""What a file says of a scene: X3D files, scenes in pages of HTML, and pieces that papers print without a frame."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from sistel.errors import Diagnostic, Diagnostics, SistelError, Source, Span, Text, refuse
from sistel.look import triple
from sistel.markup.xml import Element, read_xml
from sistel.records import record
from sistel.views.viewer._embedding import read_scene
from sistel.views.x3d import DEEP, node_fields, spellings

if TYPE_CHECKING:
    from lxml.etree import _Element as Node

FRAME = (
    f"<X3D profile='Immersive' version='4.0'><Scene><Background skyColor='{triple('paper')}'/>",
    "</Scene></X3D>",
)
"""What stands around pieces that papers print without it."""
PLAYERS = re.compile(r"x3dom|x_ite", re.IGNORECASE)
"""Scripts of viewers: a page has its own."""

_DOCTYPE = re.compile(r"<!DOCTYPE\s+[^<>\[\]]*>", re.IGNORECASE)
_PASSED = r"(?>\s++|<\?.*?(?:\?>|\Z)|<!--.*?(?:-->|\Z))*+"
_FIRST = re.compile(rf"{_PASSED}<([\w:.-]+)", re.DOTALL)
_HTML = re.compile(rf"{_PASSED}<(?:!doctype\s+html|html|head|body|script|link)\b", re.DOTALL | re.IGNORECASE)
_BEGIN, _END = re.compile(r"<x3d\b", re.IGNORECASE), re.compile(r"</x3d\s*>", re.IGNORECASE)
_SCRIPT = re.compile(r"<script\b[^>]*>", re.IGNORECASE)
_TAG = re.compile(
    r"""</?([\w:.-]++)((?:[^<>"']++|"[^"]*+"|'[^']*+')*+)>|<!--.*?(?:-->|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)""", re.DOTALL
)
_ATTRIBUTE = re.compile(r"""([\w:.-]+)(\s*=\s*(?:"[^"]*"|'[^']*'))""")


@record
class SceneText:
    """A scene, and where everything in it stands in the file."""

    text: str
    """A whole X3D file."""
    root: Node
    """Its root, which may be changed."""
    tree: Element
    """The same as it was read, every element with its place."""
    places: dict[Node, Element]
    """The second for elements of the first."""
    before: tuple[Source, int]
    """What the user wrote, and how many characters of `text` stand before it."""
    left: tuple[tuple[Span, Text], ...] = ()
    """What stands beside the scene, and does not come along."""

    def span(self, node: Node) -> Span | None:
        """Where an element stands."""
        element = self.places.get(node)
        return None if element is None else self.moved(element.span)

    def moved(self, span: Span) -> Span:
        """A place of `text` as one of what the user wrote."""
        source, shift = self.before
        first = min(max(span.start - shift, 0), len(source.text))
        return Span(source, first, min(max(span.end - shift, first), len(source.text)))

    def told(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic at its place in what the user wrote."""
        return _told(diagnostic, self.moved)


def read_scene_text(source: Source) -> SceneText:
    """Read a scene.

    Raises:
        SistelError: It is no X3D: what is wrong, at all its places.
    """
    from lxml import etree

    left: tuple[tuple[Span, Text], ...] = ()
    text, shift = source.text.removeprefix("\ufeff"), 0
    shift -= len(source.text) - len(text)
    whole = None
    if _HTML.match(text) is not None:
        text, left = _out_of_html(text, source)
        whole = text
    else:
        # The official document type serves nothing here, and is in every second file.
        text = _DOCTYPE.sub(lambda found: _blank(found[0]), text, count=1)
        first = _FIRST.match(text)
        if first is not None and first[1] in (*node_fields(), "ProtoInstance", "ProtoDeclare", "ExternProtoDeclare"):
            text = whole = f"{FRAME[0]}{text}{FRAME[1]}"
            shift += len(FRAME[0])

    def moved(span: Span) -> Span:
        start = min(max(span.start - shift, 0), len(source.text))
        return Span(source, start, min(max(span.end - shift, start), len(source.text)))

    diagnostics = Diagnostics()
    tree = read_xml(Source(source.path, text), diagnostics, limits=DEEP)
    if diagnostics.failed:
        raise SistelError([_told(each, moved) for each in diagnostics.sorted()])
    scene = None if tree is None else next((each for each in tree.children if each.name == "Scene"), None)
    if tree is None or tree.name != "X3D" or scene is None:
        refuse(
            "no-scene",
            Text("this is no X3D scene", "это не сцена X3D"),
            span=moved(tree.name_span if tree is not None else Span(source, 0, min(1, len(text)))),
            expected=Text("<X3D> with a <Scene> in it", "<X3D>, а в нём <Scene>"),
        )
    try:
        root = read_scene(text)
    except (etree.XMLSyntaxError, ValueError) as problem:
        message = Text(f"this is no X3D scene: {problem}", "это не сцена X3D: здесь это не XML")
        refuse("no-scene", message, span=moved(Span(source, 0, min(1, len(text)))))
    places = dict(zip(root.iter("*"), tree.walk(), strict=True))
    return SceneText(text=whole or source.text, root=root, tree=tree, places=places, before=(source, shift), left=left)


def _told(diagnostic: Diagnostic, moved: Callable[[Span], Span]) -> Diagnostic:
    span = None if diagnostic.span is None else moved(diagnostic.span)
    return replace(diagnostic, span=span, related=tuple((moved(each), said) for each, said in diagnostic.related))


def _blank(text: str) -> str:
    """As many blanks, so that everything else keeps its place."""
    return re.sub(r"[^\r\n]", " ", text)


def _out_of_html(text: str, source: Source) -> tuple[str, tuple[tuple[Span, Text], ...]]:
    """The scene of a page, in its place, with the letters that X3D has; and what of the page stays behind."""
    begin = _BEGIN.search(text)
    end = None if begin is None else _END.search(text, begin.start())
    if begin is None or end is None:
        span = Span(source, 0, min(1, len(text))) if begin is None else Span(source, *begin.span())
        refuse(
            "no-scene",
            Text("there is no scene in this page", "на этой странице нет сцены"),
            span=span,
            expected=Text("<X3D><Scene> … </Scene></X3D>", "<X3D><Scene> … </Scene></X3D>"),
        )
    outside = [(0, begin.start()), (end.end(), len(text))]
    left = [
        (Span(source, *found.span()), Text("a script of the page", "сценарий страницы"))
        for first, last in outside
        for found in _SCRIPT.finditer(text, first, last)
        if PLAYERS.search(found[0]) is None
    ]
    more = _BEGIN.search(text, end.end())
    if more is not None:
        left.append((Span(source, *more.span()), Text("the second scene of the page", "вторая сцена страницы")))
    inside = _TAG.sub(_spelt, text[begin.start() : end.end()])
    return _blank(text[: begin.start()]) + inside + _blank(text[end.end() :]), tuple(left)


def _spelt(tag: re.Match[str]) -> str:
    """A tag with the capitals of X3D; HTML does not tell them apart."""
    if tag[1] is None:
        return tag[0]
    elements, words = spellings()

    def attribute(found: re.Match[str]) -> str:
        return words.get(found[1].lower(), found[1]) + found[2]

    name = elements.get(tag[1].lower(), tag[1])
    first = tag.start(1) - tag.start()
    return tag[0][:first] + name + _ATTRIBUTE.sub(attribute, tag[0][first + len(name) :])
