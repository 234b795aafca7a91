"""How a model is built: the description as it was read, and the values of parameters that are not the file's."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace

from sistel.errors import Diagnostic, Diagnostics, SistelError, Source, Span
from sistel.markup import Document, Node, folder_of, include, include_motion, read_any, write_document
from sistel.model._build import build
from sistel.model._canonical import to_document
from sistel.model._letters import Lettered
from sistel.model._model import Model
from sistel.records import entry


@entry
class Recipe:
    """How to build a model."""

    document: Document
    values: tuple[tuple[str, float], ...] = ()
    """Of parameters, by name, other than those of the document."""
    renumber: bool = False
    """Whether bodies are numbered anew."""
    change: Callable[[Model], Model] | None = None
    """What is done to it afterwards: a load is hung on it, say."""
    moves: tuple[Node, ...] = ()
    """Motions that it has besides those of the document, which give way to them."""
    noted: tuple[Diagnostic, ...] = ()
    """What reading the document has found."""
    included: tuple[Document | None, ...] | None = None
    """What the document includes, in the order in which it is asked for; None where the files have not been read yet.

    A model that is built again, here or on another machine, is built from what was read the first time.
    """

    def build(self, changes: Mapping[str, float] | None = None, diagnostics: Diagnostics | None = None) -> Model:
        """The model, with other values of some parameters.

        Args:
            changes: Other values of parameters.
            diagnostics: What reading the document has found; with it, the document is looked through for strange
                things too.

        Raises:
            SistelError: The description makes no sense, or not with these values.
        """
        found = Diagnostics() if diagnostics is None else diagnostics
        given = {**dict(self.values), **(changes or {})}
        included: list[Document | None] = []

        def load(path: str, span: Span) -> Document | None:
            known = self._known(path, span, len(included))
            included.append(include(path, span, found) if known is None else known[0])
            return included[-1]

        def load_motion(path: str, sheet: str | None, span: Span) -> Document | None:
            known = self._known(path, span, len(included), sheet)
            included.append(include_motion(path, sheet, span, found) if known is None else known[0])
            return included[-1]

        model = build(
            self.document,
            found,
            load,
            load_motion,
            moves=self.moves,
            renumber=self.renumber,
            values=given,
            checks=diagnostics is not None,
        )
        made = model if self.change is None else changed(model, self.change)
        object.__setattr__(made, "recipe", replace(self, values=tuple(sorted(given.items())), included=tuple(included)))
        return made

    def _known(self, path: str, span: Span, place: int, sheet: str | None = None) -> tuple[Document | None] | None:
        """What was read for an inclusion the first time; None where it has to be read.

        Other values of parameters may repeat an inclusion more often, or less: then the same file serves.
        """
        if self.included is None:
            return None
        named = os.path.normpath(os.path.join(folder_of(span.source), path))
        at = self.included[place] if place < len(self.included) else None

        def serves(document: Document | None) -> bool:
            if document is None or os.path.normpath(document.source.path) != named:
                return False
            return sheet is None or document.root.text("name") == sheet

        if serves(at):
            return (at,)
        for document in self.included:
            if serves(document):
                return (document,)
        return (at,) if place < len(self.included) else None


def changed(model: Model, change: Callable[[Model], Model]) -> Model:
    """A model that is made from another; it knows its letters if that one does."""
    made = change(model)
    lettered = model.lettered
    if lettered is not None:
        object.__setattr__(made, "lettered", replace(lettered, model=change(lettered.model)))
    if model.recipe is not None:
        object.__setattr__(made, "recipe", replace(model.recipe, change=change))
    return made


def letters_of(model: Model) -> Lettered:
    """A model with letters: as it was built, or read again from the text of its file, or as it would be written.

    What its own text does not give is written anew, with numbers in the places of parameters.

    Raises:
        SistelError: It cannot be written.
    """
    if model.lettered is not None:
        return model.lettered
    values = tuple((parameter.name, float(parameter.value)) for parameter in model.parameters)
    names = [body.name for body in model.bodies]
    with suppress(SistelError):
        document, _ = read_any(model.span.source, Diagnostics(), base="fixed", lock=(), srdf=None)
        recipes = [] if document is None else [Recipe(document, values, renumber) for renumber in (False, True)]
        for recipe in recipes:
            built = recipe.build()
            if [body.name for body in built.bodies] == names and built.fingerprint == model.fingerprint:
                assert built.lettered is not None
                return built.lettered
    text = write_document(to_document(model), "en")
    document, _ = read_any(Source("<model>", text), Diagnostics(), base="fixed", lock=(), srdf=None)
    assert document is not None
    lettered = Recipe(document).build().lettered
    assert lettered is not None
    return lettered
