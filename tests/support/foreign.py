"""Short ways to read and write the other formats in tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sistel.errors import Diagnostics, Source, Span
from sistel.markup._document import Document
from sistel.markup._losses import Losses
from sistel.markup._reader import read_document
from sistel.markup.mjcf._read import read_mjcf
from sistel.markup.urdf._read import read_urdf
from sistel.markup.xml._reader import decode, read_xml
from sistel.model import build, to_document


def urdf(text: str, **options: Any) -> tuple[Document | None, Losses, Diagnostics]:
    """The document of a URDF text, its losses, and all diagnostics."""
    diagnostics = Diagnostics()
    root = read_xml(Source("robot.urdf", text), diagnostics)
    assert root is not None
    document, losses = read_urdf(root, diagnostics, **options)
    return document, losses, diagnostics


def mjcf(text: str, **options: Any) -> tuple[Document | None, Losses, Diagnostics]:
    """The document of an MJCF text, its losses, and all diagnostics."""
    diagnostics = Diagnostics()
    root = read_xml(Source("model.xml", text), diagnostics)
    assert root is not None
    document, losses = read_mjcf(root, diagnostics, **options)
    return document, losses, diagnostics


def urdf_file(path: Path, **options: Any) -> tuple[Document | None, Losses, Diagnostics]:
    """The document of a URDF file; None without losses when it is no XML at all."""
    diagnostics = Diagnostics()
    source = decode(path.read_bytes(), str(path), diagnostics)
    root = None if source is None else read_xml(source, diagnostics)
    if root is None:
        return None, Losses(), diagnostics
    document, losses = read_urdf(root, diagnostics, **options)
    return document, losses, diagnostics


def good(answer: tuple[Document | None, Losses, Diagnostics]) -> Document:
    """The document of an answer that has to be free of errors."""
    document, _, diagnostics = answer
    assert not diagnostics.failed, [diagnostic.render("en") for diagnostic in diagnostics]
    assert document is not None
    return document


def canonical(text: str) -> Document:
    """The canonical document of a text in XsysTel."""
    diagnostics = Diagnostics()
    source = Source("system.xml", text)
    root = read_xml(source, diagnostics)
    assert root is not None
    document = read_document(root, source, diagnostics)
    assert document is not None
    return rebuilt(document, diagnostics)


def rebuilt(document: Document, diagnostics: Diagnostics | None = None) -> Document:
    """The canonical document of a document: through the model and back."""
    model = build(document, diagnostics or Diagnostics(), _no_inclusions)
    return Document(to_document(model), document.source, document.lang)


def _no_inclusions(path: str, span: Span) -> Document | None:
    raise AssertionError(f"{span} includes {path}")


def places(items: Any) -> list[tuple[str, str]]:
    """Losses or diagnostics as pairs of a kind or code and the text that they point at."""
    return [
        (item.kind if hasattr(item, "kind") else item.code, item.span.text if item.span is not None else "")
        for item in items
    ]
