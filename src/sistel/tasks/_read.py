"""Task files: read against the one table of the language, and bound to the model that they name."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from sistel.errors import Diagnostic, Diagnostics, Language, SistelError, Source, Text
from sistel.markup import (
    AccessError,
    Document,
    Node,
    allowed_folders,
    find_named,
    include,
    open_source,
    read_document,
    read_named_source,
    read_tree,
    translate,
    with_roots,
)
from sistel.model import values_of
from sistel.records import record
from sistel.tasks._identification import check_parameters
from sistel.tasks._mechanism import Mechanism, with_model
from sistel.tasks._problems import Problem, bind
from sistel.tasks._varied import Vary, read_varied

Read = Callable[[str], Mechanism]
"""What reads the file of a model."""


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

    def text(self, node: Node, key: str) -> Source:
        """The text of a file that an attribute names.

        Raises:
            SistelError: It cannot be read.
        """
        diagnostics = Diagnostics()
        source = read_named_source(node.text(key) or "", node.at(key), diagnostics)
        diagnostics.raise_if_failed()
        assert source is not None
        return source

    def with_parameters(self, values: Mapping[str, float | str]) -> Task:
        """The same task about the same model with other values of its parameters."""
        system = self.system.with_parameters(values)
        diagnostics = Diagnostics()
        problems = tuple(_bound(each.node, system, diagnostics) for each in self.problems)
        diagnostics.raise_if_failed()
        return replace(self, system=system, problems=problems)


def read_task(
    path: str | os.PathLike[str],
    load: Read,
    *,
    parameters: Mapping[str, float | str] | None = None,
    allow: Sequence[str | os.PathLike[str]] = (),
    text: str | None = None,
) -> Task:
    """Read a task and the model that it names.

    Args:
        path: The file.
        load: What reads the file of the model.
        parameters: Other values of parameters of the model.
        allow: Folders in which the files that it names may lie, besides its own.
        text: What stands for the text of the file, where that is not saved yet.

    Raises:
        SistelError: Everything that is wrong with the task and with its model, with places.
    """
    diagnostics = Diagnostics()
    roots = allowed_folders(allow)
    source = (
        open_source(os.fspath(path), diagnostics, roots)
        if text is None
        else with_roots(Source(os.fspath(path), text), roots)
    )
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
            for told in problem.diagnostics:
                diagnostics.add(told)
    if system is None:
        raise SistelError(diagnostics.sorted())
    varied = read_varied(root, system.model, diagnostics)
    problems = tuple(_bound(child, system, diagnostics) for child in root.children if child.key != "vary")
    for each in problems:
        check_parameters(each, system.model.parameters, diagnostics)
    for child in root.children:
        for key in ("motion", "data", "motors"):
            beside = named_file(child, key, diagnostics) if key in child.attributes else None
            if beside is not None and key == "motion":
                _check_motion(beside, diagnostics)
        if child.key == "synthesis":
            values = values_of(system.model, diagnostics)
            for key in ("reach", "cycle", "payload"):
                number = values.optional(child, key)
                if number is not None and not number > 0.0:
                    said = Text("more than 0 is needed", "нужно больше 0")
                    diagnostics.error("out-of-range", child.at(key), said)
    if not problems and not diagnostics.failed:
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
        diagnostics=diagnostics.sorted(),
    )


def _bound(node: Node, system: Mechanism, diagnostics: Diagnostics) -> Problem:
    """A problem, bound to the model, or to the model with the schemes of the file that it names."""
    made = _with_scheme(node, system, diagnostics) if "scheme" in node.attributes else None
    if made is None and "scheme" in node.attributes:
        return bind(node, system.model, Diagnostics())  # what it asks of its scheme cannot be known
    return replace(bind(node, (made or system).model, diagnostics), system=made)


def _with_scheme(node: Node, system: Mechanism, diagnostics: Diagnostics) -> Mechanism | None:
    """The model of a task with the schemes of another file, as if they stood in its own; None after an error."""
    document = include(node.text("scheme") or "", node.at("scheme"), diagnostics)
    recipe = system.model.recipe
    if document is None or diagnostics.failed or recipe is None:
        return None
    for child in document.root.children:
        if child.key not in ("scheme", "parameter"):
            diagnostics.error(
                "misplaced-element",
                child.span,
                Text("only schemes and parameters are taken from here", "отсюда берутся только схемы и параметры"),
            )
    root = recipe.document.root
    joined = replace(root, children=[*root.children, *document.root.of("scheme", "parameter")])
    try:
        model = replace(recipe, document=replace(recipe.document, root=joined)).build(diagnostics=Diagnostics())
    except SistelError as problem:
        for each in problem.diagnostics:
            diagnostics.add(each)
        return None
    return with_model(system, model)


def _check_motion(path: str, diagnostics: Diagnostics) -> None:
    """Look through a table of motion now, so that its wrong cells are told with everything else."""
    from sistel.motion.trajectories import open_rows

    try:
        open_rows(path, diagnostics)
    except SistelError as problem:
        for told in problem.diagnostics:
            diagnostics.add(told)


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


def in_words(task: Task, lang: Language) -> str:
    """The text of a task with its words in a language; layout, comments, names and numbers stay."""
    return translate(task.document.source, lang, Diagnostics())
