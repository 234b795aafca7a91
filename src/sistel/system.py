"""The face: a system of bodies, loaded from a file or a text."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from sistel.errors import Diagnostics, Source
from sistel.face import Lessons, Travels
from sistel.markup import Loss, allowed_folders, include, read_any, read_source, with_roots
from sistel.model import build

if TYPE_CHECKING:
    from sistel.formulas import Equations
    from sistel.proofs import ProofSheet
    from sistel.views import Drawing


def load(
    path: str | os.PathLike[str],
    *,
    base: Literal["fixed", "free"] = "fixed",
    lock: Collection[str] | Mapping[str, float] = (),
    srdf: str | os.PathLike[str] | None = None,
    renumber: bool = False,
    allow: Sequence[str | os.PathLike[str]] = (),
) -> System:
    """Read a file: XsysTel, URDF, MJCF or the table of an arm, recognised by its content.

    Args:
        path: The file.
        base: For URDF: whether the root body is fixed to the ground or free.
        lock: Names of joints that do not move: at 0, or at the given values [m or rad].
        srdf: For URDF: a file with groups of bodies and named postures.
        renumber: Whether to number the bodies anew, depth first, whatever numbers the file gives.
        allow: Folders from which the file may read, besides its own: inclusions and meshes elsewhere are refused.

    Raises:
        SistelError: The file cannot be read or used; it carries all diagnostics, with their places.
    """
    diagnostics = Diagnostics()
    source = read_source(os.fspath(path), diagnostics, allowed_folders(allow))
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
    allow: Sequence[str | os.PathLike[str]] = (),
) -> System:
    """As `load`, for a text; `name` stands for the file in messages, and inclusions are looked for in its folder."""
    source = with_roots(Source(name, text), allowed_folders(allow))
    return _system(source, Diagnostics(), base, lock, srdf, renumber)


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


class System(Lessons, Travels):
    """A system of bodies. Frozen: its methods compute and remember nothing that a caller could see."""

    __slots__ = ()

    def equations(self, structure: str | None = None, *, symbols: bool = False) -> Equations:
        """Equations of motion as formulas, symbolic in the file's parameters, with the constraints of a structure.

        Args:
            structure: The structure, by default the initial one.
            symbols: Whether masses, lengths and moments of inertia that are plain numbers get letters too.
        """
        from sistel.formulas import write_equations

        chosen = self.structure(structure)

        return write_equations(self._model, self._rebuild, chosen, symbols=symbols)

    def check(self, *, structure: str | None = None, states: int | None = None, seed: int = 1) -> ProofSheet:
        """The proof sheet: every quantity of all structures, or of one, computed in two independent ways."""
        from sistel.proofs import prove
        from sistel.views import draw_proofs

        name = None if structure is None else self.structure(structure).name
        return prove(self._model, structure=name, states=states, seed=seed, draw=draw_proofs)

    def structure_graph(self, lang: Literal["en", "ru"] | None = None) -> Drawing:
        """The graph of structures and transitions as the text of an SVG picture, which notebooks show as such.

        Args:
            lang: Language of its words, conditions included; the user's unless told otherwise.
        """
        from sistel.views import draw_structures

        return draw_structures(self._model, lang)

    def scheme(
        self,
        at: str | Mapping[str, float] | Sequence[float] | None = None,
        *,
        labels: Literal["numbers", "names", "none"] = "numbers",
        arrows: bool = False,
        centres: bool = False,
        dimensions: bool = False,
        theme: Literal["auto", "light", "dark"] = "auto",
        medium: Literal["screen", "print"] = "screen",
    ) -> Drawing:
        """The kinematic scheme as the text of an SVG picture, which notebooks show as such.

        Args:
            at: What is drawn: the name of a posture, "start", "zero", or coordinates, all of them, shape (nq,), or some
                by name [m or rad]. Loops are closed. Without it, those of the file's drawing, or of the start.
            labels: Whether the bodies bear their numbers or names.
            arrows: Whether arrows show where coordinates grow.
            centres: Whether the centres of mass are shown.
            dimensions: Whether lengths of links, distances of supports and radii are shown [mm].
            theme: Light, dark, or as the reader's screen is.
            medium: For a screen, or for paper: sizes in millimetres.

        Raises:
            SistelError: There is no such posture, or the coordinates are of a wrong number.
        """
        from sistel.views.schemes import coordinates_at, draw_scheme

        q = None if at is None else coordinates_at(self._model, at)
        return draw_scheme(
            self._model,
            q,
            labels=labels,
            arrows=arrows,
            centres=centres,
            dimensions=dimensions,
            theme=theme,
            medium=medium,
        )

    def to_xml(
        self,
        lang: Literal["en", "ru"] = "en",
        *,
        drawing: bool = False,
        folder: str | os.PathLike[str] | None = None,
    ) -> str:
        """The system in canonical XsysTel: one spelling, expressions evaluated, inclusions resolved.

        Args:
            lang: Language of the words.
            drawing: Whether a planar system has its drawing with it, for stylesheets.
            folder: Where the text will stand: files of meshes are named as they are seen from there. Without it, as the
                files that name them see them. `save` knows it by itself, and tells which names changed.
        """
        from sistel.markup import Losses, rebase_meshes, write_document
        from sistel.model import to_document

        if drawing and self.planar:
            from sistel.views.schemes import drawn_document

            document = drawn_document(self._model)
        else:
            document = to_document(self._model)
        if folder is not None:
            rebase_meshes(document, os.fspath(folder) or ".", Losses())
        return write_document(document, lang)

    def save(self, path: str | os.PathLike[str], lang: Literal["en", "ru"] = "en") -> tuple[Loss, ...]:
        """Write the system to a file; returns what did not carry over.

        Args:
            path: A description, .xml, .urdf or .mjcf; of an arm, its table of Denavit and Hartenberg, .csv, or the
                screws of its joints, .json; a scene, .x3d; or a page, .html, in which the system is posed and moves by
                itself.
            lang: Language of the words.
        """
        from sistel.markup import write_any
        from sistel.model import to_document

        if os.fspath(path).endswith(".html"):
            from sistel.views.page import save_page

            save_page(self._model, path, lang=lang, rebuild=self.rebuild)
            return ()
        if os.fspath(path).endswith(".x3d"):
            from sistel.views.x3d import save_scene

            return save_scene(self._model, path, lang=lang)
        if os.fspath(path).endswith((".csv", ".json")):
            from sistel.arms import save_chain

            return save_chain(self._model, os.fspath(path))
        return write_any(to_document(self._model), os.fspath(path), lang)

    def __repr__(self) -> str:
        bodies = len(self._model.bodies)
        return f"<System {self.name!r}: {bodies} bodies, {self.structure_class}, nq={self.nq}, nv={self.nv}>"

    def _repr_svg_(self) -> str:
        return str(self.scheme())

    def _repr_html_(self) -> str:
        from sistel.views import show_html

        return show_html(self._model)
