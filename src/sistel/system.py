"""The face: a system of bodies, loaded from a file or a text."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

from sistel.errors import Diagnostics, Source
from sistel.face import System
from sistel.markup import allowed_folders, open_source, read_any, with_roots
from sistel.model import Recipe


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
    source = open_source(os.fspath(path), diagnostics, allowed_folders(allow))
    own = None if srdf is None else os.fspath(srdf)
    return system_of(source, diagnostics, base=base, lock=lock, srdf=own, renumber=renumber)


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
    return system_of(source, Diagnostics(), base=base, lock=lock, srdf=srdf, renumber=renumber)


def system_of(
    source: Source,
    diagnostics: Diagnostics,
    *,
    base: Literal["fixed", "free"],
    lock: Collection[str] | Mapping[str, float],
    srdf: str | None,
    renumber: bool,
) -> System:
    """The system of a source that was opened, with what was noted of it so far."""
    document, losses = read_any(source, diagnostics, base=base, lock=lock, srdf=srdf)
    if document is None:
        diagnostics.raise_if_failed()
        raise AssertionError("nothing was read, and nothing was said about it")
    return System(
        Recipe(document, renumber=renumber, noted=tuple(diagnostics)).build(diagnostics=diagnostics), source, losses
    )


__all__ = ["System", "load", "parse"]
