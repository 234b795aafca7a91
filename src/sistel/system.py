"""The face: a system of bodies, loaded from a file or a text."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from typing import Literal

from sistel.errors import Diagnostic, Diagnostics, Source, Text, did_you_mean, one_of
from sistel.markup import Document, Loss, include, read_any, read_source
from sistel.model import Body, Model, Structure, Transition, build


def load(
    path: str | os.PathLike[str],
    *,
    base: Literal["fixed", "free"] = "fixed",
    lock: Collection[str] | Mapping[str, float] = (),
    srdf: str | os.PathLike[str] | None = None,
    renumber: bool = False,
) -> System:
    """Read a file: XsysTel, URDF or MJCF, recognised by its content.

    Args:
        path: The file.
        base: For URDF: whether the root body is fixed to the ground or free.
        lock: Names of joints that do not move: at 0, or at the given values [m or rad].
        srdf: For URDF: a file with groups of bodies and named postures.
        renumber: Whether to number the bodies anew, depth first, whatever numbers the file gives.

    Raises:
        SistelError: The file cannot be read or used; it carries all diagnostics, with their places.
    """
    diagnostics = Diagnostics()
    source = read_source(os.fspath(path), diagnostics)
    diagnostics.raise_if_failed()
    assert source is not None
    return _system(source, diagnostics, base, lock, None if srdf is None else os.fspath(srdf), renumber)


def parse(
    text: str,
    name: str = "<text>",
    *,
    base: Literal["fixed", "free"] = "fixed",
    lock: Collection[str] | Mapping[str, float] = (),
    srdf: str | None = None,
    renumber: bool = False,
) -> System:
    """As `load`, for a text; `name` stands for the file in messages, and inclusions are looked for in its folder."""
    return _system(Source(name, text), Diagnostics(), base, lock, srdf, renumber)


def _system(
    source: Source,
    diagnostics: Diagnostics,
    base: Literal["fixed", "free"],
    lock: Collection[str] | Mapping[str, float],
    srdf: str | None,
    renumber: bool,
) -> System:
    document, losses = read_any(source, diagnostics, base=base, lock=lock, srdf=srdf)
    if document is None:
        diagnostics.raise_if_failed()
        raise AssertionError("nothing was read, and nothing was said about it")
    model = build(document, diagnostics, lambda path, span: include(path, span, diagnostics), renumber=renumber)
    return System(model, source, document, losses)


class System:
    """A system of bodies. Frozen: its methods compute and remember nothing that a caller could see."""

    __slots__ = ("_document", "_losses", "_model", "_source")

    def __init__(self, model: Model, source: Source, document: Document, losses: tuple[Loss, ...] = ()) -> None:
        """Use `sistel.load` or `sistel.parse`."""
        self._model = model
        self._source = source
        self._document = document
        self._losses = losses

    @property
    def model(self) -> Model:
        """Everything that the file says, in SI."""
        return self._model

    @property
    def source(self) -> Source:
        """The text that the system was read from."""
        return self._source

    @property
    def losses(self) -> tuple[Loss, ...]:
        """What a foreign format said that did not carry over; empty for XsysTel."""
        return self._losses

    @property
    def name(self) -> str:
        """The name of the system."""
        return self._model.name

    @property
    def planar(self) -> bool:
        """Whether the bodies move in parallel planes."""
        return self._model.planar

    @property
    def structure_class(self) -> str:
        """Structural class: СТОВ, СТВ, ДСТОВ, ДСТВ, ДСТ, with П in front for planar systems."""
        return self._model.structure_class

    @property
    def bases(self) -> tuple[int, ...]:
        """СНБТ, the list of base numbers: element i is the base of body i + 1; 0 is the ground."""
        return self._model.bases

    @property
    def bodies(self) -> tuple[Body, ...]:
        """All bodies by number."""
        return self._model.bodies

    @property
    def structures(self) -> tuple[Structure, ...]:
        """The structures that the system can take; the first is the initial one unless the file says otherwise."""
        return self._model.structures

    @property
    def transitions(self) -> tuple[Transition, ...]:
        """The passages between structures."""
        return self._model.transitions

    @property
    def nq(self) -> int:
        """How many coordinates."""
        return self._model.nq

    @property
    def nv(self) -> int:
        """How many velocities; a spatial rotation has four coordinates and three velocities."""
        return self._model.nv

    @property
    def fingerprint(self) -> str:
        """A hash of the content, whatever language, spelling or layout says it."""
        return self._model.fingerprint

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Warnings and notes of the reading."""
        return self._model.diagnostics

    def body(self, body: str | int) -> Body:
        """A body by name or number."""
        return self._model.bodies[self._number(body) - 1]

    def base(self, body: str | int) -> int:
        """Number of a body's base; 0 is the ground."""
        return self.body(body).base

    def adjacent(self, body: str | int) -> tuple[int, ...]:
        """Numbers of the bodies whose base is the given one; 0 stands for the ground."""
        return self._model.adjacent(0 if body == 0 or body == "0" else self._number(body))

    @property
    def terminal(self) -> tuple[int, ...]:
        """Numbers of the bodies that end branches."""
        return self._model.terminal

    def structure(self, name: str | None = None) -> Structure:
        """A structure by name; the initial one without a name."""
        names = [structure.name for structure in self._model.structures]
        if name is not None and name not in names:
            _unknown("structure", "структуры", name, names)
        return self._model.structure(name)

    def dof(self, structure: str | None = None) -> int:
        """Degrees of freedom of a structure by Grübler's formula."""
        return self.structure(structure).dof

    def to_xml(self, lang: Literal["en", "ru"] = "en") -> str:
        """The system in canonical XsysTel: one spelling, expressions evaluated, inclusions resolved."""
        from sistel.markup import write_document
        from sistel.model import to_document

        return write_document(to_document(self._model), lang)

    def save(self, path: str | os.PathLike[str], lang: Literal["en", "ru"] = "en") -> tuple[Loss, ...]:
        """Write the system to a file: .xml, .urdf or .mjcf; returns what did not carry over."""
        from sistel.markup import write_any
        from sistel.model import to_document

        return write_any(to_document(self._model), os.fspath(path), lang)

    def _number(self, body: str | int) -> int:
        numbers = {known.name: known.number for known in self._model.bodies}
        if isinstance(body, str) and body in numbers:
            return numbers[body]
        if isinstance(body, str) and body.isdigit():
            body = int(body)
        if isinstance(body, int) and 1 <= body <= len(numbers):
            return body
        _unknown("body", "тела", str(body), list(numbers))
        raise AssertionError

    def __repr__(self) -> str:
        bodies = len(self._model.bodies)
        return f"<System {self.name!r}: {bodies} bodies, {self.structure_class}, nq={self.nq}, nv={self.nv}>"

    def _repr_html_(self) -> str:
        from sistel.views import show_html

        return show_html(self._model)


def _unknown(en: str, ru: str, name: str, known: list[str]) -> None:
    diagnostics = Diagnostics()
    diagnostics.error(
        "unknown-name",
        None,
        Text(f'there is no {en} "{name}"', f"нет {ru} «{name}»"),
        expected=one_of(known),
        hint=did_you_mean(name, known),
    )
    diagnostics.raise_if_failed()
