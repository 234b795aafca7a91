"""Meshes that a document names: whether they are there, and how they are called from another folder."""

from __future__ import annotations

import os
from collections.abc import Iterator

from sistel.errors import Diagnostics, Source, Text
from sistel.markup._access import PACKAGE, AccessError, allow_hint, find_mesh, folder_of, roots_of
from sistel.markup._document import Attribute, Document, Node
from sistel.markup._losses import Losses

MESH_SUFFIXES = (".stl", ".obj", ".dae", ".glb", ".gltf")
"""Formats of meshes that are read."""
_MOST_RELATED = 5


def check_meshes(document: Document, diagnostics: Diagnostics, *, repeated: bool = False) -> None:
    """Warn of meshes that cannot be shown: each cause once, with the places. Nothing of the files is read.

    Args:
        document: With the names of the meshes.
        diagnostics: Takes the warnings.
        repeated: Whether to look at those alone whose names have the index of a repetition, once it is carried out.
    """
    found: dict[str, list[tuple[Attribute, str, AccessError]]] = {}
    for attribute, name in _meshes(document.root, repeated):
        try:
            path = find_mesh(name, attribute.span.source)
            if not path.lower().endswith(MESH_SUFFIXES):
                listed = ", ".join(MESH_SUFFIXES)
                raise AccessError(
                    "mesh-format",
                    Text(
                        f"meshes of this kind are not read, only {listed}", f"такие сетки не читаются, только {listed}"
                    ),
                )
            if not os.access(path, os.R_OK):
                raise AccessError("no-file", Text("it may not be read", "нет права его читать"))
        except AccessError as problem:
            found.setdefault(problem.code, []).append((attribute, name, problem))
    for code, cases in found.items():
        attribute, name, first = cases[0]
        more = len(cases) - 1
        message = Text(
            f'mesh "{name}": {first.reason.en}' + (f" (and {more} more)" if more else ""),
            f"сетка «{name}»: {first.reason.ru}" + (f" (и ещё {more})" if more else ""),
        )
        folders = _outermost([case[2].allow for case in cases if case[2].allow is not None])
        others = [(case[0].span, Text(f'mesh "{case[1]}"', f"сетка «{case[1]}»")) for case in cases[1:_MOST_RELATED]]
        diagnostics.warning(
            code.replace("file", "mesh-file") if code != "mesh-format" else code,
            attribute.span,
            message,
            hint=allow_hint(folders) if folders else first.hint,
            related=others,
        )


def _meshes(root: Node, repeated: bool) -> Iterator[tuple[Attribute, str]]:
    """The meshes of a document, each file once; those whose names are written for many copies, or the others."""
    seen: set[str] = set()
    for node in root.walk():
        attribute = node.attributes.get("file") if node.key == "mesh" else None
        if attribute is None or bool(attribute.patterns) is not repeated:
            continue
        if isinstance(attribute.value, str) and attribute.value not in seen:
            seen.add(attribute.value)
            yield attribute, attribute.value


def _outermost(folders: list[str]) -> list[str]:
    """Without those that lie in others."""
    found: list[str] = []
    for folder in sorted(set(folders)):
        if not found or not (folder + os.sep).startswith(found[-1].rstrip(os.sep) + os.sep):
            found.append(folder)
    return found


def rebase_meshes(root: Node, folder: str, losses: Losses) -> None:
    """Name the meshes of a document as they are seen from another folder; its nodes are changed.

    What lies beside the old file lies elsewhere for a new one in another folder. Names of packages stay. Where a mesh
    is not found, or will lie outside the folder of the new file, that is told as a loss.

    Args:
        root: Of a document whose nodes keep the places of the files that they come from.
        folder: Of the new file.
        losses: Where to note what changed.
    """
    for node in root.walk():
        attribute = node.attributes.get("file") if node.key == "mesh" else None
        if attribute is None or not isinstance(attribute.value, str):
            continue
        name, source = attribute.value, node.span.source
        if name.startswith(PACKAGE) or os.path.isabs(name) or not _elsewhere(source, folder):
            continue
        new = _renamed(name, source, folder)
        if new is None:
            what = Text(
                f'mesh "{name}" was not found, and is looked for beside the new file',
                f"сетка «{name}» не нашлась и ищется рядом с новым файлом",
            )
            losses.changed(node.span, what)
        elif new != name:
            node.attributes["file"] = Attribute(attribute.spec, new, attribute.span, attribute.name_span)
            what = Text(f'mesh "{name}" is now "{new}"', f"сетка «{name}» теперь «{new}»")
            if new.startswith("..") or os.path.isabs(new):
                where = os.path.dirname(os.path.realpath(os.path.join(folder, new)))
                what = Text(
                    f"{what.en}, outside the folder of the new file: to see it, --allow {where}",
                    f"{what.ru}, вне папки нового файла: чтобы её увидеть, --allow {where}",
                )
            losses.changed(node.span, what)


def _elsewhere(source: Source, folder: str) -> bool:
    return os.path.realpath(folder_of(source)) != os.path.realpath(folder)


def _renamed(name: str, source: Source, folder: str) -> str | None:
    """How a mesh is called from a folder; None where it is not there. What is outside keeps its place, unread."""
    try:
        path = find_mesh(name, source)
    except AccessError as problem:
        if problem.code != "file-outside":
            return None
        path = os.path.join(folder_of(source), name)
        if not os.path.exists(path):
            path = os.path.join(roots_of(source)[0], name)
    try:
        return os.path.relpath(os.path.abspath(path), os.path.abspath(folder)).replace(os.sep, "/")
    except ValueError:
        return os.path.abspath(path).replace(os.sep, "/")
