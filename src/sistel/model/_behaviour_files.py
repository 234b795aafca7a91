"""Behaviours that a file takes from SCXML files: their states stand in it as if they were written there."""

from __future__ import annotations

from dataclasses import replace

from sistel.errors import Diagnostics, Text
from sistel.markup import Document, Node
from sistel.model._assembly import Loader

_HOMES = ("scheme", "repeat")
"""What may have behaviours inside."""


def with_behaviours(document: Document, loader: Loader, diagnostics: Diagnostics) -> Document:
    """A document with the behaviours of the files that its schemes name; itself where there are none."""
    behaviours = (node for node in document.root.walk() if node.key == "behaviour")
    if not any("file" in node.attributes for node in behaviours):
        return document
    root = _copy(document.root)
    root.children = [_scheme(child, loader, diagnostics) if child.key in _HOMES else child for child in root.children]
    return replace(document, root=root)


def _copy(node: Node) -> Node:
    return Node(node.spec, node.span, dict(node.attributes), list(node.open), list(node.children), set(node.failed))


def _scheme(scheme: Node, loader: Loader, diagnostics: Diagnostics) -> Node:
    made = _copy(scheme)
    made.children = []
    for child in scheme.children:
        if child.key == "behaviour" and "file" in child.attributes:
            made.children.append(_filled(child, loader, diagnostics))
        else:
            made.children.append(_scheme(child, loader, diagnostics) if child.key in _HOMES else child)
    return made


def _filled(node: Node, loader: Loader, diagnostics: Diagnostics) -> Node:
    """A behaviour with the states of its file; what it says itself comes before what the file says."""
    made = _copy(node)
    path = node.text("file") or ""
    del made.attributes["file"]
    own = [child for child in node.children if child.key != "data"]
    if own:
        diagnostics.error(
            "two-sources",
            own[0].span,
            Text("the states come from a file", "состояния берутся из файла"),
            expected=Text("either states or file=", "либо состояния, либо файл="),
        )
    document = loader(path, node.at("file"))
    found = (
        [] if document is None else [each for scheme in document.root.of("scheme") for each in scheme.of("behaviour")]
    )
    if document is None or not found:
        made.failed.add("file")
        if document is not None:
            said = Text("there is no behaviour in that file", "в этом файле нет поведения")
            expected = Text("an SCXML file", "файл SCXML")
            diagnostics.error("no-behaviour", node.at("file"), said, expected=expected)
        return made
    inner = found[0]
    made.attributes = {**inner.attributes, **made.attributes}
    given = {each.name for each in made.open}
    made.open += [each for each in inner.open if each.name not in given]
    made.children = [*node.children, *inner.children]
    return made
