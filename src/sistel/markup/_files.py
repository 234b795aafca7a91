"""Files → documents: bytes decoded, XML read, words checked. The only place of this package that touches the disk."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from typing import Literal, NoReturn, TypedDict, Unpack

from sistel.errors import Diagnostics, Language, SistelError, Source, Span, Text, did_you_mean
from sistel.files import drafted, reason_of
from sistel.markup._access import AccessError, find_named, read_named, roots_of, with_roots
from sistel.markup._document import Document, Node
from sistel.markup._losses import Loss, Losses
from sistel.markup._mesh_files import check_meshes, rebase_meshes
from sistel.markup._reader import read_document
from sistel.markup.xml._decode import decode
from sistel.markup.xml._element import LIMITS, Element
from sistel.markup.xml._reader import read_xml

TABLE_ROOTS = ("dh", "таблицаДХ")
FOREIGN_ROOTS = ("robot", "mujoco", "mujocoinclude", "scxml", "svg", "svg:svg", *TABLE_ROOTS)
BEYOND_LIMITS = ("too-many-elements", "too-many-attributes")
"""Errors after which only a part of the file was read: saying more about that part would mislead."""


def read_source(path: str, diagnostics: Diagnostics, allow: Sequence[str] = ()) -> Source | None:
    """The text of a file that the user names; what it names itself lies in its folder, or in those of `allow`."""
    try:
        with open(path, "rb") as file:
            data = file.read(LIMITS.size + 1)
    except (OSError, ValueError) as problem:
        _cannot_open(path, problem, diagnostics, None)
        return None
    source = decode(data, path, diagnostics)
    return None if source is None else with_roots(source, allow)


def open_source(path: str, diagnostics: Diagnostics, allow: Sequence[str] = ()) -> Source:
    """The same, where nothing can go on without it.

    Raises:
        SistelError: The file cannot be read.
    """
    source = read_source(path, diagnostics, allow)
    diagnostics.raise_if_failed()
    assert source is not None
    return source


def read_named_source(
    name: str, span: Span, diagnostics: Diagnostics, folders: Sequence[str] | None = None
) -> Source | None:
    """The text of a file that a file names at `span`, relative to its folder or to `folders`.

    It may read from the same folders as the file that names it.
    """
    roots = roots_of(span.source)
    try:
        path = find_named(name, span.source, folders)
        data = read_named(path, LIMITS.size, roots)
    except AccessError as problem:
        message = Text(f'"{name}": {problem.reason.en}', f"«{name}»: {problem.reason.ru}")
        diagnostics.error(problem.code, span, message, hint=problem.hint)
        return None
    source = decode(data, path, diagnostics)
    if source is not None:
        source.roots = roots
    return source


def read_tree(source: Source, diagnostics: Diagnostics) -> Element | None:
    """The XML tree of a text; None when it has none, or is beyond the limits of what is read."""
    tree = read_xml(source, diagnostics)
    return None if any(item.code in BEYOND_LIMITS for item in diagnostics) else tree


def read_xsystel(source: Source, diagnostics: Diagnostics) -> Document | None:
    """The document of a text in XsysTel."""
    tree = read_tree(source, diagnostics)
    return None if tree is None else read_document(tree, source, diagnostics)


def include(path: str, span: Span, diagnostics: Diagnostics) -> Document | None:
    """The document of an included file, whose path is relative to the file of `span`."""
    source = read_named_source(path, span, diagnostics)
    if source is None:
        return None
    if not _is_xml(source.text):
        return read_any(source, diagnostics)[0]
    tree = read_tree(source, diagnostics)
    if tree is None:
        return None
    if tree.name in TABLE_ROOTS:
        return read_from_tree(tree, source, diagnostics)[0]
    if tree.name == "scxml":
        return _behaviour(tree, source, diagnostics)
    document = read_document(tree, source, diagnostics)
    if document is not None:
        check_meshes(document, diagnostics)
    return document


def _behaviour(tree: Element, source: Source, diagnostics: Diagnostics) -> Document | None:
    """The document of an SCXML file that a scheme names; what did not carry over is told as warnings."""
    document, losses = read_from_tree(tree, source, diagnostics)
    for loss in losses:
        if loss.kind == "dropped":
            diagnostics.warning("not-carried-over", loss.span, loss.what)
    return document


def _is_xml(text: str) -> bool:
    """Whether a text at least begins like one; nearly all files do."""
    return text.lstrip(" \t\r\n\ufeff")[:1] in ("<", "")


def _cannot_open(path: str, problem: Exception, diagnostics: Diagnostics, span: Span | None) -> None:
    folder, name = os.path.split(path)
    hint = None
    if isinstance(problem, FileNotFoundError):
        message = Text(f'there is no file "{path}"', f"нет файла «{path}»")
        try:
            hint = did_you_mean(name, sorted(os.listdir(folder or "."))[:2000])
        except OSError:
            hint = Text(f'there is no folder "{folder}"', f"нет папки «{folder}»")
    elif isinstance(problem, IsADirectoryError):
        message = Text(f'"{path}" is a folder', f"«{path}» — это папка")
    elif isinstance(problem, PermissionError):
        message = Text(f'"{path}" may not be read', f"нет права читать «{path}»")
    else:
        message = Text(f'"{path}" cannot be read: {problem}', f"не удаётся прочитать «{path}»: {problem}")
    diagnostics.error("no-file", span, message, hint=hint)


def read_plain(
    source: Source,
    diagnostics: Diagnostics,
    *,
    base: Literal["fixed", "free"] = "fixed",
    lock: Collection[str] | Mapping[str, float] = (),
) -> tuple[Document | None, tuple[Loss, ...]] | None:
    """As `read_any`, for tables of arms and screws of their joints; None where the text is neither."""
    if _is_xml(source.text):
        return None
    from sistel.markup.formats.table import read_plain as read

    return read(source, diagnostics, base=base, lock=lock)


class Options(TypedDict, total=False):
    """How files in the formats of others are read."""

    base: Literal["fixed", "free"]
    """Whether the first body is fixed to the ground, as it is unless told otherwise."""
    lock: Collection[str] | Mapping[str, float]
    """Joints that do not move, and where."""
    srdf: str | None
    """A file with postures."""


def read_any(
    source: Source, diagnostics: Diagnostics, **options: Unpack[Options]
) -> tuple[Document | None, tuple[Loss, ...]]:
    """The document of a text in any format, known by its root element, and what it said that did not carry over.

    A text that does not begin like XML may be a table of an arm, or the screws of its joints.
    """
    read = read_plain(source, diagnostics, base=options.get("base", "fixed"), lock=options.get("lock", ()))
    if read is not None:
        return read
    tree = read_tree(source, diagnostics)
    if tree is None:
        return None, ()
    return read_from_tree(tree, source, diagnostics, **options)


def read_from_tree(
    tree: Element, source: Source, diagnostics: Diagnostics, **options: Unpack[Options]
) -> tuple[Document | None, tuple[Loss, ...]]:
    """As `read_any`, from the XML tree of the text."""
    document, losses = _from_tree(tree, source, diagnostics, options)
    if document is not None:
        check_meshes(document, diagnostics)
    return document, losses


def _from_tree(
    tree: Element, source: Source, diagnostics: Diagnostics, options: Options
) -> tuple[Document | None, tuple[Loss, ...]]:
    base, lock, srdf = options.get("base", "fixed"), options.get("lock", ()), options.get("srdf")
    if tree.name not in FOREIGN_ROOTS and base == "fixed" and not lock and srdf is None:
        return read_document(tree, source, diagnostics), ()
    # The formats of others are imported only when a file is in one of them.
    from sistel.markup.formats.table import read_foreign, read_postures

    document, losses = read_foreign(tree, source, diagnostics, base=base, lock=lock)
    if srdf is None or document is None:
        return document, losses
    companion = read_source(srdf, diagnostics)
    semantic = None if companion is None else read_tree(companion, diagnostics)
    return document, losses if semantic is None else (*losses, *read_postures(tree, semantic, document, diagnostics))


def write_any(root: Node, path: str, lang: Language = "en") -> tuple[Loss, ...]:
    """Write a canonical document to a file in the format of its suffix; returns what did not carry over."""
    from sistel.markup.formats.table import write_format

    moved = Losses()
    rebase_meshes(root, os.path.dirname(path) or ".", moved)
    text, losses = write_format(root, path, lang)
    write_text(path, text)
    return (*losses, *moved.sorted())


def write_text(path: str, text: str) -> None:
    """Write a whole file in UTF-8, or nothing; lines end as they do in the text."""
    write_bytes(path, text.encode())


def write_bytes(path: str, data: bytes) -> None:
    """Write a whole file or nothing: into a neighbour first, which then takes the file's place."""
    try:
        with drafted(path) as draft:
            draft.write_bytes(data)
    except (OSError, ValueError) as problem:  # the second: no name of a file at all
        _cannot_write(path, problem)


def write_texts(texts: Iterable[tuple[str, str]]) -> None:
    """Write several files in UTF-8: none takes its place before all of them are written as neighbours."""
    path = ""
    try:
        with ExitStack() as stack:
            for path, text in texts:
                stack.enter_context(drafted(path)).write_bytes(text.encode())
    except (OSError, ValueError) as problem:
        _cannot_write(path, problem)


def _cannot_write(path: str, problem: OSError | ValueError) -> NoReturn:
    diagnostics = Diagnostics()
    reason = reason_of(problem)
    diagnostics.error(
        "cannot-write",
        None,
        Text(f'"{path}" cannot be written: {reason.en}', f"не удаётся записать «{path}»: {reason.ru}"),
    )
    raise SistelError(diagnostics.sorted())
