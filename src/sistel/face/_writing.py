"""A system in files and formulas: descriptions, pages, equations, proof sheets."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from sistel.face._system import System
    from sistel.formulas import Equations
    from sistel.markup import Loss
    from sistel.proofs import ProofSheet


def equations(self: System, structure: str | None = None, *, symbols: bool = False) -> Equations:
    """Equations of motion as formulas, symbolic in the file's parameters, with the constraints of a structure.

    Args:
        structure: The structure, by default the initial one.
        symbols: Whether masses, lengths and moments of inertia that are plain numbers get letters too.
    """
    from sistel.formulas import write_equations

    chosen = self.structure(structure)

    return write_equations(self._model, chosen, symbols=symbols)


def check(self: System, *, structure: str | None = None, states: int | None = None, seed: int = 1) -> ProofSheet:
    """The proof sheet: every quantity of all structures, or of one, computed in two independent ways."""
    from sistel.proofs import prove
    from sistel.views import draw_proofs

    name = None if structure is None else self.structure(structure).name
    return prove(self._model, structure=name, states=states, seed=seed, draw=draw_proofs)


def to_xml(
    self: System,
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


def save(self: System, path: str | os.PathLike[str], lang: Literal["en", "ru"] = "en") -> tuple[Loss, ...]:
    """Write the system to a file; returns what did not carry over.

    Args:
        path: A description, .xml, .urdf or .mjcf; of an arm, its table of Denavit and Hartenberg, .csv, or the
            screws of its joints, .json; a scene, .x3d; a page, .html, in which the system is posed and moves by
            itself; or a report, .pdf, .fo or .print.html.
        lang: Language of the words.
    """
    from sistel.markup import write_any
    from sistel.model import to_document
    from sistel.views.reports import model_report, report_suffix, require_suffix, save_report

    suffix = report_suffix(path)
    if suffix is not None:
        require_suffix(suffix)
        save_report(model_report(self._model, lang), path)
        return ()
    if os.fspath(path).endswith(".html"):
        from sistel.views.page import save_page

        return save_page(self._model, path, lang=lang)
    if os.fspath(path).endswith(".x3d"):
        from sistel.views.x3d import save_scene

        return save_scene(self._model, path, lang=lang)
    if os.fspath(path).endswith((".csv", ".json")):
        from sistel.arms import save_chain

        return save_chain(self._model, os.fspath(path))
    return write_any(to_document(self._model), os.fspath(path), lang)
