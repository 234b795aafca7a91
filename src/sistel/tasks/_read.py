"""Task files: read against the one table of the language, and bound to the model that they name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import PurePath
from xml.sax.saxutils import quoteattr

from sistel.errors import Diagnostic, Diagnostics, SistelError, Text
from sistel.markup import (
    AccessError,
    Document,
    Node,
    allowed_folders,
    find_named,
    read_document,
    read_source,
    read_tree,
)
from sistel.records import record
from sistel.tasks._mechanism import Mechanism
from sistel.tasks._problems import Problem, bind
from sistel.tasks._varied import Vary, read_varied

Read = Callable[[str], Mechanism]
"""What reads the file of a model."""
Parse = Callable[[str, str], Mechanism]
"""What reads the text of a model, under a name for its file."""


@record
class Task:
    """A task that was read, with the system that it is about."""

    name: str
    about: str
    question: str
    """The text of a sheet."""
    document: Document
    path: str
    """Of the file of the model."""
    system: Mechanism
    varied: tuple[Vary, ...]
    problems: tuple[Problem, ...]
    parse: Parse
    diagnostics: tuple[Diagnostic, ...]
    """Warnings of the reading."""

    def file(self, node: Node, key: str) -> str:
        """The path of a file that an attribute names, which may be read.

        Raises:
            SistelError: It is not there, or lies outside.
        """
        diagnostics = Diagnostics()
        path = named_file(node, key, diagnostics)
        diagnostics.raise_if_failed()
        assert path is not None
        return path

    def with_parameters(self, values: Mapping[str, float | str]) -> Task:
        """The same task about the same model with other values of its parameters."""
        system = self.system.with_parameters(values)
        diagnostics = Diagnostics()
        own = partial(_with_scheme, source=self.document.source.path, path=self.path, parse=self.parse)
        problems = tuple(_bound(each.node, system, values, own, diagnostics) for each in self.problems)
        diagnostics.raise_if_failed()
        return replace(self, system=system, problems=problems)


def read_task(
    path: str | os.PathLike[str],
    load: Read,
    parse: Parse,
    *,
    parameters: Mapping[str, float | str] | None = None,
    allow: Sequence[str | os.PathLike[str]] = (),
) -> Task:
    """Read a task and the model that it names.

    Args:
        path: The file.
        load: What reads the file of the model.
        parse: What reads a text, for models that get schemes from another file.
        parameters: Other values of parameters of the model.
        allow: Folders in which the files that it names may lie, besides its own.

    Raises:
        SistelError: Everything that is wrong with the task and with its model, with places.
    """
    diagnostics = Diagnostics()
    source = read_source(os.fspath(path), diagnostics, allowed_folders(allow))
    diagnostics.raise_if_failed()
    assert source is not None
    tree = read_tree(source, diagnostics)
    document = None if tree is None else read_document(tree, source, diagnostics, "task")
    if document is None:
        raise SistelError(diagnostics.sorted())
    root = document.root
    where = named_file(root, "model", diagnostics)
    system = None
    if where is not None:
        try:
            system = load(where)
            if parameters:
                system = system.with_parameters(parameters)
        except SistelError as problem:
            for each in problem.diagnostics:
                diagnostics.add(each)
    if system is None:
        raise SistelError(diagnostics.sorted())
    varied = read_varied(root, system.model, diagnostics)
    own = partial(_with_scheme, source=source.path, path=where or "", parse=parse)
    problems = tuple(
        _bound(child, system, parameters or {}, own, diagnostics) for child in root.children if child.key != "vary"
    )
    for child in root.children:
        for key in ("motion", "scheme", "data", "motors"):
            if key in child.attributes:
                named_file(child, key, diagnostics)
    if not problems:
        diagnostics.error("nothing-asked", root.span, Text("the task asks nothing", "задача ничего не спрашивает"))
    diagnostics.raise_if_failed()
    return Task(
        name=root.text("name") or PurePath(os.fspath(path)).stem,
        about=root.text("about") or "",
        question=root.text("question") or "",
        document=document,
        path=where or "",
        system=system,
        varied=varied,
        problems=problems,
        parse=parse,
        diagnostics=diagnostics.sorted(),
    )


def _bound(
    node: Node,
    system: Mechanism,
    values: Mapping[str, float | str],
    own: Callable[[Node, Mechanism, Diagnostics], Mechanism | None],
    diagnostics: Diagnostics,
) -> Problem:
    """A problem, bound to the model, or to the model with the schemes of the file that it names."""
    made = own(node, system, diagnostics) if "scheme" in node.attributes else None
    if made is not None and values:
        made = made.with_parameters(values)
    return replace(bind(node, (made or system).model, diagnostics), system=made)


def _with_scheme(
    node: Node, system: Mechanism, diagnostics: Diagnostics, *, source: str, path: str, parse: Parse
) -> Mechanism | None:
    """The model of a task with the schemes of another file, as a file that includes both; None after an error."""
    scheme = named_file(node, "scheme", diagnostics)
    if scheme is None:
        return None
    folder = os.path.dirname(source) or "."
    space = "planar" if system.model.planar else "spatial"
    files = "".join(f"<include file={quoteattr(os.path.relpath(each, folder))}/>" for each in (path, scheme))
    text = f'<system name={quoteattr(system.model.name)} space="{space}">{files}</system>'
    try:
        return parse(text, os.path.join(folder, os.path.basename(scheme)))
    except SistelError as problem:
        for each in problem.diagnostics:
            diagnostics.add(each)
        return None


def named_file(node: Node, key: str, diagnostics: Diagnostics) -> str | None:
    """The path of a file that an attribute names; None after an error."""
    name = node.text(key) if key in node.attributes else None
    if name is None:
        return None
    span = node.at(key)
    try:
        return find_named(name, span.source)
    except AccessError as problem:
        message = Text(f'"{name}": {problem.reason.en}', f"«{name}»: {problem.reason.ru}")
        diagnostics.error(problem.code, span, message, hint=problem.hint)
        return None
