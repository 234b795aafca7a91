"""Meshes that were simplified before: they stay on disk, for that takes most of the time of a page of a large robot.

What is kept belongs to the bits of what goes in, to the sources that simplify and to the numpy that counts for them:
other meshes, other scales or another program never meet it, and what comes back has the bits of what was kept.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from sistel.kernels import keep_written, recall_written
from sistel.meshes import Mesh, Simplified, simplify

if TYPE_CHECKING:
    from sistel.arrays import AnyArray
    from sistel.plain import JsonObject


def kept_simplify(meshes: Sequence[Mesh], scales: Sequence[float], most: int) -> Simplified:
    """As `simplify`; what it has made of the same meshes comes from the user's cache.

    Args:
        meshes: Each with its own points.
        scales: Factors from their units to a common one.
        most: Triangles of all.
    """
    what = ("simplified", np.__version__, [_digest(mesh) for mesh in meshes], [float(each) for each in scales], most)
    known = recall_written(*what)
    if isinstance(known, dict):
        return _unpacked(known, meshes)
    made = simplify(meshes, scales, most)
    keep_written(_packed(made), *what)
    return made


def _digest(mesh: Mesh) -> str:
    """Of all that its simpler form depends on: paints and notes are handed on as they are."""
    digest = hashlib.sha256()
    for each in (mesh.points, mesh.triangles, mesh.paint):
        if each is None:
            digest.update(b"none")
        else:
            digest.update(f"{each.dtype.str} {each.shape}".encode() + np.ascontiguousarray(each).tobytes())
    return digest.hexdigest()


def _packed(made: Simplified) -> JsonObject:
    return {
        "before": made.before,
        "after": made.after,
        "deviation": made.deviation,
        "meshes": [
            {
                "points": _text(mesh.points),
                "triangles": _text(mesh.triangles),
                "paint": None if mesh.paint is None else _text(mesh.paint),
                "grid": mesh.grid,
            }
            for mesh in made.meshes
        ],
    }


def _unpacked(known: JsonObject, meshes: Sequence[Mesh]) -> Simplified:
    made = [
        Mesh(
            points=_array(row["points"]),
            triangles=_array(row["triangles"]),
            paint=None if row["paint"] is None else _array(row["paint"]),
            paints=mesh.paints,
            notes=mesh.notes,
            grid=row["grid"],
        )
        for row, mesh in zip(known["meshes"], meshes, strict=True)
    ]
    return Simplified(meshes=tuple(made), before=known["before"], after=known["after"], deviation=known["deviation"])


def _text(array: AnyArray) -> list[object]:
    """Kind and shape of an array, and its very bytes."""
    return [array.dtype.str, list(array.shape), base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()]


def _array(said: list[Any]) -> Any:
    kind, shape, text = said
    return np.frombuffer(base64.b64decode(text), dtype=kind).reshape(shape).copy()
