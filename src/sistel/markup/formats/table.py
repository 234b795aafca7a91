"""The formats of systems: recognised by their root element, written by their suffix. A new format is a row."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import PurePath
from typing import Literal

from sistel.errors import Diagnostics, Language, Source, Text, one_of, refuse
from sistel.markup._document import Document, Node
from sistel.markup._losses import Loss, Losses
from sistel.markup._reader import read_document
from sistel.markup._writer import write_document
from sistel.markup.chains import ROOTS, is_screws, is_table, read_screws, read_table, table_from_tree
from sistel.markup.mjcf._read import read_mjcf
from sistel.markup.mjcf._write import write_mjcf
from sistel.markup.schema import SYSTEM
from sistel.markup.scxml._read import read_scxml
from sistel.markup.scxml._write import write_scxml
from sistel.markup.svg._read import read_svg
from sistel.markup.urdf._read import read_urdf
from sistel.markup.urdf._srdf import read_srdf
from sistel.markup.urdf._write import write_urdf
from sistel.markup.xml._element import Element
from sistel.records import record

Base = Literal["fixed", "free"]
Lock = Collection[str] | Mapping[str, float]
Read = Callable[[Element, Diagnostics, Base, Lock], tuple[Document | None, Losses]]


FARTHEST = 1e15
"""Where joints may be held [m or rad]."""


@record
class Format:
    """A format of files."""

    key: str
    name: str
    """As people call it."""
    suffixes: tuple[str, ...]
    """The first one is usual; files are written by suffix."""
    roots: tuple[str, ...]
    """Names of the root element, by which files are recognised."""
    read: Read
    write: Callable[[Node, Language], tuple[str, Losses]]
    """From a canonical document."""


def _read_xsystel(tree: Element, diagnostics: Diagnostics, base: Base, lock: Lock) -> tuple[Document | None, Losses]:
    if base != "fixed" or lock:
        _only_for_others("base" if base != "fixed" else "lock", "XsysTel", diagnostics)
    return read_document(tree, tree.source, diagnostics), Losses()


def _read_urdf(tree: Element, diagnostics: Diagnostics, base: Base, lock: Lock) -> tuple[Document | None, Losses]:
    return read_urdf(tree, diagnostics, base=base, lock=lock)


def _read_mjcf(tree: Element, diagnostics: Diagnostics, base: Base, lock: Lock) -> tuple[Document | None, Losses]:
    if base != "fixed":
        _only_for_others("base", "MJCF", diagnostics)
    return read_mjcf(tree, diagnostics, lock=lock)


def _read_dh(tree: Element, diagnostics: Diagnostics, base: Base, lock: Lock) -> tuple[Document | None, Losses]:
    if base != "fixed" or lock:
        _only_for_others("base" if base != "fixed" else "lock", "tables", diagnostics)
    return table_from_tree(tree, diagnostics)


def _read_scxml(tree: Element, diagnostics: Diagnostics, base: Base, lock: Lock) -> tuple[Document | None, Losses]:
    if base != "fixed" or lock:
        _only_for_others("base" if base != "fixed" else "lock", "SCXML", diagnostics)
    return read_scxml(tree, diagnostics)


def _read_svg(tree: Element, diagnostics: Diagnostics, base: Base, lock: Lock) -> tuple[Document | None, Losses]:
    if base != "fixed" or lock:
        _only_for_others("base" if base != "fixed" else "lock", "SVG", diagnostics)
    return read_svg(tree, diagnostics)


def _write_dh(root: Node, lang: Language) -> tuple[str, Losses]:
    raise AssertionError("no suffix leads here: tables and drawings are made of models, not of documents")


def _only_for_others(option: str, name: str, diagnostics: Diagnostics) -> None:
    diagnostics.error(
        "wrong-option",
        None,
        Text(
            f'"{option}" does not apply to {name}: the file itself says which bodies are free and which joints move',
            f"«{option}» не относится к {name}: сам файл говорит, какие тела свободны и какие сочленения движутся",
        ),
    )


def _foreign(name: str, roots: tuple[str, ...], read: Read, write: Callable[[Node], tuple[str, Losses]]) -> Format:
    """A format that is written in one language alone, to files with its name as their suffix."""
    key = name.lower()
    return Format(
        key=key, name=name, suffixes=(f".{key}",), roots=roots, read=read, write=lambda root, lang: write(root)
    )


FORMATS: tuple[Format, ...] = (
    Format(
        key="xsystel",
        name="XsysTel",
        suffixes=(".xml",),
        roots=(*SYSTEM.en, *SYSTEM.ru),
        read=_read_xsystel,
        write=lambda root, lang: (write_document(root, lang), Losses()),
    ),
    _foreign("URDF", ("robot",), _read_urdf, write_urdf),
    _foreign("MJCF", ("mujoco", "mujocoinclude"), _read_mjcf, write_mjcf),
    _foreign("SCXML", ("scxml",), _read_scxml, write_scxml),
    Format(key="svg", name="SVG", suffixes=(), roots=("svg", "svg:svg"), read=_read_svg, write=_write_dh),
    Format(key="dh", name="DH", suffixes=(), roots=ROOTS, read=_read_dh, write=_write_dh),
)


def format_of(tree: Element) -> Format | None:
    """The format that a root element belongs to, or None."""
    name = tree.name.casefold()
    return next((row for row in FORMATS if name in (root.casefold() for root in row.roots)), None)


def format_for(path: str) -> Format | None:
    """The format that a suffix stands for, or None."""
    suffix = PurePath(path).suffix.casefold()
    return next((row for row in FORMATS if suffix in row.suffixes), None)


def read_plain(
    source: Source, diagnostics: Diagnostics, *, base: Base = "fixed", lock: Lock = ()
) -> tuple[Document | None, tuple[Loss, ...]] | None:
    """The document of a text that is no XML: a table of an arm, or screws of its joints; None where it is neither."""
    read = read_table if is_table(source.text) else read_screws if is_screws(source.text) else None
    if read is None:
        return None
    if base != "fixed" or lock:
        _only_for_others("base" if base != "fixed" else "lock", "tables", diagnostics)
    document, losses = read(source, diagnostics)
    return document, losses.sorted()


def read_foreign(
    tree: Element,
    source: Source,
    diagnostics: Diagnostics,
    *,
    base: Base = "fixed",
    lock: Lock = (),
) -> tuple[Document | None, tuple[Loss, ...]]:
    """The document of a tree in any of the formats, and what did not carry over.

    Args:
        tree: The root element.
        source: The text that it was read from.
        diagnostics: Takes the problems.
        base: For URDF: whether the root link is fixed to the ground or free.
        lock: For URDF and MJCF: joints that do not move, at 0 or at the given coordinates [m or rad].
    """
    row = format_of(tree)
    if row is None:
        roots = [root for known in FORMATS for root in known.roots]
        diagnostics.error(
            "wrong-root",
            tree.name_span,
            Text(f'the root element is "{tree.name}"', f"корневой элемент — «{tree.name}»"),
            expected=one_of(roots),
        )
        return None, ()
    if isinstance(lock, Mapping) and not _finite(lock, diagnostics):
        return None, ()
    try:
        document, losses = row.read(tree, diagnostics, base, lock)
    except ArithmeticError:
        # Readers compute with lengths and moments: squares of 1e200 are no numbers any more.
        message = Text(
            "its numbers are so large or small that nothing can be computed with them",
            "его числа так велики или малы, что с ними ничего нельзя вычислить",
        )
        diagnostics.error("not-finite", tree.name_span, message, expected=Text("sizes up to 1e15", "величины до 1e15"))
        return None, ()
    return document, losses.sorted()


def _finite(lock: Mapping[str, float], diagnostics: Diagnostics) -> bool:
    """Whether joints can be held where they are told to be."""
    wrong = {name: value for name, value in lock.items() if not abs(value) <= FARTHEST}
    for name, value in wrong.items():
        message = Text(f'joint "{name}" cannot be held at {value:g}', f"сочленение «{name}» не удержать в {value:g}")
        expected = Text(f"a number up to {FARTHEST:g}", f"число до {FARTHEST:g}")
        diagnostics.error("not-finite", None, message, expected=expected)
    return not wrong


def read_postures(tree: Element, semantic: Element, document: Document, diagnostics: Diagnostics) -> tuple[Loss, ...]:
    """Add the groups and postures of an SRDF file to the document of the URDF file that it belongs to."""
    if tree.name != "robot" or semantic.name != "robot":
        diagnostics.error(
            "wrong-root",
            semantic.name_span,
            Text(
                "SRDF goes with URDF: the roots of both files are robot",
                "SRDF дополняет URDF: корни обоих файлов — robot",
            ),
        )
        return ()
    losses = Losses()
    read_srdf(semantic, document, losses, diagnostics)
    return losses.sorted()


def write_format(root: Node, path: str, lang: Language = "en") -> tuple[str, tuple[Loss, ...]]:
    """The text of a canonical document in the format of a file's suffix, and what did not carry over.

    Raises:
        SistelError: The suffix belongs to no format.
    """
    row = format_for(path)
    if row is None:
        suffix = PurePath(path).suffix
        refuse(
            "unknown-format",
            Text(
                f'no format is written to files ending in "{suffix}"',
                f"в файлы с окончанием «{suffix}» не пишется ни один формат",
            )
            if suffix
            else Text(
                f'"{path}" has no ending that names a format', f"у «{path}» нет окончания, которое называло бы формат"
            ),
            expected=one_of([suffix for known in FORMATS for suffix in known.suffixes]),
        )
    text, losses = row.write(root, lang)
    return text, losses.sorted()
